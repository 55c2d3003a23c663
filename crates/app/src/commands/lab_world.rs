//! `locavore lab world`: what a made-up web is like, beside the real one.

use crate::cli::LabWorldArgs;
use crate::output::{print, print_json, show};
use crate::plan::read_world;
use crate::progress::ProgressLine;
use crate::table::Table;
use crate::text::thousands;
use lab::observe::{Figure, Observation, observe};
use lab::world::{World, WorldSettings};
use place::gazetteer::Gazetteer;
use std::fmt::Write;
use std::process::ExitCode;

pub(crate) fn run(args: &LabWorldArgs) -> anyhow::Result<ExitCode> {
    let mut settings = match &args.file {
        Some(file) => read_world(file)?,
        None => WorldSettings::default(),
    };
    if let Some(seed) = args.seed {
        settings.seed = seed;
    }
    if !args.stats {
        print(toml::to_string(&settings)?.trim_end())?;
        return Ok(ExitCode::SUCCESS);
    }
    let world = World::new(settings, Gazetteer::built_in());
    let mut line = ProgressLine::start("page");
    let observation = observe(&world, args.pages, |_| {
        line.add(0);
        line.show();
    });
    line.hide();
    match args.json {
        true => print_json(&observation)?,
        false => show(&render(&world, &observation))?,
    }
    Ok(ExitCode::SUCCESS)
}

fn render(world: &World, observation: &Observation) -> String {
    let mut text = format!(
        "a made-up web of {} sites (seed {}): a crawl of {} pages, breadth first from the general seeds unless it says otherwise, and {} pages of whole sites\n",
        thousands(world.settings().n_sites),
        world.settings().seed,
        thousands(observation.pages),
        thousands(observation.whole_site_pages)
    );
    for (subject, figures) in &observation.subjects {
        let mut table = Table::new([*subject, "here", "published", "alike if", ""]);
        for figure in figures {
            table.row(cells(figure));
        }
        let _ = write!(text, "\n{}", table.render());
    }
    let distances: Vec<String> = observation
        .seed_distances
        .iter()
        .map(ToString::to_string)
        .collect();
    let kinds = observation.kinds.iter();
    let kinds: Vec<String> = kinds
        .map(|(kind, n)| format!("{kind} {}", thousands(*n)))
        .collect();
    let named = observation.most_named.iter();
    let named: Vec<String> = named
        .map(|(city, n)| format!("{city} {}", thousands(*n)))
        .collect();
    let _ = write!(
        text,
        "\nRelevant pages by clicks from the seeds, in the crawl by distance: {}\nPages by kind of site: {}\nMost named in URLs: {}\n",
        distances.join(" "),
        kinds.join(", "),
        named.join(", ")
    );
    text
}

fn cells(figure: &Figure) -> [String; 5] {
    let show = |value: Option<f64>| value.map_or_else(|| "–".to_owned(), number);
    let range = figure.range.map_or_else(String::new, |(low, high)| {
        format!("{} to {}", number(low), number(high))
    });
    let verdict = match figure.is_alike() {
        Some(true) => "alike",
        Some(false) => "DIFFERENT",
        None => "",
    };
    [
        figure.name.to_owned(),
        show(figure.ours),
        figure.published.map_or_else(String::new, number),
        range,
        verdict.to_owned(),
    ]
}

/// Three figures that count.
fn number(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => thousands(value.round() as u64),
        size if size >= 10.0 => format!("{value:.0}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
