//! When hosts, and the machines behind them, may be asked again.
//!
//! A machine is known from the host's first landing, or from a look-up before
//! it. A process that died may have asked hosts after its last commit, so
//! after a crash every host and machine counts as asked at the time the crash
//! was found.

use super::LookUp;
use crate::clock::after;
use crate::error::CrawlError;
use crate::fetch::{Fetched, Landing};
use crate::settings::Settings;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::net::IpAddr;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::Time;

/// Whoever finds a host or machine leased asks again no sooner: nobody knows
/// when a fetch lands, and asking without pause would be a busy wait.
const LEASE: Duration = Duration::from_millis(50);

/// However often a host fails, it is tried again after this long.
const LONGEST_WAIT: Duration = Duration::from_secs(3600);

/// Failures beyond this many lengthen the wait no more.
const MOST_FAILURES: u32 = 8;

pub(super) struct Clocks {
    delay: Duration,
    machine_delay: Duration,
    crashed: Option<Time>,
    look_up: LookUp,
    hosts: HashMap<Box<str>, HostClock>,
    machines: HashMap<IpAddr, MachineClock>,
    changed_hosts: BTreeSet<Box<str>>,
    changed_machines: BTreeSet<IpAddr>,
    table: Table,
}

struct HostClock {
    free_at: Time,
    is_leased: bool,
    n_failures: u32,
    /// The longest `Crawl-delay` of its rules.
    asked_for: Duration,
    machine: Option<IpAddr>,
    /// The machine that was leased together with the host.
    leased_machine: Option<IpAddr>,
}

#[derive(Default)]
struct MachineClock {
    free_at: Time,
    is_leased: bool,
}

impl Clocks {
    pub(super) fn open(
        dir: &CrawlDir,
        settings: &Settings,
        crashed: Option<Time>,
        look_up: LookUp,
    ) -> Result<Clocks, CrawlError> {
        Ok(Clocks {
            delay: settings.delay,
            machine_delay: settings.server_delay,
            crashed,
            look_up,
            hosts: HashMap::new(),
            machines: HashMap::new(),
            changed_hosts: BTreeSet::new(),
            changed_machines: BTreeSet::new(),
            table: dir.table("clocks")?,
        })
    }

    /// Whether the URL's host may be asked now, or when to ask again.
    pub(super) fn is_free(
        &mut self,
        url: &CanonicalUrl,
        now: Time,
    ) -> Result<Result<(), Time>, CrawlError> {
        self.load_host(url)?;
        let host = &self.hosts[url.host()];
        if host.is_leased {
            return Ok(Err(after(now, self.wait_of(host).max(LEASE))));
        }
        if host.free_at > now {
            return Ok(Err(host.free_at));
        }
        let Some(machine) = host.machine else {
            return Ok(Ok(()));
        };
        self.load_machine(machine)?;
        let machine = &self.machines[&machine];
        Ok(if machine.is_leased {
            Err(after(now, self.machine_delay.max(LEASE)))
        } else if machine.free_at > now {
            Err(machine.free_at)
        } else {
            Ok(())
        })
    }

    /// Leases a host found free. From here on the request counts, even if
    /// nobody ever hears of its landing.
    pub(super) fn lease(&mut self, url: &CanonicalUrl, now: Time) {
        let free_at = after(now, self.wait_of(&self.hosts[url.host()]));
        let host = self.hosts.get_mut(url.host()).expect("found free before");
        if host.is_leased {
            return;
        }
        host.is_leased = true;
        host.free_at = free_at;
        host.leased_machine = host.machine;
        self.changed_hosts.insert(url.host().into());
        if let Some(address) = host.machine {
            let machine = self.machines.entry(address).or_default();
            machine.is_leased = true;
            machine.free_at = machine.free_at.max(after(now, self.machine_delay));
            self.changed_machines.insert(address);
        }
    }

    /// Ends the lease of the host that answered, and counts from now.
    pub(super) fn landed(&mut self, url: &CanonicalUrl, landing: &Landing, now: Time) -> Time {
        self.end_lease(url);
        let host = self.hosts.get_mut(url.host()).expect("leased before");
        let answered_from = landing
            .server
            .filter(|server| host.machine != Some(*server));
        let machines: Vec<IpAddr> = host.machine.into_iter().chain(answered_from).collect();
        host.machine = landing.server.or(host.machine);
        host.n_failures = match &landing.fetched {
            Fetched::Answer(answer) if answer.status < 500 && answer.status != 429 => 0,
            Fetched::PrivateAddress
            | Fetched::TooLarge
            | Fetched::NotArchived
            | Fetched::Offline(_) => 0,
            _ => (host.n_failures + 1).min(MOST_FAILURES),
        };
        for address in machines {
            let machine = self.machines.entry(address).or_default();
            machine.free_at = machine.free_at.max(after(now, self.machine_delay));
            self.changed_machines.insert(address);
        }
        let wait = self.wait_of(&self.hosts[url.host()]).max(landing.took);
        let host = self.hosts.get_mut(url.host()).expect("leased before");
        host.free_at = after(now, wait);
        self.changed_hosts.insert(url.host().into());
        host.free_at
    }

    /// Ends a lease without counting again; returns when the host is free.
    pub(super) fn end_lease(&mut self, url: &CanonicalUrl) -> Time {
        let host = self.hosts.get_mut(url.host()).expect("leased before");
        host.is_leased = false;
        if let Some(machine) = host.leased_machine.take() {
            self.machines.entry(machine).or_default().is_leased = false;
        }
        host.free_at
    }

    /// Hears that a host's rules ask for a longer delay.
    pub(super) fn slow_down(&mut self, url: &CanonicalUrl, asked_for: Duration, now: Time) {
        let host = self.hosts.get_mut(url.host()).expect("leased before");
        if asked_for > host.asked_for {
            host.asked_for = asked_for;
            host.free_at = host.free_at.max(after(now, asked_for));
            self.changed_hosts.insert(url.host().into());
        }
    }

    /// How often in a row the host has failed.
    pub(super) fn n_failures(&self, url: &CanonicalUrl) -> u32 {
        self.hosts.get(url.host()).map_or(0, |host| host.n_failures)
    }

    fn wait_of(&self, host: &HostClock) -> Duration {
        let usual = self.delay.max(host.asked_for);
        let patience = 4_u32.pow(host.n_failures);
        usual.saturating_mul(patience).min(LONGEST_WAIT.max(usual))
    }

    /// Writes the clocks that have moved since the last commit.
    pub(super) fn save(&mut self, batch: &mut Batch) {
        for name in std::mem::take(&mut self.changed_hosts) {
            if let Some(host) = self.hosts.get(&name) {
                batch.put(&self.table, name.as_bytes(), &HostRow::of(host).encode());
            }
        }
        for address in std::mem::take(&mut self.changed_machines) {
            if let Some(machine) = self.machines.get(&address) {
                let free_at = machine.free_at.0.to_be_bytes();
                batch.put(&self.table, machine_key(address).as_bytes(), &free_at);
            }
        }
    }

    fn load_host(&mut self, url: &CanonicalUrl) -> Result<(), CrawlError> {
        if self.hosts.contains_key(url.host()) {
            return Ok(());
        }
        let row = self.table.get(url.host().as_bytes())?;
        let row: HostRow = row
            .and_then(|bytes| postcard::from_bytes(&bytes).ok())
            .unwrap_or_default();
        let mut host = HostClock {
            free_at: Time(row.free_at),
            is_leased: false,
            n_failures: row.n_failures.min(MOST_FAILURES),
            asked_for: Duration::from_millis(row.asked_for_ms),
            machine: row.machine.or_else(|| (self.look_up)(url)),
            leased_machine: None,
        };
        if let Some(crashed) = self.crashed {
            host.free_at = host.free_at.max(after(crashed, self.wait_of(&host)));
        }
        self.hosts.insert(url.host().into(), host);
        Ok(())
    }

    fn load_machine(&mut self, address: IpAddr) -> Result<(), CrawlError> {
        if self.machines.contains_key(&address) {
            return Ok(());
        }
        let row = self.table.get(machine_key(address).as_bytes())?;
        let free_at = row
            .and_then(|bytes| bytes.try_into().ok())
            .map_or(0, u64::from_be_bytes);
        let crashed = self
            .crashed
            .map_or(Time(0), |crashed| after(crashed, self.machine_delay));
        let machine = MachineClock {
            free_at: Time(free_at).max(crashed),
            is_leased: false,
        };
        self.machines.insert(address, machine);
        Ok(())
    }
}

/// No host name has an `@`.
fn machine_key(address: IpAddr) -> String {
    format!("@{address}")
}

/// A host's clock, as kept.
#[derive(Default, Serialize, Deserialize)]
struct HostRow {
    free_at: u64,
    n_failures: u32,
    asked_for_ms: u64,
    machine: Option<IpAddr>,
}

impl HostRow {
    fn of(host: &HostClock) -> HostRow {
        HostRow {
            free_at: host.free_at.0,
            n_failures: host.n_failures,
            asked_for_ms: u64::try_from(host.asked_for.as_millis()).unwrap_or(u64::MAX),
            machine: host.machine,
        }
    }

    fn encode(&self) -> Vec<u8> {
        postcard::to_stdvec(self).expect("plain data always encodes")
    }
}
