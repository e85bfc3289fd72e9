//! Which sets of cells are one move apart, and how the orders in them correspond.

use super::filled;
use super::placement_index::PlacementIndex;
use crate::limits::StopReason;
use crate::parallel;
use crate::puzzle::permutation::Permutation;
use rayon::prelude::*;

/// How many sets a thread takes at a time.
const PIECE: usize = 1 << 10;

/// For each set of cells, the sets from which a move leads there.
pub(super) struct Predecessors {
    moves: usize,
    /// For each set and each move.
    previous_sets: Vec<Predecessor>,
    order_maps: Vec<OrderMap>,
}

/// How a move maps the orders in one set to those in another.
pub(super) struct OrderMap {
    /// For each order before, the one that it becomes.
    pub(super) becomes: Vec<u16>,
    /// For each order after, the one that it was.
    pub(super) was: Vec<u16>,
}

/// A set from which a move leads to a given one.
#[derive(Clone, Copy)]
pub(super) struct Predecessor {
    pub(super) set: u32,
    order_map: u16,
}

/// For each cell of a set by its place in it, the place that its content comes to: four bits
/// each.
type Correspondence = u32;

impl Predecessors {
    /// The moves must be closed under inversion.
    ///
    /// # Errors
    /// If there is not enough memory.
    pub(super) fn new(
        moves: &[Permutation],
        places: &PlacementIndex,
    ) -> Result<Predecessors, StopReason> {
        let masks: Vec<u32> = places.masks().collect();
        let each = |&mask: &u32| moves.iter().map(move |m| before(mask, m));
        let kinds = parallel::map_pieces(masks.len(), PIECE, |range| {
            let mut kinds: Vec<Correspondence> =
                masks[range].iter().flat_map(each).map(|(_, kind)| kind).collect();
            kinds.sort_unstable();
            kinds.dedup();
            kinds
        });
        let mut kinds = kinds.concat();
        kinds.sort_unstable();
        kinds.dedup();
        let previous = |(set, kind): (u32, Correspondence)| Predecessor {
            set: places.set(set) as u32,
            order_map: kinds.binary_search(&kind).expect("all were collected") as u16,
        };
        let mut previous_sets =
            filled(masks.len() * moves.len(), Predecessor { set: 0, order_map: 0 })?;
        previous_sets.par_chunks_mut(moves.len()).zip(&masks).for_each(|(previous_sets, mask)| {
            previous_sets.iter_mut().zip(each(mask)).for_each(|(set, from)| *set = previous(from));
        });
        let becomes = |kind: &Correspondence| -> Vec<u8> {
            (0..places.tiles()).map(|i| (kind >> (4 * i) & 15) as u8).collect()
        };
        let order_map = |kind: &Correspondence| {
            let becomes = places.reordered(&becomes(kind));
            let mut was = vec![0; becomes.len()];
            for (before, &after) in becomes.iter().enumerate() {
                was[usize::from(after)] = before as u16;
            }
            OrderMap { becomes, was }
        };
        let order_maps =
            parallel::map_pieces(kinds.len(), 1, |range| order_map(&kinds[range.start]));
        Ok(Predecessors { moves: moves.len(), previous_sets, order_maps })
    }

    /// The sets from which a move leads to a set.
    pub(super) fn of_set(&self, set: usize) -> &[Predecessor] {
        &self.previous_sets[set * self.moves..][..self.moves]
    }

    /// How its orders map to those in the set.
    pub(super) fn order_map(&self, previous: Predecessor) -> &OrderMap {
        &self.order_maps[usize::from(previous.order_map)]
    }
}

/// The set whose content a move brings to the cells of a set, and which cell's content comes
/// where.
fn before(mask: u32, m: &Permutation) -> (u32, Correspondence) {
    let cells = || (0..m.cells()).filter(|cell| mask >> cell & 1 == 1);
    let set = cells().fold(0u32, |set, cell| set | 1 << m.source(cell));
    let kind = cells().enumerate().fold(0, |kind, (to, cell)| {
        let from = (set & ((1 << m.source(cell)) - 1)).count_ones();
        kind | (to as u32) << (4 * from)
    });
    (set, kind)
}
