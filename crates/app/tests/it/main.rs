//! The program as people meet it: commands typed, folders left behind.

// Helpers of tests may panic and print like tests.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod agreement;
mod archive;
mod bad_input;
mod crash;
mod crawling;
mod damage;
mod demo;
mod docs;
mod experiment;
mod geoparse;
mod hostile;
mod metrics;
mod offline;
mod own_network;
mod pipes;
mod program;
mod proxied;
mod regions;
mod replay;
mod report;
mod robots;
mod scope;
mod screen;
mod serve;
mod site;
mod sockets;
mod status;
mod strategies;
mod utility;
mod wear;
mod why;
