//! What strategies are compared by, computed from the visit log alone.
//!
//! The definitions are those of *Geographically focused collaborative
//! crawling* (Gao, Lee, Miao, WWW 2006); those of crawls that go best first,
//! such as bridges and tails, are in `trails.rs`. A page counts when its visit
//! was fetched; robots rules, errors and redirects do not. A measure that
//! would divide by zero is absent, never zero or not-a-number.
//!
//! What was visited again and had changed is one page, as it was the last
//! time; only paths are those of the first. Which visits were replaced is known
//! at the end of the log: where there are any, it is read once more.
//!
//! Counts, shares and sets are exact. Of the measures that need the link
//! graph, geo-centrality and locality are exact while the graph is small
//! enough to be held (see [`Settings::exact_pages`]); beyond that they are
//! estimated from pages drawn at random, with their standard errors, and the
//! log is read again for the links of their links. Status locality is always
//! that of drawn pages, the same ones in either case. Tails are those of all
//! pages or of every second, fourth and so on. Pages are drawn by a hash of
//! their address: the same log, the same report.
//!
//! Memory: 25·I + 15·(G + E + E' + D + D') bytes at most for I different
//! pages, G geo pages, E addresses, D domains (E', D': counted once for every
//! node that has them), and 260 MB for the graph or the samples in its place;
//! beside it some 16 bytes for every time that a page had changed.
//! For 12.8 million pages as in the paper, with forty links each and one in
//! twelve a geo page with five addresses, 460 MB were measured.

mod centrality;
mod count;
mod estimate;
mod graph;
mod harvest;
mod key_set;
mod lengths;
mod locality;
mod recall;
mod report;
mod sample;
mod status;
#[cfg(test)]
mod tests;
mod trails;
mod worth;

pub use report::{
    AlphaPoint, Costs, Distances, HarvestPoint, Joint, Locality, NodeReport, RecallPoint, Report,
    Sampled, StatusLocality, StatusPairs, TargetReport, Worth, WorthPoint,
};
pub use worth::site_of;

use centrality::Rings;
use count::Counts;
use graph::Graph;
use key_set::Marks;
use locality::{Arcs, TargetCounts};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::{Target, Targets};
use report::Linkage;
use sample::{Sample, links_of};
use status::Kin;
use std::collections::HashSet;
use store::visit::Visit;
use strategy::roster::{Roster, Seat};
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
    /// Those among them that are told of even where nothing was found: of a
    /// region's places only the largest are.
    pub sought: HashSet<u32>,
}

impl NodeShare {
    /// The shares of all nodes, in the order of their numbers.
    pub fn of(roster: &Roster, targets: &Targets) -> Vec<NodeShare> {
        let gazetteer = Gazetteer::built_in();
        let geonameid = |target: &Target| gazetteer.geonameid(target.place);
        let share = |seat: &Seat| {
            let own = || seat.targets.iter().filter_map(|id| targets.get(*id));
            NodeShare {
                name: seat.name.clone(),
                general: seat.targets.is_empty(),
                targets: own().map(geonameid).collect(),
                sought: own().filter(|it| it.is_sought).map(geonameid).collect(),
            }
        };
        roster.seats().iter().map(share).collect()
    }
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

/// How a crawl is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How geo-centrality is computed.
    pub centrality: Centrality,
    /// Different pages up to which nothing is estimated. Default 300,000.
    ///
    /// More costs memory, some 12 bytes for each of their links, and makes
    /// figures exact that would be right to a few per cent.
    pub exact_pages: usize,
    /// Pages drawn where something is estimated. Default 16,384.
    pub sample_pages: usize,
    /// Geo pages that can be reached, where somebody knows: what a recall is measured against.
    pub n_relevant: Option<u64>,
    /// Pages that can be reached, where somebody knows: shares of them are the moments at which
    /// recalls are compared.
    pub n_reachable: Option<u64>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            centrality: Centrality::default(),
            exact_pages: 300_000,
            sample_pages: 16_384,
            n_relevant: None,
            n_reachable: None,
        }
    }
}

/// Links the graph may hold, at twelve bytes each in all: pages of a crawl
/// with hundreds of links each are drawn sooner.
const MOST_GRAPH_LINKS: usize = 16_000_000;

/// Which of the pages to be found a URL leads to, by a number of its own; none
/// for any other page. Where somebody knows, a page that has many addresses is
/// found once, and what nobody looked for is not found at all.
pub type Truth<'t> = Ask<'t, str, u64>;

/// A question about a page; none where nobody knows.
pub type Ask<'t, About, Answer> = &'t dyn Fn(&About) -> Option<Answer>;

/// What somebody knows of pages beside what the log says.
#[derive(Clone, Copy, Default)]
pub struct Witness<'t> {
    /// Which pages were to be found, in place of those with addresses.
    pub wanted: Option<Truth<'t>>,
    /// How topical a page is, by a classifier that the crawl did not have.
    pub topicality: Option<Ask<'t, Visit, f32>>,
    /// One in so many pages is shown to that classifier, drawn by a hash of
    /// its address; all of them where it is zero or one.
    pub one_in: u64,
    /// Whether a page is truly about the topic.
    pub is_on_topic: Option<Ask<'t, str, bool>>,
    /// How many pages of the web link to a page.
    pub n_inlinks: Option<Ask<'t, str, u64>>,
    /// Whether a site, by its host without `www.`, is in a directory that
    /// somebody has made with care.
    pub is_listed: Option<&'t dyn Fn(&str) -> bool>,
}

impl Witness<'_> {
    fn knows_of_topics(&self) -> bool {
        self.topicality.is_some()
            || self.is_on_topic.is_some()
            || self.n_inlinks.is_some()
            || self.is_listed.is_some()
    }
}

/// The measures of a crawl, while its visits are being read.
///
/// ```
/// # use lab::measure::{Measures, Settings};
/// # let (shares, log): (_, Vec<store::visit::Visit>) = (Vec::new(), Vec::new());
/// let mut measures = Measures::new(shares, Settings::default());
/// loop {
///     for visit in &log {
///         measures.add(visit);
///     }
///     if !measures.wants_another_pass() {
///         break;
///     }
/// }
/// let report = measures.finish();
/// ```
pub struct Measures<'t> {
    settings: Settings,
    counts: Counts,
    witness: Witness<'t>,
    /// Position of the last visit of the first pass: a crawl that goes on
    /// meanwhile is measured as it was then.
    last_seq: u64,
    /// Positions of the visits whose pages were different later.
    replaced: HashSet<u64>,
    /// Whether all of those are known.
    is_sifted: bool,
    stage: Stage,
}

/// What a pass over the log is for.
enum Stage {
    /// The first: everything is counted, the graph is held while it is small.
    Counting {
        graph: Option<Graph>,
        pages: Sample,
        target_counts: TargetCounts,
    },
    /// Later ones: links of pages near the drawn ones are looked up.
    Following {
        rings: Rings,
        arcs: Arcs,
        kin: Kin,
        /// Pages met in this pass.
        met: Marks,
    },
    /// The graph was small.
    Done(Linkage),
}

impl Stage {
    fn counting(settings: Settings) -> Stage {
        Stage::Counting {
            graph: Some(Graph::default()),
            pages: Sample::of(settings.sample_pages),
            target_counts: TargetCounts::default(),
        }
    }
}

impl<'t> Measures<'t> {
    /// Starts with the nodes of the crawl, in the order of their numbers.
    pub fn new(nodes: Vec<NodeShare>, settings: Settings) -> Measures<'t> {
        Measures {
            settings,
            counts: Counts::new(nodes, settings),
            witness: Witness::default(),
            last_seq: 0,
            replaced: HashSet::new(),
            is_sifted: false,
            stage: Stage::counting(settings),
        }
    }

    /// Lets somebody who knows say what was found, beside the visits.
    pub fn judged_by(self, witness: Witness<'t>) -> Measures<'t> {
        Measures { witness, ..self }
    }

    /// Looks at one visit; every pass shows all of them in the same order.
    pub fn add(&mut self, visit: &Visit) {
        match self.is_sifted {
            true if visit.seq > self.last_seq => return,
            true => {}
            false => {
                self.last_seq = self.last_seq.max(visit.seq);
                self.replaced.extend(visit.earlier.map(|page| page.seq));
            }
        }
        let is_page = visit.is_page() && !self.replaced.contains(&visit.seq);
        match &mut self.stage {
            Stage::Counting {
                graph,
                pages,
                target_counts,
            } => {
                let (page, domain) = keys_of(&visit.url);
                if !is_page {
                    self.counts.pass(visit, page);
                    return;
                }
                let wanted = match self.witness.wanted {
                    Some(truth) => truth(&visit.url),
                    None => visit.is_geo().then_some(page),
                };
                let is_new = self
                    .counts
                    .add(visit, (page, domain), wanted, &self.witness);
                if let Some(held) = graph {
                    held.add((page, domain), visit);
                    let is_small = held.n_pages() <= self.settings.exact_pages
                        && held.n_links() <= MOST_GRAPH_LINKS;
                    if !is_small {
                        *graph = None;
                    }
                }
                if is_new {
                    pages.add(page, visit);
                    if let Some(target) = visit.mapped {
                        target_counts.add(target);
                    }
                }
            }
            Stage::Following {
                rings,
                arcs,
                kin,
                met,
            } => {
                if is_page {
                    let (page, domain) = keys_of(&visit.url);
                    rings.add(page, visit, &self.counts);
                    arcs.add(page, visit);
                    if self.counts.mark(met, page) {
                        let is_page = |page| self.counts.is_page(page);
                        kin.add((page, domain), || links_of(page, visit), is_page);
                    }
                }
            }
            Stage::Done(_) => {}
        }
    }

    /// Ends a pass; whether the log is to be read once more.
    pub fn wants_another_pass(&mut self) -> bool {
        let is_counted_wrong = !self.is_sifted && !self.replaced.is_empty();
        self.is_sifted = true;
        if is_counted_wrong {
            self.counts = self.counts.anew(self.settings);
            self.stage = Stage::counting(self.settings);
            return true;
        }
        let k = self.settings.centrality.max_distance;
        let stage = std::mem::replace(&mut self.stage, Stage::Done(Linkage::default()));
        self.stage = match stage {
            Stage::Counting {
                graph: Some(graph),
                pages,
                ..
            } => {
                let kin = Kin::of(&pages, |page| self.counts.is_page(page));
                Stage::Done(graph.finish(self.settings.centrality, kin))
            }
            Stage::Counting {
                pages,
                target_counts,
                ..
            } => Stage::Following {
                arcs: Arcs::of(&pages, target_counts, &self.counts),
                kin: Kin::of(&pages, |page| self.counts.is_page(page)),
                rings: Rings::around(pages, k, &self.counts),
                met: Marks::default(),
            },
            Stage::Following {
                mut rings,
                arcs,
                mut kin,
                mut met,
            } => {
                rings.widen();
                kin.settle();
                met.clear();
                match rings.is_wide_enough() && kin.is_done() {
                    true => Stage::Done(Linkage {
                        centrality: rings.finish(self.settings.centrality, &self.counts),
                        locality: arcs.finish(),
                        status: kin.finish(),
                    }),
                    false => Stage::Following {
                        rings,
                        arcs: arcs.settled(),
                        kin,
                        met,
                    },
                }
            }
            done @ Stage::Done(_) => done,
        };
        matches!(self.stage, Stage::Following { .. })
    }

    /// The measures of all visits counted, after the last pass.
    ///
    /// Where passes are missing the measures that need them are absent.
    pub fn finish(mut self) -> Report {
        self.is_sifted = true;
        if matches!(self.stage, Stage::Counting { .. }) {
            let _ = self.wants_another_pass();
        }
        let linkage = match self.stage {
            Stage::Done(linkage) => linkage,
            _ => Linkage::default(),
        };
        let worth = self.counts.worth(&self.witness);
        Report {
            worth,
            ..self.counts.report(self.settings.centrality, linkage)
        }
    }
}

/// Measures a log that can be read as often as it takes.
pub fn measure<V, E>(
    nodes: Vec<NodeShare>,
    settings: Settings,
    witness: Witness<'_>,
    mut open: impl FnMut() -> Result<V, E>,
) -> Result<Report, E>
where
    V: Iterator<Item = Visit>,
{
    let mut measures = Measures::new(nodes, settings).judged_by(witness);
    loop {
        for visit in open()? {
            measures.add(&visit);
        }
        if !measures.wants_another_pass() {
            return Ok(measures.finish());
        }
    }
}

fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// A page's short fingerprint, as link records have it.
fn page_key(url: &str) -> u64 {
    match CanonicalUrl::parse(url) {
        Ok(url) => url.fingerprint().short(),
        Err(_) => xxh3_64(url.as_bytes()),
    }
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
