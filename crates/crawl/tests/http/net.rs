//! Servers of a few lines, and the fetcher that asks them.

use crawl::fetch::http::{Http, HttpSettings};
use crawl::fetch::{Fetched, Fetcher, Landing, Request};
use page::url::CanonicalUrl;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;
use store::visit::Errand;

pub(crate) const MAX_BODY: usize = 10_000;

/// Serves every connection on a thread of its own, which is told its number; returns the port.
pub(crate) fn serve_each(attend: impl Fn(TcpStream, usize) + Send + Sync + 'static) -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let port = listener.local_addr().expect("bound").port();
    let attend = std::sync::Arc::new(attend);
    thread::spawn(move || {
        for (nth, stream) in listener.incoming().enumerate() {
            let attend = attend.clone();
            thread::spawn(move || attend(stream.expect("a connection"), nth));
        }
    });
    port
}

/// Reads a request up to its empty line; None when the client hung up.
pub(crate) fn read_request(stream: &mut TcpStream) -> Option<String> {
    let mut request = Vec::new();
    let mut byte = [0];
    while !request.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => request.push(byte[0]),
            _ => return None,
        }
    }
    Some(String::from_utf8_lossy(&request).into_owned())
}

/// Answers the first request of every connection; returns the port and what was asked.
pub(crate) fn serve(
    respond: impl Fn(&mut TcpStream) + Send + Sync + 'static,
) -> (u16, Receiver<String>) {
    let (sender, requests) = mpsc::channel();
    let port = serve_each(move |mut stream, _| {
        let request = read_request(&mut stream).unwrap_or_default();
        let _ = sender.send(request);
        respond(&mut stream);
    });
    (port, requests)
}

/// Serves the same bytes to everybody, then hangs up.
pub(crate) fn serve_bytes(head: &str, body: &[u8]) -> u16 {
    let bytes = [head.as_bytes(), body].concat();
    let (port, _) = serve(move |stream| {
        // The client may hang up first when it has seen enough.
        let _ = stream.write_all(&bytes);
    });
    port
}

pub(crate) fn settings() -> HttpSettings {
    HttpSettings {
        user_agent: "locavore/0.1 (+http://a.com)".to_owned(),
        timeout: Duration::from_secs(20),
        max_body: MAX_BODY,
        open_ranges: ["127.0.0.0/8", "::1"]
            .map(|range| range.parse().expect("a range"))
            .to_vec(),
        ..HttpSettings::default()
    }
}

pub(crate) fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).expect("a URL")
}

/// Asks, and waits for the landing.
pub(crate) fn ask(http: &Http, request: &Request) -> Landing {
    let (sender, landings) = mpsc::channel();
    http.fetch(
        request,
        Box::new(move |landing| sender.send(landing).expect("somebody waits")),
    );
    let landing = landings.recv_timeout(Duration::from_secs(30));
    landing.expect("a landing")
}

pub(crate) fn ask_page(http: &Http, text: &str) -> Landing {
    ask(http, &Request::page(&url(text)))
}

pub(crate) fn fetch_with(settings: HttpSettings, text: &str) -> Landing {
    let http = Http::new(settings).expect("a client");
    ask_page(&http, text)
}

/// Fetches for an errand other than a page.
pub(crate) fn fetch_for(errand: Errand, text: &str) -> Landing {
    let http = Http::new(settings()).expect("a client");
    ask(&http, &Request::of(&url(text), errand))
}

/// One line for what came back: of an answer its status, type, location and body.
pub(crate) fn show(landing: &Landing) -> String {
    match &landing.fetched {
        Fetched::Answer(answer) => format!(
            "{} type={} location={} body={}",
            answer.status,
            answer.content_type.as_deref().unwrap_or("-"),
            answer.location.as_deref().unwrap_or("-"),
            String::from_utf8_lossy(&answer.body),
        ),
        failure => format!("{failure:?}"),
    }
}

pub(crate) fn fetch(text: &str) -> String {
    show(&fetch_with(settings(), text))
}
