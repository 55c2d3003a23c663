//! What all names of a page say together about countries, states and neighbourhoods.

use super::Reading;
use crate::gazetteer::{Kind, PlaceId};
use crate::toponym::Context;
use crate::toponym::spots::NOWHERE;
use crate::toponym::which::Support;

/// What a name says about the page through one of its places.
pub(super) struct OwnPart {
    place: PlaceId,
    mass: f32,
    keys: [u32; 4],
}

impl Reading<'_> {
    /// What a group says about the page.
    pub(super) fn weigh(&mut self, group_idx: usize) {
        self.total += self.groups[group_idx].mass;
        let mut own = Vec::with_capacity(4);
        self.own_parts(group_idx, &mut own);
        for part in own {
            self.weigh_place(part.place, part.mass);
        }
    }

    /// The places a group speaks for, and how much.
    pub(super) fn own_parts(&self, group_idx: usize, own: &mut Vec<OwnPart>) {
        own.clear();
        let group = &self.groups[group_idx];
        let chances = &self.chances[group.chances_start..];
        for (bearer, &part) in self.bearers(group).iter().zip(chances) {
            if part > MIN_PART {
                own.push(OwnPart {
                    place: bearer.place,
                    mass: group.mass * part,
                    keys: self.spot(bearer.place).cell.keys_around(),
                });
            }
        }
    }

    fn weigh_place(&mut self, place: PlaceId, mass: f32) {
        let spot = self.spot(place);
        self.masses.add(key(COUNTRY, spot.country), mass);
        match spot.kind {
            Kind::Continent => {}
            Kind::Country => self.masses.add(key(COUNTRY_NAMED, spot.country), mass),
            _ => {
                if spot.kind == Kind::Division1 {
                    self.masses.add(key(STATE_NAMED, spot.state), mass);
                }
                self.masses.add(key(STATE_OF, spot.state), mass);
                for cell in spot.cell.keys_around() {
                    self.masses.add(key(CELL, cell), mass);
                }
            }
        }
    }

    /// Addresses and what is known beforehand.
    pub(super) fn weigh_context(&mut self, context: &Context<'_>) {
        for address in context.addresses.iter().take(MAX_ADDRESSES) {
            if let Some(place) = address.place {
                self.weigh_place(place, ADDRESS_MASS);
                self.total += ADDRESS_MASS;
                for above in self.toponyms.gazetteer.chain(place) {
                    self.masses.add(key(ADDRESSED, above.0), 1.0);
                }
            }
        }
        for &place in context.places.iter().take(MAX_ADDRESSES) {
            self.weigh_place(place, ADDRESS_MASS);
            self.total += ADDRESS_MASS;
        }
        if let Some(country) = self.toponyms.country_of_host(context.host) {
            self.masses.add(key(COUNTRY, country.0), HOST_MASS);
            self.total += HOST_MASS;
        }
    }

    /// What lies around a place, without what its own name says.
    pub(super) fn support(&self, place: PlaceId, own: &[OwnPart], own_mass: f32) -> Support {
        let spot = self.spot(place);
        let masses = &self.masses;
        let mut support = Support {
            country: masses.get(key(COUNTRY, spot.country)),
            total: self.total - own_mass,
            ..Support::default()
        };
        // Most places of a name are in countries that the page is not about.
        if support.country > 0.0 {
            support.country_named = masses.get(key(COUNTRY_NAMED, spot.country));
            support.near = masses.get(key(CELL, spot.cell.key()));
            support.in_address = masses.get(key(ADDRESSED, place.0));
            if spot.state != NOWHERE {
                support.state = masses.get(key(STATE_OF, spot.state));
            }
            if support.state > 0.0 {
                support.state_named = masses.get(key(STATE_NAMED, spot.state));
            }
        }
        let cell = spot.cell.key();
        for part in own {
            let is_near = part.keys.contains(&cell);
            support.take_away(spot, self.spot(part.place), part.mass, is_near);
        }
        support
    }
}

/// Less probable places say nothing about a page.
const MIN_PART: f32 = 0.03;

/// An address says more about a page than a name.
const ADDRESS_MASS: f32 = 1.5;
/// So many addresses are looked at.
const MAX_ADDRESSES: usize = 64;
/// `.de` says little, since most of the web is under `.com`.
const HOST_MASS: f32 = 0.5;

// Which kind of key a mass has.
const COUNTRY: u64 = 1;
const STATE_OF: u64 = 2;
const CELL: u64 = 3;
const STATE_NAMED: u64 = 4;
const COUNTRY_NAMED: u64 = 5;
const ADDRESSED: u64 = 6;

fn key(tag: u64, id: u32) -> u64 {
    tag << 32 | u64::from(id)
}
