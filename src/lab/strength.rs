//! Which heuristic is stronger: what each says of random boards, and of boards whose distance can
//! be found in the time there is.

use super::random::Random;
use super::sample::{Distribution, sample};
use super::scramble::uniform;
use crate::heuristic::Promise;
use crate::puzzle::Depth;
use crate::search::{Limits, Settings, Silent};
use crate::solver::{Answer, Guide, Request, SolveError, Solver};
use serde::Serialize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// No more boards than this are solved.
const MOST_SOLVED: u64 = 1_000;

/// What is looked at.
#[derive(Clone, Copy, Debug)]
pub struct StrengthPlan<'a> {
    /// How many random boards.
    pub boards: u64,
    /// Which ones.
    pub seed: u64,
    /// How long to solve some of them, all in all.
    pub patience: Duration,
    /// How many threads solve one.
    pub threads: usize,
    /// The most bytes that this may take.
    pub bytes: Option<u64>,
    /// Set by another thread to stop soon.
    pub cancelled: &'a AtomicBool,
}

/// What a heuristic says of random boards.
#[derive(Clone, Debug, Serialize)]
pub struct Strength {
    /// The heuristic.
    pub heuristic: String,
    /// Whether it promises never to exceed the distance.
    pub admissible: bool,
    /// Whether it promises that no move lowers it by more than one.
    pub consistent: bool,
    /// How many random boards it was asked about.
    pub boards: u64,
    /// The mean estimate.
    pub mean: f64,
    /// The largest one.
    pub max: Depth,
    /// What a tenth of the boards, half of them and all but a tenth do not exceed.
    pub percentiles: [Depth; 3],
    /// How many boards there are with each estimate, from 0 on.
    pub distribution: Vec<u64>,
    /// How it does on those whose distance was found, if there are any.
    pub known: Option<Known>,
}

/// How a heuristic does on random boards whose distance is known.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Known {
    /// How many boards.
    pub boards: usize,
    /// Their mean distance.
    pub mean_distance: f64,
    /// The mean estimate.
    pub mean: f64,
    /// The share of the distance that the estimate makes out, on average.
    pub share: f64,
    /// For how many boards it is the distance.
    pub exact: usize,
    /// For how many it is too high.
    pub too_high: usize,
}

/// What all heuristics that apply to a solver's puzzle say of the same random boards.
///
/// # Errors
/// If the checker rejects a solution.
pub fn strengths(solver: &Solver, plan: &StrengthPlan<'_>) -> Result<Vec<Strength>, SolveError> {
    let apply = |guide: Guide| Some((solver.promise(&guide).ok()?, guide));
    let (promises, guides): (Vec<Promise>, Vec<Guide>) = solver.guides().filter_map(apply).unzip();
    let distributions = sample(solver, &guides, plan.boards, plan.seed, plan.cancelled)?;
    let solved = solve_some(solver, plan)?;
    guides
        .iter()
        .zip(promises)
        .zip(distributions)
        .map(|((guide, promise), distribution)| {
            let known = known(solver, guide, &solved)?;
            Ok(strength(guide, promise, &distribution, known))
        })
        .collect()
}

fn strength(
    guide: &Guide,
    promise: Promise,
    distribution: &Distribution,
    known: Option<Known>,
) -> Strength {
    Strength {
        heuristic: guide.name().to_owned(),
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
    let settings = Settings { threads: plan.threads, ..Settings::default() };
    let request = Request { limits, settings, ..Request::default() };
    let mut solved = Vec::new();
    for number in 0..plan.boards.min(MOST_SOLVED) {
        let labels = uniform(solver.frame(), &mut Random::new(plan.seed, number));
        let board = solver.frame().decode(&labels);
        let Answer::Searched(found) = solver.solve(&board, &request, &mut Silent)? else {
            unreachable!("random boards are solvable")
        };
        match found.outcome.solution {
            Some(solution) if solution.optimal => {
                solved.push((labels, solution.moves.len() as Depth));
            }
            _ => break,
        }
    }
    Ok(solved)
}

fn known(
    solver: &Solver,
    guide: &Guide,
    solved: &[(Vec<u8>, Depth)],
) -> Result<Option<Known>, SolveError> {
    if solved.is_empty() {
        return Ok(None);
    }
    let estimates: Vec<Depth> = solver.appraise(guide, |heuristic| {
        solved.iter().map(|(labels, _)| heuristic.estimate(labels)).collect()
    })?;
    let pairs = || estimates.iter().copied().zip(solved.iter().map(|&(_, distance)| distance));
    let mean_of =
        |value: fn((Depth, Depth)) -> f64| pairs().map(value).sum::<f64>() / solved.len() as f64;
    Ok(Some(Known {
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
