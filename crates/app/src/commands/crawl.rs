//! `locavore crawl`: starts a crawl, or goes on with the one in the folder.

mod lost_seeds;

use super::{INCOMPLETE, report};
use crate::cli::{CrawlArgs, OutputArgs};
use crate::interrupt;
use crate::message;
use crate::metrics::Listener;
use crate::plan::Plan;
use crate::progress::watch;
use crate::seeds;
use crate::session::{Ended, Session};
use crate::table::Table;
use crate::text::{count, thousands};
use ::crawl::conductor::Refresh;
use ::crawl::progress::StopReason;
use ::crawl::stage::{Stage, peak_memory};
use anyhow::anyhow;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use store::crawl_dir::{self, StoreError};

/// Lost seeds named one by one.
const MOST_LOST_SEEDS: usize = 10;

pub(crate) fn run(args: &CrawlArgs) -> anyhow::Result<ExitCode> {
    let dir = folder(args)?;
    let seed_lines = match &args.seeds {
        Some(file) => seeds::read(file)?,
        None => Vec::new(),
    };
    let plan = match crawl_dir::read_settings(&dir) {
        Ok(text) => {
            // Before anything else is found wrong that the other one has taken.
            if crawl_dir::is_in_use(&dir)? {
                return Err(StoreError::InUse { dir }.into());
            }
            Plan::from_text(&text)?.resume(args, &seed_lines)?
        }
        Err(StoreError::Missing { .. }) if args.places.is_empty() => {
            return Err(StoreError::Missing { dir }.into());
        }
        Err(StoreError::Missing { .. }) => Plan::from_args(args, seed_lines)?,
        Err(error) => return Err(error.into()),
    };
    let mut session = Session::prepare(plan, refresh(args))?.without(args.left_out);
    if let Some(address) = args.metrics {
        session.tell(Listener::bind(address)?);
    }
    conclude(&dir, session.run(&dir), &resume(args, &dir), &args.output)
}

/// The command that goes on with what this one has begun.
fn resume(args: &CrawlArgs, dir: &Path) -> String {
    let dir = dir.display();
    if args.refresh.is_none() {
        return format!("locavore crawl --out {dir}");
    }
    let mut command = format!("locavore crawl --refresh {dir}");
    if let Some(age) = args.refresh_age {
        let _ = write!(command, " --refresh-age {}s", age.as_secs_f64());
    }
    if let Some(n_pages) = args.pages {
        let _ = write!(command, " --pages {n_pages}");
    }
    command
}

/// Pages younger than this are not visited again, unless told otherwise.
const REFRESH_AGE: Duration = Duration::from_secs(24 * 3600);

fn refresh(args: &CrawlArgs) -> Option<Refresh> {
    args.refresh.as_ref().map(|_| Refresh {
        least_age: args.refresh_age.unwrap_or(REFRESH_AGE),
        n_pages: args.pages,
    })
}

fn folder(args: &CrawlArgs) -> anyhow::Result<PathBuf> {
    match (
        args.refresh.as_ref().or(args.out.as_ref()),
        args.places.first(),
    ) {
        (Some(out), _) => Ok(out.clone()),
        (None, Some(place)) => Ok(format!("crawl-{}", slug(place)).into()),
        (None, None) => Err(anyhow!(
            "which place? for example `locavore crawl \"Houston, TX\"`, or `--out DIR` to resume"
        )),
    }
}

/// `Houston, TX` → `houston-tx`
fn slug(place: &str) -> String {
    let words = place
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect::<Vec<_>>().join("-")
}

/// Tells how a session ended: reason, measures, what was refused.
pub(crate) fn conclude(
    dir: &Path,
    ended: anyhow::Result<Ended>,
    resume: &str,
    output: &OutputArgs,
) -> anyhow::Result<ExitCode> {
    let ended = match ended {
        Ok(ended) => ended,
        Err(error) if has_started(dir, &error) => {
            message::show_error(&error);
            return Ok(ExitCode::from(INCOMPLETE));
        }
        Err(error) => return Err(error),
    };
    ended.explain(resume);
    if ended.reason == StopReason::Unread && !interrupt::is_stdout_read() {
        return Ok(ExitCode::from(INCOMPLETE));
    }
    let is_incomplete = ended.reason.is_premature() || tell_lost_seeds(dir, &ended)? > 0;
    if output.timings {
        message::info(timings(&ended));
    }
    let log = report::show(dir, Some(&ended), output.json)?;
    Ok(if is_incomplete {
        ExitCode::from(INCOMPLETE)
    } else {
        log.exit_code()
    })
}

/// A full disk or a failing one, met on the way.
fn has_started(dir: &Path, error: &anyhow::Error) -> bool {
    error.downcast_ref::<::crawl::error::CrawlError>().is_some()
        && crawl_dir::read_settings(dir).is_ok()
}

/// Names the user's seeds that brought nothing: requests that were not met.
/// Built-in lists always have some dead ones, and only matter as a whole.
fn tell_lost_seeds(dir: &Path, ended: &Ended) -> anyhow::Result<usize> {
    let mut lost = lost_seeds::find(watch("visit", report::visits(dir)?), &ended.seeds);
    // What was never recorded is no fault of the crawl's.
    let n_seeds = lost.len();
    lost.retain(|(_, why)| why != lost_seeds::NOT_ARCHIVED);
    if ended.has_own_seeds && lost.len() < n_seeds {
        let seeds = count((n_seeds - lost.len()) as u64, "seed");
        message::warning(format!("not in the archive: {seeds}"));
    }
    if !ended.has_own_seeds {
        if ended.progress.n_pages() == 0 && !lost.is_empty() {
            message::warning(format!(
                "none of {} could be fetched",
                count(lost.len() as u64, "seed")
            ));
            return Ok(lost.len());
        }
        return Ok(0);
    }
    for (url, why) in lost.iter().take(MOST_LOST_SEEDS) {
        message::warning(format!("seed `{url}` could not be fetched: {why}"));
    }
    if let Some(n_more @ 1..) = lost.len().checked_sub(MOST_LOST_SEEDS) {
        message::warning(format!("and {} more", count(n_more as u64, "seed")));
    }
    if lost.iter().any(|(_, why)| why == lost_seeds::PRIVATE) {
        message::hint(
            "a crawl started with `--allow-private CIDR` may ask the private addresses of your \
             own network",
        );
    }
    Ok(lost.len())
}

fn timings(ended: &Ended) -> String {
    let progress = &ended.progress;
    let n_pages = progress.n_in_session().max(1);
    let per_page = |seconds: f64| format!("{:.4}", seconds * 1e3 / n_pages as f64);
    let mut table = Table::new(["stage", "CPU ms per page", "CPU s"]);
    for stage in Stage::ALL {
        let seconds = progress.timings.get(stage).as_secs_f64();
        table.row([
            stage.name().into(),
            per_page(seconds),
            format!("{seconds:.2}"),
        ]);
    }
    let total = ended.cpu.as_secs_f64();
    let rest = (total - progress.timings.total().as_secs_f64()).max(0.0);
    table.row(["the rest".into(), per_page(rest), format!("{rest:.2}")]);
    table.row([
        "whole process".into(),
        per_page(total),
        format!("{total:.2}"),
    ]);
    format!(
        "{}CPU time of the threads that did the work, over {} pages of this session; \
         most memory held: {} MB",
        table.render(),
        thousands(n_pages),
        thousands(peak_memory() >> 20),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::{Cli, Command};
    use clap::Parser;

    #[test]
    fn an_interrupted_refresh_is_resumed_as_one() {
        let hint = |args: &[&str]| {
            let cli = Cli::parse_from([&["locavore", "crawl"], args].concat());
            let Command::Crawl(args) = cli.command else {
                panic!("a crawl");
            };
            resume(&args, Path::new("c"))
        };
        assert_eq!(hint(&["Texas", "--pages", "9"]), "locavore crawl --out c");
        assert_eq!(
            hint(&["--refresh", "c", "--refresh-age", "12h", "--pages", "9"]),
            "locavore crawl --refresh c --refresh-age 43200s --pages 9"
        );
    }

    #[test]
    fn folders_are_named_after_the_place() {
        assert_eq!(slug("Houston, TX"), "houston-tx");
        assert_eq!(slug("São Paulo"), "são-paulo");
    }
}
