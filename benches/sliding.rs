//! Sliding puzzles with pattern databases: criterion times the easiest of Korf's boards with each
//! of the small ones. `cargo bench --bench sliding -- report` prints what whole collections take,
//! one thread, the tables ready: Korf's hundred 15-puzzles with 6-6-3 and 7-8, the hardest
//! 15-puzzles, the building and the size of the tables, the nodes a second with the heuristics that
//! need none, and the easier of Korf's 24-puzzles on all threads. It takes some minutes.

#[path = "common/report.rs"]
mod report;
#[path = "common/solving.rs"]
mod solving;

use criterion::{Throughput, criterion_group, criterion_main};
use permutile::heuristic::NamedHeuristic;
use permutile::heuristic::pattern_databases::PatternDatabases;
use permutile::heuristic::pdb::{Pdb78, Pdb663, Pdb6666};
use permutile::puzzle::{AnyPuzzle, registry};
use permutile::search::{AlgorithmChoice, Prune};
use permutile_bench::Criterion;
use report::{median, reports_wanted};
use solving::{Boards, Method, name};
use std::time::{Duration, Instant};

const EASY: &str = include_str!("../data/boards/korf-easy.boards");
const KORF: &str = include_str!("../data/boards/korf100.boards");
const HARDEST: &str = include_str!("../data/hard/hard15.boards");
const KORF_24: &str = include_str!("../data/hard/korf50-24.boards");

/// Heuristics that need no tables to speak of.
const WITHOUT_TABLES: [&str; 5] =
    ["manhattan", "linear-conflict", "walking-distance", "inversion-distance", "max-of"];

/// Those of the 24-puzzles that take minutes at most.
const EASIER_24: [&str; 7] =
    ["korf24-38", "korf24-40", "korf24-25", "korf24-44", "korf24-32", "korf24-1", "korf24-37"];

fn boards(id: &str, text: &str) -> Boards {
    Boards::new(registry::define(id).expect("a known puzzle"), text)
}

/// The time and the nodes of all boards.
fn all(method: &Method, prune: Prune, boards: &Boards) -> (Duration, u64) {
    let solve = |entry| {
        let solved = method.solve_pruning(prune, &boards.solver, entry, None);
        solved.expect("there is no limit")
    };
    boards.entries.iter().map(solve).fold((Duration::ZERO, 0), |(time, nodes), solved| {
        (time + solved.time, nodes + solved.statistics.generated)
    })
}

fn sliding(criterion: &mut Criterion) {
    let boards = boards("sliding4", EASY);
    for heuristic in ["pdb-555", "pdb-663"] {
        let method = Method::new("ida", heuristic);
        let easiest = &boards.entries[1];
        // The first time builds the tables.
        method.solve(&boards.solver, easiest, None);
        let mut group = criterion.benchmark_group(format!("sliding/sliding4/{heuristic}"));
        group.throughput(Throughput::Elements(1));
        group.bench_function(name(easiest), |b| {
            b.iter(|| method.solve(&boards.solver, easiest, None).map(|solved| solved.time));
        });
        group.finish();
    }
}

/// How long it takes to build tables, in the middle of some attempts, and how large they are.
fn built<R: NamedHeuristic<Heuristic = PatternDatabases>>(
    id: &str,
    attempts: usize,
) -> (Duration, u64) {
    let puzzle = AnyPuzzle::from_id(id).expect("a known puzzle");
    let mut bytes = 0;
    let build = |_| {
        let began = Instant::now();
        bytes = R::build(puzzle.frame()).bytes();
        began.elapsed()
    };
    (median((0..attempts).map(build).collect()), bytes)
}

#[expect(clippy::print_stdout, reason = "the report")]
fn print_report(_: &mut Criterion) {
    if !reports_wanted() {
        return;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let table = |what: &str, (time, bytes): (Duration, u64)| {
        println!("building {what} on {threads} threads: {time:.2?}, {bytes} bytes");
    };
    table(Pdb663::NAME, built::<Pdb663>("sliding4", 5));
    table(Pdb78::NAME, built::<Pdb78>("sliding4", 1));
    table(Pdb6666::NAME, built::<Pdb6666>("sliding5", 1));
    let pruned = |prune, what: &str, method: &Method, boards: &Boards| {
        let (time, nodes) = all(method, prune, boards);
        let rate = nodes as f64 / time.as_secs_f64() / 1e6;
        println!("{what}: {time:.2?}, {nodes} nodes, {rate:.0} million a second");
    };
    // As in the literature, and without loops.
    let searched = |what: &str, method: &Method, boards: &Boards| {
        pruned(Prune::Back, what, method, boards);
        pruned(Prune::Loops, &format!("{what}, without loops"), method, boards);
    };
    let easy = boards("sliding4", EASY);
    for heuristic in WITHOUT_TABLES {
        let what = format!("the 20 easiest of Korf's, {heuristic}");
        searched(&what, &Method::new("ida", heuristic), &easy);
    }
    let korf = boards("sliding4", KORF);
    for heuristic in [Pdb663::NAME, Pdb78::NAME] {
        let what = format!("Korf's 100, {heuristic}");
        searched(&what, &Method::new("ida", heuristic), &korf);
    }
    let auto = Method { algorithm: AlgorithmChoice::Auto, heuristic: None, threads: 1 };
    pruned(Prune::Back, "Korf's 100, auto", &auto, &korf);
    let hardest = Boards { entries: boards("sliding4", HARDEST).entries, ..korf };
    let method = Method::new("ida", Pdb78::NAME);
    searched("the 17 of 80 moves, pdb-78", &method, &hardest);
    let korf_24 = boards("sliding5", KORF_24);
    let method = Method { threads, ..Method::new("pida", Pdb6666::NAME) };
    for entry in korf_24.entries.iter().filter(|entry| EASIER_24.contains(&name(entry))) {
        for (prune, how) in [(Prune::Back, ""), (Prune::Loops, " without loops")] {
            let solved = method.solve_pruning(prune, &korf_24.solver, entry, None);
            let solved = solved.expect("there is no limit");
            let (time, nodes) = (solved.time, solved.statistics.generated);
            println!("{}{how} on {threads} threads: {time:.2?}, {nodes} nodes", name(entry));
        }
    }
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion();
    targets = sliding, print_report
}
criterion_main!(benches);
