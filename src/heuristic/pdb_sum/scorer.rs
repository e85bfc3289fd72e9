//! How a beam scores boards of sliding puzzles by the sum.
//!
//! A node has a hash of the board, the label of each cell, the blank's cell, the distance of each
//! pattern modulo 256, and the positions of the tiles: by pattern, if patterns are large
//! (`table/sliding/rows/tracked.rs`), else by label. A move changes the distance of one pattern on each
//! side by one, up or down, as an entry of its table says. The entries for a batch of nodes are all
//! located and prefetched before the first is read.

use super::{PatternView, PdbSum, Side};
use crate::heuristic::scorer::{Child, Parents, Scorer};
use crate::puzzle::Move;
use crate::puzzle::arch::prefetch;
use crate::table::sliding::rows::{Entry, Placement, Tracked, Tracks};

/// How many nodes have their entries prefetched together.
const BATCH: usize = 32;

/// Up, Down, Left, Right.
pub(super) const MOVES: usize = 4;

/// Where the parts of a node begin, in bytes. The hash is the first word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    /// Of each pattern, the cells of its tiles, and the number of their order: where they are tracked.
    bits: usize,
    orders: usize,
    cells: usize,
    /// The cell of the blank.
    blank: usize,
    /// The cell of each label: where tiles are not tracked.
    places: usize,
    distances: usize,
    words: usize,
    /// Whether tiles are tracked.
    tracked: bool,
}

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// The words of a cache line.
const LINE: usize = 8;

impl Layout {
    /// The layout for boards of this many cells, with this many patterns on all sides together.
    pub(super) fn new(cells: usize, patterns: usize, tracked: bool) -> Layout {
        let followed = if tracked { patterns } else { 0 };
        let bits = WORD;
        let orders = bits + followed * WORD;
        let at_cells = orders + followed * size_of::<u16>();
        let blank = at_cells + cells;
        let places = blank + 1;
        let distances = places + if tracked { 0 } else { cells };
        let words = (distances + patterns).div_ceil(WORD);
        Layout { bits, orders, cells: at_cells, blank, places, distances, words, tracked }
    }

    fn cells(self, node: &[u8]) -> &[u8] {
        &node[self.cells..self.blank]
    }

    fn places(self, node: &[u8]) -> &[u8] {
        &node[self.places..self.distances]
    }

    /// Where the tiles of a pattern are.
    #[inline(always)]
    fn tracked(self, node: &[u8], pattern: usize) -> Tracked {
        let (bits, order) = (self.bits + pattern * WORD, self.orders + pattern * 2);
        let bits = node[bits..bits + WORD].try_into().expect("a word");
        let order = node[order..order + 2].try_into().expect("two bytes");
        Tracked { cells: u64::from_ne_bytes(bits), order: u16::from_ne_bytes(order) }
    }

    fn set_tracked(self, node: &mut [u8], pattern: usize, tracked: Tracked) {
        let (bits, order) = (self.bits + pattern * WORD, self.orders + pattern * 2);
        node[bits..bits + WORD].copy_from_slice(&tracked.cells.to_ne_bytes());
        node[order..order + 2].copy_from_slice(&tracked.order.to_ne_bytes());
    }
}

/// A step of a tile.
#[derive(Clone, Copy, Debug, Default)]
struct Step {
    label: u8,
    /// From where: the blank goes there.
    from: u8,
    to: u8,
}

/// How the distance of a step's pattern on one side is found.
trait LookUp: Copy + Default {
    /// Begins with what is known of the entry after a step without waiting for memory.
    fn begin(sum: &PdbSum, side: &Side, node: &[u8], step: Step) -> Self;

    /// Goes on with what was prefetched.
    fn go_on(self, sum: &PdbSum, side: &Side, step: Step) -> Self;

    /// The distance after the step, from that before.
    fn distance(self, sum: &PdbSum, side: &Side, step: Step, before: u8) -> u8;
}

/// The pattern of a label on one side.
#[inline(always)]
fn pattern_of(side: &Side, label: u8) -> &PatternView {
    &side.patterns[usize::from(side.pattern_of[usize::from(label)])]
}

/// Of tiles that are tracked.
impl LookUp for Entry {
    #[inline(always)]
    fn begin(sum: &PdbSum, side: &Side, node: &[u8], step: Step) -> Entry {
        let (tracks, tracked, from) = sum.after(side, node, step);
        sum.tables[pattern_of(side, step.label).table].entry(tracks, tracked, from)
    }

    #[inline(always)]
    fn go_on(self, sum: &PdbSum, side: &Side, step: Step) -> Entry {
        let pattern = pattern_of(side, step.label);
        let blank = sum.maps[pattern.map][usize::from(step.from)];
        sum.tables[pattern.table].find(self, blank)
    }

    #[inline(always)]
    fn distance(self, sum: &PdbSum, side: &Side, step: Step, before: u8) -> u8 {
        sum.tables[pattern_of(side, step.label).table].after_step_to(before, self)
    }
}

/// Of tiles whose cells are sorted each time.
impl LookUp for Placement {
    #[inline(always)]
    fn begin(sum: &PdbSum, side: &Side, node: &[u8], step: Step) -> Placement {
        let pattern = pattern_of(side, step.label);
        let (map, places) = (&sum.maps[pattern.map], sum.layout.places(node));
        let cell = |tile: usize| {
            let other = pattern.labels[tile];
            let cell = if other == step.label { step.to } else { places[usize::from(other)] };
            map[usize::from(cell)]
        };
        let table = &sum.tables[pattern.table];
        let placement = match pattern.tiles {
            1 => table.place_of::<1>(std::array::from_fn(cell)),
            2 => table.place_of::<2>(std::array::from_fn(cell)),
            3 => table.place_of::<3>(std::array::from_fn(cell)),
            4 => table.place_of::<4>(std::array::from_fn(cell)),
            5 => table.place_of::<5>(std::array::from_fn(cell)),
            _ => table.place_of::<6>(std::array::from_fn(cell)),
        };
        table.prefetch(placement);
        placement
    }

    #[inline(always)]
    fn go_on(self, _: &PdbSum, _: &Side, _: Step) -> Placement {
        self
    }

    #[inline(always)]
    fn distance(self, sum: &PdbSum, side: &Side, step: Step, before: u8) -> u8 {
        let pattern = pattern_of(side, step.label);
        let blank = sum.maps[pattern.map][usize::from(step.from)];
        sum.tables[pattern.table].after_step(before, self, blank)
    }
}

/// A move of a node, whose entries have been prefetched.
#[derive(Clone, Copy, Debug)]
struct Pending<L, const SIDES: usize> {
    /// The number of the node in its batch.
    node: u32,
    m: u8,
    step: Step,
    look_ups: [L; SIDES],
}

impl PdbSum {
    /// Where the tiles of the pattern of a step are after it on one side, and from where the tile has
    /// come, as the table sees it.
    #[inline(always)]
    fn after(&self, side: &Side, node: &[u8], step: Step) -> (&Tracks, Tracked, u8) {
        let number = usize::from(side.pattern_of[usize::from(step.label)]);
        let pattern = &side.patterns[number];
        let tracks = self.tracks[pattern.tiles].as_ref().expect("tiles are followed");
        let map = &self.maps[pattern.map];
        let [from, to] = [step.from, step.to].map(|cell| map[usize::from(cell)]);
        let tracked = self.layout.tracked(node, side.first + number);
        let tile = side.tile_of[usize::from(step.label)];
        (tracks, tracks.step(tracked, tile, from, to), from)
    }

    /// The hash of a tile in a cell.
    #[inline(always)]
    fn hash(&self, label: u8, cell: u8) -> u64 {
        self.hashes[usize::from(label)][usize::from(cell)]
    }

    fn children_of<L: LookUp, const SIDES: usize>(
        &self,
        parents: Parents<'_>,
        most: u32,
        children: &mut Vec<Child>,
    ) -> u64 {
        let layout = self.layout;
        let none =
            Pending { node: 0, m: 0, step: Step::default(), look_ups: [L::default(); SIDES] };
        let mut pending = [none; BATCH * MOVES];
        let mut generated = 0;
        for (batch, nodes) in parents.nodes.chunks(BATCH * layout.words).enumerate() {
            let first = batch * BATCH;
            let bytes: &[u8] = bytemuck::cast_slice(nodes);
            let nodes = || bytes.chunks_exact(WORD * layout.words);
            let mut count = 0;
            for (number, node) in nodes().enumerate() {
                let (cells, to) = (layout.cells(node), node[layout.blank]);
                let back = self.back(parents.last[first + number]);
                for (m, &from) in self.targets[usize::from(to)].iter().enumerate() {
                    if from == to || m == back {
                        continue;
                    }
                    let step = Step { label: cells[usize::from(from)], from, to };
                    let next = &mut pending[count];
                    (next.node, next.m, next.step) = (number as u32, m as u8, step);
                    for (side, look_up) in self.sides.iter().zip(&mut next.look_ups) {
                        *look_up = L::begin(self, side, node, step);
                    }
                    count += 1;
                }
            }
            for Pending { step, look_ups, .. } in &mut pending[..count] {
                for (side, look_up) in self.sides.iter().zip(look_ups) {
                    *look_up = look_up.go_on(self, side, *step);
                }
            }
            generated += count as u64;
            let node_bytes = WORD * layout.words;
            for &Pending { node: number, m, step, look_ups } in &pending[..count] {
                let number = number as usize;
                let node = &bytes[number * node_bytes..][..node_bytes];
                let (mut score, mut note) = (parents.scores[first + number], 0);
                for (number, (side, look_up)) in self.sides.iter().zip(look_ups).enumerate() {
                    let before = node[self.kept_at(side, step.label)];
                    let change = look_up.distance(self, side, step, before).wrapping_sub(before);
                    score = score.wrapping_add_signed(i32::from(change as i8));
                    note |= (change & 2) >> 1 << number;
                }
                if score > most {
                    continue;
                }
                let Step { label, from, to } = step;
                let hash = u64::from_ne_bytes(node[..WORD].try_into().expect("a word"));
                children.push(Child {
                    hash: hash ^ self.hash(label, from) ^ self.hash(label, to),
                    score,
                    parent: parents.first + (first + number) as u32,
                    m: Move(m),
                    note,
                });
            }
        }
        generated
    }

    /// The move that undoes a move.
    fn back(&self, last: u8) -> usize {
        self.inverse.get(usize::from(last)).map_or(MOVES, |&m| usize::from(m))
    }

    /// Where the distance of a tile's pattern is kept.
    #[inline(always)]
    fn kept_at(&self, side: &Side, label: u8) -> usize {
        self.layout.distances + side.first + usize::from(side.pattern_of[usize::from(label)])
    }

    /// Turns a copy of the parent into the child's node: the child has the move, and the sides on
    /// which the distance of the tile's pattern falls.
    fn move_blank(&self, node: &mut [u8], child: &Child) {
        let layout = self.layout;
        let to = node[layout.blank];
        let from = self.targets[usize::from(to)][child.m.index() % MOVES];
        let label = layout.cells(node)[usize::from(from)];
        let step = Step { label, from, to };
        for (number, side) in self.sides.iter().enumerate() {
            let at = self.kept_at(side, label);
            let came_nearer = child.note >> number & 1 == 1;
            node[at] = node[at].wrapping_add_signed(if came_nearer { -1 } else { 1 });
            if layout.tracked {
                let pattern = side.first + usize::from(side.pattern_of[usize::from(label)]);
                let (_, tracked, _) = self.after(side, node, step);
                layout.set_tracked(node, pattern, tracked);
            } else {
                node[layout.places + usize::from(label)] = to;
                node[layout.places + usize::from(self.blank)] = from;
            }
        }
        node[layout.cells + usize::from(to)] = label;
        node[layout.cells + usize::from(from)] = self.blank;
        node[layout.blank] = from;
    }
}

impl Scorer for PdbSum {
    fn node_words(&self) -> usize {
        self.layout.words
    }

    fn begin(&self, labels: &[u8], node: &mut [u64]) -> u32 {
        let layout = self.layout;
        node.fill(0);
        let places = super::places_of(labels);
        let tiles = labels.iter().zip(0..=u8::MAX).filter(|&(&label, _)| label != self.blank);
        node[0] = tiles.fold(0, |hash, (&label, cell)| hash ^ self.hash(label, cell));
        let node: &mut [u8] = bytemuck::cast_slice_mut(node);
        node[layout.cells..layout.blank].copy_from_slice(labels);
        node[layout.blank] = places[usize::from(self.blank)];
        if !layout.tracked {
            node[layout.places..layout.distances].copy_from_slice(&places[..labels.len()]);
        }
        let mut score = 0;
        for side in &self.sides {
            for (pattern, number) in side.patterns.iter().zip(side.first..) {
                let distance = self.distance(pattern, &places);
                node[layout.distances + number] = distance as u8;
                score += distance;
                if layout.tracked {
                    let tracked = Tracked::new(&self.cells_of(pattern, &places));
                    layout.set_tracked(node, number, tracked);
                }
            }
        }
        score
    }

    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64 {
        match (self.layout.tracked, self.sides.len()) {
            (true, 1) => self.children_of::<Entry, 1>(parents, most, children),
            (true, _) => self.children_of::<Entry, 2>(parents, most, children),
            (false, 1) => self.children_of::<Placement, 1>(parents, most, children),
            (false, _) => self.children_of::<Placement, 2>(parents, most, children),
        }
    }

    fn make(&self, layer: &[u64], children: &[Child], nodes: &mut [u64]) {
        let words = self.layout.words;
        let parent = |child: &Child| &layer[child.parent as usize * words..][..words];
        for (children, nodes) in children.chunks(BATCH).zip(nodes.chunks_mut(BATCH * words)) {
            for child in children {
                parent(child).chunks(LINE).for_each(|line| prefetch(&line[0]));
            }
            for (child, node) in children.iter().zip(nodes.chunks_exact_mut(words)) {
                node.copy_from_slice(parent(child));
                node[0] = child.hash;
                self.move_blank(bytemuck::cast_slice_mut(node), child);
            }
        }
    }

    fn labels(&self, node: &[u64]) -> Vec<u8> {
        self.layout.cells(bytemuck::cast_slice(node)).to_vec()
    }
}
