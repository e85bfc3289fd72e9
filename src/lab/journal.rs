//! Journals: records in a file, one JSON object a line.
//!
//! A journal only grows while a run goes on. Whole lines are handed to the system, so that a killed
//! program leaves whole lines and at most one torn one at the end; if the disk is full, lines that
//! do not fit are removed again. Of several records of a board, the last finished one counts, so
//! that a board is solved again by appending its new record.
//!
//! A run that ends may tidy its journal: records that were replaced are dropped, and the others are
//! put in order. The tidy file replaces the old one in one step, under the locks of both, so that
//! there is a whole journal at any moment and no other run can write to the old file.

mod index;
mod lines;

pub use index::{BoardKey, Counting};
pub use lines::LONGEST_LINE;

use super::locked_file::{IfLocked, LockedFile};
use super::record::Record;
use crate::failpoint::Failpoint;
use index::{Head, Index, Standing};
use lines::{End, Line, each_record, write_at};
use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
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
    counting: Counting,
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
        let journal = Journal::open(path, &options, Counting::Finished)?;
        // Only now that it is locked.
        let emptied = Failpoint::JournalEmpty.reach().and_then(|()| journal.file.file().set_len(0));
        emptied.map_err(failed(path))?;
        Ok(journal)
    }

    /// Continues a journal, or begins one if there is none: with the records that count.
    ///
    /// # Errors
    /// If it is not a journal, if another run is writing to it, or if the system refuses.
    pub fn resume(
        path: &Path,
        counting: Counting,
    ) -> Result<(Journal, KnownRecords), JournalError> {
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut journal = Journal::open(path, &options, counting)?;
        let mut index = Index::new(counting);
        let add = |line, record: Record| {
            index.add(line, &record.board, record.start.as_deref(), Standing::from(&record));
        };
        let End { whole, not_ended } = each_record(journal.file.file(), path, add)?;
        journal.length = whole;
        match not_ended {
            Some(record) => {
                journal.length += record.len() as u64;
                journal.append(b"\n")?;
            }
            None => journal.drop_torn().map_err(failed(path))?,
        }
        journal.has_replaced = index.replaced > 0;
        let file = journal.file.file().try_clone().map_err(failed(path))?;
        Ok((journal, KnownRecords { file, index }))
    }

    /// Whether it had records that do not count when it was opened.
    pub fn has_replaced(&self) -> bool {
        self.has_replaced
    }

    /// Drops records that were replaced. With `rank`, the others are sorted: boards that have a rank
    /// come first, by their ranks. If that changes nothing, the file is not rewritten.
    ///
    /// # Errors
    /// If the system refuses; the journal is then as it was before.
    pub fn tidy<R: Ord>(
        &mut self,
        rank: Option<impl Fn(BoardKey) -> Option<R>>,
    ) -> Result<(), JournalError> {
        let mut index = Index::new(self.counting);
        let mut file = self.file.file();
        file.seek(SeekFrom::Start(0)).map_err(failed(self.path()))?;
        each_record(file, self.path(), |line, head: Head| {
            index.add(line, &head.board, head.start.as_deref(), Standing::from(&head));
        })?;
        let has_replaced = index.replaced > 0;
        let mut kept = index.into_lines();
        if let Some(rank) = rank {
            kept.sort_by_cached_key(|&(_, board)| {
                let rank = rank(board);
                (rank.is_none(), rank)
            });
        }
        if !has_replaced && kept.is_sorted_by_key(|&(line, _)| line) {
            return Ok(());
        }
        let mut length = 0;
        let written = self.file.replace(|old, new| {
            kept.into_iter().try_for_each(|(line, _)| {
                let mut text = line.read(old)?;
                text.push(b'\n');
                length += text.len() as u64;
                new.write_all(&text)
            })
        });
        written.map_err(failed(self.path()))?;
        (self.length, self.has_replaced) = (length, false);
        Failpoint::TidyRenamed.reach().map_err(failed(self.path()))
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        self.file.path()
    }

    /// Opens the file of this name so that no other run writes to it.
    fn open(
        path: &Path,
        options: &OpenOptions,
        counting: Counting,
    ) -> Result<Journal, JournalError> {
        match LockedFile::open(path, options, IfLocked::Fail) {
            Ok(file) => Ok(Journal { file, counting, length: 0, has_replaced: false }),
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

/// The records of a journal that count. They stay in the file, and are read when they are asked for.
#[derive(Debug)]
pub struct KnownRecords {
    file: File,
    index: Index,
}

impl KnownRecords {
    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.index.is_empty()
    }

    /// Whether there is a record of a board.
    pub fn contains(&self, board: BoardKey) -> bool {
        self.index.get(board).is_some()
    }

    /// The record of a board. One that cannot be read any more is not known.
    pub fn get(&self, board: BoardKey) -> Option<Record> {
        let record = read_one(&self.file, self.index.get(board)?)?;
        (BoardKey::from(&record) == board).then_some(record)
    }

    /// All of them, in their order.
    pub fn into_records(self) -> impl Iterator<Item = Record> {
        let KnownRecords { file, index } = self;
        index.into_lines().into_iter().filter_map(move |(line, _)| read_one(&file, line))
    }
}

fn read_one(file: &File, line: Line) -> Option<Record> {
    serde_json::from_slice(&line.read(file).ok()?).ok()
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
    let file = File::open(path).map_err(failed(path))?;
    let (mut index, mut records) = (Index::new(Counting::Finished), Vec::new());
    each_record(&file, path, |line, record: Record| {
        index.add(line, &record.board, record.start.as_deref(), Standing::from(&record));
        records.push((line, record));
    })?;
    let mut counting = index.into_lines().into_iter().map(|(line, _)| line).peekable();
    records.retain(|(line, _)| counting.next_if_eq(line).is_some());
    Ok(records.into_iter().map(|(_, record)| record).collect())
}

fn failed(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |error| JournalError::Io { path: path.into(), error }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::record::Status;
    use std::fs;

    fn record(name: &str, status: Status) -> Record {
        Record { status, ..Record::invalid(name.to_owned(), "so".to_owned()) }
    }

    fn names(records: impl IntoIterator<Item = Record>) -> Vec<String> {
        records.into_iter().map(|record| record.board).collect()
    }

    fn known(records: KnownRecords) -> Vec<String> {
        names(records.into_records())
    }

    #[test]
    fn a_journal_goes_on_where_it_was_cut_off() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let (mut journal, none) = Journal::resume(&path, Counting::Finished).unwrap();
        assert!(none.is_empty());
        drop(none);
        for name in ["a", "b"] {
            journal.append(&to_line(&record(name, Status::Solved))).unwrap();
        }
        assert!(matches!(Journal::create(&path, false), Err(JournalError::Exists(_))));
        assert!(matches!(Journal::resume(&path, Counting::Finished), Err(JournalError::InUse(_))));
        drop(journal);
        let whole = fs::read(&path).unwrap();
        let line = whole.len() / 2;
        for torn in [1, line / 2, line - 2] {
            fs::write(&path, &whole[..line + torn]).unwrap();
            let (mut journal, kept) = Journal::resume(&path, Counting::Finished).unwrap();
            assert_eq!(known(kept), ["a"]);
            journal.append(&to_line(&record("b", Status::Solved))).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
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
        let (mut journal, kept) = Journal::resume(&path, Counting::Finished).unwrap();
        assert_eq!(
            (known(kept), journal.has_replaced()),
            (vec!["b".to_owned(), "a".to_owned()], true)
        );
        let last = BoardKey::from(&record("b", Status::Solved));
        journal.tidy(Some(|board| Some(board == last))).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), [&*a, &b].concat());
        assert!(matches!(Journal::resume(&path, Counting::Finished), Err(JournalError::InUse(_))));
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
        let (mut journal, _) = Journal::resume(&link, Counting::Finished).unwrap();
        journal.tidy(None::<fn(BoardKey) -> Option<u8>>).unwrap();
        assert!(link.is_symlink());
        assert_eq!(fs::read(&path).unwrap(), solved);
    }

    #[test]
    fn a_last_record_needs_no_line_end() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let lines = ["a", "b"].map(|name| to_line(&record(name, Status::Solved))).concat();
        fs::write(&path, lines.trim_ascii_end()).unwrap();
        assert_eq!(names(read(&path).unwrap()), ["a", "b"]);
        let (_, kept) = Journal::resume(&path, Counting::Finished).unwrap();
        assert_eq!(known(kept), ["a", "b"]);
        assert_eq!(fs::read(&path).unwrap(), lines);
    }

    #[test]
    fn what_never_ends_is_no_journal() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let good = to_line(&record("a", Status::Solved));
        let zeros = vec![0; 10_000];
        for (text, is_journal) in [
            (b"something else".to_vec(), false),
            (zeros.clone(), false),
            (b"{\"schema\":".to_vec(), true),
            ([b" \n\n", &*good, &zeros].concat(), true),
        ] {
            fs::write(&path, &text).unwrap();
            match Journal::resume(&path, Counting::Finished) {
                Ok(_) => {
                    assert!(is_journal);
                    assert!(!fs::read(&path).unwrap().ends_with(b"\0"), "what was torn is gone");
                }
                Err(JournalError::Line { line: 1, .. }) => {
                    assert!(!is_journal);
                    assert_eq!(fs::read(&path).unwrap(), text);
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn records_stay_in_the_file_until_they_are_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let records = ["a", "b", "c"].map(|name| record(name, Status::Solved));
        fs::write(&path, records.iter().flat_map(to_line).collect::<Vec<u8>>()).unwrap();
        let (mut journal, known) = Journal::resume(&path, Counting::Finished).unwrap();
        journal.append(&to_line(&record("a", Status::Timeout))).unwrap();
        for (name, expected) in [("b", Some(&records[1])), ("a", Some(&records[0])), ("d", None)] {
            assert_eq!(known.get(BoardKey::new(name, None)).as_ref(), expected);
        }
        assert_eq!(names(known.into_records()), ["a", "b", "c"]);
    }

    #[test]
    fn a_line_that_is_no_record_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let good = String::from_utf8(to_line(&record("a", Status::Solved))).unwrap();
        fs::write(&path, format!("{good}\n{{}}\n{good}")).unwrap();
        let error = Journal::resume(&path, Counting::Finished).unwrap_err();
        assert!(matches!(error, JournalError::Line { line: 3, .. }), "{error}");
    }
}
