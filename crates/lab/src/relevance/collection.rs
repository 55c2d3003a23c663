//! The pages that are searched: a crawl of a made-up web, its index, and what is true of each page.

use super::Settings;
use crate::world::{MadeUpWeb, SiteKind, World};
use anyhow::{Context, bail};
use crawl::clock::VirtualClock;
use crawl::conductor::{self, Parts};
use crawl::fetch::Fetched;
use page::html::{self, Page};
use page::url::CanonicalUrl;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::target::Targets;
use search::index::Index;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use store::crawl_dir::{CrawlDir, StoreError, VisitReader};
use store::visit::{Likeness, Time, Visit};
use strategy::means::Means;
use strategy::roster::Roster;

/// Targets of one list of seeds: for so few the directory's pages on the very
/// cities are given.
const TARGETS_AT_ONCE: usize = 10;

/// A site and one of its pages; what repeats a page counts as that page.
pub(super) type Spot = (u64, u32);

/// What is true of a page.
#[derive(Debug, Clone)]
pub(super) struct Fact {
    pub(super) url: String,
    pub(super) spot: Spot,
    /// The city it is about.
    pub(super) city: Option<PlaceId>,
    /// That city's state.
    pub(super) state: Option<PlaceId>,
    /// Cities that it has addresses in.
    pub(super) addresses: BTreeSet<PlaceId>,
    /// What it is about: the topic of its text, and that of its list.
    pub(super) topics: Vec<usize>,
    pub(super) language: &'static str,
    /// Addresses as the crawl read them, with their cities' GeoNames ids.
    pub(super) streets: Vec<(u32, String)>,
}

/// Words for each topic and language.
pub(super) type Vocabulary = BTreeMap<(usize, &'static str), Words>;

/// Words for a topic in one language.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// What it and its trade are called: `Plumbers`, `Plumbing`.
    pub(super) names: BTreeSet<&'static str>,
    /// Things it deals with: `drain`.
    pub(super) things: BTreeSet<&'static str>,
}

/// A crawl that is searched.
pub(super) struct Collection {
    pub(super) world: Arc<World>,
    pub(super) index: Index,
    /// Every page in the index that the world knows; months of endless
    /// calendars are none.
    pub(super) facts: Vec<Fact>,
    /// Words that mean one topic alone.
    pub(super) vocabulary: Vocabulary,
    spots: HashMap<String, Spot>,
}

impl Collection {
    /// Crawls, indexes and looks at the truth.
    pub(super) fn make(settings: &Settings, dir: &Path) -> anyhow::Result<Collection> {
        let world = Arc::new(World::new(settings.world.clone(), Gazetteer::built_in()));
        crawl(settings, &world, dir)?;
        let index = Index::open_or_build(dir, &mut |_| {})?;
        let mut visits: HashMap<String, Visit> = HashMap::new();
        for visit in VisitReader::open(dir)?.filter(Visit::is_page) {
            visits.insert(visit.url.clone(), visit);
        }
        let mut visits: Vec<Visit> = visits.into_values().filter(is_found).collect();
        visits.sort_by_key(|visit| visit.seq);
        let names = topic_names(&world, &visits);
        let facts = visits.iter();
        let facts: Vec<Fact> = facts
            .filter_map(|visit| fact(&world, visit, &names))
            .collect();
        let spots = facts.iter().map(|fact| (fact.url.clone(), fact.spot));
        Ok(Collection {
            vocabulary: vocabulary(&world, &facts),
            spots: spots.collect(),
            world,
            index,
            facts,
        })
    }

    /// The page that a URL shows.
    pub(super) fn spot(&self, url: &str) -> Option<Spot> {
        self.spots.get(url).copied()
    }

    /// A page as readers see it.
    pub(super) fn read(&self, fact: &Fact) -> Option<Page> {
        let url = CanonicalUrl::parse(&fact.url).ok()?;
        let Fetched::Answer(answer) = self.world.answer(&url).fetched else {
            return None;
        };
        let content_type = answer.content_type.as_deref();
        Some(html::read(&answer.body, &url, content_type))
    }
}

/// Whether a page that was fetched is in the index.
fn is_found(visit: &Visit) -> bool {
    let copy = visit.copy.map(|copy| copy.likeness);
    !visit.noindex && copy != Some(Likeness::Exact)
}

fn crawl(settings: &Settings, world: &Arc<World>, dir: &Path) -> anyhow::Result<()> {
    let gazetteer = Gazetteer::built_in();
    let targets = Targets::parse(gazetteer, &settings.places)?;
    let roster = Roster::split(gazetteer, &targets, 1)?;
    let mut seeds = Vec::new();
    for places in settings.places.chunks(TARGETS_AT_ONCE) {
        seeds.extend(world.seeds(&Targets::parse(gazetteer, places)?));
    }
    let means = Means::new(&targets, &roster);
    let assign = strategy::assign::by_name("hash").context("no strategy `hash`")?;
    let order = strategy::order::by_name("focus").context("no order `focus`")?;
    let (assign, order) = ((assign.build)(&means)?, (order.build)(&means)?);
    let parts = Parts {
        dir: open(settings, dir)?,
        settings: crawl::settings::Settings {
            n_pages: Some(settings.pages),
            delay: Duration::ZERO,
            server_delay: Duration::ZERO,
            delay_factor: 0.0,
            ..crawl::settings::Settings::default()
        },
        assign,
        order,
        targets: targets.clone(),
        roster: roster.clone(),
        fetcher: Arc::new(MadeUpWeb(Arc::clone(world))),
        clock: Box::new(VirtualClock::starting_at(Time(0))),
        stop: Arc::new(AtomicBool::new(false)),
        appraiser: None,
        refresh: None,
    };
    conductor::run(parts, &seeds, &mut |_| {})?;
    Ok(())
}

/// Opens the folder, which may hold the same crawl from an earlier run.
fn open(settings: &Settings, dir: &Path) -> anyhow::Result<CrawlDir> {
    let settled = serde_json::to_string(&(&settings.world, &settings.places, settings.pages))?;
    match CrawlDir::open(dir) {
        Ok((crawl, _)) if crawl.settings() == settled => Ok(crawl),
        Ok(_) => bail!("`{}` holds another crawl", dir.display()),
        Err(StoreError::Missing { .. } | StoreError::NotACrawl { .. }) => {
            Ok(CrawlDir::create(dir, &settled)?)
        }
        Err(error) => Err(error.into()),
    }
}

/// The state that a place lies in.
pub(super) fn state_of(place: PlaceId) -> Option<PlaceId> {
    let gazetteer = Gazetteer::built_in();
    let mut chain = gazetteer.chain(place);
    chain.find(|outer| gazetteer.kind(*outer) == Kind::Division1)
}

fn fact(world: &World, visit: &Visit, names: &[(&str, usize)]) -> Option<Fact> {
    let url = CanonicalUrl::parse(&visit.url).ok()?;
    let truth = world.truth(&url)?;
    let (site, page) = world.page_at(&url)?;
    let mut topics = vec![truth.topic];
    if matches!(truth.kind, SiteKind::Guide | SiteKind::Directory) {
        topics.extend(listed(world, &url, names));
    }
    let streets = visit.entities.iter();
    Some(Fact {
        spot: (site, world.site(site).original(page)),
        city: truth.city,
        state: truth.city.and_then(state_of),
        addresses: truth.addresses.into_iter().collect(),
        topics,
        language: truth.language,
        streets: streets
            .map(|entity| (entity.target, entity.text.clone()))
            .collect(),
        url: visit.url.clone(),
    })
}

/// What the list on a page is about: lists have it as their heading.
fn listed(world: &World, url: &CanonicalUrl, names: &[(&str, usize)]) -> Option<usize> {
    let Fetched::Answer(answer) = world.answer(url).fetched else {
        return None;
    };
    let html = String::from_utf8_lossy(&answer.body);
    let has = |name: &str| html.contains(&format!("<h2>{name}</h2>"));
    let topic = names.iter().find(|(name, _)| has(name))?;
    Some(topic.1)
}

/// Headings of the topics that occur.
fn topic_names(world: &World, visits: &[Visit]) -> Vec<(&'static str, usize)> {
    let mut names = BTreeSet::new();
    for visit in visits {
        let url = CanonicalUrl::parse(&visit.url).ok();
        if let Some((site, _)) = url.and_then(|url| world.page_at(&url)) {
            let site = world.site(site);
            names.insert((site.topic().name, site.role.topic));
        }
    }
    names.into_iter().collect()
}

/// What pages call their topics, without words that stand on other pages too:
/// those of several topics, and those of any prose.
fn vocabulary(world: &World, facts: &[Fact]) -> Vocabulary {
    let mut vocabulary: Vocabulary = BTreeMap::new();
    let mut shared: BTreeSet<String> = BTreeSet::new();
    let numbers: BTreeSet<u64> = facts.iter().map(|fact| fact.spot.0).collect();
    for number in numbers {
        let site = world.site(number);
        let lexicon = site.lexicon();
        let words = vocabulary.entry((site.role.topic, lexicon.code));
        if let Entry::Vacant(_) = &words {
            let prose = lexicon.nouns.iter().chain(lexicon.adjectives);
            let prose = prose.chain(lexicon.tails).chain([&lexicon.labels.related]);
            shared.extend(prose.flat_map(|text| text.split(' ')).map(stem));
        }
        let words = words.or_default();
        words.things.extend(site.things());
        if matches!(site.role.kind, SiteKind::Business | SiteKind::Shop) {
            words.names.insert(world.brand_tail(number, site.role));
        }
        if lexicon.code == "en" {
            words.names.insert(site.topic().name);
        }
    }
    let mut owners: BTreeMap<(&str, String), usize> = BTreeMap::new();
    for ((topic, language), words) in &vocabulary {
        for word in words.names.union(&words.things) {
            // `insurance` stands on pages of dentists, in `insurance plan`.
            let parts = word.split(' ').chain([*word]).map(stem);
            for part in parts {
                let owner = owners.entry((*language, part.clone())).or_insert(*topic);
                if owner != topic {
                    shared.insert(part);
                }
            }
        }
    }
    for words in vocabulary.values_mut() {
        words.names.retain(|word| !shared.contains(&stem(word)));
        words.things.retain(|word| !shared.contains(&stem(word)));
    }
    vocabulary
}

/// Enough to tell that `Weddings` and `wedding` are one word, and `open` and `opening`.
fn stem(word: &str) -> String {
    let word = word.trim_end_matches('s');
    word.strip_suffix("ing").unwrap_or(word).to_lowercase()
}
