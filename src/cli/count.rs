//! `permutile count`: God's algorithm, layer by layer.

use super::exit::Exit;
use super::options::{GoalOption, LimitOptions, PuzzleArgument};
use super::output::{data, note};
use super::progress::Progress;
use super::{Common, interrupt};
use clap::Args;
use permutile::format::{bytes, duration, grouped};
use permutile::lab::circumstances::Circumstances;
use permutile::lab::count::{CountEnd, CountObserver, count};
use permutile::lab::distance_sample::sample_distances;
use permutile::puzzle::AnyPuzzle;
use permutile::solver::Solver;
use permutile::table::layers::LayerSize;
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Count the boards at each distance from the goal (God's algorithm)
///
/// Counts classes of symmetric boards and multiplies; beside the boards stands how many
/// sequences of moves a search tries to reach them.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile count torus3\n  \
    permutile count torus4 --depth 8\n  \
    permutile count rings5 --max-memory 1GiB --timeout 1m\n  \
    permutile count torus4 --sample 1000")]
pub(super) struct Count {
    #[command(flatten)]
    puzzle: PuzzleArgument,
    #[command(flatten)]
    goal: GoalOption,
    /// Stop at this distance [default: as far as it goes]
    #[arg(long, value_name = "D")]
    depth: Option<u32>,
    /// Instead, solve this many boards, each equally likely, and say how far they are
    #[arg(long, value_name = "N", conflicts_with = "depth", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
    #[command(flatten)]
    limits: LimitOptions,
}

pub(super) fn run(command: &Count, common: &Common) -> anyhow::Result<Exit> {
    let solver = command.goal.solver(command.puzzle.id(), common)?;
    if let Some(boards) = command.sample {
        return sample(command, &solver, boards, common);
    }
    let puzzle = solver.puzzle();
    let mut printer = Printer {
        puzzle,
        json: common.json,
        progress: Progress::new(common.quiet),
        began: Instant::now(),
        last: Instant::now(),
        boards: 0,
        trouble: None,
        sequences: Box::new(puzzle.frame().automaton().sequences()),
    };
    if !common.json {
        let header = ["depth", "boards", "classes", "sequences", "time", "memory"];
        data(row(header.map(str::to_owned)))?;
    }
    let depth = command.depth.unwrap_or(u32::MAX);
    let limits = command.limits.starting_now();
    let end = count(puzzle, depth, &limits, &mut printer);
    printer.finish(end, common.quiet)
}

/// How far random boards are.
fn sample(command: &Count, solver: &Solver, boards: u64, common: &Common) -> anyhow::Result<Exit> {
    let began = Instant::now();
    let progress = Mutex::new((Progress::new(common.quiet), 0));
    let solved = || {
        let (progress, done) = &mut *progress.lock().unwrap_or_else(PoisonError::into_inner);
        *done += 1;
        progress.show(|| format!("{done} of {} boards solved", grouped(boards)));
    };
    let drawn =
        sample_distances(solver, boards, command.seed, command.limits.starting_now(), &solved)?;
    progress.lock().unwrap_or_else(PoisonError::into_inner).0.clear();
    let (mean, error) = (drawn.mean(), drawn.standard_error());
    let id = solver.frame().id();
    if common.json {
        data(serde_json::json!({
            "puzzle": id, "sample": boards, "seed": command.seed, "solved": drawn.solved(),
            "unsolved": drawn.unsolved, "mean": mean, "standard_error": error,
            "histogram": drawn.counts, "seconds": began.elapsed().as_secs_f64(),
            "circumstances": Circumstances::now(),
        }))?;
    } else {
        data(format!("{:>5}  {:>12}  {:>7}", "depth", "boards", "share"))?;
        let first = drawn.counts.iter().position(|&count| count > 0).unwrap_or(0);
        for (depth, &count) in drawn.counts.iter().enumerate().skip(first) {
            let share = 100.0 * count as f64 / drawn.solved() as f64;
            data(format!("{depth:>5}  {:>12}  {share:>5.1} %", grouped(count)))?;
        }
        if let Some(mean) = mean {
            let error = error.map_or(String::new(), |error| format!(" ± {error:.3}"));
            data(format!("mean {mean:.3}{error} over {} boards", grouped(drawn.solved())))?;
        }
        if mean.is_some() && !common.quiet {
            let time = duration(began.elapsed().as_secs_f64());
            let seed = command.seed;
            note(format!("boards of {id}, each equally likely, all proven; seed {seed}; {time}"));
            note(Circumstances::now());
        }
    }
    if interrupt::is_set() {
        return Ok(Exit::Interrupted);
    }
    if drawn.unsolved > 0 {
        note(format!(
            "{} boards could not be solved within the limits: the mean of all is larger",
            grouped(drawn.unsolved)
        ));
        return Ok(Exit::Limit);
    }
    Ok(Exit::Success)
}

fn row(cells: [String; 6]) -> String {
    let [depth, boards, classes, sequences, time, memory] = cells;
    format!("{depth:>5}  {boards:>22}  {classes:>16}  {sequences:>22}  {time:>9}  {memory:>9}")
}

struct Printer<'a> {
    puzzle: &'a AnyPuzzle,
    json: bool,
    progress: Progress,
    began: Instant,
    last: Instant,
    boards: u128,
    trouble: Option<anyhow::Error>,
    /// How many sequences of moves lead to each layer, one layer after the other.
    sequences: Box<dyn Iterator<Item = u128> + 'a>,
}

impl CountObserver for Printer<'_> {
    fn layer(&mut self, size: LayerSize, peak_bytes: u64) {
        self.progress.clear();
        self.boards += u128::from(size.boards);
        let seconds = self.last.elapsed().as_secs_f64();
        self.last = Instant::now();
        let frame = self.puzzle.frame();
        let sequences = self.sequences.next().filter(|_| frame.blank_label().is_none());
        let printed = if self.json {
            data(serde_json::json!({
                "puzzle": frame.id(), "depth": size.depth, "boards": size.boards,
                "classes": size.classes, "sequences": sequences.and_then(|s| u64::try_from(s).ok()),
                "seconds": seconds, "peak_bytes": peak_bytes,
            }))
        } else {
            data(row([
                size.depth.to_string(),
                grouped(size.boards),
                grouped(size.classes),
                sequences.map_or("-".to_owned(), grouped),
                duration(seconds),
                bytes(peak_bytes),
            ]))
        };
        // The output is closed: stop soon, and report the error at the end.
        if let Err(error) = printed {
            self.trouble.get_or_insert(error);
            interrupt::stop();
        }
    }

    fn progress(&mut self, depth: u32, expanded: usize, of: usize) {
        self.progress.show(|| {
            let share = 100.0 * expanded as f64 / of.max(1) as f64;
            format!("depth {depth}: {share:.0} % of {} classes expanded", grouped(of as u64))
        });
    }
}

impl Printer<'_> {
    fn finish(mut self, end: CountEnd, quiet: bool) -> anyhow::Result<Exit> {
        self.progress.clear();
        if let Some(trouble) = self.trouble {
            return Err(trouble);
        }
        let (complete, what, exit) = match end {
            CountEnd::Complete => (true, "all boards are counted".to_owned(), Exit::Success),
            CountEnd::Depth => (false, "the depth asked for is reached".to_owned(), Exit::Success),
            CountEnd::Stopped(stop) => (false, stop.to_string(), stop.into()),
        };
        let total = self.boards;
        if self.json {
            data(serde_json::json!({
                "puzzle": self.puzzle.frame().id(), "total": u64::try_from(total).ok(),
                "complete": complete, "ended": what, "seconds": self.began.elapsed().as_secs_f64(),
            }))?;
        } else {
            data(format!("total  {:>22}", grouped(total)))?;
            if !quiet {
                note(format!("{what}, after {}", duration(self.began.elapsed().as_secs_f64())));
            }
        }
        Ok(exit)
    }
}
