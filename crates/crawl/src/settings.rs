//! What a crawl may do, checked before it starts.

use std::time::Duration;

/// The dials of one crawl.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Pages after which the crawl stops; none means until nothing is left.
    pub n_pages: Option<u64>,
    /// Fetches a node may have in the air at once.
    pub n_slots: usize,
    /// Least time between two requests to one host; a longer `Crawl-delay` wins.
    pub delay: Duration,
    /// Least time between two requests to one address. Small-town sites often
    /// share a machine, and politeness is owed to the machine.
    pub server_delay: Duration,
    /// Links followed within one site, counted from where it was entered.
    pub max_depth: u16,
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

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            n_pages: None,
            n_slots: 32,
            delay: Duration::from_secs(1),
            server_delay: Duration::from_millis(500),
            max_depth: 5,
            n_readers: std::thread::available_parallelism().map_or(1, usize::from),
            agent: "Locavore".into(),
            commit_visits: 512,
            commit_after: Duration::from_secs(2),
            archive: true,
            geoparse: true,
        }
    }
}
