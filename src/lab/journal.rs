//! Journals: records in a file, one JSON object a line.
//!
//! A journal only grows while a run goes on. Whole lines are handed to the system, so that a program
//! that is killed leaves those and at most one torn one at the end; if the disk is full, lines that
//! did not fit are taken back. A run is resumed from the records that are there: the torn line and
//! the records of boards that were interrupted are dropped, and the rest counts as done.

use super::record::{Record, Status};
use std::fs::{self, File, TryLockError};
use std::io::{self, Read};
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
    path: PathBuf,
    file: File,
    /// How long it is, in whole lines.
    length: u64,
}

impl Journal {
    /// Begins a journal.
    ///
    /// # Errors
    /// If there is one already, unless it may be overwritten; or if the system refuses.
    pub fn create(path: &Path, overwrite: bool) -> Result<Journal, JournalError> {
        let mut options = File::options();
        options.write(true).create(true).create_new(!overwrite);
        let file = options.open(path).map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => JournalError::Exists(path.into()),
            _ => failed(path)(error),
        })?;
        let journal = Journal::locked(path, file)?;
        // Only now that it is locked.
        journal.file.set_len(0).map_err(failed(path))?;
        Ok(journal)
    }

    /// Continues a journal, or begins one if there is none: with the records of the boards that
    /// were finished.
    ///
    /// # Errors
    /// If it is not a journal, if another run is writing to it, or if the system refuses.
    pub fn resume(path: &Path) -> Result<(Journal, Vec<Record>), JournalError> {
        if !path.exists() {
            return Ok((Journal::create(path, false)?, Vec::new()));
        }
        let file = File::options().read(true).write(true).open(path).map_err(failed(path))?;
        let mut journal = Journal::locked(path, file)?;
        let bytes = whole_journal(&mut journal.file, path)?;
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
        let records = records(path, &bytes[..whole])?;
        let (finished, unfinished): (Vec<Record>, Vec<Record>) =
            records.into_iter().partition(|record| record.status != Status::Interrupted);
        if unfinished.is_empty() {
            journal.file.set_len(whole as u64).map_err(failed(path))?;
            journal.length = whole as u64;
            return Ok((journal, finished));
        }
        // A new file takes the place of the old one in one step: whenever this is cut off, one
        // of the two is there.
        drop(journal);
        let journal = Journal::replace(path, &finished)?;
        Ok((journal, finished))
    }

    /// Puts a journal with these records in the place of an old one.
    ///
    /// # Errors
    /// If the system refuses; the old one is then still there.
    pub fn replace(path: &Path, records: &[Record]) -> Result<Journal, JournalError> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
        let temporary = tempfile::NamedTempFile::new_in(folder.unwrap_or(Path::new(".")));
        let temporary = temporary.map_err(failed(path))?;
        let mut journal = Journal::locked(path, temporary.reopen().map_err(failed(path))?)?;
        for record in records {
            journal.append(&to_line(record))?;
        }
        if let Ok(old) = fs::metadata(path) {
            // The new file is as open to others as the old one was.
            fs::set_permissions(temporary.path(), old.permissions()).map_err(failed(path))?;
        }
        temporary.persist(path).map_err(|persist| failed(path)(persist.error))?;
        Ok(journal)
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A file that no other run writes to.
    fn locked(path: &Path, file: File) -> Result<Journal, JournalError> {
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::InUse(path.into())),
            // Some file systems do not support locks; then nobody can be kept out.
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {}
            Err(TryLockError::Error(error)) => return Err(failed(path)(error)),
        }
        Ok(Journal { path: path.into(), file, length: 0 })
    }

    /// Adds lines, each of which ends in a line feed, so that the system has them.
    ///
    /// # Errors
    /// If the system refuses, as when the disk is full; the journal is then as it was before.
    pub fn append(&mut self, lines: &[u8]) -> Result<(), JournalError> {
        if let Err(error) = write_at(&self.file, lines, self.length) {
            // What was written of them is of no use; if even this fails, resuming drops a torn one.
            let _ = self.file.set_len(self.length);
            return Err(failed(&self.path)(error));
        }
        self.length += lines.len() as u64;
        Ok(())
    }
}

/// Writes all of it at a place: where the last line that fitted ends, whatever was tried after it.
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

/// The records of a whole journal; a torn last line is left out.
///
/// # Errors
/// If it cannot be read, or another line is no record.
pub fn read(path: &Path) -> Result<Vec<Record>, JournalError> {
    let bytes = whole_journal(&mut File::open(path).map_err(failed(path))?, path)?;
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    records(path, &bytes[..whole])
}

/// No line of a journal has so many bytes: a record of a solution of ten million moves has fewer.
pub const LONGEST_LINE: u64 = 1 << 27;

/// By how many bytes of a journal it is clear whether its first line begins like a record, and
/// whether that ends at all.
const FIRST_LINE: [u64; 2] = [1 << 12, LONGEST_LINE];

/// The bytes of a journal. What does not begin like one, as `/dev/zero`, may never end, and is
/// not read to its end.
fn whole_journal(file: &mut File, path: &Path) -> Result<Vec<u8>, JournalError> {
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

fn records(path: &Path, bytes: &[u8]) -> Result<Vec<Record>, JournalError> {
    let lines = bytes.split(|&byte| byte == b'\n').enumerate();
    lines
        .filter(|(_, line)| !line.trim_ascii().is_empty())
        .map(|(index, line)| {
            let wrong = |error| JournalError::Line { path: path.into(), line: index + 1, error };
            serde_json::from_slice(line).map_err(wrong)
        })
        .collect()
}

fn failed(path: &Path) -> impl Fn(io::Error) -> JournalError {
    move |error| JournalError::Io { path: path.into(), error }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for torn in [1, line / 2, line - 1] {
            fs::write(&path, &whole[..line + torn]).unwrap();
            let (mut journal, kept) = Journal::resume(&path).unwrap();
            assert_eq!(names(&kept), ["a"]);
            journal.append(&to_line(&record("b", Status::Solved))).unwrap();
            assert_eq!(fs::read(&path).unwrap(), whole);
        }
    }

    #[test]
    fn interrupted_boards_are_not_done() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("j.jsonl");
        let mut journal = Journal::create(&path, false).unwrap();
        for (name, status) in
            [("a", Status::Timeout), ("b", Status::Interrupted), ("c", Status::Unsolvable)]
        {
            journal.append(&to_line(&record(name, status))).unwrap();
        }
        drop(journal);
        let (mut journal, kept) = Journal::resume(&path).unwrap();
        assert_eq!(names(&kept), ["a", "c"]);
        journal.append(&to_line(&record("d", Status::Solved))).unwrap();
        assert_eq!(names(&read(&path).unwrap()), ["a", "c", "d"]);
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
