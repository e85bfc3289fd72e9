//! The same boards and the same heuristic, solved by permutile and through the `pathfinding`
//! crate, used as a competent user of that crate would: small states that are copied, successors
//! as an iterator without allocation, distances from a table.
//!
//! Each bench solves all boards of its group and checks the lengths. `cargo bench --bench peers --
//! report` measures all of them in turn, each after a run of its own that does not count, so that
//! whatever else the machine does slows all, and prints the ratios.

#[path = "common/report.rs"]
mod report;
#[path = "common/solving.rs"]
mod solving;

use criterion::{Throughput, criterion_group, criterion_main};
use pathfinding::prelude::{astar, idastar};
use permutile::board::Board;
use permutile::puzzle::{AnyPuzzle, registry};
use permutile::search::astar::ASTAR;
use permutile::search::ida::IDA;
use permutile::search::{Algorithm, Estimator, HeuristicKind, Limits, SearchOptions, Silent, Task};
use permutile::table::source::TableSource;
use permutile_bench::Criterion;
use report::{median, reports_wanted};
use solving::{Boards, Method, known_length, name};
use std::cell::Cell;
use std::hash::Hash;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The allocator of the program, for all contestants.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// A puzzle for the `pathfinding` crate.
trait Peer: Copy + Eq + Hash {
    fn of_board(board: &Board) -> Self;
    fn successors(self) -> impl Iterator<Item = (Self, u32)>;
    fn is_goal(&self) -> bool;
}

/// The goal cells of the tiles, row by row: the goal is the identity.
type Cells = [u8; 16];

fn goal_cell(cell: usize) -> u8 {
    cell as u8
}

/// For each cell and tile, how far it is to the tile's goal.
#[derive(Clone, Copy)]
struct Distances([[u8; 16]; 16]);

impl Distances {
    fn new(along_axis: impl Fn(usize, usize) -> usize) -> Distances {
        Distances(std::array::from_fn(|cell| {
            std::array::from_fn(|goal| {
                (along_axis(cell / 4, goal / 4) + along_axis(cell % 4, goal % 4)) as u8
            })
        }))
    }

    fn sum(&self, cells: &Cells) -> u32 {
        let rows = self.0.iter().zip(cells);
        rows.map(|(row, &goal)| u32::from(row[usize::from(goal)])).sum()
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Torus4 {
    cells: Cells,
}

impl Torus4 {
    /// Slides four cells one step along, given the first of them and how far apart they are.
    fn slid(mut self, first: usize, apart: usize, forward: bool) -> Torus4 {
        let line = [0, 1, 2, 3].map(|i| first + i * apart);
        let mut tiles = line.map(|cell| self.cells[cell]);
        if forward {
            tiles.rotate_right(1);
        } else {
            tiles.rotate_left(1);
        }
        for (cell, tile) in line.into_iter().zip(tiles) {
            self.cells[cell] = tile;
        }
        self
    }
}

impl Peer for Torus4 {
    fn of_board(board: &Board) -> Torus4 {
        Torus4 { cells: std::array::from_fn(|cell| (board.tiles()[cell].0 - 1) as u8) }
    }

    fn successors(self) -> impl Iterator<Item = (Torus4, u32)> {
        let lines = (0..4).map(|row| (4 * row, 1)).chain((0..4).map(|column| (column, 4)));
        lines.flat_map(move |(first, apart)| {
            [false, true].map(|forward| (self.slid(first, apart, forward), 1))
        })
    }

    fn is_goal(&self) -> bool {
        self.cells == std::array::from_fn(goal_cell)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Fifteen {
    cells: Cells,
    blank: u8,
}

impl Peer for Fifteen {
    fn of_board(board: &Board) -> Fifteen {
        let blank = board.blank().expect("a blank") as u8;
        Fifteen { cells: std::array::from_fn(|cell| board.tiles()[cell].0 as u8), blank }
    }

    fn successors(self) -> impl Iterator<Item = (Fifteen, u32)> {
        let (row, column) = (self.blank / 4, self.blank % 4);
        // In the order in which our IDA* tries them, so that none has the better luck.
        let targets = [
            (row > 0).then(|| self.blank - 4),
            (column > 0).then(|| self.blank - 1),
            (column < 3).then(|| self.blank + 1),
            (row < 3).then(|| self.blank + 4),
        ];
        targets.into_iter().flatten().map(move |target| {
            let mut next = Fifteen { blank: target, ..self };
            next.cells.swap(usize::from(self.blank), usize::from(target));
            (next, 1)
        })
    }

    fn is_goal(&self) -> bool {
        self.cells == std::array::from_fn(goal_cell)
    }
}

/// Solves all boards of a group, checks the lengths, and tells how many nodes were expanded. What
/// can be prepared once (tables of distances or moves) has been.
type Solve = Box<dyn Fn() -> u64>;

struct Contestant {
    name: &'static str,
    solve: Solve,
}

/// Boards, and what solves them: our IDA*, theirs, our A*, theirs.
struct Group {
    name: &'static str,
    heuristic: &'static str,
    boards: usize,
    contestants: [Contestant; 4],
}

/// A board and its known length.
type Known = (Board, usize);

fn torus4(name: &'static str, prefix: &str) -> Group {
    let texts = include_str!("boards/torus4-exact.boards");
    let boards = known("torus4", texts, |name| name.starts_with(prefix));
    let distances = Distances::new(|a, b| a.abs_diff(b).min(4 - a.abs_diff(b)));
    // One move takes each of four tiles one step.
    let estimate = move |board: &Torus4| distances.sum(&board.cells).div_ceil(4);
    group(name, "torus4", "circular-manhattan", &boards, estimate)
}

fn fifteen(name: &'static str, wanted: impl Fn(&str) -> bool) -> Group {
    let texts = include_str!("../data/boards/korf-easy.boards");
    let boards = known("sliding4", texts, wanted);
    let mut distances = Distances::new(usize::abs_diff);
    // The blank, whose goal is the first cell, does not count.
    distances.0.iter_mut().for_each(|row| row[0] = 0);
    let estimate = move |board: &Fifteen| distances.sum(&board.cells);
    group(name, "sliding4", "manhattan", &boards, estimate)
}

fn known(puzzle: &str, texts: &str, wanted: impl Fn(&str) -> bool) -> Vec<Known> {
    let boards = Boards::new(registry::define(puzzle).expect("a known puzzle"), texts);
    let wanted = boards.entries.into_iter().filter(|entry| wanted(name(entry)));
    wanted.map(|entry| (entry.board.clone(), known_length(&entry))).collect()
}

fn group<B: Peer + 'static>(
    name: &'static str,
    puzzle: &str,
    heuristic: &'static str,
    boards: &[Known],
    estimate: impl Fn(&B) -> u32 + Clone + 'static,
) -> Group {
    let puzzle = AnyPuzzle::from_id(puzzle).expect("a known puzzle");
    let kind: HeuristicKind = heuristic.parse().expect("a known heuristic");
    let ours = kind.build(&puzzle, &TableSource::default()).expect("it applies");
    let ours: Rc<dyn Estimator> = Rc::from(ours);
    let estimate_again = estimate.clone();
    let ida = move |start: &B, expanded: &Cell<u64>| {
        idastar(start, |board| counted(board, expanded), &estimate, B::is_goal)
    };
    let best_first = move |start: &B, expanded: &Cell<u64>| {
        astar(start, |board| counted(board, expanded), &estimate_again, B::is_goal)
    };
    Group {
        name,
        heuristic,
        boards: boards.len(),
        contestants: [
            Contestant { name: "permutile-ida", solve: ours_by(&IDA, &ours, boards) },
            Contestant { name: "pathfinding-idastar", solve: theirs_by(ida, boards) },
            Contestant { name: "permutile-astar", solve: ours_by(&ASTAR, &ours, boards) },
            Contestant { name: "pathfinding-astar", solve: theirs_by(best_first, boards) },
        ],
    }
}

/// The successors of a board that counts as expanded.
fn counted<B: Peer>(board: &B, expanded: &Cell<u64>) -> impl Iterator<Item = (B, u32)> + use<B> {
    expanded.set(expanded.get() + 1);
    board.successors()
}

fn ours_by(
    algorithm: &'static Algorithm,
    estimator: &Rc<dyn Estimator>,
    boards: &[Known],
) -> Solve {
    let estimator = Rc::clone(estimator);
    let start = |board: &Board| estimator.frame().encode(board).expect("a board of the puzzle");
    let starts: Vec<_> = boards.iter().map(|(board, length)| (start(board), *length)).collect();
    Box::new(move || {
        let options = SearchOptions::default();
        let mut expanded = 0;
        for (start, length) in &starts {
            let task = Task::new(start, Limits::default(), &options);
            let outcome = (algorithm.search)(&task, &*estimator, &mut Silent);
            assert_eq!(outcome.solution.expect("a solution").moves.len(), *length);
            expanded += outcome.statistics.expanded;
        }
        expanded
    })
}

fn theirs_by<B: Peer + 'static>(
    search: impl Fn(&B, &Cell<u64>) -> Option<(Vec<B>, u32)> + 'static,
    boards: &[Known],
) -> Solve {
    let starts: Vec<_> =
        boards.iter().map(|(board, length)| (B::of_board(board), *length)).collect();
    Box::new(move || {
        let expanded = Cell::new(0);
        for (start, length) in &starts {
            let (path, cost) = search(start, &expanded).expect("a solution");
            assert_eq!((path.len() - 1, cost as usize), (*length, *length));
        }
        expanded.get()
    })
}

fn groups() -> Vec<Group> {
    vec![
        torus4("torus4/depth7", "depth7-"),
        torus4("torus4/depth8", "depth8-"),
        fifteen("sliding4/easiest", |name| ["korf-12", "korf-55", "korf-94"].contains(&name)),
    ]
}

/// Boards that take seconds: only for the report.
fn long_group() -> Group {
    fifteen("sliding4/easy", |_| true)
}

fn peers(criterion: &mut Criterion) {
    for group in groups() {
        let mut benches = criterion.benchmark_group(format!("peers/{}", group.name));
        benches.throughput(Throughput::Elements(group.boards as u64));
        for Contestant { name, solve } in &group.contestants {
            benches.bench_function(*name, |b| b.iter(solve));
        }
        benches.finish();
    }
}

/// How often each contestant solves its boards: often enough for a median, and longer where that
/// takes no time.
const ROUNDS: std::ops::Range<usize> = 3..301;

/// How long the rounds of one group may take, if there have been enough of them.
const PATIENCE: Duration = Duration::from_secs(4);

#[expect(clippy::print_stdout, reason = "a report beside criterion's")]
fn ratios() {
    println!("all boards of a group, all contestants in turn: median (fastest), nodes expanded");
    for group in groups().into_iter().chain([long_group()]) {
        let mut measured = [const { (Vec::new(), 0) }; 4];
        let began = Instant::now();
        for round in 0..ROUNDS.end {
            if round >= ROUNDS.start && began.elapsed() > PATIENCE {
                break;
            }
            for (contestant, (times, expanded)) in group.contestants.iter().zip(&mut measured) {
                // What the one before has left behind in caches and memory is no matter of this one.
                (contestant.solve)();
                let began = Instant::now();
                *expanded = (contestant.solve)();
                times.push(began.elapsed());
            }
        }
        for (contestant, (times, expanded)) in group.contestants.iter().zip(&measured) {
            let (median, fastest) = (median(times.clone()), fastest(times));
            let Group { name, heuristic, .. } = &group;
            let contestant = contestant.name;
            println!(
                "{name:<16} {contestant:<20} {heuristic:<19} {median:>9.2?} ({fastest:>9.2?}) \
                 {expanded:>8}"
            );
        }
        for (search, pair) in ["IDA*", "A*"].iter().zip(measured.chunks(2)) {
            let ratio = |time: fn(&[Duration]) -> Duration| {
                time(&pair[1].0).as_secs_f64() / time(&pair[0].0).as_secs_f64()
            };
            let (medians, fastest) = (ratio(|times| median(times.to_vec())), ratio(fastest));
            println!("{:<16} {search}: ratio {medians:.1} ({fastest:.1})", group.name);
        }
    }
}

fn fastest(times: &[Duration]) -> Duration {
    times.iter().copied().min().expect("there were some rounds")
}

/// How many nodes IDA* generates a second on the 15-puzzle.
#[expect(clippy::print_stdout, reason = "a report beside criterion's")]
fn speed() {
    const ROUNDS: usize = 7;
    let texts = include_str!("../data/boards/korf-easy.boards");
    let boards = Boards::new(registry::define("sliding4").expect("a puzzle"), texts);
    let method = Method::new("ida", "manhattan");
    let mut nodes = 0;
    let mut round = || {
        let solve = |entry| method.solve(&boards.solver, entry, None).expect("a solution");
        let solved: Vec<_> = boards.entries.iter().map(solve).collect();
        nodes = solved.iter().map(|solved| solved.statistics.generated).sum();
        solved.iter().map(|solved| solved.time).sum()
    };
    let times: Vec<Duration> = (0..ROUNDS).map(|_| round()).collect();
    let speed = |time: Duration| nodes as f64 / time.as_secs_f64() / 1e6;
    let (usual, best) = (speed(median(times.clone())), speed(fastest(&times)));
    let count = boards.entries.len();
    println!(
        "IDA*, manhattan, {count} of Korf's 15-puzzles: {nodes} nodes, {usual:.0} ({best:.0}) million \
         a second"
    );
}

fn reports(_: &mut Criterion) {
    if reports_wanted() {
        ratios();
        speed();
    }
}

criterion_group! {
    name = benches;
    // A search of theirs takes tens of milliseconds.
    config = permutile_bench::criterion().sample_size(10).measurement_time(Duration::from_millis(500));
    targets = peers, reports
}
criterion_main!(benches);
