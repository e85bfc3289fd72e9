//! Solutions that the independent checker has replayed.

use crate::board::Board;
use crate::board::check::{self, CheckError};
use crate::puzzle::{Frame, Move};
use crate::search::Path;

/// A sequence of moves that solves a board. There is no way to make one but to have the checker
/// replay it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Solution {
    moves: Vec<Move>,
    names: Vec<String>,
    optimal: bool,
}

impl Solution {
    /// Replays what a search found.
    ///
    /// # Errors
    /// If the checker rejects it.
    pub(super) fn replay(path: Path, board: &Board, frame: &Frame) -> Result<Solution, CheckError> {
        let Path { moves, optimal } = path;
        let names: Vec<&str> = moves.iter().map(|&m| frame.moves().name(m)).collect();
        check::verify(frame.rules(), board, &names, frame.goal())?;
        let names = names.into_iter().map(str::to_owned).collect();
        Ok(Solution { moves, names, optimal })
    }

    /// About how many bytes it holds: names are allocated one by one.
    pub(super) fn bytes(&self) -> u64 {
        const SMALLEST: usize = 16;
        let name = |name: &String| size_of::<String>() + name.capacity().next_multiple_of(SMALLEST);
        (self.moves.len().next_multiple_of(SMALLEST) + self.names.iter().map(name).sum::<usize>())
            as u64
    }

    /// The moves, first to last.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The names of the moves.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The names of the moves.
    pub fn into_names(self) -> Vec<String> {
        self.names
    }

    /// How many moves there are.
    #[expect(clippy::len_without_is_empty, reason = "a solution without moves is nothing special")]
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether it is proven that none is shorter.
    pub fn is_optimal(&self) -> bool {
        self.optimal
    }
}
