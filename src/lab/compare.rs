//! Comparisons: algorithms and heuristics on the same boards under the same limits.
//!
//! Every contender (an algorithm, and a heuristic if it takes one) is run on every board, each
//! run on one thread, several at a time. Counts of nodes are exact and the same every time;
//! times are the median over the repetitions. What is compared is kept whole ([`Trial`]), and
//! summed up by puzzle and by distance ([`Group`]).

mod entrant;
mod figures;
mod results;

pub use entrant::{Entrant, Parameter};
pub use results::*;

use super::circumstances::Circumstances;
use super::estimate_sample::{EstimateDistribution, sample_estimates};
use super::input::Item;
use super::prediction::{self, Prediction};
use super::record::Status;
use super::solvers::Solvers;
use super::summary::Quantiles;
use crate::board::Board;
use crate::heuristic::Promise;
use crate::puzzle::Depth;
use crate::search::ida::IDA;
use crate::search::{
    AlgorithmChoice, HeuristicKind, Iteration, Limits, SearchOptions, Silent, Statistics,
    StopReason,
};
use crate::solver::{Answer, RequestError, Solution, SolveError, Solver};
use figures::{effective_branching, rows};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Which algorithms and heuristics are compared, and how.
#[derive(Clone, Debug)]
pub struct ComparePlan<'a> {
    /// The algorithms to run.
    pub algorithms: Vec<Entrant>,
    /// The heuristics; if none is named, all that promise to be admissible on a puzzle, and those
    /// that are not registered.
    pub heuristics: Vec<HeuristicKind>,
    /// Limits and settings of each run; its algorithm and its heuristic are not used.
    pub options: SearchOptions<'a>,
    /// How often each run is repeated, for its time.
    pub repeat: usize,
    /// How many runs there are at a time.
    pub workers: usize,
    /// How many random boards the predictions for IDA* are based on; none without any.
    pub sample: u64,
    /// The seed of the random boards.
    pub seed: u64,
}

impl Default for ComparePlan<'_> {
    /// IDA* with all admissible heuristics, ten seconds a run, on all cores.
    fn default() -> Self {
        ComparePlan {
            algorithms: vec![(&IDA).into()],
            heuristics: Vec::new(),
            options: SearchOptions {
                timeout: Some(Duration::from_secs(10)),
                ..SearchOptions::default()
            },
            repeat: 1,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            sample: 1_000_000,
            seed: 0,
        }
    }
}

/// Compares on the boards among the items; `done` is called after each run.
///
/// ```
/// use permutile::lab::compare::{ComparePlan, compare};
/// use permutile::lab::{input::Source, solvers::Solvers};
/// use permutile::puzzle::{Goal, arch::Simd};
/// use std::sync::atomic::AtomicBool;
///
/// let boards = Source::Inline("7,0,2,8,5,3,6,1,4".to_owned()).read(None);
/// let solvers = Solvers::new(None, Goal::Default, Simd::detect())?;
/// let heuristics = vec!["manhattan".parse()?, "linear-conflict".parse()?];
/// let plan = ComparePlan { heuristics, sample: 0, ..ComparePlan::default() };
/// let found = compare(boards, &solvers, &plan, &AtomicBool::new(false), &|_| {})?;
/// let [manhattan, linear_conflict] = &found.puzzles[0].trials[..] else { panic!("two runs") };
/// assert!(linear_conflict.expanded < manhattan.expanded);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the options do not fit a puzzle, or if the checker rejects a solution.
pub fn compare(
    items: Vec<Item>,
    solvers: &Solvers,
    plan: &ComparePlan<'_>,
    cancelled: &AtomicBool,
    done: &(dyn Fn(Progress) + Sync),
) -> Result<Comparison, SolveError> {
    let (fields, skipped) = fields(items, solvers, plan, cancelled)?;
    // For each puzzle and each board, all contenders.
    let tasks: Vec<(usize, usize, usize)> = fields
        .iter()
        .enumerate()
        .flat_map(|(f, field)| {
            let contenders = 0..field.contenders.len();
            (0..field.boards.len()).flat_map(move |b| contenders.clone().map(move |c| (f, b, c)))
        })
        .collect();
    let results: Vec<OnceLock<Trial>> = tasks.iter().map(|_| OnceLock::new()).collect();
    let failure: Mutex<Option<SolveError>> = Mutex::new(None);
    let (next, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while !cancelled.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            let Some(&(field, board, contender)) = tasks.get(number) else { break };
            match fields[field].run(board, contender, plan, cancelled) {
                // How far it came says nothing.
                Ok(trial) if trial.status == Status::Interrupted => {}
                Ok(trial) => {
                    let set = results[number].set(trial);
                    debug_assert!(set.is_ok(), "each run has one worker");
                    let finished = finished.fetch_add(1, Ordering::Relaxed) + 1;
                    done(Progress { finished, of: tasks.len() });
                }
                Err(error) => {
                    next.store(tasks.len(), Ordering::Relaxed);
                    let mut failure = failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(error);
                }
            }
        }
    };
    // One broadcast, not a task for each run: a worker that waits for something cannot be handed
    // another run meanwhile.
    match rayon::ThreadPoolBuilder::new().num_threads(plan.workers.max(1)).build() {
        Ok(pool) => drop(pool.broadcast(|_| work())),
        Err(_) => work(),
    }
    if let Some(error) = failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let interrupted = cancelled.load(Ordering::Relaxed);
    let mut results = results.into_iter();
    let mut contradictions = Vec::new();
    let mut puzzles = Vec::new();
    for field in fields {
        let count = field.boards.len() * field.contenders.len();
        let trials = results.by_ref().take(count).filter_map(OnceLock::into_inner).collect();
        puzzles.push(field.evaluate(trials, plan, cancelled, &mut contradictions)?);
    }
    let (circumstances, conditions) = (Circumstances::now(), plan.conditions());
    Ok(Comparison { puzzles, contradictions, skipped, interrupted, circumstances, conditions })
}

impl ComparePlan<'_> {
    fn conditions(&self) -> Conditions {
        let options = &self.options;
        let choices = SearchOptions {
            algorithm: AlgorithmChoice::Auto,
            heuristic: None,
            timeout: None,
            limits: Limits::default(),
            ..options.clone()
        };
        Conditions {
            workers: self.workers.max(1),
            repeat: self.repeat.max(1),
            timeout_seconds: options.timeout.map(|timeout| timeout.as_secs_f64()),
            max_nodes: options.limits.nodes,
            max_bytes: options.limits.bytes,
            seed: self.seed,
            // Without the algorithm, which is the first word.
            choices: choices.in_words().split(", ").skip(1).map(str::to_owned).collect(),
        }
    }
}

/// The progress of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many runs are finished.
    pub finished: usize,
    /// How many runs there are.
    pub of: usize,
}

/// The boards of one puzzle, and the contenders that are run on them.
struct Field<'a> {
    solver: &'a Solver,
    contenders: Vec<Contender>,
    /// The algorithm and the heuristic of each contender.
    choices: Vec<(Entrant, Option<HeuristicKind>)>,
    inapplicable: Vec<String>,
    boards: Vec<(Subject, Board)>,
}

/// The boards by puzzle.
fn fields<'a>(
    items: Vec<Item>,
    solvers: &'a Solvers,
    plan: &ComparePlan<'_>,
    cancelled: &AtomicBool,
) -> Result<(Vec<Field<'a>>, Vec<Skipped>), SolveError> {
    let (mut fields, mut skipped): (Vec<Field<'a>>, _) = (Vec::new(), Vec::new());
    for Item { name, entry } in items {
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                let (location, reason) = (Some(error.location()), error.to_string());
                skipped.push(Skipped { board: name, location, status: Status::Invalid, reason });
                continue;
            }
        };
        let mut skip = |board, status, reason| {
            skipped.push(Skipped { board, location: None, status, reason });
        };
        let solver = match solvers.for_board(&entry.board) {
            Ok(solver) => solver,
            Err(error) => {
                skip(name, Status::Invalid, error.to_string());
                continue;
            }
        };
        let labels = match solver.frame().encode(&entry.board) {
            Ok(labels) => labels,
            Err(error) => {
                skip(name, Status::Invalid, error.to_string());
                continue;
            }
        };
        if let Err(reason) = solver.frame().check_solvable(&labels) {
            skip(name, Status::Unsolvable, reason.to_string());
            continue;
        }
        let start = entry.board.tiles().iter().map(|tile| tile.0).collect();
        let board = (Subject { name, start, distance: entry.known_length }, entry.board);
        match fields.iter_mut().find(|field| std::ptr::eq(field.solver, solver)) {
            Some(field) => field.boards.push(board),
            None => {
                fields.push(Field { boards: vec![board], ..Field::new(solver, plan, cancelled)? });
            }
        }
    }
    Ok((fields, skipped))
}

impl<'a> Field<'a> {
    fn new(
        solver: &'a Solver,
        plan: &ComparePlan<'_>,
        cancelled: &AtomicBool,
    ) -> Result<Field<'a>, RequestError> {
        let mut heuristics: Vec<(&HeuristicKind, Promise)> = Vec::new();
        let mut inapplicable = Vec::new();
        for kind in &plan.heuristics {
            match solver.promise(kind) {
                Ok(promise) => heuristics.push((kind, promise)),
                Err(error) => inapplicable.push(error.to_string()),
            }
        }
        if plan.heuristics.is_empty() {
            let all = solver.heuristics().filter_map(|kind| {
                let promise = solver.promise(kind).ok()?;
                (promise.admissible || !kind.is_built_in()).then_some((kind, promise))
            });
            heuristics.extend(all);
        }
        let (mut contenders, mut choices) = (Vec::new(), Vec::new());
        for &entrant in &plan.algorithms {
            let mut enter = |heuristic: Option<(&HeuristicKind, Promise)>| {
                contenders.push(Contender {
                    algorithm: entrant.to_string(),
                    heuristic: heuristic.map(|(kind, _)| kind.name().to_owned()),
                    admissible: heuristic.map(|(_, promise)| promise.admissible),
                    consistent: heuristic.map(|(_, promise)| promise.consistent),
                    only_claims: heuristic.is_some_and(|(kind, _)| kind.only_claims()),
                });
                choices.push((entrant, heuristic.map(|(kind, _)| kind.clone())));
            };
            if entrant.algorithm.is_guided() {
                heuristics.iter().for_each(|&heuristic| enter(Some(heuristic)));
            } else {
                enter(None);
            }
        }
        // Their tables are built now, and not while the clock is running.
        let limits = Limits { cancelled: Some(cancelled), ..plan.options.limits };
        heuristics.iter().try_for_each(|(kind, _)| solver.estimator(kind, &limits).map(drop))?;
        Ok(Field { solver, contenders, choices, inapplicable, boards: Vec::new() })
    }

    /// Runs a contender on a board, with all repetitions.
    fn run(
        &self,
        board: usize,
        contender: usize,
        plan: &ComparePlan<'_>,
        cancelled: &AtomicBool,
    ) -> Result<Trial, SolveError> {
        let (entrant, heuristic) = self.choices[contender].clone();
        let limits = Limits { cancelled: Some(cancelled), ..plan.options.limits };
        let options = SearchOptions { heuristic, limits, threads: 1, ..entrant.on(&plan.options) };
        let (subject, start) = &self.boards[board];
        let mut times = Vec::new();
        let mut last = None;
        while times.len() < plan.repeat.max(1) {
            let began = Instant::now();
            let answer = self.solver.solve(start, &options, &mut Silent)?;
            times.push(began.elapsed().as_secs_f64());
            let Answer::Searched(report) = answer else {
                unreachable!("{} was found to be solvable", subject.name)
            };
            let gave_up = report.stop.is_some();
            last = Some(report);
            if gave_up {
                break;
            }
        }
        let h = match &options.heuristic {
            Some(kind) => {
                let labels = self.solver.frame().encode(start).map_err(RequestError::from)?;
                Some(self.solver.estimator(kind, &Limits::default())?.estimate(&labels))
            }
            None => None,
        };
        let report = last.expect("it is run at least once");
        let Statistics {
            expanded,
            generated,
            expanded_below,
            max_depth,
            peak_bytes,
            iterations,
            ..
        } = report.statistics;
        let goal = u64::from(options.count_goal && report.solution.is_some());
        let status = match (&report.solution, report.stop) {
            (_, Some(StopReason::Cancelled)) => Status::Interrupted,
            (None, Some(stop)) => stop.into(),
            (Some(_), _) | (None, None) => Status::Solved,
        };
        let optimal = report.solution.as_ref().is_some_and(Solution::is_optimal);
        let last_iteration = iterations.len().saturating_sub(1);
        let row = |(number, iteration): (usize, Iteration)| IterationRow {
            bound: iteration.bound,
            expanded: iteration.expanded,
            generated: iteration.generated,
            complete: number < last_iteration,
        };
        let length = report.solution.as_ref().map(|solution| solution.len() as Depth);
        Ok(Trial {
            board,
            contender,
            status,
            length,
            optimal,
            stopped_by: report.stop.filter(|_| length.is_some() && !optimal).map(Status::from),
            improvements: report
                .improvements
                .iter()
                .map(|improvement| (improvement.after.as_secs_f64(), improvement.length))
                .collect(),
            rests_on_claim: report.rests_on.is_some(),
            lower_bound: report.lower_bound,
            expanded: expanded + goal,
            generated,
            expanded_below,
            max_depth,
            peak_bytes,
            seconds: Quantiles::from_numbers(&times).map_or(0.0, |quantiles| quantiles.median),
            h,
            branching: length.and_then(|length| effective_branching(generated, length)),
            iterations: iterations.into_iter().enumerate().map(row).collect(),
            moves: report.solution.map_or(Vec::new(), |solution| solution.moves().to_vec()),
        })
    }

    /// Computes the means of the runs.
    fn evaluate(
        mut self,
        trials: Vec<Trial>,
        plan: &ComparePlan<'_>,
        cancelled: &AtomicBool,
        contradictions: &mut Vec<String>,
    ) -> Result<PuzzleComparison, SolveError> {
        self.settle_distances(&trials, contradictions);
        let estimates = self.estimates(&trials)?;
        let predictions = self.predictions(&trials, plan, cancelled)?;
        let Field { solver, contenders, inapplicable, boards, .. } = self;
        let boards: Vec<Subject> = boards.into_iter().map(|(subject, _)| subject).collect();
        let mut by_group: BTreeMap<Which, Vec<usize>> = BTreeMap::new();
        for (number, subject) in boards.iter().enumerate() {
            let which = subject.distance.map_or(Which::UnknownDistance, Which::Distance);
            by_group.entry(Which::All).or_default().push(number);
            by_group.entry(which).or_default().push(number);
        }
        let groups = by_group.into_iter().map(|(of, members)| {
            let rows = rows(&members, &boards, &trials, contenders.len());
            Group { of, boards: members.len(), rows }
        });
        Ok(PuzzleComparison {
            puzzle: solver.frame().id().to_owned(),
            groups: groups.collect(),
            contenders,
            inapplicable,
            boards,
            trials,
            estimates,
            predictions,
        })
    }

    /// Learns distances from what was proven, and says where proofs do not agree, and which claims
    /// they refute.
    fn settle_distances(&mut self, trials: &[Trial], contradictions: &mut Vec<String>) {
        for trial in trials.iter().filter(|trial| trial.optimal) {
            let subject = &mut self.boards[trial.board].0;
            let length = trial.length.expect("what is optimal has a length");
            let known = *subject.distance.get_or_insert(length);
            if known != length {
                contradictions.push(format!(
                    "{}: {} proves that {length} moves are needed, but it is stated or proven \
                     elsewhere that {known} are",
                    subject.name,
                    self.contenders[trial.contender].name(),
                ));
            }
        }
        for trial in trials.iter().filter(|trial| !trial.optimal && !trial.rests_on_claim) {
            let subject = &self.boards[trial.board].0;
            let Some(known) = subject.distance else { continue };
            let found = trial.length.filter(|&length| length < known);
            let says = match found {
                Some(length) => format!("finds a solution of {length} moves"),
                None if trial.lower_bound > known => {
                    format!("proves that {} moves are needed", trial.lower_bound)
                }
                None => continue,
            };
            contradictions.push(format!(
                "{}: {} {says}, but it is stated or proven elsewhere that {known} are needed",
                subject.name,
                self.contenders[trial.contender].name(),
            ));
        }
        for trial in trials.iter().filter(|trial| trial.rests_on_claim) {
            let (subject, contender) =
                (&self.boards[trial.board].0, &self.contenders[trial.contender]);
            if let (Some(length), Some(known)) = (trial.length, subject.distance)
                && known < length
            {
                contradictions.push(format!(
                    "{}: {} finds no solution of fewer than {length} moves where {known} suffice: \
                     {} is not admissible, as it claims",
                    subject.name,
                    contender.name(),
                    contender.heuristic.as_deref().unwrap_or_default(),
                ));
            }
        }
    }

    /// The heuristics' estimates on shortest paths.
    fn estimates(&self, trials: &[Trial]) -> Result<Vec<Estimates>, SolveError> {
        let mut paths: BTreeMap<usize, &Trial> = BTreeMap::new();
        for trial in trials {
            if trial.length.is_some() && trial.length == self.boards[trial.board].0.distance {
                paths.entry(trial.board).or_insert(trial);
            }
        }
        let mut all: Vec<Estimates> = Vec::new();
        for kind in self.choices.iter().filter_map(|(_, kind)| kind.as_ref()) {
            if all.iter().any(|known| known.heuristic == kind.name()) {
                continue;
            }
            let mut counts: BTreeMap<(Depth, Depth), u64> = BTreeMap::new();
            let estimator = self.solver.estimator(kind, &Limits::default())?;
            for (&board, trial) in &paths {
                let board = &self.boards[board].1;
                let labels = self.solver.frame().encode(board).map_err(RequestError::from)?;
                let estimates = estimator.path_estimates(&labels, &trial.moves);
                for (made, estimate) in estimates.iter().enumerate() {
                    let distance = (trial.moves.len() - made) as Depth;
                    *counts.entry((distance, estimate.estimate)).or_default() += 1;
                }
            }
            let count = |((distance, h), boards)| EstimateCount { distance, h, boards };
            let counts = counts.into_iter().map(count).collect();
            all.push(Estimates { heuristic: kind.name().to_owned(), counts });
        }
        Ok(all)
    }

    /// Predicts the nodes of IDA* with each consistent heuristic.
    fn predictions(
        &self,
        trials: &[Trial],
        plan: &ComparePlan<'_>,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Predictions>, SolveError> {
        let is_predictable = |&c: &usize| {
            self.choices[c].0 == (&IDA).into() && self.contenders[c].consistent == Some(true)
        };
        let numbers: Vec<usize> = (0..self.contenders.len()).filter(is_predictable).collect();
        if plan.sample == 0 || numbers.is_empty() {
            return Ok(Vec::new());
        }
        let kinds: Vec<HeuristicKind> =
            numbers.iter().filter_map(|&c| self.choices[c].1.clone()).collect();
        let distributions =
            sample_estimates(self.solver, &kinds, plan.sample, plan.seed, cancelled)?;
        if cancelled.load(Ordering::Relaxed) {
            return Ok(Vec::new());
        }
        let predicted = |(c, distribution): (&usize, EstimateDistribution)| Predictions {
            heuristic: self.contenders[*c].heuristic.clone().unwrap_or_default(),
            sample: distribution.boards(),
            rows: self.prediction_rows(*c, trials, &distribution),
        };
        Ok(numbers.iter().zip(distributions).map(predicted).collect())
    }

    fn prediction_rows(
        &self,
        contender: usize,
        trials: &[Trial],
        distribution: &EstimateDistribution,
    ) -> Vec<PredictionRow> {
        let mut by_bound: BTreeMap<Depth, Vec<(usize, u64)>> = BTreeMap::new();
        for trial in trials.iter().filter(|trial| trial.contender == contender) {
            for iteration in trial.iterations.iter().filter(|iteration| iteration.complete) {
                by_bound
                    .entry(iteration.bound)
                    .or_default()
                    .push((trial.board, iteration.expanded));
            }
        }
        let frame = self.solver.frame();
        let row = |(bound, runs): (Depth, Vec<(usize, u64)>)| {
            let mut by_start: BTreeMap<Option<usize>, Prediction> = BTreeMap::new();
            let (mut predicted, mut error, mut measured) = (0.0, 0.0, 0.0);
            for &(board, expanded) in &runs {
                let blank = self.boards[board].1.blank();
                let prediction = by_start
                    .entry(blank)
                    .or_insert_with(|| prediction::predict(frame, blank, bound, distribution));
                predicted += prediction.nodes;
                // All boards are predicted from the same sample: errors do not cancel out.
                error += prediction.standard_error;
                measured += expanded as f64;
            }
            let boards = runs.len();
            let [predicted, standard_error, measured] =
                [predicted, error, measured].map(|sum| sum / boards as f64);
            PredictionRow { bound, boards, predicted, standard_error, measured }
        };
        by_bound.into_iter().map(row).collect()
    }
}
