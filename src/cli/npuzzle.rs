//! `permutile npuzzle`: the program that a well-known course asks its students for.

use super::exit::Exit;
use super::options::{GoalOption, LimitOptions};
use super::output::{complaint, data, note};
use super::quantity::Timeout;
use super::solve::refusal_of;
use super::sources::sources;
use super::{Common, course_file, interrupt};
use anyhow::{anyhow, bail};
use clap::{Args, ValueEnum};
use permutile::board::text::Entry;
use permutile::lab::answered::Answered;
use permutile::lab::files::Files;
use permutile::lab::input::Item;
use permutile::lab::record::{Record, Status};
use permutile::lab::solvers::Solvers;
use permutile::search::bfs::BFS;
use permutile::search::dfs::DFS;
use permutile::search::ida::IDA;
use permutile::search::textbook::TEXTBOOK_ASTAR;
use permutile::search::{Algorithm, Limits, SearchOptions, Silent};
use std::path::Path;

/// Where the course has its program write.
const OUTPUT: &str = "output.txt";

/// Solve a sliding puzzle as a well-known course has it, and write output.txt
///
/// Successors are generated in the order Up, Down, Left, Right; ast and ida are guided by the
/// Manhattan distance. An output.txt in the current folder is overwritten.
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile npuzzle bfs 0,8,7,6,5,4,3,2,1\n  \
    permutile npuzzle ast 1 2 5 3 4 0 6 7 8")]
pub(super) struct NPuzzle {
    /// How to search
    #[arg(value_name = "METHOD")]
    method: Method,
    /// The board, or a file with one
    #[arg(value_name = "BOARD")]
    board: Vec<String>,
    #[command(flatten)]
    goal: GoalOption,
    #[command(flatten)]
    limits: LimitOptions,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Method {
    /// Breadth-first search
    Bfs,
    /// Depth-first search
    Dfs,
    /// A* search
    #[value(aliases = ["a*", "A*", "astar"])]
    Ast,
    /// IDA* search
    Ida,
}

impl Method {
    fn algorithm(self) -> &'static Algorithm {
        match self {
            Method::Bfs => &BFS,
            Method::Dfs => &DFS,
            Method::Ast => &TEXTBOOK_ASTAR,
            Method::Ida => &IDA,
        }
    }
}

pub(super) fn run(command: &NPuzzle, common: &Common) -> anyhow::Result<Exit> {
    let solvers = Solvers::new(None, command.goal.get(None)?, common.simd())?;
    let sources = sources(&command.board)?;
    // An earlier output is overwritten, but no board.
    let (include, others) = (|_: &Path| true, command.goal.file().into_iter().collect::<Vec<_>>());
    let outputs = [Path::new(OUTPUT)];
    Files { outputs: &outputs, sources: &sources, include: &include, others: &others }.check()?;
    let mut items: Vec<Item> = sources.iter().flat_map(|source| source.read(None)).collect();
    if items.len() != 1 {
        bail!("npuzzle solves one board, here are {}", items.len());
    }
    let item = items.remove(0);
    if matches!(&item.entry, Ok(Entry { board, .. }) if board.blank().is_none()) {
        bail!("{}: the board has no blank: npuzzle is for sliding puzzles, with a 0", item.name);
    }
    let options = SearchOptions {
        algorithm: command.method.algorithm().into(),
        timeout: command.limits.timeout.and_then(Timeout::limit),
        limits: Limits {
            bytes: Some(command.limits.memory.bytes()),
            cancelled: Some(interrupt::flag()),
            ..Limits::default()
        },
        ..SearchOptions::default()
    };
    match Answered::new(item, &solvers, &options, &mut Silent)? {
        Answered::Searched { record, .. } => tell(&record, common),
        Answered::Refused { record, refusal } => {
            note(complaint(&refusal_of(&record, refusal)));
            Ok(record.status.into())
        }
    }
}

/// Writes the file of a solution, or says why there is none.
fn tell(record: &Record, common: &Common) -> anyhow::Result<Exit> {
    if common.json {
        data(serde_json::to_string(record)?)?;
    }
    match record.status {
        Status::Solved => course_file::write(Path::new(OUTPUT), record)?,
        Status::Unsolvable => {
            let reason = record.error.as_deref().unwrap_or_default();
            note(complaint(&anyhow!("{}: unsolvable: {reason}", record.board)));
        }
        status => note(complaint(&anyhow!("{}: not solved: {}", record.board, status.name()))),
    }
    Ok(record.status.into())
}
