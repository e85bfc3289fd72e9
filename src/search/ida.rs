//! Iterative-deepening A* (Korf 1985, "Depth-first iterative-deepening: an optimal
//! admissible tree search").
//!
//! A depth-first search that cuts off wherever the moves made and the estimate exceed a
//! bound; the bound grows until a solution is found, which is then shortest if the
//! heuristic is admissible. It needs no memory but the path. Commuting moves are tried in
//! one order (see [`crate::puzzle::automaton`]), the estimate is updated move by move, and
//! where the moves fix the parity of the length, bounds of the wrong parity are skipped.

use super::{
    Described, Guided, Iteration, Limits, Observer, Optimality, Outcome, Solution, Statistics,
    Stop, Task,
};
use crate::heuristic::Heuristic;
use crate::puzzle::automaton::Memory;
use crate::puzzle::{Depth, Move, Puzzle};

/// Iterative-deepening A*.
#[derive(Clone, Copy, Debug)]
pub struct Ida;

impl Described for Ida {
    const NAME: &'static str = "ida";
    const SUMMARY: &'static str =
        "iterative-deepening A*: shortest solutions with an admissible heuristic, no memory";
    const OPTIMALITY: Optimality = Optimality::IfAdmissible;
}

impl Guided for Ida {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let root = Node::root(task, heuristic);
        deepen(task, heuristic, |bound, expanded_before| {
            let watch = Alone { limits: &task.limits, observer: &mut *observer, expanded_before };
            let mut pass = Pass::new(task.puzzle, heuristic, bound, watch);
            let end = pass.search_below(root);
            pass.finish(end)
        })
    }
}

/// Raises the bound until `iterate` finds a solution under it. `iterate` is told the bound and
/// how many nodes have been expanded before.
pub(super) fn deepen<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    mut iterate: impl FnMut(Depth, u64) -> Finished,
) -> Outcome {
    let Task { puzzle, start, at_least, ref limits, .. } = *task;
    let odd_length = puzzle.frame().odd_length(&puzzle.labels(start));
    let estimate = heuristic.estimate(heuristic.evaluate(puzzle, start));
    let mut bound = with_parity(estimate.max(at_least), odd_length);
    let mut statistics = Statistics::default();
    loop {
        let ruled_out = heuristic.rules_out(puzzle, start, bound);
        let Finished { end, expanded, generated, deepest, next_bound } = if ruled_out {
            Finished { next_bound: bound + 1, ..Finished::default() }
        } else {
            iterate(bound, statistics.expanded)
        };
        statistics.add(Statistics {
            expanded,
            generated,
            evaluations: generated,
            expanded_below: if end == Ok(None) { expanded } else { 0 },
            max_depth: deepest,
            peak_bytes: u64::from(bound) * size_of::<Move>() as u64,
            iterations: vec![Iteration { bound, expanded, generated }],
            ..Statistics::default()
        });
        let (solution, lower_bound, stop) = match end {
            Ok(None) => {
                bound = with_parity(next_bound, odd_length);
                if limits.depth.is_none_or(|most| bound <= most) {
                    continue;
                }
                (None, bound, Some(Stop::Depth))
            }
            Ok(Some(moves)) => (Some(Solution { moves, optimal: true }), bound, None),
            Err(stop) => (None, bound, Some(stop)),
        };
        return Outcome { solution, lower_bound, stop, statistics };
    }
}

/// The smallest bound of the right parity that is not below `bound`.
fn with_parity(bound: Depth, odd: Option<bool>) -> Depth {
    match odd {
        Some(odd) if (bound % 2 == 1) != odd => bound.saturating_add(1),
        _ => bound,
    }
}

/// What came of one iteration, or of a part of one.
#[derive(Debug)]
pub(super) struct Finished {
    /// A solution, or that there is none under the bound, or why that is not known.
    pub(super) end: Result<Option<Vec<Move>>, Stop>,
    pub(super) expanded: u64,
    pub(super) generated: u64,
    pub(super) deepest: Depth,
    /// The least bound under which something that was cut off would not have been.
    pub(super) next_bound: Depth,
}

impl Default for Finished {
    fn default() -> Finished {
        Finished { end: Ok(None), expanded: 0, generated: 0, deepest: 0, next_bound: Depth::MAX }
    }
}

/// A node of the search tree, with what is carried along the path to it.
#[derive(Debug)]
pub(super) struct Node<S, V> {
    pub(super) state: S,
    pub(super) value: V,
    pub(super) memory: Memory,
    pub(super) depth: Depth,
}

impl<S: Copy, V: Copy> Clone for Node<S, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<S: Copy, V: Copy> Copy for Node<S, V> {}

impl<S: Copy, V: Copy> Node<S, V> {
    pub(super) fn root<P: Puzzle<State = S>, H: Heuristic<P, Value = V>>(
        task: &Task<'_, P>,
        heuristic: &H,
    ) -> Node<S, V> {
        let value = heuristic.evaluate(task.puzzle, task.start);
        Node { state: task.start, value, memory: Memory::START, depth: 0 }
    }
}

/// Somebody who looks around from time to time while a pass is running.
pub(super) trait Watch {
    /// Whether to stop, given how many nodes this pass has expanded; if not, after how many to
    /// look again.
    fn look(&mut self, bound: Depth, expanded: u64) -> Result<u64, Stop>;
}

/// The watch of a search on one thread.
struct Alone<'a> {
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
    expanded_before: u64,
}

impl Watch for Alone<'_> {
    fn look(&mut self, bound: Depth, expanded: u64) -> Result<u64, Stop> {
        let total = self.expanded_before + expanded;
        self.limits.check(total)?;
        self.observer.progress(bound, total);
        Ok(expanded + self.limits.stride(total))
    }
}

/// One depth-first pass under one bound.
pub(super) struct Pass<'a, P: Puzzle, H, W> {
    puzzle: &'a P,
    heuristic: &'a H,
    goal: P::State,
    bound: Depth,
    pub(super) watch: W,
    expanded: u64,
    generated: u64,
    /// Look around when so many nodes have been expanded.
    look_at: u64,
    deepest: Depth,
    next_bound: Depth,
    /// When a solution has been found: its moves, from the node that the pass began with.
    path: Vec<Move>,
}

impl<'a, P: Puzzle, H: Heuristic<P>, W: Watch> Pass<'a, P, H, W> {
    pub(super) fn new(puzzle: &'a P, heuristic: &'a H, bound: Depth, watch: W) -> Self {
        Pass {
            puzzle,
            heuristic,
            goal: puzzle.goal(),
            bound,
            watch,
            expanded: 0,
            generated: 0,
            look_at: 0,
            deepest: 0,
            next_bound: Depth::MAX,
            path: Vec::new(),
        }
    }

    /// Searches below a node that is within the bound; whether a solution was found.
    pub(super) fn search_below(&mut self, node: Node<P::State, H::Value>) -> Result<bool, Stop> {
        self.path.clear();
        self.visit(node)
    }

    /// What has come of it; the path leads on from where the pass began.
    pub(super) fn finish(self, end: Result<bool, Stop>) -> Finished {
        let Pass { expanded, generated, deepest, next_bound, mut path, .. } = self;
        path.reverse();
        let end = end.map(|found| found.then_some(path));
        Finished { end, expanded, generated, deepest, next_bound }
    }

    fn visit(&mut self, node: Node<P::State, H::Value>) -> Result<bool, Stop> {
        let Node { state, value, memory, depth } = node;
        let puzzle = self.puzzle;
        if self.heuristic.estimate(value) == 0 && state == self.goal {
            return Ok(true);
        }
        if depth == self.bound {
            self.next_bound = self.next_bound.min(self.bound + 1);
            return Ok(false);
        }
        if self.expanded >= self.look_at {
            self.look_at = self.watch.look(self.bound, self.expanded)?;
        }
        self.expanded += 1;
        let automaton = puzzle.frame().automaton();
        let budget = self.bound - depth - 1;
        self.deepest = self.deepest.max(depth + 1);
        for m in automaton.allowed(memory).and(puzzle.legal(state)) {
            self.generated += 1;
            let value = self.heuristic.update(puzzle, value, state, m);
            let estimate = self.heuristic.estimate(value);
            if estimate > budget {
                self.next_bound = self.next_bound.min(depth + 1 + estimate);
                continue;
            }
            let state = puzzle.apply(state, m);
            if self.heuristic.rules_out(puzzle, state, budget) {
                self.next_bound = self.next_bound.min(self.bound + 1);
                continue;
            }
            let memory = automaton.after(memory, m);
            if self.visit(Node { state, value, memory, depth: depth + 1 })? {
                // The path is gathered on the way back, last move first.
                self.path.push(m);
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The children of a node, each with the move that leads there.
    pub(super) fn children(
        &self,
        node: Node<P::State, H::Value>,
    ) -> impl Iterator<Item = (Move, Node<P::State, H::Value>)> {
        let Node { state, value, memory, depth } = node;
        let Pass { puzzle, heuristic, .. } = *self;
        let automaton = puzzle.frame().automaton();
        automaton.allowed(memory).and(puzzle.legal(state)).map(move |m| {
            let value = heuristic.update(puzzle, value, state, m);
            let state = puzzle.apply(state, m);
            (m, Node { state, value, memory: automaton.after(memory, m), depth: depth + 1 })
        })
    }
}
