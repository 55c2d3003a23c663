use super::*;
use crate::address::Addresses;
use crate::evidence::{Conflict, Kind as ClaimKind};
use crate::precision::Precision;
use insta::assert_snapshot;
use proptest::prelude::*;
use std::sync::LazyLock;

static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses::new(Gazetteer::built_in()));

fn place(name: &str) -> PlaceId {
    crate::target::resolve(Gazetteer::built_in(), name).unwrap()
}

fn mention(place: PlaceId, confidence: f32) -> Mention {
    Mention {
        span: 0..0,
        place,
        confidence,
        runner_up: None,
        because: [""; 3],
    }
}

fn claim(name: &str) -> Evidence {
    Evidence {
        kind: ClaimKind::JsonLd,
        place: Some(place(name)),
        address: None,
        lat: None,
        lon: None,
        precision: None,
        conflict: None,
    }
}

fn names(pieces: &[(&str, f32)]) -> Geography {
    let mentions: Vec<Mention> = pieces
        .iter()
        .map(|(name, confidence)| mention(place(name), *confidence))
        .collect();
    Geography::of(Gazetteer::built_in(), &[], &mentions, &[])
}

/// An indented tree, then focus and amount.
fn show(geography: &Geography) -> String {
    let gazetteer = Gazetteer::built_in();
    let mut lines: Vec<String> = geography
        .nodes
        .iter()
        .map(|node| {
            let name = gazetteer.place(node.place).name;
            format!("{}{name} {:.2}", "  ".repeat(node.depth), node.weight)
        })
        .collect();
    let focus = geography
        .focus
        .map_or("none", |focus| gazetteer.place(focus).name);
    lines.push(format!("focus: {focus}; amount: {:.2}", geography.amount));
    lines.join("\n")
}

#[test]
fn addresses_outweigh_names() {
    let text = "1200 Main Street, Houston, TX 77002";
    let addresses = ADDRESSES.find(text);
    let mentions = [
        mention(place("Dallas, TX"), 0.8),
        mention(place("Paris, France"), 0.4),
        mention(place("Texas"), 0.8),
    ];
    // Names inside the address have been counted with it.
    let mentions = mentions.map(|mention| Mention {
        span: 50..55,
        ..mention
    });
    let geography = Geography::of(Gazetteer::built_in(), &addresses, &mentions, &[]);
    assert_snapshot!(show(&geography), @r"
    United States 0.93
      Texas 0.93
        Houston 0.67
        Dallas 0.13
    France 0.07
      Île-de-France 0.07
        Paris 0.07
    focus: Houston; amount: 1.50
    ");
}

#[test]
fn repeated_names_have_diminishing_returns() {
    let geography = names(&[
        ("Houston, TX", 1.0),
        ("Houston, TX", 1.0),
        ("Dallas, TX", 1.0),
    ]);
    assert_snapshot!(show(&geography), @r"
    United States 1.00
      Texas 1.00
        Houston 0.60
        Dallas 0.40
    focus: Houston; amount: 0.62
    ");
}

#[test]
fn nothing_has_most_of_the_weight_where_it_is_shared() {
    assert_snapshot!(show(&names(&[("Houston, TX", 1.0), ("Dallas, TX", 1.0)])), @r"
    United States 1.00
      Texas 1.00
        Houston 0.50
        Dallas 0.50
    focus: Texas; amount: 0.50
    ");
    assert_snapshot!(show(&names(&[("France", 1.0), ("Germany", 1.0)])), @r"
    Germany 0.50
    France 0.50
    focus: none; amount: 0.50
    ");
    assert_snapshot!(show(&names(&[])), @"focus: none; amount: 0.00");
}

#[test]
fn an_address_counts_once_in_text_and_markup() {
    let gazetteer = Gazetteer::built_in();
    let addresses = ADDRESSES.find("1200 Main Street, Houston, TX; 1200 MAIN ST, HOUSTON TX 77002");
    assert_eq!(addresses.len(), 2);
    let stated = Evidence {
        address: Some(addresses[0].clone()),
        precision: Some(Precision::Page),
        ..claim("Houston, TX")
    };
    let geography = Geography::of(gazetteer, &addresses, &[], &[stated]);
    assert_eq!(geography.amount, ADDRESS);
}

#[test]
fn claims_count_by_what_they_say() {
    let gazetteer = Gazetteer::built_in();
    let amount = |piece: Evidence| Geography::of(gazetteer, &[], &[], &[piece]).amount;
    let city = claim("Houston, TX");
    let point = Evidence {
        precision: Some(Precision::Page),
        ..city.clone()
    };
    let odd = Evidence {
        conflict: Some(Conflict::PointAwayFromCity),
        ..point.clone()
    };
    let nowhere = Evidence {
        place: None,
        ..point.clone()
    };
    assert_eq!(
        [city, point, odd, nowhere].map(amount),
        [0.5, 1.0, 0.5, 0.0]
    );
}

/// Some places of every kind.
fn some_places() -> impl Strategy<Value = Vec<(u32, f32)>> {
    let n_places = Gazetteer::built_in().len() as u32;
    prop::collection::vec((0..n_places, 0.0_f32..=1.0), 0..120)
}

fn weigh(pieces: &[(u32, f32)]) -> Geography {
    let mentions: Vec<Mention> = pieces
        .iter()
        .map(|(id, confidence)| mention(PlaceId(*id), *confidence))
        .collect();
    Geography::of(Gazetteer::built_in(), &[], &mentions, &[])
}

proptest! {
    #[test]
    fn the_order_does_not_matter(pieces in some_places(), seed in any::<prop::sample::Index>()) {
        let mut turned = pieces.clone();
        turned.rotate_left(seed.index(pieces.len().max(1)));
        turned.reverse();
        prop_assert_eq!(weigh(&pieces), weigh(&turned));
    }

    #[test]
    fn weights_are_shares_and_places_follow_what_contains_them(pieces in some_places()) {
        let geography = weigh(&pieces);
        prop_assert!(geography.nodes.len() <= MAX_NODES);
        let mut countries = 0.0;
        for (idx, node) in geography.nodes.iter().enumerate() {
            prop_assert!(node.weight > 0.0 && node.weight <= 1.0);
            let rest = &geography.nodes[idx + 1..];
            let inside = rest.iter().take_while(|inner| inner.depth > node.depth);
            let children: f32 =
                inside.filter(|inner| inner.depth == node.depth + 1).map(|inner| inner.weight).sum();
            prop_assert!(children <= node.weight + 1e-4);
            if node.depth == 0 {
                countries += node.weight;
            } else {
                prop_assert!(idx > 0 && geography.nodes[idx - 1].depth + 1 >= node.depth);
            }
        }
        prop_assert!(countries <= 1.0 + 1e-4);
        if geography.nodes.len() < MAX_NODES && geography.amount > 0.0 {
            prop_assert!(countries > 1.0 - 1e-4);
        }
    }

    #[test]
    fn the_focus_holds_most_and_nothing_smaller_does(pieces in some_places()) {
        let geography = weigh(&pieces);
        let heavy: Vec<&Node> =
            geography.nodes.iter().filter(|node| node.weight > 0.5).collect();
        let deepest = heavy.iter().map(|node| node.depth).max();
        let focus = geography.focus.map(|focus| {
            geography.nodes.iter().find(|node| node.place == focus).unwrap().depth
        });
        prop_assert_eq!(focus, deepest);
    }
}
