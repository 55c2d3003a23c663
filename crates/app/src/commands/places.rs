//! `locavore places`: the tree of places that pages are filed in.

use crate::area::{self, Holds};
use crate::cli::PlacesArgs;
use crate::commands::index;
use crate::message;
use crate::output::{print, print_json};
use crate::text::thousands;
use ::search::index::Index;
use ::search::places::PlaceCount;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::fmt::Write;
use std::process::ExitCode;

/// Places of one level that are shown; the rest is summed up.
const MOST_OF_LEVEL: usize = 20;

pub(crate) fn run(args: &PlacesArgs) -> anyhow::Result<ExitCode> {
    // A mistake is told before anything is built.
    root(args, &|_| 0)?;
    let index = index::open(&args.dir, false)?;
    let root = root(args, &|place| index.n_pages_within(place))?;
    let path = root.map_or("/Earth".to_owned(), |place| index.path_of(place));
    let places = match root {
        Some(place) => inside(&index, place)?,
        None => index.places(&path)?,
    };
    let n_pages = root.map(|place| index.n_pages_within(place));
    let depth = usize::from(args.depth);
    if args.json {
        let mut object = json!({ "path": path, "places": tree(&index, places, depth)? });
        if let Some(n_pages) = n_pages {
            object["pages"] = n_pages.into();
        }
        print_json(&object)?;
        return Ok(ExitCode::SUCCESS);
    }
    if n_pages == Some(0) || n_pages.is_none() && places.is_empty() {
        message::info(format!("no page is about anything in {path}"));
        return Ok(ExitCode::SUCCESS);
    }
    let mut text = String::new();
    if let Some(n_pages) = n_pages {
        write_node(&path, n_pages, 0, &mut text);
    }
    let indent = if n_pages.is_some() { 2 } else { 0 };
    write(&index, &places, depth, indent, &mut text)?;
    print(text.trim_end())?;
    Ok(ExitCode::SUCCESS)
}

fn root(args: &PlacesArgs, holds: Holds<'_>) -> anyhow::Result<Option<PlaceId>> {
    let name = args.place.as_deref();
    name.map(|name| area::place(name, holds)).transpose()
}

/// The places directly in a place that have pages, most first. Paths leave
/// counties out, so what lies in one is asked for place by place.
fn inside(index: &Index, place: PlaceId) -> anyhow::Result<Vec<PlaceCount>> {
    let gazetteer = Gazetteer::built_in();
    if gazetteer.kind(place) != Kind::Division2 {
        return Ok(index.places(&index.path_of(place))?);
    }
    let children = gazetteer.children(place).iter();
    let count = |&child: &PlaceId| PlaceCount {
        path: index.path_of(child),
        n_pages: index.n_pages_within(child),
    };
    let mut places: Vec<PlaceCount> = children.map(count).collect();
    places.retain(|place| place.n_pages > 0);
    places.sort_by(|a, b| (Reverse(a.n_pages), &a.path).cmp(&(Reverse(b.n_pages), &b.path)));
    Ok(places)
}

fn tree(index: &Index, places: Vec<PlaceCount>, depth: usize) -> anyhow::Result<Vec<Value>> {
    let node = |place: PlaceCount| -> anyhow::Result<Value> {
        let inner = match depth > 1 {
            true => tree(index, index.places(&place.path)?, depth - 1)?,
            false => Vec::new(),
        };
        Ok(json!({ "path": place.path, "pages": place.n_pages, "places": inner }))
    };
    places.into_iter().map(node).collect()
}

fn write(
    index: &Index,
    places: &[PlaceCount],
    depth: usize,
    indent: usize,
    text: &mut String,
) -> anyhow::Result<()> {
    for place in places.iter().take(MOST_OF_LEVEL) {
        write_node(&place.path, place.n_pages, indent, text);
        if depth > 1 {
            let inner = index.places(&place.path)?;
            write(index, &inner, depth - 1, indent + 2, text)?;
        }
    }
    let n_more = places.len().saturating_sub(MOST_OF_LEVEL);
    if n_more > 0 {
        let _ = writeln!(text, "{:indent$}and {n_more} more", "");
    }
    Ok(())
}

fn write_node(path: &str, n_pages: u64, indent: usize, text: &mut String) {
    let name = path.rsplit('/').next().unwrap_or_default();
    let _ = writeln!(text, "{:indent$}{name}  {}", "", thousands(n_pages));
}
