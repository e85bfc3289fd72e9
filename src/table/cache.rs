//! The folder where tables are kept from one run to the next.
//!
//! A file's name says what is in it: `torus4-reach-default-0123456789abcdef.table` is the table
//! of kind `reach`, of default size, for the puzzle `torus4`, whose fingerprint is the number.
//! While a table is being built, a lock on a file of the same name (`….lock`) keeps other processes
//! from building it too: they wait and read the result.
//!
//! Nothing here stops a search: a file that is not what it should be is not used, and a folder
//! that cannot be written to means that the table stays in memory. Each such
//! event leaves a [`Notice`].

use super::Built;
use super::file::{Access, Description, FileError, Stored, TableFile, UNFINISHED};
use super::fingerprint::Fingerprint;
use crate::failpoint::Failpoint;
use crate::limits::{Limits, StopReason};
use crate::puzzle::Frame;
use etcetera::BaseStrategy;
use std::fmt::Display;
use std::fs::{self, DirEntry, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, SystemTime};

/// The environment variable that names the folder.
pub const VARIABLE: &str = "PERMUTILE_CACHE";

/// The suffix of tables.
const TABLE: &str = ".table";

/// The suffix of locks.
const LOCK: &str = ".lock";

/// The pause between two attempts to get a lock.
const PAUSE: Duration = Duration::from_millis(20);

/// A folder of tables. Clones share their notices.
#[derive(Clone, Debug)]
pub struct Cache {
    folder: PathBuf,
    access: Access,
    notices: Arc<Mutex<Vec<Notice>>>,
}

/// The name of a table: puzzle, kind, variant, fingerprint.
#[derive(Clone, Debug)]
pub struct TableName {
    puzzle: String,
    fingerprint: Fingerprint,
    kind: &'static str,
    variant: String,
}

/// A problem with a file that does not stop a search.
#[derive(Debug, thiserror::Error)]
pub enum Notice {
    /// The file is not valid.
    #[error("{0}; it is not used")]
    NotUsed(FileError),
    /// The table could not be written.
    #[error("{0}; the table is kept in memory only")]
    NotSaved(FileError),
}

impl Notice {
    fn path(&self) -> &Path {
        match self {
            Notice::NotUsed(error) | Notice::NotSaved(error) => &error.path,
        }
    }
}

/// Where a table comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Origin {
    /// Read from the cache.
    Found,
    /// Built, and written to the cache.
    Kept,
    /// Built, and in memory only.
    InMemory,
}

/// A file in the folder.
#[derive(Debug)]
pub struct CacheEntry {
    /// Its name, without the suffix.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// Its size.
    pub bytes: u64,
    /// When it was written, where the system records that.
    pub written: Option<SystemTime>,
}

impl TableName {
    /// The name of a table of a puzzle; the variant distinguishes tables of one kind.
    pub fn new<T: Stored>(frame: &Frame, variant: impl Display) -> TableName {
        TableName {
            puzzle: frame.id().to_owned(),
            fingerprint: Fingerprint::new(frame),
            kind: T::KIND,
            variant: variant.to_string(),
        }
    }

    /// The fingerprint of the puzzle.
    pub fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// The prefix of all variants.
    fn beginning(&self) -> String {
        // A user-defined puzzle is named by the path of its file.
        let last = self.puzzle.rsplit(['/', '\\']).next().unwrap_or_default();
        let puzzle = last.strip_suffix(".toml").unwrap_or(last);
        format!("{}-{}-", plain(puzzle), self.kind)
    }

    /// The suffix of all variants.
    fn ending(&self) -> String {
        format!("-{}{TABLE}", self.fingerprint)
    }
}

impl Display for TableName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}-{}", self.beginning(), plain(&self.variant), self.fingerprint)
    }
}

/// The text with every character replaced that some file system does not allow.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).take(60).collect()
}

impl CacheEntry {
    fn new(entry: &DirEntry, ending: &str) -> Option<CacheEntry> {
        let name = entry.file_name().into_string().ok()?;
        let (stem, _) = name.rsplit_once('.').filter(|_| name.ends_with(ending))?;
        let metadata = entry.metadata().ok().filter(fs::Metadata::is_file)?;
        Some(CacheEntry {
            name: stem.to_owned(),
            path: entry.path(),
            bytes: metadata.len(),
            written: metadata.modified().ok(),
        })
    }

    /// Whether this is its name, or the beginning of it up to a hyphen.
    pub fn is_called(&self, name: &str) -> bool {
        let rest = self.name.strip_prefix(name.strip_suffix(TABLE).unwrap_or(name));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('-'))
    }
}

impl Cache {
    /// Tables in this folder, which is created when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Cache {
        Cache { folder: folder.into(), access: Access::Read, notices: Arc::default() }
    }

    /// The same for one of several processes on a machine, which share the memory of large tables.
    #[must_use]
    pub fn shared(self, processes: usize) -> Cache {
        Cache { access: Access::Share(processes), ..self }
    }

    /// Tables in the folder that [`VARIABLE`] names, or else in the user's cache directory; `None`
    /// if there is none.
    pub fn for_user() -> Option<Cache> {
        match std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(Cache::new(folder)),
            None => {
                let user = etcetera::choose_base_strategy().ok()?;
                Some(Cache::new(user.cache_dir().join("permutile")))
            }
        }
    }

    /// Where the tables are.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The file of a table, whether it is there or not.
    pub fn path(&self, name: &TableName) -> PathBuf {
        self.folder.join(format!("{name}{TABLE}"))
    }

    /// All files of tables, by name.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn list(&self) -> io::Result<Vec<CacheEntry>> {
        self.files(TABLE)
    }

    /// The files of all variants of a table, the largest first.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn variants(&self, name: &TableName) -> io::Result<Vec<CacheEntry>> {
        let (beginning, ending) = (name.beginning(), name.ending());
        let mut entries = self.files(&ending)?;
        entries.retain(|entry| entry.name.starts_with(&beginning));
        entries.sort_by_key(|entry| std::cmp::Reverse(entry.bytes));
        Ok(entries)
    }

    fn files(&self, ending: &str) -> io::Result<Vec<CacheEntry>> {
        let found = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            found => found?.collect::<Result<Vec<DirEntry>, io::Error>>()?,
        };
        let mut entries: Vec<CacheEntry> =
            found.iter().filter_map(|entry| CacheEntry::new(entry, ending)).collect();
        entries.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(entries)
    }

    /// Removes a table.
    ///
    /// # Errors
    /// If the operating system reports an error.
    pub fn remove(&self, entry: &CacheEntry) -> io::Result<()> {
        fs::remove_file(&entry.path)
    }

    /// Removes locks, and the unfinished files of interrupted runs.
    ///
    /// # Errors
    /// If the operating system reports an error.
    pub fn sweep(&self) -> io::Result<()> {
        let (locks, unfinished) = (self.files(LOCK)?, self.files(UNFINISHED)?);
        locks.iter().chain(&unfinished).try_for_each(|entry| fs::remove_file(&entry.path))
    }

    /// The notices since the last call.
    pub fn take_notices(&self) -> Vec<Notice> {
        std::mem::take(&mut *self.notices())
    }

    fn notices(&self) -> MutexGuard<'_, Vec<Notice>> {
        self.notices.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The table in a file, if it exists and is valid. `read` turns the file into a table.
    pub fn load<T: Stored>(
        &self,
        path: &Path,
        fingerprint: Fingerprint,
        read: impl Fn(&TableFile) -> Result<T, FileError>,
    ) -> Option<T> {
        if !path.exists() {
            return None;
        }
        let loaded = TableFile::open_checked::<T>(path, fingerprint, self.access)
            .and_then(|file| read(&file));
        let tell = |error: FileError| {
            let mut notices = self.notices();
            // It may be opened again before it is replaced.
            if notices.iter().all(|notice| notice.path() != error.path) {
                notices.push(Notice::NotUsed(error));
            }
        };
        loaded.map_err(tell).ok()
    }

    /// The table of a name: read if there is a valid file, else built and, unless it was cut short,
    /// written. Of several processes, one builds it, and the others wait for it as long as the
    /// limits allow.
    ///
    /// # Errors
    /// If it cannot be built.
    pub fn load_or_build<T: Stored>(
        &self,
        name: &TableName,
        read: impl Fn(&TableFile) -> Result<T, FileError>,
        build: impl FnOnce() -> Result<Built<T>, StopReason>,
        limits: &Limits<'_>,
    ) -> Result<(T, Origin), StopReason> {
        let path = self.path(name);
        if let Some(table) = self.load(&path, name.fingerprint, &read) {
            return Ok((table, Origin::Found));
        }
        let lock = match self.open_lock(name) {
            Ok(file) => {
                wait_for(&file, limits)?;
                // Another process may have built it in the meantime.
                if let Some(table) = self.load(&path, name.fingerprint, &read) {
                    return Ok((table, Origin::Found));
                }
                Some(file)
            }
            Err(error) => {
                self.notices().push(Notice::NotSaved(error));
                None
            }
        };
        match build()? {
            Built::Whole(table) if lock.is_some() => {
                let description = Description::new(&table, &name.puzzle, name.fingerprint);
                let written = TableFile::write(&path, &table, &description);
                let origin = if written.is_ok() { Origin::Kept } else { Origin::InMemory };
                self.notices().extend(written.err().map(Notice::NotSaved));
                Ok((table, origin))
            }
            Built::Whole(table) | Built::CutShort(table, _) => Ok((table, Origin::InMemory)),
        }
    }

    fn open_lock(&self, name: &TableName) -> Result<File, FileError> {
        let path = self.folder.join(format!("{name}{LOCK}"));
        let open = || {
            fs::create_dir_all(&self.folder)?;
            // A pipe would be waited for until somebody reads from it.
            if fs::metadata(&path).is_ok_and(|found| !found.is_file()) {
                return Err(io::Error::new(io::ErrorKind::InvalidInput, "this is not a file"));
            }
            File::options().create(true).truncate(false).write(true).open(&path)
        };
        open().map_err(|error| FileError { fault: error.into(), path: path.clone() })
    }
}

/// Waits until no other process has the lock, which is released when the file is closed.
fn wait_for(lock: &File, limits: &Limits<'_>) -> Result<(), StopReason> {
    loop {
        let reached = Failpoint::CacheLock.reach().map_err(TryLockError::Error);
        match reached.and_then(|()| lock.try_lock()) {
            Ok(()) => return Ok(()),
            // Some file systems have no locks: the table is then built twice, with the same result.
            Err(TryLockError::Error(_)) => return Ok(()),
            Err(TryLockError::WouldBlock) => {
                limits.check_time()?;
                thread::sleep(PAUSE);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, custom, registry};
    use crate::table::storage::Storage;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Instant;
    use tempfile::TempDir;

    struct Bytes(Storage<u8>);

    impl Stored for Bytes {
        const KIND: &'static str = "bytes";
        const VERSION: u32 = 1;

        fn parameters(&self) -> serde_json::Value {
            serde_json::json!({})
        }

        fn entries(&self) -> u64 {
            self.0.len() as u64
        }

        fn parts(&self) -> Vec<&[u8]> {
            vec![&self.0]
        }
    }

    fn name(variant: &str) -> TableName {
        let definition = registry::define("torus:2x3").unwrap();
        let frame = Frame::new(definition, Goal::Default, Simd::detect()).unwrap();
        TableName::new::<Bytes>(&frame, variant)
    }

    fn cache() -> (TempDir, Cache) {
        let folder = tempfile::tempdir().unwrap();
        let cache = Cache::new(folder.path().join("deep").join("down"));
        (folder, cache)
    }

    fn read(file: &TableFile) -> Result<Bytes, FileError> {
        Ok(Bytes(file.part(0..file.bytes() as usize).unwrap()))
    }

    fn get(cache: &Cache, name: &TableName, fill: u8) -> (Vec<u8>, Origin, Vec<String>) {
        let build = || Ok(Built::Whole(Bytes(vec![fill; 5000].into())));
        let limits = Limits::default();
        let (table, origin) = cache.load_or_build(name, read, build, &limits).unwrap();
        let notices = cache.take_notices().iter().map(ToString::to_string).collect();
        (table.0.to_vec(), origin, notices)
    }

    #[test]
    fn a_table_is_made_once_and_then_found() {
        let (_folder, cache) = cache();
        assert!(cache.list().unwrap().is_empty());
        let name = name("x");
        assert_eq!(get(&cache, &name, 1), (vec![1; 5000], Origin::Kept, Vec::new()));
        assert_eq!(get(&cache, &name, 2), (vec![1; 5000], Origin::Found, Vec::new()));
        let entries = cache.list().unwrap();
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].name, name.to_string());
        assert_eq!(entries[0].bytes, 4096 + 5000);
        for (text, fits) in
            [("torus-2x3", true), ("torus-2x3-bytes-x", true), ("torus-2x3-b", false), ("x", false)]
        {
            assert_eq!(entries[0].is_called(text), fits, "{text}");
        }
        assert!(entries[0].is_called(&format!("{name}.table")));
        cache.remove(&entries[0]).unwrap();
        cache.sweep().unwrap();
        assert_eq!(fs::read_dir(cache.folder()).unwrap().count(), 0);
    }

    #[test]
    fn variants_come_largest_first_and_of_one_puzzle_only() {
        let (_folder, cache) = cache();
        for (variant, length) in [("small", 10), ("large", 9000), ("default", 500)] {
            let build = || Ok(Built::Whole(Bytes(vec![0; length].into())));
            let limits = Limits::default();
            cache.load_or_build(&name(variant), read, build, &limits).unwrap();
        }
        let other = cache.folder().join("torus-2x3-bytes-x-0000000000000000.table");
        fs::write(other, "something else").unwrap();
        let variants = cache.variants(&name("whatever")).unwrap();
        let names: Vec<&str> = variants.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["large", "default", "small"].map(|variant| name(variant).to_string()));
    }

    #[test]
    fn what_is_not_sound_is_named_once_and_made_again() {
        let (_folder, cache) = cache();
        let name = name("x");
        get(&cache, &name, 1);
        let path = cache.path(&name);
        let mut bytes = fs::read(&path).unwrap();
        bytes[5000] ^= 1;
        fs::write(&path, bytes).unwrap();
        let (table, origin, notices) = get(&cache, &name, 2);
        assert_eq!((table, origin), (vec![2; 5000], Origin::Kept));
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].contains("damaged") && notices[0].contains(path.to_str().unwrap()));
        assert_eq!(get(&cache, &name, 3), (vec![2; 5000], Origin::Found, Vec::new()));
    }

    #[test]
    fn what_is_cut_short_is_not_kept() {
        let (_folder, cache) = cache();
        let build = || Ok(Built::CutShort(Bytes(vec![1].into()), StopReason::Time));
        let limits = Limits::default();
        cache.load_or_build(&name("x"), read, build, &limits).unwrap();
        assert!(cache.list().unwrap().is_empty());
    }

    #[test]
    fn a_folder_that_cannot_be_written_means_memory() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        let (table, origin, notices) = get(&Cache::new(file.join("x")), &name("x"), 7);
        assert_eq!((table, origin), (vec![7; 5000], Origin::InMemory));
        assert_eq!(notices.len(), 1, "{notices:?}");
        assert!(notices[0].contains("in memory only"), "{notices:?}");
    }

    #[test]
    fn of_several_one_makes_it() {
        let (_folder, cache) = cache();
        let made = AtomicUsize::new(0);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let build = || {
                        thread::sleep(Duration::from_millis(50));
                        made.fetch_add(1, Ordering::Relaxed);
                        Ok(Built::Whole(Bytes(vec![1; 9].into())))
                    };
                    let limits = Limits::default();
                    cache.load_or_build(&name("x"), read, build, &limits).unwrap();
                });
            }
        });
        assert!(cache.take_notices().is_empty());
        assert_eq!(made.load(Ordering::Relaxed), 1);
    }

    #[test]
    fn waiting_obeys_limits() {
        let (_folder, cache) = cache();
        let held = cache.open_lock(&name("x")).unwrap();
        held.lock().unwrap();
        let deadline = Some(Instant::now() + Duration::from_millis(30));
        let limits = Limits { deadline, ..Limits::default() };
        let build = || -> Result<Built<Bytes>, StopReason> { unreachable!("another is at it") };
        let stopped = cache.load_or_build(&name("x"), read, build, &limits);
        assert_eq!(stopped.err(), Some(StopReason::Time));
    }

    #[test]
    fn names_are_plain() {
        let text = "shape = \"2x2\"\n[[move]]\nname = \"m\"\ncycles = [[1, 2]]\n";
        let definition = custom::define("../my puzzles/größe 2.toml", text).unwrap();
        let frame = Frame::new(definition, Goal::Default, Simd::detect()).unwrap();
        let name = TableName::new::<Bytes>(&frame, "6/6/3").to_string();
        assert!(name.starts_with("gr--e-2-bytes-6-6-3-"), "{name}");
    }
}
