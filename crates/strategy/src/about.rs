//! Where a page is about, seen from the targets, and how much that counts.

use crate::evaluate::Evaluation;
use crate::topic::sigmoid;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::target::Targets;
use std::collections::HashSet;

/// Where the focus of a page's geography lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum About {
    /// In a target.
    Target,
    /// In a target's state or the like.
    Region,
    /// In a target's country.
    Country,
    Elsewhere,
    /// Nowhere: it names no places.
    Nowhere,
}

/// The targets and what lies around them.
#[derive(Debug, Clone)]
pub(crate) struct Surroundings {
    places: HashSet<PlaceId>,
    regions: HashSet<PlaceId>,
    countries: HashSet<String>,
}

impl Surroundings {
    pub(crate) fn of(targets: &Targets) -> Surroundings {
        let gazetteer = Gazetteer::built_in();
        let places: HashSet<PlaceId> = targets.list().iter().map(|it| it.place).collect();
        let regions = places.iter().filter_map(|place| region(gazetteer, *place));
        let countries = places.iter().map(|place| gazetteer.place(*place).country);
        Surroundings {
            regions: regions.collect(),
            countries: countries.map(str::to_owned).collect(),
            places,
        }
    }

    /// Where a page is about.
    pub(crate) fn about(&self, evaluation: &Evaluation) -> About {
        let gazetteer = Gazetteer::built_in();
        let Some(focus) = evaluation.findings.geography.focus else {
            return About::Nowhere;
        };
        let mut around = std::iter::once(focus).chain(gazetteer.chain(focus));
        if around.any(|place| self.places.contains(&place)) {
            return About::Target;
        }
        let is_regional =
            region(gazetteer, focus).is_some_and(|region| self.regions.contains(&region));
        match (
            is_regional,
            self.countries.contains(gazetteer.place(focus).country),
        ) {
            (true, _) => About::Region,
            (_, true) => About::Country,
            _ => About::Elsewhere,
        }
    }

    /// How much speaks for a page being about a target, between 0 and 1:
    /// 1/(1 + e^−g), where g is 2 + ln n for n addresses in targets (0.88 for
    /// one, 0.96 for three); without any, by where its geography has its
    /// focus: 1 in a target (0.73), −1 in a target's region (0.27), −2 in its
    /// country (0.12), else −3 (0.05).
    pub(crate) fn evidence(&self, evaluation: &Evaluation) -> f32 {
        let n_addresses = evaluation.entities.len();
        if n_addresses > 0 {
            return sigmoid(2.0 + (n_addresses as f32).ln());
        }
        sigmoid(match self.about(evaluation) {
            About::Target => 1.0,
            About::Region => -1.0,
            About::Country => -2.0,
            About::Elsewhere | About::Nowhere => -3.0,
        })
    }
}

/// The state or so that a place lies in.
fn region(gazetteer: &Gazetteer, place: PlaceId) -> Option<PlaceId> {
    let mut around = std::iter::once(place).chain(gazetteer.chain(place));
    around.find(|place| gazetteer.kind(*place) == Kind::Division1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluate::Evaluator;
    use page::html;
    use page::url::CanonicalUrl;

    fn evidence(html: &str) -> f32 {
        let gazetteer = Gazetteer::built_in();
        let targets = Targets::parse(gazetteer, &["Houston, TX".to_owned()]).unwrap();
        let url = CanonicalUrl::parse("http://town.example/").unwrap();
        let page = html::read(html.as_bytes(), &url, None);
        let evaluation = Evaluator::new(gazetteer, &targets).evaluate(&page);
        Surroundings::of(&targets).evidence(&evaluation)
    }

    #[test]
    fn addresses_count_most_then_the_focus_of_the_page() {
        let near = |found: f32, expected: f32| (found - expected).abs() < 0.005;
        let one = evidence("<p>1200 Main St, Houston, TX 77002");
        let three = evidence(
            "<p>1200 Main St, Houston, TX 77002<p>1300 Main St, Houston, TX 77002\
             <p>1400 Main St, Houston, TX 77002",
        );
        assert!(near(one, 0.88) && near(three, 0.96), "{one} {three}");
        let region = evidence("<p>1500 Marilla St, Dallas, TX 75201");
        let country = evidence("<p>1 Ajinomoto Drive, Eddyville, IA 52553");
        assert!(
            near(region, 0.27) && near(country, 0.12),
            "{region} {country}"
        );
        assert!(near(evidence("<p>Soup and bread"), 0.05));
    }
}
