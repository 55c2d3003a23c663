//! Signs that a name means one place and not another.

use super::signs::{KindSigns, Sink, signs};
use super::spots::Spot;
use crate::gazetteer::{Kind, Role};

signs! { NAMES:
    PEOPLE "many people",
    LARGEST "largest of its name",
    RANK "among the largest of its name",
    SHARE "larger than others of its name",
    BEHIND "much smaller than others of its name",
    BEHIND_COUNTRY "a country has the same name",
    BEHIND_METROPOLIS "a metropolis has the same name",
    BEHIND_WORDNET "WordNet has another place of its name",
    TINY "nobody lives there",
    CONTINENT "a continent",
    COUNTRY "a country",
    STATE "a state",
    COUNTY "a county",
    SECTION "part of a city",
    REGION "a region",
    ISLAND "an island",
    MOUNTAIN "a mountain",
    WATER "a river or lake",
    LANDMARK "a landmark",
    WORDNET "widely known: in WordNet",
    ALIAS "only a second name",
    DEMONYM "people or adjective of a place",
    CONTAINED "lies in the place named right behind it",
    CONTAINED_BEHIND "lies in the place named right behind it, but others are far larger",
    NOT_CONTAINED "does not lie in the place named right behind it",
    BESIDE_STATE "beside the word `state`, a state",
    BESIDE_CITY "beside the word `city`, a city",
    COUNTRY_SHARE "much on the page is in its country",
    COUNTRY_MASS "places of its country are on the page",
    STATE_SHARE "much on the page is in its state",
    STATE_MASS "places of its state are on the page",
    NEAR_SHARE "much on the page is near it",
    NEAR_MASS "places near it are on the page",
    STATE_NAMED "its state is named on the page",
    COUNTRY_NAMED "its country is named on the page",
    IN_ADDRESS "an address on the page lies in it",
    CITY_AND_STATE_NAMED "a city whose state is named",
    SMALL_AND_NEAR "a small place near others",
    SMALL_AND_FAR "a small place, and nothing near it",
}

const KINDS: KindSigns = [
    CONTINENT, COUNTRY, STATE, COUNTY, SECTION, REGION, ISLAND, MOUNTAIN, WATER, LANDMARK,
];

/// What the name's own surroundings say about the place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Hints {
    /// The place named right after it contains this one; `None` where none is named.
    pub(super) contained: Option<bool>,
    pub(super) beside_state: bool,
    pub(super) beside_city: bool,
}

/// How a place stands among those of its name.
#[derive(Debug, Clone, Copy)]
pub(super) struct Standing {
    pub(super) role: Role,
    /// Zero for the largest.
    pub(super) rank: usize,
    /// How far it is ahead of the next one of its name, or behind the first.
    pub(super) share: f32,
    /// How far it is behind the largest one.
    pub(super) behind: f32,
    /// It is far smaller than a city of a million of the same name.
    pub(super) behind_metropolis: bool,
    /// A country has the same name.
    pub(super) behind_country: bool,
    /// The largest one is in WordNet, and this one is not.
    pub(super) behind_wordnet: bool,
}

/// How much of the rest of the page lies around a place.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Support {
    pub(super) country: f32,
    pub(super) state: f32,
    pub(super) near: f32,
    pub(super) state_named: f32,
    pub(super) country_named: f32,
    pub(super) in_address: f32,
    /// Everything there is.
    pub(super) total: f32,
}

impl Support {
    /// Whether nothing else on the page is in its state or near it.
    pub(super) fn is_far(&self) -> bool {
        self.state + self.near + self.in_address <= 0.0
    }

    /// Takes back what another place of the same name has added.
    pub(super) fn take_away(&mut self, spot: &Spot, other: &Spot, mass: f32, is_near: bool) {
        if other.country == spot.country {
            self.country = (self.country - mass).max(0.0);
            if other.kind == Kind::Country {
                self.country_named = (self.country_named - mass).max(0.0);
            }
        }
        if matches!(other.kind, Kind::Country | Kind::Continent) {
            return;
        }
        if other.state == spot.state {
            self.state = (self.state - mass).max(0.0);
            if other.kind == Kind::Division1 {
                self.state_named = (self.state_named - mass).max(0.0);
            }
        }
        if is_near {
            self.near = (self.near - mass).max(0.0);
        }
    }
}

/// Signs that need nothing but the name and its surroundings.
pub(super) fn at_first_sight(spot: &Spot, standing: Standing, hints: Hints, sink: &mut impl Sink) {
    sink.add(PEOPLE, spot.log_people / 8.0);
    sink.flag(LARGEST, standing.rank == 0);
    sink.add(RANK, 1.0 / (1.0 + standing.rank as f32));
    sink.add(SHARE, standing.share);
    sink.add(BEHIND, standing.behind);
    sink.flag(BEHIND_COUNTRY, standing.behind_country);
    sink.flag(BEHIND_METROPOLIS, standing.behind_metropolis);
    sink.flag(BEHIND_WORDNET, standing.behind_wordnet);
    sink.flag(TINY, spot.log_people < 1.0 && spot.kind == Kind::City);
    sink.kind(spot.kind, &KINDS);
    sink.flag(WORDNET, spot.in_wordnet);
    sink.flag(ALIAS, standing.role == Role::Alias);
    sink.flag(DEMONYM, standing.role == Role::Demonym);
    sink.flag(CONTAINED, hints.contained == Some(true));
    if hints.contained == Some(true) {
        sink.add(CONTAINED_BEHIND, standing.behind);
    }
    sink.flag(NOT_CONTAINED, hints.contained == Some(false));
    sink.flag(
        BESIDE_STATE,
        hints.beside_state && spot.kind == Kind::Division1,
    );
    sink.flag(BESIDE_CITY, hints.beside_city && spot.kind == Kind::City);
}

/// Signs from the rest of the page.
pub(super) fn on_page(spot: &Spot, support: &Support, sink: &mut impl Sink) {
    let share = |mass: f32| mass / (support.total + 2.0);
    // More and more of the same says less and less.
    let level = |mass: f32| mass / (mass + 2.0);
    sink.add(COUNTRY_SHARE, share(support.country));
    sink.add(COUNTRY_MASS, level(support.country));
    if matches!(spot.kind, Kind::Country | Kind::Continent) {
        return;
    }
    sink.add(STATE_SHARE, share(support.state));
    sink.add(STATE_MASS, level(support.state));
    sink.add(NEAR_SHARE, share(support.near));
    sink.add(NEAR_MASS, level(support.near));
    sink.add(STATE_NAMED, level(support.state_named));
    sink.add(COUNTRY_NAMED, level(support.country_named));
    sink.add(IN_ADDRESS, level(support.in_address));
    let is_small = spot.log_people < 4.3;
    if spot.kind == Kind::City {
        sink.add(CITY_AND_STATE_NAMED, level(support.state_named));
    }
    sink.add(
        SMALL_AND_NEAR,
        if is_small { level(support.near) } else { 0.0 },
    );
    sink.flag(SMALL_AND_FAR, is_small && support.near < 0.1);
}
