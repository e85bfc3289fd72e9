//! The page as a whole.

use super::figure::Figure;
use super::html::escaped;
use super::{About, ReportError, charts, tables, theme};
use crate::format::counted_grouped;
use crate::lab::compare::{Comparison, PuzzleComparison, Skipped};

const STYLE: &str = include_str!("style.css");

/// More than so many skipped boards are folded away.
const FEW: usize = 5;

/// The text of the page. It is well-formed XML besides being HTML, so that any tool can read it.
pub(super) fn render(comparison: &Comparison, about: &About) -> Result<String, ReportError> {
    let title = title(comparison);
    let mut page = opening(&title, about);
    page += &format!("<header>\n<h1>{title}</h1>\n{}</header>\n", lead(comparison));
    page += &alarms(comparison);
    page += &skipped(&comparison.skipped);
    let mut figures = 0;
    for (number, puzzle) in comparison.puzzles.iter().enumerate() {
        page += &section(puzzle, number + 1, &mut figures)?;
    }
    let remarks =
        [comparison.circumstances.to_string(), capitalised(&comparison.conditions.to_string())];
    Ok(page + &closing(about, &remarks))
}

/// Everything before the content of a page; the title is fit for HTML.
pub(super) fn opening(title: &str, about: &About) -> String {
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n\
         <meta name=\"generator\" content=\"permutile {version}\"/>\n<title>{title}</title>\n\
         <style>\n{theme}{STYLE}</style>\n</head>\n<body>\n<main>\n",
        version = escaped(about.version),
        theme = theme::rules(),
    )
}

/// Everything after it: how it was made, and remarks on that.
pub(super) fn closing(about: &About, remarks: &[String]) -> String {
    let remarks: Vec<String> = remarks.iter().map(|remark| escaped(remark) + ".").collect();
    format!(
        "</main>\n<footer>\n<p>Made by permutile {} with:</p>\n<pre><code>{}</code></pre>\n\
         <p>{}</p>\n</footer>\n</body>\n</html>\n",
        escaped(about.version),
        escaped(&about.command),
        remarks.join("<br/>"),
    )
}

pub(super) fn capitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().into_iter().flat_map(char::to_uppercase).chain(chars).collect()
}

fn title(comparison: &Comparison) -> String {
    let puzzles: Vec<String> =
        comparison.puzzles.iter().map(|puzzle| escaped(&puzzle.puzzle)).collect();
    match puzzles.as_slice() {
        [] => "Comparison".to_owned(),
        few @ ([_] | [_, _] | [_, _, _]) => format!("Comparison on {}", few.join(", ")),
        many => format!("Comparison on {}", counted_grouped(many.len() as u64, "puzzle")),
    }
}

/// What was compared, in a line for each puzzle.
fn lead(comparison: &Comparison) -> String {
    if comparison.puzzles.is_empty() {
        return "<p>There was no board to compare on.</p>\n".to_owned();
    }
    let line = |(number, puzzle): (usize, &PuzzleComparison)| {
        let boards = puzzle.boards.len();
        let known = match puzzle.boards.iter().filter(|board| board.distance.is_some()).count() {
            all if all == boards => "of known distance".to_owned(),
            some => format!("of which {some} of known distance"),
        };
        format!(
            "<li><a href=\"#puzzle-{}\">{}</a>: {} {known}, {}, {}</li>\n",
            number + 1,
            escaped(&puzzle.puzzle),
            counted_grouped(boards as u64, "board"),
            counted_grouped(puzzle.contenders.len() as u64, "contender"),
            counted_grouped(puzzle.trials.len() as u64, "run"),
        )
    };
    let lines: String = comparison.puzzles.iter().enumerate().map(line).collect();
    format!(
        "<p>Algorithms and heuristics on the same boards, under the same limits. Counts of nodes \
         are exact; times are those of the machine that it was run on.</p>\n<ul>\n{lines}</ul>\n"
    )
}

/// Warnings: contradictions, and an interrupted run.
fn alarms(comparison: &Comparison) -> String {
    let mut alarms = String::new();
    if !comparison.contradictions.is_empty() {
        alarms += &format!(
            "<section class=\"alarm\">\n<h2>Contradictions</h2>\n<p>At least one of two proofs \
             is wrong, or a stated length, or what a heuristic promises.</p>\n{}</section>\n",
            list(comparison.contradictions.iter().map(|text| escaped(text))),
        );
    }
    if comparison.interrupted {
        alarms += "<section class=\"notice\">\n<p><b>Cut short.</b> Runs are missing: means are \
                   over those that were finished.</p>\n</section>\n";
    }
    alarms
}

fn skipped(skipped: &[Skipped]) -> String {
    if skipped.is_empty() {
        return String::new();
    }
    let item = |one: &Skipped| {
        let (board, reason) = (escaped(&one.board), escaped(&one.reason));
        format!("<b>{board}</b> ({}): {reason}", tables::status(one.status))
    };
    let items = list(skipped.iter().map(item));
    let title = format!("{} not compared", counted_grouped(skipped.len() as u64, "item"));
    let open = if skipped.len() <= FEW { " open=\"open\"" } else { "" };
    format!(
        "<section class=\"notice\">\n<details{open}>\n<summary>{title}</summary>\n{items}\
         </details>\n</section>\n"
    )
}

fn section(
    puzzle: &PuzzleComparison,
    number: usize,
    figures: &mut usize,
) -> Result<String, ReportError> {
    let mut section = format!(
        "<section id=\"puzzle-{number}\">\n<h2>{}</h2>\n{}",
        escaped(&puzzle.puzzle),
        tables::summary(puzzle),
    );
    if let Some(baseline) = puzzle.contenders.first() {
        section += &format!(
            "<p class=\"note\">The baseline is <b>{}</b>. {}</p>\n",
            escaped(&baseline.name()),
            tables::NOTE,
        );
    }
    if !puzzle.inapplicable.is_empty() {
        section += &format!(
            "<div class=\"note\"><p>Not taking part:</p>\n{}</div>\n",
            list(puzzle.inapplicable.iter().map(|reason| escaped(reason))),
        );
    }
    section += "<div class=\"figures\">\n";
    let all = charts::figures(puzzle)?;
    let mut has_left = false;
    for (at, figure) in all.iter().enumerate() {
        let has_right = all.get(at + 1).is_some_and(Figure::is_single);
        let alone = figure.is_single() && !has_left && !has_right;
        has_left = figure.is_single() && !has_left && has_right;
        section += &figure.html(figures, alone);
    }
    section += "</div>\n";
    let more = [
        tables::quartiles(puzzle),
        tables::by_distance(puzzle),
        tables::predictions(puzzle),
        tables::boards(puzzle),
    ];
    section.extend(more.into_iter().flatten());
    Ok(section + "</section>\n")
}

fn list(items: impl Iterator<Item = String>) -> String {
    let items: String = items.map(|item| format!("<li>{item}</li>\n")).collect();
    format!("<ul>\n{items}</ul>\n")
}
