//! Columns that stand: a histogram, with a column for each series side by side.

use super::bars::BarSeries;
use super::scale::Scale;
use super::svg::{Anchor, Drawing, LINE, WIDTH, width_of};
use super::{Axis, N_COLOURS};

/// A plot of columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Columns {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// What is written under the groups.
    pub x: String,
    /// Upwards.
    pub y: Axis,
    /// What each group of columns is about, from the left; names are short.
    pub groups: Vec<String>,
    /// The columns of each group; their colours come in this order.
    pub series: Vec<BarSeries>,
}

const HEIGHT: f64 = 180.0;

impl Columns {
    /// The figure as SVG. Errors are not drawn.
    pub fn render(&self) -> String {
        let mut drawing = Drawing::new();
        let names: Vec<&str> = self.series.iter().map(|one| one.name.as_str()).collect();
        let top = drawing.legend(&names) + LINE + 8.0;
        let bottom = top + HEIGHT;
        let values = self.series.iter().flat_map(|one| &one.values);
        let heights = values.flatten().map(|value| value.mean);
        let y = Scale::over(heights, (bottom, top), 4, self.y.unit);
        let labels = y.ticks(self.y.unit);
        let widest = labels.iter().map(|(_, label)| width_of(label));
        let left = widest.fold(0.0, f64::max) + 8.0;
        drawing.text((0.0, top - 14.0), Anchor::Start, "axis", &self.y.label);
        for (at, label) in labels {
            drawing.line((left, at), (WIDTH, at), "grid");
            drawing.text((left - 6.0, at + 4.0), Anchor::End, "tick", &label);
        }
        let group_width = (WIDTH - left) / self.groups.len().max(1) as f64;
        let start = |group_idx: usize| left + group_idx as f64 * group_width;
        for group_idx in 0..self.groups.len() {
            self.draw_group(&mut drawing, group_idx, (start(group_idx), group_width), &y);
        }
        self.name_groups(&mut drawing, bottom + LINE - 4.0, start);
        let low = bottom + 2.0 * LINE - 4.0;
        drawing.text((WIDTH, low), Anchor::End, "axis", &self.x);
        drawing.finish(low + 6.0, &self.title)
    }

    fn draw_group(
        &self,
        drawing: &mut Drawing,
        group_idx: usize,
        (start, width): (f64, f64),
        y: &Scale,
    ) {
        let gap = width * 0.15;
        let thick = (width - gap) / self.series.len().max(1) as f64;
        for (idx, series) in self.series.iter().enumerate() {
            let value = series.values.get(group_idx).copied().flatten();
            let Some(value) = value.filter(|value| value.mean.is_finite()) else {
                continue;
            };
            let x = start + gap / 2.0 + idx as f64 * thick;
            let (end, zero) = (y.place(value.mean), y.place(0.0));
            let style = format!(r#"class="fill c{}""#, idx % N_COLOURS);
            let group = &self.groups[group_idx];
            let written = self.y.unit.write(value.mean);
            let title = format!("{group}, {}: {written}", series.name);
            let corner = (x, end.min(zero));
            drawing.rect(corner, (thick, (zero - end).abs()), &style, &title);
        }
    }

    /// Every group is named, or every second or third one where they are many.
    fn name_groups(&self, drawing: &mut Drawing, y: f64, start: impl Fn(usize) -> f64) {
        let widest = self.groups.iter().map(|group| width_of(group));
        let widest = widest.fold(0.0, f64::max) + 4.0;
        let width = start(1) - start(0);
        let every = (widest / width).ceil().max(1.0) as usize;
        for (group_idx, group) in self.groups.iter().enumerate().step_by(every) {
            let middle = start(group_idx) + width / 2.0;
            drawing.text((middle, y), Anchor::Middle, "tick", group);
        }
    }
}
