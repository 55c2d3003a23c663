//! The status of a crawl as text and as JSON.

use super::super::report::node_names;
use super::{State, Status};
use crate::plan::Plan;
use crate::snapshot::{NodeSnapshot, RestingSnapshot, Snapshot, wall_clock};
use crate::table::Table;
use crate::text::{bytes, count, only_failed, percent, span, thousands};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::io::{IsTerminal, stdout};
use std::path::Path;
use std::time::Duration;
use store::visit::{Errand, Time};
use store::warc::date;

/// Hosts shown.
const N_HOSTS: usize = 10;

/// A text as one page of output; while watching, in place of the last one.
pub(super) fn page(text: &str, is_watched: bool) -> String {
    if is_watched && stdout().is_terminal() {
        format!("\x1b[H\x1b[2J{text}\n")
    } else {
        format!("{text}\n")
    }
}

impl State {
    /// The same for all crawls that do the same, for programs.
    fn word(&self) -> &'static str {
        match self {
            State::Running => "running",
            State::Stopped { .. } => "stopped",
            State::Killed => "killed",
        }
    }

    fn describe(&self) -> String {
        match self {
            State::Running => "running".into(),
            State::Stopped { reason } => format!("stopped: {reason}"),
            State::Killed => "stopped without a word: killed, or the machine went down".into(),
        }
    }

    /// The same, in colour where that is seen.
    fn paint(&self) -> String {
        if !stdout().is_terminal() || std::env::var_os("NO_COLOR").is_some() {
            return self.describe();
        }
        let colour = match self {
            State::Running => 32,
            State::Stopped { .. } => 36,
            State::Killed => 33,
        };
        format!("\x1b[1;{colour}m{}\x1b[0m", self.describe())
    }
}

impl Status {
    pub(super) fn as_json(&self) -> Value {
        let (plan, tally) = (&self.plan, &self.tally);
        let reason = match &self.state {
            State::Stopped { reason } => Some(reason),
            State::Running | State::Killed => None,
        };
        let hosts = self.hosts.busiest(N_HOSTS).into_iter();
        let hosts = hosts.map(|(host, counts)| {
            let mut object = json!(counts);
            object["host"] = json!(host);
            object["average_ms"] = json!(counts.average_ms());
            object
        });
        let targets = plan.targets().ok();
        json!({
            "state": self.state.word(),
            "description": self.state.describe(),
            "running": self.state == State::Running,
            "stop_reason": reason,
            "places": plan.places,
            "targets": targets.as_ref().map_or(0, |targets| targets.list().len()),
            "wishes": targets.as_ref().map_or_else(Vec::new, Plan::targets_as_json),
            "assign": plan.assign,
            "order": plan.order,
            "nodes": plan.nodes,
            "goal": plan.pages,
            "visits": tally.n_visits,
            "pages": tally.pages.n_pages,
            "geo_pages": tally.pages.n_geo_pages,
            "bytes": tally.n_bytes,
            "robots_files": tally.n_of(Errand::Robots),
            "sitemaps": tally.n_of(Errand::Sitemap),
            "outcomes": tally.outcomes_of(Errand::Page),
            "refusals": tally.refusals(),
            "retries_planned": tally.n_retries,
            "busiest_hosts": hosts.collect::<Vec<_>>(),
            "hosts_are_exact": self.hosts.is_exact(),
            "resting_hosts": self.resting(),
            "next_try": self.next_try().map(date),
            "disk": self.disk,
            "progress": self.snapshot,
            "last_page": tally.last_url,
        })
    }

    pub(super) fn render(&self, dir: &Path) -> String {
        let mut text = self.head(dir);
        let mut add = |part: String| {
            if !part.is_empty() {
                text.push('\n');
                text.push_str(&part);
            }
        };
        add(self.node_table());
        add(counts(
            "outcome",
            "tickets",
            &self.tally.outcomes_of(Errand::Page),
        ));
        add(counts("link not followed", "links", &self.tally.refusals()));
        add(self.host_table());
        add(self.resting_table());
        add(self.disk_line());
        text.trim_end().to_owned()
    }

    fn head(&self, dir: &Path) -> String {
        let (plan, tally) = (&self.plan, &self.tally);
        let mut text = format!(
            "{}: {}, assigned by `{}`, ordered by `{}`\nfor {}\n{}\n",
            dir.display(),
            count(plan.nodes as u64, "node"),
            plan.assign,
            plan.order,
            self.places(),
            self.state.paint(),
        );
        if let Some(snapshot) = &self.snapshot {
            text += &pace(snapshot, &self.state);
        }
        let _ = writeln!(
            text,
            "{}, {} with addresses in the targets; {} robots.txt asked for",
            count(tally.pages.n_pages, "page"),
            thousands(tally.pages.n_geo_pages),
            thousands(tally.n_of(Errand::Robots)),
        );
        if tally.n_retries > 0 {
            let waiting = self.snapshot.as_ref().map(|snapshot| {
                let n_retrying = snapshot.nodes.iter().map(|node| node.retrying).sum();
                format!(", {} of them not yet", thousands(n_retrying))
            });
            let n_retries = count(tally.n_retries, "failure");
            let _ = writeln!(
                text,
                "{n_retries} to be tried again{}",
                waiting.unwrap_or_default()
            );
        }
        if let Some(url) = &tally.last_url {
            let _ = writeln!(text, "last page: {url}");
        }
        text
    }

    /// None are known if the gazetteer has forgotten a place since.
    fn places(&self) -> String {
        match self.plan.targets() {
            Ok(targets) => Plan::name_targets(&targets),
            Err(_) => self.plan.places.join("; "),
        }
    }

    /// What waits is known from the snapshot, the rest also from the log.
    fn node_table(&self) -> String {
        let Some(snapshot) = &self.snapshot else {
            return self.log_node_table();
        };
        let mut table = Table::new([
            "node", "pages", "geo", "harvest", "other", "waiting", "cold", "retrying", "hosts",
            "parked", "flights", "received",
        ]);
        let all = total(&snapshot.nodes);
        let sum = (snapshot.nodes.len() > 1).then_some(&all);
        for node in snapshot.nodes.iter().chain(sum) {
            let harvest = (node.pages > 0).then(|| node.geo_pages as f64 / node.pages as f64);
            table.row([
                node.name.clone(),
                thousands(node.pages),
                thousands(node.geo_pages),
                percent(harvest),
                thousands(node.other),
                thousands(node.waiting),
                thousands(node.cold),
                thousands(node.retrying),
                thousands(node.hosts),
                thousands(node.parked_hosts),
                thousands(node.flights),
                thousands(node.received),
            ]);
        }
        table.render()
    }

    fn log_node_table(&self) -> String {
        let mut table = Table::new(["node", "pages", "geo"]);
        for (name, pages) in node_names(&self.plan).into_iter().zip(&self.nodes) {
            table.row([name, thousands(pages.n_pages), thousands(pages.n_geo_pages)]);
        }
        table.render()
    }

    fn host_table(&self) -> String {
        let busiest = self.hosts.busiest(N_HOSTS);
        if busiest.is_empty() {
            return String::new();
        }
        let mut table = Table::new(["host", "visits", "pages", "failures", "bytes", "average"]);
        for (host, counts) in busiest {
            let average = counts.average_ms();
            table.row([
                host.to_owned(),
                thousands(counts.visits),
                thousands(counts.pages),
                thousands(counts.failures),
                bytes(counts.bytes),
                average.map_or_else(|| "–".into(), |average| format!("{average:.0} ms")),
            ]);
        }
        let note = if self.hosts.is_exact() {
            ""
        } else {
            "so many hosts that these counts may be a little low\n"
        };
        table.render() + note
    }

    /// When something is tried again, where only what failed is left.
    fn next_try(&self) -> Option<Time> {
        self.snapshot.as_ref()?.next_try.map(Time)
    }

    /// Hosts that are left alone although URLs wait there, the longest first:
    /// each once, however many nodes wait for it.
    fn resting(&self) -> Vec<RestingSnapshot> {
        let mut by_origin: BTreeMap<&str, RestingSnapshot> = BTreeMap::new();
        let nodes = self.snapshot.iter().flat_map(|snapshot| &snapshot.nodes);
        for host in nodes.flat_map(|node| &node.resting) {
            let known = by_origin
                .entry(&host.origin)
                .or_insert_with(|| RestingSnapshot {
                    waiting: 0,
                    ..host.clone()
                });
            known.waiting += host.waiting;
            known.parked |= host.parked;
            known.until = known.until.clone().max(host.until.clone());
        }
        let mut hosts: Vec<RestingSnapshot> = by_origin.into_values().collect();
        hosts.sort_by(|a, b| b.until.cmp(&a.until));
        hosts.truncate(N_HOSTS);
        hosts
    }

    fn resting_table(&self) -> String {
        let hosts = self.resting();
        if hosts.is_empty() {
            return String::new();
        }
        let mut table = Table::new(["host left alone", "until", "waiting", "because"]);
        for host in hosts {
            let because = match host.parked {
                true => "no answer",
                false => "its wish",
            };
            table.row([
                host.origin,
                minute(&host.until),
                thousands(host.waiting),
                because.into(),
            ]);
        }
        table.render()
    }

    fn disk_line(&self) -> String {
        let disk = &self.disk;
        format!(
            "on disk: {} of WARC, {} of visits, {} of tables, {} of index; {} free\n",
            bytes(disk.warc),
            bytes(disk.visits),
            bytes(disk.tables),
            bytes(disk.index),
            bytes(disk.free),
        )
    }
}

/// How fast a crawl is, or was.
fn pace(snapshot: &Snapshot, state: &State) -> String {
    let seconds =
        |seconds: f64| span(Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX));
    let rate = |rate: f64| format!("{rate:.1} pages/s");
    let mut text = match state {
        State::Running => format!(
            "{} in the last minute, {} since it was started {} ago",
            rate(snapshot.rate_last_minute),
            rate(snapshot.rate),
            seconds(snapshot.elapsed)
        ),
        State::Stopped { .. } | State::Killed => format!(
            "{} in the last session of {}",
            rate(snapshot.rate),
            seconds(snapshot.elapsed)
        ),
    };
    if let (State::Running, Some(left)) = (state, snapshot.seconds_left) {
        let _ = write!(text, ", {} left", seconds(left));
    }
    if let Some(cpu_ms) = snapshot.cpu_ms_per_page {
        let _ = write!(text, "; {cpu_ms:.2} ms CPU per page");
    }
    let _ = writeln!(text, ", at most {} of memory", bytes(snapshot.peak_memory));
    if let Some(at) = snapshot.next_try {
        let now = match state {
            State::Running => snapshot.clock,
            State::Stopped { .. } | State::Killed => wall_clock(),
        };
        let _ = writeln!(text, "{}", only_failed(Time(at), Time(now)));
    }
    if let (State::Running, Some(pause)) = (state, &snapshot.pause) {
        let _ = writeln!(text, "paused: {pause}");
    }
    text
}

/// `2006-05-01 00:02`, of a date as archives write it.
fn minute(date: &str) -> String {
    let minute = date.get(..16).unwrap_or(date);
    minute.replace('T', " ")
}

fn total(nodes: &[NodeSnapshot]) -> NodeSnapshot {
    let sum = |number: fn(&NodeSnapshot) -> u64| nodes.iter().map(number).sum();
    NodeSnapshot {
        name: "all".into(),
        pages: sum(|node| node.pages),
        geo_pages: sum(|node| node.geo_pages),
        other: sum(|node| node.other),
        waiting: sum(|node| node.waiting),
        cold: sum(|node| node.cold),
        retrying: sum(|node| node.retrying),
        parked_hosts: sum(|node| node.parked_hosts),
        hosts: sum(|node| node.hosts),
        flights: sum(|node| node.flights),
        received: sum(|node| node.received),
        refusals: BTreeMap::new(),
        resting: Vec::new(),
    }
}

fn counts(name: &str, unit: &str, counts: &BTreeMap<&str, u64>) -> String {
    if counts.is_empty() {
        return String::new();
    }
    let mut table = Table::new([name, unit]);
    for (name, count) in counts {
        table.row([(*name).into(), thousands(*count)]);
    }
    table.render()
}
