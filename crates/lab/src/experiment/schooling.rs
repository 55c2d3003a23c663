//! What crawls for topics know beforehand: their topic, and what important
//! pages look like.
//!
//! All of it is learned on a web of another seed than those that are crawled.
//! Each topic is learned twice, from sites that have nothing in common: once
//! for the crawls and once for the classifier that evaluates them. Status is
//! learned from an exploratory crawl of that web, with its true in-links, as
//! the paper had its from search engines.

use super::ground::{Ground, world};
use super::{Bench, ExperimentError, impossible};
use crate::exploration;
use crate::topics::{self, Examples, N_EXAMPLES};
use crate::world::World;
use page::url::CanonicalUrl;
use std::ops::ControlFlow;
use std::sync::Arc;
use strategy::status::StatusModel;
use strategy::topic::Topic;

/// Pages of the exploratory crawl.
const EXPLORED: usize = 10_000;

/// Pages that a crawl starts from: sites that the directory lists for its topic.
const N_STARTS: usize = 10;

/// Everything that was learned, and the webs that are crawled.
pub(super) struct School {
    lessons: Vec<Lesson>,
    pub(super) status: Arc<StatusModel>,
    /// By seed.
    grounds: Vec<(u64, Ground)>,
}

/// One topic, learned twice.
pub(super) struct Lesson {
    pub(super) slug: String,
    /// Position among all topics of the made-up web.
    pub(super) position: usize,
    /// For crawls.
    pub(super) topic: Arc<Topic>,
    /// For whoever evaluates them.
    pub(super) evaluation: Arc<Topic>,
}

/// How far the preparations are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Preparation {
    /// In-links of the web of a seed are counted: pages so far.
    InLinks(u64, u64),
    /// Topics are learned: so many are.
    Topics(u64),
    /// Status is learned.
    Status,
}

impl Bench {
    /// Learns what the trials of an experiment with topics need, and gets to
    /// know its webs; `hear` is told how it goes and may stop it. Whether
    /// everything is there.
    pub fn prepare(
        &self,
        hear: &mut dyn FnMut(Preparation) -> ControlFlow<()>,
    ) -> Result<bool, ExperimentError> {
        if self.experiment.topics.is_empty() || self.school.get().is_some() {
            return Ok(true);
        }
        let Some(school) = self.found_school(hear)? else {
            return Ok(false);
        };
        let _ = self.school.set(school);
        Ok(true)
    }

    fn found_school(
        &self,
        hear: &mut dyn FnMut(Preparation) -> ControlFlow<()>,
    ) -> Result<Option<School>, ExperimentError> {
        let teaching_seed = self.experiment.teaching_seed;
        let Some(taught) = self.survey(teaching_seed, hear)? else {
            return Ok(None);
        };
        let mut lessons = Vec::new();
        let mut starts = Vec::new();
        for slug in &self.experiment.topics {
            lessons.push(lesson(&taught.world, slug)?);
            starts.extend(starts_of(&taught.world, slug));
            if hear(Preparation::Topics(lessons.len() as u64)).is_break() {
                return Ok(None);
            }
        }
        if hear(Preparation::Status).is_break() {
            return Ok(None);
        }
        let n_inlinks = |url: &CanonicalUrl| taught.n_inlinks(url.as_str());
        let (web, traffic) = (&taught.world, &taught.traffic);
        let status = exploration::status_counted(web, starts, traffic, EXPLORED, &n_inlinks)
            .map_err(|error| impossible(format!("status cannot be learned: {error}")))?;
        drop(taught);
        let mut grounds = Vec::new();
        for &seed in &self.experiment.seeds {
            let Some(ground) = self.survey(seed, hear)? else {
                return Ok(None);
            };
            grounds.push((seed, ground));
        }
        Ok(Some(School {
            lessons,
            status: Arc::new(status),
            grounds,
        }))
    }

    fn survey(
        &self,
        seed: u64,
        hear: &mut dyn FnMut(Preparation) -> ControlFlow<()>,
    ) -> Result<Option<Ground>, ExperimentError> {
        let file = self.dir.join("in_links").join(format!("{seed}.bin"));
        let hear = |n_pages| hear(Preparation::InLinks(seed, n_pages));
        Ground::survey(world(self, seed)?, &file, hear)
    }
}

impl School {
    pub(super) fn lesson(&self, slug: &str) -> Option<&Lesson> {
        self.lessons.iter().find(|lesson| lesson.slug == slug)
    }

    pub(super) fn ground(&self, seed: u64) -> Option<&Ground> {
        let mut grounds = self.grounds.iter();
        grounds
            .find(|(other, _)| *other == seed)
            .map(|(_, ground)| ground)
    }
}

fn lesson(world: &World, slug: &str) -> Result<Lesson, ExperimentError> {
    let none = || impossible(format!("`topics`: no topic named `{slug}`"));
    let position = topics::names().position(|name| name == slug);
    let position = position.ok_or_else(none)?;
    let lessons = topics::lessons(world, slug, N_EXAMPLES).ok_or_else(none)?;
    let train = |examples: &Examples| {
        Topic::train(slug, &examples.positives, &examples.negatives)
            .map(Arc::new)
            .map_err(|error| impossible(format!("`topics`: `{slug}` cannot be learned: {error}")))
    };
    Ok(Lesson {
        slug: slug.to_owned(),
        position,
        topic: train(&lessons.training)?,
        evaluation: train(&lessons.evaluation)?,
    })
}

/// Front pages that the directory lists for a topic, the first few.
pub(super) fn starts_of(world: &World, slug: &str) -> Vec<CanonicalUrl> {
    let lessons = topics::lessons(world, slug, N_STARTS).unwrap_or_default();
    let pages = lessons.training.positives.into_iter();
    pages.map(|page| page.url).collect()
}
