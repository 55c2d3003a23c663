//! The built-in target set `us-top100`.
//!
//! The 100 cities of Table 1 in *Geographically Focused Collaborative
//! Crawling* (WWW 2006), which splits them over five nodes by time zone. The
//! paper files Indiana under Central; we follow it.

use super::{Asked, Target};
use crate::gazetteer::{Gazetteer, Kind};

/// Cities of each share, by state.
const SHARES: [&[(&str, &[&str])]; 5] = [
    // Cn1 Eastern
    &[
        ("DC", &["Washington"]),
        ("FL", &["Hialeah"]),
        ("GA", &["Atlanta", "Augusta"]),
        ("KY", &["Lexington", "Louisville"]),
        ("MD", &["Baltimore"]),
        ("MA", &["Boston"]),
        ("MI", &["Detroit", "Grand Rapids"]),
        ("NJ", &["Newark", "Jersey City"]),
        ("NY", &["New York", "Buffalo", "Rochester", "Yonkers"]),
        (
            "NC",
            &[
                "Charlotte",
                "Raleigh",
                "Greensboro",
                "Durham",
                "Winston-Salem",
            ],
        ),
        (
            "OH",
            &["Columbus", "Cleveland", "Cincinnati", "Toledo", "Akron"],
        ),
        ("PA", &["Philadelphia", "Pittsburgh"]),
        (
            "VA",
            &[
                "Virginia Beach",
                "Norfolk",
                "Chesapeake",
                "Richmond",
                "Arlington",
            ],
        ),
    ],
    // Cn2 Pacific
    &[
        (
            "CA",
            &[
                "Los Angeles",
                "San Diego",
                "San Jose",
                "San Francisco",
                "Long Beach",
                "Fresno",
                "Oakland",
                "Santa Ana",
                "Anaheim",
                "Bakersfield",
                "Stockton",
                "Fremont",
                "Glendale",
                "Riverside",
                "Modesto",
                "Sacramento",
                "Huntington Beach",
            ],
        ),
        ("NV", &["Las Vegas"]),
        ("OR", &["Portland"]),
        ("WA", &["Seattle", "Spokane", "Tacoma"]),
    ],
    // Cn3 Mountain
    &[
        (
            "AZ",
            &["Phoenix", "Tucson", "Mesa", "Glendale", "Scottsdale"],
        ),
        ("CO", &["Denver", "Colorado Springs", "Aurora"]),
        ("ID", &["Boise"]),
        ("NM", &["Albuquerque"]),
    ],
    // Cn4 Central
    &[
        ("AL", &["Birmingham", "Montgomery", "Mobile"]),
        ("IL", &["Chicago"]),
        ("IN", &["Indianapolis", "Fort Wayne"]),
        ("IA", &["Des Moines"]),
        ("KS", &["Wichita"]),
        ("LA", &["New Orleans", "Baton Rouge", "Shreveport"]),
        ("MN", &["Minneapolis", "St. Paul"]),
        ("MO", &["Kansas City", "St. Louis"]),
        ("NE", &["Omaha", "Lincoln"]),
        ("OK", &["Oklahoma City", "Tulsa"]),
        (
            "TX",
            &[
                "Houston",
                "Dallas",
                "San Antonio",
                "Austin",
                "El Paso",
                "Fort Worth",
                "Arlington",
                "Corpus Christi",
                "Plano",
                "Garland",
                "Lubbock",
                "Irving",
            ],
        ),
        ("WI", &["Milwaukee", "Madison"]),
    ],
    // Cn5 Hawaii-Aleutian and Alaska
    &[("HI", &["Honolulu"]), ("AK", &["Anchorage"])],
];

/// The cities that the gazetteer knows: all 100 in the built-in one.
pub(super) fn targets(gazetteer: &Gazetteer) -> Vec<Target> {
    let mut targets = Vec::new();
    for (share, states) in (0..).zip(SHARES) {
        for (state, cities) in states {
            for city in *cities {
                let of_state = gazetteer.find(city).into_iter().find(|&id| {
                    let place = gazetteer.place(id);
                    place.kind == Kind::City && place.country == "US" && place.division == *state
                });
                targets.extend(of_state.map(|place| Target {
                    place,
                    asked: Asked::ByName,
                    is_sought: true,
                    city: (*city).to_owned(),
                    state: (*state).to_owned(),
                    share: Some(share),
                }));
            }
        }
    }
    targets
}
