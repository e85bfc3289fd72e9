//! Pattern databases of a partition of one's own, as a heuristic to search with.
//!
//! A table can be of any size here, so it is known what it takes before it is made, and the time
//! and the patience of a search end the making, too.

use super::{Ask, Lead};
use crate::heuristic::Promise;
use crate::heuristic::own_patterns::OwnPatterns;
use crate::heuristic::pattern_databases::PatternDatabases;
use crate::heuristic::registry::{Built, HeuristicVisitor};
use crate::limits::{Limits, StopReason};
use crate::puzzle::registry::on_engine;
use crate::puzzle::{AnyPuzzle, Frame, Puzzle};
use crate::solver::{Found, Run};

/// The partition, and the most bytes that its tables may take.
pub(super) struct OwnDatabases {
    pub(super) patterns: OwnPatterns,
    pub(super) most_bytes: u64,
}

impl OwnDatabases {
    fn built<'a>(
        &self,
        built: &'a Built,
        frame: &Frame,
        limits: &Limits<'_>,
    ) -> Result<&'a PatternDatabases, StopReason> {
        built.try_get(self.name(), || {
            let partition = self.patterns.partition(frame).expect("it was asked whether it fits");
            PatternDatabases::with_partition(frame, &partition, limits)
        })
    }
}

impl Lead for OwnDatabases {
    fn name(&self) -> &str {
        self.patterns.name()
    }

    fn summary(&self) -> &str {
        "additive pattern databases of a partition of one's own"
    }

    fn promise(&self, built: &Built, frame: &Frame) -> Result<Promise, String> {
        let partition = self.patterns.partition(frame).map_err(|error| error.to_string())?;
        let needed = *built.get(&format!("bytes of {}", self.name()), || {
            PatternDatabases::bytes_to_build(frame, &partition)
        });
        if needed > self.most_bytes {
            let [needed, most] = [needed, self.most_bytes].map(|bytes| bytes.div_ceil(1_000_000));
            return Err(format!(
                "making its tables takes {needed} MB, and {most} MB are allowed: choose smaller \
                 patterns, or give more by --max-memory"
            ));
        }
        Ok(Promise::CONSISTENT)
    }

    fn search(&self, puzzle: &AnyPuzzle, run: Run<'_>) -> Option<Found> {
        let limits = Limits { bytes: None, ..run.request.limits };
        match self.built(&run.solver.heuristics, puzzle.frame(), &limits) {
            Ok(databases) => on_engine!(puzzle, puzzle => visit(puzzle, databases, run)),
            Err(stop) => Some(run.stopped(stop)),
        }
    }

    fn appraise(&self, puzzle: &AnyPuzzle, built: &Built, ask: Ask<'_>) -> Option<()> {
        let databases = self.built(built, puzzle.frame(), &Limits::default()).ok()?;
        on_engine!(puzzle, puzzle => visit(puzzle, databases, ask))
    }
}

fn visit<P: Puzzle, V: HeuristicVisitor<P>>(
    puzzle: &P,
    databases: &PatternDatabases,
    visitor: V,
) -> Option<V::Output> {
    // A constant: what is behind it is not compiled for puzzles without a blank.
    if const { P::HAS_BLANK } { Some(visitor.visit(puzzle, databases)) } else { None }
}
