//! A second look at an index, to be asked while the first one is updated.

use super::{Index, Mark, SearchError};
use std::time::Instant;

impl Index {
    /// The index as it was last committed, by whichever process. It stays so,
    /// whatever is written later; views of the last minutes answer for it what
    /// goes on from their own answers.
    pub fn view(&self) -> Result<Index, SearchError> {
        let failed = |source| self.read_error(source);
        let metas = self.tantivy.load_metas().map_err(failed)?;
        let mark = metas.payload.as_deref().and_then(Mark::parse);
        let view = Index::over(self.tantivy.clone(), &self.home, mark, Some(self));
        let view = view.map_err(failed)?;
        view.moments
            .add(view.n_visits(), &view.look, Instant::now());
        Ok(view)
    }
}
