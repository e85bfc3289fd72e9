//! What it takes to bring one tile of a sliding puzzle home, if no other tile matters.
//!
//! The tile moves when the blank is beside it and takes its cell; then the blank goes around it to
//! where it is needed next. So it is enough to know, for each cell of the tile and each side at which
//! the blank can be, how many moves are left. They are found from the home backwards.
//!
//! The way of the blank around the tile is the shortest that there is, in one direction or the other:
//! if one of the eight cells around the tile is locked or off the board, no way leads past it in
//! that direction, because such cells are connected with all others of their kind.

use super::placement::Site;
use crate::board::MAX_CELLS;

/// The moves in the order in which they point around a cell: Up, Right, Down, Left.
const AROUND: [usize; 4] = [0, 3, 1, 2];

/// By move, where it is in that order, and the move back.
const PLACE: [usize; 4] = [0, 2, 3, 1];
const BACK: [usize; 4] = [1, 0, 3, 2];

/// More than any way.
const FAR: u16 = 1 << 14;

/// The largest difference between two costs in the queue is six moves around a tile.
const QUEUES: usize = 8;

/// The ways of one tile.
pub(super) struct TileWays {
    /// By the tile's cell and the move that leads from there to the blank's.
    beside: Box<[[u16; 4]; MAX_CELLS]>,
    /// By the tile's cell, with the blank where it is best.
    alone: Box<[u16; MAX_CELLS]>,
    /// By their costs, cells and moves from which to go on.
    queues: [Vec<(u8, usize)>; QUEUES],
}

impl TileWays {
    pub(super) fn new() -> TileWays {
        TileWays {
            beside: Box::new([[FAR; 4]; MAX_CELLS]),
            alone: Box::new([FAR; MAX_CELLS]),
            queues: Default::default(),
        }
    }

    /// The moves that bring the tile home from a cell, with the blank where it is best.
    pub(super) fn alone(&self, tile: u8) -> u32 {
        self.alone[usize::from(tile)].into()
    }

    /// The moves that bring the tile home from a cell, with the blank in another; perhaps a few
    /// less, if the tile is in the blank's way to it.
    pub(super) fn with_blank(&self, site: &Site, tile: u8, blank: u8) -> u32 {
        let sides = self.beside[usize::from(tile)].iter().zip(site.targets[usize::from(tile)]);
        let moves =
            |(&cost, side): (&u16, Option<u8>)| Some(u32::from(cost) + site.steps(side?, blank));
        sides.filter_map(moves).min().unwrap_or(0)
    }

    /// Finds the ways of a tile to its home.
    pub(super) fn find(&mut self, site: &Site, home: u8) {
        self.beside.fill([FAR; 4]);
        self.alone.fill(FAR);
        for side in 0..4 {
            self.reach(site, home, side, 0);
        }
        let mut cost = 0;
        let mut empty = 0;
        while empty < QUEUES {
            let Some((tile, side)) = self.queues[usize::from(cost) % QUEUES].pop() else {
                (cost, empty) = (cost + 1, empty + 1);
                continue;
            };
            empty = 0;
            if self.beside[usize::from(tile)][side] == cost {
                self.go_back(site, tile, side, cost);
            }
        }
    }

    /// Goes to what may have been before the tile was in a cell and the blank at a side of it.
    fn go_back(&mut self, site: &Site, tile: u8, side: usize, cost: u16) {
        let alone = &mut self.alone[usize::from(tile)];
        *alone = cost.min(*alone);
        if let Some(blank) = site.target(tile, side) {
            // They have changed places.
            self.reach(site, blank, BACK[side], cost + 1);
        }
        for turn in [1, 3] {
            // The blank has come around the tile, over the corners between its sides.
            let (mut from, mut moves) = (side, 0);
            for _ in 1..AROUND.len() {
                let to = AROUND[(PLACE[from] + turn) % AROUND.len()];
                let corner = site.target(tile, from).and_then(|cell| site.target(cell, to));
                if corner.is_none() || site.target(tile, to).is_none() {
                    break;
                }
                (from, moves) = (to, moves + 2);
                self.reach(site, tile, to, cost + moves);
            }
        }
    }

    /// From here, home is so many moves away at most.
    fn reach(&mut self, site: &Site, tile: u8, side: usize, cost: u16) {
        let known = &mut self.beside[usize::from(tile)][side];
        if site.target(tile, side).is_some() && cost < *known {
            *known = cost;
            self.queues[usize::from(cost) % QUEUES].push((tile, side));
        }
    }
}
