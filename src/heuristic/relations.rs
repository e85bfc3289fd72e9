//! The positions of pairs of tiles relative to each other, compared with the goal: a score for beam
//! search on any puzzle without a blank, derived from the moves alone, and a lower bound.
//!
//! A **relation** is a set of pairs of cells that nearly every move maps to pairs of the same set
//! (`find` says how they are found). On a circle that turns, relations are the distances between two
//! cells; on a stack of pancakes, adjacency; on a grid whose coordinates are relative to its blank,
//! the rows and columns from one cell to another. A cell that moves seldom change, such as the plate
//! under the pancakes, has a relation to itself alone.
//!
//! Two tiles are in one relation at the goal and in another one on a board. The number of **steps**
//! between the two is their distance in the graph of relations, where two are adjacent if a move takes
//! a pair from one to the other. The sum is over all pairs of tiles that have a relation at the goal.
//! A turn of the circle costs nothing, and an exchange of two misplaced tiles improves many pairs, so
//! that there are no plateaus where a beam would lose its way. On pancakes the sum is the number of
//! gaps (Helmert 2010, "Landmark heuristics for the pancake problem").
//!
//! **Admissible and consistent** once it is divided. The pairs of cells that a move takes from one
//! relation to another are the same on each board. The most that a pair's steps can fall, whatever
//! the tiles, added up over these pairs, bounds what the move takes from the sum; the divisor
//! is the largest such total over all moves. At the goal the sum is 0.

mod children;
mod find;

use super::pattern_views::permutations;
use super::scorer::{HIGHEST_SCORE, Scorer, zobrist};
use super::{Heuristic, NamedHeuristic, Promise, Scope};
use crate::puzzle::permutation::Permutation;
use crate::puzzle::{Depth, Frame, Move, Puzzle};
use find::{Found, NONE};

/// Sums of the steps between relations ÷ the most that one move takes away, rounded up.
#[derive(Debug)]
pub struct Relations {
    cells: usize,
    /// By first and second cell, the relation of the pair.
    of_pair: Vec<u16>,
    /// By relation at the goal and now, how many steps are between them.
    steps: Vec<u8>,
    /// How many relations there are.
    count: usize,
    moves: Vec<MoveEffect>,
    /// By move, the move back.
    back: Vec<Option<Move>>,
    divisor: u32,
    /// A beam ranks boards by the sum without this many low bits.
    fine_bits: u32,
    /// By label and cell, for hashes.
    zobrist: Vec<u64>,
}

/// What a move does.
#[derive(Debug)]
struct MoveEffect {
    /// From which cell to which it carries a tile.
    carried: Vec<(u8, u8)>,
    /// The pairs of cells whose tiles it takes to another relation.
    changes: Vec<Change>,
}

/// Two cells whose tiles a move takes from one relation to another.
#[derive(Clone, Copy, Debug)]
struct Change {
    first: u8,
    second: u8,
    before: u16,
    after: u16,
}

impl Relations {
    /// The relations of a puzzle.
    pub(crate) fn new(frame: &Frame) -> Relations {
        let (cells, moves) = (frame.shape().cells(), permutations(frame));
        let Found { of_pair, count } = find::find(cells, moves);
        let ways: Vec<Permutation> = moves.iter().map(Permutation::inverse).collect();
        let steps = steps(&of_pair, count, cells, &ways);
        let mut relations = Relations {
            cells,
            of_pair,
            steps,
            count,
            moves: Vec::new(),
            back: frame.moves().all().map(|m| frame.moves().inverse(m)).collect(),
            divisor: 1,
            fine_bits: 0,
            zobrist: zobrist(cells),
        };
        relations.moves = ways.iter().map(|way| relations.effect(way)).collect();
        let falls = relations.moves.iter().map(|effect| relations.most_fall(effect));
        relations.divisor = falls.max().unwrap_or(0).max(1);
        let most = relations.most();
        relations.fine_bits = (0..32).find(|bits| most >> bits <= HIGHEST_SCORE).unwrap_or(0);
        relations
    }

    /// What a move does that takes each cell's tile along `way`.
    fn effect(&self, way: &Permutation) -> MoveEffect {
        let mut changes = Vec::new();
        for (first, second) in pairs(self.cells) {
            let before = self.of_pair[first * self.cells + second];
            let after = self.of_pair[way.source(first) * self.cells + way.source(second)];
            let differ = |row: &[u8]| row[usize::from(before)] != row[usize::from(after)];
            if before != after && self.steps.chunks_exact(self.count).any(differ) {
                changes.push(Change { first: first as u8, second: second as u8, before, after });
            }
        }
        let carried = way.moved().map(|from| (from as u8, way.source(from) as u8)).collect();
        MoveEffect { carried, changes }
    }

    /// The most that a move can take from the sum.
    fn most_fall(&self, effect: &MoveEffect) -> u32 {
        let fall = |&Change { before, after, .. }: &Change| {
            let fall = |row: &[u8]| {
                u32::from(row[usize::from(before)].saturating_sub(row[usize::from(after)]))
            };
            self.steps.chunks_exact(self.count).map(fall).max().unwrap_or(0)
        };
        effect.changes.iter().map(fall).sum()
    }

    /// No sum is larger.
    fn most(&self) -> u32 {
        let most = |row: &[u8]| u32::from(row.iter().copied().max().unwrap_or(0));
        let rows: Vec<u32> = self.steps.chunks_exact(self.count).map(most).collect();
        pairs(self.cells)
            .map(|(first, second)| rows[usize::from(self.of_pair[first * self.cells + second])])
            .sum()
    }

    /// The steps of all pairs, from scratch, where `label` has the tile of a cell.
    fn sum(&self, label: impl Fn(usize) -> u8) -> u32 {
        pairs(self.cells)
            .map(|(first, second)| {
                let now = self.of_pair[first * self.cells + second];
                u32::from(self.row(label(first), label(second))[usize::from(now)])
            })
            .sum()
    }

    /// What a move adds to the sum, modulo 2³².
    #[inline]
    fn change(&self, m: Move, label: impl Fn(u8) -> u8) -> u32 {
        self.moves[m.index()].changes.iter().fold(0, |sum: u32, change| {
            let row = self.row(label(change.first), label(change.second));
            let [before, after] = [change.before, change.after].map(|at| row[usize::from(at)]);
            sum.wrapping_add(u32::from(after)).wrapping_sub(u32::from(before))
        })
    }

    /// The steps between the relation of two tiles at the goal and each relation.
    #[inline]
    fn row(&self, first: u8, second: u8) -> &[u8] {
        let at_goal = self.of_pair[usize::from(first) * self.cells + usize::from(second)];
        &self.steps[usize::from(at_goal) * self.count..][..self.count]
    }
}

/// All pairs of cells, each once, and each cell with itself.
fn pairs(cells: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..cells).flat_map(move |first| (first..cells).map(move |second| (first, second)))
}

/// How many steps are between two relations. Having none, or one that cannot be reached, counts as a
/// step more than the farthest relation that can be reached.
fn steps(of_pair: &[u16], count: usize, cells: usize, ways: &[Permutation]) -> Vec<u8> {
    let mut is_next = vec![false; count * count];
    for (pair, &before) in of_pair.iter().enumerate() {
        for way in ways {
            let after = of_pair[way.source(pair / cells) * cells + way.source(pair % cells)];
            for (one, other) in [(before, after), (after, before)] {
                is_next[usize::from(one) * count + usize::from(other)] = true;
            }
        }
    }
    let relations = usize::from(NONE) + 1..count;
    let mut steps = vec![0u8; count * count];
    for at_goal in relations.clone() {
        let row = &mut steps[at_goal * count..][..count];
        let mut reached = vec![at_goal];
        let mut next = 0;
        while let Some(&relation) = reached.get(next) {
            next += 1;
            for other in relations.clone() {
                if is_next[relation * count + other] && row[other] == 0 && other != at_goal {
                    row[other] = row[relation].saturating_add(1);
                    reached.push(other);
                }
            }
        }
        let farthest = reached.last().map_or(0, |&last| row[last]);
        for (other, steps) in row.iter_mut().enumerate() {
            if *steps == 0 && other != at_goal {
                *steps = farthest.saturating_add(1);
            }
        }
    }
    steps
}

impl NamedHeuristic for Relations {
    const NAME: &'static str = "relations";
    const SUMMARY: &'static str = "how far the relations between pairs of tiles are from those at the goal, divided by the most that one move changes that, rounded up";
    const SCOPE: Scope = Scope::WithoutBlank;

    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Relations {
        Relations::new(frame)
    }
}

impl<P: Puzzle> Heuristic<P> for Relations {
    /// The sum.
    type Value = u32;

    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        self.sum(|cell| puzzle.label(state, cell))
    }

    #[inline]
    fn update(&self, puzzle: &P, sum: u32, before: P::State, m: Move) -> u32 {
        sum.wrapping_add(self.change(m, |cell| puzzle.label(before, usize::from(cell))))
    }

    #[inline]
    fn estimate(&self, sum: u32) -> Depth {
        sum.div_ceil(self.divisor)
    }

    fn unrounded(&self, _: &P, _: P::State, sum: u32) -> f64 {
        f64::from(sum) / f64::from(self.divisor)
    }

    fn table_bytes(&self) -> u64 {
        let changes: usize = self.moves.iter().map(|effect| effect.changes.len()).sum();
        (changes * size_of::<Change>() + self.steps.len() + self.of_pair.len() * 2) as u64
    }

    fn scorer(&self) -> Option<&dyn Scorer> {
        Some(self)
    }
}

#[cfg(test)]
mod tests {
    use super::super::scorer::tests::check_walk;
    use super::*;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{AnyPuzzle, Goal, custom};
    use std::collections::HashMap;
    use std::fmt::Write;

    const WRAP: &str = include_str!("../../data/anytime/permutation/wrap35.toml");

    /// Opposite cells of one circle, which are their own reverses, and neighbours on another one stay
    /// together: that is no relation, because its pairs do not tell which their reverses are in.
    const OPPOSITES: &str = r#"
        shape = "2x4"
        [[move]]
        name = "A"
        cycles = [[1, 2, 3, 4]]
        inverse = "A'"
        [[move]]
        name = "B"
        cycles = [[5, 6, 7, 8]]
        inverse = "B'"
        [[move]]
        name = "L"
        cycles = [[1, 5], [3, 6]]
    "#;

    /// A puzzle with moves by their cycles, the way back included.
    fn puzzle(shape: &str, moves: &[&[Vec<usize>]], two_way: bool) -> AnyPuzzle {
        let mut text = format!("shape = \"{shape}\"\n");
        for (number, cycles) in moves.iter().enumerate() {
            write!(text, "[[move]]\nname = \"m{number}\"\ncycles = {cycles:?}\n").unwrap();
            if two_way {
                writeln!(text, "inverse = \"n{number}\"").unwrap();
            }
        }
        of_text(&text)
    }

    fn of_text(text: &str) -> AnyPuzzle {
        let definition = custom::define("test.toml", text).unwrap();
        AnyPuzzle::new(definition, Goal::Default, Simd::detect()).unwrap()
    }

    /// A circle that turns, where two neighbours can be exchanged.
    fn circle(cells: usize, two_way: bool) -> AnyPuzzle {
        let turn = vec![(1..=cells).collect()];
        puzzle(&format!("1x{cells}"), &[&turn, &[vec![1, 2]]], two_way)
    }

    fn pancakes(cells: usize) -> AnyPuzzle {
        let flip = |many: usize| (1..=many / 2).map(|i| vec![i, many + 1 - i]).collect();
        let flips: Vec<Vec<Vec<usize>>> = (2..=cells).map(flip).collect();
        let flips: Vec<&[Vec<usize>]> = flips.iter().map(|flip| &flip[..]).collect();
        puzzle(&format!("1x{cells}"), &flips, false)
    }

    /// Each board with its distance to the goal.
    fn distances(frame: &Frame) -> HashMap<Vec<u8>, Depth> {
        let goal: Vec<u8> = (0..frame.shape().cells() as u8).collect();
        let mut distances = HashMap::from([(goal.clone(), 0)]);
        let mut boards = vec![goal];
        let mut next = 0;
        while let Some(board) = boards.get(next).cloned() {
            next += 1;
            let distance = distances[&board] + 1;
            for m in permutations(frame) {
                // The board before the move.
                let before: Vec<u8> =
                    (0..board.len()).map(|cell| board[m.inverse().source(cell)]).collect();
                distances.entry(before.clone()).or_insert_with(|| {
                    boards.push(before);
                    distance
                });
            }
        }
        distances
    }

    #[test]
    fn children_are_scored_as_from_scratch() {
        let swaps: Vec<Vec<Vec<usize>>> = (1..9).map(|cell| vec![vec![cell, cell + 1]]).collect();
        let swaps: Vec<&[Vec<usize>]> = swaps.iter().map(|swap| &swap[..]).collect();
        for puzzle in [
            circle(9, true),
            circle(8, false),
            circle(200, true),
            pancakes(7),
            puzzle("3x3", &swaps, false),
            // Two orbits, and a cell that stays.
            puzzle("1x8", &[&[vec![1, 2, 3, 4], vec![5, 6, 7]], &[vec![1, 2]]], true),
            puzzle("1x2", &[&[vec![1, 2]]], false),
            of_text(WRAP),
            AnyPuzzle::from_id("torus4").unwrap(),
        ] {
            check_walk(&Relations::new(puzzle.frame()), puzzle.frame());
        }
    }

    #[test]
    fn the_estimate_is_admissible_and_consistent() {
        for puzzle in [
            circle(7, true),
            circle(6, false),
            pancakes(7),
            puzzle("1x7", &[&[vec![1, 2, 3, 4], vec![5, 6, 7]], &[vec![1, 2]]], true),
            of_text(OPPOSITES),
        ] {
            let relations = Relations::new(puzzle.frame());
            let sum = |board: &[u8]| relations.sum(|cell| board[cell]);
            let distances = distances(puzzle.frame());
            for (board, &distance) in &distances {
                let estimate = sum(board).div_ceil(relations.divisor);
                assert!(estimate <= distance, "{board:?}");
                for (m, permutation) in
                    puzzle.frame().moves().all().zip(permutations(puzzle.frame()))
                {
                    let after: Vec<u8> = permutation
                        .sources()
                        .iter()
                        .map(|&from| board[usize::from(from)])
                        .collect();
                    let change = relations.change(m, |cell| board[usize::from(cell)]);
                    assert_eq!(sum(board).wrapping_add(change), sum(&after));
                    assert!(sum(&after).div_ceil(relations.divisor) + 1 >= estimate);
                }
            }
        }
    }

    #[test]
    fn on_pancakes_the_sum_counts_gaps() {
        let puzzle = pancakes(7);
        let relations = Relations::new(puzzle.frame());
        assert_eq!(relations.divisor, 1);
        for board in distances(puzzle.frame()).keys() {
            let with_plate: Vec<u8> = board.iter().copied().chain([7]).collect();
            let gaps = with_plate.windows(2).filter(|pair| pair[0].abs_diff(pair[1]) > 1).count();
            assert_eq!(relations.sum(|cell| board[cell]), gaps as u32, "{board:?}");
        }
    }

    #[test]
    fn on_a_circle_relations_are_differences() {
        let cells = 11;
        let relations = Relations::new(circle(cells, true).frame());
        let difference = |pair: usize| (pair % cells + cells - pair / cells) % cells;
        let mut of_difference = vec![None; cells];
        for (pair, &relation) in relations.of_pair.iter().enumerate() {
            let expected = *of_difference[difference(pair)].get_or_insert(relation);
            assert_eq!(relation, expected);
            assert_eq!(relation == NONE, difference(pair) == 0);
        }
        // A turn changes nothing.
        let turned: Vec<u8> = (0..cells as u8).map(|cell| (cell + 4) % cells as u8).collect();
        assert_eq!(relations.sum(|cell| turned[cell]), 0);
    }

    #[test]
    fn relations_to_pieces_of_other_orbits_are_found() {
        let puzzle = of_text(WRAP);
        let relations = Relations::new(puzzle.frame());
        // The blank's column is that of the same number of tiles whatever the cell.
        let mut tiles_in = HashMap::new();
        for tile in 0..35 {
            *tiles_in.entry(relations.of_pair[tile * 48 + 35]).or_insert(0) += 1;
        }
        assert!(!tiles_in.contains_key(&NONE) && tiles_in.len() == 6, "{tiles_in:?}");
    }

    #[test]
    fn lines_that_cross_keep_no_relations() {
        for id in ["torus5", "rings5"] {
            let puzzle = AnyPuzzle::from_id(id).unwrap();
            assert_eq!(Relations::new(puzzle.frame()).count, 1, "{id}");
        }
    }
}
