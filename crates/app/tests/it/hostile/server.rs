//! A web server that does as it likes, over real sockets.
//!
//! Every site has a loopback address and a port of its own, so that to a
//! crawler each is another host on another machine. Plain threads write plain
//! bytes: nothing here knows enough HTTP to be in the way of breaking it.

use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// What a site does with one request. It ends with an error when the client
/// has hung up, which is no news.
pub(crate) type Handler = fn(&mut Talk) -> io::Result<()>;

/// One kind of misbehaviour, and what it is called in URLs.
pub(crate) struct Site {
    pub(crate) name: &'static str,
    page: Handler,
    robots: Handler,
    manner: Manner,
}

/// How a site speaks with who connects.
enum Manner {
    Http,
    Https(Arc<ServerConfig>),
    /// Says what it has to say where TLS is expected, without listening.
    Deaf,
}

impl Site {
    /// Answers every request for a page like this, and has no robots rules.
    pub(crate) fn new(name: &'static str, page: Handler) -> Site {
        Site {
            name,
            page,
            robots: no_robots,
            manner: Manner::Http,
        }
    }

    pub(crate) fn with_robots(self, robots: Handler) -> Site {
        Site { robots, ..self }
    }

    pub(crate) fn over_tls(self, config: Arc<ServerConfig>) -> Site {
        Site {
            manner: Manner::Https(config),
            ..self
        }
    }

    pub(crate) fn instead_of_tls(self) -> Site {
        Site {
            manner: Manner::Deaf,
            ..self
        }
    }
}

fn no_robots(talk: &mut Talk) -> io::Result<()> {
    talk.answer("404 Not Found", &[], b"")
}

/// Sites that are being served until the tests end.
pub(crate) struct Server {
    sites: Vec<Arc<Open>>,
}

/// A site with its address and what became of it.
struct Open {
    site: Site,
    address: SocketAddr,
    n_requests: AtomicUsize,
    n_taken: AtomicU64,
}

impl Server {
    pub(crate) fn start(sites: Vec<Site>) -> Server {
        let sites = sites.into_iter().zip(2..);
        Server {
            sites: sites.map(|(site, last)| open(site, last)).collect(),
        }
    }

    /// One URL for each site, one per line.
    pub(crate) fn seeds(&self) -> String {
        let urls = self
            .sites
            .iter()
            .map(|open| format!("{}/{}\n", open.origin(), open.site.name));
        urls.collect()
    }

    /// The site that a URL belongs to.
    pub(crate) fn site_of(&self, url: &str) -> Option<&'static str> {
        let is_of = |open: &&Arc<Open>| url.starts_with(&(open.origin() + "/"));
        self.sites.iter().find(is_of).map(|open| open.site.name)
    }

    /// A text about these sites that is the same wherever they are served.
    pub(crate) fn without_origins(&self, text: &str) -> String {
        let origins = self.sites.iter().map(|open| open.origin() + "/");
        origins.fold(text.to_owned(), |text, origin| text.replace(&origin, "/"))
    }

    /// Each site's name and the bytes that clients, and the sockets on the
    /// way to them, have taken from it.
    pub(crate) fn taken(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let count = |open: &Arc<Open>| (open.site.name, open.n_taken.load(Ordering::Relaxed));
        self.sites.iter().map(count)
    }
}

impl Open {
    fn origin(&self) -> String {
        let scheme = match self.site.manner {
            Manner::Http => "http",
            Manner::Https(_) | Manner::Deaf => "https",
        };
        format!("{scheme}://{}", self.address)
    }

    fn serve(&self, stream: TcpStream) -> io::Result<()> {
        let socket = stream.try_clone()?;
        let wire: Box<dyn Wire> = match &self.site.manner {
            Manner::Http | Manner::Deaf => Box::new(stream),
            Manner::Https(config) => {
                let connection = ServerConnection::new(config.clone()).map_err(io::Error::other)?;
                Box::new(StreamOwned::new(connection, stream))
            }
        };
        let mut talk = Talk {
            wire,
            socket,
            path: String::new(),
            n_before: 0,
            n_taken: &self.n_taken,
            farewell: Farewell::Close,
        };
        if !matches!(self.site.manner, Manner::Deaf) {
            talk.listen()?;
        }
        if talk.path == "/robots.txt" {
            return (self.site.robots)(&mut talk);
        }
        talk.n_before = self.n_requests.fetch_add(1, Ordering::Relaxed);
        (self.site.page)(&mut talk)
    }
}

fn open(site: Site, last: u8) -> Arc<Open> {
    let listener = TcpListener::bind((Ipv4Addr::new(127, 0, 0, last), 0)).unwrap();
    let open = Arc::new(Open {
        site,
        address: listener.local_addr().unwrap(),
        n_requests: AtomicUsize::new(0),
        n_taken: AtomicU64::new(0),
    });
    let served = open.clone();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let served = served.clone();
            thread::spawn(move || served.serve(stream));
        }
    });
    open
}

trait Wire: Read + Write + Send {}

impl<T: Read + Write + Send> Wire for T {}

/// How a connection ends.
enum Farewell {
    /// All that was said arrives.
    Close,
    /// A socket closed with bytes unread resets the connection: that is how to
    /// do it with the standard library.
    Reset,
}

/// A connection on which one request has come in.
pub(crate) struct Talk<'a> {
    wire: Box<dyn Wire>,
    /// What the wire goes through.
    socket: TcpStream,
    /// Path and query that were asked for.
    pub(crate) path: String,
    /// Requests for pages of this site before this one.
    pub(crate) n_before: usize,
    n_taken: &'a AtomicU64,
    farewell: Farewell,
}

impl Talk<'_> {
    /// Reads a request but for its last byte.
    fn listen(&mut self) -> io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r") {
            let mut byte = [0];
            self.wire.read_exact(&mut byte)?;
            head.extend(byte);
        }
        let head = String::from_utf8_lossy(&head);
        self.path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        Ok(())
    }

    /// Sends these very bytes.
    pub(crate) fn say(&mut self, bytes: impl AsRef<[u8]>) -> io::Result<()> {
        let mut bytes = bytes.as_ref();
        while !bytes.is_empty() {
            let n_written = self.wire.write(bytes)?;
            let n_taken = u64::try_from(n_written).unwrap();
            self.n_taken.fetch_add(n_taken, Ordering::Relaxed);
            bytes = &bytes[n_written..];
        }
        self.wire.flush()
    }

    /// Sends a proper head, after which the connection ends with the body.
    pub(crate) fn head(&mut self, status: &str, headers: &[&str]) -> io::Result<()> {
        let mut head = format!("HTTP/1.1 {status}\r\nConnection: close\r\n");
        for header in headers {
            head.push_str(header);
            head.push_str("\r\n");
        }
        self.say(head + "\r\n")
    }

    /// Sends a proper answer.
    pub(crate) fn answer(&mut self, status: &str, headers: &[&str], body: &[u8]) -> io::Result<()> {
        let length = format!("Content-Length: {}", body.len());
        self.head(status, &[headers, &[&length]].concat())?;
        self.say(body)
    }

    /// Sends a proper page.
    pub(crate) fn page(&mut self, html: impl AsRef<[u8]>) -> io::Result<()> {
        self.answer("200 OK", &["Content-Type: text/html"], html.as_ref())
    }

    /// Sends the same again and again until nobody takes it.
    pub(crate) fn flood(&mut self, bytes: &[u8]) -> io::Result<()> {
        loop {
            self.say(bytes)?;
        }
    }

    /// Sends a little now and then until nobody takes it.
    pub(crate) fn drip(&mut self, bytes: &[u8]) -> io::Result<()> {
        loop {
            self.say(bytes)?;
            thread::sleep(Duration::from_secs(1));
        }
    }

    /// Says nothing until the client hangs up.
    pub(crate) fn wait(&mut self) -> io::Result<()> {
        let mut byte = [0];
        while self.wire.read(&mut byte)? > 0 {}
        Ok(())
    }

    /// Reads what the client sends after its first request.
    pub(crate) fn hear(&mut self, bytes: &mut [u8]) -> io::Result<()> {
        self.wire.read_exact(bytes)
    }

    /// Breaks the connection off, when all that was said has surely arrived.
    pub(crate) fn reset(&mut self) -> io::Result<()> {
        thread::sleep(Duration::from_millis(300));
        self.farewell = Farewell::Reset;
        Ok(())
    }
}

impl Drop for Talk<'_> {
    fn drop(&mut self) {
        if matches!(self.farewell, Farewell::Close) {
            let _ = self.socket.shutdown(Shutdown::Write);
            let _ = io::copy(&mut self.socket, &mut io::sink());
        }
    }
}
