//! Iterative-deepening A* (Korf 1985, "Depth-first iterative-deepening: an optimal
//! admissible tree search").
//!
//! A depth-first search that cuts off wherever the moves made and the estimate exceed a
//! bound; the bound grows until a solution is found, which is then shortest if the
//! heuristic is admissible. It needs no memory but the path, which is kept in a list of its own:
//! large boards have solutions of thousands of moves. Commuting moves are tried in one order (see [`crate::puzzle::automaton`]), the estimate is updated move by move, and
//! where the moves fix the parity of the length, bounds of the wrong parity are skipped.

use super::{
    Described, Guided, Iteration, Limits, Observer, Optimality, Outcome, Solution, Statistics,
    Stop, Task,
};
use crate::heuristic::Heuristic;
use crate::puzzle::automaton::Memory;
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};

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
            let mut watch =
                Alone { limits: &task.limits, observer: &mut *observer, expanded_before };
            let mut pass = Pass::new(task.puzzle, heuristic, bound, &mut watch);
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
        let too_long = limits.depth.is_some_and(|most| bound > most);
        // A bound that no length reaches means that all was searched in vain.
        if too_long || bound == Depth::MAX {
            let stop = Some(Stop::Depth);
            return Outcome { solution: None, lower_bound: bound, stop, statistics };
        }
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
            peak_bytes: u64::from(bound) * size_of::<Step<P::State, H::Value>>() as u64,
            iterations: vec![Iteration { bound, expanded, generated }],
            ..Statistics::default()
        });
        let (solution, lower_bound, stop) = match end {
            Ok(None) => {
                bound = with_parity(next_bound, odd_length);
                continue;
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

    /// The children of a node, each with the move that leads there.
    pub(super) fn children<P: Puzzle<State = S>, H: Heuristic<P, Value = V>>(
        self,
        puzzle: &P,
        heuristic: &H,
    ) -> impl Iterator<Item = (Move, Node<S, V>)> {
        let Node { state, value, memory, depth } = self;
        let automaton = puzzle.frame().automaton();
        automaton.allowed(memory).and(puzzle.legal(state)).map(move |m| {
            let value = heuristic.update(puzzle, value, state, m);
            let state = puzzle.apply(state, m);
            (m, Node { state, value, memory: automaton.after(memory, m), depth: depth + 1 })
        })
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
pub(super) struct Pass<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    goal: P::State,
    bound: Depth,
    watch: &'a mut dyn Watch,
    expanded: u64,
    generated: u64,
    /// Look around when so many nodes have been expanded.
    look_at: u64,
    deepest: Depth,
    next_bound: Depth,
    /// From the node that the pass began with to the parent of the one being expanded; when a
    /// solution has been found, to the goal's.
    path: Vec<Step<P::State, H::Value>>,
}

/// A node on the path, the move made there, and what is still to be tried.
struct Step<S, V> {
    node: Node<S, V>,
    made: Move,
    untried: MoveSet,
}

/// What came of a move.
enum Tried<S, V> {
    /// The goal is certainly too far away from there.
    CutOff,
    /// It leads to the goal.
    Goal,
    /// It leads to a node within the bound.
    Within(Node<S, V>),
}

impl<'a, P: Puzzle, H: Heuristic<P>> Pass<'a, P, H> {
    pub(super) fn new(
        puzzle: &'a P,
        heuristic: &'a H,
        bound: Depth,
        watch: &'a mut dyn Watch,
    ) -> Self {
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
        if self.heuristic.estimate(node.value) == 0 && node.state == self.goal {
            return Ok(true);
        }
        if node.depth == self.bound {
            self.next_bound = self.next_bound.min(self.bound + 1);
            return Ok(false);
        }
        let most = (self.bound - node.depth) as usize;
        self.path.try_reserve_exact(most).map_err(|_| Stop::Memory)?;
        let mut node = node;
        let mut untried = self.enter(&node)?;
        loop {
            let Some(m) = untried.next() else {
                let Some(step) = self.path.pop() else {
                    return Ok(false);
                };
                (node, untried) = (step.node, step.untried);
                continue;
            };
            match self.try_move(&node, m) {
                Tried::CutOff => {}
                Tried::Within(child) => {
                    self.path.push(Step { node, untried, made: m });
                    node = child;
                    untried = self.enter(&node)?;
                }
                Tried::Goal => {
                    self.path.push(Step { node, untried, made: m });
                    return Ok(true);
                }
            }
        }
    }

    /// What has come of it; the path leads on from where the pass began.
    pub(super) fn finish(self, end: Result<bool, Stop>) -> Finished {
        let Pass { expanded, generated, deepest, next_bound, path, .. } = self;
        let moves = || path.iter().map(|step| step.made).collect();
        let end = end.map(|found| found.then(moves));
        Finished { end, expanded, generated, deepest, next_bound }
    }

    /// Begins to expand a node: the moves to be tried there.
    #[inline]
    fn enter(&mut self, node: &Node<P::State, H::Value>) -> Result<MoveSet, Stop> {
        if self.expanded >= self.look_at {
            self.look_at = self.watch.look(self.bound, self.expanded)?;
        }
        self.expanded += 1;
        self.deepest = self.deepest.max(node.depth + 1);
        let allowed = self.puzzle.frame().automaton().allowed(node.memory);
        Ok(allowed.and(self.puzzle.legal(node.state)))
    }

    /// Tries a move; a child that is within the bound, unless it was found to be the goal.
    #[inline]
    fn try_move(&mut self, node: &Node<P::State, H::Value>, m: Move) -> Tried<P::State, H::Value> {
        self.generated += 1;
        let puzzle = self.puzzle;
        let depth = node.depth + 1;
        let budget = self.bound - depth;
        let value = self.heuristic.update(puzzle, node.value, node.state, m);
        let estimate = self.heuristic.estimate(value);
        if estimate > budget {
            self.next_bound = self.next_bound.min(depth + estimate);
            return Tried::CutOff;
        }
        let state = puzzle.apply(node.state, m);
        if estimate == 0 && state == self.goal {
            return Tried::Goal;
        }
        if budget == 0 || self.heuristic.rules_out(puzzle, state, budget) {
            self.next_bound = self.next_bound.min(self.bound + 1);
            return Tried::CutOff;
        }
        let memory = puzzle.frame().automaton().after(node.memory, m);
        Tried::Within(Node { state, value, memory, depth })
    }
}
