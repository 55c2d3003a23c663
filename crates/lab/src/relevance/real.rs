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
    /// How they are asked for.
    pub form: &'static str,
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
    /// The query.
    pub text: String,
    /// What was read, for people.
    pub read: Option<String>,
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

/// Indexes the pages in `dir` and asks for each, by name and city and with the
/// state as well; nothing where there are no pages.
pub(super) fn ask_for_restaurants(eval: &Path, dir: &Path) -> anyhow::Result<Vec<RealScores>> {
    let path = eval.join(FILE);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let lines = read(&path).with_context(|| format!("cannot read `{}`", path.display()))?;
    if !dir.exists() {
        keep(&lines, dir)?;
    }
    let index = Index::open_or_build(dir, &mut |_| {})?;
    let bare = ask(&index, &lines, "name and city", |city| city.name.clone())?;
    let full = ask(&index, &lines, "name, city and state", |city| {
        format!("{}, {}", city.name, city.state)
    })?;
    Ok(vec![bare, full])
}

fn ask(
    index: &Index,
    lines: &[Line],
    form: &'static str,
    place: impl Fn(&City) -> String,
) -> anyhow::Result<RealScores> {
    let systems = Systems::new(index);
    let mut queries = Vec::new();
    for line in lines {
        let Some(city) = city(&line.gold.address) else {
            continue;
        };
        let name = line.gold.name.first().map(|name| plain(name));
        let text = format!("{} {}", name.unwrap_or_default(), place(&city));
        let answers = systems.ask(&text)?;
        let url = canonical(&line.url)?.as_str().to_owned();
        let rank = answers.found.map(|found| {
            let position = found.iter().position(|hit| *hit == url);
            position.map_or(0.0, |position| 1.0 / (position as f64 + 1.0))
        });
        let read = answers.place.map(|id| Gazetteer::built_in().describe(id));
        queries.push(RealQuery {
            text,
            read,
            rank,
            is_right: city.place.map(|place| answers.place == Some(place)),
        });
    }
    let of = |system: usize| queries.iter().map(move |query| query.rank[system]);
    let gains = queries
        .iter()
        .map(|query| query.rank[OURS] - query.rank[TEXT]);
    Ok(RealScores {
        form,
        n_pages: index.n_pages(),
        mrr: [of(0).collect(), of(1).collect(), of(2).collect()],
        gain: gains.collect(),
        place_right: Mean::of_true(queries.iter().filter_map(|query| query.is_right)),
        queries,
    })
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

/// Text of a piece of HTML.
fn plain(text: &str) -> String {
    let url = CanonicalUrl::parse("http://www.example.org/");
    let read = |url| html::read(text.as_bytes(), &url, Some("text/html; charset=utf-8")).text;
    let text = url.map_or_else(|_| text.to_owned(), read);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The city of an address.
struct City {
    name: String,
    state: String,
    /// Where the gazetteer knows it.
    place: Option<PlaceId>,
}

/// The city before the last state of an address.
fn city(address: &[String]) -> Option<City> {
    let gazetteer = Gazetteer::built_in();
    let address = plain(&address.join(", "));
    let parts: Vec<&str> = address.split(',').map(str::trim).collect();
    let mut pairs = parts.windows(2).rev();
    pairs.find_map(|pair| {
        let state = pair[1].split_whitespace().next()?.replace('.', "");
        let is_code = state.len() == 2 && gazetteer.us_state(&state).is_some();
        is_code.then(|| City {
            name: pair[0].to_owned(),
            place: resolve(gazetteer, &format!("{}, {state}", pair[0])).ok(),
            state,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cities_are_read_from_addresses_of_any_site() {
        let read = |parts: &[&str]| {
            let parts: Vec<String> = parts.iter().map(ToString::to_string).collect();
            let city = city(&parts).unwrap();
            let place = city.place.map(|id| Gazetteer::built_in().describe(id));
            format!("{}: {}", city.name, place.unwrap_or_default())
        };
        let chicago = "Chicago: Chicago, Illinois, United States";
        assert_eq!(read(&["1119 West Taylor", "Chicago, IL 60607"]), chicago);
        assert_eq!(read(&["1 Main St", "Chicago", "IL", "60607"]), chicago);
        assert_eq!(read(&["&nbsp;1 Main St, Chicago, IL"]), chicago);
        assert!(read(&["303 Pennsylvania Ave. SE, Washington, D.C."]).starts_with("Washington: "));
    }
}
