//! `locavore search`: asks the index, bringing it up to date first.

mod text;

use crate::area::{self, Asked};
use crate::cli::SearchArgs;
use crate::commands::index;
use crate::output::print_json;
use ::search::ask::{Answer, Ask, Hit, MAX_HITS, MAX_OFFSET};
use anyhow::bail;
use place::target::Holds;
use serde_json::{Value, json};
use std::process::ExitCode;

pub(crate) fn run(args: &SearchArgs) -> anyhow::Result<ExitCode> {
    // A mistake is told before anything is built.
    ask(args, &|_| 0)?;
    let index = index::open(&args.dir, false)?;
    let ask = ask(args, &|place| index.n_pages_within(place))?;
    let answer = index.ask(&ask)?;
    if args.json {
        print_json(&answer)?;
        return Ok(ExitCode::SUCCESS);
    }
    if args.geojson {
        print_json(&geojson(&answer))?;
        return Ok(ExitCode::SUCCESS);
    }
    text::show(&answer, &ask, index.n_pages())?;
    Ok(ExitCode::SUCCESS)
}

fn ask(args: &SearchArgs, holds: Holds<'_>) -> anyhow::Result<Ask> {
    if args.hits > MAX_HITS {
        bail!(
            "`--hits {}` is too many, {MAX_HITS} are the most",
            args.hits
        );
    }
    if args.skip > MAX_OFFSET {
        bail!(
            "`--skip {}` is too many, {MAX_OFFSET} are the most; say more precisely what you look for",
            args.skip
        );
    }
    let home = args.home.as_deref().map(area::point).transpose()?;
    let (region, around) = match asked(args, holds)? {
        Some(Asked { region, around }) => (Some(region), around),
        None => (None, None),
    };
    Ok(Ask {
        query: args.words.join(" "),
        region,
        around,
        home,
        language: args.lang.clone(),
        host: args.host.clone(),
        since: args.since,
        offset: args.skip,
        n_hits: args.hits,
        explain: args.explain,
        ..Ask::default()
    })
}

fn asked(args: &SearchArgs, holds: Holds<'_>) -> anyhow::Result<Option<Asked>> {
    match (&args.area.near, &args.area.within) {
        (Some(near), _) => Ok(Some(area::near(near, args.area.radius)?)),
        (None, Some(within)) => Ok(Some(area::within(within, holds)?.into())),
        (None, None) => Ok(None),
    }
}

/// The hits that are somewhere on the map.
pub(crate) fn geojson(answer: &Answer) -> Value {
    let feature = |hit: &Hit| {
        let (lat, lon) = (hit.lat?, hit.lon?);
        Some(json!({
            "type": "Feature",
            "geometry": { "type": "Point", "coordinates": [lon, lat] },
            "properties": {
                "url": hit.url,
                "title": hit.title,
                "snippet": hit.snippet.text,
                "places": hit.places,
                "address": hit.address,
                "precision": hit.precision,
                "distance_km": hit.distance_km,
                "score": hit.score,
            },
        }))
    };
    let features: Vec<Value> = answer.hits.iter().filter_map(feature).collect();
    json!({ "type": "FeatureCollection", "features": features })
}
