mod best_first;
mod sampling;
mod status;
mod worth;

use super::*;
use insta::assert_snapshot;
use store::visit::{Earlier, EntityRecord, Errand, LinkRecord, Outcome, Time};

fn fingerprint(url: &str) -> u64 {
    keys_of(url).0
}

/// A page of node 0 without anything on it.
fn page(url: &str) -> Visit {
    Visit::new(0, Errand::Page, Time(0), url, Outcome::Fetched)
}

trait Building {
    fn by(self, node: u16) -> Self;
    fn about(self, target: u32) -> Self;
    fn with_address(self, key: u64, target: u32) -> Self;
    fn linking(self, url: &str, node: u16) -> Self;
}

impl Building for Visit {
    fn by(mut self, node: u16) -> Visit {
        self.node = node;
        self
    }
    fn about(mut self, target: u32) -> Visit {
        self.mapped = Some(target);
        self
    }
    fn with_address(mut self, key: u64, target: u32) -> Visit {
        self.entities.push(EntityRecord {
            key,
            target,
            text: String::new(),
        });
        self
    }
    fn linking(mut self, url: &str, node: u16) -> Visit {
        self.links.push(LinkRecord {
            url: fingerprint(url),
            node,
            refused: None,
            is_cold: false,
        });
        self
    }
}

const HOUSTON: u32 = 4_699_066;
const BOISE: u32 = 5_586_437;

/// A general node and two geographic ones, for Houston and for Boise.
fn measure(visits: &[Visit]) -> Report {
    measure_with(Settings::default(), visits)
}

fn measure_with(settings: Settings, visits: &[Visit]) -> Report {
    let open = || Ok::<_, std::convert::Infallible>(visits.iter().cloned());
    super::measure(shares(), settings, Witness::default(), open).unwrap()
}

fn shares() -> Vec<NodeShare> {
    let share = |name: &str, general, targets: &[u32]| NodeShare {
        name: name.to_owned(),
        general,
        targets: targets.iter().copied().collect(),
        sought: targets.iter().copied().collect(),
    };
    vec![
        share("Cn0", true, &[]),
        share("Cn1", false, &[HOUSTON]),
        share("Cn2", false, &[BOISE]),
    ]
}

fn show(value: Option<f64>) -> String {
    value.map_or("none".to_owned(), |value| format!("{value:.4}"))
}

#[test]
fn only_downloaded_pages_count() {
    let robots = Visit {
        errand: Errand::Robots,
        ..page("http://a.com/robots.txt")
    };
    let gone = Visit {
        outcome: Outcome::Status,
        ..page("http://a.com/gone")
    };
    let report = measure(&[robots, gone, page("http://a.com/")]);
    assert_eq!((report.pages, report.distinct_pages), (1, 1));
}

#[test]
fn nothing_downloaded_leaves_measures_undefined() {
    let report = measure(&[]);
    let json = serde_json::to_string(&report).unwrap();
    assert!(json.contains("\"geo_coverage\":null"), "{json}");
    assert!(json.contains("\"geo_centrality\":null"), "{json}");
    assert!(json.contains("\"linked\":null"), "{json}");
    assert!(!json.contains("NaN"), "{json}");
}

#[test]
fn coverage_overall_without_general_and_per_node() {
    let report = measure(&[
        page("http://a.com/1"),
        page("http://a.com/2"),
        page("http://a.com/3").with_address(1, HOUSTON),
        page("http://a.com/4").by(1).with_address(1, HOUSTON),
        page("http://a.com/5").by(1),
        page("http://a.com/6").by(2).with_address(2, HOUSTON),
    ]);
    assert_eq!(show(report.geo_coverage), "0.5000");
    assert_eq!(show(report.harvest_rate), "0.5000");
    // Two geo pages of three by the geographic nodes.
    assert_eq!(show(report.geo_coverage_without_general), "0.6667");
    let per_node: Vec<String> = report
        .nodes
        .iter()
        .map(|node| show(node.geo_coverage))
        .collect();
    assert_eq!(per_node, ["0.3333", "0.5000", "1.0000"]);
}

#[test]
fn focus_asks_for_own_targets() {
    let report = measure(&[
        page("http://a.com/0").with_address(1, HOUSTON),
        page("http://a.com/1")
            .by(1)
            .with_address(1, HOUSTON)
            .with_address(2, BOISE),
        page("http://a.com/2").by(1).with_address(2, BOISE),
        page("http://a.com/3").by(1),
        page("http://a.com/4").by(2).with_address(2, BOISE),
    ]);
    // The mean of a half and a whole.
    assert_eq!(show(report.geo_focus), "0.7500");
    let per_node: Vec<String> = report
        .nodes
        .iter()
        .map(|node| show(node.geo_focus))
        .collect();
    assert_eq!(per_node, ["none", "0.5000", "1.0000"]);
}

#[test]
fn entities_are_unique_per_node_and_overall() {
    let report = measure(&[
        page("http://a.com/1")
            .by(1)
            .with_address(1, HOUSTON)
            .with_address(2, HOUSTON),
        page("http://a.com/2").by(1).with_address(1, HOUSTON),
        page("http://a.com/3").by(2).with_address(1, HOUSTON),
    ]);
    assert_eq!(show(report.unique_entities), "0.5000");
    let per_node: Vec<String> = report
        .nodes
        .iter()
        .map(|node| show(node.unique_entities))
        .collect();
    assert_eq!(per_node, ["none", "0.6667", "1.0000"]);
}

/// The example of the paper: a geo root, three geo pages one link away and
/// four two links away.
fn paper_example() -> Vec<Visit> {
    let root = page("http://a.com/")
        .linking("http://a.com/1", 0)
        .linking("http://a.com/2", 0)
        .linking("http://a.com/3", 0)
        .linking("http://a.com/3", 0);
    let near = page("http://a.com/1")
        .linking("http://a.com/", 0)
        .linking("http://a.com/4", 0)
        .linking("http://a.com/5", 0)
        .linking("http://a.com/6", 0)
        .linking("http://a.com/7", 0);
    let mut visits = vec![root, near];
    visits.extend((2..=7).map(|n| page(&format!("http://a.com/{n}"))));
    visits
        .into_iter()
        .map(|visit| visit.with_address(1, HOUSTON))
        .collect()
}

#[test]
fn root_of_the_papers_example_has_centrality_1_34() {
    // The root 1.34, page 1: itself, root and four leaves at one link, pages 2
    // and 3 over the root at two: 1.52. Six leaves: 1 each. The mean of eight.
    let all = measure(&paper_example());
    assert_eq!(
        show(all.geo_centrality),
        show(Some((1.34 + 1.52 + 6.0) / 8.0))
    );
    // Without the link back up, page 1 has 1.4; the root's share stands out by
    // taking it away.
    let mut one_way = paper_example();
    one_way[1].links.remove(0);
    assert_eq!(
        show(measure(&one_way).geo_centrality),
        show(Some((1.34 + 1.4 + 6.0) / 8.0))
    );
    // A crawl in which only the root is left has its own weight alone.
    assert_eq!(
        show(measure(&paper_example()[..1]).geo_centrality),
        "1.0000"
    );
}

#[test]
fn centrality_counts_pages_that_are_not_geo_themselves() {
    let report = measure(&[
        page("http://a.com/1").linking("http://a.com/2", 0),
        page("http://a.com/2").linking("http://a.com/3", 0),
        page("http://a.com/3").with_address(1, HOUSTON),
    ]);
    // 0.01 + 0.1 + 1 over three pages.
    assert_eq!(show(report.geo_centrality), "0.3700");
}

#[test]
fn overlap_and_diversity() {
    let report = measure(&[
        page("http://www.a.com/"),
        page("http://shop.a.com/").by(1),
        page("http://b.co.uk/").by(1),
        page("http://b.co.uk/").by(2),
    ]);
    assert_eq!(show(report.overlap), "0.2500");
    assert_eq!(show(report.diversity), "0.5000");
}

#[test]
fn links_given_to_other_nodes_are_overhead() {
    let report = measure(&[
        page("http://a.com/1")
            .by(1)
            .linking("http://b.com/", 0)
            .linking("http://c.com/", 1),
        page("http://a.com/2")
            .by(0)
            .linking("http://b.com/", 1)
            .linking("http://c.com/", 2),
    ]);
    assert_eq!(show(report.communication_overhead), "1.5000");
    assert_eq!(report.nodes[1].handed_over, 1);
}

#[test]
fn locality_compares_linked_with_unlinked_pairs() {
    // Targets H H B B and one page without, which is like no other. Linked: 1-2 (same, in both
    // directions), 1-3, 1-5 (not). Unlinked: seven, of which 3-4 (same).
    let report = measure(&[
        page("http://a.com/1")
            .about(HOUSTON)
            .linking("http://a.com/2", 0)
            .linking("http://a.com/3", 0)
            .linking("http://a.com/5", 0)
            .linking("http://a.com/never-fetched", 0),
        page("http://a.com/2")
            .about(HOUSTON)
            .linking("http://a.com/1", 0),
        page("http://a.com/3").about(BOISE),
        page("http://a.com/4").about(BOISE),
        page("http://a.com/5"),
    ]);
    let Locality {
        linked,
        unlinked,
        n_linked,
        n_unlinked,
        ..
    } = report.locality;
    assert_snapshot!(
        format!("{} of {n_linked}, {} of {n_unlinked}", show(linked), show(unlinked)),
        @"0.3333 of 3, 0.1429 of 7"
    );
}

#[test]
fn harvest_curve_stays_short_and_ends_at_the_end() {
    let visits: Vec<Visit> = (0..1037)
        .map(|n| match n % 4 {
            0 => page(&format!("http://a.com/{n}")).with_address(n, HOUSTON),
            _ => page(&format!("http://a.com/{n}")),
        })
        .collect();
    let curve = measure(&visits).harvest_curve;
    assert!((40..=100).contains(&curve.len()), "{} points", curve.len());
    assert!(curve.is_sorted_by_key(|point| point.pages));
    let last = curve.last().unwrap();
    assert_eq!((last.pages, last.geo_pages, last.ms), (1037, 260, 0));
}

#[test]
fn a_node_nobody_announced_is_counted() {
    let report = measure(&[page("http://a.com/").by(4).with_address(1, HOUSTON)]);
    assert_eq!(report.nodes.len(), 5);
    assert_eq!(report.nodes[4].name, "node 4");
    assert_eq!(show(report.nodes[4].geo_focus), "0.0000");
}

#[test]
fn hand_overs_are_counted_from_node_to_node() {
    let redirect = Visit {
        outcome: Outcome::Redirected("http://c.com/".to_owned()),
        ..page("http://r.com/").by(2).linking("http://c.com/", 0)
    };
    let report = measure(&[
        page("http://a.com/1")
            .by(1)
            .linking("http://b.com/", 0)
            .linking("http://c.com/", 1)
            .linking("http://d.com/", 2),
        page("http://a.com/2").by(1).linking("http://e.com/", 2),
        redirect,
    ]);
    assert_eq!(report.hand_overs, [[0, 0, 0], [1, 0, 2], [1, 0, 0]]);
    // A redirect is no page, but its link went from node to node like any other.
    assert_eq!(show(report.communication_overhead), "2.0000");
    let given_and_got: Vec<(u64, u64)> = report
        .nodes
        .iter()
        .map(|node| (node.handed_over, node.received))
        .collect();
    assert_eq!(given_and_got, [(0, 2), (3, 0), (1, 2)]);
    assert_eq!(show(report.nodes[1].communication_overhead), "1.5000");
}

#[test]
fn links_that_were_refused_are_handed_to_nobody() {
    let mut visit = page("http://a.com/1").linking("http://b.com/", 2);
    visit.links[0].refused = Some(store::visit::Refusal::TooDeep);
    assert_eq!(measure(&[visit]).costs.hand_overs, 0);
}

#[test]
fn one_node_for_a_link_is_cheaper_than_every_node_if_downloads_cost_more() {
    // A page about both cities with ten links. Policy A gives each link to
    // one node; B gives each to both, and both download it.
    let pages = |nodes: &[u16]| {
        let links = (0..10).flat_map(|nth| nodes.iter().map(move |node| (nth, *node)));
        let mut hub = page("http://hub.com/").by(1);
        for (nth, node) in links.clone() {
            hub = hub.linking(&format!("http://a.com/{nth}"), node);
        }
        let others = links.map(|(nth, node)| page(&format!("http://a.com/{nth}")).by(node));
        std::iter::once(hub).chain(others).collect::<Vec<_>>()
    };
    let [a, b] = [measure(&pages(&[2])).costs, measure(&pages(&[1, 2])).costs];
    assert_eq!((a.downloads, a.hand_overs), (11, 10));
    assert_eq!((b.downloads, b.hand_overs), (21, 10));
    // At most b + l(c + b) for A with l = 10; at least l·m·b for B with m = 2.
    let (download, hand_over) = (1.0, 0.9);
    assert!(a.total(download, hand_over) <= download + 10.0 * (hand_over + download));
    assert!(b.total(download, hand_over) >= 20.0 * download);
    assert!(a.total(download, hand_over) < b.total(download, hand_over));
}

#[test]
fn targets_are_counted_one_by_one() {
    let report = measure(&[
        page("http://a.com/1")
            .with_address(1, HOUSTON)
            .with_address(2, HOUSTON),
        page("http://a.com/2").with_address(1, HOUSTON),
    ]);
    let counts = report.targets.iter().map(|target| {
        let found = (target.geo_pages, target.entities, target.distinct_entities);
        (target.geonameid, found)
    });
    assert_eq!(
        counts.collect::<Vec<_>>(),
        [(HOUSTON, (2, 3, 2)), (BOISE, (0, 0, 0))]
    );
}

#[test]
fn the_harvest_goes_by_time_too_and_by_node() {
    let at = |visit: Visit, seconds: u64| Visit {
        at: Time(1_000_000 + seconds * 1000),
        ..visit
    };
    let report = measure(&[
        at(page("http://a.com/1"), 0),
        at(page("http://a.com/2").by(1).with_address(1, HOUSTON), 5),
        // Sent before the one above and landed after it.
        at(page("http://a.com/3"), 2),
    ]);
    let ms = |points: &[HarvestPoint]| points.iter().map(|point| point.ms).collect::<Vec<_>>();
    assert_eq!(ms(&report.harvest_curve), [0, 5000, 5000]);
    assert_eq!(ms(&report.nodes[0].harvest_curve), [0, 2000]);
    assert_eq!(report.nodes[1].harvest_curve[0].geo_pages, 1);
}

#[test]
fn centrality_of_nodes_is_that_of_their_pages() {
    let mut visits = paper_example();
    visits[0].node = 1;
    let report = measure(&visits);
    assert_eq!(show(report.nodes[1].geo_centrality), "1.3400");
    assert_eq!(show(report.nodes[0].geo_centrality), show(Some(7.52 / 7.0)));
    assert_eq!(show(report.nodes[2].geo_centrality), "none");
}

#[test]
fn distance_and_damping_of_centrality_can_be_set() {
    let with = |max_distance, damping| {
        let centrality = Centrality {
            max_distance,
            damping,
        };
        let settings = Settings {
            centrality,
            ..Settings::default()
        };
        let mut visits = paper_example();
        visits[0].node = 1;
        show(measure_with(settings, &visits).nodes[1].geo_centrality)
    };
    assert_eq!(
        [with(0, 10), with(1, 10), with(2, 10), with(2, 2)],
        ["1.0000", "1.3000", "1.3400", "3.5000"]
    );
}

#[test]
fn a_page_that_had_changed_is_one_page_as_it_was_the_last_time() {
    let log = |visits: &[Visit]| -> Vec<Visit> {
        let numbered = (0..).zip(visits.iter().cloned());
        numbered
            .map(|(seq, visit)| Visit { seq, ..visit })
            .collect()
    };
    let [steady, gone, new] = ["http://a.com/1", "http://a.com/2", "http://b.com/"].map(page);
    let again = |url: &str, seq, is_geo| Visit {
        earlier: Some(Earlier { seq, is_geo }),
        ..page(url)
    };
    let twice = measure(&log(&[
        steady.clone().with_address(1, HOUSTON),
        gone.clone()
            .with_address(2, HOUSTON)
            .linking("http://a.com/1", 0),
        new.clone(),
        again("http://a.com/1", 0, true).with_address(1, HOUSTON),
        again("http://a.com/2", 1, true),
        again("http://b.com/", 2, false).with_address(3, BOISE),
        again("http://b.com/", 5, true).with_address(4, BOISE),
    ]));
    let once = measure(&log(&[
        steady.with_address(1, HOUSTON),
        gone,
        new.with_address(4, BOISE),
    ]));
    assert_eq!((twice.pages, twice.geo_pages, twice.entities), (3, 2, 2));
    assert_eq!(twice.overlap, Some(0.0));
    let shown = |report: &Report| {
        let mut shown = serde_json::to_value(report).unwrap();
        // Times and paths are those of what happened.
        for part in [
            "harvest_curve",
            "nodes",
            "seed_distances",
            "bridge_distances",
        ] {
            shown.as_object_mut().unwrap().remove(part);
        }
        shown
    };
    assert_eq!(shown(&twice), shown(&once));
}
