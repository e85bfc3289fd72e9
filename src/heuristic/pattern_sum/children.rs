//! The sums of all children of a node, while the entries of the next node are being prefetched.

use super::super::scorer::{Child, Parents, Scorer};
use super::{PatternChange, PatternSum, View};
use crate::puzzle::Move;
use crate::puzzle::moves::MAX_MOVES;

/// A node is the label of each cell, one byte each, and a word for the hash.
impl Scorer for PatternSum {
    fn node_words(&self) -> usize {
        self.cells.div_ceil(8) + 1
    }

    fn begin(&self, labels: &[u8], node: &mut [u64]) -> u32 {
        let (hash, cells) = node.split_last_mut().expect("a node has words");
        *hash = self.hash(labels);
        bytemuck::cast_slice_mut(cells)[..labels.len()].copy_from_slice(labels);
        self.sum(labels)
    }

    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64 {
        let mut generated = 0;
        let mut nodes = parents.nodes.chunks_exact(self.node_words()).enumerate().peekable();
        // While a node is scored, the entries that the next one needs are on their way.
        let (mut now, mut next) = (Lookups::new(self), Lookups::new(self));
        if let Some((_, first)) = nodes.peek() {
            next.find(self, self.labels_of(first));
        }
        let mut scores = [0; MAX_MOVES];
        while let Some((number, node)) = nodes.next() {
            std::mem::swap(&mut now, &mut next);
            if let Some((_, after)) = nodes.peek() {
                next.find(self, self.labels_of(after));
            }
            now.score(self, &mut scores);
            let (hash, labels) = (node[node.len() - 1], self.labels_of(node));
            let last = self.back.get(usize::from(parents.last[number])).copied().flatten();
            for (m, &score) in scores[..self.moves.len()].iter().enumerate() {
                let m = Move(m as u8);
                if Some(m) == last {
                    continue;
                }
                generated += 1;
                if score <= most {
                    let hash = self.hash_after(hash, labels, m);
                    let parent = parents.first + number as u32;
                    children.push(Child { hash, score, parent, m, note: 0 });
                }
            }
        }
        generated
    }

    fn make(&self, layer: &[u64], children: &[Child], nodes: &mut [u64]) {
        let words = self.node_words();
        for (child, node) in children.iter().zip(nodes.chunks_exact_mut(words)) {
            let parent = &layer[child.parent as usize * words..][..words];
            node.copy_from_slice(parent);
            node[words - 1] = child.hash;
            let before: &[u8] = bytemuck::cast_slice(parent);
            let after: &mut [u8] = bytemuck::cast_slice_mut(node);
            for &(from, to) in &self.moves[child.m.index()] {
                after[usize::from(to)] = before[usize::from(from)];
            }
        }
    }

    fn labels(&self, node: &[u64]) -> Vec<u8> {
        self.labels_of(node).to_vec()
    }
}

impl PatternSum {
    /// The labels in a node.
    #[inline]
    fn labels_of<'a>(&self, node: &'a [u64]) -> &'a [u8] {
        &bytemuck::cast_slice(node)[..self.cells]
    }

    #[inline]
    fn hash_after(&self, hash: u64, labels: &[u8], m: Move) -> u64 {
        self.moves[m.index()].iter().fold(hash, |hash, &(from, to)| {
            let of_label = &self.zobrist[usize::from(labels[usize::from(from)]) * self.cells..];
            hash ^ of_label[usize::from(from)] ^ of_label[usize::from(to)]
        })
    }
}

/// What is looked up to score the children of a node.
#[derive(Default)]
struct Lookups {
    /// In the order in which they are added up: for each view with rows, pattern by pattern, the
    /// numbers after all moves; for others, the numbers of all patterns now, and then for each move
    /// those of the patterns that it changes.
    numbers: Vec<u32>,
    /// The patterns that moves change, for views without rows; [`ALL_TOLD`] after those of a move.
    changed: Vec<u8>,
    /// By label, its cell.
    places: Vec<u8>,
    /// By pattern of a view, its number, its distance, and what a move adds to the number.
    now: Vec<u32>,
    distances: Vec<u32>,
    changes: Vec<u32>,
}

/// Stands after the patterns that a move changes.
const ALL_TOLD: u8 = u8::MAX;

impl Lookups {
    fn new(sum: &PatternSum) -> Lookups {
        let zeros = || vec![0; sum.cells];
        Lookups { places: vec![0; sum.cells], changes: zeros(), ..Lookups::default() }
    }

    /// Finds what is to be looked up, and has it fetched.
    fn find(&mut self, sum: &PatternSum, labels: &[u8]) {
        for (cell, &label) in labels.iter().enumerate() {
            self.places[usize::from(label)] = cell as u8;
        }
        self.numbers.clear();
        self.changed.clear();
        for view in &sum.views {
            if !view.rows.is_empty() {
                self.find_in_rows(sum, view);
                continue;
            }
            view.numbers(if view.of_inverse { labels } else { &self.places }, &mut self.now);
            for (&number, &table) in self.now.iter().zip(&view.patterns) {
                sum.tables[table].prefetch(number);
            }
            self.numbers.extend(&self.now);
            if view.of_inverse {
                self.find_in_inverse(sum, view, labels);
            } else {
                self.find_changed(sum, view, labels);
            }
        }
    }

    /// The numbers of a view after all moves, from the rows of shares.
    fn find_in_rows(&mut self, sum: &PatternSum, view: &View) {
        let moves = sum.moves.len();
        let mut tiles = view.tiles.iter();
        for &table in &view.patterns {
            let table = &sum.tables[table];
            let begin = self.numbers.len();
            self.numbers.resize(begin + moves, 0);
            let row = &mut self.numbers[begin..];
            for &tile in tiles.by_ref().take(table.tiles().len()) {
                let tile = usize::from(tile);
                let at = (tile * sum.cells + usize::from(self.places[tile])) * moves;
                for (number, share) in row.iter_mut().zip(&view.rows[at..at + moves]) {
                    *number += share;
                }
            }
            row.iter().for_each(|&number| table.prefetch(number));
        }
    }

    /// The numbers of the inverse that moves change: always those of the same patterns.
    fn find_in_inverse(&mut self, sum: &PatternSum, view: &View, labels: &[u8]) {
        for changes in &view.changes {
            for PatternChange { pattern, cells } in changes {
                // Cells are tiles here, and labels the places where they are.
                let mut number = self.now[usize::from(*pattern)];
                for &(to, from) in cells {
                    let shares = &view.shares[usize::from(to) * sum.cells..][..sum.cells];
                    number = number
                        .wrapping_add(shares[usize::from(labels[usize::from(from)])])
                        .wrapping_sub(shares[usize::from(labels[usize::from(to)])]);
                }
                sum.tables[view.patterns[usize::from(*pattern)]].prefetch(number);
                self.numbers.push(number);
                self.changed.push(*pattern);
            }
            self.changed.push(ALL_TOLD);
        }
    }

    /// The numbers of a view of the board that moves change.
    fn find_changed(&mut self, sum: &PatternSum, view: &View, labels: &[u8]) {
        for carried in &sum.moves {
            let first = self.changed.len();
            for &(from, to) in carried {
                let tile = usize::from(labels[usize::from(from)]);
                let pattern = view.pattern_of[tile];
                if !self.changed[first..].contains(&pattern) {
                    self.changed.push(pattern);
                }
                let shares = &view.shares[tile * sum.cells..][..sum.cells];
                let change = &mut self.changes[usize::from(pattern)];
                *change = change
                    .wrapping_add(shares[usize::from(to)])
                    .wrapping_sub(shares[usize::from(from)]);
            }
            for &pattern in &self.changed[first..] {
                let pattern = usize::from(pattern);
                let change = std::mem::take(&mut self.changes[pattern]);
                let number = self.now[pattern].wrapping_add(change);
                sum.tables[view.patterns[pattern]].prefetch(number);
                self.numbers.push(number);
            }
            self.changed.push(ALL_TOLD);
        }
    }

    /// The scores of the children by all moves, from what was found.
    fn score(&mut self, sum: &PatternSum, scores: &mut [u32; MAX_MOVES]) {
        let moves = sum.moves.len();
        scores[..moves].fill(0);
        let (mut numbers, mut changed) = (self.numbers.iter(), self.changed.iter());
        for view in &sum.views {
            if !view.rows.is_empty() {
                for &table in &view.patterns {
                    let table = &sum.tables[table];
                    for (score, &number) in scores[..moves].iter_mut().zip(numbers.by_ref()) {
                        *score += table.distance(number);
                    }
                }
                continue;
            }
            self.distances.clear();
            let now = view.patterns.iter().zip(numbers.by_ref());
            self.distances.extend(now.map(|(&table, &at)| sum.tables[table].distance(at)));
            let now: u32 = self.distances.iter().sum();
            for score in &mut scores[..moves] {
                *score += now;
                let of_move = changed.by_ref().take_while(|&&pattern| pattern != ALL_TOLD);
                for (&pattern, &number) in of_move.zip(numbers.by_ref()) {
                    let pattern = usize::from(pattern);
                    *score += sum.tables[view.patterns[pattern]].distance(number);
                    *score -= self.distances[pattern];
                }
            }
        }
    }
}
