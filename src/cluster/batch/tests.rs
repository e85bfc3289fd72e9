//! Real batches by several ranks of threads in one process.

use super::{Dispatcher, assist, dismiss};
use crate::cluster::channels::Channels;
use crate::cluster::hello::Team;
use crate::cluster::post::Post;
use crate::lab::batch::{Batch, BatchError, Delegate, Existing, RecordOutput};
use crate::lab::input::Source;
use crate::lab::journal;
use crate::lab::record::Record;
use crate::lab::solvers::Solvers;
use crate::lab::summary::Summary;
use crate::puzzle::Goal;
use crate::puzzle::arch::Simd;
use crate::search::SearchOptions;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

/// What happens to the last rank.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LastRank {
    Works,
    /// It dies before it does anything.
    Dies,
}

/// Solves boards by some ranks of two threads.
fn run(
    boards: &Path,
    journal: &Path,
    ranks: usize,
    ordered: bool,
    last: LastRank,
) -> Result<Summary, BatchError> {
    let team = &Team { threads: vec![2; ranks] };
    let solvers = || Solvers::new(None, Goal::Default, Simd::detect()).unwrap();
    thread::scope(|scope| {
        let mut ends = Channels::connect(ranks).into_iter();
        let first = ends.next().unwrap();
        for (end, rank) in ends.zip(1..) {
            scope.spawn(move || {
                if rank + 1 == ranks && last == LastRank::Dies {
                    return;
                }
                let options = SearchOptions::default();
                let helped = Post::serve(end, |post| assist(post, team, &solvers(), &options));
                assert_eq!(helped.is_err(), last == LastRank::Dies);
            });
        }
        Post::serve(first, |post| {
            let mut dispatcher = Dispatcher::new(post, team);
            let delegate: Option<&mut dyn Delegate> =
                if ranks > 1 { Some(&mut dispatcher) } else { None };
            let (path, existing) = (journal.to_path_buf(), Existing::Resume);
            let records = RecordOutput::Journal { path, existing };
            let (sources, solvers) = ([Source::Path(boards.into())], solvers());
            let options = SearchOptions::default();
            let batch = Batch::new(&sources, &options, &solvers, records);
            let ended = Batch { workers: 2, ordered, ..batch }.run_with(None, delegate);
            dismiss(post);
            ended
        })
    })
}

/// A folder with boards of all kinds: easy, hard, and none at all.
fn folder() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let boards = folder.path().join("boards");
    fs::create_dir(&boards).unwrap();
    let mut lines = String::new();
    for i in 0..400 {
        let tiles = ["3 1 2 0 4 5 6 7 8", "8 6 7 2 5 4 3 0 1", "1 2 3 4 5 6 7 0 8"][i % 3];
        lines += &format!("b{i}: {tiles}\n");
    }
    fs::write(boards.join("many.boards"), lines).unwrap();
    fs::write(boards.join("unsolvable.txt"), "1 2 3\n4 5 6\n8 7 0\n").unwrap();
    fs::write(boards.join("wrong.txt"), "1 2 2\n4 5 6\n8 7 0\n").unwrap();
    fs::write(boards.join("torus.txt"), "2 1 3 4\n5 6 7 8\n9 10 11 12\n13 14 16 15\n").unwrap();
    (folder, boards)
}

/// The records of a journal, without what depends on the load.
fn records(path: &Path) -> Vec<Record> {
    let plain = |record| Record { seconds: 0.0, peak_bytes: 0, ..record };
    journal::read(path).unwrap().into_iter().map(plain).collect()
}

#[test]
fn ranks_write_what_one_process_writes() {
    let (folder, boards) = folder();
    let path = |name: &str| folder.path().join(name);
    let alone = run(&boards, &path("alone"), 1, true, LastRank::Works).unwrap();
    for ranks in [2, 4] {
        let journal = path(&ranks.to_string());
        let together = run(&boards, &journal, ranks, true, LastRank::Works).unwrap();
        assert_eq!((together.boards, &together.statuses), (alone.boards, &alone.statuses));
        assert_eq!(records(&journal), records(&path("alone")));
    }
}

#[test]
fn a_run_that_has_lost_a_rank_is_resumed() {
    let (folder, boards) = folder();
    let journal = folder.path().join("journal");
    let lost = run(&boards, &journal, 3, false, LastRank::Dies).unwrap_err();
    assert_eq!(lost.to_string(), "rank 2 is gone before the end of the job");
    let before = records(&journal).len();
    let resumed = run(&boards, &journal, 3, false, LastRank::Works).unwrap();
    assert!(before < 403);
    assert_eq!(resumed.boards, 403);
    let mut names: Vec<String> = records(&journal).into_iter().map(|r| r.board).collect();
    names.sort();
    names.dedup();
    assert_eq!((names.len(), records(&journal).len()), (403, 403));
    // Once more: nothing is left to do.
    let again = run(&boards, &journal, 2, false, LastRank::Works).unwrap();
    assert_eq!(again.boards, 403);
    assert_eq!(records(&journal).len(), 403);
}
