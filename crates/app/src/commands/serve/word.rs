//! One value of a request, whatever it was sent as.

use super::failure::Failure;
use super::wishes::wrong;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use std::fmt;
use std::ops::RangeInclusive;

/// A value as text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word(pub(super) String);

/// What a value says; none if it is left out or empty.
pub(super) fn said(value: &Option<Word>) -> Option<&str> {
    let text = value.as_ref()?.0.trim();
    (!text.is_empty()).then_some(text)
}

/// A whole number in a range.
pub(super) fn number(
    name: &str,
    value: &Option<Word>,
    range: RangeInclusive<u64>,
) -> Result<Option<u64>, Failure> {
    let Some(text) = said(value) else {
        return Ok(None);
    };
    let (least, most) = (range.start(), range.end());
    let number = text.parse().ok().filter(|number| range.contains(number));
    match number {
        Some(number) => Ok(Some(number)),
        None => {
            let what = format!("a whole number from {least} to {most}");
            Err(wrong(name, text, &what))
        }
    }
}

impl<'de> Deserialize<'de> for Word {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Word, D::Error> {
        deserializer.deserialize_any(AnyWord)
    }
}

struct AnyWord;

impl Visitor<'_> for AnyWord {
    type Value = Word;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a number")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Word, E> {
        Ok(Word(text.to_owned()))
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_f64<E: Error>(self, number: f64) -> Result<Word, E> {
        Ok(Word(number.to_string()))
    }

    fn visit_bool<E: Error>(self, is_so: bool) -> Result<Word, E> {
        Ok(Word(is_so.to_string()))
    }
}
