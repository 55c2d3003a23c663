use super::*;
use crate::packing::{Packing, unpacked};
use crate::visit::Time;
use crate::warc::{Bundle, Exchange, warcinfo};
use proptest::prelude::*;

const PAGE: &str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>Houston";

fn record(kind: &str, url: &str, content_type: &str, block: &str) -> String {
    let len = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
         Content-Type: {content_type}\r\nContent-Length: {len}\r\n\r\n{block}\r\n\r\n"
    )
}

fn response(block: &str) -> String {
    record(
        "response",
        "http://town.example/",
        "application/http; msgtype=response",
        block,
    )
}

fn read(bytes: &[u8]) -> Vec<Result<Capture, WarcError>> {
    Captures::new(unpacked(bytes).unwrap(), 1000).collect()
}

/// Address and body of every document, or what is wrong.
fn show(bytes: &[u8]) -> Vec<String> {
    let show = |capture: Result<Capture, WarcError>| match capture {
        Ok(capture) => {
            let body = String::from_utf8_lossy(&capture.body).into_owned();
            format!("{} {} {body}", capture.url, capture.status)
        }
        Err(error) => error.to_string(),
    };
    read(bytes).into_iter().map(show).collect()
}

#[test]
fn our_own_files_are_read() {
    let bundle = Bundle::pack(&Exchange {
        url: "http://town.example/",
        at: Time(1_700_000_000_123),
        server: None,
        request: b"GET / HTTP/1.1\r\n\r\n",
        response_head:
            b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Type: text/html\r\n\r\n",
        body: b"<p>Houston",
        truncated: false,
        metadata: &[],
        packing: Packing::Gzip,
    });
    let file = [
        warcinfo(
            "locavore-00001.warc.gz",
            Time(0),
            Packing::Gzip,
            &Vec::new(),
        ),
        bundle.bytes,
    ]
    .concat();
    assert_eq!(show(&file), ["http://town.example/ 200 <p>Houston"]);
    let [Ok(capture)] = &read(&file)[..] else {
        panic!("one document");
    };
    assert_eq!(capture.content_type, "text/html");
}

#[test]
fn documents_of_every_kind_are_read_and_the_rest_is_passed_over() {
    let file = [
        record("warcinfo", "", "application/warc-fields", "software: x"),
        record(
            "request",
            "http://a.example/",
            "application/http",
            "GET / HTTP/1.0\r\n\r\n",
        ),
        response(PAGE),
        record("resource", "<file:///a b.html>", "text/html", "<p>Dallas"),
        record("conversion", "http://c.example/", "text/plain", "Austin"),
        record("response", "dns:a.example", "text/dns", "1.2.3.4"),
    ];
    assert_eq!(
        show(file.concat().as_bytes()),
        [
            "http://town.example/ 200 <p>Houston",
            "file:///a b.html 200 <p>Dallas",
            "http://c.example/ 200 Austin",
        ]
    );
}

#[test]
fn bodies_are_decoded_where_the_bytes_agree() {
    let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n\r\n";
    let file = [
        response(&format!("{head}3\r\n<p>\r\n7\r\nHouston\r\n0\r\n\r\n")),
        response(&format!("{head}<p>Dallas")),
        response("HTTP/1.0 404 Not Found\nServer: x\n\n<p>Austin"),
    ];
    assert_eq!(
        show(file.concat().as_bytes()),
        [
            "http://town.example/ 200 <p>Houston",
            "http://town.example/ 200 <p>Dallas",
            "http://town.example/ 404 <p>Austin"
        ]
    );
}

#[test]
fn long_bodies_are_cut_and_the_next_record_is_found() {
    let long = format!("HTTP/1.1 200 OK\r\n\r\n{}", "x".repeat(3 << 20));
    let file = response(&long) + &response(PAGE);
    let [Ok(cut), Ok(whole)] = &read(file.as_bytes())[..] else {
        panic!("two documents");
    };
    assert_eq!((cut.body.len(), cut.is_cut), (1000, true));
    assert_eq!((&whole.body[..], whole.is_cut), (&b"<p>Houston"[..], false));
}

#[test]
fn what_is_wrong_is_said_and_what_came_before_is_kept() {
    assert_eq!(show(b""), [""; 0]);
    assert_eq!(show(b"<html>"), ["not a WARC file"]);
    let file = response(PAGE) + "and more";
    assert_eq!(
        show(file.as_bytes()),
        [
            "http://town.example/ 200 <p>Houston",
            "damaged after record 1: what follows is no record"
        ]
    );
    let file = response(PAGE) + &response(PAGE)[..190];
    assert_eq!(
        show(file.as_bytes())[1],
        "damaged after record 1: the file breaks off"
    );
    let file = "WARC/1.0\r\nWARC-Type: response\r\n\r\n";
    assert_eq!(
        show(file.as_bytes()),
        ["damaged after record 0: it has no length"]
    );
}

proptest! {
    #[test]
    fn no_bytes_make_it_panic(at in any::<prop::sample::Index>(), byte in any::<u8>(), len in any::<prop::sample::Index>()) {
        let mut file = (response(PAGE) + &response(PAGE)).into_bytes();
        let at = at.index(file.len());
        file[at] = byte;
        file.truncate(len.index(file.len()));
        prop_assert!(read(&file).len() <= 3);
    }
}
