//! `permutile merge`: several journals as one.

use super::Common;
use super::batch::expect_one_on_standard_output;
use super::exit::Exit;
use super::output::{
    complaint, data, data_lines, is_standard_output, note, on_table, parse_file,
    refuse_to_overwrite,
};
use super::remarks::read_all;
use super::summary;
use anyhow::anyhow;
use clap::Args;
use permutile::board::Shape;
use permutile::format::counted;
use permutile::lab::csv_table::{CsvError, CsvTable};
use permutile::lab::files::Files;
use permutile::lab::input::Source;
use permutile::lab::journal::{self, Journal, JournalError};
use permutile::lab::merge::merge;
use permutile::lab::record::Record;
use permutile::lab::summary::Tally;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Join journals into one, and check that they fit together
///
/// Of several records of a board, the one that says most is kept. Records that contradict each
/// other are an error, and with --boards so is a board that has no record.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile merge part*.jsonl --out all.jsonl --boards boards/\n  \
    permutile merge monday.jsonl tuesday.jsonl > both.jsonl")]
pub(super) struct Merge {
    /// Journals
    #[arg(required = true, value_name = "FILE")]
    journals: Vec<PathBuf>,
    /// The joint journal [default: standard output]
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    out: Option<PathBuf>,
    /// Check that each of these boards has a record: files and folders as they were solved
    #[arg(long, value_name = "PATH")]
    boards: Vec<String>,
    /// The shape of boards that are written on one line
    #[arg(long, value_name = "RxC")]
    shape: Option<Shape>,
    /// Write a table for spreadsheets besides; - is standard output, if the records have a file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
}

/// Advice for when the output file exists.
const OVERWRITE: &str = "choose another name, or give --force";

pub(super) fn run(command: &Merge, common: &Common) -> anyhow::Result<Exit> {
    let table_on_stdout = command.csv.as_deref().filter(|path| is_standard_output(path));
    expect_one_on_standard_output(table_on_stdout, command.out.is_some(), common)?;
    let sources: Vec<Source> = command.boards.iter().map(|path| Source::from_path(path)).collect();
    let outputs = [&command.out, &command.csv].into_iter().flatten().map(PathBuf::as_path);
    let outputs: Vec<&Path> = outputs.filter(|path| !is_standard_output(path)).collect();
    let journals: Vec<&Path> = command.journals.iter().map(PathBuf::as_path).collect();
    let include = |_: &Path| true;
    Files { outputs: &outputs, sources: &sources, include: &include, others: &journals }.check()?;
    for path in outputs {
        refuse_to_overwrite(path, command.force)?;
    }
    let mut records: Vec<Record> = Vec::new();
    for path in &command.journals {
        records.extend(journal::read(path)?);
    }
    let mut merged = merge(records);
    let boards = read_all(&sources, command.shape, common);
    let known_lengths: HashMap<String, u32> = boards
        .iter()
        .filter_map(|item| Some((item.name.clone(), item.entry.as_ref().ok()?.known_length?)))
        .collect();
    merged.find_missing(boards.into_iter());
    let journal = command.out.as_deref().map(|path| Journal::create(path, command.force));
    let mut journal = journal.transpose().map_err(|error| match error {
        JournalError::Exists(_) => anyhow!("{error}; {OVERWRITE}"),
        JournalError::InUse(_) => anyhow!("{error}; wait for it, or choose another --out"),
        error => error.into(),
    })?;
    let table = command.csv.as_deref().map(|path| match table_on_stdout {
        Some(_) => CsvTable::on_standard_output(),
        None => CsvTable::create(path, command.force),
    });
    let table = table.transpose().map_err(|error| match error {
        CsvError::Exists(_) => anyhow!("{error}; {OVERWRITE}"),
        error => error.into(),
    })?;
    let mut tally = Tally::default();
    for record in &merged.records {
        tally.add_earlier(record, known_lengths.get(&record.board).copied());
        let line = journal::to_line(record);
        match &mut journal {
            Some(journal) => journal.append(&line)?,
            None => data_lines(&line)?,
        }
    }
    // Only now: whoever reads the table may close the pipe before its end.
    if let Some(mut table) = table {
        let written = merged.records.iter().try_for_each(|record| table.add(record));
        written.and_then(|()| table.finish()).map_err(on_table)?;
    }
    let summary = tally.summary(None);
    let problems = merged.problems.iter().chain(&summary.contradictions);
    for problem in problems.clone() {
        note(complaint(&anyhow!("{problem}")));
    }
    if common.quiet {
        // Whoever wants no summary has the problems above, and the exit code.
    } else if common.json && command.out.is_some() {
        let object = serde_json::json!({
            "summary": summary, "duplicates": merged.duplicates, "problems": merged.problems
        });
        data(object)?;
    } else {
        let mut text = summary::as_text(&summary);
        if merged.duplicates > 0 {
            let records = counted(merged.duplicates as u64, "record");
            text += &format!("\n{records} left out: another says as much of the same board");
        }
        let on_stdout = command.out.is_some() && table_on_stdout.is_none();
        if on_stdout { data(text)? } else { note(text) }
    }
    Ok(if problems.count() == 0 { Exit::Success } else { Exit::Refuted })
}
