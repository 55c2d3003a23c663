//! What a labelled text teaches: signs with the right answers beside them.
//!
//! Learning itself happens elsewhere (`cargo xtask train`); here a text is
//! read exactly as always, and every decision on the way is written down.

use super::reading::Reading;
use super::scan::candidates;
use super::signs::SignList;
use super::{Context, Toponyms, which, whole};
use crate::gazetteer::PlaceId;
use crate::sphere::kilometres;
use std::ops::Range;

/// A label: a name of a place in the text.
#[derive(Debug, Clone)]
pub struct Gold {
    /// Byte range.
    pub span: Range<usize>,
    /// Degrees north and east, where the label says.
    pub point: Option<(f32, f32)>,
}

/// The labels of one text.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// All labels.
    pub gold: Vec<Gold>,
    /// Whether what has no label is no name.
    pub complete: bool,
    /// Whether `German` and `Texans` have labels too.
    pub demonyms: bool,
}

/// A question with yes or no for an answer.
#[derive(Debug, Clone)]
pub struct Example {
    /// Signs.
    pub signs: SignList,
    /// The answer.
    pub is_right: bool,
}

/// A question with several possible answers, of which some are right.
#[derive(Debug, Clone)]
pub struct Choice {
    /// Signs of each answer, and whether it is right.
    pub options: Vec<(SignList, bool)>,
    /// How much it counts.
    pub weight: f32,
}

/// All decisions of one text.
#[derive(Debug, Clone, Default)]
pub struct Lessons {
    /// Is it a name, by what stands around it?
    pub local: Vec<Example>,
    /// Which place, at first sight?
    pub prior: Vec<Choice>,
    /// Which place, knowing the page?
    pub place: Vec<Choice>,
    /// Is it a name, knowing the page?
    pub page: Vec<Example>,
    /// Is an answer right, name and place?
    pub sure: Vec<Example>,
}

/// Two points this close mean the same place, as published measures have it.
pub const SAME_PLACE_KM: f64 = 161.0;

impl Toponyms<'_> {
    /// The words around the candidates of a text, for choosing which count.
    pub fn words_around<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let mut words = Vec::new();
        for candidate in candidates(text, &self.table, &self.lexicon) {
            let (_, before) = super::words::previous_word(text, candidate.start);
            let (_, after) = super::words::next_word(text, candidate.end);
            for word in [before, after].into_iter().flatten() {
                words.push(&text[word.start..word.end]);
            }
        }
        words
    }

    fn is_near(&self, place: PlaceId, point: (f32, f32)) -> bool {
        let place = self.gazetteer.place(place);
        kilometres((place.lat, place.lon), point) < SAME_PLACE_KM
    }

    /// What a labelled text teaches.
    pub fn lessons(&self, text: &str, context: &Context<'_>, labels: &Labels) -> Lessons {
        let candidates = candidates(text, &self.table, &self.lexicon);
        let mut lessons = Lessons::default();
        if candidates.is_empty() {
            return lessons;
        }
        let reading = Reading::new(self, candidates, context);
        let mut points: Vec<Vec<(f32, f32)>> = vec![Vec::new(); reading.groups.len()];
        for idx in 0..reading.candidates.len() {
            let candidate = &reading.candidates[idx];
            let span = candidate.start..candidate.end;
            let gold = labels.gold.iter().find(|gold| gold.span == span);
            let group_idx = reading.members[idx].group;
            points[group_idx].extend(gold.and_then(|gold| gold.point));
            if !labels.complete || (reading.is_demonym(group_idx) && !labels.demonyms) {
                continue;
            }
            let mut local = SignList::new();
            reading.local_signs(idx, &self.weights, &mut local);
            let mut page = SignList::new();
            whole::signs_of(&reading.outlook(idx), &mut page);
            lessons.add_answer(self, &reading, idx, gold);
            let is_right = gold.is_some();
            lessons.local.push(Example {
                signs: local,
                is_right,
            });
            lessons.page.push(Example {
                signs: page,
                is_right,
            });
        }
        for (group_idx, points) in points.iter().enumerate() {
            if let Some(&point) = points.first() {
                let weight = (points.len() as f32).sqrt();
                lessons.add_choices(self, &reading, group_idx, point, weight);
            }
        }
        lessons
    }
}

impl Lessons {
    fn add_choices(
        &mut self,
        toponyms: &Toponyms<'_>,
        reading: &Reading<'_>,
        group_idx: usize,
        point: (f32, f32),
        weight: f32,
    ) {
        let bearers = reading.place_options(&reading.groups[group_idx]);
        let supports = reading.supports(group_idx);
        let mut prior = Vec::new();
        let mut place = Vec::new();
        for (rank, bearer) in bearers.iter().enumerate() {
            let spot = toponyms.spots.get(bearer.place);
            let is_right = toponyms.is_near(bearer.place, point);
            let mut signs = SignList::new();
            reading.first_sight(&reading.groups[group_idx], rank, &mut signs);
            prior.push((signs.clone(), is_right));
            which::on_page(spot, &supports[rank], &mut signs);
            place.push((signs, is_right));
        }
        if bearers.len() > 1 && prior.iter().any(|(_, is_right)| *is_right) {
            self.prior.push(Choice {
                options: prior,
                weight,
            });
            self.place.push(Choice {
                options: place,
                weight,
            });
        }
    }

    /// Whether an answer is right can be said unless its label has no point.
    fn add_answer(
        &mut self,
        toponyms: &Toponyms<'_>,
        reading: &Reading<'_>,
        idx: usize,
        gold: Option<&Gold>,
    ) {
        let mut signs = SignList::new();
        let Some(place) = reading.sure_signs(idx, &mut signs) else {
            return;
        };
        let is_right = match gold.map(|gold| gold.point) {
            None => false,
            Some(None) => return,
            Some(Some(point)) => toponyms.is_near(place, point),
        };
        self.sure.push(Example { signs, is_right });
    }

    /// Makes the choices between places count more or less.
    pub fn weigh_choices(&mut self, factor: f32) {
        for choice in self.prior.iter_mut().chain(&mut self.place) {
            choice.weight *= factor;
        }
    }

    /// Takes over what another text teaches.
    pub fn extend(&mut self, other: Lessons) {
        self.local.extend(other.local);
        self.prior.extend(other.prior);
        self.place.extend(other.place);
        self.page.extend(other.page);
        self.sure.extend(other.sure);
    }
}
