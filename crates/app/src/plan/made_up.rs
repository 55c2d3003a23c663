//! The made-up web of a plan.

use super::{agree_if_given, refuse_if_given};
use crate::cli::WorldArgs;
use anyhow::{Context, anyhow};
use lab::world::{MOST_SITES, World, WorldSettings};
use place::gazetteer::Gazetteer;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// What makes a made-up web, as a plan keeps it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct MadeUp {
    pub(crate) seed: u64,
    pub(crate) sites: u64,
    /// What a world file said, where there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    parameters: Option<Box<WorldSettings>>,
}

impl Default for MadeUp {
    fn default() -> MadeUp {
        let WorldSettings { seed, n_sites, .. } = WorldSettings::default();
        MadeUp {
            seed,
            sites: n_sites,
            parameters: None,
        }
    }
}

impl MadeUp {
    pub(crate) fn from_args(args: &WorldArgs) -> anyhow::Result<MadeUp> {
        let base = match &args.world {
            None => MadeUp::default(),
            Some(file) => {
                let parameters = read_world(file)?;
                MadeUp {
                    seed: parameters.seed,
                    sites: parameters.n_sites,
                    parameters: Some(Box::new(parameters)),
                }
            }
        };
        let made_up = MadeUp {
            seed: args.world_seed.unwrap_or(base.seed),
            sites: args.world_sites.unwrap_or(base.sites),
            ..base
        };
        match made_up.sites {
            0 => Err(anyhow!(
                "a made-up web needs at least one site: `--world-sites 1000`"
            )),
            n_sites if n_sites > MOST_SITES => Err(anyhow!(
                "`--world-sites` is {n_sites}; a made-up web has {MOST_SITES} sites at most"
            )),
            _ => Ok(made_up),
        }
    }

    /// The world of somebody else's, in the words of the proxy before it.
    pub(crate) fn told(text: &str) -> anyhow::Result<MadeUp> {
        let parameters: WorldSettings =
            toml::from_str(text).context("its world is one of another version")?;
        anyhow::ensure!(
            (1..=MOST_SITES).contains(&parameters.n_sites),
            "its world has {} sites",
            parameters.n_sites
        );
        Ok(MadeUp {
            seed: parameters.seed,
            sites: parameters.n_sites,
            parameters: Some(Box::new(parameters)),
        })
    }

    /// Whether what is asked for now is what was asked for then.
    pub(super) fn agree(&self, args: &WorldArgs) -> anyhow::Result<()> {
        agree_if_given("--world-seed", &self.seed, args.world_seed.as_ref())?;
        agree_if_given("--world-sites", &self.sites, args.world_sites.as_ref())?;
        match &args.world {
            None => Ok(()),
            Some(file) if self.parameters.as_deref() == Some(&read_world(file)?) => Ok(()),
            Some(file) => Err(anyhow!(
                "this crawl was started with another world than `{}`: choose another `--out`",
                file.display()
            )),
        }
    }

    pub(crate) fn open(&self) -> World {
        let parameters = self.parameters.as_deref().cloned().unwrap_or_default();
        let settings = WorldSettings {
            seed: self.seed,
            n_sites: self.sites,
            ..parameters
        };
        World::new(settings, Gazetteer::built_in())
    }
}

/// Refuses what only a made-up web has.
pub(super) fn refuse(args: &WorldArgs) -> anyhow::Result<()> {
    refuse_if_given("--world", args.world.is_some())?;
    refuse_if_given("--world-seed", args.world_seed.is_some())?;
    refuse_if_given("--world-sites", args.world_sites.is_some())
}

/// A world file.
pub(crate) fn read_world(file: &Path) -> anyhow::Result<WorldSettings> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read `{}`", file.display()))?;
    WorldSettings::from_toml(&text)
        .map_err(|error| anyhow!("`{}` makes no world: {error}", file.display()))
}
