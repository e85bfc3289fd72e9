//! Shorter solutions of sliding puzzles, by replacing parts of a solution by shortest ways.
//!
//! A window is a part of a path. Its shortest replacement depends on the moves in it alone, and is
//! found by a search between (`between.rs`) the boards at its ends. Windows are short at first:
//! there are many quick gains. What the searches prove is remembered: each part of a shortest way is
//! one as well, so that windows within known ones are passed over. When nothing more is gained,
//! windows grow, and so does the number of nodes that may be spent on one.
//!
//! Windows that do not overlap are searched side by side, in rounds: those of a round do not depend
//! on the number of threads, and neither does the result, unless time runs out.

use super::between::{Between, Errand, Grid, shortest};
use super::{Limits, StopReason};
use crate::puzzle::{Frame, Move};
use rayon::ThreadPool;
use rayon::prelude::*;

/// The moves of the first windows.
const FIRST_LENGTH: usize = 14;

/// The most moves of a window: it is searched by recursion.
const LONGEST: usize = 500;

/// The nodes that may first be spent on a window.
const FIRST_NODES: u64 = 1 << 13;

/// By how much the nodes grow when longer windows are no longer finished.
const MORE_NODES: u64 = 4;

/// In how many places, within the length of a window, windows begin; the order makes early rounds
/// different from each other.
const PHASES: [usize; 4] = [0, 2, 1, 3];

/// How many windows a round has at least, if there are so many.
const ROUND: usize = 16;

/// How much work to put into a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The most nodes that are spent on one window.
    pub nodes: u64,
    /// How many threads search.
    pub threads: usize,
}

/// A path that was worked on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shortened {
    /// The moves: no more than before, from the same board to the same board.
    pub moves: Vec<Move>,
    /// Whether it is proven that no path is shorter.
    pub optimal: bool,
    /// How many nodes were expanded.
    pub expanded: u64,
    /// Why it ended before the effort was made, if it did.
    pub stop: Option<StopReason>,
}

/// Shortens a path of a puzzle with a blank as far as the effort and the limits allow. Each path that
/// is shorter than those before is handed to `improved`.
pub fn shorten(
    frame: &Frame,
    start: &[u8],
    moves: Vec<Move>,
    effort: Effort,
    limits: &Limits<'_>,
    improved: &mut dyn FnMut(&[Move]),
) -> Shortened {
    let blank = start.iter().position(|label| Some(*label) == frame.blank_label());
    let mut path = WindowedPath {
        grid: Grid::new(frame, &|_| true),
        blank: blank.expect("one cell is blank") as u8,
        moves,
        known: Vec::new(),
        tried: Vec::new(),
        expanded: 0,
    };
    // Without threads of its own, it works on this one.
    let pool = (effort.threads > 1)
        .then(|| rayon::ThreadPoolBuilder::new().num_threads(effort.threads).build().ok())
        .flatten();
    let stop = path.improve(effort.nodes, limits, pool.as_ref(), improved).err();
    let optimal = path.is_known(0, path.moves.len(), 0);
    let WindowedPath { moves, expanded, .. } = path;
    Shortened { moves, optimal, expanded, stop }
}

/// A part of a path.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Span {
    begin: usize,
    end: usize,
}

impl Span {
    fn len(self) -> usize {
        self.end - self.begin
    }

    /// Whether it covers all of another one but so many moves.
    fn covers(self, other: Span, but: usize) -> bool {
        let overlap = self.end.min(other.end).saturating_sub(self.begin.max(other.begin));
        overlap + but >= other.len()
    }
}

struct WindowedPath {
    grid: Grid,
    /// Where the blank is at the start.
    blank: u8,
    moves: Vec<Move>,
    /// Parts that are known to be shortest ways.
    known: Vec<Span>,
    /// Windows on which as many nodes were spent as may be.
    tried: Vec<Span>,
    expanded: u64,
}

impl WindowedPath {
    fn improve(
        &mut self,
        most_nodes: u64,
        limits: &Limits<'_>,
        pool: Option<&ThreadPool>,
        improved: &mut dyn FnMut(&[Move]),
    ) -> Result<(), StopReason> {
        let mut nodes = FIRST_NODES.min(most_nodes);
        let mut length = FIRST_LENGTH;
        loop {
            // The first length at which windows were left unfinished.
            let mut unfinished_from = None;
            loop {
                let (finished, unfinished) = self.sweep(length, nodes, limits, pool, improved)?;
                if self.is_known(0, self.moves.len(), 0) {
                    return Ok(());
                }
                if unfinished > 0 {
                    unfinished_from.get_or_insert(length);
                }
                if unfinished > 4 * finished || length >= self.moves.len().min(LONGEST) {
                    break;
                }
                length = (length + (length / 6).max(2)).min(LONGEST);
            }
            if nodes >= most_nodes {
                return Ok(());
            }
            nodes = nodes.saturating_mul(MORE_NODES).min(most_nodes);
            length = unfinished_from.unwrap_or(length);
            self.tried.clear();
        }
    }

    /// Searches windows of a length all over the path, until none of them gets shorter. How many of
    /// the windows are finished, and how many are not.
    fn sweep(
        &mut self,
        length: usize,
        nodes: u64,
        limits: &Limits<'_>,
        pool: Option<&ThreadPool>,
        improved: &mut dyn FnMut(&[Move]),
    ) -> Result<(usize, usize), StopReason> {
        let (mut finished, mut unfinished) = (0, 0);
        let mut unchanged = 0;
        let mut phase = 0;
        while unchanged < PHASES.len() {
            let mut round = Vec::new();
            while round.len() < ROUND && unchanged < PHASES.len() {
                self.add_windows(length, PHASES[phase] * length / PHASES.len(), &mut round);
                phase = (phase + 1) % PHASES.len();
                unchanged += 1;
            }
            let before = self.moves.len();
            let results = self.search(&round, nodes, limits, pool)?;
            finished += results.iter().filter(|result| !is_stopped(result)).count();
            unfinished += results.iter().filter(|result| is_stopped(result)).count();
            self.apply(&round, results);
            if self.moves.len() < before {
                improved(&self.moves);
                unchanged = 0;
            }
        }
        limits.check(self.expanded)?;
        Ok((finished, unfinished))
    }

    /// Adds the windows that begin so many moves after multiples of their length, but for those of
    /// which enough is known.
    fn add_windows(&self, length: usize, offset: usize, round: &mut Vec<Span>) {
        // Windows that differ by no more are as good as the same, but for the whole path.
        let but = if length < self.moves.len() { length / PHASES.len() / 2 } else { 0 };
        let mut begin = offset;
        // The last one is a whole window, too.
        while begin < self.moves.len() {
            let end = (begin + length).min(self.moves.len());
            let span = Span { begin: end.saturating_sub(length), end };
            begin += length;
            let known = self.is_known(span.begin, span.end, but);
            let again = self.tried.iter().chain(&*round);
            if !known && !again.into_iter().any(|other| other.covers(span, but)) {
                round.push(span);
            }
        }
    }

    fn is_known(&self, begin: usize, end: usize, but: usize) -> bool {
        begin == end || self.known.iter().any(|known| known.covers(Span { begin, end }, but))
    }

    fn search(
        &mut self,
        round: &[Span],
        nodes: u64,
        limits: &Limits<'_>,
        pool: Option<&ThreadPool>,
    ) -> Result<Vec<Between>, StopReason> {
        limits.check(self.expanded)?;
        // What is left is divided beforehand, so that it does not matter which is searched first.
        let left = limits.nodes.map(|most| (most - self.expanded) / round.len().max(1) as u64);
        if left == Some(0) {
            return Err(StopReason::Nodes);
        }
        let nodes = left.map_or(nodes, |left| left.min(nodes));
        let limits = Limits { nodes: Some(nodes), ..*limits };
        let mut blanks = Vec::with_capacity(round.len());
        let (mut blank, mut at) = (self.blank, 0);
        let mut by_begin: Vec<usize> = (0..round.len()).collect();
        by_begin.sort_unstable_by_key(|&i| round[i].begin);
        blanks.resize(round.len(), 0);
        for i in by_begin {
            blank = self.grid.blank_after(blank, &self.moves[at..round[i].begin]);
            at = round[i].begin;
            blanks[i] = blank;
        }
        let search = |(span, &blank): (&Span, &u8)| {
            let moves = &self.moves[span.begin..span.end];
            let errand = Errand::of_moves(&self.grid, blank, moves);
            let mut expanded = 0;
            let below = moves.len() as u32;
            (shortest(&self.grid, &errand, below, &limits, &mut expanded), expanded)
        };
        let results: Vec<(Between, u64)> = match pool {
            Some(pool) => {
                let work = || round.par_iter().zip(&blanks).with_max_len(1).map(search).collect();
                pool.install(work)
            }
            None => round.iter().zip(&blanks).map(search).collect(),
        };
        self.expanded += results.iter().map(|(_, expanded)| expanded).sum::<u64>();
        Ok(results.into_iter().map(|(result, _)| result).collect())
    }

    /// Puts the shorter ways into the path, where windows of a round do not overlap.
    fn apply(&mut self, round: &[Span], results: Vec<Between>) {
        let mut shorter: Vec<(Span, Vec<Move>)> = Vec::new();
        for (&span, result) in round.iter().zip(results) {
            match result {
                Between::NoneShorter => self.known.push(span),
                Between::Stopped(_) => self.tried.push(span),
                Between::Shortest(moves) => {
                    let apart =
                        |(other, _): &(Span, _)| span.end <= other.begin || other.end <= span.begin;
                    if shorter.iter().all(apart) {
                        shorter.push((span, moves));
                    }
                }
            }
        }
        // From the last to the first, so that none is moved by another.
        shorter.sort_unstable_by_key(|(span, _)| std::cmp::Reverse(span.begin));
        for (span, moves) in shorter {
            let end = span.begin + moves.len();
            let gained = span.end - end;
            self.known = cut(&self.known, span, gained);
            self.tried.retain(|tried| tried.end <= span.begin || span.end <= tried.begin);
            self.tried = cut(&self.tried, span, gained);
            self.known.push(Span { begin: span.begin, end });
            self.moves.splice(span.begin..span.end, moves);
        }
        self.drop_covered();
    }

    /// Forgets what is part of a longer known part.
    fn drop_covered(&mut self) {
        self.known.sort_unstable_by_key(|span| (span.begin, std::cmp::Reverse(span.end)));
        let mut end = 0;
        self.known.retain(|span| {
            let longer = span.end > end;
            end = end.max(span.end);
            longer
        });
    }
}

fn is_stopped(result: &Between) -> bool {
    matches!(result, Between::Stopped(_))
}

/// What remains of some spans when one is replaced by another that is shorter by so much.
fn cut(spans: &[Span], replaced: Span, gained: usize) -> Vec<Span> {
    let before = |span: &Span| Span { begin: span.begin, end: span.end.min(replaced.begin) };
    let after = |span: &Span| Span {
        begin: span.begin.max(replaced.end).saturating_sub(gained),
        end: span.end.saturating_sub(gained),
    };
    let both = spans.iter().flat_map(|span| [before(span), after(span)]);
    both.filter(|span| span.begin < span.end).collect()
}
