//! Whether links stay with a city: δ among linked pages, δ̃ among others.

use super::Figure;
use super::walk::{Seen, Walk};
use place::target::TargetId;
use std::collections::{HashMap, HashSet};

pub(super) fn figures(walk: &Walk) -> Vec<Figure> {
    let [url, url_random] = locality(walk, |page| page.by_url);
    let [content, content_random] = locality(walk, |page| page.by_content);
    vec![
        Figure::new("by URL, linked", url)
            .beside(0.416)
            .within(0.35, 0.49),
        Figure::new("by URL, not linked", url_random)
            .beside(0.026)
            .within(0.012, 0.04),
        Figure::new("by content, linked", content)
            .beside(0.263)
            .within(0.2, 0.33),
        Figure::new("by content, not linked", content_random)
            .beside(0.012)
            .within(0.008, 0.025),
    ]
}

/// Shares of pairs with the same target, among pages that both have one.
fn locality(walk: &Walk, target: impl Fn(&Seen) -> Option<TargetId>) -> [Option<f64>; 2] {
    let targets: Vec<Option<TargetId>> = walk.pages.iter().map(target).collect();
    let mut pairs: HashSet<(u32, u32)> = HashSet::new();
    for page in (0..walk.pages.len() as u32).filter(|page| targets[*page as usize].is_some()) {
        let mapped = |other: &u32| targets[*other as usize].is_some();
        let pair = |other: u32| (page.min(other), page.max(other));
        pairs.extend(walk.neighbours(page).filter(mapped).map(pair));
    }
    let is_same = |(a, b): &&(u32, u32)| targets[*a as usize] == targets[*b as usize];
    let n_same = pairs.iter().filter(is_same).count();
    let linked = super::share(n_same, pairs.len());
    let mut by_target: HashMap<TargetId, f64> = HashMap::new();
    for target in targets.iter().flatten() {
        *by_target.entry(*target).or_default() += 1.0;
    }
    let n: f64 = by_target.values().sum();
    let n_other = n * (n - 1.0) / 2.0 - pairs.len() as f64;
    let n_other_same = by_target.values().map(|n| n * (n - 1.0) / 2.0).sum::<f64>() - n_same as f64;
    [linked, (n_other > 0.0).then(|| n_other_same / n_other)]
}
