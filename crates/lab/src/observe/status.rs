//! How important pages are, by their in-links, and whether neighbours are alike.

use super::walk::Walk;
use super::{Figure, tail_exponent};
use crate::world::Dice;
use learn::rank::spearman;

/// Pairs of pages looked at for each correlation.
const N_PAIRS: usize = 40_000;

/// In-links from other domains are counted on a crawl (Broder and others,
/// *Graph structure in the web*, 2000, found the same exponent for all
/// in-links and for these alone), those of single pages on whole sites.
pub(super) fn figures(crawl: &Walk, walk: &Walk, seed: u64) -> Vec<Figure> {
    let exponent = tail_exponent(crawl.remote_counts().into_iter(), 8);
    let statuses = walk.statuses();
    let mut dice = Dice::new(&[seed]);
    let mut rho = |n_steps: usize, is_across: bool| {
        let pairs = pairs(walk, n_steps, is_across, &mut dice);
        let status = |page: u32| f64::from(statuses[page as usize]);
        let (a, b): (Vec<f64>, Vec<f64>) = pairs
            .into_iter()
            .map(|(a, b)| (status(a), status(b)))
            .unzip();
        spearman(&a, &b).map(|correlation| correlation.rho)
    };
    vec![
        Figure::new("exponent of in-links from other domains", exponent)
            .beside(2.1)
            .within(1.9, 2.3),
        Figure::new("correlation, one link away", rho(1, false))
            .beside(0.36)
            .within(0.26, 0.46),
        Figure::new("two links away", rho(2, false))
            .beside(0.19)
            .within(0.08, 0.25),
        Figure::new("three links away", rho(3, false)).within(-0.02, 0.2),
        Figure::new("at random", rho(0, false))
            .beside(-0.01)
            .within(-0.03, 0.03),
        Figure::new("one link away, across domains", rho(1, true))
            .beside(0.17)
            .within(0.07, 0.27),
    ]
}

/// Pages so many random clicks apart; with none, any two. Clicks that come
/// back to where they started, or to where one click leads, do not count.
fn pairs(walk: &Walk, n_steps: usize, is_across: bool, dice: &mut Dice) -> Vec<(u32, u32)> {
    let n_pages = walk.pages.len() as u64;
    let mut pairs = Vec::new();
    for _ in 0..N_PAIRS * 4 {
        if pairs.len() == N_PAIRS || n_pages == 0 {
            break;
        }
        let from = dice.below(n_pages) as u32;
        let to = match n_steps {
            0 => Some(dice.below(n_pages) as u32),
            _ => (0..n_steps).try_fold(from, |page, _| {
                let near: Vec<u32> = walk.neighbours(page).collect();
                (!near.is_empty()).then(|| dice.pick(&near))
            }),
        };
        let is_far = |to: &u32| {
            *to != from && (n_steps < 2 || !walk.neighbours(from).any(|near| near == *to))
        };
        let domain = |page: u32| walk.pages[page as usize].domain;
        if let Some(to) = to.filter(is_far)
            && (!is_across || domain(from) != domain(to))
        {
            pairs.push((from, to));
        }
    }
    pairs
}
