//! Reads a pack and checks that its parts agree.

use super::postcodes::Postcodes;
use super::section::Reader;
use super::{Column, INHERITED, NO_PLACE, PackError, Posting, Strings, degrees};
use crate::gazetteer::Kind;
use fst::Map;

/// A checked pack, read in place.
pub(crate) struct Pack {
    pub(crate) codes: Vec<&'static str>,
    pub(crate) names: Strings,
    kinds: Column<1>,
    pub(crate) geonameids: Column<3>,
    lats: Column<3>,
    lons: Column<3>,
    pub(crate) populations: Column<4>,
    pub(crate) parents: Column<3>,
    countries: Column<2>,
    divisions: Column<2>,
    zones: Column<2>,
    /// Normal form of a name to its first posting.
    pub(crate) keys: Map<&'static [u8]>,
    postings: Column<3>,
    /// Sorted.
    pub(crate) abbreviations: Strings,
    pub(crate) abbreviation_places: Column<3>,
    /// Ascending places that have a synset.
    pub(crate) synset_places: Column<3>,
    pub(crate) synsets: Column<4>,
    /// Ascending places that are part of something beside their parents.
    pub(crate) part_places: Column<3>,
    pub(crate) part_starts: Column<3>,
    pub(crate) parts_of: Column<3>,
    pub(crate) streets: Lists,
    pub(crate) common_streets: Strings,
    pub(crate) zip_codes: Column<3>,
    pub(crate) zip_cities: Column<3>,
    zip_lats: Column<3>,
    zip_lons: Column<3>,
    zip_states: Column<1>,
    /// Names of ZIP i lie at `zip_name_starts[i]..zip_name_starts[i + 1]`.
    pub(crate) zip_name_starts: Column<3>,
    pub(crate) zip_name_idxs: Column<3>,
    state_codes: Strings,
    pub(crate) zip_names: Strings,
    pub(crate) postcodes: Postcodes,
    pub(crate) seeds: Lists,
}

/// Lists of strings that belong to some places.
#[derive(Clone, Copy)]
pub(crate) struct Lists {
    /// Ascending.
    pub(crate) places: Column<3>,
    /// The list of `places[i]` lies at `starts[i]..starts[i + 1]`.
    pub(crate) starts: Column<3>,
    pub(crate) texts: Strings,
}

impl Pack {
    /// Opens and checks a pack; afterwards every position in it is valid.
    pub(crate) fn decode(bytes: &'static [u8]) -> Result<Pack, PackError> {
        let reader = Reader::open(bytes)?;
        let zip_codes: Column<3> = reader.column("zip_code")?;
        let zip_name_idxs: Column<3> = reader.column("zip_name")?;
        let part_places: Column<3> = reader.column("part_place")?;
        let parts_of: Column<3> = reader.column("part_of")?;
        let pack = Pack {
            codes: reader.strings("codes")?.iter().collect(),
            names: reader.strings("names")?,
            kinds: reader.column("kind")?,
            geonameids: reader.column("geonames")?,
            lats: reader.column("lat")?,
            lons: reader.column("lon")?,
            populations: reader.column("people")?,
            parents: reader.column("parent")?,
            countries: reader.column("country")?,
            divisions: reader.column("division")?,
            zones: reader.column("zone")?,
            keys: Map::new(reader.bytes("keys")?)
                .map_err(|_| PackError::Section { section: "keys" })?,
            postings: reader.column("postings")?,
            abbreviations: reader.strings("abbr")?,
            abbreviation_places: reader.column("abbr_place")?,
            synset_places: reader.column("sy_place")?,
            synsets: reader.column("synset")?,
            part_starts: reader.starts("part_start", part_places.len(), parts_of.len())?,
            part_places,
            parts_of,
            streets: reader.lists("st_place", "st_start", "streets")?,
            common_streets: reader.strings("common")?,
            zip_cities: reader.column("zip_city")?,
            zip_lats: reader.column("zip_lat")?,
            zip_lons: reader.column("zip_lon")?,
            zip_states: reader.column("zip_state")?,
            zip_name_starts: reader.starts("zip_start", zip_codes.len(), zip_name_idxs.len())?,
            zip_codes,
            zip_name_idxs,
            state_codes: reader.strings("zip_states")?,
            zip_names: reader.strings("zip_names")?,
            postcodes: Postcodes::decode(&reader)?,
            seeds: reader.lists("sd_place", "sd_start", "seeds")?,
        };
        let broken = pack.broken_places().or_else(|| pack.broken_lists());
        let broken = broken.or_else(|| pack.postcodes.broken(pack.len()));
        match broken {
            Some(section) => Err(PackError::Section { section }),
            None => Ok(pack),
        }
    }

    /// Number of places.
    pub(crate) fn len(&self) -> usize {
        self.kinds.len()
    }

    pub(crate) fn kind(&self, idx: usize) -> Kind {
        Kind::ALL[self.kinds.get(idx) as usize]
    }

    pub(crate) fn coordinates(&self, idx: usize) -> (f32, f32) {
        (degrees(self.lats.get(idx)), degrees(self.lons.get(idx)))
    }

    pub(crate) fn country(&self, idx: usize) -> &'static str {
        self.inherited(self.countries, idx)
    }

    pub(crate) fn division(&self, idx: usize) -> &'static str {
        self.inherited(self.divisions, idx)
    }

    pub(crate) fn time_zone(&self, idx: usize) -> &'static str {
        self.codes[self.zones.get(idx) as usize]
    }

    /// The code of a place, or of the nearest one around it that has one of its own.
    fn inherited(&self, column: Column<2>, idx: usize) -> &'static str {
        let mut idx = idx;
        loop {
            match column.get(idx) {
                INHERITED => idx = self.parents.get(idx) as usize,
                code => return self.codes[code as usize],
            }
        }
    }

    pub(crate) fn zip_coordinates(&self, idx: usize) -> (f32, f32) {
        let (lats, lons) = (self.zip_lats, self.zip_lons);
        (degrees(lats.get(idx)), degrees(lons.get(idx)))
    }

    pub(crate) fn zip_state(&self, idx: usize) -> &'static str {
        self.state_codes.get(self.zip_states.get(idx) as usize)
    }

    /// Bearers of the name whose first posting this is.
    pub(crate) fn postings(&self, first: u64) -> impl Iterator<Item = Posting> + use<> {
        let postings = self.postings;
        let mut next = usize::try_from(first)
            .ok()
            .filter(|&at| at < postings.len());
        std::iter::from_fn(move || {
            let at = next?;
            let posting = Posting(postings.get(at));
            next = (!posting.is_last() && at + 1 < postings.len()).then_some(at + 1);
            Some(posting)
        })
    }

    /// The first section about places that contradicts another one.
    fn broken_places(&self) -> Option<&'static str> {
        let n = self.len();
        let n_codes = self.codes.len();
        let coded = |idx: u32| (idx as usize) < n_codes;
        let coded_or_inherited = |column: Column<2>| {
            let mut pairs = column.iter().zip(self.parents.iter());
            pairs.all(|(idx, parent)| coded(idx) || (idx == INHERITED && parent != NO_PLACE))
        };
        let known_kind = |kind: u32| (kind as usize) < Kind::ALL.len();
        // In this order: a later check may rely on an earlier one.
        let checks: [(&str, &dyn Fn() -> bool); 10] = [
            ("kind", &|| self.kinds.iter().all(known_kind)),
            ("names", &|| self.names.len() == n),
            ("geonames", &|| self.geonameids.len() == n),
            ("lat", &|| self.lats.len() == n),
            ("lon", &|| self.lons.len() == n),
            ("people", &|| {
                self.populations.len() == n && self.populations.iter().is_sorted_by(|a, b| a >= b)
            }),
            ("parent", &|| {
                self.parents.len() == n && self.parents_are_larger()
            }),
            ("country", &|| {
                self.countries.len() == n && coded_or_inherited(self.countries)
            }),
            ("division", &|| {
                self.divisions.len() == n && coded_or_inherited(self.divisions)
            }),
            ("zone", &|| {
                self.zones.len() == n && self.zones.iter().all(coded)
            }),
        ];
        first_broken(&checks)
    }

    /// The first other section that contradicts another one.
    fn broken_lists(&self) -> Option<&'static str> {
        let n = self.len();
        let known = |column: Column<3>| column.iter().all(|id| (id as usize) < n);
        let ascending = |column: Column<3>| column.iter().is_sorted_by(|a, b| a < b);
        let n_zips = self.zip_codes.len();
        let checks: [(&str, &dyn Fn() -> bool); 15] = [
            ("postings", &|| {
                let mut postings = self.postings.iter().map(Posting);
                postings.all(|posting| (posting.place().0 as usize) < n)
            }),
            ("abbr", &|| self.abbreviations.iter().is_sorted()),
            ("abbr_place", &|| {
                self.abbreviation_places.len() == self.abbreviations.len()
                    && known(self.abbreviation_places)
            }),
            ("sy_place", &|| {
                ascending(self.synset_places) && known(self.synset_places)
            }),
            ("synset", &|| self.synsets.len() == self.synset_places.len()),
            ("part_place", &|| {
                ascending(self.part_places) && known(self.part_places)
            }),
            ("part_of", &|| known(self.parts_of)),
            ("st_place", &|| {
                ascending(self.streets.places) && known(self.streets.places)
            }),
            ("sd_place", &|| {
                ascending(self.seeds.places) && known(self.seeds.places)
            }),
            ("zip_code", &|| ascending(self.zip_codes)),
            ("zip_city", &|| {
                let mut cities = self.zip_cities.iter();
                self.zip_cities.len() == n_zips
                    && cities.all(|id| id == NO_PLACE || (id as usize) < n)
            }),
            ("zip_state", &|| {
                let mut states = self.zip_states.iter();
                self.zip_states.len() == n_zips
                    && states.all(|idx| (idx as usize) < self.state_codes.len())
            }),
            ("zip_name", &|| {
                let mut names = self.zip_name_idxs.iter();
                names.all(|idx| (idx as usize) < self.zip_names.len())
            }),
            ("zip_lat", &|| self.zip_lats.len() == n_zips),
            ("zip_lon", &|| self.zip_lons.len() == n_zips),
        ];
        first_broken(&checks)
    }

    /// A larger kind each step up: so no chain of parents can run in a circle.
    fn parents_are_larger(&self) -> bool {
        let mut pairs = self.parents.iter().enumerate();
        pairs.all(|(idx, parent)| {
            parent == NO_PLACE
                || ((parent as usize) < self.len() && self.kind(parent as usize) < self.kind(idx))
        })
    }
}

fn first_broken(checks: &[(&'static str, &dyn Fn() -> bool)]) -> Option<&'static str> {
    let broken = checks.iter().find(|(_, is_sound)| !is_sound());
    broken.map(|(section, _)| *section)
}
