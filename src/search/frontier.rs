//! The boards after the first few moves, the most promising first: where the passes of IDA* begin
//! if their order is worth something.
//!
//! A pass that finds no solution comes to the same boards in any order. One that finds a solution
//! ends there, and if it begins where the goal is most likely to be near, it ends after a small part
//! of the work. What is likely is told by more than the estimate: by the sum of all that a heuristic
//! has looked up, for instance ([`Heuristic::order`]).

use super::Task;
use super::estimator::Root;
use super::ida::{End, Meter, Node, Pass, PassResult};
use super::poller::Poll;
use crate::heuristic::{After, Heuristic};
use crate::puzzle::{Depth, Move, Puzzle};
use std::ops::ControlFlow::{self, Break, Continue};

/// The most boards that are put in order.
const MOST: usize = 1 << 17;

/// With fewer moves left than this, a pass takes no longer than putting boards in order.
const LEAST_LEFT: Depth = 8;

/// Boards to search below under one bound, with their types erased.
pub trait Frontier: Send + Sync {
    /// How many boards there are.
    fn len(&self) -> usize;

    /// Searches below one of them; a solution is whole.
    fn pass(&self, number: usize, poll: &mut dyn Poll) -> PassResult;
}

/// Boards of one engine and one heuristic.
pub(super) struct Ordered<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    bound: Depth,
    nodes: Vec<Node<P::State, H::Value>>,
    /// The numbers of the nodes in order.
    order: Vec<u32>,
    /// For each number of moves, the last move to each board, and the number of the board before.
    steps: Vec<Vec<(u32, Move)>>,
}

impl<'a, P: Puzzle, H: Heuristic<P>> Ordered<'a, P, H> {
    /// How many bytes are held for each board: lists have some room to grow.
    const HELD: usize = 2 * (size_of::<Node<P::State, H::Value>>() + size_of::<[u32; 4]>());

    /// Collects the boards that a pass under a bound comes to after a few moves, and puts them in
    /// order; what that took.
    pub(super) fn new(
        puzzle: &'a P,
        heuristic: &'a H,
        task: &Task<'_>,
        bound: Depth,
        poll: &mut dyn Poll,
    ) -> (Self, PassResult) {
        let root = Root { start: task.start, made: &[], loops: None }.node(puzzle, heuristic);
        let most = task.limits.bytes.map_or(MOST, |bytes| MOST.min(bytes as usize / Self::HELD));
        let mut frontier = Ordered {
            puzzle,
            heuristic,
            bound,
            nodes: vec![root],
            order: Vec::new(),
            steps: Vec::new(),
        };
        let mut meter = Meter::new(bound, poll);
        let end = match frontier.grow(most, &mut meter) {
            Break(End::Stopped(stop)) => Err(stop),
            Break(End::Found) | Continue(()) => Ok(None),
        };
        let order = |&number: &u32| heuristic.order(frontier.nodes[number as usize].value);
        let mut numbers: Vec<u32> = (0..frontier.nodes.len() as u32).collect();
        numbers.sort_by_cached_key(order);
        frontier.order = numbers;
        let bytes = (frontier.nodes.len() * Self::HELD) as u64;
        (frontier, PassResult { bytes, ..meter.result(end, 1) })
    }

    /// Makes one move more, as long as there are not too many boards.
    fn grow(&mut self, most: usize, meter: &mut Meter<'_>) -> ControlFlow<End> {
        let automaton = self.puzzle.frame().automaton();
        let mut width = self.nodes.len() as f64;
        while width * automaton.branching_factor() <= most as f64
            && self.nodes[0].depth + LEAST_LEFT < self.bound
        {
            let budget = self.bound - self.nodes[0].depth - 1;
            let (mut nodes, mut steps) = (Vec::new(), Vec::new());
            for (number, node) in (0..).zip(&self.nodes) {
                meter.count(budget)?;
                let allowed = automaton.allowed(node.memory).and(self.puzzle.legal(node.state));
                meter.generated += allowed.len() as u64;
                let after = self.heuristic.after(self.puzzle, node.value, node.state);
                for m in after.within(allowed, budget).unwrap_or(allowed) {
                    let value = after.value(m);
                    if self.heuristic.estimate(value) <= budget {
                        let state = self.puzzle.apply(node.state, m);
                        let memory = automaton.after(node.memory, m);
                        nodes.push(Node { state, value, memory, depth: node.depth + 1 });
                        steps.push((number, m));
                    }
                }
            }
            if nodes.is_empty() {
                self.nodes.clear();
                return Continue(());
            }
            width = nodes.len() as f64;
            self.nodes = nodes;
            self.steps.push(steps);
        }
        Continue(())
    }

    /// The moves to a board.
    fn path(&self, number: u32) -> Vec<Move> {
        let mut number = number;
        let mut moves: Vec<Move> = Vec::new();
        for steps in self.steps.iter().rev() {
            let (before, m) = steps[number as usize];
            moves.push(m);
            number = before;
        }
        moves.reverse();
        moves
    }
}

impl<P: Puzzle, H: Heuristic<P>> Frontier for Ordered<'_, P, H> {
    fn len(&self) -> usize {
        self.order.len()
    }

    fn pass(&self, number: usize, poll: &mut dyn Poll) -> PassResult {
        let number = self.order[number];
        let node = self.nodes[number as usize];
        let mut result = Pass::run(self.puzzle, self.heuristic, node, None, self.bound, poll);
        if let Ok(Some(rest)) = &mut result.end {
            *rest = [self.path(number), std::mem::take(rest)].concat();
        }
        result
    }
}
