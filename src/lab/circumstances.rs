//! Where and when something was measured.

use serde::Serialize;
use std::fmt;
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};

/// The program, the machine and the date of a measurement.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Circumstances {
    /// The version of permutile.
    pub version: String,
    /// The date and time in UTC: `2026-11-17T09:30:00Z`.
    pub date: String,
    /// The operating system and the architecture.
    pub system: String,
    /// The processor's name, where the system tells it.
    pub processor: Option<String>,
    /// How many cores there are to use.
    pub cores: usize,
}

/// A result that rests on random boards, with what it takes to get it again.
#[derive(Debug, Serialize)]
pub struct Sampled<'a, T> {
    /// The result.
    #[serde(flatten)]
    pub result: &'a T,
    /// The seed of the boards.
    pub seed: u64,
    /// Where and when it was measured.
    pub circumstances: &'a Circumstances,
}

impl Circumstances {
    /// Here and now.
    pub fn now() -> Circumstances {
        let since_epoch = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Circumstances {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            date: utc(since_epoch.as_secs()),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            processor: processor(),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

impl fmt::Display for Circumstances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Circumstances { version, date, system, processor, cores } = self;
        write!(f, "permutile {version}, {date}, {system}, ")?;
        processor.iter().try_for_each(|name| write!(f, "{name}, "))?;
        write!(f, "{cores} {}", if *cores == 1 { "core" } else { "cores" })
    }
}

fn processor() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let words: Vec<&str> = line.split_once(':')?.1.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// So many seconds after the beginning of 1970, by the calendar.
fn utc(seconds: u64) -> String {
    let (mut days, time) = (seconds / 86_400, seconds % 86_400);
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(is_leap(year)) {
        days -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year}-{month:02}-{:02}T{hour:02}:{minute:02}:{second:02}Z", days + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(utc(0), "1970-01-01T00:00:00Z");
        assert_eq!(utc(951_782_399), "2000-02-28T23:59:59Z");
        assert_eq!(utc(951_782_400), "2000-02-29T00:00:00Z");
        assert_eq!(utc(1_709_251_199), "2024-02-29T23:59:59Z");
        assert_eq!(utc(1_735_689_599), "2024-12-31T23:59:59Z");
        assert_eq!(utc(4_102_444_800), "2100-01-01T00:00:00Z");
    }

    #[test]
    fn they_are_told_in_a_line() {
        let circumstances = Circumstances {
            version: "1.2.3".to_owned(),
            date: utc(0),
            system: "plan9 vax".to_owned(),
            processor: None,
            cores: 1,
        };
        let told = "permutile 1.2.3, 1970-01-01T00:00:00Z, plan9 vax, 1 core";
        assert_eq!(circumstances.to_string(), told);
        assert!(!Circumstances::now().to_string().contains('\n'));
    }
}
