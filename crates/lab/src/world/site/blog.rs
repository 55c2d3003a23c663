//! Somebody's notes: posts, a blogroll, now and then a place worth a visit.

use super::FRONT;
use super::pen::Pen;

pub(crate) fn write(pen: &mut Pen<'_>) {
    for _ in 0..pen.dice.between(1, 4) {
        pen.open_paragraph();
        pen.push("<b>");
        pen.push(pen.site.lexicon().labels.by);
        pen.push_person();
        pen.push("</b>");
        pen.close_paragraph();
        pen.paragraph();
    }
    let share = pen.world().settings.pages.blog_address;
    if let Some(city) = pen.site.role.city
        && pen.page != FRONT
        && pen.dice.chance(share)
    {
        pen.open_paragraph();
        pen.push(pen.site.lexicon().labels.directions);
        let address = pen.some_address(city);
        address.write_line(&mut pen.html);
        pen.push("!");
        pen.close_paragraph();
    }
    let n = match pen.page {
        FRONT => pen.dice.between(5, 25),
        _ => pen.dice.below(8),
    };
    pen.links_outside(n);
}
