//! Examples of a topic in a folder: pages, or lists of their addresses.
//!
//! `positive/` and `negative/` hold pages (.html, .txt); `positive.txt` and
//! `negative.txt` list URLs, one a line, of pages that were fetched by an
//! earlier crawl or are made up. Pages that lie in the folder itself are
//! positive ones. Without negatives, the built-in mix has to do.

use super::{mix, page_of_html, page_of_text};
use crate::bad_lines::bad_lines;
use crate::commands::visits_of;
use crate::message;
use crate::progress::watch;
use crate::text::{count, thousands};
use anyhow::{Context, anyhow};
use crawl::fetch::Fetched;
use lab::world::World;
use page::html::{self, Page};
use page::url::CanonicalUrl;
use std::collections::HashMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use store::warc;
use strategy::topic::Trainer;

/// A file beyond this is no page.
const MAX_FILE: u64 = 10 << 20;

/// Who has the pages that a list names.
pub(crate) enum Source<'a> {
    /// Nobody.
    None,
    /// What an earlier crawl has archived.
    Crawl(&'a Path),
    /// A made-up web.
    Lab(&'a World),
}

/// A folder's examples.
pub(crate) struct Folder {
    /// The folder's own name.
    pub(crate) name: String,
    positives: Vec<Page>,
    /// None where the built-in mix is taken.
    negatives: Option<Vec<Page>>,
    /// URLs of lists that nobody has.
    n_missing: u64,
    n_listed: u64,
}

impl Folder {
    pub(crate) fn read(dir: &Path, source: &Source<'_>) -> anyhow::Result<Folder> {
        let name = dir.file_name().unwrap_or(OsStr::new("topic"));
        let mut folder = Folder {
            name: name.to_string_lossy().into_owned(),
            positives: Vec::new(),
            negatives: None,
            n_missing: 0,
            n_listed: 0,
        };
        let positives = match folder.side(dir, "positive", source)? {
            Some(pages) => pages,
            None => pages_in(dir, &["positive.txt", "negative.txt"])?,
        };
        if positives.is_empty() && folder.n_listed == 0 {
            return Err(anyhow!(
                "no examples in `{0}`: put pages (.html, .txt) into `{0}/positive`, or their URLs \
                 into `{0}/positive.txt`",
                dir.display()
            ));
        }
        folder.positives = positives;
        folder.negatives = folder.side(dir, "negative", source)?;
        Ok(folder)
    }

    /// The pages of one side, in a folder or by a list; none without either.
    fn side(
        &mut self,
        dir: &Path,
        side: &str,
        source: &Source<'_>,
    ) -> anyhow::Result<Option<Vec<Page>>> {
        let (pages, list) = (dir.join(side), dir.join(format!("{side}.txt")));
        let mut found = match pages.is_dir() {
            true => Some(pages_in(&pages, &[])?),
            false => None,
        };
        if list.is_file() {
            let urls = read_list(&list)?;
            let listed = fetch(&list, &urls, source)?;
            self.n_listed += urls.len() as u64;
            self.n_missing += (urls.len() - listed.len()) as u64;
            found.get_or_insert_default().extend(listed);
        }
        Ok(found)
    }

    /// Warns of what could not be had or does not fit.
    pub(crate) fn tell_what_is_missing(&self) {
        if self.n_missing > 0 {
            message::warning(format!(
                "{} of {} in the lists could not be had",
                thousands(self.n_missing),
                count(self.n_listed, "page"),
            ));
        }
    }

    /// All examples, ready to be learned from.
    pub(crate) fn trainer(&self) -> anyhow::Result<Trainer> {
        let mut trainer = Trainer::default();
        for page in &self.positives {
            trainer.learn(page, true);
        }
        let mix;
        let negatives = match &self.negatives {
            Some(pages) => pages,
            None => {
                message::info("no negative examples: a built-in mix of English texts has to do");
                if let Some(language) = trainer.language().filter(|it| *it != mix::LANGUAGE) {
                    message::warning(format!(
                        "the positive examples are in `{language}`, and the built-in mix is in \
                         `{}`: any page in `{language}` will seem to be about the topic; give \
                         negative examples of your own",
                        mix::LANGUAGE
                    ));
                }
                mix = mix::pages(&self.name);
                &mix
            }
        };
        for page in negatives {
            trainer.learn(page, false);
        }
        Ok(trainer)
    }
}

/// The pages that lie in a folder, by name; others files are passed over.
fn pages_in(dir: &Path, except: &[&str]) -> anyhow::Result<Vec<Page>> {
    let cannot_read = |path: &Path| format!("cannot read `{}`", path.display());
    let entries = std::fs::read_dir(dir).with_context(|| cannot_read(dir))?;
    let mut files: Vec<PathBuf> = Vec::new();
    for entry in entries {
        files.push(entry.with_context(|| cannot_read(dir))?.path());
    }
    files.sort();
    let mut pages = Vec::new();
    for file in files {
        let is_excepted = except
            .iter()
            .any(|name| file.file_name() == Some(OsStr::new(name)));
        let Some(kind) = Kind::of(&file).filter(|_| !is_excepted) else {
            continue;
        };
        let size = std::fs::metadata(&file)
            .with_context(|| cannot_read(&file))?
            .len();
        if size > MAX_FILE {
            message::warning(format!("`{}` is too large for a page", file.display()));
            continue;
        }
        let bytes = std::fs::read(&file).with_context(|| cannot_read(&file))?;
        pages.extend(match kind {
            Kind::Html => page_of_html(&bytes),
            Kind::Text => page_of_text(&html::decode_text(&bytes)),
        });
    }
    Ok(pages)
}

enum Kind {
    Html,
    Text,
}

impl Kind {
    fn of(file: &Path) -> Option<Kind> {
        let extension = file.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "html" | "htm" | "xhtml" => Some(Kind::Html),
            "txt" => Some(Kind::Text),
            _ => None,
        }
    }
}

fn read_list(list: &Path) -> anyhow::Result<Vec<CanonicalUrl>> {
    let text = std::fs::read_to_string(list)
        .with_context(|| format!("cannot read `{}`", list.display()))?;
    let mut urls = Vec::new();
    let mut bad = Vec::new();
    let lines = text.lines().map(str::trim).zip(1..);
    for (line, number) in lines.filter(|(line, _)| !line.is_empty() && !line.starts_with('#')) {
        match CanonicalUrl::parse(line) {
            Ok(url) => urls.push(url),
            Err(error) => bad.push(format!("  {number}: `{line}`: {error}")),
        }
    }
    if bad.is_empty() {
        return Ok(urls);
    }
    Err(bad_lines(list, bad))
}

/// The pages of a list, as far as they can be had.
fn fetch(list: &Path, urls: &[CanonicalUrl], source: &Source<'_>) -> anyhow::Result<Vec<Page>> {
    match source {
        Source::None => Err(anyhow!(
            "`{}` lists URLs: `locavore train topic {} --crawl DIR` learns from the pages that an \
             earlier crawl has fetched",
            list.display(),
            list.parent().unwrap_or(list).display(),
        )),
        Source::Lab(world) => Ok(urls.iter().filter_map(|url| made_up(world, url)).collect()),
        Source::Crawl(dir) => archived(dir, urls),
    }
}

fn made_up(world: &World, url: &CanonicalUrl) -> Option<Page> {
    match world.answer(url).fetched {
        Fetched::Answer(answer) if answer.status == 200 && answer.is_text() => Some(html::read(
            &answer.body,
            url,
            answer.content_type.as_deref(),
        )),
        _ => None,
    }
}

fn archived(dir: &Path, urls: &[CanonicalUrl]) -> anyhow::Result<Vec<Page>> {
    let wanted: HashMap<&str, usize> = urls.iter().map(CanonicalUrl::as_str).zip(0..).collect();
    let mut found: Vec<Option<Page>> = vec![None; urls.len()];
    for visit in watch("visit", visits_of(dir)?) {
        let (Some(&at), Some(shelf)) = (wanted.get(visit.url.as_str()), visit.archived) else {
            continue;
        };
        if !visit.is_page() || found[at].is_some() {
            continue;
        }
        let response = warc::read_at(dir, shelf)?.filter(|it| it.refers_to.is_none());
        found[at] = response.map(|response| {
            let content_type = response.content_type();
            html::read(&response.body, &urls[at], content_type.as_deref())
        });
    }
    Ok(found.into_iter().flatten().collect())
}
