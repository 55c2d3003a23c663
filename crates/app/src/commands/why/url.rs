//! The story of one URL.

use super::link::Links;
use super::ranking;
use super::redirects::Redirects;
use super::rest::{self, HostRest};
use super::telling::{Told, robots_line};
use super::weighing::{self, Weighed};
use super::{Crawl, Story};
use crate::commands::robots::SHORTENED;
use crate::outcome;
use crate::text::{authority, count, printable};
use crawl::robots::Rules;
use crawl::settings::Settings;
use page::html::decode_text;
use page::url::CanonicalUrl;
use serde_json::{Value, json};
use std::fmt::Write;
use store::visit::{Errand, Outcome, Visit};
use store::warc;

/// Visits told one by one; of more, the first and the last ones.
const MOST_VISITS: usize = 20;

/// What the log says about one URL.
pub(super) struct UrlStory<'u> {
    url: &'u CanonicalUrl,
    short: u64,
    visits: Vec<Visit>,
    n_visits: u64,
    links: Links,
    redirects: Redirects,
    /// Where it leads, redirect by redirect.
    onward: Vec<String>,
    /// The last time its host's rules were asked for.
    robots: Option<Visit>,
    /// The first archived page with a link to it.
    linked_on: Option<Visit>,
    /// How long its host is left alone.
    rest: HostRest,
}

/// What the story comes down to.
enum Verdict {
    Visited(Box<Visit>),
    /// Known, and with this node if that is known too.
    Waits {
        node: Option<u16>,
        /// Its domain was over its budget.
        is_cold: bool,
    },
    NotFollowed(&'static str),
    Unknown,
}

/// What puts a URL out of the crawl's scope.
struct Outside {
    text: String,
    json: Value,
}

impl Outside {
    fn of(crawl: &Crawl<'_>, url: &CanonicalUrl) -> anyhow::Result<Option<Outside>> {
        let scoping = &crawl.plan.scoping;
        let bounds = scoping.bounds()?;
        Ok(bounds.judge(url).map(|out| {
            let (option, pattern) = scoping.decider(out);
            let reason = out.refusal().name();
            Outside {
                text: format!("{reason}: {}", scoping.explain(out)),
                json: json!({ "reason": reason, "option": option, "pattern": pattern }),
            }
        }))
    }
}

impl<'u> UrlStory<'u> {
    pub(super) fn new(url: &'u CanonicalUrl) -> UrlStory<'u> {
        UrlStory {
            url,
            short: url.fingerprint().short(),
            visits: Vec::new(),
            n_visits: 0,
            links: Links::default(),
            redirects: Redirects::default(),
            onward: Vec::new(),
            robots: None,
            linked_on: None,
            rest: HostRest::default(),
        }
    }

    pub(super) fn add(&mut self, visit: Visit) {
        self.links.add(&visit, self.short);
        self.rest.pass(&visit);
        if authority(&visit.url) == authority(self.url.as_str()) {
            self.rest.add(&visit);
        }
        let has_link = || visit.links.iter().any(|link| link.url == self.short);
        if self.linked_on.is_none() && visit.archived.is_some() && has_link() {
            self.linked_on = Some(visit.clone());
        }
        if let Outcome::Redirected(to) = &visit.outcome {
            self.redirects.add(&visit.url, to);
            self.follow(&visit.url, to);
        }
        if visit.errand == Errand::Robots && self.is_rules(&visit.url) {
            self.robots = Some(visit.clone());
        }
        if visit.url == self.url.as_str() {
            self.n_visits += 1;
            if self.visits.len() == MOST_VISITS {
                self.visits.remove(MOST_VISITS / 2);
            }
            self.visits.push(visit);
        }
    }

    /// Notes the next step of the chain that begins here. Steps are on record
    /// in order: what a redirect leads to is fetched after it.
    fn follow(&mut self, from: &str, to: &str) {
        /// A longer chain is a circle.
        const LONGEST: usize = 10;
        if from == self.url.as_str() {
            self.onward = vec![to.to_owned()];
        } else if self.onward.last().is_some_and(|last| last == from) && self.onward.len() < LONGEST
        {
            self.onward.push(to.to_owned());
        }
    }

    fn is_rules(&self, url: &str) -> bool {
        let rest = url.strip_prefix(self.url.origin());
        rest.is_some_and(|rest| rest.starts_with("/robots.txt"))
    }

    fn verdict(&self, crawl: &Crawl<'_>) -> Verdict {
        if let Some(last) = self.visits.last() {
            return Verdict::Visited(Box::new(last.clone()));
        }
        match (self.links.taker(), self.links.refusal()) {
            (Some(node), _) => Verdict::Waits {
                node: Some(node),
                is_cold: self.links.is_cold(),
            },
            (None, _) if crawl.is_seed_in_scope(self.url) => Verdict::Waits {
                node: None,
                is_cold: false,
            },
            (None, Some(refusal)) => Verdict::NotFollowed(refusal.name()),
            (None, None) => Verdict::Unknown,
        }
    }

    pub(super) fn tell(self, crawl: &Crawl<'_>) -> anyhow::Result<Story> {
        let verdict = self.verdict(crawl);
        let outside = Outside::of(crawl, self.url)?;
        let rule = self.rule(crawl)?;
        let chain = self.redirects.to(self.url.as_str());
        let told = self.visits.iter().cloned();
        let told = told.map(|visit| Told::look_up(visit, crawl));
        let told = told.collect::<anyhow::Result<Vec<_>>>()?;
        let words = match (&verdict, &self.linked_on) {
            (Verdict::Waits { .. }, Some(on)) => ranking::signs_of_waiting(crawl, self.url, on),
            _ => Vec::new(),
        };
        let weighed = match (&verdict, &self.linked_on) {
            (Verdict::Waits { .. }, Some(on)) => weighing::of_waiting(crawl, on),
            _ => None,
        };
        let rest = self.rest.now(crawl).filter(|_| verdict.is_open());
        let json = json!({
            "url": self.url.as_str(),
            "state": verdict.word(),
            "verdict": verdict.describe(crawl),
            "scope": outside.as_ref().map(|outside| &outside.json),
            "host_rest": rest::json(rest),
            "visits": told.iter().map(|told| told.json(crawl)).collect::<Vec<_>>(),
            "n_visits": self.n_visits,
            "robots": self.robots_json(rule.as_deref()),
            "redirected_from": chain,
            "redirects_to": self.onward,
            "links": self.links.json(crawl),
            "words": ranking::json(&words),
            "utility": weighed.as_ref().map(Weighed::json),
        });
        let is_known = !matches!(verdict, Verdict::Unknown);
        let mut text = format!("{}\n{}\n", self.url, verdict.describe(crawl));
        if let Some(outside) = &outside {
            let _ = writeln!(text, "{}", outside.text);
        }
        if let Some(rest) = rest {
            let _ = writeln!(text, "its host: {}", rest::text(rest));
        }
        if !words.is_empty() {
            let _ = writeln!(text, "words: {}", ranking::text(&words));
        }
        if let Some(weighed) = &weighed {
            let _ = writeln!(text, "utility: {}", weighed.text());
        }
        if is_known {
            text += &self.visits_text(&told, crawl);
            if let Some(rule) = &rule {
                let _ = writeln!(text, "\nits robots.txt says: {rule}");
            }
            text += &self.redirects_text(&chain);
            let _ = write!(text, "\n{}", self.links.text(crawl));
        }
        Ok(Story {
            text,
            json,
            is_known,
        })
    }

    fn visits_text(&self, told: &[Told], crawl: &Crawl<'_>) -> String {
        let visits = told.iter().map(|told| format!("\n{}", told.text(crawl)));
        let mut text: String = visits.collect();
        if let Some(n_more @ 1..) = self.n_visits.checked_sub(told.len() as u64) {
            let _ = writeln!(text, "\nand {} in between", count(n_more, "visit"));
        }
        text
    }

    /// The way here and on from here.
    fn redirects_text(&self, chain: &[String]) -> String {
        if chain.is_empty() && self.onward.is_empty() {
            return String::new();
        }
        let this = "this".to_owned();
        let steps = chain.iter().chain([&this]).chain(&self.onward);
        let steps: Vec<&str> = steps.map(String::as_str).collect();
        format!("\nredirects: {}\n", steps.join(" → "))
    }

    /// The line that forbids it, in the words of the host.
    fn rule(&self, crawl: &Crawl<'_>) -> anyhow::Result<Option<String>> {
        /// Nobody's rule is longer, and the text is somebody else's.
        const MAX_RULE: usize = 200;
        let line = self.visits.last().and_then(robots_line);
        let shelf = self.robots.as_ref().and_then(|robots| robots.archived);
        let (Some(line), Some(shelf)) = (line, shelf) else {
            return Ok(None);
        };
        let Some(response) = warc::read_at(crawl.dir, shelf)? else {
            return Ok(None);
        };
        let text = decode_text(&response.body);
        let rule = text.lines().nth(line as usize - 1);
        Ok(rule.map(|rule| {
            let rules = Rules::parse(&response.body, &Settings::default().agent);
            let note = match rules.is_shortened(line, rule) {
                true => SHORTENED,
                false => "",
            };
            let rule: String = printable(rule).chars().take(MAX_RULE).collect();
            rule + note
        }))
    }

    fn robots_json(&self, rule: Option<&str>) -> Value {
        let Some(robots) = &self.robots else {
            return Value::Null;
        };
        json!({
            "at": warc::date(robots.at),
            "outcome": outcome::name(&robots.outcome),
            "status": robots.status,
            "rule": rule,
        })
    }
}

impl Verdict {
    /// Whether it is to be fetched, now or later.
    fn is_open(&self) -> bool {
        match self {
            Verdict::Visited(visit) => visit.retry_at.is_some(),
            Verdict::Waits { .. } => true,
            Verdict::NotFollowed(_) | Verdict::Unknown => false,
        }
    }

    fn word(&self) -> &'static str {
        match self {
            Verdict::Visited(_) => "visited",
            Verdict::Waits { .. } => "waiting",
            Verdict::NotFollowed(_) => "not followed",
            Verdict::Unknown => "unknown",
        }
    }

    fn describe(&self, crawl: &Crawl<'_>) -> String {
        match self {
            Verdict::Visited(visit) => {
                let what = outcome::describe(visit);
                match visit.retry_at {
                    Some(at) => format!("{what}; tried again from {} on", warc::date(at)),
                    None => what,
                }
            }
            Verdict::Waits {
                node: Some(node),
                is_cold,
            } => {
                let node = crawl.node(*node);
                let why = match is_cold {
                    true => ", beyond the budget of its domain when it was found",
                    false => "",
                };
                format!("not visited yet: it waits with {node}{why}")
            }
            Verdict::Waits { node: None, .. } => "not visited yet: a seed that waits".into(),
            Verdict::NotFollowed(reason) => format!("no link to it was followed: {reason}"),
            Verdict::Unknown => "never seen: no visit, and no link to it on record".into(),
        }
    }
}
