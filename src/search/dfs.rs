//! Depth-first search, with the conventions of the courses: successors are put on the stack in
//! reverse, so that they are taken in the order of the moves; a state that is on the stack or has
//! been expanded is not put there again; the goal is recognised when it is taken, and is not
//! counted as expanded. Its solutions are as long as they happen to be.

use super::closed::{Closed, Met};
use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{Blind, Described, Observer, Optimality, Outcome, Statistics, StopReason, Task};
use crate::puzzle::{Depth, Move, Puzzle};

/// Depth-first search.
#[derive(Clone, Copy, Debug)]
pub struct DepthFirst;

impl Described for DepthFirst {
    const NAME: &'static str = "dfs";
    const SUMMARY: &'static str =
        "depth-first search with a stack: some solution, however long; stores every state met";
    const OPTIMALITY: Optimality = Optimality::Never;
}

impl Blind for DepthFirst {
    fn search<P: Puzzle>(task: &Task<'_, P>, observer: &mut dyn Observer) -> Outcome {
        let mut statistics = Statistics::default();
        let end = search(task, &mut statistics, observer);
        Outcome::of_first(end, false, 0, statistics)
    }
}

fn search<P: Puzzle>(
    task: &Task<'_, P>,
    statistics: &mut Statistics,
    observer: &mut dyn Observer,
) -> Result<Vec<Move>, StopReason> {
    let Task { puzzle, start, ref limits, settings, .. } = *task;
    let order = settings.move_order(puzzle.frame().moves().all());
    let mut closed: Closed<P::Key, u8> = Closed::new();
    closed.insert(puzzle.key(start), START, limits, 0)?;
    let mut stack: Vec<(P::Key, Depth)> = vec![(puzzle.key(start), 0)];
    let mut pace = Pace::new(limits, observer);
    while let Some((key, depth)) = stack.pop() {
        let state = puzzle.state(key);
        if state == puzzle.goal() {
            let led_to = |key| closed.get(key).expect("each state on the way was stored");
            return Ok(back_to_start(puzzle, state, led_to));
        }
        pace.step(depth, statistics.expanded)?;
        statistics.expanded += 1;
        let legal = puzzle.legal(state);
        for &m in order.iter().rev().filter(|&&m| legal.contains(m)) {
            statistics.generated += 1;
            let child = puzzle.key(puzzle.apply(state, m));
            let stacked = (stack.capacity() * size_of::<(P::Key, Depth)>()) as u64;
            match closed.insert(child, m.0, limits, 2 * stacked)? {
                Met::Before(..) => statistics.duplicates += 1,
                Met::New => {
                    statistics.max_depth = statistics.max_depth.max(depth + 1);
                    stack.try_reserve(1).map_err(|_| StopReason::Memory)?;
                    stack.push((child, depth + 1));
                }
            }
            statistics.peak_bytes = statistics.peak_bytes.max(closed.bytes() + stacked);
        }
    }
    // Whoever asks has made sure that the goal can be reached.
    Err(StopReason::Depth)
}
