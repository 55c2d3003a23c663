//! `locavore demo`: the main job, with no internet and no services.

use super::crawl;
use crate::cli::{AssigningArgs, DemoArgs, OrderingArgs};
use crate::message;
use crate::plan::Plan;
use crate::progress::watch;
use crate::session::Session;
use crate::text::count;
use anyhow::{Context, anyhow};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::crawl_dir::{self, StoreError};
use store::visit::Visit;
use strategy::assign;

pub(crate) fn run(args: &DemoArgs) -> anyhow::Result<ExitCode> {
    let dir = &args.out;
    let assigning = AssigningArgs {
        model: args.model.clone(),
        ..AssigningArgs::default()
    };
    let ordering = OrderingArgs {
        weighing: args.weighing.clone(),
        ..OrderingArgs::default()
    };
    let plan = Plan::demo(
        args.pages,
        &args.assign,
        &args.order,
        (&assigning, &ordering),
    )?;
    // Everything is checked before anything is removed or announced.
    let session = Session::prepare(plan, None)?;
    let plan = session.plan().clone();
    if let Some(kept) = kept_plan(dir)? {
        make_room(args, &kept, &plan)?;
    }
    message::info(format!(
        "six nodes crawl {} of a made-up web for 100 US cities\n\
         (`--assign {}`, `--order {}`), kept in `{}`",
        count(args.pages, "page"),
        args.assign,
        args.order,
        dir.display(),
    ));
    let ended = session.run(dir);
    let resume = format!(
        "locavore demo --pages {} --assign {} --order {} --out {}",
        args.pages,
        args.assign,
        args.order,
        dir.display()
    );
    let code = crawl::conclude(dir, ended, &resume, &args.output)?;
    if !args.output.json {
        message::hint(format!(
            "`locavore report {0}` shows this again, `locavore status {0}` what was refused{1}",
            dir.display(),
            another_strategy(&args.assign)
        ));
    }
    Ok(code)
}

/// What else there is to see.
fn another_strategy(assign: &str) -> String {
    let mut others = assign::ALL.iter().filter(|entry| entry.name != assign);
    others.next().map_or(String::new(), |entry| {
        format!("; try `--assign {}`", entry.name)
    })
}

/// A finished demo makes way for a new one, an unfinished one of the same
/// plan is gone on with; anything else only goes when asked to.
fn make_room(args: &DemoArgs, kept: &Plan, plan: &Plan) -> anyhow::Result<()> {
    let dir = &args.out;
    if !kept.demo {
        return Err(anyhow!(
            "`{}` holds a crawl that is not a demo",
            dir.display()
        ));
    }
    let is_same = Plan {
        pages: plan.pages,
        ..kept.clone()
    } == *plan;
    let is_finished = is_finished(dir, kept.pages.unwrap_or(u64::MAX))?;
    match (is_finished || args.fresh, is_same) {
        (true, _) => remove(dir),
        (false, true) => {
            message::info(format!("going on with the demo in `{}`", dir.display()));
            Ok(())
        }
        (false, false) => Err(anyhow!(
            "`{}` holds an unfinished demo with `{}` and `{}`: `--fresh` removes it, or choose \
             another `--out`",
            dir.display(),
            kept.assign,
            kept.order
        )),
    }
}

fn kept_plan(dir: &Path) -> anyhow::Result<Option<Plan>> {
    match crawl_dir::read_settings(dir) {
        Ok(text) => Ok(Some(Plan::from_text(&text)?)),
        Err(StoreError::Missing { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn is_finished(dir: &Path, pages: u64) -> anyhow::Result<bool> {
    let n_pages = watch("visit", super::report::visits(dir)?)
        .filter(Visit::is_page)
        .count() as u64;
    Ok(n_pages >= pages)
}

/// Makes room for a new demo; only ever called on a folder that holds one.
fn remove(dir: &Path) -> anyhow::Result<()> {
    if crawl_dir::is_in_use(dir)? {
        return Err(StoreError::InUse {
            dir: dir.to_path_buf(),
        }
        .into());
    }
    if let Some(stranger) = stranger(dir)? {
        return Err(anyhow!(
            "`{}` is no part of the demo in `{}`, so nothing was removed: move it away, or choose \
             another `--out`",
            stranger.display(),
            dir.display()
        ));
    }
    std::fs::remove_dir_all(dir)
        .with_context(|| format!("cannot remove the earlier demo `{}`", dir.display()))
}

/// Something in a crawl's folder that no crawl puts there.
fn stranger(dir: &Path) -> anyhow::Result<Option<PathBuf>> {
    let is_own = |name: &str| {
        matches!(
            name,
            "crawl.json" | "crawl.json.new" | "lock" | "visits" | "warc" | "index"
        ) || matches!(name, "state.json" | "state.json.new")
            || matches!(name, "progress.json" | "progress.json.new")
            || matches!(name, "order.model" | "order.model.new")
            || name.starts_with("tables")
    };
    for (folder, is_own) in [
        (dir.to_path_buf(), &is_own as &dyn Fn(&str) -> bool),
        (dir.join("visits"), &|name| name.starts_with("visits-")),
        (dir.join("warc"), &|name| name.starts_with("locavore-")),
    ] {
        if let Some(stranger) = first_not(&folder, is_own)? {
            return Ok(Some(stranger));
        }
    }
    Ok(None)
}

/// The first entry of a folder, by name, that is not its own.
fn first_not(folder: &Path, is_own: &dyn Fn(&str) -> bool) -> anyhow::Result<Option<PathBuf>> {
    if !folder.is_dir() {
        return Ok(None);
    }
    let cannot_read = || format!("cannot read `{}`", folder.display());
    let mut strangers = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(cannot_read)? {
        let name = entry.with_context(cannot_read)?.file_name();
        if !name.to_str().is_some_and(is_own) {
            strangers.push(folder.join(name));
        }
    }
    Ok(strangers.into_iter().min())
}
