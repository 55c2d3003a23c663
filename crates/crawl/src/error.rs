//! Why a crawl cannot go on. What the web does is never among the reasons.

use store::crawl_dir::StoreError;
use store::table::TableError;

/// A failure of this machine, not of the web.
#[derive(Debug, thiserror::Error)]
pub enum CrawlError {
    /// The crawl folder failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] std::io::Error),
}

impl CrawlError {
    /// What is wrong with the files of the tables, where they are at fault:
    /// they can be worked out again.
    pub fn damage(&self) -> Option<&str> {
        match self {
            CrawlError::Store(error) => error.damage(),
            CrawlError::Thread(_) => None,
        }
    }
}

impl From<TableError> for CrawlError {
    fn from(error: TableError) -> CrawlError {
        CrawlError::Store(StoreError::Table(error))
    }
}
