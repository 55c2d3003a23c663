//! Which pages are looked at.

use super::Search;
use crate::index::Fields;
use crate::look::Look;
use crate::maps::Map;
use crate::region::Region;
use crate::scan::{Allowed, Scan, Scored, Wanted};
use crate::syntax::Wish;
use place::cell;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use tantivy::{SegmentOrdinal, TantivyError, Term};

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
    /// On the whole earth, for the words alone.
    Regardless,
}

/// Kilometres around a place.
const AROUND: f64 = 40.0;

impl Reach {
    /// What pages are judged by, given what the region lies in.
    pub(super) fn region(self, region: Option<&Region>, outer: Option<PlaceId>) -> Option<Region> {
        match (self, region?, outer) {
            (Reach::Anywhere | Reach::Regardless, ..) => None,
            (Reach::Around | Reach::Parent, Region::Near { lat, lon, .. }, None)
            | (Reach::Around, Region::Near { lat, lon, .. }, _) => Some(Region::Near {
                lat: *lat,
                lon: *lon,
                kilometres: AROUND,
            }),
            (Reach::Parent, asked, Some(outer)) => Some(Region::Widened {
                asked: Box::new(Reach::Around.region(Some(asked), None)?),
                outer,
            }),
            (_, region, _) => Some(region.clone()),
        }
    }
}

impl Search<'_> {
    /// What pages are judged by.
    pub(super) fn region_in_reach(&self) -> Option<Region> {
        self.reach.region(self.region.as_ref(), self.outer())
    }

    /// The state or so that is looked through where there is too little.
    pub(super) fn outer(&self) -> Option<PlaceId> {
        match self.region.as_ref()? {
            Region::About(place) => parent(*place),
            _ => parent(self.city?),
        }
    }
}

/// The state or so that a place lies in, or its country.
fn parent(place: PlaceId) -> Option<PlaceId> {
    let gazetteer = Gazetteer::built_in();
    let mut outer = gazetteer.chain(place).filter(|outer| *outer != place);
    outer.find(|outer| matches!(gazetteer.kind(*outer), Kind::Division1 | Kind::Country))
}

/// Which pages are looked at.
pub(super) struct Plan {
    words: Wanted,
    forbidden: Vec<Wanted>,
    /// Of these a page has any.
    places: Option<Vec<Term>>,
    /// And of each of these.
    conditions: Vec<Vec<Term>>,
}

impl Plan {
    pub(super) fn of(search: &Search<'_>) -> Plan {
        let fields = &search.look.fields;
        let is_word = |wish: &&Wish| !matches!(wish, Wish::Phrase(_));
        let forbidden = search.wishes.forbidden.iter().filter(is_word);
        let texts = [
            (fields.language, search.ask.language.as_ref()),
            (fields.host, search.ask.host.as_ref()),
        ];
        let texts = texts.into_iter().filter_map(|(field, text)| {
            let text = text?.to_lowercase();
            Some(vec![Term::from_field_text(field, &text)])
        });
        Plan {
            words: words(search),
            forbidden: forbidden.map(wanted).collect(),
            places: places(fields, search),
            conditions: texts.collect(),
        }
    }

    /// Finds the pages and shows them, segment by segment, with all that may
    /// have to do with the region.
    pub(super) fn run(
        &self,
        look: &Look,
        mut hear: impl FnMut(SegmentOrdinal, Vec<Scored>, Option<&Map>),
    ) -> Result<(), TantivyError> {
        let words = Scan::of(look, &self.words)?;
        let forbidden = self.forbidden.iter().map(|wanted| Scan::of(look, wanted));
        let forbidden: Vec<Scan> = forbidden.collect::<Result<_, _>>()?;
        for (nth, segment) in (0..).zip(look.searcher.segment_readers()) {
            let map = |terms: &Vec<Term>| look.maps.any_of(terms, segment);
            let places = self.places.as_ref().map(map).transpose()?;
            let conditions = self.conditions.iter().map(map);
            let conditions = conditions.collect::<Result<Vec<_>, _>>()?;
            let maps = places.iter().cloned().chain(conditions).collect();
            let allowed = Allowed::of(segment, look.segment(nth), maps);
            let mut found = words.find(nth, &allowed)?;
            for forbidden in &forbidden {
                forbidden.strike_out(nth, &allowed, &mut found)?;
            }
            hear(nth, found, places.as_deref());
        }
        Ok(())
    }
}

/// Enough of the words; anything where there are none.
fn words(search: &Search<'_>) -> Wanted {
    let any_of = |wishes: &Vec<Wish>| best(wishes.iter().map(wanted).collect());
    let mut words: Vec<Wanted> = search.wishes.wanted.iter().map(any_of).collect();
    let n_needed = match search.takes_any_word {
        true => 1,
        false => search.wishes.n_needed(),
    };
    match words.len() {
        0 => Wanted::Anything,
        1 => words.remove(0),
        _ => Wanted::Several(n_needed, words),
    }
}

fn best(mut parts: Vec<Wanted>) -> Wanted {
    match parts.len() {
        1 => parts.remove(0),
        _ => Wanted::Best(parts),
    }
}

fn wanted(wish: &Wish) -> Wanted {
    let any =
        |stems: &[String], of: fn(String) -> Wanted| best(stems.iter().cloned().map(of).collect());
    match wish {
        Wish::Word(stems) => any(stems, Wanted::Stem),
        Wish::Prefix(stems) => any(stems, Wanted::Begins),
        // All its words; in which order is looked up in the text.
        Wish::Phrase(readings) => {
            let all = |stems: &Vec<String>| {
                let words = stems.iter().cloned().map(Wanted::Stem);
                Wanted::Several(stems.len(), words.collect())
            };
            best(readings.iter().map(all).collect())
        }
    }
}

/// What pages have that may have to do with the region; none if any page may.
fn places(fields: &Fields, search: &Search<'_>) -> Option<Vec<Term>> {
    let region = search.region_in_reach()?;
    places_of(fields, search.reach, &region)
}

fn places_of(fields: &Fields, reach: Reach, region: &Region) -> Option<Vec<Term>> {
    let geonameid = |place: PlaceId| u64::from(Gazetteer::built_in().geonameid(place));
    let within = |place: PlaceId| Term::from_field_u64(fields.within, geonameid(place));
    let about = |place: PlaceId| Term::from_field_u64(fields.about, geonameid(place));
    let cell = |cell: u64| Term::from_field_u64(fields.cell, cell);
    Some(match region {
        Region::Within(place) => vec![within(*place)],
        Region::About(place) => {
            let mut terms = vec![within(*place)];
            terms.extend(parent(*place).map(about));
            if reach != Reach::Place {
                terms.extend(around(*place).into_iter().flatten().map(cell));
            }
            terms
        }
        Region::Near {
            lat,
            lon,
            kilometres,
        } => {
            let cells = cell::cells_within(*lat, *lon, *kilometres)?;
            cells.into_iter().map(cell).collect()
        }
        Region::Inside(area) => {
            let (lat, lon, reach) = area.middle()?;
            let cells = cell::cells_within(lat, lon, reach)?;
            cells.into_iter().map(cell).collect()
        }
        Region::Widened { asked, outer } => {
            let mut terms = places_of(fields, reach, asked)?;
            terms.push(within(*outer));
            terms
        }
    })
}

fn around(place: PlaceId) -> Option<Vec<u64>> {
    let place = Gazetteer::built_in().place(place);
    match place.kind.is_settlement() {
        true => cell::cells_within(f64::from(place.lat), f64::from(place.lon), AROUND),
        false => None,
    }
}
