//! What `locavore train` takes.

use super::{WorldArgs, split_names, values};
use clap::{Args, Subcommand};
use std::path::PathBuf;

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct TrainArgs {
    #[command(subcommand)]
    pub(crate) what: Option<TrainCommand>,
    /// The places that the crawl will be for, written as for `crawl`; not with --crawl
    /// [default: us-top100]
    #[arg(value_name = "PLACE", value_parser = values::place)]
    pub(crate) places: Vec<String>,
    #[command(flatten)]
    pub(crate) source: SourceArgs,
    /// Collaborating nodes of the crawl that the model is for [default: 6 for us-top100, with
    /// --split as many as it comes to, else 1]
    #[arg(long, value_name = "N", conflicts_with = "crawl")]
    pub(crate) nodes: Option<usize>,
    /// Of these, nodes that share what is about no target [default: 1; 0 if there is one node]
    #[arg(long, value_name = "N", conflicts_with = "crawl")]
    pub(crate) general: Option<usize>,
    /// How that crawl shares its targets out, as for `crawl`
    #[arg(long, value_name = "NAME|FILE", value_parser = split_names(), conflicts_with = "crawl")]
    pub(crate) split: Option<String>,
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

/// Other things to learn than places.
#[derive(Debug, Subcommand)]
pub(crate) enum TrainCommand {
    /// Learn a topic from example pages, for `crawl --topic`
    Topic(TrainTopicArgs),
    /// Learn what important pages look like from a crawl's own links, for `crawl --status`
    Status(TrainStatusArgs),
}

#[derive(Debug, Args)]
pub(crate) struct TrainTopicArgs {
    /// Folder with `positive/` and `negative/` pages (.html, .txt), or `positive.txt` and
    /// `negative.txt` with a URL a line; negatives default to a built-in mix. With --lab also the
    /// name of a ready topic
    #[arg(value_name = "DIR")]
    pub(crate) examples: PathBuf,
    /// The earlier crawl that has the pages of URL lists
    #[arg(long, value_name = "DIR", conflicts_with = "lab")]
    pub(crate) crawl: Option<PathBuf>,
    /// Pages of URL lists, or of a ready topic, come from the made-up web
    #[arg(long)]
    pub(crate) lab: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
    /// What the topic is called [default: as the folder]
    #[arg(long, value_name = "NAME")]
    pub(crate) name: Option<String>,
    /// The file to write [default: NAME.topic]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TrainStatusArgs {
    /// Folder of the crawl
    #[arg(value_name = "DIR")]
    pub(crate) crawl: PathBuf,
    /// In-links of pages, where they are known better than from the crawl: lines of a URL, a tab
    /// and a number
    #[arg(long, value_name = "FILE")]
    pub(crate) inlinks: Option<PathBuf>,
    /// Domains by traffic: lines of `domain`, `rank domain` or `rank,domain`
    /// [default: a small built-in list; the made-up web has one of its own]
    #[arg(long, value_name = "FILE")]
    pub(crate) traffic: Option<PathBuf>,
    /// Pages to learn from at most
    #[arg(long, value_name = "N", default_value_t = 20_000)]
    pub(crate) pages: usize,
    /// The file to write
    #[arg(long, value_name = "FILE", default_value = "status.model")]
    pub(crate) out: PathBuf,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
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
