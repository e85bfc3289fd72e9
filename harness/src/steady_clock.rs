//! A clock by which a bench takes as long when the processor runs slower for a while.
//!
//! Processors change their rate by several percent from one second to the next, and a bench that
//! takes a fifth of a second falls into the one phase or the other. So a chain of multiplications,
//! each of which waits for the last, is timed next to each sample: it takes the same number of
//! cycles at any rate. What the sample took is stated at the highest rate that was seen.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Criterion, with times by the [`SteadyClock`].
pub type Criterion = criterion::Criterion<SteadyClock>;

/// Time at the highest rate of the processor.
pub struct SteadyClock {
    /// Where the quickest chain is kept, so that all runs state times at the same rate.
    kept: Option<PathBuf>,
}

/// The multiplications of a chain: about twenty microseconds.
const CHAIN: u32 = 16_384;

/// How long the highest rate is looked for before anything is measured.
const LOOK: Duration = Duration::from_millis(500);

/// The nanoseconds of the quickest chain so far.
static QUICKEST: AtomicU64 = AtomicU64::new(u64::MAX);

impl SteadyClock {
    /// Looks for the highest rate, and remembers that of earlier runs.
    pub(crate) fn new(folder: &Path) -> SteadyClock {
        let kept = folder.join("quickest-chain");
        if let Some(earlier) = fs::read_to_string(&kept).ok().and_then(|text| text.parse().ok()) {
            QUICKEST.fetch_min(earlier, Ordering::Relaxed);
        }
        let began = Instant::now();
        while began.elapsed() < LOOK {
            time_chain();
        }
        SteadyClock { kept: Some(kept) }
    }

    /// For benches that are run, but not measured.
    pub(crate) fn unused() -> SteadyClock {
        SteadyClock { kept: None }
    }

    /// What some work took, as it says itself.
    pub fn scale(work: impl FnOnce() -> Duration) -> Duration {
        let before = chain();
        let took = work();
        scaled(took, before, chain())
    }
}

/// The nanoseconds of one chain, undisturbed.
fn chain() -> u64 {
    // An interrupt lengthens one of them, not all.
    (0..3).map(|_| time_chain()).min().expect("there are three")
}

fn time_chain() -> u64 {
    let began = Instant::now();
    let step = |x: u64, _| x.wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(23);
    black_box((0..black_box(CHAIN)).fold(black_box(1), step));
    let took = began.elapsed().as_nanos() as u64;
    QUICKEST.fetch_min(took, Ordering::Relaxed);
    took
}

fn scaled(took: Duration, before: u64, after: u64) -> Duration {
    let quickest = QUICKEST.load(Ordering::Relaxed) as f64;
    took.mul_f64(2.0 * quickest / (before + after) as f64)
}

impl Drop for SteadyClock {
    fn drop(&mut self) {
        if let Some(kept) = &self.kept {
            // Without the file, the next run looks for itself.
            let _ = fs::write(kept, QUICKEST.load(Ordering::Relaxed).to_string());
        }
    }
}

impl Measurement for SteadyClock {
    type Intermediate = (u64, Instant);
    type Value = Duration;

    fn start(&self) -> (u64, Instant) {
        (chain(), Instant::now())
    }

    fn end(&self, (before, began): (u64, Instant)) -> Duration {
        let took = began.elapsed();
        scaled(took, before, chain())
    }

    fn add(&self, a: &Duration, b: &Duration) -> Duration {
        *a + *b
    }

    fn zero(&self) -> Duration {
        Duration::ZERO
    }

    fn to_f64(&self, value: &Duration) -> f64 {
        WallTime.to_f64(value)
    }

    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
