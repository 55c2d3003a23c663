//! Postal codes outside the US: what they are called and where they lie.

use super::{Gazetteer, PlaceId};
use crate::pack::{NO_PLACE, Pack};

/// The area of a postal code and what its addresses call their city.
#[derive(Clone, Copy)]
pub struct Postcode<'g> {
    /// The code as it is written, without a country before it.
    pub code: &'g str,
    /// The post's own letters of the first-level division: `NI` for Lower Saxony.
    pub division: &'g str,
    /// Its largest city, where that is a place of the pack.
    pub place: Option<PlaceId>,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
    idx: usize,
    pack: &'g Pack,
}

impl<'g> Postcode<'g> {
    /// Cities and villages in its addresses, the largest first.
    pub fn names(&self) -> impl Iterator<Item = &'g str> + use<'g> {
        let postcodes = &self.pack.postcodes;
        let bound = |idx: usize| postcodes.name_starts.get(idx) as usize;
        (bound(self.idx)..bound(self.idx + 1))
            .map(|at| postcodes.names.get(postcodes.name_idxs.get(at) as usize))
    }
}

impl std::fmt::Debug for Postcode<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.code, self.division)
    }
}

impl Gazetteer {
    /// All postal codes of a country, ascending; none for the US, which has [`Gazetteer::zip_areas`].
    pub fn postcodes(&self, country: &str) -> impl Iterator<Item = Postcode<'_>> + use<'_> {
        let postcodes = &self.pack.postcodes;
        let label = (0..postcodes.labels.len()).find(|&idx| postcodes.labels.get(idx) == country);
        (0..postcodes.countries.len())
            .filter(move |&idx| Some(postcodes.countries.get(idx) as usize) == label)
            .map(|idx| self.postcode_at(idx))
    }

    /// What is known of one postal code.
    pub fn postcode(&self, country: &str, code: &str) -> Option<Postcode<'_>> {
        self.postcodes(country)
            .find(|postcode| postcode.code == code)
    }

    fn postcode_at(&self, idx: usize) -> Postcode<'_> {
        let postcodes = &self.pack.postcodes;
        let place = postcodes.cities.get(idx);
        let (lat, lon) = postcodes.coordinates(idx);
        Postcode {
            code: postcodes.codes.get(idx),
            division: postcodes.labels.get(postcodes.divisions.get(idx) as usize),
            place: (place != NO_PLACE).then_some(PlaceId(place)),
            lat,
            lon,
            idx,
            pack: &self.pack,
        }
    }
}
