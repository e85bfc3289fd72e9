//! Breadth-first search from both ends (Pohl 1971, "Bi-directional search"), meeting in the middle.
//!
//! The smaller frontier is expanded, a whole layer at a time. When the layers up to `a` from the
//! start and up to `b` from the goal have no state in common, no solution has `a + b` moves or
//! fewer; the first state that both have gives a shortest one. On one-way puzzles the search
//! from the goal undoes moves.

use super::closed::{Closed, Met};
use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{
    Blind, Described, Limits, Observer, Optimality, Outcome, Statistics, StopReason, Task,
};
use crate::puzzle::{Depth, Move, Puzzle};

/// Breadth-first search from both ends.
#[derive(Clone, Copy, Debug)]
pub struct Bidirectional;

impl Described for Bidirectional {
    const NAME: &'static str = "bidirectional";
    const SUMMARY: &'static str = "breadth-first search from both ends: shortest solutions, about the square root of bfs in states";
    const OPTIMALITY: Optimality = Optimality::Always;
}

impl Blind for Bidirectional {
    fn search<P: Puzzle>(task: &Task<'_, P>, observer: &mut dyn Observer) -> Outcome {
        let mut search = Search {
            task,
            statistics: Statistics::default(),
            pace: Pace::new(&task.limits, observer),
            from_start: Side::new(),
            from_goal: Side::new(),
        };
        let end = search.run();
        let lower_bound = match &end {
            Ok(moves) => moves.len() as Depth,
            Err(_) => search.from_start.depth + search.from_goal.depth + 1,
        };
        Outcome::of_first(end, true, lower_bound, search.statistics)
    }
}

/// One of the two searches: all states within `depth` of its end.
struct Side<P: Puzzle> {
    closed: Closed<P::Key, u8>,
    frontier: Vec<P::Key>,
    depth: Depth,
}

impl<P: Puzzle> Side<P> {
    fn new() -> Side<P> {
        Side { closed: Closed::new(), frontier: Vec::new(), depth: 0 }
    }

    fn begin(&mut self, key: P::Key, limits: &Limits<'_>) -> Result<(), StopReason> {
        self.closed.insert(key, START, limits, 0)?;
        self.frontier.push(key);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        self.closed.bytes() + (self.frontier.capacity() * size_of::<P::Key>()) as u64
    }
}

/// Which end a side grows from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Start,
    Goal,
}

struct Search<'a, P: Puzzle> {
    task: &'a Task<'a, P>,
    pace: Pace<'a>,
    statistics: Statistics,
    from_start: Side<P>,
    from_goal: Side<P>,
}

impl<P: Puzzle> Search<'_, P> {
    fn run(&mut self) -> Result<Vec<Move>, StopReason> {
        let Task { puzzle, start, ref limits, .. } = *self.task;
        self.from_start.begin(puzzle.key(start), limits)?;
        self.from_goal.begin(puzzle.key(puzzle.goal()), limits)?;
        if start == puzzle.goal() {
            return Ok(Vec::new());
        }
        loop {
            let end = if self.from_start.frontier.len() <= self.from_goal.frontier.len() {
                End::Start
            } else {
                End::Goal
            };
            if let Some(meeting) = self.advance(end)? {
                return Ok(self.joined(meeting));
            }
            let (own, other) = (&self.from_start, &self.from_goal);
            if own.frontier.is_empty() || other.frontier.is_empty() {
                // Whoever asks has made sure that the goal can be reached.
                return Err(StopReason::Depth);
            }
        }
    }

    /// Makes the next layer of one side; a state that the other side has, too, ends it.
    fn advance(&mut self, end: End) -> Result<Option<P::Key>, StopReason> {
        let Task { puzzle, ref limits, .. } = *self.task;
        let (own, other) = match end {
            End::Start => (&mut self.from_start, &self.from_goal),
            End::Goal => (&mut self.from_goal, &self.from_start),
        };
        let statistics = &mut self.statistics;
        let mut next: Vec<P::Key> = Vec::new();
        for &key in &own.frontier {
            self.pace.step(own.depth + other.depth, statistics.expanded)?;
            statistics.expanded += 1;
            let state = puzzle.state(key);
            let moves =
                if end == End::Start { puzzle.legal(state) } else { puzzle.legal_back(state) };
            for m in moves {
                statistics.generated += 1;
                let child = puzzle.key(match end {
                    End::Start => puzzle.apply(state, m),
                    End::Goal => puzzle.apply_back(state, m),
                });
                let frontiers =
                    (own.frontier.capacity() + 2 * next.capacity()) * size_of::<P::Key>();
                let held = other.bytes() + frontiers as u64;
                match own.closed.insert(child, m.0, limits, held)? {
                    Met::Before(..) => statistics.duplicates += 1,
                    Met::New => {
                        statistics.max_depth = statistics.max_depth.max(own.depth + 1);
                        statistics.peak_bytes =
                            statistics.peak_bytes.max(own.closed.bytes() + held);
                        if other.closed.get(child).is_some() {
                            return Ok(Some(child));
                        }
                        next.try_reserve(1).map_err(|_| StopReason::Memory)?;
                        next.push(child);
                    }
                }
            }
        }
        own.frontier = next;
        own.depth += 1;
        statistics.expanded_below = statistics.expanded;
        Ok(None)
    }

    /// The way from the start to where the sides have met, and on to the goal.
    fn joined(&self, meeting: P::Key) -> Vec<Move> {
        let puzzle = self.task.puzzle;
        let note = |side: &Side<P>, key| side.closed.get(key).expect("both sides have been here");
        let mut state = puzzle.state(meeting);
        let mut moves = back_to_start(puzzle, state, |key| note(&self.from_start, key));
        loop {
            let m = note(&self.from_goal, puzzle.key(state));
            if m == START {
                return moves;
            }
            moves.push(Move(m));
            state = puzzle.apply(state, Move(m));
        }
    }
}
