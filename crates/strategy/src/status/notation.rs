//! A model of status as bytes: a line for people, then its tables.
//!
//! ```text
//! locavore status 1
//! pages 20000
//! theta 2.82
//! highest 9.21
//! tables 41232 20616
//! ```
//!
//! After the last line come the document frequencies and the tree, as `learn`
//! writes them, of the lengths that it states.

use super::{LEAST_PAGES, N_FEATURES, StatusModel};
use crate::bag::N_TERMS;
use crate::header::Header;
use learn::tfidf::Idf;
use learn::tree::ModelTree;

/// The format that this program reads and writes.
const FORMAT: u32 = 1;
const TITLE: &str = "locavore status ";

/// Why there is no model of status.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StatusError {
    /// Too little to learn from.
    #[error("a model of status needs at least {LEAST_PAGES} pages, got {found}")]
    TooFew {
        /// How many there are.
        found: usize,
    },
    /// Nothing to learn.
    #[error(
        "all {n_pages} pages have {n_inlinks} in-links: a model of status needs pages that differ"
    )]
    AllEqual {
        /// How many there are.
        n_pages: usize,
        /// What all of them have.
        n_inlinks: u64,
    },
    /// Something else.
    #[error("not a model made by `locavore train status`")]
    NotAModel,
    /// Of another version of this program.
    #[error("a model of status of format {found}; this version reads format {FORMAT}")]
    OtherFormat {
        /// The format it has.
        found: u32,
    },
    /// Cut short or changed.
    #[error("a damaged model of status")]
    Damaged,
}

impl StatusModel {
    /// The model as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (idf, tree) = (self.idf.to_bytes(), self.tree.to_bytes());
        let mut bytes = format!(
            "{TITLE}{FORMAT}\npages {}\ntheta {}\nhighest {}\ntables {} {}\n",
            self.n_pages,
            self.theta,
            self.highest,
            idf.len(),
            tree.len(),
        )
        .into_bytes();
        bytes.extend(idf);
        bytes.extend(tree);
        bytes
    }

    /// Reads what `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<StatusModel, StatusError> {
        let (found, header) = Header::open(bytes, TITLE).ok_or(StatusError::NotAModel)?;
        if found != FORMAT {
            return Err(StatusError::OtherFormat { found });
        }
        parse(header).ok_or(StatusError::Damaged)
    }
}

fn parse(mut header: Header<'_>) -> Option<StatusModel> {
    let [n_pages] = header.numbers("pages")?;
    let theta: f32 = header.line("theta")?.parse().ok()?;
    let highest: f32 = header.line("highest")?.parse().ok()?;
    let [n_idf, n_tree] = header.numbers("tables")?;
    let (idf, tree) = header.rest().split_at_checked(n_idf as usize)?;
    let (idf, tree) = (
        Idf::from_bytes(idf).ok()?,
        ModelTree::from_bytes(tree).ok()?,
    );
    let is_whole = header.rest().len() == n_idf as usize + n_tree as usize
        && idf.n_terms() == N_TERMS
        && tree.n_attributes() == N_FEATURES
        && theta.is_finite()
        && highest.is_finite()
        && highest > 0.0;
    is_whole.then_some(StatusModel {
        n_pages,
        theta,
        highest,
        idf,
        tree,
    })
}
