use super::*;
use crate::evidence::Kind;
use insta::assert_snapshot;
use std::sync::LazyLock;

static GEOPARSER: LazyLock<Geoparser<'static>> =
    LazyLock::new(|| Geoparser::new(Gazetteer::built_in()));

/// The names inside the addresses of a text, with what they mean.
fn inside(text: &str) -> String {
    let gazetteer = Gazetteer::built_in();
    let addresses = Addresses::new(gazetteer).find(text);
    let show = |mention: Mention| {
        let name = &text[mention.span];
        format!("{name} = {}", gazetteer.describe(mention.place))
    };
    inside::with_parts_of_addresses(gazetteer, text, &addresses, Vec::new())
        .into_iter()
        .map(show)
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn addresses_name_their_city_state_and_country() {
    assert_snapshot!(inside("901 Bagby St, Houston, Texas 77002-1234 USA"), @r"
    Houston = Houston, Texas, United States
    Texas = Texas, United States
    USA = United States
    ");
    assert_snapshot!(inside("Büro: 5 Houston St, New  York, NY 10011"), @r"
    New  York = New York, New York, United States
    NY = New York, United States
    ");
    assert_snapshot!(inside("426 South 1000 East, Salt Lake City, Utah, US"), @r"
    Salt Lake City = Salt Lake City, Utah, United States
    Utah = Utah, United States
    US = United States
    ");
    assert_snapshot!(inside("1200 Main St, Houston 77002"), @"Houston = Houston, Texas, United States");
}

#[test]
fn what_was_found_inside_an_address_is_not_doubled() {
    let found = GEOPARSER.read(&Source {
        text: "1200 Main Street, Houston, TX 77002",
        ..Source::default()
    });
    for (one, next) in found.mentions.iter().zip(&found.mentions[1..]) {
        assert!(one.span.end <= next.span.start, "{one:?} {next:?}");
    }
    let text = "1200 Main Street, Houston, TX 77002";
    let names = found
        .mentions
        .iter()
        .map(|mention| &text[mention.span.clone()]);
    assert_eq!(names.filter(|name| *name == "Houston").count(), 1);
}

#[test]
fn claims_keep_their_positions() {
    let known = Claim {
        city: "Houston",
        state: "TX",
        ..Claim::new(Kind::JsonLd)
    };
    let unknown = Claim {
        city: "Xyzzyville",
        ..Claim::new(Kind::Meta)
    };
    let found = GEOPARSER.read(&Source {
        claims: &[unknown, known],
        ..Source::default()
    });
    assert!(found.evidence[0].is_none());
    assert_eq!(found.evidence[1].as_ref().unwrap().kind, Kind::JsonLd);
    assert!(found.geography.focus.is_some());
}

#[test]
fn names_are_left_alone_on_request() {
    let gazetteer = Gazetteer::built_in();
    let addresses = Arc::new(Addresses::new(gazetteer));
    let geoparser = Geoparser::without_names(gazetteer, addresses);
    let source = Source {
        text: "Houston is large. 5 Oak St, Dallas, TX 75201",
        ..Source::default()
    };
    assert!(geoparser.read(&source).mentions.is_empty());
    assert_eq!(geoparser.read(&source).addresses.len(), 1);
    assert!(!geoparser.with_names().read(&source).mentions.is_empty());
}

/// The addresses of a text beside some claims: where they are, and by what.
fn placed(text: &str, claims: &[Claim<'_>]) -> String {
    let found = GEOPARSER.read(&Source {
        text,
        claims,
        ..Source::default()
    });
    let show = |address: &Address| {
        let (lat, lon) = address.lat.zip(address.lon).unwrap();
        let precision = address.precision.unwrap().name();
        format!(
            "{} {} {lat:.4},{lon:.4} {precision}",
            address.number, address.street
        )
    };
    let found: Vec<String> = found.addresses.iter().map(show).collect();
    found.join("\n")
}

const CITY_HALL: (f64, f64) = (29.7604, -95.3698);

fn city_hall(street: &'static str) -> Claim<'static> {
    Claim {
        street,
        city: "Houston",
        state: "TX",
        zip: "77002",
        point: Some(CITY_HALL),
        ..Claim::new(Kind::JsonLd)
    }
}

fn point(kind: Kind, at: (f64, f64)) -> Claim<'static> {
    Claim {
        point: Some(at),
        ..Claim::new(kind)
    }
}

#[test]
fn coordinates_stated_with_an_address_are_its_own_also_in_the_text() {
    let text = "901 Bagby St, Houston, TX 77002\n1200 Main St, Houston, TX 77002";
    assert_snapshot!(placed(text, &[city_hall("901 Bagby Street")]), @r"
    901 BAGBY ST 29.7604,-95.3698 page
    1200 MAIN ST 29.7594,-95.3594 postcode
    ");
}

#[test]
fn coordinates_without_an_address_belong_to_the_only_one() {
    let one = "901 Bagby St, Houston, TX 77002. Write to 901 Bagby Street, Houston, Texas";
    for kind in [Kind::Meta, Kind::MapLink, Kind::JsonLd] {
        let placed = placed(one, &[point(kind, CITY_HALL)]);
        assert!(
            placed.starts_with("901 BAGBY ST 29.7604,-95.3698 page"),
            "{placed}"
        );
    }
}

#[test]
fn one_point_is_not_given_to_all_addresses_of_a_page() {
    let two = "901 Bagby St, Houston, TX 77002\n1200 Main St, Houston, TX 77002";
    assert_snapshot!(placed(two, &[point(Kind::MapLink, CITY_HALL)]), @r"
    901 BAGBY ST 29.7594,-95.3594 postcode
    1200 MAIN ST 29.7594,-95.3594 postcode
    ");
    // One stands in the markup only.
    let one = "1200 Main St, Houston, TX 77002";
    let stated = Claim {
        point: None,
        ..city_hall("901 Bagby St")
    };
    assert_snapshot!(placed(one, &[stated, point(Kind::Meta, CITY_HALL)]), @"1200 MAIN ST 29.7594,-95.3594 postcode");
}

#[test]
fn coordinates_that_cannot_be_those_of_the_address_are_not() {
    let text = "901 Bagby St, Houston, TX";
    let dallas = point(Kind::MapLink, (32.78, -96.8));
    assert_snapshot!(placed(text, &[dallas]), @"901 BAGBY ST 29.7633,-95.3633 place");
    let (here, there) = (
        point(Kind::MapLink, CITY_HALL),
        point(Kind::MapLink, (29.9, -95.4)),
    );
    assert_snapshot!(placed(text, &[here, there]), @"901 BAGBY ST 29.7633,-95.3633 place");
}

#[test]
fn a_claim_without_coordinates_has_those_of_its_page() {
    let stated = Claim {
        point: None,
        ..city_hall("901 Bagby St")
    };
    let found = GEOPARSER.read(&Source {
        claims: &[stated, point(Kind::Meta, CITY_HALL)],
        ..Source::default()
    });
    let piece = found.evidence[0].as_ref().unwrap();
    assert_eq!(
        (piece.lat, piece.lon),
        (Some(CITY_HALL.0), Some(CITY_HALL.1))
    );
    assert!(piece.is_exact());
}

/// Lines about whose names there is no doubt.
const PLAIN_LINES: [&str; 6] = [
    "1200 Main St, Houston, TX 77002\n",
    "901 Bagby Street\n\nHouston, TX 77002\n\n",
    "Houston, TX\n",
    "They came to Dallas, Texas, from the\n",
    "350 Fifth Avenue, 21st Floor, Suite 2100\nNew York\nNY\n10118 USA, ",
    "Büro Köln: Domstr. 5, 50668 Köln, Deutschland; ",
];

/// Lines that begin and end addresses anywhere.
const ODD_LINES: [&str; 7] = [
    "Postfach 12 34, 26122 Oldenburg\n",
    "26122 Oldenburg, Schlossplatz 3 ",
    "PO Box 1562 | Houston, TX 77251-1562 ",
    "\n\n\n\n",
    "12345 67890 11111 22222 ",
    "supercalifragilisticexpialidocious-without-any-gap-",
    "東京とМосква ",
];

/// Some of these lines, many times, in no order and yet always the same.
fn long_text(n_lines: usize, kinds: &[&str]) -> String {
    let mut text = String::new();
    let mut seed = 1_u64;
    for _ in 0..n_lines {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
        text += kinds[(seed >> 33) as usize % kinds.len()];
    }
    text
}

#[test]
fn a_text_in_pieces_has_the_addresses_of_the_whole() {
    let kinds = [&PLAIN_LINES[..], &ODD_LINES].concat();
    let text = long_text(6_000, &kinds);
    let source = Source {
        text: &text,
        ..Source::default()
    };
    let whole = GEOPARSER.read(&source);
    assert!(whole.addresses.len() > 2_000);
    for most in [2_100, 5_003, 1 << 15] {
        let pieces = GEOPARSER.pieces(&source).without_names().of_most(most);
        let found: Vec<Address> = pieces.flat_map(|piece| piece.addresses).collect();
        let differing = found.iter().zip(&whole.addresses).find(|(a, b)| a != b);
        assert_eq!(differing, None, "pieces of {most}");
        assert_eq!(found.len(), whole.addresses.len(), "pieces of {most}");
    }
}

#[test]
fn a_text_in_pieces_has_the_names_and_geography_of_the_whole() {
    let text = long_text(6_000, &PLAIN_LINES);
    let source = Source {
        text: &text,
        ..Source::default()
    };
    let whole = GEOPARSER.read(&source);
    let mut pieces = GEOPARSER.pieces(&source).of_most(1 << 15);
    let found: Vec<Piece> = pieces.by_ref().collect();
    assert!(found.len() > 5);
    let differing = |found: Vec<&Mention>, whole: Vec<&Mention>| {
        let shown = |mention: &Mention| (mention.span.clone(), mention.place);
        let pairs = found.iter().zip(&whole).map(|(a, b)| (shown(a), shown(b)));
        let mut differing = pairs.filter(|(a, b)| a != b);
        (differing.next(), found.len().abs_diff(whole.len()))
    };
    let mentions = found.iter().flat_map(|piece| &piece.mentions).collect();
    assert_eq!(
        differing(mentions, whole.mentions.iter().collect()),
        (None, 0)
    );
    let names = found.iter().flat_map(Piece::names).collect();
    assert_eq!(differing(names, whole.names().collect()), (None, 0));
    let geography = pieces.geography();
    let places = |geography: &Geography| -> Vec<_> {
        geography.nodes.iter().map(|node| node.place).collect()
    };
    assert_eq!(geography.focus, whole.geography.focus);
    assert_eq!(places(&geography), places(&whole.geography));
}

#[test]
fn a_text_without_gaps_is_cut_too() {
    let text = "東".repeat(10_000);
    let source = Source {
        text: &text,
        ..Source::default()
    };
    let pieces = GEOPARSER.pieces(&source).of_most(2_500);
    assert_eq!(pieces.count(), 13);
}
