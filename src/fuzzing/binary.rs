//! Whatever is read as bytes: tables, and messages between the processes of a job.

use crate::cluster::hello::Introduction;
use crate::cluster::{batch, ida};
use crate::limits::{Limits, Silent};
use crate::puzzle::arch::Simd;
use crate::puzzle::{AnyPuzzle, Goal, Move, Puzzle, PuzzleVisitor, registry};
use crate::search::{Outcome, Path as Solution, Statistics, StopReason};
use crate::table::file::{Access, Description, Header, TableFile};
use crate::table::fingerprint::Fingerprint;
use crate::table::reach::{Reach, ReachSize};
use std::fmt::Debug;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;
use std::time::Duration;
use tempfile::TempDir;

/// A header with a description as in files, and its checksum.
pub(super) fn table_examples() -> Vec<Vec<u8>> {
    let description = "{\"puzzle\":\"torus4\",\"fingerprint\":\"fc3c5b1e9a4596ab\",\
         \"kind\":\"reach\",\"version\":2,\"parameters\":{\"radius\":9},\"entries\":64}";
    let mut header = b"permutab".to_vec();
    header.extend(1_u32.to_le_bytes());
    header.extend((description.len() as u32).to_le_bytes());
    header.extend(64_u64.to_le_bytes());
    header.extend([0; 16]);
    header.extend(description.bytes());
    header.resize(4096, 0);
    Header::seal(&mut header);
    vec![header]
}

/// Headers of tables: as they are, and with a checksum that fits, so that what it protects is read.
pub(super) fn tables(bytes: &[u8]) {
    header(bytes);
    let mut sealed = bytes.to_vec();
    sealed.resize(4096, 0);
    Header::seal(&mut sealed);
    header(&sealed);
}

fn header(bytes: &[u8]) {
    // The file is as long as the header says, or has no entries.
    let stated = bytes.get(16..24).and_then(|bytes| bytes.try_into().ok()).map(u64::from_le_bytes);
    let whole = (bytes.len() as u64).saturating_add(stated.unwrap_or(0));
    for found in [bytes.len() as u64, whole] {
        match Header::read(bytes, found) {
            Ok(Header { description, entries, .. }) => {
                assert!(entries.start <= entries.end && entries.end as u64 == found);
                assert!(!description.fingerprint.to_string().is_empty());
            }
            Err(fault) => assert!(!fault.to_string().is_empty()),
        }
    }
}

/// A small table of a puzzle, as it is in its file.
struct SmallTable {
    puzzle: AnyPuzzle,
    fingerprint: Fingerprint,
    file: Vec<u8>,
}

static SMALL_TABLE: LazyLock<SmallTable> = LazyLock::new(|| {
    let definition = registry::define("torus4").expect("the id of a puzzle");
    let puzzle = AnyPuzzle::new(definition, Goal::Default, Simd::detect()).expect("the usual goal");
    let fingerprint = Fingerprint::new(puzzle.frame());
    let file = puzzle.visit(WriteTable(fingerprint));
    SmallTable { puzzle, fingerprint, file }
});

struct WriteTable(Fingerprint);

impl PuzzleVisitor for WriteTable {
    type Output = Vec<u8>;

    fn visit<P: Puzzle>(self, puzzle: &P) -> Vec<u8> {
        let size = ReachSize { bytes: 4_000, work: u64::MAX };
        let built = Reach::build(puzzle, size, &Limits::default(), &mut Silent);
        let reach = built.expect("there is no limit").table();
        let description = Description::new(&reach, puzzle.frame().id(), self.0);
        with_file(&[], |path| {
            TableFile::write(path, &reach, &description).expect("a file can be written");
            fs::read(path).expect("it is there")
        })
    }
}

/// Does something with a file that has these bytes; each thread has one, again and again.
fn with_file<T>(bytes: &[u8], use_it: impl FnOnce(&Path) -> T) -> T {
    thread_local! {
        static FOLDER: TempDir = tempfile::tempdir().expect("there is room for files");
    }
    FOLDER.with(|folder| {
        let path = folder.path().join("fuzz.table");
        fs::write(&path, bytes).expect("a file can be written");
        use_it(&path)
    })
}

pub(super) fn entry_examples() -> Vec<Vec<u8>> {
    vec![SMALL_TABLE.file.clone()]
}

/// Files of tables: what is taken for sound is what was written, byte for byte. What only has the right
/// checksums is read without a panic, or refused.
pub(super) fn entries(bytes: &[u8]) {
    let SmallTable { puzzle, fingerprint, file } = &*SMALL_TABLE;
    puzzle.visit(ReadTable { bytes, fingerprint: *fingerprint, sound: Some(file) });
    let mut sealed = bytes.to_vec();
    Header::seal_with_entries(&mut sealed);
    puzzle.visit(ReadTable { bytes: &sealed, fingerprint: *fingerprint, sound: None });
}

struct ReadTable<'a> {
    bytes: &'a [u8],
    fingerprint: Fingerprint,
    /// What the bytes have to be if they are taken for a table.
    sound: Option<&'a [u8]>,
}

impl PuzzleVisitor for ReadTable<'_> {
    type Output = ();

    fn visit<P: Puzzle>(self, puzzle: &P) {
        with_file(self.bytes, |path| {
            let file = TableFile::open_checked::<Reach<P>>(path, self.fingerprint, Access::Read);
            match file.and_then(|file| Reach::from_file(puzzle, &file)) {
                Ok(reach) => {
                    assert!(self.sound.is_none_or(|sound| sound == self.bytes));
                    let goal = puzzle.key(puzzle.goal());
                    (0..=reach.radius()).for_each(|moves| _ = reach.may_be_at(goal, moves));
                }
                Err(error) => assert!(!error.to_string().is_empty()),
            }
        });
    }
}

pub(super) fn message_examples() -> Vec<Vec<u8>> {
    use batch::messages::{Finished, Job};
    use ida::messages::{Key, RangeResult};
    let job = Job { id: 7, name: "a".to_owned(), board: "1 0 2 3".to_owned() };
    let report = batch::messages::Report {
        finished: vec![Finished { id: 3, line: b"{}\n".to_vec() }],
        given_back: vec![8, 9],
        failure: Some("it burns".to_owned()),
        ..Default::default()
    };
    let key = Key { board: 3, search: 1 };
    let moves = vec![Move(1), Move(0)];
    let outcome = Outcome {
        solution: Some(Solution { moves: moves.clone(), optimal: true }),
        lower_bound: 2,
        stop: Some(StopReason::Nodes),
        statistics: Statistics { expanded: 5, generated: 6, ..Statistics::default() },
    };
    let result = RangeResult { range: 3..9, found: Some((4, moves.clone())), ..Default::default() };
    let busy = Duration::from_micros(77);
    let introduction =
        Introduction { version: "1.0".to_owned(), plan: Ok("batch".to_owned()), threads: 2 };
    vec![
        batch::messages::Order::Solve(vec![job]).encode(),
        batch::messages::Order::GiveBack(5).encode(),
        report.encode(),
        ida::messages::Order::Board { number: 1, board: "1 0".to_owned(), at_least: 4 }.encode(),
        ida::messages::Order::Packets { key, bound: 7, ranges: vec![3..9, 9..10] }.encode(),
        ida::messages::Order::Cut { key, bound: 7, packet: 4 }.encode(),
        ida::messages::Order::Relieve {
            key,
            bound: 7,
            given: vec![3..6, 7..9],
            done: vec![1..2, 2..3],
        }
        .encode(),
        ida::messages::Order::Over { key, outcome }.encode(),
        ida::messages::Report::Join { key, fingerprint: 9 }.encode(),
        ida::messages::Report::Results { key, bound: 7, results: vec![result], busy, expanded: 8 }
            .encode(),
        ida::messages::Report::Best {
            number: 1,
            moves,
            improvements: vec![(busy, 9)],
            expanded: 1,
        }
        .encode(),
        ida::messages::Report::Failed { reason: "no".to_owned() }.encode(),
        introduction.encode(),
    ]
}

/// Messages: what is understood is understood in the same way when it is sent on.
pub(super) fn messages(bytes: &[u8]) {
    is_sent_on(bytes, batch::messages::Order::decode, batch::messages::Order::encode);
    is_sent_on(bytes, batch::messages::Report::decode, batch::messages::Report::encode);
    is_sent_on(bytes, ida::messages::Order::decode, ida::messages::Order::encode);
    is_sent_on(bytes, ida::messages::Report::decode, ida::messages::Report::encode);
    is_sent_on(bytes, Introduction::decode, Introduction::encode);
}

fn is_sent_on<M: PartialEq + Debug, E: PartialEq + Debug>(
    bytes: &[u8],
    decode: impl Fn(&[u8]) -> Result<M, E>,
    encode: impl Fn(&M) -> Vec<u8>,
) {
    if let Ok(message) = decode(bytes) {
        assert_eq!(decode(&encode(&message)), Ok(message));
    }
}
