//! Compares the names found in one text with its labels.

use super::{NameTally, NamedText};
use place::gazetteer::Gazetteer;
use place::sphere::kilometres;
use place::toponym::{Gold, Mention, SAME_PLACE_KM};
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// So many bytes on either side of a name are shown with it.
const SHOWN: usize = 30;

/// Counts one text; what is wrong goes to `misses`, in words.
pub(super) fn compare(
    gazetteer: &Gazetteer,
    text: &NamedText,
    found: &[Mention],
    misses: &mut Vec<String>,
) -> NameTally {
    let labels = &text.labels.gold;
    let by_span: HashMap<&Range<usize>, &Gold> =
        labels.iter().map(|gold| (&gold.span, gold)).collect();
    let mut tally = NameTally::new(labels.len());
    for mention in found {
        let gold = by_span.get(&mention.span).copied();
        let is_near = gold.and_then(|gold| is_near(gazetteer, mention, gold));
        tally.count(mention.confidence, gold.is_some(), is_near);
        let wrong = match gold {
            None => spurious(text, mention),
            Some(gold) if is_near == Some(false) => misplaced(gazetteer, text, mention, gold),
            Some(_) => continue,
        };
        misses.push(format!("{} {} {wrong}", text.set, text.id));
    }
    let spans: HashSet<&Range<usize>> = found.iter().map(|mention| &mention.span).collect();
    for gold in labels.iter().filter(|gold| !spans.contains(&gold.span)) {
        let wrong = missed(gazetteer, text, gold);
        misses.push(format!("{} {} {wrong}", text.set, text.id));
    }
    tally
}

/// Whether the right place is meant; unknown where the label has no point.
fn is_near(gazetteer: &Gazetteer, mention: &Mention, gold: &Gold) -> Option<bool> {
    let place = gazetteer.place(mention.place);
    let point = gold.point?;
    Some(kilometres((place.lat, place.lon), point) < SAME_PLACE_KM)
}

fn spurious(text: &NamedText, mention: &Mention) -> String {
    let name = &text.text[mention.span.clone()];
    let around = around(&text.text, &mention.span);
    format!("spurious {name:?} {:.2} … {around}", mention.confidence)
}

fn misplaced(gazetteer: &Gazetteer, text: &NamedText, mention: &Mention, gold: &Gold) -> String {
    format!(
        "misplaced {:?} {:.2} as {} ({}), wanted {:?} {:?}",
        &text.text[mention.span.clone()],
        mention.confidence,
        gazetteer.describe(mention.place),
        gazetteer.kind(mention.place).name(),
        gold.point,
        mention.because
    )
}

fn missed(gazetteer: &Gazetteer, text: &NamedText, gold: &Gold) -> String {
    let name = &text.text[gold.span.clone()];
    let n_known = gazetteer.find(name).len();
    let around = around(&text.text, &gold.span);
    format!("missed {name:?} ({n_known} known) … {around}")
}

/// A name with what stands around it, in one line.
fn around(text: &str, span: &Range<usize>) -> String {
    let from = text.floor_char_boundary(span.start.saturating_sub(SHOWN));
    let to = text.ceil_char_boundary(span.end + SHOWN);
    text[from..to].replace('\n', "⏎")
}
