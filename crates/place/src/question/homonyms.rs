//! Names that several settlements share, to measure how well they are told apart.

use crate::gazetteer::{Gazetteer, PlaceId, Role};

/// Names, in normal form, of two or more settlements with at least so many
/// people each: the places most populous first, the names in order.
pub fn ambiguous(gazetteer: &Gazetteer, least_people: u32) -> Vec<(String, Vec<PlaceId>)> {
    let mut shared = Vec::new();
    gazetteer.visit_names(|name, bearers| {
        let settlements: Vec<PlaceId> = bearers
            .iter()
            .filter(|&&(id, role)| role == Role::Name && gazetteer.kind(id).is_settlement())
            .filter(|&&(id, _)| gazetteer.population(id) >= least_people)
            .map(|&(id, _)| id)
            .collect();
        if settlements.len() > 1 {
            shared.push((name.to_owned(), settlements));
        }
    });
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;

    #[test]
    fn settlements_of_one_name_come_together() {
        let gazetteer = Gazetteer::built_in();
        let shared = ambiguous(gazetteer, 100_000);
        let show = |(name, places): &(String, Vec<PlaceId>)| {
            let places: Vec<String> = places.iter().map(|&id| gazetteer.describe(id)).collect();
            format!("{name}: {}", places.join("; "))
        };
        let some = ["athens", "cambridge", "springfield"];
        let shown: Vec<String> = shared
            .iter()
            .filter(|(name, _)| some.contains(&name.as_str()))
            .map(show)
            .collect();
        assert_snapshot!(shown.join("\n"), @"
athens: Athens, Attica, Greece; Athens, Georgia, United States
cambridge: Cambridge, England, United Kingdom; Cambridge, Ontario, Canada; Cambridge, Massachusetts, United States
springfield: Springfield, Missouri, United States; Springfield, Massachusetts, United States; Springfield, Illinois, United States
");
        for (name, places) in &shared {
            assert!(places.len() > 1 && places.is_sorted(), "{name}");
        }
    }
}
