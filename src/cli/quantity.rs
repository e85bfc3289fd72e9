//! Parses durations and sizes as users type them: `500ms`, `10s`, `2m`, `none`; `64MB`, `2GiB`.

use std::time::Duration;

/// Reads a time.
pub(super) fn parse_duration(text: &str) -> Result<Duration, String> {
    let expected =
        || format!("\"{text}\" is not a time: write a number and ms, s, m or h, as in 500ms");
    let (number, unit) = split(text).ok_or_else(expected)?;
    let seconds = match unit {
        "ms" => number / 1e3,
        "s" | "" => number,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err(expected()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|_| expected())
}

/// How long something may take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Timeout {
    /// As long as it takes.
    None,
    /// This long.
    After(Duration),
}

impl Timeout {
    /// The limit, if there is one.
    pub(super) fn limit(self) -> Option<Duration> {
        match self {
            Timeout::None => None,
            Timeout::After(time) => Some(time),
        }
    }
}

/// Reads a time, or that there is none.
pub(super) fn parse_timeout(text: &str) -> Result<Timeout, String> {
    if text.trim().eq_ignore_ascii_case("none") {
        return Ok(Timeout::None);
    }
    let or_none = |error| format!("{error}, or none");
    parse_duration(text).map(Timeout::After).map_err(or_none)
}

/// Reads a size in bytes.
pub(super) fn parse_bytes(text: &str) -> Result<u64, String> {
    let expected = || {
        format!(
            "\"{text}\" is not a size: write a number and kB, MB, GB, KiB, MiB or GiB, as in 2GiB"
        )
    };
    let (number, unit) = split(text).ok_or_else(expected)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "t" | "tb" => 1e12,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        "tib" => 1024.0 * 1024.0 * 1024.0 * 1024.0,
        _ => return Err(expected()),
    };
    let bytes = number * factor;
    if (1.0..1e18).contains(&bytes) { Ok(bytes as u64) } else { Err(expected()) }
}

/// A non-negative number, and the unit after it.
fn split(text: &str) -> Option<(f64, &str)> {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    Some((number.parse().ok()?, unit.trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_are_read() {
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("10s"), Ok(Duration::from_secs(10)));
        assert_eq!(parse_duration("1.5m"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_bytes("64MB"), Ok(64_000_000));
        assert_eq!(parse_bytes("2GiB"), Ok(2 << 30));
        assert_eq!(parse_bytes("4096"), Ok(4096));
        for bad in ["", "ms", "-1s", "10 years", "1e400s", "99999999999999999999h"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
            assert!(parse_bytes(bad).is_err(), "{bad}");
        }
        assert!(parse_bytes("0").is_err());
        assert_eq!(parse_timeout("none"), Ok(Timeout::None));
        assert_eq!(parse_timeout("0ms").unwrap().limit(), Some(Duration::ZERO));
        assert!(parse_timeout("never").unwrap_err().ends_with("as in 500ms, or none"));
    }
}
