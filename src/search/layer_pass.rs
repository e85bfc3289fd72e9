//! A depth-first pass of IDA* with filters of the layers near the goal, on boards that are carried
//! with their inverses.
//!
//! Every shorter length has been ruled out, so a board with r moves left that is on a solution is
//! just r moves from the goal (`table/reach.rs` has the argument), and nothing is asked of it before
//! r is the radius of the filters. Almost all of the time is spent there, and on waiting for memory:
//! the forms of all boards after the moves of one are worked out together, and looked up only when
//! those of a few others have been worked out as well.
//!
//! A pass that finds a solution ends there. So that it does so early, the boards after the first two
//! moves are searched in the order of how far their tiles are from home. In a pass that finds none
//! the order does not matter.

use super::StopReason;
use super::estimator::Root;
use super::ida::{End, Meter, PassResult};
use super::poller::Poll;
use crate::puzzle::arch::BoardPair;
use crate::puzzle::automaton::{Automaton, Memory};
use crate::puzzle::moves::MAX_MOVES;
use crate::puzzle::packed::{Nibbles, Packed};
use crate::puzzle::{Depth, Frame, Move, MoveSet};
use crate::table::reach::NearLayers;
use std::ops::ControlFlow::{self, Break, Continue};

/// Of how many boards the successors are looked up later.
const PENDING: usize = 2;

/// After how many moves boards are put in order.
const ORDERED: Depth = 2;

/// One pass under one bound.
pub(super) struct LayerPass<'a> {
    layers: NearLayers<'a>,
    automaton: &'a Automaton,
    /// The most moves that there is a filter for.
    radius: Depth,
    /// How many moves are left at the root.
    budget: Depth,
    meter: Meter<'a>,
    /// The moves to the board that is being searched below, if it is farther than the filters reach.
    path: Vec<Move>,
    pending: [Pending; PENDING],
    /// How many boards have been put there, and how many have been taken out.
    put: usize,
    taken: usize,
    /// The end of a solution, last move first.
    tail: Vec<Move>,
}

/// A board, with what it takes to go on from there.
#[derive(Clone, Copy)]
struct Node {
    pair: BoardPair,
    memory: Memory,
}

/// A board whose successors are to be looked up.
struct Pending {
    node: Node,
    path: Vec<Move>,
    successors: Successors,
}

/// The moves of a board, and the hash of the form after each.
struct Successors {
    moves: MoveSet,
    hashes: [u64; MAX_MOVES],
}

/// A board after a few moves.
struct Beginning {
    /// How far the tiles are from home.
    apart: u32,
    node: Node,
    path: Vec<Move>,
}

impl<'a> LayerPass<'a> {
    /// Searches below a root under a bound; no solution is shorter than that.
    pub(super) fn run(
        layers: NearLayers<'a>,
        frame: &'a Frame,
        root: Root<'_>,
        bound: Depth,
        poll: &'a mut dyn Poll,
    ) -> PassResult {
        let Some(budget) = bound.checked_sub(root.made.len() as Depth) else {
            return PassResult { next_bound: root.made.len() as Depth, ..PassResult::default() };
        };
        let automaton = frame.automaton();
        let start = Node { pair: layers.engine.pair(root.start), memory: Memory::START };
        let mut pass = LayerPass {
            layers,
            automaton,
            radius: layers.filters.len() as Depth - 1,
            budget,
            meter: Meter::new(bound, poll),
            path: Vec::new(),
            pending: std::array::from_fn(|_| Pending {
                node: start,
                path: Vec::new(),
                successors: Successors { moves: MoveSet::EMPTY, hashes: [0; MAX_MOVES] },
            }),
            put: 0,
            taken: 0,
            tail: Vec::new(),
        };
        let node = root.made.iter().fold(start, |node, &m| pass.after(&node, m));
        let end = match pass.search(node) {
            Continue(()) => Ok(None),
            Break(End::Found) => {
                let moves = pass.path.iter().chain(pass.tail.iter().rev());
                Ok(Some(moves.copied().collect()))
            }
            Break(End::Stopped(stop)) => Err::<Option<Vec<Move>>, StopReason>(stop),
        };
        pass.meter.result(end, 1)
    }

    #[inline]
    fn after(&self, node: &Node, m: Move) -> Node {
        Node {
            pair: self.layers.engine.moved(&node.pair, m),
            memory: self.automaton.after(node.memory, m),
        }
    }

    fn search(&mut self, node: Node) -> ControlFlow<End> {
        let budget = self.budget;
        let Some(left) = budget.checked_sub(self.radius).filter(|&left| left > 0) else {
            let form = self.layers.engine.canonical(&node.pair);
            return if self.layers.filters[budget as usize].may_contain(form.hash64()) {
                self.near(&node, budget)
            } else {
                Continue(())
            };
        };
        let moves = ORDERED.min(left - 1);
        let mut beginnings = Vec::new();
        self.begin(&node, moves, &mut beginnings)?;
        beginnings.sort_by_key(|beginning| beginning.apart);
        for Beginning { node, path, .. } in beginnings {
            self.path = path;
            self.far(&node, left - moves)?;
        }
        while self.taken < self.put {
            self.look_up()?;
        }
        Continue(())
    }

    /// Collects the boards after some more moves.
    fn begin(&mut self, node: &Node, moves: Depth, found: &mut Vec<Beginning>) -> ControlFlow<End> {
        if moves == 0 {
            let distance = |(row, &label): (&[u8; 16], &u8)| u32::from(row[usize::from(label)]);
            let tiles = self.layers.tile_distances.iter().zip(&node.pair.board);
            let apart = tiles.map(distance).sum();
            found.push(Beginning { apart, node: *node, path: self.path.clone() });
            return Continue(());
        }
        self.each_successor(node, &mut |pass, node| pass.begin(node, moves - 1, found))
    }

    /// Expands a board that is farther away than the filters reach.
    fn each_successor(
        &mut self,
        node: &Node,
        visit: &mut dyn FnMut(&mut Self, &Node) -> ControlFlow<End>,
    ) -> ControlFlow<End> {
        let moves = self.expand(node, self.budget - self.path.len() as Depth - 1)?;
        for m in moves {
            self.path.push(m);
            let after = self.after(node, m);
            visit(self, &after)?;
            self.path.pop();
        }
        Continue(())
    }

    /// Searches below a board from which it takes so many moves, at least one, to where the filters
    /// begin.
    fn far(&mut self, node: &Node, left: Depth) -> ControlFlow<End> {
        if left > 1 {
            return self.each_successor(node, &mut |pass, node| pass.far(node, left - 1));
        }
        if self.put - self.taken == PENDING {
            self.look_up()?;
        }
        let moves = self.expand(node, self.radius)?;
        let LayerPass { layers, pending, path, put, radius, .. } = self;
        let place = &mut pending[*put % PENDING];
        *put += 1;
        place.node = *node;
        place.path.clone_from(path);
        place.successors.find(layers, node, moves, *radius);
        Continue(())
    }

    /// Counts a board whose successors have `budget` moves left: the moves to be tried.
    #[inline]
    fn expand(&mut self, node: &Node, budget: Depth) -> ControlFlow<End, MoveSet> {
        self.meter.count(budget)?;
        let moves = self.automaton.allowed(node.memory);
        self.meter.generated += moves.len() as u64;
        Continue(moves)
    }

    /// Looks up the successors of the board that has been pending for longest, and searches below
    /// those that may be as near as the filters reach.
    fn look_up(&mut self) -> ControlFlow<End> {
        let place = self.taken % PENDING;
        self.taken += 1;
        let near = self.pending[place].successors.near(&self.layers, self.radius);
        for m in near {
            let after = self.after(&self.pending[place].node, m);
            if let Break(end) = self.near(&after, self.radius) {
                if end == End::Found {
                    self.tail.push(m);
                    self.path.clone_from(&self.pending[place].path);
                }
                return Break(end);
            }
        }
        Continue(())
    }

    /// Searches below a board that may be so many moves from the goal.
    fn near(&mut self, node: &Node, budget: Depth) -> ControlFlow<End> {
        let Some(budget) = budget.checked_sub(1) else {
            let is_goal = (0..).zip(&node.pair.board).all(|(cell, &label): (u8, _)| label == cell);
            return if is_goal { Break(End::Found) } else { Continue(()) };
        };
        let moves = self.expand(node, budget)?;
        let mut successors = Successors { moves, hashes: [0; MAX_MOVES] };
        successors.find(&self.layers, node, moves, budget);
        for m in successors.near(&self.layers, budget) {
            let after = self.after(node, m);
            if let Break(end) = self.near(&after, budget) {
                if end == End::Found {
                    self.tail.push(m);
                }
                return Break(end);
            }
        }
        Continue(())
    }
}

impl Successors {
    /// Works out the hashes after some moves, and asks for the memory where they are looked up.
    #[inline]
    fn find(&mut self, layers: &NearLayers<'_>, node: &Node, moves: MoveSet, budget: Depth) {
        self.moves = moves;
        let count = layers.engine.canonical_after(&node.pair, moves, &mut self.hashes);
        let filter = &layers.filters[budget as usize];
        for hash in &mut self.hashes[..count] {
            *hash = Nibbles(*hash).hash64();
            filter.prefetch(*hash);
        }
    }

    /// The moves after which the goal may be so many moves away.
    #[inline]
    fn near(&self, layers: &NearLayers<'_>, budget: Depth) -> MoveSet {
        let filter = &layers.filters[budget as usize];
        let may_be = |&(_, &hash): &(Move, &u64)| filter.may_contain(hash);
        let near = self.moves.zip(&self.hashes).filter(may_be);
        near.fold(MoveSet::EMPTY, |set, (m, _)| set.with(m))
    }
}
