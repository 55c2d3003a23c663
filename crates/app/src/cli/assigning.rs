//! How links are assigned, beside `--assign` itself.

use super::values::{self, Name};
use clap::Args;
use std::path::PathBuf;

/// Settings of the strategies, all optional.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct AssigningArgs {
    /// Words before and after a link that `anchor` reads with it [default: 10]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(..=1000))]
    pub(crate) window: Option<u16>,
    /// How much a city with its state weighs for `content`, from 0 to 1; a city alone weighs the
    /// rest [default: 0.7]
    #[arg(long, value_name = "WEIGHT", value_parser = values::weight)]
    pub(crate) alpha: Option<f64>,
    /// Which city of a name is meant, for `content`: 1 goes by how many people live there, 0 by
    /// the states that the page mentions [default: 0.5]
    #[arg(long, value_name = "WEIGHT", value_parser = values::weight)]
    pub(crate) beta: Option<f64>,
    /// What `classifier` has learned: a file made by `locavore train`
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Where servers stand, for `ip`: a city database in MaxMind's format (.mmdb), such as DB-IP's
    /// or GeoLite2's; the made-up web knows without
    #[arg(long, value_name = "FILE")]
    pub(crate) mmdb: Option<PathBuf>,
    /// How many nodes get a link [default: a]
    #[arg(long, value_name = "NAME", value_parser = policy_names())]
    pub(crate) policy: Option<String>,
    /// Whether two nodes may fetch the same page [default: none]
    #[arg(long, value_name = "NAME", value_parser = overlap_names())]
    pub(crate) overlap: Option<String>,
}

fn policy_names() -> Name {
    let names = [
        ("a", "one: the node of the most probable place"),
        (
            "b",
            "every node with a place it may be about; pages are then fetched more than once",
        ),
    ];
    Name::of(names.into_iter())
}

fn overlap_names() -> Name {
    let names = [
        (
            "none",
            "no: a page belongs to the node that first hears of it",
        ),
        (
            "paper",
            "yes, as in the paper: each node knows only what it has fetched itself",
        ),
    ];
    Name::of(names.into_iter())
}
