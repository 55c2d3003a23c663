//! Crawls whose tables were damaged: the log and the archive bring them back.

use crate::program::{Place, Run, files, with_pages};
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use store::visit::{Errand, Visit};

/// Crawls 900 pages, does something to the folder, and goes on to 1,200.
/// Also returns how many visits were on record before the damage.
fn go_on_after(damage: impl Fn(&Place)) -> (Place, Run, usize) {
    let place = Place::new();
    place.run(&with_pages("900")).expect_done();
    let before = place.visits("c");
    damage(&place);
    let run = place.run(&with_pages("1200"));
    let after = place.visits("c");
    assert_eq!(
        after[..before.len()],
        before[..],
        "what was on record stays"
    );
    assert_eq!(
        after.iter().filter(|visit| visit.is_page()).count(),
        1200,
        "{}",
        run.stderr
    );
    // What has failed may be tried again.
    let is_settled = |visit: &&Visit| visit.errand == Errand::Page && visit.retry_at.is_none();
    let pages = after.iter().filter(is_settled);
    let mut seen = HashSet::new();
    for visit in pages {
        assert!(seen.insert((visit.node, &visit.url)), "{} twice", visit.url);
    }
    (place, run, before.len())
}

#[test]
fn lost_tables_are_worked_out_again_from_the_archive() {
    let (place, run, n_before) = go_on_after(|place| {
        std::fs::remove_dir_all(place.path("c").join("tables")).unwrap();
    });
    assert!(run.stderr.contains("warning: "), "{}", run.stderr);
    let visits = place.visits("c");
    let (before, after) = visits.split_at(n_before);
    let awaits = |url: &str| {
        let mut visits = before.iter().filter(|visit| visit.url == url);
        visits
            .next_back()
            .is_some_and(|visit| visit.retry_at.is_some())
    };
    assert!(
        after.iter().any(|visit| awaits(&visit.url)),
        "what waited to be tried again waits no more"
    );
    let status = place.run(&["status", "c", "--json"]).json();
    assert_eq!(status["pages"], 1200);
}

#[test]
fn a_damaged_journal_loses_no_visit() {
    for share in [3, 5, 8] {
        go_on_after(|place| {
            let journal = place.path("c").join("tables").join("0.jnl");
            let mut bytes = std::fs::read(&journal).unwrap();
            let from = bytes.len() * share / 10;
            for byte in &mut bytes[from..from + 64] {
                *byte ^= 0x55;
            }
            std::fs::write(&journal, bytes).unwrap();
        });
    }
}

#[test]
fn an_archive_that_was_cut_short_is_named_and_kept_as_it_is() {
    let place = Place::new();
    place.run(&with_pages("300")).expect_done();
    let before = place.visits("c");
    let archive = place.warc("c");
    let mut bytes = std::fs::read(&archive).unwrap();
    bytes.truncate(bytes.len() / 2);
    std::fs::write(&archive, &bytes).unwrap();
    let run = place.run(&with_pages("400")).expect_done();
    let warning = "warning: `c/warc/locavore-00001.warc.gz`: ends after ";
    assert!(run.stderr.contains(warning), "{}", run.stderr);
    let after = place.visits("c");
    assert_eq!(after[..before.len()], before[..]);
    assert_eq!(after.iter().filter(|visit| visit.is_page()).count(), 400);
    assert!(
        std::fs::read(&archive).unwrap() == bytes,
        "the archive has changed"
    );
}

/// A world small enough to be crawled to its end.
const TINY: [&str; 10] = [
    "crawl",
    "us-top100",
    "--web",
    "lab",
    "--world-seed",
    "31",
    "--world-sites",
    "10",
    "--depth",
    "10000",
];

#[test]
fn no_link_is_lost_with_the_tables() {
    let place = Place::new();
    let whole = place
        .run(&[&TINY[..], &["--out", "whole"]].concat())
        .expect_done();
    assert!(
        whole.stderr.contains("stopped: nothing is left to fetch"),
        "{}",
        whole.stderr
    );
    place
        .run(&[&TINY[..], &["--out", "hurt", "--pages", "300"]].concat())
        .expect_done();
    std::fs::remove_dir_all(place.path("hurt").join("tables")).unwrap();
    place.run(&["crawl", "--out", "hurt", "--pages", "1000000"]);
    assert_eq!(place.pages("hurt"), place.pages("whole"));
}

#[test]
fn a_damaged_index_is_named_and_built_anew() {
    let place = Place::new();
    place.run(&with_pages("300")).expect_done();
    let search = || place.run(&["search", "c", "home", "--json"]).expect_done();
    let whole = search();
    assert!(!whole.stderr.contains("warning"), "{}", whole.stderr);
    let index = place.path("c").join("index");
    let files = |folder: &str, ending: &str| -> Vec<PathBuf> {
        let files = files(&index.join(folder)).into_iter();
        let mut files: Vec<PathBuf> = files
            .filter(|file| file.to_string_lossy().ends_with(ending))
            .collect();
        files.sort_by_key(|file| std::fs::metadata(file).unwrap().len());
        files
    };
    let spoil = |file: &Path| {
        let n_bytes = std::fs::read(file).unwrap().len();
        std::fs::write(file, vec![b'?'; n_bytes]).unwrap();
    };
    let damages: [(&str, &dyn Fn()); 4] = [
        ("largest", &|| {
            spoil(files("tantivy", ".store").last().unwrap());
        }),
        ("meta", &|| spoil(&index.join("tantivy/meta.json"))),
        ("deleted", &|| {
            std::fs::remove_file(files("tantivy", ".store").last().unwrap()).unwrap();
        }),
        ("anchors", &|| {
            place.run(&with_pages("400")).expect_done();
            let tables = files("anchors", "").into_iter();
            tables
                .filter(|file| file.is_file())
                .for_each(|file| spoil(&file));
        }),
    ];
    for (name, damage) in damages {
        damage();
        let mended = search();
        let said = &mended.stderr;
        assert!(
            said.contains("warning: the index cannot be used ("),
            "{name}: {said}"
        );
        assert!(said.contains("): building it anew\n"), "{name}: {said}");
        if name != "anchors" {
            assert_eq!(mended.json(), whole.json(), "{name}");
        }
        assert!(!search().stderr.contains("warning"), "{name}");
    }
}
