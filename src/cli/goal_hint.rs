//! Boards that were written for the other usual goal.

use permutile::board::Board;
use permutile::lab::record::Record;
use permutile::lab::solvers::load_definition;
use permutile::puzzle::{Frame, Goal};
use permutile::search::ida::IDA;
use permutile::search::{Limits, SearchOptions, Silent};
use permutile::solver::{Answer, Solver};

/// How many nodes the question is worth: about a millisecond.
const NODES: u64 = 20_000;
/// Who needs fewer moves than this is not in the wrong place.
const FEW: u32 = 8;

/// How many moves take a board to `blank-last`, if that is at most half of what `blank-first` takes,
/// as far as this can be found out in no time.
pub(super) fn moves_to_blank_last(record: &Record, board: &Board, frame: &Frame) -> Option<u32> {
    let needed = record.length.filter(|_| record.optimal).or(record.lower_bound)?;
    if needed < FEW || frame.blank_label().is_none() {
        return None;
    }
    let solver =
        Solver::new(load_definition(frame.id()).ok()?, Goal::BlankLast, frame.simd()).ok()?;
    let options = SearchOptions {
        algorithm: (&IDA).into(),
        limits: Limits { nodes: Some(NODES), depth: Some(needed / 2), ..Limits::default() },
        ..SearchOptions::default()
    };
    match solver.solve(board, &options, &mut Silent).ok()? {
        Answer::Searched(report) => report.solution.map(|solution| solution.len() as u32),
        Answer::Unsolvable(_) => None,
    }
}
