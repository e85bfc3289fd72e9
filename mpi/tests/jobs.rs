//! Jobs of several processes on this machine, started by `mpirun`. `scripts/test` runs these, after
//! it has built `permutile`, which they are compared with.

#![cfg(target_os = "linux")]

use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const PROGRAM: &str = env!("CARGO_BIN_EXE_permutile-mpi");

/// Long enough for anything here, on any machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// The folder of the repository.
fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The plain program.
fn permutile() -> PathBuf {
    let path = Path::new(PROGRAM).with_file_name("permutile");
    assert!(path.exists(), "{} is not there: run cargo build first", path.display());
    path
}

/// A folder with a cache of tables of its own.
struct Folder(TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(root()).stdin(Stdio::null());
        command.env("PERMUTILE_CACHE", self.path("cache"));
        command
    }

    fn permutile(&self, arguments: &[&str]) -> Output {
        self.command(permutile()).args(arguments).output().unwrap()
    }

    /// `mpirun`, before the number of ranks and the program.
    fn mpirun(&self) -> Command {
        let mut command = self.command("mpirun");
        command.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        command.args(["--oversubscribe", "--bind-to", "none"]);
        command
    }

    /// A job of some ranks.
    fn job(&self, ranks: usize, arguments: &[&str]) -> Output {
        let mut command = self.mpirun();
        command.args(["-n", &ranks.to_string(), PROGRAM]).args(arguments);
        finished(command)
    }

    /// Boards of one puzzle, made by `scramble`.
    fn boards(&self, arguments: &[&str]) -> String {
        let path = self.path("made.boards");
        let all = [&["scramble", "-q", "--out", &path], arguments].concat();
        assert!(self.permutile(&all).status.success());
        path
    }
}

/// Runs a command to its end, which must come.
fn finished(mut command: Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let id = child.id();
    let (send, receive) = std::sync::mpsc::channel();
    thread::spawn(move || send.send(child.wait_with_output()));
    receive.recv_timeout(PATIENCE).unwrap_or_else(|_| panic!("{id} does not end")).unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn exits(output: &Output, code: i32) {
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{out}\n{err}");
}

fn borrowed(all: &[String]) -> Vec<&str> {
    all.iter().map(String::as_str).collect()
}

/// The records of a journal, without what depends on the machine and on its load.
fn records(path: &str) -> Vec<Value> {
    let record = |line: &str| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        let fields = record.as_object_mut().unwrap();
        for field in ["seconds", "peak_bytes", "improvements"] {
            fields.remove(field);
        }
        record
    };
    fs::read_to_string(path).unwrap().lines().map(record).collect()
}

/// How many records each board has.
fn counts(path: &str) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for record in records(path) {
        *counts.entry(record["board"].as_str().unwrap().to_owned()).or_default() += 1;
    }
    counts
}

#[test]
fn three_ranks_write_what_batch_writes() {
    let folder = Folder::new();
    let bad = folder.path("bad.txt");
    fs::write(&bad, "1 2 2\n0 4 5\n6 7 8\n").unwrap();
    let (one, three) = (folder.path("one.jsonl"), folder.path("three.jsonl"));
    let csv = [folder.path("one.csv"), folder.path("three.csv")];
    let boards = ["data/boards/hard8.boards", "data/boards/torus4-course.boards", &bad];
    let batch = |out: &str, csv: &str| -> Vec<String> {
        let options = ["batch", "--exact", "--ordered", "--out", out, "--csv", csv];
        options.into_iter().chain(boards).map(str::to_owned).collect()
    };
    let alone = folder.permutile(&borrowed(&batch(&one, &csv[0])));
    let together = folder.job(3, &borrowed(&batch(&three, &csv[1])));
    // One board is malformed.
    exits(&alone, 2);
    exits(&together, 2);
    assert_eq!(records(&three), records(&one));
    let summary = |output: &Output| text(&output.stdout).lines().next().unwrap().to_owned();
    assert_eq!(summary(&together), summary(&alone));
    let columns = |path: &String| {
        let table = fs::read_to_string(path).unwrap();
        let first = |line: &str| line.split(',').next().unwrap().to_owned();
        let mut names: Vec<String> = table.lines().map(first).collect();
        names.sort();
        names
    };
    assert_eq!(columns(&csv[1]), columns(&csv[0]));
}

/// The process of a rank of a job that writes to some file.
fn process_of(rank: usize, out: &str) -> Option<u32> {
    fs::read_dir("/proc").unwrap().filter_map(Result::ok).find_map(|entry| {
        let id = entry.file_name().to_str()?.parse::<u32>().ok()?;
        let read = |name: &str| fs::read(entry.path().join(name)).ok().map(|b| text(&b));
        let is_ours = read("cmdline")?.contains(out);
        let variable = format!("OMPI_COMM_WORLD_RANK={rank}");
        let has_rank = read("environ")?.split('\0').any(|entry| entry == variable);
        (is_ours && has_rank).then_some(id)
    })
}

/// Waits for something.
fn wait_for<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(began.elapsed() < PATIENCE, "there is no {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

fn lines_in(path: &str) -> usize {
    fs::read(path).map_or(0, |bytes| bytes.iter().filter(|&&byte| byte == b'\n').count())
}

#[test]
fn after_a_rank_is_killed_the_run_is_resumed_and_nothing_is_lost_or_twice() {
    let folder = Folder::new();
    let boards = folder.boards(&["torus4", "--exact-depth", "9", "--count", "3000", "--seed", "1"]);
    let out = folder.path("all.jsonl");
    let arguments = ["batch", &boards, "--out", &out, "--resume", "--algorithm", "ida"];
    let mut command = folder.mpirun();
    command.args(["-n", "3", PROGRAM]).args(arguments);
    let mut job: Child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("record", || (lines_in(&out) > 50).then_some(()));
    let victim = wait_for("rank 2", || process_of(2, &out));
    let killed = Command::new("kill").args(["-9", &victim.to_string()]).status().unwrap();
    assert!(killed.success());
    let status = wait_for("end", || job.try_wait().unwrap());
    assert!(!status.success());
    let before = fs::read_to_string(&out).unwrap();
    let whole = before.rfind('\n').map_or(0, |end| end + 1);
    assert!(lines_in(&out) < 3000, "it was killed too late");
    let resumed = folder.job(3, &arguments);
    exits(&resumed, 0);
    let after = fs::read_to_string(&out).unwrap();
    assert!(after.starts_with(&before[..whole]), "what was written stays");
    let counts = counts(&out);
    assert_eq!((counts.len(), counts.values().max()), (3000, Some(&1)));
}

#[test]
fn a_panic_ends_the_job() {
    let folder = Folder::new();
    let example = Path::new(PROGRAM).with_file_name("examples").join("panics");
    let mut command = folder.mpirun();
    command.args(["-n", "3"]).arg(example);
    let output = finished(command);
    exits(&output, 4);
    assert!(text(&output.stderr).contains("rank 2 panics, as it should"));
}

#[test]
fn ranks_with_other_plans_are_refused() {
    let folder = Folder::new();
    let boards = "data/boards/hard8.boards";
    let out = folder.path("never.jsonl");
    let mut command = folder.mpirun();
    command.args(["-n", "2", PROGRAM, "batch", boards, "--out", &out]);
    command.args([":", "-n", "1", PROGRAM, "batch", boards, "--out", &out, "--timeout", "7s"]);
    let output = finished(command);
    exits(&output, 2);
    let told = text(&output.stderr);
    assert!(told.contains("rank 2 has another plan than rank 0"), "{told}");
    assert!(told.contains("timeout 7s"), "{told}");
    assert!(!Path::new(&out).exists());
    // Arguments that make no sense are told once.
    let output = folder.job(3, &["batch", boards, "--no-such-option"]);
    exits(&output, 2);
    assert_eq!(text(&output.stderr).matches("unexpected argument").count(), 1);
}

#[test]
fn the_plain_program_says_what_to_use_instead() {
    let folder = Folder::new();
    let mut command = folder.mpirun();
    command.args(["-n", "2"]).arg(permutile()).args(["solve", "0,8,7,6,5,4,3,2,1"]);
    let output = finished(command);
    exits(&output, 2);
    assert_eq!(text(&output.stderr).matches("use permutile-mpi").count(), 1);
}

/// The record of `solve --json`.
fn solved(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", text(&output.stderr)))
}

/// A 15-puzzle, the first of Korf's.
const BOARD: &str = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3";

#[test]
fn one_board_takes_the_same_nodes_however_many_ranks_there_are() {
    let folder = Folder::new();
    let search = ["--algorithm", "pida", "--heuristic", "linear-conflict", "--json", "-q"];
    let alone = folder.permutile(&[&["solve", BOARD, "--threads", "1"], &search[..]].concat());
    let alone = solved(&alone);
    let arguments = [&["solve", BOARD, "--packets", "700", "--threads", "1"], &search[..]].concat();
    let nodes: Vec<(Value, Value, Value)> = [1, 2, 3]
        .map(|ranks| {
            let output = folder.job(ranks, &arguments);
            exits(&output, 0);
            let record = solved(&output);
            assert_eq!(record["length"], alone["length"]);
            assert_eq!((&record["optimal"], &record["threads"]), (&true.into(), &ranks.into()));
            (record["expanded"].clone(), record["generated"].clone(), record["moves"].clone())
        })
        .to_vec();
    assert!(nodes[1..].iter().all(|other| *other == nodes[0]), "{nodes:?}");
}

#[test]
fn a_board_is_solved_while_another_rank_looks_for_solutions() {
    let folder = Folder::new();
    let output = folder.job(3, &["solve", BOARD, "--json", "-q"]);
    exits(&output, 0);
    let record = solved(&output);
    assert_eq!((&record["length"], &record["optimal"]), (&57.into(), &true.into()));
    // One that cannot be proven soon.
    let hard = "--timeout 10s --json -q";
    let boards = folder.boards(&["sliding5", "--moves", "1000", "--count", "1", "--seed", "3"]);
    let arguments: Vec<&str> = ["solve", &boards].into_iter().chain(hard.split(' ')).collect();
    let output = folder.job(3, &arguments);
    exits(&output, 0);
    let record = solved(&output);
    let (length, bound) = (&record["length"], &record["lower_bound"]);
    assert!(length.as_u64().unwrap() >= bound.as_u64().unwrap());
    assert!(bound.as_u64().unwrap() > 50, "{record}");
}

#[test]
fn what_is_proven_is_kept_for_the_next_run() {
    let folder = Folder::new();
    let bounds = folder.path("bounds.jsonl");
    let search =
        ["--algorithm", "pida", "--heuristic", "linear-conflict", "--bounds", &bounds, "--json"];
    let limited = [&["solve", BOARD, "--max-nodes", "1000000"], &search[..]].concat();
    let first = folder.job(2, &limited);
    exits(&first, 3);
    let proven = records(&bounds).pop().unwrap()["lower_bound"].as_u64().unwrap();
    assert!(proven > 41, "{proven}");
    let second = folder.job(2, &[&["solve", BOARD], &search[..]].concat());
    exits(&second, 0);
    let record = solved(&second);
    assert_eq!((&record["length"], &record["optimal"]), (&57.into(), &true.into()));
}

#[test]
fn boards_in_turn_are_solved_by_all_ranks() {
    let folder = Folder::new();
    let (one, three) = (folder.path("one.jsonl"), folder.path("three.jsonl"));
    let batch = ["batch", "data/boards/hard8.boards", "--exact", "--parallel", "within"];
    exits(&folder.permutile(&[&batch[..], &["--out", &one]].concat()), 0);
    exits(&folder.job(3, &[&batch[..], &["--out", &three]].concat()), 0);
    let lengths = |path: &str| -> Vec<(Value, Value)> {
        records(path).into_iter().map(|r| (r["board"].clone(), r["length"].clone())).collect()
    };
    assert_eq!(lengths(&three), lengths(&one));
}

#[test]
fn two_hosts_talk_by_tcp() {
    let folder = Folder::new();
    let (one, two) = (folder.path("one.jsonl"), folder.path("two.jsonl"));
    let batch = ["batch", "data/boards/torus4-course.boards", "--exact", "--ordered", "--out"];
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/two-hosts");
    let mut command = folder.command(script);
    command.arg(PROGRAM).args(batch).arg(&two);
    let output = finished(command);
    if output.status.code() == Some(77) {
        let word = "two hosts are not tested: this machine allows no network namespaces";
        let _ = writeln!(std::io::stderr(), "{word}");
        return;
    }
    exits(&output, 0);
    exits(&folder.permutile(&[&batch[..], &[&one]].concat()), 0);
    assert_eq!(records(&two), records(&one));
}

#[test]
fn the_slurm_script_and_the_line_of_the_documentation_run_here() {
    let folder = Folder::new();
    let boards = "data/boards/torus4-course.boards";
    let mut script = folder.command("scripts/permutile-mpi.sbatch");
    script.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    script.env("PERMUTILE_MPI", PROGRAM).env_remove("SLURM_JOB_ID");
    let (first, second) = (folder.path("first.jsonl"), folder.path("second.jsonl"));
    script.args(["batch", boards, "--exact", "--out", &first, "--resume"]);
    exits(&finished(script), 0);
    // One node, so one process.
    let mut line = folder.command("mpirun");
    line.env("OMPI_ALLOW_RUN_AS_ROOT", "1").env("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    line.args(["-n", "1", "--map-by", "ppr:1:node", "--bind-to", "none", PROGRAM]);
    line.args(["batch", boards, "--exact", "--out", &second, "--resume"]);
    exits(&finished(line), 0);
    assert_eq!((lines_in(&first), lines_in(&second)), (12, 12));
}

#[test]
fn an_interrupted_job_writes_what_there_is() {
    let folder = Folder::new();
    let boards = folder.boards(&["sliding5", "--uniform", "--count", "6", "--seed", "1"]);
    let out = folder.path("all.jsonl");
    let search = ["--algorithm", "ida", "--heuristic", "manhattan", "--threads", "1"];
    let mut command = folder.mpirun();
    command.args(["-n", "2", PROGRAM, "batch", &boards, "--out", &out]).args(search);
    let mut job = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    wait_for("journal", || Path::new(&out).exists().then_some(()));
    wait_for("rank 1", || process_of(1, &out));
    thread::sleep(Duration::from_millis(500));
    Command::new("kill").args(["-TERM", &job.id().to_string()]).status().unwrap();
    let status = wait_for("end", || job.try_wait().unwrap());
    assert!(!status.success());
    let statuses: Vec<Value> = records(&out).into_iter().map(|r| r["status"].clone()).collect();
    // One for each thread that had begun with a board.
    assert!((1..=2).contains(&statuses.len()), "{statuses:?}");
    assert!(statuses.iter().all(|status| status == "interrupted"), "{statuses:?}");
}
