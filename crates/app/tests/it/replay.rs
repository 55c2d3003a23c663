//! Crawling recorded pages: `--web FILE…`.

pub(crate) mod town;

use crate::program::{Place, signal, wait_for_visits};
use insta::assert_snapshot;
use store::crawl_dir::CrawlDir;
use store::packing::Packing;
use store::visit::{Outcome, Time};
use store::warc::{self, Bundle, Exchange};
use town::TOWN;

fn town() -> Place {
    let place = Place::new();
    std::fs::write(place.path("town.warc.gz"), TOWN).unwrap();
    place
}

fn replay<'a>(flags: &[&'a str]) -> Vec<&'a str> {
    let crawl = [
        "crawl",
        "Houston, TX",
        "--out",
        "c",
        "--web",
        "town.warc.gz",
    ];
    [&crawl[..], flags].concat()
}

/// Messages without the folder of the test.
fn messages(place: &Place, stderr: &str) -> String {
    stderr.replace(
        &format!(
            "{}/",
            place.path("").to_str().unwrap().trim_end_matches('/')
        ),
        "",
    )
}

#[test]
fn recorded_pages_are_crawled_without_a_network() {
    let place = town();
    let run = place.run(&replay(&[])).expect_done();
    assert!(
        run.stderr
            .starts_with("replaying 19 recorded pages of 2 sites from 1 file\n"),
        "{}",
        run.stderr
    );
    let mut outcomes: Vec<String> = place.visits("c").iter().map(show).collect();
    outcomes.sort();
    assert_snapshot!(outcomes.join("\n"), @r#"
    http://other.example/deep 0 addresses
    http://other.example/robots.txt NotArchived
    http://town.example/ 0 addresses
    http://town.example/copy 1 addresses
    http://town.example/gone Status
    http://town.example/later NotArchived
    http://town.example/old Redirected("http://town.example/p1")
    http://town.example/p0 1 addresses
    http://town.example/p1 1 addresses
    http://town.example/p10 1 addresses
    http://town.example/p11 1 addresses
    http://town.example/p2 1 addresses
    http://town.example/p3 1 addresses
    http://town.example/p4 1 addresses
    http://town.example/p5 1 addresses
    http://town.example/p6 1 addresses
    http://town.example/p7 1 addresses
    http://town.example/p8 1 addresses
    http://town.example/p9 1 addresses
    http://town.example/private/x Forbidden { line: 2 }
    http://town.example/robots.txt 0 addresses
    "#);
}

/// Address and what came of it, where that is not a plain page.
fn show(visit: &store::visit::Visit) -> String {
    let n_entities = visit.entities.len();
    match &visit.outcome {
        Outcome::Fetched => format!("{} {n_entities} addresses", visit.url),
        outcome => format!("{} {outcome:?}", visit.url),
    }
}

#[test]
fn a_replay_is_the_same_each_time_and_after_being_killed() {
    let (once, again, killed) = (town(), town(), town());
    once.run(&replay(&[])).expect_done();
    again.run(&replay(&[])).expect_done();
    assert_eq!(once.log_bytes("c"), again.log_bytes("c"));
    killed.run(&replay(&["--pages", "7"])).expect_done();
    assert_eq!(killed.pages("c").len(), 7);
    // The plan knows the file: it need not be named again.
    killed
        .run(&["crawl", "--out", "c", "--pages", "1000"])
        .expect_done();
    assert_eq!(killed.pages("c"), once.pages("c"));
}

#[test]
fn our_own_crawl_can_be_replayed_in_any_packing() {
    for packing in ["gzip", "zstd"] {
        let place = Place::new();
        let lab = [
            "crawl",
            "Houston, TX",
            "--web",
            "lab",
            "--pages",
            "150",
            "--out",
            "lab",
        ];
        place
            .run(&[&lab[..], &["--compress", packing]].concat())
            .expect_done();
        let archive = place.warc("lab");
        let archive = archive.to_str().unwrap();
        place
            .run(&["crawl", "Houston, TX", "--web", archive, "--out", "c"])
            .expect_done();
        let (recorded, replayed) = (place.pages("lab"), place.pages("c"));
        let is_recorded = replayed
            .iter()
            .all(|page| recorded.get(page.0) == Some(page.1));
        assert!(is_recorded, "pages are as they were");
        assert!(replayed.len() > 100, "{} of 150", replayed.len());
    }
}

#[test]
fn plain_files_are_replayed_like_packed_ones() {
    let (packed, plain) = (town(), Place::new());
    std::fs::write(plain.path("town.warc.gz"), town::plain()).unwrap();
    packed.run(&replay(&[])).expect_done();
    plain.run(&replay(&[])).expect_done();
    assert_eq!(packed.log_bytes("c"), plain.log_bytes("c"));
}

#[test]
fn seeds_that_were_not_recorded_are_no_error() {
    let place = town();
    place.write("seeds.txt", "http://nowhere.example/\n");
    let run = place.run(&replay(&["--seeds", "seeds.txt"])).expect_done();
    assert!(
        run.stderr.contains("warning: not in the archive: 1 seed\n"),
        "{}",
        run.stderr
    );
}

#[test]
fn a_changed_archive_is_not_gone_on_with() {
    let place = town();
    place.run(&replay(&["--pages", "3"])).expect_done();
    std::fs::write(place.path("other.warc.gz"), TOWN).unwrap();
    let run = place.run(&["crawl", "--out", "c", "--web", "other.warc.gz"]);
    assert_snapshot!(messages(&place, &run.complaint()), @r"
    exit 2
    error: this crawl was started with --web `town.warc.gz`, not `other.warc.gz`: choose another `--out`
    ");
    let run = place.run(&["crawl", "--out", "c", "--web", "lab"]);
    assert_eq!(run.code, 2);
    std::fs::write(place.path("town.warc.gz"), &TOWN[..1000]).unwrap();
    let run = place.run(&["crawl", "--out", "c"]);
    let told = messages(&place, &run.complaint());
    let told = told.replace(&thousands(TOWN.len()), "N");
    assert_snapshot!(told, @r"
    exit 2
    error: `town.warc.gz` has changed since this crawl was started: it had N bytes then and has 1,000 now: choose another `--out`
    ");
    std::fs::remove_file(place.path("town.warc.gz")).unwrap();
    let run = place.run(&["crawl", "--out", "c"]);
    assert_snapshot!(messages(&place, &run.complaint()), @r"
    exit 2
    error: cannot read `town.warc.gz`: No such file or directory
    ");
}

fn thousands(number: usize) -> String {
    format!("{},{:03}", number / 1000, number % 1000)
}

#[test]
fn a_web_with_a_name_takes_places_and_no_files() {
    let place = town();
    std::fs::create_dir(place.path("texas")).unwrap();
    place
        .run(&[
            "crawl", "--pages", "5", "--out", "t", "--web", "lab", "texas",
        ])
        .expect_done();
    let mixed = ["crawl", "Texas", "--out", "c", "--web", "lab"];
    let run = place.run(&[&mixed[..], &["town.warc.gz"]].concat());
    assert_snapshot!(run.complaint(), @r"
    exit 2
    error: `--web lab` takes no files: leave out `lab` to crawl the pages recorded in `town.warc.gz`, or `town.warc.gz` to crawl the lab web
    ");
    assert!(!place.path("c").exists(), "nothing was started");
}

#[test]
fn what_is_no_archive_is_said_in_one_line() {
    let place = town();
    std::fs::write(place.path("empty.warc.gz"), "").unwrap();
    std::fs::write(place.path("photo.warc.gz"), [0xff, 0xd8, 0xff, 0xe0]).unwrap();
    std::fs::create_dir(place.path("folder.warc")).unwrap();
    let complain = |file: &str| {
        let run = place.run(&["crawl", "Houston, TX", "--out", "c", "--web", file]);
        assert!(!place.path("c").exists(), "nothing was started");
        messages(&place, &run.complaint())
    };
    assert_snapshot!(complain("no.warc.gz"), @r"
    exit 2
    error: cannot read `no.warc.gz`: No such file or directory
    ");
    assert_snapshot!(complain("empty.warc.gz"), @r"
    exit 2
    error: no pages in `empty.warc.gz`: an empty file
    ");
    assert_snapshot!(complain("photo.warc.gz"), @r"
    exit 2
    error: no pages in `photo.warc.gz`: not a WARC file
    ");
    assert_snapshot!(complain("folder.warc"), @r"
    exit 2
    error: `folder.warc` is a folder
    hint: name the files in it
    ");
    assert_snapshot!(complain(&gzipped_as_a_whole(&place)), @r"
    exit 2
    error: no pages in `whole.warc.gz`: not compressed record by record
    hint: unpack it with `gunzip`, or compress it record by record with `warcio recompress`
    ");
    std::fs::write(place.path("whole.warc.zst"), zstd_frame(&town::plain())).unwrap();
    assert_snapshot!(complain("whole.warc.zst"), @r"
    exit 2
    error: no pages in `whole.warc.zst`: not compressed record by record
    hint: unpack it with `unzstd`, or compress it record by record with `warcio recompress`
    ");
}

/// One zstd frame of one block, which is stored as it is.
fn zstd_frame(bytes: &[u8]) -> Vec<u8> {
    let len = u32::try_from(bytes.len()).unwrap();
    assert!(len < 128 << 10, "the most that a block holds");
    let magic_and_kind = [0x28, 0xb5, 0x2f, 0xfd, 0xa0];
    let last_block = (len << 3 | 1).to_le_bytes();
    [
        &magic_and_kind,
        &len.to_le_bytes()[..],
        &last_block[..3],
        bytes,
    ]
    .concat()
}

/// A file of all records in one gzip member.
fn gzipped_as_a_whole(place: &Place) -> String {
    let plain = place.path("whole.warc");
    std::fs::write(&plain, town::plain()).unwrap();
    let gzip = std::process::Command::new("gzip")
        .arg(&plain)
        .status()
        .unwrap();
    assert!(gzip.success());
    "whole.warc.gz".into()
}

#[test]
fn readable_pages_of_damaged_files_are_used() {
    let place = town();
    std::fs::write(place.path("empty.warc.gz"), "").unwrap();
    std::fs::write(place.path("cut.warc.gz"), &TOWN[..TOWN.len() / 2]).unwrap();
    std::fs::write(place.path("junk.warc.gz"), [TOWN, b"junk"].concat()).unwrap();
    let run = |file: &str, dir: &str| {
        let flags = [
            "crawl",
            "Houston, TX",
            "--out",
            dir,
            "--web",
            "empty.warc.gz",
            file,
        ];
        let run = place.run(&flags).expect_done();
        let warnings = run
            .stderr
            .lines()
            .filter(|line| line.starts_with("warning: "));
        let warnings: Vec<&str> = warnings.collect();
        (
            messages(&place, &warnings.join("\n")),
            place.pages(dir).len(),
        )
    };
    let (told, n_pages) = run("junk.warc.gz", "a");
    let (empty, junk) = told.split_once('\n').unwrap();
    assert_eq!(
        empty,
        "warning: `empty.warc.gz` is an empty file; 0 recorded pages could be read"
    );
    assert!(
        junk.starts_with("warning: `junk.warc.gz` is damaged after record "),
        "{junk}"
    );
    assert!(junk.contains(": what follows is no record; "), "{junk}");
    let (told, n_cut) = run("cut.warc.gz", "b");
    assert!(
        told.contains("warning: `cut.warc.gz` is damaged after record "),
        "{told}"
    );
    assert!((1..n_pages).contains(&n_cut), "{n_cut} of {n_pages}");
}

#[test]
fn a_replay_killed_at_any_time_goes_on() {
    let place = Place::new();
    let lab = [
        "crawl",
        "us-top100",
        "--web",
        "lab",
        "--pages",
        "3000",
        "--out",
        "lab",
    ];
    place.run(&lab).expect_done();
    let archive = place.warc("lab");
    let archive = archive.to_str().unwrap();
    let replay = |dir| ["crawl", "us-top100", "--out", dir, "--web", archive];
    place.run(&replay("whole")).expect_done();
    let mut child = place.start(&replay("killed"));
    wait_for_visits(&place, "killed", &mut child, 500);
    signal(&child, "-9");
    child.wait().unwrap();
    place.run(&["crawl", "--out", "killed"]).expect_done();
    assert_eq!(place.pages("killed"), place.pages("whole"));
}

/// A recording of three pages of different years, the last like the first.
fn recording(place: &Place) -> std::path::PathBuf {
    const HTML: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
    let day = |days: u64| Time(days * 24 * 3600 * 1000 + 123);
    // Of a few words nobody can tell whether they were copied.
    let words: String = (0..300).map(|n| format!("picture{n} ")).collect();
    let museum = "<title>Museum</title><p>Our museum: 901 Bagby St, Houston, TX 77002<p>";
    let museum = &format!("{museum}{words}");
    let home = "<a href=/old>museum</a> <a href=/copy>museum</a>";
    let mut crawl = CrawlDir::create(&place.path("recorded"), "").unwrap();
    for (path, days, body) in [
        ("", 20_776, home),
        ("old", 19_000, museum),
        ("copy", 20_000, museum),
    ] {
        let bundle = Bundle::pack(&Exchange {
            url: &format!("http://town.example/{path}"),
            at: day(days),
            server: None,
            request: b"GET / HTTP/1.1\r\n\r\n",
            response_head: HTML,
            body: body.as_bytes(),
            truncated: false,
            metadata: &[],
            packing: Packing::Gzip,
        });
        crawl.archive(&bundle).unwrap();
    }
    crawl.commit(crawl.batch()).unwrap();
    place.warc("recorded")
}

#[test]
fn what_a_recording_says_of_dates_is_kept() {
    let place = Place::new();
    let file = recording(&place);
    let crawl = ["crawl", "Houston, TX", "--out", "c", "--web"];
    let crawl = [&crawl[..], &[file.to_str().unwrap()]].concat();
    place.run(&crawl).expect_done();
    let index = place
        .run(&["export", "c", "--format", "cdxj"])
        .expect_done();
    let lines = index.stdout.lines().map(|line| {
        let (key, fields) = line.split_once(" {").unwrap();
        let kind = match fields.contains("warc/revisit") {
            true => "revisit",
            false => "response",
        };
        format!("{key} {kind}")
    });
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @"
    example,town)/ 20261119000000 response
    example,town)/copy 20241004000000 revisit
    example,town)/old 20220108000000 response
    ");
    let visits = place.visits("c");
    let copy = visits.iter().find(|visit| visit.url.ends_with("/copy"));
    let copy = copy.unwrap();
    let archived = warc::read_at(&place.path("c"), copy.archived.unwrap());
    let refers_to = archived.unwrap().unwrap().refers_to.unwrap();
    let meant = (warc::date(refers_to.at), warc::date(copy.date()));
    let (old, new) = ("2022-01-08T00:00:00.123Z", "2024-10-04T00:00:00.123Z");
    assert_eq!(meant, (old.to_owned(), new.to_owned()));
    // The delay between two requests is that of the virtual clock.
    assert!(warc::date(copy.at).starts_with("2006-05-01T"));
    let found = |since: &str| {
        let args = ["search", "c", "museum", "--since", since, "--json"];
        let found = place.run(&args).expect_done().json();
        let hits = found["hits"].as_array().unwrap().iter();
        let fetched = hits.map(|hit| warc::date(Time(hit["fetched"].as_u64().unwrap())));
        fetched.collect::<Vec<_>>().join(" ")
    };
    assert!(found("2022-01-01").contains(old));
    assert!(!found("2022-02-01").contains(old));
    let told = place
        .run(&["why", "c", "http://town.example/old"])
        .expect_done();
    assert!(
        told.stdout.contains(&format!("recorded  {old}")),
        "{}",
        told.stdout
    );
}
