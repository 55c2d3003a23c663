//! Links judged one after another, with pages in between, on a real table.

use super::*;
use page::html;
use proptest::prelude::*;
use store::visit::{Copy, Likeness};
use tempfile::TempDir;

/// The start of 2026.
const NOW: Time = Time(1_767_225_600_000);

struct Crawl {
    _folder: TempDir,
    dir: CrawlDir,
    traps: Traps,
}

impl Crawl {
    fn new() -> Crawl {
        let folder = tempfile::tempdir().unwrap();
        let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
        let traps = Traps::open(&dir).unwrap();
        Crawl {
            _folder: folder,
            dir,
            traps,
        }
    }

    fn judge(&mut self, asked: &str) -> Option<Refusal> {
        self.traps.judge(&url(asked), NOW).unwrap()
    }

    /// Links refused for one reason, of so many.
    fn n_refused(&mut self, refusal: Refusal, links: impl IntoIterator<Item = String>) -> usize {
        let verdicts = links.into_iter().map(|link| self.judge(&link));
        verdicts.filter(|verdict| *verdict == Some(refusal)).count()
    }

    fn learn_copy(&mut self, asked: &str, seq: u64, of: u64) {
        let found = Found::at_home(Copy {
            likeness: Likeness::Near,
            of,
        });
        self.traps.learn(&url(asked), seq, Some(&found)).unwrap();
    }

    fn learn_new(&mut self, asked: &str, seq: u64) {
        self.traps.learn(&url(asked), seq, None).unwrap();
    }

    /// Commits, and forgets all that is in memory.
    fn reopen(&mut self) {
        let mut batch = self.dir.batch();
        self.traps.save(&mut batch);
        self.dir.commit(batch).unwrap();
        self.traps = Traps::open(&self.dir).unwrap();
    }
}

fn url(asked: &str) -> CanonicalUrl {
    CanonicalUrl::parse(&format!("http://a.example{asked}")).unwrap()
}

#[test]
fn a_pattern_that_brings_copies_is_left_alone_but_for_a_few() {
    let mut crawl = Crawl::new();
    for n in 0..8 {
        assert_eq!(crawl.judge(&format!("/print/{n}")), None);
        crawl.learn_copy(&format!("/print/{n}"), n + 1, 0);
        crawl.learn_new(&format!("/story/{n}"), 100 + n);
    }
    let links = |folder: &str| {
        (1_000..2_000)
            .map(move |n| format!("/{folder}/{n}"))
            .collect::<Vec<_>>()
    };
    let n_refused = crawl.n_refused(Refusal::CopyPattern, links("print"));
    assert!((950..990).contains(&n_refused), "{n_refused} of 1,000");
    assert_eq!(crawl.n_refused(Refusal::CopyPattern, links("story")), 0);
    crawl.reopen();
    assert_eq!(
        crawl.n_refused(Refusal::CopyPattern, links("print")),
        n_refused
    );
    for n in 0..20 {
        crawl.learn_new(&format!("/print/{n}"), 200 + n);
    }
    assert_eq!(crawl.n_refused(Refusal::CopyPattern, links("print")), 0);
}

#[test]
fn a_parameter_that_changes_nothing_is_refused_across_sessions() {
    let mut crawl = Crawl::new();
    for item in 0..6 {
        crawl.learn_new(&format!("/item?id={item}&view=list"), item);
        crawl.learn_copy(&format!("/item?id={item}&view=grid"), 100 + item, item);
    }
    crawl.reopen();
    assert_eq!(crawl.judge("/item?id=70&view=list"), None);
    let views = (0..64).map(|n| format!("/item?id=70&view={n}"));
    assert!(crawl.n_refused(Refusal::CopyPattern, views) > 55);
    assert_eq!(crawl.judge("/item?id=71&view=grid"), None);
}

#[test]
fn filters_are_followed_two_hundred_times() {
    let mut crawl = Crawl::new();
    let links = (0..1_000).map(|n| format!("/shop?c={}&s={}&b={}", n % 10, n / 10 % 10, n / 100));
    let links: Vec<String> = links.collect();
    assert_eq!(crawl.n_refused(Refusal::Facets, links.clone()), 800);
    crawl.reopen();
    assert_eq!(
        crawl.n_refused(Refusal::Facets, links),
        800,
        "the same ones"
    );
}

#[test]
fn calendars_are_followed_for_four_hundred_days() {
    let mut crawl = Crawl::new();
    let days = |years: std::ops::Range<u32>| {
        let day = |n: u32| format!("{}-{:02}-{:02}", n / 336, n / 28 % 12 + 1, n % 28 + 1);
        (years.start * 336..years.end * 336)
            .map(day)
            .collect::<Vec<_>>()
    };
    let events = days(2020..2023)
        .into_iter()
        .map(|day| format!("/events/{day}"));
    assert_eq!(crawl.n_refused(Refusal::Calendar, events), 3 * 336 - 400);
    let stories = days(2020..2023)
        .into_iter()
        .map(|day| format!("/stories/{day}"));
    assert_eq!(crawl.n_refused(Refusal::Calendar, stories), 0);
    assert_eq!(crawl.judge("/events/2031-01-01"), Some(Refusal::Calendar));
}

#[test]
fn a_text_that_hints_is_missing_from_the_third_address_on() {
    let mut crawl = Crawl::new();
    let mut is_missing = |n: u32, text: &str| {
        let page = html::read(text.as_bytes(), &url(&format!("/item?id={n}")), None);
        crawl.traps.is_missing(&page).unwrap()
    };
    let text = "Sorry, this item is no longer available.";
    assert_eq!(
        [1, 2, 2, 3, 4].map(|n| is_missing(n, text)),
        [false, false, false, true, true]
    );
    assert!(!is_missing(5, "A chair. The red one is not available."));
    assert!(is_missing(6, "<title>Page not found</title>"));
}

#[test]
fn memory_is_bounded_and_nothing_is_forgotten_on_the_way() {
    let mut crawl = Crawl::new();
    let judge_all = |crawl: &mut Crawl, n_hosts: usize| {
        for n in 0..n_hosts {
            let url =
                CanonicalUrl::parse(&format!("http://h{n}.example/shop?a=1&b=2&c=3")).unwrap();
            assert_eq!(crawl.traps.judge(&url, NOW).unwrap(), None);
            assert!(crawl.traps.hosts.len() <= MAX_HOSTS);
        }
    };
    judge_all(&mut crawl, MAX_HOSTS + 100);
    // The first host had to make room before it was on disk.
    let permuted = CanonicalUrl::parse("http://h0.example/shop?b=2&a=1&c=3").unwrap();
    let verdict = crawl.traps.judge(&permuted, NOW).unwrap();
    assert_eq!(verdict, Some(Refusal::Facets));
    crawl.reopen();
    let verdict = crawl.traps.judge(&permuted, NOW).unwrap();
    assert_eq!(verdict, Some(Refusal::Facets));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn any_addresses_are_judged_and_little_is_kept(
        links in prop::collection::vec(("[/a-z0-9.?&=;%:é-]{0,60}", 0..4u8), 0..400),
    ) {
        let mut crawl = Crawl::new();
        for (seq, (rest, what)) in links.into_iter().enumerate() {
            let Ok(url) = CanonicalUrl::parse(&format!("http://a.example/{rest}")) else { continue };
            crawl.traps.judge(&url, NOW).unwrap();
            let found = Found::at_home(Copy { likeness: Likeness::Exact, of: 0 });
            match what {
                0 => crawl.traps.learn(&url, seq as u64, None).unwrap(),
                1 => crawl.traps.learn(&url, seq as u64, Some(&found)).unwrap(),
                _ => {}
            }
        }
        prop_assert!(crawl.traps.n_entries() < 12_000);
        crawl.reopen();
    }
}

#[test]
fn copies_of_what_is_elsewhere_close_no_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let dir = CrawlDir::create(&folder.path().join("crawl"), "").unwrap();
    let mut traps = Traps::open(&dir).unwrap();
    for seq in 0..100 {
        let mut found = Found::at_home(Copy {
            likeness: Likeness::Near,
            of: 1000 + seq,
        });
        found.is_at_home = false;
        let page = url(&format!("/books/{seq}.html"));
        traps.learn(&page, seq, Some(&found)).unwrap();
    }
    let next = traps.judge(&url("/books/100.html"), NOW).unwrap();
    assert_eq!(next, None);
}
