//! What else places are called: the pack's aliases, and `oe` for `ö`.
//!
//! The pack has every name that somebody once gave a place. Only those are
//! taken that mean nothing else in a URL or a sentence. US cities have a list
//! of their own, by hand (`mention.rs`): their other names are other cities.

use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};
use crate::names::normalise;
use crate::toponym::{Everyday, Usage};
use std::collections::HashMap;

/// Shorter ones are rather a word of some language.
const LEAST_LETTERS: usize = 4;

/// `cologne` is a word as well, but as long as this, and of so large a city,
/// it is rather the name.
const LEAST_LETTERS_OF_WORD: usize = 7;
const LEAST_PEOPLE_OF_WORD: u32 = 500_000;

/// Other names of some places, in normal form.
pub(super) struct Aliases(HashMap<PlaceId, Vec<String>>);

impl Aliases {
    /// Reads all names there are, once, unless no place is asked for.
    pub(super) fn of(gazetteer: &Gazetteer, places: impl Iterator<Item = PlaceId>) -> Aliases {
        let mut of_place: HashMap<PlaceId, Vec<String>> =
            places.map(|place| (place, Vec::new())).collect();
        if of_place.is_empty() {
            return Aliases(of_place);
        }
        let everyday = Everyday::new();
        gazetteer.visit_names(|name, bearers| {
            let aliases = bearers.iter().filter(|(_, role)| *role == Role::Alias);
            for &(place, _) in aliases {
                if let Some(known) = of_place.get_mut(&place)
                    && means_only(gazetteer, place, bearers)
                    && is_no_word(&everyday, name, gazetteer.population(place))
                {
                    known.push(name.to_owned());
                }
            }
        });
        Aliases(of_place)
    }

    pub(super) fn get(&self, place: PlaceId) -> &[String] {
        self.0.get(&place).map_or(&[], Vec::as_slice)
    }
}

/// No larger place has the name: not as its usual one, and no city at all.
fn means_only(gazetteer: &Gazetteer, place: PlaceId, bearers: &[(PlaceId, Role)]) -> bool {
    let is_rival = |&(other, role): &(PlaceId, Role)| {
        let named = role == Role::Name;
        let called = role == Role::Alias && gazetteer.kind(other) == Kind::City;
        other < place
            && (named || called)
            && !gazetteer.chain(place).any(|around| around == other)
            && !gazetteer.chain(other).any(|around| around == place)
    };
    !bearers.iter().any(is_rival)
}

fn is_no_word(everyday: &Everyday, name: &str, population: u32) -> bool {
    let n_letters = name.bytes().filter(u8::is_ascii_lowercase).count();
    let may_be = match everyday.usage(name) {
        Usage::Unknown | Usage::Person => true,
        Usage::Common => n_letters >= LEAST_LETTERS_OF_WORD && population >= LEAST_PEOPLE_OF_WORD,
        Usage::VeryCommon => false,
    };
    n_letters >= LEAST_LETTERS && may_be
}

/// A name's normal form and, where it has umlauts, the one that writes them out.
pub(super) fn with_umlauts(name: &str) -> Vec<String> {
    let mut forms = vec![normalise(name)];
    if !name.is_ascii() {
        let written_out: String = name.chars().map(written_out).collect();
        forms.push(normalise(&written_out));
        forms.dedup();
    }
    forms
}

fn written_out(c: char) -> String {
    match c {
        'ä' | 'Ä' => "ae".to_owned(),
        'ö' | 'Ö' | 'ø' | 'Ø' => "oe".to_owned(),
        'ü' | 'Ü' => "ue".to_owned(),
        'å' | 'Å' => "aa".to_owned(),
        _ => c.to_string(),
    }
}
