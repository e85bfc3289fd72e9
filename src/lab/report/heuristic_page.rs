//! The heuristics of some puzzles as a page, with charts.

use super::axis::Axis;
use super::canvas::{self, Plot};
use super::figure::{self, Drawing, Figure, Images};
use super::html::{NONE, escaped};
use super::marker_style::{MarkerStyle, marker_styles};
use super::{About, ReportError, page, tables};
use crate::lab::circumstances::Circumstances;
use crate::lab::compare::Contender;
use crate::lab::heuristic_table::{Cells, HeuristicRow, HeuristicTable};

/// How to read the tables.
const NOTE: &str = "<b>Naive</b>, <b>tables</b> and <b>evaluate</b> are one estimate from scratch: \
    by a loop over a plain array, by look-up tables without SIMD, and in the quickest way that this \
    processor has. <b>Update</b> is one after a move, <b>all moves</b> those after every move of a \
    board, together. <b>Mean h</b> is of random boards, each equally likely. Boards are solved by \
    IDA* on one thread; only who solves all of them has a time, and <b>x baseline</b> is that time by \
    the baseline's. Times are medians, and the noise half of their confidence interval.";

const CHARTS: [Chart; 2] = [
    Chart {
        title: "What an estimate costs and what it says",
        caption: "Up is a larger mean estimate of random boards, left a quicker evaluation from \
                  scratch. What is below and to the right of another has neither.",
        x: "time of an evaluation",
        y: "mean estimate",
        point: |row| Some((row.evaluation.evaluate?.seconds, row.mean_h?)),
        axes: |points, chart| {
            let most = points.iter().map(|point| point.1).fold(1.0, f64::max).ceil() as i64;
            let x = Axis::seconds(chart.x, points.iter().map(|point| point.0));
            (x, Axis::whole(chart.y, 0..=most, 8))
        },
    },
    Chart {
        title: "Time by nodes",
        caption: "Means of the boards, by IDA*. Left is fewer nodes, down is less time; heuristics \
                  that take the same time for a node lie on the same rising diagonal.",
        x: "nodes generated a board",
        y: "time a board",
        point: |row| Some((row.nodes?, row.board?.seconds)),
        axes: |points, chart| {
            let x = Axis::counts(chart.x, points.iter().map(|point| point.0));
            (x, Axis::seconds(chart.y, points.iter().map(|point| point.1)))
        },
    },
];

/// Where a marker is.
type Point = (f64, f64);

/// A chart with a marker for each heuristic.
struct Chart {
    title: &'static str,
    caption: &'static str,
    x: &'static str,
    y: &'static str,
    point: fn(&HeuristicRow) -> Option<Point>,
    axes: fn(&[Point], &Chart) -> (Axis, Axis),
}

/// The text of the page.
pub(super) fn render(
    all: &[HeuristicTable],
    circumstances: &Circumstances,
    about: &About,
) -> Result<String, ReportError> {
    let puzzles: Vec<String> = all.iter().map(|table| escaped(&table.puzzle)).collect();
    let title = format!("Heuristics on {}", puzzles.join(", "));
    let mut page = page::opening(&title, about);
    page += &format!("<header>\n<h1>{title}</h1>\n<p>{NOTE}</p>\n</header>\n");
    let mut figures = 0;
    for table in all {
        page += &section(table, &mut figures)?;
    }
    Ok(page + &page::closing(about, &[circumstances.to_string()]))
}

fn section(table: &HeuristicTable, figures: &mut usize) -> Result<String, ReportError> {
    let name = escaped(&table.puzzle);
    let mut section =
        format!("<section>\n<h2>{name}</h2>\n<p>{}.</p>\n", escaped(&table.heading()));
    section += &html_table(&format!("Heuristics on {name}"), table.cells());
    if let Some(remark) = table.remark() {
        section += &format!("<p class=\"note\">{}.</p>\n", escaped(&page::capitalised(&remark)));
    }
    if let (Some(changes), Some(saved)) = (table.changes(), &table.compared_with) {
        let what = format!("Change against {}", escaped(saved));
        section += &format!("<p>{what}, with half of its confidence interval:</p>\n");
        section += &html_table(&what, changes);
    }
    section += "<div class=\"figures\">\n";
    let contender = |row: &HeuristicRow| Contender {
        algorithm: "ida".to_owned(),
        heuristic: Some(row.heuristic.clone()),
        admissible: Some(row.admissible),
        consistent: None,
        only_claims: false,
    };
    let contenders: Vec<Contender> = table.rows.iter().map(contender).collect();
    let styles = marker_styles(&contenders);
    for chart in &CHARTS {
        section += &chart.figure(table, &styles)?.html(figures, false);
    }
    Ok(section + "</div>\n</section>\n")
}

fn html_table(name: &str, (heading, rows): Cells) -> String {
    let line = |cells: &Vec<String>| {
        let (first, others) = cells.split_first().expect("a row has a name");
        let others = others.iter().map(|cell| (cell != NONE).then(|| escaped(cell)));
        format!("<tr><th scope=\"row\">{}</th>{}</tr>\n", escaped(first), tables::numbers(others))
    };
    let body: String = rows.iter().map(line).collect();
    tables::table(name, &tables::head(heading[0], heading[1..].iter().copied()), &body)
}

impl Chart {
    fn figure(
        &self,
        table: &HeuristicTable,
        styles: &[MarkerStyle],
    ) -> Result<Figure, ReportError> {
        let shown = |(row, style): (&'_ HeuristicRow, &MarkerStyle)| {
            Some(((self.point)(row)?, row.heuristic.clone(), *style))
        };
        let shown: Vec<_> = table.rows.iter().zip(styles).filter_map(shown).collect();
        if shown.is_empty() {
            return Ok(Figure::Missing { title: self.title, reason: "nothing was measured" });
        }
        let points: Vec<Point> = shown.iter().map(|(point, ..)| *point).collect();
        let (x, y) = (self.axes)(&points, self);
        let label = format!("{} on {}: {} heuristics", self.title, table.puzzle, shown.len());
        let image = Plot { label, size: (520, 350), x: &x, y: &y }.draw(|canvas| {
            shown.iter().try_for_each(|(point, _, style)| canvas.marker(*point, *style, false))
        })?;
        let mut legend = String::new();
        for (_, name, style) in &shown {
            legend += &figure::entry(&canvas::swatch(*style, false)?, name);
        }
        let (title, caption) = (self.title, self.caption.to_owned());
        Ok(Figure::Drawn(Drawing { title, images: Images::One(image), legend, caption }))
    }
}
