//! `locavore train`: makes the model of `--assign classifier`.
//!
//! Pages with labels come from a file (`examples.rs`), from an earlier crawl,
//! where addresses found say what a page is about (`past_crawl.rs`), or from
//! the directory of the made-up web (`lab::shelves`). The same pages make the
//! same model, but for the date in it. Topics (`topic.rs`) and what important
//! pages look like (`status.rs`) are learned apart.

mod examples;
mod past_crawl;
mod status;
mod topic;

use crate::cli::{TrainArgs, TrainCommand};
use crate::message;
use crate::plan::{MadeUp, Plan, read_split};
use crate::progress::wait_for;
use crate::text::{count, thousands};
use anyhow::{Context, anyhow};
use lab::shelves::{self, Wanted};
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::path::Path;
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};
use store::crawl_dir;
use store::visit::Time;
use store::warc;
use strategy::model::{Label, Trainer};
use strategy::roster::{Roster, Seating, Split};

/// Pages about each place, as the directory lists them, unless told otherwise.
const PER_TARGET: usize = 200;

/// Pages about none, unless told otherwise: as in the paper.
const OTHERS: usize = 2_000;

/// Fewer examples of a class are worth a warning.
const FEW: u64 = 20;

pub(crate) fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    match &args.what {
        Some(TrainCommand::Topic(args)) => return topic::run(args),
        Some(TrainCommand::Status(args)) => return status::run(args),
        None => {}
    }
    let (targets, roster) = subject(args)?;
    let mut trainer = Trainer::new(&targets, &roster);
    if let Some(file) = &args.source.examples {
        examples::learn(&mut trainer, &targets, file)?;
    } else if let Some(dir) = &args.source.crawl {
        past_crawl::learn(&mut trainer, &targets, dir, args.others.unwrap_or(OTHERS))?;
    } else {
        learn_from_lab(&mut trainer, &targets, args)?;
    }
    check(&trainer)?;
    let model = trainer.finish(&today());
    write(&args.out, model.to_text().as_bytes())?;
    for (class, n_examples) in model.classes() {
        message::info(format!("{class}: {}", count(n_examples, "page")));
    }
    message::info(format!(
        "{} words kept in `{}`",
        thousands(model.n_words() as u64),
        args.out.display()
    ));
    let out = args.out.display();
    message::hint(format!(
        "`--assign classifier --model {out}` crawls with it"
    ));
    Ok(ExitCode::SUCCESS)
}

/// What the model is for: the places and nodes given, or those of the crawl
/// that it learns from.
fn subject(args: &TrainArgs) -> anyhow::Result<(Targets, Roster)> {
    let gazetteer = Gazetteer::built_in();
    if let Some(dir) = &args.source.crawl {
        let plan = Plan::from_text(&crawl_dir::read_settings(dir)?)?;
        let targets = plan.targets()?;
        let roster = plan.roster(&targets)?;
        return Ok((targets, roster));
    }
    let usual = ["us-top100".to_owned()];
    let places = match args.places.is_empty() {
        true => &usual[..],
        false => &args.places,
    };
    let is_paper = places
        .iter()
        .any(|place| place.eq_ignore_ascii_case("us-top100"));
    let targets = Targets::parse(gazetteer, places)?;
    let split = args.split.as_deref().map(read_split).transpose()?;
    let usual = match (&split, args.general) {
        (Some(_), _) => None,
        (None, n_general) if is_paper => Some(n_general.unwrap_or(1).saturating_add(5)),
        (None, n_general) => Some(n_general.unwrap_or(0).saturating_add(1)),
    };
    let seating = Seating {
        n_nodes: args.nodes.or(usual),
        n_general: args.general,
        split: split.map(Split::from).unwrap_or_default(),
    };
    let roster = Roster::seat(gazetteer, &targets, &seating)?;
    Ok((targets, roster))
}

fn learn_from_lab(
    trainer: &mut Trainer,
    targets: &Targets,
    args: &TrainArgs,
) -> anyhow::Result<()> {
    let world = MadeUp::from_args(&args.world)?.open();
    let wanted = Wanted {
        of_target: args.per_target.unwrap_or(PER_TARGET),
        of_none: args.others.unwrap_or(OTHERS),
    };
    wait_for("reading what the directory lists", || {
        shelves::examples(&world, targets, wanted, &mut |target, page| {
            trainer.learn(target.map_or(Label::None, Label::Target), &page.text);
        });
    });
    Ok(())
}

/// A class without a single page would never be chosen.
fn check(trainer: &Trainer) -> anyhow::Result<()> {
    for (class, n_examples) in trainer.n_examples() {
        match n_examples {
            0 => {
                return Err(anyhow!(
                    "no page to learn `{class}` from: every node's places need some, and `none` too"
                ));
            }
            1..FEW => message::warning(format!(
                "only {} to learn `{class}` from",
                count(n_examples, "page")
            )),
            _ => {}
        }
    }
    Ok(())
}

/// The day, as `2006-05-23`.
fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let at = since.map_or(0, |since| since.as_millis() as u64);
    warc::date(Time(at)).chars().take(10).collect()
}

/// All or nothing: an earlier model stays until the new one is whole.
fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let mut new = path.as_os_str().to_owned();
    new.push(".new");
    std::fs::write(&new, bytes)
        .and_then(|()| std::fs::rename(&new, path))
        .with_context(|| format!("cannot write `{}`", path.display()))
}
