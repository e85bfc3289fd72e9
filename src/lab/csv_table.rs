//! Records for spreadsheets: a CSV table with one row a record.

use super::record::{GoalField, Record, Status};
use crate::failpoint::Failpoint;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum CsvError {
    /// There is a file of that name, which is not to be overwritten.
    #[error("{}: there is such a file already", .0.display())]
    Exists(PathBuf),
    /// A table was to be continued, and the file of that name is something else.
    #[error("{}: there is such a file already, and it is no table of records", .0.display())]
    NotATable(PathBuf),
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// The table.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
}

/// A table that is being written.
pub struct CsvTable {
    /// What it is called in errors.
    path: PathBuf,
    writer: csv::Writer<Box<dyn Write + Send>>,
}

const COLUMNS: [&str; 20] = [
    "board",
    "puzzle",
    "goal",
    "status",
    "length",
    "optimal",
    "lower_bound",
    "algorithm",
    "heuristic",
    "threads",
    "expanded",
    "generated",
    "max_depth",
    "seconds",
    "peak_bytes",
    "moves",
    "error",
    "rests_on",
    "stopped_by",
    "improvements",
];

impl CsvTable {
    /// Begins a table, with its header.
    ///
    /// # Errors
    /// If there is such a file, unless it may be overwritten; or if the system refuses.
    pub fn create(path: &Path, overwrite: bool) -> Result<CsvTable, CsvError> {
        let mut options = File::options();
        options.write(true).create(true).truncate(true).create_new(!overwrite);
        let file = Failpoint::CsvOpen.reach().and_then(|()| options.open(path));
        let file = file.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => CsvError::Exists(path.into()),
            _ => CsvError::Io { path: path.into(), error },
        })?;
        CsvTable::new(path.into(), Box::new(file))
    }

    /// Begins a table on standard output, with its header.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn on_standard_output() -> Result<CsvTable, CsvError> {
        CsvTable::new("standard output".into(), Box::new(io::stdout()))
    }

    fn new(path: PathBuf, writer: Box<dyn Write + Send>) -> Result<CsvTable, CsvError> {
        let mut table = CsvTable { path, writer: csv::Writer::from_writer(writer) };
        table.row(&COLUMNS)?;
        Ok(table)
    }

    /// Whether a file is a table of records, or what is left of one that was cut off.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn is_at(path: &Path) -> Result<bool, CsvError> {
        let header = COLUMNS[..4].join(",");
        let mut begin = Vec::new();
        let read = File::open(path)
            .and_then(|file| file.take(header.len() as u64).read_to_end(&mut begin));
        read.map_err(|error| CsvError::Io { path: path.into(), error })?;
        Ok(header.as_bytes().starts_with(&begin))
    }

    /// Adds the row of a record.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn add(&mut self, record: &Record) -> Result<(), CsvError> {
        fn text<T: ToString>(value: Option<&T>) -> String {
            value.map(ToString::to_string).unwrap_or_default()
        }
        let joined =
            |tiles: &[u16]| tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let goal = record.goal.as_ref().map(|goal| match goal {
            GoalField::Named(name) => name.clone(),
            GoalField::Tiles(tiles) => joined(tiles),
        });
        let improvements = record.improvements.iter();
        let improvements: Vec<String> =
            improvements.map(|(seconds, length)| format!("{seconds}:{length}")).collect();
        self.row(&[
            record.board.as_str(),
            record.puzzle.as_deref().unwrap_or_default(),
            goal.as_deref().unwrap_or_default(),
            record.status.name(),
            &text(record.length.as_ref()),
            &record.optimal.to_string(),
            &text(record.lower_bound.as_ref()),
            record.algorithm.as_deref().unwrap_or_default(),
            record.heuristic.as_deref().unwrap_or_default(),
            &record.threads.to_string(),
            &record.expanded.to_string(),
            &record.generated.to_string(),
            &record.max_depth.to_string(),
            &record.seconds.to_string(),
            &record.peak_bytes.to_string(),
            &record.moves.as_deref().unwrap_or_default().join(" "),
            record.error.as_deref().unwrap_or_default(),
            record.rests_on.as_deref().unwrap_or_default(),
            record.stopped_by.map_or("", Status::name),
            &improvements.join(" "),
        ])
    }

    fn row(&mut self, fields: &[&str; COLUMNS.len()]) -> Result<(), CsvError> {
        let reached = Failpoint::CsvRow.reach();
        let written = reached.and_then(|()| Ok(self.writer.write_record(fields)?));
        written.map_err(|error| CsvError::Io { path: self.path.clone(), error })
    }

    /// Writes what is still in memory.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn finish(mut self) -> Result<(), CsvError> {
        let flushed = Failpoint::CsvFlush.reach().and_then(|()| self.writer.flush());
        flushed.map_err(|error| CsvError::Io { path: self.path, error })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_what_the_header_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("t.csv");
        let mut table = CsvTable::create(&path, false).unwrap();
        let record = Record {
            status: Status::Solved,
            length: Some(5),
            lower_bound: Some(3),
            stopped_by: Some(Status::Timeout),
            improvements: vec![(0.25, 7), (1.5, 5)],
            error: None,
            ..Record::invalid("a".to_owned(), String::new())
        };
        table.add(&record).unwrap();
        table.finish().unwrap();
        let mut rows = csv::Reader::from_path(&path).unwrap();
        let header = rows.headers().unwrap().clone();
        let row = rows.records().next().unwrap().unwrap();
        let cell = |name: &str| row.get(header.iter().position(|of| of == name).unwrap()).unwrap();
        assert_eq!((cell("status"), cell("length"), cell("optimal")), ("solved", "5", "false"));
        assert_eq!((cell("stopped_by"), cell("improvements")), ("timeout", "0.25:7 1.5:5"));
        assert!(CsvTable::is_at(&path).unwrap());
    }
}
