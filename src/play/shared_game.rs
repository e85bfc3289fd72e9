//! A game as one line of text, to be passed on and shown again:
//!
//! ```text
//! permutile=1 puzzle=torus3 start=2,3,1,4,5,6,7,8,9 moves=R1 seconds=1.5 scramble=uniform seed=7
//! ```
//!
//! `goal` is there if it is not the default, and `seconds`, `scramble` and `seed` if they are known.

use super::deal::{Deal, DealKind, UnknownDeal};
use super::game::Game;
use crate::board::move_list::{MoveListError, Reading, Spellings};
use crate::board::text::{ParseError, parse_one};
use crate::board::{Board, Shape};
use crate::puzzle::{Frame, Goal};
use std::fmt;
use std::str::FromStr;
use std::time::Instant;

/// The version of the line.
const VERSION: &str = "1";

/// A game as it is passed on.
#[derive(Clone, PartialEq, Debug)]
pub struct SharedGame {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The name of the goal or its tiles, if it is not the default.
    pub goal: Option<String>,
    /// The tiles of the first board.
    pub start: String,
    /// The names of the moves.
    pub moves: String,
    /// How long it took.
    pub seconds: Option<f64>,
    /// How the board was dealt.
    pub deal: Option<Deal>,
}

/// Why a text is no game.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum SharedGameError {
    /// A part that is not `name=value`.
    #[error("\"{0}\" is not of the form name=value, as in puzzle=torus4")]
    Part(String),
    /// A name that no part has, or one that is there twice.
    #[error("\"{0}\" does not belong here, or is here twice")]
    Unexpected(String),
    /// A part is missing.
    #[error("{0}=... is missing: a game is a whole line as `share` prints it")]
    Missing(&'static str),
    /// Of another version.
    #[error("a game of version {0}; this permutile reads version {VERSION}")]
    Version(String),
    /// A number that is none.
    #[error("{name}={value}: expected a number")]
    Number {
        /// Which part.
        name: &'static str,
        /// What it says.
        value: String,
    },
    /// A scramble that is none.
    #[error(transparent)]
    Deal(#[from] UnknownDeal),
    /// A board that is none.
    #[error("start or goal: {0}")]
    Board(#[from] ParseError),
    /// Moves that are none.
    #[error("moves: {0}")]
    Moves(#[from] MoveListError),
}

impl SharedGame {
    /// A game as it stands.
    pub fn new(game: &Game, now: Instant) -> SharedGame {
        let frame = game.frame();
        let tiles = |board: &Board| -> String {
            board.tiles().iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
        };
        let goal = match frame.goal_name() {
            Some("blank-last") => Some("blank-last".to_owned()),
            Some(_) => None,
            None => Some(tiles(frame.goal())),
        };
        let names: Vec<&str> = game.moves().map(|m| frame.moves().name(m)).collect();
        SharedGame {
            puzzle: frame.id().to_owned(),
            goal,
            start: tiles(game.start()),
            moves: names.join(","),
            seconds: Some(game.elapsed(now).as_secs_f64()),
            deal: game.deal(),
        }
    }

    /// The goal, of a puzzle of this shape.
    ///
    /// # Errors
    /// If it is no board.
    pub fn goal(&self, shape: Shape) -> Result<Goal, SharedGameError> {
        Ok(match self.goal.as_deref() {
            None => Goal::Default,
            Some("blank-last") => Goal::BlankLast,
            Some(tiles) => Goal::Board(parse_one("goal", tiles.as_bytes(), Some(shape))?.board),
        })
    }

    /// The first board and the names of the moves, of a puzzle.
    ///
    /// # Errors
    /// If they are none of it.
    pub fn read(&self, frame: &Frame) -> Result<(Board, Vec<String>), SharedGameError> {
        let start = parse_one("start", self.start.as_bytes(), Some(frame.shape()))?.board;
        let names = frame.rules().move_names();
        let spellings = Spellings::new(frame.rules(), &names, Reading::Blank);
        let moves = spellings.read(&self.moves)?.into_iter().map(str::to_owned).collect();
        Ok((start, moves))
    }
}

impl fmt::Display for SharedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SharedGame { puzzle, goal, start, moves, seconds, deal } = self;
        write!(f, "permutile={VERSION} puzzle={puzzle}")?;
        goal.iter().try_for_each(|goal| write!(f, " goal={goal}"))?;
        write!(f, " start={start} moves={moves}")?;
        seconds.iter().try_for_each(|seconds| write!(f, " seconds={seconds:.1}"))?;
        deal.iter().try_for_each(|Deal { kind, seed }| write!(f, " scramble={kind} seed={seed}"))
    }
}

impl FromStr for SharedGame {
    type Err = SharedGameError;

    fn from_str(line: &str) -> Result<SharedGame, SharedGameError> {
        const NAMES: [&str; 8] =
            ["permutile", "puzzle", "goal", "start", "moves", "seconds", "scramble", "seed"];
        let mut values: [Option<&str>; 8] = [None; 8];
        for part in line.split_whitespace() {
            let (name, value) =
                part.split_once('=').ok_or_else(|| SharedGameError::Part(part.to_owned()))?;
            let place = NAMES.iter().position(|known| *known == name);
            let place = place.and_then(|place| values.get_mut(place)).filter(|v| v.is_none());
            *place.ok_or_else(|| SharedGameError::Unexpected(name.to_owned()))? = Some(value);
        }
        let [version, puzzle, goal, start, moves, seconds, scramble, seed] = values;
        let missing = |name| move || SharedGameError::Missing(name);
        match version.ok_or_else(missing("permutile"))? {
            VERSION => {}
            other => return Err(SharedGameError::Version(other.to_owned())),
        }
        let no_number =
            |name, value: &str| SharedGameError::Number { name, value: value.to_owned() };
        let seconds = seconds
            .map(|text| {
                let seconds = text.parse().ok().filter(|s: &f64| s.is_finite() && *s >= 0.0);
                seconds.ok_or_else(|| no_number("seconds", text))
            })
            .transpose()?;
        let deal = match (scramble, seed) {
            (None, None) => None,
            (None, Some(_)) => return Err(SharedGameError::Missing("scramble")),
            (Some(_), None) => return Err(SharedGameError::Missing("seed")),
            (Some(kind), Some(seed)) => {
                let number = seed.parse().map_err(|_| no_number("seed", seed))?;
                Some(Deal { kind: kind.parse::<DealKind>()?, seed: number })
            }
        };
        Ok(SharedGame {
            puzzle: puzzle.ok_or_else(missing("puzzle"))?.to_owned(),
            goal: goal.map(str::to_owned),
            start: start.ok_or_else(missing("start"))?.to_owned(),
            moves: moves.ok_or_else(missing("moves"))?.to_owned(),
            seconds,
            deal,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINE: &str = "permutile=1 puzzle=torus3 start=2,3,1,4,5,6,7,8,9 moves=R1 seconds=1.5 \
                        scramble=moves:20 seed=7";

    #[test]
    fn lines_read_back() {
        for line in [
            LINE,
            "permutile=1 puzzle=sliding2 goal=blank-last start=1,2,0,3 moves=Right",
            "permutile=1 puzzle=sliding2 goal=3,2,1,0 start=1,2,0,3 moves=",
        ] {
            assert_eq!(line.parse::<SharedGame>().unwrap().to_string(), line);
        }
    }

    #[test]
    fn what_is_no_game_is_refused_with_the_reason() {
        let error = |line: &str| line.parse::<SharedGame>().unwrap_err().to_string();
        assert!(error("torus4").contains("name=value"));
        assert!(error("").contains("permutile=... is missing"));
        assert!(error(&LINE.replace("permutile=1", "permutile=2")).contains("version 2"));
        assert!(error(&LINE.replace("start=", "moves=")).contains("\"moves\" does not belong"));
        assert!(error(&LINE.replace("seed=7", "")).contains("seed=... is missing"));
        assert!(error(&LINE.replace("moves:20", "easy")).contains("\"easy\" is no scramble"));
        assert!(error(&LINE.replace("1.5", "-1")).contains("seconds=-1"));
        assert!(error(&LINE.replace("1.5", "NaN")).contains("seconds=NaN"));
    }

    #[test]
    fn boards_and_moves_are_those_of_the_puzzle() {
        let puzzle = crate::puzzle::AnyPuzzle::from_id("torus3").unwrap();
        let read = |line: &str| line.parse::<SharedGame>().unwrap().read(puzzle.frame());
        let (start, moves) = read(LINE).unwrap();
        assert_eq!((start.to_string().as_str(), moves.len()), ("2 3 1 4 5 6 7 8 9", 1));
        assert!(read(&LINE.replace("R1", "R4")).is_err());
        assert!(read(&LINE.replace("2,3,1", "2,3")).is_err());
    }
}
