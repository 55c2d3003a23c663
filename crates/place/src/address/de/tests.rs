use crate::address::{Address, AddressKind, Addresses};
use crate::gazetteer::Gazetteer;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::sync::LazyLock;

static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses::new(Gazetteer::built_in()));

fn show(address: Address) -> String {
    let delivery = match address.kind {
        AddressKind::Street => format!("{} | {}", address.street, address.number),
        AddressKind::PoBox => address.po_box.unwrap_or_default(),
    };
    let unit = address
        .unit
        .map_or(String::new(), |unit| format!(" | {unit}"));
    let zip = address.zip.unwrap_or_default();
    format!(
        "{delivery}{unit} | {zip} {} {}",
        address.city, address.state
    )
}

fn read(text: &str) -> String {
    let found = ADDRESSES.find(text).into_iter().map(show);
    found.collect::<Vec<_>>().join("\n")
}

fn key(text: &str) -> u64 {
    let found = ADDRESSES.find(text);
    assert_eq!(found.len(), 1, "{text}");
    found[0].key()
}

#[test]
fn addresses_are_read_into_their_parts() {
    assert_snapshot!(read("Besuchen Sie uns: Hauptstraße 5, 26121 Oldenburg."), @"Hauptstraße | 5 | 26121 Oldenburg NI");
    assert_snapshot!(read("Firma Meyer GmbH\nKurt-Schumacher-Str. 12a\n26123 Oldenburg"), @"Kurt-Schumacher-Str. | 12A | 26123 Oldenburg NI");
    assert_snapshot!(read("Hauptstadtbüro Bremer Straße 12-14 | D-26135 Oldenburg"), @"Bremer Straße | 12-14 | 26135 Oldenburg NI");
    assert_snapshot!(read("Ammerländer Heerstr. 114–118 · 26129 Oldenburg · Germany"), @"Ammerländer Heerstr. | 114-118 | 26129 Oldenburg NI");
    assert_snapshot!(read("Große Straße 1\t26721 Emden"), @"Große Straße | 1 | 26721 Emden NI");
    assert_snapshot!(read("Straße des 17. Juni 135, 10623 Berlin"), @"Straße des 17. Juni | 135 | 10623 Berlin BE");
    assert_snapshot!(read("Köpenicker Str. 178/179\n10997 Berlin"), @"Köpenicker Str. | 178/179 | 10997 Berlin BE");
    assert_snapshot!(read("Alte Bremer Straße 12 a\nDE-26121 Oldenburg"), @"Alte Bremer Straße | 12A | 26121 Oldenburg NI");
    assert_snapshot!(read("Hansa- Ring 40 - 44, 26133 Oldenburg"), @"Hansa- Ring | 40-44 | 26133 Oldenburg NI");
    assert_snapshot!(read("Lindenallee 12 1/2, 50968 Köln"), @"Lindenallee | 12 1/2 | 50968 Köln NW");
    assert_snapshot!(read("HAUPTSTRASSE5, 26121 OLDENBURG"), @"HAUPTSTRASSE | 5 | 26121 OLDENBURG NI");
    assert_snapshot!(read("Dr.-Behring-Straße 5, 26121 Oldenburg"), @"Dr.-Behring-Straße | 5 | 26121 Oldenburg NI");
    assert_snapshot!(read("Weg zur schwimmenden Insel 5, 26121 Oldenburg"), @"Weg zur schwimmenden Insel | 5 | 26121 Oldenburg NI");
    assert_snapshot!(read("Praxis Anna Schmidt Markt 9 26122 Oldenburg"), @"Markt | 9 | 26122 Oldenburg NI");
    assert_snapshot!(read("26122 Oldenburg, Heiligengeistwall 3"), @"Heiligengeistwall | 3 | 26122 Oldenburg NI");
    assert_snapshot!(read("Grundschule, Babenend 15-17, 26127 Oldenburg"), @"Babenend | 15-17 | 26127 Oldenburg NI");
    assert_snapshot!(read("Karl Marx Straße 7, 12043 Berlin"), @"Karl Marx Straße | 7 | 12043 Berlin BE");
}

#[test]
fn streets_need_no_suffix() {
    assert_snapshot!(read("Am Markt 1, 28195 Bremen"), @"Am Markt | 1 | 28195 Bremen HB");
    assert_snapshot!(read("An der Grünwalder Brücke 1\n82049 München"), @"An der Grünwalder Brücke | 1 | 82049 München BY");
    assert_snapshot!(read("Hotel Adlon Unter den Linden 77 10117 Berlin"), @"Unter den Linden | 77 | 10117 Berlin BE");
    assert_snapshot!(read("Im Winkel 3, 26655 Westerstede"), @"Im Winkel | 3 | 26655 Westerstede NI");
    assert_snapshot!(read("Auf dem Esch 12, 26180 Rastede"), @"Auf dem Esch | 12 | 26180 Rastede NI");
    assert_snapshot!(read("Zum Hafen 4, 26721 Emden"), @"Zum Hafen | 4 | 26721 Emden NI");
    assert_snapshot!(read("Neuer Wall 50\n20354 Hamburg"), @"Neuer Wall | 50 | 20354 Hamburg HH");
    assert_snapshot!(read("Witthau 3\n89129 Langenau"), @"Witthau | 3 | 89129 Langenau BW");
    assert_snapshot!(read("Markt 9, 26122 Oldenburg"), @"Markt | 9 | 26122 Oldenburg NI");
    assert_snapshot!(read("Q7, 24, 68161 Mannheim"), @"Q7 | 24 | 68161 Mannheim BW");
}

#[test]
fn cities_have_many_spellings() {
    assert_snapshot!(read("Zeil 5, 60313 Frankfurt"), @"Zeil | 5 | 60313 Frankfurt HE");
    assert_snapshot!(read("Zeil 5, 60313 Frankfurt/Main"), @"Zeil | 5 | 60313 Frankfurt/Main HE");
    assert_snapshot!(read("Zeil 5, 60313 Frankfurt a. M."), @"Zeil | 5 | 60313 Frankfurt a. M. HE");
    assert_snapshot!(read("Lyoner Straße 9, 60528 Frankfurt am Main"), @"Lyoner Straße | 9 | 60528 Frankfurt am Main HE");
    assert_snapshot!(read("Marktplatz 1, 06108 Halle (Saale), Deutschland"), @"Marktplatz | 1 | 06108 Halle (Saale) ST");
    assert_snapshot!(read("Pferdemarkt 14, 26121 Oldenburg (Oldb)"), @"Pferdemarkt | 14 | 26121 Oldenburg (Oldb) NI");
    assert_snapshot!(read("Hauptstr. 5, 26122 Oldenburg-Eversten"), @"Hauptstr. | 5 | 26122 Oldenburg-Eversten NI");
    assert_snapshot!(read("Bahnhofstraße 18, 53604 Bad Honnef"), @"Bahnhofstraße | 18 | 53604 Bad Honnef NW");
    assert_snapshot!(read("Kaiserstr. 1, 79098 Freiburg i. Br."), @"Kaiserstr. | 1 | 79098 Freiburg i. Br. BW");
    assert_snapshot!(read("Domkloster 4, 50667 Koeln"), @"Domkloster | 4 | 50667 Koeln NW");
    assert_snapshot!(read("Marienplatz 1, 80331 Munich, Bavaria, Germany"), @"Marienplatz | 1 | 80331 Munich BY");
    assert_snapshot!(read("Platz der Republik 1, 11011 Berlin"), @"Platz der Republik | 1 | 11011 Berlin BE");
}

#[test]
fn parts_of_a_house_and_post_boxes_are_kept() {
    assert_snapshot!(read("Oranienstr. 25, Hinterhaus, 2. OG, 10999 Berlin"), @"Oranienstr. | 25 | Hinterhaus, 2. OG | 10999 Berlin BE");
    assert_snapshot!(read("Hauptstr. 5, Gebäude C\n26121 Oldenburg"), @"Hauptstr. | 5 | Gebäude C | 26121 Oldenburg NI");
    assert_snapshot!(read("Hauptstr. 5, Eversten, 26121 Oldenburg"), @"Hauptstr. | 5 | 26121 Oldenburg NI");
    assert_snapshot!(read("Stadt Oldenburg\nPostfach 24 27\n26014 Oldenburg"), @"POSTFACH 2427 | 26014 Oldenburg NI");
    assert_snapshot!(read("Postfach 2427, 26105 Oldenburg"), @"POSTFACH 2427 | 26105 Oldenburg NI");
    assert_snapshot!(read("c/o Meyer\nMarkt 1\n26122 Oldenburg"), @"Markt | 1 | 26122 Oldenburg NI");
}

#[test]
fn imprints_are_read_in_their_usual_layouts() {
    assert_snapshot!(read("Impressum\nMuster GmbH · Hauptstraße 12 · 26121 Oldenburg · Germany"), @"Hauptstraße | 12 | 26121 Oldenburg NI");
    assert_snapshot!(read("Straße: Hauptstraße 12\nPLZ/Ort: 26121 Oldenburg"), @"Hauptstraße | 12 | 26121 Oldenburg NI");
    assert_snapshot!(read("Straße: Hauptstraße 12\nPLZ: 26121\nOrt: Oldenburg"), @"Hauptstraße | 12 | 26121 Oldenburg NI");
    assert_snapshot!(read("Hauptstraße 12\n\n26121 Oldenburg"), @"Hauptstraße | 12 | 26121 Oldenburg NI");
    assert_snapshot!(read("26121 Oldenburg, Hauptstraße 12, Tel. 0441 1234"), @"Hauptstraße | 12 | 26121 Oldenburg NI");
    assert_snapshot!(read("26121 Oldenburg\nHauptstraße 12\n26122 Oldenburg"), @"Hauptstraße | 12 | 26122 Oldenburg NI");
    assert_snapshot!(read("Haupt\u{ad}straße\u{a0}12, 26121\u{a0}Olden\u{ad}burg"), @"Hauptstraße | 12 | 26121 Oldenburg NI");
}

#[test]
fn other_numbers_are_not_addresses() {
    assert_snapshot!(read("Im Jahr 2020 hatte die Stadt 16012 Einwohner"), @"");
    assert_snapshot!(read("Stand: Sommer 2021\n10117 Berlin"), @"");
    assert_snapshot!(read("Postanschrift: 11055 Berlin Telefon 030 12345"), @"");
    assert_snapshot!(read("Via Roma 5, 20121 Milano; 5 rue de Rivoli, 75001 Paris"), @"");
    assert_snapshot!(read("12 Berlin Street, Hamburg, NY 14075 Hamburg News"), @"BERLIN ST | 12 | 14075 Hamburg NY");
    assert_snapshot!(read("call 1 555 10117 Berlin Turnpike"), @"");
}

#[test]
fn spellings_of_one_address_have_one_key() {
    let one = key("Hauptstraße 5, 26121 Oldenburg");
    assert_eq!(one, key("Haupt-Str. 5, 26121 Oldenburg (Oldb)"));
    assert_eq!(one, key("HAUPTSTRASSE 5\nD-26121 Oldenburg-Eversten"));
    assert_ne!(one, key("Hauptstraße 6, 26121 Oldenburg"));
    assert_ne!(one, key("Hauptweg 5, 26121 Oldenburg"));
    assert_eq!(
        key("Köpenicker Str. 12 a, 10997 Berlin"),
        key("Koepenicker Straße 12A, 10997 Berlin")
    );
    assert_eq!(
        key("Zeil 5, 60313 Frankfurt"),
        key("Zeil 5, 60313 Frankfurt/Main")
    );
    assert_eq!(
        key("Zeil 5, 60313 Frankfurt"),
        key("Zeil 5, 60313 Frankfurt am Main")
    );
}

#[test]
fn spans_reach_from_the_street_to_the_country() {
    let text = "Büro Hauptstraße 5, 26121 Oldenburg, Niedersachsen, Deutschland. Tel";
    let found = ADDRESSES.find(text);
    assert_snapshot!(&text[found[0].span.clone()], @"Hauptstraße 5, 26121 Oldenburg, Niedersachsen, Deutschland");
    assert_snapshot!(format!("{:?} {:.1?} {:.1?}", found[0].country, found[0].lat, found[0].lon), @r#""DE" Some(53.2) Some(8.2)"#);
}

proptest! {
    #[test]
    fn no_text_makes_the_finder_panic(text in "([0-9., \n\t|(/\u{ad}-]|Hauptstr|Am|Markt|5|26121|Oldenburg|Köln|D-|ü|\\PC){0,40}") {
        for address in ADDRESSES.find(&text) {
            prop_assert!(!text[address.span].is_empty());
        }
    }
}
