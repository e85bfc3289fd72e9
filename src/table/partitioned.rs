//! Lists whose entries are brought into order by the part that they belong to, so that each thread
//! can take one part of many lists.

use crate::limits::StopReason;
use bytemuck::Pod;

/// A list, part by part.
#[derive(Debug)]
pub struct Partitioned<T> {
    entries: Vec<T>,
    /// Where each part begins, and where the last one ends.
    bounds: Vec<u32>,
}

impl<T: Pod> Partitioned<T> {
    /// Orders fewer than 2³² entries by parts, whose numbers are below `parts`; within a part, they
    /// stay in their order.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn new(
        list: impl ExactSizeIterator<Item = T> + Clone,
        parts: usize,
        part_of: impl Fn(T) -> usize,
    ) -> Result<Partitioned<T>, StopReason> {
        let mut entries = Vec::new();
        entries.try_reserve_exact(list.len()).map_err(|_| StopReason::Memory)?;
        entries.resize(list.len(), T::zeroed());
        let mut bounds = vec![0u32; parts + 1];
        for entry in list.clone() {
            bounds[part_of(entry) + 1] += 1;
        }
        for part in 0..parts {
            bounds[part + 1] += bounds[part];
        }
        let mut next = bounds.clone();
        for entry in list {
            let place = &mut next[part_of(entry)];
            entries[*place as usize] = entry;
            *place += 1;
        }
        Ok(Partitioned { entries, bounds })
    }

    /// The entries of a part.
    pub fn part(&self, part: usize) -> &[T] {
        &self.entries[self.bounds[part] as usize..self.bounds[part + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_in_their_parts_in_order() {
        let list: Vec<u64> = (0..1000).map(|n| n * 7919 % 1009).collect();
        let by_part = Partitioned::new(list.iter().copied(), 16, |n| (n % 13) as usize).unwrap();
        for part in 0..16 {
            let plain: Vec<u64> = list.iter().copied().filter(|n| n % 13 == part as u64).collect();
            assert_eq!(by_part.part(part), plain);
        }
    }
}
