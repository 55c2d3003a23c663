//! The robots rules of every origin: known, wanted, or not to be had.
//!
//! What RFC 9309 asks for: 4xx means no rules, 5xx or no answer means that
//! everything is forbidden, redirects are followed, rules are asked for again
//! after a day, and old ones serve on while new ones cannot be had.

use crate::clock::after;
use crate::error::CrawlError;
use crate::fetch::Fetched;
use crate::robots::Rules;
use crate::settings::Settings;
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::table::{Batch, Table};
use store::visit::{Outcome, Time};

/// Rules are asked for again after a day (section 2.4).
const RULES_AGE: Duration = Duration::from_secs(24 * 3600);

/// Rules that cannot be had are asked for again after an hour.
const FAILED_AGE: Duration = Duration::from_secs(3600);

/// Redirects followed on the way to the rules (section 2.3.1.2).
const MOST_HOPS: u8 = 5;

/// Failures in a row before rules count as not to be had: one lost packet
/// must not close a host.
const MOST_TRIES: u32 = 3;

/// What the rules say to a URL.
pub(super) enum Standing {
    Allowed,
    Refused(Outcome),
    /// To be fetched first, from here.
    Wanted(CanonicalUrl),
}

pub(super) struct RuleBook {
    agent: String,
    origins: HashMap<Box<str>, Origin>,
    table: Table,
}

struct Origin {
    /// The last rules that could be had.
    rules: Option<Rules>,
    until: Time,
    state: State,
}

enum State {
    Settled,
    /// To be fetched from here, after so many redirects.
    Wanted(CanonicalUrl, u8),
    /// No rules to be had, so nothing may be fetched.
    Closed(Outcome),
}

impl RuleBook {
    pub(super) fn open(dir: &CrawlDir, settings: &Settings) -> Result<RuleBook, CrawlError> {
        let agent = settings.agent.clone();
        Ok(RuleBook {
            agent,
            origins: HashMap::new(),
            table: dir.table("robots")?,
        })
    }

    pub(super) fn standing(
        &mut self,
        url: &CanonicalUrl,
        now: Time,
    ) -> Result<Standing, CrawlError> {
        self.load(url)?;
        let origin = self.origins.get_mut(url.origin()).expect("loaded above");
        if origin.until <= now && !matches!(origin.state, State::Wanted(..)) {
            origin.state = State::Wanted(robots_url(url), 0);
        }
        Ok(match (&origin.state, &origin.rules) {
            (State::Wanted(robots, _), _) => Standing::Wanted(robots.clone()),
            (State::Closed(outcome), _) => Standing::Refused(outcome.clone()),
            (State::Settled, Some(rules)) => {
                let verdict = rules.verdict(url.path_and_query());
                match verdict.allowed {
                    true => Standing::Allowed,
                    false => Standing::Refused(Outcome::Forbidden { line: verdict.line }),
                }
            }
            (State::Settled, None) => Standing::Wanted(robots_url(url)),
        })
    }

    /// Hears what came of asking for an origin's rules; returns the delay they ask for.
    pub(super) fn landed(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        asked: &CanonicalUrl,
        fetched: &Fetched,
        n_failures: u32,
        now: Time,
    ) -> Option<Duration> {
        let origin = self.origins.get_mut(wanted.origin())?;
        let hops = match &origin.state {
            State::Wanted(_, hops) => *hops,
            _ => 0,
        };
        match verdict_of(asked, fetched) {
            Verdict::Moved(next) if hops < MOST_HOPS => {
                origin.state = State::Wanted(next, hops + 1);
                None
            }
            Verdict::Moved(_) => self.settle(batch, wanted, Vec::new(), now),
            Verdict::Text(text) => self.settle(batch, wanted, text, now),
            Verdict::Failed(failure) if failure.may_pass() && n_failures < MOST_TRIES => {
                origin.state = State::Wanted(robots_url(wanted), 0);
                None
            }
            Verdict::Failed(_) if origin.rules.is_some() => {
                origin.until = after(now, FAILED_AGE);
                origin.state = State::Settled;
                None
            }
            Verdict::Failed(failure) => {
                let until = after(now, FAILED_AGE);
                origin.until = until;
                origin.state = State::Closed(failure.clone().into_outcome());
                self.keep(batch, wanted, Kept::Failed(failure), until);
                None
            }
        }
    }

    fn settle(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        text: Vec<u8>,
        now: Time,
    ) -> Option<Duration> {
        let rules = Rules::parse(&text, &self.agent);
        let delay = rules.crawl_delay();
        // Rules outlive the delay they ask for, or nothing else would ever be asked.
        let until = after(
            now,
            RULES_AGE.max(delay.unwrap_or_default().saturating_mul(2)),
        );
        self.keep(batch, wanted, Kept::Text(text), until);
        let origin = Origin {
            rules: Some(rules),
            until,
            state: State::Settled,
        };
        self.origins.insert(wanted.origin().into(), origin);
        delay
    }

    fn keep(&self, batch: &mut Batch, wanted: &CanonicalUrl, kept: Kept, until: Time) {
        let row = RulesRow {
            until: until.0,
            kept,
        };
        let bytes = postcard::to_stdvec(&row).expect("plain data always encodes");
        batch.put(&self.table, wanted.origin().as_bytes(), &bytes);
    }

    fn load(&mut self, url: &CanonicalUrl) -> Result<(), CrawlError> {
        if self.origins.contains_key(url.origin()) {
            return Ok(());
        }
        let row = self.table.get(url.origin().as_bytes())?;
        let row: Option<RulesRow> = row.and_then(|bytes| postcard::from_bytes(&bytes).ok());
        let origin = row.map_or_else(
            || Origin {
                rules: None,
                until: Time(0),
                state: State::Wanted(robots_url(url), 0),
            },
            |row| row.into_origin(&self.agent),
        );
        self.origins.insert(url.origin().into(), origin);
        Ok(())
    }
}

/// What an answer means for the rules.
enum Verdict {
    Text(Vec<u8>),
    Moved(CanonicalUrl),
    Failed(Failure),
}

fn verdict_of(asked: &CanonicalUrl, fetched: &Fetched) -> Verdict {
    let failure = match fetched {
        Fetched::Answer(answer) if (300..400).contains(&answer.status) => {
            let next = answer
                .location
                .as_deref()
                .and_then(|to| asked.join(to).ok());
            return next.map_or_else(|| Verdict::Text(Vec::new()), Verdict::Moved);
        }
        // RFC 9309 lets 429 count as "no rules"; whoever is asked too much deserves a rest.
        Fetched::Answer(answer) if answer.status >= 500 || answer.status == 429 => Failure::Status,
        Fetched::Answer(answer) if answer.status >= 400 => return Verdict::Text(Vec::new()),
        // Something that is not text stands where the rules should be, and
        // was not read: nobody can say what it forbids.
        Fetched::Answer(answer) if !answer.is_text() && answer.body.is_empty() => Failure::Status,
        Fetched::Answer(answer) => return Verdict::Text(answer.body.to_vec()),
        Fetched::Unresolved => Failure::Unresolved,
        Fetched::TimedOut => Failure::TimedOut,
        Fetched::PrivateAddress => Failure::PrivateAddress,
        Fetched::Unreachable(why) => Failure::Unreachable(why.clone()),
        Fetched::Garbled(why) | Fetched::Offline(why) => Failure::Garbled(why.clone()),
        Fetched::Untrusted(why) => Failure::Untrusted(why.clone()),
        // Whoever recorded the pages kept to the rules of their time.
        Fetched::NotArchived => return Verdict::Text(Vec::new()),
        // The fetcher cuts long rules off; what is too large even so never ends.
        Fetched::TooLarge => Failure::Status,
    };
    Verdict::Failed(failure)
}

fn robots_url(url: &CanonicalUrl) -> CanonicalUrl {
    url.join("/robots.txt")
        .expect("an absolute path joins any URL")
}

/// An origin's rules, as kept.
#[derive(Serialize, Deserialize)]
struct RulesRow {
    until: u64,
    kept: Kept,
}

#[derive(Serialize, Deserialize)]
enum Kept {
    Text(Vec<u8>),
    Failed(Failure),
}

#[derive(Clone, Serialize, Deserialize)]
enum Failure {
    Status,
    Unresolved,
    TimedOut,
    PrivateAddress,
    Unreachable(String),
    Garbled(String),
    Untrusted(String),
}

impl Failure {
    /// Whether it may be otherwise the next time.
    fn may_pass(&self) -> bool {
        !matches!(self, Failure::PrivateAddress)
    }

    fn into_outcome(self) -> Outcome {
        match self {
            Failure::Status => Outcome::Forbidden { line: 0 },
            Failure::Unresolved => Outcome::Unresolved,
            Failure::TimedOut => Outcome::TimedOut,
            Failure::PrivateAddress => Outcome::PrivateAddress,
            Failure::Unreachable(why) => Outcome::Unreachable(why),
            Failure::Garbled(why) => Outcome::Garbled(why),
            Failure::Untrusted(why) => Outcome::Untrusted(why),
        }
    }
}

impl RulesRow {
    fn into_origin(self, agent: &str) -> Origin {
        let until = Time(self.until);
        match self.kept {
            Kept::Text(text) => Origin {
                rules: Some(Rules::parse(&text, agent)),
                until,
                state: State::Settled,
            },
            Kept::Failed(failure) => Origin {
                rules: None,
                until,
                state: State::Closed(failure.into_outcome()),
            },
        }
    }
}
