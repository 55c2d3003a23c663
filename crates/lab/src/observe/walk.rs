//! A walk over a made-up web, breadth first from its general seeds.

use crate::world::{Dice, World};
use crawl::fetch::Fetched;
use page::url::CanonicalUrl;
use place::gazetteer::PlaceId;
use place::target::{TargetId, Targets};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Links followed within one site, as in a crawl.
const MAX_DEPTH: u16 = 5;

/// Pages of one site that are enough to know it by.
const MOST_OF_A_SITE: usize = 3_000;

/// A page as the observer saw it.
pub(super) struct Seen {
    pub(super) is_geo: bool,
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
    pub(super) kinds: BTreeMap<String, u64>,
    pub(super) n_troubles: usize,
    pub(super) n_redirects: usize,
    domains: HashMap<String, u32>,
}

struct Step {
    url: CanonicalUrl,
    distance: u32,
    depth: u16,
}

impl Walk {
    pub(super) fn breadth_first(
        world: &World,
        targets: &Targets,
        n_pages: u64,
        hear: &mut dyn FnMut(u64),
    ) -> Walk {
        let by_place: HashMap<PlaceId, TargetId> =
            targets.iter().map(|(id, target)| (target.place, id)).collect();
        let mut walk = Walk::default();
        let seeds = world.seeds(targets);
        let mut queued: HashSet<u64> = seeds.iter().map(short).collect();
        let mut queue: VecDeque<Step> = seeds
            .into_iter()
            .map(|url| Step { url, distance: 0, depth: 0 })
            .collect();
        while let Some(step) = queue.pop_front()
            && (walk.pages.len() as u64) < n_pages
        {
            let next = walk.visit(world, targets, &by_place, &step);
            hear(walk.pages.len() as u64);
            for url in next {
                let leaves = url.registrable_domain() != step.url.registrable_domain();
                let depth = if leaves { 0 } else { step.depth + 1 };
                if depth <= MAX_DEPTH && queued.insert(short(&url)) {
                    queue.push_back(Step { url, distance: step.distance + 1, depth });
                }
            }
        }
        walk
    }

    /// Visits whole sites, at most so many pages of each, any of those that
    /// were met: in-links from within a site are complete.
    pub(super) fn site_by_site(
        world: &World,
        targets: &Targets,
        n_pages: u64,
        hear: &mut dyn FnMut(u64),
    ) -> Walk {
        let by_place = HashMap::new();
        let mut walk = Walk::default();
        let seeds = world.seeds(targets);
        let mut queued: HashSet<String> = HashSet::new();
        let mut queue = seeds;
        let mut dice = Dice::new(&[world.settings().seed]);
        while !queue.is_empty() && (walk.pages.len() as u64) < n_pages {
            let url = queue.swap_remove(dice.below(queue.len() as u64) as usize);
            let pages = match url.path_and_query().starts_with("/Regional/") {
                true => vec![url],
                false => world.pages_of(&url, MOST_OF_A_SITE),
            };
            for url in pages {
                let step = Step { url, distance: 0, depth: 0 };
                let next = walk.visit(world, targets, &by_place, &step);
                hear(walk.pages.len() as u64);
                let elsewhere = |url: &CanonicalUrl| url.host() != step.url.host();
                for url in next.into_iter().filter(elsewhere) {
                    if queued.insert(url.host().to_owned()) {
                        queue.push(url);
                    }
                }
            }
        }
        walk
    }

    /// Looks at one page; returns where it leads.
    fn visit(
        &mut self,
        world: &World,
        targets: &Targets,
        by_place: &HashMap<PlaceId, TargetId>,
        step: &Step,
    ) -> Vec<CanonicalUrl> {
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
        let target_of = |place: &PlaceId| by_place.get(place).copied();
        let domain_idx = self.domains.len() as u32;
        let domain = step.url.registrable_domain();
        let seen = Seen {
            is_geo: truth.addresses.iter().any(|place| by_place.contains_key(place)),
            is_copy: truth.is_copy,
            is_foreign: truth.language != "en",
            by_url: targets.find_in_url(step.url.as_str()),
            by_content: truth.city.as_ref().and_then(target_of),
            distance: step.distance,
            n_bytes: answer.body.len() as u32,
            n_links: page.links.len() as u32,
            domain: *self.domains.entry(domain.to_owned()).or_insert(domain_idx),
            start: self.links.len(),
        };
        *self.kinds.entry(format!("{:?}", truth.kind)).or_default() += 1;
        self.known.insert(short(&step.url), self.pages.len() as u32);
        self.pages.push(seen);
        let own = short(&step.url);
        let mut links: Vec<u64> = page.links.iter().map(|link| short(&link.url)).collect();
        links.sort_unstable();
        links.dedup();
        self.links.extend(links.into_iter().filter(|link| *link != own));
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

    /// For every page, whether a relevant one links to it.
    pub(super) fn is_linked_by_geo(&self) -> Vec<bool> {
        let mut is_linked = vec![false; self.pages.len()];
        for page in (0..self.pages.len() as u32).filter(|page| self.pages[*page as usize].is_geo) {
            for neighbour in self.neighbours(page) {
                is_linked[neighbour as usize] = true;
            }
        }
        is_linked
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

    /// How many pages link to each address that any links to.
    pub(super) fn in_links(&self) -> HashMap<u64, u32> {
        let mut counts = HashMap::new();
        for link in &self.links {
            *counts.entry(*link).or_default() += 1;
        }
        counts
    }

    /// In-links of each page seen.
    pub(super) fn statuses(&self) -> Vec<u32> {
        let counts = self.in_links();
        let mut statuses = vec![0; self.pages.len()];
        for (fingerprint, page) in &self.known {
            statuses[*page as usize] = counts.get(fingerprint).copied().unwrap_or(0);
        }
        statuses
    }
}

fn short(url: &CanonicalUrl) -> u64 {
    url.fingerprint().short()
}
