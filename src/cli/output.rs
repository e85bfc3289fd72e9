//! Where output goes: data to standard output, everything else to standard error.

use super::exit::Exit;
use anyhow::{Context, anyhow, bail};
use permutile::board::text::ParseError;
use permutile::lab::input::InputError;
use permutile::solver::SolveError;
use std::io::{self, IsTerminal, Write};
use std::path::Path;

/// Writes data.
///
/// # Errors
/// If standard output cannot be written, as when the disk is full.
pub(super) fn data(line: impl std::fmt::Display) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{line}").and_then(|()| out.flush()).context("standard output")
}

/// Writes data that are lines already.
///
/// # Errors
/// If standard output cannot be written.
pub(super) fn data_lines(lines: &[u8]) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(lines).and_then(|()| out.flush()).context("standard output")
}

/// Refuses to overwrite a file, unless that is wanted.
///
/// # Errors
/// If there is such a file.
pub(super) fn refuse_to_overwrite(path: &Path, overwrite: bool) -> anyhow::Result<()> {
    if path.exists() && !overwrite {
        let path = path.display();
        bail!("{path}: there is such a file already; choose another name, or give --force");
    }
    Ok(())
}

/// Says something to the person at the terminal.
pub(super) fn note(line: impl std::fmt::Display) {
    // If nobody can read standard error, there is nobody to tell.
    let _ = writeln!(io::stderr().lock(), "{line}");
}

/// Says what is wrong, with the line and the advice where there are any.
pub(super) fn complaint(error: &anyhow::Error) -> String {
    let parse_error = error.chain().find_map(|cause| {
        let nested = cause.downcast_ref::<InputError>();
        cause.downcast_ref::<ParseError>().or(match nested {
            Some(InputError::Parse(parse)) => Some(parse),
            _ => None,
        })
    });
    let mut text = format!("{} {error}", red("error:"));
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some errors say themselves what caused them.
        if !text.ends_with(&cause) {
            text += &format!(": {cause}");
        }
    }
    if let Some(parse) = parse_error {
        if let Some(snippet) = parse.snippet() {
            text += &format!("\n{snippet}");
        }
        text += &format!("\nhelp: {}", parse.help());
    }
    text
}

/// Ends the program on an error that stopped the whole command.
pub(super) fn report_failure(error: &anyhow::Error) -> Exit {
    let broken_pipe = error
        .downcast_ref::<io::Error>()
        .is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe);
    if broken_pipe {
        // Whoever read our output has seen enough, as in `permutile … | head`.
        return Exit::Success;
    }
    note(complaint(error));
    if error.is::<SolveError>() { Exit::Internal } else { Exit::Usage }
}

/// An error of the solver that is about what the user asked for, not about a search.
pub(super) fn usage(error: &SolveError) -> anyhow::Error {
    anyhow!("{error}")
}

fn red(text: &str) -> String {
    paint(text, "31;1", io::stderr().is_terminal())
}

/// For what is worth knowing, but stops nothing.
pub(super) fn yellow(text: &str) -> String {
    paint(text, "33;1", io::stderr().is_terminal())
}

/// Colours a text for a terminal, unless the user prefers none.
pub(super) fn paint(text: &str, code: &str, terminal: bool) -> String {
    let unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    if terminal && !unwanted { format!("\x1b[{code}m{text}\x1b[0m") } else { text.to_owned() }
}

/// A number with its thousands set apart.
pub(super) fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let groups: Vec<&str> = digits
        .as_bytes()
        .rchunks(3)
        .rev()
        .map(|group| std::str::from_utf8(group).expect("digits are ASCII"))
        .collect();
    groups.join(",")
}

/// A number of things: `1 move`, `2 moves`.
pub(super) fn counted(number: u64, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {thing}{plural}")
}

/// A time as people read it.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.2} s"),
        s => format!("{:.1} min", s / 60.0),
    }
}

/// A number of bytes as people read it.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(0u32), "0");
        assert_eq!(grouped(999u32), "999");
        assert_eq!(grouped(1_000u32), "1,000");
        assert_eq!(grouped(20_922_789_888_000u64), "20,922,789,888,000");
    }
}
