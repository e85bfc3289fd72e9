//! Estimates of random boards, each solvable one equally likely.

use super::random::Random;
use super::scramble::uniform;
use crate::limits::Limits;
use crate::parallel;
use crate::puzzle::Depth;
use crate::search::HeuristicKind;
use crate::solver::{RequestError, Solver};
use std::sync::atomic::{AtomicBool, Ordering};

/// How many boards are made at a time.
const BLOCK: u64 = 1 << 20;

/// How many of them share a random sequence.
const STRETCH: u64 = 1 << 10;

/// The distribution of a heuristic's estimates, by the cell of the blank.
#[derive(Clone, Debug)]
pub struct EstimateDistribution {
    /// For each cell that the blank may be in (or one, if there is no blank), how many boards
    /// there are with each estimate.
    by_blank: Vec<Vec<u64>>,
}

impl EstimateDistribution {
    fn new(blanks: usize) -> EstimateDistribution {
        EstimateDistribution { by_blank: vec![Vec::new(); blanks] }
    }

    fn add(&mut self, blank: usize, h: Depth) {
        let counts = &mut self.by_blank[blank];
        if counts.len() <= h as usize {
            counts.resize(h as usize + 1, 0);
        }
        counts[h as usize] += 1;
    }

    fn join(&mut self, other: EstimateDistribution) {
        for (own, others) in self.by_blank.iter_mut().zip(other.by_blank) {
            if own.len() < others.len() {
                own.resize(others.len(), 0);
            }
            for (count, other) in own.iter_mut().zip(others) {
                *count += other;
            }
        }
    }

    /// How many boards there are with each estimate, where the blank is in a cell; cell 0 if
    /// there is no blank.
    pub fn with_blank_in(&self, cell: usize) -> &[u64] {
        &self.by_blank[cell]
    }

    /// How many boards there are with each estimate.
    pub fn counts(&self) -> Vec<u64> {
        let longest = self.by_blank.iter().map(Vec::len).max().unwrap_or(0);
        let count = |h: usize| self.by_blank.iter().filter_map(|counts| counts.get(h)).sum();
        (0..longest).map(count).collect()
    }

    /// How many boards there are.
    pub fn boards(&self) -> u64 {
        self.by_blank.iter().flatten().sum()
    }

    /// The mean estimate.
    pub fn mean(&self) -> f64 {
        let sum: f64 = self.counts().iter().enumerate().map(|(h, &n)| h as f64 * n as f64).sum();
        sum / self.boards().max(1) as f64
    }

    /// The largest estimate.
    pub fn max(&self) -> Depth {
        self.counts().len().saturating_sub(1) as Depth
    }

    /// The least estimate that a share of the boards does not exceed.
    pub fn percentile(&self, share: f64) -> Depth {
        let wanted = (share * self.boards() as f64).ceil() as u64;
        let mut seen = 0;
        let enough = |&count: &u64| {
            seen += count;
            seen >= wanted
        };
        self.counts().iter().position(enough).unwrap_or(0) as Depth
    }
}

/// The estimates of each heuristic for the same random boards; fewer of them if it is cancelled.
///
/// # Errors
/// If a heuristic does not apply.
pub fn sample_estimates(
    solver: &Solver,
    kinds: &[HeuristicKind],
    boards: u64,
    seed: u64,
    cancelled: &AtomicBool,
) -> Result<Vec<EstimateDistribution>, RequestError> {
    let frame = solver.frame();
    let cells = frame.shape().cells();
    let blanks = if frame.blank_label().is_some() { cells } else { 1 };
    let mut distributions = vec![EstimateDistribution::new(blanks); kinds.len()];
    let mut first = 0;
    while first < boards && !cancelled.load(Ordering::Relaxed) {
        let count = BLOCK.min(boards - first);
        // Blocks are whole stretches but for the last.
        let stretches = count.div_ceil(STRETCH) as usize;
        let labels: Vec<Vec<u8>> = parallel::map_pieces(stretches, 1, |range| {
            let stretch = first / STRETCH + range.start as u64;
            let mut random = Random::new(seed, stretch);
            let wanted = STRETCH.min(first + count - stretch * STRETCH);
            (0..wanted).flat_map(|_| uniform(frame, &mut random)).collect()
        });
        for (kind, distribution) in kinds.iter().zip(&mut distributions) {
            let limits = Limits { cancelled: Some(cancelled), ..Limits::default() };
            let estimator = match solver.estimator(kind, &limits) {
                Err(RequestError::NotBuilt { .. }) => return Ok(distributions),
                estimator => estimator?,
            };
            let counted = parallel::map_pieces(labels.len(), 1, |range| {
                let mut distribution = EstimateDistribution::new(blanks);
                for labels in labels[range.start].chunks_exact(cells) {
                    let is_blank = |&label: &u8| Some(label) == frame.blank_label();
                    let blank = labels.iter().position(is_blank).unwrap_or(0);
                    distribution.add(blank, estimator.estimate(labels));
                }
                distribution
            });
            counted.into_iter().for_each(|counted| distribution.join(counted));
        }
        first += count;
    }
    Ok(distributions)
}
