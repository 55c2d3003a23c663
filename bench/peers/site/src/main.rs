//! A web of 200 hosts on loopback for crawlers to be measured on.
//!
//! `site --hosts 200 --pages 100 [--port N]` makes every page before it
//! listens, then answers with as little work as can be: one thread, no parsing
//! beyond the request line, one write. Prints `ready PORT PAGES` when it
//! listens.

mod pages;
mod prose;
mod server;
mod tally;

use std::io::Write;

fn main() -> std::io::Result<()> {
    let n_hosts = number("--hosts", 200).clamp(1, 254) as u8;
    let n_pages = number("--pages", 100).max(20);
    let port = u16::try_from(number("--port", 0)).unwrap_or(0);
    let (listeners, port) = server::listen(n_hosts, port)?;
    let web = pages::Web::make(n_hosts, n_pages, port);
    println!("ready {port} {}", web.n_pages());
    std::io::stdout().flush()?;
    server::serve(listeners, port, &web)
}

/// A number after a flag.
fn number(flag: &str, default: usize) -> usize {
    let mut args = std::env::args().skip_while(|arg| arg != flag);
    args.nth(1)
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
