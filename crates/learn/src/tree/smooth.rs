//! From branches to a flat tree whose leaves know what is above them.
//!
//! A prediction p on its way up from a node with n rows becomes
//! (n·p + k·q) / (n + k), q being what the model above says. All p and q are
//! linear in the same attributes: so is the outcome at the root.

use super::grow::{Branch, Fork};
use super::regression::Linear;
use super::{ModelTree, Node};

pub(super) fn flatten(root: &Branch, n_attributes: usize, smoothing: f64) -> ModelTree {
    let mut tree = ModelTree {
        n_attributes,
        nodes: Vec::new(),
        models: Vec::new(),
    };
    // Nothing and the rest for the root itself, which has nobody above it.
    let above = Above {
        model: vec![0.0; n_attributes + 1],
        share: 1.0,
    };
    let smoothing = if smoothing > 0.0 { smoothing } else { 0.0 };
    add(&mut tree, root, &above, smoothing);
    tree
}

/// What the models above a node come to, and the share they leave to it.
struct Above {
    model: Vec<f64>,
    share: f64,
}

impl Above {
    /// With a model on top, `share` of what was left being its own.
    fn with(&self, linear: &Linear, share: f64) -> Vec<f64> {
        let share = self.share * share;
        let mut model = self.model.clone();
        model[0] += share * linear.base;
        for (attribute, factor) in &linear.factors {
            model[attribute + 1] += share * factor;
        }
        model
    }
}

fn add(tree: &mut ModelTree, branch: &Branch, above: &Above, smoothing: f64) {
    let Some(fork) = &branch.fork else {
        let model = tree.n_leaves() as u32;
        let n_rows = branch.n_rows as u32;
        tree.nodes.push(Node::Leaf { model, n_rows });
        tree.models.extend(above.with(&branch.linear, 1.0));
        return;
    };
    let Fork {
        attribute,
        threshold,
        low,
        high,
    } = fork;
    let below = |side: &Branch| {
        let n_rows = side.n_rows as f64;
        let own = smoothing / (n_rows + smoothing);
        Above {
            model: above.with(&branch.linear, own),
            share: above.share * (1.0 - own),
        }
    };
    let at = tree.nodes.len();
    let split = |high| Node::Split {
        attribute: *attribute as u32,
        threshold: *threshold,
        high,
    };
    tree.nodes.push(split(0));
    add(tree, low, &below(low), smoothing);
    tree.nodes[at] = split(tree.nodes.len() as u32);
    add(tree, high, &below(high), smoothing);
}
