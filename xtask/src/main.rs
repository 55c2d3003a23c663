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
mod lexicon;
mod pack;
mod train;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
usage: cargo xtask NAME

  pack [--from DIR]  rebuild data/gazetteer.pack.zst from raw data
  eval [--from DIR]  measure addresses and names on labelled data; --misses lists what is wrong
  train [--misses]   learn how names of places are read, from labelled texts
  lexicon            count given names, family names and common words
  arrows             check which crate may use which
";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    match args.as_slice() {
        ["pack"] => build_pack(&root().join("../shared/data")),
        ["pack", "--from", dir] => build_pack(&PathBuf::from(dir)),
        ["eval", rest @ ..] => evaluate(rest),
        ["train"] => train(false),
        ["train", "--misses"] => train(true),
        ["lexicon"] => count_words(),
        ["arrows"] => check_arrows(),
        _ => {
            eprint!("{USAGE}");
            ExitCode::from(2)
        }
    }
}

fn build_pack(raw: &std::path::Path) -> ExitCode {
    if !raw.is_dir() {
        eprintln!("error: no raw data at `{}`", raw.display());
        eprintln!(
            "hint: raw data is needed only to rebuild the packs, which are committed in `data/`; give its folder with `--from DIR`"
        );
        return ExitCode::from(2);
    }
    match pack::build(raw, &root().join("data")) {
        Ok(summary) => {
            print!("{summary}");
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error),
    }
}

fn evaluate(args: &[&str]) -> ExitCode {
    let mut from = root().join("../shared/eval");
    let mut misses = false;
    let mut rest = args;
    while let [arg, after @ ..] = rest {
        rest = match (*arg, after) {
            ("--from", [dir, after @ ..]) => {
                from = PathBuf::from(dir);
                after
            }
            ("--misses", after) => {
                misses = true;
                after
            }
            _ => {
                eprint!("{USAGE}");
                return ExitCode::from(2);
            }
        };
    }
    if !from.is_dir() {
        eprintln!("error: no labelled data at `{}`", from.display());
        eprintln!("hint: give its folder with `--from DIR`");
        return ExitCode::from(2);
    }
    match eval::run(&from) {
        Ok(report) => {
            print!("{}", report.table);
            if misses {
                print!("{}", report.misses);
            }
            ExitCode::SUCCESS
        }
        Err(error) => failed(&error),
    }
}

fn train(misses: bool) -> ExitCode {
    let report = match train::run(&root().join("../shared/eval")) {
        Ok(report) => report,
        Err(error) => return failed(&error),
    };
    print!("{}", report.table);
    if misses {
        println!("{}", report.misses.join("\n"));
    }
    write_text("crates/place/src/toponym/weights.txt", &report.weights)
}

fn count_words() -> ExitCode {
    let shared = root().join("../shared");
    match lexicon::build(&shared.join("data"), &shared.join("eval")) {
        Ok(text) => write_text("crates/place/src/toponym/lexicon.txt", &text),
        Err(error) => failed(&error),
    }
}

fn write_text(path: &str, text: &str) -> ExitCode {
    match std::fs::write(root().join(path), text) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: cannot write `{path}`: {error}");
            ExitCode::from(2)
        }
    }
}

fn check_arrows() -> ExitCode {
    match arrows::check(&root()) {
        Ok(wrong) if wrong.is_empty() => ExitCode::SUCCESS,
        Ok(wrong) => {
            for complaint in wrong {
                eprintln!("error: {complaint}");
            }
            ExitCode::FAILURE
        }
        Err(error) => failed(&error),
    }
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
