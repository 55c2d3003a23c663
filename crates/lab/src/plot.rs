//! Plots as SVG, for pages that work without a network.
//!
//! Every figure takes means with standard errors, so that one crawl and
//! several of them with many seeds are drawn the same way. Colours and fonts
//! are classes of [`page::STYLE`], which knows light and dark; a figure is as
//! wide as its column and readable on a phone. Numbers are written into the
//! figure where there is room, and as a title of each mark for pointers and
//! screen readers.
//!
//! Written by hand: the figures are five, each a page of code, and plotting
//! crates draw to pixels or fixed colours and bring fonts along.

mod bars;
mod columns;
mod heat_map;
mod lines;
mod map;
mod outlines;
pub mod page;
mod scale;
mod svg;
#[cfg(test)]
mod tests;

pub use bars::{BarSeries, Bars};
pub use columns::Columns;
pub use heat_map::HeatMap;
pub use lines::{Lines, Point, Series};
pub use map::{Dot, Frame, Map};
pub use scale::Unit;

/// A value that may be uncertain.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    /// The value, or the mean of several.
    pub mean: f64,
    /// Its standard error; none where it is exact.
    pub error: Option<f64>,
}

impl Estimate {
    /// A value without an error.
    pub fn exact(mean: f64) -> Estimate {
        Estimate { mean, error: None }
    }

    /// The mean of some values with its standard error; none of no value.
    pub fn of(values: &[f64]) -> Option<Estimate> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        let squares = values.iter().map(|value| (value - mean).powi(2));
        let variance = squares.sum::<f64>() / (n - 1.0);
        match values.len() {
            0 => None,
            1 => Some(Estimate::exact(mean)),
            _ => Some(Estimate {
                mean,
                error: Some((variance / n).sqrt()),
            }),
        }
    }

    /// The mean and one standard error to either side.
    fn range(self) -> (f64, f64) {
        let error = self.error.unwrap_or(0.0);
        (self.mean - error, self.mean + error)
    }
}

/// What stands along an axis.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Axis {
    /// What it says.
    pub label: String,
    /// How its numbers are written.
    pub unit: Unit,
}

impl Axis {
    /// An axis of this name and unit.
    pub fn new(label: &str, unit: Unit) -> Axis {
        Axis {
            label: label.to_owned(),
            unit,
        }
    }
}

/// Colours there are before they come round again.
pub const N_COLOURS: usize = 8;
