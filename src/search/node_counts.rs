//! What a search has expanded and what waits, by depth and estimated length: told to observers that
//! ask for it, whenever limits are polled and at the end. A search that is not watched so closely
//! counts no more than it needs itself.

use super::{Iteration, NodeCount, Observer};
use crate::puzzle::Depth;
use std::collections::BTreeMap;

/// Tells an observer that asks; after how many nodes it wants to know more.
pub(super) fn report(
    observer: &mut dyn Observer,
    expanded: u64,
    counts: &dyn Fn() -> Vec<NodeCount>,
) -> Option<u64> {
    let until_next = observer.nodes_until_counts(expanded)?;
    observer.node_counts(expanded, &counts());
    Some(until_next)
}

/// The nodes of iterations.
pub(super) fn counts_of(iterations: &[Iteration]) -> Vec<NodeCount> {
    let count = |&Iteration { bound, expanded, .. }: &Iteration| NodeCount {
        depth: None,
        length: bound,
        expanded,
        open: 0,
    };
    iterations.iter().map(count).collect()
}

/// Nodes, expanded and open, by depth and length.
#[derive(Default)]
pub(super) struct Tally(BTreeMap<(Depth, Depth), (u64, u64)>);

impl Tally {
    pub(super) fn add_expanded(&mut self, depth: Depth, length: Depth, nodes: u64) {
        self.0.entry((depth, length)).or_default().0 += nodes;
    }

    pub(super) fn add_open(&mut self, depth: Depth, length: Depth, nodes: u64) {
        self.0.entry((depth, length)).or_default().1 += nodes;
    }

    pub(super) fn counts(self) -> Vec<NodeCount> {
        let some = self.0.into_iter().filter(|(_, counts)| *counts != (0, 0));
        let count = |((depth, length), (expanded, open))| NodeCount {
            depth: Some(depth),
            length,
            expanded,
            open,
        };
        some.map(count).collect()
    }

    pub(super) fn add(&mut self, counts: &[NodeCount]) {
        for &NodeCount { depth, length, expanded, open } in counts {
            let (sum_expanded, sum_open) = self.0.entry((depth.unwrap_or(0), length)).or_default();
            *sum_expanded += expanded;
            *sum_open += open;
        }
    }
}

/// With more rows than this, rows stand for more depths each.
const MOST_ROWS: usize = 256;

/// Nodes by depth, of a search without estimates that needs no such counts itself: kept only if an
/// observer asks. A search that goes very deep has rows of several depths, a power of two.
pub(super) struct DepthCounts {
    /// Expanded and open; none if nobody asks.
    rows: Option<Vec<(u64, u64)>>,
    /// Row `i` stands for the depths from `i << shift` on.
    shift: u32,
}

impl DepthCounts {
    pub(super) fn if_asked(observer: &dyn Observer) -> DepthCounts {
        let is_asked = observer.nodes_until_counts(0).is_some();
        DepthCounts { rows: is_asked.then(Vec::new), shift: 0 }
    }

    /// A node was put on the open list.
    #[inline]
    pub(super) fn open(&mut self, depth: Depth) {
        if let Some(rows) = &mut self.rows {
            row(rows, &mut self.shift, depth).1 += 1;
        }
    }

    /// A node was taken from there and expanded.
    #[inline]
    pub(super) fn expand(&mut self, depth: Depth) {
        if let Some(rows) = &mut self.rows {
            let (expanded, open) = row(rows, &mut self.shift, depth);
            *expanded += 1;
            *open -= 1;
        }
    }

    pub(super) fn counts(&self) -> Vec<NodeCount> {
        let mut tally = Tally::default();
        for (number, &(expanded, open)) in (0..).zip(self.rows.iter().flatten()) {
            let depth = number << self.shift;
            tally.add_expanded(depth, depth, expanded);
            tally.add_open(depth, depth, open);
        }
        tally.counts()
    }
}

/// The row of a depth; rows are joined in pairs until there is one for it.
fn row<'a>(rows: &'a mut Vec<(u64, u64)>, shift: &mut u32, depth: Depth) -> &'a mut (u64, u64) {
    while (depth >> *shift) as usize >= MOST_ROWS {
        let sum = |pair: &[(u64, u64)]| pair.iter().fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        *rows = rows.chunks(2).map(sum).collect();
        *shift += 1;
    }
    let number = (depth >> *shift) as usize;
    if number >= rows.len() {
        rows.resize(number + 1, (0, 0));
    }
    &mut rows[number]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deep_search_has_rows_of_several_depths_and_loses_no_node() {
        let mut depths = DepthCounts { rows: Some(Vec::new()), shift: 0 };
        for depth in 0..100_000 {
            depths.open(depth);
            if depth % 3 != 0 {
                depths.expand(depth);
            }
        }
        let counts = depths.counts();
        assert!(counts.len() > MOST_ROWS / 2 && counts.len() <= MOST_ROWS, "{}", counts.len());
        assert_eq!(counts.iter().map(|count| count.open).sum::<u64>(), 33_334);
        assert_eq!(counts.iter().map(|count| count.expanded).sum::<u64>(), 66_666);
        assert!(counts.iter().all(|count| count.depth.unwrap() % 512 == 0));
        // The last row ends with the last depth.
        assert!(counts[..counts.len() - 1].iter().all(|it| it.expanded + it.open == 512));
    }
}
