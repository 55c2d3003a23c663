//! Finds the pages that have enough of some words, with what these are worth
//! (BM25).
//!
//! Goes over the list of a word from one end to the other and keeps the pages
//! that other conditions allow; then looks those up in the list of the next
//! word, the rarest first. The library's own queries ask all lists for every
//! page anew, through calls that a processor cannot foresee: that was most of
//! the time of a question.

use crate::look::{Columns, Look};
use crate::maps::Map;
use std::sync::Arc;
use tantivy::fastfield::AliveBitSet;
use tantivy::postings::{BlockSegmentPostings, TermInfo};
use tantivy::query::Bm25Weight;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocId, SegmentOrdinal, SegmentReader, TantivyError, Term};

/// What pages are to have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nothing: any page will do.
    Anything,
    Stem(String),
    /// A stem that begins so.
    Begins(String),
    /// Any of these; as good as the best of them.
    Best(Vec<Wanted>),
    /// So many of these; as good as all that are there together.
    Several(usize, Vec<Wanted>),
}

/// A page that was found, with what its words are worth.
pub(crate) type Scored = (DocId, f32);

/// What words are worth that are not there; others are worth more than nothing.
const ABSENT: f32 = -1.0;

/// Entries of a list that are passed over one by one; further ones are leapt to.
const NEAR: usize = 6;

/// A list that is so many times longer than there are pages to look for is
/// leapt through.
const SPARSE: u64 = 32;

/// Pages of a segment that may be found.
pub(crate) struct Allowed<'s> {
    segment: &'s SegmentReader,
    columns: &'s Columns,
    /// All where there is none.
    map: Option<Arc<Map>>,
    alive: Option<&'s AliveBitSet>,
}

impl<'s> Allowed<'s> {
    /// Those marked in all of some maps.
    pub(crate) fn of(
        segment: &'s SegmentReader,
        columns: &'s Columns,
        maps: Vec<Arc<Map>>,
    ) -> Self {
        let maps = maps.into_iter().reduce(|mut all, map| {
            Arc::make_mut(&mut all).restrict(&map);
            all
        });
        Allowed {
            segment,
            columns,
            map: maps,
            alive: segment.alive_bitset(),
        }
    }

    #[inline]
    fn has(&self, page: DocId) -> bool {
        self.map.as_ref().is_none_or(|map| map.has(page))
            & self.alive.is_none_or(|alive| alive.is_alive(page))
    }

    fn pages(&self) -> Vec<DocId> {
        let is_alive = |page: &DocId| self.alive.is_none_or(|alive| alive.is_alive(*page));
        match &self.map {
            Some(map) => map.pages().filter(is_alive).collect(),
            None => (0..self.segment.max_doc()).filter(is_alive).collect(),
        }
    }

    fn n_pages(&self) -> u64 {
        let all = self.segment.max_doc();
        self.map.as_ref().map_or(all, |map| map.n_pages()).into()
    }

    /// The list of a term.
    fn list(&self, term: &TermInfo) -> Result<BlockSegmentPostings, TantivyError> {
        let option = IndexRecordOption::WithFreqs;
        Ok(self
            .columns
            .words
            .read_block_postings_from_terminfo(term, option)?)
    }
}

/// The same as `Wanted`, looked up in the dictionaries of all segments.
pub(crate) enum Scan {
    Anything,
    Stem(Stem),
    Begins(String),
    Best(Vec<Scan>),
    /// The rarest first.
    Several(usize, Vec<Scan>),
}

/// A stem, where it is and what it is worth.
pub(crate) struct Stem {
    /// By segment.
    terms: Arc<[Option<TermInfo>]>,
    weight: Bm25Weight,
    n_pages: u64,
}

impl Stem {
    fn of(look: &Look, stem: &str) -> Result<Stem, TantivyError> {
        let term = Term::from_field_text(look.fields.text, stem);
        let term = term.serialized_value_bytes();
        let found = |columns: &Columns| columns.words.terms().get(term);
        let terms = look.stems.get_or(stem, || {
            look.segments().map(found).collect::<Result<_, _>>()
        })?;
        let n_pages = terms.iter().flatten().map(|term| u64::from(term.doc_freq));
        let n_pages = n_pages.sum();
        let (n_all, average) = look.lengths;
        Ok(Stem {
            weight: Bm25Weight::for_one_term_without_explain(n_pages, n_all, average),
            terms,
            n_pages,
        })
    }
}

impl Scan {
    pub(crate) fn of(look: &Look, wanted: &Wanted) -> Result<Scan, TantivyError> {
        let all = |parts: &[Wanted]| {
            let parts = parts.iter().map(|part| Scan::of(look, part));
            parts.collect::<Result<Vec<_>, _>>()
        };
        Ok(match wanted {
            Wanted::Anything => Scan::Anything,
            Wanted::Stem(stem) => Scan::Stem(Stem::of(look, stem)?),
            Wanted::Begins(beginning) => Scan::Begins(beginning.clone()),
            Wanted::Best(parts) => Scan::Best(all(parts)?),
            Wanted::Several(n, parts) => {
                let mut parts = all(parts)?;
                // By all segments, so that all add up in one order.
                parts.sort_by_key(Scan::n_pages);
                Scan::Several(*n, parts)
            }
        })
    }

    /// About how many pages have it.
    fn n_pages(&self) -> u64 {
        match self {
            Scan::Anything | Scan::Begins(_) => u64::MAX >> 16,
            Scan::Stem(stem) => stem.n_pages,
            Scan::Best(parts) => parts.iter().map(Scan::n_pages).sum(),
            Scan::Several(n, parts) => {
                let leads = parts.iter().take((parts.len() + 1).saturating_sub(*n));
                leads.map(Scan::n_pages).sum()
            }
        }
    }

    /// The allowed pages of a segment that have it, in order.
    pub(crate) fn find(
        &self,
        nth: SegmentOrdinal,
        allowed: &Allowed<'_>,
    ) -> Result<Vec<Scored>, TantivyError> {
        match self {
            Scan::Anything => Ok(allowed
                .pages()
                .into_iter()
                .map(|page| (page, 1.0))
                .collect()),
            Scan::Stem(stem) => stem.find(nth, allowed),
            Scan::Begins(beginning) => {
                let map = beginnings(beginning, allowed)?;
                let pages = map.pages().filter(|page| allowed.has(*page));
                Ok(pages.map(|page| (page, 1.0)).collect())
            }
            Scan::Best(parts) => {
                let mut best = Vec::new();
                for part in parts {
                    best = merge(best, part.find(nth, allowed)?, f32::max);
                }
                Ok(best)
            }
            Scan::Several(n, parts) => several(*n, parts, nth, allowed),
        }
    }

    /// Takes pages out that have it.
    pub(crate) fn strike_out(
        &self,
        nth: SegmentOrdinal,
        allowed: &Allowed<'_>,
        found: &mut Vec<Scored>,
    ) -> Result<(), TantivyError> {
        let pages: Vec<DocId> = found.iter().map(|(page, _)| *page).collect();
        let mut worth = self.look_up(nth, allowed, &pages)?.into_iter();
        found.retain(|_| worth.next() == Some(ABSENT));
        Ok(())
    }

    /// What it is worth in some pages, in order.
    fn look_up(
        &self,
        nth: SegmentOrdinal,
        allowed: &Allowed<'_>,
        pages: &[DocId],
    ) -> Result<Vec<f32>, TantivyError> {
        match self {
            Scan::Anything => Ok(vec![1.0; pages.len()]),
            Scan::Stem(stem) => stem.look_up(nth, allowed, pages),
            Scan::Begins(beginning) => {
                let map = beginnings(beginning, allowed)?;
                let worth = |page: &DocId| if map.has(*page) { 1.0 } else { ABSENT };
                Ok(pages.iter().map(worth).collect())
            }
            Scan::Best(parts) => {
                let mut best = vec![ABSENT; pages.len()];
                for part in parts {
                    let worth = part.look_up(nth, allowed, pages)?;
                    let both = best.iter_mut().zip(worth);
                    both.for_each(|(best, worth)| *best = best.max(worth));
                }
                Ok(best)
            }
            Scan::Several(n, parts) => {
                let mut all = vec![(0.0_f32, 0_usize); pages.len()];
                for part in parts {
                    let worth = part.look_up(nth, allowed, pages)?;
                    for ((sum, n_there), worth) in all.iter_mut().zip(worth) {
                        *sum += worth.max(0.0);
                        *n_there += usize::from(worth != ABSENT);
                    }
                }
                let worth = |(sum, n_there)| if n_there >= *n { sum } else { ABSENT };
                Ok(all.into_iter().map(worth).collect())
            }
        }
    }
}

impl Stem {
    fn find(
        &self,
        nth: SegmentOrdinal,
        allowed: &Allowed<'_>,
    ) -> Result<Vec<Scored>, TantivyError> {
        let Some(term) = &self.terms[nth as usize] else {
            return Ok(Vec::new());
        };
        if allowed.n_pages() * SPARSE < u64::from(term.doc_freq) {
            let pages = allowed.pages();
            let worth = self.look_up(nth, allowed, &pages)?;
            let both = pages.into_iter().zip(worth);
            return Ok(both.filter(|(_, worth)| *worth != ABSENT).collect());
        }
        let norms = &allowed.columns.norms;
        let mut list = allowed.list(term)?;
        let mut found = Vec::new();
        let mut chosen: Vec<usize> = Vec::new();
        while list.block_len() > 0 {
            let (pages, freqs) = (list.docs(), list.freqs());
            chosen.resize(pages.len().max(chosen.len()), 0);
            // Noted in any case: which of them are allowed is hard to foresee.
            let mut n_chosen = 0;
            for (at, page) in pages.iter().enumerate() {
                chosen[n_chosen] = at;
                n_chosen += usize::from(allowed.has(*page));
            }
            found.extend(chosen[..n_chosen].iter().map(|&at| {
                let (page, n) = (pages[at], freqs[at]);
                (page, self.weight.score(norms.fieldnorm_id(page), n))
            }));
            list.advance();
        }
        Ok(found)
    }

    fn look_up(
        &self,
        nth: SegmentOrdinal,
        allowed: &Allowed<'_>,
        pages: &[DocId],
    ) -> Result<Vec<f32>, TantivyError> {
        let mut worth = vec![ABSENT; pages.len()];
        let (Some(term), Some(first)) = (&self.terms[nth as usize], pages.first()) else {
            return Ok(worth);
        };
        let norms = &allowed.columns.norms;
        let mut list = allowed.list(term)?;
        let mut at = list.seek(*first);
        for (&page, worth) in pages.iter().zip(&mut worth) {
            let mut n_passed = 0;
            while list.doc(at) < page {
                match n_passed < NEAR && at + 1 < list.block_len() {
                    true => at += 1,
                    false => at = list.seek(page),
                }
                n_passed += 1;
            }
            if list.doc(at) == page {
                *worth = self.weight.score(norms.fieldnorm_id(page), list.freq(at));
            }
        }
        Ok(worth)
    }
}

/// The pages that have enough of some parts: at least one of the rarest ones,
/// which are gone through; the others are looked up.
fn several(
    n: usize,
    parts: &[Scan],
    nth: SegmentOrdinal,
    allowed: &Allowed<'_>,
) -> Result<Vec<Scored>, TantivyError> {
    let n_leads = (parts.len() + 1).saturating_sub(n).min(parts.len());
    let (leads, others) = parts.split_at(n_leads);
    if let ([lead], []) = (leads, others) {
        return lead.find(nth, allowed);
    }
    let (mut pages, mut all): (Vec<DocId>, Vec<(f32, usize)>) = (Vec::new(), Vec::new());
    for lead in leads {
        let found = lead.find(nth, allowed)?;
        let one = found.into_iter().map(|(page, worth)| (page, (worth, 1)));
        let so_far = pages.drain(..).zip(all.drain(..));
        let merged = merge(so_far.collect(), one.collect(), |(sum, n), (worth, one)| {
            (sum + worth, n + one)
        });
        (pages, all) = merged.into_iter().unzip();
    }
    for (n_looked_up, other) in others.iter().enumerate() {
        let worth = other.look_up(nth, allowed, &pages)?;
        // What a page has to have by now to have enough in the end.
        let least = n.saturating_sub(others.len() - n_looked_up - 1);
        let mut n_kept = 0;
        for (idx, worth) in worth.into_iter().enumerate() {
            let (mut sum, mut n_there) = all[idx];
            if worth != ABSENT {
                (sum, n_there) = (sum + worth, n_there + 1);
            }
            // Those that are not kept are written over.
            (pages[n_kept], all[n_kept]) = (pages[idx], (sum, n_there));
            n_kept += usize::from(n_there >= least);
        }
        pages.truncate(n_kept);
        all.truncate(n_kept);
    }
    let both = pages.into_iter().zip(all);
    let enough = both.filter(|(_, (_, n_there))| *n_there >= n);
    Ok(enough.map(|(page, (sum, _))| (page, sum)).collect())
}

/// Two lists in order as one; what is in both is put together.
fn merge<T: Copy>(
    one: Vec<(DocId, T)>,
    other: Vec<(DocId, T)>,
    both: impl Fn(T, T) -> T,
) -> Vec<(DocId, T)> {
    if one.is_empty() {
        return other;
    }
    let mut merged = Vec::with_capacity(one.len() + other.len());
    let mut rest = one.into_iter().peekable();
    for (page, worth) in other {
        while let Some(before) = rest.next_if(|(before, _)| *before < page) {
            merged.push(before);
        }
        let same = rest.next_if(|(same, _)| *same == page);
        merged.push((page, same.map_or(worth, |(_, first)| both(first, worth))));
    }
    merged.extend(rest);
    merged
}

/// Pages that have a stem with a beginning.
fn beginnings(beginning: &str, allowed: &Allowed<'_>) -> Result<Map, TantivyError> {
    let mut map = Map::empty(allowed.segment.max_doc());
    let dictionary = allowed.columns.words.terms();
    let mut terms = dictionary.range().ge(beginning).into_stream()?;
    while terms.advance() && terms.key().starts_with(beginning.as_bytes()) {
        let mut list = allowed.list(terms.value())?;
        while list.block_len() > 0 {
            list.docs().iter().for_each(|page| map.mark(*page));
            list.advance();
        }
    }
    Ok(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Fields;
    use proptest::prelude::*;
    use std::collections::{BTreeMap, BTreeSet};
    use tantivy::TantivyDocument;

    const N_WORDS: usize = 5;

    fn word(nth: usize) -> String {
        format!("w{nth}")
    }

    /// An index of pages that have these words, every third deleted, the
    /// others with a host by how many words they have.
    fn look_at(pages: &[BTreeSet<usize>]) -> Look {
        let index = crate::index::in_memory();
        let fields = Fields::of(&index.schema()).unwrap();
        let mut writer = index.writer_with_num_threads(1, 15_000_000).unwrap();
        for (nth, words) in pages.iter().enumerate() {
            let mut document = TantivyDocument::new();
            let words: Vec<String> = words.iter().map(|nth| word(*nth)).collect();
            document.add_text(fields.text, words.join(" "));
            document.add_text(fields.host, words.len().to_string());
            document.add_text(fields.url, nth.to_string());
            writer.add_document(document).unwrap();
            if nth % 200 == 199 {
                writer.commit().unwrap();
            }
        }
        for nth in (0..pages.len()).step_by(3) {
            writer.delete_term(Term::from_field_text(fields.url, &nth.to_string()));
        }
        writer.commit().unwrap();
        writer.wait_merging_threads().unwrap();
        Look::at(&index.reader().unwrap(), fields, None).unwrap()
    }

    /// What is found on each host, in all segments: the worths, in order.
    fn found(look: &Look, wanted: &Wanted, hosts: Option<usize>) -> Vec<((u32, DocId), f32)> {
        let scan = Scan::of(look, wanted).unwrap();
        let mut all = Vec::new();
        for (nth, segment) in (0..).zip(look.searcher.segment_readers()) {
            let terms = hosts.map(|n| {
                let hosts =
                    (0..=n).map(|n| Term::from_field_text(look.fields.host, &n.to_string()));
                hosts.collect::<Vec<_>>()
            });
            let maps = terms
                .iter()
                .map(|terms| look.maps.any_of(terms, segment).unwrap());
            let allowed = Allowed::of(segment, look.segment(nth), maps.collect());
            let pages = scan.find(nth, &allowed).unwrap();
            assert!(pages.is_sorted_by(|one, next| one.0 < next.0));
            let docs: Vec<DocId> = pages.iter().map(|(page, _)| *page).collect();
            let worth = scan.look_up(nth, &allowed, &docs).unwrap();
            for ((page, found), looked_up) in pages.into_iter().zip(worth) {
                assert!((found - looked_up).abs() < 1e-5, "{found} {looked_up}");
                all.push(((nth, page), found));
            }
        }
        all
    }

    fn wanted() -> impl Strategy<Value = Wanted> {
        let leaf = prop_oneof![
            (0..N_WORDS + 1).prop_map(|nth| Wanted::Stem(word(nth))),
            Just(Wanted::Begins("w".to_owned())),
            Just(Wanted::Anything),
        ];
        leaf.prop_recursive(3, 12, 4, |part| {
            let parts = prop::collection::vec(part, 1..5);
            prop_oneof![
                parts.clone().prop_map(Wanted::Best),
                (parts, 1_usize..5)
                    .prop_map(|(parts, n)| Wanted::Several(n.min(parts.len()), parts)),
            ]
        })
    }

    /// What a page's words are worth, by what each word is worth in it.
    fn worth(wanted: &Wanted, words: &BTreeMap<String, f32>) -> Option<f32> {
        let all = |parts: &[Wanted]| -> Vec<f32> {
            parts.iter().filter_map(|part| worth(part, words)).collect()
        };
        match wanted {
            Wanted::Anything => Some(1.0),
            Wanted::Stem(stem) => words.get(stem).copied(),
            Wanted::Begins(_) => (!words.is_empty()).then_some(1.0),
            Wanted::Best(parts) => all(parts).into_iter().reduce(f32::max),
            Wanted::Several(n, parts) => {
                let there = all(parts);
                (there.len() >= *n).then(|| there.iter().sum())
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn pages_are_found_by_what_they_have(
            pages in prop::collection::vec(prop::collection::btree_set(0..N_WORDS, 0..4), 1..700),
            wanted in prop::collection::vec(wanted(), 8),
            hosts in prop::option::of(0_usize..4),
        ) {
            let look = look_at(&pages);
            let mut words: BTreeMap<(u32, DocId), BTreeMap<String, f32>> = BTreeMap::new();
            for (page, _) in found(&look, &Wanted::Anything, hosts) {
                words.insert(page, BTreeMap::new());
            }
            let n_left = (0..pages.len()).filter(|nth| {
                nth % 3 != 0 && hosts.is_none_or(|hosts| pages[*nth].len() <= hosts)
            });
            prop_assert_eq!(words.len(), n_left.count());
            for nth in 0..N_WORDS {
                for (page, worth) in found(&look, &Wanted::Stem(word(nth)), hosts) {
                    words.get_mut(&page).unwrap().insert(word(nth), worth);
                }
            }
            for wanted in wanted {
                let found: BTreeMap<_, _> = found(&look, &wanted, hosts).into_iter().collect();
                let expected = words.iter().filter_map(|(page, words)| Some((*page, worth(&wanted, words)?)));
                let expected: BTreeMap<_, _> = expected.collect();
                prop_assert!(found.keys().eq(expected.keys()), "{:?}", wanted);
                for (page, worth) in expected {
                    prop_assert!((found[&page] - worth).abs() < 1e-4, "{:?}", wanted);
                }
            }
        }
    }
}
