#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| permutile::fuzzing::run("lists", bytes));
