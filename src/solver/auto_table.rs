//! The table that `auto` searches with. Without a blank: all distances where there are few enough
//! boards; else which boards may be how near or, where the boards near the goal are too small a
//! part of all, a pattern database of a few tiles. With a blank: additive pattern databases.
//!
//! It is built once for each solver; a long series of boards may be worth a larger one
//! (`larger_table`). Tables are taken from the cache, if the solver has one: the
//! largest that fits, whatever its size; if there is none, that of default size is built and kept
//! there. Distances of all boards are built anew: that takes a second or two at most.

use super::answer::{Guide, TableKind};
use super::larger_table::{NextStep, Usage};
use super::{Solver, databases};
use crate::heuristic::NamedHeuristic;
use crate::heuristic::circular_manhattan::CircularManhattan;
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::pattern_views::{
    PatternViews, build_table, most_tiles, permutations, read_table, table_name,
};
use crate::heuristic::with_table::WithTable;
use crate::limits::{Limits, Observer, StopReason};
use crate::puzzle::registry::on_engine;
use crate::puzzle::{Depth, Frame, Puzzle, PuzzleVisitor};
use crate::search::HeuristicKind;
use crate::search::estimator::{Estimator, OnEngine, SearchKey};
use crate::table::Built;
use crate::table::ball::{Ball, BallSize};
use crate::table::cache::{Cache, Origin, TableName};
use crate::table::file::{FileError, Stored, TableFile};
use crate::table::pattern::PatternTable;
use crate::table::reach::{Reach, ReachSize};
use crate::table::sliding::SlidingTable;
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a ball that holds every board, counted as it is stored: built in a second
/// or two.
const BALL_BYTES: u64 = 54_000_000;

/// How many bytes are held for each entry while the ball is built, in keys.
const KEYS_HELD: u64 = 6;

/// The most boards that are looked at to make the largest filter of default size: about a second.
const WORK: u64 = 40_000_000;

/// The same for a table of medium size: about ten seconds.
const MEDIUM_WORK: u64 = 400_000_000;

/// With more cells than this, a pattern database rules out more than filters of the same size.
const FILTERED_CELLS: usize = 16;

/// How many steps from one place of the tiles to another the making of a database takes in a
/// second, on two slow cores.
const STEPS_A_SECOND: f64 = 5e8;

/// The fewest tiles of a database that is worth its making.
const MIN_TILES: usize = 4;

/// How large a table may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableSize {
    /// 8 MB.
    Small,
    /// 100 MB, and no more than is made in a few seconds.
    #[default]
    Default,
    /// 110 MB, and no more than is made in some ten seconds.
    Medium,
    /// 2 GiB.
    Large,
    /// So many bytes.
    Bytes(u64),
}

impl TableSize {
    /// The most bytes.
    pub(super) fn bytes(self) -> u64 {
        self.reach().bytes
    }

    pub(super) fn reach(self) -> ReachSize {
        match self {
            TableSize::Small => ReachSize { bytes: 8_000_000, work: WORK },
            TableSize::Default => ReachSize { bytes: 100_000_000, work: WORK },
            TableSize::Medium => ReachSize { bytes: 110_000_000, work: MEDIUM_WORK },
            TableSize::Large => ReachSize { bytes: 2 << 30, work: u64::MAX },
            TableSize::Bytes(bytes) => ReachSize { bytes, work: u64::MAX },
        }
    }
}

/// As in the names of files.
impl Display for TableSize {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TableSize::Small => f.write_str("small"),
            TableSize::Default => f.write_str("default"),
            TableSize::Medium => f.write_str("medium"),
            TableSize::Large => f.write_str("large"),
            TableSize::Bytes(bytes) => write!(f, "{bytes}"),
        }
    }
}

/// The table, and the heuristic that looks things up in it.
pub(super) struct AutoTable {
    pub(super) estimator: Box<dyn Estimator>,
    pub(super) guide: Guide,
    /// How many bytes the table takes.
    pub(super) bytes: u64,
    /// What the next larger table would take, if there is one.
    pub(super) next: Option<NextStep>,
    /// What it was used for.
    pub(super) usage: Usage,
    /// The tables of additive databases; none of others.
    pub(super) tables: Vec<Arc<SlidingTable>>,
}

impl AutoTable {
    /// Pattern databases of a puzzle with a blank.
    pub(super) fn from_databases<P: Puzzle<Key: SearchKey>>(
        puzzle: &Arc<P>,
        databases: PatternDatabases,
        kind: HeuristicKind,
    ) -> AutoTable {
        // A constant: what is behind it is not compiled for puzzles without a blank.
        if const { !P::HAS_BLANK } {
            unreachable!("these databases are of puzzles with a blank");
        }
        let (bytes, guide) = (databases.bytes(), Guide::Databases(kind));
        let tables = databases.tables().to_vec();
        let estimator = Box::new(OnEngine::new(Arc::clone(puzzle), databases));
        AutoTable { tables, ..AutoTable::new(estimator, guide, bytes) }
    }

    fn new(estimator: Box<dyn Estimator>, guide: Guide, bytes: u64) -> AutoTable {
        let (next, usage, tables) = (None, Usage::default(), Vec::new());
        AutoTable { estimator, guide, bytes, next, usage, tables }
    }
}

/// Whether a puzzle's boards are judged by a few of their tiles.
pub(super) fn has_views(frame: &Frame) -> bool {
    frame.shape().cells() > FILTERED_CELLS && PatternViews::apply_to(frame)
}

/// How many entries the database of default size has, if boards are judged by one.
pub(super) fn entries_of_views(frame: &Frame) -> Option<u64> {
    let tiles = tiles_for(frame, TableSize::Default);
    has_views(frame).then(|| 2 * PatternTable::bytes_for(frame.shape().cells(), tiles))
}

/// The table of this solver's puzzle, built if it is not there yet.
pub(super) fn get<'a>(
    solver: &'a Solver,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<&'a AutoTable, StopReason> {
    if let Some(table) = solver.auto_table.get() {
        return Ok(table);
    }
    let _building = wait_for(&solver.building, limits)?;
    // Another thread may have built it meanwhile.
    if let Some(table) = solver.auto_table.get() {
        return Ok(table);
    }
    let limits = &build_limits(limits);
    let cache = solver.cache.as_ref();
    let table = on_engine!(&solver.puzzle, puzzle => build(puzzle, cache, limits, observer))?;
    Ok(solver.auto_table.get_or_init(|| table))
}

/// All distances where there are few enough boards, else a database or the filters.
fn build<P: Puzzle<Key: SearchKey>>(
    puzzle: &Arc<P>,
    cache: Option<&Cache>,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<AutoTable, StopReason> {
    let frame = puzzle.frame();
    // A constant: what is not for this kind of puzzle is not compiled for it.
    if const { P::HAS_BLANK } {
        let (databases, kind) = databases::find(cache, frame, limits)?;
        return Ok(AutoTable::from_databases(puzzle, databases, kind));
    }
    if let Some(entries) = entries_of_ball(&**puzzle, limits) {
        let size = BallSize { entries, radius: Depth::MAX };
        let ball = Ball::build(&**puzzle, size, limits)?;
        if ball.is_complete() {
            let bytes = ball.bytes();
            let heuristic = WithTable { inner: CircularManhattan::build(frame), table: ball };
            let estimator = Box::new(OnEngine::new(Arc::clone(puzzle), heuristic));
            return Ok(AutoTable::new(estimator, with_table(TableKind::Ball), bytes));
        }
    }
    if has_views(frame) {
        match find_views(cache, frame, limits, observer) {
            Ok(views) => {
                let (bytes, tiles) = (views.table().bytes(), views.table().tiles().len());
                let guide = Guide::Views(HeuristicKind::own::<PatternViews>(), tiles);
                let estimator = Box::new(OnEngine::new(Arc::clone(puzzle), views).ordered());
                return Ok(AutoTable::new(estimator, guide, bytes));
            }
            Err(stop @ StopReason::Cancelled) => return Err(stop),
            Err(_) => {}
        }
    }
    Ok(reach_table(puzzle, find_reach(cache, &**puzzle, limits, observer)?))
}

/// What a heuristic adds to a table hardly depends on which one it is.
fn with_table(kind: TableKind) -> Guide {
    Guide::WithTable(HeuristicKind::own::<CircularManhattan>(), kind)
}

/// Filters as a table.
pub(super) fn reach_table<P: Puzzle<Key: SearchKey>>(
    puzzle: &Arc<P>,
    reach: Reach<P>,
) -> AutoTable {
    let (bytes, next) = (reach.bytes(), reach.next_step(puzzle.frame()));
    let next = next.map(|(bytes, work)| NextStep { bytes, work });
    let inner = CircularManhattan::build(puzzle.frame());
    let heuristic = WithTable { inner, table: reach };
    let estimator = Box::new(OnEngine::new(Arc::clone(puzzle), heuristic));
    AutoTable { next, ..AutoTable::new(estimator, with_table(TableKind::Reach), bytes) }
}

/// The filters of some size: those in the cache, or else built and kept there.
pub(super) fn find_sized<P: Puzzle>(
    cache: Option<&Cache>,
    puzzle: &P,
    size: TableSize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<Reach<P>, StopReason> {
    let mut build = || match Reach::build(puzzle, size.reach(), limits, observer)? {
        Built::CutShort(_, stop) => Err(stop),
        whole @ Built::Whole(_) => Ok(whole),
    };
    let Some(cache) = cache else { return Ok(build()?.table()) };
    let name = TableName::new::<Reach<P>>(puzzle.frame(), size);
    let read = |file: &TableFile| Reach::from_file(puzzle, file);
    Ok(cache.load_or_build(&name, read, build, limits)?.0)
}

/// The filters: the largest in the cache, or else those of default size.
fn find_reach<P: Puzzle>(
    cache: Option<&Cache>,
    puzzle: &P,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<Reach<P>, StopReason> {
    let wanted = TableSize::Default;
    let ReachSize { bytes, work } = wanted.reach();
    let allowed = limits.bytes.map_or(bytes, |most| bytes.min(most / 2));
    let mut build = || {
        let size = ReachSize { bytes: allowed, work };
        Reach::build(puzzle, size, limits, observer)
    };
    let Some(cache) = cache else {
        return Ok(build()?.table());
    };
    let name = TableName::new::<Reach<P>>(puzzle.frame(), wanted);
    let read = |file: &TableFile| Reach::from_file(puzzle, file);
    if let Some(reach) = largest(cache, &name, read, limits) {
        return Ok(reach);
    }
    if allowed < bytes {
        // Others may have more memory: this is not what they would want to find.
        return Ok(build()?.table());
    }
    Ok(cache.load_or_build(&name, read, build, limits)?.0)
}

/// The largest of the variants of a table in the cache that fits and is sound.
fn largest<T: Stored>(
    cache: &Cache,
    name: &TableName,
    read: impl Fn(&TableFile) -> Result<T, FileError>,
    limits: &Limits<'_>,
) -> Option<T> {
    // A folder that is not shown has nothing to offer.
    let variants = cache.variants(name).unwrap_or_default();
    let mut fitting = variants.iter().filter(|entry| limits.check_bytes(entry.bytes).is_ok());
    fitting.find_map(|entry| cache.load(&entry.path, name.fingerprint(), &read))
}

/// The database: the largest in the cache, or else that of default size, with fewer tiles if
/// there is little memory or time.
fn find_views(
    cache: Option<&Cache>,
    frame: &Frame,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<PatternViews, StopReason> {
    let wanted = tiles_for(frame, TableSize::Default);
    let cached = cache.and_then(|cache| {
        let read = |file: &TableFile| read_table(frame, file);
        largest(cache, &table_name(frame, wanted), read, limits)
    });
    if let Some(table) = cached {
        return Ok(PatternViews::new(frame, table));
    }
    let tiles = most_to_build(frame, wanted, limits).ok_or(StopReason::Memory)?;
    let table = match cache {
        // With fewer tiles it is not what others would want to find.
        Some(cache) if tiles == wanted => keep_pattern(cache, frame, tiles, limits, observer)?.0,
        _ => build_table(frame, tiles, limits, observer)?,
    };
    Ok(PatternViews::new(frame, table))
}

/// How many tiles, up to as many as are wanted, a database can have that is built within the
/// limits.
fn most_to_build(frame: &Frame, wanted: usize, limits: &Limits<'_>) -> Option<usize> {
    let moves = permutations(frame);
    let seconds =
        limits.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
    (MIN_TILES..=wanted).rev().find(|&tiles| {
        let places = 2.0 * PatternTable::bytes_for(frame.shape().cells(), tiles) as f64;
        let takes = places * moves.len() as f64 / STEPS_A_SECOND;
        seconds.is_none_or(|seconds| takes <= seconds.as_secs_f64())
            && limits.check_bytes(PatternTable::bytes_to_build(moves, tiles)).is_ok()
    })
}

/// How many tiles a database of some size has.
fn tiles_for(frame: &Frame, size: TableSize) -> usize {
    // Two places stand in a byte.
    most_tiles(frame.shape().cells(), size.bytes().saturating_mul(2))
}

/// The database of so many tiles: the one in the cache, or else made and kept there.
fn keep_pattern(
    cache: &Cache,
    frame: &Frame,
    tiles: usize,
    limits: &Limits<'_>,
    observer: &mut dyn Observer,
) -> Result<(PatternTable, Origin), StopReason> {
    let read = |file: &TableFile| read_table(frame, file);
    let build = || Ok(Built::Whole(build_table(frame, tiles, limits, observer)?));
    cache.load_or_build(&table_name(frame, tiles), read, build, limits)
}

/// The entries that a ball may have, if that is enough for every board.
fn entries_of_ball<P: Puzzle>(puzzle: &P, limits: &Limits<'_>) -> Option<usize> {
    let frame = puzzle.frame();
    let key = size_of::<P::Key>() as u64;
    let held = limits.bytes.map_or(u64::MAX, |bytes| bytes / (KEYS_HELD * key));
    let entries = held.min(BALL_BYTES / (key + 1));
    let boards = frame.group()?.order().as_u128()?;
    let classes = boards / frame.symmetries().len() as u128;
    (classes <= entries.into()).then_some(entries as usize)
}

/// Waits until no other thread builds, as long as the limits allow.
pub(super) fn wait_for<'a>(
    building: &'a Mutex<()>,
    limits: &Limits<'_>,
) -> Result<MutexGuard<'a, ()>, StopReason> {
    const PAUSE: Duration = Duration::from_millis(2);
    loop {
        match building.try_lock() {
            Ok(guard) => return Ok(guard),
            Err(TryLockError::Poisoned(poisoned)) => return Ok(poisoned.into_inner()),
            Err(TryLockError::WouldBlock) => {
                Limits { nodes: None, ..*limits }.check(0)?;
                thread::sleep(PAUSE);
            }
        }
    }
}

/// The limits of a build for a search with these.
pub(super) fn build_limits<'a>(limits: &Limits<'a>) -> Limits<'a> {
    Limits { nodes: None, deadline: limits.deadline.map(a_third_of_the_way), ..*limits }
}

/// The build may take a third of the time that is left; the search needs the rest.
fn a_third_of_the_way(deadline: Instant) -> Instant {
    let now = Instant::now();
    now + deadline.saturating_duration_since(now) / 3
}

/// A table in the cache.
#[derive(Clone, Debug)]
pub struct Prepared {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub path: PathBuf,
    /// What else is to be said of it.
    pub parameters: serde_json::Value,
    /// How many entries it has.
    pub entries: u64,
    /// How many bytes it takes.
    pub bytes: u64,
    /// Whether it was there.
    pub origin: Origin,
}

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unprepared {
    /// None is kept.
    #[error("tables of this size are made in a second or two, and none is kept")]
    Quick,
    /// None is needed.
    #[error(
        "there are so few boards that all their distances are found in a second or two: no table \
         is kept"
    )]
    FewBoards,
    /// A limit was hit.
    #[error("the table was not made: {0}")]
    Stopped(#[from] StopReason),
}

/// Makes a table, unless it is there.
pub(super) struct Prepare<'a> {
    pub cache: &'a Cache,
    pub size: TableSize,
    pub limits: &'a Limits<'a>,
    pub observer: &'a mut dyn Observer,
}

impl PuzzleVisitor for Prepare<'_> {
    type Output = Result<Vec<Prepared>, Unprepared>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let Prepare { cache, size, limits, observer } = self;
        if const { P::HAS_BLANK } {
            let prepared = databases::prepare(cache, puzzle.frame(), size, limits);
            return Ok(prepared.ok_or(Unprepared::Quick)??);
        }
        if entries_of_ball(puzzle, &Limits::default()).is_some() {
            return Err(Unprepared::FewBoards);
        }
        let frame = puzzle.frame();
        if has_views(frame) {
            let tiles = tiles_for(frame, size);
            let (table, origin) = keep_pattern(cache, frame, tiles, limits, observer)?;
            return Ok(vec![prepared(cache, &table_name(frame, tiles), &table, origin)]);
        }
        let name = TableName::new::<Reach<P>>(frame, size);
        let read = |file: &TableFile| Reach::from_file(puzzle, file);
        let build = || match Reach::build(puzzle, size.reach(), limits, observer)? {
            Built::CutShort(_, stop) => Err(stop),
            whole @ Built::Whole(_) => Ok(whole),
        };
        let (reach, origin) = cache.load_or_build(&name, read, build, limits)?;
        Ok(vec![prepared(cache, &name, &reach, origin)])
    }
}

pub(super) fn prepared<T: Stored>(
    cache: &Cache,
    name: &TableName,
    table: &T,
    origin: Origin,
) -> Prepared {
    Prepared {
        path: cache.path(name),
        name: name.to_string(),
        parameters: table.parameters(),
        entries: table.entries(),
        bytes: table.parts().iter().map(|part| part.len() as u64).sum(),
        origin,
    }
}
