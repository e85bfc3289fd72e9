//! Breadth-first search, with the conventions of the courses: a state is marked when it is
//! generated, the goal is recognised when it is taken from the queue, and it is not counted as
//! expanded.

use super::closed::{Closed, Met};
use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{Blind, Described, Observer, Optimality, Outcome, Statistics, StopReason, Task};
use crate::puzzle::Puzzle;

/// Breadth-first search.
#[derive(Clone, Copy, Debug)]
pub struct BreadthFirst;

impl Described for BreadthFirst {
    const NAME: &'static str = "bfs";
    const SUMMARY: &'static str =
        "breadth-first search: shortest solutions, stores every state met";
    const OPTIMALITY: Optimality = Optimality::Always;
}

impl Blind for BreadthFirst {
    fn search<P: Puzzle>(task: &Task<'_, P>, observer: &mut dyn Observer) -> Outcome {
        let mut statistics = Statistics::default();
        let mut depth = 0;
        let end = search(task, &mut depth, &mut statistics, observer);
        Outcome::of_first(end, true, depth, statistics)
    }
}

fn search<P: Puzzle>(
    task: &Task<'_, P>,
    depth: &mut u32,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<crate::puzzle::Move>, StopReason> {
    let Task { puzzle, start, ref limits, settings, .. } = *task;
    let order = settings.move_order(puzzle.frame().moves().all());
    let mut closed: Closed<P::Key, u8> = Closed::new();
    closed.insert(puzzle.key(start), START, limits, 0)?;
    let mut layer = vec![puzzle.key(start)];
    let mut pace = Pace::new(limits, observer);
    while !layer.is_empty() {
        let mut next = Vec::new();
        for &key in &layer {
            let state = puzzle.state(key);
            if state == puzzle.goal() {
                let led_to = |key| closed.get(key).expect("each state on the way was stored");
                return Ok(back_to_start(puzzle, state, led_to));
            }
            pace.step(*depth, statistics.expanded)?;
            statistics.expanded += 1;
            let legal = puzzle.legal(state);
            for &m in order.iter().filter(|&&m| legal.contains(m)) {
                statistics.generated += 1;
                let child = puzzle.key(puzzle.apply(state, m));
                let queued =
                    ((layer.capacity() + 2 * next.capacity()) * size_of::<P::Key>()) as u64;
                match closed.insert(child, m.0, limits, queued)? {
                    Met::Before(..) => statistics.duplicates += 1,
                    Met::New => {
                        statistics.max_depth = *depth + 1;
                        statistics.peak_bytes = statistics.peak_bytes.max(queued);
                        if next.len() == next.capacity() {
                            next.try_reserve(1024).map_err(|_| StopReason::Memory)?;
                        }
                        next.push(child);
                    }
                }
            }
        }
        statistics.peak_bytes = statistics.peak_bytes.max(
            closed.bytes() + ((layer.capacity() + next.capacity()) * size_of::<P::Key>()) as u64,
        );
        statistics.expanded_below = statistics.expanded;
        layer = next;
        *depth += 1;
    }
    // Whoever asks has made sure that the goal can be reached.
    Err(StopReason::Depth)
}
