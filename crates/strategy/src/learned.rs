//! How minds write down what they have learned.
//!
//! A line for people, then numbers, all little-endian. The line names the
//! order, the layout of its signs and the countries it learned in: what was
//! learned from German words says nothing about English ones.

use crate::order::MindError;

/// Changes with what a sign stands for.
const SIGNS: &str = "signs-1";

/// Something learned, being written.
pub(crate) struct Learned(Vec<u8>);

impl Learned {
    pub(crate) fn new(order: &str, countries: &str) -> Learned {
        Learned(format!("locavore-order {order} {SIGNS} {countries}\n").into_bytes())
    }

    pub(crate) fn number(&mut self, number: u64) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn small(&mut self, number: u32) {
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    pub(crate) fn finish(self) -> Vec<u8> {
        self.0
    }
}

/// Something learned, being read.
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    /// Checks what was learned, by whom and where.
    pub(crate) fn open(
        saved: &'a [u8],
        order: &str,
        countries: &str,
    ) -> Result<Reader<'a>, MindError> {
        let end = saved.iter().take(200).position(|byte| *byte == b'\n');
        let (line, rest) = end
            .and_then(|end| Some((str::from_utf8(&saved[..end]).ok()?, &saved[end + 1..])))
            .ok_or(MindError::Garbled)?;
        let words: Vec<&str> = line.split(' ').collect();
        let ["locavore-order", its_order, its_signs, its_countries] = words[..] else {
            return Err(MindError::Garbled);
        };
        let of_other = |text: String| Err(MindError::OfOther(text));
        if its_order != order {
            return of_other(format!("learned by `--order {its_order}`, not `{order}`"));
        }
        if its_signs != SIGNS {
            return of_other(format!("learned from {its_signs}, and we know {SIGNS}"));
        }
        if !its_countries
            .split('+')
            .any(|theirs| countries.split('+').any(|ours| ours == theirs))
        {
            return of_other(format!(
                "learned from pages of {its_countries}, and these places are in {countries}"
            ));
        }
        Ok(Reader(rest))
    }

    pub(crate) fn number(&mut self) -> Result<u64, MindError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(MindError::Garbled)?;
        self.0 = rest;
        Ok(u64::from_le_bytes(*bytes))
    }

    pub(crate) fn small(&mut self) -> Result<u32, MindError> {
        let (bytes, rest) = self.0.split_first_chunk().ok_or(MindError::Garbled)?;
        self.0 = rest;
        Ok(u32::from_le_bytes(*bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(text: &str, countries: &str) -> Result<(), String> {
        let opened = Reader::open(text.as_bytes(), "adaptive", countries);
        opened.map(|_| ()).map_err(|error| error.to_string())
    }

    #[test]
    fn what_another_order_or_country_learned_is_refused_by_name() {
        let ours = "locavore-order adaptive signs-1 DE\n";
        assert_eq!(open(ours, "DE+US"), Ok(()));
        assert_eq!(
            open(ours, "US").unwrap_err(),
            "learned from pages of DE, and these places are in US"
        );
        let other = "locavore-order focus signs-1 DE\n";
        assert!(open(other, "DE").unwrap_err().contains("--order focus"));
        assert_eq!(
            open("PK\n", "DE").unwrap_err(),
            MindError::Garbled.to_string()
        );
    }
}
