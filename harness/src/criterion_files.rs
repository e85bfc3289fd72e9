//! What criterion has written.

use permutile::lab::heuristic_table::{Change, Measured};
use serde_json::Value;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

/// The folder of criterion's files: where it would put them by itself, but for asking cargo.
pub(crate) fn home() -> PathBuf {
    if let Some(home) = env::var_os("CRITERION_HOME") {
        return home.into();
    }
    if let Some(target) = env::var_os("CARGO_TARGET_DIR") {
        return Path::new(&target).join("criterion");
    }
    // Cargo marks its folder for programs that make backups.
    let program = env::current_exe().unwrap_or_default();
    let is_target = |folder: &&Path| folder.join("CACHEDIR.TAG").is_file();
    let target = program.ancestors().filter(is_target).last();
    target.unwrap_or(Path::new("target")).join("criterion")
}

/// The saved measurement that the arguments compare with.
pub(crate) fn baseline() -> Option<String> {
    let arguments: Vec<String> = env::args().collect();
    ["--baseline", "-b", "--baseline-lenient"].iter().find_map(|option| {
        let at = |argument: &String| argument == option;
        let with_value =
            |argument: &String| Some(argument.strip_prefix(&format!("{option}="))?.into());
        let next = arguments.iter().position(at).and_then(|at| arguments.get(at + 1).cloned());
        next.or_else(|| arguments.iter().find_map(with_value))
    })
}

/// The newest measurements, by their ids.
pub(crate) fn measurements() -> BTreeMap<String, Measured> {
    let folders = |folder: &Path| {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        entries.map(|entry| entry.path()).collect::<Vec<_>>()
    };
    let of_groups = folders(&home()).into_iter().flat_map(|group| folders(&group));
    of_groups.filter_map(|folder| read(&folder)).collect()
}

fn read(folder: &Path) -> Option<(String, Measured)> {
    let json = |path: &str| -> Option<Value> {
        serde_json::from_slice(&fs::read(folder.join(path)).ok()?).ok()
    };
    let id = json("new/benchmark.json")?["full_id"].as_str()?.to_owned();
    let (ns, half) = median(&json("new/estimates.json")?)?;
    let change = baseline().and_then(|_| median(&json("change/estimates.json")?));
    let change = change.map(|(share, noise)| Change { share, noise });
    Some((id, Measured { seconds: ns / 1e9, noise: half / ns, change }))
}

/// The median, and half of its confidence interval.
fn median(estimates: &Value) -> Option<(f64, f64)> {
    let median = &estimates["median"];
    let bound = |name: &str| median["confidence_interval"][name].as_f64();
    Some((
        median["point_estimate"].as_f64()?,
        (bound("upper_bound")? - bound("lower_bound")?) / 2.0,
    ))
}
