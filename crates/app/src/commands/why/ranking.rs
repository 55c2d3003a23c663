//! What raised or lowered a link. An order that adds up signs has put on record
//! what each counted; of others, these are the words and signs that they saw of
//! it, and what those are worth by what was learned since.

use super::Crawl;
use super::weighing::weighs;
use crate::session;
use page::html::{self, Page};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use serde_json::{Value, json};
use std::collections::HashSet;
use store::crawl_dir::VisitReader;
use store::visit::{Trail, Visit};
use store::warc;
use strategy::evaluate::Evaluator;
use strategy::order::{Sighting, shorten};
use strategy::scene::Scene;

/// Signs named.
const MOST: usize = 8;

/// What an account does not tell one by one.
const EVERYTHING_ELSE: &str = "everything else";

/// A sign of a link, and what it counts in log odds; none where the order
/// counts no signs.
pub(super) type Sign = (String, Option<f32>);

/// The signs that counted most; none where the order saw nothing, or where
/// what it was built from is gone.
pub(super) fn signs(crawl: &Crawl<'_>, visit: &Visit) -> Vec<Sign> {
    let has_clues = |trail: &&Trail| !trail.clues.is_empty() && !weighs(crawl);
    let Some(trail) = visit.trail.as_ref().filter(has_clues) else {
        return Vec::new();
    };
    let look = || {
        let url = CanonicalUrl::parse(&visit.url)?;
        let page = referrer(crawl, visit, &url)?;
        let known = Known::Visited(trail, &visit.account);
        look(crawl, &url, &page, &known)
    };
    look().unwrap_or_default()
}

/// What is known of a link.
enum Known<'a> {
    /// What it was known by, and what decided.
    Visited(&'a Trail, &'a [(u32, f32)]),
    /// It waits, so many links from a relevant page.
    Waits(u16),
}

/// The same for a link that waits, on a page that has it.
pub(super) fn signs_of_waiting(crawl: &Crawl<'_>, url: &CanonicalUrl, on: &Visit) -> Vec<Sign> {
    let before = on.trail.as_ref().map_or(0, |trail| trail.distance);
    // A seed counts as relevant.
    let distance = match on.is_geo() || before == 0 {
        true => 1,
        false => before.saturating_add(1),
    };
    let look = || -> anyhow::Result<Vec<Sign>> {
        match archived(crawl, on)? {
            Some(page) if !weighs(crawl) => look(crawl, url, &page, &Known::Waits(distance)),
            _ => Ok(Vec::new()),
        }
    };
    look().unwrap_or_default()
}

/// `anchor oldenburg ×9.1, path forum ÷2.4`
pub(super) fn text(signs: &[Sign]) -> String {
    let show = |(name, weight): &Sign| match weight {
        Some(weight) if *weight >= 0.0 => format!("{name} ×{:.1}", weight.exp()),
        Some(weight) => format!("{name} ÷{:.1}", (-weight).exp()),
        None => name.clone(),
    };
    // Places have commas of their own.
    let is_weighed = signs.iter().any(|(_, weight)| weight.is_some());
    let separator = if is_weighed { ", " } else { "; " };
    let mut text = signs.iter().map(show).collect::<Vec<_>>().join(separator);
    if signs
        .last()
        .is_some_and(|(name, _)| name == EVERYTHING_ELSE)
    {
        let sum: f32 = signs.iter().filter_map(|(_, weight)| *weight).sum();
        let odds = sum.exp();
        text += &format!(" = odds of {odds:.3}, priority {:.3}", odds / (1.0 + odds));
    }
    text
}

/// The same for programs: weights are log odds.
pub(super) fn json(signs: &[Sign]) -> Value {
    let show = |(name, weight): &Sign| json!({ "name": name, "weight": weight });
    signs.iter().map(show).collect()
}

/// The signs of a link on a page: those that it was known by, else those that
/// it has now.
fn look(
    crawl: &Crawl<'_>,
    url: &CanonicalUrl,
    page: &Page,
    known: &Known<'_>,
) -> anyhow::Result<Vec<Sign>> {
    let targets = crawl.plan.targets()?;
    let roster = crawl.plan.roster(&targets)?;
    let order = session::order_of(crawl.dir, &crawl.plan, &targets, &roster)?;
    let evaluation = Evaluator::new(Gazetteer::built_in(), &targets).evaluate(page);
    let scene = Scene {
        page,
        evaluation: &evaluation,
        targets: &targets,
        roster: &roster,
        node: roster.general(),
        via: None,
        server: None,
    };
    let Some(link) = page.links.iter().find(|link| link.url == *url) else {
        return Ok(Vec::new());
    };
    let named = order.eye.name(&scene, link);
    let clues: Vec<u32> = match known {
        Known::Visited(trail, _) => trail.clues.clone(),
        Known::Waits(_) => order
            .eye
            .look(&scene, &[link])
            .into_iter()
            .flatten()
            .collect(),
    };
    let learns = order.mind.memory() > 0;
    match known {
        Known::Visited(_, account) if !account.is_empty() => {
            return Ok(accounted(account, &named));
        }
        // Nothing else decided.
        Known::Visited(trail, _) if trail.distance == 0 && learns => return Ok(Vec::new()),
        Known::Visited(..) => {}
        Known::Waits(distance) => {
            let url = url.fingerprint().short();
            let sighting = Sighting::new(url, *distance, &clues);
            let account = order.mind.account(&sighting);
            let sum: f32 = account.iter().map(|(_, weight)| weight).sum();
            if !account.is_empty() {
                let account = shorten(account, 1.0 / (1.0 + (-sum).exp()));
                return Ok(accounted(&account, &named));
            }
        }
    }
    let clues: HashSet<u32> = clues.into_iter().collect();
    let mut signs: Vec<Sign> = Vec::new();
    for (sign, name) in named {
        let weight = order.mind.weigh(sign);
        let is_there = weight.is_none() || clues.contains(&sign);
        if is_there && !signs.iter().any(|(known, _)| *known == name) {
            signs.push((name, weight));
        }
    }
    signs.retain(|(_, weight)| weight.is_some() || !learns);
    signs.sort_by(|(_, a), (_, b)| {
        let loudness = |weight: &Option<f32>| weight.unwrap_or(0.0).abs();
        loudness(b).total_cmp(&loudness(a))
    });
    signs.truncate(MOST);
    Ok(signs)
}

/// What decided, in words; what has none is in the last one. All of them
/// multiply to the odds of the priority.
fn accounted(account: &[(u32, f32)], named: &[(u32, String)]) -> Vec<Sign> {
    let name_of = |sign: u32| named.iter().find(|(known, _)| *known == sign);
    let mut signs = Vec::new();
    let mut others = 0.0;
    for (sign, weight) in account {
        match name_of(*sign) {
            Some((_, name)) => signs.push((name.clone(), Some(*weight))),
            None => others += weight,
        }
    }
    signs.push((EVERYTHING_ELSE.to_owned(), Some(others)));
    signs
}

/// The page that a link stands on, as far as it was archived; else one with
/// nothing but the link.
fn referrer(crawl: &Crawl<'_>, visit: &Visit, url: &CanonicalUrl) -> anyhow::Result<Page> {
    let alone = || {
        let html = format!("<a href=\"{}\"></a>", url.as_str().replace('"', "%22"));
        html::read(html.as_bytes(), url, None)
    };
    let Some(from) = &visit.from else {
        return Ok(alone());
    };
    let is_referrer = |visit: &Visit| visit.url == *from && visit.archived.is_some();
    let page = match VisitReader::open(crawl.dir)?.find(is_referrer) {
        Some(found) => archived(crawl, &found)?,
        None => None,
    };
    let has_link = |page: &Page| page.links.iter().any(|link| link.url == *url);
    Ok(page.filter(has_link).unwrap_or_else(alone))
}

/// The page that a visit brought, as far as it was archived.
fn archived(crawl: &Crawl<'_>, visit: &Visit) -> anyhow::Result<Option<Page>> {
    let url = CanonicalUrl::parse(&visit.url)?;
    let Some(shelf) = visit.archived else {
        return Ok(None);
    };
    let response = warc::read_at(crawl.dir, shelf)?;
    Ok(response.map(|response| {
        let content_type = response.content_type();
        html::read(&response.body, &url, content_type.as_deref())
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signs_multiply_or_divide_the_odds() {
        let signs = [
            ("anchor oldenburg".to_owned(), Some(2.0_f32.ln())),
            ("path forum".to_owned(), Some(-(4.0_f32.ln()))),
        ];
        assert_eq!(text(&signs), "anchor oldenburg ×2.0, path forum ÷4.0");
        let places = ["Lisbon, Portugal", "Europe"].map(|name| (name.to_owned(), None));
        assert_eq!(text(&places), "Lisbon, Portugal; Europe");
    }
}
