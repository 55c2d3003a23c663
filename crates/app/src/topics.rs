//! Topics that users name: folders of examples, files, ready ones.
//!
//! A ready topic is learned, when it is asked for, from the directory of the
//! default made-up web. Where a folder has no examples of what the topic is
//! not, `mix.rs` has some.

mod folder;
mod mix;

pub(crate) use folder::{Folder, Source};

use crate::message;
use crate::plan::Web;
use crate::progress::wait_for;
use anyhow::{Context, anyhow};
use lab::topics::{self, Examples};
use lab::world::{World, WorldSettings};
use page::html::{self, Page};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use strategy::means::Subject;
use strategy::topic::{Topic, Trainer};

/// The topic that is the crawl's places.
pub(crate) const GEOGRAPHY: &str = "geography";

/// Finds a topic by what the user wrote, which the plan has made a path or a
/// name; with it what it was read from, to be known again.
pub(crate) fn find(what: &str, web: &Web) -> anyhow::Result<(Subject, Vec<u8>)> {
    if what == GEOGRAPHY {
        return Ok((Subject::Geography, GEOGRAPHY.into()));
    }
    let path = Path::new(what);
    let topic = match path {
        _ if !path.is_absolute() => ready(what)?,
        _ if path.is_dir() => of_folder(path, web)?,
        _ => of_file(path)?,
    };
    let bytes = topic.to_bytes();
    Ok((Subject::Topic(Arc::new(topic)), bytes))
}

fn of_file(file: &Path) -> anyhow::Result<Topic> {
    let cannot_read = || format!("cannot read the topic `{}`", file.display());
    let bytes = std::fs::read(file).with_context(cannot_read)?;
    Topic::from_bytes(&bytes).with_context(cannot_read)
}

fn of_folder(dir: &Path, web: &Web) -> anyhow::Result<Topic> {
    let world;
    let source = match web {
        Web::Lab(made_up) => {
            world = made_up.open();
            Source::Lab(&world)
        }
        _ => Source::None,
    };
    let folder = Folder::read(dir, &source)?;
    folder.tell_what_is_missing();
    let trainer = folder.trainer()?;
    let learn = || trainer.finish(&folder.name);
    let topic = wait_for("learning the topic", learn);
    topic.with_context(|| format!("cannot learn a topic from `{}`", dir.display()))
}

/// A topic that can be had without examples.
fn ready(name: &str) -> anyhow::Result<Topic> {
    let trainer = ready_trainer(&default_world(), name)?;
    Ok(trainer.finish(name)?)
}

pub(crate) fn default_world() -> World {
    World::new(WorldSettings::default(), Gazetteer::built_in())
}

/// What the directory of a made-up web teaches of a topic.
pub(crate) fn ready_trainer(world: &World, name: &str) -> anyhow::Result<Trainer> {
    let lessons = || topics::lessons(world, name, topics::N_EXAMPLES);
    let lessons = wait_for("reading what the directory lists", lessons);
    let Some(lessons) = lessons else {
        let names: Vec<String> = topics::names().map(str::to_owned).collect();
        return Err(anyhow!(
            "no topic `{name}`: there is no such folder or file, and ready topics are \
             `{GEOGRAPHY}`, {}",
            message::list(&names, "and")
        ));
    };
    let Examples {
        positives,
        negatives,
    } = lessons.training;
    let mut trainer = Trainer::default();
    for (is_positive, pages) in [(true, &positives), (false, &negatives)] {
        pages
            .iter()
            .for_each(|page| trainer.learn(page, is_positive));
    }
    Ok(trainer)
}

/// Warns of a topic in another language than the crawl's.
pub(crate) fn warn_of_language(topic: &Subject, languages: &[String], targets: &Targets) {
    let Subject::Topic(topic) = topic else {
        return;
    };
    let Some(language) = topic.language() else {
        return;
    };
    let of_crawl: BTreeSet<String> = match languages {
        [] => languages_of(targets),
        _ => languages.iter().cloned().collect(),
    };
    if of_crawl.is_empty() || of_crawl.contains(language) {
        return;
    }
    let of_crawl: Vec<String> = of_crawl.into_iter().collect();
    message::warning(format!(
        "the topic `{}` was learned from pages in `{language}`, and this crawl is for pages in {}: \
         it will know few of their words; {} examples in that language would do",
        topic.name(),
        message::list(&of_crawl, "or"),
        2 * strategy::topic::LEAST_EXAMPLES,
    ));
}

/// What is spoken where the targets are, as far as it is one of the languages
/// whose words are known.
fn languages_of(targets: &Targets) -> BTreeSet<String> {
    let gazetteer = Gazetteer::built_in();
    let countries = targets
        .list()
        .iter()
        .map(|it| gazetteer.place(it.place).country);
    let languages = countries.filter_map(|country| {
        Some(match country {
            "US" | "GB" | "IE" | "AU" | "NZ" => "en",
            "DE" | "AT" => "de",
            "ES" | "MX" | "AR" | "CO" | "CL" | "PE" => "es",
            "FR" => "fr",
            _ => return None,
        })
    });
    languages.map(str::to_owned).collect()
}

/// Text as a page without an address of its own.
fn page_of_text(text: &str) -> Option<Page> {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;");
    page_of_html(escaped.as_bytes())
}

fn page_of_html(bytes: &[u8]) -> Option<Page> {
    let nowhere = CanonicalUrl::parse("http://example.org/").ok()?;
    Some(html::read(bytes, &nowhere, None))
}
