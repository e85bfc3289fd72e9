//! What several subjects need: puzzles of all kinds, and reproducible random boards.

use permutile::puzzle::arch::Simd;
use permutile::puzzle::{AnyPuzzle, Definition, Frame, Goal, Puzzle, custom, registry};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// At least one puzzle of each family, shape and packing.
pub(crate) const IDS: &[&str] = &[
    "torus2",
    "torus:2x3",
    "torus:3x2",
    "torus3",
    "torus:2x8",
    "torus4",
    "torus:3x5",
    "torus:4x5",
    "torus5",
    "torus:2x12",
    "rings3",
    "rings:3x4",
    "rings:3x5",
    "rings:5x3",
    "rings4",
    "rings:4x5",
    "rings5",
    "sliding2",
    "sliding:2x3",
    "sliding3",
    "sliding:3x4",
    "sliding4",
    "sliding5",
    "sliding:4x5",
    "sliding6",
    "sliding10",
    "sliding16",
];

/// Puzzles without a blank and with a name that need a byte a cell.
pub(crate) const LARGE: &[&str] =
    &["torus6", "torus:10x7", "torus10", "rings6", "rings:9x4", "rings9"];

/// Puzzles on which every search can be compared with breadth-first search.
pub(crate) const SMALL: &[&str] = &[
    "torus2",
    "torus:2x3",
    "torus3",
    "torus4",
    "torus5",
    "rings3",
    "rings4",
    "rings5",
    "sliding2",
    "sliding:2x3",
    "sliding3",
    "sliding4",
    "sliding5",
    "sliding6",
];

/// One-way moves, moves over many distances, and a move that exchanges far cells.
pub(crate) const CUSTOM: &str = r#"
shape = "4x4"
[[move]]
name = "knight"
cycles = [[1, 7, 16, 10], [2, 12, 5, 11, 4]]
[[move]]
name = "swap"
cycles = [[3, 14]]
[[move]]
name = "turn"
cycles = [[1, 2, 3, 4, 8, 12, 16, 15, 14, 13, 9, 5]]
inverse = "unturn"
"#;

/// The same kind on a grid that needs 5 bits a cell, and on one that needs bytes.
pub(crate) fn custom_definitions() -> Vec<Definition> {
    let on = |shape: &str| CUSTOM.replace("4x4", shape);
    vec![
        custom::define("custom-4x4.toml", CUSTOM).unwrap(),
        custom::define("custom-4x5.toml", &on("4x5")).unwrap(),
        custom::define("custom-6x6.toml", &on("6x6")).unwrap(),
    ]
}

/// A custom puzzle on one row: one-way, with an inverse, and one that undoes itself.
pub(crate) fn one_row(cells: usize) -> Definition {
    let all: Vec<usize> = (1..=cells).collect();
    let text = format!(
        "shape = \"1x{cells}\"\n[[move]]\nname = \"L\"\ncycles = [{all:?}]\ninverse = \"R\"\n\
         [[move]]\nname = \"X\"\ncycles = [[1, 2]]\n"
    );
    custom::define(&format!("row-{cells}.toml"), &text).unwrap()
}

/// The [`LARGE`] puzzles and custom ones on a single row.
pub(crate) fn large_and_narrow_puzzles() -> Vec<AnyPuzzle> {
    let large = LARGE.iter().map(|id| registry::define(id).unwrap());
    let narrow = [2, 3, 4, 16, 25, 26, 256].map(one_row);
    large
        .chain(narrow)
        .map(|definition| AnyPuzzle::new(definition, Goal::Default, Simd::detect()).unwrap())
        .collect()
}

/// All puzzles of [`IDS`] and custom ones, each with and without SIMD.
pub(crate) fn all_puzzles() -> Vec<AnyPuzzle> {
    let named = IDS.iter().map(|id| registry::define(id).unwrap());
    let definitions: Vec<Definition> = named.chain(custom_definitions()).collect();
    definitions
        .iter()
        .flat_map(|definition| {
            [Simd::detect(), Simd::off()]
                .map(|simd| AnyPuzzle::new(definition.clone(), Goal::Default, simd).unwrap())
        })
        .collect()
}

/// Reproducible random numbers.
pub(crate) struct Dice(ChaCha8Rng);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.0.next_u64() % bound as u64) as usize
    }

    /// Any arrangement at all, solvable or not.
    pub(crate) fn labels(&mut self, frame: &Frame) -> Vec<u8> {
        let mut labels: Vec<u8> = (0..frame.shape().cells()).map(|c| c as u8).collect();
        for i in (1..labels.len()).rev() {
            labels.swap(i, self.below(i + 1));
        }
        labels
    }

    /// A walk of `steps` legal moves from the goal.
    pub(crate) fn walk<P: Puzzle>(&mut self, puzzle: &P, steps: usize) -> P::State {
        (0..steps).fold(puzzle.goal(), |state, _| {
            let legal: Vec<_> = puzzle.legal(state).collect();
            puzzle.apply(state, legal[self.below(legal.len())])
        })
    }
}

/// The distances to the goal of all boards near it, about `limit` of them in whole layers, by
/// the plainest breadth-first search.
pub(crate) fn plain_distances<P: Puzzle>(puzzle: &P, limit: usize) -> HashMap<P::Key, u32> {
    let mut distances = HashMap::from([(puzzle.key(puzzle.goal()), 0)]);
    let mut layer = vec![puzzle.goal()];
    for distance in 1.. {
        let mut next = Vec::new();
        for &state in &layer {
            for m in puzzle.legal_back(state) {
                let before = puzzle.apply_back(state, m);
                if let Entry::Vacant(entry) = distances.entry(puzzle.key(before)) {
                    entry.insert(distance);
                    next.push(before);
                }
            }
        }
        if next.is_empty() || distances.len() + 8 * next.len() > limit {
            break;
        }
        layer = next;
    }
    distances
}
