//! The game: boards to play, with hints and solutions from the solver.
//!
//! The model is a [`Session`]: a [`game`] (moves, undo, clock), the [`deal`] of its board, the
//! [`plan`] that hints follow, [`statistics`] in the user's data folder. It knows nothing of
//! terminals. Two views drive it: [`line_mode`], for pipes and screen readers, and `screen`, the
//! whole window. [`board_entry`] asks for a board row by row.

pub mod background;
pub mod board_entry;
pub mod clock;
pub mod deal;
pub mod game;
pub mod line_mode;
pub mod plan;
#[cfg(feature = "play")]
pub mod screen;
mod session;
pub mod shared_game;
pub mod statistics;
pub mod track;

pub use session::{Session, Thinking};
