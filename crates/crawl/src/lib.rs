//! Crawling nodes: frontier, robots, polite fetch, exchange, and the loop.

pub mod fetch;
