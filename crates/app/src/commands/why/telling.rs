//! One visit, told in full.

use super::Crawl;
use super::ranking::{self, Sign};
use super::weighing::{self, Weighed};
use crate::outcome;
use crate::text::{bytes, count};
use serde_json::{Value, json};
use store::visit::{Likeness, Outcome, Visit};
use store::warc::date;

/// A visit with what has to be looked up for it.
pub(super) struct Told {
    pub(super) visit: Visit,
    /// URL of the page it is a copy of.
    pub(super) original: Option<String>,
    /// What raised or lowered its link.
    pub(super) signs: Vec<Sign>,
    /// What its link was worth, where topic and importance are weighed.
    pub(super) weighed: Option<Weighed>,
}

impl Told {
    pub(super) fn look_up(visit: Visit, crawl: &Crawl<'_>) -> anyhow::Result<Told> {
        let original = match visit.copy {
            Some(copy) => crawl.visit_at(copy.of)?.map(|visit| visit.url),
            None => None,
        };
        Ok(Told {
            signs: ranking::signs(crawl, &visit),
            weighed: weighing::of_visit(crawl, &visit),
            visit,
            original,
        })
    }

    /// A line for each thing there is to say.
    pub(super) fn text(&self, crawl: &Crawl<'_>) -> String {
        let lines = self.facts(crawl).into_iter();
        let lines = lines.map(|(name, value)| format!("  {name:<9} {value}\n"));
        let head = format!("visit {}, {}\n", self.visit.seq, date(self.visit.at));
        head + &lines.collect::<String>()
    }

    fn facts(&self, crawl: &Crawl<'_>) -> Vec<(&'static str, String)> {
        let visit = &self.visit;
        let mut facts = vec![
            ("outcome", self.outcome()),
            ("node", crawl.node(visit.node)),
        ];
        if outcome::was_asked(visit) {
            let size = bytes(u64::from(visit.bytes));
            facts.push(("took", format!("{} ms, {size}", visit.took_ms)));
        }
        if let Some(recorded) = visit.recorded {
            facts.push(("recorded", date(recorded)));
        }
        facts.push(("depth", visit.depth.to_string()));
        // Robots rules and pages visited again come from nowhere either.
        let is_seed = visit.because.starts_with("seed;");
        let from = visit.from.as_deref();
        if let Some(from) = from.or(is_seed.then_some("nowhere: a seed")) {
            facts.push(("from", from.to_owned()));
        }
        facts.push(("priority", visit.priority.to_string()));
        facts.push(("because", visit.because.clone()));
        if !self.signs.is_empty() {
            facts.push(("words", ranking::text(&self.signs)));
        }
        if let Some(weighed) = &self.weighed {
            facts.push(("utility", weighed.text()));
        }
        if let Some(worth) = weighing::worth_of(visit) {
            facts.push(("worth", worth));
        }
        if let Some(target) = visit.target {
            facts.push(("target", Crawl::target(target)));
        }
        if visit.tries > 0 {
            facts.push((
                "tried",
                format!("{} before", count(u64::from(visit.tries), "time")),
            ));
        }
        if let Some(at) = visit.retry_at {
            facts.push(("again", format!("from {} on", date(at))));
        }
        if visit.noindex {
            facts.push((
                "noindex",
                "the page asks not to be found in searches".into(),
            ));
        }
        let is_page = visit.outcome == Outcome::Fetched;
        if is_page {
            let n_links = count(visit.links.len() as u64, "link");
            let n_addresses = visit.entities.len();
            facts.push((
                "found",
                format!("{n_links}; addresses in the targets: {n_addresses}"),
            ));
        }
        if let Some(shelf) = visit.archived {
            let place = format!("WARC file {}, offset {}", shelf.file, shelf.offset);
            facts.push(("archived", place));
        }
        facts
    }

    fn outcome(&self) -> String {
        let mut text = outcome::describe(&self.visit);
        if let (Some(status), false) = (self.visit.status, self.visit.outcome == Outcome::Status) {
            text += &format!(", status {status}");
        }
        if let Some(copy) = self.visit.copy {
            let likeness = match copy.likeness {
                Likeness::Exact => "an exact copy of",
                Likeness::Near => "a near copy of",
                Likeness::Mirrored => "the same as, on another site,",
            };
            let original = self.original.as_deref().unwrap_or("a page that is lost");
            text += &format!("; {likeness} {original}");
        }
        text
    }

    pub(super) fn json(&self, crawl: &Crawl<'_>) -> Value {
        let visit = &self.visit;
        let copy = visit.copy.map(|copy| {
            json!({
                "of": self.original,
                "visit": copy.of,
                "exact": copy.likeness != Likeness::Near,
            })
        });
        let archived = visit.archived.map(
            |shelf| json!({ "file": shelf.file, "offset": shelf.offset, "length": shelf.len }),
        );
        json!({
            "visit": visit.seq,
            "at": date(visit.at),
            "recorded": visit.recorded.map(date),
            "errand": outcome::errand(visit.errand),
            "node": crawl.node(visit.node),
            "outcome": outcome::name(&visit.outcome),
            "description": outcome::describe(visit),
            "robots_line": robots_line(visit),
            "status": visit.status,
            "took_ms": visit.took_ms,
            "bytes": visit.bytes,
            "server": visit.server,
            "depth": visit.depth,
            "from": visit.from,
            "priority": visit.priority,
            "because": visit.because,
            "words": ranking::json(&self.signs),
            "utility": self.weighed.as_ref().map(Weighed::json),
            "topicality": visit.topicality,
            "importance": visit.importance,
            "alpha": visit.alpha,
            "target": visit.target.map(Crawl::target),
            "tries": visit.tries,
            "retry_at": visit.retry_at.map(date),
            "copy": copy,
            "soft_404": visit.outcome == Outcome::SoftMissing,
            "noindex": visit.noindex,
            "links": visit.links.len(),
            "addresses": visit.entities.len(),
            "archived": archived,
        })
    }
}

/// The line of robots.txt that forbids it.
pub(super) fn robots_line(visit: &Visit) -> Option<u32> {
    match visit.outcome {
        Outcome::Forbidden { line: line @ 1.. } => Some(line),
        _ => None,
    }
}
