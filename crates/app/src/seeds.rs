//! Seed files: one URL per line, `#` starts a comment.

use anyhow::{Context, anyhow};
use page::url::CanonicalUrl;
use std::fmt::Write;
use std::path::Path;

/// Reads a seed file; all bad lines are named at once.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<String>> {
    let bytes = std::fs::read(file)
        .with_context(|| format!("cannot read seed file `{}`", file.display()))?;
    let text = String::from_utf8_lossy(&bytes);
    let mut seeds: Vec<String> = Vec::new();
    let mut bad = String::new();
    for (line_idx, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match CanonicalUrl::parse(line) {
            Ok(url) => seeds.push(url.as_str().into()),
            Err(error) => {
                let _ = write!(bad, "\n  {}: `{line}`: {error}", line_idx + 1);
            }
        }
    }
    if !bad.is_empty() {
        return Err(anyhow!("bad lines in seed file `{}`{bad}", file.display()));
    }
    if seeds.is_empty() {
        return Err(anyhow!("no URL in seed file `{}`", file.display()));
    }
    Ok(seeds)
}
