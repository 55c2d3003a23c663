//! `serve`: what programs and people are answered over real sockets.

mod client;
mod read_only;

use crate::program::{Place, signal, small_crawl, with_pages};
use crate::site::{Site, html, missing};
use client::Server;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// How long a busy machine may take to notice that a crawl goes on.
const PATIENCE: Duration = Duration::from_secs(60);

/// A small made-up crawl that is served.
fn served(place: &Place) -> Server {
    place.run(&with_pages("300")).expect_done();
    Server::start(place, &[])
}

#[test]
fn programs_are_answered_as_the_commands_answer() {
    let place = Place::new();
    let server = served(&place);

    let found = server.get("/api/search?q=home&hits=5&explain=1").json(200);
    let said = place.run(&["search", "c", "home", "--hits", "5", "--explain", "--json"]);
    assert_eq!(found, said.expect_done().json());
    assert_eq!(found["hits"].as_array().unwrap().len(), 5);

    let map = server.get("/api/search?q=home&format=geojson");
    assert_eq!(map.header("content-type"), Some("application/geo+json"));
    assert_eq!(map.json(200)["type"], "FeatureCollection");

    let url = found["hits"][0]["url"].as_str().unwrap();
    let page = server.get(&format!("/api/page?url={url}")).json(200);
    assert_eq!(page["title"], found["hits"][0]["title"]);
    assert_eq!(page["fetched"], found["hits"][0]["fetched"]);
    assert!(page["text"].as_str().unwrap().len() > 100, "{page}");
    assert_eq!(page["language"], "en");
    server
        .get("/api/page?url=http://nowhere.example/")
        .refused(404, "nowhere.example");

    let crawl = server.get("/api/crawl").json(200);
    let status = place.run(&["status", "c", "--json"]).expect_done().json();
    for field in ["state", "visits", "pages", "outcomes", "busiest_hosts"] {
        assert_eq!(crawl[field], status[field], "{field}");
    }
    assert_eq!(server.get("/healthz").json(200)["visits"], crawl["visits"]);

    let line = r#"{"id": 7, "text": "100 Milam Street, Houston, TX 77002"}"#;
    let found = server.post("/api/geoparse", line).json(200);
    let said = place.feed(&["geoparse", "--jsonl"], line.as_bytes());
    assert_eq!(found, said.expect_done().json());
}

#[test]
fn places_are_a_tree_and_its_paths_narrow_a_search() {
    let place = Place::new();
    let server = served(&place);
    let tree = server.get("/api/places?under=/Earth/US&depth=2").json(200);
    let state = &tree["places"][0];
    assert!(state["pages"].as_u64() >= tree["places"][1]["pages"].as_u64());
    assert!(!state["places"].as_array().unwrap().is_empty(), "{state}");
    let path = state["path"].as_str().unwrap().replace(' ', "+");
    let found = server
        .get(&format!("/api/search?within={path}&hits=1"))
        .json(200);
    assert_eq!(found["n_pages"], state["pages"], "{found}");

    let polygon = r#"{"type":"Polygon","coordinates":[[[-170,18],[-60,18],[-60,72],[-170,72]]]}"#;
    let as_text = json!({ "polygon": polygon, "hits": 3 }).to_string();
    let as_object = format!(r#"{{"polygon": {polygon}, "hits": "3"}}"#);
    let found = server.post("/api/search", &as_text).json(200);
    assert_eq!(found["hits"].as_array().unwrap().len(), 3);
    assert_eq!(server.post("/api/search", &as_object).json(200), found);
}

#[test]
fn every_path_of_the_tree_means_the_place_it_names() {
    let place = Place::new();
    let server = served(&place);
    let tree = server.get("/api/places?depth=3").json(200);
    let mut nodes = Vec::new();
    let mut open: Vec<&Value> = tree["places"].as_array().unwrap().iter().collect();
    while let Some(node) = open.pop() {
        open.extend(node["places"].as_array().unwrap());
        nodes.push(node);
    }
    assert!(nodes.len() > 100, "{}", nodes.len());
    for node in nodes {
        let path = node["path"].as_str().unwrap();
        let ask = json!({ "within": path, "hits": 1 }).to_string();
        let found = server.post("/api/search", &ask).json(200);
        // Towns of one name in one state share a path: one of them is meant.
        let is_shared = place::gazetteer::Gazetteer::built_in().at_path(path).len() > 1;
        match is_shared && found["n_pages"] != node["pages"] {
            true => assert!(found["n_pages"].as_u64() > Some(0), "{path}"),
            false => assert_eq!(found["n_pages"], node["pages"], "{path}"),
        }
    }
    let page = server.get("/?q=home").body;
    let link = page.split("href=\"/?within=").nth(1);
    let link = link.or(page.split("&amp;within=").nth(1)).unwrap();
    let path = link.split(['"', '&']).next().unwrap();
    assert!(path.starts_with("%2FEarth%2F"), "{path}");
    let narrowed = server.get(&format!("/?within={path}"));
    assert!(narrowed.body.contains("<li>\n<h2>"), "{}", narrowed.body);
    let said = place.run(&["search", "c", "home", "--within", "/Earth/US", "--json"]);
    assert!(said.expect_done().json()["n_pages"].as_u64() > Some(0));
}

#[test]
fn a_mistyped_place_is_asked_about() {
    let place = Place::new();
    let server = served(&place);
    let meant = |query: &str| {
        let found = server.get(&format!("/api/search?q={query}")).json(200);
        found["understood"]["did_you_mean"][0]["query"].clone()
    };
    assert_eq!(meant("home+near+Chicgo"), "home near Chicago");
    assert_eq!(meant("Hosuton+restaurants"), "Houston restaurants");
    assert_eq!(meant("home"), Value::Null);
    let page = server.get("/?q=home+near+Chicgo").body;
    let link = "did you mean <a href=\"/?q=home+near+Chicago\"";
    assert!(page.contains(link), "{page}");
    let said = place
        .run(&["search", "c", "home near Chicgo"])
        .expect_done();
    let hint = "hint: did you mean `home near Chicago`?\n";
    assert!(said.stderr.contains(hint), "{}", said.stderr);
}

#[test]
fn a_question_without_anything_to_look_for_is_told_so() {
    let place = Place::new();
    let server = served(&place);
    for query in ["", "*", "OR", "NOT houston"] {
        let said = place.run(&["search", "c", query]).expect_done().stderr;
        assert!(said.starts_with("say what to look for"), "{query}: {said}");
        let ask = json!({ "q": query }).to_string();
        let found = server.post("/api/search", &ask).json(200);
        assert_eq!(found["understood"]["asks_nothing"], true, "{query}");
    }
    assert!(server.get("/?q=*").body.contains("Say what to look for"));
}

#[test]
fn near_me_asks_where_that_is() {
    let place = Place::new();
    let server = served(&place);
    let said = place.run(&["search", "c", "home near me"]).expect_done();
    let hint = "hint: say where you are: `--home PLACE`\n";
    assert!(said.stderr.contains(hint), "{}", said.stderr);
    let page = server.get("/?q=home+near+me").body;
    assert!(page.contains("say where you are"), "{page}");
    let at_home = ["search", "c", "home near me", "--home", "Houston, TX"];
    let said = place.run(&at_home).expect_done().stderr;
    assert!(said.contains("(it is near you)"), "{said}");
    assert!(!said.contains("hint"), "{said}");
}

#[test]
fn every_path_is_described() {
    let place = Place::new();
    let server = served(&place);
    let description = server.get("/api/openapi.json").json(200);
    let paths = description["paths"].as_object().unwrap();
    let listed: Vec<&str> = paths.keys().map(String::as_str).collect();
    assert_eq!(
        listed,
        [
            "/api/crawl",
            "/api/geoparse",
            "/api/openapi.json",
            "/api/page",
            "/api/places",
            "/api/search",
            "/healthz"
        ]
    );
    let text = description.to_string();
    let names = text.split("#/components/schemas/").skip(1);
    for name in names.map(|rest| rest.split('"').next().unwrap()) {
        assert!(
            description["components"]["schemas"][name].is_object(),
            "{name}"
        );
    }
}

#[test]
fn what_makes_no_sense_is_refused_by_name() {
    let place = Place::new();
    place.write("secret.geojson", r#"{"type":"Polygon","coordinates":[]}"#);
    let server = served(&place);
    let long = "x".repeat(5000);
    for (query, what) in [
        ("within=Xanaduville", "no place named `Xanaduville`"),
        ("near=Huoston", "did you mean"),
        ("within=Springfield", "say which"),
        ("within=secret.geojson", "names no file"),
        ("within=/Earth/x.json", "names no file"),
        ("within=geonames:1", "no place has the number `1`"),
        ("within=1,2,3", "is no box"),
        ("near=91,0", "is no point"),
        ("near=Texas", "too large: 10 km around its middle"),
        ("near=Houston&radius=50000km", "`20000km` at most"),
        ("near=Houston&within=Texas", "give one of"),
        ("near=Houston&radius=far", "`radius` is `far`"),
        ("radius=5km", "`near`"),
        (
            "hits=0",
            "`hits` is `0`: write a whole number from 1 to 100",
        ),
        ("hits=101", "from 1 to 100"),
        ("skip=1001", "from 0 to 1000"),
        ("skip=-1", "`skip` is `-1`"),
        ("as_of=soon", "`as_of` is `soon`"),
        ("since=yesterday", "a day such as"),
        ("lang=klingon", "a language's short name"),
        ("host=a+b", "a host such as"),
        ("explain=perhaps", "`true` or `false`"),
        ("format=xml", "`json` or `geojson`"),
        ("polygon=%7B%7D", "no Polygon"),
        ("page=2", "unknown field `page`"),
        (
            &format!("q={long}"),
            "`q` has 5000 bytes, 4096 are the most",
        ),
    ] {
        server
            .get(&format!("/api/search?{query}"))
            .refused(400, what);
        let page = server.get(&format!("/?{query}"));
        // The page only shows hits in its own way.
        assert_eq!(
            page.status,
            if query == "format=xml" { 200 } else { 400 },
            "{query}"
        );
    }
    for fine in [
        "near=77002",
        "near=Texas&radius=300km",
        "near=100+Milam+Street,+Houston,+TX+77002",
        "q=%22broken+AND+(",
        "q=NOT",
        "q=*",
        "q=%00%ff",
        "",
        "q=&near=&hits=",
    ] {
        server.get(&format!("/api/search?{fine}")).json(200);
    }
    server
        .get("/api/places?under=US")
        .refused(400, "begins with `/Earth`");
    server
        .get("/api/places?depth=4")
        .refused(400, "from 1 to 3");
    server.get("/api/page").refused(400, "`url`");
    server
        .get("/api/page?url=x")
        .refused(400, "`url` is no URL");
    server
        .post("/api/geoparse", "{}")
        .refused(400, "neither `text` nor `html`");
    server
        .post("/api/geoparse", r#"{"text": "a", "html": "b"}"#)
        .refused(400, "`text` or `html`, not both");
    let large = json!({ "text": "x".repeat(2 << 20) }).to_string();
    server
        .post("/api/geoparse", &large)
        .refused(413, "length limit");
    server.post("/api/search", "[").refused(400, "JSON");
    server
        .post("/api/search", r#"{"q": ["a"]}"#)
        .refused(400, "a text or a number");
    server.post("/api/crawl", "{}").refused(405, "`POST`");
    server.get("/nothing").refused(404, "`/nothing`");
}

#[test]
fn only_who_may_is_let_in() {
    let place = Place::new();
    place.run(&with_pages("30")).expect_done();
    let open = Server::start(&place, &[]);
    for (host, status) in [
        ("localhost:8090", 200),
        ("127.0.0.1", 200),
        ("[::1]:1", 200),
        (open.address.as_str(), 200),
        ("evil.example", 403),
        ("127.0.0.1.evil.example:80", 403),
        ("", 403),
    ] {
        let head = format!("GET /healthz HTTP/1.1\r\nHost: {host}\r\n");
        assert_eq!(open.ask(&head, "").status, status, "{host}");
    }
    let answer = open.get("/healthz");
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(answer.header("access-control-allow-origin"), None);
    let policy = answer.header("cross-origin-resource-policy");
    assert_eq!(policy, Some("same-origin"));

    let closed = Server::start(&place, &["--token", "sesame"]);
    for (word, status) in [
        ("Bearer sesame", 200),
        ("bearer sesame", 200),
        ("Bearer sesam", 401),
        ("Bearer sesamesesame", 401),
        ("Bearer ", 401),
        ("Basic sesame", 401),
        ("Basic bWU6c2VzYW1l", 200),
        ("basic OnNlc2FtZQ==", 200),
        ("Basic bWU6c2VzYW0=", 401),
        ("Digest sesame", 401),
        ("", 401),
    ] {
        for path in ["/", "/healthz", "/api/search", "/nothing-at-all"] {
            let head = format!("GET {path} HTTP/1.1\r\nHost: far\r\nAuthorization: {word}\r\n");
            let answer = closed.ask(&head, "");
            match status {
                401 => answer.refused(401, "token"),
                _ => assert_ne!(answer.status, 401, "{path} {word}"),
            }
        }
    }
    let asks_for = |path: &str| {
        let answer = closed.get(path);
        answer
            .header("www-authenticate")
            .unwrap_or_default()
            .to_owned()
    };
    assert!(
        asks_for("/").starts_with("Basic realm="),
        "no browser can bring it"
    );
    assert_eq!(asks_for("/api/search"), "Bearer");
    insta::assert_snapshot!(place.run(&["serve", "c", "--address", "0.0.0.0:0"]).complaint(), @r"
    exit 2
    error: other machines could read everything on `0.0.0.0:0`: answer them only with a word that they have to bring, `--token WORD`
    ");
    insta::assert_snapshot!(place.run(&["serve", "c", "--token", ""]).complaint(), @r"
    exit 2
    error: the token is empty: anybody could bring it
    ");
    insta::assert_snapshot!(place.run(&["serve", "nowhere", "--address", "127.0.0.1:0"]).complaint(), @r"
    exit 2
    error: there is no crawl in `nowhere`
    ");
}

#[test]
fn a_page_from_elsewhere_may_link_here_and_nothing_else() {
    let place = Place::new();
    place.run(&with_pages("30")).expect_done();
    for (more, word) in [
        (&[][..], ""),
        (&["--token", "sesame"], "Authorization: Bearer sesame\r\n"),
    ] {
        let server = Server::start(&place, more);
        for (site, mode, dest, status) in [
            ("none", "navigate", "document", 200),
            ("same-origin", "cors", "empty", 200),
            ("cross-site", "navigate", "document", 200),
            ("cross-site", "no-cors", "script", 403),
            ("cross-site", "no-cors", "image", 403),
            ("cross-site", "cors", "empty", 403),
            ("cross-site", "navigate", "iframe", 403),
            ("same-site", "no-cors", "style", 403),
        ] {
            let headers = format!(
                "{word}Sec-Fetch-Site: {site}\r\nSec-Fetch-Mode: {mode}\r\nSec-Fetch-Dest: {dest}\r\n"
            );
            for path in ["/", "/api/search?q=home", "/style.css"] {
                let answer = server.get_with(path, &headers);
                assert_eq!(answer.status, status, "{path} {site} {mode} {dest}");
            }
        }
    }
}

#[test]
fn a_hundred_readers_that_do_not_read_do_not_fill_the_memory() {
    let place = Place::new();
    place.run(&with_pages("30")).expect_done();
    let server = Server::start(&place, &[]);
    // Some ten megabytes of answer each.
    let text = "100 Milam St, Houston, TX 77002\n".repeat(14_000);
    let body = json!({ "text": text }).to_string();
    let request = format!(
        "POST /api/geoparse HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n{body}",
        server.address,
        body.len()
    );
    // Takes the first line and no more, and comes again while it is turned away.
    let hold = || {
        let mut last = None;
        for _ in 0..3 {
            let mut stream = TcpStream::connect(&server.address).unwrap();
            let _ = stream.write_all(request.as_bytes());
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            let mut line = [0; 12];
            let is_told = stream.read_exact(&mut line).is_ok();
            let is_held = is_told && line == *b"HTTP/1.1 200";
            last = Some((stream, is_held));
            if is_held {
                break;
            }
        }
        last.unwrap()
    };
    wait_for_geoparser(&server);
    let before = resident(&server);
    let (held, most) = std::thread::scope(|scope| {
        let readers: Vec<_> = (0..100).map(|_| scope.spawn(hold)).collect();
        let mut most = 0;
        while !readers
            .iter()
            .all(std::thread::ScopedJoinHandle::is_finished)
        {
            most = most.max(resident(&server));
            // Others are answered meanwhile.
            server.get("/healthz").json(200);
            std::thread::sleep(Duration::from_millis(50));
        }
        let readers = readers.into_iter().map(|reader| reader.join().unwrap());
        let held = readers.filter(|(_, is_held)| *is_held);
        let held: Vec<TcpStream> = held.map(|(stream, _)| stream).collect();
        (held, most)
    });
    assert!(!held.is_empty(), "somebody got an answer");
    let growth = most.saturating_sub(before) >> 20;
    assert!(growth < 400, "{growth} MiB for readers that do not read");
    // Longer than anybody is waited for.
    std::thread::sleep(Duration::from_secs(15));
    for mut stream in held {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
        assert!(!rest.ends_with(b"}"), "it was hung up on, not answered");
    }
    server.get("/api/search?q=home").json(200);
}

/// What reads texts is made while the first questions are answered.
fn wait_for_geoparser(server: &Server) {
    let start = Instant::now();
    while server
        .post("/api/geoparse", r#"{"text": "Houston"}"#)
        .status
        != 200
    {
        assert!(start.elapsed() < PATIENCE, "no text is read");
    }
}

/// Bytes of memory that a served crawl holds.
fn resident(server: &Server) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{}/status", server.child.id())).unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes: u64 = line
        .unwrap()
        .trim()
        .trim_end_matches(" kB")
        .parse()
        .unwrap();
    kilobytes << 10
}

#[test]
fn what_is_known_is_not_sent_again() {
    let place = Place::new();
    let server = served(&place);
    for path in ["/api/search?q=restaurants", "/?q=restaurants", "/style.css"] {
        let first = server.get(path);
        let tag = first.header("etag").unwrap().to_owned();
        assert_eq!(first.header("cache-control"), Some("no-cache"));
        let again = |tag: &str| server.get_with(path, &format!("If-None-Match: {tag}\r\n"));
        assert_eq!(
            (again(&tag).status, again(&tag).body.len()),
            (304, 0),
            "{path}"
        );
        assert_eq!(again(&format!("\"x\", {tag}")).status, 304, "{path}");
        assert_eq!(again("\"x\"").status, 200, "{path}");
    }
    for path in ["/api/search?q=restaurants", "/"] {
        let head = format!("HEAD {path} HTTP/1.1\r\nHost: {}\r\n", server.address);
        let head = server.ask(&head, "");
        let whole = server.get(path);
        assert_eq!((head.status, head.body.as_str()), (200, ""), "{path}");
        for name in ["etag", "content-length", "content-type"] {
            assert!(whole.header(name).is_some(), "{path} {name}");
            assert_eq!(head.header(name), whole.header(name), "{path} {name}");
        }
    }
    let zipped = server.get_with("/?q=restaurants", "Accept-Encoding: gzip\r\n");
    assert_eq!(zipped.header("content-encoding"), Some("gzip"));
}

#[test]
fn a_hostile_page_is_only_words() {
    let evil = "<script>alert('x')</script>\"><img src=x onerror=y>";
    let title = evil.replace('<', "&lt;");
    let site = Site::start(move |path, _| match path {
        "/robots.txt" => missing(),
        _ => html(&format!(
            "<title>{title}</title><p>A museum {title} in Houston, Texas."
        )),
    });
    let place = Place::new();
    site.crawl(&place, &[]);
    let server = Server::start(&place, &[]);
    let page = server.get("/?q=museum&lang=&host=&within=&near=");
    assert_eq!(page.status, 200);
    assert!(
        page.header("content-security-policy")
            .unwrap()
            .starts_with("default-src 'none'")
    );
    assert!(page.body.contains("<mark>museum</mark>"), "{}", page.body);
    assert!(
        page.body
            .contains("rel=\"nofollow noreferrer\">&lt;script&gt;alert(&#39;x&#39;)"),
        "{}",
        page.body
    );
    let asked = server.get("/?q=%3Cscript%3E%22'&host=%3Cscript%3E");
    for page in [page, asked] {
        assert!(
            !page.body.contains("<script") && !page.body.contains("<img"),
            "{}",
            page.body
        );
    }
}

#[test]
fn pages_of_an_answer_stay_while_a_crawl_goes_on() {
    let place = Place::new();
    let server = served(&place);
    let ask = |query: &str| server.get(&format!("/api/search?{query}")).json(200);
    let urls = |answer: &Value| -> Vec<String> {
        let hits = answer["hits"].as_array().unwrap().iter();
        hits.map(|hit| hit["url"].to_string()).collect()
    };
    let first = ask("q=home&hits=10");
    let as_of = first["as_of"].as_u64().unwrap();
    let next = ask(&format!("q=home&hits=10&skip=10&as_of={as_of}"));
    let page = server.get("/?q=home");
    assert!(
        page.body
            .contains(&format!("skip=10&amp;as_of={as_of}\">next")),
        "{}",
        page.body
    );

    place
        .run(&small_crawl(&["--out", "c", "--pages", "900"]))
        .expect_done();
    let start = Instant::now();
    while server.get("/healthz").json(200)["pages"].as_u64() < Some(600) {
        assert!(start.elapsed() < PATIENCE, "it is not brought up to date");
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(ask("q=home")["as_of"].as_u64() > Some(as_of));
    assert!(ask("q=home")["n_pages"].as_u64() > first["n_pages"].as_u64());
    let again = ask(&format!("q=home&hits=10&skip=10&as_of={as_of}"));
    assert_eq!(again["n_pages"], next["n_pages"]);
    assert_eq!(urls(&again), urls(&next));
    let n_visits = place.visits("c").len();
    while server.get("/api/crawl").json(200)["visits"] != n_visits {
        assert!(start.elapsed() < PATIENCE, "it is not counted on");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn an_index_deleted_under_it_is_built_again() {
    let place = Place::new();
    let server = served(&place);
    let before = server.get("/api/search?q=home").json(200);
    let index = place.path("c").join("index");
    std::fs::remove_dir_all(&index).unwrap();
    assert_eq!(server.get("/api/search?q=home").json(200), before);
    let start = Instant::now();
    while !index.join("tantivy/meta.json").exists() {
        assert!(start.elapsed() < PATIENCE, "it is not built again");
        std::thread::sleep(Duration::from_millis(200));
    }
    place
        .run(&small_crawl(&["--out", "c", "--pages", "600"]))
        .expect_done();
    while server.get("/healthz").json(200)["pages"].as_u64() < Some(400) {
        assert!(start.elapsed() < PATIENCE, "it is not brought up to date");
        std::thread::sleep(Duration::from_millis(200));
    }
}

#[test]
fn it_ends_when_it_is_told_to() {
    let place = Place::new();
    place.run(&with_pages("30")).expect_done();
    for name in ["-INT", "-TERM"] {
        let mut server = Server::start(&place, &[]);
        server.get("/healthz").json(200);
        signal(&server.child, name);
        let start = Instant::now();
        assert!(server.child.wait().unwrap().success());
        assert!(start.elapsed() < Duration::from_secs(5));
    }
}

#[test]
fn who_does_not_go_on_is_hung_up_on() {
    let place = Place::new();
    place.run(&with_pages("30")).expect_done();
    let server = Server::start(&place, &[]);
    let cut_off = |request: &str| {
        let start = Instant::now();
        let mut stream = TcpStream::connect(&server.address).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut said = String::new();
        let _ = stream.read_to_string(&mut said);
        (said, start.elapsed())
    };
    let host = &server.address;
    let half_a_head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nAccept");
    let half_a_body = format!(
        "POST /api/geoparse HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n\
         Content-Length: 100\r\nConnection: close\r\n\r\n{{\"text\""
    );
    std::thread::scope(|scope| {
        let head = scope.spawn(|| cut_off(&half_a_head));
        let body = scope.spawn(|| cut_off(&half_a_body));
        let (_, took) = head.join().unwrap();
        assert!(took < PATIENCE, "a head is waited for: {took:?}");
        let (said, took) = body.join().unwrap();
        assert!(said.starts_with("HTTP/1.1 408"), "{said}");
        assert!(took < PATIENCE, "a body is waited for: {took:?}");
        // Others are answered meanwhile and afterwards.
        server.get("/healthz").json(200);
    });
}

#[test]
fn more_than_can_be_worked_on_are_turned_away() {
    let place = Place::new();
    place.run(&with_pages("300")).expect_done();
    let server = Server::start(&place, &[]);
    wait_for_geoparser(&server);
    // A text that takes some time, and more of them than there are seats.
    let text = "100 Milam Street, Houston, TX 77002. ".repeat(5_000);
    let line = json!({ "text": text }).to_string();
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let ask = || server.post("/api/geoparse", &line).status;
        let asking: Vec<_> = (0..120).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|one| one.join().unwrap()).collect()
    });
    let n = |status: u16| statuses.iter().filter(|one| **one == status).count();
    assert!(n(200) > 0 && n(503) > 0, "{statuses:?}");
    assert_eq!(n(200) + n(503) + n(408), statuses.len(), "{statuses:?}");
    server.get("/healthz").json(200);
}
