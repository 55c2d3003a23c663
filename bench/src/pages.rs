//! Real pages to measure on, where they lie beside the repository.
//!
//! `LOCAVORE_EVAL` says in which folder they are. They may not be passed on, so
//! a bench must do without them too.

use page::html::{self, Page};
use page::url::CanonicalUrl;
use serde::Deserialize;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Pages of one origin, read.
#[derive(Debug)]
pub struct Corpus {
    /// Where they are from.
    pub name: &'static str,
    /// The pages.
    pub pages: Vec<Page>,
}

/// A line of a labelled set, as far as it matters here.
#[derive(Debug, Deserialize)]
struct Line {
    html: String,
}

const SETS: [(&str, &str); 4] = [
    ("US pages", "addresses/split_webstruct_dev.jsonl.zst"),
    ("restaurants", "pages/restaurants_dev.jsonl.zst"),
    ("German pages", "addresses/split_de_pages_dev.jsonl.zst"),
    (
        "with structured data",
        "structured/real_pages_structured_dev.jsonl.zst",
    ),
];

/// All sets that are there; none where no folder is named.
pub fn real_pages() -> io::Result<Vec<Corpus>> {
    let mut corpora = Vec::new();
    let Some(dir) = std::env::var_os("LOCAVORE_EVAL").map(PathBuf::from) else {
        return Ok(corpora);
    };
    if !dir.is_dir() {
        let what = format!("no real pages at `{}`", dir.display());
        return Err(io::Error::new(io::ErrorKind::NotFound, what));
    }
    let archive = dir.join("pages/university_web.warc.gz");
    if archive.is_file() {
        corpora.push(Corpus {
            name: "university web",
            pages: archived_pages(&archive)?,
        });
    }
    for (name, file) in SETS {
        let path = dir.join(file);
        if path.is_file() {
            let pages = labelled_pages(&path)?;
            corpora.push(Corpus { name, pages });
        }
    }
    Ok(corpora)
}

fn labelled_pages(path: &Path) -> io::Result<Vec<Page>> {
    let url = plain_url("http://www.example.org/");
    let file = zstd::stream::read::Decoder::new(std::fs::File::open(path)?)?;
    let mut pages = Vec::new();
    for line in BufReader::new(file).lines() {
        let line: Line = serde_json::from_str(&line?)?;
        pages.push(html::read(
            line.html.as_bytes(),
            &url,
            Some("text/html; charset=utf-8"),
        ));
    }
    Ok(pages)
}

/// The responses of a WARC file that anybody may have written.
fn archived_pages(path: &Path) -> io::Result<Vec<Page>> {
    let file = std::fs::File::open(path)?;
    let mut input = BufReader::new(flate2::read::MultiGzDecoder::new(file));
    let mut pages = Vec::new();
    while let Some(head) = read_head(&mut input)? {
        let len: u64 = field(&head, "content-length")
            .and_then(|text| text.parse().ok())
            .ok_or(io::ErrorKind::InvalidData)?;
        let mut block = Vec::new();
        input.by_ref().take(len).read_to_end(&mut block)?;
        let mut block = block.as_slice();
        let url = field(&head, "warc-target-uri").and_then(|url| CanonicalUrl::parse(url).ok());
        let is_response = field(&head, "warc-type") == Some("response");
        if let Some(url) = url.filter(|_| is_response)
            && let Some(head) = read_head(&mut block)?
        {
            pages.push(html::read(block, &url, field(&head, "content-type")));
        }
    }
    Ok(pages)
}

/// Lines up to an empty one, after empty lines; none at the end.
fn read_head(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut head = String::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        let is_end = input.read_until(b'\n', &mut line)? == 0;
        let is_empty = line.trim_ascii().is_empty();
        if is_end || is_empty && !head.is_empty() {
            return Ok(Some(head).filter(|head| !head.is_empty()));
        }
        if !is_empty {
            head.push_str(&String::from_utf8_lossy(&line));
        }
    }
}

fn field<'h>(head: &'h str, name: &str) -> Option<&'h str> {
    let mut fields = head.lines().filter_map(|line| line.split_once(':'));
    let (_, value) = fields.find(|(known, _)| known.trim().eq_ignore_ascii_case(name))?;
    Some(value.trim())
}

/// A URL that is known to be one.
pub(crate) fn plain_url(url: &str) -> CanonicalUrl {
    CanonicalUrl::parse(url).expect("a plain URL")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_end_at_an_empty_line() {
        let mut input = &b"\r\n\r\nA: b\r\nC-d :e\r\n\r\nbody"[..];
        let head = read_head(&mut input).unwrap().unwrap();
        assert_eq!(
            (field(&head, "a"), field(&head, "c-D")),
            (Some("b"), Some("e"))
        );
        assert_eq!(input, b"body");
        assert_eq!(read_head(&mut &b"\n"[..]).unwrap(), None);
    }
}
