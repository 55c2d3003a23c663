//! `locavore serve`: answers searches over HTTP, to programs and to people.
//!
//! Requests are heard on network threads and worked on by others (`desk.rs`).
//! Who is let in is decided at the door (`door.rs`); what they may ask is in
//! `api.rs` for programs and in `html.rs` for people.

mod api;
mod desk;
mod door;
mod failure;
mod html;
mod link;
mod patience;
mod room;
mod shapes;
mod wishes;
mod word;

use super::index;
use super::status::Lookout;
use crate::cli::ServeArgs;
use crate::interrupt;
use crate::message;
use anyhow::Context;
use axum::Router;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::get;
use desk::{Desk, Updater};
use door::Door;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use patience::Patient;
use room::Room;
use std::future::Future;
use std::net::TcpListener;
use std::process::ExitCode;
use std::sync::{Arc, mpsc};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tower_http::compression::CompressionLayer;

/// A client has so long to say what it wants, and to want something again.
const HEAR_FOR: Duration = Duration::from_secs(10);

/// Connections at once; more wait to be accepted.
const MOST_CONNECTIONS: u32 = 256;

/// How long requests are worked on after it was said to stop.
const GRACE: Duration = Duration::from_secs(5);

pub(crate) fn run(args: &ServeArgs) -> anyhow::Result<ExitCode> {
    let door = Door::new(args.address, args.token.clone())?;
    let listener = TcpListener::bind(args.address)
        .with_context(|| format!("cannot listen on `{}`", args.address))?;
    let address = listener.local_addr()?;
    let index = index::open(&args.dir, false)?;
    let mut lookout = Lookout::open(&args.dir)?;
    let desk = Arc::new(Desk::new(index.view()?, lookout.look()?));
    let updater = Updater {
        dir: args.dir.clone(),
        desk: desk.clone(),
        index,
        lookout,
    };
    let (_updating, stop) = mpsc::channel();
    // It is not waited for: an update may take minutes, and one that is cut
    // short leaves the index as it was.
    std::thread::Builder::new()
        .name("updater".into())
        .spawn(move || updater.run(&stop))?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()?;
    let asked = interrupt::asked()?;
    message::info(format!("answering on http://{address}"));
    runtime.block_on(listen(listener, router(desk, door.at(address)), asked))?;
    runtime.shutdown_background();
    message::info(format_args!("stopped: {}", interrupt::reason()));
    Ok(ExitCode::SUCCESS)
}

fn router(desk: Arc<Desk>, door: Door) -> Router {
    Router::new()
        .merge(api::routes())
        .route("/", get(html::show))
        .route("/style.css", get(html::style))
        .fallback(api::no_such)
        .method_not_allowed_fallback(api::no_such_method)
        .with_state(desk)
        .layer(from_fn(door::limit))
        .layer(from_fn_with_state(Arc::new(door), door::guard))
        .layer(from_fn_with_state(Room::new(), door::finish))
        .layer(CompressionLayer::new())
}

/// Answers until it is told to stop, then those who are still waiting.
async fn listen(
    listener: TcpListener,
    router: Router,
    stopped: impl Future<Output = ()>,
) -> anyhow::Result<()> {
    listener.set_nonblocking(true)?;
    let listener = tokio::net::TcpListener::from_std(listener)?;
    let mut builder = auto::Builder::new(TokioExecutor::new()).http1_only();
    builder
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAR_FOR);
    let lines = Arc::new(Semaphore::new(MOST_CONNECTIONS as usize));
    let (stop, stopping) = watch::channel(());
    tokio::pin!(stopped);
    loop {
        let (stream, line) = tokio::select! {
            accepted = accept(&listener, &lines) => accepted?,
            () = &mut stopped => break,
        };
        let service = TowerToHyperService::new(router.clone());
        let connection = builder.serve_connection(TokioIo::new(Patient::new(stream)), service);
        let connection = connection.into_owned();
        let mut stopping = stopping.clone();
        tokio::spawn(async move {
            tokio::pin!(connection);
            tokio::select! {
                _ = connection.as_mut() => return,
                _ = stopping.changed() => connection.as_mut().graceful_shutdown(),
            }
            let _ = connection.await;
            drop(line);
        });
    }
    drop((listener, stop));
    let all_ended = lines.acquire_many(MOST_CONNECTIONS);
    let _ = tokio::time::timeout(GRACE, all_ended).await;
    Ok(())
}

/// The next connection, once there is room for it.
async fn accept(
    listener: &tokio::net::TcpListener,
    lines: &Arc<Semaphore>,
) -> anyhow::Result<(tokio::net::TcpStream, OwnedSemaphorePermit)> {
    let line = lines.clone().acquire_owned().await?;
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return Ok((stream, line)),
            // Gone again, or out of file handles: some will come free.
            Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
        }
    }
}
