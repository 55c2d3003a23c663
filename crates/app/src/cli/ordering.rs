//! Which link is next, beside `--order` itself, and which are left out.

use super::{WeighingArgs, values};
use clap::Args;
use std::path::PathBuf;

/// Settings of the orders and filters, all optional.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct OrderingArgs {
    /// What a link counts for `distance` and `adaptive`, one link further from the last relevant
    /// page, between 0 and 1 [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = values::weight)]
    pub(crate) decay: Option<f64>,
    /// Links ahead that `adaptive` predicts [default: 3]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=5))]
    pub(crate) steps: Option<u8>,
    /// Pages that `adaptive` learns from before it predicts anything [default: 30000]
    #[arg(long, value_name = "N")]
    pub(crate) train_pages: Option<u64>,
    /// Decides between links that are equally good [default: 0]
    #[arg(long, value_name = "N")]
    pub(crate) order_seed: Option<u64>,
    /// What another crawl's order has learned: its file `order.model`. Where `--assign` needs no
    /// model, `--model` means the same
    #[arg(long, value_name = "FILE")]
    pub(crate) order_model: Option<PathBuf>,
    /// How near to each other the places of a link have to be for `georank`, from 0 for antipodes to
    /// 1 for one place; nearer than this [default: 0.5]
    #[arg(long, value_name = "SHARE", value_parser = values::weight)]
    pub(crate) min_correlation: Option<f64>,
    /// Words of a link's text that have to be places for `georank`; a larger share than this
    /// [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = values::weight)]
    pub(crate) min_focus: Option<f64>,
    /// Where the owners of domains are, for `georank`: lines of a domain, a tab and a place
    #[arg(long, value_name = "FILE")]
    pub(crate) whois: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) weighing: WeighingArgs,
    /// Country domains that are followed, e.g. `de,at`; those of other countries are left out, and
    /// domains of no country are not asked [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::country_domain)]
    pub(crate) country_domains: Vec<String>,
    /// Languages of pages whose links are followed, e.g. `de,en`; a page that does not declare one
    /// is followed [default: all]
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::language)]
    pub(crate) languages: Vec<String>,
    /// File extensions that are left out beside those that are never pages, e.g. `php3,cfm`
    #[arg(long, value_name = "LIST", value_delimiter = ',', value_parser = values::extension)]
    pub(crate) skip_extensions: Vec<String>,
    /// Pages after which a crawl ends that has found nothing relevant at all [default: 100000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) patience: Option<u64>,
    /// Fetches that each node may have in the air at once [default: 32]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) slots: Option<u16>,
}
