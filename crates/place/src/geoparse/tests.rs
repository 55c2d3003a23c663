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
