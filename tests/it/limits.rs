//! Limits of time and memory, and interrupts, wherever they strike: they end in an answer.

use crate::program::{Folder, permutile, permutile_with_cache, proving, solve_json};
use permutile::search::AlgorithmChoice;
use serde_json::json;

/// Uniformly random, and far away.
const HARD_SLIDING: &str = "15 10 8 12 11 14 9 13 2 6 5 1 3 7 4 0";

/// A puzzle of 12 pairs of cells, each with a move that exchanges them.
fn pairs() -> String {
    let exchange = |pair: usize| {
        format!("[[move]]\nname = \"x{pair}\"\ncycles = [[{}, {}]]\n", 2 * pair + 1, 2 * pair + 2)
    };
    "shape = \"4x6\"\n".to_owned() + &(0..12).map(exchange).collect::<String>()
}

/// All pairs exchanged: the 12 moves solve it in any order, of which there are 12!.
const EXCHANGED: &str = "2 1 4 3 6 5 8 7 10 9 12 11 14 13 16 15 18 17 20 19 22 21 24 23";

#[test]
fn the_list_of_all_shortest_solutions_obeys_limits() {
    let (_folder, puzzle) = Folder::with("pairs.toml", pairs());
    let board = [EXCHANGED, "--shape", "4x6", "--puzzle", &puzzle, "--all-optimal"];
    for (limit, status) in
        [(["--max-memory", "3MB"], "memory-limit"), (["--timeout", "300ms"], "timeout")]
    {
        let all = [&["solve"], &board[..], &limit].concat();
        let record = permutile(&[&all[..], &["--json"]].concat()).exits(3).json_line();
        assert_eq!((&record["status"], &record["partial"]), (&json!("solved"), &json!(status)));
        assert_eq!(record["optimal_solutions"], 479_001_600);
        assert!(record["all_moves"].as_array().unwrap().len() < 479_001_600);
        permutile(&all).exits(3).says(&[" of 479,001,600 shortest solutions are listed: "]);
    }
    let counted = [&board[..], &["--limit", "0", "--max-memory", "3MB"]].concat();
    let counted = solve_json(&counted).exits(0).says_nothing().json_line();
    assert_eq!(
        (&counted["optimal_solutions"], counted.get("partial")),
        (&json!(479_001_600), None)
    );
    // What cannot even be counted.
    let little = ["8 6 7 2 5 4 3 0 1", "--all-optimal", "--max-memory", "50KB"];
    let record = solve_json(&little).exits(3).json_line();
    assert_eq!(record["partial"], "memory-limit");
    assert_eq!((&record["optimal_solutions"], &record["all_moves"]), (&json!(1), &json!([])));
}

#[test]
fn one_clock_and_one_count_of_nodes_for_the_search_and_the_list() {
    let nodes = ["8 6 7 2 5 4 3 0 1", "--all-optimal", "--algorithm", "ida", "--json"];
    let record = permutile(&[&["solve"], &nodes[..]].concat()).exits(0).json_line();
    let expanded = record["expanded"].as_u64().unwrap().to_string();
    let run = [&["solve"], &nodes[..], &["--max-nodes", &expanded]].concat();
    let record = permutile(&run).exits(3).json_line();
    assert_eq!((&record["status"], &record["partial"]), (&json!("solved"), &json!("node-limit")));
}

/// Databases that take seconds to build, by name.
const SLOW: [(&str, &str); 2] = [
    ("pdb-78", HARD_SLIDING),
    ("pdb-6666", "14 5 9 2 18 8 23 19 12 17 15 0 10 20 4 6 11 21 1 7 24 3 16 22 13"),
];

#[test]
fn databases_with_names_obey_limits_while_they_are_built() {
    for (heuristic, board) in SLOW {
        for algorithm in ["auto", "ida", "astar"] {
            for (limit, status) in
                [(["--timeout", "50ms"], "timeout"), (["--max-memory", "20MB"], "memory-limit")]
            {
                let run = [board, "--heuristic", heuristic, "--algorithm", algorithm];
                let run = [&run[..], &limit, proving(algorithm)].concat();
                let record = solve_json(&run).exits(3).json_line();
                assert_eq!(record["status"], status, "{record}");
                assert!(record["lower_bound"].as_u64().unwrap() > 30, "{record}");
            }
        }
    }
    let views = ["11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23"];
    let views =
        [&views[..], &["--heuristic", "pdb-views", "--max-memory", "1MB", "--exact"]].concat();
    let record = solve_json(&views).exits(3).json_line();
    assert_eq!((&record["status"], &record["lower_bound"]), (&json!("memory-limit"), &json!(4)));
    let audit = ["audit", "--puzzle", "sliding4", "--heuristic", "pdb-78", "--timeout", "50ms"];
    permutile(&audit).exits(3).says(&["the tables of pdb-78 were not built: the time limit"]);
}

#[test]
fn databases_with_names_are_kept_in_the_cache_and_found_there() {
    let folder = Folder::new();
    let cache = folder.path("cache");
    let near = "5 1 2 3 4 0 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
    let solve = ["solve", near, "--heuristic", "pdb-6666", "--json"];
    let record = permutile_with_cache(&cache, "", &solve).exits(0).json_line();
    assert_eq!(record["heuristic"], "pdb-6666");
    let tables = || {
        let listed = permutile_with_cache(&cache, "", &["tables", "list", "--json"]).exits(0);
        listed.column("name")
    };
    assert_eq!(tables().len(), 2, "{:?}", tables());
    // There is no time to build them again, nor to check anything but what is there.
    let quick = [&solve[..], &["--max-memory", "60MB"]].concat();
    let found = permutile_with_cache(&cache, "", &quick).exits(0).says_nothing().json_line();
    assert_eq!(found["length"], record["length"]);
}

/// Blocks of blocks: each of the eight moves exchanges the first two of some size. To work out
/// which of 256 cells can get where takes a while.
#[test]
fn the_clock_counts_from_the_beginning() {
    let exchange = |size: usize| {
        let cycles: Vec<String> =
            (1..=size).map(|cell| format!("[{cell}, {}]", cell + size)).collect();
        format!("[[move]]\nname = \"x{size}\"\ncycles = [{}]\n", cycles.join(", "))
    };
    let moves: String = (0..8).map(|level| exchange(1 << level)).collect();
    let (_folder, puzzle) = Folder::with("blocks.toml", format!("shape = \"16x16\"\n{moves}"));
    // Two cells of different blocks are exchanged, which no moves do.
    let tiles = [3, 2, 1].into_iter().chain(4..=256).map(|tile: u32| tile.to_string());
    let board = tiles.collect::<Vec<_>>().join(" ");
    let solve = [&board, "--shape", "16x16", "--puzzle", &puzzle, "--exact", "--timeout", "1ms"];
    let record = solve_json(&solve).exits(3).json_line();
    assert_eq!(record["status"], "timeout");
}

/// What the program takes besides what `--max-memory` is about, in megabytes: its code, its
/// threads, and what the allocator has not given back yet.
#[cfg(target_os = "linux")]
const BESIDES: f64 = 32.0;

/// The largest resident set of a search, in megabytes, which it writes to a file.
#[cfg(target_os = "linux")]
fn peak_of(board: &str, algorithm: &str, limit: &str) -> f64 {
    let folder = Folder::new();
    let file = folder.path("stats.txt");
    let solve = ["solve", board, "--algorithm", algorithm, "--max-memory", limit];
    let rest = ["--timeout", "1s", "--threads", "2", "--stats-file", &file, "-q"];
    let ran = permutile(&[&solve[..], &rest].concat());
    assert!(!ran.stderr.contains("panicked"), "{ran}");
    let text = folder.read("stats.txt");
    let line = text.lines().find_map(|line| line.strip_prefix("max_ram_usage: ")).unwrap();
    line.parse::<f64>().unwrap() * 1.048_576
}

#[test]
#[cfg(target_os = "linux")]
fn no_algorithm_takes_more_memory_than_it_may() {
    const TORUS: &str = "7 3 12 9 14 1 8 16 2 13 5 10 4 15 6 11";
    const RINGS: &str = "11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23";
    for algorithm in AlgorithmChoice::all().map(AlgorithmChoice::name) {
        for (board, limit) in [(HARD_SLIDING, 16), (TORUS, 16), (RINGS, 24), (HARD_SLIDING, 64)] {
            let peak = peak_of(board, algorithm, &format!("{limit}MB"));
            let most = f64::from(limit) + BESIDES;
            assert!(peak <= most, "{algorithm} on {board}: {peak} MB, where {limit} are allowed");
        }
    }
}

#[cfg(target_os = "linux")]
mod systems_limits {
    use super::{Folder, HARD_SLIDING};
    use crate::program::{PROGRAM, Ran, permutile, permutile_with_cache, program};
    use permutile::search::AlgorithmChoice;
    use std::fs;
    use std::process::{Command, Stdio};
    use std::thread;
    use std::time::Duration;

    /// Runs the program in a shell that has a limit.
    fn under(limit: &str, arguments: &[&str]) -> Ran {
        let folder = Folder::new();
        let script = format!("{limit} && exec \"$0\" \"$@\"");
        let mut shell = Command::new("sh");
        let cache = program(&folder.path("cache"));
        shell.envs(cache.get_envs().filter_map(|(name, value)| Some((name, value?))));
        let output = shell.args(["-c", &script, PROGRAM]).args(arguments).output().unwrap();
        Ran::new(arguments, output)
    }

    #[test]
    fn where_the_system_has_no_more_memory_that_is_a_limit() {
        let solve = ["solve", HARD_SLIDING, "--json", "--timeout", "2s", "--max-memory", "8GB"];
        for algorithm in AlgorithmChoice::all().map(AlgorithmChoice::name) {
            let run = [&solve[..], &["--algorithm", algorithm]].concat();
            let record = under("ulimit -v 300000", &run);
            let record = record.json_line();
            let status = record["status"].as_str().unwrap();
            assert!(["solved", "timeout", "memory-limit"].contains(&status), "{record}");
        }
        let databases = [&solve[..], &["--heuristic", "pdb-78", "--exact"]].concat();
        let record = under("ulimit -v 300000", &databases).exits(3).json_line();
        assert_eq!(record["status"], "memory-limit");
        for (limit, puzzle) in [("ulimit -v 300000", "rings5"), ("ulimit -v 120000", "torus4")] {
            under(limit, &["tables", "build", puzzle])
                .exits(3)
                .says(&["the memory limit was reached"]);
        }
    }

    fn make_pipe(path: &str) {
        assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    }

    #[test]
    fn pipes_in_the_place_of_files_are_not_waited_for() {
        let folder = Folder::new();
        folder.write("boards/one.txt", "1 0 2 3");
        make_pipe(&folder.path("boards/two.txt"));
        permutile(&["solve", &folder.path("boards")])
            .exits(2)
            .prints(&["1 move"])
            .says(&["two.txt: this is a pipe or a device"]);
        // One of the two tables is a pipe, then the lock of one.
        let cache = folder.path("cache");
        let board = "5 1 2 3 4 0 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24";
        let solve = ["solve", board, "--heuristic", "pdb-6666"];
        permutile_with_cache(&cache, "", &solve).exits(0);
        let names: Vec<_> = fs::read_dir(&cache).unwrap().map(|f| f.unwrap().path()).collect();
        let table = names.iter().find(|path| path.extension().unwrap() == "table").unwrap();
        fs::remove_file(table).unwrap();
        make_pipe(table.to_str().unwrap());
        permutile_with_cache(&cache, "", &solve).exits(0).says(&["not a table", "is not used"]);
        fs::remove_file(table).unwrap();
        let lock = table.with_extension("lock");
        fs::remove_file(&lock).unwrap();
        make_pipe(lock.to_str().unwrap());
        permutile_with_cache(&cache, "", &solve)
            .exits(0)
            .says(&["not a file; the table is kept in memory only"]);
    }

    #[test]
    fn journals_come_through_pipes() {
        let folder = Folder::new();
        let records = permutile(&["solve", "1 0 2 3", "--json"]).exits(0).stdout;
        let [pipe, all] = ["pipe", "all.jsonl"].map(|name| folder.path(name));
        make_pipe(&pipe);
        let (written, path) = (records.clone(), pipe.clone());
        let writer = thread::spawn(move || fs::write(path, written));
        permutile(&["merge", &pipe, "--out", &all, "-q"]).exits(0);
        writer.join().unwrap().unwrap();
        assert_eq!(folder.read("all.jsonl"), records);
    }

    #[test]
    fn what_never_ends_is_no_journal_and_no_board() {
        for command in [
            &["verify", "/dev/zero"][..],
            &["merge", "/dev/zero", "/dev/zero"],
            &["solve", "/dev/zero"],
            &["solve", "1 0 2 3", "--goal", "/dev/zero"],
        ] {
            let ran = under("ulimit -v 2000000", command).exits(2);
            assert!(ran.stderr.contains("/dev/zero"), "{ran}");
        }
    }

    /// Starts the program, and interrupts it once as soon as it listens for that. Its standard
    /// input stays open.
    fn interrupted(arguments: &[&str]) -> Ran {
        let folder = Folder::new();
        let mut child = program(&folder.path("cache"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let (pid, input) = (child.id().to_string(), child.stdin.take());
        let listens = || {
            let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap();
            let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
            u64::from_str_radix(caught.trim(), 16).unwrap() & 2 != 0
        };
        while !listens() {
            thread::sleep(Duration::from_millis(5));
        }
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        let output = child.wait_with_output().unwrap();
        drop(input);
        Ran::new(arguments, output)
    }

    #[test]
    fn the_first_interrupt_is_obeyed() {
        interrupted(&["solve", "-"]).exits(130).prints_nothing();
        let databases = ["solve", HARD_SLIDING, "--heuristic", "pdb-78", "--json", "--exact"];
        let record = interrupted(&databases).exits(130).json_line();
        assert_eq!(record["status"], "interrupted");
        assert!(record["lower_bound"].as_u64().unwrap() > 30, "{record}");
        let audit = ["audit", "--puzzle", "sliding4", "--heuristic", "manhattan"];
        let states = ["--states", "1000000000000"];
        interrupted(&[&audit[..], &states].concat()).exits(130);
    }

    #[test]
    fn where_the_system_starts_no_threads_there_are_fewer() {
        for algorithm in ["auto", "pida", "pastar"] {
            let run = ["solve", "1 2 5 3 4 0 6 7 8", "--threads", "900", "--algorithm", algorithm];
            // Each thread takes some megabytes of addresses, for its stack above all.
            under("ulimit -v 1000000", &run)
                .exits(0)
                .prints(&["3 moves (proven optimal)"])
                .says(&["warning: the system has no more threads: ", " of 900 are used"]);
        }
    }
}
