//! What is said of a file some of whose lines make no sense.

use anyhow::anyhow;
use std::path::Path;

/// Lines that are named.
const MOST_NAMED: usize = 5;

/// The refusal of a file: its bad lines, each with its number and what is
/// wrong, the first of them.
pub(crate) fn bad_lines(file: &Path, mut bad: Vec<String>) -> anyhow::Error {
    let n_more = bad.len().saturating_sub(MOST_NAMED);
    bad.truncate(MOST_NAMED);
    if n_more > 0 {
        bad.push(format!("  and {n_more} more"));
    }
    anyhow!("bad lines in `{}`\n{}", file.display(), bad.join("\n"))
}
