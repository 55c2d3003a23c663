//! `locavore lab relevance`: how relevant search answers are, with words alone and with places.

use crate::cli::LabRelevanceArgs;
use crate::output::{print_json, show};
use crate::plan::read_world;
use crate::table::Table;
use crate::text::thousands;
use anyhow::Context;
use lab::relevance::{
    LEAST_PEOPLE, Mean, PLACES, RealScores, Relevance, Row, SYSTEMS, Settings, measure,
};
use lab::world::WorldSettings;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Queries that went worst, at the end.
const N_WORST: usize = 10;

/// How the tables were measured.
const HOW: &str = "\nGrade 3: about the place and the topic, with an address there; 2: without; 1: on the topic, of the same state, within 40 km or with an address there. nDCG is of all graded pages, MRR of the first of grade 2 or 3; ± is the standard error over queries, that of differences paired.\n";

pub(crate) fn run(args: &LabRelevanceArgs) -> anyhow::Result<ExitCode> {
    let mut world = match &args.world {
        Some(file) => read_world(file)?,
        None => WorldSettings::default(),
    };
    if let Some(seed) = args.seed {
        world.seed = seed;
    }
    let settings = Settings {
        world,
        places: PLACES.map(str::to_owned).to_vec(),
        pages: args.pages,
        queries: args.queries,
    };
    let eval = std::env::var_os("LOCAVORE_EVAL").map(PathBuf::from);
    let relevance = match &args.out {
        Some(dir) => measure(&settings, dir, eval.as_deref())?,
        None => measure_and_forget(&settings, eval.as_deref())?,
    };
    match args.json {
        true => print_json(&relevance)?,
        false => show(&render(&settings, &relevance))?,
    }
    Ok(ExitCode::SUCCESS)
}

/// Measures in a folder that is gone afterwards.
fn measure_and_forget(settings: &Settings, eval: Option<&Path>) -> anyhow::Result<Relevance> {
    let name = format!("locavore-relevance-{}", std::process::id());
    let dir = std::env::temp_dir().join(name);
    let relevance = measure(settings, &dir, eval);
    std::fs::remove_dir_all(&dir).with_context(|| format!("cannot remove `{}`", dir.display()))?;
    relevance
}

fn render(settings: &Settings, relevance: &Relevance) -> String {
    let mut text = format!(
        "{} queries on a crawl of {} pages of a made-up web (seed {}, {} places); {} pages in the index, {} graded by the web's own truth\n\n",
        thousands(relevance.queries.len() as u64),
        thousands(settings.pages),
        settings.world.seed,
        settings.places.len(),
        thousands(relevance.n_pages),
        thousands(relevance.n_graded as u64),
    );
    text.push_str(&by_gain(&relevance.rows));
    text.push('\n');
    text.push_str(&by_rank(&relevance.rows));
    text.push_str(HOW);
    let names = &relevance.names;
    let _ = write!(
        text,
        "\nNames that places of {} people or more share, read right: alone as the most populous {}; with the state {}; with a home there {}\n",
        thousands(u64::from(LEAST_PEOPLE)),
        of_names(&names.alone),
        of_names(&names.with_state),
        of_names(&names.at_home)
    );
    for real in &relevance.real {
        text.push_str(&render_real(real));
    }
    text.push_str(&worst(relevance));
    text
}

fn by_gain(rows: &[Row]) -> String {
    let [text, filter, ours] = SYSTEMS;
    let header = ["nDCG@10", "queries", text, filter, ours];
    let header = header.into_iter().chain(["ours − text", "place right"]);
    let mut table = Table::of(header.map(str::to_owned).collect());
    for row in rows {
        let [text, filter, ours] = row.ndcg.map(|mean| number(&mean));
        table.row([
            row.form.to_owned(),
            row.gain.n.to_string(),
            text,
            filter,
            ours,
            number(&row.gain),
            share(&row.place_right),
        ]);
    }
    table.render()
}

fn by_rank(rows: &[Row]) -> String {
    let [text, filter, ours] = SYSTEMS;
    let mut table = Table::new(["MRR@10", "queries", text, filter, ours]);
    for row in rows {
        let [text, filter, ours] = row.mrr.map(|mean| number(&mean));
        table.row([
            row.form.to_owned(),
            row.gain.n.to_string(),
            text,
            filter,
            ours,
        ]);
    }
    table.render()
}

fn render_real(real: &RealScores) -> String {
    let systems = SYSTEMS.iter().zip(&real.mrr);
    let systems = systems.map(|(name, mrr)| format!("{name} {}", number(mrr)));
    format!(
        "\n{} real pages of restaurants, asked for by {} ({} queries): MRR@10 of {}; ours − text {}; city read right {}\n",
        real.n_pages,
        real.form,
        real.gain.n,
        systems.collect::<Vec<_>>().join(", "),
        number(&real.gain),
        share(&real.place_right)
    )
}

fn worst(relevance: &Relevance) -> String {
    let mut queries: Vec<_> = relevance.queries.iter().collect();
    queries.sort_by(|a, b| a.ndcg[2].total_cmp(&b.ndcg[2]));
    let mut table = Table::new(["worst of ours", "nDCG@10", "read as", "grades of hits"]);
    for query in queries.into_iter().take(N_WORST) {
        let grades = query.grades.iter().map(ToString::to_string);
        table.row([
            query.text.clone(),
            format!("{:.3}", query.ndcg[2]),
            query.read.clone().unwrap_or_else(|| "–".to_owned()),
            grades.collect::<Vec<_>>().join(" "),
        ]);
    }
    format!("\n{}", table.render())
}

/// `0.712 ± 0.011`: a mean and its standard error.
fn number(mean: &Mean) -> String {
    match mean.error {
        Some(error) => format!("{:.3} ± {error:.3}", mean.mean),
        None => format!("{:.3}", mean.mean),
    }
}

/// `96.5 % ± 0.7`
fn share(mean: &Mean) -> String {
    let error = mean.error.unwrap_or(0.0) * 100.0;
    format!("{:.1} % ± {error:.1}", mean.mean * 100.0)
}

fn of_names(mean: &Mean) -> String {
    format!("{} of {}", share(mean), mean.n)
}
