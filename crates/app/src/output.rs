//! Standard output: what one might pipe.

use anyhow::Context;
use std::fmt;
use std::io::{ErrorKind, Write, stdout};

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
    let mut stdout = stdout().lock();
    match writeln!(stdout, "{text}").and_then(|()| stdout.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(error).context(Unwritten),
        _ => Ok(()),
    }
}
