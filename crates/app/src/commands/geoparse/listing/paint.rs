//! Colours of a listing, on a terminal only.

use std::io::{IsTerminal, stdout};

/// Wraps text in colours, or leaves it as it is.
pub(super) struct Paint {
    is_on: bool,
}

impl Paint {
    /// Colours for people, none for pipes and for those who ask for none.
    pub(super) fn for_stdout() -> Paint {
        let is_dumb = std::env::var("TERM").is_ok_and(|term| term == "dumb");
        let is_unwanted = std::env::var_os("NO_COLOR").is_some();
        Paint {
            is_on: stdout().is_terminal() && !is_dumb && !is_unwanted,
        }
    }

    pub(super) fn heading(&self, text: &str) -> String {
        self.wrap("1", text)
    }

    pub(super) fn kind(&self, text: &str) -> String {
        self.wrap("36", text)
    }

    pub(super) fn bar(&self, text: &str) -> String {
        self.wrap("32", text)
    }

    pub(super) fn faint(&self, text: &str) -> String {
        self.wrap("2", text)
    }

    fn wrap(&self, code: &str, text: &str) -> String {
        match self.is_on {
            true => format!("\x1b[{code}m{text}\x1b[0m"),
            false => text.to_owned(),
        }
    }
}
