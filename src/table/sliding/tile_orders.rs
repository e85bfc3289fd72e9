//! The orders of a pattern's tiles, read row by row, and how steps change them.
//!
//! A step along a row keeps the order. A step along a column takes a tile past those between the
//! two cells, fewer than there are columns; where that leads is in a table.

/// The most tiles of a pattern.
pub const MOST_TILES: usize = 8;

/// All orders of this many tiles, in lexicographic order.
#[derive(Debug)]
pub struct TileOrders {
    tiles: usize,
    count: usize,
    cols: usize,
    /// By the tile, by how many others it goes past (counted on from `cols` if backwards) and by
    /// order: the order after it.
    next: Vec<u16>,
    /// The same by the tile's rank before and after: for the building of tables.
    by_rank: Vec<Vec<u16>>,
}

impl TileOrders {
    /// The orders of this many tiles on a board of this many columns.
    ///
    /// # Panics
    /// If there are more than [`MOST_TILES`].
    pub fn new(tiles: usize, cols: usize) -> TileOrders {
        assert!(tiles <= MOST_TILES, "{tiles} tiles in a pattern");
        let ranks: Vec<_> = all_orders(tiles).into_iter().map(|order| inverse(&order)).collect();
        let count = ranks.len();
        let exchanged: Vec<Vec<u16>> =
            (1..tiles).map(|rank| exchanged(tiles, rank - 1, count)).collect();
        let mut by_rank = vec![Vec::new(); tiles * tiles];
        for from in 0..tiles {
            by_rank[from * tiles + from] = (0..count as u16).collect();
            // Past one tile after the other.
            let mut add = |before: usize, to: usize| {
                let last = &exchanged[before.min(to)];
                let orders: &Vec<u16> = &by_rank[from * tiles + before];
                let orders = orders.iter().map(|&order| last[usize::from(order)]).collect();
                by_rank[from * tiles + to] = orders;
            };
            (from + 1..tiles.min(from + cols)).for_each(|to| add(to - 1, to));
            ((from + 1).saturating_sub(cols)..from).rev().for_each(|to| add(to + 1, to));
        }
        let nowhere = vec![0; count];
        let mut next = Vec::with_capacity(tiles * 2 * cols * count);
        for tile in 0..tiles {
            for past in 0..2 * cols {
                let from = |rank: usize| {
                    let to = match past.checked_sub(cols) {
                        Some(back) => rank.checked_sub(back),
                        None => Some(rank + past).filter(|&to| to < tiles),
                    };
                    to.map_or(&nowhere, |to| &by_rank[rank * tiles + to])
                };
                let from: Vec<&Vec<u16>> = (0..tiles).map(from).collect();
                let after = |(order, ranks): (usize, &[u8; MOST_TILES])| {
                    from[usize::from(ranks[tile])][order]
                };
                next.extend(ranks.iter().enumerate().map(after));
            }
        }
        TileOrders { tiles, count, cols, next, by_rank }
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> u64 {
        let by_rank = self.by_rank.iter().map(|orders| size_of_val(&**orders)).sum::<usize>();
        (size_of_val(&*self.next) + by_rank) as u64
    }

    /// How many there are.
    #[inline(always)]
    pub fn count(&self) -> usize {
        self.count
    }

    /// The order after a tile has gone past `past` others, or past `past - cols` backwards.
    #[inline(always)]
    pub fn after(&self, order: u16, tile: usize, past: usize) -> u16 {
        self.next[(tile * 2 * self.cols + past) * self.count + usize::from(order)]
    }

    /// By order: the lexicographic index of the ranks of the tiles.
    pub(super) fn by_ranks(&self) -> Vec<u16> {
        let ranks = all_orders(self.tiles).into_iter().map(|order| inverse(&order));
        ranks.map(|ranks| index_of(&ranks[..self.tiles])).collect()
    }

    /// By order: the order after the tile of one rank has moved to another.
    pub fn moved(&self, rank: u8, rank_after: u8) -> &[u16] {
        &self.by_rank[usize::from(rank) * self.tiles + usize::from(rank_after)]
    }
}

/// The lexicographic index of an order.
pub(super) fn index_of(order: &[u8]) -> u16 {
    let mut index = 0;
    for (rank, tile) in order.iter().enumerate() {
        let smaller = order[rank + 1..].iter().filter(|later| *later < tile).count();
        index = index * (order.len() - rank) + smaller;
    }
    index as u16
}

/// By order: that after the tile of a rank and the next one have changed places.
///
/// The digits of an order's index say how many smaller tiles come later (see [`index_of`]), so
/// that only two of them change.
fn exchanged(tiles: usize, rank: usize, count: usize) -> Vec<u16> {
    let later = (tiles - rank - 1) as u32;
    let unit: u32 = (1..later).product();
    let exchange = |order: u32| {
        let both = order / unit % (later * (later + 1));
        let (first, second) = (both / later, both % later);
        let (new_first, new_second) =
            // If the first of the two tiles is the greater one.
            if first > second { (second, first - 1) } else { (second + 1, first) };
        (order - both * unit + (new_first * later + new_second) * unit) as u16
    };
    (0..count as u32).map(exchange).collect()
}

/// The rank of each tile.
fn inverse(order: &[u8; MOST_TILES]) -> [u8; MOST_TILES] {
    let mut ranks = [0; MOST_TILES];
    for (rank, &tile) in order.iter().enumerate() {
        ranks[usize::from(tile)] = rank as u8;
    }
    ranks
}

/// All orders; entries beyond the number of tiles stay in place.
fn all_orders(tiles: usize) -> Vec<[u8; MOST_TILES]> {
    let mut order: [u8; MOST_TILES] = std::array::from_fn(|tile| tile as u8);
    let mut all = vec![order];
    // The next permutation in lexicographic order.
    while let Some(at) = (1..tiles).rev().find(|&at| order[at - 1] < order[at]) {
        let greater = (at..tiles).rev().find(|&later| order[later] > order[at - 1]);
        order.swap(at - 1, greater.expect("the next tile is greater"));
        order[at..tiles].reverse();
        all.push(order);
    }
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
    fn a_tile_of_any_rank_gets_any_other_that_is_near() {
        let (tiles, cols) = (5, 3);
        let orders = TileOrders::new(tiles, cols);
        for (index, order) in all_orders(tiles).iter().enumerate() {
            for from in 0..tiles {
                for to in (0..tiles).filter(|to| from.abs_diff(*to) < cols) {
                    let mut after = order[..tiles].to_vec();
                    let tile = after.remove(from);
                    after.insert(to, tile);
                    let moved = orders.moved(from as u8, to as u8)[index];
                    assert_eq!(moved, index_of(&after), "{order:?}, {from} to {to}");
                }
            }
        }
    }

    #[test]
    fn a_tile_goes_past_others_and_back() {
        let orders = TileOrders::new(4, 3);
        // 1 0 3 2: tile 0 goes past two, 1 3 2 0.
        let (before, after) = (index_of(&[1, 0, 3, 2]), index_of(&[1, 3, 2, 0]));
        assert_eq!(orders.after(before, 0, 2), after);
        assert_eq!(orders.after(after, 0, 3 + 2), before);
        assert_eq!(orders.after(before, 2, 0), before);
        assert_eq!(orders.moved(1, 3)[usize::from(before)], after);
    }
}
