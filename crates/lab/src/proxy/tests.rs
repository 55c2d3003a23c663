use super::*;
use crate::world::WorldSettings;
use place::gazetteer::Gazetteer;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener as StdListener;
use std::net::{SocketAddr, TcpStream as StdStream};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use tokio::sync::oneshot;

static WORLD: LazyLock<Arc<World>> = LazyLock::new(|| {
    let settings = WorldSettings {
        n_sites: 5_000,
        ..WorldSettings::default()
    };
    Arc::new(World::new(settings, Gazetteer::built_in()))
});

/// A proxy on a free port, until it is dropped.
struct Running {
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

fn start(pace: f32) -> Running {
    let listener = StdListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let thread = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .unwrap();
        runtime.block_on(serve(listener, Arc::clone(&WORLD), pace, None, async {
            let _ = stopped.await;
        }))
    });
    Running {
        address,
        stop: Some(stop),
        thread: Some(thread),
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap().unwrap();
        }
    }
}

/// One connection that is kept open between requests.
struct Client(BufReader<StdStream>);

struct Got {
    status: u16,
    headers: Vec<(String, String)>,
    body: Vec<u8>,
}

impl Got {
    fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }
}

impl Client {
    fn connect(running: &Running) -> Client {
        Client(BufReader::new(StdStream::connect(running.address).unwrap()))
    }

    fn ask(&mut self, request: &str) -> Got {
        self.0.get_mut().write_all(request.as_bytes()).unwrap();
        let mut line = String::new();
        self.0.read_line(&mut line).unwrap();
        let status = line[9..12].parse().unwrap();
        let mut headers = Vec::new();
        loop {
            line.clear();
            self.0.read_line(&mut line).unwrap();
            let Some((name, value)) = line.trim_end().split_once(": ") else {
                break;
            };
            headers.push((name.to_lowercase(), value.to_owned()));
        }
        let mut got = Got {
            status,
            headers,
            body: Vec::new(),
        };
        if !request.starts_with("HEAD") {
            let n_bytes = got
                .header("content-length")
                .map_or(0, |n| n.parse().unwrap());
            got.body.resize(n_bytes, 0);
            self.0.read_exact(&mut got.body).unwrap();
        }
        got
    }

    fn get(&mut self, url: &str) -> Got {
        self.ask(&format!(
            "GET {url} HTTP/1.1\r\nHost: ignored.example\r\n\r\n"
        ))
    }
}

/// Fronts of some sites, by walking from the seeds.
fn some_urls(n: usize) -> Vec<CanonicalUrl> {
    let mut urls = WORLD.all_seeds();
    let mut at = 0;
    while urls.len() < n {
        if let Fetched::Answer(answer) = WORLD.answer(&urls[at]).fetched {
            let read = page::html::read(&answer.body, &urls[at], answer.content_type.as_deref());
            urls.extend(read.links.iter().map(|link| link.url.clone()));
        }
        at += 1;
    }
    urls.truncate(n);
    urls
}

#[test]
fn the_proxy_gives_the_bytes_of_the_world() {
    let running = start(0.0);
    let mut client = Client::connect(&running);
    let mut n_pages = 0;
    for url in some_urls(1_500).iter().step_by(13) {
        let landing = WORLD.answer(url);
        let got = client.get(url.as_str());
        match landing.fetched {
            Fetched::Answer(answer) => {
                n_pages += 1;
                assert_eq!(got.status, answer.status, "{url}");
                assert_eq!(got.header("content-type"), answer.content_type.as_deref());
                assert_eq!(got.header("location"), answer.location.as_deref());
                assert!(got.body == answer.body, "{url}");
                let server = landing.server.map(|server| server.to_string());
                assert_eq!(got.header("x-locavore-server"), server.as_deref());
            }
            Fetched::TimedOut => assert_eq!(got.status, 504),
            _ => assert_eq!(got.status, 502),
        }
    }
    assert!(n_pages > 80, "{n_pages}");
}

#[test]
fn hosts_work_without_a_proxy_and_head_has_no_body() {
    let running = start(0.0);
    let mut client = Client::connect(&running);
    let url = &WORLD.all_seeds()[0];
    let full = client.get(url.as_str());
    let (path, host) = (url.path_and_query(), url.host());
    let direct = client.ask(&format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(direct.status == 200 && direct.body == full.body);
    let head = client.ask(&format!("HEAD {url} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert_eq!(head.status, 200);
    assert_eq!(head.header("content-length"), full.header("content-length"));
    // The next answer on the same connection is not preceded by a body.
    assert_eq!(client.get(url.as_str()).body, full.body);
}

#[test]
fn what_cannot_be_asked_is_said_in_one_line() {
    let running = start(0.0);
    let mut client = Client::connect(&running);
    let mut said = |request: &str| {
        let got = client.ask(request);
        format!("{} {}", got.status, got.text())
    };
    let lines = [
        said("GET http://nowhere-000.com/ HTTP/1.1\r\nHost: x\r\n\r\n"),
        said("GET https://nowhere-000.com/ HTTP/1.1\r\nHost: x\r\n\r\n"),
        said("POST http://nowhere-000.com/ HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n"),
        said("GET / HTTP/1.1\r\n\r\n"),
        said("CONNECT nowhere-000.com:443 HTTP/1.1\r\nHost: nowhere-000.com:443\r\n\r\n"),
    ];
    insta::assert_snapshot!(lines.concat(), @"
    502 no such host in the made-up web
    501 the made-up web is http only
    405 only GET and HEAD
    400 no host given
    501 the made-up web is http only; ask for http:// URLs
    ");
}

#[test]
fn the_proxy_introduces_itself() {
    let running = start(0.0);
    let mut client = Client::connect(&running);
    let address = running.address;
    let got = client.ask(&format!("GET / HTTP/1.1\r\nHost: {address}\r\n\r\n"));
    assert_eq!(got.status, 200);
    let text = got.text();
    assert!(
        text.contains(&format!("curl -x http://127.0.0.1:{}", address.port())),
        "{text}"
    );
    assert!(text.contains(WORLD.all_seeds()[1].as_str()), "{text}");
}

#[test]
fn pace_makes_it_wait() {
    let running = start(0.5);
    let url = &WORLD.all_seeds()[0];
    let wanted = WORLD.latency(url).mul_f32(0.5);
    let started = std::time::Instant::now();
    Client::connect(&running).get(url.as_str());
    assert!(started.elapsed() >= wanted && !wanted.is_zero());
}
