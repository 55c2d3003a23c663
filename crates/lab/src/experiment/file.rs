//! What an experiment's file says, and what it cannot say.

use super::ordering::OrderSpec;
use super::{ExperimentError, impossible};
use crate::topics;
use page::url::CanonicalUrl;
use serde::{Deserialize, Deserializer, Serialize};
use std::path::PathBuf;
use strategy::assign;

/// An experiment, as its file says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// What it is about, for the report.
    pub title: String,
    /// World file, relative to the experiment's; the built-in world without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub world: Option<PathBuf>,
    /// Recorded pages in the place of a world: WARC files, relative to the
    /// experiment's.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub web: Vec<PathBuf>,
    /// Where crawls of recorded pages start: addresses, or the word `all` for
    /// every page that was recorded. Without it, at the first site.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub start: Vec<String>,
    /// What the crawls are for.
    #[serde(default = "us_top100")]
    pub places: Vec<String>,
    /// Collaborating nodes.
    #[serde(default = "six")]
    pub nodes: usize,
    /// Pages of each trial.
    pub pages: u64,
    /// A world for each; none with recorded pages, of which there is one.
    #[serde(default)]
    pub seeds: Vec<u64>,
    /// Which node gets a link.
    pub assign: Vec<String>,
    /// Which link is next.
    #[serde(default = "breadth")]
    pub order: Vec<OrderSpec>,
    /// Whether nodes may fetch the same page, as in the paper.
    #[serde(default)]
    pub overlap: bool,
    /// Least seconds between two requests to one host.
    #[serde(default = "one")]
    pub delay: u64,
    /// Fetches a node may have in the air at once, if not the usual number.
    /// What is in the air was chosen before it was known what its neighbours
    /// brought: orders that go by that want few.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub slots: Option<usize>,
    /// URLs of one domain before further ones have to wait, if not the usual
    /// number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub budget: Option<u32>,
    /// Whether all pages that can be reached are counted, so that one can tell
    /// how many of them were found. For small worlds.
    #[serde(default)]
    pub recall: bool,
    /// Whether it is about the status of pages near each other, and not about
    /// places.
    #[serde(default)]
    pub status_locality: bool,
    /// What the crawls are about in the place of places: topics of the made-up
    /// web by name, or `"all"`. Every order is run for each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[serde(deserialize_with = "topics")]
    pub topics: Vec<String>,
    /// The world that topics and status are learned on.
    #[serde(default = "teaching_seed")]
    pub teaching_seed: u64,
}

fn teaching_seed() -> u64 {
    1_000_000
}

/// A list of names, or the word `all`.
fn topics<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Topics {
        Word(String),
        Names(Vec<String>),
    }
    Ok(match Topics::deserialize(deserializer)? {
        Topics::Word(word) if word == ALL => topics::names().map(String::from).collect(),
        Topics::Word(name) => vec![name],
        Topics::Names(names) => names,
    })
}

/// What an experiment is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Subject {
    /// Pages with addresses of the targets.
    #[default]
    Places,
    /// In-links of pages near each other. Pages are not read for places.
    StatusLocality,
    /// How topical and how important pages are, likewise.
    Topics,
}

impl Subject {
    pub(super) fn is_places(&self) -> bool {
        *self == Subject::Places
    }
}

/// Starts at every recorded page.
pub(super) const ALL: &str = "all";

pub(super) fn us_top100() -> Vec<String> {
    vec!["us-top100".into()]
}

pub(super) fn six() -> usize {
    6
}

fn one() -> u64 {
    1
}

fn breadth() -> Vec<OrderSpec> {
    vec![OrderSpec::plain("breadth")]
}

impl Experiment {
    /// The worlds' seeds; recorded pages count as one.
    pub(super) fn worlds(&self) -> &[u64] {
        match self.web.is_empty() {
            true => &self.seeds,
            false => &[0],
        }
    }

    /// What it is about.
    pub fn subject(&self) -> Subject {
        match (self.topics.is_empty(), self.status_locality) {
            (false, _) => Subject::Topics,
            (true, true) => Subject::StatusLocality,
            (true, false) => Subject::Places,
        }
    }

    /// Whether crawls start at every page that was recorded.
    pub(super) fn starts_everywhere(&self) -> bool {
        self.start == [ALL]
    }

    /// Where crawls are told to start.
    pub(super) fn start_urls(&self) -> Result<Vec<CanonicalUrl>, ExperimentError> {
        let parse = |text: &String| {
            let told = |error| impossible(format!("`start`: `{text}`: {error}"));
            CanonicalUrl::parse(text).map_err(told)
        };
        self.start.iter().map(parse).collect()
    }

    /// Says which key is impossible, if one is.
    pub(super) fn check(&self) -> Result<(), ExperimentError> {
        self.check_numbers()?;
        self.check_web()?;
        for (key, is_empty) in [
            ("seeds", self.worlds().is_empty()),
            ("assign", self.assign.is_empty()),
            ("order", self.order.is_empty()),
        ] {
            if is_empty {
                return Err(impossible(format!("`{key}` is empty: give at least one")));
            }
        }
        self.check_strategies()?;
        self.check_topics()?;
        let seeds: Vec<String> = self.seeds.iter().map(ToString::to_string).collect();
        let labels: Vec<String> = self.order.iter().map(OrderSpec::label).collect();
        none_twice("seeds", &seeds)?;
        none_twice("topics", &self.topics)?;
        none_twice("assign", &self.assign)?;
        none_twice("order", &labels)
    }

    /// Topics that there are, and orders that need some.
    fn check_topics(&self) -> Result<(), ExperimentError> {
        let is_known = |name: &&String| topics::names().any(|known| known == *name);
        if let Some(name) = self.topics.iter().find(|name| !is_known(name)) {
            let known: Vec<&str> = topics::names().collect();
            let known = known.join(", ");
            return Err(impossible(format!(
                "`topics`: no topic named `{name}`: all, or some of {known}"
            )));
        }
        if !self.topics.is_empty() && self.status_locality {
            return Err(impossible("`topics` or `status_locality`, not both"));
        }
        if !self.topics.is_empty() && self.seeds.contains(&self.teaching_seed) {
            return Err(impossible(format!(
                "`teaching_seed` is {}, which is crawled too: learn on another web",
                self.teaching_seed
            )));
        }
        let needs_topic = |order: &&OrderSpec| matches!(order.name.as_str(), "utility" | "inlinks");
        match self.order.iter().find(needs_topic) {
            Some(order) if self.topics.is_empty() => Err(impossible(format!(
                "`order`: `{}` needs `topics`: `\"all\"`, or a list",
                order.name
            ))),
            _ => Ok(()),
        }
    }

    fn check_numbers(&self) -> Result<(), ExperimentError> {
        if self.pages == 0 {
            return Err(impossible("`pages` is 0; a crawl needs at least one"));
        }
        if self.slots == Some(0) {
            return Err(impossible("`slots` is 0; a node fetches one page at least"));
        }
        if self.budget == Some(0) {
            return Err(impossible("`budget` is 0; a domain has one page at least"));
        }
        Ok(())
    }

    /// Made-up worlds or recorded pages, not some of each.
    fn check_web(&self) -> Result<(), ExperimentError> {
        let is_recorded = !self.web.is_empty();
        let said = [
            ("world", self.world.is_some()),
            ("seeds", !self.seeds.is_empty()),
            ("recall", self.recall),
            ("topics", !self.topics.is_empty()),
        ];
        if let Some((key, _)) = said.iter().find(|(_, is_said)| is_recorded && *is_said) {
            return Err(impossible(format!(
                "`{key}` is for made-up webs; `web` names recorded pages"
            )));
        }
        if !is_recorded && !self.start.is_empty() {
            return Err(impossible(
                "`start` is for recorded pages; a made-up web brings its own",
            ));
        }
        if let Some(name) = ["classifier", "ip"]
            .into_iter()
            .find(|name| is_recorded && self.assign.iter().any(|other| other == name))
        {
            return Err(impossible(format!(
                "`assign`: `{name}` needs a made-up web, which knows more than its pages say"
            )));
        }
        Ok(())
    }

    fn check_strategies(&self) -> Result<(), ExperimentError> {
        if let Some(name) = self
            .assign
            .iter()
            .find(|name| assign::by_name(name).is_none())
        {
            let known: Vec<&str> = assign::ALL.iter().map(|entry| entry.name).collect();
            let known = known.join(", ");
            return Err(impossible(format!(
                "`assign`: no strategy named `{name}`: {known}"
            )));
        }
        match self.order.iter().find_map(OrderSpec::complaint) {
            Some(complaint) => Err(impossible(format!("`order`: {complaint}"))),
            None => Ok(()),
        }
    }
}

fn none_twice(key: &str, list: &[String]) -> Result<(), ExperimentError> {
    let is_again = |at: &usize| list[..*at].contains(&list[*at]);
    match (0..list.len()).find(is_again) {
        Some(at) => Err(impossible(format!("`{key}`: {} is there twice", list[at]))),
        None => Ok(()),
    }
}
