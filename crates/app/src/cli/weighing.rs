//! What pages should be about, and how that is weighed against importance.

use super::values::{self, Name};
use clap::Args;
use std::path::PathBuf;
use strategy::utility::Form;

/// Settings of `utility` and `inlinks`, all but the topic optional.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct WeighingArgs {
    /// What pages should be about, beside the places: a folder of example pages, a file made by
    /// `locavore train topic`, a ready topic such as `restaurants`, or `geography` for the places
    /// themselves. With any order, each page's topicality goes on record
    #[arg(long, value_name = "TOPIC")]
    pub(crate) topic: Option<String>,
    /// What makes pages look important, for `utility`: a file made by `locavore train status`
    /// [default: one learned from a made-up web]
    #[arg(long, value_name = "FILE", requires = "topic")]
    pub(crate) status: Option<PathBuf>,
    /// Domains by traffic, for `utility`: lines of `domain`, `rank domain` or `rank,domain`
    /// [default: a small built-in list; the made-up web has one of its own]
    #[arg(long, value_name = "FILE", requires = "topic")]
    pub(crate) traffic: Option<PathBuf>,
    /// How topic and importance add up for `utility` and `inlinks` [default: cobb-douglas]
    #[arg(long, value_name = "FORM", value_parser = form_names())]
    pub(crate) utility: Option<String>,
    /// What the topic counts against importance, from 0 for importance alone to 1 for the topic
    /// alone [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = values::weight)]
    #[arg(conflicts_with = "topicality", allow_negative_numbers = true)]
    pub(crate) elasticity: Option<f64>,
    /// How topical pages should be on average, from 0 to 1: every node adapts what the topic
    /// counts to it; 0.6 and 0.7 do well
    #[arg(long, value_name = "SHARE", value_parser = values::weight)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) topicality: Option<f64>,
    /// Last pages of a node that --topicality looks at [default: 25]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=100_000))]
    #[arg(requires = "topicality")]
    pub(crate) adapt_window: Option<u32>,
    /// How fast --topicality adapts [default: 0.01]
    #[arg(long, value_name = "STEP", value_parser = values::step, requires = "topicality")]
    pub(crate) adapt_step: Option<f64>,
    /// What being about the places counts against both, from 0 to 1 [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = values::weight)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) geography: Option<f64>,
}

fn form_names() -> Name {
    let names = Form::ALL.map(|form| match form {
        Form::CobbDouglas => (
            form.name(),
            "a product: a page that lacks one is worth nothing",
        ),
        Form::Linear => (
            form.name(),
            "a sum: what is lacking of one may be made up for",
        ),
    });
    Name::of(names.into_iter())
}
