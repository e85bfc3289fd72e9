//! A solution to follow: hints come from it as long as the player stays on its way, so that one hint
//! leads on to the next.

use crate::board::Board;
use crate::board::steps::steps;
use crate::puzzle::{Frame, Move};
use crate::solver::Solution;

/// The moves of a solution, and the boards along it.
#[derive(Clone, Debug)]
pub struct Plan {
    boards: Vec<Board>,
    moves: Vec<Move>,
    /// Whether the solution is proven shortest.
    pub is_shortest: bool,
}

impl Plan {
    /// The way of a solution from a board on.
    pub fn new(frame: &Frame, start: &Board, solution: &Solution) -> Plan {
        let along = steps(frame.rules(), start, solution.names());
        let mut boards = vec![start.clone()];
        boards.extend(along.map_while(Result::ok).map(|step| step.board));
        let (moves, is_shortest) = (solution.moves().to_vec(), solution.is_optimal());
        Plan { boards, moves, is_shortest }
    }

    /// What is left to do from a board on, if it is on the way.
    pub fn from(&self, board: &Board) -> Option<&[Move]> {
        let at = self.boards.iter().position(|on_the_way| on_the_way == board)?;
        Some(&self.moves[at.min(self.moves.len())..])
    }

    /// The next move from a board on, if it is on the way and not at its end.
    pub fn next(&self, board: &Board) -> Option<Move> {
        self.from(board)?.first().copied()
    }
}
