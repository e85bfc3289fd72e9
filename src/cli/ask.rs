//! Asks for a board on a terminal: which puzzle or size, then row by row, with a way back.

use super::output::{complaint, note};
use super::play::read_line;
use super::{Common, interrupt};
use anyhow::Context;
use permutile::board::text::parse_one;
use permutile::board::{Board, Shape};
use permutile::lab::solvers::load_definition;
use permutile::play::board_entry::BoardEntry;
use permutile::puzzle::{Definition, Frame, Goal, Unsolvable, registry};
use std::io::{self, IsTerminal, Write};

/// What the player gave.
pub(super) struct Asked {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The goal, where it was asked for or follows from the board.
    pub goal: Option<&'static str>,
    /// The board.
    pub board: Board,
}

/// What the player wants to give.
enum Wanted {
    Puzzle(Definition),
    Size(Shape),
    Board(Board),
}

enum Reply {
    Line(String),
    Back,
    Leave,
}

/// Whether there is somebody to ask.
pub(super) fn is_possible() -> bool {
    io::stdin().is_terminal() && io::stderr().is_terminal()
}

/// Asks for a board, of the puzzle or size that is known; `None` if the player leaves.
///
/// # Errors
/// If the terminal fails, or there is no such puzzle.
pub(super) fn for_board(
    puzzle: Option<&str>,
    shape: Option<Shape>,
    goal: &Goal,
    common: &Common,
) -> anyhow::Result<Option<Asked>> {
    note("A board is asked for row by row; `back` goes a step back, `quit` leaves.");
    let known = match (puzzle, shape) {
        (Some(id), _) => Some(Wanted::Puzzle(load_definition(id)?)),
        (None, shape) => shape.map(Wanted::Size),
    };
    let dialogue = Dialogue { goal, common };
    let mut wanted = known;
    loop {
        let asked = match wanted.take() {
            Some(wanted) => wanted,
            None => match ask_what()? {
                Some(wanted) => wanted,
                None => return Ok(None),
            },
        };
        match dialogue.rows(asked)? {
            Some(Ok(asked)) => return Ok(Some(asked)),
            Some(Err(Back)) => {}
            None => return Ok(None),
        }
    }
}

/// The player went back to the question before.
struct Back;

/// The puzzle or the size; `None` if the player leaves.
fn ask_what() -> anyhow::Result<Option<Wanted>> {
    loop {
        let reply = ask("Puzzle or size (sliding4, torus4, rings5, 4x4, a .toml file): ")?;
        let line = match reply {
            Reply::Line(line) => line,
            Reply::Back => continue,
            Reply::Leave => return Ok(None),
        };
        match what(&line) {
            Ok(wanted) => return Ok(Some(wanted)),
            Err(error) => note(complaint(&error)),
        }
    }
}

/// A number or `RxC` is a size, several numbers are a board, anything else is a puzzle.
fn what(line: &str) -> anyhow::Result<Wanted> {
    if let Ok(side) = line.parse::<usize>() {
        return Ok(Wanted::Size(Shape::new(side, side)?));
    }
    if let Ok(shape) = line.parse::<Shape>() {
        return Ok(Wanted::Size(shape));
    }
    if line.starts_with(|c: char| c.is_ascii_digit()) {
        return Ok(Wanted::Board(parse_one("this line", line.as_bytes(), None)?.board));
    }
    Ok(Wanted::Puzzle(load_definition(line)?))
}

/// Asks for one line.
fn ask(question: &str) -> anyhow::Result<Reply> {
    let mut out = io::stderr().lock();
    out.write_all(question.as_bytes()).and_then(|()| out.flush()).context("the terminal")?;
    let line = interrupt::while_waiting(read_line).context("the terminal")?;
    Ok(match line.as_deref().map(str::trim) {
        None => {
            // The end of input leaves the question without an end of line.
            note("");
            Reply::Leave
        }
        Some("quit" | "q") => Reply::Leave,
        Some("back" | "b") => Reply::Back,
        Some(line) => Reply::Line(line.to_owned()),
    })
}

struct Dialogue<'a> {
    goal: &'a Goal,
    common: &'a Common,
}

impl Dialogue<'_> {
    /// Asks for the rows; `None` if the player leaves.
    fn rows(&self, wanted: Wanted) -> anyhow::Result<Option<Result<Asked, Back>>> {
        let frame = match &wanted {
            Wanted::Puzzle(definition) => Some(self.frame(definition.clone())?),
            Wanted::Size(_) | Wanted::Board(_) => None,
        };
        let mut entry = match (&wanted, &frame) {
            (_, Some(frame)) => BoardEntry::of_puzzle(frame),
            (Wanted::Size(shape), None) => BoardEntry::of_size(*shape),
            (Wanted::Board(board), None) => BoardEntry::of_size(board.shape()),
            (Wanted::Puzzle(_), None) => unreachable!("a puzzle has its frame"),
        };
        if let Wanted::Board(board) = wanted {
            return Ok(Some(self.judged(board, None)?.ok_or(Back)));
        }
        note(format!("{}: the tiles are {}.", entry.shape(), entry.range()));
        loop {
            let left = match entry.left() {
                left if entry.rows() > 0 && left.len() <= 2 * entry.shape().cols() => {
                    let left: Vec<String> = left.iter().map(ToString::to_string).collect();
                    format!(" (left: {})", left.join(" "))
                }
                _ => String::new(),
            };
            let (row, rows) = (entry.rows() + 1, entry.shape().rows());
            match ask(&format!("row {row} of {rows}{left}: "))? {
                Reply::Leave => return Ok(None),
                Reply::Back if !entry.back() => return Ok(Some(Err(Back))),
                Reply::Back => {}
                Reply::Line(line) => match entry.add(&line) {
                    Ok(None) => {
                        if self.is_unsolvable_so_far(&entry, frame.as_ref())? {
                            note(
                                "unsolvable so far: however the tiles that are left are placed, no \
                                 moves lead to the goal; type the row again, or back",
                            );
                            entry.back();
                        }
                    }
                    Ok(Some(board)) => match self.judged(board, frame.as_ref())? {
                        Some(asked) => return Ok(Some(Ok(asked))),
                        None => {
                            entry.back();
                        }
                    },
                    Err(error) => note(format!("{error}; type the row again, or back")),
                },
            }
        }
    }

    /// Whether none of the boards that this can become is solvable, if they are few enough to tell.
    fn is_unsolvable_so_far(
        &self,
        entry: &BoardEntry<'_>,
        known: Option<&Frame>,
    ) -> anyhow::Result<bool> {
        let Some(boards) = entry.completions() else { return Ok(false) };
        let mut inferred: Option<Frame> = None;
        for board in boards {
            let frame = match (known, &inferred) {
                (Some(frame), _) => frame,
                (None, Some(frame)) if frame.encode(&board).is_ok() => frame,
                (None, _) => match registry::infer(&board) {
                    Ok(definition) => inferred.insert(self.frame(definition)?),
                    Err(_) => return Ok(false),
                },
            };
            let leads_elsewhere = match frame.check_solvable(&frame.encode(&board)?) {
                Ok(()) => return Ok(false),
                Err(Unsolvable::BlankParity { other_goal, .. }) => other_goal.is_some(),
                Err(_) => false,
            };
            if leads_elsewhere && self.goal_is_open(frame) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn frame(&self, definition: Definition) -> anyhow::Result<Frame> {
        Ok(Frame::new(definition, self.goal.clone(), self.common.simd())?)
    }

    /// Whether nobody has said where the blank belongs.
    fn goal_is_open(&self, frame: &Frame) -> bool {
        *self.goal == Goal::Default && frame.blank_label().is_some()
    }

    /// The board with its puzzle and goal; `None` if it cannot be solved, which is told.
    fn judged(&self, board: Board, known: Option<&Frame>) -> anyhow::Result<Option<Asked>> {
        let inferred;
        let frame = match known {
            Some(frame) => frame,
            None => {
                let definition = match registry::infer(&board) {
                    Ok(definition) => definition,
                    Err(error) => {
                        note(error);
                        return Ok(None);
                    }
                };
                inferred = self.frame(definition)?;
                &inferred
            }
        };
        let puzzle = frame.id().to_owned();
        let labels = frame.encode(&board)?;
        let goal_is_open = self.goal_is_open(frame);
        let goal = match frame.check_solvable(&labels) {
            Ok(()) if goal_is_open && self.reaches_blank_last(&puzzle, &board)? => {
                match ask("Where does the blank belong, first or last? [first] ")? {
                    Reply::Line(line) if line.to_lowercase().starts_with('l') => Some("blank-last"),
                    Reply::Line(_) => Some("blank-first"),
                    Reply::Back | Reply::Leave => return Ok(None),
                }
            }
            Ok(()) => None,
            Err(Unsolvable::BlankParity { other_goal: Some(other), .. }) if goal_is_open => {
                note(format!("From this board, only the goal {other} can be reached."));
                Some(other)
            }
            Err(reason) => {
                note(format!("unsolvable: {reason}; type the row again, or back"));
                return Ok(None);
            }
        };
        Ok(Some(Asked { puzzle, goal, board }))
    }

    fn reaches_blank_last(&self, puzzle: &str, board: &Board) -> anyhow::Result<bool> {
        let frame = Frame::new(load_definition(puzzle)?, Goal::BlankLast, self.common.simd())?;
        Ok(frame.check_solvable(&frame.encode(board)?).is_ok())
    }
}
