//! Hints and solutions: searches on threads of their own, and a solution that is shown.

use super::{App, Purpose, SPEEDS, Search};
use crate::board::Board;
use crate::board::steps::steps;
use crate::format::counted;
use crate::play::background::News;
use crate::play::session::{Session, Thinking};
use crate::solver::{Answer, Solution};
use std::io;
use std::time::{Duration, Instant};

/// How long a solution is looked for, unless the player takes the best so far.
const SOLVE_TIME: Duration = Duration::from_secs(60);

impl App<'_> {
    pub(super) fn look_at_search(&mut self, now: Instant) -> io::Result<()> {
        while let Some(news) = self.thinking.as_ref().and_then(|search| search.work.poll()) {
            let Some(mut search) = self.thinking.take() else { break };
            match news {
                News::Found { length, at_least } => {
                    search.lengths.push(length);
                    search.at_least = at_least;
                    self.thinking = Some(search);
                }
                News::Done(answer) => {
                    match answer {
                        Ok(Answer::Searched(report)) => match report.solution {
                            Some(solution) => self.found(&search, &solution, now),
                            None => self.say("No solution was found in this time."),
                        },
                        Ok(Answer::Unsolvable(reason)) => self.say(reason.to_string()),
                        Err(error) => self.say(error.to_string()),
                    }
                    break;
                }
                News::Lost => return Err(io::Error::other("a search has panicked")),
            }
        }
        Ok(())
    }

    pub(super) fn found(&mut self, search: &Search, solution: &Solution, now: Instant) {
        let Some(session) = &mut self.session else { return };
        match search.purpose {
            Purpose::Review => session.learn(&search.board, solution),
            Purpose::Hint => {
                session.follow(&search.board, solution);
                self.hint();
            }
            Purpose::Solution => {
                session.follow(&search.board, solution);
                self.showing = Some(now);
                self.paused = false;
                let proven = if solution.is_optimal() {
                    "the fewest possible"
                } else {
                    "not proven shortest"
                };
                let moves = counted(solution.len() as u64, "move");
                self.say(format!("{moves}, {proven}"));
            }
        }
    }

    pub(super) fn show_next(&mut self, now: Instant) {
        let next = self.session.as_mut().and_then(Session::known_hint);
        match next {
            Some(m) => {
                self.make(m, now);
                let pause = Duration::from_secs_f64(1.0 / SPEEDS[self.speed]);
                self.showing = Some(now + pause);
            }
            None => self.showing = None,
        }
        if self.session.as_ref().is_some_and(|session| session.game().is_solved()) {
            self.showing = None;
            self.message = None;
        }
    }

    pub(super) fn search(&mut self, purpose: Purpose, board: Board, work: Thinking) {
        let began = Instant::now();
        let lengths = Vec::new();
        self.thinking = Some(Search { purpose, board, work, lengths, at_least: 0, began });
    }

    pub(super) fn hint(&mut self) {
        self.showing = None;
        let Some(session) = &mut self.session else { return };
        if session.game().is_solved() {
            return;
        }
        let Some(hint) = session.known_hint() else {
            let (board, work) = (session.game().board().clone(), session.think_of_hint());
            return self.search(Purpose::Hint, board, work);
        };
        let frame = session.frame();
        let (name, board) = (frame.moves().name(hint), session.game().board());
        let words = steps(frame.rules(), board, &[name]).next().and_then(Result::ok);
        let words = words.map(|step| step.words).filter(|words| !words.is_empty());
        let mut text =
            format!("Hint: {name}{}", words.map_or(String::new(), |it| format!(", {it}")));
        if let Some((left, is_shortest)) = session.known_solution() {
            let proven = if is_shortest { ", the fewest possible" } else { "" };
            text += &format!(" ({} to go{proven})", counted(left.len() as u64, "move"));
        }
        self.hint = Some(hint);
        self.say(text);
    }

    pub(super) fn solve(&mut self) {
        self.calm();
        let Some(session) = &self.session else { return };
        if !session.game().is_solved() {
            let board = session.game().board().clone();
            let work = session.think_of_solution(SOLVE_TIME);
            self.search(Purpose::Solution, board, work);
            self.message = None;
        }
    }
}
