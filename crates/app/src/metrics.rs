//! Metrics of a running crawl over HTTP, for Prometheus and its like.
//!
//! A thread of its own accepts, and each connection has a short-lived one with
//! a deadline: whoever connects and says nothing holds up nobody. The crawl
//! shows its snapshots on a [`Board`]; outcomes are counted from the visit log,
//! as far as it has come since the last look.

mod exposition;

use crate::message;
use crate::own_name::{self, is_own};
use crate::snapshot::Snapshot;
use crate::tally::Tally;
use anyhow::Context;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};
use std::time::{Duration, Instant};
use store::crawl_dir::VisitReader;

/// A client has so long for its whole request, and so long for each part of the answer.
const DEADLINE: Duration = Duration::from_secs(5);

/// More connections than this at once are closed unanswered.
const MOST_CLIENTS: usize = 32;

/// Requests are a line and some headers.
const MAX_REQUEST: usize = 8 << 10;

/// Visits counted for one answer; the rest waits for the next one.
const MOST_VISITS: usize = 200_000;

/// An address that is listened on, before anything is known to tell.
#[derive(Debug)]
pub(crate) struct Listener {
    listener: TcpListener,
    address: SocketAddr,
}

/// Answers until it is dropped.
pub(crate) struct Server {
    board: Arc<Board>,
    address: SocketAddr,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// Where a crawl shows how it stands.
pub(crate) struct Board {
    /// None until the crawl has started.
    snapshot: Mutex<Option<Snapshot>>,
    log: Mutex<Log>,
}

/// The visits of this session, counted as far as they have been read.
struct Log {
    visits: VisitReader,
    tally: Tally,
}

impl Listener {
    /// Takes the address, so that a bad one is known before the crawl starts.
    pub(crate) fn bind(address: SocketAddr) -> anyhow::Result<Listener> {
        let listener = TcpListener::bind(address)
            .with_context(|| format!("cannot listen for `--metrics` on `{address}`"))?;
        let address = listener.local_addr()?;
        if !address.ip().is_loopback() {
            message::warning(format!(
                "metrics on `{address}` can be read by other machines"
            ));
        }
        message::info(format!("metrics at http://{address}/metrics"));
        Ok(Listener { listener, address })
    }

    /// The same address for another session.
    pub(crate) fn try_clone(&self) -> io::Result<Listener> {
        Ok(Listener {
            listener: self.listener.try_clone()?,
            address: self.address,
        })
    }

    /// Begins to answer. `visits` are those of this session.
    pub(crate) fn serve(self, visits: VisitReader) -> io::Result<Server> {
        let board = Arc::new(Board {
            snapshot: Mutex::default(),
            log: Mutex::new(Log {
                visits,
                tally: Tally::default(),
            }),
        });
        let stop = Arc::new(AtomicBool::new(false));
        let shared = (board.clone(), stop.clone());
        let accept = move || accept(&self.listener, &shared.0, &shared.1);
        let thread = Builder::new().name("metrics".into()).spawn(accept)?;
        Ok(Server {
            board,
            address: self.address,
            stop,
            thread: Some(thread),
        })
    }
}

impl Server {
    pub(crate) fn board(&self) -> Arc<Board> {
        self.board.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // The thread sleeps until somebody connects. Where nobody can, it
        // sleeps on and ends with the process.
        let is_woken = TcpStream::connect_timeout(&self.address, Duration::from_secs(1)).is_ok();
        if let Some(thread) = self.thread.take().filter(|_| is_woken) {
            let _ = thread.join();
        }
    }
}

impl Board {
    /// Shows a newer snapshot.
    pub(crate) fn show(&self, snapshot: Snapshot) {
        *lock(&self.snapshot) = Some(snapshot);
    }

    /// All metrics, once there is something to tell: zeros would look like a
    /// crawl that has lost everything.
    fn text(&self) -> Option<String> {
        let snapshot = lock(&self.snapshot).clone()?;
        let mut log = lock(&self.log);
        let Log { visits, tally } = &mut *log;
        for visit in visits.by_ref().take(MOST_VISITS) {
            tally.add(&visit);
        }
        Some(exposition::render(&snapshot, tally))
    }
}

/// What is counted is whole whatever happened to the last one who counted.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn accept(listener: &TcpListener, board: &Arc<Board>, stop: &AtomicBool) {
    let n_clients = Arc::new(AtomicUsize::new(0));
    for stream in listener.incoming() {
        if stop.load(Ordering::Relaxed) {
            return;
        }
        let Ok(stream) = stream else {
            // Out of file handles, most likely: some will come free.
            std::thread::sleep(Duration::from_millis(100));
            continue;
        };
        if n_clients.load(Ordering::Relaxed) >= MOST_CLIENTS {
            continue;
        }
        n_clients.fetch_add(1, Ordering::Relaxed);
        let (board, count) = (board.clone(), n_clients.clone());
        let answer = move || {
            if let Err(error) = answer(stream, &board) {
                tracing::debug!(%error, "a reader of metrics went away");
            }
            count.fetch_sub(1, Ordering::Relaxed);
        };
        if Builder::new()
            .name("metrics-client".into())
            .spawn(answer)
            .is_err()
        {
            n_clients.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Reads one request and answers it.
fn answer(mut stream: TcpStream, board: &Board) -> io::Result<()> {
    let request = read_request(&mut stream)?;
    let stranger = stranger(&request, stream.local_addr()?);
    let (status, body) = match request_line(&request) {
        Some(_) if stranger.is_some() => ("403 Forbidden", stranger.unwrap_or_default()),
        Some(("GET", "/metrics")) => match board.text() {
            Some(text) => ("200 OK", text),
            None => (
                "503 Service Unavailable",
                "the crawl has not started yet\n".into(),
            ),
        },
        Some(("GET", "/")) => ("200 OK", "locavore: see /metrics\n".into()),
        Some(("GET", _)) => ("404 Not Found", "only /metrics is here\n".into()),
        Some(_) => ("405 Method Not Allowed", "only GET is answered\n".into()),
        None => ("400 Bad Request", "this is no HTTP request\n".into()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
         Content-Length: {}\r\nConnection: close\r\nX-Content-Type-Options: nosniff\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n",
        body.len()
    );
    stream.set_write_timeout(Some(DEADLINE))?;
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())
}

/// Everything up to the empty line, or as much as may be.
fn read_request(stream: &mut TcpStream) -> io::Result<Vec<u8>> {
    let start = Instant::now();
    let mut request = Vec::new();
    let mut chunk = [0; 1024];
    let is_whole = |request: &[u8]| request.windows(4).any(|end| end == b"\r\n\r\n");
    while !is_whole(&request) && request.len() < MAX_REQUEST {
        let left = DEADLINE.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        stream.set_read_timeout(Some(left))?;
        match stream.read(&mut chunk)? {
            0 => break,
            len => request.extend_from_slice(&chunk[..len]),
        }
    }
    Ok(request)
}

/// Why somebody who asks this machine for metrics by the name of another is not
/// told; from other machines it may have any name.
fn stranger(request: &[u8], address: SocketAddr) -> Option<String> {
    let host = host(request).filter(|_| address.ip().is_loopback())?;
    (!is_own(host, address)).then(|| own_name::refusal(host, address) + "\n")
}

/// The host that is asked for. Browsers always name it.
fn host(request: &[u8]) -> Option<&str> {
    let lines = request.split(|byte| *byte == b'\n').skip(1);
    let mut headers = lines.filter_map(|line| std::str::from_utf8(line).ok()?.split_once(':'));
    let (_, host) = headers.find(|(name, _)| name.eq_ignore_ascii_case("host"))?;
    Some(host.trim())
}

/// Method and path, without the query.
fn request_line(request: &[u8]) -> Option<(&str, &str)> {
    let line = request.split(|byte| *byte == b'\r').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split(' ');
    let (method, target, version) = (words.next()?, words.next()?, words.next()?);
    let path = target.split_once('?').map_or(target, |(path, _)| path);
    version.starts_with("HTTP/1").then_some((method, path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::crawl_dir::CrawlDir;

    #[test]
    fn requests_are_told_from_noise() {
        assert_eq!(
            request_line(b"GET /metrics?x=1 HTTP/1.1\r\nHost: a\r\n\r\n"),
            Some(("GET", "/metrics"))
        );
        for noise in [&b""[..], b"\x16\x03\x01", b"GET", b"GET /", b"GET / HTTP/2"] {
            assert_eq!(request_line(noise), None, "{noise:?}");
        }
    }

    #[test]
    fn a_crawl_that_has_not_started_tells_no_zeros() {
        let folder = tempfile::tempdir().unwrap();
        let dir = folder.path().join("c");
        CrawlDir::create(&dir, "").unwrap();
        let server = Listener::bind("127.0.0.1:0".parse().unwrap()).unwrap();
        let server = server.serve(VisitReader::open(&dir).unwrap()).unwrap();
        let ask = || {
            let mut stream = TcpStream::connect(server.address).unwrap();
            stream.write_all(b"GET /metrics HTTP/1.1\r\n\r\n").unwrap();
            let mut answer = String::new();
            stream.read_to_string(&mut answer).unwrap();
            answer
        };
        assert!(ask().starts_with("HTTP/1.1 503 "));
        server.board().show(Snapshot::default());
        assert!(ask().contains("\nlocavore_paused 0\n"));
    }

    #[test]
    fn an_address_in_use_is_named() {
        let taken = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = taken.local_addr().unwrap();
        let error = Listener::bind(address).unwrap_err();
        assert_eq!(
            error.to_string(),
            format!("cannot listen for `--metrics` on `{address}`")
        );
    }
}
