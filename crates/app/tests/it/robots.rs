//! `locavore robots`: verdicts with their reasons.

use crate::program::{Place, Run};
use insta::assert_snapshot;
use serde_json::{Value, json};

/// Questions on which well-known readers of robots rules agree, with the answer.
const CASES: &str = include_str!("robots/cases.jsonl");

const RULES: &str = "User-agent: *\nCrawl-delay: 2.5\nDisallow: /private/\n\
                     Allow: /private/open # to all\n\nSitemap: https://a.example.com/map.xml\n\
                     Sitemap: /more.xml\nUser-agent: Rude\nDisallow: /\n";

fn feed(args: &[&str], input: &[u8]) -> Run {
    Place::new().feed(args, input)
}

#[test]
fn a_listing_names_the_line_that_decides() {
    let place = Place::new();
    place.write("robots.txt", RULES);
    let urls = [
        "http://a.example.com/private/x?y",
        "http://a.example.com/private/open#top",
        "/",
    ];
    let args = [&["robots", "--file", "robots.txt"], &urls[..]].concat();
    let run = place.run(&args);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert_snapshot!(run.stdout, @"
    refused: http://a.example.com/private/x?y (line 3: `Disallow: /private/`)
    allowed: http://a.example.com/private/open#top (line 4: `Allow: /private/open # to all`)
    allowed: / (no rule speaks of it)
    crawl delay: 2.5 s
    sitemap: https://a.example.com/map.xml
    sitemap: /more.xml
    ");
}

#[test]
fn rules_come_from_standard_input_and_agents_differ() {
    let page = "http://a.example.com/x";
    for file in [&[][..], &["--file", "-"]] {
        let args = [&["robots"], file, &[page]].concat();
        assert_eq!(feed(&args, RULES.as_bytes()).code, 0);
        let args = [&["robots", "--agent", "rude/1.0"], file, &[page]].concat();
        let run = feed(&args, RULES.as_bytes());
        assert_eq!(run.code, 1);
        assert!(run.stdout.starts_with("refused: "), "{}", run.stdout);
    }
}

#[test]
fn json_says_the_same() {
    let args = ["robots", "--json", "http://a.example.com/private/x", "/y"];
    let run = feed(&args, RULES.as_bytes());
    assert_eq!(run.code, 1);
    assert_eq!(
        run.json(),
        json!({
            "agent": "Locavore",
            "urls": [
                {"url": "http://a.example.com/private/x", "allowed": false, "line": 3,
                 "text": "Disallow: /private/", "shortened": false},
                {"url": "/y", "allowed": true, "line": 0, "text": null, "shortened": false},
            ],
            "crawl_delay": 2.5,
            "sitemaps": ["https://a.example.com/map.xml", "/more.xml"],
        })
    );
}

#[test]
fn well_known_readers_agree_with_us() {
    let run = feed(&["robots", "--jsonl"], CASES.as_bytes()).expect_done();
    let answers: Vec<&str> = run.stdout.lines().collect();
    let cases: Vec<&str> = CASES.lines().collect();
    assert_eq!(answers.len(), cases.len());
    for (case, answer) in cases.iter().zip(answers) {
        let answer: Value = serde_json::from_str(answer).unwrap();
        let expected: Value = serde_json::from_str(case).unwrap();
        assert_eq!(answer["allowed"], expected["allowed"], "{case}");
        assert!(answer["line"].is_u64(), "{answer}");
    }
}

#[test]
fn bad_lines_are_named_and_the_others_answered() {
    let input = concat!(
        r#"{"robots_txt": "User-agent: *\nDisallow: /", "agent": "x", "url": "http://a.com/"}"#,
        "\n\nnonsense\n",
        r#"{"robots_txt": "User-agent: *\nDisallow: /", "agent": "x", "url": "mailto:me"}"#,
        "\n",
        r#"{"robots_txt": "", "url": "http://a.com"}"#,
        "\n",
        r#"{"agent": "x", "url": "http://a.com/"}"#,
    );
    let run = feed(&["robots", "--jsonl"], input.as_bytes());
    assert_snapshot!(run.complaint(), @"
    exit 1
    error: standard input, line 3: not JSON: `nonsense`
    error: standard input, line 4: `mailto:me`: unknown scheme `mailto`
    error: standard input, line 6: missing field `robots_txt`
    ");
    assert_snapshot!(run.stdout, @r#"
    {"allowed":false,"line":2}
    {"error":"not JSON: `nonsense`"}
    {"error":"`mailto:me`: unknown scheme `mailto`"}
    {"allowed":true,"line":0}
    {"error":"missing field `robots_txt`"}
    "#);
}

#[test]
fn what_cannot_start_says_so() {
    let place = Place::new();
    assert_snapshot!(
        place.run(&["robots", "--file", "none.txt", "/"]).complaint(),
        @"
    exit 2
    error: cannot read `none.txt`: No such file or directory
    "
    );
    assert_snapshot!(
        place.run(&["robots", "--file", "none.txt", "/", "htp://a.com/", "http://"]).complaint(),
        @"
    exit 2
    error: cannot judge
      `htp://a.com/`: unknown scheme `htp`
      `http://`: no host
    "
    );
    assert_eq!(place.run(&["robots"]).code, 2);
    assert_eq!(place.run(&["robots", "--jsonl", "/"]).code, 2);
}

#[test]
fn questions_may_begin_with_a_byte_order_mark() {
    let question = r#"{"robots_txt": "", "agent": "a", "url": "http://a.example/"}"#;
    let run = feed(
        &["robots", "--jsonl"],
        format!("\u{feff}{question}\n").as_bytes(),
    );
    assert_eq!(
        run.expect_done().json(),
        json!({"allowed": true, "line": 0})
    );
}

#[test]
fn a_hostile_file_moves_no_cursor() {
    let rules = b"user-agent: *\ndisallow: /\x1b[2J\x07x\nsitemap: \x1b[31m\ndisallow: /p\x1b\r";
    let run = feed(&["robots", "/p%1B"], rules);
    assert_eq!(run.code, 1);
    assert!(!run.stdout.contains(['\x1b', '\x07']), "{:?}", run.stdout);
}
