//! *Idea*: words in and around a link tell whether it leads to relevant
//! pages, in one step or in a few.
//!
//! *Evidence*: words of the host's name, of the path, of the link's text and
//! title, of the text around it, and whether it leaves the domain. One naive
//! Bayes model for each number of links `d` up to `--steps` (three unless
//! told otherwise) has the probability that a page `d` links further is
//! relevant. For the first `--train-pages` pages the crawl goes by link
//! distance alone; what it has learned by then, and goes on learning, only
//! ever raises a priority:
//! `score + prediction · (1 − score)`.
//!
//! *Wins when*: relevant pages lie behind others, and links to them are worded alike.
//!
//! *Loses when*: links say `more` and `next`, or there are too few relevant
//! pages to learn from.
//!
//! *Source*: Adaptive Geospatially Focused Crawling (CIKM 2009), link prediction.

use super::{
    Clues, Entry, Eye, Judgement, Lesson, Mind, MindError, Order, Priority, Sighting, distance,
};
use crate::learned::{Learned, Reader};
use crate::scene::Scene;
use crate::signs::{N_SIGNS, Words};
use crate::ties::Ties;
use learn::hashed::HashedBayes;
use page::html::Link;

pub(crate) const ENTRY: Entry = Entry {
    name: "adaptive",
    summary: "learns which words of links lead to relevant pages",
    build: |means| {
        let steps = means.steps()?;
        Ok(Order {
            eye: Box::new(WordEye),
            mind: Box::new(Adaptive {
                bayes: HashedBayes::new(steps, N_SIGNS),
                decay: means.decay()?,
                n_training: means.train_pages,
                n_learned: 0,
                countries: means.countries(),
                ties: Ties::new(means.order_seed),
            }),
        })
    },
    settings: &[
        "--decay",
        "--steps",
        "--train-pages",
        "--order-seed",
        "--order-model",
    ],
    source: include_str!("adaptive.rs"),
};

/// Sees words.
struct WordEye;

impl Eye for WordEye {
    fn look(&self, scene: &Scene<'_>, links: &[&Link]) -> Vec<Clues> {
        let words = Words::near_links(scene.page, links);
        links.iter().map(|link| words.signs(link)).collect()
    }

    fn name(&self, scene: &Scene<'_>, link: &Link) -> Vec<(u32, String)> {
        Words::near_links(scene.page, &[link]).named(link)
    }
}

struct Adaptive {
    /// A question for each number of links.
    bayes: HashedBayes,
    decay: f32,
    /// Pages before anything is predicted.
    n_training: u64,
    /// Pages learned from.
    n_learned: u64,
    countries: String,
    ties: Ties,
}

impl Adaptive {
    /// The mean of what the models say, where far ones count less.
    fn prediction(&self, clues: &[u32]) -> f32 {
        let mut weight = 1.0;
        let (mut sum, mut all) = (0.0, 0.0);
        for chance in self.bayes.predict(clues) {
            weight *= self.decay;
            sum += weight * chance;
            all += weight;
        }
        sum / all
    }
}

impl Mind for Adaptive {
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement {
        let score = distance::score(self.decay, sighting.distance);
        if self.n_learned < self.n_training || sighting.clues.is_empty() {
            return Judgement::Follow(Priority {
                value: self.ties.broken(score, sighting.url),
                because: distance::because(sighting.distance),
            });
        }
        let prediction = self.prediction(sighting.clues);
        let value = score + prediction * (1.0 - score);
        Judgement::Follow(Priority {
            value: self.ties.broken(value, sighting.url),
            because: match prediction > score {
                true => "its words promise relevant pages",
                false => distance::because(sighting.distance),
            },
        })
    }

    fn learn(&mut self, lesson: &Lesson<'_>) {
        self.n_learned += 1;
        for (question, step) in lesson.trail.iter().enumerate() {
            self.bayes.learn(question, &step.clues, lesson.is_relevant);
        }
    }

    fn memory(&self) -> usize {
        self.bayes.n_questions()
    }

    fn weigh(&self, clue: u32) -> Option<f32> {
        self.bayes.weight(0, clue)
    }

    fn save(&self) -> Option<Vec<u8>> {
        let (examples, cells) = self.bayes.dump();
        let mut learned = Learned::new("adaptive", &self.countries);
        learned.number(self.n_learned);
        learned.number(examples.len() as u64);
        for side in examples.into_iter().flatten() {
            learned.number(side);
        }
        learned.number(cells.len() as u64);
        for (cell, [no, yes]) in cells {
            learned.small(cell);
            learned.small(no);
            learned.small(yes);
        }
        Some(learned.finish())
    }

    fn restore(&mut self, saved: &[u8]) -> Result<(), MindError> {
        let mut reader = Reader::open(saved, "adaptive", &self.countries)?;
        let n_learned = reader.number()?;
        let n_questions = reader.number()?;
        if n_questions != self.bayes.n_questions() as u64 {
            let ours = self.bayes.n_questions();
            return Err(MindError::OfOther(format!(
                "learned with `--steps {n_questions}`, not {ours}"
            )));
        }
        let mut examples = Vec::new();
        for _ in 0..n_questions {
            examples.push([reader.number()?, reader.number()?]);
        }
        let n_cells = reader.number()?;
        let mut cells = Vec::new();
        for _ in 0..n_cells {
            cells.push((reader.small()?, [reader.small()?, reader.small()?]));
        }
        self.bayes.load(&examples, &cells);
        self.n_learned = n_learned;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::means::Means;
    use crate::order::Step;
    use crate::testing::Stage;

    const GOOD: &[u32] = &[1, 2];
    const BAD: &[u32] = &[3, 4];

    fn order(steps: usize, train_pages: u64) -> Box<dyn Mind> {
        let stage = Stage::top100();
        let means = Means {
            steps,
            train_pages,
            ..stage.means()
        };
        (ENTRY.build)(&means).unwrap().mind
    }

    fn value(mind: &dyn Mind, distance: u16, clues: &[u32]) -> f32 {
        match mind.judge(&Sighting::new(0, distance, clues)) {
            Judgement::Follow(priority) => priority.value,
            Judgement::Leave => panic!("left"),
        }
    }

    fn teach(mind: &mut dyn Mind, trail: &[&[u32]], is_relevant: bool) {
        let step = |clues: &&[u32]| Step {
            distance: 1,
            clues: clues.to_vec(),
        };
        let trail: Vec<Step> = trail.iter().map(step).collect();
        let trail = &trail;
        mind.learn(&Lesson { trail, is_relevant });
    }

    #[test]
    fn predictions_are_those_of_the_paper_and_only_raise() {
        let mut mind = order(2, 4);
        for _ in 0..2 {
            teach(&mut *mind, &[GOOD, BAD], true);
        }
        assert_eq!(value(&*mind, 1, GOOD), 0.5, "still in training");
        for _ in 0..2 {
            teach(&mut *mind, &[BAD, GOOD], false);
        }
        // Laplace by hand, one link away: each word of GOOD was seen twice in
        // four yes and never in four no, of four words: 3/8 against 1/8.
        let near = 9.0 / 10.0;
        // Two links away it is the other way round.
        let far = 1.0 / 10.0;
        let prediction = (0.5 * near + 0.25 * far) / 0.75;
        let expected = 0.5 + prediction * 0.5;
        let found = value(&*mind, 1, GOOD);
        assert!((found - expected).abs() < 0.002, "{found} {expected}");
        assert!(value(&*mind, 1, BAD) >= 0.499);
        assert!(value(&*mind, 5, GOOD) > value(&*mind, 2, &[]));
    }

    #[test]
    fn what_was_learned_can_be_taken_over_by_the_same_order_only() {
        let mut mind = order(3, 0);
        teach(&mut *mind, &[GOOD], true);
        teach(&mut *mind, &[BAD, GOOD, GOOD], false);
        let saved = mind.save().unwrap();
        let mut other = order(3, 0);
        other.restore(&saved).unwrap();
        assert_eq!(value(&*other, 3, GOOD), value(&*mind, 3, GOOD));
        let error = order(2, 0).restore(&saved).unwrap_err().to_string();
        assert_eq!(error, "learned with `--steps 3`, not 2");
        for cut in [0, 5, saved.len() - 1] {
            assert_eq!(other.restore(&saved[..cut]), Err(MindError::Garbled));
        }
    }

    #[test]
    fn words_that_promise_something_can_be_named() {
        let mut mind = order(1, 0);
        teach(&mut *mind, &[GOOD], true);
        teach(&mut *mind, &[BAD], false);
        assert!(mind.weigh(GOOD[0]).unwrap() > 0.0);
        assert!(mind.weigh(BAD[0]).unwrap() < 0.0);
        assert_eq!(mind.weigh(9), None);
    }
}
