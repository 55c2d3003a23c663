//! What a page shows of its status: seven numbers.

use super::Traffic;
use crate::bag::Bag;
use learn::tfidf::Idf;
use page::html::Page;

/// Features of a page.
pub const N_FEATURES: usize = 7;

/// Terms that characterise a page: those with the highest TF-IDF.
const N_CHARACTERISTIC: usize = 10;

/// The seven numbers, as they are on the page.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Features {
    /// Information volume: words without stop words.
    pub volume: f64,
    /// Information location: directories in the URL's path.
    pub location: f64,
    /// Information specificity: mean IDF of the page's characteristic terms.
    pub specificity: f64,
    /// Information brokerage: links that lead to other pages.
    pub brokerage: f64,
    /// Those links for each word.
    pub link_ratio: f64,
    /// Numbers for each word.
    pub quantitative_ratio: f64,
    /// Reach of the domain.
    pub traffic: f64,
}

impl Features {
    /// Their names, in their order.
    pub const NAMES: [&'static str; N_FEATURES] = [
        "volume",
        "location",
        "specificity",
        "brokerage",
        "link ratio",
        "quantitative ratio",
        "traffic",
    ];

    /// Looks at a page whose words are counted.
    pub fn of(page: &Page, bag: &Bag, idf: &Idf, traffic: &Traffic) -> Features {
        Features {
            specificity: specificity(bag, idf),
            ..Features::of_unspecific(page, bag, traffic)
        }
    }

    /// All but the one that asks how rare words are.
    pub(super) fn of_unspecific(page: &Page, bag: &Bag, traffic: &Traffic) -> Features {
        let n_links = page.links.iter().filter(|link| link.url != page.url);
        let n_links = n_links.count() as f64;
        let volume = f64::from(bag.n_words);
        // A page without words has few of everything: nothing is infinite.
        let n_words = volume.max(1.0);
        Features {
            volume,
            location: n_directories(page.url.path()) as f64,
            specificity: 0.0,
            brokerage: n_links,
            link_ratio: n_links / n_words,
            quantitative_ratio: f64::from(bag.n_numbers) / n_words,
            traffic: traffic.reach(page.url.registrable_domain()),
        }
    }

    /// As the model takes them: ln(1 + x) of each.
    pub fn inputs(&self) -> [f64; N_FEATURES] {
        [
            self.volume,
            self.location,
            self.specificity,
            self.brokerage,
            self.link_ratio,
            self.quantitative_ratio,
            self.traffic,
        ]
        .map(f64::ln_1p)
    }
}

/// Directories of a path: `/a/b/c.html` and `/a/b/` have two.
fn n_directories(path: &str) -> usize {
    let directories = path.rsplit_once('/').map_or("", |(before, _)| before);
    directories
        .split('/')
        .filter(|part| !part.is_empty())
        .count()
}

/// The mean IDF of the terms with the highest TF-IDF; zero without any.
pub(super) fn specificity(bag: &Bag, idf: &Idf) -> f64 {
    // Weight and rarity of the best so far, the least first.
    let mut best = [(0.0_f32, 0.0_f32); N_CHARACTERISTIC];
    for &(term, count) in &bag.terms {
        let rarity = idf.of_term(term);
        let weight = count as f32 * rarity;
        if weight <= best[0].0 {
            continue;
        }
        let mut at = 0;
        while at + 1 < N_CHARACTERISTIC && best[at + 1].0 < weight {
            best[at] = best[at + 1];
            at += 1;
        }
        best[at] = (weight, rarity);
    }
    let n_best = bag.terms.len().min(N_CHARACTERISTIC);
    let sum: f64 = best.iter().map(|(_, rarity)| f64::from(*rarity)).sum();
    sum / n_best.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use page::html;
    use page::url::CanonicalUrl;

    #[test]
    fn the_seven_features_of_a_page_by_hand() {
        let url = CanonicalUrl::parse("http://www.town.com/menus/2006/june.html?x=/y/").unwrap();
        let html = "<title>Dinner</title><p>The kitchen has 3 menus for $12.50 and <a href='/a'>soup</a>, \
            <a href='http://other.com/'>bread</a> <a href='#top'>up</a> <a href='/a'>soup</a>";
        let page = html::read(html.as_bytes(), &url, None);
        let bag = Bag::of(&page);
        let traffic = Traffic::parse("9 x.com\n10 town.com").unwrap();
        let idf = Idf::of([bag.terms.as_slice()], crate::bag::N_TERMS);
        let features = Features::of(&page, &bag, &idf, &traffic);
        // dinner kitchen menus soup bread soup; `up` is a stop word.
        let expected = Features {
            volume: 6.0,
            location: 2.0,
            specificity: 1.0,
            brokerage: 3.0,
            link_ratio: 0.5,
            quantitative_ratio: 2.0 / 6.0,
            traffic: 100_000.0,
        };
        assert_eq!(features, expected);
        assert_eq!(features.inputs()[0], 7.0_f64.ln());
        assert_eq!(features.inputs()[6], 100_001.0_f64.ln());
    }

    #[test]
    fn directories_are_counted_without_the_file() {
        for (path, n) in [
            ("/", 0),
            ("/a", 0),
            ("/a/", 1),
            ("/a/b/c.html", 2),
            ("//a//b", 1),
        ] {
            assert_eq!(n_directories(path), n, "{path}");
        }
    }

    #[test]
    fn characteristic_terms_are_those_with_most_weight() {
        // Term 0 is in every document, term 1 in one of four.
        let documents: [&[(u32, u32)]; 4] = [&[(0, 1)], &[(0, 1)], &[(0, 1)], &[(0, 1), (1, 1)]];
        let idf = Idf::of(documents, 100);
        let bag = |terms: &[(u32, u32)]| Bag {
            terms: terms.to_vec(),
            ..Bag::default()
        };
        assert_eq!(specificity(&Bag::default(), &idf), 0.0);
        assert_eq!(specificity(&bag(&[(0, 1)]), &idf), 1.0);
        let mean = f64::midpoint(1.0, f64::from(idf.of_term(1)));
        assert!((specificity(&bag(&[(0, 1), (1, 9)]), &idf) - mean).abs() < 1e-6);
        // Twelve terms, of which the two that weigh least do not count.
        let mut terms: Vec<(u32, u32)> = (10..20).map(|term| (term, 5)).collect();
        let rare = f64::from(idf.of_term(50));
        terms.splice(0..0, [(0, 1), (1, 1)]);
        assert!((specificity(&bag(&terms), &idf) - rare).abs() < 1e-6);
    }
}
