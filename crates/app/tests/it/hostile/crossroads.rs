//! One listener that is every machine of 127.0.0.0/8, and keeps a list of who
//! was asked for what and when.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// One request.
#[derive(Debug, Clone)]
pub(crate) struct Asked {
    pub(crate) at: Instant,
    /// The address that was connected to.
    pub(crate) machine: Ipv4Addr,
    /// The name that was asked for.
    pub(crate) host: String,
    pub(crate) path: String,
    /// Requests over the same connection before it.
    pub(crate) n_before: usize,
}

/// What is done about a request.
pub(crate) enum Reply {
    /// A page; the connection may be used again.
    Page(String),
    Missing,
    HangUp,
    /// Says nothing until the client hangs up.
    Silence,
}

/// Serves until the tests end.
pub(crate) struct Crossroads {
    pub(crate) port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Crossroads {
    /// All machines there are.
    pub(crate) fn open(
        answer: impl Fn(&Asked, u16) -> Reply + Send + Sync + 'static,
    ) -> Crossroads {
        Crossroads::at(Ipv4Addr::UNSPECIFIED, answer)
    }

    /// One machine: all others refuse.
    pub(crate) fn at(
        machine: Ipv4Addr,
        answer: impl Fn(&Asked, u16) -> Reply + Send + Sync + 'static,
    ) -> Crossroads {
        let listener = TcpListener::bind((machine, 0)).unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = asked.clone();
        let answer = Arc::new(answer);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (log.clone(), answer.clone());
                thread::spawn(move || serve(stream, &log, |asked| answer(asked, port)));
            }
        });
        Crossroads { port, asked }
    }

    /// All requests so far, in their order.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }
}

fn serve(
    mut stream: TcpStream,
    log: &Mutex<Vec<Asked>>,
    answer: impl Fn(&Asked) -> Reply,
) -> io::Result<()> {
    let machine = match stream.local_addr()? {
        SocketAddr::V4(address) => *address.ip(),
        SocketAddr::V6(_) => Ipv4Addr::UNSPECIFIED,
    };
    for n_before in 0.. {
        let (host, path) = hear(&mut stream)?;
        let asked = Asked {
            at: Instant::now(),
            machine,
            host,
            path,
            n_before,
        };
        log.lock().unwrap().push(asked.clone());
        let (status, html) = match answer(&asked) {
            Reply::Page(html) => ("200 OK", html),
            Reply::Missing => ("404 Not Found", String::new()),
            Reply::HangUp => return stream.shutdown(Shutdown::Both),
            Reply::Silence => {
                while stream.read(&mut [0])? > 0 {}
                return Ok(());
            }
        };
        let n_bytes = html.len();
        let head = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {n_bytes}\r\n\r\n"
        );
        stream.write_all((head + &html).as_bytes())?;
    }
    Ok(())
}

/// Reads a request: the name and the path that it is for.
fn hear(stream: &mut TcpStream) -> io::Result<(String, String)> {
    let mut head = Vec::new();
    while !head.ends_with(b"\r\n\r\n") {
        let mut byte = [0];
        stream.read_exact(&mut byte)?;
        head.extend(byte);
    }
    let head = String::from_utf8_lossy(&head).into_owned();
    let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
    let host = head.lines().find_map(|line| {
        line.to_lowercase()
            .strip_prefix("host: ")
            .map(str::to_owned)
    });
    let host = host.unwrap_or_default();
    let name = host.split(':').next().unwrap_or_default();
    Ok((name.to_owned(), path))
}

/// That nobody was asked sooner than this after it had been asked before.
pub(crate) fn assert_spaced<K: Ord + Debug>(
    asked: &[Asked],
    of: impl Fn(&Asked) -> K,
    least: Duration,
) {
    let mut last: BTreeMap<K, Instant> = BTreeMap::new();
    for asked in asked {
        let key = of(asked);
        if let Some(before) = last.get(&key) {
            let gap = asked.at.duration_since(*before);
            assert!(
                gap >= least,
                "{key:?} was asked again after {gap:?}: {asked:?}"
            );
        }
        last.insert(key, asked.at);
    }
}

/// Links to these addresses.
pub(crate) fn links(urls: impl IntoIterator<Item = String>) -> String {
    let urls = urls.into_iter();
    urls.map(|url| format!("<a href=\"{url}\">{url}</a>\n"))
        .collect()
}
