//! `locavore lab web`: a made-up web for any crawler in the world.

use crate::cli::LabWebArgs;
use crate::interrupt;
use crate::message;
use crate::plan::MadeUp;
use crate::text::thousands;
use anyhow::Context;
use lab::access::AccessLog;
use std::net::{Ipv4Addr, TcpListener};
use std::process::ExitCode;
use std::sync::Arc;

pub(crate) fn run(args: &LabWebArgs) -> anyhow::Result<ExitCode> {
    let made_up = MadeUp::from_args(&args.world)?;
    let world = Arc::new(made_up.open());
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port))
        .with_context(|| format!("cannot listen on port {}", args.port))?;
    let address = listener.local_addr()?;
    let log = match &args.log {
        Some(file) => Some(
            AccessLog::open(file).with_context(|| format!("cannot write `{}`", file.display()))?,
        ),
        None => None,
    };
    let first = world.all_seeds().into_iter().next();
    message::info(format!(
        "a made-up web of {} sites (seed {}) is at http://{address} until Ctrl-C",
        thousands(made_up.sites),
        made_up.seed
    ));
    if let Some(first) = first {
        message::info(format!("try: curl -x http://{address} {first}"));
    }
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let asked = interrupt::asked()?;
    runtime.block_on(lab::proxy::serve(listener, world, args.pace, log, asked))?;
    message::info(format_args!("stopped: {}", interrupt::reason()));
    Ok(ExitCode::SUCCESS)
}
