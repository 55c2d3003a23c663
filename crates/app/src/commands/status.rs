//! `locavore status`: where a crawl stands and why it stopped.
//!
//! Outcomes, refusals and hosts are counted from the visit log; what waits is
//! known from the note that a running crawl keeps up to date.

mod disk;
mod hosts;
mod view;

use super::report::{inspect, visits};
use crate::cli::StatusArgs;
use crate::output::{json_line, json_lines, stream};
use crate::plan::Plan;
use crate::progress::watch;
use crate::screen;
use crate::session::STATE_NOTE;
use crate::snapshot::{self, Snapshot};
use crate::tally::Tally;
use disk::Disk;
use hosts::Hosts;
use serde::Deserialize;
use serde_json::Value;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use store::crawl_dir::{self, VisitReader};
use store::note;
use store::visit::{PageCount, Visit};

/// How often `--watch` looks again.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// All there is to say about a crawl.
struct Status {
    plan: Plan,
    state: State,
    /// What its process last said about itself.
    snapshot: Option<Snapshot>,
    tally: Tally,
    /// Pages and geo pages of each node, from the log.
    nodes: Vec<PageCount>,
    hosts: Hosts,
    disk: Disk,
}

/// What a crawl is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum State {
    Running,
    Stopped {
        reason: String,
    },
    /// It stopped without a word.
    Killed,
}

#[derive(Deserialize)]
struct StateNote {
    reason: Option<String>,
}

/// Looks at one crawl again and again, each time counting only what is new.
pub(crate) struct Lookout {
    dir: PathBuf,
    reader: VisitReader,
    status: Status,
}

impl Lookout {
    pub(crate) fn open(dir: &Path) -> anyhow::Result<Lookout> {
        Ok(Lookout {
            reader: visits(dir)?,
            status: Status::open(dir)?,
            dir: dir.to_path_buf(),
        })
    }

    /// How the crawl stands now, as `status --json` tells it.
    pub(crate) fn look(&mut self) -> anyhow::Result<Value> {
        self.status.look(&self.dir, &mut self.reader)?;
        Ok(self.status.as_json())
    }
}

pub(crate) fn run(args: &StatusArgs) -> anyhow::Result<ExitCode> {
    let mut reader = visits(&args.dir)?;
    let mut status = Status::open(&args.dir)?;
    loop {
        status.look(&args.dir, &mut reader)?;
        let text = match (args.json, args.watch) {
            // One look, one line: whoever reads them need not find the end.
            (true, true) => json_line(&status.as_json())?,
            (true, false) => json_lines(&status.as_json())?,
            (false, _) => screen::fit(&status.render(&args.dir)),
        };
        let is_last = !args.watch || status.state != State::Running;
        let flow = stream(&view::page(&text, args.watch && !args.json))?;
        if is_last || flow == ControlFlow::Break(()) {
            return Ok(inspect(&reader).exit_code());
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

impl Status {
    fn open(dir: &Path) -> anyhow::Result<Status> {
        let plan = Plan::from_text(&crawl_dir::read_settings(dir)?)?;
        Ok(Status {
            nodes: vec![PageCount::default(); plan.nodes],
            plan,
            state: State::Killed,
            snapshot: None,
            tally: Tally::default(),
            hosts: Hosts::default(),
            disk: Disk::default(),
        })
    }

    /// Counts the visits that are new since the last look.
    fn look(&mut self, dir: &Path, reader: &mut VisitReader) -> anyhow::Result<()> {
        self.state = state(dir)?;
        for visit in watch("visit", reader.by_ref()) {
            self.add(&visit);
        }
        let note = note::read(dir, snapshot::NOTE)?;
        // A note that makes no sense is as good as none.
        self.snapshot = note.and_then(|text| serde_json::from_str(&text).ok());
        if self.state != State::Running
            && let Some(snapshot) = &mut self.snapshot
        {
            // Whatever was in the air at its last word came down unheard.
            for node in &mut snapshot.nodes {
                node.flights = 0;
            }
        }
        self.disk = Disk::look(dir)?;
        Ok(())
    }

    fn add(&mut self, visit: &Visit) {
        self.tally.add(visit);
        self.hosts.add(visit);
        if let Some(pages) = self.nodes.get_mut(usize::from(visit.node)) {
            pages.add(visit);
        }
    }
}

/// Running, stopped for a reason, or dead.
pub(crate) fn state(dir: &Path) -> anyhow::Result<State> {
    if crawl_dir::is_in_use(dir)? {
        return Ok(State::Running);
    }
    let note = note::read(dir, STATE_NOTE)?;
    let note: Option<StateNote> = note.and_then(|text| serde_json::from_str(&text).ok());
    Ok(match note.and_then(|note| note.reason) {
        Some(reason) => State::Stopped { reason },
        None => State::Killed,
    })
}
