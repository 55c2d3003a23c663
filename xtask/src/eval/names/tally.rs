//! Counts names of places, and prints the counts.

use crate::eval::score::share;
use std::fmt::Write as _;

/// Sets of which the reliability is shown: all names are labelled, with points.
const RELIABILITY: [&str; 2] = ["lgl_dev", "geowebnews_dev"];

/// Counts of one set.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameTally {
    n_gold: usize,
    n_found: usize,
    n_right: usize,
    /// Names that are right and have a labelled point.
    n_pointed: usize,
    n_placed: usize,
    /// By tenths of confidence.
    bins: [Bin; 10],
}

/// Answers that claim about the same confidence.
#[derive(Debug, Clone, Copy, Default)]
struct Bin {
    claimed: f64,
    n_right: usize,
    n: usize,
}

impl NameTally {
    /// Nothing found yet, of so many labelled names.
    pub(super) fn new(n_gold: usize) -> NameTally {
        NameTally {
            n_gold,
            ..NameTally::default()
        }
    }

    /// Counts one name that was found; whether it is near is unknown without a point.
    pub(super) fn count(&mut self, confidence: f32, is_name: bool, is_near: Option<bool>) {
        self.n_found += 1;
        self.n_right += usize::from(is_name);
        self.n_pointed += usize::from(is_near.is_some());
        self.n_placed += usize::from(is_near == Some(true));
        if is_near.is_some() || !is_name {
            self.bins[((confidence * 10.0) as usize).min(9)].add(Bin {
                claimed: f64::from(confidence),
                n_right: usize::from(is_near == Some(true)),
                n: 1,
            });
        }
    }

    pub(crate) fn add(&mut self, other: &NameTally) {
        self.n_gold += other.n_gold;
        self.n_found += other.n_found;
        self.n_right += other.n_right;
        self.n_pointed += other.n_pointed;
        self.n_placed += other.n_placed;
        for (own, other) in self.bins.iter_mut().zip(other.bins) {
            own.add(other);
        }
    }

    /// Precision, recall, F1, share placed, end to end.
    fn measures(&self) -> [f64; 5] {
        let precision = share(self.n_right, self.n_found);
        let recall = share(self.n_right, self.n_gold);
        let f1 = share(2 * self.n_right, self.n_found + self.n_gold);
        let placed = share(self.n_placed, self.n_pointed);
        [precision, recall, f1, placed, recall * placed]
    }
}

impl Bin {
    fn add(&mut self, other: Bin) {
        self.claimed += other.claimed;
        self.n_right += other.n_right;
        self.n += other.n;
    }
}

/// A row for each set, and how often each confidence was right.
pub(crate) fn table(title: &str, tallies: &[(&str, NameTally)]) -> Result<String, std::fmt::Error> {
    let mut table = String::new();
    writeln!(
        table,
        "{title:<40} {:>5} {:>5}  {:>5} {:>5} {:>5}  {:>6} {:>10}",
        "gold", "found", "P", "R", "F1", "placed", "end to end"
    )?;
    let mut all = NameTally::default();
    for (set, tally) in tallies {
        let [p, r, f1, placed, whole] = tally.measures();
        writeln!(
            table,
            "{set:<40} {:>5} {:>5}  {p:>5.3} {r:>5.3} {f1:>5.3}  {placed:>6.3} {whole:>10.3}",
            tally.n_gold, tally.n_found
        )?;
        if RELIABILITY.contains(set) {
            all.add(tally);
        }
    }
    let title = format!("reliability, {}", RELIABILITY.join(" and "));
    writeln!(
        table,
        "{title:<40} {:>7} {:>5} {:>6}",
        "claimed", "right", "count"
    )?;
    for bin in all.bins.iter().filter(|bin| bin.n > 0) {
        let claimed = bin.claimed / bin.n as f64;
        let right = share(bin.n_right, bin.n);
        writeln!(table, "{:<40} {claimed:>7.2} {right:>5.2} {:>6}", "", bin.n)?;
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_show_what_was_counted() {
        let mut tally = NameTally::new(4);
        tally.count(0.95, true, Some(true));
        tally.count(0.85, true, Some(false));
        tally.count(0.81, false, None);
        // A label without a point says nothing about the place.
        tally.count(0.35, true, None);
        insta::assert_snapshot!(table("names", &[("lgl_dev", tally)]).unwrap(), @"
        names                                     gold found      P     R    F1  placed end to end
        lgl_dev                                      4     4  0.750 0.750 0.750   0.500      0.375
        reliability, lgl_dev and geowebnews_dev  claimed right  count
                                                    0.83  0.00      2
                                                    0.95  1.00      1
        ");
    }
}
