//! How the nodes of a search are distributed over depths and estimated lengths, at moments that
//! get rarer as the search gets on: what the events of a watched search tell.

use crate::limits::NodeCount;
use serde::Serialize;

/// The next moment comes when a search has grown by this part, and by a few nodes at least.
const PART: u64 = 8;
const FEW: u64 = 8;

/// How many moments are kept until they are told.
const MOST_VIEWS: usize = 200;

/// How many rows of counts a moment has at most. A search with more of them is not told: large boards.
const MOST_COUNTS: usize = 500;

/// A search at one moment.
#[derive(Serialize)]
pub(super) struct View {
    seconds: f64,
    expanded: u64,
    /// Depth, estimated length, nodes expanded and nodes that wait.
    layers: Vec<(Option<u32>, u32, u64, u64)>,
}

/// The moments of a search that were not told yet.
pub(super) struct Layers {
    wanted: bool,
    views: Vec<View>,
}

impl Layers {
    pub(super) fn new(wanted: bool) -> Layers {
        Layers { wanted, views: Vec::new() }
    }

    /// After how many nodes the next moment has come.
    pub(super) fn nodes_until_next(&self, expanded: u64) -> Option<u64> {
        self.wanted.then(|| FEW.max(expanded / PART))
    }

    pub(super) fn add(&mut self, seconds: f64, expanded: u64, counts: &[NodeCount]) {
        if counts.is_empty() || counts.len() > MOST_COUNTS || self.views.len() >= MOST_VIEWS {
            return;
        }
        let row = |it: &NodeCount| (it.depth, it.length, it.expanded, it.open);
        self.views.push(View { seconds, expanded, layers: counts.iter().map(row).collect() });
    }

    /// Those that were not told yet.
    pub(super) fn take(&mut self) -> Option<Vec<View>> {
        (!self.views.is_empty()).then(|| std::mem::take(&mut self.views))
    }
}
