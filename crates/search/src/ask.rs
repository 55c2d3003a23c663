//! Answers a query: reads it, finds pages, ranks them, and shows what was understood.
//!
//! The location in the words is found and taken out ([`place::question`]),
//! unless one is given. Pages are ranked by words × geography × status. Too
//! few pages about a place, and its surroundings are asked too, then what it
//! lies in; none at all, and the place is left out. The answer says so.

mod phrases;
mod plan;
mod show;
mod spot;

pub use phrases::PartlyRead;
use show::WINDOW;
pub use show::{Answer, Count, Explained, Facets, Hit, Suggested, Understood, WhereFound};
pub(crate) use spot::places as places_of;

use crate::gather::{Gather, Gathered, Keep};
use crate::index::{Index, SearchError};
use crate::look::Look;
use crate::region::Region;
use crate::syntax::Wishes;
use crate::words::Cutter;
use place::address::Addresses;
use place::gazetteer::{Gazetteer, PlaceId};
use place::question::{Helps, Location, Question, QuestionReader};
use plan::{Plan, Reach};
use std::sync::{Arc, LazyLock};
use tantivy::TantivyError;

/// Pages that an answer may begin at: nobody reads further, and what lies
/// before has to be kept.
pub const MAX_OFFSET: usize = 1_000;

/// Hits of one answer.
pub const MAX_HITS: usize = 100;

/// Pages that are kept before copies are left out, at most.
const MOST_KEPT: usize = 5_000;

/// Fewer pages than this about a place, and it is widened.
const ENOUGH: u64 = 3;

/// Fewer than this around a point, and the circle is: the nearest stay first.
const ENOUGH_NEAR: u64 = 10;

/// Kilometres around a point unless somebody says otherwise.
pub const USUAL_RADIUS: f64 = 10.0;

pub(crate) static READER: LazyLock<QuestionReader<'static>> =
    LazyLock::new(|| QuestionReader::with_addresses(Gazetteer::built_in(), ADDRESSES.clone()));

static ADDRESSES: LazyLock<Arc<Addresses>> =
    LazyLock::new(|| Arc::new(Addresses::new(Gazetteer::built_in())));

/// What somebody asks.
#[derive(Debug, Clone, Default)]
pub struct Ask {
    /// As typed.
    pub query: String,
    /// Where, in place of what the words say.
    pub region: Option<Region>,
    /// The place that the region is around, where it was named.
    pub around: Option<PlaceId>,
    /// Whether the words may name a place at all.
    pub words_only: bool,
    /// Where the person is.
    pub home: Option<(f64, f64)>,
    /// Two letters: only pages in this language.
    pub language: Option<String>,
    /// Only pages of this host.
    pub host: Option<String>,
    /// Only pages fetched at this moment or later, in milliseconds since 1970.
    pub since: Option<u64>,
    /// Hits to pass over.
    pub offset: usize,
    /// Hits to show.
    pub n_hits: usize,
    /// Only what had been visited by then: the `as_of` of an earlier answer,
    /// whose next page is asked for.
    pub as_of: Option<u64>,
    /// Whether each hit is explained.
    pub explain: bool,
}

impl Index {
    /// Answers a query, when it is its turn.
    pub fn ask(&self, ask: &Ask) -> Result<Answer, SearchError> {
        // The next page of an answer comes from where the answer came from.
        let earlier = ask
            .as_of
            .and_then(|as_of| self.moments.at(as_of.saturating_add(1)));
        let look = earlier.unwrap_or_else(|| Arc::clone(&self.look));
        let (n_visits, ask) = (self.n_visits(), ask.clone());
        let work = move |cutter: &mut Cutter| answer(&look, n_visits, &ask, cutter);
        let answer = self.workers.run(work);
        answer.map_err(|source| self.read_error(source))
    }

    /// The same, at once if it was asked lately and nothing was added since.
    pub fn ask_or_recall(&self, ask: &Ask) -> Result<Arc<Answer>, SearchError> {
        if let Some(answer) = self.remembered.answer(ask) {
            return Ok(answer);
        }
        let answer = Arc::new(self.ask(ask)?);
        self.remembered.keep(ask, &answer);
        Ok(answer)
    }
}

fn answer(
    look: &Arc<Look>,
    n_visits: u64,
    ask: &Ask,
    cutter: &mut Cutter,
) -> Result<Answer, TantivyError> {
    let question = question(look, ask);
    let (region, is_read) = match (&ask.region, &question.location) {
        (Some(region), _) => (Some(region.clone()), false),
        (None, Some(location)) => (Some(region_of(location)), true),
        // "near me"
        (None, None) => (ask.home.filter(|_| question.is_near).map(near), true),
    };
    let wishes = Wishes::read(cutter, &question.words);
    let location = question.location.as_ref().filter(|_| is_read);
    let mut search = Search {
        look,
        n_visits,
        ask,
        wishes,
        region,
        city: location.and_then(Location::place),
        reach: Reach::Place,
        takes_any_word: false,
    };
    let gathered = match search.asks_something() {
        true => search.widening(is_read, cutter)?,
        false => Gathered::default(),
    };
    show::answer(&search, &question, gathered, cutter)
}

fn question(look: &Look, ask: &Ask) -> Question {
    let holds = |place: PlaceId| look.n_filed_within(place);
    let helps = Helps {
        home: ask.home,
        holds: &holds,
    };
    // A place that is given is not looked for.
    match ask.words_only || ask.region.is_some() {
        true => Question {
            words: ask.query.clone(),
            location: None,
            alternatives: Vec::new(),
            is_near: false,
            because: "".into(),
        },
        false => READER.read(&ask.query, &helps),
    }
}

fn near((lat, lon): (f64, f64)) -> Region {
    Region::Near {
        lat,
        lon,
        kilometres: USUAL_RADIUS,
    }
}

fn region_of(location: &Location) -> Region {
    match location {
        Location::Place(place) => Region::About(*place),
        Location::Address { lat, lon, .. } | Location::Postcode { lat, lon, .. } => {
            near((*lat, *lon))
        }
    }
}

/// One way to look for an answer.
struct Search<'s> {
    look: &'s Arc<Look>,
    n_visits: u64,
    ask: &'s Ask,
    wishes: Wishes,
    region: Option<Region>,
    /// Where an address or postal code is.
    city: Option<PlaceId>,
    reach: Reach,
    takes_any_word: bool,
}

impl Search<'_> {
    fn asks_something(&self) -> bool {
        !self.wishes.wanted.is_empty() || self.region.is_some() || self.ask.host.is_some()
    }

    /// Looks in the place and around it. Where no page has the words, looks for
    /// the whole question anywhere, since the place may have been a name; then
    /// in the place and around it for pages that have any of the words; at last
    /// for the words wherever they are.
    fn widening(&mut self, is_read: bool, cutter: &mut Cutter) -> Result<Gathered, TantivyError> {
        let gathered = self.around(is_read, cutter)?;
        let has_words = !self.wishes.wanted.is_empty();
        let is_placed = is_read && has_words && self.region.is_some();
        if gathered.n_pages > 0 {
            return Ok(gathered);
        }
        if is_placed {
            let words = std::mem::replace(&mut self.wishes, Wishes::read(cutter, &self.ask.query));
            self.reach = Reach::Anywhere;
            let gathered = self.run(cutter)?;
            if gathered.n_pages > 0 {
                return Ok(gathered);
            }
            self.wishes = words;
        }
        let has_others = self.wishes.wanted.len() > 1 && !self.wishes.is_strict;
        if has_others {
            self.takes_any_word = true;
            let gathered = self.around(is_read, cutter)?;
            if gathered.n_pages > 0 {
                return Ok(gathered);
            }
        }
        let fewer = [false, true].into_iter().take(1 + usize::from(has_others));
        for takes_any_word in fewer.filter(|_| is_placed) {
            self.takes_any_word = takes_any_word;
            self.reach = Reach::Regardless;
            let gathered = self.run(cutter)?;
            if gathered.n_pages > 0 {
                return Ok(gathered);
            }
        }
        // Nothing was found, however far.
        (self.takes_any_word, self.reach) = (false, Reach::Place);
        Ok(gathered)
    }

    /// Looks in the place, around it, in what it lies in, until there are
    /// enough pages; in nothing but a place that was given.
    fn around(&mut self, is_read: bool, cutter: &mut Cutter) -> Result<Gathered, TantivyError> {
        self.reach = Reach::Place;
        let mut gathered = self.run(cutter)?;
        let Some(region) = self.region.as_ref().filter(|_| is_read) else {
            return Ok(gathered);
        };
        let enough_around = match region {
            Region::Near { .. } => ENOUGH_NEAR,
            _ => ENOUGH,
        };
        let mut reach = Reach::Place;
        for (wider, enough) in [(Reach::Around, enough_around), (Reach::Parent, ENOUGH)] {
            if gathered.n_pages >= enough {
                break;
            }
            self.reach = wider;
            let more = self.run(cutter)?;
            if more.n_pages > gathered.n_pages {
                gathered = more;
                reach = wider;
            }
        }
        self.reach = reach;
        Ok(gathered)
    }

    /// Looks where it is to be looked now.
    fn run(&self, cutter: &mut Cutter) -> Result<Gathered, TantivyError> {
        if self.wishes.has_phrases() {
            let gathered = self.gather(phrases::MOST_READ + 1)?;
            return phrases::check(self, gathered, cutter);
        }
        // Copies are left out of these.
        let n_wanted = self.n_wanted();
        let mut n_best = n_wanted + n_wanted / 2;
        loop {
            let gathered = self.gather(n_best)?;
            let are_all = gathered.best.len() < n_best || n_best >= MOST_KEPT;
            if are_all || gathered.n_groups() >= n_wanted {
                return Ok(gathered);
            }
            n_best = (n_best * 4).min(MOST_KEPT);
        }
    }

    /// Pages among which the hits are chosen.
    fn n_wanted(&self) -> usize {
        self.ask.offset.min(MAX_OFFSET) + self.ask.n_hits.min(MAX_HITS) + WINDOW
    }

    /// The best so many pages.
    fn gather(&self, n_best: usize) -> Result<Gathered, TantivyError> {
        let region = self.region_in_reach();
        let relations = self.look.acquainted.take(region.as_ref());
        let keep = Keep {
            n_best,
            since: self.ask.since,
            as_of: self.ask.as_of,
        };
        let mut gather = Gather::new(self.look, region.clone(), relations, keep);
        Plan::of(self).run(self.look, |nth, found, places| {
            gather.segment(nth, found, places);
        })?;
        let (gathered, relations) = gather.finish();
        self.look.acquainted.give_back(region.as_ref(), relations);
        Ok(gathered)
    }
}
