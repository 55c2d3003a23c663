//! What a crawl with a topic is worth: how topical its pages are, how
//! important, how many sites they are of and how many of those a directory
//! knows.
//!
//! The log has the crawl's own estimates. What is true of a page, or what a
//! classifier says that the crawl did not have, comes from a *witness*.

use super::key_set::KeySet;
use super::report::{AlphaPoint, Joint, Worth, WorthPoint};
use super::sample::rank;
use super::{Witness, ratio};
use page::url::CanonicalUrl;
use store::visit::Visit;
use xxhash_rust::xxh3::xxh3_64;

/// Points of a curve at most.
const MOST_POINTS: usize = 100;

/// From here on a page counts as being about the topic.
const TOPICAL: f32 = 0.5;

/// Rows and columns of the joint distribution.
const N_BINS: usize = 10;

/// Everything that is counted.
#[derive(Default)]
pub(super) struct Worths {
    all: Stretch,
    curve: Curve,
    /// The last elasticity of each node along its pages.
    alphas: Vec<Alphas>,
    sites: KeySet,
    n_listed: u64,
    /// By status, then by topicality: as judged, and as the crawl estimated.
    judged: Cells,
    estimated: Cells,
    is_told: bool,
}

type Cells = [[u64; N_BINS]; N_BINS];

/// Some pages in a row.
#[derive(Debug, Clone, Copy, Default)]
struct Stretch {
    n_pages: u64,
    /// Sites until its end.
    n_sites: u64,
    estimated: Share,
    evaluated: Share,
    known: Share,
    importance: Mean,
    status: Mean,
    alpha: Mean,
}

#[derive(Debug, Clone, Copy, Default)]
struct Share {
    n: u64,
    n_topical: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Mean {
    n: u64,
    sum: f64,
}

impl Share {
    fn add(&mut self, is_topical: Option<bool>) {
        self.n += u64::from(is_topical.is_some());
        self.n_topical += u64::from(is_topical == Some(true));
    }

    fn value(self) -> Option<f64> {
        ratio(self.n_topical, self.n)
    }

    /// Standard error of the share of so many pages.
    fn error(self, n_pages: u64) -> Option<f64> {
        let share = self.value().filter(|_| self.n < n_pages)?;
        let left = 1.0 - self.n as f64 / n_pages as f64;
        Some((left * share * (1.0 - share) / self.n as f64).sqrt())
    }

    fn join(self, other: Share) -> Share {
        Share {
            n: self.n + other.n,
            n_topical: self.n_topical + other.n_topical,
        }
    }
}

impl Mean {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            self.n += 1;
            self.sum += value;
        }
    }

    fn value(self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }

    fn join(self, other: Mean) -> Mean {
        Mean {
            n: self.n + other.n,
            sum: self.sum + other.sum,
        }
    }
}

/// What is known of one page.
struct Appraisal {
    estimated: Option<f32>,
    evaluated: Option<f32>,
    is_on_topic: Option<bool>,
    importance: Option<f32>,
    /// ln(1 + in-links).
    status: Option<f64>,
    alpha: Option<f32>,
}

impl Stretch {
    fn add(&mut self, appraisal: &Appraisal, n_sites: u64) {
        let is_topical = |topicality: f32| topicality > TOPICAL;
        self.n_pages += 1;
        self.n_sites = n_sites;
        self.estimated.add(appraisal.estimated.map(is_topical));
        self.evaluated.add(appraisal.evaluated.map(is_topical));
        self.known.add(appraisal.is_on_topic);
        self.importance.add(appraisal.importance.map(f64::from));
        self.status.add(appraisal.status);
        self.alpha.add(appraisal.alpha.map(f64::from));
    }

    /// Both, the later one last.
    fn join(self, later: Stretch) -> Stretch {
        Stretch {
            n_pages: self.n_pages + later.n_pages,
            n_sites: later.n_sites,
            estimated: self.estimated.join(later.estimated),
            evaluated: self.evaluated.join(later.evaluated),
            known: self.known.join(later.known),
            importance: self.importance.join(later.importance),
            status: self.status.join(later.status),
            alpha: self.alpha.join(later.alpha),
        }
    }
}

/// Stretches of equal length, though nobody knows how long the crawl is.
#[derive(Default)]
struct Curve {
    stretches: Vec<Stretch>,
    /// Pages of each; doubles whenever there are too many.
    length: u64,
    last: Stretch,
}

impl Curve {
    fn add(&mut self, appraisal: &Appraisal, n_sites: u64) {
        self.length = self.length.max(1);
        self.last.add(appraisal, n_sites);
        if self.last.n_pages < self.length {
            return;
        }
        self.stretches.push(std::mem::take(&mut self.last));
        if self.stretches.len() == MOST_POINTS {
            self.length *= 2;
            let pairs = self.stretches.chunks(2);
            self.stretches = pairs
                .map(|pair| match pair {
                    [one, other] => one.join(*other),
                    [one, ..] => *one,
                    [] => Stretch::default(),
                })
                .collect();
        }
    }

    fn points(&self) -> Vec<WorthPoint> {
        let rest = (self.last.n_pages > 0).then_some(&self.last);
        let mut n_pages = 0;
        let point = |stretch: &Stretch| {
            n_pages += stretch.n_pages;
            WorthPoint {
                pages: n_pages,
                topicality: stretch.evaluated.value(),
                estimated_topicality: stretch.estimated.value(),
                true_topicality: stretch.known.value(),
                status: stretch.status.value(),
                estimated_status: stretch.importance.value(),
                sites: stretch.n_sites,
                alpha: stretch.alpha.value(),
            }
        };
        self.stretches.iter().chain(rest).map(point).collect()
    }
}

/// The elasticity of a node at evenly spaced moments.
#[derive(Default)]
struct Alphas {
    points: Vec<AlphaPoint>,
    n_pages: u64,
    stride: u64,
    last: Option<AlphaPoint>,
}

impl Alphas {
    fn add(&mut self, alpha: Option<f32>) {
        self.n_pages += 1;
        self.stride = self.stride.max(1);
        let Some(alpha) = alpha else {
            return;
        };
        let point = AlphaPoint {
            pages: self.n_pages,
            alpha: f64::from(alpha),
        };
        self.last = Some(point);
        if !self.n_pages.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(point);
        if self.points.len() == MOST_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points
                .retain(|point| point.pages.is_multiple_of(stride));
        }
    }

    fn points(&self) -> Vec<AlphaPoint> {
        let is_kept = self.points.last() == self.last.as_ref();
        let end = self.last.filter(|_| !is_kept);
        self.points.iter().copied().chain(end).collect()
    }
}

impl Worths {
    /// Looks at a page.
    pub(super) fn add(&mut self, visit: &Visit, page: u64, witness: &Witness<'_>) {
        if visit.topicality.is_none() && !witness.knows_of_topics() {
            return;
        }
        self.is_told = true;
        let is_drawn = rank(page).is_multiple_of(witness.one_in.max(1));
        let evaluate = witness.topicality.filter(|_| is_drawn);
        let n_inlinks = witness.n_inlinks.and_then(|count| count(&visit.url));
        let appraisal = Appraisal {
            estimated: visit.topicality,
            evaluated: evaluate.and_then(|evaluate| evaluate(visit)),
            is_on_topic: witness.is_on_topic.and_then(|is_on| is_on(&visit.url)),
            importance: visit.importance,
            status: n_inlinks.map(|n| (n as f64).ln_1p()),
            alpha: visit.alpha,
        };
        self.add_site(visit, witness);
        let n_sites = self.sites.len();
        self.all.add(&appraisal, n_sites);
        self.curve.add(&appraisal, n_sites);
        let node = usize::from(visit.node);
        if self.alphas.len() <= node {
            self.alphas.resize_with(node + 1, Alphas::default);
        }
        self.alphas[node].add(visit.alpha);
        if let (Some(topicality), Some(status)) = (appraisal.evaluated, appraisal.status) {
            self.judged[bin(status)][tenth(topicality)] += 1;
        }
        if let (Some(topicality), Some(importance)) = (appraisal.estimated, appraisal.importance) {
            self.estimated[tenth(importance)][tenth(topicality)] += 1;
        }
    }

    fn add_site(&mut self, visit: &Visit, witness: &Witness<'_>) {
        let Ok(url) = CanonicalUrl::parse(&visit.url) else {
            return;
        };
        let site = site_of(&url);
        if self.sites.insert(xxh3_64(site.as_bytes()))
            && witness.is_listed.is_some_and(|is_listed| is_listed(site))
        {
            self.n_listed += 1;
        }
    }

    /// What it all comes to; nothing for a crawl without a topic.
    pub(super) fn report(&self, witness: &Witness<'_>) -> Option<Worth> {
        if !self.is_told {
            return None;
        }
        let is_judged = self.judged.iter().flatten().any(|n| *n > 0);
        let cells = match is_judged {
            true => &self.judged,
            false => &self.estimated,
        };
        let is_any = cells.iter().flatten().any(|n| *n > 0);
        Some(Worth {
            average_topicality: self.all.evaluated.value(),
            average_topicality_error: self.all.evaluated.error(self.all.n_pages),
            evaluated_pages: self.all.evaluated.n,
            true_topicality: self.all.known.value(),
            estimated_topicality: self.all.estimated.value(),
            average_status: self.all.status.value(),
            counted_pages: self.all.status.n,
            estimated_status: self.all.importance.value(),
            sites: self.sites.len(),
            reliability: witness
                .is_listed
                .and_then(|_| ratio(self.n_listed, self.sites.len())),
            alpha: self.all.alpha.value(),
            curve: self.curve.points(),
            alphas: self.alphas.iter().map(Alphas::points).collect(),
            joint: is_any.then(|| Joint {
                is_estimated: !is_judged,
                cells: cells.iter().map(|row| row.to_vec()).collect(),
            }),
        })
    }
}

/// The first whole number below, as far as there are bins.
fn bin(value: f64) -> usize {
    (value.max(0.0) as usize).min(N_BINS - 1)
}

/// The tenth that a share is in. As a short number: 0.9 is nine tenths.
fn tenth(share: f32) -> usize {
    bin(f64::from(share * 10.0))
}

/// What counts as one site: a host, with or without `www.`.
pub fn site_of(url: &CanonicalUrl) -> &str {
    let host = url.host();
    host.strip_prefix("www.").unwrap_or(host)
}
