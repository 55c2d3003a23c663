//! Whether a name in a query is meant as one, by how well it is known and what else it may be.

use super::lead::{self, Lead};
use super::name::{Names, WORDY_CODES};
use super::token::Tokens;
use crate::gazetteer::{Kind, PlaceId, Role};
use crate::sphere::kilometres;
use crate::toponym::Usage;
use std::ops::Range;

/// A town as near as this is known to its neighbours, in kilometres.
const NEIGHBOURHOOD: f64 = 100.0;

/// Well-known places whose names are better known as something else: they
/// need a word that leads to them, or their state or country behind them.
const NEED_MORE: [&str; 29] = [
    "agro", "batman", "bury", "chad", "cologne", "como", "delta", "essen", "gama", "guinea", "hue",
    "java", "jersey", "jordan", "lime", "logos", "massa", "orion", "pasto", "perm", "pilar",
    "playa", "reunion", "saga", "tours", "turbo", "turkey", "victoria", "worms",
];

/// Names that are, or begin, something else, in normal form.
const PHRASES: [&str; 21] = [
    "berlin wall",
    "bermuda shorts",
    "boston cream",
    "boston terrier",
    "brazil nut",
    "brazil nuts",
    "brussels sprouts",
    "china cabinet",
    "golden gate",
    "kentucky fried",
    "lima beans",
    "london fog",
    "moscow mule",
    "new york cheesecake",
    "orlando bloom",
    "panama hat",
    "paris hilton",
    "philadelphia cream",
    "santa claus",
    "texas instruments",
    "white house",
];

/// Short forms that are nothing else, in any case.
const SHORT_FORMS: [&str; 4] = ["nyc", "uae", "uk", "usa"];

/// Where a name stands in its query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Border {
    None,
    Start,
    End,
    /// It is all there is.
    Both,
}

impl Border {
    fn of(tokens: &Tokens<'_>, range: Range<usize>) -> Border {
        match (tokens.begins(range.start), tokens.ends(range.end)) {
            (true, true) => Border::Both,
            (true, false) => Border::Start,
            (false, true) => Border::End,
            (false, false) => Border::None,
        }
    }
}

impl Names<'_> {
    /// `Best, Texas` is a place; `best Texas barbecue` speaks of another.
    pub(super) fn may_be_qualified(
        &self,
        name: &Range<usize>,
        bearers: &[(PlaceId, Role)],
        lead: Option<Lead>,
    ) -> bool {
        let is_set_off = self.tokens.list[name.end - 1].is_closed || lead.is_some();
        let least = match self.usage(name) {
            Usage::Unknown | Usage::Person => 0,
            _ if is_set_off => 0,
            Usage::Common | Usage::VeryCommon => 1_000,
        };
        self.largest(bearers) >= least
    }

    /// Whether a name after `in` or `near` is a place.
    pub(super) fn may_be_led(
        &self,
        name: &Range<usize>,
        bearers: &[(PlaceId, Role)],
        lead: Lead,
    ) -> bool {
        let code = &self.tokens.list[name.start].normal;
        if name.len() == 1 && WORDY_CODES.contains(&code.as_str()) && code != "la" {
            return false;
        }
        let usage = self.usage(name);
        if lead.has_article && usage >= Usage::Common {
            return false;
        }
        let least = match usage {
            Usage::Unknown | Usage::Person => 1,
            Usage::Common => 5_000,
            Usage::VeryCommon => 50_000,
        };
        let is_eminent = |id: PlaceId| self.gazetteer().synset(id).is_some();
        bearers.iter().any(|&(id, role)| {
            let people = self.gazetteer().population(id);
            match role {
                Role::Alias => people >= least.max(1_000) || is_eminent(id),
                _ => people >= least || usage < Usage::Common && is_eminent(id),
            }
        })
    }

    /// Whether a name without such a word is well enough known, and stands where places do.
    pub(super) fn is_known(
        &self,
        name: &Range<usize>,
        bearers: &[(PlaceId, Role)],
        lead: Option<Lead>,
    ) -> bool {
        let n_lead = lead.map_or(0, |lead| lead.n_tokens);
        let border = Border::of(self.tokens, name.start - n_lead..name.end);
        let is_all = border == Border::Both;
        if border == Border::None && lead.is_none() || self.is_part_of_name(name) {
            return false;
        }
        let spelling = self.tokens.name(name.clone());
        if !is_all && NEED_MORE.contains(&spelling.as_str()) {
            return false;
        }
        let usage = self.usage(name);
        let n_letters = spelling.chars().count();
        bearers.iter().any(|&(id, role)| match role {
            Role::Abbreviation => self.is_spelled_short(name, id, border),
            _ if is_all => self.is_known_enough(id, usage),
            _ => self.is_well_known(id, role, usage, n_letters),
        })
    }

    /// Whether a query that is nothing but this name means the place.
    fn is_known_enough(&self, id: PlaceId, usage: Usage) -> bool {
        let gazetteer = self.gazetteer();
        let is_eminent = gazetteer.synset(id).is_some();
        let people = gazetteer.population(id);
        match usage {
            Usage::VeryCommon => gazetteer.kind(id) == Kind::Country && is_eminent,
            Usage::Common => people >= 200_000,
            Usage::Person => people >= 20_000,
            Usage::Unknown => people >= 200 || is_eminent,
        }
    }

    /// Whether the name means the place among other words.
    fn is_well_known(&self, id: PlaceId, role: Role, usage: Usage, n_letters: usize) -> bool {
        let gazetteer = self.gazetteer();
        let is_eminent = gazetteer.synset(id).is_some();
        let people = gazetteer.population(id);
        if gazetteer.kind(id) == Kind::Country && is_eminent {
            return true;
        }
        // Second names are often short and odd: `Mon`, `Genes`, `Logos`.
        let is_second = role == Role::Alias;
        let is_short = n_letters <= if is_second { 4 } else { 3 };
        match usage {
            Usage::VeryCommon => false,
            Usage::Common => people >= 500_000 && is_eminent && !is_second,
            _ if is_short => people >= 500_000 && is_eminent,
            Usage::Person => people >= 100_000,
            Usage::Unknown if is_second => people >= 100_000 || is_eminent,
            Usage::Unknown => {
                is_eminent || people >= least_known(n_letters) || self.is_neighbour(id)
            }
        }
    }

    fn is_neighbour(&self, id: PlaceId) -> bool {
        let gazetteer = self.gazetteer();
        let is_near = |home| kilometres(home, gazetteer.coordinates(id)) <= NEIGHBOURHOOD;
        gazetteer.population(id) >= 2_000 && self.home.is_some_and(is_near)
    }

    /// Whether a short form is meant: `nyc` in any case, `TX` alone or in capitals at the end.
    fn is_spelled_short(&self, name: &Range<usize>, id: PlaceId, border: Border) -> bool {
        let token = &self.tokens.list[name.start];
        let code = token.normal.as_str();
        if name.len() > 1 || SHORT_FORMS.contains(&code) {
            return true;
        }
        let written = &self.tokens.query[token.word.clone()];
        let has_small = self.tokens.query.chars().any(char::is_lowercase);
        let in_capitals = has_small && !written.chars().any(char::is_lowercase);
        let is_state = self.gazetteer().kind(id) == Kind::Division1;
        match border {
            _ if code.len() != 2 => false,
            _ if code == "la" => in_capitals && !is_state,
            _ if WORDY_CODES.contains(&code) => false,
            Border::Both => true,
            Border::End => in_capitals,
            Border::Start | Border::None => false,
        }
    }

    /// `New York Times`, `Brussels sprouts`, `University of Houston`, `Whitney Houston`.
    fn is_part_of_name(&self, name: &Range<usize>) -> bool {
        let everyday = &self.reader.everyday;
        let list = &self.tokens.list;
        let is_phrase = |tokens| PHRASES.contains(&self.tokens.name(tokens).as_str());
        if lead::is_in_name(self.tokens, name.start) || is_phrase(name.clone()) {
            return true;
        }
        let own = &list[name.start].normal;
        let before = name.start.checked_sub(1).and_then(|idx| list.get(idx));
        if before.is_some_and(|before| everyday.are_person(&before.normal, own)) {
            return true;
        }
        let is_apart = list[name.end - 1].is_closed;
        let Some(next) = list
            .get(name.end)
            .filter(|next| !next.is_fixed && !is_apart)
        else {
            return false;
        };
        everyday.ends_name(&next.normal)
            || everyday.are_person(own, &next.normal)
            || is_phrase(name.start..name.end + 1)
    }

    /// What else the name may be; a name of several words is hardly anything else.
    fn usage(&self, name: &Range<usize>) -> Usage {
        let words = self.tokens.list[name.clone()].iter();
        let mut usages = words.map(|token| self.reader.everyday.usage(&token.normal));
        if name.len() == 1 {
            let mut bearers = self.gazetteer().bearers(&self.tokens.name(name.clone()));
            // `English` is a town too.
            let is_adjective = bearers.any(|(_, role)| role == Role::Demonym);
            let usage = usages.next().unwrap_or(Usage::Unknown);
            return if is_adjective {
                Usage::VeryCommon
            } else {
                usage
            };
        }
        if usages.all(|usage| usage == Usage::VeryCommon) {
            Usage::Person
        } else {
            Usage::Unknown
        }
    }

    fn largest(&self, bearers: &[(PlaceId, Role)]) -> u32 {
        let people = bearers
            .iter()
            .map(|&(id, _)| self.gazetteer().population(id));
        people.max().unwrap_or(0)
    }
}

/// People of a place whose name may stand alone: hardly a long name is an ordinary word.
fn least_known(n_letters: usize) -> u32 {
    match n_letters {
        0..=5 => 40_000,
        6..=7 => 15_000,
        _ => 3_000,
    }
}
