//! What a page is worth to who asks for a topic in a place.
//!
//! | grade | the page |
//! | --- | --- |
//! | 3 | is about the place and the topic, and has an address there |
//! | 2 | is about the place and the topic |
//! | 1 | is about the topic, and about a city of the same state or one within 40 km, or has an address in the place |
//! | 0 | anything else, or in another language than the query |

use super::collection::{Fact, state_of};
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::sphere::kilometres;

/// Cities up to here are neighbours.
const NEAR: f64 = 40.0;

/// What is asked for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wish {
    pub(super) topic: usize,
    pub(super) language: &'static str,
    /// A city or a state.
    pub(super) place: PlaceId,
}

impl Wish {
    /// What a page is worth.
    pub(super) fn grade(&self, fact: &Fact) -> u8 {
        if !fact.topics.contains(&self.topic) || fact.language != self.language {
            return 0;
        }
        let is_there = |city: PlaceId| city == self.place || state_of(city) == Some(self.place);
        let has_address = fact.addresses.iter().any(|&city| is_there(city));
        match fact.city {
            Some(city) if is_there(city) && has_address => 3,
            Some(city) if is_there(city) => 2,
            Some(city) if self.is_near(city, fact.state) => 1,
            _ => u8::from(has_address),
        }
    }

    fn is_near(&self, city: PlaceId, state: Option<PlaceId>) -> bool {
        let gazetteer = Gazetteer::built_in();
        if gazetteer.kind(self.place) == Kind::Division1 {
            return false;
        }
        let (here, there) = (gazetteer.place(self.place), gazetteer.place(city));
        let is_beside = kilometres((here.lat, here.lon), (there.lat, there.lon)) <= NEAR;
        is_beside || state.is_some() && state == state_of(self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(name: &str) -> PlaceId {
        place::target::resolve(Gazetteer::built_in(), name).unwrap()
    }

    fn page(city: Option<&str>, address: Option<&str>) -> Fact {
        let city = city.map(id);
        Fact {
            url: String::new(),
            spot: (0, 0),
            city,
            state: city.and_then(state_of),
            addresses: address.map(id).into_iter().collect(),
            topics: vec![5],
            language: "en",
            streets: Vec::new(),
        }
    }

    #[test]
    fn pages_are_worth_what_the_table_says() {
        let houston = Wish {
            topic: 5,
            language: "en",
            place: id("Houston, TX"),
        };
        let there = Some("Houston, TX");
        assert_eq!(houston.grade(&page(there, there)), 3);
        assert_eq!(houston.grade(&page(there, Some("Dallas, TX"))), 2);
        assert_eq!(houston.grade(&page(Some("Dallas, TX"), None)), 1);
        assert_eq!(houston.grade(&page(None, there)), 1);
        assert_eq!(houston.grade(&page(Some("Boston, MA"), None)), 0);
        let (other, german) = (
            Wish {
                topic: 6,
                ..houston
            },
            Wish {
                language: "de",
                ..houston
            },
        );
        assert_eq!(other.grade(&page(there, there)), 0);
        assert_eq!(german.grade(&page(there, there)), 0);
        let boston = Wish {
            place: id("Boston, MA"),
            ..houston
        };
        assert_eq!(boston.grade(&page(Some("Nashua, NH"), None)), 0);
        assert_eq!(boston.grade(&page(Some("Cambridge, MA"), None)), 1);
        let texas = Wish {
            place: id("Texas"),
            ..houston
        };
        assert_eq!(texas.grade(&page(there, Some("Dallas, TX"))), 3);
        assert_eq!(texas.grade(&page(there, None)), 2);
        assert_eq!(texas.grade(&page(None, there)), 1);
        assert_eq!(texas.grade(&page(Some("Boston, MA"), None)), 0);
    }
}
