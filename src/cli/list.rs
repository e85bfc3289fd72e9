//! `permutile heuristics` and `permutile algorithms`: what there is to choose from.

use super::Common;
use super::exit::Exit;
use super::output::data;
use clap::Args;
use permutile::heuristic::Promise;
use permutile::heuristic::registry::HEURISTICS;
use permutile::lab::solvers::load_definition;
use permutile::puzzle::{AnyPuzzle, Goal};
use permutile::search::Optimality;
use permutile::search::registry::ALGORITHMS;
use permutile::solver::{AUTO, AUTO_SUMMARY};

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
    let auto = (AUTO, AUTO_SUMMARY, Optimality::IfAdmissible, true);
    let rows = ALGORITHMS.iter().map(|e| (e.name, e.summary, e.optimality, e.guided));
    for (name, summary, optimality, guided) in std::iter::once(auto).chain(rows) {
        let worth = match optimality {
            Optimality::Always => "always",
            Optimality::IfAdmissible => "if the heuristic is admissible",
            Optimality::Never => "no",
        };
        if common.json {
            data(serde_json::json!({
                "name": name, "summary": summary, "optimal": worth, "guided": guided
            }))?;
        } else {
            let guide = if guided { "guided by a heuristic" } else { "blind" };
            data(format!("{name}\n  {summary}\n  {guide}; shortest solutions: {worth}"))?;
        }
    }
    Ok(Exit::Success)
}
