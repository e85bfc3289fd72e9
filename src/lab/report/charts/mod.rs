//! The charts of a puzzle, one kind a file.

mod by_distance;
mod errors;
mod estimates;
mod growth;
mod times;

use super::ReportError;
use super::figure::Figure;
use super::marker_style::marker_styles;
use crate::lab::compare::PuzzleComparison;

/// The size of a chart of its own, in pixels.
const WHOLE: (u32, u32) = (520, 350);

/// The figures of a puzzle, in the order in which they are read.
pub(super) fn figures(puzzle: &PuzzleComparison) -> Result<Vec<Figure>, ReportError> {
    let styles = marker_styles(&puzzle.contenders);
    Ok(vec![
        by_distance::figure(puzzle, &styles)?,
        times::figure(puzzle, &styles)?,
        estimates::figure(puzzle)?,
        errors::figure(puzzle)?,
        growth::figure(puzzle, &styles)?,
    ])
}
