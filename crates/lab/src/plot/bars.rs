//! Bars that lie: a group for each thing, in it a bar for each series.

use super::scale::Scale;
use super::svg::{Anchor, Drawing, LINE, WIDTH, fitted, width_of};
use super::{Axis, Estimate, N_COLOURS};

/// A plot of bars.
#[derive(Debug, Clone, PartialEq)]
pub struct Bars {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// To the right.
    pub x: Axis,
    /// What each group of bars is about, from the top.
    pub groups: Vec<String>,
    /// The bars of each group; their colours come in this order.
    pub series: Vec<BarSeries>,
}

/// One bar in every group.
#[derive(Debug, Clone, PartialEq)]
pub struct BarSeries {
    /// Its name in the legend.
    pub name: String,
    /// How long it is in each group; none where there is nothing to show.
    pub values: Vec<Option<Estimate>>,
}

/// Most room for the names of groups.
const MOST_NAME: f64 = 150.0;

impl Bars {
    /// The figure as SVG.
    pub fn render(&self) -> String {
        let mut drawing = Drawing::new();
        let names: Vec<&str> = self.series.iter().map(|bars| bars.name.as_str()).collect();
        let top = drawing.legend(&names) + 4.0;
        let widest = self.groups.iter().map(|group| width_of(group));
        let left = widest.fold(0.0, f64::max).min(MOST_NAME) + 10.0;
        let thick = if self.series.len() > 2 { 9.0 } else { 13.0 };
        let group_height = self.series.len() as f64 * (thick + 2.0) + 10.0;
        let bottom = top + group_height * self.groups.len() as f64;
        let values = self
            .series
            .iter()
            .flat_map(|bars| bars.values.iter().flatten());
        let written = values
            .clone()
            .map(|value| width_of(&self.x.unit.write(value.mean)));
        let right = WIDTH - written.fold(0.0, f64::max) - 8.0;
        let ends = values.flat_map(|value| [value.range().0, value.range().1]);
        let x = Scale::over(ends, (left, right), 4, self.x.unit);
        for (at, label) in x.ticks(self.x.unit) {
            drawing.line((at, top), (at, bottom), "grid");
            drawing.text((at, bottom + 14.0), Anchor::Middle, "tick", &label);
        }
        for (group_idx, group) in self.groups.iter().enumerate() {
            let from = top + group_idx as f64 * group_height + 5.0;
            let middle = from + (group_height - 10.0) / 2.0 + 4.0;
            let name = fitted(group, MOST_NAME);
            drawing.text((left - 8.0, middle), Anchor::End, "label", &name);
            for (idx, series) in self.series.iter().enumerate() {
                let y = from + idx as f64 * (thick + 2.0);
                let value = series.values.get(group_idx).copied().flatten();
                let colour = idx % N_COLOURS;
                let title = format!("{group}, {}", series.name);
                self.draw(&mut drawing, value, (&x, y, thick), colour, &title);
            }
        }
        let low = bottom + 14.0 + LINE;
        drawing.text((right, low), Anchor::End, "axis", &self.x.label);
        drawing.finish(low + 6.0, &self.title)
    }

    fn draw(
        &self,
        drawing: &mut Drawing,
        value: Option<Estimate>,
        (x, y, thick): (&Scale, f64, f64),
        colour: usize,
        title: &str,
    ) {
        let zero = x.place(0.0);
        let text_y = y + thick / 2.0 + 4.0;
        let Some(value) = value.filter(|value| value.mean.is_finite()) else {
            drawing.text((zero + 4.0, text_y), Anchor::Start, "tick", "–");
            return;
        };
        let end = x.place(value.mean);
        let written = self.x.unit.write(value.mean);
        let style = format!(r#"class="fill c{colour}""#);
        let (from, width) = (zero.min(end), (end - zero).abs());
        let title = format!("{title}: {written}");
        drawing.rect((from, y), (width, thick), &style, &title);
        let mut text_x = end;
        if value.error.is_some() {
            let (low, high) = value.range();
            let (low, high) = (x.place(low), x.place(high));
            let middle = y + thick / 2.0;
            drawing.line((low, middle), (high, middle), "error");
            for end in [low, high] {
                drawing.line((end, middle - 3.0), (end, middle + 3.0), "error");
            }
            text_x = high;
        }
        drawing.text((text_x + 5.0, text_y), Anchor::Start, "tick", &written);
    }
}
