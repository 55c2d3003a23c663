//! `locavore completions`: what a shell wants to know.

use crate::cli::Cli;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

pub(crate) fn run(shell: Shell) -> anyhow::Result<ExitCode> {
    clap_complete::generate(
        shell,
        &mut Cli::command(),
        "locavore",
        &mut std::io::stdout(),
    );
    Ok(ExitCode::SUCCESS)
}
