//! The file of statistics that a well-known course asks of its students.

use super::output::{data_lines, is_standard_output};
use anyhow::Context;
use permutile::lab::record::Record;
use std::fs;
use std::path::Path;

/// Writes the file. `-` is standard output.
pub(super) fn write(path: &Path, record: &Record) -> anyhow::Result<()> {
    if is_standard_output(path) {
        return data_lines(text(record, peak_megabytes(record)).as_bytes());
    }
    fs::write(path, text(record, peak_megabytes(record)))
        .with_context(|| path.display().to_string())
}

fn text(record: &Record, megabytes: f64) -> String {
    let moves = record.moves.as_deref().unwrap_or_default();
    let quoted: Vec<String> = moves.iter().map(|name| format!("'{name}'")).collect();
    let length = moves.len();
    format!(
        "path_to_goal: [{}]\ncost_of_path: {length}\nnodes_expanded: {}\nsearch_depth: {length}\n\
         max_search_depth: {}\nrunning_time: {:.8}\nmax_ram_usage: {megabytes:.8}\n",
        quoted.join(", "),
        record.expanded,
        record.max_depth,
        record.seconds,
    )
}

/// The largest resident set of this process, where the system reports it; else what the search
/// accounts for.
fn peak_megabytes(record: &Record) -> f64 {
    let kilobytes = fs::read_to_string("/proc/self/status").ok().and_then(|status| {
        let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok()
    });
    kilobytes.map_or(record.peak_bytes as f64 / 1e6, |kilobytes| kilobytes / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_is_the_courses() {
        let record = Record {
            moves: Some(["Up", "Left", "Left"].map(String::from).to_vec()),
            expanded: 10,
            max_depth: 4,
            seconds: 0.001_887_5,
            ..Record::invalid(String::new(), String::new())
        };
        let expected = "path_to_goal: ['Up', 'Left', 'Left']\ncost_of_path: 3\nnodes_expanded: 10\n\
                        search_depth: 3\nmax_search_depth: 4\nrunning_time: 0.00188750\n\
                        max_ram_usage: 0.07812500\n";
        assert_eq!(text(&record, 0.078125), expected);
    }
}
