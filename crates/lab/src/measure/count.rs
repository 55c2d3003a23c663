//! What one pass over the log can count, exactly.

use super::harvest::{Find, Harvest};
use super::key_set::{KeySet, Marks};
use super::recall::Recall;
use super::report::{CentralityReport, Linkage, Mean};
use super::trails::{self, Trails};
use super::worth::Worths;
use super::{
    Centrality, Costs, NodeReport, NodeShare, Report, Sampled, Settings, TargetReport, Witness,
    Worth, ratio,
};
use std::collections::BTreeMap;
use store::visit::Visit;

/// Counts of a whole crawl.
pub(super) struct Counts {
    nodes: Vec<Tally>,
    /// Fingerprints of all pages.
    pages: KeySet,
    /// Fingerprints of pages that were ever geo pages.
    geo_pages: KeySet,
    /// Those that were looked for.
    found: KeySet,
    entities: KeySet,
    /// Of every node.
    node_entities: KeySet,
    domains: KeySet,
    node_domains: KeySet,
    /// By GeoNames id.
    targets: BTreeMap<u32, TargetReport>,
    n_pages: u64,
    n_geo_pages: u64,
    n_entities: u64,
    harvest: Harvest,
    recall: Recall,
    trails: Trails,
    worths: Worths,
    /// Milliseconds at which the first visit was sent.
    start: Option<u64>,
}

/// A node's counts.
struct Tally {
    share: NodeShare,
    n_pages: u64,
    n_repeats: u64,
    n_geo_pages: u64,
    n_own_geo_pages: u64,
    n_entities: u64,
    n_distinct_entities: u64,
    n_domains: u64,
    /// Links given to each node; shorter where the last ones got none.
    handed_over: Vec<u64>,
    harvest: Harvest,
}

impl Counts {
    pub(super) fn new(nodes: Vec<NodeShare>, settings: Settings) -> Counts {
        Counts {
            nodes: nodes.into_iter().map(Tally::new).collect(),
            pages: KeySet::default(),
            geo_pages: KeySet::default(),
            found: KeySet::default(),
            entities: KeySet::default(),
            node_entities: KeySet::default(),
            domains: KeySet::default(),
            node_domains: KeySet::default(),
            targets: BTreeMap::new(),
            n_pages: 0,
            n_geo_pages: 0,
            n_entities: 0,
            harvest: Harvest::default(),
            recall: Recall::new(settings),
            trails: Trails::new(settings.exact_pages.max(settings.sample_pages)),
            worths: Worths::default(),
            start: None,
        }
    }

    /// Nothing counted yet, for the same nodes.
    pub(super) fn anew(&self, settings: Settings) -> Counts {
        let shares = self.nodes.iter().map(|tally| tally.share.clone());
        Counts::new(shares.collect(), settings)
    }

    /// Marks a page that was downloaded; whether it was not marked before.
    pub(super) fn mark(&self, marks: &mut Marks, page: u64) -> bool {
        marks.mark(&self.pages, page)
    }

    /// Whether a page was downloaded.
    pub(super) fn is_page(&self, page: u64) -> bool {
        self.pages.contains(page)
    }

    /// Whether a page was downloaded and is a geo page.
    pub(super) fn is_geo_page(&self, page: u64) -> bool {
        self.geo_pages.contains(page)
    }

    /// Different pages.
    pub(super) fn n_distinct(&self) -> u64 {
        self.pages.len()
    }

    pub(super) fn n_nodes(&self) -> usize {
        self.nodes.len()
    }

    /// Looks at a visit that counts for no page: it brought none, or one that
    /// was different later. What it handed over and where it led counts.
    pub(super) fn pass(&mut self, visit: &Visit, page: u64) {
        self.start.get_or_insert(visit.at.0);
        self.tally(visit.node).hand_over(visit);
        if !visit.is_page() {
            self.trails.pass(visit);
        } else if visit.earlier.is_none() {
            let find = match visit.is_geo() {
                true => Find::New,
                false => Find::Nothing,
            };
            self.trails.add(visit, page, find);
        }
    }

    /// Counts a page, of a domain, and as one that was looked for; whether it
    /// is met for the first time.
    pub(super) fn add(
        &mut self,
        visit: &Visit,
        (page, domain): (u64, u64),
        wanted: Option<u64>,
        witness: &Witness<'_>,
    ) -> bool {
        let start = *self.start.get_or_insert(visit.at.0);
        self.tally(visit.node).hand_over(visit);
        let is_new = self.pages.insert(page);
        let find = match visit.entities.is_empty() {
            true => Find::Nothing,
            false if self.geo_pages.insert(page) => Find::New,
            false => Find::Again,
        };
        self.domains.insert(domain);
        let is_new_domain = self.node_domains.insert_for(visit.node, domain);
        let n_new_entities = self.add_entities(visit);
        self.n_pages += 1;
        self.n_geo_pages += u64::from(find != Find::Nothing);
        let ms = visit.at.0.saturating_sub(start);
        if let Some(wanted) = wanted {
            self.found.insert(wanted);
        }
        self.harvest.add(find, self.found.len(), ms);
        self.recall.add(self.n_pages, self.found.len());
        if visit.earlier.is_none() {
            self.trails.add(visit, page, find);
        }
        self.worths.add(visit, page, witness);
        let tally = self.tally(visit.node);
        tally.add(visit, find, ms);
        tally.n_repeats += u64::from(!is_new);
        tally.n_domains += u64::from(is_new_domain);
        tally.n_distinct_entities += n_new_entities;
        is_new
    }

    /// Counts the addresses of a page; how many are new to its node.
    fn add_entities(&mut self, visit: &Visit) -> u64 {
        self.n_entities += visit.entities.len() as u64;
        let mut n_new_for_node = 0;
        for (nth, entity) in visit.entities.iter().enumerate() {
            let is_new = self.entities.insert(entity.key);
            n_new_for_node += u64::from(self.node_entities.insert_for(visit.node, entity.key));
            let is_first_of_target = !visit.entities[..nth]
                .iter()
                .any(|other| other.target == entity.target);
            let target = self
                .targets
                .entry(entity.target)
                .or_insert_with(|| TargetReport {
                    geonameid: entity.target,
                    geo_pages: 0,
                    entities: 0,
                    distinct_entities: 0,
                });
            target.geo_pages += u64::from(is_first_of_target);
            target.entities += 1;
            target.distinct_entities += u64::from(is_new);
        }
        n_new_for_node
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

    /// All measures, with those that need the link graph.
    pub(super) fn report(mut self, centrality: Centrality, linkage: Linkage) -> Report {
        // Every target that somebody looked for, also those without any find.
        for target in self.nodes.iter().flat_map(|tally| &tally.share.sought) {
            self.targets.entry(*target).or_insert(TargetReport {
                geonameid: *target,
                geo_pages: 0,
                entities: 0,
                distinct_entities: 0,
            });
        }
        let geographic = || self.nodes.iter().filter(|tally| !tally.share.general);
        let sum = |count: fn(&Tally) -> u64| geographic().map(count).sum::<u64>();
        let hand_overs = self.hand_overs();
        let n_handed_over = hand_overs.iter().flatten().sum();
        let Linkage {
            centrality: means,
            locality,
            status: status_locality,
        } = linkage;
        let sampled = Sampled {
            centrality_pages: means.n_sampled.unwrap_or(0),
            locality_pages: locality.n_sampled.unwrap_or(0),
        };
        let bridges = self.trails.bridge_distances();
        Report {
            pages: self.n_pages,
            distinct_pages: self.n_distinct(),
            geo_pages: self.n_geo_pages,
            geo_coverage: ratio(self.n_geo_pages, self.n_pages),
            geo_coverage_without_general: ratio(
                sum(|tally| tally.n_geo_pages),
                sum(|tally| tally.n_pages),
            ),
            geo_focus: self.geo_focus(),
            entities: self.n_entities,
            unique_entities: ratio(self.entities.len(), self.n_entities),
            geo_centrality: means.all.value,
            geo_centrality_error: means.all.error,
            centrality_k: centrality.max_distance,
            centrality_m: centrality.damping,
            overlap: ratio(self.n_pages - self.n_distinct(), self.n_pages),
            diversity: ratio(self.domains.len(), self.n_pages),
            communication_overhead: ratio(n_handed_over, self.n_pages),
            locality: locality.locality,
            status_locality,
            costs: Costs {
                downloads: self.n_pages,
                hand_overs: n_handed_over,
            },
            harvest_rate: ratio(self.n_geo_pages, self.n_pages),
            harvest_curve: self.harvest.points(self.recall.n_relevant()),
            geographic_coverage: ratio(self.entities.len(), self.n_entities),
            accuracy: self.trails.accuracy(),
            over_bridges: bridges.as_ref().and_then(trails::over_bridges),
            bridge_distances: bridges,
            tail_lengths: self.trails.tail_lengths(|page| self.is_geo_page(page)),
            seed_distances: self.trails.seed_distances(),
            recall: self.recall.at_the_end(self.found.len()),
            sampled: means.n_sampled.map(|_| sampled),
            nodes: self.node_reports(&hand_overs, &means),
            hand_overs,
            recall_at: self.recall.into_points(),
            targets: self.targets.into_values().collect(),
            worth: None,
        }
    }

    /// What a crawl with a topic is worth.
    pub(super) fn worth(&self, witness: &Witness<'_>) -> Option<Worth> {
        self.worths.report(witness)
    }

    /// The mean over the geographic nodes, as in the paper: its overall values
    /// are those means to the last digit, a node without geo pages counting as
    /// zero.
    fn geo_focus(&self) -> Option<f64> {
        let nodes = self.nodes.iter().filter(|tally| !tally.share.general);
        let focus = |tally: &Tally| ratio(tally.n_own_geo_pages, tally.n_geo_pages);
        let at_work = nodes.filter(|tally| tally.n_pages > 0);
        let values: Vec<f64> = at_work.map(|tally| focus(tally).unwrap_or(0.0)).collect();
        (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
    }

    fn hand_overs(&self) -> Vec<Vec<u64>> {
        // Links may have gone to a node that never fetched anything.
        let n_receivers = self.nodes.iter().map(|tally| tally.handed_over.len());
        let n_nodes = n_receivers.max().unwrap_or(0).max(self.nodes.len());
        let mut rows: Vec<Vec<u64>> = self
            .nodes
            .iter()
            .map(|tally| tally.handed_over.clone())
            .collect();
        rows.resize(n_nodes, Vec::new());
        for row in &mut rows {
            row.resize(n_nodes, 0);
        }
        rows
    }

    fn node_reports(&self, hand_overs: &[Vec<u64>], means: &CentralityReport) -> Vec<NodeReport> {
        let received = |node_idx: usize| hand_overs.iter().map(|row| row[node_idx]).sum();
        let nodes = self.nodes.iter().enumerate();
        nodes
            .map(|(node_idx, tally)| {
                let mean = means.nodes.get(node_idx).copied().unwrap_or_default();
                tally.report(mean, received(node_idx))
            })
            .collect()
    }
}

impl Tally {
    fn new(share: NodeShare) -> Tally {
        Tally {
            share,
            n_pages: 0,
            n_repeats: 0,
            n_geo_pages: 0,
            n_own_geo_pages: 0,
            n_entities: 0,
            n_distinct_entities: 0,
            n_domains: 0,
            handed_over: Vec::new(),
            harvest: Harvest::default(),
        }
    }

    /// Counts the links that went to other nodes, also those of a redirect or
    /// a sitemap: they cost as much as a page's.
    fn hand_over(&mut self, visit: &Visit) {
        for link in &visit.links {
            if link.node == visit.node || link.refused.is_some() {
                continue;
            }
            let to = usize::from(link.node);
            if self.handed_over.len() <= to {
                self.handed_over.resize(to + 1, 0);
            }
            self.handed_over[to] += 1;
        }
    }

    /// Counts a page.
    fn add(&mut self, visit: &Visit, find: Find, ms: u64) {
        let is_own = |target: u32| self.share.targets.contains(&target);
        self.n_pages += 1;
        self.n_geo_pages += u64::from(find != Find::Nothing);
        self.n_own_geo_pages +=
            u64::from(visit.entities.iter().any(|entity| is_own(entity.target)));
        self.n_entities += visit.entities.len() as u64;
        self.harvest.add(find, 0, ms);
    }

    fn report(&self, centrality: Mean, received: u64) -> NodeReport {
        let focus = ratio(self.n_own_geo_pages, self.n_geo_pages);
        let handed_over = self.handed_over.iter().sum();
        NodeReport {
            name: self.share.name.clone(),
            general: self.share.general,
            pages: self.n_pages,
            geo_pages: self.n_geo_pages,
            geo_coverage: ratio(self.n_geo_pages, self.n_pages),
            geo_focus: focus.filter(|_| !self.share.general),
            entities: self.n_entities,
            unique_entities: ratio(self.n_distinct_entities, self.n_entities),
            geo_centrality: centrality.value,
            geo_centrality_error: centrality.error,
            overlap: ratio(self.n_repeats, self.n_pages),
            diversity: ratio(self.n_domains, self.n_pages),
            handed_over,
            received,
            communication_overhead: ratio(handed_over, self.n_pages),
            // How much there is to be found is known of the crawl alone.
            harvest_curve: self.harvest.points(None),
        }
    }
}
