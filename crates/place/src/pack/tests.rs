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
    };
    let city = PlaceRow {
        geonameid: 2,
        name: "Törö".into(),
        kind: Kind::City,
        population: 7,
        time_zone: "Toy/Zone".into(),
        parent: Some(0),
        ..country.clone()
    };
    Contents {
        places: vec![country, city],
        names: BTreeMap::from([("toro".into(), vec![1]), ("toyland".into(), vec![0])]),
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
    let pack = Pack::decode(&toy()).unwrap();
    assert_eq!(pack.names.get(1), "Törö");
    assert_eq!(pack.lons, [-2.5, -2.5]);
    assert_eq!(pack.parents, [NO_PLACE, 0]);
    assert_eq!(pack.keys.get("toyland"), Some(1));
    assert_eq!(pack.streets.texts.get(0), "Main St");
    assert_eq!(pack.postcodes.codes.get(0), "T-9");
    assert_eq!(pack.postcodes.names.len(), 2);
}

#[test]
fn another_version_is_told_apart_from_damage() {
    let mut bytes = toy();
    bytes[8] = 99;
    let error = Pack::decode(&bytes).err().unwrap();
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
        prop_assert!(Pack::decode(&bytes).is_err());
    }

    #[test]
    fn a_cut_pack_is_an_error_not_a_panic(len in 0..toy().len()) {
        prop_assert!(Pack::decode(&toy()[..len]).is_err());
    }
}
