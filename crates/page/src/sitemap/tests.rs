//! Files in, the addresses they list out.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;

fn read_bytes(bytes: &[u8]) -> Sitemap {
    let url = CanonicalUrl::parse("http://www.town.example/sitemap.xml").unwrap();
    read(bytes, &url, None)
}

/// Kind, one line per entry, complaints.
fn show(bytes: impl AsRef<[u8]>) -> String {
    let sitemap = read_bytes(bytes.as_ref());
    let mut lines = vec![format!("{:?}", sitemap.kind)];
    for entry in &sitemap.entries {
        let mut line = entry.url.to_string();
        if let Some(priority) = entry.priority {
            line += &format!(" priority {priority}");
        }
        if let Some(lastmod) = entry.lastmod {
            line += &format!(" changed {}", lastmod / 1000);
        }
        if let Some(changefreq) = entry.changefreq {
            line += &format!(" {changefreq:?}");
        }
        lines.push(line);
    }
    lines.extend(sitemap.complaints.iter().map(|odd| format!("! {odd:?}")));
    lines.join("\n")
}

#[test]
fn pages_with_all_that_is_said_about_them() {
    let text = r#"<?xml version="1.0" encoding="UTF-8"?>
        <!-- made by hand -->
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
          <url>
            <loc>
              http://www.town.example/shop?item=12&amp;desc=a
            </loc>
            <lastmod>2005-01-01</lastmod><changefreq> Monthly </changefreq><priority>0.8</priority>
          </url>
          <url><loc><![CDATA[http://town.example/a?b=1&c=2]]></loc><priority>7</priority></url>
          <url><loc>/from/the/root</loc><priority>NaN</priority><lastmod>soon</lastmod></url>
        </urlset>"#;
    assert_snapshot!(show(text), @"
    Pages
    http://www.town.example/shop?item=12&desc=a priority 0.8 changed 1104537600 Monthly
    http://town.example/a?b=1&c=2 priority 1
    http://www.town.example/from/the/root
    ");
}

#[test]
fn addresses_of_images_and_translations_are_no_entries() {
    let text = "<urlset xmlns:image='i' xmlns:video='v' xmlns:xhtml='x'><url>\
        <image:image><image:loc>http://town.example/a.jpg</image:loc></image:image>\
        <video:video><video:player_loc>http://town.example/p</video:player_loc></video:video>\
        <loc>http://town.example/a</loc>\
        <xhtml:link rel='alternate' hreflang='de' href='http://town.example/de'/>\
        </url></urlset>";
    assert_snapshot!(show(text), @"
    Pages
    http://town.example/a
    ");
}

#[test]
fn any_prefix_and_any_case_will_do() {
    let text = "<S:URLSet xmlns:S='x'><S:URL><S:Loc>http://town.example/a</S:Loc>\
        <S:lastMod>2005</S:lastMod></S:URL></S:URLSet>";
    assert_snapshot!(show(text), @"
    Pages
    http://town.example/a changed 1104537600
    ");
}

#[test]
fn an_index_lists_sitemaps_even_without_loc() {
    let text = "<sitemapindex><sitemap><loc>http://town.example/1.xml.gz</loc>\
        <lastmod>2005-01-01T00:00Z</lastmod></sitemap><sitemap>\n\
        http://town.example/2.xml?a&amp;b\n</sitemap></sitemapindex>";
    assert_snapshot!(show(text), @"
    Index
    http://town.example/1.xml.gz changed 1104537600
    http://town.example/2.xml?a&b
    ");
}

#[test]
fn rss_lists_the_newest_pages() {
    let text = r#"<rss version="2.0"><channel><link>http://town.example/</link>
        <image><url>http://town.example/logo.png</url></image>
        <item><title><![CDATA[<link>no</link>]]></title><link>http://town.example/1</link>
          <pubDate>Thu, 05 Jan 2017 13:34:51 +0100</pubDate><guid>id 1</guid></item>
        <item><guid isPermaLink="false">http://town.example/2</guid></item>
        <item><link>http://town.example/3<![CDATA[?a&b]]></link></item>
        <item><title>nothing</title></item></channel></rss>"#;
    assert_snapshot!(show(text), @"
    Feed
    http://town.example/1 changed 1483619691
    http://town.example/2
    http://town.example/3?a&b
    ! BadUrls(1)
    ");
}

#[test]
fn atom_lists_the_pages_and_not_their_machinery() {
    let text = r#"<feed xmlns="http://www.w3.org/2005/Atom"><link href="http://town.example/"/>
        <entry><id>tag:town.example,2003:1</id>
          <link rel="edit" href="http://town.example/edit"/>
          <link rel="alternate" href="http://town.example/1?a&amp;b"/>
          <published>2003-12-13T18:30:02Z</published><updated>2003-12-14T18:30:02Z</updated>
        </entry></feed>"#;
    assert_snapshot!(show(text), @"
    Feed
    http://town.example/1?a&b changed 1071426602
    ");
}

#[test]
fn rss_1_has_its_items_beside_the_channel() {
    let text = r#"<rdf:RDF xmlns:dc="d"><channel rdf:about="x"><items><rdf:li/></items></channel>
        <item rdf:about="y"><link>http://town.example/1</link><dc:date>2005-01-01</dc:date></item>
        </rdf:RDF>"#;
    assert_snapshot!(show(text), @"
    Feed
    http://town.example/1 changed 1104537600
    ");
}

#[test]
fn plain_text_has_one_url_per_line() {
    assert_snapshot!(
        show("\u{feff}http://town.example/1\r\n\r\n  http://town.example/2?a&b \n# a comment\n"),
        @"
    Pages
    http://town.example/1
    http://town.example/2?a&b
    ! BadUrls(1)
    "
    );
}

#[test]
fn a_site_speaks_for_its_own_pages_only() {
    let text = "http://town.example/\nhttp://shop.town.example/\nhttp://other.example/\n";
    assert_snapshot!(show(text), @"
    Pages
    http://town.example/
    http://shop.town.example/
    ! OtherSites(1)
    ");
}

#[test]
fn forgotten_end_tags_and_bare_ampersands_cost_nothing() {
    let text = "Warning: line 3 <urlset><url><loc>http://town.example/?a=1&section=2<lastmod>2005\
        <url><loc>http://town.example/2</url></priority><url><loc>http://town.example/3</loc>\
        <url><loc>http://town.example/hal";
    assert_snapshot!(show(text), @"
    Pages
    http://town.example/?a=1&section=2 changed 1104537600
    http://town.example/2
    http://town.example/3
    ! BreaksOff
    ");
}

#[test]
fn what_is_no_sitemap_says_so() {
    assert_snapshot!(show("<!DOCTYPE html><html><a href=/>x</a><url>http://town.example/"), @"
    Unknown
    ! NotASitemap
    ");
    assert_snapshot!(show("no sitemap here"), @"
    Unknown
    ! NotASitemap
    ");
    assert_snapshot!(show(""), @"
    Unknown
    ! NotASitemap
    ");
    assert_snapshot!(show(b"\x1f\x8b\x08"), @"
    Unknown
    ! Packed
    ");
}

#[test]
fn other_encodings_are_read_by_their_label() {
    let latin =
        b"<?xml version='1.0' encoding='ISO-8859-1'?><urlset><url><loc>/caf\xe9</loc></url>";
    assert_snapshot!(show(latin), @"
    Pages
    http://www.town.example/caf%C3%A9
    ");
    let utf_16: Vec<u8> = "\u{feff}<urlset><url><loc>/é</loc></url>"
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    assert_snapshot!(show(utf_16), @"
    Pages
    http://www.town.example/%C3%A9
    ");
}

#[test]
fn no_more_entries_are_read_than_allowed() {
    let urls = (0..MAX_ENTRIES + 5).map(|n| format!("<url><loc>/{n}</loc></url>"));
    let text = format!("<urlset>{}</urlset>", urls.collect::<String>());
    let sitemap = read_bytes(text.as_bytes());
    assert_eq!(sitemap.entries.len(), MAX_ENTRIES);
    assert_eq!(sitemap.complaints, [Complaint::TooManyEntries]);
}

#[test]
fn half_a_character_is_cut_off() {
    assert_eq!(up_to("aéb".as_bytes(), 2), b"a");
    assert_eq!(up_to("aéb".as_bytes(), 3), "aé".as_bytes());
    assert_eq!(up_to(b"ab", 2), b"ab");
    assert_eq!(up_to(&[0x80; 9], 5).len(), 5);
}

proptest! {
    #[test]
    fn any_tags_in_any_order_give_something(pieces in prop::collection::vec(
        prop::sample::select(vec![
            "<urlset>", "<url>", "</url>", "<loc>", "</loc>", "/a", "<", ">", "&", "&amp;",
            "<![CDATA[", "]]>", "<!--", "-->", "<sitemap>", "<item", " a='", "é", "<link href=/b/>",
        ]),
        0..60,
    )) {
        let sitemap = read_bytes(pieces.concat().as_bytes());
        prop_assert!(sitemap.entries.len() <= pieces.len());
        for entry in &sitemap.entries {
            prop_assert_eq!(entry.url.registrable_domain(), "town.example");
        }
    }
}

#[test]
fn half_an_address_at_the_limit_is_none() {
    let mut list = b"http://www.town.example/a\n".to_vec();
    list.resize(MAX_LEN - 24, b' ');
    list.extend_from_slice(b"\nhttp://www.town.example/b/which-is-cut");
    let listing = read_bytes(&list);
    let urls: Vec<&str> = listing
        .entries
        .iter()
        .map(|entry| entry.url.as_str())
        .collect();
    assert_eq!(urls, ["http://www.town.example/a"]);
    assert_eq!(listing.complaints, [Complaint::TooLong]);
}
