//! Sites about many cities: branches of a chain, listings of a guide, offices
//! of an agency.
//!
//! After the contact page every city has a stretch of pages: one that sums up,
//! then the others. The summing pages form a tree below the front page.

use super::pen::Pen;
use super::{CONTACT, FRONT, Site, prose};
use crate::world::Tag;
use crate::world::dice::{Shuffle, hash};
use crate::world::geography::slug;
use crate::world::host::push_number;
use crate::world::layout::SiteKind;
use crate::world::words::{N_TOPICS, TOPICS};

/// The first page of the first stretch.
const FIRST: u32 = CONTACT + 1;

impl Site<'_> {
    /// Pages of each city.
    fn stretch(&self) -> u32 {
        let mut dice = self.dice(Tag::Stretch, 0);
        match self.role.kind {
            SiteKind::Guide => dice.between(6, 20) as u32,
            _ => dice.between(1, 4) as u32,
        }
    }

    fn n_slots(&self) -> u32 {
        (self.n_pages.saturating_sub(FIRST) / self.stretch()).max(1)
    }

    /// Which city's stretch a page is in, and the how manieth of it; pages
    /// left over at the end belong to the last city.
    fn slot(&self, page: u32) -> Option<(u32, u32)> {
        let at = page.checked_sub(FIRST)?;
        let slot = (at / self.stretch()).min(self.n_slots() - 1);
        Some((slot, at - slot * self.stretch()))
    }

    fn overview(&self, slot: u32) -> u32 {
        FIRST + slot * self.stretch()
    }

    /// Whether it gives street addresses, or phone numbers only.
    fn shows_addresses(&self) -> bool {
        self.dice(Tag::Stretch, 3)
            .chance(self.world.settings.regional_address)
    }

    /// Large cities more often than small ones, each at most once.
    pub(super) fn regional_city(&self, page: u32) -> Option<usize> {
        let (slot, _) = self.slot(page)?;
        let cities = self.world.geography.of_country(self.country());
        let n_slots = u64::from(self.n_slots());
        let window = (n_slots * 3).max(40).min(cities.len() as u64);
        if u64::from(slot) >= window {
            return None;
        }
        let key = hash(&[self.number, Tag::Stretch as u64]);
        Some(cities.start + Shuffle::new(key, window).forward(u64::from(slot)) as usize)
    }

    /// The slots below one, or below the front page.
    fn slots_below(&self, slot: Option<u32>) -> std::ops::Range<u32> {
        let first = slot.map_or(0, |slot| (slot + 1).saturating_mul(self.fanout));
        let end = first.saturating_add(self.fanout);
        first.min(self.n_slots())..end.min(self.n_slots())
    }

    pub(super) fn regional_children(&self, page: u32) -> Vec<u32> {
        let Some((slot, nth)) = self.slot(page) else {
            let below = self.slots_below(None).map(|slot| self.overview(slot));
            return match page {
                FRONT => std::iter::once(CONTACT).chain(below).collect(),
                _ => Vec::new(),
            };
        };
        if nth > 0 {
            return Vec::new();
        }
        let end = match slot + 1 == self.n_slots() {
            true => self.n_pages,
            false => page + self.stretch(),
        };
        let below = self.slots_below(Some(slot)).map(|slot| self.overview(slot));
        (page + 1..end.min(self.n_pages)).chain(below).collect()
    }

    pub(super) fn regional_parent(&self, page: u32) -> u32 {
        match self.slot(page) {
            Some((slot, 0)) => match (slot / self.fanout).checked_sub(1) {
                Some(above) => self.overview(above),
                None => FRONT,
            },
            Some((slot, _)) => self.overview(slot),
            None => FRONT,
        }
    }

    pub(super) fn is_regional_leaf(&self, page: u32) -> bool {
        self.slot(page).is_some_and(|(_, nth)| nth > 0)
    }

    /// The first few cities' pages, for the menu.
    pub(super) fn popular(&self) -> impl Iterator<Item = u32> {
        let n = self.dice(Tag::Stretch, 2).between(4, 14) as u32;
        let overview = |slot: u32| FIRST + slot * self.stretch();
        (0..n.min(self.n_slots()))
            .map(overview)
            .collect::<Vec<_>>()
            .into_iter()
    }

    pub(super) fn write_regional_path(&self, page: u32, out: &mut String) {
        let mut dice = self.dice(Tag::Stretch, 1);
        let is_named = dice.chance(self.world.settings.regional_city_in_path);
        let city = self.regional_city(page).filter(|_| is_named);
        out.push('/');
        match city.map(|city| &self.world.geography.cities[city]) {
            None => out.push_str("location.asp?loc="),
            Some(city) => {
                out.push_str(&slug(city.state));
                out.push('/');
                out.push_str(&city.slug);
                out.push('/');
                out.push_str(self.regional_topic(page).unwrap_or("index"));
                out.push('-');
            }
        }
        push_number(u64::from(page), out);
    }

    /// What a listing of a guide is about.
    fn regional_topic(&self, page: u32) -> Option<&'static str> {
        let (_, nth) = self.slot(page)?;
        let is_listing = self.role.kind == SiteKind::Guide && nth > 0;
        is_listing.then(|| TOPICS[(self.role.topic + nth as usize) % N_TOPICS].slug)
    }
}

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    let site = pen.site;
    match (site.slot(pen.page), pen.city) {
        (Some((slot, nth)), Some(city)) => {
            match site.role.kind {
                SiteKind::Guide if nth > 0 => listing(pen, city, nth),
                SiteKind::Guide => {}
                _ => branch(pen, city),
            }
            let n = pen.dice.between(3, 8) * if nth == 0 { 2 } else { 1 };
            nearby(pen, (slot, nth), n);
        }
        _ => super::business::contact_or_partners(pen),
    }
    let n = pen.dice.below(3);
    pen.links_outside(n);
}

/// One branch or office with its address.
fn branch(pen: &mut Pen<'_>, city: usize) {
    let label = pen.site.lexicon().labels.directions;
    pen.heading(label.trim_end_matches([' ', ':']));
    if pen.site.shows_addresses() {
        let address = pen.some_address(city);
        pen.address_block(&address);
    }
    pen.push_phone_line();
}

/// Businesses of a city on one topic: some of their addresses, links to some.
fn listing(pen: &mut Pen<'_>, city: usize, nth: u32) {
    let world = pen.world();
    let topic = (pen.site.role.topic + nth as usize) % N_TOPICS;
    let n_slots = world.layout.n_business_slots(city, topic);
    let n_shown = pen.dice.between(3, 15).min(n_slots);
    let shows_addresses = pen.site.shows_addresses();
    let start = pen.dice.below(n_slots.max(1));
    pen.heading(TOPICS[topic].name);
    for step in 0..n_shown {
        let Some(business) = world.layout.business(city, topic, (start + step) % n_slots) else {
            continue;
        };
        pen.push("<div class=\"listing\">");
        pen.link_outside(business);
        if shows_addresses {
            let address = pen.address_of(business, city);
            pen.address_block(&address);
        }
        let (lexicon, things) = (pen.site.lexicon(), pen.site.things());
        prose::sentence(lexicon, things, &mut pen.dice, &mut pen.html);
        pen.push("</div>\n");
    }
}

/// Links to other cities: to the same matter there, or to what sums the city up.
fn nearby(pen: &mut Pen<'_>, (slot, nth): (u32, u32), n: u64) {
    let site = pen.site;
    let alike = pen.world().settings.nearby_alike;
    // Where it never happens nothing is thrown: older worlds stay as they were.
    let may_be_alike = nth > 0 && alike > 0;
    pen.heading(site.lexicon().labels.nearby);
    pen.push("<ul>\n");
    for _ in 0..n {
        let step = pen.dice.between(1, u64::from(site.n_slots())) as u32;
        let other = (slot + step) % site.n_slots();
        let nth = match may_be_alike && pen.dice.chance(alike) {
            true => nth % site.stretch(),
            false => 0,
        };
        pen.open_item();
        pen.link_inside(site.overview(other) + nth);
        pen.close_item();
    }
    pen.push("</ul>\n");
}
