//! User-defined heuristics, read from a file: a weight for each
//! tile by how far it is from its goal, summed over all tiles, divided and rounded up.
//!
//! ```toml
//! name = "my-distance"
//! summary = "steps with wrap-around"   # optional
//! formula = "dx + dy"                  # or `table` or `tiles`, below
//! divisor = "tiles-per-move"           # or a number; 1 if not given
//! admissible = true                    # what it claims, for audits; false if not given
//! consistent = true
//! wrap = true                          # whether distances wrap around; where there is no
//!                                      # blank they do, if not given
//! ```
//!
//! `dx` and `dy` are the columns and the rows between a tile and its goal. In place of a formula
//! there may be `table = [[0, 1, 2], [1, 2, 3]]`, with a row for each `dy` and in it a number for
//! each `dx`; or `tiles`, with a row for each tile and in it a number for each cell. The blank
//! weighs nothing.
//!
//! Sums are evaluated by the tables of the built-in heuristics. Weights that are not whole are
//! kept as multiples of 2⁻¹⁶, rounded down, so that a sum carried along a path is exactly the one
//! from scratch and no rounding makes an estimate too high.

use super::expression::Expression;
use super::per_tile::PerTile;
use super::{Promise, TileSum};
use crate::puzzle::Frame;
use crate::toml_text::{TomlError, TomlText};
use serde::Deserialize;
use toml::Spanned;
use xxhash_rust::xxh3::xxh3_64;

/// The binary digits after the point, of weights that are not whole.
const DIGITS: u32 = 16;

/// No sum over a board may be as large as this.
const MOST: f64 = (1 << (31 - DIGITS)) as f64;

/// What counts as rounding noise of a computed weight.
const NOISE: f64 = 1e-9;

/// A heuristic read from a file.
#[derive(Clone, Debug)]
pub struct Formula {
    name: String,
    summary: String,
    file_hash: u64,
    promise: Promise,
    wrap: Option<bool>,
    divisor: Divisor,
    weights: Weights,
}

#[derive(Clone, Copy, Debug)]
enum Divisor {
    Number(f64),
    /// The most tiles that a move of the puzzle shifts.
    TilesPerMove,
}

#[derive(Clone, Debug)]
enum Weights {
    /// Of `dx` and `dy`.
    Formula(Expression),
    /// By `dy`, then by `dx`.
    Table(Vec<Vec<f64>>),
    /// By tile, then by cell.
    Tiles(Vec<Vec<f64>>),
}

/// The file as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FormulaFile {
    name: Spanned<String>,
    summary: Option<String>,
    formula: Option<Spanned<String>>,
    table: Option<Spanned<Vec<Vec<f64>>>>,
    tiles: Option<Spanned<Vec<Vec<f64>>>>,
    divisor: Option<Spanned<FileDivisor>>,
    #[serde(default)]
    admissible: bool,
    #[serde(default)]
    consistent: bool,
    wrap: Option<bool>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum FileDivisor {
    Number(f64),
    Word(String),
}

impl Formula {
    /// Reads a heuristic from its text; `source_name` is its path.
    ///
    /// # Errors
    /// If the text is not TOML of the form above.
    pub fn parse(source_name: &str, text: &str) -> Result<Formula, TomlError> {
        let text = TomlText { source_name, text };
        let file: FormulaFile =
            text.parse("`name`, and one of `formula = \"dx + dy\"`, `table` and `tiles`")?;
        let name = file.name.get_ref();
        let of_a_name = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        if name.is_empty() || !name.chars().all(of_a_name) {
            let problem = format!("\"{name}\" cannot name a heuristic: expected a-z, 0-9 and -");
            return Err(text.error(file.name.span(), problem));
        }
        let weights = match (file.formula, file.table, file.tiles) {
            (Some(formula), None, None) => {
                let (written, span) = (formula.get_ref(), formula.span());
                Weights::Formula(Expression::parse(written).map_err(|error| {
                    // Where it stands in the file as it is written, without escapes.
                    let begin = text.text[span.clone()].find(written).map(|at| span.start + at);
                    let at = begin.map_or(span.start, |begin| begin + error.offset);
                    text.error(at..span.end, error.to_string())
                })?)
            }
            (None, Some(table), None) => Weights::Table(table.into_inner()),
            (None, None, Some(tiles)) => Weights::Tiles(tiles.into_inner()),
            _ => {
                let problem = "expected one of `formula`, `table` and `tiles`";
                return Err(text.error(file.name.span(), problem.to_owned()));
            }
        };
        let divisor = match file.divisor.as_ref().map(|divisor| (divisor.span(), divisor.get_ref()))
        {
            None => Divisor::Number(1.0),
            Some((_, FileDivisor::Word(word))) if word == "tiles-per-move" => Divisor::TilesPerMove,
            Some((_, &FileDivisor::Number(n))) if (0.001..MOST).contains(&n) => Divisor::Number(n),
            Some((span, _)) => {
                let problem = format!(
                    "expected a number from 0.001 to {}, or \"tiles-per-move\"",
                    MOST as u32 - 1
                );
                return Err(text.error(span, problem));
            }
        };
        Ok(Formula {
            summary: file.summary.unwrap_or_else(|| format!("from {source_name}")),
            name: name.clone(),
            file_hash: xxh3_64(text.text.as_bytes()),
            promise: Promise { admissible: file.admissible, consistent: file.consistent },
            wrap: file.wrap,
            divisor,
            weights,
        })
    }

    /// The name that the file gives.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// A hash of the file's text.
    pub fn file_hash(&self) -> u64 {
        self.file_hash
    }

    /// What it is, in one line.
    pub fn summary(&self) -> &str {
        &self.summary
    }

    /// What the file claims.
    pub fn promise(&self) -> Promise {
        self.promise
    }

    /// Builds its tables for a puzzle.
    ///
    /// # Errors
    /// If there are weights missing for this puzzle, or too large or too small ones.
    pub fn build(&self, frame: &Frame) -> Result<TileSum, String> {
        let cells = frame.shape().cells();
        let blank = frame.blank_label().map(usize::from);
        let mut weights = vec![0.0; cells * cells];
        let mut largest_sum = 0.0;
        for label in (0..cells).filter(|&label| Some(label) != blank) {
            let mut largest: f64 = 0.0;
            for cell in 0..cells {
                let weight = self.weight(frame, cell, label)?;
                weights[cell * cells + label] = weight;
                largest = largest.max(weight);
            }
            largest_sum += largest;
        }
        if largest_sum >= MOST {
            return Err(format!(
                "its weights add up to {largest_sum:.0}, and no more than {MOST} can be summed"
            ));
        }
        let divisor = match self.divisor {
            Divisor::Number(number) => number,
            Divisor::TilesPerMove => frame.moves().most_tiles_shifted() as f64,
        };
        let is_whole = |&number: &f64| (number - number.round()).abs() < NOISE;
        let whole = weights.iter().chain([&divisor]).all(is_whole);
        let unit = f64::from(if whole { 1 } else { 1 << DIGITS });
        let rounded_down = |number: f64| ((number + NOISE) * unit).floor() as u32;
        let rounded_up = |number: f64| ((number - NOISE) * unit).ceil() as u32;
        let weight = |cell, label| rounded_down(weights[cell * cells + label]);
        Ok(TileSum::new(PerTile::new(frame, weight), rounded_up(divisor)))
    }

    /// What a tile adds to the sum.
    fn weight(&self, frame: &Frame, cell: usize, label: usize) -> Result<f64, String> {
        let shape = frame.shape();
        let wraps = self.wrap.unwrap_or(frame.blank_label().is_none());
        let (dy, dx) =
            if wraps { shape.circular_apart(cell, label) } else { shape.apart(cell, label) };
        let tile = frame.goal().tiles()[label].0;
        let (weight, place) = match &self.weights {
            Weights::Formula(formula) => {
                (Some(formula.value(dx as f64, dy as f64)), format!("dx = {dx}, dy = {dy}"))
            }
            Weights::Table(table) => {
                let weight = table.get(dy).and_then(|row| row.get(dx)).copied();
                (weight, format!("dx = {dx}, dy = {dy}"))
            }
            Weights::Tiles(tiles) => {
                let row = tiles.get(usize::from(tile) - 1);
                let weight = row.and_then(|row| row.get(cell)).copied();
                (weight, format!("tile {tile} in cell {}", cell + 1))
            }
        };
        match weight {
            None => Err(format!("it has no weight for {place}")),
            Some(weight) if (0.0..MOST).contains(&weight) => Ok(weight),
            Some(weight) => {
                Err(format!("its weight for {place} is {weight}: expected a number from 0 on"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::circular_manhattan::CircularManhattan;
    use crate::heuristic::tuned_manhattan::TunedManhattan;
    use crate::heuristic::{Heuristic, NamedHeuristic};
    use crate::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};

    fn parse(text: &str) -> Result<Formula, String> {
        Formula::parse("h.toml", text).map_err(|error| error.to_string())
    }

    /// Whether two sums say the same on a long walk.
    struct Same<'a>(&'a TileSum, &'a TileSum);

    impl PuzzleVisitor for Same<'_> {
        type Output = bool;

        fn visit<P: Puzzle>(self, puzzle: &P) -> bool {
            let h =
                |sum: &TileSum, state| Heuristic::<P>::estimate(sum, sum.evaluate(puzzle, state));
            let mut state = puzzle.goal();
            (0..1000usize).all(|step| {
                let moves: Vec<_> = puzzle.legal(state).collect();
                state = puzzle.apply(state, moves[step * step % 7 % moves.len()]);
                h(self.0, state) == h(self.1, state)
            })
        }
    }

    #[test]
    fn a_file_can_say_what_a_built_in_heuristic_computes() {
        let plain = parse("name = \"a\"\nformula = \"dx + dy\"\ndivisor = \"tiles-per-move\"");
        let table = parse("name = \"a\"\ntable = [[0, 1, 2], [1, 2, 3], [2, 3, 4]]\ndivisor = 4");
        let tuned =
            parse("name = \"a\"\nformula = \"(dx^0.91 + dy^0.91)^1.414\"\ndivisor = 4.0").unwrap();
        let puzzle = AnyPuzzle::from_id("torus4").unwrap();
        let frame = puzzle.frame();
        let built = |formula: &Formula| formula.build(frame).unwrap();
        let manhattan = CircularManhattan::build(frame);
        assert!(puzzle.visit(Same(&built(&plain.unwrap()), &manhattan)));
        assert!(puzzle.visit(Same(&built(&table.unwrap()), &manhattan)));
        assert!(puzzle.visit(Same(&built(&tuned), &TunedManhattan::build(frame))));
    }

    #[test]
    fn says_where_a_file_is_wrong() {
        let error = |text: &str| parse(text).unwrap_err();
        assert!(error("formula = \"dx\"").contains("missing field `name`"));
        assert!(
            error("name = \"A b\"\nformula = \"dx\"").starts_with("h.toml:1:8: \"A b\" cannot")
        );
        assert!(error("name = \"a\"").contains("expected one of"));
        assert!(error("name = \"a\"\nformula = \"dx\"\ntable = []").contains("expected one of"));
        assert_eq!(
            error("name = \"a\"\nformula = \"dx + * dy\""),
            "h.toml:2:17: found \"*\": expected a number, dx, dy, a function or \"(\""
        );
        assert!(error("name = \"a\"\nformula = \"dx +\"").starts_with("h.toml:2:16: "));
        assert!(error("name = \"a\"\nformula = \"\"\"\ndx\n+ ?\"\"\"").starts_with("h.toml:4:3: "));
        assert!(error("name = \"a\"\nformula = \"dx + z\"").contains("there is no \"z\""));
        assert!(error("name = \"a\"\nformula = \"dx\"\ndivisor = 0").starts_with("h.toml:3:11: "));
        assert!(
            error("name = \"a\"\nformula = \"dx\"\ndivisor = \"x\"").contains("tiles-per-move")
        );
        assert!(error("name = \"a\"\nformula = \"dx\"\nspeed = 1").contains("speed"));
        assert!(
            error(&format!("name = \"a\"\nformula = \"{}\"", "(".repeat(900))).contains("nested")
        );
    }

    #[test]
    fn weights_fit_the_puzzle_or_are_refused() {
        let puzzle = AnyPuzzle::from_id("sliding3").unwrap();
        let build = |text: &str| {
            parse(&format!("name = \"a\"\n{text}")).unwrap().build(puzzle.frame()).map(|_| ())
        };
        assert_eq!(build("formula = \"max(dx, dy)\""), Ok(()));
        assert_eq!(build("table = [[0, 1, 2], [1, 2, 3], [2, 3, 4]]"), Ok(()));
        assert!(build("table = [[0, 1, 2], [1, 2, 3]]").unwrap_err().contains("dy = 2"));
        assert!(build("formula = \"0 - dx\"").unwrap_err().contains("is -1"));
        assert!(build("formula = \"ln(dx)\"").unwrap_err().contains("is -inf"));
        assert!(build("formula = \"20000 * dx\"").is_err());
        assert!(build("formula = \"9000 * dx\"").unwrap_err().contains("add up to"));
        assert!(build("tiles = [[0, 1]]").unwrap_err().contains("tile 1 in cell 3"));
    }
}
