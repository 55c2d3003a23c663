//! What the 2006 paper found, to be put beside one's own crawls.
//!
//! *Geographically Focused Collaborative Crawling* (Gao, Lee, Miao, WWW
//! 2006): 12.8 million pages per strategy within two weeks, the hundred
//! cities of `us-top100` over six nodes. A share is a number from 0 to 1.

/// The published figures of one strategy.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Published {
    /// The name of the strategy in this program.
    pub assign: &'static str,
    /// Geo pages ÷ pages.
    pub geo_coverage: f64,
    /// The same for all nodes but the general one.
    pub geo_coverage_without_general: f64,
    /// Geo pages of a node's own targets ÷ its geo pages.
    pub geo_focus: Option<f64>,
    /// Different addresses ÷ addresses.
    pub unique_entities: f64,
    /// Mean geo-centrality.
    pub geo_centrality: f64,
    /// Repeated downloads ÷ pages.
    pub overlap: f64,
    /// Registrable domains ÷ pages.
    pub diversity: f64,
    /// Links handed over ÷ pages.
    pub communication_overhead: f64,
    /// Geo-coverage of Cn0 to Cn5.
    pub node_coverage: [f64; 6],
    /// Geo-focus of Cn1 to Cn5.
    pub node_focus: Option<[f64; 5]>,
    /// Locality: δ and δ̃.
    pub locality: Option<(f64, f64)>,
}

/// Pages of each of the paper's crawls.
pub const PAGES: u64 = 12_800_000;

/// Every strategy of the paper, in its order.
pub const ALL: [Published; 6] = [
    Published {
        assign: "hash",
        geo_coverage: 0.0086,
        geo_coverage_without_general: 0.0086,
        geo_focus: None,
        unique_entities: 0.35,
        geo_centrality: 0.0222,
        overlap: 0.0,
        diversity: 0.0814,
        communication_overhead: 13.89,
        node_coverage: [0.0115, 0.0080, 0.0077, 0.0075, 0.0082, 0.0086],
        node_focus: None,
        locality: None,
    },
    Published {
        assign: "url",
        geo_coverage: 0.0725,
        geo_coverage_without_general: 0.0863,
        geo_focus: Some(0.911),
        unique_entities: 0.18,
        geo_centrality: 0.1754,
        overlap: 0.0,
        diversity: 0.0405,
        communication_overhead: 25.72,
        node_coverage: [0.0304, 0.0739, 0.0989, 0.0937, 0.0730, 0.1310],
        node_focus: Some([0.917, 0.890, 0.828, 0.943, 0.976]),
        locality: Some((0.41559, 0.02582)),
    },
    Published {
        assign: "anchor",
        geo_coverage: 0.0788,
        geo_coverage_without_general: 0.0858,
        geo_focus: Some(0.842),
        unique_entities: 0.16,
        geo_centrality: 0.1519,
        overlap: 0.0846,
        diversity: 0.0674,
        communication_overhead: 61.87,
        node_coverage: [0.0529, 0.0673, 0.0978, 0.0999, 0.0601, 0.1224],
        node_focus: Some([0.820, 0.905, 0.796, 0.768, 0.923]),
        locality: None,
    },
    Published {
        assign: "content",
        geo_coverage: 0.0489,
        geo_coverage_without_general: 0.0571,
        geo_focus: Some(0.752),
        unique_entities: 0.19,
        geo_centrality: 0.0994,
        overlap: 0.1732,
        diversity: 0.0688,
        communication_overhead: 46.69,
        node_coverage: [0.0111, 0.0392, 0.0579, 0.0687, 0.0324, 0.0851],
        node_focus: Some([0.752, 0.774, 0.751, 0.635, 0.849]),
        locality: Some((0.26325, 0.01157)),
    },
    Published {
        assign: "classifier",
        geo_coverage: 0.0109,
        geo_coverage_without_general: 0.0121,
        geo_focus: Some(0.221),
        unique_entities: 0.26,
        geo_centrality: 0.0273,
        overlap: 0.3460,
        diversity: 0.0564,
        communication_overhead: 58.38,
        node_coverage: [0.0049, 0.0123, 0.0120, 0.0127, 0.0122, 0.0110],
        node_focus: Some([0.435, 0.326, 0.055, 0.258, 0.029]),
        locality: Some((0.044495, 0.008923)),
    },
    Published {
        assign: "ip",
        geo_coverage: 0.0171,
        geo_coverage_without_general: 0.0220,
        geo_focus: Some(0.518),
        unique_entities: 0.27,
        geo_centrality: 0.0380,
        overlap: 0.0,
        diversity: 0.3887,
        communication_overhead: 0.15,
        node_coverage: [0.0081, 0.0202, 0.0143, 0.0259, 0.0274, 0.0],
        node_focus: Some([0.596, 0.636, 0.556, 0.800, 0.0]),
        locality: None,
    },
];

/// What the paper on utility-biased crawling found of status locality.
pub mod status {
    /// Spearman's ρ of pages one link away.
    pub const ONE_LINK: f64 = 0.36;
    /// Of pages one link away in another domain.
    pub const ONE_LINK_ACROSS: f64 = 0.17;
    /// Of any two pages; not significant.
    pub const RANDOM: f64 = -0.01;
    /// How much less it is two links away, at least.
    pub const FALL: f64 = 0.45;
    /// The same in another domain.
    pub const FALL_ACROSS: f64 = 0.61;

    /// What was published of a correlation, in words where it is a bound.
    pub fn by_name(measure: &str) -> Option<&'static str> {
        match measure {
            "status_locality_1" => Some("0.36"),
            "status_locality_2" => Some("more than 45 % lower"),
            "status_locality_3" => Some("lower"),
            "status_locality_random" => Some("-0.01"),
            "status_locality_across_1" => Some("0.17"),
            "status_locality_across_2" | "status_locality_across_3" => Some("more than 61 % lower"),
            _ => None,
        }
    }
}

/// What the paper found for the strategy of this name.
pub fn by_name(assign: &str) -> Option<&'static Published> {
    ALL.iter().find(|published| published.assign == assign)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nodes_and_whole_agree_as_far_as_the_paper_does() {
        for published in &ALL {
            let nodes = published.node_coverage;
            let least = nodes.iter().copied().fold(1.0, f64::min);
            let most = nodes.iter().copied().fold(0.0, f64::max);
            let all = published.geo_coverage;
            assert!((least..=most).contains(&all), "{}", published.assign);
        }
        assert_eq!(by_name("url").map(|url| url.geo_coverage), Some(0.0725));
        assert_eq!(by_name("breadth"), None);
    }
}
