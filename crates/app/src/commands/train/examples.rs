//! Labelled pages from a file, a JSON object per line.

use crate::bad_lines::bad_lines;
use crate::progress::watch;
use anyhow::Context;
use page::html;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::{self, Targets};
use serde::Deserialize;
use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use strategy::model::{Label, Trainer};

#[derive(Deserialize)]
struct Line {
    text: Option<String>,
    html: Option<String>,
    label: String,
}

/// Learns every line; an error names those that cannot be learned.
pub(super) fn learn(trainer: &mut Trainer, targets: &Targets, file: &Path) -> anyhow::Result<()> {
    let cannot_read = || format!("cannot read `{}`", file.display());
    let lines = BufReader::new(File::open(file).with_context(cannot_read)?).split(b'\n');
    let mut labels = Labels {
        targets,
        known: HashMap::new(),
    };
    let mut bad: Vec<String> = Vec::new();
    for (line, number) in watch("line", lines).zip(1_u64..) {
        let line = line.with_context(cannot_read)?;
        if line.trim_ascii().is_empty() {
            continue;
        }
        if let Err(why) = learn_line(trainer, &mut labels, &line) {
            bad.push(format!("  {number}: {why}"));
        }
    }
    if bad.is_empty() {
        return Ok(());
    }
    Err(bad_lines(file, bad))
}

fn learn_line(trainer: &mut Trainer, labels: &mut Labels<'_>, line: &[u8]) -> Result<(), String> {
    let line: Line = serde_json::from_slice(line).map_err(|error| error.to_string())?;
    let label = labels.read(&line.label)?;
    match (line.text, line.html) {
        (Some(text), None) => trainer.learn(label, &text),
        (None, Some(html)) => {
            let nowhere = CanonicalUrl::parse("http://example.org/");
            let nowhere = nowhere.map_err(|error| error.to_string())?;
            trainer.learn(label, &html::read(html.as_bytes(), &nowhere, None).text);
        }
        _ => return Err("one of `text` and `html` is needed".to_owned()),
    }
    Ok(())
}

/// Labels, each looked up once.
struct Labels<'t> {
    targets: &'t Targets,
    known: HashMap<String, Result<Label, String>>,
}

impl Labels<'_> {
    fn read(&mut self, label: &str) -> Result<Label, String> {
        if let Some(known) = self.known.get(label) {
            return known.clone();
        }
        let read = self.look_up(label);
        self.known.insert(label.to_owned(), read.clone());
        read
    }

    fn look_up(&self, label: &str) -> Result<Label, String> {
        if label.eq_ignore_ascii_case("none") {
            return Ok(Label::None);
        }
        let place = target::resolve(Gazetteer::built_in(), label);
        let place = place.map_err(|error| error.to_string())?;
        let target = self.targets.of_place(place);
        let target = target.ok_or_else(|| format!("`{label}` is none of the places asked for"));
        target.map(Label::Target)
    }
}
