//! M5' model tree: a number from numbers, by linear models for different
//! regions.
//!
//! As in "Induction of model trees for predicting continuous classes" (Wang
//! and Witten, 1997) after Quinlan's M5 (1992): a tree is grown by reducing
//! the standard deviation of the targets (`split`), every node gets a linear
//! model of the attributes tested below it (`regression`), what is no better
//! than a single model is pruned (`grow`), and predictions are smoothed with
//! those of the nodes above. As all models on the way up are linear, smoothing
//! is worked out once for each leaf (`smooth`): asking costs a few comparisons
//! and one product of vectors.
//!
//! When pruning, a branch is charged for all its parameters at once, each
//! twice, as the authors' own program does. Charging each leaf for its own,
//! once, as printed in the paper, lets small leaves live on luck: on noisy
//! lines it leaves dozens where one is right.
//!
//! Models go on beyond the examples in straight lines: numbers unlike any
//! seen are answered by one far from any target.

mod grow;
mod regression;
mod show;
mod smooth;
mod split;

use crate::bytes::{Kind, ReadError, Reader, Writer};

/// Most attributes a row can have.
pub const MAX_ATTRIBUTES: usize = 1024;

/// No node has more above it.
const MAX_DEPTH: usize = 64;

/// Beyond this, squares and their sums might not be finite.
const MAX_SIZE: f64 = 1e100;

const KIND: Kind = Kind {
    what: "model tree",
    mark: *b"LM5P",
    version: 1,
};

/// How to grow.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Settings {
    /// Nodes with fewer rows are not split; half as many are left on either
    /// side.
    pub min_rows: usize,
    /// Nodes whose targets deviate by less than this share of all are not
    /// split.
    pub min_deviation: f64,
    /// How many rows the node above counts for when a prediction is smoothed;
    /// zero leaves it as it is.
    pub smoothing: f64,
    /// Whether branches give way to a single model that should do as well on
    /// rows not seen.
    pub prune: bool,
    /// How much a parameter counts in that: errors of v parameters on n rows
    /// are expected to be (n + penalty·v) / (n − v) times as large on others.
    pub penalty: f64,
}

impl Default for Settings {
    /// Those of the authors' program.
    fn default() -> Settings {
        Settings {
            min_rows: 4,
            min_deviation: 0.05,
            smoothing: 15.0,
            prune: true,
            penalty: 2.0,
        }
    }
}

/// Why there is no tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum GrowError {
    /// Nothing to learn from.
    #[error("no rows")]
    NoRows,
    /// Not one target for each row.
    #[error("{n_rows} rows and {n_targets} targets")]
    Targets {
        /// How many rows there are.
        n_rows: usize,
        /// How many targets.
        n_targets: usize,
    },
    /// A row that is longer or shorter than the first, or longer than can be.
    #[error("row {row_idx} has {n_attributes} attributes")]
    Attributes {
        /// The first such row.
        row_idx: usize,
        /// How many it has.
        n_attributes: usize,
    },
    /// An attribute or target that is not a number, or beyond all measure.
    #[error("a number in row {row_idx} is not finite")]
    NotFinite {
        /// The first such row.
        row_idx: usize,
    },
}

/// A tree with linear models in its leaves.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelTree {
    n_attributes: usize,
    /// The root first, every node before those below it.
    nodes: Vec<Node>,
    /// One after the other, for each leaf what is always added, then a factor
    /// for each attribute.
    models: Vec<f64>,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Node {
    /// Rows whose attribute is not above the threshold go to the next node.
    Split {
        attribute: u32,
        threshold: f64,
        high: u32,
    },
    Leaf {
        model: u32,
        n_rows: u32,
    },
}

impl ModelTree {
    /// Grows a tree that tells targets from rows, all of one length.
    pub fn grow<R: AsRef<[f64]>>(
        rows: &[R],
        targets: &[f64],
        settings: Settings,
    ) -> Result<ModelTree, GrowError> {
        let n_attributes = check(rows, targets)?;
        let root = grow::grow(rows, targets, settings);
        Ok(smooth::flatten(&root, n_attributes, settings.smoothing))
    }

    /// The number expected for a row. Attributes that are missing count as
    /// zero; with one that is not finite the answer may not be.
    pub fn predict(&self, row: &[f64]) -> f64 {
        let mut at = 0;
        loop {
            match self.nodes[at] {
                Node::Split {
                    attribute,
                    threshold,
                    high,
                } => {
                    let value = row.get(attribute as usize).copied().unwrap_or(0.0);
                    at = if value <= threshold {
                        at + 1
                    } else {
                        high as usize
                    };
                }
                Node::Leaf { model, .. } => {
                    let (base, factors) = self.model(model);
                    let add = |sum, (factor, value)| sum + factor * value;
                    return factors.iter().zip(row).fold(base, add);
                }
            }
        }
    }

    /// Regions with a model of their own.
    pub fn n_leaves(&self) -> usize {
        self.models.len() / (self.n_attributes + 1)
    }

    /// Numbers in a row.
    pub fn n_attributes(&self) -> usize {
        self.n_attributes
    }

    /// What a model always adds, and the factors of its attributes.
    fn model(&self, model: u32) -> (f64, &[f64]) {
        let start = model as usize * (self.n_attributes + 1);
        (
            self.models[start],
            &self.models[start + 1..][..self.n_attributes],
        )
    }

    /// As bytes, with a version.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut writer = KIND.writer();
        writer.u32(self.n_attributes as u32);
        for node in &self.nodes {
            self.write(node, &mut writer);
        }
        writer.into_bytes()
    }

    /// A leaf begins with a number that no attribute has.
    fn write(&self, node: &Node, writer: &mut Writer) {
        match *node {
            Node::Split {
                attribute,
                threshold,
                ..
            } => {
                writer.u32(attribute);
                writer.f64(threshold);
            }
            Node::Leaf { model, n_rows } => {
                let (base, factors) = self.model(model);
                writer.u32(u32::MAX);
                writer.u32(n_rows);
                writer.f64(base);
                factors.iter().for_each(|factor| writer.f64(*factor));
            }
        }
    }

    /// What `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<ModelTree, ReadError> {
        KIND.read(bytes, |reader| {
            let n_attributes = reader.u32()? as usize;
            let mut tree = ModelTree {
                n_attributes: (n_attributes <= MAX_ATTRIBUTES).then_some(n_attributes)?,
                nodes: Vec::new(),
                models: Vec::new(),
            };
            tree.parse(reader, 0)?;
            Some(tree)
        })
    }

    /// Reads a node and all below it.
    fn parse(&mut self, reader: &mut Reader<'_>, depth: usize) -> Option<()> {
        let attribute = reader.u32()?;
        if attribute == u32::MAX {
            let n_rows = reader.u32()?;
            let model = self.n_leaves() as u32;
            for _ in 0..=self.n_attributes {
                self.models.push(reader.f64()?);
            }
            self.nodes.push(Node::Leaf { model, n_rows });
            return Some(());
        }
        if attribute as usize >= self.n_attributes || depth >= MAX_DEPTH {
            return None;
        }
        let threshold = reader.f64()?;
        let at = self.nodes.len();
        let split = |high| Node::Split {
            attribute,
            threshold,
            high,
        };
        self.nodes.push(split(0));
        self.parse(reader, depth + 1)?;
        self.nodes[at] = split(self.nodes.len() as u32);
        self.parse(reader, depth + 1)
    }
}

/// The number of attributes.
fn check<R: AsRef<[f64]>>(rows: &[R], targets: &[f64]) -> Result<usize, GrowError> {
    let n_attributes = rows.first().ok_or(GrowError::NoRows)?.as_ref().len();
    let (n_rows, n_targets) = (rows.len(), targets.len());
    if n_rows != n_targets {
        return Err(GrowError::Targets { n_rows, n_targets });
    }
    let is_usable = |number: &f64| number.abs() <= MAX_SIZE;
    for (row_idx, (row, target)) in rows.iter().zip(targets).enumerate() {
        let row = row.as_ref();
        if row.len() != n_attributes || n_attributes > MAX_ATTRIBUTES {
            let n_attributes = row.len();
            return Err(GrowError::Attributes {
                row_idx,
                n_attributes,
            });
        }
        if !is_usable(target) || !row.iter().all(is_usable) {
            return Err(GrowError::NotFinite { row_idx });
        }
    }
    Ok(n_attributes)
}

#[cfg(test)]
mod tests;
