//! What is read, and what it is taken for.

use crate::net::{fetch, fetch_with, serve, serve_bytes, settings};
use crawl::fetch::Fetched;
use insta::assert_snapshot;
use std::io::Write;
use std::thread;
use std::time::Duration;

fn fetch_as(content_type: &str, body: &[u8]) -> String {
    let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n");
    fetch(&format!("http://127.0.0.1:{}/", serve_bytes(&head, body)))
}

#[test]
fn page_of_a_wrong_type_is_read_as_a_page() {
    assert_snapshot!(fetch_as("application/octet-stream", b"<html><p>Porto"), @"200 type=text/html location=- body=<html><p>Porto");
    assert_snapshot!(fetch_as("application/x-httpd-php; charset=latin1", b"<!DOCTYPE html><p>Porto"), @"200 type=text/html; charset=latin1 location=- body=<!DOCTYPE html><p>Porto");
    assert_snapshot!(fetch_as("", b"<html><p>Porto"), @"200 type=text/html location=- body=<html><p>Porto");
}

#[test]
fn file_of_a_wrong_type_is_not_read() {
    assert_snapshot!(fetch_as("text/html", b"%PDF-1.7 and so on"), @"200 type=application/pdf location=- body=");
    assert_snapshot!(fetch_as("text/plain", b"\x00\x01\x02\x03 and so on"), @"200 type=application/octet-stream location=- body=");
    assert_snapshot!(fetch_as("application/octet-stream", b"setup.exe or so"), @"200 type=application/octet-stream location=- body=");
}

#[test]
fn endless_file_is_left_after_its_first_bytes() {
    let (port, _) = serve(|stream| {
        let _ = stream.write_all(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: 99999999999\r\n\r\n",
        );
        let _ = stream.write_all(&[7; 4096]);
        // The rest never comes: a client that waits for it runs out of time.
        thread::sleep(Duration::from_secs(25));
    });
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @"200 type=application/octet-stream location=- body=");
}

#[test]
fn what_is_taken_for_a_page_is_something_to_read() {
    let is_text = |content_type: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n");
        let url = format!("http://127.0.0.1:{}/", serve_bytes(&head, body));
        match fetch_with(settings(), &url).fetched {
            Fetched::Answer(answer) => answer.is_text(),
            failure => panic!("{failure:?}"),
        }
    };
    assert!(is_text("application/octet-stream", b"<html><p>Porto"));
    assert!(!is_text("application/octet-stream", b"MZ and so on"));
    assert!(!is_text("text/html", b"\x89PNG\r\n\x1a\n"));
}
