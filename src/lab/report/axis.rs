//! Axes: the range of values shown, and the labels.

use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use std::ops::{Range, RangeInclusive};

/// An axis of a chart.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Axis {
    /// The text beside the axis.
    pub(super) title: &'static str,
    /// Which values are labelled, and how.
    pub(super) ticks: Vec<(f64, String)>,
    /// The ends of the range; logarithms of the values on a logarithmic scale.
    ends: (f64, f64),
    scale: Scale,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Scale {
    Linear,
    Logarithmic,
}

impl Axis {
    /// Whole numbers, with half a unit of room at both ends and not many more labels than this.
    pub(super) fn whole(
        title: &'static str,
        shown: RangeInclusive<i64>,
        most_labels: usize,
    ) -> Axis {
        let (first, last) = (*shown.start(), *shown.end().max(shown.start()));
        let step = step((last - first) as f64 / most_labels as f64).max(1.0) as i64;
        // The first multiple of the step that is shown.
        let begin = first.div_euclid(step) * step;
        let begin = if begin < first { begin + step } else { begin };
        let ticks = (0..)
            .map(|number| begin + number * step)
            .take_while(|&at| at <= last)
            .map(|at| (at as f64, at.to_string().replace('-', "−")))
            .collect();
        let ends = (first as f64 - 0.5, last as f64 + 0.5);
        Axis { title, ends, ticks, scale: Scale::Linear }
    }

    /// Shares of a whole in percent, from nothing to a little more than this one.
    pub(super) fn percent(title: &'static str, largest: f64, most_labels: usize) -> Axis {
        let largest = if largest > 0.0 { largest.min(100.0) } else { 100.0 };
        let step = step(largest / most_labels as f64);
        let digits = if step < 1.0 { (-step.log10()).ceil() as usize } else { 0 };
        let ticks = (0..)
            .map(|number| f64::from(number) * step)
            .take_while(|&at| at <= largest)
            .map(|at| (at, format!("{at:.digits$} %")))
            .collect();
        Axis { title, ends: (0.0, largest * 1.04), ticks, scale: Scale::Linear }
    }

    /// Counts, by orders of magnitude, from 1.
    pub(super) fn counts(title: &'static str, counts: impl Iterator<Item = f64>) -> Axis {
        Axis::logarithmic(title, counts, 1.0, count_name)
    }

    /// Seconds, by orders of magnitude.
    pub(super) fn seconds(title: &'static str, seconds: impl Iterator<Item = f64>) -> Axis {
        Axis::logarithmic(title, seconds, 1e-9, time_name)
    }

    fn logarithmic(
        title: &'static str,
        values: impl Iterator<Item = f64>,
        least: f64,
        name: fn(i32, i32) -> String,
    ) -> Axis {
        let shown = values.filter(|value| value.is_finite() && *value >= least).map(f64::log10);
        let (mut low, mut high) = shown.fold((f64::INFINITY, f64::NEG_INFINITY), |ends, value| {
            (ends.0.min(value), ends.1.max(value))
        });
        if low > high {
            (low, high) = (least.log10(), least.log10() + 1.0);
        }
        if high - low < 1.0 {
            // Less than an order of magnitude looks like more than it is.
            low = low.floor();
            high = high.ceil().max(low + 1.0);
        }
        let room = (high - low) * 0.05;
        let ends = (low - room, high + room);
        let decades = (ends.0.ceil() as i32)..=(ends.1.floor() as i32);
        // Between the powers of ten, too, if there are few of them.
        let multiples: &[i32] = if high - low <= 3.0 { &[1, 2, 5] } else { &[1] };
        let every = 1 + (decades.end() - decades.start()) / 8;
        let ticks = (decades.start() - 1..=*decades.end())
            .filter(|power| power.rem_euclid(every) == 0)
            .flat_map(|power| multiples.iter().map(move |&digit| (digit, power)))
            .map(|(digit, power)| (f64::from(digit) * 10f64.powi(power), name(digit, power)))
            .filter(|(value, _)| (ends.0..=ends.1).contains(&value.log10()))
            .collect();
        Axis { title, ends, ticks, scale: Scale::Logarithmic }
    }

    /// Whether a value is less than what the axis can show.
    pub(super) fn is_below(&self, value: f64) -> bool {
        self.along(value) < 0.0
    }

    /// Where a value is from the beginning (0) to the end (1), or how far beyond.
    fn along(&self, value: f64) -> f64 {
        let at = match self.scale {
            Scale::Linear => value,
            Scale::Logarithmic if value > 0.0 => value.log10(),
            Scale::Logarithmic => f64::NEG_INFINITY,
        };
        (at - self.ends.0) / (self.ends.1 - self.ends.0)
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    /// What is beyond an end is drawn there.
    fn map(&self, value: &f64, (from, to): (i32, i32)) -> i32 {
        from + (self.along(*value).clamp(0.0, 1.0) * f64::from(to - from)).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        // There are no lines besides those with labels.
        let lighter = hint.weight().allow_light_points();
        if lighter { Vec::new() } else { self.ticks.iter().map(|(value, _)| *value).collect() }
    }

    fn range(&self) -> Range<f64> {
        match self.scale {
            Scale::Linear => self.ends.0..self.ends.1,
            Scale::Logarithmic => 10f64.powf(self.ends.0)..10f64.powf(self.ends.1),
        }
    }
}

impl ValueFormatter<f64> for Axis {
    fn format_ext(&self, value: &f64) -> String {
        let tick = self.ticks.iter().find(|(tick, _)| tick == value);
        tick.map(|(_, name)| name.clone()).unwrap_or_default()
    }
}

/// The least of 1, 2, 5, 10, 20, … and of their tenths that is no less than this.
fn step(least: f64) -> f64 {
    if least <= 0.0 {
        return 1.0;
    }
    let power = 10f64.powf(least.log10().floor());
    let multiple = [1.0, 2.0, 5.0, 10.0].into_iter().find(|digit| digit * power >= least);
    multiple.unwrap_or(10.0) * power
}

/// A count of this digit and so many zeros, as in `20k`.
fn count_name(digit: i32, zeros: i32) -> String {
    const NAMES: [&str; 7] = ["", "k", "M", "G", "T", "P", "E"];
    match NAMES.get(zeros.div_euclid(3) as usize) {
        Some(name) => format!("{}{name}", digit * 10i32.pow(zeros.rem_euclid(3) as u32)),
        None => format!("{digit}e{zeros}"),
    }
}

/// A time of this digit times a power of ten, in seconds.
fn time_name(digit: i32, power: i32) -> String {
    let (name, zeros) = match power {
        ..-6 => ("ns", power + 9),
        -6..-3 => ("µs", power + 6),
        -3..0 => ("ms", power + 3),
        0.. => ("s", power),
    };
    match u32::try_from(zeros) {
        Ok(zeros @ 0..=8) => format!("{} {name}", digit * 10i32.pow(zeros)),
        _ => format!("{digit}e{zeros} {name}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(axis: &Axis) -> Vec<&str> {
        axis.ticks.iter().map(|(_, name)| name.as_str()).collect()
    }

    #[test]
    fn whole_numbers_are_labelled_by_round_steps() {
        assert_eq!(names(&Axis::whole("", 4..=4, 10)), ["4"]);
        assert_eq!(names(&Axis::whole("", -3..=9, 5)), ["0", "5"]);
        assert_eq!(names(&Axis::whole("", -2..=2, 8)), ["−2", "−1", "0", "1", "2"]);
        assert_eq!(names(&Axis::whole("", 17..=103, 6)), ["20", "40", "60", "80", "100"]);
    }

    #[test]
    fn orders_of_magnitude_are_labelled_as_densely_as_fits() {
        let counts = |values: &[f64]| Axis::counts("", values.iter().copied());
        assert_eq!(names(&counts(&[])), ["1", "2", "5", "10"]);
        assert_eq!(names(&counts(&[0.0])), ["1", "2", "5", "10"]);
        assert_eq!(names(&counts(&[300.0])), ["100", "200", "500", "1k"]);
        assert_eq!(names(&counts(&[1.0, 1e6])), ["1", "10", "100", "1k", "10k", "100k", "1M"]);
        assert!(counts(&[1.0, 1.8e19]).ticks.len() <= 11);
        let times = Axis::seconds("", [5e-7, 3.0].into_iter());
        assert_eq!(names(&times), ["1 µs", "10 µs", "100 µs", "1 ms", "10 ms", "100 ms", "1 s"]);
    }

    #[test]
    fn what_is_too_small_is_drawn_at_the_end() {
        let axis = Axis::counts("", [0.0, 10.0, 1e4].into_iter());
        let at = |value: f64| axis.map(&value, (100, 0));
        assert_eq!([at(0.0), at(0.5), at(f64::NEG_INFINITY)], [100; 3]);
        assert_eq!([at(f64::MAX), at(f64::INFINITY)], [0; 2]);
        assert!(axis.is_below(0.0) && !axis.is_below(10.0));
        assert!(at(10.0) > at(100.0) && at(100.0) > at(1000.0));
    }

    #[test]
    fn shares_begin_at_nothing() {
        assert_eq!(names(&Axis::percent("", 43.0, 5)), ["0 %", "10 %", "20 %", "30 %", "40 %"]);
        assert_eq!(names(&Axis::percent("", 0.0, 4)), ["0 %", "50 %", "100 %"]);
        assert_eq!(names(&Axis::percent("", 1.0, 2)), ["0.0 %", "0.5 %", "1.0 %"]);
    }
}
