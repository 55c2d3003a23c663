//! What requests are answered from: the index as of a moment ago, and how the crawl stands.
//!
//! A thread of its own brings the index up to date and then shows a new view
//! of it. Whoever is asking keeps the view they have, so nobody waits for an
//! update.

use super::failure::Failure;
use crate::commands::status::Lookout;
use crate::message;
use place::gazetteer::Gazetteer;
use place::geoparse::Geoparser;
use search::ask::Ask;
use search::index::Index;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::sync::{Arc, LazyLock, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// Requests that are worked on at once; more are turned away.
const MOST_AT_ONCE: usize = 64;

/// How often it is looked for new visits.
const LOOK_EVERY: Duration = Duration::from_secs(3);

/// Made once, while nobody waits for it.
static GEOPARSER: LazyLock<Geoparser<'static>> =
    LazyLock::new(|| Geoparser::new(Gazetteer::built_in()));

/// Where requests are worked on.
pub(super) struct Desk {
    shown: RwLock<Arc<Index>>,
    crawl: RwLock<Arc<Value>>,
    seats: Arc<Semaphore>,
    /// One for each core: what is found in a text takes many times its room.
    hands: Arc<Semaphore>,
}

impl Desk {
    pub(super) fn new(shown: Index, crawl: Value) -> Desk {
        // The first question makes what reads questions: better now.
        let _ = shown.ask(&Ask::default());
        Desk {
            shown: RwLock::new(Arc::new(shown)),
            crawl: RwLock::new(Arc::new(crawl)),
            seats: Arc::new(Semaphore::new(MOST_AT_ONCE)),
            hands: Arc::new(Semaphore::new(n_cores())),
        }
    }

    /// The index as it was last shown.
    pub(super) fn index(&self) -> Arc<Index> {
        read(&self.shown)
    }

    /// How the crawl stands.
    pub(super) fn crawl(&self) -> Arc<Value> {
        read(&self.crawl)
    }

    pub(super) fn geoparser(&self) -> &Geoparser<'static> {
        &GEOPARSER
    }

    /// Works on a thread that may block, if there is a seat left. The seat is
    /// taken until the work is done, also when nobody waits for it any more.
    pub(super) async fn work<T: Send + 'static>(
        self: Arc<Desk>,
        work: impl FnOnce(&Desk) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let seat = self.seat()?;
        self.work_with(seat, work).await
    }

    /// The same for work that takes much time and memory: as many at once as
    /// there are cores, while others wait in their seats.
    pub(super) async fn work_hard<T: Send + 'static>(
        self: Arc<Desk>,
        work: impl FnOnce(&Desk) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let seat = self.seat()?;
        let hand = Arc::clone(&self.hands).acquire_owned().await;
        let hand = hand.map_err(|_| Failure::busy())?;
        self.work_with((seat, hand), work).await
    }

    fn seat(&self) -> Result<OwnedSemaphorePermit, Failure> {
        let seats = Arc::clone(&self.seats);
        seats.try_acquire_owned().map_err(|_| Failure::busy())
    }

    async fn work_with<T: Send + 'static>(
        self: Arc<Desk>,
        held: impl Send + 'static,
        work: impl FnOnce(&Desk) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let done = tokio::task::spawn_blocking(move || {
            let _held = held;
            work(&self)
        });
        let failed = |_| Err(Failure::ours("this request met a mistake in locavore"));
        done.await.unwrap_or_else(failed)
    }
}

fn n_cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Brings a desk up to date while it is in use.
pub(super) struct Updater {
    pub(super) dir: PathBuf,
    pub(super) desk: Arc<Desk>,
    pub(super) index: Index,
    pub(super) lookout: Lookout,
}

impl Updater {
    /// Looks again and again, until the other end of `stop` is gone.
    pub(super) fn run(mut self, stop: &Receiver<()>) {
        // Takes seconds on a small machine, which the first text need not wait.
        LazyLock::force(&GEOPARSER);
        let mut is_well = true;
        while stop.recv_timeout(LOOK_EVERY) == Err(RecvTimeoutError::Timeout) {
            let was_well = is_well;
            let mut result = self.look();
            if let Err(error) = &result {
                if was_well {
                    message::warning(format!("the index cannot be brought up to date: {error}"));
                }
                is_well = false;
                result = self.mend();
            }
            match &result {
                Ok(()) if !is_well => message::info("answers are brought up to date again"),
                Err(error) if was_well => {
                    message::warning(format!("answers stay as they are until then: {error}"));
                }
                _ => {}
            }
            is_well = result.is_ok();
        }
    }

    fn look(&mut self) -> anyhow::Result<()> {
        self.index.update(&self.dir)?;
        let view = self.index.view()?;
        // Fewer: another process builds the index anew.
        if view.n_visits() > self.desk.index().n_visits() {
            write(&self.desk.shown, view);
        }
        write(&self.desk.crawl, self.lookout.look()?);
        Ok(())
    }

    /// An index that was deleted or damaged while it was open is opened again,
    /// or built: all of it is in the log and the archive.
    fn mend(&mut self) -> anyhow::Result<()> {
        self.index = Index::open_or_build(&self.dir, &mut |_| {})?;
        write(&self.desk.shown, self.index.view()?);
        write(&self.desk.crawl, self.lookout.look()?);
        Ok(())
    }
}

/// Locks are held to copy or replace a pointer, which leaves nothing half done.
fn read<T>(shared: &RwLock<Arc<T>>) -> Arc<T> {
    Arc::clone(&shared.read().unwrap_or_else(PoisonError::into_inner))
}

fn write<T>(shared: &RwLock<Arc<T>>, value: T) {
    *shared.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(value);
}
