//! Documents in, the facts they state out.

use insta::assert_snapshot;
use proptest::prelude::*;

use super::*;
use crate::html;
use crate::url::CanonicalUrl;

fn read_facts(html: impl AsRef<[u8]>) -> Vec<Fact> {
    let url = CanonicalUrl::parse("http://www.example.org/").unwrap();
    html::read(html.as_ref(), &url, None).structured
}

/// One line per fact: kind, parts with `-` for none, point.
fn read(html: &str) -> String {
    let show = |fact: &Fact| {
        let parts = [
            &fact.street,
            &fact.city,
            &fact.state,
            &fact.zip,
            &fact.country,
        ];
        let parts = parts.map(|part| part.as_deref().unwrap_or("-")).join(" | ");
        match (fact.lat, fact.lon) {
            (Some(lat), Some(lon)) => format!("{}: {parts} @ {lat} {lon}", fact.kind.name()),
            _ => format!("{}: {parts}", fact.kind.name()),
        }
    };
    read_facts(html)
        .iter()
        .map(show)
        .collect::<Vec<_>>()
        .join("\n")
}

fn read_json(json: &str) -> String {
    read(&format!(
        "<script type='application/ld+json; charset=utf-8'>{json}</script>"
    ))
}

fn read_link(target: &str) -> String {
    read(&format!("<a href=\"{target}\">x</a>"))
}

#[test]
fn json_address_and_point_of_one_shop_are_one_fact() {
    assert_snapshot!(
        read_json(r#"{"@context": "https://schema.org", "name": "Shop", "geo": {"latitude": "29.76", "longitude": -95.36},
            "address": {"@type": "PostalAddress", "streetAddress": "901 Bagby St", "addressLocality": "Houston",
            "addressRegion": "TX", "postalCode": 77002, "addressCountry": {"@type": "Country", "name": "US"}}}"#),
        @"json-ld: 901 Bagby St | Houston | TX | 77002 | US @ 29.76 -95.36"
    );
}

#[test]
fn json_lists_and_graphs_are_several_facts() {
    assert_snapshot!(
        read_json(r#"{"@graph": [
            {"@type": "PostalAddress", "addressLocality": ["Houston", "Space City"]},
            {"@type": "GeoCoordinates", "latitude": 1.5, "longitude": 2.5},
            {"@type": "Event", "location": {"name": "Hall", "address": "5 Main St, Waco"}},
            {"@type": "Person", "address": ["1 A St", "2 B St"], "worksFor": {"address": {"addressLocality": "Dallas"}}},
            {"areaServed": {"@type": "City", "name": "Austin, TX"}}]}"#),
        @r"
    json-ld: - | Houston | - | - | -
    json-ld: - | - | - | - | - @ 1.5 2.5
    json-ld: 5 Main St, Waco | - | - | - | -
    json-ld: 2 B St | - | - | - | -
    json-ld: - | Dallas | - | - | -
    json-ld: 1 A St | - | - | - | -
    json-ld: - | Austin, TX | - | - | -
    "
    );
}

#[test]
fn json_names_are_looked_up_wherever_they_stand() {
    // Before and after, in another script, a place that names its address.
    assert_snapshot!(
        read(r##"<script type=application/ld+json>[{"@id": "#office", "addressLocality": "Waco", "addressRegion": "TX"},
            {"@type": "Hotel", "geo": {"latitude": 31.5, "longitude": -97.1}, "address": {"@id": "#office"}},
            {"@type": "Event", "location": {"@id": "#hall"}}]</script>
            <script type=application/ld+json>{"@graph": [{"@id": "#hall", "address": "http://x.example/#a"},
            {"@id": "http://x.example/#a", "streetAddress": "5 Main St"}]}</script>"##),
        @r"
    json-ld: - | Waco | TX | - | -
    json-ld: 5 Main St | - | - | - | -
    json-ld: - | Waco | TX | - | - @ 31.5 -97.1
    "
    );
    // Names that lead in a circle, or nowhere.
    assert_snapshot!(
        read_json(r##"[{"@id": "#a", "address": {"@id": "#b"}}, {"@id": "#b", "address": {"@id": "#a"}},
            {"address": {"@id": "#c"}}]"##),
        @""
    );
}

#[test]
fn shapes_have_a_middle() {
    assert_snapshot!(
        read_json(r#"[{"geo": {"@type": "GeoShape", "box": "40.5 -74.5 41.5 -73.5"}},
            {"geo": {"@type": "GeoCircle", "geoMidpoint": {"@type": "GeoCoordinates", "latitude": 1.5, "longitude": 2.5}}}]"#),
        @r"
    json-ld: - | - | - | - | - @ 41 -74
    json-ld: - | - | - | - | - @ 1.5 2.5
    "
    );
}

#[test]
fn items_borrow_from_other_elements() {
    // The lending element stands before or after, has parts or is one.
    assert_snapshot!(
        read(r#"<p id=town><span itemprop=addressLocality>Waco</span>
            <div itemscope itemtype=https://schema.org/PostalAddress itemref="town state none"><b itemprop=streetAddress>5 Oak Rd</b></div>
            <meta id=state itemprop=addressRegion content=TX>"#),
        @"microdata: 5 Oak Rd | Waco | TX | - | -"
    );
    // A whole item is borrowed, and one's own word counts first.
    assert_snapshot!(
        read(r#"<div itemscope itemref=a><div itemprop=geo itemscope><meta itemprop=latitude content=31.5><meta itemprop=longitude content=-97.1></div></div>
            <div itemprop=address itemscope id=a><b itemprop=addressLocality>Waco</b></div>"#),
        @r"
    microdata: - | Waco | - | - | - @ 31.5 -97.1
    microdata: - | Waco | - | - | -
    "
    );
    assert_snapshot!(
        read(r##"<div class=vcard><a class=include href="#x">us</a></div><p id=x><span class=adr><b class=locality>Waco</b></span></p>
            <div class=adr itemref=y><b class=region>TX</b></div><p id=y><b class=region>CA</b><b class=postal-code>76701</b>"##),
        @r"
    microformat: - | Waco | - | - | -
    microformat: - | - | TX | 76701 | -
    "
    );
}

#[test]
fn rdfa_names_are_looked_up() {
    assert_snapshot!(
        read(r##"<div vocab=http://schema.org/ typeof=Store><link property=address resource="#a"></div>
            <div typeof=PostalAddress resource="#a"><b property=addressLocality>Waco</b></div>"##),
        @"rdfa: - | Waco | - | - | -"
    );
}

#[test]
fn sloppy_json_costs_only_what_is_broken() {
    // Comments, wrappers, commas too many or too few.
    assert_snapshot!(
        read_json("//<![CDATA[\n/* x */ {'address': {streetAddress: '1 A St',, // y\n 'addressLocality' : 'Waco',},}\n//]]>"),
        @"json-ld: 1 A St | Waco | - | - | -"
    );
    assert_snapshot!(read_json(r#"<!-- [{"address": {"addressLocality": "Waco" "postalCode": "76701"}}] -->"#),
        @"json-ld: - | Waco | - | 76701 | -");
    // A quotation mark within, a line break, no end.
    assert_snapshot!(
        read_json("{\"name\": \"The \"Best\" Shop\", \"address\": {\"streetAddress\": \"1 A\nSt\", \"addressLocality\": \"Waco"),
        @"json-ld: 1 A St | Waco | - | - | -"
    );
    // Escaped once more than needed, in parts or as a whole.
    assert_snapshot!(
        read_json(r#"{"\u0040type": "PostalAddress", "streetAddress": "1 A&amp;B St<br>Suite\/2", "addressLocality": "M\u00fcnchen \ud83d\ude00 \ud83d"}"#),
        @"json-ld: 1 A&B St Suite/2 | München 😀 � | - | - | -"
    );
    assert_snapshot!(read_json("{&quot;address&quot;: &quot;1 A St&quot;}"), @"json-ld: 1 A St | - | - | - | -");
    assert_snapshot!(
        read_json(r#"{"address": {"streetAddress": null, "addressLocality": "", "@id": "x"}, "geo": {"latitude": 0, "longitude": 0}}"#),
        @""
    );
}

#[test]
fn only_json_ld_scripts_are_read() {
    assert_snapshot!(read(r#"<script>{"address": "1 A St"}</script><script type=application/json>{"address": "1 A St"}</script>"#), @"");
}

#[test]
fn microdata_nests() {
    assert_snapshot!(
        read(r#"<body itemscope itemtype="http://schema.org/WebPage"><div itemprop=mainEntity itemscope itemtype="https://schema.org/Hotel">
            <p itemprop=address itemscope itemtype=https://schema.org/PostalAddress><span itemprop=streetAddress>5 <b>Oak</b><br>Rd</span>,
            <span itemprop="addressLocality">Waco</span> <meta itemprop=addressCountry content=US><input><wbr>
            <p itemprop=geo itemscope><meta itemprop=latitude content=31.5><meta itemprop=longitude content="-97,1"></div>
            <div hidden itemprop=address>7 Elm St, Waco</div>"#),
        @r"
    microdata: 5 Oak Rd | Waco | - | - | US @ 31.5 -97.1
    microdata: 7 Elm St, Waco | - | - | - | -
    "
    );
}

#[test]
fn microdata_text_of_an_address_counts_where_it_has_no_parts() {
    assert_snapshot!(
        read("<div itemscope itemtype=//schema.org/PostalAddress>7 Elm St<br>Waco</div>
            <div itemscope><p itemprop=address>Here: <i itemprop=postalCode>76701</i></div>
            <div itemscope itemtype=http://schema.org/PostalAddress>Directions</div><i itemprop=postalCode>1</i>"),
        @r"
    microdata: 7 Elm St Waco | - | - | - | -
    microdata: - | - | - | 76701 | -
    "
    );
}

#[test]
fn rdfa_in_several_vocabularies() {
    assert_snapshot!(
        read(r#"<div vocab="https://schema.org/" typeof=Place><div property=address typeof=PostalAddress><span property=addressLocality>Waco</span></div>
            <p property=geo typeof=GeoCoordinates><meta property=latitude content=31.5><meta property=longitude content=-97.1></div>
            <div xmlns:v=x typeof=v:Organization><span rel=v:adr><span typeof=v:Address><span property=v:locality>Bonn</span></span></span>
            <span rel=v:geo><span typeof=v:Geography><span property=v:latitude content=50.7></span><span property=v:longitude>7.1</span></span></span></div>
            <p typeof=schema:PostalAddress><b property=http://schema.org/postalCode>76701</b><b property=og:region>no</b>"#),
        @r"
    rdfa: - | Waco | - | - | - @ 31.5 -97.1
    rdfa: - | Bonn | - | - | - @ 50.7 7.1
    rdfa: - | - | - | 76701 | -
    "
    );
}

#[test]
fn microformats_old_and_new() {
    assert_snapshot!(
        read(r#"<div class="item vcard"><p class=adr><span class=street-address>5 Oak Rd</span> <span class=extended-address>Suite 2</span>
            <span class=locality>Waco</span>, <abbr class=region title=Texas>TX</abbr></p>
            <p class=geo><span class=latitude><span class=value-title title=31.5> </span>N</span><abbr class=longitude title=-97.1>W 97</abbr></p></div>
            <div class=h-card><span class=p-locality>Bonn</span> <a class=p-postal-code>53111</a></div>
            <abbr class=geo title="30.2;-97.7">Austin</abbr> <i class=h-geo>51.5; -0.1</i>
            <p class=region>Not in an item</p><p class=vcard><b class=tel>1</b></p>
            <p class=h-adr><a class="p-name u-geo" href="geo:51.5;-0.1;u=40">Pub</a> <data class=p-locality value=London></data></p>"#),
        @r"
    microformat: 5 Oak Rd | Waco | Texas | - | - @ 31.5 -97.1
    microformat: - | Bonn | - | 53111 | -
    microformat: - | - | - | - | - @ 30.2 -97.7
    microformat: - | - | - | - | - @ 51.5 -0.1
    map-link: - | - | - | - | - @ 51.5 -0.1
    microformat: - | London | - | - | - @ 51.5 -0.1
    "
    );
}

#[test]
fn one_element_in_two_formats_is_two_facts() {
    assert_snapshot!(
        read("<p class=adr itemscope itemtype=http://schema.org/PostalAddress><b class=locality itemprop=addressLocality>Waco</b>"),
        @r"
    microdata: - | Waco | - | - | -
    microformat: - | Waco | - | - | -
    "
    );
}

#[test]
fn metas_by_family() {
    assert_snapshot!(
        read(r#"<meta name=geo.region content=DE-BY><meta name=Geo.Placename content="M&uuml;nchen"><meta name=ICBM content="48.1, 11.5">
            <meta name=geo.position content="48.1;11.5"><meta property=og:latitude content=40.6><meta property=og:longitude content=-73.9>
            <meta property=business:contact_data:street_address content="5 Oak Rd"><meta property=og:title content=x>"#),
        @r"
    meta: - | München | BY | - | DE @ 48.1 11.5
    meta: 5 Oak Rd | - | - | - | - @ 40.6 -73.9
    "
    );
    assert_snapshot!(
        read("<meta name=geo.position content='1.5;2.5'><meta name=geo.position content='3.5;4.5'><meta name=geo.position content=','>"),
        @r"
    meta: - | - | - | - | - @ 1.5 2.5
    meta: - | - | - | - | - @ 3.5 4.5
    "
    );
}

#[test]
fn map_links_point_to_their_pin() {
    let points = [
        "https://www.google.com/maps/place/X/@8.97,-79.54,17z/data=!3m1!8m2!3d8.9739!4d-79.5396",
        "https://www.google.de/maps/@48.1,11.5,12z",
        "//maps.google.com/maps?q=Waco&amp;sll=37.0625,-95.677068&amp;ll=31.5,-97.1&amp;z=14",
        "http://maps.google.com/?q=loc:31.5,+-97.1",
        "https://maps.google.com/maps?daddr=Shanghai+Office+%4031.17,121.39",
        "https://www.google.com/maps/search/?api=1&query=31.5%2C-97.1",
        "https://www.openstreetmap.org/?mlat=51.5&mlon=-0.1#map=5/40/40",
        "https://osm.org/#map=15/51.5/-0.1",
        "https://maps.apple.com/?ll=50.9,4.3",
        "https://www.bing.com/maps?cp=47.6~-122.1&lvl=10",
        "geo:51.5,-0.1;u=40",
        "geo:0,0?q=29.76,-95.36(City+Hall)",
    ];
    let found = points.map(read_link).join("\n");
    assert_snapshot!(found.replace("map-link: - | - | - | - | - @ ", ""), @r"
    8.9739 -79.5396
    48.1 11.5
    31.5 -97.1
    31.5 -97.1
    31.17 121.39
    31.5 -97.1
    51.5 -0.1
    51.5 -0.1
    50.9 4.3
    47.6 -122.1
    51.5 -0.1
    29.76 -95.36
    ");
    assert_snapshot!(
        read("<iframe src='https://www.google.com/maps/embed?pb=!1m18!1d3229!2d9.83!3d46.62!2m3!2sVielgereuth!5e0'></iframe>"),
        @"map-link: - | - | - | - | - @ 46.62 9.83"
    );
    assert_snapshot!(
        read_link("http://maps.google.com/maps?q=8170+S.+University+Blvd,+Centennial%2C+CO+80122"),
        @"map-link: 8170 S. University Blvd, Centennial, CO 80122 | - | - | - | -"
    );
    let searches = [
        "https://www.google.com/maps/place/901+Bagby+St,+Houston,+TX/@29.5,-95.5,17z",
        "https://www.google.com/maps/dir//901+Bagby+St+Houston/@29.5,-95.5,17z/data=!4m5",
        "https://www.google.com/maps/dir/1+Elm+St+Waco/901+Bagby+St+Houston",
        "https://maps.google.com/maps?q=901%2Bbagby%2Bst",
        "https://www.bing.com/maps?where1=901+Bagby+St&sp=point.29.5_-95.5_City+Hall",
    ];
    assert_snapshot!(searches.map(read_link).join("\n"), @r"
    map-link: 901 Bagby St, Houston, TX | - | - | - | - @ 29.5 -95.5
    map-link: 901 Bagby St Houston | - | - | - | - @ 29.5 -95.5
    map-link: 901 Bagby St Houston | - | - | - | -
    map-link: 901 bagby st | - | - | - | -
    map-link: 901 Bagby St | - | - | - | - @ 29.5 -95.5
    ");
    assert_snapshot!(
        read("<iframe src='' nitro-lazy-src='https://maps.google.com/maps?coord=41.5,-81.5&q=CCBH'></iframe>"),
        @"map-link: - | - | - | - | - @ 41.5 -81.5"
    );
}

#[test]
fn other_links_are_no_maps() {
    let others = [
        "https://www.google.com/search?q=31.5,-97.1",
        "/maps/@48.1,11.5",
        "https://example.org/maps/@48.1,11.5",
        "https://www.apple.com/?ll=1.5,2.5",
        "http://maps.google.com/maps?file=api&v=2&key=AB",
        "https://maps.google.com/?q=99.5,200.5",
        "geo:",
        "geo:x,y",
        "https://",
        "//",
    ];
    for other in others {
        assert_eq!(read_link(other), "", "{other}");
    }
}

#[test]
fn a_fact_is_kept_once_and_facts_are_bounded() {
    let card = |n: usize| format!("<p class=h-card><b class=p-locality>C{n}</b></p>");
    assert_eq!(read_facts(card(1).repeat(5)).len(), 1);
    let many: String = (0..MAX_FACTS + 10).map(card).collect();
    assert_eq!(read_facts(many).len(), MAX_FACTS);
}

#[test]
fn hostile_depth_is_cut() {
    let depth = 100_000;
    let json = format!(
        "<script type=application/ld+json>{}</script>",
        r#"{"address":["#.repeat(depth)
    );
    assert_eq!(read_facts(json), []);
    assert_eq!(
        read_facts("<div itemscope itemprop=address>".repeat(depth)),
        []
    );
    let after = format!(
        "{}</i><p class=geo title='1.5;2.5'>",
        "<i itemprop=address itemscope>".repeat(depth)
    );
    assert!(read_facts(after).len() <= 1);
    let captures = "<i class=geo><i class=latitude>1".repeat(depth);
    assert!(read_facts(captures).len() <= MAX_FACTS);
}

/// Markup and JSON put together at random from pieces that mean something.
fn pieces() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "<div itemscope>",
        "<p itemprop=address itemscope itemtype=//schema.org/PostalAddress>",
        "<b itemprop=postalCode>",
        "<i class=geo>",
        "<abbr class='adr vcard' title='1.5;2.5'>",
        "<span class=latitude>",
        "<td class=p-longitude>",
        "<meta itemprop=latitude content=1.5>",
        "<div typeof=Place>",
        "<a property=geo href='geo:1.5,2.5'>",
        "</a>",
        "</div>",
        "</b>",
        "</i>",
        "<table><tr>",
        "</table>",
        "<svg><g>",
        "</svg>",
        "</abbr>",
        "<br>",
        "é",
        "12 A",
        "31.5",
        " ",
        "<script type=application/ld+json>",
        "</script>",
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"address\":",
        "\"geo\":",
        "'",
        "\"latitude\": 1.5",
        "\"@type\": \"City\"",
        "\"name\"",
        "\\",
        "\\u00e9",
        "\\ud83d",
        "/*",
        "*/",
        "//",
        "<!--",
        "&amp;",
        "<meta name=geo.region content=",
        "US-é",
        "<a href='https://maps.google.com/maps?ll=",
        "'>",
        "%",
        "@",
        "!3d",
        "!4d",
        "~",
    ]);
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]

    #[test]
    fn any_markup_gives_clean_facts(html in pieces()) {
        for fact in read_facts(&html) {
            prop_assert!(fact.has_address() || fact.has_point());
            prop_assert_eq!(fact.lat.is_some(), fact.lon.is_some());
            prop_assert!(fact.lat.is_none_or(|lat| lat.abs() <= 90.0));
            prop_assert!(fact.lon.is_none_or(|lon| lon.abs() <= 180.0));
            for part in [fact.street, fact.city, fact.state, fact.zip, fact.country].into_iter().flatten() {
                prop_assert!(!part.is_empty() && part.len() <= values::MAX_VALUE);
                prop_assert_eq!(part.trim(), &part);
            }
        }
    }

    #[test]
    fn any_script_is_read(json in "\\PC{0,200}") {
        read_facts(format!("<script type=application/ld+json>{{\"address\": {json}"));
    }

    #[test]
    fn any_map_is_read(tail in "[/?&=@!#%0-9.,a-f~é+-]{0,80}", host in "(maps.google.de|osm.org|www.bing.com/maps)") {
        read_facts(format!("<a href=\"https://{host}{tail}\">"));
        read_facts(format!("<a href=\"geo:{tail}\">"));
    }

    #[test]
    fn structured_markup_leaves_text_and_links_alone(html in pieces()) {
        let url = CanonicalUrl::parse("http://www.example.org/").unwrap();
        let plain = html.replace("itemscope", "data-x").replace("typeof", "data-y").replace("class", "data-z");
        let (page, plain) = (html::read(html.as_bytes(), &url, None), html::read(plain.as_bytes(), &url, None));
        prop_assert_eq!(page.text, plain.text);
        prop_assert_eq!(page.links.len(), plain.links.len());
    }
}
