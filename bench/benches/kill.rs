//! Fifty `kill -9` during one crawl of six nodes over real sockets: what is
//! lost, doubled, or asked too soon. Ends badly if anything is.
//!
//! `cargo bench -p bench --bench kill` builds the program, lets it crawl a
//! made-up web served by `locavore lab web` to its end undisturbed, then again
//! while it is killed at random moments and started anew. LOCAVORE_KILLS and
//! LOCAVORE_KILL_SEED set how often and when; LOCAVORE_KILL_SITES, how large
//! the web is; LOCAVORE_BIN names a program that is built already.
//!
//! What is checked: after each kill, visits on record before are still there
//! unchanged; in the end, each URL was settled once, with the answer it has in
//! the undisturbed crawl; every page on record is in the archive; the web was
//! asked for exactly the pages on record; and by the web's own log no host was
//! asked before its delay, its `Crawl-delay` included.

#![allow(clippy::print_stdout)]

use bench::mutate::Dice;
use bench::{program, size};
use crawl::fetch::Fetched;
use crawl::robots::Rules;
use lab::access::{self, Access};
use lab::audit::{self, Pause};
use lab::world::{World, WorldSettings};
use page::url::CanonicalUrl;
use place::gazetteer::Gazetteer;
use std::collections::{BTreeSet, HashMap};
use std::error::Error;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use store::crawl_dir::{StoreError, VisitReader};
use store::visit::Visit;
use store::warc;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Between two requests to one host.
const DELAY: Duration = Duration::from_millis(50);

/// The crawl's clock counts whole milliseconds.
const TICK: Duration = Duration::from_millis(1);

/// A life is no longer than this: long enough for a commit or two.
const LONGEST_LIFE: u64 = 2_500;

/// No undisturbed crawl should take longer.
const PATIENCE: Duration = Duration::from_secs(1800);

/// Violations shown one by one.
const MOST_SHOWN: usize = 5;

fn main() -> Result<ExitCode> {
    let n_kills = size("LOCAVORE_KILLS", 50);
    let n_sites = size("LOCAVORE_KILL_SITES", 10);
    let settings = WorldSettings {
        seed: size("LOCAVORE_KILL_WORLD", 31),
        n_sites,
        top_sites: n_sites,
        // A web with an end, which every order reaches: few cities, no traps
        // and no copies.
        min_population: 400_000,
        german_local_sites: 0,
        max_pages: 200,
        near_copies: 0,
        syndicated: 0,
        calendars: 0,
        session_ids: 0,
        facets: 0,
        ..WorldSettings::default()
    };
    let folder = tempfile::tempdir()?;
    let world = World::new(settings, Gazetteer::built_in());
    let stage = Setting {
        program: program()?,
        folder: folder.path().to_path_buf(),
        world: &world,
    };
    let started = Instant::now();
    let calm = stage.crawl("calm", &mut Fate::kind())?;
    println!(
        "undisturbed: {} visits, {} requests, {:.0} s",
        calm.visits.len(),
        calm.accesses.len(),
        started.elapsed().as_secs_f64()
    );
    let started = Instant::now();
    let mut fate = Fate::cruel(n_kills, size("LOCAVORE_KILL_SEED", 1));
    let rough = stage.crawl("rough", &mut fate)?;
    println!(
        "{} kills: {} visits, {} requests, {:.0} s",
        fate.n_done,
        rough.visits.len(),
        rough.accesses.len(),
        started.elapsed().as_secs_f64()
    );
    let mut faults = judge(&stage, &calm, &rough)?;
    if fate.n_left > 0 {
        faults.push(format!("the crawl ended with {} kills to go", fate.n_left));
    }
    println!("{} violations", faults.len());
    Ok(if faults.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// What both crawls have in common.
struct Setting<'a> {
    program: PathBuf,
    folder: PathBuf,
    world: &'a World,
}

/// What a crawl leaves behind.
struct Traces {
    dir: PathBuf,
    visits: Vec<Visit>,
    accesses: Vec<Access>,
    /// Visits that were on record and then were not, or not the same.
    n_lost: usize,
}

/// When the program is killed.
struct Fate {
    n_left: u64,
    n_done: u64,
    dice: Dice,
}

impl Fate {
    fn kind() -> Fate {
        Fate::cruel(0, 0)
    }

    fn cruel(n_left: u64, seed: u64) -> Fate {
        Fate {
            n_left,
            n_done: 0,
            dice: Dice::new(seed),
        }
    }

    /// How long the next life is; none for one that may end by itself.
    fn next(&mut self) -> Option<Duration> {
        self.n_left = self.n_left.checked_sub(1)?;
        Some(Duration::from_millis(
            self.dice.below(LONGEST_LIFE as usize) as u64,
        ))
    }
}

impl Setting<'_> {
    /// Crawls to the end, however many lives it takes.
    fn crawl(&self, name: &str, fate: &mut Fate) -> Result<Traces> {
        let dir = self.folder.join(name);
        let log = self.folder.join(format!("{name}.log"));
        let web = LabWeb::start(self, &log)?;
        let mut visits: Vec<Visit> = Vec::new();
        let mut n_lost = 0;
        loop {
            let life = fate.next();
            let has_ended = self.live(&dir, &web.address, life.unwrap_or(PATIENCE))?;
            let now = visits_of(&dir)?;
            n_lost += visits
                .iter()
                .enumerate()
                .filter(|(idx, visit)| now.get(*idx) != Some(*visit))
                .count();
            visits = now;
            match (has_ended, life) {
                (true, _) => break,
                (false, Some(_)) => fate.n_done += 1,
                (false, None) => return Err("the crawl does not end".into()),
            }
        }
        drop(web);
        Ok(Traces {
            accesses: access::read(&log)?,
            dir,
            visits,
            n_lost,
        })
    }

    /// One life of the program: true if it ended by itself.
    fn live(&self, dir: &Path, proxy: &str, life: Duration) -> Result<bool> {
        let seeds = self.folder.join("seeds.txt");
        let urls = self.world.all_seeds();
        let lines: Vec<&str> = urls.iter().map(CanonicalUrl::as_str).collect();
        std::fs::write(&seeds, lines.join("\n"))?;
        let delay = format!("{}ms", DELAY.as_millis());
        let mut child = Command::new(&self.program)
            .args(["crawl", "us-top100", "--nodes", "6", "--depth", "10000"])
            .args(["--delay", &delay, "--proxy", proxy])
            .arg("--seeds")
            .arg(&seeds)
            .arg("--out")
            .arg(dir)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let started = Instant::now();
        while started.elapsed() < life {
            if let Some(status) = child.try_wait()? {
                // 1 says that some seed was lost, which the web decides.
                return match status.code() {
                    Some(0 | 1) => Ok(true),
                    _ => Err(format!("the crawl failed: {status}").into()),
                };
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill()?;
        child.wait()?;
        Ok(false)
    }
}

/// The parameters of a world, beside the log of its proxy.
fn world_file(world: &WorldSettings, log: &Path) -> Result<PathBuf> {
    let file = log.with_extension("toml");
    std::fs::write(&file, toml::to_string(world)?)?;
    Ok(file)
}

/// `locavore lab web`, until it is dropped.
struct LabWeb {
    child: Child,
    address: String,
}

impl LabWeb {
    fn start(setting: &Setting<'_>, log: &Path) -> Result<LabWeb> {
        let world = setting.world.settings();
        let mut child = Command::new(&setting.program)
            .args(["lab", "web", "--port", "0", "--pace", "0"])
            .arg("--world")
            .arg(world_file(world, log)?)
            .arg("--log")
            .arg(log)
            .stdin(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut line = String::new();
        let stderr = child.stderr.take().ok_or("no standard error")?;
        BufReader::new(stderr).read_line(&mut line)?;
        let words = line.split_whitespace();
        let address = words.into_iter().find(|word| word.starts_with("http://"));
        let address = address.ok_or_else(|| format!("no address in `{line}`"))?;
        Ok(LabWeb {
            child,
            address: address.to_owned(),
        })
    }
}

impl Drop for LabWeb {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Visits on record; none of a crawl that died before it had a folder.
fn visits_of(dir: &Path) -> Result<Vec<Visit>> {
    match VisitReader::open(dir) {
        Ok(visits) => Ok(visits.collect()),
        Err(StoreError::Missing { .. }) => Ok(Vec::new()),
        Err(error) => Err(error.into()),
    }
}

/// Everything that must hold; what does not.
fn judge(setting: &Setting<'_>, calm: &Traces, rough: &Traces) -> Result<Vec<String>> {
    let mut faults = Vec::new();
    let (expected, _) = audit::settle(&calm.visits);
    let (settled, doubled) = audit::settle(&rough.visits);
    println!(
        "{} URLs settled, {} undisturbed",
        settled.len(),
        expected.len()
    );
    let lost = vec!["a visit".to_owned(); rough.n_lost];
    tell(&mut faults, "on record, then lost or changed", lost);
    tell(&mut faults, "settled twice", doubled);
    tell(
        &mut faults,
        "differing",
        audit::differences(&expected, &settled),
    );
    tell(&mut faults, "not in the archive", unarchived(rough)?);
    let (unasked, unrecorded) = compare(rough);
    tell(&mut faults, "on record, never asked for", unasked);
    tell(&mut faults, "asked for, not on record", unrecorded);
    let n_again = rough.accesses.len() - distinct(&rough.accesses).len();
    println!("{n_again} requests made again");
    for traces in [calm, rough] {
        tell(
            &mut faults,
            "asked too soon",
            too_soon(setting.world, &traces.accesses),
        );
    }
    Ok(faults)
}

fn tell(faults: &mut Vec<String>, what: &str, found: Vec<String>) {
    println!("{what}: {}", found.len());
    for one in found.iter().take(MOST_SHOWN) {
        println!("  {one}");
    }
    faults.extend(found);
}

/// Fetched pages whose body cannot be read back.
fn unarchived(traces: &Traces) -> Result<Vec<String>> {
    let mut missing = Vec::new();
    for visit in traces.visits.iter().filter(|visit| visit.is_page()) {
        let response = match visit.archived {
            Some(shelf) => warc::read_at(&traces.dir, shelf)?,
            None => None,
        };
        if response.is_none_or(|response| response.body.len() as u32 != visit.bytes) {
            missing.push(visit.url.clone());
        }
    }
    Ok(missing)
}

/// Pages answered by the record and never asked for by the web's log, and the
/// other way round.
fn compare(traces: &Traces) -> (Vec<String>, Vec<String>) {
    let asked = distinct(&traces.accesses);
    let answered = traces.visits.iter().filter(|visit| visit.status.is_some());
    let answered: BTreeSet<&str> = answered.map(|visit| visit.url.as_str()).collect();
    let owned = |urls: Vec<&&str>| urls.into_iter().map(|&url| url.to_owned()).collect();
    (
        owned(answered.difference(&asked).collect()),
        owned(asked.difference(&answered).collect()),
    )
}

fn distinct(accesses: &[Access]) -> BTreeSet<&str> {
    accesses.iter().map(|access| access.url.as_str()).collect()
}

/// Requests that came before their host's delay was over.
fn too_soon(world: &World, accesses: &[Access]) -> Vec<String> {
    let pauses = audit::pauses(accesses);
    if let Some(least) = pauses.iter().min_by_key(|pause| pause.length) {
        println!("smallest gap: {:?} before {}", least.length, least.url);
    }
    let mut delays = HashMap::new();
    let mut is_too_soon = |pause: &&Pause| {
        let host = pause.host.clone();
        let delay = delays
            .entry(host)
            .or_insert_with_key(|host| delay_of(world, host));
        pause.length + TICK < *delay
    };
    let soon = pauses.iter().filter(|pause| is_too_soon(pause));
    soon.map(|pause| format!("{} after {:?}", pause.url, pause.length))
        .collect()
}

/// What a host asks for, and no less than what the crawl was told.
fn delay_of(world: &World, host: &str) -> Duration {
    let url = CanonicalUrl::parse(&format!("http://{host}/robots.txt"));
    let landing = url.ok().map(|url| world.answer(&url).fetched);
    let Some(Fetched::Answer(answer)) = landing else {
        return DELAY;
    };
    let rules = Rules::parse(&answer.body, "Locavore");
    let asked_for = rules.crawl_delay().filter(|_| answer.status == 200);
    asked_for.map_or(DELAY, |asked_for| asked_for.max(DELAY))
}
