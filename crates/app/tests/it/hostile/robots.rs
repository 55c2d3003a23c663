//! Robots rules that cannot be had, never end, or are no rules.

use super::server::{Site, Talk};
use std::io;

const RULES: &str = "User-agent: *\nDisallow: /secret\n";

pub(crate) fn sites() -> Vec<Site> {
    vec![
        Site::new("robots-fail", fine).with_robots(fail),
        Site::new("robots-without-end", fine).with_robots(without_end),
        Site::new("robots-of-a-gigabyte", fine).with_robots(of_a_gigabyte),
        Site::new("robots-as-bomb", fine).with_robots(as_bomb),
        Site::new("robots-in-circles", fine).with_robots(in_circles),
        Site::new("robots-as-html", fine).with_robots(as_html),
        Site::new("robots-inside", fine).with_robots(inside),
    ]
}

/// A page with a link to what these rules forbid.
fn fine(talk: &mut Talk) -> io::Result<()> {
    let secret = format!("/secret{}", talk.path);
    talk.page(format!("<title>Fine</title><a href='{secret}'>Secret</a>"))
}

fn fail(talk: &mut Talk) -> io::Result<()> {
    talk.answer("500 Internal Server Error", &[], b"")
}

fn without_end(talk: &mut Talk) -> io::Result<()> {
    talk.head("200 OK", &["Content-Type: text/plain"])?;
    talk.say(RULES)?;
    talk.flood(&b"# more to come\n".repeat(4096))
}

fn of_a_gigabyte(talk: &mut Talk) -> io::Result<()> {
    let length = "Content-Length: 1000000000";
    talk.head("200 OK", &["Content-Type: text/plain", length])?;
    talk.say(RULES)?;
    talk.flood(&b"Disallow: /more-to-come\n".repeat(4096))
}

/// Says in its first line what an unpacked gigabyte of zeros cannot take back.
fn as_bomb(talk: &mut Talk) -> io::Result<()> {
    talk.head(
        "200 OK",
        &["Content-Type: text/plain", "Content-Encoding: zstd"],
    )?;
    let n_bytes = u8::try_from(RULES.len()).unwrap();
    talk.say(b"\x28\xb5\x2f\xfd\0\x38")?;
    // A block of plain bytes, then blocks of 128 KB of zeros.
    talk.say([n_bytes << 3, n_bytes >> 5, 0])?;
    talk.say(RULES)?;
    talk.flood(&b"\x02\0\x10\0".repeat(4096))
}

fn in_circles(talk: &mut Talk) -> io::Result<()> {
    talk.answer("301 Moved Permanently", &["Location: /robots.txt"], b"")
}

fn as_html(talk: &mut Talk) -> io::Result<()> {
    talk.page("<title>Welcome</title><p>Disallow: / is what we never say.")
}

fn inside(talk: &mut Talk) -> io::Result<()> {
    talk.answer("302 Found", &["Location: http://10.0.0.9/robots.txt"], b"")
}
