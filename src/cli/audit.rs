//! `permutile audit`: is a heuristic what it claims to be?

use super::Common;
use super::exit::Exit;
use super::names;
use super::options::{GoalOption, LimitOptions, OwnHeuristics, PuzzleArgument, chosen_alone};
use super::output::data;
use super::quantity::parse_duration;
use clap::Args;
use permutile::board::{Board, Shape, Tile};
use permutile::format::{duration, grouped, percent};
use permutile::lab::audit::{Audit, AuditPlan, DEFAULT_RANDOM, DEFAULT_STATES, audit};
use permutile::lab::circumstances::{Circumstances, Sampled};
use std::time::{Duration, Instant};

/// Try to refute a heuristic: admissibility and consistency against exact distances
///
/// Looks at every board of the layers around the goal and at every edge that leads to one, then
/// at the shortest paths of random boards farther away. Ends with exit code 1 if the heuristic
/// does not keep what it promises (`permutile heuristics`).
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  \
    permutile audit --puzzle torus4 --heuristic circular-manhattan\n  \
    permutile audit --puzzle rings5 --heuristic misplaced --depth 3\n  \
    permutile audit --puzzle sliding4 --heuristic walking-distance --states 1000000 --json")]
pub(super) struct AuditCommand {
    #[command(flatten)]
    puzzle: PuzzleArgument,
    #[command(flatten)]
    goal: GoalOption,
    /// The heuristic [default: that of --heuristic-file or --pdb]
    #[arg(long, value_name = "NAME", value_parser = names::HEURISTIC, hide_possible_values = true, required_unless_present_any = ["files", "pdb"])]
    heuristic: Option<String>,
    #[command(flatten)]
    own: OwnHeuristics,
    /// How many boards around the goal to look at, if there are so many
    #[arg(long, value_name = "N", default_value_t = DEFAULT_STATES, value_parser = clap::value_parser!(u64).range(1..))]
    states: u64,
    /// Look at no board farther from the goal than this, but for random ones
    #[arg(long, value_name = "D", default_value_t = u32::MAX, hide_default_value = true)]
    depth: u32,
    /// How many random boards farther away to solve
    #[arg(long, value_name = "N", default_value_t = DEFAULT_RANDOM)]
    random: usize,
    /// How long to try to solve each of those
    #[arg(long, value_name = "TIME", default_value = "1s", value_parser = parse_duration)]
    patience: Duration,
    /// Where the random numbers start
    #[arg(long, value_name = "S", default_value_t = 0)]
    seed: u64,
    #[command(flatten)]
    limits: LimitOptions,
}

pub(super) fn run(command: &AuditCommand, common: &Common) -> anyhow::Result<Exit> {
    let began = Instant::now();
    let mut solver = command.goal.solver(command.puzzle.id(), common)?;
    let shape = solver.frame().shape();
    let goal = command.goal.get(Some(shape))?;
    let added = command.own.load(&goal, command.limits.memory.bytes())?;
    let heuristic = chosen_alone(command.heuristic.as_ref(), &added)?.expect("clap asks for one");
    added.into_iter().try_for_each(|kind| solver.add(kind))?;
    let plan = AuditPlan {
        states: command.states,
        depth: command.depth,
        random: command.random,
        patience: command.patience,
        seed: command.seed,
        limits: command.limits.starting_now(),
        ..AuditPlan::new(heuristic)
    };
    let found = audit(&solver, &plan)?;
    let circumstances = Circumstances::now();
    if common.json {
        let (result, circumstances) = (&found, &circumstances);
        data(serde_json::to_string(&Sampled { result, seed: plan.seed, circumstances })?)?;
    } else {
        data(as_text(&found, shape, began.elapsed().as_secs_f64()))?;
        data(format!("{circumstances}; seed {}", plan.seed))?;
    }
    let refuted = found.refutes_claims().then_some(Exit::Refuted);
    let cut_short = found.stop.is_some().then_some(Exit::Limit);
    let interrupted = super::interrupt::is_set().then_some(Exit::Interrupted);
    Ok(refuted.max(cut_short).max(interrupted).unwrap_or(Exit::Success))
}

fn as_text(audit: &Audit, shape: Shape, seconds: f64) -> String {
    let mut lines = vec![
        format!("{} on {}", audit.heuristic, audit.puzzle),
        row(["depth", "boards", "edges", "mean h", "too high", "share", "jumps", "share"]
            .map(str::to_owned)),
    ];
    for layer in &audit.layers {
        lines.push(row([
            layer.depth.to_string(),
            grouped(layer.states) + if layer.partial { "+" } else { "" },
            grouped(layer.edges),
            format!("{:.2}", layer.mean_h),
            grouped(layer.too_high),
            share(layer.too_high, layer.states),
            grouped(layer.jumps),
            share(layer.jumps, layer.edges),
        ]));
    }
    if audit.layers.iter().any(|layer| layer.partial) {
        lines.push("(+: a part of the layer)".to_owned());
    }
    let random = audit.random;
    if random.tried > 0 {
        lines.push(format!(
            "farther away: {} of {} random boards solved, up to {} moves; {} boards on their \
             shortest paths, {} too high",
            random.solved, random.tried, random.deepest, random.states, random.too_high
        ));
    }
    if let Some(stop) = &audit.stop {
        lines.push(format!("the layers end early: {stop}"));
    }
    lines.push(String::new());
    lines.push(verdict("admissible", audit.claims_admissible, audit.admissible));
    if let Some(found) = &audit.counterexample {
        let last = found.last_move.as_ref().map_or(String::new(), |m| format!(" after {m}"));
        lines.push(format!(
            "  h = {}{last} at distance {}: {}",
            found.h,
            found.distance,
            board(shape, &found.board)
        ));
        lines.push(format!("  shortest: {}", found.moves.join(" ")));
    }
    if let Some(misled) = &audit.misled {
        lines.push(format!(
            "  A* with it returns {} moves where {} suffice: {}",
            misled.moves.len(),
            misled.distance,
            board(shape, &misled.board)
        ));
    }
    lines.push(verdict("consistent", audit.claims_consistent, audit.consistent));
    if let Some(jump) = &audit.jump {
        lines.push(format!(
            "  {} lowers h from {} to {}: {}",
            jump.made,
            jump.before,
            jump.after,
            board(shape, &jump.board)
        ));
    }
    if !audit.zero_at_goal {
        lines.push("WRONG: it is not 0 at the goal".to_owned());
    }
    if !audit.incremental {
        lines.push("WRONG: updates along moves and evaluations from scratch differ".to_owned());
    }
    let symmetric = if audit.symmetric { "the same" } else { "not the same" };
    lines.push(format!("{symmetric} for symmetric boards"));
    lines.push(format!(
        "{} boards, {} edges in {}",
        grouped(audit.states),
        grouped(audit.edges),
        duration(seconds)
    ));
    lines.join("\n")
}

fn verdict(what: &str, claimed: bool, held: bool) -> String {
    match (claimed, held) {
        (true, true) => format!("{what}: claimed, and nothing found against it"),
        (true, false) => format!("{what}: CLAIMED AND REFUTED"),
        (false, true) => format!("{what}: not claimed; nothing found against it"),
        (false, false) => format!("{what}: no, and not claimed"),
    }
}

fn board(shape: Shape, tiles: &[u16]) -> String {
    let board = Board::new(shape, tiles.iter().map(|&tile| Tile(tile)).collect::<Vec<_>>());
    board.map_or_else(|error| error.to_string(), |board| board.line().to_string())
}

fn share(count: u64, of: u64) -> String {
    if count == 0 { "-".to_owned() } else { percent(count as f64, of as f64, 2) }
}

fn row(cells: [String; 8]) -> String {
    let [depth, boards, edges, mean, too_high, share, jumps, jump_share] = cells;
    format!(
        "{depth:>5}  {boards:>14}  {edges:>14}  {mean:>7}  {too_high:>12}  {share:>8}  {jumps:>12}  \
         {jump_share:>8}"
    )
}
