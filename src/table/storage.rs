//! The memory of a table that is only read: its own, or a part of a file that is mapped; and room
//! in which tables are made, or lists grow.
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
use std::ops::{Deref, DerefMut, Range};
use std::ptr::NonNull;
use std::sync::Arc;

/// How many bytes a huge page has where pages are counted in kilobytes otherwise: what is smaller
/// than that comes from the allocator.
const HUGE_PAGE: usize = 1 << 21;

/// Entries that are only read.
pub struct Storage<T: Pod> {
    start: NonNull<T>,
    length: usize,
    /// What keeps the memory where it is.
    owner: Owner<T>,
}

/// These are there to be dropped; only room that grows is looked at, on some systems.
enum Owner<T> {
    Entries { _own: Vec<T> },
    Pages { _own: MmapMut },
    File { _shared: Arc<Mmap> },
}

// SAFETY: the memory is only read for as long as a `Storage` exists, or written to by whoever has
// the `Room` that it is in; and entries that are plain old data and can be shared between threads
// may be read, or handed over, by any of them.
unsafe impl<T: Pod + Send + Sync> Send for Storage<T> {}

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
    fn from(room: Room<T>) -> Storage<T> {
        room.0
    }
}

impl<T: Pod> std::fmt::Debug for Storage<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} entries, mapped: {}", self.length, self.is_mapped())
    }
}

/// Memory for a table that is being made: zeros at first.
///
/// Nobody else knows of the entries, which are in memory of their own: never in a file.
pub struct Room<T: Pod>(Storage<T>);

impl<T: Pod> Room<T> {
    /// Room for so many entries.
    ///
    /// # Errors
    /// If there is not so much memory.
    pub fn new(length: usize) -> io::Result<Room<T>> {
        let bytes = Self::bytes_for(length)?;
        if bytes < HUGE_PAGE {
            let entries = bytemuck::allocation::try_zeroed_vec(length).map_err(|()| too_much())?;
            return Ok(Room(entries.into()));
        }
        let mut memory = MmapMut::map_anon(bytes)?;
        #[cfg(target_os = "linux")]
        {
            // Where there are none, small pages do as well.
            let _ = memory.advise(memmap2::Advice::HugePage);
        }
        let entries = NonNull::from(bytemuck::cast_slice_mut(&mut memory[..bytes]));
        Ok(Room(Storage::new(entries, Owner::Pages { _own: memory })))
    }

    /// Makes it longer: what is in it stays, and there are zeros after that. Where the system can
    /// do that, pages are added to those that there are, and nothing is copied.
    ///
    /// # Errors
    /// If there is not so much memory; then nothing has changed.
    pub fn grow(&mut self, length: usize) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        if let Owner::Pages { _own: own } = &mut self.0.owner {
            let bytes = Self::bytes_for(length)?;
            let anywhere = memmap2::RemapOptions::new().may_move(true);
            // SAFETY: there is no file behind this memory that could end before it does.
            unsafe { own.remap(bytes, anywhere)? };
            let entries = NonNull::from(bytemuck::cast_slice_mut::<u8, T>(&mut own[..bytes]));
            (self.0.start, self.0.length) = (entries.cast(), entries.len());
            return Ok(());
        }
        let mut longer = Room::new(length)?;
        longer[..self.len()].copy_from_slice(self);
        *self = longer;
        Ok(())
    }

    /// How many bytes so many entries take.
    fn bytes_for(length: usize) -> io::Result<usize> {
        length.checked_mul(size_of::<T>()).ok_or_else(too_much)
    }
}

fn too_much() -> io::Error {
    io::ErrorKind::OutOfMemory.into()
}

impl<T: Pod> Default for Room<T> {
    /// No room at all.
    fn default() -> Self {
        Room(Vec::new().into())
    }
}

impl<T: Pod> Deref for Room<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<T: Pod> DerefMut for Room<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: the place and the length are those of entries in memory that may be written to,
        // which the owner keeps in place; and whoever reads or writes them borrows this room.
        unsafe { std::slice::from_raw_parts_mut(self.0.start.as_ptr(), self.0.length) }
    }
}

impl<T: Pod> std::fmt::Debug for Room<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "room for {} entries", self.len())
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
    fn room_grows_and_keeps_what_is_in_it() {
        let mut room: Room<[u8; 10]> = Room::default();
        // Small, of a huge page, and of several.
        for length in [3, 1000, HUGE_PAGE / 10 + 1, HUGE_PAGE, 3 * HUGE_PAGE] {
            let before = room.len();
            room.grow(length).unwrap();
            assert_eq!(room.len(), length);
            assert!(room[..before].iter().enumerate().all(|(i, entry)| entry[9] == i as u8 | 1));
            assert!(room[before..].iter().all(|entry| *entry == [0; 10]));
            room.iter_mut().enumerate().for_each(|(i, entry)| entry[9] = i as u8 | 1);
        }
        assert!(room.grow(usize::MAX / 16).is_err());
        assert!(room.iter().enumerate().all(|(i, entry)| entry[9] == i as u8 | 1));
    }

    #[test]
    fn there_may_be_nothing_at_all() {
        assert!(Storage::from(Room::<u32>::new(0).unwrap()).is_empty());
        assert!(Storage::from(Vec::<u32>::new()).is_empty());
        assert!(Room::<u64>::new(usize::MAX).is_err());
    }
}
