//! A player at the board: one game after the other, the statistics, and the solution that hints are
//! taken from. The line mode and the screen both drive this, and neither keeps anything that counts.

use super::background::{self, Background, Means};
use super::deal::{Deal, date_number};
use super::game::{Game, MoveError};
use super::plan::Plan;
use super::shared_game::SharedGame;
use super::statistics::{Book, Discipline, Figures, Finish, NewBests, Played};
use crate::board::Board;
use crate::puzzle::{Frame, Move};
use crate::solver::{Answer, Solution, SolveError};
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime};

/// What is played is written down at least this often.
const SAVING: Duration = Duration::from_secs(5);

/// How long a hint may take.
const HINT_TIME: Duration = Duration::from_secs(2);

/// How long the fewest moves are looked for once a game is over.
const REVIEW_TIME: Duration = Duration::from_secs(10);

/// A search under way.
pub type Thinking = Background<Result<Answer, SolveError>>;

/// A player at the board.
pub struct Session {
    game: Game,
    means: Means,
    plan: Option<Plan>,
    book: Option<Book>,
    /// What is not written down yet.
    unsaved: Played,
    saved_at: Instant,
    /// The time on the clock that is written down, or about to be.
    counted: Duration,
    new_bests: NewBests,
    /// The figures of games like this one, once they are read.
    figures: Option<Figures>,
    /// What there is to tell about the statistics.
    notices: Vec<String>,
}

impl Session {
    /// Sits down at a game; without a book nothing is written down.
    pub fn new(game: Game, means: Means, book: Option<Book>) -> Session {
        Session {
            game,
            means,
            plan: None,
            book,
            unsaved: Played::default(),
            saved_at: Instant::now(),
            counted: Duration::ZERO,
            new_bests: NewBests::default(),
            figures: None,
            notices: Vec::new(),
        }
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The puzzle.
    pub fn frame(&self) -> &Frame {
        self.game.frame()
    }

    /// What searches may use.
    pub fn means(&self) -> Means {
        self.means
    }

    /// Makes a move.
    ///
    /// # Errors
    /// If the game is over, or the rules do not allow it.
    pub fn make(&mut self, m: Move, now: Instant) -> Result<(), MoveError> {
        let first = self.game.moves().len() == 0 && self.game.undone() == 0;
        self.game.make(m, now)?;
        self.count(first, now);
        Ok(())
    }

    /// Takes the last move back.
    pub fn undo(&mut self) -> Option<Move> {
        self.game.undo()
    }

    /// Makes the move again that was taken back last.
    pub fn redo(&mut self, now: Instant) -> Option<Move> {
        let again = self.game.redo(now)?;
        self.count(false, now);
        Some(again)
    }

    /// Counts a move that was just made.
    fn count(&mut self, first: bool, now: Instant) {
        self.unsaved.moves += 1;
        self.unsaved.started |= first;
        if self.game.is_solved() {
            let (moves, seconds) =
                (self.game.moves().len() as u64, self.game.elapsed(now).as_secs_f64());
            let seed = self.game.deal().map_or(0, |deal| deal.seed);
            let date = date_number(SystemTime::now());
            self.unsaved.finish = Some(Finish { moves, seconds, seed, date });
        }
        // A beginning and an end are written down at once, the rest from time to time.
        if first || self.game.is_solved() {
            self.save(now);
        }
    }

    /// Begins the same board again.
    pub fn restart(&mut self, now: Instant) {
        let again = self.game.again();
        self.begin(again, now);
    }

    /// Begins another game.
    pub fn begin(&mut self, game: Game, now: Instant) {
        self.save(now);
        self.plan = self.plan.take().filter(|_| Arc::ptr_eq(game.solver(), self.game.solver()));
        self.counted = Duration::ZERO;
        self.new_bests = NewBests::default();
        self.figures = None;
        self.game = game;
    }

    /// Stops the clock, or has it run on.
    pub fn pause(&mut self, pause: bool, now: Instant) {
        self.game.pause(pause, now);
    }

    /// The next move, if the solution that hints are taken from passes here.
    pub fn known_hint(&mut self) -> Option<Move> {
        let hint = self.plan.as_ref()?.next(self.game.board())?;
        self.game.mark_helped();
        Some(hint)
    }

    /// What is left of the known solution from here on, and whether it is proven shortest.
    pub fn known_solution(&self) -> Option<(&[Move], bool)> {
        let plan = self.plan.as_ref()?;
        Some((plan.from(self.game.board())?, plan.is_shortest))
    }

    /// Looks for a hint.
    pub fn think_of_hint(&self) -> Thinking {
        background::solve(self.game.solver(), self.game.board(), HINT_TIME, self.means)
    }

    /// Looks for a solution, for so long at most.
    pub fn think_of_solution(&self, longest: Duration) -> Thinking {
        background::solve(self.game.solver(), self.game.board(), longest, self.means)
    }

    /// Looks for the fewest moves from the first board on.
    pub fn think_of_shortest(&self) -> Thinking {
        background::solve(self.game.solver(), self.game.start(), REVIEW_TIME, self.means)
    }

    /// Deals another board of the same puzzle.
    pub fn dealing(&self, deal: Deal) -> Background<Result<Board, super::deal::DealError>> {
        background::deal(self.game.solver(), deal, self.means)
    }

    /// Takes a solution of a board as the one to follow.
    pub fn follow(&mut self, board: &Board, solution: &Solution) {
        self.learn(board, solution);
        self.game.mark_helped();
        self.plan = Some(Plan::new(self.game.frame(), board, solution));
    }

    /// Learns how short a solution of a board can be, and does not show it.
    pub fn learn(&mut self, board: &Board, solution: &Solution) {
        if solution.is_optimal() {
            self.game.learn_shortest(board, solution.len() as u32);
        }
    }

    /// The game as one line of text.
    pub fn share(&self, now: Instant) -> SharedGame {
        SharedGame::new(&self.game, now)
    }

    /// Writes down what was played since the last time.
    pub fn save(&mut self, now: Instant) {
        let elapsed = self.game.elapsed(now);
        self.unsaved.seconds += elapsed.saturating_sub(self.counted).as_secs_f64();
        self.counted = elapsed;
        self.saved_at = now;
        let played = std::mem::take(&mut self.unsaved);
        let nothing = Played { seconds: played.seconds, ..Played::default() } == played
            && played.seconds == 0.0;
        let (Some(book), Some(discipline)) = (&self.book, self.discipline()) else { return };
        if nothing {
            return;
        }
        let played = Played { helped: self.game.is_helped(), ..played };
        match book.add(&discipline, &played) {
            Ok(written) => {
                self.notices.extend(written.set_aside.map(|it| it.to_string()));
                self.new_bests = written.new;
                self.figures = Some(written.figures);
            }
            Err(error) => {
                // Once is enough.
                self.notices.push(error.to_string());
                self.book = None;
            }
        }
    }

    /// Writes down what was played, if the last time is long ago.
    pub fn save_from_time_to_time(&mut self, now: Instant) {
        if now.saturating_duration_since(self.saved_at) >= SAVING {
            self.save(now);
        }
    }

    /// Under which name the game is counted; a board that was not dealt is not.
    pub fn discipline(&self) -> Option<Discipline> {
        let frame = self.game.frame();
        let goal = frame.goal_name().map_or_else(|| frame.goal().to_string(), str::to_owned);
        Some(Discipline::new(frame.id(), &goal, self.game.deal()?.kind))
    }

    /// The figures of games like this one, if there are any.
    pub fn figures(&mut self) -> Option<Figures> {
        if self.figures.is_none() {
            let discipline = self.discipline()?;
            match self.book.as_ref()?.read() {
                Ok(mut games) => {
                    self.figures = Some(games.remove(discipline.name()).unwrap_or_default());
                }
                Err(error) => {
                    self.notices.push(error.to_string());
                    self.book = None;
                }
            }
        }
        self.figures.clone().filter(|figures| figures.started > 0)
    }

    /// Which bests the last game has broken.
    pub fn new_bests(&self) -> NewBests {
        self.new_bests
    }

    /// What there is to tell about the statistics since the last call.
    pub fn take_notices(&mut self) -> Vec<String> {
        std::mem::take(&mut self.notices)
    }
}

impl Drop for Session {
    /// Whoever leaves in the middle, in order or by a panic, loses nothing.
    fn drop(&mut self) {
        self.save(Instant::now());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::deal::DealKind;
    use crate::solver::Solver;

    const MEANS: Means = Means { bytes: 1 << 28, threads: 1 };

    fn session(folder: &std::path::Path) -> Session {
        let start: Board = "1 2 5 3 4 0 6 7 8".parse().unwrap();
        let solver = Arc::new(Solver::infer(&start).unwrap());
        let deal = Some(Deal { kind: DealKind::Uniform, seed: 7 });
        Session::new(Game::new(solver, start, deal), MEANS, Some(Book::new(folder)))
    }

    fn play(session: &mut Session, names: &[&str], now: Instant) {
        for name in names {
            let m = session.frame().moves().by_name(name).unwrap();
            session.make(m, now).unwrap();
        }
    }

    #[test]
    fn a_game_left_in_the_middle_is_counted() {
        let folder = tempfile::tempdir().unwrap();
        let figures = || {
            let games = Book::new(folder.path()).read().unwrap();
            games.get("sliding3 blank-first uniform").cloned().unwrap_or_default()
        };
        let now = Instant::now();
        let mut left = session(folder.path());
        play(&mut left, &["Up"], now);
        // Even if the process ends here, the game has begun.
        assert_eq!((figures().started, figures().moves), (1, 1));
        play(&mut left, &["Left"], now);
        left.save_from_time_to_time(now + SAVING);
        assert_eq!((figures().started, figures().moves, figures().seconds), (1, 2, 5.0));
        drop(left);
        let mut solved = session(folder.path());
        play(&mut solved, &["Up", "Left", "Left"], now);
        assert!(solved.new_bests().moves && solved.new_bests().time);
        drop(solved);
        let figures = figures();
        assert_eq!((figures.started, figures.solved, figures.moves), (2, 1, 5));
        assert_eq!(figures.fewest_moves.unwrap().moves, 3);
    }

    #[test]
    fn hints_follow_one_solution_and_count_as_help() {
        let folder = tempfile::tempdir().unwrap();
        let mut session = session(folder.path());
        assert_eq!(session.known_hint(), None);
        let board = session.game().board().clone();
        let thinking = session.think_of_hint();
        let solution = loop {
            match thinking.wait(Duration::from_secs(60)) {
                Some(background::News::Done(answer)) => break answer.unwrap().solution().unwrap(),
                Some(background::News::Found { .. }) => {}
                other => panic!("{other:?}"),
            }
        };
        session.follow(&board, &solution);
        assert_eq!(session.game().shortest(), Some(3));
        for left in (1..=3).rev() {
            assert_eq!(session.known_solution().unwrap().0.len(), left);
            let hint = session.known_hint().unwrap();
            session.make(hint, Instant::now()).unwrap();
        }
        assert!(session.game().is_solved());
        assert_eq!(session.figures().unwrap().solved_with_help, 1);
    }
}
