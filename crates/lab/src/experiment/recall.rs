//! What of each world can be reached at all, counted once and kept.

use super::{Bench, ExperimentError, impossible, read, write};
use crate::observe::{Extent, Reach, reach};
use crate::world::WorldSettings;
use serde::{Deserialize, Serialize};
use std::ops::ControlFlow;
use std::path::PathBuf;

/// Pages beyond which nobody wants to wait.
const MOST: u64 = 3_000_000;

/// A count, with all that it depends on.
#[derive(Serialize, Deserialize)]
struct Kept {
    world: WorldSettings,
    places: Vec<String>,
    reach: Reach,
}

impl Bench {
    /// Counts what can be reached in the world of a seed, unless that was done
    /// before; `hear` is told of every page and may stop it. None where it was
    /// stopped, and for experiments that do not ask for it.
    pub fn count_reach(
        &self,
        seed: u64,
        hear: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Reach>, ExperimentError> {
        let world = self.source.world(seed);
        let (true, Some(world)) = (self.experiment.recall, world) else {
            return Ok(None);
        };
        if let Some(kept) = self.kept_reach(seed) {
            return Ok(Some(kept));
        }
        let reach = match reach(&world, &self.targets, MOST, hear) {
            Extent::Whole(reach) => reach,
            Extent::Stopped => return Ok(None),
            Extent::TooLarge => {
                return Err(impossible(format!(
                    "`recall`: the world is too large to count, it has more than {MOST} pages"
                )));
            }
        };
        let kept = Kept {
            world: world.settings().clone(),
            places: self.experiment.places.clone(),
            reach,
        };
        let text = serde_json::to_string_pretty(&kept).expect("plain data always encodes");
        write(&self.reach_path(seed), &text)?;
        Ok(Some(reach))
    }

    /// What was counted before of the same world for the same places.
    pub(super) fn kept_reach(&self, seed: u64) -> Option<Reach> {
        if !self.experiment.recall {
            return None;
        }
        let text = read(&self.reach_path(seed)).ok()?;
        let kept: Kept = serde_json::from_str(&text).ok()?;
        let world = WorldSettings {
            seed,
            ..self.source.world_settings()
        };
        let is_same = kept.world == world && kept.places == self.experiment.places;
        is_same.then_some(kept.reach)
    }

    fn reach_path(&self, seed: u64) -> PathBuf {
        self.dir.join("reach").join(format!("{seed}.json"))
    }
}
