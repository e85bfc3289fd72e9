//! Text made fit for an HTML page.

use crate::format;

/// What stands in place of a value that does not exist.
pub(in crate::lab) const NONE: &str = "–";

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

/// A text that is never broken into lines, as between a number and its unit.
pub(super) fn unbroken(text: &str) -> String {
    text.replace(' ', "\u{a0}")
}

/// A number as text, if there is such a number.
pub(super) fn finite(value: f64, text: impl FnOnce(f64) -> String) -> String {
    if value.is_finite() { text(value) } else { NONE.to_owned() }
}

/// A number with so many digits after the point.
pub(super) fn decimal(value: f64, digits: usize) -> String {
    finite(value, |value| format!("{value:.digits$}"))
}

/// A part of a whole in percent, if there is a whole.
pub(super) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { NONE.to_owned() } else { unbroken(&format::cautious_percent(part, whole)) }
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
    fn numbers_that_do_not_exist_are_a_dash() {
        assert_eq!([f64::NAN, f64::INFINITY].map(|value| decimal(value, 1)), [NONE; 2]);
        assert_eq!(decimal(2.25, 1), "2.2");
        assert_eq!([percent(0, 0), percent(1, 10_000)], [NONE, "under\u{a0}0.1\u{a0}%"]);
    }
}
