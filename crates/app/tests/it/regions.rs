//! A region that is crawled for, whatever in it a page is about.

use crate::program::{Place, Run};
use insta::assert_snapshot;
use std::fmt::Write;

/// A recording of some pages, each of a site of its own that the first links to.
pub(crate) fn recording(texts: &[&str]) -> String {
    let links = (0..texts.len()).map(|nth| format!("<a href=\"http://town{nth}.example/\">t</a>"));
    let links: String = links.collect();
    let mut warc = String::new();
    for (nth, text) in texts.iter().enumerate() {
        let links = if nth == 0 { links.as_str() } else { "" };
        let html = format!("<title>Town {nth}</title><p>{text}</p>{links}");
        let n_bytes = html.len();
        let answer = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\
             Content-Length: {n_bytes}\r\n\r\n{html}"
        );
        let n_bytes = answer.len();
        let _ = write!(
            warc,
            "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://town{nth}.example/\r\n\
             WARC-Date: 2026-05-0{}T12:00:00Z\r\n\
             WARC-Record-ID: <urn:uuid:0000000{nth}-0000-4000-8000-000000000000>\r\n\
             Content-Type: application/http; msgtype=response\r\n\
             Content-Length: {n_bytes}\r\n\r\n{answer}\r\n\r\n",
            nth + 1
        );
    }
    warc
}

/// How many pages of a recording count, and the first line of the crawl.
fn count(place: &Place, wish: &str) -> (u64, String, Run) {
    let crawl = ["crawl", wish, "--web", "towns.warc", "--out", "c", "--json"];
    let run = place.run(&crawl).expect_done();
    let first = run
        .stderr
        .lines()
        .find(|line| line.starts_with("crawling for"));
    let first = first.unwrap_or_default().to_owned();
    (run.json()["geo_pages"].as_u64().unwrap(), first, run)
}

fn towns(texts: &[&str]) -> Place {
    let place = Place::new();
    place.write("towns.warc", &recording(texts));
    place
}

const TOWN_HALLS: [&str; 5] = [
    "Rathaus, Stadtplatz 26, 84478 Waldkraiburg",
    "Rathaus, Marktplatz 1, 91541 Rothenburg ob der Tauber",
    "Markt Oberstdorf, Prinzregenten-Platz 1, 87561 Oberstdorf",
    "Gemeinde Balderschwang, Dorf 16, 87538 Balderschwang",
    "Rathausmarkt 1, 20095 Hamburg",
];

#[test]
fn four_town_halls_of_small_bavarian_towns_are_in_bavaria() {
    let place = towns(&TOWN_HALLS);
    let (n_geo_pages, first, run) = count(&place, "Bavaria");
    assert_eq!(n_geo_pages, 4);
    assert_snapshot!(first, @"crawling for Bavaria, Germany: 1,933 places over 500 people, the largest Munich, Nuremberg, Augsburg");
    let wish = &run.json()["wishes"][0];
    assert_eq!(
        (&wish["places"], &wish["over_people"]),
        (&1933.into(), &500.into()),
        "{wish}"
    );
    let status = place.run(&["status", "c"]).expect_done();
    assert!(
        status
            .stdout
            .contains("for Bavaria, Germany: 1,933 places over 500"),
        "{}",
        status.stdout
    );
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    assert_eq!(&status["wishes"][0], wish);
    let report = place.run(&["report", "c"]).expect_done();
    assert!(
        report
            .stdout
            .contains("for Bavaria, Germany: 1,933 places over 500"),
        "{}",
        report.stdout
    );
}

#[test]
fn cities_over_some_size_are_those_and_no_others() {
    let (n_geo_pages, first, _) = count(&towns(&TOWN_HALLS), "cities over 50,000 in Bavaria");
    assert_eq!(n_geo_pages, 0);
    assert_snapshot!(first, @"crawling for cities over 50,000 in Bavaria: 17 places over 50,000 people, the largest Munich, Nuremberg, Augsburg");
}

#[test]
fn a_county_and_a_box_have_what_lies_in_them_whether_or_not_it_is_a_city() {
    let texts = [
        // A suburb, the county's seat, and a post office whose place nobody lists.
        "12 Main St, Tomball, TX 77375",
        "901 Bagby St, Houston, TX 77002",
        "14 Oak Ln, Hufsmith, TX 77337",
        "3 Elm St, Austin, TX 78701",
    ];
    let (n_geo_pages, first, _) = count(&towns(&texts), "Harris County, TX");
    assert_eq!(n_geo_pages, 3);
    assert_snapshot!(first, @"crawling for Harris County, Texas, United States: 39 places over 500 people, the largest Houston, Cypress, Pasadena");
    let (n_geo_pages, first, _) = count(&towns(&texts), "29.5,-95.8,30.2,-95.0");
    assert_eq!(n_geo_pages, 3);
    assert!(
        first.starts_with("crawling for 29.5,-95.8,30.2,-95.0: "),
        "{first}"
    );
    let size = " places over 500 people, the largest Houston, Cypress, Pasadena";
    assert!(first.ends_with(size), "{first}");
}

#[test]
fn an_address_of_unknown_town_is_in_its_state() {
    let texts = ["12 Main St, Nosuchtown, TX", "12 Main St, Nosuchtown, OK"];
    assert_eq!(count(&towns(&texts), "Texas").0, 1);
}

#[test]
fn a_postal_code_counts_its_own_addresses_only() {
    let texts = [
        "901 Bagby St, Houston, TX 77002",
        "5 Oak St, Houston, TX 77056-1234",
        "Markt 1, 26122 Oldenburg",
    ];
    let (n_geo_pages, first, _) = count(&towns(&texts), "77056");
    assert_eq!(n_geo_pages, 1);
    assert_snapshot!(first, @"crawling for 77056, Houston, Texas, United States");
    assert_eq!(count(&towns(&texts), "26122 Oldenburg").0, 1);
    assert_eq!(count(&towns(&texts), "77056; 77002").0, 2);
    assert_eq!(count(&towns(&texts), "77056; Houston, TX").0, 2);
}
