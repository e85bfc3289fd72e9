//! Whole runs of `permutile batch`: the program as users run it, from start to exit.
//!
//! Criterion measures runs over a thousand boards; what looks at their journals is not counted.
//! `cargo bench --bench batch -- report` prints, for ten thousand boards in one file, and for as
//! many files with one board each: what a second thread is worth, by the rate that the program
//! itself tells and from start to exit, beside what a second core of this machine is worth to two
//! programs that know nothing of each other; what a board takes besides its search; and how soon
//! the first result is there.

#[path = "common/report.rs"]
mod report;

use criterion::{Throughput, criterion_group, criterion_main};
use permutile_bench::{Criterion, SteadyClock};
use report::{median, reports_wanted};
use std::cell::LazyCell;
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_permutile");

/// Boards of the 4x4 torus, 6 moves from the goal, in a folder for everything.
struct Work {
    folder: TempDir,
    boards: usize,
    kept: Kept,
}

/// How boards are kept.
#[derive(Clone, Copy)]
enum Kept {
    InOneFile,
    InFilesOfTheirOwn,
}

/// What a run takes.
struct Run {
    /// From start to exit.
    wall: Duration,
    /// For the searches, all threads together.
    searching: Duration,
    /// For each board, by the rate that the program tells: when it looks at the clock, it has
    /// been loaded, and has yet to end.
    each: Duration,
}

impl Work {
    fn new(boards: usize, kept: Kept) -> Work {
        let folder = tempfile::tempdir().expect("a folder");
        let work = Work { folder, boards, kept };
        let file = work.folder.path().join("depth6.boards");
        let made = Command::new(PROGRAM)
            .args(["scramble", "torus4", "--exact-depth", "6", "--seed", "1", "-q", "--count"])
            .args([boards.to_string().as_str(), "--out"])
            .arg(&file)
            .status();
        assert!(made.expect("the program runs").success());
        if let Kept::InFilesOfTheirOwn = kept {
            fs::create_dir(work.input()).expect("a folder");
            let text = fs::read_to_string(file).expect("boards");
            for (number, line) in text.lines().enumerate() {
                let (_, board) = line.split_once(": ").expect("a board with a name");
                let path = work.input().join(format!("board{number}.txt"));
                fs::write(path, board).expect("a file");
            }
        }
        work
    }

    fn input(&self) -> PathBuf {
        self.folder.path().join(match self.kept {
            Kept::InOneFile => "depth6.boards",
            Kept::InFilesOfTheirOwn => "depth6",
        })
    }

    fn command(&self, threads: usize) -> Command {
        let mut command = Command::new(PROGRAM);
        command.arg("batch").arg(self.input()).args(["--threads", &threads.to_string()]);
        command
    }

    /// Without a summary.
    fn quiet_command(&self, threads: usize) -> Command {
        let mut command = self.command(threads);
        command.arg("-q");
        command
    }

    fn run(&self, threads: usize) -> Run {
        let journal = self.folder.path().join("journal");
        let mut command = self.command(threads);
        command.args(["--json", "--out"]).arg(&journal);
        let began = Instant::now();
        let output = command.output().expect("the program runs");
        let wall = began.elapsed();
        assert!(output.status.success());
        let summary: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a summary");
        let each = summary["run"]["boards_per_second"].as_f64().expect("a rate").recip();
        let text = fs::read_to_string(&journal).expect("a journal");
        // Emptying it would be work for the next run.
        fs::remove_file(journal).expect("it can be removed");
        let mut searching = 0.0;
        let mut records = 0;
        for line in text.lines() {
            let record: serde_json::Value = serde_json::from_str(line).expect("a record");
            assert_eq!((&record["length"], &record["optimal"]), (&6.into(), &true.into()));
            searching += record["seconds"].as_f64().expect("seconds");
            records += 1;
        }
        assert_eq!(records, self.boards);
        let [searching, each] = [searching, each].map(Duration::from_secs_f64);
        Run { wall, searching, each }
    }

    /// How long two runs take that go on at the same time, each with one thread.
    fn run_twice_at_once(&self) -> Duration {
        let began = Instant::now();
        let start =
            |_| self.quiet_command(1).stdout(Stdio::null()).spawn().expect("the program runs");
        let both = [0, 1].map(start);
        for mut child in both {
            assert!(child.wait().expect("it ends").success());
        }
        began.elapsed()
    }

    /// How long one such run takes alone.
    fn run_alone(&self) -> Duration {
        let began = Instant::now();
        let status = self.quiet_command(1).stdout(Stdio::null()).status();
        assert!(status.expect("the program runs").success());
        began.elapsed()
    }

    /// How long it takes until the first record is there.
    fn first_result(&self) -> Duration {
        let began = Instant::now();
        let mut child =
            self.quiet_command(1).stdout(Stdio::piped()).spawn().expect("the program runs");
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        stdout.read_line(&mut line).expect("a line");
        let time = began.elapsed();
        assert!(line.contains("\"solved\""));
        child.kill().expect("it can be stopped");
        child.wait().expect("it ends");
        time
    }
}

fn batch(criterion: &mut Criterion) {
    let boards = if permutile_bench::measuring() { 1_000 } else { 20 };
    for (id, kept) in [
        ("batch/torus4/depth6", Kept::InOneFile),
        ("batch/torus4/depth6-files", Kept::InFilesOfTheirOwn),
    ] {
        let work = LazyCell::new(|| Work::new(boards, kept));
        let mut group = criterion.benchmark_group(id);
        group.throughput(Throughput::Elements(boards as u64));
        for (name, threads) in [("one-thread", 1), ("two-threads", 2)] {
            group.bench_function(name, |b| {
                b.iter_custom(|times| {
                    SteadyClock::scale(|| (0..times).map(|_| work.run(threads).wall).sum())
                });
            });
        }
        group.finish();
    }
}

fn reports(_: &mut Criterion) {
    if reports_wanted() {
        report_on("one file", &Work::new(10_000, Kept::InOneFile));
        report_on("files of one board", &Work::new(10_000, Kept::InFilesOfTheirOwn));
    }
}

#[expect(clippy::print_stdout, reason = "a report beside criterion's")]
fn report_on(kept: &str, work: &Work) {
    const ROUNDS: usize = 15;
    let mut runs = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (threads, runs) in (1..).zip(&mut runs) {
            runs.push(work.run(threads));
        }
    }
    let of = |runs: &[Run], what: fn(&Run) -> Duration| median(runs.iter().map(what).collect());
    let least = |runs: &[Run], what: fn(&Run) -> Duration| runs.iter().map(what).min();
    let [one, two] = runs.each_ref().map(|runs| of(runs, |run| run.wall));
    let [each_by_one, each_by_two] = runs.each_ref().map(|runs| of(runs, |run| run.each));
    let best = runs.each_ref().map(|runs| least(runs, |run| run.each).expect("some rounds"));
    let besides = of(&runs[0], |run| run.wall.saturating_sub(run.searching));
    let alone = median((0..ROUNDS).map(|_| work.run_alone()).collect());
    let at_once = median((0..ROUNDS).map(|_| work.run_twice_at_once()).collect());
    let first = median((0..ROUNDS).map(|_| work.first_result()).collect());
    let boards = work.boards as f64;
    let ratio = |a: Duration, b: Duration| a.as_secs_f64() / b.as_secs_f64();
    println!("{boards} boards of torus4, 6 moves, in {kept}:");
    println!(
        "  boards a second: one thread {:.0}, two threads {:.0}, ratio {:.2}, of the best runs {:.2}",
        each_by_one.as_secs_f64().recip(),
        each_by_two.as_secs_f64().recip(),
        ratio(each_by_one, each_by_two),
        ratio(best[0], best[1]),
    );
    println!(
        "  from start to exit: one thread {one:.0?}, two threads {two:.0?}, ratio {:.2} \
         (two programs at once: {:.2})",
        ratio(one, two),
        2.0 * ratio(alone, at_once),
    );
    println!(
        "  {:.1} µs a board besides the search; first result after {first:.1?}",
        besides.as_secs_f64() / boards * 1e6,
    );
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion().sample_size(10).measurement_time(Duration::from_millis(500));
    targets = batch, reports
}
criterion_main!(benches);
