//! A* as textbooks and course solutions write it: one priority queue, and ties broken in a way
//! that their published counts depend on.
//!
//! It is here so that those counts can be reproduced and compared; [`super::registry`] has the
//! quick one. Ties go to the node that was put into the queue first, or to the smaller board
//! read as a number (see [`Ties`]). A state is counted as expanded once, the goal not at all. A
//! state that is met again on a shorter path is put into the queue again; the old entry is passed
//! over when its turn comes.

use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{Described, Guided, Observer, Optimality, Outcome, Statistics, Stop, Task, Ties};
use crate::hash::HashMap;
use crate::heuristic::Heuristic;
use crate::puzzle::{Depth, Move, Puzzle};
use std::cmp::Reverse;
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

/// What is known of a state.
struct Known {
    depth: Depth,
    led_to: u8,
    expanded: bool,
}

/// About what a state takes in the map and in the queue.
const fn bytes_per_state<P: Puzzle>() -> u64 {
    2 * (size_of::<(P::Key, Known)>() + size_of::<(Depth, Vec<u16>, u64, P::Key)>()) as u64
}

fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    bound: &mut Depth,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, Stop> {
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
    let estimate = heuristic.estimate(heuristic.evaluate(puzzle, start));
    known.insert(puzzle.key(start), Known { depth: 0, led_to: START, expanded: false });
    queue.push(Reverse((estimate, tie(puzzle.key(start)), age, puzzle.key(start), 0)));
    let mut pace = Pace::new(limits, observer);
    while let Some(Reverse((priority, _, _, key, depth))) = queue.pop() {
        *bound = priority.max(*bound);
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
        let legal = puzzle.legal(state);
        for &m in order.iter().filter(|&&m| legal.contains(m)) {
            statistics.generated += 1;
            let child = puzzle.key(puzzle.apply(state, m));
            let fresh = Known { depth: depth + 1, led_to: m.0, expanded: false };
            match known.entry(child) {
                Entry::Vacant(entry) => {
                    entry.insert(fresh);
                }
                Entry::Occupied(mut entry) if entry.get().depth > depth + 1 => {
                    statistics.reopened += u64::from(entry.get().expanded);
                    entry.insert(fresh);
                }
                Entry::Occupied(_) => {
                    statistics.duplicates += 1;
                    continue;
                }
            }
            statistics.max_depth = statistics.max_depth.max(depth + 1);
            statistics.evaluations += 1;
            age += 1;
            let after = heuristic.estimate(heuristic.update(puzzle, value, state, m));
            queue.push(Reverse((depth + 1 + after, tie(child), age, child, depth + 1)));
        }
        let bytes = (known.len().max(queue.len())) as u64 * bytes_per_state::<P>();
        statistics.peak_bytes = statistics.peak_bytes.max(bytes);
        limits.check_bytes(bytes)?;
    }
    // Whoever asks has made sure that the goal can be reached.
    Err(Stop::Depth)
}
