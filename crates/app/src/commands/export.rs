//! `locavore export`: a crawl in the formats of other programs.

mod cdxj;
mod sort;
mod surt;

use super::INCOMPLETE;
use crate::cli::ExportArgs;
use crate::message;
use crate::output;
use crate::progress::{ProgressLine, watch};
use anyhow::{Context, anyhow};
use sort::Sorter;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use store::crawl_dir;
use store::warc::{self, Contents, WarcError};

/// Bytes written to standard output at once.
const CHUNK: usize = 64 << 10;

pub(crate) fn run(args: &ExportArgs) -> anyhow::Result<ExitCode> {
    if args.format != "cdxj" {
        return Err(anyhow!("no format named `{}`: `cdxj`", args.format));
    }
    crawl_dir::read_settings(&args.dir)?;
    if crawl_dir::is_in_use(&args.dir)? {
        message::warning("the crawl is running: only what is stored by now is exported");
    }
    if let Some(out) = args.out.as_ref().filter(|out| out.is_dir()) {
        return Err(anyhow!("`{}` is a folder", out.display()));
    }
    let mut sorter = Sorter::new(scratch_folder(args.out.as_deref()));
    let mut is_complete = true;
    let mut progress = ProgressLine::start("record");
    for path in warc::paths(&args.dir)? {
        if let Err(error) = list(&path, &mut sorter, &mut progress)? {
            is_complete = false;
            progress.hide();
            message::warning(format!("`{}` is {error}", path.display()));
        }
    }
    drop(progress);
    match &args.out {
        Some(out) => write_file(out, sorter)?,
        None => write_stdout(sorter)?,
    }
    Ok(match is_complete {
        true => ExitCode::SUCCESS,
        false => ExitCode::from(INCOMPLETE),
    })
}

/// Where sorting may put what memory does not hold: beside the result, which
/// needs as much room.
fn scratch_folder(out: Option<&Path>) -> PathBuf {
    match out.and_then(Path::parent) {
        Some(folder) if folder.as_os_str().is_empty() => ".".into(),
        Some(folder) => folder.to_path_buf(),
        None => std::env::temp_dir(),
    }
}

/// Hands the lines of one file to the sorter; inside, what is wrong with the file.
fn list(
    path: &Path,
    sorter: &mut Sorter,
    progress: &mut ProgressLine,
) -> anyhow::Result<Result<(), WarcError>> {
    let cannot_read = || format!("cannot read `{}`", path.display());
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let contents = match Contents::of(path) {
        Ok(contents) => contents,
        Err(WarcError::Io(error)) => return Err(error).with_context(cannot_read),
        Err(error) => return Ok(Err(error)),
    };
    for listed in contents {
        progress.add(0);
        progress.show();
        match listed {
            Ok(listed) => {
                if let Some(line) = cdxj::line(&listed, &name) {
                    sorter.push(line)?;
                }
            }
            Err(WarcError::Io(error)) => return Err(error).with_context(cannot_read),
            Err(error) => return Ok(Err(error)),
        }
    }
    Ok(Ok(()))
}

/// Writes a file that is whole as soon as it has its name.
fn write_file(out: &Path, sorter: Sorter) -> anyhow::Result<()> {
    let cannot_write = || format!("cannot write `{}`", out.display());
    let mut new_name = out.as_os_str().to_owned();
    new_name.push(".new");
    let new_path = PathBuf::from(new_name);
    let mut file = BufWriter::new(File::create(&new_path).with_context(cannot_write)?);
    for line in watch("line", sorter.finish()?) {
        file.write_all(&line?).with_context(cannot_write)?;
    }
    file.into_inner()
        .map_err(std::io::IntoInnerError::into_error)
        .and_then(|file| file.sync_all())
        .and_then(|()| std::fs::rename(&new_path, out))
        .with_context(cannot_write)
}

fn write_stdout(sorter: Sorter) -> anyhow::Result<()> {
    let mut chunk = Vec::with_capacity(CHUNK);
    let mut progress = ProgressLine::start_beside_output("line");
    for line in sorter.finish()? {
        progress.add(0);
        progress.show();
        chunk.extend(line?);
        if chunk.len() >= CHUNK {
            if let ControlFlow::Break(()) = output::stream(&String::from_utf8_lossy(&chunk))? {
                return Ok(());
            }
            chunk.clear();
        }
    }
    let _ = output::stream(&String::from_utf8_lossy(&chunk))?;
    Ok(())
}
