//! A network thread and what it is asked to do.
//!
//! Every host belongs to one thread, with its connections: nothing is stolen
//! or shared while a page is fetched, and no thread wakes another.

use super::HttpError;
use super::exchange::Exchanger;
use super::pool::IDLE;
use crate::fetch::{Fetched, Landing, Reply, Request};
use page::url::CanonicalUrl;
use std::net::IpAddr;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::time::{MissedTickBehavior, interval, sleep};

/// How long a fetch that was cut off waits before it is tried anew, at first.
const FIRST_NAP: Duration = Duration::from_millis(500);

/// The same after a while.
const LONGEST_NAP: Duration = Duration::from_secs(10);

/// Something for a network thread to do.
pub(super) enum Job {
    Fetch(Request, Call),
    LookUp(CanonicalUrl),
}

/// A network thread. It ends when this is dropped, and with it all it does.
pub(super) struct Lane {
    jobs: UnboundedSender<Job>,
}

impl Lane {
    /// Starts the thread; `build` makes what its exchanges share, on the thread.
    pub(super) fn start(
        name: &str,
        build: impl FnOnce() -> Exchanger + Send + 'static,
    ) -> Result<Lane, HttpError> {
        let runtime = runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(HttpError::Threads)?;
        let (jobs, asked) = unbounded_channel();
        thread::Builder::new()
            .name(name.to_owned())
            .spawn(move || {
                runtime.block_on(async { work(asked, Arc::new(build())).await });
                // Whatever is under way is dropped, and answers as it goes.
                runtime.shutdown_background();
            })
            .map_err(HttpError::Threads)?;
        Ok(Lane { jobs })
    }

    /// Hands over a job; one that comes too late is dropped, and answers.
    pub(super) fn hand(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}

async fn work(mut jobs: UnboundedReceiver<Job>, exchanger: Arc<Exchanger>) {
    let mut ticks = interval(IDLE / 2);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            job = jobs.recv() => match job {
                Some(job) => begin(job, Arc::clone(&exchanger)),
                None => return,
            },
            _ = ticks.tick() => exchanger.pool().sweep(),
        }
    }
}

fn begin(job: Job, exchanger: Arc<Exchanger>) {
    match job {
        Job::Fetch(request, call) => {
            tokio::spawn(async move { exchange(&exchanger, &request, call).await });
        }
        Job::LookUp(url) => {
            tokio::spawn(async move { exchanger.connector.resolve_ahead(&url).await });
        }
    }
}

/// Makes one exchange; anew, as long as the machine itself is cut off or has
/// no descriptor left.
async fn exchange(exchanger: &Exchanger, request: &Request, mut call: Call) {
    let mut nap = FIRST_NAP;
    loop {
        let berth = exchanger.sockets.exchange().await;
        call.start = Instant::now();
        if let Ok((fetched, server)) = exchanger.exchange_in_time(request).await {
            let is_cut_off = matches!(fetched, Fetched::Offline(_));
            if !is_cut_off || !exchanger.connector.is_patient() {
                return call.answer(fetched, server);
            }
        }
        drop(berth);
        sleep(nap).await;
        nap = (2 * nap).min(LONGEST_NAP);
    }
}

/// The caller's wait for one landing. Dropped unanswered, because the task
/// was cancelled or broke, it still answers.
pub(super) struct Call {
    reply: Option<Reply>,
    start: Instant,
}

impl Call {
    pub(super) fn new(reply: Reply) -> Call {
        Call {
            reply: Some(reply),
            start: Instant::now(),
        }
    }

    fn answer(mut self, fetched: Fetched, server: Option<IpAddr>) {
        self.land(fetched, server);
    }

    fn land(&mut self, fetched: Fetched, server: Option<IpAddr>) {
        if let Some(reply) = self.reply.take() {
            reply(Landing {
                fetched,
                server,
                took: self.start.elapsed(),
                recorded: None,
            });
        }
    }
}

impl Drop for Call {
    fn drop(&mut self) {
        self.land(Fetched::Unreachable("fetch given up".to_owned()), None);
    }
}
