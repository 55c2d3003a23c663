//! Opens files and takes them apart into documents, one at a time.
//!
//! What a file holds is told by its name and its first bytes. Archives and
//! JSON lines are streams of documents; any other file is one document, text
//! or HTML. What cannot be read is handed on in its place among the others.

mod sniff;

use super::document::MAX_DOCUMENT;
use crate::message;
use page::media;
use sniff::{is_binary, is_html};
use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, IsTerminal, Read, stdin};
use std::path::{Path, PathBuf};
use store::packing;
use store::warc::{Capture, Captures, WarcError};

/// Some editors begin a file with it.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// What a file is called in messages and headings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Name {
    Stdin,
    File(PathBuf),
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Name::Stdin => f.write_str("standard input"),
            Name::File(path) => write!(f, "`{}`", path.display()),
        }
    }
}

impl Name {
    /// What is meant by a path on the command line: `-` is standard input.
    pub(in crate::commands) fn of(path: PathBuf) -> Name {
        match path == Path::new("-") {
            true => Name::Stdin,
            false => Name::File(path),
        }
    }

    /// Without quotes, for headings and identifiers.
    fn plain(&self) -> String {
        match self {
            Name::Stdin => "standard input".into(),
            Name::File(path) => path.display().to_string(),
        }
    }

    /// The file's name in lower case, without what says that it is packed.
    fn stem(&self) -> String {
        let name = match self {
            Name::Stdin => "".into(),
            Name::File(path) => path.to_string_lossy().to_lowercase(),
        };
        match name.strip_suffix(".gz").or(name.strip_suffix(".zst")) {
            Some(stem) => stem.to_owned(),
            None => name,
        }
    }
}

/// Why a file gives no documents, or no more.
#[derive(Debug, thiserror::Error)]
pub(crate) enum InputError {
    #[error("cannot read {name}")]
    Read { name: Name, source: io::Error },
    #[error("`{}` is a folder", path.display())]
    Folder { path: PathBuf },
    #[error("{name} is not text")]
    Binary { name: Name },
    #[error("{name} is empty")]
    Empty { name: Name },
    #[error("cannot read WARC file {name}")]
    Archive { name: Name, source: WarcError },
    #[error("no pages in WARC file {name}")]
    NoPages { name: Name },
}

/// A document as its file has it.
pub(in crate::commands) struct Raw {
    /// For people: a file, an address, a line of a file.
    pub(in crate::commands) name: String,
    pub(in crate::commands) body: Body,
    /// There was more than [`MAX_DOCUMENT`] of it.
    pub(in crate::commands) is_cut: bool,
}

pub(in crate::commands) enum Body {
    Text(Vec<u8>),
    Page {
        bytes: Vec<u8>,
        /// Empty where it has none.
        url: String,
        content_type: Option<String>,
    },
    /// A line of JSON.
    Line(Vec<u8>),
}

impl Raw {
    pub(super) fn n_bytes(&self) -> usize {
        match &self.body {
            Body::Text(bytes) | Body::Line(bytes) | Body::Page { bytes, .. } => bytes.len(),
        }
    }
}

pub(in crate::commands) type Bytes = Box<dyn BufRead + Send>;

/// The documents of some files, in order.
pub(in crate::commands) struct Inputs {
    /// What is left to open.
    names: std::vec::IntoIter<Name>,
    open: Option<Open>,
    /// Whether a file of unknown kind holds JSON lines.
    expects_lines: bool,
}

/// A stream of documents.
enum Open {
    Lines {
        name: Name,
        bytes: Bytes,
        n_lines: u64,
    },
    Archive {
        name: Name,
        captures: Captures<Bytes>,
        n_pages: u64,
    },
}

impl Inputs {
    /// Reads these files, or standard input where there are none or one is `-`.
    pub(super) fn new(files: Vec<PathBuf>, expects_lines: bool) -> Inputs {
        let mut names: Vec<Name> = files.into_iter().map(Name::of).collect();
        if names.is_empty() {
            names.push(Name::Stdin);
        }
        Inputs {
            names: names.into_iter(),
            open: None,
            expects_lines,
        }
    }

    /// Reads one file line by line, whatever it is called.
    pub(in crate::commands) fn lines(name: Name) -> Result<Inputs, InputError> {
        let bytes = open(&name)?;
        let n_lines = 0;
        Ok(Inputs {
            names: Vec::new().into_iter(),
            open: Some(Open::Lines {
                name,
                bytes,
                n_lines,
            }),
            expects_lines: true,
        })
    }

    /// Opens the next file; a file that is one document is read at once.
    fn open(&mut self, name: Name) -> Result<Option<Raw>, InputError> {
        let mut bytes = open(&name)?;
        let stem = name.stem();
        let start = bytes.fill_buf().map_err(|source| InputError::Read {
            name: name.clone(),
            source,
        })?;
        let is_archive = start.starts_with(b"WARC/");
        let is_object = start.trim_ascii_start().starts_with(b"{");
        if is_archive || stem.ends_with(".warc") {
            self.open = Some(Open::Archive {
                captures: Captures::new(bytes, MAX_DOCUMENT),
                name,
                n_pages: 0,
            });
            return Ok(None);
        }
        let is_one_of = |extensions: &[&str]| extensions.iter().any(|end| stem.ends_with(end));
        let has_html_name = is_one_of(&[".html", ".htm", ".xhtml", ".shtml"]);
        let has_document_name = has_html_name || is_one_of(&[".txt", ".text", ".md"]);
        let is_document = has_document_name && !is_object;
        if is_one_of(&[".jsonl", ".ndjson"]) || (self.expects_lines && !is_document) {
            self.open = Some(Open::Lines {
                name,
                bytes,
                n_lines: 0,
            });
            return Ok(None);
        }
        document(name, bytes, has_html_name).map(Some)
    }
}

impl Iterator for Inputs {
    type Item = Result<Raw, InputError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(open) = &mut self.open {
                match open.next() {
                    Some(Ok(raw)) => return Some(Ok(raw)),
                    Some(Err(error)) => {
                        self.open = None;
                        return Some(Err(error));
                    }
                    None => self.open = None,
                }
            }
            let name = self.names.next()?;
            match self.open(name) {
                Ok(None) => {}
                Ok(Some(raw)) => return Some(Ok(raw)),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// The bytes of a file, unpacked.
pub(in crate::commands) fn open(name: &Name) -> Result<Bytes, InputError> {
    let failed = |source| InputError::Read {
        name: name.clone(),
        source,
    };
    let unpacked = match name {
        Name::Stdin => {
            if stdin().is_terminal() {
                message::info("reading standard input; Ctrl-D ends it");
            }
            packing::unpacked(BufReader::new(stdin()))
        }
        Name::File(path) if path.is_dir() => {
            return Err(InputError::Folder { path: path.clone() });
        }
        Name::File(path) => {
            let file = File::open(path).map_err(failed)?;
            packing::unpacked(BufReader::with_capacity(1 << 16, file))
        }
    };
    unpacked.map_err(failed)
}

/// A file that is one document.
fn document(name: Name, bytes: Bytes, has_html_name: bool) -> Result<Raw, InputError> {
    let mut whole = Vec::new();
    let read = bytes.take(MAX_DOCUMENT as u64 + 1).read_to_end(&mut whole);
    read.map_err(|source| InputError::Read {
        name: name.clone(),
        source,
    })?;
    let is_cut = whole.len() > MAX_DOCUMENT;
    whole.truncate(MAX_DOCUMENT);
    if whole.trim_ascii().is_empty() {
        return Err(InputError::Empty { name });
    }
    if is_binary(&whole) {
        return Err(InputError::Binary { name });
    }
    let body = if has_html_name || is_html(&whole) {
        Body::Page {
            bytes: whole,
            url: String::new(),
            content_type: None,
        }
    } else {
        Body::Text(whole)
    };
    Ok(Raw {
        name: name.plain(),
        body,
        is_cut,
    })
}

impl Open {
    fn next(&mut self) -> Option<Result<Raw, InputError>> {
        match self {
            Open::Lines {
                name,
                bytes,
                n_lines,
            } => next_line(name, bytes, n_lines),
            Open::Archive {
                name,
                captures,
                n_pages,
            } => next_page(name, captures, n_pages),
        }
    }
}

/// The next line that is not blank.
fn next_line(name: &Name, bytes: &mut Bytes, n_lines: &mut u64) -> Option<Result<Raw, InputError>> {
    loop {
        *n_lines += 1;
        match line(bytes) {
            Ok(None) => return None,
            Ok(Some((line, is_cut))) => {
                if line.trim_ascii().is_empty() && !is_cut {
                    continue;
                }
                return Some(Ok(Raw {
                    name: format!("{}, line {n_lines}", name.plain()),
                    body: Body::Line(line),
                    is_cut,
                }));
            }
            Err(source) => {
                return Some(Err(InputError::Read {
                    name: name.clone(),
                    source,
                }));
            }
        }
    }
}

/// One line without its end, and whether the rest of it was passed over.
fn line(bytes: &mut Bytes) -> io::Result<Option<(Vec<u8>, bool)>> {
    let mut line = Vec::new();
    let n_read = bytes
        .by_ref()
        .take(MAX_DOCUMENT as u64 + 1)
        .read_until(b'\n', &mut line)?;
    if n_read == 0 {
        return Ok(None);
    }
    let is_cut = line.len() > MAX_DOCUMENT && !line.ends_with(b"\n");
    if is_cut {
        // Half an object says nothing, so nothing of it is kept.
        line = Vec::new();
        bytes.skip_until(b'\n')?;
    }
    if line.starts_with(BYTE_ORDER_MARK) {
        line.drain(..BYTE_ORDER_MARK.len());
    }
    Ok(Some((line, is_cut)))
}

/// The next document of an archive that is a page or a text.
fn next_page(
    name: &Name,
    captures: &mut Captures<Bytes>,
    n_pages: &mut u64,
) -> Option<Result<Raw, InputError>> {
    for capture in captures {
        match capture {
            Ok(capture) => {
                if let Some(raw) = page(capture) {
                    *n_pages += 1;
                    return Some(Ok(raw));
                }
            }
            Err(source) => {
                return Some(Err(InputError::Archive {
                    name: name.clone(),
                    source,
                }));
            }
        }
    }
    (*n_pages == 0).then(|| Err(InputError::NoPages { name: name.clone() }))
}

/// What a crawl would read, as it would read it.
fn page(capture: Capture) -> Option<Raw> {
    let Capture {
        url,
        status: 200..300,
        content_type,
        body,
        is_cut,
        ..
    } = capture
    else {
        return None;
    };
    let declared = (!content_type.is_empty()).then_some(content_type.as_str());
    let taken_for = media::taken_for(declared, &body);
    // Rules for crawlers are archived beside the pages and are about no place.
    let is_rules = url.ends_with("/robots.txt") && content_type.starts_with("text/plain");
    if is_rules || media::is_unwanted(taken_for.as_deref()) {
        return None;
    }
    Some(Raw {
        name: url.clone(),
        body: Body::Page {
            bytes: body,
            url,
            content_type: taken_for,
        },
        is_cut,
    })
}
