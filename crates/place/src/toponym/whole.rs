//! Signs that a candidate names a place, seen from the whole page.

use super::signs::{Sink, signs};

signs! { NAMES:
    ANY "any name",
    LOCAL "what stands around it",
    BEST "the best surroundings of this name on the page",
    MEAN "its usual surroundings on the page",
    TIMES "how often it is on the page",
    CERTAIN "one place stands out",
    CERTAIN_AND_SHARED "one of many places stands out",
    STATE_SHARE "much on the page is in its state",
    COUNTRY_SHARE "much on the page is in its country",
    NEAR_MASS "places near it are on the page",
    NAMED_IN "its state is named on the page",
    CONTAINED "once followed by its state or country",
    PERSON "elsewhere on the page a person",
    PERSON_SHARE "mostly a person on the page",
    AFTER_LARGE_SHARE "often after another capital",
    IN_ADDRESS "an address on the page lies there",
    RIVAL "a better name overlaps",
    RIVAL_LONGER "a longer name covers it",
    DENSE "the page is full of places",
    FAR_AND_SMALL "a small place far from the rest",
    DEMONYM "people or adjective of a place",
}

signs! { SURE_NAMES:
    ANY_ANSWER "any answer",
    IS_NAME "surely a name",
    IS_PLACE "surely that place",
    IS_DOUBTFUL "the weaker of both",
}

/// Signs that an answer is right, from the log odds of its two halves.
pub(super) fn sure_signs(name: f32, place: f32, sink: &mut impl Sink) {
    sink.add(ANY_ANSWER, 1.0);
    sink.add(IS_NAME, name);
    sink.add(IS_PLACE, place);
    sink.add(IS_DOUBTFUL, name.min(place));
}

/// What the page says about one candidate.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Outlook {
    pub(super) local: f32,
    pub(super) best: f32,
    pub(super) mean: f32,
    pub(super) n_times: f32,
    pub(super) certainty: f32,
    pub(super) is_shared: bool,
    pub(super) state_share: f32,
    pub(super) country_share: f32,
    pub(super) near_mass: f32,
    pub(super) named_in: f32,
    pub(super) contained: bool,
    pub(super) person_share: f32,
    pub(super) after_large_share: f32,
    pub(super) in_address: bool,
    /// How much better the best overlapping candidate is; zero where none is.
    pub(super) rival: f32,
    pub(super) rival_longer: bool,
    pub(super) density: f32,
    pub(super) is_small: bool,
    pub(super) is_demonym: bool,
}

pub(super) fn signs_of(outlook: &Outlook, sink: &mut impl Sink) {
    sink.add(ANY, 1.0);
    sink.add(LOCAL, outlook.local);
    sink.add(BEST, outlook.best);
    sink.add(MEAN, outlook.mean);
    sink.add(TIMES, outlook.n_times.ln());
    sink.add(CERTAIN, outlook.certainty);
    sink.add(
        CERTAIN_AND_SHARED,
        if outlook.is_shared {
            outlook.certainty
        } else {
            0.0
        },
    );
    sink.add(STATE_SHARE, outlook.state_share);
    sink.add(COUNTRY_SHARE, outlook.country_share);
    sink.add(NEAR_MASS, outlook.near_mass);
    sink.add(NAMED_IN, outlook.named_in);
    sink.flag(CONTAINED, outlook.contained);
    sink.flag(PERSON, outlook.person_share > 0.0);
    sink.add(PERSON_SHARE, outlook.person_share);
    sink.add(AFTER_LARGE_SHARE, outlook.after_large_share);
    sink.flag(IN_ADDRESS, outlook.in_address);
    sink.add(RIVAL, outlook.rival);
    sink.flag(RIVAL_LONGER, outlook.rival_longer);
    sink.add(DENSE, outlook.density);
    sink.flag(FAR_AND_SMALL, outlook.is_small && outlook.near_mass < 0.1);
    sink.flag(DEMONYM, outlook.is_demonym);
}
