//! Which of a crawl's targets an address lies in.
//!
//! In the US a city that was asked for is known by its name and state, as
//! addresses have them: what people write says more than the place, since
//! quarters lie in their ZIP code's city. Otherwise, and elsewhere, it is the
//! place that the postal code confirms.
//! A region has whatever lies in it: in one of its places, in something too
//! small to be one, in a place that nobody knows but in its state; a box what
//! has its coordinates there.

use super::Address;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::names::normalise;
use crate::target::{Asked, Target, TargetId, Targets, city_names};
use std::collections::{HashMap, HashSet};

pub(super) struct Aims {
    gazetteer: &'static Gazetteer,
    targets: Targets,
    /// US cities that were asked for, by name in normal form and state.
    by_name: HashMap<(String, String), TargetId>,
    /// Regions by the country and the state's letters, as addresses have them.
    by_state: HashMap<(&'static str, String), TargetId>,
}

impl Aims {
    pub(super) fn of(gazetteer: &'static Gazetteer, targets: &Targets) -> Aims {
        let mut by_name = HashMap::new();
        for (id, target) in targets.iter().filter(|(_, target)| !is_of_region(target)) {
            if gazetteer.country(target.place) == "US" {
                for name in city_names(gazetteer, target) {
                    by_name
                        .entry((normalise(&name), target.state.clone()))
                        .or_insert(id);
                }
            }
        }
        Aims {
            by_state: by_state(gazetteer, targets),
            gazetteer,
            targets: targets.clone(),
            by_name,
        }
    }

    pub(super) fn n_targets(&self) -> usize {
        self.targets.list().len()
    }

    pub(super) fn target_of(&self, address: &Address) -> Option<TargetId> {
        self.by_itself(address).or_else(|| self.by_region(address))
    }

    /// A city that was asked for, as the gazetteer spells it, or as the
    /// address does where the gazetteer does not know it.
    pub(super) fn city_of(&self, address: &Address, target: TargetId) -> String {
        let target = &self.targets.list()[target.0 as usize];
        let place = match target.asked {
            Asked::AsRegion => address.place,
            _ => Some(target.place),
        };
        match place {
            Some(place) => self.gazetteer.place(place).name.to_owned(),
            None => address.city.clone(),
        }
    }

    /// A city that was asked for.
    fn by_itself(&self, address: &Address) -> Option<TargetId> {
        let named = || {
            let key = (normalise(&address.city), address.state.to_owned());
            self.by_name.get(&key).copied()
        };
        let in_place = || self.targets.of_place(address.place?);
        let id = match address.country {
            "US" => named().or_else(in_place),
            _ => in_place(),
        }?;
        let target = self.targets.get(id)?;
        let has_code = |codes: &[String]| {
            let zip = address.zip.as_deref().unwrap_or_default();
            codes.iter().any(|code| zip.starts_with(code.as_str()))
        };
        match &target.asked {
            Asked::ByCode(codes) => has_code(codes).then_some(id),
            _ => Some(id),
        }
    }

    /// What an address lies in beside the cities that were asked for.
    fn by_region(&self, address: &Address) -> Option<TargetId> {
        let held = match address.place {
            Some(place) => self.targets.holding(place),
            None => {
                let key = (address.country, address.state.to_owned());
                self.by_state.get(&key).copied()
            }
        };
        let is_of_region = |id: &TargetId| self.targets.get(*id).is_some_and(is_of_region);
        held.filter(is_of_region).or_else(|| {
            let point = (address.lat?, address.lon?);
            self.targets.at(self.gazetteer, point)
        })
    }
}

fn is_of_region(target: &Target) -> bool {
    matches!(target.asked, Asked::InRegion | Asked::AsRegion)
}

/// The regions that whole states lie in.
fn by_state(gazetteer: &Gazetteer, targets: &Targets) -> HashMap<(&'static str, String), TargetId> {
    let mut by_state = HashMap::new();
    if !targets
        .list()
        .iter()
        .any(|target| target.asked == Asked::AsRegion)
    {
        return by_state;
    }
    let mut add = |country, letters: &str, division: PlaceId| {
        if let Some(id) = targets.holding(division) {
            by_state.entry((country, letters.to_owned())).or_insert(id);
        }
    };
    for id in gazetteer
        .ids()
        .filter(|&id| gazetteer.kind(id) == Kind::Division1)
    {
        if gazetteer.country(id) == "US" {
            add("US", gazetteer.division(id), id);
        }
    }
    for (letters, division) in lands(gazetteer) {
        add("DE", letters, division);
    }
    by_state
}

/// The states of Germany by the post's letters: where most of their codes lie.
fn lands(gazetteer: &Gazetteer) -> Vec<(&str, PlaceId)> {
    let mut counts: HashMap<(&str, PlaceId), u32> = HashMap::new();
    for postcode in gazetteer.postcodes("DE") {
        let mut chain = postcode
            .place
            .into_iter()
            .flat_map(|place| gazetteer.chain(place));
        if let Some(division) = chain.find(|&above| gazetteer.kind(above) == Kind::Division1) {
            *counts.entry((postcode.division, division)).or_default() += 1;
        }
    }
    let mut lands: Vec<((&str, PlaceId), u32)> = counts.into_iter().collect();
    lands.sort_by_key(|&(land, n_codes)| (std::cmp::Reverse(n_codes), land));
    let mut known = HashSet::new();
    let lands = lands.into_iter().map(|(land, _)| land);
    lands
        .filter(|(letters, _)| known.insert(*letters))
        .collect()
}
