//! What answers look like on the wire.
//!
//! The fields are a contract: they are added to, never renamed. Those of a
//! search are the ones that `locavore search --json` writes.

use search::ask;
use search::page::PageRecord;
use serde::Serialize;
use utoipa::ToSchema;

/// Bytes of a page's text that are sent.
const MOST_TEXT: usize = 64 << 10;

/// An answer to a question.
#[derive(Serialize, ToSchema)]
pub(super) struct Answer {
    /// How the query was read.
    understood: Understood,
    /// Where was looked beyond the place, as there was too little in it.
    widened: Option<String>,
    /// No page has enough of the words; these have some.
    takes_any_word: bool,
    /// Pages that match; of phrases those that were found, where not all pages
    /// with their words were read.
    n_pages: u64,
    /// How far phrases were looked for, if not in all pages that have their words.
    partly_read: Option<PartlyRead>,
    /// The best of them.
    hits: Vec<Hit>,
    /// Where all that match are from.
    facets: Facets,
    /// Given back with the same question and a `skip`, what is found in the
    /// meantime does not move the next hits.
    as_of: u64,
}

/// Where more pages have the words of a phrase than were read for it.
#[derive(Serialize, ToSchema)]
struct PartlyRead {
    /// Pages that were read, the best ones.
    n_read: u64,
    /// Pages that have the words.
    n_with_words: u64,
}

/// How a query was read.
#[derive(Serialize, ToSchema)]
struct Understood {
    /// The words, without the location.
    words: String,
    /// Where.
    location: Option<WhereFound>,
    /// Why there.
    because: String,
    /// Other places of that name.
    alternatives: Vec<WhereFound>,
    /// Where no place was read: what may have been meant.
    did_you_mean: Vec<Suggested>,
    /// It asks for what is near the person, and `home` was not given.
    lacks_home: bool,
    /// There is nothing to look for: no word that a page must have, and no place.
    asks_nothing: bool,
}

/// A query as it may have been meant.
#[derive(Serialize, ToSchema)]
struct Suggested {
    /// The query with a name put right: `hotels near Chicago`.
    query: String,
    /// The place it then names: `Chicago, Illinois, United States`.
    name: String,
    /// GeoNames id of that place.
    geonameid: u32,
}

/// A place or a point.
#[derive(Serialize, ToSchema)]
struct WhereFound {
    /// For people: `Houston, Texas, United States`.
    name: String,
    /// GeoNames id, where it is a place.
    geonameid: Option<u32>,
    /// Degrees north.
    lat: f64,
    /// Degrees east.
    lon: f64,
}

/// A page that answers.
#[derive(Serialize, ToSchema)]
struct Hit {
    /// Its canonical address.
    url: String,
    /// Its title; may be empty.
    title: String,
    /// What of it answers.
    snippet: Snippet,
    /// Where it is about, what answers first, then the most:
    /// `Houston, Texas, United States`.
    places: Vec<String>,
    /// The address on it that answers; where no place was asked for, the first.
    address: Option<String>,
    /// Degrees north of the address, or of the first of the places.
    lat: Option<f64>,
    /// Degrees east of the same.
    lon: Option<f64>,
    /// What these are: `page` for the page's own, `postcode` or `place` for the
    /// middle of one.
    precision: Option<&'static str>,
    /// Kilometres from there to the town or point that was asked for.
    distance_km: Option<f64>,
    /// When it was fetched, in milliseconds since 1970.
    fetched: u64,
    /// How well it answers; comparable within one answer only.
    score: f32,
    /// What its score is made of, if that was asked for.
    explained: Option<Explained>,
}

/// A passage of a page.
#[derive(Serialize, ToSchema)]
struct Snippet {
    /// The passage.
    text: String,
    /// Bytes of it, in UTF-8, that were asked for.
    marks: Vec<Mark>,
}

/// A range of bytes.
#[derive(Serialize, ToSchema)]
struct Mark {
    start: usize,
    end: usize,
}

/// What a score is made of: the product of the three.
#[derive(Serialize, ToSchema)]
struct Explained {
    /// BM25F of the words.
    text: f32,
    /// How well its places fit, from 0 to 1.
    geography: f32,
    /// Why they do.
    because: String,
    /// A little more than one for pages that others link to.
    status: f32,
}

/// Where all pages that match are from.
#[derive(Serialize, ToSchema)]
struct Facets {
    /// `/Earth/US/Texas/Houston`.
    places: Vec<Count>,
    hosts: Vec<Count>,
    /// Two letters each.
    languages: Vec<Count>,
    /// Of very many pages only some were asked; the counts stand for all.
    is_estimate: bool,
}

/// A value and its pages.
#[derive(Serialize, ToSchema)]
struct Count {
    name: String,
    n_pages: u64,
}

/// The places under a path that have pages, most first.
#[derive(Serialize, ToSchema)]
pub(super) struct Places {
    /// The path, e.g. `/Earth/US`.
    pub(super) path: String,
    pub(super) places: Vec<PlaceNode>,
}

/// A place with pages filed under it.
#[derive(Serialize, ToSchema)]
pub(super) struct PlaceNode {
    /// Its path from the root, e.g. `/Earth/US/Texas`.
    pub(super) path: String,
    /// Pages about it or anything inside.
    pub(super) pages: u64,
    /// What lies in it, as deep as was asked for.
    #[schema(no_recursion)]
    pub(super) places: Vec<PlaceNode>,
}

/// What is known of one page.
#[derive(Serialize, ToSchema)]
pub(super) struct Page {
    /// Its canonical address.
    url: String,
    /// Its title; may be empty.
    title: String,
    /// When it was fetched, in milliseconds since 1970.
    fetched: u64,
    /// Two letters, where it is known.
    language: Option<String>,
    /// Where it is about, the most first.
    places: Vec<String>,
    /// Addresses on it, as it has them.
    addresses: Vec<String>,
    /// Its text, the first 64 KiB of it, if the archive has it.
    text: Option<String>,
    /// Whether there is more of it.
    is_cut: bool,
}

/// A text or a page to find places in.
#[derive(ToSchema)]
#[expect(
    dead_code,
    reason = "only described: the bytes are read as `geoparse --jsonl` reads them"
)]
pub(super) struct Document {
    /// Given back with what is found.
    id: Option<serde_json::Value>,
    /// Plain text.
    text: Option<String>,
    /// HTML, in place of `text`.
    html: Option<String>,
    /// Where it is from.
    url: Option<String>,
}

/// Everything is well.
#[derive(Serialize, ToSchema)]
pub(super) struct Health {
    pub(super) status: &'static str,
    /// Pages that can be found.
    pub(super) pages: u64,
    /// Visits of the log that are covered.
    pub(super) visits: u64,
}

impl From<ask::Answer> for Answer {
    fn from(answer: ask::Answer) -> Answer {
        let ask::Answer {
            understood,
            widened,
            takes_any_word,
            n_pages,
            partly_read,
            hits,
            facets,
            as_of,
        } = answer;
        Answer {
            understood: understood.into(),
            widened,
            takes_any_word,
            n_pages,
            partly_read: partly_read.map(PartlyRead::from),
            hits: all(hits),
            facets: Facets {
                places: all(facets.places),
                hosts: all(facets.hosts),
                languages: all(facets.languages),
                is_estimate: facets.is_estimate,
            },
            as_of,
        }
    }
}

impl From<ask::PartlyRead> for PartlyRead {
    fn from(read: ask::PartlyRead) -> PartlyRead {
        let ask::PartlyRead {
            n_read,
            n_with_words,
        } = read;
        PartlyRead {
            n_read,
            n_with_words,
        }
    }
}

impl From<ask::Understood> for Understood {
    fn from(understood: ask::Understood) -> Understood {
        let ask::Understood {
            words,
            location,
            because,
            alternatives,
            did_you_mean,
            lacks_home,
            asks_nothing,
        } = understood;
        Understood {
            words,
            location: location.map(WhereFound::from),
            because,
            alternatives: all(alternatives),
            did_you_mean: all(did_you_mean),
            lacks_home,
            asks_nothing,
        }
    }
}

impl From<ask::Suggested> for Suggested {
    fn from(suggested: ask::Suggested) -> Suggested {
        let ask::Suggested {
            query,
            name,
            geonameid,
        } = suggested;
        Suggested {
            query,
            name,
            geonameid,
        }
    }
}

impl From<ask::WhereFound> for WhereFound {
    fn from(found: ask::WhereFound) -> WhereFound {
        let ask::WhereFound {
            name,
            geonameid,
            lat,
            lon,
        } = found;
        WhereFound {
            name,
            geonameid,
            lat,
            lon,
        }
    }
}

impl From<ask::Hit> for Hit {
    fn from(hit: ask::Hit) -> Hit {
        let mark = |mark: std::ops::Range<usize>| Mark {
            start: mark.start,
            end: mark.end,
        };
        Hit {
            url: hit.url,
            title: hit.title,
            snippet: Snippet {
                text: hit.snippet.text,
                marks: hit.snippet.marks.into_iter().map(mark).collect(),
            },
            places: hit.places,
            address: hit.address,
            lat: hit.lat,
            lon: hit.lon,
            precision: hit.precision,
            distance_km: hit.distance_km,
            fetched: hit.fetched,
            score: hit.score,
            explained: hit.explained.map(|explained| Explained {
                text: explained.text,
                geography: explained.geography,
                because: explained.because.to_owned(),
                status: explained.status,
            }),
        }
    }
}

impl From<ask::Count> for Count {
    fn from(count: ask::Count) -> Count {
        let ask::Count { name, n_pages } = count;
        Count { name, n_pages }
    }
}

impl From<PageRecord> for Page {
    fn from(page: PageRecord) -> Page {
        let is_cut = page
            .text
            .as_ref()
            .is_some_and(|text| text.len() > MOST_TEXT);
        let cut = |mut text: String| {
            text.truncate(text.floor_char_boundary(MOST_TEXT));
            text
        };
        Page {
            url: page.url,
            title: page.title,
            fetched: page.fetched,
            language: page.language,
            places: page.places,
            addresses: page.addresses,
            text: page.text.map(cut),
            is_cut,
        }
    }
}

fn all<A, B: From<A>>(list: Vec<A>) -> Vec<B> {
    list.into_iter().map(B::from).collect()
}
