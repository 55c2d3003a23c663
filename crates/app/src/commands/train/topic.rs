//! `locavore train topic`: makes the topic of `crawl --topic`.

use super::write;
use crate::cli::TrainTopicArgs;
use crate::message;
use crate::output::{print_json, show};
use crate::plan::MadeUp;
use crate::progress::wait_for;
use crate::table::Table;
use crate::text::{bytes, percent};
use crate::topics::{Folder, Source, ready_trainer};
use anyhow::{Context, anyhow};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use strategy::topic::{Confusion, LEAST_EXAMPLES, Topic, TopicError, Trainer};

pub(super) fn run(args: &TrainTopicArgs) -> anyhow::Result<ExitCode> {
    let (name, trainer) = examples(args)?;
    let name = args.name.clone().unwrap_or(name);
    let cannot_learn = || format!("cannot learn a topic from `{}`", args.examples.display());
    let topic = wait_for("learning the topic", || trainer.finish(&name));
    let topic = topic.with_context(cannot_learn)?;
    let held_out = match wait_for("learning from all but those held out", || {
        trainer.evaluate()
    }) {
        Ok(held_out) => Some(held_out),
        // Enough for a topic, and not enough to hold some of them out.
        Err(TopicError::TooFew { .. }) => None,
        Err(error) => return Err(error).with_context(cannot_learn),
    };
    let out = args
        .out
        .clone()
        .unwrap_or_else(|| PathBuf::from(format!("{name}.topic")));
    let file = topic.to_bytes();
    write(&out, &file)?;
    if args.json {
        print_json(&as_json(&topic, held_out, &out))?;
        return Ok(ExitCode::SUCCESS);
    }
    if let Some(held_out) = held_out {
        show(&table(&topic, &held_out))?;
    } else {
        let (n_positive, n_negative) = topic.n_examples();
        message::warning(format!(
            "too few examples to hold some out and see how well it is learned: {n_positive} \
             positive and {n_negative} negative, and at least {} of each are needed",
            LEAST_EXAMPLES * 5 / 4 + 1
        ));
    }
    message::info(format!(
        "topic `{name}` kept in `{}`, {}",
        out.display(),
        bytes(file.len() as u64)
    ));
    message::hint(format!(
        "`locavore crawl PLACE --topic {} --order utility` crawls for it",
        out.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// The topic's name and its examples.
fn examples(args: &TrainTopicArgs) -> anyhow::Result<(String, Trainer)> {
    let is_folder = args.examples.is_dir();
    let world = match args.lab {
        true => Some(MadeUp::from_args(&args.world)?.open()),
        false => None,
    };
    if !is_folder {
        let Some(world) = &world else {
            return Err(anyhow!(
                "no folder `{}`: put example pages (.html, .txt) into `{0}/positive`; with `--lab` \
                 a ready topic is learned from the made-up web",
                args.examples.display()
            ));
        };
        let name = args.examples.to_string_lossy().into_owned();
        let trainer = ready_trainer(world, &name)?;
        return Ok((name, trainer));
    }
    let source = match (&args.crawl, &world) {
        (Some(dir), _) => Source::Crawl(dir),
        (None, Some(world)) => Source::Lab(world),
        (None, None) => Source::None,
    };
    let dir = std::path::absolute(&args.examples).unwrap_or_else(|_| args.examples.clone());
    let folder = Folder::read(&dir, &source)?;
    folder.tell_what_is_missing();
    let trainer = folder.trainer()?;
    Ok((folder.name, trainer))
}

fn table(topic: &Topic, held_out: &Confusion) -> String {
    let (n_positive, n_negative) = topic.n_examples();
    let mut table = Table::new([topic.name(), ""]);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("positive examples", n_positive.to_string());
    row("negative examples", n_negative.to_string());
    row("language", topic.language().unwrap_or("unknown").to_owned());
    row("held out", held_out.n_examples().to_string());
    row("precision", percent(held_out.precision()));
    row("recall", percent(held_out.recall()));
    row("F1", percent(held_out.f1()));
    row("accuracy", percent(held_out.accuracy()));
    table.render()
}

fn as_json(topic: &Topic, held_out: Option<Confusion>, out: &Path) -> Value {
    let (n_positive, n_negative) = topic.n_examples();
    json!({
        "topic": topic.name(),
        "file": out,
        "positives": n_positive,
        "negatives": n_negative,
        "language": topic.language(),
        "held_out": held_out.map(|held_out| json!({
            "examples": held_out.n_examples(),
            "true_positives": held_out.true_positives,
            "false_positives": held_out.false_positives,
            "true_negatives": held_out.true_negatives,
            "false_negatives": held_out.false_negatives,
            "precision": held_out.precision(),
            "recall": held_out.recall(),
            "f1": held_out.f1(),
            "accuracy": held_out.accuracy(),
        })),
    })
}
