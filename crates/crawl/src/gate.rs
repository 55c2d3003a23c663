//! When a host may be asked, and for what: politeness and robots rules.
//!
//! All nodes of a process share one gate, so that two nodes that want pages
//! of one host share its clock. Every request counts, robots.txt too, for the
//! host and for the machine behind it. Clocks go by host name, whatever the
//! scheme or port; rules go by origin (RFC 9309), and so does who is dead. Of
//! ports a host is asked at a few. The
//! gate outlives the process: what it knows is kept in two tables, and memory
//! holds what was used lately.

mod bearing;
mod brief;
mod clocks;
mod health;
mod host_clock;
mod machine_clock;
mod recent;
mod retry_after;
mod rules;
#[cfg(test)]
mod tests;

pub(crate) use rules::sitemaps_of;

use crate::clock::Jump;
use crate::error::CrawlError;
use crate::fetch::{Landing, Machine, Whom};
use crate::settings::Settings;
use bearing::{Bearing, Failure};
use clocks::Clocks;
use host_clock::Readiness;
use page::url::CanonicalUrl;
use rules::{Heard, RuleBook, Standing};
use std::net::IpAddr;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::table::Batch;
use store::visit::{Outcome, Time};

/// The answer to "may I fetch this now?".
#[derive(Debug)]
pub enum Permit {
    /// Yes; the host is leased until `page_landed` is called.
    Fetch,
    /// Fetch robots rules first; leased until `robots_landed` is called.
    Robots(RulesWanted),
    /// Rules have moved to where robots may not go, for this reason: say so
    /// with `robots_refused`.
    RobotsRefused(CanonicalUrl, Outcome),
    /// Not before that time.
    NotBefore(Time),
    /// Its machine is being looked up; not before that time.
    Sought(Time),
    /// The origin is dead for now; it is tried again at that time.
    Parked(Time),
    /// No, and this goes on record.
    Refused(Outcome),
}

/// Robots rules that are to be fetched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RulesWanted {
    /// A URL of the origin that they are for: the one that was asked about, or
    /// the one its own rules have moved to.
    pub by: CanonicalUrl,
    /// Where they are.
    pub at: CanonicalUrl,
}

/// What a landing means for who asks next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Aftermath {
    /// When to ask about the host again.
    pub free_at: Time,
    /// Whether the same is to be asked for once more: nothing was answered,
    /// and that says nothing about page or host.
    pub is_to_be_repeated: bool,
    /// Whether the host is known to answer.
    pub acquaintance: Acquaintance,
}

/// Whether a host is known to answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acquaintance {
    /// It has not answered yet, or not of late: nobody knows how long it will
    /// be waited for.
    Stranger,
    /// It answered when it was last asked.
    Known,
}

/// What is known of a URL's host, and of its origin where that fails.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostView {
    /// When it may be asked again, unless it is parked for longer.
    pub free_at: Time,
    /// Least time between two requests while all is well.
    pub delay: Duration,
    /// Failures in a row.
    pub n_failures: u32,
    /// What the last of them was.
    pub last_failure: Option<Outcome>,
    /// When it is tried again, where it is dead for now.
    pub parked_until: Option<Time>,
    /// Whether its URLs are refused until then instead of waiting.
    pub is_given_up: bool,
    /// The address it answered from last.
    pub machine: Option<IpAddr>,
    /// How long its answers take, of late.
    pub answer_time: Duration,
    /// When it answered last.
    pub answered_at: Option<Time>,
}

/// How to come by robots rules.
enum Way {
    To(RulesWanted),
    /// Not at all: what they have moved to may not be asked for.
    Barred(CanonicalUrl, Outcome),
}

/// Tells a host's machine before it has been asked, where that is possible.
pub type LookUp = Box<dyn Fn(&CanonicalUrl) -> Machine + Send>;

/// Hosts, machines and origins in memory, each; an origin with long rules
/// counts for several.
const ROOM: usize = 1 << 16;

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
        Gate::open_with_room(dir, settings, crashed, look_up, ROOM)
    }

    fn open_with_room(
        dir: &CrawlDir,
        settings: &Settings,
        crashed: Option<Time>,
        look_up: LookUp,
        room: usize,
    ) -> Result<Gate, CrawlError> {
        Ok(Gate {
            clocks: Clocks::open(dir, settings, crashed, look_up, room)?,
            rules: RuleBook::open(dir, settings, room)?,
        })
    }

    /// Asks whether a URL may be fetched now; a yes leases its host.
    pub fn ask(&mut self, url: &CanonicalUrl, now: Time) -> Result<Permit, CrawlError> {
        if url.has_bad_port() {
            return Ok(Permit::Refused(Outcome::BadPort));
        }
        let robots = match self.rules.standing(url, now)? {
            Standing::Refused(outcome) => return Ok(Permit::Refused(outcome)),
            Standing::Allowed => None,
            Standing::Wanted(at) => match self.way_to(url, at, now)? {
                Way::To(robots) => Some(robots),
                Way::Barred(at, outcome) => return Ok(Permit::RobotsRefused(at, outcome)),
            },
        };
        // Rules that have moved elsewhere take the time of both hosts, and
        // cannot be had while either is dead.
        let (by, asked) = match &robots {
            Some(robots) => (&robots.by, &robots.at),
            None => (url, url),
        };
        for party in [by, asked] {
            match self.clocks.readiness(party, now)? {
                Readiness::Free => {}
                Readiness::NotBefore(time) => return Ok(Permit::NotBefore(time)),
                Readiness::Sought(time) => return Ok(Permit::Sought(time)),
                Readiness::Parked(time) => return Ok(Permit::Parked(time)),
                Readiness::Never(outcome) => return Ok(Permit::Refused(outcome)),
            }
        }
        for party in [by, asked] {
            self.clocks.lease(party, now);
        }
        Ok(match robots {
            Some(robots) => {
                self.rules.asked(&robots.by);
                Permit::Robots(robots)
            }
            None => Permit::Fetch,
        })
    }

    /// What to ask for on the way to the rules of a URL's origin. Where they
    /// have moved to another origin, to anything but its own rules, that one's
    /// rules decide, or else anybody could send us where robots may not go;
    /// they come first. Who sends us on from there as well leads nowhere: two
    /// origins could wait for each other's rules.
    fn way_to(
        &mut self,
        url: &CanonicalUrl,
        at: CanonicalUrl,
        now: Time,
    ) -> Result<Way, CrawlError> {
        let by = url.clone();
        if at.has_bad_port() {
            return Ok(Way::Barred(at, Outcome::BadPort));
        }
        if !rules::is_detour(url, &at) {
            return Ok(Way::To(RulesWanted { by, at }));
        }
        Ok(match self.rules.standing(&at, now)? {
            Standing::Allowed => Way::To(RulesWanted { by, at }),
            Standing::Refused(outcome) => Way::Barred(at, outcome),
            Standing::Wanted(further)
                if rules::is_detour(&at, &further) || further.has_bad_port() =>
            {
                Way::Barred(at, Outcome::Forbidden { line: 0 })
            }
            Standing::Wanted(further) => Way::To(RulesWanted {
                by: at,
                at: further,
            }),
        })
    }

    /// Hears that the rules of a URL's origin are where robots may not go:
    /// they count as missing, as rules behind too many redirects do.
    pub fn robots_refused(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        outcome: &Outcome,
        now: Time,
    ) {
        let heard = match outcome {
            Outcome::PrivateAddress => Heard::Private,
            _ => Heard::Rules(Vec::new()),
        };
        self.rules.landed(batch, wanted, heard, 0, now);
    }

    /// Who may be connected to for a URL that was permitted.
    pub fn whom(&self, url: &CanonicalUrl) -> Whom {
        self.clocks.whom(url)
    }

    /// Whether a URL's host is known to answer.
    pub fn acquaintance(
        &mut self,
        url: &CanonicalUrl,
        now: Time,
    ) -> Result<Acquaintance, CrawlError> {
        self.clocks.acquaintance(url, now)
    }

    /// Ends the lease of a page's host.
    pub fn page_landed(&mut self, url: &CanonicalUrl, landing: &Landing, now: Time) -> Aftermath {
        let bearing = Bearing::of(&landing.fetched, now);
        self.clocks.landed(url, landing, bearing, now)
    }

    /// Hears what came of asking for robots rules, on behalf of the URL that
    /// is `wanted`; returns what that means for that one's host.
    pub fn robots_landed(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        asked: &CanonicalUrl,
        landing: &Landing,
        now: Time,
    ) -> Aftermath {
        let own = Bearing::of(&landing.fetched, now);
        let heard = Heard::of(asked, &landing.fetched, &own);
        let on_wanted = self.bearing_of_wanted(wanted, &heard, &own);
        if wanted.host() == asked.host() {
            self.clocks.landed(asked, landing, on_wanted, now);
        } else {
            self.clocks.landed(asked, landing, own, now);
            self.clocks.heard_of(wanted, on_wanted, now);
        }
        let n_failures = self.clocks.n_failures(wanted);
        let free_at = self.clocks.end_lease(wanted);
        let crawl_delay = self
            .rules
            .landed(batch, wanted, heard, n_failures, now.max(free_at));
        let crawl_delay = crawl_delay.unwrap_or_default();
        let free_at = self.clocks.slow_down(wanted, crawl_delay, now);
        self.clocks.aftermath(wanted, free_at)
    }

    /// What rules, or the lack of them, mean for the host they are for. Who
    /// sends us on may send us to nowhere, so that is no good answer yet.
    fn bearing_of_wanted(&self, wanted: &CanonicalUrl, heard: &Heard, own: &Bearing) -> Bearing {
        let failure = match heard {
            Heard::Rules(_) => return Bearing::Reachable,
            Heard::Moved(_) | Heard::Private | Heard::Nothing => return Bearing::Unclear,
            Heard::Failed(Failure::NoRules) if self.rules.are_known(wanted) => Failure::NoNewRules,
            Heard::Failed(failure) => failure.clone(),
        };
        Bearing::Ill {
            failure,
            rest: own.rest(),
        }
    }

    /// The sitemaps that the rules of the URL's origin name, once they are known.
    pub fn sitemaps(&mut self, url: &CanonicalUrl) -> Vec<String> {
        self.rules.sitemaps(url)
    }

    /// Origins that are dead for now and have not been tried again.
    pub fn n_parked(&self) -> usize {
        self.clocks.n_parked() as usize
    }

    /// What is known of a URL's host and origin, where anything is.
    pub fn host_view(&self, url: &CanonicalUrl) -> Option<HostView> {
        self.clocks.view(url)
    }

    /// Hosts, machines and origins in memory.
    #[cfg(test)]
    fn n_in_memory(&self) -> [usize; 3] {
        let [n_hosts, n_machines] = self.clocks.n_in_memory();
        [n_hosts, n_machines, self.rules.n_in_memory()]
    }

    /// Hears that the clock was set: everybody waits as long as before.
    pub fn jumped(&mut self, jump: Jump) {
        self.clocks.jumped(jump);
    }

    /// Writes the clocks that have moved since the last commit, which is to
    /// come right after: from here on the tables are relied on.
    pub fn save(&mut self, batch: &mut Batch) {
        self.clocks.save(batch);
        self.rules.saved();
    }
}
