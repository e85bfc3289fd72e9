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
//! ([`Heuristic::unrounded`](crate::heuristic::Heuristic::unrounded)). With whole numbers, as
//! those of the Manhattan distance, that makes no difference. With straight-line distances,
//! published counts hang on rounding errors: a program that keeps only the priority of a node
//! gets its g back as the priority − h, which is now and then off by 10⁻¹⁵, and that decides
//! ties. This one does the same. The solutions stay optimal, as the errors are far smaller than a
//! move.

use super::estimator::{Estimator, Successor, on_key};
use super::graph::{Graph, START, path_to};
use super::node_counts::Tally;
use super::poller::Poller;
use super::{
    Algorithm, Limits, NodeCount, Observer, Optimality, Outcome, Setting, Statistics, StopReason,
    Task, Ties,
};
use crate::hash::{HashMap, bytes_of, make_room};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

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
    let end = on_key!(estimator.expander(), expander => {
        let graph = expander.graph();
        expand_until_goal(task, estimator, graph, &mut bound, &mut statistics, observer)
    });
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
    /// The move that led there, or [`START`].
    last: u8,
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

/// A node in the queue: its priority, its tie, its age, the state, its depth and its estimate.
type Queued<K> = Reverse<(Real, Vec<u16>, u64, K, Depth, Real)>;

/// How many times its size a list counts that has grown by being copied: what it has outgrown is
/// given back to the system late.
const OUTGROWN: u64 = 2;

/// Puts a node into the queue, if there is room for it; what is `held` besides counts.
fn push<K: Ord>(
    queue: &mut BinaryHeap<Queued<K>>,
    node: Queued<K>,
    limits: &Limits<'_>,
    held: u64,
) -> Result<(), StopReason> {
    if queue.len() == queue.capacity() {
        limits.check_bytes(OUTGROWN * (held + 2 * queue_bytes(queue)))?;
        queue.try_reserve(1).map_err(|_| StopReason::Memory)?;
    }
    queue.push(node);
    Ok(())
}

fn queue_bytes<K>(queue: &BinaryHeap<Queued<K>>) -> u64 {
    (queue.capacity() * size_of::<Queued<K>>()) as u64
}

/// What was expanded and what waits, as does the state whose turn it is.
fn counts<K: PartialEq>(known: &HashMap<K, Known>, turn: &K) -> Vec<NodeCount> {
    let mut tally = Tally::default();
    for (key, node) in known {
        let length = (node.priority.0 - ERROR).ceil() as Depth;
        let add = if node.expanded && key != turn { Tally::add_expanded } else { Tally::add_open };
        add(&mut tally, node.depth, length, 1);
    }
    tally.counts()
}

fn expand_until_goal<K: Packed>(
    task: &Task<'_>,
    estimator: &dyn Estimator,
    graph: &dyn Graph<K>,
    bound: &mut Depth,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, StopReason> {
    let Task { start, ref limits, options, .. } = *task;
    let (frame, cells) = (estimator.frame(), start.len());
    let order = task.move_order(frame);
    // Ties by the board are decided before those by age, which is different for each node.
    let tie = |labels: &[u8]| match options.ties {
        Ties::FirstIn => Vec::new(),
        Ties::SmallerBoard => frame.decode(labels).tiles().iter().map(|tile| tile.0).collect(),
    };
    let tie_bytes = if options.ties == Ties::FirstIn { 0 } else { 2 * cells as u64 };
    let mut known: HashMap<K, Known> = HashMap::default();
    let mut queue: BinaryHeap<Queued<K>> = BinaryHeap::new();
    let mut age = 0u64;
    let estimate = Real(estimator.unrounded(start));
    let root = graph.key(start);
    known.insert(root, Known { priority: estimate, depth: 0, last: START, expanded: false });
    queue.push(Reverse((estimate, tie(start), age, root, 0, estimate)));
    let mut poller = Poller::new(limits, observer);
    while let Some(Reverse((priority, _, _, key, depth, estimate))) = queue.pop() {
        *bound = ((priority.0 - ERROR).ceil() as Depth).max(*bound);
        if key == graph.goal() {
            poller.finish(statistics.expanded, &|| counts(&known, &key));
            return Ok(path_to(graph, key, &|key| known[&key].last));
        }
        let node = known.get_mut(&key).expect("what is in the queue is known");
        if node.depth < depth || node.expanded {
            continue;
        }
        node.expanded = true;
        poller.steps(1, *bound, statistics.expanded, &|| counts(&known, &key))?;
        statistics.expanded += 1;
        let cost = priority.0 - estimate.0;
        for Successor { m, labels, unrounded } in estimator.successors(&key.labels(cells), &order) {
            statistics.generated += 1;
            statistics.evaluations += 1;
            let successor = graph.key(&labels);
            let estimate = Real(unrounded);
            let priority = Real(cost + estimate.0 + 1.0);
            let depth = depth + 1;
            let fresh = Known { priority, depth, last: m.0, expanded: false };
            let ties = tie_bytes * queue.len() as u64;
            let outgrown = (OUTGROWN - 1) * bytes_of(&known);
            make_room(&mut known, limits, OUTGROWN * (queue_bytes(&queue) + ties) + outgrown)?;
            match known.entry(successor) {
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
            let node = Reverse((priority, tie(&labels), age, successor, depth, estimate));
            push(&mut queue, node, limits, bytes_of(&known) + ties)?;
            let bytes = bytes_of(&known) + queue_bytes(&queue) + ties;
            statistics.peak_bytes = statistics.peak_bytes.max(bytes);
        }
    }
    // The solver has made sure that the goal can be reached.
    Err(StopReason::Depth)
}
