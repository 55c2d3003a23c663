//! What one page costs the network threads, over loopback.
//!
//! `cargo bench -p bench --bench fetch`; LOCAVORE_BENCH_PAGES sets the number.
//! Pages are prebuilt and served by threads of their own over kept-alive
//! connections; only the CPU time of the fetching threads and of the caller
//! counts. The kernel's half of a loopback socket is in it.
#![allow(clippy::print_stdout, reason = "the table is what the bench is for")]

use bench::size;
use crawl::fetch::http::{Http, HttpSettings};
use crawl::fetch::{Fetched, Fetcher, Landing, Request};
use flate2::Compression;
use flate2::write::GzEncoder;
use page::url::CanonicalUrl;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::Duration;

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Bytes of one page, as the made-up web's pages have.
const PAGE_LEN: usize = 24_000;
/// Hosts, each with one connection: every one is another loopback address.
const N_HOSTS: usize = 32;
const ROUNDS: usize = 5;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let n_pages = size("LOCAVORE_BENCH_PAGES", 20_000) as usize;
    println!(
        "{n_pages} pages of {PAGE_LEN} bytes from {N_HOSTS} hosts, one connection each; {ROUNDS} \
         rounds, CPU time of the threads that fetch"
    );
    let page = page();
    let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
    gzip.write_all(&page)?;
    let gzipped = gzip.finish()?;
    run("plain", answer("", &page), n_pages)?;
    run(
        "gzip",
        answer("Content-Encoding: gzip\r\n", &gzipped),
        n_pages,
    )?;
    Ok(())
}

/// Text that compresses about as a page does.
fn page() -> Vec<u8> {
    let mut page = b"<!doctype html><title>A town</title>".to_vec();
    let mut seed = 2006_u32;
    while page.len() < PAGE_LEN {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let word = seed >> 12;
        page.extend_from_slice(
            format!("<p><a href=\"/{word}\">{word:x} street</a></p>\n").as_bytes(),
        );
    }
    page.truncate(PAGE_LEN);
    page
}

fn answer(encoding: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 200 OK\r\nServer: Apache\r\nContent-Type: text/html; charset=utf-8\r\n\
         {encoding}Content-Length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn run(name: &str, answer: Vec<u8>, n_pages: usize) -> Result<(), Box<dyn std::error::Error>> {
    let n_bytes = answer.len();
    let port = serve(answer)?;
    let urls = (0..N_HOSTS)
        .map(|host| {
            CanonicalUrl::parse(&format!(
                "http://127.0.0.{}:{port}/town/page.html",
                host + 1
            ))
        })
        .collect::<Result<Vec<_>, _>>()?;
    let http = Http::new(settings())?;
    let (sender, landings) = mpsc::channel();
    let fetch_all = |n| fetch(&http, &urls, n, &sender, &landings);
    // Connections, allocator and caches are warm before anything counts.
    fetch_all(n_pages / 10);
    let mut rounds: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let before = client_time();
            fetch_all(n_pages);
            (client_time() - before).as_secs_f64() * 1e3 / n_pages as f64
        })
        .collect();
    rounds.sort_by(f64::total_cmp);
    println!(
        "{name:<6} {:.4} ms per page (median; best {:.4}), {n_bytes} bytes on the wire",
        rounds[ROUNDS / 2],
        rounds[0]
    );
    Ok(())
}

fn settings() -> HttpSettings {
    HttpSettings {
        user_agent: "Locavore/0.1 (+mailto:bench@example.org)".to_owned(),
        open_ranges: vec!["127.0.0.0/8".parse().expect("a range")],
        ..HttpSettings::default()
    }
}

/// Keeps one fetch per host under way until `n` have landed.
fn fetch(
    http: &Http,
    urls: &[CanonicalUrl],
    n: usize,
    sender: &Sender<(usize, Landing)>,
    landings: &Receiver<(usize, Landing)>,
) {
    let ask = |host: usize| {
        let sender = sender.clone();
        let reply = Box::new(move |landing| sender.send((host, landing)).expect("main waits"));
        http.fetch(&Request::page(&urls[host]), reply);
    };
    let n = n.max(urls.len());
    (0..urls.len()).for_each(ask);
    for landed in 1..=n {
        let (host, landing) = landings.recv().expect("every fetch lands");
        match landing.fetched {
            Fetched::Answer(answer) => assert_eq!(answer.body.len(), PAGE_LEN),
            other => panic!("{other:?}"),
        }
        if landed + urls.len() <= n {
            ask(host);
        }
    }
}

/// Serves one answer to every request on every loopback address, a thread per connection.
fn serve(answer: Vec<u8>) -> io::Result<u16> {
    let listener = TcpListener::bind("0.0.0.0:0")?;
    let port = listener.local_addr()?.port();
    let answer: Arc<[u8]> = answer.into();
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let answer = Arc::clone(&answer);
            thread::spawn(move || attend(stream, &answer));
        }
    });
    Ok(port)
}

/// Every request of this client ends with what is read at once.
fn attend(mut stream: TcpStream, answer: &[u8]) {
    let _ = stream.set_nodelay(true);
    let mut request = [0; 4096];
    let mut seen = 0;
    while let Ok(n @ 1..) = stream.read(&mut request[seen..]) {
        seen += n;
        if request[..seen].ends_with(b"\r\n\r\n") {
            seen = 0;
            if stream.write_all(answer).is_err() {
                return;
            }
        }
    }
}

/// CPU time so far of this thread and of the threads called `fetch…`.
fn client_time() -> Duration {
    let own = format!("{}", std::process::id());
    let tasks = fs::read_dir("/proc/self/task")
        .into_iter()
        .flatten()
        .flatten();
    let times = tasks.filter_map(|task| {
        let comm = fs::read_to_string(task.path().join("comm")).ok()?;
        let is_caller = task.file_name().to_str() == Some(&own);
        if !is_caller && !comm.starts_with("fetch") {
            return None;
        }
        let stat = fs::read_to_string(task.path().join("schedstat")).ok()?;
        stat.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(times.sum())
}
