//! Figures: charts with a legend and with words that say how to read them.

use super::ReportError;
use super::canvas;
use super::html::escaped;
use super::marker_style::MarkerStyle;
use crate::lab::compare::Contender;

/// A figure, or why there is none.
pub(super) enum Figure {
    /// There is something to draw.
    Drawn(Drawing),
    /// There is nothing to draw.
    Missing { title: &'static str, reason: &'static str },
}

/// The content of a figure: images, legend and caption.
pub(super) struct Drawing {
    pub(super) title: &'static str,
    /// The images, with what goes around them.
    pub(super) images: Images,
    /// What the styles mean, as items of a list.
    pub(super) legend: String,
    /// How to read it.
    pub(super) caption: String,
}

/// The images of a figure.
pub(super) enum Images {
    /// A single one.
    One(String),
    /// Small ones of the same kind, each with its own caption.
    Multiples(Vec<(String, String)>),
}

impl Figure {
    /// Whether it is a single chart, of which two fit side by side.
    pub(super) fn is_single(&self) -> bool {
        matches!(self, Figure::Drawn(Drawing { images: Images::One(_), .. }))
    }

    /// The figure as a part of a page, with the next number if it has come to be one. A chart
    /// that stands alone has its words beside it.
    pub(super) fn html(&self, number: &mut usize, alone: bool) -> String {
        let Drawing { title, images, legend, caption } = match self {
            Figure::Drawn(drawing) => drawing,
            Figure::Missing { title, reason } => {
                return format!("<p class=\"missing\"><b>{title}</b> is left out: {reason}.</p>\n");
            }
        };
        *number += 1;
        let (class, images) = match images {
            Images::One(image) => (
                if alone { "alone" } else { "one" },
                format!("<div class=\"chart\">{image}</div>\n"),
            ),
            Images::Multiples(all) => {
                let one = |(image, caption): &(String, String)| {
                    format!(
                        "<div class=\"multiple\"><div class=\"chart\">{image}</div>\n\
                         <p>{caption}</p></div>\n"
                    )
                };
                let all: String = all.iter().map(one).collect();
                ("many", format!("<div class=\"multiples\">\n{all}</div>\n"))
            }
        };
        let legend = match legend.is_empty() {
            true => String::new(),
            false => format!("<ul class=\"legend\">\n{legend}</ul>\n"),
        };
        format!(
            "<figure class=\"{class}\" id=\"figure-{number}\">\n{images}{legend}\
             <figcaption><b>Figure {number}. {title}.</b> {caption}</figcaption>\n</figure>\n"
        )
    }
}

/// The part of a legend that is about contenders.
pub(super) fn contenders(
    shown: impl Iterator<Item = usize>,
    all: &[Contender],
    styles: &[MarkerStyle],
    with_lines: bool,
) -> Result<String, ReportError> {
    shown
        .map(|number| {
            let swatch = canvas::swatch(styles[number], with_lines)?;
            Ok(entry(&swatch, &all[number].name()))
        })
        .collect()
}

/// An item of a legend.
pub(super) fn entry(swatch: &str, name: &str) -> String {
    format!("<li>{swatch}<span>{}</span></li>\n", escaped(name))
}
