//! Standard output: what one might pipe.

mod json;

pub(crate) use json::{json_line, json_lines};

use crate::screen;
use anyhow::Context;
use serde::Serialize;
use std::fmt;
use std::io::{ErrorKind, Write, stdout};
use std::ops::ControlFlow;

/// Standard output does not take what it is given: the work is done, but
/// nobody can read about it.
#[derive(Debug)]
pub(crate) struct Unwritten;

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cannot write to standard output")
    }
}

/// Writes a text and a line's end; a reader that left early is no error.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let _ = stream(&format!("{text}\n"))?;
    Ok(())
}

/// Writes a text for people, its long lines folded where there is a screen.
pub(crate) fn show(text: &str) -> anyhow::Result<()> {
    print(&screen::fit(text.trim_end()))
}

/// Writes an object as JSON, for people and programs.
pub(crate) fn print_json(object: &impl Serialize) -> anyhow::Result<()> {
    print(&json_lines(object)?)
}

/// Writes one text of many; breaks when the reader has left, so that nothing
/// more is worked out for nobody.
pub(crate) fn stream(text: &str) -> anyhow::Result<ControlFlow<()>> {
    let mut stdout = stdout().lock();
    match stdout
        .write_all(text.as_bytes())
        .and_then(|()| stdout.flush())
    {
        Ok(()) => Ok(ControlFlow::Continue(())),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(ControlFlow::Break(())),
        Err(error) => Err(error).context(Unwritten),
    }
}
