//! Journals: records in a file, one JSON object a line.
//!
//! A journal only grows while a run goes on. Whole lines are handed to the system, so that a program
//! that is killed leaves those and at most one torn one at the end; if the disk is full, lines that
//! did not fit are taken back. Of several records of a board, the last that was finished counts, so
//! that a board is solved again by appending its new record.
//!
//! A run that ends may tidy its journal: records that were replaced are dropped, and the others are
//! put in order. The tidy file takes the place of the old one in one step, under the lock of both,
//! so that there is a whole journal at any moment and no other run can write to the one that goes.

use super::locked_file::{IfLocked, LockedFile};
use super::record::{Record, Status};
use crate::failpoint::Failpoint;
use crate::hash::HashMap;
use serde::Deserialize;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// Why a journal cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The journal.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// There is a file of that name, which is not to be overwritten.
    #[error("{}: there is such a file already", .0.display())]
    Exists(PathBuf),
    /// A line is not a record.
    #[error("{}:{line}: not a record: {error}", path.display())]
    Line {
        /// The journal.
        path: PathBuf,
        /// The number of the line, from 1.
        line: usize,
        /// Why not.
        error: serde_json::Error,
    },
    /// Another run holds its lock.
    #[error("{}: another run is writing to this journal", .0.display())]
    InUse(PathBuf),
}

/// A journal that is being written.
#[derive(Debug)]
pub struct Journal {
    file: LockedFile,
    /// How long it is, in whole lines.
    length: u64,
    /// Whether it has records that do not count.
    has_replaced: bool,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// If there is one already, unless it may be overwritten; or if the system refuses.
    pub fn create(path: &Path, overwrite: bool) -> Result<Journal, JournalError> {
        let mut options = File::options();
        options.write(true).read(true).create(true).create_new(!overwrite);
        let journal = Journal::open(path, &options)?;
        // Only now that it is locked.
        let emptied = Failpoint::JournalEmpty.reach().and_then(|()| journal.file.file().set_len(0));
        emptied.map_err(failed(path))?;
        Ok(journal)
    }

    /// Continues a journal, or begins one if there is none: with the records that count.
    ///
    /// # Errors
    /// If it is not a journal, if another run is writing to it, or if the system refuses.
    pub fn resume(path: &Path) -> Result<(Journal, Vec<Record>), JournalError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut journal = Journal::open(path, &options)?;
        let bytes = journal.bytes()?;
        let (whole, rest) = whole_lines(&bytes);
        let mut records: Vec<Record> = parse(path, whole)?;
        journal.length = whole.len() as u64;
        match serde_json::from_slice(rest) {
            // Somebody's editor has taken away the last line end.
            Ok(record) => {
                records.push(record);
                journal.append(&[rest, b"\n"].concat())?;
            }
            // What was torn is no record, whatever it was to become.
            Err(_) => journal.drop_torn().map_err(failed(path))?,
        }
        let all = records.len();
        let records = current(records);
        journal.has_replaced = records.len() < all;
        Ok((journal, records))
    }

    /// Whether it had records that do not count when it was opened.
    pub fn has_replaced(&self) -> bool {
        self.has_replaced
    }

    /// Drops records that were replaced. With `rank`, the others are sorted: those of boards that
    /// have a rank come first, by their ranks. If that changes nothing, the file stays as it is.
    ///
    /// # Errors
    /// If the system refuses; the journal is then as it was before.
    pub fn tidy<R: Ord>(
        &mut self,
        rank: Option<impl Fn(BoardKey<'_>) -> Option<R>>,
    ) -> Result<(), JournalError> {
        let bytes = self.bytes()?;
        let lines: Vec<&[u8]> = non_empty_lines(&bytes).map(|(_, line)| line).collect();
        let heads: Vec<Head> = parse(self.path(), &bytes)?;
        let counts = counting(heads.iter().map(Head::of));
        let mut kept: Vec<usize> = (0..lines.len()).filter(|&line| counts[line]).collect();
        if let Some(rank) = rank {
            kept.sort_by_cached_key(|&line| {
                let rank = rank(heads[line].of().board);
                (rank.is_none(), rank)
            });
        }
        if kept.len() == lines.len() && kept.is_sorted() {
            return Ok(());
        }
        let kept: Vec<u8> =
            kept.into_iter().flat_map(|line| [lines[line], b"\n"]).flatten().copied().collect();
        self.file.replace(&kept).map_err(failed(self.path()))?;
        (self.length, self.has_replaced) = (kept.len() as u64, false);
        Failpoint::TidyRenamed.reach().map_err(failed(self.path()))
    }

    /// The whole file.
    fn bytes(&mut self) -> Result<Vec<u8>, JournalError> {
        let mut file = self.file.file();
        file.seek(SeekFrom::Start(0)).map_err(failed(self.path()))?;
        whole_journal(file, self.path())
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Opens the file of this name so that no other run writes to it.
    fn open(path: &Path, options: &OpenOptions) -> Result<Journal, JournalError> {
        match LockedFile::open(path, options, IfLocked::Fail) {
            Ok(file) => Ok(Journal { file, length: 0, has_replaced: false }),
            Err(error) => Err(match error.kind() {
                io::ErrorKind::AlreadyExists => JournalError::Exists(path.into()),
                io::ErrorKind::WouldBlock => JournalError::InUse(path.into()),
                _ => failed(path)(error),
            }),
        }
    }

    /// Adds lines, each of which ends in a line feed, so that the system has them.
    ///
    /// # Errors
    /// If the system refuses, as when the disk is full; the journal is then as it was before.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), JournalError> {
        if let Err(error) = self.write(lines) {
            // What was written of them is of no use; if even this fails, resuming drops a torn one.
            let file = self.file.file();
            let _ = Failpoint::JournalTakeBack.reach().and_then(|()| file.set_len(self.length));
            return Err(failed(self.path())(error));
        }
        self.length += lines.len() as u64;
        Failpoint::JournalAppended.reach().map_err(failed(self.path()))
    }

    /// Writes lines where the last one that fitted ends, whatever was tried after it.
    fn write(&self, lines: &[u8]) -> io::Result<()> {
        Failpoint::JournalAppend.reach()?;
        let mut place = self.length;
        Failpoint::JournalInside.halfway(lines, |part| {
            write_at(self.file.file(), part, place)?;
            place += part.len() as u64;
            Ok(())
        })
    }

    /// Drops what comes after the last whole line.
    fn drop_torn(&self) -> io::Result<()> {
        Failpoint::JournalMend.reach()?;
        self.file.file().set_len(self.length)
    }
}

/// Writes all of it at a place.
#[cfg(unix)]
fn write_at(file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, bytes, place)
}

#[cfg(not(unix))]
fn write_at(mut file: &File, bytes: &[u8], place: u64) -> io::Result<()> {
    use io::{Seek, SeekFrom, Write};
    file.seek(SeekFrom::Start(place))?;
    file.write_all(bytes)
}

/// A record as a line of a journal.
pub fn to_line(record: &Record) -> Vec<u8> {
    let mut line = Vec::new();
    write_line(record, &mut line);
    line
}

/// Adds a record to lines of a journal.
///
/// # Panics
/// Never: a record is plain data.
pub fn write_line(record: &Record, lines: &mut Vec<u8>) {
    serde_json::to_writer(&mut *lines, record).expect("a record is plain data");
    lines.push(b'\n');
}

/// The records of a journal that count; a torn last line is left out.
///
/// # Errors
/// If it cannot be read, or another line is no record.
pub fn read(path: &Path) -> Result<Vec<Record>, JournalError> {
    let bytes = whole_journal(&File::open(path).map_err(failed(path))?, path)?;
    let (whole, rest) = whole_lines(&bytes);
    let mut records: Vec<Record> = parse(path, whole)?;
    records.extend(serde_json::from_slice::<Record>(rest));
    Ok(current(records))
}

/// No line of a journal has so many bytes: a record of a solution of ten million moves has fewer.
pub const LONGEST_LINE: u64 = 1 << 27;

/// By how many bytes of a journal it is clear whether its first line begins like a record, and
/// whether that ends at all.
const FIRST_LINE: [u64; 2] = [1 << 12, LONGEST_LINE];

/// The bytes of a journal. What does not begin like one, as `/dev/zero`, may never end, and is
/// not read to its end.
fn whole_journal(mut file: &File, path: &Path) -> Result<Vec<u8>, JournalError> {
    let mut bytes = Vec::new();
    for most in FIRST_LINE {
        let more = most - bytes.len() as u64;
        file.take(more).read_to_end(&mut bytes).map_err(failed(path))?;
        let first_line = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
        let begins_well = matches!(first_line.trim_ascii().first(), None | Some(b'{'));
        if !begins_well || first_line.len() as u64 == LONGEST_LINE {
            let wrong = |error| JournalError::Line { path: path.into(), line: 1, error };
            serde_json::from_slice::<Record>(first_line).map_err(wrong)?;
        }
    }
    file.read_to_end(&mut bytes).map_err(failed(path))?;
    Ok(bytes)
}

/// Which board a record is of.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct BoardKey<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its tiles, if it could be read and is one of a puzzle.
    pub start: Option<&'a [u16]>,
}

impl<'a> From<&'a Record> for BoardKey<'a> {
    fn from(record: &'a Record) -> BoardKey<'a> {
        BoardKey { name: &record.board, start: record.start.as_deref() }
    }
}

/// What decides whether a record counts.
#[derive(Clone, Copy)]
struct HeadOf<'a> {
    board: BoardKey<'a>,
    status: Status,
}

impl<'a> From<&'a Record> for HeadOf<'a> {
    fn from(record: &'a Record) -> HeadOf<'a> {
        HeadOf { board: record.into(), status: record.status }
    }
}

/// That part of a record.
#[derive(Deserialize)]
struct Head {
    board: String,
    #[serde(default)]
    start: Option<Vec<u16>>,
    status: Status,
}

impl Head {
    fn of(&self) -> HeadOf<'_> {
        let board = BoardKey { name: &self.board, start: self.start.as_deref() };
        HeadOf { board, status: self.status }
    }
}

/// Which records count: of each board the last that was finished, or the last if none was. What
/// could not be read as a board is replaced by any board of its name.
fn counting<'a>(records: impl Iterator<Item = HeadOf<'a>>) -> Vec<bool> {
    let mut counts = Vec::new();
    let mut by_board: HashMap<BoardKey<'a>, (usize, bool)> = HashMap::default();
    for (index, HeadOf { board, status }) in records.enumerate() {
        let finished = status != Status::Interrupted;
        counts.push(true);
        let no_board = BoardKey { start: None, ..board };
        if board.start.is_some()
            && finished
            && let Some((replaced, _)) = by_board.remove(&no_board)
        {
            counts[replaced] = false;
        }
        match by_board.get(&board) {
            Some((_, true)) if !finished => counts[index] = false,
            earlier => {
                earlier.iter().for_each(|(replaced, _)| counts[*replaced] = false);
                by_board.insert(board, (index, finished));
            }
        }
    }
    counts
}

/// The records that count, in their order.
fn current(records: Vec<Record>) -> Vec<Record> {
    let counts = counting(records.iter().map(HeadOf::from));
    records
        .into_iter()
        .zip(counts)
        .filter_map(|(record, counts)| counts.then_some(record))
        .collect()
}

/// The lines that are ended, and what comes after them.
fn whole_lines(bytes: &[u8]) -> (&[u8], &[u8]) {
    bytes.split_at(bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1))
}

/// Lines with their numbers from 1.
fn non_empty_lines(bytes: &[u8]) -> impl Iterator<Item = (usize, &[u8])> {
    let lines = (1..).zip(bytes.split(|&byte| byte == b'\n'));
    lines.filter(|(_, line)| !line.trim_ascii().is_empty())
}

/// The lines as records, or as parts of records.
fn parse<T: for<'a> Deserialize<'a>>(path: &Path, bytes: &[u8]) -> Result<Vec<T>, JournalError> {
    non_empty_lines(bytes)
        .map(|(line, text)| {
            let wrong = |error| JournalError::Line { path: path.into(), line, error };
            serde_json::from_slice(text).map_err(wrong)
        })
        .collect()
}

fn failed(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |error| JournalError::Io { path: path.into(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn record(name: &str, status: Status) -> Record {
        Record { status, ..Record::invalid(name.to_owned(), "so".to_owned()) }
    }

    fn names(records: &[Record]) -> Vec<&str> {
        records.iter().map(|record| record.board.as_str()).collect()
    }

    #[test]
    fn a_journal_goes_on_where_it_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let (mut journal, none) = Journal::resume(&path).unwrap();
        assert!(none.is_empty());
        for name in ["a", "b"] {
            journal.append(&to_line(&record(name, Status::Solved))).unwrap();
        }
        assert!(matches!(Journal::create(&path, false), Err(JournalError::Exists(_))));
        assert!(matches!(Journal::resume(&path), Err(JournalError::InUse(_))));
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let line = whole.len() / 2;
        for torn in [1, line / 2, line - 2] {
            fs::write(&path, &whole[..line + torn]).unwrap();
            let (mut journal, kept) = Journal::resume(&path).unwrap();
            assert_eq!(names(&kept), ["a"]);
            journal.append(&to_line(&record("b", Status::Solved))).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn of_the_records_of_a_board_the_last_finished_one_counts() {
        let (solved, timeout, interrupted) = (Status::Solved, Status::Timeout, Status::Interrupted);
        let one: &[u16] = &[1, 0, 2, 3];
        let other: &[u16] = &[0, 1, 2, 3];
        let records = [
            ("a", Some(one), timeout, false),
            ("a", Some(other), timeout, true),
            ("a", Some(one), solved, true),
            ("a", Some(one), interrupted, false),
            ("b", Some(one), interrupted, false),
            ("b", Some(one), interrupted, true),
            ("c", None, Status::Invalid, false),
            ("c", Some(one), interrupted, false),
            ("c", Some(one), solved, true),
            ("c", None, Status::Invalid, true),
        ];
        let head = |&(name, start, status, _)| HeadOf { board: BoardKey { name, start }, status };
        let counts: Vec<bool> = records.iter().map(|record| record.3).collect();
        assert_eq!(counting(records.iter().map(head)), counts);
    }

    #[test]
    fn a_tidy_journal_has_its_lines_unchanged_and_is_still_locked() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let line = |name: &str, status: Status| {
            let text = String::from_utf8(to_line(&record(name, status))).unwrap();
            text.replace('{', "{\"field of another version\":1,")
        };
        let [a, b] = ["a", "b"].map(|name| line(name, Status::Solved));
        let interrupted = line("b", Status::Interrupted);
        fs::write(&path, [&*interrupted, &b, "\n", &a].concat()).unwrap();
        let (mut journal, kept) = Journal::resume(&path).unwrap();
        assert_eq!((names(&kept), journal.has_replaced()), (vec!["b", "a"], true));
        journal.tidy(Some(|board: BoardKey<'_>| Some(board.name.to_owned()))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), [&*a, &b].concat());
        assert!(matches!(Journal::resume(&path), Err(JournalError::InUse(_))));
        journal.append(b"{}\n").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), [&*a, &b, "{}\n"].concat());
        drop(journal);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_to_a_journal_stays_one() {
        let folder = tempfile::tempdir().unwrap();
        let [path, link] = ["j.jsonl", "link"].map(|name| folder.path().join(name));
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let solved = to_line(&record("a", Status::Solved));
        fs::write(&path, solved.repeat(2)).unwrap();
        let (mut journal, _) = Journal::resume(&link).unwrap();
        journal.tidy(None::<fn(BoardKey<'_>) -> Option<u8>>).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), solved);
    }

    #[test]
    fn a_last_record_needs_no_line_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let lines = ["a", "b"].map(|name| to_line(&record(name, Status::Solved))).concat();
        fs::write(&path, lines.trim_ascii_end()).unwrap();
        assert_eq!(names(&read(&path).unwrap()), ["a", "b"]);
        let (_, kept) = Journal::resume(&path).unwrap();
        assert_eq!(names(&kept), ["a", "b"]);
        assert_eq!(fs::read(&path).unwrap(), lines);
    }

    #[test]
    fn a_line_that_is_no_record_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let good = String::from_utf8(to_line(&record("a", Status::Solved))).unwrap();
        fs::write(&path, format!("{good}\n{{}}\n{good}")).unwrap();
        let error = Journal::resume(&path).unwrap_err();
        assert!(matches!(error, JournalError::Line { line: 3, .. }), "{error}");
    }
}
