//! The canonical form of one random board, in ns: all images compared, few candidates
//! compared, and few candidates by byte shuffles where there is such a way.

use criterion::{Criterion, criterion_group, criterion_main};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::canonical::Canonicalizer;
use permutile::puzzle::packed::Packed;
use permutile::puzzle::permutation::Permutation;
use permutile::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};
use std::hint::black_box;

const PUZZLES: &[&str] = &["torus3", "torus4", "torus5", "rings4", "rings5", "sliding4"];

struct BenchCanonical<'a> {
    criterion: &'a mut Criterion,
    id: &'a str,
}

impl PuzzleVisitor for BenchCanonical<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let keys = random_keys(puzzle);
        let mut group = self.criterion.benchmark_group(format!("canonical/{}", self.id));
        let symmetries = puzzle.frame().symmetries();
        let least = |key: P::Key| least_image(key, symmetries);
        group.bench_function("all-images", |b| {
            let mut next = keys.iter().cycle();
            b.iter(|| least(black_box(*next.next().expect("it cycles"))));
        });
        for (name, simd) in [("scalar", Simd::off()), ("detected", Simd::detect())] {
            let canonicalizer = Canonicalizer::new(puzzle, simd);
            for &key in &keys {
                let canonical = canonicalizer.canonical(key).key;
                assert_eq!(least(canonical), least(key), "a canonical form is an image");
                assert_eq!(canonicalizer.canonical(canonical).key, canonical, "and its own");
            }
            group.bench_function(name, |b| {
                let mut next = keys.iter().cycle();
                b.iter(|| canonicalizer.canonical(black_box(*next.next().expect("it cycles"))));
            });
            group.bench_function(format!("{name}-with-inverse"), |b| {
                let mut next = keys.iter().cycle();
                b.iter(|| {
                    canonicalizer
                        .canonical_with_inverse(black_box(*next.next().expect("it cycles")))
                });
            });
        }
        group.finish();
    }
}

/// Boards far from the goal, the same in each run.
fn random_keys<P: Puzzle>(puzzle: &P) -> Vec<P::Key> {
    let mut seed = 1u64;
    let mut state = puzzle.goal();
    let mut keys = Vec::new();
    for step in 0..64 * 1024 {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let legal = puzzle.legal(state);
        let m = legal.clone().nth((seed >> 33) as usize % legal.len()).expect("some move is legal");
        state = puzzle.apply(state, m);
        if step % 64 == 63 {
            keys.push(puzzle.key(state));
        }
    }
    keys
}

fn least_image<K: Packed>(key: K, symmetries: &[Permutation]) -> K {
    let cells = symmetries[0].cells();
    let mut labels = [0; permutile::board::MAX_CELLS];
    let mut image = labels;
    key.unpack(&mut labels[..cells]);
    symmetries
        .iter()
        .map(|sigma| {
            for (cell, &label) in labels[..cells].iter().enumerate() {
                image[sigma.source(cell)] = sigma.sources()[usize::from(label)];
            }
            K::from_labels(&image[..cells])
        })
        .min()
        .expect("the identity is a symmetry")
}

fn canonical(criterion: &mut Criterion) {
    for id in PUZZLES {
        AnyPuzzle::from_id(id).expect("a known puzzle").visit(BenchCanonical { criterion, id });
    }
}

criterion_group!(benches, canonical);
criterion_main!(benches);
