//! Who is who among the sites: kind, city and topic of every site number.
//!
//! Numbers are laid out in blocks, one for each city and then one for all
//! sites that belong to no place. Inside a block the kind follows a repeating
//! pattern and the topic follows the position, so that "a florist in Boise"
//! or "some directory of no place" is found by arithmetic. A lower position is
//! a more popular site.

use super::dice::Dice;
use super::geography::Geography;
use super::settings::WorldSettings;
use super::words::N_TOPICS;

/// What a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum SiteKind {
    /// The general directory whose regional pages are the seeds: exactly one.
    OpenDirectory,
    /// A city hall and its departments.
    Municipal,
    /// A company; with a city a local business, without one a brand.
    Business,
    /// A list of other sites, by topic; with a city, with their addresses.
    Directory,
    /// Stories.
    News,
    /// Products and prices.
    Shop,
    /// Somebody's notes.
    Blog,
}

/// What a site number stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Role {
    pub(crate) kind: SiteKind,
    /// Position of its city in the geography.
    pub(crate) city: Option<usize>,
    pub(crate) topic: usize,
    /// Position in its block.
    pub(crate) rank: u64,
}

use SiteKind::{Blog, Business, Directory, Municipal, News, Shop};

/// Of 25 sites of a city: 1 municipal, 1 news, 1 directory, 3 blogs, 19 businesses.
const LOCAL_PATTERN: [SiteKind; 25] = [
    Municipal, News, Directory, Business, Business, Blog, Business, Business, Business, Business,
    Business, Business, Blog, Business, Business, Business, Business, Business, Business, Blog,
    Business, Business, Business, Business, Business,
];

/// Of 20 sites of no place: 1 directory, 2 news, 5 shops, 7 blogs, 5 companies.
const GENERAL_PATTERN: [SiteKind; 20] = [
    News, Shop, Directory, Business, Blog, Shop, Blog, Business, Blog, Shop, News, Business, Blog,
    Shop, Blog, Business, Blog, Shop, Business, Blog,
];

/// The blocks of one world.
pub(crate) struct Layout {
    n_sites: u64,
    /// First number of each city's block, and after the last one.
    city_starts: Vec<u64>,
}

impl Layout {
    pub(crate) fn new(settings: &WorldSettings, geography: &Geography) -> Layout {
        let n_sites = settings.n_sites.max(1);
        let n_local =
            (u128::from(n_sites - 1) * u128::from(settings.local_sites.min(1000)) / 1000) as u64;
        // Rounding to whole weights hides any difference between maths libraries.
        let exponent = f64::from(settings.city_exponent) / 100.0;
        let weights = geography
            .cities
            .iter()
            .map(|city| (f64::from(city.population).powf(exponent).round() as u64).max(1));
        let sum: u64 = weights.clone().sum();
        let mut city_starts = vec![0];
        let mut before = 0;
        for weight in weights {
            before += weight;
            city_starts.push((u128::from(n_local) * u128::from(before) / u128::from(sum)) as u64);
        }
        Layout {
            n_sites,
            city_starts,
        }
    }

    pub(crate) fn n_sites(&self) -> u64 {
        self.n_sites
    }

    fn n_local(&self) -> u64 {
        self.city_starts.last().copied().unwrap_or(0)
    }

    fn n_general(&self) -> u64 {
        self.n_sites - self.n_local()
    }

    /// The one open directory: the first site of no place.
    pub(crate) fn open_directory(&self) -> u64 {
        self.n_local()
    }

    /// How many sites a city has.
    pub(crate) fn n_of_city(&self, city: usize) -> u64 {
        self.city_starts[city + 1] - self.city_starts[city]
    }

    pub(crate) fn role(&self, site: u64) -> Role {
        if site < self.n_local() {
            let city = self.city_starts.partition_point(|start| *start <= site) - 1;
            let rank = site - self.city_starts[city];
            Role {
                kind: LOCAL_PATTERN[(rank % LOCAL_PATTERN.len() as u64) as usize],
                city: Some(city),
                topic: topic_at(rank),
                rank,
            }
        } else {
            let rank = site - self.n_local();
            let kind = match rank {
                0 => SiteKind::OpenDirectory,
                _ => GENERAL_PATTERN[(rank % GENERAL_PATTERN.len() as u64) as usize],
            };
            Role {
                kind,
                city: None,
                topic: topic_at(rank / GENERAL_PATTERN.len() as u64),
                rank,
            }
        }
    }

    /// The `nth` business on this topic in a city; none when the city has no
    /// site at that position or it is of another kind.
    pub(crate) fn business(&self, city: usize, topic: usize, nth: u64) -> Option<u64> {
        let rank = topic as u64 + nth * N_TOPICS as u64;
        let of_kind = LOCAL_PATTERN[(rank % LOCAL_PATTERN.len() as u64) as usize] == Business;
        (of_kind && rank < self.n_of_city(city)).then(|| self.city_starts[city] + rank)
    }

    /// How many positions `business` may be asked for.
    pub(crate) fn n_business_slots(&self, city: usize, topic: usize) -> u64 {
        self.n_of_city(city)
            .saturating_sub(topic as u64)
            .div_ceil(N_TOPICS as u64)
    }

    /// Some site of a city, popular ones more often.
    pub(crate) fn pick_local(&self, city: usize, dice: &mut Dice) -> Option<u64> {
        let n = self.n_of_city(city);
        (n > 0).then(|| self.city_starts[city] + dice.zipf(n))
    }

    /// Some site of any city; a city is met as often as it has sites.
    pub(crate) fn pick_any_local(&self, dice: &mut Dice) -> Option<u64> {
        let n = self.n_local();
        (n > 0).then(|| dice.below(n))
    }

    /// Some site of no place, popular ones more often.
    pub(crate) fn pick_general(&self, dice: &mut Dice) -> u64 {
        self.n_local() + dice.zipf(self.n_general())
    }

    /// Some site of no place on a topic; any where there is none.
    pub(crate) fn pick_on_topic(&self, topic: usize, dice: &mut Dice) -> u64 {
        let row = GENERAL_PATTERN.len() as u64;
        let n_rows = (self.n_general() / row).saturating_sub(topic as u64) / N_TOPICS as u64;
        if n_rows == 0 {
            return self.pick_general(dice);
        }
        let nth_row = topic as u64 + dice.zipf(n_rows) * N_TOPICS as u64;
        self.n_local() + nth_row * row + dice.below(row)
    }
}

fn topic_at(position: u64) -> usize {
    (position % N_TOPICS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(n_sites: u64, city_sizes: &[u64]) -> Layout {
        let mut city_starts = vec![0];
        for n in city_sizes {
            city_starts.push(city_starts[city_starts.len() - 1] + n);
        }
        Layout {
            n_sites,
            city_starts,
        }
    }

    #[test]
    fn every_pick_has_the_role_it_was_asked_for() {
        let layout = layout(5_000, &[400, 0, 30, 1]);
        let mut dice = Dice::new(&[3]);
        for topic in 0..N_TOPICS {
            for nth in 0..layout.n_business_slots(0, topic) {
                if let Some(site) = layout.business(0, topic, nth) {
                    let role = layout.role(site);
                    assert_eq!(
                        (role.kind, role.city, role.topic),
                        (Business, Some(0), topic)
                    );
                }
            }
            let role = layout.role(layout.pick_on_topic(topic, &mut dice));
            assert_eq!((role.city, role.topic), (None, topic));
        }
        assert_eq!(layout.pick_local(1, &mut dice), None);
        let last = layout.pick_local(3, &mut dice).expect("one site");
        assert_eq!(layout.role(last).kind, Municipal);
        assert_eq!(
            layout.role(layout.open_directory()).kind,
            SiteKind::OpenDirectory
        );
    }

    #[test]
    fn every_number_belongs_to_one_block() {
        let layout = layout(500, &[40, 0, 30]);
        let of_city = |city| {
            (0..500)
                .filter(|site| layout.role(*site).city == city)
                .count()
        };
        assert_eq!(
            [Some(0), Some(1), Some(2), None].map(of_city),
            [40, 0, 30, 430]
        );
    }
}
