//! Iterative-deepening A* (Korf 1985, "Depth-first iterative-deepening: an optimal
//! admissible tree search").
//!
//! A depth-first search that cuts off wherever the moves made and the estimate exceed a
//! bound; the bound grows until a solution is found, which is then shortest if the
//! heuristic is admissible. It needs no memory but the path. Commuting moves are tried in one
//! order (see [`crate::puzzle::automaton`]), the estimate is updated move by move, and where the
//! moves fix the parity of the length, bounds of the wrong parity are skipped.

use super::estimator::{Estimator, Root, updated};
use super::node_counts::{counts_of, report};
use super::poller::{Poll, Poller};
use super::slide;
use super::{
    Algorithm, Iteration, Observer, Optimality, Outcome, Path, Setting, Statistics, StopReason,
    Task,
};
use crate::heuristic::unit_steps::StepsRoot;
use crate::heuristic::{After, Heuristic};
use crate::puzzle::automaton::Memory;
use crate::puzzle::automaton::loops::{self, Loops};
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};
use std::iter;
use std::ops::ControlFlow::{self, Break, Continue};

/// Iterative-deepening A*.
pub static IDA: Algorithm = Algorithm {
    name: "ida",
    summary: "iterative-deepening A*: shortest solutions with an admissible heuristic, no memory",
    optimality: Optimality::IfAdmissible,
    guided: true,
    parallel: false,
    follows: &[Setting::Prune],
    search,
};

pub(super) fn search(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    observer: &mut dyn Observer,
) -> Outcome {
    let outcome = deepen(task, estimator, &mut |bound, so_far| {
        let Statistics { expanded, iterations, .. } = so_far;
        let loops = task.loops(estimator.frame(), *expanded);
        let root = Root { start: task.start, made: &[], loops };
        let mut poller = Poller::after(*expanded, iterations, &task.limits, observer);
        let Some((frontier, mut result)) = estimator.frontier(task, bound, &mut poller) else {
            return estimator.pass(root, bound, &mut poller);
        };
        for number in 0..frontier.len() {
            if result.end != Ok(None) {
                break;
            }
            let before = expanded + result.expanded;
            let mut poller = Poller::after(before, iterations, &task.limits, observer);
            result = result.joined(frontier.pass(number, &mut poller));
        }
        result
    });
    let Statistics { expanded, iterations, .. } = &outcome.statistics;
    report(observer, *expanded, &|| counts_of(iterations));
    outcome
}

/// Raises the bound until `iterate` finds a solution under it. `iterate` receives the bound and
/// what the iterations before took.
pub(crate) fn deepen(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    iterate: &mut dyn FnMut(Depth, &Statistics) -> PassResult,
) -> Outcome {
    let Task { start, at_least, ref limits, .. } = *task;
    let odd_length = estimator.frame().odd_length(start);
    let mut bound = with_parity(estimator.estimate(start).max(at_least), odd_length);
    let mut statistics = Statistics::default();
    loop {
        let too_long = limits.depth.is_some_and(|most| bound > most);
        // A bound that no length reaches means that the whole tree was searched.
        if too_long || bound == Depth::MAX {
            let stop = Some(StopReason::Depth);
            return Outcome { solution: None, lower_bound: bound, stop, statistics };
        }
        let PassResult { end, expanded, generated, deepest, next_bound, bytes } =
            if estimator.rules_out(start, bound) {
                PassResult { next_bound: bound + 1, ..PassResult::default() }
            } else {
                iterate(bound, &statistics)
            };
        statistics.add(Statistics {
            expanded,
            generated,
            evaluations: generated,
            expanded_below: if end == Ok(None) { expanded } else { 0 },
            max_depth: deepest,
            peak_bytes: u64::from(bound) * estimator.bytes_per_move() + bytes,
            iterations: vec![Iteration { bound, expanded, generated }],
            ..Statistics::default()
        });
        let (solution, lower_bound, stop) = match end {
            Ok(None) => {
                bound = with_parity(next_bound, odd_length);
                continue;
            }
            Ok(Some(moves)) => (Some(Path { moves, optimal: true }), bound, None),
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
pub(super) const ORDER: [Move; 4] = loops::ORDER;

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

/// The moves of a set in the order in which they are tried.
pub(super) fn in_order<P: Puzzle>(mut moves: MoveSet) -> Vec<Move> {
    iter::from_fn(|| take_first::<P>(&mut moves)).collect()
}

/// What came of one iteration, or of a part of one.
#[derive(Debug)]
pub struct PassResult {
    /// A solution, or that there is none under the bound, or why that is not known.
    pub(crate) end: Result<Option<Vec<Move>>, StopReason>,
    pub(crate) expanded: u64,
    pub(crate) generated: u64,
    pub(crate) deepest: Depth,
    /// The least bound under which something that was cut off would not have been.
    pub(crate) next_bound: Depth,
    /// The most bytes held, besides those for the moves of a path.
    pub(crate) bytes: u64,
}

impl PassResult {
    /// Both parts of an iteration as one: a solution counts more than a stop, and a stop more than
    /// nothing. One part may be cancelled because of the reason for which another has stopped.
    pub(crate) fn joined(self, other: PassResult) -> PassResult {
        let end = match (self.end, other.end) {
            (Ok(Some(moves)), _) | (_, Ok(Some(moves))) => Ok(Some(moves)),
            (Err(StopReason::Cancelled), Err(stop)) | (Err(stop), _) | (_, Err(stop)) => Err(stop),
            (Ok(None), Ok(None)) => Ok(None),
        };
        PassResult {
            end,
            expanded: self.expanded + other.expanded,
            generated: self.generated + other.generated,
            deepest: self.deepest.max(other.deepest),
            next_bound: self.next_bound.min(other.next_bound),
            bytes: self.bytes.max(other.bytes),
        }
    }
}

impl Default for PassResult {
    fn default() -> PassResult {
        PassResult {
            end: Ok(None),
            expanded: 0,
            generated: 0,
            deepest: 0,
            next_bound: Depth::MAX,
            bytes: 0,
        }
    }
}

/// A node of the search tree, with what is carried along the path to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<S, V> {
    pub(super) state: S,
    pub(super) value: V,
    pub(super) memory: Memory,
    pub(super) depth: Depth,
}

/// One depth-first pass under one bound.
///
/// The end of a path is searched by recursion: nearly all nodes are there, and the compiler
/// keeps what a node needs in registers. What comes before is on a list, so that the length of
/// a solution has no limit.
pub(super) struct Pass<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    /// Instead of the puzzle's own automaton.
    loops: Option<&'a Loops>,
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

/// What is counted in a pass, which polls from time to time.
pub(super) struct Meter<'a> {
    poll: &'a mut dyn Poll,
    bound: Depth,
    pub(super) generated: u64,
    /// How many nodes will have been expanded at the next poll.
    poll_at: u64,
    /// How many of these are still to come.
    until_poll: u64,
    /// The fewest moves that were left at a generated node.
    least_budget: Depth,
}

impl<'a> Meter<'a> {
    pub(super) fn new(bound: Depth, poll: &'a mut dyn Poll) -> Meter<'a> {
        Meter { poll, bound, generated: 0, poll_at: 0, until_poll: 0, least_budget: bound }
    }

    /// What came of the pass, given its end and by how much the bound was exceeded, at least.
    pub(super) fn result(
        &self,
        end: Result<Option<Vec<Move>>, StopReason>,
        excess: Depth,
    ) -> PassResult {
        let expanded = self.poll_at - self.until_poll;
        PassResult {
            end,
            expanded,
            generated: self.generated,
            deepest: if expanded == 0 { 0 } else { self.bound - self.least_budget },
            next_bound: self.bound.saturating_add(excess),
            bytes: 0,
        }
    }

    /// Counts a node that is expanded, with `budget` moves left to its children.
    #[inline(always)]
    pub(super) fn count(&mut self, budget: Depth) -> ControlFlow<End> {
        if self.until_poll == 0 {
            self.poll()?;
        }
        self.until_poll -= 1;
        if budget < self.least_budget {
            self.least_budget = budget;
        }
        Continue(())
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) -> ControlFlow<End> {
        match self.poll.poll(self.bound, self.poll_at) {
            Ok(more) => {
                self.until_poll = more;
                self.poll_at += more;
                Continue(())
            }
            Err(stop) => Break(End::Stopped(stop)),
        }
    }
}

/// A node on the path, the move made there, and what is still to be tried.
pub(super) struct Step<S, V> {
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

    /// Searches below a node under a bound.
    pub(super) fn run(
        puzzle: &'a P,
        heuristic: &'a H,
        node: Node<P::State, H::Value>,
        loops: Option<&'a Loops>,
        bound: Depth,
        poll: &'a mut dyn Poll,
    ) -> PassResult {
        let estimate = heuristic.estimate(node.value);
        if node.depth + estimate > bound {
            return PassResult { next_bound: node.depth + estimate, ..PassResult::default() };
        }
        let mut pass = Pass {
            puzzle,
            heuristic,
            loops,
            goal: puzzle.goal(),
            bound,
            meter: Meter::new(bound, poll),
            excess: Depth::MAX,
            path: Vec::new(),
            tail: Vec::new(),
        };
        let found = if estimate == 0 && node.state == pass.goal {
            Ok(true)
        } else if node.depth == bound {
            pass.excess = 1;
            Ok(false)
        } else {
            match pass.descend(node) {
                Continue(()) => Ok(false),
                Break(End::Found) => Ok(true),
                Break(End::Stopped(stop)) => Err(stop),
            }
        };
        let Pass { meter, excess, path, tail, .. } = pass;
        let mut moves: Vec<Move> = path.iter().map(|step| step.made).collect();
        moves.extend(tail.iter().rev());
        meter.result(found.map(|found| found.then_some(moves)), excess)
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
            let value = updated(self.puzzle, self.heuristic, node.value, node.state, m);
            match self.try_move(node.state, value, budget, m) {
                Tried::CutOff => {}
                Tried::Goal => {
                    self.path.push(Step { node, untried, made: m });
                    return Break(End::Found);
                }
                Tried::Within(state, value) => {
                    let memory = self.after(node.memory, m);
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
        let frame = self.puzzle.frame();
        let labels = &self.puzzle.labels(node.state);
        let search = slide::Search {
            frame,
            allowed: self.allowed(node.memory),
            loops: self.loops.map(|loops| (loops, node.memory)),
            meter: &mut self.meter,
            tail: &mut self.tail,
        };
        let root = StepsRoot { value: node.value, labels, budget };
        let end = self.heuristic.unit_steps(root, search)??;
        // What is cut off is so by two at least.
        self.excess = self.excess.min(2);
        Some(end)
    }

    /// Begins to expand a node on the list: the moves to be tried there.
    fn enter(&mut self, node: &Node<P::State, H::Value>) -> ControlFlow<End, MoveSet> {
        self.meter.count(self.bound - node.depth - 1)?;
        Continue(self.allowed(node.memory).and(self.puzzle.legal(node.state)))
    }

    /// The moves that may come next.
    #[inline(always)]
    fn allowed(&self, memory: Memory) -> MoveSet {
        match self.loops {
            Some(loops) if P::HAS_BLANK => loops.allowed(memory),
            _ => self.puzzle.frame().automaton().allowed(memory),
        }
    }

    /// What to remember after one of them.
    #[inline(always)]
    fn after(&self, memory: Memory, m: Move) -> Memory {
        match self.loops {
            Some(loops) if P::HAS_BLANK => loops.after(memory, m),
            _ => self.puzzle.frame().automaton().after(memory, m),
        }
    }

    /// Searches below a node that is not the goal, with `budget` moves left, at least one.
    ///
    /// Where there is a blank and states are small, the function is compiled for each `LAST` move:
    /// the processor then predicts each branch by its own past, and no automaton is asked.
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
        // A constant: what is behind it is not compiled for other puzzles.
        if const { P::FOUR_MOVES.is_some() } {
            let moves = legal.and(match (self.loops, P::FOUR_MOVES) {
                (None, Some(followers)) if LAST < ANY => followers[usize::from(LAST)],
                _ => self.allowed(memory),
            });
            let at = (state, memory);
            self.try_if::<{ ORDER[0].0 }>(moves, at, value, budget)?;
            self.try_if::<{ ORDER[1].0 }>(moves, at, value, budget)?;
            self.try_if::<{ ORDER[2].0 }>(moves, at, value, budget)?;
            return self.try_if::<{ ORDER[3].0 }>(moves, at, value, budget);
        }
        let after = self.heuristic.after(self.puzzle, value, state);
        let mut moves = self.allowed(memory).and(legal);
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
            let memory = self.after(memory, m);
            self.try_below::<ANY>(state, after.value(m), memory, budget, m)?;
        }
        Continue(())
    }

    /// Tries a move of the blank, if it is one of these.
    #[inline(always)]
    fn try_if<const M: u8>(
        &mut self,
        moves: MoveSet,
        (state, memory): (P::State, Memory),
        value: H::Value,
        budget: Depth,
    ) -> ControlFlow<End> {
        if !moves.contains(Move(M)) {
            return Continue(());
        }
        let value = self.heuristic.update(self.puzzle, value, state, Move(M));
        // Below, the function itself remembers the last move.
        let memory = self.loops.map_or(Memory::START, |loops| loops.after(memory, Move(M)));
        self.try_below::<M>(state, value, memory, budget, Move(M))
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
