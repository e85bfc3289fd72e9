//! What is worth saying about the input of a run, besides its boards.

use serde::Serialize;
use std::path::Path;

/// How many examples there are of each remark.
const EXAMPLES: usize = 5;

/// What is worth saying about input.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct InputRemarks {
    /// Files and folders in folders that were not read: they are hidden, are called otherwise than
    /// boards are, or are links to folders.
    pub passed_over: Remark,
    /// Files that were given more than once, and read once.
    pub given_twice: Remark,
    /// Boards that are not called by their name or line, because another one is.
    pub renamed: Remark,
}

/// How often something was met, and the first few of them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Remark {
    /// How often.
    pub count: usize,
    /// The first few.
    pub first: Vec<String>,
}

impl Remark {
    pub(super) fn add(&mut self, what: impl FnOnce() -> String) {
        self.count += 1;
        if self.first.len() < EXAMPLES {
            self.first.push(what());
        }
    }

    pub(super) fn join(&mut self, other: Remark) {
        self.count += other.count;
        self.first.extend(other.first);
        self.first.truncate(EXAMPLES);
    }

    pub(super) fn add_path(&mut self, path: &Path) {
        self.add(|| path.to_string_lossy().into_owned());
    }
}
