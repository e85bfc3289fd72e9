//! The strength of heuristics: their estimates of random boards, and of those whose distance can be
//! found in the time there is.

use super::estimate_sample::{EstimateDistribution, sample_estimates};
use super::random::Random;
use super::scramble::uniform;
use crate::heuristic::Promise;
use crate::puzzle::Depth;
use crate::search::{Aim, HeuristicKind, Limits, SearchOptions, Silent};
use crate::solver::{Answer, SolveError, Solver};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// No more boards than this are solved.
const MOST_SOLVED: u64 = 1_000;

/// What to sample, and how long.
#[derive(Clone, Copy, Debug)]
pub struct StrengthPlan<'a> {
    /// How many random boards.
    pub boards: u64,
    /// The seed of the random numbers.
    pub seed: u64,
    /// How long to spend in total on solving some of them.
    pub patience: Duration,
    /// How many threads solve one.
    pub threads: usize,
    /// The most bytes that this may take.
    pub bytes: Option<u64>,
    /// Set by another thread to stop soon.
    pub cancelled: &'a AtomicBool,
}

/// A heuristic's estimates of random boards.
#[derive(Clone, Debug, Serialize)]
pub struct Strength {
    /// The name of the heuristic.
    pub heuristic: String,
    /// Whether it promises never to exceed the distance.
    pub admissible: bool,
    /// Whether it promises that no move lowers it by more than one.
    pub consistent: bool,
    /// How many random boards were sampled.
    pub boards: u64,
    /// The mean estimate.
    pub mean: f64,
    /// The largest one.
    pub max: Depth,
    /// The 10th, 50th and 90th percentile.
    pub percentiles: [Depth; 3],
    /// How many boards there are with each estimate, from 0 on.
    pub distribution: Vec<u64>,
    /// The comparison with those distances that were found, if there are any.
    pub known: Option<OnSolvedBoards>,
}

/// A heuristic's estimates of random boards whose distance is known.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct OnSolvedBoards {
    /// How many boards.
    pub boards: usize,
    /// Their mean distance.
    pub mean_distance: f64,
    /// The mean estimate.
    pub mean: f64,
    /// The mean ratio of the estimate to the distance.
    pub share: f64,
    /// For how many boards it is the distance.
    pub exact: usize,
    /// For how many it is too high.
    pub too_high: usize,
}

/// The estimates of all heuristics that apply to a solver's puzzle, for the same random boards.
///
/// # Errors
/// If the checker rejects a solution.
pub fn strengths(solver: &Solver, plan: &StrengthPlan<'_>) -> Result<Vec<Strength>, SolveError> {
    let apply = |kind: &HeuristicKind| Some((solver.promise(kind).ok()?, kind.clone()));
    let (promises, kinds): (Vec<Promise>, Vec<HeuristicKind>) =
        solver.heuristics().filter_map(apply).unzip();
    let distributions = sample_estimates(solver, &kinds, plan.boards, plan.seed, plan.cancelled);
    let distributions = distributions.map_err(SolveError::from)?;
    let solved = solve_some(solver, plan)?;
    kinds
        .iter()
        .zip(promises)
        .zip(distributions)
        .map(|((kind, promise), distribution)| {
            let known = known(solver, kind, &solved)?;
            Ok(strength(kind, promise, &distribution, known))
        })
        .collect()
}

fn strength(
    kind: &HeuristicKind,
    promise: Promise,
    distribution: &EstimateDistribution,
    known: Option<OnSolvedBoards>,
) -> Strength {
    Strength {
        heuristic: kind.name().to_owned(),
        admissible: promise.admissible,
        consistent: promise.consistent,
        boards: distribution.boards(),
        mean: distribution.mean(),
        max: distribution.max(),
        percentiles: [0.1, 0.5, 0.9].map(|share| distribution.percentile(share)),
        distribution: distribution.counts(),
        known,
    }
}

/// Random boards and their distances: as many as can be solved in time, one after the other, so
/// that hard ones are not left out.
fn solve_some(
    solver: &Solver,
    plan: &StrengthPlan<'_>,
) -> Result<Vec<(Vec<u8>, Depth)>, SolveError> {
    let limits = Limits {
        deadline: Instant::now().checked_add(plan.patience),
        bytes: plan.bytes,
        cancelled: Some(plan.cancelled),
        ..Limits::default()
    };
    let options = SearchOptions {
        limits,
        threads: plan.threads,
        aim: Aim::Proven,
        ..SearchOptions::default()
    };
    let mut solved = Vec::new();
    for number in 0..plan.boards.min(MOST_SOLVED) {
        let labels = uniform(solver.frame(), &mut Random::new(plan.seed, number));
        let board = solver.frame().decode(&labels);
        let Answer::Searched(found) = solver.solve(&board, &options, &mut Silent)? else {
            unreachable!("random boards are solvable")
        };
        match found.solution {
            Some(solution) if solution.is_optimal() => {
                solved.push((labels, solution.len() as Depth));
            }
            _ => break,
        }
    }
    Ok(solved)
}

fn known(
    solver: &Solver,
    kind: &HeuristicKind,
    solved: &[(Vec<u8>, Depth)],
) -> Result<Option<OnSolvedBoards>, SolveError> {
    if solved.is_empty() {
        return Ok(None);
    }
    let estimator = solver.estimator(kind, &Limits::default()).map_err(SolveError::from)?;
    let estimates: Vec<Depth> =
        solved.iter().map(|(labels, _)| estimator.estimate(labels)).collect();
    let pairs = || estimates.iter().copied().zip(solved.iter().map(|&(_, distance)| distance));
    let mean_of =
        |value: fn((Depth, Depth)) -> f64| pairs().map(value).sum::<f64>() / solved.len() as f64;
    Ok(Some(OnSolvedBoards {
        boards: solved.len(),
        mean_distance: mean_of(|(_, distance)| distance.into()),
        mean: mean_of(|(h, _)| h.into()),
        share: mean_of(
            |(h, distance)| {
                if distance == 0 { 1.0 } else { f64::from(h) / f64::from(distance) }
            },
        ),
        exact: pairs().filter(|(h, distance)| h == distance).count(),
        too_high: pairs().filter(|(h, distance)| h > distance).count(),
    }))
}
