//! Files that one process at a time writes to: locked while they are open, and replaced in one
//! step.
//!
//! The lock is that of the file itself, so that nothing is left beside it. Whoever waits for it may
//! get that of a file which has been replaced meanwhile; that is noticed, and the new one opened.

use crate::failpoint::Failpoint;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

/// A file that no other process writes to as long as it is open.
#[derive(Debug)]
pub(super) struct LockedFile {
    path: PathBuf,
    file: File,
}

/// What to do if another process has the lock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum IfLocked {
    /// Fail with [`io::ErrorKind::WouldBlock`].
    Fail,
    /// Wait until it is given back.
    Wait,
}

impl LockedFile {
    /// Opens the file of this name.
    pub(super) fn open(
        path: &Path,
        options: &OpenOptions,
        if_locked: IfLocked,
    ) -> io::Result<LockedFile> {
        loop {
            let file = options.open(path)?;
            Failpoint::JournalLock.reach()?;
            let file = LockedFile::lock(path, file, if_locked)?;
            // Another process may have replaced it before it was locked here.
            if file.is_in_place() {
                return Ok(file);
            }
        }
    }

    fn lock(path: &Path, file: File, if_locked: IfLocked) -> io::Result<LockedFile> {
        let locked = match if_locked {
            IfLocked::Fail => file.try_lock().map_err(|error| match error {
                TryLockError::WouldBlock => io::ErrorKind::WouldBlock.into(),
                TryLockError::Error(error) => error,
            }),
            IfLocked::Wait => file.lock(),
        };
        match locked {
            // Some file systems do not support locks; then nobody can be kept out.
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok(LockedFile { path: path.into(), file }),
        }
    }

    /// Whether the file that is open is the one of its name.
    #[cfg(unix)]
    fn is_in_place(&self) -> bool {
        use std::os::unix::fs::MetadataExt;
        let identity = |data: fs::Metadata| (data.dev(), data.ino());
        let (open, named) =
            (self.file.metadata().map(identity), fs::metadata(&self.path).map(identity));
        matches!((open, named), (Ok(open), Ok(named)) if open == named)
    }

    #[cfg(not(unix))]
    fn is_in_place(&self) -> bool {
        true
    }

    /// Its name.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The file.
    pub(super) fn file(&self) -> &File {
        &self.file
    }

    /// Puts a file in the place of this one, whole or not at all: both are locked until that is
    /// done. `write` is given the old and the new one.
    pub(super) fn replace(
        &mut self,
        write: impl FnOnce(&File, &mut BufWriter<&File>) -> io::Result<()>,
    ) -> io::Result<()> {
        // A link to a file stays one.
        let target = fs::canonicalize(&self.path)?;
        let folder = target.parent().unwrap_or(Path::new("."));
        // Always the same name, which only who has the lock uses: if a process was killed while it
        // did this, what it left is removed by the next.
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let name = format!(".{name}.tidy");
        let _ = fs::remove_file(folder.join(&name));
        let temporary = tempfile::Builder::new().prefix(&name).rand_bytes(0).tempfile_in(folder)?;
        let new = LockedFile::lock(&self.path, temporary.reopen()?, IfLocked::Fail)?;
        Failpoint::TidyWrite.reach()?;
        let mut writer = BufWriter::with_capacity(1 << 16, &new.file);
        write(&self.file, &mut writer)?;
        writer.into_inner()?;
        // The new file is as open to others as the old one was.
        fs::set_permissions(temporary.path(), self.file.metadata()?.permissions())?;
        // All of it is new, not just what came last: a power cut must not cost it.
        Failpoint::TidySync.reach()?;
        new.file.sync_all()?;
        Failpoint::TidyRename.reach()?;
        temporary.persist(&target)?;
        *self = new;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;
    use std::sync::mpsc;
    use std::time::Duration;

    fn open(path: &Path, if_locked: IfLocked) -> io::Result<LockedFile> {
        let mut options = File::options();
        LockedFile::open(path, options.read(true).write(true).create(true), if_locked)
    }

    #[test]
    fn whoever_waits_gets_the_file_that_is_there_then() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let mut first = open(&path, IfLocked::Fail).unwrap();
        let refused = open(&path, IfLocked::Fail).unwrap_err();
        assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
        let (sender, receiver) = mpsc::channel();
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let mut second = open(&path, IfLocked::Wait).unwrap();
                let found = io::read_to_string(second.file()).unwrap();
                second.replace(|_, new| new.write_all(b"second")).unwrap();
                sender.send(found).unwrap();
            });
            first.replace(|_, new| new.write_all(b"first")).unwrap();
            assert!(receiver.recv_timeout(Duration::from_millis(20)).is_err());
            drop(first);
            assert_eq!(receiver.recv().unwrap(), "first");
        });
        assert_eq!(fs::read_to_string(&path).unwrap(), "second");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
