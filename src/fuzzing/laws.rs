//! Laws that hold for any board and any moves: the bytes choose a puzzle, a board and a walk.

use crate::board::check;
use crate::limits::{Limits, Silent};
use crate::puzzle::arch::Simd;
use crate::puzzle::canonical::{Canonicalize, Canonicalizer, inverse};
use crate::puzzle::permutation::Permutation;
use crate::puzzle::{AnyPuzzle, Goal, Move, Puzzle, PuzzleVisitor, custom, registry};
use crate::search::{AlgorithmChoice, HeuristicKind, SearchOptions};
use crate::solver::{Answer, Solver};
use std::sync::LazyLock;

/// Puzzles of each family and each packing.
const IDS: &[&str] = &[
    "torus:2x3",
    "torus3",
    "torus4",
    "torus:4x5",
    "torus5",
    "torus6",
    "rings3",
    "rings:3x4",
    "rings5",
    "sliding:2x3",
    "sliding3",
    "sliding4",
    "sliding:4x5",
    "sliding5",
    "sliding6",
];

/// A custom puzzle with moves one way and over many distances.
const CUSTOM: &str = "shape = \"4x4\"\n\
    [[move]]\nname = \"knight\"\ncycles = [[1, 7, 16, 10], [2, 12, 5, 11, 4]]\n\
    [[move]]\nname = \"swap\"\ncycles = [[3, 14]]\n\
    [[move]]\nname = \"turn\"\ncycles = [[1, 2, 3, 4, 8, 12, 16, 15, 14, 13, 9, 5]]\n\
    inverse = \"unturn\"\n";

pub(super) fn walk_examples() -> Vec<Vec<u8>> {
    (0..=IDS.len() as u8).map(|puzzle| [&[puzzle][..], b"a walk of some moves"].concat()).collect()
}

/// With SIMD, and without.
fn puzzles(simd: Simd) -> Vec<AnyPuzzle> {
    let named = IDS.iter().map(|id| registry::define(id).expect("the id of a puzzle"));
    let custom = custom::define("custom.toml", CUSTOM).expect("a puzzle");
    let made =
        |definition| AnyPuzzle::new(definition, Goal::Default, simd).expect("the usual goal");
    named.chain([custom]).map(made).collect()
}

static WITH_SIMD: LazyLock<Vec<AnyPuzzle>> = LazyLock::new(|| puzzles(Simd::detect()));
static SCALAR: LazyLock<Vec<AnyPuzzle>> = LazyLock::new(|| puzzles(Simd::off()));

/// The number of a puzzle, and the rest of the bytes.
fn chosen(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (&first, rest) = bytes.split_first()?;
    Some((usize::from(first) % (IDS.len() + 1), rest))
}

/// Any arrangement: the bytes say what changes places.
fn shuffled(cells: usize, bytes: &[u8]) -> Vec<u8> {
    let mut labels: Vec<u8> = (0..cells).map(|cell| cell as u8).collect();
    for (cell, &byte) in (0..cells).zip(bytes.iter().cycle()) {
        labels.swap(cell, usize::from(byte) % cells);
    }
    labels
}

/// As many moves are made.
const LONGEST_WALK: usize = 24;

/// The moves of a walk, each one of those that are legal.
fn walk<P: Puzzle>(puzzle: &P, start: P::State, bytes: &[u8]) -> Vec<Move> {
    let mut state = start;
    let choose = |&byte: &u8| {
        let legal: Vec<Move> = puzzle.legal(state).collect();
        let m = legal[usize::from(byte) % legal.len()];
        state = puzzle.apply(state, m);
        m
    };
    bytes.iter().take(LONGEST_WALK).map(choose).collect()
}

/// Packed = plain: moves on packed words do what the checker says, and are taken back.
pub(super) fn packed(bytes: &[u8]) {
    let Some((number, rest)) = chosen(bytes) else { return };
    for puzzles in [&WITH_SIMD, &SCALAR] {
        let start = shuffled(puzzles[number].frame().shape().cells(), rest);
        puzzles[number].visit(MovesFollowRules { start: Some(&start), moves: rest });
    }
}

/// Makes moves on an engine and on a plain board.
pub(super) struct MovesFollowRules<'a> {
    /// The labels of the board; the goal if there are none.
    pub(super) start: Option<&'a [u8]>,
    pub(super) moves: &'a [u8],
}

impl PuzzleVisitor for MovesFollowRules<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        let frame = puzzle.frame();
        let start = self.start.map_or(puzzle.goal(), |labels| puzzle.state_of(labels));
        let moves = walk(puzzle, start, self.moves);
        let names: Vec<&str> = moves.iter().map(|&m| frame.moves().name(m)).collect();
        let board = frame.decode(&puzzle.labels(start));
        assert_eq!(frame.encode(&board).as_deref(), Ok(&puzzle.labels(start)[..]));
        let end = moves.iter().fold(start, |state, &m| puzzle.apply(state, m));
        let plain = check::replay(frame.rules(), &board, &names).expect("the moves are legal");
        assert_eq!(frame.decode(&puzzle.labels(end)), plain, "{} {names:?}", frame.id());
        assert_eq!(puzzle.state(puzzle.key(end)), end);
        let back = moves.iter().rev().fold(end, |state, &m| {
            assert!(puzzle.legal_back(state).any(|other| other == m));
            puzzle.apply_back(state, m)
        });
        assert_eq!(back, start, "{} {names:?}", frame.id());
    }
}

/// Asks for the canonical form of a board, and checks it.
type CanonicalLaw = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The canonical form is an image of the board, the same for all images, with SIMD and without.
pub(super) fn canonical(bytes: &[u8]) {
    static LAWS: LazyLock<Vec<CanonicalLaw>> =
        LazyLock::new(|| WITH_SIMD.iter().map(|puzzle| puzzle.visit(MakeCanonicalLaw)).collect());
    let Some((number, rest)) = chosen(bytes) else { return };
    let puzzle = &WITH_SIMD[number];
    // Boards near the goal have the most images that are the same.
    let cells = puzzle.frame().shape().cells();
    let labels = match rest.first() {
        Some(first) if first % 2 == 0 => puzzle.visit(AfterWalk(rest)),
        _ => shuffled(cells, rest),
    };
    LAWS[number](&labels);
}

/// The labels after a walk from the goal.
struct AfterWalk<'a>(&'a [u8]);

impl PuzzleVisitor for AfterWalk<'_> {
    type Output = Vec<u8>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<u8> {
        let moves = walk(puzzle, puzzle.goal(), &self.0[..self.0.len().min(8)]);
        puzzle.labels(moves.iter().fold(puzzle.goal(), |state, &m| puzzle.apply(state, m)))
    }
}

struct MakeCanonicalLaw;

impl PuzzleVisitor for MakeCanonicalLaw {
    type Output = CanonicalLaw;

    fn visit<P: Puzzle>(self, puzzle: &P) -> CanonicalLaw {
        let quick = Canonicalizer::new(puzzle);
        let plain = Canonicalizer::new(puzzle).without_simd();
        let symmetries = puzzle.frame().symmetries().to_vec();
        let inversion = puzzle.frame().has_inversion();
        Box::new(move |labels| check_canonical(&quick, &plain, &symmetries, inversion, labels))
    }
}

fn check_canonical<K: Canonicalize>(
    quick: &Canonicalizer<K>,
    plain: &Canonicalizer<K>,
    symmetries: &[Permutation],
    inversion: bool,
    labels: &[u8],
) {
    let key = K::from_labels(labels);
    let canonical = quick.canonical(key);
    assert_eq!(plain.canonical(key), canonical);
    let image = |sigma: &Permutation| {
        let mut image = labels.to_vec();
        for (cell, &label) in labels.iter().enumerate() {
            image[sigma.source(cell)] = sigma.sources()[usize::from(label)];
        }
        K::from_labels(&image)
    };
    assert!(symmetries.iter().any(|sigma| image(sigma) == canonical.key), "{labels:?}");
    // All of up to 200 symmetries would take most of the time.
    let some = usize::from(labels[0]) % symmetries.len();
    assert_eq!(quick.canonical(image(&symmetries[some])), canonical, "{labels:?}");
    if inversion {
        let back = inverse(key, labels.len());
        assert_eq!(inverse(back, labels.len()), key);
        assert_eq!(quick.canonical_with_inverse(back), quick.canonical_with_inverse(key));
    }
}

/// Solvers of some puzzles, with SIMD and without.
static SOLVERS: LazyLock<Vec<Solver>> = LazyLock::new(|| {
    let ids = ["torus:2x3", "torus3", "torus4", "rings3", "sliding3", "sliding4", "sliding:2x5"];
    let solver = |(id, simd): (&str, Simd)| {
        let definition = registry::define(id).expect("the id of a puzzle");
        Solver::new(definition, Goal::Default, simd).expect("the usual goal")
    };
    ids.into_iter().flat_map(|id| [(id, Simd::detect()), (id, Simd::off())]).map(solver).collect()
});

/// Incremental = full, for all heuristics that need no large tables.
pub(super) fn incremental(bytes: &[u8]) {
    static KINDS: LazyLock<Vec<HeuristicKind>> = LazyLock::new(|| {
        let small = |kind: &&HeuristicKind| !kind.is_large();
        HeuristicKind::built_in().iter().filter(small).cloned().collect()
    });
    let [first, second, rest @ ..] = bytes else { return };
    let solver = &SOLVERS[usize::from(*first) % SOLVERS.len()];
    let kind = &KINDS[usize::from(*second) % KINDS.len()];
    let Ok(estimator) = solver.estimator(kind, &Limits::default()) else { return };
    let Some(start) = solvable(solver, rest) else { return };
    let moves = solver.puzzle().visit(Walk { start: &start, bytes: rest });
    let estimates = estimator.path_estimates(&start, &moves);
    assert_eq!(estimates.len(), moves.len() + 1);
    for (number, estimate) in estimates.iter().enumerate() {
        assert!(estimate.agrees, "{} on {start:?} after {number}: {moves:?}", kind.name());
    }
}

/// An arrangement that can be solved: some of two that differ in two tiles, mostly.
fn solvable(solver: &Solver, bytes: &[u8]) -> Option<Vec<u8>> {
    let frame = solver.frame();
    let mut labels = shuffled(frame.shape().cells(), bytes);
    if frame.check_solvable(&labels).is_err() {
        let is_tile = |cell: &usize| Some(labels[*cell]) != frame.blank_label();
        let mut tiles = (0..labels.len()).filter(is_tile);
        let (a, b) = (tiles.next()?, tiles.next()?);
        labels.swap(a, b);
    }
    frame.check_solvable(&labels).is_ok().then_some(labels)
}

struct Walk<'a> {
    start: &'a [u8],
    bytes: &'a [u8],
}

impl PuzzleVisitor for Walk<'_> {
    type Output = Vec<Move>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<Move> {
        walk(puzzle, puzzle.state_of(self.start), self.bytes)
    }
}

/// A beam's solutions replay: the solver's checker has an error if not. The same boards are kept with
/// and without SIMD.
pub(super) fn beam(bytes: &[u8]) {
    let [first, second, rest @ ..] = bytes else { return };
    let pair = usize::from(*first) % (SOLVERS.len() / 2);
    let labels = SOLVERS[2 * pair].puzzle().visit(AfterWalk(rest));
    let options = SearchOptions {
        algorithm: "beam".parse::<AlgorithmChoice>().expect("the name of an algorithm"),
        width: 1 + usize::from(*second) % 20,
        limits: Limits { nodes: Some(500), ..Limits::default() },
        ..SearchOptions::default()
    };
    let found = [0, 1].map(|simd| {
        let solver = &SOLVERS[2 * pair + simd];
        let board = solver.frame().decode(&labels);
        match solver.solve(&board, &options, &mut Silent).expect("the checker accepts it") {
            Answer::Searched(report) => report.solution.map(|solution| solution.names().to_vec()),
            Answer::Unsolvable(reason) => panic!("it was reached by moves: {reason}"),
        }
    });
    assert_eq!(found[0], found[1]);
}
