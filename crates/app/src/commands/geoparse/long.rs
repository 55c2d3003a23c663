//! Writes what is found in a long text while it is being read, piece by
//! piece, so that memory never holds all of it.
//!
//! What is written is what the other formats write of a whole document, but
//! that in a listing each piece has columns of its own width.

use super::document::Document;
use super::geojson::{Collection, LongFeatures};
use super::json_lines::{Named, about_object, address_object, place_object};
use super::listing::Listing;
use super::position::Positions;
use super::{Excerpt, Format};
use crate::cli::Finding;
use crate::output::{self, json_line};
use page::html;
use place::gazetteer::Gazetteer;
use place::geoparse::Geoparser;
use serde::Serialize;
use std::ops::ControlFlow;

/// Objects, or bytes of text, that are put into words together.
const TOGETHER: usize = 1 << 12;

/// Whether a document is written piece by piece. Pages never are: they are
/// cut before.
pub(super) fn is_long(document: &Document) -> bool {
    document.text.len() > html::MAX_TEXT
}

/// Where the words go, until nobody reads them.
struct Out {
    flow: anyhow::Result<ControlFlow<()>>,
}

impl Out {
    fn put(&mut self, text: &str) {
        if !text.is_empty() && !self.is_over() {
            self.flow = output::stream(text);
        }
    }

    fn is_over(&self) -> bool {
        !matches!(self.flow, Ok(ControlFlow::Continue(())))
    }
}

/// Reads a document and writes what is found.
pub(super) fn write(
    geoparser: &Geoparser<'_>,
    format: &Format,
    document: &Document,
    collection: &mut Collection,
) -> anyhow::Result<ControlFlow<()>> {
    let mut out = Out {
        flow: Ok(ControlFlow::Continue(())),
    };
    match format {
        Format::Listing(listing, excerpt) => {
            list(geoparser, listing, document, excerpt, &mut out);
        }
        Format::JsonLines(excerpt) => json(geoparser, document, excerpt, &mut out),
        Format::GeoJson(excerpt) => {
            features(geoparser, document, excerpt, |text| {
                out.put(&collection.add(text));
                !out.is_over()
            });
        }
    }
    out.flow
}

fn list(
    geoparser: &Geoparser<'_>,
    listing: &Listing,
    document: &Document,
    excerpt: &Excerpt,
    out: &mut Out,
) {
    let gazetteer = Gazetteer::built_in();
    let positions = Positions::new(&document.text);
    let mut is_empty = true;
    out.put(&listing.heading(document));
    let mut pieces = geoparser.pieces(&document.source(&[]));
    for piece in pieces.by_ref() {
        let text = listing.render_piece(gazetteer, &document.text, &positions, &piece, excerpt);
        is_empty &= text.is_empty();
        out.put(&text);
        if out.is_over() {
            return;
        }
    }
    out.put(&listing.render_end(gazetteer, &pieces.geography(), is_empty));
}

fn json(geoparser: &Geoparser<'_>, document: &Document, excerpt: &Excerpt, out: &mut Out) {
    let gazetteer = Gazetteer::built_in();
    let text = &document.text;
    let positions = Positions::new(text);
    out.put(&format!("{{\"id\":{}", encoded(&document.id)));
    out.put(&format!(",\"title\":{}", encoded(&document.title)));
    if excerpt.text {
        out.put(",\"text\":\"");
        put_string(text, out);
        out.put("\"");
    }
    out.put(",\"addresses\":[");
    let mut names: Vec<Named> = Vec::new();
    let mut separator = "";
    let mut pieces = geoparser.pieces(&document.source(&[]));
    for piece in pieces.by_ref() {
        let addresses = excerpt.of(Finding::Addresses, &piece.addresses);
        for addresses in addresses.chunks(TOGETHER) {
            let object = |address| address_object(gazetteer, text, &positions, address);
            let objects: Vec<_> = addresses.iter().map(object).collect();
            put_objects(&objects, &mut separator, out);
        }
        let mentions = excerpt.of(Finding::Names, &piece.mentions);
        names.extend(mentions.iter().map(Named::of));
        if out.is_over() {
            return;
        }
    }
    out.put("],\"places\":[");
    let mut separator = "";
    for names in names.chunks(TOGETHER) {
        let object = |named: &Named| place_object(gazetteer, text, &positions, *named);
        let objects: Vec<_> = names.iter().map(object).collect();
        put_objects(&objects, &mut separator, out);
    }
    let geography = pieces.geography();
    let nodes = geography.nodes.iter();
    let about: Vec<_> = nodes.map(|node| about_object(gazetteer, node)).collect();
    let is_focus = |node: &place::geography::Node| Some(node.place) == geography.focus;
    let focus = geography.nodes.iter().position(is_focus);
    let focus = focus.map(|focus| &about[focus]);
    out.put("],\"structured\":[]");
    out.put(&format!(",\"focus\":{}", encoded(&focus)));
    out.put(&format!(",\"about\":{}}}\n", encoded(&about)));
}

/// A text as the inside of a JSON string.
fn put_string(text: &str, out: &mut Out) {
    let mut rest = text;
    while !rest.is_empty() && !out.is_over() {
        let (first, after) = rest.split_at(rest.ceil_char_boundary(TOGETHER * 16));
        let quoted = encoded(&first);
        out.put(&quoted[1..quoted.len() - 1]);
        rest = after;
    }
}

fn put_objects<O: Serialize>(objects: &[O], separator: &mut &str, out: &mut Out) {
    if let Some(inside) = encoded(&objects)
        .get(1..)
        .and_then(|list| list.strip_suffix(']'))
        && !inside.is_empty()
    {
        out.put(&format!("{separator}{inside}"));
        *separator = ",";
    }
}

fn encoded(object: &impl Serialize) -> String {
    json_line(object).expect("strings and numbers are always JSON")
}

/// Goes through the text twice: how often an address stands in it is known at
/// its end, and belongs to where it stands first.
fn features(
    geoparser: &Geoparser<'_>,
    document: &Document,
    excerpt: &Excerpt,
    mut put: impl FnMut(&str) -> bool,
) {
    let source = document.source(&[]);
    let mut features = LongFeatures::of(Gazetteer::built_in(), document);
    for piece in geoparser.pieces(&source) {
        features.count(&piece, excerpt);
    }
    for piece in geoparser.pieces(&source).without_names() {
        if !put(&features.addresses(&piece)) {
            return;
        }
    }
    put(&features.names());
}
