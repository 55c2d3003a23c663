//! What kinds of places there are, and in which way a name names one.

/// What kind of place, largest first; what is no step of the hierarchy comes last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A continent.
    Continent,
    /// A sovereign country or dependency.
    Country,
    /// State, province, Land.
    Division1,
    /// County, district, Kreis.
    Division2,
    /// Populated place.
    City,
    /// Part of a city: Harlem, Altona.
    Section,
    /// Region without a government of its own: New England, the Balkans.
    Region,
    /// An island or a group of them.
    Island,
    /// Mountain, range, desert, valley, cape.
    Mountain,
    /// River, lake, sea, bay.
    Water,
    /// Something built or set apart: a park, a monument, a battlefield.
    Landmark,
}

impl Kind {
    /// Every kind, by its number in the pack.
    pub(crate) const ALL: [Kind; 11] = [
        Kind::Country,
        Kind::Division1,
        Kind::Division2,
        Kind::City,
        Kind::Continent,
        Kind::Section,
        Kind::Region,
        Kind::Island,
        Kind::Mountain,
        Kind::Water,
        Kind::Landmark,
    ];

    /// A place that people live in, with a middle: a city or a part of one.
    pub fn is_settlement(self) -> bool {
        matches!(self, Kind::City | Kind::Section)
    }

    /// The word that listings and JSON show, e.g. `city`.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Continent => "continent",
            Kind::Country => "country",
            Kind::Division1 => "state",
            Kind::Division2 => "county",
            Kind::City => "city",
            Kind::Section => "section",
            Kind::Region => "region",
            Kind::Island => "island",
            Kind::Mountain => "mountain",
            Kind::Water => "water",
            Kind::Landmark => "landmark",
        }
    }
}

/// In which way a name names a place, strongest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Its usual name.
    Name,
    /// Another name: former, foreign, official, colloquial.
    Alias,
    /// Its people or an adjective: `Texan`, `Germans`, `Parisian`.
    Demonym,
    /// A short form that counts in exactly its spelling only: `U.S.`, `Calif.`, `NYC`.
    Abbreviation,
}

impl Role {
    /// Every role, by its number in the pack.
    pub(crate) const ALL: [Role; 4] = [Role::Name, Role::Alias, Role::Demonym, Role::Abbreviation];
}
