//! One exchange and what may come of it.

use crate::net::{MAX_BODY, fetch, fetch_for, fetch_with, serve, serve_bytes, settings, show};
use crawl::fetch::http::{Http, HttpSettings, Roots};
use crawl::fetch::{Fetched, Fetcher, Known, Request};
use insta::assert_snapshot;
use page::url::CanonicalUrl;
use std::io::Write;
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};
use store::visit::Errand;

#[test]
fn page_comes_back_whole() {
    let port = serve_bytes(
        "HTTP/1.1 200 OK\r\nServer: tiny\r\nContent-Type: text/html\r\nX-One: 1\r\nContent-Length: 12\r\n\r\n",
        b"<p>Porto</p>",
    );
    let landing = fetch_with(settings(), &format!("http://127.0.0.1:{port}/a?b"));
    assert_snapshot!(show(&landing), @"200 type=text/html location=- body=<p>Porto</p>");
    assert_eq!(landing.server, Some("127.0.0.1".parse().unwrap()));
    assert!(landing.took > Duration::ZERO);
    let Fetched::Answer(answer) = landing.fetched else {
        unreachable!()
    };
    assert_snapshot!(String::from_utf8_lossy(&answer.head).replace("\r\n", "|"), @"HTTP/1.1 200 OK|server: tiny|content-type: text/html|x-one: 1|content-length: 12||");
}

#[test]
fn archived_request_is_the_one_on_the_wire() {
    let (port, requests) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
    });
    let url = format!("http://127.0.0.1:{port}/caf%C3%A9?x=1");
    fetch(&url);
    let http = Http::new(settings()).unwrap();
    let archived = http.request_head(&Request::page(&CanonicalUrl::parse(&url).unwrap()));
    let sent = requests.recv().unwrap();
    assert_eq!(String::from_utf8(archived).unwrap(), sent);
    assert_snapshot!(sent.replace(&port.to_string(), "PORT").replace("\r\n", "|"), @"GET /caf%C3%A9?x=1 HTTP/1.1|accept: text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1|user-agent: locavore/0.1 (+http://a.com)|accept-encoding: gzip, br, zstd, deflate|host: 127.0.0.1:PORT||");
}

#[test]
fn redirect_is_an_answer() {
    let port = serve_bytes(
        "HTTP/1.1 301 Moved Permanently\r\nLocation: /elsewhere\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n",
        b"",
    );
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @"301 type=- location=/elsewhere body=");
}

#[test]
fn dripping_body_times_out() {
    let (port, _) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 9000\r\n\r\n");
        while stream.write_all(b"x").is_ok() {
            thread::sleep(Duration::from_millis(20));
        }
    });
    let settings = HttpSettings {
        timeout: Duration::from_millis(300),
        ..settings()
    };
    let landing = fetch_with(settings, &format!("http://127.0.0.1:{port}/"));
    assert_snapshot!(show(&landing), @"TimedOut");
    assert!(landing.took >= Duration::from_millis(300));
    assert!(landing.took < Duration::from_secs(5), "{:?}", landing.took);
    assert_eq!(landing.server, Some("127.0.0.1".parse().unwrap()));
}

#[test]
fn silent_server_times_out() {
    let (port, _) = serve(|_| thread::sleep(Duration::from_secs(2)));
    let settings = HttpSettings {
        timeout: Duration::from_millis(200),
        ..settings()
    };
    assert_snapshot!(show(&fetch_with(settings, &format!("http://127.0.0.1:{port}/"))), @"TimedOut");
}

#[test]
fn body_as_large_as_the_limit_is_taken_and_no_larger() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n";
    let port = serve_bytes(head, &[b'x'; MAX_BODY]);
    assert!(fetch(&format!("http://127.0.0.1:{port}/")).starts_with("200 "));
    let port = serve_bytes(head, &[b'x'; MAX_BODY + 1]);
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @"TooLarge");
}

#[test]
fn announced_length_is_enough_to_refuse() {
    let (port, _) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Length: 10001\r\n\r\n");
        thread::sleep(Duration::from_secs(25));
    });
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @"TooLarge");
}

#[test]
fn garbage_is_garbled() {
    let port = serve_bytes("SSH-2.0-OpenSSH_9.6\r\n", b"");
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @r#"Garbled("invalid HTTP version parsed")"#);
}

#[test]
fn hanging_up_is_garbled() {
    let port = serve_bytes("", b"");
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @r#"Garbled("connection closed before message completed")"#);
    let port = serve_bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n", b"half");
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/")), @r#"Garbled("end of file before message length reached")"#);
}

#[test]
fn server_without_tls_is_garbled_over_https() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        thread::sleep(Duration::from_secs(1));
    });
    assert_snapshot!(fetch(&format!("https://127.0.0.1:{port}/")), @r#"Garbled("received corrupt message of type InvalidContentType")"#);
}

#[test]
fn closed_port_is_unreachable() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    drop(listener);
    let refused = fetch(&format!("http://127.0.0.1:{port}/"));
    // The rest is the system's wording.
    assert!(
        refused.starts_with("Unreachable(\"Connection refused"),
        "{refused}"
    );
}

#[test]
fn loopback_is_private_unless_opened() {
    let (port, requests) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 204 No Content\r\n\r\n");
    });
    let closed = || HttpSettings {
        open_ranges: Vec::new(),
        ..settings()
    };
    for host in [
        "127.0.0.1",
        "localhost",
        "0x7f.1",
        "[::ffff:7f00:1]",
        "[::1]",
    ] {
        let landing = fetch_with(closed(), &format!("http://{host}:{port}/"));
        assert!(
            matches!(landing.fetched, Fetched::PrivateAddress),
            "{host}: {landing:?}"
        );
    }
    assert!(requests.try_recv().is_err(), "nobody was asked");
    assert_snapshot!(fetch(&format!("http://localhost:{port}/")), @"204 type=- location=- body=");
}

#[test]
fn unknown_name_is_unresolved() {
    assert_snapshot!(fetch("http://nowhere.invalid/"), @"Unresolved");
}

#[test]
fn other_types_are_named_but_not_read() {
    let (port, _) = serve(|stream| {
        let head =
            "HTTP/1.1 200 OK\r\nContent-Type: application/pdf\r\nContent-Length: 5000\r\n\r\n";
        let _ = stream.write_all(head.as_bytes());
        // The body never comes: a client that waits for it runs out of time.
        thread::sleep(Duration::from_secs(25));
    });
    assert_snapshot!(fetch(&format!("http://127.0.0.1:{port}/a.pdf")), @"200 type=application/pdf location=- body=");
}

#[test]
fn robots_rules_are_read_whatever_their_type() {
    let port = serve_bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\n\r\n",
        b"user-agent: *",
    );
    let landing = fetch_for(
        Errand::Robots,
        &format!("http://127.0.0.1:{port}/robots.txt"),
    );
    assert_snapshot!(show(&landing), @"200 type=application/octet-stream location=- body=user-agent: *");
}

#[test]
fn endless_robots_rules_are_cut_not_refused() {
    let (port, _) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n\r\n");
        while stream.write_all(b"disallow: /p\n").is_ok() {}
    });
    let landing = fetch_for(
        Errand::Robots,
        &format!("http://127.0.0.1:{port}/robots.txt"),
    );
    let Fetched::Answer(answer) = landing.fetched else {
        panic!("{landing:?}")
    };
    assert!(
        (512_001..1_000_000).contains(&answer.body.len()),
        "{}",
        answer.body.len()
    );
}

#[test]
fn dropping_the_fetcher_answers_what_is_under_way() {
    let (port, requests) = serve(|_| thread::sleep(Duration::from_secs(25)));
    let http = Http::new(settings()).unwrap();
    let url = CanonicalUrl::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
    let (sender, landings) = mpsc::channel();
    http.fetch(
        &Request::page(&url),
        Box::new(move |landing| sender.send(landing).expect("somebody waits")),
    );
    requests.recv().unwrap();
    let start = Instant::now();
    drop(http);
    let landing = landings.recv_timeout(Duration::from_secs(5)).unwrap();
    assert!(start.elapsed() < Duration::from_secs(5));
    assert_snapshot!(show(&landing), @r#"Unreachable("fetch given up")"#);
    // The reply was dropped after its one call.
    let again = landings.recv_timeout(Duration::from_secs(5));
    assert_eq!(again.err(), Some(mpsc::RecvTimeoutError::Disconnected));
}

#[test]
fn bad_settings_are_named() {
    let agent = HttpSettings {
        user_agent: "a\nb".to_owned(),
        ..settings()
    };
    assert_snapshot!(Http::new(agent).err().unwrap(), @r"
    user agent `a
    b` cannot be sent in a header
    ");
    let proxy = HttpSettings {
        proxy: Some("http://".to_owned()),
        ..settings()
    };
    assert_snapshot!(Http::new(proxy).err().unwrap(), @"cannot use the proxy `http://`: no host");
    let roots = HttpSettings {
        roots: Roots::File("/nowhere/roots.pem".into()),
        ..settings()
    };
    let error = Http::new(roots).err().unwrap().to_string();
    // The rest is the system's wording.
    assert!(
        error.starts_with("cannot use the certificates in `/nowhere/roots.pem`: "),
        "{error}"
    );
}

#[test]
fn known_page_is_asked_whether_it_has_changed() {
    let (port, requests) = serve(|stream| {
        let _ = stream.write_all(b"HTTP/1.1 304 Not Modified\r\nETag: \"a1\"\r\n\r\n");
    });
    let http = Http::new(settings()).unwrap();
    let url = CanonicalUrl::parse(&format!("http://127.0.0.1:{port}/")).unwrap();
    let request = Request {
        known: Some(Known {
            etag: Some("\"a1\"".to_owned()),
            last_modified: Some("Mon, 01 May 2006 00:00:00 GMT".to_owned()),
        }),
        ..Request::page(&url)
    };
    assert_snapshot!(show(&crate::net::ask(&http, &request)), @"304 type=- location=- body=");
    let sent = requests.recv().unwrap();
    assert_eq!(
        String::from_utf8(http.request_head(&request)).unwrap(),
        sent
    );
    assert_snapshot!(sent.replace(&port.to_string(), "PORT").replace("\r\n", "|"), @r#"GET / HTTP/1.1|accept: text/html,application/xhtml+xml,text/plain;q=0.8,*/*;q=0.1|user-agent: locavore/0.1 (+http://a.com)|accept-encoding: gzip, br, zstd, deflate|host: 127.0.0.1:PORT|if-none-match: "a1"|if-modified-since: Mon, 01 May 2006 00:00:00 GMT||"#);
    // A validator that would end the line is not sent.
    let request = Request {
        known: Some(Known {
            etag: Some("a\r\nx: y".to_owned()),
            last_modified: None,
        }),
        ..Request::page(&url)
    };
    crate::net::ask(&http, &request);
    let sent = requests.recv().unwrap();
    assert!(
        !sent.contains("x: y") && !sent.contains("if-none-match"),
        "{sent}"
    );
}

#[test]
fn sitemaps_are_read_beyond_the_limit_of_pages() {
    let port = serve_bytes(
        "HTTP/1.1 200 OK\r\nContent-Type: application/xml\r\n\r\n",
        &[b' '; 5 * MAX_BODY],
    );
    let landing = fetch_for(Errand::Sitemap, &format!("http://127.0.0.1:{port}/map.xml"));
    let Fetched::Answer(answer) = landing.fetched else {
        panic!("{landing:?}")
    };
    assert_eq!(answer.body.len(), 5 * MAX_BODY);
}
