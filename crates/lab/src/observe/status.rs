//! How important pages are, by their in-links, and whether neighbours are alike.

use super::walk::Walk;
use super::{Figure, tail_exponent};
use crate::world::Dice;

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
        spearman(&a, &b)
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

/// Spearman's rank correlation; ties share their mean rank.
fn spearman(a: &[f64], b: &[f64]) -> Option<f64> {
    pearson(&ranks(a), &ranks(b))
}

fn ranks(values: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|x, y| values[*x].total_cmp(&values[*y]));
    let mut ranks = vec![0.0; values.len()];
    for tied in order.chunk_by(|x, y| values[*x] == values[*y]) {
        let first = order.partition_point(|x| values[*x] < values[tied[0]]);
        for at in tied {
            ranks[*at] = first as f64 + (tied.len() - 1) as f64 / 2.0;
        }
    }
    ranks
}

fn pearson(a: &[f64], b: &[f64]) -> Option<f64> {
    let n = a.len() as f64;
    let mean = |values: &[f64]| values.iter().sum::<f64>() / n;
    let (mean_a, mean_b) = (mean(a), mean(b));
    let sum = |f: &dyn Fn(f64, f64) -> f64| {
        a.iter()
            .zip(b)
            .map(|(x, y)| f(x - mean_a, y - mean_b))
            .sum::<f64>()
    };
    let spread = (sum(&|x, _| x * x) * sum(&|_, y| y * y)).sqrt();
    (spread > 0.0).then(|| sum(&|x, y| x * y) / spread)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_decide_and_ties_share_theirs() {
        assert_eq!(spearman(&[1.0, 2.0, 9.0], &[10.0, 20.0, 21.0]), Some(1.0));
        assert_eq!(ranks(&[5.0, 1.0, 5.0, 0.0]), [2.5, 1.0, 2.5, 0.0]);
        assert_eq!(spearman(&[1.0, 1.0], &[1.0, 2.0]), None);
    }
}
