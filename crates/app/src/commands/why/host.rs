//! The story of one host.

use super::rest::{self, HostRest};
use super::{Crawl, Story};
use crate::outcome::{self, is_failure, was_asked};
use crate::table::Table;
use crate::tally::Tally;
use crate::text::{authority, bytes, count, thousands};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;
use std::net::IpAddr;
use store::visit::{Errand, Time, Visit};
use store::warc::date;

/// Requests whose times are kept, for the delays between them.
const MOST_TIMES: usize = 100_000;

/// Requests for rules that are told, the last ones.
const MOST_RULES: usize = 10;

/// Addresses that are told.
const MOST_SERVERS: usize = 8;

/// What the log says about one host.
pub(super) struct HostStory<'h> {
    host: &'h str,
    tally: Tally,
    n_failures: u64,
    n_asked: u64,
    took_ms: u64,
    /// When requests were sent.
    times: Vec<u64>,
    by_node: BTreeMap<u16, u64>,
    servers: BTreeSet<IpAddr>,
    rules: VecDeque<Visit>,
    first: Option<Time>,
    last: Option<Time>,
    rest: HostRest,
}

/// Milliseconds between a request and the next one.
#[derive(Debug, PartialEq, Eq)]
struct Delays {
    least: u64,
    median: u64,
}

impl<'h> HostStory<'h> {
    pub(super) fn new(host: &'h str) -> HostStory<'h> {
        HostStory {
            host,
            tally: Tally::default(),
            n_failures: 0,
            n_asked: 0,
            took_ms: 0,
            times: Vec::new(),
            by_node: BTreeMap::new(),
            servers: BTreeSet::new(),
            rules: VecDeque::new(),
            first: None,
            last: None,
            rest: HostRest::default(),
        }
    }

    pub(super) fn add(&mut self, visit: Visit) {
        self.rest.pass(&visit);
        if authority(&visit.url) != self.host {
            return;
        }
        self.tally.add(&visit);
        self.rest.add(&visit);
        self.n_failures += u64::from(is_failure(&visit));
        *self.by_node.entry(visit.node).or_default() += 1;
        self.first = Some(self.first.map_or(visit.at, |first| first.min(visit.at)));
        self.last = self.last.max(Some(visit.at));
        if was_asked(&visit) {
            self.n_asked += 1;
            self.took_ms += u64::from(visit.took_ms);
            if self.times.len() < MOST_TIMES {
                self.times.push(visit.at.0);
            }
        }
        if self.servers.len() < MOST_SERVERS {
            self.servers.extend(visit.server);
        }
        if visit.errand == Errand::Robots {
            if self.rules.len() == MOST_RULES {
                self.rules.pop_front();
            }
            self.rules.push_back(visit);
        }
    }

    pub(super) fn tell(mut self, crawl: &Crawl<'_>) -> Story {
        let delays = delays(&mut self.times);
        let is_known = self.tally.n_visits > 0;
        Story {
            text: if is_known {
                self.text(crawl, delays.as_ref())
            } else {
                format!("{}\nnever seen: no visit on record\n", self.host)
            },
            json: self.json(crawl, delays.as_ref()),
            is_known,
        }
    }

    fn average_ms(&self) -> Option<f64> {
        (self.n_asked > 0).then(|| self.took_ms as f64 / self.n_asked as f64)
    }

    fn text(&self, crawl: &Crawl<'_>, delays: Option<&Delays>) -> String {
        let tally = &self.tally;
        let mut text = format!(
            "{}\n{}, {}, {}; {}\n",
            self.host,
            count(tally.n_visits, "visit"),
            count(tally.pages.n_pages, "page"),
            count(self.n_failures, "failure"),
            bytes(tally.n_bytes),
        );
        if let (Some(first), Some(last)) = (self.first, self.last) {
            let _ = writeln!(text, "from {} to {}", date(first), date(last));
        }
        let nodes = self.by_node.iter();
        let nodes = nodes.map(|(node, n)| format!("{} ({})", crawl.node(*node), thousands(*n)));
        let _ = writeln!(text, "by {}", nodes.collect::<Vec<_>>().join(", "));
        if !self.servers.is_empty() {
            let servers = self.servers.iter().map(ToString::to_string);
            let _ = writeln!(text, "at {}", servers.collect::<Vec<_>>().join(", "));
        }
        if let Some(average) = self.average_ms() {
            let _ = writeln!(text, "answers in {average:.0} ms on average");
        }
        if let Some(Delays { least, median }) = delays {
            let (least, median) = (thousands(*least), thousands(*median));
            let _ = writeln!(
                text,
                "asked every {median} ms (median), at least {least} ms apart"
            );
        }
        if let Some(rest) = self.rest.now(crawl) {
            let _ = writeln!(text, "{}", rest::text(rest));
        }
        let mut table = Table::new(["outcome", "errand", "visits"]);
        for (errand, outcome, n_visits) in tally.outcomes() {
            table.row([outcome.into(), errand.into(), thousands(n_visits)]);
        }
        let _ = write!(text, "\n{}", table.render());
        for visit in &self.rules {
            let what = outcome::describe(visit);
            let _ = write!(text, "\nrobots.txt, {}: {what}", date(visit.at));
        }
        text
    }

    fn json(&self, crawl: &Crawl<'_>, delays: Option<&Delays>) -> Value {
        let nodes = self.by_node.iter().map(|(node, n)| (crawl.node(*node), *n));
        let rules = self.rules.iter().map(|visit| {
            json!({
                "at": date(visit.at),
                "outcome": outcome::name(&visit.outcome),
                "status": visit.status,
                "bytes": visit.bytes,
            })
        });
        let outcomes = self.tally.outcomes().map(|(errand, outcome, n_visits)| {
            json!({ "errand": errand, "outcome": outcome, "visits": n_visits })
        });
        json!({
            "host": self.host,
            "visits": self.tally.n_visits,
            "pages": self.tally.pages.n_pages,
            "geo_pages": self.tally.pages.n_geo_pages,
            "failures": self.n_failures,
            "bytes": self.tally.n_bytes,
            "first": self.first.map(date),
            "last": self.last.map(date),
            "nodes": nodes.collect::<BTreeMap<_, _>>(),
            "servers": self.servers,
            "rest": rest::json(self.rest.now(crawl)),
            "average_ms": self.average_ms(),
            "least_delay_ms": delays.map(|delays| delays.least),
            "median_delay_ms": delays.map(|delays| delays.median),
            "outcomes": outcomes.collect::<Vec<_>>(),
            "robots": rules.collect::<Vec<_>>(),
        })
    }
}

/// Delays between requests; on record they are in the order in which they ended.
fn delays(times: &mut [u64]) -> Option<Delays> {
    times.sort_unstable();
    let mut gaps: Vec<u64> = times.windows(2).map(|pair| pair[1] - pair[0]).collect();
    gaps.sort_unstable();
    Some(Delays {
        least: *gaps.first()?,
        median: gaps[gaps.len() / 2],
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delays_are_between_requests_in_the_order_of_time() {
        let expected = Delays {
            least: 1_000,
            median: 1_500,
        };
        assert_eq!(
            delays(&mut [5_000, 1_000, 2_500, 10_000, 3_500]),
            Some(expected)
        );
        assert_eq!(delays(&mut [5]), None);
    }
}
