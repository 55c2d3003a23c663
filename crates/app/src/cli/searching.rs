//! What can be typed to ask a collection.

use super::values;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// What to look for, and where: "restaurants in Houston"
    ///
    /// A place in the words is found and taken out; the answer shows how it was read. Quotes keep
    /// words together, AND, OR, NOT and - mean what they say, a star ends a beginning.
    #[arg(required = true, value_name = "QUERY")]
    pub(crate) words: Vec<String>,
    #[command(flatten)]
    pub(crate) area: AreaArgs,
    /// Where you are: of several places of a name the near one is meant, and "near me" is there
    #[arg(long, value_name = "PLACE|LAT,LON")]
    pub(crate) home: Option<String>,
    /// Only pages in this language, e.g. de
    #[arg(long, value_name = "CODE", value_parser = values::page_language)]
    pub(crate) lang: Option<String>,
    /// Only pages of this host
    #[arg(long, value_name = "HOST", value_parser = values::page_host)]
    pub(crate) host: Option<String>,
    /// Only pages fetched on this day or later, e.g. 2026-05-31
    #[arg(long, value_name = "DATE", value_parser = values::date)]
    pub(crate) since: Option<u64>,
    /// Most hits to show
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = values::hits)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) hits: usize,
    /// Hits to pass over
    #[arg(long, default_value_t = 0, value_name = "N")]
    pub(crate) skip: usize,
    /// Say what each score is made of
    #[arg(long)]
    pub(crate) explain: bool,
    /// Write one JSON object to standard output
    #[arg(long, conflicts_with = "geojson")]
    pub(crate) json: bool,
    /// Write the hits as GeoJSON, for maps
    #[arg(long)]
    pub(crate) geojson: bool,
}

/// Where, in place of what the words say.
#[derive(Debug, Default, Args)]
pub(crate) struct AreaArgs {
    /// Only pages near this city, address, postal code or point, nearest first
    #[arg(long, value_name = "PLACE|LAT,LON", conflicts_with = "within")]
    pub(crate) near: Option<String>,
    /// How far `--near` goes, e.g. 500m or 10km
    #[arg(long, value_name = "DISTANCE", requires = "near", value_parser = values::distance)]
    pub(crate) radius: Option<f64>,
    /// Only pages about something in this place, box or polygon
    #[arg(long, value_name = "PLACE|S,W,N,E|FILE.geojson")]
    pub(crate) within: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct IndexArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Forget the index and build it from the visit log and the archive
    #[arg(long)]
    pub(crate) rebuild: bool,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PlacesArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Only what lies in this place
    #[arg(value_name = "PLACE")]
    pub(crate) place: Option<String>,
    /// Levels of the tree to show
    #[arg(long, default_value_t = 3, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=9))]
    pub(crate) depth: u8,
    /// Show every place of these levels, not only those with most pages
    #[arg(long)]
    pub(crate) all: bool,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Address to answer on; port 0 takes any free one
    #[arg(long, default_value = "127.0.0.1:8090", value_name = "HOST:PORT")]
    pub(crate) address: SocketAddr,
    /// Word that every request has to bring (`Authorization: Bearer …`); other machines are
    /// answered only with one
    #[arg(
        long,
        value_name = "WORD",
        env = "LOCAVORE_TOKEN",
        hide_env_values = true
    )]
    pub(crate) token: Option<String>,
}
