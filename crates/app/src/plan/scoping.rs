//! What links have to keep to, as the plan keeps it.
//!
//! None of it may change on the way: links that were refused do not come back.

use crate::bad_lines::bad_lines;
use crate::cli::ScopingArgs;
use crate::text::{count, thousands};
use anyhow::{Context, anyhow};
use crawl::bounds::{Bounds, OutOfBounds, PatternError};
use page::url::CanonicalUrl;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::Path;

/// Hosts, domains and patterns; those of files one by one.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Scoping {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    only_hosts: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    only_domains: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    include: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    exclude: Vec<String>,
}

/// Adds one host, domain or pattern to bounds.
type Add = fn(&mut Bounds, &str) -> Result<(), PatternError>;

impl Scoping {
    /// Reads the flags and the files they name.
    pub(super) fn from_args(args: &ScopingArgs) -> anyhow::Result<Scoping> {
        Ok(Scoping {
            only_hosts: read("--only-hosts", &args.only_hosts, Bounds::keep_to_host)?,
            only_domains: read("--only-domains", &args.only_domains, Bounds::keep_to_domain)?,
            include: read("--include", &args.include, Bounds::include)?,
            exclude: read("--exclude", &args.exclude, Bounds::exclude)?,
        })
    }

    /// Whether nothing was asked of links.
    pub(super) fn is_usual(&self) -> bool {
        *self == Scoping::default()
    }

    /// An error where what is asked for now is not what is kept.
    pub(super) fn resume(&self, args: &ScopingArgs) -> anyhow::Result<()> {
        let asked = Scoping::from_args(args)?;
        let lists = self.lists().into_iter().zip(asked.lists());
        for ((flag, kept), (_, asked)) in lists {
            let (kept, asked): (BTreeSet<&String>, BTreeSet<&String>) =
                (kept.iter().collect(), asked.iter().collect());
            if !asked.is_empty() && asked != kept {
                return Err(anyhow!(
                    "this crawl was started with another `{flag}` ({} then, {} now): choose another \
                     `--out`",
                    count(kept.len() as u64, "line"),
                    thousands(asked.len() as u64),
                ));
            }
        }
        Ok(())
    }

    fn lists(&self) -> [(&'static str, &[String]); 4] {
        [
            ("--only-hosts", &self.only_hosts),
            ("--only-domains", &self.only_domains),
            ("--include", &self.include),
            ("--exclude", &self.exclude),
        ]
    }

    pub(crate) fn bounds(&self) -> anyhow::Result<Bounds> {
        let mut bounds = Bounds::default();
        let adds: [Add; 4] = [
            Bounds::keep_to_host,
            Bounds::keep_to_domain,
            Bounds::include,
            Bounds::exclude,
        ];
        for ((flag, texts), add) in self.lists().into_iter().zip(adds) {
            for text in texts {
                add(&mut bounds, text).with_context(|| format!("bad `{flag}`"))?;
            }
        }
        Ok(bounds)
    }

    /// What puts an address out of scope, by the flag that says so.
    pub(crate) fn explain(&self, out: OutOfBounds<'_>) -> String {
        let named = |flag: &str, texts: &[String]| match texts {
            [text] => format!("`{flag} {text}`"),
            texts => format!("`{flag}` with its {} lines", thousands(texts.len() as u64)),
        };
        match out {
            OutOfBounds::Excluded(pattern) => format!("`--exclude {pattern}`"),
            OutOfBounds::NotIncluded => named("--include", &self.include),
            OutOfBounds::OtherHost => {
                let lists = self.lists().into_iter().take(2);
                let lists = lists.filter(|(_, texts)| !texts.is_empty());
                let lists = lists.map(|(flag, texts)| named(flag, texts));
                lists.collect::<Vec<_>>().join(", ")
            }
        }
    }

    /// The same for programs: the flag, and the pattern where one decided.
    pub(crate) fn decider<'a>(&self, out: OutOfBounds<'a>) -> (&'static str, Option<&'a str>) {
        match out {
            OutOfBounds::Excluded(pattern) => ("--exclude", Some(pattern)),
            OutOfBounds::NotIncluded => ("--include", None),
            OutOfBounds::OtherHost if self.only_hosts.is_empty() => ("--only-domains", None),
            OutOfBounds::OtherHost => ("--only-hosts", None),
        }
    }

    /// Leaves the seeds that are in scope, and tells of the others.
    pub(crate) fn sift(
        &self,
        seeds: Vec<CanonicalUrl>,
    ) -> anyhow::Result<(Vec<CanonicalUrl>, Option<SeedsOut>)> {
        let (bounds, n_seeds) = (self.bounds()?, seeds.len());
        let mut first = None;
        let mut is_in = |seed: &CanonicalUrl| {
            let out = bounds.judge(seed);
            if let (None, Some(out)) = (&first, out) {
                first = Some((seed.clone(), self.explain(out)));
            }
            out.is_none()
        };
        let kept: Vec<CanonicalUrl> = seeds.into_iter().filter(|seed| is_in(seed)).collect();
        let out = first.map(|(first, why)| SeedsOut {
            first,
            why,
            n_out: n_seeds - kept.len(),
            n_seeds,
        });
        Ok((kept, out))
    }
}

/// Seeds that are out of scope, and not asked.
pub(crate) struct SeedsOut {
    first: CanonicalUrl,
    why: String,
    n_out: usize,
    n_seeds: usize,
}

impl SeedsOut {
    pub(crate) fn describe(&self) -> String {
        let (first, why) = (&self.first, &self.why);
        let n_out = thousands(self.n_out as u64);
        match (self.n_out, self.n_seeds) {
            (1, 1) => format!("the seed `{first}` is out of scope: {why}"),
            (1, _) => format!("seed `{first}` is out of scope, and not asked: {why}"),
            (all, n_seeds) if all == n_seeds => {
                format!("all {n_out} seeds are out of scope, such as `{first}`: {why}")
            }
            _ => format!("{n_out} seeds are out of scope, and not asked, such as `{first}`: {why}"),
        }
    }
}

/// Reads one flag: `@FILE` stands for the lines of a file.
fn read(flag: &str, texts: &[String], add: Add) -> anyhow::Result<Vec<String>> {
    let mut lines = Vec::new();
    for text in texts {
        match text.strip_prefix('@') {
            Some(file) => lines.extend(read_file(Path::new(file), add)?),
            None => {
                let text = text.trim().to_owned();
                add(&mut Bounds::default(), &text).with_context(|| format!("bad `{flag}`"))?;
                lines.push(text);
            }
        }
    }
    Ok(lines)
}

/// The lines of a file; all that make no sense are told.
fn read_file(file: &Path, add: Add) -> anyhow::Result<Vec<String>> {
    let text = std::fs::read_to_string(file)
        .with_context(|| format!("cannot read `{}`", file.display()))?;
    let (mut good, mut bad) = (Vec::new(), Vec::new());
    for (line_idx, line) in text.lines().enumerate() {
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match add(&mut Bounds::default(), line) {
            Ok(()) => good.push(line.to_owned()),
            Err(error) => bad.push(format!("  {}: {error}", line_idx + 1)),
        }
    }
    match bad.is_empty() {
        true if good.is_empty() => Err(anyhow!("nothing stands in `{}`", file.display())),
        true => Ok(good),
        false => Err(bad_lines(file, bad)),
    }
}
