//! Bridges, tails, recall and the like, on paths that fit on paper.

use super::super::key_set::scatter;
use super::*;
use store::visit::Trail;

/// A page so many links after the last geo page and after its seed.
fn found(url: &str, from: &str, distance: u16, steps: u16) -> Visit {
    let from = (!from.is_empty()).then(|| address(from));
    let trail = Some(Trail {
        distance,
        steps,
        ..Trail::default()
    });
    Visit {
        from,
        trail,
        priority: 0.4,
        ..page(&address(url))
    }
}

fn address(name: &str) -> String {
    format!("http://a.com/{name}")
}

fn likely(priority: f32, visit: Visit) -> Visit {
    Visit { priority, ..visit }
}

/// Three seeds, `s`, `dry` and `geo0`, and what was found from the first:
///
/// ```text
/// s ─ geo1 ┬ b ─ c ┬ geo2
///          │       └ g
///          ├ f
///          ├ f2 ─ (redirect) ─ y
///          └ k ─ (gone)
/// ```
fn paths() -> Vec<Visit> {
    let redirect = Visit {
        outcome: Outcome::Redirected(address("y")),
        ..found("x", "f2", 2, 3)
    };
    let gone = Visit {
        outcome: Outcome::Status,
        ..found("l", "k", 2, 3)
    };
    vec![
        found("s", "", 0, 0),
        found("dry", "", 0, 0),
        likely(1.0, found("geo0", "", 0, 0)).with_address(3, HOUSTON),
        likely(0.9, found("geo1", "s", 1, 1)).with_address(1, HOUSTON),
        found("b", "geo1", 1, 2),
        likely(0.6, found("f", "geo1", 1, 2)),
        found("f2", "geo1", 1, 2),
        redirect,
        found("k", "geo1", 1, 2),
        gone,
        found("c", "b", 2, 3),
        likely(0.5, found("geo2", "c", 3, 4))
            .with_address(1, HOUSTON)
            .with_address(2, HOUSTON),
        found("y", "x", 3, 4),
        found("g", "c", 3, 4),
        // Found once more, by a longer path.
        found("geo1", "g", 4, 5).with_address(1, HOUSTON),
    ]
}

fn say(distances: Option<&Distances>) -> String {
    let Some(lengths) = distances else {
        return "none".to_owned();
    };
    let Distances {
        counts,
        more,
        median,
        p95,
        most,
        one_in,
    } = lengths;
    assert_eq!((*more, *one_in), (0, None));
    format!("{counts:?}, half {median}, 95 % {p95}, all {most}")
}

#[test]
fn geo_pages_lie_behind_bridges() {
    let report = measure(&paths());
    // Seeds have nothing before them: geo1 is linked, geo2 has two before it.
    assert_snapshot!(
        say(report.bridge_distances.as_ref()),
        @"[1, 0, 1], half 0, 95 % 2, all 2"
    );
    assert_eq!(report.over_bridges, Some(0.5));
    // geo0, geo1 and geo2.
    assert_snapshot!(
        say(report.seed_distances.as_ref()),
        @"[1, 1, 0, 0, 1], half 1, 95 % 4, all 4"
    );
}

#[test]
fn tails_end_where_nothing_was_fetched_from() {
    // `dry` at 0, `f` and `k` at 1, `y` at 3. `g` led to a page again.
    let report = measure(&paths());
    assert_snapshot!(
        say(report.tail_lengths.as_ref()),
        @"[1, 2, 0, 1], half 1, 95 % 3, all 3"
    );
    let mut before = paths();
    before.pop();
    assert_snapshot!(
        say(measure(&before).tail_lengths.as_ref()),
        @"[1, 2, 0, 2], half 1, 95 % 3, all 3"
    );
}

#[test]
fn accuracy_is_that_of_likely_links() {
    let report = measure(&paths());
    // Of geo0, geo1, f and geo2.
    assert_eq!(report.accuracy, Some(0.75));
    // Addresses 3, 1, 1, 2 and 1 again.
    assert_eq!(report.geographic_coverage, Some(0.6));
}

#[test]
fn recall_counts_a_page_once() {
    let settings = Settings {
        n_relevant: Some(4),
        n_reachable: Some(20),
        ..Settings::default()
    };
    let report = measure_with(settings, &paths());
    assert_eq!((report.pages, report.geo_pages), (13, 4));
    assert_eq!(report.recall, Some(0.75));
    let at = report.recall_at.iter();
    let at: Vec<_> = at.map(|at| (at.share, at.pages, at.recall)).collect();
    assert_eq!(
        at,
        [
            (0.05, 1, 0.0),
            (0.1, 2, 0.0),
            (0.2, 4, 0.5),
            (0.5, 10, 0.75)
        ]
    );
    let recalls = report.harvest_curve.iter().map(|point| point.recall);
    let recalls: Vec<f64> = recalls.flatten().collect();
    assert_eq!(recalls[..5], [0.0, 0.0, 0.25, 0.5, 0.5]);
    assert_eq!(recalls[9..], [0.75; 4]);
}

#[test]
fn moments_that_the_crawl_did_not_get_to_have_no_recall() {
    let settings = |n_relevant, n_reachable| Settings {
        n_relevant,
        n_reachable,
        ..Settings::default()
    };
    let report = measure_with(settings(Some(4), Some(100)), &paths());
    let shares = report.recall_at.iter().map(|at| at.share);
    assert_eq!(shares.collect::<Vec<_>>(), [0.05, 0.1]);
    // Nothing to be found, or nobody knows.
    for n_relevant in [Some(0), None] {
        let report = measure_with(settings(n_relevant, Some(100)), &paths());
        assert_eq!((report.recall, report.recall_at), (None, vec![]));
        assert!(report.harvest_curve.iter().all(|at| at.recall.is_none()));
    }
}

#[test]
fn a_log_without_trails_has_no_paths() {
    let trackless = |visit: Visit| Visit {
        trail: None,
        ..visit
    };
    let visits: Vec<Visit> = paths().into_iter().map(trackless).collect();
    let report = measure(&visits);
    assert_eq!(report.bridge_distances, None);
    assert_eq!(report.tail_lengths, None);
    assert_eq!(report.seed_distances, None);
    assert_eq!((report.over_bridges, report.accuracy), (None, None));
    // The rest needs none.
    assert_eq!(report.harvest_rate, Some(4.0 / 13.0));
}

#[test]
fn reports_from_before_can_be_read() {
    let mut object = serde_json::to_value(measure(&paths())).unwrap();
    let fields = object.as_object_mut().unwrap();
    for name in [
        "geographic_coverage",
        "accuracy",
        "bridge_distances",
        "over_bridges",
        "tail_lengths",
        "seed_distances",
        "recall",
        "recall_at",
    ] {
        assert!(fields.remove(name).is_some(), "{name}");
    }
    let points = fields["harvest_curve"].as_array_mut().unwrap();
    for point in points {
        assert!(point.as_object_mut().unwrap().remove("rate").is_some());
    }
    let report: Report = serde_json::from_value(object).unwrap();
    assert_eq!(report.tail_lengths, None);
    assert_eq!(report.harvest_curve[0].rate, None);
}

#[test]
fn windows_add_up_to_the_whole() {
    for n_pages in [1, 2, 99, 100, 101, 250, 1037, 3200] {
        let visits: Vec<Visit> = (0..n_pages)
            .map(|n| match scatter(n) % 5 {
                0 => page(&address(&n.to_string())).with_address(n, HOUSTON),
                _ => page(&address(&n.to_string())),
            })
            .collect();
        let (mut pages, mut geo_pages) = (0, 0.0);
        for point in measure(&visits).harvest_curve {
            geo_pages += point.rate.unwrap() * (point.pages - pages) as f64;
            pages = point.pages;
            assert!((geo_pages - point.geo_pages as f64).abs() < 1e-6);
        }
        assert_eq!(pages, n_pages);
    }
}

/// A made-up tree of pages: each found on an earlier one, geo pages rare.
fn tree(seed: u64, n_pages: u64) -> Vec<Visit> {
    let dice = |page: u64, nth: u64| scatter(seed ^ scatter(page * 10 + nth));
    let mut trails: Vec<(u16, u16)> = Vec::new();
    let mut visits = Vec::new();
    for number in 0..n_pages {
        let name = number.to_string();
        let is_geo = dice(number, 1).is_multiple_of(6);
        let visit = match number {
            0..10 => found(&name, "", 0, 0),
            _ => {
                let from = dice(number, 2) % number;
                let (distance, steps) = trails[from as usize];
                found(&name, &from.to_string(), distance + 1, steps + 1)
            }
        };
        let trail = visit.trail.clone().unwrap();
        // What is found from a geo page is one link away.
        trails.push((if is_geo { 0 } else { trail.distance }, trail.steps));
        visits.push(match is_geo {
            true => visit.with_address(number, HOUSTON),
            false => visit,
        });
    }
    visits
}

fn tails(most_pages: usize, visits: &[Visit]) -> Distances {
    let settings = Settings {
        exact_pages: 0,
        sample_pages: most_pages,
        ..Settings::default()
    };
    measure_with(settings, visits).tail_lengths.unwrap()
}

#[test]
fn tails_of_drawn_pages_are_like_all_tails() {
    let n_pages = 20_000;
    for seed in 0..4 {
        let log = tree(seed, n_pages);
        let exact = tails(n_pages as usize, &log);
        let drawn = tails(3000, &log);
        assert_eq!((exact.one_in, drawn.one_in), (None, Some(8)));
        let share = |tails: &Distances, length: usize| {
            let n = tails.counts.get(length).copied().unwrap_or(0);
            n as f64 / tails.total() as f64
        };
        assert!(drawn.total() > 1000, "{drawn:?}");
        for length in 0..exact.counts.len() {
            let (all, some) = (share(&exact, length), share(&drawn, length));
            // Four standard errors.
            let most = 4.0 * (all * (1.0 - all) / drawn.total() as f64).sqrt();
            assert!(
                (all - some).abs() <= most.max(0.004),
                "{length}: {all} {some}"
            );
        }
    }
}

#[test]
fn tails_do_not_depend_on_what_was_recorded_first() {
    let mut log = tree(9, 5000);
    let forward = tails(700, &log);
    log.reverse();
    assert_eq!(tails(700, &log), forward);
}
