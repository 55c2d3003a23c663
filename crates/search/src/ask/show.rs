//! What an answer consists of.

use super::phrases::PartlyRead;
use super::plan::Reach;
use super::spot::Spot;
use super::{MAX_HITS, MAX_OFFSET, READER, Search};
use crate::gather::{Counts, Found, Gathered};
use crate::index::{Point, Share, Stored};
use crate::look::{Look, Numbered};
use crate::region::Region;
use crate::snippet::{self, Snippet};
use crate::syntax::Wish;
use crate::words::Cutter;
use place::gazetteer::{Gazetteer, PlaceId};
use place::precision::Precision;
use place::question::{Doubt, Location, Question};
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use tantivy::TantivyError;

/// Pages of one host among ten hits.
const MOST_OF_HOST: usize = 2;

/// What a page of another host needs of the score of one that it is shown
/// instead of: what hardly answers is no variety.
const LEAST_INSTEAD: f32 = 0.5;

/// Pages among which the next hit is chosen.
pub(super) const WINDOW: usize = 40;

/// Hits that people see at once.
const AT_ONCE: usize = 10;

/// Values of one facet that are shown.
const MOST_COUNTS: usize = 20;

/// An answer to a query.
#[derive(Debug, Clone, Serialize)]
pub struct Answer {
    /// How the query was read.
    pub understood: Understood,
    /// Where was looked beyond the place, as there was too little in it.
    pub widened: Option<String>,
    /// No page has enough of the words; these have some.
    pub takes_any_word: bool,
    /// Pages that match; of phrases those that were found, where not all pages
    /// with their words were read.
    pub n_pages: u64,
    /// How far phrases were looked for, if not in all pages that have their words.
    pub partly_read: Option<PartlyRead>,
    /// The best of them.
    pub hits: Vec<Hit>,
    /// Where all that match are from.
    pub facets: Facets,
    /// The last visit that was looked at: given back with the question for the
    /// next hits, pages that were found since do not move them.
    pub as_of: u64,
}

/// How a query was read.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Understood {
    /// The words, without the location.
    pub words: String,
    /// Where.
    pub location: Option<WhereFound>,
    /// Why there.
    pub because: String,
    /// Other places of that name.
    pub alternatives: Vec<WhereFound>,
    /// Where no place was read: what may have been meant.
    pub did_you_mean: Vec<Suggested>,
    /// It asks for what is near the person, and where that is was not said.
    pub lacks_home: bool,
    /// There is nothing to look for: no word that a page must have, and no place.
    pub asks_nothing: bool,
}

/// A query as it may have been meant.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggested {
    /// The query with a name put right: `hotels near Chicago`.
    pub query: String,
    /// The place it then names: `Chicago, Illinois, United States`.
    pub name: String,
    /// GeoNames id of that place.
    pub geonameid: u32,
}

/// A place or a point.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WhereFound {
    /// For people: `Houston, Texas, United States`.
    pub name: String,
    /// GeoNames id, where it is a place.
    pub geonameid: Option<u32>,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

/// A page that answers.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Hit {
    /// Its canonical address.
    pub url: String,
    /// Its title; may be empty.
    pub title: String,
    /// What of it answers.
    pub snippet: Snippet,
    /// Where it is about, what answers first, then the most:
    /// `Houston, Texas, United States`.
    pub places: Vec<String>,
    /// The address on it that answers; where no place was asked for, the first.
    pub address: Option<String>,
    /// Degrees north of the address, or of the first of the places.
    pub lat: Option<f64>,
    /// Degrees east of the same.
    pub lon: Option<f64>,
    /// What these are: `page` for the page's own, `postcode` or `place` for the
    /// middle of one.
    pub precision: Option<&'static str>,
    /// Kilometres from there to the town or point that was asked for.
    pub distance_km: Option<f64>,
    /// When it was fetched, in milliseconds since 1970.
    pub fetched: u64,
    /// How well it answers; comparable within one answer only.
    pub score: f32,
    /// What its score is made of.
    pub explained: Option<Explained>,
}

/// What a score is made of: the product of the three.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Explained {
    /// BM25F of the words.
    pub text: f32,
    /// How well its places fit, from 0 to 1.
    pub geography: f32,
    /// Why they do.
    pub because: &'static str,
    /// A little more than one for pages that others link to.
    pub status: f32,
}

/// Where all pages that match are from.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Facets {
    /// `/Earth/US/Texas/Houston`.
    pub places: Vec<Count>,
    /// Hosts.
    pub hosts: Vec<Count>,
    /// Two letters each.
    pub languages: Vec<Count>,
    /// Of very many pages only some were asked; the counts stand for all.
    pub is_estimate: bool,
}

/// A value and its pages.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Count {
    /// The value.
    pub name: String,
    /// Pages with it.
    pub n_pages: u64,
}

pub(super) fn answer(
    search: &Search<'_>,
    question: &Question,
    gathered: Gathered,
    cutter: &mut Cutter,
) -> Result<Answer, TantivyError> {
    let look = search.look;
    let offset = search.ask.offset.min(MAX_OFFSET);
    let n_hits = search.ask.n_hits.min(MAX_HITS);
    let best = diverse(look, gathered.best, offset + n_hits);
    let stems = stems_of(search.wishes.wanted.iter().flatten());
    let mut hits = Vec::with_capacity(n_hits);
    for found in best.iter().skip(offset) {
        hits.push(hit(search, found, &stems, cutter)?);
    }
    Ok(Answer {
        understood: understood(search, question, gathered.n_pages),
        widened: widened(search),
        takes_any_word: search.takes_any_word,
        n_pages: gathered.n_pages,
        partly_read: gathered.partly_read,
        hits,
        facets: facets(look, &gathered.counts)?,
        as_of: search.ask.as_of.unwrap_or_else(|| {
            let n_visits = search.n_visits;
            n_visits.saturating_sub(1)
        }),
    })
}

/// The best pages without copies of each other, and of no host too many at once.
///
/// Each is chosen among the same number of leading ones, however many are
/// asked for: what is on a page of hits does not depend on where it ends.
fn diverse(look: &Look, found: Vec<Found>, n: usize) -> Vec<Found> {
    let mut groups = HashSet::new();
    let with_site = |found: Found| {
        let cards = &look.of(found.address).cards;
        (found, cards.card(found.address.doc_id).site)
    };
    let mut others = found
        .into_iter()
        .filter(|found| groups.insert(found.group))
        .map(with_site);
    let mut waiting: Vec<(Found, u64)> = others.by_ref().take(WINDOW).collect();
    let mut best: Vec<(Found, u64)> = Vec::new();
    while best.len() < n && !waiting.is_empty() {
        let shown = &best[best.len() / AT_ONCE * AT_ONCE..];
        let least = waiting[0].0.score * LEAST_INSTEAD;
        let is_welcome = |(found, host): &(Found, u64)| {
            let same = shown.iter().filter(|(_, other)| other == host);
            same.count() < MOST_OF_HOST && found.score >= least
        };
        let next = waiting.iter().position(is_welcome).unwrap_or(0);
        best.push(waiting.remove(next));
        waiting.extend(others.next());
    }
    best.into_iter().map(|(found, _)| found).collect()
}

pub(super) fn stored(search: &Search<'_>, found: &Found) -> Result<Stored, TantivyError> {
    let texts = search.look.searcher.doc(found.address)?;
    Ok(search.look.fields.read(texts))
}

/// All stems of some wishes, each once.
pub(super) fn stems_of<'w>(wishes: impl Iterator<Item = &'w Wish>) -> Vec<String> {
    let stems = wishes.flat_map(|wish| match wish {
        Wish::Word(stems) | Wish::Prefix(stems) => stems.clone(),
        Wish::Phrase(readings) => readings.concat(),
    });
    let stems: BTreeSet<String> = stems.collect();
    stems.into_iter().collect()
}

fn hit(
    search: &Search<'_>,
    found: &Found,
    stems: &[String],
    cutter: &mut Cutter,
) -> Result<Hit, TantivyError> {
    let look = search.look;
    let stored = stored(search, found)?;
    let (columns, doc) = (look.of(found.address), found.address.doc_id);
    let shares: Vec<Share> = columns.cards.shares(doc).collect();
    let points: Vec<Point> = columns.points(doc).collect();
    let language = look.language(found.address);
    let snippet = snippet::best(
        cutter,
        &stored.text,
        language,
        stems,
        search.wishes.wanted.len(),
    );
    let spot = Spot::of(search.region.as_ref(), &shares, &points, stored.addresses);
    Ok(Hit {
        title: stored.title,
        snippet,
        places: spot.places,
        address: spot.address,
        lat: spot.at.map(|(lat, _)| lat),
        lon: spot.at.map(|(_, lon)| lon),
        precision: spot.precision.map(Precision::name),
        distance_km: spot.distance,
        fetched: columns.at.first(doc).unwrap_or(0),
        score: found.score,
        explained: search.ask.explain.then(|| Explained {
            text: found.text,
            geography: found.fit.value,
            because: found.why(),
            status: found.status,
        }),
        url: stored.url,
    })
}

fn understood(search: &Search<'_>, question: &Question, n_pages: u64) -> Understood {
    // `near me` gives the person's home.
    let home = search.region.as_ref();
    let home = home.filter(|_| question.is_near && question.location.is_none());
    let given = match search.ask.region.as_ref().or(home) {
        Some(Region::Near { .. }) if search.ask.around.is_some() => {
            search.ask.around.map(place_found)
        }
        Some(Region::About(place) | Region::Within(place)) => Some(place_found(*place)),
        Some(region) => region.middle().map(|(lat, lon)| WhereFound {
            name: format!("{lat:.4}, {lon:.4}"),
            geonameid: None,
            lat,
            lon,
        }),
        None => None,
    };
    let because = match search.ask.region.is_some() {
        true => "it was given",
        false => &*question.because,
    };
    Understood {
        words: question.words.clone(),
        location: given.or_else(|| question.location.as_ref().map(location_found)),
        because: because.to_owned(),
        alternatives: question
            .alternatives
            .iter()
            .copied()
            .map(place_found)
            .collect(),
        did_you_mean: did_you_mean(search, question, n_pages),
        lacks_home: question.is_near && question.location.is_none() && search.ask.home.is_none(),
        asks_nothing: !search.asks_something(),
    }
}

/// What may have been meant, where a place was looked for and none was read.
fn did_you_mean(search: &Search<'_>, question: &Question, n_pages: u64) -> Vec<Suggested> {
    let is_clear = question.location.is_some() || search.region.is_some();
    if is_clear || search.ask.words_only {
        return Vec::new();
    }
    let doubt = match n_pages == 0 || search.takes_any_word {
        true => Doubt::Anywhere,
        false => Doubt::Led,
    };
    let gazetteer = Gazetteer::built_in();
    let suggestions = READER.suggest(&search.ask.query, doubt).into_iter();
    let suggested = suggestions.map(|suggestion| Suggested {
        query: suggestion.query,
        name: gazetteer.describe(suggestion.place),
        geonameid: gazetteer.place(suggestion.place).geonameid,
    });
    suggested.collect()
}

fn place_found(id: PlaceId) -> WhereFound {
    let gazetteer = Gazetteer::built_in();
    let place = gazetteer.place(id);
    WhereFound {
        name: gazetteer.describe(id),
        geonameid: Some(place.geonameid),
        lat: f64::from(place.lat),
        lon: f64::from(place.lon),
    }
}

fn location_found(location: &Location) -> WhereFound {
    match location {
        Location::Place(place) => place_found(*place),
        Location::Address { lat, lon, text, .. } | Location::Postcode { lat, lon, text, .. } => {
            WhereFound {
                name: text.clone(),
                geonameid: None,
                lat: *lat,
                lon: *lon,
            }
        }
    }
}

fn widened(search: &Search<'_>) -> Option<String> {
    let gazetteer = Gazetteer::built_in();
    match (search.reach, search.region.as_ref()?) {
        (Reach::Place, _) => None,
        (Reach::Anywhere, _) => {
            Some("pages about anywhere that have all of these words".to_owned())
        }
        (Reach::Regardless, _) => Some("pages about anywhere".to_owned()),
        (Reach::Around, Region::About(place)) => {
            Some(format!("around {}", gazetteer.place(*place).name))
        }
        (Reach::Parent, _) => {
            let outer = gazetteer.describe(search.outer()?);
            Some(format!("all of {outer}"))
        }
        _ => Some("further around".to_owned()),
    }
}

/// Paths that were shown: putting one together takes as long as looking at a
/// hundred pages.
static PATHS: LazyLock<RwLock<Numbered<u32, Option<Arc<str>>>>> = LazyLock::new(RwLock::default);

/// The path of the place with this GeoNames id.
fn path_of_geonameid(geonameid: u32) -> Option<Arc<str>> {
    let known = PATHS.read().unwrap_or_else(PoisonError::into_inner);
    if let Some(path) = known.get(&geonameid) {
        return path.clone();
    }
    drop(known);
    let place = Gazetteer::built_in().by_geonameid(geonameid);
    let path: Option<Arc<str>> = place.map(|place| Gazetteer::built_in().path(place).into());
    let mut known = PATHS.write().unwrap_or_else(PoisonError::into_inner);
    known.insert(geonameid, path.clone());
    path
}

/// The most frequent values, by name.
fn facets(look: &Look, counts: &Counts) -> Result<Facets, TantivyError> {
    let mut places: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for (n, place) in most(counts.places.iter().map(|(place, n)| (*n, *place))) {
        if let Some(path) = path_of_geonameid(place) {
            *places.entry(path).or_default() += n;
        }
    }
    let mut hosts: BTreeMap<Arc<str>, u32> = BTreeMap::new();
    for (n, page) in most(counts.sites.values().copied()) {
        hosts.insert(look.host(page)?, n);
    }
    Ok(Facets {
        places: counted(places),
        hosts: counted(hosts),
        languages: counted(counts.languages.clone()),
        is_estimate: counts.is_estimate,
    })
}

/// Values that are named; a few more than are shown, since towns of one name
/// in one state share a path.
const MOST_NAMED: usize = MOST_COUNTS + 10;

fn most<V: Ord>(counts: impl Iterator<Item = (u32, V)>) -> Vec<(u32, V)> {
    let mut counts: Vec<(u32, V)> = counts.collect();
    if counts.len() > MOST_NAMED {
        counts.select_nth_unstable_by(MOST_NAMED, |a, b| b.cmp(a));
        counts.truncate(MOST_NAMED);
    }
    counts
}

/// The most frequent ones; of equal ones the first by name.
fn counted<N: AsRef<str> + Ord>(counts: BTreeMap<N, u32>) -> Vec<Count> {
    let mut counts: Vec<(N, u32)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, n)| Reverse(*n));
    counts.truncate(MOST_COUNTS);
    let count = |(name, n_pages): (N, u32)| Count {
        name: name.as_ref().to_owned(),
        n_pages: n_pages.into(),
    };
    counts.into_iter().map(count).collect()
}
