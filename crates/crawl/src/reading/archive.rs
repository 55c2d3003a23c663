//! Packs an exchange for the archive.

use super::{Mission, Reader, Reading};
use crate::fetch::{Fetched, Landing};
use page::html::MetaRobots;
use store::visit::Outcome;
use store::warc::{Bundle, Exchange, Profile, RefersTo};

impl Reader {
    pub(super) fn pack(
        &self,
        mission: &Mission,
        landing: &Landing,
        outcome: &Outcome,
        wishes: &MetaRobots,
    ) -> Option<Bundle> {
        let is_left_out = wishes.noarchive || matches!(outcome, Outcome::WrongType(_));
        self.with_exchange(mission, landing, |exchange| match is_left_out {
            // What is not a page is known by its head; over HTTP no more is
            // read. And a page may ask that no copy be kept.
            true => Bundle::pack(&Exchange {
                body: &[],
                truncated: true,
                ..exchange
            }),
            false => Bundle::pack(&exchange),
        })
    }

    /// Packs an exchange that is in the archive, so that it is known by its
    /// digest once more.
    pub(crate) fn pack_again(&self, reading: &Reading) -> Option<Bundle> {
        let wishes = &reading.found.page.robots;
        self.pack(&reading.mission, &reading.landing, &reading.outcome, wishes)
    }

    /// Packs an answer that repeats an earlier one, without its body.
    pub(crate) fn pack_revisit(
        &self,
        reading: &Reading,
        refers_to: &RefersTo,
        profile: Profile,
    ) -> Option<Bundle> {
        self.with_exchange(&reading.mission, &reading.landing, |exchange| {
            Bundle::pack_revisit(&exchange, refers_to, profile)
        })
    }

    fn with_exchange(
        &self,
        mission: &Mission,
        landing: &Landing,
        pack: impl FnOnce(Exchange<'_>) -> Bundle,
    ) -> Option<Bundle> {
        let Fetched::Answer(answer) = &landing.fetched else {
            return None;
        };
        let mut metadata = vec![("because", mission.because.clone())];
        if let Some(from) = &mission.from {
            metadata.push(("via", from.as_str().to_owned()));
        }
        metadata.push(("fetchTimeMs", landing.took.as_millis().to_string()));
        Some(pack(Exchange {
            url: mission.request.url.as_str(),
            at: landing.recorded.unwrap_or(mission.at),
            server: landing.server,
            request: &self.fetcher.request_head(&mission.request),
            response_head: &answer.head,
            body: &answer.body,
            truncated: false,
            metadata: &metadata,
            packing: self.packing,
        }))
    }
}
