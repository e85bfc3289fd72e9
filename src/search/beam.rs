//! Beam search (Lowerre 1976, "The HARPY speech recognition system"): breadth-first search that
//! keeps only the most promising boards of each layer. It finds short solutions of boards that no
//! other search can solve, and proves nothing.
//!
//! By itself it is **monotonic** (Lemons, Ruml, Holte and Linares López 2022, "Beam search: faster and
//! monotonic"): a wider beam never finds a longer solution. The places of a layer are filled in
//! order, and what comes into place `i` is the best child of the parents in places up to `i` that
//! has no place yet. So the first places of a wide beam are those of a narrow one, layer by layer.
//! Of equal scores, a few bits of a hash decide, and then the earlier parent. A board that is in one of the
//! first few places never comes back: without that, narrow beams walk in circles.
//!
//! The **same boards are kept whatever the number of threads**: all of them generate children,
//! piece by piece, and one of them fills the places, in order. As many distinct children as there
//! are places, each as good as some score, make every later child that is worse worthless; so it is
//! not even hashed.
//!
//! The width of a beam that is to finish by some time follows the time that is left, because one that
//! is not finished has found nothing. What it finds then depends on the machine.
//!
//! Commuting moves are made in both orders, because the parent by the one order may have no place;
//! only the move back is left out. Of older layers nothing is kept but how each board was reached.

mod choice;
mod hash_set;
mod queues;

use super::estimator::Estimator;
use super::node_counts::{Tally, report};
use super::{
    Algorithm, Limits, NodeCount, Observer, Optimality, Outcome, Path, Setting, Statistics,
    StopReason, Task,
};
use crate::heuristic::scorer::{Child, NO_MOVE, Parents, Scorer};
use crate::puzzle::{Depth, Move};
use crate::sync::lock;
use choice::Choice;
use rayon::prelude::*;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Beam search.
pub static BEAM: Algorithm = Algorithm {
    name: "beam",
    summary: "beam search: short solutions of any board, from the best boards of each layer",
    optimality: Optimality::Never,
    guided: true,
    parallel: true,
    follows: &[Setting::Width],
    search,
};

fn search(task: &Task<'_>, estimator: &dyn Estimator, observer: &mut dyn Observer) -> Outcome {
    let beam = Beam {
        scorer: estimator.scorer(),
        width: task.options.width,
        monotonic: true,
        threads: task.options.threads,
        shorter_than: task.limits.depth.map_or(Depth::MAX, |most| most.saturating_add(1)),
        finish_by: None,
        patience: PATIENCE,
        limits: task.limits,
    };
    let BeamEnd { moves, reached, stop, statistics } = beam.run(task.start, observer);
    let lower_bound = estimator.estimate(task.start).max(task.at_least);
    let solution = reached.then_some(Path { optimal: moves.len() as Depth == lower_bound, moves });
    Outcome { solution, lower_bound, stop, statistics }
}

/// How many layers a beam may go without coming nearer to the goal.
pub const PATIENCE: usize = 500;

/// A beam search of one width.
#[doc(hidden)]
pub struct Beam<'a> {
    pub scorer: &'a dyn Scorer,
    /// How many boards of each layer are kept.
    pub width: usize,
    /// Whether it never finds a longer solution than a narrower beam. Otherwise the best children of
    /// all parents are kept: mostly better, above all in a narrow beam.
    pub monotonic: bool,
    pub threads: usize,
    /// Only solutions with fewer moves are of interest.
    pub shorter_than: Depth,
    /// If it is not expected to have come so deep by then, it becomes narrower, and wider again if
    /// it is early.
    pub finish_by: Option<Instant>,
    /// It ends after so many layers without a board that is better than all before.
    pub patience: usize,
    pub limits: Limits<'a>,
}

/// What a beam has found.
#[doc(hidden)]
pub struct BeamEnd {
    /// The moves to the goal; if it was not reached, those to the best board.
    pub moves: Vec<Move>,
    pub reached: bool,
    /// Why it ended, if it did not reach the goal.
    pub stop: Option<StopReason>,
    pub statistics: Statistics,
}

/// How many parents' children are generated in one go.
const PIECE: usize = 32;

/// How many pieces may be generated ahead of the one whose children are chosen from.
const AHEAD: usize = 128;

/// A layer with fewer boards is no work for several threads.
const ALONE: usize = 3 * PIECE;

/// One layer.
#[derive(Default)]
struct Layer {
    nodes: Vec<u64>,
    scores: Vec<u32>,
    last: Vec<u8>,
    /// In which place each board is: mostly its number, but a place may be empty.
    places: Vec<u32>,
}

impl Layer {
    /// Becomes the layer of the boards that were chosen, whose nodes are still to be made.
    fn take_places(&mut self, choice: &Choice, words: usize) {
        let Choice { chosen, places, .. } = choice;
        self.nodes.resize(chosen.len() * words, 0);
        self.scores.clear();
        self.scores.extend(chosen.iter().map(|child| child.score));
        self.last.clear();
        self.last.extend(chosen.iter().map(|child| child.m.0));
        self.places.clone_from(places);
    }
}

/// How the boards of a layer were reached.
struct Steps {
    parents: Vec<u32>,
    moves: Vec<u8>,
}

/// The boards of all layers: all expanded but those of the last one.
fn counts(history: &[Steps]) -> Vec<NodeCount> {
    let mut tally = Tally::default();
    let sizes = [1].into_iter().chain(history.iter().map(|steps| steps.moves.len() as u64));
    for (depth, nodes) in (0..).zip(sizes) {
        if depth < history.len() as Depth {
            tally.add_expanded(depth, depth, nodes);
        } else {
            tally.add_open(depth, depth, nodes);
        }
    }
    tally.counts()
}

impl Beam<'_> {
    /// How many bytes a beam of some width holds, for each board of it, if solutions have so many
    /// moves.
    pub fn bytes_per_place(scorer: &dyn Scorer, depth: usize) -> usize {
        let node = 8 * scorer.node_words() + size_of::<(u32, u32, u8)>();
        let steps = depth * (size_of::<u32>() + 1);
        // Some four of the children of each board are good enough at their time to be queued.
        2 * node + steps + size_of::<Child>() + 4 * size_of::<Child>() + 16 * size_of::<u64>()
    }

    pub fn run(&self, start: &[u8], observer: &mut dyn Observer) -> BeamEnd {
        let pool = match self.threads {
            2.. if self.width > ALONE => {
                rayon::ThreadPoolBuilder::new().num_threads(self.threads).build().ok()
            }
            _ => None,
        };
        match pool {
            // The observer stays on this thread.
            Some(pool) => self.search(start, observer, &|work| pool.install(work)),
            None => self.search(start, observer, &|work| work()),
        }
    }

    fn search(
        &self,
        start: &[u8],
        observer: &mut dyn Observer,
        install: &dyn Fn(&mut (dyn FnMut() + Send)),
    ) -> BeamEnd {
        let words = self.scorer.node_words();
        let goal: Vec<u8> = (0..start.len()).map(|cell| cell as u8).collect();
        let mut node = vec![0; words];
        let goal_score = self.scorer.begin(&goal, &mut node);
        let score = self.scorer.begin(start, &mut node);
        let mut layer =
            Layer { nodes: node, scores: vec![score], last: vec![NO_MOVE], places: vec![0] };
        // The memory of the layer before the last one serves the next one.
        let mut next = Layer::default();
        let mut history: Vec<Steps> = Vec::new();
        let mut statistics = Statistics::default();
        let mut best = (score, 0, 0);
        let end = |moves, reached, stop, statistics| BeamEnd { moves, reached, stop, statistics };
        if start == goal {
            return end(Vec::new(), true, None, statistics);
        }
        let mut choice = Choice::new(self.width, self.monotonic);
        let mut pace = Pace::default();
        let mut next_counts = 0;
        for depth in 1.. {
            let to_best = || path_to(&history, best.1, best.2);
            if depth as Depth >= self.shorter_than || depth - best.1 > self.patience {
                return end(to_best(), false, Some(StopReason::Depth), statistics);
            }
            let held = self.bytes(&layer, &history, &choice);
            statistics.peak_bytes = statistics.peak_bytes.max(held);
            let checked = self.limits.check(statistics.expanded).and(self.limits.check_bytes(held));
            if let Err(stop) = checked {
                return end(to_best(), false, Some(stop), statistics);
            }
            observer.progress(depth as u32, statistics.expanded);
            if statistics.expanded >= next_counts {
                let nodes = report(observer, statistics.expanded, &|| counts(&history));
                next_counts = nodes.map_or(u64::MAX, |nodes| statistics.expanded + nodes);
            }
            if let Some(end) = self.finish_by {
                let layers = self.shorter_than as usize - depth;
                choice.fit(pace.width_to_finish(layers, end));
            }
            let began = Instant::now();
            let mut generated = 0;
            let mut stopped = None;
            choice.begin();
            install(&mut || match self.choose(&layer, &mut choice) {
                Ok(children) => generated = children,
                Err(stop) => stopped = Some(stop),
            });
            if let Some(stop) = stopped {
                return end(to_best(), false, Some(stop), statistics);
            }
            statistics.expanded += layer.scores.len() as u64;
            statistics.generated += generated;
            statistics.evaluations += generated;
            statistics.max_depth = depth as Depth;
            let chosen = &choice.chosen;
            if chosen.is_empty() {
                return end(to_best(), false, Some(StopReason::Depth), statistics);
            }
            let goal = chosen.iter().position(|child| {
                child.score == goal_score && self.is_goal(&layer.nodes, child, start.len())
            });
            history.push(Steps {
                parents: chosen.iter().map(|child| child.parent).collect(),
                moves: chosen.iter().map(|child| child.m.0).collect(),
            });
            if let Some(number) = goal {
                report(observer, statistics.expanded, &|| counts(&history));
                return end(path_to(&history, depth, number), true, None, statistics);
            }
            let (number, nearest) = chosen
                .iter()
                .enumerate()
                .min_by_key(|(_, child)| child.score)
                .expect("some children were chosen");
            if nearest.score < best.0 {
                best = (nearest.score, depth, number);
            }
            next.take_places(&choice, words);
            let make = |(children, nodes): (&[Child], &mut [u64])| {
                self.scorer.make(&layer.nodes, children, nodes);
            };
            install(&mut || {
                if chosen.len() > ALONE {
                    let nodes = next.nodes.par_chunks_mut(PIECE * words);
                    chosen.par_chunks(PIECE).zip(nodes).for_each(make);
                } else {
                    make((chosen, &mut next.nodes));
                }
            });
            if layer.scores.len() >= choice.width() {
                pace.add(layer.scores.len(), began.elapsed());
            }
            std::mem::swap(&mut layer, &mut next);
        }
        unreachable!("a beam without end has more layers than numbers");
    }

    /// Chooses the boards of the next layer. Returns how many children there are.
    fn choose(&self, layer: &Layer, choice: &mut Choice) -> Result<u64, StopReason> {
        let parents = layer.scores.len();
        let pieces = parents.div_ceil(PIECE);
        let generate = |piece: usize, most: u32, children: &mut Vec<Child>| {
            let range = piece * PIECE..parents.min((piece + 1) * PIECE);
            let words = self.scorer.node_words();
            let parents = Parents {
                nodes: &layer.nodes[range.start * words..range.end * words],
                first: range.start as u32,
                scores: &layer.scores[range.clone()],
                last: &layer.last[range],
            };
            self.scorer.children(parents, most, children)
        };
        let mut generated = 0;
        if parents <= ALONE || self.threads == 1 {
            let mut children = choice.spare.pop().unwrap_or_default();
            for piece in 0..pieces {
                self.limits.check_time()?;
                generated += generate(piece, choice.most, &mut children);
                choice.take(&children, &layer.places);
                children.clear();
            }
            choice.spare.push(children);
        } else {
            let spare = std::mem::take(&mut choice.spare);
            let shared = SharedPieces::new(pieces, choice.most, spare);
            let generate_next = || {
                let piece = shared.next.fetch_add(1, Ordering::Relaxed);
                if piece < pieces {
                    let mut children = lock(&shared.spare).pop().unwrap_or_default();
                    let most = shared.most.load(Ordering::Relaxed);
                    shared
                        .generated
                        .fetch_add(generate(piece, most, &mut children), Ordering::Relaxed);
                    *lock(&shared.children[piece]) = Some(children);
                }
                piece < pieces
            };
            let mut end = Ok(());
            rayon::scope(|scope| {
                for _ in 1..self.threads {
                    scope.spawn(|_| {
                        loop {
                            let ahead = shared.next.load(Ordering::Relaxed);
                            if ahead >= pieces {
                                break;
                            }
                            if ahead > shared.taken.load(Ordering::Relaxed) + AHEAD {
                                std::thread::yield_now();
                            } else {
                                generate_next();
                            }
                        }
                    });
                }
                for piece in 0..pieces {
                    shared.taken.store(piece, Ordering::Relaxed);
                    let mut children = loop {
                        if let Some(children) = lock(&shared.children[piece]).take() {
                            break children;
                        }
                        if !generate_next() {
                            std::thread::yield_now();
                        }
                    };
                    choice.take(&children, &layer.places);
                    children.clear();
                    lock(&shared.spare).push(children);
                    shared.most.store(choice.most, Ordering::Relaxed);
                    end = self.limits.check_time();
                    if end.is_err() {
                        shared.next.store(pieces, Ordering::Relaxed);
                        break;
                    }
                }
            });
            end?;
            generated = shared.generated.into_inner();
            choice.spare = std::mem::take(&mut *lock(&shared.spare));
        }
        choice.fill_the_rest();
        Ok(generated)
    }

    fn is_goal(&self, layer: &[u64], child: &Child, cells: usize) -> bool {
        let mut node = vec![0; self.scorer.node_words()];
        self.scorer.make(layer, &[*child], &mut node);
        let labels = self.scorer.labels(&node);
        (0..cells).all(|cell| usize::from(labels[cell]) == cell)
    }

    fn bytes(&self, layer: &Layer, history: &[Steps], choice: &Choice) -> u64 {
        let nodes = layer.nodes.len() * 16 + layer.scores.len() * 2 * 9;
        let steps: usize = history.iter().map(|steps| steps.parents.len() * 5).sum();
        (nodes + steps + choice.bytes()) as u64
    }
}

/// How many boards full layers have had, and how long these took: the last ones count most, because
/// the first ones wait for fresh memory.
#[derive(Default)]
struct Pace {
    boards: f64,
    seconds: f64,
}

impl Pace {
    fn add(&mut self, boards: usize, time: Duration) {
        const KEPT: f64 = 0.8;
        self.boards = KEPT * self.boards + boards as f64;
        self.seconds = KEPT * self.seconds + time.as_secs_f64();
    }

    /// How wide a beam may be that is to have so many more layers by some time.
    fn width_to_finish(&self, layers: usize, end: Instant) -> usize {
        if self.boards == 0.0 || layers == 0 {
            return usize::MAX;
        }
        let left = end.saturating_duration_since(Instant::now());
        (self.boards * left.as_secs_f64() / self.seconds) as usize / layers
    }
}

/// The pieces of a layer, as several threads generate their children.
struct SharedPieces {
    next: AtomicUsize,
    /// The piece whose children are chosen from.
    taken: AtomicUsize,
    children: Vec<Mutex<Option<Vec<Child>>>>,
    /// Lists to be filled again.
    spare: Mutex<Vec<Vec<Child>>>,
    /// Children with higher scores are of no use.
    most: AtomicU32,
    generated: AtomicU64,
}

impl SharedPieces {
    fn new(pieces: usize, most: u32, spare: Vec<Vec<Child>>) -> SharedPieces {
        SharedPieces {
            next: AtomicUsize::new(0),
            taken: AtomicUsize::new(0),
            children: (0..pieces).map(|_| Mutex::new(None)).collect(),
            spare: Mutex::new(spare),
            most: AtomicU32::new(most),
            generated: AtomicU64::new(0),
        }
    }
}

/// The moves to a board of a layer.
fn path_to(history: &[Steps], depth: usize, number: usize) -> Vec<Move> {
    let mut number = number;
    let mut moves: Vec<Move> = history[..depth]
        .iter()
        .rev()
        .map(|steps| {
            let m = Move(steps.moves[number]);
            number = steps.parents[number] as usize;
            m
        })
        .collect();
    moves.reverse();
    moves
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::pattern_sum::PatternSum;
    use crate::puzzle::AnyPuzzle;
    use crate::search::Silent;
    use crate::table::source::TableSource;

    /// Some arrangement of so many cells, an even one.
    fn shuffled(cells: usize, seed: u64) -> Vec<u8> {
        let mut labels: Vec<u8> = (0..cells as u8).collect();
        let mut state = seed;
        for i in 0..2 * cells {
            state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let a = (state >> 33) as usize % cells;
            labels.swap(a, (a + 1 + i % (cells - 1)) % cells);
        }
        labels
    }

    fn run(scorer: &dyn Scorer, start: &[u8], width: usize, threads: usize) -> BeamEnd {
        monotonic(scorer, width, threads).run(start, &mut Silent)
    }

    fn monotonic(scorer: &dyn Scorer, width: usize, threads: usize) -> Beam<'_> {
        Beam {
            scorer,
            width,
            monotonic: true,
            threads,
            shorter_than: Depth::MAX,
            finish_by: None,
            patience: 60,
            limits: Limits::default(),
        }
    }

    fn score(puzzle: &AnyPuzzle) -> PatternSum {
        let size = &PatternSum::sizes(puzzle.frame())[0];
        PatternSum::with_size(puzzle.frame(), size, &TableSource::default()).unwrap()
    }

    #[test]
    fn the_same_boards_are_kept_whatever_the_number_of_threads() {
        let puzzle = AnyPuzzle::from_id("torus5").unwrap();
        let score = score(&puzzle);
        for (seed, is_monotonic) in [(0, true), (1, true), (0, false), (1, false)] {
            let start = shuffled(25, seed);
            let [alone, two, three] = [1, 2, 3].map(|threads| {
                let beam = monotonic(&score, 3 * ALONE, threads);
                Beam { monotonic: is_monotonic, ..beam }.run(&start, &mut Silent)
            });
            assert!(alone.reached);
            assert_eq!(alone.moves, two.moves);
            assert_eq!(alone.moves, three.moves);
            assert_eq!(alone.statistics.generated, two.statistics.generated);
        }
    }

    #[test]
    fn a_wider_beam_never_finds_a_longer_solution() {
        let puzzle = AnyPuzzle::from_id("torus4").unwrap();
        let score = score(&puzzle);
        for seed in 0..6 {
            let start = shuffled(16, seed);
            let mut shortest = usize::MAX;
            for width in [1, 2, 3, 5, 8, 13, 40, 41, 100, 150, 299, 301, 500, 1_000] {
                let end = run(&score, &start, width, 1);
                assert!(!end.reached || end.moves.len() <= shortest, "{width}");
                assert!(end.reached || shortest == usize::MAX, "{width}");
                if end.reached {
                    shortest = end.moves.len();
                }
            }
            assert!(shortest < usize::MAX);
        }
    }

    #[test]
    fn moves_lead_to_the_goal_or_to_the_best_board() {
        let puzzle = AnyPuzzle::from_id("torus4").unwrap();
        let score = score(&puzzle);
        let start = shuffled(16, 7);
        let after = |moves: &[Move]| {
            moves.iter().fold(start.clone(), |labels, &m| {
                let permutation = puzzle.frame().moves().permutation(m).unwrap();
                permutation.sources().iter().map(|&from| labels[usize::from(from)]).collect()
            })
        };
        let end = run(&score, &start, 500, 2);
        assert!(end.reached);
        assert!(
            after(&end.moves).iter().enumerate().all(|(cell, &label)| cell == usize::from(label))
        );
        let short = Beam { shorter_than: 5, ..monotonic(&score, 50, 1) };
        let end = short.run(&start, &mut Silent);
        assert!(!end.reached && end.moves.len() < 5);
        let mut node = vec![0; score.node_words()];
        assert!(score.begin(&after(&end.moves), &mut node) < score.begin(&start, &mut node));
    }

    #[test]
    fn a_beam_that_is_late_becomes_narrower() {
        let puzzle = AnyPuzzle::from_id("torus5").unwrap();
        let score = score(&puzzle);
        let beam = Beam { shorter_than: 100, ..monotonic(&score, 1_000, 1) };
        let whole = Beam { monotonic: false, ..beam };
        let start = shuffled(25, 5);
        let expected = whole.run(&start, &mut Silent);
        let late = Beam { finish_by: Some(Instant::now()), ..whole };
        let end = late.run(&start, &mut Silent);
        assert!(expected.reached && end.reached);
        assert!(end.statistics.expanded < expected.statistics.expanded / 2);
        let early = Instant::now() + Duration::from_secs(1_000_000);
        let end = Beam { finish_by: Some(early), ..late }.run(&start, &mut Silent);
        assert_eq!(end.moves, expected.moves);
    }

    #[test]
    fn limits_end_a_beam() {
        let puzzle = AnyPuzzle::from_id("torus5").unwrap();
        let score = score(&puzzle);
        let start = shuffled(25, 3);
        let stop =
            |limits| Beam { limits, ..monotonic(&score, 2_000, 2) }.run(&start, &mut Silent).stop;
        let bytes = Limits { bytes: Some(1 << 16), ..Limits::default() };
        assert_eq!(stop(bytes), Some(StopReason::Memory));
        let nodes = Limits { nodes: Some(3_000), ..Limits::default() };
        assert_eq!(stop(nodes), Some(StopReason::Nodes));
        let time = Limits { deadline: Some(Instant::now()), ..Limits::default() };
        assert_eq!(stop(time), Some(StopReason::Time));
    }
}
