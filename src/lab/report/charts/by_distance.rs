//! Nodes expanded by distance, a line for each contender.

use super::WHOLE;
use crate::format::counted_grouped;
use crate::lab::compare::{Group, PuzzleComparison, Which};
use crate::lab::report::ReportError;
use crate::lab::report::axis::Axis;
use crate::lab::report::canvas::{Line, Plot};
use crate::lab::report::figure::{self, Drawing, Figure, Images};
use crate::lab::report::marker_style::MarkerStyle;

const TITLE: &str = "Nodes expanded by distance";

struct Series {
    contender: usize,
    /// At each distance of which there are boards; nothing where none was solved.
    points: Vec<Option<Point>>,
}

/// The results of a contender at one distance.
struct Point {
    distance: i64,
    expanded: f64,
    /// Whether it left boards unsolved.
    incomplete: bool,
}

pub(super) fn figure(
    puzzle: &PuzzleComparison,
    styles: &[MarkerStyle],
) -> Result<Figure, ReportError> {
    let series: Vec<Series> = (0..puzzle.contenders.len())
        .map(|contender| Series { contender, points: points(puzzle, contender) })
        .filter(|series| series.points.iter().any(Option::is_some))
        .collect();
    let all = || series.iter().flat_map(|series| series.points.iter().flatten());
    let distances = || all().map(|point| point.distance);
    let (Some(nearest), Some(farthest)) = (distances().min(), distances().max()) else {
        let reason = "no board whose distance is known was solved";
        return Ok(Figure::Missing { title: TITLE, reason });
    };
    let x = Axis::whole("distance from the goal, in moves", nearest..=farthest, 14);
    let y = Axis::counts("nodes expanded (mean)", all().map(|point| point.expanded));
    let label = format!(
        "{TITLE} on {}: {} at distances from {nearest} to {farthest}",
        puzzle.puzzle,
        counted_grouped(series.len() as u64, "contender"),
    );
    let image = Plot { label, size: WHOLE, x: &x, y: &y }.draw(|canvas| {
        // With one distance alone, the markers stand side by side instead of upon each other.
        let shift = |place: usize| match nearest == farthest {
            true => ((place as f64 + 0.5) / series.len() as f64 - 0.5) * 0.7,
            false => 0.0,
        };
        let at =
            |place: usize, point: &Point| (point.distance as f64 + shift(place), point.expanded);
        for (place, Series { contender, points }) in series.iter().enumerate() {
            // No line is drawn across distances at which nothing was solved.
            for run in points.split(Option::is_none) {
                let run: Vec<_> = run.iter().flatten().map(|point| at(place, point)).collect();
                if run.len() > 1 {
                    canvas.line(&run, Line::from_style(styles[*contender]))?;
                }
            }
        }
        for (place, Series { contender, points }) in series.iter().enumerate() {
            for point in points.iter().flatten() {
                canvas.marker(at(place, point), styles[*contender], point.incomplete)?;
            }
        }
        Ok(())
    })?;
    let shown = series.iter().map(|series| series.contender);
    let legend = figure::contenders(shown, &puzzle.contenders, styles, true)?;
    let mut caption = "Each marker is the mean over the boards at that distance; lower is better, \
                       and a step up the scale is a factor. A flatter line grows more slowly with \
                       the distance."
        .to_owned();
    if all().any(|point| point.incomplete) {
        caption += " Faint: not all boards at that distance were solved, and the mean is over \
                    those that were, which are likely to be the easier ones.";
    }
    let is_complete = |series: &Series| series.points.iter().all(Option::is_some);
    if series.len() < puzzle.contenders.len() || !series.iter().all(is_complete) {
        caption += " Where a contender has no marker, it solved none.";
    }
    if all().any(|point| y.is_below(point.expanded)) {
        caption += " What is less than 1 is drawn on the lower edge.";
    }
    if let Some(unknown) = puzzle.groups.iter().find(|group| group.of == Which::UnknownDistance) {
        let boards = counted_grouped(unknown.boards as u64, "board");
        caption += &format!(" Not shown: {boards} whose distance is unknown.");
    }
    Ok(Figure::Drawn(Drawing { title: TITLE, images: Images::One(image), legend, caption }))
}

fn points(puzzle: &PuzzleComparison, contender: usize) -> Vec<Option<Point>> {
    let from_group = |group: &Group| {
        let Which::Distance(distance) = group.of else { return None };
        let row = group.rows.iter().find(|row| row.contender == contender);
        Some(row.and_then(|row| {
            let expanded = row.expanded.filter(|expanded| expanded.is_finite())?;
            let incomplete = row.solved < group.boards;
            Some(Point { distance: i64::from(distance), expanded, incomplete })
        }))
    };
    puzzle.groups.iter().filter_map(from_group).collect()
}
