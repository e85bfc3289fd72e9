//! A fixed walk, the same in each run.

use permutile::puzzle::{Move, Puzzle};

/// States from the goal on, and the move made in each; long enough that no predictor learns
/// it by heart.
pub fn walk<P: Puzzle>(puzzle: &P, steps: usize) -> Vec<(P::State, Move)> {
    let mut state = puzzle.goal();
    let mut seed = 1u64;
    (0..steps)
        .map(|_| {
            // Knuth's linear congruential generator; the high bits are random enough.
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            let legal = puzzle.legal(state);
            let m = legal.into_iter().nth((seed >> 33) as usize % legal.len());
            let step = (state, m.expect("some move is legal"));
            state = puzzle.apply(state, step.1);
            step
        })
        .collect()
}
