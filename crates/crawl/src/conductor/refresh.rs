//! Goes round again: asks for the pages most likely to have changed.
//!
//! A refresh visits only pages that were fetched before. New links on them
//! wait in the frontier like any others, for the next ordinary session.

use super::Conductor;
use crate::clock::after;
use crate::error::CrawlError;
use crate::frontier::{Offer, Purpose, Scope};
use crate::history::Past;
use crate::reading::Found;
use std::time::Duration;
use store::visit::{Time, Trail};

/// Which pages are to be visited again.
#[derive(Debug, Clone, Copy)]
pub struct Refresh {
    /// Pages asked for more recently than this are left alone.
    pub least_age: Duration,
    /// At most so many, the likeliest to have changed.
    pub n_pages: Option<u64>,
}

impl Conductor {
    /// Puts the pages in line that are due, and nothing else will be fetched.
    pub(super) fn plant_again(&mut self, refresh: &Refresh) -> Result<(), CrawlError> {
        let now = self.clock.now();
        let mut cut = self.cut(refresh, now)?;
        let mut place = None;
        loop {
            let pasts = self.lore.history.walk(&mut place)?;
            if pasts.is_empty() {
                break;
            }
            for past in &pasts {
                if chance(past, refresh, now).is_some_and(|chance| cut.takes(chance)) {
                    self.offer_again(past, now)?;
                }
            }
            self.commit_when_full()?;
        }
        for node in &mut self.nodes {
            node.frontier.set_scope(Scope::Refresh);
        }
        Ok(())
    }

    /// Which pages are the likeliest to have changed, if not all can be had.
    fn cut(&self, refresh: &Refresh, now: Time) -> Result<Cut, CrawlError> {
        let Some(n_pages) = refresh.n_pages else {
            return Ok(Cut::NONE);
        };
        let mut chances = Vec::new();
        let mut place = None;
        loop {
            let pasts = self.lore.history.walk(&mut place)?;
            if pasts.is_empty() {
                break;
            }
            chances.extend(pasts.iter().filter_map(|past| chance(past, refresh, now)));
        }
        Ok(Cut::after(n_pages, chances))
    }

    /// Pages that a sitemap says have changed since they were last visited
    /// are put in line again.
    pub(super) fn heed_dates(&mut self, found: &Found) -> Result<(), CrawlError> {
        for (link, hint) in found.page.links.iter().zip(&found.hints) {
            let Some(changed) = hint.changed else {
                continue;
            };
            // Nobody knows what will change.
            let now = self.now();
            if changed > now {
                continue;
            }
            let past = self.lore.history.past(&link.url)?;
            if let Some(past) = past.filter(|past| past.last() < changed) {
                self.offer_again(&past, now)?;
            }
        }
        Ok(())
    }

    /// Puts a page in line again, unless there are enough.
    fn offer_again(&mut self, past: &Past, now: Time) -> Result<(), CrawlError> {
        let node = self.nodes.get_mut(usize::from(past.node()));
        let (1.., Some(url), Some(node)) = (self.n_again_left, past.url(), node) else {
            return Ok(());
        };
        let priority = past.chance_of_change(now) as f32;
        // It may have been visited there, and nobody else's word is taken for it.
        // The machine is not known any more once tables were lost.
        let machine = self.gate.host_view(&url).and_then(|host| host.machine);
        let offer = Offer {
            trail: Trail {
                is_own: past.is_own() || machine.is_some_and(|ip| self.settings.is_own(ip)),
                ..Trail::default()
            },
            url,
            from: None,
            depth: past.depth(),
            hops: 0,
            tries: 0,
            purpose: match past.is_sitemap() {
                true => Purpose::Sitemap,
                false => Purpose::Refresh,
            },
            target: None,
            priority,
            because: "visited before, may have changed".into(),
        };
        let mut batch = self.dir.batch();
        let is_new = node.frontier.offer_again(&mut batch, &offer)?;
        self.n_again_left -= u64::from(is_new);
        self.dir.apply(batch)?;
        Ok(())
    }
}

/// The least chance of change that is worth a visit, and how many of those
/// with just that chance are.
#[derive(Debug, PartialEq)]
struct Cut {
    chance: f32,
    n_ties: u64,
}

impl Cut {
    const NONE: Cut = Cut {
        chance: 0.0,
        n_ties: u64::MAX,
    };

    /// Leaves the `n_pages` likeliest.
    fn after(n_pages: u64, mut chances: Vec<f32>) -> Cut {
        let n_places = usize::try_from(n_pages).unwrap_or(usize::MAX);
        if n_places == 0 || chances.len() <= n_places {
            return Cut::NONE;
        }
        let (before, nth, _) = chances.select_nth_unstable_by(n_places - 1, |a, b| b.total_cmp(a));
        let n_above = before.iter().filter(|chance| **chance > *nth).count();
        Cut {
            chance: *nth,
            n_ties: n_pages - n_above as u64,
        }
    }

    fn takes(&mut self, chance: f32) -> bool {
        if chance != self.chance {
            return chance > self.chance;
        }
        let is_taken = self.n_ties > 0;
        self.n_ties = self.n_ties.saturating_sub(1);
        is_taken
    }
}

/// The chance that a page has changed; none if it is too early to ask.
fn chance(past: &Past, refresh: &Refresh, now: Time) -> Option<f32> {
    let is_due = after(past.last(), refresh.least_age) <= now;
    is_due.then(|| past.chance_of_change(now) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_likeliest_are_taken_and_only_so_many_of_equals() {
        let chances = [0.5, 0.9, 0.5, 0.1, 0.5, 0.9, 1.0];
        let taken = |n_pages| {
            let mut cut = Cut::after(n_pages, chances.to_vec());
            let taken = chances.into_iter().filter(|chance| cut.takes(*chance));
            taken.collect::<Vec<f32>>()
        };
        assert_eq!(taken(3), [0.9, 0.9, 1.0]);
        assert_eq!(taken(4), [0.5, 0.9, 0.9, 1.0]);
        assert_eq!(taken(5), [0.5, 0.9, 0.5, 0.9, 1.0]);
        assert_eq!(taken(7), chances);
        assert_eq!(taken(100), chances);
    }
}
