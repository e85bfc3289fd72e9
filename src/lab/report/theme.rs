//! The colours of the charts, on light and on dark paper.
//!
//! The drawing library writes colours as attributes of each shape, and such an attribute cannot
//! say "whatever the page's text is". So every colour of a chart is one of this list in its light
//! form, and the style sheet has a rule for each that finds it by that very attribute and puts
//! the page's own colour in its place, light or dark. Without the style sheet, as when a chart is
//! taken out of the page into another document, the attributes still hold what is right on white.

use plotters::style::RGBColor;

/// A colour of a chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Colour {
    /// Text and axes.
    Ink,
    /// Grid lines.
    Grid,
    /// The background.
    Paper,
    /// The colour of a series, by its number; colours repeat.
    Series(usize),
}

/// The background of the page: light, dark.
const PAPER: Shades = Shades { light: (0xff, 0xff, 0xff), dark: (0x14, 0x17, 0x1a) };
const INK: Shades = Shades { light: (0x1f, 0x23, 0x28), dark: (0xe3, 0xe6, 0xea) };
const GRID: Shades = Shades { light: (0xdf, 0xe2, 0xe6), dark: (0x33, 0x38, 0x3e) };

/// Colours that differ in hue and in lightness: with any of the common kinds of colour blindness,
/// too, any two of them are well apart, and each stands out from its paper.
const SERIES: [Shades; 8] = [
    Shades { light: (0x1f, 0x55, 0xc6), dark: (0x64, 0x99, 0xf3) },
    Shades { light: (0xbd, 0x3c, 0x15), dark: (0xfe, 0xac, 0x67) },
    Shades { light: (0x3a, 0xa0, 0x88), dark: (0x5b, 0xf9, 0xd0) },
    Shades { light: (0x88, 0x4e, 0x7d), dark: (0xe8, 0x59, 0x9f) },
    Shades { light: (0xc5, 0x84, 0x1c), dark: (0xa1, 0x8a, 0x25) },
    Shades { light: (0x36, 0x00, 0x7e), dark: (0x6a, 0x57, 0xcb) },
    Shades { light: (0x63, 0x08, 0x05), dark: (0xa5, 0x48, 0x51) },
    Shades { light: (0x51, 0x45, 0x48), dark: (0xb5, 0xb9, 0xc1) },
];

/// How many different series colours there are.
pub(super) const COLOURS: usize = SERIES.len();

type Rgb = (u8, u8, u8);

/// A colour on light and on dark paper.
#[derive(Clone, Copy)]
struct Shades {
    light: Rgb,
    dark: Rgb,
}

impl Colour {
    /// Estimates that do not exceed the distance.
    pub(super) const FINE: Colour = Colour::Series(0);
    /// Estimates that exceed the distance.
    pub(super) const TOO_HIGH: Colour = Colour::Series(1);

    fn shades(self) -> Shades {
        match self {
            Colour::Ink => INK,
            Colour::Grid => GRID,
            Colour::Paper => PAPER,
            Colour::Series(number) => SERIES[number % COLOURS],
        }
    }

    /// The colour as it is drawn.
    pub(super) fn rgb(self) -> RGBColor {
        let (red, green, blue) = self.shades().light;
        RGBColor(red, green, blue)
    }

    /// Its name in the style sheet.
    pub(super) fn variable(self) -> String {
        match self {
            Colour::Ink => "--ink".to_owned(),
            Colour::Grid => "--grid".to_owned(),
            Colour::Paper => "--paper".to_owned(),
            Colour::Series(number) => format!("--series-{}", number % COLOURS),
        }
    }

    fn all() -> impl Iterator<Item = Colour> {
        let series = (0..COLOURS).map(Colour::Series);
        [Colour::Ink, Colour::Grid, Colour::Paper].into_iter().chain(series)
    }
}

/// The part of the style sheet that is about these colours.
pub(super) fn rules() -> String {
    let variables = |shade: fn(Shades) -> Rgb| -> String {
        let variable =
            |colour: Colour| format!("{}:{};", colour.variable(), hex(shade(colour.shades())));
        Colour::all().map(variable).collect()
    };
    let (light, dark) = (variables(|shades| shades.light), variables(|shades| shades.dark));
    // What is printed is on white paper, whatever the screen is like.
    let mut rules = format!(
        ":root{{color-scheme:light dark;{light}}}\n\
         @media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n"
    );
    for colour in Colour::all() {
        let (drawn, variable) = (hex(colour.shades().light), colour.variable());
        for attribute in ["fill", "stroke"] {
            rules += &format!("svg [{attribute}=\"{drawn}\"]{{{attribute}:var({variable})}}\n");
        }
    }
    rules
}

/// As the drawing library writes it.
fn hex((red, green, blue): Rgb) -> String {
    format!("#{red:02X}{green:02X}{blue:02X}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    /// How much light there is of a channel.
    fn linear(channel: u8) -> f64 {
        let c = f64::from(channel) / 255.0;
        if c <= 0.04045 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
    }

    /// The contrast of two colours by the Web Content Accessibility Guidelines.
    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let luminance = |(red, green, blue): Rgb| {
            0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
        };
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn colours_can_be_seen_on_their_paper() {
        for shades in SERIES {
            assert!(contrast(shades.light, PAPER.light) >= 3.0);
            assert!(contrast(shades.dark, PAPER.dark) >= 3.0);
        }
        assert!(contrast(INK.light, PAPER.light) >= 7.0);
        assert!(contrast(INK.dark, PAPER.dark) >= 7.0);
    }

    /// What people see of a colour who lack the first, the second or the third kind of cones
    /// (Machado, Oliveira and Fernandes 2009, "A physiologically-based model for simulation of
    /// color vision deficiency"), and what all others see, by linear red, green and blue.
    const EYES: [[[f64; 3]; 3]; 4] = [
        [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        [[0.152, 1.053, -0.205], [0.115, 0.786, 0.099], [-0.004, -0.048, 1.052]],
        [[0.367, 0.861, -0.228], [0.280, 0.673, 0.047], [-0.012, 0.043, 0.969]],
        [[1.256, -0.077, -0.179], [-0.078, 0.931, 0.148], [0.005, 0.691, 0.304]],
    ];

    fn times(matrix: [[f64; 3]; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
        matrix.map(|[a, b, c]| a * x + b * y + c * z)
    }

    /// How far apart colours look, where black and white are 1 apart (Ottosson 2020, "A
    /// perceptual color space for image processing").
    fn difference(one: Rgb, other: Rgb, eye: [[f64; 3]; 3]) -> f64 {
        let lab = |(red, green, blue): Rgb| {
            let seen = times(eye, [red, green, blue].map(linear)).map(|c| c.clamp(0.0, 1.0));
            let cones = [
                [0.412_221, 0.536_333, 0.051_446],
                [0.211_903, 0.680_700, 0.107_397],
                [0.088_302, 0.281_719, 0.629_979],
            ];
            let axes = [
                [0.210_454, 0.793_618, -0.004_072],
                [1.977_998, -2.428_592, 0.450_594],
                [0.025_904, 0.782_772, -0.808_676],
            ];
            times(axes, times(cones, seen).map(f64::cbrt))
        };
        let (one, other) = (lab(one), lab(other));
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn colours_are_well_apart_for_all_eyes() {
        for (number, one) in SERIES.iter().enumerate() {
            for (other, eye) in
                SERIES[..number].iter().flat_map(|other| EYES.map(|eye| (other, eye)))
            {
                assert!(difference(one.light, other.light, eye) > 0.095, "{number}");
                assert!(difference(one.dark, other.dark, eye) > 0.095, "{number}");
            }
        }
    }

    #[test]
    fn no_colour_is_drawn_like_another() {
        let drawn: BTreeSet<String> =
            Colour::all().map(|colour| hex(colour.shades().light)).collect();
        assert_eq!(drawn.len(), COLOURS + 3);
    }
}
