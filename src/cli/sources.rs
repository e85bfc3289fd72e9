//! Where a command's boards come from.

use anyhow::bail;
use permutile::lab::input::Source;
use std::io::{IsTerminal, stdin};

/// The boards that the arguments are or name; without any, those that come through a pipe.
pub(super) fn sources(arguments: &[String]) -> anyhow::Result<Vec<Source>> {
    if arguments.is_empty() { pipe() } else { Ok(Source::from_arguments(arguments)?) }
}

/// The files and folders that the arguments name; without any, a pipe.
pub(super) fn paths(arguments: &[String]) -> anyhow::Result<Vec<Source>> {
    if arguments.is_empty() {
        return pipe();
    }
    Ok(arguments.iter().map(|path| Source::from_path(path)).collect())
}

fn pipe() -> anyhow::Result<Vec<Source>> {
    if stdin().is_terminal() {
        bail!(
            "there is no board: give one (as in 0,8,7,6,5,4,3,2,1), a file, a folder, or - to type \
             it in"
        );
    }
    Ok(vec![Source::Standard])
}
