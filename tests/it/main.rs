//! Behaviour, seen from outside: one binary, a module per subject.

mod automaton;
mod counts;
mod layers_of_code;
mod puzzles;
mod support;
mod symmetry;
