//! A comparison as one page for a browser, with charts: to read, to print, to pass on.
//!
//! The page is a single file. Styles and charts are in it, no script is needed, and nothing is
//! fetched from anywhere. The same comparison gives the same bytes: there is no date in it.

mod axis;
mod canvas;
mod charts;
mod figure;
mod look;
mod page;
mod tables;
mod theme;
mod words;

use super::compare::Comparison;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What the page is called in its folder.
pub const PAGE: &str = "index.html";

/// Where a report comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct About {
    /// The command that makes it again.
    pub command: String,
    /// The version of the program.
    pub version: &'static str,
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// The system refused.
    #[error("{}: {error}", path.display())]
    Io {
        /// What it refused to make.
        path: PathBuf,
        /// What it said.
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
    // A link that leads nowhere is something that is there, too.
    if !overwrite && path.symlink_metadata().is_ok() {
        return Err(ReportError::Exists(path));
    }
    let text = page::render(comparison, about)?;
    fs::create_dir_all(folder)
        .map_err(|error| ReportError::Io { path: folder.to_owned(), error })?;
    put(&path, text.as_bytes(), overwrite)?;
    Ok(path)
}

/// Puts a whole file in its place, or none: whoever looks never finds half a page.
fn put(path: &Path, bytes: &[u8], overwrite: bool) -> Result<(), ReportError> {
    let failed = |error| match error {
        error if io::Error::kind(&error) == io::ErrorKind::AlreadyExists && !overwrite => {
            ReportError::Exists(path.to_owned())
        }
        error => ReportError::Io { path: path.to_owned(), error },
    };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    // A temporary file is for its owner alone; a page is for whoever may read other files of
    // the user. The system takes away what the user's mask forbids.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder.tempfile_in(folder.unwrap_or(Path::new("."))).map_err(failed)?;
    file.write_all(bytes).map_err(failed)?;
    let put = if overwrite { file.persist(path) } else { file.persist_noclobber(path) };
    put.map(drop).map_err(|persist| failed(persist.error))
}

#[cfg(test)]
mod tests;
