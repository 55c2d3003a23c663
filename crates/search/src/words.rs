//! Cuts texts into the words that are indexed and looked for.
//!
//! Pages and queries must be cut alike or they never meet, so both come here.
//! What is indexed of a word is its stem, by the rules of the page's language:
//! `restaurants` and `restaurant` are one, `Häuser` and `Haus` nearly. A query
//! has no language: its words are looked for as the stems of every language
//! that we know well.

mod counted;
mod stemming;
mod tally;

pub(crate) use counted::Counted;

use page::words::{Letters, Word, each_begun, each_span, word_at};
use std::collections::HashMap;
use std::sync::LazyLock;
use stemming::Stemming;
use tally::Tally;
use tantivy::tokenizer::Language;

/// Longer runs of letters are identifiers and encoded data, of which every
/// page brings new ones.
const MAX_WORD_BYTES: usize = 60;

/// Languages whose words are brought to their stems, with their codes. Those
/// that a query may be in come first.
const LANGUAGES: [(&str, Language); 8] = [
    ("en", Language::English),
    ("de", Language::German),
    ("fr", Language::French),
    ("es", Language::Spanish),
    ("it", Language::Italian),
    ("nl", Language::Dutch),
    ("pt", Language::Portuguese),
    ("sv", Language::Swedish),
];

/// Of these languages a query's words may be.
const N_ASKED: usize = 4;

/// Words that every text has, by language: they tell it, and say nothing else.
const COMMON: [(&str, &str); 4] = [
    (
        "en",
        "the of and to in is for on that with are this be as it at by from or an you your we our \
         was were will has have not all can more about a i do does what where which who how",
    ),
    (
        "de",
        "der die das und ist ein eine einer eines einem einen den dem des im in zu zur zum von vom \
         mit für auf auch sich nicht wir sie ihr ihre unser unsere bei am aus nach oder wird sind \
         wo was wer wie über um",
    ),
    (
        "fr",
        "le la les de des du et est un une dans pour sur avec que qui par au aux nous vous votre \
         notre ce cette sont ou où à en",
    ),
    (
        "es",
        "el la los las de del y es un una en para por con que al su sus nuestro nuestra como más o \
         son está donde cerca",
    ),
];

/// Cuts texts; every thread has its own.
pub(crate) struct Cutter {
    plain: Stemming,
    stemmed: Vec<(&'static str, Stemming)>,
    tally: Tally,
}

/// The words of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Cuts {
    pub(crate) n_words: usize,
    /// Those that were asked for: which word, and which of the stems it has.
    pub(crate) asked: Vec<(usize, usize)>,
}

/// Where words stand in a text that were asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spots {
    /// Runs of letters in what was looked at.
    pub(crate) n_runs: usize,
    pub(crate) found: Vec<Spot>,
}

/// A word that was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spot {
    /// Its first byte.
    pub(crate) start: usize,
    /// Runs of letters before it: as good as words, to tell what is near.
    pub(crate) nth: usize,
    /// Which of the stems it has.
    pub(crate) which: usize,
}

impl Cutter {
    pub(crate) fn new() -> Cutter {
        let common = |code: &str| COMMON.iter().find(|(known, _)| *known == code);
        let stemmed = |(code, language)| {
            let common = common(code).map_or("", |(_, common)| common);
            (code, Stemming::new(Some(language), common))
        };
        Cutter {
            plain: Stemming::new(None, ""),
            stemmed: LANGUAGES.into_iter().map(stemmed).collect(),
            tally: Tally::default(),
        }
    }

    /// Adds the stems of a text in a language to others, each with how often
    /// it is there, so many times. Common words are there once: they are half
    /// of a text, and say nothing.
    pub(crate) fn add_stems(&mut self, stems: &mut String, text: &str, language: &str, times: u32) {
        let mut tally = std::mem::take(&mut self.tally);
        each_word(text, |word| tally.add(word));
        let stemming = self.of(language);
        // To see of every stem that it is text takes longer than to add it.
        let mut bytes = std::mem::take(stems).into_bytes();
        for (word, n) in tally.drain() {
            let stem = stemming.stem(word.hash, &text[word.start..word.end]);
            let n = if stem.is_common { 1 } else { n };
            counted::push(&mut bytes, stem.bytes, n * times);
        }
        *stems = String::from_utf8(bytes).expect("stems are text");
        self.tally = tally;
    }

    /// The words of a text in a language, from a byte on, behind those that
    /// were cut before.
    pub(crate) fn cut(
        &mut self,
        cuts: &mut Cuts,
        (text, from): (&str, usize),
        language: &str,
        asked: &[String],
    ) {
        let beginnings = Beginnings::of(asked);
        let stemming = self.of(language);
        each_span(&text[from..], |start, end| {
            if end - start > MAX_WORD_BYTES {
                return;
            }
            let word = &text[from + start..from + end];
            if beginnings.has(word.as_bytes()) {
                each_word(word, |known| {
                    let stem = stemming.stem(known.hash, word);
                    let which = asked
                        .iter()
                        .position(|asked| asked.as_bytes() == stem.bytes);
                    cuts.asked.extend(which.map(|which| (cuts.n_words, which)));
                });
            }
            cuts.n_words += 1;
        });
    }

    /// Where words that were asked for stand in a text in a language, from a
    /// byte on, behind those that were found before.
    pub(crate) fn spot(
        &mut self,
        spots: &mut Spots,
        (text, from): (&str, usize),
        language: &str,
        asked: &[String],
    ) {
        let beginnings = Beginnings::of(asked);
        let stemming = self.of(language);
        let (rest, n_runs) = (&text[from..], spots.n_runs);
        let hear = |nth, start| {
            if !beginnings.has(&rest.as_bytes()[start..]) {
                return;
            }
            let word = word_at(rest, start).filter(|word| word.end - start <= MAX_WORD_BYTES);
            let Some(word) = word else {
                return;
            };
            let stem = stemming.stem(word.hash, &rest[start..word.end]);
            let which = asked
                .iter()
                .position(|asked| asked.as_bytes() == stem.bytes);
            spots.found.extend(which.map(|which| Spot {
                start: from + start,
                nth: n_runs + nth,
                which,
            }));
        };
        spots.n_runs += each_begun(rest, &beginnings.letters, hear);
    }

    /// A text's words as a query would be cut: for every language that it may
    /// be in, the same number of stems, and each list only once.
    pub(crate) fn readings(&mut self, text: &str, n: usize) -> Vec<Vec<String>> {
        let mut readings: Vec<Vec<String>> = Vec::new();
        for (code, _) in &LANGUAGES[..N_ASKED] {
            let stemming = self.of(code);
            let mut stems: Vec<String> = Vec::new();
            each_word(text, |word| {
                let stem = stemming.stem(word.hash, &text[word.start..word.end]);
                if stems.len() < n && !stem.bytes.is_empty() {
                    stems.push(String::from_utf8_lossy(stem.bytes).into_owned());
                }
            });
            if !readings.contains(&stems) {
                readings.push(stems);
            }
        }
        readings
    }

    fn of(&mut self, language: &str) -> &mut Stemming {
        let known = self.stemmed.iter_mut().find(|(code, _)| *code == language);
        known.map_or(&mut self.plain, |(_, stemming)| stemming)
    }
}

/// How words begin that may have some stems: as those do. Other words need not
/// be looked at.
struct Beginnings {
    letters: Letters,
    first: [bool; 256],
    second: [bool; 256],
}

impl Beginnings {
    fn of(stems: &[String]) -> Beginnings {
        let (mut first, mut second) = ([false; 256], [false; 256]);
        // Letters with accents are indexed without.
        first[128..].fill(true);
        second[128..].fill(true);
        let add = |letters: &mut [bool; 256], letter: u8| {
            letters[usize::from(letter)] = true;
            letters[usize::from(letter.to_ascii_uppercase())] = true;
        };
        for stem in stems.iter().map(String::as_bytes) {
            add(&mut first, stem.first().copied().unwrap_or_default());
            match stem.get(1) {
                // `dying` has the stem of `die`.
                Some(b'i' | b'y') => b"iy".iter().for_each(|&letter| add(&mut second, letter)),
                Some(&letter) => add(&mut second, letter),
                None => second.fill(true),
            }
        }
        let firsts = stems.iter().filter_map(|stem| stem.bytes().next());
        Beginnings {
            letters: firsts.collect(),
            first,
            second,
        }
    }

    fn has(&self, word: &[u8]) -> bool {
        let is_first = word
            .first()
            .is_none_or(|&letter| self.first[usize::from(letter)]);
        is_first
            && word
                .get(1)
                .is_none_or(|&letter| self.second[usize::from(letter)])
    }
}

/// Runs of letters and digits, and characters of scripts without spaces.
pub(crate) fn each_word(text: &str, mut hear: impl FnMut(Word)) {
    page::words::each_word(text, |word| {
        if word.end - word.start <= MAX_WORD_BYTES {
            hear(word);
        }
    });
}

/// The two letters of the language that a page is in: what it says, else what
/// its words say, else none.
pub(crate) fn language(declared: Option<&str>, text: &str) -> String {
    let declared = declared.and_then(|declared| declared.get(..2));
    if let Some(declared) = declared.filter(|code| code.bytes().all(|b| b.is_ascii_alphabetic())) {
        return declared.to_ascii_lowercase();
    }
    let mut counts = COMMON.map(|(code, _)| (0, code));
    let mut small = String::new();
    let words = text.split_whitespace().take(N_TELLING);
    for word in words.filter(|word| word.len() <= MOST_TELLING) {
        small.clear();
        small.extend(word.chars().flat_map(char::to_lowercase));
        let languages = TELLING.get(small.as_str()).copied().unwrap_or(0);
        for (nth, (n, _)) in counts.iter_mut().enumerate() {
            *n += languages >> nth & 1;
        }
    }
    let (n, code) = counts
        .into_iter()
        .max_by_key(|(n, _)| *n)
        .unwrap_or((0, ""));
    match n >= LEAST_TELLING {
        true => code.to_owned(),
        false => String::new(),
    }
}

/// The common words, each with a bit for every language that has it.
static TELLING: LazyLock<HashMap<&str, u32>> = LazyLock::new(|| {
    let mut telling = HashMap::new();
    for (nth, (_, common)) in COMMON.iter().enumerate() {
        for word in common.split_whitespace() {
            *telling.entry(word).or_default() |= 1 << nth;
        }
    }
    telling
});

/// Bytes of the longest common word, and some.
const MOST_TELLING: usize = 12;

/// Words of a page that its language is told by.
const N_TELLING: usize = 200;

/// Common words of a language that a page needs to be in it.
const LEAST_TELLING: u32 = 3;

/// Whether a word of a query says nothing by itself.
pub(crate) fn is_common(word: &str) -> bool {
    let word = word.to_lowercase();
    let mut lists = COMMON.iter().flat_map(|(_, list)| list.split_whitespace());
    lists.any(|common| common == word)
}

/// The host in an address, with or without scheme; in lower case, without port.
pub(crate) fn host(url: &str) -> String {
    let rest = after_scheme(url);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let authority = &rest[..end];
    let host = authority
        .rsplit_once('@')
        .map_or(authority, |(_, host)| host);
    let host = match host.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => host,
        _ => host,
    };
    host.to_lowercase()
}

/// The part of a URL that has words in it, escapes undone: `/caf%C3%A9` says `café`.
pub(crate) fn readable(url: &str) -> String {
    let rest = after_scheme(url).as_bytes();
    let mut bytes = Vec::with_capacity(rest.len());
    let mut at = 0;
    while at < rest.len() {
        match escaped_byte(&rest[at..]) {
            Some(byte) => {
                bytes.push(byte);
                at += 3;
            }
            None => {
                bytes.push(rest[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn escaped_byte(bytes: &[u8]) -> Option<u8> {
    let &[b'%', high, low, ..] = bytes else {
        return None;
    };
    let digit = |byte: u8| char::from(byte).to_digit(16);
    u8::try_from(digit(high)? * 16 + digit(low)?).ok()
}

fn after_scheme(url: &str) -> &str {
    url.split_once("://").map_or(url, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;
    use insta::assert_snapshot;
    use proptest::prelude::*;

    fn stems(text: &str, language: &str) -> String {
        let mut stems = String::new();
        Cutter::new().add_stems(&mut stems, text, language, 1);
        stems.replace('\t', "×")
    }

    #[test]
    fn case_and_accents_do_not_matter() {
        assert_snapshot!(stems("Café MÜNCHEN, Straße 5-a", ""), @"cafe munchen strasse 5 a");
        assert_snapshot!(stems(&format!("x {} y", "z".repeat(200)), "en"), @"x y");
    }

    #[test]
    fn words_are_brought_to_their_stems_by_language() {
        assert_snapshot!(stems("Restaurants and public schools", "en"), @"restaur and public school");
        assert_snapshot!(stems("Häuser, Haus, Bäckereien", "de"), @"haus haus backerei");
        let readings = Cutter::new().readings("schools", 9);
        assert!(readings.contains(&vec!["school".to_owned()]));
    }

    #[test]
    fn a_language_is_said_or_told_by_common_words() {
        assert_eq!(language(Some("de-AT"), ""), "de");
        assert_eq!(
            language(None, "Wir sind ein Betrieb mit Sitz in der Stadt und"),
            "de"
        );
        assert_eq!(language(None, "The mayor of the town is in the hall"), "en");
        assert_eq!(language(None, "Lorem ipsum"), "");
        assert_eq!(language(Some("日本語"), ""), "");
    }

    #[test]
    fn hosts_are_found_in_urls_and_in_what_people_type() {
        assert_snapshot!(host("http://User@Town.Example:8080/a:b@c"), @"town.example");
        assert_snapshot!(host("town.example?q=1"), @"town.example");
        assert_snapshot!(host("http://[::1]/"), @"[::1]");
        assert_snapshot!(host(""), @"");
    }

    #[test]
    fn urls_are_read_without_scheme_and_escapes() {
        assert_snapshot!(readable("https://a.example/caf%C3%A9/100%25/%zz%2"), @"a.example/café/100%/%zz%2");
        assert_snapshot!(readable("http://a.example/%ff"), @"a.example/�");
    }

    #[test]
    fn words_that_have_a_stem_are_looked_at() {
        let mut cutter = Cutter::new();
        let text = "Dying DIE Ärzte ski skis Skies public publicly œuvre Häuser y x";
        for (code, _) in LANGUAGES {
            let words: Vec<&str> = text.split(' ').collect();
            for (nth, word) in words.iter().enumerate() {
                let mut stems = String::new();
                cutter.add_stems(&mut stems, word, code, 1);
                let (mut cuts, mut spots) = (Cuts::default(), Spots::default());
                cutter.cut(&mut cuts, (text, 0), code, &[stems.clone()]);
                assert!(cuts.asked.contains(&(nth, 0)), "{code} {word}");
                cutter.spot(&mut spots, (text, 0), code, &[stems]);
                let found = spots.found.iter().map(|spot| (spot.nth, spot.which));
                assert_eq!(found.collect::<Vec<_>>(), cuts.asked, "{code} {word}");
                assert_eq!(spots.n_runs, words.len());
            }
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "\\PC{0,40}|[%0-9a-fé/:@]{0,40}") {
            host(&text);
            readable(&text);
            stems(&text, "de");
            language(Some(&text), &text);
        }
    }
}
