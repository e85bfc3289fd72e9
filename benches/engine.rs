//! `auto` on puzzles without a blank, with its tables ready: criterion times one easy group of
//! boards of each puzzle; `cargo bench --bench engine -- report` prints how
//! soon the first hard board is answered, what boards take by their distance, what 1000 boards of
//! `torus4` take that are each equally likely, and what a second thread is worth.
//!
//! Where `PERMUTILE_CACHE` names a folder, tables are taken from there: those of
//! `permutile tables build PUZZLE --size large`, for instance.

#[path = "common/report.rs"]
mod report;
#[expect(dead_code, reason = "other benches need more of it")]
#[path = "common/solving.rs"]
mod solving;

use criterion::{Throughput, criterion_group, criterion_main};
use permutile::Limits;
use permutile::lab::scramble::{ScrambleKind, scramble};
use permutile::puzzle::registry;
use permutile::search::{Aim, AlgorithmChoice, SearchOptions, Silent};
use permutile::solver::{Answer, Solution};
use permutile::table::cache::{Cache, VARIABLE};
use permutile_bench::Criterion;
use report::{median, reports_wanted};
use solving::{Boards, Method, known_length};
use std::time::{Duration, Instant};

const TORUS4: &str = include_str!("../data/boards/torus4-uniform.boards");
const RINGS5: &str = include_str!("../data/boards/rings5-scrambled.boards");
const TORUS5: &str = include_str!("../data/torus5/torus5-scrambled.boards");

/// Boards of a puzzle, and the largest distance that is tried.
const GROUPS: [(&str, &str, usize); 3] =
    [("torus4", TORUS4, 18), ("rings5", RINGS5, 16), ("torus5", TORUS5, 16)];

const ONE_THREAD: Method = Method { algorithm: AlgorithmChoice::Auto, heuristic: None, threads: 1 };

fn boards(id: &str, text: &str) -> Boards {
    let mut boards = Boards::new(registry::define(id).expect("a known puzzle"), text);
    if let Some(folder) = std::env::var_os(VARIABLE) {
        boards.solver.use_cache(Cache::new(folder));
    }
    boards
}

/// The mean time of boards that are each equally likely.
fn time_of_uniform_boards(boards: &Boards) -> Duration {
    const COUNT: u64 = 1000;
    let limits = &Limits::default();
    let puzzle = boards.solver.puzzle();
    let uniform = scramble(puzzle, ScrambleKind::Uniform, 0, COUNT, limits);
    let options = SearchOptions { aim: Aim::Proven, ..SearchOptions::default() };
    let began = Instant::now();
    for board in uniform.expect("there are such boards") {
        let answer = boards.solver.solve(&board, &options, &mut Silent);
        let Ok(Answer::Searched(report)) = answer else { panic!("the board is solvable") };
        assert!(report.solution.as_ref().is_some_and(Solution::is_optimal));
    }
    began.elapsed() / COUNT as u32
}

/// The time of one solution, all in all.
fn time(method: &Method, boards: &Boards, number: usize) -> Duration {
    let began = Instant::now();
    let solved = method.solve(&boards.solver, &boards.entries[number], None);
    assert!(solved.is_some(), "without limits there is a solution");
    began.elapsed()
}

fn engine(criterion: &mut Criterion) {
    for (id, text, _) in GROUPS {
        let boards = boards(id, text);
        let nearest = boards.entries.iter().map(known_length).min().expect("there are boards");
        let easy: Vec<usize> = (0..boards.entries.len())
            .filter(|&number| known_length(&boards.entries[number]) <= nearest)
            .collect();
        let mut group = criterion.benchmark_group(format!("engine/{id}"));
        group.throughput(Throughput::Elements(easy.len() as u64));
        group.bench_function(format!("{nearest}-moves"), |b| {
            b.iter(|| {
                easy.iter().map(|&number| time(&ONE_THREAD, &boards, number)).sum::<Duration>()
            });
        });
        group.finish();
    }
}

#[expect(clippy::print_stdout, reason = "the report")]
fn print_report(_: &mut Criterion) {
    if !reports_wanted() {
        return;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    for (id, text, most) in GROUPS {
        let boards = boards(id, text);
        let numbers = || 0..boards.entries.len();
        let within = |number: &usize| known_length(&boards.entries[*number]) <= most;
        let hardest = numbers()
            .filter(within)
            .max_by_key(|&number| known_length(&boards.entries[number]))
            .expect("there are boards");
        let cold = time(&Method { threads, ..ONE_THREAD }, &boards, hardest);
        println!(
            "{id}: the first hard board, with its tables built on {threads} threads: {cold:.1?}"
        );
        for length in 1..=most {
            let of_length: Vec<usize> =
                numbers().filter(|&n| known_length(&boards.entries[n]) == length).collect();
            if of_length.is_empty() {
                continue;
            }
            let times: Vec<Duration> =
                of_length.iter().map(|&number| time(&ONE_THREAD, &boards, number)).collect();
            let mean = times.iter().sum::<Duration>() / times.len() as u32;
            let worst = times.iter().max().expect("there are some");
            println!(
                "{id}: {length:>2} moves, {:>3} boards: mean {mean:.2?}, median {:.2?}, at most {worst:.2?}",
                times.len(),
                median(times.clone()),
            );
        }
        if id == "torus4" {
            println!("{id}: 1000 uniform boards: mean {:.2?}", time_of_uniform_boards(&boards));
        }
        let one = median((0..3).map(|_| time(&ONE_THREAD, &boards, hardest)).collect());
        let two = Method { threads: 2, ..ONE_THREAD };
        let two = median((0..3).map(|_| time(&two, &boards, hardest)).collect());
        let ratio = one.as_secs_f64() / two.as_secs_f64();
        println!("{id}: two threads over one on the hardest: {one:.2?} -> {two:.2?}: {ratio:.2}");
    }
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion();
    targets = engine, print_report
}
criterion_main!(benches);
