//! Knows places: gazetteer, targets, and the addresses that a text mentions.
//!
//! Everything here is pure; the data pack is embedded in the program.

pub mod address;
pub mod cell;
pub mod evidence;
pub mod gazetteer;
pub mod geography;
pub mod geoparse;
pub mod names;
pub mod pack;
pub mod precision;
pub mod question;
pub mod sphere;
pub mod target;
pub mod toponym;

mod block;
