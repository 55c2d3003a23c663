//! A company: services, a contact page. A local one has its address there, and
//! one of no place may give a head office, or a store on a page about a city.

use super::pen::Pen;
use super::{CONTACT, FRONT};
use crate::world::Tag;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    if pen.page == CONTACT {
        contact(pen);
    } else if let (None, Some(city)) = (pen.site.role.city, pen.city) {
        pen.heading(pen.site.lexicon().labels.directions.trim_end());
        let address = pen.some_address(city);
        pen.address_block(&address);
    } else if pen.dice.chance(400) {
        services(pen);
    }
    partners(pen);
}

/// The pages of a chain or an agency that are about no city.
pub(crate) fn contact_or_partners(pen: &mut Pen<'_>) {
    match pen.page {
        CONTACT => contact(pen),
        _ => partners(pen),
    }
}

fn partners(pen: &mut Pen<'_>) {
    let n = match pen.page {
        FRONT => pen.dice.below(8),
        _ => pen.dice.below(3),
    };
    pen.links_outside(n);
}

fn contact(pen: &mut Pen<'_>) {
    let site = pen.site;
    pen.heading(site.lexicon().labels.contact);
    let settings = &pen.world().settings;
    let city = match site.role.city {
        Some(city) => site
            .dice(Tag::Contact, 0)
            .chance(settings.contact_address)
            .then_some(city),
        None => site.head_office(),
    };
    if let Some(city) = city {
        let address = pen.address_of(site.number, city);
        pen.address_block(&address);
    }
    pen.open_paragraph();
    pen.push(site.lexicon().labels.phone);
    pen.push_phone();
    pen.push(", ");
    pen.push_person();
    pen.push(".");
    pen.close_paragraph();
}

fn services(pen: &mut Pen<'_>) {
    pen.push("<ul>\n");
    for _ in 0..pen.dice.between(4, 12) {
        pen.open_item();
        let noun = pen.dice.pick(pen.site.things());
        pen.push(noun);
        pen.push(" $");
        let price = pen.dice.between(9, 499);
        pen.push_number(price);
        pen.close_item();
    }
    pen.push("</ul>\n");
}
