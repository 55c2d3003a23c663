//! Sentences from a language's templates, with words of a topic in them, and
//! here and there the name of the city that the page is about.

use crate::world::dice::Dice;
use crate::world::host::push_number;
use crate::world::words::lexicon::{Lexicon, Piece};

/// Appends one sentence; `things` are the topic's words in that language.
pub(crate) fn sentence(lexicon: &Lexicon, things: &[&str], dice: &mut Dice, out: &mut String) {
    // One throw holds enough chance for a whole sentence.
    let mut chance = dice.next();
    let mut take = |n: usize| {
        let at = ((chance & 0xffff) as usize * n) >> 16;
        chance = chance.rotate_right(11).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        at
    };
    for piece in lexicon.sentences[take(lexicon.sentences.len())] {
        match piece {
            Piece::Word(text) => out.push_str(text),
            Piece::Adjective => out.push_str(lexicon.adjectives[take(lexicon.adjectives.len())]),
            Piece::Verb => out.push_str(lexicon.verbs[take(lexicon.verbs.len())]),
            Piece::Thing => out.push_str(things[take(things.len())]),
            Piece::Noun => out.push_str(lexicon.nouns[take(lexicon.nouns.len())]),
            Piece::Opener => out.push_str(lexicon.openers[take(lexicon.openers.len())]),
            Piece::Tail => out.push_str(lexicon.tails[take(lexicon.tails.len())]),
            Piece::Number => push_number(take(88) as u64 + 3, out),
        }
    }
}

/// Appends a sentence that names a city.
pub(crate) fn city_sentence(lexicon: &Lexicon, city: &str, dice: &mut Dice, out: &mut String) {
    let (before, after) = dice.pick(lexicon.city_sentences);
    out.push_str(before);
    out.push_str(city);
    out.push_str(after);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::words::TOPICS;
    use crate::world::words::english::ENGLISH;
    use crate::world::words::german::{GERMAN, GERMAN_TOPICS};

    #[test]
    fn sentences_read_like_sentences() {
        let mut dice = Dice::new(&[4]);
        let mut text = String::new();
        for _ in 0..3 {
            sentence(&ENGLISH, &TOPICS[0].nouns, &mut dice, &mut text);
        }
        city_sentence(&ENGLISH, "Houston", &mut dice, &mut text);
        insta::assert_snapshot!(text.trim_end(), @"It requires the dinner, the brunch and the photo. Café owners say the dinner measures every result unless you tell us otherwise. When in doubt, the chef costs less than the handmade answer. Nowhere but in Houston would you find this.");
    }

    #[test]
    fn german_sentences_too() {
        let mut dice = Dice::new(&[4]);
        let mut text = String::new();
        for _ in 0..2 {
            sentence(&GERMAN, &GERMAN_TOPICS[0].nouns, &mut dice, &mut text);
        }
        city_sentence(&GERMAN, "Oldenburg", &mut dice, &mut text);
        insta::assert_snapshot!(text.trim_end(), @"Unser Büro enthält jede Vorspeise seit mehr als zwanzig Jahren. Nach einer Weile kostet die Reservierung weniger als das ruhige Buch. Es gibt mehr zu sehen in Oldenburg, als die meisten denken.");
    }
}
