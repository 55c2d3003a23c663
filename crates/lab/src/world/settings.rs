//! Every number a made-up web depends on, and where it comes from.
//!
//! "Guess" means that nobody has compared the value with a recorded web yet.
//! Chances are whole numbers per thousand (or per million where it says so),
//! so that no machine rounds them differently.

use std::time::Duration;

/// The parameters of a made-up web.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorldSettings {
    /// Two worlds with different seeds share nothing but their statistics.
    pub seed: u64,
    /// Sites in all, at least one. Default 200,000: some four million pages.
    pub n_sites: u64,
    /// People a US city needs to have sites of its own. Default 50,000, which
    /// gives several hundred cities with many that share a name (guess).
    pub min_population: u32,
    /// Sites that belong to some city, of a thousand. Default 100 (guess, made
    /// so that few pages of a crawl from general seeds have an address).
    pub local_sites: u32,
    /// A city's sites grow with its population to the power of this, in
    /// hundredths. Default 90: a little less than in proportion (guess).
    pub city_exponent: u32,
    /// Exponent of the density of site sizes, in hundredths. Default 180;
    /// Huberman and Adamic, *Growth dynamics of the World-Wide Web* (1999),
    /// found values between 1.6 and 1.9.
    pub size_exponent: u32,
    /// Fewest pages of a site. Default 3 (guess).
    pub min_pages: u32,
    /// Most pages of a site. Default 2,000 (guess).
    pub max_pages: u32,
    /// Smallest HTML page in bytes; the body text is made to fit. Default 5,000.
    pub min_bytes: u32,
    /// Largest ordinary HTML page in bytes. Default 60,000; sizes in between
    /// are even on a logarithmic scale, 22,000 on average.
    pub max_bytes: u32,

    /// Local sites with their city's name in the host, of a thousand; town
    /// halls have it nearly always. Default 250 (guess).
    pub city_in_host: u32,
    /// Pages of a local site with the city's name in the path. Default 120 (guess).
    pub city_in_path: u32,
    /// Links to a local site with the city's name in the anchor. Default 250 (guess).
    pub city_in_anchor: u32,
    /// Local businesses with their address in every page's footer. Default 250 (guess).
    pub footer_address: u32,
    /// Companies of no place that give a head office on their contact page. Default 300 (guess).
    pub head_office: u32,

    /// Outward links of a local site that stay in its city. Default 420,
    /// after the locality the 2006 paper measured on URLs (0.416).
    pub link_same_city: u32,
    /// Outward links of a local site to another city of its state. Default 60 (guess).
    pub link_same_state: u32,
    /// Outward links of any other site to some local site. Default 25 (guess).
    pub link_into_local: u32,
    /// Outward links of any other site to one on the same topic; what is left
    /// goes to popular sites. Default 450 (guess).
    pub link_same_topic: u32,
    /// Outward links that lead to a site's front page. Default 650 (guess).
    pub link_to_front: u32,
    /// Links that lead nowhere: pages and hosts that are gone. Default 15 (guess).
    pub dead_links: u32,

    /// Sites with careless HTML: unclosed tags, unquoted attributes. Default 300 (guess).
    pub sloppy_sites: u32,
    /// Sites in windows-1252. Default 40 (guess).
    pub windows_1252_sites: u32,
    /// Servers of local sites that stand in the site's own city. Default 150 (guess).
    pub server_at_home: u32,
    /// Sites for each server, on average. Default 6 (guess).
    pub sites_per_server: u32,

    /// Hosts without robots.txt. Default 450 (guess).
    pub robots_missing: u32,
    /// Hosts whose robots.txt closes one folder. Default 350 (guess).
    pub robots_folder: u32,
    /// Hosts that ask for a delay. Default 60 (guess).
    pub robots_delay: u32,
    /// Hosts that close everything. Default 10 (guess).
    pub robots_closed: u32,
    /// Hosts whose robots.txt gives a server error. Default 10 (guess).
    pub robots_broken: u32,

    /// Hosts that refuse connections. Default 8 (guess).
    pub refusing_hosts: u32,
    /// Hosts that never answer. Default 6 (guess).
    pub hanging_hosts: u32,
    /// Hosts ten times slower than others. Default 30 (guess).
    pub slow_hosts: u32,
    /// Pages that give a server error, per million. Default 4,000 (guess).
    pub broken_pages: u32,
    /// Pages of several megabytes, per million. Default 200 (guess).
    pub huge_pages: u32,
    /// How long a hanging host keeps its caller waiting. Default 30 s.
    pub timeout: Duration,
}

impl Default for WorldSettings {
    fn default() -> WorldSettings {
        WorldSettings {
            seed: 1,
            n_sites: 200_000,
            min_population: 50_000,
            local_sites: 100,
            city_exponent: 90,
            size_exponent: 180,
            min_pages: 3,
            max_pages: 2_000,
            min_bytes: 5_000,
            max_bytes: 60_000,
            city_in_host: 250,
            city_in_path: 120,
            city_in_anchor: 250,
            footer_address: 250,
            head_office: 300,
            link_same_city: 420,
            link_same_state: 60,
            link_into_local: 25,
            link_same_topic: 450,
            link_to_front: 650,
            dead_links: 15,
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
            timeout: Duration::from_secs(30),
        }
    }
}
