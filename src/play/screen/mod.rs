//! The game in the whole window of a terminal: thin views of the [`Session`](super::Session) and
//! the keys and clicks that drive it.

mod app;
mod board_view;
mod canvas;
mod form;
mod palette;
mod panel;
mod replay;
mod terminal;

pub use app::{App, Ending, MakeSolver, Settings};
pub use palette::{ColourDepth, Palette};
pub use replay::Replay;
pub use terminal::Screen;
