//! A perfect index of the placements of a few tiles on a grid: by the set of cells that they
//! occupy, and then by the order of the tiles in it.

/// The most cells of a grid: a set of cells is indexed by two tables, one for each half.
pub(super) const MAX_CELLS: usize = 26;

/// The most tiles: the orders of this many have numbers of 16 bits.
pub const MAX_TILES: usize = 8;

/// The cells of the lower half.
const LOW: usize = MAX_CELLS / 2;

/// The index for one size of grid and one number of tiles.
#[derive(Debug)]
pub(super) struct PlacementIndex {
    cells: usize,
    tiles: usize,
    sets: usize,
    /// What each half of a set adds to the index of the set, times the number of orders.
    low: Box<[u32]>,
    high: Box<[u32]>,
    /// By the place in the order, how many orders there are of the tiles after it.
    weights: [u32; MAX_TILES],
}

impl PlacementIndex {
    /// The index for this many tiles, at least one, on this many cells.
    pub(super) fn new(cells: usize, tiles: usize) -> PlacementIndex {
        assert!(cells <= MAX_CELLS && (1..=MAX_TILES.min(cells)).contains(&tiles));
        let orders = factorial(tiles);
        // The sets below a given one in the order of their masks: for each of its cells, the
        // i-th from below, the sets of i cells below that cell.
        let part = |half: usize, first_cell: usize, below: usize| -> usize {
            let members = (0..LOW).filter(|bit| half >> bit & 1 == 1);
            members.enumerate().map(|(i, bit)| choose(first_cell + bit, below + i + 1)).sum()
        };
        let table = |first_cell: usize| -> Box<[u32]> {
            let of_half = |half: usize| {
                let members = half.count_ones() as usize;
                if members > tiles {
                    return 0;
                }
                let below = if first_cell == 0 { 0 } else { tiles - members };
                let possible = half == 0 || first_cell + (half.ilog2() as usize) < cells;
                if possible { (part(half, first_cell, below) * orders) as u32 } else { 0 }
            };
            (0..1 << LOW).map(of_half).collect()
        };
        let weight = |i: usize| if i < tiles { factorial(tiles - 1 - i) as u32 } else { 0 };
        PlacementIndex {
            cells,
            tiles,
            sets: choose(cells, tiles),
            low: table(0),
            high: table(LOW),
            weights: std::array::from_fn(weight),
        }
    }

    /// How many sets of cells there are.
    pub(super) fn sets(&self) -> usize {
        self.sets
    }

    /// How many tiles there are.
    pub(super) fn tiles(&self) -> usize {
        self.tiles
    }

    /// The index of a set.
    pub(super) fn set(&self, mask: u32) -> usize {
        self.first_of_set(mask) as usize / self.orders()
    }

    /// How many orders there are in each set.
    pub(super) fn orders(&self) -> usize {
        factorial(self.tiles)
    }

    /// All sets in the order of their indices, as masks.
    pub(super) fn masks(&self) -> impl Iterator<Item = u32> {
        let first = (1 << self.tiles) - 1;
        // The next larger number with as many bits (Gosper).
        let next = |&mask: &u32| {
            let lowest = mask & mask.wrapping_neg();
            let carried = mask + lowest;
            Some(carried | (((mask ^ carried) >> 2) / lowest))
        };
        let end = 1 << self.cells;
        std::iter::successors(Some(first), next).take_while(move |&mask| mask < end)
    }

    /// The index of a placement, each tile given by the bit of its cell.
    #[inline]
    pub(super) fn number(&self, bits: &[u32]) -> usize {
        debug_assert_eq!(bits.len(), self.tiles);
        let mask = bits.iter().fold(0, |mask, bit| mask | bit);
        (self.first_of_set(mask) + self.order(bits, mask)) as usize
    }

    /// The index of the first order in a set.
    #[inline]
    fn first_of_set(&self, mask: u32) -> u32 {
        self.low[mask as usize % (1 << LOW)] + self.high[mask as usize >> LOW]
    }

    /// The index of the order of the tiles in a set.
    #[inline]
    fn order(&self, bits: &[u32], mask: u32) -> u32 {
        let mut free = mask;
        let mut order = 0;
        for (&bit, weight) in bits.iter().zip(self.weights) {
            order += (free & (bit - 1)).count_ones() * weight;
            free ^= bit;
        }
        order
    }

    /// What becomes of each order if the cell that was the i-th of a set becomes the
    /// `becomes[i]`-th of another.
    pub(super) fn reordered(&self, becomes: &[u8]) -> Vec<u16> {
        let mask = (1 << self.tiles) - 1;
        let reordered = |order: usize| {
            let mut free: Vec<u8> = becomes.to_vec();
            let mut rest = order;
            let place = |i: usize| {
                let weight = self.weights[i] as usize;
                let digit = rest / weight;
                rest %= weight;
                1 << free.remove(digit)
            };
            let bits: Vec<u32> = (0..self.tiles).map(place).collect();
            self.order(&bits, mask) as u16
        };
        (0..self.orders()).map(reordered).collect()
    }
}

fn factorial(n: usize) -> usize {
    (1..=n).product()
}

fn choose(n: usize, k: usize) -> usize {
    if k > n { 0 } else { (0..k).fold(1, |product, i| product * (n - i) / (i + 1)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_to_stand_has_its_own_number() {
        for (cells, tiles) in [(4, 1), (6, 3), (9, 4), (15, 3), (26, 2), (5, 5)] {
            let places = PlacementIndex::new(cells, tiles);
            assert_eq!(places.masks().count(), places.sets());
            let mut seen = vec![false; places.sets() * places.orders()];
            let identity: Vec<u8> = (0..tiles as u8).collect();
            assert!(
                places.reordered(&identity).iter().map(|&o| usize::from(o)).eq(0..places.orders())
            );
            for (set, mask) in places.masks().enumerate() {
                let set_cells: Vec<u32> =
                    (0..cells as u32).filter(|c| mask >> c & 1 == 1).collect();
                for_each_order(&set_cells, &mut Vec::new(), &mut |standing| {
                    let bits: Vec<u32> = standing.iter().map(|cell| 1 << cell).collect();
                    let number = places.number(&bits);
                    assert_eq!(number / places.orders(), set);
                    assert!(!std::mem::replace(&mut seen[number], true), "{standing:?}");
                });
            }
            assert!(seen.iter().all(|&seen| seen));
        }
    }

    #[test]
    fn orders_go_where_their_cells_go() {
        let places = PlacementIndex::new(9, 4);
        let (from, to) = ([1u32, 3, 6, 8], [0u32, 2, 4, 7]);
        let becomes = [2, 0, 3, 1];
        let reordered = places.reordered(&becomes);
        for_each_order(&[0, 1, 2, 3], &mut Vec::new(), &mut |ranks| {
            let before: Vec<u32> = ranks.iter().map(|&i| 1 << from[i as usize]).collect();
            let goes = |&i: &u32| 1 << to[usize::from(becomes[i as usize])];
            let after: Vec<u32> = ranks.iter().map(goes).collect();
            let order = places.number(&before) % places.orders();
            assert_eq!(usize::from(reordered[order]), places.number(&after) % places.orders());
        });
    }

    fn for_each_order(rest: &[u32], chosen: &mut Vec<u32>, visit: &mut dyn FnMut(&[u32])) {
        if rest.is_empty() {
            visit(chosen);
        }
        for &next in rest {
            chosen.push(next);
            let others: Vec<u32> = rest.iter().copied().filter(|&other| other != next).collect();
            for_each_order(&others, chosen, visit);
            chosen.pop();
        }
    }
}
