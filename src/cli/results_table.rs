//! A batch's results for spreadsheets: a table with one row a record.

use super::output::refuse_to_overwrite;
use anyhow::Context;
use permutile::lab::record::{GoalField, Record};
use std::fs::File;
use std::path::{Path, PathBuf};

/// A table that is being written.
pub(super) struct Table {
    path: PathBuf,
    writer: csv::Writer<File>,
}

const COLUMNS: [&str; 17] = [
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
];

impl Table {
    /// Begins a table.
    ///
    /// # Errors
    /// If there is such a file, unless it may be overwritten; or if the system refuses.
    pub(super) fn create(path: &Path, overwrite: bool) -> anyhow::Result<Table> {
        refuse_to_overwrite(path, overwrite)?;
        let file = File::create(path).with_context(|| path.display().to_string())?;
        let mut table = Table { path: path.into(), writer: csv::Writer::from_writer(file) };
        table.row(&COLUMNS)?;
        Ok(table)
    }

    /// Adds the row of a record.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn add(&mut self, record: &Record) -> anyhow::Result<()> {
        fn text<T: ToString>(value: Option<&T>) -> String {
            value.map(ToString::to_string).unwrap_or_default()
        }
        let joined =
            |tiles: &[u16]| tiles.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ");
        let goal = record.goal.as_ref().map(|goal| match goal {
            GoalField::Named(name) => name.clone(),
            GoalField::Tiles(tiles) => joined(tiles),
        });
        let status = serde_json::to_value(record.status)?;
        self.row(&[
            record.board.as_str(),
            record.puzzle.as_deref().unwrap_or_default(),
            goal.as_deref().unwrap_or_default(),
            status.as_str().unwrap_or_default(),
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
        ])
    }

    fn row(&mut self, fields: &[&str; COLUMNS.len()]) -> anyhow::Result<()> {
        self.writer.write_record(fields).with_context(|| self.path.display().to_string())
    }

    /// Writes what is still to be written.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn finish(mut self) -> anyhow::Result<()> {
        self.writer.flush().with_context(|| self.path.display().to_string())
    }
}
