//! The canonical form of one random board, in ns: all images compared, few candidates
//! compared, and few candidates by byte shuffles where there is such a way.

#[path = "common/least_image.rs"]
mod least_image;

use criterion::{Throughput, criterion_group, criterion_main};
use least_image::least_image;
use permutile::puzzle::canonical::{Canonicalizer, inverse};
use permutile::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};
use permutile_bench::{Criterion, walk};
use std::hint::black_box;

const PUZZLES: &[&str] = &["torus3", "torus4", "torus5", "rings4", "rings5", "sliding4"];

struct BenchCanonical<'a> {
    criterion: &'a mut Criterion,
    id: &'a str,
}

impl PuzzleVisitor for BenchCanonical<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        // One board in 64, far from the goal and from each other.
        let far = walk(puzzle, 64 * 1024).into_iter().skip(63).step_by(64);
        let keys: Vec<P::Key> = far.map(|(state, _)| puzzle.key(state)).collect();
        let mut group = self.criterion.benchmark_group(format!("canonical/{}", self.id));
        group.throughput(Throughput::Elements(1));
        let symmetries = puzzle.frame().symmetries();
        let least = |key: P::Key| least_image(key, symmetries);
        let inverted = |key: P::Key| {
            let frame = puzzle.frame();
            if frame.has_inversion() { inverse(key, frame.shape().cells()) } else { key }
        };
        group.bench_function("all-images", |b| {
            let mut next = keys.iter().cycle();
            b.iter(|| least(black_box(*next.next().expect("it cycles"))));
        });
        let detected = Canonicalizer::new(puzzle);
        let scalar = Canonicalizer::new(puzzle).without_simd();
        for (name, canonicalizer) in [("scalar", scalar), ("detected", detected)] {
            for &key in &keys {
                let canonical = canonicalizer.canonical(key).key;
                assert_eq!(least(canonical), least(key), "a canonical form is an image");
                assert_eq!(canonicalizer.canonical(canonical).key, canonical, "and its own");
                let either = canonicalizer.canonical_with_inverse(key).key;
                let of_inverse = canonicalizer.canonical(inverted(key)).key;
                assert_eq!(either, canonical.min(of_inverse), "the lesser of both");
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

fn canonical(criterion: &mut Criterion) {
    for id in PUZZLES {
        AnyPuzzle::from_id(id).expect("a known puzzle").visit(BenchCanonical { criterion, id });
    }
}

criterion_group! {
    name = benches;
    config = permutile_bench::criterion();
    targets = canonical
}
criterion_main!(benches);
