//! What every plug-in owes, whoever wrote it.

use crate::order::{Arrival, Judgement, Lesson, Sighting, Step};
use crate::roster::NodeId;
use crate::testing::Stage;
use crate::{assign, order};
use std::collections::HashSet;
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

const PAGES: [&str; 4] = [
    "<a href='/'></a>",
    "<p>Houston, TX, Dallas, Boston <a href='/boston'>Seattle</a> or Glendale",
    "<h1>New York</h1><a href='/'>x</a><p>New York, New York. Portland, Maine. LA, L.A., Texas",
    "<a href='http://houston.example/dallas-or-seattle'><img alt='Boston'></a>\u{301}St.",
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
fn every_strategy_says_of_itself_what_its_entry_says() {
    let stage = Stage::top100();
    for entry in assign::ALL {
        let strategy = stage.build(entry.name);
        assert_eq!(
            strategy.by_url_alone(),
            entry.by_url_alone,
            "{}",
            entry.name
        );
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
        let strategy = stage.build(entry.name);
        for page in PAGES {
            stage.with_page(page, |scene, link| {
                let view = strategy.view(scene);
                let all = view.assign_all(link);
                assert_eq!(all[0], view.assign(link), "`{}` on {page}", entry.name);
                let nodes: HashSet<NodeId> = all.iter().map(|given| given.node).collect();
                assert_eq!(nodes.len(), all.len(), "a node gets a link once");
                assert_eq!(view.mapped(), strategy.view(scene).mapped());
            });
        }
    }
}

#[test]
fn every_order_stays_between_zero_and_one_and_says_why() {
    let stage = Stage::top100();
    for entry in order::ALL {
        let order = stage.order(entry.name);
        for page in PAGES {
            stage.with_page(page, |scene, link| {
                let clues = order.eye.look(&scene, &[link]);
                assert_eq!(clues.len(), 1, "clues for every link");
                for distance in [0, 1, 7, u16::MAX] {
                    let url = link.url.fingerprint().short();
                    let sighting = Sighting::new(url, distance, &clues[0]);
                    if let Judgement::Follow(priority) = order.mind.judge(&sighting) {
                        assert!((0.0..=1.0).contains(&priority.value));
                        assert!(!priority.because.is_empty());
                    }
                }
            });
        }
    }
}

#[test]
fn every_order_that_learns_can_be_asked_what_it_knows() {
    let stage = Stage::top100();
    for entry in order::ALL {
        let mut order = stage.order(entry.name);
        let clues = stage.with_page(PAGES[1], |scene, link| order.eye.look(&scene, &[link]));
        let step = |clues| Step { distance: 1, clues };
        let trail: Vec<Step> = clues.into_iter().map(step).collect();
        order.mind.learn(&Lesson {
            trail: &trail,
            is_relevant: true,
        });
        order.mind.settle(&Arrival {
            node: NodeId(1),
            topicality: Some(0.25),
        });
        let saved = order.mind.save();
        assert_eq!(saved.is_some(), order.mind.memory() > 0, "{}", entry.name);
        if let Some(saved) = saved {
            let mut other = stage.order(entry.name);
            other.mind.restore(&saved).unwrap();
            assert_eq!(other.mind.save(), Some(saved), "{}", entry.name);
        }
        assert!(order.mind.restore(b"nonsense").is_err());
    }
}
