//! Boards made to order: by random moves, uniformly, or at an exact distance.

use super::random::Random;
use crate::board::Board;
use crate::puzzle::arch::Simd;
use crate::puzzle::automaton::Memory;
use crate::puzzle::canonical::inverse;
use crate::puzzle::packed::Packed;
use crate::puzzle::{AnyPuzzle, Frame, Puzzle, PuzzleVisitor};
use crate::table::layers::Layers;
use crate::table::{BuildLimits, BuildStop};
use rayon::prelude::*;

/// How boards are made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// So many random moves from the goal, none of which undoes or repeats another.
    Moves(u32),
    /// Each solvable board equally likely.
    Uniform,
    /// Each board at this distance from the goal equally likely.
    ExactDepth(u32),
}

/// Why boards cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScrambleError {
    /// There is nothing that far away.
    #[error(
        "no board of {puzzle} is {depth} moves from the goal: the farthest are {farthest} away"
    )]
    NothingThere {
        /// The puzzle.
        puzzle: String,
        /// The distance asked for.
        depth: u32,
        /// The largest there is.
        farthest: u32,
    },
    /// The boards at that distance could not all be found.
    #[error(
        "the boards {depth} moves from the goal of {puzzle} could not be counted: {stop} after depth {reached}"
    )]
    TooFar {
        /// The puzzle.
        puzzle: String,
        /// The distance asked for.
        depth: u32,
        /// How far the count came.
        reached: u32,
        /// Why not farther.
        stop: BuildStop,
    },
}

/// Makes `count` boards. The board number `i` of a seed is the same whatever the count.
///
/// # Errors
/// If there are no boards at an exact distance, or too many to find them all.
pub fn scramble(
    puzzle: &AnyPuzzle,
    manner: Manner,
    seed: u64,
    count: u64,
    limits: &BuildLimits<'_>,
    simd: Simd,
) -> Result<Vec<Board>, ScrambleError> {
    puzzle.visit(Scramble { manner, seed, count, limits, simd })
}

struct Scramble<'a> {
    manner: Manner,
    seed: u64,
    count: u64,
    limits: &'a BuildLimits<'a>,
    simd: Simd,
}

impl PuzzleVisitor for Scramble<'_> {
    type Output = Result<Vec<Board>, ScrambleError>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let frame = puzzle.frame();
        let series = |one: &dyn Fn(Random) -> Vec<u8>| {
            (0..self.count).map(|item| frame.decode(&one(Random::new(self.seed, item)))).collect()
        };
        Ok(match self.manner {
            Manner::Moves(moves) => series(&|random| random_walk(puzzle, moves, random)),
            Manner::Uniform => series(&|random| uniform(frame, random)),
            Manner::ExactDepth(depth) => {
                let layer = Layer::at(puzzle, depth, self.limits, self.simd)?;
                series(&|random| layer.draw(puzzle, random))
            }
        })
    }
}

fn random_walk<P: Puzzle>(puzzle: &P, moves: u32, mut random: Random) -> Vec<u8> {
    let automaton = puzzle.frame().automaton();
    let mut state = puzzle.goal();
    let mut memory = Memory::START;
    for _ in 0..moves {
        let fresh = automaton.allowed(memory).and(puzzle.legal(state));
        // Where all ways on are repetitions, begin anew from here.
        let (fresh, before) =
            if fresh.is_empty() { (puzzle.legal(state), Memory::START) } else { (fresh, memory) };
        let chosen = random.below(fresh.len() as u64) as usize;
        let m = fresh.into_iter().nth(chosen).expect("the number is below the count");
        let known = automaton.allowed(before).contains(m);
        memory = if known { automaton.after(before, m) } else { Memory::START };
        state = puzzle.apply(state, m);
    }
    puzzle.labels(state)
}

fn uniform(frame: &Frame, mut random: Random) -> Vec<u8> {
    if let Some(group) = frame.group() {
        return group.random(|bound| random.below(bound)).sources().to_vec();
    }
    let mut labels: Vec<u8> = (0..frame.shape().cells()).map(|cell| cell as u8).collect();
    for last in (1..labels.len()).rev() {
        labels.swap(last, random.below(last as u64 + 1) as usize);
    }
    if frame.check_solvable(&labels).is_err() {
        // Exchanging two tiles pairs each unsolvable board with a solvable one.
        let is_tile = |&cell: &usize| Some(labels[cell]) != frame.blank_label();
        let tiles: Vec<usize> = (0..labels.len()).filter(is_tile).take(2).collect();
        labels.swap(tiles[0], tiles[1]);
    }
    labels
}

/// All boards at one distance, as classes of symmetric ones.
struct Layer<P: Puzzle> {
    classes: Vec<P::Key>,
    /// How many boards are in the classes up to each.
    running_total: Vec<u64>,
}

impl<P: Puzzle> Layer<P> {
    fn at(
        puzzle: &P,
        depth: u32,
        limits: &BuildLimits<'_>,
        simd: Simd,
    ) -> Result<Layer<P>, ScrambleError> {
        let id = || puzzle.frame().id().to_owned();
        let mut layers = Layers::new(puzzle, simd);
        while layers.depth() < depth {
            let reached = layers.depth();
            layers.advance(limits, &mut |_| {}).map_err(|stop| ScrambleError::TooFar {
                puzzle: id(),
                depth,
                reached,
                stop,
            })?;
            if layers.current().is_empty() {
                return Err(ScrambleError::NothingThere { puzzle: id(), depth, farthest: reached });
            }
        }
        let classes = layers.current().to_vec();
        let size = |&key: &P::Key| layers.canonicalizer().canonical_with_inverse(key).class_size;
        let sizes: Vec<u32> = classes.par_iter().map(size).collect();
        let add = |total: &mut u64, &size: &u32| {
            *total += u64::from(size);
            Some(*total)
        };
        let running_total = sizes.iter().scan(0, add).collect();
        Ok(Layer { classes, running_total })
    }

    /// A class in proportion to its size, then any of its images.
    fn draw(&self, puzzle: &P, mut random: Random) -> Vec<u8> {
        let frame = puzzle.frame();
        let cells = frame.shape().cells();
        let boards = self.running_total.last().copied().unwrap_or(1);
        let number = random.below(boards);
        let class = self.running_total.partition_point(|&total| total <= number);
        let mut key = self.classes[class];
        if frame.has_inversion() && random.below(2) == 1 {
            key = inverse(key, cells);
        }
        let symmetries = frame.symmetries();
        let sigma = &symmetries[random.below(symmetries.len() as u64) as usize];
        let mut image = vec![0; cells];
        for cell in 0..cells {
            image[sigma.source(cell)] = sigma.sources()[usize::from(key.label(cell))];
        }
        image
    }
}
