use super::*;
use insta::assert_snapshot;
use std::sync::mpsc;
use tempfile::TempDir;

fn record(kind: &str, url: &str, at: &str, fields: &str, block: &str) -> String {
    let len = block.len();
    format!(
        "WARC/1.1\r\nWARC-Type: {kind}\r\nWARC-Target-URI: {url}\r\n\
         WARC-Date: 2020-01-{at}T00:00:00Z\r\n{fields}\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {len}\r\n\r\n\
         {block}\r\n\r\n"
    )
}

fn response(url: &str, at: &str, block: &str) -> String {
    record(
        "response",
        url,
        at,
        "WARC-IP-Address: 93.184.216.34\r\n",
        block,
    )
}

fn page(url: &str, at: &str, text: &str) -> String {
    let block = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n{text}");
    response(url, at, &block)
}

fn revisit(url: &str, of: &str, status: &str, profile: &str, digest: &str) -> String {
    let fields = format!(
        "WARC-Profile: http://netpreserve.org/warc/1.1/revisit/{profile}\r\n\
         WARC-Refers-To-Target-URI: {of}\r\nWARC-Refers-To-Date: 2020-01-01T00:00:00Z\r\n{digest}"
    );
    let block = format!("HTTP/1.1 {status}\r\nContent-Type: text/plain\r\n\r\n");
    record("revisit", url, "05", &fields, &block)
}

struct Archive {
    _dir: TempDir,
    recorded: Recorded,
    flaws: Vec<String>,
}

fn open(files: &[&str]) -> Result<Archive, ArchiveError> {
    let dir = TempDir::new().unwrap();
    let paths: Vec<PathBuf> = (0..files.len())
        .map(|file_idx| dir.path().join(format!("{file_idx}.warc")))
        .collect();
    for (path, text) in paths.iter().zip(files) {
        std::fs::write(path, text).unwrap();
    }
    let (recorded, flaws) = Recorded::open(&paths, 100)?;
    let show = |flaw: &Flaw| {
        let name = flaw.file.file_name().unwrap().to_string_lossy();
        format!("{name}: {} answers, {}", flaw.n_answers, flaw.error)
    };
    Ok(Archive {
        flaws: flaws.iter().map(show).collect(),
        _dir: dir,
        recorded,
    })
}

fn archive(records: &[String]) -> Archive {
    open(&[&records.concat()]).unwrap()
}

impl Archive {
    fn ask(&self, url: &str) -> String {
        self.ask_for(url, Errand::Page)
    }

    fn ask_for(&self, url: &str, errand: Errand) -> String {
        let (sender, landing) = mpsc::channel();
        let request = Request::of(&CanonicalUrl::parse(url).unwrap(), errand);
        self.recorded.fetch(
            &request,
            Box::new(move |landing| sender.send(landing).unwrap()),
        );
        let landing = landing.recv().unwrap();
        assert_eq!(Some(landing.took), self.recorded.foresee(&request.url));
        match landing.fetched {
            Fetched::Answer(answer) => format!(
                "{} {} {}{}",
                answer.status,
                answer.content_type.unwrap_or_default(),
                String::from_utf8_lossy(&answer.body),
                answer.location.unwrap_or_default(),
            ),
            other => format!("{other:?}"),
        }
    }
}

#[test]
fn pages_redirects_and_errors_are_answered_as_recorded() {
    let archive = archive(&[
        page("http://Town.example:80/", "01", "Houston"),
        response(
            "http://town.example/old",
            "01",
            "HTTP/1.1 301 Moved\r\nLocation: /new\r\n\r\n",
        ),
        response(
            "http://town.example/gone",
            "01",
            "HTTP/1.1 404 Not Found\r\nContent-Type: text/plain\r\n\r\nno",
        ),
        response("http://town.example/odd", "01", "nonsense\r\n\r\n"),
        page("http://town.example/long", "01", &"x".repeat(101)),
    ]);
    assert_snapshot!(archive.ask("http://town.example/"), @"200 text/html Houston");
    assert_snapshot!(archive.ask("http://town.example/old"), @"301  /new");
    assert_snapshot!(archive.ask("http://town.example/gone"), @"404 text/plain no");
    assert_snapshot!(archive.ask("http://town.example/new"), @"NotArchived");
    assert_snapshot!(archive.ask("http://town.example/odd"), @r#"Garbled("no HTTP status recorded")"#);
    assert_snapshot!(archive.ask("http://town.example/long"), @"TooLarge");
    assert_eq!(archive.recorded.n_urls(), 5);
}

#[test]
fn types_are_told_by_the_first_bytes_as_over_http() {
    let sent_as = |path: &str, content_type: &str, body: &str| {
        let block = format!("HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\n\r\n{body}");
        response(&format!("http://a.example/{path}"), "01", &block)
    };
    let archive = archive(&[
        sent_as("page", "application/octet-stream", "<html>Houston"),
        sent_as("file", "text/html", "%PDF-1.7 Houston"),
        sent_as("long", "application/pdf", &"x".repeat(101)),
    ]);
    assert_snapshot!(archive.ask("http://a.example/page"), @"200 text/html <html>Houston");
    assert_snapshot!(archive.ask("http://a.example/file"), @"200 application/pdf");
    assert_snapshot!(archive.ask("http://a.example/long"), @"200 application/pdf");
    let robots = archive.ask_for("http://a.example/page", Errand::Robots);
    assert_snapshot!(robots, @"200 application/octet-stream <html>Houston");
}

#[test]
fn rules_and_sitemaps_may_be_longer_than_pages() {
    let list = "http://a.example/list";
    let archive = archive(&[page(list, "01", &"x".repeat(600_000))]);
    assert_snapshot!(archive.ask(list), @"TooLarge");
    let head = "200 text/html ".len();
    let len = |errand| archive.ask_for(list, errand).len() - head;
    assert_eq!(len(Errand::Sitemap), 600_000);
    assert_eq!(len(Errand::Robots), 512_001);
}

#[test]
fn the_last_page_wins_and_errors_after_it_do_not_count() {
    let (first, last) = (
        page("http://a.example/", "01", "old"),
        page("http://a.example/", "03", "new"),
    );
    let missing = response("http://a.example/", "04", "HTTP/1.1 404 Gone\r\n\r\n");
    let late = open(&[&last, &[first, missing].concat()]).unwrap();
    assert_snapshot!(late.ask("http://a.example/"), @"200 text/html new");
    assert_eq!(late.recorded.n_urls(), 1);
}

#[test]
fn revisits_are_answered_with_the_body_they_repeat() {
    let digest = "WARC-Payload-Digest: sha1:VL2MMHO4YXUKFWV63YHTWSBM3GXKSQ2N\r\n";
    let other = "WARC-Payload-Digest: sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ\r\n";
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\nhello";
    let copy = "identical-payload-digest";
    let archive = archive(&[
        record("response", "http://a.example/", "01", digest, block),
        revisit(
            "http://a.example/",
            "http://a.example/",
            "200 OK",
            copy,
            digest,
        ),
        revisit(
            "http://b.example/",
            "http://a.example/",
            "200 OK",
            copy,
            digest,
        ),
        revisit(
            "http://c.example/",
            "http://a.example/",
            "200 OK",
            copy,
            other,
        ),
        revisit(
            "http://d.example/",
            "http://d.example/",
            "200 OK",
            copy,
            digest,
        ),
        revisit(
            "http://e.example/",
            "http://a.example/",
            "304 Not Modified",
            "server-not-modified",
            "",
        ),
    ]);
    assert_snapshot!(archive.ask("http://a.example/"), @"200 text/html hello");
    assert_snapshot!(archive.ask("http://b.example/"), @"200 text/plain hello");
    assert_snapshot!(archive.ask("http://c.example/"), @"NotArchived");
    assert_snapshot!(archive.ask("http://d.example/"), @"NotArchived");
    assert_snapshot!(archive.ask("http://e.example/"), @"200 text/html hello");
}

#[test]
fn seeds_are_front_pages_or_what_comes_first() {
    let archive = archive(&[
        page("http://a.example/robots.txt", "01", "User-agent: *"),
        page("http://a.example/deep", "01", "x"),
        page("http://b.example/1", "01", "x"),
        page("http://b.example/2", "01", "x"),
        page("http://a.example/", "01", "x"),
        response("http://c.example/", "01", "HTTP/1.1 500 Oh\r\n\r\n"),
        page("dns:a.example", "01", "x"),
    ]);
    let seeds = archive.recorded.seeds();
    let seeds: Vec<&str> = seeds.iter().map(CanonicalUrl::as_str).collect();
    assert_eq!(seeds, ["http://a.example/", "http://b.example/1"]);
}

#[test]
fn damaged_files_are_used_as_far_as_they_can_be_read() {
    let whole = page("http://a.example/", "01", "whole");
    let cut = page("http://b.example/", "01", "cut off in the middle");
    let half = [&whole, &cut[..cut.len() - 12]].concat();
    let archive = open(&[
        "",
        &half,
        "no archive",
        &page("http://c.example/", "01", "c"),
    ])
    .unwrap();
    assert_eq!(
        archive.flaws,
        [
            "0.warc: 0 answers, an empty file",
            "1.warc: 1 answers, damaged after record 1: the file breaks off",
            "2.warc: 0 answers, not a WARC file",
        ]
    );
    assert_snapshot!(archive.ask("http://a.example/"), @"200 text/html whole");
    assert_snapshot!(archive.ask("http://b.example/"), @"NotArchived");
    assert_snapshot!(archive.ask("http://c.example/"), @"200 text/html c");
}

#[test]
fn files_without_pages_are_refused() {
    let complain = |files: &[&str]| {
        let error = open(files).err().unwrap();
        let source = std::error::Error::source(&error).map(ToString::to_string);
        (
            error.to_string().rsplit('/').next().unwrap().to_owned(),
            source.unwrap_or_default(),
        )
    };
    assert_eq!(
        complain(&["", "x"]),
        ("0.warc`".into(), "an empty file".into())
    );
    assert_eq!(
        complain(&["x"]),
        ("0.warc`".into(), "not a WARC file".into())
    );
    let note = record("metadata", "http://a.example/", "01", "", "x");
    assert_eq!(complain(&[&note]), ("0.warc`".into(), String::new()));
    let folder = Recorded::open(&[std::env::temp_dir()], 9).err().unwrap();
    assert!(matches!(folder, ArchiveError::Folder { .. }));
    let missing = Recorded::open(&["no.warc".into()], 9).err().unwrap();
    assert!(matches!(missing, ArchiveError::Read { .. }));
}

#[test]
fn a_file_that_goes_away_stops_the_crawl() {
    let archive = archive(&[page("http://a.example/", "01", "x")]);
    std::fs::remove_file(&archive.recorded.files[0]).unwrap();
    assert!(archive.ask("http://a.example/").starts_with("Offline("));
}
