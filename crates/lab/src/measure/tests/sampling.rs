//! What is estimated is near what is exact, on logs small enough for both.

use super::super::key_set::scatter;
use super::*;

/// A made-up crawl: pages of towns that link mostly within their town, often
/// back, some of them downloaded twice.
fn log(seed: u64, n_pages: u64) -> Vec<Visit> {
    let dice = |page: u64, nth: u64| scatter(seed ^ scatter(page * 1000 + nth));
    let url = |page: u64| format!("http://town{}.com/{page}", page % 40);
    let visit = |(seq, number): (u64, u64)| {
        let town = number % 40;
        let mut visit = page(&url(number)).by((town % 3) as u16);
        visit.seq = seq;
        if dice(number, 1) % 3 > 0 {
            visit = visit.about(if town < 25 { HOUSTON } else { BOISE });
        }
        if dice(number, 2).is_multiple_of(8 + town) {
            visit = visit.with_address(dice(number, 3), HOUSTON);
        }
        let n_links = 3 + dice(number, 4) % 12;
        for nth in 0..n_links {
            let to = match dice(number, 100 + nth) % 10 {
                // Outside the crawl.
                0..=2 => n_pages + number,
                3..=4 => dice(number, 200 + nth) % n_pages,
                // The next page of the town links back like this.
                5 => (number + n_pages - 40) % n_pages,
                6 => (number + 40) % n_pages,
                _ => (dice(number, 300 + nth) % (n_pages / 40)) * 40 + town,
            };
            visit = visit.linking(&url(to), (to % 3) as u16);
        }
        visit
    };
    let repeats = (0..n_pages).filter(|number| dice(*number, 5).is_multiple_of(20));
    (0..).zip((0..n_pages).chain(repeats)).map(visit).collect()
}

fn settings(exact_pages: usize, sample_pages: usize, k: u32) -> Settings {
    Settings {
        centrality: Centrality {
            max_distance: k,
            damping: 10,
        },
        exact_pages,
        sample_pages,
        ..Settings::default()
    }
}

fn close(a: Option<f64>, b: Option<f64>) -> bool {
    (a.unwrap() - b.unwrap()).abs() < 1e-9
}

#[test]
fn a_sample_of_everything_is_exact() {
    let log = log(7, 2000);
    for k in 0..=3 {
        let exact = measure_with(settings(1_000_000, 1, k), &log);
        let sampled = measure_with(settings(0, 1_000_000, k), &log);
        assert_eq!(exact.sampled, None);
        assert_eq!(sampled.sampled.map(|n| n.centrality_pages), Some(2000));
        assert!(close(exact.geo_centrality, sampled.geo_centrality), "{k}");
        for (exact, sampled) in exact.nodes.iter().zip(&sampled.nodes) {
            assert!(close(exact.geo_centrality, sampled.geo_centrality), "{k}");
        }
        assert!(close(sampled.geo_centrality_error, Some(0.0)));
        assert_eq!(exact.locality.n_linked, sampled.locality.n_linked);
        assert!(close(exact.locality.linked, sampled.locality.linked));
        assert!(close(exact.locality.unlinked, sampled.locality.unlinked));
    }
}

#[test]
fn status_locality_is_the_same_from_a_graph_and_from_the_log() {
    for seed in 0..3 {
        let log = log(seed, 1500);
        let held = measure_with(settings(1_000_000, 700, 2), &log);
        let read = measure_with(settings(0, 700, 2), &log);
        let held = held.status_locality.unwrap();
        assert_eq!(Some(&held), read.status_locality.as_ref());
        assert!(held.anywhere[0].pairs > 690, "{held:?}");
        // Towns link within and across, and to themselves more than thrice.
        assert!(
            held.across.iter().all(|pairs| pairs.pairs > 100),
            "{held:?}"
        );
        assert!(
            held.within.iter().all(|pairs| pairs.pairs > 100),
            "{held:?}"
        );
    }
}

/// How many errors an estimate is off.
fn off(exact: Option<f64>, estimate: Option<f64>, error: Option<f64>) -> f64 {
    (estimate.unwrap() - exact.unwrap()).abs() / error.unwrap()
}

#[test]
fn estimates_are_off_as_much_as_their_errors_say() {
    let mut all = Vec::new();
    for seed in 0..12 {
        let log = log(seed, 4000);
        let exact = measure_with(settings(1_000_000, 1, 2), &log);
        let sampled = measure_with(settings(0, 400, 2), &log);
        let error = sampled.geo_centrality_error;
        all.push(off(exact.geo_centrality, sampled.geo_centrality, error));
        let (exact, sampled) = (exact.locality, sampled.locality);
        all.push(off(exact.linked, sampled.linked, sampled.linked_error));
        all.push(off(
            exact.unlinked,
            sampled.unlinked,
            sampled.unlinked_error,
        ));
        // Errors are small enough to tell one strategy from another.
        assert!(error.unwrap() < 0.1 * sampled.linked.unwrap());
        assert!(sampled.linked_error.unwrap() < 0.05 * sampled.linked.unwrap());
    }
    // Normally two in three are within one error and nineteen in twenty within two.
    let within = |errors: f64| all.iter().filter(|off| **off <= errors).count();
    assert!(all.iter().all(|off| *off < 4.0), "{all:?}");
    assert!(within(2.0) * 100 >= all.len() * 85, "{all:?}");
    assert!(within(1.0) * 100 <= all.len() * 85, "{all:?}");
}

#[test]
fn the_same_log_gives_the_same_report() {
    let log = log(3, 3000);
    let report = || measure_with(settings(0, 200, 2), &log);
    assert_eq!(report(), report());
}

#[test]
fn a_crawl_that_goes_on_meanwhile_is_measured_as_it_was() {
    let log = log(5, 3000);
    let (before, _) = log.split_at(2000);
    let mut n_passes = 0;
    let open = || {
        n_passes += 1;
        let end = if n_passes == 1 { 2000 } else { log.len() };
        Ok::<_, std::convert::Infallible>(log[..end].iter().cloned())
    };
    let grown =
        super::super::measure(shares(), settings(0, 200, 2), Witness::default(), open).unwrap();
    assert_eq!(grown, measure_with(settings(0, 200, 2), before));
    assert_eq!(n_passes, 4);
}
