//! The text format of Prometheus, version 0.0.4.

use crate::snapshot::{NodeSnapshot, Snapshot};
use crate::tally::Tally;
use std::fmt::{Display, Write};

/// All metrics of a crawl.
pub(super) fn render(snapshot: &Snapshot, tally: &Tally) -> String {
    let mut text = Exposition(String::with_capacity(8 << 10));
    text.nodes(snapshot);
    text.visits(tally);
    text.process(snapshot);
    text.0
}

/// A number of a node, with its metric's name and meaning.
type OfNode = (&'static str, &'static str, fn(&NodeSnapshot) -> u64);

const NODE_COUNTERS: [OfNode; 4] = [
    ("pages_total", "Pages fetched, in all sessions.", |node| {
        node.pages
    }),
    (
        "geo_pages_total",
        "Pages with an address in a target.",
        |node| node.geo_pages,
    ),
    (
        "other_tickets_total",
        "Tickets that brought no page.",
        |node| node.other,
    ),
    (
        "links_received_total",
        "Links received from peers.",
        |node| node.received,
    ),
];

const NODE_GAUGES: [OfNode; 6] = [
    ("waiting_urls", "URLs that wait.", |node| node.waiting),
    (
        "cold_urls",
        "URLs that wait behind their host's budget.",
        |node| node.cold,
    ),
    (
        "retrying_urls",
        "URLs that failed and are to be tried again.",
        |node| node.retrying,
    ),
    ("parked_hosts", "Hosts left alone for a while.", |node| {
        node.parked_hosts
    }),
    ("known_hosts", "Hosts heard of.", |node| node.hosts),
    ("flights_in_progress", "Fetches in the air.", |node| {
        node.flights
    }),
];

struct Exposition(String);

impl Exposition {
    fn nodes(&mut self, snapshot: &Snapshot) {
        let counters = NODE_COUNTERS.iter().map(|metric| (metric, "counter"));
        let gauges = NODE_GAUGES.iter().map(|metric| (metric, "gauge"));
        for ((name, help, value), kind) in counters.chain(gauges) {
            self.head(name, kind, help);
            for node in &snapshot.nodes {
                self.sample(name, &[("node", &node.name)], value(node));
            }
        }
        let name = "refused_links_total";
        self.head(
            name,
            "counter",
            "Links not followed, by reason, in all sessions.",
        );
        for node in &snapshot.nodes {
            for (reason, count) in &node.refusals {
                self.sample(name, &[("node", &node.name), ("reason", reason)], count);
            }
        }
    }

    fn visits(&mut self, tally: &Tally) {
        let name = "visits_total";
        self.head(
            name,
            "counter",
            "Visits on disk by outcome, in this session.",
        );
        for (errand, outcome, count) in tally.outcomes() {
            self.sample(name, &[("errand", errand), ("outcome", outcome)], count);
        }
        let help = "Bytes of bodies of those visits.";
        self.number("body_bytes_total", "counter", help, tally.n_bytes);
    }

    fn process(&mut self, snapshot: &Snapshot) {
        let help = "Visits that are safely on disk, in all sessions.";
        self.number(
            "visits_stored_total",
            "counter",
            help,
            snapshot.visits_stored,
        );
        let help = "Pages per second in the last minute.";
        self.number("pages_per_second", "gauge", help, snapshot.rate_last_minute);
        let help = "1 while nothing is fetched until there is more space on the disk.";
        let is_paused = u8::from(snapshot.pause.is_some());
        self.number("paused", "gauge", help, is_paused);
        if let Some(goal) = snapshot.goal {
            self.number("goal_pages", "gauge", "Pages asked for.", goal);
        }
        let help = "The crawl's own time, in seconds since 1970.";
        self.number(
            "clock_timestamp_seconds",
            "gauge",
            help,
            snapshot.clock as f64 / 1e3,
        );
        self.number("memory_bytes", "gauge", "Memory held.", snapshot.memory);
        let help = "The most memory ever held.";
        self.number("peak_memory_bytes", "gauge", help, snapshot.peak_memory);
        let help = "CPU time of the whole process.";
        self.number("cpu_seconds_total", "counter", help, snapshot.cpu_seconds);
        let name = "stage_cpu_seconds_total";
        self.head(name, "counter", "CPU time by stage of a page's way.");
        for (stage, seconds) in &snapshot.cpu_seconds_by_stage {
            self.sample(name, &[("stage", stage)], seconds);
        }
    }

    /// A metric with one value.
    fn number(&mut self, name: &str, kind: &str, help: &str, value: impl Display) {
        self.head(name, kind, help);
        self.sample(name, &[], value);
    }

    fn head(&mut self, name: &str, kind: &str, help: &str) {
        let text = &mut self.0;
        let _ = writeln!(text, "# HELP locavore_{name} {help}");
        let _ = writeln!(text, "# TYPE locavore_{name} {kind}");
    }

    fn sample(&mut self, name: &str, labels: &[(&str, &str)], value: impl Display) {
        let text = &mut self.0;
        let _ = write!(text, "locavore_{name}");
        for (label_idx, (label, value)) in labels.iter().enumerate() {
            let opening = if label_idx == 0 { '{' } else { ',' };
            let _ = write!(text, "{opening}{label}=\"{}\"", escaped(value));
        }
        let closing = if labels.is_empty() { "" } else { "}" };
        let _ = writeln!(text, "{closing} {value}");
    }
}

fn escaped(value: &str) -> String {
    value
        .replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::visit::{Errand, Outcome, Time, Visit};

    #[test]
    fn every_line_is_a_comment_or_a_sample() {
        let snapshot = Snapshot {
            nodes: vec![NodeSnapshot {
                name: "Cn1 \"East\"\\".into(),
                pages: 7,
                refusals: [("too deep in its site".to_owned(), 3)].into(),
                ..NodeSnapshot::default()
            }],
            rate_last_minute: 2.5,
            ..Snapshot::default()
        };
        let mut tally = Tally::default();
        let outcome = Outcome::TimedOut;
        tally.add(&Visit::new(
            0,
            Errand::Page,
            Time(0),
            "http://a.example/",
            outcome,
        ));
        let text = render(&snapshot, &tally);
        for line in text.lines() {
            let is_sample = line.starts_with("locavore_")
                && line.rsplit(' ').next().unwrap().parse::<f64>().is_ok();
            assert!(is_sample || line.starts_with("# "), "{line}");
        }
        let wanted = ["pages_total{", "refused", "visits_total{", "per_second 2.5"];
        let lines = text.lines().filter(|line| !line.starts_with('#'));
        let lines = lines.filter(|line| wanted.iter().any(|word| line.contains(word)));
        insta::assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
        locavore_pages_total{node="Cn1 \"East\"\\"} 7
        locavore_geo_pages_total{node="Cn1 \"East\"\\"} 0
        locavore_refused_links_total{node="Cn1 \"East\"\\",reason="too deep in its site"} 3
        locavore_visits_total{errand="page",outcome="timed out"} 1
        locavore_pages_per_second 2.5
        "#);
    }
}
