//! A* as textbooks and course solutions write it: one priority queue, and ties broken in a way
//! that their published counts depend on.
//!
//! It is here so that those counts can be reproduced and compared; [`super::registry`] has the
//! quick one. Ties go to the node that was put into the queue first, or to the smaller board
//! read as a number (see [`Ties`]). A state is counted as expanded once, the goal not at all. A
//! state that is met again on a shorter path, or with a lower priority, is put into the queue
//! again; the old entry is passed over when its turn comes.
//!
//! Priorities are the sums g + h in floating point, with h not rounded
//! ([`Heuristic::unrounded`]). With whole numbers, as those of the Manhattan distance, that makes
//! no difference. With straight-line distances, published counts hang on rounding errors: a
//! program that keeps only the priority of a node gets its g back as the priority − h, which is
//! now and then off by 10⁻¹⁵, and that decides ties. This one does the same. The solutions stay
//! optimal, as the errors are far smaller than a move.

use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{Described, Guided, Observer, Optimality, Outcome, Statistics, StopReason, Task, Ties};
use crate::hash::HashMap;
use crate::heuristic::Heuristic;
use crate::puzzle::{Depth, Move, Puzzle};
use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;
use std::collections::hash_map::Entry;

/// A* with a binary heap.
#[derive(Clone, Copy, Debug)]
pub struct TextbookAStar;

impl Described for TextbookAStar {
    const NAME: &'static str = "astar-textbook";
    const SUMMARY: &'static str = "A* with one priority queue and ties as the courses break them (--ties), to reproduce their counts";
    const OPTIMALITY: Optimality = Optimality::IfAdmissible;
}

impl Guided for TextbookAStar {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        let mut statistics = Statistics::default();
        let mut bound = 0;
        let end = search(task, heuristic, &mut bound, &mut statistics, observer);
        Outcome::of_first(end, true, bound, statistics)
    }
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
    led_to: u8,
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

/// About what a state takes in the map and in the queue.
const fn bytes_per_state<P: Puzzle>() -> u64 {
    let entry = size_of::<(Real, Vec<u16>, u64, P::Key, Depth, Real)>();
    2 * (size_of::<(P::Key, Known)>() + entry) as u64
}

fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    bound: &mut Depth,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, StopReason> {
    let Task { puzzle, start, ref limits, settings, .. } = *task;
    let order = settings.move_order(puzzle.frame().moves().all());
    // Ties by the board are decided before those by age, which is different for each node.
    let tie = |key: P::Key| match settings.ties {
        Ties::FirstIn => Vec::new(),
        Ties::SmallerBoard => {
            let board = puzzle.frame().decode(&puzzle.labels(puzzle.state(key)));
            board.tiles().iter().map(|tile| tile.0).collect()
        }
    };
    let mut known: HashMap<P::Key, Known> = HashMap::default();
    let mut queue = BinaryHeap::new();
    let mut age = 0u64;
    let estimate = Real(heuristic.unrounded(puzzle, start, heuristic.evaluate(puzzle, start)));
    let root = Known { priority: estimate, depth: 0, led_to: START, expanded: false };
    known.insert(puzzle.key(start), root);
    queue.push(Reverse((estimate, tie(puzzle.key(start)), age, puzzle.key(start), 0, estimate)));
    let mut pace = Pace::new(limits, observer);
    while let Some(Reverse((priority, _, _, key, depth, estimate))) = queue.pop() {
        *bound = ((priority.0 - ERROR).ceil() as Depth).max(*bound);
        let state = puzzle.state(key);
        if state == puzzle.goal() {
            return Ok(back_to_start(puzzle, state, |key| known[&key].led_to));
        }
        let node = known.get_mut(&key).expect("what is in the queue is known");
        if node.depth < depth || node.expanded {
            continue;
        }
        node.expanded = true;
        pace.step(*bound, statistics.expanded)?;
        statistics.expanded += 1;
        let value = heuristic.evaluate(puzzle, state);
        let cost = priority.0 - estimate.0;
        let legal = puzzle.legal(state);
        for &m in order.iter().filter(|&&m| legal.contains(m)) {
            statistics.generated += 1;
            let after = puzzle.apply(state, m);
            let child = puzzle.key(after);
            statistics.evaluations += 1;
            let value = heuristic.update(puzzle, value, state, m);
            let estimate = Real(heuristic.unrounded(puzzle, after, value));
            let priority = Real(cost + estimate.0 + 1.0);
            let depth = depth + 1;
            let fresh = Known { priority, depth, led_to: m.0, expanded: false };
            match known.entry(child) {
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
            queue.push(Reverse((priority, tie(child), age, child, depth, estimate)));
        }
        let bytes = (known.len().max(queue.len())) as u64 * bytes_per_state::<P>();
        statistics.peak_bytes = statistics.peak_bytes.max(bytes);
        limits.check_bytes(bytes)?;
    }
    // Whoever asks has made sure that the goal can be reached.
    Err(StopReason::Depth)
}
