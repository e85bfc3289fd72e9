//! The game on the screen: keys and clicks in, pictures out. What counts is in the session.

use super::board_view::BoardLayout;
use super::form::{Choice, Form, Verdict};
use super::palette::Palette;
use super::terminal::Screen;
use crate::board::Board;
use crate::board::steps::steps;
use crate::format::counted;
use crate::play::background::{Background, Means, News};
use crate::play::clock::in_words;
use crate::play::deal::{Deal, DealError, DealKind};
use crate::play::game::{Game, MoveError};
use crate::play::session::{Session, Thinking};
use crate::play::statistics::Book;
use crate::play::track::{Direction, Track, TrackKind, blank_move, blank_way, tracks};
use crate::puzzle::{Goal, Move};
use crate::solver::{Answer, Solver};
use ratatui::crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

mod picture;
#[cfg(test)]
mod tests;

/// How long a move is seen.
pub(super) const MOTION: Duration = Duration::from_millis(130);

/// How long a move is seen when others wait.
const HURRIED: Duration = Duration::from_millis(45);

/// Moves a second when a solution is shown.
pub(super) const SPEEDS: [f64; 7] = [0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0];

/// How long a solution is looked for, unless the player takes the best so far.
const SOLVE_TIME: Duration = Duration::from_secs(60);

/// The most moves that a number before an arrow asks for.
const MOST_TIMES: usize = 999;

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

const HELP: &[&str] = &[
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

    // What happens by itself.

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

    fn look_at_search(&mut self, now: Instant) -> io::Result<()> {
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

    fn found(&mut self, search: &Search, solution: &crate::solver::Solution, now: Instant) {
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

    fn show_next(&mut self, now: Instant) {
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

    fn say(&mut self, text: impl Into<String>) {
        self.message = Some(text.into());
    }

    // Moves.

    fn make(&mut self, m: Move, now: Instant) {
        let Some(session) = &mut self.session else { return };
        let before = session.game().board().clone();
        match session.make(m, now) {
            Ok(()) => self.moved(before, now),
            Err(error) => {
                self.queue.clear();
                if let MoveError::Solved = error {
                    self.say("The game is over: n begins another, b this one again.");
                }
            }
        }
    }

    fn moved(&mut self, before: Board, now: Instant) {
        self.hint = None;
        if self.showing.is_none() {
            self.message = None;
        }
        let time = match self.showing {
            Some(_) => MOTION.mul_f64((4.0 / SPEEDS[self.speed]).min(1.0)),
            None if self.queue.is_empty() => MOTION,
            None => HURRIED,
        };
        self.moving = Some(Moving { before, began: now, time });
        let Some(session) = &mut self.session else { return };
        if session.game().is_solved() {
            self.queue.clear();
            if session.game().shortest().is_none() {
                let work = session.think_of_shortest();
                let board = session.game().start().clone();
                self.search(Purpose::Review, board, work);
            }
        }
    }

    /// Has moves made one after the other; what is under way is finished at once.
    fn enqueue(&mut self, moves: impl IntoIterator<Item = Move>) {
        self.showing = None;
        self.thinking = None;
        let paused = self.session.as_ref().is_some_and(|session| session.game().is_paused());
        if paused {
            self.pause(Instant::now());
        }
        let now = Instant::now();
        while let Some(m) = self.queue.pop_front() {
            self.make(m, now);
        }
        self.moving = None;
        self.queue.extend(moves);
        if let Some(m) = self.queue.pop_front() {
            self.make(m, now);
        }
    }

    fn search(&mut self, purpose: Purpose, board: Board, work: Thinking) {
        let began = Instant::now();
        let lengths = Vec::new();
        self.thinking = Some(Search { purpose, board, work, lengths, at_least: 0, began });
    }

    // What is selected.

    fn held(&self) -> Option<&Track> {
        let has_cell = |track: &&Track| track.cells.contains(&self.hold.cell);
        let mut of_kind = self.tracks.iter().filter(|track| track.kind == self.hold.kind);
        match self.hold.kind {
            TrackKind::Row | TrackKind::Column => of_kind.find(has_cell),
            TrackKind::Loop => of_kind.nth(self.hold.number),
        }
    }

    /// An arrow: along the track that is held it moves, across it another is selected.
    fn arrow(&mut self, direction: Direction, at_once: bool) {
        let times = self.times.take().unwrap_or(1);
        let Some(session) = &self.session else { return };
        let shape = session.frame().shape();
        if let Some(blank) = session.game().board().blank() {
            self.finish_queue();
            let Some(session) = &self.session else { return };
            let blank = session.game().board().blank().unwrap_or(blank);
            let one = blank_move(session.frame(), blank, direction);
            self.enqueue(one.into_iter().flat_map(|m| std::iter::repeat_n(m, times)));
            return;
        }
        let horizontal = matches!(direction, Direction::Left | Direction::Right);
        let forward = matches!(direction, Direction::Right | Direction::Down);
        if at_once {
            self.hold.kind = if horizontal { TrackKind::Row } else { TrackKind::Column };
        }
        let along = match self.hold.kind {
            TrackKind::Column => !horizontal,
            TrackKind::Row | TrackKind::Loop => horizontal,
        };
        if along {
            let m = self.held().and_then(|track| track.toward(forward));
            self.enqueue(m.into_iter().flat_map(|m| std::iter::repeat_n(m, times)));
            if m.is_none() {
                self.say("There is no such move here.");
            }
            return;
        }
        let step = |at: usize, of: usize| {
            let by = times % of;
            if forward { (at + by) % of } else { (at + of - by) % of }
        };
        let (row, col) = shape.row_col(self.hold.cell);
        match self.hold.kind {
            TrackKind::Row => self.hold.cell = shape.cell(step(row, shape.rows()), col),
            TrackKind::Column => self.hold.cell = shape.cell(row, step(col, shape.cols())),
            TrackKind::Loop => {
                let loops = self.tracks.iter().filter(|track| track.kind == TrackKind::Loop);
                self.hold.number = step(self.hold.number, loops.count().max(1));
            }
        }
    }

    fn finish_queue(&mut self) {
        let now = Instant::now();
        while let Some(m) = self.queue.pop_front() {
            self.make(m, now);
        }
    }

    /// Rows, columns, rings in turn, as far as the puzzle has them.
    fn select_other_kind(&mut self, forward: bool) {
        const KINDS: [TrackKind; 3] = [TrackKind::Row, TrackKind::Column, TrackKind::Loop];
        let at = KINDS.iter().position(|&kind| kind == self.hold.kind).unwrap_or(0);
        let others = (1..=KINDS.len()).map(|by| if forward { at + by } else { at + 3 - by % 3 });
        let has = |kind: TrackKind| self.tracks.iter().any(|track| track.kind == kind);
        let next = others.map(|at| KINDS[at % KINDS.len()]).find(|&kind| has(kind));
        self.hold.kind = next.unwrap_or(self.hold.kind);
    }

    // Keys and clicks.

    fn event(&mut self, event: &Event, now: Instant) {
        match event {
            Event::Key(key) => self.key(*key, now),
            Event::Mouse(mouse) => self.mouse(*mouse),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, now: Instant) {
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

    fn letter(&mut self, c: char, now: Instant) {
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

    fn undo(&mut self, now: Instant) {
        self.calm();
        let Some(session) = &mut self.session else { return };
        let before = session.game().board().clone();
        if session.undo().is_some() {
            self.moved(before, now);
        }
    }

    fn redo(&mut self, now: Instant) {
        self.calm();
        let Some(session) = &mut self.session else { return };
        let before = session.game().board().clone();
        if session.redo(now).is_some() {
            self.moved(before, now);
        }
    }

    fn restart(&mut self, now: Instant) {
        self.calm();
        self.message = None;
        self.moving = None;
        self.session.iter_mut().for_each(|session| session.restart(now));
    }

    fn hint(&mut self) {
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

    fn solve(&mut self) {
        self.calm();
        let Some(session) = &self.session else { return };
        if !session.game().is_solved() {
            let board = session.game().board().clone();
            let work = session.think_of_solution(SOLVE_TIME);
            self.search(Purpose::Solution, board, work);
            self.message = None;
        }
    }

    fn pause(&mut self, now: Instant) {
        if self.showing.is_some() {
            self.paused = !self.paused;
        } else if let Some(session) = &mut self.session {
            let pause = !session.game().is_paused();
            session.pause(pause, now);
        }
    }

    /// Stops what goes on by itself.
    fn stop(&mut self) {
        self.calm();
        self.message = None;
    }

    fn share(&mut self, now: Instant) {
        let Some(session) = &self.session else { return };
        let line = format!("permutile play --replay '{}'", session.share(now));
        self.ending.lines = vec![line.clone()];
        self.overlay = Some(Overlay::Share(line));
    }

    fn form(&self) -> Form {
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

    fn after_form(&mut self, verdict: Verdict) {
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

    fn mouse(&mut self, mouse: MouseEvent) {
        let cell = self.layout.and_then(|layout| layout.cell_at(mouse.column, mouse.row));
        if self.overlay.is_some() {
            return;
        }
        match mouse.kind {
            MouseEventKind::Down(MouseButton::Left) => {
                self.drag = cell;
                if let Some(cell) = cell {
                    self.click(cell);
                }
            }
            MouseEventKind::Down(_) => self.select_other_kind(true),
            MouseEventKind::Drag(MouseButton::Left) => {
                if let (Some(from), Some(to)) = (self.drag, cell) {
                    self.dragged(from, to);
                }
            }
            MouseEventKind::Up(_) => self.drag = None,
            MouseEventKind::ScrollUp | MouseEventKind::ScrollDown => {
                let forward = mouse.kind == MouseEventKind::ScrollDown;
                let m = self.held().and_then(|track| track.toward(forward));
                self.enqueue(m);
            }
            _ => {}
        }
    }

    fn click(&mut self, cell: usize) {
        self.hold.cell = cell;
        if self.hold.kind == TrackKind::Loop {
            let mut loops = self.tracks.iter().filter(|track| track.kind == TrackKind::Loop);
            let number = loops.position(|track| track.cells.contains(&cell));
            self.hold.number = number.unwrap_or(self.hold.number);
        }
        let Some(session) = &self.session else { return };
        let (shape, blank) = (session.frame().shape(), session.game().board().blank());
        if let Some((direction, steps)) = blank.and_then(|blank| blank_way(shape, blank, cell)) {
            self.times = Some(steps);
            self.arrow(direction, false);
        }
    }

    /// A line follows the mouse, cell by cell.
    fn dragged(&mut self, from: usize, to: usize) {
        let Some(session) = &self.session else { return };
        if session.game().board().blank().is_some() || from == to {
            return;
        }
        let Some((direction, steps)) = blank_way(session.frame().shape(), from, to) else { return };
        self.hold.cell = to;
        self.drag = Some(to);
        self.times = Some(steps);
        self.arrow(direction, true);
    }
}

/// Keys for one line.
pub(super) fn keys_in_short(keys: &[(&str, &str)]) -> String {
    keys.iter().map(|(key, what)| format!("{key} {what}")).collect::<Vec<_>>().join("   ")
}
