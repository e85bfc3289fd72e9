//! How the first board of a game comes about: by random moves, uniformly, at an exact distance, or
//! the one of the day. The same deal gives the same board for ever.

use crate::board::Board;
use crate::lab::exact_distance::{ExactDistanceError, boards_at_distance, too_many_to_enumerate};
use crate::lab::scramble::{ScrambleError, ScrambleKind, scramble};
use crate::limits::Limits;
use crate::solver::Solver;
use std::fmt;
use std::hash::{BuildHasher, RandomState};
use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

/// A deal tries this many boards for one that is not solved already.
const TRIES: u64 = 8;

/// The most random moves.
pub const MOST_MOVES: u32 = 1_000_000;

/// The farthest distance that may be asked for.
pub const FARTHEST: u32 = 100_000;

/// How boards are drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DealKind {
    /// Each solvable board equally likely.
    Uniform,
    /// This many random moves from the goal.
    Moves(u32),
    /// At this distance from the goal.
    ExactDepth(u32),
    /// The same for everybody on one day: uniform, and the date is the seed.
    Daily,
}

/// A kind of board, and which of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Deal {
    /// How it is drawn.
    pub kind: DealKind,
    /// Where the random numbers start.
    pub seed: u64,
}

/// Why there is no such board.
#[derive(Debug, thiserror::Error)]
pub enum DealError {
    /// None of its kind, or too many to count.
    #[error(transparent)]
    Scramble(#[from] ScrambleError),
    /// None at that distance.
    #[error(transparent)]
    Distance(#[from] ExactDistanceError),
}

/// A text that is no kind of deal.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is no scramble: expected uniform, daily, moves:K or depth:D")]
pub struct UnknownDeal(String);

impl Deal {
    /// With a seed that nobody chose; that of the daily board is the date.
    pub fn random(kind: DealKind) -> Deal {
        let seed = match kind {
            DealKind::Daily => date_number(SystemTime::now()),
            // Short enough to be passed on.
            _ => u64::from(RandomState::new().hash_one(SystemTime::now()) as u32),
        };
        Deal { kind, seed }
    }

    /// How far the board is from the goal, if the deal says so.
    pub fn shortest(self) -> Option<u32> {
        match self.kind {
            DealKind::ExactDepth(depth) => Some(depth),
            _ => None,
        }
    }

    /// The board.
    ///
    /// # Errors
    /// If there is none at the distance asked for, or if it was not found within the limits.
    pub fn board(self, solver: &Solver, limits: &Limits<'_>) -> Result<Board, DealError> {
        let kind = match self.kind {
            DealKind::Uniform | DealKind::Daily => ScrambleKind::Uniform,
            DealKind::Moves(moves) => ScrambleKind::Moves(moves),
            DealKind::ExactDepth(depth) => ScrambleKind::ExactDepth(depth),
        };
        let boards = match self.kind {
            DealKind::ExactDepth(depth) if too_many_to_enumerate(solver.frame(), depth) => {
                boards_at_distance(solver, depth, self.seed, 1, limits, &|| ())?
            }
            DealKind::ExactDepth(_) => scramble(solver.puzzle(), kind, self.seed, 1, limits)?,
            _ => scramble(solver.puzzle(), kind, self.seed, TRIES, limits)?,
        };
        let is_unsolved = |board: &&Board| *board != solver.frame().goal();
        let board = boards.iter().find(is_unsolved).or(boards.first());
        Ok(board.expect("at least one was asked for").clone())
    }
}

impl fmt::Display for DealKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DealKind::Uniform => f.write_str("uniform"),
            DealKind::Moves(moves) => write!(f, "moves:{moves}"),
            DealKind::ExactDepth(depth) => write!(f, "depth:{depth}"),
            DealKind::Daily => f.write_str("daily"),
        }
    }
}

impl FromStr for DealKind {
    type Err = UnknownDeal;

    fn from_str(text: &str) -> Result<DealKind, UnknownDeal> {
        let unknown = || UnknownDeal(text.to_owned());
        let number = |digits: &str, most: u32| {
            digits.parse::<u32>().ok().filter(|&number| number <= most).ok_or_else(unknown)
        };
        match text.split_once([':', ' ']) {
            None if text == "uniform" => Ok(DealKind::Uniform),
            None if text == "daily" => Ok(DealKind::Daily),
            Some(("moves", digits)) => Ok(DealKind::Moves(number(digits, MOST_MOVES)?)),
            Some(("depth", digits)) => Ok(DealKind::ExactDepth(number(digits, FARTHEST)?)),
            _ => Err(unknown()),
        }
    }
}

/// The date of a moment, everywhere the same, as a number: 20240229.
pub fn date_number(moment: SystemTime) -> u64 {
    let days = moment.duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs() / 86_400);
    // Years that begin in March end with the leap day, and 400 of them have 146,097 days.
    let from_march = days + 719_468;
    let (era, day) = (from_march / 146_097, from_march % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, next_year) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (era * 400 + year + next_year) * 10_000 + month * 100 + of_month
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Goal, registry};
    use std::time::Duration;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let date = |days: u64| date_number(UNIX_EPOCH + Duration::from_secs(days * 86_400 + 3));
        assert_eq!([date(0), date(59), date(11_016)], [19_700_101, 19_700_301, 20_000_229]);
        assert_eq!([date(19_782), date(19_783)], [20_240_229, 20_240_301]);
        assert_eq!(date(20_818), 20_261_231);
    }

    #[test]
    fn kinds_read_back() {
        for kind in
            [DealKind::Uniform, DealKind::Daily, DealKind::Moves(20), DealKind::ExactDepth(7)]
        {
            assert_eq!(kind.to_string().parse(), Ok(kind));
        }
        for text in ["", "moves", "moves:x", "depth:-1", "depth:100001", "uniform:3"] {
            assert!(text.parse::<DealKind>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_deal_is_the_same_for_ever_and_not_solved() {
        let solver = |id| Solver::new(registry::define(id).unwrap(), Goal::Default, Simd::detect());
        let solver = |id| solver(id).unwrap();
        let limits = Limits::default();
        let (fifteen, small) = (solver("sliding4"), solver("sliding2"));
        for kind in [DealKind::Uniform, DealKind::Moves(9), DealKind::ExactDepth(5)] {
            let deal = Deal { kind, seed: 7 };
            let board = deal.board(&fifteen, &limits).unwrap();
            assert_eq!(deal.board(&fifteen, &limits).unwrap(), board);
        }
        for seed in 0..40 {
            let board = Deal { kind: DealKind::Uniform, seed }.board(&small, &limits).unwrap();
            assert_ne!(board, *small.frame().goal());
        }
        let far = Deal { kind: DealKind::ExactDepth(7), seed: 0 };
        assert!(far.board(&small, &limits).unwrap_err().to_string().contains("farthest are 6"));
    }
}
