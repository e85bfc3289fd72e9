//! What `auto` knows of the boards near the goal of a puzzle without a blank: all distances
//! where there are few enough boards, else which boards may be how near.
//!
//! It is found out once for each solver. Filters are taken from the cache, if the solver has one:
//! the largest that fit, whatever their size; if there are none, those of default size are made
//! and kept there. Distances of all boards are made anew: that takes a second or two at most.

use super::Solver;
use crate::puzzle::{Depth, Puzzle, PuzzleVisitor};
use crate::search::{Limits, Stop};
use crate::table::ball::{Ball, BallSize};
use crate::table::cache::{Cache, Origin, TableName};
use crate::table::file::{Stored, TableFile};
use crate::table::reach::{Reach, ReachSize, Watch};
use crate::table::{BuildLimits, BuildStop, Built};
use std::fmt::Display;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a ball that holds every board, counted as it is stored: built in a second
/// or two.
const BALL_BYTES: u64 = 54_000_000;

/// How many bytes are held for each entry while the ball is built, in keys.
const KEYS_HELD: u64 = 6;

/// The most boards that are looked at to make the largest filter of default size: about a second.
const WORK: u64 = 40_000_000;

/// How large filters may be, all together.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TableSize {
    /// 8 MB.
    Small,
    /// 100 MB, and no more than is made in about a second.
    #[default]
    Default,
    /// 2 GiB.
    Large,
    /// So many bytes.
    Bytes(u64),
}

impl TableSize {
    fn reach(self) -> ReachSize {
        match self {
            TableSize::Small => ReachSize { bytes: 8_000_000, work: WORK },
            TableSize::Default => ReachSize { bytes: 100_000_000, work: WORK },
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
            TableSize::Large => f.write_str("large"),
            TableSize::Bytes(bytes) => write!(f, "{bytes}"),
        }
    }
}

/// What is known of the boards near the goal.
pub(super) enum Near<P: Puzzle> {
    /// Every board's distance.
    Ball(Ball<P>),
    /// Which boards may be how near.
    Reach(Reach<P>),
}

impl<P: Puzzle> Near<P> {
    pub(super) fn bytes(&self) -> u64 {
        match self {
            Near::Ball(ball) => ball.bytes(),
            Near::Reach(reach) => reach.bytes(),
        }
    }
}

/// What is known of this solver's puzzle, found out if it is not there yet.
pub(super) fn get<'a, P: Puzzle>(
    solver: &'a Solver,
    puzzle: &P,
    limits: &Limits<'_>,
) -> Result<&'a Near<P>, Stop> {
    let _building = wait_for(&solver.building, limits)?;
    if solver.near.get().is_none() {
        let build_limits = BuildLimits {
            bytes: limits.bytes,
            deadline: limits.deadline.map(a_third_of_the_way),
            cancelled: limits.cancelled,
        };
        let found = find_out(solver, puzzle, &build_limits).map_err(|stop| match stop {
            BuildStop::Memory => Stop::Memory,
            BuildStop::Time => Stop::Time,
            BuildStop::Cancelled => Stop::Cancelled,
        })?;
        let set = solver.near.set(Box::new(found));
        debug_assert!(set.is_ok(), "only one thread builds it");
    }
    let near = solver.near.get().expect("it has just been set");
    Ok(near.downcast_ref().expect("a solver has one engine"))
}

/// All distances where there are few enough boards, else the filters.
fn find_out<P: Puzzle>(
    solver: &Solver,
    puzzle: &P,
    limits: &BuildLimits<'_>,
) -> Result<Near<P>, BuildStop> {
    if let Some(entries) = entries_of_ball(puzzle, limits) {
        let size = BallSize { entries, radius: Depth::MAX };
        let ball = Ball::build(puzzle, size, limits, solver.simd)?;
        if ball.is_complete() {
            return Ok(Near::Ball(ball));
        }
    }
    let wanted = TableSize::Default;
    let ReachSize { bytes, work } = wanted.reach();
    let allowed = limits.bytes.map_or(bytes, |most| bytes.min(most / 2));
    let build = || {
        let size = ReachSize { bytes: allowed, work };
        Reach::build(puzzle, size, limits, solver.simd, &mut |_, _| {})
    };
    let Some(cache) = &solver.cache else {
        return Ok(Near::Reach(build()?.table()));
    };
    let name = TableName::new::<Reach<P>>(puzzle.frame(), wanted);
    let read = |file: &TableFile| Reach::of_file(puzzle, file, solver.simd);
    // A folder that is not shown has nothing to offer.
    let variants = cache.variants(&name).unwrap_or_default();
    let fitting = variants.iter().filter(|entry| limits.check_bytes(entry.bytes).is_ok());
    for entry in fitting {
        if let Some(reach) = cache.load(&entry.path, name.fingerprint(), read) {
            return Ok(Near::Reach(reach));
        }
    }
    let reach = if allowed < bytes {
        // Others may have more memory: this is not what they would want to find.
        build()?.table()
    } else {
        cache.load_or_build(&name, read, build, limits)?.0
    };
    Ok(Near::Reach(reach))
}

/// The entries that a ball may have, if that is enough for every board.
fn entries_of_ball<P: Puzzle>(puzzle: &P, limits: &BuildLimits<'_>) -> Option<usize> {
    let frame = puzzle.frame();
    let key = size_of::<P::Key>() as u64;
    let held = limits.bytes.map_or(u64::MAX, |bytes| bytes / (KEYS_HELD * key));
    let entries = held.min(BALL_BYTES / (key + 1));
    let boards = frame.group()?.order().as_u128()?;
    let classes = boards / frame.symmetries().len() as u128;
    (classes <= entries.into()).then_some(entries as usize)
}

/// Waits until no other thread builds, as long as the limits allow.
fn wait_for<'a>(building: &'a Mutex<()>, limits: &Limits<'_>) -> Result<MutexGuard<'a, ()>, Stop> {
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
    /// Up to how many moves it tells boards apart.
    pub radius: Depth,
    /// How many classes of symmetric boards are that near, about.
    pub boards: u64,
    /// How many bytes it takes.
    pub bytes: u64,
    /// Whether it was there.
    pub origin: Origin,
}

/// Why there is no table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Unprepared {
    /// None is made for puzzles like this.
    #[error("no tables are made for puzzles with a blank")]
    Blank,
    /// None is needed.
    #[error(
        "there are so few boards that all their distances are found in a second or two: no table \
         is kept"
    )]
    FewBoards,
    /// A limit was hit.
    #[error("the table was not made: {0}")]
    Stopped(#[from] BuildStop),
}

/// Makes a table, unless it is there.
pub(super) struct Prepare<'a> {
    pub solver: &'a Solver,
    pub cache: &'a Cache,
    pub size: TableSize,
    pub limits: &'a BuildLimits<'a>,
    pub watch: &'a mut Watch<'a>,
}

impl PuzzleVisitor for Prepare<'_> {
    type Output = Result<Prepared, Unprepared>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Self::Output {
        let Prepare { solver, cache, size, limits, watch } = self;
        if P::HAS_BLANK {
            return Err(Unprepared::Blank);
        }
        if entries_of_ball(puzzle, &BuildLimits::default()).is_some() {
            return Err(Unprepared::FewBoards);
        }
        let name = TableName::new::<Reach<P>>(puzzle.frame(), size);
        let read = |file: &TableFile| Reach::of_file(puzzle, file, solver.simd);
        let build = || match Reach::build(puzzle, size.reach(), limits, solver.simd, watch)? {
            Built::CutShort(_, stop) => Err(stop),
            whole @ Built::Whole(_) => Ok(whole),
        };
        let (reach, origin) = cache.load_or_build(&name, read, build, limits)?;
        Ok(Prepared {
            path: cache.path(&name),
            name: name.to_string(),
            radius: reach.radius(),
            boards: reach.entries(),
            bytes: reach.bytes(),
            origin,
        })
    }
}
