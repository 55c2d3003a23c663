//! Counts what single words are: given names, family names, common words.
//!
//! Names of people come from WordNet and from the heads of US colleges (IPEDS);
//! common words from WordNet's nouns and from how often plain text writes a
//! word small. Family names and common words are kept only where they are also
//! a name of a place: elsewhere nobody asks.

use crate::eval::sets;
use anyhow::Context;
use place::gazetteer::Gazetteer;
use place::names::normalise;
use serde::Deserialize;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt::Write as _;
use std::path::Path;

/// Texts whose words are counted, none of their labels.
const TEXTS: &[&str] = &[
    "toponyms/lgl_dev.jsonl",
    "toponyms/geowebnews_dev.jsonl",
    "toponyms/geovirus_dev.jsonl",
    "toponyms/tud_train_dev.jsonl",
    "toponyms/wiktor_dev.jsonl",
    "addresses/split_webstruct_dev.jsonl",
    "addresses/split_de_pages_dev.jsonl",
];

/// A small word in so many texts is one that may be written large by chance.
const COMMON_TEXTS: u32 = 3;
const VERY_COMMON_TEXTS: u32 = 8;
/// In so many texts, capitals elsewhere (menus, headings) say nothing.
const EVERYDAY_TEXTS: u32 = 30;

/// German writes all nouns large: an article before one word in so many
/// tells a noun from a city.
const NOUN_SHARE: u32 = 6;
const ARTICLES: &[&str] = &[
    "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer", "eines",
    "im", "am", "zum", "zur", "vom", "beim", "ins", "keine", "jede", "alle", "viele", "diese",
    "unsere", "ihre", "seine",
];

/// In how many texts a word is written in which way.
#[derive(Debug, Clone, Copy, Default)]
struct Counts {
    n_small: u32,
    n_large: u32,
    /// Large after a German article.
    n_nouns: u32,
}

#[derive(Deserialize)]
struct Text {
    text: String,
}

/// The lexicon's text.
pub(crate) fn build(raw: &Path, eval: &Path) -> anyhow::Result<String> {
    let single_names = single_word_names();
    let mut letters: BTreeMap<String, String> = BTreeMap::new();
    let mut mark = |word: &str, letter: char| {
        let marks = letters.entry(word.to_owned()).or_default();
        if !marks.contains(letter) {
            marks.push(letter);
        }
    };
    let people = People::read(raw)?;
    for given in people.given.iter().filter(|given| given.len() > 2) {
        mark(given, 'g');
    }
    for family in people
        .family
        .iter()
        .filter(|name| single_names.contains(*name))
    {
        mark(family, 'f');
    }
    let nouns = small_nouns(raw)?;
    for (word, counts) in spelling_counts(eval)? {
        let Counts {
            n_small,
            n_large,
            n_nouns,
        } = counts;
        if !single_names.contains(&word) {
            continue;
        }
        let is_mostly_small = n_small >= VERY_COMMON_TEXTS && n_small * 2 > n_large;
        let is_noun = n_nouns >= COMMON_TEXTS && n_nouns * NOUN_SHARE >= n_large;
        if is_mostly_small || is_noun || n_small >= EVERYDAY_TEXTS {
            mark(&word, 'C');
        } else if n_small >= COMMON_TEXTS {
            mark(&word, 'c');
        }
    }
    for noun in nouns.iter().filter(|noun| single_names.contains(*noun)) {
        mark(noun, 'c');
    }
    let mut text = String::from(
        "# Words and what they are: g given name, f family name, c also a common word, C mostly one.\n\
         # Counted by `cargo xtask lexicon`.\n",
    );
    for (word, letters) in letters {
        writeln!(text, "{word} {letters}")?;
    }
    Ok(text)
}

fn single_word_names() -> HashSet<String> {
    let gazetteer = Gazetteer::built_in();
    let names = gazetteer.names_in_normal_form().into_iter();
    names.filter(|name| !name.contains(' ')).collect()
}

#[derive(Default)]
struct People {
    given: HashSet<String>,
    family: HashSet<String>,
}

impl People {
    fn read(raw: &Path) -> anyhow::Result<People> {
        let mut people = People::default();
        for line in text(raw, "wordnet/data.noun.zst")?.lines() {
            let mut cells = line.split(' ');
            // Lexicographer file 18 holds persons.
            if cells.nth(1) != Some("18") {
                continue;
            }
            let n_words = cells.nth(1).and_then(|n| usize::from_str_radix(n, 16).ok());
            for lemma in cells.step_by(2).take(n_words.unwrap_or(0)) {
                people.add(&lemma.replace('_', " "));
            }
        }
        let colleges = text(raw, "pois/ipeds_hd2019.csv.zst")?;
        for line in colleges.lines() {
            if let Some(name) = crate::pack::cells(line, ',').get(9) {
                people.add(name);
            }
        }
        Ok(people)
    }

    /// Takes a full name apart: `Dr. Andrew Hugine, Jr.`
    fn add(&mut self, name: &str) {
        let name = name.split(',').next().unwrap_or_default();
        let is_part = |part: &&str| {
            part.len() > 2 && !part.ends_with('.') && part.starts_with(char::is_uppercase)
        };
        let parts: Vec<String> = name.split(' ').filter(is_part).map(normalise).collect();
        let all_large = name
            .split(' ')
            .all(|part| !part.starts_with(char::is_lowercase));
        if let [given, .., family] = parts.as_slice()
            && all_large
        {
            self.given.insert(given.clone());
            self.family.insert(family.clone());
        }
    }
}

/// WordNet's nouns of one word that are written small.
fn small_nouns(raw: &Path) -> anyhow::Result<HashSet<String>> {
    let mut nouns = HashSet::new();
    for line in text(raw, "wordnet/data.noun.zst")?.lines() {
        let mut cells = line.split(' ');
        let n_words = cells.nth(3).and_then(|n| usize::from_str_radix(n, 16).ok());
        let lemmas = cells.step_by(2).take(n_words.unwrap_or(0));
        nouns.extend(
            lemmas
                .filter(|lemma| lemma.bytes().all(|byte| byte.is_ascii_lowercase()))
                .map(str::to_owned),
        );
    }
    Ok(nouns)
}

/// How words are written, counted by text.
fn spelling_counts(eval: &Path) -> anyhow::Result<HashMap<String, Counts>> {
    let mut counts: HashMap<String, Counts> = HashMap::new();
    for name in TEXTS {
        let texts: Vec<Text> = sets::read(eval, name)?;
        for Text { text } in texts {
            let mut seen: HashSet<(&str, bool)> = HashSet::new();
            let mut previous = "";
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                let is_noun = word.starts_with(char::is_uppercase) && ARTICLES.contains(&previous);
                if word.len() > 1 {
                    seen.insert((word, false));
                    if is_noun {
                        seen.insert((word, true));
                    }
                }
                previous = word;
            }
            for (word, is_noun) in seen {
                let count = counts.entry(normalise(word)).or_default();
                match () {
                    () if is_noun => count.n_nouns += 1,
                    () if word.starts_with(char::is_lowercase) => count.n_small += 1,
                    () => count.n_large += 1,
                }
            }
        }
    }
    Ok(counts)
}

fn text(raw: &Path, name: &str) -> anyhow::Result<String> {
    let path = raw.join(name);
    let read = || -> anyhow::Result<String> {
        let bytes = zstd::stream::decode_all(std::fs::File::open(&path)?)?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    };
    read().with_context(|| format!("cannot read `{}`", path.display()))
}
