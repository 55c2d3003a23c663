//! How soon a link should be fetched: the orders, by name.
//!
//! An order has two halves. Its *eye* looks at pages, on any thread, and
//! notes what it sees of each link as *clues*, a few numbers that mean
//! something to that order alone. Its *mind* judges links by their clues,
//! and learns what came of them; it belongs to the thread that owns all
//! nodes, so that what one node finds out serves the others at once. Clues
//! wait with their link, on disk, until the page behind it was fetched.
//!
//! To add one, write a file like `breadth.rs` and name it twice below.

mod adaptive;
mod breadth;
mod distance;
mod focus;
mod georank;
mod inlinks;
mod utility;

use crate::means::{Means, MeansError};
use crate::roster::NodeId;
use crate::scene::Scene;
use page::html::Link;

/// What an eye notes of one link.
pub type Clues = Vec<u32>;

/// Looks at pages: pure, and shared by all threads.
pub trait Eye: Send + Sync {
    /// The clues of some links of a page, in their order.
    fn look(&self, scene: &Scene<'_>, links: &[&Link]) -> Vec<Clues> {
        let _ = scene;
        vec![Clues::new(); links.len()]
    }

    /// The clues of one link that stand for something with a name, for people.
    fn name(&self, scene: &Scene<'_>, link: &Link) -> Vec<(u32, String)> {
        let _ = (scene, link);
        Vec::new()
    }
}

/// Judges links, and learns what came of them.
pub trait Mind: Send {
    /// Judges one link; the frontier takes the highest priority first and,
    /// among equals, the link it heard of first.
    fn judge(&self, sighting: &Sighting<'_>) -> Judgement;

    /// Hears what came of following a link. A mind that learns, learns here.
    fn learn(&mut self, lesson: &Lesson<'_>) {
        let _ = lesson;
    }

    /// Hears of a page that a node has fetched, seeds too, once its links are
    /// judged.
    fn settle(&mut self, arrival: &Arrival) {
        let _ = arrival;
    }

    /// How important a page is that so many of the pages fetched so far link
    /// to; none unless it goes by that. It is then told of each link's page.
    fn importance(&self, n_inlinks: u64) -> Option<f32> {
        let _ = n_inlinks;
        None
    }

    /// What the topic counts for a node now against importance, where the two
    /// are weighed.
    fn elasticity(&self, node: NodeId) -> Option<f32> {
        let _ = node;
        None
    }

    /// Whether it may think otherwise of a link by the time it is fetched: it
    /// is then asked again.
    fn changes(&self) -> bool {
        false
    }

    /// Links back from a page that it learns about; zero if it learns nothing.
    fn memory(&self) -> usize {
        0
    }

    /// What a clue counts for and against a link, in log odds; none where it
    /// counts for nothing. For people.
    fn weigh(&self, clue: u32) -> Option<f32> {
        let _ = clue;
        None
    }

    /// What decides about a link: signs, each with what it counts in log odds,
    /// which add up to those of its priority but for ties. Empty where that is
    /// not how it decides. For people.
    fn account(&self, sighting: &Sighting<'_>) -> Vec<(u32, f32)> {
        let _ = sighting;
        Vec::new()
    }

    /// What it has learned, to be given to `restore`; none if it learns nothing.
    fn save(&self) -> Option<Vec<u8>> {
        None
    }

    /// Takes over what was saved.
    fn restore(&mut self, saved: &[u8]) -> Result<(), MindError> {
        let _ = saved;
        Err(MindError::LearnsNothing)
    }
}

/// Both halves of an order, ready to work.
pub struct Order {
    /// Looks.
    pub eye: Box<dyn Eye>,
    /// Judges.
    pub mind: Box<dyn Mind>,
}

/// A link as a mind sees it.
#[derive(Debug, Clone, Copy)]
pub struct Sighting<'a> {
    /// Stands for its URL: evenly spread over all numbers.
    pub url: u64,
    /// The node that fetched the page it stands on.
    pub node: NodeId,
    /// Links since the last relevant page, where seeds count as relevant: one
    /// for a link that stands on such a page, none for a seed.
    pub distance: u16,
    /// What the eye saw of it.
    pub clues: &'a [u32],
    /// What in-links say of the page it stands on, where the mind goes by them.
    pub importance: Option<f32>,
}

impl<'a> Sighting<'a> {
    /// A link on a page of the first node, of which no more is known.
    pub fn new(url: u64, distance: u16, clues: &'a [u32]) -> Sighting<'a> {
        Sighting {
            url,
            node: NodeId(0),
            distance,
            clues,
            importance: None,
        }
    }
}

/// A page that was fetched.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arrival {
    /// By this node.
    pub node: NodeId,
    /// How much it is about the crawl's topic, where there is one.
    pub topicality: Option<f32>,
}

/// The sign under which an account has what is not told one by one.
pub const EVERYTHING_ELSE: u32 = u32::MAX;

/// Signs that an account tells one by one.
const MOST_ACCOUNTED: usize = 8;

/// The loudest signs of an account, and the rest in one, so that all add up to
/// the log odds of this priority.
pub fn shorten(mut account: Vec<(u32, f32)>, priority: f32) -> Vec<(u32, f32)> {
    if account.is_empty() {
        return account;
    }
    account.sort_by(|(_, a), (_, b)| b.abs().total_cmp(&a.abs()));
    account.truncate(MOST_ACCOUNTED);
    let told: f32 = account.iter().map(|(_, weight)| weight).sum();
    account.push((EVERYTHING_ELSE, log_odds(priority) - told));
    account
}

/// The log odds of a priority.
pub fn log_odds(priority: f32) -> f32 {
    let priority = priority.clamp(1e-6, 1.0 - 1e-6);
    (priority / (1.0 - priority)).ln()
}

/// What came of following a link.
#[derive(Debug, Clone, Copy)]
pub struct Lesson<'a> {
    /// The link, then the one before it on the way, and so on as far as the
    /// mind's memory goes or the way is known.
    pub trail: &'a [Step],
    /// The page at the end of it was relevant.
    pub is_relevant: bool,
}

/// A link that was followed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Step {
    /// Links since the last relevant page then.
    pub distance: u16,
    /// What the eye saw of it.
    pub clues: Clues,
}

/// What a mind makes of a link.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Judgement {
    /// Follow it.
    Follow(Priority),
    /// Leave it: it leads nowhere that this order goes.
    Leave,
}

/// A link's priority, with the reason.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Priority {
    /// From 0 (last) to 1 (first).
    pub value: f32,
    /// Why, for people.
    pub because: &'static str,
}

/// Why something that was learned cannot be taken over.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MindError {
    /// Nothing is learned by this order.
    #[error("of an order that learns, and this one learns nothing")]
    LearnsNothing,
    /// It is of something else.
    #[error("{0}")]
    OfOther(String),
    /// It is damaged, or no model at all.
    #[error("damaged, or no model at all")]
    Garbled,
}

/// An order as the registry knows it.
pub struct Entry {
    /// What users write after `--order`.
    pub name: &'static str,
    /// One line for the manual.
    pub summary: &'static str,
    /// Makes one, or says what it lacks.
    pub build: fn(&Means<'_>) -> Result<Order, MeansError>,
    /// The settings it listens to, as users write them: `--decay`.
    pub settings: &'static [&'static str],
    /// The order's own source, from which the manual takes its headings.
    pub source: &'static str,
}

/// Every order there is.
pub const ALL: &[&Entry] = &[
    &breadth::ENTRY,
    &distance::ENTRY,
    &adaptive::ENTRY,
    &georank::ENTRY,
    &focus::ENTRY,
    &utility::ENTRY,
    &inlinks::ENTRY,
];

/// The order of this name.
pub fn by_name(name: &str) -> Option<&'static Entry> {
    ALL.iter().copied().find(|entry| entry.name == name)
}

/// An eye that sees nothing, for orders that need no clues.
pub(crate) struct Closed;

impl Eye for Closed {}
