//! What is known of a made-up web that is crawled for topics: the in-links of
//! its pages, the sites that its directory lists, its traffic.
//!
//! Crawls are given the traffic alone, as a list that anybody could publish;
//! the rest is what they are measured with. In-links take minutes to count
//! and are kept in a file, for all trials and for those who come back later.

use super::{ExperimentError, impossible};
use crate::measure::site_of;
use crate::observe::{InLinks, number};
use crate::traffic;
use crate::world::{World, WorldSettings};
use page::html::Link;
use page::url::CanonicalUrl;
use std::collections::HashSet;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;
use strategy::status::Traffic;
use xxhash_rust::xxh3::xxh3_64;

/// One web, known.
pub(super) struct Ground {
    pub(super) world: Arc<World>,
    pub(super) traffic: Arc<Traffic>,
    in_links: InLinks,
    /// Sites that the directory lists, by host without `www.`.
    listed: HashSet<String>,
}

impl Ground {
    /// Gets to know a web; in-links are kept in a file. None if it was stopped.
    pub(super) fn survey(
        world: World,
        file: &Path,
        hear: impl FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Option<Ground>, ExperimentError> {
        let stamp = stamp(world.settings());
        let kept = std::fs::read(file).ok();
        let in_links = match kept.and_then(|bytes| decode(&bytes, stamp)) {
            Some(kept) => kept,
            None => {
                let Some(counted) = InLinks::count(&world, hear) else {
                    return Ok(None);
                };
                super::write_bytes(file, &encode(&counted, stamp))?;
                counted
            }
        };
        let domains = traffic::ranking(&world);
        Ok(Some(Ground {
            listed: listed(&world),
            traffic: Arc::new(Traffic::ranked(domains.iter().map(String::as_str))),
            in_links,
            world: Arc::new(world),
        }))
    }

    /// How many pages link to the page that a URL leads to; none where there is none.
    pub(super) fn n_inlinks(&self, url: &str) -> Option<u64> {
        let url = CanonicalUrl::parse(url).ok()?;
        let spot = self.world.page_at(&url)?;
        Some(u64::from(self.in_links.of_page(number(spot))))
    }

    /// Whether the page that a URL leads to is truly about a topic.
    pub(super) fn is_about(&self, url: &str, topic: usize) -> Option<bool> {
        let url = CanonicalUrl::parse(url).ok()?;
        let (site, _) = self.world.page_at(&url)?;
        Some(self.world.topic_of(site) == Some(topic))
    }

    /// Whether the directory lists a site.
    pub(super) fn is_listed(&self, site: &str) -> bool {
        self.listed.contains(site)
    }

    /// Pages there are, and sites that are listed.
    #[cfg(test)]
    fn size(&self) -> (u64, usize) {
        (self.in_links.n_pages, self.listed.len())
    }
}

/// Every site that some page of the directory links to.
fn listed(world: &World) -> HashSet<String> {
    let mut hosts = HashSet::new();
    for page in world.directory_pages() {
        let Some(page) = crate::shelves::fetch(world, &page) else {
            continue;
        };
        let is_there = |link: &&Link| link.leaves_domain && world.page_at(&link.url).is_some();
        let outside = page.links.iter().filter(is_there);
        hosts.extend(outside.map(|link| site_of(&link.url).to_owned()));
    }
    hosts
}

/// First bytes of a file of in-links: what it is, and its version.
const MAGIC: &[u8; 8] = b"inlinks1";

/// What a count depends on.
fn stamp(settings: &WorldSettings) -> u64 {
    let text = serde_json::to_string(settings).expect("plain data always encodes");
    xxh3_64(text.as_bytes())
}

fn encode(in_links: &InLinks, stamp: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(stamp.to_le_bytes());
    bytes.extend(in_links.n_pages.to_le_bytes());
    for (page, n) in in_links.iter() {
        bytes.extend(page.to_le_bytes());
        bytes.extend(n.to_le_bytes());
    }
    bytes
}

/// What was kept of the same web; nothing of another one, or of a damaged file.
fn decode(bytes: &[u8], stamp: u64) -> Option<InLinks> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (kept_stamp, rest) = rest.split_first_chunk::<8>()?;
    let (n_pages, rest) = rest.split_first_chunk::<8>()?;
    if u64::from_le_bytes(*kept_stamp) != stamp || !rest.len().is_multiple_of(12) {
        return None;
    }
    let count = |entry: &[u8]| {
        let (page, n) = entry.split_first_chunk::<8>()?;
        let n = n.first_chunk::<4>()?;
        Some((u64::from_le_bytes(*page), u32::from_le_bytes(*n)))
    };
    let counts: Option<Vec<(u64, u32)>> = rest.chunks(12).map(count).collect();
    Some(InLinks::of(counts?, u64::from_le_bytes(*n_pages)))
}

/// The world of a seed, or why there is none.
pub(super) fn world(bench: &super::Bench, seed: u64) -> Result<World, ExperimentError> {
    let world = bench.source.world(seed);
    world.ok_or_else(|| impossible("`topics` is for made-up webs; `web` names recorded pages"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use place::gazetteer::Gazetteer;

    fn small() -> World {
        let text = "seed = 5\nn_sites = 300\nmax_pages = 30\nmin_population = 900_000\ngerman_min_population = 3_000_000\n";
        let settings = WorldSettings::from_toml(text).unwrap();
        World::new(settings, Gazetteer::built_in())
    }

    #[test]
    fn in_links_are_counted_once_and_kept() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("in_links").join("5.bin");
        let go_on = |_| ControlFlow::Continue(());
        let ground = Ground::survey(small(), &file, go_on).unwrap().unwrap();
        let never = |_| panic!("it was counted before");
        let again = Ground::survey(small(), &file, never).unwrap().unwrap();
        assert_eq!(again.in_links, ground.in_links);
        let front = ground.world.url_at((7, 0)).unwrap();
        let n = ground.n_inlinks(front.as_str()).unwrap();
        assert!(n > 0, "{front}");
        assert_eq!(again.n_inlinks(front.as_str()), Some(n));
        assert_eq!(ground.n_inlinks("http://elsewhere.example/"), None);
        // A file of another web, or a damaged one, is not taken.
        let bytes = std::fs::read(&file).unwrap();
        assert!(decode(&bytes, stamp(ground.world.settings())).is_some());
        assert_eq!(decode(&bytes, 1), None);
        assert_eq!(
            decode(&bytes[..bytes.len() - 1], stamp(ground.world.settings())),
            None
        );
        assert_eq!(decode(b"", 1), None);
    }

    #[test]
    fn the_directory_lists_some_sites_and_traffic_names_popular_ones() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("5.bin");
        let go_on = |_| ControlFlow::Continue(());
        let ground = Ground::survey(small(), &file, go_on).unwrap().unwrap();
        let (n_pages, n_listed) = ground.size();
        assert!(
            n_pages > 1000 && (20..300).contains(&n_listed),
            "{n_listed}"
        );
        let site = ground.listed.iter().next().unwrap();
        assert!(ground.is_listed(site) && !ground.is_listed("elsewhere.example"));
        assert_eq!(ground.traffic.n_domains(), 300 / 5);
    }
}
