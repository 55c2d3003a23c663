//! Crawls that keep to hosts, domains and patterns.

use crate::program::{Place, Run, small_crawl};
use crate::site::{Site, html, missing};
use insta::assert_snapshot;
use page::url::CanonicalUrl;
use serde_json::json;
use store::visit::Visit;

/// A site whose every signpost also points elsewhere, behind a proxy.
fn town() -> Site {
    Site::start(|url, _| match url {
        "http://www.town.example/" => html(
            "<a href=/private/x>1</a> <a href=/a>2</a> <a href=/x.php>3</a>
             <a href=http://shop.town.example/b>4</a> <a href=http://elsewhere.example/>5</a>
             <a href=/moved>6</a>",
        ),
        "http://www.town.example/moved" => {
            "HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/moved\r\n\
             Content-Length: 0\r\n\r\n"
                .into()
        }
        "http://www.town.example/robots.txt" => text(
            "Sitemap: http://www.town.example/map.xml\n\
             Sitemap: http://elsewhere.example/map.xml\n",
        ),
        "http://www.town.example/map.xml" => text(
            "<urlset><url><loc>http://www.town.example/listed</loc></url>\
             <url><loc>http://www.town.example/private/listed</loc></url>\
             </urlset>",
        ),
        url if url.ends_with("/robots.txt") => missing(),
        url => html(&format!("<p>{url}")),
    })
}

fn text(text: &str) -> String {
    let n_bytes = text.len();
    format!("HTTP/1.1 200 OK\r\nContent-Length: {n_bytes}\r\n\r\n{text}")
}

fn crawl(place: &Place, web: &Site, more: &[&str]) -> Run {
    let seeds = "http://www.town.example/\nhttp://elsewhere.example/seed\n";
    place.write("seeds.txt", seeds);
    let proxy = ["--proxy", &web.origin, "--contact", "test@example.org"];
    let args = ["crawl", "Houston, TX", "--seeds", "seeds.txt"];
    let rest = ["--delay", "250ms", "--out", "c"];
    place.run(&[&args[..], &proxy, &rest, more].concat())
}

const SCOPE: [&str; 6] = [
    "--only-domains",
    "town.example",
    "--exclude",
    "/private/",
    "--exclude",
    "*.town.example/*.php$",
];

#[test]
fn a_crawl_of_one_site_wanders_to_no_other() {
    let (place, web) = (Place::new(), town());
    let run = crawl(&place, &web, &SCOPE).expect_done();
    let told = "seed `http://elsewhere.example/seed` is out of scope, and not asked: \
                `--only-domains town.example`";
    assert!(run.stderr.contains(told), "{}", run.stderr);
    let pages = place.pages("c");
    let pages: Vec<&str> = pages.keys().map(String::as_str).collect();
    assert_eq!(
        pages,
        [
            "http://shop.town.example/b",
            "http://www.town.example/",
            "http://www.town.example/a",
            "http://www.town.example/listed",
        ]
    );
    let visits = place.visits("c");
    let mut urls = visits.iter().map(|visit| &visit.url);
    assert!(urls.all(|url| url.contains("town.example/")));

    // A link, a redirect and a sitemap.
    let counted = json!({ "out of scope": 3, "excluded": 3 });
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(status["refusals"], counted);
    assert_eq!(status["progress"]["nodes"][0]["refusals"], counted);
    let status = place.run(&["status", "c"]).expect_done().stdout;
    assert!(
        status.contains("out of scope") && status.contains("excluded"),
        "{status}"
    );

    let why = |url: &str| {
        let story = place.run(&["why", "c", url]).stdout;
        story.lines().take(3).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(why("http://www.town.example/x.php"), @r"
    http://www.town.example/x.php
    no link to it was followed: excluded
    excluded: `--exclude *.town.example/*.php$`
    ");
    assert_snapshot!(why("http://elsewhere.example/moved"), @r"
    http://elsewhere.example/moved
    no link to it was followed: out of scope
    out of scope: `--only-domains town.example`
    ");
    assert_snapshot!(why("http://elsewhere.example/seed"), @r"
    http://elsewhere.example/seed
    never seen: no visit, and no link to it on record
    out of scope: `--only-domains town.example`
    ");
    assert_snapshot!(why("http://never.example/seen"), @r"
    http://never.example/seen
    never seen: no visit, and no link to it on record
    out of scope: `--only-domains town.example`
    ");
    let private = [
        "why",
        "c",
        "http://www.town.example/private/listed",
        "--json",
    ];
    let private = place.run(&private).expect_done().json();
    let scope = json!({ "reason": "excluded", "option": "--exclude", "pattern": "/private/" });
    assert_eq!(private["scope"], scope);

    // It is part of the plan.
    place.run(&["crawl", "--out", "c"]).expect_done();
    place
        .run(&[&["crawl", "--out", "c"], &SCOPE[..]].concat())
        .expect_done();
    assert_eq!(place.pages("c").len(), 4);
    let other = place.run(&["crawl", "--out", "c", "--exclude", "/other/"]);
    assert_snapshot!(other.complaint(), @r"
    exit 2
    error: this crawl was started with another `--exclude` (2 lines then, 1 now): choose another `--out`

    ");
}

#[test]
fn a_list_of_hosts_and_patterns_may_come_from_a_file() {
    let (place, web) = (Place::new(), town());
    place.write(
        "hosts.txt",
        "# ours\nwww.town.example\n\nshop.town.example\n",
    );
    place.write("wanted.txt", "/$\n(example,town,)/listed\n");
    let scope = ["--only-hosts", "@hosts.txt", "--include", "@wanted.txt"];
    crawl(&place, &web, &scope).expect_done();
    let pages = place.pages("c");
    let pages: Vec<&str> = pages.keys().map(String::as_str).collect();
    // The sitemap need not be a page that is wanted.
    assert_eq!(pages, ["http://www.town.example/"]);

    place.write("wanted.txt", "/$\nexample,town,www,)/listed\n");
    std::fs::remove_dir_all(place.path("c")).unwrap();
    crawl(&place, &web, &scope).expect_done();
    assert_eq!(place.pages("c").len(), 2);

    place.write("wanted.txt", "/fine/\ncalendar\norg,,)x\n");
    std::fs::remove_dir_all(place.path("c")).unwrap();
    assert_snapshot!(crawl(&place, &web, &scope).complaint(), @r"
    exit 2
    error: bad lines in `wanted.txt`
      2: `calendar` may be a host, `calendar/`, or part of a path, `/*calendar`
      3: `org,,)x` is no SURT, such as `org,example,` or `http://(org,example,)/path`

    ");
    assert_snapshot!(crawl(&place, &web, &["--only-hosts", "a/b"]).complaint(), @r"
    exit 2
    error: bad `--only-hosts`: `a/b` is no host

    ");
    assert_snapshot!(crawl(&place, &web, &["--exclude", "@none.txt"]).complaint(), @r"
    exit 2
    error: cannot read `none.txt`: No such file or directory

    ");
}

#[test]
fn a_crawl_none_of_whose_seeds_is_in_scope_does_not_start() {
    let (place, web) = (Place::new(), town());
    let run = crawl(&place, &web, &["--only-hosts", "town.example"]);
    assert_snapshot!(run.complaint(), @r"
    exit 2
    error: all 2 seeds are out of scope, such as `http://www.town.example/`: `--only-hosts town.example`

    ");
    assert!(!place.path("c").exists(), "nothing was started");
}

#[test]
fn made_up_and_recorded_webs_have_their_scope_too() {
    let place = Place::new();
    place
        .run(&small_crawl(&["--out", "all", "--pages", "300"]))
        .expect_done();
    let domain_of = |url: &String| {
        CanonicalUrl::parse(url)
            .unwrap()
            .registrable_domain()
            .to_owned()
    };
    let first = place.visits("all").into_iter().find(Visit::is_page);
    let first = domain_of(&first.expect("a page").url);
    let only = ["--only-domains", &first, "--out", "lab", "--pages", "300"];
    place.run(&small_crawl(&only)).expect_done();
    let domains = |dir: &str| -> Vec<String> {
        let mut domains: Vec<String> = place.pages(dir).keys().map(domain_of).collect();
        domains.sort();
        domains.dedup();
        domains
    };
    assert!(domains("all").len() > 1);
    assert_eq!(domains("lab"), std::slice::from_ref(&first));
    assert!(place.pages("lab").len() > 10);

    let warc = place.path("all/warc/locavore-00001.warc.gz");
    let replay = [
        "crawl",
        "us-top100",
        "--nodes",
        "1",
        "--web",
        warc.to_str().unwrap(),
    ];
    let replayed = |scope: &[&str]| {
        place
            .run(&[&replay[..], &["--out", "replay"], scope].concat())
            .expect_done();
        let pages = place.pages("replay");
        std::fs::remove_dir_all(place.path("replay")).unwrap();
        pages
    };
    let all = replayed(&[]);
    let not_first = replayed(&["--exclude", &format!("*.{first}")]);
    assert!(!not_first.is_empty() && not_first.len() < all.len());
    assert!(not_first.keys().all(|url| domain_of(url) != first));
}
