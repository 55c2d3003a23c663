//! The index as it was at one moment: its segments, with the columns that
//! answers are made from opened once for all questions.

use crate::acquainted::Acquainted;
use crate::cards::Cards;
use crate::index::{Fields, Point, name};
use crate::kept::Kept;
use crate::maps::Maps;
use crate::prospects;
use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::sync::{Arc, PoisonError, RwLock};
use tantivy::columnar::{Column, StrColumn};
use tantivy::fieldnorm::FieldNormReader;
use tantivy::index::SegmentId;
use tantivy::postings::TermInfo;
use tantivy::query::Bm25StatisticsProvider;
use tantivy::{
    DocAddress, DocId, IndexReader, InvertedIndexReader, Searcher, SegmentReader, TantivyError,
};
use xxhash_rust::xxh3::xxh3_64;

/// Hosts whose names are kept: some 4 MB.
const MOST_HOSTS: usize = 1 << 16;

/// A moment of the index.
pub(crate) struct Look {
    pub(crate) fields: Fields,
    pub(crate) searcher: Searcher,
    /// Of pages that were asked for lately.
    pub(crate) maps: Arc<Maps>,
    /// With places around those that were asked for lately.
    pub(crate) acquainted: Arc<Acquainted>,
    /// Of pages in regions that were asked for lately.
    pub(crate) prospects: Arc<prospects::Kept>,
    /// Hosts that were shown.
    hosts: Arc<RwLock<Numbered<u64, Arc<str>>>>,
    columns: Vec<Columns>,
    /// Where the lists of a stem are: by segment, none where it has no list. To
    /// look it up in a dozen dictionaries takes as long as to judge a hundred
    /// pages.
    pub(crate) stems: Kept<String, Arc<[Option<TermInfo>]>>,
    /// How many pages are filed within a place, by its GeoNames id.
    pub(crate) filed: Kept<u32, u64>,
    /// How many pages there are, deleted ones too, and how many words a page
    /// has on average.
    pub(crate) lengths: (u64, f32),
}

/// The columns of one segment; copies share what they read.
#[derive(Clone)]
pub(crate) struct Columns {
    pub(crate) cards: Arc<Cards>,
    points: Column<u64>,
    pub(crate) groups: Column<u64>,
    pub(crate) at: Column<u64>,
    pub(crate) seq: Column<u64>,
    pub(crate) keys: Column<u64>,
    hosts: Option<StrColumn>,
    /// By their numbers.
    languages: Arc<[String]>,
    /// Lists of pages by words.
    pub(crate) words: Arc<InvertedIndexReader>,
    /// How long texts are.
    pub(crate) norms: FieldNormReader,
}

impl Look {
    /// What a reader sees now. Segments never change: what was made of them
    /// for an earlier look serves again.
    pub(crate) fn at(
        reader: &IndexReader,
        fields: Fields,
        earlier: Option<&Look>,
    ) -> Result<Look, TantivyError> {
        let searcher = reader.searcher();
        let columns = searcher.segment_readers().iter().map(|segment| {
            let cards = earlier.and_then(|look| look.cards_of(segment.segment_id()));
            Columns::of(segment, fields, cards)
        });
        let (n_words, n_all) = (
            searcher.total_num_tokens(fields.text)?,
            searcher.total_num_docs()?,
        );
        Ok(Look {
            columns: columns.collect::<Result<_, _>>()?,
            lengths: (n_all, n_words as f32 / n_all as f32),
            maps: earlier.map_or_else(Arc::default, |look| Arc::clone(&look.maps)),
            prospects: earlier.map_or_else(Arc::default, |look| Arc::clone(&look.prospects)),
            hosts: earlier.map_or_else(Arc::default, |look| Arc::clone(&look.hosts)),
            acquainted: earlier.map_or_else(Arc::default, |look| Arc::clone(&look.acquainted)),
            stems: Kept::default(),
            filed: Kept::default(),
            fields,
            searcher,
        })
    }

    fn cards_of(&self, segment: SegmentId) -> Option<Arc<Cards>> {
        let mut segments = self.searcher.segment_readers().iter();
        let nth = segments.position(|other| other.segment_id() == segment)?;
        Some(Arc::clone(&self.columns[nth].cards))
    }

    /// The columns that a page is in.
    pub(crate) fn of(&self, page: DocAddress) -> &Columns {
        &self.columns[page.segment_ord as usize]
    }

    /// The columns of a segment.
    pub(crate) fn segment(&self, nth: u32) -> &Columns {
        &self.columns[nth as usize]
    }

    /// The columns of all segments.
    pub(crate) fn segments(&self) -> impl Iterator<Item = &Columns> {
        self.columns.iter()
    }

    /// A page's host.
    pub(crate) fn host(&self, page: DocAddress) -> Result<Arc<str>, TantivyError> {
        let columns = self.of(page);
        let site = columns.cards.card(page.doc_id).site;
        let known = self.hosts.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(host) = known.get(&site) {
            return Ok(Arc::clone(host));
        }
        drop(known);
        let host: Arc<str> = text(columns.hosts.as_ref(), page.doc_id)?.into();
        let mut known = self.hosts.write().unwrap_or_else(PoisonError::into_inner);
        if known.len() == MOST_HOSTS {
            known.clear();
        }
        known.insert(site, Arc::clone(&host));
        Ok(host)
    }

    /// A page's language; empty if it is not known.
    pub(crate) fn language(&self, page: DocAddress) -> &str {
        let columns = self.of(page);
        let language = columns.cards.card(page.doc_id).language();
        language.map_or("", |ord| columns.language_name(ord))
    }
}

impl Columns {
    fn of(
        segment: &SegmentReader,
        fields: Fields,
        cards: Option<Arc<Cards>>,
    ) -> Result<Columns, TantivyError> {
        let norms = segment.fieldnorms_readers().get_field(fields.text)?;
        let fast = segment.fast_fields();
        Ok(Columns {
            cards: match cards {
                Some(cards) => cards,
                None => Arc::new(Cards::of(segment)?),
            },
            points: fast.u64(name::POINT)?,
            groups: fast.u64(name::GROUP)?,
            at: fast.u64(name::AT)?,
            seq: fast.u64(name::SEQ)?,
            keys: fast.u64(name::KEY)?,
            hosts: fast.str(name::HOST)?,
            languages: languages(fast.str(name::LANGUAGE)?.as_ref())?,
            words: segment.inverted_index(fields.text)?,
            norms: norms.unwrap_or_else(|| FieldNormReader::constant(segment.max_doc(), 1)),
        })
    }

    /// Where its addresses are.
    pub(crate) fn points(&self, doc: DocId) -> impl Iterator<Item = Point> + '_ {
        self.points.values_for_doc(doc).map(Point::unpack)
    }

    /// The language that a number stands for; empty for an unknown one.
    pub(crate) fn language_name(&self, ord: u16) -> &str {
        let name = self.languages.get(usize::from(ord));
        name.map_or("", String::as_str)
    }
}

/// The languages of a segment, by their numbers.
fn languages(column: Option<&StrColumn>) -> Result<Arc<[String]>, TantivyError> {
    let mut names = Vec::new();
    for ord in 0..column.iter().map(|column| column.num_terms() as u64).sum() {
        let mut name = String::new();
        if let Some(column) = column {
            column.ord_to_str(ord, &mut name)?;
        }
        names.push(name);
    }
    Ok(names.into())
}

/// The number by which a host is told from others, in all segments.
pub(crate) fn site(host: &str) -> u64 {
    xxh3_64(host.as_bytes())
}

/// The first value of a page's field; empty if there is none.
fn text(column: Option<&StrColumn>, doc: DocId) -> Result<String, TantivyError> {
    let mut text = String::new();
    if let Some(column) = column
        && let Some(ord) = column.term_ords(doc).next()
    {
        column.ord_to_str(ord, &mut text)?;
    }
    Ok(text)
}

/// Counts and notes by numbers that need no protection from anybody: those
/// who could choose them could as well fill the index.
pub(crate) type Numbered<K, V> = HashMap<K, V, BuildHasherDefault<Spread>>;

/// Spreads numbers over all bits by one multiplication.
#[derive(Default)]
pub(crate) struct Spread(u64);

impl std::hash::Hasher for Spread {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = xxh3_64(bytes);
    }

    fn write_u32(&mut self, number: u32) {
        self.write_u64(u64::from(number));
    }

    fn write_u64(&mut self, number: u64) {
        // 2^64 divided by the golden ratio.
        self.0 = number.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32);
    }
}
