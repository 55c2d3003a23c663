//! The vocabulary: schema.org's names, vCard's, and those of older dialects.

/// What a property says about its item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Word {
    Street,
    /// What refines a street, and stands for it where there is none.
    Extended,
    City,
    State,
    Zip,
    Country,
    Lat,
    Lon,
    /// An address: an item of its own, or all of it in one string.
    Address,
    /// Coordinates: an item of its own, or both in one string.
    Point,
    /// A place in its own right.
    Location,
    /// A map's URL.
    Map,
    /// The outline of an area, as numbers.
    Shape,
    /// What others call the item.
    Id,
    Name,
    Type,
    /// Things that stand side by side, no part of what lists them.
    Graph,
}

/// What kind of thing an item is, as far as that matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    Address,
    Point,
    /// An area whose name is a part of an address.
    Area(Word),
}

/// The longest property name below.
const MAX_WORD: usize = 24;

/// The meaning of a property name, with or without its prefix or namespace.
pub(super) fn word(name: &str) -> Option<Word> {
    let name = local_name(name)?;
    let mut buffer = [0; MAX_WORD];
    let lower = buffer.get_mut(..name.len())?;
    lower.copy_from_slice(name.as_bytes());
    lower.make_ascii_lowercase();
    Some(match &*lower {
        b"streetaddress" | b"street-address" | b"street_address" => Word::Street,
        b"extended-address" | b"extendedaddress" | b"postofficeboxnumber" | b"post-office-box" => {
            Word::Extended
        }
        b"addresslocality" | b"locality" => Word::City,
        b"addressregion" | b"region" => Word::State,
        b"postalcode" | b"postal-code" | b"postal_code" => Word::Zip,
        b"addresscountry" | b"country-name" | b"country_name" => Word::Country,
        b"latitude" | b"lat" => Word::Lat,
        b"longitude" | b"long" => Word::Lon,
        b"address" | b"adr" | b"hasaddress" => Word::Address,
        b"geo" | b"hasgeo" | b"lat_long" => Word::Point,
        b"location" | b"contentlocation" | b"place" | b"joblocation" => Word::Location,
        b"hasmap" | b"map" | b"maps" => Word::Map,
        b"box" | b"circle" | b"polygon" => Word::Shape,
        b"name" | b"@value" => Word::Name,
        b"@id" => Word::Id,
        b"@type" | b"type" => Word::Type,
        b"@graph" => Word::Graph,
        _ => return None,
    })
}

/// The meaning of a microformat's class, `p-` and `u-` stripped. General
/// words (`name`, `location`, `address`) are left to style sheets.
pub(super) fn class_word(class: &str) -> Option<Word> {
    let name = class
        .strip_prefix("p-")
        .or_else(|| class.strip_prefix("u-"))
        .unwrap_or(class);
    Some(match name {
        "street-address" => Word::Street,
        "extended-address" | "post-office-box" => Word::Extended,
        "locality" => Word::City,
        "region" => Word::State,
        "postal-code" => Word::Zip,
        "country-name" => Word::Country,
        "latitude" => Word::Lat,
        "longitude" => Word::Lon,
        "adr" => Word::Address,
        "geo" => Word::Point,
        _ => return None,
    })
}

/// The kind of item that a type names; of several names, the first that says.
pub(super) fn class(types: &str) -> Option<Class> {
    types.split_ascii_whitespace().find_map(|name| {
        Some(match local_name(name)? {
            "PostalAddress" | "Address" => Class::Address,
            "GeoCoordinates" | "GeoShape" | "GeoCircle" | "Geo" | "Geography" | "Point" => {
                Class::Point
            }
            "City" => Class::Area(Word::City),
            "State" => Class::Area(Word::State),
            "Country" => Class::Area(Word::Country),
            _ => return None,
        })
    })
}

/// `schema:latitude` and `http://schema.org/latitude` are `latitude`; a name
/// of a vocabulary that is not ours is none (`og:latitude` is read elsewhere).
fn local_name(name: &str) -> Option<&str> {
    let name = name.trim_ascii();
    if name.contains('/') {
        return name.rsplit(['/', '#']).next();
    }
    match name.split_once(':') {
        None => Some(name),
        Some((
            "schema" | "s" | "sdo" | "v" | "vcard" | "vc" | "geo" | "wgs84" | "wgs84_pos" | "dv",
            local,
        )) => Some(local),
        Some(_) => None,
    }
}
