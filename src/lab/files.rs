//! The files that a command reads and writes: none is written twice, and none is written that is
//! read. That is checked before the first of them is opened.
//!
//! Files are the same if they are the same for the system, whatever their names: by way of links,
//! too. An output that does not exist yet is known by where it will be.

use super::input::{self, Source};
use std::fs;
use std::path::{Path, PathBuf};

/// What a command would do to a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FileClash {
    /// Two outputs go to the same file.
    #[error("{}: this file cannot take two outputs at once", .0.display())]
    TwoOutputs(PathBuf),
    /// An output goes to a file that is read.
    #[error("{}: this file is an input, and would be overwritten", .0.display())]
    IsInput(PathBuf),
    /// An output goes to a folder that is read, under a name that boards have.
    #[error(
        "{}: this file would be among the boards of {}",
        output.display(),
        folder.display()
    )]
    AmongInputs {
        /// The output.
        output: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
}

/// The files that a command is about to read and write.
#[derive(Clone, Copy)]
pub struct Files<'a> {
    /// What it writes.
    pub outputs: &'a [&'a Path],
    /// The boards.
    pub sources: &'a [Source],
    /// Which files of folders are taken.
    pub include: &'a dyn Fn(&Path) -> bool,
    /// What else it reads.
    pub others: &'a [&'a Path],
}

impl Files<'_> {
    /// Checks that no file is written twice, or read and written.
    ///
    /// # Errors
    /// If one is.
    pub fn check(&self) -> Result<(), FileClash> {
        let outputs: Vec<(&Path, Identity)> =
            self.outputs.iter().filter_map(|&path| Some((path, Identity::of(path)?))).collect();
        for (number, (path, identity)) in outputs.iter().enumerate() {
            if outputs[..number].iter().any(|(_, other)| other == identity) {
                return Err(FileClash::TwoOutputs(path.to_path_buf()));
            }
            // What is not there cannot be read; it may be a name that is no file's.
            let is_input =
                |path: &Path| path.exists() && Identity::of(path).as_ref() == Some(identity);
            let given = self.sources.iter().filter_map(|source| match source {
                Source::Path(path) => Some(path.as_path()),
                Source::Standard | Source::Inline(_) => None,
            });
            if given.clone().chain(self.others.iter().copied()).any(is_input) {
                return Err(FileClash::IsInput(path.to_path_buf()));
            }
            for folder in given.filter(|path| path.is_dir()) {
                self.check_folder(path, identity, folder)?;
            }
        }
        Ok(())
    }

    fn check_folder(
        &self,
        output: &Path,
        identity: &Identity,
        folder: &Path,
    ) -> Result<(), FileClash> {
        let clash = || FileClash::AmongInputs { output: output.into(), folder: folder.into() };
        if let Identity::Future(place) = identity {
            let inside = fs::canonicalize(folder).ok().and_then(|folder| {
                let inside = place.strip_prefix(folder).ok()?;
                Some(input::is_taken(inside) && (self.include)(output))
            });
            return if inside == Some(true) { Err(clash()) } else { Ok(()) };
        }
        let mut files = input::files(folder, self.include).into_iter();
        if files.any(|file| Identity::of(&file).as_ref() == Some(identity)) {
            return Err(clash());
        }
        Ok(())
    }
}

/// What makes two files the same.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Identity {
    /// There is such a file, and this is its number.
    #[cfg(unix)]
    Numbered(u64, u64),
    /// There is such a file, and this is its name without links.
    #[cfg(not(unix))]
    Named(PathBuf),
    /// This is where it will be.
    Future(PathBuf),
}

impl Identity {
    /// The identity of a regular file, or of one that could be made. Devices and pipes have none:
    /// they can take several outputs.
    fn of(path: &Path) -> Option<Identity> {
        match fs::metadata(path) {
            Ok(data) if data.is_file() => Identity::of_existing(path, &data),
            Ok(_) => None,
            Err(_) => {
                // A link to nowhere makes a file where it points to.
                let path = fs::read_link(path).map_or_else(
                    |_| path.to_owned(),
                    |target| path.parent().unwrap_or(Path::new("")).join(target),
                );
                let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
                let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).ok()?;
                Some(Identity::Future(folder.join(path.file_name()?)))
            }
        }
    }

    #[cfg(unix)]
    fn of_existing(_: &Path, data: &fs::Metadata) -> Option<Identity> {
        use std::os::unix::fs::MetadataExt;
        Some(Identity::Numbered(data.dev(), data.ino()))
    }

    #[cfg(not(unix))]
    fn of_existing(path: &Path, _: &fs::Metadata) -> Option<Identity> {
        fs::canonicalize(path).ok().map(Identity::Named)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(outputs: &[&Path], sources: &[&Path]) -> Option<FileClash> {
        let sources: Vec<Source> = sources.iter().map(|&path| Source::Path(path.into())).collect();
        let include = |path: &Path| !path.ends_with("left-out");
        let files = Files { outputs, sources: &sources, include: &include, others: &[] };
        files.check().err()
    }

    #[test]
    fn files_are_compared_by_what_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        fs::create_dir(path("in")).unwrap();
        fs::write(path("in/board.txt"), "1 0 2 3").unwrap();
        let (board, new, same) = (path("in/board.txt"), path("new"), path("in/../new"));
        let two = Some(FileClash::TwoOutputs(same.clone()));
        assert_eq!(check(&[&new, &same], &[]), two);
        assert_eq!(check(&[&new, &path("other")], &[&path("in"), &board]), None);
        assert_eq!(check(&[&new], &[&new]), None, "there is nothing to read");
        assert_eq!(check(&[&board], &[&board]), Some(FileClash::IsInput(board.clone())));
        let among = |output: &Path| {
            Some(FileClash::AmongInputs { output: output.into(), folder: path("in") })
        };
        assert_eq!(check(&[&board], &[&path("in")]), among(&board));
        assert_eq!(check(&[&path("in/new")], &[&path("in")]), among(&path("in/new")));
        for fine in ["in/new.jsonl", "in/.new", "in/left-out"] {
            assert_eq!(check(&[&path(fine)], &[&path("in")]), None, "{fine}");
        }
        fs::hard_link(&board, path("hard")).unwrap();
        assert_eq!(check(&[&path("hard")], &[&path("in")]), among(&path("hard")));
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_and_devices_take_anything() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let null = Path::new("/dev/null");
        assert_eq!(check(&[null, null], &[null]), None);
        std::os::unix::fs::symlink("new", path("link")).unwrap();
        let two = Some(FileClash::TwoOutputs(path("link")));
        assert_eq!(check(&[&path("new"), &path("link")], &[]), two);
        fs::write(path("new"), "").unwrap();
        assert_eq!(check(&[&path("new"), &path("link")], &[]), two);
    }
}
