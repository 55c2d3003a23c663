//! A crawl's plan: what was asked for, as it is kept in the crawl's folder.
//!
//! Starting on a folder that holds a crawl resumes it, so what is asked for
//! then must agree with the plan kept there. What does not change which pages
//! are wanted may change: how many, through which proxy, and whom to contact.

mod assigning;
mod granted;
mod made_up;
mod ordering;
mod recorded;
mod scoping;
mod split;
mod weighing;

pub(crate) use assigning::Assigning;
pub(crate) use made_up::{MadeUp, read_world};
pub(crate) use ordering::Ordering;
pub(crate) use recorded::{RecordedFile, is_archive_name, is_named, looks_like_file};
pub(crate) use scoping::Scoping;
pub(crate) use split::{KeptSplit, read as read_split};

use crate::cli::{AssigningArgs, CrawlArgs, OrderingArgs};
use crate::message;
use crate::text::thousands;
use anyhow::{Context, anyhow};
use crawl::fetch::address::OpenRange;
use place::gazetteer::{Gazetteer, PlaceId};
use place::target::{TargetError, Targets};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::fmt::Display;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;
use store::packing::Packing;
use strategy::roster::{Roster, RosterError, Seating, Split};
use strategy::{assign, order};

/// All that decides what a crawl does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Plan {
    pub(crate) places: Vec<String>,
    pub(crate) seeds: Vec<String>,
    pub(crate) assign: String,
    pub(crate) order: String,
    pub(crate) nodes: usize,
    /// General nodes among them, where it is not the usual number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) general: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pages: Option<u64>,
    pub(crate) delay_ms: u64,
    pub(crate) depth: u16,
    /// Most time for one exchange, where it is not the usual one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) timeout_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tries: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) retry_wait_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) no_sitemaps: bool,
    /// The file of those who vouch for certificates, where it is not the system.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) roots: Option<PathBuf>,
    /// The name server, where it is not the system's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) dns: Option<SocketAddr>,
    pub(crate) demo: bool,
    /// Name of the way in which the archive is compressed.
    #[serde(default = "usual_packing")]
    pub(crate) compress: String,
    /// How targets are shared out, where it is not the usual way.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) split: Option<KeptSplit>,
    /// How links are assigned, beside the strategy itself.
    #[serde(default, skip_serializing_if = "Assigning::is_usual")]
    pub(crate) assigning: Assigning,
    /// Which link is next, beside the order itself, and which are left out.
    #[serde(default, skip_serializing_if = "Ordering::is_usual")]
    pub(crate) ordering: Ordering,
    /// What links have to keep to.
    #[serde(default, skip_serializing_if = "Scoping::is_usual")]
    pub(crate) scoping: Scoping,
    pub(crate) web: Web,
}

fn usual_packing() -> String {
    Packing::default().name().into()
}

/// The web that is crawled.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "kind")]
pub(crate) enum Web {
    /// The one out there.
    Real {
        contact: String,
        allow_private: Vec<String>,
    },
    /// Whatever stands behind a proxy.
    Proxy {
        url: String,
        contact: Option<String>,
        allow_private: Vec<String>,
        /// The made-up web that stood there when the crawl began, where its
        /// seeds were wanted.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        world: Option<MadeUp>,
    },
    /// Made up in this process, on the virtual clock.
    Lab(MadeUp),
    /// Recorded in WARC files, on the virtual clock.
    Recorded { files: Vec<RecordedFile> },
}

/// The least delay on the real web, but for one's own network.
pub(crate) const LEAST_DELAY: Duration = Duration::from_millis(250);

impl Plan {
    /// The demo: the 2006 paper's experiment in small.
    pub(crate) fn demo(
        pages: u64,
        assign: &str,
        order: &str,
        (assigning, ordering): (&AssigningArgs, &OrderingArgs),
    ) -> anyhow::Result<Plan> {
        Ok(Plan {
            places: vec!["us-top100".into()],
            seeds: Vec::new(),
            assign: assign.into(),
            order: order.into(),
            nodes: 6,
            general: None,
            pages: Some(pages),
            delay_ms: 1000,
            depth: 5,
            timeout_ms: None,
            tries: None,
            retry_wait_ms: None,
            no_sitemaps: false,
            roots: None,
            dns: None,
            demo: true,
            compress: usual_packing(),
            split: None,
            assigning: Assigning::from_args(assigning, assign)?,
            ordering: Ordering::from_args(ordering, order)?,
            scoping: Scoping::default(),
            web: Web::Lab(MadeUp::default()),
        })
    }

    /// Reads a plan from the command line; `seeds` are the checked lines of the seed file.
    pub(crate) fn from_args(args: &CrawlArgs, seeds: Vec<String>) -> anyhow::Result<Plan> {
        let is_paper = args
            .places
            .iter()
            .any(|place| place.eq_ignore_ascii_case("us-top100"));
        let web = web_of(args)?;
        let split = args.split.as_deref().map(split::read).transpose()?;
        let delay = args.delay.unwrap_or(Duration::from_secs(1));
        if delay < LEAST_DELAY && !web.may_be_hurried() {
            return Err(anyhow!(
                "`--delay` under 250 ms is for made-up webs and your own network \
                 (`--allow-private`) only"
            ));
        }
        let assign = args.assign.clone().unwrap_or_else(|| "url".into());
        let order = args.order.clone().unwrap_or_else(|| "breadth".into());
        let (assigning, ordering) = with_models(args, &assign, &order);
        Ok(Plan {
            places: args.places.clone(),
            seeds,
            assigning: Assigning::from_args(&assigning, &assign)?,
            ordering: Ordering::from_args(&ordering, &order)?,
            scoping: Scoping::from_args(&args.scoping)?,
            assign,
            order,
            nodes: split::n_nodes(args, split.as_ref(), is_paper)?,
            general: args.general,
            pages: args.pages,
            delay_ms: milliseconds(delay),
            depth: args.depth.unwrap_or(5),
            timeout_ms: args.timeout.map(milliseconds),
            tries: args.tries,
            retry_wait_ms: args.retry_wait.map(milliseconds),
            no_sitemaps: args.no_sitemaps,
            roots: roots_of(args)?,
            dns: args.dns,
            demo: false,
            compress: compress_of(args)?,
            split,
            web,
        })
    }

    /// The private addresses that are open to this crawl.
    pub(crate) fn own_network(&self) -> anyhow::Result<Vec<OpenRange>> {
        let ranges = match &self.web {
            Web::Real { allow_private, .. } | Web::Proxy { allow_private, .. } => allow_private,
            Web::Lab(_) | Web::Recorded { .. } => return Ok(Vec::new()),
        };
        let parse = |range: &String| {
            let range = range.parse();
            range.context("the plan kept in the crawl folder cannot be read")
        };
        ranges.iter().map(parse).collect()
    }

    /// Least time between two requests to a host of one's own.
    pub(crate) fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    /// What the real web behind a proxy would not be asked without; none where
    /// the plan has all of it.
    pub(crate) fn lacks_for_real_web(&self) -> Option<&'static str> {
        let Web::Proxy {
            contact,
            allow_private,
            ..
        } = &self.web
        else {
            return None;
        };
        let is_hasty = self.delay() < LEAST_DELAY && allow_private.is_empty();
        match (contact, is_hasty) {
            (None, _) => Some("`--contact you@example.org`"),
            (Some(_), true) => Some("`--delay` of 250 ms or more"),
            (Some(_), false) => None,
        }
    }

    /// The places asked for, as the gazetteer knows them.
    pub(crate) fn targets(&self) -> Result<Targets, TargetError> {
        Targets::parse(Gazetteer::built_in(), &self.places)
    }

    /// Who crawls for which of the targets.
    pub(crate) fn roster(&self, targets: &Targets) -> Result<Roster, RosterError> {
        let seating = Seating {
            n_nodes: Some(self.nodes),
            n_general: self.general,
            split: self.split.clone().map(Split::from).unwrap_or_default(),
        };
        Roster::seat(Gazetteer::built_in(), targets, &seating)
    }

    fn n_general(&self) -> anyhow::Result<usize> {
        let roster = self.roster(&self.targets()?)?;
        let seats = roster.seats().iter();
        Ok(seats.filter(|seat| seat.targets.is_empty()).count())
    }

    /// What the places asked for came to, in words.
    pub(crate) fn name_targets(targets: &Targets) -> String {
        granted::in_words(targets)
    }

    /// The same for programs.
    pub(crate) fn targets_as_json(targets: &Targets) -> Vec<serde_json::Value> {
        granted::as_json(targets)
    }

    /// Whom to write to about the crawl.
    pub(crate) fn contact(&self) -> Option<&str> {
        match &self.web {
            Web::Real { contact, .. } => Some(contact),
            Web::Proxy { contact, .. } => contact.as_deref(),
            Web::Lab(_) | Web::Recorded { .. } => None,
        }
    }

    /// How the archive is compressed.
    pub(crate) fn packing(&self) -> Packing {
        // Names are checked when a plan is made.
        Packing::named(&self.compress).unwrap_or_default()
    }

    pub(crate) fn to_text(&self) -> String {
        toml::to_string_pretty(self).expect("a plan is plain data, its paths in UTF-8")
    }

    pub(crate) fn from_text(text: &str) -> anyhow::Result<Plan> {
        anyhow::ensure!(
            !text.starts_with('{'),
            "this crawl belongs to an experiment (`locavore lab run`): what comes of it is in the \
             experiment's own folder; only crawls made by `locavore crawl` can be looked at alone"
        );
        toml::from_str(text).context("the plan kept in the crawl folder cannot be read")
    }

    /// Resumes with what is asked for now: an error where the two disagree.
    /// Pages, contact and proxy are taken over, and kept from then on.
    pub(crate) fn resume(mut self, args: &CrawlArgs, seeds: &[String]) -> anyhow::Result<Plan> {
        agree_on_places(&self.places, &args.places)?;
        if args.seeds.is_some() {
            agree_on_seeds(&self.seeds, seeds)?;
        }
        agree_if_given("--assign", &self.assign, args.assign.as_ref())?;
        let (assigning, ordering) = with_models(args, &self.assign, &self.order);
        self.assigning.resume(&assigning)?;
        self.ordering.resume(&ordering)?;
        self.scoping.resume(&args.scoping)?;
        agree_if_given("--order", &self.order, args.order.as_ref())?;
        agree_if_given("--nodes", &self.nodes, args.nodes.as_ref())?;
        if args.general != self.general {
            let general = self.n_general()?;
            agree_if_given("--general", &general, args.general.as_ref())?;
        }
        split::agree(self.split.as_ref(), args.split.as_deref())?;
        agree_if_given("--depth", &self.depth, args.depth.as_ref())?;
        agree_if_given("--compress", &self.compress, args.compress.as_ref())?;
        if let Some(delay) = args.delay {
            agree_if_given("--delay (ms)", &self.delay_ms, Some(&milliseconds(delay)))?;
        }
        self.web.resume(args)?;
        if args.pages.is_some() && args.refresh.is_none() {
            self.pages = args.pages;
        }
        self.tries = args.tries.or(self.tries);
        self.retry_wait_ms = args.retry_wait.map(milliseconds).or(self.retry_wait_ms);
        self.no_sitemaps |= args.no_sitemaps;
        if args.timeout.is_some() {
            self.timeout_ms = args.timeout.map(milliseconds);
        }
        if args.roots.is_some() {
            self.roots = roots_of(args)?;
        }
        self.dns = args.dns.or(self.dns);
        Ok(self)
    }
}

impl Web {
    /// Whether hosts may be asked more often than on the real web, if only
    /// those of one's own network. What stands behind a proxy is asked when a
    /// crawl starts.
    fn may_be_hurried(&self) -> bool {
        match self {
            Web::Real { allow_private, .. } => !allow_private.is_empty(),
            Web::Proxy { .. } | Web::Lab(_) | Web::Recorded { .. } => true,
        }
    }

    fn kind(&self) -> &'static str {
        match self {
            Web::Real { .. } | Web::Proxy { .. } => "real",
            Web::Lab(_) => "lab",
            Web::Recorded { .. } => "recorded pages",
        }
    }

    fn resume(&mut self, args: &CrawlArgs) -> anyhow::Result<()> {
        self.agree(&args.web)?;
        match self {
            Web::Recorded { .. } => {
                made_up::refuse(&args.world)?;
                refuse_if_given("--proxy", args.proxy.is_some())?;
            }
            Web::Lab(made_up) => {
                made_up.agree(&args.world)?;
                refuse_if_given("--proxy", args.proxy.is_some())?;
            }
            Web::Real {
                contact,
                allow_private,
            } => {
                refuse_if_given("--proxy", args.proxy.is_some())?;
                made_up::refuse(&args.world)?;
                if let Some(new) = &args.contact {
                    contact.clone_from(new);
                }
                agree(
                    "--allow-private",
                    allow_private,
                    &ranges_of(args),
                    args.allow_private.is_empty(),
                )?;
            }
            Web::Proxy {
                url,
                contact,
                allow_private,
                ..
            } => {
                made_up::refuse(&args.world)?;
                if let Some(new) = &args.proxy {
                    url.clone_from(new);
                }
                if args.contact.is_some() {
                    contact.clone_from(&args.contact);
                }
                agree(
                    "--allow-private",
                    allow_private,
                    &ranges_of(args),
                    args.allow_private.is_empty(),
                )?;
            }
        }
        Ok(())
    }
}

/// Gives `--model` to whoever listens to it: the strategy or, where that does
/// not, the order.
fn with_models(args: &CrawlArgs, assign: &str, order: &str) -> (AssigningArgs, OrderingArgs) {
    let (mut assigning, mut ordering) = (args.assigning.clone(), args.ordering.clone());
    let is_deaf = assign::by_name(assign).is_some_and(|entry| !entry.settings.contains(&"--model"));
    let listens =
        order::by_name(order).is_some_and(|entry| entry.settings.contains(&"--order-model"));
    if is_deaf && listens && ordering.order_model.is_none() {
        ordering.order_model = assigning.model.take();
    }
    (assigning, ordering)
}

/// The private ranges that were opened, as the plan keeps them.
fn ranges_of(args: &CrawlArgs) -> Vec<String> {
    args.allow_private
        .iter()
        .map(OpenRange::to_string)
        .collect()
}

fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

impl Web {
    /// Whether `--web` names this web, if it is given at all.
    fn agree(&self, asked: &[String]) -> anyhow::Result<()> {
        recorded::refuse_mixture(asked)?;
        match (self, asked) {
            (_, []) => Ok(()),
            (Web::Recorded { files }, asked) => recorded::agree(files, asked),
            (web, [asked, ..]) => agree_if_given("--web", &web.kind().to_owned(), Some(asked)),
        }
    }
}

fn compress_of(args: &CrawlArgs) -> anyhow::Result<String> {
    let Some(name) = &args.compress else {
        return Ok(usual_packing());
    };
    if Packing::named(name).is_none() {
        let names = Packing::ALL.map(|packing| packing.name().to_owned());
        return Err(anyhow!(
            "no compression named `{name}`: {}",
            message::list(&names, "or")
        ));
    }
    Ok(name.clone())
}

/// The plan is kept as text, so its paths have to be some.
fn roots_of(args: &CrawlArgs) -> anyhow::Result<Option<PathBuf>> {
    match &args.roots {
        Some(file) if file.to_str().is_none() => {
            Err(anyhow!("`--roots {}` is not UTF-8", file.display()))
        }
        roots => Ok(roots.clone()),
    }
}

fn refuse_if_given(what: &str, is_given: bool) -> anyhow::Result<()> {
    match is_given {
        true => Err(anyhow!(
            "this crawl was started without `{what}`: choose another `--out`"
        )),
        false => Ok(()),
    }
}

fn web_of(args: &CrawlArgs) -> anyhow::Result<Web> {
    recorded::refuse_mixture(&args.web)?;
    let web = args.web.first().map_or("real", String::as_str);
    if web != "lab" {
        refuse_world_outside_lab(args)?;
    }
    match (web, &args.proxy, &args.contact) {
        ("lab", None, _) => Ok(Web::Lab(MadeUp::from_args(&args.world)?)),
        ("lab", Some(_), _) => Err(anyhow!(
            "`--web lab` needs no proxy: leave out one of `--web` and `--proxy`"
        )),
        ("real", Some(proxy), contact) => Ok(Web::Proxy {
            url: proxy.clone(),
            contact: contact.clone(),
            allow_private: ranges_of(args),
            world: None,
        }),
        ("real", None, Some(contact)) => Ok(Web::Real {
            contact: contact.clone(),
            allow_private: ranges_of(args),
        }),
        ("real", None, None) => Err(anyhow!(
            "on the real web the people you visit must be able to reach you: say \
             `--contact you@example.org`, or try `--web lab`"
        )),
        (_, Some(_), _) if looks_like_file(web) => Err(anyhow!(
            "recorded pages need no proxy: leave out one of `--web` and `--proxy`"
        )),
        _ if looks_like_file(web) => Ok(Web::Recorded {
            files: recorded::look_up(&args.web)?,
        }),
        _ => Err(anyhow!(
            "no web named `{web}`: `real`, `lab` or the name of a WARC file"
        )),
    }
}

fn refuse_world_outside_lab(args: &CrawlArgs) -> anyhow::Result<()> {
    let world = &args.world;
    if world.world.is_some() || world.world_seed.is_some() || world.world_sites.is_some() {
        return Err(anyhow!(
            "`--world`, `--world-seed` and `--world-sites` belong to `--web lab`"
        ));
    }
    Ok(())
}

/// Places may be written in other words, as long as they mean the same.
fn agree_on_places(kept: &[String], asked: &[String]) -> anyhow::Result<()> {
    if asked.is_empty() || kept == asked {
        return Ok(());
    }
    let gazetteer = Gazetteer::built_in();
    let meant = |places: &[String]| -> Result<BTreeSet<PlaceId>, TargetError> {
        let targets = Targets::parse(gazetteer, places)?;
        Ok(targets.list().iter().map(|target| target.place).collect())
    };
    if meant(asked)? == meant(kept)? {
        return Ok(());
    }
    Err(disagreement("places", &kept.join("; "), &asked.join("; ")))
}

/// Seeds may be thousands: their numbers have to do.
fn agree_on_seeds(kept: &[String], asked: &[String]) -> anyhow::Result<()> {
    if kept.is_empty() {
        return refuse_if_given("--seeds", true);
    }
    let (old, new): (BTreeSet<&String>, BTreeSet<&String>) =
        (kept.iter().collect(), asked.iter().collect());
    if old == new {
        return Ok(());
    }
    let n_added = new.difference(&old).count() as u64;
    let n_gone = old.difference(&new).count() as u64;
    Err(anyhow!(
        "this crawl was started with other seeds: {} then, {} in the file now, {} new and {} gone: \
         choose another `--out`",
        thousands(old.len() as u64),
        thousands(new.len() as u64),
        thousands(n_added),
        thousands(n_gone),
    ))
}

fn agree(what: &str, kept: &[String], asked: &[String], is_silent: bool) -> anyhow::Result<()> {
    if is_silent || kept == asked {
        return Ok(());
    }
    Err(disagreement(what, &kept.join("; "), &asked.join("; ")))
}

fn agree_if_given<T: PartialEq + Display>(
    what: &str,
    kept: &T,
    asked: Option<&T>,
) -> anyhow::Result<()> {
    match asked {
        Some(asked) if asked != kept => {
            Err(disagreement(what, &kept.to_string(), &asked.to_string()))
        }
        _ => Ok(()),
    }
}

fn disagreement(what: &str, kept: &str, asked: &str) -> anyhow::Error {
    anyhow!("this crawl was started with {what} `{kept}`, not `{asked}`: choose another `--out`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_crawl_of_an_experiment_is_told() {
        let error = Plan::from_text("{\"world\":{}}").unwrap_err().to_string();
        assert!(error.contains("lab run"), "{error}");
    }
}
