//! Where the records of a batch are written: into a journal, or to any writer.

use crate::failpoint::Failpoint;
use crate::lab::csv_table::CsvError;
use crate::lab::journal::{Counting, Journal, JournalError, KnownRecords};
use std::fmt;
use std::io::{self, Write};
use std::path::PathBuf;

/// Where the records of a batch are written, one JSON object a line.
pub enum RecordOutput<'a> {
    /// Into a journal.
    Journal {
        /// Its path.
        path: PathBuf,
        /// What happens if there is a file of that name.
        existing: Existing,
    },
    /// To a writer, which is flushed after each write.
    Writer {
        /// What it is called in errors.
        name: String,
        /// The writer. Once it has failed, nothing more is written to it.
        writer: Box<dyn Write + Send + 'a>,
    },
}

/// What happens if a journal exists.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Existing {
    /// The run fails.
    Refuse,
    /// It is overwritten.
    Overwrite,
    /// It is continued: boards that it has an answer for are not solved again.
    Resume,
}

/// Why the output of a batch cannot be written as requested: because of existing files, or of
/// what the system refuses.
#[derive(Debug, thiserror::Error)]
pub enum OutputError {
    /// The journal cannot be opened or written.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The table cannot be created or written.
    #[error(transparent)]
    Csv(#[from] CsvError),
    /// The writer has failed.
    #[error("{name}: {error}")]
    Writer {
        /// As in [`RecordOutput::Writer`].
        name: String,
        /// What the system said.
        error: io::Error,
    },
}

impl fmt::Debug for RecordOutput<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RecordOutput::Journal { path, existing } => {
                f.debug_struct("Journal").field("path", path).field("existing", existing).finish()
            }
            RecordOutput::Writer { name, .. } => {
                f.debug_struct("Writer").field("name", name).finish_non_exhaustive()
            }
        }
    }
}

impl<'a> RecordOutput<'a> {
    /// Opens it; with the records that are in it already, if it is continued.
    pub(super) fn open(self) -> Result<(RecordWriter<'a>, Option<KnownRecords>), OutputError> {
        Ok(match self {
            RecordOutput::Journal { path, existing: Existing::Resume } => {
                let (journal, earlier) = Journal::resume(&path, Counting::Finished)?;
                (RecordWriter::Journal(journal), Some(earlier))
            }
            RecordOutput::Journal { path, existing } => {
                let journal = Journal::create(&path, existing == Existing::Overwrite)?;
                (RecordWriter::Journal(journal), None)
            }
            RecordOutput::Writer { name, writer } => {
                (RecordWriter::Writer { name, writer, failed: false }, None)
            }
        })
    }
}

/// An output that is open.
pub(super) enum RecordWriter<'a> {
    Journal(Journal),
    Writer { name: String, writer: Box<dyn Write + Send + 'a>, failed: bool },
}

/// Receives whole lines.
pub(super) trait AppendLines {
    /// Hands lines to the system in one go. If it refuses, either none of them is there, or nothing
    /// is taken after that.
    ///
    /// # Errors
    /// If it refuses.
    fn append(&mut self, lines: &[u8]) -> Result<(), OutputError>;
}

impl AppendLines for RecordWriter<'_> {
    fn append(&mut self, lines: &[u8]) -> Result<(), OutputError> {
        match self {
            RecordWriter::Journal(journal) => Ok(journal.append(lines)?),
            RecordWriter::Writer { name, writer, failed } => {
                // What was written of earlier lines cannot be taken back, and must not come again.
                let written = if *failed {
                    Err(io::ErrorKind::BrokenPipe.into())
                } else {
                    let reached = Failpoint::RecordsFlush.reach();
                    reached.and_then(|()| writer.write_all(lines)).and_then(|()| writer.flush())
                };
                written.map_err(|error| {
                    *failed = true;
                    OutputError::Writer { name: name.clone(), error }
                })
            }
        }
    }
}
