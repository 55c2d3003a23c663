//! Status locality: whether pages near each other are linked to about as often.

use crate::text::thousands;
use lab::measure::{Report, StatusLocality, StatusPairs};

/// Pages between which status is compared, by name.
const PATHS: [(&str, &str); 3] = [
    ("one link away", "1"),
    ("two links away", "2"),
    ("three links away", "3"),
];

/// One table for a crawl, named in its corner; none where no status differs.
pub(super) fn table(report: &Report, corner: &str) -> Option<(Vec<String>, Vec<Vec<String>>)> {
    let status = report.status_locality.as_ref()?;
    let is_told = status.random.rho.is_some() || status.anywhere.iter().any(|at| at.rho.is_some());
    if !is_told {
        return None;
    }
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (at, (name, _)) in PATHS.into_iter().enumerate() {
        let kinds = [
            (name, &status.anywhere),
            ("  within a domain", &status.within),
            ("  across domains", &status.across),
        ];
        rows.extend(kinds.map(|(name, kind)| row(name, kind.get(at))));
    }
    rows.push(row("at random", Some(&status.random)));
    let header = [corner, "ρ", "p", "pairs"];
    Some((header.map(ToOwned::to_owned).into(), rows))
}

/// A correlation, how likely it is by chance, and of how many pairs.
fn row(name: &str, pairs: Option<&StatusPairs>) -> Vec<String> {
    let told = pairs.and_then(|pairs| Some((pairs, pairs.rho.zip(pairs.p)?)));
    let cells = told.map(|(pairs, (rho, p))| {
        let p = match p < 0.001 {
            true => "< 0.001".to_owned(),
            false => format!("{p:.3}"),
        };
        [format!("{rho:.3}"), p, thousands(pairs.pairs)]
    });
    let cells = cells.unwrap_or_else(|| ["–", "–", "–"].map(str::to_owned));
    [vec![name.to_owned()], cells.into()].concat()
}

/// All correlations, by names for programs.
pub(super) fn numbers(report: &Report) -> Vec<(String, f64)> {
    let Some(status) = &report.status_locality else {
        return Vec::new();
    };
    let StatusLocality {
        anywhere,
        within,
        across,
        random,
    } = status;
    let kinds = [
        ("anywhere", anywhere),
        ("within", within),
        ("across", across),
    ];
    let mut numbers = Vec::new();
    for (kind, by_distance) in kinds {
        for ((_, distance), pairs) in PATHS.iter().zip(by_distance) {
            let name = format!("status_locality.{kind}.{distance}");
            numbers.extend(pairs.rho.map(|rho| (name, rho)));
        }
    }
    let name = "status_locality.random".to_owned();
    numbers.extend(random.rho.map(|rho| (name, rho)));
    numbers
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::Table;
    use lab::measure::{Measures, Settings};
    use page::url::CanonicalUrl;
    use store::visit::{Errand, LinkRecord, Outcome, Time, Visit};

    fn report(links: &[(&str, &str)]) -> Report {
        let mut measures = Measures::new(Vec::new(), Settings::default());
        for (from, to) in links {
            let mut visit = Visit::new(0, Errand::Page, Time(0), from, Outcome::Fetched);
            visit.links.push(LinkRecord {
                url: CanonicalUrl::parse(to).unwrap().fingerprint().short(),
                node: 0,
                refused: None,
                is_cold: false,
            });
            measures.add(&visit);
        }
        measures.finish()
    }

    fn tree() -> Report {
        let [a, b] = ["http://a.com/", "http://b.com/"];
        let of_b = |n: u32| format!("http://b.com/{n}");
        let links = [
            (a.to_owned(), b),
            (b.to_owned(), "http://elsewhere.com/"),
            (of_b(1), a),
            (of_b(2), a),
            (of_b(3), b),
            (of_b(4), b),
            (of_b(5), b),
        ];
        let links = links.iter().map(|(from, to)| (from.as_str(), *to));
        report(&links.collect::<Vec<_>>())
    }

    #[test]
    fn correlations_stand_in_a_table() {
        let (header, rows) = table(&tree(), "status locality").unwrap();
        let mut table = Table::of(header);
        for row in rows {
            table.push(row);
        }
        insta::assert_snapshot!(table.render(), @r"
        status locality         ρ        p  pairs
        ─────────────────────────────────────────
        one link away       0.316    0.541      6
          within a domain       –        –      –
          across domains    1.000  < 0.001      3
        two links away          –        –      –
          within a domain       –        –      –
          across domains        –        –      –
        three links away        –        –      –
          within a domain       –        –      –
          across domains        –        –      –
        at random          -0.389    0.389      7
        ");
    }

    #[test]
    fn programs_get_the_same_numbers() {
        let numbers = numbers(&tree());
        let names: Vec<&str> = numbers.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(
            names,
            [
                "status_locality.anywhere.1",
                "status_locality.across.1",
                "status_locality.random"
            ]
        );
        assert!(numbers[0].1 > 0.0);
    }

    #[test]
    fn a_web_without_links_has_no_table() {
        let report = report(&[("http://a.com/", "http://never.com/")]);
        assert_eq!(table(&report, "status locality"), None);
        assert!(numbers(&report).is_empty());
    }
}
