//! What all best-first searches share: states met, nodes to expand, and the loop that expands
//! them (Hart, Nilsson and Raphael 1968, "A formal basis for the heuristic determination of
//! minimum cost paths").
//!
//! A state is stored once, in the [`Closed`] list, with a [`Note`] of two bytes: its depth, the
//! move that led to it, and whether it has been expanded. Nodes to expand are bare keys in
//! the buckets of the [`Open`] list. When a shorter path to a state is found, the note is
//! changed and the key pushed again; the entry that is left over no longer agrees with the
//! note, and is passed over when it comes up. A path is rebuilt from its end by undoing the
//! moves of the notes.
//!
//! A successor that undoes the last move is not generated. Nothing more is left out for good:
//! the move-ordering automaton is sound only together with the path that it has watched, and a
//! stored state forgets all paths but one.
//!
//! A* expands nodes in part (Yoshizumi, Miura and Ishida 2000, "A* with partial expansion for
//! large branching factor problems"): of the successors, those that may be on a solution as short
//! as is being tried are stored; if there are others, the node goes back on the open list with
//! the least sum of depth and estimate among them. Estimates are cheap and memory is not: most
//! successors are too far away, and are never stored at all.
//!
//! Where the moves fix the parity of a solution's length, an estimate of the wrong parity is
//! raised by one. That keeps it admissible, and consistent if it was.

mod open;

pub(super) use open::{Entry, Open, Order};

use super::closed::{Closed, Met};
use super::pace::Pace;
use super::path::{START, back_to_start};
use super::{Limits, Observer, Outcome, Solution, Statistics, Stop, Task};
use crate::heuristic::Heuristic;
use crate::puzzle::packed::Packed;
use crate::puzzle::{Depth, Move, MoveSet, Puzzle};

/// How many nodes before its own turn the memory that one needs is asked for.
const WARM_AHEAD: usize = 4;

/// What is noted of a stored state: its depth, the move that led to it, and whether it has
/// been expanded.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Note(u16);

/// How notes of one puzzle are packed: the move in as few bits as hold all moves, the rest for
/// the depth. The 4 moves of a sliding puzzle leave room for 8191 moves deep, 16 for 2047,
/// 32 for 1023, and 64, the most that there can be, for 511.
#[derive(Clone, Copy, Debug)]
pub(super) struct Notes {
    move_bits: u32,
}

impl Notes {
    const EXPANDED: u16 = 1 << 15;

    fn new(moves: usize) -> Notes {
        Notes { move_bits: moves.next_power_of_two().trailing_zeros() }
    }

    /// The largest depth that can be noted.
    fn deepest(self) -> Depth {
        (Depth::from(Self::EXPANDED) >> self.move_bits) - 1
    }

    #[inline]
    pub(super) fn note(self, depth: Depth, last: Move) -> Note {
        Note((depth << self.move_bits) as u16 | u16::from(last.0))
    }

    #[inline]
    pub(super) fn depth(self, note: Note) -> Depth {
        Depth::from((note.0 & !Self::EXPANDED) >> self.move_bits)
    }

    /// The move that led to a state; none to the start.
    #[inline]
    fn last(self, note: Note) -> Option<Move> {
        let m = note.0 & ((1 << self.move_bits) - 1);
        (self.depth(note) > 0).then_some(Move(m as u8))
    }
}

/// What stays the same during a search.
#[derive(Debug)]
pub(super) struct Ground<'a, P: Puzzle, H> {
    pub(super) puzzle: &'a P,
    pub(super) heuristic: &'a H,
    pub(super) notes: Notes,
    /// All moves that differ.
    moves: MoveSet,
    /// After each move, those of them that do not undo it.
    followers: Vec<MoveSet>,
    /// Whether solutions are of odd length, where that is known.
    odd_length: Option<bool>,
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
            odd_length: puzzle.frame().odd_length(&puzzle.labels(task.start)),
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
        Ground { odd_length: None, ..self }
    }

    /// The estimate of a value at a depth.
    #[inline]
    pub(super) fn estimate(&self, value: H::Value, depth: Depth) -> Depth {
        let estimate = self.heuristic.estimate(value);
        match self.odd_length {
            Some(odd) => estimate + (estimate + depth + Depth::from(odd)) % 2,
            None => estimate,
        }
    }

    /// The estimate of the start.
    pub(super) fn of_start(&self, start: P::State) -> Depth {
        self.estimate(self.heuristic.evaluate(self.puzzle, start), 0)
    }

    /// Visits the successors of a node whose turn it is, each with the move that leads there and
    /// its estimate.
    #[inline]
    pub(super) fn expand(
        &self,
        node: Node<P::Key>,
        order: Order,
        mut visit: impl FnMut(Move, P::Key, Depth),
    ) -> Turn {
        let (puzzle, heuristic) = (self.puzzle, self.heuristic);
        let state = puzzle.state(node.entry.key);
        let value = heuristic.evaluate(puzzle, state);
        let depth = node.entry.depth + 1;
        let tried = node.entry.depth + node.entry.estimate;
        let (mut evaluations, mut later) = (0, Depth::MAX);
        for m in self.successors(state, node.last) {
            evaluations += 1;
            let estimate = self.estimate(heuristic.update(puzzle, value, state, m), depth);
            let length = depth + estimate;
            if order.partial && length > tried {
                later = later.min(length);
            } else if !node.again || length == tried {
                visit(m, puzzle.key(puzzle.apply(state, m)), estimate);
            }
        }
        Turn { evaluations, later: Some(later).filter(|&later| later < Depth::MAX) }
    }

    /// The moves to try in a state that was reached by `last`, if by any.
    #[inline]
    fn successors(&self, state: P::State, last: Option<Move>) -> MoveSet {
        let moves = last.map_or(self.moves, |last| self.followers[last.index()]);
        moves.and(self.puzzle.legal(state))
    }
}

/// A node on its way to be expanded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node<K> {
    pub(super) entry: Entry<K>,
    /// The move that led to it; none to the start.
    pub(super) last: Option<Move>,
    /// Whether it has been expanded in part.
    pub(super) again: bool,
}

/// What came of expanding a node, in part or in full.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    /// How many estimates were made.
    evaluations: u64,
    /// When its next turn will be, if it has successors that were not visited: the least sum of
    /// depth and estimate among them.
    later: Option<Depth>,
}

/// The states met and the nodes to expand.
#[derive(Debug)]
pub(super) struct Nodes<K: Copy> {
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

    /// Puts the start on the open list.
    ///
    /// # Errors
    /// If there is no room for it.
    pub(super) fn begin(
        &mut self,
        start: K,
        estimate: Depth,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let entry = Entry { key: start, depth: 0, estimate };
        self.statistics.evaluations += 1;
        self.offer(start, self.notes.note(0, Move(0)), estimate, limits)
            .inspect_err(|_| self.give_up(entry))
    }

    /// Stores a state with a note, and puts it on the open list, unless it is known on a path
    /// that is no longer.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn offer(
        &mut self,
        key: K,
        note: Note,
        estimate: Depth,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        let depth = self.notes.depth(note);
        match self.closed.insert(key, note, limits, self.open.bytes() + self.besides)? {
            Met::New => {}
            Met::Before(place, known) => {
                let expanded = known.0 & Notes::EXPANDED != 0;
                if self.notes.depth(known) <= depth || (expanded && !self.open.order().reopens) {
                    self.statistics.duplicates += 1;
                    return Ok(());
                }
                self.statistics.reopened += u64::from(expanded);
                self.closed.set(place, note);
            }
        }
        self.push(Entry { key, depth, estimate }, limits)
    }

    /// Ends a node's turn: if it has been expanded in part, it goes back on the open list.
    ///
    /// # Errors
    /// If there is no room for it.
    #[inline]
    pub(super) fn end_turn(
        &mut self,
        node: Node<K>,
        turn: Turn,
        limits: &Limits<'_>,
    ) -> Result<(), Stop> {
        self.statistics.evaluations += turn.evaluations;
        let Some(length) = turn.later else { return Ok(()) };
        self.push(Entry { estimate: length - node.entry.depth, ..node.entry }, limits)
    }

    #[inline]
    fn push(&mut self, entry: Entry<K>, limits: &Limits<'_>) -> Result<(), Stop> {
        if entry.depth + entry.estimate > self.longest {
            self.give_up(entry);
            return Ok(());
        }
        let held = self.closed.bytes() + self.besides;
        self.open.push(entry, limits, held)
    }

    /// Takes the next node from the open list.
    #[inline]
    pub(super) fn take(&mut self) -> Option<Node<K>> {
        loop {
            let entry = self.open.pop()?;
            if let Some(later) = self.open.peek(WARM_AHEAD) {
                self.closed.warm(later);
            }
            let (place, note) = self.closed.find(entry.key)?;
            if self.notes.depth(note) == entry.depth {
                let again = note.0 & Notes::EXPANDED != 0;
                if !again {
                    self.closed.set(place, Note(note.0 | Notes::EXPANDED));
                }
                return Some(Node { entry, last: self.notes.last(note), again });
            }
        }
    }

    /// Counts a node as expanded, once; whether its successors can be noted.
    #[inline]
    pub(super) fn count(&mut self, node: Node<K>) -> bool {
        let entry = node.entry;
        if node.again {
            return true;
        }
        let length = entry.depth + entry.estimate;
        if entry.depth >= self.notes.deepest() {
            self.give_up(entry);
            return false;
        }
        let index = length as usize;
        if index >= self.expanded_by_length.len() {
            self.expanded_by_length.resize(index + 1, 0);
        }
        self.expanded_by_length[index] += 1;
        self.statistics.expanded += 1;
        self.statistics.max_depth = self.statistics.max_depth.max(entry.depth + 1);
        true
    }

    /// Remembers that what is below a node has not been searched.
    pub(super) fn give_up(&mut self, entry: Entry<K>) {
        self.given_up = self.given_up.min(entry.depth + entry.estimate);
    }

    /// No solution is shorter than this, up to `bound`, if estimates are admissible: each
    /// shortest one passes through a node that is open or was given up.
    pub(super) fn lower_bound(&self, bound: Depth) -> Depth {
        let live = |entry: Entry<K>| {
            self.closed.get(entry.key).is_some_and(|note| self.notes.depth(note) == entry.depth)
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
    let mut search = Search { ground, limits: &task.limits, nodes, children: Vec::new() };
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
            Ok(false) => Some(Stop::Depth),
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
    /// The successors of the node at hand, with their estimates.
    children: Vec<(Move, P::Key, Depth)>,
}

impl<P: Puzzle, H: Heuristic<P>> Search<'_, P, H> {
    /// Searches; whether the goal was found before the open list ran empty.
    fn run(&mut self, start: P::State, observer: &mut dyn Observer) -> Result<bool, Stop> {
        let ground = self.ground;
        let goal = ground.puzzle.key(ground.puzzle.goal());
        self.nodes.begin(ground.puzzle.key(start), ground.of_start(start), self.limits)?;
        let mut pace = Pace::new(self.limits, observer);
        while let Some(node) = self.nodes.take() {
            if node.entry.estimate == 0 && node.entry.key == goal {
                return Ok(true);
            }
            let length = node.entry.depth + node.entry.estimate;
            pace.step(length, self.nodes.statistics.expanded)
                .and_then(|()| self.expand(node))
                .inspect_err(|_| self.nodes.give_up(node.entry))?;
        }
        Ok(false)
    }

    /// Generates the successors of a node.
    #[inline]
    fn expand(&mut self, node: Node<P::Key>) -> Result<(), Stop> {
        if !self.nodes.count(node) {
            return Ok(());
        }
        let Search { ground, nodes, children, .. } = self;
        children.clear();
        let turn = ground.expand(node, nodes.open.order(), |m, child, estimate| {
            nodes.closed.warm(child);
            children.push((m, child, estimate));
        });
        nodes.statistics.generated += children.len() as u64;
        for &(m, child, estimate) in &*children {
            let note = ground.notes.note(node.entry.depth + 1, m);
            nodes.offer(child, note, estimate, self.limits)?;
        }
        nodes.end_turn(node, turn, self.limits)
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
        for (moves, deepest) in [(1, 32_767), (4, 8_191), (20, 1_023), (64, 511)] {
            let notes = Notes::new(moves);
            assert_eq!(notes.deepest(), deepest);
            for m in (0..moves).map(|m| Move(m as u8)) {
                let note = notes.note(deepest, m);
                assert_eq!((notes.depth(note), notes.last(note)), (deepest, Some(m)));
                let expanded = Note(note.0 | Notes::EXPANDED);
                assert_eq!((notes.depth(expanded), notes.last(expanded)), (deepest, Some(m)));
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
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let (start, settings) = (puzzle.state_of(&backwards), &Settings::default());
            let task = Task { puzzle, start, at_least: 0, limits, settings };
            let ground = Ground::new(&task, &Zero).without_parity();
            let nodes = Nodes::new(&ground, Order::BY_DEPTH);
            let mut search =
                Search { ground: &ground, limits: &limits, nodes, children: Vec::new() };
            assert_eq!(search.run(start, &mut Silent), Err(Stop::Nodes));
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
