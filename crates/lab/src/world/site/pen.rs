//! Writes the pieces that pages are made of, into one growing string.
//!
//! A pen knows the site's habits: careless sites leave tags open and
//! attributes unquoted, and every site keeps to one way of writing addresses.

use super::address::Address;
use super::{CONTACT, FRONT, Site, prose};
use crate::world::dice::Dice;
use crate::world::geography::City;
use crate::world::host::push_number;
use crate::world::layout::{Role, SiteKind};
use crate::world::words::{FIRST_NAMES, LAST_NAMES, TOPICS, Topic};
use crate::world::{Tag, World};

/// A page being written.
pub(crate) struct Pen<'w> {
    pub(crate) site: Site<'w>,
    pub(crate) page: u32,
    pub(crate) dice: Dice,
    pub(crate) html: String,
    /// The city the page is about.
    pub(crate) city: Option<usize>,
    /// The cities of the addresses written so far.
    pub(crate) addressed: Vec<usize>,
    pub(crate) sloppy: bool,
    address_layout: u64,
}

impl<'w> Pen<'w> {
    pub(crate) fn new(site: Site<'w>, page: u32) -> Pen<'w> {
        let mut habits = site.dice(Tag::Habits, 0);
        Pen {
            site,
            page,
            dice: site.dice(Tag::Page, u64::from(page)),
            html: String::new(),
            city: site.city_of(page),
            addressed: Vec::new(),
            sloppy: habits.chance(site.world.settings.sloppy_sites),
            address_layout: habits.next(),
        }
    }

    pub(crate) fn world(&self) -> &'w World {
        self.site.world
    }

    pub(crate) fn topic(&self) -> &'static Topic {
        self.site.topic()
    }

    pub(crate) fn city(&self) -> Option<&'w City> {
        self.city.map(|city| &self.world().geography.cities[city])
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.html.push_str(text);
    }

    pub(crate) fn push_number(&mut self, number: u64) {
        push_number(number, &mut self.html);
    }

    /// Text that may hold `&` or `<`.
    pub(crate) fn push_text(&mut self, text: &str) {
        for (i, part) in text.split('&').enumerate() {
            if i > 0 {
                self.html.push_str("&amp;");
            }
            self.html.push_str(part);
        }
    }

    pub(crate) fn heading(&mut self, text: &str) {
        self.push("<h2>");
        self.push_text(text);
        self.push("</h2>\n");
    }

    pub(crate) fn open_paragraph(&mut self) {
        self.push(if self.sloppy { "<P>" } else { "<p>" });
    }

    pub(crate) fn close_paragraph(&mut self) {
        self.push(if self.sloppy { "\n" } else { "</p>\n" });
    }

    pub(crate) fn open_item(&mut self) {
        self.push("<li>");
    }

    pub(crate) fn close_item(&mut self) {
        self.push(if self.sloppy { "\n" } else { "</li>\n" });
    }

    /// A paragraph of a few sentences, which names the city in some.
    pub(crate) fn paragraph(&mut self) {
        self.open_paragraph();
        let topic = self.topic();
        for _ in 0..self.dice.between(3, 7) {
            prose::sentence(topic, &mut self.dice, &mut self.html);
        }
        if let Some(city) = self.city()
            && self.dice.chance(180)
        {
            let mut name = String::with_capacity(32);
            name.push_str(city.name);
            if self.dice.chance(300) {
                name.push_str(", ");
                name.push_str(city.state);
            }
            prose::city_sentence(&name, &mut self.dice, &mut self.html);
        }
        self.close_paragraph();
    }

    /// A heading's or an anchor's words for a page of this site.
    pub(crate) fn push_page_name(&mut self, page: u32) {
        match page {
            FRONT => self.push("Home"),
            CONTACT => self.push("Contact us"),
            _ => {
                let (adjective, noun) = self.site.page_words(page);
                push_capitalised(adjective, &mut self.html);
                self.html.push(' ');
                push_capitalised(noun, &mut self.html);
                let city = self.site.city_of(page);
                let mut dice = self.site.dice(Tag::PageName, u64::from(page));
                if let Some(city) =
                    city.filter(|_| dice.chance(self.world().settings.city_in_anchor))
                {
                    self.push(" in ");
                    self.push(self.world().geography.cities[city].name);
                }
            }
        }
    }

    pub(crate) fn open_link(&mut self) {
        self.push(if self.sloppy {
            "<A HREF="
        } else {
            "<a href=\""
        });
    }

    pub(crate) fn begin_anchor(&mut self) {
        self.push(if self.sloppy { ">" } else { "\">" });
    }

    pub(crate) fn close_link(&mut self) {
        self.push("</a>");
    }

    /// A link to a page of this site.
    pub(crate) fn link_inside(&mut self, page: u32) {
        self.open_link();
        match page > CONTACT && self.dice.chance(8) {
            true => Site::write_old_path(page, &mut self.html),
            false => self.site.write_path(page, &mut self.html),
        }
        self.begin_anchor();
        self.push_page_name(page);
        self.close_link();
    }

    /// A link to a page that is gone, or to a file.
    pub(crate) fn link_to_file(&mut self) {
        let (path, suffix, anchor) = self.dice.pick(&[
            ("/files/brochure-", ".pdf", "Brochure (PDF)"),
            ("/images/photo-", ".jpg", "Photo"),
            ("/lost/page-", ".html", "More"),
        ]);
        let number = self.dice.below(1000);
        self.open_link();
        self.push(path);
        self.push_number(number);
        self.push(suffix);
        self.begin_anchor();
        self.push(anchor);
        self.close_link();
    }

    /// A link to another site: its front page, or some page of it.
    pub(crate) fn link_outside(&mut self, number: u64) {
        let settings = &self.world().settings;
        let site = self.world().site(number);
        let page = match self.dice.chance(settings.link_to_front) {
            true => FRONT,
            false => self.dice.below(u64::from(site.n_pages)) as u32,
        };
        self.open_link();
        self.push("http://");
        if self.dice.chance(settings.dead_links) {
            self.push("gone-");
        }
        self.world().write_host(number, site.role, &mut self.html);
        site.write_path(page, &mut self.html);
        self.begin_anchor();
        let named = self.dice.chance(settings.city_in_anchor);
        self.world().write_brand(number, site.role, &mut self.html);
        if let Some(city) = site.role.city.filter(|_| named) {
            self.push(" of ");
            self.push(self.world().geography.cities[city].name);
        }
        self.close_link();
    }

    /// Some other site that a page like this one would link to.
    pub(crate) fn pick_outside(&mut self) -> u64 {
        let world = self.world();
        let settings = &world.settings;
        let throw = self.dice.below(1000) as u32;
        let dice = &mut self.dice;
        if let Some(city) = self.city {
            let state = world.geography.cities[city].state_idx;
            let near = if throw < settings.link_same_city {
                world.layout.pick_local(city, dice)
            } else if throw
                < settings
                    .link_same_city
                    .saturating_add(settings.link_same_state)
            {
                let other = dice.pick(&world.geography.states[state].cities);
                world.layout.pick_local(other, dice)
            } else {
                None
            };
            return near.unwrap_or_else(|| world.layout.pick_general(dice));
        }
        if throw < settings.link_into_local
            && let Some(local) = world.layout.pick_any_local(dice)
        {
            return local;
        }
        if throw
            < settings
                .link_into_local
                .saturating_add(settings.link_same_topic)
        {
            return world.layout.pick_on_topic(self.site.role.topic, dice);
        }
        world.layout.pick_general(dice)
    }

    /// A list of links to other sites.
    pub(crate) fn links_outside(&mut self, heading: &str, n: u64) {
        if n == 0 {
            return;
        }
        self.push("<h3>");
        self.push(heading);
        self.push("</h3>\n<ul>\n");
        for _ in 0..n {
            let other = self.pick_outside();
            self.open_item();
            self.link_outside(other);
            if self.dice.chance(400) {
                self.push(" ");
                let topic = self.topic();
                prose::sentence(topic, &mut self.dice, &mut self.html);
            }
            self.close_item();
        }
        self.push("</ul>\n");
    }

    /// The address of a site in its city, the same wherever it is written.
    pub(crate) fn address_of(&mut self, number: u64, city: usize) -> Address<'w> {
        self.addressed.push(city);
        let city = &self.world().geography.cities[city];
        Address::throw(city, &mut self.world().dice(Tag::Address, number, 0))
    }

    /// Some address in a city, other than the site's own.
    pub(crate) fn some_address(&mut self, city: usize) -> Address<'w> {
        self.addressed.push(city);
        let city = &self.world().geography.cities[city];
        Address::throw(city, &mut self.dice)
    }

    pub(crate) fn address_block(&mut self, address: &Address<'_>) {
        address.write_block(self.address_layout, &mut self.html);
    }

    pub(crate) fn push_person(&mut self) {
        let first = self.dice.pick(&FIRST_NAMES);
        let last = self.dice.pick(&LAST_NAMES);
        self.push(first);
        self.push(" ");
        self.push(last);
    }

    /// `(555) 014-2233`: numbers that ring nowhere.
    pub(crate) fn push_phone(&mut self) {
        self.push("(555) 01");
        let tail = self.dice.below(10);
        self.push_number(tail);
        self.push("-");
        let line = self.dice.between(1000, 9999);
        self.push_number(line);
    }
}

impl World {
    /// What a site calls itself.
    pub(crate) fn write_brand(&self, number: u64, role: Role, out: &mut String) {
        let city = role
            .city
            .filter(|_| self.names_city(number, role))
            .map(|city| self.geography.cities[city].name);
        let tail = self.brand_tail(number, role);
        match role.kind {
            SiteKind::OpenDirectory => out.push_str("Open Directory"),
            SiteKind::Municipal => {
                out.push_str(city.map_or("Metro", |_| "City of "));
                out.push_str(city.unwrap_or_default());
                out.push(' ');
                out.push_str(tail);
                out.push_str(" Department");
            }
            SiteKind::Blog => {
                out.push_str(city.unwrap_or_else(|| self.brand_word(number)));
                out.push(' ');
                out.push_str(TOPICS[role.topic].name);
                out.push_str(" Notes");
            }
            SiteKind::News | SiteKind::Directory | SiteKind::Business | SiteKind::Shop => {
                out.push_str(city.unwrap_or_else(|| self.brand_word(number)));
                out.push(' ');
                out.push_str(tail);
            }
        }
    }
}

fn push_capitalised(text: &str, out: &mut String) {
    let mut chars = text.chars();
    out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
    out.push_str(chars.as_str());
}
