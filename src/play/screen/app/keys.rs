//! Keys: what each of them does.

use super::{App, Overlay, SPEEDS};
use crate::play::screen::form::{Choice, Form, Verdict};
use crate::play::track::Direction;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use std::sync::Arc;
use std::time::Instant;

/// The most moves that a number before an arrow asks for.
const MOST_TIMES: usize = 999;

/// All keys, for the player.
pub(super) const HELP: &[&str] = &[
    "arrows, WASD, hjkl   move the blank; or move what is",
    "                     selected, and select another",
    "3 →                  a number before it: that far",
    "Tab                  select rows, columns or rings",
    "Shift-arrows, HJKL   row or column of the cursor at once",
    "mouse                click a tile, drag a line, turn the wheel",
    "u  r                 undo, redo",
    "b                    back to the beginning",
    "n                    a new game",
    "i                    hint",
    "o                    solution, shown move by move",
    "p  space             pause",
    "+  -                 speed of the solution",
    "t                    statistics",
    "e                    share this game",
    "q                    quit",
];

impl App<'_> {
    pub(super) fn event(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Key(key) => self.key(*key, now),
            Event::Mouse(mouse) => self.mouse(*mouse),
            _ => {}
        }
    }

    pub(super) fn key(&mut self, key: KeyEvent, now: Instant) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        if control && key.code == KeyCode::Char('c') {
            self.ending.interrupted = true;
            return;
        }
        match &mut self.overlay {
            Some(Overlay::New(form)) => {
                let verdict = form.key(key);
                self.after_form(verdict);
                return;
            }
            Some(_) => {
                self.overlay = None;
                return;
            }
            None => {}
        }
        if self.session.is_none() {
            // A board is being dealt.
            if let KeyCode::Char('q') | KeyCode::Esc = key.code {
                self.dealing = None;
                self.overlay = Some(Overlay::New(self.form()));
            }
            return;
        }
        let shift = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Up => self.arrow(Direction::Up, shift),
            KeyCode::Down => self.arrow(Direction::Down, shift),
            KeyCode::Left => self.arrow(Direction::Left, shift),
            KeyCode::Right => self.arrow(Direction::Right, shift),
            KeyCode::Tab => self.select_other_kind(true),
            KeyCode::BackTab => self.select_other_kind(false),
            KeyCode::Backspace => self.undo(now),
            KeyCode::Esc => self.stop(),
            KeyCode::Enter => {
                if let Some(search) = &self.thinking {
                    search.work.stop();
                }
            }
            KeyCode::Char(c) if control => match c {
                'z' => self.undo(now),
                'y' | 'r' => self.redo(now),
                _ => {}
            },
            KeyCode::Char(c) => self.letter(c, now),
            _ => {}
        }
    }

    pub(super) fn letter(&mut self, c: char, now: Instant) {
        let capital = c.is_ascii_uppercase();
        if let Some(digit) = c.to_digit(10) {
            let times = self.times.unwrap_or(0) * 10 + digit as usize;
            self.times = Some(times.min(MOST_TIMES)).filter(|&times| times > 0);
            return;
        }
        match c.to_ascii_lowercase() {
            'w' | 'k' => self.arrow(Direction::Up, capital),
            's' | 'j' => self.arrow(Direction::Down, capital),
            'a' | 'h' => self.arrow(Direction::Left, capital),
            'd' | 'l' => self.arrow(Direction::Right, capital),
            'u' => self.undo(now),
            'r' => self.redo(now),
            'b' => self.restart(now),
            'n' => self.overlay = Some(Overlay::New(self.form())),
            'i' => self.hint(),
            'o' => self.solve(),
            'p' | ' ' => self.pause(now),
            '+' | '=' => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            '-' => self.speed = self.speed.saturating_sub(1),
            't' => {
                self.session.iter_mut().for_each(|session| session.save(now));
                self.overlay = Some(Overlay::Statistics);
            }
            'e' => self.share(now),
            '?' => self.overlay = Some(Overlay::Help),
            'q' => self.leaving = true,
            _ => {}
        }
    }

    /// Stops what goes on by itself.
    pub(super) fn stop(&mut self) {
        self.calm();
        self.message = None;
    }

    pub(super) fn pause(&mut self, now: Instant) {
        if self.showing.is_some() {
            self.paused = !self.paused;
        } else if let Some(session) = &mut self.session {
            let pause = !session.game().is_paused();
            session.pause(pause, now);
        }
    }

    pub(super) fn share(&mut self, now: Instant) {
        let Some(session) = &self.session else { return };
        let line = format!("permutile play --replay '{}'", session.share(now));
        self.ending.lines = vec![line.clone()];
        self.overlay = Some(Overlay::Share(line));
    }

    pub(super) fn form(&self) -> Form {
        match &self.session {
            None => Form::new(self.settings.kind),
            Some(session) => {
                let frame = session.frame();
                let kind = session.game().deal().map_or(self.settings.kind, |deal| deal.kind);
                let blank_last = frame.goal_name() == Some("blank-last");
                Form::after(frame.id(), frame.shape(), blank_last, kind)
            }
        }
    }

    pub(super) fn after_form(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Stay => {}
            Verdict::Leave if self.session.is_none() => self.leaving = true,
            Verdict::Leave => self.overlay = None,
            Verdict::Play(Choice { puzzle, goal, deal }) => {
                match (self.settings.make_solver)(&puzzle, goal) {
                    Ok(solver) => self.deal(Arc::new(solver), deal),
                    Err(error) => {
                        if let Some(Overlay::New(form)) = &mut self.overlay {
                            form.error = Some(error);
                        }
                    }
                }
            }
        }
    }
}
