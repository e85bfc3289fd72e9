//! The partitions of sliding puzzles that have names.
//!
//! `pdb` divides any board of up to 20 cells by itself; up to 3x3 there is one pattern with all
//! tiles, so that the estimate is the distance. `pdb-555`, `pdb-663` and `pdb-78` are known
//! partitions of the 15-puzzle (0.3, 3 and 196 MB; 0.1, 0.2 and 12 seconds on two cores),
//! `pdb-6666` is that of the 24-puzzle (48 MB, 3 seconds). A heuristic of this kind is a
//! [`NamedPartition`] and one line in the registry.

use super::partition::Partition;
use super::pattern_databases::PatternDatabases;
use super::{NamedHeuristic, Promise, Scope};
use crate::limits::StopReason;
use crate::puzzle::Frame;
use crate::table::source::TableSource;

/// A partition of the tiles that has a name.
pub trait NamedPartition {
    /// The name on the command line.
    const NAME: &'static str;
    /// What it is, in one line.
    const SUMMARY: &'static str;
    /// Whether its tables take more than a second or so to build.
    const LARGE: bool = false;

    /// The partition of a puzzle with a blank; `None` if it does not apply there.
    fn partition(frame: &Frame) -> Option<Partition>;
}

/// The heuristic that adds up the databases of the partition.
impl<N: NamedPartition> NamedHeuristic for N {
    const NAME: &'static str = N::NAME;
    const SUMMARY: &'static str = N::SUMMARY;
    const SCOPE: Scope = Scope::WithBlank;
    const ADDITIVE: bool = true;
    const LARGE: bool = N::LARGE;

    type Heuristic = PatternDatabases;

    fn promise(frame: &Frame) -> Option<Promise> {
        N::partition(frame).map(|_| Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> PatternDatabases {
        Self::build_within(frame, &TableSource::default()).expect("nothing limits it")
    }

    fn build_within(
        frame: &Frame,
        tables: &TableSource<'_>,
    ) -> Result<PatternDatabases, StopReason> {
        let partition = N::partition(frame).expect("it was asked whether it applies");
        PatternDatabases::with_partition(frame, &partition, tables)
    }
}

/// A partition chosen by the size of the board.
#[derive(Clone, Copy, Debug)]
pub struct Automatic;

impl Automatic {
    /// The most cells, for which the tables are made in a moment.
    const MOST_CELLS: usize = 20;
}

impl NamedPartition for Automatic {
    const NAME: &'static str = "pdb";
    const SUMMARY: &'static str =
        "additive pattern databases of up to 6 tiles, mirrored where the board allows it";

    fn partition(frame: &Frame) -> Option<Partition> {
        let cells = frame.shape().cells();
        let of_strips = || Partition::from_strips(frame, if cells <= 16 { 6 } else { 5 });
        let fits = cells <= Self::MOST_CELLS;
        if fits { Partition::new_663(frame).or_else(of_strips) } else { None }
    }
}

/// Three patterns of five tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb555;

impl NamedPartition for Pdb555 {
    const NAME: &'static str = "pdb-555";
    const SUMMARY: &'static str = "pattern databases of 5, 5 and 5 tiles of the 15-puzzle: 0.3 MB";

    fn partition(frame: &Frame) -> Option<Partition> {
        let patterns: [&[u32]; 3] = [&[1, 2, 3, 6, 7], &[4, 5, 8, 9, 12], &[10, 11, 13, 14, 15]];
        Partition::with_blank_in_corner(frame, 4, &patterns)
    }
}

/// Patterns of six, six and three tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb663;

impl NamedPartition for Pdb663 {
    const NAME: &'static str = "pdb-663";
    const SUMMARY: &'static str = "pattern databases of 6, 6 and 3 tiles of the 15-puzzle: 3 MB";

    fn partition(frame: &Frame) -> Option<Partition> {
        Partition::new_663(frame)
    }
}

/// Patterns of seven and eight tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb78;

impl NamedPartition for Pdb78 {
    const NAME: &'static str = "pdb-78";
    const SUMMARY: &'static str = "pattern databases of 7 and 8 tiles of the 15-puzzle: 196 MB";
    const LARGE: bool = true;

    fn partition(frame: &Frame) -> Option<Partition> {
        let patterns: [&[u32]; 2] = [&[1, 2, 3, 4, 5, 6, 7], &[8, 9, 10, 11, 12, 13, 14, 15]];
        Partition::with_blank_in_corner(frame, 4, &patterns)
    }
}

/// Four patterns of six tiles.
#[derive(Clone, Copy, Debug)]
pub struct Pdb6666;

impl NamedPartition for Pdb6666 {
    const NAME: &'static str = "pdb-6666";
    const SUMMARY: &'static str = "pattern databases of four times 6 tiles of the 24-puzzle: 48 MB";
    const LARGE: bool = true;

    fn partition(frame: &Frame) -> Option<Partition> {
        Partition::new_6666(frame)
    }
}
