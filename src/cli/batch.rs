//! `permutile batch`: whole folders of boards into a journal.

use super::batch_progress::ProgressLine;
use super::exit::Exit;
use super::options::PuzzleOptions;
use super::output::{
    complaint, data, is_standard_output, note, on_table, parse_file, refuse_to_overwrite, yellow,
};
use super::search_options::SearchArguments;
use super::sources::paths;
use super::{Common, interrupt, remarks, summary};
use crate::failpoint::Failpoint;
use anyhow::{Context, anyhow, bail};
use clap::Args;
use glob::{MatchOptions, Pattern};
use permutile::lab::batch::{Batch, BatchError, BatchObserver, CsvOutput, Delegate};
use permutile::lab::batch::{Existing, OutputError, RecordOutput, Retry};
use permutile::lab::csv_table::CsvError;
use permutile::lab::files::Files;
use permutile::lab::input::Source;
use permutile::lab::journal::JournalError;
use permutile::lab::shard::Shard;
use permutile::lab::solvers::Solvers;
use permutile::lab::summary::Summary;
use permutile::search::{AlgorithmChoice, Crew, SearchOptions};
use std::fs::{self, File};
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Solve every board in files and folders into a journal of records
///
/// Boards are solved side by side. Each has its record, written as soon as it is finished: to
/// the journal (--out), or to standard output. A board that is malformed, unsolvable or too
/// hard has a record that says so and never stops the others. A run that was cut off is
/// continued with --resume. A board that is not proven shortest within 10 seconds (--timeout) has the
/// best solution found; --exact gives none but proven ones.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile batch boards/ --out results.jsonl\n  \
    permutile batch boards/ --out results.jsonl --resume\n  \
    permutile batch boards/ --out results.jsonl --resume --retry unproven --timeout 1h\n  \
    permutile batch boards/ --first --csv results.csv > results.jsonl\n  \
    permutile batch boards/ --shard 2/8 --out part2.jsonl\n  \
    permutile batch hard.boards --parallel within --out hard.jsonl")]
pub(super) struct BatchCommand {
    /// Files, folders, or `-`
    #[arg(value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleOptions,
    #[command(flatten)]
    search: SearchArguments,
    /// The journal: one record a line [default: standard output]
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    out: Option<PathBuf>,
    /// Continue the journal: boards that it has an answer for are not solved again
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Of the boards in the journal, solve just those again that ended like this, as in
    /// timeout,memory-limit; unproven are those with a solution that is not proven shortest. A
    /// record is never replaced by a worse one
    #[arg(long, value_name = "STATUSES", value_delimiter = ',', requires = "resume", value_parser = parse_retry)]
    retry: Option<Vec<Retry>>,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    /// Write records in the order of the boards, not in that of their solutions
    #[arg(long)]
    ordered: bool,
    /// Write a table for spreadsheets besides; - is standard output, if the records have a file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the summary to a file: as JSON if its name ends in .json, else as text
    #[arg(long, value_name = "FILE", value_parser = parse_file)]
    summary: Option<PathBuf>,
    /// How threads are used: on many boards at once, or all on each board in turn
    #[arg(long, value_name = "HOW", default_value = "across")]
    parallel: Parallel,
    /// Take slice i of n of the boards, as in 2/8; a board's slice depends on the board alone
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// In folders, take only files that match, as in 'board*' or 'easy/**'
    #[arg(long, value_name = "GLOB")]
    include: Vec<String>,
    /// In folders, leave out files that match
    #[arg(long, value_name = "GLOB")]
    exclude: Vec<String>,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Parallel {
    /// Many boards at once, one thread each
    Across,
    /// One board after the other, all threads on each (auto, pida, pastar)
    Within,
}

pub(super) fn run(command: &BatchCommand, common: &Common) -> anyhow::Result<Exit> {
    let prepared = command.prepare(common)?;
    run_prepared(command, common, &prepared, None, None)
}

/// What is ready before any board is read.
pub(super) struct Prepared {
    pub(super) solvers: Solvers,
    pub(super) options: SearchOptions<'static>,
    /// How many boards are solved at once.
    workers: usize,
}

/// Runs the batch, with other processes if there are any: those of `delegate` solve other boards,
/// those of `crew` the same ones.
pub(super) fn run_prepared(
    command: &BatchCommand,
    common: &Common,
    prepared: &Prepared,
    delegate: Option<&mut dyn Delegate>,
    crew: Option<&dyn Crew>,
) -> anyhow::Result<Exit> {
    let Prepared { solvers, options, workers } = prepared;
    let options = &SearchOptions { crew, ..options.clone() };
    let wanted = Wanted::new(&command.include, &command.exclude)?;
    let sources = paths(&command.paths)?;
    command.check_standard_output(common)?;
    command.check_files(&sources, &|path| wanted.takes(path))?;
    let batch = Batch {
        shape: command.puzzle.shape(solvers),
        include: &|path| wanted.takes(path),
        workers: *workers,
        shard: command.shard,
        retry: command.retry.clone(),
        ordered: command.ordered,
        csv: command.csv_output(),
        ..Batch::new(&sources, options, solvers, command.record_output())
    };
    // Records on a terminal show the progress themselves, and would be mixed up with the line.
    let records_are_seen = command.out.is_none() && io::stdout().is_terminal();
    let mut progress = (!common.quiet && !records_are_seen).then(ProgressLine::new);
    let observer = progress.as_mut().map(|line| line as &mut dyn BatchObserver);
    let summary = batch
        .run_with(observer, delegate)
        .map_err(|error| with_advice(error, command.out.as_deref()));
    // The progress line is cleared before anything else is printed.
    drop(progress);
    let summary = summary?;
    let exit = report_on(&summary, command, common)?;
    if !common.quiet {
        command.search.note_on_default_timeout(options, &summary).into_iter().for_each(note);
    }
    Ok(exit)
}

impl BatchCommand {
    /// Whether this is one slice of several.
    pub(super) fn is_slice(&self) -> bool {
        self.shard.is_some()
    }

    /// Whether all threads are on each board in turn.
    pub(super) fn is_within(&self) -> bool {
        self.parallel == Parallel::Within
    }

    /// Solvers and options.
    pub(super) fn prepare(&self, common: &Common) -> anyhow::Result<Prepared> {
        let threads = rayon::current_num_threads();
        let (workers, threads_each) = match self.parallel {
            Parallel::Across => (threads, 1),
            Parallel::Within => (1, threads),
        };
        if self.is_within() {
            self.search.expect("--parallel within", &AlgorithmChoice::is_parallel)?;
        }
        let mut solvers = self.puzzle.solvers(common)?;
        let options = self.search.options(&mut solvers, workers, threads_each)?;
        Ok(Prepared { solvers, options, workers })
    }

    /// Checks that no file is written that is an input or another output, and that no other
    /// program's file is in the place of the summary.
    fn check_files(
        &self,
        sources: &[Source],
        include: &dyn Fn(&Path) -> bool,
    ) -> anyhow::Result<()> {
        let outputs: Vec<&Path> = [&self.out, &self.csv, &self.summary]
            .into_iter()
            .flatten()
            .map(PathBuf::as_path)
            .filter(|path| !is_standard_output(path))
            .collect();
        let others: Vec<&Path> = self.puzzle.files().chain(self.search.files()).collect();
        Files { outputs: &outputs, sources, include, others: &others }.check()?;
        let Some(path) = &self.summary else { return Ok(()) };
        let is_summary = |bytes: Vec<u8>| summary::is_one(&String::from_utf8_lossy(&bytes));
        let own = self.resume && fs::read(path).is_ok_and(is_summary);
        refuse_to_overwrite(path, self.force || own)
    }

    /// Standard output takes one kind of data at a time.
    fn check_standard_output(&self, common: &Common) -> anyhow::Result<()> {
        let table = self.csv.as_deref().filter(|path| is_standard_output(path));
        expect_one_on_standard_output(table, self.out.is_some(), common)
    }

    fn csv_output(&self) -> Option<CsvOutput> {
        Some(match self.csv.as_ref()? {
            path if is_standard_output(path) => CsvOutput::Standard,
            path => CsvOutput::File { path: path.clone(), existing: self.existing() },
        })
    }

    /// What happens to files that are there.
    fn existing(&self) -> Existing {
        match (self.resume, self.force) {
            (true, _) => Existing::Resume,
            (false, true) => Existing::Overwrite,
            (false, false) => Existing::Refuse,
        }
    }

    fn record_output(&self) -> RecordOutput<'static> {
        match &self.out {
            Some(path) => RecordOutput::Journal { path: path.clone(), existing: self.existing() },
            None => RecordOutput::Writer {
                name: "standard output".to_owned(),
                writer: Box::new(io::stdout()),
            },
        }
    }
}

/// Refuses a table on standard output if the records or a summary go there too.
pub(super) fn expect_one_on_standard_output(
    table: Option<&Path>,
    records_have_a_file: bool,
    common: &Common,
) -> anyhow::Result<()> {
    if table.is_some() && !records_have_a_file {
        bail!("--csv - and the records would both go to standard output: give --out FILE");
    }
    if table.is_some() && common.json && !common.quiet {
        bail!("--csv - and the summary of --json would both go to standard output: give -q");
    }
    Ok(())
}

/// Reads the name of a status, or that there is no proof.
fn parse_retry(name: &str) -> Result<Retry, String> {
    name.parse().map_err(|error| {
        let names: Vec<String> = Retry::all().map(|retry| retry.to_string()).collect();
        format!("{error}: expected {}", names.join(", "))
    })
}

/// What stopped a run, with the options that would help. The records may be in a journal.
fn with_advice(error: BatchError, journal: Option<&Path>) -> anyhow::Error {
    let error = match error {
        BatchError::Internal(error) => return error.into(),
        BatchError::Delegate(error) => return anyhow!(error),
        BatchError::Output(error) => error,
    };
    match error {
        OutputError::Journal(JournalError::Exists(_)) => {
            anyhow!("{error}; give --resume to continue it, or --force to overwrite it")
        }
        OutputError::Journal(JournalError::InUse(_)) => {
            anyhow!("{error}; wait for it, or choose another --out")
        }
        OutputError::Csv(CsvError::Exists(_)) => {
            anyhow!("{error}; choose another name, or give --force")
        }
        OutputError::Csv(CsvError::NotATable(_)) => anyhow!("{error}; choose another name"),
        // Whoever has closed the pipe of the table has not asked for the journal to end there.
        OutputError::Csv(error @ CsvError::Io { .. }) if journal.is_some() => {
            anyhow!("{error}; to go on, give the same command with --resume")
        }
        OutputError::Csv(error) => on_table(error),
        // A closed pipe is no failure: the system's error decides.
        OutputError::Writer { name, error } => anyhow::Error::from(error).context(name),
        OutputError::Journal(_) => error.into(),
    }
}

/// The end of a run: the summary, and what it means.
fn report_on(summary: &Summary, command: &BatchCommand, common: &Common) -> anyhow::Result<Exit> {
    if let Some(path) = &command.summary {
        let as_json = path.extension().is_some_and(|extension| extension == "json");
        let text = if as_json {
            serde_json::to_string_pretty(summary)?
        } else {
            summary::as_report(summary)
        };
        write_summary(path, &(text + "\n")).with_context(|| path.display().to_string())?;
    }
    // The records have standard output, unless there is a journal; then the table may have it.
    match (common.quiet, &command.out) {
        (true, _) => {}
        (false, Some(_)) if common.json => data(serde_json::to_string(summary)?)?,
        (false, Some(_)) if command.csv_output() != Some(CsvOutput::Standard) => {
            data(summary::as_text(summary))?;
        }
        (false, _) => note(summary::as_text(summary)),
    }
    if !common.quiet {
        // Where the summary goes elsewhere.
        if command.out.is_some() {
            remarks::lines(&summary.input).for_each(note);
        }
        for (puzzle, heuristic) in summary.claims() {
            note(command.search.audit_advice(puzzle, &command.puzzle, heuristic));
        }
    }
    let again = &summary.repeated;
    if again.other_question > 0 && (common.quiet || common.json) {
        for line in summary::repeated(again) {
            note(format!("{} {line}", yellow("warning:")));
        }
    }
    let mut exit = summary.statuses.keys().map(|&status| status.into()).max();
    if !summary.contradictions.is_empty() {
        exit = exit.max(Some(Exit::Refuted));
        for contradiction in &summary.contradictions {
            note(complaint(&anyhow!("{contradiction}")));
        }
    }
    if interrupt::is_set() {
        exit = exit.max(Some(Exit::Interrupted));
        if let Some(path) = &command.out {
            note(format!(
                "interrupted; to go on, give the same command with --resume ({} holds what is done)",
                path.display()
            ));
        }
    }
    if summary.boards == 0 && exit.is_none() {
        match command.shard {
            // A slice may well be empty.
            Some(_) => {}
            None => bail!("there are no boards in {}", command.paths.join(", ")),
        }
    }
    Ok(exit.unwrap_or(Exit::Success))
}

fn write_summary(path: &Path, text: &str) -> io::Result<()> {
    Failpoint::SummaryWrite.reach()?;
    let mut file = File::create(path)?;
    Failpoint::SummaryInside.halfway(text.as_bytes(), |part| file.write_all(part))
}

/// Which files of folders are taken.
struct Wanted {
    /// All, if there is none.
    include: Vec<Pattern>,
    exclude: Vec<Pattern>,
}

impl Wanted {
    fn new(include: &[String], exclude: &[String]) -> anyhow::Result<Wanted> {
        Ok(Wanted { include: globs("--include", include)?, exclude: globs("--exclude", exclude)? })
    }

    fn takes(&self, path: &Path) -> bool {
        let options = MatchOptions { require_literal_separator: true, ..MatchOptions::new() };
        let is_one_of =
            |globs: &[Pattern]| globs.iter().any(|glob| glob.matches_path_with(path, options));
        (self.include.is_empty() || is_one_of(&self.include)) && !is_one_of(&self.exclude)
    }
}

/// A pattern without a slash matches names, one with a slash the ends of paths.
fn globs(option: &str, patterns: &[String]) -> anyhow::Result<Vec<Pattern>> {
    let glob = |pattern: &String| {
        let anywhere = format!("**/{}", pattern.trim_start_matches("./"));
        Pattern::new(&anywhere).with_context(|| format!("{option} {pattern}"))
    };
    patterns.iter().map(glob).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_for_names_or_for_the_ends_of_paths() {
        let wanted = |include: &[&str], exclude: &[&str], path: &str| {
            let owned = |list: &[&str]| list.iter().map(|&s| s.to_owned()).collect::<Vec<_>>();
            Wanted::new(&owned(include), &owned(exclude)).unwrap().takes(Path::new(path))
        };
        assert!(wanted(&[], &[], "a/b.txt"));
        assert!(wanted(&["b*"], &[], "a/b.txt") && !wanted(&["b*"], &[], "b/a.txt"));
        assert!(wanted(&["easy/**"], &[], "boards/easy/x/1.txt"));
        assert!(!wanted(&[], &["*.txt"], "a/b.txt") && wanted(&[], &["*.txt"], "a/b"));
        assert!(!wanted(&["b*"], &["*2*"], "b12"));
        assert!(Wanted::new(&["[".to_owned()], &[]).is_err());
    }
}
