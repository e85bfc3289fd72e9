//! `permutile heuristics` and `permutile algorithms`: what there is to choose from.

use super::Common;
use super::exit::Exit;
use super::output::data;
use clap::Args;
use permutile::heuristic::Promise;
use permutile::heuristic::registry::HEURISTICS;
use permutile::lab::solvers::load_definition;
use permutile::puzzle::{AnyPuzzle, Goal};
use permutile::solver::Algorithm;

#[derive(Args, Debug)]
pub(super) struct Heuristics {
    /// Only those for this puzzle
    #[arg(long, value_name = "ID")]
    puzzle: Option<String>,
}

/// A puzzle of each family, to ask where a heuristic applies.
const EXAMPLES: [&str; 3] = ["torus4", "rings5", "sliding4"];

pub(super) fn heuristics(command: &Heuristics, common: &Common) -> anyhow::Result<Exit> {
    let ids: Vec<&str> = command.puzzle.as_deref().map_or(EXAMPLES.to_vec(), |id| vec![id]);
    let puzzles = ids
        .iter()
        .map(|id| Ok(AnyPuzzle::new(load_definition(id)?, Goal::Default, common.simd())?))
        .collect::<anyhow::Result<Vec<AnyPuzzle>>>()?;
    for entry in HEURISTICS {
        let promises: Vec<(&str, Promise)> = puzzles
            .iter()
            .filter_map(|puzzle| Some((puzzle.frame().id(), (entry.promise)(puzzle.frame())?)))
            .collect();
        if promises.is_empty() {
            continue;
        }
        if common.json {
            let promises: Vec<serde_json::Value> = promises
                .iter()
                .map(|(puzzle, promise)| {
                    serde_json::json!({
                        "puzzle": puzzle, "admissible": promise.admissible,
                        "consistent": promise.consistent,
                    })
                })
                .collect();
            data(serde_json::json!({
                "name": entry.name, "summary": entry.summary, "promises": promises
            }))?;
            continue;
        }
        data(format!("{}\n  {}", entry.name, entry.summary))?;
        for (puzzle, promise) in promises {
            let words = match (promise.admissible, promise.consistent) {
                (true, true) => "admissible and consistent",
                (true, false) => "admissible, not consistent",
                (false, _) => "not admissible",
            };
            data(format!("  {puzzle}: {words}"))?;
        }
    }
    Ok(Exit::Success)
}

pub(super) fn algorithms(common: &Common) -> anyhow::Result<Exit> {
    for (_, name, summary) in Algorithm::ALL {
        if common.json {
            data(serde_json::json!({ "name": name, "summary": summary }))?;
        } else {
            data(format!("{name}\n  {summary}"))?;
        }
    }
    Ok(Exit::Success)
}
