//! The exact layers that the filters are made of: all boards at each distance from the goal, in
//! buckets by their hashes.
//!
//! The next layer is made in rounds. In each, the neighbours of some members are found, piece by
//! piece, and go to their buckets; a bucket that has doubled since it was last sorted is sorted
//! again and loses its repetitions, so that what is held is at most about twice what is left in the
//! end. Then each bucket loses what is in the same bucket of earlier layers.

use super::forms::Forms;
use crate::limits::{Limits, StopReason};
use crate::parallel;
use crate::puzzle::Puzzle;
use crate::puzzle::packed::Packed;
use crate::table::partitioned::Partitioned;
use rayon::prelude::*;

/// How many buckets a layer has.
const BUCKETS: usize = 256;

/// How many members a thread expands at a time.
const PIECE: usize = 1 << 11;

/// How many pieces there are between two checks of the limits.
const PIECES: usize = 16;

/// A bucket with fewer members than this is not sorted before the layer is complete.
const FEW: usize = 1 << 10;

/// All boards at one distance, as forms.
#[derive(Debug)]
pub(super) struct Shell<K> {
    /// Each sorted.
    buckets: Vec<Vec<K>>,
}

/// The bucket of a form.
#[inline]
fn bucket_of<K: Packed>(form: K) -> usize {
    (form.hash64() >> 56) as usize
}

impl<K: Packed> Shell<K> {
    /// The goal alone.
    pub(super) fn goal(form: K) -> Shell<K> {
        let mut buckets = vec![Vec::new(); BUCKETS];
        buckets[bucket_of(form)].push(form);
        Shell { buckets }
    }

    pub(super) fn len(&self) -> usize {
        self.buckets.iter().map(Vec::len).sum()
    }

    /// The members, in pieces that a thread takes at a time.
    pub(super) fn pieces(&self) -> Vec<&[K]> {
        self.buckets.iter().flat_map(|bucket| bucket.chunks(PIECE)).collect()
    }

    fn bytes(&self) -> u64 {
        self.buckets.iter().map(|bucket| (bucket.capacity() * size_of::<K>()) as u64).sum()
    }
}

/// The layers so far, and how the next is made.
pub(super) struct Shells<'a, P: Puzzle> {
    puzzle: &'a P,
    forms: &'a Forms<P>,
    made: Vec<Shell<P::Key>>,
}

impl<'a, P: Puzzle> Shells<'a, P> {
    pub(super) fn new(puzzle: &'a P, forms: &'a Forms<P>) -> Shells<'a, P> {
        let goal = Shell::goal(forms.of(puzzle.key(puzzle.goal())));
        Shells { puzzle, forms, made: vec![goal] }
    }

    pub(super) fn all(&self) -> &[Shell<P::Key>] {
        &self.made
    }

    pub(super) fn last(&self) -> &Shell<P::Key> {
        self.made.last().expect("there is the goal")
    }

    pub(super) fn bytes(&self) -> u64 {
        self.made.iter().map(Shell::bytes).sum()
    }

    /// Calls `take` with the neighbours of all members of the last layer, as many at a time as the
    /// limits allow to be checked in between; each piece is first prepared by a thread of its own.
    /// `take` returns how many bytes it holds.
    pub(super) fn expand_last<T: Send>(
        &self,
        limits: &Limits<'_>,
        progress: &mut dyn FnMut(f64),
        prepare: impl Fn(&[P::Key]) -> Result<T, StopReason> + Sync,
        mut take: impl FnMut(Vec<T>) -> Result<u64, StopReason>,
    ) -> Result<(), StopReason> {
        let (last, held) = (self.last(), self.bytes());
        let most = self.forms.most_neighbours(self.puzzle.frame());
        let (pieces, all) = (last.pieces(), last.len());
        let (mut done, mut taken) = (0, 0);
        for round in pieces.chunks(PIECES) {
            limits.check_time()?;
            let members: usize = round.iter().map(|piece| piece.len()).sum();
            // Neighbours are held twice, in order and not.
            let found = 2 * members * most * size_of::<P::Key>();
            limits.check_bytes(held + taken + found as u64)?;
            let prepared = parallel::map_pieces(round.len(), 1, |range| {
                let piece = round[range.start];
                let mut found = Vec::new();
                found.try_reserve_exact(piece.len() * most).map_err(|_| StopReason::Memory)?;
                for &form in piece {
                    self.forms.add_neighbours(self.puzzle, form, &mut found);
                }
                prepare(&found)
            });
            taken = take(prepared.into_iter().collect::<Result<Vec<T>, StopReason>>()?)?;
            done += members;
            progress(done as f64 / all as f64);
        }
        Ok(())
    }

    /// Makes the next layer; it is empty when all boards have been seen.
    ///
    /// # Errors
    /// If a limit is hit; the last layer is then still the last.
    pub(super) fn advance(
        &mut self,
        limits: &Limits<'_>,
        progress: &mut dyn FnMut(f64),
    ) -> Result<(), StopReason> {
        let mut next: Vec<Bucket<P::Key>> = (0..BUCKETS).map(|_| Bucket::default()).collect();
        let partitioned =
            |found: &[P::Key]| Partitioned::new(found.iter().copied(), BUCKETS, bucket_of);
        self.expand_last(limits, progress, partitioned, |found| {
            next.par_iter_mut().enumerate().try_for_each(|(number, bucket)| {
                found.iter().try_for_each(|list| bucket.add(list.part(number)))?;
                bucket.tidy();
                Ok(())
            })?;
            Ok(next.iter().map(Bucket::bytes).sum())
        })?;
        let moves = self.puzzle.frame().moves();
        // What is next to the last layer may be in it, too, or in the one before; where moves are
        // one-way, in any.
        let near =
            if moves.closed_under_inversion() { self.made.len().min(2) } else { self.made.len() };
        let earlier = &self.made[self.made.len() - near..];
        next.par_iter_mut().enumerate().for_each(|(number, bucket)| {
            bucket.sort();
            earlier.iter().for_each(|shell| subtract(&mut bucket.forms, &shell.buckets[number]));
            bucket.forms.shrink_to_fit();
        });
        self.made.push(Shell { buckets: next.into_iter().map(|bucket| bucket.forms).collect() });
        Ok(())
    }
}

/// A bucket that is being filled.
struct Bucket<K> {
    forms: Vec<K>,
    /// How many of them were left when it was last sorted.
    sorted: usize,
}

impl<K> Default for Bucket<K> {
    fn default() -> Self {
        Bucket { forms: Vec::new(), sorted: 0 }
    }
}

impl<K: Packed> Bucket<K> {
    fn add(&mut self, forms: &[K]) -> Result<(), StopReason> {
        self.forms.try_reserve(forms.len()).map_err(|_| StopReason::Memory)?;
        self.forms.extend_from_slice(forms);
        Ok(())
    }

    /// Sorts it if it has doubled.
    fn tidy(&mut self) {
        if self.forms.len() >= 2 * self.sorted.max(FEW) {
            self.sort();
        }
    }

    fn sort(&mut self) {
        self.forms.sort_unstable();
        self.forms.dedup();
        self.sorted = self.forms.len();
    }

    fn bytes(&self) -> u64 {
        (self.forms.capacity() * size_of::<K>()) as u64
    }
}

/// Removes from a sorted list what is in another.
fn subtract<K: Ord + Copy>(from: &mut Vec<K>, other: &[K]) {
    let mut rest = other.iter().peekable();
    from.retain(|key| {
        while rest.next_if(|&next| next < key).is_some() {}
        rest.peek() != Some(&key)
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{AnyPuzzle, PuzzleVisitor};
    use crate::table::layers::Layers;

    struct Sizes(usize);

    impl PuzzleVisitor for Sizes {
        type Output = (Vec<usize>, Vec<usize>);

        /// How many classes there are at each distance, by shells and by plain layers.
        fn visit<P: Puzzle>(self, puzzle: &P) -> (Vec<usize>, Vec<usize>) {
            let forms = Forms::new(puzzle);
            let mut shells = Shells::new(puzzle, &forms);
            let mut layers = Layers::new(puzzle);
            if forms.pairs().is_none() {
                layers = layers.distinguishing_inverses();
            }
            let (limits, mut plain) = (Limits::default(), vec![1]);
            for _ in 1..self.0 {
                shells.advance(&limits, &mut |_| {}).unwrap();
                layers.advance(&limits, &mut |_| {}).unwrap();
                plain.push(layers.current().len());
            }
            (shells.all().iter().map(Shell::len).collect(), plain)
        }
    }

    #[test]
    fn shells_are_the_layers() {
        let sizes = |id: &str, count| AnyPuzzle::from_id(id).unwrap().visit(Sizes(count));
        let (torus4, _) = sizes("torus4", 8);
        assert_eq!(torus4, [1, 1, 6, 18, 132, 1_014, 9_793, 95_545]);
        for (id, count) in
            [("torus3", 10), ("rings4", 5), ("torus:3x4", 7), ("rings5", 4), ("sliding3", 33)]
        {
            let (shells, layers) = sizes(id, count);
            assert_eq!(shells, layers, "{id}");
        }
    }

    #[test]
    fn lists_are_subtracted() {
        let mut list: Vec<u32> = (0..100).collect();
        subtract(&mut list, &(0..50).map(|i| i * 3).collect::<Vec<_>>());
        assert_eq!(list, (0..100).filter(|i| i % 3 != 0).collect::<Vec<_>>());
        subtract(&mut list, &[]);
        assert_eq!(list.len(), 66);
    }
}
