//! One text being read: from candidates to mentions.
//!
//! Names are decided together: all candidates of one name on a page mean one
//! place, unless what follows them says otherwise (`Albany, Georgia` and
//! `Albany, New York`). First every name has a guess; the guesses together
//! show which countries, states and neighbourhoods the page is about; with
//! that in mind each name is looked at again.

use super::around::{self, Company, NameFacts};
use super::candidate::Candidate;
use super::signs::{Part, Sink, Strongest, Sum, Weights, chance};
use super::spots::{Masses, NOWHERE, Spot};
use super::table::{Bearer, NameId};
use super::which::{self, Hints, Standing, Support};
use super::whole::{self, Outlook};
use super::words::{Gap, hash_normal};
use super::{Context, Mention, Toponyms};
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

/// What a name says about the page through one of its places.
struct OwnPart {
    place: PlaceId,
    mass: f32,
    keys: [u32; 4],
}

/// Everything known about a text's names.
pub(super) struct Reading<'r> {
    toponyms: &'r Toponyms<'r>,
    pub(super) candidates: Vec<Candidate>,
    pub(super) members: Vec<Member>,
    pub(super) groups: Vec<Group>,
    chances: Vec<f32>,
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

    /// `Albany, Georgia`: what follows a comma may contain what stands before.
    fn find_containers(&mut self) {
        for idx in 0..self.candidates.len() {
            let candidate = &self.candidates[idx];
            let after = &candidate.after[0];
            let reach = candidate.end + 4;
            for next_idx in idx + 1..self.candidates.len() {
                let next = &self.candidates[next_idx];
                if next.start > reach {
                    break;
                }
                if next.start < candidate.end {
                    continue;
                }
                match after.gap {
                    Gap::Comma | Gap::Open => {
                        if let Some(container) = self.container(candidate.name, next.name) {
                            self.members[idx].container = Some(container);
                            self.members[idx].company.contained = true;
                            self.members[next_idx].company.contains = true;
                            break;
                        }
                    }
                    Gap::Space => {
                        self.members[idx].company.beside = true;
                        self.members[next_idx].company.beside = true;
                    }
                    _ => {}
                }
            }
        }
    }

    /// The place of the second name that contains one of the first name.
    fn container(&self, inner: NameId, outer: NameId) -> Option<PlaceId> {
        let table = &self.toponyms.table;
        let outer = table.bearers(outer).iter().take(8);
        let outer = outer.filter(|bearer| {
            bearer.role != Role::Demonym && self.spot(bearer.place).kind <= Kind::Division2
        });
        let inner = table.bearers(inner);
        for container in outer {
            let inside = |bearer: &Bearer| {
                bearer.place != container.place && self.lies_in(bearer.place, container.place)
            };
            if inner.iter().any(inside) {
                return Some(container.place);
            }
        }
        None
    }

    fn lies_in(&self, place: PlaceId, container: PlaceId) -> bool {
        let spot = self.spot(place);
        match self.spot(container).kind {
            Kind::Country => spot.country == container.0,
            Kind::Division1 => spot.state == container.0,
            _ => self
                .toponyms
                .gazetteer
                .chain(place)
                .any(|above| above == container),
        }
    }

    /// Sorts candidates into groups by name and container.
    fn form_groups(&mut self) {
        let mut order: Vec<(NameId, u32)> = (0..)
            .zip(&self.candidates)
            .map(|(idx, candidate)| (candidate.name, idx))
            .collect();
        order.sort_unstable();
        for of_name in order.chunk_by(|a, b| a.0 == b.0) {
            let first_group = self.groups.len();
            for &(name, idx) in of_name {
                if let Some(container) = self.members[idx as usize].container {
                    self.join_group(first_group, name, Some(container), idx as usize);
                }
            }
            // Who is followed by nothing means what the first one means.
            for &(name, idx) in of_name {
                if self.members[idx as usize].container.is_none() {
                    let container = self
                        .groups
                        .get(first_group)
                        .and_then(|group| group.container);
                    self.join_group(first_group, name, container, idx as usize);
                }
            }
        }
    }

    fn join_group(&mut self, from: usize, name: NameId, container: Option<PlaceId>, idx: usize) {
        let known = (from..self.groups.len()).find(|&at| self.groups[at].container == container);
        let group = known.unwrap_or_else(|| {
            self.groups.push(self.toponyms.group(name, container));
            self.groups.len() - 1
        });
        self.members[idx].group = group;
        let candidate = &self.candidates[idx];
        let hints = &mut self.groups[group].hints;
        let [before, second] = &candidate.before;
        let [after, _] = &candidate.after;
        hints.beside_state |=
            after.is_beside() && after.hash == STATE || before.hash == OF && second.hash == STATE;
        hints.beside_city |= after.is_beside() && after.hash == CITY
            || before.hash == OF && matches!(second.hash, CITY | TOWN);
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
            let weights = self.toponyms.weights.part(Part::Prior);
            for rank in 0..self.bearers(group).len() {
                let mut sum = Sum {
                    weights,
                    score: 0.0,
                };
                self.first_sight(group, rank, &mut sum);
                self.chances.push(sum.score);
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

    /// What a group says about the page.
    fn weigh(&mut self, group_idx: usize) {
        self.total += self.groups[group_idx].mass;
        let mut own = Vec::with_capacity(4);
        self.own_parts(group_idx, &mut own);
        for part in own {
            self.weigh_place(part.place, part.mass);
        }
    }

    /// The places a group speaks for, and how much.
    fn own_parts(&self, group_idx: usize, own: &mut Vec<OwnPart>) {
        own.clear();
        let group = &self.groups[group_idx];
        let chances = &self.chances[group.chances_start..];
        for (bearer, &part) in self.bearers(group).iter().zip(chances) {
            if part > MIN_PART {
                own.push(OwnPart {
                    place: bearer.place,
                    mass: group.mass * part,
                    keys: self.spot(bearer.place).cell.keys_around(),
                });
            }
        }
    }

    fn weigh_place(&mut self, place: PlaceId, mass: f32) {
        let spot = self.spot(place);
        self.masses.add(key(COUNTRY, spot.country), mass);
        match spot.kind {
            Kind::Continent => {}
            Kind::Country => self.masses.add(key(COUNTRY_NAMED, spot.country), mass),
            _ => {
                if spot.kind == Kind::Division1 {
                    self.masses.add(key(STATE_NAMED, spot.state), mass);
                }
                self.masses.add(key(STATE_OF, spot.state), mass);
                for cell in spot.cell.keys_around() {
                    self.masses.add(key(CELL, cell), mass);
                }
            }
        }
    }

    /// Addresses and what is known beforehand.
    fn weigh_context(&mut self, context: &Context<'_>) {
        for address in context.addresses.iter().take(MAX_ADDRESSES) {
            if let Some(place) = address.place {
                self.weigh_place(place, ADDRESS_MASS);
                self.total += ADDRESS_MASS;
                for above in self.toponyms.gazetteer.chain(place) {
                    self.masses.add(key(ADDRESSED, above.0), 1.0);
                }
            }
        }
        for &place in context.places.iter().take(MAX_ADDRESSES) {
            self.weigh_place(place, ADDRESS_MASS);
            self.total += ADDRESS_MASS;
        }
        if let Some(country) = self.toponyms.country_of_host(context.host) {
            self.masses.add(key(COUNTRY, country.0), HOST_MASS);
            self.total += HOST_MASS;
        }
    }

    /// What lies around a place, without what its own name says.
    fn support(&self, place: PlaceId, own: &[OwnPart], own_mass: f32) -> Support {
        let spot = self.spot(place);
        let masses = &self.masses;
        let mut support = Support {
            country: masses.get(key(COUNTRY, spot.country)),
            total: self.total - own_mass,
            ..Support::default()
        };
        // Most places of a name are in countries that the page is not about.
        if support.country > 0.0 {
            support.country_named = masses.get(key(COUNTRY_NAMED, spot.country));
            support.near = masses.get(key(CELL, spot.cell.key()));
            support.in_address = masses.get(key(ADDRESSED, place.0));
            if spot.state != NOWHERE {
                support.state = masses.get(key(STATE_OF, spot.state));
            }
            if support.state > 0.0 {
                support.state_named = masses.get(key(STATE_NAMED, spot.state));
            }
        }
        let cell = spot.cell.key();
        for part in own {
            let is_near = part.keys.contains(&cell);
            support.take_away(spot, self.spot(part.place), part.mass, is_near);
        }
        support
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
                let mut sum = Sum {
                    weights,
                    score: 0.0,
                };
                self.first_sight(group, rank, &mut sum);
                let support = self.support(bearer.place, &own, group.mass);
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

    /// What the page says about a candidate.
    pub(super) fn outlook(&self, idx: usize) -> Outlook {
        let candidate = &self.candidates[idx];
        let member = &self.members[idx];
        let group = &self.groups[member.group];
        let bearers = self.bearers(group);
        let support = &group.support;
        let (rival, rival_longer) = self.rival(idx);
        Outlook {
            local: member.local,
            best: group.best_local,
            mean: group.sum_local / group.n_members,
            n_times: group.n_members,
            certainty: self.chances[group.chances_start + group.best],
            is_shared: bearers.len() > 2,
            state_share: support.state / (support.total + 0.5),
            country_share: support.country / (support.total + 0.5),
            near_mass: support.near / (support.near + 1.0),
            named_in: support.state_named / (support.state_named + 1.0),
            contained: group.container.is_some(),
            person_share: group.n_person / group.n_members,
            after_large_share: group.n_after_large / group.n_members,
            in_address: support.in_address > 0.0,
            rival,
            rival_longer,
            density: self.total.max(0.0).ln_1p() / 4.0,
            is_small: group.facts.log_people < 4.3,
            is_demonym: bearers[group.best].role == Role::Demonym && !candidate.is_abbreviation,
        }
    }

    /// How much better an overlapping candidate stands, and whether one is longer.
    fn rival(&self, idx: usize) -> (f32, bool) {
        let own = &self.candidates[idx];
        let near = idx.saturating_sub(4)..(idx + 5).min(self.candidates.len());
        let mut rival = 0.0_f32;
        let mut longer = false;
        for at in near.filter(|&at| at != idx) {
            let other = &self.candidates[at];
            if other.start < own.end && own.start < other.end {
                rival = rival.max(self.members[at].local - self.members[idx].local);
                longer |= other.end - other.start > own.end - own.start;
            }
        }
        (rival, longer)
    }

    /// Log odds that a candidate names a place.
    pub(super) fn score(&self, idx: usize) -> f32 {
        let weights = self.toponyms.weights.part(Part::Page);
        let mut sum = Sum {
            weights,
            score: 0.0,
        };
        whole::signs_of(&self.outlook(idx), &mut sum);
        sum.score
    }

    /// The candidates that name places, best ones first where they overlap.
    pub(super) fn mentions(&self) -> Vec<Mention> {
        let mut scored: Vec<(f32, usize)> = (0..self.candidates.len())
            .map(|idx| (self.score(idx), idx))
            .filter(|(score, _)| *score > THRESHOLD)
            .collect();
        scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut taken: Vec<(f32, usize)> = Vec::with_capacity(scored.len());
        let mut free = Occupied::default();
        for (score, idx) in scored {
            let candidate = &self.candidates[idx];
            if free.take(candidate.start, candidate.end) {
                taken.push((score, idx));
            }
        }
        taken.sort_unstable_by_key(|(_, idx)| self.candidates[*idx].start);
        taken
            .iter()
            .map(|&(score, idx)| self.mention(score, idx))
            .collect()
    }

    fn mention(&self, score: f32, idx: usize) -> Mention {
        let candidate = &self.candidates[idx];
        let group = &self.groups[self.members[idx].group];
        let bearers = self.bearers(group);
        let chances = &self.chances[group.chances_start..][..bearers.len()];
        let place = bearers[group.best].place;
        let others = (0..bearers.len()).filter(|&rank| bearers[rank].place != place);
        let runner_up = others.max_by(|&a, &b| chances[a].total_cmp(&chances[b]));
        let mut strongest = Strongest::new(self.toponyms.weights.part(Part::Place), which::NAMES);
        self.first_sight(group, group.best, &mut strongest);
        which::on_page(self.spot(place), &group.support, &mut strongest);
        Mention {
            span: candidate.start..candidate.end,
            place,
            confidence: self.confidence(score, chances[group.best]),
            runner_up: runner_up.map(|rank| bearers[rank].place),
            because: strongest.because(),
        }
    }

    /// The chance that an answer is right, name and place.
    fn confidence(&self, score: f32, place_chance: f32) -> f32 {
        let weights = self.toponyms.weights.part(Part::Sure);
        let mut sum = Sum {
            weights,
            score: 0.0,
        };
        whole::sure_signs(score, log_odds(place_chance), &mut sum);
        chance(sum.score)
    }

    /// The signs that an answer is right; `None` where there is no answer.
    pub(super) fn sure_signs(&self, idx: usize, sink: &mut impl Sink) -> Option<PlaceId> {
        let score = self.score(idx);
        let group = &self.groups[self.members[idx].group];
        let place_chance = self.chances[group.chances_start + group.best];
        whole::sure_signs(score, log_odds(place_chance), sink);
        (score > THRESHOLD).then(|| self.bearers(group)[group.best].place)
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
        NameFacts {
            log_people: largest.log_people,
            n_bearers: bearers.len(),
            kind: largest.kind,
            in_wordnet: bearers
                .iter()
                .take(8)
                .any(|bearer| self.spots.get(bearer.place).in_wordnet),
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
            behind_country: rank > 0 && rival.is_some_and(|rival| rival.kind == Kind::Country),
            behind_wordnet: rank > 0
                && !own.in_wordnet
                && rival.is_some_and(|rival| rival.in_wordnet),
        }
    }
}

const STATE: u64 = hash_normal("state");
const CITY: u64 = hash_normal("city");
const TOWN: u64 = hash_normal("town");
const OF: u64 = hash_normal("of");

/// Log odds from which on a candidate is a mention.
const THRESHOLD: f32 = -0.7;

/// Less probable places say nothing about a page.
const MIN_PART: f32 = 0.03;

/// An address says more about a page than a name.
const ADDRESS_MASS: f32 = 1.5;
/// So many addresses are looked at.
const MAX_ADDRESSES: usize = 64;
/// `.de` says little, since most of the web is under `.com`.
const HOST_MASS: f32 = 0.5;

// Which kind of key a mass has.
const COUNTRY: u64 = 1;
const STATE_OF: u64 = 2;
const CELL: u64 = 3;
const STATE_NAMED: u64 = 4;
const COUNTRY_NAMED: u64 = 5;
const ADDRESSED: u64 = 6;

fn key(tag: u64, id: u32) -> u64 {
    tag << 32 | u64::from(id)
}

/// Log odds of a chance, within bounds.
fn log_odds(chance: f32) -> f32 {
    let chance = chance.clamp(0.002, 0.998);
    (chance / (1.0 - chance)).ln()
}

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

/// Parts of the text that are taken, in no order.
#[derive(Default)]
struct Occupied {
    /// Ends by starts.
    spans: std::collections::BTreeMap<usize, usize>,
}

impl Occupied {
    /// Takes a span if it is free.
    fn take(&mut self, start: usize, end: usize) -> bool {
        let before = self.spans.range(..end).next_back();
        let is_free = before.is_none_or(|(_, &taken_end)| taken_end <= start);
        if is_free {
            self.spans.insert(start, end);
        }
        is_free
    }
}
