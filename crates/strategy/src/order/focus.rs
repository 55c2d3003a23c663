//! *Idea*: all evidence there is, weighed by what it turned out to be worth.
//!
//! *Evidence*: the words that `adaptive` reads; targets named in the URL, in
//! the link's text and beside it; whether the page is relevant, and where it
//! is about; how far the last relevant page is; where the link stands in its
//! page (its path of tags), there and on its site; what the host and pages of
//! the same pattern of path have yielded so far. A yield is a posterior: a
//! host counts as the average one until its own pages say otherwise, a
//! pattern as its host. Two logistic models learn from every page fetched,
//! from the first: whether the link leads to a relevant page, and whether the
//! page behind it does. One link in a thousand is fetched soon whatever it
//! looks like, so that ways which nobody took yet are found out about.
//!
//! *Wins when*: sites differ much in what they yield.
//!
//! *Loses when*: a crawl is over before anything was learned.
//!
//! *Source*: our own.

use super::{
    Clues, Entry, Eye, Judgement, Lesson, Mind, MindError, Order, Priority, Sighting, Step,
    log_odds as log_odds_of,
};
use crate::about::Surroundings;
use crate::learned::{Learned, Reader};
use crate::means::Means;
use crate::scene::Scene;
use crate::signs::{Names, Words, fold, mix};
use crate::ties::Ties;
use learn::hashed::HashedLogistic;
use page::html::Link;

pub(crate) const ENTRY: Entry = Entry {
    name: "focus",
    summary: "weighs all evidence there is, and learns what it is worth",
    build: |means| {
        Ok(Order {
            eye: Box::new(FocusEye::new(means)),
            mind: Box::new(Focus::new(means)),
        })
    },
    settings: &["--order-seed", "--order-model"],
    source: include_str!("focus.rs"),
};

/// Signs with a meaning of their own; those of words come after them. A clue
/// below this number is one of them.
const N_NAMED: u32 = 64;

const BIAS: u32 = 0;
/// The first of eight: links since the last relevant page.
const DISTANCE: u32 = 1;
const URL_NAMES: u32 = 10;
const TEXT_NAMES: u32 = 11;
const NEAR_NAMES: u32 = 12;
const PAGE_URL_NAMES: u32 = 13;
const PAGE_RELEVANT: u32 = 14;
/// The first of five: where the page is about, see `About`.
const PAGE_ABOUT: u32 = 15;
const LEAVES: u32 = 20;
const LEAVES_RELEVANT: u32 = 21;
const STAYS_RELEVANT: u32 = 22;
const HOST_YIELD: u32 = 30;
const HOST_UNKNOWN: u32 = 31;
const PATTERN_YIELD: u32 = 32;
const PATTERN_UNKNOWN: u32 = 33;
/// In accounts only: what the way behind the page adds, and what chance does.
const LEADS_ON: u32 = 40;
const TRIED: u32 = 41;

/// What is believed before anything was learned, in log odds.
const BELIEFS: [(u32, f32); 9] = [
    (BIAS, -3.0),
    (URL_NAMES, 2.0),
    (TEXT_NAMES, 2.0),
    (NEAR_NAMES, 0.5),
    (PAGE_RELEVANT, 1.0),
    (PAGE_ABOUT, 1.0),
    (PAGE_ABOUT + 3, -0.5),
    (HOST_YIELD, 0.7),
    (PATTERN_YIELD, 0.7),
];

/// In words, for `why`.
const NAMES: [(u32, &str); 27] = [
    (BIAS, "any link"),
    (DISTANCE, "a seed"),
    (DISTANCE + 1, "on a relevant page"),
    (DISTANCE + 2, "one page from a relevant one"),
    (DISTANCE + 3, "two pages from a relevant one"),
    (DISTANCE + 4, "three pages from a relevant one"),
    (DISTANCE + 5, "four pages from a relevant one"),
    (DISTANCE + 6, "five pages from a relevant one"),
    (DISTANCE + 7, "far from relevant pages"),
    (URL_NAMES, "URL names a target"),
    (TEXT_NAMES, "text names a target"),
    (NEAR_NAMES, "a target is named beside it"),
    (PAGE_URL_NAMES, "the page's URL names a target"),
    (PAGE_RELEVANT, "the page is relevant"),
    (PAGE_ABOUT, "the page is about a target"),
    (PAGE_ABOUT + 1, "the page is about a target's region"),
    (PAGE_ABOUT + 2, "the page is about a target's country"),
    (PAGE_ABOUT + 3, "the page is about somewhere else"),
    (LEAVES, "leaves its domain"),
    (LEAVES_RELEVANT, "leaves the domain of a relevant page"),
    (STAYS_RELEVANT, "stays on the domain of a relevant page"),
    (HOST_YIELD, "what its host has yielded"),
    (HOST_UNKNOWN, "nothing is known of its host"),
    (PATTERN_YIELD, "what pages of its pattern have yielded"),
    (PATTERN_UNKNOWN, "nothing is known of its pattern"),
    (LEADS_ON, "may lead to relevant pages"),
    (TRIED, "tried by chance"),
];

/// Sees all there is.
struct FocusEye {
    /// Of the targets.
    names: Names,
    surroundings: Surroundings,
}

impl FocusEye {
    fn new(means: &Means<'_>) -> FocusEye {
        let targets = means.targets.sought();
        FocusEye {
            names: Names::new(targets.map(|(_, target)| target.city.as_str())),
            surroundings: Surroundings::of(means.targets),
        }
    }

    /// Signs that all links of a page share.
    fn page_signs(&self, scene: &Scene<'_>) -> Vec<u32> {
        let about = self.surroundings.about(scene.evaluation);
        let mut signs = vec![PAGE_ABOUT + about as u32];
        if scene.targets.find_in_url(scene.page.url.as_str()).is_some() {
            signs.push(PAGE_URL_NAMES);
        }
        if is_relevant(scene) {
            signs.push(PAGE_RELEVANT);
        }
        signs
    }

    /// Signs of one link, beside those of its page and of its words.
    fn link_signs(&self, scene: &Scene<'_>, words: &Words<'_>, link: &Link) -> Vec<u32> {
        let mut signs = Vec::with_capacity(16);
        if scene.targets.find_in_url(link.url.as_str()).is_some() {
            signs.push(URL_NAMES);
        }
        let (own, near) = words.names_any(link, &self.names);
        if own {
            signs.push(TEXT_NAMES);
        }
        if near {
            signs.push(NEAR_NAMES);
        }
        signs.push(match (link.leaves_domain, is_relevant(scene)) {
            (true, true) => LEAVES_RELEVANT,
            (true, false) => LEAVES,
            (false, true) => STAYS_RELEVANT,
            (false, false) => BIAS,
        });
        let tags = hash_text(&link.tag_path);
        let from = hash_text(scene.page.url.host());
        signs.push(word_sign(tags ^ 1));
        signs.push(word_sign(mix(tags) ^ from));
        signs
    }
}

impl Eye for FocusEye {
    fn look(&self, scene: &Scene<'_>, links: &[&Link]) -> Vec<Clues> {
        let words = Words::near_links(scene.page, links);
        let page_signs = self.page_signs(scene);
        let look = |link: &&Link| {
            let mut clues = vec![host_key(link), pattern_key(link)];
            clues.extend(&page_signs);
            clues.extend(self.link_signs(scene, &words, link));
            clues.extend(words.signs(link).into_iter().map(above_named));
            clues
        };
        links.iter().map(look).collect()
    }

    fn name(&self, scene: &Scene<'_>, link: &Link) -> Vec<(u32, String)> {
        let words = Words::near_links(scene.page, &[link]).named(link);
        let words = words.into_iter();
        let named = NAMES.iter().map(|&(sign, name)| (sign, name.to_owned()));
        named
            .chain(words.map(|(sign, name)| (above_named(sign), name)))
            .collect()
    }
}

fn is_relevant(scene: &Scene<'_>) -> bool {
    !scene.evaluation.entities.is_empty()
}

fn hash_text(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn word_sign(hash: u64) -> u32 {
    above_named(fold(mix(hash)))
}

fn above_named(sign: u32) -> u32 {
    match sign < N_NAMED {
        true => sign + N_NAMED,
        false => sign,
    }
}

fn host_key(link: &Link) -> u32 {
    fold(mix(hash_text(link.url.host())))
}

/// Pages of one host whose paths differ in numbers and their last part only
/// are of one pattern.
fn pattern_key(link: &Link) -> u32 {
    let path = link.url.path();
    let folder = &path[..path.rfind('/').unwrap_or(0)];
    let mut hash = hash_text(link.url.host()) ^ u64::from(link.url.path_and_query().contains('?'));
    for byte in folder.bytes().filter(|byte| !byte.is_ascii_digit()) {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    fold(mix(hash ^ 0x70a7))
}

/// First step of every weight. This and the next were chosen on the worlds
/// `oldenburg.toml` and `small-houston.toml`.
const STEP: f32 = 0.04;

/// What a relevant page one link further counts.
const FURTHER: f32 = 0.1;

/// One link in so many is tried whatever it looks like.
const EXPLORED: f32 = 1.0 / 1_000.0;

/// What such a link is worth.
const TRIED_VALUE: f32 = 0.5;

/// Pages by which an unknown host counts as the average one, and an unknown
/// pattern as its host.
const DOUBT: f32 = 2.0;

/// How much a yield may say at most, in log odds.
const LOUDEST: f32 = 4.0;

const N_SIGNS: usize = crate::signs::N_SIGNS;

struct Focus {
    logistic: HashedLogistic,
    /// Pages and relevant pages of hosts, by their key.
    hosts: Vec<[u32; 2]>,
    patterns: Vec<[u32; 2]>,
    all: [u64; 2],
    countries: String,
    ties: Ties,
}

impl Focus {
    fn new(means: &Means<'_>) -> Focus {
        let mut logistic = HashedLogistic::new(2, N_SIGNS, STEP);
        let beliefs: Vec<(u32, [f32; 2])> = BELIEFS
            .iter()
            .flat_map(|&(sign, weight)| {
                [
                    (sign * 2, [weight, 0.1]),
                    (sign * 2 + 1, [weight / 2.0, 0.1]),
                ]
            })
            .collect();
        logistic.load(&beliefs);
        Focus {
            logistic,
            hosts: vec![[0; 2]; N_SIGNS],
            patterns: vec![[0; 2]; N_SIGNS],
            all: [0; 2],
            countries: means.countries(),
            ties: Ties::new(means.order_seed),
        }
    }

    /// All signs of a link, with what they weigh now.
    fn signs(&self, distance: u16, clues: &[u32]) -> Vec<(u32, f32)> {
        let mut signs = Vec::with_capacity(clues.len() + 6);
        signs.push((BIAS, 1.0));
        signs.push((DISTANCE + u32::from(distance.min(7)), 1.0));
        let Some((&[host, pattern], rest)) = clues.split_first_chunk() else {
            return signs;
        };
        let base = log_odds([self.all[0] as f32, self.all[1] as f32], 0.05, 20.0);
        let average = chance(base);
        let (of_host, host) = self.yield_of(&self.hosts, host, average);
        let (of_pattern, pattern) = self.yield_of(&self.patterns, pattern, chance(of_host));
        match host {
            0 => signs.push((HOST_UNKNOWN, 1.0)),
            _ => signs.push((HOST_YIELD, (of_host - base).clamp(-LOUDEST, LOUDEST))),
        }
        match pattern {
            0 => signs.push((PATTERN_UNKNOWN, 1.0)),
            _ => signs.push((
                PATTERN_YIELD,
                (of_pattern - of_host).clamp(-LOUDEST, LOUDEST),
            )),
        }
        signs.extend(
            rest.iter()
                .filter(|sign| **sign != BIAS)
                .map(|&sign| (sign, 1.0)),
        );
        signs
    }

    /// The log odds of a yield, and how many pages it comes from.
    fn yield_of(&self, yields: &[[u32; 2]], key: u32, before: f32) -> (f32, u32) {
        let [n_pages, n_relevant] = yields.get(key as usize).copied().unwrap_or_default();
        (
            log_odds([n_pages as f32, n_relevant as f32], before, DOUBT),
            n_pages,
        )
    }

    /// How much a link is worth, and how much of that is its own page.
    fn value(&self, distance: u16, clues: &[u32]) -> (f32, f32) {
        let signs = self.signs(distance, clues);
        let [own, further] = self.logistic.predict_both(&signs);
        (own + FURTHER * further * (1.0 - own), own)
    }

    /// Whether a link is tried whatever it looks like.
    fn is_tried(&self, url: u64, value: f32) -> bool {
        value < TRIED_VALUE && self.ties.chance(url) < EXPLORED
    }

    fn count(&mut self, step: &Step, is_relevant: bool) {
        let n_relevant = u32::from(is_relevant);
        self.all[0] += 1;
        self.all[1] += u64::from(is_relevant);
        if let Some(&[host, pattern]) = step.clues.first_chunk() {
            for (yields, key) in [(&mut self.hosts, host), (&mut self.patterns, pattern)] {
                if let Some([all, relevant]) = yields.get_mut(key as usize) {
                    *all = all.saturating_add(1);
                    *relevant = relevant.saturating_add(n_relevant);
                }
            }
        }
    }
}

/// The log odds of relevant among pages, where `doubt` more would have been as
/// before.
fn log_odds([n_pages, n_relevant]: [f32; 2], before: f32, doubt: f32) -> f32 {
    let share = (n_relevant + doubt * before) / (n_pages + doubt);
    let share = share.clamp(1e-4, 1.0 - 1e-4);
    (share / (1.0 - share)).ln()
}

fn chance(log_odds: f32) -> f32 {
    1.0 / (1.0 + (-log_odds).exp())
}

impl Mind for Focus {
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        if sighting.distance == 0 {
            return Judgement::Follow(Priority {
                value: self.ties.broken(1.0, sighting.url),
                because: "a seed",
            });
        }
        let (value, own) = self.value(sighting.distance, sighting.clues);
        let is_tried = self.is_tried(sighting.url, value);
        let (value, because) = match (is_tried, own > value / 2.0) {
            (true, _) => (TRIED_VALUE, "tried by chance"),
            (_, true) => (value, "likely to be relevant"),
            _ => (value, "likely to lead to relevant pages"),
        };
        Judgement::Follow(Priority {
            value: self.ties.broken(value, sighting.url).clamp(0.0, 1.0),
            because,
        })
    }

    fn learn(&mut self, lesson: &Lesson<'_>) {
        for (question, step) in lesson.trail.iter().enumerate() {
            let signs = self.signs(step.distance, &step.clues);
            self.logistic
                .learn(question, &signs, lesson.is_relevant, 1.0);
        }
        if let Some(step) = lesson.trail.first() {
            self.count(step, lesson.is_relevant);
        }
    }

    fn changes(&self) -> bool {
        true
    }

    fn memory(&self) -> usize {
        2
    }

    fn weigh(&self, clue: u32) -> Option<f32> {
        Some(self.logistic.weight(0, clue)).filter(|weight| *weight != 0.0)
    }

    fn account(&self, sighting: &Sighting<'_>) -> Vec<(u32, f32)> {
        if sighting.distance == 0 {
            return Vec::new();
        }
        let mut account: Vec<(u32, f32)> = Vec::new();
        for (sign, strength) in self.signs(sighting.distance, sighting.clues) {
            let weight = self.logistic.weight(0, sign) * strength;
            match account.iter_mut().find(|(known, _)| *known == sign) {
                Some((_, sum)) => *sum += weight,
                None => account.push((sign, weight)),
            }
        }
        let (value, own) = self.value(sighting.distance, sighting.clues);
        account.push((LEADS_ON, log_odds_of(value) - log_odds_of(own)));
        if self.is_tried(sighting.url, value) {
            account.push((TRIED, log_odds_of(TRIED_VALUE) - log_odds_of(value)));
        }
        account.retain(|(_, weight)| *weight != 0.0);
        account
    }

    fn save(&self) -> Option<Vec<u8>> {
        let mut learned = Learned::new("focus", &self.countries);
        learned.number(self.all[0]);
        learned.number(self.all[1]);
        let cells = self.logistic.dump();
        learned.number(cells.len() as u64);
        for (cell, numbers) in cells {
            learned.small(cell);
            for number in numbers {
                learned.small(number.to_bits());
            }
        }
        for yields in [&self.hosts, &self.patterns] {
            let known = (0..).zip(yields).filter(|(_, counts)| counts[0] > 0);
            let known: Vec<(u32, &[u32; 2])> = known.collect();
            learned.number(known.len() as u64);
            for (key, counts) in known {
                learned.small(key);
                for count in counts {
                    learned.small(*count);
                }
            }
        }
        Some(learned.finish())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), MindError> {
        let mut reader = Reader::open(saved, "focus", &self.countries)?;
        let all = [reader.number()?, reader.number()?];
        let n_cells = reader.number()?;
        let mut cells = Vec::new();
        for _ in 0..n_cells {
            let cell = reader.small()?;
            let numbers = [reader.small()?, reader.small()?].map(f32::from_bits);
            cells.push((cell, numbers));
        }
        let mut read_yields = || -> Result<Vec<[u32; 2]>, MindError> {
            let mut yields = vec![[0; 2]; N_SIGNS];
            for _ in 0..reader.number()? {
                let key = reader.small()?;
                let counts = [reader.small()?, reader.small()?];
                if let Some(known) = yields.get_mut(key as usize) {
                    *known = counts;
                }
            }
            Ok(yields)
        };
        let (hosts, patterns) = (read_yields()?, read_yields()?);
        self.logistic.load(&cells);
        (self.all, self.hosts, self.patterns) = (all, hosts, patterns);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;

    fn value(mind: &dyn Mind, clues: &[u32]) -> f32 {
        match mind.judge(&Sighting::new(1, 2, clues)) {
            Judgement::Follow(priority) => priority.value,
            Judgement::Leave => panic!("left"),
        }
    }

    fn clues(html: &str) -> Clues {
        let stage = Stage::top100();
        let eye = stage.order("focus").eye;
        stage.with_page(html, |scene, link| eye.look(&scene, &[link]).remove(0))
    }

    fn teach(mind: &mut dyn Mind, clues: &Clues, is_relevant: bool) {
        let trail = &[Step {
            distance: 2,
            clues: clues.clone(),
        }];
        mind.learn(&Lesson { trail, is_relevant });
    }

    #[test]
    fn a_link_that_names_a_target_is_better_from_the_start() {
        let mind = Stage::top100().order("focus").mind;
        let named = value(&*mind, &clues("<a href='/houston'>Houston</a>"));
        let other = value(&*mind, &clues("<a href='/more'>more</a>"));
        assert!(named > 2.0 * other, "{named} {other}");
    }

    #[test]
    fn hosts_and_patterns_are_known_by_their_yield() {
        let mut mind = Stage::top100().order("focus").mind;
        let good = |n: u32| {
            clues(&format!(
                "<a href='http://good.example/shops/{n}/x{n}'>a</a>"
            ))
        };
        let bad = |n: u32| {
            clues(&format!(
                "<a href='http://bad.example/shops/{n}/x{n}'>a</a>"
            ))
        };
        for n in 0..40 {
            teach(&mut *mind, &good(n), n % 4 != 0);
            teach(&mut *mind, &bad(n), false);
        }
        let (good, bad) = (value(&*mind, &good(77)), value(&*mind, &bad(77)));
        assert!(good > 0.4 && bad < 0.2, "{good} {bad}");
    }

    #[test]
    fn one_link_in_a_thousand_is_tried_by_chance() {
        let mind = Stage::top100().order("focus").mind;
        let clues = clues("<a href='/more'>more</a>");
        let is_tried = |url: &u64| {
            let judgement = mind.judge(&Sighting::new(mix(*url), 5, &clues));
            matches!(judgement, Judgement::Follow(priority) if priority.because == "tried by chance")
        };
        let n_tried = (0..50_000_u64).filter(is_tried).count();
        assert!((25..100).contains(&n_tried), "{n_tried}");
    }
}
