//! The sums of all children of a node, by incremental update: the node's own sum and what each move
//! adds to it.

use super::super::scorer::{Child, Parents, Scorer};
use super::Relations;
use crate::puzzle::Move;

/// A node is the label of each cell, one byte each, a word for the sum and one for the hash.
impl Scorer for Relations {
    fn node_words(&self) -> usize {
        self.cells.div_ceil(8) + 2
    }

    fn begin(&self, labels: &[u8], node: &mut [u64]) -> u32 {
        let sum = self.sum(|cell| labels[cell]);
        let (cells, rest) = node.split_at_mut(self.cells.div_ceil(8));
        let share =
            |(cell, &label): (usize, &u8)| self.zobrist[usize::from(label) * self.cells + cell];
        let hash = labels.iter().enumerate().map(share).fold(0, |hash, share| hash ^ share);
        rest.copy_from_slice(&[u64::from(sum), hash]);
        bytemuck::cast_slice_mut(cells)[..labels.len()].copy_from_slice(labels);
        self.score(sum)
    }

    fn children(&self, parents: Parents<'_>, most: u32, children: &mut Vec<Child>) -> u64 {
        let mut generated = 0;
        for (number, node) in parents.nodes.chunks_exact(self.node_words()).enumerate() {
            let (labels, sum, hash) = self.parts(node);
            let last = self.back.get(usize::from(parents.last[number])).copied().flatten();
            for m in (0..self.moves.len() as u8).map(Move).filter(|&m| Some(m) != last) {
                generated += 1;
                let change = self.change(m, |cell| labels[usize::from(cell)]);
                let score = self.score(sum.wrapping_add(change));
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
            let (before, sum, _) = self.parts(parent);
            let change = self.change(child.m, |cell| before[usize::from(cell)]);
            node.copy_from_slice(parent);
            node[words - 2] = u64::from(sum.wrapping_add(change));
            node[words - 1] = child.hash;
            let after: &mut [u8] = bytemuck::cast_slice_mut(node);
            for &(from, to) in &self.moves[child.m.index()].carried {
                after[usize::from(to)] = before[usize::from(from)];
            }
        }
    }

    fn labels(&self, node: &[u64]) -> Vec<u8> {
        self.parts(node).0.to_vec()
    }
}

impl Relations {
    /// The labels, the sum and the hash in a node.
    #[inline]
    fn parts<'a>(&self, node: &'a [u64]) -> (&'a [u8], u32, u64) {
        let labels = &bytemuck::cast_slice(node)[..self.cells];
        (labels, node[node.len() - 2] as u32, node[node.len() - 1])
    }

    /// The score of a board with this sum.
    #[inline]
    fn score(&self, sum: u32) -> u32 {
        sum >> self.fine_bits
    }

    #[inline]
    fn hash_after(&self, hash: u64, labels: &[u8], m: Move) -> u64 {
        self.moves[m.index()].carried.iter().fold(hash, |hash, &(from, to)| {
            let of_label = &self.zobrist[usize::from(labels[usize::from(from)]) * self.cells..];
            hash ^ of_label[usize::from(from)] ^ of_label[usize::from(to)]
        })
    }
}
