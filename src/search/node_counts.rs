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
}
