//! Compares found addresses with labelled ones.
//!
//! *Detection*: one to one, and at least half of the letters and digits of
//! each lie in the other. *Strict*: and house number, city, state and ZIP are
//! equal. Labels that are no complete US addresses are neither wanted nor
//! held against the finder.

use place::names::normalise;
use std::fmt::Write as _;
use std::ops::Range;

/// An address as labelled, or as found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Labelled {
    /// Byte range in the text.
    pub(super) span: Range<usize>,
    pub(super) number: String,
    pub(super) city: String,
    pub(super) state: String,
    pub(super) zip: String,
}

impl Labelled {
    fn agrees(&self, other: &Labelled) -> bool {
        let plain = |text: &str| text.to_uppercase().replace([' ', '.'], "");
        plain(&self.number) == plain(&other.number)
            && normalise(&self.city) == normalise(&other.city)
            && self.state == other.state
            && self.zip == other.zip
    }
}

/// Counts from which precision and recall follow.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) n_wanted: usize,
    pub(super) n_found: usize,
    pub(super) n_detected: usize,
    pub(super) n_strict: usize,
}

impl Tally {
    pub(super) fn add(&mut self, other: Tally) {
        self.n_wanted += other.n_wanted;
        self.n_found += other.n_found;
        self.n_detected += other.n_detected;
        self.n_strict += other.n_strict;
    }

    /// Precision, recall and F1 of this many right answers.
    pub(super) fn measures(&self, n_right: usize) -> [f64; 3] {
        let precision = share(n_right, self.n_found);
        let recall = share(n_right, self.n_wanted);
        let f1 = share(2 * n_right, self.n_found + self.n_wanted);
        [precision, recall, f1]
    }
}

/// Counts of strings: addresses to be found, others to be refused.
#[derive(Debug, Default)]
pub(super) struct StringTally {
    n_wanted: usize,
    n_found: usize,
    n_unwanted: usize,
    n_refused: usize,
}

impl StringTally {
    /// Counts an address; says again whether it was found.
    pub(super) fn found(&mut self, is_found: bool) -> bool {
        self.n_wanted += 1;
        self.n_found += usize::from(is_found);
        is_found
    }

    /// Counts a string that is no address; says again whether it was refused.
    pub(super) fn refused(&mut self, is_refused: bool) -> bool {
        self.n_unwanted += 1;
        self.n_refused += usize::from(is_refused);
        is_refused
    }

    pub(super) fn write(&self, table: &mut String, name: &str) -> std::fmt::Result {
        writeln!(
            table,
            "{name:<40} {:>4}/{:<4} {:.3} {:>5}/{:<4} {:.3}",
            self.n_found,
            self.n_wanted,
            share(self.n_found, self.n_wanted),
            self.n_refused,
            self.n_unwanted,
            share(self.n_refused, self.n_unwanted)
        )
    }
}

/// The part of the whole; one where there is nothing.
#[expect(clippy::cast_precision_loss, reason = "counts of addresses are small")]
pub(super) fn share(part: usize, whole: usize) -> f64 {
    if whole == 0 {
        1.0
    } else {
        part as f64 / whole as f64
    }
}

/// What became of one text's addresses.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    pub(super) tally: Tally,
    /// Positions of wanted addresses nobody found.
    pub(super) missed: Vec<usize>,
    /// Positions of found addresses nobody wanted.
    pub(super) spurious: Vec<usize>,
    /// Pairs of positions, wanted and found, that differ in a part.
    pub(super) differing: Vec<(usize, usize)>,
}

/// Compares one text's addresses; `ignored` are the labels that do not count.
pub(super) fn compare(
    text: &str,
    wanted: &[Labelled],
    ignored: &[Range<usize>],
    found: &[Labelled],
) -> Comparison {
    let mut comparison = Comparison::default();
    let mut taken = vec![false; found.len()];
    for (wanted_idx, label) in wanted.iter().enumerate() {
        let best = (0..found.len())
            .filter(|&idx| !taken[idx] && overlaps(text, &label.span, &found[idx].span))
            .max_by_key(|&idx| {
                (
                    common(text, &label.span, &found[idx].span),
                    usize::MAX - idx,
                )
            });
        match best {
            Some(idx) => {
                taken[idx] = true;
                comparison.tally.n_detected += 1;
                if label.agrees(&found[idx]) {
                    comparison.tally.n_strict += 1;
                } else {
                    comparison.differing.push((wanted_idx, idx));
                }
            }
            None => comparison.missed.push(wanted_idx),
        }
    }
    let touches_ignored = |span: &Range<usize>| {
        ignored
            .iter()
            .any(|range| range.start < span.end && span.start < range.end)
    };
    for (idx, address) in found.iter().enumerate() {
        if !taken[idx] && !touches_ignored(&address.span) {
            comparison.spurious.push(idx);
        }
    }
    comparison.tally.n_wanted = wanted.len();
    comparison.tally.n_found = comparison.tally.n_detected + comparison.spurious.len();
    comparison
}

fn n_alphanumeric(text: &str, span: &Range<usize>) -> usize {
    let part = text.get(span.clone()).unwrap_or_default();
    part.chars().filter(|c| c.is_alphanumeric()).count()
}

fn common(text: &str, a: &Range<usize>, b: &Range<usize>) -> usize {
    let both = a.start.max(b.start)..a.end.min(b.end);
    if both.start < both.end {
        n_alphanumeric(text, &both)
    } else {
        0
    }
}

fn overlaps(text: &str, a: &Range<usize>, b: &Range<usize>) -> bool {
    let common = common(text, a, b);
    common > 0 && 2 * common >= n_alphanumeric(text, a) && 2 * common >= n_alphanumeric(text, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "At 12 Oak St, Mesa, AZ 85201 and 5 Elm St, Mesa, AZ 85201.";

    fn labelled(part: &str, number: &str) -> Labelled {
        let start = TEXT.find(part).unwrap();
        Labelled {
            span: start..start + part.len(),
            number: number.into(),
            city: "Mesa".into(),
            state: "AZ".into(),
            zip: "85201".into(),
        }
    }

    #[test]
    fn half_of_both_must_overlap() {
        let wanted = [labelled("12 Oak St, Mesa, AZ 85201", "12")];
        let right = [labelled("Oak St, Mesa, AZ 85201", "12")];
        let short = [labelled("AZ 85201", "12")];
        let long = [labelled(TEXT, "12")];
        assert_eq!(compare(TEXT, &wanted, &[], &right).tally.n_strict, 1);
        assert_eq!(compare(TEXT, &wanted, &[], &short).tally.n_detected, 0);
        assert_eq!(compare(TEXT, &wanted, &[], &long).tally.n_detected, 0);
    }

    #[test]
    fn one_found_address_serves_one_label() {
        let label = labelled("5 Elm St, Mesa, AZ 85201", "5");
        let twice = [label.clone(), label.clone()];
        let comparison = compare(TEXT, &twice, &[], std::slice::from_ref(&label));
        assert_eq!(comparison.missed, [1]);
        let comparison = compare(TEXT, std::slice::from_ref(&label), &[], &twice);
        assert_eq!(comparison.spurious.len(), 1);
        assert_eq!(comparison.tally.measures(1), [0.5, 1.0, 2.0 / 3.0]);
    }

    #[test]
    fn a_wrong_part_is_detected_but_not_strict() {
        let wanted = [labelled("12 Oak St, Mesa, AZ 85201", "12")];
        let found = [labelled("12 Oak St, Mesa, AZ 85201", "13")];
        let tally = compare(TEXT, &wanted, &[], &found).tally;
        assert_eq!((tally.n_detected, tally.n_strict), (1, 0));
    }

    #[test]
    fn labels_that_do_not_count_excuse_what_is_found_there() {
        let found = [labelled("5 Elm St, Mesa, AZ 85201", "5")];
        let ignored = found[0].span.start + 2..TEXT.len();
        let ignored = std::slice::from_ref(&ignored);
        assert_eq!(compare(TEXT, &[], ignored, &found).tally.n_found, 0);
        assert_eq!(compare(TEXT, &[], &[], &found).tally.n_found, 1);
    }
}
