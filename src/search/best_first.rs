//! What all best-first searches share: states met, nodes to expand, and the loop that expands
//! them (Hart, Nilsson and Raphael 1968, "A formal basis for the heuristic determination of
//! minimum cost paths").
//!
//! A state is stored once, in the [`Closed`] list, with a [`Note`] of two bytes: its depth and the
//! move that led to it. Nodes to expand are keys in the buckets of the [`Open`] list, each with
//! its last move. Whether a state is known is looked up when its turn has come, and not before:
//! most of those that are generated last never have one, and the others are then looked up once.
//! If it is known on a path that is no longer, it is passed over. A path is rebuilt from its end
//! by undoing the moves of the notes.
//!
//! A successor that undoes the last move is not generated. Nothing more is left out for good:
//! the move-ordering automaton is sound only together with the path that it has watched, and a
//! stored state forgets all paths but one.
//!
//! A* expands nodes in part (Yoshizumi, Miura and Ishida 2000, "A* with partial expansion for
//! large branching factor problems"): of the successors, those that may be on a solution as short
//! as is being tried are put on the open list; if there are others, the node goes back there
//! itself, with the least sum of depth and estimate among them. Estimates are cheap and memory is
//! not: most successors are too far away, and are never stored at all. A blank has too few of them
//! for that to pay.
//!
//! Where only depth plus estimate counts, nodes are taken and expanded several at a time, from one
//! stack: the looks into the closed list then wait for memory together. The goal is looked for
//! among them before any is expanded, while nothing open has a smaller sum.
//!
//! Where the moves fix the parity of a solution's length, an estimate of the wrong parity is
//! raised by one. That keeps it admissible, and consistent if it was.

mod open;
mod pairs;
mod runs;

pub(super) use open::{Entry, Open, Order, Turns};
pub(super) use pairs::Pair;
pub(super) use runs::{Run, Runs};

use super::closed::{Closed, Met};
use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{Limits, Observer, Outcome, Solution, Statistics, StopReason, Task};
use crate::heuristic::{After, Heuristic};
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};
use bytemuck::{Pod, Zeroable};

/// How many nodes are taken together at most.
const MOST_TOGETHER: usize = 64;

/// How many states there are in the closed list for each node that is taken together with others:
/// in a small list, nothing has to be waited for.
const STATES_FOR_EACH: usize = 256;

/// What is noted of a stored state: its depth and the move that led to it.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(transparent)]
pub(super) struct Note(u16);

/// How notes of one puzzle are packed: the move in as few bits as hold all moves, the rest for
/// the depth. The 4 moves of a sliding puzzle leave room for 16383 moves deep, 16 for 4095,
/// 32 for 2047, and 64, the most that there can be, for 1023.
#[derive(Clone, Copy, Debug)]
struct Notes {
    move_bits: u32,
}

impl Notes {
    fn new(moves: usize) -> Notes {
        Notes { move_bits: moves.next_power_of_two().trailing_zeros() }
    }

    /// The largest depth that can be noted.
    fn deepest(self) -> Depth {
        Depth::from(u16::MAX >> self.move_bits)
    }

    #[inline]
    fn note(self, depth: Depth, last: Move) -> Note {
        Note((depth << self.move_bits) as u16 | u16::from(last.0))
    }

    #[inline]
    fn depth(self, note: Note) -> Depth {
        Depth::from(note.0 >> self.move_bits)
    }

    /// The move that led to a state; none to the start.
    #[inline]
    fn last(self, note: Note) -> Option<Move> {
        let m = note.0 & ((1 << self.move_bits) - 1);
        (self.depth(note) > 0).then_some(Move(m as u8))
    }
}

/// Whether solutions are of odd length, where that is known.
#[derive(Clone, Copy, Debug)]
struct Parity {
    /// 1 if they are, or 0.
    odd: Depth,
    /// 1 if that is known, or 0.
    known: Depth,
}

impl Parity {
    fn new(odd_length: Option<bool>) -> Parity {
        Parity { odd: odd_length.unwrap_or(false).into(), known: odd_length.is_some().into() }
    }

    /// An estimate at a depth, raised by one if no solution is of that length.
    #[inline]
    fn raised(self, estimate: Depth, depth: Depth) -> Depth {
        estimate + ((estimate + depth + self.odd) & self.known)
    }

    /// How far apart lengths of solutions are at least.
    fn step(self) -> Depth {
        1 + self.known
    }
}

/// What stays the same during a search.
#[derive(Debug)]
pub(super) struct Ground<'a, P: Puzzle, H> {
    pub(super) puzzle: &'a P,
    heuristic: &'a H,
    notes: Notes,
    /// All moves that differ.
    moves: MoveSet,
    /// After each move, those of them that do not undo it.
    followers: Vec<MoveSet>,
    parity: Parity,
    /// The longest solution of interest.
    pub(super) longest: Depth,
}

impl<'a, P: Puzzle, H: Heuristic<P>> Ground<'a, P, H> {
    pub(super) fn new(task: &Task<'a, P>, heuristic: &'a H) -> Self {
        let puzzle = task.puzzle;
        let table = puzzle.frame().moves();
        let moves = table.all().without(table.duplicates());
        let undo = |m| table.inverse(m).map_or(MoveSet::EMPTY, |m| MoveSet::EMPTY.with(m));
        Ground {
            puzzle,
            heuristic,
            notes: Notes::new(table.len()),
            moves,
            followers: table.all().map(|m| moves.without(undo(m))).collect(),
            parity: Parity::new(puzzle.frame().odd_length(&puzzle.labels(task.start))),
            longest: task.limits.depth.unwrap_or(Depth::MAX),
        }
    }

    /// The way to the goal, once it has been found, by the notes of the states on it.
    pub(super) fn solution(&self, note_of: impl Fn(P::Key) -> Option<Note>) -> Vec<Move> {
        let last = |key| note_of(key).and_then(|note| self.notes.last(note));
        let led_to = |key| last(key).map_or(START, |m| m.0);
        back_to_start(self.puzzle, self.puzzle.goal(), led_to)
    }

    /// The same without knowledge of the parity, for searches without estimates.
    pub(super) fn without_parity(self) -> Self {
        Ground { parity: Parity::new(None), ..self }
    }

    /// The estimate of a value at a depth.
    #[inline]
    pub(super) fn estimate(&self, value: H::Value, depth: Depth) -> Depth {
        self.parity.raised(self.heuristic.estimate(value), depth)
    }

    /// The estimate of the start.
    pub(super) fn of_start(&self, start: P::State) -> Depth {
        self.estimate(self.heuristic.evaluate(self.puzzle, start), 0)
    }

    /// The start, as a node to expand.
    pub(super) fn start(&self, start: P::State) -> Entry<P::Key> {
        let (key, estimate) = (self.puzzle.key(start), self.of_start(start));
        Entry { key, depth: 0, estimate, last: Move(0), again: false }
    }

    /// Visits the successors of a node whose turn it is. If it is expanded in part, and is to
    /// come up again, it is visited too. Returns how many estimates were made.
    #[inline]
    pub(super) fn expand(
        &self,
        node: Entry<P::Key>,
        order: Order,
        mut visit: impl FnMut(Entry<P::Key>),
    ) -> u64 {
        let (puzzle, heuristic) = (self.puzzle, self.heuristic);
        let state = puzzle.state(node.key);
        let value = match heuristic.unit_value(node.estimate) {
            Some(value) if !node.again => value,
            _ => heuristic.evaluate(puzzle, state),
        };
        let after = heuristic.after(puzzle, value, state);
        let moves = self.successors(state, node);
        let depth = node.depth + 1;
        let mut visit_after = |last, estimate| {
            let key = puzzle.key(puzzle.apply(state, last));
            visit(Entry { key, depth, estimate, last, again: false });
        };
        let estimate = |m| self.estimate(after.value(m), depth);
        if P::HAS_BLANK || !order.by_length {
            moves.for_each(|m| visit_after(m, estimate(m)));
            return moves.len() as u64;
        }
        let mut later = Depth::MAX;
        if let Some(part) = self.part(node, &after, moves) {
            part.moves.for_each(|m| visit_after(m, estimate(m)));
            later = part.later;
        } else {
            for m in moves {
                let estimate = estimate(m);
                let length = depth + estimate;
                if length > node.length() {
                    later = later.min(length);
                } else if !node.again || length == node.length() {
                    visit_after(m, estimate);
                }
            }
        }
        if later < Depth::MAX {
            visit(Entry { estimate: later - node.depth, again: true, ..node });
        }
        moves.len() as u64
    }

    /// Which of its moves a node is expanded by, where the heuristic can tell without a look at
    /// each.
    #[inline]
    fn part(
        &self,
        node: Entry<P::Key>,
        after: &impl After<H::Value>,
        moves: MoveSet,
    ) -> Option<Part> {
        let budget = node.estimate.checked_sub(1)?;
        let step = self.parity.step();
        let near = after.within(moves, budget)?;
        let later = if near == moves { Depth::MAX } else { node.length() + step };
        let before = budget.checked_sub(step).filter(|_| node.again);
        let before = before.and_then(|budget| after.within(moves, budget));
        Some(Part { moves: near.without(before.unwrap_or(MoveSet::EMPTY)), later })
    }

    /// The moves to try at a node.
    #[inline]
    fn successors(&self, state: P::State, node: Entry<P::Key>) -> MoveSet {
        let moves = if node.depth == 0 { self.moves } else { self.followers[node.last.index()] };
        moves.and(self.puzzle.legal(state))
    }
}

/// What a node is expanded by in one turn.
struct Part {
    moves: MoveSet,
    /// The next sum of depth and estimate that moves left for later turns can have;
    /// [`Depth::MAX`] if there are none.
    later: Depth,
}

/// The states met and the nodes to expand.
#[derive(Debug)]
pub(super) struct Nodes<K: Packed> {
    notes: Notes,
    longest: Depth,
    pub(super) closed: Closed<K, Note>,
    pub(super) open: Open<K>,
    pub(super) statistics: Statistics,
    /// How many nodes were expanded for each sum of depth and estimate.
    expanded_by_length: Vec<u64>,
    /// The least sum of depth and estimate of what was given up: too deep, too long, or not
    /// fully expanded when the search was stopped.
    pub(super) given_up: Depth,
    /// What is held besides both lists.
    pub(super) besides: u64,
}

impl<K: Packed> Nodes<K> {
    pub(super) fn new<P: Puzzle, H>(ground: &Ground<'_, P, H>, order: Order) -> Self {
        Nodes {
            notes: ground.notes,
            longest: ground.longest,
            closed: Closed::new(),
            open: Open::new(order),
            statistics: Statistics::default(),
            expanded_by_length: Vec::new(),
            given_up: Depth::MAX,
            besides: 0,
        }
    }

    /// How many bytes are held.
    pub(super) fn bytes(&self) -> u64 {
        self.closed.bytes() + self.open.bytes() + self.besides
    }

    /// Stores a state whose turn has come; whether it was not known on a path that is no longer.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn settle(
        &mut self,
        node: Entry<K>,
        limits: &Limits<'_>,
    ) -> Result<bool, StopReason> {
        let note = self.notes.note(node.depth, node.last);
        let held = self.open.bytes() + self.besides;
        match self.closed.insert(node.key, note, limits, held) {
            Ok(Met::New) => Ok(true),
            Ok(Met::Before(place, known)) => {
                let shorter = self.notes.depth(known) > node.depth && self.open.order().reopens;
                if shorter {
                    self.statistics.reopened += 1;
                    self.closed.set(place, note);
                } else {
                    self.statistics.duplicates += 1;
                }
                Ok(shorter)
            }
            Err(stop) => {
                self.give_up(node.length());
                Err(stop)
            }
        }
    }

    /// Puts a node on the open list.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn push(&mut self, node: Entry<K>, limits: &Limits<'_>) -> Result<(), StopReason> {
        if node.length() > self.longest {
            self.give_up(node.length());
            return Ok(());
        }
        let held = self.closed.bytes() + self.besides;
        self.open.push(node, limits, held).inspect_err(|_| self.give_up(node.length()))
    }

    /// Puts nodes of one depth and one estimate on the open list.
    ///
    /// # Errors
    /// If there is no room for them.
    #[inline]
    pub(super) fn push_all(
        &mut self,
        run: Run<'_, K>,
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        let length = run.length();
        if length > self.longest && !run.items.is_empty() {
            self.give_up(length);
            return Ok(());
        }
        let held = self.closed.bytes() + self.besides;
        self.open.push_all(run, limits, held).inspect_err(|_| self.give_up(length))
    }

    /// Takes nodes whose turn has come from the open list, `most` or fewer, in place of those
    /// that `turns` held: none only if there is none.
    ///
    /// Several are taken together where their order among themselves is of no importance: each
    /// look into a large closed list waits for memory, and many can wait at once.
    ///
    /// # Errors
    /// If there is no room to store a state.
    #[inline]
    pub(super) fn take(
        &mut self,
        most: usize,
        turns: &mut Turns<K>,
        limits: &Limits<'_>,
    ) -> Result<(), StopReason> {
        let many = self.closed.len() / STATES_FOR_EACH;
        let together = if self.open.order().by_length { many.clamp(1, MOST_TOGETHER) } else { 1 };
        loop {
            self.open.pop(most.min(together), turns);
            if turns.is_empty() {
                return Ok(());
            }
            if together > 1 {
                turns.nodes().for_each(|node| self.closed.warm(node.key));
            }
            turns.retain(|node| Ok(node.again || self.settle(node, limits)?))?;
            if !turns.is_empty() {
                return Ok(());
            }
        }
    }

    /// Counts nodes as expanded, each at its first turn; whether their successors can be noted.
    #[inline]
    pub(super) fn count(&mut self, turns: &Turns<K>) -> bool {
        if turns.depth >= self.notes.deepest() {
            self.give_up(turns.length());
            return false;
        }
        let first_turns = turns.nodes().filter(|node| !node.again).count() as u64;
        let index = turns.length() as usize;
        if index >= self.expanded_by_length.len() {
            self.expanded_by_length.resize(index + 1, 0);
        }
        self.expanded_by_length[index] += first_turns;
        self.statistics.expanded += first_turns;
        self.statistics.max_depth = self.statistics.max_depth.max(turns.depth + 1);
        true
    }

    /// Remembers that what is below a node with this sum of depth and estimate has not been
    /// searched.
    pub(super) fn give_up(&mut self, length: Depth) {
        self.given_up = self.given_up.min(length);
    }

    /// No solution is shorter than this, up to `bound`, if estimates are admissible: each
    /// shortest one passes through a node that is open or was given up.
    pub(super) fn lower_bound(&self, bound: Depth) -> Depth {
        let live = |node: Entry<K>| {
            let known = self.closed.get(node.key).map(|note| self.notes.depth(note));
            if node.again {
                known == Some(node.depth)
            } else {
                known.is_none_or(|d| d > node.depth)
            }
        };
        self.open.least_length(bound.min(self.given_up), live)
    }

    /// How many nodes were expanded with a sum of depth and estimate below `length`.
    pub(super) fn expanded_below(&self, length: Depth) -> u64 {
        self.expanded_by_length.iter().take(length as usize).sum()
    }
}

/// Expands nodes in an order until the goal comes up.
pub(super) fn search<P: Puzzle, H: Heuristic<P>>(
    task: &Task<'_, P>,
    ground: &Ground<'_, P, H>,
    order: Order,
    observer: &mut dyn Observer,
) -> Outcome {
    let nodes = Nodes::new(ground, order);
    let mut search = Search { ground, limits: &task.limits, nodes };
    let end = search.run(task.start, observer);
    let Search { mut nodes, .. } = search;
    let moves = matches!(end, Ok(true)).then(|| ground.solution(|key| nodes.closed.get(key)));
    let length = moves.as_ref().map_or(Depth::MAX, |moves| moves.len() as Depth);
    // Without reopening, the depths of open nodes prove nothing.
    let proven =
        if order.reopens { nodes.lower_bound(length) } else { ground.of_start(task.start) };
    let lower_bound = proven.max(task.at_least).min(length);
    nodes.statistics.expanded_below = nodes.expanded_below(lower_bound);
    nodes.statistics.peak_bytes = nodes.bytes();
    Outcome {
        solution: moves.map(|moves| Solution { moves, optimal: lower_bound == length }),
        lower_bound,
        stop: match end {
            Ok(true) => None,
            Ok(false) => Some(StopReason::Depth),
            Err(stop) => Some(stop),
        },
        statistics: nodes.statistics,
    }
}

/// A search by one thread.
struct Search<'a, P: Puzzle, H> {
    ground: &'a Ground<'a, P, H>,
    limits: &'a Limits<'a>,
    nodes: Nodes<P::Key>,
}

impl<P: Puzzle, H: Heuristic<P>> Search<'_, P, H> {
    /// Searches; whether the goal was found before the open list ran empty.
    fn run(&mut self, start: P::State, observer: &mut dyn Observer) -> Result<bool, StopReason> {
        let ground = self.ground;
        let goal = ground.puzzle.key(ground.puzzle.goal());
        self.nodes.statistics.evaluations += 1;
        self.nodes.push(ground.start(start), self.limits)?;
        let mut pace = Pace::new(self.limits, observer);
        let (mut turns, mut pair) = (Turns::new(), Pair::new(goal));
        loop {
            self.nodes.take(pace.most() as usize, &mut turns, self.limits)?;
            if turns.is_empty() {
                return Ok(false);
            }
            if turns.estimate == 0 && turns.nodes().any(|node| node.key == goal) {
                return Ok(true);
            }
            let expanded = self.nodes.statistics.expanded;
            pace.steps(turns.len() as u64, turns.length(), expanded)
                .and_then(|()| self.expand(&turns, &mut pair))
                .inspect_err(|_| self.nodes.give_up(turns.length()))?;
        }
    }

    /// Generates the successors of nodes.
    #[inline]
    fn expand(&mut self, turns: &Turns<P::Key>, pair: &mut Pair<P::Key>) -> Result<(), StopReason> {
        let Search { ground, nodes, limits } = self;
        if !nodes.count(turns) {
            return Ok(());
        }
        if ground.gather(turns, pair) {
            nodes.statistics.generated += pair.len() as u64;
            nodes.statistics.evaluations += pair.len() as u64;
            let runs = ground.gathered(turns, pair);
            return runs.into_iter().try_for_each(|run| nodes.push_all(run, limits));
        }
        let order = nodes.open.order();
        let mut end = Ok(());
        for node in turns.nodes().rev() {
            nodes.statistics.evaluations += ground.expand(node, order, |child| {
                nodes.statistics.generated += u64::from(!child.again);
                if end.is_ok() {
                    end = nodes.push(child, limits);
                }
            });
        }
        end
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::heuristic::zero::Zero;
    use crate::puzzle::{AnyPuzzle, PuzzleVisitor};
    use crate::search::{Settings, Silent};

    #[test]
    fn notes_hold_depths_and_moves() {
        for (moves, deepest) in [(1, 65_535), (4, 16_383), (20, 2_047), (64, 1_023)] {
            let notes = Notes::new(moves);
            assert_eq!(notes.deepest(), deepest);
            for m in (0..moves).map(|m| Move(m as u8)) {
                let note = notes.note(deepest, m);
                assert_eq!((notes.depth(note), notes.last(note)), (deepest, Some(m)));
            }
            assert_eq!(notes.last(notes.note(0, Move(0))), None);
        }
    }

    /// The bytes of the closed list for each state, after a long search far from the goal.
    struct BytesPerState;

    impl PuzzleVisitor for BytesPerState {
        type Output = f64;

        fn visit<P: Puzzle>(self, puzzle: &P) -> f64 {
            let backwards: Vec<u8> = puzzle.labels(puzzle.goal()).into_iter().rev().collect();
            let limits = Limits { nodes: Some(1_800_000), ..Limits::default() };
            let (start, settings) = (puzzle.state_of(&backwards), &Settings::default());
            let task = Task { puzzle, start, at_least: 0, limits, settings };
            let ground = Ground::new(&task, &Zero).without_parity();
            let nodes = Nodes::new(&ground, Order::BY_LENGTH);
            let mut search = Search { ground: &ground, limits: &limits, nodes };
            assert_eq!(search.run(start, &mut Silent), Err(StopReason::Nodes));
            let closed = search.nodes.closed;
            assert!(closed.len() > 1_500_000, "{} states", closed.len());
            closed.bytes() as f64 / closed.len() as f64
        }
    }

    #[test]
    fn stored_states_are_small() {
        let bytes = |id| AnyPuzzle::from_id(id).unwrap().visit(BytesPerState);
        assert!(bytes("torus4") <= 16.0);
        assert!(bytes("torus5") <= 32.0);
    }
}
