//! What an all-knowing observer measures on a made-up web, beside what was
//! published about the real one.
//!
//! It walks the web breadth first from the general seeds, asks every page for
//! its truth, and counts. Nothing here is asked by a crawler.

mod campus;
mod in_links;
mod locality;
mod reach;
mod status;
mod walk;

pub use in_links::InLinks;
pub(crate) use in_links::number;
pub(crate) use reach::Wanted;
pub use reach::{Extent, Reach, reach};

use crate::world::World;
use place::gazetteer::Gazetteer;
use place::target::{TargetId, Targets};
use serde::Serialize;
use std::collections::BTreeMap;
use strategy::roster::Roster;
use walk::{Glasses, Walk, Way};

/// Pages of the crawl that goes on near pages with an address, at most.
const FOCUSED_PAGES: u64 = 50_000;

/// One figure: ours and the published one.
#[derive(Debug, Clone, Serialize)]
pub struct Figure {
    /// What is measured.
    pub name: &'static str,
    /// On this web; absent where too few pages were seen to tell.
    pub ours: Option<f64>,
    /// On the real web, where somebody has published it.
    pub published: Option<f64>,
    /// Lowest and highest value that counts as alike.
    pub range: Option<(f64, f64)>,
}

impl Figure {
    fn new(name: &'static str, ours: Option<f64>) -> Figure {
        Figure {
            name,
            ours,
            published: None,
            range: None,
        }
    }

    fn beside(mut self, published: f64) -> Figure {
        self.published = Some(published);
        self
    }

    fn within(mut self, low: f64, high: f64) -> Figure {
        self.range = Some((low, high));
        self
    }

    /// Whether it lies in its range; none without a range or a value.
    pub fn is_alike(&self) -> Option<bool> {
        let (low, high) = self.range?;
        self.ours.map(|ours| (low..=high).contains(&ours))
    }
}

/// All figures of a web, by subject.
#[derive(Debug, Clone, Serialize)]
pub struct Observation {
    /// Pages seen.
    pub pages: u64,
    /// What was measured, under headings.
    pub subjects: Vec<(&'static str, Vec<Figure>)>,
    /// Pages seen by kind of site.
    pub kinds: BTreeMap<String, u64>,
    /// The targets that most URLs of the crawl name, with their pages.
    pub most_named: Vec<(String, u64)>,
    /// Pages of whole sites seen besides, of sites that are not the largest.
    pub whole_site_pages: u64,
    /// Relevant pages by how many clicks led to them from the seeds, in a crawl
    /// that goes on near the last one.
    pub seed_distances: Vec<u64>,
}

/// Looks at so many pages of a world; `hear` is told how many were seen.
pub fn observe(world: &World, n_pages: u64, mut hear: impl FnMut(u64)) -> Observation {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let roster = Roster::split(gazetteer, &targets, 1).expect("one node can do it all");
    let glasses = Glasses::new(&targets, &roster);
    let walk = Walk::along(world, &glasses, Way::BreadthFirst, n_pages, &mut hear);
    let n_few = n_pages.min(FOCUSED_PAGES);
    let focused = Walk::along(world, &glasses, Way::NearGeoFirst, n_few, &mut hear);
    let whole = Walk::site_by_site(world, &glasses, n_pages, &mut hear);
    let subjects = vec![
        ("Pages about places, in the crawl", about_places(&walk)),
        (
            "Pages about places, in a crawl by distance from the last",
            far_away(&focused),
        ),
        ("Locality of links, in the crawl", locality::figures(&walk)),
        (
            "Status, on whole sites",
            status::figures(&walk, &whole, world.settings().seed),
        ),
        ("Pages of twelve universities", campus::figures(world)),
        ("Pages of whole sites", pages_and_sites(world, &whole)),
        ("Requests, in the crawl", requests(&walk)),
    ];
    Observation {
        pages: walk.pages.len() as u64,
        subjects,
        kinds: walk.kinds.clone(),
        most_named: most_named(&walk, &targets),
        whole_site_pages: whole.pages.len() as u64,
        seed_distances: focused.seed_distances(),
    }
}

fn most_named(walk: &Walk, targets: &Targets) -> Vec<(String, u64)> {
    let mut counts: BTreeMap<TargetId, u64> = BTreeMap::new();
    for target in walk.pages.iter().filter_map(|page| page.by_url) {
        *counts.entry(target).or_default() += 1;
    }
    let name = |id| {
        targets
            .get(id)
            .map(|target| format!("{}, {}", target.city, target.state))
    };
    let mut counts: Vec<(String, u64)> = counts
        .into_iter()
        .filter_map(|(id, n)| Some((name(id)?, n)))
        .collect();
    counts.sort_by_key(|(_, n)| std::cmp::Reverse(*n));
    counts.truncate(8);
    counts
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

fn about_places(walk: &Walk) -> Vec<Figure> {
    let n_geo = walk.pages.iter().filter(|page| page.is_geo).count();
    let bridged = walk
        .pages
        .iter()
        .filter(|page| page.is_geo && !page.is_from_geo);
    let n_bridged = bridged.count();
    vec![
        Figure::new(
            "pages with an address of a target",
            share(n_geo, walk.pages.len()),
        )
        .beside(0.0086)
        .within(0.006, 0.012),
        Figure::new(
            "of them, found on a page without one",
            share(n_bridged, n_geo),
        )
        .within(0.5, 1.0),
    ]
}

/// How many clicks lead to relevant pages from the seeds. Breadth first that
/// cannot be told: such a crawl of a large web ends at the third click or so,
/// whatever lies beyond. *Adaptive Geospatially Focused Crawling* (2009) says
/// of its focused crawls that the number "reaches high values".
fn far_away(walk: &Walk) -> Vec<Figure> {
    let clicks = |share| quantile(walk.geo_distances(), share);
    vec![
        Figure::new("clicks from the seeds, median", clicks(0.5)),
        Figure::new("95 %", clicks(0.95)),
        Figure::new("at most", clicks(1.0)).within(10.0, 1000.0),
    ]
}

fn pages_and_sites(world: &World, walk: &Walk) -> Vec<Figure> {
    let of = |number: fn(&walk::Seen) -> u32| {
        walk.pages
            .iter()
            .map(|page| f64::from(number(page)))
            .collect::<Vec<f64>>()
    };
    let n_pages = walk.pages.len();
    let n_copies = walk.pages.iter().filter(|page| page.is_copy).count();
    let n_foreign = walk.pages.iter().filter(|page| page.is_foreign).count();
    let n_links = walk.links.len();
    vec![
        Figure::new("bytes, 5 %", quantile(of(|page| page.n_bytes), 0.05)).within(4e3, 1e4),
        Figure::new("bytes, median", quantile(of(|page| page.n_bytes), 0.5)).within(5e3, 6e4),
        Figure::new("bytes, 95 %", quantile(of(|page| page.n_bytes), 0.95)).within(3e4, 6.5e4),
        Figure::new("links, 5 %", quantile(of(|page| page.n_links), 0.05)).within(5.0, 40.0),
        Figure::new("links, median", quantile(of(|page| page.n_links), 0.5)).within(5.0, 150.0),
        Figure::new("links, 95 %", quantile(of(|page| page.n_links), 0.95)).within(20.0, 150.0),
        Figure::new("different links a page", share(n_links, n_pages)),
        Figure::new("near-copies within a site", share(n_copies, n_pages))
            .beside(0.29)
            .within(0.2, 0.3),
        Figure::new("not in English", share(n_foreign, n_pages)),
        Figure::new(
            "exponent of site sizes",
            tail_exponent(world.some_site_sizes(50_000), 20),
        )
        .within(1.6, 2.2),
    ]
}

fn requests(walk: &Walk) -> Vec<Figure> {
    let n_requests = walk.n_troubles + walk.pages.len();
    vec![
        Figure::new("bring no page", share(walk.n_troubles, n_requests)),
        Figure::new(
            "of them redirects",
            share(walk.n_redirects, walk.n_troubles),
        ),
    ]
}

/// The value below which a share of the others lie.
fn quantile(mut values: Vec<f64>, share: f64) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    let last = values.len().checked_sub(1)?;
    values.get((last as f64 * share).round() as usize).copied()
}

/// Exponent of a power law in the tail of whole numbers, by maximum
/// likelihood (Clauset, Shalizi and Newman 2009, their approximation for
/// whole numbers); none for a short tail.
fn tail_exponent(values: impl Iterator<Item = u32>, least: u32) -> Option<f64> {
    let base = f64::from(least) - 0.5;
    let (mut n, mut sum) = (0_u32, 0.0);
    for value in values.filter(|value| *value >= least) {
        n += 1;
        sum += (f64::from(value) / base).ln();
    }
    (n >= 50).then(|| 1.0 + f64::from(n) / sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_of_sorted_values() {
        assert_eq!(quantile(vec![5.0, 1.0, 3.0], 0.5), Some(3.0));
        assert_eq!(quantile(Vec::new(), 0.5), None);
    }

    #[test]
    fn the_exponent_of_a_power_law_is_found() {
        // Quantiles of P(X ≥ x) = (x/10)^-1.1: density exponent 2.1.
        let value =
            |step: u32| (10.0 * (1.0 - (f64::from(step) + 0.5) / 1e5).powf(-1.0 / 1.1)) as u32;
        let exponent = tail_exponent((0..100_000).map(value), 10).unwrap();
        assert!((exponent - 2.1).abs() < 0.1, "{exponent}");
    }
}
