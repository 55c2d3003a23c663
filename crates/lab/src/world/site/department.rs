//! Sites run in departments, each of which has a contact page, its *desk*: a
//! university, a hospital, a city hall.
//!
//! One page in so many is a desk. Some list the other departments' desks,
//! some are bare; some of a department's other pages link to its desk.

use super::pen::Pen;
use super::{CONTACT, FRONT, Site};
use crate::world::Tag;
use crate::world::words::{DEPARTMENTS, PUBLIC_BUILDINGS};

/// How much a desk links to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Desk {
    /// Nothing at all: made once and forgotten.
    Bare,
    /// The page above it alone.
    Modest,
    /// What every page links to.
    Usual,
    /// The desks of other departments too.
    List,
}

impl Site<'_> {
    /// Whether a page is a department's contact page.
    pub(crate) fn is_desk(&self, page: u32) -> bool {
        self.role.kind.has_departments() && page % self.pages_per_desk() == CONTACT
    }

    /// Pages of one department.
    fn pages_per_desk(&self) -> u32 {
        self.world.settings.pages.pages_per_desk.max(2)
    }

    /// How much a desk links to.
    pub(crate) fn desk(&self, page: u32) -> Option<Desk> {
        if !self.is_desk(page) {
            return None;
        }
        if page == CONTACT {
            return Some(Desk::List);
        }
        let pages = &self.world.settings.pages;
        let modest = pages.bare_desks.saturating_add(pages.modest_desks);
        let usual = 1000_u32.saturating_sub(pages.listing_desks);
        let throw = self.dice(Tag::Desk, u64::from(page)).below(1000) as u32;
        Some(match throw {
            _ if throw < pages.bare_desks => Desk::Bare,
            _ if throw < modest => Desk::Modest,
            _ if throw < usual => Desk::Usual,
            _ => Desk::List,
        })
    }

    /// The desk of a page's department.
    fn desk_of(&self, page: u32) -> u32 {
        let desk = page / self.pages_per_desk() * self.pages_per_desk() + CONTACT;
        if desk < self.n_pages { desk } else { CONTACT }
    }

    fn n_desks(&self) -> u32 {
        let n_others = self.n_pages.saturating_sub(CONTACT);
        n_others.div_ceil(self.pages_per_desk())
    }
}

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    match (pen.site.desk(pen.page), pen.city) {
        (Some(desk), Some(city)) => {
            contact(pen, city);
            if desk == Desk::List {
                other_desks(pen);
            }
        }
        _ => {
            inside(pen);
        }
    }
    if pen.site.desk(pen.page) != Some(Desk::Bare) {
        let n = pen.dice.below(4);
        pen.links_outside(n);
    }
}

fn contact(pen: &mut Pen<'_>, city: usize) {
    let department = pen.dice.pick(&DEPARTMENTS);
    pen.heading(department);
    match pen.site.institution() {
        Some(institution) if pen.page == CONTACT => pen.institution_block(institution, city),
        _ => {
            let address = pen.some_address(city);
            pen.address_block(&address);
        }
    }
    pen.push_phone_line();
}

/// Some pages name the desk of their department.
fn inside(pen: &mut Pen<'_>) {
    let share = pen.world().settings.pages.link_to_desk;
    if pen.dice.chance(share) && pen.page != FRONT {
        let desk = pen.site.desk_of(pen.page);
        pen.open_paragraph();
        pen.link_inside(desk);
        pen.close_paragraph();
    }
    if pen.dice.chance(150) {
        let building = pen.dice.pick(&PUBLIC_BUILDINGS);
        pen.heading(building);
        pen.paragraph();
    }
}

fn other_desks(pen: &mut Pen<'_>) {
    pen.push("<ul>\n");
    let (n_desks, apart) = (pen.site.n_desks(), pen.site.pages_per_desk());
    for _ in 0..pen.dice.between(12, 36).min(u64::from(n_desks)) {
        let desk = pen.dice.below(u64::from(n_desks)) as u32 * apart + CONTACT;
        pen.open_item();
        pen.link_inside(desk);
        pen.close_item();
    }
    pen.push("</ul>\n");
}
