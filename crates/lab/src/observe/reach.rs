//! How much of a finite made-up web a crawler can reach at all.
//!
//! The walk goes wherever an ordinary crawler may: hosts that answer, pages
//! that robots rules leave open, as deep into a site as a crawl goes. A page
//! counts once, whatever addresses lead to it; months of endless calendars do
//! not count.

use super::walk::MAX_DEPTH;
use crate::world::{Truth, World};
use crawl::fetch::Fetched;
use crawl::robots::Rules;
use page::url::CanonicalUrl;
use place::target::Targets;
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

/// Whose rules are obeyed.
const AGENT: &str = "Locavore";

/// A site and one of its pages.
type Spot = (u64, u32);

/// What can be reached from the seeds of a crawl.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reach {
    /// Pages.
    pub pages: u64,
    /// Those with an address of a target.
    pub relevant: u64,
}

/// How a walk over all pages ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Extent {
    /// Every page that can be reached was seen.
    Whole(Reach),
    /// There are more pages than anybody wants to see.
    TooLarge,
    /// Whoever listened did not want to go on.
    Stopped,
}

/// Counts the pages that a crawl for these targets can reach, up to `most`;
/// `hear` is told how many were seen so far.
pub fn reach(
    world: &World,
    targets: &Targets,
    most: u64,
    mut hear: impl FnMut(u64) -> ControlFlow<()>,
) -> Extent {
    let mut walk = Walk::new(world, targets);
    for url in world.seeds(targets) {
        walk.offer(&url, 0);
    }
    while let Some((spot, depth)) = walk.next() {
        if walk.depths.len() as u64 > most {
            return Extent::TooLarge;
        }
        if hear(walk.reach.pages).is_break() {
            return Extent::Stopped;
        }
        walk.visit(spot, depth);
    }
    Extent::Whole(walk.reach)
}

/// The pages that a crawl is for: those with an address of a target.
pub(crate) struct Wanted(Targets);

impl Wanted {
    /// Those of some targets.
    pub(crate) fn of(targets: &Targets) -> Wanted {
        Wanted(targets.clone())
    }

    /// A number for the wanted page that a URL leads to, the same for all of
    /// its addresses; none if it leads to another page or to none.
    pub(crate) fn number(&self, world: &World, url: &CanonicalUrl) -> Option<u64> {
        let (site, page) = world.page_at(url)?;
        let truth = world.truth(&world.url_at((site, page))?)?;
        self.has(&truth).then_some(site << 32 | u64::from(page))
    }

    fn has(&self, truth: &Truth) -> bool {
        let mut addresses = truth.addresses.iter();
        addresses.any(|place| self.0.holding(*place).is_some())
    }
}

struct Walk<'w> {
    world: &'w World,
    wanted: Wanted,
    /// Pages to visit, by how many links of their site lead to them. Shallow
    /// ones first: a page that is found again nearer to where its site can be
    /// entered has to be visited again, since more of its links may be followed.
    waiting: [VecDeque<Spot>; MAX_DEPTH as usize + 1],
    /// The least depth at which each page was found.
    depths: HashMap<Spot, u16>,
    visited: HashSet<Spot>,
    rules: HashMap<String, Rules>,
    reach: Reach,
}

impl<'w> Walk<'w> {
    fn new(world: &'w World, targets: &Targets) -> Walk<'w> {
        Walk {
            world,
            wanted: Wanted::of(targets),
            waiting: Default::default(),
            depths: HashMap::new(),
            visited: HashSet::new(),
            rules: HashMap::new(),
            reach: Reach::default(),
        }
    }

    fn next(&mut self) -> Option<(Spot, u16)> {
        let mut queues = self.waiting.iter_mut().zip(0_u16..);
        queues.find_map(|(queue, depth)| Some((queue.pop_front()?, depth)))
    }

    /// Takes a link in, unless its page was found before at no greater depth.
    fn offer(&mut self, url: &CanonicalUrl, depth: u16) {
        let Some(spot) = self.world.page_at(url) else {
            return;
        };
        let known = self.depths.get(&spot);
        if depth <= MAX_DEPTH && known.is_none_or(|known| *known > depth) {
            self.depths.insert(spot, depth);
            self.waiting[usize::from(depth)].push_back(spot);
        }
    }

    fn visit(&mut self, spot: Spot, depth: u16) {
        // It may have been found nearer in the meantime.
        if self.depths.get(&spot) != Some(&depth) {
            return;
        }
        let Some(url) = self.world.url_at(spot).filter(|url| self.may_ask(url)) else {
            return;
        };
        let Fetched::Answer(answer) = self.world.answer(&url).fetched else {
            return;
        };
        if answer.status != 200 {
            return;
        }
        if self.visited.insert(spot) {
            self.count(&url);
        }
        let page = page::html::read(&answer.body, &url, answer.content_type.as_deref());
        for link in page.links {
            let next = match link.leaves_domain {
                true => 0,
                false => depth + 1,
            };
            self.offer(&link.url, next);
        }
    }

    fn count(&mut self, url: &CanonicalUrl) {
        let Some(truth) = self.world.truth(url) else {
            return;
        };
        self.reach.pages += 1;
        self.reach.relevant += u64::from(self.wanted.has(&truth));
    }

    fn may_ask(&mut self, url: &CanonicalUrl) -> bool {
        let world = self.world;
        let rules = self.rules.entry(url.host().to_owned());
        let rules = rules.or_insert_with(|| rules_of(world, url));
        rules.verdict(url.path_and_query()).allowed
    }
}

/// A host's rules, or what their absence means to a crawler.
fn rules_of(world: &World, url: &CanonicalUrl) -> Rules {
    let fetched = url
        .join("/robots.txt")
        .map(|url| world.answer(&url).fetched);
    match fetched {
        Ok(Fetched::Answer(answer)) if answer.status == 200 => Rules::parse(&answer.body, AGENT),
        Ok(Fetched::Answer(answer)) if (400..500).contains(&answer.status) => Rules::allow_all(),
        _ => Rules::disallow_all(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::WorldSettings;
    use place::gazetteer::Gazetteer;

    fn world(more: &str) -> World {
        // Few cities: the directory has pages for each.
        let text = format!(
            "seed = 5\nn_sites = 300\nmax_pages = 60\nmin_population = 900_000\ngerman_min_population = 3_000_000\n{more}"
        );
        let settings = WorldSettings::from_toml(&text).unwrap();
        World::new(settings, Gazetteer::built_in())
    }

    fn houston() -> Targets {
        Targets::parse(Gazetteer::built_in(), &["Houston, TX".to_owned()]).unwrap()
    }

    fn whole(world: &World) -> Reach {
        let extent = reach(world, &houston(), 1_000_000, |_| ControlFlow::Continue(()));
        let Extent::Whole(reach) = extent else {
            panic!("{extent:?}");
        };
        reach
    }

    #[test]
    fn traps_do_not_make_a_web_larger() {
        let plain = "calendars = 0\nsession_ids = 0\nfacets = 0\n";
        let traps = "calendars = 900\nsession_ids = 900\nfacets = 900\n";
        let (plain, trapped) = (whole(&world(plain)), whole(&world(traps)));
        assert_eq!(plain, trapped);
        assert!(
            plain.relevant > 0 && plain.relevant < plain.pages,
            "{plain:?}"
        );
    }

    #[test]
    fn what_is_forbidden_or_dead_is_out_of_reach() {
        let open = "robots_missing = 1000\nrobots_folder = 0\nrobots_delay = 0\nrobots_closed = 0\nrobots_broken = 0\nrefusing_hosts = 0\nhanging_hosts = 0\n";
        let closed = open.replace("robots_missing = 1000", "robots_missing = 0");
        let closed = closed.replace("robots_closed = 0", "robots_closed = 1000");
        let dead = open.replace("refusing_hosts = 0", "refusing_hosts = 1000");
        let open = whole(&world(open));
        // Only the directory that crawls start from is left.
        let closed = whole(&world(&closed));
        assert_eq!(closed, whole(&world(&dead)));
        assert!(closed.pages < open.pages);
        assert_eq!(closed.relevant, 0);
    }

    #[test]
    fn a_large_web_is_given_up() {
        let extent = reach(&world(""), &houston(), 50, |_| ControlFlow::Continue(()));
        assert_eq!(extent, Extent::TooLarge);
        let extent = reach(&world(""), &houston(), 50, |_| ControlFlow::Break(()));
        assert_eq!(extent, Extent::Stopped);
    }
}
