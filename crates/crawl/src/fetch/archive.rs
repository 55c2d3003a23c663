//! Answers from recorded pages: WARC files in the place of the web.
//!
//! Every fetch takes the same foreseen time, so replays run on the virtual
//! clock and give the same log each time. That clock is for politeness: when a
//! page was like that is what its recording says. What was not recorded is *not
//! archived*, and no fault of anybody's. Nothing is ever asked of the network.

mod index;
#[cfg(test)]
mod tests;

use super::{Answer, Fetched, Fetcher, Landing, Machine, Reply, Request, max_body};
use bytes::Bytes;
use index::{Builder, Index, Rank};
use page::media;
use page::url::CanonicalUrl;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;
use store::visit::Errand;
use store::warc::{Capture, Contents, WarcError, capture_at};

/// How long every answer takes, on the virtual clock.
const TOOK: Duration = Duration::from_millis(100);

/// Recorded pages that answer for the web.
#[derive(Debug)]
pub struct Recorded {
    files: Vec<PathBuf>,
    index: Index,
    seeds: Vec<CanonicalUrl>,
    max_body: usize,
}

/// A file that could be read in part, or not at all, while others could.
#[derive(Debug)]
pub struct Flaw {
    /// The file.
    pub file: PathBuf,
    /// Answers found in it all the same.
    pub n_answers: u64,
    /// What is wrong with it.
    pub error: WarcError,
}

/// Files that cannot be replayed.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// The system does not give a file.
    #[error("cannot read `{}`", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder in the place of a file.
    #[error("`{}` is a folder", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
    },
    /// Too many files for the index.
    #[error("more than {max} files")]
    TooMany {
        /// The most it takes.
        max: usize,
    },
    /// A file cannot be read, and no other has pages.
    #[error("no pages in `{}`", path.display())]
    NoPages {
        /// The file, or the first of them.
        path: PathBuf,
        /// What is wrong with it, where it is not just without pages.
        source: Option<WarcError>,
    },
}

impl Recorded {
    /// Reads through the files once and remembers where each page is, in 24
    /// bytes a page. Pages beyond `max_body` bytes will count as too large.
    pub fn open(files: &[PathBuf], max_body: usize) -> Result<(Recorded, Vec<Flaw>), ArchiveError> {
        let max = usize::from(u16::MAX);
        if files.len() > max {
            return Err(ArchiveError::TooMany { max });
        }
        let mut builder = Builder::default();
        let mut flaws = Vec::new();
        for (file_idx, path) in files.iter().enumerate() {
            let n_before = builder.n_answers();
            if let Err(error) = list(&mut builder, file_idx as u16, path)? {
                flaws.push(Flaw {
                    file: path.clone(),
                    n_answers: builder.n_answers() - n_before,
                    error,
                });
            }
        }
        if builder.n_answers() == 0 {
            let flaw = (!flaws.is_empty()).then(|| flaws.swap_remove(0));
            let first = files.first().cloned().unwrap_or_default();
            return Err(match flaw {
                Some(Flaw { file, error, .. }) => ArchiveError::NoPages {
                    path: file,
                    source: Some(error),
                },
                None => ArchiveError::NoPages {
                    path: first,
                    source: None,
                },
            });
        }
        let (index, seeds) = builder.finish();
        let files = files.to_vec();
        let recorded = Recorded {
            files,
            index,
            seeds,
            max_body,
        };
        Ok((recorded, flaws))
    }

    /// Where to begin: the front page of every recorded site, or else the
    /// first page that was recorded of it.
    pub fn seeds(&self) -> &[CanonicalUrl] {
        &self.seeds
    }

    /// Addresses that have an answer.
    pub fn n_urls(&self) -> usize {
        self.index.len()
    }

    fn answer(&self, request: &Request) -> Result<Option<Recording>, WarcError> {
        let max = max_body(request.errand, self.max_body);
        let Some((capture, rank)) = self.capture(&request.url, max)? else {
            return Ok(None);
        };
        let server = capture.server;
        let capture = match rank {
            Rank::Page | Rank::Status | Rank::Document => Some(capture),
            Rank::Copy | Rank::Unchanged => self.follow(capture, rank, max)?,
        };
        Ok(capture.map(|capture| Recording { capture, server }))
    }

    /// The record kept for an address, with up to `max` bytes of its body.
    fn capture(
        &self,
        url: &CanonicalUrl,
        max: usize,
    ) -> Result<Option<(Capture, Rank)>, WarcError> {
        let Some(entry) = self.index.get(url) else {
            return Ok(None);
        };
        let path = &self.files[usize::from(entry.file)];
        let capture = capture_at(path, entry.offset, max)?;
        // Two addresses may share a fingerprint, once in a blue moon.
        let capture = capture.filter(|capture| {
            CanonicalUrl::parse(&capture.url).is_ok_and(|recorded| recorded == *url)
        });
        Ok(capture.map(|capture| (capture, entry.rank)))
    }

    /// The whole answer that a revisit stands for; none where it is elsewhere.
    fn follow(
        &self,
        revisit: Capture,
        rank: Rank,
        max: usize,
    ) -> Result<Option<Capture>, WarcError> {
        let origin = revisit
            .refers_to
            .as_ref()
            .and_then(|refers_to| CanonicalUrl::parse(&refers_to.url).ok());
        let Some(origin) = origin else {
            return Ok(None);
        };
        let Some((original, Rank::Page)) = self.capture(&origin, max)? else {
            return Ok(None);
        };
        // A later page of that address is not the one that is meant.
        if revisit.digest.is_some() && revisit.digest != original.digest {
            return Ok(None);
        }
        Ok(Some(match rank {
            Rank::Copy => Capture {
                body: original.body,
                is_cut: original.is_cut,
                ..revisit
            },
            _ => original,
        }))
    }
}

/// A whole answer and the machine it came from.
struct Recording {
    capture: Capture,
    server: Option<IpAddr>,
}

impl Fetcher for Recorded {
    fn fetch(&self, request: &Request, reply: Reply) {
        let (mut server, mut recorded) = (None, None);
        let fetched = match self.answer(request) {
            Ok(Some(recording)) => {
                server = recording.server;
                recorded = recording.capture.at;
                fetched(request.errand, recording.capture)
            }
            Ok(None) => Fetched::NotArchived,
            // The archive is our way to this web.
            Err(WarcError::Io(error)) => Fetched::Offline(error.to_string()),
            Err(error) => Fetched::Garbled(error.to_string()),
        };
        reply(Landing {
            fetched,
            server,
            took: TOOK,
            recorded,
        });
    }

    fn foresee(&self, _url: &CanonicalUrl) -> Option<Duration> {
        Some(TOOK)
    }

    fn machine(&self, _url: &CanonicalUrl) -> Machine {
        Machine::Unknown
    }

    fn request_head(&self, request: &Request) -> Vec<u8> {
        let url = &request.url;
        let authority = url.origin().split_once("://").map_or("", |(_, rest)| rest);
        let path = url.path_and_query();
        format!("GET {path} HTTP/1.1\r\nHost: {authority}\r\n\r\n").into_bytes()
    }
}

/// What was recorded, as the web would have said it to the same errand: what
/// is no page is told by its first bytes too and not read, a page that is too
/// long is refused, rules and sitemaps are cut.
fn fetched(errand: Errand, mut capture: Capture) -> Fetched {
    let declared = Some(capture.content_type.as_str()).filter(|declared| !declared.is_empty());
    let mut taken_for = declared.map(str::to_owned);
    if errand == Errand::Page {
        taken_for = media::taken_for(declared, &capture.body);
        if media::is_unwanted(taken_for.as_deref()) {
            capture.body.clear();
        } else if capture.is_cut {
            return Fetched::TooLarge;
        }
    }
    if capture.status == 0 {
        return Fetched::Garbled("no HTTP status recorded".into());
    }
    let head = match capture.head.is_empty() {
        false => capture.head,
        true => head_of(&capture.content_type),
    };
    let mut answer = Answer {
        status: capture.status,
        head,
        content_type: taken_for,
        location: None,
        body: Bytes::from(capture.body),
    };
    answer.location = answer.header("location").map(str::to_owned);
    Fetched::Answer(answer)
}

/// The head of a document that was recorded without HTTP.
fn head_of(content_type: &str) -> Vec<u8> {
    format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n").into_bytes()
}

/// Puts the answers of one file into the index; inside, what is wrong with it.
fn list(
    builder: &mut Builder,
    file: u16,
    path: &Path,
) -> Result<Result<(), WarcError>, ArchiveError> {
    let failed = |source| ArchiveError::Read {
        path: path.to_path_buf(),
        source,
    };
    if path.is_dir() {
        let path = path.to_path_buf();
        return Err(ArchiveError::Folder { path });
    }
    let contents = match Contents::of(path) {
        Ok(contents) => contents,
        Err(WarcError::Io(source)) => return Err(failed(source)),
        Err(error) => return Ok(Err(error)),
    };
    for listed in contents {
        match listed {
            Ok(listed) => builder.add(file, &listed),
            Err(WarcError::Io(source)) => return Err(failed(source)),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(()))
}
