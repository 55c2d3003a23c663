//! Tables on a screen: columns as wide as what they hold, as far as they fit.
//!
//! Where the screen is narrower, headings are folded first, then the words of
//! the first column; columns that still find no room stand below, beside the
//! first one again. Nothing is left out.

use crate::screen::{columns, width, wrap};

/// Spaces between two columns.
const GAP: usize = 2;

/// Columns of the longest bar, and of the longest one that is worth drawing.
const BAR: (usize, usize) = (16, 6);

/// How much deeper a cell of the first column goes on.
const HANGING: usize = 2;

/// A first column of words is not made narrower than this.
const LEAST_FIRST: usize = 16;

/// Rows of text; the first column is aligned left, all others right.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
    /// Shares that are drawn behind the first rows.
    bars: Vec<f64>,
}

impl Table {
    pub(crate) fn new<const N: usize>(header: [&str; N]) -> Table {
        Table::of(header.iter().map(ToString::to_string).collect())
    }

    /// A table whose columns are known only now.
    pub(crate) fn of(header: Vec<String>) -> Table {
        Table {
            rows: vec![header],
            bars: Vec::new(),
        }
    }

    /// Adds a row to such a table.
    pub(crate) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    /// Draws shares behind the first rows, where there is room: people look
    /// before they read.
    pub(crate) fn bars(&mut self, shares: Vec<f64>) {
        self.bars = shares;
    }

    /// The table as it fits the screen, or as wide as it is where there is none.
    pub(crate) fn render(&self) -> String {
        self.fit(columns().unwrap_or(usize::MAX))
    }

    fn fit(&self, n_columns: usize) -> String {
        let plain = self.columns(Fold::Nothing);
        if total(&plain) <= n_columns {
            return self.block(&plain, n_columns);
        }
        let mut folded = self.columns(Fold::Headings);
        let Some((first, others)) = folded.split_first_mut() else {
            return String::new();
        };
        let taken: usize = others.iter().map(|column| GAP + column.width).sum();
        let least = LEAST_FIRST.min(first.width).min(n_columns / 2);
        let least = least.max(first.longest_word() + HANGING);
        let room = n_columns.saturating_sub(taken);
        if room >= least {
            first.narrow(room, HANGING);
            return self.block(&folded, n_columns);
        }
        first.narrow(least.max(n_columns / 2), HANGING);
        let blocks = split(&folded, n_columns);
        let blocks = blocks.iter().map(|block| self.block(block, n_columns));
        blocks.collect::<Vec<_>>().join("\n")
    }

    fn columns(&self, fold: Fold) -> Vec<Column> {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let column = |idx: usize| {
            let cells = self
                .rows
                .iter()
                .map(|row| row.get(idx).map_or("", String::as_str));
            let cells = cells.map(|cell| vec![cell.to_owned()]);
            let mut column = Column::of(cells.collect());
            if let (Fold::Headings, 1..) = (fold, idx) {
                column.fold_heading();
            }
            column
        };
        (0..n_columns).map(column).collect()
    }

    fn block(&self, columns: &[Column], n_columns: usize) -> String {
        let rule = total(columns);
        let bar = n_columns.saturating_sub(rule + GAP).min(BAR.0);
        let mut text = String::new();
        for row_idx in 0..self.rows.len() {
            let height = columns.iter().map(|column| column.cells[row_idx].len());
            let height = height.max().unwrap_or(1);
            let share = row_idx.checked_sub(1).and_then(|idx| self.bars.get(idx));
            for line_idx in 0..height {
                let mut line = String::new();
                for (column_idx, column) in columns.iter().enumerate() {
                    let cell = column.line(row_idx, line_idx, height);
                    let space = " ".repeat(column.width.saturating_sub(width(cell)));
                    line += &match column_idx {
                        0 => format!("{cell}{space}"),
                        _ => format!("{}{space}{cell}", " ".repeat(GAP)),
                    };
                }
                if let (Some(share), 0, true) = (share, line_idx, bar >= BAR.1) {
                    line += &" ".repeat(GAP);
                    line += &drawn(*share, bar);
                }
                text.push_str(line.trim_end());
                text.push('\n');
            }
            if row_idx == 0 {
                text.push_str(&"─".repeat(rule));
                text.push('\n');
            }
        }
        text
    }
}

/// What may be folded.
#[derive(Clone, Copy)]
enum Fold {
    Nothing,
    Headings,
}

/// The cells of a column, heading first, each as its lines.
#[derive(Clone)]
struct Column {
    cells: Vec<Vec<String>>,
    width: usize,
}

impl Column {
    fn of(cells: Vec<Vec<String>>) -> Column {
        let lines = cells.iter().flatten().map(|line| width(line));
        Column {
            width: lines.max().unwrap_or(0),
            cells,
        }
    }

    /// Breaks the heading between words, and behind hyphens.
    fn fold_heading(&mut self) {
        let heading = self.cells[0].concat();
        let parts: Vec<&str> = heading.split_inclusive(['-', ' ']).collect();
        let words = parts.iter().map(|part| width(part.trim_end()));
        let body = self.cells[1..].iter().flatten().map(|line| width(line));
        let room = words.chain(body).max().unwrap_or(0);
        let mut lines: Vec<String> = Vec::new();
        for part in parts {
            match lines.last_mut() {
                Some(line) if width(line) + width(part.trim_end()) <= room => line.push_str(part),
                _ => lines.push(part.to_owned()),
            }
        }
        self.cells[0] = lines
            .iter()
            .map(|line| line.trim_end().to_owned())
            .collect();
        self.width = room;
    }

    fn longest_word(&self) -> usize {
        let words = self.cells.iter().flatten().flat_map(|line| line.split(' '));
        words.map(width).max().unwrap_or(0)
    }

    /// Breaks cells between words; what goes on stands deeper.
    fn narrow(&mut self, room: usize, hanging: usize) {
        for cell in self
            .cells
            .iter_mut()
            .filter(|cell| cell.iter().any(|line| width(line) > room))
        {
            let lines = cell.iter().flat_map(|line| wrap(line, room - hanging));
            let deeper = |(nth, line): (usize, String)| match nth {
                0 => line,
                _ => " ".repeat(hanging) + &line,
            };
            *cell = lines.enumerate().map(deeper).collect();
        }
        *self = Column::of(std::mem::take(&mut self.cells));
    }

    /// One line of a row; headings stand at its foot.
    fn line(&self, row_idx: usize, line_idx: usize, height: usize) -> &str {
        let cell = &self.cells[row_idx];
        let above = match row_idx {
            0 => height - cell.len(),
            _ => 0,
        };
        let line = line_idx.checked_sub(above).and_then(|idx| cell.get(idx));
        line.map_or("", String::as_str)
    }
}

fn total(columns: &[Column]) -> usize {
    let widths: usize = columns.iter().map(|column| column.width).sum();
    widths + GAP * columns.len().saturating_sub(1)
}

/// As many columns beside the first as fit, then the next ones.
fn split(columns: &[Column], n_columns: usize) -> Vec<Vec<Column>> {
    let Some((first, others)) = columns.split_first() else {
        return Vec::new();
    };
    let mut blocks: Vec<Vec<Column>> = Vec::new();
    for column in others {
        let mut column = column.clone();
        let alone = n_columns.saturating_sub(first.width + GAP);
        if column.width > alone {
            column.narrow(alone.max(column.longest_word()), 0);
        }
        match blocks.last_mut() {
            Some(block) if total(block) + GAP + column.width <= n_columns => block.push(column),
            _ => blocks.push(vec![first.clone(), column]),
        }
    }
    blocks
}

/// A share as a bar, to an eighth of a character.
fn drawn(share: f64, most: usize) -> String {
    let n_eighths = (share.clamp(0.0, 1.0) * most as f64 * 8.0).round() as usize;
    let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];
    format!("{}{}", "█".repeat(n_eighths / 8), parts[n_eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nodes() -> Table {
        let mut table = Table::new(["node", "geo pages", "geo-coverage", "unique entities"]);
        let row = |cells: [&str; 4]| cells.map(str::to_owned);
        table.row(row(["Cn0 general", "7", "0.59 %", "–"]));
        table.row(row(["Cn5 Hawaii/Alaska", "1,140", "13.74 %", "0.9534"]));
        table.row(row(["東京", "1", "1.00 %", "0.1"]));
        table
    }

    #[test]
    fn columns_line_up() {
        insta::assert_snapshot!(nodes().fit(80), @r"
        node               geo pages  geo-coverage  unique entities
        ───────────────────────────────────────────────────────────
        Cn0 general                7        0.59 %                –
        Cn5 Hawaii/Alaska      1,140       13.74 %           0.9534
        東京                       1        1.00 %              0.1
        ");
    }

    #[test]
    fn headings_are_folded_before_the_table_is() {
        insta::assert_snapshot!(nodes().fit(50), @r"
                             geo      geo-    unique
        node               pages  coverage  entities
        ────────────────────────────────────────────
        Cn0 general            7    0.59 %         –
        Cn5 Hawaii/Alaska  1,140   13.74 %    0.9534
        東京                   1    1.00 %       0.1
        ");
        insta::assert_snapshot!(nodes().fit(43), @r"
                           geo      geo-    unique
        node             pages  coverage  entities
        ──────────────────────────────────────────
        Cn0 general          7    0.59 %         –
        Cn5              1,140   13.74 %    0.9534
          Hawaii/Alaska
        東京                 1    1.00 %       0.1
        ");
        insta::assert_snapshot!(nodes().fit(30), @r"
                           geo
        node             pages
        ──────────────────────
        Cn0 general          7
        Cn5              1,140
          Hawaii/Alaska
        東京                 1

                             geo-
        node             coverage
        ─────────────────────────
        Cn0 general        0.59 %
        Cn5               13.74 %
          Hawaii/Alaska
        東京               1.00 %

                           unique
        node             entities
        ─────────────────────────
        Cn0 general             –
        Cn5                0.9534
          Hawaii/Alaska
        東京                  0.1
        ");
    }

    #[test]
    fn bars_are_drawn_where_there_is_room_and_exact_to_an_eighth() {
        let mut table = nodes();
        table.bars(vec![0.51, 1.0]);
        insta::assert_snapshot!(table.fit(80), @r"
        node               geo pages  geo-coverage  unique entities
        ───────────────────────────────────────────────────────────
        Cn0 general                7        0.59 %                –  ████████▏
        Cn5 Hawaii/Alaska      1,140       13.74 %           0.9534  ████████████████
        東京                       1        1.00 %              0.1
        ");
        assert!(!table.fit(60).contains('█'));
        assert_eq!(drawn(0.0, 16), "");
        assert_eq!(drawn(0.5, 16), "████████");
    }

    #[test]
    fn no_line_is_wider_than_the_screen() {
        let mut table = Table::new(["what", "one measure", "another-measure", "and a third one"]);
        table.row(["a name of some words", "1.0", "123,456", "12 MB"].map(str::to_owned));
        for n_columns in 24..100 {
            let text = table.fit(n_columns);
            let widest = text.lines().map(width).max();
            assert!(widest <= Some(n_columns), "{n_columns}\n{text}");
            for cell in ["1.0", "123,456", "12 MB"] {
                assert_eq!(text.matches(cell).count(), 1, "{n_columns}\n{text}");
            }
        }
    }
}
