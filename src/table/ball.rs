//! All boards near the goal, with their exact distances.
//!
//! One entry for each class of symmetric boards, in an open-addressing table of the bare
//! keys (8 bytes on up to 16 cells, 16 on up to 25) and a byte for the distance. For
//! `torus4` the ball of radius 8 has 1.05 million entries: 18 MB, made in a fraction of
//! a second.

use super::layers::Layers;
use super::storage::ZeroedBuffer;
use crate::limits::{Limits, StopReason};
use crate::puzzle::Puzzle;
use crate::puzzle::canonical::Canonicalizer;
use crate::puzzle::packed::Packed;
use bytemuck::Zeroable;

/// The boards within a radius of the goal.
#[derive(Debug)]
pub struct Ball<P: Puzzle> {
    canonicalizer: Canonicalizer<P::Key>,
    radius: u32,
    entries: usize,
    /// A power of two of slots, at most four fifths of them full. No arrangement is packed as
    /// zero: that word would have the same label in each cell.
    keys: ZeroedBuffer<P::Key>,
    distances: ZeroedBuffer<u8>,
    complete: bool,
}

/// Limits on the size of a ball.
#[derive(Clone, Copy, Debug)]
pub struct BallSize {
    /// The most entries; the radius is the largest that keeps to it.
    pub entries: usize,
    /// The largest radius of interest.
    pub radius: u32,
}

impl<P: Puzzle> Ball<P> {
    /// Collects complete layers for as long as they fit.
    ///
    /// # Errors
    /// If the build is cancelled, or there is no memory at all; limits on time and memory only
    /// make the ball smaller.
    pub fn build(puzzle: &P, size: BallSize, limits: &Limits<'_>) -> Result<Ball<P>, StopReason> {
        let mut layers = Layers::new(puzzle).keeping_all();
        let mut sizes = vec![1];
        let branching = puzzle.frame().automaton().branching_factor();
        while layers.depth() < size.radius.min(u32::from(u8::MAX)) {
            // The next layer is about this many times as large.
            let expected = layers.current().len() as f64 * super::growth(&sizes, branching);
            if sizes.iter().sum::<usize>() + expected as usize > size.entries {
                break;
            }
            match layers.advance(limits, &mut |_| {}) {
                Ok(()) => sizes.push(layers.current().len()),
                Err(stop @ StopReason::Cancelled) => return Err(stop),
                Err(_) => break,
            }
            if sizes.last() == Some(&0) {
                break;
            }
        }
        let (mut kept, canonicalizer) = layers.into_parts();
        let mut complete = kept.pop_if(|last| last.is_empty()).is_some();
        // The last layer may have turned out larger than expected.
        while kept.iter().map(Vec::len).sum::<usize>() > size.entries && kept.len() > 1 {
            kept.pop();
            complete = false;
        }
        let entries = kept.iter().map(Vec::len).sum::<usize>();
        let slots = (entries + entries / 4 + 1).next_power_of_two();
        let too_much = |_| StopReason::Memory;
        let mut ball = Ball {
            canonicalizer,
            radius: kept.len() as u32 - 1,
            entries,
            keys: ZeroedBuffer::new(slots).map_err(too_much)?,
            distances: ZeroedBuffer::new(slots).map_err(too_much)?,
            complete,
        };
        for (distance, layer) in kept.into_iter().enumerate() {
            for key in layer {
                let slot = ball.slot_of(key);
                ball.keys[slot] = key;
                ball.distances[slot] = distance as u8;
            }
        }
        Ok(ball)
    }

    /// The slot that holds `key`, or the empty one where it would be put.
    #[inline]
    fn slot_of(&self, key: P::Key) -> usize {
        let mask = self.keys.len() - 1;
        let empty = P::Key::zeroed();
        let mut slot = key.hash64() as usize & mask;
        while self.keys[slot] != key && self.keys[slot] != empty {
            slot = (slot + 1) & mask;
        }
        slot
    }

    /// The distance of a board to the goal, if it is within the radius.
    #[inline]
    pub fn distance(&self, key: P::Key) -> Option<u32> {
        let canonical = self.canonicalizer.canonical_with_inverse(key).key;
        let slot = self.slot_of(canonical);
        (self.keys[slot] == canonical).then(|| u32::from(self.distances[slot]))
    }

    /// A board that is not in the ball is farther than this from the goal.
    pub fn radius(&self) -> u32 {
        self.radius
    }

    /// Whether every solvable board is in the ball.
    pub fn is_complete(&self) -> bool {
        self.complete
    }

    /// How many classes of boards it holds.
    pub fn entries(&self) -> usize {
        self.entries
    }

    /// How many bytes it takes.
    pub fn bytes(&self) -> u64 {
        (self.keys.len() * size_of::<P::Key>() + self.distances.len()) as u64
    }
}
