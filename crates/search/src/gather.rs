//! Goes over all pages that match, judges them, keeps the best and counts the rest.

use crate::ask::PartlyRead;
use crate::index::Share;
use crate::look::{Columns, Look, Numbered};
use crate::maps::Map;
use crate::prospects::Prospects;
use crate::region::{Fit, Judge, Region, Relations, Why};
use crate::scan::Scored;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap, HashSet};
use std::sync::{Arc, LazyLock};
use tantivy::{DocAddress, DocId, SegmentOrdinal};

/// How much of a page's words count where its places do not fit at all well.
const LEAST_FIT: f32 = 0.05;

/// What each tenfold of linking domains adds.
const PER_STATUS: f32 = 0.15;

/// From which position on one of how many pages is asked where it is from:
/// that takes longer than finding it.
const OF_SO_MANY: [(u64, u32); 2] = [(500, 8), (4_000, 64)];

/// So few pages are all judged, unless it is known what they are worth.
const FEW: usize = 300;

/// What words are worth in a page that has nothing to do with the region.
const UNFIT: f32 = -1.0;

/// Pages that are looked at together: memory brings many in the time of one.
const AT_ONCE: usize = 64;

/// Hosts and places that there is room for at once.
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

/// Which of the pages that match are kept.
#[derive(Clone, Copy)]
pub(crate) struct Keep {
    /// The best of them.
    pub(crate) n_best: usize,
    /// Fetched at this moment or later.
    pub(crate) since: Option<u64>,
    /// Visited up to this position of the log.
    pub(crate) as_of: Option<u64>,
}

/// What was gathered.
#[derive(Default)]
pub(crate) struct Gathered {
    /// Best first.
    pub(crate) best: Vec<Found>,
    /// Pages that match in all.
    pub(crate) n_pages: u64,
    /// Where phrases were not looked for in all of them.
    pub(crate) partly_read: Option<PartlyRead>,
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

/// Pages that match, gathered segment by segment.
pub(crate) struct Gather<'g> {
    look: &'g Look,
    keep: Keep,
    judge: Judge,
    /// Whether the region was asked for before.
    is_known: bool,
    counts: Counts,
    best: BinaryHeap<Found>,
    /// What a page has to reach to be among them.
    least: f32,
    n_pages: u64,
}

impl<'g> Gather<'g> {
    /// With what is known of places in this region already.
    pub(crate) fn new(
        look: &'g Look,
        region: Option<Region>,
        relations: Relations,
        keep: Keep,
    ) -> Gather<'g> {
        let mut counts = Counts::default();
        counts.sites.reserve(ROOM);
        counts.places.reserve(ROOM);
        Gather {
            look,
            keep,
            is_known: !relations.is_empty(),
            judge: Judge::new(region, relations),
            counts,
            best: BinaryHeap::new(),
            least: f32::NEG_INFINITY,
            n_pages: 0,
        }
    }

    /// Judges the pages of a segment that match; all pages that may have to do
    /// with the region are marked in its map.
    pub(crate) fn segment(
        &mut self,
        nth: SegmentOrdinal,
        mut found: Vec<Scored>,
        places: Option<&Map>,
    ) {
        let columns = self.look.segment(nth);
        let prospects = places.and_then(|places| self.prospects(nth, places));
        if self.keep.since.is_some() || self.keep.as_of.is_some() {
            found.retain(|(doc, _)| self.keep.is_in_time(columns, *doc));
        }
        let are_many = self.judge.is_sure() && found.len() > FEW;
        match prospects.as_deref() {
            Some(prospects) if !are_many => {
                found.retain(|(doc, _)| prospects.has(*doc));
                self.judge_best(nth, &found, Some(prospects));
            }
            None if !are_many => self.judge_all(nth, &mut found),
            prospects => self.judge_best(nth, &found, prospects),
        }
        self.count(nth, &found);
    }

    /// What pages of a segment can be worth in the region, if it was asked for
    /// before.
    fn prospects(&mut self, nth: SegmentOrdinal, places: &Map) -> Option<Arc<Prospects>> {
        let look = self.look;
        let region = self.judge.region()?;
        if !self.is_known {
            return None;
        }
        let segment = look.searcher.segment_reader(nth);
        let known = look.prospects.get(region, segment.segment_id());
        if let Some(known) = known.filter(|known| known.n_asked() >= places.n_pages()) {
            return Some(known);
        }
        let region = region.clone();
        let columns = look.segment(nth);
        let mut prospects = Prospects::new(segment.max_doc(), places.n_pages());
        let pages: Vec<DocId> = places.pages().collect();
        for some in pages.chunks(AT_ONCE) {
            columns.cards.bring(some.iter().copied());
            for &doc in some {
                if let Some(fit) = self.fit(columns, doc) {
                    let status = status(columns.cards.card(doc).in_links());
                    prospects.set(doc, by_fit(fit) * status / most_status());
                }
            }
        }
        let prospects = Arc::new(prospects);
        look.prospects
            .keep(&region, segment.segment_id(), &prospects);
        Some(prospects)
    }

    /// Judges all, and leaves those that have to do with the region.
    fn judge_all(&mut self, nth: SegmentOrdinal, found: &mut Vec<Scored>) {
        let columns = self.look.segment(nth);
        for some in found.chunks_mut(AT_ONCE) {
            columns.cards.bring(some.iter().map(|(doc, _)| *doc));
            for (doc, text) in some {
                if !self.judge(columns, nth, *doc, *text) {
                    *text = UNFIT;
                }
            }
        }
        found.retain(|(_, text)| *text != UNFIT);
    }

    /// Judges those that may be among the best: first the ones with the best
    /// words, after which few others may.
    fn judge_best(&mut self, nth: SegmentOrdinal, found: &[Scored], prospects: Option<&Prospects>) {
        let columns = self.look.segment(nth);
        // However well its places fit, and whoever links to it.
        let most = status(columns.cards.most_in_links());
        let most = |doc: DocId| {
            let part = prospects.map(|prospects| prospects.part(doc));
            part.map_or(most, |part| part * most_status())
        };
        let n_best = self.keep.n_best;
        let first = match self.best.len() < n_best && found.len() > n_best {
            true => promising(found, n_best),
            false => f32::NEG_INFINITY,
        };
        let may_be_best = |doc: DocId, text: f32, least: f32| {
            // First by what is at hand.
            text * most_status() >= least && text * most(doc) >= least
        };
        let mut some: Vec<Scored> = Vec::with_capacity(AT_ONCE);
        for is_first in [true, false] {
            let mut rest = found
                .iter()
                .filter(|(_, text)| (*text >= first) == is_first);
            loop {
                let least = self.least;
                some.clear();
                let next = rest.by_ref();
                let next = next.filter(|(doc, text)| may_be_best(*doc, *text, least));
                some.extend(next.take(AT_ONCE));
                if some.is_empty() {
                    break;
                }
                columns.cards.bring(some.iter().map(|(doc, _)| *doc));
                for (doc, text) in &some {
                    self.judge(columns, nth, *doc, *text);
                }
            }
        }
    }

    /// Keeps a page if it is among the best; whether it has to do with the
    /// region, as far as that was asked.
    fn judge(&mut self, columns: &Columns, nth: SegmentOrdinal, doc: DocId, text: f32) -> bool {
        let status = status(columns.cards.card(doc).in_links());
        // However well its places fit, it is not among the best.
        if text * status < self.least && self.judge.is_sure() {
            return true;
        }
        let Some(fit) = self.fit(columns, doc) else {
            return false;
        };
        let score = text * by_fit(fit) * status;
        if score >= self.least {
            self.keep(Found {
                score,
                text,
                fit,
                status,
                group: 0,
                seq: columns.cards.seq(doc),
                address: DocAddress::new(nth, doc),
            });
        }
        true
    }

    fn fit(&mut self, columns: &Columns, doc: DocId) -> Option<Fit> {
        let shares = columns.cards.shares(doc);
        self.judge.judge(shares, columns.points(doc))
    }

    /// Keeps a page if it is among the best.
    fn keep(&mut self, found: Found) {
        let n_best = self.keep.n_best;
        if self.best.len() < n_best {
            self.best.push(found);
        } else if let Some(mut worst) = self.best.peek_mut()
            && found < *worst
        {
            *worst = found;
        }
        self.least = least(&self.best, n_best);
    }

    /// Counts pages that match, and of very many asks some where they are from.
    fn count(&mut self, nth: SegmentOrdinal, found: &[Scored]) {
        let columns = self.look.segment(nth);
        let n_before = self.n_pages;
        self.n_pages += found.len() as u64;
        let mut asked: Vec<(DocId, u32)> = Vec::new();
        let mut next = n_before;
        while next < self.n_pages {
            let stands_for = stands_for(next);
            if next.is_multiple_of(stands_for.into()) {
                asked.push((found[(next - n_before) as usize].0, stands_for));
                self.counts.is_estimate |= stands_for > 1;
            }
            let step = u64::from(stands_for);
            next = (next / step + 1) * step;
        }
        let mut languages: Vec<u32> = Vec::new();
        for some in asked.chunks(AT_ONCE) {
            columns.cards.bring(some.iter().map(|(doc, _)| *doc));
            for (doc, n) in some {
                self.counts.count(columns, DocAddress::new(nth, *doc), *n);
                if let Some(ord) = columns.cards.card(*doc).language() {
                    let ord = usize::from(ord);
                    languages.resize(languages.len().max(ord + 1), 0);
                    languages[ord] += n;
                }
            }
        }
        for (ord, n) in (0_u16..).zip(languages).filter(|(_, n)| *n > 0) {
            let name = columns.language_name(ord).to_owned();
            *self.counts.languages.entry(name).or_default() += n;
        }
    }

    /// What was gathered, and what was found out about places.
    pub(crate) fn finish(self) -> (Gathered, Relations) {
        let mut best = self.best.into_sorted_vec();
        for found in &mut best {
            let groups = &self.look.of(found.address).groups;
            found.group = groups.first(found.address.doc_id).unwrap_or(found.seq);
        }
        let gathered = Gathered {
            best,
            n_pages: self.n_pages,
            partly_read: None,
            counts: self.counts,
        };
        (gathered, self.judge.into_relations())
    }
}

impl Gathered {
    /// How many of the best are no copies of each other.
    pub(crate) fn n_groups(&self) -> usize {
        let groups = self.best.iter().map(|found| found.group);
        groups.collect::<HashSet<u64>>().len()
    }
}

impl Keep {
    fn is_in_time(&self, columns: &Columns, doc: DocId) -> bool {
        let is_too_new = self
            .as_of
            .is_some_and(|as_of| columns.cards.seq(doc) > as_of);
        let is_too_old = self
            .since
            .is_some_and(|since| columns.at.first(doc).unwrap_or(0) < since);
        !is_too_new && !is_too_old
    }
}

/// How many pages the one at this position stands for when pages are asked
/// where they are from.
fn stands_for(position: u64) -> u32 {
    let mut strides = OF_SO_MANY.into_iter().rev();
    let stride = strides.find(|(from, _)| position >= *from);
    stride.map_or(1, |(_, stride)| stride)
}

/// What words are worth in the best few of these.
fn promising(found: &[Scored], n_best: usize) -> f32 {
    let mut texts: Vec<f32> = found.iter().map(|(_, text)| *text).collect();
    let (_, worth, _) = texts.select_nth_unstable_by(n_best, |a, b| b.total_cmp(a));
    *worth
}

/// What a page has to reach to be among the best: nothing while there is room.
fn least(best: &BinaryHeap<Found>, n_best: usize) -> f32 {
    let worst = best.peek().filter(|_| best.len() >= n_best);
    worst.map_or(f32::NEG_INFINITY, |worst| worst.score)
}

impl Counts {
    /// Of these pages.
    pub(crate) fn of(look: &Look, pages: &[Found]) -> Counts {
        let mut counts = Counts::default();
        for Found { address, .. } in pages {
            counts.count(look.of(*address), *address, 1);
            let language = look.language(*address);
            if !language.is_empty() {
                *counts.languages.entry(language.to_owned()).or_default() += 1;
            }
        }
        counts
    }

    /// Counts a page that stands for so many, but for its language.
    fn count(&mut self, columns: &Columns, page: DocAddress, n: u32) {
        let site = columns.cards.card(page.doc_id).site;
        self.sites.entry(site).or_insert((0, page)).0 += n;
        // Among them is all that its places lie in, so that no place has fewer
        // pages than its parts, and no page counts twice.
        for share in columns.cards.shares(page.doc_id).filter(Share::counts) {
            *self.places.entry(share.place).or_default() += n;
        }
    }
}

/// What the places of a page leave of its words.
fn by_fit(fit: Fit) -> f32 {
    LEAST_FIT + (1.0 - LEAST_FIT) * fit.value
}

/// What the most links add.
fn most_status() -> f32 {
    status(u16::MAX)
}

/// What links to a page add to its worth.
fn status(n_domains: u16) -> f32 {
    static KNOWN: LazyLock<[f32; 256]> = LazyLock::new(|| {
        std::array::from_fn(|n_domains| 1.0 + PER_STATUS * (1.0 + n_domains as f32).log10())
    });
    KNOWN[usize::from(n_domains).min(KNOWN.len() - 1)]
}

impl Found {
    /// Why its places fit, for people.
    pub(crate) fn why(&self) -> &'static str {
        let Fit { why, .. } = self.fit;
        Why::name(why)
    }
}
