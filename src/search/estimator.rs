//! A heuristic on one engine, with the types of both erased.
//!
//! An author writes a [`Heuristic`]; [`OnEngine`] makes it an [`Estimator`], an object with few
//! methods, each of which does enough to be worth a virtual call: one estimate, one depth-first
//! pass, the expansion of a batch of nodes. Only these are compiled for each pair of engine and
//! heuristic; inside there is no dynamic dispatch. Everything above is compiled once, or once for
//! each kind of key.

use super::best_first::{Batch, Order, SuccessorRules, Successors};
use super::frontier::{Frontier, Ordered};
use super::graph;
use super::ida::{self, Node, Pass, PassResult, Step};
use super::layer_pass::LayerPass;
use super::poller::Poll;
use super::{StopReason, Task};
use crate::board::MAX_CELLS;
use crate::heuristic::scorer::{Child, Parents, Scorer};
use crate::heuristic::{After, Heuristic};
use crate::puzzle::automaton::Memory;
use crate::puzzle::automaton::loops::Loops;
use crate::puzzle::packed::{Nibbles, Packed, Quints, Wide};
use crate::puzzle::{Depth, Frame, Move, MoveSet, Puzzle};
use std::sync::Arc;

/// Estimates boards, given as the label of each cell, and takes the steps of a search that an
/// estimate guides.
pub trait Estimator: Send + Sync {
    /// The engine.
    #[doc(hidden)]
    fn engine(&self) -> &dyn Engine;

    /// The estimate of a board that can be solved; pattern databases may panic on others.
    fn estimate(&self, labels: &[u8]) -> Depth;

    /// The estimates on a path of legal moves, the start included, each updated incrementally
    /// from the one before.
    fn path_estimates(&self, labels: &[u8], moves: &[Move]) -> Vec<PathEstimate>;

    /// Whether the goal is certainly more than `budget` moves away, although the estimate
    /// allows it; `budget` is no more than the distance of the board.
    fn rules_out(&self, labels: &[u8], budget: Depth) -> bool;

    /// How many bytes the heuristic's tables hold.
    fn table_bytes(&self) -> u64;

    /// One depth-first pass below a node under a bound.
    #[doc(hidden)]
    fn pass(&self, root: Root<'_>, bound: Depth, poll: &mut dyn Poll) -> PassResult;

    /// Passes below several nodes of the search from one start, which is evaluated only once: from
    /// scratch, that may take a tenth of a millisecond.
    #[doc(hidden)]
    fn passes_from<'a>(&'a self, start: &'a [u8]) -> Box<dyn Passes + 'a>;

    /// Where passes are ordered: the boards to search below in one under a bound, the most promising
    /// first, and what it took to find them.
    #[doc(hidden)]
    fn frontier(
        &self,
        task: &Task<'_>,
        bound: Depth,
        poll: &mut dyn Poll,
    ) -> Option<(Box<dyn Frontier + '_>, PassResult)>;

    /// How many bytes a pass holds for each move of its path.
    #[doc(hidden)]
    fn bytes_per_move(&self) -> u64;

    /// For searches that store packed states.
    #[doc(hidden)]
    fn expander(&self) -> Expander<'_>;

    /// For beam searches: the heuristic's own scorer, or one that scores by its estimates.
    #[doc(hidden)]
    fn scorer(&self) -> &dyn Scorer;
}

/// What can be said of boards with an estimator of any kind.
impl dyn Estimator + '_ {
    /// The puzzle apart from its packing.
    pub fn frame(&self) -> &Frame {
        self.engine().frame()
    }

    /// The estimate of a board, and those on both sides of the edges that lead to it, which are
    /// added to `edges`.
    pub fn estimate_with_edges(&self, labels: &[u8], edges: &mut Vec<Edge>) -> Depth {
        for m in self.engine().legal_back(labels) {
            let from = self.engine().undo(labels, m);
            let [before, after] = self.path_estimates(&from, &[m])[..] else {
                unreachable!("there is one for each board")
            };
            let PathEstimate { estimate, agrees, .. } = after;
            edges.push(Edge { m, before: before.estimate, after: estimate, agrees });
        }
        self.estimate(labels)
    }

    /// The estimate of a board before it is rounded.
    pub fn unrounded(&self, labels: &[u8]) -> f64 {
        self.path_estimates(labels, &[])[0].unrounded
    }

    /// The successors of a board by the legal ones of these moves.
    pub fn successors(&self, labels: &[u8], order: &[Move]) -> Vec<Successor> {
        let legal = self.engine().legal(labels);
        let successor = |&m: &Move| Successor {
            m,
            labels: self.engine().apply(labels, m),
            unrounded: self.path_estimates(labels, &[m])[1].unrounded,
        };
        order.iter().filter(|&&m| legal.contains(m)).map(successor).collect()
    }

    /// The moves to try at a node, in the order in which a depth-first pass tries them.
    pub(super) fn moves(&self, root: Root<'_>) -> Vec<Move> {
        let engine = self.engine();
        let legal = engine.legal(&self.labels(root));
        engine.in_order(root.followers(engine.frame()).and(legal))
    }

    /// What it says of a node.
    pub(super) fn estimate_at(&self, root: Root<'_>) -> Depth {
        self.estimate(&self.labels(root))
    }

    /// Whether a node is the goal.
    pub(super) fn is_goal(&self, root: Root<'_>) -> bool {
        is_goal(&self.labels(root))
    }

    /// The board at a node.
    fn labels(&self, root: Root<'_>) -> Vec<u8> {
        let engine = self.engine();
        root.made.iter().fold(root.start.to_vec(), |labels, &m| engine.apply(&labels, m))
    }
}

/// Whether all labels are in their cells.
pub(super) fn is_goal(labels: &[u8]) -> bool {
    (0..).zip(labels).all(|(cell, &label): (usize, &u8)| usize::from(label) == cell)
}

/// Depth-first passes below nodes of the search from one start.
#[doc(hidden)]
pub trait Passes: Send + Sync {
    /// One below the node that these moves lead to, with the automaton to follow instead of the
    /// puzzle's own.
    fn pass(
        &self,
        made: &[Move],
        loops: Option<&Loops>,
        bound: Depth,
        poll: &mut dyn Poll,
    ) -> PassResult;
}

/// A puzzle by the labels of its boards, with its packing hidden.
#[doc(hidden)]
pub trait Engine: Send + Sync {
    fn frame(&self) -> &Frame;

    fn legal(&self, labels: &[u8]) -> MoveSet;

    fn legal_back(&self, labels: &[u8]) -> MoveSet;

    fn apply(&self, labels: &[u8], m: Move) -> Vec<u8>;

    /// The board before a move that can have led to this one.
    fn undo(&self, labels: &[u8], m: Move) -> Vec<u8>;

    /// The moves of a set in the order in which a depth-first pass tries them.
    fn in_order(&self, moves: MoveSet) -> Vec<Move>;
}

impl<P: Puzzle> Engine for P {
    fn frame(&self) -> &Frame {
        Puzzle::frame(self)
    }

    fn legal(&self, labels: &[u8]) -> MoveSet {
        Puzzle::legal(self, self.state_of(labels))
    }

    fn legal_back(&self, labels: &[u8]) -> MoveSet {
        Puzzle::legal_back(self, self.state_of(labels))
    }

    fn apply(&self, labels: &[u8], m: Move) -> Vec<u8> {
        self.labels(Puzzle::apply(self, self.state_of(labels), m))
    }

    fn undo(&self, labels: &[u8], m: Move) -> Vec<u8> {
        self.labels(self.apply_back(self.state_of(labels), m))
    }

    fn in_order(&self, moves: MoveSet) -> Vec<Move> {
        ida::in_order::<P>(moves)
    }
}

/// What a heuristic says of a board on a path.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PathEstimate {
    /// The estimate, updated incrementally.
    pub estimate: Depth,
    /// The same before it is rounded.
    pub unrounded: f64,
    /// Whether the incremental update agrees with an evaluation from scratch.
    pub agrees: bool,
}

/// An edge that leads to a board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The move.
    pub m: Move,
    /// The estimate before it.
    pub before: Depth,
    /// The estimate after it, updated incrementally from the one before.
    pub after: Depth,
    /// Whether the incremental update agrees with an evaluation from scratch.
    pub agrees: bool,
}

/// A board one move away from another.
#[derive(Clone, Debug)]
pub struct Successor {
    /// The move that leads there.
    pub m: Move,
    /// The board.
    pub labels: Vec<u8>,
    /// Its estimate before it is rounded.
    pub unrounded: f64,
}

/// A node to search below: where the search started, and the moves made from there.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Root<'a> {
    pub start: &'a [u8],
    pub made: &'a [Move],
    /// The automaton to follow instead of the puzzle's own; only with a blank.
    pub loops: Option<&'a Loops>,
}

/// What searches that store packed states ask of a heuristic on an engine.
#[doc(hidden)]
pub trait Expand<K: Packed>: Send + Sync {
    /// The state graph.
    fn graph(&self) -> &dyn graph::Graph<K>;

    /// The successors of a batch of nodes, in place of what `successors` held.
    ///
    /// # Errors
    /// If there is no room for them.
    fn expand(
        &self,
        batch: &Batch<K>,
        rules: &SuccessorRules,
        order: Order,
        successors: &mut Successors<K>,
    ) -> Result<(), StopReason>;

    /// Of the states after these moves, those from which the goal may be within `budget` moves.
    fn within(&self, key: K, moves: MoveSet, budget: Depth, successors: &mut Vec<K>);
}

/// An expander by the type of its keys.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub enum Expander<'a> {
    Nibbles(&'a dyn Expand<Nibbles>),
    Quints(&'a dyn Expand<Quints>),
    Wide64(&'a dyn Expand<Wide<64>>),
    Wide256(&'a dyn Expand<Wide<MAX_CELLS>>),
}

/// Runs the same code on whichever kind of key it is, compiled once for each.
macro_rules! on_key {
    ($any:expr, $expander:ident => $code:expr) => {
        match $any {
            $crate::search::estimator::Expander::Nibbles($expander) => $code,
            $crate::search::estimator::Expander::Quints($expander) => $code,
            $crate::search::estimator::Expander::Wide64($expander) => $code,
            $crate::search::estimator::Expander::Wide256($expander) => $code,
        }
    };
}
pub(super) use on_key;

/// A kind of key that searches are compiled for.
#[doc(hidden)]
pub trait SearchKey: Packed {
    fn expander(expand: &dyn Expand<Self>) -> Expander<'_>;
}

impl SearchKey for Nibbles {
    fn expander(expand: &dyn Expand<Self>) -> Expander<'_> {
        Expander::Nibbles(expand)
    }
}

impl SearchKey for Quints {
    fn expander(expand: &dyn Expand<Self>) -> Expander<'_> {
        Expander::Quints(expand)
    }
}

impl SearchKey for Wide<64> {
    fn expander(expand: &dyn Expand<Self>) -> Expander<'_> {
        Expander::Wide64(expand)
    }
}

impl SearchKey for Wide<MAX_CELLS> {
    fn expander(expand: &dyn Expand<Self>) -> Expander<'_> {
        Expander::Wide256(expand)
    }
}

/// A heuristic together with the engine that it estimates boards of.
#[derive(Debug)]
pub struct OnEngine<P, H> {
    puzzle: Arc<P>,
    heuristic: H,
    is_ordered: bool,
}

impl<P, H> OnEngine<P, H> {
    /// A heuristic that was built for this puzzle.
    pub fn new(puzzle: Arc<P>, heuristic: H) -> OnEngine<P, H> {
        OnEngine { puzzle, heuristic, is_ordered: false }
    }

    /// The same, with passes of IDA* that begin where the goal is most likely to be near.
    #[must_use]
    pub fn ordered(self) -> OnEngine<P, H> {
        OnEngine { is_ordered: true, ..self }
    }
}

/// The value of a state. Where this is asked for, speed does not matter: one copy of what may be a
/// lot of code serves all such places.
#[inline(never)]
fn evaluated<P: Puzzle, H: Heuristic<P>>(puzzle: &P, heuristic: &H, state: P::State) -> H::Value {
    heuristic.evaluate(puzzle, state)
}

/// The value after a move, for such places.
#[inline(never)]
pub(super) fn updated<P: Puzzle, H: Heuristic<P>>(
    puzzle: &P,
    heuristic: &H,
    value: H::Value,
    before: P::State,
    m: Move,
) -> H::Value {
    heuristic.update(puzzle, value, before, m)
}

impl<P: Puzzle<Key: SearchKey>, H: Heuristic<P>> Estimator for OnEngine<P, H> {
    fn engine(&self) -> &dyn Engine {
        &*self.puzzle
    }

    fn estimate(&self, labels: &[u8]) -> Depth {
        let OnEngine { puzzle, heuristic, .. } = self;
        heuristic.estimate(evaluated(&**puzzle, heuristic, puzzle.state_of(labels)))
    }

    fn path_estimates(&self, labels: &[u8], moves: &[Move]) -> Vec<PathEstimate> {
        let OnEngine { puzzle, heuristic, .. } = self;
        let mut state = puzzle.state_of(labels);
        let mut value = evaluated(&**puzzle, heuristic, state);
        let mut estimates = Vec::with_capacity(moves.len() + 1);
        for next in moves.iter().map(Some).chain([None]) {
            estimates.push(PathEstimate {
                estimate: heuristic.estimate(value),
                unrounded: heuristic.unrounded(puzzle, state, value),
                agrees: value == evaluated(&**puzzle, heuristic, state),
            });
            if let Some(&m) = next {
                value = updated(&**puzzle, heuristic, value, state, m);
                state = Puzzle::apply(&**puzzle, state, m);
            }
        }
        estimates
    }

    fn rules_out(&self, labels: &[u8], budget: Depth) -> bool {
        let OnEngine { puzzle, heuristic, .. } = self;
        heuristic.rules_out(puzzle, puzzle.state_of(labels), budget)
    }

    fn table_bytes(&self) -> u64 {
        self.heuristic.table_bytes()
    }

    fn pass(&self, root: Root<'_>, bound: Depth, poll: &mut dyn Poll) -> PassResult {
        PassesFrom::new(self, root.start).pass(root.made, root.loops, bound, poll)
    }

    fn passes_from<'a>(&'a self, start: &'a [u8]) -> Box<dyn Passes + 'a> {
        Box::new(PassesFrom::new(self, start))
    }

    fn frontier(
        &self,
        task: &Task<'_>,
        bound: Depth,
        poll: &mut dyn Poll,
    ) -> Option<(Box<dyn Frontier + '_>, PassResult)> {
        // A constant: what is behind it is not compiled for other heuristics.
        if const { !H::ORDERED } || !self.is_ordered {
            return None;
        }
        let (frontier, result) = Ordered::new(&*self.puzzle, &self.heuristic, task, bound, poll);
        Some((Box::new(frontier), result))
    }

    fn bytes_per_move(&self) -> u64 {
        size_of::<Step<P::State, H::Value>>() as u64
    }

    fn expander(&self) -> Expander<'_> {
        P::Key::expander(self)
    }

    fn scorer(&self) -> &dyn Scorer {
        self.heuristic.scorer().unwrap_or(self)
    }
}

/// Passes with a heuristic on an engine.
struct PassesFrom<'a, P: Puzzle, H: Heuristic<P>> {
    on: &'a OnEngine<P, H>,
    start: &'a [u8],
    /// The start with its value, unless what is near the goal guides the search.
    evaluated: Option<(P::State, H::Value)>,
}

impl<'a, P: Puzzle, H: Heuristic<P>> PassesFrom<'a, P, H> {
    fn new(on: &'a OnEngine<P, H>, start: &'a [u8]) -> Self {
        let evaluate = || {
            let state = on.puzzle.state_of(start);
            (state, evaluated(&*on.puzzle, &on.heuristic, state))
        };
        let evaluated = on.heuristic.near_layers().is_none().then(evaluate);
        PassesFrom { on, start, evaluated }
    }
}

impl<P: Puzzle, H: Heuristic<P>> Passes for PassesFrom<'_, P, H> {
    fn pass(
        &self,
        made: &[Move],
        loops: Option<&Loops>,
        bound: Depth,
        poll: &mut dyn Poll,
    ) -> PassResult {
        let OnEngine { puzzle, heuristic, .. } = self.on;
        let (puzzle, root) = (&**puzzle, Root { start: self.start, made, loops });
        if let Some(start) = self.evaluated {
            let node = root.node_from(start, puzzle, heuristic);
            return Pass::run(puzzle, heuristic, node, loops, bound, poll);
        }
        let layers = heuristic.near_layers().expect("they guide the search");
        LayerPass::run(layers, Puzzle::frame(puzzle), root, bound, poll)
    }
}

/// A node is a key, and a score the estimate before it is rounded.
impl<P: Puzzle, H: Heuristic<P>> Scorer for OnEngine<P, H> {
    fn node_words(&self) -> usize {
        size_of::<P::Key>() / size_of::<u64>()
    }

    fn begin(&self, labels: &[u8], node: &mut [u64]) -> u32 {
        let OnEngine { puzzle, heuristic, .. } = self;
        let state = puzzle.state_of(labels);
        write_key(puzzle.key(state), node);
        score(heuristic.unrounded(puzzle, state, evaluated(&**puzzle, heuristic, state)))
    }

    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64 {
        let OnEngine { puzzle, heuristic, .. } = self;
        let moves = Puzzle::frame(&**puzzle).moves();
        let mut generated = 0;
        for (number, node) in parents.nodes.chunks_exact(Scorer::node_words(self)).enumerate() {
            let state = puzzle.state(read_key(node));
            let value = evaluated(&**puzzle, heuristic, state);
            for m in Puzzle::legal(&**puzzle, state).without(moves.back_from(parents.last[number]))
            {
                let child = Puzzle::apply(&**puzzle, state, m);
                let value = updated(&**puzzle, heuristic, value, state, m);
                let score = score(heuristic.unrounded(puzzle, child, value));
                generated += 1;
                if score <= most {
                    let hash = puzzle.key(child).hash64();
                    let parent = parents.first + number as u32;
                    children.push(Child { hash, score, parent, m, note: 0 });
                }
            }
        }
        generated
    }

    fn make(&self, layer: &[u64], children: &[Child], nodes: &mut [u64]) {
        let puzzle = &*self.puzzle;
        let words = Scorer::node_words(self);
        for (child, node) in children.iter().zip(nodes.chunks_exact_mut(words)) {
            let parent = puzzle.state(read_key(&layer[child.parent as usize * words..][..words]));
            write_key(puzzle.key(Puzzle::apply(puzzle, parent, child.m)), node);
        }
    }

    fn labels(&self, node: &[u64]) -> Vec<u8> {
        self.puzzle.labels(self.puzzle.state(read_key(node)))
    }
}

/// Sixteenths of a move.
fn score(unrounded: f64) -> u32 {
    (unrounded * 16.0).round() as u32
}

fn read_key<K: Packed>(node: &[u64]) -> K {
    bytemuck::pod_read_unaligned(bytemuck::cast_slice(node))
}

fn write_key<K: Packed>(key: K, node: &mut [u64]) {
    bytemuck::cast_slice_mut(node).copy_from_slice(bytemuck::bytes_of(&key));
}

impl<P: Puzzle, H: Heuristic<P>> Expand<P::Key> for OnEngine<P, H> {
    fn graph(&self) -> &dyn graph::Graph<P::Key> {
        &*self.puzzle
    }

    fn expand(
        &self,
        batch: &Batch<P::Key>,
        rules: &SuccessorRules,
        order: Order,
        successors: &mut Successors<P::Key>,
    ) -> Result<(), StopReason> {
        successors.fill(&*self.puzzle, &self.heuristic, batch, rules, order)
    }

    fn within(&self, key: P::Key, moves: MoveSet, budget: Depth, successors: &mut Vec<P::Key>) {
        let OnEngine { puzzle, heuristic, .. } = self;
        let state = puzzle.state(key);
        let value = heuristic.evaluate(puzzle, state);
        let after = heuristic.after(puzzle, value, state);
        successors.clear();
        for m in moves.and(Puzzle::legal(&**puzzle, state)) {
            if heuristic.estimate(after.value(m)) > budget {
                continue;
            }
            let successor = Puzzle::apply(&**puzzle, state, m);
            if !heuristic.rules_out(puzzle, successor, budget) {
                successors.push(puzzle.key(successor));
            }
        }
    }
}

impl Root<'_> {
    /// The state of the automaton after the moves.
    fn memory(self, frame: &Frame) -> Memory {
        let after = |memory, &m: &Move| match self.loops {
            Some(loops) => loops.after(memory, m),
            None => frame.automaton().after(memory, m),
        };
        self.made.iter().fold(Memory::START, after)
    }

    /// The moves that it allows next.
    pub(super) fn followers(self, frame: &Frame) -> MoveSet {
        let memory = self.memory(frame);
        match self.loops {
            Some(loops) => loops.allowed(memory),
            None => frame.automaton().allowed(memory),
        }
    }

    /// The node that the moves lead to, with what is carried along.
    pub(super) fn node<P: Puzzle, H: Heuristic<P>>(
        self,
        puzzle: &P,
        heuristic: &H,
    ) -> Node<P::State, H::Value> {
        let state = puzzle.state_of(self.start);
        self.node_from((state, evaluated(puzzle, heuristic, state)), puzzle, heuristic)
    }

    /// The same from the state where the search started, and its value.
    fn node_from<P: Puzzle, H: Heuristic<P>>(
        self,
        (state, value): (P::State, H::Value),
        puzzle: &P,
        heuristic: &H,
    ) -> Node<P::State, H::Value> {
        let memory = self.memory(Puzzle::frame(puzzle));
        let root = Node { state, value, memory, depth: 0 };
        self.made.iter().fold(root, |Node { state, value, depth, .. }, &m| Node {
            value: updated(puzzle, heuristic, value, state, m),
            state: Puzzle::apply(puzzle, state, m),
            memory,
            depth: depth + 1,
        })
    }
}
