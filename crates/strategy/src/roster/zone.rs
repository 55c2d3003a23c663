//! The time zone of a city, as people call it.
//!
//! The gazetteer has names of the tz database, which tells Detroit from New
//! York for their past. Zones of the US are taken together under their legal
//! names; elsewhere the database's own names are what there is. A place
//! without one lies in the zone of its longitude, fifteen degrees each.

use place::gazetteer::Place;

/// Legal zones of the US by the names of the tz database; a name that ends in
/// a slash stands for all that begin with it, later lines for the rest.
const US_ZONES: &[(&str, &str)] = &[
    ("America/New_York", "Eastern"),
    ("America/Detroit", "Eastern"),
    ("America/Kentucky/", "Eastern"),
    ("America/Indiana/Knox", "Central"),
    ("America/Indiana/Tell_City", "Central"),
    ("America/Indiana/", "Eastern"),
    ("America/Chicago", "Central"),
    ("America/Menominee", "Central"),
    ("America/North_Dakota/", "Central"),
    ("America/Denver", "Mountain"),
    ("America/Boise", "Mountain"),
    ("America/Phoenix", "Mountain"),
    ("America/Los_Angeles", "Pacific"),
    ("America/Anchorage", "Alaska"),
    ("America/Juneau", "Alaska"),
    ("America/Sitka", "Alaska"),
    ("America/Metlakatla", "Alaska"),
    ("America/Yakutat", "Alaska"),
    ("America/Nome", "Alaska"),
    ("America/Adak", "Hawaii"),
    ("Pacific/Honolulu", "Hawaii"),
];

pub(super) fn zone_of(place: &Place<'_>) -> String {
    let is_meant = |name: &str| match name.ends_with('/') {
        true => place.time_zone.starts_with(name),
        false => place.time_zone == name,
    };
    let legal = US_ZONES
        .iter()
        .find(|(name, _)| place.country == "US" && is_meant(name));
    match legal {
        Some((_, zone)) => (*zone).to_owned(),
        None if place.time_zone.is_empty() => {
            format!("UTC{:+}", (place.lon / 15.0).round() as i32)
        }
        None => place.time_zone.to_owned(),
    }
}
