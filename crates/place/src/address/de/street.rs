//! Reads the words before a house number as a street.
//!
//! Where a street's name begins is the question: what stands before it on the
//! line is a firm, a person or prose. The name's own grammar tells.

use super::token::{Gap, Word, Words};
use super::words::{self, Ending};

/// Names have at most so many words.
const MAX_WORDS: usize = 6;

/// A street's name before its number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Street {
    /// Position of its first word.
    pub(super) start: usize,
    /// How surely this is a street.
    pub(super) points: i32,
}

/// The street whose name ends with the last of these words, before a number after this gap.
pub(super) fn read(words: &Words, list: &[Word], number_gap: Gap) -> Option<Street> {
    let n_line = list
        .iter()
        .rev()
        .scan(Gap::Space, |gap, word| {
            let belongs = *gap == Gap::Space;
            *gap = word.gap;
            belongs.then_some(())
        })
        .take(MAX_WORDS)
        .count();
    let first = list.len() - n_line;
    let line = Line {
        words,
        list: &list[first..],
        is_whole: list.get(first).is_some_and(|word| word.gap != Gap::Space) || first == 0,
    };
    let street = match number_gap {
        Gap::Space => line.street()?,
        // `Hauptstraße, 5`
        Gap::Comma => line
            .square()
            .or_else(|| line.street().filter(|street| street.points >= 30))?,
        _ => return None,
    };
    Some(Street {
        start: first + street.start,
        ..street
    })
}

/// The words of one line before the number.
struct Line<'w> {
    words: &'w Words,
    list: &'w [Word],
    /// Whether nothing stands before them on the line.
    is_whole: bool,
}

impl Line<'_> {
    fn plain(&self, idx: usize) -> &str {
        self.words.plain(&self.list[idx])
    }

    fn capital(&self, idx: usize) -> bool {
        self.list[idx].capital
    }

    fn street(&self) -> Option<Street> {
        let last = self.list.len().checked_sub(1)?;
        if let Some(street) = self.kind_first() {
            return Some(street);
        }
        if words::is_no_street(self.plain(last)) && words::kind(self.plain(last)).is_none() {
            return None;
        }
        self.preposition_first()
            .or_else(|| self.kind_last())
            .or_else(|| self.one_word())
            .or_else(|| self.free_standing())
    }

    /// `Platz der Republik`, `Straße des 17. Juni`, `Weg am Kanal`.
    fn kind_first(&self) -> Option<Street> {
        let n = self.list.len();
        let first = (0..n.checked_sub(2)?).rev().find(|&idx| {
            words::kind(self.plain(idx)) == Some(Ending::Sure)
                && words::is_article(self.plain(idx + 1))
                && self.capital(idx)
        })?;
        self.name_goes_on(first + 2).then(|| Street {
            start: self.with_adjectives(first),
            points: 30,
        })
    }

    /// `Am Markt`, `An der Alster`, `Unter den Linden`.
    fn preposition_first(&self) -> Option<Street> {
        let n = self.list.len();
        let first = (n.saturating_sub(5)..n.checked_sub(1)?).find(|&idx| {
            let begins = self.capital(idx) || idx == 0 && self.is_whole;
            begins && words::is_preposition(self.plain(idx))
        })?;
        self.name_goes_on(first + 1).then_some(Street {
            start: first,
            points: 28,
        })
    }

    /// Whether these words are the rest of a name: articles, adjectives, nouns, dates.
    fn name_goes_on(&self, from: usize) -> bool {
        let n = self.list.len();
        let fits = |idx: usize| {
            let plain = self.plain(idx);
            self.capital(idx)
                || words::is_article(plain)
                || words::is_adjective(plain)
                // `Weg zur schwimmenden Insel`
                || idx + 1 < n && plain.len() > 4 && plain.ends_with("en")
                || plain.len() <= 2 && plain.bytes().all(|byte| byte.is_ascii_digit())
        };
        from < n && (from..n).all(fits) && self.capital(n - 1)
    }

    /// `Bremer Straße`, `Kurt-Schumacher-Str.`, `Alter Markt`, `91er Straße`.
    fn kind_last(&self) -> Option<Street> {
        let last = self.list.len() - 1;
        let kind = words::kind(self.plain(last))?;
        let Some(before) = last.checked_sub(1) else {
            // `Markt 5`, `Ring 12`: a line of its own.
            let alone = self.is_whole && self.capital(last) && self.plain(last) != "str";
            return alone.then_some(Street {
                start: last,
                points: 14,
            });
        };
        let plain = self.plain(before);
        // `Bremer`, `Alter`, `Kaysers`
        let genitive = plain.len() > 4 && plain.ends_with('s') && self.capital(before);
        let named = words::is_of_a_city(plain) || words::is_adjective(plain) || genitive;
        if !(named || self.capital(before) && self.is_name(before)) {
            return None;
        }
        let start = if named {
            self.with_adjectives(before)
        } else if kind == Ending::Sure
            && self.is_whole
            && (0..before).all(|idx| self.is_name(idx))
            && before <= 2
        {
            // `Karl Marx Straße`
            0
        } else if kind == Ending::Likely && !(self.is_whole && before == 0) {
            // `Hotel Schmidt Markt 5`
            last
        } else {
            before
        };
        let points = match kind {
            Ending::Sure => 30,
            Ending::Likely if named => 24,
            Ending::Likely => 12,
        };
        Some(Street { start, points })
    }

    /// `Hauptstraße`, `Ammerländer Heerstraße`, `Große Bleiche`.
    fn one_word(&self) -> Option<Street> {
        let last = self.list.len() - 1;
        let ending = words::ending(self.plain(last))?;
        let start = self.with_adjectives(last);
        let apart = self.is_whole && start == 0;
        let points = match ending {
            Ending::Sure => 30,
            Ending::Likely if apart => 22,
            Ending::Likely => 14,
        };
        let in_small_letters = if self.capital(last) { 0 } else { 6 };
        Some(Street {
            start,
            points: points - in_small_letters,
        })
    }

    /// `Witthau`, `Neuer Wall`: a line of its own, and the rest must be certain.
    fn free_standing(&self) -> Option<Street> {
        let n = self.list.len();
        let name = |idx: usize| {
            self.capital(idx) && self.is_name(idx) || words::is_article(self.plain(idx))
        };
        let fits = self.is_whole && n <= 3 && (0..n).all(name) && self.capital(0);
        fits.then(|| Street {
            start: 0,
            points: 14 - 2 * i32::try_from(n).unwrap_or(3),
        })
    }

    /// Mannheim's squares: `Q 7`, `C4`; their house number follows a comma.
    fn square(&self) -> Option<Street> {
        let last = self.list.len().checked_sub(1)?;
        let (start, letter, digits) = match self.plain(last) {
            digits if digits.len() == 1 && last > 0 => (last - 1, self.plain(last - 1), digits),
            word if word.len() == 2 && word.is_ascii() => {
                let (letter, digits) = word.split_at(1);
                (last, letter, digits)
            }
            _ => return None,
        };
        let fits = matches!(letter.as_bytes(), [b'a'..=b'u'])
            && matches!(digits.as_bytes(), [b'1'..=b'7'])
            && self.capital(start);
        fits.then_some(Street { start, points: 12 })
    }

    fn is_name(&self, idx: usize) -> bool {
        let plain = self.plain(idx);
        plain.len() > 1
            && !words::is_no_street(plain)
            && plain
                .bytes()
                .next()
                .is_some_and(|byte| !byte.is_ascii_digit())
    }

    /// Where the name begins with the adjectives before it: `Alte Bremer Straße`.
    fn with_adjectives(&self, start: usize) -> usize {
        let before = (0..start).rev().take_while(|&idx| {
            let plain = self.plain(idx);
            self.capital(idx) && (words::is_adjective(plain) || words::is_of_a_city(plain))
        });
        before.last().unwrap_or(start)
    }
}

/// Equal for two spellings of a street's name: `Haupt-Str.`, `Hauptstraße`.
pub(super) fn normal_form(name: &str) -> String {
    let mut normal = String::with_capacity(name.len() + 4);
    for c in name.chars().filter(|&c| !crate::names::is_invisible(c)) {
        if c.is_alphanumeric() || matches!(c, '\u{300}'..='\u{36f}') {
            normal.push_str(&crate::names::fold(c));
        }
    }
    let mut normal = super::city::without_digraphs(&normal);
    if normal.ends_with("str") {
        normal.push_str("asse");
    }
    normal
}
