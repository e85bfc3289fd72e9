//! Random boards: by random moves, uniformly, or at an exact distance.

use super::random::Random;
use super::symmetric_boards::SymmetricBoards;
use crate::board::Board;
use crate::limits::{Limits, StopReason};
use crate::parallel;
use crate::puzzle::packed::Packed;
use crate::puzzle::{AnyPuzzle, Frame, MoveSet, Puzzle, PuzzleVisitor};
use crate::table::layers::Layers;
use rayon::slice::ParallelSliceMut;

/// How many classes a thread takes at a time.
const PIECE: usize = 1 << 8;

/// How random boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScrambleKind {
    /// This many random moves from the goal, each equally likely but the one that would undo the
    /// last.
    Moves(u32),
    /// Each solvable board equally likely.
    Uniform,
    /// Each board at this distance from the goal equally likely.
    ExactDepth(u32),
}

/// Why there are no such boards.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScrambleError {
    /// No board is that far away.
    #[error(
        "no board of {puzzle} is {depth} moves from the goal: the farthest are {farthest} away"
    )]
    NothingThere {
        /// The id of the puzzle.
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
        /// The id of the puzzle.
        puzzle: String,
        /// The distance asked for.
        depth: u32,
        /// The last distance that was enumerated.
        reached: u32,
        /// Why not farther.
        stop: StopReason,
    },
}

/// Makes `count` boards. The board number `i` of a seed is the same whatever the count.
///
/// # Errors
/// If there are no boards at an exact distance, or too many to find them all.
pub fn scramble(
    puzzle: &AnyPuzzle,
    kind: ScrambleKind,
    seed: u64,
    count: u64,
    limits: &Limits<'_>,
) -> Result<Vec<Board>, ScrambleError> {
    puzzle.visit(ScrambleVisitor { kind, seed, count, limits })
}

struct ScrambleVisitor<'a> {
    kind: ScrambleKind,
    seed: u64,
    count: u64,
    limits: &'a Limits<'a>,
}

impl PuzzleVisitor for ScrambleVisitor<'_> {
    type Output = Result<Vec<Board>, ScrambleError>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let frame = puzzle.frame();
        let series = |one: &dyn Fn(Random) -> Vec<u8>| {
            (0..self.count).map(|item| frame.decode(&one(Random::new(self.seed, item)))).collect()
        };
        Ok(match self.kind {
            ScrambleKind::Moves(moves) => series(&|random| random_walk(puzzle, moves, random)),
            ScrambleKind::Uniform => series(&|mut random| uniform(frame, &mut random)),
            ScrambleKind::ExactDepth(depth) => {
                let layer = ExactLayer::at(puzzle, depth, self.limits)?;
                series(&|random| layer.draw(random))
            }
        })
    }
}

/// The board after this many random moves from the goal.
pub(super) fn walk(puzzle: &AnyPuzzle, moves: u32, random: Random) -> Board {
    puzzle.visit(WalkVisitor { moves, random })
}

struct WalkVisitor {
    moves: u32,
    random: Random,
}

impl PuzzleVisitor for WalkVisitor {
    type Output = Board;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Board {
        puzzle.frame().decode(&random_walk(puzzle, self.moves, self.random))
    }
}

fn random_walk<P: Puzzle>(puzzle: &P, moves: u32, mut random: Random) -> Vec<u8> {
    let mut state = puzzle.goal();
    let mut back = MoveSet::EMPTY;
    for _ in 0..moves {
        let legal = puzzle.legal(state);
        // Where only the move back is legal, it is taken.
        let onward = Some(legal.without(back)).filter(|set| !set.is_empty()).unwrap_or(legal);
        let chosen = random.below(onward.len() as u64) as usize;
        let m = onward.into_iter().nth(chosen).expect("the number is below the count");
        back = puzzle.frame().moves().inverse(m).map_or(MoveSet::EMPTY, |m| MoveSet::EMPTY.with(m));
        state = puzzle.apply(state, m);
    }
    puzzle.labels(state)
}

/// A board, each solvable one equally likely.
pub(super) fn uniform(frame: &Frame, random: &mut Random) -> Vec<u8> {
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

/// Sorts classes by the labels of their boards.
fn sort_by_labels<K: Packed>(classes: &mut [(K, u32)], cells: usize) {
    let labels = |key: K| (0..cells).map(move |cell| key.label(cell));
    classes.par_sort_unstable_by(|(a, _), (b, _)| labels(*a).cmp(labels(*b)));
}

/// All boards at one distance, as classes of symmetric ones.
///
/// Each class stands under its smallest member, in the order of plain lists of labels. So
/// a number means the same board forever, whatever the canonical forms are at the time.
struct ExactLayer<P: Puzzle> {
    images: SymmetricBoards,
    /// The smallest member of each class, in order.
    classes: Vec<P::Key>,
    /// How many boards are in the classes up to each.
    running_total: Vec<u64>,
}

impl<P: Puzzle> ExactLayer<P> {
    fn at(puzzle: &P, depth: u32, limits: &Limits<'_>) -> Result<ExactLayer<P>, ScrambleError> {
        let id = || puzzle.frame().id().to_owned();
        let mut layers = Layers::new(puzzle);
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
        let images = SymmetricBoards::new(puzzle.frame());
        let class = |&key: &P::Key| {
            let smallest = images.smallest(&key.labels(images.cells));
            let size = layers.canonicalizer().canonical_with_inverse(key).class_size;
            (P::Key::from_labels(&smallest), size)
        };
        let current = layers.current();
        let mut sized: Vec<(P::Key, u32)> = parallel::map_pieces(current.len(), PIECE, |range| {
            current[range].iter().map(class).collect::<Vec<_>>()
        })
        .concat();
        sort_by_labels(&mut sized, images.cells);
        let add = |total: &mut u64, (_, size): &(P::Key, u32)| {
            *total += u64::from(*size);
            Some(*total)
        };
        let running_total = sized.iter().scan(0, add).collect();
        let classes = sized.into_iter().map(|(key, _)| key).collect();
        Ok(ExactLayer { images, classes, running_total })
    }

    /// A board drawn uniformly: the class that its number falls into, and the member of it.
    fn draw(&self, mut random: Random) -> Vec<u8> {
        let boards = self.running_total.last().copied().unwrap_or(1);
        let number = random.below(boards);
        let class = self.running_total.partition_point(|&total| total <= number);
        let before = class.checked_sub(1).map_or(0, |last| self.running_total[last]);
        let mut members = self.images.all(&self.classes[class].labels(self.images.cells));
        members.swap_remove((number - before) as usize)
    }
}
