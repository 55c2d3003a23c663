//! `locavore train status`: makes the model of what important pages look like.
//!
//! In-links are counted in the crawl's own log, or given in a file. Of large
//! crawls a sample of pages is enough, chosen by their addresses, so that it
//! is the same every time; links to other pages are passed over, so that what
//! is held in memory depends on the sample alone.

use super::write;
use crate::cli::TrainStatusArgs;
use crate::commands::report;
use crate::message;
use crate::output::{print_json, show};
use crate::plan::Plan;
use crate::progress::{wait_for, watch};
use crate::table::Table;
use crate::text::{bytes, thousands};
use crate::traffic::{read_traffic, traffic_of};
use anyhow::{Context, anyhow};
use page::html;
use page::url::CanonicalUrl;
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use store::crawl_dir;
use store::visit::Visit;
use store::warc::{self, Shelf};
use strategy::status::{HeldOut, StatusModel, Traffic, Trainer};

pub(super) fn run(args: &TrainStatusArgs) -> anyhow::Result<ExitCode> {
    let traffic = match &args.traffic {
        Some(file) => Arc::new(read_traffic(file)?),
        None => traffic_of(&Plan::from_text(&crawl_dir::read_settings(&args.crawl)?)?.web),
    };
    let given = args
        .inlinks
        .as_deref()
        .map(report::read_in_links)
        .transpose()?;
    let pages = sample(args, given.as_ref())?;
    let counts = match given {
        Some(given) => given,
        None => count_links(&args.crawl, &pages)?,
    };
    let trainer = learn(&args.crawl, &pages, &counts, &traffic)?;
    let cannot_learn = || format!("cannot learn from `{}`", args.crawl.display());
    let model = wait_for("growing the tree", || trainer.finish()).with_context(cannot_learn)?;
    let held_out = wait_for("growing a tree without pages held out", || {
        trainer.evaluate()
    });
    // Enough for a model, and not enough to hold some of them out.
    let held_out = held_out.ok();
    let file = model.to_bytes();
    write(&args.out, &file)?;
    if args.json {
        print_json(&as_json(&model, held_out, &args.out))?;
        return Ok(ExitCode::SUCCESS);
    }
    show(&table(&model, held_out))?;
    message::info(format!(
        "model of status kept in `{}`, {}",
        args.out.display(),
        bytes(file.len() as u64)
    ));
    message::hint(format!(
        "`locavore crawl PLACE --topic TOPIC --order utility --status {}` crawls with it",
        args.out.display()
    ));
    Ok(ExitCode::SUCCESS)
}

/// In-links by the fingerprint of a page.
type Counts = HashMap<u64, u64>;

/// Archived pages to learn from, by where they are in the sample's order.
type Pages = BTreeMap<u64, (String, Shelf)>;

/// Those with the lowest numbers of all pages that may be learned from.
fn sample(args: &TrainStatusArgs, given: Option<&Counts>) -> anyhow::Result<Pages> {
    let mut pages = Pages::new();
    let mut reader = report::visits(&args.crawl)?;
    for visit in watch("visit", reader.by_ref()) {
        let Some((fingerprint, shelf)) = candidate(&visit, given) else {
            continue;
        };
        pages.insert(mixed(fingerprint), (visit.url, shelf));
        if pages.len() > args.pages {
            pages.pop_last();
        }
    }
    report::inspect(&reader);
    if pages.is_empty() {
        return Err(anyhow!(
            "`{}` has no archived page{} to learn from",
            args.crawl.display(),
            match given {
                Some(_) => " with a given number of in-links",
                None => "",
            }
        ));
    }
    Ok(pages)
}

/// A page that may be learned from; copies say nothing new.
fn candidate(visit: &Visit, given: Option<&Counts>) -> Option<(u64, Shelf)> {
    let shelf = visit
        .archived
        .filter(|_| visit.is_page() && visit.copy.is_none())?;
    let fingerprint = CanonicalUrl::parse(&visit.url).ok()?.fingerprint().short();
    let is_given = given.is_none_or(|given| given.contains_key(&fingerprint));
    is_given.then_some((fingerprint, shelf))
}

/// Fingerprints decide about shards elsewhere: here they are shuffled.
fn mixed(fingerprint: u64) -> u64 {
    xxhash_rust::xxh3::xxh3_64(&fingerprint.to_le_bytes())
}

/// Counts the pages that link to each page of the sample.
fn count_links(dir: &Path, pages: &Pages) -> anyhow::Result<Counts> {
    let urls = pages
        .values()
        .filter_map(|(url, _)| CanonicalUrl::parse(url).ok());
    let mut counts: Counts = urls.map(|url| (url.fingerprint().short(), 0)).collect();
    for visit in watch("visit", report::visits(dir)?).filter(Visit::is_page) {
        let own = CanonicalUrl::parse(&visit.url).map_or(0, |url| url.fingerprint().short());
        let links = visit.links.iter().filter(|link| link.is_vouched_for());
        let mut linked: Vec<u64> = links.map(|link| link.url).collect();
        linked.sort_unstable();
        // Several nodes may have got the same link.
        linked.dedup();
        for url in linked.into_iter().filter(|url| *url != own) {
            if let Some(count) = counts.get_mut(&url) {
                *count += 1;
            }
        }
    }
    Ok(counts)
}

fn learn(dir: &Path, pages: &Pages, counts: &Counts, traffic: &Traffic) -> anyhow::Result<Trainer> {
    let mut trainer = Trainer::default();
    for (url, shelf) in watch("page", pages.values()) {
        let Ok(url) = CanonicalUrl::parse(url) else {
            continue;
        };
        let response = warc::read_at(dir, *shelf)?;
        let Some(response) = response.filter(|response| response.refers_to.is_none()) else {
            continue;
        };
        let content_type = response.content_type();
        let page = html::read(&response.body, &url, content_type.as_deref());
        let n_inlinks = counts.get(&url.fingerprint().short()).copied();
        trainer.learn(&page, traffic, n_inlinks.unwrap_or(0));
    }
    Ok(trainer)
}

fn table(model: &StatusModel, held_out: Option<HeldOut>) -> String {
    let mut table = Table::new(["status", ""]);
    let mut row = |name: &str, value: String| table.row([name.to_owned(), value]);
    row("pages", thousands(u64::from(model.n_pages())));
    row("leaves of the tree", model.n_leaves().to_string());
    row("θ", format!("{:.2}", model.theta()));
    if let Some(held_out) = held_out {
        row("held out", thousands(held_out.n_pages as u64));
        if let Some(correlation) = held_out.correlation {
            row("Spearman's ρ", format!("{:.3}", correlation.rho));
            row("p", format!("{:.2e}", correlation.p));
        }
        row("mean error", format!("{:.3}", held_out.error));
        row(
            "error of guessing the mean",
            format!("{:.3}", held_out.naive_error),
        );
    }
    table.render()
}

fn as_json(model: &StatusModel, held_out: Option<HeldOut>, out: &Path) -> Value {
    json!({
        "file": PathBuf::from(out),
        "pages": model.n_pages(),
        "leaves": model.n_leaves(),
        "theta": model.theta(),
        "held_out": held_out.map(|held_out| json!({
            "pages": held_out.n_pages,
            "rho": held_out.correlation.map(|it| it.rho),
            "p": held_out.correlation.map(|it| it.p),
            "mean_error": held_out.error,
            "naive_error": held_out.naive_error,
        })),
    })
}
