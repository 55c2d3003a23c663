//! One file for each command.

mod completions;
mod crawl;
mod demo;
mod export;
mod geoparse;
mod index;
mod lab_relevance;
mod lab_run;
mod lab_web;
mod lab_world;
mod places;
mod report;
mod robots;
mod search;
mod serve;
mod status;
mod train;
mod why;

pub(crate) use geoparse::InputError;
pub(crate) use report::visits as visits_of;

use crate::cli::{Command, LabCommand};
use ::search::index::SearchError;
use anyhow::anyhow;
use std::process::ExitCode;
use store::crawl_dir::StoreError;

/// Exit code of a command that did its work, but not all of it.
pub(crate) const INCOMPLETE: u8 = 1;

/// Runs a command; an error means that nothing was started.
pub(crate) fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Crawl(args) => crawl::run(&args),
        Command::Status(args) => status::run(&args).map_err(without_a_way_to_start),
        Command::Why(args) => why::run(&args).map_err(without_a_way_to_start),
        Command::Report(args) => report::run(&args).map_err(without_a_way_to_start),
        Command::Search(args) => search::run(&args).map_err(without_a_way_to_start),
        Command::Places(args) => places::run(&args).map_err(without_a_way_to_start),
        Command::Index(args) => index::run(&args).map_err(without_a_way_to_start),
        Command::Serve(args) => serve::run(&args).map_err(without_a_way_to_start),
        Command::Export(args) => export::run(&args).map_err(without_a_way_to_start),
        Command::Geoparse(args) => geoparse::run(&args),
        Command::Robots(args) => robots::run(&args),
        Command::Lab(LabCommand::Relevance(args)) => lab_relevance::run(&args),
        Command::Lab(LabCommand::Run(args)) => lab_run::run(&args),
        Command::Train(args) => train::run(&args),
        Command::Lab(LabCommand::Web(args)) => lab_web::run(&args),
        Command::Lab(LabCommand::World(args)) => lab_world::run(&args),
        Command::Completions { shell } => completions::run(shell),
    }
}

/// Who looks at a crawl that is not there wants the right folder, not the hint
/// that starts a crawl in this one.
fn without_a_way_to_start(error: anyhow::Error) -> anyhow::Error {
    let store = match error.downcast_ref::<SearchError>() {
        Some(SearchError::Crawl(store)) => Some(store),
        _ => error.downcast_ref::<StoreError>(),
    };
    match store {
        Some(StoreError::NotACrawl { .. } | StoreError::Missing { .. }) => anyhow!("{error}"),
        _ => error,
    }
}
