//! The terminal as a whole window: what the game and `solve --animate` share.

use super::exit::Exit;
use super::interrupt;
use anyhow::Context;
use permutile::board::Board;
use permutile::play::screen::{ColourDepth, Palette, Replay, Screen};
use permutile::puzzle::Frame;
use std::io::{self, IsTerminal};

/// Whether there is a terminal that can show pictures.
pub(super) fn is_possible() -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && !dumb
}

/// The colours of this terminal.
pub(super) fn palette() -> Palette {
    Palette::new(ColourDepth::detect(|name| std::env::var(name).ok()))
}

/// Takes the terminal over for a while.
///
/// # Errors
/// If it fails.
pub(super) fn with<T>(run: impl FnOnce(&mut Screen) -> io::Result<T>) -> anyhow::Result<T> {
    interrupt::while_playing(|| {
        let mut screen = Screen::enter().context("the terminal")?;
        run(&mut screen).context("the terminal")
    })
}

/// Shows moves from a board on.
///
/// # Errors
/// If the terminal fails.
pub(super) fn show(
    frame: &Frame,
    start: &Board,
    moves: &[String],
    remarks: Vec<String>,
) -> anyhow::Result<Exit> {
    let replay = Replay::new(frame, start, moves, remarks, palette());
    let interrupted = with(|screen| replay.run(screen, interrupt::flag()))?;
    Ok(if interrupted { Exit::Interrupted } else { Exit::Success })
}
