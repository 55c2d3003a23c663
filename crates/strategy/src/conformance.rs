//! What every plug-in owes, whoever wrote it.

use crate::testing::Stage;
use crate::{assign, order};
use std::path::Path;

const HEADINGS: [&str; 5] = [
    "*Idea*",
    "*Evidence*",
    "*Wins when*",
    "*Loses when*",
    "*Source*",
];

const URLS: [&str; 4] = [
    "http://www.houston.example.com/",
    "http://example.org/a/b?c=d",
    "http://192.0.2.1/",
    "https://xn--mnchen-3ya.example/new-york/glendale",
];

fn files_in(folder: &str) -> usize {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("src")
        .join(folder);
    std::fs::read_dir(folder)
        .expect("the folder of a plug-in kind")
        .count()
}

#[test]
fn every_file_is_registered_and_has_its_headings() {
    assert_eq!(files_in("assign"), assign::ALL.len());
    assert_eq!(files_in("order"), order::ALL.len());
    let assigns = assign::ALL.iter().map(|entry| (entry.name, entry.source));
    let orders = order::ALL.iter().map(|entry| (entry.name, entry.source));
    for (name, source) in assigns.chain(orders) {
        for heading in HEADINGS {
            assert!(
                source.contains(heading),
                "`{name}` lacks the heading {heading}"
            );
        }
    }
}

#[test]
fn every_strategy_answers_within_the_roster_says_why_and_repeats_itself() {
    let stage = Stage::top100();
    for entry in assign::ALL {
        for url in URLS {
            let assignment = stage.assign(entry.name, url);
            assert!(usize::from(assignment.node.0) < stage.roster.seats().len());
            assert!(!assignment.because.is_empty());
            assert_eq!(assignment, stage.assign(entry.name, url));
        }
    }
}

#[test]
fn every_order_stays_between_zero_and_one_and_says_why() {
    let stage = Stage::top100();
    for entry in order::ALL {
        let order = (entry.build)();
        for url in URLS {
            let priority = stage.with_link(url, |scene, link| order.order(scene, link));
            assert!((0.0..=1.0).contains(&priority.value));
            assert!(!priority.because.is_empty());
        }
    }
}
