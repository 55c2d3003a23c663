//! Tables on a terminal: columns as wide as what they hold.

use std::fmt::Write;

/// Rows of text; the first column is aligned left, all others right.
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn new<const N: usize>(header: [&str; N]) -> Table {
        Table {
            rows: vec![header.iter().map(ToString::to_string).collect()],
        }
    }

    /// A table whose columns are known only now.
    pub(crate) fn of(header: Vec<String>) -> Table {
        Table { rows: vec![header] }
    }

    /// Adds a row to such a table.
    pub(crate) fn push(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    pub(crate) fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }

    pub(crate) fn render(&self) -> String {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column_idx: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column_idx));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        let mut text = String::new();
        for (row_idx, row) in self.rows.iter().enumerate() {
            push_row(&mut text, row, &widths);
            if row_idx == 0 {
                let rule = widths.iter().sum::<usize>() + 2 * (n_columns - 1);
                let _ = writeln!(text, "{}", "─".repeat(rule));
            }
        }
        text
    }
}

fn push_row(text: &mut String, row: &[String], widths: &[usize]) {
    let mut line = String::new();
    for (column_idx, (cell, width)) in row.iter().zip(widths).enumerate() {
        let _ = match column_idx {
            0 => write!(line, "{cell:<width$}"),
            _ => write!(line, "  {cell:>width$}"),
        };
    }
    text.push_str(line.trim_end());
    text.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let mut table = Table::new(["node", "pages"]);
        table.row(["Cn0 general".into(), "7".into()]);
        insta::assert_snapshot!(table.render(), @r"
        node         pages
        ──────────────────
        Cn0 general      7
        ");
    }
}
