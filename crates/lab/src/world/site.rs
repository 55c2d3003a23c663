//! One site: how large it is, how its pages hang together, what they are called.
//!
//! Pages are numbered; page `p` links to its children `p·f + 1 ..= p·f + f` for
//! the site's own fan-out `f`, so that every page is reachable from the front
//! page and none needs to be stored. Sites about many cities have a stretch of
//! pages for each city instead (`regional.rs`). The path of a page ends in its
//! number among readable words and is decoded the way a host is: read the
//! number, make the path, compare.

pub(crate) mod address;
mod blog;
mod business;
mod copy;
mod department;
mod directory;
mod forum;
mod link_farm;
mod municipal;
mod news;
pub(crate) mod open_directory;
pub(crate) mod page;
mod path;
mod pen;
pub(crate) mod prose;
mod real_estate;
mod regional;
mod shop;
mod tourism;
pub(crate) mod trap;
pub(crate) mod trouble;

use super::dice::Dice;
use super::geography::Country;
use super::institution::Institution;
use super::layout::{Role, SiteKind};
use super::words::english::ENGLISH;
use super::words::french::FRENCH;
use super::words::german::{GERMAN, GERMAN_TOPICS};
use super::words::lexicon::Lexicon;
use super::words::spanish::SPANISH;
use super::words::{TOPICS, Topic};
use super::{Tag, World};

/// The front page.
pub(crate) const FRONT: u32 = 0;
/// The contact page, a child of the front page.
pub(crate) const CONTACT: u32 = 1;

/// What the pages of a site are written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Language {
    English,
    German,
    Spanish,
    French,
}

impl Language {
    pub(crate) fn lexicon(self) -> &'static Lexicon {
        match self {
            Language::English => &ENGLISH,
            Language::German => &GERMAN,
            Language::Spanish => &SPANISH,
            Language::French => &FRENCH,
        }
    }
}

/// One site of a world, with what is needed for any of its pages.
#[derive(Clone, Copy)]
pub(crate) struct Site<'w> {
    pub(crate) world: &'w World,
    pub(crate) number: u64,
    pub(crate) role: Role,
    pub(crate) language: Language,
    pub(crate) n_pages: u32,
    /// Children of an inner page.
    pub(crate) fanout: u32,
}

/// What a path on a known host leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Page(u32),
    /// An old address of a page.
    Moved(u32),
    /// A month of a calendar without end, counted from the year zero.
    Month(u32),
    Robots,
    Pdf,
    Image,
    Nothing,
}

impl World {
    /// One site; `number` is below the number of sites.
    pub(crate) fn site(&self, number: u64) -> Site<'_> {
        let role = self.layout.role(number);
        let mut dice = self.dice(Tag::Size, number, 0);
        let size = self.size(role, &mut dice);
        // Lists, archives and catalogues are larger than brochures.
        let (least, factor) = match role.kind {
            SiteKind::Business | SiteKind::Blog | SiteKind::OpenDirectory => (2, 1),
            SiteKind::Shop | SiteKind::RealEstate | SiteKind::Tourism => (10, 3),
            SiteKind::Directory | SiteKind::News | SiteKind::LinkFarm => (10, 4),
            SiteKind::Forum => (10, 6),
            SiteKind::Municipal | SiteKind::Hospital => (60, 6),
            SiteKind::Chain | SiteKind::Guide | SiteKind::Government => (60, 12),
            SiteKind::University => (600, 60),
        };
        // What everybody knows is large.
        let is_top = role.city.is_none() && self.layout.is_top(role.rank);
        let factor = if is_top { factor * 8 } else { factor };
        let most = self.settings.max_pages.max(2);
        let n_pages = match role.kind {
            SiteKind::OpenDirectory => open_directory::n_pages(self),
            _ => size.saturating_mul(factor).clamp(least.min(most), most),
        };
        Site {
            world: self,
            number,
            role,
            language: self.language(number, role),
            n_pages,
            fanout: dice.between(6, 40) as u32,
        }
    }

    /// Some sites of no place are as large as they are popular, all others as
    /// it comes.
    fn size(&self, role: Role, dice: &mut Dice) -> u32 {
        let by_chance = dice.pick(&self.sizes);
        let by_popularity = self.settings.pages.large_if_popular.min(1000);
        if role.city.is_some() || dice.chance(1000 - by_popularity) {
            return by_chance;
        }
        let n_sizes = self.sizes.len() as u128;
        let n_general = u128::from(self.layout.n_general().max(1));
        let below = u128::from(role.rank) * n_sizes / n_general;
        self.sizes[(n_sizes - 1 - below.min(n_sizes - 1)) as usize]
    }

    /// What a site is written in: its country's language, or any.
    pub(crate) fn language(&self, number: u64, role: Role) -> Language {
        if let Some(city) = role.city {
            return match self.geography.cities[city].country {
                Country::Us => Language::English,
                Country::De => Language::German,
            };
        }
        if role.kind == SiteKind::OpenDirectory {
            return Language::English;
        }
        let settings = &self.settings;
        let throw = self.dice(Tag::Language, number, 0).below(1000) as u32;
        let german = settings.german_sites;
        let spanish = german.saturating_add(settings.spanish_sites);
        let french = spanish.saturating_add(settings.french_sites);
        match throw {
            _ if throw < german => Language::German,
            _ if throw < spanish => Language::Spanish,
            _ if throw < french => Language::French,
            _ => Language::English,
        }
    }
}

impl<'w> Site<'w> {
    pub(crate) fn dice(&self, tag: Tag, page: u64) -> Dice {
        self.world.dice(tag, self.number, page)
    }

    pub(crate) fn topic(&self) -> &'static Topic {
        &TOPICS[self.role.topic]
    }

    pub(crate) fn lexicon(&self) -> &'static Lexicon {
        self.language.lexicon()
    }

    /// The topic's words in the site's language.
    pub(crate) fn things(&self) -> &'static [&'static str] {
        match self.language {
            Language::German => &GERMAN_TOPICS[self.role.topic].nouns,
            Language::English => &self.topic().nouns,
            Language::Spanish | Language::French => self.lexicon().nouns,
        }
    }

    /// The country whose cities a site of no place has to do with.
    pub(crate) fn country(&self) -> Country {
        match self.language {
            Language::German => Country::De,
            Language::English | Language::Spanish | Language::French => Country::Us,
        }
    }

    /// The university or hospital it belongs to.
    pub(crate) fn institution(&self) -> Option<&'w Institution> {
        let (city, nth) = self.world.layout.institution(self.role)?;
        self.world.geography.cities[city].institutions.get(nth)
    }

    /// Pages that a page links to as its own.
    pub(crate) fn children(&self, page: u32) -> Vec<u32> {
        if self.role.kind.is_regional() {
            return self.regional_children(page);
        }
        let first = page.saturating_mul(self.fanout).saturating_add(1);
        let end = first.saturating_add(self.fanout);
        (first.min(self.n_pages)..end.min(self.n_pages)).collect()
    }

    /// The page one level up; the front page's is itself.
    pub(crate) fn parent(&self, page: u32) -> u32 {
        match self.role.kind.is_regional() {
            true => self.regional_parent(page),
            false => page.saturating_sub(1) / self.fanout,
        }
    }

    pub(crate) fn is_leaf(&self, page: u32) -> bool {
        match self.role.kind.is_regional() {
            true => self.is_regional_leaf(page),
            false => page.saturating_mul(self.fanout).saturating_add(1) >= self.n_pages,
        }
    }

    /// The city a page is about: the site's, or that of a page of its own.
    pub(crate) fn city_of(&self, page: u32) -> Option<usize> {
        if self.role.city.is_some() {
            return self.role.city;
        }
        if self.role.kind.is_regional() {
            return self.regional_city(page);
        }
        let page = self.original(page);
        let mut dice = self.dice(Tag::PageCity, u64::from(page));
        let pages = &self.world.settings.pages;
        let share = match self.role.kind {
            // A dateline.
            SiteKind::News => pages.paper_about_city,
            _ => pages.page_about_city,
        };
        if page > CONTACT && dice.chance(share) {
            let layout = &self.world.layout;
            let local = layout.pick_any_local(self.country(), &mut dice)?;
            return layout.role(local).city;
        }
        None
    }

    /// The two words a page goes by, in its path, title and anchors.
    pub(crate) fn page_words(&self, page: u32) -> (&'static str, &'static str) {
        let mut dice = self.dice(Tag::PageWords, u64::from(self.original(page)));
        let lexicon = self.lexicon();
        let adjective = dice.pick(lexicon.adjectives);
        let noun = match dice.chance(700) {
            true => dice.pick(self.things()),
            false => dice.pick(lexicon.nouns),
        };
        (adjective, noun)
    }
}
