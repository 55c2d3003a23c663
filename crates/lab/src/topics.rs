//! Pages about each topic of a made-up web, as its directory lists them: what
//! a topic may be learned from, and what it is measured with.
//!
//! As in the papers, which took theirs from a directory's categories. Sites on
//! the shelves of a topic are about it, those on the shelves of the others are
//! not. One half of each is for training and the other for an evaluation that
//! has seen none of it, not even another page of the same site. The directory
//! is read as anybody would read it; the world's own truth is not asked.

use crate::shelves::{fetch, is_inside, sites_on, take};
use crate::world::{World, topic_names};
use page::html::Page;
use page::url::CanonicalUrl;
use std::collections::HashSet;

/// Examples of each side, as in the paper.
pub const N_EXAMPLES: usize = 250;

/// Sites of each other topic whose pages are shown as being about something else.
const SITES_OF_OTHERS: usize = 24;

/// Pages that are about a topic, and pages that are not.
#[derive(Debug, Clone, Default)]
pub struct Examples {
    /// About the topic.
    pub positives: Vec<Page>,
    /// About other topics.
    pub negatives: Vec<Page>,
}

/// Two sets of examples that have no site in common.
#[derive(Debug, Clone, Default)]
pub struct Lessons {
    /// To learn from.
    pub training: Examples,
    /// To see how well it was learned.
    pub evaluation: Examples,
}

/// Every topic, as users write it: `real-estate`.
pub fn names() -> impl Iterator<Item = &'static str> {
    topic_names().map(|(_, slug)| slug)
}

/// At most so many examples of each side and half for a topic, fewer where the
/// directory lists fewer; always the same ones. None if there is no such topic.
pub fn lessons(world: &World, topic: &str, n_wanted: usize) -> Option<Lessons> {
    let (topic, _) = topic_names().find(|(_, slug)| *slug == topic)?;
    let front = world.all_seeds().first()?.join("/").ok()?;
    let mut lessons = Lessons::default();
    let (training, evaluation) = halves(sites_about(world, &front, topic));
    lessons.training.positives = pages(world, &training, n_wanted);
    lessons.evaluation.positives = pages(world, &evaluation, n_wanted);
    let listed: HashSet<String> = training.iter().chain(&evaluation).map(host).collect();
    let (mut training, mut evaluation) = (Vec::new(), Vec::new());
    let others = topic_names().filter(|(other, _)| *other != topic);
    for (other, _) in others {
        let mut sites = sites_about(world, &front, other);
        sites.retain(|site| !listed.contains(&host(site)));
        sites.truncate(SITES_OF_OTHERS);
        let (first, second) = halves(sites);
        training.push(first);
        evaluation.push(second);
    }
    lessons.training.negatives = pages(world, &in_turn(&training), n_wanted);
    lessons.evaluation.negatives = pages(world, &in_turn(&evaluation), n_wanted);
    Some(lessons)
}

fn host(url: &CanonicalUrl) -> String {
    url.host().to_owned()
}

/// The sites on the shelves of a topic that has no place.
fn sites_about(world: &World, front: &CanonicalUrl, topic: &str) -> Vec<CanonicalUrl> {
    let first = front.join(&format!("/{}/", topic.replace(' ', "_")));
    let mut shelves: Vec<Page> = first
        .ok()
        .and_then(|url| fetch(world, &url))
        .into_iter()
        .collect();
    let mut seen: HashSet<CanonicalUrl> = shelves.iter().map(|it| it.url.clone()).collect();
    let mut at = 0;
    while let Some(shelf) = shelves.get(at) {
        let below = shelves[0].url.path();
        let further = shelf
            .links
            .iter()
            .filter(|link| is_inside(shelf, link) && link.url.path().starts_with(below));
        let further = further.filter(|link| seen.insert(link.url.clone()));
        let further: Vec<Page> = further.filter_map(|link| fetch(world, &link.url)).collect();
        shelves.extend(further);
        at += 1;
    }
    sites_on(shelves.into_iter())
}

/// Every other site, and the rest; a host is in one of them.
fn halves(sites: Vec<CanonicalUrl>) -> (Vec<CanonicalUrl>, Vec<CanonicalUrl>) {
    let mut hosts = HashSet::new();
    let sites = sites.into_iter().filter(|site| hosts.insert(host(site)));
    let (mut first, mut second) = (Vec::new(), Vec::new());
    for (nth, site) in sites.enumerate() {
        match nth % 2 {
            0 => first.push(site),
            _ => second.push(site),
        }
    }
    (first, second)
}

/// The first site of every topic, then the second of every one, and so on.
fn in_turn(topics: &[Vec<CanonicalUrl>]) -> Vec<CanonicalUrl> {
    let longest = topics.iter().map(Vec::len).max().unwrap_or(0);
    let turns = (0..longest).flat_map(|nth| topics.iter().filter_map(move |sites| sites.get(nth)));
    turns.cloned().collect()
}

fn pages(world: &World, sites: &[CanonicalUrl], n_wanted: usize) -> Vec<Page> {
    let mut pages = Vec::new();
    take(world, sites, n_wanted, &mut |page| pages.push(page.clone()));
    pages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldSettings;
    use place::gazetteer::Gazetteer;
    use strategy::topic::{Confusion, Topic};

    fn world() -> World {
        let settings = WorldSettings {
            n_sites: 20_000,
            ..WorldSettings::default()
        };
        World::new(settings, Gazetteer::built_in())
    }

    fn confusion(topic: &Topic, examples: &Examples) -> Confusion {
        let mut confusion = Confusion::default();
        let sides = [(true, &examples.positives), (false, &examples.negatives)];
        for (is_positive, pages) in sides {
            for page in pages {
                confusion.add(is_positive, topic.topicality(page) > 0.5);
            }
        }
        confusion
    }

    #[test]
    fn a_topic_can_be_learned_from_the_directory_and_told_on_other_sites() {
        let world = world();
        for slug in ["restaurants", "real-estate"] {
            let lessons = lessons(&world, slug, 120).unwrap();
            let Examples {
                positives,
                negatives,
            } = &lessons.training;
            assert_eq!((positives.len(), negatives.len()), (120, 120), "{slug}");
            let topic = Topic::train(slug, positives, negatives).unwrap();
            assert_eq!(topic.language(), Some("en"));
            let found = confusion(&topic, &lessons.evaluation);
            assert_eq!(found.n_examples(), 240);
            assert!(found.accuracy() > Some(0.9), "{slug}: {found:?}");
        }
        assert!(lessons(&world, "no-such-topic", 10).is_none());
    }

    #[test]
    fn training_and_evaluation_have_no_site_in_common() {
        let lessons = lessons(&world(), "books", 60).unwrap();
        let hosts = |examples: &Examples| -> HashSet<String> {
            let pages = examples.positives.iter().chain(&examples.negatives);
            pages.map(|page| host(&page.url)).collect()
        };
        let (training, evaluation) = (hosts(&lessons.training), hosts(&lessons.evaluation));
        assert!(training.len() > 10 && training.is_disjoint(&evaluation));
    }

    #[test]
    fn every_topic_has_a_name_to_write() {
        assert_eq!(names().count(), 37);
        assert!(names().any(|name| name == "child-care"));
    }
}
