//! Answers from memory: one thread, one loop, no allocation for a page.
//!
//! The address a connection came in on says which host is meant. A request is
//! what stands before an empty line; of its headers only `Connection: close`
//! is looked at. On any host, `/-/tally` tells what was asked for and begins
//! the tally anew, and `/-/pages` lists all pages.

use crate::pages::{Web, answer};
use crate::tally::Tally;
use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token};
use std::collections::HashMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, SocketAddr};

/// Longer requests than this no crawler sends.
const MAX_REQUEST: usize = 16 << 10;

const MISSING: &[u8] =
    b"HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\nContent-Length: 8\r\n\r\nnothing\n";

/// Listens on one port of as many loopback addresses as there are hosts.
pub(crate) fn listen(n_hosts: u8, port: u16) -> io::Result<(Vec<TcpListener>, u16)> {
    let mut port = port;
    let mut listeners = Vec::new();
    for host in 1..=n_hosts {
        let address = SocketAddr::from((Ipv4Addr::new(127, 0, 0, host), port));
        let listener = TcpListener::bind(address)?;
        port = listener.local_addr()?.port();
        listeners.push(listener);
    }
    Ok((listeners, port))
}

/// Serves until the process is ended.
pub(crate) fn serve(mut listeners: Vec<TcpListener>, port: u16, web: &Web) -> io::Result<()> {
    let mut poll = Poll::new()?;
    for (host, listener) in listeners.iter_mut().enumerate() {
        poll.registry()
            .register(listener, Token(host), Interest::READABLE)?;
    }
    let mut desk = Desk {
        web,
        port,
        robots: answer("text/plain", "User-agent: *\nAllow: /\n"),
        tally: Tally::of(web.n_pages()),
    };
    let mut connections: HashMap<Token, Connection> = HashMap::new();
    let mut next_token = listeners.len();
    let mut events = Events::with_capacity(1024);
    loop {
        match poll.poll(&mut events, None) {
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            polled => polled?,
        }
        for event in &events {
            let token = event.token();
            if let Some(listener) = listeners.get(token.0) {
                while let Ok((mut stream, _)) = listener.accept() {
                    let interests = Interest::READABLE | Interest::WRITABLE;
                    let id = Token(next_token);
                    next_token += 1;
                    let _ = stream.set_nodelay(true);
                    poll.registry().register(&mut stream, id, interests)?;
                    connections.insert(id, Connection::of(stream, token.0));
                    desk.tally.connection();
                }
            } else if let Some(connection) = connections.get_mut(&token)
                && !connection.advance(&mut desk)
            {
                connections.remove(&token);
            }
        }
    }
}

/// What every connection needs.
struct Desk<'a> {
    web: &'a Web,
    port: u16,
    robots: Box<[u8]>,
    tally: Tally,
}

struct Connection {
    stream: TcpStream,
    host: usize,
    request: Vec<u8>,
    /// What the socket would not take yet.
    unsent: Vec<u8>,
    is_last: bool,
}

impl Connection {
    fn of(stream: TcpStream, host: usize) -> Connection {
        Connection {
            stream,
            host,
            request: Vec::new(),
            unsent: Vec::new(),
            is_last: false,
        }
    }

    /// Does what can be done now; false when the connection has ended.
    fn advance(&mut self, desk: &mut Desk<'_>) -> bool {
        let mut buffer = [0; 4096];
        loop {
            if !self.send_rest() {
                return false;
            }
            if !self.unsent.is_empty() {
                return true;
            }
            if let Some(end) = find(&self.request, b"\r\n\r\n") {
                let request: Vec<u8> = self.request.drain(..end + 4).collect();
                self.respond(&request, desk);
                continue;
            }
            if self.is_last {
                return false;
            }
            match self.stream.read(&mut buffer) {
                Ok(0) => return false,
                Ok(n_bytes) => self.request.extend_from_slice(&buffer[..n_bytes]),
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
            if self.request.len() > MAX_REQUEST {
                return false;
            }
        }
    }

    fn respond(&mut self, request: &[u8], desk: &mut Desk<'_>) {
        self.is_last = asks_to_close(request);
        let mut words = request.split(|&byte| byte == b' ');
        let path = words.nth(1).unwrap_or_default();
        match (path, desk.web.find(self.host, path)) {
            (_, Some((page, answer))) => {
                desk.tally.page(page);
                self.send(answer);
            }
            (b"/robots.txt", _) => {
                desk.tally.robots();
                self.send(&desk.robots);
            }
            (b"/-/tally", _) => {
                let text = desk.tally.take();
                self.send(&answer("application/json", &text));
            }
            (b"/-/pages", _) => {
                let list = answer("text/plain", &desk.web.list(desk.port));
                self.send(&list);
            }
            _ => {
                desk.tally.missing();
                self.send(MISSING);
            }
        }
    }

    /// Sends at once what the socket takes, and keeps the rest.
    fn send(&mut self, answer: &[u8]) {
        let n_sent = self.stream.write(answer).unwrap_or(0);
        self.unsent.extend_from_slice(&answer[n_sent..]);
    }

    /// False when the other side has gone.
    fn send_rest(&mut self) -> bool {
        while !self.unsent.is_empty() {
            match self.stream.write(&self.unsent) {
                Ok(n_sent) => drop(self.unsent.drain(..n_sent)),
                Err(error) => return error.kind() == ErrorKind::WouldBlock,
            }
        }
        true
    }
}

fn asks_to_close(request: &[u8]) -> bool {
    let mut lines = request.split(|&byte| byte == b'\n');
    let is_old = lines
        .next()
        .is_some_and(|line| line.ends_with(b"HTTP/1.0\r"));
    let says_close = |line: &[u8]| line.trim_ascii().eq_ignore_ascii_case(b"connection: close");
    is_old || lines.any(says_close)
}

fn find(text: &[u8], what: &[u8]) -> Option<usize> {
    text.windows(what.len()).position(|window| window == what)
}
