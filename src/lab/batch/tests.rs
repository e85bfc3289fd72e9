use super::*;
use crate::lab::journal;
use crate::lab::record::Status;
use crate::puzzle::Goal;
use crate::puzzle::arch::Simd;
use crate::search::StopReason;
use std::io::{self, Write};
use std::time::Duration;

/// A board that takes much longer than a test.
const HARD: &str = "11 3 9 5 21 24 2 1 14 15 13 17 20 25 8 12 18 16 22 10 6 4 7 19 23";

fn solvers() -> Solvers {
    Solvers::new(None, Goal::Default, Simd::detect()).unwrap()
}

fn ida() -> SearchOptions<'static> {
    SearchOptions { algorithm: "ida".parse().unwrap(), ..SearchOptions::default() }
}

fn until(cancelled: &AtomicBool) -> SearchOptions<'_> {
    SearchOptions { limits: Limits { cancelled: Some(cancelled), ..Limits::default() }, ..ida() }
}

/// Memory that is looked at while it is written to.
#[derive(Default)]
struct Memory(Mutex<Vec<u8>>);

impl Memory {
    fn lines(&self) -> usize {
        lock(&self.0).iter().filter(|&&byte| byte == b'\n').count()
    }

    fn output(&self) -> RecordOutput<'_> {
        RecordOutput::Writer { name: "memory".to_owned(), writer: Box::new(self) }
    }
}

impl Write for &Memory {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends a run once so many lines are written and a board is being solved.
struct StopAfter<'a> {
    lines: usize,
    memory: &'a Memory,
    cancelled: &'a AtomicBool,
    last: Option<BatchProgress>,
}

impl BatchObserver for StopAfter<'_> {
    fn first_report(&self) -> Duration {
        Duration::ZERO
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn progress(&mut self, progress: &BatchProgress) {
        let hard = progress.longest.as_ref().is_some_and(|board| board.name.ends_with(":hard"));
        if hard && self.memory.lines() == self.lines && self.last.is_none() {
            self.last = Some(progress.clone());
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }
}

/// Records that were kept back are written, and progress is reported, while the only worker is at a
/// hard board. Were they not, this would not end.
#[test]
fn a_hard_board_holds_up_neither_records_nor_reports() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.boards");
    std::fs::write(&path, format!("{}hard: {HARD}\n", "1 0 2 3\n".repeat(50))).unwrap();
    for ordered in [false, true] {
        let (memory, cancelled) = (Memory::default(), AtomicBool::new(false));
        let mut observer =
            StopAfter { lines: 50, memory: &memory, cancelled: &cancelled, last: None };
        let (sources, options, solvers) =
            ([Source::Path(path.clone())], until(&cancelled), solvers());
        let batch = Batch { ordered, ..Batch::new(&sources, &options, &solvers, memory.output()) };
        let summary = batch.run(Some(&mut observer)).unwrap();
        let statuses: Vec<(Status, usize)> = summary.statuses.into_iter().collect();
        assert_eq!(statuses, [(Status::Solved, 50), (StopReason::Cancelled.into(), 1)]);
        assert_eq!(memory.lines(), 51);
        let BatchProgress { boards, earlier, finished, solved, .. } = observer.last.unwrap();
        assert_eq!((boards, earlier, finished, solved), (51, 0, 50, 50));
    }
}

/// A run that is cut off has not come to all boards that the journal has records of.
#[test]
fn a_run_in_order_that_is_cut_off_loses_no_earlier_record() {
    let folder = tempfile::tempdir().unwrap();
    let [input, path] = ["in.boards", "journal"].map(|name| folder.path().join(name));
    let (sources, options, solvers) = ([Source::Path(input.clone())], ida(), solvers());
    let records = |existing| RecordOutput::Journal { path: path.clone(), existing };
    let easy = "a: 1 0 2 3\nb: 1 0 2 3\n";
    std::fs::write(&input, easy).unwrap();
    Batch::new(&sources, &options, &solvers, records(Existing::Refuse)).run(None).unwrap();
    std::fs::write(&input, format!("hard: {HARD}\n{easy}")).unwrap();
    let (memory, cancelled) = (Memory::default(), AtomicBool::new(false));
    let mut observer = StopAfter { lines: 0, memory: &memory, cancelled: &cancelled, last: None };
    let options = until(&cancelled);
    let batch = Batch {
        ordered: true,
        ..Batch::new(&sources, &options, &solvers, records(Existing::Resume))
    };
    batch.run(Some(&mut observer)).unwrap();
    let names = journal::read(&path).unwrap().into_iter().map(|record| record.board);
    let ends: Vec<String> = names.map(|name| name.rsplit(':').next().unwrap().into()).collect();
    assert_eq!(ends, ["hard", "a", "b"]);
}

/// What waits for its turn is written all the same: whoever kills this run now loses nothing.
#[test]
fn records_in_order_do_not_wait_for_a_hard_board_before_them() {
    let folder = tempfile::tempdir().unwrap();
    let [input, path] = ["in.boards", "journal"].map(|name| folder.path().join(name));
    std::fs::write(&input, format!("hard: {HARD}\na: 1 0 2 3\nb: 1 0 2 3\n")).unwrap();
    let cancelled = AtomicBool::new(false);
    let mut observer = StopWhenWritten { path: &path, cancelled: &cancelled };
    let (sources, options, solvers) = ([Source::Path(input)], until(&cancelled), solvers());
    let records = RecordOutput::Journal { path: path.clone(), existing: Existing::Refuse };
    let batch =
        Batch { ordered: true, workers: 2, ..Batch::new(&sources, &options, &solvers, records) };
    batch.run(Some(&mut observer)).unwrap();
    let names = journal::read(&path).unwrap().into_iter().map(|record| record.board);
    let ends: Vec<String> = names.map(|name| name.rsplit(':').next().unwrap().into()).collect();
    assert_eq!(ends, ["hard", "a", "b"], "at the end they are in order");
}

/// Ends a run once two records are in the journal; without them, it never does.
struct StopWhenWritten<'a> {
    path: &'a Path,
    cancelled: &'a AtomicBool,
}

impl BatchObserver for StopWhenWritten<'_> {
    fn first_report(&self) -> Duration {
        Duration::ZERO
    }

    fn interval(&self) -> Duration {
        Duration::from_millis(1)
    }

    fn progress(&mut self, _: &BatchProgress) {
        if journal::read(self.path).is_ok_and(|records| records.len() == 2) {
            self.cancelled.store(true, Ordering::Relaxed);
        }
    }
}

struct NoRoom;

impl Write for NoRoom {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::StorageFull.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn without_room_for_records_a_run_gives_up_what_is_being_solved() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.boards");
    std::fs::write(&path, format!("1 0 2 3\n{HARD}\n")).unwrap();
    for workers in [1, 2] {
        let (sources, options, solvers) = ([Source::Path(path.clone())], ida(), solvers());
        let records = RecordOutput::Writer { name: "full".to_owned(), writer: Box::new(NoRoom) };
        let batch = Batch { workers, ..Batch::new(&sources, &options, &solvers, records) };
        match batch.run(None) {
            Err(BatchError::Output(OutputError::Writer { name, error })) => {
                assert_eq!((&*name, error.kind()), ("full", io::ErrorKind::StorageFull));
            }
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn a_record_is_an_answer_to_the_same_question_only() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("journal");
    let (sources, solvers) = ([Source::Inline("1 0 2 3".to_owned())], solvers());
    let run = |options: &SearchOptions<'_>, existing| {
        let records = RecordOutput::Journal { path: path.clone(), existing };
        Batch::new(&sources, options, &solvers, records).run(None)
    };
    let summary = run(&ida(), Existing::Refuse).unwrap();
    assert_eq!(summary.boards, 1);
    let refused = run(&ida(), Existing::Refuse).unwrap_err();
    assert!(matches!(
        refused,
        BatchError::Output(OutputError::Journal(journal::JournalError::Exists(_)))
    ));
    let summary = run(&ida(), Existing::Resume).unwrap();
    assert_eq!((summary.boards, summary.run.unwrap().boards_per_second), (1, 0.0));
    assert_eq!(summary.repeated.other_question, 0);
    let summary = run(&SearchOptions::default(), Existing::Resume).unwrap();
    assert_eq!((summary.boards, summary.repeated.other_question), (1, 1));
    assert!(summary.repeated.earlier_plan.unwrap().ends_with(", ida"));
    let lines = std::fs::read_to_string(&path).unwrap();
    assert!(lines.lines().count() == 1 && lines.contains(", auto\""), "{lines}");
}
