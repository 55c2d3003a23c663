//! The program as people meet it: commands typed, folders left behind.

mod archive;
mod bad_input;
mod crash;
mod crawling;
mod demo;
mod program;
mod sockets;
