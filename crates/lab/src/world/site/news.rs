//! Stories, with a byline and sometimes the address where something happened.

use super::pen::Pen;
use super::{CONTACT, FRONT};

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.open_paragraph();
    pen.push("By <i>");
    pen.push_person();
    pen.push("</i>");
    pen.close_paragraph();
    pen.paragraph();
    if let Some(city) = pen.site.role.city {
        if pen.page == CONTACT {
            let address = pen.address_of(pen.site.number, city);
            pen.address_block(&address);
        } else if pen.page != FRONT && pen.dice.chance(120) {
            pen.open_paragraph();
            pen.push("The event takes place at ");
            let address = pen.some_address(city);
            address.write_line(&mut pen.html);
            pen.push(", officials said.");
            pen.close_paragraph();
        }
    }
    pen.paragraph();
    let n = pen.dice.below(6);
    pen.links_outside("Elsewhere", n);
}
