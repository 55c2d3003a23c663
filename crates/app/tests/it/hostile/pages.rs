//! Pages that are hard to read, and servers that are short of breath.

use super::server::{Site, Talk};
use std::io;

/// Just below the most that is read of a page.
const ALMOST_TOO_LARGE: usize = (10 << 20) - 100;

pub(crate) fn sites() -> Vec<Site> {
    vec![
        Site::new("good", good),
        Site::new("links", links),
        Site::new("nested", nested),
        Site::new("zeros-between", zeros_between),
        Site::new("wrong-charset", wrong_charset),
        Site::new("refresh-in-circles", refresh_in_circles),
        Site::new("busy", busy),
        Site::new("out-of-order", |talk| {
            talk.answer("503 Service Unavailable", &[], b"")
        }),
    ]
}

/// What a crawl is for: three pages.
fn good(talk: &mut Talk) -> io::Result<()> {
    let links = "<a href='/good/one'>One</a> <a href='/good/two'>Two</a>";
    talk.page(format!(
        "<title>Good</title><p>901 Bagby St, Houston, TX 77002. {links}"
    ))
}

/// A door, and behind it a page with as many links as fit in.
fn links(talk: &mut Talk) -> io::Result<()> {
    if talk.path == "/links" {
        return talk.page("<a href='/links/all'>All of them</a>");
    }
    let mut html = String::new();
    for n in 0.. {
        if html.len() > ALMOST_TOO_LARGE {
            break;
        }
        html.push_str(&format!("<a href={n}>"));
    }
    talk.page(html)
}

fn nested(talk: &mut Talk) -> io::Result<()> {
    talk.page("<div>".repeat(ALMOST_TOO_LARGE / 5))
}

fn zeros_between(talk: &mut Talk) -> io::Result<()> {
    talk.page("<\0title>Ze\0ro</title\0><a href='/zeros-between/\0'>\0</a>\0".repeat(10))
}

fn wrong_charset(talk: &mut Talk) -> io::Result<()> {
    let charset = "Content-Type: text/html; charset=utf-16le";
    talk.answer(
        "200 OK",
        &[charset],
        b"<title>caf\xe9</title>\xff\xfe\x00\xd8",
    )
}

fn refresh_in_circles(talk: &mut Talk) -> io::Result<()> {
    let here = talk.path.clone();
    talk.page(format!(
        "<meta http-equiv=refresh content='0; url={here}'><p>Once more"
    ))
}

/// Asks for a moment, and is fine after it.
fn busy(talk: &mut Talk) -> io::Result<()> {
    match talk.n_before {
        0 => talk.answer("429 Too Many Requests", &["Retry-After: 1"], b""),
        _ => talk.page("<title>Fine again</title>"),
    }
}
