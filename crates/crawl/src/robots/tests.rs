//! One function, `ask`, stands between these tests and the parser's shape.

use super::Rules;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::time::{Duration, Instant};

/// `/a` → `/a yes, line 3`, one per path.
fn ask(file: &str, agent: &str, paths: &[&str]) -> String {
    let rules = Rules::parse(file.as_bytes(), agent);
    let answers = paths.iter().map(|path| {
        let verdict = rules.verdict(path);
        let answer = if verdict.allowed { "yes" } else { "no" };
        format!("{path} {answer}, line {}", verdict.line)
    });
    answers.collect::<Vec<_>>().join("\n")
}

#[test]
fn longest_match_decides_and_allow_wins_a_tie() {
    let file = "User-agent: *\nDisallow: /page\nAllow: /page/open\nAllow: /page\nDisallow: /*.gif$";
    assert_snapshot!(
        ask(file, "locavore", &["/page/x", "/page/open/x", "/a.gif", "/a.gif?x", "/"]),
        @"
    /page/x yes, line 4
    /page/open/x yes, line 3
    /a.gif no, line 5
    /a.gif?x yes, line 0
    / yes, line 0
    "
    );
}

#[test]
fn a_leading_star_after_a_trailing_star_is_kept() {
    let file = "user-agent: *\ndisallow: /a*\ndisallow: *b";
    assert_snapshot!(ask(file, "locavore", &["/a", "/xb", "/x"]), @"
    /a no, line 2
    /xb no, line 3
    /x yes, line 0
    ");
}

#[test]
fn groups_of_one_agent_are_merged_and_outrank_the_star() {
    let file = "user-agent: *\ndisallow: /\n\nuser-agent: Locavore/1.0\ndisallow: /a\n\n\
                user-agent: other\ndisallow: /b\n\nuser-agent: other\nuser-agent: locavore\ndisallow: /c";
    let paths = &["/a", "/b", "/c", "/d"];
    assert_snapshot!(ask(file, "locavore/2.1 (+http://a.com)", paths), @"
    /a no, line 5
    /b yes, line 0
    /c no, line 12
    /d yes, line 0
    ");
    assert_snapshot!(ask(file, "stranger", paths), @"
    /a no, line 2
    /b no, line 2
    /c no, line 2
    /d no, line 2
    ");
}

#[test]
fn a_longer_or_shorter_name_is_another_agent() {
    let file = "user-agent: loca\ndisallow: /\nuser-agent: locavores\ndisallow: /";
    assert_snapshot!(ask(file, "locavore", &["/"]), @"/ yes, line 0");
}

#[test]
fn a_group_that_says_nothing_still_outranks_the_star() {
    let file = "user-agent: *\ndisallow: /\n\nuser-agent: locavore";
    assert_snapshot!(ask(file, "locavore", &["/"]), @"/ yes, line 0");
}

#[test]
fn other_records_end_no_group() {
    let file = "user-agent: a\nsitemap: /s.xml\n\nhost: x\nuser-agent: locavore\ndisallow: /p";
    assert_snapshot!(ask(file, "a", &["/p"]), @"/p no, line 6");
}

#[test]
fn spellings_of_one_path_are_one_path() {
    // The table of RFC 9309, section 2.2.2, and its examples for special characters.
    let file = "user-agent: *\nallow: /\ndisallow: /foo/bar/\u{30C4}\ndisallow: /%62%61%7A\n\
                disallow: /9%2f11/\ndisallow: /file-%2A.html\ndisallow: /cost-%24\ndisallow: /a b";
    assert_snapshot!(
        ask(file, "x", &["/foo/bar/%e3%83%84", "/baz", "/9%2F11/", "/9/11/", "/file-*.html",
                         "/file-%2a.html", "/file-x.html", "/cost-$5", "/cost-5", "/a%20b"]),
        @"
    /foo/bar/%e3%83%84 no, line 3
    /baz no, line 4
    /9%2F11/ no, line 5
    /9/11/ yes, line 2
    /file-*.html no, line 6
    /file-%2a.html no, line 6
    /file-x.html yes, line 2
    /cost-$5 no, line 7
    /cost-5 yes, line 2
    /a%20b no, line 8
    "
    );
}

#[test]
fn latin_1_rule_matches_latin_1_url() {
    let rules = Rules::parse(b"user-agent: *\ndisallow: /b\xFCcher", "x");
    assert!(!rules.verdict("/b%FCcher").allowed);
    assert!(rules.verdict("/b%C3%BCcher").allowed);
}

#[test]
fn common_mistakes_are_forgiven() {
    for file in [
        "\u{FEFF}user-agent:*\ndisallow:/p",
        "USERAGENT : * # all\rDISSALOW : /p # private\r",
        "user-agent *\r\n\r\ndisallow /p",
        "<b>\nuser-agent: *\ndesallow: /p",
        "user-agent: googlebot, locavore\ndisallow: /p",
    ] {
        let verdict = Rules::parse(file.as_bytes(), "locavore").verdict("/p");
        assert!(!verdict.allowed, "{file:?}");
    }
}

#[test]
fn utf_16_is_read_by_its_mark() {
    let file = "user-agent: *\ndisallow: /p";
    let little = [0xFF, 0xFE].into_iter();
    let little: Vec<u8> = little
        .chain(file.encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    assert!(!Rules::parse(&little, "x").verdict("/p").allowed);
}

#[test]
fn nothing_asked_nothing_refused() {
    for file in [
        "",
        "disallow: /",
        "user-agent: *\ndisallow:",
        "user-agent: *\nallow:",
        "user-agent:\ndisallow: /",
        "#user-agent: *\n#disallow: /",
        "<html>Under maintenance</html>",
    ] {
        let verdict = Rules::parse(file.as_bytes(), "x").verdict("/p");
        assert_eq!((verdict.allowed, verdict.line), (true, 0), "{file:?}");
    }
}

#[test]
fn the_robots_file_itself_is_always_allowed() {
    assert!(Rules::disallow_all().verdict("/robots.txt").allowed);
    assert!(!Rules::disallow_all().verdict("/").allowed);
    assert!(!Rules::disallow_all().verdict("/robots.txt.bak").allowed);
    assert!(Rules::allow_all().verdict("/").allowed);
}

#[test]
fn allowing_an_index_page_allows_its_folder() {
    let file = "user-agent: *\ndisallow: /\nallow: /town/index.html";
    assert_snapshot!(ask(file, "x", &["/town/", "/town/index.html", "/town/x", "/"]), @"
    /town/ yes, line 3
    /town/index.html yes, line 3
    /town/x no, line 2
    / no, line 2
    ");
}

#[test]
fn crawl_delay_is_owed_by_the_agents_named_before_it() {
    let delay = |agent| {
        let file = "user-agent: a\ncrawl-delay: 10\nuser-agent: b\ndisallow: /p\n\
                    user-agent: c\nuser-agent: d\nallow: /\ncrawl-delay: 0.5s\n\
                    user-agent: e\ncrawl-delay: 99999999999999999999\n\
                    user-agent: f\ncrawl-delay: soon\nuser-agent: g\ncrawl-delay: -1";
        Rules::parse(file.as_bytes(), agent).crawl_delay()
    };
    assert_eq!(delay("a"), Some(Duration::from_secs(10)));
    assert_eq!(delay("b"), None);
    assert_eq!(delay("c"), Some(Duration::from_millis(500)));
    assert_eq!(delay("d"), Some(Duration::from_millis(500)));
    assert_eq!(delay("e"), Some(Duration::from_secs(86_400)));
    assert_eq!(delay("f"), None);
    assert_eq!(delay("g"), None);
}

#[test]
fn sitemaps_belong_to_everybody_and_are_listed_once() {
    let file =
        "Sitemap: http://a.com/S.xml\nuser-agent: x\nsite-map: /t.xml\nSITEMAP: http://a.com/S.xml";
    let rules = Rules::parse(file.as_bytes(), "y");
    assert_eq!(rules.sitemaps(), ["http://a.com/S.xml", "/t.xml"]);
}

#[test]
fn a_file_beyond_the_limit_is_cut_at_a_line() {
    let mut file = String::from("user-agent: *\ndisallow: /seen\n");
    file.push_str(&"#".repeat(500 * 1024 - file.len() - 12));
    file.push_str("\nallow: /seen/open\ndisallow: /unseen");
    // The limit falls inside `/seen/open`: half of it must not become a rule.
    assert_snapshot!(ask(&file, "x", &["/seen", "/seen/open", "/unseen"]), @"
    /seen no, line 2
    /seen/open no, line 2
    /unseen yes, line 0
    ");
}

#[test]
fn hostile_patterns_cost_no_more_than_long_ones() {
    let path = format!("/{}", "a".repeat(2_000));
    let lines = [
        format!("disallow: /{}b", "*a".repeat(250_000)),
        format!("disallow: /{}b", "*a".repeat(1_500)),
        format!("disallow: /{}$", "*".repeat(500_000)),
        format!("disallow: *{}b*", "a".repeat(1_000)).repeat(500),
        format!("disallow: *{}b\n", "a".repeat(1_000)).repeat(500),
    ];
    let start = Instant::now();
    for line in lines {
        let file = format!("user-agent: *\n{line}");
        Rules::parse(file.as_bytes(), "x").verdict(&path);
    }
    // Takes about 50 ms unoptimised; a matcher that backtracks takes years.
    assert!(start.elapsed() < Duration::from_secs(5));
}

#[test]
fn beyond_two_thousand_stars_rules_are_stricter_and_never_laxer() {
    let stars = "disallow: /zzz*zzz\n".repeat(2_000);
    let rest = "disallow: /town*street-map\nallow: /town/hall\nallow: /to*wn/\ndisallow: /to";
    let few = format!("user-agent: *\n{rest}");
    let many = format!("user-agent: *\n{stars}{rest}");
    let paths = [
        "/town/street-map",
        "/town/hall/street-map",
        "/town/hall",
        "/to-wn/",
        "/x",
    ];
    assert_snapshot!(ask(&few, "x", &paths), @"
    /town/street-map no, line 2
    /town/hall/street-map no, line 2
    /town/hall yes, line 3
    /to-wn/ yes, line 4
    /x yes, line 0
    ");
    assert_snapshot!(ask(&many, "x", &paths), @"
    /town/street-map no, line 2002
    /town/hall/street-map no, line 2002
    /town/hall no, line 2002
    /to-wn/ no, line 2005
    /x yes, line 0
    ");
    let file = format!("user-agent: *\n{stars}disallow: *map\nallow: /hall");
    assert_snapshot!(ask(&file, "x", &["/town", "/hall"]), @"
    /town no, line 2002
    /hall yes, line 2003
    ");
}

#[test]
fn a_rule_that_is_cut_short_is_told_as_such() {
    let stars = "disallow: /zzz*zzz\n".repeat(2_000);
    let file = format!("user-agent: *\n{stars}disallow: /town*map\ndisallow: /hall # *");
    let rules = Rules::parse(file.as_bytes(), "x");
    let is_shortened =
        |line| rules.is_shortened(line, &super::line(file.as_bytes(), line).unwrap());
    assert_eq!(
        [2, 2_001, 2_002, 2_003].map(is_shortened),
        [false, false, true, false]
    );
}

#[test]
fn a_file_full_of_stars_keeps_few_of_them() {
    let file = format!("user-agent: *\n{}", "disallow:*ab\n".repeat(30_000));
    let rules = Rules::parse(file.as_bytes(), "x");
    assert_eq!(rules.patterns.matches('*').count(), 2_000);
    assert!(!rules.verdict("/ab").allowed);
}

/// The definition of a match, as slow as it is plain.
fn plainly_matches(pattern: &[u8], path: &[u8]) -> bool {
    match (pattern, path) {
        ([], _) | ([b'$'], []) => true,
        ([b'*', rest @ ..], _) => (0..=path.len()).any(|skip| plainly_matches(rest, &path[skip..])),
        ([want, rest @ ..], [have, tail @ ..]) => want == have && plainly_matches(rest, tail),
        _ => false,
    }
}

proptest! {
    #[test]
    fn matching_agrees_with_its_definition(pattern in "/[ab*]{0,7}\\$?", path in "/[ab]{0,9}") {
        let file = format!("user-agent: *\ndisallow: {pattern}");
        let allowed = Rules::parse(file.as_bytes(), "x").verdict(&path).allowed;
        prop_assert_eq!(!allowed, plainly_matches(pattern.as_bytes(), path.as_bytes()));
    }

    #[test]
    fn any_bytes_are_a_file(file in prop::collection::vec(any::<u8>(), 0..300), path in any::<String>()) {
        let mut whole = b"user-agent: *\ndisallow: ".to_vec();
        whole.extend(&file);
        Rules::parse(&file, "x").verdict(&path);
        Rules::parse(&whole, "x").verdict(&path);
    }
}
