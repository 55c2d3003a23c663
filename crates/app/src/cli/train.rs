//! What `locavore train` takes.

use super::{WorldArgs, values};
use clap::Args;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct TrainArgs {
    /// The places that the crawl will be for, written as for `crawl`; not with --crawl
    /// [default: us-top100]
    #[arg(value_name = "PLACE", value_parser = values::place)]
    pub(crate) places: Vec<String>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Collaborating nodes of the crawl that the model is for [default: 6 for us-top100, else 1]
    #[arg(long, value_name = "N", conflicts_with = "crawl")]
    pub(crate) nodes: Option<usize>,
    /// Pages to learn from for each place, with --lab [default: 200]
    #[arg(long, value_name = "N", requires = "lab")]
    pub(crate) per_target: Option<usize>,
    /// Pages about no place to learn from [default: 2000]
    #[arg(long, value_name = "N", conflicts_with = "examples")]
    pub(crate) others: Option<usize>,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "model.txt")]
    pub(crate) out: PathBuf,
}

/// Where the pages come from: one of these.
#[derive(Debug, Args)]
#[group(required = true, multiple = false)]
pub(crate) struct SourceArgs {
    /// Labelled pages, a JSON object per line: {"text" or "html", "label"}; a label is a place,
    /// such as "Houston, TX", or "none"
    #[arg(long, value_name = "FILE")]
    pub(crate) examples: Option<PathBuf>,
    /// Pages of an earlier crawl, which is about the same places: those with addresses in one of
    /// them are about it, those without about none
    #[arg(long, value_name = "DIR", conflicts_with = "places")]
    pub(crate) crawl: Option<PathBuf>,
    /// Pages that the directory of the made-up web lists under each city
    #[arg(long)]
    pub(crate) lab: bool,
}
