//! Runs the program and looks at what it says. It is run in the crate's own folder, so that
//! `data/…` is what it is for a reader of the README, and always with a cache and statistics of its
//! own, so that tables of other runs change nothing, and the user's files stay as they are.

use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_permutile");

/// The variable that names the folder of tables.
pub(crate) const CACHE: &str = "PERMUTILE_CACHE";

/// The variable that names the folder of statistics.
pub(crate) const DATA: &str = "PERMUTILE_DATA";

/// What a run printed, and how it ended.
pub(crate) struct Ran {
    what: String,
    code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// Runs `permutile` with nothing on its standard input.
pub(crate) fn permutile(arguments: &[&str]) -> Ran {
    permutile_reading("", arguments)
}

/// Runs `permutile` with something on its standard input.
pub(crate) fn permutile_reading(input: impl Into<Vec<u8>>, arguments: &[&str]) -> Ran {
    let folder = Folder::new();
    permutile_with_cache(&folder.path("cache"), input, arguments)
}

/// Runs `permutile` with a folder of tables.
pub(crate) fn permutile_with_cache(
    cache: &str,
    input: impl Into<Vec<u8>>,
    arguments: &[&str],
) -> Ran {
    let output = assert_cmd::Command::from_std(program(cache))
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .write_stdin(input)
        .output()
        .unwrap();
    Ran::new(arguments, output)
}

/// The program with a folder of tables, for tests that run it in their own way.
pub(crate) fn program(cache: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.env(CACHE, cache).env(DATA, Path::new(cache).with_file_name("data"));
    command
}

/// What has `auto` prove its lengths, as other algorithms do anyway.
pub(crate) fn proving(algorithm: &str) -> &'static [&'static str] {
    if algorithm == "auto" { &["--exact"] } else { &[] }
}

/// The records of `solve --json` and the same run's other output.
pub(crate) fn solve_json(arguments: &[&str]) -> Ran {
    permutile(&[&["solve", "--json"], arguments].concat())
}

impl Ran {
    pub(crate) fn new(arguments: &[&str], output: Output) -> Ran {
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is UTF-8");
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        Ran { what: format!("permutile {arguments:?}"), code: output.status.code(), stdout, stderr }
    }

    /// It ended with this code, and in any case neither panicked nor coloured its output.
    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Ran {
        assert_eq!(self.code, Some(code), "{self}");
        assert!(!self.stderr.contains("panicked"), "{self}");
        assert!(!self.stdout.contains('\x1b') && !self.stderr.contains('\x1b'), "{self}");
        self
    }

    /// Standard output has all of these.
    #[track_caller]
    pub(crate) fn prints(self, words: &[&str]) -> Ran {
        for word in words {
            assert!(self.stdout.contains(word), "expected {word:?} from {self}");
        }
        self
    }

    /// Standard error has all of these.
    #[track_caller]
    pub(crate) fn says(self, words: &[&str]) -> Ran {
        for word in words {
            assert!(self.stderr.contains(word), "expected {word:?} from {self}");
        }
        self
    }

    /// Standard error is empty.
    #[track_caller]
    pub(crate) fn says_nothing(self) -> Ran {
        assert_eq!(self.stderr, "", "{self}");
        self
    }

    /// Standard output is empty.
    #[track_caller]
    pub(crate) fn prints_nothing(self) -> Ran {
        assert_eq!(self.stdout, "", "{self}");
        self
    }

    /// The lines of standard output, each of them JSON.
    #[track_caller]
    pub(crate) fn json(&self) -> Vec<Value> {
        let parse =
            |line| serde_json::from_str(line).unwrap_or_else(|error| panic!("{error} in {self}"));
        self.stdout.lines().map(parse).collect()
    }

    /// The one line of standard output, which is JSON.
    #[track_caller]
    pub(crate) fn json_line(&self) -> Value {
        let mut lines = self.json();
        assert_eq!(lines.len(), 1, "{self}");
        lines.remove(0)
    }

    /// One field of each JSON line; absent ones are null.
    #[track_caller]
    pub(crate) fn column(&self, field: &str) -> Vec<Value> {
        self.json().iter().map(|line| line[field].clone()).collect()
    }
}

impl std::fmt::Display for Ran {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Ran { what, code, stdout, stderr } = self;
        write!(f, "{what}, which exits {code:?}\n{stdout}--- standard error\n{stderr}")
    }
}

/// A folder for one test.
pub(crate) struct Folder(TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    /// A folder with one file, and the path of that file.
    pub(crate) fn with(name: &str, content: impl AsRef<[u8]>) -> (Folder, String) {
        let folder = Folder::new();
        let path = folder.write(name, content);
        (folder, path)
    }

    /// The path of something in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().unwrap().to_owned()
    }

    /// Writes a file, in sub-folders if need be, and tells its path.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        let path = self.path(name);
        fs::create_dir_all(Path::new(&path).parent().unwrap()).unwrap();
        fs::write(&path, content).unwrap();
        path
    }

    /// The text of a file.
    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap()
    }
}
