//! `permutile bench`: the fixed suite, its speed and its signature.

use super::exit::Exit;
use super::output::{complaint, data, note};
use super::progress::Progress;
use super::{Common, interrupt};
use clap::Args;
use permutile::format::{duration, grouped};
use permutile::lab::bench::{BenchError, Measured, Suite};
use permutile::lab::circumstances::Circumstances;

/// Run a fixed suite of searches: nodes per second, and the node total as a signature
///
/// The suite runs on one thread. The signature is the number of nodes that it generates: the
/// same in every run, in every build and on every machine, until a search or a heuristic changes.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile bench\n  \
    permutile bench --simd off\n  \
    permutile bench --json")]
pub(super) struct Bench {}

pub(super) fn run(common: &Common) -> anyhow::Result<Exit> {
    // Where rows are printed, they show the progress.
    let mut progress = Progress::new(common.quiet || !common.json);
    let suite = Suite::new(common.simd());
    let count = suite.searches().count();
    let mut rows: Vec<Measured> = Vec::new();
    if !common.json {
        let header =
            ["puzzle", "board", "algorithm", "heuristic", "moves", "nodes", "time", "nodes/s"];
        data(line(header.map(str::to_owned)))?;
    }
    for (done, search) in suite.searches().enumerate() {
        progress.show(|| format!("{done}/{count} searches"));
        let measured = match search.run(interrupt::flag()) {
            Ok(measured) => measured,
            Err(BenchError::Interrupted) => return Ok(Exit::Interrupted),
            Err(BenchError::Solve(error)) => return Err(error.into()),
            Err(error @ BenchError::Disagreement { .. }) => {
                progress.clear();
                note(complaint(&error.into()));
                return Ok(Exit::Refuted);
            }
        };
        if !common.json {
            data(row(&measured))?;
        }
        rows.push(measured);
    }
    progress.clear();
    print_total(&rows, common)?;
    Ok(Exit::Success)
}

fn line(cells: [String; 8]) -> String {
    let [puzzle, board, algorithm, heuristic, moves, nodes, time, speed] = cells;
    format!(
        "{puzzle:<12}  {board:<10}  {algorithm:<14}  {heuristic:<28}  {moves:>6}  {nodes:>12}  \
         {time:>8}  {speed:>11}"
    )
}

fn row(measured: &Measured) -> String {
    let Measured { puzzle, board, algorithm, heuristic, length, nodes, seconds, .. } = measured;
    line([
        puzzle.clone(),
        board.clone(),
        (*algorithm).to_owned(),
        heuristic.clone().unwrap_or("-".to_owned()),
        length.to_string(),
        grouped(*nodes),
        duration(*seconds),
        grouped(per_second(*nodes, *seconds)),
    ])
}

fn print_total(rows: &[Measured], common: &Common) -> anyhow::Result<()> {
    let nodes: u64 = rows.iter().map(|row| row.nodes).sum();
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    let speed = per_second(nodes, seconds);
    let circumstances = Circumstances::now();
    if common.json {
        return data(serde_json::json!({
            "signature": nodes, "seconds": seconds, "nodes_per_second": speed, "searches": rows,
            "circumstances": circumstances,
        }));
    }
    data(format!(
        "{} searches in {}: {} nodes per second\n{circumstances}\nsignature {nodes}",
        rows.len(),
        duration(seconds),
        grouped(speed),
    ))
}

fn per_second(nodes: u64, seconds: f64) -> u64 {
    // A clock may stand still during a short search.
    (nodes as f64 / seconds.max(1e-9)) as u64
}
