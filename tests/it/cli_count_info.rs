//! `count`, `info`, the listings, the shell's files, and the command line as such.

use crate::program::{Folder, permutile};
use serde_json::{Value, json};

const COMMANDS: &[&str] = &[
    "solve",
    "verify",
    "scramble",
    "count",
    "info",
    "heuristics",
    "algorithms",
    "completions",
    "man",
];

/// The rows of `count --json` and the object that ends them.
#[track_caller]
fn count(arguments: &[&str], code: i32) -> (Vec<Value>, Value) {
    let run = permutile(&[&["count", "--json"], arguments].concat()).exits(code).says_nothing();
    let mut rows = run.json();
    let end = rows.pop().expect("a count has an end");
    for (depth, row) in rows.iter().enumerate() {
        assert_eq!(row["depth"], depth, "{run}");
        assert!(row["classes"].as_u64() <= row["boards"].as_u64(), "{row}");
        assert!(row["peak_bytes"].is_u64() && row["seconds"].is_f64(), "{row}");
    }
    let total: u64 = rows.iter().map(|row| row["boards"].as_u64().unwrap()).sum();
    assert_eq!(end["total"], total, "{run}");
    (rows, end)
}

fn boards(rows: &[Value]) -> Vec<u64> {
    rows.iter().map(|row| row["boards"].as_u64().unwrap()).collect()
}

#[test]
fn small_puzzles_are_counted_to_the_end() {
    let (rows, end) = count(&["torus3"], 0);
    assert_eq!(boards(&rows), [1, 12, 96, 736, 5208, 28674, 89497, 54741, 2475]);
    assert_eq!((&end["complete"], &end["total"]), (&json!(true), &json!(181_440)));
    assert_eq!((&rows[2]["sequences"], &rows[4]["sequences"]), (&json!(96), &json!(5664)));
    let (rows, end) = count(&["sliding:2x3"], 0);
    assert_eq!((rows.len(), &end["total"]), (22, &json!(360)));
    // The moves of a blank depend on where it is.
    assert_eq!(rows[3]["sequences"], Value::Null);
    let (rows, end) = count(&["sliding:2x3", "--goal", "blank-last"], 0);
    assert_eq!((rows.len(), &end["complete"]), (22, &json!(true)));
}

#[test]
fn random_boards_are_solved_to_say_how_far_they_are() {
    let sample = ["count", "torus3", "--sample", "500", "--seed", "4"];
    let run = permutile(&sample).exits(0).says(&["each equally likely"]);
    let run = run.prints(&["depth", "share", "over 500 boards"]);
    assert!(run.stdout.contains("mean 6."), "{run}");
    let object = permutile(&[&sample[..], &["--json"]].concat()).exits(0).json_line();
    let counts: Vec<u64> =
        object["histogram"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).collect();
    assert_eq!((counts.iter().sum::<u64>(), &object["solved"]), (500, &json!(500)));
    assert!(counts.len() <= 9 && object["mean"].as_f64().unwrap() > 5.5, "{object}");
    // Far boards of a large puzzle, and no time.
    let hopeless = ["count", "rings5", "--sample", "2", "--timeout", "100ms", "--no-cache"];
    permutile(&hopeless).exits(3).says(&["2 boards could not be solved"]);
    permutile(&["count", "torus3", "--sample", "0"]).exits(2);
    permutile(&["count", "torus3", "--sample", "5", "--depth", "3"]).exits(2);
    permutile(&["count", "torus3", "--seed", "5"]).exits(2);
}

#[test]
fn large_puzzles_are_counted_as_far_as_asked() {
    let (rows, end) = count(&["torus4", "--depth", "6"], 0);
    assert_eq!(boards(&rows), [1, 16, 184, 2032, 21932, 230_480, 2_377_512]);
    assert_eq!((&end["complete"], &end["puzzle"]), (&json!(false), &json!("torus4")));
    assert_eq!(boards(&count(&["torus4", "--depth", "0"], 0).0), [1]);
    // A depth that there is not.
    assert_eq!(count(&["torus:2x2", "--depth", "4000000000"], 0).1["complete"], true);
    let (rows, _) = count(&["data/puzzles/one-way-4x5.toml", "--depth", "3"], 0);
    assert_eq!(boards(&rows), [1, 9, 65, 455]);
}

#[test]
fn a_count_that_hits_a_limit_keeps_its_layers() {
    let known = [1, 16, 184, 2032, 21932, 230_480, 2_377_512, 24_093_488];
    for limit in [["--timeout", "1ms"], ["--max-memory", "100kB"], ["--max-memory", "1"]] {
        let (rows, end) = count(&[&["torus4"], &limit[..]].concat(), 3);
        assert!(!rows.is_empty() && rows.len() <= known.len());
        assert_eq!(boards(&rows), known[..rows.len()]);
        assert_eq!(end["complete"], false);
        let word = if limit[0] == "--timeout" { "time limit" } else { "memory limit" };
        assert!(end["ended"].as_str().unwrap().contains(word), "{end}");
    }
    permutile(&["count", "torus4", "--max-memory", "100kB"])
        .exits(3)
        .prints(&["230,480", "total"])
        .says(&["memory limit was reached"]);
}

#[test]
fn a_count_is_a_table_for_people() {
    let run = permutile(&["count", "torus3"]).exits(0).says(&["all boards are counted"]);
    let last: Vec<&str> = run.stdout.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last, ["total", "181,440"]);
    assert_eq!(run.stdout.lines().count(), 1 + 9 + 1, "{run}");
    permutile(&["count", "torus3", "-q"]).exits(0).says_nothing();
}

#[test]
fn counts_and_facts_of_nothing_are_usage_errors() {
    let (_folder, goal) = Folder::with("goal", "1 2 3 4");
    for command in ["count", "info"] {
        permutile(&[command, "cube3"]).exits(2).prints_nothing().says(&["no puzzle \"cube3\""]);
        permutile(&[command, "none.toml"]).exits(2).says(&["none.toml: "]);
        permutile(&[command, "torus2", "--goal", "blank-last"]).exits(2).says(&["no blank"]);
        let run = permutile(&[command, "sliding2", "--goal", &goal]).exits(2);
        assert_eq!(run.stderr.matches("needs one").count(), 1, "said twice: {run}");
    }
    permutile(&["count"]).exits(2).says(&["<PUZZLE|--puzzle <ID>>"]);
    permutile(&["count", "torus3", "--depth", "-1"]).exits(2);
}

#[test]
fn facts_of_each_family_are_told() {
    for (puzzle, moves, symmetries, reachable) in [
        ("torus4", 16, 128, "16! = 20922789888000"),
        ("torus5", 20, 200, "25!/2"),
        ("rings5", 24, 8, "25! = 15511210043330985984000000"),
        ("sliding4", 4, 2, "16!/2"),
        ("sliding16", 4, 2, "256!/2"),
        ("torus:4x5", 18, 80, "20! = 2432902008176640000"),
        ("data/puzzles/one-way-4x5.toml", 9, 4, "20! = 2432902008176640000"),
        ("data/puzzles/top-spin-2x5.toml", 3, 1, "10! = 3628800"),
    ] {
        let facts = permutile(&["info", puzzle, "--json"]).exits(0).says_nothing().json_line();
        assert_eq!(facts["puzzle"], puzzle);
        assert_eq!(facts["moves"].as_array().unwrap().len(), moves, "{puzzle}");
        assert_eq!(facts["symmetries"], symmetries, "{puzzle}");
        assert!(facts["reachable"].as_str().unwrap().starts_with(reachable), "{facts}");
        let cells = facts["rows"].as_u64().unwrap() * facts["cols"].as_u64().unwrap();
        assert_eq!(facts["goal"].as_array().unwrap().len() as u64, cells, "{puzzle}");
        let count = format!("{moves} moves:");
        permutile(&["info", puzzle]).exits(0).says_nothing().prints(&[puzzle, &count, reachable]);
    }
    let one_way = permutile(&["info", "data/puzzles/one-way-4x5.toml", "--json"]).json_line();
    assert_eq!(one_way["moves"][0]["inverse"], Value::Null);
    assert_eq!(one_way["inversion"], false);
    let torus = permutile(&["info", "torus4", "--json"]).json_line();
    assert_eq!(torus["moves"][0]["inverse"], "R1");
    permutile(&["info", "torus5"]).prints(&["an odd board cannot be solved"]);
    permutile(&["info", "sliding3", "--goal", "blank-last"]).prints(&["goal blank-last"]);
}

#[test]
fn the_listings_tell_what_there_is() {
    permutile(&["info"]).exits(0).prints(&["torus", "rings", "sliding", ".toml"]);
    let families = permutile(&["info", "--json"]).exits(0).column("family");
    assert_eq!(families, ["torus", "rings", "sliding"]);
    let heuristics = permutile(&["heuristics", "--json"]).exits(0).column("name");
    for name in ["zero", "manhattan", "circular-manhattan"] {
        assert!(heuristics.contains(&json!(name)), "{heuristics:?}");
        permutile(&["heuristics"]).exits(0).prints(&[name]);
    }
    let of_torus = permutile(&["heuristics", "--puzzle", "torus4", "--json"]).column("name");
    assert!(!of_torus.contains(&json!("manhattan")), "{of_torus:?}");
    permutile(&["heuristics", "--puzzle", "cube"]).exits(2).says(&["cube"]);
    let algorithms = permutile(&["algorithms", "--json"]).exits(0).column("name");
    assert!(algorithms.contains(&json!("auto")) && algorithms.contains(&json!("ida")));
    permutile(&["algorithms"]).exits(0).prints(&["auto\n", "ida\n"]);
}

#[test]
fn the_shell_gets_completions_and_a_manual() {
    for shell in ["bash", "zsh", "fish"] {
        let run = permutile(&["completions", shell]).exits(0).says_nothing();
        run.prints(&["permutile", "scramble", "exact-depth"]);
    }
    permutile(&["completions", "abacus"]).exits(2).says(&["abacus", "bash"]);
    permutile(&["man"]).exits(0).says_nothing().prints(&[".TH permutile", "solve"]);
    let folder = Folder::new();
    permutile(&["man", "--out", &folder.path("man1")]).exits(0).prints_nothing();
    for command in COMMANDS {
        assert!(folder.read(&format!("man1/permutile-{command}.1")).contains(".TH"), "{command}");
    }
}

#[test]
fn every_command_explains_itself_with_examples() {
    permutile(&["--help"])
        .exits(0)
        .says_nothing()
        .prints(COMMANDS)
        .prints(&["Examples:\n", "Exit codes: "]);
    for command in COMMANDS {
        for help in [&[command, "--help"][..], &[command, "-h"], &["help", command]] {
            let run = permutile(help).exits(0).says_nothing();
            let run = run.prints(&["Usage: permutile", "Examples:\n  permutile "]);
            let examples = run.stdout.split("Examples:\n").nth(1).unwrap();
            assert!(examples.contains(&format!("permutile {command}")), "{run}");
        }
    }
}

/// Examples that need no files of the reader's own must work as they stand.
#[test]
fn examples_work() {
    for example in [
        &["solve", "0,8,7,6,5,4,3,2,1"][..],
        &["solve", "5 3 8/0 2 4/1 7 6", "--goal", "blank-last", "--notation", "short"],
        &["verify", "3,1,2,0,4,5,6,7,8", "--moves", "Up"],
        &["verify", "3,1,2,0,4,5,6,7,8", "--moves", "D", "--notation", "short"],
        &["scramble", "torus4", "--moves", "8", "--count", "3", "--seed", "1"],
        &["count", "torus3"],
        &["info", "rings5"],
    ] {
        permutile(example).exits(0);
    }
}

#[test]
fn the_version_is_the_crates() {
    let version = concat!("permutile ", env!("CARGO_PKG_VERSION"), "\n");
    assert_eq!(permutile(&["--version"]).exits(0).stdout, version);
    permutile(&["solve", "--version"]).exits(0).prints(&[env!("CARGO_PKG_VERSION")]);
}

#[test]
fn bad_usage_ends_with_two_and_says_how() {
    permutile(&[]).exits(2).prints_nothing().says(&["Usage: permutile", "Examples:"]);
    for bad in [
        &["juggle"][..],
        &["--frobnicate"],
        &["solve", "1 2 4 3", "--frobnicate"],
        &["solve", "1 2 4 3", "--goal"],
        &["info", "torus4", "rings5"],
        &["algorithms", "ida"],
        &["completions"],
        &["count", "torus3", "--simd", "maybe"],
    ] {
        permutile(bad).exits(2).prints_nothing().says(&["error: ", "--help"]);
    }
}
