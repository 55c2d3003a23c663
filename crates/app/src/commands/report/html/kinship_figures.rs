//! The figure of status locality.

use lab::measure::{StatusLocality, StatusPairs};
use lab::plot::{Axis, BarSeries, Bars, Estimate, Unit};

/// ρ by distance, wherever the other page is, within a domain and across.
pub(super) fn locality(status: &StatusLocality, title: &str) -> String {
    let estimate = |pairs: &StatusPairs| {
        let (mean, error) = (pairs.rho?, pairs.error());
        Some(Estimate { mean, error })
    };
    let series = |name: &str, pairs: &[StatusPairs]| BarSeries {
        name: name.to_owned(),
        values: pairs.iter().map(estimate).collect(),
    };
    let anywhere: Vec<StatusPairs> = status
        .anywhere
        .iter()
        .chain([&status.random])
        .copied()
        .collect();
    let bars = Bars {
        title: title.to_owned(),
        x: Axis::new("Spearman's ρ", Unit::Number),
        groups: ["one link", "two links", "three links", "at random"]
            .map(ToOwned::to_owned)
            .into(),
        series: vec![
            series("anywhere", &anywhere),
            series("within a domain", &status.within),
            series("across domains", &status.across),
        ],
    };
    bars.render()
}
