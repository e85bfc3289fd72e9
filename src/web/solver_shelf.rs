//! The solvers in use, each with its tables, so that the next board of a puzzle has them at hand;
//! those that were not asked for a long time go first.

use crate::puzzle::arch::Simd;
use crate::puzzle::{Definition, Goal, GoalError};
use crate::solver::Solver;
use crate::table::cache::Cache;
use std::sync::{Arc, Mutex, PoisonError};

/// How many solvers are kept, however small.
const MOST: usize = 16;

/// Puzzles whose tables are looked for in the cache and kept there. Of others they stay in memory:
/// who asks for many puzzles must not fill the disk.
const IN_CACHE: [&str; 9] = [
    "torus3", "torus4", "torus5", "rings3", "rings4", "rings5", "sliding3", "sliding4", "sliding5",
];

/// The solvers in use, the last one first.
pub(super) struct SolverShelf {
    kept: Mutex<Vec<Kept>>,
    /// The most bytes that all of them may hold.
    bytes: u64,
    cache: Option<Cache>,
    simd: Simd,
}

struct Kept {
    key: SolverKey,
    solver: Arc<Solver>,
}

/// Which solver is wanted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct SolverKey {
    pub(super) id: String,
    /// The text of a custom puzzle.
    pub(super) custom: Option<String>,
    pub(super) goal: Goal,
}

impl SolverShelf {
    pub(super) fn new(bytes: u64, cache: Option<Cache>, simd: Simd) -> SolverShelf {
        SolverShelf { kept: Mutex::new(Vec::new()), bytes, cache, simd }
    }

    /// The solver of a puzzle and a goal.
    ///
    /// # Errors
    /// If the goal is not one of the puzzle.
    pub(super) fn get(
        &self,
        key: &SolverKey,
        definition: Definition,
    ) -> Result<Arc<Solver>, GoalError> {
        if let Some(solver) = self.take_to_front(key) {
            return Ok(solver);
        }
        let mut solver = Solver::new(definition, key.goal.clone(), self.simd)?;
        let is_common = key.custom.is_none()
            && IN_CACHE.contains(&key.id.as_str())
            && !matches!(key.goal, Goal::Board(_));
        self.cache.iter().filter(|_| is_common).for_each(|cache| solver.use_cache(cache.clone()));
        let solver = Arc::new(solver);
        // Another request may have made the same one in the meantime.
        if let Some(made) = self.take_to_front(key) {
            return Ok(made);
        }
        let kept = Kept { key: key.clone(), solver: Arc::clone(&solver) };
        self.with_kept(|all| all.insert(0, kept));
        Ok(solver)
    }

    fn take_to_front(&self, key: &SolverKey) -> Option<Arc<Solver>> {
        self.with_kept(|all| {
            let place = all.iter().position(|kept| kept.key == *key)?;
            all[..=place].rotate_right(1);
            Some(Arc::clone(&all[0].solver))
        })
    }

    /// Whoever asks for a solver makes room: tables are built after a solver was handed out.
    fn with_kept<T>(&self, change: impl FnOnce(&mut Vec<Kept>) -> T) -> T {
        let mut all = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let result = change(&mut all);
        let held = |all: &[Kept]| all.iter().map(|kept| kept.solver.table_bytes()).sum::<u64>();
        while all.len() > MOST || (all.len() > 1 && held(&all) > self.bytes) {
            all.pop();
        }
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Silent;
    use crate::puzzle::registry;
    use crate::search::SearchOptions;

    #[test]
    fn the_solver_that_was_not_asked_for_longest_goes_first() {
        let shelf = SolverShelf::new(50_000, None, Simd::off());
        let get = |id: &str| {
            let key = SolverKey { id: id.to_owned(), custom: None, goal: Goal::Default };
            shelf.get(&key, registry::define(id).unwrap()).unwrap()
        };
        let ids = || -> Vec<String> {
            shelf.with_kept(|all| all.iter().map(|kept| kept.key.id.clone()).collect())
        };
        let first = get("torus2");
        get("torus3");
        assert!(Arc::ptr_eq(&first, &get("torus2")));
        assert_eq!(ids(), ["torus2", "torus3"]);
        // The tables of one puzzle are kept, but not of two.
        let solve = |id: &str, board: &str| {
            let solver = get(id);
            let heuristic = "pdb".parse().ok();
            let options = SearchOptions { heuristic, ..SearchOptions::default() };
            solver.solve(&board.parse().unwrap(), &options, &mut Silent).unwrap();
            assert!(solver.table_bytes() > 2_000, "{}", solver.table_bytes());
        };
        solve("sliding3", "0 8 7/6 5 4/3 2 1");
        assert_eq!(ids(), ["sliding3", "torus2", "torus3"]);
        get("torus2");
        solve("sliding:2x4", "0 7 6 5/4 3 1 2");
        solve("sliding:2x4", "0 7 6 5/4 3 1 2");
        assert!(!ids().contains(&"torus3".to_owned()), "{:?}", ids());
        for side in 2..=20 {
            get(&format!("sliding:2x{side}"));
        }
        assert_eq!(ids().len(), MOST);
    }
}
