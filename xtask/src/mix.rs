//! A mix of everything: what a topic is told from where nobody gives examples
//! of what it is not.
//!
//! Each text is made of a few definitions of WordNet, far apart in it, so that
//! none has a topic of its own.

use crate::pack::raw::RawData;
use std::fmt::Write;
use std::path::Path;

const N_TEXTS: usize = 150;

/// Definitions in one text.
const N_GLOSSES: usize = 14;

/// Shorter definitions say little.
const LEAST_LEN: usize = 40;

const HEAD: &str = "# texts of WordNet's definitions, one a line; built by `cargo xtask mix`\n";

/// The texts, one a line.
pub(crate) fn build(dir: &Path) -> anyhow::Result<String> {
    let nouns = RawData::new(dir).text("wordnet/data.noun")?;
    let glosses: Vec<&str> = nouns
        .lines()
        .filter(|line| !line.starts_with(' '))
        .filter_map(|line| Some(line.split_once(" | ")?.1.trim()))
        .filter(|gloss| gloss.len() >= LEAST_LEN)
        .collect();
    let step = glosses.len() / (N_TEXTS * N_GLOSSES).max(1);
    let mut texts = HEAD.to_owned();
    for nth in 0..N_TEXTS {
        // Neighbours in WordNet are alike: those of a text are not neighbours.
        let idxs = (0..N_GLOSSES).map(|gloss| (nth + gloss * N_TEXTS) * step);
        let text: Vec<&str> = idxs.filter_map(|idx| glosses.get(idx).copied()).collect();
        writeln!(texts, "{}", text.join(". "))?;
    }
    Ok(texts)
}
