//! `locavore places`: the tree of places that pages are filed in.

use crate::area;
use crate::cli::PlacesArgs;
use crate::commands::index;
use crate::message;
use crate::output::{print_json, show};
use crate::text::thousands;
use ::search::index::Index;
use ::search::places::PlaceCount;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::target::Holds;
use serde_json::{Value, json};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt::Write;
use std::process::ExitCode;

/// Places that are shown unless all are asked for: a screenful.
const MOST_SHOWN: usize = 30;

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
    let n_shown = if args.all { usize::MAX } else { MOST_SHOWN };
    let tree = Tree::grow(&index, places, depth, n_shown)?;
    show(&tree.text(n_pages.map(|n_pages| (path.as_str(), n_pages))))?;
    if let Some(example) = tree.example().filter(|_| !args.all) {
        let dir = args.dir.display();
        message::hint(format!(
            "`locavore places {dir} \"{example}\"` shows what lies in one of them, `--all` all of them"
        ));
    }
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

/// The places with most pages, each below the one it lies in.
struct Tree {
    nodes: Vec<Node>,
    /// Those at the top, and how many there are.
    top: (Vec<usize>, usize),
}

struct Node {
    place: PlaceCount,
    inside: Vec<usize>,
    /// With those that are not shown.
    n_inside: usize,
}

/// A place that may be shown next: the one with most pages is.
type Candidate = (u64, Reverse<String>, Option<usize>, usize);

impl Tree {
    /// As many places as are wanted, so many levels deep.
    fn grow(
        index: &Index,
        top: Vec<PlaceCount>,
        depth: usize,
        n_shown: usize,
    ) -> anyhow::Result<Tree> {
        let mut tree = Tree {
            nodes: Vec::new(),
            top: (Vec::new(), top.len()),
        };
        let candidates = |places: Vec<PlaceCount>, parent, level| {
            let places = places.into_iter();
            places.map(move |place| (place.n_pages, Reverse(place.path), parent, level))
        };
        let mut open: BinaryHeap<Candidate> = candidates(top, None, 1).collect();
        while tree.nodes.len() < n_shown
            && let Some((n_pages, Reverse(path), parent, level)) = open.pop()
        {
            let inside = match level < depth {
                true => index.places(&path)?,
                false => Vec::new(),
            };
            let node_idx = tree.nodes.len();
            tree.siblings(parent).push(node_idx);
            tree.nodes.push(Node {
                place: PlaceCount { path, n_pages },
                inside: Vec::new(),
                n_inside: inside.len(),
            });
            open.extend(candidates(inside, Some(node_idx), level + 1));
        }
        Ok(tree)
    }

    fn siblings(&mut self, parent: Option<usize>) -> &mut Vec<usize> {
        match parent {
            Some(parent) => &mut self.nodes[parent].inside,
            None => &mut self.top.0,
        }
    }

    fn text(&self, root: Option<(&str, u64)>) -> String {
        let mut text = String::new();
        if let Some((path, n_pages)) = root {
            write_node(path, n_pages, 0, &mut text);
        }
        let indent = if root.is_some() { 2 } else { 0 };
        self.write(&self.top.0, self.top.1, indent, &mut text);
        text
    }

    /// Where nothing of a level is shown, nothing is said of it.
    fn write(&self, nodes: &[usize], n_nodes: usize, indent: usize, text: &mut String) {
        for node_idx in nodes {
            let Node {
                place,
                inside,
                n_inside,
            } = &self.nodes[*node_idx];
            write_node(&place.path, place.n_pages, indent, text);
            self.write(inside, *n_inside, indent + 2, text);
        }
        let n_more = n_nodes - nodes.len();
        if n_more > 0 && !nodes.is_empty() {
            let n_more = thousands(n_more as u64);
            let _ = writeln!(text, "{:indent$}and {n_more} more", "");
        }
    }

    /// The largest place of which nothing inside is shown, or not all.
    fn example(&self) -> Option<&str> {
        let is_shut = |node: &&Node| node.inside.is_empty() && node.n_inside > 0;
        let is_cut = |node: &&Node| node.n_inside > node.inside.len();
        let mut nodes = self.nodes.iter();
        let node = nodes.clone().find(is_shut).or_else(|| nodes.find(is_cut))?;
        Some(&node.place.path)
    }
}

fn write_node(path: &str, n_pages: u64, indent: usize, text: &mut String) {
    let name = path.rsplit('/').next().unwrap_or_default();
    let _ = writeln!(text, "{:indent$}{name}  {}", "", thousands(n_pages));
}
