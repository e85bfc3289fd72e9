//! Verifies tables in files.
//!
//! First its header and checksums, and that its name is the name of its puzzle. Then the filters
//! of [`Reach`] by rules that together prove that no board is missing: every board of each layer,
//! rebuilt by breadth-first search, is in the filter for as many moves; and in the last filter is
//! whatever is next to the last layer but one. Where a limit keeps the search from going so far,
//! boards at the end of random walks are looked up all the same: each has to be in the filter for as
//! many moves as the walk had, or for fewer. The rate of false positives is measured, not proven:
//! they cost time and nothing else.
//!
//! A pattern database is proven entry by entry: see [`PatternTable::flaw`]. One of a sliding
//! puzzle has too few bits an entry for that: it is rebuilt and compared.

use super::random::Random;
use super::scramble::uniform;
use super::solvers::{PuzzleError, load_definition};
use crate::board::Board;
use crate::heuristic::pattern_views::{pattern, permutations};
use crate::limits::{Limits, Observer, StopReason};
use crate::parallel;
use crate::puzzle::arch::Simd;
use crate::puzzle::canonical::Canonicalizer;
use crate::puzzle::packed::Packed;
use crate::puzzle::{AnyPuzzle, Depth, Frame, Goal, GoalError, Puzzle, PuzzleVisitor};
use crate::table::cache::CacheEntry;
use crate::table::file::{Description, FileError, FileFault, Stored, TableFile};
use crate::table::fingerprint::Fingerprint;
use crate::table::layers::Layers;
use crate::table::pattern::{Flaw, PatternTable};
use crate::table::placements::{self, PlacementTable};
use crate::table::reach::Reach;
use crate::table::sliding::rows::{self, RowTable, SharedSets, TilePattern};
use crate::table::sliding::{MOST_TILES, Pattern, SharedIndexes, SlidingTable};
use serde::Serialize;

/// How many random walks are made for each number of moves.
const WALKS: u64 = 10_000;

/// How many random boards are looked up in each filter.
const RANDOM_BOARDS: usize = 200_000;

/// How many boards have their neighbours looked up between two checks of the limits.
const STRIDE: usize = 1 << 16;

/// How many boards a thread takes at a time.
const PIECE: usize = 1 << 10;

/// What was proven about a table.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Proof {
    /// The proof of a table of filters.
    Reach(ReachProof),
    /// The proof of a pattern database.
    Pattern(PatternProof),
}

/// Every entry of a pattern database obeys the rule.
#[derive(Clone, Debug, Serialize)]
pub struct PatternProof {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The kind of table.
    pub kind: String,
    /// The goal cells of the tiles.
    pub tiles: Vec<u8>,
    /// The rule, in words.
    pub rule: &'static str,
    /// How many entries were checked.
    pub entries: u64,
}

/// What was proven about a table of filters.
#[derive(Clone, Debug, Serialize)]
pub struct ReachProof {
    /// The id of the puzzle.
    pub puzzle: String,
    /// The kind of table.
    pub kind: String,
    /// The largest distance that it distinguishes.
    pub radius: Depth,
    /// All boards that are within this many moves of the goal are in it.
    pub proven: Depth,
    /// How many classes of symmetric boards were made for that.
    pub classes: u64,
    /// How many boards at the end of random walks are in it as well.
    pub walks: u64,
    /// By the number of moves, the rate of false positives among random boards, as far as distances
    /// are known.
    pub taken_for_near: Vec<f64>,
}

impl ReachProof {
    /// Whether no board can be missing.
    pub fn is_complete(&self) -> bool {
        self.proven >= self.radius
    }
}

/// Why a table was not proven.
#[derive(Debug, thiserror::Error)]
pub enum Unproven {
    /// The file is not valid.
    #[error(transparent)]
    File(#[from] FileError),
    /// A board is missing: the table is wrong.
    #[error(
        "{board} is within {moves} moves of the goal of {puzzle}, but the table says that it is not"
    )]
    Missing {
        /// The id of the puzzle.
        puzzle: String,
        /// The board.
        board: Board,
        /// How many moves.
        moves: Depth,
    },
    /// An entry breaks a rule: the table is wrong.
    #[error("the table is wrong: {0}")]
    Flawed(#[from] Flaw),
    /// An entry is not what it should be: the table is wrong.
    #[error("the table is wrong: entry {entry} is not what a table that is made anew has")]
    Differs {
        /// The number of the entry.
        entry: usize,
    },
    /// There was not enough time or memory.
    #[error("its checksums fit, but it could not be proven: {0}")]
    Stopped(StopReason),
    /// The puzzle is not available.
    #[error("its checksums fit, but its puzzle is not to be had: {0}")]
    Puzzle(#[from] PuzzleError),
    /// An unknown kind of table.
    #[error("its checksums fit, but nothing is known about tables of the kind {0}")]
    Kind(String),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
}

impl From<StopReason> for Unproven {
    fn from(stop: StopReason) -> Unproven {
        match stop {
            StopReason::Cancelled => Unproven::Interrupted,
            _ => Unproven::Stopped(stop),
        }
    }
}

impl From<GoalError> for Unproven {
    fn from(error: GoalError) -> Unproven {
        Unproven::Puzzle(error.into())
    }
}

/// Verifies a table.
///
/// # Errors
/// If it is wrong, or if that cannot be decided.
pub fn prove(
    entry: &CacheEntry,
    limits: &Limits<'_>,
    simd: Simd,
    observer: &mut dyn Observer,
) -> Result<Proof, Unproven> {
    let file = TableFile::open(&entry.path)?;
    file.check()?;
    let description = file.description();
    let other =
        || FileFault::OtherPuzzle { puzzle: description.puzzle.clone() }.in_file(&entry.path);
    if !entry.name.ends_with(&description.fingerprint.to_string()) {
        return Err(other().into());
    }
    let puzzle = AnyPuzzle::new(load_definition(&description.puzzle)?, Goal::Default, simd)?;
    if Fingerprint::new(puzzle.frame()) != description.fingerprint {
        return Err(other().into());
    }
    puzzle.visit(Prove { entry, file: &file, limits, observer })
}

struct Prove<'a> {
    entry: &'a CacheEntry,
    file: &'a TableFile,
    limits: &'a Limits<'a>,
    observer: &'a mut dyn Observer,
}

impl PuzzleVisitor for Prove<'_> {
    type Output = Result<Proof, Unproven>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let description = self.file.description();
        if description.kind == PatternTable::KIND && !P::HAS_BLANK {
            return self.pattern(puzzle.frame());
        }
        if description.kind == PlacementTable::KIND && !P::HAS_BLANK {
            return self.placements(puzzle.frame());
        }
        if description.kind == SlidingTable::KIND && P::HAS_BLANK {
            return self.sliding(puzzle.frame());
        }
        if description.kind == RowTable::KIND && P::HAS_BLANK {
            return self.rows(puzzle.frame());
        }
        if description.kind != Reach::<P>::KIND {
            return Err(Unproven::Kind(description.kind.clone()));
        }
        if description.version != Reach::<P>::VERSION {
            return Err(FileFault::Version.in_file(&self.entry.path).into());
        }
        let reach = Reach::from_file(puzzle, self.file)?;
        let filters = Filters { puzzle, reach: &reach };
        let mut layers = Layers::new(puzzle).distinguishing_inverses().keeping_all();
        let mut classes = 0;
        let stop = loop {
            let (depth, count) = (layers.depth(), layers.current().len());
            filters.have_all(layers.current(), depth)?;
            classes += count as u64;
            if depth + 1 >= reach.radius() || count == 0 {
                break filters.have_all_next_to(layers.current(), self.limits, self.observer)?;
            }
            let mut progress =
                |done: usize| self.observer.building_table(depth + 1, done as f64 / count as f64);
            if let Err(stop) = layers.advance(self.limits, &mut progress) {
                break Some(stop);
            }
        };
        let proven = match stop {
            None => reach.radius(),
            Some(StopReason::Cancelled) => return Err(Unproven::Interrupted),
            Some(_) => layers.depth(),
        };
        filters.have_walks()?;
        let (layers, canonicalizer) = layers.into_parts();
        let known = ExactLayers { puzzle, layers: &layers, canonicalizer: &canonicalizer };
        let random = |number: usize| {
            let mut random = Random::new(1, number as u64);
            P::Key::from_labels(&uniform(puzzle.frame(), &mut random))
        };
        let random = parallel::map_pieces(RANDOM_BOARDS, PIECE, |range| {
            range.map(random).collect::<Vec<P::Key>>()
        })
        .concat();
        let taken_for_near = |moves| {
            let taken = |&&key: &&P::Key| reach.may_be_at(key, moves) && !known.is_at(key, moves);
            let taken = parallel::map_pieces(random.len(), PIECE, |range| {
                random[range].iter().filter(taken).count()
            });
            taken.iter().sum::<usize>() as f64 / random.len() as f64
        };
        Ok(Proof::Reach(ReachProof {
            puzzle: description.puzzle.clone(),
            kind: description.kind.clone(),
            radius: reach.radius(),
            proven,
            classes,
            walks: WALKS * u64::from(reach.radius()),
            taken_for_near: (0..=proven).map(taken_for_near).collect(),
        }))
    }
}

impl Prove<'_> {
    fn pattern(self, frame: &Frame) -> Result<Proof, Unproven> {
        let description = self.file.description();
        if description.version != PatternTable::VERSION {
            return Err(FileFault::Version.in_file(&self.entry.path).into());
        }
        let tiles = pattern(frame, PatternTable::tiles_in(self.file)?);
        let table = PatternTable::from_file(frame.shape().cells(), &tiles, self.file)?;
        let flaw = table.flaw(permutations(frame), self.limits, self.observer);
        match flaw {
            Ok(None) => Ok(Proof::Pattern(PatternProof {
                puzzle: description.puzzle.clone(),
                kind: description.kind.clone(),
                tiles,
                rule: "0 at home, at most one more or less after each move, less after some",
                entries: table.entries(),
            })),
            Ok(Some(flaw)) => Err(flaw.into()),
            Err(stop) => Err(stop.into()),
        }
    }

    fn placements(self, frame: &Frame) -> Result<Proof, Unproven> {
        if self.file.description().version != PlacementTable::VERSION {
            return Err(FileFault::Version.in_file(&self.entry.path).into());
        }
        let tiles = PlacementTable::tiles_in(self.file)?;
        let cells = frame.shape().cells();
        let distinct = (0..tiles.len()).all(|i| !tiles[..i].contains(&tiles[i]));
        let known = (1..=placements::MOST_TILES).contains(&tiles.len())
            && tiles.iter().all(|&cell| usize::from(cell) < cells);
        if !distinct || !known {
            return Err(self.file.damaged("it is of no such tiles").into());
        }
        let table = PlacementTable::from_file(cells, &tiles, self.file)?;
        self.as_rebuilt(tiles, table.entries(), table.flaw(frame, self.limits))
    }

    fn sliding(self, frame: &Frame) -> Result<Proof, Unproven> {
        if self.file.description().version != SlidingTable::VERSION {
            return Err(FileFault::Version.in_file(&self.entry.path).into());
        }
        let tiles = SlidingTable::cells_in(self.file)?;
        self.check_tiles(frame, &tiles, MOST_TILES)?;
        let pattern = Pattern {
            shape: frame.shape(),
            tiles: tiles.iter().fold(0, |set, cell| set | 1 << cell),
            blank: 0,
        };
        let mut shared = SharedIndexes::default();
        let table = SlidingTable::from_file(pattern, &mut shared, self.file)?;
        self.as_rebuilt(tiles, table.entries(), table.flaw(&mut shared, self.limits))
    }

    fn rows(self, frame: &Frame) -> Result<Proof, Unproven> {
        if self.file.description().version != RowTable::VERSION {
            return Err(FileFault::Version.in_file(&self.entry.path).into());
        }
        let tiles = RowTable::cells_in(self.file)?;
        self.check_tiles(frame, &tiles, rows::MOST_TILES)?;
        let pattern = TilePattern { shape: frame.shape(), tiles: tiles.clone(), blank: 0 };
        let mut shared = SharedSets::default();
        let sets = shared.get(pattern.shape, tiles.len(), self.limits)?;
        let table = RowTable::from_file(pattern, &sets, self.file)?;
        self.as_rebuilt(tiles, table.entries(), table.flaw(&mut shared, self.limits))
    }

    /// Whether there are such tiles, and no more of them than a pattern can have.
    fn check_tiles(&self, frame: &Frame, tiles: &[u8], most: usize) -> Result<(), Unproven> {
        let is_tile = |&cell: &u8| (1..frame.shape().cells()).contains(&usize::from(cell));
        let is_ascending = tiles.is_sorted_by(|one, next| one < next);
        if is_ascending && tiles.iter().all(is_tile) && (1..=most).contains(&tiles.len()) {
            return Ok(());
        }
        Err(self.file.damaged("it is of no such tiles").into())
    }

    /// The proof of a table that was rebuilt and compared, given where it differs.
    fn as_rebuilt(
        &self,
        tiles: Vec<u8>,
        entries: u64,
        flaw: Result<Option<usize>, StopReason>,
    ) -> Result<Proof, Unproven> {
        let Description { puzzle, kind, .. } = self.file.description().clone();
        match flaw? {
            None => {
                let rule = "as a table that is made anew";
                Ok(Proof::Pattern(PatternProof { puzzle, kind, tiles, rule, entries }))
            }
            Some(entry) => Err(Unproven::Differs { entry }),
        }
    }
}

/// The filters that are to be proven.
struct Filters<'a, P: Puzzle> {
    puzzle: &'a P,
    reach: &'a Reach<P>,
}

impl<P: Puzzle> Filters<'_, P> {
    fn missing(&self, key: P::Key, moves: Depth) -> Unproven {
        let frame = self.puzzle.frame();
        let board = frame.decode(&key.labels(frame.shape().cells()));
        Unproven::Missing { puzzle: frame.id().to_owned(), board, moves }
    }

    /// All boards of a layer are where they must be.
    fn have_all(&self, layer: &[P::Key], depth: Depth) -> Result<(), Unproven> {
        let is_missing = |&key: &P::Key| !self.reach.may_be_at(key, depth);
        match find_first(layer, |key| is_missing(key).then_some(*key)) {
            Some(key) => Err(self.missing(key, depth)),
            None => Ok(()),
        }
    }

    /// All boards from which a move leads to the layer are in the last filter, unless a limit
    /// is hit before that is known.
    fn have_all_next_to(
        &self,
        layer: &[P::Key],
        limits: &Limits<'_>,
        observer: &mut dyn Observer,
    ) -> Result<Option<StopReason>, Unproven> {
        let radius = self.reach.radius();
        let missing_next_to = |&key: &P::Key| {
            let state = self.puzzle.state(key);
            let before = |m| self.puzzle.key(self.puzzle.apply_back(state, m));
            let mut boards = self.puzzle.legal_back(state).map(before);
            boards.find(|&key| !self.reach.may_be_at(key, radius))
        };
        for (index, keys) in layer.chunks(STRIDE).enumerate() {
            if let Err(stop) = limits.check_time() {
                return Ok(Some(stop));
            }
            if let Some(key) = find_first(keys, missing_next_to) {
                return Err(self.missing(key, radius));
            }
            observer
                .building_table(radius, (index * STRIDE + keys.len()) as f64 / layer.len() as f64);
        }
        Ok(None)
    }

    /// Boards at the end of random walks are where they must be.
    fn have_walks(&self) -> Result<(), Unproven> {
        let radius = u64::from(self.reach.radius());
        let walk = |number: usize| {
            let number = number as u64;
            let moves = (number % radius + 1) as Depth;
            let mut random = Random::new(0, number);
            let end = (0..moves).fold(self.puzzle.goal(), |state, _| {
                let back = self.puzzle.legal_back(state);
                let chosen = random.below(back.len() as u64) as usize;
                let m = back.into_iter().nth(chosen).expect("the number is below the count");
                self.puzzle.apply_back(state, m)
            });
            let key = self.puzzle.key(end);
            let is_there = (0..=moves).any(|moves| self.reach.may_be_at(key, moves));
            (!is_there).then_some((key, moves))
        };
        let walks = (WALKS * radius) as usize;
        match parallel::find_first(walks, PIECE, |mut range| range.find_map(walk)) {
            Some((key, moves)) => Err(self.missing(key, moves)),
            None => Ok(()),
        }
    }
}

/// The first thing that is found in a list.
fn find_first<K: Packed, T: Send>(list: &[K], find: impl Fn(&K) -> Option<T> + Sync) -> Option<T> {
    parallel::find_first(list.len(), PIECE, |range| list[range].iter().find_map(&find))
}

/// The exact distances of the boards near the goal.
struct ExactLayers<'a, P: Puzzle> {
    puzzle: &'a P,
    layers: &'a [Vec<P::Key>],
    canonicalizer: &'a Canonicalizer<P::Key>,
}

impl<P: Puzzle> ExactLayers<'_, P> {
    /// Whether a board is so many moves from the goal, at most one more than there are layers; or,
    /// if it is one more, at most so many.
    fn is_at(&self, key: P::Key, moves: Depth) -> bool {
        let canonical = self.canonicalizer.canonical_with_inverse(key).key;
        if let Some(layer) = self.layers.get(moves as usize) {
            return layer.binary_search(&canonical).is_ok();
        }
        let state = self.puzzle.state(key);
        let after = |m| self.puzzle.key(self.puzzle.apply(state, m));
        moves as usize == self.layers.len()
            && self.puzzle.legal(state).any(|m| self.is_at(after(m), moves - 1))
    }
}
