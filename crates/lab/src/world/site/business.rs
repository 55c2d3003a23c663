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
        pen.heading("Visit our store");
        let address = pen.some_address(city);
        pen.address_block(&address);
    } else if pen.dice.chance(400) {
        services(pen);
    }
    let n = match pen.page {
        FRONT => pen.dice.below(8),
        _ => pen.dice.below(3),
    };
    pen.links_outside("Partners", n);
}

fn contact(pen: &mut Pen<'_>) {
    pen.heading("Contact");
    if let Some(city) = pen.site.role.city {
        let address = pen.address_of(pen.site.number, city);
        pen.address_block(&address);
    } else {
        let mut dice = pen.site.dice(Tag::HeadOffice, 0);
        let world = pen.world();
        if dice.chance(world.settings.head_office)
            && let Some(local) = world.layout.pick_any_local(&mut dice)
            && let Some(city) = world.layout.role(local).city
        {
            let address = pen.address_of(pen.site.number, city);
            pen.address_block(&address);
        }
    }
    pen.open_paragraph();
    pen.push("Call ");
    pen.push_phone();
    pen.push(" and ask for ");
    pen.push_person();
    pen.push(".");
    pen.close_paragraph();
}

fn services(pen: &mut Pen<'_>) {
    pen.heading("What we do");
    pen.push("<ul>\n");
    for _ in 0..pen.dice.between(4, 12) {
        let topic = pen.topic();
        pen.open_item();
        let noun = pen.dice.pick(&topic.nouns);
        pen.push(noun);
        pen.push(" from $");
        let price = pen.dice.between(9, 499);
        pen.push_number(price);
        pen.close_item();
    }
    pen.push("</ul>\n");
}
