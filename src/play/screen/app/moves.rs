//! Moves: what the player has hold of, moves made one after the other, undone and made again.

use super::{App, MOTION, Moving, Purpose, SPEEDS};
use crate::board::Board;
use crate::play::game::MoveError;
use crate::play::track::{Direction, Track, TrackKind, blank_move};
use crate::puzzle::Move;
use std::time::{Duration, Instant};

/// How long a move is seen when others wait.
const HURRIED: Duration = Duration::from_millis(45);

impl App<'_> {
    pub(super) fn make(&mut self, m: Move, now: Instant) {
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

    pub(super) fn moved(&mut self, before: Board, now: Instant) {
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
    pub(super) fn enqueue(&mut self, moves: impl IntoIterator<Item = Move>) {
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

    pub(super) fn finish_queue(&mut self) {
        let now = Instant::now();
        while let Some(m) = self.queue.pop_front() {
            self.make(m, now);
        }
    }

    pub(super) fn undo(&mut self, now: Instant) {
        self.calm();
        let Some(session) = &mut self.session else { return };
        let before = session.game().board().clone();
        if session.undo().is_some() {
            self.moved(before, now);
        }
    }

    pub(super) fn redo(&mut self, now: Instant) {
        self.calm();
        let Some(session) = &mut self.session else { return };
        let before = session.game().board().clone();
        if session.redo(now).is_some() {
            self.moved(before, now);
        }
    }

    pub(super) fn restart(&mut self, now: Instant) {
        self.calm();
        self.message = None;
        self.moving = None;
        self.session.iter_mut().for_each(|session| session.restart(now));
    }

    pub(super) fn held(&self) -> Option<&Track> {
        let has_cell = |track: &&Track| track.cells.contains(&self.hold.cell);
        let mut of_kind = self.tracks.iter().filter(|track| track.kind == self.hold.kind);
        match self.hold.kind {
            TrackKind::Row | TrackKind::Column => of_kind.find(has_cell),
            TrackKind::Loop => of_kind.nth(self.hold.number),
        }
    }

    /// An arrow: along the track that is held it moves, across it another is selected.
    pub(super) fn arrow(&mut self, direction: Direction, at_once: bool) {
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

    /// Rows, columns, rings in turn, as far as the puzzle has them.
    pub(super) fn select_other_kind(&mut self, forward: bool) {
        const KINDS: [TrackKind; 3] = [TrackKind::Row, TrackKind::Column, TrackKind::Loop];
        let at = KINDS.iter().position(|&kind| kind == self.hold.kind).unwrap_or(0);
        let others = (1..=KINDS.len()).map(|by| if forward { at + by } else { at + 3 - by % 3 });
        let has = |kind: TrackKind| self.tracks.iter().any(|track| track.kind == kind);
        let next = others.map(|at| KINDS[at % KINDS.len()]).find(|&kind| has(kind));
        self.hold.kind = next.unwrap_or(self.hold.kind);
    }
}
