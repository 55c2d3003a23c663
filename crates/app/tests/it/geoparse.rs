//! `locavore geoparse`: what people see and what other programs rely on.
//!
//! Which names are found, and how sure that is, changes with the model: these
//! tests look at addresses and at names that nobody could take for others.

use crate::program::{Place, Run};
use crate::replay::town::Site;
use insta::assert_snapshot;
use serde_json::{Value, json};

const VISIT: &str = "Büro 東京:\nvisit us at 1200 Main Street, Houston, TX 77002.\n";

const PAGE: &str = r#"<!doctype html><title>Town hall</title>
<script type="application/ld+json">{"@type": "PostalAddress", "streetAddress": "901 Bagby St",
"addressLocality": "Houston", "addressRegion": "Texas", "postalCode": "77002"}</script>
<p>Büro: 1200 Main Street<br>Houston, TX 77002</p>"#;

fn lines(run: &Run) -> Vec<Value> {
    let parse = |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("{line}"));
    run.stdout.lines().map(parse).collect()
}

/// The code points of a text between two offsets.
fn slice(text: &str, object: &Value) -> String {
    let [start, end] = ["start", "end"].map(|key| object[key].as_u64().unwrap() as usize);
    text.chars().skip(start).take(end - start).collect()
}

/// Lines of a listing that say these words, without space at their ends.
fn said(run: &Run, words: &str) -> Vec<String> {
    let lines = run.stdout.lines().filter(|line| line.contains(words));
    lines.map(|line| line.trim().to_owned()).collect()
}

#[test]
fn a_listing_says_what_and_where() {
    let place = Place::new();
    place.write("visit.txt", VISIT);
    let run = place.run(&["geoparse", "visit.txt"]).expect_done();
    assert_eq!(run.stdout.lines().next(), Some("visit.txt"));
    let [address] = &said(&run, "1200 Main")[..] else {
        panic!("{}", run.stdout);
    };
    let words: Vec<&str> = address
        .split("  ")
        .map(str::trim)
        .filter(|word| !word.is_empty())
        .collect();
    assert_eq!(
        words[..4],
        [
            "2:13",
            "address",
            "1200 Main Street, Houston, TX 77002",
            "Houston, Texas, United States"
        ]
    );
    assert!(words[4].starts_with("29."), "{address}");
    assert_eq!(said(&run, "← focus").len(), 1, "{}", run.stdout);
    assert!(
        said(&run, "← focus")[0].starts_with("Houston"),
        "{}",
        run.stdout
    );
    assert!(!run.stdout.contains('\x1b'), "no colours in a pipe");
    assert_eq!(run.stderr, "");
}

#[test]
fn why_gives_the_parts_and_whether_they_agree() {
    let place = Place::new();
    place.write("page.html", PAGE);
    let run = place.run(&["geoparse", "page.html", "--why"]).expect_done();
    assert_eq!(
        said(&run, "· house 1200"),
        ["· house 1200, street MAIN ST, city Houston, state TX, ZIP 77002, country US"]
    );
    assert_eq!(said(&run, "agree").len(), 1, "{}", run.stdout);
    assert_eq!(said(&run, "json-ld").len(), 1, "{}", run.stdout);
    assert_eq!(
        said(&run, "· read as an address").len(),
        1,
        "{}",
        run.stdout
    );
    let without = place.run(&["geoparse", "page.html"]).expect_done();
    assert!(!without.stdout.contains('·'), "{}", without.stdout);
}

#[test]
fn json_lines_keep_the_contract() {
    let input = [
        json!({"id": 7, "text": VISIT}),
        json!({"id": "page", "html": PAGE, "url": "http://town.example/"}),
    ];
    let input = input.map(|line| line.to_string()).join("\n");
    let run = Place::new()
        .feed(&["geoparse", "--jsonl"], input.as_bytes())
        .expect_done();
    let [text, html] = &lines(&run)[..] else {
        panic!("{}", run.stdout);
    };
    assert_eq!((&text["id"], &html["id"]), (&json!(7), &json!("page")));
    assert_eq!(text["text"], VISIT);
    let address = &text["addresses"][0];
    assert_eq!(slice(VISIT, address), "1200 Main Street, Houston, TX 77002");
    let mut known = address.clone();
    for number in ["lat", "lon", "geonameid"] {
        assert!(known[number].is_number(), "{known}");
        known.as_object_mut().unwrap().remove(number);
    }
    assert_eq!(
        known,
        json!({"start": 21, "end": 56, "text": "1200 Main Street, Houston, TX 77002",
            "number": "1200", "street": "MAIN ST", "unit": null, "city": "Houston",
            "state": "TX", "zip": "77002", "country": "US", "precision": "postcode"})
    );
    let extracted = html["text"].as_str().unwrap();
    assert_eq!(
        slice(extracted, &html["addresses"][0]),
        "1200 Main Street\nHouston, TX 77002"
    );
    assert_eq!(
        html["structured"],
        json!([{"kind": "json-ld", "street": "901 Bagby St", "city": "Houston", "state": "TX",
            "zip": "77002", "country": null, "lat": null, "lon": null}])
    );
}

#[test]
fn json_lines_say_what_a_page_is_called_and_about() {
    let input = [
        json!({"id": 1, "html": PAGE}),
        json!({"id": 2, "text": "nothing of a place"}),
        json!({"id": 3, "text": "PO Box 1562, Houston, TX 77251"}),
    ];
    let input = input.map(|line| line.to_string()).join("\n");
    let run = Place::new()
        .feed(&["geoparse", "--jsonl", "--no-text"], input.as_bytes())
        .expect_done();
    let [page, nothing, post_box] = &lines(&run)[..] else {
        panic!("{}", run.stdout);
    };
    for line in [page, nothing, post_box] {
        assert!(line.get("text").is_none(), "{line}");
    }
    assert_eq!(page["title"], "Town hall");
    assert_eq!(page["focus"]["name"], "Houston, Texas, United States");
    assert_eq!(page["focus"]["geonameid"], 4_699_066);
    let about = page["about"].as_array().unwrap();
    let names: Vec<&Value> = about.iter().map(|place| &place["name"]).collect();
    assert_eq!(
        names,
        [
            "United States",
            "Texas, United States",
            "Houston, Texas, United States"
        ]
    );
    assert_eq!(about[2], page["focus"]);
    assert_eq!(
        (&nothing["title"], &nothing["focus"], &nothing["about"]),
        (&json!(null), &json!(null), &json!([]))
    );
    assert_eq!(post_box["addresses"][0]["po_box"], "PO BOX 1562");
}

/// A page with its own coordinates, 1.3 km from the middle of its ZIP code.
const WITH_POINT: &str = r#"<!doctype html><title>City hall</title>
<script type="application/ld+json">{"@type": "GovernmentOffice",
"address": {"@type": "PostalAddress", "streetAddress": "901 Bagby St",
"addressLocality": "Houston", "addressRegion": "TX", "postalCode": "77002"},
"geo": {"@type": "GeoCoordinates", "latitude": 29.7604, "longitude": -95.3698}}</script>
<p>901 Bagby Street<br>Houston, TX 77002</p><p>1200 Main Street, Houston, TX 77002</p>"#;

#[test]
fn the_coordinates_of_a_page_win_over_the_middle_of_its_zip_code() {
    let place = Place::new();
    place.write("hall.html", WITH_POINT);
    let run = place
        .run(&["geoparse", "--jsonl", "hall.html"])
        .expect_done();
    let page = lines(&run).remove(0);
    let at = |address: &Value| (address["lat"].clone(), address["precision"].clone());
    assert_eq!(at(&page["addresses"][0]), (json!(29.7604), json!("page")));
    assert_eq!(
        at(&page["addresses"][1]),
        (json!(29.7594), json!("postcode"))
    );
    let run = place
        .run(&["geoparse", "--geojson", "hall.html"])
        .expect_done();
    let collection = run.json();
    let hall = &collection["features"][0];
    assert_eq!(hall["geometry"]["coordinates"], json!([-95.3698, 29.7604]));
    assert_eq!(hall["properties"]["precision"], "page");
    assert_eq!(hall["properties"]["count"], 2, "text and markup");
}

#[test]
fn search_answers_with_the_coordinates_of_the_page() {
    let place = Place::new();
    let mut site = Site::create(&place.path("made"));
    site.page("http://town.example/", WITH_POINT);
    std::fs::write(place.path("web.warc.gz"), site.finish()).unwrap();
    let crawl = ["crawl", "Houston, TX", "--web", "web.warc.gz", "--out", "c"];
    place.run(&crawl).expect_done();
    let hit = |near: &[&str]| {
        let search = ["search", "c", "city hall", "--json"];
        let run = place.run(&[&search, near].concat()).expect_done();
        let hit = run.json()["hits"][0].clone();
        let [lat, lon] = ["lat", "lon"].map(|key| hit[key].as_f64().unwrap());
        format!("{lat:.4},{lon:.4} {}", hit["precision"].as_str().unwrap())
    };
    assert_eq!(hit(&[]), "29.7604,-95.3698 page");
    assert_eq!(
        hit(&["--near", "29.7594,-95.3594"]),
        "29.7594,-95.3594 postcode"
    );
}

#[test]
fn geojson_has_the_parts_of_addresses_and_only_what_is_asked_for() {
    let place = Place::new();
    place.write("hall.html", &format!("{WITH_POINT}<p>Flights to Chicago"));
    let kinds = |only: &str| {
        let run = place
            .run(&["geoparse", "--geojson", "--only", only, "hall.html"])
            .expect_done();
        let collection = run.json();
        let features = collection["features"].as_array().unwrap().clone();
        let kind = |feature: &Value| feature["properties"]["kind"].as_str().unwrap().to_owned();
        let kinds: Vec<String> = features.iter().map(kind).collect();
        (kinds, features)
    };
    let (found, features) = kinds("addresses");
    assert_eq!(found, ["address", "address"]);
    let mut properties = features[0]["properties"].clone();
    let parts = properties.as_object_mut().unwrap();
    parts.retain(|key, _| !["document", "geonameid", "place", "text"].contains(&key.as_str()));
    assert_eq!(
        properties,
        json!({"kind": "address", "number": "901", "street": "BAGBY ST", "unit": null,
            "city": "Houston", "state": "TX", "zip": "77002", "country": "US",
            "precision": "page", "count": 1})
    );
    assert_eq!(kinds("markup").0, ["json-ld"]);
    assert_eq!(kinds("names").0, ["city"]);
    assert_eq!(kinds("addresses,names").0, ["address", "address", "city"]);
    let run = place.run(&["geoparse", "--only", "names", "hall.html"]);
    assert_eq!(said(&run.expect_done(), "Bagby").len(), 0);
    let run = place.run(&["geoparse", "--jsonl", "--only", "markup", "hall.html"]);
    let page = lines(&run.expect_done()).remove(0);
    assert_eq!(page["addresses"], json!([]));
    assert_eq!(page["structured"].as_array().unwrap().len(), 1);
}

#[test]
fn places_inside_addresses_are_places_too() {
    let input = json!({"id": 1, "text": "Ü: 5 Oak St, Dallas, Texas 75201 USA"}).to_string();
    let run = Place::new()
        .feed(&["geoparse", "--jsonl"], input.as_bytes())
        .expect_done();
    let line = &lines(&run)[0];
    let text = line["text"].as_str().unwrap();
    for (name, kind) in [("Dallas", "city"), ("Texas", "state"), ("USA", "country")] {
        let places = line["places"].as_array().unwrap();
        let found: Vec<&Value> = places
            .iter()
            .filter(|place| place["name"] == name)
            .collect();
        let [place] = found[..] else {
            panic!("{name}: {places:?}");
        };
        assert_eq!(
            (slice(text, place).as_str(), &place["kind"]),
            (name, &json!(kind))
        );
        for key in ["geonameid", "lat", "lon", "confidence"] {
            assert!(place[key].is_number(), "{place}");
        }
    }
}

#[test]
fn many_lines_come_back_in_order() {
    let line = |id: usize| {
        let text = "5 Oak St, Dallas, TX 75201. ".repeat(1 + id % 5 * 20);
        json!({"id": id, "text": text}).to_string()
    };
    let input: Vec<String> = (0..300).map(line).collect();
    let place = Place::new();
    place.write("in.jsonl", &input.join("\n"));
    let run = place
        .run(&["geoparse", "--jsonl", "in.jsonl"])
        .expect_done();
    let ids: Vec<Value> = lines(&run)
        .into_iter()
        .map(|line| line["id"].clone())
        .collect();
    assert_eq!(ids, (0..300).map(|id| json!(id)).collect::<Vec<_>>());
}

#[test]
fn documents_of_every_kind_become_json_lines() {
    let place = Place::new();
    place.write("visit.txt", VISIT);
    place.write("page.html", PAGE);
    place.write("lines.txt", "{\"id\": 1, \"text\": \"x\"}\n");
    let args = ["geoparse", "--jsonl", "visit.txt", "page.html", "lines.txt"];
    let ids = |run: &Run| {
        lines(run)
            .iter()
            .map(|line| line["id"].clone())
            .collect::<Vec<_>>()
    };
    let run = place.run(&args).expect_done();
    assert_eq!(
        ids(&run),
        [json!("visit.txt"), json!("page.html"), json!(1)]
    );
}

#[test]
fn bad_lines_are_named_and_the_others_done() {
    let input =
        b"{\"id\": 1, \"text\": \"x\"}\nfoo\n\n{\"id\": 3}\n[]\n{\"id\": 5, \"text\": \"y\"}\n";
    let run = Place::new().feed(&["geoparse", "--jsonl"], input);
    assert_snapshot!(run.complaint(), @r"
    exit 1
    error: standard input, line 2: not JSON (expected ident at line 1 column 2): `foo`
    error: standard input, line 4: neither `text` nor `html` is a string
    error: standard input, line 5: not a JSON object
    ");
    let ids: Vec<Value> = lines(&run)
        .into_iter()
        .map(|line| line["id"].clone())
        .collect();
    assert_eq!(
        ids,
        [json!(1), json!(null), json!(3), json!(null), json!(5)]
    );
    let errors = lines(&run)
        .iter()
        .filter(|line| line["error"].is_string())
        .count();
    assert_eq!(errors, 3);
}

#[test]
fn geojson_has_points_with_longitude_first_and_each_thing_once() {
    let place = Place::new();
    place.write("visit.txt", &VISIT.repeat(3));
    place.write("page.html", PAGE);
    let run = place
        .run(&["geoparse", "--geojson", "visit.txt", "page.html"])
        .expect_done();
    let collection = run.json();
    assert_eq!(collection["type"], "FeatureCollection");
    let features = collection["features"].as_array().unwrap();
    for feature in features {
        assert_eq!(feature["type"], "Feature");
        assert_eq!(feature["geometry"]["type"], "Point");
        assert_eq!(
            feature["geometry"]["coordinates"].as_array().unwrap().len(),
            2
        );
    }
    let of = |document: &str, kind: &str| -> Vec<&Value> {
        let is_wanted = |feature: &&Value| {
            let properties = &feature["properties"];
            properties["document"] == document && properties["kind"] == kind
        };
        features.iter().filter(is_wanted).collect()
    };
    let [address] = of("visit.txt", "address")[..] else {
        panic!("{}", run.stdout);
    };
    assert_eq!(address["properties"]["count"], 3);
    let [lon, lat] = [0, 1].map(|idx| address["geometry"]["coordinates"][idx].as_f64().unwrap());
    assert!(
        (lon + 95.4).abs() < 0.5 && (lat - 29.8).abs() < 0.5,
        "{lon} {lat}"
    );
    assert_eq!(of("page.html", "json-ld").len(), 1, "{}", run.stdout);
}

#[test]
fn codes_for_terminals_do_not_reach_them() {
    let place = Place::new();
    let page = PAGE.replace("901 Bagby St", "901 \\u001b[2JBagby St");
    place.write("page.html", &page);
    let run = place.run(&["geoparse", "page.html"]).expect_done();
    assert_eq!(said(&run, "json-ld").len(), 1, "{}", run.stdout);
    assert!(!run.stdout.contains('\x1b'), "{}", run.stdout);
}

#[test]
fn letters_that_turn_a_terminal_around_are_escaped_in_json() {
    let place = Place::new();
    let odd = "Houston\u{202e}, TX\u{9b}2J 77002 \u{7f}\u{2066}";
    let line = json!({"id": odd, "text": odd}).to_string();
    let run = place
        .feed(&["geoparse", "--jsonl"], line.as_bytes())
        .expect_done();
    let is_turn = |c: char| ('\u{2000}'..'\u{2070}').contains(&c);
    let is_obeyed = |c: char| c != '\n' && c.is_control() || is_turn(c);
    assert!(!run.stdout.contains(is_obeyed), "{:?}", run.stdout);
    let line = &lines(&run)[0];
    assert_eq!((&line["id"], &line["text"]), (&json!(odd), &json!(odd)));
}

/// A text of more than two megabytes: so many numbers of one street, each twice.
fn long_text(n_numbers: usize) -> String {
    let line = |n: usize| format!("{} Bagby Street, Houston, TX 77002 – Büro\n", n % n_numbers);
    (n_numbers..3 * n_numbers).map(line).collect()
}

#[test]
fn a_long_text_is_read_in_pieces_and_told_as_one() {
    let n_numbers = 28_000;
    let text = long_text(n_numbers);
    assert!(text.len() > 2 << 20);
    let place = Place::new();
    place.write("long.txt", &text);
    place.write("short.txt", VISIT);
    let files = ["long.txt", "short.txt"];
    let run = |flags: &[&str]| {
        place
            .run(&[&["geoparse"], flags, &files].concat())
            .expect_done()
    };

    let told = run(&["--jsonl"]);
    let [long, short] = &lines(&told)[..] else {
        panic!("{} lines", told.stdout.lines().count());
    };
    assert_eq!(
        (&long["id"], &short["id"]),
        (&json!(files[0]), &json!(files[1]))
    );
    assert_eq!(long["text"], text);
    assert_eq!(long["focus"]["name"], "Houston, Texas, United States");
    let characters: Vec<char> = text.chars().collect();
    let is_told = |object: &Value, key: &str| {
        let [start, end] = ["start", "end"].map(|key| object[key].as_u64().unwrap() as usize);
        let said: String = characters[start..end].iter().collect();
        object[key] == said
    };
    let addresses = long["addresses"].as_array().unwrap();
    // Nobody lives at number 0.
    let n_found = addresses.len();
    assert!(
        (2 * n_numbers - 2..=2 * n_numbers).contains(&n_found),
        "{n_found}"
    );
    assert!(addresses.iter().all(|address| is_told(address, "text")));
    let places = long["places"].as_array().unwrap();
    assert!(places.len() >= 2 * n_found, "city and state of each");
    assert!(places.iter().all(|place| is_told(place, "name")));

    let collection = run(&["--geojson", "--only", "addresses"]).json();
    let features = collection["features"].as_array().unwrap();
    assert_eq!(features.len(), n_found / 2 + 1);
    let long = &features[..n_found / 2];
    assert!(
        long.iter()
            .all(|feature| feature["properties"]["count"] == 2)
    );

    let listing = run(&[]);
    assert_eq!(said(&listing, "Bagby Street").len(), n_found);
    assert_eq!(said(&listing, "← focus").len(), 2, "of both documents");
    assert!(listing.stdout.starts_with("long.txt\n"));
    assert!(listing.stdout.contains("\n\nshort.txt\n"));
}

#[test]
fn nothing_found_is_no_error() {
    let place = Place::new();
    place.write("dull.txt", "nothing to see here\n");
    assert_snapshot!(place.run(&["geoparse", "dull.txt"]).expect_done().stdout, @r"
    dull.txt
      no addresses or places
    ");
    let run = place
        .run(&["geoparse", "--geojson", "dull.txt"])
        .expect_done();
    assert_eq!(
        run.json(),
        json!({"type": "FeatureCollection", "features": []})
    );
}

#[test]
fn standard_input_is_text_html_or_an_archive() {
    let place = Place::new();
    for args in [&["geoparse"][..], &["geoparse", "-"]] {
        let run = place.feed(args, VISIT.as_bytes()).expect_done();
        assert_eq!(said(&run, "address  ").len(), 1, "{}", run.stdout);
    }
    let run = place.feed(&["geoparse"], PAGE.as_bytes()).expect_done();
    assert_eq!(said(&run, "json-ld").len(), 1, "{}", run.stdout);
    let warc = crawl(&place);
    let run = place
        .feed(&["geoparse"], &std::fs::read(warc).unwrap())
        .expect_done();
    assert!(run.stdout.starts_with("http"), "{}", run.stdout);
}

/// The archive of a small crawl.
fn crawl(place: &Place) -> std::path::PathBuf {
    let args = [
        "crawl",
        "us-top100",
        "--web",
        "lab",
        "--pages",
        "40",
        "--out",
        "c",
    ];
    place.run(&args).expect_done();
    place.warc("c")
}

#[test]
fn every_page_of_an_archive_is_a_document() {
    let place = Place::new();
    let warc = crawl(&place);
    let run = place
        .run(&["geoparse", "--jsonl", warc.to_str().unwrap()])
        .expect_done();
    let mut urls: Vec<String> = lines(&run)
        .iter()
        .map(|line| line["id"].as_str().unwrap().to_owned())
        .collect();
    urls.sort();
    urls.dedup();
    let pages = place.pages("c");
    assert_eq!(urls, pages.keys().cloned().collect::<Vec<_>>());
}

#[test]
fn a_damaged_archive_gives_what_it_has() {
    let place = Place::new();
    let warc = crawl(&place);
    let bytes = std::fs::read(warc).unwrap();
    std::fs::write(place.path("cut.warc.gz"), &bytes[..bytes.len() * 2 / 3]).unwrap();
    let run = place.run(&["geoparse", "cut.warc.gz"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("http"), "{}", run.stdout);
    let start = "error: cannot read WARC file `cut.warc.gz`: damaged after record ";
    assert!(run.stderr.starts_with(start), "{}", run.stderr);
}

#[test]
fn wrong_inputs_are_named_each() {
    let place = Place::new();
    let complain = |args: &[&str]| place.run(&[&["geoparse"], args].concat()).complaint();
    assert_snapshot!(complain(&["no.txt"]), @r"
    exit 2
    error: cannot read `no.txt`: No such file or directory
    ");
    std::fs::create_dir(place.path("folder")).unwrap();
    assert_snapshot!(complain(&["folder"]), @r"
    exit 2
    error: `folder` is a folder
    hint: name the files in it
    ");
    place.write("picture.png", "\u{0}\u{1}\u{2}");
    assert_snapshot!(complain(&["picture.png"]), @r"
    exit 2
    error: `picture.png` is not text
    hint: text, HTML, WARC and JSON lines are read, each also as gzip
    ");
    place.write("empty.txt", " \n");
    assert_snapshot!(complain(&["empty.txt"]), @r"
    exit 2
    error: `empty.txt` is empty
    ");
    place.write("bad.warc.gz", "<html>");
    assert_snapshot!(complain(&["bad.warc.gz"]), @r"
    exit 2
    error: cannot read WARC file `bad.warc.gz`: not a WARC file
    ");
    place.write(
        "bare.warc",
        "WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 0\r\n\r\n\r\n\r\n",
    );
    assert_snapshot!(complain(&["bare.warc"]), @r"
    exit 2
    error: no pages in WARC file `bare.warc`
    hint: only answers with HTML or plain text and a status of 200 to 299 are read
    ");
    assert_snapshot!(place.feed(&["geoparse"], b"").complaint(), @r"
    exit 2
    error: standard input is empty
    ");
    assert_eq!(
        place.feed(&["geoparse", "--jsonl"], b"").complaint(),
        "exit 0\n"
    );
}

#[test]
fn a_wrong_file_among_others_is_passed_over() {
    let place = Place::new();
    place.write("visit.txt", VISIT);
    place.write("again.txt", VISIT);
    let run = place.run(&["geoparse", "visit.txt", "no.txt", "again.txt"]);
    assert_snapshot!(run.complaint(), @r"
    exit 1
    error: cannot read `no.txt`: No such file or directory
    ");
    assert_eq!(said(&run, "1200 Main").len(), 2);
}

#[test]
fn a_folder_of_a_crawl_says_where_its_pages_are() {
    let place = Place::new();
    crawl(&place);
    assert_snapshot!(place.run(&["geoparse", "c"]).complaint(), @r"
    exit 2
    error: `c` is a folder
    hint: the pages of this crawl are in `c/warc/*`
    ");
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let place = Place::new();
    let line = json!({"id": 1, "text": VISIT.repeat(50)}).to_string() + "\n";
    place.write("in.jsonl", &line.repeat(400));
    let mut child = place.start(&["geoparse", "--jsonl", "in.jsonl"]);
    drop(child.stdout.take());
    let run = Run::from(child.wait_with_output().unwrap());
    // It notices when it next writes, or a second later.
    let complaint = run.complaint();
    assert!(
        ["exit 0\n", "exit 141\n"].contains(&complaint.as_str()),
        "{complaint}"
    );
}

#[test]
fn long_texts_are_cut_with_a_word() {
    let place = Place::new();
    let mut long = VISIT.to_owned();
    long.push_str(&"x\n".repeat(17 << 20));
    place.write("long.txt", &long);
    let run = place.run(&["geoparse", "long.txt"]);
    assert_snapshot!(run.complaint(), @r"
    exit 1
    warning: `long.txt` is longer than 32 MB: the rest is left out
    ");
    assert_eq!(said(&run, "1200 Main").len(), 1);
}

#[test]
fn formats_exclude_each_other() {
    for args in [
        ["--jsonl", "--geojson"],
        ["--jsonl", "--why"],
        ["--geojson", "--why"],
    ] {
        let run = Place::new().run(&[&["geoparse"][..], &args].concat());
        assert_eq!(run.code, 2, "{args:?}");
        assert!(run.stderr.contains("cannot be used with"), "{}", run.stderr);
    }
}
