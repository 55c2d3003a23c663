//! *Idea*: all links of a page go to the node whose share of the targets the
//! page is about, by its words.
//!
//! *Evidence*: the words of the page's text, weighed by multinomial naive
//! Bayes. Classes are the nodes' shares, and *none*; the model is trained
//! beforehand (`locavore train`, `--model`). A page of which no word is known
//! goes to the general node. By policy B every share with a probability of at
//! least one in a hundred gets the links: naive Bayes is never quite sure of
//! anything, and mostly far too sure. A share is no target, so a link has none;
//! a page is mapped to the most populous target of its share, which stands
//! for the share.
//!
//! *Wins when*: there are many good examples, and pages of a place share
//! words beside its name.
//!
//! *Loses when*: examples are few or of another kind than the pages met.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 5.

use super::{Assign, Assignment, Entry, View};
use crate::means::{Means, MeansError};
use crate::model::{Model, NONE};
use crate::roster::NodeId;
use crate::scene::Scene;
use learn::bayes::Prediction;
use page::html::Link;
use place::target::TargetId;
use std::sync::Arc;

pub(crate) const ENTRY: Entry = Entry {
    name: "classifier",
    summary: "sends a page's links to the node whose cities its words speak for",
    build: |means| Ok(Box::new(Classifier::new(means)?)),
    settings: &["--model"],
    by_url_alone: false,
    source: include_str!("classifier.rs"),
};

/// Less probable shares get no links by policy B.
const LEAST_PROBABILITY: f64 = 0.01;

const FOUND: &str = "the page's words speak for its cities";
const NOT_FOUND: &str = "the page's words speak for no target";

struct Classifier {
    model: Arc<Model>,
    /// Of class 1 and on.
    shares: Vec<Share>,
}

struct Share {
    node: NodeId,
    /// Its most populous target.
    stands_for_it: Option<TargetId>,
}

impl Classifier {
    fn new(means: &Means<'_>) -> Result<Classifier, MeansError> {
        let model = means.model.clone().ok_or(MeansError::Missing {
            assign: "classifier",
            flag: "--model FILE",
            what: "made by `locavore train`",
        })?;
        let nodes = model.nodes(means.targets, means.roster)?;
        let share = |node: NodeId| {
            let targets = means.roster.seats()[usize::from(node.0)].targets.iter();
            // Places are numbered from the most populous on.
            let place = |id: &&TargetId| means.targets.get(**id).map(|target| target.place);
            Share {
                node,
                stands_for_it: targets.min_by_key(place).copied(),
            }
        };
        Ok(Classifier {
            model,
            shares: nodes.into_iter().map(share).collect(),
        })
    }
}

impl Assign for Classifier {
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a> {
        Box::new(Classified {
            scene,
            shares: &self.shares,
            prediction: self.model.predict(&scene.page.text),
        })
    }
}

struct Classified<'a> {
    scene: Scene<'a>,
    shares: &'a [Share],
    prediction: Option<Prediction>,
}

impl Classified<'_> {
    fn best(&self) -> Option<&Share> {
        let (class, _) = self.prediction.as_ref()?.best();
        self.share(class)
    }

    fn share(&self, class: usize) -> Option<&Share> {
        self.shares.get(class.checked_sub(1)?)
    }

    fn assignment(&self, share: Option<&Share>) -> Assignment {
        match share {
            Some(share) => Assignment {
                node: share.node,
                target: None,
                because: FOUND,
            },
            None => self.scene.general(NOT_FOUND),
        }
    }
}

impl View for Classified<'_> {
    fn assign(&self, _link: &Link) -> Assignment {
        self.assignment(self.best())
    }

    fn assign_all(&self, link: &Link) -> Vec<Assignment> {
        let mut all = vec![self.assign(link)];
        let posterior = self.prediction.iter().flat_map(|found| &found.posterior);
        let mut classes: Vec<(usize, f64)> = posterior
            .copied()
            .enumerate()
            .filter(|&(class, p)| class != NONE && p >= LEAST_PROBABILITY)
            .collect();
        // Stable: of equals the first stays the first, as in `best`.
        classes.sort_by(|a, b| b.1.total_cmp(&a.1));
        for (class, _) in classes {
            let assignment = self.assignment(self.share(class));
            if all.iter().all(|known| known.node != assignment.node) {
                all.push(assignment);
            }
        }
        all
    }

    fn mapped(&self) -> Option<TargetId> {
        self.best()?.stands_for_it
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;
    use insta::assert_snapshot;

    #[test]
    fn the_pages_words_decide_for_all_links() {
        let stage = Stage::top100();
        let html = "<p>All about Honolulu</p><a href='/boston'>Honolulu again</a>";
        assert_snapshot!(stage.describe_page("classifier", html), @"Cn5 Hawaii/Alaska: the page's words speak for its cities");
        assert_snapshot!(stage.describe_page("classifier", "<a href='/boston'>engines</a>"), @"Cn0 general: the page's words speak for no target");
        assert_snapshot!(stage.describe_page("classifier", "<a href='/boston'></a>"), @"Cn0 general: the page's words speak for no target");
    }

    #[test]
    fn a_page_is_mapped_to_the_largest_city_of_its_share() {
        let stage = Stage::top100();
        let strategy = stage.build("classifier");
        let mapped = stage.with_page(
            "<p>Anchorage, Anchorage, Anchorage</p><a href='/'>x</a>",
            |scene, _| strategy.view(scene).mapped(),
        );
        let city = mapped.and_then(|id| stage.targets.get(id));
        assert_eq!(city.map(|city| city.city.as_str()), Some("Honolulu"));
    }

    #[test]
    fn policy_b_gives_links_to_every_share_that_is_not_improbable() {
        let stage = Stage::top100();
        // As many words for the one as for the other, and none for the rest.
        let html = format!("<p>{}</p><a href='/'>x</a>", "Boston Seattle ".repeat(8));
        assert_snapshot!(stage.describe_all("classifier", &html), @r"
        Cn2 Pacific: the page's words speak for its cities
        Cn1 Eastern: the page's words speak for its cities
        ");
    }

    #[test]
    fn without_a_model_the_flag_is_named() {
        let stage = Stage::top100();
        let means = Means {
            model: None,
            ..stage.means()
        };
        let error = (ENTRY.build)(&means).err().expect("nothing learned");
        assert_snapshot!(error, @"`--assign classifier` needs `--model FILE`: made by `locavore train`");
    }
}
