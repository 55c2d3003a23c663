//! Reads pages on all cores, by threads that stay while an index is written:
//! one that ends gives its memory back, and the next one has to ask for it.

use super::sheet::{Sheet, SheetReader};
use crate::words::Cutter;
use place::gazetteer::Gazetteer;
use place::geoparse::Geoparser;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, Scope};
use store::visit::Visit;

/// Made when the first page is read.
static GEOPARSER: LazyLock<Geoparser<'static>> =
    LazyLock::new(|| Geoparser::new(Gazetteer::built_in()));

/// A reader for each core; they end with this.
pub(super) struct Readers(Vec<Reader>);

struct Reader {
    visits: Sender<Vec<Visit>>,
    sheets: Receiver<thread::Result<Vec<Sheet>>>,
}

impl Readers {
    pub(super) fn start<'s>(scope: &'s Scope<'s, '_>, dir: &'s Path) -> Readers {
        let n_cores = thread::available_parallelism().map_or(1, usize::from);
        let start = |_| {
            let (visits, waiting) = channel::<Vec<Visit>>();
            let (hand_in, sheets) = channel();
            scope.spawn(move || {
                let mut reader = SheetReader {
                    dir,
                    geoparser: &GEOPARSER,
                    cutter: Cutter::new(),
                };
                for visits in waiting {
                    let read = || visits.into_iter().map(|visit| reader.read(visit)).collect();
                    let sheets = catch_unwind(AssertUnwindSafe(read));
                    if hand_in.send(sheets).is_err() {
                        break;
                    }
                }
            });
            Reader { visits, sheets }
        };
        Readers((0..n_cores).map(start).collect())
    }

    /// Reads pages, and gives them back in their order.
    pub(super) fn read(&self, visits: Vec<Visit>) -> Vec<Sheet> {
        let n_each = visits.len().div_ceil(self.0.len()).max(1);
        let mut visits = visits.into_iter();
        for reader in &self.0 {
            let share = visits.by_ref().take(n_each).collect();
            reader.visits.send(share).expect("readers outlive this");
        }
        let mut sheets = Vec::new();
        for reader in &self.0 {
            let read = reader.sheets.recv().expect("readers outlive this");
            sheets.extend(read.unwrap_or_else(|panic| resume_unwind(panic)));
        }
        sheets
    }
}
