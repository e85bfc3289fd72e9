//! Heuristics of one puzzle side by side: what an estimate costs, what it says, and what a board
//! takes with it. As text, Markdown and CSV; [`report`](super::report) has them as a page.

use super::report::html::NONE;
use crate::format::{compact_ratio, counted_grouped, mean, precise_duration};
use serde::Serialize;
use std::fmt::Write;

/// The heuristics of one puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct HeuristicTable {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The heuristic that the others' times are relative to.
    pub baseline: String,
    /// How many boards are solved with each, by IDA* on one thread.
    pub boards: usize,
    /// How many nodes may be expanded for one of them.
    pub max_nodes: u64,
    /// How many random boards the mean estimates are of.
    pub sample: u64,
    /// The saved measurement that changes are relative to.
    pub compared_with: Option<String>,
    /// The heuristics, the quickest first.
    pub rows: Vec<HeuristicRow>,
}

/// A heuristic of a puzzle. What was not measured, or does not exist, is missing.
#[derive(Clone, Debug, Serialize)]
pub struct HeuristicRow {
    /// Its name.
    pub heuristic: String,
    /// Whether it promises never to exceed the distance.
    pub admissible: bool,
    /// What one estimate takes.
    pub evaluation: Evaluation,
    /// The mean estimate of random boards, each equally likely.
    pub mean_h: Option<f64>,
    /// How many boards are solved.
    pub solved: usize,
    /// How many nodes are generated for one of them, in the mean.
    pub nodes: Option<f64>,
    /// The mean time to solve one, if all were solved.
    pub board: Option<Measured>,
    /// That time by the baseline's.
    pub relative: Option<f64>,
}

/// What one estimate takes, by the way that leads to it.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub struct Evaluation {
    /// From scratch, by a loop over a plain array.
    pub naive: Option<Measured>,
    /// From scratch, by look-up tables and without SIMD.
    pub tables: Option<Measured>,
    /// From scratch, in the quickest way that the processor has.
    pub evaluate: Option<Measured>,
    /// By an update after a move.
    pub update: Option<Measured>,
    /// After all moves of a board at once, together.
    pub all_moves: Option<Measured>,
}

/// A time, and how far it can be trusted.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Measured {
    /// The median.
    pub seconds: f64,
    /// Half of its confidence interval, as a share of it.
    pub noise: f64,
    /// What has changed since a saved measurement.
    pub change: Option<Change>,
}

/// How a time compares with that of a saved measurement.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Change {
    /// By which share it has grown.
    pub share: f64,
    /// Half of the confidence interval of that.
    pub noise: f64,
}

impl Change {
    /// As in `-3.1 % ±0.8`.
    fn in_words(self) -> String {
        format!("{:+.1} % ±{:.1}", 100.0 * self.share, 100.0 * self.noise)
    }

    /// Whether it is more than noise.
    pub fn is_certain(self) -> bool {
        self.share.abs() > self.noise
    }
}

/// A column: its heading, and what a row says there.
type Column<'a> = (&'static str, Box<dyn Fn(&HeuristicRow) -> Option<String> + 'a>);

/// A time of a row.
type Time = fn(&HeuristicRow) -> Option<Measured>;

/// A heading, and rows with as many cells.
pub(super) type Cells = (Vec<&'static str>, Vec<Vec<String>>);

/// A time in few characters; those of one estimate are a few ns.
fn short(seconds: f64) -> String {
    match seconds * 1e9 {
        ns if ns < 999.95 => format!("{ns:.*} ns", if ns < 99.95 { 1 } else { 0 }),
        _ => precise_duration(seconds),
    }
}

/// The measured times of a row, with the headings of their columns.
const TIMES: [(&str, Time); 6] = [
    ("naive", |row| row.evaluation.naive),
    ("tables", |row| row.evaluation.tables),
    ("evaluate", |row| row.evaluation.evaluate),
    ("update", |row| row.evaluation.update),
    ("all moves", |row| row.evaluation.all_moves),
    ("time a board", |row| row.board),
];

impl HeuristicTable {
    /// Sets the times relative to the baseline, and puts the quickest first; those that solve not
    /// all boards come last, the best of them first.
    pub fn finish(&mut self) {
        let is_baseline = |row: &&HeuristicRow| row.heuristic == self.baseline;
        let baseline = self.rows.iter().find(is_baseline).and_then(|row| row.board);
        for row in &mut self.rows {
            let both = row.board.zip(baseline);
            row.relative = both.map(|(own, baseline)| own.seconds / baseline.seconds);
        }
        let mean_h = |row: &HeuristicRow| row.mean_h.unwrap_or(0.0);
        self.rows.sort_by(|a, b| {
            let time = |row: &HeuristicRow| row.board.map_or(f64::INFINITY, |board| board.seconds);
            time(a)
                .total_cmp(&time(b))
                .then(b.solved.cmp(&a.solved))
                .then(mean_h(b).total_cmp(&mean_h(a)))
        });
    }

    fn columns(&self) -> Vec<Column<'_>> {
        let mut columns: Vec<Column<'_>> = Vec::new();
        let (evaluations, board) = TIMES.split_at(TIMES.len() - 1);
        for &(name, time) in evaluations {
            columns.push((name, Box::new(move |row| Some(short(time(row)?.seconds)))));
        }
        columns.push(("mean h", Box::new(|row| row.mean_h.map(|h| format!("{h:.3}")))));
        let solved = |row: &HeuristicRow| Some(format!("{}/{}", row.solved, self.boards));
        columns.push(("solved", Box::new(solved)));
        columns.push(("nodes a board", Box::new(|row| row.nodes.map(|nodes| mean(nodes, 100.0)))));
        for &(name, time) in board {
            columns.push((name, Box::new(move |row| Some(short(time(row)?.seconds)))));
        }
        columns
            .push(("noise", Box::new(|row| Some(format!("±{:.1} %", 100.0 * row.board?.noise)))));
        columns.push(("x baseline", Box::new(|row| row.relative.map(compact_ratio))));
        columns
    }

    /// The headings, and the cells of each row: the name first.
    pub(super) fn cells(&self) -> Cells {
        cells(&self.rows, &self.columns())
    }

    /// What has changed since the saved measurement, in the same form; nothing without one.
    pub(super) fn changes(&self) -> Option<Cells> {
        self.compared_with.as_ref()?;
        let column = |&(name, time): &(&'static str, Time)| {
            let cell = move |row: &HeuristicRow| Some(time(row)?.change?.in_words());
            (name, Box::new(cell) as Box<dyn Fn(&HeuristicRow) -> Option<String>>)
        };
        let columns: Vec<Column<'_>> = TIMES.iter().map(column).collect();
        Some(cells(&self.rows, &columns))
    }

    /// What the table is about, in a line.
    pub fn heading(&self) -> String {
        format!(
            "{}: IDA* on {}, at most {} each; mean h of {}; baseline {}",
            self.puzzle,
            counted_grouped(self.boards as u64, "board"),
            counted_grouped(self.max_nodes, "node"),
            counted_grouped(self.sample, "random board"),
            self.baseline,
        )
    }

    /// Which of them promise nothing, in a line.
    pub(super) fn remark(&self) -> Option<String> {
        let names =
            self.rows.iter().filter(|row| !row.admissible).map(|row| row.heuristic.as_str());
        let names: Vec<&str> = names.collect();
        (!names.is_empty()).then(|| format!("not admissible: {}", names.join(", ")))
    }

    /// The tables for a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}", self.heading(), terminated(self.remark()));
        let _ = write!(text, "\n{}", aligned(self.cells()));
        if let (Some(changes), Some(name)) = (self.changes(), &self.compared_with) {
            let _ = write!(text, "\nchange against {name}\n\n{}", aligned(changes));
        }
        text
    }

    /// The tables in Markdown.
    pub fn markdown(&self) -> String {
        let mut text = format!("## {}\n\n{}.\n\n", self.puzzle, self.heading());
        text += &terminated(self.remark().map(|remark| remark + "\n"));
        text += &piped(self.cells());
        if let (Some(changes), Some(name)) = (self.changes(), &self.compared_with) {
            let _ = write!(text, "\nChange against {name}:\n\n{}", piped(changes));
        }
        text
    }
}

/// All tables as one of comma-separated values: times in ns, shares as numbers.
pub fn csv(tables: &[HeuristicTable]) -> String {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let times = TIMES.iter().flat_map(|(name, _)| {
        let name = name.replace(' ', "_");
        [format!("{name}_ns"), format!("{name}_noise"), format!("{name}_change")]
    });
    let first = ["puzzle", "heuristic", "admissible", "mean_h", "boards", "solved", "nodes"];
    let first = first.into_iter().map(str::to_owned);
    let mut records: Vec<Vec<String>> =
        vec![first.chain(times).chain(["relative".to_owned()]).collect()];
    let number = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
    for (table, row) in
        tables.iter().flat_map(|table| table.rows.iter().map(move |row| (table, row)))
    {
        let mut record = vec![
            table.puzzle.clone(),
            row.heuristic.clone(),
            row.admissible.to_string(),
            number(row.mean_h),
            table.boards.to_string(),
            row.solved.to_string(),
            number(row.nodes),
        ];
        for time in TIMES.iter().map(|(_, time)| time(row)) {
            record.push(number(time.map(|time| time.seconds * 1e9)));
            record.push(number(time.map(|time| time.noise)));
            record.push(number(time.and_then(|time| time.change).map(|change| change.share)));
        }
        record.push(number(row.relative));
        records.push(record);
    }
    for record in records {
        writer.write_record(record).expect("all have as many fields, and memory takes them");
    }
    let bytes = writer.into_inner().expect("memory takes them");
    String::from_utf8(bytes).expect("they were texts")
}

fn cells(rows: &[HeuristicRow], columns: &[Column<'_>]) -> Cells {
    // A column in which nobody has anything is left out.
    let columns: Vec<&Column<'_>> =
        columns.iter().filter(|(_, cell)| rows.iter().any(|row| cell(row).is_some())).collect();
    let heading = ["heuristic"].into_iter().chain(columns.iter().map(|(name, _)| *name)).collect();
    let line = |row: &HeuristicRow| {
        let others = columns.iter().map(|(_, cell)| cell(row).unwrap_or_else(|| NONE.to_owned()));
        [row.heuristic.clone()].into_iter().chain(others).collect()
    };
    (heading, rows.iter().map(line).collect())
}

/// A line, if there is one.
fn terminated(line: Option<String>) -> String {
    line.map(|line| line + "\n").unwrap_or_default()
}

fn aligned((heading, rows): Cells) -> String {
    let heading = heading.into_iter().map(str::to_owned).collect();
    let lines: Vec<Vec<String>> = [heading].into_iter().chain(rows).collect();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max();
    let widths: Vec<usize> = (0..lines[0].len()).filter_map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let cells = line.iter().zip(&widths).enumerate().map(|(number, (cell, &width))| {
            if number == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}

fn piped((heading, rows): Cells) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | ").replace('\n', " "));
    let rule = format!("|---{}|\n", "|---:".repeat(heading.len() - 1));
    let heading: Vec<String> = heading.into_iter().map(str::to_owned).collect();
    let rows: String = rows.iter().map(|row| line(row)).collect();
    line(&heading) + &rule + &rows
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(heuristic: &str, board: Option<f64>, change: Option<Change>) -> HeuristicRow {
        let measured = |seconds| Measured { seconds, noise: 0.01, change };
        HeuristicRow {
            heuristic: heuristic.to_owned(),
            admissible: true,
            evaluation: Evaluation { evaluate: Some(measured(2.5e-9)), ..Evaluation::default() },
            mean_h: Some(1.5),
            solved: if board.is_some() { 4 } else { 1 },
            nodes: Some(1234.0),
            board: board.map(measured),
            relative: None,
        }
    }

    fn table(compared_with: Option<&str>) -> HeuristicTable {
        let change = compared_with.map(|_| Change { share: -0.031, noise: 0.008 });
        let mut table = HeuristicTable {
            puzzle: "torus4".to_owned(),
            baseline: "usual".to_owned(),
            boards: 4,
            max_nodes: 1000,
            sample: 100,
            compared_with: compared_with.map(str::to_owned),
            rows: vec![
                row("weak", None, None),
                row("usual", Some(2e-3), change),
                row("quick", Some(1e-3), change),
            ],
        };
        table.finish();
        table
    }

    #[test]
    fn the_quickest_is_first_and_whoever_solves_not_all_is_last() {
        let expected = "\
torus4: IDA* on 4 boards, at most 1,000 nodes each; mean h of 100 random boards; baseline usual

heuristic  evaluate  mean h  solved  nodes a board  time a board   noise  x baseline
quick        2.5 ns   1.500     4/4          1,234        1.0 ms  ±1.0 %       0.500
usual        2.5 ns   1.500     4/4          1,234        2.0 ms  ±1.0 %        1.00
weak         2.5 ns   1.500     1/4          1,234             –       –           –
";
        assert_eq!(table(None).text(), expected);
    }

    #[test]
    fn a_saved_measurement_shows_what_has_changed() {
        let text = table(Some("main")).text();
        assert!(text.contains("change against main"), "{text}");
        assert!(text.contains("-3.1 % ±0.8"), "{text}");
        assert!(!table(None).text().contains("change against"));
        assert!(Change { share: -0.031, noise: 0.008 }.is_certain());
    }

    #[test]
    fn other_programs_can_read_it() {
        let table = table(None);
        assert!(table.markdown().contains("| heuristic | evaluate |"), "{}", table.markdown());
        let csv = csv(&[table]);
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let heads = reader.headers().unwrap().clone();
        let records: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let at = |name: &str| heads.iter().position(|head| head == name).unwrap();
        assert_eq!(records.len(), 3);
        assert_eq!(&records[0][at("evaluate_ns")], "2.5");
        assert_eq!(&records[0][at("relative")], "0.5");
        assert_eq!(&records[2][at("time_a_board_ns")], "");
    }
}
