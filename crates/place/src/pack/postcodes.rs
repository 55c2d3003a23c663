//! Postal codes of any country, as sections of a pack.
//!
//! The US has ZIP codes with much more known about them, in sections of
//! their own; every other country's codes are here.

use super::section::{Reader, Writer};
use super::write::Distinct;
use super::{Column, NO_PLACE, PackError, Strings, degrees, fixed_point};

/// One postal code as the builder of a pack knows it.
#[derive(Debug, Clone)]
pub struct PostcodeRow {
    /// ISO country code.
    pub country: String,
    /// The code as it is written, without a country before it.
    pub code: String,
    /// The post's own letters of the first-level division: `NI` for Lower Saxony.
    pub division: String,
    /// Position of its city, where that is a place of the pack.
    pub city: Option<u32>,
    /// Names of cities and villages in its addresses, the largest first.
    pub names: Vec<String>,
    /// Degrees north.
    pub lat: f64,
    /// Degrees east.
    pub lon: f64,
}

/// Writes the sections; rows are sorted by country and code.
pub(super) fn encode(writer: &mut Writer, rows: &[PostcodeRow]) {
    let mut rows: Vec<&PostcodeRow> = rows.iter().collect();
    rows.sort_by(|a, b| (&a.country, &a.code).cmp(&(&b.country, &b.code)));
    let labels = Distinct::new(
        rows.iter()
            .flat_map(|row| [row.country.as_str(), row.division.as_str()]),
    );
    let all_names = || rows.iter().flat_map(|row| &row.names);
    let names = Distinct::new(all_names().map(String::as_str));
    writer.strings("pc_labels", labels.iter());
    let country = |row: &&PostcodeRow| labels.idx(&row.country);
    writer.column::<1>("pc_country", rows.iter().map(country));
    let division = |row: &&PostcodeRow| labels.idx(&row.division);
    writer.column::<1>("pc_division", rows.iter().map(division));
    writer.strings("pc_code", rows.iter().map(|row| row.code.as_str()));
    let city = |row: &&PostcodeRow| row.city.unwrap_or(NO_PLACE);
    writer.column::<3>("pc_city", rows.iter().map(city));
    writer.column::<3>("pc_lat", rows.iter().map(|row| fixed_point(row.lat)));
    writer.column::<3>("pc_lon", rows.iter().map(|row| fixed_point(row.lon)));
    writer.starts("pc_start", rows.iter().map(|row| row.names.len()));
    writer.column::<3>("pc_name", all_names().map(|name| names.idx(name)));
    writer.strings("pc_names", names.iter());
}

/// Postal codes, by country and code.
pub(crate) struct Postcodes {
    pub(crate) labels: Strings,
    pub(crate) countries: Column<1>,
    pub(crate) divisions: Column<1>,
    pub(crate) codes: Strings,
    pub(crate) cities: Column<3>,
    lats: Column<3>,
    lons: Column<3>,
    /// Names of code i lie at `name_starts[i]..name_starts[i + 1]`.
    pub(crate) name_starts: Column<3>,
    pub(crate) name_idxs: Column<3>,
    pub(crate) names: Strings,
}

impl Postcodes {
    pub(super) fn decode(reader: &Reader) -> Result<Postcodes, PackError> {
        let codes = reader.strings("pc_code")?;
        let name_idxs: Column<3> = reader.column("pc_name")?;
        Ok(Postcodes {
            labels: reader.strings("pc_labels")?,
            countries: reader.column("pc_country")?,
            divisions: reader.column("pc_division")?,
            cities: reader.column("pc_city")?,
            lats: reader.column("pc_lat")?,
            lons: reader.column("pc_lon")?,
            name_starts: reader.starts("pc_start", codes.len(), name_idxs.len())?,
            codes,
            name_idxs,
            names: reader.strings("pc_names")?,
        })
    }

    pub(crate) fn coordinates(&self, idx: usize) -> (f32, f32) {
        (degrees(self.lats.get(idx)), degrees(self.lons.get(idx)))
    }

    /// The first section that contradicts another one.
    pub(super) fn broken(&self, n_places: usize) -> Option<&'static str> {
        let n = self.codes.len();
        let labelled = |column: Column<1>| {
            let known = |idx: u32| (idx as usize) < self.labels.len();
            column.len() == n && column.iter().all(known)
        };
        let place = |id: u32| id == NO_PLACE || (id as usize) < n_places;
        let named = |idx: u32| (idx as usize) < self.names.len();
        let checks = [
            ("pc_country", labelled(self.countries)),
            ("pc_division", labelled(self.divisions)),
            (
                "pc_city",
                self.cities.len() == n && self.cities.iter().all(place),
            ),
            ("pc_lat", self.lats.len() == n),
            ("pc_lon", self.lons.len() == n),
            ("pc_name", self.name_idxs.iter().all(named)),
        ];
        let wrong = checks.into_iter().find(|(_, sound)| !sound);
        wrong.map(|(section, _)| section)
    }
}
