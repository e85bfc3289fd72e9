//! The list of heuristics.

use super::{Heuristic, NamedHeuristic, OnEveryEngine};
use crate::puzzle::Puzzle;

/// Code that is compiled once for each heuristic, on an engine.
pub trait RegistryVisitor<P: Puzzle> {
    /// Called with each heuristic.
    fn visit<R: NamedHeuristic<Heuristic: OnEveryEngine + Heuristic<P>> + 'static>(&mut self);
}

/// Visits all heuristics, in the order in which they are listed.
pub fn visit_all<P: Puzzle>(visitor: &mut impl RegistryVisitor<P>) {
    visitor.visit::<super::zero::Zero>();
    visitor.visit::<super::misplaced::Misplaced>();
    visitor.visit::<super::misplaced_max::MisplacedMax>();
    visitor.visit::<super::circular_manhattan::CircularManhattan>();
    visitor.visit::<super::circular_manhattan_axes::CircularManhattanAxes>();
    visitor.visit::<super::manhattan::Manhattan>();
    visitor.visit::<super::euclidean::Euclidean>();
    visitor.visit::<super::linear_conflict::LinearConflict>();
    visitor.visit::<super::walking_distance::WalkingDistance>();
    visitor.visit::<super::inversion_distance::InversionDistance>();
    visitor.visit::<super::max_of::SlidingMax>();
    visitor.visit::<super::pattern_views::PatternViews>();
    visitor.visit::<super::pattern_sum::PatternSum>();
    visitor.visit::<super::relations::Relations>();
    visitor.visit::<super::pdb::Automatic>();
    visitor.visit::<super::pdb::Pdb555>();
    visitor.visit::<super::pdb::Pdb663>();
    visitor.visit::<super::pdb::Pdb78>();
    visitor.visit::<super::pdb::Pdb6666>();
    visitor.visit::<super::pdb_sum::PdbSum>();
    visitor.visit::<super::tuned_manhattan::TunedManhattan>();
    visitor.visit::<super::circular_manhattan_last_move::CircularManhattanLastMove>();
}
