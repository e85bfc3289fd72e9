//! The benches' harness in criterion's test mode, with heuristics that are not ours: the same ids,
//! the same checks, the same table. A harness reads the arguments of its own process, so that this
//! program runs itself as the example.

#[path = "../examples/bench_my_heuristic.rs"]
mod example;

use std::env;
use std::process::{Command, Output};

/// Set where this program is the example.
const ROLE: &str = "PERMUTILE_TEST_OF_HARNESS";

fn main() {
    if env::var_os(ROLE).is_some() {
        return example::main();
    }
    heuristics_of_users_have_the_same_ids_checks_and_table();
    a_heuristic_that_claims_too_much_is_found_out();
}

/// The example, which has a heuristic that is a type, with the heuristic of a file.
fn ran(file: &str, arguments: &[&str]) -> Output {
    Command::new(env::current_exe().expect("this program has a path"))
        .args(arguments)
        .env(ROLE, "example")
        .env("PERMUTILE_HEURISTIC_FILE", file)
        .env_remove("PERMUTILE_BENCH")
        .output()
        .expect("it runs")
}

fn heuristics_of_users_have_the_same_ids_checks_and_table() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/data/heuristics/larger-side.toml");
    let output = ran(file, &["--test", "heuristics/torus4"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    for name in ["circular-manhattan", "lines-off", "larger-side"] {
        for way in ["evaluate", "table", "update", "after-all-moves"] {
            let tested = format!("Testing heuristics/torus4/{name}/{way}\nSuccess\n");
            assert!(text.contains(&tested), "{tested} is not in\n{text}");
        }
        let row = text.lines().find(|line| line.starts_with(&format!("{name} ")));
        assert!(row.is_some_and(|row| row.contains("/8")), "{name} has no row in\n{text}");
    }
    assert!(text.contains("heuristics/torus4/circular-manhattan/naive\nSuccess\n"), "{text}");
    assert!(text.contains("baseline circular-manhattan\n"), "{text}");
    assert!(!text.contains("torus5"), "not only what was asked for:\n{text}");
}

fn a_heuristic_that_claims_too_much_is_found_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("mine.toml");
    let text = "name = \"mine\"\nformula = \"2 * (dx + dy)\"\ndivisor = 1\nadmissible = true\n";
    std::fs::write(&file, text).expect("a file");
    let output = ran(&file.to_string_lossy(), &["--test", "heuristics/sliding4/mine/solve"]);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{errors}");
    assert!(errors.contains("mine is not admissible, as it claims"), "{errors}");
}
