//! Crawls on a bad disk: a sample of what `cargo bench -p bench --bench damage`
//! does to every file in every way.

use crate::program::{Place, Run, signal, small_crawl, wait_for_visits, with_pages};
use lab::wear::{self, Examination, Strike, Strikes, Wear};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::Visit;

const N_PAGES: &str = "150";
const MORE_PAGES: &str = "170";

/// A crawl that has every kind of file.
fn ripe_crawl() -> Place {
    let place = Place::new();
    place.run(&with_pages(N_PAGES)).expect_done();
    CrawlDir::ripen(&place.path("c")).unwrap();
    place
}

fn visits(dir: &Path) -> Vec<Visit> {
    VisitReader::open(dir).map_or_else(|_| Vec::new(), Iterator::collect)
}

/// What came of it, as a line; ends badly where a promise was broken.
fn outcome(place: &Place, spoiled: Option<&Path>, before: &[Visit], run: &Run) -> String {
    let dir = place.path("c");
    let verdict = Examination {
        dir: &dir,
        spoiled,
        code: (run.code >= 0).then_some(run.code),
        said: &run.stderr,
        before,
        after: &visits(&dir),
    }
    .judge();
    assert!(
        !verdict.is_broken,
        "{spoiled:?}: {} (exit {})\n{}",
        verdict.word, run.code, run.stderr
    );
    verdict.word
}

#[test]
fn whatever_becomes_of_a_file_the_crawl_goes_on() {
    let original = ripe_crawl();
    let before = visits(&original.path("c"));
    let mut kinds: BTreeMap<String, PathBuf> = BTreeMap::new();
    for file in wear::files(&original.path("c")).unwrap() {
        kinds.entry(wear::kind_of(&file)).or_insert(file);
    }
    for kind in [
        "crawl.json",
        "tables/N.jnl",
        "tables/keyspaces/N/current",
        "tables/keyspaces/N/tables/N",
        "tables/rows/frontier-queue-N.rows",
        "tables/runs/frontier-seen-N.run",
        "visits/visits-N.log",
        "warc/locavore-N.warc.gz",
    ] {
        assert!(kinds.contains_key(kind), "no {kind} in {kinds:#?}");
    }
    for (nth, file) in kinds.values().enumerate() {
        // Another one for each kind, always the same.
        let wear = Wear::ALL[nth % Wear::ALL.len()];
        let place = Place::new();
        wear::copy(&original.path("c"), &place.path("c")).unwrap();
        let dice = (nth as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        wear.spoil(&place.path("c").join(file), dice).unwrap();
        let run = place.run(&["crawl", "--out", "c", "--pages", MORE_PAGES]);
        let outcome = outcome(&place, Some(file), &before, &run);
        eprintln!("{wear:?} {}: {outcome}", file.display());
    }
}

#[test]
fn a_row_or_a_run_that_is_damaged_is_met_late_and_costs_nothing() {
    let original = ripe_crawl();
    let before = visits(&original.path("c"));
    for file in ["rows/frontier-queue-00001.rows", "runs/frontier-seen"] {
        let place = Place::new();
        wear::copy(&original.path("c"), &place.path("c")).unwrap();
        let files = wear::files(&place.path("c")).unwrap().into_iter();
        let mut files = files.filter(|path| path.to_string_lossy().contains(file));
        let file = files.next_back().unwrap();
        let path = place.path("c").join(&file);
        let mut bytes = std::fs::read(&path).unwrap();
        // All that is read while the crawl runs; what opening reads is whole.
        let n_bytes = match file.starts_with("tables/rows") {
            true => bytes.len(),
            false => bytes.len() / 2048 * 2048 / 4 * 3,
        };
        bytes[..n_bytes].fill(0x55);
        std::fs::write(&path, bytes).unwrap();
        let run = place.run(&["crawl", "--out", "c", "--pages", MORE_PAGES]);
        let said = &run.stderr;
        let warning = "warning: `c/tables`: are damaged (a checksum does not match) and were \
                       moved to `tables-damaged-1`; ";
        assert!(said.contains(warning), "{said}");
        let word = outcome(&place, Some(&file), &before, &run);
        assert_eq!(word, "worked out again", "{said}");
        assert_eq!(place.pages("c").len(), 170);
        let run = place.run(&["crawl", "--out", "c", "--pages", "180"]);
        assert!(!run.expect_done().stderr.contains("warning"));
    }
}

#[test]
fn what_the_system_refuses_ends_a_crawl_with_a_reason_and_loses_nothing() {
    let place = Place::new();
    let Some(strikes) = Strikes::build(&place.path("")).unwrap() else {
        eprintln!("skipped: there is no C compiler");
        return;
    };
    for (call, nth) in [("fsync", 40), ("write", 60), ("rename", 12)] {
        for lasts in [false, true] {
            let place = Place::new();
            let strike = Strike { call, nth, lasts };
            let mut program = place.command(&small_crawl(&["--out", "c", "--pages", N_PAGES]));
            strikes.let_loose(strike, &place.path("c"), &mut program);
            let struck = Run::from(program.output().unwrap());
            assert!(
                (0..3).contains(&struck.code),
                "{strike:?}: {}",
                struck.stderr
            );
            assert!(!struck.stderr.contains("panicked"), "{}", struck.stderr);
            let before = visits(&place.path("c"));
            let run = place.run(&with_pages(MORE_PAGES));
            let outcome = outcome(&place, None, &before, &run);
            eprintln!("{strike:?}: exit {}, then {outcome}", struck.code);
        }
    }
}

#[test]
fn a_killed_crawl_on_a_bad_disk_goes_on_as_well() {
    let original = Place::new();
    let mut child = original.start(&with_pages("100000"));
    wait_for_visits(&original, "c", &mut child, 100);
    signal(&child, "-9");
    child.wait().unwrap();
    let before = visits(&original.path("c"));
    let n_pages = before.iter().filter(|visit| visit.is_page()).count();
    let goal = (n_pages + 20).to_string();
    let files = wear::files(&original.path("c")).unwrap().into_iter();
    let tables = files.filter(|file| file.starts_with("tables") && !file.ends_with("lock"));
    let mut seen = std::collections::HashSet::new();
    for (nth, file) in tables
        .filter(|file| seen.insert(wear::kind_of(file)))
        .enumerate()
    {
        let wear = [Wear::Delete, Wear::Cut, Wear::Flip][nth % 3];
        let place = Place::new();
        wear::copy(&original.path("c"), &place.path("c")).unwrap();
        wear.spoil(&place.path("c").join(&file), nth as u64 * 0x0123_4567_89ab)
            .unwrap();
        let run = place.run(&["crawl", "--out", "c", "--pages", &goal]);
        let outcome = outcome(&place, Some(&file), &before, &run);
        eprintln!("{wear:?} {}: {outcome}", file.display());
    }
}
