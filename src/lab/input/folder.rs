//! The files of a folder in natural order.

use super::compressed::inner_name;
use super::{InputError, Item};
use rayon::slice::ParallelSliceMut;
use std::cmp::Ordering;
use std::ffi::OsStr;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};

/// What is found in a folder.
pub(super) enum Found {
    /// A file to be read.
    File(PathBuf),
    /// A file or folder that is not.
    PassedOver(PathBuf),
    /// What cannot be read.
    Failed(Item),
}

/// What is below a folder and wanted, in natural order. Files that are hidden or called otherwise
/// than boards are, hidden folders and links to folders are passed over.
pub(super) fn collect_files(
    folder: &Path,
    wanted: &dyn Fn(&Path) -> bool,
    found: &mut dyn FnMut(Found),
) {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut entries: Vec<(String, DirEntry)> = match entries {
        Ok(entries) => entries.into_iter().map(with_name).collect(),
        Err(error) => {
            let name = folder.to_string_lossy().into_owned();
            let entry = Err(InputError::Io { path: folder.into(), error });
            return found(Found::Failed(Item { name, entry }));
        }
    };
    entries.par_sort_by(|(a, _), (b, _)| natural_order(a, b));
    for (name, entry) in entries {
        let path = entry.path();
        if name.starts_with('.') {
            if wanted(&path) {
                found(Found::PassedOver(path));
            }
            continue;
        }
        // The list of a folder mostly says what is in it: asking the system about each file
        // would take longer than all the rest.
        let (is_folder, is_file) = match entry.file_type() {
            Ok(kind) if !kind.is_symlink() => (kind.is_dir(), kind.is_file()),
            // A link that leads nowhere is an error of its own.
            _ => fs::metadata(&path).map_or((false, true), |data| (data.is_dir(), data.is_file())),
        };
        if is_folder {
            // Links to folders are not followed: they may form a cycle.
            if path.is_symlink() {
                found(Found::PassedOver(path));
            } else {
                collect_files(&path, wanted, found);
            }
        } else if wanted(&path) {
            let taken = has_board_ending(&path);
            found(match (taken, is_file) {
                (true, true) => Found::File(path),
                (true, false) => special(path),
                (false, _) => Found::PassedOver(path),
            });
        }
    }
}

/// A pipe or a device, which may never end: it is not even opened.
fn special(path: PathBuf) -> Found {
    let name = path.to_string_lossy().into_owned();
    Found::Failed(Item { name, entry: Err(InputError::Special(path)) })
}

/// Whether a file is called as those are that boards are looked for in.
fn has_board_ending(path: &Path) -> bool {
    inner_name(path).extension().is_none_or(|e| e == "boards" || e == "board" || e == "txt")
}

/// Whether a file of this path below a folder would be taken.
pub(in crate::lab) fn is_taken(below: &Path) -> bool {
    let hidden = |part: &OsStr| part.to_string_lossy().starts_with('.');
    !below.iter().any(hidden) && has_board_ending(below)
}

/// The board files below a folder that are wanted.
pub(in crate::lab) fn files(folder: &Path, wanted: &dyn Fn(&Path) -> bool) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect_files(folder, wanted, &mut |found| {
        if let Found::File(path) = found {
            files.push(path);
        }
    });
    files
}

fn with_name(entry: DirEntry) -> (String, DirEntry) {
    (entry.file_name().to_string_lossy().into_owned(), entry)
}

/// Runs of digits are compared as numbers, so that `board2` comes before `board10`.
pub fn natural_order(a: &str, b: &str) -> Ordering {
    // Bytes of UTF-8 are in the same order as what they stand for.
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let same = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    // Where the run of digits begins in which they differ, if it is in one.
    let begin = same - a[..same].iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    let (number_a, number_b) = (leading_digits(&a[begin..]), leading_digits(&b[begin..]));
    if number_a.is_empty() || number_b.is_empty() || number_a == number_b {
        return a.get(same).cmp(&b.get(same));
    }
    let (value_a, value_b) = (value(number_a), value(number_b));
    (value_a.len().cmp(&value_b.len()))
        .then(value_a.cmp(value_b))
        .then(number_a.len().cmp(&number_b.len()))
}

fn leading_digits(text: &[u8]) -> &[u8] {
    let end = text.iter().position(|byte| !byte.is_ascii_digit());
    &text[..end.unwrap_or(text.len())]
}

/// A number without the zeros before it.
fn value(digits: &[u8]) -> &[u8] {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    &digits[zeros..]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_names_are_compared_as_numbers() {
        let mut names = ["board10", "board2", "a", "board02", "board2b", "board", "board1.5", "é1"];
        names.sort_by(|a, b| natural_order(a, b));
        assert_eq!(
            names,
            ["a", "board", "board1.5", "board2", "board2b", "board02", "board10", "é1"]
        );
    }
}
