//! Seeds that brought nothing, each with the reason.

use crate::outcome::is_failure;
use crate::text::printable;
use page::url::CanonicalUrl;
use std::collections::HashMap;
use store::visit::{Errand, Outcome, Visit};

/// Why a seed is lost that was never recorded.
pub(super) const NOT_ARCHIVED: &str = "it is not in the archive";

/// Why a seed is lost that leads inside a private network.
pub(super) const PRIVATE: &str = "its address is private";

/// Seeds whose last visit failed, and seeds that were never visited because
/// their host could not even be asked for its robots rules. In the order of
/// the list, each once.
pub(super) fn find(
    visits: impl Iterator<Item = Visit>,
    seeds: &[CanonicalUrl],
) -> Vec<(String, String)> {
    let mut fates: HashMap<&str, Option<String>> = HashMap::new();
    fates.extend(seeds.iter().map(|seed| (seed.as_str(), None)));
    let mut dead_origins: HashMap<String, String> = HashMap::new();
    for visit in visits {
        match visit.errand {
            Errand::Page => {
                if let Some(fate) = fates.get_mut(visit.url.as_str()) {
                    *fate = Some(why_lost(&visit).unwrap_or_default());
                }
            }
            Errand::Robots => note_rules(&mut dead_origins, &visit),
            Errand::Sitemap => {}
        }
    }
    let mut lost = Vec::new();
    for seed in seeds {
        let Some(fate) = fates.remove(seed.as_str()) else {
            continue;
        };
        let why = fate.or_else(|| dead_origins.get(seed.origin()).cloned());
        if let Some(why) = why.filter(|why| !why.is_empty()) {
            lost.push((seed.as_str().to_owned(), why));
        }
    }
    lost
}

/// Rules that cannot be had close an origin until they can.
fn note_rules(dead_origins: &mut HashMap<String, String>, visit: &Visit) {
    let Ok(url) = CanonicalUrl::parse(&visit.url) else {
        return;
    };
    match why_lost(visit).filter(|_| closes(visit)) {
        Some(why) => {
            dead_origins.insert(url.origin().to_owned(), why);
        }
        None => {
            dead_origins.remove(url.origin());
        }
    }
}

/// Whether the answer to a request for robots.txt keeps everybody out. A host
/// without rules answers 404, or has none on record, and is open to all.
fn closes(visit: &Visit) -> bool {
    is_failure(visit)
        || visit.outcome == Outcome::PrivateAddress
        || visit
            .status
            .is_some_and(|status| status == 429 || status >= 500)
}

/// None where there was an answer.
fn why_lost(visit: &Visit) -> Option<String> {
    Some(match &visit.outcome {
        Outcome::Fetched | Outcome::Unchanged | Outcome::Redirected(_) => return None,
        Outcome::Status => {
            let status = visit
                .status
                .map_or(String::new(), |status| status.to_string());
            format!("the server answered {status}")
        }
        Outcome::Forbidden { line: 0 } => "robots.txt cannot be had".into(),
        Outcome::Forbidden { line } => format!("robots.txt forbids it (line {line})"),
        Outcome::Unresolved => "its host has no address".into(),
        Outcome::TimedOut => "no answer in time".into(),
        Outcome::PrivateAddress => PRIVATE.into(),
        Outcome::TooLarge => "it is too large".into(),
        Outcome::WrongType(content_type) => {
            format!("it is `{}`, not a page", printable(content_type))
        }
        Outcome::Unreachable(why) => format!("nobody answers: {}", printable(why)),
        Outcome::Garbled(why) => format!("the answer made no sense: {}", printable(why)),
        Outcome::Untrusted(why) => format!("its certificate cannot be trusted: {}", printable(why)),
        Outcome::BadRedirect(why) => format!("it redirects badly: {}", printable(why)),
        Outcome::SoftMissing => "the server answered with an error page".into(),
        Outcome::NotArchived => NOT_ARCHIVED.into(),
        Outcome::BadPort => "its port is not one for pages".into(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use store::visit::Time;

    fn robots(url: &str, outcome: Outcome, status: Option<u16>) -> Visit {
        Visit {
            status,
            ..Visit::new(0, Errand::Robots, Time(0), url, outcome)
        }
    }

    fn lost(visits: Vec<Visit>) -> Vec<String> {
        let seeds = ["http://a.example/", "http://a.example:8080/"];
        let seeds = seeds.map(|seed| CanonicalUrl::parse(seed).unwrap());
        let lost = find(visits.into_iter(), &seeds).into_iter();
        lost.map(|(url, why)| format!("{url} {why}")).collect()
    }

    #[test]
    fn an_unvisited_seed_of_a_host_without_rules_is_not_lost() {
        let rules = "http://a.example/robots.txt";
        assert!(lost(vec![robots(rules, Outcome::Status, Some(404))]).is_empty());
        assert!(lost(vec![robots(rules, Outcome::NotArchived, None)]).is_empty());
        assert_eq!(
            lost(vec![robots(rules, Outcome::Status, Some(503))]),
            ["http://a.example/ the server answered 503"]
        );
    }

    #[test]
    fn rules_that_are_had_at_last_open_their_host_again() {
        let rules = "http://a.example:8080/robots.txt";
        let dead = robots(rules, Outcome::TimedOut, None);
        assert_eq!(
            lost(vec![dead.clone()]),
            ["http://a.example:8080/ no answer in time"]
        );
        let alive = robots(rules, Outcome::Fetched, Some(200));
        assert!(lost(vec![dead, alive]).is_empty());
    }
}
