mod answers;

use crate::ask::{Ask, Hit};
use crate::index::{Index, SearchError};
use crate::region::Region;
use insta::assert_snapshot;
use place::gazetteer::Gazetteer;
use proptest::prelude::*;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use store::crawl_dir::CrawlDir;
use store::packing::Packing;
use store::visit::{EntityRecord, Errand, Outcome, Time, Visit};
use store::warc::{Bundle, Exchange};
use tempfile::TempDir;

const HOUSTON: u32 = 4_699_066;
const SAN_ANTONIO: u32 = 4_726_206;
const CHICAGO: u32 = 4_887_398;
const HARRIS_COUNTY: u32 = 4_696_376;
const TEXAS: u32 = 4_736_286;

/// A fetched page with an address in each of the places.
fn page(url: &str, title: &str, addresses: &[(&str, u32)]) -> Visit {
    let entity = |&(text, target): &(&str, u32)| EntityRecord {
        key: 0,
        target,
        text: text.to_owned(),
    };
    Visit {
        title: title.to_owned(),
        entities: addresses.iter().map(entity).collect(),
        ..Visit::new(
            0,
            Errand::Page,
            Time(1_700_000_000_000),
            url,
            Outcome::Fetched,
        )
    }
}

fn town() -> Vec<Visit> {
    vec![
        page(
            "http://luigi.example/",
            "Luigi's Pizza",
            &[("100 Milam St, Houston, TX", HOUSTON)],
        ),
        page(
            "http://alamo.example/pizza",
            "Alamo Eats",
            &[("5 Commerce St, San Antonio, TX", SAN_ANTONIO)],
        ),
        page(
            "http://windy.example/",
            "Deep dish pizza in Chicago",
            &[("1 Wacker Dr, Chicago, IL", CHICAGO)],
        ),
        page(
            "http://chain.example/caf%C3%A9s",
            "Our cafés",
            &[
                ("7 Main St, Houston, TX", HOUSTON),
                ("9 Main St, Houston, TX", HOUSTON),
                ("8 State St, Chicago, IL", CHICAGO),
            ],
        ),
        page("http://plain.example/", "About pizza", &[]),
    ]
}

/// A page that says what the visit has.
fn body_of(visit: &Visit) -> String {
    let addresses = visit.entities.iter();
    let addresses = addresses.map(|entity| format!("<p>{}</p>", entity.text));
    format!(
        "<html lang=en><title>{}</title><p>hello</p>{}",
        visit.title,
        addresses.collect::<String>()
    )
}

/// Records the visits as a crawl does, each with an archived response.
fn record(crawl: &mut CrawlDir, visits: Vec<Visit>) {
    for mut visit in visits {
        let bundle = Bundle::pack(&Exchange {
            url: &visit.url,
            at: visit.at,
            server: None,
            request: b"GET / HTTP/1.1\r\n\r\n",
            response_head: b"HTTP/1.1 200 OK\r\n\r\n",
            body: body_of(&visit).as_bytes(),
            metadata: &[],
            packing: Packing::default(),
            truncated: false,
        });
        visit.archived = Some(crawl.archive(&bundle).unwrap());
        crawl.record(visit);
    }
    crawl.commit(crawl.batch()).unwrap();
}

fn crawl_of(visits: Vec<Visit>) -> (TempDir, CrawlDir) {
    let dir = tempfile::tempdir().unwrap();
    let mut crawl = CrawlDir::create(dir.path(), "").unwrap();
    record(&mut crawl, visits);
    (dir, crawl)
}

fn open(dir: &TempDir) -> Index {
    Index::open_or_build(dir.path(), &mut |_| {}).unwrap()
}

/// The best pages, if given only those about something inside a place.
fn search(index: &Index, words: &str, within: Option<u32>, n_hits: usize) -> Vec<Hit> {
    let place = within.map(|within| Gazetteer::built_in().by_geonameid(within).unwrap());
    let ask = Ask {
        query: words.to_owned(),
        region: place.map(Region::Within),
        words_only: true,
        n_hits,
        ..Ask::default()
    };
    index.ask(&ask).unwrap().hits
}

/// Hosts of the pages found, best first.
fn found(index: &Index, words: &str, within: Option<u32>) -> String {
    let hits = search(index, words, within, 10);
    let hosts = hits.iter().map(|hit| crate::words::host(&hit.url));
    hosts
        .map(|host| host.replace(".example", ""))
        .collect::<Vec<_>>()
        .join(" ")
}

fn all_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap();
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files
}

fn tantivy_folder(dir: &TempDir) -> PathBuf {
    dir.path().join("index/tantivy")
}

#[test]
fn pages_are_found_by_title_url_and_address() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    assert_snapshot!(found(&index, "pizza", None), @r"
    plain luigi windy alamo
    ");
    assert_snapshot!(found(&index, "MILAM street", None), @"luigi");
    assert_snapshot!(found(&index, "CAFES", None), @"chain");
    assert_snapshot!(found(&index, "pizza chicago", None), @"windy");
    assert_snapshot!(found(&index, "pizza alamo.example", None), @"alamo plain luigi windy");
    assert_snapshot!(found(&index, "http://Chain.example/ pizza", None), @"chain plain luigi windy alamo");
    assert_snapshot!(found(&index, "sushi", None), @"");
}

#[test]
fn phrases_are_words_in_their_order() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    assert_snapshot!(found(&index, "\"dish pizza\"", None), @"windy");
    assert_snapshot!(found(&index, "\"pizza dish\"", None), @"");
    assert_snapshot!(found(&index, "pizza -\"deep dish\"", None), @"plain luigi alamo");
    assert_snapshot!(found(&index, "\"Main St\" OR \"deep dish\"", None), @"windy chain");
    // A title does not run into the text.
    assert_snapshot!(found(&index, "\"pizza hello\"", None), @"");
}

#[test]
fn a_place_holds_what_lies_inside_it() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    assert_snapshot!(found(&index, "pizza", Some(HOUSTON)), @r"
    luigi
    ");
    assert_snapshot!(found(&index, "pizza", Some(HARRIS_COUNTY)), @"luigi");
    assert_snapshot!(found(&index, "pizza", Some(TEXAS)), @"luigi alamo");
    assert_snapshot!(found(&index, "", Some(CHICAGO)), @"windy chain");
    assert_snapshot!(found(&index, "?!", Some(CHICAGO)), @"windy chain");
}

#[test]
fn a_hit_names_its_places_once() {
    let (dir, _crawl) = crawl_of(town());
    let hits = search(&open(&dir), "cafés", None, 1);
    assert_eq!(hits.len(), 1);
    assert_snapshot!(hits[0].url, @r"
    http://chain.example/caf%C3%A9s
    ");
    assert_snapshot!(hits[0].title, @"Our cafés");
    assert_snapshot!(hits[0].places.join("; "), @"Houston, Texas, United States; Chicago, Illinois, United States");
    assert!(hits[0].score > 0.0);
}

#[test]
fn places_form_a_tree_with_counts() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    let tree = |under: &str| {
        let places = index.places(under).unwrap();
        let show = places
            .iter()
            .map(|place| format!("{} {}", place.path, place.n_pages));
        show.collect::<Vec<_>>().join("; ")
    };
    assert_snapshot!(tree("/"), @r"
    /Earth 4
    ");
    assert_snapshot!(tree("/Earth/US"), @"/Earth/US/Texas 3; /Earth/US/Illinois 2");
    assert_snapshot!(tree("/Earth/US/Texas"), @"/Earth/US/Texas/Houston 2; /Earth/US/Texas/San Antonio 1");
    assert_snapshot!(tree("/Earth/US/Texas/Houston"), @"");
    for odd in ["", "Earth", "/Earth/Atlantis", "//", "/Earth/US/"] {
        assert_eq!(tree(odd), "", "{odd}");
    }
    let (dir, _crawl) = crawl_of(vec![page("http://plain.example/", "plain", &[])]);
    assert_eq!(open(&dir).places("/Earth").unwrap(), []);
}

#[test]
fn only_fetched_pages_are_indexed() {
    let failed = |outcome| Visit {
        outcome,
        ..page("http://a.example/gone", "pizza gone", &[])
    };
    let robots = Visit {
        errand: Errand::Robots,
        ..page("http://a.example/robots.txt", "pizza robots", &[])
    };
    let endless = format!("http://a.example/{}", "x".repeat(70_000));
    let (dir, _crawl) = crawl_of(vec![
        failed(Outcome::Status),
        failed(Outcome::TimedOut),
        robots,
        page("http://b.example/", "pizza", &[]),
        failed(Outcome::Redirected("http://b.example/".to_owned())),
        page(&endless, "pizza", &[]),
    ]);
    let index = open(&dir);
    assert_eq!((index.n_visits(), index.n_pages()), (6, 1));
    assert_eq!(found(&index, "pizza", None), "b");
}

#[test]
fn pages_that_ask_not_to_be_found_are_not_found() {
    let (dir, mut crawl) = crawl_of(town());
    assert_eq!(open(&dir).n_pages(), 5);
    let shy = |url: &str| Visit {
        noindex: true,
        ..page(url, "shy pizza", &[])
    };
    record(
        &mut crawl,
        vec![shy("http://luigi.example/"), shy("http://shy.example/")],
    );
    let index = open(&dir);
    assert_eq!((index.n_visits(), index.n_pages()), (7, 4));
    assert_eq!(found(&index, "shy", None), "");
}

#[test]
fn a_later_visit_replaces_the_earlier_one() {
    let url = "http://luigi.example/";
    let (dir, mut crawl) = crawl_of(town());
    assert_eq!(open(&dir).n_pages(), 5);
    let moved = page(url, "Luigi's Pasta", &[("2 Elm St, Chicago, IL", CHICAGO)]);
    // Within one update and over two; a failure takes nothing away.
    let failed = Visit {
        outcome: Outcome::TimedOut,
        ..page(url, "", &[])
    };
    record(
        &mut crawl,
        vec![page(url, "Luigi in between", &[]), moved, failed],
    );
    let index = open(&dir);
    assert_eq!((index.n_visits(), index.n_pages()), (8, 5));
    assert_snapshot!(found(&index, "luigi", None), @r"
    luigi
    ");
    assert_snapshot!(found(&index, "pasta", Some(CHICAGO)), @"luigi");
    assert_eq!(found(&index, "luigi", Some(HOUSTON)), "");
    assert_eq!(found(&index, "between", None), "");
    assert_eq!(found(&index, "milam", None), "");
}

#[test]
fn catching_up_reads_only_new_visits() {
    let (dir, mut crawl) = crawl_of(town());
    assert_eq!(open(&dir).n_visits(), 5);
    let before = all_files(&tantivy_folder(&dir));
    // Nothing new: nothing written.
    assert_eq!(open(&dir).n_visits(), 5);
    assert_eq!(all_files(&tantivy_folder(&dir)), before);

    record(
        &mut crawl,
        vec![page("http://new.example/", "New pizza", &[])],
    );
    let index = open(&dir);
    assert_eq!((index.n_visits(), index.n_pages()), (6, 6));
    assert_snapshot!(found(&index, "new pizza", None), @"new");
    // The segment of the first update is still there, so it was not built anew.
    let after = all_files(&tantivy_folder(&dir));
    let is_store = |file: &&PathBuf| file.extension().is_some_and(|name| name == "store");
    assert_eq!(before.iter().filter(is_store).count(), 1);
    assert_eq!(after.iter().filter(is_store).count(), 2);
    assert!(
        before
            .iter()
            .filter(is_store)
            .all(|file| after.contains(file))
    );
}

#[test]
fn losing_the_index_loses_nothing() {
    let (dir, mut crawl) = crawl_of(Vec::new());
    for visit in town() {
        record(&mut crawl, vec![visit]);
        open(&dir);
    }
    let answers = |index: &Index| {
        ["pizza", "cafe main", "tx", "example", "st"].map(|words| search(index, words, None, 10))
    };
    let before = answers(&open(&dir));
    assert_eq!(before[3].len(), 5);
    fs::remove_dir_all(dir.path().join("index")).unwrap();
    assert_eq!(answers(&open(&dir)), before);
}

#[test]
fn a_file_is_read_for_damage_once_and_again_when_it_was_touched() {
    let (dir, _crawl) = crawl_of(town());
    open(&dir);
    open(&dir);
    let files = all_files(&tantivy_folder(&dir));
    // One that is built anew has other files.
    let is_fine = || {
        open(&dir);
        all_files(&tantivy_folder(&dir)) == files
    };
    let is_store = |file: &&PathBuf| file.extension().is_some_and(|ending| ending == "store");
    let path = files.iter().find(is_store).unwrap();
    let written = fs::metadata(path).unwrap().modified().unwrap();
    // Nothing but its checksum would tell.
    let mut bytes = fs::read(path).unwrap();
    bytes[3] ^= 0x41;
    fs::write(path, bytes).unwrap();
    let touch = |time| {
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(time).unwrap();
    };
    touch(written);
    assert!(is_fine());
    let later = written + std::time::Duration::from_secs(1);
    touch(later);
    assert!(!is_fine());
}

#[test]
fn a_damaged_file_means_building_anew() {
    let (dir, _crawl) = crawl_of(town());
    let expected = search(&open(&dir), "pizza", None, 10);
    assert_eq!(expected.len(), 4);
    let n_files = all_files(&tantivy_folder(&dir)).len();
    for file_idx in 0..n_files {
        for damage in [
            "first", "tenth", "middle", "cut", "empty", "remove", "noise",
        ] {
            open(&dir);
            let file = all_files(&tantivy_folder(&dir))[file_idx].clone();
            let mut bytes = fs::read(&file).unwrap();
            let middle = bytes.len() / 2;
            match damage {
                // Small files are mostly footer; what it vouches for comes first.
                "first" if middle > 0 => bytes[0] ^= 0x41,
                "tenth" if middle > 0 => bytes[middle / 5] ^= 0x41,
                "middle" if middle > 0 => bytes[middle] ^= 0x41,
                "cut" => bytes.truncate(middle),
                "empty" => bytes.clear(),
                _ => bytes.fill(0xff),
            }
            match damage {
                "remove" => fs::remove_file(&file).unwrap(),
                _ => fs::write(&file, bytes).unwrap(),
            }
            let hits = search(&open(&dir), "pizza", None, 10);
            assert_eq!(hits, expected, "{damage} {}", file.display());
        }
    }
}

#[test]
fn an_index_of_another_crawl_is_not_believed() {
    let (old, _crawl) = crawl_of(town());
    open(&old);
    let others = [
        vec![page("http://other.example/", "Other pizza", &[])],
        town().into_iter().rev().collect(),
    ];
    for visits in others {
        let n_visits = visits.len() as u64;
        let first = visits[0].url.clone();
        let (dir, _crawl) = crawl_of(visits);
        fs::create_dir_all(tantivy_folder(&dir)).unwrap();
        for file in all_files(&tantivy_folder(&old)) {
            fs::copy(&file, tantivy_folder(&dir).join(file.file_name().unwrap())).unwrap();
        }
        let index = open(&dir);
        assert_eq!((index.n_visits(), index.n_pages()), (n_visits, n_visits));
        assert_eq!(search(&index, "example", None, 1)[0].url, first);
    }
}

#[test]
fn refusals_name_the_folder_and_the_reason() {
    let dir = tempfile::tempdir().unwrap();
    let refusal = |at: &Path| {
        let error: SearchError = Index::open_or_build(at, &mut |_| {}).unwrap_err();
        let text = error.to_string();
        text.replace(&dir.path().display().to_string(), "DIR")
    };
    assert_snapshot!(refusal(dir.path()), @r"
    there is no crawl in `DIR`
    ");
    assert!(!dir.path().join("index").exists(), "nothing is left behind");

    let crawl_at = dir.path().join("crawl");
    let mut crawl = CrawlDir::create(&crawl_at, "").unwrap();
    record(&mut crawl, town());
    fs::write(crawl_at.join("index"), "mine").unwrap();
    assert_snapshot!(refusal(&crawl_at), @"cannot prepare the index folder `DIR/crawl/index`: File exists (os error 17)");
    fs::remove_file(crawl_at.join("index")).unwrap();

    fs::create_dir(crawl_at.join("index")).unwrap();
    let lock = File::create(crawl_at.join("index/lock")).unwrap();
    lock.lock().unwrap();
    assert_snapshot!(refusal(&crawl_at), @"the index `DIR/crawl/index` is being built by another process");
    lock.unlock().unwrap();
    Index::open_or_build(&crawl_at, &mut |_| {}).unwrap();
    // What is committed can be asked while another process adds to it.
    lock.lock().unwrap();
    record(&mut crawl, town());
    assert_eq!(
        Index::open_or_build(&crawl_at, &mut |_| {})
            .unwrap()
            .n_visits(),
        5
    );
    lock.unlock().unwrap();
    assert_eq!(
        Index::open_or_build(&crawl_at, &mut |_| {})
            .unwrap()
            .n_visits(),
        10
    );
}

#[test]
fn an_empty_crawl_has_an_empty_index() {
    let (dir, mut crawl) = crawl_of(Vec::new());
    for _ in 0..2 {
        let index = open(&dir);
        assert_eq!((index.n_visits(), index.n_pages()), (0, 0));
        assert_eq!(search(&index, "pizza", None, 10), []);
        assert_eq!(search(&index, "", Some(HOUSTON), 10), []);
        assert_eq!(index.places("/").unwrap(), []);
    }
    record(&mut crawl, town());
    assert_eq!(open(&dir).n_pages(), 5);
}

#[test]
fn odd_queries_have_an_answer() {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    for empty in [
        "",
        " ",
        "...",
        "\"",
        "()[]{}*?~^:-+!&|\\/",
        "\0",
        "a".repeat(10_000).as_str(),
    ] {
        assert_eq!(found(&index, empty, None), "", "{empty}");
    }
    assert_eq!(found(&index, "\"pasta luigi", None), "luigi");
    assert_eq!(found(&index, "title:(luigi AND", None), "luigi");
    assert_eq!(found(&index, &"(luigi ".repeat(2_000), None), "luigi");
    let words: Vec<String> = (0..2_000).map(|n| format!("w{n}")).collect();
    assert_eq!(found(&index, &words.join(" "), None), "");
    assert_eq!(
        found(&index, &format!("luigi {}", words.join(" ")), None),
        "luigi"
    );
    assert_eq!(search(&index, "pizza", None, 0), []);
    assert_eq!(search(&index, "pizza", None, 1).len(), 1);
    assert_eq!(search(&index, "pizza", None, usize::MAX).len(), 4);
}

static TOWN: LazyLock<(TempDir, Index)> = LazyLock::new(|| {
    let (dir, _crawl) = crawl_of(town());
    let index = open(&dir);
    (dir, index)
});

proptest! {
    #[test]
    fn any_query_has_an_answer(query in "\\PC{0,60}|[a-z .:\"()*]{0,60}|[a-z]{0,9} (in|near|bei) [A-Z][a-z]{2,8}", n_hits in 0..9_usize) {
        let ask = Ask { query, n_hits, ..Ask::default() };
        let hits = TOWN.1.ask(&ask).unwrap().hits;
        prop_assert!(hits.len() <= n_hits);
    }
}
