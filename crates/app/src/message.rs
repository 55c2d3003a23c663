//! Messages to people, on standard error: what is wrong, and the way out.
//!
//! Errors are values until they reach this file; hints live here because only
//! the program knows its own commands.

use crate::area::TooLarge;
use crate::commands::InputError;
use crate::screen;
use crate::session::{NoRoom, PrivateSeeds};
use crawl::error::CrawlError;
use crawl::fetch::archive::ArchiveError;
use place::target::TargetError;
use search::index::SearchError;
use std::fmt::Display;
use std::io::{IsTerminal, Write, stderr};
use std::path::Path;
use std::process::ExitCode;
use store::crawl_dir::StoreError;
use store::packing::Packing;
use store::warc::WarcError;
use strategy::means::MeansError;
use strategy::model::ModelError;

/// Exit code when nothing could be started.
pub(crate) const COULD_NOT_START: u8 = 2;

/// Says why nothing was started.
pub(crate) fn could_not_start(error: &anyhow::Error) -> ExitCode {
    show_error(error);
    ExitCode::from(COULD_NOT_START)
}

/// Says what went wrong on the way, with its hint.
pub(crate) fn show_error(error: &anyhow::Error) {
    let chain: Vec<String> = error
        .chain()
        .map(|cause| without_number(&cause.to_string()))
        .collect();
    line("error", "31", &without_repeats(&chain).join(": "));
    for hint in hints(error) {
        line("hint", "36", &hint);
    }
}

pub(crate) fn warning(text: impl Display) {
    line("warning", "33", &text.to_string());
}

pub(crate) fn hint(text: impl Display) {
    line("hint", "36", &text.to_string());
}

/// A plain line, folded where there is a screen. A reader that has gone away
/// is noticed elsewhere.
pub(crate) fn info(text: impl Display) {
    let mut text = text.to_string();
    if let Some(columns) = screen::message_columns() {
        text = screen::fold(&text, columns);
    }
    let _ = writeln!(stderr(), "{text}");
}

/// Whether standard error is a terminal that moves its cursor and has colours.
pub(crate) fn is_fancy_terminal() -> bool {
    stderr().is_terminal() && std::env::var("TERM").is_ok_and(|term| term != "dumb")
}

/// Brings back the cursor that a live view hides, where there may be one.
pub(crate) fn show_cursor() {
    if is_fancy_terminal() {
        let _ = write!(stderr(), "\x1b[?25h");
    }
}

fn line(label: &str, colour: &str, text: &str) {
    if is_fancy_terminal() && std::env::var_os("NO_COLOR").is_none() {
        info(format_args!("\x1b[1;{colour}m{label}:\x1b[0m {text}"));
    } else {
        info(format_args!("{label}: {text}"));
    }
}

/// `No such file or directory`, without the `(os error 2)` that helps nobody.
fn without_number(text: &str) -> String {
    match text.split_once(" (os error ") {
        Some((before, after)) => {
            let rest = after.split_once(')').map_or("", |(_, rest)| rest);
            format!("{before}{rest}")
        }
        None => text.to_owned(),
    }
}

/// A cause that its error quotes already says nothing new.
fn without_repeats(chain: &[String]) -> Vec<&str> {
    let mut kept: Vec<&str> = Vec::new();
    for text in chain {
        if !kept.iter().any(|earlier| earlier.contains(text.as_str())) {
            kept.push(text);
        }
    }
    kept
}

fn hints(error: &anyhow::Error) -> Vec<String> {
    let target = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<TargetError>());
    let store = error
        .chain()
        .find_map(|cause| match cause.downcast_ref::<CrawlError>() {
            Some(CrawlError::Store(store)) => Some(store),
            _ => cause.downcast_ref::<StoreError>(),
        });
    let input = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<InputError>());
    let archive = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<WarcError>());
    let model = error
        .chain()
        .find_map(|cause| match cause.downcast_ref::<MeansError>() {
            Some(MeansError::Model(model)) => Some(model),
            _ => None,
        });
    let folder = error
        .chain()
        .find_map(|cause| match cause.downcast_ref::<ArchiveError>() {
            Some(ArchiveError::Folder { path }) => Some(path),
            _ => None,
        });
    let large = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<TooLarge>());
    let no_room = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<NoRoom>());
    let private = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<PrivateSeeds>());
    let index = error
        .chain()
        .find_map(|cause| cause.downcast_ref::<SearchError>());
    target
        .map(target_hint)
        .into_iter()
        .chain(index.and_then(index_hint))
        .chain(large.map(large_hint))
        .chain(store.and_then(store_hint))
        .chain(input.and_then(input_hint))
        .chain(archive.map(archive_hint))
        .chain(folder.map(|path| folder_hint(path)))
        .chain(no_room.map(|_| {
            vec![
                "choose an `--out` on another disk, or free some space: nothing was written".into(),
            ]
        }))
        .chain(private.map(|seeds| vec![seeds.hint()]))
        .chain(model.and_then(model_hint))
        .flatten()
        .collect()
}

/// How to get a model that fits.
fn model_hint(error: &ModelError) -> Option<Vec<String>> {
    let given = match error {
        ModelError::OtherSplit { .. } => {
            "`locavore train` takes the same `--nodes`, `--general` and `--split` as the crawl"
        }
        ModelError::Unknown { .. } | ModelError::Extra { .. } => {
            "`locavore train` takes the same places as the crawl"
        }
        _ => return None,
    };
    Some(vec![given.into()])
}

/// What to do about a folder in the place of a file.
fn folder_hint(path: &Path) -> Vec<String> {
    if path.join("crawl.json").is_file() {
        let pages = path.join("warc").join("*");
        return vec![format!(
            "the pages of this crawl are in `{}`",
            pages.display()
        )];
    }
    vec!["name the files in it".into()]
}

/// What to do about a WARC file that cannot be read.
pub(crate) fn archive_hint(error: &WarcError) -> Vec<String> {
    match error {
        WarcError::OneStream { packing } => {
            let unpack = match packing {
                Packing::Gzip => "gunzip",
                Packing::Zstd => "unzstd",
            };
            vec![format!(
                "unpack it with `{unpack}`, or compress it record by record with `warcio \
                 recompress`"
            )]
        }
        _ => Vec::new(),
    }
}

fn input_hint(error: &InputError) -> Option<Vec<String>> {
    let hint = match error {
        InputError::Folder { path, .. } => return Some(folder_hint(path)),
        InputError::Binary { .. } => {
            "text, HTML, WARC and JSON lines are read, each also as gzip".into()
        }
        InputError::NoPages { .. } => {
            "only answers with HTML or plain text and a status of 200 to 299 are read".into()
        }
        InputError::Read { .. } | InputError::Empty { .. } | InputError::Archive { .. } => {
            return None;
        }
    };
    Some(vec![hint])
}

fn large_hint(TooLarge { name }: &TooLarge) -> Vec<String> {
    let name = match name.contains(' ') {
        true => format!("\"{name}\""),
        false => name.clone(),
    };
    vec![format!(
        "`--within {name}` looks in all of it, `--near {name} --radius 300km` so far around its \
         middle"
    )]
}

fn target_hint(error: &TargetError) -> Vec<String> {
    match error {
        TargetError::Unknown { near, .. } if near.is_empty() => {
            vec!["write it as `City, State` or `City, Country`".into()]
        }
        TargetError::Unknown { near, .. } => {
            vec![format!("did you mean {}?", list(near, "or"))]
        }
        TargetError::Ambiguous {
            candidates,
            n_places,
            ..
        } => {
            let mut hint = "say which, by its state or country:".to_owned();
            for candidate in candidates {
                hint.push_str("\n  ");
                hint.push_str(candidate);
            }
            if let Some(n_more @ 1..) = n_places.checked_sub(candidates.len()) {
                hint.push_str(&format!("\n  and {n_more} smaller ones"));
            }
            vec![hint]
        }
        TargetError::Empty { .. } => vec!["ask for smaller cities, or name them".into()],
        TargetError::NotARegion { name } => {
            vec![format!("`{name}` alone is a place to crawl")]
        }
        TargetError::Box { .. }
        | TargetError::Barren { .. }
        | TargetError::NoPath { .. }
        | TargetError::NoNumber { .. }
        | TargetError::Everything { .. }
        | TargetError::Nothing => Vec::new(),
    }
}

fn index_hint(error: &SearchError) -> Option<Vec<String>> {
    let SearchError::ReadOnly { home, .. } = error else {
        return None;
    };
    let dir = home.parent().unwrap_or(home).display();
    Some(vec![format!(
        "`locavore index {dir}`, run by whoever may write there, builds it"
    )])
}

fn store_hint(error: &StoreError) -> Option<Vec<String>> {
    let hint = match error {
        StoreError::NotACrawl { .. } => "choose a new or empty folder with `--out DIR`".into(),
        StoreError::Missing { dir } => {
            format!(
                "`locavore crawl PLACE --out {}` would start one",
                dir.display()
            )
        }
        StoreError::InUse { dir } => {
            format!("`locavore status {}` shows how far it is", dir.display())
        }
        StoreError::Card { .. } => {
            "restore it from a copy; the pages in `warc/` and `visits/` are unharmed".into()
        }
        StoreError::Newer { .. } => "update locavore to use this crawl".into(),
        StoreError::Older { .. } => {
            "its WARC files in `warc/` are as good as ever; crawl anew in another `--out`".into()
        }
        StoreError::Full { .. } => {
            "everything reported as stored is safe: free some space and run the same command to \
             resume"
                .into()
        }
        _ => return None,
    };
    Some(vec![hint])
}

/// `a`, `b` or `c`
pub(crate) fn list(names: &[String], joint: &str) -> String {
    let quoted: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.split_last() {
        Some((last, [])) => last.clone(),
        Some((last, others)) => format!("{} {joint} {last}", others.join(", ")),
        None => String::new(),
    }
}
