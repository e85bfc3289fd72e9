//! Rearrangements of the cells of a grid, as plain lists.
//!
//! This is the exact, slow form from which every table is derived; packed states
//! apply moves by other means (see [`super::packed`]).

use crate::board::MAX_CELLS;

/// A rearrangement of `n` cells in gather form: after it, cell `c` holds what was
/// in cell `source(c)` before.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Permutation {
    source: Box<[u8]>,
}

impl Permutation {
    /// Leaves every cell as it is.
    pub fn identity(cells: usize) -> Permutation {
        assert!(cells <= MAX_CELLS, "a cell's index fits a byte");
        Permutation { source: (0..cells).map(|c| c as u8).collect() }
    }

    /// The rearrangement after which cell `c` holds what was in `source[c]`, or
    /// `None` if some cell is named twice or does not exist.
    pub fn from_sources(source: impl Into<Box<[u8]>>) -> Option<Permutation> {
        let source = source.into();
        let mut seen = [false; MAX_CELLS];
        let is_permutation = source.len() <= MAX_CELLS
            && source.iter().all(|&c| {
                usize::from(c) < source.len() && !std::mem::replace(&mut seen[usize::from(c)], true)
            });
        is_permutation.then_some(Permutation { source })
    }

    /// The rearrangement in which what is in each cell of a cycle goes to the next
    /// cell of it, and from the last to the first.
    ///
    /// The cells of all cycles together must be distinct and exist.
    pub fn from_cycles<C: AsRef<[usize]>>(cells: usize, cycles: &[C]) -> Permutation {
        let mut result = Permutation::identity(cells);
        for cycle in cycles {
            let cycle = cycle.as_ref();
            for (i, &from) in cycle.iter().enumerate() {
                let to = cycle[(i + 1) % cycle.len()];
                result.source[to] = from as u8;
            }
        }
        debug_assert!(Permutation::from_sources(result.source.clone()).is_some());
        result
    }

    /// How many cells there are.
    pub fn cells(&self) -> usize {
        self.source.len()
    }

    /// The cell whose content comes to `cell`.
    pub fn source(&self, cell: usize) -> usize {
        usize::from(self.source[cell])
    }

    /// For each cell, the cell whose content comes to it.
    pub fn sources(&self) -> &[u8] {
        &self.source
    }

    /// First `self`, then `next`.
    #[must_use]
    pub fn then(&self, next: &Permutation) -> Permutation {
        debug_assert_eq!(self.cells(), next.cells());
        Permutation { source: next.source.iter().map(|&c| self.source[usize::from(c)]).collect() }
    }

    /// What undoes `self`.
    #[must_use]
    pub fn inverse(&self) -> Permutation {
        let mut source = self.source.clone();
        for (to, &from) in self.source.iter().enumerate() {
            source[usize::from(from)] = to as u8;
        }
        Permutation { source }
    }

    /// `self` seen through a renaming of the cells: cell `c` is called `names.source(c)`.
    ///
    /// If `self` brings the content of `a` to `b`, the result brings the content of
    /// the cell called `a` to the cell called `b`.
    #[must_use]
    pub fn renamed(&self, names: &Permutation) -> Permutation {
        let mut source = self.source.clone();
        for (to, &from) in self.source.iter().enumerate() {
            source[names.source(to)] = names.source[usize::from(from)];
        }
        Permutation { source }
    }

    /// Whether nothing moves.
    pub fn is_identity(&self) -> bool {
        self.source.iter().enumerate().all(|(to, &from)| to == usize::from(from))
    }

    /// Whether both, done in either order, give the same.
    pub fn commutes_with(&self, other: &Permutation) -> bool {
        self.then(other) == other.then(self)
    }

    /// The cells whose content changes.
    pub fn moved(&self) -> impl Iterator<Item = usize> {
        self.source
            .iter()
            .enumerate()
            .filter(|&(to, &from)| to != usize::from(from))
            .map(|(to, _)| to)
    }

    /// The cycles of more than one cell; content goes from each cell to the next.
    pub fn cycles(&self) -> Vec<Vec<usize>> {
        let inverse = self.inverse();
        let mut seen = vec![false; self.cells()];
        let mut cycles = Vec::new();
        for start in self.moved() {
            let mut cycle = Vec::new();
            let mut cell = start;
            while !std::mem::replace(&mut seen[cell], true) {
                cycle.push(cell);
                cell = inverse.source(cell);
            }
            if !cycle.is_empty() {
                cycles.push(cycle);
            }
        }
        cycles
    }

    /// Whether it is made of an odd number of swaps.
    pub fn is_odd(&self) -> bool {
        is_odd(&self.source)
    }

    /// How often it must be done to change nothing, saturating at `u64::MAX`.
    pub fn order(&self) -> u64 {
        self.cycles().iter().fold(1u64, |order, cycle| {
            let length = cycle.len() as u64;
            (order / gcd(order, length)).saturating_mul(length)
        })
    }
}

/// Whether the rearrangement with these sources is odd. They must be a permutation.
pub(super) fn is_odd(sources: &[u8]) -> bool {
    let mut seen = [false; MAX_CELLS];
    let mut odd = false;
    for start in 0..sources.len() {
        // A cycle of n cells is made of n - 1 swaps.
        odd ^= !seen[start];
        let mut cell = start;
        while !std::mem::replace(&mut seen[cell], true) {
            odd = !odd;
            cell = usize::from(sources[cell]);
        }
    }
    odd
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_orders_and_parities() {
        let p = Permutation::from_cycles(6, &[vec![0, 1, 2], vec![4, 5]]);
        assert_eq!(p.sources(), [2, 0, 1, 3, 5, 4]);
        assert_eq!(p.cycles(), [vec![0, 1, 2], vec![4, 5]]);
        assert_eq!(p.order(), 6);
        assert!(p.is_odd());
        assert!(!p.then(&p).is_odd());
        assert!(p.then(&p.inverse()).is_identity());
        assert_eq!(p.moved().collect::<Vec<_>>(), [0, 1, 2, 4, 5]);
    }

    #[test]
    fn renaming_maps_cycles() {
        let p = Permutation::from_cycles(4, &[[0, 1, 2]]);
        let names = Permutation::from_sources([3, 2, 1, 0]).unwrap();
        assert_eq!(p.renamed(&names), Permutation::from_cycles(4, &[[3, 2, 1]]));
    }

    #[test]
    fn lists_that_are_no_permutation() {
        assert_eq!(Permutation::from_sources([0, 0, 1]), None);
        assert_eq!(Permutation::from_sources([0, 3, 1]), None);
    }
}
