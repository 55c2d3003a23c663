//! Houses for sale: a page for each, with its address.

use super::pen::Pen;
use super::{CONTACT, FRONT};

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    let Some(city) = pen.city else { return };
    let share = pen.world().settings.pages.house_address;
    match pen.page {
        CONTACT => {
            let address = pen.address_of(pen.site.number, city);
            pen.address_block(&address);
            pen.push_phone_line();
        }
        FRONT => {}
        _ if pen.site.is_leaf(pen.page) && pen.dice.chance(share) => {
            let price = pen.dice.between(80, 900);
            pen.push("<h2>$");
            pen.push_number(price);
            pen.push(",000</h2>\n");
            let address = pen.some_address(city);
            pen.address_block(&address);
        }
        _ => {}
    }
    let n = pen.dice.below(3);
    pen.links_outside(n);
}
