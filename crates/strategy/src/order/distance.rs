//! *Idea*: the fewer links since the last relevant page, the sooner.
//!
//! *Evidence*: whether the pages on the way to a link were relevant. A seed
//! has score 1, and so has a relevant page; a link has the score of its page
//! times the decay (`--decay`), one half unless told otherwise. Ties are
//! broken by chance, always the same for the same seed (`--order-seed`).
//!
//! *Wins when*: relevant pages link to each other: what is found triggers a
//! dive around it.
//!
//! *Loses when*: the way to relevant pages leads over others: links are told
//! apart by nothing but where they stand.
//!
//! *Source*: Adaptive Geospatially Focused Crawling (CIKM 2009), link distance.

use super::{Closed, Entry, Judgement, Mind, Order, Priority, Sighting};
use crate::ties::Ties;

pub(crate) const ENTRY: Entry = Entry {
    name: "distance",
    summary: "fetches links near relevant pages first",
    build: |means| {
        Ok(Order {
            eye: Box::new(Closed),
            mind: Box::new(Distance {
                decay: means.decay()?,
                ties: Ties::new(means.order_seed),
            }),
        })
    },
    settings: &["--decay", "--order-seed"],
    source: include_str!("distance.rs"),
};

struct Distance {
    decay: f32,
    ties: Ties,
}

impl Mind for Distance {
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        let score = score(self.decay, sighting.distance);
        Judgement::Follow(Priority {
            value: self.ties.broken(score, sighting.url),
            because: because(sighting.distance),
        })
    }
}

/// The score of a link so many links after the last relevant page.
pub(crate) fn score(decay: f32, distance: u16) -> f32 {
    decay.powi(i32::from(distance))
}

/// The same in words.
pub(crate) fn because(distance: u16) -> &'static str {
    match distance {
        0 => "a seed",
        1 => "on a relevant page",
        2 => "one page from a relevant one",
        3 => "two pages from a relevant one",
        _ => "far from relevant pages",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;

    fn value(mind: &dyn Mind, distance: u16, url: u64) -> f32 {
        match mind.judge(&Sighting::new(url, distance, &[])) {
            Judgement::Follow(priority) => priority.value,
            Judgement::Leave => panic!("left"),
        }
    }

    #[test]
    fn a_link_has_half_the_score_of_its_page() {
        let mind = Stage::top100().order("distance").mind;
        for (distance, score) in [(0, 1.0), (1, 0.5), (2, 0.25), (3, 0.125)] {
            let value = value(&*mind, distance, 7);
            assert!((value - score).abs() < score / 100.0, "{value} {score}");
        }
    }

    #[test]
    fn ties_are_broken_within_a_level_and_differently_for_every_seed() {
        let stage = Stage::top100();
        let value_of = |seed: u64, distance: u16, url: u64| {
            let means = Means {
                order_seed: seed,
                ..stage.means()
            };
            let order = (ENTRY.build)(&means).unwrap();
            value(&*order.mind, distance, url)
        };
        let urls = (1..200_u64).map(|n| n.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for distance in [1, 5, 12] {
            let values: Vec<f32> = urls.clone().map(|url| value_of(1, distance, url)).collect();
            let most = values.iter().copied().fold(0.0, f32::max);
            let least = values.iter().copied().fold(1.0, f32::min);
            assert!(most > least, "ties at {distance}");
            assert!(least > value_of(1, distance + 1, 7));
        }
        let first = |seed: u64| {
            urls.clone()
                .max_by(|a, b| value_of(seed, 2, *a).total_cmp(&value_of(seed, 2, *b)))
        };
        assert_eq!(first(1), first(1));
        assert_ne!(first(1), first(2));
    }

    use crate::means::Means;
}
