//! Whatever becomes of the database, visits that could be read stay.

use super::*;
use proptest::prelude::*;
use std::sync::LazyLock;

const N_VISITS: u64 = 40;
const CASES: u32 = 24;

static CRAWL: LazyLock<tempfile::TempDir> = LazyLock::new(|| torn_crawl(Packing::Gzip));

/// A closed crawl of several files, with a commit that a crash cut short.
fn torn_crawl(packing: Packing) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let mut crawl = CrawlDir::create_packed(dir.path(), "", packing).unwrap();
    crawl.set_warc_file_bytes(9000);
    crawl.visit_file_bytes = 3000;
    let table = crawl.table("done").unwrap();
    for n in 0..N_VISITS / 4 {
        visit_and_commit(&mut crawl, &table, n * 4..n * 4 + 4).unwrap();
    }
    let Positions {
        visit_file,
        visit_end,
        warc_file,
        warc_end,
        ..
    } = crawl.committed;
    assert!(visit_file > 1 && warc_file > 1);
    let mut frames = vec![0; HEADER_LEN];
    visit_log::push_frame(&sample(N_VISITS), &mut frames);
    crawl
        .visit_files
        .write_at(visit_file, visit_end, &frames)
        .unwrap();
    let torn = &bundle(N_VISITS, packing).bytes[..100];
    crawl
        .warc_files
        .write_at(warc_file, warc_end, torn)
        .unwrap();
    dir
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

fn copied_crawl() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    copy(CRAWL.path(), dir.path());
    dir
}

fn journal(dir: &Path) -> PathBuf {
    dir.join("tables/0.jnl")
}

/// Bytes of the journal up to its last that is not zero.
fn journal_len() -> usize {
    let bytes = fs::read(journal(CRAWL.path())).unwrap();
    bytes.iter().rposition(|&byte| byte != 0).unwrap() + 1
}

/// Log and archive hold exactly the pages below `n`.
fn assert_log_holds(crawl: &CrawlDir, n: u64) {
    assert_eq!(crawl.n_visits(), n);
    let mut reader = VisitReader::open(crawl.path()).unwrap();
    let mut n_read = 0;
    for visit in reader.by_ref() {
        assert_eq!((visit.seq, &visit.url), (n_read, &sample(n_read).url));
        let response = warc::read_at(crawl.path(), visit.archived.unwrap()).unwrap();
        assert!(response.is_some(), "archived response {n_read}");
        n_read += 1;
    }
    assert_eq!(n_read, n);
    assert_eq!(reader.damage(), []);
    let n_files = crawl.warc_files.numbers().unwrap().len() as u64;
    assert_eq!(n_warc_records(crawl), n_files + 3 * n);
}

/// Opens a crawl whose tables were damaged and goes on with it; gives what was
/// told, and how many visits the tables knew.
fn survive(dir: &Path) -> (Vec<String>, u64) {
    let (mut crawl, damage) = CrawlDir::open(dir).unwrap();
    let damage = what(dir, &damage);
    assert_log_holds(&crawl, N_VISITS);
    let table = crawl.table("done").unwrap();
    // A caller learns by its own counter what its tables do not know.
    let n_known = table.scan(b"", None, usize::MAX).unwrap().len() as u64;
    let n_to_replay = VisitReader::open_at(dir, n_known).unwrap().count() as u64;
    assert_eq!(n_known + n_to_replay, N_VISITS);
    visit_and_commit(&mut crawl, &table, N_VISITS..N_VISITS + 3).unwrap();
    assert_log_holds(&crawl, N_VISITS + 3);
    drop((crawl, table));
    assert_log_holds(&reopen(dir), N_VISITS + 3);
    (damage, n_known)
}

/// Journals hold whole commits: tables know what they know of, or it is told.
fn survive_bad_journal(dir: &Path) {
    let (damage, n_known) = survive(dir);
    assert_eq!(damage.is_empty(), n_known == N_VISITS, "{damage:?}");
}

/// All files of the database, as paths below the crawl folder.
fn table_files() -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![CRAWL.path().join("tables")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            match path.is_dir() {
                true => folders.push(path),
                false => files.push(path.strip_prefix(CRAWL.path()).unwrap().to_owned()),
            }
        }
    }
    files.sort();
    files
}

fn overwrite(path: &Path, at: usize, bytes: &[u8]) {
    let file = File::options().write(true).open(path).unwrap();
    std::os::unix::fs::FileExt::write_all_at(&file, bytes, at as u64).unwrap();
}

fn cut_to(path: &Path, len: u64) {
    let file = File::options().write(true).open(path).unwrap();
    file.set_len(len).unwrap();
}

fn garbage() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        Just(vec![0; 64]),
        Just(vec![0xff; 64]),
        prop::collection::vec(any::<u8>(), 64),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(CASES)
    })]
    #[test]
    fn any_damage_to_the_journal_costs_no_visit(
        at in any::<prop::sample::Index>(),
        bytes in garbage(),
    ) {
        let dir = copied_crawl();
        overwrite(&journal(dir.path()), at.index(journal_len()), &bytes);
        survive_bad_journal(dir.path());
    }

    #[test]
    fn a_journal_cut_anywhere_costs_no_visit(len in any::<prop::sample::Index>()) {
        let dir = copied_crawl();
        cut_to(&journal(dir.path()), len.index(journal_len()) as u64);
        survive_bad_journal(dir.path());
    }

    #[test]
    fn garbage_in_any_file_of_the_tables_costs_no_visit(
        file in any::<prop::sample::Index>(),
        at in any::<prop::sample::Index>(),
        bytes in garbage(),
    ) {
        let dir = copied_crawl();
        let path = dir.path().join(file.get(&table_files()));
        let len = fs::metadata(&path).unwrap().len() as usize;
        overwrite(&path, at.index(len.max(1)), &bytes);
        survive_bad_journal(dir.path());
    }
}

#[test]
fn what_the_tables_forgot_is_counted() {
    let dir = copied_crawl();
    cut_to(&journal(dir.path()), journal_len() as u64 - 1);
    assert_eq!(
        survive(dir.path()).0,
        ["tables: did not know the last 4 visits; log and archive were kept"]
    );
}

#[test]
fn missing_parts_of_the_tables_cost_no_visit() {
    let remove = |name: &Path| {
        let dir = copied_crawl();
        let path = dir.path().join(name);
        match path.is_dir() {
            true => fs::remove_dir_all(path).unwrap(),
            false => fs::remove_file(path).unwrap(),
        }
        survive(dir.path()).0
    };
    for name in ["tables", "tables/keyspaces"] {
        assert_eq!(
            remove(Path::new(name)),
            ["tables: tables are missing; 40 visits and the archive were kept"],
            "{name}"
        );
    }
}

/// Where all else is in files of its own, the database does not miss it, and
/// takes what is written from then on for older than what is there.
#[test]
fn tables_without_their_journal_are_told_and_not_written_to() {
    for is_ripe in [false, true] {
        let dir = copied_crawl();
        if is_ripe {
            CrawlDir::ripen(dir.path()).unwrap();
        }
        fs::remove_file(journal(dir.path())).unwrap();
        assert_eq!(
            survive(dir.path()).0,
            [
                "tables: are damaged (the journal is missing) and were moved to \
                 `tables-damaged-1`; 40 visits and the archive were kept"
            ]
        );
    }
}

#[test]
fn a_table_without_its_marker_is_told_and_not_taken_for_empty() {
    for name in table_files() {
        let dir = copied_crawl();
        fs::remove_file(dir.path().join(&name)).unwrap();
        survive_bad_journal(dir.path());
    }
    let markers = table_files().into_iter();
    let markers = markers.filter(|name| name.ends_with("current"));
    let told: Vec<String> = markers
        .map(|name| {
            let dir = copied_crawl();
            fs::remove_file(dir.path().join(&name)).unwrap();
            survive(dir.path()).0.concat()
        })
        .collect();
    assert_eq!(
        told,
        [
            // The list of tables itself: the database begins anew.
            "tables: tables are missing; 40 visits and the archive were kept",
            "tables: are damaged (a table is missing or too old) and were moved to \
             `tables-damaged-1`; 40 visits and the archive were kept",
            // Nothing was ever in it.
            "",
            "tables: are damaged (a table is missing) and were moved to `tables-damaged-1`; \
             40 visits and the archive were kept",
        ]
    );
}

#[test]
fn tables_whose_damage_shows_late_are_set_aside_by_the_next_who_opens_them() {
    let dir = copied_crawl();
    let (mut crawl, _) = CrawlDir::open(dir.path()).unwrap();
    let table = crawl.table("done").unwrap();
    let batch = crawl.batch();
    for n in N_VISITS..N_VISITS + 2 {
        let shelf = crawl.archive(&bundle(n, Packing::Gzip)).unwrap();
        let archived = Some(shelf);
        crawl.record(Visit {
            archived,
            ..sample(n)
        });
    }
    crawl.apply(batch).unwrap();
    drop(table);
    crawl.give_up_tables("a checksum does not match").unwrap();
    let (crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(
        what(dir.path(), &damage),
        [
            "tables: are damaged (a checksum does not match) and were moved to \
          `tables-damaged-1`; 42 visits and the archive were kept"
        ]
    );
    assert_log_holds(&crawl, N_VISITS + 2);
    let table = crawl.table("done").unwrap();
    assert_eq!(table.scan(b"", None, 9).unwrap(), []);
    drop((crawl, table));
    let (_, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(damage, []);
}

#[test]
fn visits_lost_with_the_tables_are_told_and_their_numbers_not_used_again() {
    let dir = copied_crawl();
    fs::remove_dir_all(dir.path().join("tables")).unwrap();
    let log = visit_log::files(dir.path());
    let path = log.path(log.numbers().unwrap().pop().unwrap());
    // The last group lacks its last visit; nothing uncommitted is behind it.
    let bytes = fs::read(&path).unwrap();
    let frame = bytes.iter().rposition(|&byte| byte == 0).unwrap();
    let header = bytes[..frame]
        .windows(HEADER_LEN)
        .rposition(|window| window == [0; HEADER_LEN]);
    cut_to(&path, header.unwrap() as u64 - 10);
    let (mut crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    let damage = what(dir.path(), &damage);
    assert_eq!(
        damage[0],
        "tables: tables are missing; 40 visits and the archive were kept"
    );
    assert!(
        damage[1].ends_with("1 visit after record 39 lost"),
        "{damage:?}"
    );
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 40..42).unwrap();
    let seqs: Vec<_> = VisitReader::open(dir.path())
        .unwrap()
        .map(|visit| visit.seq)
        .collect();
    assert_eq!(seqs, (0..39).chain(40..42).collect::<Vec<_>>());
}

#[test]
fn a_log_that_cannot_be_read_is_never_deleted() {
    let dir = copied_crawl();
    fs::remove_dir_all(dir.path().join("tables")).unwrap();
    for (path, _) in lengths(dir.path()) {
        overwrite(&path, 0, &[7; 64]);
    }
    let log = visit_log::files(dir.path());
    let (first, others) = {
        let mut numbers = log.numbers().unwrap().into_iter();
        (numbers.next().unwrap(), numbers.collect::<Vec<_>>())
    };
    for number in others {
        fs::remove_file(log.path(number)).unwrap();
    }
    cut_to(&log.path(first), 600);
    let before = lengths(dir.path());
    let (mut crawl, _) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(lengths(dir.path()), before);
    let table = crawl.table("done").unwrap();
    visit_and_commit(&mut crawl, &table, 0..2).unwrap();
    assert_eq!(VisitReader::open(dir.path()).unwrap().count(), 2);
    let after = lengths(dir.path());
    assert!(before.iter().all(|file| after.contains(file)));
}

#[test]
fn tables_that_cannot_be_opened_are_set_aside() {
    let dir = copied_crawl();
    fs::create_dir(dir.path().join("tables-damaged-1")).unwrap();
    fs::write(dir.path().join("tables/version"), "?").unwrap();
    let before = fs::read(journal(dir.path())).unwrap();
    assert_eq!(
        survive(dir.path()).0,
        [
            "tables: are damaged (their format is unknown) and were moved to \
          `tables-damaged-2`; 40 visits and the archive were kept"
        ]
    );
    assert_eq!(
        fs::read(dir.path().join("tables-damaged-2/0.jnl")).unwrap(),
        before
    );
}

#[test]
fn an_archive_of_zstd_is_mended_as_well() {
    let dir = torn_crawl(Packing::Zstd);
    fs::remove_dir_all(dir.path().join("tables")).unwrap();
    let (crawl, damage) = CrawlDir::open(dir.path()).unwrap();
    assert_eq!(crawl.packing(), Packing::Zstd);
    assert_eq!(damage.len(), 1);
    assert_log_holds(&crawl, N_VISITS);
    let n_files = crawl.warc_files.numbers().unwrap().len() as u64;
    // The torn member is gone, every whole one is there.
    assert_eq!(n_warc_records(&crawl), n_files + 3 * N_VISITS);
}
