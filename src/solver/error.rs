//! Why a board was not searched, and what would be a fault of this program.

use crate::board::Board;
use crate::board::check::CheckError;
use crate::limits::StopReason;
use crate::puzzle::registry::IdError;
use crate::puzzle::{Depth, EncodeError, GoalError};
use crate::search::{Inapplicable, OrderError};

/// Why there is no answer.
#[derive(Debug, thiserror::Error)]
pub enum SolveError {
    /// What was asked does not fit the board or the puzzle.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// This program is wrong.
    #[error(transparent)]
    Internal(#[from] InternalError),
}

/// What does not fit.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum RequestError {
    /// Not a board of this puzzle.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// The heuristic is not for this puzzle.
    #[error("the heuristic {name} does not apply to {puzzle}: {reason}")]
    Inapplicable {
        /// The heuristic.
        name: String,
        /// The puzzle.
        puzzle: String,
        /// Why not.
        reason: Inapplicable,
    },
    /// A limit was hit while the tables of a heuristic were built.
    #[error("the tables of {name} were not built: {stop}")]
    NotBuilt {
        /// The heuristic.
        name: String,
        /// The limit.
        stop: StopReason,
    },
    /// The heuristic does not know the goal, so that no search would recognise it.
    #[error(
        "the heuristic {name} says {estimate} at the goal of {puzzle}, where it has to say 0 to \
         guide a search"
    )]
    NotZeroAtGoal {
        /// The heuristic.
        name: String,
        /// The puzzle.
        puzzle: String,
        /// What it says.
        estimate: Depth,
    },
    /// A proof is asked for, and the heuristic gives none.
    #[error("the heuristic {name} is not admissible on {puzzle}: nothing is proven with it")]
    ProvesNothing {
        /// The heuristic.
        name: String,
        /// The puzzle.
        puzzle: String,
    },
    /// Only where there is a blank, the way round loops can be left out.
    #[error("{puzzle} has no blank: what prunes loops of the blank is not for it")]
    NoLoops {
        /// The puzzle.
        puzzle: String,
    },
    /// The names of moves are no order.
    #[error(transparent)]
    Order(#[from] OrderError),
}

/// The checker does not accept what a search found.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("internal error: the checker rejected a solution of {board}: {error}")]
pub struct InternalError {
    /// The board.
    pub board: Board,
    /// What the checker says.
    pub error: CheckError,
}

/// There is a heuristic of that name already.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is a heuristic \"{name}\" already: choose another name")]
pub struct NameTaken {
    /// The name.
    pub name: String,
}

/// Why there is no solver for a board.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum InferError {
    /// No puzzle has boards like this one.
    #[error(transparent)]
    Puzzle(#[from] IdError),
    /// The goal is not for it.
    #[error(transparent)]
    Goal(#[from] GoalError),
}
