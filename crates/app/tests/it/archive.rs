//! What other programs make of our archives.

mod pywb;

use crate::program::{Place, files};
use crate::site::{Site, html, missing};
use insta::assert_snapshot;
use pywb::Wayback;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::Command;
use store::crawl_dir::CrawlDir;
use store::packing::{Packing, unpacked};
use store::visit::Time;
use store::warc::{Bundle, Exchange, Profile, RefersTo};

/// A program of the field; none where `./test` has not installed it.
fn tool(name: &str) -> Option<PathBuf> {
    let Some(folder) = std::env::var_os("LOCAVORE_ARCHIVE_TOOLS") else {
        eprintln!("skipped: `./test` installs {name} and sets LOCAVORE_ARCHIVE_TOOLS");
        return None;
    };
    Some(Path::new(&folder).join(name))
}

fn run(tool: &Path, args: &[&str], file: &Path) -> String {
    let output = Command::new(tool).args(args).arg(file).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}\n{complaint}");
    said
}

/// What the first record of a file says, by name.
fn info(file: &Path) -> BTreeMap<String, String> {
    let file = BufReader::new(File::open(file).unwrap());
    let lines = unpacked(file).unwrap().lines().map_while(Result::ok);
    let block = lines.skip_while(|line| !line.is_empty()).skip(1);
    let fields = block.take_while(|line| !line.is_empty());
    let fields: Vec<String> = fields.collect();
    let fields = fields.iter().filter_map(|line| line.split_once(": "));
    fields
        .map(|(name, value)| (name.into(), value.into()))
        .collect()
}

#[test]
fn an_archive_says_who_made_it_and_what_for() {
    let place = Place::new();
    let site = Site::start(|path, _| match path {
        "/robots.txt" => missing(),
        _ => html("<p>a page"),
    });
    site.crawl(&place, &[]);
    let info = info(&place.warc("c"));
    let of = |name: &str| info.get(name).map_or("", String::as_str);
    assert_eq!(of("operator"), "test@example.org");
    assert_eq!(of("robots"), "obey");
    let agent = of("http-header-user-agent");
    assert!(
        agent.starts_with("Locavore/") && agent.contains("test@example.org"),
        "{agent}"
    );
    assert!(
        site.last_request("/").contains(agent),
        "the one that was sent"
    );
    assert_snapshot!(
        of("description"),
        @"Pages for Houston, Texas, United States: 1 node, links assigned by `url`, ordered by `breadth`"
    );
}

/// A package for people to look at knows the pages of the crawl, by a title.
#[test]
fn wacz_finds_the_pages() {
    let Some(wacz) = tool("wacz") else {
        return;
    };
    let place = Place::new();
    let archives = crawl(&place, &[]);
    let out = place.path("c.wacz");
    let create = ["create", "--detect-pages", "-o", out.to_str().unwrap()];
    let said = run(&wacz, &create, &archives[0]);
    let n_found = said.split("Num Pages Detected: ").nth(1).unwrap();
    let n_found: usize = n_found.lines().next().unwrap().parse().unwrap();
    assert!(n_found >= place.pages("c").len(), "{said}");
    let unpack = ["-m", "zipfile", "-e"];
    let package = [out.as_path(), &place.path("package")];
    let mut unpacking = Command::new("python3");
    let status = unpacking.args(unpack).args(package).status();
    assert!(status.unwrap().success());
    let about = std::fs::read_to_string(place.path("package/datapackage.json")).unwrap();
    assert!(about.contains("\"title\": \"us-top100\""), "{about}");
    let pages = std::fs::read_to_string(place.path("package/pages/pages.jsonl")).unwrap();
    for page in place.pages("c").keys() {
        assert!(pages.contains(&format!("\"{page}\"")), "{page}");
    }
}

fn crawl(place: &Place, flags: &[&str]) -> Vec<PathBuf> {
    let crawl = [
        "crawl",
        "us-top100",
        "--web",
        "lab",
        "--pages",
        "300",
        "--out",
        "c",
    ];
    place.run(&[&crawl[..], flags].concat()).expect_done();
    files(&place.path("c").join("warc"))
}

/// The lines of the index of the crawl in `c`.
fn export(place: &Place) -> Vec<String> {
    let exported = place.run(&["export", "c", "--format", "cdxj"]);
    let lines = exported.expect_done().stdout;
    lines.lines().map(str::to_owned).collect()
}

/// An independent reader checks every record's digests and lengths.
#[test]
fn warcio_accepts_the_warc_files() {
    let Some(warcio) = tool("warcio") else {
        return;
    };
    let place = Place::new();
    let archives = crawl(&place, &[]);
    assert!(!archives.is_empty());
    for archive in archives {
        let said = run(&warcio, &["check", "-v"], &archive);
        assert!(
            said.contains("digest pass"),
            "warcio checked nothing: {said}"
        );
        let index = run(&warcio, &["index", "-f", "warc-type"], &archive);
        let count = |kind: &str| index.lines().filter(|line| line.contains(kind)).count();
        // A page that says what an earlier one said is a revisit of it.
        let n_answers = count("response") + count("revisit");
        assert!(n_answers >= 300, "{n_answers} answers");
        assert_eq!(count("request"), n_answers);
        assert_eq!(count("metadata"), n_answers);
        assert_eq!(count("warcinfo"), 1);
    }
}

/// The same line for line, whatever the addresses look like.
#[test]
fn the_index_is_the_one_that_cdxj_indexer_writes() {
    let Some(indexer) = tool("cdxj-indexer") else {
        return;
    };
    let place = Place::new();
    for archive in crawl(&place, &[]) {
        assert_same_lines(&export(&place), &run(&indexer, &["--sort"], &archive));
    }
    let odd = Place::new();
    let archive = odd_crawl(&odd);
    let lines = export(&odd);
    assert_same_lines(&lines, &run(&indexer, &["--sort"], &archive));
    assert!(lines.iter().any(|line| line.contains("warc/revisit")));
}

fn assert_same_lines(ours: &[String], theirs: &str) {
    let theirs: Vec<&str> = theirs.lines().collect();
    for (ours, theirs) in ours.iter().zip(&theirs) {
        assert_eq!(ours, theirs);
    }
    assert_eq!(ours.len(), theirs.len());
    assert!(!ours.is_empty());
}

/// The body of the page that the revisit repeats.
const HOME: &str = "<html><head><title>Town</title></head><body>Main Street</body></html>";

fn exchange<'a>(url: &'a str, at: u64, head: &'a [u8]) -> Exchange<'a> {
    Exchange {
        url,
        at: Time(1_700_000_000_000 + at),
        server: Some([93, 184, 216, 34].into()),
        request: b"GET / HTTP/1.1\r\nHost: town.example\r\n\r\n",
        response_head: head,
        body: HOME.as_bytes(),
        truncated: false,
        metadata: &[],
        packing: Packing::Gzip,
    }
}

/// A crawl in `c` of a page, its copy, and pages with odd addresses and heads.
fn odd_crawl(place: &Place) -> PathBuf {
    const HTML: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";
    let mut crawl = CrawlDir::create(&place.path("c"), "").unwrap();
    let home = exchange("http://www.town.example/", 0, HTML);
    let original = Bundle::pack(&home);
    let refers_to = RefersTo {
        url: home.url.into(),
        at: home.at,
        digest: Some(original.digest()),
    };
    let copy = exchange("http://www.town.example/copy", 60_000, HTML);
    let copy = Bundle::pack_revisit(&copy, &refers_to, Profile::IdenticalPayloadDigest);
    let mut bundles = vec![original, copy];
    let heads: [&[u8]; 3] = [
        HTML,
        b"HTTP/1.1 404 Not Found\r\n\r\n",
        b"HTTP/1.0 301 Moved\r\ncontent-type: text/plain\r\nLocation: /\r\n\r\n",
    ];
    let urls = [
        "http://www2.town.example:8080/B/?b=2&a=%C3%BC&a",
        "https://town.example/%7Ejoe/a%20b?x=%26&PHPSESSID=0123456789abcdef0123456789abcdef",
        "http://127.0.0.1:8081/x/../y//z/",
        "https://xn--mnchen-3ya.example/a%22b%5Cc",
    ];
    for (url_idx, url) in urls.into_iter().enumerate() {
        for (head_idx, head) in heads.into_iter().enumerate() {
            let at = 1000 * (1 + head_idx + 10 * url_idx) as u64;
            bundles.push(Bundle::pack(&exchange(url, at, head)));
        }
    }
    for bundle in &bundles {
        crawl.archive(bundle).unwrap();
    }
    crawl.commit(crawl.batch()).unwrap();
    place.warc("c")
}

/// Pages come back from a replay tool as they were fetched, found through our
/// index; a revisit brings the body it repeats.
#[test]
fn pywb_replays_the_pages() {
    let Some(wayback) = tool("wayback") else {
        return;
    };
    let place = Place::new();
    let archive = odd_crawl(&place);
    let collection = place.path("collections/town");
    std::fs::create_dir_all(collection.join("archive")).unwrap();
    std::fs::create_dir_all(collection.join("indexes")).unwrap();
    std::fs::copy(&archive, collection.join("archive/locavore-00001.warc.gz")).unwrap();
    let index = collection.join("indexes/index.cdxj");
    let out = index.to_str().unwrap();
    let export = ["export", "c", "--format", "cdxj", "--out", out];
    place.run(&export).expect_done();

    let wayback = Wayback::start(&wayback, &place.path(""));
    let page = wayback.get("/town/20231114221320id_/http://www.town.example/");
    assert_eq!(page, (200, HOME.to_owned()));
    let copy = wayback.get("/town/20231114221420id_/http://www.town.example/copy");
    assert_eq!(copy, (200, HOME.to_owned()));
    let (status, rewritten) = wayback.get("/town/20231114221320mp_/http://www.town.example/");
    assert_eq!(status, 200);
    assert!(rewritten.contains("Main Street"), "{rewritten}");
    let (status, _) = wayback.get("/town/20231114221320id_/http://www.town.example/no");
    assert_eq!(status, 404);
}

#[test]
fn an_archive_of_zstd_reads_like_one_of_gzip() {
    let (gzip, zstd) = (Place::new(), Place::new());
    crawl(&gzip, &[]);
    let archives = crawl(&zstd, &["--compress", "zstd"]);
    assert!(
        archives
            .iter()
            .all(|path| path.to_str().unwrap().ends_with(".warc.zst"))
    );
    assert_eq!(gzip.pages("c"), zstd.pages("c"));
    // But for where the records are.
    let what = |lines: Vec<String>| -> Vec<String> {
        let before = |line: &String| line.split("\"length\"").next().unwrap().to_owned();
        lines.iter().map(before).collect()
    };
    assert_eq!(what(export(&gzip)), what(export(&zstd)));
    let again = zstd.run(&["crawl", "--out", "c", "--compress", "gzip"]);
    assert_eq!(again.code, 2);
    assert!(
        again
            .stderr
            .contains("started with --compress `zstd`, not `gzip`")
    );
    zstd.run(&["crawl", "--out", "c", "--pages", "400"])
        .expect_done();
    assert_eq!(zstd.pages("c").len(), 400);
}

#[test]
fn an_index_that_cannot_be_whole_says_so() {
    let place = Place::new();
    let archive = odd_crawl(&place);
    let whole = export(&place).len();
    let bytes = std::fs::read(&archive).unwrap();
    std::fs::write(&archive, &bytes[..bytes.len() - 900]).unwrap();
    let run = place.run(&["export", "c", "--format", "cdxj", "--out", "index.cdxj"]);
    assert_eq!(run.code, 1);
    assert!(
        run.stderr.contains("is damaged after record"),
        "{}",
        run.stderr
    );
    let index = std::fs::read_to_string(place.path("index.cdxj")).unwrap();
    assert!((1..whole).contains(&index.lines().count()));
    assert!(!place.path("index.cdxj.new").exists());

    let run = place.run(&["export", "c", "--format", "geojson"]);
    assert_eq!(
        run.complaint(),
        "exit 2\nerror: no format named `geojson`: `cdxj`\n"
    );
    let run = place.run(&["export", "no", "--format", "cdxj"]);
    assert_eq!(
        run.complaint(),
        "exit 2\nerror: there is no crawl in `no`\n"
    );
}
