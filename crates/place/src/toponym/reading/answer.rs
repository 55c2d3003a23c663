//! From what is known about a page's names to its mentions.

use super::Reading;
use crate::gazetteer::{PlaceId, Role};
use crate::toponym::Mention;
use crate::toponym::signs::{Part, Sink, Strongest, Sum, chance};
use crate::toponym::which;
use crate::toponym::whole::{self, Outlook};

/// What a name means on a page.
#[derive(Debug, Clone, Copy)]
struct Answer {
    place: PlaceId,
    place_chance: f32,
    runner_up: Option<PlaceId>,
    because: [&'static str; 3],
}

impl Reading<'_> {
    /// What the page says about a candidate.
    pub(in crate::toponym) fn outlook(&self, idx: usize) -> Outlook {
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
    pub(in crate::toponym) fn score(&self, idx: usize) -> f32 {
        let weights = self.toponyms.weights.part(Part::Page);
        let mut sum = Sum {
            weights,
            score: 0.0,
        };
        whole::signs_of(&self.outlook(idx), &mut sum);
        sum.score
    }

    /// The candidates that name places, best ones first where they overlap.
    pub(in crate::toponym) fn mentions(&self) -> Vec<Mention> {
        let scored: Vec<(f32, usize)> = (0..self.candidates.len())
            .map(|idx| (self.score(idx), idx))
            .filter(|(score, _)| *score > THRESHOLD)
            .collect();
        let mut answers: Vec<Option<Answer>> = vec![None; self.groups.len()];
        let mut mentions = Vec::with_capacity(scored.len());
        let mut push = |score: f32, idx: usize| {
            let group_idx = self.members[idx].group;
            let answer = answers[group_idx].get_or_insert_with(|| self.answer(group_idx));
            mentions.push(self.mention(score, idx, answer));
        };
        // Candidates come in order, so those that overlap stand together.
        let mut reach = 0;
        let overlap = |previous: &(f32, usize), next: &(f32, usize)| {
            reach = reach.max(self.candidates[previous.1].end);
            self.candidates[next.1].start < reach
        };
        for together in scored.chunk_by(overlap) {
            if let [(score, idx)] = *together {
                push(score, idx);
                continue;
            }
            for (score, idx) in self.best_of(together) {
                push(score, idx);
            }
        }
        mentions
    }

    /// The best of candidates that overlap, in order.
    fn best_of(&self, together: &[(f32, usize)]) -> Vec<(f32, usize)> {
        let mut by_score = together.to_vec();
        by_score.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let mut occupied = Occupied::default();
        by_score.retain(|&(_, idx)| {
            let candidate = &self.candidates[idx];
            occupied.take(candidate.start, candidate.end)
        });
        by_score.sort_unstable_by_key(|(_, idx)| self.candidates[*idx].start);
        by_score
    }

    /// What all mentions of a group have in common.
    fn answer(&self, group_idx: usize) -> Answer {
        let group = &self.groups[group_idx];
        let bearers = self.bearers(group);
        let chances = &self.chances[group.chances_start..][..bearers.len()];
        let place = bearers[group.best].place;
        let others = (0..bearers.len()).filter(|&rank| bearers[rank].place != place);
        let runner_up = others.max_by(|&a, &b| chances[a].total_cmp(&chances[b]));
        let mut strongest = Strongest::new(self.toponyms.weights.part(Part::Place), which::NAMES);
        self.first_sight(group, group.best, &mut strongest);
        which::on_page(self.spot(place), &group.support, &mut strongest);
        Answer {
            place,
            place_chance: chances[group.best],
            runner_up: runner_up.map(|rank| bearers[rank].place),
            because: strongest.because(),
        }
    }

    fn mention(&self, score: f32, idx: usize, answer: &Answer) -> Mention {
        let candidate = &self.candidates[idx];
        Mention {
            span: candidate.start..candidate.end,
            place: answer.place,
            confidence: self.confidence(score, answer.place_chance),
            runner_up: answer.runner_up,
            because: answer.because,
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
    pub(in crate::toponym) fn sure_signs(
        &self,
        idx: usize,
        sink: &mut impl Sink,
    ) -> Option<PlaceId> {
        let score = self.score(idx);
        let group = &self.groups[self.members[idx].group];
        let place_chance = self.chances[group.chances_start + group.best];
        whole::sure_signs(score, log_odds(place_chance), sink);
        (score > THRESHOLD).then(|| self.bearers(group)[group.best].place)
    }
}

/// Log odds from which on a candidate is a mention.
const THRESHOLD: f32 = -0.7;

/// Log odds of a chance, within bounds.
fn log_odds(chance: f32) -> f32 {
    let chance = chance.clamp(0.002, 0.998);
    (chance / (1.0 - chance)).ln()
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
