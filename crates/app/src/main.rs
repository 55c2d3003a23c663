//! The `locavore` program: commands, messages, and the pictures around them.
//!
//! The only crate that prints. Standard output carries what one might pipe;
//! progress and messages go to standard error. Exit codes: 0 done; 1 done, but
//! something asked for was refused or incomplete; 2 could not start.

mod cli;
mod commands;
mod live;
mod message;
mod plan;
mod seeds;
mod session;
mod table;
mod text;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("LOCAVORE_LOG"))
        .with_writer(std::io::stderr)
        .init();
    let cli = cli::Cli::parse();
    match commands::run(cli.command) {
        Ok(code) => code,
        Err(error) => message::could_not_start(&error),
    }
}
