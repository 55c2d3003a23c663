//! A ranking of a made-up web's domains by traffic, as somebody would publish
//! it: the best known fifth of its sites, in about the right order.
//!
//! On the real web such lists are made of what browsers and name servers see.
//! Here a site is visited as often as it is linked to by chance, times a
//! factor that nobody knows: e to the power of a normal number, so that ranks
//! are right within a factor of two or three.

use crate::world::World;
use std::collections::HashSet;

/// One site in so many is listed.
const ONE_IN: usize = 5;

/// Domains, the most visited first.
pub fn ranking(world: &World) -> Vec<String> {
    let mut sites: Vec<(f64, u64)> = (0..world.n_sites())
        .map(|site| (world.fame(site), site))
        .collect();
    sites.sort_by(|(a, _), (b, _)| b.total_cmp(a));
    let mut seen = HashSet::new();
    let domains = sites.into_iter().filter_map(|(_, site)| {
        let url = world.url_at((site, 0))?;
        Some(url.registrable_domain().to_owned())
    });
    let n_listed = world.n_sites() as usize / ONE_IN;
    domains
        .filter(|domain| seen.insert(domain.clone()))
        .take(n_listed)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldSettings;
    use place::gazetteer::Gazetteer;

    #[test]
    fn what_is_popular_is_listed_and_mostly_first() {
        let settings = WorldSettings {
            n_sites: 2_000,
            ..WorldSettings::default()
        };
        let world = World::new(settings, Gazetteer::built_in());
        let list = ranking(&world);
        assert_eq!(list.len(), 400);
        let domain = |site| {
            let url = world.url_at((site, 0)).unwrap();
            url.registrable_domain().to_owned()
        };
        // The first site of no place is the directory: the most popular of all.
        let general = world.n_sites() - world.n_general();
        let rank = |site: u64| list.iter().position(|other| *other == domain(site));
        assert!(rank(general).is_some_and(|rank| rank < 50));
        let n_listed =
            |sites: std::ops::Range<u64>| sites.filter(|site| rank(*site).is_some()).count();
        let end = world.n_sites();
        assert!(n_listed(general..general + 100) > 2 * n_listed(end - 100..end));
        assert_eq!(list, ranking(&world));
    }
}
