//! The packed engines against the independent checker.

use crate::support::{Dice, LARGE, all_puzzles, large_and_narrow_puzzles};
use permutile::board::check;
use permutile::puzzle::packed::{Nibbles, Packed, Quints};
use permutile::puzzle::rearrange::{shuffle_nibbles, shuffle_quints};
use permutile::puzzle::{Goal, Puzzle, PuzzleVisitor, arch::Simd, registry};

/// On random arrangements, each packed move does what the checker says, back and forth.
struct MovesAgree;

impl PuzzleVisitor for MovesAgree {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let frame = puzzle.frame();
        let mut dice = Dice::new(1);
        for _ in 0..50 {
            let labels = dice.labels(frame);
            let state = puzzle.state_of(&labels);
            assert_eq!(puzzle.labels(state), labels, "{}", frame.id());
            assert_eq!(puzzle.state(puzzle.key(state)), state);
            let board = frame.decode(&labels);
            assert_eq!(frame.encode(&board).unwrap(), labels);
            for m in frame.moves().all() {
                let name = frame.moves().name(m);
                let by_hand = check::replay(frame.rules(), &board, &[name]);
                let legal = puzzle.legal(state).contains(m);
                assert_eq!(by_hand.is_ok(), legal, "{} {name} on {board}", frame.id());
                let Ok(by_hand) = by_hand else { continue };
                let after = puzzle.apply(state, m);
                let packed = frame.decode(&puzzle.labels(after));
                assert_eq!(packed, by_hand, "{} {name} on {board}", frame.id());
                assert!(puzzle.legal_back(after).contains(m));
                assert_eq!(puzzle.apply_back(after, m), state, "{} {name}", frame.id());
                if let Some(inverse) = frame.moves().inverse(m) {
                    assert_eq!(puzzle.apply(after, inverse), state, "{} {name}", frame.id());
                }
                puzzle.each_carried(state, m, |from, to| {
                    assert_eq!(puzzle.label(after, to), puzzle.label(state, from));
                    assert_ne!(from, to);
                });
            }
        }
    }
}

#[test]
fn packed_moves_are_those_of_the_checker() {
    for puzzle in all_puzzles().into_iter().chain(large_and_narrow_puzzles()) {
        puzzle.visit(MovesAgree);
    }
}

#[test]
fn move_names_are_those_of_the_checker() {
    for puzzle in all_puzzles().into_iter().chain(large_and_narrow_puzzles()) {
        let frame = puzzle.frame();
        let names: Vec<&str> = frame.moves().all().map(|m| frame.moves().name(m)).collect();
        assert_eq!(names, frame.rules().move_names(), "{}", frame.id());
    }
}

#[test]
fn ids_are_read_and_refused() {
    for id in crate::support::IDS.iter().chain(LARGE) {
        assert_eq!(registry::define(id).unwrap().id, *id);
    }
    assert_eq!(registry::define("torus:4x4").unwrap().id, "torus4");
    for bad in [
        "",
        "torus",
        "torus1",
        "torus11",
        "torus:1x6",
        "torus:2x13",
        "rings2",
        "rings:2x5",
        "rings10",
        "rings:3x10",
        "sliding1",
        "sliding:1x4",
        "sliding17",
        "cube3",
        "torus:4",
        "torus:4y4",
        "torus-4",
    ] {
        let error = registry::define(bad).unwrap_err().to_string();
        assert!(error.contains(bad) && error.len() > 20, "{bad}: {error}");
    }
}

#[test]
fn groups_have_their_known_orders() {
    let order = |id: &str| {
        let definition = registry::define(id).unwrap();
        let puzzle = permutile::puzzle::AnyPuzzle::new(definition, Goal::Default, Simd::off());
        puzzle.unwrap().frame().group().unwrap().order().as_u128().unwrap()
    };
    let factorial = |n: u128| (1..=n).product::<u128>();
    assert_eq!(order("torus:2x2"), factorial(4));
    assert_eq!(order("torus3"), factorial(9) / 2);
    assert_eq!(order("torus4"), factorial(16));
    assert_eq!(order("torus:4x5"), factorial(20));
    assert_eq!(order("torus5"), factorial(25) / 2);
    assert_eq!(order("rings5"), factorial(25));
}

/// The shuffles of `src/puzzle/arch` on their own, against their scalar twins.
#[test]
fn shuffles_agree_with_their_twins() {
    let mut dice = Dice::new(3);
    let mut permutation = |cells: usize| {
        let mut list: Vec<u8> = (0..cells).map(|cell| cell as u8).collect();
        for i in (1..cells).rev() {
            list.swap(i, dice.below(i + 1));
        }
        list
    };
    for _ in 0..1000 {
        let word = Nibbles::from_labels(&permutation(16)).0;
        let sources: [u8; 16] = permutation(16).try_into().unwrap();
        if let Some(ssse3) = Simd::detect().ssse3() {
            assert_eq!(ssse3.shuffle_nibbles(word, &sources), shuffle_nibbles(word, &sources));
        }
        let word = Quints::from_labels(&permutation(25)).0;
        let mut sources: [u8; 32] = std::array::from_fn(|cell| cell as u8);
        sources[..25].copy_from_slice(&permutation(25));
        if let Some(avx2) = Simd::detect().avx2() {
            assert_eq!(avx2.shuffle_quints(word, &sources), shuffle_quints(word, &sources));
        }
    }
}
