//! How well a page's places fit the place that is asked for.
//!
//! A page is judged by its own scope. One about Houston answers a question
//! about Houston; one that lists Houston among fifty cities hardly does; one
//! about Texas as a whole is a weaker answer, one about a town nearby as well,
//! the weaker the further. Where a point is asked for, addresses count by
//! their distance.

use crate::index::{Point, Share};
use crate::look::Numbered;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::sphere::kilometres;
use std::sync::{LazyLock, PoisonError, RwLock};

/// What is asked for, geographically.
#[derive(Debug, Clone, PartialEq)]
pub enum Region {
    /// Pages about a place, and weaker ones about what it lies in.
    About(PlaceId),
    /// Pages within so many kilometres of a point, nearest first.
    Near {
        /// Degrees north.
        lat: f64,
        /// Degrees east.
        lon: f64,
        /// How far.
        kilometres: f64,
    },
    /// Pages about something inside a place.
    Within(PlaceId),
    /// Pages about something inside an area of the map.
    Inside(Area),
}

/// An area of the map.
#[derive(Debug, Clone, PartialEq)]
pub enum Area {
    /// From south-west to north-east; it may cross the 180th meridian.
    Box {
        /// Southern edge.
        south: f64,
        /// Western edge.
        west: f64,
        /// Northern edge.
        north: f64,
        /// Eastern edge.
        east: f64,
    },
    /// Rings of points (degrees north, degrees east): inside is what an odd
    /// number of them surrounds, so that holes are holes.
    Polygon(Vec<Vec<(f64, f64)>>),
}

impl Area {
    /// Whether a point lies in it.
    pub fn holds(&self, lat: f64, lon: f64) -> bool {
        match self {
            Area::Box {
                south,
                west,
                north,
                east,
            } => {
                let is_between = match west <= east {
                    true => (*west..=*east).contains(&lon),
                    false => lon >= *west || lon <= *east,
                };
                (*south..=*north).contains(&lat) && is_between
            }
            Area::Polygon(rings) => {
                let n_around = rings.iter().filter(|ring| surrounds(ring, (lat, lon)));
                n_around.count() % 2 == 1
            }
        }
    }

    /// The middle of it, and how far its corners are, in kilometres.
    pub fn middle(&self) -> Option<(f64, f64, f64)> {
        let corners: Vec<(f64, f64)> = match self {
            Area::Box {
                south,
                west,
                north,
                east,
            } => {
                let east = if west <= east { *east } else { east + 360.0 };
                vec![(*south, *west), (*north, east)]
            }
            Area::Polygon(rings) => rings.iter().flatten().copied().collect(),
        };
        let bounds = |of: fn(&(f64, f64)) -> f64| {
            let values = corners.iter().map(of);
            values.fold((f64::MAX, f64::MIN), |(least, most), value| {
                (least.min(value), most.max(value))
            })
        };
        let (south, north) = bounds(|corner| corner.0);
        let (west, east) = bounds(|corner| corner.1);
        if corners.is_empty() {
            return None;
        }
        let middle = (f64::midpoint(south, north), f64::midpoint(west, east));
        let reach = [(south, west), (south, east), (north, west), (north, east)]
            .map(|corner| kilometres(middle, corner));
        let lon = (middle.1 + 540.0).rem_euclid(360.0) - 180.0;
        Some((middle.0, lon, reach.into_iter().fold(0.0, f64::max)))
    }
}

/// Whether a ring goes around a point, by counting the edges east of it.
fn surrounds(ring: &[(f64, f64)], (lat, lon): (f64, f64)) -> bool {
    let next = ring.iter().cycle().skip(1);
    let crossed = ring.iter().zip(next).filter(|(from, to)| {
        let spans = (from.0 > lat) != (to.0 > lat);
        spans && lon < (to.1 - from.1) * (lat - from.0) / (to.0 - from.0) + from.1
    });
    crossed.count() % 2 == 1
}

/// What a page about a state says about a city of it, and one about a country.
const OF_STATE: f32 = 0.3;
const OF_COUNTRY: f32 = 0.1;

/// What of a page needs to be about a state as a whole to be about its cities:
/// most pages mention one.
pub(crate) const LEAST_HOLDING: f32 = 0.3;

/// What a page about a town beside the place says about it, and how many
/// kilometres away it says a third of that.
const BESIDE: f32 = 0.6;
const BESIDE_REACH: f64 = 20.0;

/// Further away than this nothing is beside.
const BESIDE_MOST: f64 = 100.0;

/// What a city in the circle counts for that has no address there.
const ONLY_CITY: f32 = 0.5;

/// What was found out about places, since pages share them.
pub(crate) type Relations = Numbered<u32, Relation>;

/// How a place fits, before it is known how much of a page it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Relation {
    /// It is the place asked for, or lies in it.
    Inside,
    /// It holds it: what a page about it says of the place asked for.
    Holds(f32),
    /// It lies beside it.
    Beside(f32),
    Nothing,
}

/// Judges pages by one region.
pub(crate) struct Judge {
    region: Option<Region>,
    /// GeoNames id of the place asked for; zero where it is none.
    asked: u32,
    relations: Relations,
}

/// How a page's places fit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// From 0, not at all, to 1.
    pub(crate) value: f32,
    pub(crate) why: Why,
}

impl Fit {
    /// Where nothing is asked for, every page fits.
    pub(crate) const ANYWHERE: Fit = Fit {
        value: 1.0,
        why: Why::Anywhere,
    };
}

/// The best reason for a fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Why {
    /// Nothing was asked for.
    Anywhere,
    Inside,
    Holds,
    Beside,
    Address,
}

impl Why {
    /// For people.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Why::Anywhere => "no place was asked for",
            Why::Inside => "it is about the place",
            Why::Holds => "it is about what the place lies in",
            Why::Beside => "it is about a place nearby",
            Why::Address => "it has an address there",
        }
    }
}

impl Judge {
    /// With what is known of places in this region already.
    pub(crate) fn new(region: Option<Region>, relations: Relations) -> Judge {
        let asked = match &region {
            Some(Region::About(place) | Region::Within(place)) => {
                Gazetteer::built_in().geonameid(*place)
            }
            _ => 0,
        };
        Judge {
            region,
            asked,
            relations,
        }
    }

    /// What is asked for.
    pub(crate) fn region(&self) -> Option<&Region> {
        self.region.as_ref()
    }

    /// Whether pages that are filed under the region are all there is to
    /// judge: any page, or those about a place. Circles and areas are looked up
    /// by cells that reach beyond them.
    pub(crate) fn is_sure(&self) -> bool {
        !matches!(self.region, Some(Region::Near { .. } | Region::Inside(_)))
    }

    /// What it has found out about places.
    pub(crate) fn into_relations(self) -> Relations {
        self.relations
    }

    /// None if a page has nothing to do with the region.
    pub(crate) fn judge(
        &mut self,
        shares: impl Iterator<Item = Share>,
        points: impl Iterator<Item = Point>,
    ) -> Option<Fit> {
        let Some(region) = &self.region else {
            return Some(Fit::ANYWHERE);
        };
        if let Some(fit) = fit_of_points(region, points) {
            return Some(fit);
        }
        let is_wide = matches!(region, Region::About(_));
        let (mut listed, mut inside) = (0.0_f32, 0.0_f32);
        let mut other = (0.0_f32, Why::Inside);
        for share in shares {
            if share.place == self.asked {
                listed = share.weight;
                continue;
            }
            match self.relation(share.place) {
                Relation::Inside => inside += share.own,
                Relation::Holds(part)
                    if is_wide && share.own >= LEAST_HOLDING && share.own * part > other.0 =>
                {
                    other = (share.own * part, Why::Holds);
                }
                Relation::Beside(part) if share.own * part > other.0 => {
                    other = (share.own * part, Why::Beside);
                }
                _ => {}
            }
        }
        let inside = listed.max(inside).min(1.0).sqrt();
        let (value, why) = match inside >= other.0 {
            true => (inside, Why::Inside),
            false => other,
        };
        (value > 0.0).then_some(Fit { value, why })
    }

    fn relation(&mut self, geonameid: u32) -> Relation {
        let Some(region) = &self.region else {
            return Relation::Nothing;
        };
        let known = self.relations.entry(geonameid);
        *known.or_insert_with(|| relation(region, geonameid))
    }
}

/// How a page's addresses fit; none if they do not.
fn fit_of_points(region: &Region, mut points: impl Iterator<Item = Point>) -> Option<Fit> {
    let degrees = |point: Point| (f64::from(point.lat), f64::from(point.lon));
    let value = match region {
        Region::Near {
            lat,
            lon,
            kilometres: most,
        } => {
            let distances = points.map(|point| kilometres((*lat, *lon), degrees(point)));
            let nearest = distances.fold(f64::MAX, f64::min);
            (nearest <= *most).then(|| decay(nearest, most / 3.0))?
        }
        Region::Inside(area) => {
            let holds = |point: Point| area.holds(degrees(point).0, degrees(point).1);
            points.any(holds).then_some(1.0)?
        }
        Region::About(_) | Region::Within(_) => return None,
    };
    Some(Fit {
        value,
        why: Why::Address,
    })
}

fn decay(distance: f64, reach: f64) -> f32 {
    (-distance / reach.max(0.05)).exp() as f32
}

/// What is to be known of a place to judge pages about it.
#[derive(Debug, Clone, Copy)]
struct Spot {
    id: PlaceId,
    /// What it lies in, itself first, the rest as often as there is room.
    chain: [PlaceId; 6],
    kind: Kind,
    lat: f32,
    lon: f32,
}

/// Places that pages were about: looking one up in the gazetteer takes as long
/// as judging ten pages.
static SPOTS: LazyLock<RwLock<Numbered<u32, Option<Spot>>>> = LazyLock::new(RwLock::default);

impl Spot {
    fn of(geonameid: u32) -> Option<Spot> {
        let known = || SPOTS.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(spot) = known().get(&geonameid) {
            return *spot;
        }
        let gazetteer = Gazetteer::built_in();
        let spot = gazetteer.by_geonameid(geonameid).map(|id| {
            let place = gazetteer.place(id);
            let mut chain = [id; 6];
            for (room, outer) in chain.iter_mut().zip(gazetteer.chain(id)) {
                *room = outer;
            }
            Spot {
                id,
                chain,
                kind: place.kind,
                lat: place.lat,
                lon: place.lon,
            }
        });
        let mut known = SPOTS.write().unwrap_or_else(PoisonError::into_inner);
        known.insert(geonameid, spot);
        spot
    }

    fn lies_in(&self, place: PlaceId) -> bool {
        self.chain.contains(&place)
    }

    /// Where it is, if it is a town.
    fn town(&self) -> Option<(f64, f64)> {
        let is_town = self.kind.is_settlement();
        is_town.then_some((f64::from(self.lat), f64::from(self.lon)))
    }
}

fn relation(region: &Region, geonameid: u32) -> Relation {
    let Some(spot) = Spot::of(geonameid) else {
        return Relation::Nothing;
    };
    let town = || spot.town();
    match region {
        Region::About(asked) => relation_to(*asked, &spot),
        Region::Within(asked) => match spot.lies_in(*asked) {
            true => Relation::Inside,
            false => Relation::Nothing,
        },
        Region::Near {
            lat,
            lon,
            kilometres: most,
        } => {
            let distance = town().map(|here| kilometres((*lat, *lon), here));
            match distance.filter(|distance| distance <= most) {
                Some(distance) => Relation::Beside(ONLY_CITY * decay(distance, most / 3.0)),
                None => Relation::Nothing,
            }
        }
        Region::Inside(area) => match town().is_some_and(|(lat, lon)| area.holds(lat, lon)) {
            true => Relation::Inside,
            false => Relation::Nothing,
        },
    }
}

fn relation_to(asked: PlaceId, spot: &Spot) -> Relation {
    if spot.lies_in(asked) {
        return Relation::Inside;
    }
    let Some(asked) = Spot::of(Gazetteer::built_in().geonameid(asked)) else {
        return Relation::Nothing;
    };
    if asked.lies_in(spot.id) {
        return Relation::Holds(match spot.kind {
            Kind::Country => OF_COUNTRY,
            _ => OF_STATE,
        });
    }
    let (Some(asked), Some(town)) = (asked.town(), spot.town()) else {
        return Relation::Nothing;
    };
    // A degree north is 111 km anywhere: most need no more.
    let is_far = (asked.0 - town.0).abs() * 111.0 > BESIDE_MOST;
    let distance = if is_far {
        f64::MAX
    } else {
        kilometres(asked, town)
    };
    match distance <= BESIDE_MOST {
        true => Relation::Beside(BESIDE * decay(distance, BESIDE_REACH)),
        false => Relation::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> PlaceId {
        place::target::resolve(Gazetteer::built_in(), name).unwrap()
    }

    fn share(name: &str, weight: f32, own: f32) -> Share {
        Share {
            place: Gazetteer::built_in().place(id(name)).geonameid,
            weight,
            own,
        }
    }

    fn fit(region: Region, shares: &[Share], points: &[Point]) -> Option<(f32, Why)> {
        let fit = Judge::new(Some(region), Relations::default())
            .judge(shares.iter().copied(), points.iter().copied());
        fit.map(|fit| ((fit.value * 100.0).round() / 100.0, fit.why))
    }

    #[test]
    fn a_page_is_judged_by_its_own_scope() {
        let houston = || Region::About(id("Houston, TX"));
        let only = [share("Texas", 1.0, 0.0), share("Houston, TX", 1.0, 1.0)];
        assert_eq!(fit(houston(), &only, &[]), Some((1.0, Why::Inside)));
        let list = [share("Texas", 1.0, 0.0), share("Houston, TX", 0.04, 0.04)];
        assert_eq!(fit(houston(), &list, &[]), Some((0.2, Why::Inside)));
        let state = [share("Texas", 1.0, 1.0)];
        assert_eq!(fit(houston(), &state, &[]), Some((0.3, Why::Holds)));
        let beside = [share("Texas", 1.0, 0.0), share("Pasadena, TX", 1.0, 1.0)];
        let (value, why) = fit(houston(), &beside, &[]).unwrap();
        assert!(value > 0.2 && value < 0.6 && why == Why::Beside, "{value}");
        assert_eq!(fit(houston(), &[share("Dallas, TX", 1.0, 1.0)], &[]), None);
        let texas = Region::About(id("Texas"));
        assert_eq!(fit(texas, &only[1..], &[]), Some((1.0, Why::Inside)));
        let strict = Region::Within(id("Houston, TX"));
        assert_eq!(fit(strict, &state, &[]), None);
    }

    #[test]
    fn an_address_near_by_beats_one_in_the_suburbs() {
        let near = |points: &[Point]| {
            let region = Region::Near {
                lat: 29.760,
                lon: -95.363,
                kilometres: 10.0,
            };
            fit(region, &[], points).map(|(value, _)| value)
        };
        let point = |lat, lon| Point { lat, lon };
        let two_streets = near(&[point(29.762, -95.363)]).unwrap();
        let suburb = near(&[point(29.83, -95.363)]).unwrap();
        assert!(two_streets > 0.9 && suburb < 0.2, "{two_streets} {suburb}");
        assert_eq!(near(&[point(30.5, -95.363)]), None);
    }

    #[test]
    fn areas_hold_what_lies_in_them() {
        let pacific = Area::Box {
            south: -20.0,
            west: 170.0,
            north: 0.0,
            east: -170.0,
        };
        assert!(pacific.holds(-10.0, 179.0) && pacific.holds(-10.0, -179.0));
        assert!(!pacific.holds(-10.0, 0.0));
        let (lat, lon, reach) = pacific.middle().unwrap();
        assert!((lat + 10.0).abs() < 1e-9 && lon.abs() > 179.9 && reach > 1000.0);
        let square = |from: f64, to: f64| vec![(from, from), (from, to), (to, to), (to, from)];
        let with_hole = Area::Polygon(vec![square(0.0, 10.0), square(4.0, 6.0)]);
        assert!(with_hole.holds(2.0, 2.0));
        assert!(!with_hole.holds(5.0, 5.0));
        assert!(!with_hole.holds(11.0, 5.0));
        assert!(!Area::Polygon(Vec::new()).holds(0.0, 0.0));
    }
}
