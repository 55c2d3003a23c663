//! Why a finding was taken for what it is, one reason a line.

use place::address::{Address, AddressKind};
use place::evidence::{Conflict, Evidence};
use place::gazetteer::{Gazetteer, PlaceId};
use place::precision::Precision;
use place::toponym::Mention;

pub(super) fn address(gazetteer: &Gazetteer, address: &Address) -> Vec<String> {
    let mut reasons = vec![parts(address)];
    reasons.extend(zip(gazetteer, address));
    reasons.extend(address.precision.map(whose));
    if address.place.is_none() {
        reasons.push("the gazetteer does not know this city".into());
    }
    if address.crosses_blank_line {
        reasons
            .push("a blank line stands inside: ZIP code, city and street are sure enough".into());
    }
    reasons
}

fn whose(precision: Precision) -> String {
    let whose = match precision {
        Precision::Page => "the coordinates are the page's own",
        Precision::Postcode => "the coordinates are the middle of its postal code",
        Precision::Place => "the coordinates are the middle of its city",
    };
    whose.to_owned()
}

/// `house 1200, street MAIN ST, ZIP 77002`
fn parts(address: &Address) -> String {
    let mut parts = Vec::new();
    let mut part = |name: &str, value: &str| {
        if !value.is_empty() {
            parts.push(format!("{name} {value}"));
        }
    };
    part("house", &address.number);
    if address.kind == AddressKind::Street {
        part("street", &address.street);
    }
    part("unit", address.unit.as_deref().unwrap_or_default());
    part("post box", address.po_box.as_deref().unwrap_or_default());
    part("city", &address.city);
    part("state", address.state);
    part("ZIP", address.zip.as_deref().unwrap_or_default());
    part("country", address.country);
    parts.join(", ")
}

/// Whether the ZIP code agrees with the city; only US codes are known by city.
fn zip(gazetteer: &Gazetteer, address: &Address) -> Option<String> {
    let zip = address.zip.as_deref().filter(|_| address.country == "US")?;
    let Some(city) = gazetteer.city_of_zip(zip) else {
        return Some(format!("ZIP {zip} belongs to no city we know"));
    };
    let name = gazetteer.describe(city);
    Some(if address.place == Some(city) {
        format!("ZIP {zip} belongs to {name}: city and ZIP agree")
    } else {
        format!("ZIP {zip} belongs to {name}")
    })
}

pub(super) fn name(gazetteer: &Gazetteer, mention: &Mention) -> Vec<String> {
    let said = mention.because.into_iter().filter(|why| !why.is_empty());
    let mut reasons: Vec<String> = said.map(str::to_owned).collect();
    let full = |place: PlaceId| gazetteer.describe(place);
    reasons.extend(
        mention
            .runner_up
            .map(|other| format!("next best: {}", full(other))),
    );
    reasons
}

pub(super) fn fact(evidence: Option<&Evidence>) -> Vec<String> {
    let Some(evidence) = evidence else {
        return vec!["means no place we know".into()];
    };
    let mut reasons = Vec::new();
    if evidence.address.is_some() {
        reasons.push("read as an address".to_owned());
    }
    if evidence.lat.is_some() {
        let whose = if evidence.is_exact() {
            "the coordinates are the page's own"
        } else {
            "the coordinates are looked up"
        };
        reasons.push(whose.to_owned());
    }
    reasons.extend(
        evidence
            .conflict
            .map(|conflict| conflict_text(conflict).to_owned()),
    );
    reasons
}

fn conflict_text(conflict: Conflict) -> &'static str {
    match conflict {
        Conflict::PointAwayFromCity => "contradiction: the coordinates lie far from the city",
        Conflict::ZipOfAnotherState => "contradiction: the ZIP code belongs to another state",
        Conflict::CityOutsideState => {
            "contradiction: the city lies in another state than is stated"
        }
        Conflict::CityOutsideCountry => {
            "contradiction: the city lies in another country than is stated"
        }
    }
}
