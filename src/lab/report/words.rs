//! Text and numbers as they stand on the page.

/// What stands where there is nothing to say.
pub(super) const NONE: &str = "–";

/// A text between tags or within an attribute. What no page may contain, as the control
/// characters that a file name can have, is replaced.
pub(super) fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => safe += "&amp;",
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '"' => safe += "&quot;",
            '\'' => safe += "&#39;",
            '\n' | '\t' => safe.push(character),
            '\u{fffe}' | '\u{ffff}' => safe.push(char::REPLACEMENT_CHARACTER),
            other if other.is_control() => safe.push(char::REPLACEMENT_CHARACTER),
            other => safe.push(other),
        }
    }
    safe
}

/// A number with its thousands set apart.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things: `1 board`, `2 boards`.
pub(super) fn counted(number: usize, thing: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{} {thing}{plural}", grouped(number as u64))
}

/// A mean of counts: to a tenth while that says something.
pub(super) fn mean(value: f64) -> String {
    match value {
        v if !v.is_finite() => NONE.to_owned(),
        v if v < 1e3 => decimal(v, 1),
        v if v < 1e15 => grouped(v.round() as u64),
        v => format!("{v:.3e}"),
    }
}

/// A number with so many digits after the point.
pub(super) fn decimal(value: f64, digits: usize) -> String {
    if value.is_finite() { format!("{value:.digits$}") } else { NONE.to_owned() }
}

/// A ratio, with about three digits that count.
pub(super) fn ratio(value: f64) -> String {
    match value {
        v if !v.is_finite() => NONE.to_owned(),
        v if v >= 1e6 => format!("{v:.2e}"),
        v if v >= 100.0 => grouped(v.round() as u64),
        v if v >= 10.0 => decimal(v, 1),
        v if v >= 1.0 => decimal(v, 2),
        v if v >= 1e-1 => decimal(v, 3),
        v if v >= 1e-2 => decimal(v, 4),
        v if v >= 1e-3 => decimal(v, 5),
        v => format!("{v:.2e}"),
    }
}

/// A share of a whole, in percent.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 {
        return NONE.to_owned();
    }
    let share = part as f64 * 100.0 / whole as f64;
    match share {
        s if part > 0 && s < 0.1 => "under\u{a0}0.1\u{a0}%".to_owned(),
        s if part < whole && s > 99.9 => "over\u{a0}99.9\u{a0}%".to_owned(),
        s if s < 10.0 && part > 0 => format!("{s:.1}\u{a0}%"),
        s => format!("{s:.0}\u{a0}%"),
    }
}

/// A time as people read it.
pub(super) fn duration(seconds: f64) -> String {
    match seconds {
        s if !s.is_finite() => NONE.to_owned(),
        s if s < 1e-3 => format!("{:.1}\u{a0}µs", s * 1e6),
        s if s < 1.0 => format!("{:.1}\u{a0}ms", s * 1e3),
        s if s < 120.0 => format!("{s:.2}\u{a0}s"),
        s => format!("{:.1}\u{a0}min", s / 60.0),
    }
}

/// A number of bytes as people read it.
pub(super) fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count}\u{a0}B"),
        1_000..1_000_000 => format!("{:.1}\u{a0}kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1}\u{a0}MB", count as f64 / 1e6),
        _ => format!("{:.2}\u{a0}GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_made_harmless() {
        let hostile = "<script>\"it's\" & \u{1b}[31m\u{0}";
        let safe = "&lt;script&gt;&quot;it&#39;s&quot; &amp; \u{fffd}[31m\u{fffd}";
        assert_eq!(escaped(hostile), safe);
    }

    #[test]
    fn numbers_are_as_long_as_they_need_to_be() {
        assert_eq!(grouped(0), "0");
        assert_eq!(grouped(999), "999");
        assert_eq!(grouped(20_922_789_888_000), "20,922,789,888,000");
        assert_eq!(mean(2.25), "2.2");
        assert_eq!(mean(1234.4), "1,234");
        assert_eq!([1.0, 0.1234, 12.34, 1234.4].map(ratio), ["1.00", "0.123", "12.3", "1,234"]);
        assert_eq!([mean(f64::NAN), ratio(f64::INFINITY), duration(f64::NAN)], [NONE; 3]);
        assert_eq!(percent(0, 7), "0\u{a0}%");
        assert_eq!(percent(9_999, 10_000), "over\u{a0}99.9\u{a0}%");
        assert_eq!(percent(1, 10_000), "under\u{a0}0.1\u{a0}%");
    }
}
