//! The (circular) Manhattan distance as a straightforward program computes it, with rows and
//! columns by division for each tile of a plain array.

use crate::{Session, group_id, walk};
use criterion::Throughput;
use permutile::puzzle::{AnyPuzzle, Frame, Puzzle, PuzzleVisitor};
use permutile::search::HeuristicKind;
use permutile::table::source::TableSource;
use std::hint::black_box;

/// Measures it next to the heuristic of that name, which must say the same.
pub(crate) fn bench(session: &mut Session, puzzle: &AnyPuzzle, name: &str) {
    let frame = puzzle.frame();
    let naive = Naive::new(frame);
    let id = group_id(frame.id(), name);
    let mut group = session.criterion.benchmark_group(&id);
    group.throughput(Throughput::Elements(1));
    group.bench_function("naive", |b| {
        session.measured.borrow_mut().insert(format!("{id}/naive"));
        let boards = puzzle.visit(Walked);
        let kind: HeuristicKind = name.parse().expect("a known heuristic");
        let heuristic = kind.build(puzzle, &TableSource::default()).expect("it applies");
        for labels in &boards {
            assert_eq!(heuristic.estimate(labels), naive.estimate(labels), "they are the same");
        }
        let mut next = boards.iter().cycle();
        b.iter(|| naive.estimate(black_box(next.next().expect("it cycles"))));
    });
    group.finish();
}

/// The boards of a walk as plain arrays.
struct Walked;

impl PuzzleVisitor for Walked {
    type Output = Vec<Vec<u8>>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<Vec<u8>> {
        walk(puzzle, 1024).into_iter().map(|(state, _)| puzzle.labels(state)).collect()
    }
}

struct Naive {
    rows: usize,
    cols: usize,
    blank: Option<u8>,
    wraps: bool,
    divisor: usize,
}

impl Naive {
    fn new(frame: &Frame) -> Naive {
        let blank = frame.blank_label();
        let wraps = blank.is_none();
        Naive {
            rows: black_box(frame.shape().rows()),
            cols: black_box(frame.shape().cols()),
            blank,
            wraps,
            divisor: if wraps { frame.moves().most_tiles_shifted() } else { 1 },
        }
    }

    fn estimate(&self, labels: &[u8]) -> u32 {
        let axis = |a: usize, b: usize, length: usize| {
            let straight = a.abs_diff(b);
            if self.wraps { straight.min(length - straight) } else { straight }
        };
        let &Naive { rows, cols, blank, divisor, .. } = self;
        let tiles = labels.iter().enumerate().filter(|&(_, &label)| Some(label) != blank);
        let distance = |(cell, &label): (usize, &u8)| {
            let goal = usize::from(label);
            axis(cell / cols, goal / cols, rows) + axis(cell % cols, goal % cols, cols)
        };
        tiles.map(distance).sum::<usize>().div_ceil(divisor) as u32
    }
}
