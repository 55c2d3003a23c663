use super::*;
use insta::assert_snapshot;
use place::target::TargetError;

fn seat(wishes: &[&str], seating: &Seating) -> Result<Roster, RosterError> {
    let gazetteer = Gazetteer::built_in();
    let wishes: Vec<String> = wishes.iter().map(ToString::to_string).collect();
    let targets = Targets::parse(gazetteer, &wishes).expect("wishes name places");
    Roster::seat(gazetteer, &targets, seating)
}

fn shares(wishes: &[&str], n_nodes: usize) -> Result<Vec<usize>, RosterError> {
    let seating = Seating {
        n_nodes: Some(n_nodes),
        ..Seating::default()
    };
    let n_targets = |seat: &Seat| seat.targets.len();
    Ok(seat(wishes, &seating)?
        .seats()
        .iter()
        .map(n_targets)
        .collect())
}

/// `Cn0 general 0, Cn1 Eastern 33`, or what is wrong.
fn describe(wishes: &[&str], seating: &Seating) -> String {
    match seat(wishes, seating) {
        Ok(roster) => {
            let seats = roster.seats().iter();
            let seats = seats.map(|seat| format!("{} {}", seat.name, seat.targets.len()));
            seats.collect::<Vec<_>>().join(", ")
        }
        Err(error) => format!("error: {error}"),
    }
}

fn split(split: Split, n_nodes: Option<usize>) -> Seating {
    Seating {
        n_nodes,
        n_general: None,
        split,
    }
}

#[test]
fn the_papers_cities_keep_the_papers_split() {
    assert_eq!(shares(&["us-top100"], 6), Ok(vec![0, 33, 22, 10, 33, 2]));
    let papers = "Cn0 general 0, Cn1 Eastern 33, Cn2 Pacific 22, Cn3 Mountain 10, Cn4 Central 33, Cn5 Hawaii/Alaska 2";
    let by_zone = |n_nodes| describe(&["us-top100"], &split(Split::TimeZone, n_nodes));
    assert_eq!(by_zone(Some(6)), papers);
    assert_eq!(by_zone(None), papers);
}

#[test]
fn other_numbers_of_nodes_get_equal_stripes() {
    assert_eq!(shares(&["us-top100"], 5), Ok(vec![0, 25, 25, 25, 25]));
    assert_eq!(shares(&["Houston, TX", "Dallas, TX"], 3), Ok(vec![0, 1, 1]));
}

#[test]
fn one_node_takes_everything_and_is_general_too() {
    assert_eq!(shares(&["Houston, TX"], 1), Ok(vec![1]));
    assert_eq!(describe(&["Houston, TX"], &Seating::default()), "Cn0 1");
}

#[test]
fn a_node_without_work_is_refused() {
    assert_eq!(
        shares(&["Houston, TX"], 3),
        Err(RosterError::TooMany {
            n_nodes: 3,
            n_general: 1,
            n_targets: 1
        })
    );
    assert_eq!(shares(&["Houston, TX"], 0), Err(RosterError::NoNodes));
}

#[test]
fn zones_join_from_west_to_east() {
    let by_zone = |n_nodes| describe(&["us-top100"], &split(Split::TimeZone, Some(n_nodes)));
    assert_snapshot!(by_zone(7), @"Cn0 general 0, Cn1 Hawaii 1, Cn2 Alaska 1, Cn3 Pacific 22, Cn4 Mountain 11, Cn5 Central 30, Cn6 Eastern 35");
    assert_snapshot!(by_zone(4), @"Cn0 general 0, Cn1 Hawaii/Alaska/Pacific+1 35, Cn2 Central 30, Cn3 Eastern 35");
    assert_snapshot!(by_zone(8), @"error: a split by time zone fills 6 of 7 geographic nodes, and every node needs a target");
}

#[test]
fn zones_elsewhere_have_the_names_of_the_database() {
    let cities = ["Lisbon, Portugal", "Porto, Portugal", "Hanover, Germany"];
    assert_snapshot!(describe(&cities, &split(Split::TimeZone, None)), @"Cn0 general 0, Cn1 Europe/Lisbon 2, Cn2 Europe/Berlin 1");
}

#[test]
fn states_stay_together() {
    let cities = [
        "cities in Texas",
        "cities in Oregon",
        "cities in Lower Saxony",
    ];
    assert_snapshot!(describe(&cities, &split(Split::State, None)), @"Cn0 general 0, Cn1 OR 12, Cn2 TX 74, Cn3 Lower Saxony 20");
    assert_snapshot!(describe(&["us-top100"], &split(Split::State, Some(6))), @"Cn0 general 0, Cn1 HI/AK/OR+2 23, Cn2 ID/NV/AZ+2 11, Cn3 TX/KS/OK+4 22, Cn4 LA/WI/IL+7 23, Cn5 NC/PA/DC+5 21");
}

#[test]
fn people_are_spread_evenly() {
    let seating = split(Split::Population, Some(6));
    let roster = seat(&["us-top100"], &seating).unwrap();
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::us_top100(gazetteer);
    let people = |seat: &Seat| -> u32 {
        let targets = seat.targets.iter().map(|id| targets.get(*id).unwrap());
        targets
            .map(|target| gazetteer.place(target.place).population)
            .sum()
    };
    let people: Vec<u32> = roster.seats()[1..].iter().map(people).collect();
    let (least, most) = (people.iter().min().unwrap(), people.iter().max().unwrap());
    assert!(*most < *least + *least / 10, "{people:?}");
    assert_snapshot!(describe(&["us-top100"], &split(Split::Population, None)), @"error: a split by population needs the number of nodes");
}

#[test]
fn several_general_nodes_share_what_is_about_no_target() {
    let seating = Seating {
        n_nodes: Some(7),
        n_general: Some(2),
        split: Split::Usual,
    };
    let roster = seat(&["us-top100"], &seating).unwrap();
    assert_eq!(roster.seats()[2].name, "Cn2 Eastern");
    let mut n_urls = [0_u32; 7];
    for page_idx in 0..2000 {
        let url = format!("http://example.org/page/{page_idx}");
        let url = CanonicalUrl::parse(&url).unwrap();
        n_urls[usize::from(roster.general_for(&url).0)] += 1;
    }
    assert!(
        n_urls[..2].iter().all(|n| (900..=1100).contains(n)),
        "{n_urls:?}"
    );
    assert_eq!(n_urls[0] + n_urls[1], 2000);
}

#[test]
fn a_crawl_without_general_node_or_without_any_other() {
    let seating = |n_nodes, n_general| Seating {
        n_nodes: Some(n_nodes),
        n_general: Some(n_general),
        split: Split::Usual,
    };
    let roster = seat(&["us-top100"], &seating(5, 0)).unwrap();
    assert_eq!(roster.seats()[0].name, "Cn0 Eastern");
    assert_eq!(roster.general(), NodeId(0));
    assert_snapshot!(describe(&["us-top100"], &seating(3, 3)), @"error: 3 general of 3 nodes leave none for the targets");
    assert_snapshot!(describe(&["us-top100"], &seating(2, 3)), @"error: 3 general of 2 nodes leave none for the targets");
}

fn by_table(rows: &[(&str, &[&str])]) -> String {
    let share = |(node, cities): &(&str, &[&str])| Share {
        node: (*node).to_owned(),
        cities: cities.iter().map(ToString::to_string).collect(),
    };
    let table = Split::Table(rows.iter().map(share).collect());
    let targets = ["Houston, TX", "Dallas, TX", "Portland, OR"];
    match seat(&targets, &split(table.clone(), None)) {
        Err(RosterError::NoPlace { node, source }) => {
            let TargetError::Unknown { near, .. } = &source else {
                panic!("{source}");
            };
            format!(
                "error: node `{node}` of the table: {source}, like {}",
                near[0]
            )
        }
        _ => describe(&targets, &split(table, None)),
    }
}

#[test]
fn a_table_says_who_has_what() {
    // `Portland` alone names many places, but one target.
    assert_snapshot!(by_table(&[("south", &["Houston", "Dallas, TX"]), ("north", &["portland"])]), @"Cn0 general 0, Cn1 south 2, Cn2 north 1");
}

#[test]
fn mistakes_in_a_table_are_named() {
    assert_snapshot!(by_table(&[("south", &["Houston"])]), @"error: no node of the table has `Dallas, TX`, `Portland, OR`");
    assert_snapshot!(by_table(&[("south", &["Houston"]), ("north", &["Boise, ID"])]), @"error: `Boise, ID` (node `north` of the table) is no target of this crawl");
    assert_snapshot!(by_table(&[("south", &["Houston"]), ("north", &["Houston, TX"])]), @"error: `Houston, TX` is in two nodes of the table: `south` and `north`");
    assert_snapshot!(by_table(&[("south", &["Houston", "Houston, TX"])]), @"error: `Houston, TX` is in node `south` of the table twice");
    assert_snapshot!(by_table(&[("south", &["Houston"]), ("north", &[])]), @"error: node `north` of the table has no city");
    assert_snapshot!(by_table(&[("south", &["Huoston, TX"])]), @"error: node `south` of the table: no place named `Huoston, TX` in the gazetteer, like Houston, Texas, United States");
}

#[test]
fn a_region_is_shared_out_by_its_places_and_the_rest_goes_with_the_largest() {
    let gazetteer = Gazetteer::built_in();
    let wishes = ["Harris County, TX".to_owned()];
    let targets = Targets::parse(gazetteer, &wishes).expect("a county");
    let (region, _) = targets.iter().last().expect("the county itself");
    let largest = targets
        .of_place(targets.grants()[0].largest[0])
        .expect("Houston");
    for way in [Split::Usual, Split::Population] {
        let roster = Roster::seat(gazetteer, &targets, &split(way, Some(3))).unwrap();
        let n_targets: usize = roster.seats().iter().map(|seat| seat.targets.len()).sum();
        assert_eq!(n_targets, targets.list().len());
        assert_eq!(roster.owner(region), roster.owner(largest));
    }
    let row = |node: &str, city: &str| Share {
        node: node.to_owned(),
        cities: vec![city.to_owned()],
    };
    let table = Split::Table(vec![
        row("west", "Cypress, TX"),
        row("east", "Pasadena, TX"),
    ]);
    let roster = Roster::seat(gazetteer, &targets, &split(table, None)).unwrap();
    let owner = |name: &str| {
        let place = place::target::resolve(gazetteer, name).unwrap();
        roster.owner(targets.of_place(place).unwrap())
    };
    assert_eq!(owner("Tomball, TX"), owner("Cypress, TX"));
    assert_eq!(owner("Deer Park, TX"), owner("Pasadena, TX"));
}
