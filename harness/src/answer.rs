//! The answer at the end: a table for each puzzle.

use crate::criterion_files::{self, baseline};
use crate::solving::{Solving, max_nodes, sample};
use crate::{Session, group_id, measuring};
use permutile::lab::circumstances::Circumstances;
use permutile::lab::heuristic_table::{Evaluation, HeuristicRow, HeuristicTable, Measured};
use permutile::lab::report::{About, write_heuristics};
use permutile::search::HeuristicKind;
use std::collections::BTreeMap;

/// The heuristics of which something was measured on a puzzle.
pub(crate) struct Answer {
    /// Without what criterion has measured.
    table: HeuristicTable,
    /// The ids that were run.
    measured: std::collections::BTreeSet<String>,
}

impl Answer {
    pub(crate) fn new<'a>(
        session: &Session,
        solving: &Solving<'_>,
        kinds: impl Iterator<Item = &'a HeuristicKind>,
    ) -> Option<Answer> {
        let puzzle = solving.subject.puzzle;
        let measured = session.measured.borrow().clone();
        let takes_part = |kind: &&HeuristicKind| {
            let group = group_id(puzzle, kind.name()) + "/";
            measured.iter().any(|id| id.starts_with(&group))
        };
        let frame = solving.solver().frame();
        let row = |kind: &HeuristicKind| {
            let row = solving.row(kind);
            HeuristicRow {
                heuristic: kind.name().to_owned(),
                admissible: kind.promise(frame).is_ok_and(|promise| promise.admissible),
                evaluation: Evaluation::default(),
                mean_h: Some(solving.mean_h(kind)),
                solved: row.solved,
                nodes: row.generated,
                board: None,
                relative: None,
            }
        };
        let rows: Vec<HeuristicRow> = kinds.filter(takes_part).map(row).collect();
        let table = HeuristicTable {
            puzzle: puzzle.to_owned(),
            baseline: solving.subject.baseline.to_owned(),
            boards: solving.boards(),
            max_nodes: max_nodes(),
            sample: sample(),
            compared_with: baseline(),
            rows,
        };
        (!table.rows.is_empty()).then_some(Answer { table, measured })
    }

    /// The table with the times that criterion has found in this run.
    fn table(&self, times: &BTreeMap<String, Measured>) -> HeuristicTable {
        let mut table = self.table.clone();
        for row in &mut table.rows {
            let group = group_id(&table.puzzle, &row.heuristic);
            let time = |way: &str| {
                let id = format!("{group}/{way}");
                times.get(&id).filter(|_| measuring() && self.measured.contains(&id)).copied()
            };
            row.evaluation = Evaluation {
                naive: time("naive"),
                tables: time("table"),
                evaluate: time("evaluate"),
                update: time("update"),
                all_moves: time("after-all-moves"),
            };
            let all = time("solve").filter(|_| row.solved == table.boards);
            row.board =
                all.map(|all| Measured { seconds: all.seconds / table.boards as f64, ..all });
        }
        table.finish();
        table
    }
}

/// Prints the tables and, if times were taken, writes them beside criterion's files.
pub(crate) fn tell(answers: &[Answer]) {
    if answers.is_empty() {
        return;
    }
    let times = criterion_files::measurements();
    let tables: Vec<HeuristicTable> = answers.iter().map(|answer| answer.table(&times)).collect();
    for table in &tables {
        println!("\n{}", table.text());
    }
    if !measuring() {
        return;
    }
    let circumstances = Circumstances::now();
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let command = format!("cargo bench -- {}", arguments.join(" "));
    let about = About {
        command: command.trim_end_matches([' ', '-']).to_owned(),
        version: env!("CARGO_PKG_VERSION"),
    };
    let folder = criterion_files::home().join("heuristics");
    match write_heuristics(&tables, &circumstances, &about, &folder) {
        Ok(page) => println!("as a page, Markdown and CSV: {}", page.display()),
        Err(error) => eprintln!("the tables are not written: {error}"),
    }
}
