//! `locavore geoparse`: the addresses and places of texts, pages and archives.
//!
//! Documents are read one after another (`input.rs`), worked on by all cores
//! and written in their order (`parallel.rs`), each as a piece of text that
//! one of the formats has made of it (`listing.rs`, `json_lines.rs`,
//! `geojson.rs`). Memory holds a few documents, however large the input.

mod document;
mod geojson;
pub(super) mod input;
mod json_lines;
mod listing;
mod parallel;
mod position;

pub(crate) use input::InputError;
pub(super) use json_lines::Line;

use super::INCOMPLETE;
use crate::cli::GeoparseArgs;
use crate::message;
use crate::output;
use crate::progress::ProgressLine;
use anyhow::anyhow;
use document::{BadLine, Document};
use geojson::Collection;
use input::{Body, Inputs, Raw};
use listing::Listing;
use place::gazetteer::Gazetteer;
use place::geoparse::Geoparser;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

pub(crate) fn run(args: &GeoparseArgs) -> anyhow::Result<ExitCode> {
    let inputs = Inputs::new(args.files.clone(), args.jsonl);
    let geoparser = Geoparser::new(Gazetteer::built_in());
    let format = Format::of(args);
    let mut sink = Sink::open(&format);
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
    match work(geoparser, &Format::JsonLines, Ok(raw)) {
        Piece::Done { text, .. } => Ok(text),
        Piece::BadLine(bad) => Err(bad.what),
        Piece::Failed(error) => Err(error.to_string()),
    }
}

/// How findings are written.
enum Format {
    Listing(Listing),
    JsonLines,
    GeoJson,
}

impl Format {
    fn of(args: &GeoparseArgs) -> Format {
        match (args.jsonl, args.geojson) {
            (true, _) => Format::JsonLines,
            (_, true) => Format::GeoJson,
            _ => Format::Listing(Listing::new(args.why)),
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
    let findings = geoparser.read(&document.source(&document.claims()));
    let gazetteer = Gazetteer::built_in();
    let text = match format {
        Format::Listing(listing) => listing.render(gazetteer, &document, &findings),
        Format::JsonLines => json_lines::render(gazetteer, &document, &findings),
        Format::GeoJson => geojson::features(gazetteer, &document, &findings),
    };
    Piece::Done {
        text,
        n_bytes,
        left_out: document.left_out,
    }
}

/// Writes the pieces and keeps count.
struct Sink<'f> {
    format: &'f Format,
    collection: Collection,
    progress: ProgressLine,
    n_done: u64,
    n_failed: u64,
    is_incomplete: bool,
}

impl<'f> Sink<'f> {
    fn open(format: &'f Format) -> Sink<'f> {
        Sink {
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
                self.n_done += 1;
                self.progress.add(n_bytes);
                if let Some(left_out) = left_out {
                    self.is_incomplete = true;
                    self.progress.hide();
                    message::warning(left_out);
                }
                let flow = self.write(&text)?;
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
                    Format::JsonLines => self.write(&json_lines::render_bad(&bad)),
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

    fn write(&mut self, text: &str) -> anyhow::Result<ControlFlow<()>> {
        match self.format {
            Format::Listing(_) if self.n_done > 1 => output::stream(&format!("\n{text}")),
            Format::GeoJson => output::stream(&self.collection.add(text)),
            _ => output::stream(text),
        }
    }

    fn close(mut self) -> anyhow::Result<ExitCode> {
        self.progress.hide();
        if self.n_done == 0 && self.n_failed > 0 {
            return Ok(ExitCode::from(message::COULD_NOT_START));
        }
        if let Format::GeoJson = self.format {
            let _ = output::stream(&self.collection.end())?;
        }
        Ok(match self.is_incomplete || self.n_failed > 0 {
            true => ExitCode::from(INCOMPLETE),
            false => ExitCode::SUCCESS,
        })
    }
}
