//! The `locavore` program: commands, messages, and the pictures around them.
//!
//! The only crate that prints. Standard output carries what one might pipe;
//! progress and messages go to standard error. Exit codes: 0 done; 1 done, but
//! something asked for was refused or incomplete; 2 could not start; 130 told
//! twice to stop; 141 cut short because nobody reads it.

mod area;
mod bad_lines;
mod broadcast;
mod cli;
mod commands;
mod interrupt;
mod live;
mod message;
mod metrics;
mod outcome;
mod output;
mod own_name;
mod plan;
mod progress;
mod screen;
mod seeds;
mod session;
mod snapshot;
mod table;
mod tally;
mod text;
mod topics;
mod traffic;

use std::process::ExitCode;

/// A crawl makes and drops strings on many threads: a sixth of the frontier's
/// time, and more of the whole, went to the system's allocator.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    tracing_subscriber::fmt()
        .with_env_filter(tracing_subscriber::EnvFilter::from_env("LOCAVORE_LOG"))
        .with_writer(std::io::stderr)
        .init();
    quieten_readers();
    interrupt::watch_readers();
    let cli = cli::Cli::read();
    match commands::run(cli.command) {
        Ok(code) => code,
        Err(error) if error.is::<output::Unwritten>() => {
            message::show_error(&error);
            ExitCode::from(commands::INCOMPLETE)
        }
        Err(error) => message::could_not_start(&error),
    }
}

/// A page that panics its reader is one odd page: a line in the log, not a
/// screenful of backtrace over the live view.
fn quieten_readers() {
    let loud = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        let thread = std::thread::current();
        if thread
            .name()
            .is_some_and(|name| name.starts_with("reader-"))
        {
            tracing::error!(%panic, "a page could not be read");
        } else {
            loud(panic);
        }
    }));
}
