//! Whether this machine itself is cut off, which says nothing about any host.
//!
//! Fetches that fail for it wait in the air and are sent off anew: nothing
//! goes on record, no host is blamed, and the crawl goes on by itself.

use super::budget::Crowded;
use super::dns::Finding;
use crate::fetch::Outage;
use std::io;
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Questions in a row that nobody answered, before it is worth finding out
/// whether that is for all questions or for those of some domains.
const MOST_UNANSWERED: u32 = 3;

/// What fetches have found out about it, on all network threads.
#[derive(Debug, Default)]
pub(super) struct Outlook(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    outage: Option<Outage>,
    /// A machine may have no name servers, and reach addresses all the same.
    has_name_servers: bool,
    n_unanswered: u32,
}

impl Outlook {
    /// The outage that lasts, if one does.
    pub(super) fn outage(&self) -> Option<Outage> {
        self.state().outage
    }

    /// Hears what a question to name servers found.
    pub(super) fn heard_of_name(&self, finding: &Finding) {
        match finding {
            Finding::NoAnswer => self.state().n_unanswered += 1,
            Finding::Open(_) | Finding::Private | Finding::NoName => self.name_servers_answer(),
        }
    }

    /// Hears that name servers answer.
    fn name_servers_answer(&self) {
        let mut state = self.state();
        state.n_unanswered = 0;
        state.has_name_servers = true;
        state.end(Outage::NoNameServer);
    }

    /// Hears that somebody was reached.
    pub(super) fn connected(&self) {
        self.state().end(Outage::NoRoute);
    }

    /// The outage because of which nobody could say where a host is, if there
    /// is one; `are_silent` asks name servers what they all know.
    pub(super) async fn explains_silence(
        &self,
        are_silent: impl Future<Output = bool>,
    ) -> Option<Outage> {
        if !has_route() {
            return Some(self.begin(Outage::NoRoute));
        }
        let is_doubtful = {
            let mut state = self.state();
            state.end(Outage::NoRoute);
            state.has_name_servers && state.n_unanswered >= MOST_UNANSWERED
        };
        if !is_doubtful {
            return None;
        }
        if are_silent.await {
            return Some(self.begin(Outage::NoNameServer));
        }
        self.name_servers_answer();
        None
    }

    /// The outage because of which a connection could not be made, if there is one.
    pub(super) fn explains(&self, error: &io::Error) -> Option<Outage> {
        let is_ours = matches!(
            error.kind(),
            io::ErrorKind::NetworkUnreachable | io::ErrorKind::NetworkDown
        );
        // A host may have an address of a kind that leads nowhere from here.
        (is_ours && !has_route()).then(|| self.begin(Outage::NoRoute))
    }

    fn begin(&self, outage: Outage) -> Outage {
        self.state().outage = Some(outage);
        outage
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn end(&mut self, outage: Outage) {
        self.outage = self.outage.filter(|lasting| *lasting != outage);
    }
}

/// Whether the system knows a way to anywhere. Nothing is sent.
fn has_route() -> bool {
    // Addresses of documentation: they take the way that all others take.
    let v4 = SocketAddr::from((Ipv4Addr::new(192, 0, 2, 1), 9));
    let v6 = SocketAddr::from((Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1), 9));
    let leads_there = |here: SocketAddr, there: SocketAddr| {
        let led = UdpSocket::bind(here).and_then(|socket| socket.connect(there));
        // Who has no socket left to try with has learned nothing.
        led.map_or_else(|error| Crowded::explains(&error), |()| true)
    };
    leads_there((Ipv4Addr::UNSPECIFIED, 0).into(), v4)
        || leads_there((Ipv6Addr::UNSPECIFIED, 0).into(), v6)
}
