//! Backward search for hard boards of sliding puzzles.
//!
//! A path from the goal to the board is a solution walked backwards, so that a search may start at
//! either. What databases say of the two is not the same: those for the goal are built once, and
//! those for the board as a goal are built for this board alone, which takes as long as the search
//! of some million nodes. So a board that has taken many more than that is looked at from the other
//! end, and the search goes on from there if the first estimate is larger.

use super::answer::Guide;
use super::auto::{search, up_to, what_is_left};
use super::auto_table::{self, AutoTable};
use super::{Searched, Solver, databases};
use crate::heuristic::pdb::Pdb78;
use crate::puzzle::registry::on_engine;
use crate::puzzle::{AnyPuzzle, Depth, Goal, Move, define_sliding};
use crate::search::{HeuristicKind, Limits, Observer, Task};

/// A board that needs more nodes is hard: the search has then taken some times as long as other
/// databases take to make, on boards of up to 16 cells.
const HARD_NODES: u64 = 20_000_000;

/// Searches with the databases of the goal; a hard board, with those of the end that promises more.
pub(super) fn search_hard(
    solver: &Solver,
    task: &Task<'_>,
    table: &AutoTable,
    observer: &mut dyn Observer,
) -> Searched {
    search_harder_than(HARD_NODES, solver, task, table, observer)
}

fn search_harder_than(
    hard: u64,
    solver: &Solver,
    task: &Task<'_>,
    table: &AutoTable,
    observer: &mut dyn Observer,
) -> Searched {
    let forward = |task: &Task<'_>, observer: &mut dyn Observer| {
        search(task, &*table.estimator, table.guide.clone(), observer)
    };
    // For other goals there is nothing as good at hand.
    if table.guide == Guide::Databases(HeuristicKind::own::<Pdb78>()) {
        return forward(task, observer);
    }
    let first = forward(&up_to(task, hard), observer);
    let Some(rest) = what_is_left(task, &first.outcome) else {
        return first;
    };
    let second = match search_from_goal(solver, &rest, table, observer) {
        Some(second) => second,
        None => forward(&rest, observer),
    };
    second.after(first.outcome.statistics, 0)
}

/// Searches from the goal, if its databases can be built besides the table, and if its estimate is
/// larger than that of the board.
fn search_from_goal(
    solver: &Solver,
    task: &Task<'_>,
    table: &AutoTable,
    observer: &mut dyn Observer,
) -> Option<Searched> {
    let backward = Backward::new(solver, task, table.bytes)?;
    let estimate = |table: &AutoTable, labels: &[u8]| -> Depth { table.estimator.estimate(labels) };
    let is_larger = estimate(&backward.table, &backward.goal) > estimate(table, task.start);
    is_larger.then(|| backward.search(solver, task, observer))
}

/// The goal as a start, and the databases of the board as a goal.
pub(super) struct Backward {
    /// The labels of the goal.
    pub(super) goal: Vec<u8>,
    pub(super) table: AutoTable,
}

impl Backward {
    /// For the board of a task, if the databases can be built besides others.
    pub(super) fn new(solver: &Solver, task: &Task<'_>, held: u64) -> Option<Backward> {
        let frame = solver.frame();
        let board = frame.decode(task.start);
        let definition = define_sliding(frame.shape());
        let reversed = AnyPuzzle::new(definition, Goal::Board(board), frame.simd()).ok()?;
        let limits = auto_table::build_limits(&task.limits).less(held);
        let table = backward_table(&reversed, &limits)?;
        Some(Backward { goal: reversed.frame().encode(frame.goal()).ok()?, table })
    }

    /// The search from the goal; its solution is one of the board.
    pub(super) fn search(
        &self,
        solver: &Solver,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Searched {
        let Backward { goal, table } = self;
        let from_goal = Task { start: goal, ..task.clone() };
        let mut searched = search(&from_goal, &*table.estimator, table.guide.clone(), observer);
        if let Some(path) = &mut searched.outcome.solution {
            let moves = solver.frame().moves();
            let back = |&m: &Move| moves.inverse(m).expect("the blank can go back");
            path.moves = path.moves.iter().rev().map(back).collect();
        }
        searched.outcome.statistics.peak_bytes += table.bytes;
        searched
    }
}

/// The databases of a board as a goal.
fn backward_table(puzzle: &AnyPuzzle, limits: &Limits<'_>) -> Option<AutoTable> {
    let (databases, kind) = databases::build(puzzle.frame(), limits).ok()?;
    let guide = Guide::Backward(kind.clone());
    let table = on_engine!(puzzle, puzzle => AutoTable::from_databases(puzzle, databases, kind));
    Some(AutoTable { guide, ..table })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::text;
    use crate::heuristic::pdb::{Automatic, Pdb663};
    use crate::puzzle::arch::Simd;
    use crate::search::{SearchOptions, Silent};

    /// Solves a board, hard from the first node on: the number of moves, which lead to the goal,
    /// and what guided the search.
    fn solve(board: &str) -> (usize, Guide) {
        let board = text::parse_one("test", board.as_bytes(), None).unwrap().board;
        let definition = define_sliding(board.shape());
        let solver = Solver::new(definition, Goal::BlankFirst, Simd::off()).unwrap();
        let labels = solver.frame().encode(&board).unwrap();
        let options = SearchOptions::default();
        let task = Task::new(&labels, Limits::default(), &options);
        let table = auto_table::get(&solver, &task.limits, &mut Silent).unwrap();
        let searched = search_harder_than(1_000, &solver, &task, table, &mut Silent);
        let guide = searched.guides.last().unwrap().clone();
        let solution = solver.report(searched, None, &board).unwrap().solution.unwrap();
        assert!(solution.is_optimal());
        (solution.len(), guide)
    }

    #[test]
    fn the_end_with_the_larger_estimate_is_where_a_hard_board_is_searched_from() {
        // Of Korf's, numbers 63 (44 from the board, 46 from the goal) and 24 (44 and 42).
        let from_goal = solve("8 10 9 11 14 1 7 15 13 4 0 12 6 2 5 3");
        assert_eq!(from_goal, (56, Guide::Backward(HeuristicKind::own::<Automatic>())));
        let from_board = solve("7 3 14 13 4 1 10 8 5 12 9 11 2 15 6 0");
        assert_eq!(from_board, (54, Guide::Databases(HeuristicKind::own::<Pdb663>())));
    }
}
