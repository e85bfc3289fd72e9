//! Comparisons: algorithms and heuristics on the same boards under the same limits.
//!
//! Every contender (an algorithm, and a heuristic if it takes one) is run on every board, each
//! run on one thread, several at a time. Counts of nodes are exact and the same every time;
//! times are the median over the repetitions. What is compared is kept whole ([`Trial`]), and
//! summed up by puzzle and by distance ([`Group`]).

mod figures;
mod results;

pub use results::*;

use super::input::Item;
use super::plan::Plan;
use super::prediction::{self, Prediction};
use super::record::Status;
use super::sample::{Distribution, sample};
use super::solvers::Solvers;
use super::summary::Spread;
use crate::board::Board;
use crate::heuristic::Promise;
use crate::puzzle::Depth;
use crate::search::ida::Ida;
use crate::search::registry as algorithms;
use crate::search::{Described, Iteration, Silent, Statistics};
use crate::solver::{AUTO, Answer, Found, Guide, SolveError, Solver};
use figures::{effective_branching, rows};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// What is compared, and how.
#[derive(Clone, Debug)]
pub struct ComparePlan {
    /// The algorithms.
    pub algorithms: Vec<String>,
    /// The heuristics; if none is named, all that promise to be admissible on a puzzle, and those
    /// that are not registered.
    pub heuristics: Vec<String>,
    /// Limits and settings of each run; its algorithm and its heuristic are not used.
    pub run: Plan,
    /// How often each run is repeated, for its time.
    pub repeat: usize,
    /// How many runs there are at a time.
    pub workers: usize,
    /// How many random boards the predictions for IDA* are based on; none without any.
    pub sample: u64,
    /// Which random boards.
    pub seed: u64,
}

impl Default for ComparePlan {
    /// IDA* with all admissible heuristics, ten seconds a run, on all cores.
    fn default() -> ComparePlan {
        ComparePlan {
            algorithms: vec![Ida::NAME.to_owned()],
            heuristics: Vec::new(),
            run: Plan { timeout: Some(Duration::from_secs(10)), ..Plan::default() },
            repeat: 1,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            sample: 1_000_000,
            seed: 0,
        }
    }
}

/// Compares on the boards among the items; `done` hears of each run that is over.
///
/// # Errors
/// If the plan names what does not exist, or if the checker rejects a solution.
pub fn compare(
    items: Vec<Item>,
    solvers: &Solvers,
    plan: &ComparePlan,
    cancelled: &AtomicBool,
    done: &(dyn Fn(Progress) + Sync),
) -> Result<Comparison, SolveError> {
    plan.heuristics.iter().try_for_each(|name| solvers.guide(name).map(drop))?;
    let (fields, skipped) = fields(items, solvers, plan)?;
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
    // Workers are sent out once, as in a batch: none can be handed another's run while it waits.
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
    Ok(Comparison { puzzles, contradictions, skipped, interrupted })
}

/// How far a comparison has come.
#[derive(Clone, Copy, Debug)]
pub struct Progress {
    /// How many runs are over.
    pub finished: usize,
    /// How many there are.
    pub of: usize,
}

/// The boards of one puzzle, and who competes on them.
struct Field<'a> {
    solver: &'a Solver,
    contenders: Vec<Contender>,
    inapplicable: Vec<String>,
    boards: Vec<(Subject, Board)>,
}

/// The boards by puzzle.
fn fields<'a>(
    items: Vec<Item>,
    solvers: &'a Solvers,
    plan: &ComparePlan,
) -> Result<(Vec<Field<'a>>, Vec<Skipped>), SolveError> {
    let (mut fields, mut skipped): (Vec<Field<'a>>, _) = (Vec::new(), Vec::new());
    for Item { name, entry } in items {
        let mut skip = |name, status, reason| skipped.push(Skipped { board: name, status, reason });
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                skip(name, Status::Invalid, error.to_string());
                continue;
            }
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
            None => fields.push(Field { boards: vec![board], ..Field::new(solver, plan)? }),
        }
    }
    Ok((fields, skipped))
}

impl<'a> Field<'a> {
    fn new(solver: &'a Solver, plan: &ComparePlan) -> Result<Field<'a>, SolveError> {
        let mut heuristics = Vec::new();
        let mut inapplicable = Vec::new();
        for name in &plan.heuristics {
            let guide = solver.guide(name)?;
            match solver.promise(&guide) {
                Ok(promise) => heuristics.push((guide, promise)),
                Err(error) => inapplicable.push(error.to_string()),
            }
        }
        if plan.heuristics.is_empty() {
            let all = solver.guides().filter_map(|guide| {
                let promise = solver.promise(&guide).ok()?;
                (promise.admissible || !guide.is_registered()).then_some((guide, promise))
            });
            heuristics.extend(all);
        }
        let mut contenders = Vec::new();
        for algorithm in &plan.algorithms {
            let unknown = || SolveError::UnknownAlgorithm { name: algorithm.clone() };
            let guided = match algorithms::find(algorithm) {
                Some(entry) => entry.guided,
                None if algorithm == AUTO => true,
                None => return Err(unknown()),
            };
            let contender = |heuristic: Option<&(Guide, Promise)>| Contender {
                algorithm: algorithm.clone(),
                heuristic: heuristic.map(|(guide, _)| guide.name().to_owned()),
                admissible: heuristic.map(|(_, promise)| promise.admissible),
                consistent: heuristic.map(|(_, promise)| promise.consistent),
            };
            if guided {
                contenders.extend(heuristics.iter().map(|heuristic| contender(Some(heuristic))));
            } else {
                contenders.push(contender(None));
            }
        }
        // Their tables are built now, and not while the clock is running.
        heuristics.iter().try_for_each(|(guide, _)| solver.appraise(guide, |_| ()))?;
        Ok(Field { solver, contenders, inapplicable, boards: Vec::new() })
    }

    /// Runs a contender on a board, as often as is wanted.
    fn run(
        &self,
        board: usize,
        contender: usize,
        plan: &ComparePlan,
        cancelled: &AtomicBool,
    ) -> Result<Trial, SolveError> {
        let Contender { algorithm, heuristic, .. } = self.contenders[contender].clone();
        let run = Plan { algorithm, heuristic: heuristic.clone(), threads: 1, ..plan.run.clone() };
        let (subject, start) = &self.boards[board];
        let mut times = Vec::new();
        let mut last = None;
        while times.len() < plan.repeat.max(1) {
            let began = Instant::now();
            let request = run.request(self.solver.frame(), began, cancelled);
            let request = request.map_err(|error| SolveError::Setting { error })?;
            let answer = self.solver.solve(start, &request, &mut Silent)?;
            times.push(began.elapsed().as_secs_f64());
            let Answer::Searched(found) = answer else {
                unreachable!("{} was found to be solvable", subject.name)
            };
            let gave_up = found.outcome.stop.is_some();
            last = Some(found);
            if gave_up {
                break;
            }
        }
        let h = match heuristic {
            Some(name) => {
                let labels = self.solver.frame().encode(start)?;
                let guide = self.solver.guide(&name)?;
                Some(self.solver.appraise(&guide, |heuristic| heuristic.estimate(&labels))?)
            }
            None => None,
        };
        let Found { outcome, .. } = last.expect("it is run at least once");
        let Statistics { expanded, generated, expanded_below, peak_bytes, iterations, .. } =
            outcome.statistics;
        let last_iteration = iterations.len().saturating_sub(1);
        let row = |(number, iteration): (usize, Iteration)| IterationRow {
            bound: iteration.bound,
            expanded: iteration.expanded,
            generated: iteration.generated,
            complete: number < last_iteration,
        };
        let (moves, optimal) = match outcome.solution {
            Some(solution) => (Some(solution.moves), solution.optimal),
            None => (None, false),
        };
        let length = moves.as_ref().map(|moves| moves.len() as Depth);
        Ok(Trial {
            board,
            contender,
            status: outcome.stop.map_or(Status::Solved, Status::from),
            length,
            optimal,
            lower_bound: outcome.lower_bound,
            expanded,
            generated,
            expanded_below,
            peak_bytes,
            seconds: Spread::of(&times).map_or(0.0, |spread| spread.median),
            h,
            branching: length.and_then(|length| effective_branching(generated, length)),
            iterations: iterations.into_iter().enumerate().map(row).collect(),
            moves: moves.unwrap_or_default(),
        })
    }

    /// Sums up the runs.
    fn evaluate(
        mut self,
        trials: Vec<Trial>,
        plan: &ComparePlan,
        cancelled: &AtomicBool,
        contradictions: &mut Vec<String>,
    ) -> Result<PuzzleComparison, SolveError> {
        self.settle_distances(&trials, contradictions);
        let estimates = self.estimates(&trials)?;
        let predictions = self.predictions(&trials, plan, cancelled)?;
        let Field { solver, contenders, inapplicable, boards } = self;
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

    /// Learns distances from what was proven, and says where proofs do not agree.
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
    }

    /// What the heuristics say on shortest paths.
    fn estimates(&self, trials: &[Trial]) -> Result<Vec<Estimates>, SolveError> {
        let mut paths: BTreeMap<usize, &Trial> = BTreeMap::new();
        for trial in trials {
            if trial.length.is_some() && trial.length == self.boards[trial.board].0.distance {
                paths.entry(trial.board).or_insert(trial);
            }
        }
        let mut all: Vec<Estimates> = Vec::new();
        for name in self.contenders.iter().filter_map(|contender| contender.heuristic.as_ref()) {
            if all.iter().any(|known| known.heuristic == *name) {
                continue;
            }
            let mut counts: BTreeMap<(Depth, Depth), u64> = BTreeMap::new();
            let guide = self.solver.guide(name)?;
            for (&board, trial) in &paths {
                let labels = self.solver.frame().encode(&self.boards[board].1)?;
                let along = self
                    .solver
                    .appraise(&guide, |heuristic| heuristic.along(&labels, &trial.moves))?;
                for (made, (_, h)) in along.steps.iter().enumerate() {
                    let distance = (trial.moves.len() - made) as Depth;
                    *counts.entry((distance, *h)).or_default() += 1;
                }
            }
            let count = |((distance, h), boards)| EstimateCount { distance, h, boards };
            let counts = counts.into_iter().map(count).collect();
            all.push(Estimates { heuristic: name.clone(), counts });
        }
        Ok(all)
    }

    /// What IDA* with each consistent heuristic was to be expected to expand.
    fn predictions(
        &self,
        trials: &[Trial],
        plan: &ComparePlan,
        cancelled: &AtomicBool,
    ) -> Result<Vec<Predictions>, SolveError> {
        let is_predictable = |contender: &Contender| {
            contender.algorithm == Ida::NAME && contender.consistent == Some(true)
        };
        let numbers: Vec<usize> =
            (0..self.contenders.len()).filter(|&c| is_predictable(&self.contenders[c])).collect();
        if plan.sample == 0 || numbers.is_empty() {
            return Ok(Vec::new());
        }
        let name = |&c: &usize| self.contenders[c].heuristic.clone().unwrap_or_default();
        let guides: Result<Vec<Guide>, _> =
            numbers.iter().map(|c| self.solver.guide(&name(c))).collect();
        let distributions = sample(self.solver, &guides?, plan.sample, plan.seed, cancelled)?;
        let predicted = |(c, distribution): (&usize, Distribution)| Predictions {
            heuristic: name(c),
            sample: distribution.boards(),
            rows: self.prediction_rows(*c, trials, &distribution),
        };
        Ok(numbers.iter().zip(distributions).map(predicted).collect())
    }

    fn prediction_rows(
        &self,
        contender: usize,
        trials: &[Trial],
        distribution: &Distribution,
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
