//! Whether a name that several places share is read as the one that is meant.

use super::score::Mean;
use place::gazetteer::{Gazetteer, PlaceId};
use place::question::{Helps, QuestionReader, ambiguous};
use serde::Serialize;

/// Places that share a name count from so many people on.
pub const LEAST_PEOPLE: u32 = 50_000;

/// Shares of names that are read right.
#[derive(Debug, Clone, Default, Serialize)]
pub struct NameScores {
    /// The name alone means the most populous.
    pub alone: Mean,
    /// The name with a state or country means the one in there.
    pub with_state: Mean,
    /// The name asked for at one of the smaller places means that one.
    pub at_home: Mean,
    /// Some that were read wrong: the query, and what was meant.
    pub wrong: Vec<String>,
}

/// Reads all shared names.
pub(super) fn read_shared_names() -> NameScores {
    let gazetteer = Gazetteer::built_in();
    let reader = QuestionReader::new(gazetteer);
    let mut wrong = Vec::new();
    let mut is_right = |query: &str, helps: &Helps<'_>, meant: PlaceId| {
        let question = reader.read(query, helps);
        let read = question.location.and_then(|location| location.place());
        let is_right = read == Some(meant);
        if !is_right {
            let read = read.map_or_else(|| "nothing".to_owned(), |id| gazetteer.describe(id));
            wrong.push(format!(
                "{query}: {read}, not {}",
                gazetteer.describe(meant)
            ));
        }
        is_right
    };
    let (mut alone, mut with_state, mut at_home) = (Vec::new(), Vec::new(), Vec::new());
    for (_, places) in ambiguous(gazetteer, LEAST_PEOPLE) {
        let name = gazetteer.place(places[0]).name;
        alone.push(is_right(name, &Helps::NONE, places[0]));
        for (query, place) in qualified(gazetteer, &places) {
            with_state.push(is_right(&query, &Helps::NONE, place));
        }
        for &place in &places[1..] {
            let here = gazetteer.place(place);
            let helps = Helps {
                home: Some((f64::from(here.lat), f64::from(here.lon))),
                ..Helps::NONE
            };
            at_home.push(is_right(here.name, &helps, place));
        }
    }
    NameScores {
        alone: Mean::of_true(alone),
        with_state: Mean::of_true(with_state),
        at_home: Mean::of_true(at_home),
        wrong,
    }
}

/// `Springfield Illinois`, `Athens Greece`; not where that names two of them.
fn qualified(gazetteer: &Gazetteer, places: &[PlaceId]) -> Vec<(String, PlaceId)> {
    let qualifier = |place: PlaceId| {
        let kept = super::collection::state_of(place)
            .filter(|_| gazetteer.place(place).country == "US")
            .or_else(|| gazetteer.chain(place).last());
        kept.map(|outer| gazetteer.place(outer).name)
    };
    let mut all = Vec::new();
    for &place in places {
        let Some(outer) = qualifier(place) else {
            continue;
        };
        let n_same = places
            .iter()
            .filter(|&&other| qualifier(other) == Some(outer));
        if n_same.count() == 1 {
            let name = gazetteer.place(place).name;
            all.push((format!("{name} {outer}"), place));
        }
    }
    all
}
