use super::*;
use proptest::prelude::*;

fn toy() -> Vec<u8> {
    let country = PlaceRow {
        geonameid: 1,
        name: "Toyland".into(),
        kind: Kind::Country,
        lat: 1.0,
        lon: -2.5,
        population: 10,
        country: "TL".into(),
        division: String::new(),
        time_zone: String::new(),
        parent: None,
        synset: None,
    };
    let city = PlaceRow {
        geonameid: 2,
        name: "Törö".into(),
        kind: Kind::City,
        population: 7,
        time_zone: "Toy/Zone".into(),
        parent: Some(0),
        synset: Some(8_000_000),
        ..country.clone()
    };
    Contents {
        places: vec![country, city],
        names: BTreeMap::from([
            ("toro".into(), vec![(1, Role::Name)]),
            ("toyland".into(), vec![(0, Role::Name), (1, Role::Alias)]),
        ]),
        abbreviations: vec![("T.L.".into(), 0)],
        part_of: BTreeMap::from([(1, vec![0])]),
        streets: BTreeMap::from([(1, vec!["Main St".into()])]),
        common_streets: vec!["Oak Ave".into()],
        zips: vec![ZipRow {
            code: 501,
            city: Some(1),
            state: "TL".into(),
            names: vec!["Törö".into()],
            lat: 1.0,
            lon: 2.0,
        }],
        postcodes: vec![PostcodeRow {
            country: "TL".into(),
            code: "T-9".into(),
            division: "TO".into(),
            city: Some(1),
            names: vec!["Törö".into(), "Old Törö".into()],
            lat: 1.0,
            lon: 2.0,
        }],
        seeds: BTreeMap::new(),
    }
    .encode()
}

#[test]
fn what_is_written_is_read() {
    let pack = Pack::decode(toy().leak()).unwrap();
    assert_eq!(pack.names.get(1), "Törö");
    assert_eq!(pack.coordinates(1), (1.0, -2.5));
    assert_eq!(pack.parents.iter().collect::<Vec<_>>(), [NO_PLACE, 0]);
    assert_eq!(pack.country(1), "TL");
    let postings = pack.postings(pack.keys.get("toyland").unwrap());
    let bearers: Vec<(u32, Role)> = postings.map(|p| (p.place().0, p.role())).collect();
    assert_eq!(bearers, [(0, Role::Name), (1, Role::Alias)]);
    assert_eq!(pack.synset_places.search(1), Some(0));
    assert_eq!(pack.streets.texts.get(0), "Main St");
    assert_eq!(pack.postcodes.codes.get(0), "T-9");
    assert_eq!(pack.postcodes.names.len(), 2);
}

#[test]
fn another_version_is_told_apart_from_damage() {
    let mut bytes = toy();
    bytes[8] = 99;
    let error = Pack::decode(bytes.leak()).err().unwrap();
    assert_eq!(
        error,
        PackError::Version {
            found: 99,
            expected: section::VERSION
        }
    );
    assert_eq!(Pack::decode(b"GIF89a").err(), Some(PackError::Magic));
}

proptest! {
    #[test]
    fn a_changed_byte_is_an_error_not_a_panic(at in 0..toy().len(), by in 1_u8..) {
        let mut bytes = toy();
        bytes[at] ^= by;
        prop_assert!(Pack::decode(bytes.leak()).is_err());
    }

    #[test]
    fn a_cut_pack_is_an_error_not_a_panic(len in 0..toy().len()) {
        prop_assert!(Pack::decode(&toy().leak()[..len]).is_err());
    }
}
