//! Pages about one city on the sites of universities, after what was measured
//! on a recorded university web.

use super::{Figure, share};
use crate::world::World;
use page::url::CanonicalUrl;
use std::collections::{HashMap, VecDeque};

/// Universities looked at.
const N_CAMPUSES: usize = 12;

/// Farther away is out of reach.
const FAR: usize = 6;

#[derive(Default)]
struct Counts {
    n_pages: usize,
    n_geo: usize,
    /// Links of geo pages and of others, and those that lead to geo pages.
    links: [[usize; 2]; 2],
    /// Geo pages by the clicks to the nearest other one.
    nearest: [usize; FAR + 1],
}

pub(super) fn figures(world: &World) -> Vec<Figure> {
    let mut counts = Counts::default();
    for campus in world.universities().into_iter().take(N_CAMPUSES) {
        counts.add(world, &campus);
    }
    let from = |links: [usize; 2]| share(links[1], links[0]);
    let near = |clicks: usize| share(counts.nearest[clicks], counts.n_geo);
    vec![
        Figure::new(
            "pages with an address of its city",
            share(counts.n_geo, counts.n_pages),
        )
        .within(0.016, 0.024),
        Figure::new(
            "a link from such a page leads to another",
            from(counts.links[1]),
        )
        .within(0.14, 0.37),
        Figure::new(
            "a link from any other page leads to one",
            from(counts.links[0]),
        )
        .within(0.015, 0.045),
        Figure::new("nearest other one click away", near(1))
            .beside(0.38)
            .within(0.28, 0.48),
        Figure::new("two clicks", near(2))
            .beside(0.41)
            .within(0.31, 0.51),
        Figure::new("three clicks", near(3))
            .beside(0.11)
            .within(0.05, 0.2),
        Figure::new("out of reach", near(FAR))
            .beside(0.09)
            .within(0.04, 0.15),
    ]
}

impl Counts {
    fn add(&mut self, world: &World, campus: &[CanonicalUrl]) {
        let known: HashMap<u64, usize> = campus
            .iter()
            .enumerate()
            .map(|(at, url)| (url.fingerprint().short(), at))
            .collect();
        let truths: Vec<_> = campus.iter().map(|url| world.truth(url)).collect();
        let is_geo: Vec<bool> = truths
            .iter()
            .map(|truth| {
                truth.as_ref().is_some_and(|truth| {
                    truth
                        .addresses
                        .iter()
                        .any(|place| Some(*place) == truth.city)
                })
            })
            .collect();
        let links: Vec<Vec<usize>> = campus
            .iter()
            .map(|url| links_of(world, url, &known))
            .collect();
        self.n_pages += campus.len();
        self.n_geo += is_geo.iter().filter(|geo| **geo).count();
        for (at, links) in links.iter().enumerate() {
            let counts = &mut self.links[usize::from(is_geo[at])];
            counts[0] += links.len();
            counts[1] += links.iter().filter(|to| is_geo[**to]).count();
        }
        for at in (0..campus.len()).filter(|at| is_geo[*at]) {
            self.nearest[clicks_to_other(at, &links, &is_geo)] += 1;
        }
    }
}

/// The pages of the campus that a page links to, each once.
fn links_of(world: &World, url: &CanonicalUrl, known: &HashMap<u64, usize>) -> Vec<usize> {
    let crawl::fetch::Fetched::Answer(answer) = world.answer(url).fetched else {
        return Vec::new();
    };
    let page = page::html::read(&answer.body, url, answer.content_type.as_deref());
    let mut links: Vec<usize> = page
        .links
        .iter()
        .filter(|link| link.url != *url)
        .filter_map(|link| known.get(&link.url.fingerprint().short()).copied())
        .collect();
    links.sort_unstable();
    links.dedup();
    links
}

fn clicks_to_other(from: usize, links: &[Vec<usize>], is_geo: &[bool]) -> usize {
    let mut distances = HashMap::from([(from, 0)]);
    let mut queue = VecDeque::from([from]);
    while let Some(page) = queue.pop_front() {
        let distance = distances[&page];
        if page != from && is_geo[page] {
            return distance;
        }
        if distance + 1 == FAR {
            continue;
        }
        for next in &links[page] {
            if !distances.contains_key(next) {
                distances.insert(*next, distance + 1);
                queue.push_back(*next);
            }
        }
    }
    FAR
}
