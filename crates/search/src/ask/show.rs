//! What an answer consists of.

use super::plan::{Reach, parent};
use super::{MAX_HITS, MAX_OFFSET, Search};
use crate::gather::{Found, Gathered};
use crate::index::{Point, Share, facet, name};
use crate::region::Region;
use crate::snippet::{self, Snippet};
use crate::syntax::Wish;
use crate::words::Cutter;
use place::gazetteer::{Gazetteer, PlaceId};
use place::question::{Location, Question};
use place::sphere::kilometres;
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};
use tantivy::{Searcher, TantivyError};

/// Pages of one host among ten hits.
const MOST_OF_HOST: usize = 2;

/// What a page of another host needs of the score of one that it is shown
/// instead of: what hardly answers is no variety.
const LEAST_INSTEAD: f32 = 0.5;

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
    /// Pages that match; with phrases, where they are many, pages that have
    /// their words.
    pub n_pages: u64,
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
    /// Where it is about, the most first: `Houston, Texas, United States`.
    pub places: Vec<String>,
    /// The first address on it.
    pub address: Option<String>,
    /// Degrees north of what it is about.
    pub lat: Option<f64>,
    /// Degrees east of what it is about.
    pub lon: Option<f64>,
    /// Kilometres from what was asked for.
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
    let searcher = search.index.reader.searcher();
    let offset = search.ask.offset.min(MAX_OFFSET);
    let n_hits = search.ask.n_hits.min(MAX_HITS);
    let mut n_pages = gathered.n_pages;
    let mut best = gathered.best;
    if search.wishes.has_phrases() {
        // Some are copies, or too many of one host.
        let n_wanted = (offset + n_hits) * 2;
        let n_had = best.len();
        best = with_phrases(search, &searcher, best, n_wanted, cutter)?;
        let is_all = n_had as u64 == n_pages && n_had <= MOST_READ && best.len() < n_wanted;
        n_pages = if is_all { best.len() as u64 } else { n_pages };
    }
    let best = diverse(&searcher, best, offset + n_hits)?;
    let stems = stems(search);
    let mut hits = Vec::with_capacity(n_hits);
    for found in best.iter().skip(offset) {
        hits.push(hit(search, &searcher, found, &stems, cutter)?);
    }
    Ok(Answer {
        understood: understood(search, question),
        widened: widened(search),
        takes_any_word: search.takes_any_word,
        n_pages,
        hits,
        facets: Facets {
            places: counts(gathered.places),
            hosts: counts(gathered.hosts),
            languages: counts(gathered.languages),
        },
        as_of: search.ask.as_of.unwrap_or_else(|| {
            let n_visits = search.index.n_visits();
            n_visits.saturating_sub(1)
        }),
    })
}

/// Pages in which the words of phrases stand in their order: in the text, or
/// in the title.
fn with_phrases(
    search: &Search<'_>,
    searcher: &Searcher,
    found: Vec<Found>,
    n_wanted: usize,
    cutter: &mut Cutter,
) -> Result<Vec<Found>, TantivyError> {
    let mut kept = Vec::new();
    for found in found.into_iter().take(MOST_READ) {
        if kept.len() == n_wanted {
            break;
        }
        let stored = search.index.fields.read(&searcher.doc(found.address)?);
        let language = &language_of(searcher, &found)?;
        let title = cutter.stems(&stored.title, language);
        let text = cutter.stems(&stored.text, language);
        // What no word is stands between the two.
        let stems = title.split(' ').chain([""]).chain(text.split(' '));
        let stems: Vec<&str> = stems.collect();
        if search.wishes.phrases_hold(&stems) {
            kept.push(found);
        }
    }
    Ok(kept)
}

/// Pages that are read for a phrase.
const MOST_READ: usize = 300;

/// The best pages without copies of each other, and of no host too many at once.
fn diverse(searcher: &Searcher, found: Vec<Found>, n: usize) -> Result<Vec<Found>, TantivyError> {
    let mut groups = HashSet::new();
    let mut waiting: Vec<(Found, u64)> = Vec::new();
    for found in found {
        if waiting.len() == n * 3 {
            break;
        }
        if groups.insert(found.group) {
            waiting.push((found, host_of(searcher, &found)?));
        }
    }
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
    }
    Ok(best.into_iter().map(|(found, _)| found).collect())
}

fn language_of(searcher: &Searcher, found: &Found) -> Result<String, TantivyError> {
    text_of(searcher, found, name::LANGUAGE)
}

/// A number for a page's host, the same in all segments.
fn host_of(searcher: &Searcher, found: &Found) -> Result<u64, TantivyError> {
    let host = text_of(searcher, found, name::HOST)?;
    Ok(xxhash_rust::xxh3::xxh3_64(host.as_bytes()))
}

/// The first value of a page's field; empty if there is none.
fn text_of(searcher: &Searcher, found: &Found, field: &str) -> Result<String, TantivyError> {
    let segment = searcher.segment_reader(found.address.segment_ord);
    let mut text = String::new();
    if let Some(column) = segment.fast_fields().str(field)?
        && let Some(ord) = column.term_ords(found.address.doc_id).next()
    {
        column.ord_to_str(ord, &mut text)?;
    }
    Ok(text)
}

/// All stems that were asked for.
fn stems(search: &Search<'_>) -> HashSet<String> {
    let wishes = search.wishes.wanted.iter().flatten();
    let stems = wishes.flat_map(|wish| match wish {
        Wish::Word(stems) | Wish::Prefix(stems) => stems.clone(),
        Wish::Phrase(readings) => readings.concat(),
    });
    stems.collect()
}

fn hit(
    search: &Search<'_>,
    searcher: &Searcher,
    found: &Found,
    stems: &HashSet<String>,
    cutter: &mut Cutter,
) -> Result<Hit, TantivyError> {
    let stored = search.index.fields.read(&searcher.doc(found.address)?);
    let fast = searcher
        .segment_reader(found.address.segment_ord)
        .fast_fields();
    let doc = found.address.doc_id;
    let shares = fast.u64(name::SHARE)?;
    let points = fast.u64(name::POINT)?;
    let shares: Vec<Share> = shares.values_for_doc(doc).map(Share::unpack).collect();
    let points: Vec<Point> = points.values_for_doc(doc).map(Point::unpack).collect();
    let language = language_of(searcher, found)?;
    let snippet = snippet::best(cutter, &stored.text, &language, stems);
    let (spot, distance_km) = spot(search, &shares, &points);
    Ok(Hit {
        title: stored.title,
        snippet,
        places: places(&shares),
        address: stored.addresses.into_iter().next(),
        lat: spot.map(|(lat, _)| lat),
        lon: spot.map(|(_, lon)| lon),
        distance_km,
        fetched: fast.u64(name::AT)?.first(doc).unwrap_or(0),
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

/// What a page is about by itself, the most first.
pub(crate) fn places(shares: &[Share]) -> Vec<String> {
    let gazetteer = Gazetteer::built_in();
    let mut own: Vec<&Share> = shares.iter().filter(|share| share.own > 0.0).collect();
    own.sort_by(|a, b| b.own.total_cmp(&a.own));
    let known = own
        .iter()
        .filter_map(|share| gazetteer.by_geonameid(share.place));
    known.take(3).map(|id| gazetteer.describe(id)).collect()
}

/// Where a page is on the map, of its places the one nearest to what was asked
/// for, and how far that is.
fn spot(
    search: &Search<'_>,
    shares: &[Share],
    points: &[Point],
) -> (Option<(f64, f64)>, Option<f64>) {
    let gazetteer = Gazetteer::built_in();
    let of_share = |share: &Share| {
        let place = gazetteer.place(gazetteer.by_geonameid(share.place)?);
        let is_town = place.kind.is_settlement();
        is_town.then_some((f64::from(place.lat), f64::from(place.lon)))
    };
    let mut spots: Vec<(f64, f64)> = points
        .iter()
        .map(|point| (f64::from(point.lat), f64::from(point.lon)))
        .collect();
    if spots.is_empty() {
        spots.extend(
            shares
                .iter()
                .filter(|share| share.own > 0.0)
                .filter_map(of_share),
        );
    }
    let Some(asked) = middle(search.region.as_ref()) else {
        return (spots.first().copied(), None);
    };
    let distances = spots
        .into_iter()
        .map(|spot| (kilometres(asked, spot), spot));
    let nearest = distances.min_by(|a, b| a.0.total_cmp(&b.0));
    (nearest.map(|(_, spot)| spot), nearest.map(|(km, _)| km))
}

fn middle(region: Option<&Region>) -> Option<(f64, f64)> {
    match region? {
        Region::About(place) | Region::Within(place) => {
            let place = Gazetteer::built_in().place(*place);
            Some((f64::from(place.lat), f64::from(place.lon)))
        }
        Region::Near { lat, lon, .. } => Some((*lat, *lon)),
        Region::Inside(area) => area.middle().map(|(lat, lon, _)| (lat, lon)),
    }
}

fn understood(search: &Search<'_>, question: &Question) -> Understood {
    let given = match &search.ask.region {
        Some(Region::About(place) | Region::Within(place)) => Some(place_found(*place)),
        Some(region) => middle(Some(region)).map(|(lat, lon)| WhereFound {
            name: format!("{lat:.4}, {lon:.4}"),
            geonameid: None,
            lat,
            lon,
        }),
        None => None,
    };
    let because = match given.is_some() {
        true => "it was given",
        false => question.because,
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
    }
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
        (Reach::Anywhere, _) => Some("pages about anywhere".to_owned()),
        (Reach::Around, Region::About(place)) => {
            Some(format!("around {}", gazetteer.place(*place).name))
        }
        (Reach::Parent, Region::About(place)) => {
            Some(format!("all of {}", gazetteer.describe(parent(*place)?)))
        }
        _ => Some("further around".to_owned()),
    }
}

/// The path of a place in the tree that pages are filed in.
pub(crate) fn path_of(place: PlaceId) -> String {
    facet(Gazetteer::built_in(), place).to_path_string()
}

fn counts(counts: BTreeMap<String, u64>) -> Vec<Count> {
    let mut counts: Vec<Count> = counts
        .into_iter()
        .map(|(name, n_pages)| Count { name, n_pages })
        .collect();
    counts.sort_by(|a, b| b.n_pages.cmp(&a.n_pages).then_with(|| a.name.cmp(&b.name)));
    counts.truncate(MOST_COUNTS);
    counts
}
