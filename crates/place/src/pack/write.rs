//! Writes a pack.

use super::postcodes;
use super::section::Writer;
use super::{Contents, INHERITED, NO_PLACE, PlaceRow, Posting, ZipRow, fixed_point};
use crate::gazetteer::Kind;
use fst::MapBuilder;
use std::collections::BTreeMap;

impl Contents {
    /// The pack's bytes, not yet compressed. The same contents give the same bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut writer = Writer::default();
        self.encode_places(&mut writer);
        self.encode_names(&mut writer);
        self.encode_wordnet(&mut writer);
        encode_lists(
            &mut writer,
            "st_place",
            "st_start",
            "streets",
            &self.streets,
        );
        writer.strings("common", self.common_streets.iter().map(String::as_str));
        self.encode_zips(&mut writer);
        postcodes::encode(&mut writer, &self.postcodes);
        encode_lists(&mut writer, "sd_place", "sd_start", "seeds", &self.seeds);
        writer.finish()
    }

    fn encode_places(&self, writer: &mut Writer) {
        let places = &self.places;
        let codes = Distinct::new(
            places
                .iter()
                .flat_map(|place| [&place.country, &place.division, &place.time_zone])
                .map(String::as_str),
        );
        let inherited = |place: &PlaceRow, code: fn(&PlaceRow) -> &String| {
            let parent = place.parent.map(|parent| &places[parent as usize]);
            match parent {
                Some(parent) if code(parent) == code(place) => INHERITED,
                _ => codes.idx(code(place)),
            }
        };
        let rows = || places.iter();
        writer.strings("codes", codes.iter());
        writer.strings("names", rows().map(|place| place.name.as_str()));
        writer.column::<1>("kind", rows().map(|place| kind_number(place.kind)));
        writer.column::<3>("geonames", rows().map(|place| place.geonameid));
        writer.column::<3>("lat", rows().map(|place| fixed_point(place.lat)));
        writer.column::<3>("lon", rows().map(|place| fixed_point(place.lon)));
        writer.column::<4>("people", rows().map(|place| place.population));
        let parent = |place: &PlaceRow| place.parent.unwrap_or(NO_PLACE);
        writer.column::<3>("parent", rows().map(parent));
        let country = |place: &PlaceRow| inherited(place, |row| &row.country);
        writer.column::<2>("country", rows().map(country));
        let division = |place: &PlaceRow| inherited(place, |row| &row.division);
        writer.column::<2>("division", rows().map(division));
        let zone = |place: &PlaceRow| codes.idx(&place.time_zone);
        writer.column::<2>("zone", rows().map(zone));
    }

    fn encode_names(&self, writer: &mut Writer) {
        let mut builder = MapBuilder::memory();
        let mut postings = Vec::new();
        for (key, bearers) in &self.names {
            let Some((last, others)) = bearers.split_last() else {
                continue;
            };
            let start = postings.len() as u64;
            builder
                .insert(key, start)
                .expect("a BTreeMap's keys ascend");
            postings.extend(
                others
                    .iter()
                    .map(|&(at, role)| Posting::new(at, role, false)),
            );
            postings.push(Posting::new(last.0, last.1, true));
        }
        let keys = builder
            .into_inner()
            .expect("writing to memory does not fail");
        writer.bytes("keys", keys);
        writer.column::<3>("postings", postings.into_iter().map(|posting| posting.0));
        let abbreviations = || self.abbreviations.iter();
        writer.strings("abbr", abbreviations().map(|(text, _)| text.as_str()));
        writer.column::<3>("abbr_place", abbreviations().map(|&(_, place)| place));
    }

    fn encode_wordnet(&self, writer: &mut Writer) {
        let synsets: Vec<(u32, u32)> = (0..)
            .zip(&self.places)
            .filter_map(|(position, place)| Some((position, place.synset?)))
            .collect();
        writer.column::<3>("sy_place", synsets.iter().map(|&(position, _)| position));
        writer.column::<4>("synset", synsets.iter().map(|&(_, synset)| synset));
        writer.column::<3>("part_place", self.part_of.keys().copied());
        writer.starts("part_start", self.part_of.values().map(Vec::len));
        writer.column::<3>("part_of", self.part_of.values().flatten().copied());
    }

    fn encode_zips(&self, writer: &mut Writer) {
        let mut zips: Vec<&ZipRow> = self.zips.iter().collect();
        zips.sort_by_key(|zip| zip.code);
        let states = Distinct::new(zips.iter().map(|zip| zip.state.as_str()));
        let all_names = || zips.iter().flat_map(|zip| &zip.names);
        let names = Distinct::new(all_names().map(String::as_str));
        writer.column::<3>("zip_code", zips.iter().map(|zip| zip.code));
        let city = |zip: &&ZipRow| zip.city.unwrap_or(NO_PLACE);
        writer.column::<3>("zip_city", zips.iter().map(city));
        writer.column::<3>("zip_lat", zips.iter().map(|zip| fixed_point(zip.lat)));
        writer.column::<3>("zip_lon", zips.iter().map(|zip| fixed_point(zip.lon)));
        writer.column::<1>("zip_state", zips.iter().map(|zip| states.idx(&zip.state)));
        writer.starts("zip_start", zips.iter().map(|zip| zip.names.len()));
        writer.column::<3>("zip_name", all_names().map(|name| names.idx(name)));
        writer.strings("zip_states", states.iter());
        writer.strings("zip_names", names.iter());
    }
}

fn encode_lists(
    writer: &mut Writer,
    place_tag: &'static str,
    start_tag: &'static str,
    text_tag: &'static str,
    lists: &BTreeMap<u32, Vec<String>>,
) {
    writer.column::<3>(place_tag, lists.keys().copied());
    writer.starts(start_tag, lists.values().map(Vec::len));
    writer.strings(text_tag, lists.values().flatten().map(String::as_str));
}

/// Different strings in order, to be named by their position.
pub(super) struct Distinct<'s>(Vec<&'s str>);

impl<'s> Distinct<'s> {
    pub(super) fn new(strings: impl Iterator<Item = &'s str>) -> Distinct<'s> {
        let mut distinct: Vec<&str> = strings.collect();
        distinct.sort_unstable();
        distinct.dedup();
        Distinct(distinct)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &'s str> {
        self.0.iter().copied()
    }

    pub(super) fn idx(&self, string: &str) -> u32 {
        let idx = self.0.binary_search(&string);
        u32::try_from(idx.expect("every string was collected before")).expect("far fewer")
    }
}

fn kind_number(kind: Kind) -> u32 {
    let number = Kind::ALL.iter().position(|&known| known == kind);
    u32::try_from(number.expect("all kinds are listed")).expect("a dozen kinds")
}
