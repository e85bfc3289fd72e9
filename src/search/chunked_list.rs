//! A list that grows in chunks: no element is ever copied, what it holds is known, and the memory
//! of a chunk is free again as soon as its elements have been taken.

use super::{Limits, StopReason};
use std::collections::VecDeque;

/// How many bytes a chunk has.
const CHUNK_BYTES: usize = 1 << 16;

/// A queue or a stack.
#[derive(Debug)]
pub(super) struct ChunkedList<T> {
    /// None is empty, but for a single one; all but the last are full.
    chunks: VecDeque<Vec<T>>,
    len: usize,
}

impl<T> ChunkedList<T> {
    /// How many elements a chunk has.
    const CHUNK: usize = {
        let elements = CHUNK_BYTES / size_of::<T>();
        if elements > 0 { elements } else { 1 }
    };

    pub(super) fn new() -> ChunkedList<T> {
        ChunkedList { chunks: VecDeque::new(), len: 0 }
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// How many bytes it holds: a first chunk that grows is held twice.
    pub(super) fn bytes(&self) -> u64 {
        (self.chunks.len() * Self::CHUNK * size_of::<T>()) as u64
    }

    /// Adds an element at the end. `held` is what the search holds besides, for the limit on
    /// memory.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn push(
        &mut self,
        element: T,
        limits: &Limits<'_>,
        held: u64,
    ) -> Result<(), StopReason> {
        match self.chunks.back_mut() {
            Some(last) if last.len() < last.capacity() => last.push(element),
            _ => self.push_to_more(element, limits, held)?,
        }
        self.len += 1;
        Ok(())
    }

    #[cold]
    fn push_to_more(
        &mut self,
        element: T,
        limits: &Limits<'_>,
        held: u64,
    ) -> Result<(), StopReason> {
        let too_much = |_| StopReason::Memory;
        if self.chunks.back().is_none_or(|last| last.len() == Self::CHUNK) {
            limits.check_bytes(held + self.bytes() + (Self::CHUNK * size_of::<T>()) as u64)?;
            self.chunks.try_reserve(1).map_err(too_much)?;
            self.chunks.push_back(Vec::new());
        }
        let is_first = self.chunks.len() == 1;
        let last = self.chunks.back_mut().expect("there is one");
        // Lists of a few elements are many, and are to be small.
        let room = if is_first { (4 * last.len()).clamp(1, Self::CHUNK) } else { Self::CHUNK };
        last.try_reserve_exact(room - last.len()).map_err(too_much)?;
        last.push(element);
        Ok(())
    }

    /// Takes the last element.
    #[inline]
    pub(super) fn pop(&mut self) -> Option<T> {
        let last = self.chunks.back_mut()?;
        let element = last.pop()?;
        if last.is_empty() && self.chunks.len() > 1 {
            self.chunks.pop_back();
        }
        self.len -= 1;
        Some(element)
    }

    /// Takes the first elements, some of them at once; none if the list is empty.
    pub(super) fn take_chunk(&mut self) -> Vec<T> {
        let chunk = self.chunks.pop_front().unwrap_or_default();
        self.len -= chunk.len();
        chunk
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_a_stack_and_a_queue() {
        let limits = Limits::default();
        let (mut list, mut plain) = (ChunkedList::new(), Vec::new());
        for i in 0..100_000_u64 {
            list.push(i, &limits, 0).unwrap();
            plain.push(i);
            if i % 3 == 0 {
                assert_eq!(list.pop(), plain.pop());
            }
            assert_eq!(list.len(), plain.len());
        }
        let mut taken = Vec::new();
        while !list.is_empty() {
            taken.extend(list.take_chunk());
        }
        assert_eq!(taken, plain);
        assert_eq!((list.pop(), list.bytes()), (None, 0));
    }

    #[test]
    fn it_does_not_grow_beyond_its_limit() {
        let limits = Limits { bytes: Some(1_000_000), ..Limits::default() };
        let mut list = ChunkedList::new();
        let stop = (0_u64..).find_map(|i| list.push(i, &limits, 100_000).err());
        assert_eq!(stop, Some(StopReason::Memory));
        assert!((800_000..=900_000).contains(&list.bytes()), "{} bytes", list.bytes());
    }
}
