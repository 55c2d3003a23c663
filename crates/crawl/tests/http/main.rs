//! `fetch::http` against servers of a few lines on real loopback sockets.

mod basics;
mod bounds;
mod encodings;
mod keep_alive;
mod names;
mod net;
mod proxies;
mod tls;
mod types;
