//! The gazetteer: every place we know, by name and by hierarchy.

/// A place's position in the pack; stable for one pack only (store `geonameid` on disk).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct PlaceId(pub u32);

/// What kind of place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A sovereign country or dependency.
    Country,
    /// State, province, Land.
    Division1,
    /// County, district, Kreis.
    Division2,
    /// Populated place.
    City,
}

/// A borrowed view of one place.
#[derive(Debug, Clone, Copy)]
pub struct Place<'g> {
    /// Its position in the pack.
    pub id: PlaceId,
    /// GeoNames identifier; zero where GeoNames has none.
    pub geonameid: u32,
    /// Usual name.
    pub name: &'g str,
    /// Its kind.
    pub kind: Kind,
    /// Degrees north.
    pub lat: f32,
    /// Degrees east.
    pub lon: f32,
    /// People, zero where unknown.
    pub population: u32,
    /// ISO country code.
    pub country: &'g str,
    /// First-level code: for the US the two-letter state.
    pub division: &'g str,
    /// IANA time zone, empty for divisions and countries.
    pub time_zone: &'g str,
}

/// All places, opened from a data pack.
pub struct Gazetteer {}

impl Gazetteer {
    /// The pack embedded in the program, opened on first use.
    pub fn built_in() -> &'static Gazetteer {
        todo!()
    }
    /// One place.
    pub fn place(&self, _id: PlaceId) -> Place<'_> {
        todo!()
    }
    /// Places of this name or alias, most populous first; case and accents do not matter.
    pub fn find(&self, _name: &str) -> Vec<PlaceId> {
        todo!()
    }
    /// The place a GeoNames identifier stands for.
    pub fn by_geonameid(&self, _geonameid: u32) -> Option<PlaceId> {
        todo!()
    }
    /// What contains it directly.
    pub fn parent(&self, _id: PlaceId) -> Option<PlaceId> {
        todo!()
    }
    /// Itself, then everything that contains it, smallest first.
    pub fn chain(&self, _id: PlaceId) -> impl Iterator<Item = PlaceId> + '_ {
        std::iter::empty()
    }
    /// What it contains directly.
    pub fn children(&self, _id: PlaceId) -> &[PlaceId] {
        todo!()
    }
    /// Street names known for a city, e.g. `W 158th St`; empty where we have none.
    pub fn streets(&self, _id: PlaceId) -> &[&str] {
        todo!()
    }
    /// Names close in spelling, best first, for "did you mean".
    pub fn nearest_names(&self, _name: &str, _n: usize) -> Vec<PlaceId> {
        todo!()
    }
    /// `Houston, Texas, United States`
    pub fn describe(&self, _id: PlaceId) -> String {
        todo!()
    }
    /// How many places there are.
    pub fn len(&self) -> usize {
        todo!()
    }
    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}
