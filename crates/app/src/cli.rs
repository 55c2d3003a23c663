//! What can be typed.

mod values;

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use strategy::{assign, order};

/// A web crawler that eats local: give it places, and it collects the web pages about them
///
/// Several nodes cooperate, every page is filed under the places it talks about, and a crawl that
/// was stopped goes on where it was. Try `locavore demo` first: it needs no internet.
#[derive(Debug, Parser)]
#[command(name = "locavore", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

impl Cli {
    /// Reads the command line; a mistake in it ends the program.
    pub(crate) fn read() -> Cli {
        Cli::parse_from(std::env::args_os().map(values::box_is_no_flag))
    }
}

fn assign_names() -> values::Name {
    values::Name::of(assign::ALL.iter().map(|entry| (entry.name, entry.summary)))
}

fn order_names() -> values::Name {
    values::Name::of(order::ALL.iter().map(|entry| (entry.name, entry.summary)))
}

fn web_names() -> values::Name {
    let names = [
        ("real", "the one out there"),
        ("lab", "a made-up one, on a virtual clock"),
    ];
    values::Name::of(names.into_iter())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the main job with no internet: six nodes crawl a made-up web for 100 US cities
    Demo(DemoArgs),
    /// Crawl the web for one or more places; run again on the same folder, it resumes
    Crawl(Box<CrawlArgs>),
    /// Show where a crawl stands and why it stopped
    Status(StatusArgs),
    /// Show every measure of a crawl
    Report(ReportArgs),
    /// Search the titles, addresses and places of a crawl's pages, not their text
    Search(SearchArgs),
    /// Find addresses and places in text, HTML or WARC files
    ///
    /// Says for each what it is, where that is and how sure that is, then what the whole document
    /// is about. Gzip is noticed by itself. Positions are line and column of the text; of HTML, of
    /// the text that people see.
    Geoparse(GeoparseArgs),
    /// Made-up webs
    #[command(subcommand)]
    Lab(LabCommand),
    /// Print completions for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct DemoArgs {
    /// Pages to fetch
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = values::pages)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) pages: u64,
    /// Which node gets a link
    #[arg(long, default_value = "url", value_name = "NAME", value_parser = assign_names())]
    pub(crate) assign: String,
    /// Which link is next
    #[arg(long, default_value = "breadth", value_name = "NAME", value_parser = order_names())]
    pub(crate) order: String,
    /// Folder of the crawl; a finished demo in it makes way for the new one, an unfinished one is
    /// gone on with
    #[arg(long, default_value = "locavore-demo", value_name = "DIR")]
    pub(crate) out: PathBuf,
    /// Start over, removing an unfinished demo in that folder too
    #[arg(long)]
    pub(crate) fresh: bool,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct OutputArgs {
    /// Print CPU milliseconds per page by stage at the end
    #[arg(long)]
    pub(crate) timings: bool,
    /// Write the final summary as one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CrawlArgs {
    /// Places: "Houston, TX", a state or country ("Texas", "cities over 50,000 in Lower Saxony"),
    /// a box "south,west,north,east", or `us-top100`. None: resume the crawl in --out
    #[arg(value_name = "PLACE", value_parser = values::place)]
    pub(crate) places: Vec<String>,
    /// File with one seed URL per line [default for US places: built-in lists]
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<PathBuf>,
    /// Which node gets a link [default: url]
    #[arg(long, value_name = "NAME", value_parser = assign_names())]
    pub(crate) assign: Option<String>,
    /// Which link is next [default: breadth]
    #[arg(long, value_name = "NAME", value_parser = order_names())]
    pub(crate) order: Option<String>,
    /// Collaborating nodes [default: 6 for us-top100, else 1]
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<usize>,
    /// Stop after this many pages [default: when nothing is left to fetch]
    #[arg(long, value_name = "N", value_parser = values::pages, allow_negative_numbers = true)]
    pub(crate) pages: Option<u64>,
    /// Folder of the crawl [default: named after the place]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Which web [default: real]
    #[arg(long, value_name = "WEB", value_parser = web_names())]
    pub(crate) web: Option<String>,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
    /// Fetch through this HTTP proxy, e.g. one started by `locavore lab web`
    #[arg(long, value_name = "URL", value_parser = values::proxy)]
    pub(crate) proxy: Option<String>,
    /// Who to write to about this crawl: an e-mail address or a URL, sent as part of the user
    /// agent; needed on the real web
    #[arg(long, value_name = "TEXT", value_parser = values::contact)]
    pub(crate) contact: Option<String>,
    /// Least time between two requests to one host, e.g. 2s or 500ms [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = values::delay)]
    pub(crate) delay: Option<Duration>,
    /// Links followed within one site [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u16>,
    /// Private addresses that may be asked all the same, e.g. 127.0.0.0/8; for tests
    #[arg(long, value_name = "RANGE", hide = true)]
    pub(crate) open_range: Vec<String>,
    /// Most time for one exchange [default: 30s]; for tests
    #[arg(long, value_name = "TIME", value_parser = values::delay, hide = true)]
    pub(crate) timeout: Option<Duration>,
    /// Trust who is vouched for in this PEM file and nobody else; for tests
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) roots: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

#[derive(Debug, Args)]
pub(crate) struct WorldArgs {
    /// Seed of the made-up web [default: 2006]
    #[arg(long, value_name = "N")]
    pub(crate) world_seed: Option<u64>,
    /// Sites of the made-up web [default: 200000]
    #[arg(long, value_name = "N")]
    pub(crate) world_sites: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct SearchArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Words to look for
    #[arg(required = true)]
    pub(crate) words: Vec<String>,
    /// Only pages with an address in this place, e.g. "Houston, TX" or Texas
    #[arg(long, value_name = "PLACE")]
    pub(crate) within: Option<String>,
    /// Most hits to show
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = values::hits)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) hits: usize,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GeoparseArgs {
    /// Texts (.txt), pages (.html), archives (.warc.gz) or JSON lines (.jsonl); `-` or none:
    /// standard input
    #[arg(value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// Say why each was taken for what it is
    #[arg(long, conflicts_with_all = ["jsonl", "geojson"])]
    pub(crate) why: bool,
    /// Read a JSON object per line, {"id", "text"} or {"id", "html"}, and write one per line in
    /// the same order; offsets count Unicode code points
    #[arg(long, conflicts_with = "geojson")]
    pub(crate) jsonl: bool,
    /// Write one GeoJSON FeatureCollection of points
    #[arg(long)]
    pub(crate) geojson: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// Serve a made-up web as an HTTP proxy, for curl and any crawler
    Web(LabWebArgs),
}

#[derive(Debug, Args)]
pub(crate) struct LabWebArgs {
    #[command(flatten)]
    pub(crate) world: WorldArgs,
    /// Port on loopback; 0 picks a free one
    #[arg(long, default_value_t = 8100, value_name = "PORT")]
    pub(crate) port: u16,
    /// How slow slow hosts are: 1 as they are, 0 answers at once
    #[arg(long, default_value_t = 1.0, value_name = "FACTOR", value_parser = values::pace)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) pace: f32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }
}
