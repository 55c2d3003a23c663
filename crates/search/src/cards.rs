//! What is asked of every page that matches, in memory, side by side.
//!
//! A question goes over thousands of pages and needs a few numbers of each.
//! In the files of the index every number lies in a column of its own: to find
//! it takes longer than to use it. Here a page takes 24 bytes, and 8 for each
//! of its places.

use crate::index::{Share, name};
use tantivy::columnar::Column;
use tantivy::{DocId, SegmentReader, TantivyError};

/// The cards of one segment.
#[derive(Default)]
pub(crate) struct Cards {
    /// One more than there are pages: each begins where the one before ends.
    cards: Vec<Card>,
    /// Places of all pages, packed.
    shares: Vec<u64>,
    /// Positions in the log.
    seqs: Vec<u64>,
    most_in_links: u16,
}

/// A page.
#[derive(Clone, Copy, Default)]
pub(crate) struct Card {
    /// A number for its host, the same in all segments.
    pub(crate) site: u64,
    first_share: u32,
    /// A number for its language in this segment; the last one is none.
    language: u16,
    /// Domains that link to it.
    in_links: u16,
}

/// Stands for no language.
const NO_LANGUAGE: u16 = u16::MAX;

impl Cards {
    pub(crate) fn of(segment: &SegmentReader) -> Result<Cards, TantivyError> {
        let fast = segment.fast_fields();
        let shares: Column<u64> = fast.u64(name::SHARE)?;
        let sites: Column<u64> = fast.u64(name::SITE)?;
        let in_links: Column<u64> = fast.u64(name::IN_LINKS)?;
        let seqs: Column<u64> = fast.u64(name::SEQ)?;
        let languages = fast.str(name::LANGUAGE)?;
        let n_pages = segment.max_doc();
        let mut made = Cards {
            cards: Vec::with_capacity(n_pages as usize + 1),
            shares: Vec::with_capacity(shares.values.num_vals() as usize),
            seqs: Vec::with_capacity(n_pages as usize),
            most_in_links: 0,
        };
        for page in 0..n_pages {
            let language = languages
                .as_ref()
                .and_then(|all| all.term_ords(page).next());
            let in_links = saturated(in_links.first(page).unwrap_or(0));
            made.most_in_links = made.most_in_links.max(in_links);
            made.cards.push(Card {
                site: sites.first(page).unwrap_or(0),
                first_share: made.shares.len() as u32,
                language: language.map_or(NO_LANGUAGE, saturated),
                in_links,
            });
            made.shares.extend(shares.values_for_doc(page));
            made.seqs.push(seqs.first(page).unwrap_or(0));
        }
        made.cards.push(Card {
            first_share: made.shares.len() as u32,
            ..Card::default()
        });
        Ok(made)
    }

    pub(crate) fn card(&self, page: DocId) -> Card {
        self.cards[page as usize]
    }

    /// A page's position in the log.
    pub(crate) fn seq(&self, page: DocId) -> u64 {
        self.seqs[page as usize]
    }

    /// Domains that link to the page with most of them.
    pub(crate) fn most_in_links(&self) -> u16 {
        self.most_in_links
    }

    /// Has memory bring what is kept of some pages, all at once; to wait for
    /// one after the other takes longer than anything that is done with it.
    pub(crate) fn bring(&self, pages: impl Iterator<Item = DocId>) {
        let mut bits = 0;
        for page in pages {
            let first = self.cards[page as usize].first_share as usize;
            bits ^= self.shares.get(first).copied().unwrap_or(0);
        }
        std::hint::black_box(bits);
    }

    /// What a page is about.
    pub(crate) fn shares(&self, page: DocId) -> impl Iterator<Item = Share> + '_ {
        let start = self.cards[page as usize].first_share as usize;
        let end = self.cards[page as usize + 1].first_share as usize;
        self.shares[start..end]
            .iter()
            .map(|share| Share::unpack(*share))
    }
}

impl Card {
    /// A number for its language, which means something in this segment alone.
    pub(crate) fn language(self) -> Option<u16> {
        (self.language != NO_LANGUAGE).then_some(self.language)
    }

    /// Domains that link to it.
    pub(crate) fn in_links(self) -> u16 {
        self.in_links
    }
}

fn saturated(number: u64) -> u16 {
    u16::try_from(number).unwrap_or(u16::MAX)
}
