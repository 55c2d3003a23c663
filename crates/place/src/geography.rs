//! What a page is about, as places with weights.
//!
//! Every piece of evidence has a strength: an address or the coordinates of a
//! claim tell where something *is*, a name only that somebody speaks of a
//! place. Strengths of one place add up with diminishing returns: the
//! strongest counts whole, the second half, the third a third, so that a
//! hundred branches in one city speak about five times as loud as one.
//!
//! A place's *weight* is the share of all evidence that lies in it, so
//! countries add up to one, and what lies in a place never weighs more than
//! the place. Evidence for a state is evidence for its country and for none of
//! its cities. Countries, states and cities are told apart; what is smaller or
//! of another kind counts for the smallest of these around it, and counties
//! are skipped, as in [`Gazetteer::describe`]. What lies in no country (an
//! ocean, a continent) is no evidence.
//!
//! Where evidence stands in the text does not matter: on web pages what comes
//! first is the menu.

use crate::address::Address;
use crate::evidence::Evidence;
use crate::gazetteer::{Gazetteer, Kind, PlaceId};
use crate::toponym::Mention;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// Places beyond this many are left out, the lightest first. A page that is
/// about more places than a person would read is about none of them.
pub const MAX_NODES: usize = 32;

/// An address: somebody can be visited there. The unit of all strengths.
const ADDRESS: f32 = 1.0;
/// Coordinates that the page itself gives are as good as an address.
const POINT: f32 = 1.0;
/// A city, state or country in markup: stated on purpose, but often only the
/// seat of the whole organisation.
const STATED: f32 = 0.5;
/// A name that surely means the place; less sure ones count by their
/// confidence. Four of them in four places match one address.
const NAME: f32 = 0.25;
/// Markup that contradicts itself is half right at best.
const CONFLICT: f32 = 0.5;
/// A focus holds more than this share, so there is one at most.
const MOST: f32 = 0.5;

/// One place that a page is about.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Node {
    /// The country, state or city.
    pub place: PlaceId,
    /// Steps below the country: 0 for itself.
    pub depth: usize,
    /// Share of all evidence that lies in it, above 0 and up to 1.
    pub weight: f32,
}

/// The places a page is about.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Geography {
    /// Every place follows the one that contains it, heaviest first within it.
    pub nodes: Vec<Node>,
    /// The smallest place that holds most of the weight, where there is one.
    pub focus: Option<PlaceId>,
    /// How much evidence there is, in addresses: below one, a page hardly
    /// says where it belongs.
    pub amount: f32,
}

impl Geography {
    /// Weighs everything that was found on a page; the order does not matter.
    ///
    /// An address counts once, however often text and markup repeat it, and
    /// the names inside it not at all.
    pub fn of(
        gazetteer: &Gazetteer,
        addresses: &[Address],
        mentions: &[Mention],
        evidence: &[Evidence],
    ) -> Geography {
        let mut tally = Tally::new(gazetteer);
        tally.add_addresses(addresses);
        tally.add_evidence(evidence);
        tally.add_mentions(mentions, addresses);
        tally.finish()
    }

    /// The weight of a country, state or city; zero where it is not among the nodes.
    pub fn weight(&self, place: PlaceId) -> f32 {
        let node = self.nodes.iter().find(|node| node.place == place);
        node.map_or(0.0, |node| node.weight)
    }
}

/// Where the addresses stand; they do not overlap.
pub(crate) struct Spans(Vec<Range<usize>>);

impl Spans {
    pub(crate) fn of(addresses: &[Address]) -> Spans {
        let spans = addresses.iter().map(|address| address.span.clone());
        let mut spans: Vec<Range<usize>> = spans.collect();
        spans.sort_by_key(|span| span.start);
        Spans(spans)
    }

    pub(crate) fn contain(&self, inner: &Range<usize>) -> bool {
        let next = self.0.partition_point(|span| span.end < inner.end);
        self.0
            .get(next)
            .is_some_and(|span| span.start <= inner.start)
    }
}

/// The strength of a claim.
fn strength(piece: &Evidence) -> f32 {
    let strength = match &piece.address {
        Some(_) => ADDRESS,
        None if piece.is_exact() => POINT,
        None => STATED,
    };
    match piece.conflict {
        Some(_) => strength * CONFLICT,
        None => strength,
    }
}

/// Strengths of single pieces, by the place they speak for.
pub(crate) struct Tally<'g> {
    gazetteer: &'g Gazetteer,
    strengths: BTreeMap<PlaceId, Vec<f32>>,
    /// Addresses that were counted.
    seen: HashSet<u64>,
}

impl<'g> Tally<'g> {
    pub(crate) fn new(gazetteer: &'g Gazetteer) -> Tally<'g> {
        Tally {
            gazetteer,
            strengths: BTreeMap::new(),
            seen: HashSet::new(),
        }
    }

    pub(crate) fn add_addresses(&mut self, addresses: &[Address]) {
        for address in addresses {
            if self.seen.insert(address.key()) {
                self.add(address.place, ADDRESS);
            }
        }
    }

    /// Adds claims, after all addresses of the text.
    pub(crate) fn add_evidence(&mut self, evidence: &[Evidence]) {
        for piece in evidence {
            let is_new = match &piece.address {
                Some(address) => self.seen.insert(address.key()),
                None => true,
            };
            if is_new {
                self.add(piece.place, strength(piece));
            }
        }
    }

    /// Adds names outside addresses; says which they are.
    pub(crate) fn add_mentions(
        &mut self,
        mentions: &[Mention],
        addresses: &[Address],
    ) -> Vec<bool> {
        let spans = Spans::of(addresses);
        let outside = mentions.iter().map(|mention| {
            let is_outside = !spans.contain(&mention.span);
            if is_outside {
                self.add(Some(mention.place), NAME * mention.confidence);
            }
            is_outside
        });
        outside.collect()
    }

    /// Counts for the smallest country, state or city around the place.
    fn add(&mut self, place: Option<PlaceId>, strength: f32) {
        let step = place.and_then(|place| steps(self.gazetteer, place).next());
        if let Some(step) = step
            && strength > 0.0
        {
            self.strengths.entry(step).or_default().push(strength);
        }
    }

    pub(crate) fn finish(self) -> Geography {
        // Ordered maps and sorted strengths: sums of floats depend on the order.
        let mut amounts: BTreeMap<PlaceId, f32> = BTreeMap::new();
        let mut total = 0.0;
        for (place, strengths) in self.strengths {
            let amount = diminishing(strengths);
            total += amount;
            for step in steps(self.gazetteer, place) {
                *amounts.entry(step).or_default() += amount;
            }
        }
        let mut nodes: Vec<(Node, Vec<PlaceId>)> = amounts
            .into_iter()
            .map(|(place, amount)| {
                let mut path: Vec<PlaceId> = steps(self.gazetteer, place).collect();
                path.reverse();
                let depth = path.len() - 1;
                let weight = (amount / total).min(1.0);
                (
                    Node {
                        place,
                        depth,
                        weight,
                    },
                    path,
                )
            })
            .collect();
        // A place comes before what it contains, also at equal weight: what is
        // kept is never without what contains it.
        nodes.sort_by(|(a, _), (b, _)| {
            b.weight
                .total_cmp(&a.weight)
                .then_with(|| (a.depth, a.place).cmp(&(b.depth, b.place)))
        });
        nodes.truncate(MAX_NODES);
        let nodes = in_order(nodes);
        Geography {
            focus: focus(&nodes),
            nodes,
            amount: total,
        }
    }
}

/// The country, state and city around a place, smallest first; none outside countries.
fn steps(gazetteer: &Gazetteer, place: PlaceId) -> impl Iterator<Item = PlaceId> + '_ {
    let is_step = |&id: &PlaceId| {
        matches!(
            gazetteer.kind(id),
            Kind::Country | Kind::Division1 | Kind::City
        )
    };
    let has_country = gazetteer
        .chain(place)
        .any(|id| gazetteer.kind(id) == Kind::Country);
    let steps = has_country.then(|| gazetteer.chain(place).filter(is_step));
    steps.into_iter().flatten()
}

/// The strongest whole, the second half, the third a third.
fn diminishing(mut strengths: Vec<f32>) -> f32 {
    strengths.sort_by(|a, b| b.total_cmp(a));
    let nth = (1_u32..).map(|nth| nth as f32);
    strengths
        .iter()
        .zip(nth)
        .map(|(strength, nth)| strength / nth)
        .sum()
}

/// Every place after the one that contains it; the list comes heaviest first.
fn in_order(nodes: Vec<(Node, Vec<PlaceId>)>) -> Vec<Node> {
    let rank: BTreeMap<PlaceId, usize> = nodes
        .iter()
        .enumerate()
        .map(|(rank, (node, _))| (node.place, rank))
        .collect();
    let mut keyed: Vec<(Vec<usize>, Node)> = nodes
        .into_iter()
        .map(|(node, path)| {
            let ranks = path.iter().filter_map(|place| rank.get(place).copied());
            (ranks.collect(), node)
        })
        .collect();
    keyed.sort_by(|(a, _), (b, _)| a.cmp(b));
    keyed.into_iter().map(|(_, node)| node).collect()
}

/// The smallest place with most of the weight.
fn focus(nodes: &[Node]) -> Option<PlaceId> {
    let heavy = nodes.iter().filter(|node| node.weight > MOST);
    heavy
        .max_by_key(|node| (node.depth, Reverse(node.place)))
        .map(|node| node.place)
}

#[cfg(test)]
mod tests;
