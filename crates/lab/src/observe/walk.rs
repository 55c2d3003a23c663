//! Walks over a made-up web from its general seeds.

use crate::world::World;
use crawl::fetch::Fetched;
use page::html::Page;
use page::url::CanonicalUrl;
use place::gazetteer::PlaceId;
use place::target::{TargetId, Targets};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BinaryHeap, HashMap, HashSet, VecDeque};
use strategy::assign::{Assign, by_name};
use strategy::evaluate::Evaluation;
use strategy::means::Means;
use strategy::roster::Roster;
use strategy::scene::Scene;

/// Links followed within one site, as in a crawl.
pub(super) const MAX_DEPTH: u16 = 5;

/// Larger sites are left out where whole sites are visited: a few of them
/// would be most of what is seen.
const MOST_OF_A_SITE: u32 = 800;

/// A page as the observer saw it.
pub(super) struct Seen {
    pub(super) is_geo: bool,
    /// It was found on a page with an address of a target.
    pub(super) is_from_geo: bool,
    pub(super) is_copy: bool,
    pub(super) is_foreign: bool,
    /// The target named in its address.
    pub(super) by_url: Option<TargetId>,
    /// The target it is about, by what stands on it.
    pub(super) by_content: Option<TargetId>,
    /// Clicks from the nearest seed.
    pub(super) distance: u32,
    pub(super) n_bytes: u32,
    pub(super) n_links: u32,
    /// Equal for pages of one registrable domain.
    pub(super) domain: u32,
    /// Links lie at this place in the list of all, up to the next page's.
    start: usize,
}

/// Everything seen.
#[derive(Default)]
pub(super) struct Walk {
    pub(super) pages: Vec<Seen>,
    /// Fingerprints of where links lead, each once a page.
    pub(super) links: Vec<u64>,
    /// Position of each page by its fingerprint.
    known: HashMap<u64, u32>,
    /// How many pages of other domains link to each address.
    remote: HashMap<u64, u32>,
    pub(super) kinds: BTreeMap<String, u64>,
    pub(super) n_troubles: usize,
    pub(super) n_redirects: usize,
    domains: HashMap<String, u32>,
}

/// How the observer reads pages: the targets, and the strategy that maps a
/// page by its content.
pub(super) struct Glasses<'a> {
    targets: &'a Targets,
    roster: &'a Roster,
    by_place: HashMap<PlaceId, TargetId>,
    content: Box<dyn Assign>,
}

impl<'a> Glasses<'a> {
    pub(super) fn new(targets: &'a Targets, roster: &'a Roster) -> Glasses<'a> {
        let content = by_name("content").expect("a strategy of that name");
        let content = (content.build)(&Means::new(targets, roster));
        Glasses {
            targets,
            roster,
            by_place: targets
                .iter()
                .map(|(id, target)| (target.place, id))
                .collect(),
            content: content.expect("the defaults are possible"),
        }
    }

    fn mapped(&self, page: &Page) -> Option<TargetId> {
        let evaluation = Evaluation::default();
        let scene = Scene {
            page,
            evaluation: &evaluation,
            targets: self.targets,
            roster: self.roster,
            node: self.roster.general(),
            via: None,
            server: None,
        };
        self.content.view(scene).mapped()
    }
}

struct Step {
    url: CanonicalUrl,
    distance: u32,
    depth: u16,
    /// Clicks since the last page with an address of a target; since the seed
    /// where there was none.
    since_geo: u32,
    is_from_geo: bool,
}

impl Step {
    fn start(url: CanonicalUrl) -> Step {
        Step {
            url,
            distance: 0,
            depth: 0,
            since_geo: 0,
            is_from_geo: false,
        }
    }
}

/// Which page a walk looks at next.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// The one that was found first.
    BreadthFirst,
    /// One that is fewest clicks after a page with an address of a target, as
    /// in the paper of 2009; among equals whichever.
    NearGeoFirst,
}

/// Pages to look at, each once.
struct Queue {
    way: Way,
    heap: BinaryHeap<Reverse<(u32, u64, u64)>>,
    steps: HashMap<u64, Step>,
    queued: HashSet<u64>,
}

impl Queue {
    fn new(way: Way) -> Queue {
        Queue {
            way,
            heap: BinaryHeap::new(),
            steps: HashMap::new(),
            queued: HashSet::new(),
        }
    }

    fn push(&mut self, step: Step) {
        let key = short(&step.url);
        if !self.queued.insert(key) {
            return;
        }
        let seq = self.queued.len() as u64;
        self.heap.push(Reverse(match self.way {
            Way::BreadthFirst => (0, seq, key),
            Way::NearGeoFirst => (step.since_geo, key, key),
        }));
        self.steps.insert(key, step);
    }

    fn pop(&mut self) -> Option<Step> {
        let Reverse((_, _, key)) = self.heap.pop()?;
        self.steps.remove(&key)
    }
}

impl Walk {
    /// Looks at so many pages, each once.
    pub(super) fn along(
        world: &World,
        glasses: &Glasses<'_>,
        way: Way,
        n_pages: u64,
        hear: &mut dyn FnMut(u64),
    ) -> Walk {
        let mut walk = Walk::default();
        let mut queue = Queue::new(way);
        for seed in world.seeds(glasses.targets) {
            queue.push(Step::start(seed));
        }
        while (walk.pages.len() as u64) < n_pages
            && let Some(step) = queue.pop()
        {
            let n_before = walk.pages.len();
            let next = walk.visit(world, glasses, &step);
            hear(walk.pages.len() as u64);
            // A redirect is no click, and says nothing of its own.
            let seen = walk.pages.last().filter(|_| walk.pages.len() > n_before);
            let is_from_geo = seen.map_or(step.is_from_geo, |page| page.is_geo);
            let click = u32::from(seen.is_some());
            let since_geo = match seen {
                Some(page) if page.is_geo => 1,
                _ => step.since_geo + click,
            };
            for url in next {
                let leaves = url.registrable_domain() != step.url.registrable_domain();
                let depth = if leaves { 0 } else { step.depth + click as u16 };
                if depth <= MAX_DEPTH {
                    queue.push(Step {
                        url,
                        distance: step.distance + click,
                        depth,
                        since_geo,
                        is_from_geo,
                    });
                }
            }
        }
        walk
    }

    /// Visits whole sites in the order in which they are met: in-links from
    /// within a site are complete.
    pub(super) fn site_by_site(
        world: &World,
        glasses: &Glasses<'_>,
        n_pages: u64,
        hear: &mut dyn FnMut(u64),
    ) -> Walk {
        let mut walk = Walk::default();
        let seeds = world.seeds(glasses.targets);
        let mut queued: HashSet<String> = HashSet::new();
        let mut queue: VecDeque<CanonicalUrl> = seeds.into();
        while let Some(url) = queue.pop_front()
            && (walk.pages.len() as u64) < n_pages
        {
            let pages = match url.path_and_query().starts_with("/Regional/") {
                true => vec![url],
                false => world.pages_of(&url, MOST_OF_A_SITE),
            };
            for url in pages {
                let step = Step::start(url);
                let next = walk.visit(world, glasses, &step);
                hear(walk.pages.len() as u64);
                let elsewhere = |url: &CanonicalUrl| url.host() != step.url.host();
                for url in next.into_iter().filter(elsewhere) {
                    if queued.insert(url.host().to_owned()) {
                        queue.push_back(url);
                    }
                }
            }
        }
        walk
    }

    /// Looks at one page; returns where it leads.
    fn visit(&mut self, world: &World, glasses: &Glasses<'_>, step: &Step) -> Vec<CanonicalUrl> {
        let Fetched::Answer(answer) = world.answer(&step.url).fetched else {
            self.n_troubles += 1;
            return Vec::new();
        };
        let truth = world.truth(&step.url).filter(|_| answer.status == 200);
        let Some(truth) = truth else {
            self.n_troubles += 1;
            let to = answer.location.and_then(|to| step.url.join(&to).ok());
            self.n_redirects += usize::from(to.is_some());
            return to.into_iter().collect();
        };
        let page = page::html::read(&answer.body, &step.url, answer.content_type.as_deref());
        let domain_idx = self.domains.len() as u32;
        let domain = step.url.registrable_domain();
        let seen = Seen {
            is_geo: truth
                .addresses
                .iter()
                .any(|place| glasses.by_place.contains_key(place)),
            is_from_geo: step.is_from_geo,
            is_copy: truth.is_copy,
            is_foreign: truth.language != "en",
            by_url: glasses.targets.find_in_url(step.url.as_str()),
            by_content: glasses.mapped(&page),
            distance: step.distance,
            n_bytes: answer.body.len() as u32,
            n_links: page.links.len() as u32,
            domain: *self.domains.entry(domain.to_owned()).or_insert(domain_idx),
            start: self.links.len(),
        };
        *self.kinds.entry(format!("{:?}", truth.kind)).or_default() += 1;
        self.known.insert(short(&step.url), self.pages.len() as u32);
        self.pages.push(seen);
        let remote: HashSet<u64> = page
            .links
            .iter()
            .filter(|link| link.leaves_domain)
            .map(|link| short(&link.url))
            .collect();
        for link in remote {
            *self.remote.entry(link).or_default() += 1;
        }
        let own = short(&step.url);
        let mut links: Vec<u64> = page.links.iter().map(|link| short(&link.url)).collect();
        links.sort_unstable();
        links.dedup();
        self.links
            .extend(links.into_iter().filter(|link| *link != own));
        page.links.into_iter().map(|link| link.url).collect()
    }

    /// Fingerprints that a page links to.
    pub(super) fn links_of(&self, page: u32) -> &[u64] {
        let start = self.pages[page as usize].start;
        let next = self.pages.get(page as usize + 1);
        &self.links[start..next.map_or(self.links.len(), |next| next.start)]
    }

    /// Pages seen that a page links to.
    pub(super) fn neighbours(&self, page: u32) -> impl Iterator<Item = u32> + '_ {
        let links = self.links_of(page).iter();
        links.filter_map(|link| self.known.get(link).copied())
    }

    pub(super) fn geo_distances(&self) -> Vec<f64> {
        let geo = self.pages.iter().filter(|page| page.is_geo);
        geo.map(|page| f64::from(page.distance)).collect()
    }

    pub(super) fn seed_distances(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for page in self.pages.iter().filter(|page| page.is_geo) {
            let distance = page.distance as usize;
            counts.resize(counts.len().max(distance + 1), 0);
            counts[distance] += 1;
        }
        counts
    }

    /// In-links from other domains, in ascending order: sums must not depend
    /// on how a map is laid out.
    pub(super) fn remote_counts(&self) -> Vec<u32> {
        let mut counts: Vec<u32> = self.remote.values().copied().collect();
        counts.sort_unstable();
        counts
    }

    /// In-links of each page seen.
    pub(super) fn statuses(&self) -> Vec<u32> {
        let mut statuses = vec![0; self.pages.len()];
        for page in self.links.iter().filter_map(|link| self.known.get(link)) {
            statuses[*page as usize] += 1;
        }
        statuses
    }
}

fn short(url: &CanonicalUrl) -> u64 {
    url.fingerprint().short()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The paths in the order in which a queue gives them.
    fn taken(way: Way, steps: &[(&str, u32)]) -> Vec<String> {
        let mut queue = Queue::new(way);
        for (path, since_geo) in steps {
            let url = CanonicalUrl::parse(&format!("http://a.example/{path}")).unwrap();
            queue.push(Step {
                since_geo: *since_geo,
                ..Step::start(url)
            });
        }
        let urls = std::iter::from_fn(|| queue.pop()).map(|step| step.url);
        urls.map(|url| url.path_and_query().to_owned()).collect()
    }

    #[test]
    fn pages_come_as_found_or_near_relevant_ones_first_and_once() {
        let steps = [("far", 3), ("near", 1), ("between", 2), ("far", 0)];
        assert_eq!(
            taken(Way::BreadthFirst, &steps),
            ["/far", "/near", "/between"]
        );
        assert_eq!(
            taken(Way::NearGeoFirst, &steps),
            ["/near", "/between", "/far"]
        );
    }
}
