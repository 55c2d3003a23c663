//! Everything through a proxy.

use crate::net::{fetch_with, serve, serve_bytes, settings, show};
use crawl::fetch::http::{Http, HttpSettings};
use crawl::fetch::{Fetched, Fetcher, Request};
use insta::assert_snapshot;
use std::io::Write;
use std::net::TcpListener;

#[test]
fn proxy_is_given_names_but_none_of_private_networks() {
    let (port, requests) = serve(|stream| {
        let _ = stream
            .write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi");
    });
    let proxied = || HttpSettings {
        proxy: Some(format!("http://127.0.0.1:{port}")),
        open_ranges: Vec::new(),
        ..settings()
    };
    let landing = fetch_with(proxied(), "http://town.invalid/a");
    assert_snapshot!(show(&landing), @"200 type=- location=- body=hi");
    assert_eq!(landing.server, None);
    let asked = requests.recv().unwrap();
    assert!(
        asked.starts_with("GET http://town.invalid/a HTTP/1.1\r\n"),
        "{asked}"
    );
    for inside in [
        "10.0.0.1",
        "localhost",
        "intranet",
        "printer.local",
        "metadata.google.internal",
    ] {
        let landing = fetch_with(proxied(), &format!("http://{inside}/a"));
        assert_eq!(show(&landing), "PrivateAddress", "{inside}");
    }
    assert!(requests.try_recv().is_err());
}

#[test]
fn proxied_request_is_archived_as_it_was_sent() {
    let (port, requests) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
    });
    let http = Http::new(HttpSettings {
        proxy: Some(format!("http://127.0.0.1:{port}")),
        ..settings()
    });
    let http = http.unwrap();
    let request = Request::page(&crate::net::url("http://town.invalid/a?b"));
    crate::net::ask(&http, &request);
    let archived = String::from_utf8(http.request_head(&request)).unwrap();
    assert_eq!(archived, requests.recv().unwrap());
}

#[test]
fn absent_proxy_is_our_own_trouble() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let absent = HttpSettings {
        proxy: Some(format!("http://127.0.0.1:{port}")),
        ..settings()
    };
    let landing = fetch_with(absent, "http://town.invalid/");
    assert!(
        matches!(landing.fetched, Fetched::Offline(_)),
        "{landing:?}"
    );
}

#[test]
fn tunnel_is_asked_for_and_may_be_denied() {
    let (port, requests) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 403 Forbidden\r\n\r\n");
    });
    let proxied = |port| HttpSettings {
        proxy: Some(format!("http://127.0.0.1:{port}")),
        ..settings()
    };
    let landing = fetch_with(proxied(port), "https://town.invalid/a");
    assert_snapshot!(show(&landing), @r#"Unreachable("the proxy opens no tunnel: HTTP/1.1 403 Forbidden")"#);
    assert_snapshot!(requests.recv().unwrap().replace("\r\n", "|"), @"CONNECT town.invalid:443 HTTP/1.1|host: town.invalid:443||");
    let silent = serve_bytes("", b"");
    assert_snapshot!(show(&fetch_with(proxied(silent), "https://town.invalid/a")), @r#"Unreachable("the proxy opens no tunnel: ")"#);
}
