//! Dependencies between the layers of the source point downwards only.

use std::fs;
use std::path::{Path, PathBuf};

/// The layers, lowest first. A layer may use itself and the ones before it.
const LAYERS: &[&str] = &[
    "failpoint",
    "format",
    "limits",
    "hash",
    "once_list",
    "sync",
    "parallel",
    "toml_text",
    "board",
    "puzzle",
    "table",
    "heuristic",
    "search",
    "solver",
    "lab",
    "cluster",
    "play",
    "web",
    "cli",
    "fuzzing",
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

fn layer_of(relative: &Path) -> Option<usize> {
    let first = relative.components().next()?.as_os_str().to_str()?;
    LAYERS.iter().position(|layer| *layer == first.trim_end_matches(".rs"))
}

#[test]
fn no_layer_uses_a_higher_one() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    let mut checked = 0;
    for file in files {
        let relative = file.strip_prefix(&root).unwrap();
        let Some(own) = layer_of(relative) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        for (number, line) in text.lines().enumerate() {
            assert!(!line.contains("crate::{"), "{}: one `use` per layer", relative.display());
            for (at, _) in line.match_indices("crate::") {
                // `crate::name` at a word's start; `permutile::` paths are for outsiders.
                let rest = &line[at + "crate::".len()..];
                let name: String =
                    rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
                let Some(used) = LAYERS.iter().position(|layer| *layer == name) else { continue };
                checked += 1;
                assert!(
                    used <= own,
                    "{}:{}: {} must not use {}, which is above it",
                    relative.display(),
                    number + 1,
                    LAYERS[own],
                    LAYERS[used]
                );
            }
        }
    }
    assert!(checked > 50, "the test has lost its subject");
}

/// The files below the laboratory that may touch files, or ask the environment about them or
/// about the processor.
const TOUCH_FILES: &[&str] =
    &["failpoint.rs", "puzzle/arch/mod.rs", "table/cache.rs", "table/file.rs", "table/storage.rs"];

#[test]
fn only_the_program_prints_and_only_files_made_for_it_touch_files() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    for file in files {
        let relative = file.strip_prefix(&root).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let lab = LAYERS.iter().position(|layer| *layer == "lab");
        let below_the_lab = layer_of(relative).is_some_and(|layer| Some(layer) < lab);
        if below_the_lab {
            let touches_files = TOUCH_FILES.iter().any(|file| relative == Path::new(file));
            let of_files: &[&str] = &["std::env", "std::fs", "File::"];
            let of_files = if touches_files { &[] } else { of_files };
            for forbidden in ["println!", "eprintln!"].iter().chain(of_files) {
                // `TableFile::` is another matter.
                let word = |(at, _): (usize, &str)| !text[..at].ends_with(char::is_alphanumeric);
                let used = text.match_indices(forbidden).any(word);
                assert!(!used, "{} uses {forbidden}", relative.display());
            }
        }
    }
}

#[test]
fn unsafe_code_is_where_the_architecture_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let architecture = fs::read_to_string(root.join("ARCHITECTURE.md")).unwrap();
    let section = architecture.split("## Unsafe code\n").nth(1).expect("there is such a section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut listed: Vec<&str> = rows.filter_map(|row| row.split('`').next()).collect();
    let mut files = Vec::new();
    for folder in ["src", "mpi/src", "harness/src", "fuzz/fuzz_targets", "examples", "benches"] {
        sources(&root.join(folder), &mut files);
    }
    let is_unsafe = |file: &PathBuf| {
        let text = fs::read_to_string(file).unwrap();
        let words = ["unsafe {", "unsafe fn", "unsafe impl", "unsafe trait", "unsafe extern"];
        words.iter().any(|word| text.contains(word))
    };
    let found = files.into_iter().filter(is_unsafe);
    let name =
        |file: PathBuf| file.strip_prefix(root).unwrap().to_str().unwrap().replace('\\', "/");
    let mut found: Vec<String> = found.map(name).collect();
    found.sort();
    listed.sort_unstable();
    assert_eq!(found, listed);
}
