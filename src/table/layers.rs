//! God's algorithm: all boards at each distance from the goal, one canonical form for
//! each class of symmetric ones.
//!
//! A layer is a sorted list of canonical keys. The next one is made by undoing every
//! move on each member (so that one-way moves are counted the right way round),
//! sorting, and taking away what is in earlier layers. Where arrangements are identified
//! with their inverses, the neighbours of a class are those of its member *and* of the
//! member's inverse: a shortest way may have been cut off at either end.

use crate::limits::{Limits, StopReason};
use crate::parallel;
use crate::puzzle::Puzzle;
use crate::puzzle::canonical::{Canonicalizer, inverse};
use rayon::slice::ParallelSliceMut;

/// How many members are expanded between two checks of the limits.
const STRIDE: usize = 1 << 12;

/// How many members a thread takes at a time.
const PIECE: usize = 256;

/// The size of one layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LayerSize {
    /// The distance from the goal.
    pub depth: u32,
    /// How many boards are at that distance.
    pub boards: u64,
    /// How many classes of symmetric boards they form.
    pub classes: u64,
}

/// The layers of one puzzle, made one after the other.
pub struct Layers<'a, P: Puzzle> {
    puzzle: &'a P,
    canonicalizer: Canonicalizer<P::Key>,
    depth: u32,
    /// The last layer, sorted.
    current: Vec<P::Key>,
    /// The layers that a neighbour of the last one may be in, besides the next: the one
    /// before, or, where moves are one-way, all.
    earlier: Vec<Vec<P::Key>>,
    /// Whether all layers are kept, because the caller wants them or duplicates could be in any.
    keep_all: bool,
    peak_bytes: u64,
}

impl<'a, P: Puzzle> Layers<'a, P> {
    /// Starts with the goal alone.
    pub fn new(puzzle: &'a P) -> Layers<'a, P> {
        let canonicalizer = Canonicalizer::new(puzzle);
        let goal = canonicalizer.canonical_with_inverse(puzzle.key(puzzle.goal())).key;
        let peak_bytes = size_of::<P::Key>() as u64;
        let keep_all = !puzzle.frame().moves().closed_under_inversion();
        Layers {
            keep_all,
            puzzle,
            canonicalizer,
            depth: 0,
            current: vec![goal],
            earlier: Vec::new(),
            peak_bytes,
        }
    }

    /// The canonical forms of the last layer, sorted.
    pub fn current(&self) -> &[P::Key] {
        &self.current
    }

    /// The distance of the last layer.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// The canonical forms in use.
    pub fn canonicalizer(&self) -> &Canonicalizer<P::Key> {
        &self.canonicalizer
    }

    /// Stops identifying arrangements with their inverses: twice as many classes, each found in a
    /// third of the time.
    #[must_use]
    pub fn distinguishing_inverses(mut self) -> Self {
        self.canonicalizer.distinguish_inverses();
        self
    }

    /// Keeps all layers from here on, for [`into_parts`](Self::into_parts).
    #[must_use]
    pub fn keeping_all(self) -> Self {
        Layers { keep_all: true, ..self }
    }

    /// All layers that were kept, the nearest first, and the canonical forms to look things up
    /// in them.
    pub fn into_parts(self) -> (Vec<Vec<P::Key>>, Canonicalizer<P::Key>) {
        let mut layers = self.earlier;
        layers.push(self.current);
        (layers, self.canonicalizer)
    }

    /// The most bytes held so far.
    pub fn peak_bytes(&self) -> u64 {
        self.peak_bytes
    }

    /// How many boards the last layer has.
    pub fn size(&self) -> LayerSize {
        let class_size =
            |&key: &P::Key| u64::from(self.canonicalizer.canonical_with_inverse(key).class_size);
        let classes = self.current.len();
        let boards = parallel::map_pieces(classes, STRIDE, |range| {
            self.current[range].iter().map(class_size).sum::<u64>()
        });
        LayerSize { depth: self.depth, boards: boards.iter().sum(), classes: classes as u64 }
    }

    /// Makes the next layer; it is empty when all boards have been seen. `progress` receives
    /// how many members of the last layer have been expanded.
    ///
    /// # Errors
    /// If a limit is hit; the last layer is then still the last.
    pub fn advance(
        &mut self,
        limits: &Limits<'_>,
        progress: &mut dyn FnMut(usize),
    ) -> Result<(), StopReason> {
        // Sorted lists, each more than twice as long as the one after it, so that every key is
        // copied only a few times.
        let mut runs: Vec<Vec<P::Key>> = Vec::new();
        let moves = self.puzzle.frame().moves().len();
        for (index, chunk) in self.current.chunks(STRIDE).enumerate() {
            limits.check_time()?;
            let most = chunk.len() * 2 * moves;
            let found: usize = runs.iter().map(Vec::len).sum();
            // Merging needs room for what is merged once more.
            let planned = self.held() + bytes_of::<P::Key>(2 * (found + most));
            limits.check_bytes(planned)?;
            self.peak_bytes = self.peak_bytes.max(planned);
            let mut children = neighbours(self.puzzle, &self.canonicalizer, chunk)?;
            children.par_sort_unstable();
            children.dedup();
            for layer in self.earlier.iter().chain([&self.current]) {
                subtract(&mut children, layer);
            }
            runs.push(children);
            while let [.., before, last] = runs.as_slice()
                && before.len() <= 2 * last.len()
            {
                merge_last_two(&mut runs)?;
            }
            progress((index * STRIDE + chunk.len()).min(self.current.len()));
        }
        while runs.len() > 1 {
            merge_last_two(&mut runs)?;
        }
        let next = runs.pop().unwrap_or_default();
        let last = std::mem::replace(&mut self.current, next);
        if !self.keep_all {
            self.earlier.clear();
        }
        self.earlier.push(last);
        self.depth += 1;
        Ok(())
    }

    fn held(&self) -> u64 {
        let earlier: usize = self.earlier.iter().map(Vec::len).sum();
        bytes_of::<P::Key>(earlier + self.current.len())
    }
}

/// The canonical forms of all boards from which a move leads to a class in `keys`.
///
/// # Errors
/// If there is no memory for them.
pub(super) fn neighbours<P: Puzzle>(
    puzzle: &P,
    canonicalizer: &Canonicalizer<P::Key>,
    keys: &[P::Key],
) -> Result<Vec<P::Key>, StopReason> {
    let cells = puzzle.frame().shape().cells();
    let moves = puzzle.frame().moves().len();
    let both_ends = canonicalizer.identifies_inverses();
    let canonical = |key| canonicalizer.canonical_with_inverse(key).key;
    let found = parallel::map_pieces(keys.len(), PIECE, |range| {
        let mut found = Vec::new();
        reserve(&mut found, 2 * moves * range.len())?;
        for &key in &keys[range] {
            let other = both_ends.then(|| inverse(key, cells)).filter(|&other| other != key);
            for key in std::iter::once(key).chain(other) {
                let state = puzzle.state(key);
                let back = |m| puzzle.key(puzzle.apply_back(state, m));
                found.extend(puzzle.legal_back(state).map(|m| canonical(back(m))));
            }
        }
        Ok(found)
    });
    let found: Vec<Vec<P::Key>> = found.into_iter().collect::<Result<_, StopReason>>()?;
    let mut all = Vec::new();
    reserve(&mut all, found.iter().map(Vec::len).sum())?;
    found.iter().for_each(|some| all.extend_from_slice(some));
    Ok(all)
}

fn reserve<K>(list: &mut Vec<K>, room: usize) -> Result<(), StopReason> {
    list.try_reserve_exact(room).map_err(|_| StopReason::Memory)
}

fn bytes_of<K>(count: usize) -> u64 {
    (count * size_of::<K>()) as u64
}

/// Removes from a sorted list what is in another.
fn subtract<K: Ord + Copy>(from: &mut Vec<K>, layer: &[K]) {
    let mut rest = layer;
    from.retain(|key| {
        // The list is usually much shorter than the layer: skip ahead by galloping search.
        rest = &rest[skip_below(rest, key)..];
        rest.first() != Some(key)
    });
}

/// How many elements at the front of a sorted list are below `key`, found by galloping
/// search.
fn skip_below<K: Ord>(list: &[K], key: &K) -> usize {
    let mut bound = 1;
    while bound < list.len() && list[bound - 1] < *key {
        bound *= 2;
    }
    let reach = bound.min(list.len());
    list[..reach].partition_point(|other| other < key)
}

fn merge_last_two<K: Ord + Copy>(runs: &mut Vec<Vec<K>>) -> Result<(), StopReason> {
    if let (Some(last), Some(before)) = (runs.pop(), runs.pop()) {
        runs.push(merged(&before, &last)?);
    }
    Ok(())
}

/// Both sorted lists in one, without repetition.
fn merged<K: Ord + Copy>(a: &[K], b: &[K]) -> Result<Vec<K>, StopReason> {
    let mut result = Vec::new();
    reserve(&mut result, a.len() + b.len())?;
    let (mut a, mut b) = (a, b);
    while let ([first_a, rest_a @ ..], [first_b, rest_b @ ..]) = (a, b) {
        result.push(*first_a.min(first_b));
        (a, b) = match first_a.cmp(first_b) {
            std::cmp::Ordering::Less => (rest_a, b),
            std::cmp::Ordering::Equal => (rest_a, rest_b),
            std::cmp::Ordering::Greater => (a, rest_b),
        };
    }
    result.extend_from_slice(a);
    result.extend_from_slice(b);
    Ok(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_merged_and_subtracted() {
        assert_eq!(merged(&[1, 3, 5], &[2, 3, 9]).unwrap(), [1, 2, 3, 5, 9]);
        assert_eq!(merged(&[], &[7]).unwrap(), [7]);
        let mut list: Vec<u32> = (0..100).collect();
        subtract(&mut list, &(0..50).map(|i| i * 3).collect::<Vec<_>>());
        assert_eq!(list, (0..100).filter(|i| i % 3 != 0).collect::<Vec<_>>());
    }
}
