//! A city hall or one of its departments: offices with addresses, meetings, notices.

use super::pen::Pen;
use super::{CONTACT, FRONT};
use crate::world::words::PUBLIC_BUILDINGS;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    let Some(city) = pen.city else { return };
    if pen.page == CONTACT {
        let address = pen.address_of(pen.site.number, city);
        pen.address_block(&address);
        pen.push("Phone ");
        pen.push_phone();
    } else if pen.page != FRONT && pen.dice.chance(150) {
        pen.heading("Locations");
        pen.push("<ul>\n");
        for _ in 0..pen.dice.between(1, 8) {
            let building = pen.dice.pick(&PUBLIC_BUILDINGS);
            let address = pen.some_address(city);
            pen.open_item();
            pen.push(building);
            pen.push(", ");
            address.write_line(&mut pen.html);
            pen.close_item();
        }
        pen.push("</ul>\n");
    } else if pen.dice.chance(250) {
        meetings(pen);
    }
    let n = pen.dice.below(5);
    pen.links_outside("Resources", n);
}

fn meetings(pen: &mut Pen<'_>) {
    pen.heading("Meetings");
    pen.push("<table border=1><tr><th>Day</th><th>Time</th><th>Chair</th></tr>\n");
    for _ in 0..pen.dice.between(3, 12) {
        let day = pen
            .dice
            .pick(&["Monday", "Tuesday", "Wednesday", "Thursday"]);
        let hour = pen.dice.between(1, 9);
        pen.push("<tr><td>");
        pen.push(day);
        pen.push("</td><td>");
        pen.push_number(hour);
        pen.push(":30 pm</td><td>");
        pen.push_person();
        pen.push(if pen.sloppy { "\n" } else { "</td></tr>\n" });
    }
    pen.push("</table>\n");
}
