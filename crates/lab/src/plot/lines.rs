//! Curves: one line for each series, a band of one standard error around it.

use super::scale::Scale;
use super::svg::{Anchor, Drawing, LINE, WIDTH, width_of};
use super::{Axis, Estimate, N_COLOURS};
use std::fmt::Write;

/// A plot of curves.
#[derive(Debug, Clone, PartialEq)]
pub struct Lines {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// The curves; their colours come in this order.
    pub series: Vec<Series>,
}

/// One curve.
#[derive(Debug, Clone, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// From left to right.
    pub points: Vec<Point>,
}

/// One point of a curve.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Point {
    /// Where.
    pub x: f64,
    /// How much.
    pub y: Estimate,
}

const HEIGHT: f64 = 230.0;

impl Lines {
    /// The figure as SVG.
    pub fn render(&self) -> String {
        let mut drawing = Drawing::new();
        let names: Vec<&str> = self.series.iter().map(|line| line.name.as_str()).collect();
        let top = drawing.legend(&names) + LINE + 8.0;
        let points = || self.series.iter().flat_map(|line| &line.points);
        let bottom = top + HEIGHT;
        let heights = points().flat_map(|point| [point.y.range().0, point.y.range().1]);
        let y = Scale::over(heights, (bottom, top), 5, self.y.unit);
        let labels = y.ticks(self.y.unit);
        let widest = labels.iter().map(|(_, label)| width_of(label));
        let left = widest.fold(0.0, f64::max) + 8.0;
        let most = points().map(|point| point.x).fold(0.0, f64::max);
        let across = points().map(|point| point.x);
        let x = Scale::over(across, (left, WIDTH - 14.0), 5, self.x.unit).cut_at(most);
        drawing.text((0.0, top - 14.0), Anchor::Start, "axis", &self.y.label);
        for (at, label) in labels {
            drawing.line((left, at), (WIDTH - 14.0, at), "grid");
            drawing.text((left - 6.0, at + 4.0), Anchor::End, "tick", &label);
        }
        for (at, label) in x.ticks(self.x.unit) {
            drawing.line((at, bottom), (at, bottom + 4.0), "grid");
            // The last label ends with the figure.
            let half = width_of(&label) / 2.0;
            let at = at.min(WIDTH - half);
            drawing.text((at, bottom + LINE), Anchor::Middle, "tick", &label);
        }
        let low = bottom + 2.0 * LINE;
        drawing.text((WIDTH - 14.0, low), Anchor::End, "axis", &self.x.label);
        for (idx, series) in self.series.iter().enumerate() {
            draw(&mut drawing, series, idx % N_COLOURS, (&x, &y));
        }
        drawing.finish(low + 6.0, &self.title)
    }
}

fn draw(drawing: &mut Drawing, series: &Series, colour: usize, (x, y): (&Scale, &Scale)) {
    let is_finite = |point: &&Point| point.x.is_finite() && point.y.mean.is_finite();
    let points: Vec<&Point> = series.points.iter().filter(is_finite).collect();
    if points.iter().any(|point| point.y.error.is_some()) {
        let upper = points.iter().map(|point| (point.x, point.y.range().1));
        let lower = points
            .iter()
            .rev()
            .map(|point| (point.x, point.y.range().0));
        let outline = path(upper.chain(lower), (x, y));
        drawing.raw(format_args!(
            r#"<path d="{outline}Z" class="band c{colour}"/>"#
        ));
    }
    let curve = path(points.iter().map(|point| (point.x, point.y.mean)), (x, y));
    drawing.raw(format_args!(
        r#"<path d="{curve}" class="curve c{colour}"><title>{}</title></path>"#,
        super::svg::Escaped(&series.name)
    ));
    if let [only] = points[..] {
        let (cx, cy) = (x.place(only.x), y.place(only.y.mean));
        drawing.raw(format_args!(
            r#"<circle cx="{cx:.1}" cy="{cy:.1}" r="3" class="fill c{colour}"/>"#
        ));
    }
}

fn path(points: impl Iterator<Item = (f64, f64)>, (x, y): (&Scale, &Scale)) -> String {
    let mut path = String::new();
    for (across, up) in points {
        let step = if path.is_empty() { 'M' } else { 'L' };
        let _ = write!(path, "{step}{:.1} {:.1}", x.place(across), y.place(up));
    }
    path
}
