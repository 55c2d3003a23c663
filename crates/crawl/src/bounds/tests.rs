use super::*;
use insta::assert_snapshot;
use std::fmt::Write;

fn url(text: &str) -> CanonicalUrl {
    CanonicalUrl::parse(text).expect("a URL")
}

fn excluding(patterns: &[&str]) -> Bounds {
    let mut bounds = Bounds::default();
    for pattern in patterns {
        bounds.exclude(pattern).expect("a pattern");
    }
    bounds
}

fn including(patterns: &[&str]) -> Bounds {
    let mut bounds = Bounds::default();
    for pattern in patterns {
        bounds.include(pattern).expect("a pattern");
    }
    bounds
}

/// Which of the addresses a pattern means.
fn meant(pattern: &str, urls: &[&str]) -> String {
    let bounds = excluding(&[pattern]);
    let meant = urls.iter().filter(|text| {
        let judged = bounds.judge(&url(text));
        assert!(judged.is_none_or(|judged| judged == OutOfBounds::Excluded(pattern)));
        judged.is_some()
    });
    meant
        .map(|text| text.replace("http://", ""))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn every_way_to_write_a_pattern_means_what_it_says() {
    const URLS: [&str; 9] = [
        "http://example.org/",
        "http://example.org/a",
        "http://example.org/a/b.pdf",
        "https://www.example.org/a",
        "http://example.org:8080/a",
        "http://example.organic/a",
        "http://a.org/%7Ejo/x?y=1",
        "http://10.0.0.1/a",
        "http://münchen.de/a",
    ];
    let mut table = String::new();
    for pattern in [
        "/a",
        "/a$",
        "/*.pdf$",
        "/~jo/",
        "*/a/b",
        "/*y=1",
        "example.org",
        "EXAMPLE.org.",
        "http://example.org/a",
        "example.org:8080",
        "example.org/a/*.pdf",
        "*.example.org",
        "*.example.org/a",
        "*.example.org/a$",
        "*ample.org*",
        "www.*/a",
        "10.0.0.1",
        "münchen.de",
        "org,",
        "org,example",
        "org,example,",
        "(org,example,)",
        "org,example)/a/",
        "http://(org,example,)/a",
        "https://(org,example,:8080)/a",
        "org,example,www,",
        "org,a,)/~jo",
    ] {
        let _ = writeln!(table, "{pattern}: {}", meant(pattern, &URLS));
    }
    assert_snapshot!(table, @r#"
    /a: example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a example.organic/a 10.0.0.1/a münchen.de/a
    /a$: example.org/a https://www.example.org/a example.org:8080/a example.organic/a 10.0.0.1/a münchen.de/a
    /*.pdf$: example.org/a/b.pdf
    /~jo/: a.org/%7Ejo/x?y=1
    */a/b: example.org/a/b.pdf
    /*y=1: a.org/%7Ejo/x?y=1
    example.org: example.org/ example.org/a example.org/a/b.pdf example.org:8080/a
    EXAMPLE.org.: example.org/ example.org/a example.org/a/b.pdf example.org:8080/a
    http://example.org/a: example.org/a example.org/a/b.pdf example.org:8080/a
    example.org:8080: example.org:8080/a
    example.org/a/*.pdf: example.org/a/b.pdf
    *.example.org: example.org/ example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a
    *.example.org/a: example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a
    *.example.org/a$: example.org/a https://www.example.org/a example.org:8080/a
    *ample.org*: example.org/ example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a example.organic/a
    www.*/a: https://www.example.org/a
    10.0.0.1: 10.0.0.1/a
    münchen.de: münchen.de/a
    org,: example.org/ example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a a.org/%7Ejo/x?y=1
    org,example: example.org/ example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a
    org,example,: example.org/ example.org/a example.org/a/b.pdf https://www.example.org/a example.org:8080/a
    (org,example,): example.org/ example.org/a example.org/a/b.pdf example.org:8080/a
    org,example)/a/: example.org/a/b.pdf
    http://(org,example,)/a: example.org/a example.org/a/b.pdf example.org:8080/a
    https://(org,example,:8080)/a: example.org:8080/a
    org,example,www,: https://www.example.org/a
    org,a,)/~jo: a.org/%7Ejo/x?y=1
    "#);
}

#[test]
fn what_is_no_pattern_is_told_with_what_it_may_be() {
    let complaint = |text: &str| excluding(&[]).exclude(text).unwrap_err().to_string();
    let mut complaints = String::new();
    for text in [
        " ",
        "calendar",
        "exa mple.org",
        "*",
        "*.example.org:80x",
        "ex*mple.org:80",
        ",org",
        "org,example)x",
        "(org,example,:x)/",
    ] {
        let _ = writeln!(complaints, "{text:?}: {}", complaint(text));
    }
    assert_snapshot!(complaints, @r#"
    " ": an empty pattern
    "calendar": `calendar` may be a host, `calendar/`, or part of a path, `/*calendar`
    "exa mple.org": `exa mple.org` is no host
    "*": `*` is no host
    "*.example.org:80x": `*.example.org:80x` is no host
    "ex*mple.org:80": `ex*mple.org:80` is no host
    ",org": `,org` is no SURT, such as `org,example,` or `http://(org,example,)/path`
    "org,example)x": `org,example)x` is no SURT, such as `org,example,` or `http://(org,example,)/path`
    "(org,example,:x)/": `(org,example,:x)/` is no SURT, such as `org,example,` or `http://(org,example,)/path`
    "#);
    let complaint = |text: &str| excluding(&[]).keep_to_host(text).unwrap_err().to_string();
    for text in [
        "",
        "*.example.org",
        "example.org/path",
        "a b",
        "org,example,",
    ] {
        assert_eq!(complaint(text), format!("`{text}` is no host"));
    }
}

#[test]
fn a_crawl_keeps_to_its_hosts_and_domains() {
    let mut bounds = Bounds::default();
    for host in ["a.example", "https://B.example/", "c.example:8080", "[::1]"] {
        bounds.keep_to_host(host).unwrap();
    }
    for domain in ["d.example", "*.e.example", ".f.example"] {
        bounds.keep_to_domain(domain).unwrap();
    }
    let is_kept = |text: &str| bounds.judge(&url(text)).is_none();
    for text in [
        "http://a.example/x",
        "https://a.example:9/",
        "http://b.example/",
        "http://c.example:8080/",
        "http://[::1]/",
        "http://d.example/",
        "http://x.y.d.example/",
        "http://e.example/",
        "http://www.f.example/",
    ] {
        assert!(is_kept(text), "{text}");
    }
    for text in [
        "http://www.a.example/",
        "http://c.example/",
        "http://xd.example/",
        "http://example/",
        "http://d.example.com/",
    ] {
        assert!(!is_kept(text), "{text}");
        assert_eq!(bounds.judge(&url(text)), Some(OutOfBounds::OtherHost));
    }
}

#[test]
fn hosts_inclusions_and_exclusions_all_have_to_agree() {
    let mut bounds = including(&["/news/", "c.example"]);
    bounds.keep_to_domain("example").unwrap();
    bounds.exclude("/news/old/").unwrap();
    let judged = |text: &str| bounds.judge(&url(text));
    assert_eq!(judged("http://a.example/news/1"), None);
    assert_eq!(judged("http://c.example/x"), None);
    assert_eq!(judged("http://a.example/"), Some(OutOfBounds::NotIncluded));
    assert_eq!(judged("http://a.test/news/1"), Some(OutOfBounds::OtherHost));
    let old = Some(OutOfBounds::Excluded("/news/old/"));
    assert_eq!(judged("http://a.example/news/old/1"), old);
}

#[test]
fn a_sitemap_need_only_be_where_there_are_pages_to_include() {
    let is_in = |bounds: &Bounds, text: &str| bounds.judge_list(&url(text)).is_none();
    let bounds = including(&[
        "a.example/news/",
        "org,b,",
        "c.example:8080/x",
        "*.d.example/y*z",
    ]);
    for host in ["a.example", "www.b.org", "c.example:8080", "x.d.example"] {
        assert!(
            is_in(&bounds, &format!("http://{host}/sitemap.xml")),
            "{host}"
        );
    }
    assert!(!is_in(&bounds, "http://e.example/sitemap.xml"));
    assert!(is_in(
        &including(&["/news/"]),
        "http://e.example/sitemap.xml"
    ));
    assert!(!is_in(
        &excluding(&["e.example"]),
        "http://e.example/sitemap.xml"
    ));
}

#[test]
fn of_many_patterns_the_one_that_decides_is_found_and_told() {
    let many: Vec<String> = (0..1000).map(|n| format!("h{n}.example/p/")).collect();
    let mut many: Vec<&str> = many.iter().map(String::as_str).collect();
    many.extend(["h7.example/p/q/", "h8.example", "/deep/er/", "/deep/"]);
    let bounds = excluding(&many);
    let by = |text: &str| match bounds.judge(&url(text)) {
        Some(OutOfBounds::Excluded(pattern)) => pattern.to_owned(),
        other => format!("{other:?}"),
    };
    assert_eq!(by("http://h999.example/p/x"), "h999.example/p/");
    assert_eq!(by("http://h7.example/p/q/r"), "h7.example/p/");
    assert_eq!(by("http://h8.example/p/"), "h8.example");
    assert_eq!(by("http://h9.example/x"), "None");
    assert_eq!(by("http://x.example/deep/er/y"), "/deep/");
}

#[test]
fn a_silly_pattern_costs_no_more_than_its_length() {
    let silly = format!("/{}b$", "a*".repeat(500));
    let bounds = excluding(&[&silly]);
    assert_eq!(
        bounds.judge(&url(&format!("http://a.example/{}", "a".repeat(1500)))),
        None
    );
}
