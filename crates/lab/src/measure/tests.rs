use super::*;
use insta::assert_snapshot;
use store::visit::{EntityRecord, Errand, LinkRecord, Outcome, Time};

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
        self.target = Some(target);
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
        });
        self
    }
}

const HOUSTON: u32 = 4_699_066;
const BOISE: u32 = 5_586_437;

/// A general node and two geographic ones, for Houston and for Boise.
fn measure(visits: &[Visit]) -> Report {
    let share = |name: &str, general, targets: &[u32]| NodeShare {
        name: name.to_owned(),
        general,
        targets: targets.iter().copied().collect(),
    };
    let nodes = vec![
        share("Cn0", true, &[]),
        share("Cn1", false, &[HOUSTON]),
        share("Cn2", false, &[BOISE]),
    ];
    let mut measures = Measures::new(nodes, Centrality::default());
    for visit in visits {
        measures.add(visit);
    }
    measures.finish()
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
    // Of three geo pages by geographic nodes, two are in the node's own targets.
    assert_eq!(show(report.geo_focus), "0.6667");
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
    // Targets H H B B and one page without. Linked: 1-2 (same, in both
    // directions), 1-3 (not), 1-5 (no target). Unlinked: 1-4, 2-3, 2-4 (not), 3-4 (same).
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
    } = report.locality;
    assert_snapshot!(
        format!("{} of {n_linked}, {} of {n_unlinked}", show(linked), show(unlinked)),
        @"0.5000 of 2, 0.2500 of 4"
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
    assert_eq!(
        curve.last(),
        Some(&HarvestPoint {
            pages: 1037,
            geo_pages: 260
        })
    );
}

#[test]
fn a_node_nobody_announced_is_counted() {
    let report = measure(&[page("http://a.com/").by(4).with_address(1, HOUSTON)]);
    assert_eq!(report.nodes.len(), 5);
    assert_eq!(report.nodes[4].name, "node 4");
    assert_eq!(show(report.nodes[4].geo_focus), "0.0000");
}
