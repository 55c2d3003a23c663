//! Who answers for the web of a plan, and where a crawl of it starts.

use crate::message;
use crate::plan::{LEAST_DELAY, MadeUp, Plan, RecordedFile, Web};
use crate::progress::wait_for;
use crate::text::count;
use anyhow::{Context, anyhow};
use crawl::fetch::Fetcher;
use crawl::fetch::address;
use crawl::fetch::archive::{Flaw, Recorded};
use crawl::fetch::http::{Budget, Http, HttpSettings, Roots};
use crawl::fetch::made_up;
use lab::world::MadeUpWeb;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use strategy::means::Locate;

/// A whole exchange on the real web may take that long.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Reaching a server may take that long.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Bodies beyond this are not pages.
const MAX_BODY: usize = 10 << 20;

type Seeds = Vec<CanonicalUrl>;

/// A web that can be crawled.
pub(super) struct Opened {
    /// Who answers.
    pub(super) fetcher: Arc<dyn Fetcher>,
    /// The seeds that it brings along.
    pub(super) seeds: Option<Seeds>,
    /// Where its servers stand, where it knows that itself.
    pub(super) servers: Option<Arc<dyn Locate>>,
    /// Its hosts are somebody's, and not asked more often than this.
    pub(super) least_delay: Duration,
    /// The made-up web that stands behind a proxy, where that was asked.
    pub(super) world: Option<MadeUp>,
}

impl Opened {
    fn new(fetcher: impl Fetcher + 'static, seeds: Option<Seeds>) -> Opened {
        Opened {
            fetcher: Arc::new(fetcher),
            seeds,
            servers: None,
            least_delay: Duration::ZERO,
            world: None,
        }
    }
}

/// Opens the web of a plan.
pub(super) fn open(plan: &Plan, targets: &Targets) -> anyhow::Result<Opened> {
    match &plan.web {
        Web::Lab(made_up) => {
            let world = Arc::new(made_up.open());
            let seeds = world.seeds(targets);
            let servers: Arc<dyn Locate> = world.clone();
            Ok(Opened {
                servers: Some(servers),
                ..Opened::new(MadeUpWeb(world), Some(seeds))
            })
        }
        Web::Recorded { files } => {
            let recorded = recorded(files)?;
            let seeds = recorded.seeds().to_vec();
            Ok(Opened::new(recorded, Some(seeds)))
        }
        Web::Proxy {
            url,
            contact,
            world,
            ..
        } => {
            let least_delay = match is_made_up(plan, url)? {
                true => Duration::ZERO,
                false => LEAST_DELAY,
            };
            let world = match plan.seeds.is_empty() {
                true => world_behind(url, world.as_ref())?,
                false => None,
            };
            let seeds = world.as_ref().map(|made_up| made_up.open().seeds(targets));
            let http = http(plan, contact.as_deref(), Some(url.clone()))?;
            Ok(Opened {
                least_delay,
                world,
                ..Opened::new(http, seeds)
            })
        }
        Web::Real { contact, .. } => {
            let http = http(plan, Some(contact), None)?;
            Ok(Opened {
                least_delay: LEAST_DELAY,
                ..Opened::new(http, None)
            })
        }
    }
}

/// The made-up web behind a proxy, whose seeds are not those of the real one;
/// of a proxy that cannot be reached, what was known of it.
fn world_behind(proxy: &str, known: Option<&MadeUp>) -> anyhow::Result<Option<MadeUp>> {
    let Ok(world) = made_up::world(proxy) else {
        return Ok(known.cloned());
    };
    let world = world.map(|text| MadeUp::told(&text)).transpose();
    world.with_context(|| {
        format!("cannot tell where to begin in the made-up web behind `{proxy}` without `--seeds`")
    })
}

/// Whether the web behind a proxy is made up, as far as that matters. Behind
/// any other may be the real one, where the same is asked of a crawl as
/// without a proxy.
fn is_made_up(plan: &Plan, proxy: &str) -> anyhow::Result<bool> {
    let lacking = plan.lacks_for_real_web();
    if lacking.is_none() && plan.delay() >= LEAST_DELAY {
        return Ok(false);
    }
    let is_made_up = made_up::is_behind(proxy);
    match (is_made_up, lacking) {
        (Ok(is_made_up), None) => Ok(is_made_up),
        (Err(_), None) => Ok(false),
        (Ok(true), Some(_)) => Ok(true),
        (Ok(false), Some(lacking)) => Err(anyhow!(
            "behind the proxy `{proxy}` may be the real web, since it is not `locavore lab web`: \
             that needs {lacking}"
        )),
        (Err(error), Some(lacking)) => Err(anyhow::Error::new(error).context(format!(
            "cannot ask the proxy `{proxy}` whether its web is made up; any other needs {lacking}"
        ))),
    }
}

/// Where a crawl of this plan starts, without opening its way to the web.
pub(crate) fn seeds(plan: &Plan) -> anyhow::Result<Seeds> {
    let targets = plan.targets()?;
    let brought = match &plan.web {
        _ if !plan.seeds.is_empty() => None,
        Web::Lab(made_up)
        | Web::Proxy {
            world: Some(made_up),
            ..
        } => Some(made_up.open().seeds(&targets)),
        Web::Recorded { files } => Some(read(files)?.0.seeds().to_vec()),
        Web::Proxy { world: None, .. } | Web::Real { .. } => None,
    };
    Ok(choose_seeds(plan, &targets, brought))
}

/// The user's seeds, or else those the web brings along, or else the built-in
/// ones of the targets.
pub(super) fn choose_seeds(plan: &Plan, targets: &Targets, brought: Option<Seeds>) -> Seeds {
    if plan.seeds.is_empty() {
        return brought.unwrap_or_else(|| built_in_seeds(targets));
    }
    let seeds = plan.seeds.iter();
    seeds
        .filter_map(|seed| CanonicalUrl::parse(seed).ok())
        .collect()
}

/// Refuses a crawl whose every seed leads where it may not go, and says which
/// of them do; names that have to be looked up show it later.
pub(super) fn check_private(plan: &Plan, seeds: &[CanonicalUrl]) -> anyhow::Result<()> {
    if !matches!(plan.web, Web::Real { .. } | Web::Proxy { .. }) {
        return Ok(());
    }
    let own = plan.own_network()?;
    let is_closed = |ip: &IpAddr| !address::is_public(*ip) && !address::is_own(*ip, &own);
    let closed = seeds.iter().filter_map(|seed| {
        let address = address::betrayed(seed.host()).filter(is_closed)?;
        Some((seed.clone(), address))
    });
    let closed: Vec<(CanonicalUrl, IpAddr)> = closed.collect();
    let Some(private) = PrivateSeeds::of(&closed, seeds.len()) else {
        return Ok(());
    };
    if private.are_all() {
        return Err(private.into());
    }
    message::warning(&private);
    message::hint(private.hint());
    Ok(())
}

/// Seeds at private addresses that were not opened.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.text())]
pub(crate) struct PrivateSeeds {
    first: CanonicalUrl,
    addresses: BTreeSet<IpAddr>,
    n_closed: usize,
    n_seeds: usize,
}

impl PrivateSeeds {
    fn of(closed: &[(CanonicalUrl, IpAddr)], n_seeds: usize) -> Option<PrivateSeeds> {
        Some(PrivateSeeds {
            first: closed.first()?.0.clone(),
            addresses: closed.iter().map(|(_, address)| *address).collect(),
            n_closed: closed.len(),
            n_seeds,
        })
    }

    fn are_all(&self) -> bool {
        self.n_closed == self.n_seeds
    }

    fn text(&self) -> String {
        let first = &self.first;
        match (self.n_closed, self.n_seeds) {
            (1, 1) => format!("the seed `{first}` leads to a private address"),
            (1, _) => format!("seed `{first}` leads to a private address, and is not asked"),
            (n_closed, n_seeds) if n_closed == n_seeds => {
                format!("all {n_seeds} seeds lead to private addresses, such as `{first}`")
            }
            (n_closed, _) => format!(
                "{n_closed} seeds lead to private addresses, such as `{first}`, and are not asked"
            ),
        }
    }

    /// The option that opens the way to them.
    pub(crate) fn hint(&self) -> String {
        const FEW: usize = 3;
        let addresses: Vec<String> = self.addresses.iter().map(IpAddr::to_string).collect();
        match addresses.len() <= FEW {
            true => format!(
                "if they are yours, `--allow-private {}` lets this crawl ask them",
                addresses.join(",")
            ),
            false => "if they are yours, `--allow-private` with their ranges, such as \
                      `10.0.0.0/8`, lets this crawl ask them"
                .into(),
        }
    }
}

/// Opens recorded pages, and says what is wrong with them.
fn recorded(files: &[RecordedFile]) -> anyhow::Result<Recorded> {
    for file in files {
        file.check_unchanged()?;
    }
    let (recorded, flaws) = read(files)?;
    for Flaw {
        file,
        n_answers,
        error,
    } in flaws
    {
        message::warning(format!(
            "`{}` is {error}; {} could be read",
            file.display(),
            count(n_answers, "recorded page"),
        ));
        for hint in message::archive_hint(&error) {
            message::hint(hint);
        }
    }
    message::info(format!(
        "replaying {} of {} from {}",
        count(recorded.n_urls() as u64, "recorded page"),
        count(recorded.seeds().len() as u64, "site"),
        count(files.len() as u64, "file"),
    ));
    Ok(recorded)
}

fn read(files: &[RecordedFile]) -> anyhow::Result<(Recorded, Vec<Flaw>)> {
    let paths: Vec<PathBuf> = files.iter().map(|file| file.path.clone().into()).collect();
    let open = || Recorded::open(&paths, MAX_BODY);
    Ok(wait_for("reading recorded pages", open)?)
}

fn http(plan: &Plan, contact: Option<&str>, proxy: Option<String>) -> anyhow::Result<Http> {
    let timeout = plan.timeout_ms.map_or(TIMEOUT, Duration::from_millis);
    let roots = plan.roots.clone().map_or(Roots::System, Roots::File);
    let budget = Budget::of_process();
    let user_agent = user_agent(contact);
    Ok(Http::new(HttpSettings {
        user_agent,
        timeout,
        connect_timeout: CONNECT_TIMEOUT.min(timeout),
        max_body: MAX_BODY,
        proxy,
        open_ranges: plan.own_network()?,
        roots,
        dns: plan.dns,
        budget,
        ..HttpSettings::default()
    })?)
}

/// Says how much a crawl may ask for at once, where it asks the network.
pub(super) fn tell_budget(plan: &Plan) {
    if !matches!(plan.web, Web::Real { .. } | Web::Proxy { .. }) {
        return;
    }
    let budget = Budget::of_process();
    message::info(format!(
        "at most {} and {} at once, of {}",
        count((budget.n_exchanges + budget.n_idle) as u64, "connection"),
        count(budget.n_look_ups as u64, "look-up"),
        count(budget.n_descriptors, "open file"),
    ));
}

/// What servers are told of us.
pub(super) fn user_agent(contact: Option<&str>) -> String {
    let contact = contact.map_or(String::new(), |contact| format!(" (+{contact})"));
    format!("Locavore/{}{contact}", env!("CARGO_PKG_VERSION"))
}

fn built_in_seeds(targets: &Targets) -> Seeds {
    let gazetteer = Gazetteer::built_in();
    let places = targets.list().iter().map(|target| target.place);
    let urls = places.flat_map(|place| gazetteer.seeds(place).to_vec());
    urls.filter_map(|url| CanonicalUrl::parse(url).ok())
        .collect()
}
