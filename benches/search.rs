//! One search of one board: every registered algorithm with the usual heuristic, on the puzzles
//! that tell most; with `PERMUTILE_BENCH=full`, with every heuristic that applies, on each puzzle
//! family. Criterion shows generated nodes per second as elements per second.
//!
//! A family has several boards, from hard to easy. A combination is measured on the first that it
//! solves within [`Family::patience`]; the name of the board is the last part of the bench's id,
//! as in `search/torus4/ida/circular-manhattan/s8-4`. What solves none of them is left
//! out, as depth-first search is on most. Only what the filter asks for is tried; listing all of
//! them takes half a minute.
//!
//! `cargo bench --bench search -- report` prints what cannot be put into a bench: the memory for
//! each stored state, and what a second thread is worth.

#[path = "common/report.rs"]
mod report;
#[path = "common/solving.rs"]
mod solving;

use criterion::{Throughput, criterion_group, criterion_main};
use permutile::board::text::Entry;
use permutile::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor, custom, registry};
use permutile::search::closed::Closed;
use permutile::search::{ALGORITHMS, Algorithm, HeuristicKind, Limits};
use permutile_bench::{Criterion, Selection, SteadyClock, full, measuring, walk};
use report::{median, reports_wanted};
use solving::{Boards, Method, name};
use std::time::Duration;

struct Family {
    puzzle: &'static str,
    /// From hard to easy.
    boards: &'static str,
}

const FAMILIES: &[Family] = &[
    Family {
        puzzle: "torus3",
        boards: "uniform: 5 4 8 1 7 2 3 9 6 # 7
            near: 4 3 1 7 5 6 2 8 9 # 2",
    },
    Family {
        puzzle: "torus4",
        boards: "s8-4: 2 6 4 15 1 5 7 13 12 16 10 8 3 9 14 11 # 8
            s7-1: 5 6 14 8 12 10 2 11 16 9 3 15 1 13 7 4 # 7
            s4-1: 1 5 3 4 6 7 8 9 13 10 11 12 2 14 15 16 # 4
            board2: 1 6 3 4 5 9 7 8 12 14 10 11 13 2 15 16 # 2",
    },
    Family {
        puzzle: "torus5",
        boards: "s8-1: 6 22 18 4 25 11 2 3 9 5 10 16 7 8 14 21 17 13 19 15 20 1 12 23 24 # 8
            s4-1: 1 2 23 4 19 6 7 3 9 25 11 12 8 14 5 20 16 13 18 10 21 22 17 24 15 # 4",
    },
    Family {
        puzzle: "torus:4x5",
        boards: "board8: 17 3 15 9 10 / 2 7 8 14 20 / 11 6 13 5 16 / 12 18 19 4 1 # 8
            board4: 1 17 3 4 9 / 10 2 7 8 15 / 11 6 13 14 20 / 12 18 19 5 16 # 4
            board1: 1 17 3 4 5 / 10 2 7 8 9 / 11 6 13 14 15 / 16 12 18 19 20 # 2",
    },
    Family {
        puzzle: "rings5",
        boards: "s6-4: 21 3 23 4 25 7 12 9 10 5 17 8 14 1 6 11 22 13 19 15 16 2 18 24 20 # 6
            s5-2: 2 3 8 5 6 11 7 13 9 1 17 12 19 14 10 21 18 24 20 15 22 23 4 25 16 # 5
            s4-4: 1 2 23 24 5 6 7 3 4 10 11 12 8 9 15 16 17 13 14 20 21 22 18 19 25 # 2",
    },
    Family {
        puzzle: "sliding3",
        boards: "hard8-1: 8 0 6 5 4 7 2 3 1 # 31
            near: 1 2 5 3 4 0 6 7 8 # 3",
    },
    Family {
        puzzle: "sliding:3x4",
        boards: "uniform-1: 4 11 2 6 / 8 10 7 9 / 0 5 3 1 # 36
            uniform-2: 2 10 11 9 / 4 6 5 3 / 8 0 1 7 # 29
            near: 1 2 3 7 / 4 5 6 11 / 8 9 10 0 # 5",
    },
    Family {
        puzzle: "sliding4",
        boards: "korf-94: 5 7 11 8 0 14 9 13 10 12 3 15 6 1 4 2 # 53
            korf-12: 14 1 9 6 4 8 12 5 7 2 3 0 10 11 13 15 # 45
            near: 1 2 3 7 4 5 6 11 8 9 10 15 12 13 14 0 # 6",
    },
    Family {
        puzzle: "sliding5",
        boards: "moves60-1: 3 1 0 8 4 2 6 12 7 9 5 11 13 23 14 10 15 17 19 24 20 21 18 16 22 # 38
            near: 1 2 3 4 9 5 6 7 8 14 10 11 12 13 19 15 16 17 18 24 20 21 22 23 0 # 8",
    },
    Family {
        puzzle: TOP_SPIN,
        boards: "uniform-1: 2 10 7 1 4 / 9 8 3 6 5 # 21
            near: 5 4 3 2 10 / 1 6 7 8 9 # 2",
    },
];

/// The custom puzzle.
const TOP_SPIN: &str = "top-spin-2x5";

impl Family {
    /// How many nodes a combination may expand on a board before an easier one is tried.
    fn patience() -> u64 {
        if measuring() { 150_000 } else { 2_000 }
    }

    fn boards(&self) -> Boards {
        let definition = if self.puzzle == TOP_SPIN {
            let text = include_str!("../data/puzzles/top-spin-2x5.toml");
            custom::define(TOP_SPIN, text).expect("a custom puzzle")
        } else {
            registry::define(self.puzzle).expect("a known puzzle")
        };
        Boards::new(definition, self.boards)
    }
}

/// The puzzles that are searched unless everything is asked for.
const USUAL_PUZZLES: [&str; 3] = ["torus4", "rings5", "sliding4"];

/// The heuristics with which they are searched: one of them applies.
const USUAL_HEURISTICS: [&str; 2] = ["circular-manhattan", "manhattan"];

/// Whether everything is searched; where nothing is measured, it is a test.
fn everything() -> bool {
    full() || !measuring()
}

/// All algorithms with all heuristics that apply to the boards, or with the usual one.
fn methods(boards: &Boards) -> Vec<Method> {
    let frame = boards.solver.frame();
    let is_wanted = |kind: &&HeuristicKind| {
        kind.promise(frame).is_ok() && (everything() || USUAL_HEURISTICS.contains(&kind.name()))
    };
    let applicable = boards.solver.heuristics().filter(is_wanted);
    let heuristics: Vec<_> = applicable.cloned().map(Some).collect();
    let of_algorithm = |&algorithm: &&'static Algorithm| {
        let heuristics = if algorithm.guided { heuristics.clone() } else { vec![None] };
        let method = |heuristic| Method { algorithm: algorithm.into(), heuristic, threads: 1 };
        heuristics.into_iter().map(method)
    };
    ALGORITHMS.iter().flat_map(of_algorithm).collect()
}

fn searches(criterion: &mut Criterion) {
    let selection = Selection::from_arguments();
    let is_wanted = |family: &&Family| everything() || USUAL_PUZZLES.contains(&family.puzzle);
    for family in FAMILIES.iter().filter(is_wanted) {
        let boards = family.boards();
        let group_id = format!("search/{}", family.puzzle);
        let mut group = criterion.benchmark_group(&group_id);
        for method in methods(&boards) {
            let heuristic = method.heuristic.as_ref().map_or("none", HeuristicKind::name);
            let id = |entry: &Entry| format!("{}/{heuristic}/{}", method.algorithm, name(entry));
            let asked_for = |entry| selection.includes(&format!("{group_id}/{}", id(entry)));
            if !boards.entries.iter().any(asked_for) {
                continue;
            }
            let solved = boards.entries.iter().find_map(|entry| {
                let solved = method.solve(&boards.solver, entry, Some(Family::patience()))?;
                Some((entry, solved.statistics.generated))
            });
            let Some((entry, nodes)) = solved else { continue };
            group.throughput(Throughput::Elements(nodes));
            group.bench_function(id(entry), |b| {
                b.iter_custom(|times| {
                    let solve = || method.solve(&boards.solver, entry, None);
                    let time = |_| solve().expect("it was solved before").time;
                    SteadyClock::scale(|| (0..times).map(time).sum())
                });
            });
        }
        group.finish();
    }
}

/// Boards that keep A* or IDA* busy for a while.
struct Large {
    puzzle: &'static str,
    heuristic: &'static str,
    boards: &'static str,
}

/// One search each by A*, of a few seconds, with states of 8 and of 16 bytes.
const LARGE: &[Large] = &[
    Large {
        puzzle: "sliding4",
        heuristic: "manhattan",
        boards: "korf-3: 14 7 8 2 13 11 10 4 9 12 5 0 3 6 1 15 # 59",
    },
    Large {
        puzzle: "torus4",
        heuristic: "circular-manhattan",
        boards: "uniform-83: 9 4 2 15 10 13 16 14 1 3 5 6 8 7 12 11 # 16",
    },
    Large {
        puzzle: "sliding5",
        heuristic: "linear-conflict",
        boards: "moves84-8: 2 1 7 8 0 5 12 6 4 3 22 11 17 18 13 20 10 16 15 9 21 24 19 14 23 # 62",
    },
];

/// Many searches each by IDA*: where a solution lies in the last iteration is luck, of which
/// two threads have another share than one.
const MANY: &[Large] = &[
    Large {
        puzzle: "sliding4",
        heuristic: "manhattan",
        boards: include_str!("../data/boards/korf-easy.boards"),
    },
    Large {
        puzzle: "torus4",
        heuristic: "circular-manhattan",
        boards: include_str!("../data/boards/torus4-uniform.boards"),
    },
];

impl Large {
    fn boards(&self) -> Boards {
        Boards::new(registry::define(self.puzzle).expect("a known puzzle"), self.boards)
    }
}

/// What the closed list of a puzzle's best-first searches takes for each state, once it holds
/// as many as this.
struct BytesPerState {
    states: usize,
}

impl PuzzleVisitor for BytesPerState {
    type Output = f64;

    fn visit<P: Puzzle>(self, puzzle: &P) -> f64 {
        // Each state has a key and a note of two bytes: the move that led there, and the depth.
        let mut closed: Closed<P::Key, u16> = Closed::new();
        let mut steps = self.states;
        while closed.len() < self.states {
            steps *= 2;
            for (state, _) in walk(puzzle, steps) {
                let limits = Limits::default();
                closed.insert(puzzle.key(state), 0, &limits, 0).expect("there are no limits");
                if closed.len() == self.states {
                    break;
                }
            }
        }
        closed.bytes() as f64 / closed.len() as f64
    }
}

#[expect(clippy::print_stdout, reason = "a report beside criterion's")]
fn memory() {
    println!("A*: bytes for each state stored");
    println!("{:<10} {:>12} {:>9} {:>9} {:>10}", "puzzle", "states", "key", "closed", "with open");
    for large in LARGE {
        let boards = large.boards();
        let method = Method::new("astar", large.heuristic);
        let solved = method.solve(&boards.solver, &boards.entries[0], None).expect("a solution");
        // What was expanded, and the goal.
        let states = solved.statistics.expanded + 1;
        let puzzle = AnyPuzzle::from_id(large.puzzle).expect("a known puzzle");
        let closed = puzzle.visit(BytesPerState { states: states as usize });
        let all = solved.statistics.peak_bytes as f64 / states as f64;
        let key = puzzle.visit(KeyBytes);
        println!("{:<10} {states:>12} {key:>9} {closed:>9.1} {all:>10.1}", large.puzzle);
    }
}

/// The size of a packed arrangement.
struct KeyBytes;

impl PuzzleVisitor for KeyBytes {
    type Output = usize;

    fn visit<P: Puzzle>(self, puzzle: &P) -> usize {
        size_of_val(&puzzle.key(puzzle.goal()))
    }
}

/// What a second thread is worth: one and two in turn, so that whatever else the machine does
/// slows both; by the medians, and by the best of each, when it did least. Nodes per second tell
/// the speed apart from the luck.
#[expect(clippy::print_stdout, reason = "a report beside criterion's")]
fn second_thread() {
    const ROUNDS: usize = 5;
    println!("two threads against one: all boards, median of {ROUNDS} rounds, in turn");
    let parallel = LARGE.iter().map(|l| ("pastar", l)).chain(MANY.iter().map(|l| ("pida", l)));
    for (algorithm, large) in parallel {
        let boards = large.boards();
        let mut measured = [const { (Vec::<Duration>::new(), 0) }; 2];
        for _ in 0..ROUNDS {
            for (threads, (times, nodes)) in (1..).zip(&mut measured) {
                let method = Method { threads, ..Method::new(algorithm, large.heuristic) };
                let solve = |entry| method.solve(&boards.solver, entry, None).expect("a solution");
                let solved: Vec<_> = boards.entries.iter().map(solve).collect();
                times.push(solved.iter().map(|solved| solved.time).sum());
                *nodes = solved.iter().map(|solved| solved.statistics.generated).sum::<u64>();
            }
        }
        let [(one, one_at_best, one_rate), (two, two_at_best, two_rate)] =
            measured.map(|(times, nodes)| {
                let best = times.iter().min().expect("some rounds").as_secs_f64();
                let seconds = median(times).as_secs_f64();
                (seconds, best, nodes as f64 / seconds)
            });
        println!(
            "{algorithm:<7} {:<9} {:>2} boards: {one:.3} s and {two:.3} s, ratio {:.2}, of the best {:.2}; \
             nodes per second, ratio {:.2}",
            large.puzzle,
            boards.entries.len(),
            one / two,
            one_at_best / two_at_best,
            two_rate / one_rate
        );
    }
}

fn reports(_: &mut Criterion) {
    if reports_wanted() {
        memory();
        second_thread();
    }
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion();
    targets = searches, reports
}
criterion_main!(benches);
