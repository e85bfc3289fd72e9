//! The file of a table: a header that says what it is, and the bare entries, which are used as
//! they are: read into memory or, if there are very many, mapped.
//!
//! ```text
//! bytes  0.. 8  magic: "permutab"
//!        8..12  version of this format
//!       12..16  length of the description
//!       16..24  length of the entries in bytes
//!       24..32  checksum of the entries
//!       32..40  checksum of the header without these eight bytes
//!       40..    description: puzzle, fingerprint, kind, parameters, ... as JSON
//!               zeros up to a multiple of 4096
//!               the entries
//! ```
//!
//! All numbers are little-endian, those of the entries too. Checksums are xxh3 (Collet); that of
//! the entries is the one of the checksums of their blocks, so that all cores share the work.
//!
//! A file is written under another name and renamed when it is complete, so that no
//! reader finds half a table. It is used only if everything fits: both checksums, the lengths, the
//! versions, and the puzzle. Checksums are against accidents, not against malice.

use super::fingerprint::Fingerprint;
use super::storage::{FileContent, Storage};
use crate::failpoint::Failpoint;
use bytemuck::Pod;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, Read, Seek, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use xxhash_rust::xxh3::{Xxh3Default, xxh3_64};

const MAGIC: [u8; 8] = *b"permutab";

/// The version of the format; another one is not read.
const VERSION: u32 = 1;

/// Entries begin at a multiple of this: a page of memory on most systems.
const ALIGNMENT: usize = 4096;

/// Where the description begins.
const DESCRIPTION: usize = 40;

/// Where the header's own checksum stands.
const OWN_CHECKSUM: Range<usize> = 32..40;

/// The longest valid description.
const LONGEST_DESCRIPTION: usize = 1 << 16;

/// How many bytes have a checksum of their own.
const BLOCK: usize = 1 << 20;

/// A kind of table that can be kept in a file.
pub trait Stored {
    /// What the kind is called in files.
    const KIND: &'static str;

    /// Goes up when the same parameters come to mean other entries.
    const VERSION: u32;

    /// What is needed to read the entries, or worth showing.
    fn parameters(&self) -> serde_json::Value;

    /// How many entries there are.
    fn entries(&self) -> u64;

    /// The entries, one part after the other.
    fn parts(&self) -> Vec<&[u8]>;
}

/// The metadata in a file's header.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Description {
    /// The name of the puzzle, for display only.
    pub puzzle: String,
    /// Identifies the puzzle, whatever its name.
    pub fingerprint: Fingerprint,
    /// The kind of table.
    pub kind: String,
    /// The version of that kind.
    pub version: u32,
    /// The parameters of the kind.
    pub parameters: serde_json::Value,
    /// How many entries there are.
    pub entries: u64,
}

impl Description {
    /// The description of a table of a puzzle.
    pub fn new<T: Stored>(table: &T, puzzle: &str, fingerprint: Fingerprint) -> Description {
        Description {
            puzzle: puzzle.to_owned(),
            fingerprint,
            kind: T::KIND.to_owned(),
            version: T::VERSION,
            parameters: table.parameters(),
            entries: table.entries(),
        }
    }
}

/// Why a file cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    #[source]
    pub fault: FileFault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
pub enum FileFault {
    /// The magic number is missing.
    #[error("not a table of permutile's")]
    NotATable,
    /// Another format, or another version of the kind.
    #[error("the table was made by another version of permutile")]
    Version,
    /// The file ends too early.
    #[error("the table is truncated: it has {found} of {expected} bytes")]
    Truncated {
        /// How many bytes there are.
        found: u64,
        /// How many there should be.
        expected: u64,
    },
    /// The content contradicts the header or its checksum.
    #[error("the table is damaged: {0}")]
    Damaged(&'static str),
    /// The fingerprint is that of another puzzle.
    #[error("the table is of another puzzle, which was called {puzzle}")]
    OtherPuzzle {
        /// The name of that puzzle.
        puzzle: String,
    },
    /// Another kind of table.
    #[error("the table is of another kind: {kind}")]
    OtherKind {
        /// Its kind.
        kind: String,
    },
    /// This machine is big-endian.
    #[error("tables are little-endian, and this machine is not")]
    ByteOrder,
    /// The operating system reported an error.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl FileFault {
    /// The error that names the file.
    pub fn in_file(self, path: &Path) -> FileError {
        FileError { path: path.to_owned(), fault: self }
    }

    /// Whether the file is corrupt, rather than a sound file of something else.
    pub fn is_corruption(&self) -> bool {
        matches!(self, FileFault::NotATable | FileFault::Truncated { .. } | FileFault::Damaged(_))
    }
}

/// How the entries of a file come into memory.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Access {
    /// They are read, unless there are very many.
    #[default]
    Read,
    /// The same for one of so many processes on a machine: what would be very many in all of them is
    /// mapped, and shared.
    Share(usize),
}

/// A table's file, whose header is sound.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    access: Access,
    /// All of it, once the entries are asked for.
    content: OnceLock<FileContent>,
    description: Description,
    entries: Range<usize>,
    checksum: u64,
}

impl TableFile {
    /// Opens a file and reads its header. The entries are not read: see
    /// [`check`](Self::check).
    ///
    /// # Errors
    /// If it is not a table, not a whole one, or not of this version.
    pub fn open(path: &Path) -> Result<TableFile, FileError> {
        open(path).map_err(|fault| fault.in_file(path))
    }

    /// Opens the file of a table of this kind and puzzle, and checks all of it.
    ///
    /// # Errors
    /// If it is anything else.
    pub fn open_checked<T: Stored>(
        path: &Path,
        fingerprint: Fingerprint,
        access: Access,
    ) -> Result<TableFile, FileError> {
        let file = TableFile { access, ..TableFile::open(path)? };
        let Description { kind, version, puzzle, .. } = &file.description;
        let fault = if kind != T::KIND {
            Some(FileFault::OtherKind { kind: kind.clone() })
        } else if *version != T::VERSION {
            Some(FileFault::Version)
        } else if file.description.fingerprint != fingerprint {
            Some(FileFault::OtherPuzzle { puzzle: puzzle.clone() })
        } else {
            None
        };
        match fault {
            Some(fault) => Err(fault.in_file(path)),
            None => file.check().map(|()| file),
        }
    }

    /// Verifies the checksum of all entries.
    ///
    /// # Errors
    /// If it does not match.
    pub fn check(&self) -> Result<(), FileError> {
        let content = self.content().map_err(|fault| fault.in_file(&self.path))?;
        let entries = content.bytes().get(self.entries.clone());
        if entries.map(checksum_of) == Some(self.checksum) {
            Ok(())
        } else {
            Err(self.damaged("the checksum of its entries does not fit"))
        }
    }

    fn content(&self) -> Result<&FileContent, FileFault> {
        if let Some(content) = self.content.get() {
            return Ok(content);
        }
        Failpoint::TableRead.reach()?;
        let content = match self.access {
            Access::Read => FileContent::new(&self.file, self.entries.end as u64, 1)?,
            Access::Share(processes) => {
                FileContent::new(&self.file, self.entries.end as u64, processes as u64)?
            }
        };
        Ok(self.content.get_or_init(|| content))
    }

    /// The error that the entries are not what the parameters say.
    pub fn damaged(&self, what: &'static str) -> FileError {
        FileFault::Damaged(what).in_file(&self.path)
    }

    /// The metadata in the header.
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The parameters, parsed for a kind.
    ///
    /// # Errors
    /// If they are not those of that kind.
    pub fn parameters<T: for<'a> Deserialize<'a>>(&self) -> Result<T, FileError> {
        let parameters = self.description.parameters.clone();
        serde_json::from_value(parameters).map_err(|_| self.damaged("its parameters make no sense"))
    }

    /// How many bytes the entries take.
    pub fn bytes(&self) -> u64 {
        self.entries.len() as u64
    }

    /// Some of the bytes of the entries, as what they are; `None` if there are no such bytes, or
    /// if they are not whole entries.
    pub fn part<T: Pod>(&self, bytes: Range<usize>) -> Option<Storage<T>> {
        let (start, end) = (self.entries.start, self.entries.end);
        let part = start.checked_add(bytes.start)?..start.checked_add(bytes.end)?;
        if part.end > end {
            return None;
        }
        self.content().ok()?.part(part)
    }

    /// Writes a table to a file, in place of what was there.
    ///
    /// # Errors
    /// If the system refuses; what was there is then still there.
    pub fn write<T: Stored>(
        path: &Path,
        table: &T,
        description: &Description,
    ) -> Result<(), FileError> {
        write(path, &table.parts(), description).map_err(|fault| fault.in_file(path))
    }
}

fn open(path: &Path) -> Result<TableFile, FileFault> {
    check_byte_order()?;
    // A pipe would be waited for until somebody writes to it.
    if !fs::metadata(path)?.is_file() {
        return Err(FileFault::NotATable);
    }
    let file = File::open(path)?;
    let found = file.metadata()?.len();
    if found == 0 {
        return Err(FileFault::Truncated { found, expected: DESCRIPTION as u64 });
    }
    let mut bytes = Vec::new();
    (&file).take(header_length(LONGEST_DESCRIPTION) as u64).read_to_end(&mut bytes)?;
    let Header { description, entries, checksum } = Header::read(&bytes, found)?;
    let (path, access, content) = (path.to_owned(), Access::default(), OnceLock::new());
    Ok(TableFile { path, file, access, content, description, entries, checksum })
}

/// What a header says.
#[derive(Debug)]
pub(crate) struct Header {
    pub(crate) description: Description,
    /// Where the entries are in the file.
    pub(crate) entries: Range<usize>,
    checksum: u64,
}

impl Header {
    /// Reads the first bytes of a file that has `found` bytes.
    pub(crate) fn read(bytes: &[u8], found: u64) -> Result<Header, FileFault> {
        if !bytes.starts_with(&MAGIC[..bytes.len().min(MAGIC.len())]) {
            return Err(FileFault::NotATable);
        }
        if bytes.len() < DESCRIPTION {
            return Err(FileFault::Truncated { found, expected: DESCRIPTION as u64 });
        }
        if u32_at(bytes, 8) != VERSION {
            return Err(FileFault::Version);
        }
        let described = u32_at(bytes, 12) as usize;
        if described > LONGEST_DESCRIPTION {
            return Err(FileFault::Damaged("its header is too long"));
        }
        let start = header_length(described);
        if bytes.len() < start {
            return Err(FileFault::Truncated { found, expected: start as u64 });
        }
        let header = &bytes[..start];
        if header_checksum(header) != u64_at(header, OWN_CHECKSUM.start) {
            return Err(FileFault::Damaged("the checksum of its header does not fit"));
        }
        let expected = u64_at(header, 16).saturating_add(start as u64);
        if found < expected {
            return Err(FileFault::Truncated { found, expected });
        }
        if found > expected {
            return Err(FileFault::Damaged("it is longer than its header says"));
        }
        let description = serde_json::from_slice(&header[DESCRIPTION..DESCRIPTION + described])
            .map_err(|_| FileFault::Damaged("its description makes no sense"))?;
        Ok(Header { description, entries: start..found as usize, checksum: u64_at(header, 24) })
    }

    /// Puts the checksums and lengths into a file whose description is in its place, whatever it is: all
    /// after the shortest header counts as entries.
    #[cfg(any(test, feature = "fuzzing"))]
    pub(crate) fn seal_with_entries(file: &mut Vec<u8>) {
        file.resize(file.len().max(ALIGNMENT), 0);
        let (header, entries) = file.split_at_mut(ALIGNMENT);
        header[16..24].copy_from_slice(&(entries.len() as u64).to_le_bytes());
        header[24..32].copy_from_slice(&checksum_of(entries).to_le_bytes());
        Header::seal(header);
    }

    /// Puts the checksum into a header that is as long as it has to be.
    pub(crate) fn seal(header: &mut [u8]) {
        let own = header_checksum(header);
        header[OWN_CHECKSUM].copy_from_slice(&own.to_le_bytes());
    }
}

fn write(path: &Path, parts: &[&[u8]], description: &Description) -> Result<(), FileFault> {
    check_byte_order()?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.unwrap_or(Path::new("."));
    fs::create_dir_all(folder)?;
    let prefix = format!(".{}.", path.file_stem().unwrap_or_default().to_string_lossy());
    remove_unfinished(folder, &prefix);
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(UNFINISHED);
    // Temporary files are private by default; tables get the permissions of the user's other
    // files, less what the umask forbids.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    Failpoint::TableCreate.reach()?;
    let mut file = builder.tempfile_in(folder)?;

    let text = serde_json::to_vec(description).map_err(io::Error::from)?;
    let mut header = vec![0; header_length(text.len())];
    file.write_all(&header)?;
    Failpoint::TableHeader.reach()?;
    for part in parts {
        Failpoint::TableInside.halfway(part, |half| file.write_all(half))?;
    }
    // The checksum is of what was written, not of what was meant to be.
    let written = FileContent::mapped(file.as_file())?;
    let entries = &written.bytes()[header.len()..];
    let length = entries.len() as u64;
    let checksum = checksum_of(entries);
    drop(written);

    header[..8].copy_from_slice(&MAGIC);
    header[8..12].copy_from_slice(&VERSION.to_le_bytes());
    header[12..16].copy_from_slice(&(text.len() as u32).to_le_bytes());
    header[16..24].copy_from_slice(&length.to_le_bytes());
    header[24..32].copy_from_slice(&checksum.to_le_bytes());
    header[DESCRIPTION..DESCRIPTION + text.len()].copy_from_slice(&text);
    Header::seal(&mut header);
    Failpoint::TableSeal.reach()?;
    file.rewind()?;
    file.write_all(&header)?;
    Failpoint::TableSync.reach()?;
    file.as_file().sync_all()?;
    Failpoint::TableRename.reach()?;
    file.persist(path).map_err(|persist| persist.error)?;
    Failpoint::TableRenamed.reach()?;
    Ok(())
}

/// Removes what builders of this table left that were killed while they wrote it. Who writes has the
/// table's lock, so that nobody else is at it.
fn remove_unfinished(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(UNFINISHED) {
            // If that fails, it is only in the way of `tables clear`.
            let _ = fs::remove_file(entry.path());
        }
    }
}

/// The suffix of files that are not complete yet.
pub(super) const UNFINISHED: &str = ".unfinished";

fn check_byte_order() -> Result<(), FileFault> {
    if cfg!(target_endian = "little") { Ok(()) } else { Err(FileFault::ByteOrder) }
}

/// How long the header is with a description of some length.
fn header_length(description: usize) -> usize {
    (DESCRIPTION + description).next_multiple_of(ALIGNMENT)
}

fn header_checksum(header: &[u8]) -> u64 {
    let mut hash = Xxh3Default::new();
    hash.update(&header[..OWN_CHECKSUM.start]);
    hash.update(&header[OWN_CHECKSUM.end..]);
    hash.digest()
}

/// The checksum of the checksums of all blocks.
fn checksum_of(entries: &[u8]) -> u64 {
    let blocks: Vec<[u8; 8]> =
        entries.par_chunks(BLOCK).map(|block| xxh3_64(block).to_le_bytes()).collect();
    xxh3_64(blocks.as_flattened())
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u64_at(bytes: &[u8], at: usize) -> u64 {
    u64::from_le_bytes(bytes[at..at + 8].try_into().expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Frame, Goal, registry};
    use serde_json::json;
    use tempfile::TempDir;

    /// Words that stand for entries, in two parts.
    struct Words(Vec<u32>, Vec<u32>);

    impl Stored for Words {
        const KIND: &'static str = "words";
        const VERSION: u32 = 3;

        fn parameters(&self) -> serde_json::Value {
            json!({ "first": self.0.len() })
        }

        fn entries(&self) -> u64 {
            (self.0.len() + self.1.len()) as u64
        }

        fn parts(&self) -> Vec<&[u8]> {
            vec![bytemuck::cast_slice(&self.0), bytemuck::cast_slice(&self.1)]
        }
    }

    fn fingerprint(id: &str) -> Fingerprint {
        let definition = registry::define(id).unwrap();
        Fingerprint::new(&Frame::new(definition, Goal::Default, Simd::detect()).unwrap())
    }

    /// A file of 400,000 words: two blocks, of which the second is not full.
    fn written() -> (TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new").join("torus4.table");
        let words = Words((0..100_000).collect(), (100_000..400_000).collect());
        let description = Description::new(&words, "torus4", fingerprint("torus4"));
        TableFile::write(&path, &words, &description).unwrap();
        (folder, path)
    }

    #[test]
    fn what_happens_to_the_file_later_does_not_matter() {
        let (_folder, path) = written();
        let file = open(&path).unwrap();
        File::options().write(true).open(&path).unwrap().set_len(100).unwrap();
        let words: Storage<u32> = file.part(0..1_600_000).unwrap();
        assert!(words.iter().copied().eq(0..400_000));
    }

    fn open(path: &Path) -> Result<TableFile, FileError> {
        TableFile::open_checked::<Words>(path, fingerprint("torus4"), Access::Read)
    }

    /// What is wrong with the file after its bytes were changed; it is named in any case.
    fn fault_after(change: impl FnOnce(&mut Vec<u8>)) -> FileFault {
        let (_folder, path) = written();
        let mut bytes = fs::read(&path).unwrap();
        change(&mut bytes);
        fs::write(&path, bytes).unwrap();
        let error = open(&path).unwrap_err();
        assert!(error.to_string().contains("torus4.table: "), "{error}");
        error.fault
    }

    #[test]
    fn what_was_written_is_read() {
        let (folder, path) = written();
        let file = open(&path).unwrap();
        let description = file.description();
        assert_eq!(description.puzzle, "torus4");
        assert_eq!((description.kind.as_str(), description.entries), ("words", 400_000));
        #[derive(Deserialize)]
        struct Parameters {
            first: usize,
        }
        let first = 4 * file.parameters::<Parameters>().unwrap().first;
        assert!(file.parameters::<Vec<u8>>().unwrap_err().fault.is_corruption());
        let end = file.bytes() as usize;
        let parts: Vec<Storage<u32>> =
            [0..first, first..end].map(|part| file.part(part).unwrap()).into();
        assert!(file.part::<u32>(first..end + 4).is_none());
        assert!(file.part::<u32>(usize::MAX..usize::MAX).is_none());
        drop(file);
        assert!(parts[0].iter().copied().eq(0..100_000));
        assert!(parts[1].iter().copied().eq(100_000..400_000));
        // Nothing else is left behind.
        let folder = folder.path().join("new");
        assert_eq!(fs::read_dir(folder).unwrap().count(), 1);
    }

    #[test]
    fn each_fault_is_told() {
        for at in [12, 17, 24, 32, 50, 300, 4095] {
            let fault = fault_after(|bytes| bytes[at] ^= 1);
            assert!(fault.is_corruption(), "byte {at}: {fault}");
        }
        for at in [4096, 4096 + (1 << 20), 4096 + 1_599_999] {
            let fault = fault_after(|bytes| bytes[at] ^= 0x80);
            assert!(fault.to_string().contains("damaged: the checksum of its entries"), "{fault}");
        }
        for length in [0, 3, 39, 40, 4095, 4096, 1_000_000] {
            let fault = fault_after(|bytes| bytes.truncate(length));
            let found = length as u64;
            assert!(
                matches!(fault, FileFault::Truncated { found: f, .. } if f == found),
                "{fault}"
            );
            assert!(fault.to_string().contains("truncated"));
        }
        assert!(matches!(fault_after(|bytes| bytes.push(0)), FileFault::Damaged(_)));
        assert!(matches!(fault_after(|bytes| bytes[8] = 0), FileFault::Version));
        assert!(matches!(fault_after(|bytes| bytes[0] = b'P'), FileFault::NotATable));
        let missing = open(Path::new("there is no such file")).unwrap_err();
        assert!(matches!(missing.fault, FileFault::Io(_)));
    }

    #[test]
    fn a_table_of_something_else_is_not_believed() {
        struct Others;
        impl Stored for Others {
            const KIND: &'static str = "others";
            const VERSION: u32 = 3;
            fn parameters(&self) -> serde_json::Value {
                json!(null)
            }
            fn entries(&self) -> u64 {
                0
            }
            fn parts(&self) -> Vec<&[u8]> {
                Vec::new()
            }
        }
        let (_folder, path) = written();
        let fault = |result: Result<TableFile, FileError>| result.unwrap_err().fault.to_string();
        let torus5 =
            TableFile::open_checked::<Words>(&path, fingerprint("torus5"), Access::Share(2));
        assert!(fault(torus5).contains("another puzzle, which was called torus4"));
        let others =
            TableFile::open_checked::<Others>(&path, fingerprint("torus4"), Access::Share(2));
        assert!(fault(others).contains("another kind: words"));
        let words = Words(Vec::new(), Vec::new());
        let older =
            Description { version: 2, ..Description::new(&words, "torus4", fingerprint("torus4")) };
        TableFile::write(&path, &words, &older).unwrap();
        assert!(fault(open(&path)).contains("another version"));
        let empty = Description { version: 3, ..older };
        TableFile::write(&path, &words, &empty).unwrap();
        assert_eq!(open(&path).unwrap().bytes(), 0);
    }
}
