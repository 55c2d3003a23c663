//! Turns an address and some bytes into a page: canonical URLs, text, links,
//! and what the page says about places for machines to read. Sitemaps and
//! feeds give a list of addresses.
//!
//! Everything here is pure. Any bytes give a page; what was odd about them is
//! a list of complaints on it, never a failure.

mod block;
pub mod html;
pub mod media;
pub mod shape;
pub mod sitemap;
pub mod structured;
pub mod url;
pub mod words;
