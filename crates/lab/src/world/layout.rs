//! Who is who among the sites: kind, city and topic of every site number.
//!
//! Numbers are laid out in blocks, one for each city and then one for all
//! sites that belong to no place. Inside a block the kind follows from the
//! position by chance and the topic in turn, so that "a florist in Boise" or
//! "some directory of no place" is found by arithmetic. A lower position is a
//! more popular site.

use super::dice::{Dice, Popularity, hash};
use super::geography::{Country, Geography};
use super::institution::Calling;
use super::settings::WorldSettings;
use super::words::N_TOPICS;
use std::ops::Range;

/// What a site is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
    /// Questions and answers.
    Forum,
    /// Sights, hotels and events of a city.
    Tourism,
    /// Houses of a city, each with its address.
    RealEstate,
    /// A real university.
    University,
    /// A real hospital.
    Hospital,
    /// A company with a page for every branch.
    Chain,
    /// Addresses by city and topic, all over the country.
    Guide,
    /// An agency with offices all over the country.
    Government,
    /// Pages that exist to link to others.
    LinkFarm,
}

impl SiteKind {
    /// Whether its pages are sorted by city: a stretch of pages for each.
    pub(crate) fn is_regional(self) -> bool {
        matches!(
            self,
            SiteKind::Chain | SiteKind::Guide | SiteKind::Government
        )
    }

    /// Whether it is run in departments, each with a contact page of its own.
    pub(crate) fn has_departments(self) -> bool {
        matches!(
            self,
            SiteKind::Municipal | SiteKind::University | SiteKind::Hospital
        )
    }
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

/// What every city has first, as far as it has sites at all.
const FIRST: [SiteKind; 4] = [
    SiteKind::Municipal,
    SiteKind::News,
    SiteKind::Directory,
    SiteKind::Tourism,
];

/// Sites for each institution at least: small places have small webs.
const SITES_PER_INSTITUTION: u64 = 8;

/// The blocks of one world.
pub(crate) struct Layout {
    key: u64,
    n_sites: u64,
    /// First number of each city's block, and after the last one.
    city_starts: Vec<u64>,
    /// First number of a German city's block.
    german_start: u64,
    /// What each city's institutions are, in their order.
    callings: Vec<Vec<Calling>>,
    local_kinds: Vec<SiteKind>,
    general_kinds: Vec<SiteKind>,
    top_kinds: Vec<SiteKind>,
    popularity: Popularity,
    n_top: u64,
}

impl Layout {
    pub(crate) fn new(settings: &WorldSettings, geography: &Geography) -> Layout {
        let n_sites = settings.n_sites.max(1);
        let share = |per_mille: u32| {
            (u128::from(n_sites - 1) * u128::from(per_mille.min(1000)) / 1000) as u64
        };
        let n_local = share(settings.local_sites);
        let n_german = share(settings.german_local_sites).min(n_sites - 1 - n_local);
        let mut city_starts = vec![0];
        for (country, n) in [(Country::Us, n_local), (Country::De, n_german)] {
            fill(&mut city_starts, n, settings, geography, country);
        }
        let callings = geography.cities.iter().map(|city| {
            let callings = city.institutions.iter().map(|one| one.calling);
            callings.collect()
        });
        Layout {
            key: hash(&[settings.seed, super::Tag::Kind as u64]),
            n_sites,
            german_start: city_starts[geography.n_us],
            city_starts,
            callings: callings.collect(),
            local_kinds: table(&settings.local_kinds.shares()),
            general_kinds: table(&settings.general_kinds.shares()),
            top_kinds: table(&settings.top_kinds.shares()),
            popularity: Popularity::new(settings.popularity_exponent),
            n_top: settings.top_sites,
        }
    }

    pub(crate) fn n_sites(&self) -> u64 {
        self.n_sites
    }

    fn n_local(&self) -> u64 {
        self.city_starts.last().copied().unwrap_or(0)
    }

    pub(crate) fn n_general(&self) -> u64 {
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
                kind: self.local_kind(city, rank),
                city: Some(city),
                topic: topic_at(rank),
                rank,
            }
        } else {
            let rank = site - self.n_local();
            Role {
                kind: self.general_kind(rank),
                city: None,
                topic: topic_at(rank),
                rank,
            }
        }
    }

    /// Positions of a city's institutions.
    fn institutions(&self, city: usize) -> Range<u64> {
        let n = self.callings[city].len() as u64;
        let n = n.min(self.n_of_city(city) / SITES_PER_INSTITUTION);
        let first = FIRST.len() as u64;
        first..first + n
    }

    /// The sites of a city's institutions.
    pub(crate) fn institution_sites(&self, city: usize) -> Range<u64> {
        let ranks = self.institutions(city);
        let start = self.city_starts[city];
        start + ranks.start..start + ranks.end
    }

    fn local_kind(&self, city: usize, rank: u64) -> SiteKind {
        if let Some(kind) = FIRST.get(rank as usize) {
            return *kind;
        }
        let institutions = self.institutions(city);
        if institutions.contains(&rank) {
            return match self.callings[city][(rank - institutions.start) as usize] {
                Calling::University => SiteKind::University,
                Calling::Hospital => SiteKind::Hospital,
            };
        }
        Dice::new(&[self.key, city as u64 + 1, rank]).pick(&self.local_kinds)
    }

    fn general_kind(&self, rank: u64) -> SiteKind {
        match rank {
            0 => SiteKind::OpenDirectory,
            _ if self.is_top(rank) => Dice::new(&[self.key, 0, rank]).pick(&self.top_kinds),
            _ => Dice::new(&[self.key, 0, rank]).pick(&self.general_kinds),
        }
    }

    /// Which of its city's institutions a site is.
    pub(crate) fn institution(&self, role: Role) -> Option<(usize, usize)> {
        let city = role.city?;
        let institutions = self.institutions(city);
        let nth = role.rank.checked_sub(institutions.start)? as usize;
        institutions.contains(&role.rank).then_some((city, nth))
    }

    /// The `nth` business on this topic in a city; none when the city has no
    /// site at that position or it is of another kind.
    pub(crate) fn business(&self, city: usize, topic: usize, nth: u64) -> Option<u64> {
        let rank = topic as u64 + nth * N_TOPICS as u64;
        let is_business =
            rank < self.n_of_city(city) && self.local_kind(city, rank) == SiteKind::Business;
        is_business.then(|| self.city_starts[city] + rank)
    }

    /// How many positions `business` may be asked for.
    pub(crate) fn n_business_slots(&self, city: usize, topic: usize) -> u64 {
        self.n_of_city(city)
            .saturating_sub(topic as u64)
            .div_ceil(N_TOPICS as u64)
    }

    /// Whether a position among the sites of no place is one of the best known.
    pub(crate) fn is_top(&self, rank: u64) -> bool {
        rank < self.n_top
    }

    /// Some site of a city, popular ones more often.
    pub(crate) fn pick_local(&self, city: usize, dice: &mut Dice) -> Option<u64> {
        let n = self.n_of_city(city);
        (n > 0).then(|| self.city_starts[city] + self.popularity.pick(n, dice))
    }

    /// Some site of any city of a country; a city is met as often as it has sites.
    pub(crate) fn pick_any_local(&self, country: Country, dice: &mut Dice) -> Option<u64> {
        let range = match country {
            Country::Us => 0..self.german_start,
            Country::De => self.german_start..self.n_local(),
        };
        let n = range.end - range.start;
        (n > 0).then(|| range.start + dice.below(n))
    }

    /// Some site of no place, popular ones more often.
    pub(crate) fn pick_general(&self, dice: &mut Dice) -> u64 {
        self.n_local() + self.popularity.pick(self.n_general(), dice)
    }

    /// Some site of no place about as popular as the one at a position.
    pub(crate) fn pick_as_popular(&self, rank: u64, dice: &mut Dice) -> u64 {
        let low = rank / 2;
        let high = rank
            .saturating_mul(2)
            .saturating_add(2)
            .min(self.n_general());
        self.n_local() + low + dice.below(high.saturating_sub(low).max(1))
    }

    /// Some site of no place on a topic; any where there is none.
    pub(crate) fn pick_on_topic(&self, topic: usize, dice: &mut Dice) -> u64 {
        let n = self.n_general().saturating_sub(topic as u64) / N_TOPICS as u64;
        if n == 0 {
            return self.pick_general(dice);
        }
        self.n_local() + topic as u64 + self.popularity.pick(n, dice) * N_TOPICS as u64
    }
}

/// Appends the ends of a country's blocks, which share `n` sites.
fn fill(
    starts: &mut Vec<u64>,
    n: u64,
    settings: &WorldSettings,
    geography: &Geography,
    country: Country,
) {
    // Rounding to whole weights hides any difference between maths libraries.
    let exponent = f64::from(settings.city_exponent) / 100.0;
    let cities = &geography.cities[geography.of_country(country)];
    let weights = cities
        .iter()
        .map(|city| (f64::from(city.population).powf(exponent).round() as u64).max(1));
    let sum: u64 = weights.clone().sum();
    let start = starts.last().copied().unwrap_or(0);
    let mut before = 0;
    for weight in weights {
        before += weight;
        starts.push(start + (u128::from(n) * u128::from(before) / u128::from(sum)) as u64);
    }
}

/// A thousand kinds in their shares; blogs where there are no shares at all.
fn table(shares: &[(u32, SiteKind)]) -> Vec<SiteKind> {
    let sum: u64 = shares.iter().map(|(share, _)| u64::from(*share)).sum();
    let mut table = Vec::with_capacity(1000);
    let mut before = 0;
    for (share, kind) in shares {
        before += u64::from(*share);
        table.resize((before * 1000 / sum.max(1)) as usize, *kind);
    }
    if table.is_empty() {
        table.push(SiteKind::Blog);
    }
    table
}

fn topic_at(position: u64) -> usize {
    (position % N_TOPICS as u64) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Cities of so many sites; the first has a university.
    fn layout(n_sites: u64, city_sizes: &[u64]) -> Layout {
        let mut city_starts = vec![0];
        for n in city_sizes {
            city_starts.push(city_starts[city_starts.len() - 1] + n);
        }
        let settings = WorldSettings::default();
        let mut callings = vec![Vec::new(); city_sizes.len()];
        callings[0].push(Calling::University);
        Layout {
            key: 1,
            n_sites,
            german_start: city_starts[city_sizes.len()],
            city_starts,
            callings,
            local_kinds: table(&settings.local_kinds.shares()),
            general_kinds: table(&settings.general_kinds.shares()),
            top_kinds: table(&settings.top_kinds.shares()),
            popularity: Popularity::new(91),
            n_top: settings.top_sites,
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
                        (SiteKind::Business, Some(0), topic)
                    );
                }
            }
            let role = layout.role(layout.pick_on_topic(topic, &mut dice));
            assert_eq!((role.city, role.topic), (None, topic));
        }
        assert_eq!(layout.pick_local(1, &mut dice), None);
        let last = layout.pick_local(3, &mut dice).expect("one site");
        assert_eq!(layout.role(last).kind, SiteKind::Municipal);
        assert_eq!(
            layout.role(layout.open_directory()).kind,
            SiteKind::OpenDirectory
        );
    }

    #[test]
    fn a_city_has_its_institutions_once() {
        let layout = layout(500, &[100, 9]);
        let roles: Vec<Role> = (0..109).map(|site| layout.role(site)).collect();
        let of_kind = |role: &&Role| role.kind == SiteKind::University;
        let universities: Vec<&Role> = roles.iter().filter(of_kind).collect();
        assert_eq!(universities.len(), 1);
        assert_eq!(layout.institution(*universities[0]), Some((0, 0)));
        assert_eq!(layout.institution(roles[0]), None);
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

    #[test]
    fn kinds_have_their_shares() {
        let table = table(&WorldSettings::default().local_kinds.shares());
        let n_blogs = table.iter().filter(|kind| **kind == SiteKind::Blog).count();
        assert_eq!((table.len(), n_blogs), (1000, 110));
    }
}
