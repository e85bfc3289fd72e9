//! The independent checker: replays moves on plain arrays, as a person would.
//!
//! This is the referee of everything that the solver claims, so it shares no
//! code with it: no packed states, no move tables, no symmetry. Every move is
//! defined here once more, in words that can be compared with the rules at a
//! glance. Each one comes down to a walk over some cells, along which every tile
//! goes one cell forward and the last one goes to the first cell.

use super::{Board, Shape, Tile};

/// The moves of a puzzle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rules {
    /// Rows slide left and right, columns up and down, with wrap-around.
    Torus(Shape),
    /// The torus, and the concentric rings of cells turn.
    Rings(Shape),
    /// One blank, swapped with a neighbour.
    Sliding(Shape),
    /// Moves given as cycles of cells.
    Cycles {
        /// The grid.
        shape: Shape,
        /// The moves.
        moves: Vec<CycleMove>,
    },
}

/// A move given as cycles: the tile in each cell of a cycle goes to the cycle's
/// next cell, the last one's to the first. No cell is in it twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CycleMove {
    /// The name of the move.
    pub name: String,
    /// Cells, counted from 0 row by row.
    pub cycles: Vec<Vec<usize>>,
}

/// Why the checker refuses a list of moves. An `index` counts from 0, the
/// message from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum CheckError {
    /// The puzzle has no such move.
    #[error("move {}, {name:?}: this puzzle has no such move", index + 1)]
    UnknownMove {
        /// Which move of the list.
        index: usize,
        /// Its name.
        name: String,
    },
    /// The move cannot be made on this board.
    #[error("move {}, {name:?}: {why}", index + 1)]
    IllegalMove {
        /// Which move of the list.
        index: usize,
        /// Its name.
        name: String,
        /// The reason.
        why: Illegal,
    },
    /// All moves can be made but lead elsewhere.
    #[error("after all moves ({moves}) the board is {reached}, not the goal")]
    NotTheGoal {
        /// How many moves there were.
        moves: usize,
        /// The board they lead to.
        reached: Board,
    },
    /// A board is not of the puzzle's shape.
    #[error("the puzzle is {wanted}, the board {found}")]
    WrongShape {
        /// The shape of the board.
        found: Shape,
        /// The shape of the puzzle.
        wanted: Shape,
    },
}

/// Why a move that exists cannot be made.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// The blank would leave the board.
    #[error("the blank is at the edge")]
    BlankAtEdge,
    /// A sliding move on a board without a blank.
    #[error("the board has no blank")]
    NoBlank,
    /// The cycles of the move are not cycles of this board's cells.
    #[error("its cycles name cell {cell} twice, or the board has no such cell")]
    BadCycles {
        /// The cell, counted from 0.
        cell: usize,
    },
}

/// Why a single move was refused.
enum Refusal {
    Unknown,
    Illegal(Illegal),
}

/// Which way round a ring turns.
#[derive(Clone, Copy)]
enum Turn {
    Clockwise,
    CounterClockwise,
}

/// The cells of a ring lie in these rows and columns, at their rim.
#[derive(Clone, Copy)]
struct Ring {
    top: usize,
    bottom: usize,
    left: usize,
    right: usize,
}

/// Makes the moves one after the other and gives the board they lead to.
///
/// # Errors
/// If a move does not exist or cannot be made, or the board has another shape.
pub fn replay<M: AsRef<str>>(
    rules: &Rules,
    start: &Board,
    moves: &[M],
) -> Result<Board, CheckError> {
    rules.expect_shape(start)?;
    let mut tiles: Box<[Tile]> = start.tiles().into();
    for (index, name) in moves.iter().map(AsRef::as_ref).enumerate() {
        rules.make(&mut tiles, name).map_err(|refusal| match refusal {
            Refusal::Unknown => CheckError::UnknownMove { index, name: name.to_owned() },
            Refusal::Illegal(why) => CheckError::IllegalMove { index, name: name.to_owned(), why },
        })?;
    }
    // Still a board: every move only rearranges the tiles.
    Ok(Board { shape: start.shape(), tiles })
}

/// Checks that the moves lead from `start` to `goal`.
///
/// ```
/// use permutile::board::check::{Rules, verify};
/// use permutile::board::text::parse_one;
///
/// let start = parse_one("start", b"1 2 0 / 3 4 5 / 6 7 8", None)?.board;
/// let goal = parse_one("goal", b"0 1 2 / 3 4 5 / 6 7 8", None)?.board;
/// let rules = Rules::Sliding(start.shape());
/// assert!(verify(&rules, &start, &["Left", "Left"], &goal).is_ok());
/// assert!(verify(&rules, &start, &["Left", "Up"], &goal).is_err());
/// # Ok::<(), permutile::board::text::ParseError>(())
/// ```
///
/// # Errors
/// If a move does not exist or cannot be made, if the moves lead to another
/// board, or if a board does not have the puzzle's shape.
pub fn verify<M: AsRef<str>>(
    rules: &Rules,
    start: &Board,
    moves: &[M],
    goal: &Board,
) -> Result<(), CheckError> {
    rules.expect_shape(goal)?;
    let reached = replay(rules, start, moves)?;
    if reached == *goal {
        Ok(())
    } else {
        Err(CheckError::NotTheGoal { moves: moves.len(), reached })
    }
}

impl Rules {
    /// The grid.
    pub fn shape(&self) -> Shape {
        match *self {
            Rules::Torus(shape) | Rules::Rings(shape) | Rules::Sliding(shape) => shape,
            Rules::Cycles { shape, .. } => shape,
        }
    }

    /// The names of all moves: of a torus `L1 …`, `R1 …`, `U1 …`, `D1 …`; of
    /// rings then `Oc`, `Occ` and, where there are inner rings, `Ic`, `Icc`,
    /// `I2c`, `I2cc`, …; of a sliding puzzle `Up`, `Down`, `Left`, `Right`.
    pub fn move_names(&self) -> Vec<String> {
        let shape = self.shape();
        let torus = || {
            let lines = [
                ('L', shape.rows()),
                ('R', shape.rows()),
                ('U', shape.cols()),
                ('D', shape.cols()),
            ];
            lines.into_iter().flat_map(|(letter, count)| {
                (1..=count).map(move |number| format!("{letter}{number}"))
            })
        };
        let owned = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect();
        match self {
            Rules::Torus(_) => torus().collect(),
            Rules::Rings(_) => {
                let mut names: Vec<String> = torus().chain(owned(&["Oc", "Occ"])).collect();
                let mut inside = 1;
                while Ring::inside(shape, inside).is_some() {
                    let number = if inside == 1 { String::new() } else { inside.to_string() };
                    names.extend([format!("I{number}c"), format!("I{number}cc")]);
                    inside += 1;
                }
                names
            }
            Rules::Sliding(_) => owned(&["Up", "Down", "Left", "Right"]),
            Rules::Cycles { moves, .. } => moves.iter().map(|m| m.name.clone()).collect(),
        }
    }

    fn expect_shape(&self, board: &Board) -> Result<(), CheckError> {
        let (found, wanted) = (board.shape(), self.shape());
        if found == wanted { Ok(()) } else { Err(CheckError::WrongShape { found, wanted }) }
    }

    /// Makes one move. The tiles are those of a board of the right shape.
    fn make(&self, tiles: &mut [Tile], name: &str) -> Result<(), Refusal> {
        match self {
            Rules::Torus(shape) => slide_line(*shape, tiles, name),
            Rules::Rings(shape) => match name.bytes().next() {
                Some(b'O' | b'I') => turn_ring(*shape, tiles, name),
                _ => slide_line(*shape, tiles, name),
            },
            Rules::Sliding(shape) => move_blank(*shape, tiles, name),
            Rules::Cycles { moves, .. } => {
                let found = moves.iter().find(|m| m.name == name).ok_or(Refusal::Unknown)?;
                follow_cycles(tiles, &found.cycles)
            }
        }
    }
}

/// Every tile on the walk goes to the walk's next cell, the last one to the first.
fn advance(tiles: &mut [Tile], walk: impl IntoIterator<Item = usize>) {
    let mut walk = walk.into_iter();
    let Some(first) = walk.next() else { return };
    let mut carried = tiles[first];
    for cell in walk {
        carried = std::mem::replace(&mut tiles[cell], carried);
    }
    tiles[first] = carried;
}

/// `L2`: row 2 goes one cell left; `R2`: right; `U3`: column 3 goes up; `D3`: down.
fn slide_line(shape: Shape, tiles: &mut [Tile], name: &str) -> Result<(), Refusal> {
    let (direction, number) = name.split_at_checked(1).ok_or(Refusal::Unknown)?;
    // Names have one spelling: not L01, not L+1.
    if !number.starts_with(|c: char| matches!(c, '1'..='9')) {
        return Err(Refusal::Unknown);
    }
    let line = number.parse::<usize>().map_err(|_| Refusal::Unknown)? - 1;
    let (rows, cols) = (shape.rows(), shape.cols());
    match direction {
        "L" if line < rows => advance(tiles, (0..cols).rev().map(|col| shape.cell(line, col))),
        "R" if line < rows => advance(tiles, (0..cols).map(|col| shape.cell(line, col))),
        "U" if line < cols => advance(tiles, (0..rows).rev().map(|row| shape.cell(row, line))),
        "D" if line < cols => advance(tiles, (0..rows).map(|row| shape.cell(row, line))),
        _ => return Err(Refusal::Unknown),
    }
    Ok(())
}

/// `Oc`, `Occ`: the outer ring turns by one cell; `Ic`, `Icc`: the next one in; `I2c`, `I2cc`:
/// the one inside that, and so on.
fn turn_ring(shape: Shape, tiles: &mut [Tile], name: &str) -> Result<(), Refusal> {
    let (ring, way) = match name.strip_suffix("cc") {
        Some(ring) => (ring, Turn::CounterClockwise),
        None => (name.strip_suffix('c').ok_or(Refusal::Unknown)?, Turn::Clockwise),
    };
    let inside = match ring {
        "O" => 0,
        "I" => 1,
        // Names have one spelling: not I1c, not I02c.
        _ => match ring.strip_prefix('I') {
            Some(number) if number.starts_with(|c: char| matches!(c, '1'..='9')) => {
                let number = number.parse().map_err(|_| Refusal::Unknown)?;
                if number == 1 { return Err(Refusal::Unknown) } else { number }
            }
            _ => return Err(Refusal::Unknown),
        },
    };
    let ring = Ring::inside(shape, inside).ok_or(Refusal::Unknown)?;
    match way {
        Turn::Clockwise => advance(tiles, ring.clockwise(shape)),
        Turn::CounterClockwise => advance(tiles, ring.clockwise(shape).rev()),
    }
    Ok(())
}

impl Ring {
    /// The cells at the rim of what is left of the board inside so many rings, if there are any;
    /// a single one is no ring.
    fn inside(shape: Shape, rings: usize) -> Option<Ring> {
        let (mut top, mut bottom) = (0, shape.rows() - 1);
        let (mut left, mut right) = (0, shape.cols() - 1);
        for _ in 0..rings {
            // The ring takes a row and a column at each side.
            if bottom - top < 2 || right - left < 2 {
                return None;
            }
            (top, bottom, left, right) = (top + 1, bottom - 1, left + 1, right - 1);
        }
        ((top, left) != (bottom, right)).then_some(Ring { top, bottom, left, right })
    }

    /// The cells from the top left corner on, clockwise. A ring of a single row
    /// or column is walked from its top left end to the other.
    fn clockwise(self, shape: Shape) -> impl DoubleEndedIterator<Item = usize> {
        let Ring { top, bottom, left, right } = self;
        // Without a second row or column there is no way back along it.
        let way_back = if top < bottom { left..right } else { 0..0 };
        let way_up = if left < right { top + 1..bottom } else { 0..0 };
        let along_top = (left..=right).map(move |col| shape.cell(top, col));
        let down_right = (top + 1..=bottom).map(move |row| shape.cell(row, right));
        let along_bottom = way_back.rev().map(move |col| shape.cell(bottom, col));
        let up_left = way_up.rev().map(move |row| shape.cell(row, left));
        along_top.chain(down_right).chain(along_bottom).chain(up_left)
    }
}

/// `Up`, `Down`, `Left`, `Right`: the blank goes there, and the tile that was
/// there comes to the blank's cell.
fn move_blank(shape: Shape, tiles: &mut [Tile], name: &str) -> Result<(), Refusal> {
    let (down, right) = match name {
        "Up" => (-1, 0),
        "Down" => (1, 0),
        "Left" => (0, -1),
        "Right" => (0, 1),
        _ => return Err(Refusal::Unknown),
    };
    let blank = tiles.iter().position(|&tile| tile == Tile::BLANK);
    let blank = blank.ok_or(Refusal::Illegal(Illegal::NoBlank))?;
    let (row, col) = shape.row_col(blank);
    let row = row.checked_add_signed(down).filter(|&row| row < shape.rows());
    let col = col.checked_add_signed(right).filter(|&col| col < shape.cols());
    let (Some(row), Some(col)) = (row, col) else {
        return Err(Refusal::Illegal(Illegal::BlankAtEdge));
    };
    tiles.swap(blank, shape.cell(row, col));
    Ok(())
}

/// A move of a custom puzzle.
fn follow_cycles(tiles: &mut [Tile], cycles: &[Vec<usize>]) -> Result<(), Refusal> {
    let mut seen = [false; super::MAX_CELLS];
    for &cell in cycles.iter().flatten() {
        if cell >= tiles.len() || std::mem::replace(&mut seen[cell], true) {
            return Err(Refusal::Illegal(Illegal::BadCycles { cell }));
        }
    }
    for cycle in cycles {
        advance(tiles, cycle.iter().copied());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn shape(rows: usize, cols: usize) -> Shape {
        Shape::new(rows, cols).unwrap()
    }

    fn board(text: &str) -> Board {
        super::super::text::parse_one("test", text.as_bytes(), None).unwrap().board
    }

    /// The board that the moves, written with spaces, make of the ordered one.
    fn from_ordered(rules: &Rules, moves: &str) -> Board {
        let moves: Vec<&str> = moves.split_whitespace().collect();
        replay(rules, &Board::ordered(rules.shape()), &moves).unwrap()
    }

    /// How many boards are new at each depth.
    fn layers(rules: &Rules, depth: usize) -> Vec<usize> {
        let names = rules.move_names();
        let mut layer = vec![Board::ordered(rules.shape())];
        let mut seen: HashSet<Board> = layer.iter().cloned().collect();
        let mut sizes = vec![1];
        for _ in 0..depth {
            let mut next = Vec::new();
            for (board, name) in layer.iter().flat_map(|b| names.iter().map(move |n| (b, n))) {
                let child = replay(rules, board, &[name]).unwrap();
                if seen.insert(child.clone()) {
                    next.push(child);
                }
            }
            sizes.push(next.len());
            layer = next;
        }
        sizes
    }

    #[test]
    fn torus_moves() {
        let torus = Rules::Torus(shape(4, 4));
        for (name, text) in [
            ("L1", "2 3 4 1 / 5 6 7 8 / 9 10 11 12 / 13 14 15 16"),
            ("L2", "1 2 3 4 / 6 7 8 5 / 9 10 11 12 / 13 14 15 16"),
            ("R4", "1 2 3 4 / 5 6 7 8 / 9 10 11 12 / 16 13 14 15"),
            ("U3", "1 2 7 4 / 5 6 11 8 / 9 10 15 12 / 13 14 3 16"),
            ("D1", "13 2 3 4 / 1 6 7 8 / 5 10 11 12 / 9 14 15 16"),
            ("L1 U1", "5 3 4 1 / 9 6 7 8 / 13 10 11 12 / 2 14 15 16"),
        ] {
            assert_eq!(from_ordered(&torus, name), board(text), "{name}");
        }
    }

    #[test]
    fn torus_rows_are_not_columns() {
        let torus = Rules::Torus(shape(2, 3));
        assert_eq!(from_ordered(&torus, "R2"), board("1 2 3 / 6 4 5"));
        assert_eq!(from_ordered(&torus, "D3"), board("1 2 6 / 4 5 3"));
        assert_eq!(
            torus.move_names(),
            ["L1", "L2", "R1", "R2", "U1", "U2", "U3", "D1", "D2", "D3"]
        );
    }

    #[test]
    fn ring_moves() {
        let rings = Rules::Rings(shape(5, 5));
        for (name, text) in [
            ("Oc", "6 1 2 3 4/11 7 8 9 5/16 12 13 14 10/21 17 18 19 15/22 23 24 25 20"),
            ("Occ", "2 3 4 5 10/1 7 8 9 15/6 12 13 14 20/11 17 18 19 25/16 21 22 23 24"),
            ("Ic", "1 2 3 4 5/6 12 7 8 10/11 17 13 9 15/16 18 19 14 20/21 22 23 24 25"),
            ("Icc", "1 2 3 4 5/6 8 9 14 10/11 7 13 19 15/16 12 17 18 20/21 22 23 24 25"),
            ("L1", "2 3 4 5 1/6 7 8 9 10/11 12 13 14 15/16 17 18 19 20/21 22 23 24 25"),
        ] {
            assert_eq!(from_ordered(&rings, name), board(text), "{name}");
        }
        assert_eq!(rings.move_names().len(), 24);
        assert_eq!(rings.move_names()[20..], ["Oc", "Occ", "Ic", "Icc"]);
    }

    #[test]
    fn narrow_inner_rings() {
        let row = Rules::Rings(shape(3, 5));
        assert_eq!(from_ordered(&row, "Ic"), board("1 2 3 4 5/6 9 7 8 10/11 12 13 14 15"));
        assert_eq!(from_ordered(&row, "Icc"), board("1 2 3 4 5/6 8 9 7 10/11 12 13 14 15"));
        let column = Rules::Rings(shape(5, 3));
        assert_eq!(from_ordered(&column, "Ic"), board("1 2 3/4 11 6/7 5 9/10 8 12/13 14 15"));
        assert_eq!(from_ordered(&column, "Icc"), board("1 2 3/4 8 6/7 11 9/10 5 12/13 14 15"));
        let square = Rules::Rings(shape(4, 4));
        assert_eq!(from_ordered(&square, "Ic"), board("1 2 3 4/5 10 6 8/9 11 7 12/13 14 15 16"));
    }

    #[test]
    fn a_centre_cell_is_no_ring() {
        let rings = Rules::Rings(shape(3, 3));
        assert_eq!(rings.move_names()[12..], ["Oc", "Occ"]);
        assert_eq!(from_ordered(&rings, "Oc"), board("4 1 2 / 7 5 3 / 8 9 6"));
        let error = replay(&rings, &Board::ordered(shape(3, 3)), &["Oc", "Ic"]).unwrap_err();
        assert_eq!(error, CheckError::UnknownMove { index: 1, name: "Ic".to_owned() });
        assert_eq!(error.to_string(), "move 2, \"Ic\": this puzzle has no such move");
    }

    #[test]
    fn rings_within_rings() {
        let square = Rules::Rings(shape(7, 7));
        assert_eq!(square.move_names()[28..], ["Oc", "Occ", "Ic", "Icc", "I2c", "I2cc"]);
        let inner = "1 2 3 4 5 6 7/8 9 10 11 12 13 14/15 16 24 17 18 20 21/22 23 31 25 19 27 28/\
                     29 30 32 33 26 34 35/36 37 38 39 40 41 42/43 44 45 46 47 48 49";
        assert_eq!(from_ordered(&square, "I2c"), board(inner));
        let largest = Rules::Rings(shape(9, 9));
        assert_eq!(largest.move_names().len(), 44);
        assert_eq!(largest.move_names()[42..], ["I3c", "I3cc"]);
        let start = Board::ordered(shape(9, 9));
        for name in
            ["I", "I1c", "I02c", "I4c", "I3ccc", "O2c", "c", "Ic2", "I99999999999999999999c"]
        {
            let error = replay(&largest, &start, &[name]).unwrap_err();
            assert_eq!(error, CheckError::UnknownMove { index: 0, name: name.to_owned() });
        }
    }

    /// The definition: a cell is in the ring whose number is its distance from the nearest edge;
    /// clockwise is rightwards in the upper half, downwards in the right half, and so on.
    #[test]
    fn rings_turn_as_they_are_defined_on_all_shapes() {
        for shape in (3..=9).flat_map(|rows| (3..=9).map(move |cols| shape(rows, cols))) {
            let rules = Rules::Rings(shape);
            let rings = (shape.rows().min(shape.cols())).div_ceil(2);
            let ring_of = |cell: usize| {
                let (row, col) = shape.row_col(cell);
                row.min(col).min(shape.rows() - 1 - row).min(shape.cols() - 1 - col)
            };
            for ring in 0..rings {
                let cells: Vec<usize> =
                    (0..shape.cells()).filter(|&c| ring_of(c) == ring).collect();
                let name = match ring {
                    0 => "Oc".to_owned(),
                    1 => "Ic".to_owned(),
                    _ => format!("I{ring}c"),
                };
                assert_eq!(rules.move_names().contains(&name), cells.len() > 1, "{shape} {name}");
                if cells.len() == 1 {
                    continue;
                }
                let after = from_ordered(&rules, &name);
                let mut steps = 0;
                for cell in 0..shape.cells() {
                    let from = usize::from(after.tiles()[cell].0) - 1;
                    assert_eq!(from == cell, ring_of(cell) != ring, "{shape} {name}");
                    assert_eq!(ring_of(from), ring_of(cell), "{shape} {name}");
                    let (rows, cols) = shape.apart(from, cell);
                    steps += usize::from(rows + cols == 1);
                    let ((top, left), (row, col)) = (shape.row_col(from), shape.row_col(cell));
                    let (last_row, last_col) = (shape.rows() - 1 - ring, shape.cols() - 1 - ring);
                    if last_row > ring && last_col > ring && from != cell {
                        let clockwise = (row == ring && col > left && top == row)
                            || (row == last_row && col < left && top == row)
                            || (col == last_col && row > top && left == col)
                            || (col == ring && row < top && left == col);
                        assert!(clockwise, "{shape} {name}: {from} to {cell}");
                    }
                }
                // All go one step, but for the last tile of a strip.
                let is_strip = shape.rows().min(shape.cols()) == 2 * ring + 1;
                let jumps = usize::from(is_strip && cells.len() > 2);
                assert_eq!(steps, cells.len() - jumps, "{shape} {name}");
                let back = replay(&rules, &after, &[format!("{name}c")]).unwrap();
                assert_eq!(back, Board::ordered(shape), "{shape} {name}");
            }
        }
    }

    #[test]
    fn sliding_moves_name_the_way_of_the_blank() {
        let sliding = Rules::Sliding(shape(3, 3));
        let start = board("1 2 5 / 3 4 0 / 6 7 8");
        for (name, text) in [
            ("Up", "1 2 0 / 3 4 5 / 6 7 8"),
            ("Down", "1 2 5 / 3 4 8 / 6 7 0"),
            ("Left", "1 2 5 / 3 0 4 / 6 7 8"),
        ] {
            assert_eq!(replay(&sliding, &start, &[name]), Ok(board(text)), "{name}");
        }
        let goal = board("0 1 2 / 3 4 5 / 6 7 8");
        assert_eq!(verify(&sliding, &start, &["Up", "Left", "Left"], &goal), Ok(()));
        let error = verify(&sliding, &start, &["Up", "Left"], &goal).unwrap_err();
        let reached = board("1 0 2 / 3 4 5 / 6 7 8");
        assert_eq!(error, CheckError::NotTheGoal { moves: 2, reached });
        assert_eq!(
            error.to_string(),
            "after all moves (2) the board is 1 0 2 3 4 5 6 7 8, not the goal"
        );
    }

    #[test]
    fn the_blank_stays_on_the_board() {
        let sliding = Rules::Sliding(shape(3, 3));
        for (text, stuck) in
            [("0 1 2 3 4 5 6 7 8", ["Up", "Left"]), ("1 2 3 4 5 6 7 8 0", ["Down", "Right"])]
        {
            for name in stuck {
                let error = replay(&sliding, &board(text), &[name]).unwrap_err();
                let why = Illegal::BlankAtEdge;
                let name = name.to_owned();
                assert_eq!(error, CheckError::IllegalMove { index: 0, name, why });
            }
        }
        let error = replay(&sliding, &Board::ordered(shape(3, 3)), &["Up"]).unwrap_err();
        assert_eq!(error.to_string(), "move 1, \"Up\": the board has no blank");
    }

    #[test]
    fn unknown_names() {
        let start = Board::ordered(shape(3, 3));
        let names = [
            "",
            "L",
            "L0",
            "L4",
            "L01",
            "L+1",
            "L1 ",
            "l1",
            "U4",
            "X1",
            "é1",
            "Oc",
            "Up",
            "L99999999999999999999",
        ];
        for name in names {
            let error = replay(&Rules::Torus(shape(3, 3)), &start, &[name]).unwrap_err();
            assert_eq!(error, CheckError::UnknownMove { index: 0, name: name.to_owned() });
        }
    }

    #[test]
    fn boards_of_another_shape() {
        let torus = Rules::Torus(shape(2, 3));
        let (right, wrong) = (Board::ordered(shape(2, 3)), Board::ordered(shape(3, 2)));
        let error = CheckError::WrongShape { found: shape(3, 2), wanted: shape(2, 3) };
        let none: [&str; 0] = [];
        assert_eq!(replay(&torus, &wrong, &none), Err(error.clone()));
        assert_eq!(verify(&torus, &right, &none, &wrong), Err(error));
        assert_eq!(verify(&torus, &right, &none, &right), Ok(()));
    }

    #[test]
    fn cycles() {
        let cycle_move = |name: &str, cycles: &[&[usize]]| CycleMove {
            name: name.to_owned(),
            cycles: cycles.iter().map(|cycle| cycle.to_vec()).collect(),
        };
        let rules = Rules::Cycles {
            shape: shape(2, 3),
            moves: vec![
                cycle_move("turn", &[&[0, 1, 2], &[3, 5]]),
                cycle_move("nothing", &[&[], &[4]]),
                cycle_move("far", &[&[0, 6]]),
                cycle_move("again", &[&[0, 1], &[1, 2]]),
            ],
        };
        assert_eq!(from_ordered(&rules, "turn"), board("3 1 2 / 6 5 4"));
        assert_eq!(from_ordered(&rules, "turn nothing turn"), board("2 3 1 / 4 5 6"));
        assert_eq!(rules.move_names(), ["turn", "nothing", "far", "again"]);
        for (name, cell) in [("far", 6), ("again", 1)] {
            let error = replay(&rules, &Board::ordered(shape(2, 3)), &[name]).unwrap_err();
            let why = Illegal::BadCycles { cell };
            assert_eq!(error, CheckError::IllegalMove { index: 0, name: name.to_owned(), why });
        }
    }

    #[test]
    fn opposite_moves_cancel() {
        let pairs = [("L3", "R3"), ("U2", "D2"), ("Oc", "Occ"), ("Ic", "Icc")];
        for (rows, cols) in [(3, 4), (4, 3), (4, 4), (4, 6), (5, 5), (8, 3)] {
            let rules = Rules::Rings(shape(rows, cols));
            for (there, back) in pairs {
                let start = Board::ordered(shape(rows, cols));
                assert_eq!(from_ordered(&rules, &format!("{there} {back}")), start);
                assert_ne!(from_ordered(&rules, there), start, "{there}");
            }
        }
    }

    /// The first layers as published, and as counted by other programs.
    #[test]
    fn small_depths_have_the_known_numbers_of_boards() {
        assert_eq!(layers(&Rules::Torus(shape(3, 3)), 4), [1, 12, 96, 736, 5208]);
        assert_eq!(layers(&Rules::Torus(shape(4, 4)), 3), [1, 16, 184, 2032]);
        assert_eq!(layers(&Rules::Rings(shape(5, 5)), 3), [1, 24, 452, 8252]);
    }
}
