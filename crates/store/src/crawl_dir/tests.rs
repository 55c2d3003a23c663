mod lost_tables;

use super::*;
use crate::packing::one_member;
use crate::visit::{Time, sample};
use crate::warc::Exchange;
use std::fs::{self, File};
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

fn bundle(n: u64, packing: Packing) -> Bundle {
    Bundle::pack(&Exchange {
        url: &format!("http://town.example/page/{n}"),
        at: Time(1_700_000_000_000 + n),
        server: None,
        request: b"GET / HTTP/1.1\r\n\r\n",
        response_head: b"HTTP/1.1 200 OK\r\n\r\n",
        body: format!("body {n} {}", "x".repeat(n as usize % 500)).as_bytes(),
        truncated: false,
        metadata: &[],
        packing,
    })
}

/// Crawls one page: archived, recorded, its key put.
fn visit(crawl: &mut CrawlDir, table: &Table, n: u64) {
    let shelf = crawl.archive(&bundle(n, crawl.packing())).unwrap();
    let mut visit = sample(n);
    visit.archived = Some(shelf);
    crawl.record(visit);
    let mut batch = crawl.batch();
    batch.put(table, &n.to_be_bytes(), b"done");
    crawl.apply(batch).unwrap();
}

fn visit_and_commit(
    crawl: &mut CrawlDir,
    table: &Table,
    numbers: std::ops::Range<u64>,
) -> Result<(), StoreError> {
    for n in numbers {
        visit(crawl, table, n);
    }
    crawl.commit(crawl.batch())
}

/// Tables, visits and archive all hold exactly the pages below `n`.
fn assert_holds(crawl: &CrawlDir, n: u64) {
    assert_eq!(crawl.n_visits(), n);
    let keys = crawl
        .table("done")
        .unwrap()
        .scan(b"", None, usize::MAX)
        .unwrap();
    let expected: Vec<_> = (0..n).map(|n| n.to_be_bytes().to_vec()).collect();
    assert_eq!(
        keys.into_iter().map(|(key, _)| key).collect::<Vec<_>>(),
        expected
    );
    let mut reader = VisitReader::open(crawl.path()).unwrap();
    let mut n_read = 0;
    for visit in reader.by_ref() {
        assert_eq!((visit.seq, &visit.url), (n_read, &sample(n_read).url));
        let shelf = visit.archived.unwrap();
        let response = warc::read_at(crawl.path(), shelf).unwrap().unwrap();
        assert!(
            response
                .body
                .starts_with(format!("body {n_read} ").as_bytes())
        );
        n_read += 1;
    }
    assert_eq!(n_read, n);
    assert_eq!(reader.damage(), []);
    // One record before each file's exchanges, three for each, and no stray bytes.
    let n_files = crawl.warc_files.numbers().unwrap().len() as u64;
    assert_eq!(n_warc_records(crawl), n_files + 3 * n);
}

fn n_warc_records(crawl: &CrawlDir) -> u64 {
    let mut n_records = 0;
    for number in crawl.warc_files.numbers().unwrap() {
        let bytes = fs::read(crawl.warc_files.path(number)).unwrap();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let (_, mut member) = one_member(&mut rest).unwrap();
            io::copy(&mut member, &mut io::sink()).unwrap();
            drop(member);
            n_records += 1;
        }
    }
    n_records
}

/// Lengths of all files of the log and the archive.
fn lengths(dir: &Path) -> Vec<(PathBuf, u64)> {
    let mut lengths = Vec::new();
    for folder in ["visits", "warc"] {
        for entry in fs::read_dir(dir.join(folder)).unwrap() {
            let entry = entry.unwrap();
            lengths.push((entry.path(), entry.metadata().unwrap().len()));
        }
    }
    lengths.sort();
    lengths
}

fn reopen(dir: &Path) -> CrawlDir {
    let (crawl, damage) = CrawlDir::open(dir).unwrap();
    assert_eq!(damage, []);
    crawl
}

fn what(dir: &Path, damage: &[Damage]) -> Vec<String> {
    let show = |damage: &Damage| {
        let file = damage.file.strip_prefix(dir).unwrap();
        format!("{}: {}", file.display(), damage.what)
    };
    damage.iter().map(show).collect()
}

#[test]
fn a_crawl_comes_back_as_it_was_committed() {
    let dir = tempfile::tempdir().unwrap();
    let mut crawl = CrawlDir::create(dir.path(), "pages = 5").unwrap();
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 0..5).unwrap();
    visit_and_commit(&mut crawl, &table, 5..6).unwrap();
    // Never committed, so gone.
    visit(&mut crawl, &table, 6);
    assert!(crawl.buffered_bytes() > 0);
    drop((crawl, table));
    let crawl = reopen(dir.path());
    assert_eq!(crawl.settings(), "pages = 5");
    assert_holds(&crawl, 6);
    assert_eq!(crawl.buffered_bytes(), 0);
}

#[test]
fn refusals_name_the_folder_and_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    let refusal = |result: Result<CrawlDir, StoreError>| {
        let text = result.err().unwrap().to_string();
        text.replace(&dir.path().display().to_string(), "DIR")
    };
    let open = |name: &str| CrawlDir::open(&at(name)).map(|(crawl, _)| crawl);
    assert_eq!(refusal(open("none")), "there is no crawl in `DIR/none`");

    fs::create_dir(at("photos")).unwrap();
    fs::write(at("photos/cat.jpg"), "").unwrap();
    assert_eq!(refusal(open("photos")), "`DIR/photos` is not a crawl");
    assert_eq!(
        refusal(CrawlDir::create(&at("photos"), "")),
        "`DIR/photos` is not a crawl"
    );
    assert_eq!(
        refusal(CrawlDir::create(&at("photos/cat.jpg/x"), "")),
        "cannot create `DIR/photos/cat.jpg/x`: Not a directory (os error 20)"
    );

    let crawl = CrawlDir::create(&at("a"), "").unwrap();
    assert_eq!(refusal(open("a")), "`DIR/a` is in use by another crawl");
    assert!(is_in_use(&at("a")).unwrap());
    assert_eq!(
        refusal(CrawlDir::create(&at("a"), "")),
        "there is already a crawl in `DIR/a`"
    );
    drop(crawl);
    assert!(!is_in_use(&at("a")).unwrap());
    assert_eq!(read_settings(&at("a")).unwrap(), "");
    assert!(open("a").is_ok());

    fs::write(at("a/crawl.json"), r#"{"format": 7, "new": true}"#).unwrap();
    assert_eq!(
        refusal(open("a")),
        "`DIR/a` was written by a newer version (7, this program knows 5)"
    );
    fs::write(at("a/crawl.json"), r#"{"format": 1, "settings": ""}"#).unwrap();
    assert_eq!(
        refusal(open("a")),
        "`DIR/a` was written by an older version (1, this program knows 5)"
    );
    for text in ["", "{", r#"{"format": 5}"#] {
        fs::write(at("a/crawl.json"), text).unwrap();
        assert_eq!(refusal(open("a")), "`DIR/a/crawl.json` is damaged");
        fs::write(at("photos/crawl.json"), text).unwrap();
        assert_eq!(refusal(open("photos")), "`DIR/photos` is not a crawl");
    }
}

#[test]
fn a_commit_that_fails_anywhere_leaves_the_previous_one() {
    let steps = [
        Step::WarcWritten,
        Step::WarcSynced,
        Step::VisitsWritten,
        Step::VisitsSynced,
    ];
    for step in steps {
        for (n_before, packing) in [(0, Packing::Gzip), (3, Packing::Gzip), (3, Packing::Zstd)] {
            let dir = tempfile::tempdir().unwrap();
            let mut crawl = CrawlDir::create_packed(dir.path(), "", packing).unwrap();
            let table = crawl.table("done").unwrap();
            visit_and_commit(&mut crawl, &table, 0..n_before).unwrap();
            let before = lengths(dir.path());
            crawl.fail_at = Some(step);
            let error = visit_and_commit(&mut crawl, &table, n_before..n_before + 2).unwrap_err();
            assert!(matches!(error, StoreError::Full { .. }));
            assert_eq!(lengths(dir.path()), before, "space is given back");
            // Readers see the previous commit meanwhile.
            assert_eq!(
                VisitReader::open(dir.path()).unwrap().count() as u64,
                n_before
            );
            drop((crawl, table));
            let mut crawl = reopen(dir.path());
            assert_holds(&crawl, n_before);
            let table = crawl.table("done").unwrap();
            visit_and_commit(&mut crawl, &table, n_before..9).unwrap();
            assert_holds(&crawl, 9);
        }
    }
}

#[test]
fn a_failed_commit_can_be_tried_again() {
    for step in [Step::WarcWritten, Step::VisitsWritten, Step::VisitsSynced] {
        let dir = tempfile::tempdir().unwrap();
        let mut crawl = CrawlDir::create(dir.path(), "").unwrap();
        let table = crawl.table("done").unwrap();
        visit_and_commit(&mut crawl, &table, 0..3).unwrap();
        crawl.fail_at = Some(step);
        visit_and_commit(&mut crawl, &table, 3..5).unwrap_err();
        crawl.fail_at = None;
        visit_and_commit(&mut crawl, &table, 5..6).unwrap();
        assert_holds(&crawl, 6);
        drop((crawl, table));
        assert_holds(&reopen(dir.path()), 6);
    }
}

#[test]
fn committed_visits_without_header_are_shown_later() {
    let dir = tempfile::tempdir().unwrap();
    let mut crawl = CrawlDir::create(dir.path(), "").unwrap();
    let table = crawl.table("done").unwrap();
    crawl.fail_at = Some(Step::TablesWritten);
    visit_and_commit(&mut crawl, &table, 0..2).unwrap();
    assert_eq!(VisitReader::open(dir.path()).unwrap().count(), 0);
    crawl.fail_at = None;
    visit_and_commit(&mut crawl, &table, 2..3).unwrap();
    assert_holds(&crawl, 3);

    crawl.fail_at = Some(Step::TablesWritten);
    visit_and_commit(&mut crawl, &table, 3..4).unwrap();
    assert_eq!(VisitReader::open(dir.path()).unwrap().count(), 3);
    drop((crawl, table));
    assert_holds(&reopen(dir.path()), 4);
}

#[test]
fn files_are_rotated_and_a_reader_follows() {
    rotate(Packing::Gzip);
    rotate(Packing::Zstd);
}

fn rotate(packing: Packing) {
    let dir = tempfile::tempdir().unwrap();
    let mut crawl = CrawlDir::create_packed(dir.path(), "", packing).unwrap();
    crawl.set_warc_file_bytes(3000);
    crawl.visit_file_bytes = 1000;
    let table = crawl.table("done").unwrap();
    let mut reader = VisitReader::open(dir.path()).unwrap();
    for n in 0..20 {
        visit_and_commit(&mut crawl, &table, n..n + 1).unwrap();
        assert_eq!(
            reader.by_ref().map(|visit| visit.seq).collect::<Vec<_>>(),
            [n]
        );
    }
    // Several files within one commit.
    visit_and_commit(&mut crawl, &table, 20..40).unwrap();
    assert_eq!(reader.count(), 20);
    assert!(crawl.committed.visit_file > 3 && crawl.committed.warc_file > 5);
    drop((crawl, table));
    assert_holds(&reopen(dir.path()), 40);
}

/// A crawl of three commits with two visits each, closed.
fn closed_crawl() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut crawl = CrawlDir::create(dir.path(), "").unwrap();
    let table = crawl.table("done").unwrap();
    for n in [0, 2, 4] {
        visit_and_commit(&mut crawl, &table, n..n + 2).unwrap();
    }
    dir
}

fn cut(path: &Path, n_bytes: u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(file.metadata().unwrap().len() - n_bytes)
        .unwrap();
}

#[test]
fn a_short_log_is_reported_and_the_crawl_goes_on() {
    let dir = closed_crawl();
    cut(&dir.path().join("visits/visits-00001.log"), 10);
    let (mut crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(
        what(dir.path(), &damage),
        ["visits/visits-00001.log: ends after 2,007 of 2,017 bytes; \
          what is there was kept; 1 visit after record 5 lost"]
    );
    assert_eq!(crawl.n_visits(), 6);
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 6..8).unwrap();
    let seqs: Vec<_> = VisitReader::open(dir.path())
        .unwrap()
        .map(|visit| visit.seq)
        .collect();
    assert_eq!(seqs, [0, 1, 2, 3, 4, 6, 7]);
    drop((crawl, table));
    // Known now; whoever reads the log is still told.
    assert_eq!(reopen(dir.path()).n_visits(), 8);
    let mut reader = VisitReader::open(dir.path()).unwrap();
    reader.by_ref().for_each(drop);
    assert_eq!(reader.damage().len(), 1);
}

#[test]
fn a_missing_log_is_reported_and_the_crawl_goes_on() {
    let dir = closed_crawl();
    fs::remove_file(dir.path().join("visits/visits-00001.log")).unwrap();
    let (mut crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(
        what(dir.path(), &damage),
        ["visits/visits-00001.log: is missing; the others were kept; 6 visits after record 0 lost"]
    );
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 6..7).unwrap();
    let seqs: Vec<_> = VisitReader::open(dir.path())
        .unwrap()
        .map(|visit| visit.seq)
        .collect();
    assert_eq!(seqs, [6]);
}

#[test]
fn a_short_archive_is_reported_and_never_overwritten() {
    let dir = closed_crawl();
    let path = dir.path().join("warc/locavore-00001.warc.gz");
    cut(&path, 700);
    let before = fs::read(&path).unwrap();
    let (mut crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    let [damage] = what(dir.path(), &damage).try_into().unwrap();
    assert!(
        damage.starts_with("warc/locavore-00001.warc.gz: ends after "),
        "{damage}"
    );
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 6..7).unwrap();
    assert_eq!(fs::read(&path).unwrap(), before);
    let read: Vec<_> = VisitReader::open(dir.path())
        .unwrap()
        .map(|visit| {
            warc::read_at(dir.path(), visit.archived.unwrap())
                .unwrap()
                .is_some()
        })
        .collect();
    assert_eq!(read, [true, true, true, true, true, false, true]);
}

#[test]
fn what_was_never_committed_is_cut_off() {
    let dir = closed_crawl();
    let before = lengths(dir.path());
    for (path, _) in &before {
        let mut file = File::options().append(true).open(path).unwrap();
        io::Write::write_all(&mut file, b"left by a crash").unwrap();
        let next = path.to_str().unwrap().replace("00001", "00002");
        fs::write(next, "left by a crash").unwrap();
    }
    let crawl = reopen(dir.path());
    assert_eq!(lengths(dir.path()), before);
    assert_holds(&crawl, 6);
}

#[test]
fn a_flipped_byte_in_the_log_is_reported_on_opening() {
    let dir = closed_crawl();
    let path = dir.path().join("visits/visits-00001.log");
    let mut bytes = fs::read(&path).unwrap();
    bytes[HEADER_LEN + 50] ^= 1;
    fs::write(&path, &bytes).unwrap();
    let (_, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(
        what(dir.path(), &damage),
        ["visits/visits-00001.log: damaged after record 0: 1 visit lost, those after it kept"]
    );
}

#[test]
fn a_lost_database_does_not_cost_the_visits() {
    let dir = closed_crawl();
    fs::remove_dir_all(dir.path().join("tables")).unwrap();
    let (mut crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(
        what(dir.path(), &damage),
        ["tables: tables are missing; 6 visits and the archive were kept"]
    );
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 6..7).unwrap();
    drop((crawl, table));
    let crawl = reopen(dir.path());
    assert_eq!(crawl.n_visits(), 7);
    let read: Vec<_> = VisitReader::open(dir.path())
        .unwrap()
        .map(|visit| {
            warc::read_at(dir.path(), visit.archived.unwrap())
                .unwrap()
                .is_some()
        })
        .collect();
    assert_eq!(read, [true; 7]);
}

#[test]
fn a_folder_killed_while_being_created_can_be_created_again() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("lock"), "").unwrap();
    fs::write(dir.path().join("crawl.json.new"), "{").unwrap();
    CrawlDir::create(dir.path(), "").unwrap();
    // Killed after its card was written.
    fs::remove_dir_all(dir.path().join("tables")).unwrap();
    fs::remove_dir_all(dir.path().join("visits")).unwrap();
    fs::remove_dir_all(dir.path().join("warc")).unwrap();
    assert_holds(&reopen(dir.path()), 0);
}

#[test]
fn a_copy_of_the_lock_in_a_forked_child_does_not_keep_the_crawl() {
    let dir = closed_crawl();
    let crawl = reopen(dir.path());
    // Like a child's, a duplicate shares the lock until it is closed too.
    let copy = crawl._lock.0.try_clone().unwrap();
    assert!(is_in_use(dir.path()).unwrap());
    drop(crawl);
    assert!(!is_in_use(dir.path()).unwrap());
    assert_holds(&reopen(dir.path()), 6);
    drop(copy);
}

#[test]
fn free_space_is_told() {
    assert!(free_space(&std::env::temp_dir()).unwrap() > 0);
    assert!(free_space(Path::new("/no/such/folder")).is_err());
}

const CHILD_DIR: &str = "STORE_TEST_CHILD_DIR";
const CHILD_PACKING: &str = "STORE_TEST_CHILD_PACKING";

/// Not a test by itself: crawls without end for the next test to kill.
#[test]
fn child_that_is_killed() {
    let Ok(dir) = std::env::var(CHILD_DIR) else {
        return;
    };
    let dir = Path::new(&dir);
    let mut crawl = match dir.join("crawl.json").exists() {
        true => reopen(dir),
        false => {
            let packing = std::env::var(CHILD_PACKING).unwrap();
            CrawlDir::create_packed(dir, "", Packing::named(&packing).unwrap()).unwrap()
        }
    };
    crawl.set_warc_file_bytes(20_000);
    crawl.visit_file_bytes = 20_000;
    let table = crawl.table("done").unwrap();
    for n in crawl.n_visits().. {
        visit(&mut crawl, &table, n);
        if n % 7 == 0 {
            crawl.commit(crawl.batch()).unwrap();
            println!("\ncommitted {}", crawl.n_visits());
        }
    }
}

#[test]
fn kill_9_at_any_instant_loses_nothing_and_repeats_nothing() {
    kill_again_and_again(Packing::Gzip);
    kill_again_and_again(Packing::Zstd);
}

fn kill_again_and_again(packing: Packing) {
    let dir = tempfile::tempdir().unwrap();
    let mut n_visits = 0;
    for round in 0..12u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "crawl_dir::tests::child_that_is_killed",
                "--nocapture",
            ])
            .env(CHILD_DIR, dir.path())
            .env(CHILD_PACKING, packing.name())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let acknowledged = std::thread::spawn(move || {
            lines
                .map_while(Result::ok)
                .filter_map(|line| line.strip_prefix("committed ")?.parse().ok())
                .last()
        });
        // Odd times, so that the kill falls into all steps over the rounds.
        std::thread::sleep(std::time::Duration::from_millis(60 + round * 37 % 190));
        child.kill().unwrap();
        child.wait().unwrap();
        let acknowledged: u64 = acknowledged.join().unwrap().unwrap_or(n_visits);
        if !dir.path().join("crawl.json").exists() {
            continue;
        }
        let crawl = reopen(dir.path());
        assert!(crawl.n_visits() >= acknowledged);
        n_visits = crawl.n_visits();
        assert_holds(&crawl, n_visits);
    }
    assert!(n_visits > 50, "only {n_visits} visits: nothing was tested");
}
