//! Hard boards of sliding puzzles, searched from the end that promises more.
//!
//! A way from the goal to the board is a solution walked backwards, so that either end will do.
//! What databases say of the two is not the same: those for the goal are made once, and those for
//! the board as a goal are made for this board alone, which takes as long as the search of some
//! million nodes. So a board that has taken many more than that is looked at from the other end,
//! and the search goes on from there if the first estimate is larger.

use super::auto::{Searched, search, up_to, what_is_left};
use super::{Solver, databases, near};
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::pdb::Pdb78;
use crate::heuristic::{Heuristic, Registered};
use crate::puzzle::{AnyPuzzle, Depth, Goal, Move, Puzzle, PuzzleVisitor, registry};
use crate::search::{Observer, Task};

/// A board that needs more nodes is hard: the search has then taken some times as long as other
/// databases take to make, on boards of up to 16 cells and on larger ones.
const HARD_NODES: [u64; 2] = [20_000_000, 200_000_000];

/// Searches with the databases of the goal; a hard board, with those of the end that promises more.
/// Returns what was found, and what it was guided by.
pub(super) fn search_hard<P: Puzzle>(
    solver: &Solver,
    task: &Task<'_, P>,
    databases: (&PatternDatabases, &'static str),
    observer: &mut dyn Observer,
) -> (Searched, String) {
    let large = usize::from(task.puzzle.frame().shape().cells() > 16);
    search_harder_than(HARD_NODES[large], solver, task, databases, observer)
}

fn search_harder_than<P: Puzzle>(
    hard: u64,
    solver: &Solver,
    task: &Task<'_, P>,
    (databases, name): (&PatternDatabases, &'static str),
    observer: &mut dyn Observer,
) -> (Searched, String) {
    // For other goals there is nothing as good at hand.
    if name == Pdb78::NAME {
        return (search(task, databases, observer), name.to_owned());
    }
    let first = search(&up_to(task, hard), databases, observer);
    let Some(rest) = what_is_left(task, &first.outcome) else {
        return (first, name.to_owned());
    };
    let value = databases.evaluate(task.puzzle, task.start);
    let estimate = Heuristic::<P>::estimate(databases, value);
    let besides = databases.bytes();
    let (second, name) = match search_from_goal(solver, &rest, (estimate, besides), observer) {
        Some((second, name)) => (second, format!("{name} from the goal")),
        None => (search(&rest, databases, observer), name.to_owned()),
    };
    (second.after(first.outcome.statistics, 0), name)
}

/// Searches from the goal, if its databases can be made besides so many bytes, and if its estimate
/// is larger than that of the board.
fn search_from_goal<P: Puzzle>(
    solver: &Solver,
    task: &Task<'_, P>,
    (estimate, besides): (Depth, u64),
    observer: &mut dyn Observer,
) -> Option<(Searched, &'static str)> {
    let frame = task.puzzle.frame();
    let board = frame.decode(&task.puzzle.labels(task.start));
    let definition = registry::define(frame.id()).ok()?;
    let turned = AnyPuzzle::new(definition, Goal::Board(board), solver.simd).ok()?;
    let mut limits = near::build_limits(&task.limits);
    limits.bytes = limits.bytes.map(|bytes| bytes.saturating_sub(besides));
    let (databases, name) = databases::make(turned.frame(), &limits).ok()?;
    let labels = turned.frame().encode(frame.goal()).ok()?;
    let from_goal =
        FromGoal { task, labels: &labels, databases: &databases, larger_than: estimate, observer };
    let mut searched = turned.visit(from_goal)?;
    if let Some(solution) = &mut searched.outcome.solution {
        let back = |&m: &Move| frame.moves().inverse(m).expect("the blank can go back");
        solution.moves = solution.moves.iter().rev().map(back).collect();
    }
    searched.outcome.statistics.peak_bytes += databases.bytes();
    Some((searched, name))
}

/// The search of a task from its goal, on the puzzle whose goal is the board.
struct FromGoal<'a, 't, P: Puzzle> {
    task: &'a Task<'t, P>,
    labels: &'a [u8],
    databases: &'a PatternDatabases,
    larger_than: Depth,
    observer: &'a mut dyn Observer,
}

impl<Q: Puzzle> PuzzleVisitor for FromGoal<'_, '_, Q> {
    type Output = Option<Searched>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Option<Searched> {
        // A constant: what is not for this kind of puzzle is not compiled for it.
        if const { !P::HAS_BLANK } {
            return None;
        }
        let FromGoal { task, labels, databases, larger_than, observer } = self;
        let Task { at_least, limits, settings, .. } = *task;
        let start = puzzle.state_of(labels);
        let estimate = Heuristic::<P>::estimate(databases, databases.evaluate(puzzle, start));
        let task = Task { puzzle, start, at_least, limits, settings };
        (estimate > larger_than).then(|| search(&task, databases, observer))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text;
    use crate::puzzle::arch::Simd;
    use crate::search::{Limits, Settings, Silent};

    /// Solves a board, hard from the first node on: the moves lead to the goal. Returns their
    /// number, and what guided the search.
    struct Solve<'a>(&'a str);

    impl PuzzleVisitor for Solve<'_> {
        type Output = (usize, String);

        fn visit<P: Puzzle>(self, puzzle: &P) -> (usize, String) {
            let board = text::parse_one("test", self.0.as_bytes(), None).unwrap().board;
            let start = puzzle.state_of(&puzzle.frame().encode(&board).unwrap());
            let definition = registry::define("sliding4").unwrap();
            let solver = Solver::new(definition, Goal::BlankFirst, Simd::off()).unwrap();
            let settings = &Settings::default();
            let task = Task { puzzle, start, at_least: 0, limits: Limits::default(), settings };
            let (databases, name) = databases::make(puzzle.frame(), &Default::default()).unwrap();
            let (searched, name) =
                search_harder_than(1_000, &solver, &task, (&databases, name), &mut Silent);
            let solution = searched.outcome.solution.unwrap();
            let end = solution.moves.iter().fold(start, |state, &m| puzzle.apply(state, m));
            assert!(end == puzzle.goal() && solution.optimal);
            (solution.moves.len(), name)
        }
    }

    #[test]
    fn the_end_with_the_larger_estimate_is_where_a_hard_board_is_searched_from() {
        let puzzle = AnyPuzzle::from_id("sliding4").unwrap();
        // Of Korf's, numbers 63 (44 from the board, 46 from the goal) and 24 (44 and 42).
        let [from_goal, from_board] =
            ["8 10 9 11 14 1 7 15 13 4 0 12 6 2 5 3", "7 3 14 13 4 1 10 8 5 12 9 11 2 15 6 0"]
                .map(|board| puzzle.visit(Solve(board)));
        assert_eq!(from_goal, (56, "pdb from the goal".to_owned()));
        assert_eq!(from_board, (54, "pdb-663".to_owned()));
    }
}
