//! One move on one state, in ns: packed words against plain arrays and byte shuffles.
//!
//! Each iteration makes the next move on the result of the last one, so the figures are
//! latencies. Every variant must end where the packed one does.

#[path = "common/plain_board.rs"]
mod plain_board;

use criterion::{Throughput, criterion_group, criterion_main};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::moves::Action;
use permutile::puzzle::packed::{Nibbles, Packed, Quints};
use permutile::puzzle::rearrange::{shuffle_nibbles, shuffle_quints};
use permutile::puzzle::{AnyPuzzle, Move, Puzzle, PuzzleVisitor};
use permutile_bench::{Criterion, SteadyClock, walk};
use plain_board::PlainBoard;
use std::hint::black_box;

const PUZZLES: &[&str] = &[
    "torus3",
    "torus4",
    "torus5",
    "rings4",
    "rings5",
    "sliding3",
    "sliding4",
    "sliding5",
    "sliding6",
    "sliding10",
];

struct BenchMoves<'a> {
    criterion: &'a mut Criterion,
    id: &'a str,
}

impl PuzzleVisitor for BenchMoves<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let moves: Vec<Move> = walk(puzzle, 4096).into_iter().map(|(_, m)| m).collect();
        let end = moves.iter().fold(puzzle.goal(), |state, &m| puzzle.apply(state, m));
        let labels = puzzle.labels(end);
        let mut group = self.criterion.benchmark_group(format!("moves/{}", self.id));
        group.throughput(Throughput::Elements(1));

        group.bench_function("packed", |b| {
            let mut state = puzzle.goal();
            let mut next = 0;
            b.iter(|| {
                if next == moves.len() {
                    (state, next) = (puzzle.goal(), 0);
                }
                state = puzzle.apply(state, black_box(moves[next]));
                next += 1;
                state
            });
        });

        let mut plain = PlainBoard::new(puzzle);
        moves.iter().for_each(|&m| plain.make(m));
        assert_eq!(plain.labels, labels, "plain arrays agree");
        group.bench_function("plain", |b| {
            let mut next = 0;
            let mut plain = PlainBoard::new(puzzle);
            b.iter(|| {
                if next == moves.len() {
                    (plain, next) = (PlainBoard::new(puzzle), 0);
                }
                plain.make(black_box(moves[next]));
                next += 1;
                plain.labels[0]
            });
        });

        if let Action::Permutations(permutations) = puzzle.frame().moves().action() {
            let cells = puzzle.frame().shape().cells();
            let sources16: Vec<[u8; 16]> =
                permutations.iter().map(|p| padded(p.sources())).collect();
            let sources32: Vec<[u8; 32]> =
                permutations.iter().map(|p| padded(p.sources())).collect();
            if cells <= Nibbles::CAPACITY {
                let start = Nibbles::from_labels(&puzzle.labels(puzzle.goal())).0;
                let end = Nibbles::from_labels(&labels).0;
                bench_shuffle(&mut group, "shuffle-scalar", &moves, start, end, |word, m| {
                    shuffle_nibbles(word, &sources16[m.index()])
                });
                if let Some(ssse3) = Simd::detect().ssse3() {
                    bench_shuffle(&mut group, "shuffle-ssse3", &moves, start, end, |word, m| {
                        ssse3.shuffle_nibbles(word, &sources16[m.index()])
                    });
                }
            } else if cells <= Quints::CAPACITY {
                let start = Quints::from_labels(&puzzle.labels(puzzle.goal())).0;
                let end = Quints::from_labels(&labels).0;
                bench_shuffle(&mut group, "shuffle-scalar", &moves, start, end, |word, m| {
                    shuffle_quints(word, &sources32[m.index()])
                });
                if let Some(avx2) = Simd::detect().avx2() {
                    bench_shuffle(&mut group, "shuffle-avx2", &moves, start, end, |word, m| {
                        avx2.shuffle_quints(word, &sources32[m.index()])
                    });
                }
            }
        }
        group.finish();
    }
}

fn bench_shuffle<W: Copy + PartialEq + std::fmt::Debug>(
    group: &mut criterion::BenchmarkGroup<'_, SteadyClock>,
    name: &str,
    moves: &[Move],
    start: W,
    end: W,
    shuffle: impl Fn(W, Move) -> W,
) {
    assert_eq!(moves.iter().fold(start, |word, &m| shuffle(word, m)), end, "{name} agrees");
    group.bench_function(name, |b| {
        let mut word = start;
        let mut next = 0;
        b.iter(|| {
            if next == moves.len() {
                (word, next) = (start, 0);
            }
            word = shuffle(word, black_box(moves[next]));
            next += 1;
            word
        });
    });
}

fn padded<const N: usize>(sources: &[u8]) -> [u8; N] {
    std::array::from_fn(|cell| sources.get(cell).copied().unwrap_or(cell as u8))
}

fn moves(criterion: &mut Criterion) {
    for id in PUZZLES {
        AnyPuzzle::from_id(id).expect("a known puzzle").visit(BenchMoves { criterion, id });
    }
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion();
    targets = moves
}
criterion_main!(benches);
