//! `meta` elements about places: `geo.*`, `ICBM`, and Open Graph's several ways.

use super::words::Word;
use super::{Fact, Facts, Kind, values};

/// Which family of names a `meta` belongs to; each tells of a place of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Family {
    Geo,
    OpenGraph,
}

/// The places that the `meta` elements so far tell of.
#[derive(Debug)]
pub(super) struct Metas {
    geo: Fact,
    open_graph: Fact,
}

impl Metas {
    pub(super) fn new() -> Metas {
        Metas {
            geo: Fact::new(Kind::Meta),
            open_graph: Fact::new(Kind::Meta),
        }
    }

    /// Reads one element, whose name may be its `name` or its `property`.
    pub(super) fn note(&mut self, name: &str, content: &str, facts: &mut Facts) {
        let name = name.trim_ascii();
        if let Some(rest) = strip(name, "geo.") {
            self.note_geo(rest, content, facts);
        } else if name.eq_ignore_ascii_case("icbm") {
            self.note_geo("position", content, facts);
        } else if let Some(rest) = strip(name, "og:")
            .or_else(|| strip(name, "place:location:"))
            .or_else(|| strip(name, "business:contact_data:"))
            && let Some(word) = open_graph_word(rest)
        {
            self.put(Family::OpenGraph, word, content, facts);
        }
    }

    pub(super) fn finish(self, facts: &mut Facts) {
        facts.push(self.geo);
        facts.push(self.open_graph);
    }

    fn note_geo(&mut self, name: &str, content: &str, facts: &mut Facts) {
        let is = |other: &str| name.eq_ignore_ascii_case(other);
        if is("position") {
            let Some(point) = values::point(content) else {
                return;
            };
            // `geo.position` and `ICBM` usually say the same.
            if self.geo.has_point()
                && (self.geo.lat, self.geo.lon) != (Some(point.0), Some(point.1))
            {
                self.flush(Family::Geo, facts);
            }
            self.geo.set_point(point);
        } else if is("placename") {
            self.put(Family::Geo, Word::City, content, facts);
        } else if is("country") {
            self.put(Family::Geo, Word::Country, content, facts);
        } else if is("region") {
            // `US-CO`, or a country alone.
            let (country, region) = content.split_once('-').unwrap_or((content, ""));
            if country.trim().len() == 2 {
                self.put(Family::Geo, Word::Country, country, facts);
                self.put(Family::Geo, Word::State, region, facts);
            } else {
                self.put(Family::Geo, Word::State, content, facts);
            }
        }
    }

    /// A second value for the same part begins another place.
    fn put(&mut self, family: Family, word: Word, content: &str, facts: &mut Facts) {
        let number = values::degrees(content);
        let text = values::text(content);
        let fact = match family {
            Family::Geo => &mut self.geo,
            Family::OpenGraph => &mut self.open_graph,
        };
        let is_new_text = |part: &Option<String>| {
            text.is_some()
                && part
                    .as_ref()
                    .zip(text.as_ref())
                    .is_some_and(|(old, new)| !old.eq_ignore_ascii_case(new))
        };
        let is_other = match word {
            Word::Lat => fact.lat.zip(number).is_some_and(|(old, new)| old != new),
            Word::Lon => fact.lon.zip(number).is_some_and(|(old, new)| old != new),
            Word::Street => is_new_text(&fact.street),
            Word::City => is_new_text(&fact.city),
            Word::State => is_new_text(&fact.state),
            Word::Zip => is_new_text(&fact.zip),
            _ => is_new_text(&fact.country),
        };
        if is_other {
            self.flush(family, facts);
        }
        let fact = match family {
            Family::Geo => &mut self.geo,
            Family::OpenGraph => &mut self.open_graph,
        };
        match word {
            Word::Lat => fact.lat = number.or(fact.lat),
            Word::Lon => fact.lon = number.or(fact.lon),
            Word::Street => fact.street = text.or(fact.street.take()),
            Word::City => fact.city = text.or(fact.city.take()),
            Word::State => fact.state = text.or(fact.state.take()),
            Word::Zip => fact.zip = text.or(fact.zip.take()),
            _ => fact.country = text.or(fact.country.take()),
        }
    }

    fn flush(&mut self, family: Family, facts: &mut Facts) {
        let fact = match family {
            Family::Geo => &mut self.geo,
            Family::OpenGraph => &mut self.open_graph,
        };
        facts.push(std::mem::replace(fact, Fact::new(Kind::Meta)));
    }
}

fn strip<'n>(name: &'n str, prefix: &str) -> Option<&'n str> {
    let start = name.get(..prefix.len())?;
    start
        .eq_ignore_ascii_case(prefix)
        .then(|| &name[prefix.len()..])
}

fn open_graph_word(name: &str) -> Option<Word> {
    const WORDS: [(&str, Word); 7] = [
        ("latitude", Word::Lat),
        ("longitude", Word::Lon),
        ("street-address", Word::Street),
        ("locality", Word::City),
        ("region", Word::State),
        ("postal-code", Word::Zip),
        ("country-name", Word::Country),
    ];
    // `business:` writes `street_address`.
    let same = |known: &str| {
        known.len() == name.len()
            && known.bytes().zip(name.bytes()).all(|(known, byte)| {
                byte.eq_ignore_ascii_case(&known) || known == b'-' && byte == b'_'
            })
    };
    WORDS
        .iter()
        .find(|(known, _)| same(known))
        .map(|&(_, word)| word)
}
