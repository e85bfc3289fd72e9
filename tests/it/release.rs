//! What a release says of itself in several places is the same everywhere.

use crate::program::{Folder, permutile};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;

const VERSION: &str = env!("CARGO_PKG_VERSION");

fn file(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(name)).unwrap()
}

/// The value of a key at the beginning of a line.
fn value<'a>(text: &'a str, key: &str) -> &'a str {
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    line.unwrap_or_else(|| panic!("there is no {key}")).trim().trim_matches('"')
}

#[test]
fn citations_agree_with_the_version_and_with_each_other() {
    let cff = file("CITATION.cff");
    assert_eq!(value(&cff, "version:"), VERSION);
    assert_eq!(value(&cff, "cff-version:"), "1.2.0");
    let said = permutile(&["cite", "--json"]).exits(0).json_line();
    assert_eq!(said["version"], VERSION);
    assert_eq!(said["date"], value(&cff, "date-released:"));
    let (title, author) = (value(&cff, "title:"), value(&cff, "  - name:"));
    let text = said["text"].as_str().unwrap();
    assert!(text.contains(title) && text.contains(author) && text.contains(VERSION), "{text}");
    let bibtex = said["bibtex"].as_str().unwrap();
    assert!(bibtex.contains(&format!("author  = {{{{{author}}}}}")), "{bibtex}");
    assert_eq!(bibtex.matches('{').count(), bibtex.matches('}').count(), "{bibtex}");
    let plain = permutile(&["cite"]).exits(0).says_nothing().stdout;
    assert_eq!(plain, format!("{text}\n\n{bibtex}\n"));
    assert_eq!(permutile(&["cite", "--bibtex"]).exits(0).stdout, format!("{bibtex}\n"));
}

#[test]
fn the_version_is_the_same_everywhere() {
    for manifest in ["harness/Cargo.toml", "mpi/Cargo.toml"] {
        assert_eq!(value(&file(manifest), "version ="), VERSION, "{manifest}");
    }
    let date = file("CITATION.cff");
    let heading = format!("## {VERSION} ({})", value(&date, "date-released:"));
    let changelog = file("CHANGELOG.md");
    // What is new since then is collected under a heading of its own.
    let mut headings = changelog.lines().filter(|line| line.starts_with("## "));
    assert!(headings.by_ref().take(2).any(|line| line == heading), "there is no {heading:?}");
}

#[test]
fn every_command_has_a_manual_page_and_is_completed() {
    let folder = Folder::new();
    permutile(&["man", "--out", &folder.path("man")]).exits(0).says_nothing();
    let help = permutile(&["--help"]).exits(0).stdout;
    let commands = help.split("Commands:").nth(1).unwrap().split("\n\n").next().unwrap();
    // Descriptions go on in lines that are indented further.
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let commands: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
    assert!(commands.len() > 20 && commands.contains(&"records"), "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let completions = permutile(&["completions", shell]).exits(0).says_nothing().stdout;
        for command in &commands {
            assert!(completions.contains(command), "{shell}: {command}");
        }
    }
    for command in commands.iter().filter(|&&command| command != "help") {
        let page = folder.read(&format!("man/permutile-{command}.1"));
        assert!(page.contains(VERSION) && page.contains(".SH OPTIONS"), "{command}");
    }
}

/// What cargo knows of every package of Cargo.lock that is built for Linux.
fn packages() -> Vec<Value> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--locked", "--format-version", "1"])
        .args(["--filter-platform", "x86_64-unknown-linux-gnu"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

#[test]
fn no_dependency_wants_a_newer_compiler() {
    let number = |version: &str| {
        let mut parts = version.split('.').map(|part| part.parse::<u32>().unwrap());
        (parts.next().unwrap(), parts.next().unwrap_or(0))
    };
    let packages = packages();
    let version = |package: &Value| package["rust_version"].as_str().map(number);
    let own = packages.iter().find(|package| package["name"] == "permutile").and_then(version);
    assert!(packages.len() > 100 && own.is_some(), "the test has lost its subject");
    for package in &packages {
        assert!(version(package) <= own, "{} {}", package["name"], package["rust_version"]);
    }
}

#[test]
fn licences_are_those_of_the_policy() {
    let policy: toml::Table = file("deny.toml").parse().unwrap();
    let allowed: Vec<&str> =
        policy["licenses"]["allow"].as_array().unwrap().iter().filter_map(|l| l.as_str()).collect();
    // Either of "A OR B" (in older packages "A/B"), all of "A AND B"; brackets are around choices.
    let any = |choice: &str| {
        let choice = choice.trim_matches(['(', ')', ' ']).replace('/', " OR ");
        choice.split(" OR ").any(|licence| allowed.contains(&licence.trim()))
    };
    for package in packages() {
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(licence.split(" AND ").all(any), "{}: {licence}", package["name"]);
    }
}
