//! Numbers, durations and sizes as text for people: what the program and the report of a
//! comparison print. Machine-readable output never passes through here.

/// A whole number with its thousands separated: `20,922,789,888,000`.
#[must_use]
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 move`, `1200 moves`.
#[must_use]
pub fn counted(number: u64, thing: &str) -> String {
    format!("{number} {}", plural(number, thing))
}

/// A number of things, the thousands separated: `1 board`, `1,200 boards`.
#[must_use]
pub fn counted_grouped(number: u64, thing: &str) -> String {
    format!("{} {}", grouped(number), plural(number, thing))
}

fn plural(number: u64, thing: &str) -> String {
    let ending = if number == 1 { "" } else { "s" };
    format!("{thing}{ending}")
}

/// A mean of counts: with one decimal below `whole_from`, as a whole number from there, and with
/// an exponent where there would be more digits than the mean has.
#[must_use]
pub fn mean(value: f64, whole_from: f64) -> String {
    match value {
        v if v < whole_from => format!("{v:.1}"),
        v if v < 1e15 => grouped(v.round() as u64),
        v => format!("{v:.3e}"),
    }
}

/// A number of things per second.
#[must_use]
pub fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 100.0 => grouped(r.round() as u64),
        r if r >= 1.0 => format!("{r:.1}"),
        r => format!("{r:.3}"),
    }
}

/// A ratio with three significant digits.
#[must_use]
pub fn ratio(value: f64) -> String {
    match value {
        v if v >= 99.95 => grouped(v.round() as u128),
        v if v >= 9.995 => format!("{v:.1}"),
        v if v >= 0.995 => format!("{v:.2}"),
        0.0 => "0".to_owned(),
        v if v >= 1e-4 => {
            let digits = (2.0 - v.log10().floor()) as usize;
            format!("{v:.digits$}")
        }
        v => format!("{v:.2e}"),
    }
}

/// A ratio in few characters: about three significant digits, and an exponent above a million
/// and below a thousandth.
#[must_use]
pub fn compact_ratio(value: f64) -> String {
    match value {
        v if v >= 1e6 => format!("{v:.2e}"),
        v if v >= 100.0 => grouped(v.round() as u64),
        v if v >= 10.0 => format!("{v:.1}"),
        v if v >= 1.0 => format!("{v:.2}"),
        v if v >= 1e-1 => format!("{v:.3}"),
        v if v >= 1e-2 => format!("{v:.4}"),
        v if v >= 1e-3 => format!("{v:.5}"),
        v => format!("{v:.2e}"),
    }
}

/// A part of a whole in percent, with so many digits after the point.
#[must_use]
pub fn percent(part: f64, whole: f64, digits: usize) -> String {
    format!("{:.digits$} %", 100.0 * part / whole)
}

/// So many of a whole in percent, rounded neither to nothing unless it is nothing, nor to all of it
/// unless it is all. The whole is not 0.
#[must_use]
pub fn cautious_percent(part: u64, whole: u64) -> String {
    let share = part as f64 * 100.0 / whole as f64;
    match share {
        s if part > 0 && s < 0.1 => "under 0.1 %".to_owned(),
        s if part < whole && s > 99.9 => "over 99.9 %".to_owned(),
        s if s < 10.0 && part > 0 => format!("{s:.1} %"),
        s => format!("{s:.0} %"),
    }
}

/// A duration of so many seconds, to the microsecond at best.
#[must_use]
pub fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.0} µs", s * 1e6),
        s => milliseconds_and_more(s),
    }
}

/// A duration of so many seconds, to a tenth of a microsecond at best.
#[must_use]
pub fn precise_duration(seconds: f64) -> String {
    match seconds {
        s if s < 1e-3 => format!("{:.1} µs", s * 1e6),
        s => milliseconds_and_more(s),
    }
}

fn milliseconds_and_more(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => format!("{:.1} ms", s * 1e3),
        s if s < 120.0 => format!("{s:.2} s"),
        s => format!("{:.1} min", s / 60.0),
    }
}

/// A number of bytes, in decimal units.
#[must_use]
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} B"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_separated() {
        assert_eq!(grouped(0u32), "0");
        assert_eq!(grouped(999u32), "999");
        assert_eq!(grouped(1_000u32), "1,000");
        assert_eq!(grouped(20_922_789_888_000u64), "20,922,789,888,000");
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!([0, 1, 1200].map(|n| counted(n, "move")), ["0 moves", "1 move", "1200 moves"]);
        assert_eq!(counted_grouped(1200, "board"), "1,200 boards");
    }

    #[test]
    fn numbers_are_as_long_as_they_need_to_be() {
        assert_eq!(mean(2.25, 1e3), "2.2");
        assert_eq!(mean(1234.4, 1e3), "1,234");
        assert_eq!([mean(99.94, 99.95), mean(99.96, 99.95)], ["99.9", "100"]);
        assert_eq!([0.25, 12.34, 1234.4].map(rate), ["0.250", "12.3", "1,234"]);
        let ratios = [0.0, 0.001_234, 0.1234, 0.996, 9.996, 1234.4];
        assert_eq!(ratios.map(ratio), ["0", "0.00123", "0.123", "1.00", "10.0", "1,234"]);
        let compact = [0.000_123_4, 0.1234, 1.0, 12.34, 1234.4, 1.234e6];
        let texts = ["1.23e-4", "0.123", "1.00", "12.3", "1,234", "1.23e6"];
        assert_eq!(compact.map(compact_ratio), texts);
    }

    #[test]
    fn a_percentage_is_nothing_or_all_only_if_exact() {
        assert_eq!(percent(1.0, 8.0, 0), "12 %");
        assert_eq!(percent(1.0, 8.0, 2), "12.50 %");
        let parts = [0, 1, 500, 5_000, 9_999, 10_000];
        let texts = ["0 %", "under 0.1 %", "5.0 %", "50 %", "over 99.9 %", "100 %"];
        assert_eq!(parts.map(|part| cautious_percent(part, 10_000)), texts);
    }

    #[test]
    fn durations_and_sizes_have_the_unit_that_fits() {
        let seconds = [1.23e-5, 0.0123, 1.23, 126.0];
        assert_eq!(seconds.map(duration), ["12 µs", "12.3 ms", "1.23 s", "2.1 min"]);
        assert_eq!(seconds.map(precise_duration), ["12.3 µs", "12.3 ms", "1.23 s", "2.1 min"]);
        let sizes = [999, 1_234, 1_234_567, 12_345_678_901];
        assert_eq!(sizes.map(bytes), ["999 B", "1.2 kB", "1.2 MB", "12.35 GB"]);
    }
}
