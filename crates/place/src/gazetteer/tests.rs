use super::*;
use insta::assert_snapshot;
use std::collections::HashSet;

fn gazetteer() -> &'static Gazetteer {
    Gazetteer::built_in()
}

fn found(name: &str) -> String {
    let ids = gazetteer().find(name);
    let show = |&id: &PlaceId| {
        format!(
            "{} {:?}",
            gazetteer().describe(id),
            gazetteer().place(id).kind
        )
    };
    ids.iter().take(3).map(show).collect::<Vec<_>>().join("; ")
}

fn population(name: &str) -> u32 {
    gazetteer().place(gazetteer().find(name)[0]).population
}

fn bearers(name: &str) -> String {
    let show = |(id, role)| format!("{} {role:?}", gazetteer().describe(id));
    let shown: Vec<String> = gazetteer().bearers(name).take(3).map(show).collect();
    shown.join("; ")
}

fn near(name: &str) -> String {
    let ids = gazetteer().nearest_names(name, 3);
    ids.into_iter()
        .map(|id| gazetteer().describe(id))
        .collect::<Vec<_>>()
        .join("; ")
}

fn city(name: &str, state: &str) -> PlaceId {
    let of_state = |id: &PlaceId| {
        gazetteer().place(*id).division == state && gazetteer().place(*id).kind == Kind::City
    };
    gazetteer().find(name).into_iter().find(of_state).unwrap()
}

#[test]
fn names_are_found_whatever_their_case_and_accents() {
    assert_snapshot!(found("houston"), @"Houston, Texas, United States City; Houston, Scotland, United Kingdom City; Houston, Mississippi, United States City");
    assert_snapshot!(found("SAO PAULO"), @"São Paulo, Brazil Division1; São Paulo, São Paulo, Brazil City; São Paulo, São Paulo, Brazil Division2");
    assert_snapshot!(found("München"), @"Munich, Bavaria, Germany City");
    assert_snapshot!(found("st. louis"), @"Saint-Louis, Senegal Division1; St. Louis, Missouri, United States City; Saint-Louis, Saint-Louis, Senegal City");
    assert_snapshot!(found("Niedersachsen"), @"Lower Saxony, Germany Division1");
    assert_snapshot!(found("NYC"), @"New York, New York, United States City");
    assert_snapshot!(found("no such place"), @"");
}

#[test]
fn outliers_are_not_in_the_pack() {
    // A section of Memphis, without the people GeoNames gives it.
    assert_snapshot!(found("New South Memphis"), @"New South Memphis, Memphis, Tennessee, United States Section");
    assert_eq!(population("New South Memphis"), 0);
    assert_snapshot!(found("Tri-Cities"), @"");
    assert!(gazetteer().by_geonameid(4300488).is_none());
    let lexingtons = gazetteer().find("Lexington");
    let in_kentucky = |id: &&PlaceId| gazetteer().place(**id).division == "KY";
    assert_eq!(lexingtons.iter().filter(in_kentucky).count(), 1);
}

#[test]
fn names_have_roles() {
    assert_snapshot!(bearers("Texans"), @"Texas, United States Demonym");
    assert_snapshot!(bearers("Dutch"), @"The Netherlands Demonym");
    assert_snapshot!(bearers("Deutschland"), @"Germany Alias");
    assert_snapshot!(bearers("Calif."), @"California, United States Abbreviation");
    assert_snapshot!(found("Texans"), @"");
}

#[test]
fn abbreviations_count_in_their_own_spelling() {
    assert_snapshot!(found("U.S."), @"United States Country; Us, Île-de-France, France City");
    assert_snapshot!(found("us"), @"Us, Île-de-France, France City");
    assert_snapshot!(found("TX"), @"Texas, United States Division1");
    assert_snapshot!(found("In"), @"");
    let abbreviations = || gazetteer().abbreviations();
    assert!(abbreviations().is_sorted());
    for (text, id) in abbreviations() {
        assert!(gazetteer().find(text).contains(&id), "{text}");
    }
}

#[test]
fn what_is_no_state_has_a_place_too() {
    assert_snapshot!(found("Europe"), @"Europe Continent");
    assert_snapshot!(found("New England"), @"New England, North Dakota, United States City; New England, West Virginia, United States City; New England, United States Region");
    assert_snapshot!(found("Middle East"), @"Middle East, Maryland, United States City; Middle East, Asia Region");
    assert_snapshot!(found("Danube"), @"Danube, Minnesota, United States City; Danube River Water");
}

#[test]
fn wordnet_knows_what_people_elsewhere_know() {
    let known = |id: PlaceId| gazetteer().synset(id).is_some();
    assert!(known(city("Houston", "TX")));
    assert!(!known(city("Pasadena", "TX")));
    let danube = gazetteer().find("Danube River")[0];
    let around = gazetteer().part_of(danube).iter();
    let names: Vec<&str> = around.map(|&id| gazetteer().place(id).name).collect();
    assert_snapshot!(names[..4].join(", "), @"Germany, Austria, Czechoslovakia, Hungary");
    let portugal = gazetteer().find("Portugal")[0];
    assert!(gazetteer().parent(portugal).is_none());
}

#[test]
fn countries_and_states_have_their_geographic_middles() {
    let middle = |name: &str| {
        let place = gazetteer().place(gazetteer().find(name)[0]);
        format!("{:.1} {:.1}", place.lat, place.lon)
    };
    assert_snapshot!(middle("France"), @"46.0 2.0");
    assert_snapshot!(middle("Canada"), @"60.1 -113.6");
    assert_snapshot!(middle("Minnesota"), @"46.2 -94.2");
    assert_snapshot!(middle("Harris County"), @"29.8 -95.3");
}

#[test]
fn a_slip_of_the_fingers_is_forgiven() {
    assert_snapshot!(near("Huoston"), @"Houston, Texas, United States; Huyton, England, United Kingdom; Heston, England, United Kingdom");
    assert_snapshot!(near("Portto"), @"Porto, Portugal; Portão, Rio Grande do Sul, Brazil; Poroto, La Libertad, Peru");
    assert_snapshot!(near("Chciago"), @"Chicago, Illinois, United States; Casciago, Lombardy, Italy; Cucciago, Lombardy, Italy");
    assert_snapshot!(near(""), @"");
}

#[test]
fn a_place_lies_in_its_parents() {
    let houston = city("Houston", "TX");
    let names: Vec<&str> = gazetteer()
        .chain(houston)
        .map(|id| gazetteer().place(id).name)
        .collect();
    assert_snapshot!(names.join(" < "), @"Houston < Harris County < Texas < United States");
    assert_snapshot!(gazetteer().describe(houston), @"Houston, Texas, United States");
    let texas = gazetteer().us_state("Texas").unwrap();
    assert_eq!(gazetteer().us_state("tx"), Some(texas));
    assert!(gazetteer().cities_in(texas).contains(&houston));
    let place = gazetteer().place(texas);
    assert_snapshot!(format!("{:.1} {:.1} {}", place.lat, place.lon, place.division), @"31.2 -99.2 TX");
}

#[test]
fn every_child_knows_its_parent() {
    let mut n_children = 0;
    for place in gazetteer().all() {
        for &child in gazetteer().children(place.id) {
            assert_eq!(gazetteer().parent(child), Some(place.id));
            n_children += 1;
        }
    }
    let n_orphans = gazetteer()
        .all()
        .filter(|place| gazetteer().parent(place.id).is_none())
        .count();
    assert_eq!(n_children + n_orphans, gazetteer().len());
}

#[test]
fn places_come_most_populous_first_and_are_found_by_their_own_names() {
    let mut last = u32::MAX;
    for place in gazetteer().all() {
        assert!(place.population <= last);
        last = place.population;
    }
    for place in gazetteer().all().step_by(97) {
        assert!(
            gazetteer().find(place.name).contains(&place.id),
            "{place:?}"
        );
    }
}

#[test]
fn geonames_identifiers_lead_to_their_places() {
    let id = gazetteer().by_geonameid(4699066).unwrap();
    assert_eq!(gazetteer().place(id).name, "Houston");
    assert_eq!(gazetteer().by_geonameid(0), None);
    assert_eq!(gazetteer().by_geonameid(u32::MAX), None);
}

#[test]
fn streets_are_a_citys_own_or_its_countys() {
    let new_york = gazetteer().streets(city("New York", "NY"));
    assert!(new_york.contains(&"W 158th St"), "{}", new_york.len());
    assert!(
        gazetteer()
            .streets(city("Chicago", "IL"))
            .contains(&"N Michigan Ave")
    );
    let glendale = gazetteer().streets(city("Glendale", "CA"));
    assert_eq!(
        glendale.len(),
        gazetteer().streets(city("Los Angeles", "CA")).len()
    );
    assert!(gazetteer().streets(city("Houston", "TX")).is_empty());
    let common: HashSet<&str> = gazetteer().common_streets().iter().copied().collect();
    assert_eq!(common.len(), gazetteer().common_streets().len());
    assert_snapshot!(gazetteer().common_streets()[..12].join(", "), @"3rd St, 1st St, 2nd St, 8th St, 9th St, Park Ave, Main St, Prospect Ave, Central Ave, 3rd Ave, 2nd Ave, 6th Ave");
}

#[test]
fn zips_and_cities_agree() {
    let houston = city("Houston", "TX");
    let zips = gazetteer().zips(houston);
    assert!(zips.len() > 100);
    for zip in zips {
        assert_eq!(
            gazetteer().city_of_zip(&format!("{:05}", zip.code)),
            Some(houston)
        );
    }
    assert_eq!(
        gazetteer().city_of_zip("02108-1234"),
        Some(city("Boston", "MA"))
    );
    assert_eq!(gazetteer().city_of_zip("99999"), None);
    assert_eq!(gazetteer().city_of_zip("é1234"), None);
    assert_eq!(gazetteer().city_of_zip("123456"), None);
}

#[test]
fn postal_codes_outside_the_us_have_names_and_places() {
    let oldenburg = gazetteer().postcode("DE", "26121").unwrap();
    assert_eq!(oldenburg.division, "NI");
    assert_eq!(oldenburg.names().next(), Some("Oldenburg"));
    let place = gazetteer().place(oldenburg.place.unwrap());
    assert_snapshot!(gazetteer().describe(place.id), @"Oldenburg, Lower Saxony, Germany");
    assert_snapshot!(format!("{:.1} {:.1}", oldenburg.lat, oldenburg.lon), @"53.2 8.2");
    let codes: Vec<&str> = gazetteer().postcodes("DE").map(|code| code.code).collect();
    assert!(codes.len() > 8_000 && codes.is_sorted());
    assert_eq!(gazetteer().postcodes("XX").count(), 0);
    assert!(gazetteer().postcode("DE", "00000").is_none());
}

#[test]
fn large_us_cities_have_seeds() {
    assert_snapshot!(gazetteer().seeds(city("Houston", "TX"))[..2].join(" "), @"http://www.houstontx.gov/ https://bunkerhilltx.gov/");
    let lisbon = gazetteer().find("Lisbon")[0];
    assert!(gazetteer().seeds(lisbon).is_empty());
}

#[test]
fn what_is_no_pack_is_an_error() {
    assert!(Gazetteer::open(b"").is_err());
    assert!(Gazetteer::open(b"some other file altogether").is_err());
}
