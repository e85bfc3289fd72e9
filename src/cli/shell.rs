//! `permutile completions` and `permutile man`: for the shell.

use super::Arguments;
use super::exit::Exit;
use anyhow::Context;
use clap::{Args, CommandFactory};
use std::io::{self, Write};
use std::path::PathBuf;

/// Print completions for a shell
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
        permutile completions bash > ~/.local/share/bash-completion/completions/permutile\n  \
        permutile completions fish > ~/.config/fish/completions/permutile.fish")]
pub(super) struct Completions {
    /// The shell
    shell: clap_complete::Shell,
}

/// Print the manual page, or write the pages of all commands into a folder
#[derive(Args, Debug)]
#[command(
    after_help = "Examples:\n  permutile man | man -l -\n  permutile man --out ~/.local/share/man/man1"
)]
pub(super) struct Man {
    /// Write permutile.1, permutile-solve.1, ... into this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub(super) fn completions(command: &Completions) -> anyhow::Result<Exit> {
    let mut text = Vec::new();
    clap_complete::generate(command.shell, &mut Arguments::command(), "permutile", &mut text);
    io::stdout().lock().write_all(&text)?;
    Ok(Exit::Success)
}

pub(super) fn man(command: &Man) -> anyhow::Result<Exit> {
    match &command.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
            clap_mangen::generate_to(Arguments::command(), folder)
                .with_context(|| folder.display().to_string())?;
        }
        None => {
            let mut text = Vec::new();
            clap_mangen::Man::new(Arguments::command()).render(&mut text)?;
            io::stdout().lock().write_all(&text)?;
        }
    }
    Ok(Exit::Success)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Manual pages leave out short help where that is hidden.
    fn in_the_manual(argument: &clap::Arg) -> bool {
        let short = argument.get_help().filter(|_| !argument.is_hide_short_help_set());
        argument.get_long_help().or(short).is_some()
    }

    fn check(command: &clap::Command) {
        assert!(command.get_about().is_some(), "{}", command.get_name());
        for argument in command.get_arguments() {
            assert!(in_the_manual(argument), "{} {argument}", command.get_name());
        }
        command.get_subcommands().for_each(check);
    }

    #[test]
    fn every_option_of_every_command_is_described() {
        let mut command = Arguments::command();
        command.build();
        check(&command);
    }
}
