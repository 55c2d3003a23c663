//! What a request asks for, checked, as the commands read it.
//!
//! Every value may come as text or as JSON's own kind of number; an empty one
//! counts as left out, since forms send every field. No value is ever taken
//! for the name of a file.

use super::failure::Failure;
use super::word::{Word, number, said};
use crate::area::{self, Asked, TooLarge};
use crate::cli::SearchArgs;
use crate::message::list;
use crate::text::shorten;
use clap::{Args, Command};
use place::target::{Holds, TargetError};
use search::ask::{Ask, MAX_HITS, MAX_OFFSET};
use search::region::Region;
use serde::Deserialize;
use serde_json::Value;
use std::any::Any;
use std::path::Path;
use utoipa::{IntoParams, ToSchema};

/// Bytes of a query.
const MAX_QUERY: usize = 4 << 10;

/// Bytes of any other value but the polygon; the names of places are shorter.
const MAX_VALUE: usize = 256;

/// Bytes of a polygon.
const MAX_POLYGON: usize = 64 << 10;

/// Hits unless somebody says otherwise.
const USUAL_HITS: usize = 10;

/// A question, as it was sent.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
#[schema(as = Question)]
pub(super) struct Wishes {
    /// What to look for, and where: `restaurants in Houston`. Quotes keep words
    /// together; AND, OR, NOT and - mean what they say; a star ends a beginning.
    #[param(value_type = Option<String>, max_length = 4096)]
    #[schema(value_type = Option<String>, max_length = 4096)]
    pub(super) q: Option<Word>,
    /// Only pages near this: a place no larger than a city, an address, a postal
    /// code, `29.76,-95.36` or `geonames:4699066`.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) near: Option<Word>,
    /// How far `near` goes: `500m`, `10km`, `5mi`. Ten kilometres unless said.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) radius: Option<Word>,
    /// Only pages about something in this: a place, a path such as
    /// `/Earth/US/Texas`, `geonames:4736286`, or a box `south,west,north,east`.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) within: Option<Word>,
    /// Only pages about something in this GeoJSON polygon; at most 64 KiB, of
    /// which a body has more room than a URL.
    #[param(value_type = Option<String>, max_length = 8192)]
    #[schema(value_type = Option<Value>)]
    pub(super) polygon: Option<Value>,
    /// Where you are: a place, an address, a postal code, a point or
    /// `geonames:4699066`.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) home: Option<Word>,
    /// Only pages in this language, e.g. `de`.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) lang: Option<Word>,
    /// Only pages of this host.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) host: Option<Word>,
    /// Only pages fetched on this day or later, e.g. `2026-05-31`.
    #[param(value_type = Option<String>, max_length = 256)]
    #[schema(value_type = Option<String>, max_length = 256)]
    pub(super) since: Option<Word>,
    /// Hits to show; ten unless said.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 100)]
    #[schema(value_type = Option<u32>, minimum = 1, maximum = 100)]
    pub(super) hits: Option<Word>,
    /// Hits to pass over.
    #[param(value_type = Option<u32>, minimum = 0, maximum = 1000)]
    #[schema(value_type = Option<u32>, minimum = 0, maximum = 1000)]
    pub(super) skip: Option<Word>,
    /// Only what had been visited by then: the `as_of` of an earlier answer,
    /// whose next hits are asked for.
    #[param(value_type = Option<u64>, minimum = 0)]
    #[schema(value_type = Option<u64>, minimum = 0)]
    pub(super) as_of: Option<Word>,
    /// Whether to say what each score is made of.
    #[param(value_type = Option<bool>)]
    #[schema(value_type = Option<bool>)]
    pub(super) explain: Option<Word>,
    /// `json`, or `geojson` for maps.
    #[param(value_type = Option<Format>, inline)]
    #[schema(value_type = Option<Format>, inline)]
    pub(super) format: Option<Word>,
}

/// How hits are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ToSchema)]
#[schema(rename_all = "lowercase")]
pub(super) enum Format {
    Json,
    #[schema(rename = "geojson")]
    GeoJson,
}

impl Wishes {
    /// The question, once everything about it is in order. `holds` says how
    /// many pages there are in a place.
    pub(super) fn ask(&self, holds: Holds<'_>) -> Result<Ask, Failure> {
        let query = said(&self.q).unwrap_or_default();
        check_length("q", query, MAX_QUERY)?;
        let text = |name, value: &Option<Word>| -> Result<Option<String>, Failure> {
            let Some(text) = said(value) else {
                return Ok(None);
            };
            check_length(name, text, MAX_VALUE)?;
            Ok(Some(text.to_owned()))
        };
        let home = match text("home", &self.home)? {
            Some(home) => Some(area::point(&home).map_err(|error| about("home", &error))?),
            None => None,
        };
        let (region, around) = match self.asked(&text, holds)? {
            Some(Asked { region, around }) => (Some(region), around),
            None => (None, None),
        };
        Ok(Ask {
            query: query.to_owned(),
            region,
            around,
            home,
            language: as_flag("lang", &self.lang, "a language's short name such as `de`")?,
            host: as_flag("host", &self.host, "a host such as `example.org`")?,
            since: as_flag("since", &self.since, "a day such as `2026-05-31`")?,
            n_hits: number("hits", &self.hits, 1..=MAX_HITS as u64)?
                .map_or(USUAL_HITS, |hits| hits as usize),
            offset: self.offset()?,
            as_of: number("as_of", &self.as_of, 0..=u64::MAX)?,
            explain: self.explain()?,
            ..Ask::default()
        })
    }

    fn offset(&self) -> Result<usize, Failure> {
        let skip = number("skip", &self.skip, 0..=MAX_OFFSET as u64)?;
        Ok(skip.unwrap_or(0) as usize)
    }

    fn explain(&self) -> Result<bool, Failure> {
        match said(&self.explain) {
            None | Some("false" | "0") => Ok(false),
            Some("true" | "1") => Ok(true),
            Some(other) => Err(wrong("explain", other, "`true` or `false`")),
        }
    }

    pub(super) fn format(&self) -> Result<Format, Failure> {
        match said(&self.format) {
            None | Some("json") => Ok(Format::Json),
            Some("geojson") => Ok(Format::GeoJson),
            Some(other) => Err(wrong("format", other, "`json` or `geojson`")),
        }
    }

    fn asked(
        &self,
        text: &impl Fn(&'static str, &Option<Word>) -> Result<Option<String>, Failure>,
        holds: Holds<'_>,
    ) -> Result<Option<Asked>, Failure> {
        let near = text("near", &self.near)?;
        let within = text("within", &self.within)?;
        let radius = as_flag(
            "radius",
            &self.radius,
            "a distance such as `500m` or `10km`, `20000km` at most",
        )?;
        let polygon = polygon_text(self.polygon.as_ref());
        let n_given = [near.is_some(), within.is_some(), polygon.is_some()];
        if n_given.iter().filter(|is_given| **is_given).count() > 1 {
            return Err(Failure::bad("give one of `near`, `within` and `polygon`"));
        }
        if near.is_none() && radius.is_some() {
            return Err(Failure::bad(
                "`radius` says how far `near` goes: give that too",
            ));
        }
        if let Some(near) = near {
            let near = area::near(&near, radius);
            return near.map(Some).map_err(|error| about("near", &error));
        }
        if let Some(within) = within {
            return Ok(Some(self::within(&within, holds)?.into()));
        }
        let Some(polygon) = polygon else {
            return Ok(None);
        };
        check_length("polygon", &polygon, MAX_POLYGON)?;
        let area = area::polygon(&polygon).map_err(|error| about("polygon", &error))?;
        Ok(Some(Region::Inside(area).into()))
    }
}

/// A polygon may come as text or, in a body, as it is.
fn polygon_text(polygon: Option<&Value>) -> Option<String> {
    match polygon? {
        Value::Null => None,
        Value::String(text) if text.trim().is_empty() => None,
        Value::String(text) => Some(text.clone()),
        object => Some(object.to_string()),
    }
}

fn within(text: &str, holds: Holds<'_>) -> Result<Region, Failure> {
    if is_file(text) {
        let message = "`within` names no file here: send the polygon itself, as `polygon`";
        return Err(Failure::bad(message));
    }
    area::named(text, holds).map_err(|error| about("within", &error))
}

/// Whether a command would read a file of this name: no request may.
fn is_file(name: &str) -> bool {
    let ending = Path::new(name).extension();
    ending.is_some_and(|ending| {
        ending.eq_ignore_ascii_case("geojson") || ending.eq_ignore_ascii_case("json")
    })
}

/// Reads a value as `locavore search` reads its flag of that name.
fn as_flag<T: Any + Clone + Send + Sync>(
    name: &'static str,
    value: &Option<Word>,
    what: &str,
) -> Result<Option<T>, Failure> {
    let Some(text) = said(value) else {
        return Ok(None);
    };
    check_length(name, text, MAX_VALUE)?;
    let command = SearchArgs::augment_args(Command::new("search").no_binary_name(true));
    let line = ["-", "-", "--near=-", &format!("--{name}={text}")];
    let matches = command.try_get_matches_from(line);
    let read = matches
        .ok()
        .and_then(|matches| matches.get_one(name).cloned());
    match read {
        Some(read) => Ok(Some(read)),
        None => Err(wrong(name, text, what)),
    }
}

fn check_length(name: &str, text: &str, most: usize) -> Result<(), Failure> {
    match text.len() > most {
        true => Err(Failure::bad(format!(
            "`{name}` has {} bytes, {most} are the most",
            text.len()
        ))),
        false => Ok(()),
    }
}

pub(super) fn wrong(name: &str, text: &str, what: &str) -> Failure {
    Failure::bad(format!("`{name}` is `{}`: write {what}", shorten(text, 40)))
}

/// What is wrong with a place, with those that may have been meant.
fn about(name: &str, error: &anyhow::Error) -> Failure {
    if error.is::<TooLarge>() {
        let way_out = "ask `within` it, or say a `radius`";
        return Failure::bad(format!("`{name}`: {error}; {way_out}"));
    }
    let hint = match error.downcast_ref() {
        Some(TargetError::Unknown { near, .. }) if near.is_empty() => {
            "; write it as `City, State` or `City, Country`".to_owned()
        }
        Some(TargetError::Unknown { near, .. }) => {
            format!("; did you mean {}?", list(near, "or"))
        }
        Some(TargetError::Ambiguous { candidates, .. }) => {
            format!("; say which: {}", list(candidates, "or"))
        }
        _ => String::new(),
    };
    Failure::bad(format!("`{name}`: {error:#}{hint}"))
}
