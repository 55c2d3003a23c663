//! Whether a crawl counts the addresses that `geoparse` finds, page by page.
//!
//! `LOCAVORE_EVAL=… cargo bench -p bench --bench agreement` crawls each
//! recorded web of that folder to its end, for towns that are not on its every
//! page, and reads the crawl's own archive with `geoparse`. Ends badly if they
//! disagree about any page. LOCAVORE_BIN names a program that is built already.

#![allow(clippy::print_stdout)]

use bench::program;
use place::address::Addresses;
use place::evidence::{Claim, Kind, Understanding};
use place::gazetteer::Gazetteer;
use place::target;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::error::Error;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::sync::LazyLock;
use store::crawl_dir::VisitReader;
use store::visit::Visit;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Recorded webs, and what is looked for in them.
const WEBS: [(&str, &[&str]); 4] = [
    (
        "webs/uic_2018",
        &["Peoria, IL", "Rockford, IL", "Urbana, IL"],
    ),
    (
        "webs/uic_2020",
        &["Peoria, IL", "Rockford, IL", "Urbana, IL"],
    ),
    (
        "webs/ucf_news_2011",
        &["Tampa, FL", "Cocoa, FL", "Daytona Beach, FL"],
    ),
    ("pages/university_web", &["Irvine, CA", "San Francisco, CA"]),
];

/// Unpacking a whole web packed as one takes so much, as a power of two.
const WINDOW_LOG: u32 = 27;

/// Disagreements shown of one web.
const MOST_SHOWN: usize = 5;

fn main() -> Result<ExitCode> {
    let Some(eval) = std::env::var_os("LOCAVORE_EVAL") else {
        println!("skipped: LOCAVORE_EVAL names no folder");
        return Ok(ExitCode::SUCCESS);
    };
    let program = program()?;
    let mut n_disagreeing = 0;
    for (web, targets) in WEBS {
        let folder = tempfile::tempdir()?;
        let files = files(&Path::new(&eval).join(web), folder.path())?;
        if files.is_empty() {
            println!("skipped: no `{web}`");
            continue;
        }
        let dir = folder.path().join("crawl");
        crawl(&program, &files, targets, &dir)?;
        n_disagreeing += compare(&program, web, targets, &dir)?;
    }
    println!("{n_disagreeing} pages without agreement");
    Ok(match n_disagreeing {
        0 => ExitCode::SUCCESS,
        _ => ExitCode::FAILURE,
    })
}

/// The files of a web, as the program takes them.
fn files(web: &Path, folder: &Path) -> Result<Vec<PathBuf>> {
    let beside = |end: &str| {
        let mut name = web.as_os_str().to_owned();
        name.push(end);
        Some(PathBuf::from(name)).filter(|path| path.exists())
    };
    let mut files = Vec::new();
    if let Some(packed) = beside(".warc.zst") {
        let plain = folder.join("web.warc");
        let mut decoder = zstd::Decoder::new(File::open(packed)?)?;
        decoder.window_log_max(WINDOW_LOG)?;
        std::io::copy(&mut decoder, &mut File::create(&plain)?)?;
        files.push(plain);
    }
    files.extend(beside(".warc.gz"));
    files.extend(beside(".redirects.warc.gz"));
    Ok(files)
}

fn crawl(program: &Path, files: &[PathBuf], targets: &[&str], dir: &Path) -> Result<()> {
    let status = Command::new(program)
        .arg("crawl")
        .args(targets)
        .arg("--out")
        .arg(dir)
        .arg("--web")
        .args(files)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .status()?;
    match status.success() {
        true => Ok(()),
        false => Err(format!("the crawl ended with {status}").into()),
    }
}

/// Pages with addresses in each target: by the record, and by `geoparse`.
#[derive(Default)]
struct Counted {
    by_crawl: BTreeSet<String>,
    by_geoparse: BTreeSet<String>,
}

/// Prints a row for each target; gives back on how many pages the two differ.
fn compare(program: &Path, web: &str, targets: &[&str], dir: &Path) -> Result<usize> {
    let gazetteer = Gazetteer::built_in();
    let mut counted: BTreeMap<u32, Counted> = BTreeMap::new();
    let mut names: HashMap<u32, &str> = HashMap::new();
    for name in targets {
        let id = gazetteer.geonameid(target::resolve(gazetteer, name)?);
        counted.entry(id).or_default();
        names.insert(id, name);
    }
    let archived = geoparsed(program, dir)?;
    let mut n_pages = 0;
    for visit in VisitReader::open(dir)?.filter(Visit::is_page) {
        n_pages += 1;
        let on_record: BTreeSet<u32> = visit.entities.iter().map(|one| one.target).collect();
        // A copy is archived as one: its page stands elsewhere in the archive.
        let found = archived.get(&visit.url).unwrap_or(&on_record);
        for place in &on_record {
            if let Some(counted) = counted.get_mut(place) {
                counted.by_crawl.insert(visit.url.clone());
            }
        }
        for place in found {
            if let Some(counted) = counted.get_mut(place) {
                counted.by_geoparse.insert(visit.url.clone());
            }
        }
    }
    let mut n_disagreeing = 0;
    for (
        id,
        Counted {
            by_crawl,
            by_geoparse,
        },
    ) in &counted
    {
        let differing: Vec<&String> = by_crawl.symmetric_difference(by_geoparse).collect();
        println!(
            "{web:<22} {n_pages:>6} pages  {:<18} {:>5} by the crawl {:>5} by geoparse",
            names[id],
            by_crawl.len(),
            by_geoparse.len()
        );
        for url in differing.iter().take(MOST_SHOWN) {
            println!("  {url}");
        }
        n_disagreeing += differing.len();
    }
    Ok(n_disagreeing)
}

/// The places that each page of the crawl's archive has addresses in, as
/// GeoNames ids: in its text, or in its markup.
fn geoparsed(program: &Path, dir: &Path) -> Result<HashMap<String, BTreeSet<u32>>> {
    let mut archives: Vec<PathBuf> = std::fs::read_dir(dir.join("warc"))?
        .map(|entry| Ok(entry?.path()))
        .collect::<std::io::Result<_>>()?;
    archives.sort();
    let mut child = Command::new(program)
        .args(["geoparse", "--jsonl", "--no-text"])
        .args(archives)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut found = HashMap::new();
    let stdout = child.stdout.take().ok_or("no output")?;
    for line in BufReader::new(stdout).lines() {
        let page: Value = serde_json::from_str(&line?)?;
        let url = page["id"].as_str().ok_or("a page without an address")?;
        found.insert(url.to_owned(), places(&page));
    }
    match child.wait()?.success() {
        true => Ok(found),
        false => Err("`geoparse` did not read everything".into()),
    }
}

fn places(page: &Value) -> BTreeSet<u32> {
    let all = ["addresses", "structured"].map(|key| page[key].as_array());
    let [in_text, stated] = all.map(|list| list.into_iter().flatten());
    let in_text = in_text.filter_map(|address| address["geonameid"].as_u64());
    let in_text = in_text.filter_map(|id| u32::try_from(id).ok());
    in_text.chain(stated.filter_map(stated_in)).collect()
}

/// Where an address of the markup is, if what is stated is one.
fn stated_in(fact: &Value) -> Option<u32> {
    static ADDRESSES: LazyLock<Addresses> = LazyLock::new(|| Addresses::new(Gazetteer::built_in()));
    static UNDERSTANDING: LazyLock<Understanding<'static>> =
        LazyLock::new(|| Understanding::new(Gazetteer::built_in()));
    let said = |key: &str| fact[key].as_str().unwrap_or_default();
    let claim = Claim {
        street: said("street"),
        city: said("city"),
        state: said("state"),
        zip: said("zip"),
        country: said("country"),
        ..Claim::new(Kind::JsonLd)
    };
    let evidence = UNDERSTANDING.understand(&claim, &ADDRESSES)?;
    let place = evidence.address?.place?;
    Some(Gazetteer::built_in().geonameid(place))
}
