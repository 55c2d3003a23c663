//! Products in tables, with prices. A page about a city is one of the shop's stores.

use super::CONTACT;
use super::pen::Pen;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    if let (Some(city), true) = (pen.city, pen.page != CONTACT) {
        pen.heading(pen.site.lexicon().labels.directions.trim_end());
        let address = pen.some_address(city);
        pen.address_block(&address);
    }
    if pen.page != CONTACT {
        products(pen);
        pen.facets();
    }
    let n = pen.dice.below(3);
    pen.links_outside(n);
}

fn products(pen: &mut Pen<'_>) {
    pen.push("<table class=\"products\">\n<tr><th>No.</th><th>Product</th><th>Price</th></tr>\n");
    for _ in 0..pen.dice.between(5, 40) {
        let number = pen.dice.between(100_000, 999_999);
        let noun = pen.dice.pick(pen.site.things());
        let dollars = pen.dice.between(2, 900);
        pen.push("<tr><td>");
        pen.push_number(number);
        pen.push("</td><td>");
        pen.push(noun);
        pen.push("</td><td class=\"price\">$");
        pen.push_number(dollars);
        pen.push(if pen.sloppy {
            ".99\n"
        } else {
            ".99</td></tr>\n"
        });
    }
    pen.push("</table>\n");
}
