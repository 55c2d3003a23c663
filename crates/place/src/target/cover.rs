//! What lies in the targets, beside the targets themselves.

use super::{Asked, Target, TargetId};
use crate::gazetteer::{Gazetteer, PlaceId};
use crate::sphere::{MapBox, kilometres};
use std::collections::HashMap;

/// Every place that is a target or lies in a region that is one.
#[derive(Debug, Clone, Default)]
pub(super) struct Cover {
    by_place: HashMap<PlaceId, TargetId>,
    boxes: Vec<BoxOfTargets>,
}

/// A box, and the targets that were found in it.
#[derive(Debug, Clone)]
pub(super) struct BoxOfTargets {
    pub(super) edges: MapBox,
    pub(super) targets: Vec<TargetId>,
}

impl Cover {
    pub(super) fn of(gazetteer: &Gazetteer, list: &[Target], boxes: Vec<BoxOfTargets>) -> Cover {
        let mut by_place = HashMap::with_capacity(list.len());
        let targets = || (0..).map(TargetId).zip(list);
        for (id, target) in targets() {
            by_place.entry(target.place).or_insert(id);
        }
        for (id, region) in targets().filter(|(_, target)| target.asked == Asked::AsRegion) {
            let mut open = vec![(region.place, id)];
            while let Some((place, around)) = open.pop() {
                // A hamlet is the region's, a part of a city is that city's.
                let own = *by_place.entry(place).or_insert(around);
                open.extend(gazetteer.children(place).iter().map(|&inner| (inner, own)));
            }
        }
        Cover { by_place, boxes }
    }

    /// The target that a place is, or lies in.
    pub(super) fn holding(&self, place: PlaceId) -> Option<TargetId> {
        self.by_place.get(&place).copied()
    }

    /// The target nearest to a point in a box that was asked for.
    pub(super) fn at(
        &self,
        gazetteer: &Gazetteer,
        list: &[Target],
        (lat, lon): (f32, f32),
    ) -> Option<TargetId> {
        let point = (f64::from(lat), f64::from(lon));
        let mut boxes = self.boxes.iter();
        let around = boxes.find(|of_targets| of_targets.edges.holds(point.0, point.1))?;
        let distance = |id: &TargetId| {
            let (lat, lon) = gazetteer.coordinates(list[id.0 as usize].place);
            kilometres(point, (f64::from(lat), f64::from(lon)))
        };
        let targets = around.targets.iter().copied();
        targets.min_by(|a, b| distance(a).total_cmp(&distance(b)))
    }
}
