//! What kind of place an instance of something is.

use super::super::wordnet::Synset;
use place::gazetteer::Kind;

/// Kinds a synset may be joined to, best first, and the kind it becomes otherwise.
pub(super) struct Class {
    pub(super) accepts: &'static [Kind],
    pub(super) makes: Kind,
}

const CITIES: &[&str] = &[
    "city",
    "town",
    "port",
    "national_capital",
    "state_capital",
    "provincial_capital",
    "port_of_entry",
    "village",
    "seaport",
    "capital",
    "watering_place",
    "conurbation",
    "Riyadh",
    "Switzerland",
    "dig",
    "suburb",
];
const SECTIONS: &[&str] = &[
    "city_district",
    "borough",
    "residential_district",
    "vicinity",
    "section",
    "center",
    "resort_area",
];
const DIVISIONS: &[&str] = &[
    "American_state",
    "state",
    "Canadian_province",
    "Australian_state",
    "Malaysian_state",
    "French_region",
    "Italian_region",
    "Swiss_canton",
    "county",
    "district",
    "administrative_district",
    "federal_district",
    "Colony",
    "principality",
    "Soviet_Socialist_Republic",
    "mandate",
];
const COUNTRIES: &[&str] = &[
    "kingdom",
    "sultanate",
    "commonwealth",
    "possession",
    "colony",
    "republic",
    "Baltic_State",
    "Russia",
];
const ISLANDS: &[&str] = &[
    "island",
    "archipelago",
    "atoll",
    "isle",
    "Aegean_island",
    "barrier_island",
    "Ireland",
    "Great_Britain",
];
const WATERS: &[&str] = &[
    "river",
    "lake",
    "sea",
    "bay",
    "gulf",
    "strait",
    "channel",
    "ocean",
    "sound",
    "inlet",
    "firth",
    "estuary",
    "loch",
    "waterfall",
    "brook",
    "reservoir",
    "bight",
    "headstream",
    "waterway",
    "fjord",
    "narrow",
    "trench",
    "territorial_waters",
    "coral_reef",
];
const MOUNTAINS: &[&str] = &[
    "mountain_peak",
    "range",
    "volcano",
    "desert",
    "peninsula",
    "cape",
    "hill",
    "promontory",
    "isthmus",
    "tableland",
    "plain",
    "pass",
    "valley",
    "forest",
    "gorge",
    "mountain",
    "massif",
    "ridge",
    "highland",
    "lowland",
    "moor",
    "prairie",
    "rift_valley",
    "fault",
    "Piedmont_glacier",
    "badlands",
    "watershed",
    "geological_formation",
];
const LANDMARKS: &[&str] = &[
    "national_park",
    "park",
    "monument",
    "battlefield",
    "site",
    "mausoleum",
    "stock_exchange",
    "navy_yard",
    "garden",
    "burial_chamber",
    "formal_garden",
    "public_square",
    "retreat",
    "amusement_park",
    "cave",
    "cavern",
    "geyser",
    "pole",
    "boundary_line",
    "state_line",
    "trade_route",
    "path",
];

/// Types of what is not a place on the globe, or on all of it.
const NOWHERE: &[&str] = &[
    "sign_of_the_zodiac",
    "soil_horizon",
    "lunar_crater",
    "hemisphere",
    "polar_circle",
    "tropic",
    "Temperate_Zone",
    "climatic_zone",
    "meridian",
    "prime_meridian",
    "boundary",
];

/// Words in the gloss of what is not on the globe.
const NOT_ON_EARTH: &[&str] = &[
    "mythology",
    "legend",
    "ionosphere",
    "celestial",
    "zodiac",
    "atmosphere",
    "imaginary",
    "fictional",
    "Hades",
    "astronomy",
    "hypothetical",
    "the moon",
];

/// Whether the gloss says that it is not of this world.
pub(super) fn is_mythical(synset: &Synset) -> bool {
    NOT_ON_EARTH.iter().any(|word| synset.gloss.contains(word))
}

pub(super) fn class(synset: &Synset) -> Result<Class, &'static str> {
    let is = |types: &[&str]| {
        synset
            .types
            .iter()
            .any(|kind| types.contains(&kind.as_str()))
    };
    if is(NOWHERE) {
        return Err("no place on the globe");
    }
    let country = synset.types.iter().any(|kind| kind.ends_with("country"));
    let (accepts, makes): (&'static [Kind], Kind) = if is(&["continent"]) {
        (
            &[Kind::Continent, Kind::Region, Kind::Country],
            Kind::Region,
        )
    } else if country || is(COUNTRIES) {
        (
            &[Kind::Country, Kind::Division1, Kind::Region],
            Kind::Region,
        )
    } else if is(CITIES) {
        (
            &[Kind::City, Kind::Landmark, Kind::Section, Kind::Country],
            Kind::Landmark,
        )
    } else if is(SECTIONS) {
        (
            &[
                Kind::Section,
                Kind::City,
                Kind::Division2,
                Kind::Landmark,
                Kind::Region,
            ],
            Kind::Section,
        )
    } else if is(DIVISIONS) {
        (
            &[
                Kind::Division1,
                Kind::Division2,
                Kind::Country,
                Kind::Region,
                Kind::Mountain,
            ],
            Kind::Region,
        )
    } else if is(ISLANDS) {
        (
            &[
                Kind::Island,
                Kind::Country,
                Kind::Division1,
                Kind::Region,
                Kind::Division2,
                Kind::Mountain,
            ],
            Kind::Island,
        )
    } else if is(WATERS) {
        (&[Kind::Water], Kind::Water)
    } else if is(&["peninsula"]) {
        (
            &[
                Kind::Mountain,
                Kind::Region,
                Kind::Island,
                Kind::Division1,
                Kind::Country,
            ],
            Kind::Mountain,
        )
    } else if is(MOUNTAINS) {
        (
            &[Kind::Mountain, Kind::Region, Kind::Landmark, Kind::Island],
            Kind::Mountain,
        )
    } else if is(LANDMARKS) {
        (
            &[Kind::Landmark, Kind::Mountain, Kind::Water],
            Kind::Landmark,
        )
    } else {
        (
            &[
                Kind::Region,
                Kind::Division1,
                Kind::Country,
                Kind::Mountain,
                Kind::Island,
                Kind::Landmark,
            ],
            Kind::Region,
        )
    };
    Ok(Class { accepts, makes })
}
