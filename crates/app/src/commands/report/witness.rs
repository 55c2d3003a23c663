//! What the user knows of pages beside the log: a classifier to evaluate with,
//! in-links, and a directory of sites.

use crate::cli::ReportArgs;
use anyhow::{Context, anyhow, bail};
use lab::measure::site_of;
use page::html;
use page::url::CanonicalUrl;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;
use store::visit::Visit;
use store::warc;
use strategy::topic::Topic;

/// Pages shown to the classifier at most, about.
const MOST_EVALUATED: u64 = 20_000;

/// Bad lines that are told.
const MOST_TOLD: usize = 3;

/// Everything the user has given.
#[derive(Default)]
pub(super) struct Knowledge {
    topic: Option<Topic>,
    /// By short fingerprint of the address.
    in_links: Option<HashMap<u64, u64>>,
    directory: Option<HashSet<String>>,
}

impl Knowledge {
    pub(super) fn read(args: &ReportArgs) -> anyhow::Result<Knowledge> {
        Ok(Knowledge {
            topic: args.evaluate.as_deref().map(read_topic).transpose()?,
            in_links: args.inlinks.as_deref().map(read_in_links).transpose()?,
            directory: args.directory.as_deref().map(read_directory).transpose()?,
        })
    }

    pub(super) fn evaluates(&self) -> bool {
        self.topic.is_some()
    }

    /// One page in so many of a crawl is evaluated.
    pub(super) fn one_in(n_pages: u64) -> u64 {
        n_pages.div_ceil(MOST_EVALUATED).max(1)
    }

    /// How topical a page is that the crawl has archived.
    pub(super) fn topicality(&self, dir: &Path, visit: &Visit) -> Option<f32> {
        let url = CanonicalUrl::parse(&visit.url).ok()?;
        let response = warc::read_at(dir, visit.archived?).ok()??;
        let content_type = response.content_type();
        let page = html::read(&response.body, &url, content_type.as_deref());
        Some(self.topic.as_ref()?.topicality(&page))
    }

    pub(super) fn n_inlinks(&self, url: &str) -> Option<u64> {
        let url = CanonicalUrl::parse(url).ok()?;
        let counts = self.in_links.as_ref()?;
        counts.get(&url.fingerprint().short()).copied()
    }

    pub(super) fn counts_links(&self) -> bool {
        self.in_links.is_some()
    }

    pub(super) fn is_listed(&self, site: &str) -> bool {
        let directory = self.directory.as_ref();
        directory.is_some_and(|directory| directory.contains(site))
    }

    pub(super) fn lists_sites(&self) -> bool {
        self.directory.is_some()
    }
}

fn read_topic(path: &Path) -> anyhow::Result<Topic> {
    let bytes = std::fs::read(path).with_context(|| format!("cannot read `{}`", path.display()))?;
    Topic::from_bytes(&bytes)
        .with_context(|| format!("`{}` is no topic made by `train topic`", path.display()))
}

/// In-links by short fingerprint: lines of a URL, a tab and a number.
pub(crate) fn read_in_links(path: &Path) -> anyhow::Result<HashMap<u64, u64>> {
    let mut counts = HashMap::new();
    each_line(path, "a URL, a tab and a number", |line| {
        let (url, count) = line.rsplit_once('\t')?;
        let url = CanonicalUrl::parse(url.trim()).ok()?;
        counts.insert(url.fingerprint().short(), count.trim().parse().ok()?);
        Some(())
    })?;
    Ok(counts)
}

fn read_directory(path: &Path) -> anyhow::Result<HashSet<String>> {
    let mut sites = HashSet::new();
    each_line(path, "the address of a site, or its host", |line| {
        let url = match line.contains("://") {
            true => CanonicalUrl::parse(line).ok()?,
            false => CanonicalUrl::parse(&format!("http://{line}/")).ok()?,
        };
        sites.insert(site_of(&url).to_owned());
        Some(())
    })?;
    Ok(sites)
}

/// Shows every line that says something; tells those that cannot be used.
fn each_line(
    path: &Path,
    expected: &str,
    mut take: impl FnMut(&str) -> Option<()>,
) -> anyhow::Result<()> {
    let name = path.display();
    let file = File::open(path).with_context(|| format!("cannot read `{name}`"))?;
    let mut bad = Vec::new();
    let (mut n_bad, mut n_good) = (0, 0);
    for (line, number) in BufReader::new(file).lines().zip(1..) {
        let line = line.with_context(|| format!("cannot read `{name}`, line {number}"))?;
        let line = line.trim().trim_start_matches('\u{feff}');
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match take(line) {
            Some(()) => n_good += 1,
            None => {
                n_bad += 1;
                if bad.len() < MOST_TOLD {
                    let shown: String = line.chars().take(60).collect();
                    bad.push(format!("\n  {number}: `{shown}`"));
                }
            }
        }
    }
    if n_bad > 0 {
        let more = match n_bad - bad.len() {
            0 => String::new(),
            n => format!("\n  and {n} more"),
        };
        bail!(
            "bad lines in `{name}`: each is {expected}{}{more}",
            bad.concat()
        );
    }
    match n_good {
        0 => Err(anyhow!("`{name}` is empty: each line is {expected}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> (tempfile::TempDir, std::path::PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list.txt");
        std::fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn complaint<T>(read: fn(&Path) -> anyhow::Result<T>, text: &str) -> String {
        let (folder, path) = file(text);
        let error = format!("{:#}", read(&path).err().unwrap());
        error.replace(&folder.path().display().to_string(), "")
    }

    #[test]
    fn in_links_are_known_by_address() {
        let (_folder, path) =
            file("# counted in May\nhttp://A.com\t3\n\nhttp://b.com/x?y=1\t 12 \n");
        let knowledge = Knowledge {
            in_links: Some(read_in_links(&path).unwrap()),
            ..Knowledge::default()
        };
        assert_eq!(knowledge.n_inlinks("http://a.com/"), Some(3));
        assert_eq!(knowledge.n_inlinks("http://b.com/x?y=1"), Some(12));
        assert_eq!(knowledge.n_inlinks("http://c.com/"), None);
    }

    #[test]
    fn sites_are_hosts_however_they_are_written() {
        let (_folder, path) = file("www.a.com\nhttps://b.org/deep/page\nc.net\n");
        let knowledge = Knowledge {
            directory: Some(read_directory(&path).unwrap()),
            ..Knowledge::default()
        };
        let listed = ["a.com", "b.org", "c.net", "d.com"].map(|site| knowledge.is_listed(site));
        assert_eq!(listed, [true, true, true, false]);
    }

    #[test]
    fn bad_lines_are_told_by_their_numbers() {
        assert_eq!(
            complaint(
                read_in_links,
                "http://a.com/\t3\nhttp://b.com/ 4\nhttp://c.com/\tmany\n"
            ),
            "bad lines in `/list.txt`: each is a URL, a tab and a number\n  2: `http://b.com/ 4`\n  3: `http://c.com/\tmany`"
        );
        assert_eq!(
            complaint(read_directory, "# nothing\n"),
            "`/list.txt` is empty: each line is the address of a site, or its host"
        );
        assert!(complaint(read_topic, "no topic").contains("is no topic made by `train topic`"));
    }

    #[test]
    fn large_crawls_are_evaluated_in_part() {
        assert_eq!([0, 20_000, 20_001].map(Knowledge::one_in), [1, 1, 2]);
    }
}
