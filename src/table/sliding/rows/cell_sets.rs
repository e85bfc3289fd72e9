//! All sets of a few cells of a board of any size, and where they cut the others apart.
//!
//! Sets are numbered in colexicographic order: the number of a set is a sum of binomial
//! coefficients, one for each of its cells in ascending order. Few sets leave the other cells in
//! several regions; what the blank can reach is kept for these alone.
//!
//! A **zone** is a set together with a region of the blank. The first zones are the sets with
//! their first region, by the same numbers; those of further regions follow.

use crate::board::{MAX_CELLS, Shape};
use crate::limits::{Limits, StopReason};
use crate::parallel;
use crate::puzzle::arch::prefetch;

/// The most tiles of a pattern.
pub const MOST_TILES: usize = 6;

/// How many sets are looked at between two checks of the limits.
const STRIDE: usize = 1 << 12;

/// The cells of a set in ascending order, and zeros.
type Sorted = [u8; MOST_TILES];

/// The sets of this many cells.
#[derive(Debug)]
pub struct CellSets {
    shape: Shape,
    tiles: usize,
    /// By how many cells of a set are smaller, and by cell: how many sets come before on its
    /// account.
    before: Box<[[u32; MAX_CELLS]; MOST_TILES]>,
    pub(super) count: usize,
    /// By cell, those beside it.
    beside: Vec<Vec<u8>>,
    /// The sets that leave several regions.
    splits: Splits,
    /// The sets and regions of the zones that are not the first of their sets.
    further: Vec<(u32, u8)>,
}

/// The sets that leave several regions, in a few plain lists in the order of their numbers, because a
/// beam looks one up at every other node.
#[derive(Debug)]
struct Splits {
    /// Of 64 sets each.
    words: Vec<SplitWord>,
    /// Of each split set, the zone of region 1; those of other regions follow. The first one stands
    /// for all sets that are not split.
    first: Vec<u32>,
    /// Likewise, by cell, the number of its region.
    regions: Vec<u8>,
    cells: usize,
}

/// Which of 64 sets are split.
#[derive(Clone, Copy, Debug, Default)]
struct SplitWord {
    bits: u64,
    /// How many split sets come before.
    before: u32,
}

/// The regions that a set leaves, where there are several.
#[derive(Clone, Copy, Debug)]
struct Split<'a> {
    /// The zone of region 1; the others follow.
    first: u32,
    /// By cell, the number of its region.
    regions: &'a [u8],
}

impl Splits {
    fn new(sets: usize, cells: usize) -> Splits {
        let words = vec![SplitWord::default(); sets.div_ceil(64)];
        Splits { words, first: vec![0], regions: vec![0; cells], cells }
    }

    /// Adds a set; those before it are there.
    fn push(&mut self, number: u32, split: Split<'_>) {
        let word = &mut self.words[number as usize / 64];
        if word.bits == 0 {
            word.before = self.first.len() as u32 - 1;
        }
        word.bits |= 1 << (number % 64);
        self.first.push(split.first);
        self.regions.extend_from_slice(split.regions);
    }

    #[inline(always)]
    fn contains(&self, number: u32) -> bool {
        self.words[number as usize / 64].bits >> (number % 64) & 1 == 1
    }

    #[inline]
    fn get(&self, number: u32) -> Option<Split<'_>> {
        let at = self.index(number) as usize;
        let regions = &self.regions[at * self.cells..][..self.cells];
        (at > 0).then(|| Split { first: self.first[at], regions })
    }

    /// The number of a set among the split ones, counted from 1; 0 if it is not split. Without a
    /// branch, which would be unpredictable.
    #[inline(always)]
    fn index(&self, number: u32) -> u32 {
        let SplitWord { bits, before } = self.words[number as usize / 64];
        let smaller = bits & ((1 << (number % 64)) - 1);
        let is_split = (bits >> (number % 64) & 1) as u32;
        (before + smaller.count_ones() + 1) & 0_u32.wrapping_sub(is_split)
    }

    /// How many bytes are held.
    fn bytes(&self) -> usize {
        size_of_val(&*self.words) + size_of_val(&*self.first) + self.regions.len()
    }
}

/// A step of a tile to a cell beside it.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZoneStep {
    /// The zone that it leads to.
    pub(super) zone: u32,
    /// The rank of the tile among the pattern's tiles, in the order of their cells.
    pub(super) rank: u8,
    /// Its rank afterwards.
    pub(super) rank_after: u8,
}

impl CellSets {
    /// The sets of this many cells of a board.
    ///
    /// # Errors
    /// If a limit is hit.
    ///
    /// # Panics
    /// If there are no cells in a set, more than [`MOST_TILES`], or as many as on the board.
    pub fn new(shape: Shape, tiles: usize, limits: &Limits<'_>) -> Result<CellSets, StopReason> {
        let cells = shape.cells();
        assert!((1..=MOST_TILES).contains(&tiles) && tiles < cells, "{tiles} tiles on {shape}");
        let count = count_of(cells, tiles).filter(|&count| count <= u32::MAX.into());
        let count = count.ok_or(StopReason::Memory)? as usize;
        limits.check_bytes(count as u64 / 8)?;
        let mut before = Box::new([[0; MAX_CELLS]; MOST_TILES]);
        for (smaller, row) in before.iter_mut().enumerate().take(tiles) {
            for (cell, entry) in row.iter_mut().enumerate().take(cells) {
                *entry = count_of(cell, smaller + 1).expect("fewer than all sets") as u32;
            }
        }
        let is_beside = |a: usize, b: usize| {
            let (rows, cols) = shape.apart(a, b);
            rows + cols == 1
        };
        let beside = |cell: usize| {
            (0..cells).filter(|&other| is_beside(cell, other)).map(|other| other as u8).collect()
        };
        let mut sets = CellSets {
            shape,
            tiles,
            before,
            count,
            beside: (0..cells).map(beside).collect(),
            splits: Splits::new(count, cells),
            further: Vec::new(),
        };
        let chains = Chains::new(shape);
        let found = parallel::map_pieces(count, STRIDE, |numbers| {
            limits.check_time()?;
            let mut set = sets.cells_of(numbers.start as u32);
            let mut found = Vec::new();
            for number in numbers {
                if let Some((regions, last)) =
                    chains.may_cut(&set[..tiles]).then(|| sets.regions(&set))
                    && last > 0
                {
                    found.push((number as u32, regions, last));
                }
                sets.go_on(&mut set);
            }
            Ok(found)
        });
        for piece in found {
            for (number, regions, last) in piece? {
                let first = (count + sets.further.len()) as u32;
                sets.further.extend((1..=last).map(|region| (number, region)));
                sets.splits.push(number, Split { first, regions: &regions });
            }
            limits.check_bytes(sets.bytes())?;
        }
        Ok(sets)
    }

    /// How many bytes are held.
    pub fn bytes(&self) -> u64 {
        let held = size_of_val(&*self.before) + size_of_val(&*self.further);
        (held + self.splits.bytes()) as u64
    }

    /// The board.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How many cells are in a set.
    pub fn tiles(&self) -> usize {
        self.tiles
    }

    /// How many zones there are.
    pub fn zones(&self) -> usize {
        self.count + self.further.len()
    }

    /// How many sets come before a set on account of one of its cells, given how many of the
    /// others are smaller. The sum over the cells is the number of the set.
    #[inline(always)]
    pub(super) fn before(&self, smaller: usize, cell: u8) -> u32 {
        self.before[smaller][usize::from(cell)]
    }

    fn number(&self, set: &Sorted) -> u32 {
        (0..self.tiles).map(|rank| self.before(rank, set[rank])).sum()
    }

    /// Whether a set leaves several regions.
    #[inline(always)]
    pub(super) fn is_split(&self, number: u32) -> bool {
        self.splits.contains(number)
    }

    /// Whether the zone is the first of a set that leaves several regions.
    pub(super) fn is_first_of_split(&self, zone: usize) -> bool {
        zone < self.count && self.is_split(zone as u32)
    }

    /// The zone of a set with the blank in a given cell, which is not in the set.
    #[inline(always)]
    pub(super) fn zone(&self, number: u32, blank: u8) -> u32 {
        self.zone_of(number, self.split_index(number), blank)
    }

    /// The index of the regions that a set leaves.
    #[inline(always)]
    pub(super) fn split_index(&self, number: u32) -> u32 {
        self.splits.index(number)
    }

    /// Prefetches the region of a cell.
    #[inline(always)]
    pub(super) fn prefetch_region(&self, split_index: u32, cell: u8) {
        let Splits { first, regions, cells, .. } = &self.splits;
        if let Some(region) = regions.get(split_index as usize * cells + usize::from(cell)) {
            prefetch(region);
        }
        if let Some(first) = first.get(split_index as usize) {
            prefetch(first);
        }
    }

    /// The zone of a set, given also its [`Self::split_index`].
    #[inline(always)]
    pub(super) fn zone_of(&self, number: u32, split_index: u32, blank: u8) -> u32 {
        let Splits { first, regions, cells, .. } = &self.splits;
        let region = regions[split_index as usize * cells + usize::from(blank)];
        let further = first[split_index as usize].wrapping_add(region.into()).wrapping_sub(1);
        if region > 0 { further } else { number }
    }

    /// The cells beside a cell.
    pub(super) fn beside(&self, cell: u8) -> &[u8] {
        &self.beside[usize::from(cell)]
    }

    /// Whether the blank gets from one cell to another without moving a tile of the set, in which
    /// neither is.
    pub(super) fn connects(&self, number: u32, one: u8, other: u8) -> bool {
        let same =
            |split: Split<'_>| split.regions[usize::from(one)] == split.regions[usize::from(other)];
        self.splits.get(number).is_none_or(same)
    }

    /// Replaces the content of `steps` by the steps that tiles can take from a zone.
    pub(super) fn steps(&self, zone: u32, steps: &mut Vec<ZoneStep>) {
        steps.clear();
        let further = (zone as usize).checked_sub(self.count).map(|at| self.further[at]);
        let (number, region) = further.unwrap_or((zone, 0));
        let split = self.splits.get(number);
        let set = self.cells_of(number);
        for (rank, &from) in set[..self.tiles].iter().enumerate() {
            for &to in self.beside(from) {
                let is_taken = set[..self.tiles].contains(&to);
                if is_taken || split.is_some_and(|split| split.regions[usize::from(to)] != region) {
                    continue;
                }
                let (mut after, mut at) = (set, rank);
                while at + 1 < self.tiles && after[at + 1] < to {
                    after[at] = after[at + 1];
                    at += 1;
                }
                while at > 0 && after[at - 1] > to {
                    after[at] = after[at - 1];
                    at -= 1;
                }
                after[at] = to;
                let zone = self.zone(self.number(&after), from);
                steps.push(ZoneStep { zone, rank: rank as u8, rank_after: at as u8 });
            }
        }
    }

    /// The cells of a set.
    pub(super) fn cells_of(&self, number: u32) -> Sorted {
        let (mut set, mut left) = ([0; MOST_TILES], number);
        for rank in (0..self.tiles).rev() {
            let row = &self.before[rank][..self.shape.cells()];
            let cell = row.partition_point(|&before| before <= left) - 1;
            set[rank] = cell as u8;
            left -= row[cell];
        }
        set
    }

    /// Goes on to the next set.
    fn go_on(&self, set: &mut Sorted) {
        let gap = (1..self.tiles).find(|&rank| set[rank - 1] + 1 < set[rank]);
        let moved = gap.unwrap_or(self.tiles) - 1;
        set[moved] = set[moved].wrapping_add(1);
        (0..moved).for_each(|rank| set[rank] = rank as u8);
    }

    /// By cell, the region that it is in, and the last region.
    fn regions(&self, set: &Sorted) -> (Box<[u8]>, u8) {
        const NONE: u8 = u8::MAX;
        const TAKEN: u8 = u8::MAX - 1;
        let mut regions = vec![NONE; self.shape.cells()].into_boxed_slice();
        set[..self.tiles].iter().for_each(|&cell| regions[usize::from(cell)] = TAKEN);
        let (mut next, mut left) = (0, Vec::with_capacity(self.shape.cells()));
        while let Some(start) = regions.iter().position(|&region| region == NONE) {
            regions[start] = next;
            left.push(start as u8);
            while let Some(cell) = left.pop() {
                for &other in self.beside(cell) {
                    if regions[usize::from(other)] == NONE {
                        regions[usize::from(other)] = next;
                        left.push(other);
                    }
                }
            }
            next += 1;
        }
        (regions, next.saturating_sub(1))
    }
}

/// Chains of tiles, each beside the next or diagonal to it. Only a chain that is closed, or that
/// leads from the border to the border, leaves several regions.
struct Chains {
    /// By two cells, whether they can be next to each other in a chain.
    touch: Vec<[bool; MAX_CELLS]>,
    on_border: Vec<bool>,
}

impl Chains {
    /// The fewest tiles of a closed chain.
    const CLOSED: u32 = 4;

    fn new(shape: Shape) -> Chains {
        let touches = |a: usize, b: usize| {
            let (rows, cols) = shape.apart(a, b);
            b < shape.cells() && rows <= 1 && cols <= 1
        };
        let on_border = |cell: usize| {
            let (row, col) = shape.row_col(cell);
            row == 0 || row + 1 == shape.rows() || col == 0 || col + 1 == shape.cols()
        };
        let cells = 0..shape.cells();
        Chains {
            touch: cells.clone().map(|a| std::array::from_fn(|b| touches(a, b))).collect(),
            on_border: cells.map(on_border).collect(),
        }
    }

    /// Whether a set may leave several regions.
    fn may_cut(&self, set: &[u8]) -> bool {
        // Bits stand for the tiles of the set.
        let (mut touching, mut on_border) = ([0_u8; MOST_TILES], 0_u8);
        for (one, &cell) in set.iter().enumerate() {
            on_border |= u8::from(self.on_border[usize::from(cell)]) << one;
            for (other, &at) in set.iter().enumerate() {
                let touches = self.touch[usize::from(cell)][usize::from(at)];
                touching[one] |= u8::from(touches) << other;
            }
        }
        let is_in_chain = |&tile: &usize| touching[tile].count_ones() >= 2;
        (0..set.len()).filter(is_in_chain).any(|first| {
            let mut chain = 1 << first;
            for _ in 1..set.len() {
                let tiles = (0..set.len()).filter(|tile| chain >> tile & 1 == 1);
                chain = tiles.fold(chain, |chain, tile| chain | touching[tile]);
            }
            let ends = chain & on_border;
            ends.count_ones() >= 2 || chain.count_ones() >= Chains::CLOSED
        })
    }
}

/// How many sets of `tiles` among `cells` there are; `None` if far too many.
pub(super) fn count_of(cells: usize, tiles: usize) -> Option<u64> {
    (0..tiles).try_fold(1_u64, |count, taken| {
        let places = cells.saturating_sub(taken) as u64;
        Some(count.checked_mul(places)? / (taken as u64 + 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sets(rows: usize, cols: usize, tiles: usize) -> CellSets {
        CellSets::new(Shape::new(rows, cols).unwrap(), tiles, &Limits::default()).unwrap()
    }

    #[test]
    fn sets_are_numbered_in_order() {
        for (rows, cols, tiles) in [(2, 2, 1), (3, 3, 3), (4, 3, 6), (16, 16, 2)] {
            let sets = sets(rows, cols, tiles);
            let mut set = sets.cells_of(0);
            for number in 0..sets.count as u32 {
                assert_eq!((sets.cells_of(number), sets.number(&set)), (set, number));
                assert!(set[..tiles].is_sorted_by(|a, b| a < b));
                sets.go_on(&mut set);
            }
        }
    }

    #[test]
    fn every_set_that_leaves_several_regions_is_known() {
        for (rows, cols, tiles) in
            [(2, 2, 2), (2, 9, 4), (3, 3, 2), (3, 3, 5), (4, 4, 3), (5, 5, 4), (6, 6, 4)]
        {
            let sets = sets(rows, cols, tiles);
            let mut zones = sets.count;
            for number in 0..sets.count as u32 {
                let (regions, last) = sets.regions(&sets.cells_of(number));
                assert_eq!(sets.is_split(number), last > 0);
                zones += usize::from(last);
                let split = sets.splits.get(number);
                assert!(split.is_none_or(|split| *split.regions == *regions));
            }
            assert_eq!(sets.zones(), zones);
        }
    }

    #[test]
    fn limits_are_kept() {
        let few = Limits { bytes: Some(1 << 16), ..Limits::default() };
        let sets = CellSets::new(Shape::new(10, 10).unwrap(), 4, &few);
        assert_eq!(sets.err(), Some(StopReason::Memory));
    }
}
