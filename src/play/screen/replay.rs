//! A sequence of moves, shown like a film: forward, back, slower, faster.

use super::app::{MOTION, SPEEDS, keys_in_short};
use super::board_view::{BoardView, Motion, largest};
use super::palette::Palette;
use super::panel::{self, Division, Entry};
use super::terminal::Screen;
use crate::board::Board;
use crate::board::steps::steps;
use crate::format::counted;
use crate::puzzle::Frame;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyModifiers};
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// What a film is made of.
pub struct Replay {
    title: String,
    remarks: Vec<String>,
    goal: Board,
    boards: Vec<Board>,
    /// What each move is called, and what it does.
    names: Vec<(String, String)>,
    palette: Palette,
    at: usize,
    /// Where the tiles come from, and since when they move.
    moving: Option<(usize, Instant)>,
    paused: bool,
    speed: usize,
    next: Instant,
}

impl Replay {
    /// The moves from a board on, up to the first that cannot be made.
    pub fn new(
        frame: &Frame,
        start: &Board,
        moves: &[String],
        remarks: Vec<String>,
        palette: Palette,
    ) -> Replay {
        let (mut boards, mut names) = (vec![start.clone()], Vec::new());
        for (step, name) in steps(frame.rules(), start, moves).map_while(Result::ok).zip(moves) {
            boards.push(step.board);
            names.push((name.clone(), step.words));
        }
        Replay {
            title: frame.id().to_owned(),
            remarks,
            goal: frame.goal().clone(),
            boards,
            names,
            palette,
            at: 0,
            moving: None,
            paused: false,
            speed: 2,
            next: Instant::now() + Duration::from_secs(1),
        }
    }

    /// Shows it until the user leaves; whether that was by an interrupt.
    ///
    /// # Errors
    /// If the terminal is gone.
    pub fn run(mut self, screen: &mut Screen, interrupted: &AtomicBool) -> io::Result<bool> {
        loop {
            let now = Instant::now();
            self.tick(now);
            screen.draw(|buffer| self.draw(buffer, now))?;
            let pause = if self.moving.is_some() { 15 } else { 50 };
            let event = screen.wait(Duration::from_millis(pause))?;
            if interrupted.load(Ordering::Relaxed) {
                return Ok(true);
            }
            if let Some(Event::Key(key)) = event {
                let control = key.modifiers.contains(KeyModifiers::CONTROL);
                match key.code {
                    KeyCode::Char('c') if control => return Ok(true),
                    KeyCode::Char('q') | KeyCode::Esc => return Ok(false),
                    code => self.key(code, Instant::now()),
                }
            }
        }
    }

    fn key(&mut self, code: KeyCode, now: Instant) {
        match code {
            KeyCode::Char(' ' | 'p') if self.at + 1 == self.boards.len() => {
                (self.at, self.paused) = (0, false);
            }
            KeyCode::Char(' ' | 'p') => self.paused = !self.paused,
            KeyCode::Right | KeyCode::Char('l' | 'd') => {
                self.paused = true;
                self.go(self.at + 1, now);
            }
            KeyCode::Left | KeyCode::Char('h' | 'a') => {
                self.paused = true;
                self.go(self.at.saturating_sub(1), now);
            }
            KeyCode::Home => self.go(0, now),
            KeyCode::End => self.go(self.boards.len() - 1, now),
            KeyCode::Char('+' | '=') => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            KeyCode::Char('-') => self.speed = self.speed.saturating_sub(1),
            _ => {}
        }
        self.next = now + self.pause();
    }

    fn pause(&self) -> Duration {
        Duration::from_secs_f64(1.0 / SPEEDS[self.speed])
    }

    fn go(&mut self, to: usize, now: Instant) {
        if to < self.boards.len() && to != self.at {
            self.moving = Some((self.at, now));
            self.at = to;
        }
    }

    fn tick(&mut self, now: Instant) {
        if self.moving.is_some_and(|(_, began)| now >= began + MOTION.min(self.pause())) {
            self.moving = None;
        }
        if !self.paused && now >= self.next {
            self.go(self.at + 1, now);
            self.next = now + self.pause();
        }
    }

    fn draw(&self, buffer: &mut Buffer, now: Instant) {
        let window = buffer.area;
        let board = &self.boards[self.at];
        let digits = largest(board).to_string().len() as u16;
        let division = Division::new(board.shape(), digits, window);
        let Some(layout) = division.board else {
            return panel::too_small(window, self.palette, buffer);
        };
        let longest = MOTION.min(self.pause()).as_secs_f64();
        let motion = self.moving.map(|(from, began)| Motion {
            before: &self.boards[from],
            done: (now.saturating_duration_since(began).as_secs_f64() / longest).min(1.0),
        });
        let palette = self.palette;
        let goal = &self.goal;
        BoardView { board, goal, motion, selected: &[], hinted: &[], palette }
            .draw(&layout, buffer);
        let entries = self.entries();
        if division.beside {
            panel::beside(&entries, division.panel, palette, buffer);
        } else {
            panel::below(&entries, division.panel, palette, buffer);
        }
        let keys = [("space", "pause"), ("←→", "step"), ("+-", "speed"), ("q", "leave")];
        panel::footer(&keys_in_short(&keys), palette.faint(), division.footer, buffer);
    }

    fn entries(&self) -> Vec<Entry> {
        let mut entries = vec![
            Entry::Title(self.title.clone()),
            Entry::Space,
            Entry::Value("move", format!("{} of {}", self.at, self.names.len())),
        ];
        if let Some((name, words)) = self.at.checked_sub(1).and_then(|at| self.names.get(at)) {
            entries.push(Entry::Value("last", name.clone()));
            entries.push(Entry::Remark(words.clone()));
        }
        entries.push(Entry::Value("speed", format!("{} a second", SPEEDS[self.speed])));
        if self.at + 1 == self.boards.len() && self.boards[self.at] == self.goal {
            let moves = counted(self.names.len() as u64, "move");
            entries.extend([Entry::Space, Entry::News(format!("Solved in {moves}."))]);
        } else if self.paused {
            entries.extend([Entry::Space, Entry::News("paused".to_owned())]);
        }
        entries.push(Entry::Space);
        entries.extend(self.remarks.iter().cloned().map(Entry::Remark));
        entries
    }
}
