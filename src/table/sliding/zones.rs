//! The sets of cells that a pattern's tiles can occupy, with the region of the blank: zones.
//!
//! A **zone** is a set of occupied cells together with the connected region of the other cells
//! in which the blank is. The blank moves within its region without touching the pattern, so all
//! its places there are one. The zones of one set of cells follow each other, and the sets
//! are indexed without division: the upper half of the cells gives where the sets with that half
//! begin, the lower half which of them it is.
//!
//! Each step of a tile changes whether it is on a white or a black cell of the chessboard, so
//! zones are even or odd, and each step leads from one kind to the other. The even ones come
//! first.

use crate::board::Shape;

/// The most cells of a board.
pub const MOST_CELLS: usize = 25;
/// The most regions that the cells of a pattern may leave: numbers of three bits.
const MOST_REGIONS: usize = 8;
/// The bits of the two halves of a set of cells, at most.
const LOW_BITS: usize = MOST_CELLS / 2;
const HIGH_BITS: usize = MOST_CELLS - LOW_BITS;

/// A set of cells, as bits.
pub type Cells = u32;

/// The zones of one set of cells.
#[derive(Clone, Copy, Debug, Default)]
struct CellSetZones {
    /// For each cell the number of its region, one bit of it in each word.
    region: [u32; 3],
    /// The zone of region 0; the others follow.
    first: u32,
}

/// All zones of patterns of this many tiles.
#[derive(Debug)]
pub struct Zones {
    shape: Shape,
    tiles: usize,
    low_bits: u32,
    /// By the upper cells of a set: where the sets with these begin.
    begin: Box<[u32; 1 << HIGH_BITS]>,
    /// By the lower cells of a set: which it is of those with as many lower cells.
    rank: Box<[u16; 1 << LOW_BITS]>,
    by_set: Vec<CellSetZones>,
    /// By zone: the occupied cells, and the region of the blank.
    places: Vec<(Cells, Cells)>,
    even: usize,
}

impl Zones {
    /// The zones of patterns of this many tiles on a board.
    ///
    /// # Panics
    /// If the board has more than [`MOST_CELLS`] cells or no cell is left for the blank.
    pub fn new(shape: Shape, tiles: usize) -> Zones {
        let cells = shape.cells();
        assert!(cells <= MOST_CELLS && tiles < cells, "a pattern of {tiles} tiles on {shape}");
        let low_bits = cells / 2;
        let mut zones = Zones {
            shape,
            tiles,
            low_bits: low_bits as u32,
            begin: Box::new([0; 1 << HIGH_BITS]),
            rank: Box::new([0; 1 << LOW_BITS]),
            by_set: Vec::new(),
            places: Vec::new(),
            even: 0,
        };
        // The lower halves, by how many cells they have.
        let mut lower: Vec<Vec<Cells>> = vec![Vec::new(); cells + 1];
        for low in 0..1 << low_bits {
            let alike = &mut lower[(low as Cells).count_ones() as usize];
            zones.rank[low] = alike.len() as u16;
            alike.push(low as Cells);
        }
        let mut sets = Vec::new();
        for high in 0..1u32 << (cells - low_bits) {
            zones.begin[high as usize] = sets.len() as u32;
            if let Some(rest) = tiles.checked_sub(high.count_ones() as usize) {
                sets.extend(lower[rest].iter().map(|low| high << low_bits | low));
            }
        }
        zones.by_set = vec![CellSetZones::default(); sets.len()];
        for odd in [false, true] {
            let alike = |&&set: &&Cells| is_odd(shape, set) == odd;
            sets.iter().filter(alike).for_each(|&set| zones.add(set));
            if !odd {
                zones.even = zones.places.len();
            }
        }
        zones
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> u64 {
        let tables = size_of_val(&*self.begin) + size_of_val(&*self.rank);
        (tables + size_of_val(&*self.by_set) + size_of_val(&*self.places)) as u64
    }

    /// Adds the zones of a set of cells.
    fn add(&mut self, set: Cells) {
        let free = all_cells(self.shape) & !set;
        let mut set_zones = CellSetZones { region: [0; 3], first: self.places.len() as u32 };
        let (mut left, mut number) = (free, 0);
        while left != 0 {
            let region = region(self.shape, free, left.trailing_zeros());
            for (bit, cells) in set_zones.region.iter_mut().enumerate() {
                *cells |= if number >> bit & 1 == 1 { region } else { 0 };
            }
            self.places.push((set, region));
            left &= !region;
            number += 1;
        }
        assert!(number <= MOST_REGIONS, "{number} regions of the blank");
        let at = self.place(set);
        self.by_set[at] = set_zones;
    }

    /// Which of all sets of as many cells this is.
    #[inline(always)]
    fn place(&self, set: Cells) -> usize {
        let low = set as usize & ((1 << self.low_bits) - 1) & ((1 << LOW_BITS) - 1);
        let high = (set >> self.low_bits) as usize & ((1 << HIGH_BITS) - 1);
        self.begin[high] as usize + usize::from(self.rank[low])
    }

    /// The zone of a set of occupied cells with the blank in a given cell.
    #[inline(always)]
    pub fn zone(&self, set: Cells, blank: u32) -> u32 {
        let CellSetZones { region: [one, two, four], first } = self.by_set[self.place(set)];
        let bit = |cells: u32| (cells >> (blank & 31)) & 1;
        first + bit(one) + 2 * bit(two) + 4 * bit(four)
    }

    /// How many zones there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Never true: there is at least one zone.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// How many of them are even: the first ones.
    pub fn even(&self) -> usize {
        self.even
    }

    /// How many tiles the patterns have.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// The board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// Whether each step from a zone leads to an even one.
    pub fn is_odd(&self, zone: u32) -> bool {
        zone as usize >= self.even
    }

    /// Replaces the content of `steps` by the steps that tiles can take from a zone.
    pub fn steps(&self, zone: u32, steps: &mut Vec<ZoneStep>) {
        steps.clear();
        let (set, region) = self.places[zone as usize];
        let cols = self.shape.cols() as u32;
        let ranked = |set: Cells, cell: u32| (set & ((1 << cell) - 1)).count_ones() as u8;
        for from in bits(set) {
            let col = from % cols;
            let left = if col > 0 { from.checked_sub(1) } else { None };
            let right = (col + 1 < cols).then_some(from + 1);
            let neighbours = [from.checked_sub(cols), Some(from + cols), left, right];
            for to in neighbours.into_iter().flatten().filter(|&to| region >> to & 1 == 1) {
                let after = set & !(1 << from) | 1 << to;
                steps.push(ZoneStep {
                    zone: self.zone(after, from),
                    rank: ranked(set, from),
                    rank_after: ranked(after, to),
                });
            }
        }
    }
}

/// A step of a tile to a cell beside it.
#[derive(Clone, Copy, Debug)]
pub struct ZoneStep {
    /// The zone that it leads to.
    pub zone: u32,
    /// The rank of the tile among the pattern's tiles, in the order of their cells.
    pub rank: u8,
    /// Its rank afterwards.
    pub rank_after: u8,
}

/// Whether the cells of a set are an odd number of steps from those of an even one.
fn is_odd(shape: Shape, set: Cells) -> bool {
    let black = |cell: u32| {
        let (row, col) = shape.row_col(cell as usize);
        (row + col) % 2 == 1
    };
    bits(set).filter(|&cell| black(cell)).count() % 2 == 1
}

fn all_cells(shape: Shape) -> Cells {
    (1 << shape.cells()) - 1
}

/// The cells of a set, in order.
pub fn bits(set: Cells) -> impl Iterator<Item = u32> {
    let mut left = set;
    std::iter::from_fn(move || {
        let cell = left.trailing_zeros();
        left &= left.checked_sub(1)?;
        Some(cell)
    })
}

/// The cells that the blank can reach from one of the free cells.
pub fn region(shape: Shape, free: Cells, from: u32) -> Cells {
    let cols = shape.cols();
    let leftmost: Cells = (0..shape.rows()).map(|row| 1 << (row * cols)).sum();
    let rightmost = leftmost << (cols - 1);
    let mut region: Cells = 1 << from;
    loop {
        let beside = (region & !rightmost) << 1 | (region & !leftmost) >> 1;
        let next = (region | region << cols | region >> cols | beside) & free;
        if next == region {
            return region;
        }
        region = next;
    }
}
