//! Goes over all pages that match, judges them, keeps the best and counts the rest.

use crate::index::Share;
use crate::look::{Columns, Look, Numbered};
use crate::region::{Fit, Judge, Region, Relations, Why};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use tantivy::collector::{Collector, SegmentCollector};
use tantivy::{DocAddress, DocId, Score, SegmentOrdinal, SegmentReader};

/// How much of a page's words count where its places do not fit at all well.
const LEAST_FIT: f32 = 0.05;

/// What each tenfold of linking domains adds.
const PER_STATUS: f32 = 0.15;

/// Pages that are all asked where they are from; of those that follow, one of
/// so many: it takes longer than finding them.
const ALL_ASKED: u64 = 1_000;
const OF_SO_MANY: u32 = 16;

/// Pages that are looked at together: memory brings many in the time of one.
const AT_ONCE: usize = 64;

/// Hosts and places of a segment that there is room for at once.
const ROOM: usize = 256;

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
#[derive(Clone)]
pub(crate) struct Gather {
    pub(crate) look: Arc<Look>,
    pub(crate) region: Option<Region>,
    /// Pages kept.
    pub(crate) n_best: usize,
    /// Fetched at this moment or later.
    pub(crate) since: Option<u64>,
    /// Visited up to this position of the log.
    pub(crate) as_of: Option<u64>,
    /// What segments hand on, which are gone over one after the other.
    pub(crate) so_far: Arc<Mutex<SoFar>>,
}

/// What is known before a segment is gone over.
#[derive(Default)]
pub(crate) struct SoFar {
    /// What was found out about places.
    relations: Relations,
    /// Pages that match.
    n_pages: u64,
    /// The best of them, the worst on top.
    best: BinaryHeap<Found>,
}

impl SoFar {
    /// Before the first segment.
    pub(crate) fn knowing(relations: Relations) -> Arc<Mutex<SoFar>> {
        Arc::new(Mutex::new(SoFar {
            relations,
            ..SoFar::default()
        }))
    }

    /// What was found out about places, after the last one.
    pub(crate) fn into_relations(so_far: &Mutex<SoFar>) -> Relations {
        std::mem::take(&mut lock(so_far).relations)
    }
}

/// What was gathered.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Best first; of a segment alone nothing, as it is handed on.
    pub(crate) best: Vec<Found>,
    /// Pages that match in all.
    pub(crate) n_pages: u64,
    pub(crate) counts: Counts,
}

/// Where the pages that match are from.
#[derive(Default)]
pub(crate) struct Counts {
    /// By GeoNames id.
    pub(crate) places: Numbered<u32, u32>,
    /// By host, each with one of its pages.
    pub(crate) sites: Numbered<u64, (u32, DocAddress)>,
    pub(crate) languages: BTreeMap<String, u32>,
    /// Not every page was asked.
    pub(crate) is_estimate: bool,
}

impl Collector for Gather {
    type Fruit = Gathered;
    type Child = OfSegment;

    fn for_segment(
        &self,
        segment: SegmentOrdinal,
        _reader: &SegmentReader,
    ) -> tantivy::Result<OfSegment> {
        let known = std::mem::take(&mut *lock(&self.so_far));
        let mut counts = Counts::default();
        counts.sites.reserve(ROOM);
        counts.places.reserve(ROOM);
        Ok(OfSegment {
            segment,
            judge: Judge::new(self.region.clone(), known.relations),
            n_before: known.n_pages,
            columns: self.look.segment(segment).clone(),
            settings: self.clone(),
            languages: Vec::new(),
            counts,
            least: least(&known.best, self.n_best),
            best: known.best,
            unjudged: Vec::with_capacity(AT_ONCE),
            unasked: Vec::with_capacity(AT_ONCE),
            n_pages: 0,
        })
    }

    fn requires_scoring(&self) -> bool {
        true
    }

    fn merge_fruits(&self, fruits: Vec<Gathered>) -> tantivy::Result<Gathered> {
        let mut fruits = fruits.into_iter();
        let mut all = fruits.next().unwrap_or_default();
        for fruit in fruits {
            all.n_pages += fruit.n_pages;
            all.counts.add(fruit.counts);
        }
        let best = std::mem::take(&mut lock(&self.so_far).best);
        all.best = best.into_sorted_vec();
        for found in &mut all.best {
            let groups = &self.look.of(found.address).groups;
            found.group = groups.first(found.address.doc_id).unwrap_or(found.seq);
        }
        Ok(all)
    }
}

/// The work on one segment.
pub(crate) struct OfSegment {
    segment: SegmentOrdinal,
    settings: Gather,
    judge: Judge,
    columns: Columns,
    counts: Counts,
    /// By the segment's numbers.
    languages: Vec<u32>,
    best: BinaryHeap<Found>,
    /// What a page has to reach to be among them.
    least: f32,
    /// Pages that match, with what their words are worth, before their places
    /// are looked at.
    unjudged: Vec<(DocId, Score)>,
    /// Pages that are to be asked where they are from, with how many each
    /// stands for.
    unasked: Vec<(DocId, u32)>,
    n_pages: u64,
    /// In other segments.
    n_before: u64,
}

impl SegmentCollector for OfSegment {
    type Fruit = Gathered;

    fn collect(&mut self, doc: DocId, text: Score) {
        if self.is_out_of_time(doc) {
            return;
        }
        // However well its places fit, and whoever links to it.
        if self.judge.is_sure() && text * status(u16::MAX) < self.least {
            self.count(doc);
            return;
        }
        self.unjudged.push((doc, text));
        if self.unjudged.len() == AT_ONCE {
            self.judge_all();
        }
    }

    fn harvest(mut self) -> Gathered {
        self.judge_all();
        self.ask_all();
        *lock(&self.settings.so_far) = SoFar {
            relations: self.judge.into_relations(),
            n_pages: self.n_before + self.n_pages,
            best: self.best,
        };
        let mut counts = self.counts;
        for (ord, n) in (0..).zip(self.languages).filter(|(_, n)| *n > 0) {
            if let Some(name) = self.columns.language_name(ord) {
                counts.languages.insert(name, n);
            }
        }
        Gathered {
            best: Vec::new(),
            n_pages: self.n_pages,
            counts,
        }
    }
}

impl OfSegment {
    fn is_out_of_time(&self, doc: DocId) -> bool {
        let is_too_new = self.settings.as_of.is_some_and(|as_of| {
            let seq = self.columns.seq.first(doc).unwrap_or(0);
            seq > as_of
        });
        let is_too_old = self.settings.since.is_some_and(|since| {
            let at = self.columns.at.first(doc).unwrap_or(0);
            at < since
        });
        is_too_new || is_too_old
    }

    /// Judges the pages that wait for it.
    fn judge_all(&mut self) {
        let mut unjudged = std::mem::take(&mut self.unjudged);
        self.columns
            .cards
            .bring(unjudged.iter().map(|(doc, _)| *doc));
        for (doc, text) in unjudged.drain(..) {
            self.judge(doc, text);
        }
        self.unjudged = unjudged;
    }

    fn judge(&mut self, doc: DocId, text: Score) {
        let columns = &self.columns;
        let status = status(columns.cards.card(doc).in_links());
        // However well its places fit, it is not among the best.
        if text * status < self.least && self.judge.is_sure() {
            self.count(doc);
            return;
        }
        let Some(fit) = self
            .judge
            .judge(columns.cards.shares(doc), columns.points(doc))
        else {
            return;
        };
        let by_fit = LEAST_FIT + (1.0 - LEAST_FIT) * fit.value;
        let score = text * by_fit * status;
        if score >= self.least {
            self.keep(Found {
                score,
                text,
                fit,
                status,
                group: 0,
                seq: columns.seq.first(doc).unwrap_or(0),
                address: DocAddress::new(self.segment, doc),
            });
        }
        self.count(doc);
    }

    /// Keeps a page if it is among the best.
    fn keep(&mut self, found: Found) {
        let n_best = self.settings.n_best;
        if self.best.len() < n_best {
            self.best.push(found);
        } else if let Some(mut worst) = self.best.peek_mut()
            && found < *worst
        {
            *worst = found;
        }
        self.least = least(&self.best, n_best);
    }

    /// Counts a page that matches; of very many, where they are from is asked
    /// of some.
    fn count(&mut self, doc: DocId) {
        let nth = self.n_before + self.n_pages;
        self.n_pages += 1;
        if nth < ALL_ASKED {
            self.unasked.push((doc, 1));
        } else if nth.is_multiple_of(OF_SO_MANY.into()) {
            self.unasked.push((doc, OF_SO_MANY));
            self.counts.is_estimate = true;
        }
        if self.unasked.len() == AT_ONCE {
            self.ask_all();
        }
    }

    /// Asks the pages that wait for it where they are from.
    fn ask_all(&mut self) {
        let mut unasked = std::mem::take(&mut self.unasked);
        self.columns
            .cards
            .bring(unasked.iter().map(|(doc, _)| *doc));
        for (doc, n) in unasked.drain(..) {
            self.count_as(doc, n);
        }
        self.unasked = unasked;
    }

    fn count_as(&mut self, doc: DocId, n: u32) {
        let address = DocAddress::new(self.segment, doc);
        let card = self.columns.cards.card(doc);
        self.counts.sites.entry(card.site).or_insert((0, address)).0 += n;
        if let Some(ord) = card.language() {
            let ord = usize::from(ord);
            if self.languages.len() <= ord {
                self.languages.resize(ord + 1, 0);
            }
            self.languages[ord] += n;
        }
        for share in self.columns.cards.shares(doc).filter(Share::is_own) {
            *self.counts.places.entry(share.place).or_default() += n;
        }
    }
}

/// What a page has to reach to be among the best: nothing while there is room.
fn least(best: &BinaryHeap<Found>, n_best: usize) -> f32 {
    let worst = best.peek().filter(|_| best.len() >= n_best);
    worst.map_or(f32::NEG_INFINITY, |worst| worst.score)
}

impl Counts {
    fn add(&mut self, other: Counts) {
        self.is_estimate |= other.is_estimate;
        for (place, n) in other.places {
            *self.places.entry(place).or_default() += n;
        }
        for (site, (n, page)) in other.sites {
            self.sites.entry(site).or_insert((0, page)).0 += n;
        }
        for (language, n) in other.languages {
            *self.languages.entry(language).or_default() += n;
        }
    }
}

/// What links to a page add to its worth.
fn status(n_domains: u16) -> f32 {
    static KNOWN: LazyLock<[f32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|n_domains| 1.0 + PER_STATUS * (1.0 + n_domains as f32).log10())
    });
    KNOWN[usize::from(n_domains).min(KNOWN.len() - 1)]
}

fn lock(so_far: &Mutex<SoFar>) -> std::sync::MutexGuard<'_, SoFar> {
    // What another thread knew when it failed is true all the same.
    so_far.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Found {
    /// Why its places fit, for people.
    pub(crate) fn why(&self) -> &'static str {
        let Fit { why, .. } = self.fit;
        Why::name(why)
    }
}
