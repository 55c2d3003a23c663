//! Pages that exist to link to others: each other, and whatever is popular.

use super::pen::Pen;
use crate::world::Tag;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.paragraph();
    pen.push("<ul>\n");
    let farm = pen.site.role.rank;
    for _ in 0..pen.dice.between(20, 90) {
        let other = match pen.dice.chance(700) {
            true => pen.world().layout.pick_as_popular(farm, &mut pen.dice),
            false => pen.pick_outside(),
        };
        pen.open_item();
        pen.link_outside(other);
        pen.close_item();
    }
    pen.push("</ul>\n");
    stuffed(pen);
}

/// City names for the search engines.
fn stuffed(pen: &mut Pen<'_>) {
    let share = pen.world().settings.pages.stuffed_farms;
    if !pen.site.dice(Tag::Farm, 0).chance(share) {
        return;
    }
    pen.open_paragraph();
    let world = pen.world();
    let cities = world.geography.of_country(pen.site.country());
    for _ in 0..12 {
        let n = (cities.len() as u64).min(150);
        let city = cities.start + pen.dice.below(n.max(1)) as usize;
        if let Some(city) = world.geography.cities.get(city) {
            pen.push(city.name);
            pen.push(" ");
        }
    }
    pen.close_paragraph();
}
