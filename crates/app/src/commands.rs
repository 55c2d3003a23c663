//! One file for each command.

mod completions;
mod crawl;
mod demo;
mod lab_web;
mod report;
mod search;
mod status;

use crate::cli::{Command, LabCommand};
use std::process::ExitCode;

/// Exit code of a command that did its work, but not all of it.
pub(crate) const INCOMPLETE: u8 = 1;

/// Runs a command; an error means that nothing was started.
pub(crate) fn run(command: Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Demo(args) => demo::run(&args),
        Command::Crawl(args) => crawl::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Search(args) => search::run(&args),
        Command::Lab(LabCommand::Web(args)) => lab_web::run(&args),
        Command::Completions { shell } => completions::run(shell),
    }
}
