//! One text being read: from candidates to mentions.
//!
//! Names are decided together: all candidates of one name on a page mean one
//! place, unless what follows them says otherwise (`Albany, Georgia` and
//! `Albany, New York`). First every name has a guess; the guesses together
//! show which countries, states and neighbourhoods the page is about; with
//! that in mind each name is looked at again.

mod answer;
mod groups;
mod weight;

use super::around::{self, Company, NameFacts};
use super::candidate::Candidate;
use super::signs::{Part, Sink, Sum, TwoSums, Weights, chance};
use super::spots::{Masses, Spot};
use super::table::{Bearer, NameId};
use super::which::{self, Hints, Standing, Support};
use super::{Context, Toponyms};
use crate::gazetteer::{Kind, PlaceId, Role};

/// A candidate's part in the page.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Member {
    pub(super) group: usize,
    company: Company,
    /// The place named right after it that contains it.
    container: Option<PlaceId>,
    local: f32,
}

/// All candidates of one name that mean one place.
#[derive(Debug, Clone)]
pub(super) struct Group {
    pub(super) name: NameId,
    container: Option<PlaceId>,
    facts: NameFacts,
    hints: Hints,
    n_members: f32,
    n_person: f32,
    n_after_large: f32,
    best_local: f32,
    sum_local: f32,
    /// How much this name's places count for the rest of the page.
    mass: f32,
    /// Where the chances of its bearers begin.
    chances_start: usize,
    /// The most probable bearer.
    best: usize,
    support: Support,
}

/// Everything known about a text's names.
pub(super) struct Reading<'r> {
    toponyms: &'r Toponyms<'r>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) members: Vec<Member>,
    pub(super) groups: Vec<Group>,
    /// Chances of all groups' bearers, one group after the other.
    chances: Vec<f32>,
    /// What speaks for each of them without the rest of the page.
    place_scores: Vec<f32>,
    masses: Masses,
    total: f32,
}

impl<'r> Reading<'r> {
    pub(super) fn new(
        toponyms: &'r Toponyms<'r>,
        candidates: Vec<Candidate>,
        context: &Context<'_>,
    ) -> Reading<'r> {
        let mut reading = Reading {
            toponyms,
            members: vec![Member::default(); candidates.len()],
            candidates,
            groups: Vec::new(),
            chances: Vec::new(),
            place_scores: Vec::new(),
            masses: Masses::default(),
            total: 0.0,
        };
        toponyms.touch(&reading.candidates);
        reading.find_containers();
        reading.form_groups();
        reading.look_around();
        reading.guess();
        reading.weigh_context(context);
        reading.decide();
        reading
    }

    fn bearers(&self, group: &Group) -> &'r [Bearer] {
        self.toponyms.table.bearers(group.name)
    }

    fn spot(&self, place: PlaceId) -> &'r Spot {
        self.toponyms.spots.get(place)
    }

    /// Scores every candidate by what stands around it.
    fn look_around(&mut self) {
        let weights = &self.toponyms.weights;
        for (candidate, member) in self.candidates.iter().zip(&mut self.members) {
            let group = &mut self.groups[member.group];
            let mut sum = Sum {
                weights: weights.part(Part::Local),
                score: 0.0,
            };
            around::signs_of(candidate, &group.facts, member.company, weights, &mut sum);
            member.local = sum.score;
            group.best_local = group.best_local.max(sum.score);
            group.sum_local += sum.score;
            group.n_members += 1.0;
            group.n_person += f32::from(u8::from(around::is_in_person(candidate)));
            group.n_after_large += f32::from(u8::from(around::is_after_large(candidate)));
        }
    }

    /// First guesses, and what they say together.
    fn guess(&mut self) {
        for idx in 0..self.groups.len() {
            let group = &self.groups[idx];
            let start = self.chances.len();
            let weights = &self.toponyms.weights;
            for rank in 0..self.bearers(group).len() {
                let mut sums = TwoSums {
                    weights: [weights.part(Part::Prior), weights.part(Part::Place)],
                    scores: [0.0; 2],
                };
                self.first_sight(group, rank, &mut sums);
                let [prior, place] = sums.scores;
                self.chances.push(prior);
                self.place_scores.push(place);
            }
            to_chances(&mut self.chances[start..]);
            let group = &mut self.groups[idx];
            group.chances_start = start;
            group.mass = chance(group.best_local) * (1.0 + group.n_members.ln());
            self.weigh(idx);
        }
    }

    pub(super) fn first_sight(&self, group: &Group, rank: usize, sink: &mut impl Sink) {
        let bearers = self.bearers(group);
        let bearer = bearers[rank];
        let spot = self.spot(bearer.place);
        let standing = self.toponyms.standing(bearers, rank);
        let mut hints = group.hints;
        hints.contained = group
            .container
            .map(|container| self.lies_in(bearer.place, container));
        which::at_first_sight(spot, standing, hints, sink);
    }

    /// Decides every name, knowing the others.
    fn decide(&mut self) {
        let mut decided = Vec::with_capacity(self.chances.len());
        let mut own = Vec::new();
        for idx in 0..self.groups.len() {
            self.own_parts(idx, &mut own);
            let start = decided.len();
            let group = &self.groups[idx];
            let weights = self.toponyms.weights.part(Part::Place);
            let mut best = (f32::NEG_INFINITY, 0, Support::default());
            for (rank, bearer) in self.bearers(group).iter().enumerate() {
                let support = self.support(bearer.place, &own, group.mass);
                // Whatever is improbable at first and far from the page stays so.
                if self.chances[start + rank] < MIN_CHANCE && support.is_far() {
                    decided.push(f32::NEG_INFINITY);
                    continue;
                }
                let mut sum = Sum {
                    weights,
                    score: self.place_scores[start + rank],
                };
                which::on_page(self.spot(bearer.place), &support, &mut sum);
                decided.push(sum.score);
                if sum.score > best.0 {
                    best = (sum.score, rank, support);
                }
            }
            to_chances(&mut decided[start..]);
            (_, self.groups[idx].best, self.groups[idx].support) = best;
        }
        self.chances = decided;
    }

    /// Whether a group's name is first of all an adjective or a people.
    pub(super) fn is_demonym(&self, group_idx: usize) -> bool {
        self.groups[group_idx].facts.demonym
    }

    pub(super) fn place_options(&self, group: &Group) -> &'r [Bearer] {
        self.bearers(group)
    }

    pub(super) fn local_signs(&self, idx: usize, weights: &Weights, sink: &mut impl Sink) {
        let member = &self.members[idx];
        let group = &self.groups[member.group];
        around::signs_of(
            &self.candidates[idx],
            &group.facts,
            member.company,
            weights,
            sink,
        );
    }

    /// What lies around the places of a group's name.
    pub(super) fn supports(&self, group_idx: usize) -> Vec<Support> {
        let group = &self.groups[group_idx];
        let mut own = Vec::new();
        self.own_parts(group_idx, &mut own);
        let bearers = self.bearers(group).iter();
        bearers
            .map(|bearer| self.support(bearer.place, &own, group.mass))
            .collect()
    }
}

impl Toponyms<'_> {
    /// Asks for what is known of all names together, so that they wait for
    /// memory together and not one after the other.
    fn touch(&self, candidates: &[Candidate]) {
        let touched = candidates.iter().fold(0, |sum, candidate| {
            let bearers = self.table.bearers(candidate.name);
            sum ^ self.spots.get(bearers[0].place).country
        });
        std::hint::black_box(touched);
    }

    fn group(&self, name: NameId, container: Option<PlaceId>) -> Group {
        Group {
            name,
            container,
            facts: self.facts(name),
            hints: Hints::default(),
            n_members: 0.0,
            n_person: 0.0,
            n_after_large: 0.0,
            best_local: f32::NEG_INFINITY,
            sum_local: 0.0,
            mass: 0.0,
            chances_start: 0,
            best: 0,
            support: Support::default(),
        }
    }

    fn facts(&self, name: NameId) -> NameFacts {
        let bearers = self.table.bearers(name);
        let largest = self.spots.get(bearers[0].place);
        // The Rhine is a river, though a village of that name has people.
        let known = self.spots.widely_known(bearers);
        NameFacts {
            log_people: largest.log_people,
            n_bearers: bearers.len(),
            kind: known.unwrap_or(largest).kind,
            in_wordnet: known.is_some(),
            only_alias: bearers.iter().all(|bearer| bearer.role == Role::Alias),
            demonym: bearers[0].role == Role::Demonym,
        }
    }

    fn standing(&self, bearers: &[Bearer], rank: usize) -> Standing {
        let own = self.spots.get(bearers[rank].place);
        let rival = bearers.get(if rank == 0 { 1 } else { 0 });
        let rival = rival.map(|rival| self.spots.get(rival.place));
        let lead = own.log_people - rival.map_or(0.0, |rival| rival.log_people);
        Standing {
            role: bearers[rank].role,
            rank,
            share: lead.clamp(-2.0, 2.0) / 2.0,
            behind: (-lead).clamp(0.0, 6.0) / 3.0,
            behind_metropolis: lead < -1.5
                && rival.is_some_and(|rival| rival.log_people > METROPOLIS),
            behind_country: rank > 0 && rival.is_some_and(|rival| rival.kind == Kind::Country),
            behind_wordnet: rank > 0
                && !own.in_wordnet
                && rival.is_some_and(|rival| rival.in_wordnet),
        }
    }
}

/// A million people, as a logarithm.
const METROPOLIS: f32 = 6.0;

/// Places with a smaller chance at first sight need something near them.
const MIN_CHANCE: f32 = 0.003;

/// Scores to chances that sum up to one.
fn to_chances(scores: &mut [f32]) {
    let most = scores.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for score in scores.iter_mut() {
        *score = (*score - most).exp();
        sum += *score;
    }
    for score in scores {
        *score /= sum;
    }
}
