//! A second look at an index, to be asked while the first one is updated.

use super::{Index, Mark, SearchError};

impl Index {
    /// The index as it was last committed, by whichever process. It stays so,
    /// whatever is written later.
    pub fn view(&self) -> Result<Index, SearchError> {
        let failed = |source| self.read_error(source);
        let metas = self.tantivy.load_metas().map_err(failed)?;
        let mark = metas.payload.as_deref().and_then(Mark::parse);
        Index::over(self.tantivy.clone(), &self.home, mark, Some(self)).map_err(failed)
    }
}
