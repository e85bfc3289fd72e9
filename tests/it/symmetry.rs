//! Symmetries and canonical forms.

use crate::support::{Dice, all_puzzles};
use permutile::puzzle::arch::{BoardPair, Simd};
use permutile::puzzle::board_pair::PairEngine;
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

/// The form of a board that is carried with its inverse against its definition: an image of one of
/// the two, the same for all images of both, by SIMD and by scalar code.
fn check_pairs<P: Puzzle>(puzzle: &P, quick: &PairEngine, plain: &PairEngine) {
    let (frame, id) = (puzzle.frame(), puzzle.frame().id());
    let mut dice = Dice::new(3);
    for steps in (0..40).map(|i| if i < 20 { i } else { 1_000 }) {
        let state = dice.walk(puzzle, steps);
        let labels = puzzle.labels(state);
        let pair = quick.pair(&labels);
        let form = quick.canonical(&pair);
        assert_eq!(plain.canonical(&pair), form, "{id}");
        let other_way_round = BoardPair { board: pair.inverse, inverse: pair.board };
        let turned: Vec<u8> = other_way_round.board[..labels.len()].to_vec();
        assert_eq!(quick.pair(&turned), other_way_round, "{id}");
        let both = [labels, turned];
        let images = both
            .iter()
            .flat_map(|labels| frame.symmetries().iter().map(move |sigma| image(labels, sigma)));
        let mut is_image = false;
        for image in images {
            is_image |= form.labels(image.len()) == image;
            assert_eq!(quick.canonical(&quick.pair(&image)), form, "{id}");
        }
        assert!(is_image, "{id}");
        let all = puzzle.legal(state);
        let (mut forms, mut plain_forms) = ([0; 64], [0; 64]);
        assert_eq!(quick.canonical_after(&pair, all, &mut forms), all.len());
        assert_eq!(plain.canonical_after(&pair, all, &mut plain_forms), all.len());
        assert_eq!(forms, plain_forms, "{id}");
        for (m, form) in all.zip(forms) {
            let after = quick.moved(&pair, m);
            assert_eq!(after, plain.moved(&pair, m));
            assert_eq!(after, quick.pair(&puzzle.labels(puzzle.apply(state, m))), "{id}");
            assert_eq!(quick.canonical(&after).0, form, "{id}");
        }
    }
}

struct PairLaws;

impl PuzzleVisitor for PairLaws {
    type Output = bool;

    fn visit<P: Puzzle>(self, puzzle: &P) -> bool {
        let engine = || PairEngine::new(puzzle.frame());
        if let (Some(quick), Some(plain)) = (engine(), engine()) {
            check_pairs(puzzle, &quick, &plain.without_simd());
            return true;
        }
        false
    }
}

#[test]
fn one_form_stands_for_a_board_and_its_inverse() {
    let ids = ["torus4", "rings4", "torus:3x5", "torus:2x7", "torus:3x4", "torus:2x2", "rings:3x5"];
    for id in ids {
        assert!(AnyPuzzle::from_id(id).unwrap().visit(PairLaws), "{id}");
    }
    for puzzle in all_puzzles() {
        let frame = puzzle.frame();
        let has_pairs = frame.has_inversion() && frame.shape().cells() <= 16;
        assert_eq!(puzzle.visit(PairLaws), has_pairs, "{}", frame.id());
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
