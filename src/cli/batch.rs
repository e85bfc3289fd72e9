//! `permutile batch`: whole folders of boards into a journal.

use super::batch_progress::BatchProgress;
use super::exit::Exit;
use super::options::PuzzleOptions;
use super::output::{complaint, data, note, refuse_to_overwrite};
use super::results::Results;
use super::results_table::Table;
use super::search_options::SearchOptions;
use super::{Common, interrupt, summary};
use anyhow::{Context, anyhow, bail};
use clap::Args;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use permutile::lab::batch::{Batch, Desk, Place};
use permutile::lab::input::{Boards, Item, Source};
use permutile::lab::journal::Journal;
use permutile::lab::plan::Answered;
use permutile::lab::record::Record;
use permutile::lab::shard::Shard;
use permutile::lab::solvers::Solvers;
use permutile::lab::summary::Summary;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// Solve every board in files and folders into a journal of records
///
/// Boards are solved side by side. Each has its record, written as soon as it is finished: to
/// the journal (--out), or to standard output. A board that is malformed, unsolvable or too
/// hard has a record that says so and never stops the others. A run that was cut off is
/// continued with --resume.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile batch boards/ --out results.jsonl\n  \
    permutile batch boards/ --out results.jsonl --resume\n  \
    permutile batch boards/ --timeout 10s --csv results.csv > results.jsonl\n  \
    permutile batch boards/ --shard 2/8 --out part2.jsonl\n  \
    permutile batch hard.boards --parallel within --out hard.jsonl")]
pub(super) struct BatchCommand {
    /// Files, folders, or `-`
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<String>,
    #[command(flatten)]
    puzzle: PuzzleOptions,
    #[command(flatten)]
    search: SearchOptions,
    /// The journal: one record a line [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Continue the journal: boards that it has a record of are not solved again
    #[arg(long, requires = "out", conflicts_with = "force")]
    resume: bool,
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
    /// Write records in the order of the boards, not in that of their solutions
    #[arg(long)]
    ordered: bool,
    /// Write a table for spreadsheets besides
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write the summary to a file: as JSON if its name ends in .json, else as text
    #[arg(long, value_name = "FILE")]
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
    let began = Instant::now();
    let threads = rayon::current_num_threads();
    let (workers, threads_each) = match command.parallel {
        Parallel::Across => (threads, 1),
        Parallel::Within => (1, threads),
    };
    let goal = command.puzzle.goal.get(command.puzzle.shape)?;
    let mut solvers = Solvers::new(command.puzzle.puzzle.as_deref(), goal, common.simd())?;
    common.cache().into_iter().for_each(|cache| solvers.use_cache(cache));
    let plan = command.search.plan(&mut solvers, workers, threads_each)?;
    let wanted = Wanted::new(&command.include, &command.exclude)?;
    let sources: Vec<Source> = command.paths.iter().map(|path| Source::of_path(path)).collect();
    let shape = command.puzzle.shape.or(solvers.shape());
    let mut boards = Boards::open(&sources, shape, &|path| wanted.takes(path));

    let (journal, earlier) = match &command.out {
        None => (None, Vec::new()),
        Some(path) if command.resume => {
            let (journal, earlier) = Journal::resume(path)?;
            (Some(journal), earlier)
        }
        Some(path) => (Some(Journal::create(path, command.force)?), Vec::new()),
    };
    let words = plan.in_words();
    if let Some(other) = earlier.iter().find(|record| record.plan.as_deref() != Some(&words)) {
        bail!(
            "{}: its records were made with \"{}\", this run is \"{words}\": give the same \
             options, or another --out",
            command.out.as_deref().unwrap_or(Path::new("-")).display(),
            other.plan.as_deref().unwrap_or("options that it does not tell"),
        );
    }
    let overwrite = command.force || command.resume;
    let table = command.csv.as_deref().map(|path| Table::create(path, overwrite)).transpose()?;
    command.summary.as_deref().map_or(Ok(()), |path| refuse_to_overwrite(path, overwrite))?;
    let resumed = !earlier.is_empty();
    let clerk = Clerk {
        progress: BatchProgress::new(common.quiet, workers),
        results: Results::new(journal, table, command.ordered, resumed, workers),
        plan: words,
        shard: command.shard,
        done: resumed.then(|| Mutex::new(Done::new(earlier))),
    };
    let batch = Batch { plan: &plan, solvers: &solvers, workers, cancelled: interrupt::flag() };
    let mut handed_out = 0;
    let unread = std::iter::from_fn(|| {
        let unread = boards.next_unread()?;
        handed_out += unread.expected();
        clerk.progress.expect(handed_out + boards.expected());
        Some(unread)
    });
    let solved = clerk.progress.during(|| batch.run(unread, &clerk));
    let Clerk { results, .. } = clerk;
    let report = results.finish(command.out.as_deref(), began.elapsed().as_secs_f64());
    solved?;
    report_on(&report?, command, common)
}

/// The end of a run: the summary, and what it means.
fn report_on(summary: &Summary, command: &BatchCommand, common: &Common) -> anyhow::Result<Exit> {
    if let Some(path) = &command.summary {
        let as_json = path.extension().is_some_and(|extension| extension == "json");
        let text = if as_json {
            serde_json::to_string_pretty(summary)?
        } else {
            summary::as_text(summary)
        };
        std::fs::write(path, text + "\n").with_context(|| path.display().to_string())?;
    }
    // The records have standard output, unless there is a journal.
    if command.out.is_some() && common.json {
        data(serde_json::to_string(summary)?)?;
    } else if !common.quiet && command.out.is_some() {
        data(summary::as_text(summary))?;
    } else if !common.quiet {
        note(summary::as_text(summary));
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

/// Which files of folders are taken.
struct Wanted {
    include: Option<GlobSet>,
    exclude: GlobSet,
}

impl Wanted {
    fn new(include: &[String], exclude: &[String]) -> anyhow::Result<Wanted> {
        let include = if include.is_empty() { None } else { Some(globs("--include", include)?) };
        Ok(Wanted { include, exclude: globs("--exclude", exclude)? })
    }

    fn takes(&self, path: &Path) -> bool {
        self.include.as_ref().is_none_or(|globs| globs.is_match(path))
            && !self.exclude.is_match(path)
    }
}

/// A pattern that has no slash is meant for names, one that has for the ends of paths.
fn globs(option: &str, patterns: &[String]) -> anyhow::Result<GlobSet> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let anywhere = format!("**/{}", pattern.trim_start_matches("./"));
        let glob = GlobBuilder::new(&anywhere).literal_separator(true).build();
        set.add(glob.with_context(|| format!("{option} {pattern}"))?);
    }
    set.build().context(option.to_owned())
}

/// Records of an earlier run, to be found by the boards that they are of.
struct Done {
    /// The last ones of equals first.
    records: HashMap<(String, Option<Vec<u16>>), Vec<Record>>,
}

impl Done {
    fn new(earlier: Vec<Record>) -> Done {
        let mut records: HashMap<_, Vec<Record>> = HashMap::new();
        for record in earlier.into_iter().rev() {
            records.entry((record.board.clone(), record.start.clone())).or_default().push(record);
        }
        Done { records }
    }

    /// The record of an item, which is then used up: a board that is there twice has two.
    fn take(&mut self, item: &Item) -> Option<Record> {
        let tiles = item.entry.as_ref().ok().map(|entry| entry.board.tiles());
        let tiles: Option<Vec<u16>> = tiles.map(|tiles| tiles.iter().map(|tile| tile.0).collect());
        let mut of = |start| {
            let records = self.records.get_mut(&(item.name.clone(), start))?;
            records.pop()
        };
        // The record of a board that fits no puzzle has no start.
        of(tiles).or_else(|| of(None))
    }
}

/// Takes in what workers report.
struct Clerk {
    progress: BatchProgress,
    results: Results,
    plan: String,
    shard: Option<Shard>,
    /// Present if an earlier run is being continued.
    done: Option<Mutex<Done>>,
}

impl Clerk {
    /// What an earlier run has made of an item.
    fn earlier(&self, item: &Item) -> Option<Record> {
        let done = self.done.as_ref()?;
        done.lock().unwrap_or_else(PoisonError::into_inner).take(item)
    }
}

impl Desk for Clerk {
    fn read(&self, worker: usize, piece: usize, expected: usize, items: usize) {
        self.progress.correct(worker, items as isize - expected as isize);
        stop_if_failed(self.results.learn_size(piece, items));
    }

    fn wants(&self, worker: usize, place: Place, item: &Item) -> bool {
        if self.shard.is_some_and(|shard| !shard.takes(item)) {
            self.progress.correct(worker, -1);
            stop_if_failed(self.results.leave_out(place));
            return false;
        }
        let Some(record) = self.earlier(item) else { return true };
        let known = item.entry.as_ref().ok().and_then(|entry| entry.known_length);
        self.progress.skip(worker);
        stop_if_failed(self.results.keep(worker, place, &record, known));
        false
    }

    fn begin(&self, worker: usize, name: &str) {
        self.progress.begin(worker, name);
    }

    fn progress(&self, worker: usize, bound: u32, expanded: u64) {
        self.progress.advance(worker, bound, expanded);
    }

    fn finish(&self, worker: usize, place: Place, answered: Answered<'_>) {
        let Answered { mut record, board, .. } = answered;
        record.plan = Some(self.plan.clone());
        let known = board.and_then(|(entry, _)| entry.known_length);
        stop_if_failed(self.results.add(worker, place, &record, known));
        self.progress.finish(worker, record.status);
    }
}

/// Without a place for results there is no point in going on.
fn stop_if_failed(written: Result<(), ()>) {
    if written.is_err() {
        interrupt::stop();
    }
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
