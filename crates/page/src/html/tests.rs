//! Documents in, what was read of them out.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn read_page(html: impl AsRef<[u8]>) -> Page {
    let url = CanonicalUrl::parse("http://www.example.org/dir/page.html").unwrap();
    read(html.as_ref(), &url, None)
}

/// The text on one line: `|` for a cell, `/` for a line, `//` for a blank one.
fn read_text(html: &str) -> String {
    read_page(html).text.replace('\n', "/").replace('\t', "|")
}

/// One line per link: URL, [anchor], (title), flags.
fn read_links(html: &str) -> String {
    let page = read_page(html);
    let show = |link: &Link| {
        let mut line = format!("{} [{}]", link.url, page.anchor(link).replace('\n', "/"));
        if let Some(title) = &link.title {
            line += &format!(" ({title})");
        }
        if link.nofollow {
            line += " nofollow";
        }
        if link.leaves_domain {
            line += " leaves";
        }
        line
    };
    page.links.iter().map(show).collect::<Vec<_>>().join("\n")
}

fn read_paths(html: &str) -> String {
    let page = read_page(html);
    page.links
        .iter()
        .map(|link| link.tag_path.to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn an_address_stays_together() {
    assert_snapshot!(
        read_text("<b>City Hall</b><br>901 Bagby\n St<br/>Houston,&nbsp;TX 77002"),
        @"City Hall/901 Bagby St/Houston, TX 77002"
    );
    assert_snapshot!(
        read_text("<div><div>901 Bagby St</div>\n\n<div> Houston</div></div>"),
        @"901 Bagby St/Houston"
    );
    assert_snapshot!(
        read_text("<table><tr><td>901 Bagby St<td>Houston</td>\n<td>TX<tr><th>Phone</th><td> 311</table>after"),
        @"901 Bagby St|Houston|TX/Phone|311//after"
    );
    assert_snapshot!(
        read_text("<ul><li>901 Bagby St<li>Houston, <a href=/tx>TX</a></ul>"),
        @"901 Bagby St/Houston, TX"
    );
    assert_snapshot!(read_text("<pre>901  Bagby St\nHouston\n\nhours\n</pre>x"), @"901 Bagby St/Houston//hours//x");
    assert_snapshot!(read_text("901 Bag&shy;by<wbr> <span>S</span>t"), @"901 Bagby St");
}

#[test]
fn menu_items_and_paragraphs_are_apart() {
    assert_snapshot!(
        read_text("<ul><li><a href=1>Main</a></li><li><a href=2>Houston</a></li><li>500 Elm</li></ul>"),
        @"Main//Houston//500 Elm"
    );
    assert_snapshot!(read_text("<nav><ul><li>Main<li>Elm</ul></nav>"), @"Main//Elm");
    assert_snapshot!(read_text("<ul id=topNav><li>Main<li>Elm</ul><ul><li>a<li>b"), @"Main//Elm//a/b");
    assert_snapshot!(read_text("<p>one<p>two<h2>three</h2>four<br> <br>five<hr>six"), @"one//two//three//four//five//six");
    assert_snapshot!(read_text("<a href=1>Home</a><a href=2>About</a>us <b>b</b>old"), @"Home Aboutus bold");
}

#[test]
fn what_nobody_reads_is_left_out() {
    assert_snapshot!(read_text("a<script>if (1 < 2) '<p>'</script><style>b{}</style><!-- c -->d"), @"ad");
    assert_snapshot!(read_text("a<template><p>b</p></template><svg><title>c</title><text>d</text></svg>e"), @"ae");
    assert_snapshot!(read_text("a<svg><title/><style/></svg>b<svg/>c<svg><![CDATA[<p>]]></svg>d"), @"abcd");
    assert_snapshot!(read_text("a<select><option>Texas<option>Utah</select><textarea>b</textarea>c"), @"a/c");
    assert_snapshot!(read_text("a<div hidden><div>b</div>c</div>d<span style='color:red; display: none'>e<span>f</span>g</span>h"), @"adh");
    assert_snapshot!(read_text("a<div style=display:none><span>b<p>c</div>d<p hidden>e<p>f"), @"ad//f");
    assert_snapshot!(read_text("<noscript>a</noscript><noframes><body>b</noframes><iframe>c</iframe><a hidden href=x>y</a>"), @"a//b");
    assert_snapshot!(read_text("a\0b\u{1}c &amp; &eacute;&#x41; &unknown; <é <"), @"ab c & éA &unknown; <é <");
}

#[test]
fn title_is_the_first_one() {
    assert_eq!(
        read_page("<title> City\n of <b>&amp; </title><title>x</title>y").title,
        "City of <b>&"
    );
    assert_eq!(
        read_page("<svg><title>no</title></svg><title>yes").title,
        "yes"
    );
    assert_eq!(read_page("nothing").title, "");
}

#[test]
fn links_have_their_context() {
    assert_snapshot!(read_links(
        "<a href=a.html> One\n <b>two</b> </a> <a HREF='/b?x=1&amp;y=2#f' title='T  t'>three</a>
         <a href=//other.org/ rel='external NoFollow'>four</a><a href=http://example.org>five</a>
         <a href='../c d'><img alt=' six ' src=i></a><a href=g title=t><img alt=seven>text</a>
         <map><area href=m alt=eight></map><iframe src=f.html></iframe><frame src=g.html>"
    ), @r"
    http://www.example.org/dir/a.html [One two]
    http://www.example.org/b?x=1&y=2 [three] (T t)
    http://other.org/ [four] nofollow leaves
    http://example.org/ [five]
    http://www.example.org/c%20d [] (six)
    http://www.example.org/dir/g [text] (t)
    http://www.example.org/dir/m [] (eight)
    http://www.example.org/dir/f.html []
    http://www.example.org/dir/g.html []
    ");
}

#[test]
fn what_leads_nowhere_is_no_link() {
    assert_snapshot!(read_links(
        "<a href='mailto:a@b.c'>a</a><a href=' JavaScript:x()'>b</a><a href=tel:1>c</a><a href=#d>d</a>
         <a href=''>e</a><a name=f>f</a><a href=data:text/html,x>g</a><a href=about:blank>h</a>
         <iframe src=x hidden></iframe><svg><a href=y>i</a></svg><link rel=stylesheet href=s.css>"
    ), @"");
    assert_eq!(
        read_page("<a href='http://a..b/'>x</a>").complaints,
        [Complaint::BadLinks(1)]
    );
}

#[test]
fn anchors_end_with_what_surrounds_them() {
    assert_snapshot!(read_links("<ul><li><a href=1>one<li><a href=2>two</ul>rest <a href=3>three <a href=4>four"), @r"
    http://www.example.org/dir/1 [one]
    http://www.example.org/dir/2 [two]
    http://www.example.org/dir/3 [three]
    http://www.example.org/dir/4 [four]
    ");
    assert_snapshot!(read_links("<a href=1><div>901 Bagby</div><div>Houston</div></a> after"), @"http://www.example.org/dir/1 [901 Bagby/Houston]");
    assert_snapshot!(read_links("<div style='display:none'><a href=1>unseen</a></div>"), @"http://www.example.org/dir/1 []");
}

#[test]
fn base_and_head_are_honoured() {
    let page = read_page(
        "<html lang=en-US><meta http-equiv=content-language content=fr><base href=/other/><base href=/no/>
         <link rel='Canonical' href='page#x'><meta http-equiv=Refresh content='5;URL=next'>
         <meta name=ROBOTS content='NoIndex,follow'><a href=b>",
    );
    let urls: Vec<_> = page.links.iter().map(|link| link.url.as_str()).collect();
    assert_eq!(
        urls,
        [
            "http://www.example.org/other/next",
            "http://www.example.org/other/b"
        ]
    );
    assert_eq!(
        page.canonical.unwrap().as_str(),
        "http://www.example.org/other/page"
    );
    assert_eq!(page.language.as_deref(), Some("en-us"));
    assert_eq!(
        page.robots,
        MetaRobots {
            noindex: true,
            ..MetaRobots::default()
        }
    );
    let none = MetaRobots {
        noindex: true,
        nofollow: true,
        ..MetaRobots::default()
    };
    assert_eq!(read_page("<meta name=robots content=none>").robots, none);
}

#[test]
fn paths_show_containers() {
    assert_snapshot!(read_paths(
        "<html><body class=x><div id=top class='menu wide'><ul class=menu><li class=on><a href=1>1</a><li>
         <b><a href=2>2</a></b></ul><p><a href=3>3</a><div class=a/b id=post-17><a href=4>4</a></div></div>
         <table><tr><td><a href=5>5</a></table>"
    ), @r"
    body/div#top/ul.menu/li
    body/div#top/ul.menu/li
    body/div#top/p
    body/div#top/div.a
    body/table/tr/td
    ");
    let deep = format!(
        "{}<a href=1>",
        "<div class=abcdefghijklmnopqrstuvwxyz>".repeat(100)
    );
    assert!(read_paths(&deep).len() < 400);
    let page = read_page("<ul><li><a href=1>a</a></li><li><a href=2>b</a></li></ul>");
    assert!(Arc::ptr_eq(
        &page.links[0].tag_path,
        &page.links[1].tag_path
    ));
}

#[test]
fn tokens_around_a_link() {
    let page = read_page("<p>one two</p><p>three <a href=1>the link</a>, four<br>five six");
    let link = &page.links[0];
    assert_eq!(page.before(link, 2), "two\n\nthree");
    assert_eq!(page.before(link, 9), "one two\n\nthree");
    assert_eq!(page.after(link, 3), ", four\nfive");
    assert_eq!((page.before(link, 0), page.after(link, 0)), ("", ""));
}

#[test]
fn charset_is_declared_or_guessed() {
    let read = |bytes: &[u8], header: Option<&str>| {
        let url = CanonicalUrl::parse("http://www.example.org/").unwrap();
        let page = read(bytes, &url, header);
        format!("{} {} {:?}", page.charset, page.text, page.complaints)
    };
    let html = Some("text/html; Charset=\"ISO-8859-1\"");
    assert_snapshot!(read(b"caf\xE9", html), @"windows-1252 café []");
    assert_snapshot!(read("\u{feff}café".as_bytes(), html), @"UTF-8 café []");
    assert_snapshot!(read(b"<meta charset=latin2>\xB1", html), @"windows-1252 ± []");
    assert_snapshot!(read(b"<meta charset=latin2>\xB1", None), @"ISO-8859-2 ą []");
    assert_snapshot!(read(b"<META content='text/html; charset = latin2' HTTP-equiv=Content-Type />\xB1", None), @"ISO-8859-2 ą []");
    assert_snapshot!(read(b"<!-- <meta charset=latin2> --><a title='<meta charset=latin2>'>\xC3\xA9", None), @"UTF-8 é []");
    assert_snapshot!(read(b"<meta charset=utf-16>\xC3\xA9", None), @"UTF-8 é []");
    assert_snapshot!(read(b"\xFF\xFEa\0\xE9\0", None), @"UTF-16LE aé []");
    assert_snapshot!(read(b"<meta charset=klingon>\xC3\xA9", Some("text/html;charset=x")), @r#"UTF-8 é [UnknownCharset("x"), UnknownCharset("klingon")]"#);
    assert_snapshot!(read(b"<meta charset=utf-8>a\xE9", None), @"UTF-8 a� [MalformedBytes]");
    assert_snapshot!(read(b"No. 5, Caf\xE9 M\xFCnchen \x96 na\xEFve r\xE9sum\xE9", None), @"windows-1252 No. 5, Café München – naïve résumé []");
    assert_snapshot!(read(b"\x1B$B%3%s%K%A%O\x1B(B", None), @"ISO-2022-JP コンニチハ []");
}

#[test]
fn pages_without_end_are_cut() {
    let page = read_page("<a href=x>y</a> ".repeat(MAX_LINKS + 1));
    assert_eq!(page.links.len(), MAX_LINKS);
    assert_eq!(page.complaints, [Complaint::TooManyLinks]);
    assert_eq!(page.further_links, [page.links[0].url.fingerprint()]);
    let page = read_page("<a href=x>y</a> ".repeat(MAX_LINKS + MAX_FURTHER_LINKS + 1));
    assert_eq!(page.further_links.len(), MAX_FURTHER_LINKS);

    let page = read_page(format!("{}<a href=1>no</a>", "wörd ".repeat(MAX_TEXT / 5)));
    assert!(page.text.len() <= MAX_TEXT);
    assert_eq!(page.complaints, [Complaint::TooMuchText]);
    assert_eq!(page.anchor(&page.links[0]), "");
}

/// Each would take minutes, or the stack, if anything but linear.
#[test]
fn nasty_pages_are_read_in_time() {
    let n = 100_000;
    let nasty = [
        "<".repeat(10 << 20),
        "<div>".repeat(n) + "deep" + &"</div>".repeat(n),
        "<ul><li>".repeat(n),
        format!("<i>{}{}", "<b hidden>".repeat(500), "</i></span>".repeat(n)),
        format!("<table>{}", "<td></p></div>".repeat(n)),
        "<a href=".repeat(n),
        format!("<div {}>", "a=b ".repeat(n)),
        "&".repeat(n) + &"<!--".repeat(n),
        format!("<script>{}", "</scrip".repeat(n)),
        "\0".repeat(n),
    ];
    let start = std::time::Instant::now();
    for html in &nasty {
        read_page(html);
    }
    assert!(start.elapsed().as_secs() < 20, "{:?}", start.elapsed());
    assert_eq!(read_page(&nasty[1]).text, "deep");
}

/// Markup that opens, closes and nests without sense.
fn markup() -> impl Strategy<Value = String> {
    let pieces = [
        "<div>",
        "</div>",
        "<div hidden>",
        "<span style=display:none>",
        "</span>",
        "<p>",
        "</p>",
        "<ul>",
        "</ul>",
        "<li>",
        "</li>",
        "<a href=x>",
        "<a href='http://b.org/é'>",
        "</a>",
        "<table>",
        "</table>",
        "<tr>",
        "<td>",
        "</td>",
        "<br>",
        "<svg>",
        "</svg>",
        "<title>",
        "</title>",
        "<script>",
        "</script>",
        "<pre>",
        "</pre>",
        "<select>",
        "</select>",
        "<img alt=é>",
        "<template>",
        "</template>",
        "é",
        " ",
        "\n",
        "a",
        "&nbsp;",
        "&",
        "<",
        "<!--",
        "-->",
        "\u{a0}",
        "食",
        "<base href=/q/>",
        "\0",
    ];
    let piece = prop_oneof![
        12 => prop::sample::select(pieces.to_vec()).prop_map(str::to_owned),
        1 => any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_bytes_give_a_page(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_page(bytes);
    }

    #[test]
    fn anchors_lie_in_the_text_in_order(html in markup()) {
        let page = read_page(&html);
        let mut end = 0;
        for link in &page.links {
            prop_assert!(end <= link.span.start && link.span.start <= link.span.end);
            prop_assert!(page.text.get(link.span.start as usize..link.span.end as usize).is_some());
            prop_assert_eq!(page.anchor(link), page.anchor(link).trim_ascii());
            end = link.span.end;
            let (before, after) = (page.before(link, 3), page.after(link, 3));
            prop_assert!(before.split_whitespace().count() <= 3 && after.split_whitespace().count() <= 3);
        }
    }

    #[test]
    fn gaps_are_single(html in markup()) {
        let text = read_page(&html).text;
        prop_assert!(text.is_empty() || text.trim_ascii() == text);
        for gap in ["  ", " \n", "\n ", "\n\n\n", "\t\t", " \t", "\t ", "\n\t", "\t\n"] {
            prop_assert!(!text.contains(gap), "{:?} in {:?}", gap, text);
        }
    }

    #[test]
    fn plain_text_loses_nothing_but_space(words in prop::collection::vec("[a-zé食]{1,5}", 0..10)) {
        prop_assert_eq!(read_page(words.join(" \n ")).text, words.join(" "));
    }
}

#[test]
fn plain_text_is_decoded_without_a_label() {
    assert_eq!(decode_text("Büro in Köln".as_bytes()), "Büro in Köln");
    assert_eq!(decode_text(b"\xef\xbb\xbfHouston"), "Houston");
    assert_eq!(decode_text(b"\xff\xfeK\0\xf6\0l\0n\0"), "Köln");
    let latin = b"Unser B\xfcro liegt in der N\xe4he des Bahnhofs von K\xf6ln";
    assert_eq!(
        decode_text(latin),
        "Unser Büro liegt in der Nähe des Bahnhofs von Köln"
    );
    // A label counts in markup only.
    assert_eq!(
        decode_text("<meta charset=latin1> Köln".as_bytes()),
        "<meta charset=latin1> Köln"
    );
}
