//! How much traffic domains have: a list that is given, or the one that goes
//! with a web.

use crate::plan::Web;
use crate::progress::wait_for;
use anyhow::Context;
use std::path::Path;
use std::sync::Arc;
use strategy::status::Traffic;

/// Reads a ranking list.
pub(crate) fn read_traffic(file: &Path) -> anyhow::Result<Traffic> {
    let cannot_read = || format!("cannot read the ranking list `{}`", file.display());
    let text = std::fs::read(file).with_context(cannot_read)?;
    Traffic::parse(&String::from_utf8_lossy(&text)).with_context(cannot_read)
}

/// The ranking list that goes with a web: its own for one that is made up,
/// else the one that is built in.
pub(crate) fn traffic_of(web: &Web) -> Arc<Traffic> {
    let Web::Lab(made_up) = web else {
        return Traffic::built_in();
    };
    let ranking = || lab::traffic::ranking(&made_up.open());
    let domains = wait_for("ranking the sites of the made-up web", ranking);
    Arc::new(Traffic::ranked(domains.iter().map(String::as_str)))
}
