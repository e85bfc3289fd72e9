//! Feeds the fuzz targets with mutated examples, on all cores and a stable compiler: `scripts/fuzz`.
//!
//! The time is shared equally by the targets. An input that makes one panic, or takes longer than
//! some seconds, is written to `target/fuzz` and printed; the exit code is then 1.

use permutile::fuzzing::{Mutator, TARGETS, Target};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// An input that takes longer is reported.
const PATIENCE: Duration = Duration::from_secs(5);

const USAGE: &str = "usage: fuzz [--minutes N] [--executions N] [--seed S] [TARGET...]";

/// What is to be done.
struct Plan {
    /// For all targets together.
    time: Duration,
    /// No more than this many inputs for each target.
    executions: u64,
    seed: u64,
    targets: Vec<Target>,
}

fn plan(mut arguments: impl Iterator<Item = String>) -> Option<Plan> {
    let mut plan =
        Plan { time: Duration::from_secs(60), executions: u64::MAX, seed: 0, targets: Vec::new() };
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--minutes" => {
                let minutes: f64 = arguments.next()?.parse().ok()?;
                plan.time = Duration::try_from_secs_f64(60.0 * minutes).ok()?;
            }
            "--executions" => plan.executions = arguments.next()?.parse().ok()?,
            "--seed" => plan.seed = arguments.next()?.parse().ok()?,
            name => plan.targets.push(*TARGETS.iter().find(|target| target.name == name)?),
        }
    }
    if plan.targets.is_empty() {
        plan.targets = TARGETS.to_vec();
    }
    Some(plan)
}

/// What has come of one target.
#[derive(Default)]
struct Tally {
    executions: AtomicU64,
    /// Inputs with what is wrong about them.
    found: Mutex<Vec<(Vec<u8>, String)>>,
}

impl Tally {
    fn add(&self, input: &[u8], what: String) {
        let mut found = self.found.lock().expect("no thread panics while it adds");
        if found.len() < 10 {
            found.push((input.to_vec(), what));
        }
    }
}

/// Runs a target on one thread until its time is over.
fn feed(target: Target, seed: u64, end: Instant, most: u64, tally: &Tally) {
    let mut mutator = Mutator::new(seed, (target.examples)());
    let mut last = Instant::now();
    while last < end && tally.executions.load(Ordering::Relaxed) < most {
        // Looking at the clock takes as long as a small input.
        for _ in 0..64 {
            let input = mutator.next_input();
            let run = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
            if let Err(panic) = run {
                let text = panic.downcast_ref::<String>().cloned();
                let text = text.or(panic.downcast_ref::<&str>().map(|&text| text.to_owned()));
                tally.add(input, text.unwrap_or_default());
            }
            if last.elapsed() > PATIENCE {
                // Not if it was the machine that stood still.
                let again = Instant::now();
                let _ = catch_unwind(AssertUnwindSafe(|| (target.run)(input)));
                if again.elapsed() > PATIENCE {
                    tally.add(input, format!("it takes {:.1?}", again.elapsed()));
                }
                last = Instant::now();
            }
        }
        tally.executions.fetch_add(64, Ordering::Relaxed);
        last = Instant::now();
    }
}

#[expect(clippy::print_stdout, reason = "this is a program")]
fn main() -> ExitCode {
    let Some(plan) = plan(env::args().skip(1)) else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        println!("{USAGE}\ntargets: {}", names.join(", "));
        return ExitCode::from(2);
    };
    // Panics are printed with their inputs.
    std::panic::set_hook(Box::new(|_| ()));
    let threads = thread::available_parallelism().map_or(1, usize::from) as u64;
    let share = plan.time / plan.targets.len() as u32;
    let mut faults = 0;
    for target in &plan.targets {
        let tally = Tally::default();
        let began = Instant::now();
        thread::scope(|scope| {
            for thread in 0..threads {
                let (tally, seed) = (&tally, plan.seed.wrapping_mul(threads).wrapping_add(thread));
                scope.spawn(move || feed(*target, seed, began + share, plan.executions, tally));
            }
        });
        let (executions, seconds) = (tally.executions.into_inner(), began.elapsed().as_secs_f64());
        let rate = executions as f64 / seconds;
        println!(
            "{:12} {executions:>12} executions in {seconds:.0} s, {rate:.0} a second",
            target.name
        );
        let folder = Path::new("target/fuzz");
        for (number, (input, what)) in tally.found.into_inner().into_iter().flatten().enumerate() {
            faults += 1;
            let path = folder.join(format!("{}-{}-{number}", target.name, plan.seed));
            let written = fs::create_dir_all(folder).and_then(|()| fs::write(&path, &input));
            let place =
                written.map_or_else(|error| error.to_string(), |()| path.display().to_string());
            println!("  {what}\n  {:?}\n  {place}", String::from_utf8_lossy(&input));
        }
    }
    ExitCode::from(u8::from(faults > 0))
}
