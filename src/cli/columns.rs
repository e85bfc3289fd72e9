//! Tables whose columns are as wide as their content.

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
    let length = |text: &str| text.chars().count();
    let width = |column: usize| {
        let texts = rows.iter().map(|row| length(&row[column]));
        // Formatting takes no wider ones.
        texts.max().unwrap_or(0).max(length(heading[column].0)).min(usize::from(u16::MAX))
    };
    let widths: [usize; N] = std::array::from_fn(width);
    let line = |cells: [&str; N]| {
        let cell = |column: usize| {
            let (text, width) = (cells[column], widths[column]);
            match heading[column].1 {
                Side::Left => format!("{text:<width$}"),
                Side::Right => format!("{text:>width$}"),
            }
        };
        let cells: Vec<String> = (0..N).map(cell).collect();
        cells.join("  ").trim_end().to_owned()
    };
    let mut lines = vec![line(heading.map(|(text, _)| text))];
    lines.extend(rows.iter().map(|row| line(std::array::from_fn(|column| row[column].as_str()))));
    lines
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
        assert_eq!(columns(heading, &[row(&"x".repeat(70_000), "")])[1].len(), 70_000);
    }
}
