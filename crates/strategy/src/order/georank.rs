//! *Idea*: follow links that name places, nearest places together first.
//!
//! *Evidence*: location entities in the URL, in the fifty words around the
//! link, and, where somebody knows it, the place of the domain's owner
//! (`--whois`). *Spatial correlation* is one less the mean distance between
//! any two of them, where half round the earth is one; *location focus* the
//! share of the words of the link's own text that are location entities. A
//! link is followed if both exceed their thresholds (`--min-correlation`,
//! `--min-focus`); its rank is their mean. A seed has an address only, and is
//! dropped if that names no place. Nothing is learned.
//!
//! *Wins when*: any geographic page will do, and links are well worded.
//!
//! *Loses when*: one region is asked for: a link to Lisbon is as good as one
//! to Oldenburg. Or when links say `more`: they are left, and the crawl runs dry.
//!
//! *Source*: A geo-referenced index without training (2009).

use super::{Clues, Entry, Eye, Judgement, Mind, Order, Priority, Sighting};
use crate::means::Registrants;
use crate::scene::Scene;
use crate::signs::words_within;
use crate::ties::Ties;
use crate::toponyms::{Named, Spot, Token, Toponyms, push_tokens, tokens};
use page::html::{Link, Page};
use place::gazetteer::Gazetteer;
use std::f32::consts::PI;
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry {
    name: "georank",
    summary: "follows links that name places; needs no training",
    build: |means| {
        Ok(Order {
            eye: Box::new(PlaceEye {
                registrants: means.registrants.clone(),
            }),
            mind: Box::new(GeoRank {
                min_correlation: means.min_correlation as f32,
                min_focus: means.min_focus as f32,
                ties: Ties::new(means.order_seed),
            }),
        })
    },
    settings: &[
        "--min-correlation",
        "--min-focus",
        "--whois",
        "--order-seed",
    ],
    source: include_str!("georank.rs"),
};

/// Words around a link in which places are looked for, half before it and half after.
const WINDOW: usize = 50;

/// Places of one link that are compared with each other.
const MOST_PLACES: usize = 8;

/// Sees places.
struct PlaceEye {
    registrants: Option<Arc<Registrants>>,
}

impl Eye for PlaceEye {
    fn look(&self, scene: &Scene<'_>, links: &[&Link]) -> Vec<Clues> {
        let text = Text::near_links(scene.page, links);
        let look = |link: &&Link| {
            let correlation = correlation(&self.places(&text, link));
            let focus = text.focus(link);
            vec![correlation.to_bits(), focus.to_bits()]
        };
        links.iter().map(look).collect()
    }

    fn name(&self, scene: &Scene<'_>, link: &Link) -> Vec<(u32, String)> {
        let text = Text::near_links(scene.page, &[link]);
        let places = self.places(&text, link).into_iter();
        let describe = |spot: Spot| (0, Gazetteer::built_in().describe(spot.place));
        places.map(describe).collect()
    }
}

impl PlaceEye {
    /// The places that a link has to do with, each once.
    fn places(&self, text: &Text, link: &Link) -> Vec<Spot> {
        let address = Toponyms::built_in().in_address(link.url.as_str());
        let mut places: Vec<Spot> = Vec::new();
        let registrants = self.registrants.as_ref();
        let owner = registrants.and_then(|known| known.get(link.url.registrable_domain()));
        let owner = owner.map(|place| Spot::of(Gazetteer::built_in(), *place));
        let found = address.iter().chain(text.around(link));
        for spot in owner.into_iter().chain(found.map(|named| named.spot)) {
            if places.len() < MOST_PLACES && !places.contains(&spot) {
                places.push(spot);
            }
        }
        places
    }
}

/// Bytes before and after a link in which its window lies.
const REACH: usize = 400;

/// A page's words near its links, and the places among them.
struct Text {
    tokens: Vec<Token>,
    named: Vec<Named>,
}

impl Text {
    /// Reads the words near some links, which are in the page's order.
    fn near_links(page: &Page, links: &[&Link]) -> Text {
        let mut tokens = Vec::with_capacity(links.len() * 16);
        let mut done = 0;
        for link in links {
            let reach = words_within(&page.text, link, REACH);
            let start = reach.start.max(done);
            if start > done {
                // No window reaches over what is left out.
                tokens.extend([Token::unread(done); WINDOW / 2]);
            }
            push_tokens(&page.text, start..reach.end.max(start), &mut tokens);
            done = done.max(reach.end);
        }
        Text {
            named: Toponyms::built_in().in_text(&tokens),
            tokens,
        }
    }

    /// The link's own words, by position.
    fn own(&self, link: &Link) -> std::ops::Range<usize> {
        let at = |byte: u32| {
            let before = |token: &Token| token.start < byte as usize;
            self.tokens.partition_point(before)
        };
        let start = at(link.span.start);
        start..at(link.span.end).max(start)
    }

    /// Places within the window around a link.
    fn around(&self, link: &Link) -> &[Named] {
        let own = self.own(link);
        let (start, end) = (own.start.saturating_sub(WINDOW / 2), own.end + WINDOW / 2);
        self.named_within(start, end)
    }

    fn named_within(&self, start: usize, end: usize) -> &[Named] {
        let first = self
            .named
            .partition_point(|named| named.words.start < start);
        let last = self.named.partition_point(|named| named.words.start < end);
        &self.named[first..last.max(first)]
    }

    /// The share of a link's own words that name places; of its picture's,
    /// where it has no words.
    fn focus(&self, link: &Link) -> f32 {
        let own = self.own(link);
        let share = |named: &[Named], n_words: usize| {
            let n_naming: usize = named.iter().map(|named| named.words.len()).sum();
            n_naming.min(n_words) as f32 / n_words.max(1) as f32
        };
        if !own.is_empty() {
            return share(self.named_within(own.start, own.end), own.len());
        }
        let title = link.title.as_deref().unwrap_or_default();
        let words = tokens(title);
        share(&Toponyms::built_in().in_text(&words), words.len())
    }
}

/// How near places are to each other; zero where there are none.
fn correlation(places: &[Spot]) -> f32 {
    if places.len() < 2 {
        return places.len() as f32;
    }
    let (mut sum, mut n_pairs) = (0.0, 0.0);
    for (idx, from) in places.iter().enumerate() {
        for to in &places[idx + 1..] {
            let both = from.direction.iter().zip(to.direction);
            let cosine: f32 = both.map(|(a, b)| a * b).sum();
            // Half round the earth is one.
            sum += cosine.clamp(-1.0, 1.0).acos() / PI;
            n_pairs += 1.0;
        }
    }
    (1.0 - sum / n_pairs).clamp(0.0, 1.0)
}

struct GeoRank {
    min_correlation: f32,
    min_focus: f32,
    ties: Ties,
}

impl Mind for GeoRank {
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        let &[correlation, focus] = sighting.clues else {
            return Judgement::Leave;
        };
        let (correlation, focus) = (f32::from_bits(correlation), f32::from_bits(focus));
        let is_seed = sighting.distance == 0;
        if correlation <= self.min_correlation || (focus <= self.min_focus && !is_seed) {
            return Judgement::Leave;
        }
        let rank = match is_seed {
            true => correlation,
            false => f32::midpoint(correlation, focus),
        };
        Judgement::Follow(Priority {
            value: self.ties.broken(rank, sighting.url),
            because: "it names places near each other",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;

    /// What becomes of the first link of a page: its rank, unless it is left.
    fn rank(html: &str, distance: u16) -> Option<f32> {
        let stage = Stage::top100();
        let order = stage.order("georank");
        let clues = stage.with_page(html, |scene, link| order.eye.look(&scene, &[link]));
        match order.mind.judge(&Sighting::new(0, distance, &clues[0])) {
            Judgement::Follow(priority) => Some(priority.value),
            Judgement::Leave => None,
        }
    }

    fn is_near(found: Option<f32>, expected: f32) -> bool {
        found.is_some_and(|found| (found - expected).abs() < 0.01)
    }

    #[test]
    fn the_rank_is_the_mean_of_correlation_and_focus() {
        let one = "<a href='/lisbon'>Hotels in Lisbon</a>";
        assert!(
            is_near(rank(one, 1), (1.0 + 1.0 / 3.0) / 2.0),
            "{:?}",
            rank(one, 1)
        );
        // Lisbon and Houston: 7,870 km apart.
        let two = "<p>Houston <a href='/x'>Lisbon</a>";
        let correlation = 1.0 - 7_870.0 / 20_015.0;
        assert!(
            is_near(rank(two, 1), (correlation + 1.0) / 2.0),
            "{:?}",
            rank(two, 1)
        );
    }

    #[test]
    fn links_that_name_no_place_or_places_far_apart_are_left() {
        assert_eq!(rank("<a href='/more'>more</a>", 1), None);
        assert_eq!(rank("<p>Lisbon <a href='/more'>more</a>", 1), None, "focus");
        // Madrid and Wellington are nearly antipodes.
        assert_eq!(rank("<p>Wellington <a href='/x'>Madrid</a>", 1), None);
    }

    #[test]
    fn a_seed_is_judged_by_its_address() {
        assert!(is_near(
            rank("<a href='http://lisbon.example/'></a>", 0),
            1.0
        ));
        assert_eq!(rank("<a href='http://portal.example/'></a>", 0), None);
    }

    #[test]
    fn the_owner_of_a_domain_counts_where_it_is_known() {
        let stage = Stage::top100();
        let lisbon = Gazetteer::built_in().find("Lisbon")[0];
        let eye = PlaceEye {
            registrants: Some(Arc::new([("portal.example".to_owned(), lisbon)].into())),
        };
        let named = stage.with_page("<a href='http://portal.example/'>x</a>", |scene, link| {
            eye.name(&scene, link)
        });
        assert_eq!(named[0].1, "Lisbon, Portugal");
    }
}
