//! The summary of a run as text.

use super::remarks;
use permutile::format::{bytes, counted, duration, grouped, rate};
use permutile::lab::record::Status;
use permutile::lab::summary::{Excess, PuzzleSummary, Quantiles, Repeated, Run, Summary};
use permutile::solver::LargerTable;

/// How wide the longest bar of a histogram is.
const BAR: usize = 40;

/// How a line begins that says what contradicts what a board states.
const CONTRADICTION: &str = "CONTRADICTION: ";

/// The summary as text; contradictions come first.
pub(super) fn as_text(summary: &Summary) -> String {
    let mut lines = Vec::new();
    for contradiction in &summary.contradictions {
        lines.push(format!("{CONTRADICTION}{contradiction}"));
    }
    let unproven: usize = summary.puzzles.iter().map(|puzzle| puzzle.unproven).sum();
    let by_status = summary.statuses.iter().map(|(&status, &n)| match status {
        Status::Solved if unproven > 0 => format!("{n} solved ({unproven} not proven shortest)"),
        status => format!("{n} {}", word(status)),
    });
    let by_status: Vec<String> = by_status.collect();
    let boards = counted(summary.boards as u64, "board");
    let colon = if by_status.is_empty() { "" } else { ": " };
    lines.push(format!("{boards}{colon}{}", by_status.join(", ")));
    lines.extend(faults(summary));
    if summary.compared > 0 {
        lines.push(format!(
            "{} of {} agree with the optimal lengths that their files state",
            summary.agreeing, summary.compared
        ));
    }
    lines.extend(repeated(&summary.repeated));
    lines.extend(remarks::lines(&summary.input));
    for LargerTable { puzzle, bytes: size, seconds } in &summary.larger_tables {
        let (size, time) = (bytes(*size), duration(*seconds));
        lines.push(format!("{puzzle}: so many boards were worth a larger table: {size}, {time}"));
    }
    for puzzle in &summary.puzzles {
        lines.push(String::new());
        lines.extend(puzzle_lines(puzzle));
    }
    if let Some(Run { wall_seconds, boards_per_second, cores_used, .. }) = &summary.run {
        let (time, rate) = (duration(*wall_seconds), rate(*boards_per_second));
        lines.push(String::new());
        lines.push(format!("{time} in all, {rate} boards a second, {cores_used:.2} cores used"));
    }
    lines.join("\n")
}

/// The same for a file, which may be looked at elsewhere and later.
pub(super) fn as_report(summary: &Summary) -> String {
    let circumstances = summary.run.as_ref().map(|run| format!("\n{}", run.circumstances));
    as_text(summary) + &circumstances.unwrap_or_default()
}

/// Whether a text is a summary, as text or as JSON, or what is left of one that was cut off.
pub(super) fn is_one(text: &str) -> bool {
    const JSON: &str = "{\n  \"boards\": ";
    let counts_boards = |line: &str| {
        let Some((count, rest)) = line.split_once(' ') else { return false };
        count.parse::<u64>().is_ok() && rest.starts_with("board")
    };
    text.is_empty()
        || text.starts_with(CONTRADICTION)
        || CONTRADICTION.starts_with(text)
        || text.lines().any(counts_boards)
        || text.starts_with(JSON)
        || JSON.starts_with(text)
}

/// How many boards were solved again, and why.
pub(super) fn repeated(repeated: &Repeated) -> impl Iterator<Item = String> {
    let &Repeated { other_question, ref earlier_plan, other_limits, retried } = repeated;
    let before = earlier_plan.as_ref().map_or(String::new(), |plan| format!(" (was: {plan})"));
    let reasons = [
        (other_question, format!("because the question has changed{before}")),
        (other_limits, "because the limits that they hit have changed".to_owned()),
        (retried, "as requested".to_owned()),
    ];
    let reasons = reasons.into_iter().filter(|&(boards, _)| boards > 0);
    reasons.map(|(boards, why)| format!("{} solved again {why}", counted(boards as u64, "board")))
}

/// The errors of the first few boards, and how many more there are.
fn faults(summary: &Summary) -> impl Iterator<Item = String> {
    let count = |status| summary.statuses.get(&status).copied().unwrap_or(0);
    let all = count(Status::Invalid) + count(Status::Unsolvable);
    let more = all.saturating_sub(summary.faults.len());
    let more = (more > 0).then(|| format!("  and {more} more: their records say what is wrong"));
    summary
        .faults
        .iter()
        .map(|fault| format!("  {}", fault.to_string().replace('\n', "\n  ")))
        .chain(more)
}

/// A status in a sentence.
pub(super) fn word(status: Status) -> &'static str {
    match status {
        Status::Solved => "solved",
        Status::Unsolvable => "unsolvable",
        Status::Timeout => "out of time",
        Status::NodeLimit => "out of nodes",
        Status::MemoryLimit => "out of memory",
        Status::Interrupted => "interrupted",
        Status::Invalid => "invalid",
    }
}

fn puzzle_lines(puzzle: &PuzzleSummary) -> Vec<String> {
    let boards = counted(puzzle.boards as u64, "board");
    let mut lines = vec![format!(
        "{}: {boards}, {} solved, {} proven optimal",
        puzzle.puzzle, puzzle.solved, puzzle.optimal
    )];
    for (heuristic, count) in &puzzle.rests_on {
        lines[0] += &format!(", {count} shortest if {heuristic} is admissible, as it claims");
    }
    let unproven = puzzle.unproven - puzzle.rests_on.values().sum::<usize>().min(puzzle.unproven);
    if unproven > 0 {
        lines[0] += &format!(", {unproven} not proven");
    }
    if let Some(length) = puzzle.length {
        let Quantiles { mean, median, max, .. } = length;
        lines.push(format!("  length    mean {mean:.2}, median {median}, max {max}"));
    }
    if let Some(Quantiles { mean, median, max, .. }) = puzzle.gap {
        lines.push(format!(
            "  gap       mean {mean:.2}, median {median}, max {max} moves above what is proven"
        ));
    }
    if let Some(Excess { boards, shortest, mean, max }) =
        puzzle.excess.filter(|_| puzzle.unproven > 0)
    {
        lines.push(format!(
            "  excess    mean {mean:.2}, max {max} moves over the known lengths; {shortest} of {boards} \
             are shortest"
        ));
    }
    lines.push(format!(
        "  nodes     {} expanded, {} generated",
        grouped(puzzle.expanded),
        grouped(puzzle.generated)
    ));
    if let Some(seconds) = puzzle.seconds {
        let Quantiles { mean, median, p90, p99, max } = seconds;
        let [mean, median, p90, p99, max] = [mean, median, p90, p99, max].map(duration);
        lines.push(format!(
            "  time      mean {mean}, median {median}, p90 {p90}, p99 {p99}, max {max}"
        ));
    }
    let most = puzzle.lengths.values().copied().max().unwrap_or(0);
    for (length, &count) in &puzzle.lengths {
        let bar = "#".repeat((count * BAR).div_ceil(most.max(1)));
        lines.push(format!("  {length:>6}  {count:>8}  {bar}"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use permutile::lab::record::Record;
    use permutile::lab::summary::Tally;

    fn solved(length: u32, bound: u32) -> Record {
        Record {
            puzzle: Some("torus4".to_owned()),
            status: Status::Solved,
            length: Some(length),
            optimal: length == bound,
            lower_bound: Some(bound),
            error: None,
            ..Record::invalid("board".to_owned(), String::new())
        }
    }

    #[test]
    fn what_is_not_proven_is_told() {
        let mut tally = Tally::default();
        tally.add(&solved(5, 5), Some(5));
        tally.add(&solved(9, 4), Some(7));
        let text = as_text(&tally.summary(None));
        for line in [
            "2 boards: 2 solved (1 not proven shortest)",
            "1 of 1 agree with the optimal lengths that their files state",
            "torus4: 2 boards, 2 solved, 1 proven optimal, 1 not proven",
            "  length    mean 7.00, median 5, max 9",
            "  gap       mean 5.00, median 5, max 5 moves above what is proven",
            "  excess    mean 1.00, max 2 moves over the known lengths; 1 of 2 are shortest",
        ] {
            assert!(text.lines().any(|of_text| of_text == line), "{line:?} in {text}");
        }
        let mut proven = Tally::default();
        proven.add(&solved(5, 5), Some(5));
        let text = as_text(&proven.summary(None));
        assert!(!text.contains("gap") && !text.contains("excess"), "{text}");
        let mut claimed = Tally::default();
        claimed.add(&Record { rests_on: Some("mine".to_owned()), ..solved(5, 4) }, None);
        let text = as_text(&claimed.summary(None));
        assert!(text.contains("1 shortest if mine is admissible, as it claims\n"), "{text}");
    }
}
