//! Shorter paths to the same goal on puzzles without a blank: what cancels is left out.

use crate::puzzle::moves::{Move, MoveTable};

/// Turns of one line: a move and its inverse, or one without.
#[derive(Clone, Copy, Debug)]
struct Run {
    line: Line,
    /// How often the line's move is made, less than its order.
    times: u64,
}

/// A move, its inverse, and how often it is made until nothing has changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    forth: Move,
    back: Option<Move>,
    order: u64,
}

/// The line of a move, and how many times the line's move it is.
fn line(table: &MoveTable, m: Move) -> (Line, u64) {
    let first = |m: Move| {
        let same = |a: &Move| table.permutation(*a) == table.permutation(m);
        if table.duplicates().contains(m) { table.all().find(same).unwrap_or(m) } else { m }
    };
    let m = first(m);
    let order = table.order(m).unwrap_or(u64::MAX);
    match table.inverse(m) {
        Some(back) if back < m => (Line { forth: back, back: Some(m), order }, order - 1),
        back => (Line { forth: m, back, order }, 1),
    }
}

/// The moves without what cancels: turns of one line are added up where only moves that commute
/// with them are between them, and each line is turned the short way. The result does the same and
/// is no longer.
pub(super) fn cancelled(table: &MoveTable, moves: &[Move]) -> Vec<Move> {
    let lines: Vec<(Line, u64)> = table.all().map(|m| line(table, m)).collect();
    let mut moves = moves.to_vec();
    loop {
        let before = moves.len();
        moves = cancelled_once(table, &lines, &moves);
        if moves.len() == before {
            return moves;
        }
    }
}

fn cancelled_once(table: &MoveTable, lines: &[(Line, u64)], moves: &[Move]) -> Vec<Move> {
    let mut runs: Vec<Run> = Vec::new();
    for m in moves {
        let (line, times) = lines[m.index()];
        let commuting = table.commuting(line.forth);
        // The last run that is of this line or cannot be exchanged with it.
        let before = runs
            .iter()
            .rposition(|run| run.line == line || !commuting.contains(run.line.forth))
            .filter(|&at| runs[at].line == line);
        match before {
            Some(at) => {
                let sum = u128::from(runs[at].times) + u128::from(times);
                runs[at].times = (sum % u128::from(line.order)) as u64;
                if runs[at].times == 0 {
                    runs.remove(at);
                }
            }
            None => runs.push(Run { line, times }),
        }
    }
    runs.into_iter().flat_map(Run::moves).collect()
}

impl Run {
    /// The shorter of both ways.
    fn moves(self) -> impl Iterator<Item = Move> {
        let Run { line: Line { forth, back, order }, times } = self;
        let (m, count) = match back {
            Some(back) if times > order / 2 => (back, order - times),
            _ => (forth, times),
        };
        std::iter::repeat_n(m, count as usize)
    }
}
