//! Every number a made-up web depends on, and where it comes from.
//!
//! A world file in TOML holds any of them by name; what it leaves out is as
//! here. "Guess" means that nobody has compared the value with a recorded web;
//! "fitted" that it was chosen so that `lab world --stats` comes out near the
//! figure named. Chances are whole numbers per thousand (or per million where
//! it says so), so that no machine rounds them differently.

mod kinds;
mod pages;

pub use kinds::{GeneralKinds, LocalKinds};
pub use pages::PageSettings;

use kinds::are_none;
use place::gazetteer::{Gazetteer, Kind};
use serde::{Deserialize, Serialize};

/// The parameters of a made-up web.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct WorldSettings {
    /// Two worlds with different seeds share nothing but their statistics.
    pub seed: u64,
    /// Sites in all, at least one. Two million have some eighty million pages.
    pub n_sites: u64,
    /// People a US city needs to have sites of its own. 8,000 gives some two
    /// thousand cities, many of which share a name (guess).
    pub min_population: u32,
    /// People a German city needs to have sites of its own (guess).
    pub german_min_population: u32,
    /// Sites that belong to some US city, of a thousand (guess).
    pub local_sites: u32,
    /// Sites that belong to some German city, of a thousand (guess).
    pub german_local_sites: u32,
    /// A city's sites grow with its population to the power of this, in
    /// hundredths: a little less than in proportion (guess).
    pub city_exponent: u32,
    /// Exponent of the density of site sizes, in hundredths. Huberman and
    /// Adamic, *Growth dynamics of the World-Wide Web* (1999), found values
    /// between 1.6 and 1.9.
    pub size_exponent: u32,
    /// Fewest pages of a site (guess).
    pub min_pages: u32,
    /// Most pages of a site (guess).
    pub max_pages: u32,
    /// Smallest HTML page in bytes; the body text is made to fit.
    pub min_bytes: u32,
    /// Largest ordinary HTML page in bytes; sizes in between are even on a
    /// logarithmic scale.
    pub max_bytes: u32,
    /// Sites of no place in German, of a thousand (guess).
    pub german_sites: u32,
    /// Sites of no place in Spanish (guess).
    pub spanish_sites: u32,
    /// Sites of no place in French (guess).
    pub french_sites: u32,

    /// Kinds of the sites of a city after the first few, in shares.
    pub local_kinds: LocalKinds,
    /// Kinds of the sites of no place, in shares.
    pub general_kinds: GeneralKinds,
    /// Kinds of the best known of them, in shares: portals, papers and chains rather than somebody's notes (guess).
    pub top_kinds: GeneralKinds,
    /// What pages of single kinds of sites are like.
    pub pages: PageSettings,

    /// Local sites with their city's name in the host, of a thousand; town
    /// halls, newspapers and directories have it more often (fitted to the
    /// locality by URL of linked pages, 0.416).
    pub city_in_host: u32,
    /// Sites of no place whose brand is a city's name too, as Phoenix or
    /// Columbus (fitted to the same).
    pub city_brands: u32,
    /// Pages of a local site with the city's name in the path (guess).
    pub city_in_path: u32,
    /// Sites about many cities that name the city in the path (guess).
    pub regional_city_in_path: u32,
    /// Links to a page about a city with the city's name in the anchor (guess).
    pub city_in_anchor: u32,
    /// Paragraphs about a city that name it (guess).
    pub city_in_text: u32,
    /// Paragraphs of any page that mention some city in passing (fitted to the
    /// locality by content, 0.263 for pages that are linked and 0.012 for
    /// others).
    pub stray_city: u32,

    /// Local businesses with their address in every page's footer (guess).
    pub footer_address: u32,
    /// Local businesses that give an address on their contact page (guess).
    pub contact_address: u32,
    /// Companies of no place that give a head office on their contact page (guess).
    pub head_office: u32,
    /// Of those, the ones that repeat it in every page's footer (guess).
    pub head_office_footer: u32,
    /// Sites about many cities that give street addresses (guess).
    pub regional_address: u32,
    /// Addresses that stand in structured data only (guess).
    pub structured_only: u32,

    /// Local businesses that the open directory lists, of a thousand (guess).
    pub listed_sites: u32,
    /// Outward links of a local site that stay in its city (guess).
    pub link_same_city: u32,
    /// Outward links of a local site to another city of its state (guess).
    pub link_same_state: u32,
    /// Outward links of any other site to some local site (guess).
    pub link_into_local: u32,
    /// Outward links of any other site to one on the same topic; what is left
    /// goes to popular sites (guess).
    pub link_same_topic: u32,
    /// Outward links to a site of about the same popularity (fitted to the rank
    /// correlation of status between linked pages, 0.36).
    pub link_same_status: u32,
    /// Outward links that lead to a site's front page (guess).
    pub link_to_front: u32,
    /// Links from a city's pages to another city, on sites about many, that
    /// lead to the same matter there rather than to what sums the city up
    /// (fitted to the rank correlation of status two links away, 0.19).
    pub nearby_alike: u32,
    /// Sites whose sections have templates of their own: their pages link to
    /// more or fewer of their neighbours than those of other sections (fitted
    /// to a correlation of status that falls from two links away to three).
    pub section_templates: u32,
    /// Links that lead nowhere: pages and hosts that are gone (guess).
    pub dead_links: u32,
    /// The chance of a site's n-th place in popularity falls as n to the power
    /// of minus this, in hundredths (fitted to the exponent of in-links from
    /// other domains, 2.1 as measured by Broder and others, *Graph structure in
    /// the web*, 2000).
    pub popularity_exponent: u32,
    /// The best known sites of no place, which are large and of kinds of their
    /// own. Of two million sites 4,096 are one in five hundred (guess).
    pub top_sites: u64,

    /// Leaf pages that repeat another page of their site but for a few words,
    /// of a thousand. Fetterly, Manasse and Najork, *On the evolution of
    /// clusters of near-duplicate web pages* (2003), found 29 % of all pages.
    pub near_copies: u32,
    /// News stories that stand in several papers (guess).
    pub syndicated: u32,
    /// Sites with an endless calendar (guess).
    pub calendars: u32,
    /// Sites that put a session id into every link (guess).
    pub session_ids: u32,
    /// Shops whose lists can be sorted and filtered in every order (guess).
    pub facets: u32,
    /// Sites that answer "found" for pages that are gone (guess).
    pub soft_missing: u32,

    /// Sites with careless HTML: unclosed tags, unquoted attributes (guess).
    pub sloppy_sites: u32,
    /// Sites in windows-1252 (guess).
    pub windows_1252_sites: u32,
    /// Servers of local sites that stand in the site's own city (guess).
    pub server_at_home: u32,
    /// Sites for each server, on average (guess).
    pub sites_per_server: u32,

    /// Hosts without robots.txt (guess).
    pub robots_missing: u32,
    /// Hosts whose robots.txt closes one folder (guess).
    pub robots_folder: u32,
    /// Hosts that ask for a delay (guess).
    pub robots_delay: u32,
    /// Hosts that close everything (guess).
    pub robots_closed: u32,
    /// Hosts whose robots.txt gives a server error (guess).
    pub robots_broken: u32,

    /// Hosts that refuse connections (guess).
    pub refusing_hosts: u32,
    /// Hosts that never answer (guess).
    pub hanging_hosts: u32,
    /// Hosts ten times slower than others (guess).
    pub slow_hosts: u32,
    /// Pages that give a server error, per million (guess).
    pub broken_pages: u32,
    /// Pages of several megabytes, per million (guess).
    pub huge_pages: u32,
    /// How long a hanging host keeps its caller waiting, in milliseconds.
    pub timeout_ms: u64,
}

impl Default for WorldSettings {
    fn default() -> WorldSettings {
        WorldSettings {
            seed: 2006,
            n_sites: 2_000_000,
            min_population: 8_000,
            german_min_population: 20_000,
            local_sites: 220,
            german_local_sites: 40,
            city_exponent: 90,
            size_exponent: 190,
            min_pages: 3,
            max_pages: 5_000,
            min_bytes: 5_000,
            max_bytes: 60_000,
            german_sites: 80,
            spanish_sites: 40,
            french_sites: 30,
            local_kinds: LocalKinds::default(),
            general_kinds: GeneralKinds::default(),
            top_kinds: GeneralKinds {
                business: 100,
                chain: 150,
                directory: 100,
                guide: 200,
                government: 80,
                news: 170,
                shop: 120,
                blog: 30,
                forum: 50,
                link_farm: 0,
            },
            pages: PageSettings::default(),
            city_in_host: 60,
            city_brands: 2,
            city_in_path: 60,
            regional_city_in_path: 800,
            city_in_anchor: 250,
            city_in_text: 180,
            stray_city: 110,
            footer_address: 60,
            contact_address: 700,
            head_office: 300,
            head_office_footer: 60,
            regional_address: 130,
            structured_only: 40,
            listed_sites: 30,
            link_same_city: 350,
            link_same_state: 60,
            link_into_local: 40,
            link_same_topic: 300,
            link_same_status: 600,
            link_to_front: 650,
            nearby_alike: 700,
            section_templates: 700,
            dead_links: 15,
            popularity_exponent: 104,
            top_sites: 4_096,
            near_copies: 360,
            syndicated: 250,
            calendars: 60,
            session_ids: 15,
            facets: 200,
            soft_missing: 100,
            sloppy_sites: 300,
            windows_1252_sites: 40,
            server_at_home: 150,
            sites_per_server: 6,
            robots_missing: 450,
            robots_folder: 350,
            robots_delay: 60,
            robots_closed: 10,
            robots_broken: 10,
            refusing_hosts: 8,
            hanging_hosts: 6,
            slow_hosts: 30,
            broken_pages: 4_000,
            huge_pages: 200,
            timeout_ms: 30_000,
        }
    }
}

/// Far more sites than a crawl can see, and few enough to list them.
pub const MOST_SITES: u64 = 1_000_000_000;

/// An hour: no caller waits longer.
const MOST_TIMEOUT_MS: u64 = 3_600_000;

/// Larger pages are cut off by any crawler; every one is made in memory.
const MOST_BYTES: u64 = 10_000_000;

/// People of a country's largest city.
fn most_people(country: &str) -> u32 {
    let mut places = Gazetteer::built_in().all();
    let largest = places.find(|place| place.kind == Kind::City && place.country == country);
    largest.map_or(0, |place| place.population)
}

/// A world file that makes no world; the text names the key.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct WorldError(pub String);

impl WorldSettings {
    /// Reads a world file.
    pub fn from_toml(text: &str) -> Result<WorldSettings, WorldError> {
        let no_world = |error: toml::de::Error| WorldError(error.to_string().trim_end().to_owned());
        let settings: WorldSettings = toml::from_str(text).map_err(no_world)?;
        settings.check()?;
        let given: toml::Table = toml::from_str(text).map_err(no_world)?;
        // In a small world that says nothing of them all sites are well known.
        if given.contains_key("top_sites") && settings.top_sites > settings.n_sites {
            let WorldSettings {
                top_sites, n_sites, ..
            } = settings;
            let text =
                format!("`top_sites` is {top_sites}, more than `n_sites`, which is {n_sites}");
            return Err(WorldError(text));
        }
        Ok(settings)
    }

    /// Says which number is impossible, if one is.
    pub fn check(&self) -> Result<(), WorldError> {
        self.check_shares()?;
        let at_least_one = [
            ("n_sites", self.n_sites),
            ("min_bytes", u64::from(self.min_bytes)),
            ("sites_per_server", u64::from(self.sites_per_server)),
        ];
        if let Some((key, _)) = at_least_one.iter().find(|(_, value)| *value == 0) {
            return Err(WorldError(format!("`{key}` is 0; it must be at least 1")));
        }
        for (key, value, least, most) in [
            ("n_sites", self.n_sites, 1, MOST_SITES),
            ("timeout_ms", self.timeout_ms, 1, MOST_TIMEOUT_MS),
            ("max_bytes", u64::from(self.max_bytes), 1, MOST_BYTES),
            ("size_exponent", u64::from(self.size_exponent), 101, 1_000),
        ] {
            // A power law needs more than 100 hundredths.
            if !(least..=most).contains(&value) {
                let text = format!("`{key}` is {value}; it must be from {least} to {most}");
                return Err(WorldError(text));
            }
        }
        for (key, value, what) in [
            ("min_pages", self.min_pages, "a site"),
            ("pages_per_desk", self.pages.pages_per_desk, "a department"),
        ] {
            if value < 2 {
                let text = format!("`{key}` is {value}; {what} has 2 pages at least");
                return Err(WorldError(text));
            }
        }
        for (low, min, high, max) in [
            ("min_pages", self.min_pages, "max_pages", self.max_pages),
            ("min_bytes", self.min_bytes, "max_bytes", self.max_bytes),
        ] {
            if min > max {
                let text = format!("`{low}` is {min}, more than `{high}`, which is {max}");
                return Err(WorldError(text));
            }
        }
        let at_most = [
            ("city_exponent", self.city_exponent, 200),
            ("popularity_exponent", self.popularity_exponent, 400),
            ("broken_pages", self.broken_pages, 1_000_000),
            ("huge_pages", self.huge_pages, 1_000_000),
        ];
        if let Some((key, value, most)) = at_most.iter().find(|(_, value, most)| value > most) {
            let text = format!("`{key}` is {value}; it can be {most} at most");
            return Err(WorldError(text));
        }
        let kinds = [
            ("local_kinds", are_none(&self.local_kinds.shares())),
            ("general_kinds", are_none(&self.general_kinds.shares())),
            ("top_kinds", are_none(&self.top_kinds.shares())),
        ];
        if let Some((key, _)) = kinds.iter().find(|(_, are_none)| *are_none) {
            return Err(WorldError(format!("`{key}` has no shares above 0")));
        }
        for (key, least, sites, n_sites, country) in [
            (
                "min_population",
                self.min_population,
                "local_sites",
                self.local_sites,
                "US",
            ),
            (
                "german_min_population",
                self.german_min_population,
                "german_local_sites",
                self.german_local_sites,
                "DE",
            ),
        ] {
            let most = most_people(country);
            if n_sites > 0 && least > most {
                let text = format!(
                    "`{key}` is {least}; no city is left for `{sites}`, the largest has {most} people"
                );
                return Err(WorldError(text));
            }
        }
        Ok(())
    }

    fn check_shares(&self) -> Result<(), WorldError> {
        for (key, value) in [self.shares(), self.pages.shares()].concat() {
            if value > 1000 {
                return Err(WorldError(format!(
                    "`{key}` is {value}; it is a share of 1000"
                )));
            }
        }
        for (what, sum) in [
            (
                "`local_sites` and `german_local_sites`",
                self.local_sites + self.german_local_sites,
            ),
            (
                "`german_sites`, `spanish_sites` and `french_sites`",
                self.german_sites + self.spanish_sites + self.french_sites,
            ),
            (
                "`link_same_city` and `link_same_state`",
                self.link_same_city + self.link_same_state,
            ),
            (
                "`link_into_local`, `link_same_status` and `link_same_topic`",
                self.link_into_local + self.link_same_status + self.link_same_topic,
            ),
            (
                "the shares of hosts by their `robots_…`",
                self.robots_missing
                    + self.robots_folder
                    + self.robots_delay
                    + self.robots_closed
                    + self.robots_broken,
            ),
            (
                "`bare_desks`, `modest_desks` and `listing_desks`",
                self.pages.bare_desks + self.pages.modest_desks + self.pages.listing_desks,
            ),
            (
                "`refusing_hosts` and `hanging_hosts`",
                self.refusing_hosts + self.hanging_hosts,
            ),
        ] {
            if sum > 1000 {
                return Err(WorldError(format!(
                    "{what} are {sum} together, more than 1000"
                )));
            }
        }
        Ok(())
    }

    /// Every chance per thousand, by its key.
    fn shares(&self) -> Vec<(&'static str, u32)> {
        macro_rules! shares { ($($key:ident)*) => { vec![$((stringify!($key), self.$key)),*] } }
        shares!(
            local_sites german_local_sites german_sites spanish_sites french_sites
            city_in_host city_brands city_in_path regional_city_in_path city_in_anchor city_in_text stray_city
            footer_address contact_address head_office head_office_footer structured_only regional_address listed_sites
            link_same_city link_same_state link_into_local link_same_topic link_same_status
            link_to_front nearby_alike section_templates dead_links
            near_copies syndicated calendars session_ids facets soft_missing
            sloppy_sites windows_1252_sites server_at_home
            robots_missing robots_folder robots_delay robots_closed robots_broken
            refusing_hosts hanging_hosts slow_hosts
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str = include_str!("../../../../experiments/worlds/us.toml");

    #[test]
    fn the_built_in_world_is_the_documented_one() {
        assert_eq!(WorldSettings::from_toml(FILE), Ok(WorldSettings::default()));
        let keys = toml::to_string(&WorldSettings::default()).unwrap();
        let keys = keys.lines().filter_map(|line| line.split_once(" = "));
        for (key, _) in keys {
            let line = FILE
                .lines()
                .position(|line| line.starts_with(&format!("{key} = ")));
            let before = line.and_then(|at| FILE.lines().nth(at - 1));
            assert!(before.is_some_and(|line| line.starts_with("# ")), "`{key}`");
        }
    }

    fn complaint(text: &str) -> String {
        WorldSettings::from_toml(text).unwrap_err().0
    }

    #[test]
    fn impossible_numbers_are_told_by_their_key() {
        assert!(complaint("n_cites = 5").contains("unknown field `n_cites`"));
        assert_eq!(
            complaint("city_in_host = 1001"),
            "`city_in_host` is 1001; it is a share of 1000"
        );
        assert_eq!(
            complaint("[pages]\nblog_address = 1001"),
            "`blog_address` is 1001; it is a share of 1000"
        );
        assert_eq!(
            complaint("[pages]\npages_per_desk = 1"),
            "`pages_per_desk` is 1; a department has 2 pages at least"
        );
        let desks = complaint("[pages]\nbare_desks = 600\nmodest_desks = 500");
        assert!(desks.contains("are 1340 together"), "{desks}");
        assert_eq!(
            complaint("robots_missing = 900\nrobots_folder = 900"),
            "the shares of hosts by their `robots_…` are 1880 together, more than 1000"
        );
        assert_eq!(
            complaint("min_bytes = 9\nmax_bytes = 8"),
            "`min_bytes` is 9, more than `max_bytes`, which is 8"
        );
        assert_eq!(
            complaint("n_sites = 0"),
            "`n_sites` is 0; it must be at least 1"
        );
        assert!(complaint("size_exponent = 90").starts_with("`size_exponent` is 90;"));
        assert!(complaint("seed = -1").contains("seed"));
    }

    #[test]
    fn numbers_too_large_to_make_a_world_are_told_with_their_limits() {
        assert_eq!(
            complaint("min_bytes = 3_000_000_000\nmax_bytes = 4_000_000_000"),
            "`max_bytes` is 4000000000; it must be from 1 to 10000000"
        );
        assert_eq!(
            complaint("size_exponent = 4_294_967_295"),
            "`size_exponent` is 4294967295; it must be from 101 to 1000"
        );
        assert_eq!(
            complaint("timeout_ms = 0"),
            "`timeout_ms` is 0; it must be from 1 to 3600000"
        );
        assert!(complaint("timeout_ms = 9_223_372_036_854_775_807").contains("to 3600000"));
        assert!(complaint("n_sites = 9_223_372_036_854_775_807").contains("to 1000000000"));
        let text = complaint("min_population = 99_999_999");
        assert!(text.starts_with(
            "`min_population` is 99999999; no city is left for `local_sites`, the largest has 8"
        ));
        let text = complaint("german_min_population = 4_000_000_000");
        assert!(text.contains("`german_local_sites`, the largest has 3"));
        assert_eq!(
            complaint("n_sites = 100\ntop_sites = 101"),
            "`top_sites` is 101, more than `n_sites`, which is 100"
        );
    }

    #[test]
    fn cities_that_have_no_sites_may_be_too_small() {
        let text = "german_local_sites = 0\ngerman_min_population = 4_000_000_000";
        assert!(WorldSettings::from_toml(text).is_ok());
        assert!(WorldSettings::from_toml("n_sites = 300").is_ok());
    }
}
