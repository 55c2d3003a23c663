//! A small site over real sockets, and what a crawl makes of it: sitemaps,
//! copies, revisits, wishes of pages.

use crate::program::{Place, wait_for_visits};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::Child;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use store::visit::{Errand, Likeness, Outcome, Refusal, Visit};

/// Answers to a request; what is asked for, with its headers, is noted.
pub(crate) struct Site {
    pub(crate) origin: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Site {
    pub(crate) fn start(answer: impl Fn(&str, &str) -> String + Send + Sync + 'static) -> Site {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let origin = format!("http://{}", listener.local_addr().unwrap());
        let requests: Arc<Mutex<Vec<String>>> = Arc::default();
        let (answer, noted) = (Arc::new(answer), Arc::clone(&requests));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, noted) = (Arc::clone(&answer), Arc::clone(&noted));
                thread::spawn(move || serve(stream, &*answer, &noted));
            }
        });
        Site { origin, requests }
    }

    pub(crate) fn crawl(&self, place: &Place, more: &[&str]) {
        self.crawl_from(place, &["/"], more);
    }

    fn crawl_from(&self, place: &Place, paths: &[&str], more: &[&str]) {
        let args = self.args(place, paths, more);
        place.run(&args).expect_done();
    }

    /// Begins to crawl, and goes on by itself.
    pub(crate) fn begin(&self, place: &Place, more: &[&'static str]) -> Child {
        place.start(&self.args(place, &["/"], more))
    }

    pub(crate) fn args<'a>(&self, place: &Place, paths: &[&str], more: &[&'a str]) -> Vec<&'a str> {
        let seeds = paths.iter().map(|path| format!("{}{path}\n", self.origin));
        place.write("seeds.txt", &seeds.collect::<String>());
        let args = [
            "crawl",
            "Houston, TX",
            "--seeds",
            "seeds.txt",
            "--allow-private",
            "127.0.0.0/8",
            "--contact",
            "test@example.org",
            "--delay",
            "0s",
            "--out",
            "c",
        ];
        [&args[..], more].concat()
    }

    /// The visits of a crawl by path, the last one of each.
    fn visits(&self, place: &Place) -> BTreeMap<String, Visit> {
        let path = |visit: &Visit| visit.url.replace(&self.origin, "");
        let visits = place.visits("c").into_iter();
        visits.map(|visit| (path(&visit), visit)).collect()
    }

    /// Headers of the last request for a path.
    pub(crate) fn last_request(&self, path: &str) -> String {
        let requests = self.requests.lock().unwrap();
        let start = format!("GET {path} ");
        let last = requests.iter().rev().find(|text| text.starts_with(&start));
        last.cloned().unwrap_or_default()
    }
}

fn serve(stream: TcpStream, answer: &dyn Fn(&str, &str) -> String, noted: &Mutex<Vec<String>>) {
    let mut reader = BufReader::new(stream);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).unwrap_or(0) == 0 {
                return;
            }
        }
        let path = head.split(' ').nth(1).unwrap_or_default().to_owned();
        let text = answer(&path, &head);
        noted.lock().unwrap().push(head);
        if reader.get_mut().write_all(text.as_bytes()).is_err() {
            return;
        }
    }
}

fn ok(headers: &str, body: &str) -> String {
    let n_bytes = body.len();
    format!("HTTP/1.1 200 OK\r\n{headers}Content-Length: {n_bytes}\r\n\r\n{body}")
}

pub(crate) fn html(body: &str) -> String {
    ok("Content-Type: text/html\r\n", body)
}

pub(crate) fn missing() -> String {
    "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".into()
}

/// Enough words for a page to be told from another.
fn prose(seed: usize) -> String {
    let words = ["river", "market", "bridge", "garden", "museum", "harbour"];
    let word = |n: usize| format!("{}{}", words[(n * 7 + seed * 11) % words.len()], n * seed);
    (1..200).map(|n| word(n) + " ").collect()
}

#[test]
fn a_seed_left_for_later_on_a_host_without_rules_is_no_lost_one() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        _ => html(&prose(path.len())),
    });
    let place = Place::new();
    site.crawl_from(&place, &["/", "/one", "/another"], &["--pages", "1"]);
    assert_eq!(place.pages("c").len(), 1);
    assert_eq!(site.visits(&place)["/robots.txt"].status, Some(404));
}

#[test]
fn a_title_cannot_move_the_cursor_of_who_searches() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        _ => html("<title>Museum\x1b[2J\x1b]0;x\x07</title>A museum."),
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let found = place.run(&["search", "c", "museum"]).expect_done().stdout;
    assert!(found.starts_with(" 1. Museum"), "{found:?}");
    assert!(!found.contains(['\x1b', '\x07']), "{found:?}");
}

#[test]
fn pages_that_only_a_sitemap_names_are_found() {
    let site = Site::start(|path, head| {
        let host = head.split("host: ").nth(1).unwrap_or_default();
        let host = host.split("\r\n").next().unwrap_or_default();
        match path {
            "/robots.txt" => ok("", &format!("Sitemap: http://{host}/index.xml\n")),
            "/index.xml" => ok(
                "",
                &format!(
                    "<sitemapindex><sitemap><loc>http://{host}/pages.xml</loc></sitemap></sitemapindex>"
                ),
            ),
            "/pages.xml" => ok(
                "",
                &format!(
                    "<urlset><url><loc>http://{host}/hidden</loc><priority>0.9</priority></url></urlset>"
                ),
            ),
            "/" => html("<p>nothing to see"),
            "/hidden" => html("<title>Hidden</title><p>found"),
            _ => missing(),
        }
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let visits = site.visits(&place);
    assert_eq!(visits["/hidden"].outcome, Outcome::Fetched);
    assert_eq!(visits["/index.xml"].errand, Errand::Sitemap);
    assert_eq!(visits["/pages.xml"].errand, Errand::Sitemap);
    assert!(
        visits["/hidden"]
            .from
            .as_deref()
            .unwrap()
            .ends_with("/pages.xml")
    );
    let alone = Place::new();
    site.crawl(&alone, &["--no-sitemaps"]);
    assert!(!site.visits(&alone).contains_key("/hidden"));
}

#[test]
fn copies_are_archived_once_and_their_links_followed_once() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        "/" => html("<a href=/first>1</a> <a href=/second>2</a>"),
        "/first" | "/second" => html(&format!("<p>{}<a href=next>on</a>", prose(3))),
        "/next" => html("<p>the end"),
        _ => missing(),
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let visits = site.visits(&place);
    let (first, second) = (&visits["/first"], &visits["/second"]);
    assert_eq!(first.copy, None);
    let copy = second.copy.expect("the second is a copy");
    assert_eq!((copy.likeness, copy.of), (Likeness::Exact, first.seq));
    assert_eq!(first.digest, second.digest);
    assert!(
        second
            .links
            .iter()
            .all(|link| link.refused == Some(Refusal::OnCopy))
    );
    assert_eq!(visits["/next"].outcome, Outcome::Fetched);
    let dir = place.path("c");
    let archived = |visit: &Visit| {
        let shelf = visit.archived.expect("it was archived");
        store::warc::read_at(&dir, shelf).unwrap().unwrap()
    };
    assert!(archived(first).refers_to.is_none());
    let refers_to = archived(second).refers_to.expect("a revisit");
    assert_eq!(refers_to.url, first.url);
    assert!(archived(second).body.is_empty());
}

#[test]
fn a_refresh_asks_whether_pages_have_changed() {
    let n_asked = Arc::new(AtomicUsize::new(0));
    let site = Site::start(move |path, head| match path {
        "/robots.txt" => missing(),
        "/" => html("<a href=/steady>1</a> <a href=/busy>2</a> <a href=/plain>3</a>"),
        "/steady" if head.contains("if-none-match: \"one\"") => {
            "HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\n\r\n".into()
        }
        "/steady" => ok("Content-Type: text/html\r\nETag: \"one\"\r\n", &prose(5)),
        "/busy" => html(&prose(100 + n_asked.fetch_add(1, Ordering::Relaxed))),
        "/plain" => html(&prose(7)),
        _ => missing(),
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let before = site.visits(&place);
    let refresh = place.run(&["crawl", "--refresh", "c", "--refresh-age", "0s"]);
    let refresh = refresh.expect_done();
    let stopped = "stopped: the pages that were due are visited again";
    assert!(refresh.stderr.contains(stopped), "{}", refresh.stderr);
    let after = site.visits(&place);
    assert_eq!(after["/steady"].outcome, Outcome::Unchanged);
    assert_eq!(after["/steady"].status, Some(304));
    assert_eq!(after["/plain"].outcome, Outcome::Unchanged);
    assert_eq!(after["/plain"].status, Some(200));
    assert_eq!(after["/busy"].outcome, Outcome::Fetched);
    assert_ne!(after["/busy"].digest, before["/busy"].digest);
    let shelf = after["/steady"].archived.expect("a revisit is archived");
    let archived = store::warc::read_at(&place.path("c"), shelf)
        .unwrap()
        .unwrap();
    let refers_to = archived.refers_to.expect("it refers to the first");
    assert_eq!(
        (refers_to.url, refers_to.at),
        (before["/steady"].url.clone(), before["/steady"].at)
    );
    // Just visited: nothing is due.
    let again = place.run(&["crawl", "--refresh", "c"]).expect_done();
    let idle = "stopped: nothing was due; 4 pages, 0 of them in ";
    assert!(again.stderr.contains(idle), "{}", again.stderr);
    assert_eq!(place.visits("c").len(), 9, "{}", site.last_request("/busy"));
}

#[test]
fn nothing_is_in_the_air_once_a_crawl_has_stopped() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        "/" => html(
            &(1..20)
                .map(|n| format!("<a href=/{n}>x</a> "))
                .collect::<String>(),
        ),
        _ => {
            thread::sleep(Duration::from_secs(20));
            html("late")
        }
    });
    let place = Place::new();
    let mut child = site.begin(&place, &[]);
    let flights = || {
        let status = place.run(&["status", "c", "--json"]).json();
        let nodes = status["progress"]["nodes"].as_array().cloned();
        let flights = nodes.unwrap_or_default().into_iter();
        let flights = flights
            .filter_map(|node| node["flights"].as_u64())
            .sum::<u64>();
        (flights, status["state"].as_str().unwrap().to_owned())
    };
    wait_for_visits(&place, "c", &mut child, 2);
    while flights().0 == 0 {
        thread::sleep(Duration::from_millis(50));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(flights(), (0, "killed".to_owned()));
}

/// What the crawl says of its pages: all of them, and those with addresses.
fn counts(place: &Place) -> Vec<(u64, u64)> {
    let number = |value: &serde_json::Value| value.as_u64().unwrap();
    let pair = |value: &serde_json::Value| (number(&value["pages"]), number(&value["geo_pages"]));
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    let report = place.run(&["report", "c", "--json"]).expect_done().json();
    let host = place.visits("c")[0]
        .url
        .split('/')
        .nth(2)
        .unwrap()
        .to_owned();
    let host = place
        .run(&["why", "c", &host, "--json"])
        .expect_done()
        .json();
    let nodes = status["progress"]["nodes"].as_array().unwrap().iter();
    let nodes = nodes
        .map(pair)
        .reduce(|a, b| (a.0 + b.0, a.1 + b.1))
        .unwrap();
    let distinct = (
        number(&report["distinct_pages"]),
        number(&report["geo_pages"]),
    );
    let all = [
        pair(&status),
        pair(&status["progress"]),
        nodes,
        pair(&report),
    ];
    [&all[..], &[distinct, pair(&host)]].concat()
}

#[test]
fn a_page_that_is_visited_again_is_still_one_page() {
    const ADDRESS: &str = "<p>901 Bagby St, Houston, TX 77002</p>";
    let edited = Arc::new(AtomicUsize::new(0));
    let edition = Arc::clone(&edited);
    let site = Site::start(move |path, _| {
        let n: usize = path.trim_start_matches('/').parse().unwrap_or(0);
        let address = match (n, edition.load(Ordering::Relaxed)) {
            (1, _) | (2, 0) | (3 | 4, 1) => ADDRESS,
            _ => "",
        };
        match path {
            "/robots.txt" => missing(),
            "/" => html(
                &(1..40)
                    .map(|n| format!("<a href=/{n}>x</a> "))
                    .collect::<String>(),
            ),
            // Page 2 loses its address, pages 3 and 4 get one, and 4 asks
            // that no copy be kept of it any more.
            "/4" if !address.is_empty() => html(&format!(
                "<meta name=robots content=noarchive>{}{address}",
                prose(n)
            )),
            _ => html(&format!("{}{address}", prose(n))),
        }
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    assert_eq!(counts(&place), [(40, 2); 6]);
    edited.store(1, Ordering::Relaxed);
    let refresh = ["crawl", "--refresh", "c", "--refresh-age", "0s"];
    let told = place.run(&refresh).expect_done().stderr;
    let stopped = "; 40 pages, 40 asked for again and 3 changed, in ";
    assert!(told.contains(stopped), "{told}");
    assert_eq!(counts(&place), [(40, 3); 6]);
    // Once more, and nothing new but what cannot be compared.
    place.run(&refresh).expect_done();
    assert_eq!(counts(&place), [(40, 3); 6]);
    // What the tables have lost is counted the same again.
    std::fs::remove_dir_all(place.path("c/tables")).unwrap();
    place.run(&refresh).expect_done();
    assert_eq!(counts(&place), [(40, 3); 6]);
}

#[test]
fn wishes_of_pages_are_respected() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        "/" => html("<a href=/shy>1</a> <a href=/alone rel=nofollow>2</a> <a href=/quiet>3</a>"),
        "/shy" => ok(
            "Content-Type: text/html\r\nX-Robots-Tag: noindex, nofollow\r\n",
            "<a href=/behind>x</a>",
        ),
        "/quiet" => html("<meta name=robots content=noarchive><p>no copies please"),
        _ => html("<p>not to be fetched"),
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let visits = site.visits(&place);
    assert!(visits["/shy"].noindex);
    assert!(!visits.contains_key("/behind") && !visits.contains_key("/alone"));
    let shelf = visits["/quiet"].archived.expect("its head is archived");
    let archived = store::warc::read_at(&place.path("c"), shelf)
        .unwrap()
        .unwrap();
    assert!(archived.body.is_empty());
}

#[test]
fn links_that_ask_not_to_be_followed_are_on_record() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        "/" => html(
            "<a href=/advert rel=nofollow>1</a> <a href=/advert rel=sponsored>2</a>
             <a href=/both rel=nofollow>3</a> <a href=/both>4</a> <a href=/shy>5</a>",
        ),
        "/shy" => html("<meta name=robots content=nofollow><a href=/behind>x</a> <a href=/>y</a>"),
        _ => html(&prose(1)),
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    // `/advert`, and both links of `/shy`.
    let counted = serde_json::json!({ "asked not to follow": 3 });
    assert_eq!(status["refusals"], counted);
    assert_eq!(status["progress"]["nodes"][0]["refusals"], counted);
    let text = place.run(&["status", "c"]).expect_done().stdout;
    assert!(text.contains("asked not to follow"), "{text}");
    for path in ["/advert", "/behind"] {
        let url = format!("{}{path}", site.origin);
        let why = place.run(&["why", "c", &url]).expect_done().stdout;
        let verdict = "no link to it was followed: asked not to follow";
        assert!(why.contains(verdict), "{why}");
    }
    assert_eq!(site.visits(&place)["/both"].outcome, Outcome::Fetched);
}

#[test]
fn a_page_with_too_many_links_says_which_were_left() {
    let links = |n_links: usize| -> String {
        let link = |n| format!("<a href=/n/{n}>{n}</a> ");
        (0..n_links).map(link).collect()
    };
    let site = Site::start(move |path, _| match path {
        "/" => html(&links(5_200)),
        _ => missing(),
    });
    let place = Place::new();
    site.crawl(&place, &["--pages", "1"]);
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    let counted = serde_json::json!({ "on a page with too many links": 200 });
    assert_eq!(status["refusals"], counted);
    let url = format!("{}/n/5199", site.origin);
    let why = place.run(&["why", "c", &url]).expect_done().stdout;
    assert!(why.contains("on a page with too many links"), "{why}");
}

#[test]
fn sitemaps_are_read_by_the_hundred() {
    let site = Site::start(|path, head| match path {
        "/robots.txt" => {
            let mut fields = head.lines().filter_map(|line| line.split_once(": "));
            let host = fields.find(|(name, _)| name.eq_ignore_ascii_case("host"));
            let (_, host) = host.expect("HTTP/1.1 needs it");
            let line = |n| format!("Sitemap: http://{host}/map/{n}\n");
            ok("", &(0..120).map(line).collect::<String>())
        }
        "/" => html(&prose(1)),
        _ => match path.strip_prefix("/map/") {
            Some(_) => ok("Content-Type: text/plain\r\n", ""),
            None => missing(),
        },
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(status["sitemaps"], 120);
}

#[test]
fn a_host_that_wants_to_be_left_alone_is_told_with_its_time() {
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        "/" => html("<a href=/busy>1</a> <a href=/later>2</a>"),
        _ => {
            "HTTP/1.1 429 Too Many Requests\r\nRetry-After: 600\r\nContent-Length: 0\r\n\r\n".into()
        }
    });
    let place = Place::new();
    let mut crawl = site.begin(&place, &["--retry-wait", "1s"]);
    let has_asked = |visits: &BTreeMap<String, Visit>| {
        ["/busy", "/later"]
            .iter()
            .any(|path| visits.contains_key(*path))
    };
    let mut visits = BTreeMap::new();
    for _ in 0..600 {
        if place.path("c/visits").exists() {
            visits = site.visits(&place);
        }
        if has_asked(&visits) {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    let status = || place.run(&["status", "c", "--json"]).expect_done().json();
    for _ in 0..600 {
        if !status()["resting_hosts"][0].is_null() {
            break;
        }
        thread::sleep(Duration::from_millis(50));
    }
    // It would wait for ten minutes.
    crawl.kill().unwrap();
    crawl.wait().unwrap();
    let (asked, waits) = match visits.contains_key("/busy") {
        true => ("/busy", "/later"),
        false => ("/later", "/busy"),
    };
    let busy = &visits[asked];
    let rest = busy.rest.expect("it said for how long");
    assert!(rest.until.0 >= busy.at.0 + 600_000, "{rest:?}");
    assert_eq!(busy.retry_at, Some(rest.until), "no sooner than its host");
    let until = store::warc::date(rest.until);
    let why = |subject: &str| place.run(&["why", "c", subject]).expect_done().stdout;
    let told = format!("its host: left alone until {until}");
    for path in [asked, waits] {
        let story = why(&format!("{}{path}", site.origin));
        assert!(story.contains(&told), "{story}");
    }
    let again = why(&format!("{}{asked}", site.origin));
    assert!(
        again.contains(&format!("tried again from {until} on")),
        "{again}"
    );
    let host = why(site.origin.trim_start_matches("http://"));
    assert!(
        host.contains(&format!("left alone until {until}")),
        "{host}"
    );
    let status = status();
    let resting = &status["resting_hosts"][0];
    assert_eq!(resting["origin"], site.origin);
    assert_eq!(resting["parked"], false);
    let text = place.run(&["status", "c"]).expect_done().stdout;
    assert!(text.contains("host left alone"), "{text}");
}

#[test]
fn a_parked_host_is_told_with_its_time_and_counts_no_request_twice() {
    let place = Place::new();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let dead = listener.local_addr().unwrap().to_string();
    drop(listener);
    place.write("seeds.txt", &format!("http://{dead}/a\nhttp://{dead}/b\n"));
    let open = [
        "--allow-private",
        "127.0.0.0/8",
        "--contact",
        "test@example.org",
    ];
    let args = [
        "crawl",
        "Houston, TX",
        "--seeds",
        "seeds.txt",
        "--delay",
        "100ms",
    ];
    place.run(&[&args[..], &open, &["--out", "c"]].concat());
    let visits = place.visits("c");
    let unsent: Vec<&Visit> = visits.iter().filter(|visit| !visit.is_sent).collect();
    assert_eq!(unsent.len(), 1, "{visits:?}");
    let until = unsent[0].retry_at.expect("it is tried again");
    let until = store::warc::date(until);
    let host = place.run(&["why", "c", &dead, "--json"]).expect_done();
    let host = host.json();
    assert_eq!(host["rest"]["cause"], "parked");
    assert_eq!(host["rest"]["until"], until);
    let least = host["least_delay_ms"].as_u64();
    assert!(least.is_none_or(|least| least >= 100), "{host}");
    for path in ["a", "b"] {
        let url = format!("http://{dead}/{path}");
        let story = place.run(&["why", "c", &url]).expect_done().stdout;
        let told = format!("parked until {until}");
        assert!(story.contains(&told), "{story}");
    }
}
