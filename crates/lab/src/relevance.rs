//! How relevant search answers are, measured: queries about topics in places,
//! put to an index of pages of which everything is known.
//!
//! A crawl of a made-up web is indexed, queries are made from its pages
//! (`query.rs`), every page is graded for each by the web's own truth
//! (`grade.rs`), and three systems answer: words alone, words with a hard
//! filter on the place that was read, and the search itself (`systems.rs`).
//! Beside it: real pages of restaurants (`real.rs`) and names that places share
//! (`names.rs`).

mod collection;
mod grade;
mod names;
mod query;
mod real;
mod score;
mod systems;
#[cfg(test)]
mod tests;

pub use names::{LEAST_PEOPLE, NameScores};
pub use real::{RealQuery, RealScores};
pub use score::Mean;
pub use systems::SYSTEMS;

use crate::world::WorldSettings;
use collection::Collection;
use place::gazetteer::{Gazetteer, PlaceId};
use query::{Form, Query, queries};
use score::{N_HITS, ndcg, reciprocal_rank};
use serde::Serialize;
use std::collections::HashSet;
use std::path::Path;
use systems::{OURS, Systems, TEXT};

/// What is measured.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The web that is crawled.
    pub world: WorldSettings,
    /// Places that the crawl is for.
    pub places: Vec<String>,
    /// Pages to crawl.
    pub pages: u64,
    /// Queries to make, if the pages suffice.
    pub queries: usize,
}

/// Places of the usual crawl: large US cities, US cities that share their name
/// with a larger one, and German cities.
pub const PLACES: [&str; 36] = [
    "Houston, TX",
    "Chicago, IL",
    "Seattle, WA",
    "Denver, CO",
    "Boston, MA",
    "Miami, FL",
    "Phoenix, AZ",
    "San Diego, CA",
    "Minneapolis, MN",
    "Nashville, TN",
    "New Orleans, LA",
    "Atlanta, GA",
    "Portland, ME",
    "Springfield, IL",
    "Columbus, GA",
    "Richmond, CA",
    "Aurora, IL",
    "Glendale, CA",
    "Rochester, MN",
    "Kansas City, KS",
    "Birmingham, AL",
    "Manchester, NH",
    "Cambridge, MA",
    "Vancouver, WA",
    "Oldenburg, Lower Saxony",
    "Münster, North Rhine-Westphalia",
    "Leipzig, Saxony",
    "Dresden, Saxony",
    "Freiburg, Baden-Württemberg",
    "Göttingen, Lower Saxony",
    "Osnabrück, Lower Saxony",
    "Rostock, Mecklenburg-Vorpommern",
    "Kassel, Hesse",
    "Würzburg, Bavaria",
    "Bonn, North Rhine-Westphalia",
    "Augsburg, Bavaria",
];

/// All that was measured.
#[derive(Debug, Clone, Serialize)]
pub struct Relevance {
    /// Pages in the index.
    pub n_pages: u64,
    /// Those of them that are graded.
    pub n_graded: usize,
    /// For each form of query, then for all.
    pub rows: Vec<Row>,
    /// Names that places share.
    pub names: NameScores,
    /// Real pages, where there are some, for each way of asking.
    pub real: Vec<RealScores>,
    /// Every query.
    pub queries: Vec<Scored>,
}

/// Means over the queries of one form.
#[derive(Debug, Clone, Serialize)]
pub struct Row {
    /// The form.
    pub form: &'static str,
    /// nDCG@10 of each system.
    pub ndcg: [Mean; 3],
    /// Mean reciprocal rank of the first page of grade 2 or 3 among ten.
    pub mrr: [Mean; 3],
    /// nDCG@10 of ours less that of text only, query by query.
    pub gain: Mean,
    /// Share of the queries whose place was read right.
    pub place_right: Mean,
}

/// What came of one query.
#[derive(Debug, Clone, Serialize)]
pub struct Scored {
    /// The query.
    pub text: String,
    /// Its form.
    pub form: &'static str,
    /// What it asks for, for people.
    pub meant: String,
    /// What was read, for people.
    pub read: Option<String>,
    /// Whether that is right.
    pub is_right: bool,
    /// nDCG@10 of each system.
    pub ndcg: [f64; 3],
    /// Reciprocal rank of each system.
    pub rank: [f64; 3],
    /// Pages of grade 1, 2 and 3 that there are.
    pub n_graded: [usize; 3],
    /// Grades of our hits.
    pub grades: Vec<u8>,
    /// Our hits.
    pub hits: Vec<String>,
}

/// Measures all of it. The crawl stays in `dir` and is not made again there;
/// real pages are taken from `eval`, the folder of labelled data.
pub fn measure(settings: &Settings, dir: &Path, eval: Option<&Path>) -> anyhow::Result<Relevance> {
    std::fs::create_dir_all(dir)?;
    let collection = Collection::make(settings, &dir.join("made-up"))?;
    let systems = Systems::new(&collection.index);
    let mut scored = Vec::new();
    for query in queries(&collection, settings.queries, settings.world.seed) {
        scored.push(score(&collection, &systems, &query)?);
    }
    let forms = Form::ALL.map(Form::name);
    let of = |form| scored.iter().filter(move |query| query.form == form);
    let mut rows: Vec<Row> = forms.iter().map(|&form| row(form, of(form))).collect();
    rows.push(row("all", scored.iter()));
    let real = match eval {
        Some(eval) => real::ask_for_restaurants(eval, &dir.join("restaurants"))?,
        None => Vec::new(),
    };
    Ok(Relevance {
        n_pages: collection.index.n_pages(),
        n_graded: collection.facts.len(),
        rows,
        names: names::read_shared_names(),
        real,
        queries: scored,
    })
}

fn score(collection: &Collection, systems: &Systems<'_>, query: &Query) -> anyhow::Result<Scored> {
    let gazetteer = Gazetteer::built_in();
    let answers = systems.ask(&query.text)?;
    let best: Vec<u8> = query.grades.values().copied().collect();
    let found = answers
        .found
        .each_ref()
        .map(|found| grades(collection, query, found));
    let n_of = |grade: u8| best.iter().filter(|&&known| known == grade).count();
    Ok(Scored {
        text: query.text.clone(),
        form: query.form.name(),
        meant: gazetteer.describe(query.wish.place),
        read: answers.place.map(|place| gazetteer.describe(place)),
        is_right: answers
            .place
            .is_some_and(|read| is_same(read, query.wish.place)),
        ndcg: found.each_ref().map(|found| ndcg(found, &best)),
        rank: found.each_ref().map(|found| reciprocal_rank(found)),
        n_graded: [n_of(1), n_of(2), n_of(3)],
        grades: found[OURS].clone(),
        hits: answers.found[OURS].clone(),
    })
}

/// Grades of hits; what repeats an earlier hit is worth nothing.
fn grades(collection: &Collection, query: &Query, urls: &[String]) -> Vec<u8> {
    let mut seen = HashSet::new();
    let grade = |url: &String| {
        let spot = collection.spot(url)?;
        let grade = query.grades.get(&spot).copied();
        grade.filter(|_| seen.insert(spot))
    };
    let grades = urls.iter().map(grade);
    grades.map(Option::unwrap_or_default).take(N_HITS).collect()
}

/// Berlin the city and Berlin the state are one.
fn is_same(read: PlaceId, meant: PlaceId) -> bool {
    let gazetteer = Gazetteer::built_in();
    let (a, b) = (gazetteer.place(read), gazetteer.place(meant));
    let holds = |outer: PlaceId, inner: PlaceId| gazetteer.chain(inner).any(|id| id == outer);
    let is_inside = holds(read, meant) || holds(meant, read);
    let has_same_people = a.population.abs_diff(b.population) < a.population.max(b.population) / 10;
    read == meant || a.name == b.name && is_inside && has_same_people
}

fn row<'s>(form: &'static str, queries: impl Iterator<Item = &'s Scored> + Clone) -> Row {
    let ndcg = |system: usize| queries.clone().map(|query| query.ndcg[system]).collect();
    let rank = |system: usize| queries.clone().map(|query| query.rank[system]).collect();
    let gain = |query: &Scored| query.ndcg[OURS] - query.ndcg[TEXT];
    Row {
        form,
        ndcg: [ndcg(0), ndcg(1), ndcg(2)],
        mrr: [rank(0), rank(1), rank(2)],
        gain: queries.clone().map(gain).collect(),
        place_right: Mean::of_true(queries.map(|query| query.is_right)),
    }
}
