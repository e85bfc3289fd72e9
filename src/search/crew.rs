//! Other processes that search the same board at the same time.

use super::{Estimator, Observer, Outcome, Task};
use crate::board::Board;
use crate::puzzle::{Depth, Move};
use std::fmt;
use std::time::Duration;

/// The processes of a job, as one of them sees them. All make the same decisions, one after the
/// other, because what comes of a search that they share is the same for all.
pub trait Crew: fmt::Debug + Sync {
    /// What this process is to do about a board that is hard.
    fn role(&self) -> Role;

    /// How many threads there are in all processes.
    fn threads(&self) -> usize;

    /// Begins with a board, of which it is known that no solution is shorter.
    fn begin(&self, board: &Board, at_least: Depth);

    /// Searches by IDA*, together with the others.
    fn search(
        &self,
        task: &Task<'_>,
        estimator: &dyn Estimator,
        observer: &mut dyn Observer,
    ) -> Outcome;

    /// Ends with a board. If it was not solved here, the best solution of those who look for any.
    fn end(&self, is_solved: bool) -> Option<CrewSolution>;
}

/// What a process does about a board that is hard.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// It takes part in the proof.
    Prove,
    /// It looks for solutions, and leaves the proof to others.
    Improve,
}

/// A solution that another process has found, not yet replayed by the checker.
#[derive(Clone, PartialEq, Debug)]
pub struct CrewSolution {
    /// The moves, first to last.
    pub moves: Vec<Move>,
    /// How long after the beginning which lengths were found; empty if the first was the last.
    pub improvements: Vec<(Duration, u32)>,
    /// What was expanded for it.
    pub expanded: u64,
}
