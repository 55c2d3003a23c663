//! When hosts, and the machines behind them, may be asked again.
//!
//! Machines are known from a look-up before a host is asked, which waits for
//! it, or else from the landing. A name may lead to several, and one of them
//! is leased at a time: where that cannot be reached, the next one's clock is
//! asked, as for any other request. A process that died may have asked hosts after its last commit, so
//! after a crash every host and machine counts as asked at the time the crash
//! was found. Clocks in use are in memory, all are in one index, and what is
//! long in a table.

use super::bearing::Bearing;
use super::brief;
use super::host_clock::{HostClock, HostMemory, Readiness};
use super::machine_clock::{LEASE, MachineClock, MachineMemory, domain_key};
use super::recent::Recent;
use super::{Acquaintance, Aftermath, HostView, LookUp};
use crate::clock::{Jump, after};
use crate::error::CrawlError;
use crate::fetch::address::literal;
use crate::fetch::{Fetched, Landing, Whom};
use crate::settings::Settings;
use page::url::CanonicalUrl;
use std::net::IpAddr;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::index::{Index, Key, Short};
use store::table::{Batch, Table};
use store::visit::{Outcome, Time};

/// Jumps of the clock that are remembered: beyond that it is out of order.
const MOST_JUMPS: usize = 16;

/// Where the number of parked hosts is kept. No host name has a `#`.
const N_PARKED: &[u8] = b"#parked";

pub(super) struct Clocks {
    settings: Settings,
    crashed: Option<Time>,
    /// The clock was set; what was noted before is carried over when it is read.
    jumps: Vec<Jump>,
    look_up: LookUp,
    hosts: Recent<Box<str>, HostClock>,
    machines: Recent<IpAddr, MachineClock>,
    changed_hosts: Vec<Box<str>>,
    changed_machines: Vec<IpAddr>,
    n_parked: u64,
    index: Index,
    table: Table,
}

impl Clocks {
    pub(super) fn open(
        dir: &CrawlDir,
        settings: &Settings,
        crashed: Option<Time>,
        look_up: LookUp,
        room: usize,
    ) -> Result<Clocks, CrawlError> {
        let table = dir.table("ill-hosts")?;
        let n_parked = table.get(N_PARKED)?.and_then(|bytes| number(&bytes));
        Ok(Clocks {
            settings: settings.clone(),
            crashed,
            jumps: Vec::new(),
            look_up,
            hosts: Recent::with_room(room),
            machines: Recent::with_room(room),
            changed_hosts: Vec::new(),
            changed_machines: Vec::new(),
            n_parked: n_parked.unwrap_or(0),
            index: dir.index("hosts")?,
            table,
        })
    }

    /// Whether the URL's host may be asked now, or when to ask again.
    pub(super) fn readiness(
        &mut self,
        url: &CanonicalUrl,
        now: Time,
    ) -> Result<Readiness, CrawlError> {
        self.load_host(url, now)?;
        let host = self.hosts.get_mut(url.host()).expect("loaded above");
        if host.memory.is_one_port_too_many(url.port()) {
            return Ok(Readiness::Never(Outcome::BadPort));
        }
        if host.is_leased {
            let wait = host.memory.wait(&self.settings, url.origin()).max(LEASE);
            return Ok(Readiness::NotBefore(after(now, wait)));
        }
        let readiness = host.memory.readiness(url.origin(), now);
        if !matches!(readiness, Readiness::Free) {
            return Ok(readiness);
        }
        if let Some(time) = host.seek(|| (self.look_up)(url), now) {
            return Ok(Readiness::Sought(time));
        }
        let Some(address) = host.choice().or(host.memory.machine) else {
            return Ok(Readiness::Free);
        };
        self.load_machine(address, now)?;
        let machine = self.machines.get_mut(&address).expect("loaded above");
        if machine.is_free(&self.settings, now) {
            return Ok(Readiness::Free);
        }
        let domain = domain_key(url.registrable_domain());
        let refusal = machine.refusal(&self.settings, address, domain, now);
        if refusal.is_some() && !std::mem::replace(&mut machine.is_unsaved, true) {
            self.changed_machines.push(address);
        }
        Ok(refusal.map_or(Readiness::Free, Readiness::NotBefore))
    }

    /// Whether a host is known to answer.
    pub(super) fn acquaintance(
        &mut self,
        url: &CanonicalUrl,
        now: Time,
    ) -> Result<Acquaintance, CrawlError> {
        self.load_host(url, now)?;
        let host = self.hosts.peek(url.host()).expect("loaded above");
        Ok(host.memory.acquaintance(url.origin()))
    }

    /// What a landing means where nothing is to be repeated.
    pub(super) fn aftermath(&self, url: &CanonicalUrl, free_at: Time) -> Aftermath {
        let host = self.hosts.peek(url.host()).expect(ASKED_FIRST);
        Aftermath {
            free_at,
            is_to_be_repeated: false,
            acquaintance: host.memory.acquaintance(url.origin()),
        }
    }

    /// Who may be connected to for a URL whose host is leased.
    pub(super) fn whom(&self, url: &CanonicalUrl) -> Whom {
        let host = self.hosts.peek(url.host());
        let found = host.filter(|host| host.is_found());
        let leased = found.and_then(|host| host.leased_machine);
        leased.map_or(Whom::Nobody, Whom::Only)
    }

    /// Leases a host found free. From here on the request counts, even if
    /// nobody ever hears of its landing.
    pub(super) fn lease(&mut self, url: &CanonicalUrl, now: Time) {
        let host = self.leased(url);
        if host.is_leased {
            return;
        }
        host.is_leased = true;
        host.leased_machine = host.choice().or(host.memory.machine);
        let machine = host.leased_machine;
        self.change(url, |host, settings| {
            host.asked(settings, url.origin(), now);
            host.asked_at(url.port());
        });
        if let Some(address) = machine {
            let machine = self.count(address, now);
            machine.n_leases += 1;
            if machine.has_queue() {
                machine.had_turn(domain_key(url.registrable_domain()));
            }
        }
    }

    /// Ends the lease of the host that answered, and counts from now.
    pub(super) fn landed(
        &mut self,
        url: &CanonicalUrl,
        landing: &Landing,
        bearing: Bearing,
        now: Time,
    ) -> Aftermath {
        let host = self.leased(url);
        let known = host.leased_machine.or(host.memory.machine);
        let has_other = host.has_other(landing);
        self.end_lease(url);
        // One address out of several says nothing about the host.
        let bearing = match has_other {
            true => Bearing::Unclear,
            false => bearing,
        };
        let answered_from = landing.server.filter(|server| known != Some(*server));
        for address in known.into_iter().chain(answered_from) {
            self.count(address, now);
        }
        let free_at = self.change(url, |host, settings| {
            // A proxy does not say who answered, but an address is nobody else's.
            let itself = || literal(url.host());
            host.machine = landing.server.or(host.machine).or_else(itself);
            if !has_other {
                host.took(landing, now);
            }
            host.heard(settings, url.origin(), bearing, now);
        });
        Aftermath {
            is_to_be_repeated: has_other || matches!(landing.fetched, Fetched::Again(_)),
            ..self.aftermath(url, free_at)
        }
    }

    /// Hears of a host that was not asked itself.
    pub(super) fn heard_of(&mut self, url: &CanonicalUrl, bearing: Bearing, now: Time) {
        self.change(url, |host, settings| {
            host.heard_of(settings, url.origin(), bearing, now);
        });
    }

    /// Hears that a host's rules ask for a longer delay; returns when it is free.
    pub(super) fn slow_down(
        &mut self,
        url: &CanonicalUrl,
        crawl_delay: Duration,
        now: Time,
    ) -> Time {
        self.change(url, |host, _| host.slow_down(crawl_delay, now))
    }

    /// Ends a lease without counting again; returns when the host is free.
    pub(super) fn end_lease(&mut self, url: &CanonicalUrl) -> Time {
        let host = self.leased(url);
        host.is_leased = false;
        let free_at = host.memory.free_at(url.origin());
        if let Some(machine) = host.leased_machine.take()
            && let Some(machine) = self.machines.get_mut(&machine)
        {
            machine.n_leases = machine.n_leases.saturating_sub(1);
        }
        free_at
    }

    /// How often in a row the URL's origin has failed.
    pub(super) fn n_failures(&self, url: &CanonicalUrl) -> u32 {
        let host = self.hosts.peek(url.host());
        host.map_or(0, |host| host.memory.n_failures(url.origin()))
    }

    /// Origins that are parked or given up, and have not been tried again.
    pub(super) fn n_parked(&self) -> u64 {
        self.n_parked
    }

    /// Hosts and machines in memory.
    #[cfg(test)]
    pub(super) fn n_in_memory(&self) -> [usize; 2] {
        [self.hosts.len(), self.machines.len()]
    }

    /// What is known of a URL's host and origin, where anything is.
    pub(super) fn view(&self, url: &CanonicalUrl) -> Option<HostView> {
        if let Some(host) = self.hosts.peek(url.host()) {
            return Some(host.memory.view(&self.settings, url.origin()));
        }
        let memory = self.host_memory(url.host()).ok().flatten()?;
        Some(memory.view(&self.settings, url.origin()))
    }

    /// Hears that the clock was set: everybody waits as long as before.
    pub(super) fn jumped(&mut self, jump: Jump) {
        for (name, host) in self.hosts.iter_mut() {
            host.memory.carry(|time| jump.carry(time));
            host.search_anew_since(jump.to);
            if !std::mem::replace(&mut host.is_unsaved, true) {
                self.changed_hosts.push(name.clone());
            }
        }
        for (address, machine) in self.machines.iter_mut() {
            machine.memory.carry(|time| jump.carry(time));
            if !std::mem::replace(&mut machine.is_unsaved, true) {
                self.changed_machines.push(*address);
            }
        }
        self.changed_hosts.sort_unstable();
        self.changed_machines.sort_unstable();
        if self.jumps.len() == MOST_JUMPS {
            self.jumps.remove(0);
        }
        self.jumps.push(jump);
    }

    /// Writes the clocks that have moved since the last commit.
    pub(super) fn save(&mut self, batch: &mut Batch) {
        for name in std::mem::take(&mut self.changed_hosts) {
            if let Some(host) = self.hosts.get_mut(&name) {
                host.is_unsaved = false;
                let brief = host.memory.brief();
                batch.note(&self.index, brief::key(&name), brief.unwrap_or_default());
                if brief.is_none() {
                    let row = postcard::to_stdvec(&host.memory).expect("plain data always encodes");
                    batch.put(&self.table, name.as_bytes(), &row);
                }
            }
        }
        for address in std::mem::take(&mut self.changed_machines) {
            if let Some(machine) = self.machines.get_mut(&address) {
                machine.is_unsaved = false;
                let row = postcard::to_stdvec(&machine.memory).expect("plain data always encodes");
                let is_short = row.len() <= Short::MOST;
                let brief = if is_short { &row[..] } else { &[] };
                batch.note(&self.index, machine_key(address), Short::of(&[brief]));
                if !is_short {
                    batch.put(&self.table, machine_name(address).as_bytes(), &row);
                }
            }
        }
        batch.put(&self.table, N_PARKED, &self.n_parked.to_be_bytes());
    }

    /// Changes what is remembered of a host; returns when the origin is free.
    fn change(
        &mut self,
        url: &CanonicalUrl,
        change: impl FnOnce(&mut HostMemory, &Settings),
    ) -> Time {
        let host = self.hosts.get_mut(url.host()).expect(ASKED_FIRST);
        let n_parked = host.memory.n_parked();
        change(&mut host.memory, &self.settings);
        self.n_parked = (self.n_parked + host.memory.n_parked()).saturating_sub(n_parked);
        if !host.is_unsaved {
            host.is_unsaved = true;
            self.changed_hosts.push(url.host().into());
        }
        host.memory.free_at(url.origin())
    }

    /// Counts a request to a machine.
    fn count(&mut self, address: IpAddr, now: Time) -> &mut MachineClock {
        // One that is not in memory has nothing to tell: it was last asked
        // longer ago than this very moment.
        if self.machines.get_mut(&address).is_none() {
            self.machines.insert(address, MachineClock::default());
        }
        let machine = self.machines.get_mut(&address).expect("inserted above");
        machine.count(&self.settings, address, now);
        if !std::mem::replace(&mut machine.is_unsaved, true) {
            self.changed_machines.push(address);
        }
        machine
    }

    fn leased(&mut self, url: &CanonicalUrl) -> &mut HostClock {
        self.hosts.get_mut(url.host()).expect(ASKED_FIRST)
    }

    fn load_host(&mut self, url: &CanonicalUrl, now: Time) -> Result<(), CrawlError> {
        if self.hosts.get_mut(url.host()).is_some() {
            return Ok(());
        }
        let mut memory = self.host_memory(url.host())?.unwrap_or_default();
        for jump in &self.jumps {
            memory.carry(|time| jump.carry_old(time));
        }
        if let Some(crashed) = self.crashed {
            memory.survived(&self.settings, crashed.min(now));
        }
        memory.clamp(&self.settings, now);
        let host = HostClock::of(memory);
        self.hosts.insert(url.host().into(), host);
        Ok(())
    }

    /// What is kept of a host.
    fn host_memory(&self, host: &str) -> Result<Option<HostMemory>, CrawlError> {
        let Some(brief) = self.index.get(brief::key(host))? else {
            return Ok(None);
        };
        if let Some(memory) = HostMemory::from_brief(brief.as_slice()) {
            return Ok(Some(memory));
        }
        let row = self.table.get(host.as_bytes())?;
        Ok(row.and_then(|bytes| postcard::from_bytes(&bytes).ok()))
    }

    fn load_machine(&mut self, address: IpAddr, now: Time) -> Result<(), CrawlError> {
        if self.machines.get_mut(&address).is_none() {
            let row = match self.index.get(machine_key(address))? {
                Some(brief) if brief.as_slice().is_empty() => {
                    self.table.get(machine_name(address).as_bytes())?
                }
                brief => brief.map(|brief| brief.as_slice().to_vec()),
            };
            let mut memory: MachineMemory = row
                .and_then(|row| postcard::from_bytes(&row).ok())
                .unwrap_or_default();
            for jump in &self.jumps {
                memory.carry(|time| jump.carry_old(time));
            }
            if let Some(crashed) = self.crashed {
                let free_at = after(crashed.min(now), self.settings.server_delay_at(address)).0;
                memory.free_at = memory.free_at.max(free_at);
            }
            memory.clamp(&self.settings, now);
            self.machines.insert(address, MachineClock::of(memory));
        }
        Ok(())
    }
}

/// A host is asked about before it is leased, and kept until what came of it is saved.
const ASKED_FIRST: &str = "a host is asked about before anything is heard of it";

fn machine_key(address: IpAddr) -> Key {
    brief::key(&machine_name(address))
}

/// No host name has an `@`.
fn machine_name(address: IpAddr) -> String {
    format!("@{address}")
}

fn number(bytes: &[u8]) -> Option<u64> {
    Some(u64::from_be_bytes(bytes.try_into().ok()?))
}
