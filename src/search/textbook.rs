//! A* as textbooks and course solutions write it: one priority queue, and ties broken in a way
//! that their published counts depend on.
//!
//! It is here so that those counts can be reproduced and compared; `astar` is the
//! quick one. Ties go to the node that was put into the queue first, or to the smaller board
//! read as a number (see [`Ties`]). A state is counted as expanded once, the goal not at all. A
//! state that is met again on a shorter path, or with a lower priority, is put into the queue
//! again; the old entry is passed over when its turn comes.
//!
//! Priorities are the sums g + h in floating point, with h not rounded
//! ([`Heuristic::unrounded`](crate::heuristic::Heuristic::unrounded)). With whole numbers, as those of the Manhattan distance, that makes
//! no difference. With straight-line distances, published counts hang on rounding errors: a
//! program that keeps only the priority of a node gets its g back as the priority − h, which is
//! now and then off by 10⁻¹⁵, and that decides ties. This one does the same. The solutions stay
//! optimal, as the errors are far smaller than a move.

use super::estimator::{Estimator, Successor};
use super::poller::Poller;
use super::{
    Algorithm, Observer, Optimality, Outcome, Setting, Statistics, StopReason, Task, Ties,
};
use crate::hash::HashMap;
use crate::puzzle::{Depth, Move};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;
use std::rc::Rc;

/// A* with a binary heap.
pub static TEXTBOOK_ASTAR: Algorithm = Algorithm {
    name: "astar-textbook",
    summary: "A* with one priority queue and ties as the courses break them, to reproduce their counts",
    optimality: Optimality::IfAdmissible,
    guided: true,
    parallel: false,
    follows: &[Setting::Order, Setting::Ties],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let mut statistics = Statistics::default();
    let mut bound = 0;
    let end = expand_until_goal(task, estimator, &mut bound, &mut statistics, observer);
    Outcome::from_first(end, true, bound, statistics)
}

/// A priority or a part of one: never NaN, so that it has an order.
#[derive(Clone, Copy, PartialEq, Debug)]
struct Real(f64);

impl Eq for Real {}

impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// More than all rounding errors on a path together, and far less than a move.
const ERROR: f64 = 1e-6;

/// What is known of a state.
struct Known {
    priority: Real,
    depth: Depth,
    /// The board before, and the move that led from there.
    parent: Option<(Labels, Move)>,
    expanded: bool,
}

impl Known {
    /// Whether the state is to be put into the queue again for this. An error alone is no reason
    /// to expand it again.
    fn is_worse(&self, fresh: &Known) -> bool {
        let lower = self.depth == fresh.depth && self.priority > fresh.priority;
        self.depth > fresh.depth || (lower && !self.expanded)
    }
}

/// A board in the map and in the queue.
type Labels = Rc<[u8]>;

/// About what a state takes in the map and in the queue.
fn bytes_per_state(cells: usize) -> u64 {
    let entry = size_of::<(Real, Vec<u16>, u64, Labels, Depth, Real)>();
    (2 * (size_of::<(Labels, Known)>() + entry) + cells) as u64
}

fn expand_until_goal(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    bound: &mut Depth,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, StopReason> {
    let Task { start, ref limits, options, .. } = *task;
    let frame = estimator.frame();
    let order = task.move_order(frame);
    // Ties by the board are decided before those by age, which is different for each node.
    let tie = |labels: &[u8]| match options.ties {
        Ties::FirstIn => Vec::new(),
        Ties::SmallerBoard => frame.decode(labels).tiles().iter().map(|tile| tile.0).collect(),
    };
    // Each tile of the goal is in its goal cell.
    let is_goal =
        |labels: &[u8]| labels.iter().enumerate().all(|(cell, &l)| usize::from(l) == cell);
    let mut known: HashMap<Labels, Known> = HashMap::default();
    let mut queue = BinaryHeap::new();
    let mut age = 0u64;
    let estimate = Real(estimator.unrounded(start));
    let root: Labels = start.into();
    let unexpanded = Known { priority: estimate, depth: 0, parent: None, expanded: false };
    known.insert(Rc::clone(&root), unexpanded);
    queue.push(Reverse((estimate, tie(&root), age, root, 0, estimate)));
    let mut poller = Poller::new(limits, observer);
    while let Some(Reverse((priority, _, _, labels, depth, estimate))) = queue.pop() {
        *bound = ((priority.0 - ERROR).ceil() as Depth).max(*bound);
        if is_goal(&labels) {
            return Ok(path_to(&labels, &known));
        }
        let node = known.get_mut(&labels).expect("what is in the queue is known");
        if node.depth < depth || node.expanded {
            continue;
        }
        node.expanded = true;
        poller.step(*bound, statistics.expanded)?;
        statistics.expanded += 1;
        let cost = priority.0 - estimate.0;
        for Successor { m, labels: successor, unrounded } in estimator.successors(&labels, &order) {
            statistics.generated += 1;
            statistics.evaluations += 1;
            let successor: Labels = successor.into();
            let estimate = Real(unrounded);
            let priority = Real(cost + estimate.0 + 1.0);
            let depth = depth + 1;
            let parent = Some((Rc::clone(&labels), m));
            let fresh = Known { priority, depth, parent, expanded: false };
            match known.entry(Rc::clone(&successor)) {
                Entry::Vacant(entry) => {
                    entry.insert(fresh);
                }
                Entry::Occupied(mut entry) if entry.get().is_worse(&fresh) => {
                    statistics.reopened += u64::from(entry.get().expanded);
                    entry.insert(fresh);
                }
                Entry::Occupied(_) => {
                    statistics.duplicates += 1;
                    continue;
                }
            }
            statistics.max_depth = statistics.max_depth.max(depth);
            age += 1;
            queue.push(Reverse((priority, tie(&successor), age, successor, depth, estimate)));
        }
        let bytes = (known.len().max(queue.len())) as u64 * bytes_per_state(start.len());
        statistics.peak_bytes = statistics.peak_bytes.max(bytes);
        limits.check_bytes(bytes)?;
    }
    // The solver has made sure that the goal can be reached.
    Err(StopReason::Depth)
}

/// The moves that led to a board.
fn path_to(labels: &Labels, known: &HashMap<Labels, Known>) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut next = labels;
    while let Some((before, m)) = &known[next].parent {
        moves.push(*m);
        next = before;
    }
    moves.reverse();
    moves
}
