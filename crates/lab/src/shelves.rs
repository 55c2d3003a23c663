//! Pages about each target, and about none, as the directory of a made-up web
//! lists them: what a classifier may learn from.
//!
//! The paper took its training pages from a directory's regional categories.
//! Here too: the sites on a city's shelf, and on those of its topics, are about
//! that city; sites on the shelves of topics without a place are about none.
//! The directory is read as anybody would read it, by its pages and links; the
//! world's own truth is not asked.

use crate::world::World;
use crawl::fetch::Fetched;
use page::html::{self, Link, Page};
use page::url::CanonicalUrl;
use place::gazetteer::{Gazetteer, Kind};
use place::names::normalise;
use place::target::{Target, TargetId, Targets};
use std::collections::{HashMap, HashSet};

/// Pages of one site beside its front page: no site should speak for a city alone.
const PAGES_OF_SITE: usize = 10;

/// How many pages are wanted.
#[derive(Debug, Clone, Copy)]
pub struct Wanted {
    /// About each target.
    pub of_target: usize,
    /// About none.
    pub of_none: usize,
}

/// Shows pages with the target they are about, fewer than wanted where the
/// directory lists fewer. Always the same ones in the same order.
pub fn examples(
    world: &World,
    targets: &Targets,
    wanted: Wanted,
    show: &mut dyn FnMut(Option<TargetId>, &Page),
) {
    let shelves = city_shelves(world, targets);
    for (id, _) in targets.iter() {
        let shelf = shelves.get(&id).and_then(|url| fetch(world, url));
        let sites = shelf.map(|shelf| sites_of_city(world, &shelf));
        let mut show = |page: &Page| show(Some(id), page);
        take(
            world,
            &sites.unwrap_or_default(),
            wanted.of_target,
            &mut show,
        );
    }
    let sites = sites_of_nowhere(world, targets);
    take(world, &sites, wanted.of_none, &mut |page| show(None, page));
}

pub(crate) fn fetch(world: &World, url: &CanonicalUrl) -> Option<Page> {
    match world.answer(url).fetched {
        Fetched::Answer(answer) if answer.status == 200 && answer.is_text() => {
            let content_type = answer.content_type.as_deref();
            Some(html::read(&answer.body, url, content_type))
        }
        _ => None,
    }
}

/// The shelf of each target that has one.
fn city_shelves(world: &World, targets: &Targets) -> HashMap<TargetId, CanonicalUrl> {
    let gazetteer = Gazetteer::built_in();
    let state = |target: &Target| {
        let mut above = gazetteer.chain(target.place);
        let division = above.find(|&id| gazetteer.kind(id) == Kind::Division1);
        division.map_or(String::new(), |id| normalise(gazetteer.place(id).name))
    };
    let names = targets.iter();
    let by_name: HashMap<(String, String), TargetId> = names
        .map(|(id, target)| ((state(target), normalise(&target.city)), id))
        .collect();
    let mut shelves = HashMap::new();
    for page in world
        .all_seeds()
        .iter()
        .filter_map(|seed| fetch(world, seed))
    {
        for link in page.links.iter().filter(|link| is_inside(&page, link)) {
            let target = city_in_path(&link.url).and_then(|city| by_name.get(&city));
            if let Some(&target) = target {
                shelves.entry(target).or_insert_with(|| link.url.clone());
            }
        }
    }
    shelves
}

/// State and city of a shelf, by its path: `…/Texas/Localities/Fort_Worth/`.
fn city_in_path(url: &CanonicalUrl) -> Option<(String, String)> {
    let mut parts = url.path_and_query().trim_end_matches('/').rsplit('/');
    let (city, localities, state) = (parts.next()?, parts.next()?, parts.next()?);
    let name = |part: &str| normalise(&part.replace('_', " "));
    (localities == "Localities").then(|| (name(state), name(city)))
}

pub(crate) fn is_inside(page: &Page, link: &Link) -> bool {
    link.url.host() == page.url.host()
}

/// The sites on a city's shelf and on those of its topics.
fn sites_of_city(world: &World, shelf: &Page) -> Vec<CanonicalUrl> {
    let below = shelf.url.path_and_query();
    let topics = shelf.links.iter().filter(|link| {
        let path = link.url.path_and_query();
        is_inside(shelf, link) && path.len() > below.len() && path.starts_with(below)
    });
    let topics: Vec<CanonicalUrl> = topics.map(|link| link.url.clone()).collect();
    let topics = topics.iter().filter_map(|url| fetch(world, url));
    sites_on(std::iter::once(shelf.clone()).chain(topics))
}

/// The sites on the shelves of topics that have no place.
fn sites_of_nowhere(world: &World, targets: &Targets) -> Vec<CanonicalUrl> {
    let seeds = world.seeds(targets);
    let front = seeds.first().and_then(|seed| seed.join("/").ok());
    let Some(front) = front.and_then(|front| fetch(world, &front)) else {
        return Vec::new();
    };
    let is_topic = |link: &&Link| {
        is_inside(&front, link) && !link.url.path_and_query().starts_with("/Regional/")
    };
    let topics = front.links.iter().filter(is_topic);
    sites_on(topics.filter_map(|link| fetch(world, &link.url)))
}

/// The sites that some pages list, each once.
pub(crate) fn sites_on(pages: impl Iterator<Item = Page>) -> Vec<CanonicalUrl> {
    let mut seen = HashSet::new();
    let mut sites = Vec::new();
    for page in pages {
        for link in page.links.iter().filter(|link| !is_inside(&page, link)) {
            if seen.insert(link.url.clone()) {
                sites.push(link.url.clone());
            }
        }
    }
    sites
}

/// Shows the pages that a directory lists, then some that those link to
/// within their sites, until there are enough.
pub(crate) fn take(
    world: &World,
    sites: &[CanonicalUrl],
    n_wanted: usize,
    show: &mut dyn FnMut(&Page),
) {
    let fronts: Vec<Page> = sites
        .iter()
        .filter_map(|site| fetch(world, site))
        .take(n_wanted)
        .collect();
    fronts.iter().for_each(&mut *show);
    let mut seen: HashSet<&CanonicalUrl> = sites.iter().collect();
    let mut n_left = n_wanted - fronts.len();
    for front in &fronts {
        let inner = front.links.iter().filter(|link| is_inside(front, link));
        let inner = inner.map(|link| &link.url).filter(|url| seen.insert(url));
        let pages = inner.filter_map(|url| fetch(world, url));
        for page in pages.take(PAGES_OF_SITE.min(n_left)) {
            show(&page);
            n_left -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldSettings;

    #[test]
    fn the_directory_lists_pages_about_every_large_city_and_about_none() {
        let gazetteer = Gazetteer::built_in();
        let settings = WorldSettings {
            n_sites: 20_000,
            ..WorldSettings::default()
        };
        let world = World::new(settings, gazetteer);
        let wishes = ["Houston, TX".to_owned(), "New York".to_owned()];
        let targets = Targets::parse(gazetteer, &wishes).unwrap();
        let wanted = Wanted {
            of_target: 30,
            of_none: 20,
        };
        let mut counts: HashMap<Option<TargetId>, (usize, usize)> = HashMap::new();
        examples(&world, &targets, wanted, &mut |target, page| {
            let (n_pages, n_right) = counts.entry(target).or_default();
            *n_pages += 1;
            let city = world.truth(&page.url).and_then(|truth| truth.city);
            *n_right += usize::from(city == target.map(|id| targets.list()[id.0 as usize].place));
        });
        for (id, target) in targets.iter() {
            let (n_pages, n_right) = counts[&Some(id)];
            assert_eq!(n_pages, 30, "{}", target.city);
            assert!(n_right * 10 >= n_pages * 8, "{}: {n_right}", target.city);
        }
        assert_eq!(counts[&None].0, 20);
    }
}
