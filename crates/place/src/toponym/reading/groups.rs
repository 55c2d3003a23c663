//! Which candidates mean the same place: same name, same container.

use super::Reading;
use crate::gazetteer::{Kind, PlaceId, Role};
use crate::toponym::table::{Bearer, NameId};
use crate::toponym::words::{Gap, hash_normal};

impl Reading<'_> {
    /// `Albany, Georgia`: what follows a comma may contain what stands before.
    pub(super) fn find_containers(&mut self) {
        for idx in 0..self.candidates.len() {
            let candidate = &self.candidates[idx];
            let after = &candidate.after[0];
            let reach = candidate.end + 4;
            for next_idx in idx + 1..self.candidates.len() {
                let next = &self.candidates[next_idx];
                if next.start > reach {
                    break;
                }
                if next.start < candidate.end {
                    continue;
                }
                match after.gap {
                    Gap::Comma | Gap::Open => {
                        if let Some(container) = self.container(candidate.name, next.name) {
                            self.members[idx].container = Some(container);
                            self.members[idx].company.contained = true;
                            self.members[next_idx].company.contains = true;
                            break;
                        }
                    }
                    Gap::Space => {
                        self.members[idx].company.beside = true;
                        self.members[next_idx].company.beside = true;
                    }
                    _ => {}
                }
            }
        }
    }

    /// The place of the second name that contains one of the first name.
    fn container(&self, inner: NameId, outer: NameId) -> Option<PlaceId> {
        let table = &self.toponyms.table;
        let outer = table.bearers(outer).iter().take(8);
        let outer = outer.filter(|bearer| {
            bearer.role != Role::Demonym && self.spot(bearer.place).kind <= Kind::Division2
        });
        let inner = table.bearers(inner);
        for container in outer {
            let inside = |bearer: &Bearer| {
                bearer.place != container.place && self.lies_in(bearer.place, container.place)
            };
            if inner.iter().any(inside) {
                return Some(container.place);
            }
        }
        None
    }

    pub(super) fn lies_in(&self, place: PlaceId, container: PlaceId) -> bool {
        let spot = self.spot(place);
        match self.spot(container).kind {
            Kind::Country => spot.country == container.0,
            Kind::Division1 => spot.state == container.0,
            _ => self
                .toponyms
                .gazetteer
                .chain(place)
                .any(|above| above == container),
        }
    }

    /// Sorts candidates into groups by name and container.
    pub(super) fn form_groups(&mut self) {
        let mut order: Vec<(NameId, u32)> = (0..)
            .zip(&self.candidates)
            .map(|(idx, candidate)| (candidate.name, idx))
            .collect();
        order.sort_unstable();
        for of_name in order.chunk_by(|a, b| a.0 == b.0) {
            let first_group = self.groups.len();
            for &(name, idx) in of_name {
                if let Some(container) = self.members[idx as usize].container {
                    self.join_group(first_group, name, Some(container), idx as usize);
                }
            }
            // Who is followed by nothing means what the first one means.
            for &(name, idx) in of_name {
                if self.members[idx as usize].container.is_none() {
                    let container = self
                        .groups
                        .get(first_group)
                        .and_then(|group| group.container);
                    self.join_group(first_group, name, container, idx as usize);
                }
            }
        }
    }

    fn join_group(&mut self, from: usize, name: NameId, container: Option<PlaceId>, idx: usize) {
        let known = (from..self.groups.len()).find(|&at| self.groups[at].container == container);
        let group = known.unwrap_or_else(|| {
            self.groups.push(self.toponyms.group(name, container));
            self.groups.len() - 1
        });
        self.members[idx].group = group;
        let candidate = &self.candidates[idx];
        let hints = &mut self.groups[group].hints;
        let [before, second] = &candidate.before;
        let [after, _] = &candidate.after;
        hints.beside_state |=
            after.is_beside() && after.hash == STATE || before.hash == OF && second.hash == STATE;
        hints.beside_city |= after.is_beside() && after.hash == CITY
            || before.hash == OF && matches!(second.hash, CITY | TOWN);
    }
}

const STATE: u64 = hash_normal("state");
const CITY: u64 = hash_normal("city");
const TOWN: u64 = hash_normal("town");
const OF: u64 = hash_normal("of");
