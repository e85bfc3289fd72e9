//! Moments between two steps on a file, at which tests stop the program (feature `failpoints`): by
//! chance, a program is hardly ever killed there.
//!
//! Whatever writes a file says when it is there, as in `Failpoint::JournalAppend.reach()?`. Without
//! the feature that is nothing. With it, the variable `PERMUTILE_FAILPOINTS` says what happens:
//! `TableRename=kill` kills the program there, `JournalAppend=error@3` refuses to do what comes next at
//! the third time, `@3..` each time from the third, and `CacheLock=wait` stays there for a moment.
//! `scripts/faults --only failpoints` does all of that, and reads the names from this file.

/// Where the program is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failpoint {
    /// A journal, or a list of best-known solutions, is open, and not locked yet.
    JournalLock,
    /// A journal is about to be emptied.
    JournalEmpty,
    /// The torn last line of a journal is about to be dropped.
    JournalMend,
    /// Lines are about to be added to a journal.
    JournalAppend,
    /// Half of them are written.
    JournalInside,
    /// They are written.
    JournalAppended,
    /// What the system took of lines that it refused is about to be taken back.
    JournalTakeBack,
    /// The file that is to replace a journal, or such a list, is there, and empty.
    TidyWrite,
    /// The records are in it.
    TidySync,
    /// It is about to take the place of the old one.
    TidyRename,
    /// It has done so.
    TidyRenamed,
    /// Records are about to be handed to the system that go to no journal.
    RecordsFlush,
    /// A CSV table is about to be begun; the journal is open.
    CsvOpen,
    /// A record is in the journal, and about to be added to the CSV table.
    CsvRow,
    /// The rest of the CSV table is about to be written.
    CsvFlush,
    /// The summary is about to be written.
    SummaryWrite,
    /// Half of it is written.
    SummaryInside,
    /// The file of a table is about to be made.
    TableCreate,
    /// There is room for its header.
    TableHeader,
    /// Half of its entries are written.
    TableInside,
    /// All of them are, and the header is about to be.
    TableSeal,
    /// The header is, too, and all of it is about to be put on the disk.
    TableSync,
    /// The file is about to get its name.
    TableRename,
    /// It has it.
    TableRenamed,
    /// The entries of a table are about to be read.
    TableRead,
    /// The lock of a table is open, and not taken yet.
    CacheLock,
    /// The statistics of the game are about to be written.
    StatisticsWrite,
    /// They are about to take the place of the old ones.
    StatisticsRename,
}

#[cfg(not(feature = "failpoints"))]
mod disarmed {
    use super::Failpoint;
    use std::io;

    impl Failpoint {
        /// Nothing.
        #[inline(always)]
        pub(crate) fn reach(self) -> io::Result<()> {
            Ok(())
        }

        /// Writes all of it.
        #[inline(always)]
        pub(crate) fn halfway(
            self,
            bytes: &[u8],
            mut write: impl FnMut(&[u8]) -> io::Result<()>,
        ) -> io::Result<()> {
            write(bytes)
        }
    }
}

#[cfg(feature = "failpoints")]
mod armed {
    use super::Failpoint;
    use std::io::{self, Write};
    use std::sync::LazyLock;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::Duration;

    const VARIABLE: &str = "PERMUTILE_FAILPOINTS";

    /// How long `wait` waits.
    const WAIT: Duration = Duration::from_millis(300);

    impl Failpoint {
        /// Does what is wanted here.
        ///
        /// # Errors
        /// If that is wanted.
        pub(crate) fn reach(self) -> io::Result<()> {
            let name = format!("{self:?}");
            let here = WANTED.iter().filter(|wanted| wanted.name == name);
            here.filter(|wanted| wanted.is_due()).try_for_each(Wanted::act)
        }

        /// Writes one half, does what is wanted here, and writes the other half.
        ///
        /// # Errors
        /// If that is wanted, or if a half cannot be written.
        pub(crate) fn halfway(
            self,
            bytes: &[u8],
            mut write: impl FnMut(&[u8]) -> io::Result<()>,
        ) -> io::Result<()> {
            let (first, second) = bytes.split_at(bytes.len() / 2);
            write(first)?;
            self.reach()?;
            write(second)
        }
    }

    /// What is to happen somewhere.
    struct Wanted {
        name: &'static str,
        action: Action,
        /// At which time, from 1, and whether at each later one, too.
        time: usize,
        and_later: bool,
        reached: AtomicUsize,
    }

    #[derive(Clone, Copy, Debug)]
    enum Action {
        Kill,
        Error,
        Wait,
    }

    static WANTED: LazyLock<Vec<Wanted>> = LazyLock::new(|| {
        let text = std::env::var(VARIABLE).unwrap_or_default();
        let wanted = |one: &'static str| {
            Wanted::read(one).unwrap_or_else(|| panic!("{VARIABLE}: {one} is not NAME=ACTION@N"))
        };
        text.leak().split(',').filter(|one| !one.is_empty()).map(wanted).collect()
    });

    impl Wanted {
        fn read(text: &'static str) -> Option<Wanted> {
            let (name, text) = text.split_once('=')?;
            let (action, time) = text.split_once('@').unwrap_or((text, "1"));
            let action = match action {
                "kill" => Action::Kill,
                "error" => Action::Error,
                "wait" => Action::Wait,
                _ => return None,
            };
            let only = time.strip_suffix("..");
            let time = only.unwrap_or(time).parse().ok()?;
            let and_later = only.is_some();
            Some(Wanted { name, action, time, and_later, reached: AtomicUsize::new(0) })
        }

        fn is_due(&self) -> bool {
            let time = 1 + self.reached.fetch_add(1, Ordering::Relaxed);
            time == self.time || (self.and_later && time > self.time)
        }

        fn act(&self) -> io::Result<()> {
            let Wanted { name, action, .. } = self;
            // A test has to know that it came here.
            writeln!(io::stderr(), "failpoint {name}: {action:?}")?;
            match action {
                Action::Kill => kill(),
                Action::Error => Err(io::Error::other(format!("failpoint {name}"))),
                Action::Wait => {
                    thread::sleep(WAIT);
                    Ok(())
                }
            }
        }
    }

    /// Nothing runs after this: no destructor, no handler.
    #[cfg(unix)]
    fn kill() -> ! {
        let _ = signal_hook::low_level::raise(signal_hook::consts::SIGKILL);
        std::process::abort();
    }

    #[cfg(not(unix))]
    fn kill() -> ! {
        std::process::abort();
    }
}
