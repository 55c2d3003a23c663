//! What deciding between places needs to know of each, close together in memory.

use super::table::Bearer;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};

/// Features have no people and come late among the places of a name.
const N_LARGEST: usize = 12;

/// Stands for "lies in none".
pub(super) const NOWHERE: u32 = u32::MAX;

/// One place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spot {
    /// The square it lies in.
    pub(super) cell: Cell,
    /// Common logarithm of its people, zero where there are none.
    pub(super) log_people: f32,
    pub(super) kind: Kind,
    pub(super) in_wordnet: bool,
    /// Its country, by identifier.
    pub(super) country: u32,
    /// Its state or province, by identifier.
    pub(super) state: u32,
}

/// A square of the globe, two degrees wide, and the quarter of it that is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell {
    /// Degrees north and east.
    corner: (i16, i16),
}

/// Squares from east to west.
const N_AROUND: i16 = 360 / CELL_WIDTH;
const CELL_WIDTH: i16 = 2;

impl Cell {
    fn at(lat: f32, lon: f32) -> Cell {
        Cell {
            corner: (lat.floor() as i16, lon.floor() as i16),
        }
    }

    /// Its square.
    pub(super) fn key(self) -> u32 {
        let (lat, lon) = self.corner;
        square(lat.div_euclid(CELL_WIDTH), lon.div_euclid(CELL_WIDTH))
    }

    /// Its square and the three nearest ones: whatever lies within a degree is in one of them.
    pub(super) fn keys_around(self) -> [u32; 4] {
        let (lat, lon) = self.corner;
        let (row, column) = (lat.div_euclid(CELL_WIDTH), lon.div_euclid(CELL_WIDTH));
        let towards = |degrees: i16| {
            if degrees.rem_euclid(CELL_WIDTH) == 0 {
                -1
            } else {
                1
            }
        };
        let (north, east) = (towards(lat), towards(lon));
        [
            square(row, column),
            square(row + north, column),
            square(row, column + east),
            square(row + north, column + east),
        ]
    }
}

fn square(row: i16, column: i16) -> u32 {
    let column = column.rem_euclid(N_AROUND);
    u32::from((row + 64).cast_unsigned()) << 16 | u32::from(column.cast_unsigned())
}

/// All places, by identifier.
pub(super) struct Spots(Vec<Spot>);

impl Spots {
    pub(super) fn new(gazetteer: &Gazetteer) -> Spots {
        let mut synsets = gazetteer.synsets().peekable();
        let spot = |id: PlaceId| {
            let mut country = NOWHERE;
            let mut state = NOWHERE;
            for above in gazetteer.chain(id) {
                match gazetteer.kind(above) {
                    Kind::Country => country = above.0,
                    Kind::Division1 => state = above.0,
                    _ => {}
                }
            }
            let (lat, lon) = gazetteer.coordinates(id);
            Spot {
                cell: Cell::at(lat, lon),
                log_people: (gazetteer.population(id) as f32 + 1.0).log10(),
                kind: gazetteer.kind(id),
                in_wordnet: synsets.next_if(|&known| known == id).is_some(),
                country,
                state,
            }
        };
        Spots(gazetteer.ids().map(spot).collect())
    }

    /// The largest of these places that WordNet knows.
    pub(super) fn widely_known(&self, bearers: &[Bearer]) -> Option<&Spot> {
        let largest = bearers.iter().take(N_LARGEST);
        largest
            .map(|bearer| self.get(bearer.place))
            .find(|spot| spot.in_wordnet)
    }

    #[inline]
    pub(super) fn get(&self, place: PlaceId) -> &Spot {
        &self.0[place.0 as usize]
    }
}

/// Weights by key, with little memory and no order.
#[derive(Default)]
pub(super) struct Masses {
    slots: Vec<(u64, f32)>,
    n_used: usize,
}

const FREE: u64 = u64::MAX;

impl Masses {
    pub(super) fn add(&mut self, key: u64, mass: f32) {
        if (self.n_used + 1) * 2 > self.slots.len() {
            self.grow();
        }
        let slot = self.slot(key);
        if self.slots[slot].0 == FREE {
            self.n_used += 1;
            self.slots[slot].0 = key;
        }
        self.slots[slot].1 += mass;
    }

    pub(super) fn get(&self, key: u64) -> f32 {
        if self.slots.is_empty() {
            return 0.0;
        }
        let (found, mass) = self.slots[self.slot(key)];
        if found == key { mass.max(0.0) } else { 0.0 }
    }

    fn slot(&self, key: u64) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & mask;
        while self.slots[slot].0 != FREE && self.slots[slot].0 != key {
            slot = (slot + 1) & mask;
        }
        slot
    }

    fn grow(&mut self) {
        let larger = vec![(FREE, 0.0); (self.slots.len() * 2).max(64)];
        let old = std::mem::replace(&mut self.slots, larger);
        for entry in old.into_iter().filter(|entry| entry.0 != FREE) {
            let slot = self.slot(entry.0);
            self.slots[slot] = entry;
        }
    }
}
