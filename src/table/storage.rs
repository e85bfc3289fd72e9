//! The memory of a read-only table, either its own or a part of a file that was read or mapped; and
//! zeroed buffers in which tables are built and states are stored.
//!
//! Readers of a table do not see the difference, and pay nothing for it: [`Storage`] is a slice,
//! whose address is kept beside whatever owns the memory. Lookups in large tables are random
//! accesses, so the system is asked for huge pages wherever it has them: with small ones, a miss
//! of the translation buffer takes as long as fetching the entry.
//!
//! This is the only file of this folder with `unsafe` code.

use bytemuck::{Pod, Zeroable};
use memmap2::{Mmap, MmapMut};
use rayon::prelude::*;
use std::fs::File;
use std::io;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::Arc;

/// The bytes of a huge page.
const HUGE_PAGE: usize = 1 << 21;

/// Smaller buffers come from the allocator. Others are given back to the system as soon as they
/// are dropped, which the allocator puts off: what is held is then what is accounted.
const OWN_PAGES: usize = 1 << 19;

/// Entries that are only read.
pub struct Storage<T: Pod> {
    start: NonNull<T>,
    length: usize,
    /// What keeps the memory in place.
    owner: Owner<T>,
}

/// Held to be dropped.
enum Owner<T> {
    Entries { _own: Vec<T> },
    Pages { _own: MmapMut },
    File { _shared: Arc<Content> },
}

// SAFETY: the memory is only read for as long as a `Storage` exists, or written to by the owner of
// the `ZeroedBuffer` that it is in; and entries that are plain old data and can be shared between
// threads may be read, or handed over, by any of them.
unsafe impl<T: Pod + Send + Sync> Send for Storage<T> {}

// SAFETY: as above.
unsafe impl<T: Pod + Sync> Sync for Storage<T> {}

impl<T: Pod> Storage<T> {
    /// `entries` must be in memory that `owner` keeps in place and that is not written to.
    fn new(entries: NonNull<[T]>, owner: Owner<T>) -> Storage<T> {
        Storage { start: entries.cast(), length: entries.len(), owner }
    }

    /// Whether the entries come from a file.
    pub fn is_from_file(&self) -> bool {
        matches!(self.owner, Owner::File { .. })
    }
}

impl<T: Pod> Deref for Storage<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        // SAFETY: every constructor takes the place and the length from a slice of the owner's
        // memory, which stays where it is, unchanged, until the owner is dropped with `self`.
        unsafe { std::slice::from_raw_parts(self.start.as_ptr(), self.length) }
    }
}

impl<T: Pod> From<Vec<T>> for Storage<T> {
    fn from(mut entries: Vec<T>) -> Storage<T> {
        let place = NonNull::from(entries.as_mut_slice());
        Storage::new(place, Owner::Entries { _own: entries })
    }
}

impl<T: Pod> From<ZeroedBuffer<T>> for Storage<T> {
    fn from(buffer: ZeroedBuffer<T>) -> Storage<T> {
        buffer.0
    }
}

impl<T: Pod> std::fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} entries, from a file: {}", self.length, self.is_from_file())
    }
}

/// Memory for a table that is being built or for states that are met: zeros at first.
///
/// The buffer is the only owner of its entries, which are never in a file.
pub struct ZeroedBuffer<T: Pod>(Storage<T>);

impl<T: Pod> ZeroedBuffer<T> {
    /// A buffer of this many zeros.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn new(length: usize) -> io::Result<ZeroedBuffer<T>> {
        Self::with_pages_from(OWN_PAGES, length)
    }

    /// The same for short-lived buffers: they come from the allocator, which reuses memory, unless they
    /// are as large as a huge page. Pages of the system are cleared each time, which makes a hundred
    /// searches of a million states a third slower.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub fn short_lived(length: usize) -> io::Result<ZeroedBuffer<T>> {
        Self::with_pages_from(HUGE_PAGE, length)
    }

    /// With pages of its own if it has at least so many bytes.
    fn with_pages_from(least: usize, length: usize) -> io::Result<ZeroedBuffer<T>> {
        let bytes = Self::bytes_for(length)?;
        if bytes < least {
            let entries = bytemuck::allocation::try_zeroed_vec(length).map_err(|()| too_much())?;
            return Ok(ZeroedBuffer(entries.into()));
        }
        // Only memory that begins where a huge page can is in huge pages from its beginning.
        let slack = if bytes >= HUGE_PAGE { HUGE_PAGE } else { 0 };
        let mut memory = MmapMut::map_anon(bytes.checked_add(slack).ok_or_else(too_much)?)?;
        let start = if slack > 0 { memory.as_ptr().align_offset(HUGE_PAGE) } else { 0 };
        #[cfg(target_os = "linux")]
        {
            // Small pages that are requested together save a page fault each. Where the system
            // supports neither, nothing is lost.
            use memmap2::Advice::{HugePage, PopulateWrite};
            let _ = match bytes / HUGE_PAGE {
                0 => memory.advise(PopulateWrite),
                pages => memory.advise_range(HugePage, start, pages * HUGE_PAGE),
            };
        }
        let entries = &mut memory[start..start + bytes];
        let entries = NonNull::from(bytemuck::cast_slice_mut(entries));
        Ok(ZeroedBuffer(Storage::new(entries, Owner::Pages { _own: memory })))
    }

    /// How many bytes this many entries take.
    fn bytes_for(length: usize) -> io::Result<usize> {
        length.checked_mul(size_of::<T>()).ok_or_else(too_much)
    }
}

fn too_much() -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

impl<T: Pod> Default for ZeroedBuffer<T> {
    /// An empty buffer.
    fn default() -> Self {
        ZeroedBuffer(Vec::new().into())
    }
}

impl<T: Pod> Deref for ZeroedBuffer<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Pod> DerefMut for ZeroedBuffer<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the place and the length are those of entries in memory that may be written to,
        // which the owner keeps in place; and reading or writing them borrows this buffer.
        unsafe { std::slice::from_raw_parts_mut(self.0.start.as_ptr(), self.0.length) }
    }
}

impl<T: Pod> std::fmt::Debug for ZeroedBuffer<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "buffer of {} entries", self.len())
    }
}

/// Reads a file from its beginning. Most of that time goes into the fresh memory that it is copied
/// to, so all cores share the work.
#[cfg(unix)]
fn read_all(file: &File, bytes: &mut [u8]) -> io::Result<()> {
    use std::os::unix::fs::FileExt;
    bytes
        .par_chunks_mut(HUGE_PAGE)
        .enumerate()
        .try_for_each(|(number, chunk)| file.read_exact_at(chunk, (number * HUGE_PAGE) as u64))
}

/// Reads a file from its beginning.
#[cfg(not(unix))]
fn read_all(mut file: &File, bytes: &mut [u8]) -> io::Result<()> {
    use std::io::{Read, Seek};
    file.rewind()?;
    file.read_exact(bytes)
}

/// Files up to this size, in all processes together that need them, are read, others are mapped: that
/// takes less memory, but often has small pages only.
const READ_BYTES: u64 = 1 << 28;

/// A file in memory.
#[derive(Clone, Debug)]
pub(super) struct FileContent(Arc<Content>);

#[derive(Debug)]
enum Content {
    /// A copy, and how many bytes of it count.
    Copy(ZeroedBuffer<Line>, usize),
    Map(Mmap),
}

/// Bytes that are aligned as all entries of tables are.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C, align(64))]
struct Line([u8; 64]);

impl FileContent {
    /// Reads a file of this length, as so many processes do, so that nothing that happens to it later
    /// matters; one that is too large for that is mapped, and must not be written to for as long as
    /// it is in use.
    ///
    /// # Errors
    /// If the system refuses, or if the file is shorter.
    pub(super) fn new(file: &File, length: u64, processes: u64) -> io::Result<FileContent> {
        if length.saturating_mul(processes) > READ_BYTES {
            return FileContent::mapped(file);
        }
        let length = length as usize;
        let mut lines: ZeroedBuffer<Line> = ZeroedBuffer::new(length.div_ceil(size_of::<Line>()))?;
        read_all(file, &mut bytemuck::cast_slice_mut(&mut lines)[..length])?;
        Ok(FileContent(Arc::new(Content::Copy(lines, length))))
    }

    /// Maps a whole file, which must not be written to for as long as it is mapped.
    pub(super) fn mapped(file: &File) -> io::Result<FileContent> {
        // SAFETY: the files that are mapped here are those of tables, which are written under a
        // temporary name, renamed when they are complete, never changed after that,
        // and replaced in the same way. Whoever tampers with one in use is beyond what can be
        // checked; what is read is plain old data, of which any bytes are a value.
        let map = unsafe { Mmap::map(file)? };
        #[cfg(target_os = "linux")]
        {
            // Only some file systems have huge pages; small ones do as well.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(FileContent(Arc::new(Content::Map(map))))
    }

    /// All bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        match &*self.0 {
            Content::Copy(lines, length) => &bytemuck::cast_slice(lines)[..*length],
            Content::Map(map) => map,
        }
    }

    /// Entries in these bytes of the file; `None` if they are not all there, or not whole, or
    /// not aligned.
    pub(super) fn part<T: Pod>(&self, bytes: Range<usize>) -> Option<Storage<T>> {
        let entries: &[T] = bytemuck::try_cast_slice(self.bytes().get(bytes)?).ok()?;
        let owner = Owner::File { _shared: Arc::clone(&self.0) };
        Some(Storage::new(NonNull::from(entries), owner))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn entries_are_the_same_wherever_they_are() {
        let entries: Vec<u64> = (0..1000).map(|n| n * n).collect();
        let mut buffer = ZeroedBuffer::new(entries.len()).unwrap();
        assert!(buffer.iter().all(|&entry| entry == 0));
        buffer.copy_from_slice(&entries);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[7; 64]).unwrap();
        file.write_all(bytemuck::cast_slice(&entries)).unwrap();
        let contents = [FileContent::new(&file, 8064, 1), FileContent::mapped(&file)];
        let [read, mapped] = contents.map(|content| {
            let content = content.unwrap();
            assert!(content.part::<u64>(64..64 + 8001).is_none(), "not whole");
            assert!(content.part::<u64>(60..64 + 7996).is_none(), "not aligned");
            assert!(content.part::<u64>(72..72 + 8000).is_none(), "not all there");
            content.part(64..64 + 8000).unwrap()
        });
        assert!(FileContent::new(&file, 8065, 1).is_err(), "the file is shorter");
        drop(file);
        assert!(read.is_from_file() && mapped.is_from_file());
        let expected = entries.clone();
        for storage in [Storage::from(entries), Storage::from(buffer), read, mapped] {
            let moved = std::thread::spawn(move || storage).join().unwrap();
            assert_eq!(*moved, expected);
        }
    }

    #[test]
    fn large_buffers_begin_where_huge_pages_do() {
        // Small, of some pages, nearly a huge page, a little more, and several.
        let nearly = [OWN_PAGES / 10 + 1, HUGE_PAGE / 10, HUGE_PAGE / 10 + 1];
        for length in [3, 1000].into_iter().chain(nearly).chain([HUGE_PAGE, 3 * HUGE_PAGE]) {
            let mut buffer: ZeroedBuffer<[u8; 10]> = ZeroedBuffer::new(length).unwrap();
            assert!(10 * length < HUGE_PAGE || buffer.as_ptr().addr().is_multiple_of(HUGE_PAGE));
            assert_eq!(buffer.len(), length);
            assert!(buffer.iter().all(|entry| *entry == [0; 10]));
            buffer.iter_mut().for_each(|entry| entry[9] = 1);
            assert!(buffer.iter().all(|entry| entry[9] == 1));
        }
    }

    #[test]
    fn there_may_be_nothing_at_all() {
        assert!(Storage::from(ZeroedBuffer::<u32>::new(0).unwrap()).is_empty());
        assert!(Storage::from(Vec::<u32>::new()).is_empty());
        assert!(ZeroedBuffer::<u64>::new(usize::MAX).is_err());
    }
}
