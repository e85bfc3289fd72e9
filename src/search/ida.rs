//! Iterative-deepening A* (Korf 1985, "Depth-first iterative-deepening: an optimal
//! admissible tree search").
//!
//! A depth-first search that cuts off wherever the moves made and the estimate exceed a
//! bound; the bound grows until a solution is found, which is then shortest if the
//! heuristic is admissible. It needs no memory but the path. Commuting moves are tried in one
//! order (see [`crate::puzzle::automaton`]), the estimate is updated move by move, and where the
//! moves fix the parity of the length, bounds of the wrong parity are skipped.

use super::slide;
use super::{
    Described, Guided, Iteration, Limits, Observer, Optimality, Outcome, Solution, Statistics,
    StopReason, Task,
};
use crate::heuristic::{After, Heuristic};
use crate::puzzle::automaton::Memory;
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};
use std::iter;
use std::ops::ControlFlow::{self, Break, Continue};

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
            let stop = Some(StopReason::Depth);
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

/// The order in which the moves of a puzzle with a blank are tried: Up, Left, Right, Down. How many
/// nodes the last iteration generates depends on it, and with this one the counts are those of the
/// literature: 36,302,807,931 for the 100 15-puzzles of Korf (1985) with `manhattan`. Published
/// counts of single boards, such as 276,361,933 for the first, are greater by one: they include
/// the start, which nothing generates here. Other searches keep to the order of the moves' numbers.
pub(super) const ORDER: [Move; 4] = [Move(0), Move(2), Move(3), Move(1)];

/// Takes the move out of a set that is to be tried first.
#[inline(always)]
fn take_first<P: Puzzle>(moves: &mut MoveSet) -> Option<Move> {
    if const { !P::HAS_BLANK } {
        return moves.next();
    }
    let first = ORDER.into_iter().find(|&m| moves.contains(m))?;
    *moves = moves.without(MoveSet::EMPTY.with(first));
    Some(first)
}

/// What came of one iteration, or of a part of one.
#[derive(Debug)]
pub(super) struct Finished {
    /// A solution, or that there is none under the bound, or why that is not known.
    pub(super) end: Result<Option<Vec<Move>>, StopReason>,
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
        let mut moves = automaton.allowed(memory).and(puzzle.legal(state));
        iter::from_fn(move || take_first::<P>(&mut moves)).map(move |m| {
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
    fn look(&mut self, bound: Depth, expanded: u64) -> Result<u64, StopReason>;
}

/// The watch of a search on one thread.
struct Alone<'a> {
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
    expanded_before: u64,
}

impl Watch for Alone<'_> {
    fn look(&mut self, bound: Depth, expanded: u64) -> Result<u64, StopReason> {
        let total = self.expanded_before + expanded;
        self.limits.check(total)?;
        self.observer.progress(bound, total);
        Ok(expanded + self.limits.stride(total))
    }
}

/// One depth-first pass under one bound.
///
/// The end of a path is searched by recursion: nearly all nodes are there, and the compiler
/// keeps what a node needs in registers. What comes before is on a list, so that the length of
/// a solution has no limit.
pub(super) struct Pass<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    goal: P::State,
    bound: Depth,
    meter: Meter<'a>,
    /// By how much the bound was exceeded, at least, where something was cut off.
    excess: Depth,
    /// Those nodes of the path that are not searched by recursion.
    path: Vec<Step<P::State, H::Value>>,
    /// The end of a solution, last move first.
    tail: Vec<Move>,
}

/// What is counted in a pass, with somebody who looks at it from time to time.
pub(super) struct Meter<'a> {
    watch: &'a mut dyn Watch,
    bound: Depth,
    pub(super) generated: u64,
    /// How many nodes will have been expanded when it is time to look around.
    look_at: u64,
    /// How many of these are still to come.
    until_look: u64,
    /// The fewest moves that were left at a generated node.
    least_budget: Depth,
}

impl Meter<'_> {
    /// Counts a node that is expanded, with `budget` moves left to its children.
    #[inline(always)]
    pub(super) fn count(&mut self, budget: Depth) -> ControlFlow<End> {
        if self.until_look == 0 {
            self.look()?;
        }
        self.until_look -= 1;
        if budget < self.least_budget {
            self.least_budget = budget;
        }
        Continue(())
    }

    #[cold]
    #[inline(never)]
    fn look(&mut self) -> ControlFlow<End> {
        match self.watch.look(self.bound, self.look_at) {
            Ok(next) => {
                // At least one, so that this node can be counted.
                self.until_look = (next - self.look_at).max(1);
                self.look_at += self.until_look;
                Continue(())
            }
            Err(stop) => Break(End::Stopped(stop)),
        }
    }
}

/// A node on the path, the move made there, and what is still to be tried.
struct Step<S, V> {
    node: Node<S, V>,
    made: Move,
    untried: MoveSet,
}

/// Why a pass ends before everything has been searched.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum End {
    Found,
    Stopped(StopReason),
}

/// What came of a move.
enum Tried<S, V> {
    /// The goal is certainly too far away from there.
    CutOff,
    /// It leads to the goal.
    Goal,
    /// It leads to a node within the bound.
    Within(S, V),
}

/// Instead of a last move: there is none, or it does not matter.
const ANY: u8 = 4;

/// How many bytes of states the recursion may hold: a small part of a thread's stack.
const RECURSIVE_BYTES: usize = 1 << 14;

impl<'a, P: Puzzle, H: Heuristic<P>> Pass<'a, P, H> {
    /// With so many moves left at most, the rest is searched by recursion.
    const RECURSIVE: Depth = (RECURSIVE_BYTES / size_of::<P::State>()) as Depth;

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
            meter: Meter {
                watch,
                bound,
                generated: 0,
                look_at: 0,
                until_look: 0,
                least_budget: bound,
            },
            excess: Depth::MAX,
            path: Vec::new(),
            tail: Vec::new(),
        }
    }

    /// Searches below a node that is within the bound; whether a solution was found.
    pub(super) fn search_below(
        &mut self,
        node: Node<P::State, H::Value>,
    ) -> Result<bool, StopReason> {
        if self.heuristic.estimate(node.value) == 0 && node.state == self.goal {
            return Ok(true);
        }
        if node.depth == self.bound {
            self.excess = 1;
            return Ok(false);
        }
        match self.descend(node) {
            Continue(()) => Ok(false),
            Break(End::Found) => Ok(true),
            Break(End::Stopped(stop)) => Err(stop),
        }
    }

    /// What has come of it; the moves lead on from where the pass began.
    pub(super) fn finish(self, end: Result<bool, StopReason>) -> Finished {
        let Pass { bound, meter, excess, path, tail, .. } = self;
        let Meter { generated, least_budget, .. } = meter;
        let expanded = meter.look_at - meter.until_look;
        let moves = || path.iter().map(|step| step.made).chain(tail.iter().rev().copied());
        Finished {
            end: end.map(|found| found.then(|| moves().collect())),
            expanded,
            generated,
            deepest: if expanded == 0 { 0 } else { bound - least_budget },
            next_bound: bound.saturating_add(excess),
        }
    }

    /// Searches below a node, by recursion as soon as the rest is short enough.
    fn descend(&mut self, node: Node<P::State, H::Value>) -> ControlFlow<End> {
        let budget = self.bound - node.depth;
        if let Some(end) = self.slide(node, budget) {
            return end;
        }
        if budget <= Self::RECURSIVE {
            return self.below::<ANY>(node.state, node.value, node.memory, budget);
        }
        let longest = (budget - Self::RECURSIVE) as usize;
        if self.path.try_reserve_exact(longest).is_err() {
            return Break(End::Stopped(StopReason::Memory));
        }
        let automaton = self.puzzle.frame().automaton();
        let mut node = node;
        let mut untried = self.enter(&node)?;
        loop {
            let Some(m) = take_first::<P>(&mut untried) else {
                let Some(step) = self.path.pop() else {
                    return Continue(());
                };
                (node, untried) = (step.node, step.untried);
                continue;
            };
            let budget = self.bound - node.depth - 1;
            let value = self.heuristic.update(self.puzzle, node.value, node.state, m);
            match self.try_move(node.state, value, budget, m) {
                Tried::CutOff => {}
                Tried::Goal => {
                    self.path.push(Step { node, untried, made: m });
                    return Break(End::Found);
                }
                Tried::Within(state, value) => {
                    let memory = automaton.after(node.memory, m);
                    self.path.push(Step { node, untried, made: m });
                    if budget <= Self::RECURSIVE {
                        self.below::<ANY>(state, value, memory, budget)?;
                        self.path.pop();
                    } else {
                        node = Node { state, value, memory, depth: node.depth + 1 };
                        untried = self.enter(&node)?;
                    }
                }
            }
        }
    }

    /// Searches below a node by the search for heuristics that each move changes by one, where it
    /// fits.
    fn slide(&mut self, node: Node<P::State, H::Value>, budget: Depth) -> Option<ControlFlow<End>> {
        if const { !P::HAS_BLANK } {
            return None;
        }
        let steps = self.heuristic.unit_steps(node.value)?;
        let frame = self.puzzle.frame();
        let root = slide::Root {
            labels: &self.puzzle.labels(node.state),
            allowed: frame.automaton().allowed(node.memory),
            budget,
        };
        let end = slide::search(frame, steps, &root, &mut self.meter, &mut self.tail)?;
        // What is cut off is so by two at least.
        self.excess = self.excess.min(2);
        Some(end)
    }

    /// Begins to expand a node on the list: the moves to be tried there.
    fn enter(&mut self, node: &Node<P::State, H::Value>) -> ControlFlow<End, MoveSet> {
        self.meter.count(self.bound - node.depth - 1)?;
        let allowed = self.puzzle.frame().automaton().allowed(node.memory);
        Continue(allowed.and(self.puzzle.legal(node.state)))
    }

    /// Searches below a node that is not the goal, with `budget` moves left, at least one.
    ///
    /// Where there are only four moves, they are written out, and the function is compiled for
    /// each `LAST` move: the processor then predicts each branch by its own past.
    fn below<const LAST: u8>(
        &mut self,
        state: P::State,
        value: H::Value,
        memory: Memory,
        budget: Depth,
    ) -> ControlFlow<End> {
        let budget = budget - 1;
        self.meter.count(budget)?;
        let legal = self.puzzle.legal(state);
        let automaton = self.puzzle.frame().automaton();
        let Some(followers) = P::FOUR_MOVES else {
            let after = self.heuristic.after(self.puzzle, value, state);
            let mut moves = automaton.allowed(memory).and(legal);
            // Once something was cut off by one, it does not matter by how much the rest is.
            let near = if self.excess == 1 { after.within(moves, budget) } else { None };
            let near = near.unwrap_or(moves);
            let open = if H::RULES_OUT {
                self.heuristic.leaves_open(self.puzzle, state, near, budget)
            } else {
                near
            };
            if open != near {
                self.excess = 1;
            }
            while let Some(m) = take_first::<P>(&mut moves) {
                if !open.contains(m) {
                    self.meter.generated += 1;
                    continue;
                }
                let memory = automaton.after(memory, m);
                self.try_below::<ANY>(state, after.value(m), memory, budget, m)?;
            }
            return Continue(());
        };
        let moves = legal.and(match followers.get(usize::from(LAST)) {
            Some(&allowed) => allowed,
            None => automaton.allowed(memory),
        });
        let (puzzle, heuristic) = (self.puzzle, self.heuristic);
        let value_after = |m| heuristic.update(puzzle, value, state, m);
        // Below, the function itself remembers the last move.
        if moves.contains(ORDER[0]) {
            let value = value_after(ORDER[0]);
            self.try_below::<{ ORDER[0].0 }>(state, value, Memory::START, budget, ORDER[0])?;
        }
        if moves.contains(ORDER[1]) {
            let value = value_after(ORDER[1]);
            self.try_below::<{ ORDER[1].0 }>(state, value, Memory::START, budget, ORDER[1])?;
        }
        if moves.contains(ORDER[2]) {
            let value = value_after(ORDER[2]);
            self.try_below::<{ ORDER[2].0 }>(state, value, Memory::START, budget, ORDER[2])?;
        }
        if moves.contains(ORDER[3]) {
            let value = value_after(ORDER[3]);
            self.try_below::<{ ORDER[3].0 }>(state, value, Memory::START, budget, ORDER[3])?;
        }
        Continue(())
    }

    /// Tries a move, and searches below where it leads; `value`, `memory` and `budget` are
    /// those there.
    #[inline(always)]
    fn try_below<const MADE: u8>(
        &mut self,
        state: P::State,
        value: H::Value,
        memory: Memory,
        budget: Depth,
        m: Move,
    ) -> ControlFlow<End> {
        match self.try_move(state, value, budget, m) {
            Tried::CutOff => Continue(()),
            Tried::Goal => self.unwind(End::Found, m),
            Tried::Within(state, value) => match self.below::<MADE>(state, value, memory, budget) {
                Continue(()) => Continue(()),
                Break(end) => self.unwind(end, m),
            },
        }
    }

    /// Notes the moves of a solution on the way back from its end.
    #[cold]
    #[inline(never)]
    fn unwind(&mut self, end: End, m: Move) -> ControlFlow<End> {
        if end == End::Found {
            self.tail.push(m);
        }
        Break(end)
    }

    /// Tries a move that leaves `budget` more; `value` is that of the state after it.
    #[inline(always)]
    fn try_move(
        &mut self,
        state: P::State,
        value: H::Value,
        budget: Depth,
        m: Move,
    ) -> Tried<P::State, H::Value> {
        self.meter.generated += 1;
        let (puzzle, heuristic) = (self.puzzle, self.heuristic);
        let estimate = heuristic.estimate(value);
        if estimate > budget {
            if estimate - budget < self.excess {
                self.excess = estimate - budget;
            }
            return Tried::CutOff;
        }
        let state = puzzle.apply(state, m);
        // If no move is left, the estimate is 0.
        if estimate == 0 {
            if state == self.goal {
                return Tried::Goal;
            }
            if budget == 0 {
                self.excess = 1;
                return Tried::CutOff;
            }
        }
        // Where there are many moves, they have been asked about together.
        if P::FOUR_MOVES.is_some() && heuristic.rules_out(puzzle, state, budget) {
            self.excess = 1;
            return Tried::CutOff;
        }
        Tried::Within(state, value)
    }
}
