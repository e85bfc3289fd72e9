//! In which order the tiles of a pattern are, as one reads the board: orders.
//!
//! A step along a row keeps the order. A step along a column takes a tile past those between the
//! two cells, fewer than there are columns; where that leads is in a table.

/// The most tiles of a pattern.
pub const MOST_TILES: usize = 8;

/// All orders of so many tiles, in the order of the alphabet.
#[derive(Debug)]
pub struct Orders {
    tiles: usize,
    count: usize,
    cols: usize,
    /// By the tile, by how many others it goes past (counted on from `cols` if backwards) and by
    /// order: the order after it.
    next: Vec<u16>,
    /// The same by the tile's rank before and after: for the building of tables.
    by_rank: Vec<Vec<u16>>,
}

impl Orders {
    /// The orders of so many tiles on a board of so many columns.
    ///
    /// # Panics
    /// If there are more than [`MOST_TILES`].
    pub fn new(tiles: usize, cols: usize) -> Orders {
        assert!(tiles <= MOST_TILES, "{tiles} tiles in a pattern");
        let all = all_orders(tiles);
        let count = all.len();
        let mut by_rank = vec![Vec::new(); tiles * tiles];
        for from in 0..tiles {
            for to in (0..tiles).filter(|to| from.abs_diff(*to) < cols) {
                let after = |order: &[u8; MOST_TILES]| {
                    let mut order = *order;
                    if from < to {
                        order[from..=to].rotate_left(1);
                    } else {
                        order[to..=from].rotate_right(1);
                    }
                    index_of(&order[..tiles])
                };
                by_rank[from * tiles + to] = all.iter().map(after).collect();
            }
        }
        let mut next = vec![0; tiles * 2 * cols * count];
        for (index, order) in all.iter().enumerate() {
            for (rank, &tile) in order[..tiles].iter().enumerate() {
                for past in 0..cols {
                    let row = |op: usize| ((usize::from(tile) * 2 * cols) + op) * count + index;
                    if rank + past < tiles {
                        next[row(past)] = by_rank[rank * tiles + rank + past][index];
                    }
                    if let Some(to) = rank.checked_sub(past) {
                        next[row(cols + past)] = by_rank[rank * tiles + to][index];
                    }
                }
            }
        }
        Orders { tiles, count, cols, next, by_rank }
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The order after a tile has gone past others: so many, or so many less the number of
    /// columns backwards.
    #[inline(always)]
    pub fn after(&self, order: u16, tile: usize, past: usize) -> u16 {
        self.next[(tile * 2 * self.cols + past) * self.count + usize::from(order)]
    }

    /// By order: that after the tile of one rank has got another.
    pub fn moved(&self, rank: u8, rank_after: u8) -> &[u16] {
        &self.by_rank[usize::from(rank) * self.tiles + usize::from(rank_after)]
    }
}

/// The number of an order.
pub(super) fn index_of(order: &[u8]) -> u16 {
    let mut index = 0;
    for (rank, tile) in order.iter().enumerate() {
        let smaller = order[rank + 1..].iter().filter(|later| *later < tile).count();
        index = index * (order.len() - rank) + smaller;
    }
    index as u16
}

fn all_orders(tiles: usize) -> Vec<[u8; MOST_TILES]> {
    fn extend(
        order: [u8; MOST_TILES],
        length: usize,
        tiles: usize,
        all: &mut Vec<[u8; MOST_TILES]>,
    ) {
        if length == tiles {
            return all.push(order);
        }
        for tile in (0..tiles as u8).filter(|tile| !order[..length].contains(tile)) {
            let mut longer = order;
            longer[length] = tile;
            extend(longer, length + 1, tiles, all);
        }
    }
    let mut all = Vec::new();
    extend([0; MOST_TILES], 0, tiles, &mut all);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_numbered_as_they_come() {
        for tiles in 0..=5 {
            let all = all_orders(tiles);
            let numbers = all.iter().map(|order| index_of(&order[..tiles]));
            assert!(numbers.eq(0..all.len() as u16));
        }
    }

    #[test]
    fn a_tile_goes_past_others_and_back() {
        let orders = Orders::new(4, 3);
        // 1 0 3 2: tile 0 goes past two, 1 3 2 0.
        let (before, after) = (index_of(&[1, 0, 3, 2]), index_of(&[1, 3, 2, 0]));
        assert_eq!(orders.after(before, 0, 2), after);
        assert_eq!(orders.after(after, 0, 3 + 2), before);
        assert_eq!(orders.after(before, 2, 0), before);
        assert_eq!(orders.moved(1, 3)[usize::from(before)], after);
    }
}
