//! Real pages, where they lie beside the repository: restaurants, asked for by name and city.

use super::score::Mean;
use super::systems::{OURS, Systems, TEXT};
use anyhow::Context;
use page::html;
use page::url::CanonicalUrl;
use place::gazetteer::{Gazetteer, PlaceId};
use place::target::resolve;
use search::index::Index;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use store::crawl_dir::CrawlDir;
use store::packing::{Packing, unpacked};
use store::visit::{Errand, Outcome, Time, Visit};
use store::warc::{Bundle, Exchange};

/// Where they are in the folder of labelled data.
const FILE: &str = "pages/restaurants_dev.jsonl.zst";

const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n";

/// How well real pages are found.
#[derive(Debug, Clone, Serialize)]
pub struct RealScores {
    /// Pages in the index.
    pub n_pages: u64,
    /// Reciprocal rank of the very page, for each system.
    pub mrr: [Mean; 3],
    /// Ours less text only, query by query.
    pub gain: Mean,
    /// Share of the queries whose city the gazetteer knows that are read as that city.
    pub place_right: Mean,
    /// Queries, with what each system made of them.
    pub queries: Vec<RealQuery>,
}

/// What came of one query.
#[derive(Debug, Clone, Serialize)]
pub struct RealQuery {
    /// Name and city.
    pub text: String,
    /// Reciprocal rank of the page, for each system.
    pub rank: [f64; 3],
    /// Whether the city was read right, where the gazetteer knows it.
    pub is_right: Option<bool>,
}

#[derive(Debug, Deserialize)]
struct Line {
    url: String,
    html: String,
    gold: Gold,
}

#[derive(Debug, Deserialize)]
struct Gold {
    name: Vec<String>,
    address: Vec<String>,
}

/// Indexes the pages in `dir` and asks for each; none where there are none.
pub(super) fn ask_for_restaurants(eval: &Path, dir: &Path) -> anyhow::Result<Option<RealScores>> {
    let path = eval.join(FILE);
    if !path.is_file() {
        return Ok(None);
    }
    let lines = read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    if !dir.exists() {
        keep(&lines, dir)?;
    }
    let index = Index::open_or_build(dir, &mut |_| {})?;
    let systems = Systems::new(&index);
    let mut queries = Vec::new();
    for line in &lines {
        let Some((city, place)) = city(&line.gold.address) else {
            continue;
        };
        let name = line.gold.name.first().map(|name| plain(name));
        let text = format!("{} {city}", name.unwrap_or_default());
        let answers = systems.ask(&text)?;
        let url = canonical(&line.url)?.as_str().to_owned();
        let rank = answers.found.map(|found| {
            let position = found.iter().position(|hit| *hit == url);
            position.map_or(0.0, |position| 1.0 / (position as f64 + 1.0))
        });
        queries.push(RealQuery {
            text,
            rank,
            is_right: place.map(|place| answers.place == Some(place)),
        });
    }
    let of = |system: usize| {
        queries
            .iter()
            .map(move |query| query.rank[system])
            .collect()
    };
    let gains = queries
        .iter()
        .map(|query| query.rank[OURS] - query.rank[TEXT]);
    Ok(Some(RealScores {
        n_pages: index.n_pages(),
        mrr: [of(0), of(1), of(2)],
        gain: gains.collect(),
        place_right: Mean::of_true(queries.iter().filter_map(|query| query.is_right)),
        queries,
    }))
}

fn read(path: &Path) -> anyhow::Result<Vec<Line>> {
    let lines = unpacked(BufReader::new(File::open(path)?))?.lines();
    lines
        .map(|line| Ok(serde_json::from_str(&line?)?))
        .collect()
}

fn canonical(url: &str) -> anyhow::Result<CanonicalUrl> {
    CanonicalUrl::parse(url).with_context(|| format!("`{url}` is no URL"))
}

/// Writes the pages down as a crawl does.
fn keep(lines: &[Line], dir: &Path) -> anyhow::Result<()> {
    let mut crawl = CrawlDir::create(dir, "")?;
    for line in lines {
        let url = canonical(&line.url)?;
        let page = html::read(line.html.as_bytes(), &url, Some("text/html; charset=utf-8"));
        let bundle = Bundle::pack(&Exchange {
            url: url.as_str(),
            at: Time(0),
            server: None,
            request: b"GET / HTTP/1.1\r\n\r\n",
            response_head: HEAD,
            body: line.html.as_bytes(),
            metadata: &[],
            packing: Packing::default(),
            truncated: false,
        });
        let visit = Visit::new(0, Errand::Page, Time(0), url.as_str(), Outcome::Fetched);
        let archived = Some(crawl.archive(&bundle)?);
        crawl.record(Visit {
            title: page.title,
            archived,
            ..visit
        });
    }
    crawl.commit(crawl.batch())?;
    Ok(())
}

fn plain(text: &str) -> String {
    let text = text.replace("&nbsp;", " ").replace("&amp;", "&");
    text.trim().to_owned()
}

/// The city before the last state of an address, and which place that is.
fn city(address: &[String]) -> Option<(String, Option<PlaceId>)> {
    let gazetteer = Gazetteer::built_in();
    let address = plain(&address.join(", "));
    let parts: Vec<&str> = address.split(',').map(str::trim).collect();
    let mut pairs = parts.windows(2).rev();
    let (city, state) = pairs.find_map(|pair| {
        let code = pair[1].split_whitespace().next()?;
        let is_code = code.replace('.', "").len() == 2 && gazetteer.us_state(code).is_some();
        is_code.then_some((pair[0], code))
    })?;
    let place = resolve(gazetteer, &format!("{city}, {}", state.replace('.', ""))).ok();
    Some((city.to_owned(), place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_are_read_from_addresses_of_any_site() {
        let read = |parts: &[&str]| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            let (city, place) = city(&parts).unwrap();
            let place = place.map(|id| Gazetteer::built_in().describe(id));
            format!("{city}: {}", place.unwrap_or_default())
        };
        let chicago = "Chicago: Chicago, Illinois, United States";
        assert_eq!(read(&["1119 West Taylor", "Chicago, IL 60607"]), chicago);
        assert_eq!(read(&["1 Main St", "Chicago", "IL", "60607"]), chicago);
        assert_eq!(read(&["&nbsp;1 Main St, Chicago, IL"]), chicago);
        assert!(read(&["303 Pennsylvania Ave. SE, Washington, D.C."]).starts_with("Washington: "));
    }
}
