//! Bodies that are compressed, or say they are.

use crate::net::{fetch, fetch_for, fetch_with, serve_bytes, settings, show};
use crawl::fetch::Fetched;
use crawl::fetch::http::HttpSettings;
use flate2::Compression;
use flate2::write::GzEncoder;
use insta::assert_snapshot;
use std::io::Write;
use store::visit::Errand;

/// `<p>Porto</p>`, gzipped.
const GZIPPED: &[u8] =
    b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\xb3\x29\xb0\x0b\xc8\x2f\x2a\xc9\xb7\
    \xd1\x2f\xb0\x03\x00\x23\xe2\xe3\x0e\x0c\x00\x00\x00";

#[test]
fn gzip_is_undone() {
    let port = serve_bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 32\r\n\r\n",
        GZIPPED,
    );
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @"200 type=text/html location=- body=<p>Porto</p>");
}

#[test]
fn limit_counts_decompressed_bytes() {
    let port = serve_bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 32\r\n\r\n",
        GZIPPED,
    );
    // 32 bytes on the wire, no more than 11 allowed, 12 in truth.
    let settings = |max_body| HttpSettings {
        max_body,
        ..settings()
    };
    let url = format!("http://127.0.0.1:{port}/");
    assert_snapshot!(show(&fetch_with(settings(11), &url)), @"TooLarge");
    assert_snapshot!(show(&fetch_with(settings(12), &url)), @"200 type=text/html location=- body=<p>Porto</p>");
}

fn serve_as(encoding: &str, body: &[u8]) -> String {
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: {encoding}\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    format!("http://127.0.0.1:{}/", serve_bytes(&head, body))
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes).expect("memory");
    encoder.finish().expect("memory")
}

#[test]
fn zstd_and_stacked_encodings_are_undone() {
    let page = b"<p>Porto</p>";
    let zstd = zstd::encode_all(&page[..], 3).unwrap();
    assert_snapshot!(fetch(&serve_as("zstd", &zstd)), @"200 type=text/html location=- body=<p>Porto</p>");
    let both = zstd::encode_all(&gzip(page)[..], 3).unwrap();
    assert_snapshot!(fetch(&serve_as("gzip, zstd", &both)), @"200 type=text/html location=- body=<p>Porto</p>");
    assert_snapshot!(fetch(&serve_as("gzip, gzip, gzip", &both)), @r#"Garbled("compressed more than twice")"#);
}

#[test]
fn archived_head_claims_only_encodings_that_were_not_undone() {
    let head = |encoding, body| {
        let landing = fetch_with(settings(), &serve_as(encoding, body));
        let Fetched::Answer(answer) = landing.fetched else {
            panic!("{landing:?}")
        };
        String::from_utf8_lossy(&answer.head).replace("\r\n", "|")
    };
    assert_snapshot!(head("gzip", GZIPPED), @"HTTP/1.1 200 OK|content-type: text/html|x-archive-orig-content-encoding: gzip||");
    assert_snapshot!(head("compress", b"<p>Porto"), @"HTTP/1.1 200 OK|content-type: text/html|content-encoding: compress|content-length: 8||");
}

#[test]
fn plain_page_that_claims_to_be_gzip_is_taken_as_it_is() {
    assert_snapshot!(fetch(&serve_as("gzip", b"<p>not gzip at all")), @"200 type=text/html location=- body=<p>not gzip at all");
}

#[test]
fn broken_gzip_is_garbled_unless_something_came_out() {
    let nonsense = [&[0x1F, 0x8B, 8, 0][..], &[0xFF; 40]].concat();
    assert_snapshot!(fetch(&serve_as("gzip", &nonsense)), @r#"Garbled("bad gzip data")"#);
    // The page is whole, its check sum is missing.
    let cut = &GZIPPED[..GZIPPED.len() - 8];
    assert_snapshot!(fetch(&serve_as("gzip", cut)), @"200 type=text/html location=- body=<p>Porto</p>");
}

#[test]
fn broken_rules_are_no_rules() {
    // All of the text is there, but nobody can know that.
    let cut = &GZIPPED[..GZIPPED.len() - 8];
    let landing = fetch_for(Errand::Robots, &serve_as("gzip", cut));
    assert_snapshot!(show(&landing), @r#"Garbled("bad gzip data")"#);
    // Nothing of a frame that wants 64 MiB remembered is read.
    let greedy = [&b"\x28\xB5\x2F\xFD\x00\x80"[..], &[0; 40]].concat();
    let landing = fetch_for(Errand::Robots, &serve_as("zstd", &greedy));
    assert_snapshot!(show(&landing), @"TooLarge");
    let whole = fetch_for(Errand::Robots, &serve_as("gzip", GZIPPED));
    assert_snapshot!(show(&whole), @"200 type=text/html location=- body=<p>Porto</p>");
    let sitemap = fetch_for(Errand::Sitemap, &serve_as("gzip", cut));
    assert_snapshot!(show(&sitemap), @"200 type=text/html location=- body=<p>Porto</p>");
    // Whoever has no rules may say so as badly as they like.
    let head = "HTTP/1.1 404 Not Found\r\nContent-Encoding: gzip\r\nContent-Length: 24\r\n\r\n";
    let url = format!("http://127.0.0.1:{}/robots.txt", serve_bytes(head, cut));
    assert_snapshot!(show(&fetch_for(Errand::Robots, &url)), @"404 type=- location=- body=<p>Porto</p>");
}

#[test]
fn bomb_is_too_large() {
    let bomb = gzip(&vec![b' '; 64 << 20]);
    let generous = HttpSettings {
        max_body: 1 << 30,
        ..settings()
    };
    assert_snapshot!(show(&fetch_with(generous, &serve_as("gzip", &bomb))), @"TooLarge");
}
