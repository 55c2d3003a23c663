//! Claims in, what they mean out.

use super::*;
use insta::assert_snapshot;
use std::sync::LazyLock;

static UNDERSTANDING: LazyLock<Understanding<'static>> =
    LazyLock::new(|| Understanding::new(Gazetteer::built_in()));
static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses::new(Gazetteer::built_in()));

fn claim(parts: [&'static str; 5], point: Option<(f64, f64)>) -> Claim<'static> {
    let [street, city, state, zip, country] = parts;
    Claim {
        street,
        city,
        state,
        zip,
        country,
        point,
        ..Claim::new(Kind::JsonLd)
    }
}

/// Place, address, coordinates, conflict.
fn read(parts: [&'static str; 5], point: Option<(f64, f64)>) -> String {
    let Some(evidence) = UNDERSTANDING.understand(&claim(parts, point), &ADDRESSES) else {
        return "nothing".to_owned();
    };
    let place = evidence.place.map(|id| Gazetteer::built_in().describe(id));
    let address = evidence.address.as_ref().map(|address| {
        format!(
            "; {} {}, {} {}",
            address.number, address.street, address.city, address.state
        )
    });
    let source = if evidence.is_exact() { "own" } else { "found" };
    let point = evidence.lat.zip(evidence.lon);
    format!(
        "{}{}; {source} {}{}",
        place.unwrap_or_else(|| "nowhere".to_owned()),
        address.unwrap_or_default(),
        point.map_or("-".to_owned(), |(lat, lon)| format!("{lat:.1} {lon:.1}")),
        evidence
            .conflict
            .map_or_else(String::new, |conflict| format!("; {conflict:?}"))
    )
}

#[test]
fn state_country_and_zip_decide_between_namesakes() {
    assert_snapshot!(read(["", "Paris", "", "", ""], None), @"Paris, Île-de-France, France; found 48.9 2.3");
    assert_snapshot!(read(["", "Paris", "TX", "", ""], None), @"Paris, Texas, United States; found 33.7 -95.6");
    assert_snapshot!(read(["", "Paris", "", "75460", ""], None), @"Paris, Texas, United States; found 33.7 -95.5");
    assert_snapshot!(read(["", "Portland", "Maine", "", "USA"], None), @"Portland, Maine, United States; found 43.7 -70.3");
    assert_snapshot!(read(["", "Springfield", "US-MA", "", ""], None), @"Springfield, Massachusetts, United States; found 42.1 -72.6");
    assert_snapshot!(read(["", "Galloway", "New Jersey (NJ)", "08205", ""], None), @"Galloway, New Jersey, United States; found 39.5 -74.5");
    assert_snapshot!(read(["", "Newcastle", "", "", "UK"], None), @"Newcastle upon Tyne, England, United Kingdom; found 55.0 -1.6");
    assert_snapshot!(read(["", "Berlin", "DE", "12205", ""], None), @"Berlin, Berlin, Germany; found 52.5 13.4");
    assert_snapshot!(read(["", "Springfield", "", "", ""], Some((44.05, -123.02))), @"Springfield, Oregon, United States; own 44.0 -123.0");
}

#[test]
fn what_is_said_least_exactly_is_still_something() {
    assert_snapshot!(read(["", "", "", "77002", "US"], None), @"Houston, Texas, United States; found 29.8 -95.4");
    assert_snapshot!(read(["", "", "", "26121", ""], None), @"nothing");
    assert_snapshot!(read(["", "", "TX", "", ""], None), @"Texas, United States; found 31.2 -99.2");
    assert_snapshot!(read(["", "", "", "", "Deutschland"], None), @"Germany; found 51.5 10.5");
    assert_snapshot!(read(["", "", "", "", ""], Some((29.76, -95.37))), @"Houston, Texas, United States; own 29.8 -95.4");
    assert_snapshot!(read(["", "", "", "", ""], Some((-45.0, -140.0))), @"nowhere; own -45.0 -140.0");
    assert_snapshot!(read(["", "8606 Uster", "", "", "CH"], None), @"Uster, Zurich, Switzerland; found 47.3 8.7");
    assert_snapshot!(read(["", "Tacoma, WA", "", "", ""], None), @"Tacoma, Washington, United States; found 47.3 -122.4");
    assert_snapshot!(read(["", "Promenade 23, 4020 Linz, Österreich", "", "", "AT"], None), @"Linz, Upper Austria, Austria; found 48.3 14.3");
    assert_snapshot!(read(["", "Qwertyville", "TX", "", ""], None), @"Texas, United States; found 31.2 -99.2");
}

#[test]
fn placeholders_mean_nothing() {
    assert_snapshot!(read(["{{street}}", "{{city}}", "N/A", "00000", "null"], Some((0.0, 0.0))), @"nothing");
    assert_snapshot!(read(["[Street]", "Your City", "State", "", ""], None), @"nothing");
}

#[test]
fn an_address_in_markup_is_the_one_in_text() {
    let in_text = ADDRESSES.find("Visit us: 901 Bagby Street, Houston, Texas 77002.");
    for parts in [
        ["901 Bagby St", "Houston", "TX", "77002", "US"],
        ["901 Bagby St.", "Houston", "Texas", "", ""],
        ["901 Bagby Street", "", "", "77002-1001", "USA"],
        ["901 Bagby St, Houston, TX 77002", "", "", "", ""],
    ] {
        let evidence = UNDERSTANDING
            .understand(&claim(parts, None), &ADDRESSES)
            .unwrap();
        let address = evidence.address.unwrap();
        assert_eq!(address.key(), in_text[0].key(), "{parts:?}");
        assert_eq!(address.span, 0..0);
    }
    assert_snapshot!(read(["City Hall", "Houston", "TX", "", ""], None), @"Houston, Texas, United States; found 29.8 -95.4");
}

#[test]
fn contradictions_are_noted_and_both_sides_kept() {
    assert_snapshot!(read(["", "Houston", "TX", "", ""], Some((40.71, -74.0))), @"Houston, Texas, United States; own 40.7 -74.0; PointAwayFromCity");
    assert_snapshot!(read(["", "Houston", "TX", "10001", ""], None), @"Houston, Texas, United States; found 40.7 -74.0; ZipOfAnotherState");
    assert_snapshot!(read(["", "Houston", "OK", "77002", ""], None), @"Houston, Texas, United States; found 29.8 -95.4; ZipOfAnotherState");
    assert_snapshot!(read(["", "Houston", "", "", "Germany"], Some((29.76, -95.37))), @"Houston, Texas, United States; own 29.8 -95.4; CityOutsideCountry");
    // No such city there, and nothing that leads to a namesake.
    assert_snapshot!(read(["", "Houston", "", "", "Germany"], None), @"Germany; found 51.5 10.5");
}

#[test]
fn points_belong_to_the_city_around_them() {
    let at = |lat, lon| read(["", "", "", "", ""], Some((lat, lon)));
    assert_snapshot!(at(29.655, -95.277), @"Houston, Texas, United States; own 29.7 -95.3");
    assert_snapshot!(at(40.742, -74.028), @"Hoboken, New Jersey, United States; own 40.7 -74.0");
    assert_snapshot!(at(53.14, 8.21), @"Oldenburg, Lower Saxony, Germany; own 53.1 8.2");
}
