//! One site: how large it is, how its pages hang together, what they are called.
//!
//! Pages are numbered; page `p` links to its children `p·f + 1 ..= p·f + f` for
//! the site's own fan-out `f`, so that every page is reachable from the front
//! page and none needs to be stored. The path of a page ends in its number
//! among readable words and is decoded the way a host is: read the number,
//! make the path, compare.

pub(crate) mod address;
mod blog;
mod business;
mod directory;
mod municipal;
mod news;
pub(crate) mod open_directory;
pub(crate) mod page;
mod pen;
pub(crate) mod prose;
mod shop;
pub(crate) mod trouble;

use super::dice::Dice;
use super::host::push_number;
use super::layout::{Role, SiteKind};
use super::words::{ADJECTIVES, GENERAL_NOUNS, TOPICS, Topic};
use super::{Tag, World};
use std::ops::Range;

/// The front page.
pub(crate) const FRONT: u32 = 0;
/// The contact page, a child of the front page.
pub(crate) const CONTACT: u32 = 1;

/// One site of a world, with what is needed for any of its pages.
#[derive(Clone, Copy)]
pub(crate) struct Site<'w> {
    pub(crate) world: &'w World,
    pub(crate) number: u64,
    pub(crate) role: Role,
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
        let n_pages = match role.kind {
            SiteKind::OpenDirectory => open_directory::n_pages(self),
            // Lists, archives and catalogues are larger than brochures.
            SiteKind::Directory | SiteKind::News | SiteKind::Municipal => {
                self.size(&mut dice).saturating_mul(4)
            }
            SiteKind::Shop => self.size(&mut dice).saturating_mul(3),
            SiteKind::Business | SiteKind::Blog => self.size(&mut dice),
        };
        let n_pages = match role.kind {
            SiteKind::OpenDirectory => n_pages,
            _ => n_pages.clamp(2, self.settings.max_pages.max(2)),
        };
        Site {
            world: self,
            number,
            role,
            n_pages,
            fanout: dice.between(6, 24) as u32,
        }
    }

    fn size(&self, dice: &mut Dice) -> u32 {
        dice.pick(&self.sizes)
    }
}

impl<'w> Site<'w> {
    pub(crate) fn dice(&self, tag: Tag, page: u64) -> Dice {
        self.world.dice(tag, self.number, page)
    }

    pub(crate) fn topic(&self) -> &'static Topic {
        &TOPICS[self.role.topic]
    }

    /// Pages that a page links to as its own.
    pub(crate) fn children(&self, page: u32) -> Range<u32> {
        let first = page.saturating_mul(self.fanout).saturating_add(1);
        let end = first.saturating_add(self.fanout);
        first.min(self.n_pages)..end.min(self.n_pages)
    }

    /// The page one level up; the front page's is itself.
    pub(crate) fn parent(&self, page: u32) -> u32 {
        page.saturating_sub(1) / self.fanout
    }

    pub(crate) fn is_leaf(&self, page: u32) -> bool {
        self.children(page).is_empty()
    }

    /// The city a page is about: the site's, or now and then some city on a
    /// site of no place.
    pub(crate) fn city_of(&self, page: u32) -> Option<usize> {
        if self.role.city.is_some() {
            return self.role.city;
        }
        let mut dice = self.dice(Tag::PageCity, u64::from(page));
        if page > CONTACT && dice.chance(15) {
            let local = self.world.layout.pick_any_local(&mut dice)?;
            return self.world.layout.role(local).city;
        }
        None
    }

    /// The two words a page goes by, in its path, title and anchors.
    pub(crate) fn page_words(&self, page: u32) -> (&'static str, &'static str) {
        let mut dice = self.dice(Tag::PageWords, u64::from(page));
        let adjective = dice.pick(&ADJECTIVES);
        let noun = match dice.chance(700) {
            true => dice.pick(&self.topic().nouns),
            false => dice.pick(&GENERAL_NOUNS),
        };
        (adjective, noun)
    }

    /// Path and query of a page.
    pub(crate) fn write_path(&self, page: u32, out: &mut String) {
        if page == FRONT {
            out.push('/');
            return;
        }
        if self.role.kind == SiteKind::OpenDirectory {
            open_directory::write_path(self.world, page, out);
            return;
        }
        let mut dice = self.dice(Tag::Path, u64::from(page));
        if self.closes_folder() && self.is_leaf(page) && page != CONTACT && dice.chance(40) {
            out.push_str("/private");
        }
        let style = self.dice(Tag::PathStyle, 0).below(5);
        let city = self
            .city_of(page)
            .filter(|_| dice.chance(self.world.settings.city_in_path))
            .map(|city| self.world.geography.cities[city].slug.as_str());
        let words = |out: &mut String| self.write_path_words(page, city, out);
        let number = u64::from(page);
        match style {
            0 => {
                out.push('/');
                out.push_str(self.section(page));
                out.push('/');
                words(out);
                out.push('-');
                push_number(number, out);
                out.push_str(".html");
            }
            1 => {
                out.push('/');
                push_number(number, out);
                out.push('/');
                words(out);
                out.push('/');
            }
            2 => {
                out.push('/');
                words(out);
                out.push_str(".php?id=");
                push_number(number, out);
            }
            3 => {
                out.push('/');
                out.push_str(self.topic().slug);
                out.push('/');
                words(out);
                out.push('_');
                push_number(number, out);
                out.push_str(".htm");
            }
            _ => {
                out.push('/');
                push_number(dice.between(2001, 2012), out);
                out.push('/');
                words(out);
                out.push('-');
                push_number(number, out);
                out.push('/');
            }
        }
    }

    fn write_path_words(&self, page: u32, city: Option<&str>, out: &mut String) {
        if let Some(city) = city {
            out.push_str(city);
            out.push('-');
        }
        if page == CONTACT {
            out.push_str("contact");
            return;
        }
        let (adjective, noun) = self.page_words(page);
        for c in adjective.chars().chain("-".chars()).chain(noun.chars()) {
            out.push(if c == ' ' { '-' } else { c });
        }
    }

    fn section(&self, page: u32) -> &'static str {
        match self.role.kind {
            SiteKind::OpenDirectory | SiteKind::Directory => "listings",
            SiteKind::Municipal => "departments",
            SiteKind::Business if page == CONTACT => "about",
            SiteKind::Business => "services",
            SiteKind::News => "stories",
            SiteKind::Shop => "catalog",
            SiteKind::Blog => "posts",
        }
    }

    /// The old address of a page, from which it moved.
    pub(crate) fn write_old_path(page: u32, out: &mut String) {
        out.push_str("/node/");
        push_number(u64::from(page), out);
    }

    /// What a path and query lead to.
    pub(crate) fn find_path(&self, path: &str) -> Target {
        if path == "/" {
            return Target::Page(FRONT);
        }
        if path == "/robots.txt" {
            return Target::Robots;
        }
        if path.ends_with(".pdf") {
            return Target::Pdf;
        }
        if path.ends_with(".jpg") || path.ends_with(".gif") {
            return Target::Image;
        }
        if self.role.kind == SiteKind::OpenDirectory {
            return open_directory::find_path(self.world, path)
                .map_or(Target::Nothing, Target::Page);
        }
        let Some(page) = last_number(path).filter(|page| (1..self.n_pages).contains(page)) else {
            return Target::Nothing;
        };
        let mut own = String::with_capacity(96);
        self.write_path(page, &mut own);
        if own == path {
            return Target::Page(page);
        }
        own.clear();
        Site::write_old_path(page, &mut own);
        if own == path {
            Target::Moved(page)
        } else {
            Target::Nothing
        }
    }
}

/// The last run of digits in a text.
fn last_number(text: &str) -> Option<u32> {
    let end = text.rfind(|c: char| c.is_ascii_digit())? + 1;
    let start = text[..end]
        .rfind(|c: char| !c.is_ascii_digit())
        .map_or(0, |at| {
            at + text[at..].chars().next().map_or(1, char::len_utf8)
        });
    text[start..end].parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_from_the_end() {
        assert_eq!(last_number("/2004/big-day-17.html"), Some(17));
        assert_eq!(last_number("/x.php?id=9"), Some(9));
        assert_eq!(last_number("12é34"), Some(34));
        assert_eq!(last_number("7"), Some(7));
        assert_eq!(last_number("/none/"), None);
        assert_eq!(last_number("/99999999999999"), None);
    }
}
