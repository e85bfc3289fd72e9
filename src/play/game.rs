//! A game: the board that was dealt, the moves made since, and the clock. It knows of no terminal.

use super::clock::Clock;
use super::deal::Deal;
use crate::board::Board;
use crate::board::check::{CheckError, Illegal, replay};
use crate::puzzle::{Frame, Move};
use crate::solver::Solver;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One board, played.
#[derive(Clone)]
pub struct Game {
    solver: Arc<Solver>,
    deal: Option<Deal>,
    start: Board,
    board: Board,
    /// The moves made, each with the board before it.
    made: Vec<(Move, Board)>,
    /// The moves taken back, the last of them first to be made again.
    undone: Vec<Move>,
    clock: Clock,
    helped: bool,
    shortest: Option<u32>,
}

/// Why a move was not made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum MoveError {
    /// There is nothing left to do.
    #[error("the game is over")]
    Solved,
    /// The rules do not allow it on this board.
    #[error(transparent)]
    Illegal(Illegal),
    /// It is no move of this puzzle.
    #[error(transparent)]
    Unknown(CheckError),
}

impl From<CheckError> for MoveError {
    fn from(error: CheckError) -> MoveError {
        match error {
            CheckError::IllegalMove { why, .. } => MoveError::Illegal(why),
            other => MoveError::Unknown(other),
        }
    }
}

impl Game {
    /// A game from this board on.
    pub fn new(solver: Arc<Solver>, start: Board, deal: Option<Deal>) -> Game {
        let shortest = deal.and_then(Deal::shortest);
        Game {
            solver,
            deal,
            board: start.clone(),
            start,
            made: Vec::new(),
            undone: Vec::new(),
            clock: Clock::default(),
            helped: false,
            shortest,
        }
    }

    /// The puzzle and its goal.
    pub fn frame(&self) -> &Frame {
        self.solver.frame()
    }

    /// What can solve it.
    pub fn solver(&self) -> &Arc<Solver> {
        &self.solver
    }

    /// How the first board came about, if it was dealt.
    pub fn deal(&self) -> Option<Deal> {
        self.deal
    }

    /// The first board.
    pub fn start(&self) -> &Board {
        &self.start
    }

    /// The board now.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The moves that led here.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> {
        self.made.iter().map(|(m, _)| *m)
    }

    /// How many moves can be made again.
    pub fn undone(&self) -> usize {
        self.undone.len()
    }

    /// Whether the goal is reached.
    pub fn is_solved(&self) -> bool {
        self.board == *self.frame().goal()
    }

    /// Makes a move; the first one starts the clock, the last one stops it.
    ///
    /// # Errors
    /// If the game is over, or the rules do not allow it.
    pub fn make(&mut self, m: Move, now: Instant) -> Result<(), MoveError> {
        self.advance(m, now)?;
        self.undone.clear();
        Ok(())
    }

    fn advance(&mut self, m: Move, now: Instant) -> Result<(), MoveError> {
        if self.is_solved() {
            return Err(MoveError::Solved);
        }
        let frame = self.solver.frame();
        let after = replay(frame.rules(), &self.board, &[frame.moves().name(m)])?;
        let before = std::mem::replace(&mut self.board, after);
        self.made.push((m, before));
        if self.is_solved() {
            self.clock.stop(now);
        } else {
            self.clock.start(now);
        }
        Ok(())
    }

    /// Takes the last move back, if there is one and the game is not over.
    pub fn undo(&mut self) -> Option<Move> {
        if self.is_solved() {
            return None;
        }
        let (m, before) = self.made.pop()?;
        self.board = before;
        self.undone.push(m);
        Some(m)
    }

    /// Makes the move again that was taken back last.
    pub fn redo(&mut self, now: Instant) -> Option<Move> {
        let m = self.undone.pop()?;
        self.advance(m, now).is_ok().then_some(m)
    }

    /// The same board from its beginning, as another game.
    #[must_use]
    pub fn again(&self) -> Game {
        let shortest = self.shortest;
        Game { shortest, ..Game::new(Arc::clone(&self.solver), self.start.clone(), self.deal) }
    }

    /// How long it has been played.
    pub fn elapsed(&self, now: Instant) -> Duration {
        self.clock.elapsed(now)
    }

    /// Stops the clock, or has it run on.
    pub fn pause(&mut self, pause: bool, now: Instant) {
        if pause {
            self.clock.stop(now);
        } else if !self.made.is_empty() && !self.is_solved() {
            self.clock.start(now);
        }
    }

    /// Whether the clock stands in the middle of the game.
    pub fn is_paused(&self) -> bool {
        !self.clock.is_running() && !self.made.is_empty() && !self.is_solved()
    }

    /// Remembers that a hint was given or a solution shown.
    pub fn mark_helped(&mut self) {
        self.helped = true;
    }

    /// Whether the player was helped.
    pub fn is_helped(&self) -> bool {
        self.helped
    }

    /// The fewest moves in which the first board can be solved, once that is known.
    pub fn shortest(&self) -> Option<u32> {
        self.shortest
    }

    /// Takes note of the fewest moves from a board on, if it is the first one.
    pub fn learn_shortest(&mut self, from: &Board, length: u32) {
        if *from == self.start {
            self.shortest = Some(length);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(start: &str) -> Game {
        let start: Board = start.parse().unwrap();
        Game::new(Arc::new(Solver::infer(&start).unwrap()), start, None)
    }

    fn play(game: &mut Game, name: &str, now: Instant) -> Result<(), MoveError> {
        let m = game.frame().moves().by_name(name).unwrap();
        game.make(m, now)
    }

    #[test]
    fn moves_are_made_taken_back_and_made_again() {
        let now = Instant::now();
        let mut game = game("1 2 5 3 4 0 6 7 8");
        assert!(play(&mut game, "Right", now).unwrap_err().to_string().contains("at the edge"));
        play(&mut game, "Up", now).unwrap();
        play(&mut game, "Left", now).unwrap();
        assert_eq!((game.moves().len(), game.board().to_string()), (2, "1 0 2 3 4 5 6 7 8".into()));
        game.undo().unwrap();
        game.undo().unwrap();
        assert!(game.undo().is_none() && game.board() == game.start());
        game.redo(now).unwrap();
        // A new move forgets what was taken back.
        play(&mut game, "Down", now).unwrap();
        assert_eq!((game.redo(now), game.moves().len()), (None, 2));
    }

    #[test]
    fn the_clock_runs_from_the_first_move_to_the_last() {
        let began = Instant::now();
        let at = |seconds| began + Duration::from_secs(seconds);
        let mut game = game("1 2 5 3 4 0 6 7 8");
        assert_eq!(game.elapsed(at(100)), Duration::ZERO);
        play(&mut game, "Up", at(100)).unwrap();
        play(&mut game, "Left", at(102)).unwrap();
        game.pause(true, at(103));
        assert!(game.is_paused());
        game.pause(false, at(200));
        play(&mut game, "Left", at(201)).unwrap();
        assert!(game.is_solved() && !game.is_paused());
        assert_eq!(game.elapsed(at(999)), Duration::from_secs(4));
        assert_eq!(play(&mut game, "Right", at(999)), Err(MoveError::Solved));
        assert!(game.undo().is_none());
        let again = game.again();
        assert!(again.board() == game.start() && again.moves().len() == 0);
    }
}
