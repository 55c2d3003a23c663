//! What a crawl for a topic is given, and what it is measured with.

use super::ground::Ground;
use super::schooling::{Lesson, starts_of};
use super::source::Web;
use super::{Bench, ExperimentError, Trial, impossible};
use crate::measure::{NodeShare, Report, Settings, Witness, Worth, measure};
use crate::shelves;
use crate::world::MadeUpWeb;
use page::url::CanonicalUrl;
use std::path::Path;
use std::sync::Arc;
use store::crawl_dir::{StoreError, VisitReader};
use store::visit::Visit;
use strategy::appraise::Appraiser;
use strategy::means::{Means, Subject};
use strategy::status::StatusModel;

/// One page in so many of a crawl for a topic is shown to the classifier that
/// evaluates it: 2,500 of 10,000 are known to a hundredth.
const EVALUATED_ONE_IN: u64 = 4;

/// What a crawl for a topic has, and who evaluates it.
pub(super) struct Kit<'b> {
    lesson: &'b Lesson,
    status: &'b Arc<StatusModel>,
    ground: &'b Ground,
}

impl<'b> Kit<'b> {
    /// None for a trial without a topic.
    pub(super) fn of(bench: &'b Bench, trial: &Trial) -> Result<Option<Kit<'b>>, ExperimentError> {
        let Some(topic) = &trial.topic else {
            return Ok(None);
        };
        let school = bench.school.get();
        let kit = school.and_then(|school| {
            Some(Kit {
                lesson: school.lesson(topic)?,
                status: &school.status,
                ground: school.ground(trial.seed)?,
            })
        });
        kit.map(Some)
            .ok_or_else(|| impossible("nothing was prepared for crawls with topics"))
    }

    pub(super) fn web(&self, trial: &Trial) -> Web {
        let world = &self.ground.world;
        Web {
            fetcher: Arc::new(MadeUpWeb(Arc::clone(world))),
            seeds: starts_of(world, trial.topic.as_deref().unwrap_or_default()),
            world: Some(Arc::clone(world)),
        }
    }

    pub(super) fn means<'m>(&self, bench: &'m Bench) -> Means<'m> {
        Means {
            topic: Some(Subject::Topic(Arc::clone(&self.lesson.topic))),
            status: Some(Arc::clone(self.status)),
            traffic: Arc::clone(&self.ground.traffic),
            ..Means::new(&bench.targets, &bench.roster)
        }
    }

    pub(super) fn appraiser(&self, bench: &Bench) -> Option<Appraiser> {
        Appraiser::of(&self.means(bench))
    }

    /// What the first pages are worth, as many as all trials have, and where
    /// there are more, what all are worth.
    pub(super) fn report(
        &self,
        bench: &Bench,
        trial: &Trial,
        path: &Path,
    ) -> Result<(Report, Option<Worth>), ExperimentError> {
        let world = &self.ground.world;
        let evaluate = |visit: &Visit| {
            let url = CanonicalUrl::parse(&visit.url).ok()?;
            let page = shelves::fetch(world, &url)?;
            Some(self.lesson.evaluation.topicality(&page))
        };
        let is_on_topic = |url: &str| self.ground.is_about(url, self.lesson.position);
        let n_inlinks = |url: &str| self.ground.n_inlinks(url);
        let is_listed = |site: &str| self.ground.is_listed(site);
        let witness = Witness {
            wanted: None,
            topicality: Some(&evaluate),
            one_in: EVALUATED_ONE_IN,
            is_on_topic: Some(&is_on_topic),
            n_inlinks: Some(&n_inlinks),
            is_listed: Some(&is_listed),
        };
        let of = |n_pages: u64| {
            let shares = NodeShare::of(&bench.roster, &bench.targets);
            let settings = Settings::default();
            measure(shares, settings, witness, || {
                Ok::<_, StoreError>(first_pages(VisitReader::open(path)?, n_pages))
            })
        };
        let report = of(bench.experiment.pages)?;
        let n_all = bench.pages_of(trial);
        let long = match n_all > bench.experiment.pages {
            true => of(n_all)?.worth,
            false => None,
        };
        Ok((report, long))
    }
}

/// The visits of a log until so many pages are there.
fn first_pages(visits: impl Iterator<Item = Visit>, n_pages: u64) -> impl Iterator<Item = Visit> {
    let mut n_left = n_pages;
    visits.take_while(move |visit| {
        let is_within = n_left > 0;
        let is_new = visit.is_page() && visit.earlier.is_none();
        n_left -= u64::from(is_within && is_new);
        is_within
    })
}
