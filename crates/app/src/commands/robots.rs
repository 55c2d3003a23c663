//! `locavore robots`: what robots rules say to an agent about URLs, and why.
//!
//! The verdict is about the URL as it is written. A crawl asks for canonical
//! URLs, without tracking parameters for instance.

mod json_lines;

use super::INCOMPLETE;
use super::geoparse::InputError;
use super::geoparse::input::{self, Name};
use crate::cli::RobotsArgs;
use crate::output;
use crate::text::printable;
use anyhow::bail;
use crawl::robots::{self, Rules};
use page::url::CanonicalUrl;
use serde::Serialize;
use std::io::Read;
use std::path::PathBuf;
use std::process::ExitCode;

/// More than rules are read of; shows the reader of rules where they are cut.
const MOST_BYTES: u64 = 1 << 20;

pub(crate) fn run(args: &RobotsArgs) -> anyhow::Result<ExitCode> {
    let name = Name::of(args.file.clone().unwrap_or_else(|| PathBuf::from("-")));
    if args.jsonl {
        return json_lines::run(name, &args.agent);
    }
    let paths = paths(&args.urls)?;
    let text = read(name)?;
    let report = Report::new(&text, &args.agent, &paths);
    match args.json {
        true => output::print_json(&report)?,
        false => output::show(&report.listing())?,
    }
    Ok(match report.urls.iter().all(|answer| answer.allowed) {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(INCOMPLETE),
    })
}

/// Each URL with what would be asked of its host; all bad ones at once.
fn paths(urls: &[String]) -> anyhow::Result<Vec<(&str, &str)>> {
    let mut paths = Vec::new();
    let mut bad = String::new();
    for url in urls {
        match path_of(url) {
            Ok(path) => paths.push((url.as_str(), path)),
            Err(why) => bad.push_str(&format!("\n  `{url}`: {why}")),
        }
    }
    if !bad.is_empty() {
        bail!("cannot judge{bad}");
    }
    Ok(paths)
}

/// Path and query of a URL as written; a path may stand for itself.
fn path_of(url: &str) -> Result<&str, String> {
    let url = url.split_once('#').map_or(url, |(before, _)| before);
    if url.starts_with('/') {
        return Ok(url);
    }
    let canonical = CanonicalUrl::parse(url).map_err(|error| error.to_string())?;
    let after_scheme = url.split_once("://").map(|(_, after)| after);
    let Some(after_scheme) = after_scheme else {
        return Err(format!("write it as `{canonical}`"));
    };
    let start = after_scheme.find(['/', '?']).unwrap_or(after_scheme.len());
    Ok(&after_scheme[start..])
}

fn read(name: Name) -> Result<Vec<u8>, InputError> {
    let mut text = Vec::new();
    match input::open(&name)?.take(MOST_BYTES).read_to_end(&mut text) {
        Ok(_) => Ok(text),
        Err(source) => Err(InputError::Read { name, source }),
    }
}

/// Beyond 2,000 rules with wildcards a file is obeyed more strictly.
pub(crate) const SHORTENED: &str = " (shortened: too many wildcards)";

#[derive(Serialize)]
struct Report<'u> {
    agent: &'u str,
    urls: Vec<Answer<'u>>,
    /// In seconds.
    crawl_delay: Option<f64>,
    /// As written.
    sitemaps: Vec<String>,
}

#[derive(Serialize)]
struct Answer<'u> {
    url: &'u str,
    allowed: bool,
    line: u32,
    /// What the deciding line says.
    text: Option<String>,
    /// Whether only what stands before its first wildcard counts.
    shortened: bool,
}

impl<'u> Report<'u> {
    fn new(text: &[u8], agent: &'u str, paths: &[(&'u str, &str)]) -> Report<'u> {
        let rules = Rules::parse(text, agent);
        let answer = |&(url, path): &(&'u str, &str)| {
            let verdict = rules.verdict(path);
            let line = robots::line(text, verdict.line);
            let is_shortened = |line: &String| rules.is_shortened(verdict.line, line);
            Answer {
                url,
                allowed: verdict.allowed,
                line: verdict.line,
                shortened: line.as_ref().is_some_and(is_shortened),
                text: line,
            }
        };
        Report {
            agent,
            urls: paths.iter().map(answer).collect(),
            crawl_delay: rules.crawl_delay().map(|delay| delay.as_secs_f64()),
            sitemaps: rules.sitemaps().to_vec(),
        }
    }

    fn listing(&self) -> String {
        let mut lines: Vec<String> = self.urls.iter().map(Answer::listing).collect();
        if let Some(seconds) = self.crawl_delay {
            lines.push(format!("crawl delay: {seconds} s"));
        }
        for sitemap in &self.sitemaps {
            lines.push(format!("sitemap: {}", printable(sitemap)));
        }
        lines.join("\n")
    }
}

impl Answer<'_> {
    fn listing(&self) -> String {
        let word = if self.allowed { "allowed" } else { "refused" };
        let url = self.url;
        match &self.text {
            Some(text) => {
                let text = printable(text);
                let note = if self.shortened { SHORTENED } else { "" };
                format!("{word}: {url} (line {}: `{text}`){note}", self.line)
            }
            None => format!("{word}: {url} (no rule speaks of it)"),
        }
    }
}
