//! Which pages are looked at, as a query of the index.

use super::Search;
use crate::any_of::AnyOf;
use crate::best_of::BestOf;
use crate::index::Fields;
use crate::region::Region;
use crate::syntax::Wish;
use place::cell;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use tantivy::Term;
use tantivy::query::{
    AllQuery, BooleanQuery, ConstScoreQuery, FuzzyTermQuery, Occur, Query, TermQuery,
};
use tantivy::schema::IndexRecordOption;

/// How far around a place is looked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reach {
    /// In it, and in what it lies in as a whole.
    Place,
    /// In places around it too.
    Around,
    /// Anywhere in what it lies in.
    Parent,
    /// On the whole earth, with the place's name as words like any other.
    Anywhere,
}

/// Kilometres around a place.
const AROUND: f64 = 40.0;

impl Reach {
    /// What pages are judged by.
    pub(super) fn region(self, region: Option<&Region>) -> Option<Region> {
        match (self, region) {
            (Reach::Anywhere, _) => None,
            (Reach::Parent, Some(Region::About(place))) => {
                let parent = parent(*place).unwrap_or(*place);
                Some(Region::About(parent))
            }
            (Reach::Around | Reach::Parent, Some(Region::Near { lat, lon, .. })) => {
                Some(Region::Near {
                    lat: *lat,
                    lon: *lon,
                    kilometres: AROUND,
                })
            }
            (_, region) => region.cloned(),
        }
    }
}

/// The state or so that a place lies in, or its country.
pub(super) fn parent(place: PlaceId) -> Option<PlaceId> {
    let gazetteer = Gazetteer::built_in();
    let mut outer = gazetteer.chain(place).filter(|outer| *outer != place);
    outer.find(|outer| matches!(gazetteer.kind(*outer), Kind::Division1 | Kind::Country))
}

/// The pages to look at.
pub(super) fn pages(search: &Search<'_>) -> BooleanQuery {
    let fields = &search.look.fields;
    let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
    let words = words(search);
    clauses.push((Occur::Must, words));
    let is_word = |wish: &&Wish| !matches!(wish, Wish::Phrase(_));
    for wish in search.wishes.forbidden.iter().filter(is_word) {
        clauses.push((Occur::MustNot, wish_query(fields, wish)));
    }
    if let Some(places) = places(fields, search) {
        clauses.push((Occur::Must, silent(places)));
    }
    let texts = [
        (fields.language, search.ask.language.as_ref()),
        (fields.host, search.ask.host.as_ref()),
    ];
    for (field, text) in texts {
        if let Some(text) = text {
            let term = Term::from_field_text(field, &text.to_lowercase());
            let query = TermQuery::new(term, IndexRecordOption::Basic);
            clauses.push((Occur::Must, silent(Box::new(query))));
        }
    }
    BooleanQuery::new(clauses)
}

/// A condition that says nothing about how good a page is.
fn silent(query: Box<dyn Query>) -> Box<dyn Query> {
    Box::new(ConstScoreQuery::new(query, 0.0))
}

/// Pages with enough of the words; all of them where there are none.
fn words(search: &Search<'_>) -> Box<dyn Query> {
    let fields = &search.look.fields;
    let any_of = |wishes: &Vec<Wish>| {
        let queries = wishes.iter().map(|wish| wish_query(fields, wish));
        best_of(queries.collect())
    };
    let wanted: Vec<Box<dyn Query>> = search.wishes.wanted.iter().map(any_of).collect();
    let n_needed = match search.takes_any_word {
        true => 1,
        false => search.wishes.n_needed(),
    };
    match wanted.len() {
        0 => Box::new(AllQuery),
        // Counting how many are met takes longer than meeting them all.
        n if n == n_needed => Box::new(BooleanQuery::intersection(wanted)),
        _ => Box::new(BooleanQuery::union_with_minimum_required_clauses(
            wanted, n_needed,
        )),
    }
}

fn best_of(mut queries: Vec<Box<dyn Query>>) -> Box<dyn Query> {
    match queries.len() {
        1 => queries.remove(0),
        _ => Box::new(BestOf(queries)),
    }
}

fn wish_query(fields: &Fields, wish: &Wish) -> Box<dyn Query> {
    let term = |stem: &String| Term::from_field_text(fields.text, stem);
    let word = |stem: &String| {
        let query = TermQuery::new(term(stem), IndexRecordOption::WithFreqs);
        Box::new(query) as Box<dyn Query>
    };
    let begins = |stem: &String| {
        let query = FuzzyTermQuery::new_prefix(term(stem), 0, true);
        Box::new(query) as Box<dyn Query>
    };
    match wish {
        Wish::Word(stems) => best_of(stems.iter().map(word).collect()),
        Wish::Prefix(stems) => best_of(stems.iter().map(begins).collect()),
        // All its words; in which order is looked up in the archive.
        Wish::Phrase(readings) => {
            let all = |stems: &Vec<String>| {
                let words = stems.iter().map(word).collect();
                Box::new(BooleanQuery::intersection(words)) as Box<dyn Query>
            };
            best_of(readings.iter().map(all).collect())
        }
    }
}

/// Pages that may have to do with the region; none if that may be any.
fn places(fields: &Fields, search: &Search<'_>) -> Option<Box<dyn Query>> {
    let geonameid = |place: PlaceId| u64::from(Gazetteer::built_in().place(place).geonameid);
    let within = |place: PlaceId| Term::from_field_u64(fields.within, geonameid(place));
    let about = |place: PlaceId| Term::from_field_u64(fields.about, geonameid(place));
    let cell = |cell: u64| Term::from_field_u64(fields.cell, cell);
    let region = search.reach.region(search.region.as_ref())?;
    let terms: Vec<Term> = match region {
        Region::Within(place) => vec![within(place)],
        Region::About(place) => {
            let is_widest = search.reach == Reach::Parent;
            let outer = parent(place).filter(|_| !is_widest);
            let mut terms = vec![within(place)];
            terms.extend(outer.map(about));
            if search.reach == Reach::Around {
                terms.extend(around(place).into_iter().flatten().map(cell));
            }
            terms
        }
        Region::Near {
            lat,
            lon,
            kilometres,
        } => {
            let cells = cell::cells_within(lat, lon, kilometres)?;
            cells.into_iter().map(cell).collect()
        }
        Region::Inside(area) => {
            let (lat, lon, reach) = area.middle()?;
            let cells = cell::cells_within(lat, lon, reach)?;
            cells.into_iter().map(cell).collect()
        }
    };
    Some(Box::new(AnyOf::new(terms, &search.look.maps)))
}

fn around(place: PlaceId) -> Option<Vec<u64>> {
    let place = Gazetteer::built_in().place(place);
    match place.kind.is_settlement() {
        true => cell::cells_within(f64::from(place.lat), f64::from(place.lon), AROUND),
        false => None,
    }
}
