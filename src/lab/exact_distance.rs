//! Boards at an exact distance, where there are too many to enumerate: random moves, and a search
//! that proves how far they led.

use super::random::Random;
use super::scramble::walk;
use crate::board::Board;
use crate::puzzle::Frame;
use crate::search::SearchOptions;
use crate::search::{Limits, Silent, StopReason};
use crate::solver::{Answer, SolveError, Solver};
use rayon::prelude::*;

/// With more classes of boards than this at a distance, they are not enumerated.
const MOST_CLASSES: f64 = 64e6;

/// How many boards are tried for each that is wanted.
const TRIES: u64 = 1_000;

/// Whether there are probably too many boards at a distance to enumerate them. That depends on
/// nothing but the puzzle, so that a seed gives the same boards on every machine.
pub fn too_many_to_enumerate(frame: &Frame, depth: u32) -> bool {
    let Some(group) = frame.group() else {
        return false;
    };
    let inverses = if frame.moves().closed_under_inversion() { 2 } else { 1 };
    let symmetries = (inverses * frame.symmetries().len()) as f64;
    let boards = group.order().as_u128().map_or(f64::INFINITY, |order| order as f64);
    let sequences = frame.automaton().sequences().nth(depth as usize);
    let sequences = sequences.map_or(f64::INFINITY, |sequences| sequences as f64);
    sequences.min(boards) / symmetries > MOST_CLASSES
}

/// Why there are no such boards.
#[derive(Debug, thiserror::Error)]
pub enum ExactDistanceError {
    /// Random moves never led that far.
    #[error(
        "no board of {puzzle} was found {depth} moves from the goal: of {TRIES} boards after that \
         many random moves, the farthest is {farthest} away"
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
    #[error("a board after {depth} random moves could not be solved: {stop}")]
    Stopped {
        /// The distance asked for.
        depth: u32,
        /// Which limit.
        stop: StopReason,
    },
    /// The checker rejected a solution.
    #[error(transparent)]
    Solve(#[from] SolveError),
}

/// Makes `count` boards at an exact distance. The board number `i` of a seed is the same whatever
/// the count.
///
/// # Errors
/// If no such board is found, or if a limit is hit.
pub fn boards_at_distance(
    solver: &Solver,
    depth: u32,
    seed: u64,
    count: u64,
    limits: &Limits<'_>,
) -> Result<Vec<Board>, ExactDistanceError> {
    let options = SearchOptions { limits: *limits, ..SearchOptions::default() };
    let board = |number: u64| {
        let mut farthest = 0;
        for attempt in 0..TRIES {
            let board = walk(solver.puzzle(), depth, Random::new(seed, number * TRIES + attempt));
            let Answer::Searched(found) = solver.solve(&board, &options, &mut Silent)? else {
                unreachable!("moves led there")
            };
            match (found.solution, found.stop) {
                (Some(solution), _) if solution.len() == depth as usize => return Ok(board),
                (Some(solution), _) => farthest = farthest.max(solution.len() as u32),
                (None, stop) => {
                    return Err(ExactDistanceError::Stopped { depth, stop: reason(stop) });
                }
            }
        }
        Err(ExactDistanceError::NoneFound {
            puzzle: solver.frame().id().to_owned(),
            depth,
            farthest,
        })
    };
    (0..count).into_par_iter().map(board).collect()
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
        assert!(!far("torus3", 100) && !far("sliding4", 40));
    }

    #[test]
    fn boards_are_as_far_as_asked() {
        let definition = registry::define("torus4").unwrap();
        let solver = Solver::new(definition, Goal::Default, Simd::detect()).unwrap();
        let limits = Limits::default();
        let boards = boards_at_distance(&solver, 7, 3, 4, &limits).unwrap();
        assert_eq!(boards[..2], boards_at_distance(&solver, 7, 3, 2, &limits).unwrap()[..]);
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
        let error = boards_at_distance(&solver, 40, 0, 1, &Limits::default()).unwrap_err();
        assert!(error.to_string().contains("the farthest is"), "{error}");
    }
}
