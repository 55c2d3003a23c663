//! Every file of a crawl's folder cut, flipped, zeroed, appended to and
//! deleted, and the system refusing `fsync`, `write` and `rename`: whether the
//! crawl goes on, and what is lost. Ends badly if a promise is broken.
//!
//! `cargo bench -p bench --bench damage` builds the program, makes one crawl
//! that ended and one that was killed, and spoils a copy of either for each
//! case. LOCAVORE_DAMAGE_PAGES sets how large they are, LOCAVORE_DAMAGE_PLACES
//! at how many places a file is spoiled, LOCAVORE_DAMAGE_EVERY n takes every
//! nth case only, LOCAVORE_BIN names a program that is built already.
//!
//! What is checked of each is said in `lab::wear`: visits on record are there,
//! unchanged, or named and counted; no URL is settled twice; every archived
//! page can be read, but for those in a file that was spoiled itself.

#![allow(clippy::print_stdout)]

use bench::mutate::Dice;
use bench::{program, size};
use lab::wear::{self, Examination, Ruling, Strike, Strikes, Wear};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Output, Stdio};
use std::time::{Duration, Instant};
use store::crawl_dir::{CrawlDir, VisitReader};
use store::visit::Visit;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Pages that a crawl goes on for after each case.
const N_MORE: u64 = 20;

/// Calls of each kind that are refused, from the first on.
const STRIKES: [u32; 7] = [1, 3, 8, 20, 45, 90, 150];

/// Broken promises shown one by one.
const MOST_SHOWN: usize = 20;

fn main() -> Result<ExitCode> {
    let folder = tempfile::tempdir()?;
    let mut sweep = Sweep {
        program: program()?,
        folder: folder.path().to_path_buf(),
        every: size("LOCAVORE_DAMAGE_EVERY", 1).max(1),
        n_cases: 0,
        outcomes: BTreeMap::new(),
        broken: Vec::new(),
    };
    let n_pages = size("LOCAVORE_DAMAGE_PAGES", 1_000);
    let started = Instant::now();
    let ended = sweep.folder.join("ended");
    sweep.crawl(&ended, n_pages)?;
    CrawlDir::ripen(&ended)?;
    sweep.spoil_all("ended", &ended)?;
    let killed = sweep.folder.join("killed");
    sweep.crawl_and_kill(&killed, n_pages)?;
    sweep.spoil_all("killed", &killed)?;
    sweep.strike_all(n_pages)?;
    sweep.print();
    println!(
        "{} cases in {:.0} s, {} broken promises",
        sweep.n_cases,
        started.elapsed().as_secs_f64(),
        sweep.broken.len()
    );
    Ok(match sweep.broken.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

struct Sweep {
    program: PathBuf,
    folder: PathBuf,
    /// Of so many cases one is tried.
    every: u64,
    n_cases: u64,
    /// How often each came of it, by kind of file and what happened to it.
    outcomes: BTreeMap<(String, String), BTreeMap<String, u64>>,
    broken: Vec<String>,
}

impl Sweep {
    fn command(&self, dir: &Path, n_pages: u64) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(["crawl", "us-top100", "--web", "lab"])
            .args(["--world-sites", "3000", "--world-seed", "11"])
            .args(["--pages", &n_pages.to_string(), "--out"])
            .arg(dir)
            .stdin(Stdio::null());
        command
    }

    fn crawl(&self, dir: &Path, n_pages: u64) -> Result<Output> {
        Ok(self.command(dir, n_pages).output()?)
    }

    fn crawl_and_kill(&self, dir: &Path, n_visits: u64) -> Result<()> {
        let mut command = self.command(dir, 1_000_000);
        let mut child = command
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        while (visits_of(dir).len() as u64) < n_visits {
            if child.try_wait()?.is_some() {
                return Err("the crawl ended before it was killed".into());
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill()?;
        child.wait()?;
        Ok(())
    }

    /// Every file in every way.
    fn spoil_all(&mut self, name: &str, original: &Path) -> Result<()> {
        let before = visits_of(original);
        let n_places = size("LOCAVORE_DAMAGE_PLACES", 2);
        let mut dice = Dice::new(size("LOCAVORE_DAMAGE_SEED", 1));
        for file in wear::files(original)? {
            for wear in Wear::ALL {
                let n_places = match wear {
                    Wear::Cut | Wear::Flip | Wear::Zeros => n_places,
                    Wear::Append | Wear::Delete => 1,
                };
                for _ in 0..n_places {
                    let place = (dice.below(usize::MAX) as u64) ^ (dice.below(8) as u64) << 32;
                    if self.is_wanted() {
                        let case = (format!("{name} {}", wear::kind_of(&file)), wear, place);
                        self.spoil(original, &before, &file, case)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn is_wanted(&mut self) -> bool {
        self.n_cases += 1;
        self.n_cases.is_multiple_of(self.every)
    }

    fn spoil(
        &mut self,
        original: &Path,
        before: &[Visit],
        file: &Path,
        (kind, wear, place): (String, Wear, u64),
    ) -> Result<()> {
        let dir = self.folder.join("case");
        wear::copy(original, &dir)?;
        wear.spoil(&dir.join(file), place)?;
        let n_pages = before.iter().filter(|visit| visit.is_page()).count() as u64;
        let output = self.crawl(&dir, n_pages + N_MORE)?;
        let what = format!("{wear:?}");
        self.judge(&dir, Some(file), before, &output, (kind, what))?;
        Ok(std::fs::remove_dir_all(&dir)?)
    }

    /// Every call refused, once and for good.
    fn strike_all(&mut self, n_pages: u64) -> Result<()> {
        let Some(strikes) = Strikes::build(&self.folder)? else {
            println!("no C compiler: the system refuses nothing");
            return Ok(());
        };
        for call in ["fsync", "write", "rename"] {
            for nth in STRIKES {
                for lasts in [false, true] {
                    if self.is_wanted() {
                        self.strike(&strikes, Strike { call, nth, lasts }, n_pages)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn strike(&mut self, strikes: &Strikes, strike: Strike, n_pages: u64) -> Result<()> {
        let dir = self.folder.join("case");
        let mut command = self.command(&dir, n_pages);
        strikes.let_loose(strike, &dir, &mut command);
        let struck = command.output()?;
        let span = if strike.lasts { "for good" } else { "once" };
        let key = (format!("refused {}", strike.call), span.to_owned());
        let said = String::from_utf8_lossy(&struck.stderr);
        if struck.status.code().is_none() || said.contains("panicked") {
            self.broken
                .push(format!("{strike:?}: {}\n{said}", struck.status));
        }
        let before = visits_of(&dir);
        let n_pages = before.iter().filter(|visit| visit.is_page()).count() as u64;
        let output = self.crawl(&dir, n_pages + N_MORE)?;
        self.judge(&dir, None, &before, &output, key)?;
        Ok(std::fs::remove_dir_all(&dir)?)
    }

    fn judge(
        &mut self,
        dir: &Path,
        spoiled: Option<&Path>,
        before: &[Visit],
        output: &Output,
        key: (String, String),
    ) -> Result<()> {
        let said = String::from_utf8_lossy(&output.stderr);
        let Ruling { word, is_broken } = Examination {
            dir,
            spoiled,
            code: output.status.code(),
            said: &said,
            before,
            after: &visits_of(dir),
        }
        .judge();
        if is_broken {
            let (kind, what) = &key;
            self.broken
                .push(format!("{what} of {kind} ({spoiled:?}): {word}\n{said}"));
        }
        // Numbers would make every outcome one of its own.
        let word = wear::kind_of(Path::new(&word));
        *self
            .outcomes
            .entry(key)
            .or_default()
            .entry(word)
            .or_default() += 1;
        Ok(())
    }

    fn print(&self) {
        for ((kind, what), words) in &self.outcomes {
            let words = words.iter().map(|(word, n)| format!("{n} {word}"));
            let words: Vec<String> = words.collect();
            println!("{kind:<52} {what:<8} {}", words.join(", "));
        }
        for broken in self.broken.iter().take(MOST_SHOWN) {
            println!("--- {broken}");
        }
    }
}

/// Visits on record, as far as they can be read.
fn visits_of(dir: &Path) -> Vec<Visit> {
    VisitReader::open(dir).map_or_else(|_| Vec::new(), Iterator::collect)
}
