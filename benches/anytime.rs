//! Boards that are solved, and mostly not proven: criterion times one beam; `cargo bench --bench
//! anytime -- report` prints the mean length of what `auto` finds in some time, with all threads
//! and its tables ready, and how many children a beam generates.
//!
//! The report takes ten boards of each group. With `PERMUTILE_BENCH=full` it takes all of them, and
//! waits a minute where that is told. `PERMUTILE_GROUPS=torus5,24-puzzle` chooses groups by a part of
//! their names.

#[expect(dead_code, reason = "other benches need more of it")]
#[path = "common/report.rs"]
mod report;

use criterion::{Throughput, criterion_group, criterion_main};
use permutile::board::Board;
use permutile::board::text::{self, Form, TextOptions};
use permutile::heuristic::pattern_sum::PatternSum;
use permutile::lab::scramble::{ScrambleKind, scramble};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{Definition, Goal, custom, registry};
use permutile::search::{AlgorithmChoice, HeuristicKind, Observer, SearchOptions, Silent};
use permutile::solver::{Answer, Report, Solution, Solver};
use permutile::table::cache::{Cache, VARIABLE};
use permutile::{Limits, search};
use permutile_bench::Criterion;
use report::reports_wanted;
use std::time::{Duration, Instant};

/// Some boards, and after how many seconds to look.
struct Group {
    name: &'static str,
    boards: Source,
    seconds: &'static [f64],
}

enum Source {
    /// A puzzle's id, and how many boards that are each equally likely.
    Uniform(&'static str, u64),
    /// The same, a goal, and a text of boards.
    Listed(&'static str, Goal, &'static str),
    /// A puzzle of a user's, and a text of boards.
    Custom(&'static str, &'static str, &'static str),
}

const GROUPS: [Group; 11] = [
    Group { name: "rings5", boards: Source::Uniform("rings5", 100), seconds: &[0.1, 1.0, 10.0] },
    Group { name: "torus5", boards: Source::Uniform("torus5", 100), seconds: &[0.1, 1.0, 10.0] },
    Group {
        name: "24-puzzle, Korf's",
        boards: Source::Listed(
            "sliding5",
            Goal::Default,
            include_str!("../data/hard/korf50-24.boards"),
        ),
        seconds: &[0.1, 1.0, 10.0],
    },
    Group {
        name: "24-puzzle, DeepCubeA's",
        boards: Source::Listed(
            "sliding5",
            Goal::BlankLast,
            include_str!("../data/anytime/deepcubea-24.boards"),
        ),
        seconds: &[1.0, 10.0],
    },
    Group {
        name: "35-puzzle, DeepCubeA's",
        boards: Source::Listed(
            "sliding6",
            Goal::BlankLast,
            include_str!("../data/anytime/deepcubea-35.boards"),
        ),
        seconds: &[1.0, 10.0, 60.0],
    },
    Group {
        name: "48-puzzle, DeepCubeA's",
        boards: Source::Listed(
            "sliding7",
            Goal::BlankLast,
            include_str!("../data/anytime/deepcubea-48.boards"),
        ),
        seconds: &[1.0, 10.0, 60.0],
    },
    Group { name: "sliding10", boards: Source::Uniform("sliding10", 20), seconds: &[1.0, 10.0] },
    Group { name: "sliding16", boards: Source::Uniform("sliding16", 5), seconds: &[1.0, 10.0] },
    Group {
        name: "lrx25",
        boards: Source::Custom(
            "lrx25",
            include_str!("../data/anytime/permutation/lrx25.toml"),
            include_str!("../data/anytime/permutation/lrx25.boards"),
        ),
        seconds: &[1.0, 10.0],
    },
    Group {
        name: "pancake55",
        boards: Source::Custom(
            "pancake55",
            include_str!("../data/anytime/permutation/pancake55.toml"),
            include_str!("../data/anytime/permutation/pancake55.boards"),
        ),
        seconds: &[1.0, 10.0],
    },
    Group {
        name: "wrap35",
        boards: Source::Custom(
            "wrap35",
            include_str!("../data/anytime/permutation/wrap35.toml"),
            include_str!("../data/anytime/permutation/wrap35.boards"),
        ),
        seconds: &[1.0, 10.0],
    },
];

/// How many boards of a group are taken, unless all are wanted.
const SOME: usize = 10;

/// The longest time, unless more is wanted.
const SHORT: f64 = 10.0;

/// A board, with the known length of a shortest solution.
type Entry = (Board, Option<u32>);

impl Source {
    fn solver(&self) -> Solver {
        let define = |id: &str| registry::define(id).expect("a known puzzle");
        let (definition, goal): (Definition, Goal) = match self {
            Source::Uniform(id, _) => (define(id), Goal::Default),
            Source::Listed(id, goal, _) => (define(id), goal.clone()),
            Source::Custom(id, moves, _) => {
                (custom::define(id, moves).expect("a puzzle"), Goal::Default)
            }
        };
        let mut solver = Solver::new(definition, goal, Simd::detect()).expect("the goal fits");
        if let Some(folder) = std::env::var_os(VARIABLE) {
            solver.use_cache(Cache::new(folder));
        }
        solver
    }

    fn boards(&self, solver: &Solver) -> Vec<Entry> {
        match self {
            Source::Uniform(_, count) => {
                let limits = &Limits::default();
                let boards = scramble(solver.puzzle(), ScrambleKind::Uniform, 0, *count, limits);
                let boards = boards.expect("there are boards");
                boards.into_iter().map(|board| (board, None)).collect()
            }
            Source::Listed(_, _, boards) | Source::Custom(_, _, boards) => {
                let shape = Some(solver.frame().shape());
                let options = TextOptions { shape, form: Form::Collection };
                text::parse("boards", boards.as_bytes(), &options)
                    .into_iter()
                    .map(|entry| entry.expect("a board"))
                    .map(|entry| (entry.board, entry.known_length))
                    .collect()
            }
        }
    }
}

/// Remembers when each shorter solution came.
struct Clock {
    began: Instant,
    lengths: Vec<(f64, u32)>,
}

impl Observer for Clock {
    fn improved(&mut self, length: u32, _: u32) {
        self.lengths.push((self.began.elapsed().as_secs_f64(), length));
    }
}

fn solve(solver: &Solver, board: &Board, options: &SearchOptions<'_>) -> (Report, Clock) {
    let mut clock = Clock { began: Instant::now(), lengths: Vec::new() };
    let answer = solver.solve(board, options, &mut clock);
    let Ok(Answer::Searched(report)) = answer else { panic!("the board is solvable") };
    if let Some(solution) = &report.solution {
        clock.improved(solution.moves().len() as u32, 0);
    }
    (report, clock)
}

fn within(seconds: f64, threads: usize) -> SearchOptions<'static> {
    let deadline = Some(Instant::now() + Duration::from_secs_f64(seconds));
    let limits = Limits { deadline, ..Limits::default() };
    SearchOptions { limits, threads, ..SearchOptions::default() }
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[expect(clippy::print_stdout, reason = "the report")]
fn report_of(group: &Group, threads: usize, all: bool) {
    let solver = group.boards.solver();
    let mut boards = group.boards.boards(&solver);
    if !all {
        boards.truncate(SOME);
    }
    let looks: Vec<f64> = group.seconds.iter().copied().filter(|&s| all || s <= SHORT).collect();
    let longest = *looks.last().expect("there is one");
    // The tables that it would build meanwhile.
    solve(&solver, &boards[0].0, &within(3.0 * longest, threads));
    let mut first = Vec::new();
    let mut lengths = vec![Vec::new(); looks.len()];
    let (mut known, mut proven) = (Vec::new(), 0);
    for (board, shortest) in &boards {
        known.extend(shortest.map(f64::from));
        for (lengths, &look) in lengths.iter_mut().zip(&looks) {
            let (report, clock) = solve(&solver, board, &within(look, threads));
            lengths.extend(clock.lengths.last().map(|&(_, length)| f64::from(length)));
            if look == longest {
                let (seconds, length) = clock.lengths[0];
                first.push((seconds * 1000.0, f64::from(length)));
                let solution = report.solution.as_ref();
                proven += usize::from(solution.is_some_and(Solution::is_optimal));
            }
        }
    }
    let (times, firsts): (Vec<f64>, Vec<f64>) = first.into_iter().unzip();
    print!(
        "{}, {} boards: first {:.1} ms, {:.1}",
        group.name,
        boards.len(),
        mean(&times),
        mean(&firsts)
    );
    for (lengths, look) in lengths.iter().zip(&looks) {
        print!("; {look} s {:.2}", mean(lengths));
        if lengths.len() < boards.len() {
            print!(" ({} boards)", lengths.len());
        }
    }
    if known.len() == boards.len() {
        print!("; shortest {:.2}", mean(&known));
    }
    println!("; {proven} proven");
}

/// A beam of a width on boards that are each equally likely; the children generated a second.
fn beam(solver: &Solver, boards: &[Entry], width: usize, threads: usize) -> (Duration, u64) {
    let options = SearchOptions {
        algorithm: AlgorithmChoice::Named(&search::beam::BEAM),
        heuristic: Some(HeuristicKind::of::<PatternSum>()),
        width,
        threads,
        ..SearchOptions::default()
    };
    let began = Instant::now();
    let generated = boards.iter().map(|(board, _)| {
        let Ok(Answer::Searched(report)) = solver.solve(board, &options, &mut Silent) else {
            panic!("the board is solvable")
        };
        assert!(report.solution.is_some());
        report.statistics.generated
    });
    let generated = generated.sum();
    (began.elapsed(), generated)
}

#[expect(clippy::print_stdout, reason = "the report")]
fn print_report(_: &mut Criterion) {
    if !reports_wanted() {
        return;
    }
    let all = permutile_bench::full();
    let wanted = std::env::var("PERMUTILE_GROUPS").unwrap_or_default();
    let is_wanted = |name: &str| wanted.split(',').any(|part| name.contains(part));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    println!("mean lengths, {threads} threads:");
    for group in GROUPS.iter().filter(|group| is_wanted(group.name)) {
        report_of(group, threads, all);
    }
    if is_wanted("beam") {
        let uniform = Source::Uniform("torus5", 3);
        let solver = uniform.solver();
        let boards = uniform.boards(&solver);
        beam(&solver, &boards, 100, 1);
        let [one, two] = [1, 2].map(|threads| {
            let runs = (0..3).map(|_| beam(&solver, &boards, 100_000, threads));
            runs.min_by_key(|(time, _)| *time).expect("there are some")
        });
        let rate = |(time, generated): (Duration, u64)| generated as f64 / time.as_secs_f64() / 1e6;
        println!(
            "beam of 100,000, torus5: {:.1} million children a second, {:.1} with two threads: {:.2}",
            rate(one),
            rate(two),
            rate(two) / rate(one)
        );
    }
}

fn anytime(criterion: &mut Criterion) {
    let uniform = Source::Uniform("torus5", 1);
    let solver = uniform.solver();
    let boards = uniform.boards(&solver);
    let (_, generated) = beam(&solver, &boards, 1_000, 1);
    let mut group = criterion.benchmark_group("anytime/torus5");
    group.throughput(Throughput::Elements(generated));
    group.bench_function("beam-1000", |b| b.iter(|| beam(&solver, &boards, 1_000, 1)));
    group.finish();
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion();
    targets = anytime, print_report
}
criterion_main!(benches);
