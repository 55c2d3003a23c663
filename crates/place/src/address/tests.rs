use super::*;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::sync::LazyLock;

static FINDER: LazyLock<AddressFinder> = LazyLock::new(|| {
    let gazetteer = Gazetteer::built_in();
    AddressFinder::new(gazetteer, &Targets::us_top100(gazetteer))
});

fn read(text: &str) -> String {
    let show = |entity: Entity| {
        let Entity {
            number,
            street,
            unit,
            city,
            state,
            zip,
            ..
        } = entity;
        let parts = [
            Some(number),
            Some(street),
            unit,
            Some(city),
            Some(state),
            zip,
        ];
        parts.into_iter().flatten().collect::<Vec<_>>().join(" | ")
    };
    FINDER
        .find(text)
        .into_iter()
        .map(show)
        .collect::<Vec<_>>()
        .join("\n")
}

fn key(text: &str) -> u64 {
    let found = FINDER.find(text);
    assert_eq!(found.len(), 1, "{text}");
    found[0].key()
}

#[test]
fn addresses_are_read_into_their_parts() {
    assert_snapshot!(read("Visit us at 1200 Main Street, Houston, TX 77002."), @"1200 | MAIN ST | Houston | TX | 77002");
    assert_snapshot!(read("901 Bagby St, Suite 300\nHouston, Texas 77002-1234 USA"), @"901 | BAGBY ST | STE 300 | Houston | TX | 77002-1234");
    assert_snapshot!(read("350 5th Ave., New York, NY 10118"), @"350 | 5TH AVE | New York | NY | 10118");
    assert_snapshot!(read("1600 Pennsylvania Avenue NW\tWashington, D.C. 20500"), @"1600 | PENNSYLVANIA AVE NW | Washington | DC | 20500");
    assert_snapshot!(read("233 S. Wacker Dr. #4600 Chicago IL 60606"), @"233 | S WACKER DR | # 4600 | Chicago | IL | 60606");
    assert_snapshot!(read("15 W. Kellogg Blvd., St. Paul, Minn. 55102"), @"15 | W KELLOGG BLVD | St. Paul | MN | 55102");
    assert_snapshot!(read("1000 Broadway, Oakland, California"), @"1000 | BROADWAY | Oakland | CA");
    assert_snapshot!(read("12-34 Fifth Ave, New York City, New York 10011"), @"12-34 | 5TH AVE | New York | NY | 10011");
    assert_snapshot!(read("200 Park Avenue South, 2nd Floor, New York, NY"), @"200 | PARK AVE S | FL 2 | New York | NY");
    assert_snapshot!(read("9100 Highway 6 N, Houston, TX"), @"9100 | HWY 6 N | Houston | TX");
    assert_snapshot!(read("1 Dr Martin Luther King Jr Blvd, Dallas, TX 75201"), @"1 | DR MARTIN LUTHER KING JR BLVD | Dallas | TX | 75201");
    assert_snapshot!(read("44 Avenue A, New York, NY 10009; 1271 Avenue of the Americas, New York, NY"), @"44 | AVE A | New York | NY | 10009
1271 | AVE OF THE AMERICAS | New York | NY");
    assert_snapshot!(read("1200 North Avenue, Mesa, AZ"), @"1200 | NORTH AVE | Mesa | AZ");
    assert_snapshot!(read("123 1/2 Oak St, Austin TX"), @"123 1/2 | OAK ST | Austin | TX");
}

#[test]
fn untidy_addresses_are_read_too() {
    assert_snapshot!(read("20100 N. 51st Ave Suite # D-410\nGlendale Az. 85308"), @"20100 | N 51ST AVE | STE D-410 | Glendale | AZ | 85308");
    assert_snapshot!(read("200 Galleria Parkway\nSuite # 990 Atlanta\nGeorgia 30339"), @"200 | GALLERIA PKWY | STE 990 | Atlanta | GA | 30339");
}

#[test]
fn a_zip_of_the_city_stands_for_the_state() {
    assert_snapshot!(read("1200 Main St, Houston 77002"), @"1200 | MAIN ST | Houston | TX | 77002");
    assert_snapshot!(read("1200 Main St, Houston 10001"), @"");
    assert_snapshot!(read("1200 Main St, Houston"), @"");
}

#[test]
fn a_state_decides_between_cities_of_one_name() {
    assert_snapshot!(read("5 Oak St, Glendale, CA 91201 and 5 Oak St, Glendale, AZ 85301"), @"5 | OAK ST | Glendale | CA | 91201
5 | OAK ST | Glendale | AZ | 85301");
    assert_snapshot!(read("5 Oak St, Portland, ME 04101"), @"");
}

#[test]
fn other_numbers_are_not_addresses() {
    assert_snapshot!(read("We sold 1200 pizzas on Main Street in Houston, TX"), @"");
    assert_snapshot!(read("1200 people live in Houston, TX 77002"), @"");
    assert_snapshot!(read("$1200 Main St, Houston, TX"), @"");
    assert_snapshot!(read("1,200 Main St, Houston, TX; call 555-1200"), @"");
    assert_snapshot!(read("5 Main St, Portland or Seattle"), @"");
}

#[test]
fn lines_that_are_paragraphs_make_one_address() {
    assert_snapshot!(read("1200 Main Street\n\nHouston, TX 77002"), @"1200 | MAIN ST | Houston | TX | 77002");
    assert_snapshot!(read("1200 Main Street\n \nHouston, TX 77002"), @"1200 | MAIN ST | Houston | TX | 77002");
    assert_snapshot!(read("1200 Main Street\n\nHouston, TX"), @"");
    assert_snapshot!(read("1200 Main Street\n\nHouston, TX 10001"), @"");
    assert_snapshot!(read("Open 24 Hours\n\nHouston, TX 77002"), @"");
    assert_snapshot!(read("Top 10 Lists\n\nMain Street\n\nHouston, TX 77002"), @"");
    assert_snapshot!(read("1200 Main Street\n\nHouston\n\nTexas\n\n77002"), @"");
}

#[test]
fn post_boxes_and_quarters_of_a_target_count() {
    assert_snapshot!(read("PO Box 1562, Houston, TX 77251"), @" | PO BOX 1562 | Houston | TX | 77251");
    assert_snapshot!(read("21-10 31st Avenue, Astoria, NY 11106"), @"");
}

#[test]
fn spellings_of_one_address_have_one_key() {
    let one = key("1200 Main Street, Houston, TX 77002");
    assert_eq!(one, key("1200 main st., houston, tx"));
    assert_eq!(one, key("1200 MAIN ST STE 5, HOUSTON, TEXAS"));
    assert_ne!(one, key("1201 Main Street, Houston, TX 77002"));
    assert_ne!(one, key("1200 Main Avenue, Houston, TX 77002"));
    assert_eq!(
        key("350 Fifth Avenue, New York, NY"),
        key("350 5th Ave, NYC, NY")
    );
}

#[test]
fn spans_cover_the_address_in_the_text() {
    let text = "Büro: 1200 Main Street, Houston, TX 77002. Tel";
    let found = FINDER.find(text);
    assert_snapshot!(&text[found[0].span.clone()], @"1200 Main Street, Houston, TX 77002");
}

fn anywhere(text: &str) -> String {
    static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses::new(Gazetteer::built_in()));
    let show = |address: Address| {
        let delivery = match address.kind {
            AddressKind::Street => format!("{} {}", address.number, address.street),
            AddressKind::PoBox => address.po_box.unwrap_or_default(),
        };
        let unit = address.unit.unwrap_or_default();
        let zip = address.zip.unwrap_or_default();
        format!(
            "{delivery} | {unit} | {} {} {zip}",
            address.city, address.state
        )
    };
    let found = ADDRESSES.find(text).into_iter();
    found.map(show).collect::<Vec<_>>().join("\n")
}

#[test]
fn addresses_are_found_in_small_towns() {
    assert_snapshot!(anywhere("1 Ajinomoto Drive \nEddyville, IA 52553"), @"1 AJINOMOTO DR |  | Eddyville IA 52553");
    assert_snapshot!(anywhere("4-971 Kuhio Hwy Ste D\nKapaa HI 96746"), @"4-971 KUHIO HWY | STE D | Kapaa HI 96746");
    assert_snapshot!(anywhere("1300 E Mount Garfield Road, Norton Shores 49441"), @"1300 E MT GARFIELD RD |  | Norton Shores MI 49441");
    assert_snapshot!(anywhere("N112 W16700 Mequon Road Germantown WI 53022"), @"N112 W16700 MEQUON RD |  | Germantown WI 53022");
    assert_snapshot!(anywhere("426 South 1000 East, Salt Lake City, Utah, US"), @"426 S 1000 E |  | Salt Lake City UT ");
    assert_snapshot!(anywhere("One Baylor Plaza, Houston TX 77030-3411"), @"ONE BAYLOR PLZ |  | Houston TX 77030-3411");
    assert_snapshot!(anywhere("6424 US Highway 98 West, Suite A, Hattiesburg, Mississippi"), @"6424 US HWY 98 W | STE A | Hattiesburg MS ");
}

#[test]
fn a_citys_list_of_streets_stands_for_a_suffix() {
    assert_snapshot!(anywhere("1585 Broadway, New York, NY"), @"1585 BROADWAY |  | New York NY");
    assert_snapshot!(anywhere("225 Lafayette New York, NY"), @"225 LAFAYETTE |  | New York NY");
    assert_snapshot!(anywhere("225 Lafayette Houston, TX"), @"");
    assert_snapshot!(anywhere("12 Pizzas New York, NY"), @"");
}

#[test]
fn numbers_have_many_forms() {
    assert_snapshot!(anywhere("100-102 Main St, Mesa, AZ 85201"), @"100-102 MAIN ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 1/2 Elm St, Mesa, AZ 85201"), @"12 1/2 ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("12½ Elm St, Mesa, AZ 85201"), @"12½ ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("1200B Main St, Mesa, AZ 85201"), @"1200B MAIN ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("One Main Street, Mesa, AZ 85201"), @"ONE MAIN ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("416 & 420 3rd Ave, San Diego, CA 92101"), @"416 3RD AVE |  | San Diego CA 92101");
    assert_snapshot!(anywhere("21-10 31st Avenue, Astoria, NY 11106"), @"21-10 31ST AVE |  | Astoria NY 11106");
}

#[test]
fn roads_have_numbers_and_directions() {
    assert_snapshot!(anywhere("4200 State Route 9, Freehold, NJ 07728"), @"4200 STATE RTE 9 |  | Freehold NJ 07728");
    assert_snapshot!(anywhere("1200 US Hwy 1, Vero Beach, FL 32960"), @"1200 US HWY 1 |  | Vero Beach FL 32960");
    assert_snapshot!(anywhere("88 County Road 12, Buffalo, WY 82834"), @"88 COUNTY RD 12 |  | Buffalo WY 82834");
    assert_snapshot!(anywhere("14000 FM 1960 West, Houston, TX 77065"), @"14000 FM 1960 W |  | Houston TX 77065");
    assert_snapshot!(anywhere("700 I-35 North, Austin, TX 78701"), @"700 I 35 N |  | Austin TX 78701");
    assert_snapshot!(anywhere("12 Southwest 5th Avenue, Portland, OR 97204"), @"12 SW 5TH AVE |  | Portland OR 97204");
    assert_snapshot!(anywhere("1271 Avenue of the Americas, New York, NY 10020"), @"1271 AVE OF THE AMERICAS |  | New York NY 10020");
    assert_snapshot!(anywhere("31 Camino Real, Santa Fe, NM 87501"), @"31 CAMINO REAL |  | Santa Fe NM 87501");
    assert_snapshot!(anywhere("5 The Promenade, Long Beach, CA 90802"), @"5 THE PROMENADE |  | Long Beach CA 90802");
    assert_snapshot!(anywhere("2449 US 84/64, Chama, NM 87520"), @"2449 US 84/64 |  | Chama NM 87520");
}

#[test]
fn every_postal_suffix_is_known() {
    let written = [
        "Alley",
        "Avenue",
        "Boulevard",
        "Causeway",
        "Circle",
        "Court",
        "Crossing",
        "Drive",
        "Expressway",
        "Freeway",
        "Highway",
        "Lane",
        "Loop",
        "Parkway",
        "Place",
        "Plaza",
        "Road",
        "Square",
        "Street",
        "Terrace",
        "Trace",
        "Trail",
        "Turnpike",
        "Walk",
        "Way",
    ];
    for suffix in written {
        let text = format!("12 Elm {suffix}, Mesa, AZ 85201");
        assert!(anywhere(&text).starts_with("12 ELM "), "{text}");
    }
}

#[test]
fn units_buildings_and_floors_are_read() {
    assert_snapshot!(anywhere("12 Elm St Apt 4B, Mesa, AZ 85201"), @"12 ELM ST | APT 4B | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St, Building C, Suite 200, Mesa, AZ 85201"), @"12 ELM ST | BLDG C STE 200 | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St, 3rd Floor, Mesa, AZ 85201"), @"12 ELM ST | FL 3 | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St # 7, Mesa, AZ 85201"), @"12 ELM ST | # 7 | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St Penthouse, Mesa, AZ 85201"), @"12 ELM ST | PH | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St\nPO Box 33\nMesa, AZ 85201"), @"12 ELM ST |  | Mesa AZ 85201");
}

#[test]
fn lines_cells_and_other_layouts_are_read() {
    assert_snapshot!(anywhere("12 Elm St\tMesa\tAZ\t85201"), @"12 ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St | Mesa | AZ | 85201"), @"12 ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Elm St • Mesa, Arizona • 85201-1234 • USA"), @"12 ELM ST |  | Mesa AZ 85201-1234");
    assert_snapshot!(anywhere("12 Elm St\nMesa\nAZ 85201"), @"12 ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("12\u{a0}Elm\u{a0}St, Mesa,\u{a0}AZ\u{a0}85201"), @"12 ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("12 Long\u{ad}fellow St, Phoe\u{ad}nix, AZ 85001"), @"12 LONGFELLOW ST |  | Phoenix AZ 85001");
    assert_snapshot!(anywhere("9 Oak Ave, Greenwood Village CO\n\n80111"), @"9 OAK AVE |  | Greenwood Village CO 80111");
    assert_snapshot!(anywhere("9 Oak Ave, Greenwood Village CO\n\n90210"), @"9 OAK AVE |  | Greenwood Village CO");
    assert_snapshot!(anywhere("9 Oak Ave, North Little Rock, Ark. 72114"), @"9 OAK AVE |  | North Little Rock AR 72114");
    assert_snapshot!(anywhere("9 Oak Ave, Salt Lake City 84101"), @"9 OAK AVE |  | Salt Lake City UT 84101");
}

#[test]
fn post_boxes_are_kept_apart() {
    assert_snapshot!(anywhere("P.O. Box 9100 | Morgantown, WV 26506-9600"), @"PO BOX 9100 |  | Morgantown WV 26506-9600");
}

#[test]
fn prose_and_goods_are_no_addresses() {
    assert_snapshot!(anywhere("85 STEEL REGULAR SHAFT - NE; 3131 DR. MATTHEW WI"), @"");
    assert_snapshot!(anywhere("44 sq. ft. 000 Columbia Ave. See Remarks, Newfield, NJ 08344"), @"");
    assert_snapshot!(anywhere("In 2010 Census, Houston, TX had more people"), @"");
}

#[test]
fn german_targets_have_entities_too() {
    let gazetteer = Gazetteer::built_in();
    let read = |wish: &str, text: &str| {
        let targets = Targets::parse(gazetteer, &[wish.to_owned()]).unwrap();
        let found = AddressFinder::new(gazetteer, &targets).find(text);
        let show = |entity: Entity| format!("{} {} {}", entity.street, entity.city, entity.state);
        found.into_iter().map(show).collect::<Vec<_>>().join("; ")
    };
    let text = "Markt 1, 26122 Oldenburg\nMarkt 2, 28195 Bremen\nAm Markt 3, 23758 Oldenburg in Holstein\n\
        Georgstr. 4, 30159 Hannover\n5 Oak St, Oldenburg, IN 47036";
    assert_snapshot!(read("Oldenburg, Germany", text), @"Markt Oldenburg NI");
    assert_snapshot!(read("cities over 50,000 in Lower Saxony", text), @"Markt Oldenburg NI; Georgstr. Hannover NI");
    assert_snapshot!(read("Bremen, Germany", text), @"Markt Bremen HB");
}

#[test]
fn where_two_countries_find_something_the_better_known_stays() {
    assert_snapshot!(anywhere("12 Main St, Houston, TX 77002\nHauptstr. 5, 26121 Oldenburg\n9 Elm St, Mesa, AZ 85201"), @"12 MAIN ST |  | Houston TX 77002
5 Hauptstr. |  | Oldenburg NI 26121
9 ELM ST |  | Mesa AZ 85201");
    assert_snapshot!(anywhere("Landshuter Allee 8, 80637 München, MN 55901"), @"8 Landshuter Allee |  | München BY 80637");
}

proptest! {
    #[test]
    fn no_text_makes_the_finder_panic(text in "([0-9#., \n\t’'-]|Main|St|Houston|TX|77002|é|\\PC){0,40}") {
        for entity in FINDER.find(&text) {
            prop_assert!(!text[entity.span].is_empty());
        }
    }
}
