//! From a board to a checked answer: which search with which heuristic and table.
//!
//! A [`Solver`] belongs to one puzzle and one goal, owns the heuristics and tables that it has
//! built, and never hands out a solution that the independent checker has not replayed. It touches
//! no file, unless it is given a [`Cache`] to keep tables in.

mod all_solutions;
mod answer;
mod anytime;
mod auto;
mod auto_table;
mod backward;
mod databases;
mod error;
mod large_sliding;
mod larger_table;
mod partitions;
mod scores;
mod solution;

pub use all_solutions::AllSolutions;
pub use answer::{Answer, Guide, Improvement, Report, TableKind};
pub use auto_table::{Prepared, TableSize, Unprepared};
pub use error::{InferError, InternalError, NameTaken, RequestError, SolveError};
pub use larger_table::{LargerTable, Series};
pub use solution::Solution;

use crate::board::Board;
use crate::heuristic::Promise;
use crate::heuristic::circular_manhattan::CircularManhattan;
use crate::heuristic::linear_conflict::LinearConflict;
use crate::heuristic::manhattan::Manhattan;
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::pattern_sum::PatternSum;
use crate::heuristic::relations::Relations;
use crate::heuristic::walking_distance::WalkingDistance;
use crate::heuristic::zero::Zero;
use crate::limits::{Limits, NodeCount, Observer, StopReason};
use crate::once_list::OnceList;
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, Definition, Depth, Frame, Goal, GoalError, Move, registry};
use crate::search::all_shortest;
use crate::search::beam::BEAM;
use crate::search::counted_ida;
use crate::search::ida::IDA;
use crate::search::iddfs::IDDFS;
use crate::search::{
    Aim, Algorithm, AlgorithmChoice, BuildError, CrewSolution, Estimator, HeuristicKind,
    Inapplicable, Optimality, Outcome, Path, Prune, SearchOptions, Statistics, Task,
    UnknownHeuristic,
};
use crate::table::cache::Cache;
use crate::table::source::TableSource;
use all_solutions::SolutionList;
use larger_table::AutoTables;
use scores::Scores;
use std::sync::{Mutex, OnceLock};

/// Solves boards of one puzzle towards one goal.
///
/// ```
/// use permutile::puzzle::{arch::Simd, registry};
/// use permutile::{Answer, Goal, SearchOptions, Silent, Solver};
///
/// let solver = Solver::new(registry::define("sliding3")?, Goal::BlankLast, Simd::detect())?;
/// let options = SearchOptions::default();
/// let board = "1 2 3 / 4 5 6 / 0 7 8".parse()?;
/// let solution = solver.solve(&board, &options, &mut Silent)?.solution().unwrap();
/// assert_eq!(solution.names(), ["Right", "Right"]);
/// assert!(solution.is_optimal());
/// // No sequence of moves exchanges two tiles alone.
/// let board = "2 1 3 / 4 5 6 / 7 8 0".parse()?;
/// assert!(matches!(solver.solve(&board, &options, &mut Silent)?, Answer::Unsolvable(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Solver {
    puzzle: AnyPuzzle,
    /// The heuristic for boards of this puzzle if the user names none.
    first_choice: HeuristicKind,
    /// The same for searches that prove no lengths: it is asked for fewer boards, and may take
    /// longer for each.
    hurried_choice: HeuristicKind,
    /// The user-defined heuristics.
    added: Vec<HeuristicKind>,
    /// The heuristics in use.
    built: OnceList<BuiltHeuristic>,
    /// Where tables are kept.
    cache: Option<Cache>,
    /// The table that `auto` searches with.
    auto_table: AutoTables,
    /// Databases of other partitions of the tiles, for hard boards.
    partitions: OnceLock<Vec<PatternDatabases>>,
    /// What its beams rank boards by, from the score that is ready at once to the best.
    scores: OnceLock<Scores>,
    /// Locked by the thread that builds one of these.
    building: Mutex<()>,
}

/// A heuristic with its tables.
struct BuiltHeuristic {
    kind: HeuristicKind,
    promise: Promise,
    estimator: Box<dyn Estimator>,
    /// What it says of the goal.
    at_goal: Depth,
}

impl Solver {
    /// Prepares a puzzle and a goal. Tables are built when they are first needed.
    ///
    /// # Errors
    /// If the goal is not a board of the puzzle.
    pub fn new(definition: Definition, goal: Goal, simd: Simd) -> Result<Solver, GoalError> {
        let puzzle = AnyPuzzle::new(definition, goal, simd)?;
        let (first_choice, hurried_choice) = match puzzle.frame().blank_label() {
            Some(_) => (HeuristicKind::own::<Manhattan>(), HeuristicKind::own::<LinearConflict>()),
            None => {
                (HeuristicKind::own::<CircularManhattan>(), HeuristicKind::own::<WalkingDistance>())
            }
        };
        let applies = hurried_choice.promise(puzzle.frame()).is_ok_and(|p| p.admissible);
        Ok(Solver {
            hurried_choice: if applies { hurried_choice } else { first_choice.clone() },
            first_choice,
            puzzle,
            added: Vec::new(),
            built: OnceList::default(),
            cache: None,
            auto_table: AutoTables::default(),
            partitions: OnceLock::new(),
            scores: OnceLock::new(),
            building: Mutex::new(()),
        })
    }

    /// For the puzzle that a board most likely belongs to, with its default goal.
    ///
    /// # Errors
    /// If no puzzle has boards like this one.
    pub fn infer(board: &Board) -> Result<Solver, InferError> {
        Ok(Solver::new(registry::infer(board)?, Goal::Default, Simd::detect())?)
    }

    /// Adds a user-defined heuristic to those that can be found by name.
    ///
    /// # Errors
    /// If there is one of that name.
    pub fn add(&mut self, kind: HeuristicKind) -> Result<(), NameTaken> {
        if self.heuristic(kind.name()).is_ok() {
            return Err(NameTaken { name: kind.name().to_owned() });
        }
        self.added.push(kind);
        Ok(())
    }

    /// From now on, tables are looked for in a cache, and kept there.
    pub fn use_cache(&mut self, cache: Cache) {
        self.cache = Some(cache);
    }

    /// Builds the tables with which `auto` solves boards of this puzzle, those of its beams
    /// included, unless they are in the cache.
    ///
    /// # Errors
    /// If there is no such table, or if a limit is hit.
    pub fn prepare(
        &self,
        cache: &Cache,
        size: TableSize,
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Prepared>, Unprepared> {
        let exact = self.puzzle.visit(auto_table::Prepare { cache, size, limits, observer });
        if !anytime::needs_scores(self.frame()) || size == TableSize::Small {
            return exact;
        }
        let scores = scores::prepare(cache, self.frame(), limits)?;
        match exact {
            Ok(tables) => Ok([tables, scores].concat()),
            Err(Unprepared::Quick | Unprepared::FewBoards) if !scores.is_empty() => Ok(scores),
            Err(why) => Err(why),
        }
    }

    /// Builds a larger table for `auto` if a series of boards is worth it; `None` if it is not, or if
    /// the table could not be built.
    pub fn build_larger_table(&self, series: &Series<'_>) -> Option<LargerTable> {
        larger_table::build_if_worth_it(self, series)
    }

    /// The heuristic of a name, built-in or added.
    ///
    /// # Errors
    /// If there is none.
    pub fn heuristic(&self, name: &str) -> Result<HeuristicKind, UnknownHeuristic> {
        match self.added.iter().find(|kind| kind.name() == name) {
            Some(kind) => Ok(kind.clone()),
            None => name.parse(),
        }
    }

    /// All heuristics that need no large tables, whether they apply or not.
    pub fn heuristics(&self) -> impl Iterator<Item = &HeuristicKind> {
        let quick = HeuristicKind::built_in().iter().filter(|kind| !kind.is_large());
        quick.chain(&self.added)
    }

    /// What a heuristic promises here.
    ///
    /// # Errors
    /// If it does not apply.
    pub fn promise(&self, kind: &HeuristicKind) -> Result<Promise, RequestError> {
        kind.promise(self.frame()).map_err(|reason| self.inapplicable(kind, reason))
    }

    /// A heuristic on this puzzle, built if it is not there yet.
    ///
    /// # Errors
    /// If it does not apply, or if a limit is hit.
    pub fn estimator(
        &self,
        kind: &HeuristicKind,
        limits: &Limits<'_>,
    ) -> Result<&dyn Estimator, RequestError> {
        match self.built(kind, limits) {
            Ok(built) => Ok(&*built.estimator),
            Err(BuildError::Inapplicable(reason)) => Err(self.inapplicable(kind, reason)),
            Err(BuildError::Stopped(stop)) => {
                Err(RequestError::NotBuilt { name: kind.name().to_owned(), stop })
            }
        }
    }

    /// A heuristic with its tables.
    fn built(
        &self,
        kind: &HeuristicKind,
        limits: &Limits<'_>,
    ) -> Result<&BuiltHeuristic, BuildError> {
        let is_that = |built: &BuiltHeuristic| built.kind == *kind;
        if let Some(built) = self.built.get(is_that) {
            return Ok(built);
        }
        let promise = kind.promise(self.frame())?;
        // Whoever waits for another thread to build it obeys its own limits.
        let _building = auto_table::wait_for(&self.building, limits)?;
        self.built.find_or_try_make(is_that, || {
            let tables = TableSource { cache: self.cache.as_ref(), limits: *limits };
            let estimator = kind.build(&self.puzzle, &tables)?;
            let goal: Vec<u8> = (0..self.frame().shape().cells() as u8).collect();
            let at_goal = if kind.is_zero_at_goal() { 0 } else { estimator.estimate(&goal) };
            Ok(BuiltHeuristic { kind: kind.clone(), promise, estimator, at_goal })
        })
    }

    /// One of our own heuristics that applies and needs no large table.
    fn own(&self, kind: &HeuristicKind) -> &BuiltHeuristic {
        match self.built(kind, &Limits::default()) {
            Ok(built) => built,
            Err(error) => unreachable!("it applies, and there is no limit: {error}"),
        }
    }

    fn inapplicable(&self, kind: &HeuristicKind, reason: Inapplicable) -> RequestError {
        RequestError::Inapplicable {
            name: kind.name().to_owned(),
            puzzle: self.frame().id().to_owned(),
            reason,
        }
    }

    /// How many bytes the tables hold that were built so far.
    pub fn table_bytes(&self) -> u64 {
        let heuristics: u64 = self.built.iter().map(|built| built.estimator.table_bytes()).sum();
        let auto_table = self.auto_table.get().map_or(0, |table| table.bytes);
        heuristics
            + auto_table
            + databases::bytes_besides(self)
            + self.scores.get().map_or(0, Scores::bytes)
    }

    /// The puzzle.
    pub fn puzzle(&self) -> &AnyPuzzle {
        &self.puzzle
    }

    /// The puzzle apart from its packing.
    pub fn frame(&self) -> &Frame {
        self.puzzle.frame()
    }

    /// Solves a board.
    ///
    /// # Errors
    /// If the board or the options do not fit the puzzle, or if the checker rejects what was
    /// found.
    pub fn solve(
        &self,
        board: &Board,
        options: &SearchOptions<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Answer, SolveError> {
        let limits = options.limits_from_now();
        let labels = self.frame().encode(board).map_err(RequestError::from)?;
        let order = options.named_moves(self.frame()).map_err(RequestError::from)?;
        if options.prune == Prune::Loops && self.frame().blank_label().is_none() {
            return Err(RequestError::NoLoops { puzzle: self.frame().id().to_owned() }.into());
        }
        let task =
            Task { order, at_least: options.at_least, ..Task::new(&labels, limits, options) };
        if let Err(stop) = self.find_group(&limits) {
            let algorithm = options.algorithm.named().unwrap_or(&IDA);
            let stopped = Searched::stopped(algorithm, Vec::new(), self.first_bound(&task), stop);
            return Ok(Answer::Searched(self.report(stopped, None, board)?));
        }
        if let Err(reason) = self.frame().check_solvable(&labels) {
            return Ok(Answer::Unsolvable(reason));
        }
        options.crew.inspect(|crew| crew.begin(board, options.at_least));
        let searched = self.search(&task, observer);
        let is_solved = searched.as_ref().is_ok_and(|(s, _)| s.outcome.solution.is_some());
        let found = options.crew.and_then(|crew| crew.end(is_solved));
        let (mut searched, rests_on) = searched?;
        if let Some(found) = found {
            searched.take_from_crew(found);
            searched.guides.push(Guide::Heuristic(Scores::kind(self.frame())));
        }
        Ok(Answer::Searched(self.report(searched, rests_on, board)?))
    }

    /// Searches as the options say; with the heuristic whose claim makes the solution shortest.
    fn search(
        &self,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<(Searched, Option<HeuristicKind>), RequestError> {
        let options = task.options;
        match options.algorithm {
            AlgorithmChoice::Named(algorithm) if !algorithm.guided => {
                let zero = self.own(&HeuristicKind::own::<Zero>());
                let outcome = (algorithm.search)(task, &*zero.estimator, observer);
                Ok((Searched::new(algorithm, outcome, options), None))
            }
            choice => {
                let mut searched = self.search_guided(choice, task, observer)?;
                let claims = options.heuristic.as_ref().filter(|kind| kind.only_claims());
                let rests_on = claims.filter(|_| self.doubt(&mut searched.outcome, task.start));
                Ok((searched, rests_on.cloned()))
            }
        }
    }

    /// Takes back what rests on a heuristic that may not be admissible, but for what our own
    /// estimate proves; whether a solution would be shortest if the heuristic were.
    fn doubt(&self, outcome: &mut Outcome, labels: &[u8]) -> bool {
        let estimate = self.own(&self.first_choice).estimator.estimate(labels);
        if outcome.lower_bound > 0 {
            outcome.lower_bound = estimate;
        }
        let Some(path) = outcome.solution.as_mut().filter(|path| path.optimal) else {
            return false;
        };
        path.optimal = path.moves.len() == estimate as usize;
        !path.optimal
    }

    /// Makes sure that it is known which boards can be solved.
    fn find_group(&self, limits: &Limits<'_>) -> Result<(), StopReason> {
        if self.frame().knows_group() {
            return Ok(());
        }
        let _building = auto_table::wait_for(&self.building, limits)?;
        self.frame().find_group(limits)
    }

    /// Runs a search that a heuristic guides. What it says of bounds rests on the heuristic.
    fn search_guided(
        &self,
        choice: AlgorithmChoice,
        task: &Task<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Searched, RequestError> {
        let default = match choice.optimality() {
            Optimality::Never if choice.named() == Some(&BEAM) => self.choice_for_beams(task),
            Optimality::Never => self.hurried_choice.clone(),
            Optimality::Always | Optimality::IfAdmissible => self.first_choice.clone(),
        };
        let kind = task.options.heuristic.as_ref().unwrap_or(&default);
        let heuristic = match self.built(kind, &task.limits) {
            Ok(built) => built,
            Err(BuildError::Inapplicable(reason)) => return Err(self.inapplicable(kind, reason)),
            Err(BuildError::Stopped(stop)) => {
                let algorithm = choice.named().unwrap_or(&IDA);
                let guides = vec![Guide::Heuristic(kind.clone())];
                return Ok(Searched::stopped(algorithm, guides, self.first_bound(task), stop));
            }
        };
        if heuristic.at_goal != 0 {
            let (name, puzzle) = (kind.name().to_owned(), self.frame().id().to_owned());
            let estimate = heuristic.at_goal;
            return Err(RequestError::NotZeroAtGoal { name, puzzle, estimate });
        }
        let needs_proof = matches!(task.options.aim, Aim::Proven | Aim::Within(_));
        if choice == AlgorithmChoice::Auto && needs_proof && !heuristic.promise.admissible {
            let (name, puzzle) = (kind.name().to_owned(), self.frame().id().to_owned());
            return Err(RequestError::ProvesNothing { name, puzzle });
        }
        let bytes = heuristic.estimator.table_bytes();
        let task = &Task { limits: task.limits.less(bytes), ..task.clone() };
        let mut searched = match choice {
            AlgorithmChoice::Auto => auto::solve(self, task, heuristic, observer),
            AlgorithmChoice::Named(algorithm) => {
                let outcome = (algorithm.search)(task, &*heuristic.estimator, observer);
                let searched = Searched::new(algorithm, outcome, task.options);
                Searched { guides: vec![Guide::Heuristic(kind.clone())], ..searched }
            }
        };
        searched.outcome.statistics.peak_bytes += bytes;
        if !heuristic.promise.admissible {
            let is_default = task.options.heuristic.is_none();
            searched.outcome.lower_bound = if is_default { self.first_bound(task) } else { 0 };
            searched.outcome.solution.iter_mut().for_each(|path| path.optimal = false);
        }
        Ok(searched)
    }

    /// What a beam ranks boards by if the user names no heuristic. Without a blank, this is `relations`
    /// if the moves keep any, or else patterns whose tables are built in a moment.
    fn choice_for_beams(&self, task: &Task<'_>) -> HeuristicKind {
        if self.frame().blank_label().is_some() {
            return self.hurried_choice.clone();
        }
        let relations = HeuristicKind::own::<Relations>();
        let built = self.built(&relations, &task.limits);
        if built.is_ok_and(|built| built.estimator.estimate(task.start) > 0) {
            relations
        } else {
            HeuristicKind::own::<PatternSum>()
        }
    }

    /// What is proven of a board without any search, by the heuristic of first choice.
    fn first_bound(&self, task: &Task<'_>) -> Depth {
        // If another thread builds something for too long, it goes without.
        let first = self.built(&self.first_choice, &task.limits).ok();
        let first = first.filter(|first| first.promise.admissible);
        first.map_or(0, |first| first.estimator.estimate(task.start)).max(task.at_least)
    }

    /// Has the checker replay what a search found.
    fn report(
        &self,
        searched: Searched,
        rests_on: Option<HeuristicKind>,
        board: &Board,
    ) -> Result<Report, InternalError> {
        let Searched { outcome, algorithm, guides, threads, improvements } = searched;
        let Outcome { solution, lower_bound, stop, statistics } = outcome;
        let solution = solution.map(|path| self.replay(path, board)).transpose()?;
        Ok(Report {
            solution,
            rests_on,
            improvements,
            lower_bound,
            stop,
            statistics,
            algorithm,
            guides,
            threads,
        })
    }

    fn replay(&self, path: Path, board: &Board) -> Result<Solution, InternalError> {
        Solution::replay(path, board, self.frame())
            .map_err(|error| InternalError { board: board.clone(), error })
    }

    /// What IDA* or iterative deepening expands on a board, by depth and estimated length, as the
    /// options say; nothing if they name another algorithm, or after `most` nodes.
    pub fn ida_counts(
        &self,
        board: &Board,
        options: &SearchOptions<'_>,
        most: u64,
    ) -> Option<Vec<NodeCount>> {
        let zero = HeuristicKind::own::<Zero>();
        let kind = match options.algorithm.named()?.name {
            name if name == IDA.name => options.heuristic.as_ref().unwrap_or(&self.first_choice),
            name if name == IDDFS.name => &zero,
            _ => return None,
        };
        let labels = self.frame().encode(board).ok()?;
        let limits = options.limits_from_now();
        let built = self.built(kind, &limits).ok()?;
        counted_ida::counts(&Task::new(&labels, limits, options), &*built.estimator, most)
    }

    /// All solutions of a board whose shortest ones have `length` moves; at most `most` of them
    /// are listed, each replayed by the checker, and all are counted, as far as the limits allow.
    ///
    /// # Errors
    /// If it is not a board of this puzzle, or if the checker rejects a solution.
    pub fn all_shortest(
        &self,
        board: &Board,
        length: Depth,
        most: usize,
        limits: Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<AllSolutions, SolveError> {
        let labels = self.frame().encode(board).map_err(RequestError::from)?;
        // A board that was easy to solve needs no table for this either.
        let (estimator, bytes) = match self.auto_table.get() {
            Some(table) => (&*table.estimator, table.bytes),
            None => (&*self.own(&self.first_choice).estimator, 0),
        };
        let options = SearchOptions::default();
        let task = Task { at_least: length, ..Task::new(&labels, limits.less(bytes), &options) };
        let mut list = SolutionList::new(self, board, most, &task.limits);
        let counted =
            all_shortest::all_shortest(&task, estimator, length, observer, &mut |moves, held| {
                list.add(moves, held)
            });
        let SolutionList { solutions, end, .. } = list;
        let stop = end?;
        Ok(match counted {
            Ok(count) => AllSolutions { count, solutions, stop },
            Err(stop) => AllSolutions { count: 1, solutions, stop: Some(stop) },
        })
    }

    /// The names of moves.
    pub fn names(&self, moves: &[Move]) -> Vec<&str> {
        moves.iter().map(|&m| self.frame().moves().name(m)).collect()
    }
}

/// What a search found, before the checker has seen it.
struct Searched {
    outcome: Outcome,
    algorithm: &'static Algorithm,
    guides: Vec<Guide>,
    threads: usize,
    improvements: Vec<Improvement>,
}

impl Searched {
    fn new(
        algorithm: &'static Algorithm,
        outcome: Outcome,
        options: &SearchOptions<'_>,
    ) -> Searched {
        let threads = if algorithm.parallel { options.all_threads() } else { 1 };
        Searched { outcome, algorithm, guides: Vec::new(), threads, improvements: Vec::new() }
    }

    /// What came of it, if a limit was hit before the search could begin.
    fn stopped(
        algorithm: &'static Algorithm,
        guides: Vec<Guide>,
        lower_bound: Depth,
        stop: StopReason,
    ) -> Searched {
        let statistics = Statistics::default();
        let outcome = Outcome { solution: None, lower_bound, stop: Some(stop), statistics };
        Searched { outcome, algorithm, guides, threads: 1, improvements: Vec::new() }
    }

    /// Takes a solution that another process has found, as there is none here.
    fn take_from_crew(&mut self, found: CrewSolution) {
        let CrewSolution { moves, improvements, expanded } = found;
        let improvement = |(after, length)| Improvement { after, length };
        self.improvements = improvements.into_iter().map(improvement).collect();
        self.algorithm = &BEAM;
        let length = moves.len() as Depth;
        let outcome = &mut self.outcome;
        outcome.lower_bound = outcome.lower_bound.min(length);
        let optimal = outcome.lower_bound == length;
        // No longer ones were of interest.
        outcome.stop = outcome.stop.filter(|&stop| !optimal && stop != StopReason::Depth);
        outcome.solution = Some(Path { moves, optimal });
        outcome.statistics.expanded += expanded;
    }

    /// The same, with the statistics of a search before it, and the bytes of a table.
    fn after(mut self, first: Statistics, table_bytes: u64) -> Searched {
        let second = std::mem::replace(&mut self.outcome.statistics, first);
        self.outcome.statistics.add(second);
        self.outcome.statistics.peak_bytes += table_bytes;
        self
    }
}
