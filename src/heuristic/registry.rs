//! The heuristics by name.

use super::{Heuristic, Promise, Registered};
use crate::puzzle::{Frame, Puzzle};
use crate::shelf::Shelf;
use std::any::Any;
use std::convert::Infallible;

/// A heuristic's row in the listing.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// What it is.
    pub summary: &'static str,
    /// What it promises on a puzzle; `None` where it does not apply.
    pub promise: fn(&Frame) -> Option<Promise>,
    /// Whether the estimate depends on the path to a board, and not on the board alone.
    pub path_dependent: bool,
    /// Whether its tables take more than a second or so to build.
    pub large: bool,
}

impl Entry {
    /// The row of a heuristic.
    pub const fn of<R: Registered>() -> Entry {
        Entry {
            name: R::NAME,
            summary: R::SUMMARY,
            promise: promise::<R>,
            path_dependent: R::PATH_DEPENDENT,
            large: R::LARGE,
        }
    }
}

/// What a heuristic promises on a puzzle, if that is in its scope and it applies.
fn promise<R: Registered>(frame: &Frame) -> Option<Promise> {
    if R::SCOPE.includes(frame.blank_label().is_some()) { R::promise(frame) } else { None }
}

/// The estimators of one puzzle that have been built, with their tables, to be used again and by
/// several threads.
#[derive(Debug, Default)]
pub struct Built {
    made: Shelf<(String, Box<dyn Any + Send + Sync>)>,
}

impl Built {
    /// The estimator of that name, built if it is not there yet; whoever asks in the meantime
    /// waits.
    pub(crate) fn get<E: Any + Send + Sync>(&self, name: &str, build: impl FnOnce() -> E) -> &E {
        let Ok(made) = self.try_get(name, || Ok::<_, Infallible>(build()));
        made
    }

    /// The same, where building may fail; whoever asks next tries again.
    pub(crate) fn try_get<E: Any + Send + Sync, Failed>(
        &self,
        name: &str,
        build: impl FnOnce() -> Result<E, Failed>,
    ) -> Result<&E, Failed> {
        let make = || Ok((name.to_owned(), Box::new(build()?) as Box<dyn Any + Send + Sync>));
        let (_, made) = self.made.find_or_make(|(known, _)| *known == name, make)?;
        Ok(made.downcast_ref().expect("a name has one estimator"))
    }
}

/// Code that is compiled once for each estimator.
pub trait HeuristicVisitor<P: Puzzle> {
    /// What it yields.
    type Output;
    /// Runs it with the heuristic at hand.
    fn visit<H: Heuristic<P>>(self, puzzle: &P, heuristic: &H) -> Self::Output;
}

/// Runs `visitor` with a heuristic for `puzzle`, to which `built` belongs; `None` if it does not
/// apply.
pub fn visit_one<R, P, V>(puzzle: &P, built: &Built, visitor: V) -> Option<V::Output>
where
    R: Registered<Estimator: Heuristic<P> + Any>,
    P: Puzzle,
    V: HeuristicVisitor<P>,
{
    // A constant: what is behind it is not compiled for puzzles out of scope.
    if const { !R::SCOPE.includes(P::HAS_BLANK) } {
        return None;
    }
    let frame = puzzle.frame();
    R::promise(frame)?;
    Some(visitor.visit(puzzle, built.get(R::NAME, || R::build(frame))))
}

macro_rules! heuristics {
    ($($heuristic:path),* $(,)?) => {
        /// All heuristics.
        pub const HEURISTICS: &[Entry] = &[$(Entry::of::<$heuristic>()),*];

        /// Runs `visitor` with the heuristic of that name for `puzzle`, to which `built`
        /// belongs; `None` if there is none, or if it does not apply.
        pub fn visit<P: Puzzle, V: HeuristicVisitor<P>>(
            name: &str,
            puzzle: &P,
            built: &Built,
            visitor: V,
        ) -> Option<V::Output> {
            $(if name == <$heuristic>::NAME {
                return visit_one::<$heuristic, P, V>(puzzle, built, visitor);
            })*
            None
        }
    };
}

heuristics![
    super::zero::Zero,
    super::misplaced::Misplaced,
    super::misplaced_max::MisplacedMax,
    super::circular_manhattan::CircularManhattan,
    super::circular_manhattan_axes::CircularManhattanAxes,
    super::manhattan::Manhattan,
    super::euclidean::Euclidean,
    super::linear_conflict::LinearConflict,
    super::walking_distance::WalkingDistance,
    super::inversion_distance::InversionDistance,
    super::max_of::SlidingMax,
    super::pattern_views::PatternViews,
    super::pdb::Automatic,
    super::pdb::Pdb555,
    super::pdb::Pdb663,
    super::pdb::Pdb78,
    super::pdb::Pdb6666,
    super::tuned_manhattan::TunedManhattan,
    super::circular_manhattan_last_move::CircularManhattanLastMove,
];

/// The row of a heuristic.
pub fn find(name: &str) -> Option<&'static Entry> {
    HEURISTICS.iter().find(|entry| entry.name == name)
}
