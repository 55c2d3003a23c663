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
use store::visit::Time;

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
        let threshold = self.threshold(refresh, now)?;
        let mut n_left = refresh.n_pages.unwrap_or(u64::MAX);
        let mut place = None;
        loop {
            let pasts = self.lore.history.walk(&mut place)?;
            if pasts.is_empty() {
                break;
            }
            let is_due = |past: &&Past| chance(past, refresh, now) >= Some(threshold);
            for past in pasts.iter().filter(is_due) {
                if n_left > 0 && self.offer_again(past, now)? {
                    n_left -= 1;
                }
            }
            if self.is_group_full() {
                self.commit(super::Ending::Open)?;
            }
        }
        for node in &mut self.nodes {
            node.frontier.set_scope(Scope::Refresh);
        }
        Ok(())
    }

    /// The least chance of change that is worth a visit, if not all can be had.
    fn threshold(&self, refresh: &Refresh, now: Time) -> Result<f32, CrawlError> {
        let Some(n_pages) = refresh.n_pages else {
            return Ok(0.0);
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
        let n_pages = usize::try_from(n_pages).unwrap_or(usize::MAX);
        if n_pages == 0 || chances.len() <= n_pages {
            return Ok(0.0);
        }
        let (_, nth, _) = chances.select_nth_unstable_by(n_pages - 1, |a, b| b.total_cmp(a));
        Ok(*nth)
    }

    /// Pages that a sitemap says have changed since they were last visited
    /// are put in line again.
    pub(super) fn heed_dates(&mut self, found: &Found) -> Result<(), CrawlError> {
        for (link, hint) in found.page.links.iter().zip(&found.hints) {
            let Some(changed) = hint.changed else {
                continue;
            };
            let past = self.lore.history.past(&link.url)?;
            if let Some(past) = past.filter(|past| past.last() < changed) {
                self.offer_again(&past, self.clock.now())?;
            }
        }
        Ok(())
    }

    fn offer_again(&mut self, past: &Past, now: Time) -> Result<bool, CrawlError> {
        let (Some(url), Some(node)) = (past.url(), self.nodes.get_mut(usize::from(past.node())))
        else {
            return Ok(false);
        };
        let priority = past.chance_of_change(now) as f32;
        let offer = Offer {
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
        self.dir.apply(batch)?;
        Ok(is_new)
    }
}

/// The chance that a page has changed; none if it is too early to ask.
fn chance(past: &Past, refresh: &Refresh, now: Time) -> Option<f32> {
    let is_due = after(past.last(), refresh.least_age) <= now;
    is_due.then(|| past.chance_of_change(now) as f32)
}
