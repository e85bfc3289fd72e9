//! All shortest solutions, once it is known how long they are.
//!
//! Layer by layer, the states are collected that can be on a shortest solution: those after so
//! many moves from which a heuristic still allows the goal in time. Then, from the goal back, it
//! is counted for each in how many ways the goal can be reached from there; states without a way
//! are dropped. So each state is looked at once, in however many ways it is reached, and the
//! solutions need not be listed to be counted.

use super::{Observer, StopReason, Task};
use crate::hash::HashMap;
use crate::heuristic::Heuristic;
use crate::puzzle::automaton::Memory;
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};

/// What was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllShortest {
    /// How many shortest solutions there are. Moves that do the same under two names count as
    /// one.
    pub count: u128,
    /// As many of them as were wanted, in the order of their moves' numbers.
    pub solutions: Vec<Vec<Move>>,
}

/// Finds all solutions of `length` moves, the fewest that solve the task; lists at most `listed`
/// of them. The heuristic must be admissible.
///
/// # Errors
/// If a limit is hit.
pub fn all_shortest<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    length: Depth,
    listed: usize,
    observer: &mut dyn Observer,
) -> Result<AllShortest, StopReason> {
    let mut search = Search { task, heuristic, expanded: 0, look_at: 0, bytes: 0 };
    let ways = search.ways(length, observer)?;
    let count = ways[0].values().sum();
    let mut solutions = Vec::new();
    search.list(&ways, task.start, &mut Vec::new(), listed, &mut solutions);
    Ok(AllShortest { count, solutions })
}

/// The states of one layer, each with its value.
type Layer<P, H> = HashMap<<P as Puzzle>::Key, <H as Heuristic<P>>::Value>;

/// The states of one layer, each with the number of ways from there to the goal.
type Ways<P> = HashMap<<P as Puzzle>::Key, u128>;

struct Search<'a, P: Puzzle, H> {
    task: &'a Task<'a, P>,
    heuristic: &'a H,
    expanded: u64,
    /// How many will have been expanded when it is time to look at the limits.
    look_at: u64,
    /// What the layers hold.
    bytes: u64,
}

impl<P: Puzzle, H: Heuristic<P>> Search<'_, P, H> {
    /// For each number of moves made, the states on a shortest solution.
    fn ways(
        &mut self,
        length: Depth,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Ways<P>>, StopReason> {
        let puzzle = self.task.puzzle;
        let start = self.task.start;
        let value = self.heuristic.evaluate(puzzle, start);
        let mut layers: Vec<Layer<P, H>> = vec![HashMap::from_iter([(puzzle.key(start), value)])];
        for made in 1..=length {
            let next = self.layer_after(&layers[made as usize - 1], length - made)?;
            observer.progress(length, self.expanded);
            layers.push(next);
        }
        let goal = puzzle.key(puzzle.goal());
        let reached = layers.pop().is_some_and(|last| last.contains_key(&goal));
        let mut ways = vec![Ways::<P>::from_iter(reached.then_some((goal, 1)))];
        while let Some(layer) = layers.pop() {
            let after = ways.last().expect("there is one for each layer");
            let before = |key: &P::Key| {
                let state = puzzle.state(*key);
                let way = |m| after.get(&puzzle.key(puzzle.apply(state, m)));
                self.moves(state).filter_map(way).sum::<u128>()
            };
            let on_a_way =
                layer.keys().map(|key| (*key, before(key))).filter(|&(_, ways)| ways > 0);
            ways.push(on_a_way.collect());
            self.task.limits.check(self.expanded)?;
        }
        ways.reverse();
        Ok(ways)
    }

    /// The states after one more move from which the goal may be within `budget` more.
    fn layer_after(
        &mut self,
        layer: &Layer<P, H>,
        budget: Depth,
    ) -> Result<Layer<P, H>, StopReason> {
        let Search { task: Task { puzzle, limits, .. }, heuristic, .. } = *self;
        let mut next = Layer::<P, H>::default();
        for (key, &value) in layer {
            if self.expanded == self.look_at {
                limits.check(self.expanded)?;
                self.look_at += limits.stride(self.expanded);
            }
            self.expanded += 1;
            let state = puzzle.state(*key);
            for m in self.moves(state) {
                let value = heuristic.update(puzzle, value, state, m);
                let after = puzzle.apply(state, m);
                if heuristic.estimate(value) > budget || heuristic.rules_out(puzzle, after, budget)
                {
                    continue;
                }
                if next.len() == next.capacity() {
                    self.make_room(&mut next)?;
                }
                next.insert(puzzle.key(after), value);
            }
        }
        self.bytes += bytes_of(&next, next.capacity());
        Ok(next)
    }

    /// Lets a layer grow to twice its size, if the limits allow that.
    fn make_room(&self, layer: &mut Layer<P, H>) -> Result<(), StopReason> {
        let more = layer.capacity().max(1 << 10);
        // Both sizes are held while one is copied to the other.
        let held = bytes_of(layer, layer.capacity()) + bytes_of(layer, layer.capacity() + more);
        self.task.limits.check_bytes(self.bytes + held)?;
        layer.try_reserve(more).map_err(|_| StopReason::Memory)
    }

    /// The moves from a state, without those that do the same as another.
    fn moves(&self, state: P::State) -> MoveSet {
        let puzzle = self.task.puzzle;
        puzzle.frame().automaton().allowed(Memory::START).and(puzzle.legal(state))
    }

    /// Adds the solutions that begin with the moves made.
    fn list(
        &self,
        ways: &[Ways<P>],
        state: P::State,
        made: &mut Vec<Move>,
        listed: usize,
        solutions: &mut Vec<Vec<Move>>,
    ) {
        if solutions.len() == listed {
            return;
        }
        let Some(after) = ways.get(made.len() + 1) else {
            return solutions.push(made.clone());
        };
        let puzzle = self.task.puzzle;
        for m in self.moves(state) {
            let next = puzzle.apply(state, m);
            if after.contains_key(&puzzle.key(next)) {
                made.push(m);
                self.list(ways, next, made, listed, solutions);
                made.pop();
            }
        }
    }
}

/// What a hash table of so many entries takes: an eighth of it is free, and each has a byte more.
fn bytes_of<K, V>(_: &HashMap<K, V>, entries: usize) -> u64 {
    (entries * (size_of::<(K, V)>() + 1) / 7 * 8) as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::Registered;
    use crate::heuristic::circular_manhattan::CircularManhattan;
    use crate::heuristic::manhattan::Manhattan;
    use crate::puzzle::{AnyPuzzle, PuzzleVisitor};
    use crate::search::{Limits, Settings, Silent};

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
    struct Compare {
        most: Depth,
    }

    impl PuzzleVisitor for Compare {
        type Output = ();

        fn visit<P: Puzzle>(self, puzzle: &P) {
            if P::HAS_BLANK {
                self.with(puzzle, &Manhattan::build(puzzle.frame()));
            } else {
                self.with(puzzle, &CircularManhattan::build(puzzle.frame()));
            }
        }
    }

    impl Compare {
        fn with<P: Puzzle, H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) {
            let settings = &Settings::default();
            for seed in 0..6 {
                let mut start = puzzle.goal();
                for step in 0..self.most {
                    let back = puzzle.legal_back(start);
                    let m = back.into_iter().nth((seed * 7 + step as usize * 5) % back.len());
                    start = puzzle.apply_back(start, m.unwrap());
                }
                let lengths = 0..=self.most;
                let (length, expected) = lengths
                    .map(|length| (length, plain(puzzle, start, length)))
                    .find(|(_, solutions)| !solutions.is_empty())
                    .unwrap();
                let limits = Limits::default();
                let task = Task { puzzle, start, at_least: 0, limits, settings };
                let all = |listed| all_shortest(&task, heuristic, length, listed, &mut Silent);
                let count = expected.len() as u128;
                assert_eq!(all(0), Ok(AllShortest { count, solutions: Vec::new() }));
                let first = expected[..expected.len().min(2)].to_vec();
                assert_eq!(all(2), Ok(AllShortest { count, solutions: first }));
                assert_eq!(all(usize::MAX), Ok(AllShortest { count, solutions: expected }));
            }
        }
    }

    #[test]
    fn they_are_those_that_trying_everything_finds() {
        for (id, most) in
            [("torus4", 4), ("rings3", 4), ("torus:2x3", 5), ("sliding3", 8), ("sliding:2x4", 9)]
        {
            AnyPuzzle::from_id(id).unwrap().visit(Compare { most });
        }
    }

    struct Limited;

    impl PuzzleVisitor for Limited {
        type Output = Result<AllShortest, StopReason>;

        fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
            let far = (0..40).fold(puzzle.goal(), |state, step| {
                let legal = puzzle.legal(state);
                puzzle.apply(state, legal.into_iter().nth(step * 5 % legal.len()).unwrap())
            });
            let limits = Limits { bytes: Some(1_000_000), ..Limits::default() };
            let settings = &Settings::default();
            let task = Task { puzzle, start: far, at_least: 0, limits, settings };
            let heuristic = &CircularManhattan::build(puzzle.frame());
            all_shortest(&task, heuristic, 14, 1, &mut Silent)
        }
    }

    #[test]
    fn memory_is_bounded() {
        let stopped = AnyPuzzle::from_id("torus4").unwrap().visit(Limited);
        assert_eq!(stopped, Err(StopReason::Memory));
    }
}
