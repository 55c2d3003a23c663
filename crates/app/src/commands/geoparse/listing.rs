//! Findings for people: a line each, then what the document is about.

mod paint;
mod why;

use super::Excerpt;
use super::document::Document;
use super::position::Positions;
use crate::cli::Finding;
use crate::screen::{self, pad, width};
use crate::text::{count, printable, shorten};
use page::structured::Fact;
use paint::Paint;
use place::address::Address;
use place::evidence::Evidence;
use place::gazetteer::{Gazetteer, PlaceId};
use place::geography::Geography;
use place::geoparse::{Findings, Piece};
use place::toponym::Mention;
use std::fmt::Write;

/// Columns of a matched text or a place at most; addresses of some pages are long.
const MOST_CHARS: usize = 44;

/// Spaces between two columns.
const GAP: usize = 2;

/// Columns of how sure a finding is, `100 %`.
const CONFIDENCE: usize = 5;

/// Columns of a full bar.
const BAR: f32 = 20.0;

/// What stands beside a name: indent, bar, weight and the mark of the focus.
const BESIDE_NAME: usize = 42;

/// Lighter places are counted, not shown.
const LEAST_WEIGHT: f32 = 0.02;

const NOTHING: &str = "  no addresses or places\n";

/// Writes findings for people.
pub(super) struct Listing {
    says_why: bool,
    paint: Paint,
}

/// One finding, before it is known how wide the columns are.
struct Row {
    position: String,
    kind: &'static str,
    text: String,
    place: String,
    point: String,
    confidence: String,
    why: Vec<String>,
}

impl Listing {
    pub(super) fn new(says_why: bool) -> Listing {
        Listing {
            says_why,
            paint: Paint::for_stdout(),
        }
    }

    pub(super) fn render(
        &self,
        gazetteer: &Gazetteer,
        document: &Document,
        findings: &Findings,
        excerpt: &Excerpt,
    ) -> String {
        let mut text = self.heading(document);
        let rows = rows(gazetteer, document, findings, excerpt);
        if rows.is_empty() {
            text.push_str(NOTHING);
            return text;
        }
        self.push_rows(&mut text, &rows);
        self.push_geography(&mut text, gazetteer, &findings.geography);
        text
    }

    /// What stands above the findings.
    pub(super) fn heading(&self, document: &Document) -> String {
        format!("{}\n", self.paint.heading(&printable(&document.name)))
    }

    /// The findings of a piece of a long text.
    pub(super) fn render_piece(
        &self,
        gazetteer: &Gazetteer,
        text: &str,
        positions: &Positions<'_>,
        piece: &Piece,
        excerpt: &Excerpt,
    ) -> String {
        let addresses = excerpt.of(Finding::Addresses, &piece.addresses);
        let names = piece.names().filter(|_| excerpt.has(Finding::Names));
        let mut listed = String::new();
        let rows = rows_in_text(gazetteer, text, positions, addresses, names);
        self.push_rows(&mut listed, &rows);
        listed
    }

    /// What a long text is about, or that nothing was found in it.
    pub(super) fn render_end(
        &self,
        gazetteer: &Gazetteer,
        geography: &Geography,
        is_empty: bool,
    ) -> String {
        if is_empty {
            return NOTHING.into();
        }
        let mut text = String::new();
        self.push_geography(&mut text, gazetteer, geography);
        text
    }

    fn push_rows(&self, text: &mut String, rows: &[Row]) {
        let room = screen::columns().unwrap_or(usize::MAX);
        let widths = Widths::of(rows, room);
        let (position, kind) = (widths.position, widths.kind);
        for row in rows {
            let mut line = format!("  {:>position$}  ", row.position);
            line += &self.paint.kind(&pad(row.kind, kind));
            let matched = shorten(&row.text, widths.text);
            let place = shorten(&row.place, widths.place);
            line += &format!(
                "  {}  {}",
                pad(&matched, widths.text),
                pad(&place, widths.place)
            );
            let point = match widths.point {
                0 => String::new(),
                point => format!("  {}", pad(&row.point, point)),
            };
            let rest = format!("{point}  {:>5}", row.confidence);
            line += &self.paint.faint(rest.trim_end());
            text.push_str(line.trim_end());
            text.push('\n');
            for reason in row.why.iter().filter(|_| self.says_why) {
                let line = format!("  {:position$}  {:kind$}  · {reason}\n", "", "");
                text.push_str(&screen::fold(&line, room));
            }
        }
    }

    fn push_geography(&self, text: &mut String, gazetteer: &Gazetteer, geography: &Geography) {
        let is_shown = |weight: f32| weight >= LEAST_WEIGHT;
        let shown = geography.nodes.iter().filter(|node| is_shown(node.weight));
        let names: Vec<(String, f32, PlaceId)> = shown
            .map(|node| {
                let name = gazetteer.place(node.place).name;
                let indent = "  ".repeat(node.depth);
                (format!("{indent}{name}"), node.weight, node.place)
            })
            .collect();
        if names.is_empty() {
            return;
        }
        text.push_str("  about\n");
        let widest = names.iter().map(|(name, ..)| width(name)).max();
        let room = screen::columns().unwrap_or(usize::MAX);
        let widest = widest.unwrap_or(0).min(room.saturating_sub(BESIDE_NAME));
        for (name, weight, place) in &names {
            let n_blocks = (weight * BAR).round().max(1.0) as usize;
            let bar = self.paint.bar(&format!("{:<20}", "█".repeat(n_blocks)));
            let percent = format!("{:.0} %", weight * 100.0);
            let name = pad(&shorten(name, widest), widest);
            let _ = write!(text, "    {name}  {bar}  {percent:>5}");
            let is_focus = geography.focus == Some(*place);
            text.push_str(if is_focus { "  ← focus\n" } else { "\n" });
        }
        let n_more = geography.nodes.len() - names.len();
        if n_more > 0 {
            let _ = writeln!(text, "    and {} with less", count(n_more as u64, "place"));
        }
    }
}

/// How wide the columns are.
struct Widths {
    position: usize,
    kind: usize,
    text: usize,
    place: usize,
    /// Zero where there is no room for it.
    point: usize,
}

impl Widths {
    /// Where rows are wider than the screen, points go first; then texts get
    /// most of what is left, and places the rest.
    fn of(rows: &[Row], room: usize) -> Widths {
        let widest = |cell: fn(&Row) -> &str| {
            let widths = rows.iter().map(|row| width(cell(row)));
            widths.max().unwrap_or(0)
        };
        let mut widths = Widths {
            position: widest(|row| &row.position),
            kind: widest(|row| row.kind),
            text: widest(|row| &row.text),
            place: widest(|row| &row.place),
            point: widest(|row| &row.point),
        };
        let is_sure = rows.iter().all(|row| row.confidence.is_empty());
        let confidence = if is_sure { 0 } else { GAP + CONFIDENCE };
        let fixed = widths.position + widths.kind + 4 * GAP + confidence;
        let texts = widths.text + widths.place;
        if fixed + texts + GAP + widths.point > room {
            widths.point = 0;
        }
        if fixed + texts > room {
            let left = room.saturating_sub(fixed);
            widths.place = widths
                .place
                .min(left.saturating_sub(widths.text).max(left / 3));
            widths.text = left.saturating_sub(widths.place);
        }
        widths
    }
}

/// All findings: those of the text in its order, then those of the markup.
fn rows(
    gazetteer: &Gazetteer,
    document: &Document,
    findings: &Findings,
    excerpt: &Excerpt,
) -> Vec<Row> {
    let positions = Positions::new(&document.text);
    let addresses = excerpt.of(Finding::Addresses, &findings.addresses);
    let names = findings.names().filter(|_| excerpt.has(Finding::Names));
    let mut rows = rows_in_text(gazetteer, &document.text, &positions, addresses, names);
    let facts = document.facts.iter().zip(&findings.evidence).enumerate();
    let facts = facts.filter(|_| excerpt.has(Finding::Markup));
    let stated = facts.map(|(fact_idx, (fact, evidence))| {
        let text = one_line(&document.stated(fact_idx));
        fact_row(gazetteer, fact, text, evidence.as_ref())
    });
    rows.extend(stated);
    rows
}

/// Addresses and names, in the order of the text.
fn rows_in_text<'f>(
    gazetteer: &Gazetteer,
    text: &str,
    positions: &Positions<'_>,
    addresses: &[Address],
    names: impl Iterator<Item = &'f Mention>,
) -> Vec<Row> {
    let addresses = addresses.iter().map(|address| {
        let at = address.span.start;
        (at, address_row(gazetteer, text, positions, address))
    });
    let names = names.map(|mention| {
        let at = mention.span.start;
        (at, name_row(gazetteer, text, positions, mention))
    });
    let mut rows: Vec<(usize, Row)> = addresses.chain(names).collect();
    rows.sort_by_key(|(at, _)| *at);
    rows.into_iter().map(|(_, row)| row).collect()
}

fn address_row(
    gazetteer: &Gazetteer,
    text: &str,
    positions: &Positions<'_>,
    address: &Address,
) -> Row {
    let point = address.lat.zip(address.lon);
    Row {
        position: positions.line_and_column(address.span.start),
        kind: "address",
        text: one_line(&text[address.span.clone()]),
        place: match address.place {
            Some(place) => describe(gazetteer, place),
            None => format!("{} {}", address.city, address.state)
                .trim_end()
                .to_owned(),
        },
        point: point.map_or(String::new(), |(lat, lon)| {
            point_text(lat.into(), lon.into())
        }),
        confidence: String::new(),
        why: why::address(gazetteer, address),
    }
}

fn name_row(
    gazetteer: &Gazetteer,
    text: &str,
    positions: &Positions<'_>,
    mention: &Mention,
) -> Row {
    let place = gazetteer.place(mention.place);
    Row {
        position: positions.line_and_column(mention.span.start),
        kind: place.kind.name(),
        text: one_line(&text[mention.span.clone()]),
        place: describe(gazetteer, mention.place),
        point: point_text(place.lat.into(), place.lon.into()),
        confidence: format!("{:.0} %", mention.confidence * 100.0),
        why: why::name(gazetteer, mention),
    }
}

fn fact_row(gazetteer: &Gazetteer, fact: &Fact, text: String, evidence: Option<&Evidence>) -> Row {
    let point = evidence.and_then(|evidence| evidence.lat.zip(evidence.lon));
    let point = point.or(fact.lat.zip(fact.lon));
    let place = evidence.and_then(|evidence| evidence.place);
    Row {
        position: "–".into(),
        kind: fact.kind.name(),
        text,
        place: place.map_or(String::new(), |place| describe(gazetteer, place)),
        point: point.map_or(String::new(), |(lat, lon)| point_text(lat, lon)),
        confidence: String::new(),
        why: why::fact(evidence),
    }
}

fn describe(gazetteer: &Gazetteer, place: PlaceId) -> String {
    shorten(&gazetteer.describe(place), MOST_CHARS)
}

fn one_line(text: &str) -> String {
    let words: Vec<&str> = text.split_whitespace().collect();
    shorten(&printable(&words.join(" ")), MOST_CHARS)
}

fn point_text(lat: f64, lon: f64) -> String {
    format!("{lat:.4},{lon:.4}")
}
