//! Brings one tile of a sliding puzzle, or two at once, to their places, by A* on where these tiles
//! and the blank are. All other tiles are alike, but for those in locked cells, which stay where
//! they are.
//!
//! The estimate knows what it takes to bring each tile home if no other matters, with all the ways
//! of the blank around it ([`TileWays`]). For one tile, that is next to exact. Two tiles can share
//! some of the ways, so that the sum would be too much; three quarters of it find ways that are hardly
//! longer than the shortest, and expand a hundredth of the nodes.

use super::super::{Limits, StopReason};
use super::tile_ways::TileWays;
use crate::board::{MAX_CELLS, Shape};
use crate::puzzle::Move;

/// The most tiles at once.
const TILES: usize = 2;

/// The cells of the tiles, and last that of the blank. A tile that is alone is there twice.
type Cells = [u8; TILES + 1];

/// Estimates are in quarters of moves.
const MOVE: u32 = 4;

/// How many quarters each move of a tile that has to wait counts.
const WAITING: u32 = 3;

/// A board of which some cells are locked.
pub(super) struct Site {
    pub(super) shape: Shape,
    /// By cell and move, where the blank goes, if it may: not to locked cells.
    pub(super) targets: Box<[[Option<u8>; 4]; MAX_CELLS]>,
    /// By cell, where the tile in it belongs.
    pub(super) labels: Vec<u8>,
    /// By label, where the tile is.
    pub(super) cells: [u8; MAX_CELLS],
    pub(super) blank: u8,
    /// The moves made so far.
    pub(super) moves: Vec<Move>,
}

impl Site {
    /// Where the blank goes from a cell, if it may.
    pub(super) fn target(&self, cell: u8, m: usize) -> Option<u8> {
        self.targets[usize::from(cell)][m]
    }

    /// Makes a legal move.
    fn make(&mut self, m: Move) {
        let (from, to) = (self.blank, self.target(self.blank, m.index()));
        let to = to.expect("the move is legal");
        self.labels.swap(from.into(), to.into());
        for cell in [from, to] {
            self.cells[usize::from(self.labels[usize::from(cell)])] = cell;
        }
        self.blank = to;
        self.moves.push(m);
    }

    /// From now on, what is in a cell stays there.
    pub(super) fn lock(&mut self, cell: u8) {
        let targets = self.targets.iter_mut().flatten();
        targets.filter(|target| **target == Some(cell)).for_each(|target| *target = None);
    }

    /// How many steps two cells are apart.
    pub(super) fn steps(&self, from: u8, to: u8) -> u32 {
        let (rows, cols) = self.shape.apart(from.into(), to.into());
        (rows + cols) as u32
    }

    /// How many steps tiles have to go, all together.
    pub(super) fn way_home(&self, labels: &[u8]) -> u32 {
        labels.iter().map(|&label| self.steps(self.cells[usize::from(label)], label)).sum()
    }
}

/// What all searches of a solution use.
pub(super) struct Placement {
    ways: [TileWays; TILES],
    /// The nodes met, by their hash.
    met: Vec<Met>,
    /// Which of these are of the search that is going on.
    search: u16,
    count: usize,
    nodes: Vec<Node>,
    /// By their value, the nodes to be expanded.
    open: Vec<Vec<u32>>,
    /// How many nodes were expanded in all searches.
    expanded: u64,
}

#[derive(Clone, Copy, Default)]
struct Met {
    cells: Cells,
    search: u16,
    moves: u16,
}

#[derive(Clone, Copy)]
struct Node {
    cells: Cells,
    last: Move,
    moves: u16,
    parent: u32,
}

impl Placement {
    pub(super) fn new() -> Placement {
        Placement {
            ways: std::array::from_fn(|_| TileWays::new()),
            met: vec![Met::default(); 1 << 12],
            search: 0,
            count: 0,
            nodes: Vec::new(),
            open: Vec::new(),
            expanded: 0,
        }
    }

    /// Brings the tiles of one or two labels home.
    ///
    /// # Errors
    /// If a limit is hit.
    pub(super) fn place(
        &mut self,
        site: &mut Site,
        labels: &[u8],
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        if site.way_home(labels) == 0 {
            return Ok(());
        }
        for (ways, &label) in self.ways.iter_mut().zip(labels) {
            ways.find(site, label);
        }
        let [first, last] = [labels[0], labels[labels.len() - 1]];
        let cells = [site.cells[usize::from(first)], site.cells[usize::from(last)], site.blank];
        self.begin(Node { cells, last: Move(u8::MAX), moves: 0, parent: 0 });
        let (mut least, mut until_look) = (0, 0);
        loop {
            // There is a way home, and so an open node.
            let Some(index) = self.open[least].pop() else {
                least += 1;
                continue;
            };
            let node = self.nodes[index as usize];
            if labels.iter().zip(node.cells).all(|(&label, cell)| label == cell) {
                self.go(site, index);
                return Ok(());
            }
            if self.met[self.find(node.cells)].moves < node.moves {
                continue;
            }
            if until_look == 0 {
                limits.check(self.expanded)?;
                limits.check_bytes(self.bytes())?;
                until_look = limits.stride(self.expanded);
            }
            until_look -= 1;
            self.expanded += 1;
            least = least.min(self.expand(site, labels.len(), index));
        }
    }

    fn begin(&mut self, root: Node) {
        self.open.iter_mut().for_each(Vec::clear);
        self.open.resize_with(self.open.len().max(1), Vec::new);
        self.open[0].push(0);
        self.nodes.clear();
        self.nodes.push(root);
        self.search = self.search.wrapping_add(1);
        if self.search == 0 {
            self.met.fill(Met::default());
            self.search = 1;
        }
        self.count = 0;
        self.meet(root.cells, 0);
    }

    /// Opens the children of a node; the least of their values.
    fn expand(&mut self, site: &Site, tiles: usize, index: u32) -> usize {
        let Node { cells, moves, .. } = self.nodes[index as usize];
        let blank = cells[TILES];
        let mut least = usize::MAX;
        for (m, to) in (0..).map(Move).zip(site.targets[usize::from(blank)]) {
            let Some(to) = to else { continue };
            let mut child = cells.map(|cell| if cell == to { blank } else { cell });
            child[TILES] = to;
            if !self.meet(child, moves + 1) {
                continue;
            }
            let value = u32::from(moves + 1) * MOVE + self.estimate(site, tiles, child);
            let value = value as usize;
            if self.open.len() <= value {
                self.open.resize_with(value + 1, Vec::new);
            }
            self.open[value].push(self.nodes.len() as u32);
            self.nodes.push(Node { cells: child, last: m, moves: moves + 1, parent: index });
            least = least.min(value);
        }
        least
    }

    /// What it takes to bring the tiles home: one of them comes first, the others wait.
    fn estimate(&self, site: &Site, tiles: usize, cells: Cells) -> u32 {
        let (mut waiting, mut first) = (0, None);
        for (ways, &cell) in self.ways[..tiles].iter().zip(&cells) {
            let alone = ways.alone(cell) * WAITING;
            if alone > 0 {
                waiting += alone;
                let more = (ways.with_blank(site, cell, cells[TILES]) * MOVE).saturating_sub(alone);
                first = Some(first.map_or(more, |least: u32| least.min(more)));
            }
        }
        waiting + first.unwrap_or(0)
    }

    /// Whether a node is new, or met by fewer moves than before.
    fn meet(&mut self, cells: Cells, moves: u16) -> bool {
        if self.count * 2 >= self.met.len() {
            self.grow();
        }
        let at = self.find(cells);
        let met = &mut self.met[at];
        let known = met.search == self.search;
        if known && met.moves <= moves {
            return false;
        }
        *met = Met { cells, search: self.search, moves };
        self.count += usize::from(!known);
        true
    }

    /// Where a node is, or would be.
    fn find(&self, cells: Cells) -> usize {
        let word = cells.iter().fold(0, |word, &cell| word << 8 | u64::from(cell));
        let mask = self.met.len() - 1;
        let mut at = (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.met[at].search == self.search && self.met[at].cells != cells {
            at = (at + 1) & mask;
        }
        at
    }

    fn grow(&mut self) {
        let larger = vec![Met::default(); self.met.len() * 2];
        let before = std::mem::replace(&mut self.met, larger);
        for met in before.into_iter().filter(|met| met.search == self.search) {
            let at = self.find(met.cells);
            self.met[at] = met;
        }
    }

    fn bytes(&self) -> u64 {
        let open = 2 * self.nodes.len() * size_of::<u32>();
        let nodes = self.nodes.capacity() * size_of::<Node>();
        (self.met.len() * size_of::<Met>() + nodes + open) as u64
    }

    /// Makes the moves that lead to a node.
    fn go(&self, site: &mut Site, mut index: u32) {
        let mut moves = Vec::new();
        while index != 0 {
            let node = self.nodes[index as usize];
            moves.push(node.last);
            index = node.parent;
        }
        moves.into_iter().rev().for_each(|m| site.make(m));
    }
}
