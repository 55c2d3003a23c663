//! Answers word-and-place queries from an index over one crawl folder.
//!
//! The index is fed by the visit log alone and never by the crawl itself, so
//! it can be deleted at any time and built again, also while a crawl runs. It
//! is brought up to date whenever it is opened.
//!
//! This first version knows a page by its title, the words of its URL, its
//! host, and the addresses found on it with their places. It does not know the
//! page's text: that is in the WARC files as HTML, and reading HTML is the
//! affair of `page`, which this crate may not name. Either an arrow from here
//! to `page` or text in the visit record will change that. Left out with it:
//! stemming, anchor texts, phrases, distances, and finding the place in the
//! query's own words.

pub mod index;
pub mod query;

mod words;

#[cfg(test)]
mod tests;
