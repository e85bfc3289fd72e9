//! The boards after the first few moves, the most promising first: where the passes of IDA* begin
//! if their order is worth something.
//!
//! A pass that finds no solution comes to the same boards in any order. One that finds a solution
//! ends there, and if it begins where the goal is most likely to be near, it ends after a small part
//! of the work. What is likely is told by more than the estimate: by the sum of all that a heuristic
//! has looked up, for instance ([`Heuristic::order`]).
//!
//! All boards after two or three moves are put in order. The best of them are replaced by the boards
//! one move farther, again in order and before all others, and so on: the farther, the more the
//! order tells, and it is needed only at the front.

use super::Task;
use super::estimator::Root;
use super::ida::{End, Meter, Node, Pass, PassResult};
use super::poller::Poll;
use crate::heuristic::{After, Heuristic};
use crate::puzzle::{Depth, Move, Puzzle};
use std::ops::ControlFlow::{self, Break, Continue};

/// The most boards that are put in order at first.
const MOST: usize = 1 << 13;

/// One of so many boards is replaced by those one move farther.
const SHARPENED: usize = 8;

/// The most boards by which others are replaced at a time.
const MOST_SHARPENED: usize = 1 << 15;

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
    boards: Boards<P, H>,
    /// The last moves to all boards that were met.
    steps: Vec<Step>,
}

/// A board, and the last move to it: one more than its number, or 0 for none.
struct Reached<S, V> {
    node: Node<S, V>,
    step: u32,
}

type Boards<P, H> = Vec<Reached<<P as Puzzle>::State, <H as Heuristic<P>>::Value>>;

/// A move, and the one before it: one more than its number, or 0 for none.
struct Step {
    m: Move,
    before: u32,
}

impl<'a, P: Puzzle, H: Heuristic<P>> Ordered<'a, P, H> {
    /// How many bytes are held for each board: lists have some room to grow.
    const HELD: usize = 2 * (size_of::<Reached<P::State, H::Value>>() + size_of::<Step>());

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
        let boards = vec![Reached { node: root, step: 0 }];
        let mut frontier = Ordered { puzzle, heuristic, bound, boards, steps: Vec::new() };
        let room = task.limits.bytes.map_or(usize::MAX, |bytes| bytes as usize / Self::HELD);
        let mut meter = Meter::new(bound, poll);
        let end = match frontier.grow(room, &mut meter) {
            Break(End::Stopped(stop)) => Err(stop),
            Break(End::Found) | Continue(()) => Ok(None),
        };
        let bytes = (frontier.steps.len() * Self::HELD) as u64;
        (frontier, PassResult { bytes, ..meter.result(end, 1) })
    }

    /// Makes a few moves, as long as there is room for so many boards.
    fn grow(&mut self, room: usize, meter: &mut Meter<'_>) -> ControlFlow<End> {
        let mut boards = std::mem::take(&mut self.boards);
        while self.is_room_after(&boards, MOST.min(room)) {
            boards = self.after(&boards, meter)?;
        }
        self.sort(&mut boards);
        let room = MOST_SHARPENED.min(room / 2);
        let mut front = boards.len() / SHARPENED;
        while front > 0 && self.is_room_after(&boards[..front], room) {
            let mut farther = self.after(&boards[..front], meter)?;
            self.sort(&mut farther);
            let replaced = front;
            front = farther.len() / SHARPENED;
            boards.splice(..replaced, farther);
        }
        self.boards = boards;
        Continue(())
    }

    /// Whether there are boards one move farther to be put in order, and no more than there is room
    /// for.
    fn is_room_after(&self, boards: &[Reached<P::State, H::Value>], most: usize) -> bool {
        let branching = self.puzzle.frame().automaton().branching_factor();
        boards.first().is_some_and(|first| first.node.depth + LEAST_LEFT < self.bound)
            && boards.len() as f64 * branching <= most as f64
    }

    fn sort(&self, boards: &mut [Reached<P::State, H::Value>]) {
        boards.sort_by_cached_key(|board| self.heuristic.order(board.node.value));
    }

    /// The boards one move farther that are within the bound.
    fn after(
        &mut self,
        boards: &[Reached<P::State, H::Value>],
        meter: &mut Meter<'_>,
    ) -> ControlFlow<End, Boards<P, H>> {
        let Ordered { puzzle, heuristic, bound, ref mut steps, .. } = *self;
        let automaton = puzzle.frame().automaton();
        let mut farther = Vec::new();
        for &Reached { node, step } in boards {
            let budget = bound - node.depth - 1;
            meter.count(budget)?;
            let allowed = automaton.allowed(node.memory).and(puzzle.legal(node.state));
            meter.generated += allowed.len() as u64;
            let after = heuristic.after(puzzle, node.value, node.state);
            for m in after.within(allowed, budget).unwrap_or(allowed) {
                let value = after.value(m);
                if heuristic.estimate(value) <= budget {
                    let state = puzzle.apply(node.state, m);
                    let memory = automaton.after(node.memory, m);
                    let node = Node { state, value, memory, depth: node.depth + 1 };
                    steps.push(Step { m, before: step });
                    farther.push(Reached { node, step: steps.len() as u32 });
                }
            }
        }
        Continue(farther)
    }

    /// The moves to a board.
    fn path(&self, last: u32) -> Vec<Move> {
        let step = |number: u32| self.steps.get((number as usize).checked_sub(1)?);
        let steps = std::iter::successors(step(last), |last| step(last.before));
        let mut moves: Vec<Move> = steps.map(|step| step.m).collect();
        moves.reverse();
        moves
    }
}

impl<P: Puzzle, H: Heuristic<P>> Frontier for Ordered<'_, P, H> {
    fn len(&self) -> usize {
        self.boards.len()
    }

    fn pass(&self, number: usize, poll: &mut dyn Poll) -> PassResult {
        let Reached { node, step } = self.boards[number];
        let mut result = Pass::run(self.puzzle, self.heuristic, node, None, self.bound, poll);
        if let Ok(Some(rest)) = &mut result.end {
            *rest = [self.path(step), std::mem::take(rest)].concat();
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use crate::heuristic::NamedHeuristic;
    use crate::heuristic::pattern_views::PatternViews;
    use crate::puzzle::registry::on_engine;
    use crate::puzzle::{AnyPuzzle, Puzzle};
    use crate::search::estimator::{Estimator, OnEngine, SearchKey};
    use crate::search::ida::IDA;
    use crate::search::parallel_ida::PARALLEL_IDA;
    use crate::search::{Limits, Path, SearchOptions, Silent, StopReason, Task};
    use std::sync::Arc;

    /// Boards after random moves, solved in the plain order and in this one.
    fn compare<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>) {
        let views = || PatternViews::build(puzzle.frame());
        let plain: Box<dyn Estimator> = Box::new(OnEngine::new(Arc::clone(puzzle), views()));
        let ordered: Box<dyn Estimator> =
            Box::new(OnEngine::new(Arc::clone(puzzle), views()).ordered());
        let options = SearchOptions { threads: 2, ..SearchOptions::default() };
        for seed in 0..6 {
            let start = (0..11).fold(puzzle.goal(), |state, step| {
                let legal = puzzle.legal(state);
                let number = (seed * 7 + step * (seed + 5)) % legal.len();
                puzzle.apply(state, legal.into_iter().nth(number).unwrap())
            });
            let labels = puzzle.labels(start);
            let task = Task::new(&labels, Limits::default(), &options);
            let length = |path: Path| {
                let end = path.moves.iter().fold(start, |state, &m| puzzle.apply(state, m));
                assert!(end == puzzle.goal() && path.optimal);
                path.moves.len()
            };
            let shortest = (IDA.search)(&task, &*plain, &mut Silent).solution.map(length);
            for search in [IDA.search, PARALLEL_IDA.search] {
                let found = search(&task, &*ordered, &mut Silent).solution.map(length);
                assert_eq!(found, shortest, "{labels:?}");
            }
            let limits = Limits { nodes: Some(50), bytes: Some(20_000), ..Limits::default() };
            let stopped = (IDA.search)(&Task { limits, ..task }, &*ordered, &mut Silent);
            if stopped.stop.is_some() {
                assert_eq!(
                    (stopped.stop, stopped.statistics.expanded),
                    (Some(StopReason::Nodes), 50)
                );
            }
        }
    }

    #[test]
    fn the_order_changes_no_length() {
        for id in ["torus:3x6", "rings:3x6"] {
            on_engine!(&AnyPuzzle::from_id(id).unwrap(), puzzle => compare(puzzle));
        }
    }
}
