//! Sites run in departments, each of which has a contact page, its *desk*: a
//! university, a hospital, a city hall.
//!
//! Two pages in a hundred are desks. Some list the other departments' desks,
//! some are bare; some of a department's other pages link to its desk.

use super::pen::Pen;
use super::{CONTACT, FRONT, Site};
use crate::world::Tag;
use crate::world::words::{DEPARTMENTS, PUBLIC_BUILDINGS};

/// Pages of one department.
const DEPARTMENT: u32 = 50;

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
        self.role.kind.has_departments() && page % DEPARTMENT == CONTACT
    }

    /// How much a desk links to; after the shares that were measured on a
    /// recorded university web: the nearest other page with an address is one
    /// click away for 38 %, three for 11 % and out of reach for 9 %.
    pub(crate) fn desk(&self, page: u32) -> Option<Desk> {
        if !self.is_desk(page) {
            return None;
        }
        if page == CONTACT {
            return Some(Desk::List);
        }
        Some(match self.dice(Tag::Desk, u64::from(page)).below(1000) {
            0..90 => Desk::Bare,
            90..390 => Desk::Modest,
            390..760 => Desk::Usual,
            _ => Desk::List,
        })
    }

    /// The desk of a page's department.
    fn desk_of(&self, page: u32) -> u32 {
        let desk = page / DEPARTMENT * DEPARTMENT + CONTACT;
        if desk < self.n_pages { desk } else { CONTACT }
    }

    fn n_desks(&self) -> u32 {
        self.n_pages.saturating_sub(CONTACT).div_ceil(DEPARTMENT)
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
    if pen.dice.chance(250) && pen.page != FRONT {
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
    let n_desks = pen.site.n_desks();
    for _ in 0..pen.dice.between(12, 36).min(u64::from(n_desks)) {
        let desk = pen.dice.below(u64::from(n_desks)) as u32 * DEPARTMENT + CONTACT;
        pen.open_item();
        pen.link_inside(desk);
        pen.close_item();
    }
    pen.push("</ul>\n");
}
