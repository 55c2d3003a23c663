//! What can be typed.

mod assigning;
mod ordering;
mod scoping;
mod searching;
mod train;
mod values;
mod web;
mod weighing;

pub(crate) use assigning::AssigningArgs;
pub(crate) use ordering::OrderingArgs;
pub(crate) use scoping::ScopingArgs;
pub(crate) use searching::{IndexArgs, PlacesArgs, SearchArgs, ServeArgs};
pub(crate) use train::{TrainArgs, TrainCommand, TrainStatusArgs, TrainTopicArgs};
pub(crate) use values::Subject;
pub(crate) use weighing::WeighingArgs;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand};
use crawl::fetch::address::OpenRange;
use std::ffi::OsString;
use std::net::SocketAddr;
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
        let args: Vec<OsString> = std::env::args_os()
            .map(values::numbers_are_no_flag)
            .collect();
        if let Some(word) = values::unquoted(&args) {
            let message = format!(
                "`{word}` would be a flag: quote it together with the words before it, or put \
                 `--` before the question"
            );
            let mut command = Cli::command();
            command.error(ErrorKind::UnknownArgument, message).exit();
        }
        let mut cli = Cli::parse_from(args);
        if let Command::Crawl(args) = &mut cli.command {
            web::give_back_places(args);
        }
        cli
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

fn split_names() -> values::Name {
    let names = [
        (
            "time-zone",
            "neighbouring zones together where nodes are fewer",
        ),
        (
            "state",
            "neighbouring states together where nodes are fewer",
        ),
        ("population", "about equally many people for every node"),
    ];
    values::Name::of(names.into_iter())
}

fn packing_names() -> values::Name {
    let names = [
        ("gzip", "read by every tool for archives"),
        ("zstd", "a little smaller and faster; few tools read it yet"),
    ];
    values::Name::of(names.into_iter())
}

fn format_names() -> values::Name {
    let names = [("cdxj", "sorted index of the WARC files, for replay tools")];
    values::Name::of(names.into_iter())
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Show the main job with no internet: six nodes crawl a made-up web for 100 US cities
    Demo(DemoArgs),
    /// Crawl the web for one or more places; run again on the same folder, it resumes
    #[command(after_help = scoping::PATTERNS)]
    Crawl(Box<CrawlArgs>),
    /// Show where a crawl stands and why it stopped
    Status(StatusArgs),
    /// Tell the whole story of a URL or a host: when it was visited, why, and who links to it
    Why(WhyArgs),
    /// Show every measure of a crawl, or of several side by side
    Report(ReportArgs),
    /// Search a crawl's pages by words and place: "restaurants in Houston"
    Search(Box<SearchArgs>),
    /// List the places that a crawl's pages are about, as a tree
    Places(PlacesArgs),
    /// Bring the index that searches use up to date, or build it anew
    Index(IndexArgs),
    /// Answer searches over HTTP, for browsers and programs
    Serve(ServeArgs),
    /// Write what a crawl has found in a format for other programs
    Export(ExportArgs),
    /// Find addresses and places in text, HTML or WARC files
    ///
    /// Says for each what it is, where that is and how sure that is, then what the whole document
    /// is about. Gzip is noticed by itself. Positions are line and column of the text; of HTML, of
    /// the text that people see.
    Geoparse(GeoparseArgs),
    /// Say whether robots rules let URLs be fetched, and which line decides
    ///
    /// Judges as the crawler does (RFC 9309). Exit code 1 means that a URL is refused; with
    /// --jsonl, that a line could not be answered.
    Robots(RobotsArgs),
    /// Learn what pages about each place look like, for `crawl --assign classifier`; or a topic,
    /// or what important pages look like
    Train(Box<TrainArgs>),
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
    /// What `classifier` has learned: a file made by `locavore train --lab`
    #[arg(long, value_name = "FILE")]
    pub(crate) model: Option<PathBuf>,
    /// Which link is next
    #[arg(long, default_value = "breadth", value_name = "NAME", value_parser = order_names())]
    pub(crate) order: String,
    #[command(flatten)]
    pub(crate) weighing: WeighingArgs,
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
    /// Places: "Houston, TX", all of a region ("Texas"), "cities over 50,000 in Lower Saxony", a
    /// postal code, a box "south,west,north,east", or `us-top100`. None: resume the crawl in --out
    #[arg(value_name = "PLACE", value_parser = values::place)]
    pub(crate) places: Vec<String>,
    /// File with one seed URL per line [default for US places: built-in lists]
    #[arg(long, value_name = "FILE")]
    pub(crate) seeds: Option<PathBuf>,
    /// Which node gets a link [default: url]
    #[arg(long, value_name = "NAME", value_parser = assign_names())]
    pub(crate) assign: Option<String>,
    #[command(flatten)]
    pub(crate) assigning: AssigningArgs,
    /// Which link is next [default: breadth]
    #[arg(long, value_name = "NAME", value_parser = order_names())]
    pub(crate) order: Option<String>,
    #[command(flatten)]
    pub(crate) ordering: OrderingArgs,
    #[command(flatten)]
    pub(crate) scoping: ScopingArgs,
    /// Collaborating nodes, general ones among them [default: 6 for us-top100, with --split as many
    /// as it comes to, else 1]
    #[arg(long, value_name = "N")]
    pub(crate) nodes: Option<usize>,
    /// Nodes that share what is about no target [default: 1; 0 if there is one node]
    #[arg(long, value_name = "N")]
    pub(crate) general: Option<usize>,
    /// How targets are shared out over the other nodes: `time-zone`, `state`, `population`, or a
    /// table; lines of a node's name, a tab and a city, or TOML: node = ["City, State", …]
    /// [default: from west to east; us-top100 with 6 nodes as in the 2006 paper]
    #[arg(long, value_name = "NAME|FILE", value_parser = split_names())]
    pub(crate) split: Option<String>,
    /// Stop after this many pages [default: when nothing is left to fetch]
    #[arg(long, value_name = "N", value_parser = values::pages, allow_negative_numbers = true)]
    pub(crate) pages: Option<u64>,
    /// Folder of the crawl [default: named after the place]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// Visit the pages of the crawl in DIR again, those most likely to have changed first; with
    /// --pages N at most so many
    #[arg(long, value_name = "DIR", conflicts_with_all = ["out", "places", "seeds"])]
    pub(crate) refresh: Option<PathBuf>,
    /// Leave pages alone that were visited less than this ago, e.g. 12h [default: 1d]
    #[arg(long, value_name = "TIME", requires = "refresh", value_parser = values::age)]
    pub(crate) refresh_age: Option<Duration>,
    /// Which web, or the WARC files that answer for it: then nothing is asked of any network
    /// [default: real]
    #[arg(long, value_name = "WEB|FILE", num_args = 1.., value_parser = web_names())]
    pub(crate) web: Vec<String>,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
    /// Fetch through this HTTP proxy; only one started by `locavore lab web` needs no `--contact`
    #[arg(long, value_name = "URL", value_parser = values::proxy)]
    pub(crate) proxy: Option<String>,
    /// Who to write to about this crawl: an e-mail address or a URL, sent as part of the user
    /// agent; needed on the real web
    #[arg(long, value_name = "TEXT", value_parser = values::contact)]
    pub(crate) contact: Option<String>,
    /// Look names up with this name server instead of the system's, e.g. 9.9.9.9 or 127.0.0.1:5353
    #[arg(long, value_name = "ADDR", value_parser = values::name_server, conflicts_with = "proxy")]
    pub(crate) dns: Option<SocketAddr>,
    /// Least time between two requests to one host, e.g. 2s or 500ms [default: 1s]
    #[arg(long, value_name = "TIME", value_parser = values::delay)]
    pub(crate) delay: Option<Duration>,
    /// Private addresses of your own that this crawl may ask, e.g. 127.0.0.1 or
    /// 10.0.0.0/8,fd00::/8: only for seeds there, and for what pages from there link to
    #[arg(long, value_name = "CIDR", value_delimiter = ',', value_parser = values::private_range)]
    pub(crate) allow_private: Vec<OpenRange>,
    /// Times a page that fails for a passing reason is asked for in all [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=10))]
    pub(crate) tries: Option<u32>,
    /// Leave alone the sitemaps that sites name in robots.txt
    #[arg(long)]
    pub(crate) no_sitemaps: bool,
    /// Links followed within one site [default: 5]
    #[arg(long, value_name = "N")]
    pub(crate) depth: Option<u16>,
    /// Answer GET /metrics in Prometheus' format at this address, e.g. 127.0.0.1:9090; port 0:
    /// any that is free
    #[arg(long, value_name = "ADDR", value_parser = values::listen_address)]
    pub(crate) metrics: Option<SocketAddr>,
    /// Wait before a failed page is tried again [default: 30s]; for tests
    #[arg(long, value_name = "TIME", value_parser = values::delay, hide = true)]
    pub(crate) retry_wait: Option<Duration>,
    /// Most time for one exchange [default: 30s]; for tests
    #[arg(long, value_name = "TIME", value_parser = values::delay, hide = true)]
    pub(crate) timeout: Option<Duration>,
    /// Trust who is vouched for in this PEM file and nobody else; for tests
    #[arg(long, value_name = "FILE", hide = true)]
    pub(crate) roots: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) left_out: LeftOutArgs,
    /// How to compress the archive [default: gzip]
    #[arg(long, value_name = "NAME", value_parser = packing_names())]
    pub(crate) compress: Option<String>,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// Stages left out; no part of the plan.
#[derive(Debug, Default, Clone, Copy, Args)]
pub(crate) struct LeftOutArgs {
    /// Keep no pages: they cannot be searched or exported afterwards
    #[arg(long)]
    pub(crate) no_archive: bool,
    /// Read no page for places, to measure the rest: no page counts as relevant
    #[arg(long)]
    pub(crate) no_geoparse: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WorldArgs {
    /// World file of the made-up web [default: the built-in world]
    #[arg(long, value_name = "FILE")]
    pub(crate) world: Option<PathBuf>,
    /// Seed of the made-up web [default: 2006]
    #[arg(long, value_name = "N")]
    pub(crate) world_seed: Option<u64>,
    /// Sites of the made-up web [default: 2000000]
    #[arg(long, value_name = "N")]
    pub(crate) world_sites: Option<u64>,
}

#[derive(Debug, Args)]
pub(crate) struct StatusArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Write one JSON object to standard output; with --watch one a line
    #[arg(long)]
    pub(crate) json: bool,
    /// Look again every two seconds until the crawl has stopped
    #[arg(long)]
    pub(crate) watch: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WhyArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// A URL with its scheme, or a host
    #[arg(value_name = "URL|HOST", value_parser = values::subject)]
    pub(crate) subject: Subject,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ReportArgs {
    /// Folders of crawls
    #[arg(value_name = "DIR", required = true)]
    pub(crate) dirs: Vec<PathBuf>,
    /// Write one JSON object to standard output
    #[arg(long, conflicts_with = "csv")]
    pub(crate) json: bool,
    /// Write comma separated values to standard output, a line for each measure of a crawl or node
    #[arg(long)]
    pub(crate) csv: bool,
    /// Write a page with plots to this file, or as report.html to this folder
    #[arg(long, value_name = "FILE|DIR")]
    pub(crate) html: Option<PathBuf>,
    /// Links that count for geo-centrality at most
    #[arg(long, value_name = "K", default_value_t = 2)]
    #[arg(value_parser = clap::value_parser!(u32).range(0..=6))]
    pub(crate) centrality_k: u32,
    /// How much less each further link counts for it
    #[arg(long, value_name = "M", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub(crate) centrality_m: u32,
    /// Geo pages that can be reached, where that is known: adds recall
    #[arg(long, value_name = "N")]
    pub(crate) relevant: Option<u64>,
    /// Pages that can be reached: adds recall after 5, 10, 20 and 50 % of so many
    #[arg(long, value_name = "N", requires = "relevant")]
    pub(crate) reachable: Option<u64>,
    /// Evaluate the archived pages with this topic, made by `train topic` from other examples than
    /// the crawl's own: adds average topicality
    #[arg(long, value_name = "TOPIC")]
    pub(crate) evaluate: Option<PathBuf>,
    /// In-links of pages, a line each of a URL, a tab and a number: adds average status
    #[arg(long, value_name = "FILE")]
    pub(crate) inlinks: Option<PathBuf>,
    /// Sites that somebody has chosen with care, a line each of a URL or host: adds reliability
    #[arg(long, value_name = "FILE")]
    pub(crate) directory: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct ExportArgs {
    /// Folder of the crawl
    pub(crate) dir: PathBuf,
    /// Which format
    #[arg(long, value_name = "NAME", value_parser = format_names())]
    pub(crate) format: String,
    /// File to write [default: standard output]
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,
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
    /// Write these alone; several with commas
    #[arg(long, value_name = "KIND", value_delimiter = ',', value_enum)]
    pub(crate) only: Vec<Finding>,
    /// Leave out the documents' texts
    #[arg(long, requires = "jsonl")]
    pub(crate) no_text: bool,
}

/// What `geoparse` finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Finding {
    /// Postal addresses
    Addresses,
    /// Names of places
    Names,
    /// What markup states
    Markup,
}

#[derive(Debug, Args)]
pub(crate) struct RobotsArgs {
    /// URLs, or their paths
    #[arg(value_name = "URL", required_unless_present = "jsonl")]
    pub(crate) urls: Vec<String>,
    /// Who asks: the name that rules address
    #[arg(long, value_name = "NAME", default_value = "Locavore")]
    pub(crate) agent: String,
    /// The rules, a robots.txt; `-` or none: standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Write one JSON object to standard output
    #[arg(long)]
    pub(crate) json: bool,
    /// Read a JSON object per line, {"robots_txt", "agent", "url"}, from the file instead, and
    /// write {"allowed", "line"} per line in the same order; line 0: no rule speaks of the URL
    #[arg(long, conflicts_with_all = ["json", "urls"])]
    pub(crate) jsonl: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum LabCommand {
    /// Serve a made-up web as an HTTP proxy, for curl and any crawler
    Web(LabWebArgs),
    /// Run an experiment: strategies × seeds on made-up webs, with tables, plots and a report
    Run(LabRunArgs),
    /// Show a made-up web's parameters, or measure it beside the real web
    World(LabWorldArgs),
    /// Measure how relevant search answers are: words alone, with a place filter, and as they are
    Relevance(LabRelevanceArgs),
}

#[derive(Debug, Args)]
pub(crate) struct LabRunArgs {
    /// Experiment file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    /// Folder of its results; trials that have ended in it are not run again
    /// [default: beside the file]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
    /// One JSON object instead of tables
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LabWorldArgs {
    /// World file [default: the built-in world]
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,
    /// Measure it as an all-knowing observer
    #[arg(long)]
    pub(crate) stats: bool,
    /// Pages to look at
    #[arg(long, default_value_t = 200_000, value_name = "N", value_parser = values::pages)]
    #[arg(allow_negative_numbers = true, requires = "stats")]
    pub(crate) pages: u64,
    /// Another seed than the file's
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// One JSON object instead of tables
    #[arg(long, requires = "stats")]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
pub(crate) struct LabRelevanceArgs {
    /// World file [default: the built-in world]
    #[arg(long, value_name = "FILE")]
    pub(crate) world: Option<PathBuf>,
    /// Pages to crawl and index
    #[arg(long, default_value_t = 20_000, value_name = "N", value_parser = values::pages)]
    #[arg(allow_negative_numbers = true)]
    pub(crate) pages: u64,
    /// Another seed than the file's
    #[arg(long, value_name = "N")]
    pub(crate) seed: Option<u64>,
    /// Queries to make from the pages, as many of each form
    #[arg(long, default_value_t = 600, value_name = "N")]
    pub(crate) queries: usize,
    /// One JSON object, with every query, instead of tables
    #[arg(long)]
    pub(crate) json: bool,
    /// Folder that keeps the crawl, which is not made again [default: one that is removed]
    #[arg(long, value_name = "DIR")]
    pub(crate) out: Option<PathBuf>,
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
    /// Note every request in this file: milliseconds since 1970 and the URL
    #[arg(long, value_name = "FILE")]
    pub(crate) log: Option<PathBuf>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_command_line_is_consistent() {
        Cli::command().debug_assert();
    }

    #[test]
    fn nothing_is_hidden_but_what_only_tests_need() {
        fn look(command: &clap::Command) {
            for argument in command.get_arguments().filter(|one| one.is_hide_set()) {
                let help = argument.get_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                assert!(help.ends_with("for tests"), "{}: {help}", argument.get_id());
            }
            command.get_subcommands().for_each(look);
        }
        look(&Cli::command());
    }
}
