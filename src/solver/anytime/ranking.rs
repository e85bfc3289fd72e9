//! What beams rank boards by: the distances of patterns or, where the moves keep relations between
//! cells, the heuristic `relations`.
//!
//! Two beams of the same width, one by each, show which is better: the one that finds the shorter
//! solution goes on alone. As long as neither finds one, both are run with the next width as well.

use super::super::scores::{self, Scores, Spent};
use super::Sides;
use crate::heuristic::relations::Relations;
use crate::heuristic::scorer::Scorer;
use crate::limits::{Observer, StopReason};
use crate::puzzle::Frame;
use crate::search::HeuristicKind;
use std::time::{Duration, Instant};

/// How many times as long as the beam by relations the one by patterns may take, if there is a
/// solution already.
const COMPETING: u32 = 4;

/// What beams rank boards by.
#[derive(Clone, Copy)]
pub(super) enum Ranking<'a> {
    /// The distances of patterns.
    Patterns,
    /// The relations of pairs of tiles.
    Relations(&'a dyn Scorer),
    /// Both, until it is known which is better.
    Both(&'a dyn Scorer),
}

impl Ranking<'_> {
    /// The heuristic that boards are ranked by.
    pub(super) fn kind(self, frame: &Frame) -> HeuristicKind {
        match self {
            Ranking::Relations(_) => HeuristicKind::own::<Relations>(),
            Ranking::Patterns | Ranking::Both(_) => Scores::kind(frame),
        }
    }
}

impl<'a> Sides<'a> {
    /// Lets beams by relations compete, where the moves keep some, and takes over their lower bound.
    pub(super) fn look_for_relations(&mut self) {
        if self.solver.frame().blank_label().is_some() {
            return;
        }
        let solver = self.solver;
        let kind = HeuristicKind::own::<Relations>();
        // If another thread builds something for too long, it goes without.
        let Ok(built) = solver.built(&kind, &self.limits()) else { return };
        let relations = &built.estimator;
        // An estimate of 0 means that there are none, or that they do not help on this board.
        let bound = relations.estimate(self.task.start);
        if bound > 0 {
            self.ranking = Ranking::Both(relations.scorer());
            self.best.lower_bound = self.best.lower_bound.max(bound);
        }
    }

    /// A beam by patterns as wide as the one by relations was, which has `reached` the goal or not:
    /// what the next beams rank boards by. If there is a solution, this one may not take much longer.
    ///
    /// # Errors
    /// If a limit ends the search.
    pub(super) fn compete(
        &mut self,
        relations: &'a dyn Scorer,
        width: usize,
        reached: bool,
        took: Duration,
        observer: &mut dyn Observer,
    ) -> Result<Ranking<'a>, StopReason> {
        let undecided = if reached { Ranking::Relations(relations) } else { self.ranking };
        if self.is_over() {
            return Ok(undecided);
        }
        let Some(patterns) = self.patterns() else { return Ok(undecided) };
        let mut limits = self.limits();
        if reached {
            let soon = Instant::now() + took * COMPETING;
            limits.deadline = Some(limits.deadline.map_or(soon, |deadline| deadline.min(soon)));
        }
        match self.beam(patterns, width, limits, observer) {
            None => Ok(Ranking::Patterns),
            Some(StopReason::Depth | StopReason::Memory) => Ok(undecided),
            // Only its own time is over.
            Some(StopReason::Time) if self.limits().check_time().is_ok() => Ok(undecided),
            Some(stop) => Err(stop),
        }
    }

    /// What the next beam ranks boards by.
    pub(super) fn score(&self) -> Option<&'a dyn Scorer> {
        match self.ranking {
            Ranking::Patterns => self.patterns(),
            Ranking::Relations(relations) | Ranking::Both(relations) => Some(relations),
        }
    }

    /// The best score by patterns that is worth it by now.
    fn patterns(&self) -> Option<&'a dyn Scorer> {
        let (solver, threads) = (self.solver, self.task.options.threads);
        // Some solution is worth more than a better score.
        let has_solution = self.best.path.is_some();
        let before = if has_solution { scores::time_before(solver) } else { Duration::ZERO };
        let spent = Spent { here: self.best.began.elapsed(), before };
        scores::best(solver, spent, threads, &self.limits())
    }
}

#[cfg(test)]
mod tests {
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, custom};
    use crate::search::{Aim, SearchOptions, Silent};
    use crate::solver::{Answer, Report, Solver};
    use std::time::Duration;

    macro_rules! puzzle {
        ($name:literal) => {
            (
                include_str!(concat!("../../../data/anytime/permutation/", $name, ".toml")),
                include_str!(concat!("../../../data/anytime/permutation/", $name, ".boards")),
            )
        };
    }

    /// What comes of the first board of a file.
    fn solve((puzzle, boards): (&str, &str), aim: Aim) -> Report {
        let definition = custom::define("test.toml", puzzle).unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let line = boards.lines().find(|line| !line.starts_with('#')).unwrap();
        let tiles = line.rsplit(':').next().unwrap().split_whitespace();
        let labels: Vec<u8> = tiles.map(|tile| tile.parse::<u8>().unwrap() - 1).collect();
        let board = solver.frame().decode(&labels);
        let timeout = Some(Duration::from_secs(60));
        let options = SearchOptions { aim, timeout, ..SearchOptions::default() };
        match solver.solve(&board, &options, &mut Silent).unwrap() {
            Answer::Searched(report) => report,
            Answer::Unsolvable(reason) => panic!("{reason}"),
        }
    }

    #[test]
    fn where_moves_keep_relations_beams_by_these_win() {
        // Gaps prove nearly all that there is to prove of pancakes.
        let report = solve(puzzle!("pancake55"), Aim::Within(1.1));
        let length = report.solution.as_ref().unwrap().names().len() as f64;
        assert!(length <= 1.1 * f64::from(report.lower_bound), "{length}");
        assert!(report.guides_in_words().unwrap().contains("relations"));
        // Words for the elements of the group are twice as long.
        let report = solve(puzzle!("lrx25"), Aim::First);
        assert!(report.solution.as_ref().unwrap().names().len() < 300);
        assert!(report.guides_in_words().unwrap().contains("relations"));
    }
}
