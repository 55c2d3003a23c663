//! Lists of other sites. A city's directory lists its businesses by topic with
//! their addresses; one of no place lists what its topic is linked with.

use super::pen::Pen;
use super::{CONTACT, FRONT};
use crate::world::Tag;
use crate::world::words::{N_TOPICS, TOPICS};

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    match pen.site.role.city {
        Some(city) if pen.page > CONTACT => listing(pen, city),
        _ => {
            let n = match pen.page {
                FRONT => pen.dice.between(10, 50),
                CONTACT => 0,
                _ => pen.dice.between(5, 60),
            };
            pen.links_outside(n);
        }
    }
}

/// Businesses on one topic, a stretch of the city's list for every page.
fn listing(pen: &mut Pen<'_>, city: usize) {
    let world = pen.world();
    // A small city has no business on most topics: take the next one that has some.
    let topic = (0..N_TOPICS)
        .map(|step| (pen.page as usize + step) % N_TOPICS)
        .find(|topic| world.layout.n_business_slots(city, *topic) > 0);
    let Some(topic) = topic else { return };
    let n_slots = world.layout.n_business_slots(city, topic);
    let n_shown = pen.dice.between(5, 30).min(n_slots);
    let start = pen.dice.below(n_slots);
    let share = world.settings.pages.directory_address;
    let shows_addresses = pen.site.dice(Tag::Listed, 1).chance(share);
    pen.heading(TOPICS[topic].name);
    for step in 0..n_shown {
        let nth = (start + step) % n_slots;
        if let Some(business) = world.layout.business(city, topic, nth) {
            pen.push("<div class=\"listing\">");
            pen.link_outside(business);
            if shows_addresses {
                let address = pen.address_of(business, city);
                pen.address_block(&address);
            }
            pen.sentence();
            pen.push("</div>\n");
        }
    }
}
