//! The robots rules of every origin: known, wanted, or not to be had.
//!
//! What RFC 9309 asks for: 4xx means no rules, 5xx or no answer means that
//! everything is forbidden, redirects are followed, rules are asked for again
//! after a day, and old ones serve on while new ones cannot be had. What other
//! origins forbid is not asked for on the way (`is_detour`). A host
//! whose rules cannot be had counts as failing, which is its clock's affair.

mod row;

use super::bearing::{Bearing, Failure};
use super::brief;
use super::recent::{Forgettable, Recent};
use crate::clock::after;
use crate::error::CrawlError;
use crate::fetch::Fetched;
use crate::robots::Rules;
use crate::settings::Settings;
use page::url::CanonicalUrl;
use row::{Kept, NoteRow};
use std::collections::BTreeSet;
use std::time::Duration;
use store::crawl_dir::CrawlDir;
use store::index::Index;
use store::table::{Batch, Table};
use store::visit::{Outcome, Time};

/// Rules are asked for again after a day (section 2.4).
const RULES_AGE: Duration = Duration::from_secs(24 * 3600);

/// Rules of a host that asks for a delay of a day, which is the longest, are
/// good for two, once it is free again.
const LONGEST_AGE: Duration = Duration::from_secs(4 * 24 * 3600);

/// Where new rules cannot be had, old ones serve for another hour; and an
/// address that is private may be public an hour later.
const FAILED_AGE: Duration = Duration::from_secs(3600);

/// Redirects followed on the way to the rules (section 2.3.1.2).
const MOST_HOPS: u8 = 5;

/// Where every origin's rules are, or begin.
const ROBOTS: &str = "/robots.txt";

/// What the rules say to a URL.
pub(super) enum Standing {
    Allowed,
    Refused(Outcome),
    /// To be fetched first, from here.
    Wanted(CanonicalUrl),
}

pub(super) struct RuleBook {
    agent: String,
    origins: Recent<Box<str>, Origin>,
    /// Origins whose rows wait for the next commit.
    unsaved: BTreeSet<Box<str>>,
    /// What there is about each origin: most have no rules, and are asked
    /// often. Their clocks are in the same.
    index: Index,
    table: Table,
}

struct Origin {
    /// The last rules that could be had.
    rules: Option<Rules>,
    until: Time,
    state: State,
    /// What the table has about it.
    kept: Kept,
    /// Whether its rules are being fetched.
    is_asked: bool,
    is_unsaved: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum State {
    Settled,
    /// To be fetched from here, after so many redirects.
    Wanted(CanonicalUrl, u8),
    /// The host is inside a private network.
    Private,
}

impl Forgettable for Origin {
    fn is_needed(&self) -> bool {
        self.is_asked || self.is_unsaved
    }

    fn weight(&self) -> usize {
        1 + self.rules.as_ref().map_or(0, Rules::n_bytes) / 1024
    }
}

impl RuleBook {
    pub(super) fn open(
        dir: &CrawlDir,
        settings: &Settings,
        room: usize,
    ) -> Result<RuleBook, CrawlError> {
        Ok(RuleBook {
            agent: settings.agent.clone(),
            origins: Recent::with_room(room),
            unsaved: BTreeSet::new(),
            index: dir.index("hosts")?,
            table: dir.table("robots")?,
        })
    }

    pub(super) fn standing(
        &mut self,
        url: &CanonicalUrl,
        now: Time,
    ) -> Result<Standing, CrawlError> {
        let origin = self.origin(url)?;
        Ok(match (&origin.state, &origin.rules) {
            (State::Wanted(robots, _), _) => Standing::Wanted(robots.clone()),
            _ if is_over(origin.until, now) => Standing::Wanted(robots_url(url)),
            (State::Private, _) => Standing::Refused(Outcome::PrivateAddress),
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

    /// Hears that an origin's rules are being fetched.
    pub(super) fn asked(&mut self, url: &CanonicalUrl) {
        if let Some(origin) = self.origins.get_mut(url.origin()) {
            origin.is_asked = true;
        }
    }

    /// Whether rules have ever been had, however old.
    pub(super) fn are_known(&self, url: &CanonicalUrl) -> bool {
        let origin = self.origins.peek(url.origin());
        origin.is_some_and(|origin| origin.rules.is_some())
    }

    /// Hears what came of asking for an origin's rules, after how many
    /// failures in a row; returns the delay they ask for. Rules are good for
    /// a time that counts from when the host is free again: were it shorter
    /// than a wait, nothing but rules would ever be asked for.
    pub(super) fn landed(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        heard: Heard,
        n_failures: u32,
        free_at: Time,
    ) -> Option<Duration> {
        let origin = self.origins.get_mut(wanted.origin())?;
        origin.is_asked = false;
        let hops = match &origin.state {
            State::Wanted(_, hops) => *hops,
            _ => 0,
        };
        let is_known = origin.rules.is_some();
        let later = after(free_at, FAILED_AGE);
        match heard {
            Heard::Moved(next) if hops < MOST_HOPS => {
                self.note(batch, wanted, State::Wanted(next, hops + 1), free_at);
            }
            Heard::Moved(_) => return self.settle(batch, wanted, &[], free_at),
            Heard::Rules(text) => return self.settle(batch, wanted, &text, free_at),
            Heard::Private if !is_known => self.note(batch, wanted, State::Private, later),
            Heard::Private => self.note(batch, wanted, State::Settled, later),
            Heard::Failed(failure)
                if is_known && failure.tries().is_none_or(|tries| n_failures >= tries) =>
            {
                self.note(batch, wanted, State::Settled, later);
            }
            // From the start, should there have been redirects.
            Heard::Failed(_) => self.note(batch, wanted, State::Settled, Time(0)),
            Heard::Nothing => {}
        }
        None
    }

    fn settle(
        &mut self,
        batch: &mut Batch,
        wanted: &CanonicalUrl,
        text: &[u8],
        free_at: Time,
    ) -> Option<Duration> {
        let rules = Rules::parse(text, &self.agent);
        let delay = rules.crawl_delay();
        // Rules outlive the delay they ask for, or nothing else would ever be asked.
        let until = after(
            free_at,
            RULES_AGE.max(delay.unwrap_or_default().saturating_mul(2)),
        );
        let before = self.origins.peek(wanted.origin())?.kept;
        let kept = Kept {
            rules: !text.is_empty(),
            note: false,
            until,
        };
        batch.note(&self.index, brief::origin_key(wanted), kept.encode());
        let (rules_key, note_key) = (wanted.origin().as_bytes(), row::note_key(wanted.origin()));
        if kept.rules {
            batch.put(&self.table, rules_key, text);
        } else if before.rules {
            batch.delete(&self.table, rules_key);
        }
        if before.note {
            batch.delete(&self.table, &note_key);
        }
        let origin = Origin {
            rules: Some(rules),
            until,
            state: State::Settled,
            kept,
            is_asked: false,
            is_unsaved: true,
        };
        self.origins.insert(wanted.origin().into(), origin);
        self.unsaved.insert(wanted.origin().into());
        delay
    }

    /// Changes where an origin stands, leaving its rules as they are.
    fn note(&mut self, batch: &mut Batch, wanted: &CanonicalUrl, state: State, until: Time) {
        let Some(origin) = self.origins.get_mut(wanted.origin()) else {
            return;
        };
        origin.state = state;
        origin.until = until;
        origin.kept.note = true;
        origin.is_unsaved = true;
        self.unsaved.insert(wanted.origin().into());
        batch.note(&self.index, brief::origin_key(wanted), origin.kept.encode());
        let row = NoteRow::of(&origin.state, until);
        batch.put(&self.table, &row::note_key(wanted.origin()), &row.encode());
    }

    /// Hears that all rows are in the tables, or about to be.
    pub(super) fn saved(&mut self) {
        for name in std::mem::take(&mut self.unsaved) {
            if let Some(origin) = self.origins.get_mut(&name) {
                origin.is_unsaved = false;
            }
        }
    }

    /// The sitemaps of the URL's origin, in full.
    pub(super) fn sitemaps(&mut self, url: &CanonicalUrl) -> Vec<String> {
        let rules = match self.origin(url) {
            Ok(origin) => origin.rules.as_ref(),
            Err(error) => {
                tracing::warn!(%url, %error, "rules cannot be read, so its sitemaps are unknown");
                None
            }
        };
        rules.map_or_else(Vec::new, |rules| sitemaps_of(rules, url))
    }

    /// Origins in memory.
    #[cfg(test)]
    pub(super) fn n_in_memory(&self) -> usize {
        self.origins.len()
    }

    fn origin(&mut self, url: &CanonicalUrl) -> Result<&Origin, CrawlError> {
        if self.origins.get_mut(url.origin()).is_none() {
            let origin = self.load(url)?;
            self.origins.insert(url.origin().into(), origin);
        }
        Ok(self.origins.peek(url.origin()).expect("inserted above"))
    }

    fn load(&self, url: &CanonicalUrl) -> Result<Origin, CrawlError> {
        let known = self.index.get(brief::origin_key(url))?;
        let known = known.and_then(|short| Kept::decode(short.as_slice()));
        let kept = known.unwrap_or_default();
        let rules = match (known, kept.rules) {
            (None, _) => None,
            (Some(_), false) => Some(Rules::parse(&[], &self.agent)),
            (Some(_), true) => {
                let text = self.table.get(url.origin().as_bytes())?;
                text.map(|text| Rules::parse(&text, &self.agent))
            }
        };
        let note = match kept.note {
            true => self.table.get(&row::note_key(url.origin()))?,
            false => None,
        };
        let note = note.and_then(|bytes| NoteRow::decode(&bytes)?.into_state());
        let (state, until) = note.unwrap_or((State::Settled, kept.until));
        Ok(Origin {
            rules: rules.filter(|_| kept.until > Time(0)),
            until,
            state,
            kept,
            is_asked: false,
            is_unsaved: false,
        })
    }
}

/// What an answer means for the rules.
pub(super) enum Heard {
    Rules(Vec<u8>),
    Moved(CanonicalUrl),
    Failed(Failure),
    Private,
    /// Nothing that could be said of the host.
    Nothing,
}

impl Heard {
    /// What was heard from the host that was asked, which bore it so.
    pub(super) fn of(asked: &CanonicalUrl, fetched: &Fetched, bearing: &Bearing) -> Heard {
        let answer = match (fetched, bearing) {
            // RFC 9309 lets 429 count as "no rules"; whoever is asked too much deserves a rest.
            (Fetched::Answer(_), Bearing::Ill { .. }) => return Heard::Failed(Failure::NoRules),
            (_, Bearing::Ill { failure, .. }) => return Heard::Failed(failure.clone()),
            (Fetched::Answer(answer), _) => answer,
            (Fetched::PrivateAddress, _) => return Heard::Private,
            // Whoever recorded the pages kept to the rules of their time.
            (Fetched::NotArchived, _) => return Heard::Rules(Vec::new()),
            // The fetcher cuts long rules off; what is too large even so never ends.
            (Fetched::TooLarge, _) => return Heard::Failed(Failure::NoRules),
            _ => return Heard::Nothing,
        };
        match answer.status {
            300..400 => {
                let next = answer.location.as_deref();
                next.and_then(|to| asked.join(to).ok())
                    .map_or_else(|| Heard::Rules(Vec::new()), Heard::Moved)
            }
            400.. => Heard::Rules(Vec::new()),
            // Rules are read whatever their type: an empty file has none.
            _ => Heard::Rules(answer.body.to_vec()),
        }
    }
}

/// Whether rules are to be asked for again: their time has come, or is
/// further ahead than rules are ever good for, by a clock that was ahead.
fn is_over(until: Time, now: Time) -> bool {
    until <= now || until > after(now, LONGEST_AGE)
}

/// Whether rules on the way are at another origin, under an address that is
/// no robot's by right.
pub(super) fn is_detour(url: &CanonicalUrl, at: &CanonicalUrl) -> bool {
    at.origin() != url.origin() && at.path_and_query() != ROBOTS
}

fn robots_url(url: &CanonicalUrl) -> CanonicalUrl {
    url.join(ROBOTS).expect("an absolute path joins any URL")
}

/// The sitemaps that rules name, each once, for the origin of a URL.
pub(crate) fn sitemaps_of(rules: &Rules, url: &CanonicalUrl) -> Vec<String> {
    let mut sitemaps: Vec<String> = Vec::new();
    for named in rules.sitemaps() {
        // Relative to the rules, which lie at the root.
        let Ok(sitemap) = robots_url(url).join(named) else {
            continue;
        };
        if !sitemaps.iter().any(|known| known == sitemap.as_str()) {
            sitemaps.push(sitemap.as_str().to_owned());
        }
    }
    sitemaps
}
