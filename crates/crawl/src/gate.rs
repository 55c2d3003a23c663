//! When a host may be asked, and for what: politeness and robots rules.
//!
//! All nodes of a process share one gate, so that two nodes that want pages
//! of one host share its clock. Every request counts, robots.txt too, for the
//! host and for the machine behind it. Clocks go by host name, whatever the
//! scheme or port; rules go by origin (RFC 9309). The gate outlives the
//! process: what it knows is kept in two tables and read back at the first
//! question.

mod clocks;
mod rules;
#[cfg(test)]
mod tests;

use crate::error::CrawlError;
use crate::fetch::Landing;
use crate::settings::Settings;
use clocks::Clocks;
use page::url::CanonicalUrl;
use rules::{RuleBook, Standing};
use std::net::IpAddr;
use store::crawl_dir::CrawlDir;
use store::table::Batch;
use store::visit::{Outcome, Time};

/// The answer to "may I fetch this now?".
#[derive(Debug)]
pub enum Permit {
    /// Yes; the host is leased until `page_landed` is called.
    Fetch,
    /// Fetch robots rules first, from here; leased until `robots_landed` is called.
    Robots(CanonicalUrl),
    /// Not before that time.
    NotBefore(Time),
    /// The host is dead for now; it is tried again at that time.
    Parked(Time),
    /// No, and this goes on record.
    Refused(Outcome),
}

/// Tells a host's machine before it has been asked, where that is possible.
pub type LookUp = Box<dyn Fn(&CanonicalUrl) -> Option<IpAddr> + Send>;

/// What one process knows about whom it may ask.
pub struct Gate {
    clocks: Clocks,
    rules: RuleBook,
}

impl Gate {
    /// Opens the gate of a crawl; `crashed` is when a process was last found to have died at work.
    pub fn open(
        dir: &CrawlDir,
        settings: &Settings,
        crashed: Option<Time>,
        look_up: LookUp,
    ) -> Result<Gate, CrawlError> {
        Ok(Gate {
            clocks: Clocks::open(dir, settings, crashed, look_up)?,
            rules: RuleBook::open(dir, settings)?,
        })
    }

    /// Asks whether a URL may be fetched now; a yes leases its host.
    pub fn ask(&mut self, url: &CanonicalUrl, now: Time) -> Result<Permit, CrawlError> {
        let robots = match self.rules.standing(url, now)? {
            Standing::Refused(outcome) => return Ok(Permit::Refused(outcome)),
            Standing::Allowed => None,
            Standing::Wanted(robots) => Some(robots),
        };
        // Rules that have moved elsewhere take the time of both hosts.
        let asked = robots.as_ref().unwrap_or(url);
        for party in [url, asked] {
            if let Err(time) = self.clocks.is_free(party, now)? {
                return Ok(Permit::NotBefore(time));
            }
        }
        for party in [url, asked] {
            self.clocks.lease(party, now);
        }
        Ok(robots.map_or(Permit::Fetch, Permit::Robots))
    }

    /// Ends the lease of a page's host: returns when it may be asked again.
    pub fn page_landed(&mut self, url: &CanonicalUrl, landing: &Landing, now: Time) -> Time {
        self.clocks.landed(url, landing, now)
    }

    /// Hears what came of asking for robots rules, on behalf of the URL that
    /// is `wanted`; returns when that one's host may be asked again.
    pub fn robots_landed(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        asked: &CanonicalUrl,
        landing: &Landing,
        now: Time,
    ) -> Time {
        self.clocks.landed(asked, landing, now);
        let n_failures = self.clocks.n_failures(asked);
        let crawl_delay =
            self.rules
                .landed(batch, wanted, asked, &landing.fetched, n_failures, now);
        self.clocks
            .slow_down(wanted, crawl_delay.unwrap_or_default(), now);
        self.clocks.end_lease(wanted)
    }

    /// Writes the clocks that have moved since the last commit.
    pub fn save(&mut self, batch: &mut Batch) {
        self.clocks.save(batch);
    }
}
