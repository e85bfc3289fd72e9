use super::*;
use crate::board::Shape;
use crate::board::check::Rules;
use crate::puzzle::arch::Simd;
use crate::puzzle::{Definition, Dynamics, Goal, Move, NamedMove, registry};

fn frame_of(id: &str) -> Frame {
    Frame::new(registry::define(id).unwrap(), Goal::Default, Simd::off()).unwrap()
}

/// A puzzle on one row.
fn row(moves: Vec<Permutation>) -> Frame {
    let shape = Shape::new(1, moves[0].cells()).unwrap();
    let named = moves.into_iter().enumerate().map(|(i, m)| NamedMove::new(format!("m{i}"), m));
    let dynamics = Dynamics::Permutations(named.collect());
    let rules = Rules::Cycles { shape, moves: Vec::new() };
    let definition = Definition { id: "row".to_owned(), shape, dynamics, rules };
    Frame::new(definition, Goal::Default, Simd::off()).unwrap()
}

/// Solves random members of the group, and replays the words move by move.
fn solves(frame: &Frame, boards: usize) {
    let factorization = Factorization::new(frame, &Limits::default()).unwrap();
    let group = frame.group().unwrap();
    let mut random = SplitMix64 { state: 5 };
    for _ in 0..boards {
        let board = group.random(|bound| random.below(bound as usize) as u64);
        let elements = factorization.solve(board.sources()).unwrap();
        let mut moves: Vec<Move> = Vec::new();
        elements.iter().for_each(|&id| factorization.library().write_word(id, &mut moves));
        let after =
            moves.iter().fold(board, |board, &m| board.then(frame.moves().permutation(m).unwrap()));
        assert!(after.is_identity());
        let length: u64 = elements.iter().map(|&id| factorization.library().length(id)).sum();
        assert_eq!(moves.len() as u64, length);
    }
}

#[test]
fn named_puzzles() {
    for id in [
        "torus2",
        "torus:2x3",
        "torus3",
        "rings3",
        "torus4",
        "torus5",
        "rings5",
        "torus:2x9",
        "torus6",
        "torus10",
        "rings9",
    ] {
        solves(&frame_of(id), 5);
    }
    let all: Vec<usize> = (0..25).rev().collect();
    let turn = Permutation::from_cycles(25, &[all]);
    solves(&row(vec![turn.clone(), turn.inverse(), Permutation::from_cycles(25, &[[0, 1]])]), 5);
    let flip = |n: usize| {
        let cycles: Vec<Vec<usize>> = (0..n / 2).map(|i| vec![i, n - 1 - i]).collect();
        Permutation::from_cycles(55, &cycles)
    };
    solves(&row((2..=55).map(flip).collect()), 5);
    let p = |c: &[&[usize]]| {
        let c: Vec<Vec<usize>> = c.iter().map(|c| c.iter().map(|x| x - 1).collect()).collect();
        Permutation::from_cycles(47, &c)
    };
    let r = p(&[
        &[1, 5, 4, 3, 2],
        &[6, 11, 10, 9, 8, 7],
        &[12, 17, 16, 15, 14, 13],
        &[18, 23, 22, 21, 20, 19],
        &[24, 29, 28, 27, 26, 25],
        &[30, 35, 34, 33, 32, 31],
        &[36, 37, 38, 39, 40, 41],
    ]);
    let d = p(&[
        &[1, 31, 25, 19, 13, 7],
        &[2, 32, 26, 20, 14, 8],
        &[3, 33, 27, 21, 15, 9],
        &[4, 34, 28, 22, 16, 10],
        &[5, 35, 29, 23, 17, 11],
        &[6, 30, 24, 18, 12],
        &[42, 43, 44, 45, 46, 47],
    ]);
    solves(&row(vec![r.clone(), d.clone(), r.inverse(), d.inverse()]), 5);
    solves(&row(vec![r, d]), 5);
}
