//! The next floor: hyper, a scan for `href="`, and a set of what was seen.
//!
//! `floor-hyper SEED CONCURRENCY` crawls all that the seed leads to. Links are
//! found with memchr, not by parsing; a URL is joined by gluing; there is no
//! queue per host, no politeness, no robots rules, and nothing is kept. What a
//! real crawler costs beyond this is what it does beyond this.

use bytes::Bytes;
use http_body_util::{BodyExt, Empty};
use hyper::Request;
use hyper::client::conn::http1::SendRequest;
use hyper_util::rt::TokioIo;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet, VecDeque};
use std::rc::Rc;
use tokio::net::TcpStream;
use tokio::sync::Notify;

type Error = Box<dyn std::error::Error>;

#[derive(Default)]
struct State {
    waiting: VecDeque<String>,
    seen: HashSet<String>,
    idle: HashMap<String, Vec<SendRequest<Empty<Bytes>>>>,
    n_busy: usize,
    n_pages: usize,
}

fn main() -> Result<(), Error> {
    let mut args = std::env::args().skip(1);
    let seed = args.next().ok_or("floor-hyper SEED CONCURRENCY")?;
    let concurrency: usize = args.next().and_then(|text| text.parse().ok()).unwrap_or(32);
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let state = Rc::new(RefCell::new(State::default()));
    state.borrow_mut().offer(seed);
    let woken = Rc::new(Notify::new());
    let local = tokio::task::LocalSet::new();
    local
        .block_on(&runtime, async {
            let workers: Vec<_> = (0..concurrency)
                .map(|_| tokio::task::spawn_local(work(state.clone(), woken.clone())))
                .collect();
            for worker in workers {
                worker.await??;
            }
            Ok::<_, Box<dyn std::error::Error + Send + Sync>>(())
        })
        .map_err(|error| error.to_string())?;
    eprintln!("{} pages", state.borrow().n_pages);
    Ok(())
}

impl State {
    fn offer(&mut self, url: String) {
        if !self.seen.contains(&url) {
            self.waiting.push_back(url.clone());
            self.seen.insert(url);
        }
    }
}

/// Fetches until nothing waits and nobody is busy.
async fn work(
    state: Rc<RefCell<State>>,
    woken: Rc<Notify>,
) -> Result<(), Box<dyn std::error::Error + Send + Sync>> {
    loop {
        let next = state.borrow_mut().waiting.pop_front();
        let Some(url) = next else {
            if state.borrow().n_busy == 0 {
                woken.notify_waiters();
                return Ok(());
            }
            woken.notified().await;
            continue;
        };
        state.borrow_mut().n_busy += 1;
        let body = fetch(&state, &url).await;
        let mut state = state.borrow_mut();
        state.n_busy -= 1;
        let body = body?;
        state.n_pages += 1;
        scan(&url, &body, |link| state.offer(link));
        woken.notify_waiters();
    }
}

async fn fetch(
    state: &RefCell<State>,
    url: &str,
) -> Result<Bytes, Box<dyn std::error::Error + Send + Sync>> {
    let (host, path) = split(url).ok_or("only http:// URLs with a path")?;
    let idle = state.borrow_mut().idle.get_mut(host).and_then(Vec::pop);
    let mut sender = match idle {
        Some(sender) => sender,
        None => {
            let stream = TokioIo::new(TcpStream::connect(host).await?);
            let (sender, connection) = hyper::client::conn::http1::handshake(stream).await?;
            tokio::task::spawn_local(connection);
            sender
        }
    };
    sender.ready().await?;
    let request = Request::get(path).header("host", host).body(Empty::new())?;
    let body = sender
        .send_request(request)
        .await?
        .into_body()
        .collect()
        .await?
        .to_bytes();
    state
        .borrow_mut()
        .idle
        .entry(host.to_owned())
        .or_default()
        .push(sender);
    Ok(body)
}

/// `http://host:80/path` → `host:80`, `/path`
fn split(url: &str) -> Option<(&str, &str)> {
    let rest = url.strip_prefix("http://")?;
    Some(rest.split_at(rest.find('/')?))
}

/// Every `href` of an `a`, as far as it is a path of the host or a whole URL.
fn scan(base: &str, html: &[u8], mut found: impl FnMut(String)) {
    let Some((host, _)) = split(base) else { return };
    for at in memchr::memmem::find_iter(html, b"href=\"") {
        let rest = &html[at + 6..];
        let Some(end) = memchr::memchr(b'"', rest) else {
            return;
        };
        let Ok(href) = std::str::from_utf8(&rest[..end]) else {
            continue;
        };
        if href.starts_with('/') {
            found(format!("http://{host}{href}"));
        } else if href.starts_with("http://") {
            found(href.to_owned());
        }
    }
}
