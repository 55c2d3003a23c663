//! Chores of this repository, run as `cargo xtask NAME`.
//!
//! Each chore is a module with one entry point; this file only reads the
//! command line and turns the result into an exit code: 0 done, 1 a check
//! failed, 2 could not start.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program talks to people"
)]

mod arrows;
mod eval;
mod institutions;
mod lexicon;
mod mix;
mod outlines;
mod pack;
mod train;

use anyhow::{Context, ensure};
use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask NAME

  pack [--from DIR]  rebuild data/gazetteer.pack.zst from raw data
  institutions [--from DIR]
                     rebuild data/institutions.tsv from raw data
  mix [--from DIR]   rebuild data/mix.txt, texts about everything, from raw data
  outlines [--from DIR]
                     rebuild data/outlines.txt, the maps of reports, from raw data
  eval [--from DIR]  measure addresses and names on labelled data; --misses lists what is wrong
  train [--from DIR] learn how names of places are read, from labelled texts; --misses as above
  lexicon            count given names, family names and common words
  arrows             check which crate may use which

LOCAVORE_DATA names the folder of raw data and LOCAVORE_EVAL that of labelled data, for whoever
leaves out --from.
";

/// A folder beside the repository: what is in it, and the variable that names it.
type Folder = (&'static str, &'static str);

const RAW: Folder = ("raw data", "LOCAVORE_DATA");
const LABELLED: Folder = ("labelled data", "LOCAVORE_EVAL");

/// What follows a chore's name.
#[derive(Default)]
struct Flags {
    from: Option<PathBuf>,
    misses: bool,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let done = match args.as_slice() {
        ["pack", rest @ ..] => Flags::read(rest).map(|flags| build_pack(&flags)),
        ["institutions", rest @ ..] => Flags::read(rest).map(|flags| list_institutions(&flags)),
        ["mix", rest @ ..] => Flags::read(rest).map(|flags| mix_texts(&flags)),
        ["outlines", rest @ ..] => Flags::read(rest).map(|flags| draw_outlines(&flags)),
        ["eval", rest @ ..] => Flags::read(rest).map(|flags| evaluate(&flags)),
        ["train", rest @ ..] => Flags::read(rest).map(|flags| train(&flags)),
        ["lexicon"] => Some(count_words()),
        ["arrows"] => Some(check_arrows()),
        _ => None,
    };
    let Some(done) = done else {
        eprint!("{USAGE}");
        return ExitCode::from(2);
    };
    done.unwrap_or_else(|error| failed(&error))
}

impl Flags {
    /// None where one is unknown.
    fn read(args: &[&str]) -> Option<Flags> {
        let mut flags = Flags::default();
        let mut rest = args;
        while let [arg, after @ ..] = rest {
            rest = match (*arg, after) {
                ("--from", [dir, after @ ..]) => {
                    flags.from = Some(dir.into());
                    after
                }
                ("--misses", after) => {
                    flags.misses = true;
                    after
                }
                _ => return None,
            };
        }
        Some(flags)
    }

    /// The folder that was named, here or in the environment.
    fn folder(&self, (what, variable): Folder) -> anyhow::Result<PathBuf> {
        let named = self.from.clone();
        let named = named.or_else(|| std::env::var_os(variable).map(PathBuf::from));
        let dir = named.with_context(|| {
            format!("where is the {what}? say `--from DIR`, or set `{variable}` to its folder")
        })?;
        ensure!(dir.is_dir(), "no {what} at `{}`", dir.display());
        Ok(dir)
    }
}

fn build_pack(flags: &Flags) -> anyhow::Result<ExitCode> {
    let raw = flags
        .folder(RAW)
        .context("raw data is needed only to rebuild the packs, which are committed in `data/`")?;
    print!("{}", pack::build(&raw, &root().join("data"))?);
    Ok(ExitCode::SUCCESS)
}

fn list_institutions(flags: &Flags) -> anyhow::Result<ExitCode> {
    write_text(
        "data/institutions.tsv",
        &institutions::build(&flags.folder(RAW)?)?,
    )
}

fn mix_texts(flags: &Flags) -> anyhow::Result<ExitCode> {
    write_text("data/mix.txt", &mix::build(&flags.folder(RAW)?)?)
}

fn draw_outlines(flags: &Flags) -> anyhow::Result<ExitCode> {
    write_text("data/outlines.txt", &outlines::build(&flags.folder(RAW)?)?)
}

fn evaluate(flags: &Flags) -> anyhow::Result<ExitCode> {
    let report = eval::run(&flags.folder(LABELLED)?)?;
    print!("{}", report.table);
    if flags.misses {
        print!("{}", report.misses);
    }
    Ok(ExitCode::SUCCESS)
}

fn train(flags: &Flags) -> anyhow::Result<ExitCode> {
    let report = train::run(&flags.folder(LABELLED)?)?;
    print!("{}", report.table);
    if flags.misses {
        println!("{}", report.misses.join("\n"));
    }
    write_text("crates/place/src/toponym/weights.txt", &report.weights)
}

fn count_words() -> anyhow::Result<ExitCode> {
    let flags = Flags::default();
    let text = lexicon::build(&flags.folder(RAW)?, &flags.folder(LABELLED)?)?;
    write_text("crates/place/src/toponym/lexicon.txt", &text)
}

fn write_text(path: &str, text: &str) -> anyhow::Result<ExitCode> {
    std::fs::write(root().join(path), text).with_context(|| format!("cannot write `{path}`"))?;
    Ok(ExitCode::SUCCESS)
}

fn check_arrows() -> anyhow::Result<ExitCode> {
    let wrong = arrows::check(&root())?;
    for complaint in &wrong {
        eprintln!("error: {complaint}");
    }
    Ok(match wrong.is_empty() {
        true => ExitCode::SUCCESS,
        false => ExitCode::FAILURE,
    })
}

fn failed(error: &anyhow::Error) -> ExitCode {
    eprintln!("error: {error:#}");
    ExitCode::from(2)
}

/// The repository's root: this package lies directly below it.
fn root() -> PathBuf {
    let here = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.clone(), PathBuf::from)
}
