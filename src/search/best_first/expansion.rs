//! The expansion of a batch of nodes: the one part of best-first search that is compiled for each
//! engine and heuristic.

use super::open::{Batch, OpenNode, Order};
use super::pairs::Pair;
use super::runs::{Run, Runs};
use super::{Parity, SuccessorRules};
use crate::heuristic::{After, Heuristic};
use crate::puzzle::{Depth, MoveSet, Puzzle};
use crate::search::StopReason;

/// The successors of a batch of nodes, and those of the nodes that are to come up again because they
/// are expanded in part.
#[derive(Debug)]
pub struct Successors<K: Copy> {
    /// Where each move changes the estimate by exactly one; empty otherwise.
    pair: Pair<K>,
    /// All others.
    runs: Runs<K>,
    /// Nodes that come up again. They are less deep than any successor, so that it makes no
    /// difference to the order of either if they are put on the open list last; and apart from each
    /// other, both are in long runs.
    again: Runs<K>,
    /// How many successors there are.
    pub(in crate::search) generated: u64,
    /// How many estimates were made.
    pub(in crate::search) evaluations: u64,
}

impl<K: Copy> Successors<K> {
    /// None, with any key to fill unused room with.
    pub(in crate::search) fn new(any: K) -> Successors<K> {
        Successors {
            pair: Pair::new(any),
            runs: Runs::new(),
            again: Runs::new(),
            generated: 0,
            evaluations: 0,
        }
    }

    /// Visits the successors by depth and estimate.
    ///
    /// # Errors
    /// The first error of a visit, which ends it.
    #[inline(always)]
    pub(in crate::search) fn try_for_each_run<E>(
        &self,
        mut visit: impl FnMut(Run<'_, K>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.pair.len() > 0 {
            let [nearer, farther] = self.pair.runs();
            visit(nearer)?;
            return visit(farther);
        }
        // Two loops, because a chain of both is not inlined, and most batches of small searches are
        // one node.
        for run in self.runs.iter() {
            visit(run)?;
        }
        for run in self.again.iter() {
            visit(run)?;
        }
        Ok(())
    }

    /// The successors of a batch, in place of those before.
    ///
    /// # Errors
    /// If there is no room for them.
    #[inline]
    pub(in crate::search) fn fill<P: Puzzle<Key = K>, H: Heuristic<P>>(
        &mut self,
        puzzle: &P,
        heuristic: &H,
        batch: &Batch<K>,
        rules: &SuccessorRules,
        order: Order,
    ) -> Result<(), StopReason> {
        self.runs.clear();
        self.again.clear();
        (self.generated, self.evaluations) = (0, 0);
        // A constant: what is behind it is not compiled for other puzzles.
        if const { P::FOUR_MOVES.is_some() }
            && let Some(value) = heuristic.unit_value(batch.estimate)
        {
            self.pair.fill(puzzle, heuristic, value, batch, rules);
            self.generated = self.pair.len() as u64;
            self.evaluations = self.generated;
            return Ok(());
        }
        self.pair.clear();
        self.runs.reserve(batch.len() * rules.moves.len())?;
        self.again.reserve(batch.len())?;
        for node in batch.nodes().rev() {
            self.expand(puzzle, heuristic, node, rules, order);
        }
        Ok(())
    }

    /// Adds the successors of one node, for which there is room.
    #[inline]
    fn expand<P: Puzzle<Key = K>, H: Heuristic<P>>(
        &mut self,
        puzzle: &P,
        heuristic: &H,
        node: OpenNode<K>,
        rules: &SuccessorRules,
        order: Order,
    ) {
        let state = puzzle.state(node.key);
        let value = match heuristic.unit_value(node.estimate) {
            Some(value) if !node.again => value,
            _ => heuristic.evaluate(puzzle, state),
        };
        let after = heuristic.after(puzzle, value, state);
        let moves = rules.moves_of(&node).and(puzzle.legal(state));
        let depth = node.depth + 1;
        let runs = &mut self.runs;
        let mut generated = 0;
        let mut add = |last, estimate| {
            let key = puzzle.key(puzzle.apply(state, last));
            let successor = OpenNode { key, depth, estimate, last, again: false };
            runs.begin(depth, estimate);
            runs.push(successor.item());
            generated += 1;
        };
        let estimate = |m| rules.parity.raised(heuristic.estimate(after.value(m)), depth);
        let mut later = Depth::MAX;
        if P::HAS_BLANK || !order.by_length {
            moves.for_each(|m| add(m, estimate(m)));
        } else if let Some(part) = Part::new(&node, &after, moves, rules.parity) {
            part.moves.for_each(|m| add(m, estimate(m)));
            later = part.later;
        } else {
            for m in moves {
                let estimate = estimate(m);
                let length = depth + estimate;
                if length > node.length() {
                    later = later.min(length);
                } else if !node.again || length == node.length() {
                    add(m, estimate);
                }
            }
        }
        self.generated += generated;
        self.evaluations += moves.len() as u64;
        if later < Depth::MAX {
            let again = OpenNode { estimate: later - node.depth, again: true, ..node };
            self.again.begin(again.depth, again.estimate);
            self.again.push(again.item());
        }
    }
}

/// What a node is expanded by in one turn.
struct Part {
    moves: MoveSet,
    /// The next sum of depth and estimate that moves left for later turns can have;
    /// [`Depth::MAX`] if there are none.
    later: Depth,
}

impl Part {
    /// Which of its moves a node is expanded by, where the heuristic can tell without evaluating
    /// each.
    #[inline(always)]
    fn new<K: Copy, V>(
        node: &OpenNode<K>,
        after: &impl After<V>,
        moves: MoveSet,
        parity: Parity,
    ) -> Option<Part> {
        let budget = node.estimate.checked_sub(1)?;
        let step = parity.step();
        let near = after.within(moves, budget)?;
        let later = if near == moves { Depth::MAX } else { node.length() + step };
        let before = budget.checked_sub(step).filter(|_| node.again);
        let before = before.and_then(|budget| after.within(moves, budget));
        Some(Part { moves: near.without(before.unwrap_or(MoveSet::EMPTY)), later })
    }
}
