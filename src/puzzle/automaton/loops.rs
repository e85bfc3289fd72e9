//! Sequences of moves of a blank that a search need not make, and the automaton that keeps it from
//! them (Taylor and Korf 1993, "Pruning duplicate nodes in depth-first search"; Burch and Holte
//! 2011, "Automatic move pruning in general single-player games").
//!
//! Sequences are ordered by their length, then lexicographically by [`ORDER`]. One is **forbidden**
//! if an earlier one has the same effect and stays within the rows and columns that it visits. The
//! two are the halves of a loop of the blank that changes nothing.
//!
//! **Nothing is lost**, on no board that is a rectangle and with no admissible heuristic. Of all
//! shortest ways from one board to another, take the earliest, and suppose that a part s of it is
//! forbidden because of t. Where s fits on the board, so does the rectangle of the rows and columns
//! that s visits, and so does t. With t in the place of s, the way leads to the same board, and is
//! earlier: a contradiction. So the earliest shortest way has no forbidden part. A depth-first
//! search that tries moves in this order finds that way first, with and without the automaton.
//!
//! The forbidden sequences are enumerated up to a length; those with a shorter one in them are left
//! out. An automaton that reads moves one by one recognizes the rest (Aho and Corasick 1975,
//! "Efficient string matching"): a state is the longest end of the moves so far that a forbidden
//! sequence begins with.

use super::Memory;
use crate::hash::HashMap;
use crate::puzzle::moves::{Move, MoveSet};
use std::sync::OnceLock;

/// The order in which the moves of a blank are tried and sequences are compared: Up, Left, Right,
/// Down.
pub const ORDER: [Move; 4] = [Move(0), Move(2), Move(3), Move(1)];

/// How many moves there are.
const MOVES: usize = ORDER.len();

/// From how many nodes on a search is worth an automaton of sequences of how many moves: they are
/// made in 6 and 50 milliseconds. Longer ones hardly save time: the automaton no longer fits the
/// cache that is near.
const SIZES: [(u64, usize); 2] = [(0, 10), (1_000_000, 12)];

/// The automaton of forbidden sequences: those of two moves take the last one back, and all others
/// go halfway round a loop.
#[derive(Clone, Debug)]
pub struct Loops {
    /// By state.
    rows: Vec<Row>,
    /// How many sequences of each length are forbidden that have no shorter one in them.
    forbidden: Vec<usize>,
}

/// A state: four bits for the moves that it allows, and below that the state after each, in
/// 15 bits by the number of the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Row(u64);

/// The bits of a state's number: with four of them and four more, a row is one word.
const STATE_BITS: usize = 15;

impl Row {
    /// The moves that may come next, one bit each.
    #[inline(always)]
    pub fn allowed(self) -> u8 {
        (self.0 >> (MOVES * STATE_BITS)) as u8
    }

    /// The state after one of them.
    #[inline(always)]
    fn after(self, m: usize) -> usize {
        (self.0 >> (STATE_BITS * m)) as usize & ((1 << STATE_BITS) - 1)
    }

    fn allow(&mut self, m: Move, state: usize) {
        assert!(state < 1 << STATE_BITS, "the automaton has few states");
        self.0 |=
            1 << (MOVES * STATE_BITS + m.index()) | (state as u64) << (STATE_BITS * m.index());
    }
}

impl Loops {
    /// What is held at most while a larger automaton is made.
    pub const MOST_BYTES: u64 = 30_000_000;

    /// The automaton for a search that has expanded so many nodes. One that was made for another
    /// search would cost nothing, but what a board takes must not depend on boards before.
    pub fn after_nodes(expanded: u64) -> &'static Loops {
        static MADE: [OnceLock<Loops>; SIZES.len()] = [const { OnceLock::new() }; SIZES.len()];
        let worth = SIZES.iter().rposition(|&(nodes, _)| nodes <= expanded);
        let size = worth.expect("the first is for any search");
        MADE[size].get_or_init(|| Loops::up_to(SIZES[size].1))
    }

    /// The automaton of all forbidden sequences of up to this many moves, at least one.
    pub fn up_to(length: usize) -> Loops {
        let sequences = Sequences::up_to(length);
        let rows = recognizer(&sequences.forbidden);
        let count = |n| sequences.forbidden.iter().filter(|word| word.length == n).count();
        Loops { rows, forbidden: (0..=length).map(count).collect() }
    }

    /// How many sequences of 0, 1, 2, … moves are forbidden that have no shorter one in them.
    pub fn forbidden(&self) -> &[usize] {
        &self.forbidden
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.rows.len()
    }

    /// The moves that may come next.
    #[inline]
    pub fn allowed(&self, memory: Memory) -> MoveSet {
        MoveSet(self.row(memory).allowed().into())
    }

    /// What to remember after an allowed move.
    #[inline]
    pub fn after(&self, memory: Memory, m: Move) -> Memory {
        debug_assert!(self.allowed(memory).contains(m));
        Memory(self.row(memory).after(m.index()) as u16)
    }

    /// The row of a state.
    #[inline(always)]
    pub fn row(&self, memory: Memory) -> Row {
        self.rows[memory.index()]
    }

    /// The row after an allowed move.
    #[inline(always)]
    pub fn next(&self, row: Row, m: usize) -> Row {
        self.rows[row.after(m)]
    }
}

/// A sequence of moves, each by its place in [`ORDER`], two bits each: the last move is lowest.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Word {
    length: usize,
    moves: u32,
}

impl Word {
    fn then(self, place: usize) -> Word {
        Word { length: self.length + 1, moves: self.moves << 2 | place as u32 }
    }

    /// The place of its last move.
    fn last(self) -> usize {
        self.moves as usize & 3
    }

    /// The places of its moves in [`ORDER`].
    fn places(self) -> impl Iterator<Item = usize> {
        (0..self.length).rev().map(move |after| (self.moves >> (2 * after)) as usize & 3)
    }
}

/// No sequence.
const NONE: u32 = u32::MAX;

/// All sequences of one length without a forbidden part, in lexicographic order.
#[derive(Default)]
struct Layer {
    /// Which sequence of the layer before each is without its first move.
    tails: Vec<u32>,
    /// By the place of one more move, which of the next layer it is then; [`NONE`] if that is, or
    /// has in it, a forbidden one.
    longer: Vec<[u32; MOVES]>,
}

/// The sequences without a forbidden part, by their effects, and the forbidden ones.
struct Sequences {
    longest: usize,
    layers: Vec<Layer>,
    /// By hash of the effect: the last of these among `known`.
    by_effect: HashMap<u64, u32>,
    known: Vec<Known>,
    forbidden: Vec<Word>,
}

/// A sequence that is being looked at.
#[derive(Clone, Copy)]
struct Longer {
    word: Word,
    /// The number of the one without its last move.
    start: u32,
    /// The number of the one without its first move.
    tail: u32,
    visited: Extent,
}

/// A sequence that others may do the same as.
struct Known {
    word: Word,
    visited: Extent,
    /// Another one with the same hash.
    other: u32,
}

impl Sequences {
    fn up_to(longest: usize) -> Sequences {
        let first = Layer { tails: vec![0], longer: vec![[NONE; MOVES]] };
        let mut sequences = Sequences {
            longest,
            layers: vec![first],
            by_effect: HashMap::default(),
            known: Vec::new(),
            forbidden: Vec::new(),
        };
        let mut walk = Walk::new(longest);
        let nothing = Word { length: 0, moves: 0 };
        sequences.find_earlier_or_add(nothing, &walk, Extent::default());
        for length in 1..=longest {
            sequences.layers.push(Layer::default());
            // No other sequence is longer by an even number of moves: only within the layer can two
            // have the same effect, and most effects are there once.
            let mut effects = (length + 2 > longest).then(|| Effects::new(length));
            if let Some(effects) = &mut effects {
                let mut note = |_: &mut Sequences, _: Longer, walk: &Walk| effects.add(walk.hash());
                sequences.extend((nothing, 0), &mut walk, Extent::default(), length, &mut note);
            }
            let mut judge = |all: &mut Sequences, longer: Longer, walk: &Walk| {
                all.judge(longer, walk, effects.as_ref());
            };
            sequences.extend((nothing, 0), &mut walk, Extent::default(), length, &mut judge);
        }
        sequences
    }

    /// Visits all sequences of a length that begin like this one, which is that of its layer, and
    /// have no forbidden part, but may be forbidden themselves.
    fn extend(
        &mut self,
        (word, at): (Word, u32),
        walk: &mut Walk,
        visited: Extent,
        length: usize,
        visit: &mut dyn FnMut(&mut Sequences, Longer, &Walk),
    ) {
        for place in 0..MOVES {
            let longer = word.then(place);
            let next = if longer.length < length {
                self.layers[word.length].longer[at as usize][place]
            } else if let Some(before) = word.length.checked_sub(1) {
                // What comes after the first move has been judged before.
                let tail = self.layers[word.length].tails[at as usize];
                self.layers[before].longer[tail as usize][place]
            } else {
                0
            };
            if next == NONE {
                continue;
            }
            walk.go(place);
            let visited = visited.with(walk);
            if longer.length < length {
                self.extend((longer, next), walk, visited, length, visit);
            } else {
                visit(self, Longer { word: longer, start: at, tail: next, visited }, walk);
            }
            walk.go_back(place);
        }
    }

    /// Forbids a sequence, or adds it to its layer.
    fn judge(&mut self, longer: Longer, walk: &Walk, effects: Option<&Effects>) {
        let Longer { word, start, tail, visited } = longer;
        let hash = walk.hash();
        let is_alone = effects.is_some_and(|effects| !effects.is_repeated(hash))
            && !self.by_effect.contains_key(&hash);
        if !is_alone && self.find_earlier_or_add(word, walk, visited) {
            self.forbidden.push(word);
        } else if word.length < self.longest {
            let [.., layer, next] = &mut self.layers[..] else {
                unreachable!("there is a layer before each")
            };
            layer.longer[start as usize][word.last()] = next.tails.len() as u32;
            next.tails.push(tail);
            next.longer.push([NONE; MOVES]);
        }
    }

    /// Whether an earlier sequence does the same within the same rows and columns; if none does,
    /// this one is added.
    fn find_earlier_or_add(&mut self, word: Word, walk: &Walk, visited: Extent) -> bool {
        let number = self.known.len() as u32;
        let last = self.by_effect.entry(walk.hash()).or_insert(NONE);
        let mut other = *last;
        while other != NONE {
            let earlier = &self.known[other as usize];
            if earlier.visited.is_within(visited) && walk.has_effect_of(earlier.word) {
                return true;
            }
            other = earlier.other;
        }
        self.known.push(Known { word, visited, other: *last });
        *last = number;
        false
    }
}

/// Which effects there are more than once, by their hashes. Others may be taken for one of these,
/// and none of these is overlooked.
struct Effects {
    once: Vec<u64>,
    repeated: Vec<u64>,
    bits: u32,
}

impl Effects {
    /// For all sequences of a length.
    fn new(length: usize) -> Effects {
        // Some bits for each.
        let bits = (2 * length as u32).max(6);
        let words = 1 << (bits - 6);
        Effects { once: vec![0; words], repeated: vec![0; words], bits }
    }

    /// The word of a hash, and its bit there.
    fn place(&self, hash: u64) -> (usize, u64) {
        let at = hash >> (u64::BITS - self.bits);
        (at as usize / 64, 1 << (at % 64))
    }

    fn add(&mut self, hash: u64) {
        let (word, bit) = self.place(hash);
        self.repeated[word] |= self.once[word] & bit;
        self.once[word] |= bit;
    }

    fn is_repeated(&self, hash: u64) -> bool {
        let (word, bit) = self.place(hash);
        self.repeated[word] & bit != 0
    }
}

/// How far the blank has been from where it began: up, down, left and right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Extent([i8; 4]);

impl Extent {
    fn with(self, walk: &Walk) -> Extent {
        let (row, col) = walk.blank_from_start();
        let Extent([up, down, left, right]) = self;
        Extent([up.max(-row), down.max(row), left.max(-col), right.max(col)])
    }

    fn is_within(self, other: Extent) -> bool {
        self.0.iter().zip(other.0).all(|(&own, most)| own <= most)
    }
}

/// A board without edges on which the blank goes about.
struct Walk {
    /// How many columns there are, more than the blank can get past.
    side: usize,
    /// By cell: where what is there was at first.
    origins: Vec<u16>,
    start: usize,
    blank: usize,
    /// Of everything that is not where it was, the exclusive or of its [`mixed`] places.
    moved: u64,
}

impl Walk {
    /// A board for walks of this many moves.
    fn new(length: usize) -> Walk {
        let side = 2 * length + 1;
        let start = side * length + length;
        let origins = (0..(side * side) as u16).collect();
        Walk { side, origins, start, blank: start, moved: 0 }
    }

    fn blank_from_start(&self) -> (i8, i8) {
        let place = |cell: usize| ((cell / self.side) as i8, (cell % self.side) as i8);
        let ((row, col), (row_0, col_0)) = (place(self.blank), place(self.start));
        (row - row_0, col - col_0)
    }

    /// Makes the move in this place of [`ORDER`].
    fn go(&mut self, place: usize) {
        let (from, side) = (self.blank, self.side);
        let to = match place {
            0 => from - side,
            1 => from - 1,
            2 => from + 1,
            _ => from + side,
        };
        self.origins.swap(from, to);
        let origin = self.origins[from];
        self.moved ^= mixed(to, origin) ^ mixed(from, origin);
        self.blank = to;
    }

    fn go_back(&mut self, place: usize) {
        self.go(MOVES - 1 - place);
    }

    /// A hash of what the walk so far has changed.
    fn hash(&self) -> u64 {
        self.moved ^ mixed(self.blank, u16::MAX)
    }

    /// Whether another walk changes just the same.
    fn has_effect_of(&self, word: Word) -> bool {
        let mut other = Walk::new(self.side / 2);
        word.places().for_each(|place| other.go(place));
        self.origins == other.origins
    }
}

/// A random number for what was at `origin` and is in a cell now; 0 if it has not moved. (The
/// numbers of Steele, Lea and Flood 2014, "Fast splittable pseudorandom number generators".)
fn mixed(cell: usize, origin: u16) -> u64 {
    if cell == usize::from(origin) {
        return 0;
    }
    let mut z = ((cell as u64) << 16 | u64::from(origin)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ z >> 31
}

/// The automaton that refuses these sequences, none of which is a part of another. States are
/// numbered by length: those that a search is in most of the time come first.
fn recognizer(forbidden: &[Word]) -> Vec<Row> {
    // What begins a sequence, as a tree.
    let mut tree = vec![[None; MOVES]];
    let mut ends = vec![false];
    for word in forbidden {
        let mut at = 0;
        for place in word.places() {
            at = *tree[at][place].get_or_insert(ends.len());
            if at == ends.len() {
                tree.push([None; MOVES]);
                ends.push(false);
            }
        }
        ends[at] = true;
    }
    // By length: after each move, the longest end that begins a sequence; `None` if it is one.
    let mut number = vec![0; tree.len()];
    let mut shorter = vec![0; tree.len()];
    let mut rows: Vec<Row> = Vec::new();
    let mut after: Vec<[Option<usize>; MOVES]> = vec![[None; MOVES]; tree.len()];
    let mut queue = vec![0];
    let mut next = 0;
    while let Some(&at) = queue.get(next) {
        for place in 0..MOVES {
            let of_shorter = if at == 0 { Some(0) } else { after[shorter[at]][place] };
            after[at][place] = match tree[at][place] {
                None => of_shorter,
                Some(end) if ends[end] => None,
                Some(child) => {
                    shorter[child] = of_shorter.expect("no sequence is a part of another");
                    number[child] = queue.len();
                    queue.push(child);
                    Some(child)
                }
            };
        }
        next += 1;
    }
    for at in queue {
        let mut row = Row::default();
        for (place, m) in ORDER.into_iter().enumerate() {
            if let Some(after) = after[at][place] {
                row.allow(m, number[after]);
            }
        }
        rows.push(row);
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::automaton::Automaton;
    use crate::puzzle::{AnyPuzzle, Puzzle, PuzzleVisitor};

    /// Follows the earliest shortest way to each board, as far as there are so many of them, from
    /// a start with the blank in a given cell; the automaton must let all of these ways through.
    struct FollowEarliest<'a> {
        loops: &'a Loops,
        blank: usize,
        boards: usize,
    }

    impl PuzzleVisitor for FollowEarliest<'_> {
        type Output = usize;

        fn visit<P: Puzzle>(self, puzzle: &P) -> usize {
            let cells = puzzle.frame().shape().cells();
            let goal = usize::from(puzzle.frame().blank_label().unwrap());
            let mut labels: Vec<u8> = (0..cells as u8).collect();
            labels.swap(goal, self.blank);
            let start = puzzle.state_of(&labels);
            let mut seen = HashMap::from_iter([(puzzle.key(start), ())]);
            // In each layer, boards are in the order of the earliest ways to them.
            let mut layer = vec![(start, Memory::START)];
            while !layer.is_empty() && seen.len() < self.boards {
                let mut next = Vec::new();
                for (state, memory) in layer {
                    for m in ORDER.into_iter().filter(|&m| puzzle.legal(state).contains(m)) {
                        let after = puzzle.apply(state, m);
                        if seen.insert(puzzle.key(after), ()).is_none() {
                            assert!(self.loops.allowed(memory).contains(m), "{cells} cells");
                            next.push((after, self.loops.after(memory, m)));
                        }
                    }
                }
                layer = next;
            }
            seen.len()
        }
    }

    fn boards_reached(id: &str, blank: usize, boards: usize, loops: &Loops) -> usize {
        let puzzle = AnyPuzzle::from_id(id).unwrap();
        puzzle.visit(FollowEarliest { loops, blank, boards })
    }

    #[test]
    fn every_board_of_small_puzzles_keeps_its_earliest_shortest_way() {
        for loops in [&Loops::up_to(2), &Loops::up_to(7), Loops::after_nodes(u64::MAX)] {
            for blank in 0..9 {
                assert_eq!(boards_reached("sliding3", blank, usize::MAX, loops), 181_440);
            }
            for (id, boards) in [("sliding2", 12), ("sliding:2x3", 360), ("sliding:4x2", 20_160)] {
                assert_eq!(boards_reached(id, 0, usize::MAX, loops), boards, "{id}");
                assert_eq!(boards_reached(id, 3, usize::MAX, loops), boards, "{id}");
            }
        }
    }

    #[test]
    fn boards_of_larger_puzzles_keep_their_earliest_shortest_ways() {
        let loops = Loops::after_nodes(u64::MAX);
        let ids = ["sliding:2x7", "sliding:5x3", "sliding:3x4", "sliding4", "sliding5", "sliding6"];
        for id in ids {
            for blank in [0, 1, 5, 7] {
                assert!(boards_reached(id, blank, 60_000, loops) >= 60_000, "{id}");
            }
        }
    }

    #[test]
    fn forbidden_sequences_are_as_many_as_known() {
        let loops = Loops::after_nodes(u64::MAX);
        assert_eq!(loops.forbidden(), [0, 0, 4, 0, 0, 0, 4, 2, 32, 22, 294, 211, 2098]);
        assert_eq!(*Loops::up_to(8).forbidden(), loops.forbidden()[..=8]);
    }

    #[test]
    fn two_moves_are_the_way_back() {
        let puzzle = AnyPuzzle::from_id("sliding4").unwrap();
        let automaton: &Automaton = puzzle.frame().automaton();
        let loops = Loops::up_to(2);
        assert_eq!(loops.states(), automaton.states());
        for m in ORDER {
            let allowed = loops.allowed(loops.after(Memory::START, m));
            assert_eq!(allowed, automaton.allowed(automaton.after(Memory::START, m)));
        }
    }

    #[test]
    fn half_a_loop_may_be_gone_in_one_way_only() {
        // Six moves either way round a square of four cells have the same effect.
        let loops = Loops::up_to(6);
        let allows = |moves: [u8; 6]| {
            let (mut memory, mut allows) = (Memory::START, true);
            for m in moves.map(Move) {
                if !loops.allowed(memory).contains(m) {
                    allows = false;
                    break;
                }
                memory = loops.after(memory, m);
            }
            allows
        };
        let (up, down, left, right) = (0, 1, 2, 3);
        assert!(allows([up, right, down, left, up, right]));
        assert!(!allows([right, up, left, down, right, up]));
    }
}
