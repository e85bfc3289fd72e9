//! The memory of a table that is only read: its own, or a part of a file that is mapped.
//!
//! Whoever reads a table does not see the difference, and pays nothing for it: [`Storage`] is a
//! slice, whose place is kept beside whatever owns the memory. Large tables are looked up all
//! over the place, so the system is asked for huge pages wherever it has them: with small ones,
//! finding the page of an entry takes as long as fetching the entry.
//!
//! This is the only file of this folder with `unsafe` code.

use bytemuck::Pod;
use memmap2::{Mmap, MmapMut};
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::Arc;

/// Entries that are only read.
pub struct Storage<T: Pod> {
    start: NonNull<T>,
    length: usize,
    /// What keeps the memory where it is.
    owner: Owner<T>,
}

/// Nobody looks at these: they are there to be dropped.
enum Owner<T> {
    Entries { _own: Vec<T> },
    Room { _own: MmapMut },
    File { _shared: Arc<Mmap> },
}

// SAFETY: the memory is only read for as long as a `Storage` exists, and entries that are plain
// old data and can be shared between threads may be read from any of them.
unsafe impl<T: Pod + Sync> Send for Storage<T> {}

// SAFETY: as above.
unsafe impl<T: Pod + Sync> Sync for Storage<T> {}

impl<T: Pod> Storage<T> {
    /// `entries` must be in memory that `owner` keeps in place and that nobody writes to.
    fn new(entries: NonNull<[T]>, owner: Owner<T>) -> Storage<T> {
        Storage { start: entries.cast(), length: entries.len(), owner }
    }

    /// Whether the entries are in a file.
    pub fn is_mapped(&self) -> bool {
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

impl<T: Pod> From<Room<T>> for Storage<T> {
    fn from(mut room: Room<T>) -> Storage<T> {
        let place = NonNull::from(&mut *room);
        Storage::new(place, Owner::Room { _own: room.memory })
    }
}

impl<T: Pod> std::fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} entries, mapped: {}", self.length, self.is_mapped())
    }
}

/// Memory for a table that is being made: zeros at first.
pub struct Room<T: Pod> {
    memory: MmapMut,
    length: usize,
    entries: PhantomData<T>,
}

impl<T: Pod> Room<T> {
    /// Room for so many entries.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(length: usize) -> io::Result<Room<T>> {
        let too_much = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = length.checked_mul(size_of::<T>()).ok_or_else(too_much)?;
        // No system maps nothing at all.
        let memory = MmapMut::map_anon(bytes.max(1))?;
        #[cfg(target_os = "linux")]
        {
            // Where there are none, small pages do as well.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        Ok(Room { memory, length, entries: PhantomData })
    }

    fn bytes(&self) -> Range<usize> {
        0..self.length * size_of::<T>()
    }
}

impl<T: Pod> Deref for Room<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.memory[self.bytes()])
    }
}

impl<T: Pod> DerefMut for Room<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        let bytes = self.bytes();
        bytemuck::cast_slice_mut(&mut self.memory[bytes])
    }
}

impl<T: Pod> std::fmt::Debug for Room<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "room for {} entries", self.length)
    }
}

/// A file in memory.
#[derive(Clone, Debug)]
pub(super) struct FileMap {
    map: Arc<Mmap>,
}

impl FileMap {
    /// Maps a whole file, which must not be written to for as long as it is mapped.
    pub(super) fn new(file: &File) -> io::Result<FileMap> {
        // SAFETY: the files that are mapped here are those of tables, which are written under a
        // name that nobody else knows, renamed when they are complete, never changed after that,
        // and replaced in the same way. Whoever tampers with one in use is beyond what can be
        // checked; what is read is plain old data, of which any bytes are a value.
        let map = unsafe { Mmap::map(file)? };
        #[cfg(target_os = "linux")]
        {
            // Only some file systems have huge pages; small ones do as well.
            let _ = map.advise(memmap2::Advice::HugePage);
        }
        Ok(FileMap { map: Arc::new(map) })
    }

    /// All bytes of the file.
    pub(super) fn bytes(&self) -> &[u8] {
        &self.map
    }

    /// Entries in these bytes of the file; `None` if they are not all there, or not whole, or
    /// not aligned.
    pub(super) fn part<T: Pod>(&self, bytes: Range<usize>) -> Option<Storage<T>> {
        let entries: &[T] = bytemuck::try_cast_slice(self.map.get(bytes)?).ok()?;
        let owner = Owner::File { _shared: Arc::clone(&self.map) };
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
        let mut room = Room::new(entries.len()).unwrap();
        assert!(room.iter().all(|&entry| entry == 0));
        room.copy_from_slice(&entries);
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&[7; 64]).unwrap();
        file.write_all(bytemuck::cast_slice(&entries)).unwrap();
        let map = FileMap::new(&file).unwrap();
        let mapped = map.part(64..64 + 8000).unwrap();
        assert!(map.part::<u64>(64..64 + 8001).is_none(), "not whole");
        assert!(map.part::<u64>(60..64 + 7996).is_none(), "not aligned");
        assert!(map.part::<u64>(72..72 + 8000).is_none(), "not all there");
        drop((map, file));
        assert!(mapped.is_mapped());
        let expected = entries.clone();
        for storage in [Storage::from(entries), Storage::from(room), mapped] {
            let moved = std::thread::spawn(move || storage).join().unwrap();
            assert_eq!(*moved, expected);
        }
    }

    #[test]
    fn there_may_be_nothing_at_all() {
        assert!(Storage::from(Room::<u32>::new(0).unwrap()).is_empty());
        assert!(Storage::from(Vec::<u32>::new()).is_empty());
        assert!(Room::<u64>::new(usize::MAX).is_err());
    }
}
