//! Colours: each tile has that of its place in the goal, bright once it is there.

use crate::board::Shape;
use ratatui::style::{Color, Modifier, Style};

/// How many colours a terminal has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColourDepth {
    /// None, or the user prefers none.
    None,
    /// The 16 of old.
    Sixteen,
    /// 256.
    Indexed,
    /// All.
    True,
}

impl ColourDepth {
    /// What the environment says of the terminal: `NO_COLOR`, `COLORTERM`, `TERM`.
    pub fn detect(variable: impl Fn(&str) -> Option<String>) -> ColourDepth {
        let is = |name: &str, words: &[&str]| {
            variable(name).is_some_and(|value| words.iter().any(|word| value.contains(word)))
        };
        if variable("NO_COLOR").is_some_and(|value| !value.is_empty()) {
            ColourDepth::None
        } else if is("COLORTERM", &["truecolor", "24bit"]) || is("TERM", &["direct"]) {
            ColourDepth::True
        } else if is("TERM", &["256"]) {
            ColourDepth::Indexed
        } else {
            ColourDepth::Sixteen
        }
    }
}

/// What a cell is painted with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Paint {
    /// The tile.
    pub fill: Color,
    /// Its number.
    pub ink: Color,
}

/// The colours of the game, as the terminal has them.
#[derive(Clone, Copy, Debug)]
pub struct Palette {
    depth: ColourDepth,
}

type Rgb = (u8, u8, u8);

const TRAY: Rgb = (42, 45, 54);
const DARK: Rgb = (18, 20, 26);
const LIGHT: Rgb = (245, 246, 250);

/// Of 16 colours, a normal and a bright one for each row in turn.
const PAIRS: [(Color, Color); 6] = [
    (Color::Red, Color::LightRed),
    (Color::Yellow, Color::LightYellow),
    (Color::Green, Color::LightGreen),
    (Color::Cyan, Color::LightCyan),
    (Color::Blue, Color::LightBlue),
    (Color::Magenta, Color::LightMagenta),
];

impl Palette {
    /// For a terminal with so many colours.
    pub fn new(depth: ColourDepth) -> Palette {
        Palette { depth }
    }

    /// Whether there are any colours.
    pub(super) fn has_colours(self) -> bool {
        self.depth != ColourDepth::None
    }

    /// What the tiles lie on.
    pub(super) fn tray(self) -> Color {
        match self.depth {
            ColourDepth::None => Color::Reset,
            ColourDepth::Sixteen => Color::Black,
            ColourDepth::Indexed | ColourDepth::True => self.colour(TRAY),
        }
    }

    /// The rim of what is selected.
    pub(super) fn selection(self) -> Color {
        match self.depth {
            ColourDepth::Sixteen => Color::White,
            _ => self.colour(LIGHT),
        }
    }

    /// The rim of what a hint means.
    pub(super) fn hint(self) -> Color {
        match self.depth {
            ColourDepth::Sixteen => Color::LightGreen,
            _ => self.colour((120, 255, 140)),
        }
    }

    /// A tile by its cell in the goal, and whether it is there.
    pub(super) fn tile(self, shape: Shape, goal: usize, at_home: bool) -> Paint {
        let (row, col) = shape.row_col(goal);
        match self.depth {
            ColourDepth::None => Paint { fill: Color::Reset, ink: Color::Reset },
            ColourDepth::Sixteen => {
                let (normal, bright) = PAIRS[row % PAIRS.len()];
                let fill = if at_home { bright } else { normal };
                let dark = matches!(normal, Color::Blue | Color::Red | Color::Magenta) && !at_home;
                Paint { fill, ink: if dark { Color::White } else { Color::Black } }
            }
            ColourDepth::Indexed | ColourDepth::True => {
                let fill = gradient(shape, row, col, at_home);
                let ink = if contrast(fill, DARK) > contrast(fill, LIGHT) { DARK } else { LIGHT };
                Paint { fill: self.colour(fill), ink: self.colour(ink) }
            }
        }
    }

    fn colour(self, rgb: Rgb) -> Color {
        match self.depth {
            ColourDepth::None | ColourDepth::Sixteen => Color::Reset,
            ColourDepth::True => Color::Rgb(rgb.0, rgb.1, rgb.2),
            ColourDepth::Indexed => Color::Indexed(nearest_indexed(rgb)),
        }
    }

    /// Text that matters less.
    pub(super) fn faint(self) -> Style {
        match self.depth {
            ColourDepth::None => Style::new().add_modifier(Modifier::DIM),
            _ => Style::new().fg(Color::DarkGray),
        }
    }

    /// Text that matters.
    pub(super) fn strong(self) -> Style {
        Style::new().add_modifier(Modifier::BOLD)
    }

    /// Good news.
    pub(super) fn good(self) -> Style {
        match self.depth {
            ColourDepth::None => self.strong(),
            _ => Style::new().fg(Color::Green).add_modifier(Modifier::BOLD),
        }
    }
}

/// Hues that look equally far apart, from red to magenta.
const HUES: [f64; 9] = [6.0, 28.0, 48.0, 105.0, 165.0, 195.0, 222.0, 265.0, 310.0];

/// Around the colour circle from the first row to the last, lighter from left to right; dark for a
/// tile that is not at home.
fn gradient(shape: Shape, row: usize, col: usize, at_home: bool) -> Rgb {
    let share = |at: usize, of: usize| at as f64 / of.saturating_sub(1).max(1) as f64;
    let along = share(row, shape.rows()) * (HUES.len() - 1) as f64;
    let (at, part) = (along as usize, along.fract());
    let next = HUES[(at + 1).min(HUES.len() - 1)];
    let hue = HUES[at] * (1.0 - part) + next * part;
    let right = share(col, shape.cols());
    if at_home {
        from_hsl(hue, 0.68, 0.52 + 0.16 * right)
    } else {
        from_hsl(hue, 0.50, 0.25 + 0.07 * right)
    }
}

fn from_hsl(hue: f64, saturation: f64, lightness: f64) -> Rgb {
    let reach = saturation * lightness.min(1.0 - lightness);
    let part = |offset: f64| {
        let k = (offset + hue / 30.0) % 12.0;
        let value = lightness - reach * (k - 3.0).min(9.0 - k).clamp(-1.0, 1.0);
        (value * 255.0).round() as u8
    };
    (part(0.0), part(8.0), part(4.0))
}

/// How well two colours can be told apart: the ratio of their luminances, as WCAG defines it.
fn contrast(a: Rgb, b: Rgb) -> f64 {
    let part = |value: u8| (f64::from(value) / 255.0).powf(2.2);
    let luminance = |(r, g, b): Rgb| 0.05 + 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
    let (a, b) = (luminance(a), luminance(b));
    a.max(b) / a.min(b)
}

/// The nearest of the 6x6x6 cube and the greys.
fn nearest_indexed(rgb: Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let apart = |(r, g, b): Rgb| {
        let part = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
        part(r, rgb.0) + part(g, rgb.1) + part(b, rgb.2)
    };
    let level =
        |value: u8| (0..6).min_by_key(|&i| LEVELS[usize::from(i)].abs_diff(value)).unwrap_or(0_u8);
    let [r, g, b] = [rgb.0, rgb.1, rgb.2].map(level);
    let of = |i: u8| LEVELS[usize::from(i)];
    let cube = (16 + 36 * r + 6 * g + b, apart((of(r), of(g), of(b))));
    let greys = (0..24).map(|i: u8| (232 + i, apart((8 + 10 * i, 8 + 10 * i, 8 + 10 * i))));
    // What has a colour keeps some of it.
    let is_grey = rgb.0.max(rgb.1).max(rgb.2) - rgb.0.min(rgb.1).min(rgb.2) < 24;
    let best = greys.filter(|_| is_grey).chain([cube]).min_by_key(|&(_, apart)| apart);
    best.map_or(cube.0, |(index, _)| index)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_tells_the_colours() {
        let depth = |pairs: &[(&str, &str)]| {
            ColourDepth::detect(|name| {
                pairs.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
            })
        };
        assert_eq!(depth(&[("TERM", "xterm")]), ColourDepth::Sixteen);
        assert_eq!(depth(&[("TERM", "xterm-256color")]), ColourDepth::Indexed);
        let rich = [("TERM", "xterm-256color"), ("COLORTERM", "truecolor")];
        assert_eq!(depth(&rich), ColourDepth::True);
        assert_eq!(depth(&[&rich[..], &[("NO_COLOR", "1")]].concat()), ColourDepth::None);
        assert_eq!(depth(&[&rich[..], &[("NO_COLOR", "")]].concat()), ColourDepth::True);
    }

    #[test]
    fn colours_are_those_of_the_terminal() {
        assert_eq!(nearest_indexed((255, 0, 0)), 196);
        assert_eq!(nearest_indexed((40, 40, 40)), 235);
        let shape = "4x4".parse().unwrap();
        let fills = |depth| -> Vec<Color> {
            (0..16).map(|cell| Palette::new(depth).tile(shape, cell, true).fill).collect()
        };
        assert!(fills(ColourDepth::None).iter().all(|&fill| fill == Color::Reset));
        assert!(fills(ColourDepth::Indexed).iter().all(|c| matches!(c, Color::Indexed(16..))));
        let cells = "16x16".parse().map(|shape: Shape| (0..256).map(move |cell| (shape, cell)));
        for (shape, cell) in cells.unwrap() {
            let (row, col) = shape.row_col(cell);
            for fill in [true, false].map(|at_home| gradient(shape, row, col, at_home)) {
                let best = contrast(fill, DARK).max(contrast(fill, LIGHT));
                assert!(best >= 4.0, "a number of {cell} is hard to read: {best}");
            }
        }
        let all = fills(ColourDepth::True);
        assert!((1..16).all(|i| all[i] != all[i - 1]));
    }
}
