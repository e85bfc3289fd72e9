//! All shortest solutions, once it is known how long they are.
//!
//! Layer by layer, the states are collected that can be on a shortest solution: those after so
//! many moves from which a heuristic still allows the goal in time. Then, from the goal back, it
//! is counted for each in how many ways the goal can be reached from there; states without a way
//! are dropped. So each state is looked at once, in however many ways it is reached, and the
//! solutions need not be listed to be counted.

use super::estimator::{Estimator, Expand, on_key};
use super::poller::Poller;
use super::{Observer, StopReason, Task};
use crate::hash::{HashMap, bytes_of, make_room};
use crate::puzzle::automaton::Memory;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move, MoveSet};
use std::ops::ControlFlow;

/// Receives solutions one by one, with how many bytes the search holds; says whether it wants
/// more.
pub type Listing<'a> = &'a mut dyn FnMut(&[Move], u64) -> ControlFlow<()>;

/// Counts all solutions of `length` moves, the fewest that solve the task, and hands them to
/// `listing` in the order of their moves' numbers. Moves that do the same under two names count
/// as one. The heuristic must be admissible.
///
/// # Errors
/// If a limit is hit before they are counted; none is listed then.
pub fn all_shortest(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    length: Depth,
    observer: &mut dyn Observer,
    listing: Listing<'_>,
) -> Result<u128, StopReason> {
    on_key!(estimator.expander(), expander => search(task, expander, length, observer, listing))
}

fn search<K: Packed>(
    task: &Task<'_>,
    expander: &dyn Expand<K>,
    length: Depth,
    observer: &mut dyn Observer,
    listing: Listing<'_>,
) -> Result<u128, StopReason> {
    let graph = expander.graph();
    // Without those that do the same as another.
    let moves = graph.frame().automaton().allowed(Memory::START);
    let start = graph.key(task.start);
    let poller = Poller::new(&task.limits, observer);
    let mut search = Search { task, expander, moves, poller, expanded: 0, bytes: 0 };
    let ways = search.ways(start, length)?;
    let count = ways[0].values().sum();
    let _ = search.list(&ways, start, &mut Vec::new(), listing);
    Ok(count)
}

/// The states of one layer.
type Layer<K> = HashMap<K, ()>;

/// The states of one layer, each with the number of ways from there to the goal.
type Ways<K> = HashMap<K, u128>;

struct Search<'a, K: Packed> {
    task: &'a Task<'a>,
    expander: &'a dyn Expand<K>,
    /// All that may be legal.
    moves: MoveSet,
    poller: Poller<'a>,
    expanded: u64,
    /// What the layers hold.
    bytes: u64,
}

impl<K: Packed> Search<'_, K> {
    /// For each number of moves made, the states on a shortest solution.
    fn ways(&mut self, start: K, length: Depth) -> Result<Vec<Ways<K>>, StopReason> {
        let first = Layer::from_iter([(start, ())]);
        self.bytes += bytes_of(&first);
        let mut layers = vec![first];
        for made in 1..=length {
            let next = self.layer_after(&layers[made as usize - 1], length, length - made)?;
            layers.push(next);
        }
        let goal = self.expander.graph().goal();
        let last = layers.pop().unwrap_or_default();
        self.bytes -= bytes_of(&last);
        let reached = last.contains_key(&goal);
        drop(last);
        let mut ways = vec![Ways::from_iter(reached.then_some((goal, 1)))];
        while let Some(layer) = layers.pop() {
            let after = ways.last().expect("there is one for each layer");
            let before = self.ways_before(&layer, after)?;
            self.bytes -= bytes_of(&layer);
            ways.push(before);
        }
        ways.reverse();
        Ok(ways)
    }

    /// The states after one more move from which the goal may be within `budget` more.
    fn layer_after(
        &mut self,
        layer: &Layer<K>,
        length: Depth,
        budget: Depth,
    ) -> Result<Layer<K>, StopReason> {
        let mut next = Layer::default();
        let mut successors = Vec::new();
        for &key in layer.keys() {
            self.poller.step(length, self.expanded)?;
            self.expanded += 1;
            self.expander.within(key, self.moves, budget, &mut successors);
            for &successor in &successors {
                make_room(&mut next, &self.task.limits, self.bytes)?;
                next.insert(successor, ());
            }
        }
        self.bytes += bytes_of(&next);
        Ok(next)
    }

    /// The states of a layer that are on a way, given those of the next.
    fn ways_before(&mut self, layer: &Layer<K>, after: &Ways<K>) -> Result<Ways<K>, StopReason> {
        let graph = self.expander.graph();
        let mut before = Ways::default();
        for (index, &key) in layer.keys().enumerate() {
            if index % STRIDE == 0 {
                self.task.limits.check_time()?;
            }
            let moves = self.moves.and(graph.legal(key));
            let ways = moves.filter_map(|m| after.get(&graph.apply(key, m))).sum::<u128>();
            if ways > 0 {
                make_room(&mut before, &self.task.limits, self.bytes)?;
                before.insert(key, ways);
            }
        }
        self.bytes += bytes_of(&before);
        Ok(before)
    }

    /// Lists the solutions that begin with the moves made.
    fn list(
        &self,
        ways: &[Ways<K>],
        key: K,
        made: &mut Vec<Move>,
        listing: Listing<'_>,
    ) -> ControlFlow<()> {
        let Some(after) = ways.get(made.len() + 1) else {
            return listing(made, self.bytes);
        };
        let graph = self.expander.graph();
        for m in self.moves.and(graph.legal(key)) {
            let next = graph.apply(key, m);
            if after.contains_key(&next) {
                made.push(m);
                self.list(ways, next, made, listing)?;
                made.pop();
            }
        }
        ControlFlow::Continue(())
    }
}

/// How many states are counted between two checks of the limits.
const STRIDE: usize = 1 << 12;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::NamedHeuristic;
    use crate::heuristic::circular_manhattan::CircularManhattan;
    use crate::heuristic::manhattan::Manhattan;
    use crate::puzzle::registry::on_engine;
    use crate::puzzle::{AnyPuzzle, Puzzle};
    use crate::search::estimator::{OnEngine, SearchKey};
    use crate::search::{Limits, SearchOptions, Silent};
    use std::sync::Arc;

    fn estimator<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>) -> Box<dyn Estimator> {
        let frame = puzzle.frame();
        if P::HAS_BLANK {
            Box::new(OnEngine::new(Arc::clone(puzzle), Manhattan::build(frame)))
        } else {
            Box::new(OnEngine::new(Arc::clone(puzzle), CircularManhattan::build(frame)))
        }
    }

    /// All sequences of `length` moves that lead from a state to the goal, by trying all.
    fn plain<P: Puzzle>(puzzle: &P, state: P::State, length: Depth) -> Vec<Vec<Move>> {
        if length == 0 {
            return if state == puzzle.goal() { vec![Vec::new()] } else { Vec::new() };
        }
        let moves = puzzle.legal(state).without(puzzle.frame().moves().duplicates());
        let with_first = |m: Move| {
            let rest = plain(puzzle, puzzle.apply(state, m), length - 1);
            rest.into_iter().map(move |rest| [&[m], rest.as_slice()].concat())
        };
        moves.flat_map(with_first).collect()
    }

    /// Walks away from the goal, and compares at the end.
    fn compare<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>, most: Depth) {
        let estimator = estimator(puzzle);
        for seed in 0..6 {
            let mut start = puzzle.goal();
            for step in 0..most {
                let back = puzzle.legal_back(start);
                let m = back.into_iter().nth((seed * 7 + step as usize * 5) % back.len());
                start = puzzle.apply_back(start, m.unwrap());
            }
            let (length, expected) = (0..=most)
                .map(|length| (length, plain(&**puzzle, start, length)))
                .find(|(_, solutions)| !solutions.is_empty())
                .unwrap();
            let labels = puzzle.labels(start);
            let options = SearchOptions::default();
            let task = Task::new(&labels, Limits::default(), &options);
            for most in [0, 2, usize::MAX] {
                let mut listed = Vec::new();
                let count =
                    all_shortest(&task, &*estimator, length, &mut Silent, &mut |moves, _| {
                        if listed.len() == most {
                            return ControlFlow::Break(());
                        }
                        listed.push(moves.to_vec());
                        ControlFlow::Continue(())
                    });
                assert_eq!(count, Ok(expected.len() as u128));
                assert_eq!(listed, expected[..expected.len().min(most)]);
            }
        }
    }

    #[test]
    fn they_are_those_that_trying_everything_finds() {
        for (id, most) in
            [("torus4", 4), ("rings3", 4), ("torus:2x3", 5), ("sliding3", 8), ("sliding:2x4", 9)]
        {
            on_engine!(&AnyPuzzle::from_id(id).unwrap(), puzzle => compare(puzzle, most));
        }
    }

    fn limited<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>) -> Result<u128, StopReason> {
        let far = (0..40).fold(puzzle.goal(), |state, step| {
            let legal = puzzle.legal(state);
            puzzle.apply(state, legal.into_iter().nth(step * 5 % legal.len()).unwrap())
        });
        let limits = Limits { bytes: Some(1_000_000), ..Limits::default() };
        let (labels, options) = (puzzle.labels(far), SearchOptions::default());
        let task = Task::new(&labels, limits, &options);
        let none = &mut |_: &[Move], _| ControlFlow::Break(());
        all_shortest(&task, &*estimator(puzzle), 14, &mut Silent, none)
    }

    #[test]
    fn memory_is_bounded() {
        let puzzle = AnyPuzzle::from_id("torus4").unwrap();
        let stopped = on_engine!(&puzzle, puzzle => limited(puzzle));
        assert_eq!(stopped, Err(StopReason::Memory));
    }
}
