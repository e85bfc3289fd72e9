//! IDA* on the sliding puzzle, as plainly as it can be written: read this before `src/search`.
//!
//! The algorithm is Korf's (1985, "Depth-first iterative-deepening: an optimal admissible tree
//! search"). The library's own search is the same idea with packed boards, table lookups and better
//! heuristics.
//!
//! Run it with `cargo run --release --example plain_ida -- "3 1 2 / 6 4 5 / 7 8 0"`.
#![expect(clippy::print_stdout, reason = "an example shows what it found")]

use permutile::board::{Board, text};
use permutile::search::{SearchOptions, Silent};
use permutile::solver::Solver;

/// A board as a flat array, row by row; 0 is the blank. The goal is 0, 1, 2, 3, …
struct Puzzle {
    tiles: Vec<u8>,
    columns: usize,
}

/// The length of a shortest solution. Never returns if there is none.
fn shortest(mut puzzle: Puzzle) -> usize {
    let blank = puzzle.tiles.iter().position(|&tile| tile == 0).expect("one tile is the blank");
    let mut bound = manhattan(&puzzle);
    // Each pass searches everything that may be solved within the bound. The next bound is the
    // smallest estimate that exceeded this one, so no solution can be shorter than the bound.
    loop {
        match search(&mut puzzle, blank, None, 0, bound) {
            Pass::Solved => return bound,
            Pass::NextBound(next) => bound = next,
        }
    }
}

/// How a search below some bound ended.
enum Pass {
    Solved,
    /// The smallest estimate above the bound.
    NextBound(usize),
}

/// Depth-first search from a board that `depth` moves have led to; the blank came from
/// `previous`. Needs only the memory of its recursion, unlike A*, which keeps every board.
fn search(
    p: &mut Puzzle,
    blank: usize,
    previous: Option<usize>,
    depth: usize,
    bound: usize,
) -> Pass {
    let h = manhattan(p);
    // Manhattan distance never overestimates, so nothing is lost by giving up here.
    if depth + h > bound {
        return Pass::NextBound(depth + h);
    }
    // It is 0 for the goal alone.
    if h == 0 {
        return Pass::Solved;
    }
    let mut next_bound = usize::MAX;
    for cell in neighbours(p, blank) {
        // Sliding a tile straight back is never part of a shortest solution.
        if Some(cell) == previous {
            continue;
        }
        p.tiles.swap(blank, cell);
        let pass = search(p, cell, Some(blank), depth + 1, bound);
        p.tiles.swap(blank, cell);
        match pass {
            Pass::Solved => return Pass::Solved,
            Pass::NextBound(next) => next_bound = next_bound.min(next),
        }
    }
    Pass::NextBound(next_bound)
}

/// How many rows and columns the tiles are away from their goal cells, added up. A move changes
/// that by 1, so at least this many moves are needed. The blank does not count: it moves along
/// with every tile.
fn manhattan(p: &Puzzle) -> usize {
    let row_and_column = |cell: usize| (cell / p.columns, cell % p.columns);
    let tiles = p.tiles.iter().enumerate().filter(|&(_, &tile)| tile != 0);
    tiles
        .map(|(cell, &tile)| {
            let (row, column) = row_and_column(cell);
            let (goal_row, goal_column) = row_and_column(usize::from(tile));
            row.abs_diff(goal_row) + column.abs_diff(goal_column)
        })
        .sum()
}

/// The cells next to one.
fn neighbours(p: &Puzzle, cell: usize) -> Vec<usize> {
    let (columns, column) = (p.columns, cell % p.columns);
    let mut cells = Vec::new();
    if cell >= columns {
        cells.push(cell - columns);
    }
    if cell + columns < p.tiles.len() {
        cells.push(cell + columns);
    }
    if column > 0 {
        cells.push(cell - 1);
    }
    if column + 1 < columns {
        cells.push(cell + 1);
    }
    cells
}

fn plain(board: &Board) -> Puzzle {
    let tiles = board.tiles().iter().map(|tile| tile.0 as u8).collect();
    Puzzle { tiles, columns: board.shape().cols() }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let argument = std::env::args().nth(1).unwrap_or_else(|| "8 7 6 / 0 4 1 / 2 5 3".to_owned());
    let board = text::parse_one("argument", argument.as_bytes(), None)?.board;
    if board.blank().is_none() {
        return Err("give a board of the sliding puzzle: one tile must be 0, the blank".into());
    }
    // Half of all boards have no solution: IDA* would look for it forever. The library knows by
    // the parity of the permutation, so it is asked first.
    let answer = Solver::infer(&board)?.solve(&board, &SearchOptions::default(), &mut Silent)?;
    let solution = answer.solution().ok_or("this board cannot be solved")?;
    let length = shortest(plain(&board));
    println!("plain IDA*: {length} moves; the library: {} moves", solution.len());
    if length == solution.len() { Ok(()) } else { Err("one of them is wrong".into()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutile::lab::scramble::{ScrambleKind, scramble};
    use permutile::puzzle::{Goal, arch::Simd, registry};
    use permutile::search::Limits;

    fn agrees(puzzle: &str, kind: ScrambleKind) {
        let definition = registry::define(puzzle).unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        for board in scramble(solver.puzzle(), kind, 1, 10, &Limits::default()).unwrap() {
            let answer = solver.solve(&board, &SearchOptions::default(), &mut Silent).unwrap();
            assert_eq!(shortest(plain(&board)), answer.solution().unwrap().len(), "{board:?}");
        }
    }

    #[test]
    fn the_library_finds_solutions_of_the_same_length() {
        agrees("sliding3", ScrambleKind::Uniform);
        agrees("sliding4", ScrambleKind::Moves(36));
    }

    #[test]
    fn the_boards_farthest_from_the_goal_take_31_moves() {
        for tiles in [[8, 0, 6, 5, 4, 7, 2, 3, 1], [8, 7, 6, 0, 4, 1, 2, 5, 3]] {
            assert_eq!(shortest(Puzzle { tiles: tiles.to_vec(), columns: 3 }), 31);
        }
    }
}
