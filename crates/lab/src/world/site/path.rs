//! The addresses of a site's pages, and back.

use super::{CONTACT, FRONT, Site, Target, open_directory};
use crate::world::Tag;
use crate::world::geography::slug;
use crate::world::host::push_number;
use crate::world::layout::SiteKind;

impl Site<'_> {
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
        if self.role.kind.is_regional() && page > CONTACT {
            self.write_regional_path(page, out);
            return;
        }
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
            out.push_str(self.lexicon().labels.contact_slug);
            return;
        }
        let (adjective, noun) = self.page_words(page);
        push_slug(adjective, out);
        out.push('-');
        push_slug(noun, out);
        if self.original(page) != page {
            out.push_str("-print");
        }
    }

    fn section(&self, page: u32) -> &'static str {
        match self.role.kind {
            SiteKind::OpenDirectory | SiteKind::Directory | SiteKind::Guide => "listings",
            SiteKind::Municipal | SiteKind::University | SiteKind::Hospital => "departments",
            SiteKind::Business if page == CONTACT => "about",
            SiteKind::Business => "services",
            SiteKind::News => "stories",
            SiteKind::Shop => "catalog",
            SiteKind::Blog => "posts",
            SiteKind::Forum => "threads",
            SiteKind::Tourism => "attractions",
            SiteKind::RealEstate => "homes",
            SiteKind::Chain => "stores",
            SiteKind::Government => "offices",
            SiteKind::LinkFarm => "links",
        }
    }

    /// The old address of a page, from which it moved.
    pub(crate) fn write_old_path(page: u32, out: &mut String) {
        out.push_str("/node/");
        push_number(u64::from(page), out);
    }

    /// What a path and query lead to.
    pub(crate) fn find_path(&self, path: &str) -> Target {
        let path = self.without_session(path);
        let path = self.without_facets(path);
        if path == "/" {
            return Target::Page(FRONT);
        }
        if path == "/robots.txt" {
            return Target::Robots;
        }
        if let Some(month) = self.find_month(path) {
            return Target::Month(month);
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

/// Lower case, spaces and umlauts made plain.
fn push_slug(words: &str, out: &mut String) {
    match words.bytes().all(|byte| byte.is_ascii_lowercase()) {
        true => out.push_str(words),
        false => out.push_str(&slug(words)),
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
