//! What a puzzle family's file says of a puzzle: plain data, before any table.

use super::permutation::Permutation;
use crate::board::Shape;
use crate::board::check::Rules;

/// A puzzle on plain boards: its grid, its moves, and how the checker replays them.
#[derive(Clone, Debug)]
pub struct Definition {
    /// The name that scripts use, as in `torus4` or `sliding:3x4`.
    pub id: String,
    /// The grid.
    pub shape: Shape,
    /// What the moves do.
    pub dynamics: Dynamics,
    /// The same rules for the independent checker.
    pub rules: Rules,
}

/// How tiles move.
#[derive(Clone, Debug)]
pub enum Dynamics {
    /// Every cell holds a tile, and each move rearranges cells in a fixed way.
    Permutations(Vec<NamedMove>),
    /// One cell is blank and is exchanged with a neighbour.
    Blank,
}

/// A move and its name.
#[derive(Clone, Debug)]
pub struct NamedMove {
    /// As users write it.
    pub name: String,
    /// What it does to the cells.
    pub permutation: Permutation,
}

impl NamedMove {
    /// A move under a name.
    pub fn new(name: impl Into<String>, permutation: Permutation) -> NamedMove {
        NamedMove { name: name.into(), permutation }
    }
}
