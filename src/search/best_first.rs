//! What all best-first searches share: states met, nodes to expand, and the loop that expands
//! them (Hart, Nilsson and Raphael 1968, "A formal basis for the heuristic determination of
//! minimum cost paths").
//!
//! A state is stored once, in the [`Closed`] list, with a [`Note`] of two bytes: its depth and the
//! move that led to it. Nodes to expand are keys in the buckets of the [`Open`] list, each with
//! its last move. Whether a state is known is looked up when its turn has come, and not before:
//! most of those that are generated last never have one, and the others are then looked up once.
//! If it is known on a path that is no longer, it is passed over. A path is rebuilt from its end
//! by undoing the moves of the notes.
//!
//! A successor that undoes the last move is not generated. Nothing more is left out for good:
//! the move-ordering automaton is sound only together with the path that it has watched, and a
//! stored state forgets all paths but one.
//!
//! A* expands nodes in part (Yoshizumi, Miura and Ishida 2000, "A* with partial expansion for
//! large branching factor problems"): of the successors, those that may be on a solution as short
//! as is being tried are put on the open list; if there are others, the node goes back there
//! itself, with the least sum of depth and estimate among them. Estimates are cheap and memory is
//! not: most successors are too far away, and are never stored at all. A blank has too few of them
//! for that to pay.
//!
//! Where only depth plus estimate counts, nodes are taken and expanded several at a time, from one
//! stack: the lookups in the closed list then wait for memory together. The goal is looked for
//! among them before any is expanded, while nothing open has a smaller sum.
//!
//! Where the moves fix the parity of a solution's length, an estimate of the wrong parity is
//! raised by one. That keeps it admissible, and consistent if it was.

mod expansion;
mod open;
mod pairs;
mod runs;

pub(super) use expansion::Successors;
pub(super) use open::{Batch, Order};
pub(super) use open::{Open, OpenNode};
pub(super) use runs::{Run, Runs};

use super::closed::{Closed, Met};
use super::estimator::{Estimator, Expand, on_key};
use super::graph::{START, path_to};
use super::node_counts::{Tally, report};
use super::poller::Poller;
use super::{Limits, NodeCount, Observer, Outcome, Path, Statistics, StopReason, Task};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Frame, Move, MoveSet};
use bytemuck::{Pod, Zeroable};

/// How many nodes are taken together at most.
const MOST_TOGETHER: usize = 64;

/// A run of so many nodes is short.
const FEW: usize = 4;

/// How many states there are in the closed list for each node that is taken together with others:
/// in a small list, nothing has to be waited for.
const STATES_FOR_EACH: usize = 256;

/// What is noted of a stored state: its depth and the move that led to it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Note(u16);

/// How notes of one puzzle are packed: the move in as few bits as hold all moves, the rest for
/// the depth. The 4 moves of a sliding puzzle leave room for 16383 moves deep, 16 for 4095,
/// 32 for 2047, and 64, the most that there can be, for 1023.
#[derive(Clone, Copy, Debug)]
struct Notes {
    move_bits: u32,
}

impl Notes {
    fn new(moves: usize) -> Notes {
        Notes { move_bits: moves.next_power_of_two().trailing_zeros() }
    }

    /// The largest depth that can be noted.
    fn deepest(self) -> Depth {
        Depth::from(u16::MAX >> self.move_bits)
    }

    #[inline]
    fn note(self, depth: Depth, last: Move) -> Note {
        Note((depth << self.move_bits) as u16 | u16::from(last.0))
    }

    #[inline]
    fn depth(self, note: Note) -> Depth {
        Depth::from(note.0 >> self.move_bits)
    }

    /// The move that led to a state; none to the start.
    #[inline]
    fn last(self, note: Note) -> Option<Move> {
        let m = note.0 & ((1 << self.move_bits) - 1);
        (self.depth(note) > 0).then_some(Move(m as u8))
    }
}

/// Whether solutions are of odd length, where that is known.
#[derive(Clone, Copy, Debug)]
struct Parity {
    /// 1 if they are, or 0.
    odd: Depth,
    /// 1 if that is known, or 0.
    known: Depth,
}

impl Parity {
    fn new(odd_length: Option<bool>) -> Parity {
        Parity { odd: odd_length.unwrap_or(false).into(), known: odd_length.is_some().into() }
    }

    /// An estimate at a depth, raised by one if no solution is of that length.
    #[inline]
    fn raised(self, estimate: Depth, depth: Depth) -> Depth {
        estimate + ((estimate + depth + self.odd) & self.known)
    }

    /// How far apart lengths of solutions are at least.
    fn step(self) -> Depth {
        1 + self.known
    }
}

/// Which successors a node has.
#[derive(Debug)]
pub struct SuccessorRules {
    /// All moves that differ.
    moves: MoveSet,
    /// After each move, those of them that do not undo it.
    followers: Vec<MoveSet>,
    parity: Parity,
}

impl SuccessorRules {
    /// For a search that starts at a board with these labels.
    pub(super) fn new(frame: &Frame, start: &[u8]) -> SuccessorRules {
        let table = frame.moves();
        let moves = table.all().without(table.duplicates());
        let undo = |m| table.inverse(m).map_or(MoveSet::EMPTY, |m| MoveSet::EMPTY.with(m));
        SuccessorRules {
            moves,
            followers: table.all().map(|m| moves.without(undo(m))).collect(),
            parity: Parity::new(frame.odd_length(start)),
        }
    }

    /// The same without knowledge of the parity, for searches without estimates.
    pub(super) fn without_parity(self) -> Self {
        SuccessorRules { parity: Parity::new(None), ..self }
    }

    /// An estimate at a depth, raised by one if no solution is of that length.
    pub(super) fn raised(&self, estimate: Depth, depth: Depth) -> Depth {
        self.parity.raised(estimate, depth)
    }

    /// The moves to try at a node.
    #[inline]
    fn moves_of<K>(&self, node: &OpenNode<K>) -> MoveSet {
        if node.depth == 0 { self.moves } else { self.followers[node.last.index()] }
    }
}

/// The states met and the nodes to expand.
#[derive(Debug)]
pub(super) struct Nodes<K: Packed> {
    notes: Notes,
    longest: Depth,
    pub(super) closed: Closed<K, Note>,
    pub(super) open: Open<K>,
    pub(super) statistics: Statistics,
    /// How many nodes were expanded for each sum of depth and estimate, and there at each depth.
    expanded_by_length: Vec<Vec<u64>>,
    /// The least sum of depth and estimate of what was given up: too deep, too long, or not
    /// fully expanded when the search was stopped.
    pub(super) given_up: Depth,
    /// What is held besides both lists.
    pub(super) besides: u64,
}

impl<K: Packed> Nodes<K> {
    pub(super) fn new(moves: usize, longest: Depth, order: Order) -> Self {
        Nodes {
            notes: Notes::new(moves),
            longest,
            closed: Closed::new(),
            open: Open::new(order),
            statistics: Statistics::default(),
            expanded_by_length: Vec::new(),
            given_up: Depth::MAX,
            besides: 0,
        }
    }

    /// For a task.
    pub(super) fn for_task(task: &Task<'_>, frame: &Frame, order: Order) -> Self {
        Nodes::new(frame.moves().len(), task.limits.depth.unwrap_or(Depth::MAX), order)
    }

    /// The move that a note says led to a state; [`START`] for the start.
    pub(super) fn led_to(&self, note: Option<Note>) -> u8 {
        note.and_then(|note| self.notes.last(note)).map_or(START, |m| m.0)
    }

    /// How many bytes are held.
    pub(super) fn bytes(&self) -> u64 {
        self.closed.bytes() + self.open.bytes() + self.besides
    }

    /// Stores a state whose turn has come; whether it was not known on a path that is no longer.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn settle(
        &mut self,
        node: OpenNode<K>,
        limits: &Limits<'_>,
    ) -> Result<bool, StopReason> {
        let note = self.notes.note(node.depth, node.last);
        let held = self.open.bytes() + self.besides;
        match self.closed.insert(node.key, note, limits, held) {
            Ok(Met::New) => Ok(true),
            Ok(Met::Before(place, known)) => {
                let shorter = self.notes.depth(known) > node.depth && self.open.order().reopens;
                if shorter {
                    self.statistics.reopened += 1;
                    self.closed.set(place, note);
                } else {
                    self.statistics.duplicates += 1;
                }
                Ok(shorter)
            }
            Err(stop) => {
                self.give_up(node.length());
                Err(stop)
            }
        }
    }

    /// Puts a node on the open list.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn push(
        &mut self,
        node: OpenNode<K>,
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        if node.length() > self.longest {
            self.give_up(node.length());
            return Ok(());
        }
        let held = self.closed.bytes() + self.besides;
        self.open.push(node, limits, held).inspect_err(|_| self.give_up(node.length()))
    }

    /// Puts nodes of one depth and one estimate on the open list.
    ///
    /// # Errors
    /// If there is no room for them.
    #[inline(always)]
    pub(super) fn push_all(
        &mut self,
        run: Run<'_, K>,
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        // Few are quicker pushed one by one than copied.
        if run.items.len() <= FEW {
            return run.nodes().try_for_each(|node| self.push(node, limits));
        }
        self.push_many(run, limits)
    }

    fn push_many(&mut self, run: Run<'_, K>, limits: &Limits<'_>) -> Result<(), StopReason> {
        let length = run.length();
        if length > self.longest {
            self.give_up(length);
            return Ok(());
        }
        let held = self.closed.bytes() + self.besides;
        self.open.push_all(run, limits, held).inspect_err(|_| self.give_up(length))
    }

    /// Takes nodes whose turn has come from the open list, `most` or fewer, in place of those
    /// that `batch` held: none only if there is none.
    ///
    /// Several are taken together where their order among themselves is of no importance: each
    /// look into a large closed list waits for memory, and many can wait at once.
    ///
    /// # Errors
    /// If there is no room to store a state.
    #[inline]
    pub(super) fn take(
        &mut self,
        most: usize,
        batch: &mut Batch<K>,
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        let many = self.closed.len() / STATES_FOR_EACH;
        let together = if self.open.order().by_length { many.clamp(1, MOST_TOGETHER) } else { 1 };
        loop {
            self.open.pop(most.min(together), batch);
            if batch.is_empty() {
                return Ok(());
            }
            if together > 1 {
                batch.nodes().for_each(|node| self.closed.warm(node.key));
            }
            batch.retain(|node| Ok(node.again || self.settle(node, limits)?))?;
            if !batch.is_empty() {
                return Ok(());
            }
        }
    }

    /// Counts nodes as expanded, each at its first turn; whether their successors can be noted.
    #[inline]
    pub(super) fn count(&mut self, batch: &Batch<K>) -> bool {
        if batch.depth >= self.notes.deepest() {
            self.give_up(batch.length());
            return false;
        }
        let first_turns = batch.nodes().filter(|node| !node.again).count() as u64;
        let (length, depth) = (batch.length() as usize, batch.depth as usize);
        if length >= self.expanded_by_length.len() {
            self.expanded_by_length.resize(length + 1, Vec::new());
        }
        let by_depth = &mut self.expanded_by_length[length];
        if depth >= by_depth.len() {
            by_depth.resize(depth + 1, 0);
        }
        by_depth[depth] += first_turns;
        self.statistics.expanded += first_turns;
        self.statistics.max_depth = self.statistics.max_depth.max(batch.depth + 1);
        true
    }

    /// Remembers that what is below a node with this sum of depth and estimate has not been
    /// searched.
    pub(super) fn give_up(&mut self, length: Depth) {
        self.given_up = self.given_up.min(length);
    }

    /// No solution is shorter than this, up to `bound`, if estimates are admissible: each
    /// shortest one passes through a node that is open or was given up.
    pub(super) fn lower_bound(&self, bound: Depth) -> Depth {
        let live = |node: OpenNode<K>| {
            let known = self.closed.get(node.key).map(|note| self.notes.depth(note));
            if node.again {
                known == Some(node.depth)
            } else {
                known.is_none_or(|d| d > node.depth)
            }
        };
        self.open.least_length(bound.min(self.given_up), live)
    }

    /// How many nodes were expanded with a sum of depth and estimate below `length`.
    pub(super) fn expanded_below(&self, length: Depth) -> u64 {
        self.expanded_by_length.iter().take(length as usize).flatten().sum()
    }

    /// What was expanded and what waits.
    pub(super) fn counts(&self) -> Vec<NodeCount> {
        let mut tally = Tally::default();
        for (length, by_depth) in (0..).zip(&self.expanded_by_length) {
            (0..)
                .zip(by_depth)
                .for_each(|(depth, &nodes)| tally.add_expanded(depth, length, nodes));
        }
        let open = self.open.sizes();
        open.for_each(|(depth, estimate, nodes)| tally.add_open(depth, depth + estimate, nodes));
        tally.counts()
    }
}

/// Expands nodes in an order until the goal comes up.
pub(super) fn search(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    rules: &SuccessorRules,
    order: Order,
    observer: &mut dyn Observer,
) -> Outcome {
    let estimate = rules.raised(estimator.estimate(task.start), 0);
    on_key!(estimator.expander(), expander => {
        let nodes = Nodes::for_task(task, estimator.frame(), order);
        search_with(task, Search { expander, rules, limits: &task.limits, nodes }, estimate, observer)
    })
}

/// The search, with the estimate of the start.
fn search_with<K: Packed>(
    task: &Task<'_>,
    mut search: Search<'_, K>,
    estimate: Depth,
    observer: &mut dyn Observer,
) -> Outcome {
    let end = search.run(task.start, estimate, observer);
    let Search { expander, mut nodes, .. } = search;
    report(observer, nodes.statistics.expanded, &|| nodes.counts());
    let order = nodes.open.order();
    let moves = matches!(end, Ok(true)).then(|| {
        let graph = expander.graph();
        path_to(graph, graph.goal(), &|key| nodes.led_to(nodes.closed.get(key)))
    });
    let length = moves.as_ref().map_or(Depth::MAX, |moves| moves.len() as Depth);
    // Without reopening, the depths of open nodes prove nothing.
    let proven = if order.reopens { nodes.lower_bound(length) } else { estimate };
    let lower_bound = proven.max(task.at_least).min(length);
    nodes.statistics.expanded_below = nodes.expanded_below(lower_bound);
    nodes.statistics.peak_bytes = nodes.bytes();
    Outcome {
        solution: moves.map(|moves| Path { moves, optimal: lower_bound == length }),
        lower_bound,
        stop: match end {
            Ok(true) => None,
            Ok(false) => Some(StopReason::Depth),
            Err(stop) => Some(stop),
        },
        statistics: nodes.statistics,
    }
}

/// A search by one thread.
struct Search<'a, K: Packed> {
    expander: &'a dyn Expand<K>,
    rules: &'a SuccessorRules,
    limits: &'a Limits<'a>,
    nodes: Nodes<K>,
}

impl<K: Packed> Search<'_, K> {
    /// Searches; whether the goal was found before the open list ran empty.
    fn run(
        &mut self,
        start: &[u8],
        estimate: Depth,
        observer: &mut dyn Observer,
    ) -> Result<bool, StopReason> {
        let graph = self.expander.graph();
        let goal = graph.goal();
        self.nodes.statistics.evaluations += 1;
        self.nodes.push(OpenNode::start(graph.key(start), estimate), self.limits)?;
        let mut poller = Poller::new(self.limits, observer);
        let (mut batch, mut successors) = (Batch::new(), Successors::new(goal));
        loop {
            self.nodes.take(poller.most() as usize, &mut batch, self.limits)?;
            if batch.is_empty() {
                return Ok(false);
            }
            if batch.estimate == 0 && batch.nodes().any(|node| node.key == goal) {
                return Ok(true);
            }
            let expanded = self.nodes.statistics.expanded;
            poller
                .steps(batch.len() as u64, batch.length(), expanded, &|| self.nodes.counts())
                .and_then(|()| self.expand(&batch, &mut successors))
                .inspect_err(|_| self.nodes.give_up(batch.length()))?;
        }
    }

    /// Generates the successors of nodes.
    #[inline]
    fn expand(
        &mut self,
        batch: &Batch<K>,
        successors: &mut Successors<K>,
    ) -> Result<(), StopReason> {
        let Search { expander, rules, nodes, limits } = self;
        if !nodes.count(batch) {
            return Ok(());
        }
        expander.expand(batch, rules, nodes.open.order(), successors)?;
        nodes.statistics.generated += successors.generated;
        nodes.statistics.evaluations += successors.evaluations;
        successors.try_for_each_run(|run| nodes.push_all(run, limits))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::zero::Zero;
    use crate::puzzle::registry::on_engine;
    use crate::puzzle::{AnyPuzzle, Puzzle};
    use crate::search::Silent;
    use crate::search::estimator::OnEngine;
    use std::sync::Arc;

    #[test]
    fn notes_hold_depths_and_moves() {
        for (moves, deepest) in [(1, 65_535), (4, 16_383), (20, 2_047), (64, 1_023)] {
            let notes = Notes::new(moves);
            assert_eq!(notes.deepest(), deepest);
            for m in (0..moves).map(|m| Move(m as u8)) {
                let note = notes.note(deepest, m);
                assert_eq!((notes.depth(note), notes.last(note)), (deepest, Some(m)));
            }
            assert_eq!(notes.last(notes.note(0, Move(0))), None);
        }
    }

    /// The bytes of the closed list for each state, after a long search far from the goal.
    fn bytes_per_state<P: Puzzle>(puzzle: &Arc<P>) -> f64 {
        let backwards: Vec<u8> = puzzle.labels(puzzle.goal()).into_iter().rev().collect();
        let limits = &Limits { nodes: Some(1_800_000), ..Limits::default() };
        let rules = &SuccessorRules::new(puzzle.frame(), &backwards).without_parity();
        let nodes = Nodes::new(puzzle.frame().moves().len(), Depth::MAX, Order::BY_LENGTH);
        let expander = &OnEngine::new(Arc::clone(puzzle), Zero);
        let mut search: Search<'_, P::Key> = Search { expander, rules, limits, nodes };
        assert_eq!(search.run(&backwards, 0, &mut Silent), Err(StopReason::Nodes));
        let closed = search.nodes.closed;
        assert!(closed.len() > 1_500_000, "{} states", closed.len());
        closed.bytes() as f64 / closed.len() as f64
    }

    #[test]
    fn stored_states_are_small() {
        let bytes = |id| on_engine!(&AnyPuzzle::from_id(id).unwrap(), p => bytes_per_state(p));
        assert!(bytes("torus4") <= 16.0);
        assert!(bytes("torus5") <= 32.0);
    }
}
