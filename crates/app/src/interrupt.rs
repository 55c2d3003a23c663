//! What ends a command from outside: Ctrl-C, a supervisor, or that nobody
//! reads what it says any more.
//!
//! A reader that leaves is noticed when it leaves, not at the next word: a
//! crawl may say nothing for an hour. Commands that have something to bring to
//! an end ask for a word here; all others are ended where they stand.

use crate::message;
use anyhow::Context;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FileType, fstat};
use std::future::Future;
use std::io::{stderr, stdout};
use std::os::fd::{AsFd, BorrowedFd};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

/// Two signals closer than this are one.
const SECOND_THOUGHT: Duration = Duration::from_millis(500);

/// Exit code of a command that was told twice to stop, as shells have it.
const INTERRUPTED: i32 = 130;

/// Exit code of a command that was cut short because nobody reads it, as
/// shells have it.
const UNREAD: i32 = 141;

/// So long a command without an end of its own may go on for nobody: one that
/// has said everything is about to exit, with a code of its own.
const LAST_BREATH: Duration = Duration::from_secs(1);

/// Called when the command should come to its end.
type Ending = Box<dyn FnMut() + Send>;

static ENDING: Mutex<Option<Ending>> = Mutex::new(None);

static IS_SIGNALLED: AtomicBool = AtomicBool::new(false);

static IS_UNREAD: AtomicBool = AtomicBool::new(false);

/// Begins to watch those who read standard output and standard error. Files
/// and terminals are not watched: nobody leaves them.
pub(crate) fn watch_readers() {
    if !is_pipe(stdout().as_fd()) && !is_pipe(stderr().as_fd()) {
        return;
    }
    let watch = || {
        if wait_until_unread().is_ok() {
            IS_UNREAD.store(true, Ordering::SeqCst);
            if !tell() {
                std::thread::sleep(LAST_BREATH);
                if !tell() {
                    std::process::exit(UNREAD);
                }
            }
        }
    };
    if let Err(error) = Builder::new().name("readers".into()).spawn(watch) {
        tracing::debug!(%error, "nobody watches the readers");
    }
}

/// Whether a reader left, and nobody asked for an end in another way. In a
/// pipeline Ctrl-C takes the reader, too.
pub(crate) fn is_unread() -> bool {
    IS_UNREAD.load(Ordering::SeqCst) && !IS_SIGNALLED.load(Ordering::SeqCst)
}

/// Whether what is written to standard output now may find a reader.
pub(crate) fn is_stdout_read() -> bool {
    let stdout = stdout();
    !is_pipe(stdout.as_fd()) || !matches!(hung_up(&[stdout.as_fd()], Some(&NOW)), Ok(true))
}

/// Becomes true when the command should end. The first Ctrl-C ends it cleanly,
/// a later one at once.
pub(crate) fn flag() -> anyhow::Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    let seen = stop.clone();
    on_end(move || seen.store(true, Ordering::Relaxed))?;
    Ok(stop)
}

/// Is ready when the command should end.
pub(crate) fn asked() -> anyhow::Result<impl Future<Output = ()>> {
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let mut stop = Some(stop);
    on_end(move || {
        if let Some(stop) = stop.take() {
            let _ = stop.send(());
        }
    })?;
    Ok(async {
        let _ = stopped.await;
    })
}

/// Why a command that came to its end was asked to.
pub(crate) fn reason() -> &'static str {
    match is_unread() {
        true => "nobody reads what it says any more",
        false => "interrupted",
    }
}

fn on_end(ending: impl FnMut() + Send + 'static) -> anyhow::Result<()> {
    *lock() = Some(Box::new(ending));
    if IS_UNREAD.load(Ordering::SeqCst) {
        tell();
    }
    let mut first: Option<Instant> = None;
    ctrlc::set_handler(move || {
        IS_SIGNALLED.store(true, Ordering::SeqCst);
        tell();
        // Shells and supervisors often signal a process and its group: twice at once.
        let is_repeated = first.get_or_insert_with(Instant::now).elapsed() > SECOND_THOUGHT;
        if is_repeated {
            message::show_cursor();
            std::process::exit(INTERRUPTED);
        }
    })
    .context("cannot listen for Ctrl-C")
}

/// Asks the command to end; false if it has no way to.
fn tell() -> bool {
    lock().as_mut().map(|ending| ending()).is_some()
}

fn lock() -> MutexGuard<'static, Option<Ending>> {
    ENDING.lock().unwrap_or_else(PoisonError::into_inner)
}

const NOW: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 0,
};

/// Returns when one of the two has lost its reader.
fn wait_until_unread() -> rustix::io::Result<()> {
    let (stdout, stderr) = (stdout(), stderr());
    let both = [stdout.as_fd(), stderr.as_fd()];
    let pipes: Vec<BorrowedFd<'_>> = both.into_iter().filter(|fd| is_pipe(*fd)).collect();
    while !hung_up(&pipes, None)? {}
    Ok(())
}

/// Whether one of some pipes has lost its reader, after waiting for that.
fn hung_up(pipes: &[BorrowedFd<'_>], patience: Option<&Timespec>) -> rustix::io::Result<bool> {
    // Asked for nothing, it tells of errors and of nothing else.
    let watched = pipes
        .iter()
        .map(|pipe| PollFd::new(pipe, PollFlags::empty()));
    let mut watched: Vec<PollFd<'_>> = watched.collect();
    match poll(&mut watched, patience) {
        Ok(_) | Err(rustix::io::Errno::INTR) => {}
        Err(error) => return Err(error),
    }
    let is_left = |fd: &PollFd<'_>| fd.revents().intersects(PollFlags::ERR | PollFlags::HUP);
    Ok(watched.iter().any(is_left))
}

/// Whether somebody else reads it, who may leave.
pub(crate) fn is_pipe(fd: BorrowedFd<'_>) -> bool {
    let kind = fstat(fd).map(|stat| FileType::from_raw_mode(stat.st_mode));
    matches!(kind, Ok(FileType::Fifo | FileType::Socket))
}
