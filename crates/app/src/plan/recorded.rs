//! The WARC files of a replay, as the plan keeps them.
//!
//! A replay goes on only with the files that it was started with: they are
//! kept by their absolute path and their size.

use super::disagreement;
use crate::text::thousands;
use anyhow::{Context, anyhow};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// A file of recorded pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct RecordedFile {
    /// Where it is, from the root on.
    pub(crate) path: String,
    /// How long it was when the crawl was started.
    bytes: u64,
}

/// Whether a value of `--web` is a web, and no file of recorded pages.
pub(crate) fn is_named(value: &str) -> bool {
    matches!(value, "real" | "lab")
}

/// Whether a value of `--web` can only be meant as a file.
pub(crate) fn is_archive_name(value: &str) -> bool {
    value.to_ascii_lowercase().contains(".warc")
}

/// Whether a value of `--web` is meant as a file, where files are expected.
pub(crate) fn looks_like_file(value: &str) -> bool {
    !is_named(value) && (is_archive_name(value) || Path::new(value).exists())
}

/// One web or the other: none with a name takes files.
pub(super) fn refuse_mixture(webs: &[String]) -> anyhow::Result<()> {
    match webs {
        [web, file, ..] if is_named(web) => Err(anyhow!(
            "`--web {web}` takes no files: leave out `{web}` to crawl the pages recorded in \
             `{file}`, or `{file}` to crawl the {web} web"
        )),
        _ => Ok(()),
    }
}

/// The files of those names, each once.
pub(super) fn look_up(names: &[String]) -> anyhow::Result<Vec<RecordedFile>> {
    let mut files: Vec<RecordedFile> = Vec::new();
    for name in names {
        let bytes = len(name)?;
        let path = absolute(name)?;
        if !files.iter().any(|file| file.path == path) {
            files.push(RecordedFile { path, bytes });
        }
    }
    Ok(files)
}

/// Whether these names mean the files that are kept.
pub(super) fn agree(kept: &[RecordedFile], asked: &[String]) -> anyhow::Result<()> {
    let mut asked = asked
        .iter()
        .map(|name| absolute(name))
        .collect::<anyhow::Result<Vec<_>>>()?;
    let mut kept: Vec<String> = kept.iter().map(|file| file.path.clone()).collect();
    kept.sort();
    asked.sort();
    asked.dedup();
    match kept == asked {
        true => Ok(()),
        false => Err(disagreement("--web", &kept.join("; "), &asked.join("; "))),
    }
}

impl RecordedFile {
    /// A file that has grown or shrunk is another file: pages of it may have
    /// been looked for in vain, or be elsewhere by now.
    pub(crate) fn check_unchanged(&self) -> anyhow::Result<()> {
        let bytes = len(&self.path)?;
        if bytes == self.bytes {
            return Ok(());
        }
        Err(anyhow!(
            "`{}` has changed since this crawl was started: it had {} bytes then and has {} now: \
             choose another `--out`",
            self.path,
            thousands(self.bytes),
            thousands(bytes),
        ))
    }
}

fn len(name: &str) -> anyhow::Result<u64> {
    let metadata = std::fs::metadata(name).with_context(|| format!("cannot read `{name}`"))?;
    Ok(if metadata.is_dir() { 0 } else { metadata.len() })
}

fn absolute(name: &str) -> anyhow::Result<String> {
    let path = std::path::absolute(name).with_context(|| format!("cannot read `{name}`"))?;
    let path = path.into_os_string().into_string();
    path.map_err(|path| anyhow!("`{}` is not UTF-8", path.display()))
}
