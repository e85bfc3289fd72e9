//! Where charts are drawn: the axes, and lines, markers and bars between them.

use super::ReportError;
use super::axis::Axis;
use super::html::escaped;
use super::marker_style::{Dash, Fill, MarkerStyle};
use super::theme::Colour;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io;

/// So many units of a drawing make a pixel of a page that shows it in its natural size: the
/// drawing library knows whole units only.
const UNIT: u32 = 4;

/// The size of letters, in pixels.
const LETTERS: f64 = 13.0;

/// The radius of markers, in pixels.
const RADIUS: f64 = 4.2;

/// A chart without its content.
pub(super) struct Plot<'a> {
    /// A description for screen readers.
    pub(super) label: String,
    /// The width and the height, in pixels.
    pub(super) size: (u32, u32),
    pub(super) x: &'a Axis,
    pub(super) y: &'a Axis,
}

/// What a chart is drawn on.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Cartesian2d<Axis, Axis>>,
}

/// How a line is drawn.
#[derive(Clone, Copy)]
pub(super) struct Line {
    pub(super) colour: Colour,
    pub(super) dash: Dash,
    /// In quarters of a pixel.
    pub(super) width: u32,
}

impl Plot<'_> {
    /// Draws the axes and, between them, the content; returns the image.
    pub(super) fn draw(
        &self,
        content: impl FnOnce(&Canvas) -> Result<(), ReportError>,
    ) -> Result<String, ReportError> {
        image(self.size, &format!("role=\"img\" aria-label=\"{}\"", escaped(&self.label)), |root| {
            let Plot { x, y, .. } = self;
            let letters = text(Colour::Ink);
            // Without fonts at hand, the width of a label is a guess: a digit is about this wide.
            let width = |name: &str| name.chars().count() as f64 * LETTERS * 0.6;
            let widest =
                |axis: &Axis| axis.ticks.iter().map(|(_, name)| width(name)).fold(8.0, f64::max);
            // Half of a label may stand beyond the end of its axis.
            let (beside, beyond) = (widest(y).ceil() as u32, (widest(x) / 2.0).ceil() as u32);
            let mut chart = ChartBuilder::on(root)
                .margin_top(7 * UNIT)
                .margin_right((beyond + 3) * UNIT)
                .x_label_area_size(44 * UNIT)
                .y_label_area_size((beside + 32) * UNIT)
                .build_cartesian_2d((*x).clone(), (*y).clone())
                .map_err(failed)?;
            chart
                .configure_mesh()
                .bold_line_style(Colour::Grid.rgb().stroke_width(UNIT))
                .axis_style(Colour::Ink.rgb().stroke_width(UNIT))
                .label_style(letters.clone())
                .set_all_tick_mark_size(4 * UNIT)
                .draw()
                .map_err(failed)?;
            // The drawing library would write titles twice.
            let (_, height) = root.dim_in_pixel();
            let (columns, rows) = chart.plotting_area().get_pixel_range();
            let middle = |range: std::ops::Range<i32>| i32::midpoint(range.start, range.end);
            let bottom = letters.pos(Pos::new(HPos::Center, VPos::Bottom));
            let below = (middle(columns), height as i32 - UNIT as i32);
            root.draw_text(x.title, &bottom, below).map_err(failed)?;
            let left =
                letters.transform(FontTransform::Rotate270).pos(Pos::new(HPos::Center, VPos::Top));
            root.draw_text(y.title, &left, (UNIT as i32, middle(rows))).map_err(failed)?;
            content(&Canvas { area: chart.plotting_area().clone() })
        })
    }
}

impl Canvas<'_> {
    /// Draws a line through points.
    pub(super) fn line(&self, points: &[(f64, f64)], line: Line) -> Result<(), ReportError> {
        draw_line(&self.area, points.to_vec(), line)
    }

    /// Draws a marker, whole or faint.
    pub(super) fn marker(
        &self,
        at: (f64, f64),
        style: MarkerStyle,
        faint: bool,
    ) -> Result<(), ReportError> {
        draw_marker(&self.area, at, style, faint)
    }

    /// Fills a rectangle between two corners, with a gap of a pixel to the next one where there
    /// is room.
    pub(super) fn bar(
        &self,
        corners: [(f64, f64); 2],
        colour: Colour,
        opacity: f64,
    ) -> Result<(), ReportError> {
        let style = colour.rgb().mix(opacity).filled();
        let mut bar = Rectangle::new(corners, style);
        let [one, other] = corners.map(|corner| self.area.map_coordinate(&corner));
        let gap = |from: i32, to: i32| if from.abs_diff(to) >= 6 * UNIT { UNIT / 2 } else { 0 };
        let (above, beside) = (gap(one.1, other.1), gap(one.0, other.0));
        bar.set_margin(above, above, beside, beside);
        self.area.draw(&bar).map_err(failed)
    }

    /// The pixel of a point, by which crowds can be thinned out.
    pub(super) fn pixel(&self, at: (f64, f64)) -> (i32, i32) {
        let (x, y) = self.area.map_coordinate(&at);
        (x / UNIT as i32, y / UNIT as i32)
    }
}

/// A small image of a contender's line and marker, for a legend.
pub(super) fn swatch(style: MarkerStyle, with_line: bool) -> Result<String, ReportError> {
    let middle = 7 * UNIT as i32;
    if !with_line {
        return image((14, 14), SWATCH, |root| draw_marker(root, (middle, middle), style, false));
    }
    image((34, 14), SWATCH, |root| {
        draw_line(
            root,
            vec![(UNIT as i32, middle), (33 * UNIT as i32, middle)],
            Line::from_style(style),
        )?;
        draw_marker(root, (17 * UNIT as i32, middle), style, false)
    })
}

/// A small image of a line alone.
pub(super) fn line_swatch(line: Line) -> Result<String, ReportError> {
    image((34, 14), SWATCH, |root| {
        let middle = 7 * UNIT as i32;
        draw_line(root, vec![(UNIT as i32, middle), (33 * UNIT as i32, middle)], line)
    })
}

/// The name beside it says it all.
const SWATCH: &str = "class=\"swatch\" aria-hidden=\"true\"";

impl Line {
    /// The line of a contender.
    pub(super) fn from_style(style: MarkerStyle) -> Line {
        Line { colour: style.colour, dash: style.dash, width: 7 }
    }
}

/// An image of this size in pixels, which grows and shrinks with its surroundings.
fn image(
    (width, height): (u32, u32),
    attributes: &str,
    content: impl FnOnce(&DrawingArea<SVGBackend, plotters::coord::Shift>) -> Result<(), ReportError>,
) -> Result<String, ReportError> {
    let (width, height) = (width * UNIT, height * UNIT);
    let mut drawing = String::new();
    let root = SVGBackend::with_string(&mut drawing, (width, height)).into_drawing_area();
    content(&root)?;
    root.present().map_err(failed)?;
    drop(root);
    let inside = drawing.find('>').map_or(0, |end| end + 1);
    let opening = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" {attributes}>"
    );
    Ok(opening + drawing[inside..].trim_end())
}

fn draw_line<C>(
    area: &DrawingArea<SVGBackend, C>,
    points: Vec<C::From>,
    Line { colour, dash, width }: Line,
) -> Result<(), ReportError>
where
    C: CoordTranslate,
    C::From: Clone,
{
    let style = colour.rgb().stroke_width(width);
    let (on, off) = match dash {
        Dash::Solid => return area.draw(&PathElement::new(points, style)).map_err(failed),
        Dash::Dashed => (6 * UNIT, 4 * UNIT),
        Dash::Dotted => (2 * UNIT, 3 * UNIT),
    };
    area.draw(&DashedPathElement::new(points, on, off, style)).map_err(failed)
}

fn draw_marker<C>(
    area: &DrawingArea<SVGBackend, C>,
    at: C::From,
    style: MarkerStyle,
    faint: bool,
) -> Result<(), ReportError>
where
    C: CoordTranslate,
    C::From: Clone,
{
    let radius = RADIUS * f64::from(UNIT);
    let opacity = if faint { 0.4 } else { 1.0 };
    let colour = style.colour.rgb().mix(opacity);
    let filled = |colour: RGBAColor, radius: f64| match style.shape.corners(radius) {
        Some(corners) => {
            let polygon = Polygon::new(corners, colour.filled());
            area.draw(&(EmptyElement::at(at.clone()) + polygon)).map_err(failed)
        }
        None => {
            let circle = Circle::new((0, 0), radius.round() as i32, colour.filled());
            area.draw(&(EmptyElement::at(at.clone()) + circle)).map_err(failed)
        }
    };
    // An outline in the background colour separates overlapping markers.
    let hem = f64::from(UNIT) * 1.1;
    filled(Colour::Paper.rgb().mix(opacity), radius + hem)?;
    filled(colour, radius)?;
    match style.fill {
        Fill::Full => Ok(()),
        Fill::Hollow => filled(Colour::Paper.rgb().mix(1.0), radius * 0.6),
        Fill::Cored => {
            filled(Colour::Paper.rgb().mix(1.0), radius * 0.7)?;
            filled(colour, radius * 0.35)
        }
    }
}

fn text(colour: Colour) -> TextStyle<'static> {
    // The drawing library takes a font to be larger than it is by this factor.
    let size = LETTERS * f64::from(UNIT) * 1.24;
    ("sans-serif", size).into_font().color(&colour.rgb())
}

#[expect(clippy::needless_pass_by_value, reason = "it is handed over like this")]
fn failed(error: DrawingAreaErrorKind<io::Error>) -> ReportError {
    ReportError::Drawing(error.to_string())
}
