//! Connections that are used again.

use crate::net::{ask_page, read_request, serve_each, settings, show};
use crawl::fetch::http::{Http, HttpSettings};
use insta::assert_snapshot;
use std::io::Write;
use std::net::TcpStream;
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

const HI: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi";

/// Serves connections; returns the port and, for every request, the number of its connection.
fn serve_numbered(
    respond: impl Fn(&mut TcpStream, usize, usize) -> bool + Send + Sync + 'static,
) -> (u16, Receiver<usize>) {
    let (sender, asked) = mpsc::channel();
    let port = serve_each(move |mut stream, connection| {
        for nth in 0.. {
            if read_request(&mut stream).is_none() {
                return;
            }
            let _ = sender.send(connection);
            if !respond(&mut stream, connection, nth) {
                return;
            }
        }
    });
    (port, asked)
}

#[test]
fn second_page_comes_over_the_same_connection() {
    let (port, asked) = serve_numbered(|stream, _, _| stream.write_all(HI).is_ok());
    let http = Http::new(settings()).unwrap();
    for _ in 0..3 {
        let landing = ask_page(&http, &format!("http://127.0.0.1:{port}/"));
        assert_eq!(show(&landing), "200 type=- location=- body=hi");
        assert_eq!(landing.server, Some("127.0.0.1".parse().unwrap()));
    }
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), [0, 0, 0]);
}

#[test]
fn two_at_once_get_a_connection_each() {
    let (port, asked) = serve_numbered(|stream, _, _| {
        thread::sleep(Duration::from_millis(200));
        stream.write_all(HI).is_ok()
    });
    let http = Http::new(settings()).unwrap();
    let url = format!("http://127.0.0.1:{port}/");
    thread::scope(|scope| {
        let both = [(); 2].map(|()| scope.spawn(|| show(&ask_page(&http, &url))));
        for shown in both {
            assert_eq!(shown.join().unwrap(), "200 type=- location=- body=hi");
        }
    });
    let mut asked: Vec<usize> = asked.try_iter().collect();
    asked.sort_unstable();
    assert_eq!(asked, [0, 1]);
}

#[test]
fn server_that_closes_is_not_asked_over_the_closed_connection() {
    let closing: &[u8] = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nhi";
    let (port, asked) = serve_numbered(move |stream, _, _| stream.write_all(closing).is_ok());
    let http = Http::new(settings()).unwrap();
    for _ in 0..2 {
        let landing = ask_page(&http, &format!("http://127.0.0.1:{port}/"));
        assert_eq!(show(&landing), "200 type=- location=- body=hi");
    }
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn who_hangs_up_on_a_second_request_is_not_asked_twice_at_once() {
    // Hangs up on every second request of a connection.
    let (port, asked) = serve_numbered(|stream, _, nth| nth == 0 && stream.write_all(HI).is_ok());
    let http = Http::new(settings()).unwrap();
    let ask = || show(&ask_page(&http, &format!("http://127.0.0.1:{port}/")));
    assert_eq!(ask(), "200 type=- location=- body=hi");
    assert_snapshot!(ask(), @r#"Again("it hung up when it was asked again")"#);
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), [0, 0]);
    // Whoever asks again is well served, each time over a new connection.
    for _ in 0..3 {
        assert_eq!(ask(), "200 type=- location=- body=hi");
    }
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), [1, 2, 3]);
}

#[test]
fn half_an_answer_is_not_asked_for_again() {
    let (port, asked) = serve_numbered(|stream, _, nth| match nth {
        0 => stream.write_all(HI).is_ok(),
        _ => {
            let _ = stream.write_all(b"HTTP/1.1 200 O");
            false
        }
    });
    let http = Http::new(settings()).unwrap();
    let url = format!("http://127.0.0.1:{port}/");
    ask_page(&http, &url);
    assert_snapshot!(show(&ask_page(&http, &url)), @r#"Garbled("connection closed before message completed")"#);
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn silent_connection_is_not_asked_again() {
    let (port, asked) = serve_numbered(|stream, _, nth| match nth {
        0 => stream.write_all(HI).is_ok(),
        _ => {
            thread::sleep(Duration::from_secs(25));
            false
        }
    });
    let http = Http::new(HttpSettings {
        first_byte_timeout: Duration::from_millis(200),
        ..settings()
    });
    let http = http.unwrap();
    let url = format!("http://127.0.0.1:{port}/");
    ask_page(&http, &url);
    assert_snapshot!(show(&ask_page(&http, &url)), @"TimedOut");
    assert_eq!(asked.try_iter().collect::<Vec<_>>(), [0, 0]);
}

#[test]
fn idle_connections_are_closed_after_a_while() {
    let (sender, ends) = mpsc::channel();
    let port = serve_each(move |mut stream, _| {
        while read_request(&mut stream).is_some() {
            let _ = stream.write_all(HI);
        }
        let _ = sender.send(());
    });
    let http = Http::new(settings()).unwrap();
    ask_page(&http, &format!("http://127.0.0.1:{port}/"));
    ends.recv_timeout(Duration::from_secs(20))
        .expect("it is closed");
}
