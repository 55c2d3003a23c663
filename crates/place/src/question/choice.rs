//! Chooses between places of one name.
//!
//! A place attracts as in a gravity model: by its people, and less the
//! farther it is from the reader's home. What the collection holds adds to
//! it, on a log scale; a few pages say nothing, or those that mention Lisbon,
//! Maine in passing would make it of every Lisbon.

use super::Helps;
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use crate::sphere::kilometres;

/// Only so many of the foremost places are held against home and collection.
const MAX_WEIGHED: usize = 24;

/// People of a place that is known and has none: a sea, a mountain.
const PEOPLE_OF_NOWHERE: f64 = 1_000.0;
/// A division has the people of all its cities; by name it is known as a
/// city of a tenth of them would be.
const DIVISION: f64 = -1.0;
const COUNTY: f64 = -1.5;
const SECOND_NAME: f64 = -1.5;
/// WordNet has it: worth three times the people.
const WIDELY_KNOWN: f64 = 0.5;
/// Within so many kilometres a place is no nearer.
const AT_HOME: f64 = 20.0;
/// Ten times the pages are worth forty times the people.
const PAGES: f64 = 1.6;
/// So many pages may be there in passing, or by mistake.
const STRAY_PAGES: u64 = 35;

/// The place that is meant, others that may be, and why.
#[derive(Debug)]
pub(super) struct Choice {
    pub(super) place: PlaceId,
    /// Likeliest first.
    pub(super) others: Vec<PlaceId>,
    pub(super) because: &'static str,
}

struct Weighed {
    id: PlaceId,
    fame: f64,
    distance: f64,
    pages: f64,
}

impl Weighed {
    fn with_home(&self) -> f64 {
        self.fame + self.distance
    }

    fn total(&self) -> f64 {
        self.with_home() + self.pages
    }
}

/// The likeliest of these places; none of none.
pub(super) fn choose(
    gazetteer: &Gazetteer,
    bearers: &[(PlaceId, Role)],
    helps: &Helps<'_>,
) -> Option<Choice> {
    let mut by_fame: Vec<(f64, PlaceId)> = bearers
        .iter()
        .map(|&(id, role)| (fame(gazetteer, id, role), id))
        .collect();
    by_fame.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    by_fame.truncate(MAX_WEIGHED);
    let is_only = by_fame.len() == 1;
    let weigh = |&(fame, id): &(f64, PlaceId)| Weighed {
        id,
        fame,
        distance: helps
            .home
            .map_or(0.0, |home| closeness(gazetteer, id, home)),
        pages: if is_only {
            0.0
        } else {
            let n_pages = (helps.holds)(id).saturating_sub(STRAY_PAGES);
            PAGES * (n_pages as f64).ln_1p() / std::f64::consts::LN_10
        },
    };
    let mut weighed: Vec<Weighed> = by_fame.iter().map(weigh).collect();
    // Stable: of equals the most famous stays first.
    let famous = weighed.first()?.id;
    weighed.sort_by(|a, b| b.with_home().total_cmp(&a.with_home()));
    let nearest = weighed.first()?.id;
    weighed.sort_by(|a, b| b.total().total_cmp(&a.total()));
    let place = weighed.first()?.id;
    let because = match place {
        _ if is_only => "the only one of that name",
        _ if place == famous => largest_or_best_known(gazetteer, place, bearers),
        _ if place == nearest => "it is near you",
        _ => "the collection has most pages there",
    };
    let others = weighed.iter().skip(1).map(|other| other.id);
    Some(Choice {
        place,
        others: others
            .filter(|&other| !is_county_around(gazetteer, other, place))
            .collect(),
        because,
    })
}

fn fame(gazetteer: &Gazetteer, id: PlaceId, role: Role) -> f64 {
    let is_eminent = gazetteer.synset(id).is_some();
    let people = f64::from(gazetteer.population(id));
    let people = if is_eminent {
        people.max(PEOPLE_OF_NOWHERE)
    } else {
        people + 1.0
    };
    let of_kind = match gazetteer.kind(id) {
        Kind::Country | Kind::Division1 => DIVISION,
        Kind::Division2 => COUNTY,
        _ => 0.0,
    };
    let of_role = if role == Role::Alias {
        SECOND_NAME
    } else {
        0.0
    };
    people.log10() + of_kind + of_role + if is_eminent { WIDELY_KNOWN } else { 0.0 }
}

fn closeness(gazetteer: &Gazetteer, id: PlaceId, home: (f64, f64)) -> f64 {
    let distance = kilometres(home, gazetteer.coordinates(id));
    -distance.max(AT_HOME).log10()
}

fn largest_or_best_known(
    gazetteer: &Gazetteer,
    place: PlaceId,
    bearers: &[(PlaceId, Role)],
) -> &'static str {
    let people = gazetteer.population(place);
    let is_larger = |&(id, _): &(PlaceId, Role)| gazetteer.population(id) > people;
    if bearers.iter().any(is_larger) {
        "the best known of that name"
    } else {
        "the largest of that name"
    }
}

/// Nobody who asks for a city wants to be offered its county.
fn is_county_around(gazetteer: &Gazetteer, county: PlaceId, city: PlaceId) -> bool {
    gazetteer.kind(county) == Kind::Division2 && gazetteer.chain(city).any(|above| above == county)
}
