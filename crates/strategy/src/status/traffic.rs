//! How many people visit a domain, by its place in a ranking list.
//!
//! Lists tell ranks, not visitors. Visits fall with the rank about as Zipf's
//! law has it, so the *reach* of the domain at rank r is 1,000,000 / r, and
//! none where it is not listed: the same number whatever the length of a list.

use page::url::CanonicalUrl;
use std::sync::{Arc, LazyLock};

/// The reach of the first domain.
const TOP_REACH: f64 = 1e6;

/// Characters of a bad line that are shown.
const MOST_SHOWN: usize = 60;

/// Domains by traffic.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Hashes of domains in ascending order, and the rank of each.
    domains: Vec<u64>,
    ranks: Vec<u32>,
}

/// Why a text is no ranking list.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TrafficError {
    /// Nothing in it.
    #[error("no domains: write one a line, as `example.com`, `1 example.com` or `1,example.com`")]
    Empty,
    /// A line of another form than a ranking list has.
    #[error("line {line}: `{text}` is not `{expected}`")]
    Line {
        /// Counted from one.
        line: usize,
        /// What stands there.
        text: String,
        /// What should.
        expected: &'static str,
    },
}

/// How a line looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Form {
    Domain,
    RankDomain,
    RankCommaDomain,
}

impl Form {
    fn expected(self) -> &'static str {
        match self {
            Form::Domain => "example.com",
            Form::RankDomain => "1 example.com",
            Form::RankCommaDomain => "1,example.com",
        }
    }

    /// The form of a list by its first line.
    fn of(line: &str) -> Form {
        match line.split_once([',', ' ', '\t']) {
            Some(_) if line.contains(',') => Form::RankCommaDomain,
            Some(_) => Form::RankDomain,
            None => Form::Domain,
        }
    }

    /// Rank and domain of a line; `nth` is the rank of a line without one.
    fn read(self, line: &str, nth: u32) -> Option<(u32, String)> {
        let (rank, domain) = match self {
            Form::Domain => (nth, line),
            Form::RankDomain => {
                let (rank, domain) = line.split_once([' ', '\t'])?;
                (rank.parse().ok()?, domain.trim())
            }
            Form::RankCommaDomain => {
                let (rank, domain) = line.split_once(',')?;
                (rank.trim().parse().ok()?, domain.trim())
            }
        };
        let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '.' | '-' | '_');
        let is_domain = rank > 0 && domain.contains('.') && domain.chars().all(is_plain);
        if !is_domain {
            return None;
        }
        let url = CanonicalUrl::parse(&format!("http://{domain}/")).ok()?;
        Some((rank, url.registrable_domain().to_owned()))
    }
}

impl Traffic {
    /// A small list that the program carries with it: see `data/README.md`.
    pub fn built_in() -> Arc<Traffic> {
        static BUILT_IN: LazyLock<Arc<Traffic>> = LazyLock::new(|| {
            let list = include_str!("../../../../data/traffic.txt");
            Arc::new(Traffic::parse(list).expect("the list that is built in is checked by a test"))
        });
        BUILT_IN.clone()
    }

    /// Reads a ranking list: a domain a line with its rank before it, as in
    /// the lists of Tranco and Alexa, or without, in the order of their ranks.
    /// The first line decides. Lines that are empty or begin with `#` are
    /// passed over.
    pub fn parse(text: &str) -> Result<Traffic, TrafficError> {
        let text = text.trim_start_matches('\u{feff}');
        let lines = text.lines().map(str::trim).zip(1..);
        let mut lines = lines
            .filter(|(line, _)| !line.is_empty() && !line.starts_with('#'))
            .peekable();
        let &(first, _) = lines.peek().ok_or(TrafficError::Empty)?;
        let form = Form::of(first);
        let mut ranked = Vec::new();
        for ((text, line), nth) in lines.zip(1..) {
            let (rank, domain) = form.read(text, nth).ok_or_else(|| TrafficError::Line {
                line,
                text: text.chars().take(MOST_SHOWN).collect(),
                expected: form.expected(),
            })?;
            ranked.push((hash(&domain), rank));
        }
        Ok(Traffic::new(ranked))
    }

    /// Domains, the most visited first.
    pub fn ranked<'d>(domains: impl IntoIterator<Item = &'d str>) -> Traffic {
        let ranked = domains.into_iter().zip(1..);
        Traffic::new(ranked.map(|(domain, rank)| (hash(domain), rank)).collect())
    }

    fn new(mut ranked: Vec<(u64, u32)>) -> Traffic {
        // Several hosts of a domain may be listed: the best one counts.
        ranked.sort_unstable();
        ranked.dedup_by_key(|(domain, _)| *domain);
        let (domains, ranks) = ranked.into_iter().unzip();
        Traffic { domains, ranks }
    }

    /// How many people visit a registrable domain, in millionths of those
    /// that visit the first of all; zero if it is not listed.
    pub fn reach(&self, domain: &str) -> f64 {
        match self.domains.binary_search(&hash(domain)) {
            Ok(at) => TOP_REACH / f64::from(self.ranks[at]),
            Err(_) => 0.0,
        }
    }

    /// Domains listed.
    pub fn n_domains(&self) -> usize {
        self.domains.len()
    }
}

fn hash(domain: &str) -> u64 {
    xxhash_rust::xxh3::xxh3_64(domain.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(list: &str, domain: &str) -> Result<f64, String> {
        let traffic = Traffic::parse(list).map_err(|error| error.to_string())?;
        Ok(traffic.reach(domain))
    }

    #[test]
    fn every_usual_form_is_read() {
        for list in [
            "a.example\nb.com\n",
            "# a comment\n1 a.example\n\n2 b.com",
            "1\ta.example\r\n2\tb.com\r\n",
            "1,a.example\n2,b.com",
            "\u{feff}1,a.example\n2,www.B.com\n7,mail.b.com",
        ] {
            assert_eq!(reach(list, "b.com"), Ok(500_000.0), "{list}");
            assert_eq!(reach(list, "c.com"), Ok(0.0), "{list}");
        }
        assert_eq!(reach("10 a.com\n40 b.com", "b.com"), Ok(25_000.0));
    }

    #[test]
    fn another_form_is_named_with_its_line() {
        let refusal = |list: &str| reach(list, "b.com").unwrap_err();
        assert_eq!(
            refusal("1,a.example\n\nb.com 2"),
            "line 3: `b.com 2` is not `1,example.com`"
        );
        assert_eq!(
            refusal("GlobalRank,TldRank,Domain,TLD\n1,1,google.com,com"),
            "line 1: `GlobalRank,TldRank,Domain,TLD` is not `1,example.com`"
        );
        assert_eq!(
            refusal("a.com\nhttp://b.com/"),
            "line 2: `http://b.com/` is not `example.com`"
        );
        assert_eq!(
            refusal("0 a.com"),
            "line 1: `0 a.com` is not `1 example.com`"
        );
        assert_eq!(
            refusal("{\"rank\": 1}"),
            "line 1: `{\"rank\": 1}` is not `1 example.com`"
        );
        assert!(refusal("\n# nothing\n").starts_with("no domains"));
    }

    #[test]
    fn the_built_in_list_knows_the_largest() {
        let traffic = Traffic::built_in();
        assert!(traffic.n_domains() > 2_000);
        assert!(traffic.reach("google.com") > traffic.reach("wikipedia.org"));
        assert!(traffic.reach("wikipedia.org") > 0.0);
        assert_eq!(traffic.reach("no.example"), 0.0);
    }
}
