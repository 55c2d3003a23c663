//! From a name to the places it may mean.
//!
//! Names are looked up in their normal form, where case is lost. Short forms
//! cannot afford that (`US` is a country, `us` is not), so their spellings
//! are kept in a table of their own beside it.

use super::{Gazetteer, PlaceId, Role};
use crate::names::normalise;

impl Gazetteer {
    /// Places of this name or alias, most populous first; case and accents do not matter.
    ///
    /// An abbreviation is found in exactly its spelling, an adjective never.
    pub fn find(&self, name: &str) -> Vec<PlaceId> {
        let exact = self.abbreviated(name);
        let named = |&(id, role): &(PlaceId, Role)| match role {
            Role::Name | Role::Alias => true,
            Role::Abbreviation => exact.contains(&id),
            Role::Demonym => false,
        };
        self.bearers(name).filter(named).map(|(id, _)| id).collect()
    }

    /// Like [`Gazetteer::find`], with abbreviations in any case: people type `nyc`.
    pub(crate) fn find_typed(&self, name: &str) -> Vec<PlaceId> {
        let bearers = self.bearers(name);
        bearers
            .filter(|&(_, role)| role != Role::Demonym)
            .map(|(id, _)| id)
            .collect()
    }

    /// All places that a name may mean, and in which way, most populous first.
    ///
    /// A place comes once, in its strongest role. Case does not matter here:
    /// whether an abbreviation is spelled right is for
    /// [`Gazetteer::abbreviations`] to say.
    pub fn bearers(&self, name: &str) -> impl Iterator<Item = (PlaceId, Role)> + use<> {
        let first = self.pack.keys.get(normalise(name));
        let postings = first.map(|first| self.pack.postings(first));
        postings
            .into_iter()
            .flatten()
            .map(|posting| (posting.place(), posting.role()))
    }

    /// Shows every name in normal form, with all its places and roles, most populous first.
    pub(crate) fn visit_names(&self, mut visit: impl FnMut(&str, &[(PlaceId, Role)])) {
        let mut stream = self.pack.keys.stream();
        let mut bearers = Vec::new();
        while let Some((name, first)) = fst::Streamer::next(&mut stream) {
            let postings = self.pack.postings(first);
            bearers.clear();
            bearers.extend(postings.map(|posting| (posting.place(), posting.role())));
            if let Ok(name) = str::from_utf8(name) {
                visit(name, &bearers);
            }
        }
    }

    /// Shows the names and aliases, in normal form, of places that are in
    /// WordNet, and the names of those with at least so many people; each with
    /// the most populous place it may mean.
    pub fn visit_known_names(&self, least_people: u32, mut visit: impl FnMut(&str, PlaceId)) {
        let is_known = |&(id, role): &(PlaceId, Role)| match role {
            // Aliases of others are anything: Frome is `From` to somebody.
            Role::Alias => self.synset(id).is_some(),
            Role::Name => self.synset(id).is_some() || self.place(id).population >= least_people,
            Role::Abbreviation | Role::Demonym => false,
        };
        self.visit_names(|name, bearers| {
            if let Some(&(id, _)) = bearers.iter().find(|bearer| is_known(bearer)) {
                visit(name, id);
            }
        });
    }

    /// Every name and alias in normal form, ascending.
    pub fn names_in_normal_form(&self) -> Vec<String> {
        let mut names = Vec::new();
        self.visit_names(|name, bearers| {
            if bearers.iter().any(|&(_, role)| role != Role::Demonym) {
                names.push(name.to_owned());
            }
        });
        names
    }

    /// Short forms in exactly their spelling, sorted: `Calif.`, `NYC`, `U.S.`
    pub fn abbreviations(&self) -> impl Iterator<Item = (&'static str, PlaceId)> {
        let places = self.pack.abbreviation_places.iter().map(PlaceId);
        self.pack.abbreviations.iter().zip(places)
    }

    /// Places that this spelling abbreviates.
    fn abbreviated(&self, spelling: &str) -> Vec<PlaceId> {
        let texts = self.pack.abbreviations;
        let (mut start, mut end) = (0, texts.len());
        while start < end {
            let middle = start.midpoint(end);
            if texts.get(middle) < spelling {
                start = middle + 1;
            } else {
                end = middle;
            }
        }
        (start..texts.len())
            .take_while(|&idx| texts.get(idx) == spelling)
            .map(|idx| PlaceId(self.pack.abbreviation_places.get(idx)))
            .collect()
    }
}
