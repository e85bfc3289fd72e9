//! Files that users write in TOML: read into a type, and errors that name the place.

use serde::de::DeserializeOwned;
use std::ops::Range;

/// What is wrong with such a file, and where.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{source_name}:{line}:{column}: {problem}")]
pub struct TomlError {
    source_name: String,
    line: usize,
    column: usize,
    problem: String,
}

/// The text of a file, and what the file is called.
#[derive(Clone, Copy)]
pub(crate) struct TomlText<'a> {
    pub(crate) source_name: &'a str,
    pub(crate) text: &'a str,
}

impl TomlText<'_> {
    /// What the text says; `expected` is what it should have been, for the error.
    pub(crate) fn parse<T: DeserializeOwned>(self, expected: &str) -> Result<T, TomlError> {
        toml::from_str(self.text).map_err(|error| {
            let problem = format!("{}; expected {expected}", error.message());
            self.error(error.span().unwrap_or(0..0), problem)
        })
    }

    /// An error at a place in the text.
    pub(crate) fn error(self, span: Range<usize>, problem: String) -> TomlError {
        let before = &self.text[..span.start.min(self.text.len())];
        TomlError {
            source_name: self.source_name.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before.rsplit('\n').next().map_or(0, |line| line.chars().count()) + 1,
            problem,
        }
    }
}
