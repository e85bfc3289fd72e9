//! Markers and lines that distinguish contenders in the charts.
//!
//! Heuristics differ by colour and, so that nothing depends on colours alone, by the shape of
//! their markers. Algorithms differ by whether these are filled and whether the line is dashed.
//! Where that does not distinguish all of them, every contender has its own colour and
//! shape.

use super::theme::{COLOURS, Colour};
use crate::lab::compare::Contender;

/// How a contender is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MarkerStyle {
    pub(super) colour: Colour,
    pub(super) shape: Shape,
    pub(super) fill: Fill,
    pub(super) dash: Dash,
}

/// The shape of a marker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Shape {
    Circle,
    Square,
    Triangle,
    Diamond,
    Plus,
    TriangleDown,
    Cross,
    Star,
}

const SHAPES: [Shape; 8] = [
    Shape::Circle,
    Shape::Square,
    Shape::Triangle,
    Shape::Diamond,
    Shape::Plus,
    Shape::TriangleDown,
    Shape::Cross,
    Shape::Star,
];

/// How the inside of a marker is filled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fill {
    Full,
    Hollow,
    /// Hollow, with a dot in the middle.
    Cored,
}

/// The dash pattern of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Dash {
    Solid,
    Dashed,
    Dotted,
}

/// How the markers and lines of algorithms differ.
const MANNERS: [(Fill, Dash); 3] =
    [(Fill::Full, Dash::Solid), (Fill::Hollow, Dash::Dashed), (Fill::Cored, Dash::Dotted)];

/// The styles of contenders, in their order. Up to 64 are different.
pub(super) fn marker_styles(contenders: &[Contender]) -> Vec<MarkerStyle> {
    let heuristics = distinct(contenders.iter().map(|contender| contender.heuristic.as_deref()));
    let algorithms = distinct(contenders.iter().map(|contender| contender.algorithm.as_str()));
    let style = |kind: usize, manner: usize| {
        let (fill, dash) = MANNERS[manner];
        // The second time round, each colour comes with the next shape.
        let shape = SHAPES[(kind + kind / COLOURS) % SHAPES.len()];
        MarkerStyle { colour: Colour::Series(kind), shape, fill, dash }
    };
    if heuristics.len() > 1 && algorithms.len() <= MANNERS.len() {
        let style_of = |contender: &Contender| {
            let heuristic = contender.heuristic.as_deref();
            style(place(&heuristics, &heuristic), place(&algorithms, &contender.algorithm.as_str()))
        };
        contenders.iter().map(style_of).collect()
    } else {
        (0..contenders.len()).map(|number| style(number, 0)).collect()
    }
}

fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut distinct = Vec::new();
    for one in all {
        if !distinct.contains(&one) {
            distinct.push(one);
        }
    }
    distinct
}

fn place<T: PartialEq>(among: &[T], one: &T) -> usize {
    among.iter().position(|other| other == one).expect("it is one of them")
}

impl Shape {
    /// The corners of a marker of this radius around the origin; a circle has none.
    pub(super) fn corners(self, radius: f64) -> Option<Vec<(i32, i32)>> {
        let corners = match self {
            Shape::Circle => return None,
            Shape::Square => ring(&[1.25], 4, 45.0),
            Shape::Triangle => ring(&[1.4], 3, 0.0),
            Shape::Diamond => ring(&[1.3], 4, 0.0),
            Shape::TriangleDown => ring(&[1.4], 3, 180.0),
            Shape::Star => ring(&[1.5, 0.65], 10, 0.0),
            Shape::Plus => thick_plus(0.0),
            Shape::Cross => thick_plus(45.0),
        };
        let scaled =
            |(x, y): (f64, f64)| ((x * radius).round() as i32, (y * radius).round() as i32);
        Some(corners.into_iter().map(scaled).collect())
    }
}

/// So many points around the origin, at these radii in turn, the first one turned from the top.
fn ring(radii: &[f64], points: usize, degrees: f64) -> Vec<(f64, f64)> {
    let point = |number: usize| {
        let angle = (number as f64 * 360.0 / points as f64 + degrees).to_radians();
        let radius = radii[number % radii.len()];
        (radius * angle.sin(), -radius * angle.cos())
    };
    (0..points).map(point).collect()
}

/// The outline of two crossing bars.
fn thick_plus(degrees: f64) -> Vec<(f64, f64)> {
    let (arm, half) = (1.25, 0.42);
    let quarter = [(-half, -arm), (half, -arm), (half, -half)];
    let turned = |(x, y): (f64, f64), angle: f64| {
        let (sin, cos) = angle.to_radians().sin_cos();
        (x * cos - y * sin, x * sin + y * cos)
    };
    (0..4)
        .flat_map(|quarters| {
            let angle = degrees + 90.0 * f64::from(quarters);
            quarter.map(|corner| turned(corner, angle))
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn contenders(algorithms: usize, heuristics: usize) -> Vec<Contender> {
        let contender = |number: usize| Contender {
            algorithm: format!("a{}", number / heuristics),
            heuristic: Some(format!("h{}", number % heuristics)),
            admissible: None,
            consistent: None,
            only_claims: false,
        };
        (0..algorithms * heuristics).map(contender).collect()
    }

    #[test]
    fn contenders_have_different_styles() {
        for (algorithms, heuristics) in [(1, 1), (1, 20), (3, 16), (12, 1), (7, 9)] {
            let styles = marker_styles(&contenders(algorithms, heuristics));
            for (number, style) in styles.iter().enumerate() {
                assert!(!styles[..number].contains(style), "{algorithms} {heuristics}: {style:?}");
            }
        }
    }

    #[test]
    fn a_heuristic_keeps_its_colour_and_shape() {
        let styles = marker_styles(&contenders(2, 5));
        for (one, other) in styles[..5].iter().zip(&styles[5..]) {
            assert_eq!((one.colour, one.shape), (other.colour, other.shape));
            assert_ne!(one.fill, other.fill);
        }
    }
}
