//! Postal codes of any country, as sections of a pack.
//!
//! The US has ZIP codes with much more known about them, in sections of
//! their own; every other country's codes are here.

use super::section::{Reader, Strings, Writer};
use super::{NO_PLACE, PackError, degrees, fixed_point, starts};

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
    let labels = distinct(rows.iter().flat_map(|row| [&row.country, &row.division]));
    let names = distinct(rows.iter().flat_map(|row| &row.names));
    let label = |text: &String| u16::try_from(position(&labels, text)).expect("few divisions");
    let name = |text: &String| u32::try_from(position(&names, text)).expect("a few ten thousand");
    let n_names = |row: &&PostcodeRow| u16::try_from(row.names.len()).expect("a few names each");
    writer.strings("pc_labels", labels.iter().copied());
    writer.u16s("pc_country", rows.iter().map(|row| label(&row.country)));
    writer.u16s("pc_division", rows.iter().map(|row| label(&row.division)));
    writer.strings("pc_code", rows.iter().map(|row| row.code.as_str()));
    let city = |row: &&PostcodeRow| row.city.unwrap_or(NO_PLACE);
    writer.u32s("pc_city", rows.iter().map(city));
    writer.u32s("pc_lat", rows.iter().map(|row| fixed_point(row.lat)));
    writer.u32s("pc_lon", rows.iter().map(|row| fixed_point(row.lon)));
    writer.u16s("pc_count", rows.iter().map(n_names));
    writer.u32s("pc_name", rows.iter().flat_map(|row| &row.names).map(name));
    writer.strings("pc_names", names.iter().copied());
}

fn distinct<'t>(texts: impl Iterator<Item = &'t String>) -> Vec<&'t str> {
    let mut texts: Vec<&str> = texts.map(String::as_str).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

fn position(texts: &[&str], text: &str) -> usize {
    texts
        .binary_search(&text)
        .expect("every text was collected above")
}

/// Decoded postal codes, by country and code.
pub(crate) struct Postcodes {
    pub(crate) labels: Strings,
    pub(crate) countries: Vec<u16>,
    pub(crate) divisions: Vec<u16>,
    pub(crate) codes: Strings,
    pub(crate) cities: Vec<u32>,
    pub(crate) lats: Vec<f32>,
    pub(crate) lons: Vec<f32>,
    /// Names of code i lie at `name_starts[i]..name_starts[i + 1]`.
    pub(crate) name_starts: Vec<u32>,
    pub(crate) name_idxs: Vec<u32>,
    pub(crate) names: Strings,
}

impl Postcodes {
    /// Reads and checks the sections; afterwards every position is valid.
    pub(super) fn decode(reader: &Reader<'_>, n_places: usize) -> Result<Postcodes, PackError> {
        let counts = reader.u16s("pc_count")?.into_iter().map(u32::from);
        let postcodes = Postcodes {
            labels: reader.strings("pc_labels")?,
            countries: reader.u16s("pc_country")?,
            divisions: reader.u16s("pc_division")?,
            codes: reader.strings("pc_code")?,
            cities: reader.u32s("pc_city")?,
            lats: reader.u32s("pc_lat")?.into_iter().map(degrees).collect(),
            lons: reader.u32s("pc_lon")?.into_iter().map(degrees).collect(),
            name_starts: starts("pc_count", counts)?,
            name_idxs: reader.u32s("pc_name")?,
            names: reader.strings("pc_names")?,
        };
        match postcodes.unsound(n_places) {
            Some(section) => Err(PackError::Section { section }),
            None => Ok(postcodes),
        }
    }

    /// The first section that contradicts another one.
    fn unsound(&self, n_places: usize) -> Option<&'static str> {
        let n = self.codes.len();
        let labelled = |column: &[u16]| {
            let known = |&idx: &u16| usize::from(idx) < self.labels.len();
            column.len() == n && column.iter().all(known)
        };
        let place = |&id: &u32| id == NO_PLACE || (id as usize) < n_places;
        let named = |&idx: &u32| (idx as usize) < self.names.len();
        let n_names = self.name_starts.last().map(|&end| end as usize);
        let checks = [
            ("pc_country", labelled(&self.countries)),
            ("pc_division", labelled(&self.divisions)),
            (
                "pc_city",
                self.cities.len() == n && self.cities.iter().all(place),
            ),
            ("pc_lat", self.lats.len() == n),
            ("pc_lon", self.lons.len() == n),
            ("pc_count", self.name_starts.len() == n + 1),
            (
                "pc_name",
                n_names == Some(self.name_idxs.len()) && self.name_idxs.iter().all(named),
            ),
        ];
        let wrong = checks.into_iter().find(|(_, sound)| !sound);
        wrong.map(|(section, _)| section)
    }
}
