//! A comparison, or what heuristics cost, as one page for a browser, with charts: to read, to
//! print, to pass on.
//!
//! The page is a single file. Styles and charts are in it, no script is needed, and nothing is
//! fetched from anywhere. The same comparison gives the same bytes: the date in it is its own.

mod axis;
mod canvas;
mod charts;
mod figure;
mod heuristic_page;
pub(super) mod html;
mod marker_style;
mod page;
mod tables;
mod theme;

use super::circumstances::Circumstances;
use super::compare::Comparison;
use super::heuristic_table::{self, HeuristicTable};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The file name of the page.
pub const PAGE: &str = "index.html";

/// Where a report comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The command that reproduces it.
    pub command: String,
    /// The version of the program.
    pub version: &'static str,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// A file or folder could not be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file or folder that could not be written.
        path: PathBuf,
        /// The error of the operating system.
        error: io::Error,
    },
    /// There is one already.
    #[error("{}: there is such a file already; choose another folder, or give --force", .0.display())]
    Exists(PathBuf),
    /// A chart could not be drawn.
    #[error("a chart of the report could not be drawn: {0}")]
    Drawing(String),
}

/// Writes the report of a comparison into a folder, which is made if it is not there, and
/// returns the path of the page.
///
/// # Errors
/// If there is a report already, unless it may be overwritten; or if the system refuses.
pub fn write(
    comparison: &Comparison,
    about: &About,
    folder: &Path,
    overwrite: bool,
) -> Result<PathBuf, ReportError> {
    let path = folder.join(PAGE);
    // A dangling link counts as existing, too.
    if !overwrite && path.symlink_metadata().is_ok() {
        return Err(ReportError::Exists(path));
    }
    let text = page::render(comparison, about)?;
    make(folder)?;
    put(&path, text.as_bytes(), overwrite)?;
    Ok(path)
}

/// Writes the heuristics of some puzzles into a folder, over what is there: the page, and the
/// tables as Markdown and CSV. Returns the path of the page.
///
/// # Errors
/// If the system refuses.
pub fn write_heuristics(
    tables: &[HeuristicTable],
    circumstances: &Circumstances,
    about: &About,
    folder: &Path,
) -> Result<PathBuf, ReportError> {
    let page = heuristic_page::render(tables, circumstances, about)?;
    let mut markdown: Vec<String> = tables.iter().map(HeuristicTable::markdown).collect();
    markdown.push(format!("{circumstances}.\n"));
    make(folder)?;
    let path = folder.join(PAGE);
    put(&folder.join("heuristics.md"), markdown.join("\n").as_bytes(), true)?;
    put(&folder.join("heuristics.csv"), heuristic_table::csv(tables).as_bytes(), true)?;
    put(&path, page.as_bytes(), true)?;
    Ok(path)
}

fn make(folder: &Path) -> Result<(), ReportError> {
    fs::create_dir_all(folder).map_err(|error| ReportError::Io { path: folder.to_owned(), error })
}

/// Puts the file in place atomically: readers never see half a page.
fn put(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), ReportError> {
    let failed = |error| match error {
        error if io::Error::kind(&error) == io::ErrorKind::AlreadyExists && !overwrite => {
            ReportError::Exists(path.to_owned())
        }
        error => ReportError::Io { path: path.to_owned(), error },
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // A temporary file is readable only by its owner; a page gets the permissions of any new
    // file, which the system restricts by the user's umask.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    let put = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
    put.map(drop).map_err(|persist| failed(persist.error))
}

#[cfg(test)]
mod tests;
