//! Stories, with a byline and sometimes the address where something happened.
//! Some stand in several papers.

use super::pen::Pen;
use super::{CONTACT, FRONT};
use crate::world::Tag;

/// Stories that papers share, for so many sites one.
const SITES_PER_STORY: u64 = 40;

pub(crate) fn write(pen: &mut Pen<'_>) {
    pen.open_paragraph();
    pen.push(pen.site.lexicon().labels.by);
    pen.push("<i>");
    pen.push_person();
    pen.push("</i>");
    pen.close_paragraph();
    match shared_story(pen) {
        Some(story) => {
            let shared = pen.world().dice(Tag::Story, story, 0);
            let own = std::mem::replace(&mut pen.dice, shared);
            for _ in 0..8 {
                pen.paragraph();
            }
            pen.dice = own;
        }
        None => own_story(pen),
    }
    let n = pen.dice.below(6);
    pen.links_outside(n);
}

fn shared_story(pen: &mut Pen<'_>) -> Option<u64> {
    let page = pen.site.original(pen.page);
    let mut dice = pen.site.dice(Tag::Story, u64::from(page));
    let is_shared = page > CONTACT
        && pen.site.is_leaf(page)
        && pen.city.is_none()
        && dice.chance(pen.world().settings.syndicated);
    let n_stories = pen.world().layout.n_sites() / SITES_PER_STORY + 1;
    is_shared.then(|| dice.below(n_stories))
}

fn own_story(pen: &mut Pen<'_>) {
    pen.paragraph();
    let share = pen.world().settings.pages.story_address;
    if let Some(city) = pen.city {
        if pen.page == CONTACT {
            let address = pen.address_of(pen.site.number, city);
            pen.address_block(&address);
        } else if pen.page != FRONT && pen.dice.chance(share) {
            pen.open_paragraph();
            pen.push(pen.site.lexicon().labels.directions);
            let address = pen.some_address(city);
            address.write_line(&mut pen.html);
            pen.push(".");
            pen.close_paragraph();
        }
    }
    pen.paragraph();
}
