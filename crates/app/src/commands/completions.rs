//! `locavore completions`: what a shell wants to know.

use crate::cli::Cli;
use crate::output::print;
use clap::CommandFactory;
use clap_complete::Shell;
use std::process::ExitCode;

pub(crate) fn run(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "locavore", &mut script);
    print(String::from_utf8_lossy(&script).trim_end())?;
    Ok(ExitCode::SUCCESS)
}
