//! Instructions of the hot paths, counted by Valgrind: the same in each run, however busy the
//! machine is. `scripts/bench-instructions` runs it.
//!
//! The names follow the ids of the other benches: `instructions::moves::torus4 packed` counts what
//! `moves/torus4/packed` times. Each counts [`TIMES`] moves, canonical forms or estimates, or one
//! search. What they work on is prepared before, and what comes of it checked afterwards.

#![expect(unused_qualifications, reason = "gungraun's macros write the paths of all names")]

#[path = "common/least_image.rs"]
mod least_image;
#[path = "common/plain_board.rs"]
mod plain_board;

use canonical_forms::canonical;
use estimates::heuristics;
use gungraun::{Callgrind, EventKind, LibraryBenchmarkConfig, OutputFormat, main};
use one_move::moves;
use searches::search;

/// How often what takes no time is done.
const TIMES: usize = 1000;

/// What is counted.
trait Work {
    fn run(&mut self);

    /// Panics unless what came of it is right.
    fn check(&self);
}

fn counted<W: Work>(mut work: Box<W>) -> Box<W> {
    work.run();
    work
}

fn check<W: Work>(work: Box<W>) {
    work.check();
    drop(work);
}

/// One puzzle for each of the engines that matter most.
mod puzzles {
    use permutile::puzzle::packed::{Nibbles, Quints};
    use permutile::puzzle::{AnyPuzzle, Permuting, Sliding};
    use std::sync::Arc;

    pub(super) fn torus4() -> Permuting<Nibbles> {
        match AnyPuzzle::from_id("torus4") {
            Ok(AnyPuzzle::PermutingNibbles(puzzle)) => own(puzzle),
            _ => panic!("16 tiles without a blank fit into nibbles"),
        }
    }

    pub(super) fn rings5() -> Permuting<Quints> {
        match AnyPuzzle::from_id("rings5") {
            Ok(AnyPuzzle::PermutingQuints(puzzle)) => own(puzzle),
            _ => panic!("25 tiles without a blank fit into quints"),
        }
    }

    pub(super) fn sliding4() -> Sliding<Nibbles> {
        match AnyPuzzle::from_id("sliding4") {
            Ok(AnyPuzzle::SlidingNibbles(puzzle)) => own(puzzle),
            _ => panic!("15 tiles and a blank fit into nibbles"),
        }
    }

    fn own<P>(puzzle: Arc<P>) -> P {
        Arc::into_inner(puzzle).expect("nobody shares it")
    }
}

mod one_move {
    use super::plain_board::PlainBoard;
    use super::{TIMES, Work, check, counted, puzzles};
    use gungraun::{library_benchmark, library_benchmark_group};
    use permutile::puzzle::{Move, Puzzle};
    use permutile_bench::walk;
    use std::hint::black_box;

    /// Moves one after the other, from the goal on.
    struct Moves<P: Puzzle> {
        puzzle: P,
        moves: Vec<Move>,
        end: P::State,
    }

    impl<P: Puzzle> Moves<P> {
        fn on(puzzle: P) -> Box<Moves<P>> {
            let moves = walk(&puzzle, TIMES).into_iter().map(|(_, m)| m).collect();
            Box::new(Moves { moves, end: puzzle.goal(), puzzle })
        }
    }

    impl<P: Puzzle> Work for Moves<P> {
        fn run(&mut self) {
            let Moves { puzzle, moves, end } = self;
            *end = moves.iter().fold(*end, |state, &m| puzzle.apply(state, black_box(m)));
        }

        fn check(&self) {
            let mut plain = PlainBoard::new(&self.puzzle);
            self.moves.iter().for_each(|&m| plain.make(m));
            assert_eq!(self.puzzle.labels(self.end), plain.labels, "plain arrays agree");
        }
    }

    #[library_benchmark(teardown = check)]
    #[bench::packed(Moves::on(puzzles::torus4()))]
    fn torus4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    #[library_benchmark(teardown = check)]
    #[bench::packed(Moves::on(puzzles::rings5()))]
    fn rings5<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    #[library_benchmark(teardown = check)]
    #[bench::packed(Moves::on(puzzles::sliding4()))]
    fn sliding4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    library_benchmark_group!(name = moves, benchmarks = [torus4, rings5, sliding4]);
}

mod canonical_forms {
    use super::least_image::least_image;
    use super::{TIMES, Work, check, counted, puzzles};
    use gungraun::{library_benchmark, library_benchmark_group};
    use permutile::puzzle::Puzzle;
    use permutile::puzzle::canonical::Canonicalizer;
    use permutile_bench::walk;
    use std::hint::black_box;

    /// Boards far from the goal, and the form of each.
    struct Forms<P: Puzzle> {
        puzzle: P,
        canonicalizer: Canonicalizer<P::Key>,
        keys: Vec<P::Key>,
        forms: Vec<P::Key>,
    }

    impl<P: Puzzle> Forms<P> {
        fn scalar(puzzle: P) -> Box<Forms<P>> {
            let canonicalizer = Canonicalizer::new(&puzzle).without_simd();
            Forms::new(puzzle, canonicalizer)
        }

        fn detected(puzzle: P) -> Box<Forms<P>> {
            let canonicalizer = Canonicalizer::new(&puzzle);
            Forms::new(puzzle, canonicalizer)
        }

        fn new(puzzle: P, canonicalizer: Canonicalizer<P::Key>) -> Box<Forms<P>> {
            let far = walk(&puzzle, 64 * TIMES).into_iter().skip(63).step_by(64);
            let keys: Vec<P::Key> = far.map(|(state, _)| puzzle.key(state)).collect();
            Box::new(Forms { puzzle, canonicalizer, forms: keys.clone(), keys })
        }
    }

    impl<P: Puzzle> Work for Forms<P> {
        fn run(&mut self) {
            for (form, &key) in self.forms.iter_mut().zip(&self.keys) {
                *form = self.canonicalizer.canonical(black_box(key)).key;
            }
        }

        fn check(&self) {
            let least = |key| least_image(key, self.puzzle.frame().symmetries());
            for (&form, &key) in self.forms.iter().zip(&self.keys) {
                assert_eq!(least(form), least(key), "a canonical form is an image");
                assert_eq!(self.canonicalizer.canonical(form).key, form, "and its own");
            }
        }
    }

    #[library_benchmark(teardown = check)]
    #[bench::scalar(Forms::scalar(puzzles::torus4()))]
    #[bench::detected(Forms::detected(puzzles::torus4()))]
    fn torus4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    #[library_benchmark(teardown = check)]
    #[bench::scalar(Forms::scalar(puzzles::rings5()))]
    #[bench::detected(Forms::detected(puzzles::rings5()))]
    fn rings5<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    library_benchmark_group!(name = canonical, benchmarks = [torus4, rings5]);
}

mod estimates {
    use super::{TIMES, Work, check, counted, puzzles};
    use gungraun::{library_benchmark, library_benchmark_group};
    use permutile::heuristic::circular_manhattan::CircularManhattan;
    use permutile::heuristic::linear_conflict::LinearConflict;
    use permutile::heuristic::manhattan::Manhattan;
    use permutile::heuristic::walking_distance::WalkingDistance;
    use permutile::heuristic::{After, Heuristic, NamedHeuristic};
    use permutile::puzzle::{Depth, Frame, Move, Puzzle};
    use permutile_bench::walk;
    use std::hint::black_box;

    /// What is asked of a heuristic.
    #[derive(Clone, Copy)]
    enum Question {
        Evaluate,
        Update,
        AfterAllMoves,
    }

    use Question::{AfterAllMoves, Evaluate, Update};

    /// The steps of a walk with the values before them, and an answer for each.
    struct Estimates<P: Puzzle, H: Heuristic<P>> {
        question: Question,
        puzzle: P,
        heuristic: H,
        steps: Vec<(P::State, Move, H::Value)>,
        answers: Vec<Depth>,
    }

    fn ask<P, H>(build: fn(&Frame) -> H, puzzle: P, question: Question) -> Box<Estimates<P, H>>
    where
        P: Puzzle,
        H: Heuristic<P>,
    {
        let heuristic = build(puzzle.frame());
        let mut value = heuristic.evaluate(&puzzle, puzzle.goal());
        let mut steps = Vec::new();
        for (before, m) in walk(&puzzle, TIMES) {
            steps.push((before, m, value));
            value = heuristic.update(&puzzle, value, before, m);
        }
        Box::new(Estimates { question, puzzle, heuristic, steps, answers: vec![0; TIMES] })
    }

    impl<P: Puzzle, H: Heuristic<P>> Work for Estimates<P, H> {
        fn run(&mut self) {
            let Estimates { question, puzzle, heuristic, steps, answers } = self;
            let asked = steps.iter().zip(answers);
            match question {
                Evaluate => asked.for_each(|(&(state, ..), answer)| {
                    *answer = heuristic.estimate(heuristic.evaluate(puzzle, black_box(state)));
                }),
                Update => asked.for_each(|(&(state, m, value), answer)| {
                    let after = heuristic.update(puzzle, value, black_box(state), m);
                    *answer = heuristic.estimate(after);
                }),
                AfterAllMoves => asked.for_each(|(&(state, _, value), answer)| {
                    let after = heuristic.after(puzzle, value, black_box(state));
                    let estimates = puzzle.legal(state).map(|m| heuristic.estimate(after.value(m)));
                    *answer = estimates.sum();
                }),
            }
        }

        /// Against values that have gone the other way: from scratch, or by updates.
        fn check(&self) {
            let Estimates { puzzle, heuristic, .. } = self;
            let anew =
                |state, m| heuristic.estimate(heuristic.evaluate(puzzle, puzzle.apply(state, m)));
            for (&(state, m, value), &answer) in self.steps.iter().zip(&self.answers) {
                let expected = match self.question {
                    Evaluate => heuristic.estimate(value),
                    Update => anew(state, m),
                    AfterAllMoves => puzzle.legal(state).map(|m| anew(state, m)).sum(),
                };
                assert_eq!(answer, expected, "updates and evaluations agree");
            }
        }
    }

    #[library_benchmark(teardown = check)]
    #[bench::circular_manhattan_evaluate(ask(
        CircularManhattan::build,
        puzzles::torus4(),
        Evaluate
    ))]
    #[bench::circular_manhattan_update(ask(CircularManhattan::build, puzzles::torus4(), Update))]
    #[bench::circular_manhattan_after_all_moves(ask(
        CircularManhattan::build,
        puzzles::torus4(),
        AfterAllMoves
    ))]
    fn torus4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    #[library_benchmark(teardown = check)]
    #[bench::circular_manhattan_evaluate(ask(
        CircularManhattan::build,
        puzzles::rings5(),
        Evaluate
    ))]
    #[bench::circular_manhattan_update(ask(CircularManhattan::build, puzzles::rings5(), Update))]
    #[bench::circular_manhattan_after_all_moves(ask(
        CircularManhattan::build,
        puzzles::rings5(),
        AfterAllMoves
    ))]
    fn rings5<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    #[library_benchmark(teardown = check)]
    #[bench::manhattan_evaluate(ask(Manhattan::build, puzzles::sliding4(), Evaluate))]
    #[bench::manhattan_update(ask(Manhattan::build, puzzles::sliding4(), Update))]
    #[bench::manhattan_after_all_moves(ask(Manhattan::build, puzzles::sliding4(), AfterAllMoves))]
    #[bench::linear_conflict_evaluate(ask(LinearConflict::build, puzzles::sliding4(), Evaluate))]
    #[bench::linear_conflict_update(ask(LinearConflict::build, puzzles::sliding4(), Update))]
    #[bench::walking_distance_evaluate(ask(WalkingDistance::build, puzzles::sliding4(), Evaluate))]
    #[bench::walking_distance_update(ask(WalkingDistance::build, puzzles::sliding4(), Update))]
    fn sliding4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    library_benchmark_group!(name = heuristics, benchmarks = [torus4, rings5, sliding4]);
}

mod searches {
    use super::{Work, check, counted};
    use gungraun::{library_benchmark, library_benchmark_group};
    use permutile::board::check::verify;
    use permutile::board::text::{self, Entry, Form, TextOptions};
    use permutile::puzzle::AnyPuzzle;
    use permutile::search::astar::ASTAR;
    use permutile::search::ida::IDA;
    use permutile::search::{
        Algorithm, Estimator, HeuristicKind, Limits, Outcome, SearchOptions, Silent, Task,
    };
    use permutile::table::source::TableSource;

    /// Where a board is: in which collection, and by which name.
    type Place = (&'static str, &'static str);

    const S8_4: Place = (include_str!("../data/boards/torus4-scrambled.boards"), "s8-4");
    const KORF_12: Place = (include_str!("../data/boards/korf-easy.boards"), "korf-12");
    const KORF_94: Place = (include_str!("../data/boards/korf-easy.boards"), "korf-94");

    /// A board of known length, and what a search says of it.
    struct Search {
        algorithm: &'static Algorithm,
        estimator: Box<dyn Estimator>,
        entry: Entry,
        labels: Vec<u8>,
        options: SearchOptions<'static>,
        outcome: Option<Outcome>,
    }

    fn prepare(
        algorithm: &'static Algorithm,
        heuristic: &str,
        puzzle: &str,
        (boards, name): Place,
    ) -> Box<Search> {
        let puzzle = AnyPuzzle::from_id(puzzle).expect("a known puzzle");
        let options = TextOptions { shape: Some(puzzle.frame().shape()), form: Form::Collection };
        let entry = text::parse("bench", boards.as_bytes(), &options)
            .into_iter()
            .map(|entry| entry.expect("a board"))
            .find(|entry| entry.name.as_deref() == Some(name))
            .expect("a board of that name");
        let heuristic: HeuristicKind = heuristic.parse().expect("a known heuristic");
        Box::new(Search {
            algorithm,
            estimator: heuristic.build(&puzzle, &TableSource::default()).expect("it applies"),
            labels: puzzle.frame().encode(&entry.board).expect("a board of the puzzle"),
            entry,
            options: SearchOptions::default(),
            outcome: None,
        })
    }

    impl Work for Search {
        fn run(&mut self) {
            let task = Task::new(&self.labels, Limits::default(), &self.options);
            self.outcome = Some((self.algorithm.search)(&task, &*self.estimator, &mut Silent));
        }

        fn check(&self) {
            let outcome = self.outcome.as_ref().expect("it was searched");
            let solution = outcome.solution.as_ref().expect("a solution");
            let length = self.entry.known_length.expect("a known length") as usize;
            assert_eq!((solution.moves.len(), solution.optimal), (length, true));
            let frame = self.estimator.frame();
            let names: Vec<_> = solution.moves.iter().map(|&m| frame.moves().name(m)).collect();
            let verified = verify(frame.rules(), &self.entry.board, &names, frame.goal());
            assert_eq!(verified, Ok(()), "the moves lead to the goal");
        }
    }

    #[library_benchmark(teardown = check)]
    #[bench::ida_circular_manhattan_s8_4(prepare(&IDA, "circular-manhattan", "torus4", S8_4))]
    #[bench::astar_circular_manhattan_s8_4(prepare(&ASTAR, "circular-manhattan", "torus4", S8_4))]
    fn torus4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    #[library_benchmark(teardown = check)]
    #[bench::ida_manhattan_korf_94(prepare(&IDA, "manhattan", "sliding4", KORF_94))]
    #[bench::astar_manhattan_korf_12(prepare(&ASTAR, "manhattan", "sliding4", KORF_12))]
    fn sliding4<W: Work>(work: Box<W>) -> Box<W> {
        counted(work)
    }

    library_benchmark_group!(name = search, benchmarks = [torus4, sliding4]);
}

// Nothing but instructions: a simulated cache takes time, and its misses depend on addresses.
main!(
    config = LibraryBenchmarkConfig::default()
        .tool(Callgrind::with_args(["--cache-sim=no"]).format([EventKind::Ir]))
        .output_format(OutputFormat::default().truncate_description(Some(0))),
    library_benchmark_groups = [moves, canonical, heuristics, search]
);
