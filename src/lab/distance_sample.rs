//! Distances of boards that are drawn uniformly, each found by `auto` and proven.

use super::random::Random;
use super::scramble::uniform;
use crate::parallel;
use crate::puzzle::Depth;
use crate::search::{Aim, Limits, SearchOptions, Silent};
use crate::solver::{Answer, Solution, SolveError, Solver};

/// The number of boards at each distance.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct DistanceSample {
    /// By the distance.
    pub counts: Vec<u64>,
    /// How many boards could not be solved within the limits.
    pub unsolved: u64,
}

impl DistanceSample {
    fn new(distance: Option<Depth>) -> DistanceSample {
        match distance {
            None => DistanceSample { counts: Vec::new(), unsolved: 1 },
            Some(distance) => {
                let mut counts = vec![0; distance as usize + 1];
                counts[distance as usize] = 1;
                DistanceSample { counts, unsolved: 0 }
            }
        }
    }

    fn joined(self, other: DistanceSample) -> DistanceSample {
        let (mut long, short) = if self.counts.len() < other.counts.len() {
            (other.counts, self.counts)
        } else {
            (self.counts, other.counts)
        };
        long.iter_mut().zip(short).for_each(|(count, more)| *count += more);
        DistanceSample { counts: long, unsolved: self.unsolved + other.unsolved }
    }

    /// How many boards were solved.
    pub fn solved(&self) -> u64 {
        self.counts.iter().sum()
    }

    /// The mean distance of those that were solved; `None` if none was.
    pub fn mean(&self) -> Option<f64> {
        let sum: f64 = self.weighted(|distance| distance);
        (self.solved() > 0).then(|| sum / self.solved() as f64)
    }

    /// How far the mean is likely to be from that of all boards; `None` with fewer than two.
    pub fn standard_error(&self) -> Option<f64> {
        let solved = self.solved() as f64;
        let mean = self.mean().filter(|_| solved > 1.0)?;
        let squares = self.weighted(|distance| (distance - mean).powi(2));
        Some((squares / (solved - 1.0) / solved).sqrt())
    }

    fn weighted(&self, value: impl Fn(f64) -> f64) -> f64 {
        let each = self.counts.iter().enumerate();
        each.map(|(distance, &count)| value(distance as f64) * count as f64).sum()
    }
}

/// Solves `boards` random boards, several at a time, and calls `solved` after each. The board
/// number `i` of a seed is that of [`ScrambleKind::Uniform`](super::scramble::ScrambleKind).
///
/// # Errors
/// If the checker rejects a solution.
pub fn sample_distances(
    solver: &Solver,
    boards: u64,
    seed: u64,
    limits: Limits<'_>,
    solved: &(dyn Fn() + Sync),
) -> Result<DistanceSample, SolveError> {
    let options = SearchOptions { limits, aim: Aim::Proven, ..SearchOptions::default() };
    let distance = |number: u64| -> Result<DistanceSample, SolveError> {
        let labels = uniform(solver.frame(), &mut Random::new(seed, number));
        let answer = solver.solve(&solver.frame().decode(&labels), &options, &mut Silent)?;
        solved();
        let Answer::Searched(found) = answer else { unreachable!("random boards are solvable") };
        let proven = found.solution.filter(Solution::is_optimal);
        Ok(DistanceSample::new(proven.map(|solution| solution.len() as Depth)))
    };
    let distances = parallel::map_pieces(boards as usize, 1, |range| distance(range.start as u64));
    distances.into_iter().try_fold(DistanceSample::default(), |sum, one| Ok(sum.joined(one?)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{Goal, arch::Simd, registry};

    #[test]
    fn the_mean_has_its_error() {
        let sample = DistanceSample { counts: vec![0, 2, 0, 2], unsolved: 1 };
        assert_eq!((sample.solved(), sample.mean()), (4, Some(2.0)));
        let error = sample.standard_error().unwrap();
        assert!((error - (1.0f64 / 3.0).sqrt()).abs() < 1e-12, "{error}");
        let none = DistanceSample::default();
        assert_eq!((none.mean(), none.standard_error()), (None, None));
        assert_eq!(DistanceSample::new(Some(3)).standard_error(), None);
    }

    /// All 181,440 boards are known: their mean is 5.8 moves, of 8 at most.
    #[test]
    fn a_sample_is_spread_as_all_boards_are() {
        let definition = registry::define("torus3").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let sample = sample_distances(&solver, 2_000, 1, Limits::default(), &|| {}).unwrap();
        let all = [1u64, 12, 96, 736, 5208, 28674, 89497, 54741, 2475];
        let mean = all.iter().zip(0..).map(|(&n, d)| n as f64 * f64::from(d)).sum::<f64>()
            / all.iter().sum::<u64>() as f64;
        assert_eq!((sample.solved(), sample.unsolved), (2_000, 0));
        let error = sample.standard_error().unwrap();
        assert!((sample.mean().unwrap() - mean).abs() < 4.0 * error, "{sample:?}");
    }
}
