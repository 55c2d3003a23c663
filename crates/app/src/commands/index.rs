//! `locavore index`: brings the index up to date, or builds it anew.

use crate::cli::IndexArgs;
use crate::message;
use crate::output::{print_json, show};
use crate::progress::ProgressLine;
use crate::text::{count, span, thousands};
use ::search::index::{Index, SearchError};
use serde_json::json;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use store::crawl_dir::{self, VisitReader};

pub(crate) fn run(args: &IndexArgs) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let index = open(&args.dir, args.rebuild)?;
    let took = start.elapsed();
    if args.json {
        let object = json!({
            "pages": index.n_pages(),
            "visits": index.n_visits(),
            "seconds": took.as_secs_f64(),
        });
        print_json(&object)?;
        return Ok(ExitCode::SUCCESS);
    }
    show(&format!(
        "{} of {} visits can be searched; {}",
        count(index.n_pages(), "page"),
        thousands(index.n_visits()),
        span(took),
    ))?;
    Ok(ExitCode::SUCCESS)
}

fn say_flaw(why: &str) {
    message::warning(format!(
        "the index cannot be used ({why}): building it anew"
    ));
}

/// Opens a crawl's index, up to date; shows how far that is.
pub(crate) fn open(dir: &Path, rebuild: bool) -> anyhow::Result<Index> {
    // What a newer version has written would be misread, not refused.
    crawl_dir::read_settings(dir)?;
    let mut line = ProgressLine::start("visit");
    let mut hear = |n_visits: u64| line.reach(n_visits);
    let index: Result<Index, SearchError> = match rebuild {
        true => Index::rebuild(dir, &mut hear),
        false => Index::open_or_mend(dir, &mut hear, &mut say_flaw),
    };
    line.hide();
    let index = index?;
    if index.is_read_only() {
        let n_behind = VisitReader::open_at(dir, index.n_visits())?.count() as u64;
        if n_behind > 0 {
            message::warning(format!(
                "`{}` may only be read: {} since are not in its index",
                dir.display(),
                count(n_behind, "visit"),
            ));
        }
    }
    Ok(index)
}
