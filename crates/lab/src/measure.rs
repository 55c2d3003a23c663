//! What strategies are compared by, computed from the visit log alone.
//!
//! The definitions are those of *Geographically focused collaborative
//! crawling* (Gao, Lee, Miao, WWW 2006). A page counts when its visit was
//! fetched; robots rules, errors and redirects do not. Visits are read once and
//! in any order; what stays in memory is some bytes for a page and eight for
//! each of its distinct links. A measure that would divide by zero is absent,
//! never zero or not-a-number.

mod graph;

use graph::Graph;
use page::url::CanonicalUrl;
use serde::Serialize;
use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use store::visit::Visit;
use xxhash_rust::xxh3::xxh3_64;

/// What a node was responsible for.
#[derive(Debug, Clone, Default)]
pub struct NodeShare {
    /// Its name in tables.
    pub name: String,
    /// Whether it takes what belongs to no target.
    pub general: bool,
    /// GeoNames ids of its targets.
    pub targets: HashSet<u32>,
}

/// How geo-centrality is computed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Centrality {
    /// The longest link path that counts: `k`. Default 2.
    pub max_distance: u32,
    /// How much less each further link counts: `m`. Default 10.
    pub damping: u32,
}

impl Default for Centrality {
    fn default() -> Centrality {
        Centrality {
            max_distance: 2,
            damping: 10,
        }
    }
}

/// The measures of a crawl, while its visits are being read.
pub struct Measures {
    centrality: Centrality,
    nodes: Vec<Tally>,
    entities: KeySet,
    domains: KeySet,
    graph: Graph,
    n_pages: u64,
    n_geo_pages: u64,
    n_entities: u64,
    n_handed_over: u64,
    harvest: Harvest,
}

/// The measures of a crawl.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Pages downloaded, counting repeats: `N`.
    pub pages: u64,
    /// Different pages downloaded: `I`.
    pub distinct_pages: u64,
    /// Pages with at least one address in a target, counting repeats.
    pub geo_pages: u64,
    /// Geo pages ÷ pages.
    pub geo_coverage: Option<f64>,
    /// The same for all nodes but general ones.
    pub geo_coverage_without_general: Option<f64>,
    /// Of the geographic nodes' geo pages, the share with an address in the node's own targets.
    pub geo_focus: Option<f64>,
    /// Addresses found, counting repeats.
    pub entities: u64,
    /// Different addresses ÷ addresses.
    pub unique_entities: Option<f64>,
    /// Mean over all pages of the damped number of geo pages near them.
    pub geo_centrality: Option<f64>,
    /// Repeated downloads ÷ pages.
    pub overlap: Option<f64>,
    /// Registrable domains ÷ pages.
    pub diversity: Option<f64>,
    /// Links handed from node to node ÷ pages.
    pub communication_overhead: Option<f64>,
    /// Whether linked pages are about the same target.
    pub locality: Locality,
    /// Geo pages ÷ pages, as focused crawling calls it.
    pub harvest_rate: Option<f64>,
    /// The harvest so far, at up to 100 moments of the crawl.
    pub harvest_curve: Vec<HarvestPoint>,
    /// The same for every node.
    pub nodes: Vec<NodeReport>,
}

/// The measures of one node.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NodeReport {
    /// The node's name.
    pub name: String,
    /// Whether it takes what belongs to no target.
    pub general: bool,
    /// Pages it downloaded.
    pub pages: u64,
    /// Those with an address in any target.
    pub geo_pages: u64,
    /// Geo pages ÷ pages.
    pub geo_coverage: Option<f64>,
    /// Of its geo pages, those with an address in its own targets; absent for a general node.
    pub geo_focus: Option<f64>,
    /// Addresses it found, counting repeats.
    pub entities: u64,
    /// Different addresses ÷ addresses.
    pub unique_entities: Option<f64>,
    /// Links it gave to other nodes.
    pub handed_over: u64,
}

/// Shares of page pairs with the same target, among different downloaded
/// pages that both have one.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Locality {
    /// δ: among pairs with a link in either direction.
    pub linked: Option<f64>,
    /// δ̃: among all other pairs.
    pub unlinked: Option<f64>,
    /// How many linked pairs there are.
    pub n_linked: u64,
    /// How many other pairs there are.
    pub n_unlinked: u64,
}

/// One moment of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct HarvestPoint {
    /// Pages downloaded until then.
    pub pages: u64,
    /// Geo pages among them.
    pub geo_pages: u64,
}

impl Measures {
    /// Starts with the nodes of the crawl, in the order of their numbers.
    pub fn new(nodes: Vec<NodeShare>, centrality: Centrality) -> Measures {
        Measures {
            centrality,
            nodes: nodes.into_iter().map(Tally::new).collect(),
            entities: KeySet::default(),
            domains: KeySet::default(),
            graph: Graph::default(),
            n_pages: 0,
            n_geo_pages: 0,
            n_entities: 0,
            n_handed_over: 0,
            harvest: Harvest::default(),
        }
    }

    /// Counts one visit.
    pub fn add(&mut self, visit: &Visit) {
        if !visit.is_page() {
            return;
        }
        let (page, domain) = keys_of(&visit.url);
        let is_geo = !visit.entities.is_empty();
        self.n_pages += 1;
        self.n_geo_pages += u64::from(is_geo);
        self.n_entities += visit.entities.len() as u64;
        self.entities
            .extend(visit.entities.iter().map(|entity| entity.key));
        self.domains.insert(domain);
        self.n_handed_over += self.tally(visit.node).add(visit);
        self.graph.add(page, is_geo, visit.target, &visit.links);
        self.harvest.add(HarvestPoint {
            pages: self.n_pages,
            geo_pages: self.n_geo_pages,
        });
    }

    /// The node's tally; a node nobody announced gets one with no targets.
    fn tally(&mut self, node: u16) -> &mut Tally {
        let node = usize::from(node);
        while self.nodes.len() <= node {
            let name = format!("node {}", self.nodes.len());
            self.nodes.push(Tally::new(NodeShare {
                name,
                ..NodeShare::default()
            }));
        }
        &mut self.nodes[node]
    }

    /// The measures of all visits counted.
    pub fn finish(self) -> Report {
        let geographic = || self.nodes.iter().filter(|tally| !tally.share.general);
        let sum = |count: fn(&Tally) -> u64| geographic().map(count).sum::<u64>();
        let n_distinct = self.graph.n_pages();
        let (centrality, locality) = self.graph.finish(self.centrality);
        Report {
            pages: self.n_pages,
            distinct_pages: n_distinct,
            geo_pages: self.n_geo_pages,
            geo_coverage: ratio(self.n_geo_pages, self.n_pages),
            geo_coverage_without_general: ratio(
                sum(|tally| tally.n_geo_pages),
                sum(|tally| tally.n_pages),
            ),
            geo_focus: ratio(
                sum(|tally| tally.n_own_geo_pages),
                sum(|tally| tally.n_geo_pages),
            ),
            entities: self.n_entities,
            unique_entities: ratio(self.entities.len() as u64, self.n_entities),
            geo_centrality: centrality,
            overlap: ratio(self.n_pages - n_distinct, self.n_pages),
            diversity: ratio(self.domains.len() as u64, self.n_pages),
            communication_overhead: ratio(self.n_handed_over, self.n_pages),
            locality,
            harvest_rate: ratio(self.n_geo_pages, self.n_pages),
            harvest_curve: self.harvest.finish(),
            nodes: self.nodes.iter().map(Tally::report).collect(),
        }
    }
}

/// A node's counts.
struct Tally {
    share: NodeShare,
    n_pages: u64,
    n_geo_pages: u64,
    n_own_geo_pages: u64,
    n_entities: u64,
    n_handed_over: u64,
    entities: KeySet,
}

impl Tally {
    fn new(share: NodeShare) -> Tally {
        Tally {
            share,
            n_pages: 0,
            n_geo_pages: 0,
            n_own_geo_pages: 0,
            n_entities: 0,
            n_handed_over: 0,
            entities: KeySet::default(),
        }
    }

    /// Counts a page; returns how many links went to other nodes.
    fn add(&mut self, visit: &Visit) -> u64 {
        let is_own = |target: u32| self.share.targets.contains(&target);
        self.n_pages += 1;
        self.n_geo_pages += u64::from(!visit.entities.is_empty());
        self.n_own_geo_pages +=
            u64::from(visit.entities.iter().any(|entity| is_own(entity.target)));
        self.n_entities += visit.entities.len() as u64;
        self.entities
            .extend(visit.entities.iter().map(|entity| entity.key));
        let n_handed_over = visit
            .links
            .iter()
            .filter(|link| link.node != visit.node)
            .count() as u64;
        self.n_handed_over += n_handed_over;
        n_handed_over
    }

    fn report(&self) -> NodeReport {
        let focus = ratio(self.n_own_geo_pages, self.n_geo_pages);
        NodeReport {
            name: self.share.name.clone(),
            general: self.share.general,
            pages: self.n_pages,
            geo_pages: self.n_geo_pages,
            geo_coverage: ratio(self.n_geo_pages, self.n_pages),
            geo_focus: focus.filter(|_| !self.share.general),
            entities: self.n_entities,
            unique_entities: ratio(self.entities.len() as u64, self.n_entities),
            handed_over: self.n_handed_over,
        }
    }
}

/// The harvest at evenly spaced moments, though nobody knows how long the crawl is.
struct Harvest {
    points: Vec<HarvestPoint>,
    /// Pages between two points; doubles whenever there are too many.
    stride: u64,
    last: Option<HarvestPoint>,
}

impl Default for Harvest {
    fn default() -> Harvest {
        Harvest {
            points: Vec::new(),
            stride: 1,
            last: None,
        }
    }
}

const MAX_POINTS: usize = 100;

impl Harvest {
    fn add(&mut self, point: HarvestPoint) {
        self.last = Some(point);
        if !point.pages.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(point);
        if self.points.len() == MAX_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points
                .retain(|point| point.pages.is_multiple_of(stride));
        }
    }

    fn finish(mut self) -> Vec<HarvestPoint> {
        if self.points.last() != self.last.as_ref() {
            self.points.extend(self.last);
        }
        self.points
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A page's short fingerprint, as link records have it, and its domain's key.
fn keys_of(url: &str) -> (u64, u64) {
    match CanonicalUrl::parse(url) {
        Ok(url) => (
            url.fingerprint().short(),
            xxh3_64(url.registrable_domain().as_bytes()),
        ),
        // A log holds canonical URLs only; a foreign one still counts as a page.
        Err(_) => (xxh3_64(url.as_bytes()), xxh3_64(url.as_bytes())),
    }
}

/// A set of numbers that are hashes already.
type KeySet = HashSet<u64, BuildHasherDefault<AlreadyHashed>>;

#[derive(Default)]
struct AlreadyHashed(u64);

impl Hasher for AlreadyHashed {
    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests;
