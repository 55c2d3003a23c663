//! Status locality: whether pages near each other are linked to about as often.
//!
//! A page's status is ln(1 + in-links), counted among the pages of the crawl.
//! Pages are drawn at random to start from; some of those one, two and three
//! links away from each are its relatives, and ranks of status are compared
//! over pairs of a start and one relative (*Spearman's ρ*). Farther is what no
//! shorter path leads to, as far as three links go.
//!
//! One pass over the log finds the links of one ring, as in `centrality.rs`;
//! the last one counts in-links. Where the graph is held, it is asked in the
//! place of the log, with the same answers.

use super::key_set::{KeyMap, KeySet, scatter};
use super::report::{StatusLocality, StatusPairs};
use super::sample::Sample;
use learn::rank::spearman;

/// Pages that paths start from: ρ is then right to about 0.01.
const MOST_STARTS: usize = 8_192;

/// The farthest that relatives are looked for.
const FARTHEST: usize = 3;

/// Relatives of a start at each distance: enough that one of another domain
/// is mostly among them, where there is any.
const MOST_RELATIVES: usize = 16;

/// Links held at most, eight bytes each. Half of the starts go when there are more.
const MOST_LINKS: usize = 8_000_000;

/// Starts and their relatives, while they are being found.
pub(super) struct Kin {
    starts: Vec<Start>,
    /// Links of pages near the starts, to pages of the crawl.
    links: KeyMap<Vec<u64>>,
    n_links: usize,
    /// Pages whose links are looked for.
    wanted: KeyMap<()>,
    /// Everybody whose status counts.
    persons: KeyMap<Person>,
    step: Step,
}

struct Start {
    page: u64,
    /// Those one link away, two and so on; drawn.
    relatives: [Vec<u64>; FARTHEST],
}

#[derive(Default, Clone, Copy)]
struct Person {
    domain: u64,
    n_in_links: u32,
}

/// What the next pass is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Links of pages one link away.
    First,
    /// Links of pages two links away.
    Second,
    /// In-links and domains.
    Counting,
    Done,
}

impl Kin {
    /// Starts at the drawn pages; `is_page` says what is in the crawl.
    pub(super) fn of(sample: &Sample, is_page: impl Fn(u64) -> bool) -> Kin {
        let mut kin = Kin {
            starts: Vec::new(),
            links: KeyMap::default(),
            n_links: 0,
            wanted: KeyMap::default(),
            persons: KeyMap::default(),
            step: Step::First,
        };
        for drawn in sample.drawn().take(MOST_STARTS) {
            kin.starts.push(Start {
                page: drawn.page,
                relatives: Default::default(),
            });
            kin.keep(drawn.page, &drawn.links, &is_page);
        }
        let known = &kin.links;
        let near = known.values().flatten();
        kin.wanted = near
            .filter(|page| !known.contains_key(*page))
            .map(|page| (*page, ()))
            .collect();
        kin
    }

    /// Whether nothing more is to be found.
    pub(super) fn is_done(&self) -> bool {
        self.step == Step::Done
    }

    /// Looks at a page that was not looked at in this pass; what it links to
    /// is each once, itself never.
    pub(super) fn add(
        &mut self,
        (page, domain): (u64, u64),
        links: impl FnOnce() -> Vec<u64>,
        is_page: impl Fn(u64) -> bool,
    ) {
        match self.step {
            Step::First | Step::Second if self.wanted.remove(&page).is_some() => {
                self.keep(page, &links(), is_page);
            }
            Step::Counting => {
                if let Some(person) = self.persons.get_mut(&page) {
                    person.domain = domain;
                }
                for link in links() {
                    if let Some(person) = self.persons.get_mut(&link) {
                        person.n_in_links += 1;
                    }
                }
            }
            _ => {}
        }
    }

    /// Pages that this pass is for; none when it is for all.
    pub(super) fn wanted(&self) -> Option<Vec<u64>> {
        match self.step {
            Step::First | Step::Second => Some(self.wanted.keys().copied().collect()),
            Step::Counting | Step::Done => None,
        }
    }

    /// Ends a pass.
    pub(super) fn settle(&mut self) {
        self.step = match self.step {
            Step::First => {
                self.find_near();
                Step::Second
            }
            Step::Second => {
                self.find_far();
                Step::Counting
            }
            Step::Counting | Step::Done => Step::Done,
        };
    }

    fn keep(&mut self, page: u64, links: &[u64], is_page: impl Fn(u64) -> bool) {
        let inside = links.iter().copied().filter(|link| is_page(*link));
        let links: Vec<u64> = inside.collect();
        self.n_links += links.len();
        self.links.insert(page, links);
        while self.n_links > MOST_LINKS && self.starts.len() > 2 {
            self.halve();
        }
    }

    /// Lets go the later half of the starts, and what only they need.
    fn halve(&mut self) {
        self.starts.truncate(self.starts.len() / 2);
        let mut needed: KeyMap<()> = KeyMap::default();
        for start in &self.starts {
            needed.insert(start.page, ());
            let ring = self.links.get(&start.page).into_iter().flatten();
            needed.extend(ring.map(|page| (*page, ())));
            needed.extend(start.relatives.iter().flatten().map(|page| (*page, ())));
        }
        self.links.retain(|page, _| needed.contains_key(page));
        self.wanted.retain(|page, ()| needed.contains_key(page));
        self.n_links = self.links.values().map(Vec::len).sum();
    }

    fn links_of(&self, page: u64) -> impl Iterator<Item = u64> + '_ {
        self.links.get(&page).into_iter().flatten().copied()
    }

    /// Draws relatives one and two links away, and wants the links of the latter.
    fn find_near(&mut self) {
        let mut seen = KeySet::default();
        let mut starts = std::mem::take(&mut self.starts);
        for start in &mut starts {
            seen.clear();
            seen.insert(start.page);
            let ring: Vec<u64> = self.links_of(start.page).collect();
            let new = ring.iter().copied().filter(|page| seen.insert(*page));
            let mut one_away = Draw::at(start.page, 1);
            new.for_each(|page| one_away.offer(page));
            let mut two_away = Draw::at(start.page, 2);
            let beyond = ring.iter().flat_map(|page| self.links_of(*page));
            beyond
                .filter(|page| seen.insert(*page))
                .for_each(|page| two_away.offer(page));
            start.relatives[0] = one_away.finish();
            start.relatives[1] = two_away.finish();
        }
        self.starts = starts;
        let known = &self.links;
        let drawn = self.starts.iter().flat_map(|start| &start.relatives[1]);
        self.wanted = drawn
            .filter(|page| !known.contains_key(*page))
            .map(|page| (*page, ()))
            .collect();
    }

    /// Draws relatives three links away; then it is known who counts.
    fn find_far(&mut self) {
        let mut seen = KeySet::default();
        let mut starts = std::mem::take(&mut self.starts);
        for start in &mut starts {
            seen.clear();
            seen.insert(start.page);
            let ring: Vec<u64> = self.links_of(start.page).collect();
            let near = ring.iter().flat_map(|page| self.links_of(*page));
            for page in ring.iter().copied().chain(near) {
                seen.insert(page);
            }
            let mut far = Draw::at(start.page, 3);
            let beyond = start.relatives[1].iter();
            let beyond = beyond.flat_map(|page| self.links_of(*page));
            beyond
                .filter(|page| seen.insert(*page))
                .for_each(|page| far.offer(page));
            start.relatives[2] = far.finish();
            self.persons.insert(start.page, Person::default());
            for relative in start.relatives.iter().flatten() {
                self.persons.insert(*relative, Person::default());
            }
        }
        self.starts = starts;
        self.links = KeyMap::default();
    }

    /// The correlations, after the last pass.
    pub(super) fn finish(self) -> Option<StatusLocality> {
        if self.step != Step::Done || self.starts.is_empty() {
            return None;
        }
        let by_distance = |kinship: Kinship| {
            let pairs = |distance: usize| self.pairs(distance, kinship).into_iter();
            (0..FARTHEST)
                .map(|distance| correlate(pairs(distance)))
                .collect()
        };
        let statuses = self.starts.iter().map(|start| self.status(start.page));
        let statuses: Vec<f64> = statuses.collect();
        // Starts stand in an order that is chance: whoever comes next is anybody.
        let anybody = statuses.iter().skip(1).chain(statuses.first());
        Some(StatusLocality {
            anywhere: by_distance(Kinship::Any),
            within: by_distance(Kinship::Within),
            across: by_distance(Kinship::Across),
            random: correlate(statuses.iter().copied().zip(anybody.copied())),
        })
    }

    fn status(&self, page: u64) -> f64 {
        let person = self.persons.get(&page).copied().unwrap_or_default();
        f64::from(person.n_in_links).ln_1p()
    }

    /// Of every start that has one, the first relative of a kind.
    fn pairs(&self, distance: usize, kinship: Kinship) -> Vec<(f64, f64)> {
        let domain = |page: u64| self.persons.get(&page).map(|person| person.domain);
        let pair = |start: &Start| {
            let is_kin = |relative: &&u64| match kinship {
                Kinship::Any => true,
                Kinship::Within => domain(**relative) == domain(start.page),
                Kinship::Across => domain(**relative) != domain(start.page),
            };
            let relative = start.relatives[distance].iter().find(is_kin)?;
            Some((self.status(start.page), self.status(*relative)))
        };
        self.starts.iter().filter_map(pair).collect()
    }
}

/// Which pairs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kinship {
    Any,
    /// Of one registrable domain.
    Within,
    /// Of two.
    Across,
}

fn correlate(pairs: impl Iterator<Item = (f64, f64)>) -> StatusPairs {
    let (starts, relatives): (Vec<f64>, Vec<f64>) = pairs.unzip();
    let correlation = spearman(&starts, &relatives);
    StatusPairs {
        rho: correlation.map(|correlation| correlation.rho),
        p: correlation.map(|correlation| correlation.p),
        pairs: starts.len() as u64,
    }
}

/// Draws a few of many pages, as if by lot: the lowest hashes.
struct Draw {
    salt: u64,
    /// Hash and page, ascending.
    lowest: Vec<(u64, u64)>,
}

impl Draw {
    fn at(start: u64, distance: u64) -> Draw {
        Draw {
            salt: scatter(start ^ scatter(distance)),
            lowest: Vec::with_capacity(MOST_RELATIVES + 1),
        }
    }

    fn offer(&mut self, page: u64) {
        let lot = (scatter(page ^ self.salt), page);
        let is_full = self.lowest.len() == MOST_RELATIVES;
        if is_full && self.lowest.last().is_some_and(|last| lot > *last) {
            return;
        }
        let at = self.lowest.partition_point(|other| *other < lot);
        self.lowest.insert(at, lot);
        self.lowest.truncate(MOST_RELATIVES);
    }

    fn finish(self) -> Vec<u64> {
        self.lowest.into_iter().map(|(_, page)| page).collect()
    }
}
