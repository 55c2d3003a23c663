//! How many sockets are open at once, out of what the system grants.
//!
//! A page may name a thousand hosts whose name servers are silent, and every
//! question to one takes descriptors for seconds. Were there no limit, the
//! next file of the archive could not be opened, and the crawl would end. So
//! a share is left for files, and whoever finds the rest taken waits.

use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use std::io;
use tokio::sync::{Semaphore, SemaphorePermit};

/// Descriptors left for the archive, the log and the tables: a quarter of all,
/// within these bounds.
const FEWEST_FILES: u64 = 64;
const MOST_FILES: u64 = 1024;

/// More sockets than this are of no use to any crawl.
const MOST_SOCKETS: u64 = 8192;

/// Descriptors that one look-up holds at worst: questions for two kinds of
/// addresses, to two name servers at once, each repeated twice.
const SOCKETS_OF_LOOK_UP: u64 = 12;

/// Name servers do not like to hear of more names at once.
const MOST_LOOK_UPS: u64 = 256;

/// Descriptors where the system sets no limit.
const UNLIMITED: u64 = 1 << 20;

/// What may be open at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budget {
    /// Descriptors of all kinds that the system grants this process.
    pub n_descriptors: u64,
    /// Exchanges with servers.
    pub n_exchanges: usize,
    /// Connections kept for a server's next page.
    pub n_idle: usize,
    /// Names that are being looked up.
    pub n_look_ups: usize,
}

impl Budget {
    /// Asks the system for as many descriptors as it gives, and shares them out.
    pub fn of_process() -> Budget {
        let limit = getrlimit(Resource::Nofile);
        let raised = Rlimit {
            current: limit.maximum.or(Some(UNLIMITED)),
            maximum: limit.maximum,
        };
        // Some systems promise more than they give; then all stays as it was.
        let granted = match setrlimit(Resource::Nofile, raised) {
            Ok(()) => raised.current,
            Err(_) => limit.current,
        };
        Budget::of(granted.unwrap_or(UNLIMITED))
    }

    /// Shares out what the system grants.
    fn of(n_descriptors: u64) -> Budget {
        let n_files = (n_descriptors / 4).clamp(FEWEST_FILES, MOST_FILES);
        let n_sockets = n_descriptors.saturating_sub(n_files).min(MOST_SOCKETS);
        let third = n_sockets / 3;
        let n_look_ups = (third / SOCKETS_OF_LOOK_UP).clamp(1, MOST_LOOK_UPS);
        Budget {
            n_descriptors,
            n_exchanges: third.max(1) as usize,
            n_idle: third as usize,
            n_look_ups: n_look_ups as usize,
        }
    }
}

impl Default for Budget {
    /// Asks the system for no more than it has given.
    fn default() -> Budget {
        let limit = getrlimit(Resource::Nofile);
        Budget::of(limit.current.unwrap_or(UNLIMITED))
    }
}

/// The sockets of all network threads.
pub(super) struct Sockets {
    pub(super) budget: Budget,
    exchanges: Semaphore,
    look_ups: Semaphore,
}

impl Sockets {
    pub(super) fn new(budget: Budget) -> Sockets {
        Sockets {
            budget,
            exchanges: Semaphore::new(budget.n_exchanges),
            look_ups: Semaphore::new(budget.n_look_ups),
        }
    }

    /// Waits until one more exchange may be made, which is over when this is dropped.
    pub(super) async fn exchange(&self) -> SemaphorePermit<'_> {
        self.exchanges.acquire().await.expect(NEVER_CLOSED)
    }

    /// Waits until one more name may be looked up.
    pub(super) async fn look_up(&self) -> SemaphorePermit<'_> {
        self.look_ups.acquire().await.expect(NEVER_CLOSED)
    }
}

const NEVER_CLOSED: &str = "a budget is never closed";

/// No descriptor is left, here or in the whole system: no fault of the host
/// or the network. Passes by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Crowded;

impl Crowded {
    /// Whether this is why something failed.
    pub(super) fn explains(error: &io::Error) -> bool {
        matches!(
            Errno::from_io_error(error),
            Some(Errno::MFILE | Errno::NFILE)
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_leave_room_for_files() {
        let shares = [16, 64, 256, 1024, 4096, 20_000, UNLIMITED].map(|n_descriptors| {
            let budget = Budget::of(n_descriptors);
            let n_names = budget.n_look_ups as u64 * SOCKETS_OF_LOOK_UP;
            let n_sockets = budget.n_exchanges as u64 + budget.n_idle as u64 + n_names;
            if n_descriptors >= 256 {
                assert!(n_sockets + n_descriptors.min(4096) / 4 <= n_descriptors);
            }
            (budget.n_exchanges, budget.n_look_ups)
        });
        assert_eq!(
            shares,
            [
                (1, 1),
                (1, 1),
                (64, 5),
                (256, 21),
                (1024, 85),
                (2730, 227),
                (2730, 227)
            ]
        );
    }

    #[test]
    fn only_a_lack_of_descriptors_is_our_own_affair() {
        let explained = [is_explained(24), is_explained(23), is_explained(111)];
        assert_eq!(explained, [true, true, false]);
    }

    /// By the numbers that Linux and others have for it.
    fn is_explained(number: i32) -> bool {
        Crowded::explains(&io::Error::from_raw_os_error(number))
    }
}
