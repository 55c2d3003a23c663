//! Reads the labelled sets as their publishers wrote them.

use super::score::Labelled;
use anyhow::Context;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;

/// A text with labelled addresses.
#[derive(Debug, Deserialize)]
pub(super) struct AddressPage {
    pub(super) id: String,
    pub(super) html: Option<String>,
    pub(super) text: String,
    pub(super) addresses: Vec<AddressLabel>,
    #[serde(default)]
    pub(super) site: String,
}

/// One label; offsets count characters.
#[derive(Debug, Deserialize)]
pub(super) struct AddressLabel {
    start: usize,
    end: usize,
    text: String,
    street: Option<String>,
    city: Option<String>,
    state2: Option<String>,
    zip: Option<String>,
    kind: String,
}

/// A string that is or is not an address.
#[derive(Debug, Deserialize)]
pub(super) struct TestString {
    pub(super) text: String,
    pub(super) expect: Vec<serde_json::Value>,
    pub(super) level: String,
}

/// A page about one restaurant.
#[derive(Debug, Deserialize)]
pub(super) struct RestaurantPage {
    pub(super) html: String,
    pub(super) site: String,
    pub(super) gold: RestaurantGold,
}

#[derive(Debug, Deserialize)]
pub(super) struct RestaurantGold {
    pub(super) address: Vec<String>,
}

/// All lines of a set; the file may lie there as it is or as `.zst`.
pub(crate) fn read<T: DeserializeOwned>(dir: &Path, name: &str) -> anyhow::Result<Vec<T>> {
    let plain = dir.join(name);
    let bytes = if plain.is_file() {
        std::fs::read(&plain)
    } else {
        std::fs::File::open(dir.join(format!("{name}.zst"))).and_then(zstd::stream::decode_all)
    };
    let bytes =
        bytes.with_context(|| format!("cannot read labelled data `{}`", plain.display()))?;
    let text = String::from_utf8(bytes)?;
    text.lines()
        .filter(|line| !line.is_empty())
        .map(|line| serde_json::from_str(line).with_context(|| format!("cannot parse `{name}`")))
        .collect()
}

/// Which half a site belongs to, 0 or 1.
pub(super) fn half(site: &str) -> usize {
    usize::from(hash(site).count_ones() % 2 == 1)
}

/// A number of a site by which it is put into one part or another.
///
/// This is FNV-1a, but any hash that stays the same would do.
pub(crate) fn hash(site: &str) -> u64 {
    site.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

impl AddressLabel {
    fn counts(&self) -> bool {
        self.kind == "us_full"
    }

    fn labelled(&self, span: Range<usize>) -> Labelled {
        let text = |part: &Option<String>| part.clone().unwrap_or_default();
        Labelled {
            span,
            number: house_number(self.street.as_deref().unwrap_or_default()),
            city: text(&self.city),
            state: text(&self.state2),
            zip: text(&self.zip),
        }
    }
}

/// Labels that count, and ranges of those that do not.
pub(super) fn labels(page: &AddressPage) -> (Vec<Labelled>, Vec<Range<usize>>) {
    let starts: Vec<usize> = page.text.char_indices().map(|(at, _)| at).collect();
    let byte = |at: usize| starts.get(at).copied().unwrap_or(page.text.len());
    let span = |label: &AddressLabel| byte(label.start)..byte(label.end);
    let (wanted, ignored): (Vec<_>, Vec<_>) =
        page.addresses.iter().partition(|label| label.counts());
    (
        wanted
            .iter()
            .map(|label| label.labelled(span(label)))
            .collect(),
        ignored.iter().map(|label| span(label)).collect(),
    )
}

/// The same labels in another rendering of the page.
///
/// A label lies where its letters and digits do. One that is not in the text
/// has an empty range: nobody can find it.
pub(super) fn labels_in(page: &AddressPage, text: &str) -> (Vec<Labelled>, Vec<Range<usize>>) {
    let (letters, places) = letters_of(text);
    let find = |label: &AddressLabel, from: usize| {
        let (wanted, _) = letters_of(&label.text);
        let at = from + letters.get(from..)?.find(&wanted)?;
        let last = at + wanted.len().checked_sub(1)?;
        Some((at, places[at]..places[last] + 1))
    };
    let mut wanted = Vec::new();
    let mut ignored = Vec::new();
    let mut at = 0;
    for label in &page.addresses {
        if label.counts() {
            let span = find(label, at).map_or(0..0, |(found, span)| {
                at = found + 1;
                span
            });
            wanted.push(label.labelled(span));
        } else {
            let mut from = 0;
            while let Some((found, span)) = find(label, from) {
                ignored.push(span);
                from = found + 1;
            }
        }
    }
    (wanted, ignored)
}

/// ASCII letters and digits in lower case, and where each one stands.
fn letters_of(text: &str) -> (String, Vec<usize>) {
    text.bytes()
        .enumerate()
        .filter(|(_, byte)| byte.is_ascii_alphanumeric())
        .map(|(at, byte)| (char::from(byte.to_ascii_lowercase()), at))
        .unzip()
}

/// The first word that begins with a digit.
fn house_number(street: &str) -> String {
    street
        .split_whitespace()
        .find(|word| word.starts_with(|c: char| c.is_ascii_digit()))
        .or_else(|| street.split_whitespace().next())
        .unwrap_or_default()
        .trim_end_matches([',', '.'])
        .to_owned()
}

/// Street number and city of an address in lines and parts.
pub(super) fn number_and_city(lines: &[String]) -> (String, String) {
    let whole = lines.join(",").replace("&nbsp;", " ");
    let parts: Vec<&str> = whole.split(',').map(str::trim).collect();
    let is_state = |part: &str| {
        let first = part.split_whitespace().next().unwrap_or_default();
        let letters = first.replace('.', "");
        letters.len() == 2 && letters.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    // The last one: some sites repeat city, state and ZIP code one by one.
    let state_idx = (2..parts.len())
        .rfind(|&idx| is_state(parts[idx]))
        .unwrap_or(0);
    let city = parts
        .get(state_idx.wrapping_sub(1))
        .copied()
        .unwrap_or_default();
    (house_number(&whole.replace(',', " ")), city.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_restaurant_address_are_told_apart() {
        let read = |lines: &[&str]| {
            let lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
            number_and_city(&lines)
        };
        let pair = |number: &str, city: &str| (number.to_owned(), city.to_owned());
        assert_eq!(
            read(&["&nbsp;12 Elm St", "&nbsp;Mesa, AZ"]),
            pair("12", "Mesa")
        );
        assert_eq!(
            read(&["12 Elm St, Washington, D.C."]),
            pair("12", "Washington")
        );
        assert_eq!(
            read(&["12 Elm St", "Ste 4", "Mesa", "AZ", "85201"]),
            pair("12", "Mesa")
        );
    }

    #[test]
    fn labels_are_found_again_in_another_rendering() {
        let page: AddressPage = serde_json::from_str(
            r#"{"id": "a", "html": null, "text": "é 12 Elm St Mesa AZ", "addresses": [
                {"start": 2, "end": 19, "text": "12 Elm St Mesa AZ", "street": "12 Elm St",
                 "city": "Mesa", "state2": "AZ", "zip": null, "kind": "us_full"}]}"#,
        )
        .unwrap();
        let other = "Home: 12 Elm St,\nMesa, AZ.";
        let (wanted, _) = labels_in(&page, other);
        assert_eq!(&other[wanted[0].span.clone()], "12 Elm St,\nMesa, AZ");
        let (wanted, _) = labels(&page);
        assert_eq!(&page.text[wanted[0].span.clone()], "12 Elm St Mesa AZ");
        assert_eq!(wanted[0].number, "12");
    }
}
