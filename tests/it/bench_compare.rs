//! `scripts/bench-compare`: on results as criterion writes them, and on a repository whose cargo
//! and benches are stand-ins that take no time.

use crate::program::{Folder, Ran};
use serde_json::json;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;
use std::process::Command;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/bench-compare");

fn ran(mut command: Command, arguments: &[&str]) -> Ran {
    command.args(arguments);
    let output = command.output().expect("there is Python");
    Ran::new(&[&["scripts/bench-compare"], arguments].concat(), output)
}

/// A folder with the results of some rounds, as criterion writes them.
struct Results(Folder);

impl Results {
    fn new() -> Results {
        Results(Folder::new())
    }

    /// Adds the times of one id on one side, a round each.
    fn with(self, side: &str, id: &str, times: &[f64]) -> Results {
        for (number, time) in times.iter().enumerate() {
            let estimate = json!({ "point_estimate": time });
            // Criterion has a slope only where the number of iterations varied.
            let estimates = if id.starts_with("moves") {
                json!({ "slope": estimate, "mean": { "point_estimate": 1e9 } })
            } else {
                json!({ "slope": null, "mean": estimate })
            };
            let place = format!("{side}/{}/{}/new", number + 1, id.replacen('/', "_", 1));
            let about = json!({ "full_id": id }).to_string();
            self.0.write(&format!("{place}/benchmark.json"), about);
            self.0.write(&format!("{place}/estimates.json"), estimates.to_string());
        }
        self
    }

    fn compare(&self) -> Ran {
        ran(Command::new(SCRIPT), &["--results", &self.0.path("")])
    }
}

#[test]
fn the_best_rounds_are_compared_and_the_median_ones_say_how_noisy_they_are() {
    let expected = "\
before: before
after:  after
id                     before     after  ratio   noise  verdict
moves/torus4/packed  100.0 ns  50.00 ns  0.500   5.0 %  faster
moves/torus4/plain   2.000 µs  2.500 µs  1.250   5.0 %  slower
search/torus4/ida    4.000 ms  5.000 ms  1.250  40.0 %  within noise
search/torus4/pida   100.0 ns  104.0 ns  1.040   5.0 %  within noise
only before: batch/gone
only after:  batch/come
geometric mean 0.949
1 faster, 1 slower, 2 within noise
";
    let ran = Results::new()
        .with("before", "moves/torus4/packed", &[100.0, 101.0, 180.0])
        .with("after", "moves/torus4/packed", &[50.5, 50.0, 51.0])
        .with("before", "moves/torus4/plain", &[2000.0])
        .with("after", "moves/torus4/plain", &[2500.0])
        .with("before", "search/torus4/ida", &[4.0e6, 4.1e6, 4.0e6])
        .with("after", "search/torus4/ida", &[8.0e6, 7.0e6, 5.0e6])
        .with("before", "search/torus4/pida", &[100.0, 100.0])
        .with("after", "search/torus4/pida", &[104.0, 104.0])
        .with("before", "batch/gone", &[1.0])
        .with("after", "batch/come", &[1.0])
        .compare()
        .exits(0)
        .says_nothing();
    assert_eq!(ran.stdout, expected);
}

#[test]
fn what_cannot_be_compared_is_said() {
    let bad = |arguments: &[&str], words: &[&str]| {
        ran(Command::new(SCRIPT), arguments).exits(2).prints_nothing().says(words);
    };
    bad(&[], &["give a commit", "--results"]);
    bad(&["HEAD", "--results", "."], &["give a commit"]);
    bad(&["HEAD", "--rounds", "0"], &["--rounds"]);
    bad(&["HEAD", "--seconds", "nan"], &["--seconds"]);
    Results::new().compare().exits(2).prints_nothing().says(&["nothing to compare"]);
    for broken in ["{}", "{"] {
        let results = Results::new().with("before", "moves/torus4", &[1.0]);
        results.0.write("before/1/moves_torus4/new/estimates.json", broken);
        results.compare().exits(2).says(&["estimates.json has no estimates of criterion"]);
    }
}

/// A repository with a bench that says what its commit's files tell it to.
struct Repository(Folder);

/// Stands for cargo: there is one bench, and it builds unless it is broken.
const CARGO: &str = r#"#!/bin/sh
case "$1" in
bench)
  if [ -e broken ]; then
    echo "error[E0425]: it is broken" >&2
    exit 101
  fi
  echo '{"reason": "compiler-artifact", "executable": null, "target": {"name": "permutile", "kind": ["lib"]}}'
  echo "{\"reason\": \"compiler-artifact\", \"executable\": \"$PWD/moves\", \"target\": {\"name\": \"moves\", \"kind\": [\"bench\"]}}"
  ;;
esac
"#;

/// Stands for a bench with one id: it gets slower with each run on whichever side.
const BENCH: &str = r#"#!/bin/sh
echo "$(cat name) $*" >> "$LOG"
time=$(($(cat time) + $(wc -l < "$LOG")))
id=moves/$(cat id)
mkdir -p "$CRITERION_HOME/$id/new"
echo "{\"full_id\": \"$id\"}" > "$CRITERION_HOME/$id/new/benchmark.json"
echo "{\"slope\": null, \"mean\": {\"point_estimate\": $time}}" > "$CRITERION_HOME/$id/new/estimates.json"
"#;

impl Repository {
    fn new() -> Repository {
        let folder = Folder::new();
        folder.write_program("bin/cargo", CARGO);
        folder.write_program("repository/scripts/bench-compare", fs::read(SCRIPT).unwrap());
        folder.write_program("repository/moves", BENCH);
        folder.write("repository/.gitignore", "/target\n");
        let repository = Repository(folder);
        repository.git(&["init", "--quiet"]);
        repository
    }

    fn commit(&self, files: &[(&str, &str)]) {
        self.change(files);
        self.git(&["add", "--all"]);
        self.git(&["commit", "--quiet", "--message", "A change"]);
    }

    fn change(&self, files: &[(&str, &str)]) {
        for (name, content) in files {
            self.0.write(&format!("repository/{name}"), content);
        }
    }

    /// Runs something in the repository, whatever hook of another one the tests run in.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.0.path("repository"));
        for variable in ["GIT_DIR", "GIT_INDEX_FILE", "GIT_WORK_TREE", "CARGO_TARGET_DIR"] {
            command.env_remove(variable);
        }
        command
    }

    fn git(&self, arguments: &[&str]) -> String {
        let identity = ["-c", "user.name=Nobody", "-c", "user.email=nobody@example.org"];
        let output = self.command("git").args(identity).args(arguments).output().unwrap();
        Ran::new(&[&["git"], arguments].concat(), output).exits(0).stdout
    }

    fn compare(&self, arguments: &[&str]) -> Ran {
        let mut command = self.command("scripts/bench-compare");
        let path = std::env::var("PATH").unwrap();
        command.env("PATH", format!("{}:{path}", self.0.path("bin")));
        command.env("LOG", self.0.path("log"));
        self.0.write("log", "");
        ran(command, arguments)
    }

    /// The sides that were run, in order.
    fn log(&self) -> Vec<String> {
        let first_word = |line: &str| line.split(' ').next().unwrap().to_owned();
        self.0.read("log").lines().map(first_word).collect()
    }
}

impl Folder {
    fn write_program(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::set_permissions(self.write(name, content), Permissions::from_mode(0o755)).unwrap();
    }
}

#[test]
fn commits_are_run_in_turn_and_the_best_rounds_count() {
    let repository = Repository::new();
    repository.commit(&[("name", "first"), ("time", "100"), ("id", "same")]);
    repository.commit(&[("name", "second"), ("time", "200")]);
    repository
        .compare(&["HEAD~1", "HEAD", "--rounds", "3", "--filter", "moves/s"])
        .exits(0)
        .says(&["building HEAD~1 (", "moves: round 3 of 3"])
        // Best of 101, 104 and 105, and of 202, 203 and 206.
        .prints(&["moves/same  101.0 ns  202.0 ns  2.000  5.0 %  slower\n", "mean 2.000\n"]);
    assert_eq!(repository.log(), ["first", "second", "second", "first", "first", "second"]);
    let arguments = "--bench --noplot --warm-up-time 0.5 --measurement-time 1.0 moves/s\n";
    assert!(repository.0.read("log").starts_with(&format!("first {arguments}")));

    // The worktrees are reused for other commits, and the working tree for what is in none.
    repository.change(&[("name", "third"), ("time", "150"), ("id", "other")]);
    repository
        .compare(&["HEAD", "--rounds", "1"])
        .exits(0)
        .prints(&["only before: moves/same\nonly after:  moves/other\n0 faster, "]);
    assert_eq!(repository.log(), ["second", "third"]);
    repository.commit(&[("id", "same")]);
    repository
        .compare(&["HEAD~1", "HEAD", "--rounds", "2", "--bench", "moves"])
        .exits(0)
        .prints(&["201.0 ns  152.0 ns  0.756", "1 faster"]);

    // What was measured last is there to be printed again.
    repository
        .compare(&["--results", "target/bench-compare/criterion"])
        .exits(0)
        .prints(&["201.0 ns  152.0 ns  0.756", "1 faster"]);
    assert!(repository.log().is_empty());
}

#[test]
fn commits_that_cannot_be_compared_are_named() {
    let repository = Repository::new();
    repository.commit(&[("name", "first"), ("time", "100"), ("id", "same")]);
    repository.compare(&["HEAD~1"]).exits(2).says(&["there is no revision \"HEAD~1\""]);
    repository.compare(&["--", "--all"]).exits(2).says(&["there is no revision \"--all\""]);
    repository.change(&[("broken", "")]);
    repository
        .compare(&["HEAD"])
        .exits(2)
        .says(&["error[E0425]: it is broken", "the working tree does not build"]);
    fs::remove_file(repository.0.path("repository/broken")).unwrap();
    repository.0.write_program("repository/moves", "#!/bin/sh\necho wrong answer\nexit 101\n");
    repository
        .compare(&["HEAD"])
        .exits(2)
        .says(&["the bench \"moves\" of the working tree failed:\nwrong answer\n"]);
    let which_python = ["-c", "import sys; print(sys.executable)"];
    let python = repository.command("python3").args(which_python).output().unwrap().stdout;
    let mut without_cargo = repository.command(String::from_utf8(python).unwrap().trim());
    without_cargo.env("PATH", "/nowhere").arg("scripts/bench-compare");
    ran(without_cargo, &["HEAD"]).exits(2).says(&["there is no program"]);
}
