//! The fuzz targets: code that must cope with any bytes (feature `fuzzing`, and tests).
//!
//! A [`Target`] is a plain function of bytes that panics if something is wrong, and examples to start
//! from. There are three ways to feed it: this module's test, with some thousand inputs each;
//! `scripts/fuzz`, with millions of them by [`Mutator`] on a stable compiler; and cargo-fuzz (`fuzz/`),
//! which is guided by coverage. Parsers must not panic, and must read back what they print; engines,
//! canonical forms, incremental estimates and beams must obey their laws.

mod binary;
mod laws;
mod mutator;
mod texts;

pub use mutator::Mutator;

/// A function that must survive any bytes.
#[derive(Clone, Copy)]
pub struct Target {
    /// Its name.
    pub name: &'static str,
    /// Inputs that get far.
    pub examples: fn() -> Vec<Vec<u8>>,
    /// Panics if something is wrong.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: &[Target] = &[
    Target { name: "boards", examples: texts::board_examples, run: texts::boards },
    Target { name: "collections", examples: texts::collection_examples, run: texts::collections },
    Target { name: "puzzles", examples: texts::puzzle_examples, run: texts::puzzles },
    Target { name: "formulas", examples: texts::formula_examples, run: texts::formulas },
    Target { name: "moves", examples: texts::move_examples, run: texts::moves },
    Target { name: "solutions", examples: texts::solution_examples, run: texts::solutions },
    Target { name: "journals", examples: texts::journal_examples, run: texts::journals },
    Target { name: "lists", examples: texts::list_examples, run: texts::lists },
    Target { name: "tables", examples: binary::table_examples, run: binary::tables },
    Target { name: "entries", examples: binary::entry_examples, run: binary::entries },
    Target { name: "messages", examples: binary::message_examples, run: binary::messages },
    #[cfg(feature = "web")]
    Target { name: "requests", examples: texts::request_examples, run: crate::web::survive },
    Target { name: "packed", examples: laws::walk_examples, run: laws::packed },
    Target { name: "canonical", examples: laws::walk_examples, run: laws::canonical },
    Target { name: "incremental", examples: laws::walk_examples, run: laws::incremental },
    Target { name: "beam", examples: laws::walk_examples, run: laws::beam },
];

/// Runs a target by name, for cargo-fuzz.
///
/// # Panics
/// If something is wrong, or if there is no such target.
pub fn run(name: &str, bytes: &[u8]) {
    let target = TARGETS.iter().find(|target| target.name == name);
    (target.expect("the name of a target").run)(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_survive_their_examples_and_mutations_of_them() {
        for target in TARGETS {
            let examples = (target.examples)();
            examples.iter().for_each(|example| (target.run)(example));
            let mut mutator = Mutator::new(1, examples);
            for _ in 0..3_000 {
                (target.run)(mutator.next_input());
            }
        }
    }
}
