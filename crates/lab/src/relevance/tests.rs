use super::query::{Form, queries};
use super::*;

/// A small web with many pages about few cities.
fn small(pages: u64, n: usize) -> Settings {
    let world = "n_sites = 3000\nlocal_sites = 500\ngerman_local_sites = 300\nmin_population = 60000\n\
        german_min_population = 150000\nmax_pages = 60\n";
    Settings {
        world: WorldSettings::from_toml(world).unwrap(),
        places: PLACES.map(str::to_owned).to_vec(),
        pages,
        queries: n,
    }
}

#[test]
fn every_form_of_query_occurs_and_can_be_answered() {
    let dir = tempfile::tempdir().unwrap();
    let collection = Collection::make(&small(1_500, 0), dir.path()).unwrap();
    let queries = queries(&collection, 70, 1);
    for form in Form::ALL {
        let mut of_form = queries.iter().filter(|query| query.form == form);
        assert!(of_form.next().is_some(), "{form:?}");
    }
    for query in &queries {
        let best = query.grades.values().max();
        assert!(best >= Some(&score::ANSWERS), "{}", query.text);
    }
}

#[test]
fn places_make_answers_better() {
    let dir = tempfile::tempdir().unwrap();
    let relevance = measure(&small(300, 60), dir.path(), None).unwrap();
    let all = relevance.rows.last().unwrap();
    assert!(all.gain.n >= 20, "{all:?}");
    assert!(all.gain.mean >= 0.0, "{all:?}");
}
