//! What is printed of boards that were solved: in full, in a line, as JSON, and remarks.

use super::{Session, refusal_of};
use crate::cli::exit::Exit;
use crate::cli::goal_hint::moves_to_blank_last;
use crate::cli::options::Notation;
use crate::cli::output::{complaint, data, data_json, data_lines, goal_option, note, paint};
#[cfg(feature = "play")]
use crate::cli::screen;
use crate::cli::steps;
use anyhow::anyhow;
use permutile::board::notation;
use permutile::board::text::{Entry, Heading};
use permutile::format::{bytes, counted, duration, grouped};
use permutile::lab::answered::Refusal;
use permutile::lab::record::{Record, Status};
use permutile::lab::summary::{Summary, contradiction};
use permutile::puzzle::registry;
use permutile::solver::{AllSolutions, Solution, Solver};
use serde::Serialize;
use std::io::IsTerminal;

impl Session<'_> {
    /// Reports a board that was refused.
    pub(super) fn refuse(&mut self, record: &Record, refusal: Refusal) -> anyhow::Result<()> {
        self.progress.clear();
        self.tally.add(record, None);
        self.exit = self.exit.max(record.into());
        note(complaint(&refusal_of(record, refusal)));
        if self.common.json { data(serde_json::to_string(record)?) } else { Ok(()) }
    }

    pub(super) fn print(
        &mut self,
        record: &Record,
        entry: &Entry,
        solver: &Solver,
        every: Option<&AllSolutions>,
    ) -> anyhow::Result<()> {
        self.progress.clear();
        self.common.tell_notices();
        if entry.heading == Some(Heading::Size) && !self.common.quiet && !self.told_of_size {
            self.told_of_size = true;
            let (name, size) = (&record.board, entry.board.shape().rows());
            note(format!(
                "note: {name}: the {size} alone before the board is taken as its size, not as an \
                 allowed number of moves"
            ));
        }
        self.hint_at_goal(record, entry, solver);
        self.tally.add(record, entry.known_length);
        self.exit = self.exit.max(record.into());
        self.hint_at_other_puzzle(entry, solver);
        let contradiction = contradiction(record, entry.known_length);
        if let Some(contradiction) = &contradiction {
            self.exit = self.exit.max(Exit::Refuted);
            note(complaint(&anyhow!("{}: {contradiction}", record.board)));
        }
        let cut_off = every.and_then(|every| every.stop).map(Status::from);
        if let (Some(status), Some(every)) = (cut_off, every) {
            self.exit = self.exit.max(status.into());
            // As JSON, the record says so.
            if !(self.common.quiet && self.common.json) {
                note(format!("{}: {}", record.board, cut_short(every, status)));
            }
        }
        if self.common.json {
            return match every {
                None => data(serde_json::to_string(record)?),
                Some(every) => data_json(&WithEvery::new(record, every, cut_off)),
            };
        }
        if self.command.stats_on_stdout() {
            note(self.in_full(record, entry, solver).trim_end());
        } else if self.single {
            data(self.in_full(record, entry, solver).trim_end())?;
        } else {
            data(self.in_a_line(record))?;
        }
        if let (true, Some(moves)) = (self.command.steps, &record.moves) {
            let rules = solver.frame().rules();
            let steps = steps::with_boards(rules, &entry.board, moves, is_terminal())?;
            if self.command.stats_on_stdout() {
                note(steps.trim_end());
            } else {
                data_lines(steps.as_bytes())?;
            }
        }
        #[cfg(feature = "play")]
        if let (true, Some(moves)) = (self.command.animate, &record.moves) {
            let remarks = vec![self.verdict(record, false)];
            let exit = screen::show(solver.frame(), &entry.board, moves, remarks)?;
            self.exit = self.exit.max(exit);
        }
        let Some(every) = every else {
            if self.command.all_optimal && record.status == Status::Solved {
                note(format!(
                    "{}: not all shortest solutions can be listed, as this one is not proven to be \
                     one: choose an admissible heuristic",
                    record.board
                ));
            }
            return Ok(());
        };
        if cut_off.is_none() || every.count > 1 {
            let word = if every.count == 1 { "solution" } else { "solutions" };
            data(format!("{} shortest {word}", grouped(every.count)))?;
        }
        every.solutions.iter().try_for_each(|solution| data(self.written(solution.names())))
    }

    /// Says once that a board may belong to another puzzle than the one inferred.
    fn hint_at_other_puzzle(&mut self, entry: &Entry, solver: &Solver) {
        let silent = self.common.quiet || self.common.json || self.command.puzzle.puzzle.is_some();
        if silent || self.hinted {
            return;
        }
        if let Some(other) = registry::other_than_inferred(&entry.board) {
            let (shape, id) = (entry.board.shape(), solver.frame().id());
            note(format!(
                "note: a {shape} board without a blank is taken for {id}; if its rows and columns are \
                 all that moves, as in Loopover, give --puzzle {other}"
            ));
            self.hinted = true;
        }
    }

    /// Says if the first board was more likely written for the goal that was not named.
    fn hint_at_goal(&mut self, record: &Record, entry: &Entry, solver: &Solver) {
        if !std::mem::replace(&mut self.goal_in_doubt, false) {
            return;
        }
        let (name, frame) = (&record.board, solver.frame());
        let hint = match moves_to_blank_last(record, &entry.board, frame) {
            Some(0) => Some("this is the goal blank-last (1 2 3 … 0)".to_owned()),
            Some(length) => {
                let moves = counted(length.into(), "move");
                Some(format!("the goal blank-last (1 2 3 … 0) is only {moves} away"))
            }
            // One board alone is told with its verdict.
            None if self.single => None,
            None => goal_option(frame, &entry.board)
                .map(|_| "only the goal blank-last (1 2 3 … 0) can be reached".to_owned()),
        };
        if let Some(hint) = hint {
            note(format!("note: {name}: {hint}: if it is meant, give --goal blank-last"));
        }
    }

    fn moves(&self, record: &Record) -> String {
        self.written(record.moves.as_deref().unwrap_or_default())
    }

    fn written<S: AsRef<str>>(&self, moves: &[S]) -> String {
        let write = |moves: &[S]| match self.command.notation {
            Notation::Names => moves.iter().map(S::as_ref).collect::<Vec<_>>().join(" "),
            Notation::Short => notation::to_short(moves).expect("other puzzles were refused"),
        };
        steps::in_a_line(moves, is_terminal(), write)
    }

    fn in_full(&self, record: &Record, entry: &Entry, solver: &Solver) -> String {
        let frame = solver.frame();
        let goal = frame.goal_name().map_or_else(|| frame.goal().to_string(), str::to_owned);
        let mut text =
            format!("{}: {}, goal {goal}\n{}\n", record.board, frame.id(), entry.board.grid());
        text += &format!("{}\n", self.verdict(record, is_terminal()));
        if let Some(option) = goal_option(frame, &entry.board) {
            text += &format!("help: give {option}\n");
        }
        if record.length.is_some() {
            text += &format!("{}\n", self.moves(record));
        }
        if let (Some(Heading::AllowedLength(allowed)), Some(length)) =
            (entry.heading, record.length)
        {
            let relation = if length <= allowed { "within" } else { "more than" };
            let allowed = counted(allowed.into(), "move");
            text += &format!("{relation} the {allowed} that the file allows\n");
        }
        if !self.common.quiet && record.algorithm.is_some() {
            text += &statistics(record);
        }
        text
    }

    fn in_a_line(&self, record: &Record) -> String {
        let puzzle = record.puzzle.as_deref().unwrap_or("?");
        let verdict = self.verdict(record, is_terminal());
        let time = duration(record.seconds);
        let moves = self.moves(record);
        format!("{}  {puzzle}  {verdict}  {time}  {moves}", record.board).trim_end().to_owned()
    }

    fn verdict(&self, record: &Record, terminal: bool) -> String {
        let bound = record.lower_bound.unwrap_or(0);
        let at_least = match bound {
            0 | 1 => "nothing is known of the length".to_owned(),
            _ => format!("no solution of {} or fewer exists", counted(bound as u64 - 1, "move")),
        };
        let limited = |what: &str| paint(&format!("{what}: {at_least}"), "33", terminal);
        match (record.status, record.length) {
            (Status::Solved, Some(length)) if record.optimal => {
                let moves = counted(length.into(), "move");
                paint(&format!("{moves} (proven optimal)"), "32", terminal)
            }
            (Status::Solved, length) => {
                let moves = counted(length.unwrap_or(0).into(), "move");
                match (&record.rests_on, bound) {
                    (Some(heuristic), _) => format!(
                        "{moves} (shortest if {heuristic} is admissible, as its file claims)"
                    ),
                    (None, 0) => format!("{moves} (not proven shortest)"),
                    (None, _) => format!("{moves} (not proven shortest; at least {bound})"),
                }
            }
            (Status::Unsolvable, _) => {
                let reason = record.error.as_deref().unwrap_or("no reason given");
                paint(&format!("unsolvable: {reason}"), "31", terminal)
            }
            (Status::Invalid, _) => "invalid".to_owned(),
            (status, _) => limited(limit_of(status)),
        }
    }
}

fn is_terminal() -> bool {
    std::io::stdout().is_terminal()
}

/// Which limit ended a search.
fn limit_of(status: Status) -> &'static str {
    match status {
        Status::Timeout => "time limit",
        Status::NodeLimit => "node limit",
        Status::MemoryLimit => "memory limit",
        Status::Interrupted => "interrupted",
        Status::Solved | Status::Unsolvable | Status::Invalid => "no limit",
    }
}

/// What is missing of all shortest solutions.
fn cut_short(every: &AllSolutions, status: Status) -> String {
    let (why, listed) = (limit_of(status), every.solutions.len());
    if every.count > 1 {
        let (listed, count) = (grouped(listed as u64), grouped(every.count));
        format!("{listed} of {count} shortest solutions are listed: {why}")
    } else {
        format!("not all shortest solutions were found: {why}")
    }
}

/// A record with all shortest solutions.
#[derive(Serialize)]
struct WithEvery<'a> {
    #[serde(flatten)]
    record: &'a Record,
    /// How many there are; at least, if the search for them was cut off.
    optimal_solutions: u128,
    /// Those that are listed.
    all_moves: Vec<&'a [String]>,
    /// What cut the search for them off, or the list.
    #[serde(skip_serializing_if = "Option::is_none")]
    partial: Option<Status>,
}

impl<'a> WithEvery<'a> {
    fn new(record: &'a Record, every: &'a AllSolutions, partial: Option<Status>) -> WithEvery<'a> {
        let all_moves = every.solutions.iter().map(Solution::names).collect();
        WithEvery { record, optimal_solutions: every.count, all_moves, partial }
    }
}

fn statistics(record: &Record) -> String {
    let stopped = record.stopped_by.map(|status| format!("; ended by: {}", limit_of(status)));
    format!(
        "{}{}: {} expanded, {} generated, {}, {}{}\n",
        record.algorithm.as_deref().unwrap_or_default(),
        record.heuristic.as_ref().map_or(String::new(), |name| format!(" with {name}")),
        grouped(record.expanded),
        grouped(record.generated),
        duration(record.seconds),
        bytes(record.peak_bytes),
        stopped.unwrap_or_default(),
    )
}

/// A run in one line.
pub(super) fn in_short(summary: &Summary, total: usize, seconds: f64) -> String {
    let with = |statuses: &[Status]| -> usize {
        statuses.iter().filter_map(|status| summary.statuses.get(status)).sum()
    };
    let optimal: usize = summary.puzzles.iter().map(|puzzle| puzzle.optimal).sum();
    let solved = with(&[Status::Solved]);
    let mut text =
        format!("{} of {total} boards: {solved} solved, {optimal} proven optimal", summary.boards);
    let claims = summary.puzzles.iter().flat_map(|puzzle| puzzle.rests_on.values());
    let claimed: usize = claims.sum();
    if claimed > 0 {
        text += &format!(", {claimed} shortest if a claim holds");
    }
    let unproven: usize = summary.puzzles.iter().map(|puzzle| puzzle.unproven).sum();
    if unproven > claimed {
        text += &format!(", {} not proven", unproven - claimed);
    }
    let limits = [Status::Timeout, Status::NodeLimit, Status::MemoryLimit, Status::Interrupted];
    for (count, what) in [
        (with(&[Status::Unsolvable]), "unsolvable"),
        (with(&limits), "cut short by a limit"),
        (with(&[Status::Invalid]), "invalid"),
    ] {
        if count > 0 {
            text += &format!(", {count} {what}");
        }
    }
    if summary.compared > 0 {
        let Summary { agreeing, compared, .. } = summary;
        text += &format!("; {agreeing} of {compared} agree with their known lengths");
    }
    text + &format!("; {}", duration(seconds))
}
