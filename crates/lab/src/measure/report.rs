//! The measures of a crawl, as they are shown and written.

use serde::{Deserialize, Serialize};

/// The measures of a crawl.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Of a geographic node's geo pages, the share with an address in its own targets: the mean
    /// over these nodes, as in the paper.
    pub geo_focus: Option<f64>,
    /// Addresses found, counting repeats.
    pub entities: u64,
    /// Different addresses ÷ addresses.
    pub unique_entities: Option<f64>,
    /// Mean over all pages of the damped number of geo pages near them.
    pub geo_centrality: Option<f64>,
    /// Its standard error, where it is estimated.
    pub geo_centrality_error: Option<f64>,
    /// Links that count for it at most: `k`.
    pub centrality_k: u32,
    /// How much less each further link counts: `m`.
    pub centrality_m: u32,
    /// Repeated downloads ÷ pages.
    pub overlap: Option<f64>,
    /// Registrable domains ÷ pages.
    pub diversity: Option<f64>,
    /// Links handed from node to node, whatever they were found on, ÷ pages.
    pub communication_overhead: Option<f64>,
    /// Whether linked pages are about the same target.
    pub locality: Locality,
    /// Whether pages near each other are linked to about as often; absent without pages, and in
    /// reports written before it was kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub status_locality: Option<StatusLocality>,
    /// What the crawl did, to be multiplied by what each costs.
    pub costs: Costs,
    /// Geo pages ÷ pages, as focused crawling calls it.
    pub harvest_rate: Option<f64>,
    /// The harvest so far, at up to 100 moments of the crawl.
    pub harvest_curve: Vec<HarvestPoint>,
    /// Different addresses ÷ addresses, as geo-referenced crawling calls it.
    pub geographic_coverage: Option<f64>,
    /// Geo pages ÷ pages, among pages whose link the order took for geographic: those fetched
    /// with a priority of at least one half. The paper divides by the geographic pages that were
    /// visited, which takes a truth that only a made-up web has. Absent without trails.
    pub accuracy: Option<f64>,
    /// How many other pages lie between a geo page and the last one on its path, zero where that
    /// one links to it. A seed counts as a geo page, and has none before it.
    pub bridge_distances: Option<Distances>,
    /// Of the geo pages in `bridge_distances`, the share with at least one page between.
    pub over_bridges: Option<f64>,
    /// How many links since the last geo page, where a path ends without another one: at pages
    /// that are no geo pages and from which no page was fetched. Zero for a seed.
    pub tail_lengths: Option<Distances>,
    /// How many links from a seed geo pages are, zero for a seed.
    pub seed_distances: Option<Distances>,
    /// Different geo pages found ÷ those that can be, where their number is known.
    pub recall: Option<f64>,
    /// The same at some moments, each as many pages into the crawl as a share of those that can
    /// be reached; only those moments that the crawl got to.
    #[serde(default)]
    pub recall_at: Vec<RecallPoint>,
    /// Links handed over: row by giving node, column by receiving one.
    pub hand_overs: Vec<Vec<u64>>,
    /// How many pages were drawn for what is estimated; absent where nothing is.
    pub sampled: Option<Sampled>,
    /// The same for every node.
    pub nodes: Vec<NodeReport>,
    /// What was found for every target, in the order of their numbers; a region's smaller places
    /// come only where something was found.
    pub targets: Vec<TargetReport>,
    /// What a crawl with a topic is worth; absent for others.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub worth: Option<Worth>,
}

/// How topical and how important the pages of a crawl are.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Worth {
    /// Share of pages that a classifier calls relevant which the crawl did not have.
    pub average_topicality: Option<f64>,
    /// Its standard error, where only some pages were shown to it.
    pub average_topicality_error: Option<f64>,
    /// Pages that were shown to it.
    pub evaluated_pages: u64,
    /// Share of pages that are truly about the topic, where somebody knows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub true_topicality: Option<f64>,
    /// Share of pages that the crawl's own classifier calls relevant.
    pub estimated_topicality: Option<f64>,
    /// Mean ln(1 + in-links), counted in the whole web.
    pub average_status: Option<f64>,
    /// Pages whose in-links are known.
    pub counted_pages: u64,
    /// Mean status that the crawl estimated, from 0 to 1.
    pub estimated_status: Option<f64>,
    /// Different sites: hosts, with or without `www.`.
    pub sites: u64,
    /// Share of these sites that a directory lists.
    pub reliability: Option<f64>,
    /// Mean elasticity of the topic, α.
    pub alpha: Option<f64>,
    /// The same in up to 100 stretches of the crawl.
    pub curve: Vec<WorthPoint>,
    /// The elasticity of every node at up to 100 moments.
    pub alphas: Vec<Vec<AlphaPoint>>,
    /// How many pages are how topical and how important.
    pub joint: Option<Joint>,
}

/// One stretch of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct WorthPoint {
    /// Pages until its end.
    pub pages: u64,
    /// Share that the other classifier calls relevant.
    pub topicality: Option<f64>,
    /// Share that the crawl's own calls relevant.
    pub estimated_topicality: Option<f64>,
    /// Share that is truly about the topic.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub true_topicality: Option<f64>,
    /// Mean ln(1 + in-links).
    pub status: Option<f64>,
    /// Mean status that the crawl estimated.
    pub estimated_status: Option<f64>,
    /// Different sites until its end.
    pub sites: u64,
    /// Mean elasticity.
    pub alpha: Option<f64>,
}

/// The elasticity of a node at some moment.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct AlphaPoint {
    /// Pages of the node until then.
    pub pages: u64,
    /// α.
    pub alpha: f64,
}

/// The joint distribution of topicality and status.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Joint {
    /// Whether both are the crawl's own estimates.
    pub is_estimated: bool,
    /// Pages by status, then by topicality, ten of each. Topicality and estimated status in
    /// tenths; true status by whole numbers of ln(1 + in-links), the last for 9 and more.
    pub cells: Vec<Vec<u64>>,
}

/// The measures of one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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
    /// Mean over the pages it was first to download.
    pub geo_centrality: Option<f64>,
    /// Its standard error, where it is estimated.
    pub geo_centrality_error: Option<f64>,
    /// Downloads of pages that some node had downloaded before ÷ pages.
    pub overlap: Option<f64>,
    /// Registrable domains it was at ÷ pages.
    pub diversity: Option<f64>,
    /// Links it gave to other nodes.
    pub handed_over: u64,
    /// Links it was given.
    pub received: u64,
    /// Links it gave to other nodes ÷ pages.
    pub communication_overhead: Option<f64>,
    /// Its harvest so far, at up to 100 moments of the crawl.
    pub harvest_curve: Vec<HarvestPoint>,
}

/// Shares of page pairs that the strategy maps to the same target, among
/// different downloaded pages. A page that is mapped to none is like no other.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Locality {
    /// δ: among pairs with a link in either direction.
    pub linked: Option<f64>,
    /// Its standard error, where it is estimated.
    pub linked_error: Option<f64>,
    /// δ̃: among all other pairs.
    pub unlinked: Option<f64>,
    /// Its standard error, where it is estimated.
    pub unlinked_error: Option<f64>,
    /// How many linked pairs there are, about so many where it is estimated.
    pub n_linked: u64,
    /// How many other pairs there are.
    pub n_unlinked: u64,
}

/// Spearman's rank correlation of status, ln(1 + in-links), between pages that are drawn at
/// random and pages one, two and three links away from them, in this order. In-links are those
/// from downloaded pages.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct StatusLocality {
    /// Wherever the other page is.
    pub anywhere: Vec<StatusPairs>,
    /// In the same registrable domain.
    pub within: Vec<StatusPairs>,
    /// In another one.
    pub across: Vec<StatusPairs>,
    /// Any two pages.
    pub random: StatusPairs,
}

/// How alike pairs of pages are in status.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct StatusPairs {
    /// Spearman's ρ; absent where one side is all the same.
    pub rho: Option<f64>,
    /// How likely pages that have nothing to do with each other were as much alike, or unlike.
    pub p: Option<f64>,
    /// How many.
    pub pairs: u64,
}

impl StatusPairs {
    /// The standard error of ρ, for pairs that have nothing to do with each other (Bonett and
    /// Wright, *Sample size requirements for estimating Pearson, Kendall and Spearman
    /// correlations*, 2000).
    pub fn error(&self) -> Option<f64> {
        let rho = self.rho.filter(|_| self.pairs > 3)?;
        let spread = (1.0 - rho * rho) * (1.0 + rho * rho / 2.0).sqrt();
        Some(spread / ((self.pairs - 3) as f64).sqrt())
    }
}

/// What a crawl did. A policy that sends links to several nodes is paid for
/// in downloads, one that sends them to one node in hand-overs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Costs {
    /// Pages downloaded.
    pub downloads: u64,
    /// Links handed from node to node.
    pub hand_overs: u64,
}

impl Costs {
    /// All of it, for what one download and one hand-over cost: `b` and `c` of the paper.
    pub fn total(self, download: f64, hand_over: f64) -> f64 {
        self.downloads as f64 * download + self.hand_overs as f64 * hand_over
    }
}

/// One moment of a crawl.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct HarvestPoint {
    /// Pages downloaded until then.
    pub pages: u64,
    /// Geo pages among them.
    pub geo_pages: u64,
    /// Milliseconds since the crawl's first visit.
    pub ms: u64,
    /// Geo pages ÷ pages since the moment before; none in reports written before it was kept.
    pub rate: Option<f64>,
    /// Different geo pages found until then ÷ those that can be, where their number is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub recall: Option<f64>,
}

/// How much was found by the time a share of all pages could have been fetched.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct RecallPoint {
    /// Share of the pages that can be reached.
    pub share: f64,
    /// As many pages.
    pub pages: u64,
    /// Different geo pages found until then ÷ those that can be.
    pub recall: f64,
}

/// Lengths of paths, of at least one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Distances {
    /// How many have length zero, one and so on, up to [`Distances::LONGEST`].
    pub counts: Vec<u64>,
    /// How many are longer than that.
    pub more: u64,
    /// Half of them are no longer.
    pub median: u16,
    /// 95 in a hundred are no longer.
    pub p95: u16,
    /// The longest.
    pub most: u16,
    /// One in so many pages was looked at, drawn by a hash of its address; absent where all were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub one_in: Option<u64>,
}

impl Distances {
    /// The longest length that is counted by itself.
    pub const LONGEST: u16 = 30;

    /// How many there are.
    pub fn total(&self) -> u64 {
        self.counts.iter().sum::<u64>() + self.more
    }
}

/// How many pages were drawn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Sampled {
    /// For geo-centrality.
    pub centrality_pages: u64,
    /// For locality.
    pub locality_pages: u64,
}

/// What was found for one target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct TargetReport {
    /// Its GeoNames id.
    pub geonameid: u32,
    /// Pages with an address in it.
    pub geo_pages: u64,
    /// Addresses in it, counting repeats.
    pub entities: u64,
    /// Different addresses in it.
    pub distinct_entities: u64,
}

/// A mean of a measure over pages.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Mean {
    pub(super) value: Option<f64>,
    /// None where it is exact.
    pub(super) error: Option<f64>,
}

/// Geo-centrality of the crawl and its nodes.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct CentralityReport {
    pub(super) all: Mean,
    pub(super) nodes: Vec<Mean>,
    /// Pages drawn, where they are estimates.
    pub(super) n_sampled: Option<u64>,
}

/// Locality of the crawl.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct LocalityReport {
    pub(super) locality: Locality,
    /// Pages drawn, where it is an estimate.
    pub(super) n_sampled: Option<u64>,
}

/// What needs the link graph.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Linkage {
    pub(super) centrality: CentralityReport,
    pub(super) locality: LocalityReport,
    pub(super) status: Option<StatusLocality>,
}
