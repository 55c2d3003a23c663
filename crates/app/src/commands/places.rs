//! `locavore places`: the tree of places that pages are filed in.

use crate::area;
use crate::cli::PlacesArgs;
use crate::commands::index;
use crate::message;
use crate::output::print;
use crate::text::thousands;
use ::search::index::Index;
use ::search::places::PlaceCount;
use serde_json::{Value, json};
use std::fmt::Write;
use std::process::ExitCode;

/// Places of one level that are shown; the rest is summed up.
const MOST_OF_LEVEL: usize = 20;

pub(crate) fn run(args: &PlacesArgs) -> anyhow::Result<ExitCode> {
    let root = match &args.place {
        Some(name) => Some(area::place(name, &|_| 0)?),
        None => None,
    };
    let index = index::open(&args.dir, false)?;
    let root = root.map_or("/Earth".to_owned(), |place| index.path_of(place));
    let depth = usize::from(args.depth);
    if args.json {
        let object = json!({ "path": root, "places": tree(&index, &root, depth)? });
        print(&serde_json::to_string_pretty(&object)?)?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    write(&index, &root, depth, 0, &mut text)?;
    match text.is_empty() {
        true => message::info(format!("no page is about anything in {root}")),
        false => print(text.trim_end())?,
    }
    Ok(ExitCode::SUCCESS)
}

fn tree(index: &Index, under: &str, depth: usize) -> anyhow::Result<Vec<Value>> {
    let node = |place: PlaceCount| -> anyhow::Result<Value> {
        let inner = match depth > 1 {
            true => tree(index, &place.path, depth - 1)?,
            false => Vec::new(),
        };
        Ok(json!({ "path": place.path, "pages": place.n_pages, "places": inner }))
    };
    index.places(under)?.into_iter().map(node).collect()
}

fn write(
    index: &Index,
    under: &str,
    depth: usize,
    indent: usize,
    text: &mut String,
) -> anyhow::Result<()> {
    let places = index.places(under)?;
    for place in places.iter().take(MOST_OF_LEVEL) {
        let name = place.path.rsplit('/').next().unwrap_or_default();
        let pages = thousands(place.n_pages);
        let _ = writeln!(text, "{:indent$}{name}  {pages}", "");
        if depth > 1 {
            write(index, &place.path, depth - 1, indent + 2, text)?;
        }
    }
    let n_more = places.len().saturating_sub(MOST_OF_LEVEL);
    if n_more > 0 {
        let _ = writeln!(text, "{:indent$}and {n_more} more", "");
    }
    Ok(())
}
