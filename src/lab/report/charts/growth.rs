//! How iterations grow with the bound, a line for each contender that deepens iteratively.

use super::WHOLE;
use crate::format::counted_grouped;
use crate::lab::compare::{PredictionRow, PuzzleComparison};
use crate::lab::report::ReportError;
use crate::lab::report::axis::Axis;
use crate::lab::report::canvas::{Line, Plot, line_swatch};
use crate::lab::report::figure::{self, Drawing, Figure, Images};
use crate::lab::report::marker_style::{Dash, MarkerStyle};
use crate::lab::report::theme::Colour;
use crate::puzzle::Depth;
use crate::search::ida::IDA;
use std::collections::BTreeMap;

const TITLE: &str = "Nodes expanded by iteration";

/// A contender whose search has iterations.
struct Series<'a> {
    contender: usize,
    /// The mean number of nodes by bound.
    measured: Vec<(Depth, f64)>,
    predicted: &'a [PredictionRow],
}

pub(super) fn figure(
    puzzle: &PuzzleComparison,
    styles: &[MarkerStyle],
) -> Result<Figure, ReportError> {
    let all: Vec<Series> = (0..puzzle.contenders.len())
        .map(|contender| series(puzzle, contender))
        .filter(|series| !series.measured.is_empty())
        .collect();
    let bounds =
        || all.iter().flat_map(|series| &series.measured).map(|(bound, _)| i64::from(*bound));
    let (Some(first), Some(last)) = (bounds().min(), bounds().max()) else {
        let any = puzzle.trials.iter().any(|trial| !trial.iterations.is_empty());
        let reason = match any {
            true => "no search came to the end of an iteration before the last one",
            false => "no contender deepens iteratively, as IDA* does",
        };
        return Ok(Figure::Missing { title: TITLE, reason });
    };
    let values = all.iter().flat_map(|series| {
        let predicted = shown(series).map(|row| row.predicted);
        series.measured.iter().map(|(_, nodes)| *nodes).chain(predicted)
    });
    let x = Axis::whole("bound on the length, in moves", first..=last, 14);
    let y = Axis::counts("nodes expanded (mean)", values);
    let label = format!(
        "{TITLE} on {}: {} with bounds from {first} to {last}",
        puzzle.puzzle,
        counted_grouped(all.len() as u64, "contender"),
    );
    // Dashes say here what is predicted.
    let solid = |contender: usize| MarkerStyle { dash: Dash::Solid, ..styles[contender] };
    let image = Plot { label, size: WHOLE, x: &x, y: &y }.draw(|canvas| {
        let at = |bound: Depth, nodes: f64| (f64::from(bound), nodes);
        for series in &all {
            let style = solid(series.contender);
            let measured: Vec<(f64, f64)> =
                series.measured.iter().map(|&(bound, nodes)| at(bound, nodes)).collect();
            canvas.line(&measured, Line::from_style(style))?;
            let predicted: Vec<(f64, f64)> =
                shown(series).map(|row| at(row.bound, row.predicted)).collect();
            canvas.line(&predicted, Line { colour: style.colour, ..PREDICTED })?;
        }
        for series in &all {
            for &(bound, nodes) in &series.measured {
                canvas.marker(at(bound, nodes), solid(series.contender), false)?;
            }
        }
        Ok(())
    })?;
    let solid: Vec<MarkerStyle> = (0..styles.len()).map(solid).collect();
    let contenders = all.iter().map(|series| series.contender);
    let mut legend = figure::contenders(contenders, &puzzle.contenders, &solid, true)?;
    let mut caption =
        "Each marker is the mean over the boards on which that bound was searched to \
                       the end, which the last bound of a board never is; so the boards change \
                       from bound to bound. The steeper, the more an iteration costs than the one \
                       before."
            .to_owned();
    if all.iter().any(|series| shown(series).next().is_some()) {
        legend += &figure::entry(&line_swatch(PREDICTED)?, "predicted");
        caption += " Dashed: what was to be expected from the estimates of random boards, where \
                    that is at least one node.";
    }
    if all.iter().any(|series| series.measured.iter().any(|(_, nodes)| y.is_below(*nodes))) {
        caption += " What is less than 1 is drawn on the lower edge.";
    }
    Ok(Figure::Drawn(Drawing { title: TITLE, images: Images::One(image), legend, caption }))
}

const PREDICTED: Line = Line { colour: Colour::Ink, dash: Dash::Dashed, width: 5 };

/// The predictions that the axis can show: it begins at one node.
fn shown<'a>(series: &Series<'a>) -> impl Iterator<Item = &'a PredictionRow> + use<'a> {
    series.predicted.iter().filter(|row| row.predicted >= 1.0)
}

fn series(puzzle: &PuzzleComparison, contender: usize) -> Series<'_> {
    let mut by_bound: BTreeMap<Depth, (u64, f64)> = BTreeMap::new();
    let trials = puzzle.trials.iter().filter(|trial| trial.contender == contender);
    for iteration in trials.flat_map(|trial| &trial.iterations).filter(|one| one.complete) {
        let sum = by_bound.entry(iteration.bound).or_default();
        sum.0 += 1;
        sum.1 += iteration.expanded as f64;
    }
    let measured = by_bound.into_iter().map(|(bound, (runs, sum))| (bound, sum / runs as f64));
    let of = &puzzle.contenders[contender];
    let predicted = puzzle
        .predictions
        .iter()
        .find(|one| of.algorithm == IDA.name && of.heuristic.as_ref() == Some(&one.heuristic));
    Series {
        contender,
        measured: measured.collect(),
        predicted: predicted.map_or(&[], |predictions| &predictions.rows),
    }
}
