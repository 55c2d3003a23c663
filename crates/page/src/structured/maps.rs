//! Coordinates in the addresses of maps: Google, OpenStreetMap, Apple, Bing and
//! others, and `geo:`.
//!
//! Where a URL has several points, the pin counts before the middle of the
//! view, and from where somebody searched (`sll`) does not count at all. An
//! address that is searched for, with a digit in it, is the fact's `street`.

use super::values;
use super::{Fact, Kind};

/// How much of a URL is looked at.
const MAX_URL: usize = 4_000;

/// Parameters that hold a point, the telling ones first.
const POINTS: [&str; 13] = [
    "ll",
    "cbll",
    "center",
    "markers",
    "coord",
    "sp",
    "q",
    "query",
    "daddr",
    "destination",
    "coordinate",
    "cp",
    "viewpoint",
];

/// Parameters that hold what somebody searches for.
const QUERIES: [&str; 6] = ["q", "query", "daddr", "destination", "address", "where1"];

/// Steps of a path that are followed by what somebody searches for.
const SEARCHES: [&str; 4] = ["/place/", "/search/", "/dir//", "/dir/"];

/// A first look, at a page's every link: a `geo:` URI, or a host that has maps.
pub(super) fn may_be(target: &[u8]) -> bool {
    let target = target.trim_ascii_start();
    match without_scheme(target) {
        Some(rest) => has_maps(rest),
        None => starts_with(target, b"geo:"),
    }
}

/// What follows `https://`, `http://` or `//`.
fn without_scheme(target: &[u8]) -> Option<&[u8]> {
    let rest = match target.first()? {
        b'h' | b'H' if starts_with(target, b"https:") => &target[6..],
        b'h' | b'H' if starts_with(target, b"http:") => &target[5..],
        _ => target,
    };
    rest.strip_prefix(b"//")
}

fn starts_with(target: &[u8], prefix: &[u8]) -> bool {
    let start = target.get(..prefix.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(prefix))
}

/// The host is one of the companies and projects whose maps we know.
fn has_maps(mut rest: &[u8]) -> bool {
    loop {
        let len = rest.iter().position(|&byte| byte == b'.' || byte == b'/');
        let (label, after) = rest.split_at(len.unwrap_or(rest.len()));
        let is_known = match label.len() {
            3 => label.eq_ignore_ascii_case(b"osm"),
            4 => [&b"bing"[..], b"waze", b"here"]
                .iter()
                .any(|known| label.eq_ignore_ascii_case(known)),
            8 => label.eq_ignore_ascii_case(b"mapquest"),
            5 => label.eq_ignore_ascii_case(b"apple"),
            6 => label.eq_ignore_ascii_case(b"google"),
            10 => label.eq_ignore_ascii_case(b"googleapis"),
            13 => label.eq_ignore_ascii_case(b"openstreetmap"),
            _ => false,
        };
        match after.split_first() {
            _ if is_known => return true,
            Some((b'.', next)) => rest = next,
            _ => return false,
        }
    }
}

/// What a link says about a place, if it leads to a map.
pub(super) fn read(target: &str) -> Option<Fact> {
    let target = target.trim_ascii();
    if starts_with(target.as_bytes(), b"geo:") {
        return read_geo_uri(&target[4..]);
    }
    let rest_len = without_scheme(target.as_bytes())?.len();
    let rest = &target[target.len() - rest_len..];
    let rest = &rest[..rest.floor_char_boundary(MAX_URL)];
    let host_len = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let (host, tail) = rest.split_at(host_len);
    if !is_map(host, tail) {
        return None;
    }
    let tail = tail.replace("&amp;", "&");
    let (tail, fragment) = tail.split_once('#').unwrap_or((&tail, ""));
    let (path, query) = tail.split_once('?').unwrap_or((tail, ""));
    let parameters: Vec<(String, String)> = [query, fragment]
        .into_iter()
        .flat_map(|part| part.split('&'))
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.to_ascii_lowercase(), decode(value)))
        .collect();
    let get = |wanted: &str| {
        let found = parameters.iter().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.as_str())
    };

    let mut fact = Fact::new(Kind::MapLink);
    if let Some(point) = find_point(&decode(path), get) {
        fact.set_point(point);
    }
    let in_path = || searched(&decode(searched_step(path)?));
    let asked = QUERIES.iter().find_map(|name| searched(get(name)?));
    fact.street = asked.or_else(in_path);
    (fact.has_point() || fact.street.is_some()).then_some(fact)
}

/// `/maps/place/901+Bagby+St/@29.7…`; of a way from here to there, the end.
fn searched_step(path: &str) -> Option<&str> {
    let mark = SEARCHES.iter().find(|mark| path.contains(*mark))?;
    let (_, after) = path.split_once(mark)?;
    let mut steps = after
        .split('/')
        .take_while(|step| !step.starts_with(['@', '!']) && !step.starts_with("data="));
    if mark.starts_with("/dir") {
        steps.last()
    } else {
        steps.next()
    }
}

/// The point that a map shows, from the most exact way to say so to the least.
fn find_point<'p>(path: &str, get: impl Fn(&str) -> Option<&'p str>) -> Option<(f64, f64)> {
    let pair =
        |lat: &str, lon: &str| on_earth(values::degrees(get(lat)?)?, values::degrees(get(lon)?)?);
    pair("mlat", "mlon")
        .or_else(|| pin(path))
        .or_else(|| get("pb").and_then(pin))
        .or_else(|| POINTS.iter().find_map(|name| loose_point(get(name)?)))
        .or_else(|| view(path))
        .or_else(|| get("pb").and_then(embedded))
        .or_else(|| embedded(path))
        .or_else(|| loose_point(path.rsplit('/').next()?))
        .or_else(|| get("map").and_then(open_street_map))
        .or_else(|| get("bbox").and_then(middle))
        .or_else(|| pair("lat", "lon"))
}

/// `maps.google.de/…`, `www.google.com/maps/…`, `osm.org/…`, and so on.
fn is_map(host: &str, tail: &str) -> bool {
    let has_label = |wanted: &str| {
        host.split('.')
            .any(|label| label.eq_ignore_ascii_case(wanted))
    };
    let is_map_host = has_label("map") || has_label("maps");
    if has_label("apple") {
        return is_map_host;
    }
    let is_all_maps = ["openstreetmap", "osm", "waze", "here", "mapquest"]
        .into_iter()
        .any(has_label);
    has_maps(host.as_bytes()) && (is_all_maps || is_map_host || tail.starts_with("/map"))
}

/// `geo:51.5,-0.08;u=40`; some write a semicolon between the two.
fn read_geo_uri(uri: &str) -> Option<Fact> {
    let uri = &uri[..uri.floor_char_boundary(100)];
    let (place, query) = uri.split_once('?').unwrap_or((uri, ""));
    let mut parts = place.split([',', ';']);
    let point = parts
        .next()
        .zip(parts.next())
        .and_then(|(lat, lon)| on_earth(values::degrees(lat)?, values::degrees(lon)?));
    // `geo:0,0?q=29.76,-95.36(City Hall)`
    let point = point.or_else(|| loose_point(&decode(query.strip_prefix("q=")?)))?;
    let mut fact = Fact::new(Kind::MapLink);
    fact.set_point(point);
    Some(fact)
}

fn on_earth(lat: f64, lon: f64) -> Option<(f64, f64)> {
    values::is_on_earth(lat, lon).then_some((lat, lon))
}

/// `!3d<lat>!4d<lon>`: where the pin is; of several the last, the goal.
fn pin(data: &str) -> Option<(f64, f64)> {
    let (before, lon) = data.rsplit_once("!4d")?;
    let (_, lat) = before.rsplit_once("!3d")?;
    on_earth(leading(lat)?, leading(lon)?)
}

/// `!2d<lon>!3d<lat>`: the middle of an embedded map.
fn embedded(data: &str) -> Option<(f64, f64)> {
    let (_, after) = data.split_once("!2d")?;
    let (lon, lat) = after.split_once("!3d")?;
    on_earth(leading(lat)?, leading(lon)?)
}

/// `/@<lat>,<lon>,17z`
fn view(path: &str) -> Option<(f64, f64)> {
    let (_, after) = path.split_once("/@")?;
    let (lat, rest) = after.split_once(',')?;
    on_earth(leading(lat)?, leading(rest)?)
}

/// `5/51.5/-0.1`, the scale first.
fn open_street_map(value: &str) -> Option<(f64, f64)> {
    let mut parts = value.split('/').skip(1);
    let (lat, lon) = (parts.next()?, parts.next()?);
    on_earth(leading(lat)?, leading(lon)?)
}

/// `<lon>,<lat>,<lon>,<lat>`: the corners of a view.
fn middle(corners: &str) -> Option<(f64, f64)> {
    let mut numbers = corners.split(',').map(values::degrees);
    let mut next = || numbers.next().flatten();
    let (west, south, east, north) = (next()?, next()?, next()?, next()?);
    on_earth((south + north) / 2.0, (west + east) / 2.0)
}

/// A point, perhaps with a name before it or more behind it: `loc:48.1,11.5`,
/// `Office @31.1,121.3`, `color:red|48.1,11.5`, `48.1~11.5`, `48.1,11.5(Here)`,
/// `point.48.1_11.5_Here`.
fn loose_point(value: &str) -> Option<(f64, f64)> {
    let value = match value.get(..6) {
        Some(mark) if mark.eq_ignore_ascii_case("point.") => &value[6..],
        _ => value,
    };
    let value = match value.rfind(['@', '|', ':']) {
        Some(at) => &value[at + 1..],
        None => value,
    };
    let (lat, rest) = value.split_once([',', '~', '_'])?;
    let lat_number = leading(lat).filter(|_| values::degrees(lat).is_some())?;
    let rest = rest.trim_start();
    let lon = leading(rest)?;
    let after = &rest[number_len(rest)..];
    let is_over = after.is_empty() || after.starts_with([',', '(', '~', ' ', '+', '_', '&', '/']);
    // Two whole numbers are more likely a house number and a floor.
    let is_exact = lat.contains('.') && rest[..number_len(rest)].contains('.');
    (is_over && is_exact).then_some(())?;
    on_earth(lat_number, lon)
}

/// The number that a text starts with.
fn leading(text: &str) -> Option<f64> {
    let text = text.trim_start();
    values::degrees(&text[..number_len(text)])
}

fn number_len(text: &str) -> usize {
    let is_part = |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'.' | b'-' | b'+');
    text.bytes()
        .take(30)
        .take_while(|byte| is_part(byte))
        .count()
}

/// Words that may be an address: letters and a digit, and no bare point.
fn searched(value: &str) -> Option<String> {
    let has_letters = value.bytes().filter(u8::is_ascii_alphabetic).count() > 2;
    let has_digit = value.bytes().any(|byte| byte.is_ascii_digit());
    let is_other = loose_point(value).is_some() || value.contains("://");
    // Some encode the plus sign that stood for a space.
    let value = value.replace('+', " ");
    (has_letters && has_digit && !is_other).then(|| values::text(&value))?
}

/// Undoes `%2C` and `+`. What is no UTF-8 then is replaced.
fn decode(value: &str) -> String {
    let bytes = value.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = |at: usize| {
            bytes
                .get(at)
                .and_then(|&byte| char::from(byte).to_digit(16))
        };
        match byte {
            b'%' if let (Some(high), Some(low)) = (hex(at + 1), hex(at + 2)) => {
                decoded.push((high * 16 + low) as u8);
                at += 2;
            }
            // `q=48.1,+11.5` is a space, and a plus before a number means nothing.
            b'+' => decoded.push(b' '),
            _ => decoded.push(byte),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}
