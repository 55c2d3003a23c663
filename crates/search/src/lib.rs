//! Answers word-and-place queries from an index over one crawl folder.
//!
//! The index is fed by the visit log and the archive, never by the crawl
//! itself, so it can be deleted at any time and built again, also while a
//! crawl runs. It is brought up to date whenever it is opened.
//!
//! A page is known by its words, as stems: its text, its title, its URL, and
//! what other sites call it. It is filed under every place that it talks
//! about, with how much of it each place is.

pub mod ask;
pub mod index;
pub mod page;
pub mod places;
pub mod region;
pub mod snippet;

mod acquainted;
mod cards;
mod gather;
mod kept;
mod look;
mod maps;
mod prospects;
mod remembered;
mod scan;
mod syntax;
mod words;
mod workers;

#[cfg(test)]
mod tests;
