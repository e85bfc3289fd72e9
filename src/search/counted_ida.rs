//! What IDA* expands, by depth and estimated length. The quick search does not know: here a plain
//! recursion goes through the same nodes in the same order, many times slower.

use super::estimator::{Estimator, Root};
use super::ida::{PassResult, deepen};
use super::node_counts::Tally;
use super::{NodeCount, StopReason, Task};
use crate::puzzle::{Depth, Move};

/// What IDA* expands until it finds a solution; nothing after `most` nodes.
pub(crate) fn counts(
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
