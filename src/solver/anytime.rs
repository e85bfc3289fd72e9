//! What `auto` does with a board that the first search has not solved: some solution at once, then
//! shorter ones, and all the while the proof from below, until the two meet or the time is up.
//!
//! **Beams** find the solutions, each some times wider than the one before, as wide as the memory
//! and the time that is left allow. They need not be monotonic: the best solution of all is kept.
//! Where the moves keep relations between cells, beams by these and by patterns of the same width
//! compete, until one of them finds a shorter solution than the other and goes on alone (`ranking`).
//! The **exact search** proves lower bounds, one length after the other. The two take turns, each on
//! all threads: a length is tried when that is expected to take no more than a share of the time that
//! has passed, because an unfinished search of a length proves nothing. Boards that are nearly
//! always solved exactly within a second, because of their puzzle or because a beam has shown that
//! they are near the goal, are left to the exact search for that long. When there is no wider beam,
//! most of the remaining time shortens the solution of a large board, which is seldom proven; otherwise
//! all of it goes to the proof, which need not look for solutions as long as the best one.

mod ranking;

use super::auto::{prove, up_to};
use super::scores;
use super::{BuiltHeuristic, Guide, Improvement, Searched, Solver, auto_table};
use crate::heuristic::scorer::Scorer;
use crate::limits::{Limits, Observer, StopReason};
use crate::puzzle::{Depth, Frame, Move};
use crate::search::beam::{BEAM, Beam, BeamEnd};
use crate::search::ida::IDA;
use crate::search::windows::{self, Effort};
use crate::search::{Aim, Outcome, Path, Role, Statistics, Task, constructive, path};
use ranking::Ranking;
use std::ops::Range;
use std::time::{Duration, Instant};

/// Up to this many cells, boards are nearly always solved exactly within [`EXACT_FIRST`].
const EXACT_CELLS: usize = 16;

/// How long these are left to the exact search.
const EXACT_FIRST: Duration = Duration::from_secs(1);

/// The width of the first beam: narrow enough to be work for one thread, which has nobody to wait for.
const FIRST_WIDTH: usize = 90;

/// How many times as wide the next beam is.
const WIDER: usize = 4;

/// How many times as long the last one may take. If there is time for another four times as wide, but
/// then hardly for one more, the time after it is lost.
const LAST_LONGER: f64 = 10.0;

/// The same as long as no beam has reached the goal: its width cannot follow the time that is left,
/// because how deep it is to come is not known.
const LAST_LONGER_UNTIL_REACHED: f64 = 6.0;

/// A beam's time is expected to grow with a power of its width between these: narrow ones are work
/// for one thread, and wide ones outgrow the processor's cache.
const EXPONENTS: Range<f64> = 0.75..1.25;

/// The part of the time that is left which the last one is planned to take.
const PLANNED: f64 = 0.93;

/// The same as long as no beam has reached the goal: what it finds is completed and shortened.
const PLANNED_UNTIL_REACHED: f64 = 0.6;

/// A beam whose width follows the time that is left begins with the width of one that would take so
/// many times as long.
const FITTED: f64 = 1.4;

/// The part after which it should be over, if the rest is of no use to the exact search.
const FINISHED: f64 = 0.98;

/// The exact search is given one in so many parts of the time.
const EXACT_SHARE: u32 = 8;

/// The table of the exact search takes some seconds to build: if there is none yet, nothing is
/// proven before, unless the board is near the goal.
const TABLE_TIME: Duration = Duration::from_secs(2);

/// With it, the first length takes about as long, unless the best solution has hardly more moves
/// than are proven: the proof is tried at once.
const FIRST_LENGTH: Duration = Duration::from_millis(10);
const NEAR: f64 = 1.5;

/// How many sequences of moves are ruled out within [`EXACT_FIRST`] for each entry of a pattern
/// database.
const SEQUENCES_AN_ENTRY: f64 = 5e9;

/// Layers without a better board before a beam gives up.
const PATIENCE: usize = 100;

/// Solutions longer than this are expected to be found by narrow beams alone.
const DEEP: Depth = 1_000;

/// With more cells than this, a board with a blank is first solved tile by tile.
const LARGE_CELLS: usize = 30;

/// The most nodes that are spent on a window of a solution.
const WINDOW_NODES: u64 = 1 << 20;

/// The part of the time that finding a solution took which may be spent on shortening it: a wider beam
/// mostly gains more.
const SHORTENING: f64 = 0.3;

/// A solution that was found in a moment is worth as much.
const LEAST_SHORTENING: Duration = Duration::from_millis(3);

/// How long the time may be overrun for the sake of some solution.
const OVERRUN: Duration = Duration::from_millis(20);

/// What beams may hold if nothing else is said.
const MOST_BYTES: u64 = 1 << 30;

/// Of the memory that there is, beams take one part in so many; the tables of the exact search stay.
const BEAM_SHARE: u64 = 4;

/// Whether there is hardly time for more than a beam or two.
fn is_soon(deadline: Instant) -> bool {
    deadline < Instant::now() + Duration::from_millis(500)
}

/// Whether boards of a puzzle are often out of the exact search's reach.
pub(super) fn needs_scores(frame: &Frame) -> bool {
    frame.shape().cells() > EXACT_CELLS
}

/// Whether beams of a puzzle's boards often come to a halt before the goal.
pub(super) fn is_large(frame: &Frame) -> bool {
    frame.blank_label().is_some() && frame.shape().cells() > LARGE_CELLS
}

/// The search that has not solved the board.
pub(super) struct FirstSearch {
    pub(super) searched: Searched,
    pub(super) began: Instant,
    /// How many more nodes it may expand when there is some solution.
    pub(super) easy_left: u64,
}

/// Looks for solutions and for the proof, after a first search.
pub(super) fn solve(
    solver: &Solver,
    task: &Task<'_>,
    heuristic: &BuiltHeuristic,
    first: FirstSearch,
    observer: &mut dyn Observer,
) -> Searched {
    let FirstSearch { mut searched, began, easy_left } = first;
    let before = searched.outcome.statistics.expanded;
    let easy_time = began.elapsed().mul_f64(easy_left as f64 / before.max(1) as f64);
    let proves = task.options.crew.is_none_or(|crew| crew.role() == Role::Prove);
    if proves && !needs_scores(solver.frame()) {
        // The table is worth waiting for; only the search has a time of its own.
        if !heuristic.kind.is_additive(solver.frame()) {
            let _ = auto_table::get(solver, &task.limits, observer);
        }
        let now = Instant::now();
        let left = task.limits.deadline.map(|deadline| deadline.saturating_duration_since(now));
        let slice = EXACT_FIRST.min(left.unwrap_or(Duration::MAX) / 2);
        let limits = Limits { deadline: Some(now + slice), ..task.limits };
        let exact = prove(solver, &Task { limits, ..task.clone() }, heuristic, observer);
        searched = exact.after(searched.outcome.statistics, 0);
        if searched.outcome.stop != Some(StopReason::Time) {
            return searched;
        }
    }
    let lower_bound = searched.outcome.lower_bound.max(task.at_least);
    let best = Best { path: None, lower_bound, improvements: Vec::new(), began };
    let mut sides = Sides {
        solver,
        task,
        heuristic,
        searched,
        before,
        best,
        proves,
        easy_left: if proves { easy_left } else { 0 },
        easy_time,
        by_beam: false,
        has_reached: false,
        ranking: Ranking::Patterns,
        last_length: None,
        last_beam: None,
    };
    sides.look_for_relations();
    let stop = sides.take_turns(observer);
    if sides.best.path.is_none() && stop == Some(StopReason::Time) {
        sides.overrun(observer);
    }
    scores::add_time(solver, began.elapsed());
    sides.end(stop)
}

/// Looks for a solution with fewer moves than the best one known, for some time, by beams alone, in a
/// search that `began` some time ago: the solution, if there is one, and what it took.
pub(super) fn from_above(
    solver: &Solver,
    task: &Task<'_>,
    known: Option<usize>,
    began: Instant,
    time: Duration,
    observer: &mut dyn Observer,
) -> (Option<Vec<Move>>, Statistics) {
    let soon = Instant::now() + time;
    let deadline = Some(task.limits.deadline.map_or(soon, |deadline| deadline.min(soon)));
    let task = &Task { limits: Limits { deadline, ..task.limits }, ..task.clone() };
    let mut sides = Sides {
        solver,
        task,
        heuristic: solver.own(&solver.first_choice),
        searched: Searched::stopped(&BEAM, Vec::new(), task.at_least, StopReason::Time),
        before: 0,
        best: Best { path: None, lower_bound: task.at_least, improvements: Vec::new(), began },
        proves: false,
        easy_left: 0,
        easy_time: Duration::ZERO,
        by_beam: false,
        has_reached: false,
        ranking: Ranking::Patterns,
        last_length: None,
        last_beam: None,
    };
    let mut width = Some(FIRST_WIDTH);
    while let Some(wide) = width
        && let Some(score) = sides.score()
        && wide <= sides.widest(score)
        && !sides.is_over()
    {
        let began = Instant::now();
        match sides.beam(score, wide, sides.limits(), observer) {
            None | Some(StopReason::Depth | StopReason::Memory) => {}
            Some(_) => break,
        }
        width = sides.next_width(wide, began.elapsed());
    }
    let is_shorter = |path: &Vec<Move>| known.is_none_or(|known| path.len() < known);
    (sides.best.path.filter(is_shorter), sides.searched.outcome.statistics)
}

/// The best solution so far, and what is proven.
struct Best {
    path: Option<Vec<Move>>,
    lower_bound: Depth,
    improvements: Vec<Improvement>,
    began: Instant,
}

impl Best {
    /// Only solutions with fewer moves are of interest.
    fn length(&self) -> Depth {
        self.path.as_ref().map_or(Depth::MAX, |path| path.len() as Depth)
    }

    /// Takes a shorter solution.
    fn improve(&mut self, path: Vec<Move>, observer: &mut dyn Observer) {
        let length = path.len() as Depth;
        if length < self.length() {
            observer.improved(length, self.lower_bound.min(length));
            self.improvements.push(Improvement { after: self.began.elapsed(), length });
            self.path = Some(path);
        }
    }

    /// Whether it is proven, or as good as was asked for.
    fn is_enough(&self, aim: Aim) -> bool {
        let Some(path) = &self.path else { return false };
        let proven = self.lower_bound >= path.len() as Depth;
        proven
            || match aim {
                Aim::First => true,
                Aim::Within(ratio) => path.len() as f64 <= ratio * f64::from(self.lower_bound),
                Aim::Best | Aim::Proven => false,
            }
    }
}

/// Tells an observer of a beam's nodes, with the length that the exact search tries next: how deep a
/// beam is says nothing about the length of solutions.
struct FromAbove<'a> {
    lower_bound: Depth,
    observer: &'a mut dyn Observer,
}

impl Observer for FromAbove<'_> {
    fn progress(&mut self, _: u32, expanded: u64) {
        self.observer.progress(self.lower_bound, expanded);
    }
}

/// Both sides of the search.
struct Sides<'a> {
    solver: &'a Solver,
    task: &'a Task<'a>,
    heuristic: &'a BuiltHeuristic,
    /// The last exact search, with the statistics of everything.
    searched: Searched,
    /// The nodes expanded before the task began.
    before: u64,
    best: Best,
    /// Whether it looks for the proof as well: others may do that.
    proves: bool,
    /// How many nodes the search without a table may still expand.
    easy_left: u64,
    /// How long that is expected to take.
    easy_time: Duration,
    /// Whether a beam has found the best solution.
    by_beam: bool,
    /// Whether any beam has come to the goal by itself.
    has_reached: bool,
    ranking: Ranking<'a>,
    /// How long the last length took to be ruled out.
    last_length: Option<Duration>,
    /// How wide the last beam was, and how long it took.
    last_beam: Option<(usize, Duration)>,
}

impl<'a> Sides<'a> {
    /// Beams and proofs in turn, until there is a reason to stop; `None` if it is that nothing is
    /// left to be done.
    fn take_turns(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if is_large(self.solver.frame()) {
            self.complete(Vec::new(), &self.limits(), observer);
        }
        let mut width = Some(FIRST_WIDTH);
        while let Some(score) = self.score()
            && let Some(wide) = width
            && wide <= self.widest(score)
        {
            if self.is_over() {
                return None;
            }
            let began = Instant::now();
            let stop = self.beam(score, wide, self.limits(), observer);
            match stop {
                None | Some(StopReason::Depth | StopReason::Memory) => {}
                stop => return stop,
            }
            let took = began.elapsed();
            if let Ranking::Both(relations) = self.ranking {
                match self.compete(relations, wide, stop.is_none(), took, observer) {
                    Ok(ranking) => self.ranking = ranking,
                    Err(stop) => return Some(stop),
                }
            }
            if let Some(stop) = self.go_on_without_table(observer) {
                return Some(stop);
            }
            while !self.is_over() && self.is_worth_a_length() {
                if let Some(stop) = self.try_length(observer) {
                    return Some(stop);
                }
            }
            width = self.next_width(wide, took);
            if self.is_over() {
                return None;
            }
        }
        // Boards so large are seldom proven: what is left is worth more to shorten the solution.
        if is_large(self.solver.frame())
            && !self.is_over()
            && let Some(left) = self.time_for_beams()
        {
            self.shorten(left, observer);
        }
        while self.proves && !self.is_over() {
            if let Some(stop) = self.try_length(observer) {
                return Some(stop);
            }
        }
        None
    }

    /// The width of the next beam: some times that of the last one, which took some time. The last
    /// beam that there is time for takes most of what is left; none, if that is hardly longer.
    fn next_width(&mut self, last: usize, took: Duration) -> Option<usize> {
        let before = self.last_beam.replace((last, took));
        let Some(deadline) = self.task.limits.deadline else { return Some(last * WIDER) };
        let left = deadline.saturating_duration_since(Instant::now());
        let (planned, most) = if self.has_reached {
            (PLANNED, LAST_LONGER)
        } else {
            (PLANNED_UNTIL_REACHED, LAST_LONGER_UNTIL_REACHED)
        };
        let longer = left.as_secs_f64() * planned / took.as_secs_f64();
        match longer {
            ..1.5 => None,
            _ if longer < most => {
                let longer = if self.has_reached { longer * FITTED } else { longer };
                let exponent = before.map_or(1.0, |(width, time)| {
                    took.div_duration_f64(time).ln() / (last as f64 / width as f64).ln()
                });
                let wider = longer.powf(1.0 / exponent.clamp(EXPONENTS.start, EXPONENTS.end));
                Some((last as f64 * wider) as usize)
            }
            _ => Some(last * WIDER),
        }
    }

    fn is_over(&self) -> bool {
        self.best.is_enough(self.task.options.aim)
    }

    /// Longer solutions are not asked for.
    fn longest(&self) -> Depth {
        self.task.limits.depth.unwrap_or(Depth::MAX)
    }

    /// The limits of what comes next.
    fn limits(&self) -> Limits<'a> {
        let used = self.searched.outcome.statistics.expanded - self.before;
        let nodes = self.task.limits.nodes.map(|most| most.saturating_sub(used));
        Limits { nodes, ..self.task.limits }
    }

    /// One beam; why it ended, if it has found no shorter solution.
    fn beam(
        &mut self,
        scorer: &dyn Scorer,
        width: usize,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Option<StopReason> {
        let began = Instant::now();
        let beam = Beam {
            scorer,
            width,
            monotonic: false,
            threads: self.task.options.threads,
            shorter_than: self.longest().saturating_add(1).min(self.best.length()),
            finish_by: self.beam_deadline(),
            patience: PATIENCE,
            limits,
        };
        let mut from_above = FromAbove { lower_bound: self.best.lower_bound, observer };
        let BeamEnd { moves, reached, stop, statistics } =
            beam.run(self.task.start, &mut from_above);
        self.searched.outcome.statistics.add(statistics);
        if reached {
            (self.by_beam, self.has_reached) = (true, true);
            self.take(moves, began.elapsed(), observer);
        } else if self.best.path.is_none() || is_large(self.solver.frame()) {
            self.complete(moves, &self.limits(), observer);
        }
        stop
    }

    /// When the time was over before there was any solution: some solution is worth a moment more.
    fn overrun(&mut self, observer: &mut dyn Observer) {
        let limits = Limits { deadline: Some(Instant::now() + OVERRUN), ..self.limits() };
        self.complete(Vec::new(), &limits, observer);
    }

    /// When a beam should be over that looks for a shorter solution than those before. Where none
    /// has come to the goal, how deep it is to come is not known: what is there was found tile by
    /// tile, and is much longer.
    fn beam_deadline(&self) -> Option<Instant> {
        let time = self.time_for_beams()?;
        self.has_reached.then(|| Instant::now() + time)
    }

    /// The time that is left, without what is of use to the exact search.
    fn time_for_beams(&self) -> Option<Duration> {
        let left = self.task.limits.deadline?.saturating_duration_since(Instant::now());
        let part = if self.proves { 1.0 - 1.0 / f64::from(EXACT_SHARE) } else { FINISHED };
        Some(left.mul_f64(part))
    }

    /// Takes a path to any board, and goes on from there tile by tile.
    fn complete(&mut self, path: Vec<Move>, limits: &Limits<'_>, observer: &mut dyn Observer) {
        let began = Instant::now();
        let (frame, start) = (self.solver.frame(), self.task.start);
        let board = path::after(frame, start, &path);
        if let Ok(rest) = constructive::solve(frame, &board, limits) {
            let moves = path::cancel_loops(frame, start, &[path, rest].concat());
            let length = moves.len() as Depth;
            if length < self.best.length() && length <= self.longest() {
                self.by_beam = true;
                self.take(moves, began.elapsed(), observer);
            }
        }
    }

    /// Takes a shorter solution, and spends some time on shortening it.
    fn take(&mut self, moves: Vec<Move>, spent: Duration, observer: &mut dyn Observer) {
        self.best.improve(moves, observer);
        self.shorten(spent.mul_f64(SHORTENING).max(LEAST_SHORTENING), observer);
    }

    /// Replaces parts of the best solution by shorter ones for some time, where that is of use.
    fn shorten(&mut self, time: Duration, observer: &mut dyn Observer) {
        let frame = self.solver.frame();
        if frame.blank_label().is_none() || self.task.options.aim == Aim::First {
            return;
        }
        let Some(moves) = self.best.path.clone() else { return };
        let limits = self.limits();
        let soon = Instant::now() + time;
        let deadline = Some(limits.deadline.map_or(soon, |deadline| deadline.min(soon)));
        let limits = Limits { deadline, ..limits };
        let effort = Effort { nodes: WINDOW_NODES, threads: self.task.options.threads };
        let Sides { best, task, .. } = self;
        let shortened = windows::shorten(frame, task.start, moves, effort, &limits, &mut |moves| {
            best.improve(moves.to_vec(), observer);
        });
        self.searched.outcome.statistics.expanded += shortened.expanded;
    }

    /// The widest beam that there is memory for.
    fn widest(&self, scorer: &dyn Scorer) -> usize {
        let depth = self.best.length().min(DEEP) as usize;
        let bytes = self.task.limits.bytes.map_or(MOST_BYTES, |bytes| bytes / BEAM_SHARE);
        bytes as usize / Beam::bytes_per_place(scorer, depth)
    }

    /// Whether the next length is expected to be ruled out within the exact search's share of time,
    /// or all that are left within a moment.
    fn is_worth_a_length(&self) -> bool {
        let frame = self.solver.frame();
        let branching = frame.automaton().branching_factor();
        // With a blank, every second length is possible.
        let growth = if frame.blank_label().is_some() { branching.powi(2) } else { branching };
        let expected = match self.last_length {
            last if self.is_near() && last.is_none_or(|last| last < EXACT_FIRST) => Duration::ZERO,
            Some(last) => last.mul_f64(growth),
            None if self.solver.auto_table.get().is_some() => {
                let is_tight =
                    f64::from(self.best.length()) <= NEAR * f64::from(self.best.lower_bound);
                if is_tight { Duration::ZERO } else { FIRST_LENGTH }
            }
            None => TABLE_TIME,
        };
        self.proves
            && expected * EXACT_SHARE <= self.best.began.elapsed()
            && self.limits().has_left(expected)
    }

    /// Whether the best solution is so short that a pattern database is expected to prove it within
    /// a moment.
    fn is_near(&self) -> bool {
        let frame = self.solver.frame();
        auto_table::entries_of_views(frame).is_some_and(|entries| {
            let sequences = frame.automaton().branching_factor().powf(self.best.length().into());
            sequences <= SEQUENCES_AN_ENTRY * entries as f64
        })
    }

    /// Goes on with the search without a table for some nodes, once. Why not, if a limit was hit.
    fn go_on_without_table(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        if self.easy_left == 0 || self.is_over() || self.limits().deadline.is_some_and(is_soon) {
            return None;
        }
        // Large boards are seldom easy: it has to wait until its share of the time is as much.
        if is_large(self.solver.frame()) && self.easy_time * EXACT_SHARE > self.best.began.elapsed()
        {
            return None;
        }
        let easy = std::mem::take(&mut self.easy_left);
        let rest =
            Task { at_least: self.best.lower_bound, limits: self.limits(), ..self.task.clone() };
        let rest = up_to(&rest, easy);
        let outcome = (IDA.search)(&rest, &*self.heuristic.estimator, observer);
        let used_up = rest.limits.nodes != Some(easy);
        self.searched.outcome.statistics.add(outcome.statistics);
        self.best.lower_bound = self.best.lower_bound.max(outcome.lower_bound);
        if let Some(Path { moves, .. }) = outcome.solution {
            self.by_beam = false;
            self.best.improve(moves, observer);
        }
        outcome.stop.filter(|&stop| stop != StopReason::Nodes || used_up)
    }

    /// Tries the next length: it is ruled out, or there is a solution. Why not, otherwise.
    fn try_length(&mut self, observer: &mut dyn Observer) -> Option<StopReason> {
        let began = Instant::now();
        let length = self.best.lower_bound;
        if length > self.longest() {
            return Some(StopReason::Depth);
        }
        let limits = self.limits();
        let bytes = limits.bytes.map(|bytes| bytes - bytes / BEAM_SHARE);
        let limits = Limits { depth: Some(length), bytes, ..limits };
        let task = Task { at_least: length, limits, ..self.task.clone() };
        let exact = prove(self.solver, &task, self.heuristic, observer);
        let statistics = std::mem::take(&mut self.searched.outcome.statistics);
        self.searched = exact.after(statistics, 0);
        self.last_length = Some(began.elapsed());
        let Outcome { solution, lower_bound, stop, .. } = &mut self.searched.outcome;
        self.best.lower_bound = self.best.lower_bound.max(*lower_bound);
        let stop = stop.filter(|&stop| stop != StopReason::Depth);
        if let Some(Path { moves, .. }) = solution.take() {
            self.by_beam = false;
            self.best.improve(moves, observer);
        }
        stop
    }

    /// What came of it all.
    fn end(self, stop: Option<StopReason>) -> Searched {
        let Sides { solver, mut searched, best, by_beam, ranking, .. } = self;
        let length = best.length();
        let optimal = best.lower_bound >= length;
        let outcome = &mut searched.outcome;
        outcome.lower_bound = best.lower_bound.min(length);
        outcome.solution = best.path.map(|moves| Path { moves, optimal });
        outcome.stop = stop.filter(|_| !optimal);
        searched.improvements = best.improvements;
        if by_beam {
            searched.algorithm = &BEAM;
            searched.threads = searched.threads.max(self.task.options.threads);
            searched.guides.push(Guide::Heuristic(ranking.kind(solver.frame())));
        }
        searched
    }
}
