//! Statistics and personal bests, kept in the user's data folder.
//!
//! The file is read, changed and replaced as a whole under a lock, so that games that are played at
//! the same time lose nothing of each other's. One that a newer version wrote is left alone; one
//! that cannot be read is set aside under another name, and that is told.

use super::deal::DealKind;
use crate::failpoint::Failpoint;
use etcetera::BaseStrategy;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The environment variable that names the folder.
pub const VARIABLE: &str = "PERMUTILE_DATA";

/// The version of the file.
const VERSION: u64 = 1;

/// How long the lock is waited for; it is held for milliseconds.
const PATIENCE: Duration = Duration::from_secs(2);

/// The pause between two attempts to get it.
const PAUSE: Duration = Duration::from_millis(10);

/// Which games are compared with each other: those of one puzzle, goal and kind of deal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Discipline(String);

impl Discipline {
    /// Of a puzzle, a goal and a kind of deal.
    pub fn new(puzzle: &str, goal: &str, kind: DealKind) -> Discipline {
        Discipline(format!("{puzzle} {goal} {kind}"))
    }

    /// As it is written in the file.
    pub fn name(&self) -> &str {
        &self.0
    }
}

/// What is known of all games of a discipline.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Figures {
    /// Games in which a move was made.
    pub started: u64,
    /// Games that were solved without help.
    pub solved: u64,
    /// Games that were solved after a hint, or by the solver.
    pub solved_with_help: u64,
    /// Moves made in all games.
    pub moves: u64,
    /// Time on the clock in all games.
    pub seconds: f64,
    /// The game with the fewest moves, without help.
    pub fewest_moves: Option<Finish>,
    /// The quickest game, without help.
    pub quickest: Option<Finish>,
}

/// A game that was solved.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finish {
    /// How many moves it took.
    pub moves: u64,
    /// And how long.
    pub seconds: f64,
    /// The seed of its board.
    pub seed: u64,
    /// The day, as in 20240229.
    pub date: u64,
}

/// What a game adds to the figures since it was last written down.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Played {
    /// Whether its first move was made.
    pub started: bool,
    /// Moves made.
    pub moves: u64,
    /// Time on the clock.
    pub seconds: f64,
    /// How it ended, if it was solved.
    pub finish: Option<Finish>,
    /// Whether the player was helped.
    pub helped: bool,
}

/// Which records a game has broken.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NewBests {
    /// The fewest moves so far.
    pub moves: bool,
    /// The shortest time so far.
    pub time: bool,
}

impl Figures {
    /// Adds what was played; which of the bests are new.
    pub fn add(&mut self, played: &Played) -> NewBests {
        self.started += u64::from(played.started);
        self.moves += played.moves;
        self.seconds += played.seconds;
        let mut new = NewBests::default();
        match &played.finish {
            None => {}
            Some(_) if played.helped => self.solved_with_help += 1,
            Some(finish) => {
                self.solved += 1;
                let fewer = |best: &Finish| finish.moves < best.moves;
                let quicker = |best: &Finish| finish.seconds < best.seconds;
                new.moves = self.fewest_moves.as_ref().is_none_or(fewer);
                new.time = self.quickest.as_ref().is_none_or(quicker);
                if new.moves {
                    self.fewest_moves = Some(finish.clone());
                }
                if new.time {
                    self.quickest = Some(finish.clone());
                }
            }
        }
        new
    }
}

/// The file as it is written.
#[derive(Debug, Serialize, Deserialize)]
struct Pages {
    version: u64,
    games: BTreeMap<String, Figures>,
}

impl Default for Pages {
    fn default() -> Pages {
        Pages { version: VERSION, games: BTreeMap::new() }
    }
}

/// Why the statistics cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// A newer version of the program wrote it.
    #[error(
        "{}: statistics of version {version}, which a newer permutile has written: they are left as \
         they are, and this game is not counted",
        .path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u64,
    },
    /// The file cannot be read or written.
    #[error("{}: statistics are not kept: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
}

/// A file that could not be understood, and where it is now.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "{}: these are no statistics ({why}); the file is kept as {}, and a new one begun",
    .path.display(),
    .kept_as.display()
)]
pub struct SetAside {
    /// Where it was.
    pub path: PathBuf,
    /// Where it is.
    pub kept_as: PathBuf,
    /// What is wrong with it.
    pub why: String,
}

/// The file of statistics.
#[derive(Clone, Debug)]
pub struct Book {
    folder: PathBuf,
}

/// What came of writing something down.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// The figures of the discipline now.
    pub figures: Figures,
    /// Which bests are new.
    pub new: NewBests,
    /// The file that was in the way, if it could not be understood.
    pub set_aside: Option<SetAside>,
}

impl Book {
    /// In this folder, which is created when it is first needed.
    pub fn new(folder: impl Into<PathBuf>) -> Book {
        Book { folder: folder.into() }
    }

    /// In the folder that [`VARIABLE`] names, or else in the user's data directory; `None` if there
    /// is none.
    pub fn for_user() -> Option<Book> {
        match std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty()) {
            Some(folder) => Some(Book::new(folder)),
            None => {
                let user = etcetera::choose_base_strategy().ok()?;
                Some(Book::new(user.data_dir().join("permutile")))
            }
        }
    }

    /// The file.
    pub fn path(&self) -> PathBuf {
        self.folder.join("statistics.json")
    }

    /// The figures of every discipline, by name; nothing of a file that cannot be understood.
    ///
    /// # Errors
    /// If it is of a newer version, or cannot be read.
    pub fn read(&self) -> Result<BTreeMap<String, Figures>, BookError> {
        let path = self.path();
        Ok(read(&path)?.unwrap_or_default().games)
    }

    /// Adds what was played to the figures of a discipline.
    ///
    /// # Errors
    /// If the file is of a newer version, or cannot be written.
    pub fn add(&self, discipline: &Discipline, played: &Played) -> Result<Written, BookError> {
        let path = self.path();
        let failed = |error| BookError::Io { path: path.clone(), error };
        fs::create_dir_all(&self.folder).map_err(failed)?;
        let _lock = lock(&self.folder.join("statistics.lock")).map_err(failed)?;
        let (mut pages, set_aside) = match read(&path)? {
            Ok(pages) => (pages, None),
            Err(why) => {
                let kept_as = free_name(&self.folder);
                fs::rename(&path, &kept_as).map_err(failed)?;
                (Pages::default(), Some(SetAside { path: path.clone(), kept_as, why }))
            }
        };
        let figures = pages.games.entry(discipline.0.clone()).or_default();
        let new = figures.add(played);
        let figures = figures.clone();
        self.replace(&pages).map_err(failed)?;
        Ok(Written { figures, new, set_aside })
    }

    /// Puts a file in the place of the old one, whole or not at all.
    fn replace(&self, pages: &Pages) -> io::Result<()> {
        Failpoint::StatisticsWrite.reach()?;
        // Always the same name, which only who has the lock uses: what a game left that was killed here
        // is removed by the next.
        let name = ".statistics.unfinished";
        let _ = fs::remove_file(self.folder.join(name));
        let mut file =
            tempfile::Builder::new().prefix(name).rand_bytes(0).tempfile_in(&self.folder)?;
        serde_json::to_writer_pretty(&mut file, pages)?;
        writeln!(file)?;
        file.as_file().sync_data()?;
        Failpoint::StatisticsRename.reach()?;
        file.persist(self.path())?;
        Ok(())
    }
}

/// Reads the file; one that is not there is empty. The inner error says why it cannot be
/// understood.
fn read(path: &Path) -> Result<Result<Pages, String>, BookError> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Ok(Pages::default())),
        Err(error) => return Err(BookError::Io { path: path.to_owned(), error }),
    };
    let value: serde_json::Value = match serde_json::from_slice(&bytes) {
        Ok(value) => value,
        Err(error) => return Ok(Err(error.to_string())),
    };
    match value.get("version").and_then(serde_json::Value::as_u64) {
        Some(version) if version > VERSION => {
            Err(BookError::Newer { path: path.to_owned(), version })
        }
        _ => Ok(serde_json::from_value(value).map_err(|error| error.to_string())),
    }
}

/// Waits for the lock, which is given back when the file is closed. A file system without locks has
/// to do without.
fn lock(path: &Path) -> io::Result<Option<File>> {
    let file = File::options().create(true).truncate(false).write(true).open(path)?;
    let began = Instant::now();
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => {
                std::thread::sleep(PAUSE);
            }
            Err(TryLockError::WouldBlock) => {
                return Err(io::Error::other("another game holds the lock"));
            }
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => {
                return Ok(None);
            }
            Err(TryLockError::Error(error)) => return Err(error),
        }
    }
}

/// A name that no file has yet.
fn free_name(folder: &Path) -> PathBuf {
    let name = |number: u32| folder.join(format!("statistics.damaged-{number}.json"));
    (1..).map(name).find(|path| !path.exists()).expect("numbers do not end")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn discipline() -> Discipline {
        Discipline::new("sliding4", "blank-first", DealKind::Uniform)
    }

    fn finished(moves: u64, seconds: f64, helped: bool) -> Played {
        let finish = Some(Finish { moves, seconds, seed: 7, date: 20_240_229 });
        Played { started: false, moves, seconds, finish, helped }
    }

    #[test]
    fn bests_are_without_help() {
        let mut figures = Figures::default();
        assert_eq!(figures.add(&finished(10, 1.0, true)), NewBests::default());
        assert_eq!(figures.add(&finished(90, 60.0, false)), NewBests { moves: true, time: true });
        assert_eq!(figures.add(&finished(95, 50.0, false)), NewBests { moves: false, time: true });
        assert_eq!((figures.solved, figures.solved_with_help, figures.moves), (2, 1, 195));
        assert_eq!(figures.fewest_moves.unwrap().moves, 90);
        assert_eq!(figures.quickest.unwrap().moves, 95);
    }

    #[test]
    fn what_is_written_is_read_and_added_to() {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::new(folder.path().join("new"));
        assert!(book.read().unwrap().is_empty());
        let started = Played { started: true, moves: 1, ..Played::default() };
        book.add(&discipline(), &started).unwrap();
        let written = book.add(&discipline(), &finished(80, 30.0, false)).unwrap();
        assert_eq!((written.figures.started, written.figures.moves), (1, 81));
        assert_eq!(book.read().unwrap()[discipline().name()], written.figures);
        let files = fs::read_dir(folder.path().join("new")).unwrap().count();
        assert_eq!(files, 2, "the statistics and the lock, and nothing temporary");
    }

    #[test]
    fn games_at_the_same_time_lose_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let book = Book::new(folder.path());
                    for _ in 0..25 {
                        book.add(&discipline(), &finished(2, 0.5, false)).unwrap();
                    }
                });
            }
        });
        let figures = &Book::new(folder.path()).read().unwrap()[discipline().name()];
        assert_eq!((figures.solved, figures.moves, figures.seconds), (100, 200, 50.0));
    }

    #[test]
    fn a_damaged_file_is_kept_under_another_name() {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::new(folder.path());
        let rests =
            ["{\"version\":1,\"ga", "[]", "{\"version\":1,\"games\":{\"x\":{\"moves\":-1}}}"];
        for (number, rest) in (1..).zip(rests) {
            fs::write(book.path(), rest).unwrap();
            assert!(book.read().unwrap().is_empty());
            let set_aside = book.add(&discipline(), &finished(3, 1.0, false)).unwrap().set_aside;
            let set_aside = set_aside.unwrap();
            assert!(set_aside.kept_as.ends_with(format!("statistics.damaged-{number}.json")));
            assert_eq!(fs::read_to_string(&set_aside.kept_as).unwrap(), rest);
            assert_eq!(book.read().unwrap()[discipline().name()].solved, 1);
        }
    }

    #[test]
    fn a_newer_file_is_left_alone() {
        let folder = tempfile::tempdir().unwrap();
        let book = Book::new(folder.path());
        let newer = "{\"version\": 2, \"players\": []}";
        fs::write(book.path(), newer).unwrap();
        let error = book.add(&discipline(), &finished(3, 1.0, false)).unwrap_err();
        assert!(error.to_string().contains("version 2, which a newer permutile"), "{error}");
        assert!(book.read().is_err());
        assert_eq!(fs::read_to_string(book.path()).unwrap(), newer);
    }
}
