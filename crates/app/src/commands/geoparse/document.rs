//! One document, read: its text, what its markup states, where it is from.

use super::input::{Body, Raw};
use crate::text::shorten;
use page::html::{self, Complaint, Page};
use page::structured::Fact;
use page::url::CanonicalUrl;
use place::evidence::Claim;
use place::geoparse::Source;
use serde_json::Value;

/// Bytes of one document; the rest of a longer one is left out. Books are
/// shorter, and a few of these at a time still fit into a small machine.
pub(super) const MAX_DOCUMENT: usize = 32 << 20;

/// Stands in for the address of a page that has none.
const NO_URL: &str = "http://document.invalid/";

/// A document, ready to be looked through.
pub(super) struct Document {
    /// What the caller calls it: an `id` of a line, a file, an address.
    pub(super) id: Value,
    /// What people call it.
    pub(super) name: String,
    /// Of a page that has one.
    pub(super) title: Option<String>,
    pub(super) text: String,
    pub(super) facts: Vec<Fact>,
    /// Empty where it is from nowhere.
    host: String,
    /// A warning about what was not read of it.
    pub(super) left_out: Option<String>,
}

/// A line that is no document.
pub(super) struct BadLine {
    pub(super) name: String,
    pub(super) id: Value,
    pub(super) what: String,
}

impl Document {
    /// Decodes a document and takes its markup apart.
    pub(super) fn read(raw: Raw) -> Result<Document, BadLine> {
        let Raw { name, body, is_cut } = raw;
        let id = Value::String(name.clone());
        let mut document = match body {
            Body::Line(line) => return line_document(name, &line, is_cut),
            Body::Text(bytes) => {
                Document::of_text(id, name, html::decode_text(&bytes).into_owned(), "")
            }
            Body::Page {
                bytes,
                url,
                content_type,
            } => Document::of_page(id, name, &bytes, &url, content_type.as_deref()),
        };
        if is_cut {
            let most = MAX_DOCUMENT >> 20;
            document.left_out = Some(format!(
                "`{}` is longer than {most} MB: the rest is left out",
                document.name
            ));
        }
        Ok(document)
    }

    fn of_text(id: Value, name: String, text: String, url: &str) -> Document {
        let url = CanonicalUrl::parse(url).ok();
        Document {
            id,
            name,
            title: None,
            text,
            facts: Vec::new(),
            host: url.map_or(String::new(), |url| url.host().to_owned()),
            left_out: None,
        }
    }

    fn of_page(
        id: Value,
        name: String,
        bytes: &[u8],
        url: &str,
        content_type: Option<&str>,
    ) -> Document {
        let known = CanonicalUrl::parse(url).ok();
        let host = known
            .as_ref()
            .map_or(String::new(), |url| url.host().to_owned());
        let stand_in = || CanonicalUrl::parse(NO_URL).expect("the stand-in is a URL");
        let url = known.unwrap_or_else(stand_in);
        let page = html::read(bytes, &url, content_type);
        let left_out = left_out(&name, &page);
        Document {
            id,
            name,
            title: (!page.title.is_empty()).then_some(page.title),
            text: page.text,
            facts: page.structured,
            host,
            left_out,
        }
    }

    /// What markup states, for those who know places.
    pub(super) fn claims(&self) -> Vec<Claim<'_>> {
        self.facts.iter().map(strategy::evidence::claim).collect()
    }

    /// What a fact says, as one line.
    pub(super) fn stated(&self, fact_idx: usize) -> String {
        let Fact {
            street,
            city,
            state,
            zip,
            country,
            ..
        } = &self.facts[fact_idx];
        let parts = [street, city, state, zip, country];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        parts.join(", ")
    }

    pub(super) fn source<'s>(&'s self, claims: &'s [Claim<'s>]) -> Source<'s> {
        Source {
            text: &self.text,
            claims,
            host: &self.host,
        }
    }
}

fn left_out(name: &str, page: &Page) -> Option<String> {
    let is_long = page.complaints.contains(&Complaint::TooMuchText);
    let most = html::MAX_TEXT >> 20;
    is_long.then(|| format!("`{name}` has more than {most} MB of text: the rest is left out"))
}

/// A line such as `{"id": 7, "text": "…"}`; `html` instead of `text`, and a
/// `url` that tells the host.
fn line_document(name: String, line: &[u8], is_cut: bool) -> Result<Document, BadLine> {
    let bad = |id: Value, what: String| {
        let name = name.clone();
        Err(BadLine { name, id, what })
    };
    if is_cut {
        let most = MAX_DOCUMENT >> 20;
        return bad(Value::Null, format!("longer than {most} MB"));
    }
    let mut object = match serde_json::from_slice(line) {
        Ok(Value::Object(object)) => object,
        Ok(_) => return bad(Value::Null, "not a JSON object".into()),
        Err(error) => {
            let start = shorten(&String::from_utf8_lossy(line.trim_ascii()), 40);
            return bad(Value::Null, format!("not JSON ({error}): `{start}`"));
        }
    };
    let id = object.remove("id").unwrap_or_default();
    let url = object.remove("url").unwrap_or_default();
    let url = url.as_str().unwrap_or_default();
    match (object.remove("text"), object.remove("html")) {
        (Some(Value::String(text)), _) => Ok(Document::of_text(id, name, text, url)),
        (None | Some(Value::Null), Some(Value::String(html))) => {
            // A string is in UTF-8 whatever its markup says.
            let utf8 = Some("text/html; charset=utf-8");
            Ok(Document::of_page(id, name, html.as_bytes(), url, utf8))
        }
        _ => bad(id, "neither `text` nor `html` is a string".into()),
    }
}
