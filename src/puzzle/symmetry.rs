//! The symmetries of a grid that map a puzzle's moves onto themselves.
//!
//! A symmetry is a map σ of the cells. It takes the arrangement `s` (cell → goal cell)
//! to `σ s σ⁻¹`, and a move `m` to `σ m σ⁻¹`. If that is a move for every move, and the
//! goal is kept, an arrangement and its image are equally far from the goal, by moves
//! that correspond one to one.

use super::moves::{Action, MoveTable};
use super::permutation::Permutation;
use crate::board::Shape;

/// All grid symmetries (reflections, rotations, and shifts with wrap-around) under which
/// the moves are closed and the blank's goal stays, the identity first. They form a group.
pub fn grid_symmetries(
    shape: Shape,
    moves: &MoveTable,
    blank_label: Option<u8>,
) -> Vec<Permutation> {
    let mut symmetries: Vec<Permutation> = candidates(shape)
        .into_iter()
        .filter(|sigma| blank_label.is_none_or(|cell| sigma.sources()[usize::from(cell)] == cell))
        .filter(|sigma| keeps_moves(sigma, moves))
        .collect();
    symmetries.sort_unstable();
    symmetries
}

/// Where each cell goes, by each map of the grid onto itself, without repetition.
fn candidates(shape: Shape) -> Vec<Permutation> {
    let (rows, cols) = (shape.rows(), shape.cols());
    let mut maps = Vec::new();
    for variant in 0..8 {
        let (transpose, flip_rows, flip_cols) =
            (variant & 4 != 0, variant & 2 != 0, variant & 1 != 0);
        if transpose && !shape.is_square() {
            continue;
        }
        for shift in 0..shape.cells() {
            let (down, right) = shape.row_col(shift);
            let image = |cell: usize| {
                let (row, col) = shape.row_col(cell);
                let (row, col) = if transpose { (col, row) } else { (row, col) };
                let row = if flip_rows { rows - 1 - row } else { row };
                let col = if flip_cols { cols - 1 - col } else { col };
                shape.cell((row + down) % rows, (col + right) % cols) as u8
            };
            let images: Vec<u8> = (0..shape.cells()).map(image).collect();
            maps.push(Permutation::from_sources(images).expect("the grid is mapped onto itself"));
        }
    }
    maps.sort_unstable();
    maps.dedup();
    maps
}

/// Whether each move, seen through σ, is a move.
fn keeps_moves(sigma: &Permutation, moves: &MoveTable) -> bool {
    match moves.action() {
        Action::Permutations(all) => all.iter().all(|m| all.contains(&m.renamed(sigma))),
        Action::Blank(targets) => {
            let neighbours = |cell: usize| targets.iter().filter_map(move |target| target[cell]);
            (0..sigma.cells()).all(|cell| {
                neighbours(cell).all(|next| {
                    let image = sigma.sources()[usize::from(next)];
                    neighbours(sigma.source(cell)).any(|neighbour| neighbour == image)
                })
            })
        }
    }
}
