//! One function in, one text out; then the promises that hold for any input.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn canonical(text: &str) -> String {
    match CanonicalUrl::parse(text) {
        Ok(url) => url.to_string(),
        Err(error) => format!("error: {error}"),
    }
}

fn all(texts: &[&str]) -> String {
    texts
        .iter()
        .map(|text| canonical(text))
        .collect::<Vec<_>>()
        .join("\n")
}

fn joined(base: &str, references: &[&str]) -> String {
    let base = CanonicalUrl::parse(base).unwrap();
    let join = |reference: &&str| match base.join(reference) {
        Ok(url) => url.to_string(),
        Err(error) => format!("error: {error}"),
    };
    references.iter().map(join).collect::<Vec<_>>().join("\n")
}

#[test]
fn host_has_one_spelling() {
    assert_snapshot!(all(&[
        "HTTP://Foo.Com",
        "http://foo.com:80/index.html",
        "https://foo.com:443/",
        "http://foo.com:443/",
        "http://example.com:/",
        "https://www.example.org./",
        "http://www.google.com.../",
        "http://user:secret@foo.com/",
        "http://bücher.de/",
        "https://www.0251-sachverst%c3%a4ndiger.de/",
        "https://example%2Ecom/",
        "http://3279880203/blah",
        "http://0x7f.1../",
        "http://[2600:1F18:200d:fb00:0:0:0:150a]:8080/robots.txt",
    ]), @r"
    http://foo.com/
    http://foo.com/index.html
    https://foo.com/
    http://foo.com:443/
    http://example.com/
    https://www.example.org/
    http://www.google.com/
    http://foo.com/
    http://xn--bcher-kva.de/
    https://www.xn--0251-sachverstndiger-ozb.de/
    https://example.com/
    http://195.127.0.11/blah
    http://127.0.0.1/
    http://[2600:1f18:200d:fb00::150a]:8080/robots.txt
    ");
}

#[test]
fn path_has_one_spelling() {
    assert_snapshot!(all(&[
        "http://foo.com/%66oo.ht%6d%6c",
        "http://foo.com/fast/dir%2fcz",
        "http://foo.com/you too.html#top",
        "http://x.com/./a/../%66.html",
        "http://foo.com/aa/%2E%2e/../foo.html",
        "http://foo.com/a..a/.b/foo.html",
        "http://foo.com/{{stuff}}|[^]",
        "http://www.example.com/p%zz%77%v%2",
        "http://example.org/\u{2691}",
        "http://www.google.com/foo\tbar\rbaz\n2",
        "http://foo.com//aa//b\\c",
    ]), @r"
    http://foo.com/foo.html
    http://foo.com/fast/dir%2Fcz
    http://foo.com/you%20too.html
    http://x.com/f.html
    http://foo.com/foo.html
    http://foo.com/a..a/.b/foo.html
    http://foo.com/%7B%7Bstuff%7D%7D%7C%5B%5E%5D
    http://www.example.com/p%25zzw%25v%252
    http://example.org/%E2%9A%91
    http://www.google.com/foobarbaz2
    http://foo.com//aa//b/c
    ");
}

#[test]
fn query_keeps_its_order_and_loses_what_is_not_meant() {
    assert_snapshot!(all(&[
        "http://example.com?",
        "http://foo.com/index?b=2&a=1#c",
        "http://foo.com/index?&b&&a=&",
        "http://x.com/?x[y]=1",
        "http://x.com/s?m=10&q=a%26b+c",
        "http://x.com/a?utm_source=n&id=3&UTM_Medium=m&gclid=x",
        "http://x.com/a?fbclid=x",
        "http://x.com/a?utm=kept&gclids=kept",
        "http://x.com/a?pk_campaign=n&pk_id=3&mtm_source=x&hsa_acc=1&ref=kept&gad_source=1",
    ]), @r"
    http://example.com/
    http://foo.com/index?b=2&a=1
    http://foo.com/index?b&a=
    http://x.com/?x%5By%5D=1
    http://x.com/s?m=10&q=a%26b+c
    http://x.com/a?id=3
    http://x.com/a
    http://x.com/a?utm=kept&gclids=kept
    http://x.com/a?pk_id=3&ref=kept
    ");
}

#[test]
fn session_ids_go() {
    assert_snapshot!(all(&[
        "http://www.archive.org/i.html?one=two&jsessionid=0123456789abcdef&x=y",
        "http://www.archive.org/i.html?sid=9682993c8daa2c5497996114facdc805",
        "http://www.archive.org/i.html?sid=12",
        "http://x.com/a.jsp;JSESSIONID=1F00.node2?x=1",
        "http://x.com/a;jsessionid=1/b;v=2;%6Asessionid=3",
        "http://x.com/a/b/..;jsessionid=1",
        "http://x.com/?CFID=14387305&CFTOKEN=72942008&aspsessionidABCD=X&PHPSESSID=1",
        "http://x.com/showthread.php?s=0123456789abcdef0123456789ABCDEF&t=7",
        "http://x.com/?s=town+hall",
        "http://x.com/?s=0123456789abcdef0123456789abcdeg",
        "http://x.com/?XTCsid=9&session=9682993c8daa2c54979961&sess=spring2004",
    ]), @r"
    http://www.archive.org/i.html?one=two&x=y
    http://www.archive.org/i.html
    http://www.archive.org/i.html?sid=12
    http://x.com/a.jsp?x=1
    http://x.com/a/b;v=2
    http://x.com/a/
    http://x.com/
    http://x.com/showthread.php?t=7
    http://x.com/?s=town+hall
    http://x.com/?s=0123456789abcdef0123456789abcdeg
    http://x.com/?sess=spring2004
    ");
}

#[test]
fn what_cannot_be_crawled_says_why() {
    assert_snapshot!(all(&[
        "mailto:me@x.com",
        "htp://cm-porto.pt",
        "https://",
        "http://./",
        "http://a..b/",
        "foo.com/index.html",
        "https://example%2Xcom/",
        "https://abc%FEdef.org/",
        &format!("http://x.com/{}", "é".repeat(500)),
        &format!("http://x.com/{}", "e".repeat(2048)),
    ]), @r"
    error: unknown scheme `mailto`
    error: unknown scheme `htp`
    error: no host
    error: no host
    error: empty label in host
    error: relative URL without a base
    error: invalid international domain name
    error: invalid international domain name
    error: longer than 2048 bytes
    error: longer than 2048 bytes
    ");
}

#[test]
fn references_resolve_against_their_page() {
    assert_snapshot!(joined("http://example.org/foo/bar?q=1", &[
        "", "#top", "/", ":23", "/:23", "//foo/bar", "/a%2fc", "?a=b&c=d", "??a", "c.html", "./c/",
        "../c", "../../../c?x", "..", ".", "/a/../b", "http:c", "http://x.com", "javascript:void(0)",
        "mailto:a@b.c", " /a b ",
    ]), @r"
    http://example.org/foo/bar?q=1
    http://example.org/foo/bar?q=1
    http://example.org/
    http://example.org/foo/:23
    http://example.org/:23
    http://foo/bar
    http://example.org/a%2Fc
    http://example.org/foo/bar?a=b&c=d
    http://example.org/foo/bar??a
    http://example.org/foo/c.html
    http://example.org/foo/c/
    http://example.org/c
    http://example.org/c?x
    http://example.org/
    http://example.org/foo/
    http://example.org/b
    http://example.org/foo/c
    http://x.com/
    error: unknown scheme `javascript`
    error: unknown scheme `mailto`
    http://example.org/a%20b
    ");
}

#[test]
fn parts_are_slices() {
    let parts = |text: &str| {
        let url = CanonicalUrl::parse(text).unwrap();
        let (scheme, host, port) = (url.scheme(), url.host(), url.port());
        format!(
            "{scheme} {host} {port} {} {} {:?}",
            url.origin(),
            url.path(),
            url.query()
        )
    };
    assert_snapshot!(
        parts("http://A.com:8080/x?y=1"),
        @r#"http a.com 8080 http://a.com:8080 /x Some("y=1")"#
    );
    assert_snapshot!(parts("https://[::1]/"), @"https ::1 443 https://[::1] / None");
    assert_snapshot!(parts("https://[::1]:99/"), @"https ::1 99 https://[::1]:99 / None");
}

#[test]
fn registrable_domains() {
    let domain = |host: &&str| {
        let url = CanonicalUrl::parse(&format!("http://{host}/")).unwrap();
        url.registrable_domain().to_owned()
    };
    let hosts = [
        "b.example.com",
        "a.b.example.uk.com",
        "com",
        "a.b.c.mm",
        "www.city.kobe.jp",
        "www.www.ck",
        "www.test.k12.ak.us",
        "a.b.example.example",
        "localhost",
        "10.1.2.3",
        "[::1]",
        "www.食狮.公司.cn",
    ];
    assert_snapshot!(hosts.iter().map(domain).collect::<Vec<_>>().join(" "),
        @"example.com example.uk.com com b.c.mm city.kobe.jp www.ck test.k12.ak.us example.example localhost 10.1.2.3 ::1 xn--85x722f.xn--55qx5d.cn");
}

#[test]
fn fingerprint_is_of_the_text() {
    let print = |text: &str| CanonicalUrl::parse(text).unwrap().fingerprint();
    assert_eq!(print("http://A.com"), print("http://a.com/#b"));
    assert_ne!(print("http://a.com/"), print("https://a.com/"));
    assert_eq!(print("http://a.com/").0, xxh3_128(b"http://a.com/"));
}

/// Pieces that between them touch every rule; random text alone never would.
fn piece() -> impl Strategy<Value = String> {
    let pieces = [
        "a",
        "b.html",
        "/",
        "//",
        ".",
        "..",
        "./",
        "../",
        "%2e",
        "%41",
        "%2f",
        "%",
        "%%",
        "?",
        "&",
        "=",
        "#",
        ";",
        ";jsessionid=1",
        "utm_x=1",
        "sid=0123456789abcdef",
        "gclid",
        "@",
        ":",
        ":80",
        " ",
        "\t",
        "\\",
        "'",
        "|",
        "[",
        "]",
        "é",
        "食",
        "\u{ad}",
        "-",
        "_",
        "~",
        "+",
        "1",
        "0x7f",
        "Z",
        "xn--",
        "http:",
        "https://",
        "mailto:",
        "\u{0}",
    ];
    prop_oneof![
        8 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ]
}

fn reference() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..8).prop_map(|pieces| pieces.concat())
}

fn absolute() -> impl Strategy<Value = String> {
    let front = prop::sample::select(vec![
        "http://",
        "https://",
        "http://a.com/",
        "https://b.co.uk",
    ]);
    (front, reference()).prop_map(|(front, rest)| format!("{front}{rest}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4000))]

    #[test]
    fn canonicalising_twice_equals_once(text in absolute()) {
        if let Ok(once) = CanonicalUrl::parse(&text) {
            prop_assert_eq!(&CanonicalUrl::parse(once.as_str()), &Ok(once.clone()));
            prop_assert_eq!(CanonicalUrl::parse_slowly(once.as_str()), Ok(once.clone()));
            prop_assert_eq!(String::from(Url::parse(once.as_str()).unwrap()), once.as_str());
        }
    }

    #[test]
    fn fast_parse_equals_slow(text in absolute()) {
        prop_assert_eq!(CanonicalUrl::parse(&text), CanonicalUrl::parse_slowly(&text));
    }

    #[test]
    fn fast_join_equals_slow(base in absolute(), reference in reference()) {
        if let Ok(base) = CanonicalUrl::parse(&base) {
            prop_assert_eq!(base.join(&reference), base.join_slowly(&reference));
        }
    }
}
