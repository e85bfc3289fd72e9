//! Sliding puzzles: the search made for them against the general one, and golden counts.

use crate::support::Dice;
use permutile::board::text::{self, Entry, Form, TextOptions};
use permutile::heuristic::inversion_distance::InversionDistance;
use permutile::heuristic::linear_conflict::LinearConflict;
use permutile::heuristic::manhattan::Manhattan;
use permutile::heuristic::max_of::SlidingMax;
use permutile::heuristic::pdb::{Automatic, Pdb555};
use permutile::heuristic::unit_steps::{Steps, StepsRoot, StepsVisitor};
use permutile::heuristic::walking_distance::WalkingDistance;
use permutile::heuristic::{Heuristic, NamedHeuristic};
use permutile::on_engine;
use permutile::puzzle::arch::Simd;
use permutile::puzzle::blank_relative::BlankRelative;
use permutile::puzzle::{AnyPuzzle, Depth, Goal, Move, Puzzle, registry};
use permutile::search::estimator::SearchKey;
use permutile::search::ida::IDA;
use permutile::search::parallel_ida::PARALLEL_IDA;
use permutile::search::{
    Aim, Estimator, Iteration, Limits, OnEngine, Outcome, Prune, SearchOptions, Silent, Task,
};
use permutile::solver::{Answer, Report, Solver};
use std::sync::Arc;

/// A heuristic that does not tell that each move changes it by one.
struct Secretive<H>(H);

impl<P: Puzzle, H: Heuristic<P>> Heuristic<P> for Secretive<H> {
    type Value = H::Value;

    fn evaluate(&self, puzzle: &P, state: P::State) -> H::Value {
        self.0.evaluate(puzzle, state)
    }

    fn update(&self, puzzle: &P, value: H::Value, before: P::State, m: Move) -> H::Value {
        self.0.update(puzzle, value, before, m)
    }

    fn estimate(&self, value: H::Value) -> Depth {
        self.0.estimate(value)
    }
}

/// A look ahead and the step.
fn stepped<S: Steps, R: BlankRelative, const M: usize>(
    steps: &S,
    carried: &S::Carried,
    ring: R,
    (blank, label): (usize, usize),
) -> Option<S::Carried> {
    let ahead = steps.ahead::<M>(carried, blank, label);
    steps.step::<R, M>(carried, ahead, ring, blank, label)
}

/// Follows the steps from a node, with so many moves left, on a random walk as long as there are
/// some to spare.
struct Follow<'a, P: Puzzle, H: Heuristic<P>> {
    puzzle: &'a P,
    heuristic: &'a H,
    state: P::State,
    budget: Depth,
    dice: &'a mut Dice,
}

impl<P: Puzzle, H: Heuristic<P>> Follow<'_, P, H> {
    fn follow<S: Steps, R: BlankRelative>(self, steps: &S, carried: S::Carried) {
        let Follow { puzzle, heuristic, mut state, mut budget, dice } = self;
        let (mut value, mut carried) = (heuristic.evaluate(puzzle, state), carried);
        while budget > 0 {
            budget -= 1;
            let labels = puzzle.labels(state);
            let blank =
                labels.iter().position(|&label| Some(label) == puzzle.frame().blank_label());
            let blank = blank.unwrap();
            let ring = R::new(&labels, blank);
            let after = |m: Move| {
                let neighbour = puzzle.labels(puzzle.apply(state, m))[blank].into();
                match m {
                    Move(0) => stepped::<S, R, 0>(steps, &carried, ring, (blank, neighbour)),
                    Move(1) => stepped::<S, R, 1>(steps, &carried, ring, (blank, neighbour)),
                    Move(2) => stepped::<S, R, 2>(steps, &carried, ring, (blank, neighbour)),
                    _ => stepped::<S, R, 3>(steps, &carried, ring, (blank, neighbour)),
                }
            };
            let moves: Vec<Move> = puzzle.legal(state).collect();
            for &m in &moves {
                let estimate = heuristic.estimate(heuristic.update(puzzle, value, state, m));
                assert_eq!(after(m).is_some(), estimate <= budget, "{}", puzzle.frame().id());
            }
            let m = moves[dice.below(moves.len())];
            let Some(next) = after(m) else { return };
            value = heuristic.update(puzzle, value, state, m);
            (state, carried) = (puzzle.apply(state, m), next);
        }
    }
}

impl<P: Puzzle, H: Heuristic<P>> StepsVisitor for Follow<'_, P, H> {
    type Output = ();

    fn visit<S: Steps>(self, steps: &S, root: StepsRoot<'_, S::Value>) {
        let carried = steps.begin(root.value, root.labels, root.budget);
        let carried = carried.expect("enough moves are left");
        if self.puzzle.frame().shape().cells() <= u64::CELLS {
            self.follow::<S, u64>(steps, carried);
        } else {
            self.follow::<S, u128>(steps, carried);
        }
    }
}

/// Asks whether there are steps.
struct HasSteps;

impl StepsVisitor for HasSteps {
    type Output = ();

    fn visit<S: Steps>(self, _: &S, _: StepsRoot<'_, S::Value>) {}
}

/// Searches some boards, so many steps from the goal, in both ways; whether there are two.
fn compare<P, R>(puzzle: &Arc<P>, steps: usize) -> bool
where
    P: Puzzle<Key: SearchKey>,
    R: NamedHeuristic<Heuristic: Heuristic<P>>,
{
    let frame = puzzle.frame();
    let heuristic = &R::build(frame);
    let goal = puzzle.goal();
    let value = heuristic.evaluate(puzzle, goal);
    let root = StepsRoot { value, labels: &puzzle.labels(goal), budget: 0 };
    if heuristic.unit_steps(root, HasSteps).is_none() {
        return false;
    }
    let mut dice = Dice::new(7);
    for slack in 0..60 {
        let state = dice.walk(&**puzzle, 300);
        let value = heuristic.evaluate(puzzle, state);
        let budget = heuristic.estimate(value) + 2 * slack;
        let follow = Follow { puzzle: &**puzzle, heuristic, state, budget, dice: &mut dice };
        let root = StepsRoot { value, labels: &puzzle.labels(state), budget };
        heuristic.unit_steps(root, follow).expect("there are some for each board");
    }
    let on_engine = OnEngine::new(Arc::clone(puzzle), R::build(frame));
    let secretive = OnEngine::new(Arc::clone(puzzle), Secretive(R::build(frame)));
    for _ in 0..6 {
        let start = puzzle.labels(dice.walk(&**puzzle, steps));
        let options = SearchOptions { threads: 2, ..SearchOptions::default() };
        let limits = Limits { nodes: Some(400_000), ..Limits::default() };
        let task = Task::new(&start, limits, &options);
        let quick = (IDA.search)(&task, &on_engine, &mut Silent);
        let plain = (IDA.search)(&task, &secretive, &mut Silent);
        let what = |outcome: &Outcome| {
            let moves = outcome.solution.as_ref().map(|solution| solution.moves.clone());
            let counts = &outcome.statistics;
            let counts = (counts.expanded, counts.generated, counts.max_depth);
            (moves, outcome.lower_bound, outcome.stop, counts)
        };
        assert_eq!(what(&quick), what(&plain), "{}", frame.id());
        // The same without loops, which finds the same solution with no more nodes.
        let task_without_loops = Task { prune: Prune::Loops, ..task.clone() };
        let [without_loops, plainly] = [&on_engine as &dyn Estimator, &secretive]
            .map(|estimator| (IDA.search)(&task_without_loops, estimator, &mut Silent));
        assert_eq!(what(&without_loops), what(&plainly), "{}", frame.id());
        if let Some(solution) = plain.solution {
            assert!(without_loops.statistics.generated <= plain.statistics.generated);
            assert_eq!(without_loops.solution.unwrap().moves, solution.moves, "{}", frame.id());
            for task in [&task, &task_without_loops] {
                let parallel = (PARALLEL_IDA.search)(task, &on_engine, &mut Silent);
                let length = parallel.solution.map(|solution| solution.moves.len());
                assert_eq!(length, Some(solution.moves.len()), "{}", frame.id());
            }
        }
    }
    true
}

/// The name of a heuristic that applies and has two.
fn tried<P, R>(puzzle: &Arc<P>, steps: usize) -> Option<&'static str>
where
    P: Puzzle<Key: SearchKey>,
    R: NamedHeuristic<Heuristic: Heuristic<P>>,
{
    R::promise(puzzle.frame())?;
    compare::<P, R>(puzzle, steps).then_some(R::NAME)
}

/// Those that were tried.
fn all_tried<P: Puzzle<Key: SearchKey>>(puzzle: &Arc<P>, steps: usize) -> Vec<&'static str> {
    // A constant: what is behind it is not compiled for puzzles without a blank.
    if const { !P::HAS_BLANK } {
        return Vec::new();
    }
    let tried = [
        tried::<P, Manhattan>(puzzle, steps),
        tried::<P, LinearConflict>(puzzle, steps),
        tried::<P, WalkingDistance>(puzzle, steps),
        tried::<P, InversionDistance>(puzzle, steps),
        tried::<P, SlidingMax>(puzzle, steps),
        tried::<P, Automatic>(puzzle, steps),
        tried::<P, Pdb555>(puzzle, steps),
    ];
    tried.into_iter().flatten().collect()
}

#[test]
fn the_search_for_unit_steps_visits_the_nodes_of_the_general_one() {
    let [few, walks, all] = [
        &["manhattan", "linear-conflict"][..],
        &["manhattan", "linear-conflict", "walking-distance"],
        &["manhattan", "linear-conflict", "walking-distance", "inversion-distance", "max-of"],
    ];
    let puzzles = [
        ("sliding:2x3", 40, walks),
        ("sliding:2x4", 40, all),
        ("sliding3", 60, walks),
        ("sliding:3x4", 60, walks),
        ("sliding:4x3", 60, walks),
        ("sliding:5x3", 60, few),
        ("sliding4", 100, all),
        ("sliding:4x5", 50, few),
        ("sliding5", 60, few),
    ];
    for (id, steps, expected) in puzzles {
        let definition = registry::define(id).unwrap();
        let (shape, cells) = (definition.shape, definition.shape.cells());
        let tile = |cell: usize| ((cell + cells / 2 - 1) % cells).to_string();
        let numbers: Vec<String> = (0..cells).map(tile).collect();
        let inside = text::parse_one("goal", numbers.join(" ").as_bytes(), Some(shape));
        let inside = Goal::Board(inside.unwrap().board);
        for goal in [Goal::BlankFirst, Goal::BlankLast, inside] {
            let puzzle = AnyPuzzle::new(definition.clone(), goal, Simd::detect()).unwrap();
            let mut tried = on_engine!(&puzzle, puzzle => all_tried(puzzle, steps));
            tried.retain(|name| !name.starts_with("pdb"));
            assert_eq!(tried, expected, "{id}");
        }
    }
}

fn solver(goal: Goal) -> Solver {
    Solver::new(registry::define("sliding4").unwrap(), goal, Simd::detect()).unwrap()
}

fn korf_boards() -> Vec<Entry> {
    let text = include_str!("../../data/boards/korf-easy.boards");
    let options = TextOptions { shape: None, form: Form::Collection };
    text::parse("korf-easy", text.as_bytes(), &options).into_iter().map(Result::unwrap).collect()
}

fn solved(solver: &Solver, entry: &Entry, options: &SearchOptions<'_>) -> Report {
    let Answer::Searched(report) = solver.solve(&entry.board, options, &mut Silent).unwrap() else {
        panic!("it can be solved");
    };
    let solution = report.solution.as_ref().unwrap();
    assert_eq!(Some(solution.len() as u32), entry.known_length, "{:?}", entry.name);
    assert!(solution.is_optimal());
    report
}

/// Nodes of the 20 easiest of Korf's boards: each search has the known lengths and these counts.
///
/// With `manhattan` they are those that Korf published (1985), board by board, but for the start:
/// he counts it as generated, once for each board. All 100 boards take 36,302,807,931.
#[test]
fn node_totals_are_golden() {
    const PUBLISHED: u64 = 49_714_594;
    let totals = [
        ("manhattan", PUBLISHED - 20),
        ("linear-conflict", 9_997_920),
        ("walking-distance", 10_892_131),
        ("max-of", 3_368_451),
        ("pdb-555", 764_549),
        ("pdb-663", 120_507),
    ];
    let solver = solver(Goal::BlankFirst);
    for (heuristic, expected) in totals {
        let options = SearchOptions {
            algorithm: (&IDA).into(),
            heuristic: heuristic.parse().ok(),
            ..SearchOptions::default()
        };
        let generated = |entry| solved(&solver, entry, &options).statistics.generated;
        let total: u64 = korf_boards().iter().map(generated).sum();
        assert_eq!(total, expected, "{heuristic}");
    }
}

/// The same boards without loops: the same lengths, and how many nodes are saved.
#[test]
fn node_totals_without_loops_are_golden() {
    let totals = [("manhattan", 29_035_648), ("linear-conflict", 6_444_174), ("pdb-663", 100_617)];
    let solver = solver(Goal::BlankFirst);
    for (heuristic, expected) in totals {
        let options = SearchOptions {
            algorithm: (&IDA).into(),
            heuristic: heuristic.parse().ok(),
            prune: Prune::Loops,
            ..SearchOptions::default()
        };
        let generated = |entry| solved(&solver, entry, &options).statistics.generated;
        let total: u64 = korf_boards().iter().map(generated).sum();
        assert_eq!(total, expected, "{heuristic}");
    }
}

/// Nodes taken in batches are those of the recursion, up to the last iteration.
#[test]
fn batches_search_what_the_recursion_does() {
    let definition = registry::define("sliding4").unwrap();
    let puzzle = AnyPuzzle::new(definition, Goal::BlankFirst, Simd::detect()).unwrap();
    on_engine!(&puzzle, puzzle => {
        let databases = |batches| Pdb555::build(puzzle.frame()).in_batches(batches);
        let estimators = [false, true].map(|b| OnEngine::new(Arc::clone(puzzle), databases(b)));
        let options = SearchOptions { prune: Prune::Loops, ..SearchOptions::default() };
        for entry in korf_boards() {
            let start = puzzle.frame().encode(&entry.board).unwrap();
            let task = Task::new(&start, Limits::default(), &options);
            let [plain, batches] = [0, 1].map(|i| (IDA.search)(&task, &estimators[i], &mut Silent));
            assert_eq!(plain.lower_bound, batches.lower_bound);
            let length = batches.solution.map(|solution| solution.moves.len() as u32);
            assert_eq!(length, entry.known_length);
            let before_last = |iterations: &[Iteration]| iterations[..iterations.len() - 1].to_vec();
            let iterations = [&plain.statistics, &batches.statistics];
            let [plain, batches] = iterations.map(|done| before_last(&done.iterations));
            assert_eq!(plain, batches);
        }
    });
}

#[test]
fn auto_builds_databases_for_a_board_that_proves_hard() {
    let quick = solver(Goal::BlankFirst);
    let hard = board("korf-1: 14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3 # 57");
    for threads in [1, 2] {
        let options = SearchOptions { threads, aim: Aim::Proven, ..SearchOptions::default() };
        let report = solved(&quick, &hard, &options);
        assert_eq!(report.guides_in_words().as_deref(), Some("manhattan, then pdb-663"));
        assert!(report.statistics.peak_bytes > 3_000_000);
    }
    let easy = board("easy: 1 2 6 3 4 5 10 7 8 9 0 11 12 13 14 15 # 4");
    let report =
        solved(&quick, &easy, &SearchOptions { aim: Aim::Proven, ..SearchOptions::default() });
    assert_eq!(report.guides_in_words().as_deref(), Some("manhattan"));
    // Asked for one with databases of its own, it stays with that.
    let heuristic = "pdb-555".parse().ok();
    let options = SearchOptions { heuristic, aim: Aim::Proven, ..SearchOptions::default() };
    let report = solved(&quick, &hard, &options);
    assert_eq!(report.guides_in_words().as_deref(), Some("pdb-555"));
    // There is no room for tables.
    let limits = Limits { bytes: Some(1 << 20), ..Limits::default() };
    let options = SearchOptions { limits, aim: Aim::Proven, ..SearchOptions::default() };
    let report = solved(&solver(Goal::BlankFirst), &korf_boards()[1], &options);
    assert_eq!(report.guides_in_words().as_deref(), Some("manhattan"));
}

/// Up to nine cells, no board is worth a table.
#[test]
fn auto_solves_small_boards_without_a_table() {
    let middle = || Goal::Board(board("goal: 1 2 3 8 0 4 7 6 5").board);
    let mut puzzles = vec![("sliding3", middle())];
    for id in ["sliding2", "sliding:2x3", "sliding:3x2", "sliding:2x4", "sliding:4x2", "sliding3"] {
        puzzles.extend([(id, Goal::BlankFirst), (id, Goal::BlankLast)]);
    }
    let mut dice = Dice::new(5);
    for (id, goal) in puzzles {
        let solver = Solver::new(registry::define(id).unwrap(), goal, Simd::detect()).unwrap();
        let mut solved = 0;
        while solved < 6 {
            let board = solver.frame().decode(&dice.labels(solver.frame()));
            let ask = |options| match solver.solve(&board, &options, &mut Silent).unwrap() {
                Answer::Searched(report) => Some(report),
                Answer::Unsolvable(_) => None,
            };
            let bfs = "bfs".parse().unwrap();
            let Some(plain) = ask(SearchOptions { algorithm: bfs, ..SearchOptions::default() })
            else {
                continue;
            };
            solved += 1;
            let length = plain.solution.unwrap().len();
            let auto = ask(SearchOptions { aim: Aim::Proven, ..SearchOptions::default() }).unwrap();
            assert_eq!(auto.guides_in_words().as_deref(), Some("manhattan"));
            assert_eq!(auto.solution.unwrap().len(), length, "{board} of {id}");
        }
    }
    let small = Solver::new(registry::define("sliding3").unwrap(), Goal::Default, Simd::detect());
    let small = small.unwrap();
    let hard = board("hard: 8 0 6 5 4 7 2 3 1 # 31");
    let options = SearchOptions { aim: Aim::Proven, ..SearchOptions::default() };
    let report = solved(&small, &hard, &options);
    assert_eq!(report.guides_in_words().as_deref(), Some("manhattan"));
    // One that guides badly is helped by the table.
    let options = SearchOptions { heuristic: "zero".parse().ok(), ..options };
    let report = solved(&small, &hard, &options);
    assert_eq!(report.guides_in_words().as_deref(), Some("zero, then pdb"));
}

fn board(text: &str) -> Entry {
    let options = TextOptions { shape: None, form: Form::Collection };
    text::parse("board", text.as_bytes(), &options).remove(0).unwrap()
}

#[test]
fn boards_of_the_other_goal_are_refused_at_once_with_a_hint() {
    let board = &korf_boards()[0].board;
    let options = SearchOptions::default();
    let answer = solver(Goal::BlankLast).solve(board, &options, &mut Silent).unwrap();
    let Answer::Unsolvable(reason) = answer else { panic!("it cannot be solved") };
    assert!(reason.to_string().contains("the goal blank-first can be reached"), "{reason}");
}
