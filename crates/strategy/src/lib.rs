//! Decides: what a page is about, which node gets each link, and how soon.
//!
//! Pure, like everything it stands on. Two kinds of plug-in live here, one
//! file each and chosen by name: `assign` and `order`; any pair combines. A
//! plug-in always answers and always says why. Who fetches, and when a host
//! may be asked, is the affair of `crawl`.

mod about;
pub mod appraise;
pub mod assign;
pub mod bag;
pub mod evaluate;
pub mod evidence;
mod header;
mod learned;
pub mod means;
pub mod model;
pub mod order;
pub mod roster;
pub mod scene;
mod signs;
mod standing;
pub mod status;
mod ties;
pub mod topic;
mod toponyms;
pub mod utility;

#[cfg(test)]
mod conformance;
#[cfg(test)]
mod testing;
