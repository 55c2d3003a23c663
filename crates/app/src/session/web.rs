//! Who answers for the web of a plan, and where a crawl of it starts.

use crate::message;
use crate::plan::{Plan, RecordedFile, Web, parse_ranges};
use crate::progress::wait_for;
use crate::text::count;
use anyhow::{Context, anyhow};
use crawl::fetch::Fetcher;
use crawl::fetch::archive::{Flaw, Recorded};
use crawl::fetch::http::{Budget, Http, HttpSettings, Reach, Roots};
use crawl::fetch::made_up;
use lab::world::MadeUpWeb;
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use place::target::Targets;
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
}

impl Opened {
    fn new(fetcher: impl Fetcher + 'static, seeds: Option<Seeds>) -> Opened {
        Opened {
            fetcher: Arc::new(fetcher),
            seeds,
            servers: None,
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
            open_ranges,
        } => {
            check_proxy(plan, url)?;
            let http = http(plan, contact.as_deref(), Some(url.clone()), open_ranges)?;
            Ok(Opened::new(http, None))
        }
        Web::Real {
            contact,
            open_ranges,
        } => {
            let http = http(plan, Some(contact), None, open_ranges)?;
            Ok(Opened::new(http, None))
        }
    }
}

/// Behind any proxy but the made-up web's may be the real web, where the same
/// is asked of a crawl as without one.
fn check_proxy(plan: &Plan, proxy: &str) -> anyhow::Result<()> {
    let Some(lacking) = plan.lacks_for_real_web() else {
        return Ok(());
    };
    let is_made_up = made_up::is_behind(proxy).with_context(|| {
        format!(
            "cannot ask the proxy `{proxy}` whether its web is made up; any other needs {lacking}"
        )
    })?;
    match is_made_up {
        true => Ok(()),
        false => Err(anyhow!(
            "behind the proxy `{proxy}` may be the real web, since it is not `locavore lab web`: \
             that needs {lacking}"
        )),
    }
}

/// Where a crawl of this plan starts, without opening its way to the web.
pub(crate) fn seeds(plan: &Plan) -> anyhow::Result<Seeds> {
    let targets = plan.targets()?;
    let brought = match &plan.web {
        _ if !plan.seeds.is_empty() => None,
        Web::Lab(made_up) => Some(made_up.open().seeds(&targets)),
        Web::Recorded { files } => Some(read(files)?.0.seeds().to_vec()),
        Web::Proxy { .. } | Web::Real { .. } => None,
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

fn http(
    plan: &Plan,
    contact: Option<&str>,
    proxy: Option<String>,
    open_ranges: &[String],
) -> anyhow::Result<Http> {
    let timeout = plan.timeout_ms.map_or(TIMEOUT, Duration::from_millis);
    let roots = plan.roots.clone().map_or(Roots::System, Roots::File);
    let contact = contact.map_or(String::new(), |contact| format!(" (+{contact})"));
    let budget = Budget::of_process();
    message::info(format!(
        "at most {} and {} at once, of {}",
        count((budget.n_exchanges + budget.n_idle) as u64, "connection"),
        count(budget.n_look_ups as u64, "look-up"),
        count(budget.n_descriptors, "open file"),
    ));
    let user_agent = format!("Locavore/{}{contact}", env!("CARGO_PKG_VERSION"));
    Ok(Http::new(HttpSettings {
        user_agent,
        timeout,
        connect_timeout: CONNECT_TIMEOUT.min(timeout),
        max_body: MAX_BODY,
        proxy,
        open_ranges: parse_ranges(open_ranges)?,
        // Whoever hurries their own machines must not come upon others'.
        reach: match plan.is_hurried() {
            true => Reach::OpenOnly,
            false => Reach::Public,
        },
        roots,
        dns: plan.dns,
        budget,
        ..HttpSettings::default()
    })?)
}

fn built_in_seeds(targets: &Targets) -> Seeds {
    let gazetteer = Gazetteer::built_in();
    let places = targets.list().iter().map(|target| target.place);
    let urls = places.flat_map(|place| gazetteer.seeds(place).to_vec());
    urls.filter_map(|url| CanonicalUrl::parse(url).ok())
        .collect()
}
