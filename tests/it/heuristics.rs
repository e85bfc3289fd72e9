//! Every registered heuristic keeps its promises, as far as plain breadth-first search can see.

use crate::support::{all_puzzles, plain_distances};
use permutile::heuristic::Heuristic;
use permutile::heuristic::registry::{self, HEURISTICS, HeuristicVisitor};
use permutile::puzzle::{Puzzle, PuzzleVisitor};

struct Conformance {
    name: &'static str,
}

impl PuzzleVisitor for Conformance {
    type Output = bool;

    fn visit<P: Puzzle>(self, puzzle: &P) -> bool {
        let name = self.name;
        registry::visit(name, puzzle, self).is_some()
    }
}

impl<P: Puzzle> HeuristicVisitor<P> for Conformance {
    type Output = ();

    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) {
        let frame = puzzle.frame();
        let entry = registry::find(self.name).unwrap();
        let promise = (entry.promise)(frame).unwrap();
        let what = format!("{} on {}", self.name, frame.id());
        let h = |state| heuristic.estimate(heuristic.evaluate(puzzle, state));
        assert_eq!(h(puzzle.goal()), 0, "{what} at the goal");
        let mut overestimates = 0;
        let mut jumps = 0;
        for (key, distance) in plain_distances(puzzle, 20_000) {
            let state = puzzle.state(key);
            let value = heuristic.evaluate(puzzle, state);
            overestimates += u32::from(heuristic.estimate(value) > distance);
            for m in puzzle.legal(state) {
                let after = heuristic.update(puzzle, value, state, m);
                let child = puzzle.apply(state, m);
                assert_eq!(
                    after,
                    heuristic.evaluate(puzzle, child),
                    "{what}: incremental and full"
                );
                jumps += u32::from(heuristic.estimate(value) > heuristic.estimate(after) + 1);
            }
        }
        assert!(!promise.admissible || overestimates == 0, "{what}: {overestimates} too high");
        assert!(!promise.consistent || jumps == 0, "{what}: {jumps} edges drop by more than one");
    }
}

#[test]
fn all_keep_their_promises() {
    for entry in HEURISTICS {
        let applied = all_puzzles()
            .iter()
            .filter(|puzzle| puzzle.visit(Conformance { name: entry.name }))
            .count();
        assert!(applied > 0, "{} applies to no puzzle", entry.name);
    }
}
