//! Sudden ends: `kill -9`, Ctrl-C, a second process, a full disk.

use crate::program::{Place, Run, signal, wait_for_visits, with_pages};
use crate::sockets::{LabWeb, WORLD, whole_crawl};
use lab::{access, audit};
use std::collections::HashSet;
use std::io::{BufRead, BufReader};
use std::net::TcpListener;
use std::process::Command;
use std::time::Duration;
use store::visit::{Errand, Visit};

/// Pages that are not to be tried again.
fn urls(visits: &[Visit]) -> Vec<&str> {
    let is_last = |visit: &&Visit| visit.errand == Errand::Page && visit.retry_at.is_none();
    let pages = visits.iter().filter(is_last);
    pages.map(|visit| visit.url.as_str()).collect()
}

#[test]
fn kill_9_loses_nothing_that_was_stored_and_doubles_nothing() {
    let place = Place::new();
    let mut stored: Vec<Visit> = Vec::new();
    for n_visits in [1, 1200, 2500] {
        let mut child = place.start(&with_pages("100000"));
        wait_for_visits(&place, "c", &mut child, n_visits);
        signal(&child, "-9");
        child.wait().unwrap();
        let now = place.visits("c");
        assert_eq!(
            now[..stored.len()],
            stored[..],
            "stored visits stay as they were"
        );
        stored = now;
    }
    let goal = (stored.iter().filter(|visit| visit.is_page()).count() + 500).to_string();
    let status = place.run(&["status", "c"]).expect_done();
    assert!(
        status.stdout.contains("stopped without a word"),
        "{}",
        status.stdout
    );
    place.run(&with_pages(&goal)).expect_done();
    let after = place.visits("c");
    assert_eq!(after[..stored.len()], stored[..]);
    let pages = urls(&after);
    assert_eq!(
        pages.iter().collect::<HashSet<_>>().len(),
        pages.len(),
        "a URL twice"
    );
    let archived = after.iter().filter(|visit| visit.is_page());
    for visit in archived {
        let shelf = visit.archived.expect("a fetched page is archived");
        let response = store::warc::read_at(&place.path("c"), shelf)
            .unwrap()
            .unwrap();
        // The same page at another address refers to the first one.
        let is_whole = response.body.len() as u32 == visit.bytes;
        let is_revisit = response.body.is_empty() && visit.copy.is_some();
        assert!(is_whole || is_revisit, "{}", visit.url);
    }
}

/// `cargo bench -p bench --bench kill` does the same more often and looks closer.
#[test]
fn kill_9_over_sockets_lets_nobody_be_asked_too_soon() {
    if std::env::var_os("LOCAVORE_SLOW_TESTS").is_none() {
        return;
    }
    let place = Place::new();
    let web = LabWeb::start_with(&place, &["--log", "access.log"]);
    place.write("seeds.txt", &web.seeds());
    let proxy = format!("http://{}", web.address);
    let outside = ["--proxy", &proxy, "--delay", "20ms", "--out", "c"];
    let outside = whole_crawl(&outside);
    let mut stored: Vec<Visit> = Vec::new();
    for n_visits in [1, 300, 700] {
        let mut child = place.start(&outside);
        wait_for_visits(&place, "c", &mut child, n_visits);
        signal(&child, "-9");
        child.wait().unwrap();
        let now = place.visits("c");
        assert_eq!(now[..stored.len()], stored[..]);
        stored = now;
    }
    let run = place.run(&outside);
    assert!(
        run.stderr
            .contains("only hosts and pages that failed are left"),
        "{}",
        run.stderr
    );
    let (_, doubled) = audit::settle(&place.visits("c"));
    assert!(doubled.is_empty(), "settled twice: {doubled:?}");
    let accesses = access::read(&place.path("access.log")).unwrap();
    let pauses = audit::pauses(&accesses);
    let shortest = pauses.iter().min_by_key(|pause| pause.length).unwrap();
    assert!(shortest.length >= Duration::from_millis(20), "{shortest:?}");
    let inside = ["--web", "lab", "--delay", "1ms", "--out", "inside"];
    place.run(&whole_crawl(&[&inside, &WORLD[..]].concat()));
    assert_eq!(place.pages("c"), place.pages("inside"));
}

#[test]
fn ctrl_c_ends_cleanly_and_says_how_to_go_on() {
    let place = Place::new();
    let mut child = place.start(&with_pages("100000"));
    wait_for_visits(&place, "c", &mut child, 1);
    signal(&child, "-INT");
    let run = Run::from(child.wait_with_output().unwrap());
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("stopped: interrupted"),
        "{}",
        run.stderr
    );
    assert!(
        run.stderr
            .contains("hint: `locavore crawl --out c` resumes it"),
        "{}",
        run.stderr
    );
    let status = place.run(&["status", "c"]).expect_done();
    assert!(
        status.stdout.contains("stopped: interrupted"),
        "{}",
        status.stdout
    );
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(status["goal"], 100_000, "the goal is kept");
    assert_eq!(status["stop_reason"], "interrupted");
    let n_pages = place.pages("c").len();
    let goal = (n_pages + 50).to_string();
    place
        .run(&["crawl", "--out", "c", "--pages", &goal])
        .expect_done();
    assert_eq!(place.pages("c").len(), n_pages + 50);
}

#[test]
fn a_folder_in_use_is_refused_and_can_be_looked_at() {
    let place = Place::new();
    let mut child = place.start(&with_pages("100000"));
    wait_for_visits(&place, "c", &mut child, 1);
    let second = place.run(&with_pages("100000"));
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let third = place.run(&[&with_pages("100000")[..], &["--metrics", &address]].concat());
    let status = place.run(&["status", "c"]);
    let report = place.run(&["report", "c", "--json"]);
    signal(&child, "-9");
    child.wait().unwrap();
    insta::assert_snapshot!(second.complaint(), @r"
    exit 2
    error: `c` is in use by another crawl
    hint: `locavore status c` shows how far it is
    ");
    assert_eq!(third.complaint(), second.complaint());
    assert!(status.stdout.contains("\nrunning\n"), "{}", status.stdout);
    assert!(report.json()["pages"].as_u64().unwrap() > 0);
}

/// A disk of its own, as small as wanted; only root can make one.
struct SmallDisk(std::path::PathBuf);

impl SmallDisk {
    fn mount(place: &Place, name: &str, size: &str) -> Option<SmallDisk> {
        let folder = place.path(name);
        std::fs::create_dir(&folder).unwrap();
        let disk = SmallDisk(folder);
        let is_mounted = disk.run(&["-t", "tmpfs", "-o", &format!("size={size}"), "tmpfs"]);
        if !is_mounted {
            eprintln!("skipped: a small disk can only be made by root");
            std::mem::forget(disk);
            return None;
        }
        Some(disk)
    }

    fn grow(&self, size: &str) {
        assert!(self.run(&["-o", &format!("remount,size={size}")]));
    }

    fn run(&self, args: &[&str]) -> bool {
        let output = Command::new("mount").args(args).arg(&self.0).output();
        output.is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0).status();
    }
}

#[test]
fn a_disk_that_fills_up_pauses_the_crawl_until_there_is_space() {
    let place = Place::new();
    let Some(disk) = SmallDisk::mount(&place, "tiny", "300m") else {
        return;
    };
    let args = ["crawl", "us-top100", "--web", "lab", "--out", "tiny/c"];
    let mut child = place.start(&args);
    let mut stderr = BufReader::new(child.stderr.take().unwrap());
    let mut read_until = |word: &str| {
        let mut line = String::new();
        while !line.contains(word) {
            line.clear();
            assert!(stderr.read_line(&mut line).unwrap() > 0, "no `{word}`");
        }
    };
    read_until("paused: the disk is nearly full");
    let n_paused = place.visits("tiny/c").len();
    disk.grow("800m");
    read_until("pages/s");
    wait_for_visits(&place, "tiny/c", &mut child, n_paused + 1);
    signal(&child, "-INT");
    child.wait().unwrap();
    drop(stderr);
    let status = place.run(&["status", "tiny/c"]);
    assert!(
        status.stdout.contains("stopped: interrupted"),
        "{}",
        status.stdout
    );
}

#[test]
fn no_crawl_is_started_on_a_full_disk() {
    let place = Place::new();
    let Some(_disk) = SmallDisk::mount(&place, "full", "64m") else {
        return;
    };
    let run = place.run(&["crawl", "us-top100", "--web", "lab", "--out", "full/c"]);
    assert_eq!(run.code, 2, "{}", run.stderr);
    let said = "error: the disk of `full/c` has ";
    assert!(run.stderr.contains(said), "{}", run.stderr);
    assert!(!place.path("full/c").exists());
}
