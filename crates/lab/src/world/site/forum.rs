//! Questions and answers; now and then somebody gives an address.

use super::pen::Pen;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.heading(pen.site.lexicon().labels.questions);
    for _ in 0..pen.dice.between(2, 9) {
        pen.push("<div class=\"post\"><b>");
        pen.push_person();
        pen.push("</b>");
        pen.paragraph();
        if pen.dice.chance(120) {
            let other = pen.pick_outside();
            pen.link_outside(other);
        }
        pen.push("</div>\n");
    }
    let share = pen.world().settings.pages.forum_address;
    if let Some(city) = pen.city
        && pen.dice.chance(share)
    {
        pen.open_paragraph();
        let address = pen.some_address(city);
        address.write_line(&mut pen.html);
        pen.close_paragraph();
    }
}
