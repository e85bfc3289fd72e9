//! Identifies the puzzle that a table belongs to, whatever its name.
//!
//! Distances depend on the grid, on what the moves do, and on where the blank belongs. They do
//! not depend on the names of the moves, nor on which tile belongs where: labels are goal cells,
//! so that one table serves all goals of a puzzle without a blank.

use crate::puzzle::Frame;
use crate::puzzle::moves::Action;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use xxhash_rust::xxh3::Xxh3Default;

/// A hash of everything that distances depend on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Fingerprint(u64);

impl Fingerprint {
    /// The fingerprint of a puzzle and its goal.
    pub fn new(frame: &Frame) -> Fingerprint {
        // The largest grid has 256 cells: "nowhere" takes more than a byte.
        let cell = |cell: Option<u8>| cell.map_or(u16::MAX, u16::from).to_le_bytes();
        let mut hash = Xxh3Default::new();
        let shape = frame.shape();
        hash.update(&[shape.rows(), shape.cols()].map(|lines| lines as u8));
        hash.update(&cell(frame.blank_label()));
        match frame.moves().action() {
            Action::Permutations(moves) => {
                hash.update(b"permutations");
                moves.iter().for_each(|m| hash.update(m.sources()));
            }
            Action::Blank(targets) => {
                hash.update(b"blank");
                targets.iter().flatten().for_each(|&target| hash.update(&cell(target)));
            }
        }
        Fingerprint(hash.digest())
    }
}

impl Display for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

impl From<Fingerprint> for String {
    fn from(fingerprint: Fingerprint) -> String {
        fingerprint.to_string()
    }
}

impl TryFrom<String> for Fingerprint {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Fingerprint, Self::Error> {
        u64::from_str_radix(&text, 16).map(Fingerprint)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::puzzle::arch::Simd;
    use crate::puzzle::{Definition, Goal, custom, registry};

    fn print_of(definition: Definition, goal: Goal) -> Fingerprint {
        Fingerprint::new(&Frame::new(definition, goal, Simd::detect()).unwrap())
    }

    #[test]
    fn it_depends_on_what_distances_depend_on() {
        let puzzle = |moved: &str, name: &str| {
            let text = format!(
                "shape = \"3x3\"\n[[move]]\nname = \"{name}\"\ncycles = [[1, 2, {moved}]]\n"
            );
            print_of(custom::define("mine.toml", &text).unwrap(), Goal::Default)
        };
        assert_eq!(puzzle("3", "turn"), puzzle("3", "spin"));
        assert_ne!(puzzle("3", "turn"), puzzle("4", "turn"));
        let named = |id: &str, goal| print_of(registry::define(id).unwrap(), goal);
        assert_ne!(named("torus:2x8", Goal::Default), named("torus4", Goal::Default));
        let shape = "4x4".parse().unwrap();
        let tiles: Vec<_> = Board::ordered(shape).tiles().iter().rev().copied().collect();
        let reversed = Goal::Board(Board::new(shape, tiles).unwrap());
        assert_eq!(named("torus4", Goal::Default), named("torus4", reversed));
        assert_ne!(named("sliding4", Goal::BlankFirst), named("sliding4", Goal::BlankLast));
    }

    /// Golden: another number makes every table of older versions useless.
    #[test]
    fn it_stays_the_same() {
        let torus4 = print_of(registry::define("torus4").unwrap(), Goal::Default);
        assert_eq!(torus4.to_string(), "fc3c5b1e9a4596ab");
        assert_eq!(Fingerprint::try_from(torus4.to_string()), Ok(torus4));
        assert!(Fingerprint::try_from("not hexadecimal".to_owned()).is_err());
    }
}
