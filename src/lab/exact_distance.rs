//! Boards at an exact distance, where there are too many to enumerate: random moves, and searches
//! that prove how far they led.
//!
//! Where every board can be reached by short sequences of moves, a random one of as many moves as
//! are wanted mostly leads that far. A blank wanders about, and the walk has to be much longer.
//! Each of its moves changes the distance by at most one, so that a walk that leads far enough
//! passes a board at the distance that is wanted; it is found by bisection. That depends on nothing
//! but the walk, and so a seed gives the same boards whatever solutions a search happens to find.

use super::random::Random;
use super::scramble::walk;
use crate::board::{Board, Shape};
use crate::puzzle::Frame;
use crate::search::{Aim, SearchOptions};
use crate::search::{Limits, Silent, StopReason};
use crate::solver::{Answer, Solution, SolveError, Solver};
use rayon::prelude::*;
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// With more classes of boards than this at a distance, they are not enumerated.
const MOST_CLASSES: f64 = 64e6;

/// How many boards are tried for each that is wanted.
const TRIES: u64 = 1_000;

/// By how many moves a walk is prolonged at most, before it is seen how far it leads.
const LONGEST_STRIDE: u32 = 1_000;

/// With so many steps, a blank has more ways than there are boards, or only two, as on 2x2.
const MOST_STEPS: u32 = 10_000;

/// Whether there are probably too many boards at a distance to enumerate them. That depends on
/// nothing but the puzzle, so that a seed gives the same boards on every machine.
pub fn too_many_to_enumerate(frame: &Frame, depth: u32) -> bool {
    let inverses = if frame.has_inversion() { 2 } else { 1 };
    let symmetries = (inverses * frame.symmetries().len()) as f64;
    let (boards, sequences) = match (frame.blank_label(), frame.group()) {
        (Some(blank), _) => {
            let cells = frame.shape().cells();
            let half_factorial = (3..=cells).map(|n| n as f64).product();
            (half_factorial, blank_walks(frame.shape(), blank.into(), depth))
        }
        (None, Some(group)) => {
            let boards = group.order().as_u128().map_or(f64::INFINITY, |order| order as f64);
            let sequences = frame.automaton().sequences().nth(depth as usize);
            (boards, sequences.map_or(f64::INFINITY, |sequences| sequences as f64))
        }
        (None, None) => return false,
    };
    sequences.min(boards) / symmetries > MOST_CLASSES
}

/// In how many ways a blank can make so many steps without going straight back. There are no more
/// boards at that distance.
fn blank_walks(shape: Shape, start: usize, steps: u32) -> f64 {
    let neighbours = |cell: usize| {
        (0..shape.cells()).filter(move |&other| {
            let (rows, cols) = shape.apart(cell, other);
            rows + cols == 1
        })
    };
    // How many walks end with the step from one cell to another.
    let mut ends: BTreeMap<(usize, usize), f64> =
        neighbours(start).map(|cell| ((start, cell), 1.0)).collect();
    for _ in 1..steps.min(MOST_STEPS) {
        let mut longer = BTreeMap::new();
        for (&(from, cell), &walks) in &ends {
            for next in neighbours(cell).filter(|&next| next != from) {
                *longer.entry((cell, next)).or_insert(0.0) += walks;
            }
        }
        ends = longer;
    }
    if steps == 0 { 1.0 } else { ends.values().sum() }
}

/// Why there are no such boards.
#[derive(Debug, thiserror::Error)]
pub enum ExactDistanceError {
    /// Random moves never led that far.
    #[error(
        "no board of {puzzle} was found {depth} moves from the goal: of {TRIES} boards after that \
         many random moves or more, the farthest is {farthest} away"
    )]
    NoneFound {
        /// The id of the puzzle.
        puzzle: String,
        /// The distance asked for.
        depth: u32,
        /// The largest that was found.
        farthest: u32,
    },
    /// A limit was hit while a board was solved.
    #[error(
        "no board {depth} moves from the goal was found: one after {moves} random moves could not \
         be solved: {stop}"
    )]
    Stopped {
        /// The distance asked for.
        depth: u32,
        /// How many moves had led to the board that was being solved.
        moves: u32,
        /// Which limit.
        stop: StopReason,
    },
    /// The checker rejected a solution.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Makes `count` boards at an exact distance, and calls `solved` after each that was solved for
/// that. The board number `i` of a seed is the same whatever the count.
///
/// # Errors
/// If no such board is found, or if a limit is hit.
pub fn boards_at_distance(
    solver: &Solver,
    depth: u32,
    seed: u64,
    count: u64,
    limits: &Limits<'_>,
    solved: &(dyn Fn() + Sync),
) -> Result<Vec<Board>, ExactDistanceError> {
    let options = SearchOptions { limits: *limits, aim: Aim::Proven, ..SearchOptions::default() };
    let walks = Walks { solver, depth, seed, options, solved };
    let board = |number| match solver.frame().blank_label() {
        None => walks.as_long_as_the_distance(number),
        Some(_) => walks.as_long_as_it_takes(number),
    };
    (0..count).into_par_iter().map(board).collect()
}

/// Random walks from the goal, and how far they lead.
struct Walks<'a> {
    solver: &'a Solver,
    depth: u32,
    seed: u64,
    options: SearchOptions<'a>,
    solved: &'a (dyn Fn() + Sync),
}

impl Walks<'_> {
    /// A board that is as far as the walk to it is long, of several walks.
    fn as_long_as_the_distance(&self, number: u64) -> Result<Board, ExactDistanceError> {
        let mut farthest = 0;
        for attempt in 0..TRIES {
            let board = self.board(self.depth, number * TRIES + attempt);
            match self.distance(&board, self.depth)? {
                distance if distance == self.depth => return Ok(board),
                distance => farthest = farthest.max(distance),
            }
        }
        Err(self.none_found(farthest))
    }

    /// A board on one walk, which is prolonged until it leads far enough.
    fn as_long_as_it_takes(&self, number: u64) -> Result<Board, ExactDistanceError> {
        let distance = |moves| self.distance(&self.board(moves, number), moves);
        let (mut near, mut missing, mut farthest) = (0, self.depth, 0);
        for _ in 0..TRIES {
            let moves = near + missing.saturating_mul(2).min(LONGEST_STRIDE);
            let reached = distance(moves)?;
            if reached >= self.depth {
                return self.between(near, moves, number);
            }
            farthest = farthest.max(reached);
            (near, missing) = (moves, self.depth - reached);
        }
        Err(self.none_found(farthest))
    }

    /// A board at the distance wanted, on a walk that is nearer than that after `near` moves, and
    /// not after `far` moves.
    fn between(
        &self,
        mut near: u32,
        mut far: u32,
        number: u64,
    ) -> Result<Board, ExactDistanceError> {
        while far - near > 1 {
            let middle = near.midpoint(far);
            let board = self.board(middle, number);
            match self.distance(&board, middle)?.cmp(&self.depth) {
                Ordering::Less => near = middle,
                Ordering::Equal => return Ok(board),
                Ordering::Greater => far = middle,
            }
        }
        // The last move made it one farther.
        Ok(self.board(far, number))
    }

    /// The board after the first moves of a walk.
    fn board(&self, moves: u32, walk_number: u64) -> Board {
        walk(self.solver.puzzle(), moves, Random::new(self.seed, walk_number))
    }

    /// How far a board is, to which so many moves led.
    fn distance(&self, board: &Board, moves: u32) -> Result<u32, ExactDistanceError> {
        let Answer::Searched(found) = self.solver.solve(board, &self.options, &mut Silent)? else {
            unreachable!("moves led there")
        };
        (self.solved)();
        match found.solution.filter(Solution::is_optimal) {
            Some(solution) => Ok(solution.len() as u32),
            None => {
                let stop = reason(found.stop);
                Err(ExactDistanceError::Stopped { depth: self.depth, moves, stop })
            }
        }
    }

    fn none_found(&self, farthest: u32) -> ExactDistanceError {
        let puzzle = self.solver.frame().id().to_owned();
        ExactDistanceError::NoneFound { puzzle, depth: self.depth, farthest }
    }
}

/// Why a search found nothing.
fn reason(stop: Option<StopReason>) -> StopReason {
    match stop {
        Some(StopReason::Time) => StopReason::Time,
        Some(StopReason::Cancelled) => StopReason::Cancelled,
        Some(StopReason::Memory | StopReason::Nodes | StopReason::Depth) | None => {
            StopReason::Memory
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::{AnyPuzzle, Goal, arch::Simd, registry};

    #[test]
    fn what_is_far_depends_on_the_puzzle() {
        let far =
            |id: &str, depth| too_many_to_enumerate(AnyPuzzle::from_id(id).unwrap().frame(), depth);
        assert!(!far("torus4", 9) && far("torus4", 10));
        assert!(!far("rings5", 7) && far("rings5", 8));
        assert!(!far("torus3", 100) && !far("sliding3", 100));
        assert!(!far("sliding4", 24) && far("sliding4", 25));
        assert!(!far("sliding16", 0) && far("sliding16", u32::MAX));
    }

    #[test]
    fn a_blank_does_not_go_straight_back() {
        let walks = |side, steps| blank_walks(Shape::new(side, side).unwrap(), 0, steps);
        assert_eq!([0, 1, 2, 3, 9].map(|steps| walks(2, steps)), [1.0, 2.0, 2.0, 2.0, 2.0]);
        assert_eq!([0, 1, 2, 3].map(|steps| walks(3, steps)), [1.0, 2.0, 4.0, 8.0]);
    }

    #[test]
    fn walks_of_a_blank_go_on_until_they_are_far_enough() {
        let definition = registry::define("sliding3").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let limits = Limits::default();
        for depth in [0, 1, 13, 24] {
            let boards = boards_at_distance(&solver, depth, 3, 4, &limits, &|| ()).unwrap();
            for board in &boards {
                let answer = solver.solve(board, &SearchOptions::default(), &mut Silent).unwrap();
                let Answer::Searched(found) = answer else { unreachable!("it is solvable") };
                assert_eq!(found.solution.unwrap().len() as u32, depth);
            }
        }
        let error = boards_at_distance(&solver, 32, 3, 1, &limits, &|| ()).unwrap_err();
        assert!(matches!(error, ExactDistanceError::NoneFound { farthest: 25..32, .. }), "{error}");
    }

    #[test]
    fn boards_are_as_far_as_asked() {
        let definition = registry::define("torus4").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let limits = Limits::default();
        let boards = boards_at_distance(&solver, 7, 3, 4, &limits, &|| ()).unwrap();
        assert_eq!(boards[..2], boards_at_distance(&solver, 7, 3, 2, &limits, &|| ()).unwrap()[..]);
        for board in &boards {
            let answer = solver.solve(board, &SearchOptions::default(), &mut Silent).unwrap();
            let Answer::Searched(found) = answer else { unreachable!("it is solvable") };
            let solution = found.solution.unwrap();
            assert!(solution.is_optimal() && solution.len() == 7);
        }
    }

    #[test]
    fn what_is_not_there_is_not_found() {
        let definition = registry::define("torus:2x3").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let error = boards_at_distance(&solver, 40, 0, 1, &Limits::default(), &|| ()).unwrap_err();
        assert!(error.to_string().contains("the farthest is"), "{error}");
    }
}
