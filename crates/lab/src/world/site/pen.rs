//! Writes the pieces that pages are made of, into one growing string.
//!
//! A pen knows the site's habits: careless sites leave tags open and
//! attributes unquoted, and every site keeps to one way of writing addresses.

use super::address::Address;
use super::{CONTACT, FRONT, Language, Site, prose};
use crate::world::dice::Dice;
use crate::world::geography::City;
use crate::world::host::push_number;
use crate::world::institution::Institution;
use crate::world::layout::{Role, SiteKind};
use crate::world::words::german::GERMAN_TOPICS;
use crate::world::words::{FIRST_NAMES, GERMAN_FIRST_NAMES, GERMAN_LAST_NAMES, LAST_NAMES, TOPICS};
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
            // A copy says what its original says.
            dice: site.dice(Tag::Page, u64::from(site.original(page))),
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

    pub(crate) fn city(&self) -> Option<&'w City> {
        self.city.map(|city| &self.world().geography.cities[city])
    }

    pub(crate) fn push(&mut self, text: &str) {
        self.html.push_str(text);
    }

    pub(crate) fn push_number(&mut self, number: u64) {
        push_number(number, &mut self.html);
    }

    /// Text that may hold `&`.
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

    /// One sentence on the site's topic.
    pub(crate) fn sentence(&mut self) {
        let (lexicon, things) = (self.site.lexicon(), self.site.things());
        prose::sentence(lexicon, things, &mut self.dice, &mut self.html);
    }

    /// A paragraph of a few sentences, which names the city in some.
    pub(crate) fn paragraph(&mut self) {
        self.open_paragraph();
        for _ in 0..self.dice.between(3, 7) {
            self.sentence();
        }
        let settings = &self.world().settings;
        if let Some(city) = self.city()
            && self.dice.chance(settings.city_in_text)
        {
            self.city_sentence(city);
        }
        if self.dice.chance(settings.stray_city) {
            let cities = self.world().geography.of_country(self.site.country());
            let stray = cities.start + self.dice.below(cities.len() as u64) as usize;
            if let Some(city) = self.world().geography.cities.get(stray) {
                self.city_sentence(city);
            }
        }
        self.close_paragraph();
    }

    fn city_sentence(&mut self, city: &City) {
        let mut name = String::with_capacity(32);
        name.push_str(city.name);
        if self
            .dice
            .chance(self.world().settings.pages.state_beside_city)
        {
            name.push_str(", ");
            name.push_str(city.state);
        }
        let lexicon = self.site.lexicon();
        prose::city_sentence(lexicon, &name, &mut self.dice, &mut self.html);
    }

    /// A heading's or an anchor's words for a page of this site.
    pub(crate) fn push_page_name(&mut self, page: u32) {
        match page {
            FRONT => self.push(self.site.lexicon().labels.home),
            CONTACT => self.push(self.site.lexicon().labels.contact),
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
                    self.push(self.site.lexicon().labels.in_city);
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
        let start = self.html.len();
        match page > CONTACT && self.dice.chance(8) {
            true => Site::write_old_path(page, &mut self.html),
            false => {
                self.site.write_path(page, &mut self.html);
                self.push_session(start);
            }
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
            self.push(self.site.lexicon().labels.of_city);
            self.push(self.world().geography.cities[city].name);
        }
        self.close_link();
    }

    /// Some other site that a page like this one would link to.
    pub(crate) fn pick_outside(&mut self) -> u64 {
        if let Some(near) = self.city.and_then(|city| self.pick_near(city)) {
            return near;
        }
        // A few throws for a site that its readers can read.
        let mut other = self.pick_anywhere();
        for _ in 0..6 {
            let role = self.world().layout.role(other);
            let language = self.world().language(other, role);
            if language == self.site.language || self.dice.chance(150) {
                break;
            }
            other = self.pick_anywhere();
        }
        other
    }

    /// A site of a city, or of another city of its state.
    fn pick_near(&mut self, city: usize) -> Option<u64> {
        let world = self.world();
        let settings = &world.settings;
        let throw = self.dice.below(1000) as u32;
        let same_city = settings.link_same_city;
        if throw < same_city {
            return world.layout.pick_local(city, &mut self.dice);
        }
        if throw < same_city.saturating_add(settings.link_same_state) {
            let state = world.geography.cities[city].state_idx;
            let other = self.dice.pick(&world.geography.states[state].cities);
            return world.layout.pick_local(other, &mut self.dice);
        }
        None
    }

    fn pick_anywhere(&mut self) -> u64 {
        let world = self.world();
        let settings = &world.settings;
        let (country, role) = (self.site.country(), self.site.role);
        let mut throw = self.dice.below(1000) as u32;
        let dice = &mut self.dice;
        if throw < settings.link_into_local
            && let Some(local) = world.layout.pick_any_local(country, dice)
        {
            return local;
        }
        throw = throw.saturating_sub(settings.link_into_local);
        if throw < settings.link_same_status && role.city.is_none() {
            return world.layout.pick_as_popular(role.rank, dice);
        }
        if throw
            < settings
                .link_same_status
                .saturating_add(settings.link_same_topic)
        {
            return world.layout.pick_on_topic(role.topic, dice);
        }
        world.layout.pick_general(dice)
    }

    /// A list of links to other sites.
    pub(crate) fn links_outside(&mut self, n: u64) {
        if n == 0 {
            return;
        }
        self.push("<h3>");
        self.push(self.site.lexicon().labels.elsewhere);
        self.push("</h3>\n<ul>\n");
        for _ in 0..n {
            let other = self.pick_outside();
            self.open_item();
            self.link_outside(other);
            if self.dice.chance(400) {
                self.push(" ");
                self.sentence();
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

    /// An address as this site writes it, now and then for machines only.
    pub(crate) fn address_block(&mut self, address: &Address<'_>) {
        let structured = self.world().settings.structured_only;
        match self.site.dice(Tag::Structured, 0).chance(structured) {
            true => address.write_structured(&mut self.html),
            false => address.write_block(self.address_layout, &mut self.html),
        }
    }

    /// The real address of an institution.
    pub(crate) fn institution_block(&mut self, institution: &Institution, city: usize) {
        self.addressed.push(city);
        let address = Address::of(institution, &self.world().geography.cities[city]);
        self.address_block(&address);
    }

    pub(crate) fn push_person(&mut self) {
        let (first, last) = match self.site.language {
            Language::German => (
                self.dice.pick(&GERMAN_FIRST_NAMES),
                self.dice.pick(&GERMAN_LAST_NAMES),
            ),
            _ => (self.dice.pick(&FIRST_NAMES), self.dice.pick(&LAST_NAMES)),
        };
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

    pub(crate) fn push_phone_line(&mut self) {
        self.open_paragraph();
        self.push(self.site.lexicon().labels.phone);
        self.push_phone();
        self.close_paragraph();
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
            SiteKind::University | SiteKind::Hospital => {
                out.push_str(self.institution_name(role).unwrap_or(tail));
            }
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
                out.push_str(match self.language(number, role) {
                    Language::German => GERMAN_TOPICS[role.topic].name,
                    _ => TOPICS[role.topic].name,
                });
                out.push_str(" Notes");
            }
            _ => {
                out.push_str(city.unwrap_or_else(|| self.brand_word(number)));
                out.push(' ');
                out.push_str(tail);
            }
        }
    }

    fn institution_name(&self, role: Role) -> Option<&'static str> {
        let (city, nth) = self.layout.institution(role)?;
        let institution = self.geography.cities[city].institutions.get(nth)?;
        Some(institution.name)
    }
}

fn push_capitalised(text: &str, out: &mut String) {
    let mut chars = text.chars();
    out.extend(chars.next().map(|c| c.to_ascii_uppercase()));
    out.push_str(chars.as_str());
}
