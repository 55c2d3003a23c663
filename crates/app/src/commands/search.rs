//! `locavore search`: asks the index, bringing it up to date first.

use crate::cli::SearchArgs;
use crate::message;
use crate::output::print;
use crate::progress::wait_for;
use crate::text::printable;
use ::search::index::Index;
use place::gazetteer::Gazetteer;
use place::target;
use serde_json::json;
use std::fmt::Write;
use std::process::ExitCode;
use store::crawl_dir;

pub(crate) fn run(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    // What a newer version has written would be misread, not refused.
    crawl_dir::read_settings(&args.dir)?;
    let gazetteer = Gazetteer::built_in();
    let within = match &args.within {
        Some(name) => Some(gazetteer.place(target::resolve(gazetteer, name)?)),
        None => None,
    };
    let index = wait_for("bringing the index up to date", || {
        Index::open_or_build(&args.dir)
    })?;
    let words = args.words.join(" ");
    let hits = index.search(&words, within.map(|place| place.geonameid), args.hits)?;
    if args.json {
        let hits: Vec<_> = hits
            .iter()
            .map(|hit| {
                json!({
                    "url": hit.url,
                    "title": hit.title,
                    "score": hit.score,
                    "places": hit.places,
                })
            })
            .collect();
        let object = json!({ "words": words, "pages": index.n_pages(), "hits": hits });
        print(&serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    if hits.is_empty() {
        let within = within.map_or(String::new(), |place| format!(" within {}", place.name));
        message::info(format!("nothing found for `{words}`{within}"));
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    for hit in &hits {
        let _ = write!(text, "{}\n  {}\n", printable(&hit.title), hit.url);
        if !hit.places.is_empty() {
            let _ = writeln!(text, "  {}", hit.places.join("; "));
        }
    }
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}
