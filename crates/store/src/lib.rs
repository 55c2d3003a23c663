//! Keeps one crawl on disk: tables, visit log, WARC files.
//!
//! The only owner of the embedded database. It knows nothing of the web and
//! nothing of places: visits are records, pages are bytes, tables are keys
//! and values.

pub mod crawl_dir;
pub mod index;
pub mod ledger;
pub mod line;
pub mod note;
pub mod packing;
pub mod table;
pub mod visit;
pub mod warc;

mod file;
mod visit_log;
mod words;
