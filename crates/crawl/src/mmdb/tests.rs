use super::*;
use insta::assert_snapshot;
use proptest::prelude::*;

/// A value of the format, as far as these tests need it.
enum Value {
    Text(&'static str),
    Short(u16),
    Number(u32),
    Long(u64),
    Map(Vec<(&'static str, Value)>),
    List(Vec<Value>),
}

use Value::{List, Long, Map, Number, Short, Text};

/// Writes a value the way the format's specification has it: a control byte
/// with type and size, then the contents.
fn write(out: &mut Vec<u8>, value: &Value) {
    match value {
        Text(text) => {
            write_control(out, 2, text.len());
            out.extend_from_slice(text.as_bytes());
        }
        Short(number) => {
            write_control(out, 5, 2);
            out.extend_from_slice(&number.to_be_bytes());
        }
        Number(number) => {
            write_control(out, 6, 4);
            out.extend_from_slice(&number.to_be_bytes());
        }
        Long(number) => {
            write_control(out, 9, 8);
            out.extend_from_slice(&number.to_be_bytes());
        }
        Map(entries) => {
            write_control(out, 7, entries.len());
            for (key, value) in entries {
                write(out, &Text(key));
                write(out, value);
            }
        }
        List(values) => {
            write_control(out, 11, values.len());
            values.iter().for_each(|value| write(out, value));
        }
    }
}

fn write_control(out: &mut Vec<u8>, kind: u8, size: usize) {
    let (short, long) = match size {
        0..29 => (size as u8, None),
        _ => (29, Some((size - 29) as u8)),
    };
    match kind {
        0..8 => out.push(kind << 5 | short),
        _ => out.extend([short, kind - 7]),
    }
    out.extend(long);
}

/// A file with one record for each first byte of an IPv4 address given.
fn file(kind: &'static str, records: Vec<(u8, Value)>) -> Vec<u8> {
    const EMPTY: u32 = u32::MAX;
    const DATA: u32 = 1 << 31;
    let mut nodes: Vec<[u32; 2]> = vec![[EMPTY; 2]];
    let mut data = Vec::new();
    for (byte, record) in records {
        let mut at = 0;
        for bit in (1..8).rev() {
            let side = usize::from(byte >> bit & 1);
            if nodes[at][side] == EMPTY {
                nodes[at][side] = nodes.len() as u32;
                nodes.push([EMPTY; 2]);
            }
            at = nodes[at][side] as usize;
        }
        nodes[at][usize::from(byte & 1)] = DATA + data.len() as u32;
        write(&mut data, &record);
    }
    let n_nodes = nodes.len() as u32;
    let mut out = Vec::new();
    for entry in nodes.into_iter().flatten() {
        let pointer = match entry {
            EMPTY => n_nodes,
            DATA.. => n_nodes + 16 + (entry - DATA),
            node => node,
        };
        out.extend_from_slice(&pointer.to_be_bytes()[1..]);
    }
    out.extend([0; 16]);
    out.extend(data);
    out.extend_from_slice(b"\xab\xcd\xefMaxMind.com");
    let metadata = Map(vec![
        ("binary_format_major_version", Short(2)),
        ("binary_format_minor_version", Short(0)),
        ("build_epoch", Long(1_700_000_000)),
        ("database_type", Text(kind)),
        ("description", Map(vec![])),
        ("ip_version", Short(4)),
        ("languages", List(vec![])),
        ("node_count", Number(n_nodes)),
        ("record_size", Short(24)),
    ]);
    write(&mut out, &metadata);
    out
}

fn flat(city: &'static str, state: &'static str, country: &'static str) -> Value {
    Map(vec![
        ("city", Text(city)),
        ("country_code", Text(country)),
        ("state1", Text(state)),
    ])
}

fn nested(city: &'static str, state: &'static str, country: &'static str) -> Value {
    let named = |name| Map(vec![("en", Text(name)), ("de", Text("anders"))]);
    Map(vec![
        (
            "city",
            Map(vec![("geoname_id", Number(1)), ("names", named(city))]),
        ),
        ("country", Map(vec![("iso_code", Text(country))])),
        (
            "subdivisions",
            List(vec![Map(vec![("iso_code", Text(state))])]),
        ),
    ])
}

fn open(bytes: Vec<u8>) -> Result<Mmdb, MmdbError> {
    Mmdb::read(Path::new("servers.mmdb"), bytes, Gazetteer::built_in())
}

/// Where 1.0.0.1 is, by this record.
fn located(record: Value) -> String {
    let mmdb = open(file("city", vec![(1, record)])).unwrap();
    match mmdb.locate([1, 0, 0, 1].into()) {
        Some(place) => Gazetteer::built_in().describe(place),
        None => "nowhere".to_owned(),
    }
}

#[test]
fn flat_and_nested_records_are_read() {
    assert_snapshot!(located(flat("Glendale", "California", "US")), @"Glendale, California, United States");
    assert_snapshot!(located(nested("Glendale", "AZ", "US")), @"Glendale, Arizona, United States");
    assert_snapshot!(located(flat("Oldenburg", "Niedersachsen", "DE")), @"Oldenburg, Lower Saxony, Germany");
}

#[test]
fn a_part_of_the_city_behind_it_is_passed_over() {
    assert_snapshot!(located(flat("Houston (Downtown)", "Texas", "US")), @"Houston, Texas, United States");
    assert_snapshot!(located(flat("(Downtown)", "Texas", "US")), @"nowhere");
}

#[test]
fn what_the_gazetteer_does_not_know_is_nowhere() {
    assert_snapshot!(located(flat("Houston", "Bavaria", "DE")), @"nowhere");
    assert_snapshot!(located(flat("Nosuchtown", "Texas", "US")), @"nowhere");
    assert_snapshot!(located(flat("", "", "US")), @"nowhere");
    assert_snapshot!(located(flat("Houston", "", "US")), @"Houston, Texas, United States");
}

#[test]
fn addresses_outside_the_file_are_nowhere() {
    let mmdb = open(file("city", vec![(1, flat("Houston", "Texas", "US"))])).unwrap();
    assert_eq!(mmdb.locate([2, 0, 0, 1].into()), None);
    assert_eq!(mmdb.locate("2001:db8::1".parse().unwrap()), None);
}

fn refusal(bytes: Vec<u8>) -> String {
    open(bytes)
        .err()
        .expect("a file that is refused")
        .to_string()
}

#[test]
fn a_file_about_something_else_says_what_it_lacks() {
    let asn = Map(vec![
        ("autonomous_system_number", Number(64_496)),
        ("autonomous_system_organization", Text("Example")),
    ]);
    assert_snapshot!(refusal(file("GeoLite2-ASN", vec![(1, asn)])), @"`servers.mmdb` knows no cities: it is a database of type `GeoLite2-ASN`, and its records have `autonomous_system_number`, `autonomous_system_organization` but no `city`");
    let country = Map(vec![("country_code", Text("US"))]);
    assert_snapshot!(refusal(file("country", vec![(9, country)])), @"`servers.mmdb` knows no cities: it is a database of type `country`, and its records have `country_code` but no `city`");
    assert_snapshot!(refusal(file("empty", vec![])), @"`servers.mmdb` knows no cities: it is a database of type `empty`, and its records have no fields and so no `city`");
    assert_snapshot!(refusal(b"PK\x03\x04".to_vec()), @"`servers.mmdb` is no database in MaxMind's format: invalid database: could not find MaxMind DB metadata in file");
}

proptest! {
    #[test]
    fn damage_is_an_error_or_nowhere_and_never_a_panic(
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8),
    ) {
        let records = vec![(1, flat("Houston", "Texas", "US")), (7, nested("Boston", "MA", "US"))];
        let mut bytes = file("city", records);
        for (at, byte) in damage {
            let at = at.index(bytes.len());
            bytes[at] = byte;
        }
        if let Ok(mmdb) = open(bytes) {
            for first in 0..16 {
                mmdb.locate([first, 0, 0, 1].into());
            }
        }
    }
}
