//! How many nodes IDA* is going to expand, without searching (Korf, Reid and Edelkamp 2001, "Time
//! complexity of iterative-deepening-A*").
//!
//! A node at depth i < d is expanded in the iteration with bound d if its estimate is at most
//! d − i. If boards deep in the tree are like random ones, that happens with the probability
//! P(d − i) that a random board has such an estimate, so that Σᵢ Nᵢ · P(d − i) nodes are to be
//! expected, where Nᵢ is the number of nodes at depth i of the tree that is searched without a
//! heuristic.
//!
//! Nᵢ is exact: it is counted with the move-ordering automaton that IDA* uses. With a blank, both
//! the nodes and the probabilities are counted by its cell, which also takes care of parity. P is
//! sampled; as the sum is a mean over the sample, its standard error is known.
//!
//! The formula is for consistent heuristics: with others, IDA* may cut off a path above a node
//! that it would have expanded. And it is for random starts: from boards near the goal, which are
//! nothing like random ones, IDA* expands more. Of random boards too, those that have not been
//! solved under a bound are not the average: they take less under it than is predicted.

use super::estimate_sample::EstimateDistribution;
use crate::puzzle::automaton::Memory;
use crate::puzzle::moves::Action;
use crate::puzzle::{Depth, Frame};

/// A predicted number of nodes.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Prediction {
    /// The expected number.
    pub nodes: f64,
    /// The standard error that comes from the sample.
    pub standard_error: f64,
}

/// The nodes that IDA* is predicted to expand in a complete iteration, from a start with its blank
/// (if there is one) in this cell.
pub fn predict(
    frame: &Frame,
    blank: Option<usize>,
    bound: Depth,
    distribution: &EstimateDistribution,
) -> Prediction {
    // Nodes as deep as the bound have no moves left.
    let Some(deepest) = bound.checked_sub(1) else {
        return Prediction { nodes: 0.0, standard_error: 0.0 };
    };
    let tree = nodes_by_depth(frame, blank, deepest);
    let blanks = tree[0].len();
    let (mut nodes, mut variance) = (0.0, 0.0);
    for cell in 0..blanks {
        let counts = distribution.with_blank_in(cell);
        let boards: u64 = counts.iter().sum();
        if boards == 0 {
            continue;
        }
        // A random board with the estimate h stands for all nodes down to depth bound − h.
        let mut down_to = Vec::with_capacity(tree.len());
        let mut sum = 0.0;
        for level in &tree {
            sum += level[cell];
            down_to.push(sum);
        }
        let stands_for = |h: usize| {
            let depth = (bound as usize).checked_sub(h).map(|depth| depth.min(deepest as usize));
            depth.map_or(0.0, |depth| down_to[depth])
        };
        let mean_of = |value: &dyn Fn(f64) -> f64| {
            let values = counts.iter().enumerate().map(|(h, &n)| n as f64 * value(stands_for(h)));
            values.sum::<f64>() / boards as f64
        };
        let mean = mean_of(&|nodes| nodes);
        nodes += mean;
        variance += mean_of(&|nodes| (nodes - mean).powi(2)) / boards as f64;
    }
    Prediction { nodes, standard_error: variance.sqrt() }
}

/// The number of nodes at each depth of the tree that depth-first search walks, by the cell of
/// the blank (one, if there is none).
fn nodes_by_depth(frame: &Frame, blank: Option<usize>, depth: Depth) -> Vec<Vec<f64>> {
    let automaton = frame.automaton();
    let blanks = if frame.blank_label().is_some() { frame.shape().cells() } else { 1 };
    let to = |m: usize, cell: usize| match frame.moves().action() {
        Action::Permutations(_) => Some(cell),
        Action::Blank(moves) => moves[m][cell].map(usize::from),
    };
    // By what the automaton remembers, then by the cell of the blank.
    let mut memories = vec![Memory::START];
    let mut number_of = vec![None; automaton.states()];
    number_of[Memory::START.index()] = Some(0);
    let mut level = vec![vec![0.0; blanks]];
    level[0][blank.unwrap_or(0)] = 1.0;
    let total = |level: &[Vec<f64>]| -> Vec<f64> {
        (0..blanks).map(|cell| level.iter().map(|row| row[cell]).sum()).collect()
    };
    let mut tree = vec![total(&level)];
    for _ in 0..depth {
        let mut next = vec![vec![0.0; blanks]; memories.len()];
        for number in 0..level.len() {
            let memory = memories[number];
            for m in automaton.allowed(memory) {
                let then = automaton.after(memory, m);
                let place = *number_of[then.index()].get_or_insert_with(|| {
                    memories.push(then);
                    next.push(vec![0.0; blanks]);
                    memories.len() - 1
                });
                for (cell, nodes) in level[number].iter().enumerate() {
                    if let Some(cell_after) = to(m.index(), cell) {
                        next[place][cell_after] += nodes;
                    }
                }
            }
        }
        tree.push(total(&next));
        level = next;
    }
    tree
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::manhattan::Manhattan;
    use crate::heuristic::{Heuristic, NamedHeuristic};
    use crate::lab::estimate_sample::sample_estimates;
    use crate::lab::random::Random;
    use crate::lab::scramble::uniform;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{AnyPuzzle, Goal, Puzzle, PuzzleVisitor, registry};
    use crate::solver::Solver;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn the_tree_without_a_blank_is_that_of_the_automaton() {
        let puzzle = AnyPuzzle::from_id("torus4").unwrap();
        let tree = nodes_by_depth(puzzle.frame(), None, 6);
        let expected = puzzle.frame().automaton().sequences().take(7);
        assert!(tree.iter().zip(expected).all(|(level, n)| level[0] == n as f64));
    }

    #[test]
    fn the_blank_walks_without_turning_back() {
        let puzzle = AnyPuzzle::from_id("sliding3").unwrap();
        let sums = |blank| -> Vec<f64> {
            let tree = nodes_by_depth(puzzle.frame(), Some(blank), 4);
            tree.iter().map(|level| level.iter().sum()).collect()
        };
        // From the corner: 2 ways, each along an edge (2 ways on), then the middle or a corner.
        assert_eq!(sums(0), [1.0, 2.0, 4.0, 8.0, 16.0]);
        assert_eq!(sums(4), [1.0, 4.0, 8.0, 8.0, 16.0]);
    }

    /// Walks the tree of IDA* under a bound, and through the goal.
    struct Walk<'a> {
        labels: &'a [u8],
        bound: Depth,
    }

    impl PuzzleVisitor for Walk<'_> {
        /// How many nodes are expanded.
        type Output = u64;

        fn visit<P: Puzzle>(self, puzzle: &P) -> u64 {
            let manhattan = Manhattan::build(puzzle.frame());
            let start = puzzle.state_of(self.labels);
            expanded(puzzle, &manhattan, start, Memory::START, self.bound)
        }
    }

    fn expanded<P: Puzzle>(
        puzzle: &P,
        heuristic: &impl Heuristic<P>,
        state: P::State,
        memory: Memory,
        budget: Depth,
    ) -> u64 {
        let h = heuristic.estimate(heuristic.evaluate(puzzle, state));
        if budget == 0 || h > budget {
            return 0;
        }
        let automaton = puzzle.frame().automaton();
        let moves = automaton.allowed(memory).and(puzzle.legal(state));
        let below = moves.map(|m| {
            let (child, memory) = (puzzle.apply(state, m), automaton.after(memory, m));
            expanded(puzzle, heuristic, child, memory, budget - 1)
        });
        1 + below.sum::<u64>()
    }

    /// Random boards of the 8-puzzle take on average what is predicted. (Searches that end at the
    /// goal take less under the last bounds, for they are over before the boards that are easy
    /// for their estimate come to these.)
    #[test]
    fn random_boards_take_what_is_predicted() {
        let definition = registry::define("sliding3").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let kind = "manhattan".parse().unwrap();
        let not_cancelled = AtomicBool::new(false);
        let distribution =
            sample_estimates(&solver, &[kind], 300_000, 1, &not_cancelled).unwrap().remove(0);
        for bound in [14, 17, 20] {
            let (mut predicted, mut measured, mut error) = (0.0, 0.0, 0.0);
            for number in 0..1000 {
                let labels = uniform(solver.frame(), &mut Random::new(2, number));
                let blank = solver.frame().decode(&labels).blank();
                let prediction = predict(solver.frame(), blank, bound, &distribution);
                predicted += prediction.nodes;
                error += prediction.standard_error;
                measured += solver.puzzle().visit(Walk { labels: &labels, bound }) as f64;
            }
            let ratio = predicted / measured;
            assert!((0.9..1.1).contains(&ratio), "{predicted} predicted, {measured} measured");
            assert!(error < 0.05 * predicted, "the sample is large enough");
        }
    }
}
