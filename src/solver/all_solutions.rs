//! All shortest solutions of a board, each replayed by the checker as it is found.

use super::{InternalError, Solution, Solver};
use crate::board::Board;
use crate::limits::{Limits, StopReason};
use crate::puzzle::Move;
use crate::search::Path;
use std::ops::ControlFlow;

/// All shortest solutions of a board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AllSolutions {
    /// How many there are; at least, if a limit was hit before they were counted.
    pub count: u128,
    /// As many of them as were wanted and the limits allowed.
    pub solutions: Vec<Solution>,
    /// The limit that was hit, if one was.
    pub stop: Option<StopReason>,
}

/// The list while it is being filled.
pub(super) struct SolutionList<'a> {
    solver: &'a Solver,
    board: &'a Board,
    most: usize,
    limits: &'a Limits<'a>,
    /// What the solutions hold.
    bytes: u64,
    pub(super) solutions: Vec<Solution>,
    /// The limit that was hit, or what the checker has against a solution.
    pub(super) end: Result<Option<StopReason>, InternalError>,
}

impl<'a> SolutionList<'a> {
    pub(super) fn new(
        solver: &'a Solver,
        board: &'a Board,
        most: usize,
        limits: &'a Limits<'a>,
    ) -> SolutionList<'a> {
        SolutionList { solver, board, most, limits, bytes: 0, solutions: Vec::new(), end: Ok(None) }
    }

    /// Adds a solution, unless there are enough; `held` is what is held besides the list.
    pub(super) fn add(&mut self, moves: &[Move], held: u64) -> ControlFlow<()> {
        if self.solutions.len() == self.most {
            return ControlFlow::Break(());
        }
        if let Err(stop) = self.make_room(held) {
            self.end = Ok(Some(stop));
            return ControlFlow::Break(());
        }
        match self.solver.replay(Path { moves: moves.to_vec(), optimal: true }, self.board) {
            Ok(solution) => {
                self.bytes += solution.bytes();
                self.solutions.push(solution);
                ControlFlow::Continue(())
            }
            Err(error) => {
                self.end = Err(error);
                ControlFlow::Break(())
            }
        }
    }

    /// Makes sure that there is room for one more, and time.
    fn make_room(&mut self, held: u64) -> Result<(), StopReason> {
        self.limits.check_time()?;
        // A list that grows is held twice.
        let room = 2 * self.solutions.capacity() * size_of::<Solution>();
        self.limits.check_bytes(held + self.bytes + room as u64)?;
        self.solutions.try_reserve(1).map_err(|_| StopReason::Memory)
    }
}
