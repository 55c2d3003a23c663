//! `locavore geoparse`: the addresses and places of texts, pages and archives.
//!
//! Documents are read one after another (`input.rs`), worked on by all cores
//! and written in their order (`parallel.rs`), each as a piece of text that
//! one of the formats has made of it (`listing.rs`, `json_lines.rs`,
//! `geojson.rs`). Memory holds a few documents, however large the input, and
//! of a long one a piece (`long.rs`).

mod document;
mod geojson;
pub(super) mod input;
mod json_lines;
mod listing;
mod long;
mod parallel;
mod parts;
mod position;

pub(crate) use input::InputError;
pub(super) use json_lines::Line;

use super::INCOMPLETE;
use crate::cli::{Finding, GeoparseArgs};
use crate::message;
use crate::output;
use crate::progress::ProgressLine;
use anyhow::anyhow;
use document::{BadLine, Document};
use geojson::Collection;
use input::{Body, Inputs, Raw};
use listing::Listing;
use place::address::Addresses;
use place::gazetteer::Gazetteer;
use place::geoparse::Geoparser;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &GeoparseArgs) -> anyhow::Result<ExitCode> {
    let inputs = Inputs::new(args.files.clone(), args.jsonl);
    let format = Format::of(args);
    let geoparser = format.geoparser();
    let mut sink = Sink::open(&geoparser, &format);
    let mut result = Ok(());
    parallel::in_order(
        inputs,
        |input| input.as_ref().map_or(0, Raw::n_bytes),
        |input| work(&geoparser, &format, input),
        |piece| match sink.take(piece) {
            Ok(flow) => flow,
            Err(error) => {
                result = Err(error);
                ControlFlow::Break(())
            }
        },
    )?;
    result?;
    sink.close()
}

/// Answers one line as `--jsonl` does; or says what is wrong with it.
pub(super) fn answer_line(geoparser: &Geoparser<'_>, line: Vec<u8>) -> Result<String, String> {
    let raw = Raw {
        name: "the request".into(),
        body: Body::Line(line),
        is_cut: false,
    };
    match work(geoparser, &Format::JsonLines(Excerpt::default()), Ok(raw)) {
        Piece::Done { text, .. } => Ok(text),
        Piece::Long(_) => Err("longer than can be answered at once".into()),
        Piece::BadLine(bad) => Err(bad.what),
        Piece::Failed(error) => Err(error.to_string()),
    }
}

/// How findings are written, and which.
enum Format {
    Listing(Listing, Excerpt),
    JsonLines(Excerpt),
    GeoJson(Excerpt),
}

impl Format {
    fn of(args: &GeoparseArgs) -> Format {
        let excerpt = Excerpt {
            findings: args.only.clone(),
            text: !args.no_text,
        };
        match (args.jsonl, args.geojson) {
            (true, _) => Format::JsonLines(excerpt),
            (_, true) => Format::GeoJson(excerpt),
            _ => Format::Listing(Listing::new(args.why), excerpt),
        }
    }

    /// Looks for names only where they are written or say what a document is about.
    fn geoparser(&self) -> Geoparser<'static> {
        let gazetteer = Gazetteer::built_in();
        match self {
            Format::GeoJson(excerpt) if !excerpt.has(Finding::Names) => {
                Geoparser::without_names(gazetteer, Arc::new(Addresses::new(gazetteer)))
            }
            _ => Geoparser::new(gazetteer),
        }
    }
}

/// What is written.
struct Excerpt {
    /// These alone; all where there are none.
    findings: Vec<Finding>,
    /// The document's own text.
    text: bool,
}

impl Default for Excerpt {
    fn default() -> Excerpt {
        Excerpt {
            findings: Vec::new(),
            text: true,
        }
    }
}

impl Excerpt {
    fn has(&self, finding: Finding) -> bool {
        self.findings.is_empty() || self.findings.contains(&finding)
    }

    /// All of some findings, or none.
    fn of<'f, F>(&self, finding: Finding, found: &'f [F]) -> &'f [F] {
        match self.has(finding) {
            true => found,
            false => &[],
        }
    }
}

/// What became of one document.
enum Piece {
    /// Its findings in the chosen format, and what was left out of it.
    Done {
        text: String,
        n_bytes: usize,
        left_out: Option<String>,
    },
    /// It is read when its turn has come.
    Long(Document),
    /// A line that is no document; the others are.
    BadLine(BadLine),
    /// A file that cannot be read, or not on.
    Failed(InputError),
}

fn work(geoparser: &Geoparser<'_>, format: &Format, input: Result<Raw, InputError>) -> Piece {
    let raw = match input {
        Ok(raw) => raw,
        Err(error) => return Piece::Failed(error),
    };
    let name = raw.name.clone();
    // A text that defeats us is one odd text, not the end of the others.
    catch_unwind(AssertUnwindSafe(|| read(geoparser, format, raw))).unwrap_or_else(|_| {
        Piece::BadLine(BadLine {
            name,
            id: serde_json::Value::Null,
            what: "cannot be read: this is a mistake in locavore".into(),
        })
    })
}

fn read(geoparser: &Geoparser<'_>, format: &Format, raw: Raw) -> Piece {
    let n_bytes = raw.n_bytes();
    let document = match Document::read(raw) {
        Ok(document) => document,
        Err(bad) => return Piece::BadLine(bad),
    };
    if long::is_long(&document) {
        return Piece::Long(document);
    }
    let findings = geoparser.read(&document.source(&document.claims()));
    let gazetteer = Gazetteer::built_in();
    let text = match format {
        Format::Listing(listing, excerpt) => {
            listing.render(gazetteer, &document, &findings, excerpt)
        }
        Format::JsonLines(excerpt) => json_lines::render(gazetteer, &document, &findings, excerpt),
        Format::GeoJson(excerpt) => geojson::features(gazetteer, &document, &findings, excerpt),
    };
    Piece::Done {
        text,
        n_bytes,
        left_out: document.left_out,
    }
}

/// Writes the pieces and keeps count.
struct Sink<'f> {
    geoparser: &'f Geoparser<'f>,
    format: &'f Format,
    collection: Collection,
    progress: ProgressLine,
    n_done: u64,
    n_failed: u64,
    is_incomplete: bool,
}

impl<'f> Sink<'f> {
    fn open(geoparser: &'f Geoparser<'f>, format: &'f Format) -> Sink<'f> {
        Sink {
            geoparser,
            format,
            collection: Collection::default(),
            progress: ProgressLine::start_beside_output("document"),
            n_done: 0,
            n_failed: 0,
            is_incomplete: false,
        }
    }

    /// Writes one piece; breaks off when nobody reads any more.
    fn take(&mut self, piece: Piece) -> anyhow::Result<ControlFlow<()>> {
        match piece {
            Piece::Done {
                text,
                n_bytes,
                left_out,
            } => {
                self.begin(n_bytes, left_out);
                let flow = self.write(&text)?;
                self.progress.show();
                Ok(flow)
            }
            Piece::Long(mut document) => {
                self.begin(document.text.len(), document.left_out.take());
                if let Format::Listing(..) = self.format {
                    let _ = self.write("")?;
                }
                let (geoparser, collection) = (self.geoparser, &mut self.collection);
                let flow = long::write(geoparser, self.format, &document, collection)?;
                self.progress.show();
                Ok(flow)
            }
            Piece::BadLine(bad) => {
                self.is_incomplete = true;
                self.n_done += 1;
                self.progress.hide();
                message::show_error(&anyhow!("{}: {}", bad.name, bad.what));
                match self.format {
                    // One line out for each line in.
                    Format::JsonLines(_) => self.write(&json_lines::render_bad(&bad)),
                    _ => Ok(ControlFlow::Continue(())),
                }
            }
            Piece::Failed(error) => {
                self.n_failed += 1;
                self.progress.hide();
                message::show_error(&error.into());
                Ok(ControlFlow::Continue(()))
            }
        }
    }

    /// Counts a document, and says what is not read of it.
    fn begin(&mut self, n_bytes: usize, left_out: Option<String>) {
        self.n_done += 1;
        self.progress.add(n_bytes);
        if let Some(left_out) = left_out {
            self.is_incomplete = true;
            self.progress.hide();
            message::warning(left_out);
        }
    }

    fn write(&mut self, text: &str) -> anyhow::Result<ControlFlow<()>> {
        match self.format {
            Format::Listing(..) if self.n_done > 1 => output::stream(&format!("\n{text}")),
            Format::GeoJson(_) => output::stream(&self.collection.add(text)),
            _ => output::stream(text),
        }
    }

    fn close(mut self) -> anyhow::Result<ExitCode> {
        self.progress.hide();
        if self.n_done == 0 && self.n_failed > 0 {
            return Ok(ExitCode::from(message::COULD_NOT_START));
        }
        if let Format::GeoJson(_) = self.format {
            let _ = output::stream(&self.collection.end())?;
        }
        Ok(match self.is_incomplete || self.n_failed > 0 {
            true => ExitCode::from(INCOMPLETE),
            false => ExitCode::SUCCESS,
        })
    }
}
