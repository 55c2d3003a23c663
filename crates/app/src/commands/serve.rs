//! `locavore serve`: answers searches over HTTP.

use crate::cli::ServeArgs;
use std::process::ExitCode;

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    anyhow::bail!("cannot serve `{}` yet", args.dir.display())
}
