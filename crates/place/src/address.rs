//! Finds postal addresses of the targets in text.

use crate::gazetteer::Gazetteer;
use crate::target::{TargetId, Targets};
use std::ops::Range;

/// A postal address found in a text, normalised.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entity {
    /// Byte range in the text.
    pub span: Range<usize>,
    /// House number, upper case.
    pub number: String,
    /// Street, upper case, suffix and directionals in their postal abbreviation.
    pub street: String,
    /// Unit, where there is one.
    pub unit: Option<String>,
    /// City as the gazetteer spells it.
    pub city: String,
    /// Two-letter state.
    pub state: String,
    /// ZIP, where there is one.
    pub zip: Option<String>,
    /// The target it lies in.
    pub target: TargetId,
}

impl Entity {
    /// Equal for two spellings of one address (number, street, city, state; not the unit).
    pub fn key(&self) -> u64 {
        todo!()
    }
}

/// Finds addresses in one of the targets.
pub struct AddressFinder {}

impl AddressFinder {
    /// Prepares for a set of targets.
    pub fn new(_gazetteer: &Gazetteer, _targets: &Targets) -> AddressFinder {
        todo!()
    }
    /// All addresses of the text, in order.
    pub fn find(&self, _text: &str) -> Vec<Entity> {
        todo!()
    }
}
