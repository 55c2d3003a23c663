//! Looks for phrases in the texts of pages that have their words: the index
//! knows no order of words.

use super::Search;
use super::show::{stems_of, stored};
use crate::gather::{Counts, Found, Gathered};
use crate::snippet::parts;
use crate::words::{Cuts, Cutter};
use serde::Serialize;
use std::collections::HashSet;
use tantivy::TantivyError;

/// Pages that are read for a phrase, the best ones.
pub(super) const MOST_READ: usize = 1_000;

/// So few pages are all read.
const FEW: usize = 300;

/// Of more, no further ones are read after so many that have the phrase, unless
/// later hits are asked for.
const MANY: usize = 100;

/// Where more pages have the words of a phrase than were read for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PartlyRead {
    /// Pages that were read, the best ones.
    pub n_read: u64,
    /// Pages that have the words.
    pub n_with_words: u64,
}

/// Leaves the pages that have the phrases that are wanted and none that is
/// forbidden, and counts those.
pub(super) fn check(
    search: &Search<'_>,
    mut gathered: Gathered,
    cutter: &mut Cutter,
) -> Result<Gathered, TantivyError> {
    let wishes = &search.wishes;
    let stems = stems_of(wishes.wanted.iter().flatten().chain(&wishes.forbidden));
    let are_more = gathered.best.len() > FEW;
    let (mut kept, mut groups) = (Vec::new(), HashSet::new());
    let mut n_read = 0;
    for found in gathered.best.into_iter().take(MOST_READ) {
        let are_many = kept.len() >= MANY && groups.len() >= search.n_wanted();
        if are_more && are_many {
            break;
        }
        n_read += 1;
        if holds(search, &found, &stems, cutter)? {
            groups.insert(found.group);
            kept.push(found);
        }
    }
    gathered.partly_read = (n_read < gathered.n_pages).then_some(PartlyRead {
        n_read,
        n_with_words: gathered.n_pages,
    });
    gathered.n_pages = kept.len() as u64;
    gathered.counts = Counts::of(search.look, &kept);
    gathered.best = kept;
    Ok(gathered)
}

/// Whether a page has the phrases: in its text, or in its title.
fn holds(
    search: &Search<'_>,
    found: &Found,
    stems: &[String],
    cutter: &mut Cutter,
) -> Result<bool, TantivyError> {
    let wishes = &search.wishes;
    let stored = stored(search, found)?;
    let language = search.look.language(found.address);
    let mut title = Cuts::default();
    cutter.cut(&mut title, (&stored.title, 0), language, stems);
    // What no word is stands between the two.
    let behind = title.n_words + 1;
    let title = title
        .asked
        .iter()
        .map(|(nth, which)| (*nth, &*stems[*which]));
    let mut words: Vec<(usize, &str)> = title.collect();
    let mut body = Cuts::default();
    let mut holds = wishes.phrases_hold(&words);
    for (from, end) in parts(&stored.text) {
        // What a forbidden phrase may still follow.
        if holds && !wishes.forbids_phrases() {
            break;
        }
        let n_known = body.asked.len();
        let text = (&stored.text[..end], from);
        cutter.cut(&mut body, text, language, stems);
        let new = body.asked[n_known..].iter();
        words.extend(new.map(|(nth, which)| (behind + nth, &*stems[*which])));
        holds = wishes.phrases_hold(&words);
    }
    Ok(holds)
}
