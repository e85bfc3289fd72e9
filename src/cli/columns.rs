//! Tables whose columns are as wide as their content.

use permutile::format::counted;
use std::io::{IsTerminal, stdout};
use terminal_size::terminal_size;

/// How the texts of a column are aligned.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Side {
    Left,
    Right,
}

/// The heading and the rows as lines, two spaces between columns.
pub(super) fn columns<const N: usize>(
    heading: [(&str, Side); N],
    rows: &[[String; N]],
) -> Vec<String> {
    columns_within(None, heading, rows, &[])
}

/// As [`columns`], in lines of at most `width` characters as far as that can be done: columns are
/// left out in the order of `expendable`, and a last line says so; then the widest text is cut.
pub(super) fn columns_within<const N: usize>(
    width: Option<usize>,
    heading: [(&str, Side); N],
    rows: &[[String; N]],
    expendable: &[&str],
) -> Vec<String> {
    let length = |text: &str| text.chars().count();
    let mut widths = heading.map(|(name, _)| length(name));
    for row in rows {
        for (width, text) in widths.iter_mut().zip(row) {
            // Formatting takes no wider ones.
            *width = (*width).max(length(text)).min(usize::from(u16::MAX));
        }
    }
    let mut shown: Vec<usize> = (0..N).collect();
    let mut left_out = 0;
    if let Some(width) = width {
        let total = |shown: &[usize], widths: &[usize; N]| {
            shown.iter().map(|&column| widths[column] + 2).sum::<usize>().saturating_sub(2)
        };
        for name in expendable {
            if total(&shown, &widths) <= width {
                break;
            }
            shown.retain(|&column| heading[column].0 != *name);
            left_out += 1;
        }
        let excess = total(&shown, &widths).saturating_sub(width);
        let texts = shown.iter().copied().filter(|&column| heading[column].1 == Side::Left);
        if let Some(widest) = texts.max_by_key(|&column| widths[column]) {
            let narrowest = length(heading[widest].0);
            widths[widest] = widths[widest].saturating_sub(excess).max(narrowest);
        }
    }
    let line = |cells: [&str; N]| {
        let cell = |&column: &usize| {
            let (text, width) = (cut(cells[column], widths[column]), widths[column]);
            match heading[column].1 {
                Side::Left => format!("{text:<width$}"),
                Side::Right => format!("{text:>width$}"),
            }
        };
        let cells: Vec<String> = shown.iter().map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(heading.map(|(text, _)| text))];
    lines.extend(rows.iter().map(|row| line(std::array::from_fn(|column| row[column].as_str()))));
    if left_out > 0 {
        let left_out = counted(left_out, "column");
        lines.push(format!("({left_out} left out for lack of room; a file or a pipe gets all)"));
    }
    lines
}

/// A text in at most so many characters: its end tells more than its beginning.
fn cut(text: &str, width: usize) -> String {
    let length = text.chars().count();
    if length <= width {
        return text.to_owned();
    }
    let end = text.chars().skip(length + 1 - width);
    std::iter::once('…').chain(end).take(width).collect()
}

/// How many characters there are in a line of standard output, if it is a terminal.
pub(super) fn window_width() -> Option<usize> {
    let terminal = stdout().is_terminal().then(terminal_size)??;
    Some(usize::from(terminal.0.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_needed() {
        let row = |a: &str, b: &str| [a.to_owned(), b.to_owned()];
        let heading = [("name", Side::Left), ("n", Side::Right)];
        let lines = columns(heading, &[row("a", "12"), row("longer", "µs")]);
        assert_eq!(lines, ["name     n", "a       12", "longer  µs"]);
        assert_eq!(columns(heading, &[]), ["name  n"]);
        let long = columns(heading, &[row(&"x".repeat(70_000), "")]);
        assert_eq!(long[1].chars().count(), usize::from(u16::MAX));
    }

    #[test]
    fn a_narrow_window_gets_fewer_columns() {
        let row = |cells: [&str; 4]| cells.map(str::to_owned);
        let heading = [
            ("board", Side::Left),
            ("n", Side::Right),
            ("below", Side::Right),
            ("time", Side::Right),
        ];
        let rows = [row(["boards/12", "7", "1,234", "5 s"]), row(["b", "12", "-", "12 ms"])];
        let fit = |width| columns_within(width, heading, &rows, &["below", "n"]);
        let whole = [
            "board       n  below   time",
            "boards/12   7  1,234    5 s",
            "b          12      -  12 ms",
        ];
        assert_eq!(fit(None), whole);
        assert_eq!(fit(Some(27)), whole);
        let left_out = "(1 column left out for lack of room; a file or a pipe gets all)";
        assert_eq!(
            fit(Some(26)),
            ["board       n   time", "boards/12   7    5 s", "b          12  12 ms", left_out]
        );
        let narrow = fit(Some(13));
        assert_eq!(narrow[..3], ["board    time", "…ds/12    5 s", "b       12 ms"]);
        assert!(narrow[3].starts_with("(2 columns left out"));
        // Nothing is narrower than its heading.
        assert_eq!(fit(Some(0))[1], "…s/12    5 s");
    }
}
