//! Heuristics that are not registered: from files, and from other crates such as this one.

use crate::program::{Folder, permutile, proving};
use permutile::board::text;
use permutile::heuristic::{Heuristic, NamedHeuristic, Promise, Scope};
use permutile::lab::audit::{AuditPlan, audit};
use permutile::puzzle::arch::Simd;
use permutile::puzzle::{Depth, Frame, Goal, Puzzle, registry};
use permutile::search::{Aim, HeuristicKind, SearchOptions, Silent};
use permutile::solver::{Answer, RequestError, SolveError, Solver};

/// The number of misplaced tiles, which it claims to be admissible.
#[derive(Clone, Copy)]
struct Claims;

impl NamedHeuristic for Claims {
    const NAME: &'static str = "claims";
    const SUMMARY: &'static str = "claims too much";
    const SCOPE: Scope = Scope::WithoutBlank;
    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(_: &Frame) -> Self {
        Claims
    }
}

impl<P: Puzzle> Heuristic<P> for Claims {
    type Value = u32;

    fn evaluate(&self, puzzle: &P, state: P::State) -> u32 {
        let labels = puzzle.labels(state);
        (0..).zip(labels).filter(|&(cell, label)| cell != label).count() as u32
    }

    fn estimate(&self, misplaced: u32) -> Depth {
        misplaced
    }
}

fn solver(id: &str) -> Solver {
    Solver::new(registry::define(id).unwrap(), Goal::Default, Simd::detect()).unwrap()
}

#[test]
fn a_heuristic_of_another_crate_is_searched_with_and_audited() {
    let mut solver = solver("torus4");
    solver.add(HeuristicKind::of::<Claims>()).unwrap();
    let claims = solver.heuristic("claims").unwrap();
    let board =
        text::parse_one("b", b"2 3 4 1 5 6 7 8 9 10 11 12 13 14 15 16", None).unwrap().board;
    for algorithm in ["ida", "astar", "pastar", "auto"] {
        let options = SearchOptions {
            algorithm: algorithm.parse().unwrap(),
            heuristic: Some(claims.clone()),
            aim: Aim::Proven,
            ..SearchOptions::default()
        };
        let Ok(Answer::Searched(report)) = solver.solve(&board, &options, &mut Silent) else {
            panic!("it can be solved");
        };
        assert_eq!(report.guides_in_words().as_deref(), Some("claims"));
        // It is proven by our own estimate that one move is needed, and not by this one.
        assert_eq!((report.rests_on.as_ref(), report.lower_bound), (None, 1), "{algorithm}");
        assert!(report.solution.unwrap().is_optimal());
    }
    let plan = AuditPlan { depth: 2, random: 1, ..AuditPlan::new(claims) };
    let found = audit(&solver, &plan).unwrap();
    assert!(found.refutes_claims() && !found.admissible && found.zero_at_goal && found.incremental);
    assert_eq!(found.counterexample.unwrap().distance, 1);
}

#[test]
fn what_does_not_apply_or_is_there_already_is_refused() {
    let mut sliding = solver("sliding3");
    sliding.add(HeuristicKind::of::<Claims>()).unwrap();
    let taken = sliding.add(HeuristicKind::of::<Claims>()).unwrap_err();
    assert_eq!(taken.name, "claims");
    let heuristic = Some(HeuristicKind::of::<Claims>());
    let options = SearchOptions { heuristic, ..SearchOptions::default() };
    let board = sliding.frame().goal().clone();
    let refused = sliding.solve(&board, &options, &mut Silent).unwrap_err();
    let inapplicable = matches!(refused, SolveError::Request(RequestError::Inapplicable { .. }));
    assert!(inapplicable, "{refused}");
}

const GOOD: &str = "name = \"steps\"\nformula = \"dx + dy\"\ndivisor = \"tiles-per-move\"\n\
                    admissible = true\nconsistent = true\n";
const BOLD: &str = "name = \"bold\"\nformula = \"(dx^0.91 + dy^0.91)^1.414\"\ndivisor = 4\n\
                    admissible = true\n";
const SMALL: &str = "name = \"small\"\ntable = [[0, 1], [1, 2]]\n";
const LOST: &str = "name = \"lost\"\nformula = \"dx + dy + 1\"\ndivisor = 100\n";

#[test]
fn a_heuristic_from_a_file_is_like_any_other() {
    let folder = Folder::new();
    let (good, bold) = (folder.write("good.toml", GOOD), folder.write("bold.toml", BOLD));
    let boards = "data/boards/torus4-course.boards";
    // It is the built-in one under another name.
    let run = permutile(&[
        "compare",
        boards,
        "--json",
        "--heuristics",
        "circular-manhattan",
        "--heuristic-file",
        &good,
    ])
    .exits(0);
    let found = run.json_line();
    let trials = found["puzzles"][0]["trials"].as_array().unwrap();
    for pair in trials.chunks(2) {
        assert_eq!((&pair[0]["expanded"], &pair[0]["h"]), (&pair[1]["expanded"], &pair[1]["h"]));
    }
    let near = "2 3 4 1 5 6 7 8 9 10 11 12 13 14 15 16";
    permutile(&["solve", near, "--heuristic-file", &good]).exits(0).prints(&["steps"]);
    permutile(&["audit", "--puzzle", "torus4", "--heuristic-file", &good, "--states", "3000"])
        .exits(0)
        .prints(&["steps on torus4", "admissible: claimed, and nothing found against it"]);
    let example = "data/heuristics/larger-side.toml";
    for puzzle in ["torus4", "rings5", "sliding3"] {
        let options = ["--heuristic-file", example, "--states", "3000", "--random", "3"];
        permutile(&[&["audit", "--puzzle", puzzle], options.as_slice()].concat()).exits(0);
    }
    // A claim that does not hold is refuted.
    permutile(&["audit", "--puzzle", "torus4", "--heuristic-file", &bold, "--states", "3000"])
        .exits(1)
        .prints(&["admissible: CLAIMED AND REFUTED", "at distance 2"]);
    permutile(&["heuristics", "--puzzle", "torus4", "--heuristic-file", &good])
        .exits(0)
        .prints(&["steps\n  from ", "torus4: admissible and consistent, as it claims\n"]);
    permutile(&["solve", near, "--heuristic-file", &good, "--heuristic-file", &bold])
        .exits(2)
        .says(&["there are several --heuristic-file"]);
}

/// Three times the number of steps, divided by what a move of the torus shifts.
const FALSE: &str = "name = \"false\"\nformula = \"3 * (dx + dy)\"\ndivisor = \"tiles-per-move\"\n\
                     admissible = true\nconsistent = true\n";

/// Eleven moves suffice, whatever a file claims.
#[test]
fn what_rests_on_a_claim_is_reported_as_such() {
    let folder = Folder::new();
    let file = folder.write("false.toml", FALSE);
    let boards = "data/boards/torus4-course.boards";
    let mut misled = 0;
    for algorithm in ["auto", "ida", "astar", "pastar"] {
        let options = ["--heuristic-file", &file, "--algorithm", algorithm, "--timeout", "20s"];
        let options = [&options[..], proving(algorithm)].concat();
        let run = permutile(&[&["solve", boards, "--json"], &options[..]].concat());
        let records = run.json();
        for record in &records {
            let (length, bound) = (&record["length"], &record["lower_bound"]);
            if record["status"] == "solved" && length != bound {
                assert_eq!(
                    (&record["optimal"], &record["rests_on"]),
                    (&false.into(), &"false".into())
                );
            }
            assert_eq!(record["optimal"] == true, length == bound && !length.is_null(), "{record}");
        }
        misled += run.stderr.matches("moves are the fewest if false is admissible").count();
        run.says(&[
            "shortest if a claim holds",
            "permutile audit --puzzle torus4 --heuristic-file",
        ]);
    }
    assert!(misled > 0, "some boards state that fewer moves suffice");
    let journal = folder.path("j");
    let csv = folder.path("t.csv");
    let own = "data/heuristics/larger-side.toml";
    let files = ["--heuristic-file", own, "--out", &journal, "--csv", &csv];
    permutile(&[&["batch", boards, "--exact"], &files[..]].concat())
        .exits(0)
        .prints(&["shortest if larger-side is admissible, as it claims"])
        .says(&[
            "permutile audit --puzzle torus4 --heuristic-file data/heuristics/larger-side.toml",
        ]);
    assert!(folder.read("t.csv").contains(",larger-side,,\n"));
    permutile(&["verify", &journal]).exits(0);
    let forged = folder.read("j").replace("\"optimal\":false", "\"optimal\":true");
    let forged = folder.write("forged", forged);
    permutile(&["verify", &forged]).exits(1).says(&["rests on the claim that larger-side"]);
    let near = "5 2 3 4 9 6 7 8 13 10 11 12 1 14 16 15";
    permutile(&["solve", near, "--heuristic-file", own, "--exact"])
        .exits(0)
        .prints(&["moves (shortest if larger-side is admissible, as its file claims)"]);
    permutile(&[
        "compare",
        boards,
        "--heuristics",
        "circular-manhattan",
        "--heuristic-file",
        &file,
        "--view",
        "boards",
    ])
    .exits(1)
    .prints(&["admissible only as they claim (permutile audit): false", "too long"])
    .says(&["false is not admissible, as it claims"]);
    // Databases of a partition are ours, whoever divides the tiles.
    let record = permutile(&["solve", "0 8 7 6 5 4 3 2 1", "--json", "--pdb", "1,2,3,4/5,6,7,8"]);
    assert_eq!(record.exits(0).json_line()["optimal"], true);
}

#[test]
fn a_file_that_does_not_fit_is_refused_with_the_reason() {
    let folder = Folder::new();
    folder.write("small.toml", SMALL);
    folder.write("lost.toml", LOST);
    folder.write("taken.toml", GOOD.replace("steps", "zero"));
    folder.write("broken.toml", GOOD.replace("dx + dy", "dx + (dy"));
    let near = "2 3 4 1 5 6 7 8 9 10 11 12 13 14 15 16";
    let solve =
        |name: &str| permutile(&["solve", near, "--heuristic-file", &folder.path(name)]).exits(2);
    solve("small.toml")
        .says(&["small does not apply to torus4: it has no weight for dx = 2, dy = 0"]);
    solve("lost.toml").says(&["the heuristic lost says 1 at the goal of torus4"]);
    let lost = folder.path("lost.toml");
    permutile(&["audit", "--puzzle", "torus4", "--heuristic-file", &lost, "--depth", "1"])
        .exits(1)
        .prints(&["WRONG: it is not 0 at the goal"]);
    solve("taken.toml").says(&["there is a heuristic \"zero\" already"]);
    solve("broken.toml").says(&["broken.toml:2:20: the formula ends here"]);
    solve("nosuch.toml").says(&["nosuch.toml"]);
}

#[test]
fn strength_is_measured_on_random_boards() {
    let arguments = ["heuristics", "--puzzle", "sliding3", "--sample", "2000", "--json"];
    let run = permutile(&arguments).exits(0);
    assert_eq!(run.stdout, permutile(&arguments).exits(0).stdout, "the same seed, the same boards");
    let rows = run.json();
    let of = |name: &str| rows.iter().find(|row| row["heuristic"] == name).unwrap();
    let mean = |name: &str| of(name)["mean"].as_f64().unwrap();
    assert!(mean("zero") == 0.0 && mean("misplaced") < mean("manhattan"));
    assert!(
        mean("manhattan") < mean("linear-conflict") && mean("linear-conflict") < mean("max-of")
    );
    let manhattan = of("manhattan");
    let counts: Vec<u64> = serde_json::from_value(manhattan["distribution"].clone()).unwrap();
    assert_eq!(
        (counts.iter().sum::<u64>(), counts.len() as u64 - 1),
        (2000, manhattan["max"].as_u64().unwrap())
    );
    // The exact mean over all boards is 14.
    assert!((mean("manhattan") - 14.0).abs() < 0.3);
    assert_eq!(manhattan["known"]["too_high"], 0);
    assert!((manhattan["known"]["mean_distance"].as_f64().unwrap() - 21.97).abs() < 0.5);
    permutile(&["heuristics", "--puzzle", "torus3", "--sample", "100"]).exits(0).prints(&[
        "torus3: h of 100 random boards",
        "h/distance",
        "distances: 100 random boards",
    ]);
    permutile(&["heuristics", "--sample", "100"]).exits(2).says(&["--puzzle"]);
}

/// A name that another one begins with is a name all the same.
#[test]
fn a_heuristic_whose_name_begins_like_a_built_in_one_is_in_the_record() {
    let folder = Folder::new();
    let file =
        folder.write("circular.toml", "name = \"circular\"\nformula = \"0\"\nadmissible = true\n");
    let hard = "4 5 2 9 8 12 15 11 7 10 3 16 6 14 1 13";
    let run = permutile(&["solve", hard, "--json", "--exact", "--heuristic-file", &file]).exits(0);
    assert_eq!(run.json_line()["heuristic"], "circular, then circular-manhattan+reach");
}
