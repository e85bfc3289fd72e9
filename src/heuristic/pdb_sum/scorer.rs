//! How a beam scores boards of sliding puzzles by the sum.
//!
//! A node has a hash of the board, the label of each cell, the cell of each label, the distance of
//! each pattern modulo 256, and the score. A move changes one pattern on each side, by one step up
//! or down; which it is, the entry of the pattern's new placement says. The placements of a batch
//! of nodes are all worked out, and their entries asked for, before the first is read.

use super::{PdbSum, Side};
use crate::heuristic::scorer::{Child, Parents, Scorer};
use crate::puzzle::Move;
use crate::puzzle::arch::prefetch;
use crate::table::sliding::rows::Placement;

/// How many nodes have their entries asked for at once.
const BATCH: usize = 32;

/// Up, Down, Left, Right.
pub(super) const MOVES: usize = 4;

/// Where the parts of a node begin, in bytes. The hash is the first word.
#[derive(Clone, Copy, Debug)]
pub(super) struct Layout {
    cells: usize,
    places: usize,
    distances: usize,
    score: usize,
    words: usize,
}

/// The bytes of a word.
const WORD: usize = size_of::<u64>();

/// The words of a line of the cache.
const LINE: usize = 8;

impl Layout {
    /// That of boards of so many cells, with so many patterns on all sides together.
    pub(super) fn new(cells: usize, patterns: usize) -> Layout {
        let (places, distances) = (WORD + cells, WORD + 2 * cells);
        let score = (distances + patterns).next_multiple_of(size_of::<u32>());
        let words = (score + size_of::<u32>()).div_ceil(WORD);
        Layout { cells: WORD, places, distances, score, words }
    }

    fn cells(self, node: &[u8]) -> &[u8] {
        &node[self.cells..self.places]
    }

    fn places(self, node: &[u8]) -> &[u8] {
        &node[self.places..self.distances]
    }

    fn score(self, node: &[u8]) -> u32 {
        u32::from_ne_bytes(node[self.score..self.score + 4].try_into().expect("four bytes"))
    }

    fn set_score(self, node: &mut [u8], score: u32) {
        node[self.score..self.score + 4].copy_from_slice(&score.to_ne_bytes());
    }
}

/// A move of a node, whose entries have been asked for.
#[derive(Clone, Copy, Debug)]
struct Pending<const SIDES: usize> {
    /// The number of the node in its batch.
    node: u32,
    m: u8,
    /// Where the blank goes.
    target: u8,
    /// The tile that is there.
    label: u8,
    placements: [Placement; SIDES],
}

impl PdbSum {
    /// The placement of the pattern of a tile on one side, when the tile has gone to the blank's
    /// cell; its entry is asked for.
    #[inline(always)]
    fn placement_after(&self, side: &Side, places: &[u8], label: u8, blank: u8) -> Placement {
        let pattern = &side.patterns[usize::from(side.pattern_of[usize::from(label)])];
        let map = &self.maps[pattern.map];
        let cell = |tile: usize| {
            let other = pattern.labels[tile];
            let cell = if other == label { blank } else { places[usize::from(other)] };
            map[usize::from(cell)]
        };
        let table = &self.tables[pattern.table];
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

    /// The distance of a tile's pattern after the blank has gone to its cell: where the distance is
    /// kept, and what it is then.
    #[inline(always)]
    fn distance_after(
        &self,
        side: &Side,
        node: &[u8],
        (label, target): (u8, u8),
        placement: Placement,
    ) -> (usize, u8) {
        let pattern = &side.patterns[usize::from(side.pattern_of[usize::from(label)])];
        let at = self.kept_at(side, label);
        let blank = self.maps[pattern.map][usize::from(target)];
        (at, self.tables[pattern.table].after_step(node[at], placement, blank))
    }

    /// The hash of a tile in a cell.
    #[inline(always)]
    fn hash(&self, label: u8, cell: u8) -> u64 {
        self.hashes[usize::from(label)][usize::from(cell)]
    }

    fn children_of<const SIDES: usize>(
        &self,
        parents: Parents<'_>,
        most: u32,
        children: &mut Vec<Child>,
    ) -> u64 {
        let layout = self.layout;
        let none = Pending {
            node: 0,
            m: 0,
            target: 0,
            label: 0,
            placements: [Placement::default(); SIDES],
        };
        let mut pending = [none; BATCH * MOVES];
        let mut generated = 0;
        for (batch, nodes) in parents.nodes.chunks(BATCH * layout.words).enumerate() {
            let first = batch * BATCH;
            let bytes: &[u8] = bytemuck::cast_slice(nodes);
            let nodes = || bytes.chunks_exact(WORD * layout.words);
            let mut count = 0;
            for (number, node) in nodes().enumerate() {
                let (cells, places) = (layout.cells(node), layout.places(node));
                let blank = places[usize::from(self.blank)];
                let back = self.back(parents.last[first + number]);
                for (m, &target) in self.targets[usize::from(blank)].iter().enumerate() {
                    if target == blank || m == back {
                        continue;
                    }
                    let label = cells[usize::from(target)];
                    let side =
                        |side: usize| self.placement_after(&self.sides[side], places, label, blank);
                    pending[count] = Pending {
                        node: number as u32,
                        m: m as u8,
                        target,
                        label,
                        placements: std::array::from_fn(side),
                    };
                    count += 1;
                }
            }
            generated += count as u64;
            let node_bytes = WORD * layout.words;
            for &Pending { node: number, m, target, label, placements } in &pending[..count] {
                let number = number as usize;
                let node = &bytes[number * node_bytes..][..node_bytes];
                let mut score = parents.scores[first + number];
                for (side, &placement) in self.sides.iter().zip(&placements) {
                    let (at, after) = self.distance_after(side, node, (label, target), placement);
                    score =
                        score.wrapping_add_signed(i32::from(after.wrapping_sub(node[at]) as i8));
                }
                if score > most {
                    continue;
                }
                let blank = layout.places(node)[usize::from(self.blank)];
                let hash = u64::from_ne_bytes(node[..WORD].try_into().expect("a word"));
                children.push(Child {
                    hash: hash ^ self.hash(label, target) ^ self.hash(label, blank),
                    score,
                    parent: parents.first + (first + number) as u32,
                    m: Move(m),
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

    /// Makes a node of its parent: the move that led there, and, unless the score tells what becomes
    /// of all distances, the placement on the first side.
    fn move_blank(&self, node: &mut [u8], child: &Child) -> Option<(u8, u8, Placement)> {
        let layout = self.layout;
        let blank = layout.places(node)[usize::from(self.blank)];
        let target = self.targets[usize::from(blank)][child.m.index() % MOVES];
        let label = layout.cells(node)[usize::from(target)];
        let rise = child.score.wrapping_sub(layout.score(node)) as i32;
        let opposed = if rise == 0 {
            let first = &self.sides[0];
            Some((label, target, self.placement_after(first, layout.places(node), label, blank)))
        } else {
            for side in &self.sides {
                let at = self.kept_at(side, label);
                node[at] = node[at].wrapping_add_signed(rise.signum() as i8);
            }
            None
        };
        node[layout.cells + usize::from(blank)] = label;
        node[layout.cells + usize::from(target)] = self.blank;
        node[layout.places + usize::from(label)] = blank;
        node[layout.places + usize::from(self.blank)] = target;
        layout.set_score(node, child.score);
        opposed
    }

    /// Sets the distances where one side has come nearer and the other is farther.
    fn set_opposed(&self, node: &mut [u8], (label, target, placement): (u8, u8, Placement)) {
        let [first, second] = &self.sides[..] else {
            unreachable!("on one side alone, each move changes the score");
        };
        let (at, after) = self.distance_after(first, node, (label, target), placement);
        let change = after.wrapping_sub(node[at]);
        node[at] = after;
        let other = self.kept_at(second, label);
        node[other] = node[other].wrapping_sub(change);
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
        node[layout.cells..layout.places].copy_from_slice(labels);
        node[layout.places..layout.distances].copy_from_slice(&places[..labels.len()]);
        let mut score = 0;
        for side in &self.sides {
            for (number, pattern) in side.patterns.iter().enumerate() {
                let distance = self.distance(pattern, &places);
                node[layout.distances + side.first + number] = distance as u8;
                score += distance;
            }
        }
        layout.set_score(node, score);
        score
    }

    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64 {
        match self.sides.len() {
            1 => self.children_of::<1>(parents, most, children),
            _ => self.children_of::<2>(parents, most, children),
        }
    }

    fn make(&self, layer: &[u64], children: &[Child], nodes: &mut [u64]) {
        let words = self.layout.words;
        let parent = |child: &Child| &layer[child.parent as usize * words..][..words];
        for (children, nodes) in children.chunks(BATCH).zip(nodes.chunks_mut(BATCH * words)) {
            for child in children {
                parent(child).chunks(LINE).for_each(|line| prefetch(&line[0]));
            }
            let mut opposed = [None; BATCH];
            let made = children.iter().zip(nodes.chunks_exact_mut(words)).zip(&mut opposed);
            for ((child, node), opposed) in made {
                node.copy_from_slice(parent(child));
                node[0] = child.hash;
                *opposed = self.move_blank(bytemuck::cast_slice_mut(node), child);
            }
            for (node, opposed) in nodes.chunks_exact_mut(words).zip(opposed) {
                if let Some(opposed) = opposed {
                    self.set_opposed(bytemuck::cast_slice_mut(node), opposed);
                }
            }
        }
    }

    fn labels(&self, node: &[u64]) -> Vec<u8> {
        self.layout.cells(bytemuck::cast_slice(node)).to_vec()
    }
}
