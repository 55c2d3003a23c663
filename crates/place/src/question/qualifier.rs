//! The state or country behind a name: `Athens GA`, `Berlin, New Hampshire, USA`.

use super::name::WORDY_CODES;
use super::token::Tokens;
use crate::gazetteer::{Gazetteer, Kind, PlaceId, Role};

/// States and countries have at most so many words.
const MAX_WORDS: usize = 4;

/// Canada's provinces by their codes; the gazetteer has numbers.
const PROVINCES: [(&str, &str); 10] = [
    ("ab", "alberta"),
    ("bc", "british columbia"),
    ("mb", "manitoba"),
    ("nb", "new brunswick"),
    ("nl", "newfoundland and labrador"),
    ("ns", "nova scotia"),
    ("on", "ontario"),
    ("pe", "prince edward island"),
    ("qc", "quebec"),
    ("sk", "saskatchewan"),
];

/// What the words behind a name leave of its places.
#[derive(Debug)]
pub(super) struct Qualified {
    /// Where these words end.
    pub(super) end: usize,
    /// The places of that name in there; never empty.
    pub(super) bearers: Vec<(PlaceId, Role)>,
    /// The smallest thing named.
    pub(super) kind: Kind,
}

/// Reads state, then country; none where nothing behind the name decides.
pub(super) fn behind(
    gazetteer: &Gazetteer,
    tokens: &Tokens<'_>,
    name_end: usize,
    bearers: &[(PlaceId, Role)],
) -> Option<Qualified> {
    let one = |at: usize, bearers: &[(PlaceId, Role)]| {
        let longest = MAX_WORDS.min(tokens.list.len().saturating_sub(at));
        (1..=longest)
            .rev()
            .find_map(|n_words| inside(gazetteer, tokens, at, n_words, bearers))
    };
    let first = one(name_end, bearers)?;
    let Some(second) = one(first.end, &first.bearers) else {
        return Some(first);
    };
    let smaller = if first.kind >= second.kind {
        first.kind
    } else {
        second.kind
    };
    Some(Qualified {
        kind: smaller,
        ..second
    })
}

/// The bearers inside what so many words from here on name.
fn inside(
    gazetteer: &Gazetteer,
    tokens: &Tokens<'_>,
    at: usize,
    n_words: usize,
    bearers: &[(PlaceId, Role)],
) -> Option<Qualified> {
    let end = at + n_words;
    let has_comma = tokens.list[at - 1].is_closed;
    let name = tokens.name(at..end);
    // `on` is a word before it is Ontario.
    let is_province = |&&(code, _): &&(&str, &str)| code == name && (code != "on" || has_comma);
    let province = PROVINCES.iter().find(is_province);
    if name.len() == 2 && province.is_none() {
        return inside_code(gazetteer, tokens, at, bearers);
    }
    if !tokens.are_joined(at..end) {
        return None;
    }
    let name = province.map_or(name.as_str(), |(_, name)| name);
    let contains = |kind: Kind| match kind {
        Kind::Country | Kind::Division1 => true,
        Kind::Division2 | Kind::City => has_comma,
        _ => false,
    };
    let around: Vec<PlaceId> = gazetteer
        .bearers(name)
        .filter(|&(id, role)| role != Role::Demonym && contains(gazetteer.kind(id)))
        .map(|(id, _)| id)
        .collect();
    if around.is_empty() {
        return None;
    }
    let mut kind = None;
    let mut kept = bearers.to_vec();
    kept.retain(|&(id, _)| {
        let above = gazetteer
            .chain(id)
            .skip(1)
            .find(|above| around.contains(above));
        kind = kind.or(above.map(|above| gazetteer.kind(above)));
        above.is_some()
    });
    Some(Qualified {
        end,
        bearers: kept,
        kind: kind?,
    })
}

/// The same for two letters: a US state, or a country behind a comma.
fn inside_code(
    gazetteer: &Gazetteer,
    tokens: &Tokens<'_>,
    at: usize,
    bearers: &[(PlaceId, Role)],
) -> Option<Qualified> {
    let token = &tokens.list[at];
    let has_comma = tokens.list[at - 1].is_closed;
    let is_last = tokens.ends(at + 1);
    // `Portland OR` ends with Oregon, `Portland OR Salem` does not.
    let is_free = !token.is_fixed || is_last && token.is_operator(tokens.query);
    let is_word = WORDY_CODES.contains(&token.normal.as_str());
    if !is_free || is_word && !has_comma && !is_last {
        return None;
    }
    let code = token.normal.to_uppercase();
    let keep = |is_inside: &dyn Fn(PlaceId) -> bool, kind| {
        let kept: Vec<_> = bearers
            .iter()
            .copied()
            .filter(|&(id, _)| is_inside(id))
            .collect();
        (!kept.is_empty()).then_some(Qualified {
            end: at + 1,
            bearers: kept,
            kind,
        })
    };
    let in_state = |id| {
        let is_smaller = gazetteer.kind(id) > Kind::Division1;
        is_smaller && gazetteer.country(id) == "US" && gazetteer.division(id) == code
    };
    let country = match code.as_str() {
        "UK" => "GB",
        code => code,
    };
    let in_country = |id| gazetteer.kind(id) > Kind::Country && gazetteer.country(id) == country;
    keep(&in_state, Kind::Division1).or_else(|| {
        let may_be_country = has_comma || matches!(code.as_str(), "UK" | "US");
        may_be_country.then(|| keep(&in_country, Kind::Country))?
    })
}
