//! When a host may be asked, and for what: politeness and robots rules.
//!
//! All nodes of a process share one gate, so that two nodes that want pages
//! of one host share its clock. Every request counts, robots.txt too, for the
//! host and for the machine behind it. The gate outlives the process: what it
//! knows of a host is kept in two tables and read back at the first question.
//! A process that died may have asked hosts after its last commit, so after a
//! crash every host is treated as asked just now.

use crate::clock::after;
use crate::error::CrawlError;
use crate::fetch::{Fetched, Landing};
use crate::robots::Rules;
use crate::settings::Settings;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Outcome, Time};

/// The answer to "may I fetch this now?".
#[derive(Debug)]
pub enum Permit {
    /// Yes; the host is leased until `landed` is called.
    Fetch,
    /// Fetch robots rules first, from here; the host is leased likewise.
    Robots(CanonicalUrl),
    /// Not before that time.
    NotBefore(Time),
    /// No, and this goes on record.
    Refused(Outcome),
}

/// Robots rules are asked for again after a day (RFC 9309, section 2.4).
const RULES_AGE: Duration = Duration::from_secs(24 * 3600);

/// A host without reachable rules is left alone that long.
const FAILED_AGE: Duration = Duration::from_secs(3600);

/// Redirects followed on the way to robots rules (RFC 9309, section 2.3.1.2).
const ROBOTS_HOPS: u8 = 5;

/// Whoever finds a host or machine leased asks again no sooner: nobody knows
/// when a fetch lands, and asking without pause would be a busy wait.
const LEASE: Duration = Duration::from_millis(50);

/// A slow host is given at most this long between requests.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// What one process knows about whom it may ask.
pub struct Gate {
    agent: String,
    delay: Duration,
    server_delay: Duration,
    hosts: HashMap<Box<str>, HostGate>,
    servers: HashMap<IpAddr, ServerGate>,
    changed: BTreeSet<Box<str>>,
    /// When the crawl was opened, where the last process did not end well.
    crashed: Option<Time>,
    clocks: Table,
    rules: Table,
}

struct HostGate {
    leased: bool,
    free_at: Time,
    n_failures: u32,
    server: Option<IpAddr>,
    robots: Robots,
}

#[derive(Default)]
struct ServerGate {
    leased: bool,
    free_at: Time,
}

enum Robots {
    /// To be fetched from here, after so many redirects.
    Wanted(CanonicalUrl, u8),
    Known {
        rules: Rules,
        until: Time,
    },
    /// No rules to be had, so nothing may be fetched.
    Failed {
        outcome: Outcome,
        until: Time,
    },
}

impl Gate {
    /// Opens the gate of a crawl; `crashed` is the time now if the last process died at work.
    pub fn open(
        dir: &CrawlDir,
        settings: &Settings,
        crashed: Option<Time>,
    ) -> Result<Gate, CrawlError> {
        Ok(Gate {
            crashed,
            agent: settings.agent.clone(),
            delay: settings.delay,
            server_delay: settings.server_delay,
            hosts: HashMap::new(),
            servers: HashMap::new(),
            changed: BTreeSet::new(),
            clocks: dir.table("clocks")?,
            rules: dir.table("robots")?,
        })
    }

    /// Asks whether a URL may be fetched now; a yes leases its host.
    pub fn ask(&mut self, url: &CanonicalUrl, now: Time) -> Result<Permit, CrawlError> {
        self.load(url)?;
        let host = self.hosts.get_mut(url.origin()).expect("loaded above");
        match &host.robots {
            Robots::Known { until, .. } | Robots::Failed { until, .. } if *until <= now => {
                host.robots = Robots::Wanted(robots_url(url), 0);
            }
            Robots::Known { rules, .. } => {
                let verdict = rules.verdict(url.path_and_query());
                if !verdict.allowed {
                    return Ok(Permit::Refused(Outcome::Forbidden { line: verdict.line }));
                }
            }
            Robots::Failed { outcome, .. } => return Ok(Permit::Refused(outcome.clone())),
            Robots::Wanted(..) => {}
        }
        let Robots::Wanted(robots, _) = &host.robots else {
            return Ok(self.lease(url, now));
        };
        let robots = robots.clone();
        if robots.origin() == url.origin() {
            return Ok(match self.lease(url, now) {
                Permit::Fetch => Permit::Robots(robots),
                other => other,
            });
        }
        // The rules have moved to another host: its clock counts too.
        self.load(&robots)?;
        if let Permit::NotBefore(time) = self.is_free(&robots, now) {
            return Ok(Permit::NotBefore(time));
        }
        Ok(match self.lease(url, now) {
            Permit::Fetch => {
                let wait = self.delay;
                let elsewhere = self.hosts.get_mut(robots.origin()).expect("loaded above");
                elsewhere.free_at = elsewhere.free_at.max(after(now, wait));
                self.changed.insert(robots.origin().into());
                Permit::Robots(robots)
            }
            other => other,
        })
    }

    fn is_free(&self, url: &CanonicalUrl, now: Time) -> Permit {
        let host = &self.hosts[url.origin()];
        if host.leased {
            return Permit::NotBefore(after(now, self.wait_of(host).max(LEASE)));
        }
        if host.free_at > now {
            return Permit::NotBefore(host.free_at);
        }
        match host.server.and_then(|server| self.servers.get(&server)) {
            Some(server) if server.leased => {
                Permit::NotBefore(after(now, self.server_delay.max(LEASE)))
            }
            Some(server) if server.free_at > now => Permit::NotBefore(server.free_at),
            _ => Permit::Fetch,
        }
    }

    fn lease(&mut self, url: &CanonicalUrl, now: Time) -> Permit {
        let permit = self.is_free(url, now);
        if let Permit::Fetch = permit {
            let free_at = after(now, self.wait_of(&self.hosts[url.origin()]));
            let host = self.hosts.get_mut(url.origin()).expect("asked about above");
            host.leased = true;
            // Counts even if nobody ever hears of the landing.
            host.free_at = free_at;
            self.changed.insert(url.origin().into());
            if let Some(server) = host.server {
                self.servers.entry(server).or_default().leased = true;
            }
        }
        permit
    }

    fn wait_of(&self, host: &HostGate) -> Duration {
        let asked = match &host.robots {
            Robots::Known { rules, .. } => rules.crawl_delay().unwrap_or_default(),
            _ => Duration::ZERO,
        };
        let patience = 4_u32.saturating_pow(host.n_failures.min(8));
        self.delay
            .max(asked)
            .saturating_mul(patience)
            .min(LONGEST_WAIT.max(asked))
    }

    /// Ends a lease: returns when the host may be asked again.
    pub fn landed(&mut self, url: &CanonicalUrl, landing: &Landing, now: Time) -> Time {
        let server_delay = self.server_delay;
        let host = self
            .hosts
            .get_mut(url.origin())
            .expect("a leased host is known");
        host.leased = false;
        if let Some(server) = host.server.or(landing.server) {
            let gate = self.servers.entry(server).or_default();
            gate.leased = false;
            gate.free_at = gate.free_at.max(after(now, server_delay));
        }
        if landing.server.is_some() {
            host.server = landing.server;
        }
        host.n_failures = match landing.fetched {
            Fetched::Answer(ref answer) if answer.status < 500 => 0,
            Fetched::Answer(_) | Fetched::TimedOut | Fetched::Unreachable(_) => host.n_failures + 1,
            _ => host.n_failures,
        };
        let wait = self.wait_of(&self.hosts[url.origin()]).max(landing.took);
        let host = self
            .hosts
            .get_mut(url.origin())
            .expect("a leased host is known");
        host.free_at = after(now, wait);
        self.changed.insert(url.origin().into());
        host.free_at
    }

    /// Hears what came of asking for a host's robots rules.
    pub fn robots_landed(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        asked: &CanonicalUrl,
        fetched: &Fetched,
        now: Time,
    ) {
        let hops = match &self.hosts[wanted.origin()].robots {
            Robots::Wanted(_, hops) => *hops,
            _ => 0,
        };
        let kept = match fetched {
            Fetched::Answer(answer) if (300..400).contains(&answer.status) => {
                let next = answer
                    .location
                    .as_deref()
                    .and_then(|to| asked.join(to).ok());
                if let Some(next) = next.filter(|_| hops < ROBOTS_HOPS) {
                    self.set_robots(wanted, Robots::Wanted(next, hops + 1));
                    return;
                }
                KeptRules::Text(Vec::new())
            }
            Fetched::Answer(answer) if answer.status >= 500 => KeptRules::Failed(Failure::Status),
            Fetched::Answer(answer) if answer.status >= 400 => KeptRules::Text(Vec::new()),
            // Something that is not text stands where the rules should be, and
            // was not read: nobody can say what it forbids.
            Fetched::Answer(answer) if !answer.is_text() && answer.body.is_empty() => {
                KeptRules::Failed(Failure::Status)
            }
            Fetched::Answer(answer) => KeptRules::Text(answer.body.to_vec()),
            Fetched::Unresolved => KeptRules::Failed(Failure::Unresolved),
            Fetched::TimedOut => KeptRules::Failed(Failure::TimedOut),
            Fetched::PrivateAddress => KeptRules::Failed(Failure::PrivateAddress),
            Fetched::Unreachable(why) => KeptRules::Failed(Failure::Unreachable(why.clone())),
            Fetched::Garbled(why) => KeptRules::Failed(Failure::Garbled(why.clone())),
            // The fetcher cuts long rules off; what is too large even so never ends.
            Fetched::TooLarge => KeptRules::Failed(Failure::Status),
        };
        let until = match &kept {
            KeptRules::Text(_) => after(now, RULES_AGE),
            KeptRules::Failed(_) => after(now, FAILED_AGE),
        };
        let row = RulesRow {
            until: until.0,
            kept,
        };
        let bytes = postcard::to_stdvec(&row).expect("plain data always encodes");
        batch.put(&self.rules, wanted.origin().as_bytes(), &bytes);
        let robots = row.into_robots(&self.agent);
        self.set_robots(wanted, robots);
    }

    fn set_robots(&mut self, url: &CanonicalUrl, robots: Robots) {
        self.hosts
            .get_mut(url.origin())
            .expect("a leased host is known")
            .robots = robots;
    }

    /// Writes the clocks that have moved since the last commit.
    pub fn save(&mut self, batch: &mut Batch) {
        for origin in std::mem::take(&mut self.changed) {
            if let Some(host) = self.hosts.get(&origin) {
                batch.put(
                    &self.clocks,
                    origin.as_bytes(),
                    &ClockRow::of(host).encode(),
                );
            }
        }
    }

    fn load(&mut self, url: &CanonicalUrl) -> Result<(), CrawlError> {
        if self.hosts.contains_key(url.origin()) {
            return Ok(());
        }
        let clock = self.clocks.get(url.origin().as_bytes())?;
        let clock: ClockRow = clock
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        let rules = self.rules.get(url.origin().as_bytes())?;
        let rules: Option<RulesRow> = rules.and_then(|bytes| postcard::from_bytes(&bytes).ok());
        let mut host = HostGate {
            leased: false,
            free_at: Time(clock.free_at),
            n_failures: clock.n_failures,
            server: clock.server,
            robots: rules.map_or_else(
                || Robots::Wanted(robots_url(url), 0),
                |rules| rules.into_robots(&self.agent),
            ),
        };
        if let Some(crashed) = self.crashed {
            host.free_at = host.free_at.max(after(crashed, self.wait_of(&host)));
        }
        self.hosts.insert(url.origin().into(), host);
        Ok(())
    }
}

fn robots_url(url: &CanonicalUrl) -> CanonicalUrl {
    url.join("/robots.txt")
        .expect("an absolute path joins any URL")
}

/// A host's clock, as kept.
#[derive(Default, Serialize, Deserialize)]
struct ClockRow {
    free_at: u64,
    n_failures: u32,
    server: Option<IpAddr>,
}

impl ClockRow {
    fn of(host: &HostGate) -> ClockRow {
        ClockRow {
            free_at: host.free_at.0,
            n_failures: host.n_failures,
            server: host.server,
        }
    }

    fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }
}

/// A host's robots rules, as kept.
#[derive(Serialize, Deserialize)]
struct RulesRow {
    until: u64,
    kept: KeptRules,
}

#[derive(Serialize, Deserialize)]
enum KeptRules {
    Text(Vec<u8>),
    Failed(Failure),
}

#[derive(Serialize, Deserialize)]
enum Failure {
    Status,
    Unresolved,
    TimedOut,
    PrivateAddress,
    Unreachable(String),
    Garbled(String),
}

impl RulesRow {
    fn into_robots(self, agent: &str) -> Robots {
        let until = Time(self.until);
        let outcome = match self.kept {
            KeptRules::Text(text) => {
                return Robots::Known {
                    rules: Rules::parse(&text, agent),
                    until,
                };
            }
            KeptRules::Failed(Failure::Status) => Outcome::Forbidden { line: 0 },
            KeptRules::Failed(Failure::Unresolved) => Outcome::Unresolved,
            KeptRules::Failed(Failure::TimedOut) => Outcome::TimedOut,
            KeptRules::Failed(Failure::PrivateAddress) => Outcome::PrivateAddress,
            KeptRules::Failed(Failure::Unreachable(why)) => Outcome::Unreachable(why),
            KeptRules::Failed(Failure::Garbled(why)) => Outcome::Garbled(why),
        };
        Robots::Failed { outcome, until }
    }
}

#[cfg(test)]
mod tests;
