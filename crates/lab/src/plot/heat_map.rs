//! Tables whose cells are the darker the more they hold.

use super::scale::short;
use super::svg::{Anchor, Drawing, LINE, WIDTH, fitted, width_of};

/// A plot of a table.
#[derive(Debug, Clone, PartialEq)]
pub struct HeatMap {
    /// What it shows, for those who cannot see it.
    pub title: String,
    /// What rows are, and what columns are.
    pub labels: (String, String),
    /// Names of rows, from the top.
    pub rows: Vec<String>,
    /// Names of columns; what stands before their first space is shown.
    pub columns: Vec<String>,
    /// Row by row; none where a cell means nothing.
    pub cells: Vec<Vec<Option<f64>>>,
}

const MOST_NAME: f64 = 130.0;

impl HeatMap {
    /// Pages by status, row by row, and topicality: to the right and upwards
    /// there is more. Estimated status is in tenths, true status in whole
    /// numbers of ln(1 + in-links).
    pub fn of_topic_and_status(title: &str, is_estimated: bool, cells: &[Vec<f64>]) -> HeatMap {
        let tenths = |bin: usize| format!("{:.1}", bin as f64 / 10.0);
        let status = |bin: usize| match is_estimated {
            true => tenths(bin),
            false => bin.to_string(),
        };
        let n_columns = cells.first().map_or(0, Vec::len);
        let rows = cells.iter().rev();
        HeatMap {
            title: title.to_owned(),
            labels: ("status from".into(), "topicality from".into()),
            rows: (0..cells.len()).rev().map(status).collect(),
            columns: (0..n_columns).map(tenths).collect(),
            cells: rows
                .map(|row| row.iter().copied().map(Some).collect())
                .collect(),
        }
    }

    /// The figure as SVG.
    pub fn render(&self) -> String {
        let mut drawing = Drawing::new();
        let (down, across) = &self.labels;
        let down = format!("{down} ↓");
        let widest = self.rows.iter().map(|row| width_of(row));
        // Names of columns stand beside what rows are.
        let left = widest.fold(width_of(&down), f64::max).min(MOST_NAME) + 8.0;
        let n_columns = self.columns.len().max(1) as f64;
        let width = ((WIDTH - left) / n_columns).min(80.0);
        let height = (width * 0.6).clamp(8.0, 30.0);
        drawing.text(
            (left, LINE - 4.0),
            Anchor::Start,
            "axis",
            &format!("{across} →"),
        );
        drawing.text((0.0, 2.0 * LINE), Anchor::Start, "axis", &down);
        let top = 2.0 * LINE + 8.0;
        for (idx, column) in self.columns.iter().enumerate() {
            let name = column.split(' ').next().unwrap_or_default();
            let x = left + (idx as f64 + 0.5) * width;
            if width_of(name) < width {
                drawing.text((x, 2.0 * LINE), Anchor::Middle, "tick", name);
            }
        }
        let cells = self.cells.iter().flatten().flatten();
        let most = cells.copied().fold(0.0, f64::max);
        for (row_idx, row) in self.cells.iter().enumerate() {
            let y = top + row_idx as f64 * height;
            let name = self.rows.get(row_idx).map_or("", String::as_str);
            if height >= 12.0 {
                let name = fitted(name, MOST_NAME);
                drawing.text(
                    (left - 6.0, y + height / 2.0 + 4.0),
                    Anchor::End,
                    "label",
                    &name,
                );
            }
            for (idx, cell) in row.iter().enumerate() {
                let x = left + idx as f64 * width;
                let column = self.columns.get(idx).map_or("", String::as_str);
                let title = format!("{name} → {column}");
                draw(&mut drawing, *cell, (x, y), (width, height), most, &title);
            }
        }
        let bottom = top + self.cells.len() as f64 * height;
        drawing.finish(bottom + 4.0, &self.title)
    }
}

fn draw(
    drawing: &mut Drawing,
    cell: Option<f64>,
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    most: f64,
    title: &str,
) {
    let inner = (width - 2.0, height - 2.0);
    let Some(value) = cell else {
        drawing.rect((x + 1.0, y + 1.0), inner, r#"class="nothing""#, title);
        return;
    };
    // Square roots: hand-overs differ by orders of magnitude.
    let share = if most > 0.0 {
        (value / most).sqrt()
    } else {
        0.0
    };
    let style = format!(r#"class="heat" fill-opacity="{:.2}""#, 0.06 + 0.94 * share);
    let title = format!("{title}: {}", super::Unit::Count.write(value));
    drawing.rect((x + 1.0, y + 1.0), inner, &style, &title);
    let text = short(value);
    if width_of(&text) < width && height >= 14.0 {
        let class = if share > 0.55 { "on-dark" } else { "tick" };
        let middle = (x + width / 2.0, y + height / 2.0 + 4.0);
        drawing.text(middle, Anchor::Middle, class, &text);
    }
}
