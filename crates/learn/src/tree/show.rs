//! A tree as a person reads it.

use super::{ModelTree, Node};
use std::fmt::Write;

impl ModelTree {
    /// Tests and models, one a line, with names for the attributes; `x0`,
    /// `x1` and so on where there is no name.
    pub fn show(&self, names: &[&str]) -> String {
        let mut text = String::new();
        self.show_node(0, 0, names, &mut text);
        text
    }

    fn show_node(&self, at: usize, depth: usize, names: &[&str], text: &mut String) {
        let name = |attribute: usize| match names.get(attribute) {
            Some(name) => (*name).to_owned(),
            None => format!("x{attribute}"),
        };
        let indent = "|  ".repeat(depth);
        // Writing to a string cannot fail.
        match self.nodes[at] {
            Node::Split {
                attribute,
                threshold,
                high,
            } => {
                let name = name(attribute as usize);
                let _ = writeln!(text, "{indent}{name} <= {}", short(threshold));
                self.show_node(at + 1, depth + 1, names, text);
                let _ = writeln!(text, "{indent}{name} > {}", short(threshold));
                self.show_node(high as usize, depth + 1, names, text);
            }
            Node::Leaf { model, n_rows } => {
                let (base, factors) = self.model(model);
                let _ = write!(text, "{indent}{}", short(base));
                let used = factors
                    .iter()
                    .enumerate()
                    .filter(|(_, factor)| **factor != 0.0);
                for (attribute, factor) in used {
                    let sign = if *factor < 0.0 { '-' } else { '+' };
                    let size = short(factor.abs());
                    let _ = write!(text, " {sign} {size} {}", name(attribute));
                }
                let _ = writeln!(text, " ({n_rows} rows)");
            }
        }
    }
}

/// Four digits that count.
fn short(number: f64) -> String {
    let rounded: f64 = format!("{number:.3e}").parse().unwrap_or(number);
    rounded.to_string()
}
