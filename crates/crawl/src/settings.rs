//! What a crawl may do, checked before it starts.

use crate::bounds::Bounds;
use crate::fetch::address::{self, OpenRange};
use crate::filters::Filters;
use std::net::IpAddr;
use std::time::Duration;
use strategy::assign::Policy;

/// The dials of one crawl.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Pages after which the crawl stops; none means until nothing is left.
    pub n_pages: Option<u64>,
    /// Fetches a node may have in the air at once.
    pub n_slots: usize,
    /// Least time between two requests to one host; a longer `Crawl-delay` wins.
    pub delay: Duration,
    /// A host that takes long to answer is left alone for so many times as
    /// long: slow answers lengthen its delay at once, quick ones shorten it
    /// little by little. 0 leaves that out.
    pub delay_factor: f32,
    /// The longest delay that slow answers alone lead to. A `Crawl-delay` may
    /// be longer.
    pub longest_delay: Duration,
    /// Least time between two requests to one address. Small-town sites often
    /// share a machine, and politeness is owed to the machine.
    pub server_delay: Duration,
    /// Addresses of one's own network: they may be asked although they are
    /// private, and have delays of their own.
    pub own: Vec<OpenRange>,
    /// `delay` for hosts there.
    pub own_delay: Duration,
    /// `server_delay` for machines there.
    pub own_server_delay: Duration,
    /// Requests that one address may have to answer at the same time.
    pub machine_connections: usize,
    /// How many nodes get a link.
    pub policy: Policy,
    /// Whether a URL belongs to the node it was first offered to, so that no
    /// two nodes fetch it. For strategies that do not decide by the URL alone,
    /// and senseless with policy B, which gives links to several nodes.
    pub claims: bool,
    /// Links followed within one site, counted from where it was entered.
    pub max_depth: u16,
    /// Whether the sitemaps that sites name are read.
    pub sitemaps: bool,
    /// Times a page that fails for a passing reason is asked for in all.
    pub max_tries: u32,
    /// How long such a page waits before the second try; each further wait is eight times longer.
    pub retry_wait: Duration,
    /// Bytes of disk that a crawl leaves free: below, it pauses.
    pub disk_reserve: u64,
    /// URLs of one registrable domain that are taken or wait in line before
    /// further ones are put into its cold queue.
    pub domain_budget: u32,
    /// URLs by which every page with an address that is new to its domain
    /// extends that one's budget.
    pub budget_per_relevant: u32,
    /// Pages after which a crawl ends that has found nothing relevant at all.
    pub patience: u64,
    /// What links have to keep to.
    pub bounds: Bounds,
    /// Links that are left out.
    pub filters: Filters,
    /// Threads that parse and geoparse.
    pub n_readers: usize,
    /// Product token that robots rules are matched against.
    pub agent: String,
    /// Visits after which a group is committed.
    pub commit_visits: usize,
    /// Time after which a group is committed, on the system clock.
    pub commit_after: Duration,
    /// Whether pages are archived. Without an archive damaged tables cannot be
    /// mended: left out only to measure the rest.
    pub archive: bool,
    /// Whether pages are read for places: left out only to measure the rest.
    pub geoparse: bool,
}

impl Settings {
    /// Whether an address is one of one's own network.
    pub fn is_own(&self, ip: IpAddr) -> bool {
        address::is_own(ip, &self.own)
    }

    /// Least time between two requests to a host at this address, as far as
    /// that is known.
    pub(crate) fn delay_at(&self, machine: Option<IpAddr>) -> Duration {
        match machine.is_some_and(|ip| self.is_own(ip)) {
            true => self.own_delay,
            false => self.delay,
        }
    }

    /// Least time between two requests to this address.
    pub(crate) fn server_delay_at(&self, machine: IpAddr) -> Duration {
        match self.is_own(machine) {
            true => self.own_server_delay,
            false => self.server_delay,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            n_pages: None,
            n_slots: 32,
            delay: Duration::from_secs(1),
            delay_factor: 5.0,
            longest_delay: Duration::from_secs(30),
            server_delay: Duration::from_millis(500),
            own: Vec::new(),
            own_delay: Duration::from_secs(1),
            own_server_delay: Duration::from_millis(500),
            machine_connections: 1,
            policy: Policy::A,
            claims: false,
            max_depth: 5,
            sitemaps: true,
            max_tries: 3,
            retry_wait: Duration::from_secs(30),
            disk_reserve: 256 << 20,
            domain_budget: 10_000,
            budget_per_relevant: 100,
            patience: 100_000,
            bounds: Bounds::default(),
            filters: Filters::default(),
            n_readers: std::thread::available_parallelism().map_or(1, usize::from),
            agent: "Locavore".into(),
            commit_visits: 512,
            commit_after: Duration::from_secs(2),
            archive: true,
            geoparse: true,
        }
    }
}
