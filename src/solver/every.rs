//! All shortest solutions of a board, once their length is proven.

use super::near::Near;
use super::{SolveError, Solver};
use crate::board::{Board, check};
use crate::heuristic::circular_manhattan::CircularManhattan;
use crate::heuristic::manhattan::Manhattan;
use crate::heuristic::with_table::WithTable;
use crate::heuristic::{Heuristic, Registered};
use crate::puzzle::{Depth, Puzzle, PuzzleVisitor};
use crate::search::all_shortest::{AllShortest, all_shortest};
use crate::search::{Limits, Observer, Settings, StopReason, Task};
use std::any::Any;

impl Solver {
    /// All solutions of a board whose shortest ones have `length` moves; at most `listed` of them
    /// are listed, each replayed by the checker, and all are counted.
    ///
    /// # Errors
    /// If it is not a board of this puzzle, or if the checker rejects a solution. What is inside
    /// says which limit was hit, if one was.
    pub fn all_shortest(
        &self,
        board: &Board,
        length: Depth,
        listed: usize,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Result<AllShortest, StopReason>, SolveError> {
        let labels = self.frame().encode(board)?;
        let every = Every { solver: self, labels: &labels, length, listed, limits, observer };
        let found = self.puzzle.visit(every);
        for moves in found.iter().flat_map(|all| &all.solutions) {
            let names = self.names(moves);
            check::verify(self.frame().rules(), board, &names, self.frame().goal())
                .map_err(|error| SolveError::Rejected { board: board.clone(), error })?;
        }
        Ok(found)
    }
}

struct Every<'a> {
    solver: &'a Solver,
    labels: &'a [u8],
    length: Depth,
    listed: usize,
    limits: Limits<'a>,
    observer: &'a mut dyn Observer,
}

impl PuzzleVisitor for Every<'_> {
    type Output = Result<AllShortest, StopReason>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let solver = self.solver;
        // A board that was easy to solve needs no table for this either.
        let near = solver.near.get().and_then(|near| near.downcast_ref());
        // A constant: what is not for this kind of puzzle is not compiled for it.
        if const { P::HAS_BLANK } {
            return match near {
                Some(Near::Databases(databases, _)) => self.search(puzzle, databases),
                _ => self.search(puzzle, built::<Manhattan>(solver)),
            };
        }
        let inner = built::<CircularManhattan>(solver);
        match near {
            Some(Near::Ball(table)) => self.search(puzzle, &WithTable { inner, table }),
            Some(Near::Reach(table)) => self.search(puzzle, &WithTable { inner, table }),
            Some(Near::Views(views)) => self.search(puzzle, views),
            Some(Near::Databases(..)) | None => self.search(puzzle, inner),
        }
    }
}

fn built<R: Registered<Estimator: Any + Send + Sync>>(solver: &Solver) -> &R::Estimator {
    solver.heuristics.get(R::NAME, || R::build(solver.frame()))
}

impl Every<'_> {
    fn search<P: Puzzle, H: Heuristic<P>>(
        self,
        puzzle: &P,
        heuristic: &H,
    ) -> Result<AllShortest, StopReason> {
        let Every { labels, length, listed, limits, observer, .. } = self;
        let settings = &Settings::default();
        let start = puzzle.state_of(labels);
        let task = Task { puzzle, start, at_least: length, limits, settings };
        all_shortest(&task, heuristic, length, listed, observer)
    }
}
