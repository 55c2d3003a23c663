//! An exploratory crawl of a made-up web: what a model of status learns from
//! where nobody has crawled anything yet.
//!
//! Breadth first from the seeds, without manners and without a folder. In-links
//! are those among the pages seen, as they would be in a crawl's log.

use crate::shelves::fetch;
use crate::world::World;
use page::html::Page;
use page::url::CanonicalUrl;
use std::collections::{HashMap, HashSet, VecDeque};
use strategy::status::{StatusError, StatusModel, Traffic, Trainer};

/// What so many pages from these seeds on teach of status.
pub fn status(
    world: &World,
    seeds: Vec<CanonicalUrl>,
    traffic: &Traffic,
    n_pages: usize,
) -> Result<StatusModel, StatusError> {
    let mut trainer = Trainer::default();
    for (page, n_inlinks) in pages(world, seeds, n_pages) {
        trainer.learn(&page, traffic, n_inlinks);
    }
    trainer.finish()
}

/// What so many pages from these seeds on teach, where somebody has counted
/// the links to each.
pub fn status_counted(
    world: &World,
    seeds: Vec<CanonicalUrl>,
    traffic: &Traffic,
    n_pages: usize,
    n_inlinks: &dyn Fn(&CanonicalUrl) -> Option<u64>,
) -> Result<StatusModel, StatusError> {
    let mut trainer = Trainer::default();
    walk(world, seeds, n_pages, &mut |page| {
        if let Some(n_inlinks) = n_inlinks(&page.url) {
            trainer.learn(&page, traffic, n_inlinks);
        }
    });
    trainer.finish()
}

/// So many pages from these seeds on, each with the links to it.
fn pages(world: &World, seeds: Vec<CanonicalUrl>, n_pages: usize) -> Vec<(Page, u64)> {
    let mut pages: Vec<Page> = Vec::new();
    let mut n_inlinks: HashMap<u64, u64> = HashMap::new();
    walk(world, seeds, n_pages, &mut |page| {
        let mut linked = HashSet::new();
        for link in page.links.iter().filter(|link| link.url != page.url) {
            let key = link.url.fingerprint().short();
            if linked.insert(key) {
                *n_inlinks.entry(key).or_default() += 1;
            }
        }
        pages.push(page);
    });
    let count = |page: &Page| n_inlinks.get(&page.url.fingerprint().short()).copied();
    let counted = pages.into_iter();
    counted
        .map(|page| (count(&page).unwrap_or(0), page))
        .map(|(n_inlinks, page)| (page, n_inlinks))
        .collect()
}

/// Shows so many pages, breadth first.
fn walk(world: &World, seeds: Vec<CanonicalUrl>, n_pages: usize, show: &mut dyn FnMut(Page)) {
    let mut seen: HashSet<CanonicalUrl> = seeds.iter().cloned().collect();
    let mut queue = VecDeque::from(seeds);
    let mut n_shown = 0;
    while let Some(url) = queue.pop_front().filter(|_| n_shown < n_pages) {
        let Some(page) = fetch(world, &url) else {
            continue;
        };
        for link in page.links.iter().filter(|link| link.url != page.url) {
            if seen.insert(link.url.clone()) {
                queue.push_back(link.url.clone());
            }
        }
        n_shown += 1;
        show(page);
    }
}
