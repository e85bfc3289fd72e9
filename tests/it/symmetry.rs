//! Symmetries and canonical forms.

use crate::support::{Dice, all_puzzles};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::canonical::{Canonicalizer, inverse};
use permutile::puzzle::packed::Packed;
use permutile::puzzle::permutation::Permutation;
use permutile::puzzle::{AnyPuzzle, Goal, Puzzle, PuzzleVisitor, registry};

#[test]
fn puzzles_have_their_known_symmetries() {
    let known = [
        ("torus:2x2", 8),
        ("torus3", 72),
        ("torus4", 128),
        ("torus5", 200),
        ("torus:4x5", 80),
        ("rings5", 8),
        ("rings4", 8),
        ("rings:3x5", 4),
        ("sliding3", 2),
        ("sliding4", 2),
        ("sliding:3x4", 1),
    ];
    for (id, count) in known {
        assert_eq!(AnyPuzzle::from_id(id).unwrap().frame().symmetries().len(), count, "{id}");
    }
    let centre = permutile::board::text::parse_one("goal", b"1 2 3 / 4 0 5 / 6 7 8", None).unwrap();
    let definition = registry::define("sliding3").unwrap();
    let puzzle = AnyPuzzle::new(definition, Goal::Board(centre.board), Simd::off()).unwrap();
    assert_eq!(
        puzzle.frame().symmetries().len(),
        8,
        "a blank in the centre keeps all of the square"
    );
}

#[test]
fn symmetries_form_a_group_with_the_identity_first() {
    for puzzle in all_puzzles() {
        let symmetries = puzzle.frame().symmetries();
        assert!(symmetries[0].is_identity());
        for a in symmetries {
            assert!(symmetries.contains(&a.inverse()));
            for b in symmetries.iter().take(10) {
                assert!(symmetries.contains(&a.then(b)), "{}", puzzle.frame().id());
            }
        }
    }
}

/// σ s σ⁻¹ on plain lists.
fn image(labels: &[u8], sigma: &Permutation) -> Vec<u8> {
    let mut image = labels.to_vec();
    for (cell, &label) in labels.iter().enumerate() {
        image[sigma.source(cell)] = sigma.sources()[usize::from(label)];
    }
    image
}

/// The canonical form against its definition: some image, the same for all images, and
/// as many of them as it says.
struct CanonicalLaws;

impl PuzzleVisitor for CanonicalLaws {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let frame = puzzle.frame();
        let cells = frame.shape().cells();
        let quick = Canonicalizer::new(puzzle);
        let plain = Canonicalizer::new(puzzle).without_simd();
        let mut dice = Dice::new(2);
        let near = (0..20).map(|steps| (steps, true));
        let far = (0..20).map(|_| (0, false));
        for (steps, walk) in near.chain(far) {
            let labels =
                if walk { puzzle.labels(dice.walk(puzzle, steps)) } else { dice.labels(frame) };
            let key = P::Key::from_labels(&labels);
            let canonical = quick.canonical(key);
            assert_eq!(plain.canonical(key), canonical, "SIMD and scalar agree on {}", frame.id());
            let mut images: Vec<P::Key> = frame
                .symmetries()
                .iter()
                .map(|sigma| P::Key::from_labels(&image(&labels, sigma)))
                .collect();
            for &image in &images {
                assert_eq!(quick.canonical(image), canonical, "{}", frame.id());
            }
            assert!(images.contains(&canonical.key));
            let with_inverse = quick.canonical_with_inverse(key);
            if frame.has_inversion() {
                let back = inverse(key, cells);
                assert_eq!(inverse(back, cells), key);
                assert_eq!(quick.canonical_with_inverse(back), with_inverse);
                let inverses: Vec<_> = images.iter().map(|&image| inverse(image, cells)).collect();
                images.sort_unstable();
                images.dedup();
                assert_eq!(images.len(), canonical.class_size as usize, "{}", frame.id());
                images.extend(inverses);
            } else {
                assert_eq!(with_inverse, canonical);
            }
            images.sort_unstable();
            images.dedup();
            assert_eq!(images.len(), with_inverse.class_size as usize, "{}", frame.id());
        }
    }
}

#[test]
fn canonical_forms_keep_their_laws() {
    for puzzle in all_puzzles() {
        puzzle.visit(CanonicalLaws);
    }
}

#[test]
fn one_way_puzzles_have_no_inversion() {
    let one_way = crate::support::custom_definitions().remove(0);
    let puzzle = AnyPuzzle::new(one_way, Goal::Default, Simd::off()).unwrap();
    assert!(!puzzle.frame().has_inversion());
    assert!(!AnyPuzzle::from_id("sliding4").unwrap().frame().has_inversion());
    assert!(AnyPuzzle::from_id("rings5").unwrap().frame().has_inversion());
}
