//! Three ways to answer a query from one index.

use super::score::N_HITS;
use place::gazetteer::{Gazetteer, PlaceId};
use place::question::{Helps, Location, QuestionReader};
use search::ask::Ask;
use search::index::{Index, SearchError};
use search::region::Region;

/// What the three are called, in their order.
pub const SYSTEMS: [&str; 3] = ["text only", "text + place filter", "ours"];

/// Position of our own among them, and of plain text.
pub(super) const OURS: usize = 2;
pub(super) const TEXT: usize = 0;

/// Asks an index.
pub(super) struct Systems<'i> {
    index: &'i Index,
    reader: QuestionReader<'static>,
}

/// What the systems say.
pub(super) struct Answers {
    /// The place that was read; the city of an address.
    pub(super) place: Option<PlaceId>,
    /// URLs of each system, best first.
    pub(super) found: [Vec<String>; 3],
}

impl<'i> Systems<'i> {
    pub(super) fn new(index: &'i Index) -> Systems<'i> {
        let reader = QuestionReader::new(Gazetteer::built_in());
        Systems { index, reader }
    }

    /// The hits of all three.
    pub(super) fn ask(&self, query: &str) -> Result<Answers, SearchError> {
        let holds = |place: PlaceId| self.index.n_pages_within(place);
        let helps = Helps {
            home: None,
            holds: &holds,
        };
        let question = self.reader.read(query, &helps);
        let place = question.location.as_ref().and_then(Location::place);
        let text = Ask {
            query: query.to_owned(),
            words_only: true,
            n_hits: N_HITS,
            ..Ask::default()
        };
        let filter = Ask {
            query: question.words,
            region: place.map(Region::Within),
            ..text.clone()
        };
        let ours = Ask {
            words_only: false,
            ..text.clone()
        };
        Ok(Answers {
            place,
            found: [self.urls(&text)?, self.urls(&filter)?, self.urls(&ours)?],
        })
    }

    fn urls(&self, ask: &Ask) -> Result<Vec<String>, SearchError> {
        let hits = self.index.ask(ask)?.hits;
        Ok(hits.into_iter().map(|hit| hit.url).collect())
    }
}
