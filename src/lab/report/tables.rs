//! The tables of a puzzle.

use super::html::{NONE, decimal, escaped, finite, unbroken};
use crate::format::{self, counted_grouped, grouped};
use crate::lab::compare::{
    Contender, Group, Predictions, PuzzleComparison, Quartiles, Ratios, Row, RowQuartiles, Subject,
    Trial, Which,
};
use crate::lab::record::Status;

/// A column of numbers about contenders.
struct Column {
    head: &'static str,
    cell: fn(&Row, &Group) -> Option<String>,
}

const COLUMNS: &[Column] = &[
    Column { head: "Solved", cell: |row, _| Some(format!("{} / {}", row.solved, row.runs)) },
    Column { head: "Proven", cell: |row, _| Some(format!("{} / {}", row.proven, row.runs)) },
    Column { head: "Length", cell: |row, _| row.length.map(|length| decimal(length, 1)) },
    Column { head: "Max depth", cell: |row, _| row.max_depth.map(|depth| decimal(depth, 1)) },
    Column { head: "Expanded", cell: |row, _| row.expanded.map(mean) },
    Column { head: "Generated", cell: |row, _| row.generated.map(mean) },
    Column { head: "Below last layer", cell: |row, _| row.expanded_below.map(mean) },
    Column { head: "Expanded × baseline", cell: |row, _| times(row, |ratios| ratios.expanded) },
    Column { head: "Time", cell: |row, _| row.seconds.map(duration) },
    Column { head: "Time × baseline", cell: |row, _| times(row, |ratios| ratios.seconds) },
    Column { head: "ns / node", cell: |row, _| row.ns_per_node.map(ratio) },
    Column { head: "Mean h", cell: |row, _| row.mean_h.map(|h| decimal(h, 1)) },
    Column { head: "Branching factor", cell: |row, _| row.branching.map(|b| decimal(b, 2)) },
    Column { head: "Shortest", cell: |row, _| shortest(row) },
];

fn mean(value: f64) -> String {
    finite(value, |value| format::mean(value, 1e3))
}

fn ratio(value: f64) -> String {
    finite(value, format::compact_ratio)
}

fn duration(seconds: f64) -> String {
    unbroken(&finite(seconds, format::precise_duration))
}

fn times(row: &Row, of: fn(&Ratios) -> f64) -> Option<String> {
    row.ratios.as_ref().map(|ratios| ratio(of(ratios)))
}

fn shortest(row: &Row) -> Option<String> {
    let excess = match row.excess {
        0 => String::new(),
        moves => format!(" <span class=\"bad\">+{}</span>", grouped(moves)),
    };
    (row.judged > 0).then(|| format!("{} / {}{excess}", row.shortest, row.judged))
}

/// What the columns mean.
pub(super) const NOTE: &str = "Means are over the boards that a contender solved: compare them only where as many are \
     solved. <i>Below last layer</i>: nodes expanded before the last layer or iteration, which \
     leaves out the luck of finding the goal early or late in it. <i>×\u{a0}baseline</i>: for each unit \
     of the first contender, as a geometric mean over the boards that both solved. <i>ns / \
     node</i>: time for each node generated. <i>Branching factor</i>: of the full tree with as \
     many nodes and as deep as the solution. <i>Shortest</i>: how many solutions are shortest, of \
     those whose boards’ distances are known, and by how many moves the others are too long, \
     together.";

/// The contenders on all boards.
pub(super) fn summary(puzzle: &PuzzleComparison) -> String {
    let all = puzzle.groups.iter().find(|group| group.of == Which::All);
    let body = all.map(|group| body(group, &puzzle.contenders)).unwrap_or_default();
    let name = format!("All boards of {}", puzzle.puzzle);
    table(&name, &head("Contender", COLUMNS.iter().map(|column| column.head)), &body)
}

/// How nodes and times are distributed over all boards, if there are a few.
pub(super) fn quartiles(puzzle: &PuzzleComparison) -> Option<String> {
    let all = puzzle.groups.iter().find(|group| group.of == Which::All && group.boards > 3)?;
    let line = |row: &Row| {
        let nodes = |of: fn(&RowQuartiles) -> Quartiles| {
            let quartiles = row.quartiles.as_ref().map(of);
            let quarters: [fn(Quartiles) -> f64; 3] = [|q| q.lower, |q| q.median, |q| q.upper];
            quarters.map(|at| quartiles.map(at))
        };
        let expanded = nodes(|row| row.expanded).map(|value| value.map(mean));
        let seconds = nodes(|row| row.seconds).map(|value| value.map(duration));
        let cells = numbers(expanded.into_iter().chain(seconds));
        let contender = contender(&puzzle.contenders[row.contender]);
        format!("<tr><th scope=\"row\">{contender}</th>{cells}</tr>\n")
    };
    let columns = [
        "Expanded: lower quartile",
        "Median",
        "Upper quartile",
        "Time: lower quartile",
        "Median",
        "Upper quartile",
    ];
    let name = format!("Quartiles of all boards of {}", puzzle.puzzle);
    let body: String = all.rows.iter().map(line).collect();
    Some(details("Quartiles", &table(&name, &head("Contender", columns.into_iter()), &body)))
}

/// The contenders by distance, if there is more than one.
pub(super) fn by_distance(puzzle: &PuzzleComparison) -> Option<String> {
    let groups: Vec<&Group> = puzzle.groups.iter().filter(|group| group.of != Which::All).collect();
    if groups.len() < 2 {
        return None;
    }
    let part = |group: &&Group| {
        let of = match group.of {
            Which::All => "All".to_owned(),
            Which::Distance(distance) => format!("Distance {distance}"),
            Which::UnknownDistance => "Distance unknown".to_owned(),
        };
        format!(
            "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"{}\">{of}: {}</th></tr>\n{}",
            COLUMNS.len() + 1,
            counted_grouped(group.boards as u64, "board"),
            body(group, &puzzle.contenders),
        )
    };
    let bodies: Vec<String> = groups.iter().map(part).collect();
    let name = format!("Boards of {} by distance", puzzle.puzzle);
    let head = head("Contender", COLUMNS.iter().map(|column| column.head));
    Some(details(
        &format!("By distance ({})", counted_grouped(groups.len() as u64, "group")),
        &table(&name, &head, &bodies.join("</tbody>\n<tbody>\n")),
    ))
}

fn body(group: &Group, contenders: &[Contender]) -> String {
    let line = |row: &Row| {
        let cells = COLUMNS.iter().map(|column| (column.cell)(row, group));
        let contender = contender(&contenders[row.contender]);
        format!("<tr><th scope=\"row\">{contender}</th>{}</tr>\n", numbers(cells))
    };
    group.rows.iter().map(line).collect()
}

fn contender(contender: &Contender) -> String {
    let warning = match (contender.admissible, contender.consistent) {
        (Some(false), _) => " <small>inadmissible</small>",
        (_, Some(false)) => " <small>inconsistent</small>",
        _ if contender.only_claims => " <small>admissible as it claims</small>",
        _ => "",
    };
    format!("{}{warning}", escaped(&contender.name()))
}

/// Predicted and measured numbers of nodes of IDA*.
pub(super) fn predictions(puzzle: &PuzzleComparison) -> Option<String> {
    let part = |predictions: &Predictions| {
        let head = format!(
            "<tr class=\"group\"><th scope=\"rowgroup\" colspan=\"6\">{}, from {}</th></tr>\n",
            escaped(&predictions.heuristic),
            counted_grouped(predictions.sample, "random board"),
        );
        let line = |row: &crate::lab::compare::PredictionRow| {
            let share = (row.measured > 0.0).then(|| ratio(row.predicted / row.measured));
            let cells = [
                Some(row.boards.to_string()),
                Some(mean(row.predicted)),
                Some(format!("± {}", mean(row.standard_error))),
                Some(mean(row.measured)),
                share,
            ];
            let cells = numbers(cells.into_iter());
            format!("<tr><th scope=\"row\">{}</th>{cells}</tr>\n", row.bound)
        };
        head + &predictions.rows.iter().map(line).collect::<String>()
    };
    let shown = puzzle.predictions.iter().filter(|predictions| !predictions.rows.is_empty());
    let bodies: Vec<String> = shown.map(part).collect();
    if bodies.is_empty() {
        return None;
    }
    let name = format!("Predictions of IDA* on {}", puzzle.puzzle);
    let columns = ["Boards", "Predicted", "Standard error", "Measured", "Predicted / measured"];
    let head = head("Bound", columns.into_iter());
    let note = "<p class=\"note\">Mean nodes expanded by IDA* in the iterations that were searched \
                to the end, and what was to be expected from the estimates of random boards. The \
                standard error is that of the sample alone.</p>\n";
    Some(details(
        "Predictions for IDA*",
        &(note.to_owned() + &table(&name, &head, &bodies.join("</tbody>\n<tbody>\n"))),
    ))
}

/// The most runs that a table shows, so that browsers can open the page.
const MOST_RUNS: usize = 3_000;

/// Every run.
pub(super) fn boards(puzzle: &PuzzleComparison) -> Option<String> {
    let contenders = &puzzle.contenders;
    let mut runs: Vec<Vec<&Trial>> = vec![Vec::new(); puzzle.boards.len()];
    for trial in &puzzle.trials {
        runs[trial.board].push(trial);
    }
    let shown = (MOST_RUNS / contenders.len().max(1)).max(1).min(puzzle.boards.len());
    let part = |(subject, runs): (&Subject, &Vec<&Trial>)| {
        let lines: Vec<String> = runs.iter().map(|trial| run(trial, contenders)).collect();
        let head = format!(
            "<th scope=\"rowgroup\" rowspan=\"{}\">{}<small class=\"tiles\">{}</small></th>\
             <td rowspan=\"{}\">{}</td>",
            lines.len().max(1),
            escaped(&subject.name),
            tiles(&subject.start),
            lines.len().max(1),
            subject.distance.map_or_else(|| NONE.to_owned(), |distance| distance.to_string()),
        );
        let empty = || format!("<td class=\"text\" colspan=\"{}\">not run</td>", RUN_COLUMNS.len());
        let lines = if lines.is_empty() { vec![empty()] } else { lines };
        format!("<tr>{head}{}</tr>\n", lines.join("</tr>\n<tr>"))
    };
    let bodies: Vec<String> = puzzle.boards.iter().zip(&runs).take(shown).map(part).collect();
    if bodies.is_empty() {
        return None;
    }
    let columns = ["Distance"].iter().chain(RUN_COLUMNS).copied();
    let name = format!("Runs on each board of {}", puzzle.puzzle);
    let table = table(&name, &head("Board", columns), &bodies.join("</tbody>\n<tbody>\n"));
    let note = match shown < puzzle.boards.len() {
        true => format!(
            "<p class=\"note\">The first {} of {}; the others are left out here.</p>\n",
            grouped(shown as u64),
            counted_grouped(puzzle.boards.len() as u64, "board"),
        ),
        false => String::new(),
    };
    let title = format!("By board ({})", counted_grouped(puzzle.boards.len() as u64, "board"));
    Some(details(&title, &(note + &table)))
}

const RUN_COLUMNS: &[&str] = &[
    "Contender",
    "Result",
    "Length",
    "Max depth",
    "Proven at least",
    "h",
    "Expanded",
    "Generated",
    "Time",
    "Branching factor",
    "Memory",
];

/// The text columns.
const TEXTS: &[&str] = &["Contender", "Result"];

fn run(trial: &Trial, contenders: &[Contender]) -> String {
    let result = match trial.status {
        Status::Solved => "<td class=\"text\">solved</td>".to_owned(),
        other => format!("<td class=\"text bad\">{}</td>", status(other)),
    };
    let cells = [
        trial.length.map(|length| length.to_string()),
        Some(trial.max_depth.to_string()),
        Some(trial.lower_bound.to_string()),
        trial.h.map(|h| h.to_string()),
        Some(grouped(trial.expanded)),
        Some(grouped(trial.generated)),
        Some(duration(trial.seconds)),
        trial.branching.map(|branching| decimal(branching, 2)),
        Some(unbroken(&format::bytes(trial.peak_bytes))),
    ];
    let contender = escaped(&contenders[trial.contender].name());
    format!("<td class=\"text\">{contender}</td>{result}{}", numbers(cells.into_iter()))
}

/// How something ended, in words.
pub(super) fn status(status: Status) -> &'static str {
    match status {
        Status::Solved => "solved",
        Status::Unsolvable => "unsolvable",
        Status::Timeout => "time limit",
        Status::NodeLimit => "node limit",
        Status::MemoryLimit => "memory limit",
        Status::Interrupted => "interrupted",
        Status::Invalid => "invalid",
    }
}

fn tiles(start: &[u16]) -> String {
    let tiles: Vec<String> = start.iter().map(u16::to_string).collect();
    tiles.join(" ")
}

pub(super) fn head<'a>(first: &str, others: impl Iterator<Item = &'a str>) -> String {
    let one = |name: &str| {
        let class = if TEXTS.contains(&name) { " class=\"text\"" } else { "" };
        format!("<th scope=\"col\"{class}>{name}</th>")
    };
    let others: String = others.map(one).collect();
    format!("<th scope=\"col\" class=\"first\">{first}</th>{others}")
}

pub(super) fn numbers(cells: impl Iterator<Item = Option<String>>) -> String {
    cells.map(|cell| format!("<td>{}</td>", cell.as_deref().unwrap_or(NONE))).collect()
}

/// A table that is scrolled by itself where it is too wide, by keyboard, too.
pub(super) fn table(name: &str, head: &str, body: &str) -> String {
    let name = escaped(name);
    format!(
        "<div class=\"scroll\" role=\"region\" aria-label=\"{name}\" tabindex=\"0\">\n<table>\n\
         <thead><tr>{head}</tr></thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n"
    )
}

fn details(title: &str, content: &str) -> String {
    format!("<details>\n<summary>{}</summary>\n{content}</details>\n", escaped(title))
}
