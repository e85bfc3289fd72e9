//! The game on the screen: keys and clicks in, pictures out. What counts is in the session.

use super::board_view::BoardLayout;
use super::form::Form;
use super::palette::Palette;
use super::terminal::Screen;
use crate::board::Board;
use crate::format::counted;
use crate::play::background::{Background, Means, News};
use crate::play::clock::in_words;
use crate::play::deal::{Deal, DealError, DealKind};
use crate::play::game::Game;
use crate::play::session::{Session, Thinking};
use crate::play::statistics::Book;
use crate::play::track::{Track, TrackKind, tracks};
use crate::puzzle::{Goal, Move};
use crate::solver::Solver;
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod keys;
mod mouse;
mod moves;
mod picture;
mod solving;
#[cfg(test)]
mod tests;

/// How long a move is seen.
pub(super) const MOTION: Duration = Duration::from_millis(130);

/// Moves a second when a solution is shown.
pub(super) const SPEEDS: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// Makes the solver of a puzzle, or says why there is none.
pub type MakeSolver<'a> = dyn Fn(&str, Goal) -> Result<Solver, String> + 'a;

/// What the game is played with.
pub struct Settings<'a> {
    /// The colours.
    pub palette: Palette,
    /// What searches may use.
    pub means: Means,
    /// Where statistics are kept.
    pub book: Option<Book>,
    /// Where solvers come from.
    pub make_solver: &'a MakeSolver<'a>,
    /// The kind of boards to begin with.
    pub kind: DealKind,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Ending {
    /// Lines to print once the terminal is as it was.
    pub lines: Vec<String>,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// The game on the screen.
pub struct App<'a> {
    settings: Settings<'a>,
    session: Option<Session>,
    dealing: Option<Dealing>,
    overlay: Option<Overlay>,
    tracks: Vec<Track>,
    /// What the player has hold of.
    hold: Hold,
    /// The number typed before an arrow.
    times: Option<usize>,
    /// Moves to be made one after the other.
    queue: VecDeque<Move>,
    moving: Option<Moving>,
    thinking: Option<Search>,
    /// When the next move of a solution is due, while one is shown.
    showing: Option<Instant>,
    paused: bool,
    speed: usize,
    hint: Option<Move>,
    message: Option<String>,
    drag: Option<usize>,
    layout: Option<BoardLayout>,
    ending: Ending,
    leaving: bool,
}

/// A board being dealt.
struct Dealing {
    solver: Arc<Solver>,
    deal: Deal,
    work: Background<Result<Board, DealError>>,
}

/// A move being seen.
struct Moving {
    before: Board,
    began: Instant,
    time: Duration,
}

/// A search, what it is for, and what it has found.
struct Search {
    purpose: Purpose,
    board: Board,
    work: Thinking,
    lengths: Vec<u32>,
    at_least: u32,
    began: Instant,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Purpose {
    Hint,
    Solution,
    /// The fewest moves, once the game is over.
    Review,
}

/// What is over the board.
enum Overlay {
    Help,
    Statistics,
    Share(String),
    New(Form),
}

/// What the player has hold of: the row or column of a cell, or a loop.
#[derive(Clone, Copy, Debug)]
struct Hold {
    cell: usize,
    kind: TrackKind,
    /// Which of the loops.
    number: usize,
}

impl<'a> App<'a> {
    /// Asks which game to play.
    pub fn new(settings: Settings<'a>) -> App<'a> {
        let form = Form::new(settings.kind);
        App {
            settings,
            session: None,
            dealing: None,
            overlay: Some(Overlay::New(form)),
            tracks: Vec::new(),
            hold: Hold { cell: 0, kind: TrackKind::Row, number: 0 },
            times: None,
            queue: VecDeque::new(),
            moving: None,
            thinking: None,
            showing: None,
            paused: false,
            speed: 3,
            hint: None,
            message: None,
            drag: None,
            layout: None,
            ending: Ending::default(),
            leaving: false,
        }
    }

    /// Begins with a board of this puzzle.
    pub fn deal(&mut self, solver: Arc<Solver>, deal: Deal) {
        self.overlay = None;
        let work = crate::play::background::deal(&solver, deal, self.settings.means);
        self.dealing = Some(Dealing { solver, deal, work });
    }

    /// Plays until the player leaves or is interrupted.
    ///
    /// # Errors
    /// If the terminal is gone, or a search has panicked.
    pub fn run(mut self, screen: &mut Screen, interrupted: &AtomicBool) -> io::Result<Ending> {
        loop {
            let now = Instant::now();
            self.tick(now)?;
            screen.draw(|buffer| self.draw(buffer, now))?;
            let lively = self.moving.is_some() || !self.queue.is_empty();
            let mut event = screen.wait(Duration::from_millis(if lively { 15 } else { 60 }))?;
            // A mouse that moves tells more than can be drawn.
            while let Some(next) = event.take().filter(|_| !self.leaving) {
                self.event(&next, Instant::now());
                event = screen.wait(Duration::ZERO)?;
            }
            self.ending.interrupted |= interrupted.load(Ordering::Relaxed);
            if self.leaving || self.ending.interrupted {
                return Ok(self.leave(Instant::now()));
            }
        }
    }

    fn leave(mut self, now: Instant) -> Ending {
        if let Some(session) = &mut self.session {
            session.save(now);
            let game = session.game();
            if game.moves().len() > 0 && self.ending.lines.is_empty() && !game.is_solved() {
                let moves = counted(game.moves().len() as u64, "move");
                let time = in_words(game.elapsed(now));
                self.ending
                    .lines
                    .push(format!("{}: left after {moves}, {time}", game.frame().id()));
            }
            self.ending.lines.extend(session.take_notices());
        }
        self.ending
    }

    fn tick(&mut self, now: Instant) -> io::Result<()> {
        self.look_at_dealing()?;
        self.look_at_search(now)?;
        if self.moving.as_ref().is_some_and(|moving| now >= moving.began + moving.time) {
            self.moving = None;
        }
        if self.moving.is_none()
            && let Some(m) = self.queue.pop_front()
        {
            self.make(m, now);
        }
        if let Some(due) = self.showing
            && !self.paused
            && self.moving.is_none()
            && now >= due
        {
            self.show_next(now);
        }
        if let Some(session) = &mut self.session {
            session.save_from_time_to_time(now);
            if let Some(notice) = session.take_notices().pop() {
                self.message = Some(notice);
            }
        }
        Ok(())
    }

    fn look_at_dealing(&mut self) -> io::Result<()> {
        let Some(news) = self.dealing.as_ref().and_then(|dealing| dealing.work.poll()) else {
            return Ok(());
        };
        let Some(dealing) = self.dealing.take() else { return Ok(()) };
        match news {
            News::Found { .. } => self.dealing = Some(dealing),
            News::Done(Ok(board)) => self.begin(dealing.solver, board, Some(dealing.deal)),
            News::Done(Err(error)) => {
                let mut form = self.form();
                form.error = Some(error.to_string());
                self.overlay = Some(Overlay::New(form));
            }
            News::Lost => return Err(io::Error::other("dealing a board has panicked")),
        }
        Ok(())
    }

    fn begin(&mut self, solver: Arc<Solver>, board: Board, deal: Option<Deal>) {
        let now = Instant::now();
        self.tracks = tracks(solver.frame());
        let game = Game::new(solver, board, deal);
        match &mut self.session {
            Some(session) => session.begin(game, now),
            None => {
                let book = self.settings.book.clone();
                self.session = Some(Session::new(game, self.settings.means, book));
            }
        }
        let first = self.tracks.iter().map(|track| track.kind).min().unwrap_or(TrackKind::Row);
        self.hold = Hold { cell: 0, kind: first, number: 0 };
        self.calm();
        self.message = None;
        self.moving = None;
    }

    /// Ends whatever goes on by itself.
    fn calm(&mut self) {
        self.queue.clear();
        self.thinking = None;
        self.showing = None;
        self.paused = false;
        self.hint = None;
        self.times = None;
    }

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some(text.into());
    }
}

/// Keys for one line.
pub(super) fn keys_in_short(keys: &[(&str, &str)]) -> String {
    keys.iter().map(|(key, what)| format!("{key} {what}")).collect::<Vec<_>>().join("   ")
}
