//! How many pages of a finite made-up web link to each of its pages.
//!
//! Every page that answers counts, whether a crawl may fetch it or not: this
//! is what the importance of a page is held against, not what a crawler could
//! know of it. A page that links twice counts once, itself never, and a page
//! that has many addresses is one page.

use crate::world::World;
use crawl::fetch::Fetched;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc;

/// Sites that a thread takes at a time.
const SITES_AT_A_TIME: u64 = 64;

/// In-links of every page that has any.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct InLinks {
    /// Number of a page and its in-links, by number.
    counts: Vec<(u64, u32)>,
    /// Pages there are, those without in-links too.
    pub n_pages: u64,
}

impl InLinks {
    /// Counts them all; `hear` is told how many pages were read, and may stop
    /// it: then there are none.
    pub fn count(world: &World, mut hear: impl FnMut(u64) -> ControlFlow<()>) -> Option<InLinks> {
        let next = AtomicU64::new(0);
        let is_stopped = AtomicBool::new(false);
        let n_threads = std::thread::available_parallelism().map_or(1, usize::from);
        let (tell, told) = mpsc::channel::<u64>();
        let parts = std::thread::scope(|scope| {
            let mut threads = Vec::new();
            for _ in 0..n_threads {
                let (next, is_stopped, tell) = (&next, &is_stopped, tell.clone());
                threads.push(scope.spawn(move || read_sites(world, next, is_stopped, &tell)));
            }
            drop(tell);
            let mut n_pages = 0;
            for n in told {
                n_pages += n;
                if hear(n_pages).is_break() {
                    is_stopped.store(true, Ordering::Relaxed);
                }
            }
            let parts = threads.into_iter().map(std::thread::ScopedJoinHandle::join);
            parts.collect::<Result<Vec<Part>, _>>()
        });
        // A reader that panics is a fault of ours: nothing was counted then.
        let parts = parts.ok().filter(|_| !is_stopped.into_inner())?;
        Some(InLinks {
            n_pages: parts.iter().map(|part| part.n_pages).sum(),
            counts: add_up(parts),
        })
    }

    /// Puts counts of numbered pages together, each number once.
    pub(crate) fn of(counts: impl IntoIterator<Item = (u64, u32)>, n_pages: u64) -> InLinks {
        let mut counts: Vec<(u64, u32)> = counts.into_iter().collect();
        counts.sort_unstable();
        InLinks { counts, n_pages }
    }

    /// In-links of the page of a number.
    pub fn of_page(&self, number: u64) -> u32 {
        let at = self.counts.binary_search_by_key(&number, |(page, _)| *page);
        at.map_or(0, |at| self.counts[at].1)
    }

    /// All pages that have some, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (u64, u32)> + '_ {
        self.counts.iter().copied()
    }
}

/// What one thread found.
#[derive(Default)]
struct Part {
    n_pages: u64,
    /// Where links lead, once for each page they stand on.
    targets: Vec<u64>,
}

fn read_sites(
    world: &World,
    next: &AtomicU64,
    is_stopped: &AtomicBool,
    tell: &mpsc::Sender<u64>,
) -> Part {
    let mut part = Part::default();
    while !is_stopped.load(Ordering::Relaxed) {
        let start = next.fetch_add(SITES_AT_A_TIME, Ordering::Relaxed);
        let sites = start..(start + SITES_AT_A_TIME).min(world.n_sites());
        if sites.is_empty() {
            break;
        }
        let n_before = part.n_pages;
        for site in sites {
            for page in 0..world.n_pages_of(site) {
                part.read(world, (site, page));
            }
        }
        let _ = tell.send(part.n_pages - n_before);
    }
    part
}

impl Part {
    fn read(&mut self, world: &World, spot: (u64, u32)) {
        let Some(url) = world.url_at(spot) else {
            return;
        };
        let Fetched::Answer(answer) = world.answer(&url).fetched else {
            return;
        };
        if answer.status != 200 {
            return;
        }
        self.n_pages += 1;
        let page = page::html::read(&answer.body, &url, answer.content_type.as_deref());
        let spots = page
            .links
            .iter()
            .filter_map(|link| world.page_at(&link.url));
        let others = spots.filter(|other| *other != spot);
        let mut targets: Vec<u64> = others.map(number).collect();
        targets.sort_unstable();
        targets.dedup();
        self.targets.extend(targets);
    }
}

/// The number of a page.
pub(crate) fn number((site, page): (u64, u32)) -> u64 {
    site << 32 | u64::from(page)
}

fn add_up(parts: Vec<Part>) -> Vec<(u64, u32)> {
    let n_targets = parts.iter().map(|part| part.targets.len()).sum();
    let mut targets = Vec::with_capacity(n_targets);
    for part in parts {
        targets.extend(part.targets);
    }
    targets.sort_unstable();
    let same = targets.chunk_by(|a, b| a == b);
    same.map(|same| (same[0], same.len() as u32)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldSettings;
    use place::gazetteer::Gazetteer;
    use std::collections::HashMap;

    fn world() -> World {
        let text = "seed = 5\nn_sites = 60\nmax_pages = 30\nmin_population = 900_000\ngerman_min_population = 3_000_000\n";
        let settings = WorldSettings::from_toml(text).unwrap();
        World::new(settings, Gazetteer::built_in())
    }

    #[test]
    fn links_are_counted_from_every_page_once() {
        let world = world();
        let in_links = InLinks::count(&world, |_| ControlFlow::Continue(())).unwrap();
        let mut expected: HashMap<u64, u32> = HashMap::new();
        let mut n_pages = 0;
        for site in 0..60 {
            for page in 0..world.n_pages_of(site) {
                let mut part = Part::default();
                part.read(&world, (site, page));
                n_pages += part.n_pages;
                assert!(!part.targets.contains(&number((site, page))));
                for target in part.targets {
                    *expected.entry(target).or_default() += 1;
                }
            }
        }
        assert_eq!(in_links.n_pages, n_pages);
        assert_eq!(in_links.iter().count(), expected.len());
        assert!(in_links.iter().all(|(page, n)| expected[&page] == n));
        let (page, n) = in_links.iter().max_by_key(|(_, n)| *n).unwrap();
        assert!(n > 20, "{n}");
        assert_eq!(in_links.of_page(page), n);
        assert_eq!(in_links.of_page(u64::MAX), 0);
    }

    #[test]
    fn it_can_be_stopped() {
        assert_eq!(InLinks::count(&world(), |_| ControlFlow::Break(())), None);
    }
}
