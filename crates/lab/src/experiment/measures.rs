//! What trials are compared by: one table for files, reports and claims.

use crate::measure::Report;
use crate::published::Published;

/// A number of a report.
pub(super) type Number = fn(&Report) -> Option<f64>;

/// One measure of whole crawls.
pub struct Measure {
    /// Its name in files.
    pub name: &'static str,
    /// Its name for people.
    pub title: &'static str,
    /// Its value.
    pub ours: Number,
    /// The standard error of that value, where it was estimated from a sample.
    pub error: Number,
    /// What the paper found.
    pub theirs: fn(&Published) -> Option<f64>,
}

pub(super) const fn exact(
    name: &'static str,
    title: &'static str,
    ours: Number,
    theirs: fn(&Published) -> Option<f64>,
) -> Measure {
    Measure {
        name,
        title,
        ours,
        error: |_| None,
        theirs,
    }
}

/// The measures of the spec.
pub const MEASURES: [Measure; 11] = [
    exact(
        "geo_coverage",
        "Geo-coverage",
        |r| r.geo_coverage,
        |p| Some(p.geo_coverage),
    ),
    exact(
        "geo_coverage_without_general",
        "Geo-coverage without the general node",
        |r| r.geo_coverage_without_general,
        |p| Some(p.geo_coverage_without_general),
    ),
    exact("geo_focus", "Geo-focus", |r| r.geo_focus, |p| p.geo_focus),
    exact(
        "unique_entities",
        "Unique geo-entities",
        |r| r.unique_entities,
        |p| Some(p.unique_entities),
    ),
    Measure {
        name: "geo_centrality",
        title: "Geo-centrality",
        ours: |r| r.geo_centrality,
        error: |r| r.geo_centrality_error,
        theirs: |p| Some(p.geo_centrality),
    },
    exact("overlap", "Overlap", |r| r.overlap, |p| Some(p.overlap)),
    exact(
        "diversity",
        "Diversity",
        |r| r.diversity,
        |p| Some(p.diversity),
    ),
    exact(
        "communication_overhead",
        "URLs exchanged per page",
        |r| r.communication_overhead,
        |p| Some(p.communication_overhead),
    ),
    Measure {
        name: "locality_linked",
        title: "Locality of linked pages, δ",
        ours: |r| r.locality.linked,
        error: |r| r.locality.linked_error,
        theirs: |p| p.locality.map(|(linked, _)| linked),
    },
    Measure {
        name: "locality_unlinked",
        title: "Locality of other pages, δ̃",
        ours: |r| r.locality.unlinked,
        error: |r| r.locality.unlinked_error,
        theirs: |p| p.locality.map(|(_, unlinked)| unlinked),
    },
    exact("harvest_rate", "Harvest rate", |r| r.harvest_rate, |_| None),
];

/// The measure of this name.
pub(super) fn by_name(name: &str) -> Option<&'static Measure> {
    MEASURES.iter().find(|measure| measure.name == name)
}
