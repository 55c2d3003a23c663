//! `locavore lab run`: an experiment, from its file to its report.

mod beside;
mod results;

use super::INCOMPLETE;
use crate::cli::LabRunArgs;
use crate::interrupt;
use crate::message::{self, is_fancy_terminal};
use crate::output::{print_json, show};
use crate::progress::redraw;
use crate::table::Table;
use crate::text::{count, percent, span, thousands};
use anyhow::Context;
use crawl::progress::Progress;
use lab::experiment::{
    Bench, Experiment, Outcome, Preparation, Subject, Summary, Trial, page, tables,
};
use lab::measure::Report;
use results::{csv, json, nodes_csv};
use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A line that says how it goes changes this often on a terminal.
const SHOWN_EVERY: Duration = Duration::from_millis(200);

/// Elsewhere, where every line stays.
const TOLD_EVERY: Duration = Duration::from_secs(60);

pub(crate) fn run(args: &LabRunArgs) -> anyhow::Result<ExitCode> {
    let out = args.out.clone().unwrap_or_else(|| default_out(&args.file));
    let bench = Bench::open(&args.file, &out)
        .with_context(|| format!("cannot run `{}`", args.file.display()))?;
    for flaw in bench.flaws() {
        message::warning(flaw);
    }
    let trials = bench.trials();
    let stop = interrupt::flag()?;
    let outcomes = match bench.experiment.subject() {
        Subject::Topics => {
            prepare(&bench, &trials, &stop)?;
            beside::run(&bench, &trials, &stop)?
        }
        Subject::Places | Subject::StatusLocality => {
            count_reach(&bench, &stop)?;
            run_trials(&bench, &trials, &stop)?
        }
    };
    let summary = bench.summary(outcomes);
    let n_missing = summary.n_missing;
    // Before a trial has ended there is nothing to tell.
    let is_empty = summary.groups.is_empty();
    let report = match is_empty {
        true => None,
        false => Some(write_results(&bench, &summary, &args.file)?),
    };
    if args.json {
        print_json(&json(&summary)?)?;
    } else if !is_empty {
        show(&render(&summary))?;
    }
    if let Some(report) = report {
        message::info(format!("the report is `{}`", report.display()));
    }
    let resumed = summary.resumed();
    if !resumed.is_empty() {
        message::info(format!(
            "gone on with after an interruption, so a little otherwise than they would have been: {}",
            resumed.join(", ")
        ));
    }
    if n_missing == 0 {
        return Ok(ExitCode::SUCCESS);
    }
    message::warning(format!(
        "{}: {n_missing} of {} trials are missing; the same command goes on with them",
        interrupt::reason(),
        trials.len()
    ));
    Ok(ExitCode::from(INCOMPLETE))
}

/// One trial after the other; each uses all cores.
fn run_trials(
    bench: &Bench,
    trials: &[Trial],
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Vec<Outcome>> {
    let mut outcomes = Vec::new();
    let mut n_left = 0;
    for trial in trials {
        n_left += u64::from(bench.outcome(trial)?.is_none());
    }
    for (nth, trial) in trials.iter().enumerate() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let outcome = match bench.outcome(trial)? {
            Some(outcome) => Some(outcome),
            None => {
                n_left -= 1;
                let place = format!("{}/{}", nth + 1, trials.len());
                run_trial(bench, trial, &place, n_left, stop)?
            }
        };
        outcomes.extend(outcome);
    }
    Ok(outcomes)
}

/// Learns topics and status and counts in-links, where a trial is left to run.
fn prepare(bench: &Bench, trials: &[Trial], stop: &AtomicBool) -> anyhow::Result<()> {
    let mut is_any_left = false;
    for trial in trials {
        is_any_left |= bench.outcome(trial)?.is_none();
    }
    if !is_any_left {
        return Ok(());
    }
    let start = Instant::now();
    let mut line = Line::default();
    bench.prepare(&mut |preparation| {
        line.show(|| match preparation {
            Preparation::InLinks(seed, n_pages) => format!(
                "seed {seed}: links of {} pages are counted",
                thousands(n_pages)
            ),
            Preparation::Topics(n) => format!("{n} topics are learned"),
            Preparation::Status => "status is being learned".to_owned(),
        });
        until(stop)
    })?;
    line.clear();
    message::info(format!("prepared in {}", span(start.elapsed())));
    Ok(())
}

/// A line that is written over again and again on a terminal, and a line now
/// and then elsewhere.
struct Line {
    last: Instant,
    is_shown: bool,
}

impl Default for Line {
    fn default() -> Line {
        Line {
            last: Instant::now(),
            is_shown: false,
        }
    }
}

impl Line {
    fn show(&mut self, text: impl FnOnce() -> String) {
        if self.is_due() {
            self.put(&text());
        }
    }

    fn is_due(&self) -> bool {
        let every = match is_fancy_terminal() {
            true => SHOWN_EVERY,
            false => TOLD_EVERY,
        };
        self.last.elapsed() >= every
    }

    fn put(&mut self, text: &str) {
        self.last = Instant::now();
        self.is_shown = is_fancy_terminal();
        if self.is_shown {
            redraw(text);
        } else {
            message::info(text);
        }
    }

    fn clear(&mut self) {
        if std::mem::take(&mut self.is_shown) {
            redraw("");
        }
    }
}

/// Goes on until somebody says to stop.
fn until(stop: &AtomicBool) -> ControlFlow<()> {
    match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    }
}

/// Beside the experiment's file: `collaborative.toml` → `collaborative/`.
fn default_out(file: &Path) -> PathBuf {
    file.with_extension("")
}

/// Counts what can be reached in each world, for experiments that ask for it.
fn count_reach(bench: &Bench, stop: &AtomicBool) -> anyhow::Result<()> {
    for seed in &bench.experiment.seeds {
        let mut line = Line::default();
        let counted = bench.count_reach(*seed, |n_pages| {
            line.show(|| {
                let n_pages = thousands(n_pages);
                format!("seed {seed}: {n_pages} pages can be reached so far")
            });
            until(stop)
        })?;
        line.clear();
        if let Some(reach) = counted {
            message::info(format!(
                "seed {seed}: {} pages can be reached, {} of them relevant ({})",
                thousands(reach.pages),
                thousands(reach.relevant),
                percent((reach.pages > 0).then(|| reach.relevant as f64 / reach.pages as f64))
            ));
        }
    }
    Ok(())
}

fn run_trial(
    bench: &Bench,
    trial: &Trial,
    place: &str,
    n_left: u64,
    stop: &Arc<AtomicBool>,
) -> anyhow::Result<Option<Outcome>> {
    let mut line = TrialLine::new(place, trial, n_left, bench.experiment.pages);
    let outcome = bench.run(trial, Arc::clone(stop), &mut |progress| line.show(progress))?;
    line.line.clear();
    if let Some(outcome) = &outcome {
        let report = &outcome.report;
        message::info(format!(
            "{place} {}: {} pages in {}, {}",
            trial.name(),
            thousands(report.pages),
            span(Duration::from_secs_f64(outcome.seconds)),
            headline(bench.experiment.subject(), report)
        ));
    }
    Ok(outcome)
}

/// What a trial is about, in a few words.
fn headline(subject: Subject, report: &Report) -> String {
    match subject {
        Subject::Places => format!("geo-coverage {}", percent(report.geo_coverage)),
        Subject::StatusLocality => {
            let status = report.status_locality.as_ref();
            let near = status.and_then(|status| status.anywhere.first()?.rho);
            let rho = near.map_or_else(|| "–".to_owned(), |rho| format!("{rho:.3}"));
            format!("status locality {rho} one link away")
        }
        Subject::Topics => {
            let worth = report.worth.as_ref();
            let status = worth.and_then(|worth| worth.average_status);
            format!(
                "topicality {}, status {}",
                percent(worth.and_then(|worth| worth.average_topicality)),
                status.map_or_else(|| "–".to_owned(), |status| format!("{status:.2}"))
            )
        }
    }
}

/// One line that says how a trial goes.
struct TrialLine {
    name: String,
    n_pages: u64,
    n_trials_left: u64,
    /// When it was first heard of, and the pages then.
    first: Option<(Instant, u64)>,
    line: Line,
}

impl TrialLine {
    fn new(place: &str, trial: &Trial, n_trials_left: u64, n_pages: u64) -> TrialLine {
        TrialLine {
            name: format!("{place} {}", trial.name()),
            n_pages,
            n_trials_left,
            first: None,
            line: Line::default(),
        }
    }

    fn show(&mut self, progress: &Progress) {
        let first = (Instant::now(), progress.n_pages());
        let first = *self.first.get_or_insert(first);
        self.line.show(|| {
            trial_text(
                &self.name,
                (self.n_pages, self.n_trials_left),
                first,
                progress,
            )
        });
    }
}

/// How far a trial is, and when all are done at the rate since it was first heard of.
fn trial_text(
    name: &str,
    (n_wanted, n_trials_left): (u64, u64),
    (start, n_before): (Instant, u64),
    progress: &Progress,
) -> String {
    let n_pages = progress.n_pages();
    let rate = (n_pages - n_before) as f64 / start.elapsed().as_secs_f64();
    let harvest = (n_pages > 0).then(|| progress.n_geo_pages() as f64 / n_pages as f64);
    let n_left = n_wanted.saturating_sub(n_pages) + n_trials_left * n_wanted;
    let left = match rate > 0.0 {
        true => span(Duration::from_secs_f64(n_left as f64 / rate)),
        false => "?".to_owned(),
    };
    format!(
        "{name}: {} of {} pages, {} pages/s, harvest {}, {left} left in all",
        thousands(n_pages),
        thousands(n_wanted),
        thousands(rate as u64),
        percent(harvest)
    )
}

fn write_results(bench: &Bench, summary: &Summary, file: &Path) -> anyhow::Result<PathBuf> {
    let file_name = file.file_name().map(|name| name.to_string_lossy());
    let how = format!(
        "Made by `locavore lab run {}`: {}.",
        file_name.unwrap_or_default(),
        how_much(&bench.experiment),
    );
    // For programs: curves make it long.
    bench.write("results.json", &serde_json::to_string(&json(summary)?)?)?;
    bench.write("results.csv", &csv(summary))?;
    if summary.subject == Subject::Places {
        bench.write("nodes.csv", &nodes_csv(summary))?;
    }
    Ok(bench.write("report.html", &page(summary, &how))?)
}

/// `200,000 pages with each of 6 strategies and 3 seeds, on made-up webs`
fn how_much(experiment: &Experiment) -> String {
    let Experiment {
        pages,
        seeds,
        assign,
        order,
        web,
        topics,
        ..
    } = experiment;
    if !topics.is_empty() {
        return format!(
            "{} pages or more for each of {} in {}, on made-up webs",
            thousands(*pages),
            count(topics.len() as u64, "topic"),
            count(order.len() as u64, "order")
        );
    }
    if experiment.status_locality {
        let webs = match web.is_empty() {
            true => format!("{} made up", count(seeds.len() as u64, "web")),
            false => "recorded pages".to_owned(),
        };
        return format!("{webs}, {} pages of each at most", thousands(*pages));
    }
    let strategies = count(assign.len() as u64, "strategy");
    let orders = match order.len() {
        1 => String::new(),
        n => format!(", {}", count(n as u64, "order")),
    };
    let webs = match web.is_empty() {
        true => format!(
            " and {}, on made-up webs",
            count(seeds.len() as u64, "seed")
        ),
        false => ", of recorded pages".to_owned(),
    };
    format!(
        "{} pages with each of {strategies}{orders}{webs}",
        thousands(*pages)
    )
}

fn render(summary: &Summary) -> String {
    let mut text = String::new();
    for lab::experiment::Table {
        title,
        header,
        rows,
    } in tables(summary)
    {
        let mut table = Table::of(header);
        for row in rows {
            table.push(row);
        }
        let _ = write!(text, "{title}\n\n{}\n", table.render());
    }
    text
}
