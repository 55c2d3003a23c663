//! US ZIP codes: their cities, and what their addresses call these.

use super::{Gazetteer, PlaceId};
use crate::pack::{NO_PLACE, Pack};

/// A US postal code and the middle of its area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Zip {
    /// The five digits as a number: `00501` is 501.
    pub code: u32,
    /// The city it belongs to.
    pub city: PlaceId,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
}

/// The area of a US ZIP code and what its addresses call their city.
#[derive(Clone, Copy)]
pub struct ZipArea<'g> {
    /// The five digits as a number.
    pub code: u32,
    /// Two letters of the state, territory or military region.
    pub state: &'g str,
    /// Its city, where that is a place of the pack.
    pub place: Option<PlaceId>,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
    idx: usize,
    pack: &'g Pack,
}

impl<'g> ZipArea<'g> {
    /// Cities in its addresses: the post's own name first, then others in use.
    pub fn names(&self) -> impl Iterator<Item = &'g str> + use<'g> {
        let pack = self.pack;
        let starts = pack.zip_name_starts;
        let range = starts.get(self.idx) as usize..starts.get(self.idx + 1) as usize;
        range.map(move |at| pack.zip_names.get(pack.zip_name_idxs.get(at) as usize))
    }
}

impl std::fmt::Debug for ZipArea<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:05} {}", self.code, self.state)
    }
}

impl Gazetteer {
    /// ZIP codes of a US city, ascending.
    pub fn zips(&self, id: PlaceId) -> &[Zip] {
        let start = self.zips.partition_point(|zip| zip.city < id);
        let end = self.zips.partition_point(|zip| zip.city <= id);
        &self.zips[start..end]
    }

    /// What is known of a ZIP code with a known city, given by its five digits (`02134`, also `02134-1000`).
    pub fn zip(&self, digits: &str) -> Option<Zip> {
        let area = self.zip_area(zip_code(digits)?)?;
        Some(Zip {
            code: area.code,
            city: area.place?,
            lat: area.lat,
            lon: area.lon,
        })
    }

    /// The area of a ZIP code, also where its city is no place of the pack.
    pub fn zip_area(&self, code: u32) -> Option<ZipArea<'_>> {
        let idx = self.pack.zip_codes.search(code)?;
        Some(self.zip_area_at(idx))
    }

    /// All ZIP codes, ascending.
    pub fn zip_areas(&self) -> impl Iterator<Item = ZipArea<'_>> {
        (0..self.pack.zip_codes.len()).map(|idx| self.zip_area_at(idx))
    }

    fn zip_area_at(&self, idx: usize) -> ZipArea<'_> {
        let pack = &self.pack;
        let place = pack.zip_cities.get(idx);
        let (lat, lon) = pack.zip_coordinates(idx);
        ZipArea {
            code: pack.zip_codes.get(idx),
            state: pack.zip_state(idx),
            place: (place != NO_PLACE).then_some(PlaceId(place)),
            lat,
            lon,
            idx,
            pack,
        }
    }

    /// The city a ZIP code belongs to.
    pub fn city_of_zip(&self, digits: &str) -> Option<PlaceId> {
        self.zip(digits).map(|zip| zip.city)
    }
}

/// `02134` or `02134-1000` as the number 2134.
fn zip_code(digits: &str) -> Option<u32> {
    let (five, rest) = digits.trim().split_at_checked(5)?;
    let plain = five.bytes().all(|byte| byte.is_ascii_digit())
        && (rest.is_empty() || rest.starts_with('-'));
    plain.then(|| five.parse().ok())?
}

/// ZIP codes with a known city, by city, then code.
pub(super) fn zips_of(pack: &Pack) -> Vec<Zip> {
    let known = |idx: &usize| pack.zip_cities.get(*idx) != NO_PLACE;
    let mut zips: Vec<Zip> = (0..pack.zip_codes.len())
        .filter(known)
        .map(|idx| {
            let (lat, lon) = pack.zip_coordinates(idx);
            Zip {
                code: pack.zip_codes.get(idx),
                city: PlaceId(pack.zip_cities.get(idx)),
                lat,
                lon,
            }
        })
        .collect();
    zips.sort_unstable_by_key(|zip| (zip.city, zip.code));
    zips
}
