//! The tree of places as people walk it: `/Earth/US/Texas/Houston`.

use super::{Gazetteer, Kind, PlaceId};

/// The root of the tree.
const ROOT: &str = "Earth";

impl Gazetteer {
    /// The steps from the root to a place: without county unless it is the
    /// place itself; a country is its two letters.
    pub fn steps(&self, id: PlaceId) -> Vec<&str> {
        let step = |inner: PlaceId| match self.kind(inner) {
            Kind::Country => self.country(inner),
            _ => self.place(inner).name,
        };
        let is_step = |&inner: &PlaceId| inner == id || self.kind(inner) != Kind::Division2;
        let mut steps: Vec<&str> = self.chain(id).filter(is_step).map(step).collect();
        steps.push(ROOT);
        steps.reverse();
        steps
    }

    /// The path of a place: `/Earth/US/Texas`.
    pub fn path(&self, id: PlaceId) -> String {
        let steps = self.steps(id).into_iter();
        steps.flat_map(|step| ["/", step]).collect()
    }

    /// The places that have a path, most populous first: more than one where
    /// towns of one state share a name, none for an unknown path.
    ///
    /// Letters may be large or small; a country is its two letters, so
    /// `/Earth/DE` is Germany and no state.
    pub fn at_path(&self, path: &str) -> Vec<PlaceId> {
        let path = path.trim_end_matches('/');
        let Some(last) = path
            .strip_prefix('/')
            .and_then(|path| path.rsplit('/').next())
        else {
            return Vec::new();
        };
        let country = self.country_of_code(last);
        let named = self.bearers(last).map(|(id, _)| id);
        let mut found: Vec<PlaceId> = country.into_iter().chain(named).collect();
        found.retain(|&id| self.path(id).eq_ignore_ascii_case(path));
        found.sort_unstable();
        found.dedup();
        found
    }
}
