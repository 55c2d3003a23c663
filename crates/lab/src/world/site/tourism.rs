//! Sights, hotels and events of a city.

use super::CONTACT;
use super::pen::Pen;
use crate::world::words::SIGHTS;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    let Some(city) = pen.city else { return };
    let share = pen.world().settings.pages.sight_address;
    if pen.page == CONTACT {
        let address = pen.address_of(pen.site.number, city);
        pen.address_block(&address);
        pen.push_phone_line();
    } else if pen.dice.chance(share) {
        let sight = pen.dice.pick(&SIGHTS);
        pen.heading(sight);
        pen.paragraph();
        let address = pen.some_address(city);
        pen.address_block(&address);
    }
    let n = pen.dice.between(1, 8);
    pen.links_outside(n);
}
