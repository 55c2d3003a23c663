//! Crawling nodes: frontier, robots, polite fetch, exchange, and the loop.
//!
//! Async code lives in `fetch::http` alone; everything else is ordinary
//! functions, and one thread owns the state of all nodes of a process. What a
//! page is worth is decided in `strategy`, what is kept of it in `store`.

pub mod bounds;
pub mod clock;
pub mod conductor;
pub mod copies;
pub mod error;
pub mod fetch;
pub mod filters;
pub mod frontier;
pub mod gate;
pub mod learner;
pub mod mmdb;
pub mod progress;
pub mod robots;
pub mod settings;
pub mod stage;
pub mod trap;

mod claims;
mod disk;
mod exchange;
mod history;
mod lore;
mod node;
mod pool;
mod reading;
mod retry;
