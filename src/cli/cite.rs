//! `permutile cite`: how to cite the program.

use super::Common;
use super::exit::Exit;
use super::output::data;
use clap::Args;

/// Print how to cite this version of permutile: as a sentence and for BibTeX
#[derive(Args, Debug)]
#[command(after_help = "Examples:\n  permutile cite\n  permutile cite --bibtex >> references.bib")]
pub(super) struct Cite {
    /// Print the entry for BibTeX alone
    #[arg(long)]
    bibtex: bool,
}

const AUTHORS: &str = "The permutile developers";
const SUBTITLE: &str = "a fast, checked solver and a laboratory of heuristics for puzzles of \
                        numbered tiles on a grid";
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The day on which this version was released, as in CITATION.cff and CHANGELOG.md.
const YEAR: &str = "2026";
const MONTH: &str = "11";
const DAY: &str = "19";

pub(super) fn run(command: &Cite, common: &Common) -> anyhow::Result<Exit> {
    let sentence = format!(
        "{AUTHORS} ({YEAR}). permutile: {SUBTITLE} (version {VERSION}, {YEAR}-{MONTH}-{DAY}) \
         [computer software]."
    );
    let bibtex = format!(
        "@software{{permutile,\n  \
           author  = {{{{{AUTHORS}}}}},\n  \
           title   = {{{{permutile}}: {SUBTITLE}}},\n  \
           version = {{{VERSION}}},\n  \
           date    = {{{YEAR}-{MONTH}-{DAY}}},\n  \
           year    = {{{YEAR}}},\n  \
           month   = {{{MONTH}}},\n\
         }}"
    );
    match (common.json, command.bibtex) {
        (true, _) => data(serde_json::json!({
            "text": sentence, "bibtex": bibtex, "version": VERSION,
            "date": format!("{YEAR}-{MONTH}-{DAY}"),
        }))?,
        (false, true) => data(bibtex)?,
        (false, false) => data(format!("{sentence}\n\n{bibtex}"))?,
    }
    Ok(Exit::Success)
}
