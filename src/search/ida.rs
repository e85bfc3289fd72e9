//! Iterative-deepening A* (Korf 1985, "Depth-first iterative-deepening: an optimal
//! admissible tree search").
//!
//! A depth-first search that cuts off wherever the moves made and the estimate exceed a
//! bound; the bound grows until a solution is found, which is then shortest if the
//! heuristic is admissible. It needs no memory but the path. Commuting moves are tried in
//! one order (see [`crate::puzzle::automaton`]), the estimate is updated move by move, and
//! where the moves fix the parity of the length, bounds of the wrong parity are skipped.

use super::{
    Described, Guided, Iteration, Limits, Observer, Optimality, Outcome, Solution, Statistics,
    Stop, Task,
};
use crate::heuristic::Heuristic;
use crate::puzzle::automaton::Memory;
use crate::puzzle::{Depth, Move, Puzzle};

/// Iterative-deepening A*.
#[derive(Clone, Copy, Debug)]
pub struct Ida;

impl Described for Ida {
    const NAME: &'static str = "ida";
    const SUMMARY: &'static str =
        "iterative-deepening A*: shortest solutions with an admissible heuristic, no memory";
    const OPTIMALITY: Optimality = Optimality::IfAdmissible;
}

impl Guided for Ida {
    fn search<P: Puzzle, H: Heuristic<P>>(
        task: &Task<'_, P>,
        heuristic: &H,
        observer: &mut dyn Observer,
    ) -> Outcome {
        search(task, heuristic, observer)
    }
}

fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    heuristic: &H,
    observer: &mut dyn Observer,
) -> Outcome {
    let Task { puzzle, start, at_least, ref limits, .. } = *task;
    let odd_length = puzzle.frame().odd_length(&puzzle.labels(start));
    let value = heuristic.evaluate(puzzle, start);
    let mut bound = with_parity(heuristic.estimate(value).max(at_least), odd_length);
    let mut statistics = Statistics::default();
    loop {
        let mut pass = Pass {
            puzzle,
            heuristic,
            limits,
            observer,
            bound,
            expanded_before: statistics.expanded,
            expanded: 0,
            generated: 0,
            check_at: 0,
            deepest: 0,
            next_bound: Depth::MAX,
            path: Vec::with_capacity(bound as usize),
        };
        let end = if heuristic.rules_out(puzzle, start, bound) {
            pass.next_bound = bound + 1;
            Ok(false)
        } else {
            pass.visit(start, value, Memory::START, 0)
        };
        let Pass { expanded, generated, deepest, next_bound, path, .. } = pass;
        let failed = matches!(end, Ok(false));
        statistics.add(Statistics {
            expanded,
            generated,
            evaluations: generated,
            expanded_below: if failed { expanded } else { 0 },
            max_depth: deepest,
            peak_bytes: u64::from(bound) * size_of::<Move>() as u64,
            iterations: vec![Iteration { bound, expanded, generated }],
            ..Statistics::default()
        });
        let (solution, lower_bound, stop) = match end {
            Ok(false) => {
                bound = with_parity(next_bound, odd_length);
                if limits.depth.is_none_or(|most| bound <= most) {
                    continue;
                }
                (None, bound, Some(Stop::Depth))
            }
            Ok(true) => (Some(Solution { moves: path, optimal: true }), bound, None),
            Err(stop) => (None, bound, Some(stop)),
        };
        return Outcome { solution, lower_bound, stop, statistics };
    }
}

/// The smallest bound of the right parity that is not below `bound`.
fn with_parity(bound: Depth, odd: Option<bool>) -> Depth {
    match odd {
        Some(odd) if (bound % 2 == 1) != odd => bound + 1,
        _ => bound,
    }
}

/// One depth-first pass under one bound.
struct Pass<'a, P: Puzzle, H> {
    puzzle: &'a P,
    heuristic: &'a H,
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
    bound: Depth,
    expanded_before: u64,
    expanded: u64,
    generated: u64,
    /// Look at the limits when so many nodes have been expanded.
    check_at: u64,
    deepest: Depth,
    /// The least bound under which something that was cut off would not have been.
    next_bound: Depth,
    /// When a solution has been found: its moves.
    path: Vec<Move>,
}

impl<P: Puzzle, H: Heuristic<P>> Pass<'_, P, H> {
    /// Searches below a node that is within the bound; whether a solution was found.
    fn visit(
        &mut self,
        state: P::State,
        value: H::Value,
        memory: Memory,
        depth: Depth,
    ) -> Result<bool, Stop> {
        let puzzle = self.puzzle;
        if self.heuristic.estimate(value) == 0 && state == puzzle.goal() {
            self.path.resize(depth as usize, Move(0));
            return Ok(true);
        }
        if depth == self.bound {
            self.next_bound = self.next_bound.min(self.bound + 1);
            return Ok(false);
        }
        if self.expanded >= self.check_at {
            self.look_around()?;
        }
        self.expanded += 1;
        let automaton = puzzle.frame().automaton();
        let budget = self.bound - depth - 1;
        self.deepest = self.deepest.max(depth + 1);
        for m in automaton.allowed(memory).and(puzzle.legal(state)) {
            self.generated += 1;
            let after = self.heuristic.update(puzzle, value, state, m);
            let estimate = self.heuristic.estimate(after);
            if estimate > budget {
                self.next_bound = self.next_bound.min(depth + 1 + estimate);
                continue;
            }
            let child = puzzle.apply(state, m);
            if self.heuristic.rules_out(puzzle, child, budget) {
                self.next_bound = self.next_bound.min(self.bound + 1);
                continue;
            }
            if self.visit(child, after, automaton.after(memory, m), depth + 1)? {
                self.path[depth as usize] = m;
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[cold]
    fn look_around(&mut self) -> Result<(), Stop> {
        let expanded = self.expanded_before + self.expanded;
        self.limits.check(expanded)?;
        self.observer.progress(self.bound, expanded);
        self.check_at = self.expanded + self.limits.stride(expanded);
        Ok(())
    }
}
