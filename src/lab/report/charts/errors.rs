//! The errors of heuristics, a histogram for each.

use super::estimates::{boards, missing, too_high};
use crate::lab::compare::{EstimateCount, Estimates, PuzzleComparison};
use crate::lab::report::ReportError;
use crate::lab::report::axis::Axis;
use crate::lab::report::canvas::{Line, Plot};
use crate::lab::report::figure::{Drawing, Figure, Images};
use crate::lab::report::html::{decimal, escaped, percent};
use crate::lab::report::marker_style::Dash;
use crate::lab::report::theme::Colour;
use std::collections::BTreeMap;

const TITLE: &str = "Errors of the estimates";

/// The size of each chart, in pixels.
const SIZE: (u32, u32) = (240, 170);

/// No chart has more bars: beyond that, several errors share one.
const MOST_BARS: i64 = 100;

/// Left of it, estimates are too high.
const EDGE: Line = Line { colour: Colour::Ink, dash: Dash::Dashed, width: 4 };

pub(super) fn figure(puzzle: &PuzzleComparison) -> Result<Figure, ReportError> {
    // Every heuristic knows the goal, and every path ends there.
    let away = |estimates: &Estimates| -> Vec<EstimateCount> {
        let is_away = |count: &&EstimateCount| count.distance > 0 && count.boards > 0;
        estimates.counts.iter().filter(is_away).copied().collect()
    };
    let all: Vec<(&str, Vec<EstimateCount>)> = puzzle
        .estimates
        .iter()
        .map(|estimates| (estimates.heuristic.as_str(), away(estimates)))
        .filter(|(_, counts)| !counts.is_empty())
        .collect();
    let errors = || all.iter().flat_map(|(_, counts)| counts).map(error);
    let (Some(least), Some(most)) = (errors().min(), errors().max()) else {
        let reason = match puzzle.estimates.iter().all(|one| boards(&one.counts) == 0) {
            true => missing(puzzle),
            false => "the only board whose distance is known is the goal",
        };
        return Ok(Figure::Missing { title: TITLE, reason });
    };
    let (least, most) = (least.min(0), most.max(1));
    let width = 1 + (most - least) / MOST_BARS;
    let bars: Vec<BTreeMap<i64, f64>> = all.iter().map(|(_, counts)| bars(counts, width)).collect();
    let largest = bars.iter().flat_map(BTreeMap::values).copied().fold(0.0, f64::max);
    let x = Axis::whole("distance − h", least..=most, 7);
    let y = Axis::percent("boards", largest, 5);
    let multiples: Result<Vec<(String, String)>, ReportError> = all
        .iter()
        .zip(&bars)
        .map(|((heuristic, counts), bars)| {
            let summary = Summary::of(counts);
            let label = format!(
                "Errors of {heuristic} from {least} to {most}: the mean is {}",
                decimal(summary.mean, 2),
            );
            let image = Plot { label, size: SIZE, x: &x, y: &y }.draw(|canvas| {
                for (&bar, &share) in bars {
                    let from = (bar * width) as f64 - 0.5;
                    let to = from + width as f64;
                    let colour = if bar < 0 { Colour::TOO_HIGH } else { Colour::FINE };
                    canvas.bar([(from, 0.0), (to, share)], colour, 1.0)?;
                }
                match least < 0 {
                    true => canvas.line(&[(-0.5, 0.0), (-0.5, 100.0)], EDGE),
                    false => Ok(()),
                }
            })?;
            Ok((image, summary.caption(heuristic)))
        })
        .collect();
    let mut caption = "Each bar is the share of the boards of which the heuristic is wrong by so \
                       many moves. At 0 it is right; the further to the right, the less it sees. \
                       The boards are those of the figure before, without the goal."
        .to_owned();
    if least < 0 {
        caption += " Left of the dashed line, it is too high.";
    }
    if width > 1 {
        caption += &format!(" A bar stands for {width} values.");
    }
    let images = Images::Multiples(multiples?);
    Ok(Figure::Drawn(Drawing { title: TITLE, images, legend: String::new(), caption }))
}

fn error(count: &EstimateCount) -> i64 {
    i64::from(count.distance) - i64::from(count.h)
}

/// The shares of the boards by error, in percent. No bar has both signs.
fn bars(counts: &[EstimateCount], width: i64) -> BTreeMap<i64, f64> {
    let all = boards(counts) as f64;
    let mut bars = BTreeMap::new();
    for count in counts {
        let bar = error(count).div_euclid(width);
        *bars.entry(bar).or_insert(0.0) += count.boards as f64 * 100.0 / all;
    }
    bars
}

struct Summary {
    mean: f64,
    exact: u64,
    too_high: u64,
    boards: u64,
}

impl Summary {
    fn of(counts: &[EstimateCount]) -> Summary {
        let boards = boards(counts);
        let sum: f64 = counts.iter().map(|count| error(count) as f64 * count.boards as f64).sum();
        let exact = counts.iter().filter(|count| error(count) == 0).map(|count| count.boards).sum();
        Summary { mean: sum / boards as f64, exact, too_high: too_high(counts), boards }
    }

    fn caption(&self, heuristic: &str) -> String {
        let mut caption = format!(
            "<b>{}</b> mean {}, right on {}",
            escaped(heuristic),
            decimal(self.mean, 2).replace('-', "−"),
            percent(self.exact, self.boards),
        );
        if self.too_high > 0 {
            let share = percent(self.too_high, self.boards);
            caption += &format!(", <span class=\"bad\">too high on {share}</span>");
        }
        caption
    }
}
