//! Measures names of places on labelled texts.
//!
//! Recognition counts exact spans. *Placed* is the share of recognised names
//! with a labelled point that lie within 161 km of it; *end to end* is recall
//! times that share. Reliability compares the confidence that was claimed
//! with how often it was right.

use super::sets;
use place::gazetteer::{Gazetteer, Role};
use place::toponym::{Context, Gold, Labels, Mention, Toponyms};
use serde::Deserialize;
use std::collections::HashMap;
use std::path::Path;

/// The sets, with what their labels cover.
pub(crate) const SETS: &[SetKind] = &[
    SetKind {
        name: "lgl_dev",
        complete: true,
        demonyms: true,
    },
    SetKind {
        name: "geowebnews_dev",
        complete: true,
        demonyms: true,
    },
    SetKind {
        name: "geovirus_dev",
        complete: true,
        demonyms: false,
    },
    SetKind {
        name: "tud_train_dev",
        complete: true,
        demonyms: false,
    },
    SetKind {
        name: "tud_val_dev",
        complete: true,
        demonyms: false,
    },
    SetKind {
        name: "wiktor_dev",
        complete: false,
        demonyms: false,
    },
    SetKind {
        name: "mobie_de_dev",
        complete: false,
        demonyms: false,
    },
];

/// What the labels of a set cover.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SetKind {
    pub(crate) name: &'static str,
    pub(crate) complete: bool,
    pub(crate) demonyms: bool,
}

/// A labelled text.
#[derive(Debug, Clone)]
pub(crate) struct NamedText {
    pub(crate) set: &'static str,
    /// Texts of one site stay together when some are held out.
    pub(crate) site: String,
    pub(crate) id: String,
    pub(crate) text: String,
    pub(crate) labels: Labels,
}

#[derive(Deserialize)]
struct RawText {
    id: String,
    #[serde(default)]
    domain: String,
    text: String,
    toponyms: Vec<RawLabel>,
}

#[derive(Deserialize)]
struct RawLabel {
    start: usize,
    end: usize,
    lat: Option<f32>,
    lon: Option<f32>,
}

/// All texts of a set.
pub(crate) fn read(dir: &Path, kind: SetKind) -> anyhow::Result<Vec<NamedText>> {
    let raws: Vec<RawText> = sets::read(dir, &format!("toponyms/{}.jsonl", kind.name))?;
    Ok(raws.into_iter().map(|raw| named(raw, kind)).collect())
}

fn named(raw: RawText, kind: SetKind) -> NamedText {
    let mut offsets: Vec<usize> = raw.text.char_indices().map(|(at, _)| at).collect();
    offsets.push(raw.text.len());
    let at = |position: usize| offsets.get(position).copied().unwrap_or(raw.text.len());
    let gold = raw.toponyms.iter().map(|label| Gold {
        span: at(label.start)..at(label.end),
        point: label.lat.zip(label.lon),
    });
    let site = if raw.domain.is_empty() {
        raw.id.clone()
    } else {
        raw.domain
    };
    NamedText {
        set: kind.name,
        site,
        id: raw.id,
        labels: Labels {
            gold: gold.collect(),
            complete: kind.complete,
            demonyms: kind.demonyms,
        },
        text: raw.text,
    }
}

/// Counts of one set.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameTally {
    pub(crate) n_gold: usize,
    pub(crate) n_found: usize,
    pub(crate) n_right: usize,
    pub(crate) n_pointed: usize,
    pub(crate) n_placed: usize,
    /// By tenths of confidence: claimed sum, right, all.
    pub(crate) bins: [(f64, usize, usize); 10],
}

impl NameTally {
    pub(crate) fn add(&mut self, other: &NameTally) {
        self.n_gold += other.n_gold;
        self.n_found += other.n_found;
        self.n_right += other.n_right;
        self.n_pointed += other.n_pointed;
        self.n_placed += other.n_placed;
        for (own, other) in self.bins.iter_mut().zip(other.bins) {
            own.0 += other.0;
            own.1 += other.1;
            own.2 += other.2;
        }
    }

    /// Precision, recall, F1, share placed, end to end.
    pub(crate) fn measures(&self) -> [f64; 5] {
        let share = super::score::share;
        let (p, r) = (
            share(self.n_right, self.n_found),
            share(self.n_right, self.n_gold),
        );
        let placed = share(self.n_placed, self.n_pointed);
        let f1 = if p + r > 0.0 {
            2.0 * p * r / (p + r)
        } else {
            0.0
        };
        [p, r, f1, placed, r * placed]
    }
}

/// Compares what was found in one text with its labels; wrong ones go to `misses`.
pub(crate) fn compare(
    gazetteer: &Gazetteer,
    text: &NamedText,
    found: &[Mention],
    misses: &mut Vec<String>,
) -> NameTally {
    let mut tally = NameTally {
        n_gold: text.labels.gold.len(),
        n_found: found.len(),
        ..NameTally::default()
    };
    let by_span: HashMap<(usize, usize), &Gold> = text
        .labels
        .gold
        .iter()
        .map(|gold| ((gold.span.start, gold.span.end), gold))
        .collect();
    let around = |start: usize, end: usize| {
        let from = (0..=start.saturating_sub(30))
            .rev()
            .find(|&at| text.text.is_char_boundary(at));
        let to = (end + 30..=text.text.len()).find(|&at| text.text.is_char_boundary(at));
        text.text[from.unwrap_or(0)..to.unwrap_or(text.text.len())].replace('\n', "⏎")
    };
    for mention in found {
        let gold = by_span.get(&(mention.span.start, mention.span.end));
        let place = gazetteer.place(mention.place);
        let near = gold
            .and_then(|gold| gold.point)
            .map(|point| kilometres((place.lat, place.lon), point) < 161.0);
        tally.n_right += usize::from(gold.is_some());
        tally.n_pointed += usize::from(near.is_some());
        tally.n_placed += usize::from(near == Some(true));
        let name = &text.text[mention.span.clone()];
        if gold.is_none() {
            let context = around(mention.span.start, mention.span.end);
            misses.push(format!(
                "{} spurious {name:?} {:.2} … {context}",
                text.id, mention.confidence
            ));
        } else if near == Some(false) {
            let meant = gold.and_then(|gold| gold.point);
            misses.push(format!(
                "{} misplaced {name:?} {:.2} as {} ({}), wanted {meant:?} {:?}",
                text.id,
                mention.confidence,
                gazetteer.describe(mention.place),
                place.kind.name(),
                mention.because
            ));
        }
        if near.is_some() || gold.is_none() {
            let bin = &mut tally.bins[((mention.confidence * 10.0) as usize).min(9)];
            bin.0 += f64::from(mention.confidence);
            bin.1 += usize::from(near == Some(true));
            bin.2 += 1;
        }
    }
    let spans: HashMap<(usize, usize), ()> = found
        .iter()
        .map(|mention| ((mention.span.start, mention.span.end), ()))
        .collect();
    for gold in &text.labels.gold {
        if !spans.contains_key(&(gold.span.start, gold.span.end)) {
            let name = &text.text[gold.span.clone()];
            let known = gazetteer.find(name).len();
            misses.push(format!(
                "{} missed {name:?} ({known} known) … {}",
                text.id,
                around(gold.span.start, gold.span.end)
            ));
        }
    }
    tally
}

/// Reads every text of a set and adds up.
pub(crate) fn measure(
    toponyms: &Toponyms<'_>,
    gazetteer: &Gazetteer,
    texts: &[&NamedText],
    misses: &mut Vec<String>,
) -> NameTally {
    let mut tally = NameTally::default();
    for text in texts {
        let mut found = toponyms.find(&text.text, &Context::default());
        if !text.labels.demonyms {
            found.retain(|mention| !is_demonym(gazetteer, &text.text[mention.span.clone()]));
        }
        tally.add(&compare(gazetteer, text, &found, misses));
    }
    tally
}

/// Whether a name is an adjective or a people, which some sets do not label.
fn is_demonym(gazetteer: &Gazetteer, name: &str) -> bool {
    let largest = gazetteer.bearers(name).next();
    largest.is_some_and(|(_, role)| role == Role::Demonym)
}

/// Distance on the sphere.
fn kilometres(from: (f32, f32), to: (f32, f32)) -> f32 {
    let (lat, lon) = (from.0.to_radians(), from.1.to_radians());
    let (to_lat, to_lon) = (to.0.to_radians(), to.1.to_radians());
    let chord = ((to_lat - lat) / 2.0).sin().powi(2)
        + lat.cos() * to_lat.cos() * ((to_lon - lon) / 2.0).sin().powi(2);
    2.0 * 6371.0 * chord.sqrt().min(1.0).asin()
}
