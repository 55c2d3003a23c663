//! Servers that never end.

use crate::net::{fetch, fetch_with, serve, settings, show};
use crawl::fetch::http::HttpSettings;
use insta::assert_snapshot;
use std::io::Write;
use std::thread;
use std::time::Duration;

/// Sends a start, then the same bytes for as long as anybody listens.
fn serve_for_ever(start: &'static [u8], more: &'static [u8]) -> String {
    let (port, _) = serve(move |stream| {
        let _ = stream.write_all(start);
        while stream.write_all(more).is_ok() {}
    });
    format!("http://127.0.0.1:{port}/")
}

/// Sends a start, then a byte now and then.
fn serve_slowly(start: &'static [u8], more: &'static [u8]) -> String {
    let (port, _) = serve(move |stream| {
        let _ = stream.write_all(start);
        for byte in more.iter().cycle() {
            thread::sleep(Duration::from_millis(20));
            if stream.write_all(&[*byte]).is_err() {
                return;
            }
        }
    });
    format!("http://127.0.0.1:{port}/")
}

#[test]
fn endless_head_is_garbled() {
    let line = serve_for_ever(b"HTTP/1.1 200 OK\r\nX: ", b"xxxxxxxxxxxxxxxx");
    assert_snapshot!(fetch(&line), @r#"Garbled("message head is too large")"#);
    let lines = serve_for_ever(b"HTTP/1.1 200 OK\r\n", b"X: xxxxxxxxxxxxxxxx\r\n");
    assert_snapshot!(fetch(&lines), @r#"Garbled("message head is too large")"#);
    let status = serve_for_ever(b"HTTP/1.1 200 ", b"OK OK OK OK OK OK");
    assert_snapshot!(fetch(&status), @r#"Garbled("message head is too large")"#);
}

#[test]
fn endless_interim_answers_are_garbled() {
    let continues = serve_for_ever(b"", b"HTTP/1.1 100 Continue\r\n\r\n");
    assert_snapshot!(fetch(&continues), @r#"Garbled("too much around the answer")"#);
    let hints = serve_for_ever(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n");
    assert_snapshot!(fetch(&hints), @r#"Garbled("too much around the answer")"#);
}

#[test]
fn a_few_interim_answers_are_passed_over() {
    let (port, _) = serve(|stream| {
        let _ = stream.write_all(
            b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n\
              HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi",
        );
    });
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @"200 type=- location=- body=hi");
}

#[test]
fn endless_chunks_are_too_large() {
    let chunks = serve_for_ever(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"4\r\nabcd\r\n",
    );
    assert_snapshot!(fetch(&chunks), @"TooLarge");
}

#[test]
fn endless_chunk_extensions_and_trailers_are_garbled() {
    let extension = serve_for_ever(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=",
        b"xxxxxxxxxxxxxxxx",
    );
    assert_snapshot!(fetch(&extension), @r#"Garbled("chunk extensions over limit")"#);
    let trailers = serve_for_ever(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nabcd\r\n0\r\n",
        b"X: xxxxxxxxxxxxxxxx\r\n",
    );
    assert_snapshot!(fetch(&trailers), @r#"Garbled("chunk trailers count overflow")"#);
}

#[test]
fn dripping_head_times_out_before_the_whole_exchange_does() {
    let impatient = HttpSettings {
        first_byte_timeout: Duration::from_millis(300),
        ..settings()
    };
    let url = serve_slowly(b"HTTP/1.1 200 OK\r\n", b"X: x\r\n");
    assert_snapshot!(show(&fetch_with(impatient, &url)), @"TimedOut");
}

#[test]
fn stalling_body_times_out_before_the_whole_exchange_does() {
    let impatient = || HttpSettings {
        idle_timeout: Duration::from_millis(300),
        ..settings()
    };
    let (port, _) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\nstart");
        thread::sleep(Duration::from_secs(25));
    });
    let landing = fetch_with(impatient(), &format!("http://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @"TimedOut");
    // Bytes that are no body count for nothing.
    let url = serve_slowly(
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4;x=",
        b"x",
    );
    assert_snapshot!(show(&fetch_with(impatient(), &url)), @"TimedOut");
}

#[test]
fn answers_nobody_asked_for_are_not_taken_for_the_next_page() {
    let (port, requests) = serve(|stream| {
        let two = "HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\noneHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil";
        let _ = stream.write_all(two.as_bytes());
        thread::sleep(Duration::from_secs(25));
    });
    let http = crawl::fetch::http::Http::new(settings()).unwrap();
    let url = format!("http://127.0.0.1:{port}/");
    for _ in 0..2 {
        let landing = crate::net::ask_page(&http, &url);
        assert_eq!(show(&landing), "200 type=- location=- body=one");
        requests.recv().unwrap();
    }
}
