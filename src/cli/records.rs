//! `permutile records`: a list of the best solutions known.

use super::exit::Exit;
use super::output::{complaint, data, is_standard_output, note};
use super::{Common, interrupt};
use anyhow::{Context, anyhow};
use clap::Args;
use permutile::format::{counted, grouped};
use permutile::lab::best_known::{self, Evidence, Improvement, Known, ListError, Merged};
use permutile::lab::files::Files;
use permutile::lab::input::InputError;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Keep a list of the best solutions known, with what is proven of their lengths
///
/// Takes from journals and other lists what is better than what LIST has: shorter solutions, if the
/// independent checker replays them, and higher bounds. What contradicts a solution is reported and
/// left out. Without journals, replays LIST.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile records best.toml monday.jsonl tuesday.jsonl\n  \
    permutile records best.toml theirs.toml\n  \
    permutile solve boards/ --json | permutile records best.toml -\n  \
    permutile records best.toml")]
pub(super) struct Records {
    /// The list; it is begun if there is none
    #[arg(value_name = "LIST", value_parser = parse_list)]
    list: PathBuf,
    /// Journals and other lists; - is standard input
    #[arg(value_name = "FILE")]
    sources: Vec<String>,
}

/// Reads the name of a list.
fn parse_list(name: &str) -> Result<PathBuf, String> {
    if is_standard_output(Path::new(name)) {
        return Err("expected a file: a list is read and replaced".to_owned());
    }
    Ok(name.into())
}

/// How many boards that are new to a list are named.
const NEW_NAMED: usize = 10;

pub(super) fn run(command: &Records, common: &Common) -> anyhow::Result<Exit> {
    let others: Vec<&Path> = command.sources.iter().map(Path::new).collect();
    let files =
        Files { outputs: &[&command.list], sources: &[], include: &|_| true, others: &others };
    files.check()?;
    // The list is changed in one step: there is nothing that would have to be stopped in order.
    let merged = match interrupt::while_waiting(|| merge(command)) {
        Err(error) if matches!(error.downcast_ref(), Some(ListError::Entry(_))) => {
            note(complaint(&error));
            return Ok(Exit::Refuted);
        }
        merged => merged?,
    };
    for problem in &merged.problems {
        note(complaint(&anyhow!("{problem}")));
    }
    if common.json {
        let problems: Vec<String> = merged.problems.iter().map(ToString::to_string).collect();
        data(serde_json::json!({
            "boards": merged.boards, "optimal": merged.optimal,
            "improvements": merged.improvements,
            "without_solution": merged.without_solution, "problems": problems,
        }))?;
    } else {
        if !common.quiet {
            improvements(&merged.improvements).try_for_each(data)?;
        }
        data(summary(&command.list, &merged))?;
    }
    Ok(if merged.problems.is_empty() { Exit::Success } else { Exit::Refuted })
}

fn merge(command: &Records) -> anyhow::Result<Merged> {
    if command.sources.is_empty() {
        return Ok(best_known::verify(&command.list)?);
    }
    let mut evidence = Evidence::default();
    for source in &command.sources {
        evidence.add_file(source, open(source)?)?;
    }
    Ok(best_known::update(&command.list, evidence)?)
}

fn open(source: &str) -> anyhow::Result<Box<dyn BufRead>> {
    if source == "-" {
        return Ok(Box::new(io::stdin().lock()));
    }
    let path = Path::new(source);
    if path.is_dir() {
        return Err(InputError::Folder(path.into()).into());
    }
    Ok(Box::new(BufReader::new(File::open(path).with_context(|| source.to_owned())?)))
}

/// A line for each board that was known before, and for the first of those that were not.
fn improvements(all: &[Improvement]) -> impl Iterator<Item = String> {
    let known = all.iter().filter(|improvement| improvement.before.is_some());
    let new = all.iter().filter(|improvement| improvement.before.is_none());
    let unnamed = new.clone().count().saturating_sub(NEW_NAMED);
    let more = (unnamed > 0).then(|| format!("and {} more new boards", grouped(unnamed as u64)));
    known.chain(new.take(NEW_NAMED)).map(line).chain(more)
}

fn line(improvement: &Improvement) -> String {
    let Improvement { board, puzzle, before, now } = improvement;
    let what = match before {
        None => format!("new: {}", moves(now)),
        Some(before) if now.length < before.length => {
            format!("{} instead of {}", moves(now), before.length)
        }
        Some(before) if now.is_optimal() => {
            format!("{}, instead of at least {}", moves(now), before.lower_bound)
        }
        Some(before) => format!(
            "at least {} instead of {}; {} known",
            now.lower_bound, before.lower_bound, now.length
        ),
    };
    format!("{board}  {puzzle}  {what}")
}

fn moves(known: &Known) -> String {
    let length = counted(u64::from(known.length), "move");
    if known.is_optimal() {
        format!("{length} (proven optimal)")
    } else {
        format!("{length} (at least {})", known.lower_bound)
    }
}

fn summary(list: &Path, merged: &Merged) -> String {
    let Merged { boards, optimal, improvements, without_solution, problems } = merged;
    let number = |is: &dyn Fn(&Improvement) -> bool| {
        grouped(improvements.iter().filter(|improvement| is(improvement)).count() as u64)
    };
    let known = |is: fn(&Known, &Known) -> bool| {
        number(&move |improvement| {
            improvement.before.as_ref().is_some_and(|before| is(before, &improvement.now))
        })
    };
    let mut text = format!(
        "{}: {}, {} proven optimal; {} new, {} shorter, {} with a higher bound",
        list.display(),
        counted(*boards as u64, "board"),
        grouped(*optimal as u64),
        number(&|improvement| improvement.before.is_none()),
        known(|before, now| now.length < before.length),
        known(|before, now| now.lower_bound > before.lower_bound),
    );
    if *without_solution > 0 {
        let boards = counted(*without_solution as u64, "board");
        text += &format!("; {boards} without a solution left out");
    }
    if !problems.is_empty() {
        text += &format!("; {} left out", counted(problems.len() as u64, "contradiction"));
    }
    text
}
