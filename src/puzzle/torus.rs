//! The torus: each row slides left or right by one cell, each column up or down,
//! with wrap-around.

use super::definition::{Definition, Dynamics, NamedMove};
use super::permutation::Permutation;
use super::registry::{Family, short_id};
use crate::board::Shape;
use crate::board::check::Rules;

pub(super) const FAMILY: Family = Family {
    name: "torus",
    summary: "every row slides one cell left or right, every column one cell up or down, with wrap-around",
    shapes: "torus:RxC with R,C >= 2, up to 10x10 or 25 cells; short: torus2, torus3, ... torus10",
    fits: |shape| {
        let (rows, cols) = (shape.rows(), shape.cols());
        rows >= 2 && (rows.max(cols) <= 10 || shape.cells() <= 25)
    },
    define,
};

fn define(shape: Shape) -> Definition {
    Definition {
        id: short_id(FAMILY.name, shape),
        shape,
        dynamics: Dynamics::Permutations(line_moves(shape)),
        rules: Rules::Torus(shape),
    }
}

/// `L1… R1… U1… D1…`: the moves of all rows and columns.
pub(super) fn line_moves(shape: Shape) -> Vec<NamedMove> {
    let leftwards =
        |row| -> Vec<usize> { (0..shape.cols()).rev().map(|col| shape.cell(row, col)).collect() };
    let upwards =
        |col| -> Vec<usize> { (0..shape.rows()).rev().map(|row| shape.cell(row, col)).collect() };
    let turn = |cycle: Vec<usize>| Permutation::from_cycles(shape.cells(), &[cycle]);
    let named = |letter: char, line: usize, permutation| {
        NamedMove::new(format!("{letter}{}", line + 1), permutation)
    };
    let (rows, cols) = (0..shape.rows(), 0..shape.cols());
    let left = rows.clone().map(|row| named('L', row, turn(leftwards(row))));
    let right = rows.map(|row| named('R', row, turn(leftwards(row)).inverse()));
    let up = cols.clone().map(|col| named('U', col, turn(upwards(col))));
    let down = cols.map(|col| named('D', col, turn(upwards(col)).inverse()));
    left.chain(right).chain(up).chain(down).collect()
}
