//! `tables`, and what becomes of searches whose tables are kept in files.

use crate::program::{Folder, Ran, permutile, permutile_with_cache, program};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{Frame, Goal, registry};
use permutile::table::cache::{Cache, TableName};
use permutile::table::file::{Description, Stored, TableFile};
use serde_json::{Value, json};
use std::fs;
use std::path::PathBuf;
use std::process::Stdio;

/// A folder for tables, and the program with it.
struct Tables {
    folder: Folder,
}

/// A table that is made in no time.
const TINY: &[&str] = &["tables", "build", "torus4", "--size", "100kB"];

impl Tables {
    fn new() -> Tables {
        Tables { folder: Folder::new() }
    }

    /// With a tiny table, and the path of it.
    fn with_tiny() -> (Tables, PathBuf) {
        let tables = Tables::new();
        tables.run(TINY).exits(0).says_nothing();
        let path = tables.file("torus4-reach-100000-");
        (tables, path)
    }

    fn path(&self) -> String {
        self.folder.path("cache")
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        permutile_with_cache(&self.path(), "", arguments)
    }

    /// The names of all files.
    fn names(&self) -> Vec<String> {
        let Ok(entries) = fs::read_dir(self.path()) else { return Vec::new() };
        let name = |entry: fs::DirEntry| entry.file_name().into_string().unwrap();
        let mut names: Vec<String> = entries.map(|entry| name(entry.unwrap())).collect();
        names.sort();
        names
    }

    /// The names of tables.
    fn tables(&self) -> Vec<String> {
        self.names().into_iter().filter(|name| name.ends_with(".table")).collect()
    }

    /// The one table whose name begins like this.
    fn file(&self, beginning: &str) -> PathBuf {
        let mut names = self.tables();
        names.retain(|name| name.starts_with(beginning));
        assert_eq!(names.len(), 1, "{names:?}");
        PathBuf::from(self.path()).join(&names[0])
    }

    /// The lengths of the solutions of hard boards, which are all proven to be shortest.
    fn lengths(&self, options: &[&str]) -> (Vec<Value>, Ran) {
        let solve = ["solve", "-", "--json", "-q", "--puzzle", "torus4", "--exact"];
        let arguments = [&solve[..], options].concat();
        let ran = permutile_with_cache(&self.path(), HARD, &arguments).exits(0);
        assert!(ran.column("optimal").iter().all(|optimal| optimal == true), "{ran}");
        assert!(ran.column("heuristic").iter().all(|name| name == "circular-manhattan+reach"));
        (ran.column("length"), ran)
    }
}

/// Three boards of the 4x4 torus, each solvable one equally likely.
const HARD: &str = "9 15 2 6 13 8 16 3 5 1 12 10 7 14 4 11\n\
                    4 9 14 1 11 3 16 8 2 15 6 12 10 7 13 5\n\
                    16 4 11 2 7 13 1 10 12 5 8 15 3 9 6 14\n";

#[test]
fn tables_are_built_listed_verified_and_cleared() {
    let tables = Tables::new();
    tables.run(&["tables", "list"]).exits(0).prints_nothing().says(&["no tables", &tables.path()]);
    tables.run(TINY).exits(0).says_nothing().prints(&[
        "torus4-reach-100000-",
        "radius 6",
        "built in",
        &tables.path(),
    ]);
    tables.run(TINY).exits(0).prints(&["radius 6", "it is there already"]);
    let again = tables.run(&[TINY, &["--json"]].concat()).exits(0).json_line();
    assert_eq!((&again["built"], &again["parameters"]["radius"]), (&json!(false), &json!(6)));
    let larger = tables.run(&["tables", "build", "torus4", "--size", "small", "--json"]).exits(0);
    let larger = larger.json_line();
    assert_eq!((&larger["built"], &larger["parameters"]["radius"]), (&json!(true), &json!(8)));
    assert!(larger["bytes"].as_u64().unwrap() <= 8_000_000);

    let list = tables.run(&["tables", "list"]).exits(0);
    assert_eq!(list.stdout.lines().count(), 3, "{list}");
    let list = list.prints(&["torus4-reach-small", "radius 8", "MB", "reach"]);
    list.prints(&[&tables.path()]);
    let list = tables.run(&["tables", "list", "--json"]).exits(0).json();
    for (line, radius) in list.iter().zip([6, 8]) {
        assert_eq!((&line["puzzle"], &line["kind"]), (&json!("torus4"), &json!("reach")));
        assert_eq!(line["parameters"]["radius"], radius);
        assert!(line["age_seconds"].as_u64().unwrap() < 600 && line["error"].is_null());
        assert_eq!(fs::metadata(line["path"].as_str().unwrap()).unwrap().len(), line["bytes"]);
    }

    let names: Vec<String> = list.iter().map(|line| line["name"].to_string()).collect();
    let proofs = tables.run(&["tables", "verify", "--json"]).exits(0).json();
    for (proof, name) in proofs.iter().zip(names) {
        assert_eq!(proof["name"].to_string(), name);
        assert_eq!((&proof["holds"], &proof["proven"]), (&json!(true), &proof["radius"]));
        let taken = proof["taken_for_near"].as_array().unwrap();
        assert!(taken.iter().all(|share| share.as_f64().unwrap() < 0.02), "{proof}");
    }
    tables.run(&["tables", "verify", "torus4-reach-100000"]).exits(0).prints(&[
        "no board within 6 moves is missing",
        "random walks",
        "taken for near",
    ]);
    tables
        .run(&["tables", "verify", "torus4-reach-small", "--max-memory", "500kB"])
        .exits(0)
        .prints(&["as far as the limits allow", "of 8 moves"]);

    tables.run(&["tables", "clear"]).exits(2).says(&["--all"]);
    tables.run(&["tables", "clear", "torus4", "--all"]).exits(2);
    tables.run(&["tables", "clear", "torus4", "rings5"]).exits(2).says(&["no table \"rings5\""]);
    tables.run(&["tables", "verify", "rings5"]).exits(2).says(&["no table \"rings5\""]);
    let cleared = tables.run(&["tables", "clear", "torus4-reach-small"]).exits(0);
    cleared.prints(&["removed torus4-reach-small-"]).says(&["1 table removed", "MB"]);
    assert_eq!(tables.tables().len(), 1);
    tables.run(&["tables", "clear", "--all"]).exits(0).says(&["1 table removed", "kB"]);
    assert_eq!(tables.names(), [""; 0]);
}

#[test]
fn what_no_table_is_made_for_is_told() {
    let tables = Tables::new();
    let build = |arguments: &[&str]| tables.run(&[&["tables", "build"], arguments].concat());
    build(&["sliding4"]).exits(0).says(&["sliding4", "none is kept"]);
    build(&["torus3"]).exits(0).says(&["torus3", "few boards"]);
    build(&["torus4", "--size", "huge"]).exits(2).says(&["small, default, medium, large", "500MB"]);
    build(&["torus4", "--size", "large", "--max-memory", "2MB"]).exits(3).says(&["memory limit"]);
    build(&["torus4", "--size", "large", "--timeout", "20ms"]).exits(3).says(&["time limit"]);
    build(&["torus4", "--no-cache"]).exits(2).says(&["--no-cache"]);
    assert!(tables.tables().is_empty());
}

#[test]
fn every_fault_is_named_and_mended() {
    let (tables, path) = Tables::with_tiny();
    let sound = fs::read(&path).unwrap();
    let flipped = |at: usize| {
        let mut bytes = sound.clone();
        bytes[at] ^= 4;
        bytes
    };
    // Another puzzle's table, under this one's name.
    tables.run(&["tables", "build", "rings4", "--size", "100kB"]).exits(0);
    let rings4 = fs::read(tables.file("rings4-reach-")).unwrap();
    tables.run(&["tables", "clear", "rings4"]).exits(0);
    let cases: [(Vec<u8>, i32, &str); 7] = [
        (flipped(50), 4, "damaged: the checksum of its header"),
        (flipped(sound.len() - 1000), 4, "damaged: the checksum of its entries"),
        (sound[..sound.len() - 1].to_vec(), 4, "truncated"),
        (Vec::new(), 4, "truncated"),
        (b"something else altogether, from somewhere else".to_vec(), 4, "not a table"),
        (flipped(8), 1, "another version"),
        (rings4, 1, "another puzzle, which was called rings4"),
    ];
    for (bytes, code, fault) in cases {
        fs::write(&path, bytes).unwrap();
        let named = [path.to_str().unwrap(), fault];
        tables.run(&["tables", "verify", "all"]).exits(code).prints_nothing().says(&named);
        let again = tables.run(TINY).exits(0).says(&["warning: "]).says(&named);
        again.prints(&["built in"]);
        assert_eq!(fs::read(&path).unwrap(), sound, "{fault}");
        tables.run(TINY).exits(0).says_nothing();
    }
    fs::write(&path, flipped(50)).unwrap();
    tables.run(&["tables", "list"]).exits(0).prints(&["damaged"]);
    let listed = tables.run(&["tables", "list", "--json"]).exits(0).json_line();
    assert!(listed["error"].as_str().unwrap().contains("damaged"), "{listed}");
}

/// A table as an older permutile may have made it: everything fits but the version of its kind.
struct OfAnotherVersion {
    entries: Vec<u8>,
}

impl Stored for OfAnotherVersion {
    const KIND: &'static str = "whatever the description says";
    const VERSION: u32 = 0;

    fn parameters(&self) -> Value {
        Value::Null
    }

    fn entries(&self) -> u64 {
        0
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&self.entries]
    }
}

#[test]
fn tables_of_older_versions_are_told_and_made_again() {
    for puzzle in ["torus4", "torus:5x4", "sliding:6x3"] {
        let tables = Tables::new();
        let size = if puzzle == "torus4" { "100kB" } else { "small" };
        let build = ["tables", "build", puzzle, "--size", size];
        tables.run(&build).exits(0);
        let path = PathBuf::from(tables.path()).join(&tables.tables()[0]);
        let sound = fs::read(&path).unwrap();
        let file = TableFile::open(&path).unwrap();
        let description = file.description().clone();
        let entries = file.part::<u8>(0..file.bytes() as usize).unwrap().to_vec();
        drop(file);
        let table = OfAnotherVersion { entries };
        TableFile::write(&path, &table, &description).unwrap();
        assert!(fs::read(&path).unwrap() == sound, "but for the version, it is the same file");
        for version in [description.version - 1, description.version + 1] {
            let other = Description { version, ..description.clone() };
            TableFile::write(&path, &table, &other).unwrap();
            let told = [path.to_str().unwrap(), "made by another version of permutile"];
            tables.run(&["tables", "verify", "all"]).exits(1).says(&told);
            tables.run(&build).exits(0).says(&told).prints(&["built in"]);
            assert!(fs::read(&path).unwrap() == sound, "{puzzle}, version {version}");
        }
    }
}

/// Filters in which nothing is.
struct Empty;

impl Stored for Empty {
    const KIND: &'static str = "reach";
    const VERSION: u32 = 2;

    fn parameters(&self) -> Value {
        json!({ "radius": 1, "boards": [0, 0], "lines": [1, 1], "bits": [6, 6] })
    }

    fn entries(&self) -> u64 {
        0
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&[0; 128]]
    }
}

#[test]
fn a_table_that_is_wrong_is_refuted() {
    let tables = Tables::new();
    let definition = registry::define("torus4").unwrap();
    let frame = Frame::new(definition, Goal::Default, Simd::detect()).unwrap();
    let name = TableName::new::<Empty>(&frame, "empty");
    let path = Cache::new(tables.path()).path(&name);
    let description = Description::new(&Empty, "torus4", name.fingerprint());
    TableFile::write(&path, &Empty, &description).unwrap();
    let goal = "1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16";
    tables.run(&["tables", "verify"]).exits(1).says(&[goal, "within 0 moves"]);
    let elsewhere = Description { puzzle: "gone.toml".to_owned(), ..description.clone() };
    TableFile::write(&path, &Empty, &elsewhere).unwrap();
    tables.run(&["tables", "verify"]).exits(2).says(&["gone.toml"]);
    let of_another_kind = Description { kind: "guesses".to_owned(), ..description };
    TableFile::write(&path, &Empty, &of_another_kind).unwrap();
    tables.run(&["tables", "verify"]).exits(2).says(&["the kind guesses"]);
}

/// A pattern database in which all is at home everywhere.
struct AllHome;

impl Stored for AllHome {
    const KIND: &'static str = "pattern";
    const VERSION: u32 = 1;

    fn parameters(&self) -> Value {
        json!({ "tiles": 2, "cells": [0, 4], "counts": [380] })
    }

    fn entries(&self) -> u64 {
        380
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&[0; 190]]
    }
}

#[test]
fn pattern_databases_are_kept_and_proven() {
    let tables = Tables::new();
    let build = ["tables", "build", "torus:5x4", "--size", "small"];
    tables.run(&build).exits(0).prints(&["torus-5x4-pattern-5-tiles-", "tiles 5, 1,860,480"]);
    tables.run(&build).exits(0).prints(&["it is there already"]);
    tables.run(&["tables", "list"]).exits(0).prints(&["pattern", "tiles 5"]);
    tables.run(&["tables", "verify"]).exits(0).prints(&["holds: 0 at home"]);
    let board = "13 5 20 2 14 8 9 7 4 6 15 1 3 10 11 19 12 16 18 17";
    let solve = ["solve", board, "--shape", "5x4", "--exact", "--max-nodes", "3000"];
    let run = tables.run(&solve).exits(3);
    run.prints(&["pdb-views of 5 tiles"]);
    assert_eq!(tables.tables().len(), 1, "the one that is there does");

    let frame =
        Frame::new(registry::define("torus:5x4").unwrap(), Goal::Default, Simd::detect()).unwrap();
    let name = TableName::new::<AllHome>(&frame, "2-tiles");
    let description = Description::new(&AllHome, "torus:5x4", name.fingerprint());
    TableFile::write(&Cache::new(tables.path()).path(&name), &AllHome, &description).unwrap();
    let wrong = ["tables", "verify", "torus-5x4-pattern-2-tiles"];
    tables.run(&wrong).exits(1).says(&["only at home is the distance 0"]);
}

/// Tables of a board larger than the 15-puzzle are kept, and serve both goals.
#[test]
fn tables_of_sliding_puzzles_are_kept_and_proven() {
    let tables = Tables::new();
    let build = ["tables", "build", "sliding:6x3"];
    tables.run(&build).exits(0).says_nothing().prints(&["sliding-6x3-additive-", "tiles 6"]);
    let names = tables.tables();
    tables.run(&build).exits(0).prints(&["it is there already"]);
    tables.run(&["tables", "verify"]).exits(0).prints(&["holds: as a table that is made anew"]);
    // Hard enough for the tables; lying on its side, with the blank at the end.
    let board = "17 16 15 14 13 12 11 10 9 8 7 6 5 4 3 2 1 0";
    let solve =
        ["solve", board, "--shape", "3x6", "--goal", "blank-last", "--max-nodes", "5200000"];
    tables.run(&[&solve[..], &["--exact"]].concat()).prints(&["then pdb"]);
    assert_eq!(tables.tables(), names);

    let path = PathBuf::from(tables.path()).join(&names[0]);
    let file = TableFile::open(&path).unwrap();
    let description = file.description().clone();
    let entries = file.part::<u8>(0..file.bytes() as usize).unwrap();
    let wrong = Changed { parameters: description.parameters.clone(), bytes: entries.to_vec() };
    drop((file, entries));
    TableFile::write(&path, &wrong, &description).unwrap();
    let refuted = tables.run(&["tables", "verify", names[0].as_str()]).exits(1);
    refuted.says(&["is not what a table that is made anew has"]);
}

/// The entries of another table, with one of them changed.
struct Changed {
    parameters: Value,
    bytes: Vec<u8>,
}

impl Stored for Changed {
    const KIND: &'static str = "additive";
    const VERSION: u32 = 1;

    fn parameters(&self) -> Value {
        self.parameters.clone()
    }

    fn entries(&self) -> u64 {
        8 * self.bytes.len() as u64
    }

    fn parts(&self) -> Vec<&[u8]> {
        vec![&[0x55], &self.bytes[1..]]
    }
}

#[test]
fn of_two_processes_one_builds() {
    let tables = Tables::new();
    let spawn = || {
        let arguments = ["tables", "build", "torus4", "--size", "small", "--json"];
        let mut command = program(&tables.path());
        command.args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let children: Vec<_> = (0..3).map(|_| spawn()).collect();
    let built: Vec<Value> = children
        .into_iter()
        .map(|child| {
            let ran = Ran::new(&["tables", "build"], child.wait_with_output().unwrap());
            ran.exits(0).says_nothing().json_line()["built"].clone()
        })
        .collect();
    assert_eq!(built.iter().filter(|&built| *built == true).count(), 1, "{built:?}");
    assert_eq!(tables.tables().len(), 1);
    tables.run(&["tables", "verify"]).exits(0);
}

#[test]
fn what_a_killed_builder_left_is_removed_by_the_next() {
    let (tables, path) = Tables::with_tiny();
    let left = |stem: &str| path.with_file_name(format!(".{stem}.x1y2z3.unfinished"));
    let (own, other) =
        (left(path.file_stem().unwrap().to_str().unwrap()), left("torus3-reach-default-0"));
    fs::write(&own, "half a table").unwrap();
    fs::write(&other, "that of another builder, which may be at it").unwrap();
    fs::remove_file(&path).unwrap();
    tables.run(TINY).exits(0);
    assert_eq!((path.exists(), own.exists(), other.exists()), (true, false, true));
}

#[test]
fn searches_keep_their_tables_and_answer_the_same_with_them() {
    let tables = Tables::new();
    let (lengths, without) = tables.lengths(&["--no-cache"]);
    assert_eq!(tables.names(), [""; 0]);
    let (first, built) = tables.lengths(&[]);
    assert_eq!(tables.tables().len(), 1);
    let (second, mapped) = tables.lengths(&[]);
    assert_eq!((&first, &second), (&lengths, &lengths));
    // The same table, so the same work.
    let expanded = |ran: &Ran| ran.column("expanded");
    let one_thread = |ran: &Ran| ran.column("threads").iter().all(|threads| *threads == 1);
    if one_thread(&without) {
        assert_eq!(expanded(&built), expanded(&without));
        assert_eq!(expanded(&mapped), expanded(&without));
    }
    built.says_nothing();
    mapped.says_nothing();

    // Another goal, the same table.
    let goal = tables.folder.write("goal", "16 15 14 13\n12 11 10 9\n8 7 6 5\n4 3 2 1\n");
    tables.lengths(&["--goal", &goal]).1.says_nothing();
    assert_eq!(tables.tables().len(), 1);

    // A damaged one is named and made again; one that does not fit is not used.
    let path = tables.file("torus4-reach-default-");
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let (again, ran) = tables.lengths(&[]);
    assert_eq!(again, lengths);
    ran.says(&["warning: ", "damaged", path.to_str().unwrap()]);
    tables.run(TINY).exits(0);
    let (smaller, ran) = tables.lengths(&["--max-memory", "20MB"]);
    assert_eq!(smaller, lengths);
    let peaks = ran.says_nothing().column("peak_bytes");
    assert!(peaks.iter().all(|bytes| bytes.as_u64().unwrap() < 1_000_000), "{peaks:?}");
}

#[test]
fn a_cache_that_cannot_be_written_stops_nothing() {
    let folder = Folder::new();
    let file = folder.write("file", "not a folder");
    let cache = format!("{file}/cache");
    let solve = ["solve", "-", "--json", "-q", "--puzzle", "torus4", "--exact"];
    let ran = permutile_with_cache(&cache, HARD, &solve).exits(0);
    assert_eq!(ran.says(&["warning: ", &cache, "in memory only"]).json().len(), 3);
    permutile_with_cache(&cache, "", TINY).exits(2).says(&["could not be kept"]);
    permutile_with_cache(&file, "", &["tables", "list"]).exits(2).says(&[&file]);
}

#[test]
fn help_has_examples() {
    permutile(&["tables", "--help"]).exits(0).prints(&["Examples:", "PERMUTILE_CACHE"]);
    for command in ["list", "build", "verify", "clear"] {
        let help = permutile(&["tables", command, "--help"]).exits(0);
        help.prints(&["Examples:", &format!("permutile tables {command}")]);
    }
}
