//! A topic as bytes: a line for people, then its tables.
//!
//! ```text
//! locavore topic 1
//! name restaurants
//! language en
//! examples 250 250
//! tables 41232 20616
//! ```
//!
//! After the last line come the document frequencies and the weights, as
//! `learn` writes them, of the lengths that it states.

use super::{LEAST_EXAMPLES, Topic};
use crate::bag::N_TERMS;
use crate::header::Header;
use learn::svm::Svm;
use learn::tfidf::Idf;

/// The format that this program reads and writes.
const FORMAT: u32 = 1;
const TITLE: &str = "locavore topic ";

/// Why there is no topic.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TopicError {
    /// Nothing to learn from.
    #[error("no examples: a topic needs at least {LEAST_EXAMPLES} of each side")]
    NoExamples,
    /// Nothing to tell the topic from.
    #[error(
        "all {n_examples} examples are {side}: a topic needs at least {LEAST_EXAMPLES} of each side"
    )]
    OneSide {
        /// How many there are.
        n_examples: usize,
        /// What they are.
        side: &'static str,
    },
    /// Too little to learn from.
    #[error("a topic needs at least {LEAST_EXAMPLES} {side} examples, got {found}")]
    TooFew {
        /// Which ones.
        side: &'static str,
        /// How many there are.
        found: usize,
    },
    /// Something else.
    #[error("not a topic made by `locavore train topic`")]
    NotATopic,
    /// Of another version of this program.
    #[error("a topic of format {found}; this version reads format {FORMAT}")]
    OtherFormat {
        /// The format it has.
        found: u32,
    },
    /// Cut short or changed.
    #[error("a damaged topic")]
    Damaged,
}

impl Topic {
    /// The topic as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let (idf, svm) = (self.idf.to_bytes(), self.svm.to_bytes());
        let mut bytes = format!(
            "{TITLE}{FORMAT}\nname {}\nlanguage {}\nexamples {} {}\ntables {} {}\n",
            // A name of several lines would be other lines.
            self.name.replace(['\n', '\r'], " "),
            self.language.as_deref().unwrap_or("-"),
            self.n_positive,
            self.n_negative,
            idf.len(),
            svm.len(),
        )
        .into_bytes();
        bytes.extend(idf);
        bytes.extend(svm);
        bytes
    }

    /// Reads what `to_bytes` wrote.
    pub fn from_bytes(bytes: &[u8]) -> Result<Topic, TopicError> {
        let (found, header) = Header::open(bytes, TITLE).ok_or(TopicError::NotATopic)?;
        if found != FORMAT {
            return Err(TopicError::OtherFormat { found });
        }
        parse(header).ok_or(TopicError::Damaged)
    }
}

fn parse(mut header: Header<'_>) -> Option<Topic> {
    let name = header.line("name")?.to_owned();
    let language = header.line("language")?;
    let language = (language != "-").then(|| language.to_owned());
    let [n_positive, n_negative] = header.numbers("examples")?;
    let [n_idf, n_svm] = header.numbers("tables")?;
    let (idf, svm) = header.rest().split_at_checked(n_idf as usize)?;
    let (idf, svm) = (Idf::from_bytes(idf).ok()?, Svm::from_bytes(svm).ok()?);
    let is_whole = header.rest().len() == n_idf as usize + n_svm as usize
        && idf.n_terms() == N_TERMS
        && svm.n_terms() == N_TERMS;
    is_whole.then_some(Topic {
        name,
        language,
        n_positive,
        n_negative,
        idf,
        svm,
    })
}
