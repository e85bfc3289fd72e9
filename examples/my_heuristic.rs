//! A heuristic of your own, without touching permutile: define it, audit it, and compare it with
//! the built-in ones. Run it with `cargo run --release --example my_heuristic`.
#![expect(clippy::print_stdout, reason = "that is what an example is for")]

use permutile::heuristic::{Heuristic, NamedHeuristic, Promise, Scope};
use permutile::lab::audit::{AuditPlan, audit};
use permutile::lab::compare::{ComparePlan, compare};
use permutile::lab::{input::Source, solvers::Solvers};
use permutile::puzzle::{Depth, Frame, Goal, Puzzle, arch::Simd, registry};
use permutile::search::{HeuristicKind, Limits, SearchOptions};
use permutile::solver::Solver;
use std::sync::atomic::AtomicBool;

/// How many rows and columns hold a tile that belongs elsewhere, divided by the most of them that
/// one move touches, rounded up.
pub(crate) struct LinesOff {
    cols: usize,
    most: u32,
}

impl NamedHeuristic for LinesOff {
    const NAME: &'static str = "lines-off";
    const SUMMARY: &'static str = "rows and columns out of order, divided by what a move touches";
    const SCOPE: Scope = Scope::WithoutBlank;
    type Heuristic = Self;

    fn promise(_: &Frame) -> Option<Promise> {
        Some(Promise::CONSISTENT)
    }

    fn build(frame: &Frame) -> Self {
        let cols = frame.shape().cols();
        let moves = frame.moves().all().filter_map(|m| frame.moves().permutation(m));
        let most = moves.map(|m| lines(m.moved(), cols).count_ones()).max();
        LinesOff { cols, most: most.unwrap_or(1) }
    }
}

/// A bit for each row, and one for each column, that has one of these cells.
fn lines(cells: impl Iterator<Item = usize>, cols: usize) -> u64 {
    cells.fold(0, |lines, cell| lines | 1 << (cell / cols) | 1 << (32 + cell % cols))
}

impl<P: Puzzle> Heuristic<P> for LinesOff {
    type Value = u64;

    fn evaluate(&self, puzzle: &P, state: P::State) -> u64 {
        let cells = 0..puzzle.frame().shape().cells();
        lines(cells.filter(|&cell| usize::from(puzzle.label(state, cell)) != cell), self.cols)
    }

    fn estimate(&self, lines: u64) -> Depth {
        lines.count_ones().div_ceil(self.most)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let lines_off = HeuristicKind::of::<LinesOff>();
    let solver = Solver::new(registry::define("torus4")?, Goal::Default, Simd::detect())?;
    let plan = AuditPlan { states: 500_000, ..AuditPlan::new(lines_off.clone()) };
    let found = audit(&solver, &plan)?;
    println!("{} boards: admissible {}", found.states, found.admissible);

    let solvers = Solvers::new(None, Goal::Default, Simd::detect())?;
    let boards = Source::from_path("data/boards/torus4-scrambled.boards").read(None);
    let heuristics = vec!["zero".parse()?, lines_off, "circular-manhattan".parse()?];
    let limits = Limits { nodes: Some(100_000), ..Limits::default() };
    let options = SearchOptions { limits, ..SearchOptions::default() };
    let plan = ComparePlan { heuristics, options, ..ComparePlan::default() };
    let comparison = compare(boards, &solvers, &plan, &AtomicBool::new(false), &|_| ())?;
    let torus4 = &comparison.puzzles[0];
    for (contender, row) in torus4.contenders.iter().zip(&torus4.groups[0].rows) {
        let nodes = row.expanded.unwrap_or_default();
        println!("{}: {} solved, {nodes:.0} nodes each", contender.name(), row.solved);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    #[test]
    fn it_runs() {
        super::main().unwrap();
    }
}
