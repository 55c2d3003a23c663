//! English sentences by the yard.
//!
//! They mean nothing but have the shape of text: topic words, everyday words,
//! and here and there the name of the city that the page is about.

use crate::world::dice::Dice;
use crate::world::host::push_number;
use crate::world::words::{ADJECTIVES, GENERAL_NOUNS, OPENERS, TAILS, Topic, VERBS};

/// A piece of a sentence.
#[derive(Clone, Copy)]
enum Piece {
    Word(&'static str),
    Adjective,
    Verb,
    /// A word of the topic.
    Thing,
    /// An everyday word.
    Noun,
    Opener,
    Tail,
    Number,
}

use Piece::{Adjective, Noun, Number, Opener, Tail, Thing, Verb, Word};

#[rustfmt::skip]
const SENTENCES: [&[Piece]; 14] = [
    &[Word("The "), Adjective, Word(" "), Thing, Word(" "), Verb, Word(" the "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(", the "), Noun, Word(" "), Verb, Word(" some "), Adjective, Word(" "), Thing, Word(". ")],
    &[Word("Every "), Thing, Word(" "), Verb, Word(" the "), Adjective, Word(" "), Noun, Word(", "), Tail, Word(". ")],
    &[Word("You can ask about the "), Thing, Word(" or the "), Noun, Word(" "), Tail, Word(". ")],
    &[Opener, Word(", "), Number, Word(" people asked for this "), Adjective, Word(" "), Thing, Word(" "), Tail, Word(". ")],
    &[Word("Our "), Noun, Word(" "), Verb, Word(" each "), Thing, Word(" "), Tail, Word(". ")],
    &[Word("What is the "), Adjective, Word(" "), Noun, Word(" of this "), Thing, Word("? ")],
    &[Word("It "), Verb, Word(" the "), Thing, Word(", the "), Thing, Word(" and the "), Noun, Word(". ")],
    &[Word("This "), Noun, Word(" "), Verb, Word(" more than one "), Thing, Word(", and the "), Adjective, Word(" "), Noun, Word(" "), Verb, Word(" the rest. ")],
    &[Word("We don\u{2019}t think that the "), Thing, Word(" "), Verb, Word(" the "), Noun, Word(" "), Tail, Word(". ")],
    &[Word("One "), Adjective, Word(" "), Noun, Word(" "), Verb, Word(" the "), Thing, Word(" \u{2013} "), Tail, Word(". ")],
    &[Word("Read how one "), Noun, Word(" found the "), Adjective, Word(" "), Thing, Word(" in "), Number, Word(" days. ")],
    &[Opener, Word(", the "), Thing, Word(" costs less than the "), Adjective, Word(" "), Noun, Word(". ")],
    &[Word("Caf\u{e9} owners say the "), Thing, Word(" "), Verb, Word(" every "), Noun, Word(" "), Tail, Word(". ")],
];

/// Sentences in which the city is named, before and after its name.
const CITY_SENTENCES: [(&str, &str); 8] = [
    ("People in ", " have known this for years. "),
    ("We are happy to work in ", " and the towns around it. "),
    ("There is more to see in ", " than most visitors expect. "),
    ("It was a long day for ", ". "),
    ("Residents of ", " asked for it again and again. "),
    ("The best of ", " is often close to home. "),
    ("Nowhere but in ", " would you find this. "),
    ("Many newcomers to ", " start right here. "),
];

/// Appends one sentence.
pub(crate) fn sentence(topic: &Topic, dice: &mut Dice, out: &mut String) {
    // One throw holds enough chance for a whole sentence.
    let mut chance = dice.next();
    let mut take = |n: usize| {
        let at = ((chance & 0xffff) as usize * n) >> 16;
        chance = chance.rotate_right(11).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at
    };
    for piece in SENTENCES[take(SENTENCES.len())] {
        match piece {
            Word(text) => out.push_str(text),
            Adjective => out.push_str(ADJECTIVES[take(ADJECTIVES.len())]),
            Verb => out.push_str(VERBS[take(VERBS.len())]),
            Thing => out.push_str(topic.nouns[take(topic.nouns.len())]),
            Noun => out.push_str(GENERAL_NOUNS[take(GENERAL_NOUNS.len())]),
            Opener => out.push_str(OPENERS[take(OPENERS.len())]),
            Tail => out.push_str(TAILS[take(TAILS.len())]),
            Number => push_number(take(88) as u64 + 3, out),
        }
    }
}

/// Appends a sentence that names a city.
pub(crate) fn city_sentence(city: &str, dice: &mut Dice, out: &mut String) {
    let (before, after) = dice.pick(&CITY_SENTENCES);
    out.push_str(before);
    out.push_str(city);
    out.push_str(after);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::words::TOPICS;

    #[test]
    fn sentences_read_like_sentences() {
        let mut dice = Dice::new(&[4]);
        let mut text = String::new();
        for _ in 0..3 {
            sentence(&TOPICS[0], &mut dice, &mut text);
        }
        city_sentence("Houston", &mut dice, &mut text);
        insta::assert_snapshot!(text.trim_end(), @"It requires the dinner, the brunch and the photo. Café owners say the dinner measures every result unless you tell us otherwise. When in doubt, the chef costs less than the handmade answer. Nowhere but in Houston would you find this.");
    }
}
