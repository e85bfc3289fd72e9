//! Estimates against true distances, a heat map for each heuristic.

use crate::format::grouped;
use crate::lab::compare::{EstimateCount, Estimates, PuzzleComparison};
use crate::lab::report::ReportError;
use crate::lab::report::axis::Axis;
use crate::lab::report::canvas::{Line, Plot, line_swatch};
use crate::lab::report::figure::{self, Drawing, Figure, Images};
use crate::lab::report::html::{escaped, percent};
use crate::lab::report::marker_style::Dash;
use crate::lab::report::theme::Colour;
use std::collections::BTreeMap;

const TITLE: &str = "Estimates by distance";

/// The size of each map, in pixels.
const SIZE: (u32, u32) = (240, 232);

/// No map has more columns or rows: beyond that, several numbers share one.
const MOST_CELLS: i64 = 130;

const DIAGONAL: Line = Line { colour: Colour::Ink, dash: Dash::Dashed, width: 5 };

pub(super) fn figure(puzzle: &PuzzleComparison) -> Result<Figure, ReportError> {
    let all: Vec<&Estimates> =
        puzzle.estimates.iter().filter(|estimates| boards(&estimates.counts) > 0).collect();
    let counts = || all.iter().flat_map(|estimates| &estimates.counts);
    let (Some(farthest), Some(highest)) = (
        counts().map(|count| i64::from(count.distance)).max(),
        counts().map(|count| i64::from(count.h)).max(),
    ) else {
        return Ok(Figure::Missing { title: TITLE, reason: missing(puzzle) });
    };
    // A board that is solved has one column; a chart needs some more.
    let farthest = farthest.max(1);
    // The same axes for all, so that they can be compared.
    let top = highest.max(farthest);
    let x = Axis::whole("distance", 0..=farthest, 6);
    let y = Axis::whole("h", 0..=top, 7);
    let widths = (1 + farthest / MOST_CELLS, 1 + top / MOST_CELLS);
    let multiples: Result<Vec<(String, String)>, ReportError> = all
        .iter()
        .map(|estimates| {
            let too_high = too_high(&estimates.counts);
            let label = format!(
                "Estimates of {} against distances from 0 to {farthest}: {too_high} of {} are too high",
                estimates.heuristic,
                boards(&estimates.counts),
            );
            let image = Plot { label, size: SIZE, x: &x, y: &y }.draw(|canvas| {
                for ((column, row), cell) in cells(&estimates.counts, widths) {
                    let (left, low) = (column * widths.0, row * widths.1);
                    let corners = [
                        (left as f64 - 0.5, low as f64 - 0.5),
                        ((left + widths.0) as f64 - 0.5, (low + widths.1) as f64 - 0.5),
                    ];
                    let colour = if cell.too_high { Colour::TOO_HIGH } else { Colour::FINE };
                    canvas.bar(corners, colour, opacity(cell.share))?;
                }
                canvas.line(&[(0.0, 0.0), (farthest as f64, farthest as f64)], DIAGONAL)
            })?;
            Ok((image, caption(estimates, too_high)))
        })
        .collect();
    let shown = all.len();
    let legend = legend(all.iter().any(|estimates| too_high(&estimates.counts) > 0))?;
    let mut caption =
        "Each column is a distance; the stronger a cell, the larger the share of the \
                       boards at that distance of which the heuristic says h. The nearer to the \
                       dashed line, the better; above it, the heuristic is too high, and searches \
                       that rely on it can miss shortest solutions. The boards are those compared \
                       and those on a shortest path from each."
            .to_owned();
    if widths.0 > 1 || widths.1 > 1 {
        caption +=
            &format!(" A cell stands for {} distances and {} values of h.", widths.0, widths.1);
    }
    let without = puzzle.estimates.len() - shown;
    if without > 0 {
        caption += " Heuristics without such boards are not shown.";
    }
    let images = Images::Multiples(multiples?);
    Ok(Figure::Drawn(Drawing { title: TITLE, images, legend, caption }))
}

/// Why there is no figure of estimates.
pub(super) fn missing(puzzle: &PuzzleComparison) -> &'static str {
    if puzzle.contenders.iter().all(|contender| contender.heuristic.is_none()) {
        "no contender has a heuristic"
    } else {
        "no shortest solution was found of a board whose distance is known"
    }
}

/// How many boards there are.
pub(super) fn boards(counts: &[EstimateCount]) -> u64 {
    counts.iter().map(|count| count.boards).sum()
}

/// How many of them are overestimated.
pub(super) fn too_high(counts: &[EstimateCount]) -> u64 {
    boards(&counts.iter().filter(|count| count.h > count.distance).copied().collect::<Vec<_>>())
}

struct Cell {
    /// Of the boards in its column.
    share: f64,
    /// Whether it has boards with an estimate above the distance.
    too_high: bool,
}

/// The cells by column and row, each of these widths.
fn cells(counts: &[EstimateCount], widths: (i64, i64)) -> BTreeMap<(i64, i64), Cell> {
    let mut columns: BTreeMap<i64, u64> = BTreeMap::new();
    let mut cells: BTreeMap<(i64, i64), (u64, bool)> = BTreeMap::new();
    for count in counts.iter().filter(|count| count.boards > 0) {
        let column = i64::from(count.distance) / widths.0;
        let cell = cells.entry((column, i64::from(count.h) / widths.1)).or_default();
        cell.0 += count.boards;
        cell.1 |= count.h > count.distance;
        *columns.entry(column).or_default() += count.boards;
    }
    let share = |at: (i64, i64), boards: u64| boards as f64 / columns[&at.0] as f64;
    cells
        .into_iter()
        .map(|(at, (boards, too_high))| (at, Cell { share: share(at, boards), too_high }))
        .collect()
}

/// The opacity of a share, chosen so that small ones are visible, too.
fn opacity(share: f64) -> f64 {
    let opacity = 0.12 + 0.88 * share.sqrt();
    // Hundredths do, and take less room.
    (opacity * 100.0).round() / 100.0
}

fn caption(estimates: &Estimates, too_high: u64) -> String {
    let name = escaped(&estimates.heuristic);
    let of = boards(&estimates.counts);
    match too_high {
        0 => format!("<b>{name}</b>"),
        some => format!(
            "<b>{name}</b> <span class=\"bad\">too high on {} of {} boards ({})</span>",
            grouped(some),
            grouped(of),
            percent(some, of),
        ),
    }
}

fn legend(any_too_high: bool) -> Result<String, ReportError> {
    let shade = |colour: Colour, share: f64| {
        format!(
            "<span class=\"shade\" style=\"background:var({});opacity:{}\"></span>",
            colour.variable(),
            opacity(share),
        )
    };
    let shades = |colour: Colour| -> String {
        [0.01, 0.1, 0.25, 0.5, 1.0].into_iter().map(|share| shade(colour, share)).collect()
    };
    let mut legend = format!(
        "<li>{}<span>1, 10, 25, 50, 100 % of the boards at a distance</span></li>\n",
        shades(Colour::FINE)
    );
    if any_too_high {
        legend +=
            &format!("<li>{}<span>the same, too high</span></li>\n", shades(Colour::TOO_HIGH));
    }
    Ok(legend + &figure::entry(&line_swatch(DIAGONAL)?, "h = distance"))
}
