//! Goes over all pages that match, judges them, keeps the best and counts the rest.

use crate::index::{Point, Share, name};
use crate::region::{Fit, Judge, Region, Why};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashMap};
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::columnar::{Column, StrColumn};
use tantivy::fastfield::FacetReader;
use tantivy::schema::Facet;
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

/// How much of a page's words count where its places do not fit at all well.
const LEAST_FIT: f32 = 0.05;

/// What each tenfold of linking domains adds.
const PER_STATUS: f32 = 0.15;

/// A page that matches, with what speaks for it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub(crate) score: f32,
    /// Its words.
    pub(crate) text: f32,
    /// Its places.
    pub(crate) fit: Fit,
    /// Who links to it.
    pub(crate) status: f32,
    pub(crate) group: u64,
    pub(crate) seq: u64,
    pub(crate) address: DocAddress,
}

impl Eq for Found {}

impl Ord for Found {
    /// The worst is the greatest, so that a heap gives it away first. Of equal
    /// pages the one visited first is better: positions in the index depend on
    /// how it happens to be cut into segments.
    fn cmp(&self, other: &Found) -> Ordering {
        let by_score = other.score.total_cmp(&self.score);
        by_score.then(self.seq.cmp(&other.seq))
    }
}

impl PartialOrd for Found {
    fn partial_cmp(&self, other: &Found) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// What is to be gathered.
#[derive(Debug, Clone)]
pub(crate) struct Gather {
    pub(crate) region: Option<Region>,
    /// Pages kept.
    pub(crate) n_best: usize,
    /// Fetched at this moment or later.
    pub(crate) since: Option<u64>,
    /// Visited up to this position of the log.
    pub(crate) as_of: Option<u64>,
}

/// What was gathered.
#[derive(Debug, Default)]
pub(crate) struct Gathered {
    /// Best first.
    pub(crate) best: Vec<Found>,
    /// Pages that match in all.
    pub(crate) n_pages: u64,
    pub(crate) places: BTreeMap<String, u64>,
    pub(crate) hosts: BTreeMap<String, u64>,
    pub(crate) languages: BTreeMap<String, u64>,
}

impl Collector for Gather {
    type Fruit = Gathered;
    type Child = OfSegment;

    fn for_segment(
        &self,
        segment: SegmentOrdinal,
        reader: &SegmentReader,
    ) -> tantivy::Result<OfSegment> {
        let fast = reader.fast_fields();
        Ok(OfSegment {
            segment,
            judge: Judge::new(self.region.clone()),
            settings: self.clone(),
            shares: fast.u64(name::SHARE)?,
            points: fast.u64(name::POINT)?,
            in_links: fast.u64(name::IN_LINKS)?,
            groups: fast.u64(name::GROUP)?,
            at: fast.u64(name::AT)?,
            seq: fast.u64(name::SEQ)?,
            hosts: Tally::new(fast.str(name::HOST)?),
            languages: Tally::new(fast.str(name::LANGUAGE)?),
            places: reader.facet_reader(name::PLACE).ok(),
            n_of_place: HashMap::new(),
            best: BinaryHeap::new(),
            n_pages: 0,
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Gathered>) -> tantivy::Result<Gathered> {
        let mut all = Gathered::default();
        for fruit in fruits {
            all.n_pages += fruit.n_pages;
            all.best.extend(fruit.best);
            for (sum, part) in [
                (&mut all.places, fruit.places),
                (&mut all.hosts, fruit.hosts),
                (&mut all.languages, fruit.languages),
            ] {
                for (name, n) in part {
                    *sum.entry(name).or_default() += n;
                }
            }
        }
        all.best.sort_unstable();
        all.best.truncate(self.n_best);
        Ok(all)
    }
}

/// The work on one segment.
pub(crate) struct OfSegment {
    segment: SegmentOrdinal,
    settings: Gather,
    judge: Judge,
    shares: Column<u64>,
    points: Column<u64>,
    in_links: Column<u64>,
    groups: Column<u64>,
    at: Column<u64>,
    seq: Column<u64>,
    hosts: Tally,
    languages: Tally,
    places: Option<FacetReader>,
    n_of_place: HashMap<u64, u64>,
    best: BinaryHeap<Found>,
    n_pages: u64,
}

impl SegmentCollector for OfSegment {
    type Fruit = Gathered;

    fn collect(&mut self, doc: DocId, text: Score) {
        let seq = self.seq.first(doc).unwrap_or(0);
        let is_too_new = self.settings.as_of.is_some_and(|as_of| seq > as_of);
        let is_too_old = self.settings.since.is_some_and(|since| {
            let at = self.at.first(doc).unwrap_or(0);
            at < since
        });
        if is_too_new || is_too_old {
            return;
        }
        let shares = self.shares.values_for_doc(doc).map(Share::unpack);
        let points = self.points.values_for_doc(doc).map(Point::unpack);
        let Some(fit) = self.judge.judge(shares, points) else {
            return;
        };
        self.n_pages += 1;
        self.count(doc);
        let n_in_links = self.in_links.first(doc).unwrap_or(0);
        let status = 1.0 + PER_STATUS * (1.0 + n_in_links as f32).log10();
        let score = text * (LEAST_FIT + (1.0 - LEAST_FIT) * fit.value) * status;
        let found = Found {
            score,
            text,
            fit,
            status,
            group: 0,
            seq,
            address: DocAddress::new(self.segment, doc),
        };
        if self.best.len() < self.settings.n_best {
            self.best.push(found);
        } else if self.best.peek().is_some_and(|worst| found < *worst) {
            self.best.pop();
            self.best.push(found);
        }
    }

    fn harvest(self) -> Gathered {
        let mut best = self.best.into_vec();
        for found in &mut best {
            found.group = self.groups.first(found.address.doc_id).unwrap_or(found.seq);
        }
        Gathered {
            best,
            n_pages: self.n_pages,
            places: names_of_facets(self.places.as_ref(), &self.n_of_place),
            hosts: self.hosts.names(),
            languages: self.languages.names(),
        }
    }
}

impl OfSegment {
    fn count(&mut self, doc: DocId) {
        self.hosts.add(doc);
        self.languages.add(doc);
        if let Some(places) = &self.places {
            for ord in places.facet_ords(doc) {
                *self.n_of_place.entry(ord).or_default() += 1;
            }
        }
    }
}

fn names_of_facets(
    places: Option<&FacetReader>,
    counts: &HashMap<u64, u64>,
) -> BTreeMap<String, u64> {
    let mut names = BTreeMap::new();
    let Some(places) = places else {
        return names;
    };
    let mut facet = Facet::root();
    for (n, ord) in most(counts) {
        if places.facet_from_ord(ord, &mut facet).is_ok() {
            *names.entry(facet.to_path_string()).or_default() += n;
        }
    }
    names
}

/// Counts the values of a text field.
struct Tally {
    column: Option<StrColumn>,
    counts: HashMap<u64, u64>,
}

impl Tally {
    fn new(column: Option<StrColumn>) -> Tally {
        Tally {
            column,
            counts: HashMap::new(),
        }
    }

    fn add(&mut self, doc: DocId) {
        if let Some(column) = &self.column {
            for ord in column.term_ords(doc) {
                *self.counts.entry(ord).or_default() += 1;
            }
        }
    }

    /// The most frequent ones.
    fn names(&self) -> BTreeMap<String, u64> {
        let mut names = BTreeMap::new();
        let Some(column) = &self.column else {
            return names;
        };
        for (n, ord) in most(&self.counts) {
            let mut name = String::new();
            if column.ord_to_str(ord, &mut name).unwrap_or(false) {
                names.insert(name, n);
            }
        }
        names
    }
}

/// Values of one segment that are named: looking up a name takes longer than
/// counting a hundred pages.
const MOST_NAMES: usize = 20;

/// The most frequent values, with how many pages have them.
fn most(counts: &HashMap<u64, u64>) -> Vec<(u64, u64)> {
    let mut counts: Vec<(u64, u64)> = counts.iter().map(|(ord, n)| (*n, *ord)).collect();
    counts.sort_unstable_by(|a, b| b.cmp(a));
    counts.truncate(MOST_NAMES);
    counts
}

impl Found {
    /// Why its places fit, for people.
    pub(crate) fn why(&self) -> &'static str {
        let Fit { why, .. } = self.fit;
        Why::name(why)
    }
}
