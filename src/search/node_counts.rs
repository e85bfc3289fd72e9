//! What a search has expanded and what waits, by depth and estimated length: told to observers that
//! ask for it, whenever limits are polled and at the end. A search that is not watched so closely
//! counts no more than it needs itself.

use super::estimator::{Estimator, Root};
use super::ida::{PassResult, deepen};
use super::{Iteration, NodeCount, Observer, StopReason, Task};
use crate::puzzle::{Depth, Move};
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

/// What IDA* expands, by depth as well: found by a plain recursion that goes through the same nodes
/// in the same order. It is many times slower, and gives up after `most` nodes.
pub(crate) fn ida_counts(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    most: u64,
) -> Option<Vec<NodeCount>> {
    let mut tally = Tally::default();
    let outcome = deepen(task, estimator, &mut |bound, so_far| {
        let loops = task.loops(estimator.frame(), so_far.expanded);
        let root = Root { start: task.start, made: &[], loops };
        let most = most.saturating_sub(so_far.expanded);
        let mut pass = CountedPass {
            estimator,
            bound,
            most,
            tally: &mut tally,
            result: PassResult::default(),
        };
        let estimate = estimator.estimate(task.start);
        pass.result.end = if estimate == 0 && estimator.is_goal(root) {
            Ok(Some(Vec::new()))
        } else {
            let mut made = Vec::new();
            pass.below(root, &mut made, estimate).map(|found| found.then_some(made))
        };
        pass.result
    });
    outcome.solution.map(|_| tally.counts())
}

/// One iteration, node by node.
struct CountedPass<'a> {
    estimator: &'a dyn Estimator,
    bound: Depth,
    most: u64,
    tally: &'a mut Tally,
    result: PassResult,
}

impl CountedPass<'_> {
    /// Searches below the node that the moves made lead to; whether they now lead to the goal.
    fn below(
        &mut self,
        root: Root<'_>,
        made: &mut Vec<Move>,
        estimate: Depth,
    ) -> Result<bool, StopReason> {
        let depth = made.len() as Depth;
        if depth + estimate > self.bound {
            self.result.next_bound = self.result.next_bound.min(depth + estimate);
            return Ok(false);
        }
        if depth == self.bound {
            self.result.next_bound = self.result.next_bound.min(depth + 1);
            return Ok(false);
        }
        if self.result.expanded == self.most {
            return Err(StopReason::Nodes);
        }
        self.result.expanded += 1;
        self.tally.add_expanded(depth, depth + estimate, 1);
        for m in self.estimator.moves(Root { made, ..root }) {
            made.push(m);
            let here = Root { made, ..root };
            let estimate = self.estimator.estimate_at(here);
            if (estimate == 0 && self.estimator.is_goal(here))
                || self.below(root, made, estimate)?
            {
                return Ok(true);
            }
            made.pop();
        }
        Ok(false)
    }
}
