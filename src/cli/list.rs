//! `permutile heuristics` and `permutile algorithms`: what there is to choose from.

use super::Common;
use super::columns::{Side, columns};
use super::exit::Exit;
use super::interrupt;
use super::options::{OptionalPuzzle, OwnHeuristics, default_memory};
use super::output::data;
use super::quantity::parse_duration;
use clap::Args;
use permutile::format::{counted, grouped, percent};
use permutile::heuristic::Promise;
use permutile::lab::circumstances::{Circumstances, Sampled};
use permutile::lab::solvers::load_definition;
use permutile::lab::strength::{OnSolvedBoards, Strength, StrengthPlan, strengths};
use permutile::puzzle::{AnyPuzzle, Goal};
use permutile::search::{AUTO_SUMMARY, AlgorithmChoice, HeuristicKind, Optimality};
use permutile::solver::Solver;
use std::time::Duration;

#[derive(Args, Debug)]
pub(super) struct Heuristics {
    #[command(flatten)]
    puzzle: OptionalPuzzle,
    #[command(flatten)]
    own: OwnHeuristics,
    /// Ask each about so many random boards of the puzzle: which is stronger?
    #[arg(long, value_name = "N", requires = "OptionalPuzzle", value_parser = clap::value_parser!(u64).range(1..))]
    sample: Option<u64>,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0, requires = "sample")]
    seed: u64,
    /// How long to look for the distances of some of the random boards
    #[arg(long, value_name = "TIME", default_value = "5s", value_parser = parse_duration, requires = "sample")]
    patience: Duration,
}

/// A puzzle of each family, to ask where a heuristic applies.
const EXAMPLES: [&str; 3] = ["torus4", "rings5", "sliding4"];

pub(super) fn heuristics(command: &Heuristics, common: &Common) -> anyhow::Result<Exit> {
    let added = command.own.load(&Goal::Default, default_memory())?;
    if let (Some(id), Some(boards)) = (command.puzzle.id(), command.sample) {
        return strength(id, boards, added, command, common);
    }
    let ids: Vec<&str> = command.puzzle.id().map_or(EXAMPLES.to_vec(), |id| vec![id]);
    let puzzles = ids
        .iter()
        .map(|id| Ok(AnyPuzzle::new(load_definition(id)?, Goal::Default, common.simd())?))
        .collect::<anyhow::Result<Vec<AnyPuzzle>>>()?;
    for kind in HeuristicKind::built_in().iter().chain(&added) {
        let promises: Vec<(&str, Promise)> = puzzles
            .iter()
            .filter_map(|puzzle| Some((puzzle.frame().id(), kind.promise(puzzle.frame()).ok()?)))
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
                "name": kind.name(), "summary": kind.summary(), "promises": promises
            }))?;
            continue;
        }
        data(format!("{}\n  {}", kind.name(), kind.summary()))?;
        for (puzzle, promise) in promises {
            let words = match (promise.admissible, promise.consistent) {
                (true, true) => "admissible and consistent",
                (true, false) => "admissible, not consistent",
                (false, _) => "not admissible",
            };
            let claim = if kind.only_claims() { ", as it claims" } else { "" };
            data(format!("  {puzzle}: {words}{claim}"))?;
        }
    }
    Ok(Exit::Success)
}

/// The estimates of each heuristic for random boards.
fn strength(
    id: &str,
    boards: u64,
    added: Vec<HeuristicKind>,
    command: &Heuristics,
    common: &Common,
) -> anyhow::Result<Exit> {
    let mut solver = Solver::new(load_definition(id)?, Goal::Default, common.simd())?;
    common.cache().into_iter().for_each(|cache| solver.use_cache(cache));
    added.into_iter().try_for_each(|kind| solver.add(kind))?;
    let plan = StrengthPlan {
        boards,
        seed: command.seed,
        patience: command.patience,
        threads: rayon::current_num_threads(),
        bytes: Some(default_memory()),
        cancelled: interrupt::flag(),
    };
    let strengths = strengths(&solver, &plan)?;
    let circumstances = Circumstances::now();
    if common.json {
        for result in &strengths {
            let (seed, circumstances) = (plan.seed, &circumstances);
            data(serde_json::to_string(&Sampled { result, seed, circumstances })?)?;
        }
    } else {
        data(strengths_as_text(solver.frame().id(), &strengths))?;
        data(format!("{circumstances}; seed {}", plan.seed))?;
    }
    Ok(if interrupt::is_set() { Exit::Interrupted } else { Exit::Success })
}

fn strengths_as_text(puzzle: &str, strengths: &[Strength]) -> String {
    let boards = strengths.first().map_or(0, |strength| strength.boards);
    let mut lines = vec![format!("{puzzle}: h of {} random boards", grouped(boards))];
    let heading = [
        ("heuristic", Side::Left),
        ("mean", Side::Right),
        ("p10", Side::Right),
        ("median", Side::Right),
        ("p90", Side::Right),
        ("max", Side::Right),
        ("h/distance", Side::Right),
        ("exact", Side::Right),
        ("too high", Side::Right),
        ("distribution from 0 to max", Side::Left),
    ];
    let rows: Vec<[String; 10]> = strengths
        .iter()
        .map(|strength| {
            let [p10, median, p90] = strength.percentiles.map(|h| h.to_string());
            let if_known = |text: &dyn Fn(&OnSolvedBoards) -> String| {
                strength.known.as_ref().map_or_else(|| "-".to_owned(), text)
            };
            [
                strength.heuristic.clone(),
                format!("{:.2}", strength.mean),
                p10,
                median,
                p90,
                strength.max.to_string(),
                if_known(&|known| format!("{:.3}", known.share)),
                if_known(&|known| percent(known.exact as f64, known.boards as f64, 0)),
                if_known(&|known| percent(known.too_high as f64, known.boards as f64, 0)),
                sparkline(&strength.distribution),
            ]
        })
        .collect();
    lines.extend(columns(heading, &rows));
    lines.push(match strengths.first().and_then(|strength| strength.known) {
        Some(known) => format!(
            "distances: {}, solved in the time given; mean distance {:.2}",
            counted(known.boards as u64, "random board"),
            known.mean_distance
        ),
        None => "distances: no random board was solved in the time given".to_owned(),
    });
    lines.join("\n")
}

/// A distribution as a row of bars; values are binned where there are many.
fn sparkline(counts: &[u64]) -> String {
    const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
    const WIDEST: usize = 40;
    let together: Vec<u64> = counts
        .chunks(counts.len().div_ceil(WIDEST).max(1))
        .map(|chunk| chunk.iter().sum())
        .collect();
    let most = together.iter().copied().max().unwrap_or(0).max(1);
    let bar = |&count: &u64| match count {
        0 => ' ',
        _ => BARS[((count - 1) * BARS.len() as u64 / most) as usize],
    };
    together.iter().map(bar).collect()
}

pub(super) fn algorithms(common: &Common) -> anyhow::Result<Exit> {
    for choice in AlgorithmChoice::all() {
        let (name, guided) = (choice.name(), choice.is_guided());
        let summary = match choice {
            AlgorithmChoice::Auto => AUTO_SUMMARY,
            AlgorithmChoice::Named(algorithm) => algorithm.summary,
        };
        let worth = match choice.optimality() {
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
