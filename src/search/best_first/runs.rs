//! Nodes on their way from one list to another, in runs of one depth and one estimate each, as
//! [`Open`](super::Open) keeps them: so each takes no more than its key and a byte, and a whole
//! run is put on the open list at once.

use super::open::{OpenNode, PackedNode};
use crate::puzzle::Depth;
use crate::search::StopReason;

/// Nodes in the order in which they were added.
#[derive(Debug)]
pub(in crate::search) struct Runs<K: Copy> {
    items: Vec<PackedNode<K>>,
    headings: Vec<Heading>,
}

/// What the nodes of a run have in common.
#[derive(Clone, Copy, Debug)]
struct Heading {
    depth: Depth,
    estimate: Depth,
    /// Where the run begins; it ends where the next one does.
    start: usize,
}

/// Nodes of one depth and one estimate.
#[derive(Clone, Copy, Debug)]
pub(in crate::search) struct Run<'a, K: Copy> {
    pub(in crate::search) depth: Depth,
    pub(in crate::search) estimate: Depth,
    pub(in crate::search) items: &'a [PackedNode<K>],
}

impl<K: Copy> Run<'_, K> {
    /// The depth and the estimate together.
    pub(in crate::search) fn length(&self) -> Depth {
        self.depth + self.estimate
    }

    /// The nodes one by one.
    pub(in crate::search) fn nodes(&self) -> impl Iterator<Item = OpenNode<K>> {
        self.items.iter().map(|item| item.node(self.depth, self.estimate))
    }
}

impl<K: Copy> Runs<K> {
    pub(in crate::search) fn new() -> Runs<K> {
        Runs { items: Vec::new(), headings: Vec::new() }
    }

    pub(in crate::search) fn len(&self) -> usize {
        self.items.len()
    }

    pub(in crate::search) fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// How many bytes it takes.
    pub(in crate::search) fn bytes(&self) -> u64 {
        let items = self.items.capacity() * size_of::<PackedNode<K>>();
        (items + self.headings.capacity() * size_of::<Heading>()) as u64
    }

    /// Makes room for so many more nodes.
    ///
    /// # Errors
    /// If there is no such room.
    #[inline]
    pub(in crate::search) fn reserve(&mut self, nodes: usize) -> Result<(), StopReason> {
        let reserved = self.items.try_reserve(nodes);
        reserved.and_then(|()| self.headings.try_reserve(nodes)).map_err(|_| StopReason::Memory)
    }

    /// What is added from now on has this depth and this estimate. For this too there is room if
    /// there is for a node.
    #[inline]
    pub(in crate::search) fn begin(&mut self, depth: Depth, estimate: Depth) {
        let start = self.items.len();
        match self.headings.last_mut() {
            Some(last) if (last.depth, last.estimate) == (depth, estimate) => {}
            // Nothing was added to that run.
            Some(last) if last.start == start => *last = Heading { depth, estimate, start },
            _ => self.headings.push(Heading { depth, estimate, start }),
        }
    }

    /// Adds a node to the run that was begun.
    #[inline(always)]
    pub(in crate::search) fn push(&mut self, item: PackedNode<K>) {
        self.items.push(item);
    }

    pub(in crate::search) fn clear(&mut self) {
        self.items.clear();
        self.headings.clear();
    }

    /// The runs one by one; the last one may be empty.
    #[inline]
    pub(in crate::search) fn iter(&self) -> impl Iterator<Item = Run<'_, K>> {
        self.headings.iter().enumerate().map(|(i, &Heading { depth, estimate, start })| {
            let end = self.headings.get(i + 1).map_or(self.items.len(), |next| next.start);
            Run { depth, estimate, items: &self.items[start..end] }
        })
    }

    /// The least sum of depth and estimate; [`Depth::MAX`] if there is no node.
    pub(in crate::search) fn least_length(&self) -> Depth {
        let runs = self.iter().filter(|run| !run.items.is_empty());
        runs.map(|run| run.length()).min().unwrap_or(Depth::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Move;

    fn node(key: u64, depth: Depth, estimate: Depth) -> OpenNode<u64> {
        OpenNode { key, depth, estimate, last: Move(3), again: key % 2 == 1 }
    }

    fn told(runs: &Runs<u64>) -> Vec<(u64, Depth, Depth, bool)> {
        let nodes = runs.iter().flat_map(|run| run.nodes().collect::<Vec<_>>());
        nodes.map(|node| (node.key, node.depth, node.estimate, node.again)).collect()
    }

    #[test]
    fn nodes_keep_what_they_are_and_their_order() {
        let nodes = [(1, 5, 7), (2, 5, 7), (3, 6, 6), (4, 5, 7), (5, 0, 0)];
        let mut runs = Runs::new();
        assert!(runs.is_empty() && runs.least_length() == Depth::MAX);
        for (key, depth, estimate) in nodes {
            runs.reserve(1).unwrap();
            runs.begin(9, 9);
            runs.begin(depth, estimate);
            runs.push(node(key, depth, estimate).item());
        }
        let expected: Vec<_> =
            nodes.iter().map(|&(key, depth, h)| (key, depth, h, key % 2 == 1)).collect();
        assert_eq!(told(&runs), expected);
        assert_eq!((runs.len(), runs.least_length()), (5, 0));
        runs.clear();
        assert!(told(&runs).is_empty());
    }

    #[test]
    fn a_run_without_nodes_counts_for_nothing() {
        let mut runs: Runs<u64> = Runs::new();
        runs.begin(1, 1);
        assert_eq!(runs.least_length(), Depth::MAX);
        runs.begin(3, 4);
        runs.push(node(8, 3, 4).item());
        runs.begin(0, 1);
        assert_eq!(runs.least_length(), 7);
    }
}
