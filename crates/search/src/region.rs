//! How well a page's places fit the place that is asked for.
//!
//! A page is judged by its own scope. One about Houston answers a question
//! about Houston; one that lists Houston among fifty cities hardly does; one
//! about Texas as a whole is a weaker answer, one about a town nearby as well,
//! the weaker the further. Where there is so little that all of Texas is
//! looked through, anything there counts a little, and more the nearer it is.
//! Where a point is asked for, addresses count by their distance.

use crate::index::{Point, Share};
use crate::look::Numbered;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::sphere::{MapBox, kilometres};
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
    /// Pages that another region asks for, and far weaker ones about anything
    /// in a place around it.
    Widened {
        /// The other region.
        asked: Box<Region>,
        /// What it lies in.
        outer: PlaceId,
    },
}

impl Region {
    /// Whether pages are taken for what they lie in or beside.
    fn is_wide(&self) -> bool {
        match self {
            Region::About(_) => true,
            Region::Widened { asked, .. } => asked.is_wide(),
            _ => false,
        }
    }

    /// The place that it is.
    fn place(&self) -> Option<PlaceId> {
        match self {
            Region::About(place) | Region::Within(place) => Some(*place),
            Region::Widened { asked, .. } => asked.place(),
            _ => None,
        }
    }

    /// Whether it is a town or a point: other places are so far away from it.
    pub(crate) fn is_point(&self) -> bool {
        match self {
            Region::About(place) => Gazetteer::built_in().kind(*place).is_settlement(),
            Region::Near { .. } => true,
            Region::Widened { asked, .. } => asked.is_point(),
            Region::Within(_) | Region::Inside(_) => false,
        }
    }

    /// Whether an address in a town lies in it, as far as that can be told.
    pub(crate) fn holds(&self, (lat, lon): (f64, f64), town: Option<PlaceId>) -> bool {
        match self {
            Region::About(place) | Region::Within(place) => {
                let gazetteer = Gazetteer::built_in();
                let mut chain = town.into_iter().flat_map(|town| gazetteer.chain(town));
                chain.any(|outer| outer == *place)
            }
            Region::Near {
                lat: north,
                lon: east,
                kilometres: most,
            } => kilometres((*north, *east), (lat, lon)) <= *most,
            Region::Inside(area) => area.holds(lat, lon),
            Region::Widened { asked, .. } => asked.holds((lat, lon), town),
        }
    }

    /// Degrees north and east of the middle of it.
    pub(crate) fn middle(&self) -> Option<(f64, f64)> {
        match self {
            Region::About(place) | Region::Within(place) => {
                let place = Gazetteer::built_in().place(*place);
                Some((f64::from(place.lat), f64::from(place.lon)))
            }
            Region::Near { lat, lon, .. } => Some((*lat, *lon)),
            Region::Inside(area) => area.middle().map(|(lat, lon, _)| (lat, lon)),
            Region::Widened { asked, .. } => asked.middle(),
        }
    }
}

/// An area of the map.
#[derive(Debug, Clone, PartialEq)]
pub enum Area {
    /// From south-west to north-east; it may cross the 180th meridian.
    Box(MapBox),
    /// Rings of points (degrees north, degrees east): inside is what an odd
    /// number of them surrounds, so that holes are holes.
    Polygon(Vec<Vec<(f64, f64)>>),
}

impl Area {
    /// Whether a point lies in it.
    pub fn holds(&self, lat: f64, lon: f64) -> bool {
        match self {
            Area::Box(edges) => edges.holds(lat, lon),
            Area::Polygon(rings) => {
                let n_around = rings.iter().filter(|ring| surrounds(ring, (lat, lon)));
                n_around.count() % 2 == 1
            }
        }
    }

    /// The middle of it, and how far its corners are, in kilometres.
    pub fn middle(&self) -> Option<(f64, f64, f64)> {
        let corners: Vec<(f64, f64)> = match self {
            Area::Box(MapBox {
                south,
                west,
                north,
                east,
            }) => {
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

/// What a page about another place of the same state says, however far away;
/// what it says right beside the place; and how many kilometres take away half
/// of the difference.
const IN_OUTER: f32 = 0.02;
const IN_OUTER_BESIDE: f32 = 0.3;
const IN_OUTER_REACH: f64 = 100.0;

/// What the least page about the place itself says among those: it comes
/// first, even if it lists the place among many.
const IN_ASKED: f32 = 0.4;

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
    /// It lies in what the region was widened to.
    InOuter(f32),
    Nothing,
}

/// Judges pages by one region.
pub(crate) struct Judge {
    region: Option<Region>,
    /// GeoNames id of the place asked for; zero where it is none.
    asked: u32,
    /// What the region was widened to, likewise.
    outer: u32,
    why_outer: Why,
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
    SameState,
    SameCountry,
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
            Why::SameState => "it is about a place in the same state",
            Why::SameCountry => "it is about a place in the same country",
            Why::Address => "it has an address there",
        }
    }
}

impl Judge {
    /// With what is known of places in this region already.
    pub(crate) fn new(region: Option<Region>, relations: Relations) -> Judge {
        let gazetteer = Gazetteer::built_in();
        let geonameid = |place: PlaceId| gazetteer.geonameid(place);
        let asked = region.as_ref().and_then(Region::place);
        let outer = match &region {
            Some(Region::Widened { outer, .. }) => Some(*outer),
            _ => None,
        };
        let is_country = outer.is_some_and(|outer| gazetteer.kind(outer) == Kind::Country);
        Judge {
            asked: asked.map_or(0, geonameid),
            outer: outer.map_or(0, geonameid),
            why_outer: match is_country {
                true => Why::SameCountry,
                false => Why::SameState,
            },
            region,
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
        let mut region = self.region.as_ref();
        while let Some(Region::Widened { asked, .. }) = region {
            region = Some(asked);
        }
        !matches!(region, Some(Region::Near { .. } | Region::Inside(_)))
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
        let is_widened = self.outer != 0;
        let mut fit = self.fit(shares, points, is_widened)?;
        if is_widened && matches!(fit.why, Why::Inside | Why::Address) {
            fit.value = IN_ASKED + (1.0 - IN_ASKED) * fit.value;
        }
        Some(fit)
    }

    fn fit(
        &mut self,
        shares: impl Iterator<Item = Share>,
        points: impl Iterator<Item = Point>,
        is_widened: bool,
    ) -> Option<Fit> {
        let Some(region) = &self.region else {
            return Some(Fit::ANYWHERE);
        };
        if let Some(fit) = fit_of_points(region, points) {
            return Some(fit);
        }
        let is_wide = region.is_wide();
        let (mut listed, mut inside) = (0.0_f32, 0.0_f32);
        let mut other = (0.0_f32, Why::Inside);
        for share in shares {
            if share.place == self.asked {
                listed = share.weight;
                continue;
            }
            if share.place == self.outer {
                let least = IN_OUTER * share.weight.sqrt();
                other = better(other, (least, self.why_outer));
            }
            match self.relation(share.place) {
                Relation::Inside => inside += share.own,
                Relation::Holds(part) if is_wide && share.own >= LEAST_HOLDING => {
                    other = better(other, (share.own * part, Why::Holds));
                }
                Relation::Beside(part) => {
                    // Where pages are few, far ones are told from near ones
                    // even if they list many places.
                    let own = if is_widened {
                        share.own.sqrt()
                    } else {
                        share.own
                    };
                    other = better(other, (own * part, Why::Beside));
                }
                Relation::InOuter(part) => {
                    other = better(other, (share.own.sqrt() * part, self.why_outer));
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

fn better(one: (f32, Why), other: (f32, Why)) -> (f32, Why) {
    if other.0 > one.0 { other } else { one }
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
        Region::Widened { asked, .. } => return fit_of_points(asked, points),
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
        Region::Widened { asked, outer } => {
            let relation = relation(asked, geonameid);
            let is_in_outer = spot.id != *outer && spot.lies_in(*outer);
            match relation {
                Relation::Nothing if is_in_outer => {
                    Relation::InOuter(in_outer(asked.middle(), &spot))
                }
                Relation::Beside(part) if is_in_outer => {
                    Relation::Beside(part.max(in_outer(asked.middle(), &spot)))
                }
                _ => relation,
            }
        }
    }
}

/// What a place in the same state says of what was asked for: the less the
/// further it is.
fn in_outer(asked: Option<(f64, f64)>, spot: &Spot) -> f32 {
    let here = (f64::from(spot.lat), f64::from(spot.lon));
    let nearness = asked.map_or(0.0, |asked| {
        1.0 / (1.0 + kilometres(asked, here) / IN_OUTER_REACH)
    });
    IN_OUTER + (IN_OUTER_BESIDE - IN_OUTER) * nearness as f32
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
    use place::precision::Precision;

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
    fn a_widened_region_forgets_nothing_of_what_was_asked() {
        let widened = || Region::Widened {
            asked: Box::new(Region::About(id("San Antonio, TX"))),
            outer: id("Texas"),
        };
        let page = |name: &str, own: f32| {
            let shares = [share("Texas", own, 0.0), share(name, own, own)];
            fit(widened(), &shares, &[]).unwrap()
        };
        // Best first: the place itself is the best even among fifty others.
        let order = [
            page("San Antonio, TX", 1.0),
            page("San Antonio, TX", 0.04),
            page("Austin, TX", 1.0),
            page("Houston, TX", 1.0),
            page("El Paso, TX", 1.0),
            page("El Paso, TX", 0.04),
        ];
        let values = order.map(|(value, _)| value);
        assert!(values.is_sorted_by(|one, next| one >= next), "{values:?}");
        assert!(values[1] > 2.0 * values[2], "{values:?}");
        assert!(values[2] > 2.0 * values[4], "{values:?}");
        let whys = order.map(|(_, why)| why);
        assert_eq!(whys[..2], [Why::Inside; 2]);
        assert_eq!(whys[2..], [Why::SameState; 4]);
        assert_eq!(fit(widened(), &[share("Chicago, IL", 1.0, 1.0)], &[]), None);
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
        let point = |lat, lon| Point {
            lat,
            lon,
            precision: Precision::Page,
        };
        let two_streets = near(&[point(29.762, -95.363)]).unwrap();
        let suburb = near(&[point(29.83, -95.363)]).unwrap();
        assert!(two_streets > 0.9 && suburb < 0.2, "{two_streets} {suburb}");
        assert_eq!(near(&[point(30.5, -95.363)]), None);
    }

    #[test]
    fn areas_hold_what_lies_in_them() {
        let pacific = Area::Box(MapBox {
            south: -20.0,
            west: 170.0,
            north: 0.0,
            east: -170.0,
        });
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
