//! Time against nodes, a marker for each run.

use super::WHOLE;
use crate::format::counted_grouped;
use crate::lab::compare::{PuzzleComparison, Trial};
use crate::lab::record::Status;
use crate::lab::report::ReportError;
use crate::lab::report::axis::Axis;
use crate::lab::report::canvas::Plot;
use crate::lab::report::figure::{self, Drawing, Figure, Images};
use crate::lab::report::marker_style::MarkerStyle;
use std::collections::BTreeSet;

const TITLE: &str = "Time by nodes generated";

/// With more runs than this, those of a contender that are about the same are drawn once: a page
/// must not be of many megabytes.
const MANY: usize = 2_000;

/// Markers are about the same if they are in the same square of so many pixels.
const NEAR: i32 = 3;

pub(super) fn figure(
    puzzle: &PuzzleComparison,
    styles: &[MarkerStyle],
) -> Result<Figure, ReportError> {
    let trials: Vec<&Trial> = puzzle.trials.iter().filter(|t| t.seconds.is_finite()).collect();
    if trials.is_empty() {
        return Ok(Figure::Missing { title: TITLE, reason: "nothing was run" });
    }
    let x = Axis::counts("nodes generated", trials.iter().map(|trial| trial.generated as f64));
    let y = Axis::seconds("time", trials.iter().map(|trial| trial.seconds));
    let label = format!(
        "{TITLE} on {}: {} of {}",
        puzzle.puzzle,
        counted_grouped(trials.len() as u64, "run"),
        counted_grouped(puzzle.contenders.len() as u64, "contender"),
    );
    let is_given_up = |trial: &Trial| trial.status != Status::Solved;
    let mut left_out = 0;
    let image = Plot { label, size: WHOLE, x: &x, y: &y }.draw(|canvas| {
        let mut drawn = BTreeSet::new();
        for trial in &trials {
            let at = (trial.generated as f64, trial.seconds);
            let pixel = canvas.pixel(at);
            let place = (pixel.0 / NEAR, pixel.1 / NEAR);
            let is_new = drawn.insert((trial.contender, is_given_up(trial), place));
            if is_new || trials.len() <= MANY {
                canvas.marker(at, styles[trial.contender], is_given_up(trial))?;
            } else {
                left_out += 1;
            }
        }
        Ok(())
    })?;
    let runs = |contender: &usize| trials.iter().any(|trial| trial.contender == *contender);
    let shown = (0..puzzle.contenders.len()).filter(runs);
    let legend = figure::contenders(shown, &puzzle.contenders, styles, false)?;
    let mut caption = "Each marker is a run. Contenders that take the same time for a node lie on \
                       the same rising diagonal; the lower the diagonal, the quicker the node."
        .to_owned();
    if trials.iter().any(|trial| is_given_up(trial)) {
        caption += " Faint: given up at a limit.";
    }
    if trials.iter().any(|trial| x.is_below(trial.generated as f64) || y.is_below(trial.seconds)) {
        caption += " Runs without nodes are drawn on the edge.";
    }
    if left_out > 0 {
        let runs = counted_grouped(left_out as u64, "run");
        caption += &format!(" Not drawn: {runs} that would lie upon others.");
    }
    Ok(Figure::Drawn(Drawing { title: TITLE, images: Images::One(image), legend, caption }))
}
