//! What coordinates are those of.

/// What coordinates are those of, finest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Precision {
    /// The page's own: it states them for machines, or links to a map.
    Page,
    /// The middle of a postal code's area.
    Postcode,
    /// The middle of a place.
    Place,
}

impl Precision {
    /// Every precision, finest first.
    pub const ALL: [Precision; 3] = [Precision::Page, Precision::Postcode, Precision::Place];

    /// The word that JSON shows, e.g. `postcode`.
    pub fn name(self) -> &'static str {
        match self {
            Precision::Page => "page",
            Precision::Postcode => "postcode",
            Precision::Place => "place",
        }
    }
}
