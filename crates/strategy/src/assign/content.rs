//! *Idea*: all links of a page go to the node of the target that the page
//! itself is most probably about.
//!
//! *Evidence*: the names in the page's text. For each target (c, s)
//!
//! ```text
//! pr((c,s)|p) = α·#((c,s),p) + (1−α)·(β·S(s|c) + (1−β)·S̃(s|p))·#(c,p)
//! ```
//!
//! with α = 0.7 and β = 0.5 unless told otherwise (`--alpha`, `--beta`).
//! `#((c,s),p)` is how often the pair occurs, `#(c,p)` how often the city
//! without its state; `S(s|c)` the population of (c, s) over that of all
//! cities named c, anywhere; `S̃(s|p)` how often the state is mentioned outside
//! pairs over all mentions of states, those in pairs included, and nothing
//! where none is mentioned. Of equal targets the most populous wins. A page is
//! mapped to the best target.
//!
//! *Wins when*: pages about a place link to more of the same.
//!
//! *Loses when*: pages about nowhere name a city in passing: all their links
//! follow.
//!
//! *Source*: Geographically Focused Collaborative Crawling, strategy 4.

use super::{Assign, Assignment, Entry, View};
use crate::means::{Means, MeansError};
use crate::scene::Scene;
use page::html::Link;
use place::gazetteer::{Gazetteer, Kind, PlaceId};
use place::names::normalise;
use place::target::{Named, Sighting, StateId, Target, TargetId};
use std::collections::HashMap;

pub(crate) const ENTRY: Entry = Entry {
    name: "content",
    summary: "sends a page's links to the node of the city its text is most about",
    build: |means| Ok(Box::new(Content::new(means)?)),
    settings: &["--alpha", "--beta"],
    by_url_alone: false,
    source: include_str!("content.rs"),
};

const FOUND: &str = "city the page's text is about";
const NOT_FOUND: &str = "no target's name in the page's text";

struct Content {
    alpha: f64,
    beta: f64,
    /// By target.
    known: Vec<Known>,
}

/// What is known of a target before any page is read.
struct Known {
    place: PlaceId,
    state: Option<StateId>,
    /// S(s|c).
    share: f64,
    /// All targets with its city's name, itself included.
    namesakes: Vec<TargetId>,
}

impl Content {
    fn new(means: &Means<'_>) -> Result<Content, MeansError> {
        let gazetteer = Gazetteer::built_in();
        let mut by_name: HashMap<String, Vec<TargetId>> = HashMap::new();
        for (id, target) in means.targets.sought() {
            by_name.entry(normalise(&target.city)).or_default().push(id);
        }
        // No text names one that is not sought.
        let unnamed = |target: &Target| Known {
            place: target.place,
            state: None,
            share: 0.0,
            namesakes: Vec::new(),
        };
        let know = |target: &Target| match target.is_sought {
            true => Known {
                place: target.place,
                state: means.targets.state_of(gazetteer, target.place),
                share: share_of_name(gazetteer, target),
                namesakes: by_name[&normalise(&target.city)].clone(),
            },
            false => unnamed(target),
        };
        Ok(Content {
            alpha: means.alpha()?,
            beta: means.beta()?,
            known: means.targets.list().iter().map(know).collect(),
        })
    }

    fn known(&self, target: TargetId) -> &Known {
        &self.known[target.0 as usize]
    }

    /// Every target with a positive score, the best first.
    fn scores(&self, sightings: &[Sighting]) -> Vec<(TargetId, f64)> {
        let counts = Counts::of(sightings);
        let mut targets: Vec<TargetId> = counts.pairs.keys().copied().collect();
        let named = counts.cities.keys();
        targets.extend(named.flat_map(|&city| &self.known(city).namesakes));
        targets.sort_unstable();
        targets.dedup();
        let mut scores: Vec<(TargetId, f64)> = targets
            .into_iter()
            .map(|target| (target, self.score(target, &counts)))
            .filter(|&(_, score)| score > 0.0)
            .collect();
        scores.sort_by(|a, b| {
            let place = |target: TargetId| self.known(target).place;
            let by_size = || place(a.0).cmp(&place(b.0));
            b.1.total_cmp(&a.1).then_with(by_size)
        });
        scores
    }

    fn score(&self, target: TargetId, counts: &Counts) -> f64 {
        let known = self.known(target);
        let n_pairs = counts.pairs.get(&target).copied().unwrap_or(0);
        let named = known.namesakes.iter();
        let n_alone: u32 = named.filter_map(|city| counts.cities.get(city)).sum();
        let mentioned = known.state.map_or(0.0, |state| counts.share_of(state));
        let which = self.beta * known.share + (1.0 - self.beta) * mentioned;
        self.alpha * f64::from(n_pairs) + (1.0 - self.alpha) * which * f64::from(n_alone)
    }
}

/// The people of a city among those of all cities with its name.
fn share_of_name(gazetteer: &Gazetteer, target: &Target) -> f64 {
    let name = normalise(&target.city);
    let is_one = |id: PlaceId| {
        let place = gazetteer.place(id);
        place.kind == Kind::City && (id == target.place || normalise(place.name) == name)
    };
    let people = |id: PlaceId| f64::from(gazetteer.place(id).population);
    let mut cities = gazetteer.find(&target.city);
    cities.push(target.place);
    cities.sort_unstable();
    cities.dedup();
    let all: f64 = cities
        .into_iter()
        .filter(|&id| is_one(id))
        .map(people)
        .sum();
    // Nobody knows how many live there, or whom else it could mean.
    if all <= 0.0 {
        return 1.0;
    }
    people(target.place) / all
}

/// How often everything is named on one page.
#[derive(Default)]
struct Counts {
    pairs: HashMap<TargetId, u32>,
    /// By the target that a name alone stands for.
    cities: HashMap<TargetId, u32>,
    /// Outside pairs.
    states: HashMap<StateId, u32>,
    n_states: u32,
}

impl Counts {
    fn of(sightings: &[Sighting]) -> Counts {
        let mut counts = Counts::default();
        for sighting in sightings {
            match sighting.named {
                // The formula itself asks which city of the name is meant.
                Named::City(target) | Named::Namesake(target) => {
                    *counts.cities.entry(target).or_default() += 1;
                }
                Named::Pair(target) => *counts.pairs.entry(target).or_default() += 1,
                Named::State(state) => *counts.states.entry(state).or_default() += 1,
                Named::Elsewhere(_) => {}
            }
            let is_city = matches!(sighting.named, Named::City(_) | Named::Namesake(_));
            counts.n_states += u32::from(!is_city);
        }
        counts
    }

    /// S̃(s|p).
    fn share_of(&self, state: StateId) -> f64 {
        let n_mentions = self.states.get(&state).copied().unwrap_or(0);
        f64::from(n_mentions) / f64::from(self.n_states.max(1))
    }
}

impl Assign for Content {
    fn view<'a>(&'a self, scene: Scene<'a>) -> Box<dyn View + 'a> {
        let sightings = scene.targets.sightings(&scene.page.text);
        let targets = self.scores(&sightings).into_iter();
        Box::new(Contents {
            scene,
            targets: targets.map(|(target, _)| target).collect(),
        })
    }
}

struct Contents<'a> {
    scene: Scene<'a>,
    /// The best first.
    targets: Vec<TargetId>,
}

impl View for Contents<'_> {
    fn assign(&self, _link: &Link) -> Assignment {
        match self.targets.first() {
            Some(&target) => self.scene.owner(target, FOUND),
            None => self.scene.general(NOT_FOUND),
        }
    }

    fn assign_all(&self, link: &Link) -> Vec<Assignment> {
        match self.targets.is_empty() {
            true => vec![self.assign(link)],
            false => self.scene.owners(self.targets.iter().copied(), FOUND),
        }
    }

    fn mapped(&self) -> Option<TargetId> {
        self.targets.first().copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Stage;
    use insta::assert_snapshot;

    fn scores(text: &str) -> String {
        let stage = Stage::top100();
        let content = Content::new(&stage.means()).expect("the defaults are weights");
        let scores = content.scores(&stage.targets.sightings(text));
        let show = |(target, score): (TargetId, f64)| {
            let target = &stage.targets.list()[target.0 as usize];
            format!("{}, {} {score:.4}", target.city, target.state)
        };
        scores.into_iter().map(show).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn pairs_count_alpha_each() {
        // 0.7 · 2 and 0.7 · 1.
        assert_snapshot!(scores("Houston, TX and Houston, Texas beat Dallas, TX"), @"Houston, TX 1.4000; Dallas, TX 0.7000");
    }

    #[test]
    fn population_decides_where_no_state_is_mentioned() {
        let gazetteer = Gazetteer::built_in();
        let people = |state: &str| {
            let cities = gazetteer.find("Glendale").into_iter();
            let cities = cities.map(|id| gazetteer.place(id));
            let cities = cities.filter(|city| city.kind == Kind::City && city.name == "Glendale");
            let cities = cities.filter(|city| state.is_empty() || city.division == state);
            let most = |all: u32, city: place::gazetteer::Place<'_>| match state.is_empty() {
                true => all + city.population,
                false => all.max(city.population),
            };
            f64::from(cities.fold(0, most))
        };
        // 0.3 · 0.5 · S(s|c) for each mention.
        let expected = |state| 2.0 * 0.3 * 0.5 * people(state) / people("");
        let shown = format!(
            "Glendale, AZ {:.4}; Glendale, CA {:.4}",
            expected("AZ"),
            expected("CA")
        );
        assert_eq!(scores("Glendale and again Glendale"), shown);
    }

    #[test]
    fn states_mentioned_outside_pairs_decide_between_namesakes() {
        // S̃(CA) = 2 of 3 mentions of states: the pair's Texas counts among them.
        let text = "Glendale, a town in California; CALIFORNIA! Houston, TX";
        let stage = Stage::top100();
        let content = Content::new(&stage.means()).expect("the defaults are weights");
        let scores = content.scores(&stage.targets.sightings(text));
        let target = |id: TargetId| &stage.targets.list()[id.0 as usize];
        let (best, score) = scores[0];
        assert_eq!(target(best).city, "Houston");
        assert!((score - 0.7).abs() < 1e-12);
        let (second, score) = scores[1];
        assert_eq!(
            (&*target(second).city, &*target(second).state),
            ("Glendale", "CA")
        );
        let share = content.known(second).share;
        let expected = 0.3 * (0.5 * share + 0.5 * 2.0 / 3.0);
        assert!((score - expected).abs() < 1e-12, "{score} {expected}");
    }

    #[test]
    fn a_name_that_a_larger_city_has_is_still_weighed() {
        let stage = Stage::of("Portland, ME");
        let html = "<p>Portland</p><a href='http://portland.example/'>Portland</a>";
        assert_snapshot!(stage.describe_page("content", html), @"Cn1: Portland, city the page's text is about");
        assert_snapshot!(stage.describe_page("anchor", html), @"Cn0 general: no target's name near the link");
        assert_snapshot!(stage.describe_page("url", html), @"Cn0 general: no target's name in the URL");
        let html = "<p>Portland</p><a href='http://portland-maine.example/'>Portland, Maine</a>";
        assert_snapshot!(stage.describe_page("anchor", html), @"Cn1: Portland, city in or near the link's text");
        assert_snapshot!(stage.describe_page("url", html), @"Cn1: Portland, city in the URL");
    }

    #[test]
    fn all_links_follow_the_page() {
        let stage = Stage::top100();
        let html = "<p>Welcome to Honolulu, HI</p><a href='http://boston.example/'>Boston</a>";
        assert_snapshot!(stage.describe_page("content", html), @"Cn5 Hawaii/Alaska: Honolulu, city the page's text is about");
        assert_snapshot!(stage.describe_all("content", html), @r"
        Cn5 Hawaii/Alaska: Honolulu, city the page's text is about
        Cn1 Eastern: Boston, city the page's text is about
        ");
        assert_snapshot!(stage.describe_page("content", "<a href='/'>nothing</a>"), @"Cn0 general: no target's name in the page's text");
    }
}
